// Variations: what becomes of lines that are begun, left, entered and deleted, one by one, and what is refused.

#include <stdio.h>
#include <string.h>

#include "suite.h"
#include "text_help.h"
#include "variations_help.h"

// 1, and then 2 or 3: two lines, if variations are kept. The second one is the current one.
static void branch(kifu_timeline *timeline)
{
    play(timeline, 1, NULL);
    play(timeline, 2, NULL);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    play(timeline, 3, NULL);
}

START_TEST(V01_what_was_undone_stays_only_if_asked_for)
{
    kifu_timeline *timeline = new_tally(NULL);
    branch(timeline);
    ck_assert_uint_eq(kifu_line_count(timeline), 2);
    ck_assert_uint_eq(kifu_current_line(timeline), 1);
    ck_assert_uint_eq(line_of(timeline, 1).from, 1);
    ck_assert_int_eq(kifu_go_to(timeline, 0, 2, false), KIFU_OK);
    ck_assert_int_eq(total(timeline), 3);
    kifu_destroy(timeline);

    kifu_line line;
    ck_assert_int_eq(kifu_create(&tally_rules, NULL, &timeline, NULL), KIFU_OK);
    branch(timeline);
    ck_assert_uint_eq(kifu_line_count(timeline), 1);
    ck_assert(kifu_line_at(timeline, 0, &line) && line.count == 2 && line.main && line.current);
    ck_assert(!kifu_line_at(timeline, 1, &line));
    ck_assert_int_eq(kifu_go_to(timeline, 0, 1, false), KIFU_OK);
    ck_assert_int_eq(total(timeline), 1);
    ck_assert_int_eq(kifu_go_to(timeline, 1, 1, false), KIFU_MISUSE);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V02_lines_nest_and_their_numbers_stay)
{
    enum { DEPTH = 200 };
    kifu_timeline *timeline = new_tally(NULL);
    play(timeline, 1, NULL);
    for (int depth = 1; depth <= DEPTH; depth++) { // Each branches off from the one before it.
        play(timeline, 1, NULL);
        ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
        play(timeline, 1 + depth, NULL);
    }
    ck_assert_uint_eq(kifu_line_count(timeline), DEPTH + 1);
    for (uint32_t id = 1; id <= DEPTH; id++) {
        const kifu_line line = line_of(timeline, id);
        ck_assert(line.parent == id - 1 && line.from == id && line.count == 1 + (id < DEPTH));
    }
    ck_assert_int_eq(kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false), KIFU_OK);
    ck_assert_int_eq(kifu_delete_line(timeline, 150), KIFU_OK); // with all that branch off from it
    ck_assert_uint_eq(kifu_line_count(timeline), 150);
    ck_assert_uint_eq(line_of(timeline, 149).parent, 148);
    ck_assert_int_eq(kifu_go_to(timeline, 150, 1, false), KIFU_MISUSE);
    play(timeline, 999, NULL);
    ck_assert_uint_eq(kifu_current_line(timeline), DEPTH + 1); // The old numbers are not given again.
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V04_redo_follows_the_line_that_was_left_last)
{
    kifu_timeline *timeline = new_tally(NULL);
    branch(timeline);
    for (uint32_t line = 0; line < 2; line++) {
        ck_assert_int_eq(kifu_go_to(timeline, line, 2, false), KIFU_OK);
        ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
        ck_assert_int_eq(kifu_undo(timeline), KIFU_OK); // before the place where the lines part
        ck_assert_int_eq(kifu_redo(timeline), KIFU_OK);
        ck_assert_int_eq(kifu_redo(timeline), KIFU_OK);
        ck_assert_int_eq(total(timeline), line ? 4 : 3);
    }
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V03_what_waited_waits_again_where_a_line_was_left)
{
    kifu_timeline *timeline = new_tally(NULL);
    branch(timeline);
    tally_submit_p_add(timeline, 0, 4, "waits");
    ck_assert_int_eq(kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false), KIFU_OK);
    ck_assert_int_eq(total(timeline), 1);
    ck_assert(kifu_is_idle(timeline));
    ck_assert_int_eq(kifu_go_to(timeline, 1, KIFU_WHERE_LEFT, false), KIFU_OK);
    ck_assert_int_eq(total(timeline), 4);
    ck_assert(!kifu_is_idle(timeline));
    ck_assert_int_eq(kifu_run(timeline), KIFU_OK);
    ck_assert_int_eq(total(timeline), 9);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V05_the_same_move_enters_the_line_that_begins_with_it)
{
    kifu_timeline *timeline = new_tally(NULL);
    play(timeline, 1, NULL);
    play(timeline, 2, "noted");
    play(timeline, 5, NULL);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    tally_submit_p_add(timeline, 0, 2, "noted"); // two inputs in one run: the second one branches off
    tally_submit_p_add(timeline, 0, 7, NULL);
    ck_assert_int_eq(kifu_run(timeline), KIFU_OK);
    ck_assert_uint_eq(kifu_line_count(timeline), 2);
    ck_assert_uint_eq(line_of(timeline, 1).from, 3);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    play(timeline, 5, NULL);
    ck_assert_uint_eq(kifu_current_line(timeline), 0);
    ck_assert_uint_eq(kifu_line_count(timeline), 2);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    play(timeline, 2, "other words");
    ck_assert_uint_eq(kifu_line_count(timeline), 3);
    kifu_destroy(timeline);
}
END_TEST

