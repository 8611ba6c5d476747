// Two games: events, then states, then what waits.

#include "text/compare.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "text/print.h"
#include "wire/buffer.h"

typedef struct comparing {
    const kifu__compared_game *a, *b;
    kifu_comparison *found;
    const char *advice;
} comparing;

static const char *name_of_event(const kifu_timeline *timeline, uint32_t event)
{
    return event < timeline->log.branch->end ? kifu__name_of(timeline, event) : NULL;
}

// --- What is said ----------------------------------------------------------------------------------------------------

static void put_difference(kifu_comparison *found, const char *format, ...) KIFU__PRINTF(2, 3);

// What does not fit is cut off.
static void put_difference(kifu_comparison *found, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(found->message, sizeof found->message, format, arguments);
    va_end(arguments);
}

static void say(kifu_comparison *found, kifu_compared what, uint32_t event, const char *name)
{
    found->what = what;
    found->event = found->first = event;
    found->name = name;
}

static void say_event(comparing *comparing, uint32_t event)
{
    kifu_comparison *found = comparing->found;
    say(found, KIFU_EVENTS_DIFFER, event, name_of_event(comparing->a->timeline, event));
    put_difference(found,
                   "event %" PRIu32
                   ", %s, differs: %s is %s in the one game and %s in the other; all events before it are "
                   "equal",
                   event, found->name, found->field, found->a, found->b);
}

static void say_missing(comparing *comparing, uint32_t event)
{
    kifu_comparison *found = comparing->found;
    const bool a_ends = kifu_event_count(comparing->a->timeline) <= event;
    const kifu_timeline *longer = (a_ends ? comparing->b : comparing->a)->timeline;
    say(found, KIFU_EVENT_MISSING, event, name_of_event(longer, event));
    kifu__differ(found, "", a_ends ? "absent" : found->name, a_ends ? found->name : "absent");
    put_difference(found,
                   "the %s game ends after %" PRIu32 " events, and the other goes on with event %" PRIu32
                   ", %s; up to there, both are equal",
                   a_ends ? "first" : "second", event, event, found->name);
}

static void tell_events(const kifu_timeline *timeline, char *text, size_t size)
{
    const uint32_t count = kifu_event_count(timeline), begin = timeline->log.begin;
    const int used = snprintf(text, size, "%" PRIu32 " event%s", count, count == 1 ? "" : "s");
    if (begin)
        snprintf(text + used, size - (size_t)used, ", of which the first %" PRIu32 " are forgotten", begin);
}

// Where the one game begins, the other has ended.
static void say_apart(comparing *comparing)
{
    kifu_comparison *found = comparing->found;
    char a[sizeof found->a], b[sizeof found->b];
    tell_events(comparing->a->timeline, a, sizeof a);
    tell_events(comparing->b->timeline, b, sizeof b);
    say(found, KIFU_EVENT_MISSING, KIFU_NONE, NULL);
    kifu__differ(found, "", a, b);
    put_difference(
        found, "the first game has %s; the second game has %s: nothing could be compared, because no event is in both",
        a, b);
}

// `first` to `event`: after one of these. A field was found, or `field` is "".
static void say_states(comparing *comparing, uint32_t first, uint32_t event, bool exact)
{
    kifu_comparison *found = comparing->found;
    char field[500] = "", events[200] = "before the first event";
    say(found, KIFU_STATES_DIFFER, event, event == KIFU_NONE ? NULL : name_of_event(comparing->a->timeline, event));
    found->first = first;
    if (found->field[0])
        snprintf(field, sizeof field, ": %s is %s in the one game and %s in the other", found->field, found->a,
                 found->b);
    if (event != KIFU_NONE && first == event)
        snprintf(events, sizeof events, "after event %" PRIu32 ", %s", event, found->name);
    else if (event != KIFU_NONE)
        snprintf(events, sizeof events, "after one of the events %" PRIu32 " to %" PRIu32, first, event);
    put_difference(found, "the events are equal, and lead to different states %s%s%s%s", events, field,
                   exact || first == event ? "" : "; ", exact || first == event ? "" : comparing->advice);
}

// --- Events ----------------------------------------------------------------------------------------------------------

static bool same_integers(kifu_comparison *found, const char *field, int64_t a, int64_t b, int64_t none)
{
    char one[24] = "absent", other[24] = "absent";
    if (a == b)
        return true;
    if (a != none)
        snprintf(one, sizeof one, "%" PRId64, a);
    if (b != none)
        snprintf(other, sizeof other, "%" PRId64, b);
    return kifu__differ(found, field, one, other);
}

