// Followers whose rules are others than their leader's, although their rules version is the same: what they refuse
// leaves nothing behind, and what they compare, and when.

#include <kifu/changes.h>

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
    static int user;
    kifu_options options = *leader;
    options.hash_interval = 1;
    options.reset = i % 2 ? stay_there : NULL;
    options.user = &user;
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

int main(void)
{
    const TTest *const tests[] = {
        R04_a_refused_commit_leaves_no_hash_and_takes_none,
    };
    return run_suite("followers_differ", tests, sizeof tests / sizeof *tests);
}
