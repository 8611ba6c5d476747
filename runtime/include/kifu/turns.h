/// The turn loop of roguelikes and tactics games, and events timed for a later game turn.
///
/// Actors are heroes and monsters; the loop treats them alike. They live in one pool of the state, `(pool, actors)`,
/// whose struct has a field `actor: kifu.Actor;`. The state has a field `turns: kifu.Turns;`, and the game's union has
/// kifu.EBeginTurn and kifu.ESpendEnergy of schema/kifu_turns.fbs.
///
/// In each game turn, every actor gains its speed in energy. Then the actors act in the order of the pool, each as
/// often as its energy allows. The loop subtracts what an action costs, so any ratio of speeds is exact. Actors may
/// come and go at any time. A new actor with enough energy acts in this game turn, unless its index is below that of
/// the actor who acted last: then it acts in the next.
///
/// All turn changes are engine events in the log, so replay and undo need no loop. Undo continues past actions that a
/// `kifu_decide` submitted, whatever their player is. So one undo leads back to before the last action that
/// `kifu_set_action` set. An action that `kifu_instead` or `kifu_fail_instead` replaces counts as the same action. An
/// action of several turns (running, resting, walking to a place) goes on by itself: see `kifu_go_on`.
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
#include "standard.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What an action costs if the state's `turns.cost` is 0.
enum { KIFU_USUAL_COST = 100 };

/// The loop's part of an actor: `kifu.Actor` in schema/kifu_turns.fbs.
typedef struct kifu_actor {
    int32_t energy; ///< With `turns.cost` or more it acts. Below 0 after an action that cost more than it had.
    int32_t speed;  ///< Energy that it gains in each game turn; 0 or less: it never acts.
} kifu_actor;

/// The loop's part of the state: `kifu.Turns` in schema/kifu_turns.fbs.
typedef struct kifu_turns {
    uint32_t turn;    ///< How many game turns have begun.
    uint32_t cost;    ///< Cost of an action, unless its Do sets another; 0: KIFU_USUAL_COST. At most INT32_MAX.
    uint32_t current; ///< Index of the actor with whom this game turn goes on.
} kifu_turns;

/// An event that waits for its game turn: `kifu.Timer`.
typedef struct kifu_timer {
    kifu_slot slot; ///< Every element of a pool begins with it.
    uint8_t padding_[2];
    uint32_t turn;  ///< The game turn in which the event happens.
    uint32_t event; ///< Number of its ESchedule in the log.
    uint32_t key;   ///< For ECancel.
} kifu_timer;

/// A game turn begins: every actor gains energy, and the events that were timed for it happen. `kifu_take_turn` submits
/// it.
typedef struct kifu_e_begin_turn {
    int32_t vtable_;
} kifu_e_begin_turn;

/// What to submit as a kifu.EBeginTurn.
typedef struct kifu_e_begin_turn_args {
    char unused; ///< C has no empty structs.
} kifu_e_begin_turn_args;

/// The schema's defaults.
static inline kifu_e_begin_turn_args kifu_e_begin_turn_defaults(void)
{
    kifu_e_begin_turn_args args;
    memset(&args, 0, sizeof args);
    return args;
}

/// An actor has acted, or rested. `kifu_take_turn` submits it.
typedef struct kifu_e_spend_energy {
    int32_t vtable_;
    kifu_handle actor; ///< The actor who pays.
    uint32_t cost;     ///< How much energy.
} kifu_e_spend_energy;

/// What to submit as a kifu.ESpendEnergy.
typedef struct kifu_e_spend_energy_args {
    kifu_handle actor; ///< The actor who pays.
    uint32_t cost;     ///< How much energy.
} kifu_e_spend_energy_args;

/// The schema's defaults.
static inline kifu_e_spend_energy_args kifu_e_spend_energy_defaults(void)
{
    kifu_e_spend_energy_args args;
    memset(&args, 0, sizeof args);
    return args;
}

/// An event is timed for a later game turn. `kifu_postpone` submits it.
typedef struct kifu_e_schedule {
    int32_t vtable_;
    uint32_t turn;  ///< The game turn in which it happens.
    uint32_t key;   ///< For kifu.ECancel.
    kifu_ref event; ///< The event as a FlatBuffer of its own.
    uint8_t type;   ///< Id of the event,
    int8_t player;  ///< and the player who submitted it.
    uint8_t padding_[2];
} kifu_e_schedule;

/// What to submit as a kifu.ESchedule.
typedef struct kifu_e_schedule_args {
    uint32_t turn;        ///< The game turn in which it happens.
    uint32_t key;         ///< For kifu.ECancel.
    uint8_t type;         ///< Id of the event,
    int8_t player;        ///< and the player who submits it.
    const uint8_t *event; ///< The event as a FlatBuffer of its own.
    uint32_t event_count; ///< Its size in bytes.
} kifu_e_schedule_args;

