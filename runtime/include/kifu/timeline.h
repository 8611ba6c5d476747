/// The timeline: the events that happened (the log), the proposals that wait (the queues), and the state.
///
/// An event goes through these steps: resolve (its check and hooks may change or reject it) → seal (into the log) → Do
/// (changes the state, may submit consequences) → reactions and triggers → listeners → Act (the view). All consequences
/// of an input happen before the next input, in the order in which they were submitted. A replay (load, redo, seek, and
/// an undo that goes back further than the journal) runs only Do. Redo, undo and roll-back also call listeners.
#ifndef KIFU_TIMELINE_H
#define KIFU_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "detail/rules.h"
#include "event.h"
#include "observe.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The allocator of a timeline. `size` 0 frees `block` and returns NULL; `block` NULL allocates; otherwise it
/// reallocates. Without memory it returns NULL and leaves `block` as it is. It aligns as malloc does.
typedef void *kifu_allocate(void *context, void *block, size_t size);

/// What every game's view has in common. The generated `<game>_view` begins with it, and adds one function for each
/// event: `double (*act_<event>)(void *context, kifu_timeline *, const <game>_state *, const <event> *)`. This function
/// shows the event and returns how many seconds `kifu_update` waits before the next one. Every member may be NULL.
///
/// The view may not change the game. If it calls something that would (a submit, an edit, a random number), the running
/// call returns KIFU_MISUSE. Kifu does not notice at once if the view writes to the state through a cast: to notice, it
/// would have to compare the whole state after each event. With `kifu_options.sync_test` it does compare, names the
/// function and the field, and takes the write back. Use it in debug builds and in tests. Later, `kifu_verify_replay`,
/// a load of the save and `kifu_verify_rules` find such a write, and name an event.
typedef struct kifu_view {
    void *context; ///< Passed to each function.
    /// Draws everything anew, because the state has changed by a load, an undo, a redo, a roll-back or a seek. Before
    /// `redraw`, an undo, a redo or a roll-back calls all listeners, a load or a seek only listeners of elements.
    void (*redraw)(void *context, kifu_timeline *timeline);
    /// A proposal (an input or a consequence) was rejected: by its check, by a hook, because its fields break the
    /// schema, or because too many alternates were tried. `outcome->ticket` says which one, `outcome->error` why. If
    /// the Do of an event fails, only `kifu_update` reports it. `outcome` is valid during the call.
    void (*rejected)(void *context, kifu_timeline *timeline, const kifu_outcome *outcome);
} kifu_view;

/// The type of an option that a program links only if it uses it: see `kifu_options.sync_test`.
typedef kifu_result kifu_attach(kifu_timeline *timeline);

/// What is to be drawn: see drawing.h.
typedef struct kifu_drawing kifu_drawing;

