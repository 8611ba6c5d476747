// Short tries: what a try of a plain event leaves out, and that nobody can tell.

#include "hazard_help.h"
#include "history_help.h"
#include "suite.h"

static kifu_result undo_inside(kifu_timeline *timeline, const hazard_p_any *any)
{
    (void)any;
    return kifu_undo(timeline);
}

static kifu_result fail_with_reason(kifu_timeline *timeline, const hazard_p_any *any)
{
    (void)any;
    return kifu_fail(timeline, "it does not work");
}

static kifu_verdict undo_in_check(kifu_timeline *timeline, hazard_p_any *any)
{
    (void)any;
    return kifu_undo(timeline) ? kifu_reject("it did not work") : kifu_accept();
}

static kifu_verdict just_reject(kifu_timeline *timeline, hazard_p_any *any)
{
    (void)timeline, (void)any;
    return kifu_reject("not today");
}

// A try of a plain event begins with its Do alone; what goes wrong there is tried once more, as in play.
START_TEST(X01_a_short_try_that_goes_wrong_says_what_playing_says)
{
    static const struct {
        kifu_result (*act)(kifu_timeline *timeline, const hazard_p_any *any);
        kifu_verdict (*check)(kifu_timeline *timeline, hazard_p_any *any);
        kifu_result result;
    } cases[] = {{.act = undo_inside, .result = KIFU_MISUSE},
                 {.act = fail_with_reason, .result = KIFU_FAILED},
                 {.check = undo_in_check, .result = KIFU_MISUSE},
                 {.check = just_reject, .result = KIFU_REJECTED}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *played = hazard_new(1, NULL), *tried = hazard_new(1, NULL);
        hazard_test.act = cases[i].act;
        hazard_test.check = cases[i].check;
        hazard_submit_p_any(played, 0, 1);
        const kifu_result result = kifu_run(played);
        ck_assert_int_eq(result, cases[i].result);
        for (int trusted = 0; trusted < (cases[i].check ? 1 : 2); trusted++) {
            ck_assert_int_eq(trusted ? hazard_try_legal_p_any(tried, 0, 1) : hazard_try_p_any(tried, 0, 1), result);
            ck_assert_str_eq(kifu_last_error(tried)->message, kifu_last_error(played)->message);
            ck_assert_str_eq(kifu_error_reason(kifu_last_error(tried)), kifu_error_reason(kifu_last_error(played)));
            ck_assert_uint_eq(kifu_open_tries(tried), 0);
        }
        hazard_test.act = NULL;
        hazard_test.check = NULL;
        must(tried, hazard_try_p_any(tried, 0, 1));
        must(tried, kifu_take_back(tried));
        kifu_destroy(played);
        kifu_destroy(tried);
    }
}
END_TEST

static unsigned checks;

static kifu_result leave_open(kifu_timeline *timeline, const hazard_p_any *any)
{
    (void)any;
    return kifu_begin(timeline, 0);
}

static kifu_result take_back_inside(kifu_timeline *timeline, const hazard_p_any *any)
{
    (void)any;
    return kifu_take_back(timeline);
}

START_TEST(M08_X01_a_short_try_of_a_do_that_breaks_the_rules_is_misuse)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    const uint64_t hash = kifu_state_hash(timeline);
    const uint32_t count = kifu_event_count(timeline);
    for (int open = 0; open < 2; open++) {
        for (int inside = 0; inside < 2; inside++) {
            hazard_test.act = NULL;
            if (open)
                must(timeline, hazard_try_p_any(timeline, 0, 1));
            hazard_test.act = inside ? take_back_inside : leave_open;
            ck_assert_int_eq(hazard_try_p_any(timeline, 0, 1), KIFU_MISUSE);
            ck_assert_text(timeline, inside ? "kifu_take_back" : "began a transaction");
            ck_assert_uint_eq(kifu_open_transactions(timeline), 0);
            ck_assert_uint_eq(kifu_open_tries(timeline), (uint32_t)open);
            if (open)
                must(timeline, kifu_take_back(timeline));
            ck_assert_uint_eq(kifu_event_count(timeline), count);
            ck_assert_uint_eq(kifu_state_hash(timeline), hash);
        }
    }
    kifu_destroy(timeline);
}
END_TEST

