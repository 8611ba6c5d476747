/// Hooks: rules of a level, a cell, a target or a performer that change an event before it happens.
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
///         subjects->performer = strike->performer;      // a scope that you do not set has no subject and is skipped
///     }
///
/// `kifu_observe` (observe.h) adds a hook: for one event type, for the types with a tag (`.tags = DUNGEON_TAG_MAGIC`),
/// or for all. Hooks run live only, after the check, in the order in which the schema lists the scopes. Within a scope,
/// those of KIFU_RANK_INTERNAL run first, then the others in the order in which they were added. The log contains the
/// event as the hooks left it, so a replay needs no hooks.
#ifndef KIFU_HOOKS_H
#define KIFU_HOOKS_H

#include <stdint.h>

#include "event.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A scope of an event that has no subject.
#define KIFU_NO_SUBJECT UINT64_MAX
/// For `kifu_observer.subject`: any subject.
#define KIFU_ANY_SUBJECT (UINT64_MAX - 1)

/// A proposal, as a hook sees it.
typedef struct kifu_proposed {
    uint32_t type;      ///< The event's id, NIM_P_TAKE for instance.
    const char *name;   ///< The type's name in the schema, "nim.PTake".
    void *event;        ///< The event's generated struct. A hook may change its scalars.
    int player;         ///< The player who submitted it, or -1.
    uint32_t cause;     ///< Number of the event that submitted it, or KIFU_NONE.
    uint32_t scope;     ///< The scope for which Kifu calls this hook: `<GAME>_SCOPE_…`.
    uint64_t subject;   ///< The subject of that scope.
    kifu_ticket ticket; ///< The ticket that the event's submit returned.
} kifu_proposed;

/// A hook returns one of three verdicts. `kifu_accept()` lets the event go on, changed or not. `kifu_reject(why)`
/// rejects it. `kifu_instead(ticket)` replaces it by the event that the hook has just submitted; that one goes through
/// its own check and hooks. Other events that the hook submits happen later: as a consequence of the event that happens
/// in the end, or on its own if none happens. A hook may not edit.
typedef kifu_verdict kifu_hook(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed);

// --- What became of a proposal ---------------------------------------------------------------------------------------

/// What became of a proposal.
typedef struct kifu_outcome {
    kifu_ticket ticket;      ///< Of the proposal, as its submit returned it.
    kifu_result result;      ///< KIFU_OK: it happened, or an alternate (an event tried in its place) did.
    uint32_t event;          ///< Number of the event in the log; KIFU_NONE: nothing happened.
    uint32_t type;           ///< Id of the event that happened, or of the one that was rejected last.
    uint32_t scope;          ///< Scope of the hook that rejected it; KIFU_NONE: no hook did.
    uint64_t subject;        ///< Subject of that scope.
    const kifu_error *error; ///< Why it did not happen; NULL if it happened.
} kifu_outcome;

/// A function that gets the outcome of a proposal. It may submit, and nothing else.
typedef void kifu_follower(void *context, kifu_timeline *timeline, const kifu_outcome *outcome);

/// Calls `follower` once, when the proposal `ticket`, which waits now, has happened (after its Do and its reactions,
/// before its consequences), was rejected, or has failed.
///
/// Kifu forgets the follower, without calling it, when the proposal is gone for another reason: by an undo or a load,
/// when the event that submitted it fails, or when another action replaces it. A search (KIFU_SEARCH) that began after
/// the submit does not call it either, because the search is rolled back. Errors: KIFU_MISUSE (no such proposal waits),
/// KIFU_NO_MEMORY.
KIFU_WARN_UNUSED kifu_result kifu_follow(kifu_timeline *timeline, kifu_ticket ticket, kifu_follower *follower,
                                         void *context);

// --- Verifying the rules ---------------------------------------------------------------------------------------------

struct kifu_difference;

/// For `kifu_options.record_inputs`.
kifu_result kifu_record_inputs(kifu_timeline *timeline);

/// Plays the game again on another timeline, and compares the log event by event, and the state. It repeats the calls
/// that came from outside (inputs as they were submitted, transactions, undo and redo), with all checks, hooks,
/// reactions and triggers. So `timeline` must have `kifu_options.record_inputs`. Events that were undone are no longer
/// in the log, so only their number is compared.
///
/// The other timeline has `kifu_options.observers`, and the observers that `prepare` adds; NULL takes
/// `kifu_options.prepare`. KIFU_DIVERGED: `*difference` (may be NULL) and the error name the first event that differs,
/// and say how. Errors: KIFU_MISUSE (inputs were not recorded from the beginning, as in a game that was loaded or
/// forked; an event runs; the past is shown; a transaction is open; the model is outside the state), KIFU_NO_MEMORY,
/// those of `prepare`.
KIFU_WARN_UNUSED kifu_result kifu_verify_rules(kifu_timeline *timeline,
                                               kifu_result (*prepare)(void *context, kifu_timeline *timeline),
                                               void *context, struct kifu_difference *difference);

/// As `kifu_verify_rules`, but for any game, for example a loaded one: plays the inputs in its log again, with all
/// checks, hooks, reactions and triggers. It compares the events that follow from them, one by one, and the state at
/// the end; with `kifu_options.keep_variations`, those of all lines. `kifu_verify_replay` and a load only execute the
/// log; only this call asks the rules whether its events may happen. Nothing changes.
///
/// If the rules refuse an event, the call returns their result, for example KIFU_REJECTED, and `kifu_error_reason`
/// gives their reason. If an event or the state differs: KIFU_DIVERGED. `*difference` (may be NULL) and the error name
/// the event, and `difference->line` its line. `prepare` and other errors are as for `kifu_verify_rules`.
///
/// The log contains an input as checks and hooks have left it, and not as the player submitted it. So a check or hook
/// that changes an input must not change it a second time, or the game differs. Other events that the check or hook
/// submitted, besides an event to try instead, are missing. Engine events that your program submitted itself, such as
/// kifu.EInitialize, are inputs, too; they have a check only if the schema says so. The log does not say that a
/// transaction with KIFU_DEFERRED made reactions wait: their events come at another place.
KIFU_WARN_UNUSED kifu_result kifu_verify_checks(kifu_timeline *timeline,
                                                kifu_result (*prepare)(void *context, kifu_timeline *timeline),
                                                void *context, struct kifu_difference *difference);

#ifdef __cplusplus
}
#endif

#endif
