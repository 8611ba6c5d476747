/// Parts: what not every game uses (hooks, listeners, turns, the sync test, …). Each attaches itself to a timeline when
/// a game first uses it, and the core calls it only through a table of functions. So a program links only what it uses.
#ifndef KIFU_SRC_PART_H
#define KIFU_SRC_PART_H

#include <kifu/kifu.h>

#include "core/journal.h"
#include "core/moment.h"
#include "core/queue.h"

typedef struct kifu__part kifu__part;
typedef struct kifu__resolution kifu__resolution;
typedef struct kifu__plan kifu__plan;
typedef struct kifu__frame kifu__frame;
typedef struct kifu__saved kifu__saved;

/// How the state has changed.
typedef enum kifu__change_kind {
    KIFU__DONE,         ///< One event happened.
    KIFU__REDONE,       ///< One event was executed again, by a redo: listeners follow it.
    KIFU__UNDONE,       ///< One event was taken back.
    KIFU__ALL,          ///< Any number of events were taken back at once.
    KIFU__JUMPED,       ///< The state jumped to anywhere: a redraw shows it.
    KIFU__INTERNAL_MOVE ///< The library goes elsewhere for its own purposes, and will come back.
} kifu__change_kind;

typedef struct kifu__change {
    kifu__change_kind kind;
    uint32_t event;                        ///< Its number, of the first three kinds; else KIFU_NONE.
    const kifu__journal_entry *from, *end; ///< Of the first three kinds: its edits.
} kifu__change;

/// An event that has just been executed live.
typedef struct kifu__live {
    kifu_ticket ticket; ///< Ticket of the proposal that was submitted first.
    uint32_t type;
    const void *event;
    kifu_result result; ///< Of its Do.
} kifu__live;

/// Calls from outside, for the part that records them.
typedef enum kifu__call {
    KIFU__CALL_RUN,       ///< An input is about to run, before a check or hook changes it; NULL: a consequence is.
    KIFU__CALL_NOT_RUN,   ///< It did not happen, because memory ran out or the sync test found something; it is gone.
    KIFU__CALL_STILL,     ///< The same, and it still waits.
    KIFU__CALL_BEGIN,     ///< A transaction has begun, with `flags` of `kifu_begin`.
    KIFU__CALL_COMMIT,    ///< The last one was committed,
    KIFU__CALL_ROLL_BACK, ///< or rolled back.
    KIFU__CALL_UNDO,      ///< An undo is about to be made, or by the next one a redo.
    KIFU__CALL_REDO,
    KIFU__CALL_OVERRIDE, ///< A waiting proposal has other flags now.
    KIFU__CALL_OTHER     ///< The timeline was loaded, or is a fork.
} kifu__call;

/// What is written, when parts add their records to it.
typedef enum kifu__saving {
    KIFU__WHOLE_SAVE,
    KIFU__LOG_LINES,   ///< To a log file: what stands in front of the changes of the current line,
    KIFU__LOG_APPEND,  ///< and behind them.
    KIFU__LOG_WRITTEN, ///< That was written, and nothing is added any more.
    KIFU__LOG_CLOSED   ///< Nor will be.
} kifu__saving;

/// In which order the core calls parts.
typedef enum kifu__part_order {
    KIFU__TRANSACTIONS,
    KIFU__CURSORS,
    KIFU__FREE_SLOTS,
    KIFU__LOG_FILE,
    KIFU__CHANGE_COUNT,
    KIFU__STREAM,
    KIFU__FOLLOWER,
    KIFU__SEEN,
    KIFU__SYNC, // It knows the state before listeners may spoil it.
    KIFU__REVEALING,
    KIFU__TURNS,
    KIFU__HOOKS,
    KIFU__FOLLOWERS,
    KIFU__REACTIONS,
    KIFU__LISTENERS,
    KIFU__RECORDS,
    KIFU__SEARCH,
    KIFU__BYTES,
    KIFU__FROM_STATE,
    KIFU__FILM,
    KIFU__LINES,
    KIFU__NOTES
} kifu__part_order;