bool kifu__equal_events(const kifu_timeline *a, const kifu_event *one, const kifu_timeline *b, const kifu_event *other,
                        kifu_comparison *found)
{
    const kifu__table *type_a = a->rules->types[one->type].table, *type_b = b->rules->types[other->type].table;
    if (strcmp(type_a->name, type_b->name) != 0)
        return kifu__differ(found, "type", type_a->name, type_b->name);
    return same_integers(found, "player", one->player, other->player, -1) &&
           same_integers(found, "cause", one->cause, other->cause, KIFU_NONE) &&
           kifu__same_tables(type_a, (const unsigned char *)one->table, type_b, (const unsigned char *)other->table,
                             found) &&
           kifu__same_flags(one->flags, other->flags, found);
}

static kifu_event logged(const kifu_timeline *timeline, uint32_t index)
{
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, index);
    return kifu__event_in(timeline, segment, index - segment->first);
}

static bool same_events_of_path(const comparing *comparing, uint32_t index)
{
    const kifu_timeline *a = comparing->a->timeline, *b = comparing->b->timeline;
    const kifu_event one = logged(a, index), other = logged(b, index);
    return kifu__equal_events(a, &one, b, &other, comparing->found);
}

// The first of the events from `from` on, below `end`, that differs; or `end`.
static uint32_t find_event(const comparing *comparing, uint32_t from, uint32_t end)
{
    while (from < end && same_events_of_path(comparing, from))
        from++;
    return from;
}

// --- States ----------------------------------------------------------------------------------------------------------

static bool are_one_version(const comparing *comparing)
{
    const kifu_rules *a = comparing->a->timeline->rules, *b = comparing->b->timeline->rules;
    return a == b || (a->fingerprint == b->fingerprint && a->rules_version == b->rules_version);
}

// The first place up to `end` events where both have a hash, and these differ. `*same`: the last place before it where
// they agree. False: there is none.
static bool find_differing_hash(const comparing *comparing, uint32_t end, uint32_t *same, uint32_t *differing)
{
    const kifu_timeline *a = comparing->a->timeline, *b = comparing->b->timeline;
    const kifu__checkpoint *one = kifu__next_checkpoint(a->log.branch, 0),
                           *other = kifu__next_checkpoint(b->log.branch, 0);
    while (one && other) {
        if (one->event_count > end || other->event_count > end)
            return false;
        if (one->event_count == other->event_count && one->hash != other->hash) {
            *differing = one->event_count;
            return true;
        }
        if (one->event_count == other->event_count)
            *same = one->event_count;
        const bool next_a = one->event_count <= other->event_count, next_b = other->event_count <= one->event_count;
        one = next_a ? kifu__next_checkpoint(a->log.branch, one->event_count) : one;
        other = next_b ? kifu__next_checkpoint(b->log.branch, other->event_count) : other;
    }
    return false;
}

// Goes the way again, from where the states agree. KIFU_OK: `*found` is the first number of events after which the
// states, of `size` bytes, differ, or 0: they do not.
static kifu_result go_again(const comparing *comparing, unsigned char *room, size_t size, uint32_t same, uint32_t end,
                            uint32_t *found)
{
    kifu_result result = KIFU_OK;
    *found = 0;
    for (uint32_t count = same + 1; count <= end && !result && !*found; count++) {
        result = kifu_state_at(comparing->a->timeline, count, room, size);
        if (!result)
            result = kifu_state_at(comparing->b->timeline, count, room + size, size);
        if (!result && memcmp(room, room + size, size) != 0)
            *found = count;
    }
    return result;
}

static void tell_fields(const comparing *comparing, const unsigned char *a, const unsigned char *b)
{
    comparing->found->field[0] = 0;
    kifu__same_structs(comparing->a->timeline->rules->state, a, comparing->b->timeline->rules->state, b,
                       comparing->found);
}

// The states agree after `same` events, and after `end` they do not. The past is what both remember of it, or what Do
// makes of the events now; where that shows no difference, the hashes are all that there is.
static kifu_result report_states(comparing *comparing, uint32_t same, uint32_t end)
{
    const kifu_timeline *a = comparing->a->timeline, *b = comparing->b->timeline;
    const uint32_t size = a->rules->state_size;
    const bool executes = comparing->a->executes && comparing->b->executes && a->rules == b->rules &&
                          !a->options.reset && !b->options.reset;
    unsigned char *room = executes ? (unsigned char *)kifu__new(&a->memory, 2 * (size_t)size) : NULL;
    uint32_t found = 0;
    kifu_result result = KIFU_OK;
    if (executes && !room)
        return KIFU_NO_MEMORY;
    if (room)
        result = go_again(comparing, room, size, same, end, &found);
    if (found) {
        tell_fields(comparing, room, room + size);
        say_states(comparing, found - 1, found - 1, true);
    } else if (result != KIFU_NO_MEMORY) {
        result = KIFU_OK;
        if (comparing->a->state && comparing->b->state && kifu_event_count(a) == kifu_event_count(b))
            tell_fields(comparing, comparing->a->state, comparing->b->state);
        say_states(comparing, same, end ? end - 1 : KIFU_NONE, false);
    }
    kifu__free(&a->memory, room);
    return result;
}

