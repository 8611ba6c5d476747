#include <stdlib.h>
#include <string.h>

#include "leaky.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" // a function uses what it needs of what it gets

static bool leaks(const char *how)
{
    const char *planted = getenv("PLANTED");
    return planted && strcmp(planted, how) == 0;
}

static int owner(uint32_t card)
{
    return card < LEAKY_CARDS_COUNT / 2 ? 0 : 1;
}

// The first card of a player that is not open; LEAKY_CARDS_COUNT: there is none.
static uint32_t first_closed(const leaky_state *state, int player)
{
    uint32_t card = 0;
    while (card < LEAKY_CARDS_COUNT && (owner(card) != player || state->cards[card].open))
        card++;
    return card;
}

// Its face, of the other player's.
static leaky_face enemys(const leaky_state *state, int player)
{
    const uint32_t card = first_closed(state, 1 - player);
    return card < LEAKY_CARDS_COUNT ? state->cards[card].face : LEAKY_FACE_NONE;
}

bool leaky_sees_cards_face(const leaky_state *state, uint32_t card, int viewer)
{
    return state->cards[card].open || owner(card) == viewer;
}

bool leaky_sees_left(const leaky_state *state, int viewer)
{
    return false;
}

bool leaky_sees_right(const leaky_state *state, int viewer)
{
    return false;
}

bool leaky_sees_alone(const leaky_state *state, int viewer)
{
    return false;
}

bool leaky_sees_order(const leaky_state *state, uint32_t index, int viewer)
{
    return false;
}

kifu_result leaky_do_e_deal(kifu_timeline *timeline, const leaky_state *state, const leaky_e_deal *deal)
{
    for (uint32_t card = 0; card < LEAKY_CARDS_COUNT; card++)
        *leaky_edit_cards(timeline, card) = (leaky_card){.face = (leaky_face)kifu_random_between(timeline, 1, 3)};
    *leaky_edit_left(timeline) = (leaky_face)kifu_random_between(timeline, 1, 3);
    *leaky_edit_right(timeline) = (leaky_face)kifu_random_between(timeline, 1, 3);
    for (uint32_t i = 0; i < LEAKY_ORDER_COUNT; i++)
        *leaky_edit_order(timeline, i) = (uint8_t)(i + 1);
    return KIFU_OK;
}

kifu_result leaky_do_e_note(kifu_timeline *timeline, const leaky_state *state, const leaky_e_note *note)
{
    return KIFU_OK;
}

kifu_verdict leaky_check_p_pass(kifu_timeline *timeline, const leaky_state *state, leaky_p_pass *pass)
{
    return kifu_player(timeline) == kifu_current_player(&state->game) ? kifu_accept() : kifu_reject("wait");
}

void leaky_list_p_pass(const kifu_timeline *timeline, const leaky_state *state, int player, kifu_moves *moves)
{
    if (!leaks("list") || enemys(state, player) != LEAKY_FACE_ONE)
        leaky_add_p_pass(moves);
}

kifu_result leaky_do_p_pass(kifu_timeline *timeline, const leaky_state *state, const leaky_p_pass *pass)
{
    const leaky_face face = enemys(state, kifu_player(timeline));
    const char *text = "it passes";
    uint64_t total = state->total + 1;
    for (uint32_t card = 0; card < LEAKY_CARDS_COUNT && leaks("hash"); card++)
        total = (total ^ state->cards[card].face) * 31;
    *leaky_edit_total(timeline) = total;
    if (leaks("flag") && face == LEAKY_FACE_THREE)
        kifu_reveal(timeline);
    const uint32_t number = leaks("event")   ? face
                            : leaks("lone")  ? state->left
                            : leaks("only")  ? state->alone
                            : leaks("order") ? state->order[2]
                                             : 0;
    leaky_submit_e_note(timeline, number, leaks("size") ? text + face : text);
    *leaky_edit_alone(timeline) = state->alone * 3 + 1;
    if (first_closed(state, kifu_player(timeline)) == LEAKY_CARDS_COUNT)
        leaky_submit_e_deal(timeline);
    kifu_next_turn(timeline, &state->game);
    return KIFU_OK;
}

static const char *face_text(leaky_face face)
{
    static const char *const texts[] = {"it is nothing", "it is a one", "it is a two", "it is a three"};
    return texts[face];
}

kifu_verdict leaky_check_p_open(kifu_timeline *timeline, const leaky_state *state, leaky_p_open *open)
{
    if (open->card >= LEAKY_CARDS_COUNT)
        return kifu_reject("there is no such card");
    if (owner(open->card) != kifu_player(timeline))
        return kifu_reject(leaks("words") ? face_text(state->cards[open->card].face) : "it is not yours");
    return state->cards[open->card].open ? kifu_reject("it is open") : kifu_accept();
}

void leaky_list_p_open(const kifu_timeline *timeline, const leaky_state *state, int player, kifu_moves *moves)
{
    leaky_add_p_open(moves, (uint8_t)first_closed(state, player));
}

kifu_result leaky_do_p_open(kifu_timeline *timeline, const leaky_state *state, const leaky_p_open *open)
{
    if (open->card >= LEAKY_CARDS_COUNT)
        return kifu_fail(timeline, "there is no such card");
    *leaky_edit_cards_open(timeline, open->card) = true;
    return KIFU_OK;
}

kifu_verdict leaky_check_p_tell(kifu_timeline *timeline, const leaky_state *state, leaky_p_tell *tell)
{
    if (tell->card >= LEAKY_CARDS_COUNT || owner(tell->card) != kifu_player(timeline))
        return kifu_reject("it is not yours");
    tell->face = state->cards[tell->card].face;
    return kifu_accept();
}

kifu_result leaky_do_p_tell(kifu_timeline *timeline, const leaky_state *state, const leaky_p_tell *tell)
{
    kifu_reveal(timeline);
    return KIFU_OK;
}
