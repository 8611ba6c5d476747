// Submitting: for whom, how much, and what a submit that is refused leaves behind.

#include <limits.h>

#include "cards_help.h"
#include "lab_help.h"
#include "suite.h"

START_TEST(T12_a_players_number_is_0_to_127_or_none)
{
    static const int good[] = {-1, 0, 127}, bad[] = {INT_MIN, -2, 128, INT_MAX};
    kifu_timeline *lab = lab_new(NULL);
    for (unsigned i = 0; i < sizeof good / sizeof *good; i++) {
        kifu_event event;
        ck_assert_uint_ne(lab_do(lab, good[i], "1", 1), 0);
        must(lab, kifu_run(lab));
        ck_assert(kifu_event_at(lab, i, &event));
        ck_assert_int_eq(event.player, good[i]);
    }
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        char words[80];
        snprintf(words, sizeof words, "for player %d: a player's number is 0 to 127, or -1", bad[i]);
        ck_assert_uint_eq(lab_do(lab, bad[i], "1", 1), 0);
        ck_assert_uint_eq(lab_submit_p_add(lab, bad[i], 1), 0);
        ck_assert_uint_eq(kifu_pending_count(lab), 0);
        must_refuse(lab, kifu_run(lab));
        must_say(lab, words);
    }
    kifu_destroy(lab);
}
END_TEST

// The vector is read only where there is an event to put it into.
static kifu_result submits_again(void *context, kifu_timeline *cards, const cards_p_any *any)
{
    const kifu_ticket ticket = any->number ? cards_submit_p_any(cards, 0, 0) : 0;
    if (any->number && !ticket != kifu_is_replaying(cards))
        return kifu_fail(cards, "a replay submits nothing, and nothing else does");
    ++*(int *)context;
    return KIFU_OK;
}

START_TEST(T03_nothing_is_submitted_in_a_replay)
{
    int dos = 0;
    cards_hooks hooks = {.context = &dos, .in_do = submits_again};
    kifu_timeline *cards;
    ck_assert_int_eq(kifu_create(&cards_rules, &(kifu_options){.user = &hooks}, &cards, NULL), KIFU_OK);
    cards_submit_p_any(cards, 0, 1);
    ck_assert_int_eq(kifu_run(cards), KIFU_OK);
    ck_assert_int_eq(kifu_seek(cards, 0), KIFU_OK);
    ck_assert_int_eq(kifu_seek(cards, KIFU_PRESENT), KIFU_OK);
    ck_assert_int_eq(dos, 4);
    ck_assert_uint_eq(kifu_pending_count(cards), 0);
    kifu_destroy(cards);
}
END_TEST

START_TEST(T06_an_override_of_no_event_is_none)
{
    kifu_timeline *cards = cards_new(NULL);
    ck_assert_int_eq(kifu_override(cards, 0, true, false), KIFU_OK); // what a submit returns in a replay
    kifu_destroy(cards);
}
END_TEST

static kifu_result submits_two(void *context, kifu_timeline *cards, const cards_p_any *any)
{
    kifu_ticket *tickets = (kifu_ticket *)context;
    for (int i = 0; i < 2 && any->number; i++)
        tickets[i] = cards_submit_p_any(cards, 0, 0);
    return KIFU_OK;
}

START_TEST(T10_the_consequence_that_is_one_too_many_is_not_submitted)
{
    kifu_ticket tickets[2] = {0, 7};
    cards_hooks hooks = {.context = tickets, .in_do = submits_two};
    kifu_timeline *cards;
    ck_assert_int_eq(kifu_create(&cards_rules, &(kifu_options){.user = &hooks, .max_consequences = 1}, &cards, NULL),
                     KIFU_OK);
    cards_submit_p_any(cards, 0, 1);
    ck_assert_int_eq(kifu_run(cards), KIFU_RUNAWAY);
    ck_assert(tickets[0] && !tickets[1]);
    kifu_destroy(cards);
}
END_TEST

START_TEST(a_submit_reports_what_was_wrong_first)
{
    kifu_timeline *cards = cards_new(NULL);
    ck_assert_uint_eq(cards_submit_p_attack(cards, 128, NULL, 2), 0);
    must_refuse(cards, kifu_run(cards));
    must_say(cards, "for player 128");
    kifu_destroy(cards);
}
END_TEST

// A save holds at most 1 GiB of an event: see the limits of the format.
START_TEST(an_event_of_more_than_a_gibibyte_is_refused_unread)
{
    kifu_timeline *cards = cards_new(NULL);
    const uint8_t one = 1;
    ck_assert_uint_eq(cards_submit_p_attack(cards, 1, &one, (UINT32_C(1) << 30) + 1), 0);
    ck_assert_uint_eq(kifu_pending_count(cards), 0);
    ck_assert_int_eq(kifu_run(cards), KIFU_TOO_LARGE);
    must_say(cards, "an event of more than 1 GiB was submitted");
    cards_submit_p_attack(cards, 1, &one, 1); // The queue is as it was.
    must(cards, kifu_run(cards));
    ck_assert_str_eq(cards_table(cards), "21 18 m0 0 t.T...... h0");
    kifu_destroy(cards);
}
END_TEST

START_TEST(U02_what_is_never_undoable_may_be_overridden_otherwise)
{
    kifu_timeline *lab = lab_new(NULL);
    kifu_event event;
    kifu_ticket ticket = lab_submit_e_add_player(lab, 0, 0);
    must_refuse(lab, kifu_override(lab, ticket, true, false));
    must_say(lab, "kifu.EAddPlayer is never undoable");
    must(lab, kifu_override(lab, ticket, false, true));
    must(lab, kifu_run(lab));
    ck_assert(kifu_event_at(lab, 0, &event));
    ck_assert_uint_eq(event.flags, KIFU_CONTINUE_UNDO);
    kifu_destroy(lab);
}
END_TEST

static kifu_result submit_too_early(kifu_timeline *timeline)
{
    lab_do(timeline, 0, "1", 1);
    return KIFU_OK;
}

static kifu_result refuse(kifu_timeline *timeline)
{
    (void)timeline;
    return KIFU_REJECTED;
}

// Whoever does not ask for the reason gets none.
START_TEST(a_timeline_that_cannot_be_prepared_is_not_made)
{
    static kifu_result (*const prepare[])(kifu_timeline *) = {submit_too_early, refuse};
    static const kifu_result results[] = {KIFU_MISUSE, KIFU_REJECTED};
    for (int i = 0; i < 4; i++) {
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {
            .prepare = prepare[i / 2], .allocate = test_allocate, .allocate_context = &memory};
        kifu_timeline *lab = (kifu_timeline *)&memory;
        kifu_error error = {.result = KIFU_OK};
        ck_assert_int_eq(kifu_create(&lab_rules, &options, &lab, i % 2 ? &error : NULL), results[i / 2]);
        ck_assert_ptr_null(lab);
        ck_assert_int_eq(error.result, i % 2 ? results[i / 2] : KIFU_OK);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        T12_a_players_number_is_0_to_127_or_none,
        T06_an_override_of_no_event_is_none,
        T10_the_consequence_that_is_one_too_many_is_not_submitted,
        T03_nothing_is_submitted_in_a_replay,
        a_submit_reports_what_was_wrong_first,
        an_event_of_more_than_a_gibibyte_is_refused_unread,
        U02_what_is_never_undoable_may_be_overridden_otherwise,
        a_timeline_that_cannot_be_prepared_is_not_made,
    };
    return run_suite("submit", tests, sizeof tests / sizeof *tests);
}
