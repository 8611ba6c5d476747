// A game, step by step. Each step draws from a generator of its own, so that leaving one out changes no other.

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

// --- Small help -----------------------------------------------------------------------------------------------------

uint32_t kifu_fuzz__below(fuzz *fuzz, uint32_t bound)
{
    return kifu_rng_below(&fuzz->rng, bound);
}

bool kifu_fuzz__one_in(fuzz *fuzz, uint32_t n)
{
    return kifu_rng_below(&fuzz->rng, n) == 0;
}

void *kifu_fuzz__grow(void *block, uint32_t *room, uint32_t count, size_t size)
{
    if (block && count <= *room)
        return block;
    uint32_t more = count < 64 ? 64 : count * 2;
    block = realloc(block, more * size);
    if (!block)
        abort();
    *room = more;
    return block;
}

void kifu_fuzz__trace(fuzz *fuzz, const char *format, ...)
{
    fuzz_progress *progress = fuzz->progress;
    if (!progress->tracing)
        return;
    if (progress->trace_size + FUZZ_LINE >= FUZZ_TRACE) { // what came last matters most
        uint32_t half = progress->trace_size / 2;
        memmove(progress->trace, progress->trace + half, progress->trace_size - half + 1);
        progress->trace_size -= half;
    }
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(progress->trace + progress->trace_size, FUZZ_LINE, format, arguments);
    va_end(arguments);
    if (length > 0)
        progress->trace_size += length < FUZZ_LINE ? (uint32_t)length : FUZZ_LINE - 1;
}

static void doing(fuzz *fuzz, const char *what)
{
    fuzz->progress->doing = what;
}

void kifu_fuzz__save_here(fuzz *fuzz)
{
    const fuzz_plan *plan = fuzz->plan;
    if (plan->save && fuzz->progress->step == plan->save_at &&
        kifu_save(fuzz->table.timeline, plan->save, NULL) == KIFU_OK)
        fuzz->progress->saved = true;
}

// --- Timelines ------------------------------------------------------------------------------------------------------

kifu_options kifu_fuzz__options(fuzz *fuzz)
{
    kifu_options options = fuzz->table.options;
    options.view = (const kifu_view *)(void *)fuzz->view;
    options.allocate = kifu_fuzz__allocate;
    options.allocate_context = fuzz;
    if (fuzz->hooks.options)
        fuzz->hooks.options(&options);
    if (options.reset)
        options.sync_test = false ? kifu_sync_test : NULL; // That is for models in the state.
    return options;
}

void kifu_fuzz__prepare(fuzz *fuzz, kifu_timeline *timeline)
{
    if (fuzz->hooks.prepare && fuzz->hooks.prepare(timeline))
        kifu_fuzz__fail(fuzz, "not prepared", "the prepare hook: %s", kifu_last_error(timeline)->message);
}

void kifu_fuzz__dispose(fuzz *fuzz, fuzz_table *table)
{
    kifu_fuzz__leave_log_file(fuzz, table->timeline);
    kifu_destroy(table->timeline);
    if (fuzz->hooks.dispose)
        fuzz->hooks.dispose(&table->options);
    kifu_fuzz__unfollow(table);
}

// --- Operations -----------------------------------------------------------------------------------------------------

static void submit(fuzz *fuzz)
{
    const kifu_game *game = kifu_get_game(fuzz->table.timeline);
    bool over = game->phase == KIFU_PHASE_GAME_OVER;
    if (over ? kifu_fuzz__one_in(fuzz, 3) : kifu_fuzz__one_in(fuzz, 200))
        kifu_fuzz__begin_game(fuzz);
    else
        kifu_fuzz__submit_and_run(fuzz);
}

void kifu_fuzz__undo(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    fuzz_moment before = kifu_fuzz__look(fuzz, timeline, false);
    kifu_result result = kifu_undo(timeline);
    fuzz_moment after = kifu_fuzz__look(fuzz, timeline, false);
    kifu_fuzz__trace(fuzz, ": %" PRIu32 " events", before.can_undo);
    if (!before.can_undo) {
        if (result != KIFU_NOT_UNDOABLE && result != KIFU_NOTHING_TO_UNDO)
            kifu_fuzz__fail(fuzz, "an undo that cannot be", "kifu_can_undo said no, and kifu_undo: %s",
                            result ? kifu_last_error(timeline)->message : "yes");
        kifu_fuzz__same(fuzz, "an undo that was refused", after, before, FUZZ_SAME, NULL, NULL);
        return;
    }
    if (result)
        kifu_fuzz__fail(fuzz, "an undo that failed", "undo of %" PRIu32 " events: %s", before.can_undo,
                        kifu_last_error(timeline)->message);
    if (after.events != before.events - before.can_undo || after.pending || after.can_redo != before.can_undo)
        kifu_fuzz__fail(fuzz, "what an undo left",
                        "undo of %" PRIu32 " of %" PRIu32 " events left %" PRIu32 ", %" PRIu32 " wait, %" PRIu32
                        " can be redone",
                        before.can_undo, before.events, after.events, after.pending, after.can_redo);
    fuzz->undone = kifu_fuzz__grow(fuzz->undone, &fuzz->undone_room, fuzz->undone_count + 1, sizeof *fuzz->undone);
    before.equal = FUZZ_NO_REDO;
    fuzz->undone[fuzz->undone_count++] = before;
}

