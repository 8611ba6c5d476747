// The operations of the walk: each calls the library, and then the model.

#include <kifu/zstd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "walk.h"

#ifdef WALK_TOOL
#include <kifu/main.h>
#endif

// --- Memory that fails -----------------------------------------------------------------------------------------------

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
        .keep_notes = notes ? kifu_keep_notes : NULL,
        .from_state = kifu_begin_from_state,
        .hash_interval = walk->config.hash_interval,
        .observers = walk->game->triggers ? *walk->game->triggers : (kifu_observers){0},
        .max_consequences = 60,
        .seed = 11,
    };
}

// The call between these two may be refused memory.
static void arm(walk *walk, const walk_op *op)
{
    walk->memory.failed = false;
    if (op->fail) {
        walk->memory.until_failure = op->fail / 2 % 40;
        walk->memory.for_ever = op->fail % 2;
        walk_say(walk, "memory.until_failure = %ld, memory.for_ever = %d; // the next call is refused memory",
                 walk->memory.until_failure, walk->memory.for_ever);
    }
}

static bool disarm(walk *walk)
{
    walk->memory.until_failure = -1;
    return walk->memory.failed;
}

// --- The timeline and the model --------------------------------------------------------------------------------------

static void observe(kifu_timeline *timeline, walk_tree *got, const char *what)
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
static void expect_same(walk *walk, const char *what)
{
    walk_tree got;
    observe(walk->timeline, &got, what);
    const char *why = walk_differs(&walk->tree, &got);
    if (why)
        walk_fail("same", "%s: %s", what, why);
    walk_drop(&got);
}

// As kifu_state_hash (timeline.h) says it.
static uint64_t hash_of(const void *state, uint32_t size)
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
static void learn_hashes(walk *walk, const char *what)
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
            event->hash = hash_of(kifu_cursor_state(past), walk->game->rules->state_size);
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
static void accept(walk *walk, walk_tree *got, const char *what)
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
    learn_hashes(walk, what);
    expect_same(walk, what);
}

// After a call that plays.
static void expect_grown_how(walk *walk, const char *what, const walk_growth *how)
{
    walk_tree got;
    observe(walk->timeline, &got, what);
    const char *why = walk_grew(&walk->tree, &got, how);
    if (why)
        walk_fail("grew", "%s: %s", what, why);
    walk->tree.hash = got.hash;
    accept(walk, &got, what);
}

static void expect_grown(walk *walk, const char *what, bool one_input, bool starved)
{
    expect_grown_how(walk, what,
                     &(walk_growth){.variations = walk->variations, .one_input = one_input, .starved = starved});
}

// Events before an open transaction stay.
static void expect_before(walk *walk, const char *what)
{
    kifu_event event;
    const walk_tree *tree = &walk->tree;
    for (uint32_t i = tree->first; i < tree->place; i++) {
        const walk_event *own = walk_event_of(tree, tree->current, i);
        if (!kifu_event_at(walk->timeline, i, &event) || event.type != own->type || event.flags != own->flags)
            walk_fail("open", "%s: event %u changed inside of a transaction", what, i);
    }
}

static void played(walk *walk, const char *what, bool one_input, bool starved)
{
    if (walk->open)
        expect_before(walk, what);
    else
        expect_grown(walk, what, one_input, starved);
}

// A submit without memory is told by the next call, which does nothing else.
static void take_fault(walk *walk)
{
    if (!walk->ticket && walk->memory.failed) {
        walk_say(walk, "(void)!kifu_step(timeline);");
        (void)!kifu_step(walk->timeline);
    }
}

// --- Playing ---------------------------------------------------------------------------------------------------------

typedef enum then_run { THEN_NOTHING, THEN_STEP, THEN_RUN, THEN_UPDATE } then_run;

static bool one_waits(const walk *walk)
{
    return kifu_pending_count(walk->timeline) <= 1;
}

static void run(walk *walk, const walk_op *op, then_run then)
{
    const bool one = one_waits(walk) || then == THEN_STEP;
    if (then == THEN_NOTHING)
        return;
    arm(walk, op);
    if (then == THEN_STEP) {
        walk_say(walk, "(void)!kifu_step(timeline);");
        (void)!kifu_step(walk->timeline);
    } else if (then == THEN_RUN) {
        walk_say(walk, "(void)!kifu_run(timeline);");
        (void)!kifu_run(walk->timeline);
    } else {
        walk_say(walk, "(void)!kifu_update(timeline, 1);");
        (void)!kifu_update(walk->timeline, 1);
    }
    const bool starved = disarm(walk);
    played(walk, "after a run", one, starved);
}

static void submit_then(walk *walk, const walk_op *op, then_run then)
{
    arm(walk, op);
    const kifu_result result = walk->game->input(walk, WALK_SUBMIT, op->a, op->b);
    const bool starved = disarm(walk);
    if (result && !starved)
        return;
    take_fault(walk);
    played(walk, "after a submit", true, starved);
    run(walk, &(walk_op){.fail = op->fail ? op->fail + 7 : 0}, then);
}

static void op_submit_run(walk *walk, const walk_op *op)
{
    submit_then(walk, op, THEN_RUN);
}

static void op_submit_step(walk *walk, const walk_op *op)
{
    submit_then(walk, op, THEN_STEP);
}

static void op_submit(walk *walk, const walk_op *op)
{
    submit_then(walk, op, THEN_NOTHING);
}

static void op_run(walk *walk, const walk_op *op)
{
    run(walk, op, op->a % 4 ? THEN_RUN : THEN_UPDATE);
}

static void op_step(walk *walk, const walk_op *op)
{
    run(walk, op, THEN_STEP);
}

static void op_play(walk *walk, const walk_op *op)
{
    const bool one = kifu_pending_count(walk->timeline) == 0;
    arm(walk, op);
    const kifu_result result = walk->game->input(walk, WALK_PLAY, op->a, op->b);
    const bool starved = disarm(walk);
    if (result != KIFU_UNSUPPORTED)
        played(walk, "after playing directly", one, starved);
}

static void op_engine(walk *walk, const walk_op *op)
{
    if (!walk->game->engine)
        return;
    arm(walk, op);
    walk->game->engine(walk, op->a);
    const bool starved = disarm(walk);
    take_fault(walk);
    played(walk, "after an engine event", true, starved);
    run(walk, &(walk_op){.fail = op->fail ? op->fail + 5 : 0},
        op->b % 4   ? THEN_RUN
        : op->b % 8 ? THEN_STEP
                    : THEN_NOTHING);
}

