// Saving: all frames are made, then written, to a file that takes the place of another or to memory.

#include "save/writer.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "base/crc32c.h"
#include "save/saved.h"
#include "wire/buffer.h"

// --- A plan ----------------------------------------------------------------------------------------------------------

void kifu__plan_fail(kifu__plan *plan, kifu_result result)
{
    if (result && !plan->result)
        plan->result = kifu__error(&plan->timeline->error, result, "%s while a save was made; nothing was written",
                                   kifu_result_text(result));
}

void kifu__plan_add(kifu__plan *plan, uint32_t kind, unsigned char *payload, uint32_t size, bool owned)
{
    const kifu__memory *memory = &plan->timeline->memory;
    kifu__piece *pieces =
        (kifu__piece *)kifu__grow(memory, plan->pieces, &plan->capacity, (uint64_t)plan->count + 1, sizeof *pieces);
    if (pieces) {
        plan->pieces = pieces;
        pieces[plan->count++] = (kifu__piece){.kind = kind, .size = size, .payload = payload, .owned = owned};
        plan->size += kifu__frame_size(size);
        return;
    }
    if (owned)
        kifu__free(memory, payload);
    kifu__plan_fail(plan, KIFU_NO_MEMORY);
}

kifu_result kifu__plan_write(kifu__plan *plan, kifu__sink *sink, bool new_file)
{
    kifu_result result = new_file ? kifu__write_file_header(sink) : KIFU_OK;
    sink->chain = plan->chain;
    for (uint32_t i = 0; i < plan->count && !result; i++) {
        const kifu__piece *piece = &plan->pieces[i];
        kifu__put_link(sink, piece->kind, piece->payload);
        result = kifu__write_frame(sink, piece->kind, piece->payload, piece->size);
    }
    plan->chain = sink->chain;
    return result ? result : kifu__flush(sink);
}

void kifu__plan_drop(kifu__plan *plan)
{
    const kifu__memory *memory = &plan->timeline->memory;
    for (uint32_t i = 0; i < plan->count; i++) {
        if (plan->pieces[i].owned)
            kifu__free(memory, plan->pieces[i].payload);
    }
    kifu__free(memory, plan->pieces);
}

// --- Payloads --------------------------------------------------------------------------------------------------------

kifu__blob kifu__payload_begin(const kifu__plan *plan, const kifu__table *table, const void *fields)
{
    kifu__blob payload = {.memory = &plan->timeline->memory, .link = KIFU__LINK_SIZE};
    kifu__build_short(&payload, table, fields);
    return payload;
}

bool kifu__payload_end(kifu__plan *plan, kifu__blob *payload)
{
    if (payload->result)
        kifu__free(payload->memory, payload->bytes);
    kifu__plan_fail(plan, payload->result);
    return !payload->result;
}

// Bytes start 8-aligned: what they hold (the .bfbs is a FlatBuffer) can be used in place. NULL: the field is absent.
static void add_bytes(kifu__blob *payload, size_t ref, const void *bytes, uint32_t size)
{
    if (bytes)
        kifu__build_vector(payload, (uint32_t)ref, bytes, size, size, 8);
}

static void add_strings(kifu__blob *payload, size_t ref, const char *const *texts, uint32_t count)
{
    if (!texts)
        return;
    const uint32_t first = kifu__build_vector(payload, (uint32_t)ref, NULL, count, (uint64_t)count * 4, 4);
    for (uint32_t i = 0; i < count && !payload->result; i++)
        kifu__build_string(payload, first + 4 * i, texts[i] ? texts[i] : "");
}

