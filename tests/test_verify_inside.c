// Verification of what no game of this program has: lines without hashes, as an older one saved them, lines that end
// early, and marks that no rules wrote.

#include "core/timeline.h"
#include "history/lines.h"
#include "verify_lines_help.h"
#include "verify_rules_help.h"

// --- Lines -----------------------------------------------------------------------------------------------------------

START_TEST(V08_an_event_that_never_does_the_same_is_found_in_a_line_without_hashes)
{
    kifu_timeline *timeline = with_fault(100000, count_up, NULL);
    must(timeline, kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false));
    kifu_difference difference = must_differ_at(timeline, 1, 4, 4);
    ck_assert_str_eq(difference.name, "faulty.ECounter");
    faulty_says(kifu_last_error(timeline)->message,
                "event 4 of line 1 (faulty.ECounter) gives another state each time");
    kifu_destroy(timeline);

    timeline = begin(100000, NULL);
    play_amount(timeline, 1);
    play_amount(timeline, 2);
    count_up(timeline);
    must(timeline, kifu_go_to(timeline, 0, 2, true));
    play_amount(timeline, 3);
    kifu__branch *branch = kifu__lines_of(timeline)->items[0].branch;
    branch->checkpoint_count = kifu__checkpoints_up_to(branch, 2); // not even at its end, as an older game saved it
    difference = must_differ_at(timeline, 0, 3, 3);
    ck_assert_str_eq(difference.name, "faulty.ECounter");
    kifu_destroy(timeline);
}
END_TEST

// Even where the state is the same without what it would have done.
START_TEST(M08_a_do_that_fails_only_when_it_is_compared_is_named_too)
{
    for (int taken_back = 0; taken_back < 2; taken_back++) {
        kifu_timeline *timeline = begin(100000, NULL);
        play_amount(timeline, 1);
        play_amount(timeline, 2);
        must(timeline, kifu_go_to(timeline, 0, 2, false));
        play_amount(timeline, 3);
        fail_again(timeline);
        if (taken_back)
            play_amount(timeline, -1);
        must(timeline, kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false));
        kifu__line *line = &kifu__lines_of(timeline)->items[1];
        line->branch->checkpoint_count = 0; // not even at its end, as in one that an older game saved
        line->tip_hash = 0;
        faulty_now.failures = 0; // So it happens once more.
        kifu_difference difference;
        ck_assert_int_eq(kifu_verify_replay(timeline, &difference), KIFU_DIVERGED);
        ck_assert_uint_eq(difference.line, 1);
        ck_assert_uint_eq(difference.event, 3);
        kifu_destroy(timeline);
    }
}
END_TEST

START_TEST(V08_an_event_that_reads_what_was_left_on_the_stack_is_found_in_a_line_without_hashes)
{
    kifu_timeline *timeline = with_fault(100000, read_the_stack, NULL);
    must(timeline, kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false));
    for (int i = 1; i < 3; i++) { // not even at its end, as in one that an older game saved
        kifu__lines_of(timeline)->items[i].branch->checkpoint_count = 0;
        kifu__lines_of(timeline)->items[i].tip_hash = 0;
    }
    kifu_difference difference;
    ck_assert_int_eq(kifu_verify_replay(timeline, &difference), KIFU_DIVERGED);
    ck_assert_uint_eq(difference.line, 1);
    kifu_destroy(timeline);
}
END_TEST

