// What a card game needs of transactions: illegal actions taken back, costs paid in steps, vetoes.

#include "cards_help.h"
#include "suite.h"

// What a listener heard of a life total: "life0 20>18+ " forward, "life0 18>20- " backward.
static char heard[2000];

static void hear_life(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)timeline;
    (void)state;
    size_t used = strlen(heard);
    snprintf(heard + used, sizeof heard - used, "%s %d>%d%c ", (const char *)context, *(const int32_t *)change->before,
             *(const int32_t *)change->after, change->undone ? '-' : '+');
}

static void hear_tapped(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)timeline;
    (void)state;
    size_t used = strlen(heard);
    snprintf(heard + used, sizeof heard - used, "%s %d>%d%c ", (const char *)context, *(const bool *)change->before,
             *(const bool *)change->after, change->undone ? '-' : '+');
}

static void hear_all(kifu_timeline *cards)
{
    heard[0] = '\0';
    must(cards, kifu_observe(
                    cards, &(kifu_observer){.listen = hear_life, KIFU_PART(cards_state, life[0]), .context = "life0"}));
    must(cards, kifu_observe(
                    cards, &(kifu_observer){.listen = hear_life, KIFU_PART(cards_state, life[1]), .context = "life1"}));
    must(cards, kifu_observe(cards, &(kifu_observer){
                                        .listen = hear_tapped, KIFU_PART(cards_state, tapped[4]), .context = "land4"}));
    must(cards, kifu_observe(cards, &(kifu_observer){
                                        .listen = hear_tapped, KIFU_PART(cards_state, tapped[0]), .context = "land0"}));
}

// Whoever loses life draws a card.
static kifu_result draw_for_pain(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                                 const kifu_change *change)
{
    (void)state;
    (void)event;
    ++*(unsigned *)context;
    if (*(const int32_t *)change->after < *(const int32_t *)change->before)
        cards_submit_e_draw(timeline);
    return KIFU_OK;
}

static void hear_redraw(void *context, kifu_timeline *timeline)
{
    (void)context;
    (void)timeline;
    strcat(heard, "redraw ");
}

START_TEST(P06_an_illegal_action_is_taken_back_whole)
{
    const cards_view view = {.base = {.redraw = hear_redraw}};
    const kifu_options options = {.view = &view.base};
    kifu_timeline *cards = cards_new(&options);
    unsigned triggered = 0;
    must(cards,
         kifu_observe(cards, &(kifu_observer){
                                 .trigger = draw_for_pain, KIFU_PART(cards_state, life[0]), .context = &triggered}));
    hear_all(cards);
    uint64_t hash = kifu_state_hash(cards);
    must(cards, kifu_begin(cards, 0));
    const uint8_t attackers[] = {4, 0};
    cards_submit_p_attack(cards, 1, attackers, 2);
    cards_submit_e_roll(cards);
    must(cards, kifu_run(cards));
    ck_assert_str_eq(cards_table(cards), "19 19 m0 0 tT...T... h1");
    ck_assert_uint_eq(triggered, 2);
    // Of two attackers of both players: not legal.
    must(cards, kifu_roll_back(cards));
    ck_assert_str_eq(cards_table(cards), "20 20 m0 0 t........ h0");
    ck_assert_uint_eq(kifu_state_hash(cards), hash);
    ck_assert_uint_eq(kifu_event_count(cards), 2);
    ck_assert_uint_eq(kifu_pending_count(cards), 0);
    ck_assert_uint_eq(triggered, 2); // no ability of a player that gained life by it
    ck_assert_str_eq(heard, "land4 0>1+ land0 0>1+ life0 20>18+ life1 20>21+ life1 21>19+ life0 18>19+ "
                            "life0 19>18- life1 19>21- life1 21>20- life0 18>20- land4 1>0- land0 1>0- redraw ");
    kifu_destroy(cards);
}
END_TEST

static unsigned costs_paid;

static kifu_result pay(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)context;
    (void)state;
    ck_assert_int_eq(kifu_player(timeline), event->player);
    costs_paid++;
    cards_submit_e_gain_life(timeline, 1, 1);
    return KIFU_OK;
}

