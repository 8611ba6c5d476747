/// The timeline's insides, for the files that make it up.
#ifndef KIFU_SRC_TIMELINE_H
#define KIFU_SRC_TIMELINE_H

#include <kifu/kifu.h>

#include "base/error.h"
#include "core/journal.h"
#include "core/keyframes.h"
#include "observe/listen.h"
#include "core/log.h"
#include "base/memory.h"
#include "base/os.h"
#include "core/queue.h"
#include "check/sync.h"
#include "wire/table.h"

/// What the timeline is doing: decides what may be called.
typedef enum kifu__phase {
    KIFU__IDLE,
    KIFU__CHECKING,
    KIFU__DOING,    ///< A live Do: may edit and submit.
    KIFU__REACTING, ///< May submit.
    KIFU__TELLING,  ///< A follower: may submit inputs.
    KIFU__SHOWING,  ///< Act and the other view callbacks: may look.
    KIFU__REPLAYING ///< A replayed Do: may edit; what it submits is in the log already.
} kifu__phase;

/// What one undo took away, besides the events, which stay in the log behind the executed ones.
typedef struct kifu__undone {
    uint32_t executed; ///< How many events were executed before the undo.
    kifu__queue consequences;
    kifu__queue inputs;
    uint32_t records; ///< How many inputs and so on were recorded.
} kifu__undone;

/// What is open: a transaction, a mark, or one inside the running Do.
typedef enum kifu__transaction_kind {
    KIFU__PLAIN,
    KIFU__DEFERRED, ///< Reactions and triggers wait for its commit.
    KIFU__MARK,
    KIFU__IN_DO
} kifu__transaction_kind;

/// How the timeline was when a transaction began.
typedef struct kifu__transaction {
    kifu__transaction_kind kind;
    uint32_t executed;
    int64_t consequence_count;

    // In a Do:
    uint32_t journal_used; ///< Entries.
    bool unkept;           ///< It is a replay without a journal, which is kept for this transaction only.
    uint32_t queue_bytes;  ///< Of the consequences, from head to tail.
    uint32_t queue_count;

    // From outside:
    uint32_t input_first;
    bool quiet;
    double delay;
    kifu_ticket last_ticket;  ///< What was submitted before it has no later one.
    uint32_t records;         ///< How many inputs and so on were recorded.
    kifu__queue consequences; ///< What waited, copied.
    kifu__queue inputs;
    kifu__queue actions;
    kifu_handle actor; ///< As in `kifu__turn_state`, like the next three.
    uint32_t begun_at;
    uint32_t runaways;
    uint32_t told;
    kifu__undone *undone; ///< What redo could bring back, set aside.
    uint32_t undone_count;
    uint32_t undone_capacity;
    kifu__log_tail tail; ///< The events of it.
} kifu__transaction;

/// A hook: see include/kifu/hooks.h.
typedef struct kifu__hook {
    kifu_rank rank;
    uint32_t type; ///< 0: all.
    uint32_t scope;
    uint64_t subject;
    kifu_hook *ask;
    const char *name;
    void *context;
} kifu__hook;

typedef struct kifu__hooks {
    kifu__hook *items; ///< In the order in which they are asked.
    uint32_t count;
    uint32_t capacity;
} kifu__hooks;

/// Who wants to know what becomes of a proposal.
typedef struct kifu__followed {
    kifu_ticket ticket;
    kifu_follower *follower;
    void *context;
} kifu__followed;

/// What the turn loop and the timers keep outside of the state: nothing that must be saved.
typedef struct kifu__turn_state {
    kifu_ticket ticket; ///< Of the action that is being run; 0: none is.
    kifu_handle actor;  ///< Whose it is.
    bool has_cost;      ///< Its Do said what it costs:
    uint32_t cost;
    uint32_t begun_at;   ///< Number of the event that the last action began as,
    uint32_t runaways;   ///< and how often one from there was taken back whole, for its consequences.
    uint32_t told;       ///< Timed events of an ESchedule before this one that cannot be read were told already.
    kifu__queue actions; ///< What actors are to do when their turn comes; `cause` is the actor's handle.
    unsigned char *room; ///< Where a timed event is written and read.
    uint32_t room_size;
    unsigned char *blob; ///< The same, as a proposal.
    uint32_t blob_size;
} kifu__turn_state;

