/// Whether two games of tally have the same lines, notes and ways.
#ifndef TESTS_TALLY_TREE_HELP_H
#define TESTS_TALLY_TREE_HELP_H

#include "history_help.h"
#include "tally.h"

static inline void expect_same_place(kifu_timeline *one, kifu_timeline *other)
{
    must_be(tally_get_state(one)->total == tally_get_state(other)->total);
    must_be(kifu_event_count(one) == kifu_event_count(other));
    must_be(kifu_can_undo(one, NULL) == kifu_can_undo(other, NULL));
    must_be(kifu_can_redo(one, NULL) == kifu_can_redo(other, NULL));
}

static inline void expect_events(const kifu_timeline *one, const kifu_timeline *other, const kifu_line *line)
{
    kifu_event a, b;
    for (uint32_t event = line->from; event < line->from + line->count; event++) {
        must_be(kifu_line_event(one, line->id, event, &a) && kifu_line_event(other, line->id, event, &b));
        must_be(a.type == b.type && a.cause == b.cause && a.player == b.player && a.flags == b.flags);
        must_be(a.type != TALLY_P_ADD ||
                ((const tally_p_add *)a.table)->amount == ((const tally_p_add *)b.table)->amount);
    }
}

static inline void expect_same_tree(kifu_timeline *one, kifu_timeline *other)
{
    kifu_line a, b;
    kifu_note note = {0}, read = {0};
    must_be(kifu_line_count(one) == kifu_line_count(other));
    for (uint32_t i = 0; kifu_line_at(one, i, &a); i++) {
        must_be(kifu_line_at(other, i, &b));
        must_be(a.id == b.id && a.parent == b.parent && a.from == b.from && a.count == b.count);
        must_be(a.main == b.main && a.current == b.current);
        expect_events(one, other, &a);
    }
    while (kifu_next_note(one, &note)) {
        must_be(kifu_next_note(other, &read));
        must_be(note.line == read.line && note.event == read.event && !strcmp(note.key, read.key));
        must_be(note.size == read.size && !memcmp(note.bytes, read.bytes, note.size));
    }
    must_be(!kifu_next_note(other, &read));
    must_be(kifu_pending_count(one) == kifu_pending_count(other));
    expect_same_place(one, other);
}

// As far as redo leads, with nothing waiting.
static inline void expect_same_redo(kifu_timeline *one, kifu_timeline *other)
{
    must_be(kifu_pending_count(one) == kifu_pending_count(other));
    (void)kifu_drop_inputs(one);
    (void)kifu_drop_inputs(other);
    expect_same_place(one, other);
    while (kifu_can_redo(one, NULL)) {
        must(one, kifu_redo(one));
        must(other, kifu_redo(other));
        (void)kifu_drop_inputs(one);
        (void)kifu_drop_inputs(other);
        expect_same_place(one, other);
    }
}

// Where each line was left, and along it. Both games end elsewhere.
static inline void expect_same_lines(kifu_timeline *one, kifu_timeline *other)
{
    kifu_line line;
    for (uint32_t i = 0; kifu_line_at(one, i, &line); i++) {
        const kifu_result result = kifu_go_to(one, line.id, KIFU_WHERE_LEFT, true);
        must_be(kifu_go_to(other, line.id, KIFU_WHERE_LEFT, true) == result);
        if (result)
            (void)kifu_drop_inputs(one), (void)kifu_drop_inputs(other);
        else
            expect_same_redo(one, other);
    }
}

#endif
