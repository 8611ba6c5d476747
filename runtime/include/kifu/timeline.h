/// The timeline: executed events (the log), waiting ones (the queues), and the state they lead to.
///
/// An event goes through: resolve (its check may change or reject it) → seal (into the log) → Do (changes the state,
/// may submit consequences) → reactions and triggers → listeners → Act (the view). All consequences of an input run, in
/// the order submitted, before the next input. A replay (load, redo, seek, undo of what the journal does not reach)
/// runs Do alone; redo, undo and roll-back tell listeners, too.
#ifndef KIFU_TIMELINE_H
#define KIFU_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "observe.h"
#include "result.h"
#include "rules.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Memory, as the timeline wants it: `size` 0 frees `block` and returns NULL; `block` NULL allocates; otherwise
/// reallocates. Returns NULL when there is no memory; `block` is untouched then. Aligned as malloc aligns.
typedef void *kifu_allocate(void *context, void *block, size_t size);

/// What every game's view has in common. The generated `<game>_view` starts with this and adds one optional function
/// per event: `double (*act_<event>)(void *context, kifu_timeline *, const <game>_state *, const <event> *)`,
/// which shows the event and returns how many seconds `kifu_update` is to wait before the next one. Every member may be
/// NULL.
///
/// The view may not change the game (T06). A call that would change it from here (a submit, an edit, a random number)
/// is KIFU_MISUSE in every build. A write through a cast is not seen when it happens: that would take a comparison of
/// the whole state after each event. `kifu_options.sync_test` makes it, names the function and the field, and takes the
/// write back: set it in debug builds and in tests. `kifu_verify_replay`, a load of the save and `kifu_verify_rules`
/// find the write afterwards, and name an event.
struct kifu_view {
    void *context; ///< Given to each function.
    /// The state changed by other means than one event after the other (load, undo, redo, roll-back, seek): show it
    /// anew. After undo, redo and roll-back the listeners were called already.
    void (*redraw)(void *context, kifu_timeline *timeline);
    /// A proposal, an input or a consequence, was refused: by its check, by a hook, because its fields break the
    /// schema, or because too many alternates were tried. `outcome->ticket` says which one, `outcome->error` why. An
    /// event whose Do failed is reported by `kifu_update` alone. `outcome` is valid during the call.
    void (*rejected)(void *context, kifu_timeline *timeline, const kifu_outcome *outcome);
};

/// Attaches what not every timeline has: see `kifu_options.sync_test`.
typedef kifu_result kifu_attach(kifu_timeline *timeline);

/// How to make a timeline, for create, load and fork. Every member may be zero. The timeline copies the struct; what
/// its pointers lead to must outlive the timeline.
typedef struct kifu_options {
    kifu_allocate *allocate;   ///< All of the timeline's memory comes from here. NULL: malloc, realloc, free.
    void *allocate_context;    ///< Given to `allocate`.
    const kifu_view *view;     ///< The first member of the generated `<game>_view`. NULL: no view.
    bool quiet;                ///< The timeline is quiet from the beginning, as after `kifu_set_quiet`.
    uint64_t seed;             ///< For an EInitialize without a seed. 0: the operating system draws one.
    uint32_t max_consequences; ///< Of one input, and of each timed event; at most 65,535. 0: 10,000.
    uint32_t max_alternates;   ///< How many events may be tried in place of one, one after the other. 0: 16.
    /// For a game that keeps its model outside the state: empties that model. The timeline calls it before each replay;
    /// undo and a failed Do are replays in such a game. NULL: the model is the state.
    void (*reset)(void *context);
    void *user; ///< Given to `reset`; `kifu_user` returns it, in a Do function for instance.
    /// Constant observers that every timeline made with these options has: `KIFU_OBSERVERS(array)`. `kifu_create`,
    /// `kifu_load` and `kifu_fork` add them before anything happens, and fail where one cannot be added.
    kifu_observers observers;
    /// Adds further observers, whose number or context is known at run time only; called after `observers` were added.
    /// Any result but KIFU_OK is that of create, load or fork. It may not submit. NULL: adds nothing.
    kifu_result (*prepare)(kifu_timeline *timeline);
    /// Room for keyframes (see history.h), in bytes. 0: 1 MiB, or eight states where that is more. Less than the size
    /// of the state: there are none.
    size_t keyframe_bytes;
    /// A hash of the state is recorded after so many events, and before the first of these after 1, 2, 4, … events:
    /// `kifu_verify_replay` and load compare them. 0: by the size of the state, 128 to 1024. 1: after each event, so
    /// that a difference is found at the very event that made it.
    uint32_t hash_interval;
    /// `kifu_sync_test`, for tests of a game: each live event is done, undone and done again elsewhere, and all must
    /// give the same bytes. What changes the state without an edit, from wherever, and what depends on anything but
    /// state and event, is KIFU_DIVERGED at the event that did it, which is taken back. So is, in a load, an upcast
    /// function that submits something else when it is called again. Slow: time grows with the size of the state. Not
    /// with `reset` (KIFU_MISUSE): a model outside the state cannot be copied.
    kifu_attach *sync_test;
    /// `kifu_record_inputs`: record the calls that come from outside, for `kifu_verify_rules`: 24 bytes for each, and
    /// for an input 16 more and the event as it was submitted, for as long as the timeline lives. What is rolled back
    /// is not recorded.
    kifu_attach *record_inputs;
} kifu_options;

