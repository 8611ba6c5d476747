// Lists of moves.

#include "event_help.h"
#include "hazard_help.h"
#include "history_help.h"
#include "suite.h"

#include "board.h"
#include "game.h"
#include "plain_reversi.h"

// --- What is listed --------------------------------------------------------------------------------------------------

START_TEST(X04_the_check_decides_what_is_listed)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    kifu_moves moves = {0};
    must(timeline, kifu_list_moves(timeline, 0, &moves));
    ck_assert_uint_eq(moves.count, 4 + 4 + 10);
    ck_assert_uint_eq(count_moves(&moves, HAZARD_P_SURE), 4);
    ck_assert_uint_eq(count_moves(&moves, HAZARD_P_DARE), 4); // without the one with two bets
    ck_assert_uint_eq(count_moves(&moves, HAZARD_P_GUESS), 10);
    const hazard_p_sure *sure = moves.items[0].table;
    ck_assert_uint_eq(sure->sure, 0); // as it was listed, whatever the check makes of it
    const hazard_p_dare *dare = moves.items[6].table;
    ck_assert_uint_eq(hazard_p_dare_bets_count(dare), 3);
    ck_assert_uint_eq(hazard_p_dare_bets(dare)[2], 5);
    ck_assert_str_eq(hazard_p_dare_words(dare), "a word");
    for (uint32_t i = 0; i < moves.count; i++)
        ck_assert_int_eq(moves.items[i].player, 0);
    must(timeline, kifu_list_moves(timeline, 1, &moves)); // not in turn
    ck_assert_uint_eq(moves.count, 0);
    must(timeline, kifu_list_moves(timeline, 3, &moves)); // there is no such player
    ck_assert_uint_eq(moves.count, 0);
    kifu_free_moves(&moves);
    ck_assert_ptr_null(moves.items);
    kifu_free_moves(&moves);
    kifu_destroy(timeline);
}
END_TEST

static kifu_verdict forbid_large(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed)
{
    (void)context, (void)timeline, (void)state;
    return ((const hazard_p_any *)proposed->event)->number > 2 ? kifu_reject("too large") : kifu_accept();
}

static void list_five(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)timeline, (void)player;
    for (int32_t number = 0; number < 5; number++)
        hazard_add_p_any(moves, number);
}

static void list_three_tones(const kifu_timeline *timeline, const void *state, int player, kifu_moves *moves)
{
    (void)timeline, (void)state, (void)player;
    hazard_add_p_talk(moves, HAZARD_TONE_CALM);
    hazard_add_p_talk(moves, (hazard_tone)3);
    hazard_add_p_talk(moves, HAZARD_TONE_LOUD);
}

