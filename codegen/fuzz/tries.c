// Events that are tried and taken back: each must give what playing it gives, and leave nothing behind.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { MOST_DEPTH = 3 };

static kifu_timeline *copy_of(fuzz *fuzz, const kifu_timeline *timeline)
{
    kifu_timeline *copy;
    kifu_error error;
    const kifu_options options = kifu_fuzz__options(fuzz);
    if (kifu_fork(timeline, KIFU_PRESENT, &options, &copy, &error))
        kifu_fuzz__fail(fuzz, "a fork that failed", "kifu_fork: %s", error.message);
    kifu_fuzz__prepare(fuzz, copy);
    return copy;
}

// An input: a move that the game lists, an event of a type, or, if that is 0, what the hook submits.
typedef struct choice {
    const kifu_move *move;
    uint32_t type;
} choice;

// The same input, as often as `rng` is the same.
static void submit(fuzz *fuzz, kifu_timeline *timeline, kifu_rng rng, choice choice)
{
    bool valid = true;
    fuzz->rng = rng;
    const uint32_t type = choice.type;
    const int player = kifu_current_player(kifu_get_game(timeline));
    if (choice.move)
        kifu_submit_move(timeline, choice.move);
    else if (!type)
        fuzz->hooks.input(timeline, &fuzz->rng);
    else
        kifu_fuzz__submit_random(fuzz, timeline, type, fuzz->rules->types[type].is_player ? player : -1, &valid);
}

static uint32_t choose_type(fuzz *fuzz)
{
    if (fuzz->hooks.input && !kifu_fuzz__one_in(fuzz, 3))
        return 0;
    for (uint32_t tries = 0; tries < 60; tries++) {
        const uint32_t type = 1 + kifu_fuzz__below(fuzz, fuzz->rules->type_count);
        const kifu__type *described = &fuzz->rules->types[type];
        if (described->superseded_by || (!described->is_player && fuzz->hooks.trusted_engine))
            continue;
        if (described->is_player || kifu_fuzz__one_in(fuzz, 4))
            return type;
    }
    return 1; // kifu.EResetGame, in most games
}

// Where no try is open, and the game lists moves, it may be one of these.
static choice choose(fuzz *fuzz, kifu_timeline *timeline, uint32_t depth, kifu_moves *moves)
{
    const int player = kifu_current_player(kifu_get_game(timeline));
    choice choice = {.type = choose_type(fuzz)};
    if (depth || !fuzz->rules->list || kifu_fuzz__one_in(fuzz, 2))
        return choice;
    const kifu_result result = kifu_list_moves(timeline, player, moves);
    if (result)
        kifu_fuzz__fail(fuzz, "the moves were not listed", "kifu_list_moves of player %d: %s", player,
                        kifu_last_error(timeline)->message);
    if (moves->count)
        choice.move = &moves->items[kifu_fuzz__below(fuzz, moves->count)];
    return choice;
}

// What has happened since event `from` must be the same.
static void compare(fuzz *fuzz, kifu_timeline *tried, kifu_timeline *played, uint32_t from)
{
    char text[300];
    const uint32_t count = kifu_event_count(played), size = fuzz->rules->state_size;
    if (kifu_event_count(tried) != count || kifu_pending_count(tried) != kifu_pending_count(played))
        kifu_fuzz__fail(fuzz, "a try of other events", "there are %" PRIu32 " events, and %" PRIu32 " in play",
                        kifu_event_count(tried), count);
    for (uint32_t i = from; i < count; i++) {
        kifu_event one, other;
        const bool there = kifu_event_at(tried, i, &one) && kifu_event_at(played, i, &other);
        if (there && fuzz->rules->hiding) // What an event shows is only found where it is played.
            one.flags |= other.flags & KIFU_REVEALS;
        if (!there || kifu_fuzz__digest(fuzz->rules, &one, 0, NULL) != kifu_fuzz__digest(fuzz->rules, &other, 0, NULL))
            kifu_fuzz__fail(fuzz, "a try of other events", "event %" PRIu32 " is another one than in play", i);
    }
    if (memcmp(kifu_state(tried), kifu_state(played), size) != 0) {
        kifu_fuzz__difference(fuzz->rules, kifu_state(tried), kifu_state(played), text, sizeof text);
        kifu_fuzz__fail(fuzz, "the state in a try", "the state is not what playing gives: %s", text);
    }
    unsigned char *states = malloc(2 * (size_t)size);
    if (!states)
        abort();
    const uint32_t past = count - kifu_fuzz__below(fuzz, count - from + 2 > count ? count : count - from + 2);
    if (kifu_state_at(tried, past, states, size) || kifu_state_at(played, past, states + size, size) ||
        memcmp(states, states + size, size) != 0)
        kifu_fuzz__fail(fuzz, "the past in a try", "kifu_state_at %" PRIu32 " of %" PRIu32 " events is not as in play",
                        past, count);
    free(states);
}

