/// The timeline's struct, for the files of the runtime.
#ifndef KIFU_SRC_TIMELINE_H
#define KIFU_SRC_TIMELINE_H

#include <kifu/kifu.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/os.h"
#include "core/journal.h"
#include "core/keyframes.h"
#include "core/log.h"
#include "core/moment.h"
#include "core/part.h"
#include "core/queue.h"

/// A function that is not inlined, so that its caller saves no registers for it; one of these that is called seldom;
/// and one that is called for each event, and becomes a part of its caller.
#if defined(__GNUC__) && KIFU__QUICK
#define KIFU__CALLED __attribute__((noinline))
#define KIFU__COLD __attribute__((noinline, cold))
#define KIFU__HOT __attribute__((always_inline)) inline
#else
#define KIFU__CALLED
#define KIFU__COLD
#define KIFU__HOT inline
#endif

/// A file as the timeline has loaded it or written it last.
typedef struct kifu__known {
    uint64_t contents; ///< See `kifu__contents`; 0: nothing is known of it.
    uint32_t place;    ///< See `kifu__os_place`; 0: nowhere.
    bool lossy;        ///< The load did not take all of it: it is kept when it is replaced.
} kifu__known;

/// Those that a timeline knows: the one that it was loaded from, and its log file, if that is another.
enum { KIFU__LOADED, KIFU__LOGGED, KIFU__KNOWN };

/// The input that runs, and the event of it that is in its Do.
typedef struct kifu__running {
    uint32_t input_first;      ///< Number of the input's own event.
    kifu_handle acting;        ///< The actor whose action it is; KIFU_NO_HANDLE: it is none.
    int64_t consequence_count; ///< How many consequences it has had, less those allowed besides.
    kifu_ticket trusted;       ///< In a try: of the input whose check is not asked; 0: all are.
    kifu_ticket fail_instead;  ///< Ticket of the event that the Do wants tried in its place; 0: none.
    uint8_t flags;             ///< Of the event's mark: what the Do has to add.
    bool rng_open;             ///< The Do has opened the game's random numbers,
    kifu_rng rng;              ///< which were these.
} kifu__running_input;

/// An input that is being played directly (play.c).
typedef struct kifu__played {
    uint32_t size;
    kifu_ticket ticket;
    const kifu_verdict *asked; ///< Of the check that has run already; NULL: none has.
} kifu__played;

/// A proposal that is not complete.
typedef struct kifu__building {
    kifu__queue *list;  ///< In KIFU__LISTING: where candidates go.
    kifu__queue *queue; ///< Where one with references is being built; NULL: nowhere.
    kifu__blob blob;    ///< What is built of it so far, in the queue's bytes.
} kifu__building;

/// Open transactions (history/transaction.c).
typedef struct kifu__transactions {
    uint32_t open;
    uint32_t floor;          ///< Where the last one began: undo and runaway inputs do not go back behind it.
    bool searching;          ///< One of them is a search,
    uint32_t searched;       ///< and the first one began here.
    uint32_t deferring;      ///< How many of them make reactions and triggers wait,
    uint32_t deferred_from;  ///< and number of the first event since the first of these.
    kifu_ticket search_from; ///< In a search: what has an earlier ticket was submitted before it; else 0.
    uint32_t own_from;       ///< In one inside a Do: bytes of consequences that were submitted before it.
} kifu__transactions;

/// The past, where `kifu_seek` shows it (history/seek.c).
typedef struct kifu__past {
    bool shown;
    uint32_t present; ///< How many events have happened then.
    double delay;     ///< What the timeline's is again, back in the present.
    double speed;     ///< At which its film plays; 0: it does not.
} kifu__past;

/// Where the next checkpoint or keyframe is made (keyframes.c).
typedef struct kifu__due {
    uint32_t hash_interval, from, at; ///< With `at` events, one is due.
    uint32_t held; ///< While a commit may be refused: hashes of so many events, or fewer, stay as they are.
    /// Hashes were loaded: kifu__compare_loaded (history/hashes.h). NULL: none were.
    uint32_t (*compare)(kifu_timeline *timeline, uint32_t to);
} kifu__due;

