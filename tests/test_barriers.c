// What undo may not pass: luck that was seen, cards that were shown. And what takes no notice of that.

#include "cards_help.h"
#include "history_help.h"
#include "lab_help.h"
#include "suite.h"

static const uint64_t seed = 11;

static void roll(kifu_timeline *cards, cards_how how)
{
    cards_submit_p_roll(cards, 0, how);
    must(cards, kifu_run(cards));
}

static void tap(kifu_timeline *cards, uint8_t land)
{
    cards_submit_p_tap(cards, 0, land);
    must(cards, kifu_run(cards));
}

static uint8_t flags_of(const kifu_timeline *timeline, uint32_t event)
{
    kifu_event it;
    ck_assert(kifu_event_at(timeline, event, &it));
    return it.flags;
}

// Undo is refused because of event `event`, which `why` describes; nothing changes.
static void must_be_refused(kifu_timeline *cards, kifu_result result, uint32_t event, const char *why)
{
    uint64_t hash = kifu_state_hash(cards);
    uint32_t count = kifu_event_count(cards);
    kifu_error error;
    ck_assert_uint_eq(kifu_can_undo(cards, &error), 0);
    ck_assert_int_eq(error.result, result);
    ck_assert_uint_eq(error.event, event);
    ck_assert_msg(strstr(error.message, why) != NULL, "'%s' is not in '%s'", why, error.message);
    ck_assert_int_eq(kifu_undo(cards), result);
    must_say(cards, why);
    ck_assert_uint_eq(kifu_state_hash(cards), hash);
    ck_assert_uint_eq(kifu_event_count(cards), count);
}

static void must_stand(kifu_timeline *cards, uint32_t event, const char *why)
{
    must_be_refused(cards, KIFU_NOT_UNDOABLE, event, why);
}

static void must_not_begin(kifu_timeline *cards, uint32_t event, const char *why)
{
    must_be_refused(cards, KIFU_NOTHING_TO_UNDO, event, why);
}

START_TEST(U11_unless_random_is_undoable_when_nothing_was_drawn)
{
    kifu_timeline *cards = cards_new(NULL);
    roll(cards, CARDS_HOW_NOT);
    ck_assert_uint_eq(flags_of(cards, 2), KIFU_UNDOABLE | KIFU_UNLESS_RANDOM);
    ck_assert_uint_eq(kifu_can_undo(cards, NULL), 1);
    must(cards, kifu_undo(cards));
    ck_assert_uint_eq(kifu_event_count(cards), 2);
    must(cards, kifu_redo(cards));
    must(cards, kifu_undo(cards));
    kifu_destroy(cards);
}
END_TEST

START_TEST(U11_unless_random_is_not_undoable_after_a_draw)
{
    kifu_timeline *cards = cards_new(NULL);
    roll(cards, CARDS_HOW_ITSELF);
    ck_assert_uint_eq(flags_of(cards, 2), KIFU_UNDOABLE | KIFU_UNLESS_RANDOM | KIFU_RANDOM);
    must_stand(cards, 2, "random");
    must_stand(cards, 2, "cards.PRoll");
    kifu_destroy(cards);

    cards = cards_new(NULL); // a consequence drew
    roll(cards, CARDS_HOW_BY_EVENT);
    ck_assert_uint_eq(flags_of(cards, 2), KIFU_UNDOABLE | KIFU_UNLESS_RANDOM);
    ck_assert_uint_eq(flags_of(cards, 3), KIFU_UNDOABLE | KIFU_CONTINUE_UNDO | KIFU_RANDOM);
    kifu_error error;
    ck_assert_uint_eq(kifu_can_undo(cards, &error), 0);
    ck_assert_msg(strstr(error.message, "random") != NULL, "%s", error.message);
    ck_assert_int_eq(kifu_undo(cards), KIFU_NOT_UNDOABLE);
    kifu_destroy(cards);
}
END_TEST

START_TEST(U11_each_chain_is_judged_by_itself)
{
    kifu_timeline *cards = cards_new(NULL);
    roll(cards, CARDS_HOW_ITSELF);
    roll(cards, CARDS_HOW_NOT);
    tap(cards, 1);
    must(cards, kifu_undo(cards));
    must(cards, kifu_undo(cards));
    must_stand(cards, 2, "random");
    kifu_destroy(cards);
}
END_TEST