void kifu_fuzz__forget_undone(fuzz *fuzz)
{
    const kifu_timeline *timeline = fuzz->table.timeline;
    if (kifu_can_redo(timeline, NULL) || kifu_pending_count(timeline)) // what waits may only be in the way
        return;
    fuzz->undone_count = 0;
    fuzz->undone_unknown = false;
}

void kifu_fuzz__redo(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    fuzz_moment before = kifu_fuzz__look(fuzz, timeline, false);
    kifu_result result = kifu_redo(timeline);
    fuzz_moment after = kifu_fuzz__look(fuzz, timeline, true);
    kifu_fuzz__trace(fuzz, ": %" PRIu32 " events", before.can_redo);
    if (!before.can_redo) {
        if (result != KIFU_NOTHING_TO_REDO)
            kifu_fuzz__fail(fuzz, "a redo that cannot be", "kifu_can_redo said no, and kifu_redo: %s",
                            result ? kifu_last_error(timeline)->message : "yes");
        kifu_fuzz__same(fuzz, "a redo that was refused", after, before, FUZZ_SAME, NULL, NULL);
        kifu_fuzz__forget_undone(fuzz);
        return;
    }
    if (result)
        kifu_fuzz__fail(fuzz, "a redo that failed", "redo of %" PRIu32 " events: %s", before.can_redo,
                        kifu_last_error(timeline)->message);
    if (fuzz->undone_unknown)
        return;
    if (!fuzz->undone_count)
        kifu_fuzz__fail(fuzz, "a redo without an undo", "something could be redone though nothing was undone");
    fuzz_moment *undone = &fuzz->undone[--fuzz->undone_count];
    kifu_fuzz__same(fuzz, "redo, against what was undone", after, *undone, undone->equal, NULL, NULL);
}

static void undo_and_redo(fuzz *fuzz)
{
    uint32_t count = 1 + kifu_fuzz__below(fuzz, 6), undone = fuzz->undone_count;
    while (count--)
        kifu_fuzz__undo(fuzz);
    for (count = fuzz->undone_count - undone; count > 0; count--)
        kifu_fuzz__redo(fuzz);
}

static void undo_far(fuzz *fuzz)
{
    uint32_t count = kifu_fuzz__below(fuzz, kifu_fuzz__one_in(fuzz, 4) ? 1000 : 40);
    while (count-- && kifu_can_undo(fuzz->table.timeline, NULL))
        kifu_fuzz__undo(fuzz);
}

bool kifu_fuzz__moves(fuzz *fuzz, uint32_t n)
{
    bool moves = kifu_fuzz__one_in(fuzz, n);
    return moves && !fuzz->steady;
}

static void save_and_load(fuzz *fuzz)
{
    kifu_fuzz__execute_again(fuzz, "saved and loaded", false, kifu_fuzz__moves(fuzz, 2));
}

static void load_fast(fuzz *fuzz)
{
    kifu_fuzz__execute_again(fuzz, "saved and loaded fast", true, kifu_fuzz__moves(fuzz, 2));
}

static void be_quiet(fuzz *fuzz)
{
    fuzz->table.quiet = kifu_fuzz__one_in(fuzz, 2);
    fuzz->table.behind |= fuzz->table.quiet;
    kifu_set_quiet(fuzz->table.timeline, fuzz->table.quiet);
}

static const struct {
    const char *name;
    void (*run)(fuzz *fuzz);
    uint32_t weight;
} operations[] = {
    {"submit", submit, 60},
    {"undo", kifu_fuzz__undo, 12},
    {"redo", kifu_fuzz__redo, 8},
    {"undo and redo", undo_and_redo, 3},
    {"undo far", undo_far, 1},
    {"save and load", save_and_load, 3},
    {"fast load", load_fast, 2},
    {"quiet", be_quiet, 1},
    {"seek", kifu_fuzz__seek, 3},
    {"state at", kifu_fuzz__state_at, 2},
    {"fork", kifu_fuzz__fork, 2},
    {"transaction", kifu_fuzz__transaction, 6},
    {"try", kifu_fuzz__try, 4},
    {"verify replay", kifu_fuzz__verify_replay, 2},
    {"verify rules", kifu_fuzz__verify_rules, 2},
    {"little memory", kifu_fuzz__starve, 3},
    {"log file", kifu_fuzz__log_file, 3},
    {"worlds", kifu_fuzz__worlds, 4}, // The last one: only games that hide something have it.
};
enum { OPERATIONS = sizeof operations / sizeof *operations };
_Static_assert(OPERATIONS <= (size_t)FUZZ_MOST_OPERATIONS, "room for the counts");

const char *kifu_fuzz__operation_name(uint32_t operation)
{
    return operation < OPERATIONS ? operations[operation].name : NULL;
}

