// Searches: what one does is unseen, and its roll-back leaves nothing of it.

#include "history_help.h"
#include "lab_help.h"
#include "suite.h"

START_TEST(P10_a_search_is_unseen_and_leaves_nothing)
{
    unsigned acts = 0;
    lab_view view = {.base = {.context = &acts}, .act_p_do = lab_takes_time};
    kifu_options options = {.view = &view.base};
    kifu_timeline *lab = lab_started(&options);
    must(lab, lab_play(lab, "1r"));
    follower eye;
    follow_state(&eye, lab);
    acts = 0;
    lab_picture picture = lab_look(lab);
    for (int i = 0; i < 100; i++) {
        must(lab, kifu_begin(lab, KIFU_SEARCH));
        must(lab, lab_play(lab, "2r(3)"));
        must(lab, kifu_begin(lab, KIFU_SEARCH));
        must(lab, lab_play(lab, "4b5k(6r)"));
        ck_assert_str_eq(lab_trace(lab), "12346");
        must(lab, kifu_roll_back(lab));
        ck_assert_str_eq(lab_trace(lab), "123");
        must(lab, lab_play(lab, "7"));
        must(lab, kifu_roll_back(lab));
        lab_same(lab, &picture);
        ck_assert_uint_eq(kifu_open_transactions(lab), 0);
    }
    ck_assert_uint_eq(acts, 0);
    ck_assert_uint_eq(eye.calls, 0);
    must_have_followed(&eye, lab);
    must(lab, lab_play(lab, "8")); // and what comes then is seen as ever
    ck_assert_uint_eq(acts, 1);
    ck_assert_uint_eq(eye.calls, 1);
    must_have_followed(&eye, lab);
    kifu_set_quiet(lab, true);
    must(lab, kifu_begin(lab, KIFU_SEARCH));
    must(lab, kifu_roll_back(lab));
    must(lab, lab_play(lab, "9"));
    ck_assert_uint_eq(acts, 1); // quiet still
    kifu_destroy(lab);
}
END_TEST

static void count_look(void *context, kifu_timeline *timeline)
{
    (void)timeline;
    ++*(unsigned *)context;
}

static void count_rejected(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    (void)timeline;
    (void)outcome;
    ++*(unsigned *)context;
}

START_TEST(P10_no_failure_and_no_undo_in_a_search_is_seen)
{
    unsigned seen = 0;
    lab_view view = {.base = {.context = &seen, .redraw = count_look, .rejected = count_rejected},
                     .act_p_do = lab_takes_time};
    kifu_options options = {.view = &view.base, .max_consequences = 10};
    kifu_timeline *lab = lab_started(&options);
    must(lab, lab_play(lab, "1"));
    lab_picture picture = lab_look(lab);
    follower eye;
    follow_state(&eye, lab);
    seen = 0;
    for (int inner = 0; inner < 2; inner++) {
        must(lab, kifu_begin(lab, KIFU_SEARCH));
        must(lab, kifu_begin(lab, inner ? 0 : KIFU_SEARCH));
        must(lab, lab_play(lab, "2+[!]"));
        ck_assert_int_eq(lab_play(lab, "!"), KIFU_REJECTED);
        ck_assert_int_eq(lab_play(lab, "+f"), KIFU_FAILED);
        ck_assert_int_eq(lab_play(lab, "+l"), KIFU_RUNAWAY);
        must(lab, kifu_undo(lab));
        must(lab, kifu_redo(lab));
        must(lab, kifu_roll_back(lab));
        must(lab, kifu_roll_back(lab));
        lab_same(lab, &picture);
        ck_assert_uint_eq(seen, 0);
        ck_assert_uint_eq(eye.calls, 0);
    }
    must(lab, lab_play(lab, "+"));
    ck_assert_uint_eq(seen, 1);
    must_have_followed(&eye, lab);
    kifu_destroy(lab);
}
END_TEST