// Other events may be undone with what they drew: the same comes again.
START_TEST(U11_only_who_asks_is_held_back_by_luck)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_submit_e_initialize(lab, SEEDED(seed));
    must(lab, kifu_run(lab));
    ck_assert(flags_of(lab, 0) & KIFU_RANDOM); // it seeded them
    must(lab, lab_play(lab, "r(r)"));
    ck_assert_uint_eq(flags_of(lab, 1), KIFU_UNDOABLE | KIFU_RANDOM);
    ck_assert_uint_eq(flags_of(lab, 2), KIFU_UNDOABLE | KIFU_CONTINUE_UNDO | KIFU_RANDOM);
    lab_picture picture = lab_look(lab);
    must(lab, kifu_undo(lab));
    must(lab, lab_play(lab, "r(r)"));
    lab_same(lab, &picture);
    must(lab, lab_play(lab, "+"));
    ck_assert_uint_eq(flags_of(lab, 3), KIFU_UNDOABLE);
    kifu_destroy(lab);
}
END_TEST

START_TEST(U11_what_was_revealed_stays)
{
    kifu_timeline *cards = cards_new(NULL);
    tap(cards, 0);
    cards_submit_p_draw(cards, 0, &(cards_p_draw_args){.count = 2});
    must(cards, kifu_run(cards));
    ck_assert(flags_of(cards, 4) & KIFU_REVEALS);
    must_stand(cards, 5, "reveal");
    must_stand(cards, 5, "cards.EDraw");
    tap(cards, 1);
    must(cards, kifu_undo(cards));
    must_stand(cards, 5, "reveal");
    kifu_destroy(cards);
}
END_TEST

START_TEST(U11_do_may_reveal)
{
    kifu_timeline *cards = cards_new(NULL);
    cards_submit_p_peek(cards, 0, false);
    must(cards, kifu_run(cards));
    ck_assert_uint_eq(flags_of(cards, 2), KIFU_UNDOABLE);
    must(cards, kifu_undo(cards));
    kifu_ticket ticket = cards_submit_p_peek(cards, 0, true);
    must(cards, kifu_override(cards, ticket, true, false)); // before Do has its say
    must(cards, kifu_run(cards));
    ck_assert_uint_eq(flags_of(cards, 2), KIFU_UNDOABLE | KIFU_REVEALS);
    must_stand(cards, 2, "reveal");
    must_stand(cards, 2, "cards.PPeek");
    kifu_destroy(cards);
}
END_TEST

START_TEST(U11_an_override_lifts_the_barrier_of_one_instance)
{
    kifu_timeline *cards = cards_new(NULL);
    kifu_ticket ticket = cards_submit_p_roll(cards, 0, CARDS_HOW_ITSELF);
    must(cards, kifu_override(cards, ticket, true, false));
    must(cards, kifu_run(cards));
    ck_assert_uint_eq(flags_of(cards, 2), KIFU_UNDOABLE | KIFU_RANDOM);
    must(cards, kifu_undo(cards));

    tap(cards, 0);
    ticket = cards_submit_e_draw(cards);
    must(cards, kifu_override(cards, ticket, true, true));
    must(cards, kifu_run(cards));
    ck_assert_uint_eq(flags_of(cards, 3), KIFU_UNDOABLE | KIFU_CONTINUE_UNDO);
    ck_assert_uint_eq(kifu_can_undo(cards, NULL), 2);
    must(cards, kifu_undo(cards));

    ticket = cards_submit_p_roll(cards, 0, CARDS_HOW_NOT);
    must(cards, kifu_override(cards, ticket, false, false));
    must(cards, kifu_run(cards));
    must_stand(cards, 2, "cards.PRoll");
    kifu_destroy(cards);
}
END_TEST

static kifu_result reveals(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)context;
    (void)state;
    (void)event;
    kifu_reveal(timeline);
    return KIFU_OK;
}

static void reveals_in_check(void *context, kifu_timeline *timeline)
{
    (void)context;
    kifu_reveal(timeline);
}