START_TEST(P07_a_cost_in_steps_can_be_cancelled)
{
    kifu_timeline *cards = cards_new(NULL);
    must(cards, kifu_observe(cards, &(kifu_observer){.react = pay, .type = CARDS_P_TAP}));
    hear_all(cards);
    costs_paid = 0;
    must(cards, kifu_begin(cards, KIFU_DEFERRED));
    cards_submit_p_tap(cards, 0, 0);
    must(cards, kifu_run(cards));
    cards_submit_p_tap(cards, 1, 4);
    must(cards, kifu_run(cards));
    ck_assert_str_eq(heard, "land0 0>1+ land4 0>1+ "); // each step is seen
    ck_assert_uint_eq(costs_paid, 0);                  // nothing is paid
    must(cards, kifu_roll_back(cards));
    ck_assert_str_eq(heard, "land0 0>1+ land4 0>1+ land4 1>0- land0 1>0- ");
    must(cards, kifu_run(cards));
    ck_assert_uint_eq(costs_paid, 0);
    ck_assert_uint_eq(kifu_event_count(cards), 2);

    must(cards, kifu_begin(cards, KIFU_DEFERRED));
    cards_submit_p_tap(cards, 0, 0);
    cards_submit_p_tap(cards, 1, 4);
    must(cards, kifu_run(cards));
    must(cards, kifu_commit(cards));
    ck_assert_uint_eq(costs_paid, 2);
    ck_assert_uint_eq(kifu_pending_count(cards), 2); // they wait for the next run
    ck_assert_uint_eq(kifu_event_count(cards), 4);
    must(cards, kifu_run(cards));
    ck_assert_str_eq(cards_table(cards), "20 22 m1 1 tT...T... h0");
    kifu_event event;
    ck_assert(kifu_event_at(cards, 4, &event));
    ck_assert_uint_eq(event.cause, 2);
    ck_assert(kifu_event_at(cards, 5, &event));
    ck_assert_uint_eq(event.cause, 3);
    must(cards, kifu_undo(cards)); // one chain, with what followed
    ck_assert_str_eq(cards_table(cards), "20 20 m0 0 t........ h0");
    must(cards, kifu_redo(cards));
    ck_assert_uint_eq(costs_paid, 2);
    ck_assert_str_eq(cards_table(cards), "20 22 m1 1 tT...T... h0");
    kifu_destroy(cards);
}
END_TEST

START_TEST(P07_a_cost_inside_a_cost_waits_for_both)
{
    kifu_timeline *cards = cards_new(NULL);
    must(cards, kifu_observe(cards, &(kifu_observer){.react = pay, .type = CARDS_P_TAP}));
    costs_paid = 0;
    must(cards, kifu_begin(cards, KIFU_DEFERRED));
    must(cards, kifu_begin(cards, KIFU_DEFERRED));
    cards_submit_p_tap(cards, 0, 0);
    must(cards, kifu_run(cards));
    must(cards, kifu_commit(cards));
    ck_assert_uint_eq(costs_paid, 0);
    must(cards, kifu_commit(cards));
    ck_assert_uint_eq(costs_paid, 1);
    ck_assert_uint_eq(kifu_pending_count(cards), 1);
    kifu_destroy(cards);
}
END_TEST

START_TEST(P07_transactions_inside_a_cost_wait_for_it)
{
    kifu_timeline *cards = cards_new(NULL);
    must(cards, kifu_observe(cards, &(kifu_observer){.react = pay, .type = CARDS_P_TAP}));
    costs_paid = 0;
    must(cards, kifu_begin(cards, KIFU_DEFERRED));
    must(cards, kifu_begin(cards, 0));
    cards_submit_p_tap(cards, 0, 0);
    must(cards, kifu_run(cards));
    must(cards, kifu_commit(cards));
    ck_assert_uint_eq(costs_paid, 0);
    must(cards, kifu_begin(cards, 0));
    cards_submit_p_tap(cards, 0, 1);
    must(cards, kifu_run(cards));
    must(cards, kifu_roll_back(cards));
    cards_submit_p_tap(cards, 0, 2);
    must(cards, kifu_run(cards));
    cards_submit_p_tap(cards, 0, 3);
    must(cards, kifu_run(cards));
    must(cards, kifu_undo(cards)); // it is not to be paid
    ck_assert_uint_eq(costs_paid, 0);
    must(cards, kifu_commit(cards));
    ck_assert_uint_eq(costs_paid, 2);
    must(cards, kifu_begin(cards, 0)); // a plain one does not wait
    cards_submit_p_tap(cards, 0, 3);
    must(cards, kifu_run(cards));
    ck_assert_uint_eq(costs_paid, 3);
    must(cards, kifu_begin(cards, KIFU_DEFERRED));
    cards_submit_p_tap(cards, 1, 4);
    must(cards, kifu_run(cards));
    ck_assert_uint_eq(costs_paid, 3);
    must(cards, kifu_commit(cards));
    ck_assert_uint_eq(costs_paid, 4);
    must(cards, kifu_roll_back(cards));
    ck_assert_str_eq(cards_table(cards), "20 20 m2 0 tT.T..... h0");
    ck_assert_uint_eq(kifu_pending_count(cards), 2);
    kifu_destroy(cards);
}
END_TEST