// An event of the log once more, as bytes.
static void op_bytes(walk *walk, const walk_op *op)
{
    const uint32_t first = kifu_first_event(walk->timeline), count = kifu_event_count(walk->timeline);
    kifu_event event;
    if (count == first || !kifu_event_at(walk->timeline, first + op->a % (count - first), &event))
        return;
    kifu_buffer buffer = {0};
    arm(walk, op);
    walk_say(walk, "submit_event_bytes(timeline, %u, %d); (void)!kifu_run(timeline);", event.index, event.player);
    const bool one = kifu_pending_count(walk->timeline) == 0;
    kifu_result result = kifu_event_bytes(walk->timeline, event.index, &buffer);
    if (!result)
        result = kifu_submit_bytes(walk->timeline, event.player, buffer.data, buffer.size, NULL);
    const bool starved = disarm(walk);
    kifu_free_buffer(&buffer);
    const bool player = walk->game->rules->types[event.type].is_player;
    walk_expect(walk, "bytes", starved || !result == player || result == KIFU_REJECTED, "bytes of an event", result);
    if (!result)
        (void)!kifu_run(walk->timeline);
    played(walk, "after bytes", one, starved);
}

static void op_turn(walk *walk, const walk_op *op)
{
    if (!walk->game->decide)
        return;
    kifu_rng rng;
    kifu_turn turn;
    kifu_rng_seed(&rng, op->a % 32, 3);
    const bool one = kifu_pending_count(walk->timeline) == 0;
    walk_say(walk, "kifu_rng_seed(&rng, %u, 3); (void)!kifu_take_turn(timeline, crawl_fuzz_hooks.decide, &rng, &turn);",
             op->a % 32);
    arm(walk, op);
    (void)!kifu_take_turn(walk->timeline, walk->game->decide, &rng, &turn);
    const bool starved = disarm(walk);
    played(walk, "after a turn", one, starved);
    run(walk, &(walk_op){.fail = 0}, op->b % 3 ? THEN_RUN : op->b % 2 ? THEN_STEP : THEN_NOTHING);
}

static void op_set_action(walk *walk, const walk_op *op)
{
    if (!walk->game->actor)
        return;
    const kifu_handle actor = walk->game->actor(walk->timeline, op->a);
    walk->ticket = 0;
    arm(walk, op);
    if (op->b % 4)
        (void)!walk->game->input(walk, WALK_SUBMIT, op->a / 8, op->b / 4);
    walk_say(walk, "(void)!kifu_set_action(timeline, %u, ticket);", actor);
    if (walk->ticket || !(op->b % 4))
        (void)!kifu_set_action(walk->timeline, actor, walk->ticket);
    const bool starved = disarm(walk);
    take_fault(walk);
    played(walk, "after an action was set", true, starved);
}

static void op_drop(walk *walk, const walk_op *op)
{
    (void)op;
    walk_say(walk, "(void)!kifu_drop_inputs(timeline);");
    (void)!kifu_drop_inputs(walk->timeline);
    played(walk, "after inputs were dropped", true, false);
}

static void op_override(walk *walk, const walk_op *op)
{
    if (walk->game->input(walk, WALK_SUBMIT, op->a, op->b) || !walk->ticket)
        return;
    walk_say(walk, "(void)!kifu_override(timeline, ticket, %s, %s);", op->a % 3 ? "true" : "false",
             op->b % 2 ? "true" : "false");
    (void)!kifu_override(walk->timeline, walk->ticket, op->a % 3 != 0, op->b % 2 != 0);
    played(walk, "after an override", true, false);
    run(walk, &(walk_op){.fail = 0}, op->b % 4 ? THEN_RUN : THEN_NOTHING);
}

// --- Undo, redo, other places ----------------------------------------------------------------------------------------

// A call that goes somewhere was refused: nothing may have changed. KIFU_FAILED: nothing here fails in a replay.
static bool refused(walk *walk, kifu_result result, bool starved, const char *what)
{
    if (!result)
        return false;
    const bool good = result == KIFU_MISUSE || result == KIFU_NOT_UNDOABLE || result == KIFU_NOTHING_TO_UNDO ||
                      result == KIFU_NOTHING_TO_REDO || (result == KIFU_NO_MEMORY && starved);
    walk_expect(walk, "refused", good, what, result);
    if (walk->open)
        expect_before(walk, what);
    else
        expect_same(walk, what);
    return true;
}

static void op_undo(walk *walk, const walk_op *op)
{
    walk_say(walk, "(void)!kifu_undo(timeline);");
    arm(walk, op);
    const kifu_result result = kifu_undo(walk->timeline);
    const bool starved = disarm(walk);
    if (refused(walk, result, starved, "after an undo that was refused"))
        return;
    if (walk->open) {
        expect_before(walk, "after an undo");
        return;
    }
    walk_tree got;
    observe(walk->timeline, &got, "after an undo");
    const char *why = walk_undone(&walk->tree, &got, walk->game->rules, walk->tree.first);
    if (why)
        walk_fail("undo", "%s", why);
    accept(walk, &got, "after an undo");
}

static void op_redo(walk *walk, const walk_op *op)
{
    const uint32_t before = walk->open ? 0 : walk->tree.can_redo;
    walk_say(walk, "(void)!kifu_redo(timeline);");
    arm(walk, op);
    const kifu_result result = kifu_redo(walk->timeline);
    const bool starved = disarm(walk);
    if (refused(walk, result, starved, "after a redo that was refused")) {
        if (before && !starved)
            walk_expect(walk, "redo", false, "a redo is possible, and refused", result);
        return;
    }
    if (walk->open) {
        expect_before(walk, "after a redo");
        return;
    }
    walk_tree got;
    observe(walk->timeline, &got, "after a redo");
    const char *why = walk_redone(&walk->tree, &got);
    if (why)
        walk_fail("redo", "%s", why);
    accept(walk, &got, "after a redo");
}

static void go(walk *walk, const walk_op *op, uint32_t line, uint32_t count, bool anyway)
{
    if (count == KIFU_WHERE_LEFT)
        walk_say(walk, "(void)!kifu_go_to(timeline, %u, KIFU_WHERE_LEFT, %s);", line, anyway ? "true" : "false");
    else
        walk_say(walk, "(void)!kifu_go_to(timeline, %u, %u, %s);", line, count, anyway ? "true" : "false");
    const uint32_t waited = walk->tree.waiting.count;
    arm(walk, op);
    const kifu_result result = kifu_go_to(walk->timeline, line, count, anyway);
    const bool starved = disarm(walk);
    if (refused(walk, result, starved, "after a go to that was refused")) {
        const bool may =
            starved || walk->open || (result == KIFU_MISUSE && waited) || (result == KIFU_NOT_UNDOABLE && !anyway);
        walk_expect(walk, "go_to", may, "a go to was refused", result);
        return;
    }
    if (walk->open)
        walk_fail("open", "kifu_go_to inside of a transaction");
    walk_tree got;
    observe(walk->timeline, &got, "after a go to");
    if (count == KIFU_WHERE_LEFT)
        count = line == walk->tree.current                 ? walk->tree.place
                : walk->tree.lines[line].left == KIFU_NONE ? got.place
                                                           : walk->tree.lines[line].left;
    const char *why = walk_went(&walk->tree, &got, line, count);
    if (why)
        walk_fail("go_to", "%s", why);
    accept(walk, &got, "after a go to");
}