// Nothing else may happen.
static void meddle(fuzz *fuzz, kifu_timeline *timeline)
{
    kifu_result result;
    switch (kifu_fuzz__below(fuzz, 5)) {
    case 0:
        result = kifu_run(timeline);
        break;
    case 1:
        result = kifu_undo(timeline);
        break;
    case 2:
        result = kifu_begin(timeline, KIFU_SEARCH);
        break;
    case 3:
        result = kifu_seek(timeline, 0);
        break;
    default:
        result = kifu_update(timeline, 1);
    }
    if (result != KIFU_MISUSE)
        kifu_fuzz__fail(fuzz, "something happened in a try", "a call while a try was open: %s",
                        kifu_result_text(result));
}

// What was submitted last, if it has no references; NULL: it has some, or nothing waits.
static unsigned char *flat_of(fuzz *fuzz, const kifu_timeline *timeline, kifu_event *event)
{
    const uint32_t waiting = kifu_pending_count(timeline);
    if (!waiting || !kifu_pending_at(timeline, waiting - 1, event))
        return NULL;
    const kifu__table *table = fuzz->rules->types[event->type].table;
    unsigned char *copy = table->flat ? malloc(table->size) : NULL;
    if (copy)
        memcpy(copy, event->table, table->size);
    return copy;
}

// As the generated functions do it: an event without references in one call.
static kifu_result try_input(fuzz *fuzz, kifu_timeline *timeline, kifu_rng rng, choice choice, const kifu_event *event,
                             const void *flat)
{
    if (flat)
        return kifu__try(timeline, event->type, event->player, flat, fuzz->rules->types[event->type].table->size,
                         false);
    if (!kifu__try_open(timeline))
        return kifu_last_error(timeline)->result;
    submit(fuzz, timeline, rng, choice);
    return kifu__try_run(timeline, false);
}

// By one call, as the generated functions do it, or by two.
static kifu_result play_input(fuzz *fuzz, kifu_timeline *timeline, kifu_rng rng, choice choice, const kifu_event *event,
                              const void *flat)
{
    if (flat && rng.state >> 40 & 1)
        return kifu__play(timeline, event->type, event->player, flat, fuzz->rules->types[event->type].table->size);
    submit(fuzz, timeline, rng, choice);
    return kifu_run(timeline);
}

