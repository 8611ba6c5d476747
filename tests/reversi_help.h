/// What the suites of the Reversi example share.
#ifndef TESTS_REVERSI_HELP_H
#define TESTS_REVERSI_HELP_H

#include <string.h>

#include "checks.h"
#include "board.h"
#include "game.h"
#include "plain_reversi.h"
#include "recorded_game.h"

static inline void must(const kifu_timeline *timeline, kifu_result result)
{
    ck_assert_msg(!result, "%s", kifu_last_error(timeline)->message);
}

#define ck_assert_text(timeline, text)                                                                                 \
    ck_assert_msg(strstr(kifu_last_error(timeline)->message, text), "%s", kifu_last_error(timeline)->message)

static inline kifu_timeline *reversi_new(uint64_t seed)
{
    kifu_timeline *timeline;
    kifu_error error;
    kifu_options options = {.quiet = true};
    ck_assert_msg(!kifu_create(&reversi_rules, &options, &timeline, &error), "%s", error.message);
    must(timeline, reversi_begin(timeline, &seed));
    return timeline;
}

static inline int reversi_current(const kifu_timeline *timeline)
{
    return kifu_current_player(kifu_get_game(timeline));
}

static inline kifu_result reversi_place(kifu_timeline *timeline, int square)
{
    reversi_submit_p_place(timeline, reversi_current(timeline),
                           &(reversi_p_place_args){.square = (uint8_t)square, .seconds = -1});
    return kifu_run(timeline);
}

static inline void reversi_play_recorded(kifu_timeline *timeline, int first, int end)
{
    for (int i = first; i < end; i++)
        must(timeline, reversi_place(timeline, board_square(recorded_game + 3 * i)));
}

/// A second timeline, from a save of the first in memory.
static inline kifu_timeline *reversi_reload(kifu_timeline *timeline)
{
    unsigned char *bytes;
    size_t size;
    must(timeline, kifu_save_to_memory(timeline, NULL, &bytes, &size));
    kifu_timeline *loaded;
    kifu_error error;
    kifu_options options = {.quiet = true};
    ck_assert_msg(!kifu_load_from_memory(&reversi_rules, bytes, size, &options, NULL, &loaded, &error), "%s",
                  error.message);
    kifu_free_bytes(timeline, bytes);
    return loaded;
}

/// The two agree on the position.
static inline void same_position(const kifu_timeline *timeline, const plain *position)
{
    const reversi_state *state = reversi_get_state(timeline);
    for (int square = 0; square < BOARD_SQUARES; square++)
        ck_assert_int_eq(".XO"[state->board[square]], position -> cells[square / 8 + 1][square % 8 + 1]);
    ck_assert_int_eq(state->game.phase, position->over ? KIFU_PHASE_GAME_OVER : KIFU_PHASE_PLAY);
    ck_assert_int_eq(".XO"[board_to_move(&state->game)], position -> mover);
    ck_assert_int_eq(".XO"[state->resigned], position -> resigned ? position -> resigned : '.');
}

/// Two timelines have the same state bytes, and events that say the same.
static inline void same_game(const kifu_timeline *one, const kifu_timeline *other)
{
    ck_assert_mem_eq(kifu_state(one), kifu_state(other), sizeof(reversi_state));
    ck_assert_uint_eq(kifu_event_count(one), kifu_event_count(other));
    ck_assert_uint_eq(kifu_pending_count(one), kifu_pending_count(other));
    ck_assert_uint_eq(kifu_can_undo(one, NULL), kifu_can_undo(other, NULL));
    ck_assert_uint_eq(kifu_can_redo(one, NULL), kifu_can_redo(other, NULL));
    for (uint32_t i = 0; i < kifu_event_count(one); i++) {
        kifu_event a, b;
        ck_assert(kifu_event_at(one, i, &a) && kifu_event_at(other, i, &b));
        ck_assert_uint_eq(a.type, b.type);
        ck_assert_int_eq(a.player, b.player);
        ck_assert_uint_eq(a.cause, b.cause);
        ck_assert_uint_eq(a.flags & 3, b.flags & 3); // version 1 did not tell of random numbers
        const void *a_values = (const char *)a.table + 4, *b_values = (const char *)b.table + 4; // behind the vtable's
        if (a.type == REVERSI_P_PLACE)
            ck_assert_mem_eq(a_values, b_values, sizeof(reversi_p_place) - 4);
        else if (a.type == REVERSI_E_FLIP)
            ck_assert_mem_eq(a_values, b_values, sizeof(reversi_e_flip) - 4);
    }
}

#endif
