/// Bots: computer players for any game that lists its moves (moves.h).
///
/// A bot tries moves on copies of the game, so it uses the game's own rules: you do not write them twice. The game only
/// tells the bot how it has ended and, if cards are hidden, what else they might be:
///
///     static void judge(const kifu_timeline *timeline, double *worth)
///     {
///         const nim_state *state = nim_get_state(timeline);
///         worth[kifu_current_player(&state->game)] = 1; // who takes the last stone has won
///     }
///
///     const kifu_bot nim_bot = {.judge = judge};
///
///     kifu_result result = kifu_play_best(timeline, &nim_bot, &(kifu_thinking){.tries = 5000});
///
/// This is Monte-Carlo tree search. A *try* goes down the tree of moves that were tried before, and prefers moves that
/// led to good ends or were seldom tried. Then it plays on with random moves, and lets the game judge the end. Finally
/// the bot takes the move that it has tried most.
///
/// Dice fall anew in each try. A game with hidden cards deals them anew before each try (`deal`), so the bot does not
/// know them.
#ifndef KIFU_BOT_H
#define KIFU_BOT_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "moves.h"
#include "progress.h"
#include "random.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// `kifu_bot.depth`: no moves by lot; each try ends where the tree ends.
#define KIFU_AT_ONCE UINT32_MAX

/// What a bot has to know of a game besides its rules. All functions look at a copy of the game, in several threads at
/// once if you allow that, and may depend on nothing else. On the copy, a transaction with KIFU_SEARCH is open. By
/// this, rules can recognise it: the check of an event that only deals imagined cards accepts it if
/// `kifu_open_transactions` is not 0.
typedef struct kifu_bot {
    /// Says for each player, `worth[player]`, how good the game is: 1 is won, 0 is lost, 0.5 a draw; with more than two
    /// players or with scores, any share from 0 to 1. All are 0 before the call. If a try ends before the game does,
    /// `worth` is an estimate. Never NULL.
    void (*judge)(const kifu_timeline *timeline, double *worth);
    /// Deals anew what `player` cannot see: tries one or several events for that (search.h), such as `return
    /// duel_try_e_imagine(timeline, player);`. The bot takes them back. They draw from random numbers that are new in
    /// each try. Their result must not depend on how the cards really lie: sort them before you shuffle. NULL: nothing
    /// is hidden.
    kifu_result (*deal)(kifu_timeline *timeline, int player);
    /// Whose turn it is; -1: no player's, so the try ends. NULL: kifu_current_player.
    int (*to_move)(const kifu_timeline *timeline);
    /// How many moves, drawn by lot, a try makes beyond the tree before it is judged; KIFU_AT_ONCE: none. If `judge`
    /// estimates well, few moves are better than many. 0: until the game is over, at most 1,000.
    uint32_t depth;
} kifu_bot;

/// How a bot thinks. Every member may be zero.
typedef struct kifu_thinking {
    uint32_t tries; ///< It ends after so many tries, or earlier if no other move can win any more. 0: see `seconds`.
    double seconds; ///< It ends after this time, or earlier as `tries` says. 0: no limit; 1,000 tries if both are 0.
    uint64_t seed;  ///< Another seed, other random numbers.
    /// How many threads think, this one included; 0 and 1: only this one. More than 16 are as 16. They grow one tree,
    /// each behind other moves. With at most 1,000 tries, one thread does all the work; also if the system has no
    /// threads.
    uint32_t threads;
    /// How many bytes the tree may take; 0: 256 MiB. A tree that has used them grows no further: the tries go on in it,
    /// and leave it by random moves. (With more than 1,000 tries, a sixteenth is for the moves that are found on each
    /// of 16 ways, so some of it may stay free.) The first moves are always in it. The copies of the game, one for each
    /// thread, and what a thread remembers of its tries, are not counted.
    uint32_t memory;
    /// Gets after each try of this thread how much of the thinking is done, in thousandths (progress.h). If it cancels,
    /// the bot takes the best move so far. It may not use the timeline. NULL: none.
    kifu_progress *progress;
    void *context; ///< Passed to `progress`.
} kifu_thinking;

/// Lists in `moves` the moves that `player` may play, and sets `*move` to the best of them, which is valid as long as
/// the list; NULL: the player has no move. Nothing happens on the timeline. `thinking` may be NULL.
///
/// The same position, seed, number of tries and `memory` choose the same move, on every platform and with any number of
/// threads, if neither `seconds` nor `progress` ended it. (What `judge` computes must be the same, too.)
///
/// If it fails, `*move` is NULL and the list is empty. Errors: those of `kifu_list_moves`; KIFU_MISUSE (an event runs;
/// a try is open; the past is shown; something waits; the model is outside the state; `judge` is NULL); KIFU_NO_MEMORY;
/// what `deal` returns; an error of the game's functions other than a rejection.
KIFU_WARN_UNUSED kifu_result kifu_choose_move(kifu_timeline *timeline, int player, const kifu_bot *bot,
                                              const kifu_thinking *thinking, kifu_moves *moves, const kifu_move **move);

/// Plays the best move of the player whose turn it is (`kifu_bot.to_move`): chooses it, submits it, and runs the
/// timeline as `kifu_run` does. Before that, it runs what waits. A program that shows the move by `kifu_update`, or
/// looks at it first, calls `kifu_choose_move` and `kifu_submit_move`. Errors: KIFU_REJECTED (no player is to move, or
/// the player has no move: nothing happens); those of `kifu_choose_move` and of `kifu_run`.
kifu_result kifu_play_best(kifu_timeline *timeline, const kifu_bot *bot, const kifu_thinking *thinking);

/// As `kifu_choose_move`, without thinking: each move is equally likely. `rng` is yours, and not the game's (random.h).
/// Errors: those of `kifu_list_moves`.
KIFU_WARN_UNUSED kifu_result kifu_choose_any_move(kifu_timeline *timeline, int player, kifu_rng *rng, kifu_moves *moves,
                                                  const kifu_move **move);

#ifdef __cplusplus
}
#endif

#endif