static void op_go_to(walk *walk, const walk_op *op)
{
    const uint32_t line = walk_nth(&walk->tree, op->a), first = walk->tree.first;
    go(walk, op, line, first + op->b / 2 % (walk->tree.lines[line].end - first + 1), op->b % 2);
}

static void op_go_left(walk *walk, const walk_op *op)
{
    go(walk, op, walk_nth(&walk->tree, op->a), KIFU_WHERE_LEFT, op->b % 4 != 0);
}

// --- The tree --------------------------------------------------------------------------------------------------------

static void op_promote(walk *walk, const walk_op *op)
{
    const uint32_t line = walk_nth(&walk->tree, op->a);
    walk_say(walk, "(void)!kifu_promote_line(timeline, %u);", line);
    arm(walk, op);
    const kifu_result result = kifu_promote_line(walk->timeline, line);
    if (refused(walk, result, disarm(walk), "after promoting was refused"))
        return;
    walk->tree.main = line;
    expect_same(walk, "after promoting");
}

static void op_delete(walk *walk, const walk_op *op)
{
    const uint32_t line = walk_nth(&walk->tree, op->a);
    bool leads = false;
    for (uint32_t up = walk->tree.current;; up = walk->tree.lines[up].parent) {
        leads |= up == line;
        if (walk->tree.lines[up].parent == up)
            break;
    }
    walk_say(walk, "(void)!kifu_delete_line(timeline, %u);", line);
    arm(walk, op);
    const kifu_result result = kifu_delete_line(walk->timeline, line);
    if (refused(walk, result, disarm(walk), "after deleting was refused"))
        return;
    if (leads)
        walk_fail("delete", "line %u leads to the current one, and was deleted", line);
    walk_delete(&walk->tree, line);
    walk_tree got;
    observe(walk->timeline, &got, "after deleting");
    accept(walk, &got, "after deleting");
}

static void op_note(walk *walk, const walk_op *op)
{
    static const char *const keys[] = {KIFU_NOTE_COMMENT, KIFU_NOTE_GLYPH, "k"}, *const texts[] = {"good", "",
                                                                                                   "caf\xC3\xA9", NULL,
                                                                                                   NULL};
    if (walk->open)
        return;
    const uint32_t line = walk_nth(&walk->tree, op->a);
    const walk_line *own = &walk->tree.lines[line];
    const uint32_t room = own->end - own->from + 1;
    uint32_t event = own->from + op->b % room;
    event = event == own->end ? KIFU_BEFORE_FIRST : event;
    const char *key = keys[op->a / 16 % 3], *text = texts[op->a / 64 % 5];
    const bool bytes = op->a / 512 % 6 == 0;
    arm(walk, op);
    kifu_result result;
    if (bytes) {
        walk_say(walk, "(void)!kifu_set_note_bytes(timeline, %u, %u, \"%s\", \"\\0\\xFF\", 2);", line, event, key);
        result = kifu_set_note_bytes(walk->timeline, line, event, key, "\0\xFF", 2);
    } else {
        if (text)
            walk_say(walk, "(void)!kifu_set_line_note(timeline, %u, %u, \"%s\", \"%s\");", line, event, key, text);
        else
            walk_say(walk, "(void)!kifu_set_line_note(timeline, %u, %u, \"%s\", NULL);", line, event, key);
        result = kifu_set_line_note(walk->timeline, line, event, key, text);
    }
    if (refused(walk, result, disarm(walk), "after a note was refused")) {
        walk_expect(walk, "note", !walk->notes || walk->memory.failed, "a note was refused", result);
        return;
    }
    kifu_note note;
    const bool found = kifu_find_note(walk->timeline, line, event, key, &note);
    if (found != (bytes || text) || (found && (bytes ? note.size != 2 : !note.text || strcmp(note.text, text))))
        walk_fail("note", "a note at event %u of line %u was set, and is not there", event, line);
    walk_tree got;
    observe(walk->timeline, &got, "after a note");
    free(walk->tree.notes);
    walk->tree.notes = got.notes;
    walk->tree.note_count = got.note_count;
    got.notes = NULL;
    walk_drop(&got);
    expect_same(walk, "after a note");
}

static void op_forget(walk *walk, const walk_op *op)
{
    if (op->b % 4 || walk->open)
        return;
    const uint32_t count = walk->tree.first + op->a % (walk->tree.place - walk->tree.first + 1);
    walk_say(walk, "(void)!kifu_forget(timeline, %u);", count);
    arm(walk, op);
    const kifu_result result = kifu_forget(walk->timeline, count);
    if (refused(walk, result, disarm(walk), "after forgetting was refused"))
        return;
    const uint32_t first = kifu_first_event(walk->timeline);
    if (first > count || first < walk->tree.first)
        walk_fail("forget", "%u events are forgotten, and %u were to be", first, count);
    if (first > walk->tree.first)
        walk_forget(&walk->tree, first);
    walk_tree got;
    observe(walk->timeline, &got, "after forgetting");
    accept(walk, &got, "after forgetting");
}

static void op_keep_variations(walk *walk, const walk_op *op)
{
    if (walk->variations || walk->open || op->a % 4)
        return;
    walk_say(walk, "(void)!kifu_keep_variations(timeline);");
    if (kifu_keep_variations(walk->timeline))
        walk_fail("keep", "kifu_keep_variations: %s", kifu_last_error(walk->timeline)->message);
    walk->variations = true;
    expect_same(walk, "after variations are kept");
}

// --- Looking ---------------------------------------------------------------------------------------------------------

static void op_verify(walk *walk, const walk_op *op)
{
    kifu_difference difference;
    (void)op;
    walk_say(walk, "must(timeline, kifu_verify_replay(timeline, NULL));");
    const kifu_result result = kifu_verify_replay(walk->timeline, &difference);
    walk_expect(walk, "verify", !result || (walk->open && result == KIFU_MISUSE), "kifu_verify_replay", result);
}

