// What waits is kept by its place (R02): it waits again when the game comes there by redo, kifu_go_to or from another
// line, also where it was passed on the way. Undo and going back drop it.

#include <kifu/changes.h>
#include <kifu/log_file.h>

#include "crawl_help.h"
#include "history_help.h"
#include "save_help.h"
#include "suite.h"
#include "tally.h"

static kifu_timeline *new_tally(test_memory *memory)
{
    const kifu_options options = {
        .keep_variations = kifu_keep_variations, .allocate = memory ? test_allocate : NULL, .allocate_context = memory};
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_msg(!kifu_create(&tally_rules, &options, &timeline, &error), "%s", error.message);
    return timeline;
}

static void play(kifu_timeline *timeline, int amount)
{
    tally_submit_p_add(timeline, 0, amount, NULL);
    must(timeline, kifu_run(timeline));
}

static void undo_to(kifu_timeline *timeline, uint32_t count)
{
    while (kifu_event_count(timeline) > count)
        must(timeline, kifu_undo(timeline));
}

static void redo_to(kifu_timeline *timeline, uint32_t count)
{
    while (kifu_event_count(timeline) < count)
        must(timeline, kifu_redo(timeline));
}

// 1 2 3 4 5, of which the last two are undone; after 3 events, 100 waits.
static kifu_timeline *waiting(void)
{
    kifu_timeline *timeline = new_tally(NULL);
    for (int i = 1; i <= 5; i++)
        play(timeline, i);
    undo_to(timeline, 3);
    tally_submit_p_add(timeline, 0, 100, NULL);
    return timeline;
}

static void expect_waiting(kifu_timeline *timeline, uint32_t count)
{
    ck_assert_uint_eq(kifu_event_count(timeline), 3);
    ck_assert_uint_eq(kifu_pending_count(timeline), count);
    must(timeline, kifu_run(timeline));
    ck_assert_int_eq(tally_get_state(timeline)->total, count ? 106 : 6);
    kifu_destroy(timeline);
}

// --- It waits again --------------------------------------------------------------------------------------------------

START_TEST(R02_what_waited_waits_again_where_redo_leads)
{
    kifu_timeline *timeline = waiting();
    undo_to(timeline, 0);
    ck_assert_uint_eq(kifu_pending_count(timeline), 0);
    redo_to(timeline, 2);
    ck_assert_uint_eq(kifu_pending_count(timeline), 0);
    must(timeline, kifu_redo(timeline));
    ck_assert_int_eq(kifu_redo(timeline), KIFU_NOTHING_TO_REDO); // It would be lost.
    expect_waiting(timeline, 1);
}
END_TEST

START_TEST(R02_what_waited_waits_again_where_a_go_to_leads)
{
    kifu_timeline *timeline = waiting();
    must(timeline, kifu_go_to(timeline, 0, 1, false));
    must(timeline, kifu_go_to(timeline, 0, 3, false));
    expect_waiting(timeline, 1);
}
END_TEST

// It is in the line that is left, or before the place where the lines part.
START_TEST(R02_what_waited_waits_again_where_a_line_leads)
{
    for (uint32_t from = 1; from < 5; from++) {
        kifu_timeline *timeline = new_tally(NULL);
        for (int i = 1; i <= 5; i++)
            play(timeline, i);
        undo_to(timeline, from);
        play(timeline, 50); // line 1
        must(timeline, kifu_go_to(timeline, 0, 3, false));
        tally_submit_p_add(timeline, 0, 100, NULL);
        undo_to(timeline, 1);
        must(timeline, kifu_go_to(timeline, 1, from + 1, false)); // Past it, or beside it.
        ck_assert_uint_eq(kifu_pending_count(timeline), 0);
        must(timeline, kifu_go_to(timeline, 0, 1, false));
        must(timeline, kifu_go_to(timeline, 0, 3, false));
        expect_waiting(timeline, 1);
    }
}
END_TEST

