// What all operations share: memory that is refused, and comparing the timeline with the model.

#include "step.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- Memory that fails ----------------------------------------------------------------------------------------------

static void *allocate(void *context, void *block, size_t size)
{
    walk_memory *memory = (walk_memory *)context;
    if (size == 0) {
        memory->blocks -= block != NULL;
        free(block);
        return NULL;
    }
    if (memory->until_failure == 0) {
        memory->failed = true;
        memory->until_failure = memory->for_ever ? 0 : -1;
        return NULL;
    }
    memory->until_failure -= memory->until_failure > 0;
    memory->blocks += block == NULL;
    return realloc(block, size);
}

kifu_options walk_options(walk *walk, bool variations, bool notes)
{
    return (kifu_options){
        .allocate = allocate,
        .allocate_context = &walk->memory,
        .keep_variations = variations ? kifu_keep_variations : NULL,
        .promote_played = walk->config.promotes,
        .keep_notes = notes ? kifu_keep_notes : NULL,
        .from_state = walk->config.no_root ? NULL : kifu_begin_from_state,
        .sync_test = walk->config.sync ? kifu_sync_test : NULL,
        .record_inputs = walk->config.records ? kifu_record_inputs : NULL,
        .hash_interval = walk->config.hash_interval,
        .observers = walk->game->triggers ? *walk->game->triggers : (kifu_observers){0},
        .max_consequences = 60,
        .seed = 11,
    };
}

// The call between these two may be refused memory.
void walk_arm(walk *walk, const walk_op *op)
{
    walk->memory.failed = false;
    if (op->fail) {
        walk->memory.until_failure = op->fail / 2 % 40;
        walk->memory.for_ever = op->fail % 2;
        walk_say(walk, "memory.until_failure = %ld, memory.for_ever = %d; // The next call is refused memory.",
                 walk->memory.until_failure, walk->memory.for_ever);
    }
}

bool walk_disarm(walk *walk)
{
    walk->memory.until_failure = -1;
    // So many calls to go somewhere can be told to a log file without memory.
    enum { TOLD = 4 };
    walk->anew |= walk->memory.failed && walk->since >= TOLD;
    return walk->memory.failed;
}

// --- The timeline and the model -------------------------------------------------------------------------------------

void walk_see(kifu_timeline *timeline, walk_tree *got, const char *what)
{
    const char *why;
    if (!walk_observe(timeline, got, &why))
        walk_fail("look", "%s: %s", what, why);
}

void walk_expect(walk *walk, const char *kind, bool good, const char *what, kifu_result result)
{
    if (!good)
        walk_fail(kind, "%s: %s: %s", what, kifu_result_text(result), kifu_last_error(walk->timeline)->message);
}

// Nothing may have changed.
void walk_expect_same(walk *walk, const char *what)
{
    walk_tree got;
    walk_see(walk->timeline, &got, what);
    const char *why = walk_differs(&walk->tree, &got);
    if (why)
        walk_fail("same", "%s: %s", what, why);
    walk_drop(&got);
}

