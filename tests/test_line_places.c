// kifu_cursor_open_line, kifu_fork_line: states of any line, while the game stays where it is.

#include "lab_help.h"
#include "suite.h"
#include "tree_help.h"

// --- Any place of any line -------------------------------------------------------------------------------------------

// Both have the same state after these events of a line; `there` stands at the line's end.
static void must_agree(kifu_timeline *there, const kifu_cursor *cursor)
{
    lab_state state;
    must(there, kifu_state_at(there, kifu_cursor_position(cursor), &state, sizeof state));
    ck_assert_mem_eq(kifu_cursor_state(cursor), &state, sizeof state);
}

// A fork has the events and states of the line, as `there` has them, and plays on.
static void must_fork(kifu_timeline *lab, kifu_timeline *there, uint32_t line, uint32_t count)
{
    kifu_timeline *fork;
    kifu_error error;
    kifu_event a, b;
    lab_state state;
    ck_assert_msg(!kifu_fork_line(lab, line, count, NULL, &fork, &error), "%s", error.message);
    ck_assert_uint_eq(kifu_event_count(fork), count);
    ck_assert_uint_eq(kifu_pending_count(fork), 0);
    ck_assert_uint_eq(kifu_line_count(fork), 1);
    must(there, kifu_state_at(there, count, &state, sizeof state));
    ck_assert_mem_eq(lab_get_state(fork), &state, sizeof state);
    for (uint32_t i = kifu_first_event(lab); i < count; i++)
        must_be(kifu_event_at(fork, i, &a) && kifu_event_at(there, i, &b) && a.type == b.type && a.flags == b.flags &&
                a.cause == b.cause && a.player == b.player);
    must(fork, kifu_verify_replay(fork, NULL));
    must(fork, lab_play(fork, "+"));
    kifu_destroy(fork);
}

static void look_at_line(kifu_timeline *lab, kifu_timeline *there, const kifu_line *line, kifu_rng *rng)
{
    const uint32_t begin = kifu_first_event(lab), end = line->from + line->count;
    must(there, kifu_go_to(there, line->id, end, true));
    uint32_t at = begin + kifu_rng_below(rng, end - begin + 1);
    kifu_cursor *cursor;
    must(lab, kifu_cursor_open_line(lab, line->id, at, &cursor));
    must_agree(there, cursor);
    for (int i = 0; i < 60; i++) {
        const bool back = i < 30 ? kifu_rng_below(rng, 3) > 0 : kifu_rng_below(rng, 3) == 0;
        const kifu_result result = back ? kifu_cursor_back(cursor) : kifu_cursor_forward(cursor);
        if (at == (back ? begin : end))
            ck_assert_int_eq(result, KIFU_MISUSE);
        else
            must(lab, result);
        at = kifu_cursor_position(cursor);
        must_agree(there, cursor);
    }
    kifu_cursor_close(cursor);
    must_fork(lab, there, line->id, begin + kifu_rng_below(rng, end - begin + 1));
}

