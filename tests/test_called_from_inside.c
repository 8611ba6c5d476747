// What may be called from a Do, a check, a reaction, a listener, the view.

#include "cards_help.h"
#include "history_help.h"
#include "lab_help.h"
#include "listen_help.h"
#include "suite.h"

static kifu_result submit_trace(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                                const kifu_change *change)
{
    (void)state;
    (void)event;
    (void)change;
    lab_submit_e_do(timeline, (const char *)context);
    return KIFU_OK;
}

static kifu_result submit_of_event(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)state;
    if (event->type == LAB_P_DO)
        lab_submit_e_do(timeline, (const char *)context);
    return KIFU_OK;
}

START_TEST(P03_what_triggers_submit_is_in_the_log_and_not_submitted_again)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, kifu_observe(lab, &(kifu_observer){.trigger = submit_trace, TOTAL, .context = "2"}));
    must(lab,
         kifu_observe(lab, &(kifu_observer){.react = submit_of_event, .rank = KIFU_RANK_INTERNAL, .context = "1"}));
    lab_do(lab, 0, "+(7)", 1);
    lab_do(lab, 0, "8", 1);
    must(lab, kifu_run(lab));
    ck_assert_str_eq(lab_log(lab), "PDo(+(7)) EDo(7) EDo(1) EDo(2) PDo(8) EDo(1)");
    kifu_event event;
    for (uint32_t i = 1; i < 4; i++) {
        ck_assert(kifu_event_at(lab, i, &event));
        ck_assert_uint_eq(event.cause, 0);
    }
    lab_picture picture = lab_look(lab);
    must(lab, kifu_undo(lab));
    must(lab, kifu_undo(lab));
    ck_assert_uint_eq(kifu_event_count(lab), 0);
    must(lab, kifu_redo(lab));
    must(lab, kifu_redo(lab));
    lab_same(lab, &picture);
    kifu_destroy(lab);
}
END_TEST

static kifu_result fail_once(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                             const kifu_change *change)
{
    (void)state;
    (void)event;
    lab_submit_e_do(timeline, "9");
    if (*(const int64_t *)change->after == 2)
        return kifu_fail(timeline, (const char *)context);
    return KIFU_OK;
}

START_TEST(T05_a_failing_trigger_takes_its_event_back)
{
    kifu_timeline *lab = lab_new(NULL);
    follower eye;
    must(lab, kifu_observe(lab, &(kifu_observer){.trigger = fail_once, TOTAL, .context = "two is too much"}));
    must(lab, kifu_observe(lab, &(kifu_observer){.trigger = trigger, TOTAL, .context = "T"}));
    follow_state(&eye, lab);
    heard[0] = '\0';
    must(lab, lab_play(lab, "+1"));
    must_hear("T 0>1 #0 ");
    lab_picture picture = lab_look(lab);
    ck_assert_int_eq(lab_play(lab, "+2(3)"), KIFU_FAILED);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(lab)), "two is too much");
    ck_assert_uint_eq(kifu_last_error(lab)->event, 2);
    must_hear("");
    lab_same(lab, &picture);
    must_have_followed(&eye, lab);
    must(lab, lab_play(lab, "++"));
    must_hear("T 1>3 #2 ");
    must_have_followed(&eye, lab);
    kifu_destroy(lab);
}
END_TEST

// Calls something where it may not be called.
typedef struct meddler {
    kifu_timeline *timeline;
    int what;
} meddler;

enum {
    EDIT,
    SUBMIT,
    SUBMIT_STRING,
    RANDOM,
    UNDO,
    REDO,
    SEEK,
    SEARCH,
    BEGIN,
    DEFERRED,
    UNCHAINED,
    COMMIT,
    ROLL_BACK,
    RUN,
    STEP,
    UPDATE,
    DROP_INPUTS,
    READ_REQUEST,
    RUN_REQUEST,
    ADD_BYTES,
    SAVE,
    OBSERVE,
    OBSERVE_ALL,
    REMOVE,
    VERIFY,
    FORK,
    STATE_AT,
    HOLD,
    QUIET,
    REVEAL,
    ASK,
    WHATS
};