void kifu__plan_header(kifu__plan *plan, const kifu_save_options *options, int64_t saved_at)
{
    const kifu_rules *rules = plan->timeline->rules;
    const bool with_schema = !options->without_schema && !options->codec;
    const kifu__save_header header = {
        .game = {1},
        .union_name = {1},
        .title = {options->title != NULL},
        .players = {options->players != NULL},
        .thumbnail = {options->thumbnail != NULL},
        .schema = {with_schema},
        .fingerprint = rules->fingerprint,
        .saved_at = saved_at,
        .rules_version = rules->rules_version,
        .event_count = kifu_event_count(plan->timeline),
        .first_event = plan->timeline->log.begin,
    };
    kifu__blob payload = kifu__payload_begin(plan, &kifu__save_header_table, &header);
    kifu__build_string(&payload, offsetof(kifu__save_header, game), rules->name);
    kifu__build_string(&payload, offsetof(kifu__save_header, union_name), rules->union_name);
    kifu__build_string(&payload, offsetof(kifu__save_header, title), options->title);
    add_strings(&payload, offsetof(kifu__save_header, players), options->players, options->player_count);
    add_bytes(&payload, offsetof(kifu__save_header, thumbnail), options->thumbnail, options->thumbnail_size);
    if (with_schema)
        add_bytes(&payload, offsetof(kifu__save_header, schema), rules->bfbs, rules->bfbs_size);
    if (kifu__payload_end(plan, &payload))
        kifu__plan_add(plan, KIFU__FRAME_HEADER, payload.bytes, payload.size, true);
    // Where it can be packed; the header cannot.
    if (!options->without_schema && options->codec)
        kifu__plan_add(plan, KIFU__FRAME_SCHEMA, (unsigned char *)(uintptr_t)rules->bfbs, rules->bfbs_size, false);
}

// --- A whole save ----------------------------------------------------------------------------------------------------

// The plan is to be dropped in any case.
static kifu__plan make_plan(kifu_timeline *timeline, const kifu_save_options *options, int64_t saved_at)
{
    const kifu_save_options defaults = {0};
    options = options ? options : &defaults;
    kifu__plan plan = {.timeline = timeline, .overwrite = options->overwrite};
    kifu__plan_header(&plan, options, saved_at);
    kifu__plan_rest(&plan, !options->without_snapshot, options->codec);
    return plan;
}

// --- What a save must not overwrite ----------------------------------------------------------------------------------

// What a save must not overwrite: a file that another program has written since this game was loaded, and one of which
// the load did not take all.
//
// A file is known by what is in it: its length, and the checksum of the heads of its frames, which have the checksums
// of all the rest. So neither times, nor numbers on the disk, nor what a network makes of them decide, and plain C has
// the same rule. A look at a file costs one page for each frame. Its place is a checksum of the folder's number and
// the name, so that every path to it is the same, also after the process has gone to another folder.
//
// What a load did not take gets a second name before the new file takes the first one: no bytes are copied, nothing
// can be half done, and it needs no room on a full disk. Only where a file system has no second names is the file
// copied.

uint64_t kifu__contents_of(const kifu__file *file)
{
    uint64_t offset = KIFU__FILE_HEAD, whole;
    uint32_t heads = 0;
    while ((whole = kifu__peek_frame(file->bytes, file->size, offset)) != 0) {
        heads = kifu__crc32c(heads, file->bytes + offset, KIFU__FRAME_HEAD);
        offset += whole;
    }
    return kifu__contents(file->size, heads);
}

kifu__known *kifu__find_known(kifu_timeline *timeline, uint32_t place)
{
    for (uint32_t i = KIFU__KNOWN; place && i-- > 0;) {
        if (timeline->files.known[i].place == place)
            return &timeline->files.known[i];
    }
    return NULL;
}

kifu_result kifu__guard(kifu_timeline *timeline, const kifu__known *known, const char *path, const char *advice)
{
    kifu__file file;
    uint64_t whole;
    kifu_result result = kifu__os_read(path, UINT64_MAX, &timeline->memory, &file, &whole, &timeline->error);
    if (result)
        return result == KIFU_NOT_FOUND ? KIFU_OK : result;
    const uint64_t contents = kifu__contents_of(&file);
    if (contents && contents != known->contents)
        result = kifu__error(&timeline->error, KIFU_CHANGED,
                             "another program has changed '%.300s', and it stays as it is: %s", path, advice);
    else if (known->lossy && !timeline->files.kept)
        result = kifu__os_keep(path, &file, &timeline->memory, &timeline->files.kept, &timeline->error);
    kifu__os_release(&file, &timeline->memory);
    return result;
}

