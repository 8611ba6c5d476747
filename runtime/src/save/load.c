// Loading: the reader takes the file into a new timeline; only then does the first Do run (restore.c).

#include <kifu/save.h>

#include "history/hashes.h"
#include "save/reader.h"

// --- What a timeline keeps of its file -------------------------------------------------------------------------------

static void free_loaded(kifu__lender *lender, const kifu__memory *memory)
{
    kifu__loaded *loaded = (kifu__loaded *)(void *)lender;
    kifu__os_release(&loaded->file, memory);
    kifu__free(memory, loaded);
}

static kifu__loaded *new_loaded(kifu_timeline *timeline)
{
    kifu__loaded *loaded = (kifu__loaded *)kifu__new(&timeline->memory, sizeof *loaded);
    if (!loaded)
        return NULL;
    memset(loaded, 0, sizeof *loaded);
    kifu__refcount_begin(&loaded->lender.refs);
    loaded->lender.free = free_loaded;
    timeline->log.lender = &loaded->lender;
    return loaded;
}

// --- A load ----------------------------------------------------------------------------------------------------------

static kifu_result restore_game(kifu__reader *reader, kifu_difference *changed)
{
    kifu_timeline *timeline = reader->timeline;
    const kifu_result result = kifu__restore_state(reader, changed);
    if (result)
        return result;
    timeline->due.compare = kifu__compare_loaded;
    kifu__find_input(timeline);
    if (kifu__has_handler(timeline, called))
        timeline->dispatch->called(timeline, KIFU__CALL_OTHER, NULL, 0);
    kifu__moved(timeline, KIFU__JUMPED); // for those parts that `prepare` has attached
    return kifu__show_anew(timeline, KIFU_OK);
}

static kifu__memory memory_of(const kifu_options *options)
{
    return options ? kifu__memory_of(options->allocate, options->allocate_context) : kifu__memory_of(NULL, NULL);
}

static KIFU__APART kifu_result read_and_restore(kifu__reader *reader)
{
    const kifu_load_options *options = reader->options;
    kifu_result result = kifu__require_packing(options->codec, reader->error);
    if (!result && options->recovery && !options->recover)
        result = kifu__error(reader->error, KIFU_MISUSE,
                             "kifu_load_options.recovery alone: set .recover = kifu_recover, too");
    if (!result)
        result = kifu__read_all(reader);
    if (!result)
        result = restore_game(reader, options->changed);
    if (!result && reader->commits.is_log && reader->comparable && !options->allow_changed)
        reader->log_calls->end(reader->timeline);
    if (result && reader->timeline->error.result == result)
        *reader->error = reader->timeline->error; // It went wrong in the timeline, and not in the file.
    return result;
}

// The file's bytes pass to the timeline, or are released.
static kifu_result load_file(const kifu_rules *rules, kifu__file *file, const kifu_options *options,
                             const kifu_load_options *load_options, const kifu__whole_game *whole,
                             kifu_timeline **timeline, kifu_error *error)
{
    const kifu_load_options defaults = {0};
    kifu_left_out left_out;
    kifu_error own; // Of what is left out, it has an error, too.
    kifu_timeline *made;
    if (!load_options)
        load_options = &defaults;
    kifu_result result = kifu_create(rules, options, &made, error);
    kifu__loaded *loaded = result ? NULL : new_loaded(made);
    if (!loaded) {
        kifu__memory memory = memory_of(options);
        kifu__os_release(file, &memory);
        kifu_destroy(made);
        return result ? result : kifu__not_loaded(error, UINT64_MAX, KIFU_NO_MEMORY);
    }
    loaded->file = *file;
    made->last_ticket = whole ? whole->last_ticket : 0;
    kifu__reader reader = {
        .timeline = made,
        .error = &own,
        .memory_option = whole ? whole->memory_option : "kifu_load_options.memory",
        .loaded = loaded,
        .options = load_options,
        .end = KIFU__NO_END,
        .left_out = load_options->left_out ? load_options->left_out : &left_out,
        .room = {.memory = &made->memory},
    };
    *reader.left_out = (kifu_left_out){0};
    kifu_set_progress(made, load_options->progress, load_options->context);
    result = read_and_restore(&reader);
    kifu__free(reader.room.memory, reader.room.bytes);
    kifu__free_commits(reader.room.memory, &reader.commits);
    kifu__free(reader.room.memory, reader.snapshots);
    kifu__free(reader.room.memory, reader.segments);
    kifu__free(reader.room.memory, reader.block);
    if (result) {
        if (error)
            *error = own;
        kifu_destroy(made);
        return result;
    }
    kifu_set_progress(made, NULL, NULL);
    if (!reader.borrowed)
        kifu__os_release(&loaded->file, &made->memory);
    *timeline = made;
    return KIFU_OK;
}

kifu_result kifu_load(const kifu_rules *rules, const char *path, const kifu_options *options,
                      const kifu_load_options *load_options, kifu_timeline **timeline, kifu_error *error)
{
    kifu__memory memory = memory_of(options);
    kifu__file file;
    uint64_t size;
    *timeline = NULL;
    kifu_result result = kifu__os_read(path, UINT64_MAX, &memory, &file, &size, error);
    if (result)
        return result;
    const uint64_t contents = kifu__contents_of(&file);
    result = load_file(rules, &file, options, load_options, NULL, timeline, error);
    if (!result) {
        (*timeline)->files.known[KIFU__LOADED].contents = contents;
        (*timeline)->files.known[KIFU__LOADED].place = kifu__os_place(path);
    }
    return result;
}

kifu_result kifu__load_whole(const kifu_rules *rules, const void *bytes, size_t size, const kifu_options *options,
                             const kifu_load_options *load_options, const kifu__whole_game *whole,
                             kifu_timeline **timeline, kifu_error *error)
{
    kifu__memory memory = memory_of(options);
    *timeline = NULL;
    kifu__file file = {.bytes = (unsigned char *)kifu__new(&memory, size), .size = size};
    if (!file.bytes)
        return kifu__error(error, KIFU_NO_MEMORY, "out of memory for a save of %zu bytes", size);
    if (size)
        memcpy(file.bytes, bytes, size);
    return load_file(rules, &file, options, load_options, whole, timeline, error);
}

kifu_result kifu_load_from_memory(const kifu_rules *rules, const void *bytes, size_t size, const kifu_options *options,
                                  const kifu_load_options *load_options, kifu_timeline **timeline, kifu_error *error)
{
    return kifu__load_whole(rules, bytes, size, options, load_options, NULL, timeline, error);
}
