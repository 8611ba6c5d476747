// Changes that a follower refuses: then all is as it was.

#include "change_parts.h"
#include "history_help.h"
#include "lab_help.h"

static void expect_unchanged(kifu_timeline *copy, const char *before, kifu_stream_position at)
{
    expect_picture(copy, before, kifu_last_error(copy)->message);
    must_be(same_positions(kifu_followed(copy), at));
}

// --- Misuse ----------------------------------------------------------------------------------------------------------

START_TEST(B04_misused_calls_are_refused)
{
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL), *fork;
    kifu_changes none;
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, lab_play(lab, "+"));
    kifu_changes changes = changes_since(lab, NULL);
    lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
    lab_must(copy, kifu_begin(copy, 0));
    must_refuse(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
    must_refuse(copy, kifu_changes_since(copy, NULL, &none));
    ck_assert(!none.bytes && !none.size);
    lab_must(copy, kifu_roll_back(copy));
    lab_must(copy, kifu_seek(copy, 1));
    must_refuse(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
    lab_must(copy, kifu_seek(copy, KIFU_PRESENT));
    lab_must(copy, lab_try_p_add(copy, 0, 1));
    must_refuse(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
    must_refuse(copy, kifu_changes_since(copy, NULL, &none));
    (void)kifu_change_count(copy);
    kifu_take_back(copy);
    ck_assert_int_eq(kifu_apply_changes(copy, "", 0), KIFU_NOT_A_SAVE);
    ck_assert_int_eq(kifu_apply_changes(copy, "This is a text, and no changes.", 31), KIFU_NOT_A_SAVE);
    must_say(copy, "these bytes are not the changes of a game");
    lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
    expect_equal(lab, copy, "a follower after misuse");
    // A fork without a past begins from a state, for which this needs an option.
    lab_must(copy, kifu_fork(copy, KIFU_WITHOUT_PAST, NULL, &fork, NULL));
    must_refuse(fork, kifu_changes_since(fork, NULL, &none));
    ck_assert_uint_eq(kifu_change_count(fork), 3);
    must_be(!kifu_followed(fork).stream);
    kifu_destroy(fork);
    free(changes.bytes);
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// --- Without memory --------------------------------------------------------------------------------------------------

// What has happened on a timeline since others followed it. Each is a scenario for want of memory.
static void go_back_and_forth(kifu_timeline *lab)
{
    lab_must(lab, lab_play(lab, "+(-)"));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "r3(4)(5)"));
    lab_must(lab, lab_play(lab, "6(7)"));
    lab_must(lab, kifu_undo(lab));
    lab_do(lab, 0, "8(9)", 1);
    lab_must(lab, kifu_step(lab));
}

static void go_on_for_long(kifu_timeline *lab)
{
    for (int i = 0; i < 700; i++) {
        lab_submit_p_add(lab, 0, 1 + i);
        lab_must(lab, kifu_run(lab));
    }
}

static void go_far_back(kifu_timeline *lab)
{
    while (!kifu_undo(lab))
        ;
    lab_must(lab, lab_play(lab, "+"));
}

static void do_nothing(kifu_timeline *lab)
{
    (void)lab;
}

// The beginning may be of earlier rules.
static kifu_timeline *leader(bool earlier)
{
    kifu_rules rules = lab_rules;
    rules.rules_version -= earlier;
    kifu_timeline *begun;
    ck_assert_int_eq(kifu_create(&rules, NULL, &begun, NULL), KIFU_OK);
    const uint64_t seed = 7;
    lab_submit_e_initialize(begun, SEEDED(seed));
    lab_must(begun, lab_play(begun, "1(2)"));
    for (int i = 0; i < 20; i++)
        lab_must(begun, lab_play(begun, i % 2 ? "+" : "-(+)"));
    lab_must(begun, kifu_undo(begun));
    save save = save_of(begun, NULL);
    kifu_timeline *lab = load_again(&save);
    free(save.bytes);
    kifu_destroy(begun);
    return lab;
}

static uint8_t trace_seen[64]; // By a listener of its elements.

static void apply_without_memory(const kifu_changes *changes, kifu_timeline *lab, kifu_timeline *copy,
                                 test_memory *memory, long i)
{
    const kifu_stream_position at = kifu_followed(copy);
    char *before = picture_of(copy);
    save saved = save_of(copy, NULL);
    memory->until_failure = i;
    memory->failed = false;
    const kifu_result result = kifu_apply_changes(copy, changes->bytes, changes->size);
    memory->until_failure = -1;
    ck_assert(result == KIFU_OK || (result == KIFU_NO_MEMORY && memory->failed));
    ck_assert_mem_eq(trace_seen, lab_get_state(copy)->trace, sizeof trace_seen);
    if (result) {
        expect_unchanged(copy, before, at);
        expect_saves(copy, &saved);
    } else
        expect_equal(lab, copy, "with memory");
    lab_must(copy, kifu_apply_changes(copy, changes->bytes, changes->size));
    expect_equal(lab, copy, "with memory again");
    free(before), free(saved.bytes);
}

static void see_redraw(void *context, kifu_timeline *timeline)
{
    (void)timeline;
    ++*(int *)context;
}

static double see_p_do(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_do *event)
{
    (void)timeline, (void)state, (void)event;
    ++*(int *)context;
    return 1;
}

static void see_total(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)timeline, (void)state, (void)change;
    ++*(int *)context;
}

