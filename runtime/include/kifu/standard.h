/// The standard part of a game: players, turns, the random numbers, and the five standard events of schema/kifu.fbs.
///
/// These structs are what `kifuc` would generate for schema/kifu.fbs; every generated game asserts that.
#ifndef KIFU_STANDARD_H
#define KIFU_STANDARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "detail/event.h"
#include "detail/state.h"
#include "event.h"
#include "random.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    KIFU_MAX_PLAYERS = 16 ///< How many players a game may have.
};

/// Phases of a game.
typedef uint8_t kifu_phase;
enum {
    KIFU_PHASE_SETUP = 0,    ///< Before the first round.
    KIFU_PHASE_PLAY = 1,     ///< From the first round on.
    KIFU_PHASE_GAME_OVER = 2 ///< Player events are rejected.
};

/// The name of a phase in the schema: "PLAY"; "?" for a number that is no phase.
static inline const char *kifu_phase_name(kifu_phase value)
{
    static const char *const names[] = {"SETUP", "PLAY", "GAME_OVER"};
    return kifu__name(names, 3, value);
}

/// Colors by name, for `kifu_player_info.color`. Any other 0xRRGGBB is a color, too.
enum {
    KIFU_BLACK = 0x000000,
    KIFU_WHITE = 0xFFFFFF,
    KIFU_RED = 0xFF0000,
    KIFU_GREEN = 0x008000,
    KIFU_BLUE = 0x0000FF,
    KIFU_YELLOW = 0xFFD700,
    KIFU_ORANGE = 0xFF8C00,
    KIFU_PURPLE = 0x800080
};

/// One player; the index in `kifu_game.players` is the player's number.
typedef struct kifu_player_info {
    uint32_t color;   ///< 0xRRGGBB, such as KIFU_RED.
    uint8_t position; ///< Place at the table, counted clockwise from 0.
    uint8_t padding_[3];
} kifu_player_info;

/// The first field of every game's state: `kifu.Game`.
typedef struct kifu_game {
    kifu_rng rng;                               ///< The game's random numbers.
    kifu_player_info players[KIFU_MAX_PLAYERS]; ///< By number, in the order of joining.
    uint8_t order[KIFU_MAX_PLAYERS];            ///< Player numbers in turn order: the first `player_count`.
    uint8_t player_count;                       ///< How many have joined.
    uint8_t turn;                               ///< Index into `order` of the player whose turn it is.
    kifu_phase phase;                           ///< KIFU_PHASE_…
    uint8_t padding_[1];
    uint32_t round; ///< How many rounds have begun.
} kifu_game;

/// The first event of a game: clears the whole state.
typedef struct kifu_e_reset_game {
    int32_t vtable_;
} kifu_e_reset_game;

/// What to submit as a kifu.EResetGame.
typedef struct kifu_e_reset_game_args {
    char unused; ///< C has no empty structs.
} kifu_e_reset_game_args;

/// The schema's defaults.
static inline kifu_e_reset_game_args kifu_e_reset_game_defaults(void)
{
    kifu_e_reset_game_args args;
    memset(&args, 0, sizeof args);
    return args;
}

/// A player joins. Rejected if the table is full (16 players, or `max_players` of the game's `union Event`), and if
/// another player sits at the position.
typedef struct kifu_e_add_player {
    int32_t vtable_;
    uint32_t color;   ///< 0xRRGGBB.
    uint8_t position; ///< Place at the table, counted clockwise from 0; no two players share one.
    uint8_t padding_[3];
} kifu_e_add_player;

/// What to submit as a kifu.EAddPlayer.
typedef struct kifu_e_add_player_args {
    uint8_t position; ///< Place at the table, counted clockwise from 0.
    uint32_t color;   ///< 0xRRGGBB.
} kifu_e_add_player_args;

/// The schema's defaults.
static inline kifu_e_add_player_args kifu_e_add_player_defaults(void)
{
    kifu_e_add_player_args args;
    memset(&args, 0, sizeof args);
    return args;
}

enum { KIFU_BY_LOT = -1 };

/// Seeds the random numbers, and sets the turn order: the starting player, then the others clockwise from there.
typedef struct kifu_e_initialize {
    int32_t vtable_;
    bool has_seed;          ///< True in every recorded event.
    int8_t starting_player; ///< Number of the player who starts, or KIFU_BY_LOT. Rejected if they have not joined.
    uint8_t padding_[2];
    uint64_t seed; ///< If it is absent, Kifu chooses one before it records the event.
} kifu_e_initialize;

