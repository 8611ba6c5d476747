// Followers whose rules are others than their leader's, although their rules version is the same: what they refuse
// leaves nothing behind, and what they compare, and when.

#include <kifu/changes.h>
#include <kifu/observe.h>

#include "history_help.h"
#include "save_help.h"
#include "suite.h"

// In a follower, an event that adds 7 adds 1000 more, one that adds 5 behind that 1000 less, and one that adds 9 fails.
static bool odd;

kifu_result __real_lab_do_p_add(kifu_timeline *timeline, const lab_state *state, const lab_p_add *add);
kifu_result __wrap_lab_do_p_add(kifu_timeline *timeline, const lab_state *state, const lab_p_add *add);
kifu_result __wrap_lab_do_p_add(kifu_timeline *timeline, const lab_state *state, const lab_p_add *add)
{
    if (odd && add->amount == 7)
        *lab_edit_total(timeline) += 1000;
    if (odd && add->amount == 5)
        *lab_edit_total(timeline) -= 1000;
    if (odd && add->amount == 9)
        return kifu_fail(timeline, "too much");
    return __real_lab_do_p_add(timeline, state, add);
}

static void stay_there(void *user)
{
    (void)user;
}

static void add_all(kifu_timeline *lab, const char *amounts)
{
    for (; *amounts; amounts++) {
        lab_submit_p_add(lab, 0, *amounts - '0');
        lab_must(lab, kifu_run(lab));
    }
}

static void undo_to(kifu_timeline *lab, uint32_t count)
{
    while (kifu_event_count(lab) > count)
        lab_must(lab, kifu_undo(lab));
}

static void redo_to(kifu_timeline *lab, uint32_t count)
{
    while (kifu_event_count(lab) < count)
        lab_must(lab, kifu_redo(lab));
}

// What has changed since what the follower has; `whole`: all.
static kifu_result pass_on(kifu_timeline *lab, kifu_timeline *copy, bool whole)
{
    const kifu_stream_position at = kifu_followed(copy);
    kifu_changes changes;
    lab_must(lab, kifu_changes_since(lab, whole ? NULL : &at, &changes));
    odd = true;
    const kifu_result result = kifu_apply_changes(copy, changes.bytes, changes.size);
    odd = false;
    kifu_free_bytes(lab, changes.bytes);
    return result;
}

// It loads by the follower's rules.
static void expect_loads(const save *save, const kifu_options *options, uint64_t hash)
{
    odd = true;
    kifu_timeline *loaded = load_by(save, options, NULL);
    odd = false;
    ck_assert_uint_eq(kifu_state_hash(loaded), hash);
    kifu_destroy(loaded);
}

// Leaders whose last changes a follower refuses: what has happened before, and then.
static kifu_timeline *prepared(const kifu_options *options, int way)
{
    kifu_timeline *lab = lab_new(options);
    add_all(lab, way == 1 ? "11711111" : "11111111");
    if (way < 3) {
        undo_to(lab, 2);
        return lab;
    }
    lab_must(lab, kifu_go_to(lab, 0, 2, true));
    add_all(lab, "333333");
    if (way == 5) {
        undo_to(lab, 5);
        lab_submit_p_add(lab, 0, 7);
    }
    return lab;
}

// The follower leaves the line, of which it knows the end then.
static void go_away(kifu_timeline *copy, int way)
{
    if (way < 4)
        return;
    lab_must(copy, kifu_go_to(copy, 0, 8, true));
    lab_must(copy, kifu_go_to(copy, 1, 8, true));
    lab_must(copy, kifu_go_to(copy, 0, 8, true));
}

static void go_on(kifu_timeline *lab, int way)
{
    if (way == 5) {
        lab_must(lab, kifu_run(lab));
        return;
    }
    if (way == 3)
        lab_must(lab, kifu_go_to(lab, 0, 5, true));
    else if (way < 3)
        redo_to(lab, way == 1 ? 8 : 6);
    add_all(lab, way == 2 ? "119" : "117");
}

enum { WAYS = 6 };

// A follower that has hashes at other places than its leader, as options say.
static kifu_options follower_options(int i, const kifu_options *leader)
{
    static unsigned long calls;
    kifu_options options = *leader;
    options.hash_interval = 1;
    options.reset = i % 2 ? stay_there : NULL;
    options.user = &calls;
    return options;
}

// --- What is refused -------------------------------------------------------------------------------------------------