START_TEST(X04_a_value_that_its_enum_does_not_have_is_not_listed)
{
    kifu_rules rules = hazard_rules;
    rules.list = list_three_tones;
    kifu_timeline *timeline;
    ck_assert(!kifu_create(&rules, NULL, &timeline, NULL));
    must(timeline, hazard_begin(timeline, 1));
    kifu_moves moves = {0};
    must(timeline, kifu_list_moves(timeline, 0, &moves));
    ck_assert_uint_eq(moves.count, 2);
    ck_assert_int_eq(((const hazard_p_talk *)moves.items[1].table)->tone, HAZARD_TONE_LOUD);
    kifu_free_moves(&moves);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(X04_hooks_decide_too)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    kifu_moves moves = {0};
    hazard_test.list = list_five;
    must(timeline, kifu_list_moves(timeline, 0, &moves));
    ck_assert_uint_eq(count_moves(&moves, HAZARD_P_ANY), 5);
    must(timeline, kifu_observe(timeline, &(kifu_observer){.hook = forbid_large,
                                                           .type = HAZARD_P_ANY,
                                                           .scope = HAZARD_SCOPE_TABLE,
                                                           .subject = KIFU_ANY_SUBJECT,
                                                           .name = "small"}));
    must(timeline, kifu_list_moves(timeline, 0, &moves));
    ck_assert_uint_eq(count_moves(&moves, HAZARD_P_ANY), 3);
    must(timeline, hazard_try_p_any(timeline, 0, 1)); // While a try is open, too, which it leaves open.
    must(timeline, kifu_list_moves(timeline, 0, &moves));
    ck_assert_uint_eq(count_moves(&moves, HAZARD_P_ANY), 3);
    ck_assert_int_eq(kifu_run(timeline), KIFU_MISUSE);
    must(timeline, kifu_take_back(timeline));
    kifu_free_moves(&moves);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(M07_X04_a_player_who_is_not_there_has_no_moves)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    kifu_moves moves = {0};
    hazard_test.list = list_five; // No check of theirs asks whose turn it is.
    for (int player = -1; player < 5; player++) {
        must(timeline, kifu_list_moves(timeline, player, &moves));
        ck_assert_uint_eq(count_moves(&moves, HAZARD_P_ANY), player >= 0 && player < 3 ? 5 : 0);
        ck_assert(hazard_can_p_any(timeline, player, 1) == (player >= 0 && player < 3));
    }
    kifu_free_moves(&moves);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(X04_the_moves_of_reversi_are_those_of_the_other_implementation)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 1);
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert(!kifu_create(&reversi_rules, &(kifu_options){.quiet = true}, &timeline, &error));
    must(timeline, reversi_begin(timeline, &(uint64_t){1}));
    kifu_moves moves = {0};
    for (;;) {
        const reversi_state *state = reversi_get_state(timeline);
        must(timeline, kifu_list_moves(timeline, current(timeline), &moves));
        if (!moves.count)
            break;
        uint8_t squares[BOARD_SQUARES];
        ck_assert_uint_eq(board_moves(state->board, board_to_move(&state->game), squares), moves.count);
        for (uint32_t i = 0; i < moves.count; i++) {
            const reversi_p_place *place = moves.items[i].table;
            ck_assert_uint_eq(moves.items[i].type, REVERSI_P_PLACE);
            ck_assert_uint_eq(place->square, squares[i]);
        }
        kifu_submit_move(timeline, &moves.items[kifu_rng_below(&rng, moves.count)]);
        must(timeline, kifu_run(timeline));
    }
    kifu_free_moves(&moves);
    kifu_destroy(timeline);
}
END_TEST

// --- A move is a value -----------------------------------------------------------------------------------------------

START_TEST(X04_a_move_is_submitted_as_its_event_is)
{
    kifu_timeline *timeline = hazard_new(1, NULL), *other = hazard_new(1, NULL);
    kifu_moves moves = {0};
    must(timeline, kifu_list_moves(timeline, 0, &moves));
    kifu_move move = moves.items[7]; // PDare
    for (int turn = 0; turn < 2; turn++) {
        kifu_submit_move(timeline, &move);
        must(timeline, kifu_run(timeline));
        hazard_submit_p_dare(other, turn, (const uint16_t[]){0, 7, 5, 3}, 4, "a word");
        must(other, kifu_run(other));
        move.player = 1;
    }
    expect_same_log(timeline, other);
    kifu_destroy(other);
    kifu_destroy(timeline);
    ck_assert_str_eq(hazard_p_dare_words(move.table), "a word"); // without the timeline, too
    kifu_free_moves(&moves);
}
END_TEST

// --- From where ------------------------------------------------------------------------------------------------------

static uint32_t listed;

static double list_in_act(void *context, kifu_timeline *timeline, const hazard_state *state, const hazard_p_sure *sure)
{
    (void)state, (void)sure;
    must(timeline, kifu_list_moves(timeline, 1, context));
    listed = ((kifu_moves *)context)->count;
    ck_assert_int_eq(kifu_player(timeline), 0);
    return 0;
}

