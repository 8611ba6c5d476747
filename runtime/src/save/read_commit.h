/// Commits that are being read, record by record: those of a file, or of a stream that is followed.
#ifndef KIFU_SRC_READ_COMMIT_H
#define KIFU_SRC_READ_COMMIT_H

#include "core/moment.h"
#include "save/records.h"
#include "save/rows.h"

typedef struct kifu__reader kifu__reader;

/// A branch of the file, for a timeline that keeps no variations: it has one branch, of the events that lead to where
/// the game is in the end.
typedef struct kifu__way_branch {
    uint32_t parent, from;
    uint32_t until;  ///< It has the events of the way up to there; 0: it is not on it.
    uint32_t begins; ///< It is that of the record 'branch' with this number, from 1 on; 0: it was there at first.
    bool there;      ///< It has begun, and is on the way.
    bool deleted;
} kifu__way_branch;

/// Of a line that is read: how many others begin there, and behind how many events the last of them does.
typedef struct kifu__forks {
    uint32_t count, most;
    uint32_t lost : 1; ///< Events of it cannot be read: what is said of those means nothing.
    uint32_t top : 31; ///< Of its heap, in which they are by place (read_forks.c): that one; 0: none.
} kifu__forks;

/// One of these lines, in the heap.
typedef struct kifu__fork_place {
    uint32_t line, from;
    uint32_t left, right; ///< Those below it begin behind as many events or fewer; 0: none.
} kifu__fork_place;

/// Commits that are being read: of a file, or of a stream that is followed. What is large comes last, because code that
/// reads the other members is shorter.
typedef struct kifu__commits kifu__commits;
struct kifu__commits {
    kifu__reader *reader;
    const kifu__frame *frame;           ///< The commit at hand.
    kifu__record kind;                  ///< And the record,
    const char *name;                   ///< what that is called,
    uint32_t numbers[4];                ///< and with which numbers it begins.
    const struct kifu__row_calls *rows; ///< NULL: it can have none.
    uint32_t begun;                     ///< How many commits there were.
    bool is_log;                        ///< It is a log file.
    uint32_t line;                      ///< Where the reader stands,
    uint32_t count;                     ///< after so many events,
    kifu__branch *branch;               ///< which belong to this one; NULL: they are not wanted,
    uint32_t until;                     ///< or only up to there.
    uint32_t game;                      ///< Where the game is, after `executed` events.
    bool beginning;                     ///< As of the last BEGUN.
    uint32_t before_last;
    struct kifu__reversal *back; ///< Of a follower, while it applies one; NULL: it is a load.
    kifu__way_branch *way;       ///< By number.
    uint32_t way_count, way_capacity;
    uint32_t deepest;     ///< The last branch on the way that has begun.
    uint32_t begun_count; ///< How many records 'branch' were read.
    uint32_t next;        ///< While it is found out which are: the number of the next line,
    bool any_events;      ///< and whether any have happened.
    kifu__forks *forks;   ///< By number, where there are lines.
    uint32_t fork_count, fork_capacity;
    bool (*find_last_fork)(kifu__commits *commits, uint32_t line); ///< Finds `most`. False without memory.
    kifu__fork_place *heaps;                                       ///< Those of all lines, from number 1 on.
    uint32_t heap_count, heap_capacity;                            ///< `heap_count` 0: there are none yet.
    /// Leaves out the events from number `first` on of a line, which cannot be read. NULL: there are no lines.
    kifu_result (*lose)(kifu__commits *commits, uint32_t line, uint32_t first, const kifu_error *why);
    kifu__shapes shapes;
};

/// Whether events of a line cannot be read.
static inline bool kifu__is_lost(const kifu__commits *commits, uint32_t line)
{
    return line < commits->fork_count && commits->forks[line].lost;
}

