/// What the turn loop and the timers keep outside of the state.
#ifndef KIFU_SRC_TURNS_H
#define KIFU_SRC_TURNS_H

#include "core/timeline.h"
#include "wire/builder.h"

/// What a moment keeps of it; the set actions follow behind.
typedef struct kifu__turns_kept {
    kifu_handle actor;     ///< Whose action is being run, or was run last.
    uint32_t begun_at;     ///< Number of the event that this action began as,
    uint32_t runaways;     ///< and how often one from there was taken back whole, for its consequences.
    uint32_t told;         ///< Timed events of an ESchedule before this one that cannot be read were reported already.
    uint32_t action_count; ///< In a moment.
    kifu_ticket next;      ///< Of the actions, the one by which this action goes on; 0: it ends with this step.
} kifu__turns_kept;

typedef struct kifu__turns {
    kifu__part part;
    kifu__turns_kept kept;
    bool has_cost; ///< Its Do said what it costs:
    uint32_t cost;
    kifu__queue actions; ///< What actors are to do when their turn comes; `cause` is the actor's handle.
    kifu__queue before;  ///< These, as they were before the Do of event `interrupting` - 1 interrupted one.
    uint32_t interrupting;
    kifu__blob room;     ///< Where the FlatBuffer of a timed event is written and read,
    kifu__blob proposal; ///< and where a proposal is made of it.
} kifu__turns;

/// The part of a timeline; NULL: it has taken no turn yet.
kifu__turns *kifu__turns_of(const kifu_timeline *timeline);

/// The same, made where there are none. NULL without memory.
kifu__turns *kifu__turns_attach(kifu_timeline *timeline);

/// The input that `kifu_step` runs next is the action of `actor`, until `kifu__end_action`.
void kifu__begin_action(kifu_timeline *timeline, kifu__turns *turns, kifu_handle actor);
void kifu__end_action(kifu_timeline *timeline);

/// The same for an action of a recorded game. False without memory.
bool kifu__begin_recorded(kifu_timeline *timeline, kifu_handle actor);

/// The action that is set for `actor`; NULL: none.
kifu__proposal *kifu__find_action(const kifu__turns *turns, kifu_handle actor);

/// Removes the action with this ticket, if there is one.
void kifu__remove_action(kifu__turns *turns, kifu_ticket ticket);

/// The actions that are set, for saves: see struct kifu__timed.
kifu__queue kifu__actions(const kifu_timeline *timeline, const kifu__kept *kept);
bool kifu__set_actions(kifu_timeline *timeline, const kifu__queue *actions);
void kifu__exchange_actions(kifu_timeline *timeline, kifu__queue *others);

/// KIFU_OK where `call` may be made: between inputs, in the present, in a game with a turn loop (turns.c).
kifu_result kifu__require_turns(kifu_timeline *timeline, const char *call);

/// Submits what an action costs; NULL: the usual (turns.c).
kifu_ticket kifu__submit_cost(kifu_timeline *timeline, kifu_handle actor, const uint32_t *cost);

/// Submits the timed events that are due, and frees their timers (timers.c).
kifu_result kifu__fire_timers(kifu_timeline *timeline, uint32_t turn);

#endif