static double reveals_in_act(void *context, kifu_timeline *timeline, const cards_state *state, const cards_p_any *any,
                             const cards_p_any_transient *transient)
{
    (void)timeline;
    (void)state;
    (void)any;
    (void)transient;
    kifu_reveal(*(kifu_timeline **)context);
    return 0;
}

START_TEST(U11_only_do_may_reveal)
{
    kifu_timeline *cards;
    cards_hooks hooks = {0};
    cards_view view = {.base = {.context = &cards}};
    kifu_options options = {.user = &hooks, .view = &view.base};
    cards = cards_new(&options);
    kifu_reveal(cards);
    ck_assert_int_eq(kifu_run(cards), KIFU_MISUSE);
    must_say(cards, "kifu_reveal");
    for (int place = 0; place < 3; place++) {
        hooks.in_check = place == 0 ? reveals_in_check : NULL;
        if (place == 1)
            must(cards, kifu_observe(cards, &(kifu_observer){.react = reveals, .type = CARDS_P_ANY, .context = &view}));
        view.act_p_any = place == 2 ? reveals_in_act : NULL;
        cards_submit_p_any(cards, 0, 1);
        ck_assert_int_eq(kifu_run(cards), KIFU_MISUSE);
        must_say(cards, "kifu_reveal");
        must(cards, kifu_remove_observers(cards, &view));
        ck_assert_uint_eq(kifu_event_count(cards), place == 2 ? 3 : 2);
    }
    ck_assert_uint_eq(flags_of(cards, 2), KIFU_UNDOABLE);
    must(cards, kifu_undo(cards));
    kifu_destroy(cards);
}
END_TEST

// Events 2 to 9: a tap, and each kind of barrier.
static kifu_timeline *with_all_barriers(void)
{
    kifu_timeline *cards = cards_new(NULL);
    tap(cards, 0);
    roll(cards, CARDS_HOW_ITSELF);
    cards_submit_p_draw(cards, 0, &(cards_p_draw_args){.count = 1});
    must(cards, kifu_run(cards));
    roll(cards, CARDS_HOW_BY_EVENT);
    cards_submit_p_peek(cards, 0, true);
    must(cards, kifu_run(cards));
    kifu_ticket ticket = cards_submit_p_roll(cards, 0, CARDS_HOW_ITSELF);
    must(cards, kifu_override(cards, ticket, true, true)); // goes on to the one that revealed
    must(cards, kifu_run(cards));
    return cards;
}

START_TEST(U11_flags_survive_save_load_fork_and_seek)
{
    kifu_timeline *cards = with_all_barriers();
    uint32_t count = kifu_event_count(cards);
    ck_assert_uint_eq(count, 10);
    for (int way = 0; way < 4; way++) {
        kifu_timeline *again = way == 3  ? fork_of(cards, KIFU_PRESENT, NULL)
                               : way < 2 ? reload_fast(cards, NULL, way == 1)
                                         : fork_of(cards, count, NULL);
        must(again, kifu_seek(again, 1));
        must(again, kifu_seek(again, KIFU_PRESENT));
        for (uint32_t i = 0; i < count; i++)
            ck_assert_uint_eq(flags_of(again, i), flags_of(cards, i));
        must_stand(again, 8, "reveal");
        kifu_destroy(again);
    }
    for (uint32_t i = 3; i < count; i++) { // at each of them
        kifu_timeline *then = fork_of(cards, i, NULL), *saved = reload(then, NULL);
        kifu_error error, saved_error;
        ck_assert_uint_eq(kifu_can_undo(then, &error), kifu_can_undo(saved, &saved_error));
        ck_assert_uint_eq(kifu_can_undo(then, NULL), i == 3 || i == 5 || i == 7 ? 1 : 0);
        if (!kifu_can_undo(then, NULL))
            ck_assert_str_eq(error.message, saved_error.message);
        kifu_destroy(saved);
        kifu_destroy(then);
    }
    kifu_destroy(cards);
}
END_TEST

