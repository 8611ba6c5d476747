// Asking what may be played: kifu/search.h.

#include "try_help.h"

START_TEST(X03_a_question_is_not_about_what_went_wrong_before)
{
    kifu_timeline *lab = lab_started(NULL);
    lab_submit_p_add(lab, 1000, 1); // misuse, which the next run reports
    ck_assert(lab_can_p_add(lab, 0, 1));
    ck_assert(!lab_can_p_add(lab, 0, 0));
    ck_assert_int_eq(kifu_last_error(lab)->result, KIFU_REJECTED);
    ck_assert_int_eq(kifu_run(lab), KIFU_MISUSE);
    lab_must(lab, kifu_run(lab));
    kifu_destroy(lab);
}
END_TEST

typedef struct hints {
    unsigned asked, legal;
} hints;

static void count_hints(hints *hints, kifu_timeline *timeline, const reversi_state *state)
{
    uint8_t moves[BOARD_SQUARES];
    unsigned legal = 0;
    const uint64_t hash = kifu_state_hash(timeline);
    for (int square = 0; square < 64; square++)
        legal += can_place(timeline, kifu_current_player(&state->game), square);
    ck_assert_uint_eq(legal, board_moves(state->board, board_to_move(&state->game), moves));
    ck_assert(hash == kifu_state_hash(timeline));
    hints->asked++;
    hints->legal += legal;
}

static double show_turn(void *context, kifu_timeline *timeline, const reversi_state *state,
                        const reversi_e_end_turn *end_turn)
{
    (void)end_turn;
    count_hints(context, timeline, state);
    return 0;
}

static void hear_of_board(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)state;
    (void)change;
    ck_assert(!can_place(timeline, 5, 0));
    ck_assert_int_eq(kifu_last_error(timeline)->result, KIFU_REJECTED);
    ((hints *)context)->asked++;
}

START_TEST(X03_a_view_asks_what_may_be_played)
{
    hints hints = {0};
    const reversi_view view = {.base = {.context = &hints}, .act_e_end_turn = show_turn};
    const uint64_t seed = 1;
    kifu_timeline *timeline;
    ck_assert_int_eq(kifu_create(&reversi_rules, &(kifu_options){.view = &view.base}, &timeline, NULL), KIFU_OK);
    must(timeline, reversi_begin(timeline, &seed));
    must(timeline,
         kifu_observe(timeline,
                      &(kifu_observer){.context = &hints, .listen = hear_of_board, KIFU_PART(reversi_state, board)}));
    reversi_play_recorded(timeline, 0, 9);
    ck_assert_uint_gt(hints.asked, 9 + 18);
    ck_assert_uint_gt(hints.legal, 9);
    kifu_timeline *other = reversi_new(1);
    reversi_play_recorded(other, 0, 9);
    must_be_same(timeline, other);
    kifu_destroy(other);
    kifu_destroy(timeline);
}
END_TEST

static kifu_result ask_and_submit(void *context, kifu_timeline *lab, const void *state, const kifu_event *event)
{
    (void)state;
    ck_assert(lab_can_p_add(lab, 1 - event->player, 7));
    ck_assert(!lab_can_p_add(lab, 1 - event->player, 0));
    ck_assert_int_eq(kifu_player(lab), event->player);
    lab_submit_e_mood(lab, LAB_MOOD_ANGRY);
    ++*(unsigned *)context;
    return KIFU_OK;
}

START_TEST(M07_X03_a_question_in_a_reaction_is_about_another_player_and_changes_nothing)
{
    unsigned asked = 0;
    kifu_timeline *lab = lab_started(NULL);
    lab_must(lab, kifu_observe(lab, &(kifu_observer){.react = ask_and_submit, .type = LAB_P_ADD, .context = &asked}));
    for (int player = 0; player < 2; player++) {
        kifu_event event;
        lab_submit_p_add(lab, player, 3);
        lab_must(lab, kifu_run(lab));
        const uint32_t last = kifu_event_count(lab) - 1;
        ck_assert(kifu_event_at(lab, last, &event));
        ck_assert_uint_eq(event.type, LAB_E_MOOD);
        ck_assert_uint_eq(event.cause, last - 1);
    }
    ck_assert_uint_eq(asked, 2);
    kifu_destroy(lab);
}
END_TEST

START_TEST(X03_asking_changes_nothing_without_memory)
{
    larder larder = {.meals = 0};
    bool can = false;
    for (unsigned meals = 0; !can; meals++) {
        kifu_timeline *lab = lab_with(&larder);
        const lab_picture before = lab_look(lab);
        larder.starving = true;
        larder.meals = meals;
        can = lab_can_p_do(lab, 0, &(lab_p_do_args){.script = "+(1)", .times = 1});
        larder.starving = false;
        ck_assert(can || kifu_last_error(lab)->result == KIFU_NO_MEMORY);
        lab_same(lab, &before);
        ck_assert(lab_can_p_do(lab, 0, &(lab_p_do_args){.script = "+(1)", .times = 1}));
        ck_assert(!lab_can_p_add(lab, 0, 0));
        ck_assert_int_eq(kifu_last_error(lab)->result, KIFU_REJECTED);
        lab_same(lab, &before);
        kifu_destroy(lab);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        X03_a_question_is_not_about_what_went_wrong_before,
        X03_a_view_asks_what_may_be_played,
        M07_X03_a_question_in_a_reaction_is_about_another_player_and_changes_nothing,
        X03_asking_changes_nothing_without_memory,
    };
    return run_suite("may play", tests, sizeof tests / sizeof *tests);
}