/// What was done from outside: see verify_rules.c.
typedef enum kifu__record_kind {
    KIFU__RECORD_INPUT,
    KIFU__RECORD_BEGIN,
    KIFU__RECORD_BEGIN_DEFERRED,
    KIFU__RECORD_COMMIT,
    KIFU__RECORD_BACK ///< To where so many events had happened, and nothing waited: an undo, or an input too many.
} kifu__record_kind;

typedef struct kifu__record_entry {
    kifu__record_kind kind;
    uint32_t executed; ///< How many events had happened.
    kifu_handle actor; ///< Of an input that was an actor's action; KIFU_NO_HANDLE: it was none.
    uint32_t end;      ///< Of the proposals so far, in bytes.
} kifu__record_entry;

typedef struct kifu__records {
    kifu__record_entry *items;
    uint32_t count;
    uint32_t capacity;
    kifu__queue proposals; ///< Of the inputs, as they were submitted.
    bool incomplete;       ///< There is something that was not recorded.
} kifu__records;

/// Memory that was allocated piece by piece.
typedef struct kifu__blocks {
    void **items;
    uint32_t count;
    uint32_t capacity;
} kifu__blocks;

typedef struct kifu__log_file kifu__log_file; ///< log_file.c

struct kifu_timeline {
    kifu__core core; ///< First: generated code sees it.
    const kifu_rules *rules;
    kifu__memory memory;
    kifu_options options;
    kifu__phase phase;
    bool quiet;

    kifu__log_file *log_file; ///< NULL: none is open.
    kifu__file file;          ///< What borrowed segments of the log are a part of,
    kifu__blocks unpacked;    ///< or what they are, each one.
    kifu__log log;            ///< Executed events, and behind them those that redo can bring back.
    uint32_t executed;        ///< How many events are executed.
    kifu__journal journal;
    kifu__undone *undone; ///< What redo can bring back; the last one first.
    uint32_t undone_count;
    uint32_t undone_capacity;
    kifu__keyframes keyframes;
    kifu__checkpoint *checkpoints; ///< Ascending; also those of what redo can bring back.
    uint32_t checkpoint_count;
    uint32_t checkpoint_capacity;
    uint32_t hash_interval;
    uint32_t due_from;
    uint32_t due;         ///< With so many events, a checkpoint or a keyframe is due.
    bool sought;          ///< `kifu_seek` shows the past.
    uint32_t present;     ///< How many events have happened then.
    double speed;         ///< `kifu_play` plays it.
    double present_delay; ///< What `delay` is again, back in the present.
    kifu__transaction *transactions;
    uint32_t transaction_count;
    uint32_t transaction_capacity;
    uint32_t transaction_slots; ///< How many were ever open at once: the memory of their queues is kept.
    uint32_t deferring;         ///< How many of them make reactions and triggers wait.

    kifu__queue consequences;
    kifu__queue inputs;
    uint32_t input_first;      ///< Number of the running input's own event.
    int64_t consequence_count; ///< How many consequences the running input has had, less those allowed besides.
    kifu_ticket last_ticket;
    kifu__queue *building;  ///< Where a proposal with references is being built; NULL: nowhere.
    uint32_t building_size; ///< Of its blob so far.

    int running_player;    ///< Of the event in a check, Do, reaction or Act.
    double delay;          ///< Seconds until `kifu_update` goes on.
    uint8_t running_flags; ///< Of the mark of the event in Do: what it has to add.
    kifu__listeners listeners;

    kifu__turn_state turn;
    kifu__records records;
    kifu__hooks hooks;
    kifu__queue aside;        ///< What a check or hook submits.
    kifu__queue alternate;    ///< The one event that is tried instead of the running proposal.
    kifu_ticket fail_instead; ///< Of what the running Do wants tried in its place; 0: nothing.
    kifu__followed *followed;
    uint32_t followed_count;
    uint32_t followed_capacity;
    kifu__sync *sync; ///< NULL: no sync test.

    unsigned char *scratch;   ///< As large as the state: what a misused edit gets.
    unsigned char *transient; ///< Room for any event's transient fields, twice: see `kifu__replay_into`.
    uint32_t transient_size;  ///< Of one of the two.
    kifu_error fault;         ///< What went wrong since the last report, in a call that could not return it.
    char fail_reason[256];    ///< Of kifu_fail, until it is told; else empty.
    kifu_error error;
};

/// Remembers the first fault until it is reported.
void kifu__fault(kifu_timeline *timeline, kifu_result result, const char *format, ...) KIFU__PRINTF(3, 4);