// As kifu_state_hash (timeline.h) says it.
uint64_t walk_hash_of(const void *state, uint32_t size)
{
    uint64_t hash = 0;
    for (uint32_t at = 0; at < size; at += 8) {
        uint64_t word = 0;
        memcpy(&word, (const unsigned char *)state + at, size - at < 8 ? size - at : 8);
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash;
}

// States after events that are new: they are found again wherever the game comes back.
void walk_learn_hashes(walk *walk, const char *what)
{
    walk_tree *tree = &walk->tree;
    kifu_cursor *past = NULL;
    for (uint32_t place = tree->place; place > tree->first; place--) {
        walk_event *event = walk_event_of(tree, tree->current, place - 1);
        if (event->hashed)
            break;
        kifu_result result = KIFU_OK;
        if (place == tree->place) {
            event->hash = tree->hash;
        } else {
            if (!past)
                result = kifu_cursor_open(walk->timeline, place, &past);
            else
                result = kifu_cursor_back(past);
            walk_expect(walk, "cursor", !result && kifu_cursor_position(past) == place, what, result);
            event->hash = walk_hash_of(kifu_cursor_state(past), walk->game->rules->state_size);
        }
        event->hashed = true;
    }
    kifu_cursor_close(past);
    if (tree->place == tree->first && !tree->first_hashed) {
        tree->first_hash = tree->hash;
        tree->first_hashed = true;
    }
}

// The model is where `got` is; the rest of both must be equal, too.
void walk_accept(walk *walk, walk_tree *got, const char *what)
{
    walk_tree *tree = &walk->tree;
    tree->waiting.count = got->waiting.count;
    free(tree->waiting.items);
    tree->waiting.items = got->waiting.items;
    got->waiting.items = NULL;
    got->waiting.count = 0;
    const uint32_t undo = walk_undo_count(tree, walk->game->rules, tree->first);
    if (undo != got->can_undo)
        walk_fail("can_undo", "%s: undo takes back %u events, not %u", what, got->can_undo, undo);
    const char *why = walk_may_redo(tree, got);
    if (why)
        walk_fail("can_redo", "%s: %s", what, why);
    tree->can_undo = got->can_undo;
    tree->can_redo = got->can_redo;
    tree->hash = got->hash;
    walk_drop(got);
    walk_learn_hashes(walk, what);
    walk_expect_same(walk, what);
}

// After a call that plays.
void walk_expect_grown(walk *walk, const char *what, const walk_growth *how)
{
    walk_tree got;
    walk_see(walk->timeline, &got, what);
    const char *why = walk_grew(&walk->tree, &got, how);
    if (why)
        walk_fail("grew", "%s: %s", what, why);
    walk->tree.hash = got.hash;
    walk_accept(walk, &got, what);
}

bool walk_has_no_root(walk *walk, kifu_result result, const char *what)
{
    if (!walk->config.no_root || !walk->tree.first)
        return false;
    walk_expect(walk, "root", result == KIFU_MISUSE, what, result);
    if (!walk->open)
        walk_expect_same(walk, what);
    return true;
}

// Events before an open transaction stay.
void walk_expect_before(walk *walk, const char *what)
{
    kifu_event event;
    const walk_tree *tree = &walk->tree;
    for (uint32_t i = tree->first; i < tree->place; i++) {
        const walk_event *own = walk_event_of(tree, tree->current, i);
        if (!kifu_event_at(walk->timeline, i, &event) || event.type != own->type || event.flags != own->flags)
            walk_fail("open", "%s: event %u changed inside of a transaction", what, i);
    }
}

void walk_played(walk *walk, const char *what, bool one_input, bool starved)
{
    if (walk->open)
        walk_expect_before(walk, what);
    else
        walk_expect_grown(walk, what,
                          &(walk_growth){.variations = walk->variations,
                                         .promotes = walk->config.promotes,
                                         .one_input = one_input,
                                         .starved = starved});
}

// --- All of them ----------------------------------------------------------------------------------------------------

const walk_kind walk_kinds[] = {
#define WALK_KIND(name, weight) {#name, weight, walk_op_##name},
    WALK_KINDS(WALK_KIND)
#undef WALK_KIND
};
const uint32_t walk_kind_count = sizeof walk_kinds / sizeof *walk_kinds;

// Whether an operation changes nothing, as far as a log file is concerned; or says itself that it does.
static bool is_quiet(const walk_kind *kind)
{
    void (*const quiet[])(walk *, const walk_op *) = {
        walk_op_begin, walk_op_commit,   walk_op_roll_back, walk_op_empty, walk_op_verify, walk_op_seek,
        walk_op_look,  walk_op_try,      walk_op_save,      walk_op_json,  walk_op_later,  walk_op_fork,
        walk_op_torn,  walk_op_log_open, walk_op_kill,      walk_op_watch, walk_op_restart};
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
        if (quiet[i] == kind->run)
            return true;
    }
    return false;
}

void walk_run(const walk_plan *plan, const char *path, FILE *print)
{
    walk walk = {.game = &walk_games[plan->config.game % walk_game_count], .config = plan->config, .print = print};
    walk.memory.until_failure = -1;
    walk_none_differs();
    walk.variations = !plan->config.no_variations;
    walk.notes = !plan->config.no_notes;
    snprintf(walk.path, sizeof walk.path, "%s", path);
    unlink(walk.path);
    const kifu_options options = walk_options(&walk, walk.variations, walk.notes);
    kifu_error error;
    walk_say(
        &walk,
        "test_memory memory = {.until_failure = -1};\nkifu_ticket ticket = 0;\nconst paste how = {.variations = %d, "
        ".notes = %d, .no_root = %d, .promotes = %d, .sync = %d, .records = %d, .hash_interval = %u, .memory = "
        "&memory%s};\nkifu_timeline *timeline = "
        "paste_new(&%s_rules, "
        "&how);",
        walk.variations, walk.notes, plan->config.no_root, plan->config.promotes, plan->config.sync,
        plan->config.records, plan->config.hash_interval, walk.game->triggers ? ", .triggers = &duel_triggers" : "",
        walk.game->name);
    if (kifu_create(walk.game->rules, &options, &walk.timeline, &error))
        walk_fail("create", "%s", error.message);
    walk.game->begin(&walk);
    const char *why;
    if (!walk_observe(walk.timeline, &walk.tree, &why))
        walk_fail("look", "%s", why);
    walk.tree.hides = walk.game->actor != NULL;
    walk_learn_hashes(&walk, "at the beginning");
    if (plan->config.logged)
        walk_op_log_open(&walk, &(walk_op){.b = 1});
    for (walk.step = 0; walk.step < plan->count; walk.step++) {
        const walk_op *op = &plan->ops[walk.step];
        const walk_kind *kind = &walk_kinds[op->kind % walk_kind_count];
        walk.since++;
        walk.as_loaded = walk.as_loaded && is_quiet(kind);
        kind->run(&walk, op);
        if (walk.step % 8 == 7)
            walk_op_verify(&walk, op);
        if (plan->config.logged && walk.log_open && !walk.open)
            walk_append(&walk, &(walk_op){.fail = 0}, "a log file");
        if (walk.tree.line_count > 300 || walk.tree.place > 600)
            break;
    }
    walk_close_all(&walk);
    if (walk.log_open)
        walk_append(&walk, &(walk_op){.fail = 0}, "a log file at the end");
    walk_op_verify(&walk, NULL);
    kifu_destroy(walk.timeline);
    walk_close_followers(&walk);
    walk_drop(&walk.tree);
    walk_lose_log(&walk);
    if (walk.memory.blocks)
        walk_fail("leak", "%ld blocks of memory are left", walk.memory.blocks);
}
