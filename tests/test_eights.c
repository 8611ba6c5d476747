// Crazy Eights, the example: games end, no card is lost, and each viewer sees what the rules say.

#include <kifu/moves.h>

#include "game.h"
#include "rules.h"
#include "suite.h"

static kifu_timeline *begin(unsigned players, uint64_t seed)
{
    kifu_timeline *timeline = NULL;
    ck_assert_int_eq(kifu_create(&eights_rules, NULL, &timeline, NULL), KIFU_OK);
    ck_assert_int_eq(eights_begin(timeline, players, &seed), KIFU_OK);
    return timeline;
}

static bool has_all_cards(const eights_state *state)
{
    uint64_t there = 0;
    for (uint32_t i = 0; i < EIGHTS_CARDS_COUNT; i++)
        there |= UINT64_C(1) << state->cards[i].face;
    return there == (UINT64_C(1) << (EIGHTS_CARDS_COUNT + 1)) - 2 &&
           state->cards[state->top].place == EIGHTS_PLACE_PILE;
}

static bool sees_what_it_may(const eights_state *state, int viewer)
{
    eights_state seen;
    bool good = true;
    eights_seen(state, viewer, &seen);
    for (uint32_t i = 0; i < EIGHTS_CARDS_COUNT; i++) {
        const eights_card *card = &state->cards[i];
        const bool in_hand = card->place == EIGHTS_PLACE_HAND && card->owner == viewer;
        const unsigned face = in_hand || card->place == EIGHTS_PLACE_PILE ? card->face : 0;
        good = good && seen.cards[i].face == face && seen.cards[i].place == card->place;
    }
    return good && seen.game.rng.state == 0;
}

static void play_random_move(kifu_timeline *timeline, kifu_rng *rng)
{
    kifu_moves moves = {0};
    ck_assert_int_eq(kifu_list_moves(timeline, kifu_current_player(kifu_get_game(timeline)), &moves), KIFU_OK);
    ck_assert_uint_ne(moves.count, 0); // no one is ever stuck
    kifu_submit_move(timeline, &moves.items[kifu_rng_below(rng, moves.count)]);
    kifu_free_moves(&moves);
    ck_assert_int_eq(kifu_run(timeline), KIFU_OK);
}

START_TEST(random_games_end_with_all_cards_there)
{
    kifu_rng rng;
    uint32_t turned = 0;
    kifu_rng_seed(&rng, 5, 1);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        kifu_timeline *timeline = begin(2 + (unsigned)seed % 3, seed);
        const eights_state *state = eights_get_state(timeline);
        while (state->game.phase == KIFU_PHASE_PLAY) {
            play_random_move(timeline, &rng);
            bool good = has_all_cards(state);
            for (int viewer = -1; viewer < 4; viewer++)
                good = good && sees_what_it_may(state, viewer);
            ck_assert(good);
            ck_assert_uint_lt(kifu_event_count(timeline), 5000);
        }
        kifu_event event;
        for (uint32_t i = 0; kifu_event_at(timeline, i, &event); i++)
            turned += event.type == EIGHTS_E_TURN_PILE;
        kifu_destroy(timeline);
    }
    ck_assert_uint_gt(turned, 10);
}
END_TEST

START_TEST(the_computers_play_games_to_the_end)
{
    uint32_t won[4] = {0};
    for (uint64_t seed = 1; seed <= 100; seed++) {
        kifu_timeline *timeline = begin(3, seed);
        while (kifu_get_game(timeline)->phase == KIFU_PHASE_PLAY)
            ck_assert_int_eq(eights_play(timeline), KIFU_OK);
        won[rules_winner(eights_get_state(timeline))]++;
        kifu_destroy(timeline);
    }
    for (int player = 0; player < 3; player++)
        ck_assert_uint_gt(won[player], 10);
}
END_TEST

START_TEST(a_card_that_does_not_follow_is_refused)
{
    kifu_timeline *timeline = begin(2, 3);
    const eights_state *state = eights_get_state(timeline);
    const int player = kifu_current_player(&state->game);
    uint32_t refused = 0;
    for (uint8_t i = 0; i < EIGHTS_CARDS_COUNT; i++) {
        const unsigned face = state->cards[i].face;
        const bool mine = state->cards[i].place == EIGHTS_PLACE_HAND && state->cards[i].owner == player;
        const bool follows = rules_rank(face) == EIGHT || rules_suit(face) == state->suit ||
                             rules_rank(face) == rules_rank(state->cards[state->top].face);
        ck_assert_int_eq(eights_can_p_play(timeline, player, i, 0), mine && follows);
        refused += mine && !follows;
    }
    ck_assert_uint_gt(refused, 0);
    ck_assert(!eights_can_p_pass(timeline, player)); // draw first
    ck_assert_int_eq(eights_play_p_draw(timeline, player), KIFU_OK);
    ck_assert(!eights_can_p_draw(timeline, player)); // once a turn
    ck_assert_int_eq(eights_play_p_pass(timeline, player), KIFU_OK);
    ck_assert(!eights_can_p_draw(timeline, player)); // the other's turn
    kifu_destroy(timeline);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        random_games_end_with_all_cards_there,
        the_computers_play_games_to_the_end,
        a_card_that_does_not_follow_is_refused,
    };
    return run_suite("eights", tests, sizeof tests / sizeof *tests);
}
