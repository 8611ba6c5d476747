// reversi_v1 write FILE: plays the first moves of the recorded game with version 1's rules, takes one back, and saves.
// reversi_v1 read FILE:  tries to load a save with version 1.
// game.kifu beside this file was written so, by an early Kifu, and went over to format 1.0 by JSON. It stays as it is,
// like any save that a player has.

#include <stdio.h>
#include <string.h>

#include "board.h"
#include "recorded_game.h"

enum { MOVES = RECORDED_V1_MOVES + 1 };

static kifu_result play(kifu_timeline *timeline)
{
    kifu_e_initialize_args initialize = kifu_e_initialize_defaults();
    initialize.has_seed = true;
    initialize.seed = RECORDED_SEED;
    reversi_submit_e_reset_game(timeline);
    reversi_submit_e_add_player(timeline, 0, 0x202020);
    reversi_submit_e_add_player(timeline, 1, 0xf0f0f0);
    reversi_submit_e_initialize(timeline, &initialize);
    reversi_submit_e_set_up_board(timeline);
    reversi_submit_e_start_round(timeline);
    kifu_result result = kifu_run(timeline);
    const char *move = recorded_game;
    for (int i = 0; i < MOVES && !result; i++, move += 3) {
        reversi_submit_p_place(timeline, kifu_current_player(kifu_get_game(timeline)), (uint8_t)board_square(move), 0);
        result = kifu_run(timeline);
    }
    return result ? result : kifu_undo(timeline);
}

int main(int argc, char **argv)
{
    bool write = argc == 3 && strcmp(argv[1], "write") == 0;
    if (!write && !(argc == 3 && strcmp(argv[1], "read") == 0)) {
        fputs("usage: reversi_v1 write|read FILE\n", stderr);
        return 2;
    }
    kifu_timeline *timeline;
    kifu_error error;
    kifu_options options = {.quiet = true};
    kifu_result result;
    if (write) {
        result = kifu_create(&reversi_rules, &options, &timeline, &error);
        if (!result) {
            const char *const players[] = {"Ada", "Grace"};
            kifu_save_options about = {.title = "A game of version 1", .players = players, .player_count = 2};
            result = play(timeline);
            if (!result)
                result = kifu_save(timeline, argv[2], &about);
            if (result)
                error = *kifu_last_error(timeline);
        }
    } else {
        result = kifu_load(&reversi_rules, argv[2], &options, NULL, &timeline, &error);
    }
    if (result)
        printf("reversi_v1: %s\n", error.message);
    else
        printf("reversi_v1: %s has %u events\n", argv[2], kifu_event_count(timeline));
    kifu_destroy(timeline);
    return result ? 1 : 0;
}
