// For a game: an event, or a whole game, out of JSON.

#include <kifu/json.h>

#include "bytes/bytes.h"
#include "json/read_game.h"
#include "save/budget.h"

kifu_result kifu_event_from_json(kifu_timeline *timeline, const char *text, size_t size, kifu_buffer *buffer,
                                 kifu_event *event)
{
    const kifu__file_bytes bytes = {(unsigned char *)(uintptr_t)text, size};
    kifu__reading reading = {.reader = {.memory = &timeline->memory, .text = &bytes, .error = &timeline->error},
                             .timeline = timeline,
                             .blob = {.memory = &timeline->memory}};
    kifu__bytes_part *part = kifu__bytes_attach(timeline);
    kifu_event own;
    if (!part)
        return KIFU_NO_MEMORY;
    kifu_result result = KIFU_OK;
    if (kifu__json_parse(&reading.reader) && kifu__read_alone(&reading, reading.reader.root, &own))
        result = kifu__bytes_write(timeline, part, own.type, own.rules_version, reading.blob.bytes, reading.blob.size,
                                   buffer);
    else
        result = reading.reader.result;
    cJSON_Delete(reading.reader.root);
    kifu__free(&timeline->memory, reading.blob.bytes);
    if (!result && event) {
        *event = own;
        event->table = kifu__bytes_table(buffer->data);
    }
    return result;
}

// --- Games -----------------------------------------------------------------------------------------------------------

// Whether the text has the names of this version of the game: by its schema, else by what it says of that.
static bool has_own_names(const kifu__game_file *file, const void *bfbs, uint32_t size, const kifu_rules *rules)
{
    if (bfbs)
        return size == rules->bfbs_size && !memcmp(bfbs, rules->bfbs, size);
    return !file->identity.fingerprint || file->identity.fingerprint == rules->fingerprint;
}

static kifu_result find_rules(kifu__game_file *file, const void *bfbs, uint32_t size, const void *context,
                              kifu_error *error)
{
    const kifu_rules *rules = (const kifu_rules *)context;
    const kifu__identity *identity = &file->identity;
    if (strcmp(identity->game, rules->name) != 0)
        return kifu__error(error, KIFU_OTHER_GAME, "this is a game of '%.100s', not of '%.100s': choose another text",
                           identity->game, rules->name);
    if (!has_own_names(file, bfbs, size, rules)) {
        if (bfbs)
            return kifu__make_rules(&file->arena, bfbs, size, identity, file->memory, &file->rules, error);
        return kifu__error(error, KIFU_UNKNOWN_EVENT,
                           "another version of %.100s wrote this, and it has no \"schema\", so its events cannot be "
                           "read: write it with the schema",
                           rules->name);
    }
    kifu_rules *own = (kifu_rules *)kifu__arena_new(&file->arena, 1, sizeof *own);
    if (!own)
        return kifu__error(error, KIFU_NO_MEMORY, "out of memory for a game from JSON");
    *own = *rules;
    own->rules_version = identity->rules_version; // The load says what follows from it.
    file->rules = own;
    return KIFU_OK;
}

kifu_result kifu_game_from_json(const kifu_rules *rules, const char *text, size_t size, const kifu_options *options,
                                const kifu_load_options *load_options, kifu_timeline **timeline, kifu_error *error)
{
    const kifu__memory memory =
        options ? kifu__memory_of(options->allocate, options->allocate_context) : kifu__memory_of(NULL, NULL);
    const kifu__file_bytes bytes = {(unsigned char *)(uintptr_t)text, size};
    const uint64_t limit = load_options ? load_options->memory : 0;
    kifu__file_bytes save = {NULL, 0};
    kifu_error unread;
    kifu__game_file file = {
        .arena = {.memory = memory},
        .size = size,
        .memory = limit ? limit : KIFU__BUDGET_LEAST + KIFU__BUDGET_TIMES * (uint64_t)size,
    };
    *timeline = NULL;
    error = error ? error : &unread;
    kifu_result result = kifu__read_json(&bytes, find_rules, rules, &file, error);
    if (!result)
        result = kifu__make_save(&file, &save, error);
    kifu__close_game(&file);
    if (!result)
        result = kifu_load_from_memory(rules, save.at, save.size, options, load_options, timeline, error);
    kifu__free(&memory, save.at);
    return result;
}
