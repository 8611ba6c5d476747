// A whole game out of JSON.

#include "tool/read_game.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/timeline.h"
#include "tool/json_place.h"
#include "wire/buffer.h"

typedef kifu__reading reading;

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static bool fail_for_memory(reading *reading, kifu_result result)
{
    return !result || kifu__json_fail(&reading->reader, NULL, "%s while it was read", kifu_result_text(result));
}

// --- Events and what waits -------------------------------------------------------------------------------------------

static bool find_type(reading *reading, const cJSON *object, uint32_t *type)
{
    const kifu_rules *rules = reading->timeline->rules;
    const cJSON *said = member(object, "type");
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
    const cJSON *said = member(object, "player"), *names = member(object, "flags");
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
    const cJSON *fields = member(object, "fields");
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
    const cJSON *said = member(object, "cause");
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
    const cJSON *number = member(object, "number"), *other = member(object, "rules_version");
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
    return fail_for_memory(reading, result);
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
    const cJSON *events = member(object, "events");
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
    const cJSON *actor = member(object, "actor");
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
        head.flags |= cJSON_IsTrue(member(object, "goes_on")) ? KIFU__GOES_ON : 0;
    }
    return kifu__queue_push(queue, &reading->timeline->memory, &head, reading->blob.bytes) ||
           fail_for_memory(reading, KIFU_NO_MEMORY);
}

static bool read_queue(reading *reading, const cJSON *object, enum which which, kifu__queue *queue)
{
    const cJSON *all = member(object, queue_names[which]);
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
    const cJSON *all = member(object, queue_names[ACTIONS]);
    kifu__queue actions = {0};
    if (!turns || !turns->actors)
        return !all || kifu__json_fail(&reading->reader, all, "nobody takes turns in this game");
    bool well = read_queue(reading, object, ACTIONS, &actions);
    if (well && actions.count)
        well = turns->timed->set_actions(reading->timeline, &actions) || fail_for_memory(reading, KIFU_NO_MEMORY);
    kifu__queue_free(&actions, &reading->timeline->memory);
    return well;
}

bool kifu__read_waiting(reading *reading, const cJSON *object)
{
    kifu_timeline *timeline = reading->timeline;
    return read_queue(reading, object, CONSEQUENCES, &timeline->consequences) &&
           read_queue(reading, object, INPUTS, &timeline->inputs) && set_actions(reading, object);
}

// --- Where the game stands -------------------------------------------------------------------------------------------

static bool read_executed(reading *reading, const cJSON *object, uint32_t most, uint32_t *executed)
{
    const cJSON *said = member(object, "executed");
    int64_t number = most;
    if (said && !kifu__json_number(&reading->reader, said, reading->timeline->log.begin, most, &number))
        return false;
    *executed = (uint32_t)number;
    return true;
}

// What waits elsewhere, by its place. Files of 0.2 have more places: where each undo began, with what waited, if
// anything.
bool kifu__read_kept(reading *reading, const cJSON *object)
{
    static const char *const names[] = {"executed", "consequences", "inputs", "actions"};
    kifu_timeline *timeline = reading->timeline;
    const cJSON *kept = member(object, "kept") ? member(object, "kept") : member(object, "undone");
    for (const cJSON *each = cJSON_IsArray(kept) ? kept->child : NULL; each; each = each->next) {
        if (!kifu__json_members(&reading->reader, each, "a place", names, sizeof names / sizeof *names) ||
            !read_executed(reading, each, timeline->log.branch->end, &timeline->executed) ||
            !kifu__read_waiting(reading, each))
            return false;
        if (!kifu__put_away(timeline))
            return fail_for_memory(reading, KIFU_NO_MEMORY);
    }
    return true;
}

static bool read_place(reading *reading)
{
    kifu_timeline *timeline = reading->timeline;
    const cJSON *root = reading->reader.root;
    uint32_t executed;
    if (!read_executed(reading, root, timeline->log.branch->end, &executed) || !kifu__read_kept(reading, root))
        return false;
    timeline->executed = executed;
    kifu__drop_kept(timeline, executed);
    return kifu__read_waiting(reading, root);
}

// --- Hashes and the state --------------------------------------------------------------------------------------------

bool kifu__read_hashes(reading *reading, const cJSON *object)
{
    static const char *const names[] = {"events", "hash"};
    kifu_timeline *timeline = reading->timeline;
    const cJSON *all = member(object, "hashes");
    uint32_t before = 0;
    for (const cJSON *each = cJSON_IsArray(all) ? all->child : NULL; each; each = each->next) {
        const cJSON *events = member(each, "events"), *said = member(each, "hash");
        int64_t number;
        uint64_t hash;
        if (!kifu__json_members(&reading->reader, each, "a hash", names, 2))
            return false;
        if (!events || !said)
            return kifu__json_fail(&reading->reader, each, "a hash has \"events\" and a \"hash\"");
        if (!kifu__json_number(&reading->reader, events, (int64_t)before + 1, timeline->log.branch->end, &number) ||
            !kifu__json_u64(&reading->reader, said, &hash))
            return false;
        before = (uint32_t)number;
        if (!kifu__add_checkpoint(timeline, before, hash))
            return fail_for_memory(reading, KIFU_NO_MEMORY);
    }
    return true;
}