/// Makes an empty timeline. `rules` and what `options` point to must outlive it. On failure `*timeline` is NULL and
/// `error`, where not NULL, says why. Errors: KIFU_NO_MEMORY, KIFU_MISUSE.
KIFU_WARN_UNUSED kifu_result kifu_create(const kifu_rules *rules, const kifu_options *options, kifu_timeline **timeline,
                                         kifu_error *error);

/// Frees a timeline and everything in it. NULL is allowed. Not while an event runs.
void kifu_destroy(kifu_timeline *timeline);

// --- Running ---------------------------------------------------------------------------------------------------------

/// Once a frame: lets `dt` seconds pass, and runs what is due: events follow each other until one's Act asks for a
/// delay longer than the time left, or none waits. Never blocks.
///
/// Stops at the first event that does not happen, and says why: KIFU_REJECTED (an input; a rejected consequence is
/// reported to the view alone), KIFU_FAILED (its Do, a reaction or a trigger failed: state, log and queues are as
/// before it ran, the event is gone), KIFU_DIVERGED (the sync test found something: the event is gone), KIFU_RUNAWAY
/// (state and log are as before the input), KIFU_INVALID_EVENT, KIFU_NO_MEMORY (before its Do: the event still waits;
/// in its Do: it is gone), KIFU_MISUSE (a call from a place where it is not allowed, found while the event ran). What a
/// submit since the last call could not do is told first. The rest stays queued; the next call goes on with it (or
/// `kifu_drop_inputs` drops it). With a model outside the state, taking an event back means executing the log again:
/// where that fails (KIFU_FAILED, "could not be replayed"), the log ends before the event that failed.
kifu_result kifu_update(kifu_timeline *timeline, double dt);

/// Runs one event, whatever the delay; does nothing when none waits. Results as `kifu_update`.
kifu_result kifu_step(kifu_timeline *timeline);

/// Runs until none waits, ignoring delays. Results as `kifu_update`.
kifu_result kifu_run(kifu_timeline *timeline);

/// Quiet: events happen, with all their consequences, but the view and listeners are not called and there are no
/// delays. Listeners hear of it afterwards, with the next event that is shown; for the rest of the view draw it anew.
/// For game setup, servers, fast-forward. Misuse in a Do function, a check or a reaction.
void kifu_set_quiet(kifu_timeline *timeline, bool quiet);

/// Whether no event waits and no delay runs.
bool kifu_is_idle(const kifu_timeline *timeline);

/// Seconds until `kifu_update` runs the next event.
double kifu_delay(const kifu_timeline *timeline);

/// Drops the inputs that wait: after a rejection, for instance, when a player's later clicks were meant for a position
/// that did not come about. Consequences of the input that is running stay, and so do actions set by `kifu_set_action`;
/// followers of the dropped inputs are forgotten. Errors: KIFU_MISUSE (while an event runs: nothing is dropped); what
/// an earlier submit could not do (the inputs are dropped all the same).
kifu_result kifu_drop_inputs(kifu_timeline *timeline);

/// Changes the undo flags of one proposal while it waits: `undoable` true also lifts the schema's "unless_random" and
/// `reveals` for it. `ticket` 0 does nothing: a submit in a replay returns 0.
/// KIFU_MISUSE when no such proposal waits, its type is never undoable and `undoable` is true, or this is a check or a
/// view callback; in a Do function or a reaction, for what it did not submit itself.
kifu_result kifu_override(kifu_timeline *timeline, kifu_ticket ticket, bool undoable, bool continue_undo);

// --- For Do functions, checks and reactions --------------------------------------------------------------------------

/// `return kifu_fail(timeline, "why");` in a Do function: the event is taken back whole. In an upcast function: the
/// save is refused. The text is copied.
KIFU_WARN_UNUSED kifu_result kifu_fail(kifu_timeline *timeline, const char *reason);

/// The same, and the event that this Do submitted last, `ticket`, is tried in its place, for the same player and cause:
/// `return kifu_fail_instead(timeline, dungeon_submit_e_strike(timeline, actor, monster));`
KIFU_WARN_UNUSED kifu_result kifu_fail_instead(kifu_timeline *timeline, kifu_ticket ticket);