START_TEST(R01_V03_cursors_and_forks_go_along_any_line)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 0x11e5, 0);
    for (unsigned long walk = 0; walk < fuzz_steps(60); walk++) {
        kifu_timeline *lab = small_tree((uint32_t)(walk % 4));
        for (uint32_t steps = kifu_rng_below(&rng, 60); steps; steps--)
            (void)!walk_trees(lab, kifu_rng_next(&rng));
        (void)kifu_drop_inputs(lab);
        kifu_timeline *there = reload_fast(lab, &keeping, false);
        const lab_picture picture = lab_look(lab);
        const uint32_t current = kifu_current_line(lab);
        kifu_line line;
        for (uint32_t i = 0; kifu_line_at(there, i, &line); i++)
            look_at_line(lab, there, &line, &rng);
        lab_same(lab, &picture);
        ck_assert_uint_eq(kifu_current_line(lab), current);
        kifu_destroy(there);
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(V03_a_line_is_looked_at_from_where_it_was_left)
{
    kifu_timeline *lab = small_tree(2);
    kifu_cursor *cursor;
    kifu_timeline *fork;
    lab_submit_e_add_player(lab, 0, 0x112233);
    for (uint32_t line = 0; line < 4; line++) {
        kifu_timeline *there = reload_fast(lab, &keeping, false);
        must(there, kifu_go_to(there, line, KIFU_WHERE_LEFT, true));
        const uint32_t left = kifu_event_count(there);
        must(lab, kifu_cursor_open_line(lab, line, KIFU_WHERE_LEFT, &cursor));
        ck_assert_uint_eq(kifu_cursor_position(cursor), left);
        must_agree(there, cursor);
        kifu_cursor_close(cursor);
        must(lab, kifu_fork_line(lab, line, KIFU_WHERE_LEFT, NULL, &fork, NULL));
        ck_assert_uint_eq(kifu_event_count(fork), left);
        ck_assert_uint_eq(kifu_pending_count(fork), 0);
        kifu_destroy(fork);
        kifu_destroy(there);
    }
    kifu_destroy(lab);
}
END_TEST

// Notes at the events come along.
START_TEST(V07_a_fork_of_a_line_has_its_notes)
{
    kifu_options options = keeping;
    options.keep_notes = kifu_keep_notes;
    kifu_timeline *lab = small_tree_with(&options, 3), *fork;
    must(lab, kifu_set_line_note(lab, 0, 0, "comment", "shared"));
    must(lab, kifu_set_line_note(lab, 2, 5, "comment", "there"));
    must(lab, kifu_set_line_note(lab, 3, 1, "comment", "here"));
    must(lab, kifu_fork_line(lab, 2, 6, &options, &fork, NULL));
    ck_assert_pstr_eq(kifu_note_at(fork, 0, "comment"), "shared");
    ck_assert_pstr_eq(kifu_note_at(fork, 5, "comment"), "there");
    ck_assert_ptr_null(kifu_note_at(fork, 1, "comment"));
    kifu_destroy(fork);
    kifu_destroy(lab);
}
END_TEST

// --- What is refused -------------------------------------------------------------------------------------------------

START_TEST(V03_a_place_that_no_line_has_is_refused)
{
    kifu_timeline *lab = small_tree(0), *fork = lab;
    kifu_cursor *cursor = (kifu_cursor *)lab;
    kifu_error error;
    must_refuse(lab, kifu_cursor_open_line(lab, 4, 0, &cursor));
    ck_assert_ptr_null(cursor);
    must_say(lab, "kifu_cursor_open_line: there is no line 4");
    ck_assert_int_eq(kifu_fork_line(lab, 4, 0, NULL, &fork, &error), KIFU_MISUSE);
    ck_assert_ptr_null(fork);
    ck_assert_str_eq(error.message, kifu_last_error(lab)->message);
    must_refuse(lab, kifu_cursor_open_line(lab, 1, 7, &cursor));
    must_say(lab, "kifu_cursor_open_line: after 7 events of line 1, which has only 6, those of its ancestors included");
    ck_assert_int_eq(kifu_fork_line(lab, 1, 7, NULL, &fork, NULL), KIFU_MISUSE);
    kifu_timeline *plain = lab_started(NULL); // It has line 0.
    must(plain, kifu_cursor_open_line(plain, 0, 1, &cursor));
    kifu_cursor_close(cursor);
    must_refuse(plain, kifu_cursor_open_line(plain, 1, 1, &cursor));
    must_refuse(plain, kifu_cursor_open_line(plain, 0, 2, &cursor));
    kifu_destroy(plain);
    kifu_destroy(lab);
}
END_TEST

START_TEST(F45_a_cursor_of_a_line_is_lost_when_lines_change)
{
    kifu_timeline *lab = small_tree(0);
    kifu_cursor *cursor;
    must(lab, kifu_cursor_open_line(lab, 1, 1, &cursor));
    must(lab, kifu_go_to(lab, 2, KIFU_WHERE_LEFT, true)); // Both lines have that event, and may have others now.
    must_refuse(lab, kifu_cursor_forward(cursor));
    must_say(lab, "kifu_cursor_forward: the lines have changed since the cursor was opened");
    kifu_cursor_close(cursor);
    must(lab, kifu_go_to(lab, 0, KIFU_WHERE_LEFT, true));
    must(lab, kifu_cursor_open_line(lab, 1, 5, &cursor));
    must(lab, lab_play(lab, "1")); // The game goes on where it is: a new line, because something lay behind it.
    must_refuse(lab, kifu_cursor_back(cursor));
    must_say(lab, "kifu_cursor_back: the lines have changed since the cursor was opened");
    kifu_cursor_close(cursor);
    must(lab, kifu_cursor_open_line(lab, 1, 5, &cursor));
    must(lab, lab_play(lab, "1"));
    must(lab, kifu_undo(lab));
    must(lab, kifu_cursor_forward(cursor));
    must(lab, kifu_delete_line(lab, 1));
    must_refuse(lab, kifu_cursor_forward(cursor));
    kifu_cursor_close(cursor);
    must(lab, kifu_redo(lab));
    must(lab, kifu_cursor_open_line(lab, kifu_current_line(lab), KIFU_WHERE_LEFT, &cursor));
    must(lab, kifu_begin(lab, 0));
    must(lab, lab_play(lab, "2"));
    must(lab, kifu_cursor_forward(cursor));
    must(lab, kifu_roll_back(lab));
    must_refuse(lab, kifu_cursor_back(cursor));
    kifu_destroy(lab);
}
END_TEST

// --- What it costs ---------------------------------------------------------------------------------------------------

enum { SHARED = 3000, OWN = 40 };

START_TEST(R07_a_place_of_a_line_costs_what_differs)
{
    unsigned long dos = 0;
    kifu_timeline *lab = lab_new(&(kifu_options){.user = &dos, .keep_variations = kifu_keep_variations}), *fork;
    kifu_cursor *cursor;
    for (int i = 0; i < SHARED + OWN; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    must(lab, kifu_go_to(lab, 0, SHARED, true));
    for (int i = 0; i < OWN; i++)
        lab_submit_p_add(lab, 0, 2);
    must(lab, kifu_run(lab));
    dos = 0;
    must(lab, kifu_cursor_open_line(lab, 0, SHARED + OWN, &cursor));
    ck_assert_uint_eq(dos, OWN);
    for (int i = 0; i < 10 * OWN; i++)
        must(lab, kifu_cursor_back(cursor));
    ck_assert_uint_eq(dos, OWN);
    kifu_cursor_close(cursor);
    dos = 0;
    must(lab, kifu_fork_line(lab, 0, SHARED + OWN, NULL, &fork, NULL));
    ck_assert_int_eq(lab_get_state(fork)->total, SHARED + OWN);
    kifu_destroy(fork);
    kifu_destroy(lab);
}
END_TEST

START_TEST(V03_without_memory_nothing_of_a_line_is_looked_at)
{
    for (long failure = 0;; failure++) {
        test_memory memory = {.until_failure = -1};
        kifu_options options = keeping;
        options.allocate = test_allocate;
        options.allocate_context = &memory;
        kifu_timeline *lab = small_tree_with(&options, 0), *fork = NULL;
        const lab_picture picture = lab_look(lab);
        kifu_cursor *cursor = NULL;
        memory.until_failure = failure;
        kifu_result result = kifu_cursor_open_line(lab, 2, 6, &cursor);
        if (!result)
            result = kifu_fork_line(lab, 2, 6, &options, &fork, NULL);
        memory.until_failure = -1;
        if (memory.failed && result) {
            ck_assert_int_eq(result, KIFU_NO_MEMORY);
            ck_assert_ptr_null(fork);
        } else
            must(lab, result);
        lab_same(lab, &picture);
        kifu_destroy(fork);
        kifu_destroy(lab);
        ck_assert_int_eq(memory.blocks, 0);
        if (!memory.failed)
            return;
    }
}
END_TEST

// --- Inside of other calls -------------------------------------------------------------------------------------------

// After each event of the way to a line, the end of another one that leaves this way further on.
static void look_elsewhere(void *context, kifu_timeline *lab, const void *state, const kifu_change *change)
{
    (void)state, (void)change;
    kifu_cursor *cursor;
    must(lab, kifu_cursor_open_line(lab, 3, 6, &cursor));
    ck_assert_int_eq(((const lab_state *)kifu_cursor_state(cursor))->total, 4);
    kifu_cursor_close(cursor);
    ++*(int *)context;
}

START_TEST(V03_a_listener_looks_at_another_line_while_the_game_goes_to_one)
{
    static const char *const zero[] = {"+", "+", "+", NULL}, *const one[] = {"-", "-", "-", "-", "-", NULL},
                             *const two[] = {"++", "++", NULL}, *const three[] = {"+++", "+", NULL};
    int looks = 0;
    kifu_timeline *lab = lab_new(&keeping);
    play_scripts(lab, zero);
    must(lab, kifu_go_to(lab, 0, 2, true));
    play_scripts(lab, one);
    must(lab, kifu_go_to(lab, 1, 6, true));
    play_scripts(lab, two);
    must(lab, kifu_go_to(lab, 1, 4, true));
    play_scripts(lab, three);
    must(lab, kifu_go_to(lab, 0, 2, true));
    const kifu_observer observer = {KIFU_PART(lab_state, total), .listen = look_elsewhere, .context = &looks};
    must(lab, kifu_observe(lab, &observer));
    must(lab, kifu_go_to(lab, 2, 8, true));
    ck_assert_int_eq(lab_get_state(lab)->total, 2 - 4 + 4);
    ck_assert_int_eq(looks, 6);
    must(lab, kifu_verify_replay(lab, NULL));
    kifu_destroy(lab);
}
END_TEST

START_TEST(F45_a_line_is_not_looked_at_in_a_try)
{
    kifu_timeline *lab = small_tree(0), *fork;
    kifu_cursor *cursor;
    must(lab, lab_try_p_add(lab, 0, 1));
    must_refuse(lab, kifu_cursor_open_line(lab, 1, 3, &cursor));
    ck_assert_int_eq(kifu_fork_line(lab, 1, 3, NULL, &fork, NULL), KIFU_MISUSE);
    kifu_take_back(lab);
    must(lab, kifu_cursor_open_line(lab, 1, 3, &cursor));
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        R01_V03_cursors_and_forks_go_along_any_line,
        V03_a_line_is_looked_at_from_where_it_was_left,
        V07_a_fork_of_a_line_has_its_notes,
        V03_a_place_that_no_line_has_is_refused,
        F45_a_cursor_of_a_line_is_lost_when_lines_change,
        R07_a_place_of_a_line_costs_what_differs,
        V03_without_memory_nothing_of_a_line_is_looked_at,
        V03_a_listener_looks_at_another_line_while_the_game_goes_to_one,
        F45_a_line_is_not_looked_at_in_a_try,
    };
    return run_suite("line_places", tests, sizeof tests / sizeof *tests);
}