static void op_seek(walk *walk, const walk_op *op)
{
    if (walk->open)
        return;
    const walk_tree *tree = &walk->tree;
    const uint32_t count = tree->first + op->a % (tree->place - tree->first + 1);
    walk_say(walk, "(void)!kifu_seek(timeline, %u);", count);
    arm(walk, op);
    kifu_result result = kifu_seek(walk->timeline, count);
    const bool starved = disarm(walk);
    walk_expect(walk, "seek", !result || (result == KIFU_NO_MEMORY && starved), "kifu_seek", result);
    const walk_event *last = !result && count > tree->first ? walk_event_of(tree, tree->current, count - 1) : NULL;
    if (last && last->hashed && last->hash != kifu_state_hash(walk->timeline))
        walk_fail("seek", "after event %u the state is not what it was", count);
    if (op->b % 3 == 0 && !result && count < tree->place) {
        walk_say(walk, "(void)!kifu_play(timeline, 1); (void)!kifu_update(timeline, 5);");
        result = kifu_play(walk->timeline, 1);
        if (!result)
            result = kifu_update(walk->timeline, 5);
        walk_expect(walk, "film", !result, "a film", result);
    }
    walk_say(walk, "(void)!kifu_seek(timeline, KIFU_PRESENT);");
    result = kifu_seek(walk->timeline, KIFU_PRESENT);
    walk_expect(walk, "seek", !result, "kifu_seek", result);
    expect_same(walk, "after a seek");
}

static void op_try(walk *walk, const walk_op *op)
{
    const walk_how how = op->b / 2 % 4 ? WALK_TRY : WALK_CAN;
    arm(walk, op);
    const kifu_result result = walk->game->input(walk, how, op->a, op->b);
    disarm(walk);
    if (how == WALK_TRY && !result) {
        if (op->a % 2 && !walk->game->input(walk, how, op->a / 2, op->b)) {
            walk_say(walk, "(void)!kifu_take_back(timeline);");
            (void)!kifu_take_back(walk->timeline);
        }
        walk_say(walk, "(void)!kifu_take_back(timeline);");
        (void)!kifu_take_back(walk->timeline);
    }
    played(walk, "after a try", true, true);
}

// --- Transactions ----------------------------------------------------------------------------------------------------

static walk_picture picture_of(const kifu_timeline *timeline)
{
    walk_picture picture = {
        .place = kifu_event_count(timeline),
        .can_undo = kifu_can_undo(timeline, NULL),
        .can_redo = kifu_can_redo(timeline, NULL),
        .waiting = kifu_pending_count(timeline),
        .hash = kifu_state_hash(timeline),
    };
    kifu_event event;
    for (uint32_t i = 0; kifu_pending_at(timeline, i, &event); i++)
        picture.queue = walk_mix(picture.queue, &event.type, sizeof event.type);
    return picture;
}

static void op_begin(walk *walk, const walk_op *op)
{
    static const char *const names[] = {"0", "KIFU_DEFERRED", "KIFU_SEARCH", "0"};
    static const uint32_t flags[] = {0, KIFU_DEFERRED, KIFU_SEARCH, 0};
    if (walk->open == MOST_OPEN)
        return;
    const walk_picture picture = picture_of(walk->timeline);
    walk_say(walk, "(void)!kifu_begin(timeline, %s);", names[op->a % 4]);
    arm(walk, op);
    const kifu_result result = kifu_begin(walk->timeline, flags[op->a % 4]);
    const bool starved = disarm(walk);
    if (result) {
        walk_expect(walk, "begin", starved && result == KIFU_NO_MEMORY, "kifu_begin", result);
        if (walk->open)
            expect_before(walk, "after a begin that was refused");
        else
            expect_same(walk, "after a begin that was refused");
        return;
    }
    walk->before[walk->open] = picture;
    walk->search[walk->open++] = flags[op->a % 4] == KIFU_SEARCH;
}

static void op_roll_back(walk *walk, const walk_op *op)
{
    (void)op;
    if (!walk->open)
        return;
    walk_say(walk, "must(timeline, kifu_roll_back(timeline));");
    const kifu_result result = kifu_roll_back(walk->timeline);
    walk_expect(walk, "roll_back", !result, "kifu_roll_back", result);
    const walk_picture now = picture_of(walk->timeline);
    if (memcmp(&now, &walk->before[--walk->open], sizeof now))
        walk_fail(
            "roll_back",
            "a roll-back leads to event %u, undo %u, redo %u, %u waiting; not to %u, undo %u, redo %u, %u waiting",
            now.place, now.can_undo, now.can_redo, now.waiting, walk->before[walk->open].place,
            walk->before[walk->open].can_undo, walk->before[walk->open].can_redo, walk->before[walk->open].waiting);
    if (!walk->open)
        expect_same(walk, "after a roll-back");
}

static void op_commit(walk *walk, const walk_op *op)
{
    if (!walk->open)
        return;
    if (walk->search[walk->open - 1]) {
        op_roll_back(walk, op);
        return;
    }
    walk_say(walk, "(void)!kifu_commit(timeline);");
    const kifu_result result = kifu_commit(walk->timeline);
    if (result)
        return; // It is still open.
    if (--walk->open)
        expect_before(walk, "after a commit");
    else
        expect_grown_how(walk, "after a commit", &(walk_growth){.variations = walk->variations, .commit = true});
}

static void close_all(walk *walk)
{
    while (walk->open)
        op_roll_back(walk, NULL);
}

// --- Saves -----------------------------------------------------------------------------------------------------------

kifu_timeline *walk_loaded(walk *walk, const walk_load *load, const char *what)
{
    const kifu_options options = walk_options(walk, load->variations, load->notes);
    kifu_recovery recovery;
    kifu_left_out left_out = {0};
    const kifu_load_options load_options = {
        .codec = kifu_zstd(),
        .fast = load->fast,
        .recover = load->recover ? kifu_recover : NULL,
        .recovery = load->recover ? &recovery : NULL,
        .left_out = &left_out,
    };
    kifu_timeline *loaded;
    kifu_error error;
    const kifu_result result = load->bytes
                                   ? kifu_load_from_memory(walk->game->rules, load->bytes, load->size, &options,
                                                           &load_options, &loaded, &error)
                                   : kifu_load(walk->game->rules, walk->path, &options, &load_options, &loaded, &error);
    if (result)
        walk_fail("load", "%s: %s: %s", what, kifu_result_text(result), error.message);
    if (left_out.why.result)
        walk_fail("load", "%s: left out: %s", what, left_out.why.message);
    if (load->recover && recovery.dropped)
        walk_fail("load", "%s: recovery dropped %llu bytes: %s", what, (unsigned long long)recovery.dropped,
                  recovery.why.message);
    return loaded;
}