// After all events, of which both have the same.
static bool ends_differ(const comparing *comparing)
{
    const kifu__compared_game *a = comparing->a, *b = comparing->b;
    if (are_one_version(comparing) && a->has_hash && b->has_hash)
        return a->hash != b->hash;
    if (!a->state || !b->state)
        return false;
    const bool same =
        kifu__same_structs(a->timeline->rules->state, a->state, b->timeline->rules->state, b->state, comparing->found);
    comparing->found->field[0] = 0;
    return !same;
}

// --- What waits ------------------------------------------------------------------------------------------------------

static bool waiting_differs(comparing *comparing, const char *field, uint32_t index, const char *a, const char *b)
{
    kifu_comparison *found = comparing->found;
    char path[sizeof found->field];
    if (a)
        kifu__differ(found, "", a, b);
    snprintf(path, sizeof path, "%s[%" PRIu32 "]%s%.150s", field, index, found->field[0] ? "." : "", found->field);
    memcpy(found->field, path, sizeof path);
    say(found, KIFU_WAITING_DIFFERS, KIFU_NONE, NULL);
    put_difference(
        found,
        "what has happened is equal; what waits, or what redo would bring back, differs: %s is %s in the one game "
        "and %s in the other",
        found->field, found->a, found->b);
    return false;
}

static bool same_proposals(comparing *comparing, kifu__proposal *a, kifu__proposal *b)
{
    const kifu__table *type_a = comparing->a->timeline->rules->types[a->type].table;
    const kifu__table *type_b = comparing->b->timeline->rules->types[b->type].table;
    kifu_comparison *found = comparing->found;
    if (strcmp(type_a->name, type_b->name) != 0)
        return kifu__differ(found, "type", type_a->name, type_b->name);
    return same_integers(found, "player", a->player, b->player, -1) &&
           same_integers(found, "cause", a->cause, b->cause, KIFU_NONE) &&
           kifu__same_tables(type_a, kifu__proposal_blob(a), type_b, kifu__proposal_blob(b), found) &&
           kifu__same_flags(a->flags, b->flags, found);
}

static bool same_queues(comparing *comparing, const char *name, const kifu__queue *a, const kifu__queue *b)
{
    kifu__proposal *one = kifu__queue_first(a), *other = kifu__queue_first(b);
    uint32_t index = 0;
    for (; one && other; index++) {
        if (!same_proposals(comparing, one, other))
            return waiting_differs(comparing, name, index, NULL, NULL);
        one = kifu__queue_next(a, one);
        other = kifu__queue_next(b, other);
    }
    if (!one && !other)
        return true;
    const kifu_rules *rules_a = comparing->a->timeline->rules, *rules_b = comparing->b->timeline->rules;
    return waiting_differs(comparing, name, index, one ? rules_a->types[one->type].table->name : "absent",
                           other ? rules_b->types[other->type].table->name : "absent");
}

static kifu__queue actions_to_compare(const kifu_timeline *timeline, const kifu__kept *kept)
{
    static const kifu__queue none = {.count = 0};
    const kifu__turn_rules *turns = timeline->rules->turns;
    return turns && turns->actors ? turns->timed->actions(timeline, kept) : none;
}

static bool same_waiting(comparing *comparing)
{
    const kifu_timeline *a = comparing->a->timeline, *b = comparing->b->timeline;
    const kifu__queue actions_a = actions_to_compare(a, NULL), actions_b = actions_to_compare(b, NULL);
    return same_queues(comparing, "consequences", &a->consequences, &b->consequences) &&
           same_queues(comparing, "inputs", &a->inputs, &b->inputs) &&
           same_queues(comparing, "actions", &actions_a, &actions_b);
}

