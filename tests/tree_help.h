/// Trees of the game lab, and whether two are the same.
#ifndef TREE_HELP_H
#define TREE_HELP_H

#include "history_help.h"
#include "save_help.h"

static const kifu_options keeping = {
    .hash_interval = 3, .keep_variations = kifu_keep_variations, .from_state = kifu_begin_from_state};

// --- Comparing -------------------------------------------------------------------------------------------------------

static inline void expect_same_line(kifu_timeline *one, kifu_timeline *other, const kifu_line *line)
{
    kifu_event a, b;
    for (uint32_t i = line->from; i < line->from + line->count; i++) {
        must_be(kifu_line_event(one, line->id, i, &a) && kifu_line_event(other, line->id, i, &b));
        must_be(a.type == b.type && a.cause == b.cause && a.player == b.player && a.flags == b.flags);
        must_be(a.rules_version == b.rules_version);
        if (a.type == LAB_P_DO) {
            const lab_p_do *first = a.table, *second = b.table;
            must_be(first->times == second->times);
            ck_assert_pstr_eq(lab_p_do_script(first), lab_p_do_script(second));
        }
    }
}

static inline void expect_same_tree(kifu_timeline *one, kifu_timeline *other)
{
    kifu_line a, b;
    expect_same(one, other);
    ck_assert_uint_eq(kifu_line_count(one), kifu_line_count(other));
    for (uint32_t i = 0; kifu_line_at(one, i, &a); i++) {
        must_be(kifu_line_at(other, i, &b));
        must_be(a.id == b.id && a.parent == b.parent && a.from == b.from && a.count == b.count);
        must_be(a.main == b.main && a.current == b.current);
        expect_same_line(one, other, &a);
    }
}

// --- A small tree ----------------------------------------------------------------------------------------------------

static inline void play_scripts(kifu_timeline *lab, const char *const *scripts)
{
    for (; *scripts; scripts++) {
        if (**scripts == 'u')
            lab_must(lab, kifu_undo(lab));
        else
            lab_must(lab, lab_play(lab, *scripts));
    }
}

// Line 0 goes on to 5 events. From its second, line 1 does, to 7, and from there line 2. Line 3 begins at the first.
// What waits: an input where line 0 was left.
static inline kifu_timeline *small_tree_with(const kifu_options *options, uint32_t current)
{
    static const char *const zero[] = {"+", "+(+)", "+", "+", "u", NULL}, *const one[] = {"-", "-(-)", "-", NULL},
                             *const two[] = {"++", NULL}, *const three[] = {"+++", NULL};
    kifu_timeline *lab = lab_new(options);
    lab_submit_e_add_player(lab, 0, 0x112233);
    lab_must(lab, kifu_run(lab));
    play_scripts(lab, zero);
    lab_do(lab, 0, "5", 1);
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_undo(lab));
    play_scripts(lab, one);
    lab_must(lab, kifu_undo(lab));
    play_scripts(lab, two);
    lab_must(lab, kifu_go_to(lab, 0, 1, true));
    play_scripts(lab, three);
    lab_must(lab, kifu_go_to(lab, current, KIFU_WHERE_LEFT, true));
    ck_assert_uint_eq(kifu_line_count(lab), 4);
    return lab;
}

static inline kifu_timeline *small_tree(uint32_t current)
{
    return small_tree_with(&keeping, current);
}

// --- Playing on ------------------------------------------------------------------------------------------------------

/// Goes through a game that was loaded from any bytes. Calls may be refused.
static inline void use_tree(kifu_timeline *lab)
{
    kifu_line line;
    kifu_event event;
    kifu_note note = {0};
    const uint32_t lines = kifu_line_count(lab);
    while (kifu_next_note(lab, &note))
        must_be(!note.size || note.bytes);
    for (uint32_t i = 0; i < lines && kifu_line_at(lab, i, &line); i++) {
        for (uint32_t k = line.from; k < line.from + line.count; k++)
            must_be(kifu_line_event(lab, line.id, k, &event));
        (void)kifu_drop_inputs(lab);
        (void)!kifu_go_to(lab, line.id, i % 2 ? KIFU_WHERE_LEFT : line.from, true);
        (void)!kifu_redo(lab);
        (void)!kifu_undo(lab);
    }
    (void)!kifu_verify_replay(lab, NULL);
    unsigned char *bytes = NULL;
    size_t size;
    (void)!kifu_save_to_memory(lab, NULL, &bytes, &size);
    kifu_free_bytes(lab, bytes);
}

// --- A walk ----------------------------------------------------------------------------------------------------------

static inline uint32_t pick_line(const kifu_timeline *lab, uint32_t choice, kifu_line *line)
{
    must_be(kifu_line_at(lab, choice % kifu_line_count(lab), line));
    return line->id;
}

// The same on each of two timelines.
static inline kifu_result walk_trees(kifu_timeline *lab, uint32_t choice)
{
    kifu_line line;
    const uint32_t id = pick_line(lab, choice >> 8, &line), place = choice >> 4;
    switch (choice % 32) {
    case 0:
    case 1:
        return kifu_go_to(lab, id, KIFU_WHERE_LEFT, true);
    case 2:
        return kifu_go_to(lab, id, place % (line.from + line.count + 1), true);
    case 3:
        return kifu_go_to(lab, id, line.from + line.count, false);
    case 4:
        return kifu_promote_line(lab, id);
    case 5:
        return place % 3 ? KIFU_OK : kifu_delete_line(lab, id);
    case 6:
        return place % 4 ? KIFU_OK : kifu_forget(lab, (place >> 2) % (kifu_event_count(lab) + 1));
    case 7:
        if (kifu_begin(lab, place % 2 ? KIFU_SEARCH : 0))
            return KIFU_MISUSE;
        random_lab_step(lab, choice >> 3);
        random_lab_step(lab, choice >> 5);
        return place % 4 == 2 ? kifu_commit(lab) : kifu_roll_back(lab);
    default:
        random_lab_step(lab, choice);
        return KIFU_OK;
    }
}

#endif