static char order[200];

static kifu_result note_event(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)timeline;
    (void)state;
    size_t used = strlen(order);
    snprintf(order + used, sizeof order - used, "%s%u ", (const char *)context, event->index);
    cards_submit_e_lose_life(timeline, 0, (int)event->index);
    return KIFU_OK;
}

static kifu_result note_change(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                               const kifu_change *change)
{
    (void)timeline;
    (void)state;
    size_t used = strlen(order);
    snprintf(order + used, sizeof order - used, "%s%u:%u>%u ", (const char *)context, event->index,
             *(const uint8_t *)change->before, *(const uint8_t *)change->after);
    ck_assert_uint_eq(change->event, event->index);
    ck_assert(!change->undone);
    return KIFU_OK;
}

static kifu_result fail_at_last(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                                const kifu_change *change)
{
    (void)context;
    (void)state;
    (void)event;
    return *(const uint8_t *)change->after == 3 ? kifu_fail(timeline, "too much mana") : KIFU_OK;
}

START_TEST(P07_what_waited_runs_in_the_order_of_the_events)
{
    kifu_timeline *cards = cards_new(NULL);
    must(cards, kifu_observe(cards, &(kifu_observer){.react = note_event, .type = CARDS_P_TAP, .context = "any"}));
    must(cards, kifu_observe(cards, &(kifu_observer){
                                        .trigger = note_change, KIFU_PART(cards_state, mana[0]), .context = "mana"}));
    must(cards,
         kifu_observe(cards,
                      &(kifu_observer){
                          .react = note_event, .type = CARDS_P_TAP, .rank = KIFU_RANK_INTERNAL, .context = "first"}));
    order[0] = '\0';
    must(cards, kifu_begin(cards, KIFU_DEFERRED));
    for (uint8_t i = 0; i < 3; i++)
        cards_submit_p_tap(cards, 0, i);
    must(cards, kifu_run(cards));
    ck_assert_str_eq(order, "");
    must(cards, kifu_commit(cards));
    ck_assert_str_eq(order, "first2 any2 mana2:0>1 first3 any3 mana3:1>2 first4 any4 mana4:2>3 ");
    must(cards, kifu_run(cards));
    ck_assert_int_eq(cards_get_state(cards)->life[0], 20 - 2 * (2 + 3 + 4));
    kifu_destroy(cards);
}
END_TEST

START_TEST(P07_one_that_fails_at_the_commit_leaves_all_open)
{
    kifu_timeline *cards = cards_new(NULL);
    must(cards, kifu_observe(cards, &(kifu_observer){.react = note_event, .type = CARDS_P_TAP, .context = "any"}));
    must(cards, kifu_observe(cards, &(kifu_observer){.trigger = fail_at_last, KIFU_PART(cards_state, mana[0])}));
    must(cards, kifu_begin(cards, KIFU_DEFERRED));
    for (uint8_t i = 0; i < 3; i++)
        cards_submit_p_tap(cards, 0, i);
    must(cards, kifu_run(cards));
    cards_submit_e_roll(cards);
    uint64_t hash = kifu_state_hash(cards);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(kifu_commit(cards), KIFU_FAILED);
        must_say(cards, "too much mana");
        ck_assert_uint_eq(kifu_last_error(cards)->event, 4);
        ck_assert_uint_eq(kifu_open_transactions(cards), 1);
        ck_assert_uint_eq(kifu_pending_count(cards), 1); // what the others submitted is gone
        ck_assert_uint_eq(kifu_event_count(cards), 5);
        ck_assert_uint_eq(kifu_state_hash(cards), hash);
    }
    order[0] = '\0';
    must(cards, kifu_undo(cards)); // the third; what is left can be committed
    must(cards, kifu_commit(cards));
    ck_assert_str_eq(order, "any2 any3 ");
    ck_assert_uint_eq(kifu_pending_count(cards), 2);
    must(cards, kifu_run(cards));
    must(cards, kifu_undo(cards));
    ck_assert_uint_eq(kifu_event_count(cards), 2);
    kifu_destroy(cards);
}
END_TEST