START_TEST(R04_a_refused_commit_leaves_no_hash_and_takes_none)
{
    for (int i = 0; i < 4 * WAYS; i++) {
        const int way = i / 4;
        const kifu_options leads = {.hash_interval = 100, .keep_variations = i / 2 % 2 ? kifu_keep_variations : NULL};
        const kifu_options follows = follower_options(i, &leads);
        if (way >= 3 && !leads.keep_variations)
            continue;
        kifu_timeline *lab = prepared(&leads, way), *copy = lab_new(&follows);
        lab_must(copy, pass_on(lab, copy, true));
        go_away(copy, way);
        save before = save_of(copy, NULL);
        go_on(lab, way);
        ck_assert_int_eq(pass_on(lab, copy, false), way == 2 ? KIFU_FAILED : KIFU_DIVERGED);
        save after = save_of(copy, NULL);
        expect_same_bytes(&before, &after);
        expect_loads(&after, &follows, kifu_state_hash(copy));
        free(before.bytes);
        free(after.bytes);
        kifu_destroy(copy);
        kifu_destroy(lab);
    }
}
END_TEST

// --- What redo brings back -------------------------------------------------------------------------------------------

// Goes to the end of the line by itself. What differs is said once, or not at all; then its save loads.
static void redo_by_other_rules(kifu_timeline *copy, const kifu_options *options, int times)
{
    int said = 0;
    odd = true;
    while (kifu_can_redo(copy, NULL)) {
        const kifu_result result = kifu_redo(copy);
        said += result == KIFU_DIVERGED;
        if (result)
            must_say(copy, "another state than in the save. If you changed the rules, raise rules_version");
    }
    ck_assert_int_eq(said, times);
    if (kifu_line_count(copy) == 1 && !options->reset)
        lab_must(copy, kifu_verify_replay(copy, NULL));
    odd = false;
    save save = save_of(copy, NULL);
    expect_loads(&save, options, kifu_state_hash(copy));
    free(save.bytes);
}

START_TEST(R05_redo_of_a_follower_says_once_that_it_differs)
{
    for (int i = 0; i < 32; i++) {
        kifu_options leads = {.hash_interval = 1, .keep_variations = i / 2 % 2 ? kifu_keep_variations : NULL};
        kifu_options follows = follower_options(i, &leads);
        follows.hash_interval = i / 16 ? 100 : 1;
        kifu_timeline *lab = lab_new(&leads), *copy = lab_new(&follows);
        add_all(lab, "1");
        if (i / 4 % 2) // What it has not executed comes behind the whole game.
            lab_must(copy, pass_on(lab, copy, true));
        add_all(lab, "17111");
        undo_to(lab, 2);
        lab_must(copy, pass_on(lab, copy, !(i / 4 % 2)));
        if (i / 8 % 2) { // In front of the commit, it is where it was.
            undo_to(copy, 1);
            redo_to(copy, 2);
        }
        redo_by_other_rules(copy, &follows, 1);
        ck_assert_int_eq(lab_get_state(copy)->total, 1012);
        kifu_destroy(copy);
        kifu_destroy(lab);
    }
}
END_TEST

// Whether the line was entered. Otherwise it is as one that was loaded.
static bool go_into(kifu_timeline *copy, uint32_t line)
{
    kifu_cursor *cursor;
    odd = true;
    const kifu_result result = kifu_go_to(copy, line, 3, true);
    if (result) {
        ck_assert_int_eq(result, KIFU_DIVERGED);
        ck_assert_int_eq(kifu_cursor_open_line(copy, line, 3, &cursor), KIFU_DIVERGED);
    }
    odd = false;
    return !result;
}

// By its first event. Then it is said, or redo does.
static bool play_into(kifu_timeline *copy, uint32_t line)
{
    int said = 0;
    odd = true;
    lab_must(copy, kifu_go_to(copy, 2, 1, true));
    lab_submit_p_add(copy, 0, line ? 3 : 1);
    for (int i = 0; i < 2; i++)
        said += kifu_run(copy) == KIFU_DIVERGED;
    while (kifu_can_redo(copy, NULL))
        said += kifu_redo(copy) == KIFU_DIVERGED;
    odd = false;
    ck_assert_int_eq(said, 1);
    return true;
}