/// How often lines and notes have changed; what waits at places, or is set; and hashes that log files have.
typedef struct kifu__tree_changes {
    uint64_t changes, waits, hashes;
} kifu__tree_changes;

/// By which it is seen that nothing has happened since.
typedef struct kifu__stamp {
    kifu__tree_changes tree;
    uint32_t line, end, executed;  ///< The current branch, and the place.
    uint32_t inputs, consequences; ///< How many wait.
    kifu_ticket ticket;
} kifu__stamp;

/// The files of a game (save/save.c).
typedef struct kifu__files {
    kifu__known known[KIFU__KNOWN];
    char *kept;         ///< Where the loaded file was kept; NULL: nowhere.
    kifu__stamp loaded; ///< When a log file was loaded; zeroed: none was.
} kifu__files;

/// The function that long calls report to (progress.c).
typedef struct kifu__listener_of_progress {
    kifu_progress *function; ///< NULL: no one.
    void *context;
} kifu__listener_of_progress;

struct kifu_timeline {
    kifu__core core;   ///< First: generated code sees it,
    uint32_t executed; ///< and how many events are executed: see `kifu__executed`.
    uint32_t handlers; ///< A bit for each function that some part has: see `kifu__has_handler`.
    const kifu_rules *rules;
    kifu__memory memory;

    // What is used most comes first, because code that reads it is shorter.
    const kifu__dispatch *dispatch; ///< The functions that call the parts; NULL: there are none.
    kifu__part *parts;              ///< In the order in which the core calls them.
    kifu_ticket last_ticket;
    kifu__running_input running;
    bool quiet;
    uint64_t hooked; ///< A bit for each event type modulo 64: some part may have hooks for it. See kifu__is_hooked.
    kifu__past past;
    kifu_options options;

    // The record: branches, and a place in them.
    unsigned char *origin; ///< The state with which the log begins; NULL: all zeros.
    kifu__log log;         ///< The path of the current branch: executed events, and behind them those of redo.
    kifu__kept *spare;     ///< Memory for what waits at a place; NULL: there is none.
    kifu__journal journal;
    kifu__keyframes keyframes;
    kifu__due due;

    // What waits, and what is on its way into the log.
    kifu__queue consequences;
    kifu__queue inputs;
    kifu__queue aside;     ///< What a check or hook submits.
    kifu__queue alternate; ///< The one event that is tried instead of the running proposal.
    kifu__building building;
    kifu__played played;
    double delay; ///< Seconds until `kifu_update` goes on.

    // Of the rooms above.
    kifu__transactions transactions;
    kifu__tree_changes tree;
    kifu__files files;
    struct kifu__watcher *watchers; ///< Of dropped events (history/watch.c).
    kifu__part *search;             ///< The part that tries, so that it is found at once; NULL: there is none.
    kifu__part *free_slots;         ///< The part that knows those of pools; NULL: there is none.
    const uint64_t *heard; ///< A bit for each window of the state, set where listeners follow the edits of live
                           ///< events; NULL: they must be asked about each event.

    unsigned char *scratch;   ///< As large as the state: a misused edit gets a pointer to it.
    unsigned char *transient; ///< Room for any event's transient fields, twice: see `kifu__replay_into`.
    uint32_t transient_size;  ///< Of one of the two.
    kifu__listener_of_progress progress;
    kifu_error fault;      ///< What went wrong since the last report, in a call that could not return it.
    char fail_reason[256]; ///< Of kifu_fail, until a call returns it; else empty.
    kifu_error error;
};

/// After what follows from an input has happened.
static inline void kifu__settle_line(kifu_timeline *timeline)
{
    if (kifu__has_handler(timeline, settles))
        timeline->dispatch->settle(timeline);
}

/// Whether nothing has happened since a log file was loaded; and that what has happened now is nothing to it, either.
bool kifu__is_stamped(const kifu_timeline *timeline);
void kifu__stamp_again(kifu_timeline *timeline);

/// Whether events lie behind the place, which redo can bring back. Only in the present.
static inline bool kifu__has_redo(const kifu_timeline *timeline)
{
    return timeline->executed < timeline->log.branch->end;
}