START_TEST(U11_flags_survive_undo_and_redo)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_submit_e_initialize(lab, SEEDED(seed));
    must(lab, kifu_run(lab));
    must(lab, lab_play(lab, "r"));
    must(lab, kifu_undo(lab));
    must(lab, kifu_redo(lab));
    ck_assert_uint_eq(flags_of(lab, 1), KIFU_UNDOABLE | KIFU_RANDOM);
    must(lab, kifu_undo(lab));
    kifu_timeline *loaded = reload(lab, NULL); // among what redo can bring back, too
    must(loaded, kifu_redo(loaded));
    ck_assert_uint_eq(flags_of(loaded, 1), KIFU_UNDOABLE | KIFU_RANDOM);
    kifu_destroy(loaded);
    must(lab, lab_play(lab, "+")); // in the same place
    ck_assert_uint_eq(flags_of(lab, 1), KIFU_UNDOABLE);
    kifu_destroy(lab);
}
END_TEST

START_TEST(U11_seek_and_roll_back_know_no_barrier)
{
    kifu_timeline *cards = cards_new(NULL);
    uint64_t start = kifu_state_hash(cards);
    for (int way = 0; way < 3; way++) {
        must(cards, kifu_begin(cards, way == 0 ? 0 : way == 1 ? KIFU_DEFERRED : KIFU_SEARCH));
        roll(cards, CARDS_HOW_ITSELF);
        cards_submit_p_draw(cards, 0, &(cards_p_draw_args){.count = 3});
        cards_submit_p_peek(cards, 0, true);
        cards_submit_e_reset_game(cards); // never undoable
        must(cards, kifu_run(cards));
        ck_assert_uint_eq(kifu_can_undo(cards, NULL), 0);
        must(cards, kifu_roll_back(cards));
        ck_assert_uint_eq(kifu_state_hash(cards), start);
        ck_assert_uint_eq(kifu_event_count(cards), 2);
    }
    roll(cards, CARDS_HOW_ITSELF);
    must(cards, kifu_seek(cards, 2));
    ck_assert_uint_eq(kifu_state_hash(cards), start);
    must(cards, kifu_seek(cards, 1)); // over EDeal
    must(cards, kifu_seek(cards, 0)); // over EInitialize
    kifu_destroy(cards);
}
END_TEST

START_TEST(U11_a_committed_transaction_is_judged_as_one_chain)
{
    kifu_timeline *cards = cards_new(NULL);
    must(cards, kifu_begin(cards, 0));
    tap(cards, 0);
    roll(cards, CARDS_HOW_NOT);
    cards_submit_e_roll(cards); // undoable by itself
    must(cards, kifu_run(cards));
    tap(cards, 1);
    must(cards, kifu_commit(cards));
    kifu_error error;
    ck_assert_uint_eq(kifu_can_undo(cards, &error), 0);
    ck_assert_msg(strstr(error.message, "random") != NULL, "%s", error.message);
    must(cards, kifu_begin(cards, 0));
    tap(cards, 2);
    roll(cards, CARDS_HOW_NOT);
    must(cards, kifu_commit(cards));
    ck_assert_uint_eq(kifu_can_undo(cards, NULL), 2);
    must(cards, kifu_undo(cards));
    must(cards, kifu_begin(cards, 0));
    tap(cards, 2);
    cards_submit_p_peek(cards, 0, true);
    must(cards, kifu_run(cards));
    tap(cards, 3);
    must(cards, kifu_commit(cards));
    must_stand(cards, 7, "reveal");
    kifu_destroy(cards);
}
END_TEST

START_TEST(U11_a_failed_do_leaves_no_flag)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_submit_e_initialize(lab, SEEDED(seed));
    must(lab, kifu_run(lab));
    ck_assert_int_eq(lab_play(lab, "rvf"), KIFU_FAILED);
    must(lab, lab_play(lab, "+"));
    ck_assert_uint_eq(flags_of(lab, 1), KIFU_UNDOABLE);
    lab_do(lab, 0, "rv(+)", 1);
    must(lab, kifu_step(lab));
    kifu_event waiting;
    ck_assert(kifu_pending_at(lab, 0, &waiting));
    ck_assert_uint_eq(waiting.flags, KIFU_UNDOABLE | KIFU_CONTINUE_UNDO); // nor has a consequence that of its cause
    must(lab, kifu_run(lab));
    ck_assert_uint_eq(flags_of(lab, 2), KIFU_UNDOABLE | KIFU_RANDOM | KIFU_REVEALS);
    ck_assert_uint_eq(flags_of(lab, 3), KIFU_UNDOABLE | KIFU_CONTINUE_UNDO);
    kifu_destroy(lab);
}
END_TEST