static kifu_verdict count_check(kifu_timeline *timeline, hazard_p_any *any)
{
    (void)timeline, (void)any;
    checks++;
    return kifu_accept();
}

static kifu_result react_to_nothing(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)context, (void)timeline, (void)state, (void)event;
    return KIFU_OK;
}

// Short, and as in play where something reacts; alone, and in another try.
START_TEST(M08_X01_what_is_known_to_be_legal_is_not_checked_and_else_it_is)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    hazard_test.check = count_check;
    for (int reacting = 0; reacting < 2; reacting++) {
        if (reacting)
            must(timeline, kifu_observe(timeline, &(kifu_observer){.react = react_to_nothing, .type = HAZARD_P_ANY}));
        for (int legal = 0; legal < 4; legal++) {
            checks = 0;
            must(timeline, legal & 1 ? hazard_try_legal_p_any(timeline, 0, 1) : hazard_try_p_any(timeline, 0, 1));
            ck_assert_uint_eq(checks, legal & 1 ? 0 : 1);
        }
        for (int open = 0; open < 4; open++)
            must(timeline, kifu_take_back(timeline));
    }
    kifu_destroy(timeline);
}
END_TEST

static kifu_result spoil_and_fail(kifu_timeline *timeline, const hazard_p_any *any)
{
    if (any->number != 7)
        return KIFU_OK;
    *hazard_edit_moves(timeline) += 1;
    hazard_submit_e_throw(timeline, 0);
    return kifu_fail(timeline, "it does not work");
}

static kifu_verdict edit_in_check(kifu_timeline *timeline, hazard_p_any *any)
{
    (void)any;
    *hazard_edit_moves(timeline) += 1;
    return kifu_accept();
}

// In no other try, in a short one, or in an ordinary one.
static void open_one(kifu_timeline *timeline, int which)
{
    if (which == 1)
        must(timeline, hazard_try_p_any(timeline, 0, 1));
    else if (which == 2)
        must(timeline, hazard_try_p_dare(timeline, 0, (const uint16_t[]){1, 2, 3}, 3, "a word"));
}