/// Whether something may be kept along the path.
static inline bool kifu__may_keep(const kifu_timeline *timeline)
{
    return timeline->log.keeps_from != KIFU_NONE;
}

/// The next note, as kifu_next_note; false where no part keeps notes, too.
static inline bool kifu__next_note(const kifu_timeline *timeline, kifu_note *note)
{
    const kifu__part *part = timeline->parts;
    while (part && !part->table->next_note)
        part = part->next;
    return part && part->table->next_note(timeline, note);
}

/// All that has been tried is in the log and the journal. False without memory, with a fault.
static inline bool kifu__settled(kifu_timeline *timeline)
{
    return timeline->core.next_short == timeline->core.shorts || timeline->dispatch->seal(timeline);
}

/// Bits of `core.slow`.
enum {
    KIFU__UNSURE = 1,     ///< Something has happened that may be a reason: look again.
    KIFU__WATCHED = 2,    ///< Parts follow, react or record.
    KIFU__VIEWED = 4,     ///< The view shows each event, or listeners do.
    KIFU__PAST = 8,       ///< The past is shown.
    KIFU__WAITS = 16,     ///< Something waits.
    KIFU__REDO = 32,      ///< The new event ends redo.
    KIFU__FAULT = 64,     ///< A submit has failed.
    KIFU__NEW_LINE = 128, ///< The first events of a variation have happened.
    KIFU__HEARD = 256     ///< Listeners alone are called, for edits of what is `heard`.
};

/// Finds out what `core.slow` is (run.c). Then nothing is said of the next Do yet.
uint32_t kifu__find_slow(kifu_timeline *timeline);

/// Whether there may be more to do for an event, up to the end of its Do, than its check and its Do. What waits is no
/// reason, nor is how it is shown.
static inline bool kifu__is_slow(const kifu_timeline *timeline)
{
    return (timeline->core.slow & ~(uint32_t)(KIFU__WAITS | KIFU__VIEWED | KIFU__HEARD)) != 0;
}

/// Whether an input may run at once: no event runs, no fault waits, the present is shown, and nothing has changed since
/// the last one. Where this is false it may still be so.
static inline bool kifu__is_calm(const kifu_timeline *timeline)
{
    return KIFU__QUICK && timeline->core.phase == KIFU__IDLE && !kifu__is_slow(timeline);
}

/// Whether something stands against playing an input directly: as kifu__is_slow, or something waits.
static inline bool kifu__is_busy(const kifu_timeline *timeline)
{
    return (timeline->core.slow & ~(uint32_t)(KIFU__VIEWED | KIFU__HEARD)) != 0;
}

/// Something has happened for which an event may have to take the long way.
static inline void kifu__changed(kifu_timeline *timeline)
{
    timeline->core.slow |= KIFU__UNSURE;
}

// --- Faults (fault.c) ------------------------------------------------------------------------------------------------

/// Remembers the first fault until it is reported.
void kifu__fault(kifu_timeline *timeline, kifu_result result, const char *format, ...) KIFU__PRINTF(3, 4);

/// A call in a place where it is not allowed: remembers this as a fault, and returns it.
kifu_result kifu__misuse(kifu_timeline *timeline, const char *format, ...) KIFU__PRINTF(2, 3);

/// Why a Do or a reaction failed with `result`: what the fault says, or `kifu_fail`. And forgets both.
const char *kifu__reason(kifu_timeline *timeline, kifu_result result);
void kifu__forget_reason(kifu_timeline *timeline);

/// Adds to the remembered fault where it happened: "in the check of nim.PTake: ".
void kifu__fault_in(kifu_timeline *timeline, const char *what, const char *name);

/// Reports the remembered fault, if there is one: moves it to `timeline->error` and returns its result.
kifu_result kifu__report_fault(kifu_timeline *timeline);

/// KIFU_OK when idle; else KIFU_MISUSE, naming `call`.
kifu_result kifu__require_idle(kifu_timeline *timeline, const char *call);

/// The same; but a remembered fault is reported first, because this call has not made it.
kifu_result kifu__require_calm(kifu_timeline *timeline, const char *call);