static kifu_result edit_in_reaction(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)state;
    (void)event;
    cards_submit_e_roll(timeline);
    if (*(const bool *)context)
        *cards_edit_life(timeline, 1) = 99;
    return KIFU_OK;
}

START_TEST(P07_one_that_is_misused_at_the_commit_leaves_all_open)
{
    bool misuse = true;
    kifu_timeline *cards = cards_new(NULL);
    must(cards,
         kifu_observe(cards, &(kifu_observer){.react = edit_in_reaction, .type = CARDS_P_TAP, .context = &misuse}));
    must(cards, kifu_begin(cards, KIFU_DEFERRED));
    cards_submit_p_tap(cards, 0, 0);
    cards_submit_p_tap(cards, 0, 1);
    must(cards, kifu_run(cards));
    ck_assert_int_eq(kifu_commit(cards), KIFU_MISUSE);
    must_say(cards, "edited in a reaction");
    ck_assert_str_eq(cards_table(cards), "20 20 m2 0 tTT...... h0");
    ck_assert_uint_eq(kifu_open_transactions(cards), 1);
    ck_assert_uint_eq(kifu_pending_count(cards), 0);
    misuse = false;
    must(cards, kifu_commit(cards));
    ck_assert_uint_eq(kifu_pending_count(cards), 2);
    must(cards, kifu_run(cards));
    ck_assert_uint_eq(kifu_can_undo(cards, NULL), 4);
    kifu_destroy(cards);
}
END_TEST

// With a listener events are taken back one by one, to tell it of each.
static void must_ask_going_forward_only(bool with_listener)
{
    cards_hooks hooks = {0};
    kifu_options options = {.user = &hooks};
    kifu_timeline *cards = cards_new(&options);
    if (with_listener)
        hear_all(cards);
    cards_submit_p_any(cards, 0, 5); // loses life
    must(cards, kifu_run(cards));
    const uint8_t attackers[] = {4};
    cards_submit_p_attack(cards, 1, attackers, 1); // 2 lost by 0, 1 gained by 1
    must(cards, kifu_run(cards));
    ck_assert_str_eq(cards_table(cards), "13 21 m0 0 t....T... h0");
    kifu_ticket ticket = cards_submit_e_forbid(cards, true);
    must(cards, kifu_override(cards, ticket, true, false));
    must(cards, kifu_begin(cards, 0));
    cards_submit_p_attack(cards, 1, attackers, 1);
    must(cards, kifu_run(cards));
    ck_assert_str_eq(cards_table(cards), "11 21 m0 0 t....T... h0"); // nobody can gain life
    ck_assert_uint_eq(hooks.checks, 2);
    must(cards, kifu_roll_back(cards)); // but what was lost comes back
    ck_assert_str_eq(cards_table(cards), "13 21 m0 0 t....T... h0");
    ck_assert_uint_eq(hooks.checks, 2);
    must(cards, kifu_run(cards));
    cards_submit_p_any(cards, 0, 4);
    must(cards, kifu_run(cards));
    ck_assert_str_eq(cards_table(cards), "9 21 m0 0 t....T... h0");
    must(cards, kifu_undo(cards));
    ck_assert_str_eq(cards_table(cards), "13 21 m0 0 t....T... h0");
    must(cards, kifu_undo(cards)); // the rule
    must(cards, kifu_undo(cards)); // the attack: a gain is taken back, and was allowed
    must(cards, kifu_undo(cards));
    ck_assert_str_eq(cards_table(cards), "20 20 m0 0 t........ h0");
    for (int i = 0; i < 3; i++)
        must(cards, kifu_redo(cards)); // nor when it happens again
    ck_assert_str_eq(cards_table(cards), "13 21 m0 0 t....T... h0");
    ck_assert_uint_eq(hooks.checks, 2);
    kifu_destroy(cards);
}

