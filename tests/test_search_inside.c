// Searches and tries, where no public call shows it: which way a try goes, and what is left behind: the journal,
// keyframes and hashes.

#include "core/timeline.h"
#include "search/search.h"
#include "try_help.h"

// --- The way ---------------------------------------------------------------------------------------------------------

// What waits, hooks and reactions are set aside only where they may have a say.
START_TEST(X01_a_plain_try_goes_the_short_way)
{
    kifu_timeline *lab = lab_started(NULL);
    for (int reacting = 0; reacting < 2; reacting++) {
        if (reacting)
            lab_must(lab, kifu_observe(lab, &(kifu_observer){.react = react_to_nothing, .type = LAB_E_DO}));
        lab_must(lab, try_built(lab, "+1(2)", true));
        ck_assert(((const kifu__search *)lab->search)->play_is_aside == reacting);
        lab_must(lab, kifu_take_back(lab));
    }
    kifu_destroy(lab);
}
END_TEST

// Where the journal grows, short ones become ordinary ones, and the next ones are short again.
START_TEST(M08_X01_a_try_from_which_nothing_follows_is_a_short_one)
{
    kifu_timeline *lab = lab_started(NULL);
    for (int round = 0; round < 2; round++) {
        int most = 0;
        lab_must(lab, lab_try_legal_p_add(lab, 0, 1));
        ck_assert(!round || (lab->core.next_short == lab->core.shorts + 1 && lab->core.tries == 0));
        lab_must(lab, kifu_take_back(lab));
        lab_must(lab, try_built(lab, "+(1)", true));
        ck_assert(lab->core.next_short == lab->core.shorts && lab->core.tries == 1);
        for (int depth = 0; depth < 60; depth++) {
            lab_must(lab, lab_try_legal_p_add(lab, 0, 1));
            const int open = (int)(lab->core.next_short - lab->core.shorts);
            most = open > most ? open : most;
        }
        ck_assert_int_gt(most, 10);
        for (int more = 0; more < 2; more++)
            lab_must(lab, lab_try_legal_p_add(lab, 0, 1));
        const kifu__short *next = lab->core.next_short;
        ck_assert(lab_can_p_add(lab, 0, 1)); // After it, the next one would ask whether something has changed.
        lab_must(lab, kifu_take_back(lab));
        lab_must(lab, lab_try_legal_p_add(lab, 0, 1));
        ck_assert(lab->core.next_short == next && next > lab->core.shorts);
        for (int depth = 0; depth < 63; depth++)
            lab_must(lab, kifu_take_back(lab));
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(X02_each_try_may_have_as_many_consequences_as_an_input)
{
    static const char twenty[] = "(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)(1)";
    for (int reacting = 0; reacting < 2; reacting++) {
        kifu_timeline *lab = lab_started(&(kifu_options){.max_consequences = 30});
        if (reacting)
            lab_must(lab, kifu_observe(lab, &(kifu_observer){.react = react_to_nothing, .type = LAB_E_DO}));
        for (int depth = 0; depth < 3; depth++) {
            lab_must(lab, try_built(lab, twenty, true));
            ck_assert(((const kifu__search *)lab->search)->play_is_aside == reacting); // The short way counts anew.
        }
        for (int depth = 0; depth < 3; depth++)
            lab_must(lab, kifu_take_back(lab));
        kifu_destroy(lab);
    }
}
END_TEST

static kifu_verdict submit_in_check(kifu_timeline *timeline, uint32_t type, const void *state, void *event)
{
    if (type == LAB_P_ADD)
        lab_submit_e_do(timeline, "1"); // which it may not, without wanting it instead
    return lab_rules.check(timeline, type, state, event);
}

START_TEST(M08_X01_what_a_check_has_submitted_in_vain_leads_no_try_the_long_way)
{
    kifu_timeline *lab;
    kifu_rules rules = lab_rules;
    rules.check = submit_in_check;
    ck_assert_int_eq(kifu_create(&rules, NULL, &lab, NULL), KIFU_OK);
    lab_submit_p_add(lab, 0, 1);
    ck_assert_int_eq(kifu_run(lab), KIFU_MISUSE);
    lab_must(lab, try_built(lab, "+(2)", false));
    ck_assert(!((const kifu__search *)lab->search)->play_is_aside);
    lab_must(lab, kifu_take_back(lab));
    kifu_destroy(lab);
}
END_TEST

// --- What is left ----------------------------------------------------------------------------------------------------

// What redo would bring back is set aside first; several segments of it need memory.
START_TEST(X01_beside_what_redo_brings_back_a_try_survives_without_memory)
{
    larder larder = {.meals = 0};
    kifu_result result = KIFU_NO_MEMORY;
    unsigned meals = 0;
    for (; result == KIFU_NO_MEMORY; meals++) {
        kifu_timeline *lab = lab_with(&larder);
        for (int i = 0; i < 2000; i++)
            lab_submit_p_add(lab, 0, 1);
        lab_must(lab, kifu_run(lab));
        for (int i = 0; i < 1200; i++)
            lab_must(lab, kifu_undo(lab));
        ck_assert_uint_gt(lab->log.branch->segment_count, 1);
        const uint32_t hashes = lab->log.branch->checkpoint_count, keyframes = lab->keyframes.count;
        ck_assert(hashes > 1 && keyframes > 1);
        const lab_picture before = lab_look(lab);
        larder.starving = true;
        larder.meals = meals;
        result = lab_try_p_add(lab, 0, 3);
        larder.starving = false;
        ck_assert_uint_eq(kifu_open_tries(lab), result ? 0 : 1);
        if (!result)
            lab_must(lab, kifu_take_back(lab));
        lab_same(lab, &before);
        if (!result)
            ck_assert(lab->log.branch->checkpoint_count == hashes && lab->keyframes.count == keyframes);
        lab_must(lab, kifu_redo(lab));
        lab_must(lab, kifu_verify_replay(lab, NULL));
        kifu_destroy(lab);
    }
    ck_assert_int_eq(result, KIFU_OK);
    ck_assert_uint_gt(meals, 1);
}
END_TEST

typedef struct heard {
    unsigned acts, redraws, rejections, listens, outcomes, reactions;
} heard;

static double act_p_add(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_add *add)
{
    (void)timeline;
    (void)state;
    (void)add;
    ((heard *)context)->acts++;
    return 1;
}

static void redraw(void *context, kifu_timeline *timeline)
{
    (void)timeline;
    ((heard *)context)->redraws++;
}

static void rejected(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    (void)timeline;
    (void)outcome;
    ((heard *)context)->rejections++;
}

static void listen(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)timeline;
    (void)state;
    (void)change;
    ((heard *)context)->listens++;
}

static void follow(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    (void)timeline;
    (void)outcome;
    ((heard *)context)->outcomes++;
}

static kifu_result react(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)state;
    ((heard *)context)->reactions++;
    if (event->type == LAB_P_ADD)
        lab_submit_e_do(timeline, "9");
    return KIFU_OK;
}