// The leader leaves lines in front of their ends, so that each has events that the follower has not executed.
START_TEST(R05_a_follower_compares_each_line_that_it_left)
{
    for (uint32_t i = 0; i < 16; i++) {
        kifu_options leads = {.hash_interval = 1, .keep_variations = kifu_keep_variations};
        kifu_options follows = follower_options((int)i, &leads);
        kifu_timeline *lab = lab_new(&leads), *copy = lab_new(&follows);
        add_all(lab, "1117111");
        lab_must(lab, kifu_go_to(lab, 0, 1, true));
        add_all(lab, "3337333");
        lab_must(lab, kifu_go_to(lab, 0, 1, true));
        add_all(lab, "222");
        lab_must(lab, kifu_go_to(lab, 0, 3, true));
        lab_must(copy, pass_on(lab, copy, true));
        for (int k = 0; k < 4; k++) {
            lab_must(lab, kifu_go_to(lab, k % 2 ? 2 : 1, k % 2 ? 4 : 3, true));
            lab_must(copy, pass_on(lab, copy, false));
            odd = true;
            if (i / 2 % 2)
                (void)!kifu_go_to(copy, k % 2 ? 0 : 2, 2, true);
            odd = false;
        }
        for (uint32_t line = i / 4 % 2, k = 0; k < 2; line = !line, k++) {
            const bool goes = i / 8 ? play_into(copy, line) : go_into(copy, line);
            ck_assert_uint_eq(kifu_current_line(copy) == line, goes);
            if (goes && !(i / 8))
                redo_by_other_rules(copy, &follows, 1);
            else
                redo_by_other_rules(copy, &follows, 0);
            save save = save_of(copy, NULL);
            expect_loads(&save, &follows, kifu_state_hash(copy));
            free(save.bytes);
        }
        kifu_destroy(copy);
        kifu_destroy(lab);
    }
}
END_TEST

// A line of one event, in front of which it was left. The leader went to another line in front of its end then, so that
// it is to be compared when it is entered; by that event, all of it has happened.
START_TEST(R05_a_line_that_was_left_at_its_beginning_is_compared_when_it_is_played)
{
    kifu_options leads = {.hash_interval = 1, .keep_variations = kifu_keep_variations};
    kifu_options follows = follower_options(0, &leads);
    kifu_timeline *lab = lab_new(&leads), *copy = lab_new(&follows);
    add_all(lab, "1111");
    lab_must(lab, kifu_go_to(lab, 0, 1, true));
    add_all(lab, "7");
    lab_must(lab, kifu_go_to(lab, 1, 1, true));
    lab_must(copy, pass_on(lab, copy, true));
    for (int i = 0; i < 2; i++) {
        lab_must(lab, kifu_go_to(lab, 0, 3, true));
        if (i)
            add_all(lab, "2");
        lab_must(copy, pass_on(lab, copy, false));
    }
    odd = true;
    lab_must(copy, kifu_go_to(copy, 0, 1, true));
    lab_submit_p_add(copy, 0, 7);
    lab_must(copy, kifu_run(copy));
    lab_must(copy, kifu_run(copy));
    ck_assert_uint_eq(kifu_current_line(copy), 1);
    redo_by_other_rules(copy, &follows, 0);
    kifu_destroy(copy);
    kifu_destroy(lab);
}
END_TEST

// The leader comes back to such a line, in front of what differs; an input waits there. The follower goes elsewhere.
START_TEST(R05_a_follower_returns_to_the_line_that_it_follows)
{
    kifu_options leads = {.hash_interval = 1, .keep_variations = kifu_keep_variations};
    kifu_options follows = follower_options(0, &leads);
    kifu_timeline *lab = lab_new(&leads), *copy = lab_new(&follows);
    add_all(lab, "1117111");
    lab_must(lab, kifu_go_to(lab, 0, 1, true));
    add_all(lab, "3337333");
    lab_must(lab, kifu_go_to(lab, 0, 1, true));
    add_all(lab, "222");
    lab_must(lab, kifu_go_to(lab, 0, 3, true));
    lab_must(copy, pass_on(lab, copy, true));
    for (int i = 0; i < 3; i++) {
        lab_must(lab, kifu_go_to(lab, (uint32_t)(i + 1) % 3, i == 1 ? 4 : 3, true));
        lab_must(copy, pass_on(lab, copy, false));
    }
    lab_submit_p_add(lab, 0, 1);
    lab_must(copy, pass_on(lab, copy, false));
    odd = true;
    lab_must(copy, kifu_go_to(copy, 2, 2, true));
    odd = false;
    lab_must(lab, kifu_run(lab));
    lab_must(copy, pass_on(lab, copy, false));
    ck_assert_uint_eq(kifu_current_line(copy), 3);
    kifu_destroy(copy);
    kifu_destroy(lab);
}
END_TEST

