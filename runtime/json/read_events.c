// Events out of JSON, and what waits.

#include "json/read_game.h"

#include <inttypes.h>

#include "core/timeline.h"

typedef kifu__reading reading;

// --- Events ----------------------------------------------------------------------------------------------------------

static bool find_type(reading *reading, const cJSON *object, uint32_t *type)
{
    const kifu_rules *rules = reading->timeline->rules;
    const cJSON *said = kifu__json_member(object, "type");
    const char *name = cJSON_GetStringValue(said);
    for (uint32_t id = 1; id <= rules->type_count && name; id++) {
        if (!strcmp(rules->types[id].table->name, name)) {
            *type = id;
            return true;
        }
    }
    return kifu__json_fail(&reading->reader, said ? said : object, "%s%.100s%s is no event of %.100s",
                           name ? "'" : "an object without a \"type\"", name ? name : "", name ? "'" : "",
                           rules->union_name);
}

// Player and flags, of which those in `most` are allowed; a type's own where none are given.
static bool read_mark(reading *reading, const cJSON *object, uint32_t type, uint8_t most, int8_t *player,
                      uint8_t *flags)
{
    const cJSON *said = kifu__json_member(object, "player"), *names = kifu__json_member(object, "flags");
    int64_t number = -1;
    *flags = reading->timeline->rules->types[type].flags;
    if (said && !kifu__json_number(&reading->reader, said, -1, INT8_MAX, &number))
        return false;
    *player = (int8_t)number;
    if (names && !kifu__json_scalar(&reading->reader, names, KIFU__U8, &kifu__mark_flags, flags))
        return false;
    return !(*flags & ~most) || kifu__json_fail(&reading->reader, names, "these flags are not allowed here");
}

// The event of the object becomes the blob.
static bool read_blob(reading *reading, const cJSON *object, uint32_t type)
{
    const kifu__table *table = reading->timeline->rules->types[type].table;
    const cJSON *fields = kifu__json_member(object, "fields");
    kifu_error error;
    if (!kifu__json_table(&reading->reader, fields, table, &reading->blob))
        return false;
    if (!kifu__check_proposal(table, reading->blob.bytes, &error))
        return true;
    const char *reason = strstr(error.message, "field, ");
    return kifu__json_fail(&reading->reader, fields ? fields : object, "%.300s", reason ? reason + 7 : error.message);
}

static bool read_cause(reading *reading, const cJSON *object, uint32_t before, uint32_t *cause)
{
    const cJSON *said = kifu__json_member(object, "cause");
    int64_t number;
    *cause = KIFU_NONE;
    if (!said)
        return true;
    if (!before)
        return kifu__json_fail(&reading->reader, said, "there is no event before that could be the cause");
    const int64_t least = before > UINT16_MAX ? (int64_t)before - UINT16_MAX : 0;
    if (!kifu__json_number(&reading->reader, said, least, (int64_t)before - 1, &number))
        return false;
    *cause = (uint32_t)number;
    return true;
}

bool kifu__read_event(reading *reading, const cJSON *object, uint32_t *version)
{
    static const char *const names[] = {"number", "type", "player", "cause", "flags", "rules_version", "fields"};
    kifu__json_reader *reader = &reading->reader;
    kifu__log *log = &reading->timeline->log;
    const cJSON *number = kifu__json_member(object, "number"), *other = kifu__json_member(object, "rules_version");
    const uint32_t index = log->branch->end;
    uint32_t type, cause;
    kifu__mark mark = {0};
    int64_t its = reading->timeline->rules->rules_version;
    const void *table;
    if (!kifu__json_members(reader, object, "an event", names, sizeof names / sizeof *names) ||
        !find_type(reading, object, &type) || !read_cause(reading, object, index, &cause) ||
        !read_mark(reading, object, type, kifu__mark_flags.mask & (uint8_t)~KIFU__CONSEQUENCE, &mark.player,
                   &mark.flags) ||
        (other && !kifu__json_number(reader, other, 0, UINT32_MAX, &its)))
        return false;
    if (number && !(cJSON_IsNumber(number) && number->valuedouble == index))
        return kifu__json_fail(reader, number,
                               "this is event number %" PRIu32 "; correct the numbers, or leave them out", index);
    if (!read_blob(reading, object, type))
        return false;
    mark.cause = cause == KIFU_NONE ? 0 : (uint16_t)(index - cause);
    if ((uint32_t)its != *version)
        log->open = NULL; // A segment has events of one version.
    *version = (uint32_t)its;
    kifu_rules rules = *reading->timeline->rules;
    rules.rules_version = *version;
    log->rules = &rules;
    const kifu_result result = kifu__log_append(log, type, reading->blob.bytes, reading->blob.size, mark, &table);
    log->rules = reading->timeline->rules;
    return kifu__json_made(&reading->reader, result);
}

// The number of an event, of which there may be none.
static bool read_index(reading *reading, const cJSON *object, const char *name, uint32_t *index)
{
    const cJSON *said = kifu__json_member(object, name);
    int64_t number = -1;
    if (said && !kifu__json_number(&reading->reader, said, -1, (int64_t)KIFU_NONE - 1, &number))
        return false;
    *index = number < 0 ? KIFU_NONE : (uint32_t)number;
    return true;
}