START_TEST(P10_searches_and_transactions_end_as_they_began)
{
    kifu_timeline *lab = lab_started(NULL);
    follower eye;
    follow_state(&eye, lab);
    must(lab, kifu_begin(lab, 0));
    must(lab, lab_play(lab, "1"));
    must(lab, kifu_begin(lab, KIFU_SEARCH));
    unsigned calls = eye.calls;
    must(lab, lab_play(lab, "2"));
    must_refuse(lab, kifu_commit(lab));
    must_say(lab, "KIFU_SEARCH");
    must(lab, kifu_begin(lab, 0)); // inside a search: unseen, too
    must(lab, lab_play(lab, "3"));
    ck_assert_uint_eq(kifu_open_transactions(lab), 3);
    must(lab, kifu_roll_back(lab));
    ck_assert_str_eq(lab_trace(lab), "12");
    must(lab, kifu_begin(lab, KIFU_DEFERRED));
    must(lab, lab_play(lab, "4"));
    must(lab, kifu_commit(lab));
    must(lab, lab_play(lab, "5"));
    ck_assert_str_eq(lab_trace(lab), "1245");
    must(lab, kifu_roll_back(lab));
    ck_assert_str_eq(lab_trace(lab), "1");
    ck_assert_uint_eq(eye.calls, calls);
    must(lab, kifu_roll_back(lab));
    ck_assert_uint_eq(eye.calls, calls + 1);
    must_have_followed(&eye, lab);
    kifu_destroy(lab);
}
END_TEST

START_TEST(P10_a_search_allocates_nothing)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *lab = lab_started(&options);
    for (int i = 0; i < 1000; i++)
        must(lab, lab_play(lab, "+r"));
    lab_do(lab, 0, "1(2)(3)", 1); // something waits
    must(lab, kifu_step(lab));
    lab_picture picture = lab_look(lab);
    long calls = 0;
    for (int i = 0; i < 100000; i++) {
        must(lab, kifu_begin(lab, KIFU_SEARCH));
        must(lab, kifu_run(lab));
        lab_do(lab, 0, i % 3 ? "+r(-r)" : "b+(+)k-", 1);
        must(lab, kifu_run(lab));
        if (i % 5 == 0) {
            must(lab, kifu_begin(lab, KIFU_SEARCH));
            lab_submit_p_add(lab, 0, 4);
            must(lab, kifu_run(lab));
            must(lab, kifu_roll_back(lab));
        }
        must(lab, kifu_roll_back(lab));
        if (i == 1000)
            calls = memory.calls;
    }
    ck_assert_int_eq(memory.calls, calls);
    lab_same(lab, &picture);
    must(lab, kifu_run(lab));
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

START_TEST(P10_a_roll_back_goes_further_than_the_journal)
{
    kifu_timeline *lab = lab_started(NULL);
    for (int i = 0; i < 300; i++)
        must(lab, lab_play(lab, "+r"));
    must(lab, kifu_undo(lab));
    for (int way = 0; way < 2; way++) {
        lab_picture picture = lab_look(lab);
        must(lab, kifu_begin(lab, way ? KIFU_SEARCH : 0));
        for (int i = 0; i < 5000; i++) {
            must(lab, lab_play(lab, "+r(+)"));
            if (i == 2000)
                must(lab, kifu_begin(lab, way ? KIFU_SEARCH : 0));
        }
        must(lab, kifu_roll_back(lab));
        ck_assert_int_eq(lab_get_state(lab)->total, 299 + 2 * 2001);
        must(lab, kifu_roll_back(lab));
        lab_same(lab, &picture);
    }
    must(lab, kifu_redo(lab));
    for (int i = 0; i < 300; i++)
        must(lab, kifu_undo(lab));
    ck_assert_uint_eq(kifu_event_count(lab), 1);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        P10_a_search_is_unseen_and_leaves_nothing,       P10_no_failure_and_no_undo_in_a_search_is_seen,
        P10_searches_and_transactions_end_as_they_began, P10_a_search_allocates_nothing,
        P10_a_roll_back_goes_further_than_the_journal,
    };
    return run_suite("search", tests, sizeof tests / sizeof *tests);
}
