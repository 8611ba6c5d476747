/// The timeline's insides, for the files that make it up.
#ifndef KIFU_SRC_TIMELINE_IMPL_H
#define KIFU_SRC_TIMELINE_IMPL_H

#include <kifu/kifu.h>

#include "error.h"
#include "journal.h"
#include "log.h"
#include "memory.h"
#include "os.h"
#include "queue.h"

/// How many of a replay's last events are journaled, so that they can be undone at no more than their own cost.
enum { KIFU__REPLAY_JOURNALED = 1024 };

/// What the timeline is doing: decides what may be called.
typedef enum kifu__phase {
    KIFU__IDLE,
    KIFU__CHECKING,
    KIFU__DOING,    ///< A live Do: may edit and submit.
    KIFU__REACTING, ///< May submit.
    KIFU__SHOWING,  ///< Act and the other view callbacks: may look.
    KIFU__REPLAYING ///< A replayed Do: may edit; what it submits is in the log already.
} kifu__phase;

/// What one undo took away, besides the events, which stay in the log behind the executed ones.
typedef struct kifu__undone {
    uint32_t executed; ///< How many events were executed before the undo.
    kifu__queue consequences;
    kifu__queue inputs;
} kifu__undone;

typedef struct kifu__reaction_entry {
    uint32_t type;
    kifu_reaction *react;
    void *context;
} kifu__reaction_entry;

struct kifu_timeline {
    kifu__core core; ///< First: generated code sees it.
    const kifu_rules *rules;
    kifu__memory memory;
    kifu_options options;
    kifu__phase phase;
    bool quiet;

    kifu__file file;   ///< What borrowed segments of the log are a part of.
    kifu__log log;     ///< Executed events, and behind them those that redo can bring back.
    uint32_t executed; ///< How many events are executed.
    kifu__journal journal;
    kifu__undone *undone; ///< What redo can bring back; the last one first.
    uint32_t undone_count;
    uint32_t undone_capacity;

    kifu__queue consequences;
    kifu__queue inputs;
    uint32_t input_first;       ///< Number of the running input's own event.
    uint32_t consequence_count; ///< How many consequences the running input has had.
    kifu_ticket last_ticket;
    kifu__queue *building;  ///< Where a proposal with references is being built; NULL: nowhere.
    uint32_t building_size; ///< Of its blob so far.

    int running_player; ///< Of the event in a check, Do, reaction or Act.
    double delay;       ///< Seconds until `kifu_update` goes on.
    kifu__reaction_entry *reactions;
    uint32_t reaction_count;
    uint32_t reaction_capacity;

    unsigned char *scratch; ///< As large as the state: what a misused edit gets.
    void *transient;        ///< Room for any event's transient fields.
    kifu_error fault;       ///< What went wrong since the last report, in a call that could not return it.
    char fail_reason[256];  ///< Of kifu_fail, until it is told; else empty.
    kifu_error error;
};

/// Remembers the first fault until it is reported.
void kifu__fault(kifu_timeline *timeline, kifu_result result, const char *format, ...) KIFU__PRINTF(3, 4);

/// Reports the remembered fault, if there is one: moves it to `timeline->error` and returns its result.
kifu_result kifu__take_fault(kifu_timeline *timeline);

/// KIFU_OK when idle; else KIFU_MISUSE, naming `call`.
kifu_result kifu__require_idle(kifu_timeline *timeline, const char *call);

/// Executes the first `count` events of the log again, from an empty state; `executed` becomes `count`. Without memory
/// for the journal, it goes without. When a Do fails: KIFU_FAILED, and `executed` counts the events before it.
kifu_result kifu__replay_to(kifu_timeline *timeline, uint32_t count);

/// Takes the state back to what it was after `count` events: by the journal where it reaches that far and the state is
/// the whole model, else as `kifu__replay_to`.
static inline kifu_result kifu__go_back_to(kifu_timeline *timeline, uint32_t count)
{
    if (timeline->options.reset || !kifu__journal_reaches(&timeline->journal, count))
        return kifu__replay_to(timeline, count);
    kifu__journal_restore(&timeline->journal, &timeline->core, count);
    timeline->executed = count;
    return KIFU_OK;
}

/// Executes the events of the log from `executed` to `count`, journaled.
kifu_result kifu__replay_on(kifu_timeline *timeline, uint32_t count);

/// Remembers what an undo takes away: `executed` and what waits. The queues are empty after it. False without memory.
bool kifu__push_undone(kifu_timeline *timeline);

/// Forgets everything that redo could bring back, in the log too.
void kifu__drop_undone(kifu_timeline *timeline);

/// Sets which input is running, once its waiting consequences are back in their queue.
void kifu__find_input(kifu_timeline *timeline);

/// Lets the view show the state anew; false when it misused the timeline (see `kifu__take_fault`).
void kifu__refresh_view(kifu_timeline *timeline);

#endif
