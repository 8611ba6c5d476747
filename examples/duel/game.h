/// What players do, persons and computers alike: each move is a transaction, kept or taken back whole.
#ifndef GAME_H
#define GAME_H

#include "duel.h"
#include "rules.h"

/// Two players, lots drawn for the first turn, decks shuffled, hands dealt: starts a game on an empty timeline that has
/// its triggers. `seed` NULL: lots are really drawn, and decks are shuffled by numbers of the system. Results as
/// `kifu_run`.
kifu_result duel_begin(kifu_timeline *timeline, const uint64_t *seed);

typedef enum duel_move_kind { DUEL_PLAY, DUEL_ATTACK, DUEL_END_TURN } duel_move_kind;

/// Anything that a player may do in a turn.
typedef struct duel_move {
    duel_move_kind kind;
    uint8_t card;      ///< DUEL_PLAY: of the hand.
    uint8_t sacrifice; ///< DUEL_PLAY: the creature it costs, or NO_CARD.
    uint8_t target;    ///< DUEL_PLAY: where the spell goes, or NO_TARGET; DUEL_ATTACK: who is attacked.
    uint8_t attackers[DECK_SIZE];
    uint32_t attacker_count;
} duel_move;

// --- Step by step, for a view that shows each step. In between, run the timeline: kifu_update. -----------------------

/// Begins to play a card: opens a transaction and announces it. Then follow `duel_submit_p_tap` and
/// `duel_submit_p_sacrifice` until `rules_is_paid`, and `duel_submit_p_play`. Until it is settled, `kifu_roll_back`
/// cancels it, however much is paid.
KIFU_WARN_UNUSED kifu_result duel_begin_play(kifu_timeline *timeline, int player, uint32_t card);

/// Taps the first lands that are untapped, as many as are owed.
void duel_tap_lands(kifu_timeline *timeline, int player);

/// Begins an attack: opens a transaction and submits it.
KIFU_WARN_UNUSED kifu_result duel_begin_attack(kifu_timeline *timeline, int player, const uint8_t *attackers,
                                               uint32_t count, uint32_t target);

/// The same for a whole move with all of its steps, of the player whose turn it is.
KIFU_WARN_UNUSED kifu_result duel_begin_move(kifu_timeline *timeline, const duel_move *move);

/// To be called when all of that has happened and nothing waits, or when running it gave `result`, an error. Judges the
/// outcome: keeps it, or takes it back whole, and then `*why` says why (NULL where `kifu_last_error` does). A card that
/// is still being paid for is left as it is: KIFU_OK. What its play triggers waits then: run the timeline again.
/// Results: `result`; KIFU_REJECTED (`why`); those of `kifu_commit` and `kifu_roll_back`.
KIFU_WARN_UNUSED kifu_result duel_settle(kifu_timeline *timeline, kifu_result result, const char **why);

// --- All at once, for computers and tests ----------------------------------------------------------------------------

/// Makes a whole move. Where it cannot be made, nothing has changed. Results as `duel_settle` and `kifu_run`.
KIFU_WARN_UNUSED kifu_result duel_make_move(kifu_timeline *timeline, const duel_move *move, const char **why);

// --- From a player's program, as bytes -------------------------------------------------------------------------------

/// For `kifu_options.judge_request`: the rule about a move's outcome also holds for a program that does not ask.
/// `defer_batches` goes with it, because a card is paid in steps.
const char *duel_judge_request(const kifu_timeline *timeline, int player);

#endif
