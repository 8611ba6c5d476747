#include "check/played_again.h"

#include <stdio.h>

#include "wire/difference.h"

kifu_result kifu__require_played_again(kifu_timeline *timeline, const char *call)
{
    const char *why = NULL;
    kifu_result result = kifu__require_idle(timeline, call);
    if (timeline->options.reset)
        why = "this game keeps its model outside the state";
    else if (timeline->past.shown)
        why = kifu__back_to_present;
    else if (timeline->transactions.open)
        why = "a transaction is open: commit it or roll it back first";
    return result || !why ? result : kifu__error(&timeline->error, KIFU_MISUSE, "%s: %s", call, why);
}

// --- What differs ----------------------------------------------------------------------------------------------------

kifu_result kifu__differs(kifu__played_again *played, const kifu_event *expected, const char *what)
{
    kifu_difference *difference = played->difference;
    kifu_event cause;
    char caused[200] = "";
    if (expected->name && expected->cause != KIFU_NONE && kifu_event_at(played->again, expected->cause, &cause))
        snprintf(caused, sizeof caused, ", which event %u (%s) caused", (unsigned)cause.index, cause.name);
    difference->event = difference->first = expected->index;
    difference->name = expected->name;
    return kifu__error_of_event(
        &played->timeline->error, KIFU_DIVERGED, expected->index,
        "played again from its inputs, the game differs at event %u (%s)%s: %s%s%s was %s and is now %s.%s See "
        "runtime/docs/troubleshooting.md, \"When a game diverges\"",
        (unsigned)expected->index, expected->name ? expected->name : "none", caused, what,
        difference->field[0] ? " " : "", difference->field, difference->expected, difference->actual,
        played->bare ? " No hooks, reactions or triggers were added: give them in kifu_options.observers, or by "
                       "kifu_options.prepare."
                     : "");
}

kifu_result kifu__differs_in_number(kifu__played_again *played, const kifu_event *expected, const char *what,
                                    int64_t was, int64_t is)
{
    kifu_difference *difference = played->difference;
    snprintf(difference->expected, sizeof difference->expected, "%lld", (long long)was);
    snprintf(difference->actual, sizeof difference->actual, "%lld", (long long)is);
    return kifu__differs(played, expected, what);
}

kifu_result kifu__differs_in_words(kifu__played_again *played, const kifu_event *expected, const char *what,
                                   const char *was, const char *is)
{
    kifu_difference *difference = played->difference;
    snprintf(difference->expected, sizeof difference->expected, "%s", was);
    snprintf(difference->actual, sizeof difference->actual, "%s", is);
    return kifu__differs(played, expected, what);
}

// Names the first field that differs. Equal events have equal blobs, wherever they lie in a log.
static kifu_result compare_fields(kifu__played_again *played, const kifu_event *event, const kifu__segment *segment,
                                  uint32_t slot)
{
    const kifu_timeline *again = played->again;
    const kifu_rules *rules = played->timeline->rules;
    kifu__blob *expected = &played->expected, *actual = &played->actual;
    const kifu__segment *other = kifu__log_segment_of(&again->log, event->index);
    expected->memory = actual->memory = &played->timeline->memory;
    kifu_result result = kifu__blob_of(rules, segment, slot, expected);
    if (!result)
        result = kifu__blob_of(rules, other, event->index - other->first, actual);
    if (result)
        return kifu__error(&played->timeline->error, result, "%s for comparing events", kifu_result_text(result));
    if (expected->size == actual->size && memcmp(expected->bytes, actual->bytes, expected->size) == 0)
        return KIFU_OK;
    const uint32_t least = expected->size < actual->size ? expected->size : actual->size;
    if (kifu__describe_blobs(rules->types[event->type].table, expected->bytes, actual->bytes, least,
                             played->difference))
        return kifu__differs(played, event, "its field");
    return kifu__differs_in_number(played, event, "the size or content of its strings, vectors or tables",
                                   expected->size, actual->size);
}

kifu_result kifu__compare_event(kifu__played_again *played, const kifu_event *expected, const kifu__segment *segment,
                                uint32_t slot)
{
    kifu_event actual;
    kifu_event_at(played->again, expected->index, &actual);
    if (expected->type != actual.type)
        return kifu__differs_in_words(played, expected, "its type", expected->name, actual.name);
    if (expected->player != actual.player)
        return kifu__differs_in_number(played, expected, "its player", expected->player, actual.player);
    if (expected->cause != actual.cause)
        return kifu__differs_in_number(played, expected, "the number of its cause", expected->cause, actual.cause);
    return compare_fields(played, expected, segment, slot);
}

void kifu__played_again_free(kifu__played_again *played)
{
    kifu__free(&played->timeline->memory, played->expected.bytes);
    kifu__free(&played->timeline->memory, played->actual.bytes);
    kifu_destroy(played->again);
}