// In a line of a game that was loaded: where it was left, and what redo brings back there.
static void check_line(walk *walk, kifu_timeline *loaded, walk_tree *tree, uint32_t line, const char *what)
{
    walk_tree got;
    const kifu_result result = kifu_go_to(loaded, line, KIFU_WHERE_LEFT, true);
    if (result == KIFU_MISUSE && tree->waiting.count)
        return; // An input waits.
    if (result)
        walk_fail("deep", "%s: to line %u: %s: %s", what, line, kifu_result_text(result),
                  kifu_last_error(loaded)->message);
    for (uint32_t redo = 0; redo < 4; redo++) {
        observe(loaded, &got, what);
        const uint32_t left = tree->lines[line].left;
        const char *why = redo ? walk_redone(tree, &got)
                               : walk_went(tree, &got, line,
                                           line == tree->current ? tree->place
                                           : left == KIFU_NONE   ? got.place
                                                                 : left);
        if (!why) {
            free(tree->waiting.items);
            tree->waiting = got.waiting;
            got.waiting = (walk_queue){.count = 0};
            tree->can_undo = walk_undo_count(tree, walk->game->rules, tree->first);
            why = walk_may_redo(tree, &got);
            tree->can_redo = got.can_redo;
            walk_tree again;
            observe(loaded, &again, what);
            why = why ? why : walk_differs(tree, &again);
            walk_drop(&again);
        }
        if (why)
            walk_fail("deep", "%s: %s %u: %s", what, redo ? "redo in line" : "to line", line, why);
        const bool more = got.can_redo != 0;
        walk_drop(&got);
        if (!more)
            break;
        if (kifu_redo(loaded))
            walk_fail("deep", "%s: redo in line %u: %s", what, line, kifu_last_error(loaded)->message);
    }
}

void walk_check_load(walk *walk, kifu_timeline *loaded, const walk_tree *tree, const char *what)
{
    walk_tree got, copy;
    observe(loaded, &got, what);
    const char *why = walk_differs(tree, &got);
    if (why)
        walk_fail("loaded", "%s: %s", what, why);
    walk_drop(&got);
    walk_copy(&copy, tree);
    const uint32_t alive = walk_alive(tree);
    for (uint32_t i = 0; i < alive && i < 6; i++)
        check_line(walk, loaded, &copy, walk_nth(tree, i + (alive > 6 ? walk->step : 0)), what);
    if (walk->step % 4 == 0) {
        const kifu_result result = kifu_verify_replay(loaded, NULL);
        if (result)
            walk_fail("deep", "%s: verify: %s", what, kifu_last_error(loaded)->message);
    }
    walk_drop(&copy);
    kifu_destroy(loaded);
}

// The model of what a load with fewer options gives.
static walk_tree seen_by(const walk_tree *tree, bool variations, bool notes)
{
    walk_tree seen;
    if (variations)
        walk_copy(&seen, tree);
    else
        walk_project(&seen, tree);
    seen.note_count = notes ? seen.note_count : 0;
    return seen;
}

typedef struct text {
    char *at;
    size_t size, room;
} text;

static kifu_result gather(void *context, const char *bytes, size_t size)
{
    text *text = context;
    if (text->size + size + 1 > text->room) {
        text->room = 2 * (text->size + size) + 1000;
        text->at = (char *)realloc(text->at, text->room);
        if (!text->at)
            abort();
    }
    memcpy(text->at + text->size, bytes, size);
    text->size += size;
    text->at[text->size] = '\0';
    return KIFU_OK;
}

// Each stretch of a text from `begin` to `end` goes.
static void cut_out(char *text, const char *begin, const char *end)
{
    for (char *at = text; (at = strstr(at, begin)) != NULL;) {
        const char *behind = strstr(at + strlen(begin), end);
        if (!behind)
            return;
        behind += strlen(end);
        memmove(at, behind, strlen(behind) + 1);
    }
}

// Places where redo stops and nothing waits go: some say nothing, and are not kept.
static void cut_stops(char *text)
{
    static const char begin[] = "{\"executed\": ";
    for (char *at = text; (at = strstr(at, begin)) != NULL;) {
        char *end = at + sizeof begin - 1;
        end += strspn(end, "0123456789");
        if (*end != '}') {
            at = end;
            continue;
        }
        end += strncmp(end, "}, ", 3) ? 1 : 3;
        if (*end == ']' && at[-1] == ' ')
            at -= 2; // The comma before it.
        memmove(at, end, strlen(end) + 1);
    }
    cut_out(text, ",\n  \"undone\": []", "");
}

// All of a game as JSON, without the time and the recorded hashes.
static char *json_of(kifu_timeline *timeline)
{
    text json = {0};
    const kifu_save_options options = {.without_schema = true};
    if (kifu_json_game(timeline, &options, gather, &json))
        walk_fail("json", "%s", kifu_last_error(timeline)->message);
    cut_out(json.at, "  \"saved_at\"", "\n");
    cut_out(json.at, ",\n  \"hashes\": [", "]");
    cut_stops(json.at);
    return json.at;
}

static void expect_same_json(kifu_timeline *a, kifu_timeline *b, const char *what)
{
    char *one = json_of(a), *other = json_of(b);
    size_t at = 0;
    while (one[at] && one[at] == other[at])
        at++;
    if (one[at] != other[at])
        walk_fail("json", "%s: at byte %zu: %.120s | %.120s", what, at, one + (at > 40 ? at - 40 : 0),
                  other + (at > 40 ? at - 40 : 0));
    free(one);
    free(other);
}

typedef struct stored {
    unsigned char *bytes;
    size_t size;
} stored;

static bool store(walk *walk, const walk_op *op, stored *stored)
{
    const bool packed = op->a % 2;
    const kifu_save_options options = {.codec = packed ? kifu_zstd() : NULL,
                                       .without_schema = op->a / 2 % 4 != 0,
                                       .without_snapshot = op->a / 8 % 8 == 0,
                                       .title = op->a / 64 % 8 ? NULL : "walk"};
    walk_say(walk,
             "must(timeline, kifu_save_to_memory(timeline, &(kifu_save_options){.codec = %s, .without_schema = "
             "%d, .without_snapshot = %d}, &bytes, &size));",
             packed ? "kifu_zstd()" : "NULL", options.without_schema, options.without_snapshot);
    arm(walk, op);
    unsigned char *bytes;
    const kifu_result result = kifu_save_to_memory(walk->timeline, &options, &bytes, &stored->size);
    const bool starved = disarm(walk);
    walk_expect(walk, "save", !result || (starved && result == KIFU_NO_MEMORY), "kifu_save_to_memory", result);
    if (!result) {
        stored->bytes = (unsigned char *)walk_alloc(stored->size);
        memcpy(stored->bytes, bytes, stored->size);
        kifu_free_bytes(walk->timeline, bytes);
    }
    return !result;
}

// How to load, as the operation's numbers say.
static walk_load load_of(const walk *walk, const walk_op *op, const stored *stored)
{
    return (walk_load){
        .bytes = stored->bytes,
        .size = stored->size,
        .fast = op->b % 2,
        .recover = op->b / 2 % 2,
        .variations = op->b / 4 % 4 ? walk->variations : false,
        .notes = op->b / 16 % 4 ? walk->notes : false,
    };
}

static void say_load(walk *walk, const walk_load *load)
{
    walk_say(walk, "// loaded with keep_variations %d, keep_notes %d, fast %d, recover %d", load->variations,
             load->notes, load->fast, load->recover);
}