enum { IN_CHECK, IN_DO, IN_REACTION, IN_TRIGGER, IN_LISTENER, IN_ACT, PLACES };

static const char *const places[PLACES] = {"a check", "Do", "a reaction", "a trigger", "a listener", "Act"};

static const uint8_t attackers[] = {4, 5};
static const kifu_observer observer = {.react = react, .context = "a"};

// A function for the table below. Calls that cannot say themselves that they were refused give KIFU_OK here.
#define CALL(name, expression)                                                                                         \
    static kifu_result name(kifu_timeline *cards)                                                                      \
    {                                                                                                                  \
        return expression;                                                                                             \
    }
CALL(edit, (*cards_edit_life(cards, 1) = 99, KIFU_OK))
CALL(submit, (cards_submit_e_lose_life(cards, 1, 7), KIFU_OK))
CALL(submit_string, (cards_submit_p_attack(cards, 1, attackers, 2), KIFU_OK))
CALL(draw, kifu_random(cards) == 0 ? KIFU_OK : KIFU_FAILED)
CALL(seek, kifu_seek(cards, 1))
CALL(search, kifu_begin(cards, KIFU_SEARCH))
CALL(begin, kifu_begin(cards, 0))
CALL(begin_deferred, kifu_begin(cards, KIFU_DEFERRED))
CALL(begin_unchained, kifu_begin(cards, KIFU_UNCHAINED))
CALL(read_request, kifu_read_request(cards, 0, NULL, 0, &(kifu_request){0}))
CALL(run_request, kifu_run_request(cards, 0, NULL, 0))
CALL(add_bytes, kifu_add_bytes(cards, &(kifu_buffer){0}, NULL, 0))
CALL(update, kifu_update(cards, 1))
CALL(save, kifu_save_to_memory(cards, NULL, &(unsigned char *){NULL}, &(size_t){0}))
CALL(observe, kifu_observe(cards, &observer))
CALL(observe_all, kifu_observe_all(cards, &observer, 1))
CALL(remove_observers, kifu_remove_observers(cards, "a"))
CALL(verify, kifu_verify_replay(cards, NULL))
CALL(state_at, kifu_state_at(cards, 1, &(cards_state){0}, sizeof(cards_state)))
CALL(hold, (kifu_hold(cards, 3), KIFU_OK))
CALL(set_quiet, (kifu_set_quiet(cards, true), KIFU_OK))
CALL(reveal, (kifu_reveal(cards), KIFU_OK))
CALL(ask, cards_can_p_any(cards, 0, 1) ? KIFU_FAILED : KIFU_OK)

static kifu_result undo(kifu_timeline *cards)
{
    kifu_error error;
    ck_assert_uint_eq(kifu_can_undo(cards, &error), 0);
    ck_assert_int_eq(error.result, KIFU_MISUSE);
    return kifu_undo(cards);
}

static kifu_result redo(kifu_timeline *cards)
{
    kifu_error error;
    ck_assert_uint_eq(kifu_can_redo(cards, &error), 0);
    ck_assert_int_eq(error.result, KIFU_MISUSE);
    return kifu_redo(cards);
}

static kifu_result fork_at(kifu_timeline *cards)
{
    kifu_timeline *fork;
    kifu_error error;
    ck_assert_int_eq(kifu_fork(cards, 1, NULL, &fork, &error), KIFU_MISUSE);
    ck_assert_msg(strstr(error.message, "kifu_fork") != NULL, "%s", error.message);
    return KIFU_OK;
}

#define IN(place) (1u << IN_##place)

