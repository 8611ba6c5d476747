/// The turn loop of roguelikes and tactics games, and events timed for a later game turn.
///
/// Actors (heroes and monsters are the same to the loop) live in one pool of the state, `(pool, actors)`, whose struct
/// has a field `actor: kifu.Actor;`; the state has a field `turns: kifu.Turns;`; the game's union has kifu.EBeginTurn
/// and kifu.ESpendEnergy of schema/kifu_turns.fbs. In each game turn every actor gains its speed in energy, and acts,
/// in the order of the pool, as often as it has enough. What an action costs is subtracted, so any ratio of speeds is
/// exact. Actors may come and go at any time: whoever comes in mid-turn with enough energy acts in this turn where its
/// index is not before that of the last one who acted, else in the next.
///
/// All turn changes are engine events in the log: replay and undo know nothing of the loop. Actions that a
/// `kifu_decide` submitted continue undo, whoever their player is, so one undo leads back to before the last action
/// that was set. An action that becomes another one, by `kifu_instead` or `kifu_fail_instead`, is the same action
/// still: undo stops there as at the first.
///
///     kifu_turn turn;
///     if (kifu_take_turn(timeline, dungeon_decide, NULL, &turn) == KIFU_OK && turn.status == KIFU_TURN_NEEDS_INPUT)
///         ask(turn.actor);    // later: kifu_set_action(timeline, actor, dungeon_submit_p_move(timeline, player, …))
///     kifu_update(timeline, dt);
#ifndef KIFU_TURNS_H
#define KIFU_TURNS_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "pool.h"
#include "result.h"
#include "rules.h"
#include "standard.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What an action costs where the state's `turns.cost` is 0.
enum { KIFU_USUAL_COST = 100 };

/// The loop's part of an actor: `kifu.Actor` in schema/kifu_turns.fbs.
typedef struct kifu_actor {
    int32_t energy; ///< Acts with `turns.cost` or more; below 0 after an action that cost more than there was.
    int32_t speed;  ///< Energy gained in each game turn; 0 or less: never acts.
} kifu_actor;

/// The loop's part of the state: `kifu.Turns` in schema/kifu_turns.fbs.
typedef struct kifu_turns {
    uint32_t turn;    ///< Game turns begun.
    uint32_t cost;    ///< Of an action, unless its Do says otherwise; 0: KIFU_USUAL_COST. At most INT32_MAX.
    uint32_t current; ///< Index of the actor with whom this game turn goes on.
} kifu_turns;

/// An event that waits for its game turn: `kifu.Timer`.
typedef struct kifu_timer {
    kifu_slot slot; ///< What makes it an element of a pool.
    uint8_t padding_[2];
    uint32_t turn;  ///< The game turn in which the event is to happen.
    uint32_t event; ///< Number of its ESchedule in the log.
    uint32_t key;   ///< For ECancel.
} kifu_timer;

/// A game turn begins, by `kifu_take_turn`: every actor gains energy, and what was timed for it happens.
typedef struct kifu_e_begin_turn {
    int32_t vtable_;
} kifu_e_begin_turn;

/// An actor has acted, or rested: `kifu_take_turn` says so.
typedef struct kifu_e_spend_energy {
    int32_t vtable_;
    kifu_handle actor; ///< Who pays.
    uint32_t cost;     ///< How much energy.
} kifu_e_spend_energy;

/// An event is timed for a later game turn: by `kifu_postpone`.
typedef struct kifu_e_schedule {
    int32_t vtable_;
    uint32_t turn;  ///< The game turn in which it is to happen.
    uint32_t key;   ///< For kifu.ECancel.
    kifu_ref event; ///< The event as a FlatBuffer of its own.
    uint8_t type;   ///< Its id,
    int8_t player;  ///< and who submitted it.
    uint8_t padding_[2];
} kifu_e_schedule;

/// All timed events with this key will not happen.
typedef struct kifu_e_cancel {
    int32_t vtable_;
    uint32_t key; ///< As `kifu_postpone` got it.
} kifu_e_cancel;

/// The Do of kifu.EBeginTurn. A game that overrides the Do of one of these events (`overrides` on its `union Event`)
/// may call the library's from its own.
kifu_result kifu_do_e_begin_turn(kifu_timeline *timeline, const kifu_game *game, const kifu_e_begin_turn *event);
/// The Do of kifu.ESpendEnergy.
kifu_result kifu_do_e_spend_energy(kifu_timeline *timeline, const kifu_game *game, const kifu_e_spend_energy *event);
/// The Do of kifu.ESchedule.
kifu_result kifu_do_e_schedule(kifu_timeline *timeline, const kifu_game *game, const kifu_e_schedule *event);
/// The Do of kifu.ECancel.
kifu_result kifu_do_e_cancel(kifu_timeline *timeline, const kifu_game *game, const kifu_e_cancel *event);