/// Says who made the fault that is remembered: "in the check of nim.PTake: ".
void kifu__fault_in(kifu_timeline *timeline, const char *what, const char *name);

/// Reports the remembered fault, if there is one: moves it to `timeline->error` and returns its result.
kifu_result kifu__take_fault(kifu_timeline *timeline);

/// KIFU_OK when idle; else KIFU_MISUSE, naming `call`.
kifu_result kifu__require_idle(kifu_timeline *timeline, const char *call);

/// The same, and a remembered fault is reported first: it is no fault of what the call may have to execute.
kifu_result kifu__require_calm(kifu_timeline *timeline, const char *call);

/// What an event that a timer fires takes off the consequences of the running input: itself, and as many as an input
/// may have.
static inline int64_t kifu__allowance(const kifu_timeline *timeline)
{
    return (int64_t)timeline->options.max_consequences + 1;
}

/// The name of the type of event number `event` of the log.
const char *kifu__name_of(const kifu_timeline *timeline, uint32_t event);

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

/// How many events there are for whoever looks: in a replay, those before the running one.
static inline uint32_t kifu__now(const kifu_timeline *timeline)
{
    return timeline->phase == KIFU__REPLAYING ? timeline->core.event : timeline->executed;
}

/// Whether who runs now may change a waiting proposal: an event only what it submitted itself, in the transaction that
/// it began last, else a Do that is taken back would leave its mark on what stays; a follower only inputs (submit.c).
bool kifu__is_own(const kifu_timeline *timeline, const kifu__proposal *proposal);

// --- The past (replay.c) ---------------------------------------------------------------------------------------------

/// Goes to where the first `count` events of the log are executed, backward or forward, by the journal where it reaches
/// that far and the state is the whole model, else by executing the log again from the keyframe before, or from the
/// beginning. What a Do has done of an event that is not executed yet is taken back. Without memory for the journal, it
/// goes without. When a Do fails: KIFU_FAILED, and `executed` counts the events before it.
kifu_result kifu__go_to(kifu_timeline *timeline, uint32_t count);

/// The same, from an empty state or a keyframe in any case.
kifu_result kifu__replay_to(kifu_timeline *timeline, uint32_t count);

/// The same backward, and listeners hear of each event that is taken back.
kifu_result kifu__take_back_to(kifu_timeline *timeline, uint32_t count);

/// Executes the events of the log from `executed` to `count`, journaled; listeners hear of them. KIFU_NO_MEMORY;
/// KIFU_FAILED as `kifu__go_to`.
kifu_result kifu__redo_to(kifu_timeline *timeline, uint32_t count);

/// Executes the events `from` to `to` - 1 of the log on another block of state, which is that after `from` events. Not
/// inside a Do. The timeline is as it was afterwards. KIFU_FAILED, KIFU_NO_MEMORY, in `timeline->error`.
kifu_result kifu__replay_into(kifu_timeline *timeline, unsigned char *state, uint32_t from, uint32_t to);

/// The state after `count` events as the journal says it, copied into `state`; false where it does not reach that far.
bool kifu__journal_state_at(const kifu_timeline *timeline, uint32_t count, unsigned char *state);

/// Records the state of now as a keyframe.
void kifu__add_keyframe(kifu_timeline *timeline);

/// Records a hash; false without memory. One of the same event count stays.
bool kifu__add_checkpoint(kifu_timeline *timeline, uint32_t event_count, uint64_t hash);

/// Forgets the hashes of more than `event_count` events.
void kifu__drop_checkpoints(kifu_timeline *timeline, uint32_t event_count);

/// Sets `due`, after `executed` has jumped.
void kifu__find_due(kifu_timeline *timeline);

/// Records what is due, and when the next is.
void kifu__record_due(kifu_timeline *timeline);

/// Drops the events of the log from `count` on, with keyframes and hashes.
void kifu__cut_log(kifu_timeline *timeline, uint32_t count);

/// `kifu_seek` without its checks and without a redraw; KIFU_PRESENT is allowed.
kifu_result kifu__seek_quietly(kifu_timeline *timeline, uint32_t count);

/// A frame of the film: `dt` seconds pass.
kifu_result kifu__play_on(kifu_timeline *timeline, double dt);

/// Executes event number `executed` again, journaled. KIFU_NO_MEMORY; KIFU_FAILED.
kifu_result kifu__replay_one(kifu_timeline *timeline);