// The same amount of another player, or with another flag, is another event.
START_TEST(M07_V05_another_player_repeating_the_first_event_begins_a_line)
{
    kifu_timeline *timeline = new_tally(NULL);
    branch(timeline);
    for (int player = 1; player < 3; player++) {
        ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
        tally_submit_p_add(timeline, player, player == 1 ? 2 : 3, NULL); // what begins line 0 and line 1 there
        ck_assert_int_eq(kifu_run(timeline), KIFU_OK);
        ck_assert_uint_eq(kifu_current_line(timeline), 1 + (uint32_t)player);
    }
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    kifu_override(timeline, tally_submit_p_add(timeline, 0, 2, NULL), true, true);
    ck_assert_int_eq(kifu_run(timeline), KIFU_OK);
    ck_assert_uint_eq(kifu_current_line(timeline), 4);
    for (uint32_t line = 0; line < 4; line++) { // Each is found again by its own player.
        static const int amounts[] = {2, 3, 2, 3};
        ck_assert_int_eq(kifu_go_to(timeline, 0, 1, false), KIFU_OK);
        tally_submit_p_add(timeline, line < 2 ? 0 : (int)line - 1, amounts[line], NULL);
        ck_assert_int_eq(kifu_run(timeline), KIFU_OK);
        ck_assert_uint_eq(kifu_current_line(timeline), line);
    }
    ck_assert_uint_eq(kifu_line_count(timeline), 5);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V05_lines_cannot_be_changed_in_a_transaction)
{
    kifu_timeline *timeline = new_tally(NULL);
    play(timeline, 1, NULL);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    play(timeline, 2, NULL);
    ck_assert_int_eq(kifu_begin(timeline, 0), KIFU_OK);
    ck_assert_int_eq(kifu_go_to(timeline, 0, 1, false), KIFU_MISUSE);
    ck_assert_int_eq(kifu_promote_line(timeline, 1), KIFU_MISUSE);
    ck_assert_int_eq(kifu_delete_line(timeline, 0), KIFU_MISUSE);
    ck_assert_int_eq(kifu_roll_back(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_delete_line(timeline, 0), KIFU_MISUSE); // the current one comes from it
    ck_assert_int_eq(kifu_go_to(timeline, 2, 0, false), KIFU_MISUSE);
    ck_assert_int_eq(kifu_go_to(timeline, 0, 3, false), KIFU_MISUSE);
    ck_assert_int_eq(kifu_seek(timeline, 0), KIFU_OK);
    ck_assert_int_eq(kifu_go_to(timeline, 0, 1, false), KIFU_MISUSE);
    ck_assert_int_eq(kifu_seek(timeline, KIFU_PRESENT), KIFU_OK);
    ck_assert_int_eq(kifu_go_to(timeline, 0, 1, false), KIFU_OK);
    ck_assert_int_eq(kifu_begin(timeline, 0), KIFU_OK);
    ck_assert_int_eq(kifu_delete_line(timeline, 1), KIFU_MISUSE); // outside of it, it could be deleted
    ck_assert_uint_eq(kifu_line_count(timeline), 2);
    ck_assert_int_eq(kifu_roll_back(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_delete_line(timeline, 1), KIFU_OK);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V01_a_committed_transaction_keeps_what_it_replaced)
{
    kifu_timeline *timeline = new_tally(NULL);
    play(timeline, 1, NULL);
    play(timeline, 2, NULL);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_begin(timeline, 0), KIFU_OK);
    play(timeline, 3, NULL);
    play(timeline, 4, NULL);
    ck_assert_int_eq(kifu_commit(timeline), KIFU_OK);
    ck_assert_uint_eq(kifu_line_count(timeline), 2);
    ck_assert_int_eq(kifu_go_to(timeline, 0, 2, false), KIFU_OK);
    ck_assert_int_eq(total(timeline), 3);
    ck_assert_int_eq(kifu_go_to(timeline, 1, 2, false), KIFU_OK); // inside of the chain
    ck_assert_int_eq(total(timeline), 8);
    kifu_destroy(timeline);
}
END_TEST

// Each allocation fails in turn: nothing is half done, and the same calls go on from there.
START_TEST(V01_without_memory_nothing_is_lost)
{
    test_memory memory = {.failed = true};
    for (long fail_at = 0; memory.failed; fail_at++) {
        memory = (test_memory){.until_failure = -1};
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .hash_interval = 1};
        kifu_timeline *timeline = new_tally(&options);
        play(timeline, 1, NULL);
        play(timeline, 2, "noted");
        play(timeline, 5, NULL);
        ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
        ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
        memory.until_failure = fail_at;
        while (total(timeline) != 9) { // 1 + 7 and its bonus
            if (kifu_is_idle(timeline))
                tally_submit_p_add(timeline, 0, 7, "other");
            const kifu_result result = kifu_run(timeline);
            ck_assert(!result || (result == KIFU_NO_MEMORY && memory.failed));
            ck_assert(total(timeline) == 1 || total(timeline) == 8 || total(timeline) == 9);
        }
        ck_assert_uint_eq(kifu_line_count(timeline), 2);
        while (total(timeline) != 1) {
            const kifu_result result = kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false);
            ck_assert(!result || (result == KIFU_NO_MEMORY && memory.failed && total(timeline) == 9));
        }
        ck_assert_uint_eq(kifu_current_line(timeline), 0);
        for (uint32_t line = 0; line < 2; line++) {
            const kifu_result result = kifu_go_to(timeline, line, line ? 3 : 4, false);
            ck_assert(!result || (result == KIFU_NO_MEMORY && memory.failed));
            ck_assert_int_eq(result ? kifu_go_to(timeline, line, line ? 3 : 4, false) : KIFU_OK, KIFU_OK);
            ck_assert_int_eq(total(timeline), 9);
        }
        kifu_destroy(timeline);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

START_TEST(V01_a_first_chain_that_is_undone_half_way_stays)
{
    kifu_timeline *timeline = new_tally(NULL);
    play(timeline, 1, NULL);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    tally_submit_p_add(timeline, 0, 7, "its bonus waits");
    ck_assert_int_eq(kifu_step(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_run(timeline), KIFU_OK);
    ck_assert_uint_eq(kifu_line_count(timeline), 2);
    ck_assert_int_eq(kifu_redo(timeline), KIFU_OK);
    ck_assert_int_eq(total(timeline), 7);
    ck_assert_int_eq(kifu_run(timeline), KIFU_OK);
    ck_assert_int_eq(total(timeline), 8);
    kifu_destroy(timeline);
}
END_TEST

static void step_one(kifu_timeline *timeline, int amount)
{
    tally_submit_p_add(timeline, 0, amount, "its bonus waits");
    ck_assert_int_eq(kifu_step(timeline), KIFU_OK);
}

START_TEST(V05_a_line_is_deleted_while_a_new_one_begins)
{
    kifu_timeline *timeline = new_tally(NULL);
    play(timeline, 1, NULL);
    play(timeline, 2, "noted");
    play(timeline, 4, NULL);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    play(timeline, 5, NULL);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    tally_submit_p_add(timeline, 0, 2, "noted"); // as line 0 goes on, from which line 1 branches off later
    ck_assert_int_eq(kifu_step(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_delete_line(timeline, 1), KIFU_OK);
    ck_assert_int_eq(kifu_run(timeline), KIFU_OK);
    ck_assert(line_of(timeline, kifu_current_line(timeline)).current);
    play(timeline, 9, NULL);
    ck_assert_int_eq(total(timeline), 1 + 2 + 1 + 9);
    ck_assert(line_of(timeline, kifu_current_line(timeline)).current);
    kifu_destroy(timeline);
}
END_TEST

// The number of the line that is entered instead comes before another one in what the log file has yet to hear of.
START_TEST(V05_a_line_is_deleted_between_two_log_files_while_a_new_one_begins)
{
    static const char path[] = "deleted.kifu";
    const kifu_load_options recovering = {.recover = kifu_recover};
    const kifu_options keeping = {.keep_variations = kifu_keep_variations};
    kifu_timeline *timeline = new_tally(NULL), *loaded;
    play(timeline, 1, NULL);
    play(timeline, 2, "noted");
    play(timeline, 4, NULL);
    for (int i = 5; i < 8; i++) {
        ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
        play(timeline, i, NULL);
    }
    ck_assert_int_eq(kifu_log_open(timeline, path, NULL), KIFU_OK);
    ck_assert_int_eq(kifu_log_close(timeline, NULL), KIFU_OK);
    ck_assert_int_eq(kifu_go_to(timeline, 0, 1, false), KIFU_OK);
    tally_submit_p_add(timeline, 0, 2, "noted");
    ck_assert_int_eq(kifu_step(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_delete_line(timeline, 2), KIFU_OK);
    ck_assert_int_eq(kifu_run(timeline), KIFU_OK); // Now it is line 0 again.
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    play(timeline, 9, NULL); // The new line has the same number.
    ck_assert_int_eq(kifu_log_open(timeline, path, NULL), KIFU_OK);
    play(timeline, 6, NULL);
    ck_assert_int_eq(kifu_log_append(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_load(&tally_rules, path, &keeping, &recovering, &loaded, NULL), KIFU_OK);
    ck_assert_int_eq(total(loaded), 1 + 9 + 6);
    ck_assert_uint_eq(kifu_line_count(loaded), 4);
    kifu_destroy(loaded);
    kifu_destroy(timeline);
    ck_assert_int_eq(remove(path), 0);
}
END_TEST

START_TEST(V05_a_line_that_is_left_before_it_is_all_there_stays)
{
    kifu_timeline *timeline = new_tally(NULL);
    play(timeline, 1, NULL);
    play(timeline, 2, NULL);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    step_one(timeline, 3);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK); // line 1 is half there
    play(timeline, 3, "its bonus waits");           // line 2 begins as it does
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    step_one(timeline, 4);
    ck_assert_int_eq(kifu_go_to(timeline, 1, 2, true), KIFU_OK);
    ck_assert_int_eq(kifu_run(timeline), KIFU_OK);
    ck_assert_uint_eq(kifu_line_count(timeline), 4);
    for (uint32_t id = 0; id < 4; id++) {
        const kifu_line line = line_of(timeline, id);
        ck_assert_int_eq(kifu_go_to(timeline, id, line.from + line.count, true), KIFU_OK);
        ck_assert_uint_eq(kifu_event_count(timeline), line.from + line.count);
        ck_assert_uint_eq(line_of(timeline, id).count, line.count);
    }
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V01_a_search_begins_no_line_and_shows_none)
{
    kifu_timeline *timeline = new_tally(NULL);
    kifu_event event;
    branch(timeline);
    play(timeline, 4, NULL);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_begin(timeline, KIFU_SEARCH), KIFU_OK);
    ck_assert_uint_eq(line_of(timeline, 1).count, 0);
    play(timeline, 77, NULL);
    ck_assert(!kifu_line_event(timeline, 0, 0, &event));
    ck_assert(kifu_line_event(timeline, 0, 1, &event));
    ck_assert_int_eq(((const tally_p_add *)event.table)->amount, 2);
    ck_assert_int_eq(kifu_roll_back(timeline), KIFU_OK);
    ck_assert_uint_eq(line_of(timeline, 1).count, 2);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V01_a_search_adds_nothing_to_the_only_line)
{
    kifu_timeline *timeline;
    kifu_stretch stretches[2];
    uint32_t count;
    must_be(!kifu_create(&tally_rules, NULL, &timeline, NULL));
    play(timeline, 1, NULL);
    must(timeline, kifu_begin(timeline, KIFU_SEARCH));
    play(timeline, 77, NULL);
    ck_assert_uint_eq(line_of(timeline, 0).count, 1);
    must(timeline, kifu_draw_tree(timeline, stretches, 2, &count, NULL));
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(stretches[0].count, 1);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V01_a_transaction_that_cannot_begin_leaves_redo)
{
    static const uint32_t ways[] = {0, KIFU_DEFERRED, KIFU_SEARCH, 0, KIFU_SEARCH, 0};
    char large[2000] = {0};
    memset(large, 'x', sizeof large - 1);
    for (int way = 0; way < 6; way++) {
        test_memory memory = {.failed = true};
        for (long fail_at = 0; memory.failed; fail_at++) {
            memory = (test_memory){.until_failure = -1};
            const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .hash_interval = 1};
            kifu_timeline *timeline;
            if (way < 3 || way == 5)
                timeline = new_tally(&options);
            else // What redo could bring back is of no line.
                ck_assert_int_eq(kifu_create(&tally_rules, &options, &timeline, NULL), KIFU_OK);
            play(timeline, 1, NULL);
            ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
            if (way == 5) // This waits, and wants room.
                tally_submit_p_add(timeline, 0, 2, large);
            memory.until_failure = fail_at;
            const kifu_result result = kifu_begin(timeline, ways[way]);
            memory.until_failure = -1;
            ck_assert_int_eq(result, memory.failed ? KIFU_NO_MEMORY : KIFU_OK);
            ck_assert_uint_eq(kifu_open_transactions(timeline), !result);
            ck_assert_int_eq(result ? KIFU_OK : kifu_roll_back(timeline), KIFU_OK);
            ck_assert_uint_eq(kifu_line_count(timeline), 1);
            ck_assert_int_eq(kifu_drop_inputs(timeline), KIFU_OK);
            ck_assert_int_eq(kifu_redo(timeline), KIFU_OK);
            kifu_destroy(timeline);
            ck_assert_int_eq(memory.blocks, 0);
        }
    }
}
END_TEST

// In the words of a way, and not of an undo: there is something to go back over.
START_TEST(V03_what_stops_the_way_back_is_named)
{
    kifu_timeline *timeline = new_tally(NULL);
    tally_submit_e_bonus(timeline, 7); // as the setup of a game
    ck_assert_int_eq(kifu_run(timeline), KIFU_OK);
    for (int played = 0; played < 2; played++) {
        const kifu_error *error = kifu_last_error(timeline);
        ck_assert_int_eq(kifu_go_to(timeline, 0, 0, false), KIFU_NOT_UNDOABLE);
        ck_assert_uint_eq(error->event, 0);
        const char *text =
            "kifu_go_to: the way back to after 0 events leads past event 0 (tally.EBonus), which may not be "
            "undone; `force` goes there all the same: ";
        ck_assert_msg(!strncmp(error->message, text, strlen(text)), "%s", error->message);
        ck_assert_str_eq(kifu_error_reason(error), error->message + strlen(text));
        ck_assert_int_eq(total(timeline), played ? 9 : 7);
        play(timeline, 2, NULL);
    }
    ck_assert_int_eq(kifu_go_to(timeline, 0, 0, true), KIFU_OK);
    ck_assert_int_eq(total(timeline), 0);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V03_nothing_moves_where_the_game_is_already)
{
    kifu_timeline *timeline = new_tally(NULL);
    branch(timeline);
    tally_submit_p_add(timeline, 0, 4, NULL);
    ck_assert_int_eq(kifu_go_to(timeline, 1, KIFU_WHERE_LEFT, false), KIFU_OK);
    ck_assert(!kifu_is_idle(timeline));
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    tally_submit_p_add(timeline, 0, 5, NULL);
    ck_assert_int_eq(kifu_go_to(timeline, 0, 2, false), KIFU_MISUSE); // what waits would be lost
    kifu_destroy(timeline);
}
END_TEST

// An undo in the file that was redone by going is not the next one, too.
// An engine's event that nobody's event caused belongs to the chain before it. Who plays that chain's first event again
// is inside the chain.
START_TEST(V03_lines_that_part_inside_a_chain)
{
    kifu_timeline *timeline = new_tally(NULL);
    play(timeline, 1, NULL);
    tally_submit_e_bonus(timeline, 10);
    ck_assert_int_eq(kifu_run(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    ck_assert_uint_eq(kifu_event_count(timeline), 0);
    play(timeline, 1, NULL);
    play(timeline, 2, NULL);
    ck_assert_uint_eq(line_of(timeline, 1).from, 1);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(kifu_go_to(timeline, 0, 2, false), KIFU_OK);
        ck_assert_int_eq(total(timeline), 11);
        ck_assert_int_eq(kifu_go_to(timeline, 1, 2, false), KIFU_OK);
        ck_assert_int_eq(total(timeline), 3);
    }
    ck_assert_int_eq(kifu_verify_replay(timeline, NULL), KIFU_OK);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V03_a_log_file_hears_of_going_forward)
{
    static const char path[] = "variations.kifu";
    kifu_timeline *timeline = new_tally(NULL), *loaded;
    kifu_recovery recovery;
    const kifu_load_options recovering = {.recover = kifu_recover, .recovery = &recovery};
    ck_assert_int_eq(kifu_log_open(timeline, path, NULL), KIFU_OK);
    play(timeline, 1, NULL);
    play(timeline, 2, NULL);
    tally_submit_p_add(timeline, 0, 5, NULL);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK); // and what waits goes with it
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_log_append(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_go_to(timeline, 0, 2, true), KIFU_OK);
    ck_assert_int_eq(kifu_drop_inputs(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_log_append(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_load(&tally_rules, path, NULL, &recovering, &loaded, NULL), KIFU_OK);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(kifu_redo(loaded), KIFU_OK);
    ck_assert(kifu_is_idle(loaded));
    kifu_destroy(loaded);
    kifu_destroy(timeline);
    ck_assert_int_eq(remove(path), 0);
}
END_TEST

// A line that began and was undone before it was all there. (Found by the walk: a try took it for one that is all
// there, and line 0 lost its events.)
START_TEST(X01_a_try_beside_a_line_that_is_not_all_there)
{
    kifu_timeline *timeline = new_tally(NULL);
    kifu_line before, after;
    play(timeline, 1, NULL);
    play(timeline, 1, "n");
    ck_assert_int_eq(kifu_go_to(timeline, 0, 0, true), KIFU_OK);
    tally_submit_p_add(timeline, 0, 1, "n");
    ck_assert_int_eq(kifu_step(timeline), KIFU_OK);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    before = line_of(timeline, 0);
    ck_assert_int_eq(tally_try_p_add(timeline, 0, 0, NULL), KIFU_REJECTED);
    ck_assert_int_eq(tally_try_p_add(timeline, 0, 3, "n"), KIFU_OK);
    ck_assert_int_eq(kifu_take_back(timeline), KIFU_OK);
    after = line_of(timeline, 0);
    ck_assert_uint_eq(after.count, before.count);
    ck_assert_uint_eq(kifu_line_count(timeline), 2);
    ck_assert_int_eq(kifu_verify_replay(timeline, NULL), KIFU_OK);
    kifu_destroy(timeline);
}
END_TEST

// A line that is not all there knows the line that was left for it, also in a save of another line.
START_TEST(V06_a_line_that_is_not_all_there_is_saved_with_where_it_came_from)
{
    kifu_timeline *timeline = new_tally(NULL), *loaded;
    const kifu_options options = {.keep_variations = kifu_keep_variations};
    unsigned char *bytes;
    size_t size;
    for (int amount = 1; amount < 4; amount++) {
        play(timeline, amount, NULL);
        ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    }
    ck_assert_int_eq(kifu_go_to(timeline, 1, 0, true), KIFU_OK);
    step_one(timeline, 4);
    ck_assert_int_eq(kifu_go_to(timeline, 1, KIFU_WHERE_LEFT, true), KIFU_OK);
    ck_assert_int_eq(kifu_save_to_memory(timeline, NULL, &bytes, &size), KIFU_OK);
    ck_assert_int_eq(kifu_load_from_memory(&tally_rules, bytes, size, &options, NULL, &loaded, NULL), KIFU_OK);
    kifu_free_bytes(timeline, bytes);
    gathered here = {0}, there = {0};
    ck_assert_int_eq(kifu_json_game(timeline, NULL, gather, &here), KIFU_OK);
    ck_assert_int_eq(kifu_json_game(loaded, NULL, gather, &there), KIFU_OK);
    const char *const one = strstr(here.text, "begun_instead_of"), *const other =
                                                                       strstr(there.text, "begun_instead_of");
    ck_assert(one && other);
    ck_assert_int_eq(strncmp(one, other, 21), 0);
    free(here.text);
    free(there.text);
    kifu_destroy(loaded);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(M08_V05_the_line_that_is_there_already_becomes_the_main_one)
{
    kifu_timeline *timeline = new_tally(NULL);
    play(timeline, 1, NULL);
    play(timeline, 2, "with a bonus");
    must(timeline, kifu_undo(timeline));
    play(timeline, 3, NULL);
    must(timeline, kifu_undo(timeline));
    tally_submit_p_add(timeline, 0, 2, "with a bonus");
    must(timeline, kifu_step(timeline)); // a new line, as long as its first input is not over
    ck_assert_uint_eq(kifu_current_line(timeline), 2);
    must(timeline, kifu_promote_line(timeline, 2));
    must(timeline, kifu_run(timeline));
    ck_assert_uint_eq(kifu_current_line(timeline), 0);
    ck_assert_uint_eq(kifu_main_line(timeline), 0);
    must(timeline, kifu_undo(timeline));
    play(timeline, 3, NULL);
    ck_assert_uint_eq(kifu_current_line(timeline), 1);
    ck_assert_uint_eq(kifu_main_line(timeline), 0);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(M08_V11_what_is_before_the_first_event_is_in_no_line)
{
    kifu_timeline *timeline = new_tally(NULL);
    for (int amount = 1; amount <= 4; amount++)
        play(timeline, amount, NULL);
    ck_assert_int_eq(kifu_forget(timeline, 2), KIFU_OK);
    kifu_event event;
    uint32_t following;
    for (uint32_t at = 0; at < 4; at++) {
        ck_assert(kifu_line_event(timeline, 0, at, &event) == (at >= 2));
        ck_assert_uint_eq(kifu_line_of_event(timeline, 0, at), at >= 2 ? 0 : KIFU_NONE);
        ck_assert_uint_eq(kifu_lines_after(timeline, 0, at, &following, 1), at >= 2);
    }
    kifu_destroy(timeline);
}
END_TEST

// What could not be looked for among the lines is looked for the next time.
START_TEST(M08_V05_a_line_that_was_not_filed_without_memory_is_found_later)
{
    test_memory memory = {.failed = true};
    for (long refused = 0; memory.failed; refused++) {
        memory = (test_memory){.until_failure = -1};
        kifu_timeline *timeline = new_tally(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
        branch(timeline); // Line 1 begins with 3,
        must(timeline, kifu_undo(timeline));
        tally_submit_p_add(timeline, 0, 4, NULL);
        memory.until_failure = refused;
        (void)kifu_run(timeline); // and line 2 with 4, before which line 1 is filed.
        memory.until_failure = -1;
        must(timeline, kifu_run(timeline));
        ck_assert_uint_eq(kifu_current_line(timeline), 2);
        must(timeline, kifu_undo(timeline));
        play(timeline, 3, NULL);
        ck_assert_uint_eq(kifu_current_line(timeline), 1);
        ck_assert_uint_eq(kifu_line_count(timeline), 3);
        kifu_destroy(timeline);
    }
}
END_TEST

// --- Which line is the main one --------------------------------------------------------------------------------------

START_TEST(F67_a_line_that_is_played_becomes_the_main_one_if_the_game_wants_it)
{
    for (int promotes = 0; promotes < 2; promotes++) {
        kifu_timeline *timeline = new_tally(&(kifu_options){.promote_played = promotes});
        branch(timeline);
        ck_assert_uint_eq(kifu_main_line(timeline), promotes ? 1 : 0);
        must(timeline, kifu_promote_line(timeline, 0)); // until something is played
        ck_assert_uint_eq(kifu_main_line(timeline), 0);
        play(timeline, 4, NULL);
        ck_assert_uint_eq(kifu_main_line(timeline), promotes ? 1 : 0);
        must(timeline, kifu_go_to(timeline, 0, 2, false)); // looking plays nothing,
        must(timeline, kifu_undo(timeline));
        must(timeline, kifu_redo(timeline)); // nor does redo,
        tally_submit_p_add(timeline, 0, 0, NULL);
        ck_assert_int_eq(kifu_run(timeline), KIFU_REJECTED); // nor what does not happen
        ck_assert_uint_eq(kifu_main_line(timeline), promotes ? 1 : 0);
        play(timeline, 5, NULL);
        ck_assert_uint_eq(kifu_main_line(timeline), 0);
        kifu_destroy(timeline);
    }
}
END_TEST

START_TEST(F67_a_loaded_game_keeps_its_main_line_until_something_is_played)
{
    unsigned char *bytes;
    size_t size;
    kifu_timeline *timeline = new_tally(NULL), *loaded;
    branch(timeline);
    must(timeline, kifu_save_to_memory(timeline, NULL, &bytes, &size));
    const kifu_options options = {.keep_variations = kifu_keep_variations, .promote_played = true};
    ck_assert_int_eq(kifu_load_from_memory(&tally_rules, bytes, size, &options, NULL, &loaded, NULL), KIFU_OK);
    ck_assert_uint_eq(kifu_main_line(loaded), 0);
    play(loaded, 4, NULL);
    ck_assert_uint_eq(kifu_main_line(loaded), 1);
    kifu_free_bytes(timeline, bytes);
    kifu_destroy(loaded);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(F67_a_line_whose_first_event_fails_does_not_become_the_main_one)
{
    kifu_timeline *timeline = new_tally(&(kifu_options){.promote_played = true, .max_edits = 65536});
    branch(timeline);
    must(timeline, kifu_promote_line(timeline, 0));
    must(timeline, kifu_undo(timeline));
    tally_submit_p_add(timeline, 0, 0, NULL);
    ck_assert_int_eq(kifu_run(timeline), KIFU_REJECTED);
    ck_assert_uint_eq(kifu_main_line(timeline), 0);
    must(timeline, kifu_begin(timeline, 0));
    play(timeline, 7, NULL);
    must(timeline, kifu_roll_back(timeline));
    ck_assert_uint_eq(kifu_main_line(timeline), 0);
    must(timeline, kifu_begin(timeline, 0));
    play(timeline, 7, NULL);
    must(timeline, kifu_commit(timeline));
    ck_assert_uint_eq(kifu_main_line(timeline), kifu_current_line(timeline));
    kifu_destroy(timeline);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        X01_a_try_beside_a_line_that_is_not_all_there,
        V06_a_line_that_is_not_all_there_is_saved_with_where_it_came_from,
        V01_what_was_undone_stays_only_if_asked_for,
        V01_a_committed_transaction_keeps_what_it_replaced,
        V02_lines_nest_and_their_numbers_stay,
        V03_what_waited_waits_again_where_a_line_was_left,
        V04_redo_follows_the_line_that_was_left_last,
        V05_the_same_move_enters_the_line_that_begins_with_it,
        M07_V05_another_player_repeating_the_first_event_begins_a_line,
        V05_lines_cannot_be_changed_in_a_transaction,
        V01_without_memory_nothing_is_lost,
        V01_a_first_chain_that_is_undone_half_way_stays,
        V05_a_line_is_deleted_while_a_new_one_begins,
        V05_a_line_is_deleted_between_two_log_files_while_a_new_one_begins,
        V05_a_line_that_is_left_before_it_is_all_there_stays,
        V01_a_search_begins_no_line_and_shows_none,
        V01_a_search_adds_nothing_to_the_only_line,
        V01_a_transaction_that_cannot_begin_leaves_redo,
        V03_nothing_moves_where_the_game_is_already,
        V03_a_log_file_hears_of_going_forward,
        V03_lines_that_part_inside_a_chain,
        V03_what_stops_the_way_back_is_named,
        M08_V05_the_line_that_is_there_already_becomes_the_main_one,
        M08_V11_what_is_before_the_first_event_is_in_no_line,
        M08_V05_a_line_that_was_not_filed_without_memory_is_found_later,
        F67_a_line_that_is_played_becomes_the_main_one_if_the_game_wants_it,
        F67_a_loaded_game_keeps_its_main_line_until_something_is_played,
        F67_a_line_whose_first_event_fails_does_not_become_the_main_one,
    };
    return run_suite("variations", tests, sizeof tests / sizeof *tests);
}