kifu_result kifu__plan_commit(kifu__plan *plan, kifu__replacement *replacement, kifu__open_file *file)
{
    kifu_timeline *timeline = plan->timeline;
    kifu__known *known = kifu__find_known(timeline, kifu__os_place(replacement->path));
    kifu_result result = KIFU_OK;
    if (known && known->contents && !plan->overwrite)
        result = kifu__guard(timeline, known, replacement->path,
                             "load it, save elsewhere, or set kifu_save_options.overwrite");
    if (result) {
        kifu__os_replace_abandon(replacement);
        return result;
    }
    result = kifu__os_replace_commit(replacement, file, &timeline->error);
    if (known && replacement->moved) {
        known->contents = kifu__contents(KIFU__FILE_HEAD + plan->size, plan->chain);
        known->lossy = false;
    }
    return result;
}

const char *kifu_kept_path(const kifu_timeline *timeline)
{
    return timeline->files.kept;
}

// --- To a file -------------------------------------------------------------------------------------------------------

static kifu_result write_to_file(void *context, const void *bytes, size_t size, kifu_error *error)
{
    return kifu__os_replace_write((kifu__replacement *)context, bytes, size, error);
}

kifu_result kifu__plan_replace(kifu__plan *plan, const char *path, kifu__replacement *replacement)
{
    kifu_timeline *timeline = plan->timeline;
    kifu__sink sink = {.write = write_to_file, .context = replacement, .error = &timeline->error};
    kifu_result result = kifu__os_replace_begin(path, &timeline->memory, replacement, &timeline->error);
    if (result)
        return result;
    result = kifu__plan_write(plan, &sink, true);
    if (result)
        kifu__os_replace_abandon(replacement);
    return result;
}

kifu_result kifu__plan_save(kifu__plan *plan, const char *path)
{
    kifu__replacement replacement;
    kifu_result result = plan->result ? plan->result : kifu__plan_replace(plan, path, &replacement);
    return result ? result : kifu__plan_commit(plan, &replacement, NULL);
}

// "folder/" becomes "folder/2026_11_21_10_20_30.kifu", or the first of "…_2.kifu", "…_3.kifu", … that is free.
static void add_time(char *path, size_t length, size_t room, int64_t saved_at)
{
    char time[20];
    kifu__os_local_time(saved_at, time);
    snprintf(path + length, room - length, "%s.kifu", time);
    for (unsigned number = 2; kifu__os_exists(path); number++)
        snprintf(path + length, room - length, "%s_%u.kifu", time, number);
}

kifu_result kifu__save_path(kifu_timeline *timeline, const char *path, int64_t saved_at, char **whole)
{
    size_t length = strlen(path);
    size_t room = length + sizeof "2026_11_21_10_20_30_4294967295.kifu";
    *whole = NULL;
    if (!length)
        return kifu__error(&timeline->error, KIFU_IO,
                           "the path of the save is empty: give a file, or a folder with '/'");
    *whole = (char *)kifu__new(&timeline->memory, room);
    if (!*whole)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for the path of the save '%.300s'", path);
    memcpy(*whole, path, length + 1);
    if (path[length - 1] == '/') {
        kifu__os_make_folder(path); // If it cannot, the save says so.
        add_time(*whole, length, room, saved_at);
    }
    return KIFU_OK;
}

kifu_result kifu__save_at(kifu_timeline *timeline, const char *path, const kifu_save_options *options, int64_t saved_at)
{
    char *whole;
    kifu_result result = kifu__save_path(timeline, path, saved_at, &whole);
    if (!result) {
        kifu__plan plan = make_plan(timeline, options, saved_at);
        result = kifu__plan_save(&plan, whole);
        kifu__plan_drop(&plan);
    }
    kifu__free(&timeline->memory, whole);
    return result;
}