// If there is a state, there must be its hash: who changes the one leaves out the other, and it is computed.
static bool read_state(reading *reading, const cJSON *object, bool *has_hash, uint64_t *hash,
                       const unsigned char **state)
{
    const kifu_rules *rules = reading->timeline->rules;
    const cJSON *said = member(object, "state"), *said_hash = member(object, "hash");
    if (said_hash && !kifu__json_u64(&reading->reader, said_hash, hash))
        return false;
    *has_hash = said_hash || said;
    if (!said)
        return true;
    unsigned char *bytes = (unsigned char *)kifu__arena_new(&reading->file->arena, rules->state_size, 1);
    if (!kifu__json_struct(&reading->reader, said, rules->state, bytes))
        return false;
    const uint64_t its = kifu__hash_state(bytes, rules->state_size);
    if (said_hash && its != *hash)
        return kifu__json_fail(&reading->reader, said_hash,
                               "this is not the hash of the state; leave \"hash\" out if you changed the state");
    *hash = its;
    *state = bytes;
    return true;
}

static bool read_last_state(reading *reading)
{
    kifu__game_file *file = reading->file;
    if (!read_state(reading, reading->reader.root, &file->has_hash, &file->hash, &file->state))
        return false;
    if (file->state)
        memcpy(reading->timeline->core.state, file->state, reading->timeline->rules->state_size);
    return true;
}

// States on the way to the last one.
static bool read_snapshots(reading *reading)
{
    static const char *const names[] = {"events", "hash", "state"};
    kifu__game_file *file = reading->file;
    const cJSON *all = member(reading->reader.root, "snapshots");
    const int64_t end = kifu_event_count(reading->timeline);
    int64_t events = reading->timeline->log.begin;
    if (all && !cJSON_IsArray(all))
        return kifu__json_fail(&reading->reader, all, "\"snapshots\" is an array");
    file->snapshots = (kifu__state_there *)kifu__arena_new(&file->arena, (size_t)(all ? cJSON_GetArraySize(all) : 0),
                                                           sizeof *file->snapshots);
    for (const cJSON *each = all ? all->child : NULL; each; each = each->next) {
        kifu__state_there at = {0};
        bool known;
        if (!kifu__json_members(&reading->reader, each, "a snapshot", names, sizeof names / sizeof *names))
            return false;
        const cJSON *said = member(each, "events");
        if (!said)
            return kifu__json_fail(&reading->reader, each, "a snapshot has \"events\": after how many it was made");
        if (!kifu__json_number(&reading->reader, said, events + 1, end - 1, &events) ||
            !read_state(reading, each, &known, &at.hash, &at.state))
            return false;
        if (!known)
            return kifu__json_fail(&reading->reader, each, "a snapshot has a \"hash\" or a \"state\"");
        at.events = (uint32_t)events;
        file->snapshots[file->snapshot_count++] = at;
    }
    return true;
}

// --- The head --------------------------------------------------------------------------------------------------------

static bool read_text(reading *reading, const char *name, bool needed, const char **text)
{
    const cJSON *said = member(reading->reader.root, name);
    unsigned char *bytes;
    size_t size;
    *text = NULL;
    if (!said)
        return !needed || kifu__json_fail(&reading->reader, NULL, "there is no \"%s\"", name);
    if (!kifu__json_string(&reading->reader, said, &bytes, &size))
        return false;
    *text = kifu__arena_text(&reading->file->arena, (const char *)bytes);
    free(bytes);
    return true;
}

static bool read_bytes(reading *reading, const char *name, const void **to, uint32_t *to_size)
{
    const cJSON *said = member(reading->reader.root, name);
    unsigned char *bytes;
    size_t size;
    *to = NULL;
    *to_size = 0;
    if (!said)
        return true;
    if (!kifu__json_base64(&reading->reader, said, &bytes, &size))
        return false;
    *to = memcpy(kifu__arena_new(&reading->file->arena, size ? size : 1, 1), bytes, size);
    *to_size = (uint32_t)size;
    free(bytes);
    return true;
}

static bool read_players(reading *reading)
{
    kifu__game_file *file = reading->file;
    const cJSON *all = member(reading->reader.root, "players");
    if (!all)
        return true;
    if (!cJSON_IsArray(all))
        return kifu__json_fail(&reading->reader, all, "\"players\" is an array of names");
    file->players = (const char **)kifu__arena_new(&file->arena, (size_t)cJSON_GetArraySize(all), sizeof(char *));
    for (const cJSON *each = all->child; each; each = each->next) {
        unsigned char *bytes;
        size_t size;
        if (!kifu__json_string(&reading->reader, each, &bytes, &size))
            return false;
        file->players[file->player_count++] = kifu__arena_text(&file->arena, (const char *)bytes);
        free(bytes);
    }
    return true;
}