static void see_digit(void *context, kifu_timeline *timeline, const void *state, const kifu_element_change *change)
{
    (void)timeline, (void)state;
    trace_seen[change->index] = *(const uint8_t *)change->after;
    ++*(int *)context;
}

START_TEST(R04_without_memory_nothing_is_half_done)
{
    static const struct scenario {
        void (*happens)(kifu_timeline *lab);
        bool whole, earlier, for_ever;
    } scenarios[] = {
        {go_back_and_forth, false, false, false}, {go_back_and_forth, true, false, false},
        {go_back_and_forth, false, false, true},  {go_on_for_long, false, false, false},
        {go_on_for_long, false, false, true},     {go_on_for_long, true, true, true},
        {go_far_back, false, false, true},        {go_far_back, true, true, false},
        {go_far_back, false, true, false},        {do_nothing, true, true, false},
    };
    for (size_t each = 0; each < sizeof scenarios / sizeof *scenarios; each++) {
        const struct scenario *scenario = &scenarios[each];
        kifu_timeline *lab = leader(scenario->earlier);
        kifu_changes begin = changes_since(lab, NULL);
        scenario->happens(lab);
        kifu_changes changes = changes_since(lab, scenario->whole ? NULL : &begin.until);
        ck_assert_int_eq(changes.whole, scenario->whole);
        for (long i = 0, done = 0; !done; i++) {
            int seen = 0;
            const lab_view view = {.base = {.context = &seen, .redraw = see_redraw}, .act_p_do = see_p_do};
            test_memory memory = {.until_failure = -1, .for_ever = scenario->for_ever};
            const kifu_options options = {
                .allocate = test_allocate, .allocate_context = &memory, .view = &view.base, .hash_interval = 2};
            kifu_timeline *copy = lab_new(&options);
            lab_must(copy, kifu_observe(copy, &(kifu_observer){
                                                  .listen = see_total, KIFU_PART(lab_state, total), .context = &seen}));
            lab_must(copy,
                     kifu_observe(copy, &(kifu_observer){
                                            .listen_each = see_digit, KIFU_PART(lab_state, trace), .context = &seen}));
            if (i % 2 || !scenario->whole)
                lab_must(copy, kifu_apply_changes(copy, begin.bytes, begin.size));
            if (scenario->whole)
                lab_submit_p_add(copy, 0, 99); // It waits, and is dropped.
            seen = 0;
            memcpy(trace_seen, lab_get_state(copy)->trace, sizeof trace_seen);
            apply_without_memory(&changes, lab, copy, &memory, i);
            ck_assert_int_gt(seen, 0);
            done = !memory.failed;
            ck_assert_int_lt(i, 2000);
            kifu_destroy(copy);
            ck_assert_int_eq(memory.blocks, 0);
        }
        free(begin.bytes), free(changes.bytes);
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(B04_changes_that_cannot_be_made_without_memory_are_made_later)
{
    for (int first = 0; first < 2; first++) {
        for (long i = 0, done = 0; !done; i++) {
            test_memory memory = {.until_failure = -1};
            kifu_timeline *copy = lab_new(NULL);
            kifu_timeline *lab = lab_new(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
            for (int events = 0; events < 70; events++)
                lab_must(lab, lab_play(lab, "+(-)"));
            if (!first)
                must_pass_on(lab, copy);
            lab_must(lab, kifu_undo(lab));
            lab_must(lab, lab_play(lab, "1"));
            lab_submit_p_add(lab, 0, 3); // Of a shape that no commit has named.
            lab_must(lab, kifu_run(lab));
            lab_must(lab, kifu_undo(lab));
            const kifu_stream_position at = kifu_followed(copy);
            kifu_changes changes;
            memory.until_failure = i;
            const kifu_result result = kifu_changes_since(lab, &at, &changes);
            done = !memory.failed;
            memory.until_failure = -1;
            ck_assert(result == KIFU_OK || (result == KIFU_NO_MEMORY && !done));
            ck_assert_int_eq(result != KIFU_OK, changes.bytes == NULL);
            kifu_free_bytes(lab, changes.bytes);
            must_pass_on(lab, copy);
            lab_must(lab, lab_play(lab, "2"));
            must_pass_on(lab, copy);
            kifu_destroy(lab);
            kifu_destroy(copy);
            ck_assert_int_eq(memory.blocks, 0);
        }
    }
}
END_TEST

// --- Damage ----------------------------------------------------------------------------------------------------------

// All that there can be without lines and notes: in one commit, or in three.
static kifu_changes rich_changes(kifu_timeline **leader, kifu_timeline **follower, bool three)
{
    kifu_timeline *lab = rich_game(NULL);
    *follower = lab_new(&(kifu_options){.hash_interval = 2});
    must_pass_on(lab, *follower);
    const kifu_stream_position at = kifu_followed(*follower);
    lab_must(lab, lab_play(lab, "+(2)"));
    lab_must(lab, lab_play(lab, "r"));
    if (three)
        free(changes_since(lab, &at).bytes);
    lab_do(lab, 0, "8(9)", 1);
    lab_must(lab, kifu_step(lab));
    lab_submit_p_add(lab, 1, 3);
    if (three)
        free(changes_since(lab, &at).bytes);
    lab_must(lab, kifu_undo(lab));
    lab_submit_p_add(lab, 0, 4);
    *leader = lab;
    const kifu_changes changes = changes_since(lab, &at);
    ck_assert_int_eq(parts_of(changes.bytes, changes.size).count, three ? 3 : 1);
    return changes;
}

START_TEST(R04_damaged_changes_are_refused)
{
    for (int whole = 0; whole < 2; whole++) {
        kifu_timeline *lab, *copy;
        kifu_changes changes = rich_changes(&lab, &copy, false);
        if (whole) {
            free(changes.bytes);
            changes = changes_since(lab, NULL);
        }
        const size_t head = parts_of(changes.bytes, changes.size).head_size;
        const kifu_stream_position at = kifu_followed(copy);
        char *before = picture_of(copy);
        for (size_t size = 0; size < changes.size; size++) {
            const kifu_result result = kifu_apply_changes(copy, changes.bytes, size);
            ck_assert_msg(result == (size < 4 ? KIFU_NOT_A_SAVE : KIFU_DAMAGED), "%zu bytes: %d", size, (int)result);
        }
        for (size_t byte = 0; byte < changes.size; byte++) {
            changes.bytes[byte] ^= 0x11;
            const kifu_result result = kifu_apply_changes(copy, changes.bytes, changes.size);
            const bool told = result == KIFU_DAMAGED || (!whole && byte >= 4 && byte < head) || byte < 4;
            ck_assert_msg(result && told, "byte %zu: %d", byte, (int)result);
            ck_assert_int_eq(kifu_last_error(copy)->result, result);
            changes.bytes[byte] ^= 0x11;
        }
        expect_unchanged(copy, before, at);
        lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
        expect_equal(lab, copy, "a follower after damaged changes");
        free(before);
        free(changes.bytes);
        kifu_destroy(copy);
        kifu_destroy(lab);
    }
}
END_TEST

// Those before it are whole, and a follower that has them goes on behind them.
START_TEST(R04_a_commit_that_is_refused_is_taken_back_alone)
{
    kifu_timeline *lab, *copy;
    kifu_changes changes = rich_changes(&lab, &copy, true);
    const kifu_stream_position at = kifu_followed(copy);
    change_parts parts = parts_of(changes.bytes, changes.size);
    ck_assert_int_eq(parts.count, 3);
    parts.all[2] = (commit){(const unsigned char *)"", 0}; // It has no hash.
    kifu_changes bad = changes_of(&parts);
    ck_assert_int_eq(kifu_apply_changes(copy, bad.bytes, bad.size), KIFU_DAMAGED);
    ck_assert_uint_eq(kifu_followed(copy).commit, at.commit + 2);
    must_say(copy, "does not end with the hash of a state");
    char *before = picture_of(copy);
    const kifu_stream_position second = kifu_followed(copy);
    ck_assert_int_eq(kifu_apply_changes(copy, bad.bytes, bad.size), KIFU_DAMAGED);
    expect_unchanged(copy, before, second);
    lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
    expect_equal(lab, copy, "a follower behind a commit that was refused");
    free(before), free(bad.bytes), free(changes.bytes);
    kifu_destroy(copy);
    kifu_destroy(lab);
}
END_TEST

// --- A Do that fails -------------------------------------------------------------------------------------------------

static int until_failure; // Events until one cannot be executed; negative: all can.

static kifu_result do_until_failure(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                                    void *transient)
{
    if (until_failure >= 0 && until_failure-- == 0)
        return kifu_fail(timeline, "this Do fails here");
    return lab_rules.do_event(timeline, type, state, event, transient);
}

static kifu_result replay_until_failure(kifu_timeline *timeline, const kifu__run *run, const void *state,
                                        void *transient, uint32_t *done)
{
    for (*done = 0; *done < run->count; ++*done) {
        const kifu__run one = {&run->types[*done], &run->offsets[*done], 1, run->first + *done};
        uint32_t executed = 0;
        if (until_failure >= 0 && until_failure-- == 0)
            return kifu_fail(timeline, "this Do fails here");
        const kifu_result result = lab_rules.replay(timeline, &one, state, transient, &executed);
        if (result)
            return result;
    }
    return KIFU_OK;
}

// Where it is tried beside the game, and where it is shown.
START_TEST(R04_a_do_that_fails_leaves_all_as_it_was)
{
    kifu_rules rules = lab_rules;
    rules.do_event = do_until_failure;
    rules.replay = replay_until_failure;
    for (int whole = 0; whole < 2; whole++) {
        until_failure = -1;
        kifu_timeline *lab = rich_game(NULL), *copy;
        ck_assert_int_eq(kifu_create(&rules, NULL, &copy, NULL), KIFU_OK);
        must_pass_on(lab, copy);
        const kifu_stream_position at = kifu_followed(copy);
        lab_must(lab, kifu_undo(lab));
        for (int i = 0; i < 4; i++)
            lab_must(lab, lab_play(lab, "+(2)"));
        kifu_changes changes = changes_since(lab, whole ? NULL : &at);
        char *before = picture_of(copy);
        for (int i = 0, done = 0; !done; i++) {
            until_failure = i;
            const kifu_result result = kifu_apply_changes(copy, changes.bytes, changes.size);
            done = until_failure >= 0;
            until_failure = -1;
            ck_assert_int_eq(result, done ? KIFU_OK : KIFU_FAILED);
            ck_assert_int_lt(i, 100);
            ck_assert(!done || i >= (whole ? 8 : 16));
            if (result) {
                must_say(copy, "this Do fails here");
                expect_unchanged(copy, before, at);
            }
        }
        expect_equal(lab, copy, "a follower whose Do has failed");
        free(before), free(changes.bytes);
        kifu_destroy(lab);
        kifu_destroy(copy);
    }
}
END_TEST

// --- Limits ----------------------------------------------------------------------------------------------------------

// The first budget that is enough. Each smaller one, by which `base` can be had, is refused, and nothing more is
// allocated but what the game needs.
static uint64_t find_need(const kifu_changes *base, const kifu_changes *changes, size_t besides)
{
    uint32_t refused = 0;
    for (uint64_t budget = 64;; budget += budget / 4) {
        test_memory memory = {.until_failure = -1};
        kifu_timeline *copy = lab_new(&(kifu_options){
            .allocate = test_allocate, .allocate_context = &memory, .hash_interval = 2, .changes_memory = budget});
        if (base && kifu_apply_changes(copy, base->bytes, base->size)) {
            kifu_destroy(copy);
            continue;
        }
        char *before = picture_of(copy);
        const kifu_stream_position at = kifu_followed(copy);
        const size_t there = memory.peak = memory.bytes;
        const kifu_result result = kifu_apply_changes(copy, changes->bytes, changes->size);
        if (result) {
            ck_assert_int_eq(result, KIFU_TOO_LARGE);
            const char *message = kifu_last_error(copy)->message;
            unsigned long long needed = 0, allowed = 0;
            ck_assert_msg(sscanf(strstr(message, " need"),
                                 "%*s %llu bytes of memory or more, and "
                                 "kifu_options.changes_memory allows %llu",
                                 &needed, &allowed) == 2,
                          "%s", message);
            ck_assert_uint_gt(needed, budget);
            ck_assert_uint_eq(allowed, budget);
            ck_assert_msg(memory.peak <= there + changes->size + besides + budget, "%zu, from %zu, %zu, %zu, %zu",
                          memory.peak, there, changes->size, besides, (size_t)budget);
            expect_unchanged(copy, before, at);
            refused++;
        }
        free(before);
        kifu_destroy(copy);
        ck_assert_int_eq(memory.blocks, 0);
        if (!result) {
            ck_assert_uint_gt(refused, 5);
            return budget;
        }
    }
}

START_TEST(B08_changes_take_no_more_memory_than_they_may)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *empty = lab_new(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
    const size_t besides = 3 * memory.bytes; // the game that is loaded, and what is kept to go back
    kifu_timeline *begun = rich_game(NULL), *lab, *copy;
    kifu_changes base = changes_since(begun, NULL), changes = rich_changes(&lab, &copy, false);
    kifu_destroy(copy);
    kifu_destroy(lab);
    kifu_changes first = changes;
    ck_assert_uint_gt(find_need(NULL, &base, besides), 1000);
    kifu_destroy(begun);
    free(base.bytes);
    lab = rich_game(NULL);
    base = changes_since(lab, NULL);
    for (int i = 0; i < 200; i++)
        lab_must(lab, lab_play(lab, "+(-)"));
    changes = changes_since(lab, &base.until);
    ck_assert(!changes.whole);
    ck_assert_uint_gt(find_need(&base, &changes, besides), 500);
    kifu_destroy(lab);
    kifu_destroy(empty);
    free(first.bytes), free(base.bytes), free(changes.bytes);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        B04_misused_calls_are_refused,
        R04_without_memory_nothing_is_half_done,
        B04_changes_that_cannot_be_made_without_memory_are_made_later,
        R04_damaged_changes_are_refused,
        R04_a_commit_that_is_refused_is_taken_back_alone,
        R04_a_do_that_fails_leaves_all_as_it_was,
        B08_changes_take_no_more_memory_than_they_may,
    };
    return run_suite("changes_refused", tests, sizeof tests / sizeof *tests);
}
