// Playing directly gives what submitting and running gives: in random games of the corridor, where checks and Do
// functions do whatever they may, and of the examples.
#include "corridor.h"
#include "duel.h"
#include "nim.h"
#include "plan.h"
#include "reversi.h"
#include "twins_help.h"

extern const kifu_fuzz_hooks duel_fuzz_hooks, reversi_fuzz_hooks;

// --- The corridor: what PAny does ----------------------------------------------------------------------------------

static kifu_verdict refuse(kifu_timeline *timeline, int32_t number)
{
    (void)timeline;
    return number % 3 ? kifu_accept() : kifu_reject("it is a multiple of 3");
}

static kifu_verdict replace(kifu_timeline *timeline, int32_t number)
{
    return number % 2 ? kifu_instead(corridor_submit_p_any(timeline, 0, 0, number / 2))
                      : kifu_instead(corridor_submit_p_move(timeline, 0, 0, (int8_t)number));
}

static kifu_verdict submit_twice(kifu_timeline *timeline, int32_t number)
{
    corridor_submit_p_any(timeline, 0, 1, number);
    return kifu_accept();
}

static kifu_verdict name_nobody(kifu_timeline *timeline, int32_t number)
{
    (void)timeline;
    return kifu_instead((uint32_t)number + 12345);
}

static kifu_verdict edit_there(kifu_timeline *timeline, int32_t number)
{
    *corridor_edit_level(timeline) = (uint32_t)number;
    return kifu_accept();
}

static kifu_result draw(kifu_timeline *timeline, int32_t number)
{
    *corridor_edit_level(timeline) += kifu_random_below(timeline, (uint32_t)number % 16 + 2);
    return KIFU_OK;
}

static kifu_result draw_in_vain(kifu_timeline *timeline, int32_t number)
{
    kifu_result result = kifu_begin(timeline, 0);
    if (!result)
        result = draw(timeline, number);
    return result ? result : kifu_roll_back(timeline);
}

static kifu_result leave_open(kifu_timeline *timeline, int32_t number)
{
    *corridor_edit_level(timeline) = (uint32_t)number;
    return kifu_begin(timeline, 0);
}

static kifu_result reveal(kifu_timeline *timeline, int32_t number)
{
    *corridor_edit_uses(timeline) = (uint32_t)number;
    kifu_reveal(timeline);
    return KIFU_OK;
}

static kifu_result fail_by_hand(kifu_timeline *timeline, int32_t number)
{
    *corridor_edit_level(timeline) = (uint32_t)number;
    corridor_submit_e_any(timeline, 0, number);
    return number % 2 ? kifu_fail(timeline, "it is odd") : KIFU_FAILED;
}

static kifu_result fail_instead(kifu_timeline *timeline, int32_t number)
{
    *corridor_edit_level(timeline) = (uint32_t)number;
    return kifu_fail_instead(timeline, corridor_submit_e_any(timeline, (uint8_t)(number % 8), number / 2));
}

static kifu_result cause(kifu_timeline *timeline, int32_t number)
{
    kifu_ticket ticket = corridor_submit_e_any(timeline, (uint8_t)((uint32_t)number % 16), number / 3);
    corridor_submit_e_strike(timeline, 0, 1, (int16_t)(number % 5), CORRIDOR_MANNER_GENTLE);
    return kifu_override(timeline, ticket, true, number % 2);
}

static kifu_result cause_for_ever(kifu_timeline *timeline, int32_t number)
{
    corridor_submit_e_any(timeline, 7, number + 1);
    return KIFU_OK;
}

static kifu_result misuse(kifu_timeline *timeline, int32_t number)
{
    (void)number;
    (void)kifu_undo(timeline);
    return KIFU_OK;
}

static kifu_result count(kifu_timeline *timeline, int32_t number)
{
    *corridor_edit_level(timeline) += (uint32_t)number;
    return KIFU_OK;
}

static const corridor_plan plan = {
    .in_do = {count, draw, draw_in_vain, leave_open, reveal, fail_by_hand, fail_instead, cause_for_ever, misuse, cause,
              draw, cause, count, fail_instead, count, cause},
    .in_check = {NULL, refuse, refuse, NULL, NULL, NULL, NULL, NULL, NULL, NULL, replace, replace, submit_twice,
                 name_nobody, edit_there, NULL},
};

static void begin_corridor(kifu_timeline *timeline, kifu_rng *rng)
{
    (void)rng;
    corridor_submit_e_reset_game(timeline);
    corridor_submit_e_initialize(timeline,
                                 &(kifu_e_initialize_args){.has_seed = true, .seed = 5, .starting_player = -1});
    corridor_submit_e_build(timeline);
}

static kifu_ticket input_corridor(kifu_timeline *timeline, kifu_rng *rng)
{
    const uint32_t kind = kifu_rng_below(rng, 8), number = kifu_rng_below(rng, 50);
    if (kind == 0)
        return corridor_submit_p_move(timeline, -1, (uint8_t)(number % 3), (int8_t)(number % 4) - 2);
    if (kind == 1)
        return corridor_submit_e_strike(timeline, 0, 1, 1, (corridor_manner)(number % 5));
    if (kind == 2)
        return corridor_submit_p_say(timeline, -1, 0, "hello");
    return corridor_submit_p_any(timeline, 0, (uint8_t)kifu_rng_below(rng, 16), (int32_t)number);
}

static const kifu_fuzz_hooks corridor_hooks = {.begin = begin_corridor, .input = input_corridor};

