// Operations that go somewhere, change the tree, or look.

#include "step.h"

#include <stdlib.h>
#include <string.h>

// --- Undo, redo, other places ---------------------------------------------------------------------------------------

// A call that goes somewhere was refused: nothing may have changed. KIFU_FAILED: nothing here fails in a replay.
static bool walk_refused(walk *walk, kifu_result result, bool starved, const char *what)
{
    if (!result)
        return false;
    const bool good = result == KIFU_MISUSE || result == KIFU_NOT_UNDOABLE || result == KIFU_NOTHING_TO_UNDO ||
                      result == KIFU_NOTHING_TO_REDO || (result == KIFU_NO_MEMORY && starved);
    walk_expect(walk, "refused", good, what, result);
    if (walk->open)
        walk_expect_before(walk, what);
    else
        walk_expect_same(walk, what);
    return true;
}

void walk_op_undo(walk *walk, const walk_op *op)
{
    walk_arm(walk, op);
    walk_say(walk, "(void)!kifu_undo(timeline);");
    const kifu_result result = kifu_undo(walk->timeline);
    const bool starved = walk_disarm(walk);
    if (walk_refused(walk, result, starved, "after an undo that was refused"))
        return;
    if (walk->open) {
        walk_expect_before(walk, "after an undo");
        return;
    }
    walk_tree got;
    walk_see(walk->timeline, &got, "after an undo");
    const char *why = walk_undone(&walk->tree, &got, walk->game->rules, walk->tree.first);
    if (why)
        walk_fail("undo", "%s", why);
    walk_accept(walk, &got, "after an undo");
}

void walk_op_redo(walk *walk, const walk_op *op)
{
    const uint32_t before = walk->open ? 0 : walk->tree.can_redo;
    walk_arm(walk, op);
    walk_say(walk, "(void)!kifu_redo(timeline);");
    const kifu_result result = kifu_redo(walk->timeline);
    const bool starved = walk_disarm(walk);
    if (walk_refused(walk, result, starved, "after a redo that was refused")) {
        if (before && !starved)
            walk_expect(walk, "redo", false, "a redo is possible, and refused", result);
        return;
    }
    if (walk->open) {
        walk_expect_before(walk, "after a redo");
        return;
    }
    walk_tree got;
    walk_see(walk->timeline, &got, "after a redo");
    const char *why = walk_redone(&walk->tree, &got);
    if (why)
        walk_fail("redo", "%s", why);
    walk_accept(walk, &got, "after a redo");
}

void walk_go(walk *walk, const walk_op *op, uint32_t line, uint32_t count, bool force)
{
    const uint32_t waited = walk->tree.waiting.count;
    walk_arm(walk, op);
    if (count == KIFU_WHERE_LEFT)
        walk_say(walk, "(void)!kifu_go_to(timeline, %u, KIFU_WHERE_LEFT, %s);", line, force ? "true" : "false");
    else
        walk_say(walk, "(void)!kifu_go_to(timeline, %u, %u, %s);", line, count, force ? "true" : "false");
    const kifu_result result = kifu_go_to(walk->timeline, line, count, force);
    const bool starved = walk_disarm(walk);
    if (walk_refused(walk, result, starved, "after a go to that was refused")) {
        const bool may =
            starved || walk->open || (result == KIFU_MISUSE && waited) || (result == KIFU_NOT_UNDOABLE && !force);
        walk_expect(walk, "go_to", may, "a go to was refused", result);
        return;
    }
    if (walk->open)
        walk_fail("open", "kifu_go_to inside of a transaction");
    walk_tree got;
    walk_see(walk->timeline, &got, "after a go to");
    if (count == KIFU_WHERE_LEFT)
        count = line == walk->tree.current                 ? walk->tree.place
                : walk->tree.lines[line].left == KIFU_NONE ? got.place
                                                           : walk->tree.lines[line].left;
    const char *why = walk_went(&walk->tree, &got, line, count);
    if (why)
        walk_fail("go_to", "%s", why);
    walk_accept(walk, &got, "after a go to");
}

void walk_op_go_to(walk *walk, const walk_op *op)
{
    const uint32_t line = walk_nth(&walk->tree, op->a), first = walk->tree.first;
    walk_go(walk, op, line, first + op->b / 2 % (walk->tree.lines[line].end - first + 1), op->b % 2);
}

void walk_op_go_left(walk *walk, const walk_op *op)
{
    walk_go(walk, op, walk_nth(&walk->tree, op->a), KIFU_WHERE_LEFT, op->b % 4 != 0);
}

// --- Looking --------------------------------------------------------------------------------------------------------

// The state where the cursor is, which is also what the walk finds when it goes there later.
static void check_cursor(walk *walk, const kifu_cursor *cursor, uint32_t line)
{
    const uint32_t count = kifu_cursor_position(cursor);
    walk_event *last = count > walk->tree.first ? walk_event_of(&walk->tree, line, count - 1) : NULL;
    const uint64_t hash = walk_hash_of(kifu_cursor_state(cursor), walk->game->rules->state_size);
    const bool known = last ? last->hashed : walk->tree.first_hashed;
    if (known && hash != (last ? last->hash : walk->tree.first_hash))
        walk_fail("look", "a cursor has another state after event %u of line %u", count, line);
    if (last) {
        last->hash = hash;
        last->hashed = true;
    }
}