static const struct {
    const char *name; // The error says it.
    kifu_result (*call)(kifu_timeline *cards);
    unsigned allowed; // In these places.
    bool says;        // The call returns KIFU_MISUSE itself.
} calls[WHATS] = {
    [EDIT] = {"edit", edit, IN(DO), false},
    [SUBMIT] = {"submit", submit, IN(DO) | IN(REACTION) | IN(TRIGGER), false},
    [SUBMIT_STRING] = {"submit", submit_string, IN(DO) | IN(REACTION) | IN(TRIGGER), false},
    [RANDOM] = {"kifu_random", draw, IN(DO), false},
    [UNDO] = {"kifu_undo", undo, 0, true},
    [REDO] = {"kifu_redo", redo, 0, true},
    [SEEK] = {"kifu_seek", seek, 0, true},
    [SEARCH] = {"kifu_begin(timeline, KIFU_SEARCH)", search, 0, true},
    [BEGIN] = {"kifu_begin", begin, IN(DO), true},
    [DEFERRED] = {"kifu_begin(timeline, KIFU_DEFERRED)", begin_deferred, 0, true},
    [UNCHAINED] = {"kifu_begin(timeline, KIFU_UNCHAINED)", begin_unchained, 0, true},
    [COMMIT] = {"kifu_commit", kifu_commit, 0, true},
    [ROLL_BACK] = {"kifu_roll_back", kifu_roll_back, 0, true},
    [RUN] = {"kifu_run", kifu_run, 0, true},
    [STEP] = {"kifu_step", kifu_step, 0, true},
    [UPDATE] = {"kifu_update", update, 0, true},
    [DROP_INPUTS] = {"kifu_drop_inputs", kifu_drop_inputs, 0, true},
    [READ_REQUEST] = {"kifu_read_request", read_request, 0, true},
    [RUN_REQUEST] = {"kifu_run_request", run_request, 0, true},
    [ADD_BYTES] = {"kifu_add_bytes", add_bytes, 0, true},
    [SAVE] = {"kifu_save", save, 0, true},
    [OBSERVE] = {"kifu_observe", observe, 0, true},
    [OBSERVE_ALL] = {"kifu_observe_all", observe_all, 0, true},
    [REMOVE] = {"kifu_remove_observers", remove_observers, 0, true},
    [VERIFY] = {"kifu_verify_replay", verify, 0, true},
    [FORK] = {"kifu_fork", fork_at, 0, false},
    [STATE_AT] = {"kifu_state_at", state_at, ~IN(DO), true},
    [HOLD] = {"kifu_hold", hold, IN(LISTENER) | IN(ACT), false},
    [QUIET] = {"kifu_set_quiet", set_quiet, IN(LISTENER) | IN(ACT), false},
    [REVEAL] = {"kifu_reveal", reveal, IN(DO), false},
    [ASK] = {"whether an event may be played", ask, ~(IN(CHECK) | IN(DO)), false},
};

static bool allowed(int what, int place)
{
    return calls[what].allowed >> place & 1;
}

static void must_be_refused(kifu_timeline *timeline, kifu_result result, int what)
{
    ck_assert_msg(result == KIFU_MISUSE, "%s: %s", calls[what].name, kifu_result_text(result));
    must_say(timeline, calls[what].name);
}

static void meddle(const meddler *meddler)
{
    const kifu_result result = calls[meddler->what].call(meddler->timeline);
    if (calls[meddler->what].says)
        must_be_refused(meddler->timeline, result, meddler->what);
    else
        ck_assert_int_eq(result, KIFU_OK);
}

static void meddle_in_check(void *context, kifu_timeline *timeline)
{
    (void)timeline;
    meddle(context);
}

static kifu_result meddle_in_do(void *context, kifu_timeline *timeline, const cards_p_any *any)
{
    (void)timeline;
    (void)any;
    meddle(context);
    return KIFU_OK;
}

static kifu_result meddle_in_reaction(void *context, kifu_timeline *timeline, const void *state,
                                      const kifu_event *event)
{
    (void)timeline;
    (void)state;
    (void)event;
    meddle(context);
    return KIFU_OK;
}

static kifu_result meddle_in_trigger(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                                     const kifu_change *change)
{
    (void)timeline;
    (void)state;
    (void)event;
    (void)change;
    meddle(context);
    return KIFU_OK;
}

static void meddle_in_listener(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)timeline;
    (void)state;
    (void)change;
    meddle(context);
}

static double meddle_in_act(void *context, kifu_timeline *timeline, const cards_state *state, const cards_p_any *any,
                            const cards_p_any_transient *transient)
{
    (void)timeline;
    (void)state;
    (void)any;
    (void)transient;
    meddle(context);
    return 0;
}