START_TEST(P08_a_veto_is_asked_going_forward_only)
{
    must_ask_going_forward_only(false);
    must_ask_going_forward_only(true);
}
END_TEST

// --- What is undone or copied before the commit ----------------------------------------------------------------------

// Each mana of player 0 costs a life.
static kifu_result burn(void *context, kifu_timeline *cards, const void *state, const kifu_event *event,
                        const kifu_change *change)
{
    (void)context, (void)state, (void)event;
    const uint8_t *before = change->before, *after = change->after;
    cards_submit_e_lose_life(cards, 0, *after - *before);
    return KIFU_OK;
}

static kifu_result prepare_costs(kifu_timeline *cards)
{
    kifu_result result = kifu_observe(cards, &(kifu_observer){.react = pay, .type = CARDS_P_TAP});
    return result ? result : kifu_observe(cards, &(kifu_observer){.trigger = burn, KIFU_PART(cards_state, mana[0])});
}

static void tap(kifu_timeline *cards, uint8_t land)
{
    cards_submit_p_tap(cards, 0, land);
    must(cards, kifu_run(cards));
}

static const kifu_options with_costs = {.prepare = prepare_costs};

START_TEST(F17_a_commit_ends_the_redo_of_what_nothing_reacted_to)
{
    kifu_timeline *cards = cards_new(&with_costs);
    must(cards, kifu_begin(cards, KIFU_DEFERRED));
    tap(cards, 0);
    tap(cards, 1);
    must(cards, kifu_undo(cards));
    must(cards, kifu_commit(cards));
    ck_assert_int_eq(kifu_redo(cards), KIFU_NOTHING_TO_REDO);
    must(cards, kifu_run(cards));
    ck_assert_str_eq(cards_table(cards), "19 21 m1 0 tT....... h0");
    must(cards, kifu_verify_replay(cards, NULL));
    must(cards, kifu_undo(cards)); // What stood can be redone, with all that followed.
    must(cards, kifu_redo(cards));
    ck_assert_str_eq(cards_table(cards), "19 21 m1 0 tT....... h0");

    // What was redone before the commit is paid.
    must(cards, kifu_begin(cards, KIFU_DEFERRED));
    must(cards, kifu_begin(cards, KIFU_DEFERRED));
    tap(cards, 1);
    must(cards, kifu_undo(cards));
    must(cards, kifu_commit(cards));
    must(cards, kifu_redo(cards));
    must(cards, kifu_commit(cards));
    must(cards, kifu_run(cards));
    ck_assert_str_eq(cards_table(cards), "18 22 m2 0 tTT...... h0");

    // Where nothing stays, all that could be redone before can be again.
    tap(cards, 2);
    must(cards, kifu_undo(cards));
    must(cards, kifu_begin(cards, KIFU_DEFERRED));
    tap(cards, 3);
    must(cards, kifu_undo(cards));
    must(cards, kifu_commit(cards));
    must(cards, kifu_redo(cards));
    ck_assert_str_eq(cards_table(cards), "17 23 m3 0 tTTT..... h0");
    must(cards, kifu_verify_replay(cards, NULL));
    kifu_destroy(cards);
}
END_TEST

START_TEST(F17_a_fork_inside_reacts_to_what_waits_for_the_commit)
{
    for (int way = 0; way < 3; way++) {
        kifu_options options = with_costs;
        options.sync_test = way == 1 ? kifu_sync_test : NULL;
        kifu_timeline *cards = cards_new(&options);
        must(cards, kifu_begin(cards, 0));
        tap(cards, 3); // Reacted to at once.
        must(cards, kifu_begin(cards, KIFU_DEFERRED));
        tap(cards, 0);
        tap(cards, 4);
        cards_submit_p_tap(cards, 1, 5);
        if (way == 2) {
            must(cards, kifu_run(cards));
            must(cards, kifu_begin(cards, 0));
            cards_submit_p_tap(cards, 1, 6);
        }
        costs_paid = 0;
        kifu_timeline *fork = fork_of(cards, KIFU_PRESENT, NULL);
        ck_assert_uint_eq(costs_paid, way == 2 ? 3 : 2);
        ck_assert_uint_eq(kifu_pending_count(fork), way == 2 ? 5 : 4);
        ck_assert_uint_eq(kifu_event_count(fork), kifu_event_count(cards));
        ck_assert_mem_eq(cards_get_state(fork), cards_get_state(cards), sizeof(cards_state));
        if (way == 2)
            must(cards, kifu_commit(cards));
        must(cards, kifu_commit(cards));
        must(cards, kifu_commit(cards));
        must(cards, kifu_run(cards));
        must(fork, kifu_run(fork));
        ck_assert_mem_eq(cards_get_state(fork), cards_get_state(cards), sizeof(cards_state));
        ck_assert_uint_eq(kifu_event_count(fork), kifu_event_count(cards));
        must(fork, kifu_verify_replay(fork, NULL));
        kifu_destroy(fork);
        kifu_destroy(cards);
    }
}
END_TEST