/// The schema's defaults: zeros, and no event.
static inline kifu_e_schedule_args kifu_e_schedule_defaults(void)
{
    kifu_e_schedule_args args;
    memset(&args, 0, sizeof args);
    return args;
}

/// Cancels all timed events with this key.
typedef struct kifu_e_cancel {
    int32_t vtable_;
    uint32_t key; ///< The key that `kifu_postpone` got.
} kifu_e_cancel;

/// What to submit as a kifu.ECancel.
typedef struct kifu_e_cancel_args {
    uint32_t key; ///< The key that `kifu_postpone` got.
} kifu_e_cancel_args;

/// The schema's defaults.
static inline kifu_e_cancel_args kifu_e_cancel_defaults(void)
{
    kifu_e_cancel_args args;
    memset(&args, 0, sizeof args);
    return args;
}

/// The Do of kifu.EBeginTurn. If a game overrides the Do of one of these events (`overrides` on its `union Event`), its
/// own Do may call the library's.
kifu_result kifu_do_e_begin_turn(kifu_timeline *timeline, const kifu_game *game, const kifu_e_begin_turn *event);
/// The Do of kifu.ESpendEnergy.
kifu_result kifu_do_e_spend_energy(kifu_timeline *timeline, const kifu_game *game, const kifu_e_spend_energy *event);
/// The Do of kifu.ESchedule.
kifu_result kifu_do_e_schedule(kifu_timeline *timeline, const kifu_game *game, const kifu_e_schedule *event);
/// The Do of kifu.ECancel.
kifu_result kifu_do_e_cancel(kifu_timeline *timeline, const kifu_game *game, const kifu_e_cancel *event);

/// What happened in one step of the loop.
typedef enum kifu_turn_status {
    KIFU_TURN_ACTED,       ///< `actor` has begun its action; `kifu_update` goes on with its consequences.
    KIFU_TURN_RESTED,      ///< None of the actions that were tried for `actor` could happen: it loses its turn.
    KIFU_TURN_REFUSED,     ///< The action set for `actor` could not happen (`kifu_last_error`) and cost nothing.
    KIFU_TURN_NEEDS_INPUT, ///< `actor` may act, and no action is decided: submit, `kifu_set_action`, call again.
    KIFU_TURN_BEGAN,       ///< No actor had enough energy left: the next game turn has begun.
    KIFU_TURN_BUSY,        ///< Events wait, or the view still shows one: call `kifu_update` first.
    KIFU_TURN_NO_ACTORS,   ///< There is no actor who could ever act, or the game is over.
    KIFU_TURN_ENDED        ///< The action of `actor` could not go on (`kifu_last_error`). Nothing happened: call again.
} kifu_turn_status;

/// What `kifu_take_turn` did.
typedef struct kifu_turn {
    kifu_turn_status status; ///< What happened.
    kifu_handle actor;       ///< Whose action it is; KIFU_NO_HANDLE: no actor's.
} kifu_turn;

/// Decides the action of an actor for whom none is set. It submits one event and returns its ticket; or it submits
/// nothing and returns 0, if a person must choose. `attempt` is the number of earlier actions that could not happen.
/// Kifu calls it while no event runs, so it may search (KIFU_SEARCH), and even call `kifu_take_turn` in the search.
typedef kifu_ticket kifu_decide(void *context, kifu_timeline *timeline, const void *state, kifu_handle actor,
                                uint32_t attempt);

/// Takes one step, and returns; it never waits. At most one action of one actor begins. An action that cannot happen
/// (it is rejected, or its Do fails) costs no energy and leaves nothing behind. Kifu then calls `decide` again, up to 8
/// times in one call; after that the actor rests, which costs a turn. An action whose consequences never end is taken
/// back whole in a later call, and counts as one of the 8. `decide` may be NULL: all actors need input.
///
/// Errors: KIFU_MISUSE (the game has no actors; an event runs; the past is shown; `decide` did not follow its rules,
/// and what it submitted waits as an input), KIFU_NO_MEMORY, those of `kifu_step`. KIFU_REJECTED, KIFU_FAILED,
/// KIFU_RUNAWAY and KIFU_INVALID_EVENT of an action are no errors here. If memory ran out before an action began, the
/// action is still set, or the next call decides anew.
KIFU_WARN_UNUSED kifu_result kifu_take_turn(kifu_timeline *timeline, kifu_decide *decide, void *context,
                                            kifu_turn *turn);

