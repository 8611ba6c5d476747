// Memory that ends in the middle: a call either does its work, or says KIFU_NO_MEMORY and has changed nothing.

#include <stdlib.h>

#include "fuzz.h"

void *kifu_fuzz__allocate(void *context, void *block, size_t size)
{
    fuzz *fuzz = context;
    if (!size) {
        fuzz->blocks -= block != NULL;
        free(block);
        return NULL;
    }
    if (fuzz->starving && !fuzz->meals)
        return NULL;
    fuzz->meals -= fuzz->starving;
    void *grown = size >> 20 < FUZZ_MOST_MIB ? realloc(block, size) : NULL;
    if (!grown) {
        char who[300];
        kifu_fuzz__who(fuzz->rules, fuzz->progress, who, sizeof who);
        kifu_fuzz__fail(fuzz, "memory", "%s took more than %d MiB of memory", who, FUZZ_MOST_MIB);
    }
    fuzz->blocks += !block;
    return grown;
}

// Each calls one function with little memory, and undoes what that did, with enough. Its result.

static kifu_result save(fuzz *fuzz)
{
    unsigned char *bytes;
    size_t size;
    kifu_result result = kifu_save_to_memory(fuzz->table.timeline, NULL, &bytes, &size);
    if (!result)
        kifu_free_bytes(fuzz->table.timeline, bytes);
    return result;
}

static kifu_result load(fuzz *fuzz)
{
    unsigned char *bytes;
    size_t size;
    kifu_timeline *loaded;
    fuzz->starving = false;
    kifu_options options = kifu_fuzz__options(fuzz);
    const kifu_load_options load_options = {.fast = kifu_fuzz__one_in(fuzz, 2)};
    if (kifu_save_to_memory(fuzz->table.timeline, NULL, &bytes, &size))
        abort();
    fuzz->starving = true;
    kifu_result result = kifu_load_from_memory(fuzz->rules, bytes, size, &options, &load_options, &loaded, NULL);
    fuzz->starving = false;
    kifu_free_bytes(fuzz->table.timeline, bytes);
    fuzz_table table = {.timeline = loaded, .options = options};
    kifu_fuzz__dispose(fuzz, &table);
    return result;
}

static kifu_result fork_it(fuzz *fuzz)
{
    kifu_timeline *fork;
    uint32_t count = kifu_fuzz__below(fuzz, kifu_event_count(fuzz->table.timeline) + 1);
    kifu_result result =
        kifu_fork(fuzz->table.timeline, kifu_fuzz__one_in(fuzz, 2) ? KIFU_PRESENT : count, NULL, &fork, NULL);
    kifu_destroy(fork);
    return result;
}

static kifu_result seek(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    fuzz->seeking = true;
    kifu_result result = kifu_seek(timeline, kifu_fuzz__below(fuzz, kifu_event_count(timeline) + 1));
    fuzz->starving = false;
    if (kifu_seek(timeline, KIFU_PRESENT))
        kifu_fuzz__fail(fuzz, "no way back", "back from a seek that had no memory: %s",
                        kifu_last_error(timeline)->message);
    if (!fuzz->table.options.view && !fuzz->table.quiet)
        kifu_fuzz__redraw(fuzz);
    fuzz->seeking = false;
    return result;
}

static kifu_result state_at(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    void *state = malloc(fuzz->rules->state_size);
    if (!state)
        abort();
    uint32_t count = kifu_fuzz__below(fuzz, kifu_event_count(timeline) + 1);
    kifu_result result = kifu_state_at(timeline, count, state, fuzz->rules->state_size);
    free(state);
    return result;
}

static kifu_result search(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    kifu_result result = kifu_begin(timeline, KIFU_SEARCH);
    if (result)
        return result;
    bool valid = true;
    uint32_t type = 1 + kifu_fuzz__below(fuzz, fuzz->rules->type_count);
    kifu_fuzz__submit_random(fuzz, timeline, type, -1, &valid);
    (void)kifu_run(timeline); // whatever comes of it
    return kifu_roll_back(timeline);
}

static kifu_result verify(fuzz *fuzz)
{
    return kifu_verify_replay(fuzz->table.timeline, NULL);
}

static kifu_result undo(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    if (!kifu_can_undo(timeline, NULL))
        return KIFU_OK;
    fuzz_moment before = kifu_fuzz__look(fuzz, timeline, false);
    kifu_result result = kifu_undo(timeline);
    fuzz->starving = false;
    if (result)
        return result;
    if (kifu_redo(timeline))
        kifu_fuzz__fail(fuzz, "a redo that failed", "redo: %s", kifu_last_error(timeline)->message);
    kifu_fuzz__same(fuzz, "undone with little memory, and redone", kifu_fuzz__look(fuzz, timeline, true), before,
                    FUZZ_NO_REDO, NULL, NULL);
    return KIFU_OK;
}

static kifu_result redo(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    if (!kifu_can_redo(timeline, NULL))
        return KIFU_OK;
    kifu_result result = kifu_redo(timeline);
    fuzz->starving = false;
    if (!result && kifu_undo(timeline))
        kifu_fuzz__fail(fuzz, "an undo that failed", "undo: %s", kifu_last_error(timeline)->message);
    return result;
}

static kifu_result append(fuzz *fuzz)
{
    if (fuzz->logging != fuzz->table.timeline)
        return KIFU_OK;
    kifu_result result = kifu_log_append(fuzz->table.timeline);
    fuzz->starving = false;
    if (!result)
        kifu_fuzz__appended(fuzz, NULL);
    return result;
}

void kifu_fuzz__starve(fuzz *fuzz)
{
    static const struct {
        const char *name;
        kifu_result (*call)(struct fuzz *fuzz);
    } calls[] = {
        {" save", save},     {" load", load},         {" fork", fork_it},
        {" seek", seek},     {" state at", state_at}, {" try", kifu_fuzz__try_starving},
        {" search", search}, {" verify", verify},     {" undo", undo},
        {" redo", redo},     {" append", append},
    };
    kifu_timeline *timeline = fuzz->table.timeline;
    if (fuzz->table.options.reset || fuzz->table.options.allocate != kifu_fuzz__allocate)
        return;
    fuzz_moment before = kifu_fuzz__look(fuzz, timeline, false);
    uint32_t call = kifu_fuzz__below(fuzz, sizeof calls / sizeof *calls);
    fuzz->meals = kifu_fuzz__below(fuzz, 6);
    kifu_fuzz__trace(fuzz, "%s with memory for %u", calls[call].name, (unsigned)fuzz->meals);
    fuzz->starving = true;
    kifu_result result = calls[call].call(fuzz);
    fuzz->starving = false;
    kifu_fuzz__trace(fuzz, ": %s", kifu_result_text(result));
    if (result != KIFU_OK && result != KIFU_NO_MEMORY)
        kifu_fuzz__fail(fuzz, "a failure without memory", "%s with little memory: %s", calls[call].name,
                        kifu_result_text(result));
    fuzz_moment after = kifu_fuzz__look(fuzz, timeline, true);
    kifu_fuzz__same(fuzz, calls[call].name, after, before, FUZZ_SAME, NULL, NULL);
}