static kifu_result play_corridor(kifu_timeline *timeline, const input *input)
{
    const corridor_p_any *any = (const void *)input->table;
    const corridor_e_strike *strike = (const void *)input->table;
    const corridor_p_say *say = (const void *)input->table;
    switch (input->type) {
    case CORRIDOR_P_ANY:
        return corridor_play_p_any(timeline, input->player, any->what, any->number);
    case CORRIDOR_E_STRIKE:
        return corridor_play_e_strike(timeline, strike->performer, strike->target, strike->damage, strike->manner);
    case CORRIDOR_P_SAY:
        return corridor_play_p_say(timeline, input->player, say->performer, corridor_p_say_text(say));
    default:
        return kifu__play(timeline, input->type, input->player, input->table, input->size);
    }
}

// --- The examples ---------------------------------------------------------------------------------------------------

static void begin_nim(kifu_timeline *timeline, kifu_rng *rng)
{
    nim_submit_e_reset_game(timeline);
    nim_submit_e_add_player(timeline, 0, 1);
    nim_submit_e_add_player(timeline, 1, 2);
    nim_submit_e_initialize(timeline, &(kifu_e_initialize_args){.has_seed = true, .seed = 5});
    nim_submit_e_deal(timeline, (uint16_t[]){30, 40, 50, (uint16_t)kifu_rng_below(rng, 90)}, 4);
    nim_submit_e_start_round(timeline);
}

static kifu_ticket input_nim(kifu_timeline *timeline, kifu_rng *rng)
{
    int player = kifu_current_player(kifu_get_game(timeline));
    return nim_submit_p_take(timeline, player, (uint8_t)kifu_rng_below(rng, 5), (uint16_t)kifu_rng_below(rng, 4), 0);
}

static const kifu_fuzz_hooks nim_hooks = {.begin = begin_nim, .input = input_nim};

static kifu_result play_nim(kifu_timeline *timeline, const input *input)
{
    const nim_p_take *take = (const void *)input->table;
    if (input->type == NIM_P_TAKE)
        return nim_play_p_take(timeline, input->player, take->heap, take->count, take->seconds);
    return kifu__play(timeline, input->type, input->player, input->table, input->size);
}

static kifu_result play_reversi(kifu_timeline *timeline, const input *input)
{
    const reversi_p_place *place = (const void *)input->table;
    if (input->type == REVERSI_P_PLACE) {
        const reversi_p_place_args args = {.square = place->square, .seconds = place->seconds};
        return reversi_play_p_place(timeline, input->player, &args);
    }
    return kifu__play(timeline, input->type, input->player, input->table, input->size);
}

static kifu_result play_duel(kifu_timeline *timeline, const input *input)
{
    if (input->type == DUEL_P_ANNOUNCE)
        return duel_play_p_announce(timeline, input->player,
                                    ((const duel_p_announce *)(const void *)input->table)->card);
    return kifu__play(timeline, input->type, input->player, input->table, input->size);
}

static const game games[] = {
    {"corridor", &corridor_rules, &corridor_hooks, play_corridor, ARRAY(corridor_state, people), &plan},
    {"nim", &nim_rules, &nim_hooks, play_nim, ARRAY(nim_state, heaps), NULL},
    {"reversi", &reversi_rules, &reversi_fuzz_hooks, play_reversi, ARRAY(reversi_state, board), NULL},
    {"duel", &duel_rules, &duel_fuzz_hooks, play_duel, ARRAY(duel_state, cards), NULL},
};

START_TEST(X06_playing_directly_is_submit_and_run)
{
    play_games(games, sizeof games / sizeof *games);
}
END_TEST

START_TEST(X06_without_memory_nothing_is_half_played)
{
    for (uint32_t i = 1; i < sizeof games / sizeof *games; i++) // The corridor's Do functions go on without memory.
        starve_game(&games[i]);
}
END_TEST

static kifu_verdict check_known_manners(kifu_timeline *timeline, uint32_t type, const void *state, void *event)
{
    if (type == CORRIDOR_E_STRIKE && ((const corridor_e_strike *)event)->manner == (corridor_manner)99)
        ck_abort_msg("the check got a value that the schema does not have");
    return corridor_rules.check(timeline, type, state, event);
}

// A check may rely on the schema.
START_TEST(M08_X06_a_value_that_an_event_cannot_have_is_refused_before_its_check)
{
    kifu_rules rules = corridor_rules;
    kifu_timeline *timeline;
    kifu_rng rng;
    corridor_e_strike strike = {.target = 1, .damage = 1, .manner = CORRIDOR_MANNER_GENTLE};
    rules.check = check_known_manners;
    kifu_rng_seed(&rng, 1, 1);
    ck_assert_int_eq(kifu_create(&rules, NULL, &timeline, NULL), KIFU_OK);
    begin_corridor(timeline, &rng);
    ck_assert_int_eq(kifu_run(timeline), KIFU_OK);
    ck_assert_int_eq(kifu__play(timeline, CORRIDOR_E_STRIKE, -1, &strike, sizeof strike), KIFU_OK);
    const uint32_t count = kifu_event_count(timeline);
    strike.manner = (corridor_manner)99;
    ck_assert_int_eq(kifu__play(timeline, CORRIDOR_E_STRIKE, -1, &strike, sizeof strike), KIFU_INVALID_EVENT);
    ck_assert_msg(strstr(kifu_last_error(timeline)->message, "manner") != NULL, "%s",
                  kifu_last_error(timeline)->message);
    ck_assert_uint_eq(kifu_event_count(timeline), count);
    kifu_destroy(timeline);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {X06_playing_directly_is_submit_and_run, X06_without_memory_nothing_is_half_played,
                                  M08_X06_a_value_that_an_event_cannot_have_is_refused_before_its_check};
    return run_suite("playing directly", tests, sizeof tests / sizeof *tests);
}
