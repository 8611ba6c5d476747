// What saves say of themselves: of each, only the file header and the first frame are read.
//
// How many lines a game has is not listed: the header has no such number, and a log file could not keep one up to date
// there. `kifu info` reads the whole file, and shows it.

#include <kifu/save.h>

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "save/budget.h"
#include "save/frame.h"
#include "base/os.h"
#include "wire/buffer.h"

// Enough for most headers at once.
enum { FIRST_BYTES = 16384 };

typedef struct listing {
    kifu__memory memory;
    const kifu_list_options *options;
    kifu_save_visitor *visit;
    void *context;
} listing;

// Reads as much of a file as its header frame needs.
static kifu_result read_start(const char *path, const kifu__memory *memory, kifu__file *file, kifu_error *error)
{
    uint64_t whole;
    kifu_result result = kifu__os_read(path, FIRST_BYTES, memory, file, &whole, error);
    if (result || file->size >= whole)
        return result;
    uint64_t frame = kifu__peek_frame(file->bytes, file->size, KIFU__FILE_HEAD);
    if (frame + KIFU__FILE_HEAD <= file->size || kifu__read_file_header(file->bytes, file->size, NULL))
        return KIFU_OK;
    kifu__os_release(file, memory);
    return kifu__os_read(path, frame + KIFU__FILE_HEAD, memory, file, &whole, error);
}

static kifu_result read_header(const kifu__file *file, kifu__blob *room, const kifu__save_header **header,
                               kifu_error *error)
{
    kifu__frame frame;
    uint64_t offset = KIFU__FILE_HEAD;
    kifu_result result = kifu__read_file_header(file->bytes, file->size, error);
    if (!result)
        result = kifu__read_frame(file->bytes, file->size, &offset, &frame, error);
    return result ? result : kifu__read_header(&frame, room, header, error);
}

static const char *text_of(const kifu_ref *ref)
{
    return (const char *)kifu__elements(ref);
}

static kifu_result visit_header(const char *path, const kifu__save_header *header, const kifu__memory *memory,
                                const listing *listing, bool *stopped, kifu_error *error)
{
    uint32_t count = kifu__length(&header->players);
    const kifu_ref *references = (const kifu_ref *)kifu__elements(&header->players);
    const char **players = NULL;
    if (count && !(players = (const char **)kifu__new(memory, count * sizeof *players)))
        return kifu__error(error, KIFU_NO_MEMORY, "out of memory for the players of '%.300s'", path);
    for (uint32_t i = 0; i < count; i++)
        players[i] = text_of(&references[i]);
    const kifu_save_info info = {
        .path = path,
        .game = text_of(&header->game),
        .title = text_of(&header->title),
        .players = players,
        .player_count = count,
        .thumbnail = kifu__elements(&header->thumbnail),
        .thumbnail_size = kifu__length(&header->thumbnail),
        .rules_version = header->rules_version,
        .event_count = header->event_count,
        .first_event = header->first_event,
        .fingerprint = header->fingerprint,
        .saved_at = header->saved_at,
        .schema = kifu__elements(&header->schema),
        .schema_size = kifu__length(&header->schema),
    };
    *stopped = !listing->visit(listing->context, &info);
    kifu__free(memory, players);
    return KIFU_OK;
}

// `*stopped`: the visitor wants no more.
static kifu_result visit_file(const char *path, const listing *listing, bool *stopped, kifu_error *error)
{
    kifu__budget budget;
    const uint64_t most = listing->options->memory;
    const kifu__memory memory = kifu__budget_begin(&budget, &listing->memory, most ? most : KIFU__BUDGET_LEAST);
    kifu__file file;
    kifu__blob room = {.memory = &memory};
    const kifu__save_header *header;
    kifu_result result = read_start(path, &memory, &file, error);
    if (!result)
        result = read_header(&file, &room, &header, error);
    if (!result)
        result = visit_header(path, header, &memory, listing, stopped, error);
    kifu__free(&memory, room.bytes);
    kifu__os_release(&file, &memory);
    return kifu__budget_end(&budget, "kifu_list_options.memory", result, error);
}

static listing listing_of(kifu_save_visitor *visit, void *context, const kifu_list_options *options)
{
    static const kifu_list_options defaults = {0};
    options = options ? options : &defaults;
    return (listing){kifu__memory_of(options->allocate, options->allocate_context), options, visit, context};
}

kifu_result kifu_read_save_info(const char *path, kifu_save_visitor *visit, void *context,
                                const kifu_list_options *options, kifu_error *error)
{
    const listing listing = listing_of(visit, context, options);
    bool stopped;
    return visit_file(path, &listing, &stopped, error);
}

// --- A whole folder --------------------------------------------------------------------------------------------------

typedef struct names {
    const kifu__memory *memory;
    const char *folder;
    char **paths;
    uint32_t count;
    uint32_t capacity;
    bool no_memory;
} names;

static bool is_save(const char *name)
{
    static const char ending[] = ".kifu";
    size_t length = strlen(name);
    return length >= sizeof ending && strcmp(name + length - (sizeof ending - 1), ending) == 0;
}

static bool remember_name(void *context, const char *name)
{
    names *names = context;
    if (!is_save(name))
        return true;
    size_t folder = strlen(names->folder);
    bool slash = folder && names->folder[folder - 1] != '/';
    size_t length = strlen(name);
    char **paths =
        (char **)kifu__grow(names->memory, names->paths, &names->capacity, (uint64_t)names->count + 1, sizeof *paths);
    names->paths = paths ? paths : names->paths;
    char *path = paths ? (char *)kifu__new(names->memory, folder + slash + length + 1) : NULL;
    names->no_memory = !path;
    if (!path)
        return false;
    memcpy(path, names->folder, folder);
    path[folder] = '/';
    memcpy(path + folder + slash, name, length + 1);
    paths[names->count++] = path;
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static kifu_result visit_all(const names *names, const listing *listing, kifu_error *error)
{
    const kifu_list_options *options = listing->options;
    bool stopped = false;
    for (uint32_t i = 0; i < names->count && !stopped; i++) {
        if (options->progress && !options->progress(options->context, i, names->count))
            return kifu__error(error, KIFU_CANCELLED, "%s, before file %" PRIu32 " of %" PRIu32,
                               kifu_result_text(KIFU_CANCELLED), i + 1, names->count);
        kifu_error own;
        const char *path = names->paths[i];
        kifu_result result = visit_file(path, listing, &stopped, &own);
        if (result == KIFU_NO_MEMORY) {
            if (error)
                *error = own;
            return result;
        }
        if (result) {
            const kifu_save_info info = {.path = path, .error = &own};
            stopped = !listing->visit(listing->context, &info);
        }
    }
    return KIFU_OK;
}

kifu_result kifu_list_saves(const char *directory, kifu_save_visitor *visit, void *context,
                            const kifu_list_options *options, kifu_error *error)
{
    const listing listing = listing_of(visit, context, options);
    const kifu__memory *memory = &listing.memory;
    names names = {.memory = memory, .folder = directory};
    kifu_result result = kifu__os_list(*directory ? directory : ".", remember_name, &names, error);
    if (!result && names.no_memory)
        result = kifu__error(error, KIFU_NO_MEMORY, "out of memory for the list of '%.300s'", directory);
    if (!result && names.count) {
        qsort(names.paths, names.count, sizeof *names.paths, by_name);
        result = visit_all(&names, &listing, error);
    }
    for (uint32_t i = 0; i < names.count; i++)
        kifu__free(memory, names.paths[i]);
    kifu__free(memory, names.paths);
    return result;
}
