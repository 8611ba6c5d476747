#include "rules.h"

#include <string.h>

go_stone rules_stone_of(const kifu_game *game, int player)
{
    for (uint32_t i = 0; i < game->player_count && i < 2; i++) {
        if (game->order[i] == player)
            return i == 0 ? GO_STONE_BLACK : GO_STONE_WHITE;
    }
    return GO_STONE_NONE;
}

go_stone rules_to_move(const kifu_game *game)
{
    return game->turn == 0 ? GO_STONE_BLACK : GO_STONE_WHITE;
}

static bool brings_back(const go_state *state, uint64_t key)
{
    if (state->terms.ko == GO_KO_SIMPLE) // A pass lifts the ban.
        return state->plays > 0 && state->last != NO_POINT && !((state->keys[state->plays - 1] ^ key) & ~KEY_TURNS);
    const uint64_t turns = state->terms.ko == GO_KO_SITUATIONAL ? key & KEY_TURNS : KEY_TURNS;
    for (uint32_t i = 0; i <= state->plays; i++) {
        if (!((state->keys[i] ^ key) & ~KEY_TURNS) && state->keys[i] & turns)
            return true;
    }
    return false;
}

static uint64_t key_after(const go_state *state, go_stone stone, uint32_t point, const points *captured)
{
    uint64_t key = state->keys[state->plays] ^ stone_key(stone, point);
    for (uint32_t i = 0; i < captured->count; i++)
        key ^= stone_key(other_stone(stone), captured->items[i]);
    return (key & ~KEY_TURNS) | other_stone(stone);
}

const char *rules_fault(const go_state *state, go_stone stone, uint32_t point, points *captured, uint64_t *key)
{
    if (point >= point_count(&state->terms))
        return "there is no such point on this board";
    if (state->board[point] != GO_STONE_NONE)
        return "there is a stone already";
    if (state->plays >= MOST_PLAYS)
        return "the game has too many moves: pass";
    if (!board_capture(&state->terms, state->board, stone, point, captured))
        return "the stone would have no liberty: suicide is not allowed";
    *key = key_after(state, stone, point, captured);
    return brings_back(state, *key) ? "ko: this would bring back a position" : NULL;
}

const char *rules_stage_fault(const go_state *state, int player, go_stage stage, bool in_turn)
{
    if (state->game.phase == KIFU_PHASE_SETUP)
        return "the game has not begun";
    if (rules_stone_of(&state->game, player) == GO_STONE_NONE)
        return "only a player may do this";
    if (state->stage != stage)
        return stage == GO_STAGE_PLAYING ? "the stones are counted: agree, or play on"
                                         : "the stones are not counted yet: that begins with two passes";
    return in_turn && player != kifu_current_player(&state->game) ? "it is the other player's turn" : NULL;
}

void rules_stop_counting(kifu_timeline *timeline, const go_state *state)
{
    for (uint32_t point = 0; point < point_count(&state->terms); point++) {
        if (state->dead[point])
            *go_edit_dead(timeline, point) = false;
    }
    *go_edit_agreed(timeline, 0) = false;
    *go_edit_agreed(timeline, 1) = false;
    *go_edit_stage(timeline) = GO_STAGE_PLAYING;
    *go_edit_passes(timeline) = 0;
}

// --- Counting --------------------------------------------------------------------------------------------------------

// What surrounds the empty points of a region: bit 0 for black, bit 1 for white.
static uint32_t surrounding(const go_terms *terms, const go_stone *board, const points *region)
{
    uint16_t beside[4];
    uint32_t found = 0;
    for (uint32_t i = 0; i < region->count; i++) {
        for (uint32_t k = board_beside(terms, region->items[i], beside); k > 0; k--)
            found |= board[beside[k - 1]];
    }
    return found;
}

void rules_owners(const go_state *state, go_stone owners[MOST_POINTS])
{
    const uint32_t count = point_count(&state->terms);
    go_stone board[MOST_POINTS] = {GO_STONE_NONE};
    bool done[MOST_POINTS] = {false};
    points region;
    for (uint32_t point = 0; point < count; point++)
        board[point] = state->dead[point] ? GO_STONE_NONE : state->board[point];
    memcpy(owners, board, sizeof board);
    for (uint32_t point = 0; point < count; point++) {
        if (board[point] || done[point])
            continue;
        board_chain(&state->terms, board, point, NO_POINT, &region);
        const uint32_t around = surrounding(&state->terms, board, &region);
        for (uint32_t i = 0; i < region.count; i++) {
            done[region.items[i]] = true;
            owners[region.items[i]] = around == 3 ? GO_STONE_NONE : (go_stone)around;
        }
    }
}

int32_t rules_lead(const go_state *state)
{
    const bool area = state->terms.counting == GO_COUNTING_AREA;
    go_stone owners[MOST_POINTS];
    rules_owners(state, owners);
    int32_t lead = area ? -(int32_t)state->terms.handicap : (int32_t)state->lost[1] - (int32_t)state->lost[0];
    for (uint32_t point = 0; point < point_count(&state->terms); point++) {
        const int32_t worth = owners[point] == GO_STONE_BLACK ? 1 : owners[point] == GO_STONE_WHITE ? -1 : 0;
        if (area || state->board[point] == GO_STONE_NONE)
            lead += worth;
        else if (state->dead[point]) // a captive, and the point under it
            lead += worth + (state->board[point] == GO_STONE_WHITE ? 1 : -1);
    }
    return 2 * lead - state->terms.komi;
}