// Each game does without some operations: others go undisturbed for longer then, and meet what all together never
// would.
static void choose_operations(fuzz *fuzz)
{
    const bool hides = fuzz->rules->hiding && fuzz->rules->hiding->value_count;
    const uint32_t count = OPERATIONS - (hides ? 0 : 1);
    for (uint32_t i = 0; i < count; i++) {
        bool chosen = kifu_fuzz__one_in(fuzz, 2) || i == 0;
        fuzz->weights[i] = chosen ? operations[i].weight : 0;
    }
    if (!fuzz->plan->worlds)
        return;
    memset(fuzz->weights, 0, sizeof fuzz->weights);
    fuzz->weights[0] = 1;
    fuzz->weights[OPERATIONS - 1] = 4;
}

static uint32_t random_operation(fuzz *fuzz)
{
    uint32_t sum = 0, operation = 0;
    for (uint32_t i = 0; i < OPERATIONS; i++)
        sum += fuzz->weights[i];
    uint32_t at = kifu_fuzz__below(fuzz, sum);
    while (at >= fuzz->weights[operation])
        at -= fuzz->weights[operation++];
    return operation;
}

static void play_step(fuzz *fuzz, uint32_t step)
{
    kifu_fuzz__begin_step();
    fuzz->progress->step = step;
    kifu_rng_seed(&fuzz->rng, fuzz->plan->seed, step);
    uint32_t operation = random_operation(fuzz);
    fuzz->progress->done[operation]++;
    doing(fuzz, operations[operation].name);
    kifu_fuzz__trace(fuzz, "\n  step %" PRIu32 ": %s", step, operations[operation].name);
    kifu_fuzz__save_here(fuzz);
    operations[operation].run(fuzz);
    kifu_fuzz__recognise(fuzz, operations[operation].name);
    kifu_fuzz__check_shown(fuzz, operations[operation].name);
    if (kifu_fuzz__one_in(fuzz, 2))
        kifu_fuzz__append(fuzz, NULL);
    if (kifu_fuzz__one_in(fuzz, 16)) {
        doing(fuzz, "save and load");
        kifu_fuzz__execute_again(fuzz, "saved and loaded", false, false);
    }
}

// --- A game ---------------------------------------------------------------------------------------------------------

static void make_timeline(fuzz *fuzz)
{
    kifu_fuzz__make_view(fuzz);
    kifu_options *options = &fuzz->table.options;
    options->seed = fuzz->plan->seed | 1;
    options->quiet = kifu_fuzz__one_in(fuzz, 2);
    options->sync_test = kifu_fuzz__one_in(fuzz, 4) ? kifu_sync_test : NULL;
    fuzz->steady = kifu_fuzz__one_in(fuzz, 2);
    options->record_inputs = fuzz->steady ? kifu_record_inputs : NULL;
    options->hash_interval = kifu_fuzz__one_in(fuzz, 2) ? kifu_fuzz__below(fuzz, 8) : 0;
    if (kifu_fuzz__one_in(fuzz, 2))
        options->keyframe_bytes = 1 + (size_t)fuzz->rules->state_size * kifu_fuzz__below(fuzz, 12);
    fuzz->table.options = kifu_fuzz__options(fuzz);
    kifu_error error;
    if (kifu_create(fuzz->rules, &fuzz->table.options, &fuzz->table.timeline, &error))
        kifu_fuzz__fail(fuzz, "no timeline", "kifu_create: %s", error.message);
    kifu_fuzz__prepare(fuzz, fuzz->table.timeline);
    kifu_fuzz__follow(fuzz);
}

void kifu_fuzz__play(const fuzz_plan *plan, fuzz_progress *progress)
{
    fuzz game = {.plan = plan, .rules = kifu_fuzz__watch(plan->rules, progress), .progress = progress};
    if (plan->hooks)
        game.hooks = *plan->hooks;
    kifu_rng_seed(&game.rng, plan->seed, 0);
    make_timeline(&game);
    choose_operations(&game);
    kifu_fuzz__save_here(&game);
    kifu_fuzz__begin_game(&game);
    for (uint32_t step = 1; step <= plan->steps; step++)
        if (!plan->wanted || plan->wanted[step])
            play_step(&game, step);
    doing(&game, "the end");
    kifu_fuzz__trace(&game, "\n  the end, after %" PRIu32 " events", kifu_event_count(game.table.timeline));
    kifu_fuzz__look(&game, game.table.timeline, true);
    kifu_fuzz__recognise(&game, "the end");
    kifu_fuzz__execute_again(&game, "saved and loaded at the end", false, false);
    kifu_fuzz__verify_rules(&game);
    kifu_fuzz__dispose(&game, &game.table);
    if (game.blocks && game.table.options.allocate == kifu_fuzz__allocate)
        kifu_fuzz__fail(&game, "memory is left", "%" PRIu32 " blocks of memory were not freed", game.blocks);
    free(game.view);
    free(game.chain);
    free(game.known);
    free(game.undone);
    free(game.appended);
    progress->ended = true;
}