/// Player of the running event (in Do, a check, a reaction or Act), or -1; in an upcast function, of the old event. In
/// a game with players, that of a live player event is one of them, or, where actors take turns, -1: others are
/// rejected.
int kifu_player(const kifu_timeline *timeline);

/// The `rules_version` under which the running event was recorded: now, unless this is a replay. In an upcast function,
/// that of the old event, which may also have waited then.
uint32_t kifu_rules_version(const kifu_timeline *timeline);

/// In a Do function: the running event shows hidden information, so undo stops at it, whatever its other flags say. As
/// the schema's `reveals`, for what only Do knows. Elsewhere it is misuse; in a replay it does nothing.
void kifu_reveal(kifu_timeline *timeline);

/// Whether the running Do is a replay. It must change the state in the same way in any case.
bool kifu_is_replaying(const kifu_timeline *timeline);

/// `kifu_options.user`.
void *kifu_user(const kifu_timeline *timeline);

// --- Undo ------------------------------------------------------------------------------------------------------------

/// Takes back the last undo chain: the last event and, while the event taken back says continue, the one before it.
/// Empties the queues. Refused whole (KIFU_NOT_UNDOABLE) when the chain meets an event that is not undoable or has
/// revealed something, when one of it is `unless_random` and one drew random numbers, and when it would go back behind
/// the beginning of the game or of an open transaction. KIFU_NOTHING_TO_UNDO when no player has done anything yet: the
/// log is empty, or has nothing but the game's setup; KIFU_NO_MEMORY;
/// KIFU_MISUSE while an event runs or `kifu_seek` shows the past; what an earlier submit could not do. KIFU_FAILED when
/// the log had to be executed again and a Do failed that did not fail before: then the log ends before that event, and
/// `kifu_redo` tries to go on from there.
kifu_result kifu_undo(kifu_timeline *timeline);

/// Brings back what the last undo took away: events, state, and what waited in the queues. KIFU_NOTHING_TO_REDO when no
/// undo came since the last new event (one whose Do failed counts), or inputs wait; KIFU_NO_MEMORY; KIFU_FAILED when a
/// Do failed that did not fail before; KIFU_MISUSE while an event runs; what an earlier submit could not do.
kifu_result kifu_redo(kifu_timeline *timeline);

/// How many events `kifu_undo` would take back; 0: none, and `error`, where not NULL, says why. Changes nothing.
uint32_t kifu_can_undo(const kifu_timeline *timeline, kifu_error *error);

/// How many events `kifu_redo` would bring back; 0: none, and `error`, where not NULL, says why. Changes nothing.
uint32_t kifu_can_redo(const kifu_timeline *timeline, kifu_error *error);

// --- Looking ---------------------------------------------------------------------------------------------------------

/// The state, as the generated `<game>_state`; the generated `<game>_get_state` has it typed. Valid as long as the
/// timeline; changes as events happen.
const void *kifu_state(const kifu_timeline *timeline);

/// How many events have happened: as many as `kifu_event_at` shows, also while `kifu_seek` shows the past. In a Do
/// function: how many happened before its event, in a replay, too.
uint32_t kifu_event_count(const kifu_timeline *timeline);

/// How many of these events the state contains. It is less than `kifu_event_count` only while `kifu_seek` shows the
/// past.
uint32_t kifu_position(const kifu_timeline *timeline);

/// Shows event `index`, counted from 0; false where `index` is not below `kifu_event_count`. What `*event` points to is
/// valid while the event is in the log.
bool kifu_event_at(const kifu_timeline *timeline, uint32_t index, kifu_event *event);

/// How many proposals wait: inputs and consequences.
uint32_t kifu_pending_count(const kifu_timeline *timeline);

/// Shows proposal `index` in the order in which they will run: `kifu_event.index` is KIFU_NONE. False when there is
/// none. Valid until the timeline runs or something is submitted.
bool kifu_pending_at(const kifu_timeline *timeline, uint32_t index, kifu_event *event);

/// The rules the timeline was made with.
const kifu_rules *kifu_timeline_rules(const kifu_timeline *timeline);

/// What went wrong in the last call that failed. Valid until the next call.
const kifu_error *kifu_last_error(const kifu_timeline *timeline);

/// Hash of the state's bytes, equal on every platform for equal states. From 0, for each 64-bit little-endian word (the
/// last one padded with zeros): xor the word, multiply by 0x9E3779B97F4A7C15, xor the upper half into the lower.
uint64_t kifu_state_hash(const kifu_timeline *timeline);

#ifdef __cplusplus
}
#endif

#endif