// Tries it; `transaction`: inside one, begun from outside.
static void try_to_meddle(int what, int place, bool transaction)
{
    meddler meddler = {NULL, what};
    cards_hooks hooks = {.context = &meddler};
    cards_view own_view = {.base = {.context = &meddler}};
    kifu_options options = {.user = &hooks, .view = &own_view.base};
    kifu_timeline *cards = meddler.timeline = cards_new(&options);
    cards_submit_p_any(cards, 0, 1);
    cards_submit_p_any(cards, 0, 2);
    must(cards, kifu_run(cards));
    must(cards, kifu_undo(cards)); // something to undo, something to redo
    if (transaction)
        must(cards, kifu_begin(cards, 0));
    cards_state before = *cards_get_state(cards);
    if (place == IN_CHECK)
        hooks.in_check = meddle_in_check;
    if (place == IN_DO)
        hooks.in_do = meddle_in_do;
    if (place == IN_REACTION)
        must(cards, kifu_observe(cards, &(kifu_observer){.react = meddle_in_reaction, .context = &meddler}));
    if (place == IN_TRIGGER)
        must(cards,
             kifu_observe(cards, &(kifu_observer){
                                     .trigger = meddle_in_trigger, KIFU_PART(cards_state, life), .context = &meddler}));
    if (place == IN_LISTENER)
        must(cards,
             kifu_observe(cards, &(kifu_observer){
                                     .listen = meddle_in_listener, KIFU_PART(cards_state, life), .context = &meddler}));
    if (place == IN_ACT)
        own_view.act_p_any = meddle_in_act;
    cards_submit_p_any(cards, 0, 4);
    kifu_result result = kifu_run(cards);
    hooks.in_check = NULL;
    hooks.in_do = NULL;
    own_view.act_p_any = NULL;
    bool quiet_about_it = what == FORK || what == STATE_AT; // the call said so: it changes nothing anyway
    if (result != KIFU_MISUSE && !(quiet_about_it && result == KIFU_OK))
        ck_abort_msg("%s in %s: the run says %s", calls[what].name, places[place], kifu_result_text(result));
    if (result)
        ck_assert_msg(strlen(kifu_last_error(cards)->message) > 20 &&
                          (what <= RANDOM || strstr(kifu_last_error(cards)->message, calls[what].name)),
                      "%s in %s: %s", calls[what].name, places[place], kifu_last_error(cards)->message);
    // In the rules it takes the event back; what a view does wrong, the event does not pay for.
    bool stands = result == KIFU_OK || place >= IN_LISTENER;
    before.life[0] -= stands ? 4 : 0;
    ck_assert_msg(memcmp(cards_get_state(cards), &before, sizeof before) == 0, "%s in %s", calls[what].name,
                  places[place]);
    ck_assert_uint_eq(kifu_event_count(cards), stands ? 4 : 3);
    ck_assert_uint_eq(kifu_pending_count(cards), 0);
    ck_assert_uint_eq(kifu_open_transactions(cards), transaction);
    must(cards, kifu_remove_observers(cards, &meddler));
    if (transaction)
        must(cards, kifu_roll_back(cards));
    must(cards, kifu_undo(cards));
    must(cards, kifu_redo(cards));
    cards_submit_p_any(cards, 0, 8); // and all goes on
    must(cards, kifu_run(cards));
    kifu_destroy(cards);
}

static void try_everywhere(int first, int last)
{
    for (int what = first; what <= last; what++)
        for (int place = 0; place < PLACES; place++)
            for (int transaction = 0; transaction < 2; transaction++)
                if (!allowed(what, place))
                    try_to_meddle(what, place, transaction);
}

START_TEST(T06_no_view_and_no_rule_changes_the_model_but_do)
{
    try_everywhere(EDIT, EDIT);
    try_everywhere(RANDOM, RANDOM);
    try_everywhere(REVEAL, REVEAL);
}
END_TEST

START_TEST(P04_listeners_may_not_submit_nor_triggers_touch_the_view)
{
    try_everywhere(SUBMIT, SUBMIT_STRING);
    try_everywhere(HOLD, QUIET);
}
END_TEST

START_TEST(U13_no_undo_and_redo_from_inside)
{
    try_everywhere(UNDO, REDO);
}
END_TEST