static void op_save(walk *walk, const walk_op *op)
{
    stored stored;
    if (walk->open || !store(walk, op, &stored))
        return;
    const walk_load load = load_of(walk, op, &stored);
    say_load(walk, &load);
    kifu_timeline *loaded = walk_loaded(walk, &load, "a save");
    if (op->a / 512 % 4 == 0 && load.variations == walk->variations && load.notes == walk->notes)
        expect_same_json(walk->timeline, loaded, "a save as JSON");
    walk_tree seen = seen_by(&walk->tree, load.variations, load.notes);
    walk_check_load(walk, loaded, &seen, "a save");
    walk_drop(&seen);
    free(stored.bytes);
    expect_same(walk, "after a save");
}

// The game goes on with another timeline.
static void replace(walk *walk, kifu_timeline *timeline, bool variations, bool notes, const char *what)
{
    kifu_destroy(walk->timeline);
    walk->log_open = false;
    walk->timeline = timeline;
    for (uint32_t i = 0; i < FOLLOWERS; i++) {
        walk->followers[i].sent = 0;
        if (variations != walk->variations || notes != walk->notes) {
            kifu_destroy(walk->followers[i].timeline);
            walk->followers[i].timeline = NULL;
        }
    }
    walk->variations = variations;
    walk->notes = notes;
    expect_same(walk, what);
}

static void op_reload(walk *walk, const walk_op *op)
{
    stored stored;
    if (walk->open || !store(walk, op, &stored))
        return;
    const walk_load load = load_of(walk, op, &stored);
    say_load(walk, &load);
    walk_say(walk, "timeline = reload(timeline); // as above");
    kifu_timeline *loaded = walk_loaded(walk, &load, "a save");
    free(stored.bytes);
    walk_tree seen = seen_by(&walk->tree, load.variations, load.notes);
    walk_drop(&walk->tree);
    walk->tree = seen;
    replace(walk, loaded, load.variations, load.notes, "after a load");
}

#ifdef WALK_TOOL
static void tool(walk *walk, const char *const *words, int count)
{
    char *argv[8];
    for (int i = 0; i < count; i++)
        argv[i] = (char *)(uintptr_t)words[i];
    argv[count] = NULL;
    const int status = kifu_main(walk->game->rules, NULL, count, argv);
    if (status)
        walk_fail("tool", "kifu %s %s: status %d", words[1], words[2], status);
}

// A save becomes JSON, and JSON a save.
static void op_json(walk *walk, const walk_op *op)
{
    if (walk->open || op->a % 4)
        return;
    char save[250], json[250], back[250];
    snprintf(save, sizeof save, "%s.a.kifu", walk->path);
    snprintf(json, sizeof json, "%s.json", walk->path);
    snprintf(back, sizeof back, "%s.b.kifu", walk->path);
    walk_say(walk, "// kifu_save, `kifu json`, and back");
    const kifu_result result = kifu_save(walk->timeline, save, NULL);
    walk_expect(walk, "save", !result, "kifu_save", result);
    tool(walk, (const char *const[]){"kifu", "json", save, "-o", json}, 5);
    tool(walk, (const char *const[]){"kifu", "json", json, "-o", back}, 5);
    char path[sizeof walk->path];
    memcpy(path, walk->path, sizeof path);
    snprintf(walk->path, sizeof walk->path, "%.190s", back);
    kifu_timeline *loaded =
        walk_loaded(walk, &(walk_load){.variations = walk->variations, .notes = walk->notes}, "a save from JSON");
    memcpy(walk->path, path, sizeof path);
    walk_check_load(walk, loaded, &walk->tree, "a save from JSON");
    unlink(save);
    unlink(json);
    unlink(back);
}
#endif

// A later version of the game loads the save: it has more fields.
static void op_later(walk *walk, const walk_op *op)
{
    if (walk->open || !walk->game->later || walk->tree.first) // A state has to be carried over: test_carry_state.
        return;
    const walk_op with_schema = {.a = op->a % 2};
    stored stored;
    if (!store(walk, &with_schema, &stored))
        return;
    const kifu_options options = walk_options(walk, walk->variations, walk->notes);
    const kifu_load_options load_options = {.codec = kifu_zstd(), .fast = op->b % 2};
    kifu_timeline *later;
    kifu_error error;
    walk_say(walk, "// a later version of the game loads it");
    const kifu_rules *rules = walk->game->later();
    if (kifu_load_from_memory(rules, stored.bytes, stored.size, &options, &load_options, &later, &error))
        walk_fail("later", "a later version: %s", error.message);
    free(stored.bytes);
    walk_tree got;
    observe(later, &got, "a later version");
    const char *why = walk_shape_differs(&walk->tree, &got);
    if (why)
        walk_fail("later", "a later version: %s", why);
    // What it saves, it loads.
    unsigned char *bytes;
    size_t size;
    kifu_timeline *again;
    if (kifu_save_to_memory(later, NULL, &bytes, &size))
        walk_fail("later", "a later version saves: %s", kifu_last_error(later)->message);
    if (kifu_load_from_memory(rules, bytes, size, &options, NULL, &again, &error))
        walk_fail("later", "a later version loads its own save: %s", error.message);
    kifu_free_bytes(later, bytes);
    walk_tree second;
    observe(again, &second, "a later version's save");
    why = walk_differs(&got, &second);
    if (why)
        walk_fail("later", "a later version's save: %s", why);
    walk_drop(&got);
    walk_drop(&second);
    kifu_destroy(again);
    kifu_destroy(later);
    expect_same(walk, "after a later version's load");
}

// --- Log files -------------------------------------------------------------------------------------------------------

static void log_is(walk *walk)
{
    if (walk->has_log)
        walk_drop(&walk->logged);
    walk_copy(&walk->logged, &walk->tree);
    walk->has_log = true;
    walk->logged_variations = walk->variations;
    walk->logged_notes = walk->notes;
}

static void check_log(walk *walk, const char *what)
{
    const walk_load load = {.recover = true,
                            .fast = walk->step % 5 == 0,
                            .variations = walk->logged_variations,
                            .notes = walk->logged_notes};
    walk_check_load(walk, walk_loaded(walk, &load, what), &walk->logged, what);
    if (walk->step % 7 == 0) {
        const walk_load less = {.recover = true};
        walk_tree seen = seen_by(&walk->logged, false, false);
        walk_check_load(walk, walk_loaded(walk, &less, what), &seen, what);
        walk_drop(&seen);
    }
}