/// Lets Act show the event that was executed last: its type, and its table in the log (run.c).
void kifu__show(kifu_timeline *timeline, uint32_t type, const void *event);

// --- Undo (undo.c) ---------------------------------------------------------------------------------------------------

/// What to do about a call that the past, shown by `kifu_seek`, does not allow.
extern const char kifu__back_to_present[];

/// Remembers what an undo takes away: `executed` and what waits. The queues are empty after it. False without memory.
bool kifu__push_undone(kifu_timeline *timeline);

/// Forgets everything that redo could bring back, in the log too.
void kifu__drop_undone(kifu_timeline *timeline);

/// The log could not be executed again, and ends before where some open transactions began: they begin at its end now,
/// with no more of what waited or could be redone because of events that are gone.
void kifu__transactions_cut(kifu_timeline *timeline);

/// Sets which input is running, once its waiting consequences are back in their queue.
void kifu__find_input(kifu_timeline *timeline);

// --- Being told (listen.c) -------------------------------------------------------------------------------------------

/// Runs the reactions and triggers of event `event`, which the journal must reach, or none has changed the state since.
kifu_result kifu__react(kifu_timeline *timeline, uint32_t event);

/// Tells the listeners what event `event` changed; `undone`: it was taken back. The edits are `from` to `to`.
void kifu__tell_listeners(kifu_timeline *timeline, uint32_t event, bool undone, const kifu__journal_entry *from,
                          const kifu__journal_entry *to);

/// Tells them what has changed since they were last told, by whatever.
void kifu__tell_all(kifu_timeline *timeline, bool undone);

/// What the listeners were told last is the state of now.
void kifu__listeners_know(kifu_timeline *timeline);

/// The state has jumped: a redraw shows it, or, while the timeline is quiet, they hear of it with the next event that
/// is shown.
void kifu__listeners_jump(kifu_timeline *timeline);

/// Lets the view show the state anew, after a call that did its work or, as `result` and `timeline->error` say, only a
/// part of it. The call's result: `result`, or what the view did wrong.
kifu_result kifu__show_anew(kifu_timeline *timeline, kifu_result result);

/// Removes the hooks that were added with `context` (hooks.c).
void kifu__remove_hooks(kifu_timeline *timeline, const void *context);

/// The action of an actor has happened: submits what it costs (turns.c).
void kifu__spend_energy(kifu_timeline *timeline);

/// Submits the timed events that are due, and frees their timers (timers.c).
kifu_result kifu__fire_timers(kifu_timeline *timeline, uint32_t turn);

/// Reads the event in an ESchedule, which another version of the game may have written: `blob` is the timeline's own,
/// until the next call. KIFU_NO_MEMORY; otherwise a failure says what is wrong with it in `error` (timers.c).
kifu_result kifu__read_timed(kifu_timeline *timeline, const kifu_e_schedule *schedule, kifu__blob *blob,
                             kifu_error *error);

void kifu__turns_free(kifu_timeline *timeline);

/// Records what is done from outside now: an input that is about to run, which is not changed yet, or another thing
/// with `proposal` NULL. Does nothing where that is not wanted (verify_rules.c).
void kifu__record(kifu_timeline *timeline, kifu__record_kind kind, kifu__proposal *proposal);

/// Forgets what was recorded but for the first `count` entries.
void kifu__cut_records(kifu_timeline *timeline, uint32_t count);

void kifu__records_free(kifu_timeline *timeline);

/// Forgets who followed what does not wait any more, nor is `running` (follow.c).
void kifu__forget_followers(kifu_timeline *timeline, kifu_ticket running);

/// Lets go of the log file, as a killed process would (log_file.c).
void kifu__log_file_free(kifu_timeline *timeline);

// --- Transactions (transaction.c) ------------------------------------------------------------------------------------

/// Ends what a Do left open, which is misuse unless it failed: `open_before` transactions were open before it.
void kifu__end_of_do(kifu_timeline *timeline, uint32_t open_before, kifu_result result);

/// Runs the reactions and triggers of the events from number `first` on, which have waited. Where one of them fails,
/// what they submitted is taken back, and the error says what did not happen: `otherwise`.
kifu_result kifu__react_to_all(kifu_timeline *timeline, uint32_t first, const char *otherwise);

/// Of the events whose reactions and triggers wait for a commit, the first one's number; KIFU_NONE: none wait.
uint32_t kifu__first_deferred(const kifu_timeline *timeline);

void kifu__transactions_free(kifu_timeline *timeline);

#endif