/// What to submit as a kifu.EInitialize.
typedef struct kifu_e_initialize_args {
    bool has_seed;          ///< Whether `seed` is there. If not, Kifu chooses one before it records the event.
    uint64_t seed;          ///< Of the random numbers.
    int8_t starting_player; ///< Number of the player who starts, or KIFU_BY_LOT.
} kifu_e_initialize_args;

/// The schema's defaults: a seed that Kifu chooses, and a starting player drawn by lot.
static inline kifu_e_initialize_args kifu_e_initialize_defaults(void)
{
    kifu_e_initialize_args args;
    memset(&args, 0, sizeof args);
    args.starting_player = KIFU_BY_LOT;
    return args;
}

/// A round begins: it is the first player's turn, and the phase is PLAY.
typedef struct kifu_e_start_round {
    int32_t vtable_;
} kifu_e_start_round;

/// What to submit as a kifu.EStartRound.
typedef struct kifu_e_start_round_args {
    char unused; ///< C has no empty structs.
} kifu_e_start_round_args;

/// The schema's defaults.
static inline kifu_e_start_round_args kifu_e_start_round_defaults(void)
{
    kifu_e_start_round_args args;
    memset(&args, 0, sizeof args);
    return args;
}

/// The game is over: from now on, player events are rejected.
typedef struct kifu_e_end_game {
    int32_t vtable_;
} kifu_e_end_game;

/// What to submit as a kifu.EEndGame.
typedef struct kifu_e_end_game_args {
    char unused; ///< C has no empty structs.
} kifu_e_end_game_args;

/// The schema's defaults.
static inline kifu_e_end_game_args kifu_e_end_game_defaults(void)
{
    kifu_e_end_game_args args;
    memset(&args, 0, sizeof args);
    return args;
}

/// The Do of kifu.EResetGame. If a game overrides the Do of a standard event (`overrides` on its `union Event`), its
/// own Do may call the library's.
kifu_result kifu_do_e_reset_game(kifu_timeline *timeline, const kifu_game *game, const kifu_e_reset_game *event);
/// The Do of kifu.EAddPlayer.
kifu_result kifu_do_e_add_player(kifu_timeline *timeline, const kifu_game *game, const kifu_e_add_player *event);
/// The Do of kifu.EInitialize.
kifu_result kifu_do_e_initialize(kifu_timeline *timeline, const kifu_game *game, const kifu_e_initialize *event);
/// The Do of kifu.EStartRound.
kifu_result kifu_do_e_start_round(kifu_timeline *timeline, const kifu_game *game, const kifu_e_start_round *event);
/// The Do of kifu.EEndGame.
kifu_result kifu_do_e_end_game(kifu_timeline *timeline, const kifu_game *game, const kifu_e_end_game *event);
/// The check of kifu.EAddPlayer.
kifu_verdict kifu_check_e_add_player(kifu_timeline *timeline, const kifu_game *game, kifu_e_add_player *event);
/// The check of kifu.EInitialize.
kifu_verdict kifu_check_e_initialize(kifu_timeline *timeline, const kifu_game *game, kifu_e_initialize *event);

/// The standard part of the state: every state begins with it.
const kifu_game *kifu_get_game(const kifu_timeline *timeline);

/// Number of the player whose turn it is, or -1 if there are no players.
static inline int kifu_current_player(const kifu_game *game)
{
    return game->player_count ? game->order[game->turn] : -1;
}

/// Edits, for Do functions. `turn` is a place in `order`: to make a player current by number, call
/// `kifu_set_current_player`.
static inline uint8_t *kifu_edit_turn(kifu_timeline *timeline)
{
    return (uint8_t *)kifu__edit_scalar(timeline, offsetof(kifu_game, turn));
}
static inline kifu_phase *kifu_edit_phase(kifu_timeline *timeline)
{
    return (kifu_phase *)kifu__edit_scalar(timeline, offsetof(kifu_game, phase));
}
static inline uint32_t *kifu_edit_round(kifu_timeline *timeline)
{
    return (uint32_t *)kifu__edit_scalar(timeline, offsetof(kifu_game, round));
}

/// In a Do function: makes the next player in turn order current.
static inline void kifu_next_turn(kifu_timeline *timeline, const kifu_game *game)
{
    uint8_t next = (uint8_t)(game->turn + 1);
    *kifu_edit_turn(timeline) = next < game->player_count ? next : 0;
}

/// In a Do function: makes player number `player` current, whatever their place in the turn order. A player who has not
/// joined is misuse (KIFU_MISUSE): the event fails.
void kifu_set_current_player(kifu_timeline *timeline, int player);

#ifdef __cplusplus
}
#endif

#endif