START_TEST(R02_what_was_passed_on_the_way_is_kept)
{
    for (int by_redo = 0; by_redo < 2; by_redo++) {
        kifu_timeline *timeline = waiting();
        undo_to(timeline, 1);
        must(timeline, kifu_go_to(timeline, 0, 5, false));
        ck_assert_uint_eq(kifu_pending_count(timeline), 0);
        must(timeline, kifu_go_to(timeline, 0, 2, false));
        if (by_redo)
            redo_to(timeline, 3);
        else
            must(timeline, kifu_go_to(timeline, 0, 3, false));
        expect_waiting(timeline, 1);
    }
}
END_TEST

START_TEST(R02_consequences_wait_again_inside_of_their_chain)
{
    kifu_timeline *timeline = new_tally(NULL);
    play(timeline, 1);
    tally_submit_p_add(timeline, 0, 2, "a bonus follows");
    must(timeline, kifu_step(timeline));
    must(timeline, kifu_go_to(timeline, 0, 0, false));
    must(timeline, kifu_go_to(timeline, 0, 2, false));
    ck_assert_uint_eq(kifu_pending_count(timeline), 1);
    must(timeline, kifu_run(timeline));
    ck_assert_int_eq(tally_get_state(timeline)->total, 4);
    must(timeline, kifu_undo(timeline)); // The bonus belongs to the move.
    ck_assert_uint_eq(kifu_event_count(timeline), 1);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(R02_an_action_that_was_set_is_set_again)
{
    for (int way = 0; way < 2; way++) {
        kifu_timeline *crawl = crawl_new(NULL);
        const kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
        must_step(crawl, crawl_hunt, BEGAN, ASKED(hero));
        const uint32_t count = kifu_event_count(crawl);
        must(crawl, kifu_set_action(crawl, hero, crawl_submit_p_move(crawl, 0, hero, 1, 0)));
        must(crawl, kifu_go_to(crawl, 0, 0, true));
        ck_assert_uint_lt(kifu_event_count(crawl), count);
        if (way)
            must(crawl, kifu_go_to(crawl, 0, count, true));
        while (kifu_event_count(crawl) < count)
            must(crawl, kifu_redo(crawl));
        must_step(crawl, crawl_hunt, ACTED(hero));
        ck_assert_uint_eq(crawl_at(crawl, hero)->x, 2);
        kifu_destroy(crawl);
    }
}
END_TEST

// --- It is dropped ---------------------------------------------------------------------------------------------------

START_TEST(R02_undo_and_going_back_drop_what_was_kept_there)
{
    for (int way = 0; way < 3; way++) {
        kifu_timeline *timeline = waiting();
        undo_to(timeline, 1);
        must(timeline, kifu_go_to(timeline, 0, 5, false));
        if (way == 0)
            undo_to(timeline, 3);
        else
            must(timeline, kifu_go_to(timeline, 0, 3, false));
        ck_assert_uint_eq(kifu_pending_count(timeline), 0);
        if (way == 2) { // It does not come back later, either.
            must(timeline, kifu_go_to(timeline, 0, 5, false));
            must(timeline, kifu_go_to(timeline, 0, 1, false));
            redo_to(timeline, 3);
        }
        expect_waiting(timeline, 0);
    }
}
END_TEST

START_TEST(R02_where_nothing_waits_any_more_nothing_is_kept)
{
    kifu_timeline *timeline = waiting();
    undo_to(timeline, 1);
    redo_to(timeline, 3);
    must(timeline, kifu_drop_inputs(timeline));
    undo_to(timeline, 1);
    redo_to(timeline, 3);
    expect_waiting(timeline, 0);
}
END_TEST

START_TEST(R02_a_new_event_drops_what_waits_behind_it_in_a_game_of_one_line)
{
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert(!kifu_create(&tally_rules, NULL, &timeline, &error));
    for (int i = 1; i <= 3; i++)
        play(timeline, i);
    tally_submit_p_add(timeline, 0, 100, NULL);
    undo_to(timeline, 1);
    for (int i = 2; i <= 4; i++)
        play(timeline, i);
    must(timeline, kifu_go_to(timeline, 0, 1, false)); // Past that place.
    redo_to(timeline, 3);
    expect_waiting(timeline, 0);
}
END_TEST

START_TEST(R02_a_roll_back_finds_what_was_kept_before)
{
    kifu_timeline *timeline = waiting();
    undo_to(timeline, 2);
    must(timeline, kifu_begin(timeline, KIFU_SEARCH));
    play(timeline, 7);
    tally_submit_p_add(timeline, 0, 8, NULL);
    must(timeline, kifu_undo(timeline));
    must(timeline, kifu_roll_back(timeline));
    redo_to(timeline, 3);
    expect_waiting(timeline, 1);
}
END_TEST

START_TEST(R02_a_try_leaves_what_is_kept)
{
    kifu_timeline *timeline = waiting();
    undo_to(timeline, 1);
    must(timeline, tally_try_p_add(timeline, 0, 7, "and a bonus"));
    ck_assert_int_eq(tally_try_p_add(timeline, 0, 0, NULL), KIFU_REJECTED);
    kifu_event event;
    ck_assert(kifu_event_at(timeline, 2, &event)); // The log has it now.
    must(timeline, kifu_take_back(timeline));
    redo_to(timeline, 3);
    expect_waiting(timeline, 1);
}
END_TEST

// --- Where redo stops ------------------------------------------------------------------------------------------------

START_TEST(R02_redo_brings_back_a_chain_wherever_the_undo_began)
{
    kifu_timeline *timeline = new_tally(NULL);
    for (int i = 1; i <= 4; i++) {
        tally_submit_p_add(timeline, 0, i, "and a bonus");
        must(timeline, kifu_run(timeline));
    }
    must(timeline, kifu_go_to(timeline, 0, 0, false));
    for (uint32_t i = 1; i <= 4; i++) {
        ck_assert_uint_eq(kifu_can_redo(timeline, NULL), 2);
        must(timeline, kifu_redo(timeline));
        ck_assert_uint_eq(kifu_event_count(timeline), 2 * i);
    }
    kifu_destroy(timeline);
}
END_TEST

// A switch costs no memory for the chains on its way.
START_TEST(R02_a_way_over_thousands_of_chains_remembers_none)
{
    enum { MOVES = 8000 };
    test_memory memory = {.until_failure = -1};
    kifu_timeline *timeline = new_tally(&memory);
    play(timeline, 1);
    for (int i = 0; i < MOVES; i++)
        play(timeline, 2);
    must(timeline, kifu_go_to(timeline, 0, 1, false));
    play(timeline, 3);
    must(timeline, kifu_go_to(timeline, 0, MOVES, false));
    const size_t bytes = memory.bytes;
    const long blocks = memory.blocks;
    must(timeline, kifu_go_to(timeline, 1, 2, false));
    ck_assert_int_le(memory.blocks, blocks + 4); // What is kept of the segments, and hashes.
    ck_assert_uint_le(memory.bytes, bytes + (size_t)MOVES);
    kifu_destroy(timeline);
}
END_TEST

// --- In files --------------------------------------------------------------------------------------------------------

static const kifu_options keeping = {.keep_variations = kifu_keep_variations};

static kifu_timeline *recovered(const char *path, bool lines)
{
    const kifu_load_options options = {.recover = kifu_recover};
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_msg(!kifu_load(&tally_rules, path, lines ? &keeping : NULL, &options, &timeline, &error), "%s",
                  error.message);
    return timeline;
}

static kifu_timeline *loaded(kifu_timeline *timeline, bool lines)
{
    unsigned char *bytes;
    size_t size;
    kifu_timeline *copy;
    kifu_error error;
    must(timeline, kifu_save_to_memory(timeline, NULL, &bytes, &size));
    ck_assert_msg(!kifu_load_from_memory(&tally_rules, bytes, size, lines ? &keeping : NULL, NULL, &copy, &error), "%s",
                  error.message);
    kifu_free_bytes(timeline, bytes);
    return copy;
}

static void expect_kept(kifu_timeline *timeline, uint32_t count)
{
    must(timeline, kifu_go_to(timeline, 0, 1, false));
    redo_to(timeline, 3);
    expect_waiting(timeline, count);
}

// Behind the place, and where it was passed.
START_TEST(R02_saves_have_what_is_kept)
{
    for (uint32_t place = 1; place <= 5; place += 4) {
        kifu_timeline *timeline = waiting();
        undo_to(timeline, 1);
        must(timeline, kifu_go_to(timeline, 0, place, false));
        for (int lines = 0; lines < 2; lines++) {
            kifu_timeline *copy = loaded(timeline, lines);
            ck_assert_uint_eq(kifu_event_count(copy), place);
            expect_kept(copy, 1);
        }
        must(timeline, kifu_go_to(timeline, 0, 1, false));
        play(timeline, 9); // It is in another line.
        expect_kept(loaded(timeline, true), 1);
        expect_kept(timeline, 1);
    }
}
END_TEST

START_TEST(R02_a_log_file_has_what_is_kept)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    for (int often = 0; often < 2; often++) { // Appended after each call, and only in the end.
        kifu_timeline *timeline = waiting();
        must(timeline, kifu_log_open(timeline, path, NULL));
        must(timeline, kifu_undo(timeline));
        must(timeline, often ? kifu_log_append(timeline) : KIFU_OK);
        must(timeline, kifu_undo(timeline));
        must(timeline, often ? kifu_log_append(timeline) : KIFU_OK);
        expect_kept(recovered(path, true), 1);
        must(timeline, kifu_go_to(timeline, 0, 5, false));
        must(timeline, kifu_log_append(timeline));
        kifu_timeline *found = recovered(path, true);
        ck_assert_uint_eq(kifu_event_count(found), 5);
        expect_kept(found, 1);
        must(timeline, kifu_go_to(timeline, 0, 1, false));
        play(timeline, 9);
        must(timeline, kifu_log_append(timeline));
        expect_kept(recovered(path, true), 1);
        must(timeline, kifu_go_to(timeline, 0, 1, false));
        must(timeline, kifu_log_append(timeline));
        expect_kept(recovered(path, true), 1);
        expect_kept(recovered(path, false), 1);
        must(timeline, kifu_go_to(timeline, 0, 3, false));
        must(timeline, kifu_log_append(timeline));
        found = recovered(path, true);
        expect_waiting(found, 1);
        kifu_destroy(timeline);
    }
    remove_folder(folder);
}
END_TEST