// Which lines are compared, and from where, is as before. The line in which the follower is may go in the commit.
START_TEST(R04_a_refused_commit_changes_nothing_of_what_is_compared)
{
    for (int i = 0; i < 4; i++) {
        kifu_options leads = {.hash_interval = 1, .keep_variations = kifu_keep_variations};
        kifu_options follows = follower_options(i, &leads);
        kifu_timeline *lab = lab_new(&leads), *copy = lab_new(&follows);
        add_all(lab, "1117111");
        lab_must(lab, kifu_go_to(lab, 0, 1, true));
        add_all(lab, "3337333");
        lab_must(lab, kifu_go_to(lab, 0, 1, true));
        add_all(lab, "222");
        lab_must(lab, kifu_go_to(lab, 0, 3, true));
        lab_must(copy, pass_on(lab, copy, true));
        lab_must(lab, kifu_go_to(lab, 1, 3, true));
        lab_must(copy, pass_on(lab, copy, false));
        lab_must(lab, kifu_go_to(lab, 2, 4, true));
        if (i / 2)
            lab_must(lab, kifu_delete_line(lab, 1));
        add_all(lab, "7");
        ck_assert_int_eq(pass_on(lab, copy, false), KIFU_DIVERGED);
        ck_assert_uint_eq(kifu_current_line(copy), 1);
        if (i / 2)
            redo_by_other_rules(copy, &follows, 1);
        lab_must(copy, kifu_go_to(copy, 0, 3, true));
        redo_by_other_rules(copy, &follows, 1);
        lab_must(copy, kifu_go_to(copy, 1, 3, true));
        redo_by_other_rules(copy, &follows, i / 2 ? 0 : 1);
        kifu_destroy(copy);
        kifu_destroy(lab);
    }
}
END_TEST

// A model outside the state is executed once, and compared on the way, too: with the hash of each event here.
START_TEST(R05_what_differs_for_a_time_is_refused)
{
    for (int i = 0; i < 8; i++) {
        kifu_options leads = {.hash_interval = 1, .keep_variations = i / 2 % 2 ? kifu_keep_variations : NULL};
        kifu_options follows = follower_options(i, &leads);
        kifu_timeline *lab = lab_new(&leads), *copy = lab_new(&follows);
        add_all(lab, i / 4 ? "12" : "1751");
        undo_to(lab, 1);
        lab_must(copy, pass_on(lab, copy, true));
        save before = save_of(copy, NULL);
        if (i / 4)
            add_all(lab, "751");
        else
            redo_to(lab, 4);
        ck_assert_int_eq(pass_on(lab, copy, false), KIFU_DIVERGED);
        save after = save_of(copy, NULL);
        expect_same_bytes(&before, &after);
        free(before.bytes);
        free(after.bytes);
        kifu_destroy(copy);
        kifu_destroy(lab);
    }
}
END_TEST

static void undo_in_listener(void *context, kifu_timeline *timeline, const void *subject, const kifu_change *change)
{
    (void)context;
    (void)subject;
    (void)change;
    if (odd)
        (void)kifu_undo(timeline); // It must not.
}

// A listener that does wrong on the way does not hide it.
START_TEST(R05_what_differs_is_said_before_what_a_listener_does)
{
    for (int i = 0; i < 4; i++) {
        kifu_options leads = {.hash_interval = 1, .keep_variations = i / 2 % 2 ? kifu_keep_variations : NULL};
        kifu_options follows = follower_options(i, &leads);
        kifu_timeline *lab = lab_new(&leads), *copy = lab_new(&follows);
        add_all(lab, "175");
        undo_to(lab, 0);
        lab_must(copy, pass_on(lab, copy, true));
        lab_must(copy, kifu_observe(copy, &(kifu_observer){.listen = undo_in_listener, KIFU_PART(lab_state, total)}));
        redo_to(lab, 3);
        ck_assert_int_eq(pass_on(lab, copy, false), KIFU_DIVERGED);
        ck_assert_uint_eq(kifu_event_count(copy), 0);
        kifu_destroy(copy);
        kifu_destroy(lab);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        R04_a_refused_commit_leaves_no_hash_and_takes_none,
        R05_redo_of_a_follower_says_once_that_it_differs,
        R05_a_follower_compares_each_line_that_it_left,
        R05_a_line_that_was_left_at_its_beginning_is_compared_when_it_is_played,
        R05_a_follower_returns_to_the_line_that_it_follows,
        R04_a_refused_commit_changes_nothing_of_what_is_compared,
        R05_what_differs_for_a_time_is_refused,
        R05_what_differs_is_said_before_what_a_listener_does,
    };
    return run_suite("followers_differ", tests, sizeof tests / sizeof *tests);
}