/// KIFU_OK where the present is shown; else KIFU_MISUSE, naming `call`.
kifu_result kifu__require_present(kifu_timeline *timeline, const char *call);

/// KIFU_OK where no transaction is open; else KIFU_MISUSE, naming `call`.
kifu_result kifu__require_no_transaction(kifu_timeline *timeline, const char *call);

/// Why a call is not allowed, and what to do.
extern const char kifu__try_is_open[];

/// Advice for a call that is not allowed while `kifu_seek` shows the past.
extern const char kifu__back_to_present[];

// --- Long calls (progress.c) -----------------------------------------------------------------------------------------

/// Calls the progress function, if there is one. KIFU_CANCELLED, KIFU_MISUSE: the call fails with this.
kifu_result kifu__tick(kifu_timeline *timeline, uint64_t done, uint64_t total);

// --- Looking (look.c) ------------------------------------------------------------------------------------------------

/// The name of the type of event number `event` of the log.
const char *kifu__name_of(const kifu_timeline *timeline, uint32_t event);

/// The event in a slot of a segment.
kifu_event kifu__event_in(const kifu_timeline *timeline, const kifu__segment *segment, uint32_t slot);

/// Bytes of a block of state: whole windows of the journal.
static inline size_t kifu__state_room(const kifu_rules *rules)
{
    return ((size_t)rules->state_size + 7) & ~(size_t)7;
}

/// The standard part of the state, which is its beginning.
static inline const kifu_game *kifu__game(const kifu_timeline *timeline)
{
    return (const kifu_game *)(const void *)timeline->core.state;
}

/// A Do is about to change the game's random numbers.
static inline void kifu__open_rng(kifu_timeline *timeline)
{
    if (timeline->core.phase != KIFU__DOING || timeline->running.rng_open)
        return;
    timeline->running.rng_open = true;
    timeline->running.rng = kifu__game(timeline)->rng;
    kifu__changed(timeline);
}

/// Whether the Do that just ran has changed them.
static inline bool kifu__drew(kifu_timeline *timeline)
{
    const bool opened = timeline->running.rng_open;
    timeline->running.rng_open = false;
    return opened && memcmp(&timeline->running.rng, &kifu__game(timeline)->rng, sizeof timeline->running.rng) != 0;
}

/// The moment of now.
static inline kifu__moment kifu__moment_of(const kifu_timeline *timeline)
{
    return (kifu__moment){
        .executed = timeline->executed,
        .journal_used = kifu__journal_used(&timeline->journal, &timeline->core),
        .queue_bytes = timeline->consequences.tail - timeline->consequences.head,
        .queue_count = timeline->consequences.count,
        .consequence_count = timeline->running.consequence_count,
    };
}

/// How many events `kifu_event_count` returns: in a replay, those before the running one.
static inline uint32_t kifu__now(const kifu_timeline *timeline)
{
    return timeline->core.phase == KIFU__REPLAYING ? timeline->core.event : timeline->executed;
}

/// What an event that a timer fires takes off the consequences of the running input: itself, and as many as an input
/// may have.
static inline int64_t kifu__allowance(const kifu_timeline *timeline)
{
    return (int64_t)timeline->options.max_consequences + 1;
}

/// The ticket of what is submitted next: 0 means none, so the count wraps to 1.
static inline kifu_ticket kifu__next_ticket(const kifu_timeline *timeline)
{
    return timeline->last_ticket == UINT32_MAX ? 1 : timeline->last_ticket + 1;
}

/// Submits an event that was timed, from the Do of kifu.EBeginTurn (submit.c). What a player timed belongs to the game
/// turn that makes it happen: undo does not stop there.
void kifu__submit_timed(kifu_timeline *timeline, uint32_t type, int player, const void *table, uint32_t size);

/// Whether the function that runs now may change a waiting proposal (submit.c). An event may change only what it
/// submitted itself, in the transaction that it began last; otherwise a Do that is taken back would leave a change in a
/// proposal that stays. A follower may change only inputs.
bool kifu__is_own(const kifu_timeline *timeline, const kifu__proposal *proposal);

/// Whether a proposal waits, in a queue or in a part (submit.c).
bool kifu__waits(kifu_timeline *timeline, kifu_ticket ticket);