START_TEST(X04_a_view_lists_moves)
{
    kifu_moves moves = {0};
    const hazard_view view = {.base.context = &moves, .act_p_sure = list_in_act};
    kifu_timeline *timeline = hazard_new(1, &(kifu_options){.view = &view.base});
    hazard_submit_p_sure(timeline, 0, NULL);
    must(timeline, kifu_run(timeline));
    ck_assert_uint_eq(listed, 18);
    kifu_free_moves(&moves);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(X04_the_moves_of_the_past)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    const uint32_t before = kifu_event_count(timeline);
    hazard_submit_p_sure(timeline, 0, NULL);
    must(timeline, kifu_run(timeline));
    must(timeline, kifu_seek(timeline, before));
    kifu_moves moves = {0};
    must(timeline, kifu_list_moves(timeline, 0, &moves));
    ck_assert_uint_eq(moves.count, 18);
    must(timeline, kifu_seek(timeline, KIFU_PRESENT));
    must(timeline, kifu_list_moves(timeline, 0, &moves));
    ck_assert_uint_eq(moves.count, 0);
    kifu_free_moves(&moves);
    kifu_destroy(timeline);
}
END_TEST

// --- Misuse ----------------------------------------------------------------------------------------------------------

static kifu_moves inside;

static kifu_result list_in_do(kifu_timeline *timeline, const hazard_p_any *any)
{
    (void)any;
    return kifu_list_moves(timeline, 0, &inside);
}

static kifu_verdict list_in_check(kifu_timeline *timeline, hazard_p_any *any)
{
    (void)any;
    ck_assert_int_eq(kifu_list_moves(timeline, 0, &inside), KIFU_MISUSE);
    return kifu_accept();
}

static void submit_in_list(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)moves;
    hazard_submit_p_sure(timeline, player, NULL);
}

static void draw_in_list(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)player, (void)moves;
    (void)kifu_random(timeline);
}

static void edit_in_list(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)player, (void)moves;
    *hazard_edit_score(timeline, 0) = 77;
}

static void undo_in_list(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)player, (void)moves;
    ck_assert_int_eq(kifu_undo(timeline), KIFU_MISUSE);
}

static void list_in_list(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)player, (void)moves;
    ck_assert_int_eq(kifu_list_moves(timeline, 0, &inside), KIFU_MISUSE);
}

START_TEST(X04_a_function_that_lists_moves_does_nothing_else)
{
    static const struct {
        void (*list)(kifu_timeline *timeline, int player, kifu_moves *moves);
        const char *message;
    } cases[] = {
        {submit_in_list, "it may only add moves"},
        {draw_in_list, "a random number"},
        {edit_in_list, "edit"},
        {undo_in_list, "kifu_undo"},
        {list_in_list, "kifu_list_moves"},
    };
    kifu_timeline *timeline = hazard_new(1, NULL);
    const hazard_state before = *hazard_get_state(timeline);
    kifu_moves moves = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hazard_test.list = cases[i].list;
        ck_assert_int_eq(kifu_list_moves(timeline, 0, &moves), KIFU_MISUSE);
        ck_assert_text(timeline, cases[i].message);
        ck_assert_text(timeline, "in the moves of hazard: ");
        ck_assert_uint_eq(moves.count, 0);
        ck_assert_mem_eq(hazard_get_state(timeline), &before, sizeof before);
        ck_assert_uint_eq(kifu_pending_count(timeline), 0);
    }
    hazard_test.list = NULL;
    must(timeline, kifu_list_moves(timeline, 0, &moves)); // nothing is left of it
    ck_assert_uint_eq(moves.count, 18);
    kifu_free_moves(&moves);
    kifu_free_moves(&inside);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(X04_rules_do_not_list_moves)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    hazard_test.act = list_in_do;
    hazard_submit_p_any(timeline, 0, 1);
    ck_assert_int_eq(kifu_run(timeline), KIFU_MISUSE);
    ck_assert_text(timeline, "kifu_list_moves was called in a Do function, a check or a reaction");
    hazard_test = (hazard_hooks){.check = list_in_check};
    hazard_submit_p_any(timeline, 0, 1);
    ck_assert_int_eq(kifu_run(timeline), KIFU_MISUSE);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(X04_a_game_without_listed_events_says_so)
{
    kifu_rules rules = hazard_rules;
    rules.list = NULL;
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert(!kifu_create(&rules, NULL, &timeline, &error));
    kifu_timeline *another = hazard_new(1, NULL);
    kifu_moves moves = {0};
    must(another, kifu_list_moves(another, 0, &moves));
    ck_assert_int_eq(kifu_list_moves(timeline, 0, &moves), KIFU_MISUSE);
    ck_assert_text(timeline, "no event of hazard is listed; give player events the attribute (listed)");
    ck_assert_uint_eq(moves.count, 0); // Nothing is left of those of another game.
    kifu_free_moves(&moves);
    kifu_destroy(another);
    kifu_destroy(timeline);
}
END_TEST