static bool read_head(reading *reading)
{
    static const char *const names[] = {
        "kifu",      "game",   "union",    "rules_version", "fingerprint", "saved_at",     "title",  "players",
        "thumbnail", "events", "executed", "kept",          "undone",      "consequences", "inputs", "actions",
        "hashes",    "hash",   "state",    "schema",        "lines",       "notes",        "root",   "snapshots"};
    kifu__json_reader *reader = &reading->reader;
    kifu__game_file *file = reading->file;
    const cJSON *root = reader->root, *format = member(root, "kifu"), *version = member(root, "rules_version");
    const cJSON *fingerprint = member(root, "fingerprint"), *saved_at = member(root, "saved_at");
    int64_t number = 1;
    if (!format || !cJSON_IsNumber(format))
        return kifu__json_fail(reader, NULL, "this is no game: the member \"kifu\" is not there");
    if (format->valuedouble != 1)
        return kifu__json_fail(reader, format, "this was written by a newer version of Kifu, which can read it");
    if (!kifu__json_members(reader, root, "a game", names, sizeof names / sizeof *names) ||
        !read_text(reading, "game", true, &file->identity.game) ||
        !read_text(reading, "union", true, &file->identity.union_name) ||
        (version && !kifu__json_number(reader, version, 0, UINT32_MAX, &number)) ||
        (fingerprint && !kifu__json_u64(reader, fingerprint, &file->identity.fingerprint)) ||
        (saved_at && !kifu__json_scalar(reader, saved_at, KIFU__I64, NULL, (unsigned char *)&file->saved_at)) ||
        !read_text(reading, "title", false, &file->title) || !read_players(reading))
        return false;
    file->identity.rules_version = (uint32_t)number;
    return read_bytes(reading, "thumbnail", &file->thumbnail, &file->thumbnail_size);
}

// --- All of it -------------------------------------------------------------------------------------------------------

static bool read_all(reading *reading, const kifu__open_options *options)
{
    kifu__game_file *file = reading->file;
    const kifu_options quiet = {.quiet = true,
                                .keep_variations = kifu_keep_variations,
                                .keep_notes = kifu_keep_notes,
                                .from_state = kifu_begin_from_state,
                                .note_limit = SIZE_MAX};
    const void *schema;
    uint32_t size;
    if (!read_head(reading) || !read_bytes(reading, "schema", &schema, &size))
        return false;
    file->has_schema = schema != NULL;
    reading->reader.result = kifu__find_rules(file, schema, size, options, reading->reader.error);
    if (!reading->reader.result)
        reading->reader.result = kifu_create(file->rules, &quiet, &file->timeline, reading->reader.error);
    if (reading->reader.result)
        return false;
    const cJSON *root = reading->reader.root;
    reading->timeline = file->timeline;
    reading->blob.memory = &file->timeline->memory;
    const bool well = kifu__read_root(reading) && kifu__read_lines(reading) && read_place(reading) &&
                      kifu__read_hashes(reading, root) && read_last_state(reading) && read_snapshots(reading) &&
                      kifu__read_notes(reading) && kifu__end_root(reading);
    kifu__free_timed(file->timeline, &reading->timed);
    kifu__free(reading->blob.memory, reading->blob.bytes);
    file->listed_events = kifu_event_count(file->timeline);
    file->ended = true;
    return well;
}

static kifu_result broken(const kifu__file_bytes *text, size_t byte, const char *what, kifu_error *error)
{
    const kifu__place_in_text place = kifu__place_of_byte(text->at, text->size, byte);
    return kifu__error(error, KIFU_INVALID_EVENT, "line %u, column %u: %s", place.line, place.column, what);
}

kifu_result kifu__read_json(const kifu__file_bytes *text, const kifu__open_options *options, kifu__game_file *file,
                            kifu_error *error)
{
    size_t byte;
    const char *what, *end = NULL;
    if (!kifu__is_clean(text->at, text->size, &byte, &what))
        return broken(text, byte, what, error);
    cJSON *root = cJSON_ParseWithLengthOpts((const char *)text->at, text->size, &end, false);
    byte = end ? (size_t)((const unsigned char *)end - text->at) : 0;
    while (root && byte < text->size && text->at[byte] <= ' ')
        byte++;
    if (!root || byte < text->size) {
        cJSON_Delete(root);
        return broken(text, byte, root ? "more text follows the object" : "this is not JSON", error);
    }
    reading reading = {
        .reader = {.path = file->path, .text = text, .root = root, .error = error},
        .file = file,
    };
    read_all(&reading, options);
    cJSON_Delete(root);
    return reading.reader.result;
}
