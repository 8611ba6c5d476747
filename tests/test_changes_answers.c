// What a follower answers to changes: it has them, some are missing, they are of another stream, or the games have
// parted; and where memory ends.

#include "change_parts.h"
#include "history_help.h"
#include "lab_help.h"

// --- What a follower answers -----------------------------------------------------------------------------------------

START_TEST(R05_a_follower_tells_what_it_has_from_what_is_missing_and_from_another_stream)
{
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL), *other = lab_new(NULL), *new = lab_new(NULL), *again;
    lab_must(lab, lab_play(lab, "+"));
    must_pass_on(lab, copy);
    must_pass_on(lab, other);
    const kifu_stream_position first = kifu_followed(copy);
    lab_must(lab, lab_play(lab, "1"));
    must_pass_on(lab, copy);
    const kifu_stream_position second = kifu_followed(copy);
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "2"));
    kifu_changes both = changes_since(lab, &first), last = changes_since(lab, &second);
    must_be(same_positions(last.until, both.until));
    char *before = picture_of(other);
    // Something is missing: it says from where on.
    ck_assert_int_eq(kifu_apply_changes(other, last.bytes, last.size), KIFU_GAP);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(other)->message, "Ask for the changes since kifu_followed"));
    must_be(same_positions(kifu_followed(other), first));
    expect_picture(other, before, "what was refused");
    // It has a part of it.
    lab_must(copy, kifu_apply_changes(copy, both.bytes, both.size));
    expect_equal(lab, copy, "one that had the first of two");
    must_pass_on(lab, other);
    must_be(same_positions(kifu_followed(other), last.until));
    // It has all of it.
    lab_must(copy, kifu_apply_changes(copy, both.bytes, both.size));
    lab_must(copy, kifu_apply_changes(copy, last.bytes, last.size));
    expect_equal(lab, copy, "one that had both");
    // It follows nothing, or something else.
    ck_assert_int_eq(kifu_apply_changes(new, both.bytes, both.size), KIFU_OTHER_STREAM);
    must_say(new, "it follows none");
    must_say(new, "since NULL");
    ck_assert_uint_eq(kifu_event_count(new), 0);
    save save = save_of(lab, NULL);
    again = load_again(&save);
    must_pass_on(again, new);
    ck_assert_int_eq(kifu_apply_changes(new, both.bytes, both.size), KIFU_OTHER_STREAM);
    expect_equal(again, new, "one that follows another stream");
    // The same stream, but another past: it was lost on the other side, which has gone on from an earlier place.
    kifu_changes lost = spoil_hash(&last);
    ck_assert_int_eq(kifu_apply_changes(copy, lost.bytes, lost.size), KIFU_OTHER_STREAM);
    must_say(copy, "begun anew at an earlier place");
    must_say(copy, "since NULL");
    expect_equal(lab, copy, "one whose stream has begun anew");
    free(save.bytes), free(both.bytes), free(last.bytes), free(lost.bytes), free(before);
    kifu_destroy(lab), kifu_destroy(copy), kifu_destroy(other), kifu_destroy(new), kifu_destroy(again);
}
END_TEST

START_TEST(B04_another_state_is_told_and_changes_nothing)
{
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL);
    lab_must(lab, lab_play(lab, "+"));
    must_pass_on(lab, copy);
    const kifu_stream_position at = kifu_followed(copy);
    lab_must(lab, lab_play(lab, "+"));
    kifu_changes changes = changes_since(lab, &at), bad = spoil_hash(&changes);
    char *before = picture_of(copy);
    ck_assert_int_eq(kifu_apply_changes(copy, bad.bytes, bad.size), KIFU_DIVERGED);
    ck_assert_uint_eq(kifu_last_error(copy)->event, 1);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(copy)->message, "another state"));
    expect_picture(copy, before, "what was refused");
    must_be(same_positions(kifu_followed(copy), at));
    must_pass_on(lab, copy);
    free(before);
    free(changes.bytes), free(bad.bytes);
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// Both play `common` together, and then each its own.
typedef struct parting {
    const char *common, *here, *there; // A letter is an event; '<' an undo, '>' a redo.
    uint32_t event;                    // The first that differs; 0: they do not.
} parting;

static void play_letters(kifu_timeline *lab, const char *letters)
{
    for (; *letters; letters++) {
        char script[2] = {*letters, 0};
        lab_must(lab, *letters == '<' ? kifu_undo(lab) : *letters == '>' ? kifu_redo(lab) : lab_play(lab, script));
    }
}