// Between two appends, the game came there, dropped it, and went away.
START_TEST(R02_a_log_file_hears_of_what_is_not_kept_any_more)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    for (uint32_t place = 1; place <= 5; place++) {
        kifu_timeline *timeline = waiting();
        undo_to(timeline, 1);
        must(timeline, kifu_log_open(timeline, path, NULL));
        expect_kept(recovered(path, true), 1);
        redo_to(timeline, 3);
        must(timeline, kifu_drop_inputs(timeline));
        must(timeline, kifu_go_to(timeline, 0, place, false));
        must(timeline, kifu_log_append(timeline));
        expect_kept(recovered(path, true), 0);
        expect_kept(recovered(path, false), 0);
        kifu_destroy(timeline);
    }
    remove_folder(folder);
}
END_TEST

START_TEST(R02_a_follower_keeps_what_is_kept)
{
    kifu_timeline *timeline = waiting(), *follower = new_tally(NULL);
    undo_to(timeline, 1);
    for (uint32_t place = 1; place <= 5; place += 4) {
        const kifu_stream_position at = kifu_followed(follower);
        kifu_changes changes;
        must(timeline, kifu_go_to(timeline, 0, place, false));
        must(timeline, kifu_changes_since(timeline, &at, &changes));
        must(follower, kifu_apply_changes(follower, changes.bytes, changes.size));
        kifu_free_bytes(timeline, changes.bytes);
        ck_assert_uint_eq(kifu_event_count(follower), place);
    }
    expect_kept(follower, 1);
    kifu_destroy(timeline);
}
END_TEST