static void op_log_open(walk *walk, const walk_op *op)
{
    if (walk->log_open || walk->open)
        return;
    if (op->b % 2) { // Nothing is there.
        unlink(walk->path);
        if (walk->has_log)
            walk_drop(&walk->logged);
        walk->has_log = false;
    }
    walk_say(walk, "must(timeline, kifu_log_open(timeline, path, &(kifu_save_options){.without_schema = %d}));",
             op->a % 2);
    arm(walk, op);
    const kifu_result result =
        kifu_log_open(walk->timeline, walk->path, &(kifu_save_options){.without_schema = op->a % 2});
    const bool starved = disarm(walk);
    if (result) {
        walk_expect(walk, "log", starved && result == KIFU_NO_MEMORY, "kifu_log_open", result);
        expect_same(walk, "after a log file was not opened");
        return;
    }
    walk->log_open = true;
    log_is(walk);
    check_log(walk, "a log file that was opened");
}

static void append(walk *walk, const walk_op *op, const char *what)
{
    if (!walk->log_open)
        return;
    walk_say(walk, "must(timeline, kifu_log_append(timeline));");
    arm(walk, op);
    const kifu_result result = kifu_log_append(walk->timeline);
    const bool starved = disarm(walk);
    walk_expect(walk, "log", !result || (starved && result == KIFU_NO_MEMORY), "kifu_log_append", result);
    if (!result && !walk->open)
        log_is(walk);
    check_log(walk, what);
}

static void op_append(walk *walk, const walk_op *op)
{
    append(walk, op, "a log file");
}

// The disk is full somewhere in the append.
static void op_full_disk(walk *walk, const walk_op *op)
{
    struct stat before;
    if (!walk->log_open || walk->open || stat(walk->path, &before))
        return;
    struct rlimit old;
    getrlimit(RLIMIT_FSIZE, &old);
    struct rlimit full = old;
    full.rlim_cur = (rlim_t)before.st_size + op->a % 300;
    walk_say(walk, "// the file may have %llu bytes", (unsigned long long)full.rlim_cur);
    walk_say(walk, "(void)!kifu_log_append(timeline);");
    setrlimit(RLIMIT_FSIZE, &full);
    const kifu_result result = kifu_log_append(walk->timeline);
    setrlimit(RLIMIT_FSIZE, &old);
    walk_expect(walk, "log", !result || result == KIFU_IO, "kifu_log_append on a full disk", result);
    if (!result)
        log_is(walk);
    check_log(walk, "a log file on a full disk");
    expect_same(walk, "after an append on a full disk");
    append(walk, &(walk_op){.fail = 0}, "a log file behind a full disk");
}

static void op_log_close(walk *walk, const walk_op *op)
{
    if (!walk->log_open || walk->open)
        return;
    const bool packed = op->a % 2;
    walk_say(walk, "must(timeline, kifu_log_close(timeline, %s));",
             packed ? "&(kifu_save_options){.codec = kifu_zstd()}" : "NULL");
    arm(walk, op);
    const kifu_result result =
        kifu_log_close(walk->timeline, packed ? &(kifu_save_options){.codec = kifu_zstd()} : NULL);
    const bool starved = disarm(walk);
    walk_expect(walk, "log", !result || (starved && result == KIFU_NO_MEMORY), "kifu_log_close", result);
    if (!result) {
        walk->log_open = false;
        log_is(walk);
    }
    check_log(walk, "a log file that was closed");
}

// The process ends; another one goes on with what it finds.
static void op_kill(walk *walk, const walk_op *op)
{
    if (!walk->has_log)
        return;
    const walk_load load = {
        .recover = true, .fast = op->b % 2, .variations = walk->logged_variations, .notes = walk->logged_notes};
    walk_say(walk, "kifu_destroy(timeline); timeline = load(path); // recover, fast: %d", load.fast);
    kifu_destroy(walk->timeline);
    walk->log_open = false;
    walk->open = 0;
    kifu_timeline *loaded = walk_loaded(walk, &load, "the log file of a process that was killed");
    walk_drop(&walk->tree);
    walk_copy(&walk->tree, &walk->logged);
    walk->timeline = NULL;
    replace(walk, loaded, load.variations, load.notes, "after a kill");
    if (op->a % 2)
        op_log_open(walk, &(walk_op){.fail = 0});
}

// Another process goes on with the log file, and is killed. What it did is then done here, too.
static void op_process(walk *walk, const walk_op *op)
{
    if (!walk->has_log || op->a % 4)
        return;
    close_all(walk);
    op_kill(walk, &(walk_op){.fail = 0});
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0)
        return;
    walk_say(walk, child ? "// what another process has done:" : "// another process, with the same file:");
    if (!child)
        op_log_open(walk, &(walk_op){.fail = 0});
    int status = 0;
    if (child && (waitpid(child, &status, 0) != child || status))
        _exit(1); // It has said why.
    op_submit_run(walk, &(walk_op){.a = op->a / 4, .b = op->b});
    append(walk, &(walk_op){.fail = 0}, "the log file of another process");
    op_undo(walk, &(walk_op){.fail = 0});
    append(walk, &(walk_op){.fail = 0}, "the log file of another process");
    if (!child)
        _exit(0);
    log_is(walk);
    check_log(walk, "the log file of another process");
}

// --- Forks and followers ---------------------------------------------------------------------------------------------

static void op_fork(walk *walk, const walk_op *op)
{
    if (walk->open)
        return;
    const walk_tree *tree = &walk->tree;
    const bool present = op->a % 2;
    const uint32_t count = present ? KIFU_PRESENT : tree->first + op->b % (tree->place - tree->first + 1);
    const kifu_options options = walk_options(walk, walk->variations, walk->notes);
    kifu_timeline *fork;
    kifu_error error;
    walk_say(walk, "// a fork of %u events", count);
    arm(walk, op);
    const kifu_result result = kifu_fork(walk->timeline, count, &options, &fork, &error);
    if (disarm(walk) && result == KIFU_NO_MEMORY) {
        expect_same(walk, "after a fork that was refused");
        return;
    }
    if (result)
        walk_fail("fork", "%s", error.message);
    walk_tree got;
    observe(fork, &got, "a fork");
    const uint32_t place = present ? tree->place : count;
    if (got.place != place || (present && got.waiting.count != tree->waiting.count) || (!present && got.waiting.count))
        walk_fail("fork", "a fork of %u events has %u, and %u proposals wait", place, got.place, got.waiting.count);
    for (uint32_t i = tree->first; i < place; i++) {
        const walk_event *own = walk_event_of(tree, tree->current, i), *there = walk_event_of(&got, got.current, i);
        if (!there || !walk_same_event(own, there, tree->first))
            walk_fail("fork", "event %u of a fork is another one", i);
    }
    const walk_event *last = place > tree->first ? walk_event_of(tree, tree->current, place - 1) : NULL;
    if (last && last->hashed && last->hash != got.hash)
        walk_fail("fork", "the state of a fork of %u events is not what it was", place);
    if (kifu_verify_replay(fork, NULL))
        walk_fail("fork", "a fork: %s", kifu_last_error(fork)->message);
    expect_same(walk, "after a fork");
    if (op->a / 2 % 3) {
        walk_drop(&got);
        kifu_destroy(fork);
        return;
    }
    walk_say(walk, "timeline = fork;");
    walk_drop(&walk->tree);
    walk->tree = got;
    replace(walk, fork, walk->variations, walk->notes, "after a fork");
    learn_hashes(walk, "a fork");
}