void walk_op_look(walk *walk, const walk_op *op)
{
    if (walk->open)
        return;
    const walk_tree *tree = &walk->tree;
    const uint32_t line = walk_nth(tree, op->a), first = tree->first, end = tree->lines[line].end;
    uint32_t at = first + op->b % (end - first + 1);
    kifu_cursor *cursor;
    walk_arm(walk, op);
    walk_say(walk, "paste_look(timeline, %u, %u, %u);", line, at, op->b);
    kifu_result result = kifu_cursor_open_line(walk->timeline, line, at, &cursor);
    for (uint32_t step = 0; !result && step < 12; step++) {
        if (kifu_cursor_position(cursor) != at)
            walk_fail("look", "a cursor is after %u events, not %u", kifu_cursor_position(cursor), at);
        check_cursor(walk, cursor, line);
        const bool back = op->b >> (step + 8) & 1;
        if (at == (back ? first : end))
            continue;
        result = back ? kifu_cursor_back(cursor) : kifu_cursor_forward(cursor);
        at += back ? UINT32_MAX : 1;
    }
    const bool starved = walk_disarm(walk);
    kifu_cursor_close(cursor);
    walk_expect(walk, "look", !result || (result == KIFU_NO_MEMORY && starved), "a cursor", result);
    walk_expect_same(walk, "after a look");
}

// --- The tree -------------------------------------------------------------------------------------------------------

void walk_op_promote(walk *walk, const walk_op *op)
{
    const uint32_t line = walk_nth(&walk->tree, op->a);
    walk_arm(walk, op);
    walk_say(walk, "(void)!kifu_promote_line(timeline, %u);", line);
    const kifu_result result = kifu_promote_line(walk->timeline, line);
    if (walk_refused(walk, result, walk_disarm(walk), "after promoting was refused"))
        return;
    walk->tree.main = line;
    walk_expect_same(walk, "after promoting");
}

void walk_delete_line(walk *walk, const walk_op *op, uint32_t line)
{
    bool leads = false;
    for (uint32_t up = walk->tree.current;; up = walk->tree.lines[up].parent) {
        leads |= up == line;
        if (walk->tree.lines[up].parent == up)
            break;
    }
    walk_arm(walk, op);
    walk_say(walk, "(void)!kifu_delete_line(timeline, %u);", line);
    const kifu_result result = kifu_delete_line(walk->timeline, line);
    if (walk_refused(walk, result, walk_disarm(walk), "after deleting was refused"))
        return;
    if (leads)
        walk_fail("delete", "line %u leads to the current one, and was deleted", line);
    walk_delete(&walk->tree, line);
    walk_tree got;
    walk_see(walk->timeline, &got, "after deleting");
    walk_accept(walk, &got, "after deleting");
}

void walk_op_delete(walk *walk, const walk_op *op)
{
    walk_delete_line(walk, op, walk_nth(&walk->tree, op->a));
}

void walk_op_note(walk *walk, const walk_op *op)
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
    walk_arm(walk, op);
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
    if (walk_refused(walk, result, walk_disarm(walk), "after a note was refused")) {
        walk_expect(walk, "note", !walk->notes || walk->memory.failed, "a note was refused", result);
        return;
    }
    kifu_note note;
    const bool found = kifu_find_note(walk->timeline, line, event, key, &note);
    if (found != (bytes || text) || (found && (bytes ? note.size != 2 : !note.text || strcmp(note.text, text))))
        walk_fail("note", "a note at event %u of line %u was set, and is not there", event, line);
    walk_tree got;
    walk_see(walk->timeline, &got, "after a note");
    free(walk->tree.notes);
    walk->tree.notes = got.notes;
    walk->tree.note_count = got.note_count;
    got.notes = NULL;
    walk_drop(&got);
    walk_expect_same(walk, "after a note");
}

void walk_op_forget(walk *walk, const walk_op *op)
{
    if (op->b % 4 || walk->open)
        return;
    const uint32_t count = walk->tree.first + op->a % (walk->tree.place - walk->tree.first + 1);
    walk_arm(walk, op);
    walk_say(walk, "(void)!kifu_forget(timeline, %u);", count);
    const kifu_result result = kifu_forget(walk->timeline, count);
    if (walk_refused(walk, result, walk_disarm(walk), "after forgetting was refused"))
        return;
    const uint32_t first = kifu_first_event(walk->timeline);
    if (first > count || first < walk->tree.first)
        walk_fail("forget", "%u events are forgotten, and %u were to be", first, count);
    walk->anew |= first > walk->tree.first; // The log file has what the timeline has.
    if (first > walk->tree.first)
        walk_forget(&walk->tree, first);
    walk_tree got;
    walk_see(walk->timeline, &got, "after forgetting");
    walk_accept(walk, &got, "after forgetting");
}

void walk_op_keep_variations(walk *walk, const walk_op *op)
{
    if (walk->variations || walk->open || op->a % 4)
        return;
    walk_say(walk, "(void)!kifu_keep_variations(timeline);");
    if (kifu_keep_variations(walk->timeline))
        walk_fail("keep", "kifu_keep_variations: %s", kifu_last_error(walk->timeline)->message);
    walk->variations = true;
    walk_expect_same(walk, "after variations are kept");
}

// --- Looking --------------------------------------------------------------------------------------------------------

void walk_op_verify(walk *walk, const walk_op *op)
{
    kifu_difference difference;
    (void)op;
    walk_say(walk, "must(timeline, kifu_verify_replay(timeline, NULL));");
    const kifu_result result = kifu_verify_replay(walk->timeline, &difference);
    walk_expect(walk, "verify", !result || (walk->open && result == KIFU_MISUSE), "kifu_verify_replay", result);
}

void walk_op_seek(walk *walk, const walk_op *op)
{
    if (walk->open)
        return;
    const walk_tree *tree = &walk->tree;
    const uint32_t count = tree->first + op->a % (tree->place - tree->first + 1);
    walk_arm(walk, op);
    walk_say(walk, "(void)!kifu_seek(timeline, %u);", count);
    kifu_result result = kifu_seek(walk->timeline, count);
    const bool starved = walk_disarm(walk);
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
    walk_expect_same(walk, "after a seek");
}