/// The functions of a part; each may be NULL.
typedef struct kifu__part_table {
    uint32_t size; ///< Of the part's struct, which begins with a `kifu__part`.
    kifu__part_order order;

    /// A call from outside begins: anything but KIFU_OK ends it there.
    kifu_result (*begins)(kifu_timeline *timeline, kifu__part *part);
    /// A call from outside is made. `proposal`: of KIFU__CALL_RUN and KIFU__CALL_OVERRIDE.
    void (*called)(kifu_timeline *timeline, kifu__part *part, kifu__call call, const kifu__proposal *proposal,
                   unsigned flags);
    /// Before and after a live Do. After it, the event may submit consequences still.
    void (*before_do)(kifu_timeline *timeline, kifu__part *part);
    void (*after_do)(kifu_timeline *timeline, kifu__part *part, const kifu__live *live);
    /// After the live Do of the action of an actor, which may submit consequences still. A part is called only while it
    /// has the bit of this in `timeline->handlers` set: so the other events of a game whose actors take turns pay
    /// nothing for it.
    void (*acted)(kifu_timeline *timeline, kifu__part *part, kifu_result result);
    /// The rules react to event number `event`, which the journal reaches: they may submit.
    kifu_result (*reacts)(kifu_timeline *timeline, kifu__part *part, uint32_t event);
    /// It is decided what became of a proposal.
    void (*ended)(kifu_timeline *timeline, kifu__part *part, const kifu_outcome *outcome);
    /// `who` of `whose` ("the check of ", "nim.PTake") has run on account of event `event`, and may not have changed
    /// the state.
    void (*ran)(kifu_timeline *timeline, kifu__part *part, uint32_t event, const char *who, const char *whose);
    /// The state has changed.
    void (*changed)(kifu_timeline *timeline, kifu__part *part, const kifu__change *change);
    /// The event that ran is about to be taken back; with `done`, it was.
    void (*fails)(kifu_timeline *timeline, kifu__part *part, bool done);
    /// The running input has too many consequences: all since event `first` is about to be taken back.
    void (*ran_away)(kifu_timeline *timeline, kifu__part *part, uint32_t first);
    /// Proposals were dropped; `running` is still being run.
    void (*dropped)(kifu_timeline *timeline, kifu__part *part, kifu_ticket running);
    /// Whether a proposal of a hookable type may happen; it may change the proposal. Where `kifu__is_hooked`.
    kifu_verdict (*asked)(kifu_timeline *timeline, kifu__part *part, kifu__proposal *proposal,
                          kifu__resolution *resolution);
    /// Whether it holds the proposal `ticket` back; 0: any.
    bool (*holds)(kifu__part *part, kifu_ticket ticket);
    /// The log now ends at `timeline->executed`, perhaps earlier than the part expects.
    void (*cut)(kifu_timeline *timeline, kifu__part *part);
    /// What waits in the part is dropped.
    void (*clears)(kifu__part *part);
    /// `keep` adds what the part has to `kept`, in multiples of 8 bytes. `returns` restores it from there; if `size` is
    /// 0, the part had nothing. In a fork, `returns` may fail if memory runs out.
    void (*keeps)(const kifu__part *part, kifu__blob *kept);
    bool (*returns)(kifu_timeline *timeline, kifu__part *part, const unsigned char *kept, uint32_t size);
    /// The past before event number `root` is about to go. Nothing fails any more.
    void (*forgets)(kifu_timeline *timeline, kifu__part *part, uint32_t root);
    /// Events of a branch from number `count` on are gone.
    void (*loses)(kifu_timeline *timeline, kifu__part *part, const kifu__branch *branch, uint32_t count);
    /// Those of `more`, a hidden branch, are about to become those of the one that was left for it.
    void (*joins)(kifu_timeline *timeline, kifu__part *part, const kifu__branch *branch, const kifu__branch *more);
    /// What the Do that just ran has left open is closed. The part has the bit only while something is open.
    void (*do_ends)(kifu_timeline *timeline, kifu__part *part, kifu_result result);
    /// Begins a branch, so that what a new event would replace stays. False without memory, with nothing changed.
    bool (*branches)(kifu_timeline *timeline, kifu__part *part);
    /// What follows from an input has happened. The part has the bit only while a line has just begun.
    void (*settles)(kifu_timeline *timeline, kifu__part *part);
    /// Seals what has been tried into the log. False without memory, with a fault. The part has the bit only while a
    /// try is open.
    bool (*seals)(kifu_timeline *timeline, kifu__part *part);
    /// What waits at a place of a branch has changed.
    void (*waits)(kifu_timeline *timeline, kifu__part *part, const kifu__branch *branch, uint32_t place);
    void (*freed)(kifu_timeline *timeline, kifu__part *part);

    // Behind this, functions without a bit: who calls them looks for the part.

    /// As kifu_event_at, of an event of a try that is not in the log.
    bool (*tried_at)(const kifu_timeline *timeline, uint32_t index, kifu_event *event);
    /// An edit opens these bytes of the state.
    void (*edited)(kifu_timeline *timeline, kifu__part *part, uint32_t offset, uint32_t size);
    /// The past is shown, and `dt` seconds of its film pass.
    kifu_result (*plays)(kifu_timeline *timeline, kifu__part *part, double dt);
    /// Another branch is about to be the current one.
    void (*leaves)(kifu_timeline *timeline, kifu__part *part, const kifu__branch *to);
    /// Line `line`, which is the last one, is about to be dropped: `to` has the same events.
    void (*merges)(kifu_timeline *timeline, kifu__part *part, uint32_t line, uint32_t to);
    /// What hangs at places of branch number `number` behind `behind` hangs at those of branch number `to`.
    void (*renames)(kifu_timeline *timeline, kifu__part *part, uint32_t number, uint32_t behind, uint32_t to);
    /// What the part has was exchanged with that of another timeline, of which the first branch was `was`.
    void (*exchanged)(kifu_timeline *timeline, kifu__part *part, const kifu__branch *was);
    /// A fork has the first `count` events of a path. False without memory.
    bool (*forks)(const kifu_timeline *timeline, kifu__branch *path, uint32_t count, kifu_timeline *fork);
    /// As kifu_next_note: who writes notes links none of this into a program without them.
    bool (*next_note)(const kifu_timeline *timeline, kifu_note *note);
    const kifu__saved *saved; ///< What it has in saves (save/saved.h); NULL: nothing.
} kifu__part_table;