bool kifu__read_alone(reading *reading, const cJSON *object, kifu_event *event)
{
    // The last three are in what `kifu events --json` prints.
    static const char *const names[] = {"number",        "type",   "player", "cause",  "flags",
                                        "rules_version", "fields", "line",   "undone", "notes"};
    const kifu_rules *rules = reading->timeline->rules;
    const cJSON *version = kifu__json_member(object, "rules_version");
    int64_t its = rules->rules_version;
    int8_t player;
    *event = (kifu_event){.table = NULL};
    if (!kifu__json_members(&reading->reader, object, "an event", names, sizeof names / sizeof *names) ||
        !find_type(reading, object, &event->type) || !read_index(reading, object, "number", &event->index) ||
        !read_index(reading, object, "cause", &event->cause) ||
        !read_mark(reading, object, event->type, kifu__mark_flags.mask & (uint8_t)~KIFU__CONSEQUENCE, &player,
                   &event->flags) ||
        (version && !kifu__json_number(&reading->reader, version, 0, UINT32_MAX, &its)) ||
        !read_blob(reading, object, event->type))
        return false;
    event->name = rules->types[event->type].table->name;
    event->player = player;
    event->rules_version = (uint32_t)its;
    return true;
}

bool kifu__read_some_events(reading *reading, const cJSON **next, uint32_t end)
{
    uint32_t version = reading->timeline->rules->rules_version;
    for (; *next && reading->timeline->log.branch->end < end; *next = (*next)->next) {
        if (!kifu__read_event(reading, *next, &version))
            return false;
    }
    return true;
}

const cJSON *kifu__events_in(reading *reading, const cJSON *object)
{
    const cJSON *events = kifu__json_member(object, "events");
    if (cJSON_IsArray(events))
        return events;
    kifu__json_fail(&reading->reader, events, "there is no array \"events\"");
    return NULL;
}

bool kifu__read_events(reading *reading, const cJSON *object)
{
    const cJSON *events = kifu__events_in(reading, object), *next = events ? events->child : NULL;
    return events && kifu__read_some_events(reading, &next, KIFU_NONE);
}

// --- What waits ------------------------------------------------------------------------------------------------------

enum which { CONSEQUENCES, INPUTS, ACTIONS };
static const char *const queue_names[] = {"consequences", "inputs", "actions"};

static bool read_proposal(reading *reading, const cJSON *object, enum which which, kifu__queue *queue)
{
    static const char *const names[] = {"type", "player", "cause", "actor", "goes_on", "flags", "fields"};
    kifu__json_reader *reader = &reading->reader;
    const uint8_t most = kifu__mark_flags.mask & (uint8_t) ~(KIFU__CONSEQUENCE | KIFU_RANDOM);
    const cJSON *actor = kifu__json_member(object, "actor");
    uint32_t type;
    int64_t handle = 0;
    kifu__proposal head = {.ticket = ++reading->timeline->last_ticket, .cause = KIFU_NONE};
    if (!kifu__json_members(reader, object, "what waits", names, sizeof names / sizeof *names) ||
        !find_type(reading, object, &type) || !read_mark(reading, object, type, most, &head.player, &head.flags))
        return false;
    if (which == CONSEQUENCES && !read_cause(reading, object, reading->timeline->executed, &head.cause))
        return false;
    if (which == ACTIONS && (!actor || !kifu__json_number(reader, actor, 1, UINT32_MAX, &handle)))
        return kifu__json_fail(reader, actor ? actor : object, "an action has an \"actor\", which is a number");
    if (!read_blob(reading, object, type))
        return false;
    head.type = (uint8_t)type;
    head.size = reading->blob.size;
    if (which == ACTIONS) {
        head.cause = (uint32_t)handle;
        head.flags |= cJSON_IsTrue(kifu__json_member(object, "goes_on")) ? KIFU__GOES_ON : 0;
    }
    return kifu__queue_push(queue, &reading->timeline->memory, &head, reading->blob.bytes) ||
           kifu__json_made(&reading->reader, KIFU_NO_MEMORY);
}

static bool read_queue(reading *reading, const cJSON *object, enum which which, kifu__queue *queue)
{
    const cJSON *all = kifu__json_member(object, queue_names[which]);
    if (all && !cJSON_IsArray(all))
        return kifu__json_fail(&reading->reader, all, "\"%s\" is an array", queue_names[which]);
    for (const cJSON *each = all ? all->child : NULL; each; each = each->next) {
        if (!read_proposal(reading, each, which, queue))
            return false;
    }
    return true;
}

static bool set_actions(reading *reading, const cJSON *object)
{
    const kifu__turn_rules *turns = reading->timeline->rules->turns;
    const cJSON *all = kifu__json_member(object, queue_names[ACTIONS]);
    kifu__queue actions = {0};
    if (!turns || !turns->actors)
        return !all || kifu__json_fail(&reading->reader, all, "nobody takes turns in this game");
    bool well = read_queue(reading, object, ACTIONS, &actions);
    if (well && actions.count)
        well =
            turns->timed->set_actions(reading->timeline, &actions) || kifu__json_made(&reading->reader, KIFU_NO_MEMORY);
    kifu__queue_free(&actions, &reading->timeline->memory);
    return well;
}

bool kifu__read_waiting(reading *reading, const cJSON *object)
{
    kifu_timeline *timeline = reading->timeline;
    return read_queue(reading, object, CONSEQUENCES, &timeline->consequences) &&
           read_queue(reading, object, INPUTS, &timeline->inputs) && set_actions(reading, object);
}