// Whatever stands in the way, a player can be told.
START_TEST(U08_each_reason_against_undo_and_redo_has_words)
{
    kifu_timeline *cards;
    kifu_error error;
    ck_assert_int_eq(kifu_create(&cards_rules, NULL, &cards, &error), KIFU_OK);
    ck_assert_uint_eq(kifu_can_undo(cards, &error), 0);
    ck_assert_int_eq(error.result, KIFU_NOTHING_TO_UNDO);
    ck_assert_msg(strstr(error.message, "nothing has happened") != NULL, "%s", error.message);
    ck_assert_uint_eq(kifu_can_redo(cards, &error), 0);
    ck_assert_int_eq(error.result, KIFU_NOTHING_TO_REDO);
    ck_assert_msg(strstr(error.message, "nothing was undone") != NULL, "%s", error.message);
    cards_submit_e_forbid(cards, true);
    must(cards, kifu_run(cards));
    must_not_begin(cards, 0, "no player has done anything yet");
    kifu_destroy(cards);

    cards = cards_new(NULL);
    must_not_begin(cards, 0, "event 0 (kifu.EInitialize) cannot be undone, and no player has done anything yet");
    roll(cards, CARDS_HOW_ITSELF);
    must_stand(cards, 2, "event 2 (cards.PRoll) cannot be undone: the outcome was random");
    roll(cards, CARDS_HOW_BY_EVENT);
    must_stand(cards, 3,
               "event 3 (cards.PRoll) cannot be undone because event 4 (cards.ERoll) drew random numbers: "
               "the outcome was random");
    cards_submit_p_draw(cards, 0, &(cards_p_draw_args){.count = 1});
    must(cards, kifu_run(cards));
    must_stand(cards, 6, "event 6 (cards.EDraw) cannot be undone: hidden information was revealed");
    must(cards, kifu_begin(cards, 0));
    must_stand(cards, 7, "where a transaction began");
    must(cards, kifu_commit(cards));

    tap(cards, 0);
    must(cards, kifu_undo(cards));
    cards_submit_p_tap(cards, 0, 1);
    ck_assert_uint_eq(kifu_can_redo(cards, &error), 0);
    ck_assert_msg(strstr(error.message, "an input waits") != NULL, "%s", error.message);
    kifu_destroy(cards);
}
END_TEST

// What began where the chain would go on: the game, what is left of it, a transaction or a search.
START_TEST(M08_U08_a_chain_that_would_go_back_past_a_beginning_names_what_began_there)
{
    kifu_timeline *cards = NULL;
    ck_assert_int_eq(kifu_create(&cards_rules, NULL, &cards, NULL), KIFU_OK);
    must_not_begin(cards, KIFU_NONE, "nothing has happened yet");
    must(cards, kifu_override(cards, cards_submit_p_tap(cards, 0, 0), true, true));
    must(cards, kifu_run(cards));
    must_stand(cards, 0, "before event 0, where the game begins; no event since then stops undo");
    tap(cards, 1);
    must(cards, kifu_forget(cards, 2));
    must_not_begin(cards, KIFU_NONE, "no event is left to undo, since the past is forgotten");
    must(cards, kifu_override(cards, cards_submit_p_tap(cards, 0, 2), true, true));
    must(cards, kifu_run(cards));
    must_stand(cards, 2, "before event 2, where the past is forgotten");
    must(cards, kifu_begin(cards, 0));
    must_stand(cards, 3, "where a transaction began; commit it or roll it back first");
    must(cards, kifu_roll_back(cards));
    must(cards, kifu_begin(cards, KIFU_SEARCH));
    must_stand(cards, 3, "where a search began, or a transaction in one: end that first");
    kifu_destroy(cards);
}
END_TEST

