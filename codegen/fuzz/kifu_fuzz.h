/// Fuzzing your own game: hooks for the program that `kifu_add_game(nim SCHEMA nim.fbs FUZZ)` makes, `nim_fuzz`.
///
/// The program plays at random: events of every type with random fields, legal and illegal, by random players; undo,
/// redo, saves and loads, log files that are killed and torn, seek, films, forks, transactions. All the while it
/// compares state, log and what waits with what they were, with the log executed again, and with the game played again
/// from its inputs (`kifu_verify_rules`). So it finds what changes the state past the edit functions, what depends on
/// anything but state and event (checks and hooks, too), what a failed event leaves behind, and, best with the
/// sanitizers, what crashes. In a game that hides something, it also plays on in two worlds that differ only in what
/// one viewer does not see; messages (seen.h), lists of moves and answers of checks must be the same for this viewer:
///
///     nim_fuzz [--steps N] [--seed S] [--game-length L] [--quiet]      (--help: and some more)
///
/// It ends with status 0 or, at the first thing that is wrong, with 1. Then it says what happened, in as few steps as
/// it can, writes the game before that to `nim-<seed>.kifu`, and prints the command that does the same again. Each game
/// runs in a process of its own, so that nothing from the games before plays a part in it. Log files are in the folder
/// that TMPDIR names, else in this one, and removed after each game.
/// "In 12 of the refusals the rules misused Kifu" is no failure: random events, and those of a game that has not begun,
/// led a Do function to do what it may not (an index that an array does not have, a turn for a player who has not
/// joined), and Kifu took the event back. Where players can bring that about, refuse it in the check.
/// `--worlds` does nothing but compare worlds: 15,000 steps are some 10,000 pairs.
/// A game ends where a step takes more than 5 seconds of processor time (`--step-seconds`), or the game 2,048 MiB of
/// memory; the report names the event that ran. With AddressSanitizer, the limit of memory holds for each block of a
/// timeline alone.
///
/// Nothing more is needed. But at random few games get far. If the schema's player events are `(listed)`, the fuzzer
/// plays listed moves, too (moves.h). Tell it besides how a game begins, and, without lists, what a likely move is:
/// `kifu_add_game(nim SCHEMA nim.fbs FUZZ fuzz.c)`, and in fuzz.c
///
///     #include "kifu_fuzz.h"
///     #include "nim.h"
///
///     static void begin(kifu_timeline *timeline, kifu_rng *rng)
///     {
///         kifu_e_initialize_args initialize = {.has_seed = true, .seed = kifu_rng_next(rng)}; // player 0 starts
///         nim_submit_e_reset_game(timeline);
///         nim_submit_e_add_player(timeline, 0, 0xff0000);
///         nim_submit_e_add_player(timeline, 1, 0x0000ff);
///         nim_submit_e_initialize(timeline, &initialize);
///         nim_submit_e_deal(timeline, (uint16_t[]){3, 4, 5}, 3);
///         nim_submit_e_start_round(timeline);
///     }
///
///     static kifu_ticket input(kifu_timeline *timeline, kifu_rng *rng)
///     {
///         uint8_t heap = (uint8_t)kifu_rng_below(rng, 4);
///         uint16_t stones = nim_get_state(timeline)->heaps[heap];
///         if (!stones)
///             return 0;
///         int player = kifu_current_player(kifu_get_game(timeline));
///         return nim_submit_p_take(timeline, player, heap, (uint16_t)(1 + kifu_rng_below(rng, stones)));
///     }
///
///     const kifu_fuzz_hooks nim_fuzz_hooks = {.begin = begin, .input = input};
///
/// A hook draws from `rng` alone: then the same seed gives the same game.
#ifndef KIFU_FUZZ_H
#define KIFU_FUZZ_H

#include <stdbool.h>
#include <stdint.h>

#include "kifu/kifu.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a game may tell its fuzzer, as `const kifu_fuzz_hooks <game>_fuzz_hooks`. Every member may be zero.
typedef struct kifu_fuzz_hooks {
    /// Submits what a game begins with; it may run it, too. Also called later on, for a new game behind the old one.
    /// NULL: EResetGame, two to four EAddPlayer, EInitialize, EStartRound, as far as the game has them.
    void (*begin)(kifu_timeline *timeline, kifu_rng *rng);

    /// Submits an input that is likely to be legal, does not run it, and returns its ticket; 0: none was found.
    /// NULL: all inputs are listed moves, or random.
    kifu_ticket (*input)(kifu_timeline *timeline, kifu_rng *rng);

    /// For a game with the turn loop: what `kifu_take_turn` gets, with the `kifu_rng *` as its context. An actor for
    /// whom it returns 0 does what `input` submits. NULL: no turns are taken.
    kifu_decide *decide;

    /// Adds to the options of a timeline that is about to be made: `observers`, `user`, and `reset` for a model outside
    /// the state. Several timelines live at once, so each needs a model of its own.
    void (*options)(kifu_options *options);

    /// Adds hooks, reactions and triggers that are not constant to a timeline that was just made, loaded or forked, as
    /// `kifu_options.prepare`. They must depend on nothing but the state and the event. A result that is not KIFU_OK
    /// ends the search.
    kifu_result (*prepare)(kifu_timeline *timeline);

    /// Frees what `options` made, after the timeline.
    void (*dispose)(const kifu_options *options);

    /// A number that tells models outside the state apart: equal for equal ones. NULL: only log, queues and the
    /// standard part of the state are compared.
    uint64_t (*digest)(const kifu_timeline *timeline);

    /// Engine events with random fields are not submitted. By default they are, since a save that somebody else wrote
    /// may hold them. Say true where saves come from friends only and Do functions rely on it.
    bool trusted_engine;
} kifu_fuzz_hooks;

/// What the generated `main` calls; returns the exit status. `hooks` may be NULL.
int kifu_fuzz_main(const kifu_rules *rules, const kifu_fuzz_hooks *hooks, int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