// A submit that failed before is still reported by the next run.
START_TEST(X04_a_list_hides_no_earlier_error)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    kifu_moves moves = {0};
    hazard_submit_p_sure(timeline, 1000, NULL);
    must(timeline, kifu_list_moves(timeline, 0, &moves));
    ck_assert_uint_eq(moves.count, 18);
    ck_assert_int_eq(kifu_run(timeline), KIFU_MISUSE);
    ck_assert_text(timeline, "player 1000");
    kifu_free_moves(&moves);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(X04_without_memory_a_list_is_empty)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *timeline = hazard_new(1, &options);
    const long blocks = memory.blocks;
    long failures = 0;
    for (bool failed = true; failed; failures += failed) {
        kifu_moves moves = {0};
        memory.until_failure = failures;
        memory.failed = false;
        const kifu_result result = kifu_list_moves(timeline, 0, &moves);
        failed = memory.failed;
        memory.until_failure = -1;
        ck_assert_int_eq(result, failed ? KIFU_NO_MEMORY : KIFU_OK);
        ck_assert_uint_eq(moves.count, failed ? 0 : 18);
        must(timeline, kifu_list_moves(timeline, 0, &moves));
        ck_assert_uint_eq(moves.count, 18);
        kifu_free_moves(&moves);
        ck_assert_int_eq(memory.blocks, blocks);
    }
    ck_assert_int_gt(failures, 3);
    kifu_destroy(timeline);
}
END_TEST

// --- Where a move is more than its check and its Do ------------------------------------------------------------------

static unsigned checks;

static kifu_verdict want_itself(kifu_timeline *timeline, hazard_p_any *any)
{
    checks++;
    return kifu_instead(hazard_submit_p_any(timeline, kifu_player(timeline), any->number));
}

static kifu_verdict rather_points(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed)
{
    (void)context, (void)state, (void)proposed;
    return kifu_instead(hazard_submit_p_sure(timeline, kifu_player(timeline), NULL));
}

START_TEST(M08_X03_no_hook_is_blamed_for_what_the_check_of_another_event_rejects)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    must(timeline, kifu_observe(timeline, &(kifu_observer){.hook = rather_points,
                                                           .type = HAZARD_P_ANY,
                                                           .scope = HAZARD_SCOPE_TABLE,
                                                           .subject = KIFU_ANY_SUBJECT,
                                                           .name = "points"}));
    ck_assert(hazard_can_p_any(timeline, 0, 1));
    ck_assert(!hazard_can_p_any(timeline, 1, 1)); // It is not their turn.
    ck_assert_text(timeline, "hazard.PSure was rejected: ");
    kifu_destroy(timeline);
}
END_TEST