/// Makes the proposal `ticket`, which waits as an input, the action of `actor`. The proposal leaves the queue, and
/// happens once, when the actor's turn comes. It replaces an action that was set before or that goes on; `ticket` 0
/// only removes that action. Saves, log files and forks of the present contain set actions. An undo removes a set
/// action. A redo, and the roll-back of a transaction, bring it back. Errors: KIFU_MISUSE (no such input waits; no such
/// actor; an event runs; the past is shown), KIFU_NO_MEMORY (it still waits as an input).
kifu_result kifu_set_action(kifu_timeline *timeline, kifu_handle actor, kifu_ticket ticket);

/// In the Do of an action: what it costs, instead of `turns.cost`. 0: it costs nothing, and the actor may act again. In
/// a replay, or for an event that `kifu_take_turn` does not run, it does nothing. Outside of a Do function it is
/// misuse.
void kifu_set_cost(kifu_timeline *timeline, uint32_t cost);

// --- Actions of several turns ----------------------------------------------------------------------------------------

/// How undo takes back an action that goes on.
typedef enum kifu_undo_by {
    KIFU_UNDO_BY_ACTION, ///< All its steps at once, and what others did meanwhile without a player's decision.
    KIFU_UNDO_BY_STEP    ///< Only the last step: undo stops at each.
} kifu_undo_by;

/// In the check of an action: the action goes on. When the actor's turn comes again, Kifu does the same event once
/// more, by the same player and with the fields that it has now, and asks the check again.
///
///     kifu_verdict dungeon_check_p_run(kifu_timeline *timeline, const dungeon_state *state, dungeon_p_run *run)
///     {
///         if (is_enemy_in_sight(state, run->actor))
///             return kifu_reject("an enemy is in sight");
///         run->steps++;
///         kifu_go_on(timeline, KIFU_UNDO_BY_ACTION); // after the last change of `run`
///         return kifu_instead(dungeon_submit_p_move(timeline, kifu_player(timeline), run->actor, run->dx, run->dy));
///     }
///
/// So each step is an event of the log: the action itself, or the event that replaces it. Replay, films and listeners
/// see nothing else. An action that goes on is a set action (`kifu_set_action`): saves, log files and forks of the
/// present contain it; an undo removes it; a redo, and the roll-back of a transaction, bring it back.
///
/// The action ends when its check does not call `kifu_go_on`; when a step cannot happen (KIFU_TURN_ENDED, with the
/// check's reason); when `kifu_interrupt` or `kifu_set_action` ends it. Call `kifu_go_on` after the last change of the
/// event's fields. For an event that `kifu_take_turn` does not run, it does nothing. Outside of a check it is misuse.
void kifu_go_on(kifu_timeline *timeline, kifu_undo_by undo);

/// In a Do function: the action of `actor` does not go on. An action that is only set, and has not begun, stays set. If
/// the Do fails, the action goes on; after a roll-back inside of the Do it does not. In a replay this does nothing.
/// Outside of a Do function it is misuse: call `kifu_set_action` with ticket 0.
void kifu_interrupt(kifu_timeline *timeline, kifu_handle actor);

/// Whether an action of `actor` has begun and goes on. For views and user interfaces: the state does not contain this,
/// so rules must not depend on it.
bool kifu_goes_on(const kifu_timeline *timeline, kifu_handle actor);

// --- Timed events ----------------------------------------------------------------------------------------------------

/// Postpones the proposal `ticket`, which was submitted last: it happens when game turn `turn` begins, or in the next
/// game turn if that one is past.
///
///     kifu_postpone(timeline, dungeon_submit_e_open_doors(timeline), state->turns.turn + 20, LEVER);
///
/// Call it right after the submit, wherever a submit is allowed: outside, in a Do, a reaction, a check, a hook. In
/// place of the proposal, Kifu records a kifu.ESchedule that contains it, with the same ticket. The state's pool of
/// `kifu.Timer` refers to that event. So the timed event is saved, undone and replayed like everything else. If a
/// player's event was postponed, undo stops at the ESchedule; `kifu_override` changes the ESchedule. kifu.ECancel
/// cancels all timed events with the same `key`.
///
/// Timed events happen as consequences of the game turn's kifu.EBeginTurn, in the order in which they were postponed.
/// Kifu then calls checks and hooks, and undo continues past these events. If this version of the game does not know a
/// timed event, or cannot read it, the EBeginTurn fails once (KIFU_FAILED, which names the event). When the game turn
/// is begun again, that event is dropped. (With the sync test it is dropped at once.)
///
/// `ticket` 0 (a submit in a replay) does nothing. Errors: KIFU_MISUSE (the proposal is not the one that was submitted
/// last; the game has no timers; a submit is not allowed here), KIFU_INVALID_EVENT, KIFU_NO_MEMORY. After an error
/// outside, the proposal waits as it was; inside an event, that event fails. If there are too many timers, the
/// ESchedule fails when it happens.
kifu_result kifu_postpone(kifu_timeline *timeline, kifu_ticket ticket, uint32_t turn, uint32_t key);

#ifdef __cplusplus
}
#endif

#endif