// Other programs print the title and the names of players.
static kifu_result require_texts(kifu_timeline *timeline, const char *call, const kifu_save_options *options)
{
    const uint32_t names = options && options->players ? options->player_count : 0;
    for (uint32_t i = 0; options && i <= names; i++) {
        const char *text = i ? options->players[i - 1] : options->title;
        const uint32_t size = text ? (uint32_t)strlen(text) : 0;
        const uint32_t good = kifu__text_size((const unsigned char *)text, size);
        if (good < size)
            return kifu__error(&timeline->error, KIFU_MISUSE,
                               "%s: byte %u of kifu_save_options.%s, 0x%02X, is not UTF-8: convert the text", call,
                               (unsigned)good, i ? "players" : "title", (unsigned char)text[good]);
    }
    return KIFU_OK;
}

kifu_result kifu__require_root(kifu_timeline *timeline, const char *call)
{
    if (!timeline->log.begin || kifu__saved_by(timeline, KIFU__ROOT))
        return KIFU_OK;
    return kifu__error(&timeline->error, KIFU_MISUSE,
                       "%s of a game that begins from a state (kifu_forget, KIFU_WITHOUT_PAST): set "
                       "kifu_options.from_state = kifu_begin_from_state",
                       call);
}

kifu_result kifu__require_savable(kifu_timeline *timeline, const char *call, const kifu_save_options *options)
{
    kifu_result result = kifu__require_idle(timeline, call);
    if (!result)
        result = kifu__require_no_transaction(timeline, call);
    if (!result)
        result = kifu__require_root(timeline, call);
    return result ? result : require_texts(timeline, call, options);
}

kifu_result kifu_save(kifu_timeline *timeline, const char *path, const kifu_save_options *options)
{
    kifu_result result = kifu__require_savable(timeline, "kifu_save", options);
    return result ? result : kifu__save_at(timeline, path, options, kifu__os_now());
}

// --- To memory -------------------------------------------------------------------------------------------------------

static kifu_result write_to_memory(void *context, const void *bytes, size_t size, kifu_error *error)
{
    (void)error;
    unsigned char **end = (unsigned char **)context;
    memcpy(*end, bytes, size);
    *end += size;
    return KIFU_OK;
}

kifu_result kifu__plan_to_memory(kifu__plan *plan, unsigned char **bytes, size_t *size)
{
    kifu_timeline *timeline = plan->timeline;
    const uint64_t whole = plan->size + KIFU__FILE_HEAD;
    unsigned char *end = NULL;
    if (!plan->result && whole <= SIZE_MAX)
        end = (unsigned char *)kifu__new(&timeline->memory, (size_t)whole);
    if (!end)
        return plan->result ? plan->result
                            : kifu__error(&timeline->error, KIFU_NO_MEMORY,
                                          "out of memory for a save of %" PRIu64 " bytes", whole);
    *bytes = end;
    *size = (size_t)whole;
    kifu__sink sink = {.write = write_to_memory, .context = &end, .error = &timeline->error};
    return kifu__plan_write(plan, &sink, true);
}

kifu_result kifu__save_to_memory_at(kifu_timeline *timeline, const kifu_save_options *options, int64_t saved_at,
                                    unsigned char **bytes, size_t *size)
{
    kifu__plan plan = make_plan(timeline, options, saved_at);
    const kifu_result result = kifu__plan_to_memory(&plan, bytes, size);
    kifu__plan_drop(&plan);
    return result;
}

kifu_result kifu_save_to_memory(kifu_timeline *timeline, const kifu_save_options *options, unsigned char **bytes,
                                size_t *size)
{
    *bytes = NULL;
    *size = 0;
    kifu_result result = kifu__require_savable(timeline, "kifu_save_to_memory", options);
    return result ? result : kifu__save_to_memory_at(timeline, options, kifu__os_now(), bytes, size);
}

void kifu_free_bytes(kifu_timeline *timeline, unsigned char *bytes)
{
    kifu__free(&timeline->memory, bytes);
}