START_TEST(M08_X03_a_question_ends_where_a_run_would)
{
    kifu_timeline *timeline = hazard_new(1, &(kifu_options){.max_alternates = 3});
    hazard_test.check = want_itself;
    ck_assert(!hazard_can_p_any(timeline, 0, 1));
    ck_assert_uint_eq(checks, 4);
    ck_assert_int_eq(kifu_last_error(timeline)->result, KIFU_RUNAWAY);
    ck_assert_text(timeline, "hazard.PAny may not be played: more than 3 events would be tried in its place");
    ck_assert_uint_eq(kifu_pending_count(timeline), 0);
    hazard_test.check = NULL;
    ck_assert(hazard_can_p_any(timeline, 0, 1));
    kifu_destroy(timeline);
}
END_TEST

static kifu_verdict change_and_want_points(kifu_timeline *timeline, hazard_p_any *any)
{
    if (any->number >= 100)
        return kifu_reject("it was changed before it was asked about");
    any->number += 100;
    return kifu_instead(hazard_submit_p_sure(timeline, kifu_player(timeline), NULL));
}

START_TEST(M08_X04_a_check_is_asked_about_a_move_as_it_was_listed)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    kifu_moves moves = {0};
    hazard_test = (hazard_hooks){.list = list_five, .check = change_and_want_points};
    must(timeline, kifu_list_moves(timeline, 0, &moves));
    ck_assert_uint_eq(count_moves(&moves, HAZARD_P_ANY), 5);
    kifu_free_moves(&moves);
    kifu_destroy(timeline);
}
END_TEST

static kifu_verdict draw_in_check(kifu_timeline *timeline, hazard_p_any *any)
{
    (void)any;
    (void)kifu_random(timeline);
    return kifu_accept();
}

static kifu_verdict submit_in_vain(kifu_timeline *timeline, hazard_p_any *any)
{
    hazard_submit_p_any(timeline, kifu_player(timeline), any->number);
    return kifu_accept();
}

static kifu_verdict want_what_was_not_submitted(kifu_timeline *timeline, hazard_p_any *any)
{
    (void)timeline, (void)any;
    return kifu_instead(4711);
}

START_TEST(M08_X04_misuse_in_the_check_of_a_move_is_reported)
{
    kifu_verdict (*const misuses[])(kifu_timeline *, hazard_p_any *) = {draw_in_check, submit_in_vain,
                                                                        want_what_was_not_submitted};
    for (size_t i = 0; i < sizeof misuses / sizeof *misuses; i++) {
        kifu_timeline *timeline = hazard_new(1, NULL);
        kifu_moves moves = {0};
        hazard_test = (hazard_hooks){.list = list_five, .check = misuses[i]};
        ck_assert_int_eq(kifu_list_moves(timeline, 0, &moves), KIFU_MISUSE);
        ck_assert_text(timeline, "the check of hazard.PAny");
        ck_assert_uint_eq(moves.count, 0);
        must(timeline, kifu_run(timeline)); // It is told once.
        kifu_free_moves(&moves);
        kifu_destroy(timeline);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        X04_the_check_decides_what_is_listed,
        X04_a_value_that_its_enum_does_not_have_is_not_listed,
        X04_hooks_decide_too,
        M07_X04_a_player_who_is_not_there_has_no_moves,
        X04_the_moves_of_reversi_are_those_of_the_other_implementation,
        X04_a_move_is_submitted_as_its_event_is,
        X04_a_view_lists_moves,
        X04_the_moves_of_the_past,
        X04_a_function_that_lists_moves_does_nothing_else,
        X04_rules_do_not_list_moves,
        X04_a_game_without_listed_events_says_so,
        X04_a_list_hides_no_earlier_error,
        X04_without_memory_a_list_is_empty,
        M08_X03_no_hook_is_blamed_for_what_the_check_of_another_event_rejects,
        M08_X03_a_question_ends_where_a_run_would,
        M08_X04_a_check_is_asked_about_a_move_as_it_was_listed,
        M08_X04_misuse_in_the_check_of_a_move_is_reported,
    };
    return run_suite("moves", tests, sizeof tests / sizeof *tests);
}
