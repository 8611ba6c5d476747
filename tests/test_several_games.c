// Several games in one program, and in one file of C.

#include "left/game.h"
#include "nim.h"
#include "reversi_help.h"
#include "right/game.h"
#include "seeded.h"
#include "suite.h"

static kifu_timeline *create(const kifu_rules *rules)
{
    kifu_timeline *timeline;
    kifu_error error;
    kifu_options options = {.quiet = true};
    ck_assert_msg(!kifu_create(rules, &options, &timeline, &error), "%s", error.message);
    return timeline;
}

static kifu_timeline *nim_new(void)
{
    static const uint16_t stones[] = {1, 3, 5, 7};
    static const uint64_t seed = 1;
    kifu_timeline *nim = create(&nim_rules);
    nim_submit_e_reset_game(nim);
    nim_submit_e_add_player(nim, 0, 0);
    nim_submit_e_add_player(nim, 1, 0);
    nim_submit_e_initialize(nim, SEEDED_FROM(seed, 0));
    nim_submit_e_deal(nim, stones, 4);
    nim_submit_e_start_round(nim);
    must(nim, kifu_run(nim));
    return nim;
}

// The player who is to move takes one stone.
static void nim_move(kifu_timeline *nim)
{
    const nim_state *state = nim_get_state(nim);
    uint8_t heap = 0;
    while (state->heaps[heap] == 0)
        heap++;
    nim_submit_p_take(nim, kifu_current_player(&state->game), heap, 1, 0);
    must(nim, kifu_run(nim));
}

START_TEST(G02_one_program_plays_reversi_and_nim_at_once)
{
    kifu_timeline *reversi = reversi_new(RECORDED_SEED), *nim = nim_new();
    for (int i = 0; i < 16; i++) {
        reversi_play_recorded(reversi, i, i + 1);
        nim_move(nim);
    }
    ck_assert_int_eq(nim_get_state(nim)->game.phase, KIFU_PHASE_GAME_OVER);
    must(nim, kifu_undo(nim));
    ck_assert_uint_eq(nim_get_state(nim)->heaps[3], 1);
    reversi_play_recorded(reversi, 16, RECORDED_MOVES);
    ck_assert_uint_eq(kifu_state_hash(reversi), RECORDED_HASH);

    unsigned char *bytes;
    size_t size;
    must(nim, kifu_save_to_memory(nim, NULL, &bytes, &size));
    kifu_timeline *loaded;
    kifu_error error;
    ck_assert_int_eq(kifu_load_from_memory(&reversi_rules, bytes, size, NULL, NULL, &loaded, &error), KIFU_OTHER_GAME);
    ck_assert_msg(!kifu_load_from_memory(&nim_rules, bytes, size, NULL, NULL, &loaded, &error), "%s", error.message);
    ck_assert_mem_eq(nim_get_state(loaded), nim_get_state(nim), sizeof(nim_state));
    kifu_free_bytes(nim, bytes);
    kifu_destroy(loaded);
    kifu_destroy(nim);
    kifu_destroy(reversi);
}
END_TEST

// One event, with the same struct: each game has ids, rules and functions of its own for it.
START_TEST(F29_games_share_a_file_of_events)
{
    kifu_timeline *left = create(&left_rules), *right = create(&right_rules);
    left_submit_combat_e_heal(left, 1);
    left_submit_combat_p_taunt(left, 0, 1, "You fight like a cow.");
    must(left, kifu_run(left));
    const left_state *one = left_get_state(left);
    ck_assert_uint_eq(one->units[1].hp, 95);
    ck_assert_uint_eq(one->units[1].mood, COMBAT_MOOD_ANGRY);

    right_submit_p_rest(right, 0);
    right_submit_combat_p_taunt(right, 0, 1, "How appropriate.");
    right_submit_combat_e_strike(right, 1, NULL, 0);
    must(right, kifu_run(right));
    const right_state *other = right_get_state(right);
    ck_assert_uint_eq(other->taunts, 1);
    ck_assert_uint_eq(other->hero.hp, 0);

    kifu_event event;
    ck_assert(kifu_event_at(left, 1, &event));
    ck_assert_uint_eq(event.type, LEFT_COMBAT_P_TAUNT);
    ck_assert_str_eq(combat_p_taunt_words((const combat_p_taunt *)event.table), "You fight like a cow.");
    ck_assert(kifu_event_at(left, 2, &event));
    ck_assert_uint_eq(event.type, LEFT_COMBAT_E_STRIKE);
    ck_assert_uint_eq(combat_e_strike_blows((const combat_e_strike *)event.table, 1)->strength, 3);
    ck_assert_uint_eq(kifu_event_count(right), 3);
    ck_assert(kifu_event_at(right, 1, &event));
    ck_assert_uint_eq(event.type, RIGHT_COMBAT_P_TAUNT);
    ck_assert_str_eq(combat_p_taunt_words((const combat_p_taunt *)event.table), "How appropriate.");
    kifu_destroy(left);
    kifu_destroy(right);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {G02_one_program_plays_reversi_and_nim_at_once, F29_games_share_a_file_of_events};
    return run_suite("several games", tests, sizeof tests / sizeof *tests);
}
