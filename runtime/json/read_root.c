// The state with which a game begins, out of JSON.

#include <inttypes.h>

#include "save/reader.h"
#include "json/read_game.h"
#include "wire/buffer.h"

static bool read_root_state(kifu__reading *reading, const cJSON *root, uint32_t events)
{
    kifu_timeline *timeline = reading->timeline;
    const kifu_rules *rules = timeline->rules;
    const cJSON *said = kifu__json_member(root, "state");
    const size_t room = kifu__state_room(rules);
    unsigned char *state = (unsigned char *)kifu__new(&timeline->memory, room);
    if (!state)
        return kifu__json_made(&reading->reader, KIFU_NO_MEMORY);
    memset(state, 0, room);
    bool well = said ? kifu__json_struct(&reading->reader, said, rules->state, state)
                     : kifu__json_fail(&reading->reader, root, "there is no \"state\"");
    if (well && !kifu__state_holds(rules, state, 0, rules->state_size))
        well = kifu__json_fail(&reading->reader, said, "this state has a value that it cannot have");
    if (well)
        kifu__begin_at_root(timeline, events, state);
    else
        kifu__free(&timeline->memory, state);
    return well;
}

// One of the events before, as the only one of a log.
static bool read_timed_event(kifu__reading *reading, const cJSON *object, uint32_t root, int64_t *before)
{
    kifu_timeline *timeline = reading->timeline;
    const kifu__turn_rules *turns = timeline->rules->turns;
    kifu__branch *const branch = timeline->log.branch;
    const uint32_t begin = timeline->log.begin;
    kifu__timed_events *timed = &reading->timed;
    const cJSON *said = kifu__json_member(object, "number");
    uint32_t version = timeline->rules->rules_version;
    int64_t number;
    if (!said)
        return kifu__json_fail(&reading->reader, object, "there is no \"number\"");
    if (!kifu__json_number(&reading->reader, said, *before + 1, (int64_t)root - 1, &number))
        return false;
    *before = number;
    kifu__branch alone = {.from = (uint32_t)number, .end = (uint32_t)number};
    timeline->log.begin = (uint32_t)number;
    kifu__log_enter(&timeline->log, &alone);
    bool well = kifu__read_event(reading, object, &version);
    const kifu__segment *segment = alone.segments;
    if (well && (!turns || !turns->timers || segment->types[0] != turns->schedule || segment->marks[0].cause))
        well = kifu__json_fail(&reading->reader, object, "no timer can refer to this event");
    if (well) {
        kifu__log_show(&timeline->log);
        well = !kifu__single_event(timeline, segment, 0, &timed->segments[timed->count]) ||
               kifu__json_made(&reading->reader, KIFU_NO_MEMORY);
        timed->count += well;
    }
    kifu__branch_free_events(&timeline->log, &alone);
    kifu__log_enter(&timeline->log, branch);
    timeline->log.begin = begin;
    return well;
}

bool kifu__read_root(kifu__reading *reading)
{
    static const char *const names[] = {"events", "state", "timed"};
    const cJSON *root = kifu__json_member(reading->reader.root, "root"), *all = kifu__json_member(root, "timed");
    int64_t events, before = -1;
    if (!root)
        return true;
    if (!kifu__json_members(&reading->reader, root, "the root", names, sizeof names / sizeof *names))
        return false;
    if (!kifu__json_member(root, "events"))
        return kifu__json_fail(&reading->reader, root, "there is no \"events\": how many are forgotten");
    if (!kifu__json_number(&reading->reader, kifu__json_member(root, "events"), 1, KIFU_NONE - 2 * KIFU__MOST_SLOTS,
                           &events) ||
        !read_root_state(reading, root, (uint32_t)events))
        return false;
    if (all && !cJSON_IsArray(all))
        return kifu__json_fail(&reading->reader, all, "\"timed\" is an array");
    const int count = all ? cJSON_GetArraySize(all) : 0;
    kifu__timed_events *timed = &reading->timed;
    timed->segments = (kifu__segment *)kifu__grow(&reading->timeline->memory, NULL, &timed->capacity,
                                                  (uint64_t)count + 1, sizeof *timed->segments);
    if (!timed->segments)
        return kifu__json_made(&reading->reader, KIFU_NO_MEMORY);
    bool well = true;
    for (const cJSON *each = all ? all->child : NULL; each && well; each = each->next)
        well = read_timed_event(reading, each, (uint32_t)events, &before);
    return well;
}

bool kifu__end_root(kifu__reading *reading)
{
    kifu_timeline *timeline = reading->timeline;
    kifu__timed_events *timed = &reading->timed;
    const uint32_t count = kifu__owner(timeline->log.branch, 0, NULL)->segment_count;
    if (!timed->count)
        return true;
    kifu__segment *segments = (kifu__segment *)kifu__grow(&timeline->memory, timed->segments, &timed->capacity,
                                                          (uint64_t)timed->count + count, sizeof *segments);
    if (!segments)
        return kifu__json_made(&reading->reader, KIFU_NO_MEMORY);
    timed->segments = segments;
    kifu__put_in_front(timeline, timed, 0);
    *timed = (kifu__timed_events){.count = 0};
    return true;
}