// With reactions, a try takes the long way.
static void try_unheard(bool reacting)
{
    heard heard = {0};
    unsigned long calls = 0;
    lab_view view = {.base = {.context = &heard, .redraw = redraw, .rejected = rejected}, .act_p_add = act_p_add};
    kifu_timeline *lab = lab_started(
        &(kifu_options){.view = &view.base, .user = &calls, .record_inputs = kifu_record_inputs, .hash_interval = 1});
    const kifu_observer observers[] = {
        {.context = &heard, .listen = listen, KIFU_PART(lab_state, total)},
        {.context = &heard, .react = react},
    };
    lab_must(lab, kifu_observe_all(lab, observers, reacting ? 2 : 1));
    lab_submit_p_add(lab, 0, 1);
    lab_submit_p_add(lab, 0, 2);
    lab_must(lab, kifu_run(lab));
    lab_must(lab, kifu_undo(lab));
    const kifu_ticket ticket = lab_submit_p_add(lab, 0, 50);
    lab_must(lab, kifu_follow(lab, ticket, follow, &heard));
    const lab_picture before = lab_look(lab);
    const uint32_t redo = kifu_can_redo(lab, NULL), hashes = lab->log.branch->checkpoint_count,
                   keyframes = lab->keyframes.count;
    heard = (struct heard){0};
    for (int i = 0; i < 300; i++) {
        lab_must(lab, lab_try_p_add(lab, 0, 10));
        ck_assert_int_eq((int)lab_get_state(lab)->total, 11);
        ck_assert_int_eq(lab_try_p_add(lab, i % 2 ? 300 : -2, 10), KIFU_MISUSE);
        lab_must(lab, kifu_take_back(lab));
    }
    ck_assert(heard.reactions == (reacting ? 600 : 0)); // the rules hear of it
    heard.reactions = 0;
    ck_assert_mem_eq(&heard, &(struct heard){0}, sizeof heard);
    lab_same(lab, &before);
    ck_assert(lab->log.branch->checkpoint_count == hashes && lab->keyframes.count == keyframes);
    ck_assert_uint_eq(kifu_can_redo(lab, NULL), redo);
    lab_must(lab, kifu_run(lab));
    ck_assert(heard.acts == 1 && heard.listens == 1 && heard.outcomes == 1);
    lab_must(lab, kifu_verify_replay(lab, NULL));
    kifu_destroy(lab);
}

