// A whole game out of JSON.

#include "json/read_game.h"

#include <inttypes.h>

#include "core/timeline.h"
#include "save/budget.h"

typedef kifu__reading reading;

// --- Where the game stands -------------------------------------------------------------------------------------------

static bool read_executed(reading *reading, const cJSON *object, uint32_t most, uint32_t *executed)
{
    const cJSON *said = kifu__json_member(object, "executed");
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
    const cJSON *kept =
        kifu__json_member(object, "kept") ? kifu__json_member(object, "kept") : kifu__json_member(object, "undone");
    for (const cJSON *each = cJSON_IsArray(kept) ? kept->child : NULL; each; each = each->next) {
        if (!kifu__json_members(&reading->reader, each, "a place", names, sizeof names / sizeof *names) ||
            !read_executed(reading, each, timeline->log.branch->end, &timeline->executed) ||
            !kifu__read_waiting(reading, each))
            return false;
        if (!kifu__store_kept(timeline))
            return kifu__json_made(&reading->reader, KIFU_NO_MEMORY);
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
    const cJSON *all = kifu__json_member(object, "hashes");
    uint32_t before = 0;
    for (const cJSON *each = cJSON_IsArray(all) ? all->child : NULL; each; each = each->next) {
        const cJSON *events = kifu__json_member(each, "events"), *said = kifu__json_member(each, "hash");
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
            return kifu__json_made(&reading->reader, KIFU_NO_MEMORY);
    }
    return true;
}

// If there is a state, there must be its hash: who changes the one leaves out the other, and it is computed.
static bool read_state(reading *reading, const cJSON *object, bool *has_hash, uint64_t *hash,
                       const unsigned char **state)
{
    const kifu_rules *rules = reading->timeline->rules;
    const cJSON *said = kifu__json_member(object, "state"), *said_hash = kifu__json_member(object, "hash");
    if (said_hash && !kifu__json_u64(&reading->reader, said_hash, hash))
        return false;
    *has_hash = said_hash || said;
    if (!said)
        return true;
    unsigned char *bytes = (unsigned char *)kifu__arena_new(&reading->file->arena, rules->state_size, 1);
    if (!bytes)
        return kifu__json_made(&reading->reader, KIFU_NO_MEMORY);
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
    const cJSON *all = kifu__json_member(reading->reader.root, "snapshots");
    const int64_t end = kifu_event_count(reading->timeline);
    int64_t events = reading->timeline->log.begin;
    if (all && !cJSON_IsArray(all))
        return kifu__json_fail(&reading->reader, all, "\"snapshots\" is an array");
    file->snapshots = (kifu__state_there *)kifu__arena_new(&file->arena, (size_t)(all ? cJSON_GetArraySize(all) : 0),
                                                           sizeof *file->snapshots);
    if (!file->snapshots)
        return kifu__json_made(&reading->reader, KIFU_NO_MEMORY);
    for (const cJSON *each = all ? all->child : NULL; each; each = each->next) {
        kifu__state_there at = {0};
        bool known;
        if (!kifu__json_members(&reading->reader, each, "a snapshot", names, sizeof names / sizeof *names))
            return false;
        const cJSON *said = kifu__json_member(each, "events");
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
    const cJSON *said = kifu__json_member(reading->reader.root, name);
    unsigned char *bytes;
    size_t size;
    *text = NULL;
    if (!said)
        return !needed || kifu__json_fail(&reading->reader, NULL, "there is no \"%s\"", name);
    if (!kifu__json_string(&reading->reader, said, &bytes, &size))
        return false;
    *text = kifu__arena_text(&reading->file->arena, (const char *)bytes);
    kifu__free(reading->reader.memory, bytes);
    return *text || kifu__json_made(&reading->reader, KIFU_NO_MEMORY);
}

static bool read_bytes(reading *reading, const char *name, const void **to, uint32_t *to_size)
{
    const cJSON *said = kifu__json_member(reading->reader.root, name);
    unsigned char *bytes;
    size_t size;
    *to = NULL;
    *to_size = 0;
    if (!said)
        return true;
    if (!kifu__json_base64(&reading->reader, said, &bytes, &size))
        return false;
    void *kept = kifu__arena_new(&reading->file->arena, size ? size : 1, 1);
    if (kept)
        memcpy(kept, bytes, size);
    *to = kept;
    *to_size = (uint32_t)size;
    kifu__free(reading->reader.memory, bytes);
    return kept || kifu__json_made(&reading->reader, KIFU_NO_MEMORY);
}

static bool read_players(reading *reading)
{
    kifu__game_file *file = reading->file;
    const cJSON *all = kifu__json_member(reading->reader.root, "players");
    if (!all)
        return true;
    if (!cJSON_IsArray(all))
        return kifu__json_fail(&reading->reader, all, "\"players\" is an array of names");
    file->players = (const char **)kifu__arena_new(&file->arena, (size_t)cJSON_GetArraySize(all), sizeof(char *));
    if (!file->players)
        return kifu__json_made(&reading->reader, KIFU_NO_MEMORY);
    for (const cJSON *each = all->child; each; each = each->next) {
        unsigned char *bytes;
        size_t size;
        if (!kifu__json_string(&reading->reader, each, &bytes, &size))
            return false;
        const char *name = kifu__arena_text(&file->arena, (const char *)bytes);
        kifu__free(reading->reader.memory, bytes);
        if (!name)
            return kifu__json_made(&reading->reader, KIFU_NO_MEMORY);
        file->players[file->player_count++] = name;
    }
    return true;
}

// A game is called by its union's namespace.
static bool has_union_of_game(reading *reading)
{
    const kifu__identity *identity = &reading->file->identity;
    const char *dot = strrchr(identity->union_name, '.');
    const size_t size = dot ? (size_t)(dot - identity->union_name) : 0;
    if (dot && strlen(identity->game) == size && !memcmp(identity->game, identity->union_name, size))
        return true;
    return kifu__json_fail(&reading->reader, kifu__json_member(reading->reader.root, "game"),
                           "the events are those of %.100s, which is not of this game: a game is called by the "
                           "namespace of its union",
                           identity->union_name);
}

static bool read_head(reading *reading)
{
    static const char *const names[] = {
        "kifu",      "game",   "union",    "rules_version", "fingerprint", "saved_at",     "title",  "players",
        "thumbnail", "events", "executed", "kept",          "undone",      "consequences", "inputs", "actions",
        "hashes",    "hash",   "state",    "schema",        "lines",       "notes",        "root",   "snapshots"};
    kifu__json_reader *reader = &reading->reader;
    kifu__game_file *file = reading->file;
    const cJSON *root = reader->root, *format = kifu__json_member(root, "kifu"),
                *version = kifu__json_member(root, "rules_version");
    const cJSON *fingerprint = kifu__json_member(root, "fingerprint"), *saved_at = kifu__json_member(root, "saved_at");
    int64_t number = 1;
    if (!format || !cJSON_IsNumber(format))
        return kifu__json_fail(reader, NULL, "this is no game: the member \"kifu\" is not there");
    if (format->valuedouble != 1)
        return kifu__json_fail(reader, format, "this was written by a newer version of Kifu, which can read it");
    if (!kifu__json_members(reader, root, "a game", names, sizeof names / sizeof *names) ||
        !read_text(reading, "game", true, &file->identity.game) ||
        !read_text(reading, "union", true, &file->identity.union_name) || !has_union_of_game(reading) ||
        (version && !kifu__json_number(reader, version, 0, UINT32_MAX, &number)) ||
        (fingerprint && !kifu__json_u64(reader, fingerprint, &file->identity.fingerprint)) ||
        (saved_at && !kifu__json_scalar(reader, saved_at, KIFU__I64, NULL, (unsigned char *)&file->saved_at)) ||
        !read_text(reading, "title", false, &file->title) || !read_players(reading))
        return false;
    file->identity.rules_version = (uint32_t)number;
    return read_bytes(reading, "thumbnail", &file->thumbnail, &file->thumbnail_size);
}

// --- All of it -------------------------------------------------------------------------------------------------------

static bool read_all(reading *reading, kifu__find_rules_function *find, const void *context)
{
    kifu__game_file *file = reading->file;
    const kifu_options quiet = {.quiet = true,
                                .allocate = file->arena.memory.allocate,
                                .allocate_context = file->arena.memory.context,
                                .keep_variations = kifu_keep_variations,
                                .keep_notes = kifu_keep_notes,
                                .from_state = kifu_begin_from_state,
                                .note_limit = SIZE_MAX};
    const void *schema;
    uint32_t size;
    if (!read_head(reading) || !read_bytes(reading, "schema", &schema, &size))
        return false;
    file->has_schema = schema != NULL;
    reading->reader.result = find(file, schema, size, context, reading->reader.error);
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
    return well;
}

// JSON is in memory as a whole while it is read, and each value of two bytes takes so much.
static kifu_result require_memory(const kifu__game_file *file, kifu_error *error)
{
    const uint64_t needed = KIFU__BUDGET_TIMES * file->size;
    return needed <= file->memory ? KIFU_OK
                                  : kifu__error(error, KIFU_TOO_LARGE,
                                                "to read this JSON may take %" PRIu64
                                                " bytes of memory, and kifu_load_options.memory allows %" PRIu64,
                                                needed, file->memory);
}

kifu_result kifu__read_json(const kifu__file_bytes *text, kifu__find_rules_function *find, const void *context,
                            kifu__game_file *file, kifu_error *error)
{
    const kifu__memory memory = kifu__memory_of(file->arena.memory.allocate, file->arena.memory.context);
    reading reading = {.reader = {.memory = &memory, .text = text, .error = error}, .file = file};
    const kifu_result result = require_memory(file, error);
    if (result)
        return result;
    if (kifu__json_parse(&reading.reader))
        read_all(&reading, find, context);
    cJSON_Delete(reading.reader.root);
    return reading.reader.result;
}