static void op_follow(walk *walk, const walk_op *op)
{
    if (walk->open || walk->tree.first)
        return;
    walk_follower *follower = &walk->followers[op->a % FOLLOWERS];
    kifu_error error;
    if (!follower->timeline) {
        follower->variations = op->a % FOLLOWERS != 1 && walk->variations;
        follower->notes = walk->notes;
        const kifu_options options = walk_options(walk, follower->variations, follower->notes);
        if (kifu_create(walk->game->rules, &options, &follower->timeline, &error))
            walk_fail("news", "%s", error.message);
        follower->sent = 0;
    } else if (op->b % 16 == 0) { // It was loaded, and knows its place.
        unsigned char *bytes;
        size_t size;
        const kifu_options options = walk_options(walk, follower->variations, follower->notes);
        if (kifu_save_to_memory(follower->timeline, NULL, &bytes, &size))
            walk_fail("news", "a follower's save: %s", kifu_last_error(follower->timeline)->message);
        kifu_timeline *loaded;
        if (kifu_load_from_memory(walk->game->rules, bytes, size, &options, NULL, &loaded, &error))
            walk_fail("news", "a follower's save: %s", error.message);
        kifu_free_bytes(follower->timeline, bytes);
        kifu_destroy(follower->timeline);
        follower->timeline = loaded;
    }
    follower->variations &= walk->variations;
    unsigned char *bytes;
    size_t size;
    walk_say(walk, "// follower %u: news since %llu", op->a % FOLLOWERS, (unsigned long long)follower->sent);
    kifu_result result = kifu_news_since(walk->timeline, follower->sent, &bytes, &size);
    walk_expect(walk, "news", !result, "kifu_news_since", result);
    follower->sent = kifu_change_count(walk->timeline);
    if (kifu_apply_news(follower->timeline, bytes, size))
        walk_fail("news", "a follower: %s", kifu_last_error(follower->timeline)->message);
    kifu_free_bytes(walk->timeline, bytes);
    walk_tree seen = seen_by(&walk->tree, follower->variations, follower->notes && walk->notes), got;
    observe(follower->timeline, &got, "a follower");
    const char *why = walk_differs(&seen, &got);
    if (why)
        walk_fail("news", "a follower %s: %s", follower->variations ? "with lines" : "without lines", why);
    walk_drop(&got);
    walk_drop(&seen);
    expect_same(walk, "after news");
}

// --- All of them -----------------------------------------------------------------------------------------------------

const walk_kind walk_kinds[] = {
    {"submit_run", 26, op_submit_run},
    {"submit_step", 12, op_submit_step},
    {"submit", 7, op_submit},
    {"run", 6, op_run},
    {"step", 6, op_step},
    {"play", 8, op_play},
    {"engine", 12, op_engine},
    {"bytes", 3, op_bytes},
    {"turn", 8, op_turn},
    {"set_action", 4, op_set_action},
    {"drop", 2, op_drop},
    {"override", 3, op_override},
    {"undo", 22, op_undo},
    {"redo", 10, op_redo},
    {"go_to", 22, op_go_to},
    {"go_left", 6, op_go_left},
    {"promote", 3, op_promote},
    {"delete", 3, op_delete},
    {"note", 6, op_note},
    {"forget", 2, op_forget},
    {"keep", 2, op_keep_variations},
    {"verify", 6, op_verify},
    {"seek", 2, op_seek},
    {"try", 3, op_try},
    {"begin", 5, op_begin},
    {"commit", 5, op_commit},
    {"roll_back", 5, op_roll_back},
    {"save", 8, op_save},
    {"reload", 5, op_reload},
    {"later", 1, op_later},
    {"log_open", 4, op_log_open},
    {"append", 8, op_append},
    {"full_disk", 1, op_full_disk},
    {"log_close", 2, op_log_close},
    {"kill", 3, op_kill},
    {"process", 1, op_process},
    {"fork", 2, op_fork},
    {"follow", 5, op_follow},
#ifdef WALK_TOOL
    {"json", 1, op_json},
#endif
};
const uint32_t walk_kind_count = sizeof walk_kinds / sizeof *walk_kinds;

void walk_run(const walk_plan *plan, const char *path, FILE *print)
{
    walk walk = {.game = &walk_games[plan->config.game % walk_game_count], .config = plan->config, .print = print};
    walk.memory.until_failure = -1;
    walk.variations = !plan->config.no_variations;
    walk.notes = !plan->config.no_notes;
    snprintf(walk.path, sizeof walk.path, "%s", path);
    unlink(walk.path);
    const kifu_options options = walk_options(&walk, walk.variations, walk.notes);
    kifu_error error;
    walk_say(&walk,
             "// game %s: kifu_create(&%s_rules, &(kifu_options){.keep_variations = %s, .keep_notes = %s, .from_state "
             "= kifu_begin_from_state, .hash_interval = %u, .max_consequences = 60, .seed = 11}, …)",
             walk.game->name, walk.game->name, walk.variations ? "kifu_keep_variations" : "NULL",
             walk.notes ? "kifu_keep_notes" : "NULL", plan->config.hash_interval);
    if (kifu_create(walk.game->rules, &options, &walk.timeline, &error))
        walk_fail("create", "%s", error.message);
    walk.game->begin(&walk);
    const char *why;
    if (!walk_observe(walk.timeline, &walk.tree, &why))
        walk_fail("look", "%s", why);
    learn_hashes(&walk, "at the beginning");
    if (plan->config.logged)
        op_log_open(&walk, &(walk_op){.b = 1});
    for (walk.step = 0; walk.step < plan->count; walk.step++) {
        const walk_op *op = &plan->ops[walk.step];
        walk_kinds[op->kind % walk_kind_count].run(&walk, op);
        if (plan->config.logged && walk.log_open && !walk.open)
            append(&walk, &(walk_op){.fail = 0}, "a log file");
        if (walk.tree.line_count > 300 || walk.tree.place > 600)
            break;
    }
    close_all(&walk);
    if (walk.log_open)
        append(&walk, &(walk_op){.fail = 0}, "a log file at the end");
    op_verify(&walk, NULL);
    kifu_destroy(walk.timeline);
    for (uint32_t i = 0; i < FOLLOWERS; i++)
        kifu_destroy(walk.followers[i].timeline);
    walk_drop(&walk.tree);
    if (walk.has_log)
        walk_drop(&walk.logged);
    unlink(walk.path);
    if (walk.memory.blocks)
        walk_fail("leak", "%ld blocks of memory are left", walk.memory.blocks);
}