/// How to make a timeline, for create, load and fork. Every member may be zero. The timeline copies the struct. What
/// the pointers in it point to must outlive the timeline.
typedef struct kifu_options {
    kifu_allocate *allocate;   ///< All of the timeline's memory comes from here. NULL: malloc, realloc, free.
    void *allocate_context;    ///< Passed to `allocate`.
    const kifu_view *view;     ///< The first member of the generated `<game>_view`. NULL: no view.
    bool quiet;                ///< The timeline is quiet from the beginning: see `kifu_set_quiet`.
    uint64_t seed;             ///< For an EInitialize without a seed. 0: the operating system chooses one.
    uint32_t max_consequences; ///< Of one input, and of each timed event; at most 65,535. 0: 10,000.
    uint32_t max_alternates;   ///< How many events may be tried in place of one, one after the other. 0: 16.
    /// The most seconds that one `kifu_update` lets pass; the rest of its `dt` is dropped. Without a limit, events with
    /// an Act follow each other unseen after a long frame (the window was moved, the program slept). 0: no limit.
    double longest_frame;
    /// The most edits of one input and its consequences, so that a Do function which never ends does not take all
    /// memory. A random number counts as one edit, a field as one for each 8 bytes. At least 65,536. 0: 10,000,000 plus
    /// the size of the state in bytes.
    uint32_t max_edits;
    /// For a game with its model outside the state: empties that model. The timeline calls it before each replay; in
    /// such a game, an undo and a failed Do need a replay. NULL: the model is the state.
    void (*reset)(void *context);
    void *user; ///< Passed to `reset`. `kifu_user` returns it, for example in a Do function.
    /// Constant observers for every timeline made with these options: `KIFU_OBSERVERS(array)`. `kifu_create`,
    /// `kifu_load` and `kifu_fork` add them before anything happens, and fail if they cannot add one.
    kifu_observers observers;
    /// Adds further observers, whose number or context is known only at run time. Kifu calls it after it has added
    /// `observers`. It may not submit. If it does not return KIFU_OK, create, load or fork return its result. NULL:
    /// none.
    kifu_result (*prepare)(kifu_timeline *timeline);
    /// Memory for keyframes (see history.h), in bytes. 0: 1 MiB, or eight times the state if that is more. If it is
    /// smaller than the state, there are no keyframes.
    size_t keyframe_bytes;
    /// Kifu records a hash of the state after every so many events, and at the beginning after 1, 2, 4, … events.
    /// `kifu_verify_replay` and a load compare these hashes. 0: 128 to 65,536, by the size of the state. 1: after each
    /// event, so that a difference is found at the very event that made it.
    uint32_t hash_interval;
    /// `kifu_sync_test`, for tests of a game. Kifu does, undoes and does each live event again, at another place in
    /// memory, and compares all bytes. It finds every change of the state without an edit, and each Do that depends on
    /// anything but the state and its event. Kifu then takes the event back and returns KIFU_DIVERGED. In a load, it
    /// also finds an upcast function that submits something else when it is called again. This is slow: the time grows
    /// with the size of the state. Not with `reset` (KIFU_MISUSE), because Kifu cannot copy a model outside the state.
    kifu_attach *sync_test;
    /// `kifu_record_inputs`: records the calls from outside, for `kifu_verify_rules`. Each call takes 24 bytes; an
    /// input takes 16 more, and the event as it was submitted. They are freed with the timeline. A roll-back removes
    /// the records of its transaction.
    kifu_attach *record_inputs;
    /// `kifu_keep_variations`: after an undo, a new event does not replace the undone events: they stay as a variation
    /// (variations.h).
    kifu_attach *keep_variations;
    /// With `keep_variations`: playing an event in a line makes it the main line, as `kifu_promote_line` does. For a
    /// game that is being played: the undone events become a variation beside the main line. False: the main line stays
    /// until another one is promoted. For a program that studies variations of a finished game.
    bool promote_played;
    /// `kifu_begin_from_state`: saves and log files may begin from a state if the past was forgotten (forget.h).
    kifu_attach *from_state;
    /// `kifu_keep_notes`: notes at events (notes.h).
    kifu_attach *keep_notes;
    size_t note_limit; ///< What all notes may take: 64 bytes for each, its key and its text. 0: 16 MiB.
    /// The most bytes of memory that `kifu_apply_changes` may take for changes. It refuses changes that need more with
    /// KIFU_TOO_LARGE, and nothing changes. The state and its keyframes do not count. 0: 64 MiB plus 64 times the bytes
    /// of the changes.
    uint64_t changes_memory;
    /// `kifu_run_request` plays a batch in a transaction with KIFU_DEFERRED: what reacts to its steps waits until all
    /// of them have happened.
    bool defer_batches;
    /// For moves that only their outcome can forbid. `kifu_run_request` calls it when the events of `player` have
    /// happened (with `defer_batches`: before what reacts to them). NULL: they may stay. Else a static string says why
    /// not: the request is refused with KIFU_REJECTED, and nothing of it happens. NULL: there are no such moves.
    const char *(*judge_request)(const kifu_timeline *timeline, int player);
    /// Draws the state as text or SVG, for `kifu_draw_state` and for a page (drawing.h). NULL: the game has no drawing.
    void (*draw)(kifu_drawing *drawing);
    /// The game's rules as WebAssembly, for a page that plays (web.h). NULL: `html` refuses `--play`.
    const struct kifu_web_module *web;
} kifu_options;