/// As kifu__edit_bytes, without calling the parts (state.c).
void *kifu__edit_windows(kifu_timeline *timeline, uint32_t offset, uint32_t size);

// --- What is recorded along the log (keyframes.c) --------------------------------------------------------------------

/// Makes a keyframe of `state`, the state after `event_count` events, unless there is one already or the model is
/// outside the state. Without memory it makes none; everything works without it.
void kifu__add_keyframe(kifu_timeline *timeline, uint32_t event_count, const unsigned char *state);

/// The last keyframe of at most `event_count` events, or NULL.
const kifu__keyframe *kifu__find_keyframe(const kifu_timeline *timeline, uint32_t event_count);

/// Copies the state of that keyframe, or with which the log begins, and returns how many events it is after.
uint32_t kifu__nearest_state(const kifu_timeline *timeline, uint32_t event_count, unsigned char *state);

/// Copies the state with which the log begins.
void kifu__first_state(const kifu_timeline *timeline, unsigned char *state);

/// Records a hash, of an event count that has none yet. NULL without memory.
kifu__checkpoint *kifu__add_checkpoint(kifu_timeline *timeline, uint32_t event_count, uint64_t hash);

/// Forgets the keyframes of more than `event_count` events: they are of other events than those of the path.
void kifu__drop_keyframes(kifu_timeline *timeline, uint32_t event_count);

/// Forgets them, and the hashes of more events along the current path.
void kifu__drop_records(kifu_timeline *timeline, uint32_t event_count);

/// Sets `due`, after `executed` has jumped.
void kifu__find_due(kifu_timeline *timeline);

/// Records what is due, and when the next is.
void kifu__record_due(kifu_timeline *timeline);

/// Drops the events of the current branch from number `count` on, with what waits behind it, keyframes and hashes.
void kifu__cut_log(kifu_timeline *timeline, uint32_t count);

// --- The view (show.c) -----------------------------------------------------------------------------------------------

/// Lets Act show the event that was executed last: its type, and its table in the log.
void kifu__show(kifu_timeline *timeline, uint32_t type, const void *event);

/// Lets the view show the state anew, after a call that did its work or, as `result` and `timeline->error` say, only a
/// part of it. The call's result: `result`, or what the view did wrong.
kifu_result kifu__show_anew(kifu_timeline *timeline, kifu_result result);

// --- Offered by the room turns, through a game's rules alone ---------------------------------------------------------

/// Timed events and actions (actions.c, timers.c).
struct kifu__timed {
    /// Reads the event in an ESchedule, which another version of the game may have written: `blob` is the timeline's
    /// own, until the next call. KIFU_NO_MEMORY; otherwise a failure says what is wrong with it in `error`.
    kifu_result (*read)(kifu_timeline *timeline, const kifu_e_schedule *schedule, kifu__blob *blob, kifu_error *error);
    /// The event of the log to which the timer behind `*timer` in a state leads, which becomes that timer. KIFU_NONE:
    /// there is none.
    uint32_t (*next)(const kifu_timeline *timeline, const unsigned char *state, kifu_handle *timer);
    /// kifu_postpone
    kifu_result (*schedule)(kifu_timeline *timeline, kifu_ticket ticket, uint32_t turn, uint32_t key);
    /// The input that runs next is the action of `actor`. False without memory.
    bool (*begin_action)(kifu_timeline *timeline, kifu_handle actor);
    void (*end_action)(kifu_timeline *timeline);
    /// The actions that are set, or were at the moment `kept`, if that is not NULL. The queue only shows them; `cause`
    /// is the actor's handle.
    kifu__queue (*actions)(const kifu_timeline *timeline, const kifu__kept *kept);
    /// Sets these instead, which are copied. False without memory.
    bool (*set_actions)(kifu_timeline *timeline, const kifu__queue *actions);
    /// Those that are set, and others, change places. Nothing is copied.
    void (*exchange_actions)(kifu_timeline *timeline, kifu__queue *others);
    /// How many events timers have fired since event `first`.
    uint32_t (*fired)(const kifu_timeline *timeline, uint32_t first);
};

#endif