static kifu_result fail_to_pay(void *context, kifu_timeline *cards, const void *state, const kifu_event *event)
{
    (void)context, (void)state, (void)event;
    return kifu_fail(cards, "too dear");
}

static kifu_result prepare_failure(kifu_timeline *cards)
{
    return kifu_observe(cards, &(kifu_observer){.react = fail_to_pay, .type = CARDS_P_TAP});
}

START_TEST(F17_where_a_reaction_fails_there_is_no_fork)
{
    const kifu_options options = {.prepare = prepare_failure};
    kifu_timeline *cards = cards_new(&options), *fork;
    must(cards, kifu_begin(cards, KIFU_DEFERRED));
    tap(cards, 0);
    kifu_error error;
    ck_assert_int_eq(kifu_fork(cards, KIFU_PRESENT, NULL, &fork, &error), KIFU_FAILED);
    ck_assert_ptr_null(fork);
    ck_assert_str_eq(error.message, "there is no fork, because a reaction to event 2 failed: too dear");
    fork = fork_of(cards, 2, NULL); // The past has nothing waiting.
    kifu_destroy(fork);
    must(cards, kifu_roll_back(cards));
    kifu_destroy(cards);
}
END_TEST

static kifu_result count_change(void *context, kifu_timeline *cards, const void *state, const kifu_event *event,
                                const kifu_change *change)
{
    (void)context, (void)cards, (void)state, (void)event;
    const int32_t *before = change->before, *after = change->after;
    costs_paid += *before - *after == 1;
    return KIFU_OK;
}

static kifu_result prepare_count(kifu_timeline *cards)
{
    return kifu_observe(cards, &(kifu_observer){.trigger = count_change, KIFU_PART(cards_state, life[0])});
}

START_TEST(F17_a_fork_reacts_to_more_events_than_the_journal_keeps)
{
    const kifu_options options = {.prepare = prepare_count, .quiet = true};
    kifu_timeline *cards = cards_new(&options);
    must(cards, kifu_begin(cards, KIFU_DEFERRED));
    for (int i = 0; i < 5000; i++)
        cards_submit_p_any(cards, 0, 1);
    must(cards, kifu_run(cards));
    costs_paid = 0;
    kifu_timeline *fork = fork_of(cards, KIFU_PRESENT, NULL);
    ck_assert_uint_eq(costs_paid, 5000);
    ck_assert_int_eq(cards_get_state(fork)->life[0], 20 - 5000);
    kifu_destroy(fork);
    kifu_destroy(cards);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        P06_an_illegal_action_is_taken_back_whole,
        P07_a_cost_in_steps_can_be_cancelled,
        P07_a_cost_inside_a_cost_waits_for_both,
        P07_transactions_inside_a_cost_wait_for_it,
        P07_what_waited_runs_in_the_order_of_the_events,
        P07_one_that_fails_at_the_commit_leaves_all_open,
        P07_one_that_is_misused_at_the_commit_leaves_all_open,
        P08_a_veto_is_asked_going_forward_only,
        F17_a_commit_ends_the_redo_of_what_nothing_reacted_to,
        F17_a_fork_inside_reacts_to_what_waits_for_the_commit,
        F17_where_a_reaction_fails_there_is_no_fork,
        F17_a_fork_reacts_to_more_events_than_the_journal_keeps,
    };
    return run_suite("costs", tests, sizeof tests / sizeof *tests);
}