/// Makes an empty timeline. `rules` and what `options` point to must outlive it. If it fails, `*timeline` is NULL and
/// `error` (may be NULL) says why. Errors: KIFU_NO_MEMORY, KIFU_MISUSE, those of `prepare`.
KIFU_WARN_UNUSED kifu_result kifu_create(const kifu_rules *rules, const kifu_options *options, kifu_timeline **timeline,
                                         kifu_error *error);

/// Frees a timeline and everything in it. NULL is allowed. Do not call it while an event runs.
void kifu_destroy(kifu_timeline *timeline);

// --- Running ---------------------------------------------------------------------------------------------------------

/// Lets `dt` seconds pass (at most `kifu_options.longest_frame`), and runs what is due. Call it once a frame. Events
/// follow each other until an Act asks for a delay longer than the time left, or until nothing waits. It never blocks.
///
/// It stops at the first event that does not happen. The rest stays queued, and the next call goes on with it;
/// `kifu_drop_inputs` drops the inputs. The result says why:
/// - KIFU_REJECTED: an input was rejected. (A rejected consequence stops nothing; `kifu_view.rejected` reports it.)
/// - KIFU_FAILED: the event's Do, a reaction or a trigger failed. State, log and queues are as they were before the
///   event, and the event is gone.
/// - KIFU_DIVERGED: the sync test found something. The event is gone.
/// - KIFU_RUNAWAY: an input had too many consequences or edits. State and log are as they were before the input.
/// - KIFU_INVALID_EVENT: the event's fields break its schema, or a string is not UTF-8.
/// - KIFU_NO_MEMORY: if memory ran out before the event's Do, the event still waits; if in its Do, the event is gone.
/// - KIFU_MISUSE: a function called something that is not allowed there.
///
/// If a submit has failed since the last call, this call returns that error first. If the model is outside the state,
/// Kifu takes an event back by executing the log again. If a Do fails in this replay (KIFU_FAILED, "could not be
/// replayed"), the log ends before the event of that Do.
kifu_result kifu_update(kifu_timeline *timeline, double dt);

/// Runs one event, whatever the delay. Does nothing if nothing waits. Results as `kifu_update`.
kifu_result kifu_step(kifu_timeline *timeline);

/// Runs until nothing waits, and ignores delays. Results as `kifu_update`.
kifu_result kifu_run(kifu_timeline *timeline);

/// On a quiet timeline events happen, with all their consequences, but Kifu calls neither view nor listeners, and there
/// are no delays. Use it to set up a game, on a server, or to go fast. Afterwards, the next event that is shown calls
/// the listeners with all changes; redraw the rest of the view yourself. Misuse in a Do function, a check or a
/// reaction.
void kifu_set_quiet(kifu_timeline *timeline, bool quiet);

/// Whether nothing waits and no delay runs.
bool kifu_is_idle(const kifu_timeline *timeline);

/// Seconds until `kifu_update` runs the next event.
double kifu_delay(const kifu_timeline *timeline);

/// Drops the inputs that wait: for example after a rejection, if a player's later clicks were meant for a position that
/// did not come about. It drops neither the consequences of the running input nor actions that `kifu_set_action` set.
/// It forgets the followers of the dropped inputs. Errors: KIFU_MISUSE (an event runs; nothing is dropped); the error
/// of an earlier submit (the inputs are dropped all the same).
kifu_result kifu_drop_inputs(kifu_timeline *timeline);