// What goes wrong in a short try is tried again as an ordinary one, for which there may be no memory.
static bool fail_in_a_short_try(int which, long until_failure)
{
    test_memory memory = {.until_failure = -1};
    kifu_event event;
    kifu_timeline *timeline = hazard_new(1, &(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
    hazard_test = (hazard_hooks){.act = spoil_and_fail};
    open_one(timeline, which);
    const uint32_t open = kifu_open_tries(timeline), count = kifu_event_count(timeline);
    const hazard_state before = *hazard_get_state(timeline);
    memory.until_failure = until_failure;
    const kifu_result result = hazard_try_legal_p_any(timeline, 0, 7);
    const bool failed = memory.failed;
    memory.until_failure = -1;
    ck_assert(result == KIFU_FAILED || (failed && result == KIFU_NO_MEMORY));
    ck_assert_uint_eq(kifu_open_tries(timeline), open);
    ck_assert_uint_eq(kifu_pending_count(timeline), 0);
    ck_assert_uint_eq(kifu_event_count(timeline), count);
    ck_assert_mem_eq(hazard_get_state(timeline), &before, sizeof before);
    hazard_test.check = edit_in_check;
    ck_assert_int_eq(hazard_try_p_any(timeline, 0, 1), KIFU_MISUSE);
    ck_assert_mem_eq(hazard_get_state(timeline), &before, sizeof before);
    for (uint32_t i = 0; i < open; i++)
        must(timeline, kifu_take_back(timeline));
    ck_assert(kifu_line_event(timeline, 0, 0, &event)); // which is not shown while a try is open
    hazard_test = (hazard_hooks){0};
    hazard_submit_p_any(timeline, 0, 7);
    must(timeline, kifu_run(timeline));
    kifu_destroy(timeline);
    ck_assert_int_eq(memory.blocks, 0);
    return failed;
}

START_TEST(M08_X01_a_short_try_that_fails_leaves_nothing_with_memory_or_without)
{
    for (int which = 0; which < 3; which++) {
        long failures = 0;
        while (fail_in_a_short_try(which, failures))
            failures++;
        ck_assert_int_gt(failures, which ? 0 : 2);
    }
}
END_TEST

static kifu_result throw_twice(kifu_timeline *timeline, const hazard_p_any *any)
{
    (void)any;
    *hazard_edit_moves(timeline) += 1;
    hazard_submit_e_throw(timeline, 0);
    hazard_submit_e_throw(timeline, 1);
    return KIFU_OK;
}

static bool throw_in_a_short_try(int which, long until_failure)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *timeline = hazard_new(1, &(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
    kifu_timeline *played = hazard_new(1, NULL);
    hazard_test = (hazard_hooks){0};
    open_one(timeline, which);
    if (which == 1)
        hazard_submit_p_any(played, 0, 1);
    else if (which == 2)
        hazard_submit_p_dare(played, 0, (const uint16_t[]){1, 2, 3}, 3, "a word");
    must(played, kifu_run(played));
    const uint32_t open = kifu_open_tries(timeline);
    const hazard_state before = *hazard_get_state(timeline);
    hazard_test.act = throw_twice;
    memory.until_failure = until_failure;
    const kifu_result result = hazard_try_legal_p_any(timeline, which == 2, 1);
    const bool failed = memory.failed;
    memory.until_failure = -1;
    ck_assert_msg(!result || (failed && result == KIFU_NO_MEMORY), "%s", kifu_last_error(timeline)->message);
    ck_assert_uint_eq(kifu_open_tries(timeline), open + (result == KIFU_OK));
    ck_assert_uint_eq(kifu_pending_count(timeline), 0);
    if (!result) {
        hazard_submit_p_any(played, which == 2, 1);
        must(played, kifu_run(played));
        ck_assert_mem_eq(hazard_get_state(timeline), hazard_get_state(played), sizeof before);
        must(timeline, kifu_take_back(timeline));
    }
    ck_assert_mem_eq(hazard_get_state(timeline), &before, sizeof before);
    for (uint32_t i = 0; i < open; i++)
        must(timeline, kifu_take_back(timeline));
    kifu_destroy(played);
    kifu_destroy(timeline);
    ck_assert_int_eq(memory.blocks, 0);
    return failed;
}

START_TEST(M08_X01_what_follows_from_a_short_try_happens_or_there_is_no_memory)
{
    for (int which = 0; which < 3; which++) {
        long failures = 0;
        while (throw_in_a_short_try(which, failures))
            failures++;
        ck_assert_int_gt(failures, 1);
    }
}
END_TEST

static kifu_result edit_and_throw(kifu_timeline *timeline, const hazard_p_any *any)
{
    for (int32_t i = 0; i < any->number; i++)
        *hazard_edit_score(timeline, (uint32_t)i % 3) += 1;
    if (any->number > 1)
        hazard_submit_e_throw(timeline, 0);
    return KIFU_OK;
}

// For many edits the journal moves, and with it what the tries know of it; then there may be no memory for the rest.
static bool move_the_journal(long until_failure)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *timeline = hazard_new(1, &(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
    hazard_state before[4];
    hazard_test = (hazard_hooks){.act = edit_and_throw};
    for (int depth = 0; depth < 4; depth++) {
        before[depth] = *hazard_get_state(timeline);
        must(timeline, hazard_try_legal_p_any(timeline, 0, 1));
    }
    memory.until_failure = until_failure;
    const kifu_result result = hazard_try_legal_p_any(timeline, 0, 3000);
    const bool failed = memory.failed;
    memory.until_failure = -1;
    ck_assert(!result || (failed && result == KIFU_NO_MEMORY));
    if (!result)
        must(timeline, kifu_take_back(timeline));
    must(timeline, kifu_take_back(timeline));
    for (int depth = 3; depth > 0; depth--) {
        ck_assert_mem_eq(hazard_get_state(timeline), &before[depth], sizeof *before);
        must(timeline, hazard_try_legal_p_any(timeline, 0, 2));
        must(timeline, kifu_take_back(timeline));
        ck_assert_mem_eq(hazard_get_state(timeline), &before[depth], sizeof *before);
        must(timeline, kifu_take_back(timeline));
    }
    ck_assert_mem_eq(hazard_get_state(timeline), &before[0], sizeof *before);
    kifu_destroy(timeline);
    ck_assert_int_eq(memory.blocks, 0);
    return failed;
}

START_TEST(M08_X01_short_tries_are_taken_back_where_the_journal_has_moved)
{
    long failures = 0;
    while (move_the_journal(failures))
        failures++;
    ck_assert_int_gt(failures, 2);
}
END_TEST

static kifu_verdict want_points(kifu_timeline *timeline, hazard_p_any *any)
{
    checks++;
    return any->number == 1 ? kifu_reject("not this one")
                            : kifu_instead(hazard_submit_p_sure(timeline, 0, &(hazard_p_sure_args){.sure = 3}));
}

START_TEST(M08_X01_a_short_try_is_rejected_at_once_and_else_tries_what_its_check_wants)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    hazard_test.check = want_points;
    checks = 0;
    for (int open = 0; open < 2; open++) {
        ck_assert_int_eq(hazard_try_p_any(timeline, 0, 1), KIFU_REJECTED);
        ck_assert_text(timeline, "hazard.PAny was rejected: not this one");
        ck_assert_str_eq(kifu_error_reason(kifu_last_error(timeline)), "not this one");
        ck_assert_uint_eq(checks, (unsigned)open + 1);
        ck_assert_uint_eq(kifu_open_tries(timeline), (uint32_t)open);
        if (!open)
            must(timeline, hazard_try_p_guess(timeline, 0, 1, 0));
    }
    must(timeline, kifu_take_back(timeline));
    must(timeline, hazard_try_p_any(timeline, 0, 2));
    ck_assert_uint_eq(hazard_get_state(timeline)->score[0], 3);
    must(timeline, kifu_take_back(timeline));
    must(timeline, kifu_run(timeline));
    kifu_destroy(timeline);
}
END_TEST

static kifu_result draw_reveal_and_throw(kifu_timeline *timeline, const hazard_p_any *any)
{
    (void)any;
    (void)kifu_random(timeline);
    kifu_reveal(timeline);
    hazard_submit_e_throw(timeline, 0);
    return KIFU_OK;
}

START_TEST(M08_X04_a_list_a_question_and_a_try_take_no_tickets)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    kifu_moves moves = {0};
    const kifu_ticket first = hazard_submit_p_sure(timeline, 0, NULL);
    must(timeline, kifu_list_moves(timeline, 0, &moves));
    ck_assert(hazard_can_p_any(timeline, 0, 1));
    hazard_test.act = draw_reveal_and_throw;
    must(timeline, hazard_try_p_any(timeline, 0, 1));
    must(timeline, kifu_take_back(timeline));
    ck_assert_uint_eq(hazard_submit_p_sure(timeline, 1, NULL), first + 1);
    kifu_free_moves(&moves);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(M08_X01_what_a_short_try_has_drawn_and_revealed_is_said_of_its_event)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    const uint32_t count = kifu_event_count(timeline);
    kifu_event tried, played;
    hazard_test.act = draw_reveal_and_throw;
    must(timeline, hazard_try_p_any(timeline, 0, 1));
    ck_assert(kifu_event_at(timeline, count, &tried));
    must(timeline, kifu_take_back(timeline));
    hazard_submit_p_any(timeline, 0, 1);
    must(timeline, kifu_run(timeline));
    ck_assert(kifu_event_at(timeline, count, &played));
    ck_assert_uint_eq(tried.flags, played.flags);
    ck_assert_uint_eq(tried.flags & (KIFU_RANDOM | KIFU_REVEALS), KIFU_RANDOM | KIFU_REVEALS);
    kifu_destroy(timeline);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        X01_a_short_try_that_goes_wrong_says_what_playing_says,
        M08_X01_a_short_try_of_a_do_that_breaks_the_rules_is_misuse,
        M08_X01_what_is_known_to_be_legal_is_not_checked_and_else_it_is,
        M08_X01_a_short_try_that_fails_leaves_nothing_with_memory_or_without,
        M08_X01_what_follows_from_a_short_try_happens_or_there_is_no_memory,
        M08_X01_short_tries_are_taken_back_where_the_journal_has_moved,
        M08_X01_a_short_try_is_rejected_at_once_and_else_tries_what_its_check_wants,
        M08_X04_a_list_a_question_and_a_try_take_no_tickets,
        M08_X01_what_a_short_try_has_drawn_and_revealed_is_said_of_its_event,
    };
    return run_suite("short tries", tests, sizeof tests / sizeof *tests);
}