// Undo is refused, and tells a player why.
static void must_tell_player(kifu_timeline *cards, const char *reason)
{
    kifu_error error;
    ck_assert_uint_eq(kifu_can_undo(cards, &error), 0);
    ck_assert_str_eq(kifu_error_reason(&error), reason);
    ck_assert_int_ne(kifu_undo(cards), KIFU_OK);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(cards)), reason);
}

static void no_redo_tells_player(kifu_timeline *cards, const char *reason)
{
    kifu_error error;
    ck_assert_uint_eq(kifu_can_redo(cards, &error), 0);
    ck_assert_str_eq(kifu_error_reason(&error), reason);
    ck_assert_uint_eq(kifu_can_redo(cards, NULL), 0);
    ck_assert_int_ne(kifu_redo(cards), KIFU_OK);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(cards)), reason);
}

static kifu_result ask_in_do(void *context, kifu_timeline *cards, const cards_p_any *any)
{
    (void)any;
    kifu_error *errors = context;
    ck_assert_uint_eq(kifu_can_undo(cards, &errors[0]), 0);
    ck_assert_uint_eq(kifu_can_redo(cards, &errors[1]), 0);
    return KIFU_OK;
}

START_TEST(F09_each_refusal_of_undo_and_redo_has_words_for_a_player)
{
    kifu_error errors[2];
    cards_hooks hooks = {.context = errors, .in_do = ask_in_do};
    kifu_timeline *cards = cards_new(&(kifu_options){.user = &hooks});
    must_tell_player(cards, "there is nothing to undo");
    no_redo_tells_player(cards, "there is nothing to redo");
    cards_submit_p_any(cards, 0, 1);
    must(cards, kifu_run(cards));
    for (int i = 0; i < 2; i++)
        ck_assert_str_eq(kifu_error_reason(&errors[i]), "something is still happening");
    roll(cards, CARDS_HOW_ITSELF);
    must_tell_player(cards, "the outcome was random");
    roll(cards, CARDS_HOW_BY_EVENT);
    must_tell_player(cards, "the outcome was random");
    cards_submit_p_draw(cards, 0, &(cards_p_draw_args){.count = 1});
    must(cards, kifu_run(cards));
    must_tell_player(cards, "hidden information was revealed");
    tap(cards, 0);
    must(cards, kifu_undo(cards));
    cards_submit_p_tap(cards, 0, 1);
    no_redo_tells_player(cards, "there is nothing to redo");
    must(cards, kifu_run(cards));
    must(cards, kifu_begin(cards, 0));
    must_tell_player(cards, "what was begun is not finished");
    must(cards, kifu_roll_back(cards));
    must(cards, kifu_begin(cards, KIFU_SEARCH));
    must_tell_player(cards, "what was begun is not finished");
    must(cards, kifu_roll_back(cards));
    must(cards, kifu_seek(cards, 3));
    must_tell_player(cards, "the past is shown");
    no_redo_tells_player(cards, "the past is shown");
    kifu_destroy(cards);

    ck_assert_int_eq(kifu_create(&cards_rules, NULL, &cards, NULL), KIFU_OK);
    must(cards, kifu_override(cards, cards_submit_p_tap(cards, 0, 0), true, true));
    must(cards, kifu_run(cards));
    must_tell_player(cards, "the beginning of the game stays");
    kifu_destroy(cards);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        U11_unless_random_is_undoable_when_nothing_was_drawn,
        U11_unless_random_is_not_undoable_after_a_draw,
        U11_each_chain_is_judged_by_itself,
        U11_only_who_asks_is_held_back_by_luck,
        U11_what_was_revealed_stays,
        U11_do_may_reveal,
        U11_an_override_lifts_the_barrier_of_one_instance,
        U11_only_do_may_reveal,
        U11_flags_survive_save_load_fork_and_seek,
        U11_flags_survive_undo_and_redo,
        U11_seek_and_roll_back_know_no_barrier,
        U11_a_committed_transaction_is_judged_as_one_chain,
        U11_a_failed_do_leaves_no_flag,
        U08_each_reason_against_undo_and_redo_has_words,
        M08_U08_a_chain_that_would_go_back_past_a_beginning_names_what_began_there,
        F09_each_refusal_of_undo_and_redo_has_words_for_a_player,
    };
    return run_suite("barriers", tests, sizeof tests / sizeof *tests);
}