/// Changes the undo flags of one proposal while it waits. `undoable` true also turns off the schema's "unless_random"
/// and `reveals` for it. `ticket` 0 does nothing, because a submit in a replay returns 0. Errors: KIFU_MISUSE (no such
/// proposal waits; its type is never undoable and `undoable` is true; in a check or a view function; in a Do function
/// or a reaction that did not submit the proposal itself).
kifu_result kifu_override(kifu_timeline *timeline, kifu_ticket ticket, bool undoable, bool continue_undo);

// --- For Do functions, checks and reactions --------------------------------------------------------------------------

/// `return kifu_fail(timeline, "why");` in a Do function: Kifu takes the event back whole. In an upcast function: the
/// load is refused. Kifu copies the text.
KIFU_WARN_UNUSED kifu_result kifu_fail(kifu_timeline *timeline, const char *reason);

/// As `kifu_fail`. In place of the failed event, Kifu then tries the event that this Do submitted last, `ticket`, for
/// the same player and cause: `return kifu_fail_instead(timeline, dungeon_submit_e_strike(timeline, actor, monster));`
KIFU_WARN_UNUSED kifu_result kifu_fail_instead(kifu_timeline *timeline, kifu_ticket ticket);

/// Player of the running event (in Do, a check, a reaction or Act), or -1; in an upcast function, of the old event. In
/// a game with players, the player of a live player event has always joined (or is -1, if actors take turns), because
/// Kifu rejects all other events.
int kifu_player(const kifu_timeline *timeline);

/// The `rules_version` under which the running event was recorded: today's, unless this is a replay. In an upcast
/// function: that of the old event.
uint32_t kifu_rules_version(const kifu_timeline *timeline);

/// In a Do function: the running event shows hidden information, so undo refuses to take it back, whatever its other
/// flags say. Use it instead of the schema's `reveals` if only Do knows. What a hidden field of the state shows, Kifu
/// finds itself, and marks the event in the same way. Elsewhere it is misuse; in a replay it does nothing.
void kifu_reveal(kifu_timeline *timeline);

/// In a Do function: when undo takes back the running event, it also takes back the event before it, as if its schema
/// said `continue_undo: "true"`. Use it if only Do knows that the event was no decision, such as a move that was
/// forced. It overrides the schema and `kifu_override`. Elsewhere it is misuse; in a replay it does nothing, because
/// the log contains the flag.
void kifu_continue_undo(kifu_timeline *timeline);

/// Whether an event runs: its check, hook, Do, reaction, listener, follower or view function has called the caller.
/// While it runs, calls that run, undo or save are misuse. For functions that are called both while an event runs and
/// otherwise.
bool kifu_is_running(const kifu_timeline *timeline);

/// Whether the running Do is a replay. Replayed or not, a Do must change the state in the same way.
bool kifu_is_replaying(const kifu_timeline *timeline);

/// Returns `kifu_options.user`.
void *kifu_user(const kifu_timeline *timeline);

// --- Undo ------------------------------------------------------------------------------------------------------------

/// Takes back the last undo chain: the last event and, as long as the event just taken back has KIFU_CONTINUE_UNDO, the
/// one before it. It takes back the whole chain or nothing. What waits (inputs, consequences, actions that are set) is
/// stored with the place that the game leaves. It waits again when redo or `kifu_go_to` leads forward to that place. At
/// the place to which undo leads, nothing waits, and what was stored there is dropped. Errors:
/// - KIFU_NOT_UNDOABLE: an event of the chain is not undoable, or has revealed something; or an event is
///   `unless_random`, and an event of the chain drew random numbers; or the chain goes back to before the beginning of
///   the game or of an open transaction.
/// - KIFU_NOTHING_TO_UNDO: no player has done anything yet; the log is empty, or contains only the setup of the game.
/// - KIFU_MISUSE: an event runs, or `kifu_seek` shows the past.
/// - KIFU_FAILED: the log had to be executed again, and a Do failed that did not fail before. The log then ends before
///   the event of that Do, and `kifu_redo` tries to go on from there.
/// - KIFU_NO_MEMORY (if memory ran out inside that Do, for its transaction, the log ends as for KIFU_FAILED); the error
///   of an earlier submit.
kifu_result kifu_undo(kifu_timeline *timeline);