static inline void kifu__free_commits(const kifu__memory *memory, kifu__commits *commits)
{
    kifu__free(memory, commits->shapes.all);
    kifu__free(memory, commits->shapes.vtables.bytes);
    kifu__free(memory, commits->way);
    kifu__free(memory, commits->forks);
    kifu__free(memory, commits->heaps);
}

/// What is wrong with a commit, and with the record at hand: KIFU_DAMAGED.
kifu_result kifu__bad_commit(const kifu__reader *reader, const kifu__frame *frame, const char *what);
kifu_result kifu__bad_record(const kifu__commits *commits, const char *why);

/// Other events happened here than in the stream that is followed, from number `event` on: KIFU_DIVERGED. KIFU_NONE:
/// something else did.
kifu_result kifu__parted(const kifu__commits *commits, uint32_t event);

/// KIFU_OK, or `result` with what is to be said of it: memory or a limit.
kifu_result kifu__commit_failed(const kifu__commits *commits, kifu_result result);

/// Reads the records of a commit; `reader` and `frame` are set.
kifu_result kifu__read_records(kifu__commits *commits, kifu__bytes records);

/// The record at hand, of a kind that is known: its name, and the numbers with which its body begins. The body is not
/// `good` where they are not whole.
void kifu__begin_reading_record(kifu__commits *commits, uint32_t number, kifu__bytes *body);

/// The branch of a line, and up to where its events are wanted. NULL: they are not, or there is no such line.
kifu__branch *kifu__find_read(const kifu__commits *commits, uint32_t line, uint32_t *until);

/// Records of log files, changes and packed saves, for those who can read them.
typedef struct kifu__row_calls {
    /// Reads one with rows, or about rows, or of events that go.
    kifu_result (*read)(kifu__commits *commits, kifu__bytes *body);
    /// Makes a frame of rows, whose payload is new memory: `*bytes`, also after a failure.
    kifu_result (*make)(kifu__commits *commits, kifu__bytes *body, kifu__frame *frame, unsigned char **bytes);
} kifu__row_calls;

extern const kifu__row_calls kifu__row_functions;

/// The reader stands in a line, after so many events of its path.
kifu_result kifu__commits_go_to(kifu__commits *commits, uint32_t line, uint32_t count);

/// KIFU_DAMAGED: a timeline with lines does not stand in one. (Another may stand where nothing is wanted.)
kifu_result kifu__require_line(const kifu__commits *commits);

/// Makes numbers up to `number` known. KIFU_NO_MEMORY.
kifu_result kifu__reach_way(kifu__commits *commits, uint32_t number);

/// Records of events and of what waits (read_segment.c).
kifu_result kifu__read_events_record(kifu__commits *commits, kifu__bytes *body);
kifu_result kifu__read_queue_record(kifu__commits *commits, kifu__bytes *body);
kifu_result kifu__read_actions_record(kifu__commits *commits, kifu__bytes *body);
kifu_result kifu__read_kept_record(kifu__commits *commits, kifu__bytes *body);

/// `branch` becomes the one to which events are added, while it is read.
void kifu__read_into(kifu__commits *commits, kifu__branch *branch);

/// What cannot be read of another line than the current one is left out from event number `first` on: `result` is that
/// of reading it. Otherwise it is the result.
kifu_result kifu__or_leave_out(kifu__commits *commits, uint32_t line, uint32_t first, kifu_result result);

/// Takes the events of the next segments in front of the commit, so many, behind the place. KIFU_DAMAGED.
kifu_result kifu__load_segments(kifu__commits *commits, uint32_t count);

/// Forgets the states of more than `count` events.
void kifu__forget_states(kifu__commits *commits, uint32_t count);

/// As `kifu__branch_cut`, of which the parts are told before (read_rows.c).
void kifu__branch_lose(kifu_timeline *timeline, kifu__branch *branch, uint32_t count);

/// Drops the events of a branch behind the first `count`.
void kifu__read_cut(kifu__commits *commits, kifu__branch *branch, uint32_t count);

#endif