START_TEST(R05_where_two_have_parted_is_found)
{
    static const parting partings[] = {
        {"123", "4", "5", 0},  // Each went on: what was played here is withdrawn,
        {"123", "45", "4", 0}, // also where it is one more.
        {"123", "4", "4", 0},  // It is the same,
        {"123", "4", "45", 0}, // and there is more.
        {"123", "45", "456", 0},
        {"123", "<", "4", 0}, // Here it was only taken back,
        {"123", "<<<", "<4", 0},
        {"123", "<<>", "45", 0},
        {"123", "<<", "<<>", 0},
        {"123", "4<", "5", 0}, // and this, too, is an event that the other does not have.
        {"123", "4<", "4", 0},
        {"123", "<4", "4", 3}, // The last was replaced here,
        {"123", "<<4", "4", 2},
        {"123", "<3", "4", 3}, // by itself, which the changes do not do,
        {"123", "<<23", "4", 2},
        {"123", "<<4", "<<4", 0}, // or on both sides, by the same,
        {"123", "<<4", "<<5", 0}, // or another, which replaces that one.
        {"123", "<4", "<<45", 3}, // There more of them were.
        {"1234", "<<<567", "5", 2},
        {"", "1", "2", 0},
        {"12345678901234567890123456789012345678901234567890",
         "<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<+++++++++++++++"
         "++++++++++++++++++++++++++",
         "5", 11},
    };
    for (size_t i = 0; i < sizeof partings / sizeof *partings; i++) {
        const parting *each = &partings[i];
        test_memory memory = {.until_failure = -1};
        kifu_timeline *lab = lab_new(NULL),
                      *copy = lab_new(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
        lab_must(lab, lab_play(lab, "+"));
        must_pass_on(lab, copy);
        play_letters(lab, each->common);
        must_pass_on(lab, copy);
        const kifu_stream_position at = kifu_followed(copy);
        play_letters(copy, each->here);
        play_letters(lab, each->there);
        char *before = picture_of(copy);
        const kifu_error *error = kifu_last_error(copy);
        const kifu_result result = pass_on(lab, copy);
        ck_assert_msg(result == (each->event ? KIFU_DIVERGED : KIFU_OK), "%zu: %s: %s", i, kifu_result_text(result),
                      error->message);
        if (result) {
            ck_assert_msg(error->event == each->event, "%zu: %s", i, error->message);
            must_say(copy, "since NULL");
            expect_picture(copy, before, "what was refused");
            must_be(same_positions(kifu_followed(copy), at));
            must_pass_whole(lab, copy);
        } else
            expect_equal(lab, copy, "one that played the same");
        lab_must(lab, lab_play(lab, "9"));
        must_pass_on(lab, copy);
        free(before);
        kifu_destroy(lab);
        kifu_destroy(copy);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

// The same event was here already, with other flags: then memory ends.
START_TEST(M08_R05_equal_events_with_other_flags_are_as_they_were_without_memory)
{
    bool failed = true;
    for (long fail = 0; failed; fail++) {
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        kifu_timeline *lab = lab_new(NULL), *copy = lab_new(&options);
        kifu_event event;
        must_pass_on(lab, copy);
        for (int i = 0; i < 2; i++) {
            lab_must(lab, kifu_override(lab, lab_submit_p_add(lab, 0, 3), true, false));
            lab_must(copy, kifu_override(copy, lab_submit_p_add(copy, 0, 3), false, true));
        }
        lab_must(lab, kifu_run(lab));
        lab_must(copy, kifu_run(copy));
        must_be(kifu_event_at(copy, 1, &event));
        const kifu_stream_position at = kifu_followed(copy);
        const kifu_changes changes = changes_since(lab, &at);
        const uint32_t flags = event.flags;
        memory.until_failure = fail;
        const kifu_result result = kifu_apply_changes(copy, changes.bytes, changes.size);
        failed = memory.failed;
        memory.until_failure = -1;
        ck_assert(!result || (failed && result == KIFU_NO_MEMORY)); // Some is for speed alone.
        must_be(kifu_event_at(copy, 1, &event));
        must_be((event.flags == flags) == (result != KIFU_OK));
        if (result)
            lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
        expect_equal(lab, copy, "a follower that had no memory");
        free(changes.bytes);
        kifu_destroy(lab), kifu_destroy(copy);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

// It went back by itself, so what waited was put away; changes put it away anew, and then memory ends for good.
START_TEST(R04_a_follower_that_went_back_by_itself_is_there_again_without_memory)
{
    bool failed = true;
    for (long fail = 0; failed; fail++) {
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        kifu_timeline *lab = lab_started(NULL), *copy = lab_new(&options);
        for (int i = 0; i < 2; i++)
            lab_must(lab, lab_play(lab, "+"));
        lab_submit_p_add(lab, 0, 3);
        must_pass_on(lab, copy);
        const kifu_stream_position at = kifu_followed(copy);
        lab_must(copy, kifu_undo(copy));
        const uint32_t count = kifu_event_count(copy);
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, kifu_undo(lab));
        const kifu_changes changes = changes_since(lab, &at);
        memory.for_ever = true;
        memory.until_failure = fail;
        const kifu_result result = kifu_apply_changes(copy, changes.bytes, changes.size);
        failed = memory.failed;
        memory.for_ever = false;
        memory.until_failure = -1;
        ck_assert(!result || (failed && result == KIFU_NO_MEMORY)); // Some is for speed alone.
        if (result) {
            ck_assert_uint_eq(kifu_event_count(copy), count);
            ck_assert_uint_eq(kifu_pending_count(copy), 0);
            lab_must(copy, kifu_redo(copy));
            ck_assert_uint_eq(kifu_pending_count(copy), 1);
            lab_must(copy, kifu_undo(copy));
            lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
        }
        expect_equal(lab, copy, "a follower that had no memory");
        free(changes.bytes);
        kifu_destroy(lab), kifu_destroy(copy);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

START_TEST(M08_B04_without_memory_changes_are_not_counted_yet)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *lab = lab_started(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
    memory.until_failure = 0;
    ck_assert_uint_eq(kifu_change_count(lab), 0);
    ck_assert(memory.failed);
    const uint64_t before = kifu_change_count(lab);
    ck_assert_uint_gt(before, 0);
    lab_must(lab, lab_play(lab, "+"));
    ck_assert_uint_gt(kifu_change_count(lab), before);
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

// What is remembered has begun anew with the process: the commits are in the file.
START_TEST(M08_R06_memory_may_end_while_commits_are_sought_in_a_log_file)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    const kifu_load_options recovering = {.recover = kifu_recover};
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *lab = lab_started(NULL), *copy = lab_new(NULL);
    kifu_changes changes;
    lab_must(lab, kifu_log_open(lab, path, NULL));
    must_pass_on(lab, copy);
    for (int i = 0; i < 20; i++) {
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, kifu_log_append(lab));
    }
    const kifu_stream_position at = kifu_followed(copy);
    const kifu_changes all = changes_since(lab, &at);
    bool failed = true;
    kifu_destroy(lab);
    kifu_destroy(copy);
    for (long fail = 0; failed; fail++) {
        ck_assert_int_eq(kifu_load(&lab_rules, path, &options, &recovering, &lab, NULL), KIFU_OK);
        lab_must(lab, kifu_log_open(lab, path, NULL));
        const long blocks = memory.blocks;
        memory.failed = false;
        memory.until_failure = fail;
        const kifu_result result = kifu_changes_since(lab, &at, &changes);
        failed = memory.failed;
        memory.until_failure = -1;
        ck_assert(!result || (failed && result == KIFU_NO_MEMORY));
        if (result) {
            must_say(lab, "memory");
            ck_assert_int_eq(memory.blocks, blocks);
        } else {
            ck_assert_uint_eq(changes.size, all.size);
            ck_assert_mem_eq(changes.bytes, all.bytes, all.size);
            kifu_free_bytes(lab, changes.bytes);
        }
        kifu_destroy(lab);
        ck_assert_int_eq(memory.blocks, 0);
    }
    free(all.bytes);
    remove_folder(folder);
}
END_TEST

// Undo flags are those of the other side.
START_TEST(R05_other_flags_of_equal_events_are_no_difference)
{
    for (int here = 0; here < 4; here++) {
        for (int there = 0; there < 4; there++) {
            kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL);
            must_pass_on(lab, copy);
            lab_must(lab, kifu_override(lab, lab_submit_p_add(lab, 0, 3), there & 1, there & 2));
            lab_must(copy, kifu_override(copy, lab_submit_p_add(copy, 0, 3), here & 1, here & 2));
            lab_must(lab, kifu_run(lab));
            lab_must(copy, kifu_run(copy));
            must_pass_on(lab, copy);
            ck_assert_int_eq(kifu_undo(lab), kifu_undo(copy));
            must_pass_on(lab, copy);
            // Nor are they where the changes are refused then.
            kifu_event event, before;
            lab_must(lab, kifu_override(lab, lab_submit_p_add(lab, 0, 3), there & 1, there & 2));
            lab_must(copy, kifu_override(copy, lab_submit_p_add(copy, 0, 3), here & 1, here & 2));
            lab_must(lab, kifu_run(lab));
            lab_must(copy, kifu_run(copy));
            const kifu_stream_position at = kifu_followed(copy);
            kifu_changes changes = changes_since(lab, &at), bad = spoil_hash(&changes);
            const uint32_t last = kifu_event_count(copy) - 1;
            must_be(kifu_event_at(copy, last, &before));
            ck_assert_int_eq(kifu_apply_changes(copy, bad.bytes, bad.size), KIFU_DIVERGED);
            must_be(kifu_event_at(copy, last, &event) && event.flags == before.flags);
            must_pass_on(lab, copy);
            free(changes.bytes), free(bad.bytes);
            kifu_destroy(lab);
            kifu_destroy(copy);
        }
    }
}
END_TEST

// What waits here and did not after the last changes would be lost, or happen at another place.
START_TEST(R05_a_follower_in_which_something_else_waits_has_parted)
{
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL);
    lab_must(lab, lab_play(lab, "+"));
    must_pass_on(lab, copy);
    lab_submit_p_add(copy, 0, 5);
    lab_must(lab, lab_play(lab, "+"));
    char *before = picture_of(copy);
    ck_assert_int_eq(pass_on(lab, copy), KIFU_DIVERGED);
    ck_assert_uint_eq(kifu_last_error(copy)->event, KIFU_NONE);
    expect_picture(copy, before, "what was refused");
    kifu_drop_inputs(copy);
    must_pass_on(lab, copy);
    free(before);
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// What waited there waits again when the follower returns. What it runs itself has gone.
// Other events happened here, which lead to the same state; there, nothing did but that something waits.
START_TEST(R05_other_events_are_no_less_so_where_nothing_else_happened)
{
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL);
    lab_submit_p_add(lab, 0, 1);
    lab_submit_p_add(lab, 0, 2);
    lab_must(lab, kifu_run(lab));
    must_pass_whole(lab, copy);
    lab_must(copy, kifu_undo(copy));
    lab_must(copy, kifu_undo(copy));
    lab_submit_p_add(copy, 0, 2);
    lab_submit_p_add(copy, 0, 1);
    lab_must(copy, kifu_run(copy));
    lab_submit_p_add(lab, 0, 3);
    ck_assert_int_eq(pass_on(lab, copy), KIFU_DIVERGED);
    ck_assert_uint_eq(kifu_last_error(copy)->event, 0);
    must_pass_whole(lab, copy);
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

START_TEST(R05_a_follower_may_go_back_and_forth_where_something_waits)
{
    for (int i = 0; i < 5; i++) {
        kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL);
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, lab_play(lab, "+"));
        lab_submit_p_add(lab, 0, 5);
        must_pass_on(lab, copy);
        if (i == 0 || i == 1)
            lab_must(copy, kifu_undo(copy));
        if (i == 0)
            lab_must(copy, kifu_redo(copy));
        if (i == 2)
            lab_must(copy, kifu_run(copy));
        if (i == 4)
            kifu_drop_inputs(copy);
        if (i != 3)
            lab_must(lab, kifu_run(lab));
        lab_must(lab, lab_play(lab, "2"));
        const kifu_result result = pass_on(lab, copy);
        ck_assert_msg(result == (i == 2 || i == 4 ? KIFU_DIVERGED : KIFU_OK), "%d: %s", i,
                      kifu_last_error(copy)->message);
        if (result) {
            ck_assert_uint_eq(kifu_last_error(copy)->event, KIFU_NONE);
            must_pass_whole(lab, copy);
        }
        expect_equal(lab, copy, "one that went back and forth");
        kifu_destroy(lab);
        kifu_destroy(copy);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        R05_a_follower_tells_what_it_has_from_what_is_missing_and_from_another_stream,
        B04_another_state_is_told_and_changes_nothing,
        R05_where_two_have_parted_is_found,
        M08_R05_equal_events_with_other_flags_are_as_they_were_without_memory,
        R04_a_follower_that_went_back_by_itself_is_there_again_without_memory,
        M08_B04_without_memory_changes_are_not_counted_yet,
        M08_R06_memory_may_end_while_commits_are_sought_in_a_log_file,
        R05_other_flags_of_equal_events_are_no_difference,
        R05_a_follower_in_which_something_else_waits_has_parted,
        R05_other_events_are_no_less_so_where_nothing_else_happened,
        R05_a_follower_may_go_back_and_forth_where_something_waits,
    };
    return run_suite("changes_answers", tests, sizeof tests / sizeof *tests);
}