// A hash that another version of the game found says nothing about this one.
START_TEST(M08_V08_the_hash_at_the_end_of_a_line_counts_for_the_version_that_found_it)
{
    static kifu_rules later;
    kifu_timeline *timeline = with_fault(100000, play_fault, NULL), *loaded;
    must(timeline, kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false));
    unsigned char *bytes;
    size_t size;
    must(timeline, kifu_save_to_memory(timeline, NULL, &bytes, &size));
    later = *kifu_timeline_rules(timeline);
    for (int version = 0; version < 2; version++) {
        const kifu_options options = {.keep_variations = kifu_keep_variations, .user = &bonus};
        const kifu_load_options anything = {.allow_changed = true};
        kifu_error error;
        later.rules_version = kifu_timeline_rules(timeline)->rules_version + (uint32_t)version;
        bonus = 0;
        const kifu_result result =
            kifu_load_from_memory(&later, bytes, size, &options, version ? &anything : NULL, &loaded, &error);
        ck_assert_msg(!result, "%s", error.message);
        kifu_line line;
        for (uint32_t i = 1; kifu_line_at(loaded, i, &line); i++)
            kifu__lines_of(loaded)->items[i].branch->checkpoint_count = 0; // It is known of the end alone.
        must_agree(loaded);
        bonus = 2;
        if (version)
            must_agree(loaded);
        else
            must_differ_at(loaded, 2, 2, 6);
        kifu_destroy(loaded);
    }
    kifu_free_bytes(timeline, bytes);
    kifu_destroy(timeline);
}
END_TEST

// As one whose last events this version of the game cannot read.
START_TEST(M08_V08_what_follows_a_line_that_ends_where_another_one_branches_off_is_executed)
{
    kifu_timeline *timeline = with_fault(1, play_fault, NULL);
    must(timeline, kifu_go_to(timeline, 0, 1, false));
    play_amount(timeline, 40);
    kifu__branch *branch = kifu__lines_of(timeline)->items[0].branch;
    branch->end = 3;
    branch->checkpoint_count = kifu__checkpoints_up_to(branch, 3);
    executed = 0;
    must_agree(timeline);
    ck_assert_uint_eq(executed, event_count(timeline)); // each event once
    bonus = 2;
    must_differ_at(timeline, 1, 4, 4);
    kifu_destroy(timeline);
}
END_TEST

// --- Marks -----------------------------------------------------------------------------------------------------------

// What the rules did not write.
START_TEST(H06_a_mark_that_was_changed_is_found_and_named)
{
    static const struct {
        const char *what, *expected, *actual;
        kifu__mark change; // What is added to the mark.
    } cases[] = {{"its player", "1", "0", {.player = 1}},
                 {"the number of its cause", NULL, "4294967295", {.cause = 1}},
                 {"its flags", NULL, NULL, {.flags = KIFU_CONTINUE_UNDO}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *corridor = game();
        const uint32_t event = kifu_event_count(corridor);
        corridor_submit_p_move(corridor, 0, 0, 0);
        run(corridor);
        kifu__segment *segment = &corridor->log.branch->segments[corridor->log.branch->segment_count - 1];
        kifu__mark *mark = &segment->marks[event - segment->first];
        mark->player = (int8_t)(mark->player + cases[i].change.player);
        mark->cause = (uint16_t)(mark->cause + cases[i].change.cause);
        mark->flags ^= cases[i].change.flags;
        kifu_difference difference;
        ck_assert_int_eq(kifu_verify_rules(corridor, prepare, NULL, &difference), KIFU_DIVERGED);
        ck_assert_uint_eq(difference.event, event);
        must_say(corridor, cases[i].what);
        if (cases[i].expected)
            ck_assert_str_eq(difference.expected, cases[i].expected);
        if (cases[i].actual)
            ck_assert_str_eq(difference.actual, cases[i].actual);
        kifu_destroy(corridor);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        V08_an_event_that_never_does_the_same_is_found_in_a_line_without_hashes,
        M08_a_do_that_fails_only_when_it_is_compared_is_named_too,
        V08_an_event_that_reads_what_was_left_on_the_stack_is_found_in_a_line_without_hashes,
        M08_V08_the_hash_at_the_end_of_a_line_counts_for_the_version_that_found_it,
        M08_V08_what_follows_a_line_that_ends_where_another_one_branches_off_is_executed,
        H06_a_mark_that_was_changed_is_found_and_named,
    };
    return run_suite("verify inside", tests, sizeof tests / sizeof *tests);
}