/// Brings back the events and the state of the next undo chain: one that was undone, or one after the place to which
/// `kifu_go_to` went. What waited there waits again. If something waits at a place inside the chain, redo stops at that
/// place. Errors: KIFU_NOTHING_TO_REDO (nothing was undone since the last new event, even if that event failed; or
/// inputs wait), KIFU_NO_MEMORY, KIFU_FAILED (a Do failed that did not fail before), KIFU_MISUSE (an event runs), the
/// error of an earlier submit. KIFU_DIVERGED, once: it is done, and the state is another than in the save.
kifu_result kifu_redo(kifu_timeline *timeline);

/// How many events `kifu_undo` would take back. If none, `error` (may be NULL) says why. Changes nothing.
uint32_t kifu_can_undo(const kifu_timeline *timeline, kifu_error *error);

/// How many events `kifu_redo` would bring back. If none, `error` (may be NULL) says why. Changes nothing.
uint32_t kifu_can_redo(const kifu_timeline *timeline, kifu_error *error);

// --- Looking ---------------------------------------------------------------------------------------------------------

/// The state, as the generated `<game>_state`; the generated `<game>_get_state` returns it with this type. The pointer
/// is valid as long as the timeline; the state changes as events happen.
const void *kifu_state(const kifu_timeline *timeline);

/// How many events have happened, also while `kifu_seek` shows the past. In a Do function: how many happened before its
/// event, also in a replay.
uint32_t kifu_event_count(const kifu_timeline *timeline);

/// How many of these events led to the state that is shown. This is less than `kifu_event_count` only while `kifu_seek`
/// shows the past.
uint32_t kifu_position(const kifu_timeline *timeline);

/// Shows event `index`, counted from 0. Returns false if `index` is not below `kifu_event_count`. What `*event` points
/// to is valid while the event is in the log.
bool kifu_event_at(const kifu_timeline *timeline, uint32_t index, kifu_event *event);

/// Number of the event that began the undo chain of event `event`: the move that event `event` belongs to, which is the
/// event itself or one before it. `kifu_chain_start(timeline, kifu_position(timeline) - 1)` is the move that was just
/// played, without the consequences behind it. KIFU_NONE: there is no such event, or it belongs to the setup of the
/// game. (KIFU_NONE is also KIFU_BEFORE_FIRST: a note there is about the whole game.)
uint32_t kifu_chain_start(const kifu_timeline *timeline, uint32_t event);

/// How many proposals wait: inputs and consequences.
uint32_t kifu_pending_count(const kifu_timeline *timeline);

/// Shows proposal `index`, in the order in which they will run; `kifu_event.index` is KIFU_NONE. Returns false if there
/// is none. Valid until the timeline runs or something is submitted.
bool kifu_pending_at(const kifu_timeline *timeline, uint32_t index, kifu_event *event);

/// The rules with which the timeline was made.
const kifu_rules *kifu_timeline_rules(const kifu_timeline *timeline);

/// Whether events of `type` have one of these tags: `kifu_has_tag(timeline, event->type, DUEL_TAG_MAGIC)`. Do functions
/// may not call it: no save contains tags, so a replay would depend on the current schema.
static inline bool kifu_has_tag(const kifu_timeline *timeline, uint32_t type, uint64_t tags)
{
    const kifu_rules *rules = kifu_timeline_rules(timeline);
    return type && type <= rules->type_count && (rules->types[type].tags & tags) != 0;
}

/// What went wrong in the last call that failed. Valid until the next call.
const kifu_error *kifu_last_error(const kifu_timeline *timeline);

/// Hash of the state's bytes, equal on every platform for equal states. From 0, for each 64-bit little-endian word (the
/// last one padded with zeros): xor the word, multiply by 0x9E3779B97F4A7C15, xor the upper half into the lower.
uint64_t kifu_state_hash(const kifu_timeline *timeline);

#ifdef __cplusplus
}
#endif

#endif
