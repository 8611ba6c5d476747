/// A game's own program plays over a network: `duel serve`, `duel join`, `duel watch` and `duel games`. Link
/// `kifu::nats`.
///
///     static const kifu_online_game online = {
///         .rules = &duel_rules, .name = "duel", .seats = 2, .begin = begin, .play = play};
///     if (argc > 1 && kifu_online_command(argv[1]))
///         return kifu_online_main(&online, argc, argv);
///
/// `play` is the game's own loop. Its timeline is a watcher (watch.h): it has what this player sees. Moves are
/// submitted and run there as always, and happen at once, as far as that can be known here. The referee confirms them,
/// or they are taken back:
///
///     static int play(void *context, kifu_online *online)
///     {
///         kifu_timeline *timeline = kifu_online_timeline(online);
///         for (…) {
///             …                                            // keys: submit, begin, commit, roll back, seek
///             kifu_online_update(online, dt);              // instead of kifu_update
///             const char *words = kifu_online_words(online);
///             …                                            // show these, if any; draw the state
///         }
///     }
///
/// runtime/docs/network.md tells how the programs find each other, and what is stored where.
#ifndef KIFU_ONLINE_H
#define KIFU_ONLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "result.h"
#include "timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A seat of one game, or a spectator, while `kifu_online_game.play` runs.
typedef struct kifu_online kifu_online;

/// A game that is played over a network. Every member but `rules`, `name`, `seats` and `begin` may be zero. What the
/// pointers point to must outlive `kifu_online_main`.
typedef struct kifu_online_game {
    const kifu_rules *rules; ///< Of the whole game: the program makes those of its players from them.
    /// The program's name, for messages; the service (nats.h); and what a game without a name is called. 1 to 40
    /// characters of a-z, 0-9, _ and -.
    const char *name;
    uint32_t seats; ///< 1 to KIFU_MAX_PLAYERS. The seat is the player's number.
    /// How timelines are made: the referee's, without the view, and those that players look at.
    kifu_options options;
    /// Begins a new game: submits its first events, and runs them. As `kifu_referee_options.begin`.
    kifu_result (*begin)(void *context, kifu_timeline *timeline, uint32_t seats);
    /// Plays until the player leaves; returns the exit status. It is called when the game is there. NULL: the state is
    /// drawn as text (`kifu_options.draw`), and the player types the number of a listed move.
    int (*play)(void *context, kifu_online *online);
    const char *const *players; ///< Names by seat, for texts. NULL: "player 0", "player 1", …
    void *context;              ///< Passed to these functions.
} kifu_online_game;

/// Whether `word` is one of the commands serve, join, watch and games.
bool kifu_online_command(const char *word);

/// Runs the command `argv[1]` with its arguments, and returns the exit status: 0, or what `play` returned; 1: trouble;
/// 2: a mistake in the arguments. `--help` lists them. It prints to standard output and standard error.
int kifu_online_main(const kifu_online_game *game, int argc, char **argv);

// --- Inside `play` ---------------------------------------------------------------------------------------------------

/// What this player sees of the game: the same timeline all the time.
kifu_timeline *kifu_online_timeline(kifu_online *online);

/// The player's number; -1: a spectator.
int kifu_online_seat(const kifu_online *online);

/// Whether this player's program may submit a move now: the move before was answered. Whose turn it is, the game knows.
bool kifu_online_is_ready(const kifu_online *online);

/// To be called for each frame instead of `kifu_update`: sends what was submitted or committed, receives what others
/// did, and calls `kifu_update` with `dt`. Inputs outside of a transaction that wait together go together: all of them
/// happen, or none. The steps of a transaction run here until `kifu_commit`; then they are sent as one move. While a
/// transaction is open, or the past is shown (`kifu_seek`), nothing is received. Results as `kifu_update`.
kifu_result kifu_online_update(kifu_online *online, double dt);

/// What to show the player now: why a move was refused, that another player asks for an undo, and the like. Each text
/// is returned once; it is valid until the next call for `online`. NULL: nothing.
const char *kifu_online_words(kifu_online *online);

/// Asks to take back this player's last move and all that followed. The other players must agree.
void kifu_online_undo(kifu_online *online);

/// The seat that waits for this player to allow an undo or redo; -1: none does.
int kifu_online_asker(const kifu_online *online);

/// Answers that.
void kifu_online_consent(kifu_online *online, bool agree);

#ifdef __cplusplus
}
#endif

#endif