struct kifu__part {
    const kifu__part_table *table;
    kifu__part *next;
};

/// The bit of a function of the table, in the order there.
#define KIFU__HANDLER(function)                                                                                        \
    (UINT32_C(1) << ((offsetof(kifu__part_table, function) - offsetof(kifu__part_table, begins)) /                     \
                     sizeof(void (*)(void))))

/// Those that a part has only for a time.
#define KIFU__FOR_A_TIME (KIFU__HANDLER(acted) | KIFU__HANDLER(do_ends) | KIFU__HANDLER(settles) | KIFU__HANDLER(seals))

/// Those of what happens before and in an event's Do, and around each function of the game: all before `changed`, but
/// for `acted`. And those of what comes after the Do and the reactions to it: `ended`, `ran` and `changed`.
#define KIFU__LIVE ((KIFU__HANDLER(changed) - 1) & ~KIFU__HANDLER(acted))
#define KIFU__SHOWN ((KIFU__HANDLER(fails) - 1) & ~(KIFU__HANDLER(ended) - 1))

/// Whether a part of the timeline has this function. If none has, there is nothing to call.
#define kifu__has_handler(timeline, function) (((timeline)->handlers & KIFU__HANDLER(function)) != 0)

/// The part of this table; NULL: the timeline has none.
kifu__part *kifu__part_of(const kifu_timeline *timeline, const kifu__part_table *table);

/// The same; if there is none, it makes one, all zeros. NULL without memory.
kifu__part *kifu__attach(kifu_timeline *timeline, const kifu__part_table *table);

/// Each calls this function of all parts that have it: see the table. A timeline gets these functions with its first
/// part, as `timeline->dispatch`, so a program without parts does not link them.
typedef struct kifu__dispatch {
    kifu_result (*begin)(kifu_timeline *timeline);
    void (*called)(kifu_timeline *timeline, kifu__call call, const kifu__proposal *proposal, unsigned flags);
    kifu__proposal *(*copy)(kifu_timeline *timeline, kifu__proposal *proposal); ///< For hooks, which may change it.
    kifu_verdict (*asked)(kifu_timeline *timeline, kifu__proposal *proposal, kifu__resolution *resolution);
    kifu_result (*do_event)(kifu_timeline *timeline, kifu_ticket ticket, uint32_t type, const void *event);
    kifu_result (*react)(kifu_timeline *timeline, uint32_t event);
    void (*ended)(kifu_timeline *timeline, const kifu_outcome *outcome);
    void (*changed)(kifu_timeline *timeline, const kifu__change *change);
    void (*happened)(kifu_timeline *timeline, kifu__change_kind kind, uint32_t event); ///< The last event: KIFU__DONE
                                                                                       ///< or KIFU__REDONE.
    void (*take_back)(kifu_timeline *timeline, uint32_t count); ///< Event by event, by the journal.
    void (*ran)(kifu_timeline *timeline, uint32_t event, const char *who, const char *whose);
    void (*fail)(kifu_timeline *timeline, bool done);
    void (*ran_away)(kifu_timeline *timeline, uint32_t first);
    void (*dropped)(kifu_timeline *timeline, kifu_ticket running);
    void (*cut)(kifu_timeline *timeline);
    void (*clear)(kifu_timeline *timeline);                         ///< Nothing waits in any part any more.
    bool (*hold)(kifu_timeline *timeline, kifu_ticket ticket);      ///< As `holds`, of any part.
    bool (*keep)(const kifu_timeline *timeline, kifu__blob **blob); ///< In the blob that is there, or a new one.
    bool (*restore)(kifu_timeline *timeline, const kifu__blob *kept);
    void (*end_do)(kifu_timeline *timeline, kifu_result result);
    void (*end_live_do)(kifu_timeline *timeline, kifu_result result); ///< `do_ends` and `acted`, as they have bits.
    bool (*branch)(kifu_timeline *timeline);
    void (*settle)(kifu_timeline *timeline);
    bool (*seal)(kifu_timeline *timeline);
    void (*lose)(kifu_timeline *timeline, const kifu__branch *branch, uint32_t count);
    void (*join)(kifu_timeline *timeline, const kifu__branch *branch, const kifu__branch *more);
    void (*wait)(kifu_timeline *timeline, const kifu__branch *branch, uint32_t place);
    void (*free)(kifu_timeline *timeline);
} kifu__dispatch;

/// What the part of this table added to `kept`, which may be NULL; NULL: nothing.
const unsigned char *kifu__kept_by(const kifu__part_table *table, const kifu__blob *kept, uint32_t *size);

/// Copies the parts that have something to keep into `fork`. False without memory.
bool kifu__parts_copy(const kifu_timeline *timeline, kifu_timeline *fork);

/// The state has changed otherwise than by one event.
void kifu__moved(kifu_timeline *timeline, kifu__change_kind kind);

#endif