// What waits by its place, from the last place on.
static bool same_kept(comparing *comparing)
{
    const kifu_timeline *a = comparing->a->timeline, *b = comparing->b->timeline;
    kifu__kept_at at = kifu__kept_along(a->log.branch, KIFU_NONE, a->log.keeps_from),
                  at_other = kifu__kept_along(b->log.branch, KIFU_NONE, b->log.keeps_from);
    for (uint32_t i = 0; at.kept || at_other.kept; i++) {
        const kifu__kept *one = at.kept, *other = at_other.kept;
        const int64_t place = one ? (int64_t)one->executed : -1, other_place = other ? (int64_t)other->executed : -1;
        if (!same_integers(comparing->found, "executed", place, other_place, -1))
            return waiting_differs(comparing, "kept", i, NULL, NULL);
        const kifu__queue actions_a = actions_to_compare(a, one), actions_b = actions_to_compare(b, other);
        if (!same_queues(comparing, "kept.consequences", &one->consequences, &other->consequences) ||
            !same_queues(comparing, "kept.inputs", &one->inputs, &other->inputs) ||
            !same_queues(comparing, "kept.actions", &actions_a, &actions_b))
            return false;
        kifu__kept_before(&at);
        kifu__kept_before(&at_other);
    }
    return true;
}

// What redo would bring back.
static bool same_undone(comparing *comparing)
{
    const kifu_timeline *a = comparing->a->timeline, *b = comparing->b->timeline;
    const uint32_t all = a->log.branch->end < b->log.branch->end ? a->log.branch->end : b->log.branch->end;
    const uint32_t event = find_event(comparing, kifu_event_count(a), all);
    if (event < all)
        return waiting_differs(comparing, "undone", event, NULL, NULL);
    if (a->log.branch->end != b->log.branch->end) {
        const char *name_a = name_of_event(a, event), *name_b = name_of_event(b, event);
        return waiting_differs(comparing, "undone", event, name_a ? name_a : "absent", name_b ? name_b : "absent");
    }
    return same_kept(comparing);
}

// --- All of it -------------------------------------------------------------------------------------------------------

kifu_result kifu__compare(const kifu__compared_game *a, const kifu__compared_game *b, const char *advice,
                          kifu_comparison *comparison)
{
    comparing comparing = {.a = a, .b = b, .found = comparison, .advice = advice};
    const uint32_t count_a = kifu_event_count(a->timeline), count_b = kifu_event_count(b->timeline);
    const uint32_t both = count_a < count_b ? count_a : count_b;
    const uint32_t begin_a = a->timeline->log.begin, begin_b = b->timeline->log.begin;
    uint32_t same = 0, differing = 0;
    *comparison = (kifu_comparison){.event = KIFU_NONE, .first = KIFU_NONE};
    const uint32_t begin = begin_a > begin_b ? begin_a : begin_b;
    const uint32_t event = find_event(&comparing, begin, both);
    if (are_one_version(&comparing) && find_differing_hash(&comparing, event, &same, &differing))
        return report_states(&comparing, same, differing);
    if (event < both)
        say_event(&comparing, event);
    else if (begin && begin >= both && count_a != count_b)
        say_apart(&comparing);
    else if (count_a != count_b)
        say_missing(&comparing, event);
    else if (ends_differ(&comparing))
        return report_states(&comparing, same, both);
    else if (same_waiting(&comparing) && same_undone(&comparing))
        put_difference(comparison, "the games are equal");
    return KIFU_OK;
}

kifu_result kifu__require_comparable(kifu_timeline *timeline, const char *call)
{
    kifu_result result = kifu__require_idle(timeline, call);
    return result ? result : kifu__require_present(timeline, call);
}

static kifu__compared_game game_of(kifu_timeline *timeline)
{
    const bool inside = !timeline->options.reset;
    return (kifu__compared_game){
        .timeline = timeline,
        .state = inside ? timeline->core.state : NULL,
        .has_hash = inside,
        .hash = inside ? kifu_state_hash(timeline) : 0,
        .executes = inside,
    };
}

kifu_result kifu_compare(kifu_timeline *a, kifu_timeline *b, kifu_comparison *comparison)
{
    static const char advice[] =
        "to find which, let both record a hash after each event (kifu_options.hash_interval = 1), and compare again; a "
        "Do function depends on something besides the state and its event";
    kifu_result result = kifu__require_comparable(a, "kifu_compare");
    if (!result)
        result = kifu__require_comparable(b, "kifu_compare");
    if (result)
        return result;
    const kifu__compared_game one = game_of(a), other = game_of(b);
    result = kifu__compare(&one, &other, advice, comparison);
    return result ? kifu__error(&a->error, result, "%s while two games were compared", kifu_result_text(result))
                  : KIFU_OK;
}