static void try_one(fuzz *fuzz, kifu_timeline *timeline, kifu_timeline *parent, uint32_t depth)
{
    kifu_moves moves = {0};
    const uint32_t before = kifu_event_count(timeline);
    const choice choice = choose(fuzz, timeline, depth, &moves);
    const kifu_rng rng = fuzz->rng;
    const uint64_t state = kifu_state_hash(timeline);
    kifu_timeline *played = parent ? copy_of(fuzz, parent) : NULL;
    if (!kifu__can_open(timeline))
        kifu_fuzz__fail(fuzz, "no question", "kifu__can_open: %s", kifu_last_error(timeline)->message);
    kifu_event event;
    submit(fuzz, timeline, rng, choice);
    const bool nothing = !kifu_pending_count(timeline);
    unsigned char *flat = flat_of(fuzz, timeline, &event);
    bool can = kifu__can_ask(timeline);
    const kifu_rng after = fuzz->rng;
    if (flat && kifu__can(timeline, event.type, event.player, flat, fuzz->rules->types[event.type].table->size) != can)
        kifu_fuzz__fail(fuzz, "two answers", "the same question had another answer before: %s",
                        kifu_last_error(timeline)->message);
    const kifu_result result = try_input(fuzz, timeline, rng, choice, &event, flat);
    const char *name = choice.move ? "listed" : choice.type ? fuzz->rules->types[choice.type].table->name : "likely";
    kifu_fuzz__trace(fuzz, " %s: %s;", name, kifu_result_text(result));
    if (!result && !can && !nothing)
        kifu_fuzz__fail(fuzz, "an illegal move that is legal", "it could be tried, but may not be played: %s",
                        kifu_last_error(timeline)->message);
    if (played) {
        const kifu_result expected = play_input(fuzz, played, rng, choice, &event, flat);
        if (result != expected)
            kifu_fuzz__fail(fuzz, "what came of a try", "it was: %s; in play: %s (%s)", kifu_result_text(result),
                            kifu_result_text(expected), kifu_last_error(played)->message);
        if (!result)
            compare(fuzz, timeline, played, before);
    }
    free(flat);
    kifu_free_moves(&moves);
    fuzz->rng = after;
    if (!result) {
        if (kifu_fuzz__one_in(fuzz, 4))
            meddle(fuzz, timeline);
        for (uint32_t tries = kifu_fuzz__below(fuzz, 3); depth + 1 < MOST_DEPTH && tries > 0; tries--)
            try_one(fuzz, timeline, played, depth + 1);
        if (kifu_take_back(timeline))
            kifu_fuzz__fail(fuzz, "not taken back", "kifu_take_back: %s", kifu_last_error(timeline)->message);
    }
    if (kifu_open_tries(timeline) != depth || kifu_event_count(timeline) != before ||
        kifu_state_hash(timeline) != state)
        kifu_fuzz__fail(fuzz, "a try that left something", "%s: the state or the number of events is another",
                        result ? "it did not happen" : "it was taken back");
    kifu_destroy(played);
}

static size_t size_of_save(fuzz *fuzz)
{
    unsigned char *bytes;
    size_t size;
    if (kifu_open_transactions(fuzz->table.timeline))
        return 0;
    if (kifu_save_to_memory(fuzz->table.timeline, NULL, &bytes, &size))
        kifu_fuzz__fail(fuzz, "no save", "kifu_save_to_memory: %s", kifu_last_error(fuzz->table.timeline)->message);
    kifu_free_bytes(fuzz->table.timeline, bytes);
    return size;
}

void kifu_fuzz__try(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    if (fuzz->table.options.reset)
        return;
    const fuzz_moment before = kifu_fuzz__look(fuzz, timeline, false);
    const bool comparable = !before.pending && !kifu_open_transactions(timeline);
    const size_t size = size_of_save(fuzz);
    kifu_timeline *copy = comparable ? copy_of(fuzz, timeline) : NULL;
    for (uint32_t tries = 1 + kifu_fuzz__below(fuzz, 4); tries > 0; tries--)
        try_one(fuzz, timeline, copy, 0);
    kifu_destroy(copy);
    if (size_of_save(fuzz) != size)
        kifu_fuzz__fail(fuzz, "a try that left something", "a save has %zu bytes, and had %zu", size_of_save(fuzz),
                        size);
    kifu_fuzz__same(fuzz, "tried and taken back", kifu_fuzz__look(fuzz, timeline, true), before, FUZZ_SAME, NULL, NULL);
}

kifu_result kifu_fuzz__try_starving(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    kifu_result result = KIFU_OK;
    uint32_t open = 0;
    const choice choice = {.type = choose_type(fuzz)};
    for (; open < MOST_DEPTH && kifu__try_open(timeline); open++) {
        submit(fuzz, timeline, fuzz->rng, choice);
        result = kifu__try_run(timeline, false);
        if (result)
            break;
    }
    while (open-- && !kifu_take_back(timeline))
        ;
    return result == KIFU_NO_MEMORY ? result : KIFU_OK; // What else the event may come to.
}