// A follower has no room yet for what waits further on.
START_TEST(M08_R02_without_memory_for_what_waits_there_nothing_is_redone)
{
    char large[3000] = {0};
    memset(large, 'x', sizeof large - 1);
    kifu_timeline *timeline = new_tally(NULL);
    for (int i = 1; i <= 3; i++)
        play(timeline, i);
    undo_to(timeline, 2);
    kifu_changes before, changes;
    must(timeline, kifu_changes_since(timeline, NULL, &before));
    tally_submit_p_add(timeline, 0, 100, large);
    undo_to(timeline, 1);
    must(timeline, kifu_changes_since(timeline, &before.until, &changes));
    test_memory memory = {.until_failure = -1};
    long refused = 0, no_room = 0;
    for (bool failed = true; failed; refused += failed) {
        kifu_timeline *follower = new_tally(&memory);
        must(follower, kifu_apply_changes(follower, before.bytes, before.size));
        must(follower, kifu_apply_changes(follower, changes.bytes, changes.size));
        memory.until_failure = refused;
        memory.failed = false;
        const kifu_result result = kifu_redo(follower);
        memory.until_failure = -1;
        failed = memory.failed;
        ck_assert_int_eq(result, failed ? KIFU_NO_MEMORY : KIFU_OK);
        if (failed) {
            no_room += strstr(kifu_last_error(follower)->message, "nothing was changed") != NULL;
            ck_assert_uint_eq(kifu_event_count(follower), 1);
            ck_assert_uint_eq(kifu_pending_count(follower), 0);
            must(follower, kifu_redo(follower));
        }
        ck_assert_uint_eq(kifu_event_count(follower), 2);
        ck_assert_uint_eq(kifu_pending_count(follower), 1);
        kifu_destroy(follower);
        ck_assert_int_eq(memory.blocks, 0);
    }
    ck_assert_int_gt(no_room, 0);
    kifu_free_bytes(timeline, before.bytes);
    kifu_free_bytes(timeline, changes.bytes);
    kifu_destroy(timeline);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        R02_what_waited_waits_again_where_redo_leads,
        R02_what_waited_waits_again_where_a_go_to_leads,
        R02_what_waited_waits_again_where_a_line_leads,
        R02_what_was_passed_on_the_way_is_kept,
        R02_consequences_wait_again_inside_of_their_chain,
        R02_an_action_that_was_set_is_set_again,
        R02_undo_and_going_back_drop_what_was_kept_there,
        R02_where_nothing_waits_any_more_nothing_is_kept,
        R02_a_new_event_drops_what_waits_behind_it_in_a_game_of_one_line,
        R02_a_roll_back_finds_what_was_kept_before,
        R02_a_try_leaves_what_is_kept,
        R02_redo_brings_back_a_chain_wherever_the_undo_began,
        R02_a_way_over_thousands_of_chains_remembers_none,
        R02_saves_have_what_is_kept,
        R02_a_log_file_has_what_is_kept,
        R02_a_log_file_hears_of_what_is_not_kept_any_more,
        R02_a_follower_keeps_what_is_kept,
        M08_R02_without_memory_for_what_waits_there_nothing_is_redone,
    };
    return run_suite("places", tests, sizeof tests / sizeof *tests);
}