START_TEST(X01_nobody_hears_of_a_try)
{
    try_unheard(false);
    try_unheard(true);
}
END_TEST

START_TEST(M08_X01_after_a_try_the_journal_may_forget_again)
{
    kifu_timeline *lab = lab_started(NULL);
    ck_assert_uint_eq(lab->journal.keep_from, KIFU_NONE);
    lab_must(lab, lab_try_legal_p_add(lab, 0, 1)); // a short one, in which the next one makes it an ordinary one
    lab_must(lab, try_built(lab, "+(1)", true));
    ck_assert_uint_eq(lab->journal.keep_from, 1);
    lab_must(lab, kifu_take_back(lab));
    lab_must(lab, kifu_take_back(lab));
    ck_assert_uint_eq(lab->journal.keep_from, KIFU_NONE);
    lab_must(lab, try_built(lab, "+(1)", true));
    ck_assert_uint_eq(lab->journal.keep_from, 1);
    lab_must(lab, kifu_take_back(lab));
    ck_assert_uint_eq(lab->journal.keep_from, KIFU_NONE);
    kifu_destroy(lab);
}
END_TEST

START_TEST(M08_X01_after_a_try_hashes_are_recorded_as_before)
{
    kifu_timeline *lab = lab_started(&(kifu_options){.hash_interval = 1});
    for (int i = 0; i < 3; i++)
        lab_must(lab, lab_play(lab, "+"));
    for (int redo = 0; redo < 2; redo++) {
        if (redo) // Beside it, what is tried is in a hidden part of the log.
            lab_must(lab, kifu_undo(lab));
        lab_must(lab, lab_try_p_add(lab, 0, 1));
        ck_assert_int_eq(lab_try_p_do(lab, 0, &(lab_p_do_args){.script = "f", .times = 1}), KIFU_FAILED);
        lab_must(lab, lab_try_p_add(lab, 0, 1));
        ck_assert_uint_eq(lab->log.branch->checkpoint_count, 0); // none of what is only tried
        lab_must(lab, kifu_take_back(lab));
        lab_must(lab, kifu_take_back(lab));
        lab_must(lab, kifu_undo(lab));
        for (int i = 0; i < 3; i++)
            lab_must(lab, lab_play(lab, "+"));
        ck_assert_uint_eq(lab->log.branch->checkpoint_count, kifu_event_count(lab));
    }
    lab_must(lab, kifu_verify_replay(lab, NULL));
    kifu_destroy(lab);
}
END_TEST

START_TEST(F40_nothing_is_recorded_along_a_search)
{
    const kifu_options options = {.hash_interval = 1};
    kifu_timeline *lab = lab_started(&options);
    for (int i = 0; i < 120; i++)
        must(lab, lab_play(lab, "+"));
    const uint32_t hashes = lab->log.branch->checkpoint_count, keyframes = lab->keyframes.count;
    must(lab, kifu_begin(lab, KIFU_SEARCH));
    must(lab, kifu_begin(lab, 0)); // in it, too
    for (int i = 0; i < 300; i++)
        must(lab, lab_play(lab, "+"));
    must(lab, kifu_commit(lab));
    ck_assert_uint_eq(lab->log.branch->checkpoint_count, hashes);
    ck_assert_uint_eq(lab->keyframes.count, keyframes);
    must(lab, kifu_roll_back(lab));
    ck_assert_uint_eq(lab->log.branch->checkpoint_count, hashes);
    for (int i = 0; i < 200; i++)
        must(lab, lab_play(lab, "+"));
    ck_assert_uint_eq(lab->log.branch->checkpoint_count, kifu_event_count(lab)); // and after it again
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        X01_a_plain_try_goes_the_short_way,
        M08_X01_a_try_from_which_nothing_follows_is_a_short_one,
        X02_each_try_may_have_as_many_consequences_as_an_input,
        M08_X01_what_a_check_has_submitted_in_vain_leads_no_try_the_long_way,
        X01_beside_what_redo_brings_back_a_try_survives_without_memory,
        X01_nobody_hears_of_a_try,
        M08_X01_after_a_try_the_journal_may_forget_again,
        M08_X01_after_a_try_hashes_are_recorded_as_before,
        F40_nothing_is_recorded_along_a_search,
    };
    return run_suite("search inside", tests, sizeof tests / sizeof *tests);
}