START_TEST(U13_no_walk_through_history_from_inside)
{
    try_everywhere(SEEK, SEEK);
    try_everywhere(VERIFY, STATE_AT);
}
END_TEST

START_TEST(M08_X03_no_question_what_may_be_played_in_the_rules)
{
    try_everywhere(ASK, ASK);
}
END_TEST

START_TEST(P05_no_transaction_ends_or_begins_from_inside)
{
    try_everywhere(SEARCH, ROLL_BACK);
}
END_TEST

START_TEST(T09_no_run_save_or_listener_from_inside)
{
    try_everywhere(RUN, REMOVE);
}
END_TEST

// A listener is called during undo, redo, roll-back, too.
START_TEST(T06_a_listener_that_meddles_with_an_undo_is_reported)
{
    for (int what = 0; what < WHATS; what++) {
        if (allowed(what, IN_LISTENER))
            continue;
        for (int way = 0; way < 3; way++) {
            meddler meddler = {NULL, what};
            kifu_timeline *cards = meddler.timeline = cards_new(NULL);
            if (way == 2)
                must(cards, kifu_begin(cards, 0));
            cards_submit_p_any(cards, 0, 1);
            must(cards, kifu_run(cards));
            if (way == 1)
                must(cards, kifu_undo(cards));
            must(cards, kifu_observe(cards, &(kifu_observer){.listen = meddle_in_listener,
                                                             KIFU_PART(cards_state, life),
                                                             .context = &meddler}));
            kifu_result result = way == 0 ? kifu_undo(cards) : way == 1 ? kifu_redo(cards) : kifu_roll_back(cards);
            if (result != KIFU_MISUSE && !(what == FORK && !result))
                ck_abort_msg("%s: %s", calls[what].name, kifu_result_text(result));
            ck_assert_int_eq(cards_get_state(cards)->life[0], way == 1 ? 19 : 20); // it happened all the same
            ck_assert_int_eq(cards_get_state(cards)->life[1], 20);
            ck_assert_uint_eq(kifu_event_count(cards), way == 1 ? 3 : 2);
            ck_assert_uint_eq(kifu_pending_count(cards), 0);
            ck_assert_uint_eq(kifu_open_transactions(cards), 0);
            must(cards, kifu_remove_observers(cards, &meddler));
            must(cards, kifu_run(cards));
            kifu_destroy(cards);
        }
    }
}
END_TEST

static kifu_result do_that_begins(void *context, kifu_timeline *timeline, const cards_p_any *any)
{
    (void)any;
    const meddler *it = context;
    must_be_refused(timeline, kifu_begin(timeline, it->what == SEARCH ? KIFU_SEARCH : KIFU_DEFERRED), it->what);
    return KIFU_OK;
}

START_TEST(P05_searches_and_deferred_transactions_are_for_outside)
{
    for (int what = SEARCH; what <= DEFERRED; what += DEFERRED - SEARCH) {
        meddler meddler = {NULL, what};
        cards_hooks hooks = {.context = &meddler, .in_do = do_that_begins};
        kifu_timeline *cards = cards_new(&(kifu_options){.user = &hooks});
        cards_submit_p_any(cards, 0, 1);
        ck_assert_int_eq(kifu_run(cards), KIFU_MISUSE);
        ck_assert_uint_eq(kifu_event_count(cards), 2);
        ck_assert_uint_eq(kifu_open_transactions(cards), 0);
        kifu_destroy(cards);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        P03_what_triggers_submit_is_in_the_log_and_not_submitted_again,
        T05_a_failing_trigger_takes_its_event_back,
        T06_no_view_and_no_rule_changes_the_model_but_do,
        P04_listeners_may_not_submit_nor_triggers_touch_the_view,
        U13_no_undo_and_redo_from_inside,
        U13_no_walk_through_history_from_inside,
        M08_X03_no_question_what_may_be_played_in_the_rules,
        P05_no_transaction_ends_or_begins_from_inside,
        T09_no_run_save_or_listener_from_inside,
        T06_a_listener_that_meddles_with_an_undo_is_reported,
        P05_searches_and_deferred_transactions_are_for_outside,
    };
    return run_suite("called_from_inside", tests, sizeof tests / sizeof *tests);
}