/// What one step of the loop came to.
typedef enum kifu_turn_status {
    KIFU_TURN_ACTED,       ///< `actor` has begun its action; `kifu_update` goes on with its consequences.
    KIFU_TURN_RESTED,      ///< None of the actions that were tried for `actor` could happen: it lost its turn.
    KIFU_TURN_REFUSED,     ///< The action set for `actor` could not happen (`kifu_last_error`): gone, at no cost.
    KIFU_TURN_NEEDS_INPUT, ///< `actor` may act and nobody has decided what: submit, `kifu_set_action`, call again.
    KIFU_TURN_BEGAN,       ///< No actor has energy left: the next game turn has begun.
    KIFU_TURN_BUSY,        ///< Events wait or are being shown: `kifu_update` first.
    KIFU_TURN_NO_ACTORS    ///< There is nobody who could ever act, or the game is over.
} kifu_turn_status;

/// What `kifu_take_turn` did.
typedef struct kifu_turn {
    kifu_turn_status status; ///< What the step came to.
    kifu_handle actor;       ///< KIFU_NO_HANDLE where none is concerned.
} kifu_turn;

/// Decides what an actor without a set action does: submits one event and returns its ticket; 0, and nothing submitted:
/// somebody has to be asked. `attempt` counts from 0 what could not happen. Called from outside, so it may search
/// (KIFU_SEARCH), even with `kifu_take_turn` in the search.
typedef kifu_ticket kifu_decide(void *context, kifu_timeline *timeline, const void *state, kifu_handle actor,
                                uint32_t attempt);

/// Takes one step, and returns; never waits. At most one action of one actor begins. An action that cannot happen (it
/// is rejected, or its Do fails) costs no energy and leaves nothing behind. `decide` may be asked up to 8 times in one
/// call; then the actor rests, which costs a turn. An action that was taken back whole later, because its consequences
/// never ended, counts as one of the 8. `decide` may be NULL: all actors need input.
///
/// Errors: KIFU_MISUSE (the game has no actors; while an event runs; while the past is shown; `decide` did not do as it
/// should: what it submitted waits as an input), those of `kifu_step` but for KIFU_REJECTED, KIFU_FAILED, KIFU_RUNAWAY
/// and KIFU_INVALID_EVENT of an action, and KIFU_NO_MEMORY: an action that had not begun for want of memory is still
/// set, or decided anew.
KIFU_WARN_UNUSED kifu_result kifu_take_turn(kifu_timeline *timeline, kifu_decide *decide, void *context,
                                            kifu_turn *turn);

/// Takes the proposal `ticket`, which waits as an input, out of the queue and makes it what `actor` does when its turn
/// comes: once. Replaces what was set before; `ticket` 0 only removes that. What is set is in saves and log files, and
/// in forks of the present. An undo takes it away, a redo of that brings it back, and so does the roll-back of a
/// transaction. Errors:
/// KIFU_MISUSE (no such input waits; no such actor; while an event runs; while the past is shown), KIFU_NO_MEMORY: it
/// waits still.
kifu_result kifu_set_action(kifu_timeline *timeline, kifu_handle actor, kifu_ticket ticket);

/// In the Do of an action: what it costs, if not `turns.cost`; 0: nothing, and the actor goes on. In a replay, or for
/// an event that is not run by `kifu_take_turn`, it does nothing. Outside of a Do function it is misuse.
void kifu_set_cost(kifu_timeline *timeline, uint32_t cost);

// --- Timed events ----------------------------------------------------------------------------------------------------

/// Turns the proposal `ticket`, which was submitted last, into one that happens when game turn `turn` begins, or with
/// the next one where that is past:
///
///     kifu_postpone(timeline, dungeon_submit_e_open_doors(timeline), state->turns.turn + 20, LEVER);
///
/// Right after its submit, wherever that is allowed: outside, in a Do, a reaction, a check, a hook. It is recorded as a
/// kifu.ESchedule with the event inside, in the same place and with the same ticket; the state's pool of `kifu.Timer`
/// remembers it, so that it is saved, undone and replayed like the rest. Undo stops at it where a player's event was
/// postponed; `kifu_override` is about the ESchedule. All timed events with the same `key` are cancelled by
/// kifu.ECancel.
///
/// They happen as consequences of the game turn's kifu.EBeginTurn, in the order in which they were scheduled; checks
/// and hooks are asked then, and undo continues past them. An event that this version of the game does not know, or
/// cannot read, fails the EBeginTurn (KIFU_FAILED, which names it) once; begun again, the game turn goes on without
/// that one. (With the sync test it is dropped at once.)
///
/// `ticket` 0 (a submit in a replay) does nothing. Errors: KIFU_MISUSE (it is not what was submitted last; the game has
/// no timers; not where a submit is allowed), KIFU_INVALID_EVENT, KIFU_NO_MEMORY: from outside the proposal waits as it
/// was; inside an event, that event fails. Too many timers: the ESchedule fails when it happens.
kifu_result kifu_postpone(kifu_timeline *timeline, kifu_ticket ticket, uint32_t turn, uint32_t key);

#ifdef __cplusplus
}
#endif

#endif
