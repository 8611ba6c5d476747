/// Hooks: what stands around an event may change it before it happens: the level, the cell, the target, the performer.
///
/// An event lists its scopes in order: `table EStrike (engine, hooks: "level cell target performer") { … }`. For each
/// hookable event the game writes one function that names the subject of each scope (kifuc declares it, and `kifuc
/// stubs` writes it):
///
///     void dungeon_subjects_e_strike(const kifu_timeline *timeline, const dungeon_state *state,
///                                    const dungeon_e_strike *strike, dungeon_e_strike_subjects *subjects)
///     {
///         subjects->level = state->level;
///         subjects->cell = cell_of(state, strike->target);
///         subjects->target = strike->target;
///         subjects->performer = strike->performer;      // a scope left alone has no subject and is skipped
///     }
///
/// `kifu_observe` (observe.h) adds a hook. Hooks run live only, after the check: scope by scope as the schema lists
/// them, in each those of KIFU_RANK_INTERNAL first, then in the order added. The log holds the event as they left it,
/// so a replay needs none.
#ifndef KIFU_HOOKS_H
#define KIFU_HOOKS_H

#include <stdint.h>

#include "event.h"
#include "result.h"
#include "rules.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A scope of an event that has no subject.
#define KIFU_NO_SUBJECT UINT64_MAX
/// For `kifu_observer.subject`: whatever the subject.
#define KIFU_ANY_SUBJECT (UINT64_MAX - 1)

/// A proposed event, as a hook sees it.
typedef struct kifu_proposed {
    uint32_t type;      ///< The event's id, NIM_P_TAKE for instance.
    const char *name;   ///< The type's name in the schema, "nim.PTake".
    void *event;        ///< The event's generated struct: its scalars may be changed.
    int player;         ///< Who submitted it, or -1.
    uint32_t cause;     ///< Number of the event that submitted it, or KIFU_NONE.
    uint32_t scope;     ///< Which one this hook is asked for: `<GAME>_SCOPE_…`.
    uint64_t subject;   ///< Of that scope.
    kifu_ticket ticket; ///< As the event's submit returned it.
} kifu_proposed;

/// A hook: `kifu_accept()` passes the event on, changed or not; `kifu_reject(why)` blocks it; `kifu_instead(ticket)`
/// replaces it by the event that was just submitted, which is checked and hooked anew. What else it submits is queued,
/// never nested: as a consequence of the event that happens in the end, or, where that is rejected or blocked, for
/// itself. It may not edit.
typedef kifu_verdict kifu_hook(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed);

// --- What became of a proposal ---------------------------------------------------------------------------------------

/// What became of a proposal.
typedef struct kifu_outcome {
    kifu_ticket ticket;      ///< Of the proposal, as its submit returned it.
    kifu_result result;      ///< KIFU_OK: it happened, or what was tried instead.
    uint32_t event;          ///< Its number in the log; KIFU_NONE: it did not happen.
    uint32_t type;           ///< Of what happened, or was refused last: an alternate, perhaps.
    uint32_t scope;          ///< Of the hook that blocked it; KIFU_NONE: none did.
    uint64_t subject;        ///< Of that hook's scope.
    const kifu_error *error; ///< Why not; NULL where it happened.
} kifu_outcome;

/// Learns what became of a proposal. May submit, nothing else.
typedef void kifu_follower(void *context, kifu_timeline *timeline, const kifu_outcome *outcome);

/// Calls `follower` once, as soon as it is known what becomes of the waiting proposal `ticket`: it happened (its Do and
/// reactions, not yet its consequences), was rejected, blocked, or failed. An undo or a load forgets it, and so does
/// the failure of the event that submitted it, or another action set in its place. `follower` is not called for what
/// becomes of the proposal in a search (KIFU_SEARCH) that began after its submit: the search is taken back. Errors:
/// KIFU_MISUSE (no such proposal waits), KIFU_NO_MEMORY.
KIFU_WARN_UNUSED kifu_result kifu_follow(kifu_timeline *timeline, kifu_ticket ticket, kifu_follower *follower,
                                         void *context);

// --- Verifying the rules ---------------------------------------------------------------------------------------------

struct kifu_difference;

/// For `kifu_options.record_inputs`.
kifu_result kifu_record_inputs(kifu_timeline *timeline);

/// Plays the game again: makes the calls that came from outside once more (inputs as they were submitted, transactions,
/// undo and redo), with all checks, hooks, reactions and triggers, and compares the log event by event, and the state.
/// For that the timeline was made with `kifu_options.record_inputs`. What was undone is played and undone again; its
/// events are gone from the log, so only their number is compared. The timeline that plays has
/// `kifu_options.observers`, and what `prepare` adds; NULL: what `kifu_options.prepare` adds. KIFU_DIVERGED:
/// `*difference` (may be NULL) and the error tell the first event that differs, and how. Errors: KIFU_MISUSE (inputs
/// were not recorded from the beginning, as in a game that was loaded or forked; while an event runs or the past is
/// shown; inside a transaction; a model outside the state), KIFU_NO_MEMORY, those of `prepare`.
KIFU_WARN_UNUSED kifu_result kifu_verify_rules(kifu_timeline *timeline,
                                               kifu_result (*prepare)(void *context, kifu_timeline *timeline),
                                               void *context, struct kifu_difference *difference);

#ifdef __cplusplus
}
#endif

#endif
