/// Records: what a commit consists of (schema/FORMAT.md, "Commits and records"). Each is its kind, the length of what
/// follows, and that; all little numbers are those of wire/number.h.
#ifndef KIFU_SRC_RECORDS_H
#define KIFU_SRC_RECORDS_H

#include <kifu/changes.h>

#include "core/moment.h"
#include "save/rows.h"
#include "save/waiting.h"
#include "save/writer.h"

/// The kinds. A reader stands somewhere in the tree, at first where the game begins, and in the end where it goes on.
///
/// Events are a run of rows; or, in a plain save, 0 and a number: they are in so many of the next segments in front of
/// the commit. So are those that wait, but for the number, since one segment has them.
typedef enum kifu__record {
    KIFU__STAND = 1, ///< branch, count: it stands there.
    KIFU__EVENTS,    ///< events: they come behind the place, and what was behind it in this branch is gone.
    KIFU__CUT,       ///< The events behind the place are gone.
    KIFU__HASHES,    ///< (events more than before, hash) ...: hashes of states along the branch.
    KIFU__QUEUE,     ///< inputs gone, consequences gone, events: the first ones do not wait any more, these do.
    KIFU__ACTIONS,   ///< kifu.save.Proposals: the actions that are set.
    KIFU__KEPT,      ///< branch, count, length of actions, actions, events: what waits there, instead of what
                     ///< did.
    KIFU__BRANCH,    ///< number, parent, count: a branch begins.
    KIFU__RETURNED,  ///< number: branches from this number on are gone, and their numbers may be given again.
    KIFU__DELETED,   ///< number: a branch from which no other begins is gone.
    KIFU__LEFT,      ///< number, count: where the game left that branch.
    KIFU__TREE,      ///< main line, number of the next branch.
    KIFU__BEGUN,     ///< number: not all has happened that follows from the input that began the last branch; the game
                     ///< left that one for it.
    KIFU__NOTE,      ///< branch, place, kind, length of key, key, bytes: kind 0 removes it.
    KIFU__HASH,      ///< hash of the state where the game is, and perhaps the state.
    KIFU__POSITION,  ///< stream (8 bytes), number, checksum (4 bytes): of the stream behind this commit, which is that
                     ///< of all that there is.
    KIFU__SHAPES,    ///< Shapes of rows that were named before are not known any more.
    KIFU__TIP,       ///< number, hash, fingerprint, rules version: of the hash of a branch's end, and its other hashes.
    KIFU__END,       ///< The save is whole: nothing follows.
    KIFU__RECORD_KINDS,
    KIFU__SKIPPED_RECORDS = 64 ///< From this kind on, a reader skips a record that it does not know.
} kifu__record;

/// The kinds of notes.
enum { KIFU__NO_NOTE, KIFU__TEXT_NOTE, KIFU__BYTES_NOTE };

// --- Writing ---------------------------------------------------------------------------------------------------------

/// A place at which what waits has changed.
typedef struct kifu__place_kept {
    uint32_t branch, place;
} kifu__place_kept;

typedef struct kifu__commit kifu__commit;

/// What a stream says so far. Zeroed: nothing.
typedef struct kifu__stream {
    bool begun;
    kifu_stream_position position;
    kifu__shapes *shapes;
    bool new_shapes;                   ///< Those that follow it do not know them.
    uint32_t line, executed;           ///< Where the game is.
    kifu__queued consequences, inputs; ///< What waits there.
    kifu__said actions;                ///< The actions that are set.
    uint32_t main, next;               ///< The main line, and the number of the next.
    bool beginning;                    ///< As the last BEGUN says.
    uint64_t notes;                    ///< How many changes of notes.
} kifu__stream;

/// How a commit has events: as rows, or as segments in front of it.
typedef struct kifu__event_form {
    /// Adds a record of those of a branch from number `first` on, in front of number `end`: there are some.
    void (*events)(kifu__commit *commit, kifu__branch *branch, uint32_t first, uint32_t end);
    /// Adds to the record at hand those of a segment that wait; it passes to the call.
    void (*waiting)(kifu__commit *commit, kifu__segment *segment);
} kifu__event_form;

extern const kifu__event_form kifu__as_rows, kifu__as_segments;

/// A commit that is being made.
struct kifu__commit {
    kifu__plan *plan;
    const kifu__event_form *form;
    kifu__stream *stream; ///< What the file will say.
    uint32_t line, count; ///< Where the reader stands.
    bool any;             ///< There is something to be said.
    bool current;         ///< It has the events of the current branch,
    bool lines;           ///< and of other lines.
    uint64_t events;      ///< How many events it has.
    kifu__blob records;
    kifu__blob body; ///< Of the record at hand.
};

/// Makes a commit of all that the stream does not say, with the state if that is wanted, and adds it to the plan as a
/// frame; or adds nothing. `stream` is what the file says, and becomes what it will say; but shapes that come in
/// addition are to be cut if it is not written. `kept` are the places at which what waits has changed. Failures are the
/// plan's.
void kifu__plan_commit_of(kifu__plan *plan, kifu__stream *stream, kifu__place_kept *kept, uint32_t kept_count,
                          bool with_state);

/// A commit without records, behind what `stream` says.
kifu__commit kifu__begin_commit(kifu__plan *plan, kifu__stream *stream, const kifu__event_form *form);

/// Adds the commit to the plan as a frame, where `any` is set, or drops it. Then it is empty again.
void kifu__end_commit(kifu__commit *commit);

/// Adds all commits of a whole save (write_whole.c). `shapes` NULL: the form names none.
void kifu__plan_whole(kifu__plan *plan, kifu__shapes *shapes, const kifu__event_form *form, bool with_state);

/// Between two lines of a whole save: a commit that has become long ends here, so that recovery keeps it.
void kifu__commit_pause(kifu__commit *commit);

/// Begins a record: `commit->body` is empty. And ends it.
void kifu__begin_record(kifu__commit *commit);
void kifu__end_record(kifu__commit *commit, kifu__record kind);

/// Adds bytes to the record at hand.
void kifu__add_bytes(kifu__commit *commit, const void *bytes, uint32_t size);

/// Adds a record of numbers.
void kifu__add_record(kifu__commit *commit, kifu__record kind, uint32_t count, const uint32_t *numbers);

/// The reader is to stand there.
void kifu__commit_stand(kifu__commit *commit, uint32_t line, uint32_t count);

/// A branch begins; the first one, if `parent` is its own number.
void kifu__commit_branch(kifu__commit *commit, uint32_t number, uint32_t parent, uint32_t from);

/// Adds the events of a branch from number `first` on, in front of number `end`, and their hashes.
void kifu__commit_range(kifu__commit *commit, kifu__branch *branch, uint32_t first, uint32_t end);

/// Adds the events of a branch that the file does not have, or the cut of those that it has. And what waits at a place.
void kifu__commit_events(kifu__commit *commit, kifu__branch *branch);
void kifu__commit_kept(kifu__commit *commit, const kifu__branch *branch, uint32_t place, const kifu__kept *kept);

/// Adds all that waits at places of a branch from `first` to `last`, for a file that has nothing of it.
void kifu__commit_all_kept(kifu__commit *commit, const kifu__branch *branch, uint32_t first, uint32_t last);

/// Adds what waits where the game is: so many of the first proposals go, and these come. And the actions that are set.
void kifu__commit_queue(kifu__commit *commit, uint32_t inputs_gone, uint32_t consequences_gone,
                        const kifu__row *consequences, const kifu__row *inputs);
void kifu__commit_actions(kifu__commit *commit);

/// Adds a hash, and the state unless it is NULL.
void kifu__commit_hash(kifu__commit *commit, uint64_t hash, const void *state);

/// The same of the present. Fails as kifu_seek, where the game shows the past.
void kifu__commit_present(kifu__commit *commit, bool with_state);

/// The file has what a branch has.
static inline void kifu__branch_is_said(kifu__branch *branch)
{
    branch->unchanged = KIFU_NONE;
    branch->file_end = branch->end;
}

// --- Reading ---------------------------------------------------------------------------------------------------------

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
    bool lost;      ///< Events of it cannot be read: what is said of those means nothing.
    uint32_t above; ///< If there is nothing of it, the line of which it would be a part.
} kifu__forks;

/// Commits that are being read: of a log file, or of a stream that is followed.
typedef struct kifu__commits kifu__commits;
struct kifu__commits {
    kifu__reader *reader;
    const kifu__frame *frame; ///< The commit at hand.
    kifu__record kind;        ///< And the record,
    const char *name;         ///< and what that is called.
    kifu__shapes shapes;
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
    struct kifu__reversal *back; ///< Of a follower; NULL: it is a load.
    kifu__way_branch *way;       ///< By number.
    uint32_t way_count, way_capacity;
    uint32_t deepest;     ///< The last branch on the way that has begun.
    uint32_t begun_count; ///< How many records 'branch' were read.
    kifu__forks *forks;   ///< By number, where there are lines.
    uint32_t fork_count, fork_capacity;
    uint32_t (*last_fork)(kifu__commits *commits, uint32_t line); ///< Finds `most`.
    /// Leaves out the events from number `first` on of a line, which cannot be read. NULL: there are no lines.
    kifu_result (*lose)(kifu__commits *commits, uint32_t line, uint32_t first, const kifu_error *why);
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
}

/// What is wrong with the record at hand: KIFU_DAMAGED.
kifu_result kifu__bad_record(const kifu__commits *commits, const char *why);

/// Other events happened here than in the stream that is followed, from number `event` on: KIFU_DIVERGED. KIFU_NONE:
/// something else did.
kifu_result kifu__parted(const kifu__commits *commits, uint32_t event);

/// KIFU_OK, or `result` with what is to be said of it: memory or a limit.
kifu_result kifu__commit_failed(const kifu__commits *commits, kifu_result result);

/// Reads the records of a commit; `reader` and `frame` are set.
kifu_result kifu__read_records(kifu__commits *commits, kifu__bytes records);

/// The next record: its kind and body. False: there is none.
bool kifu__next_record(kifu__bytes *records, uint32_t *kind, kifu__bytes *body);

/// Whether a commit has a record of this kind. What is behind one that is not whole does not count.
bool kifu__has_record(const kifu__frame *commit, kifu__record wanted);

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

/// Makes a frame of those that wait: `*bytes` is new memory or NULL, also after a failure.
kifu_result kifu__read_run(kifu__commits *commits, kifu__bytes *body, kifu__frame *frame, unsigned char **bytes);

/// KIFU_DAMAGED: a timeline with lines does not stand in one. (Another may stand where nothing is wanted.)
kifu_result kifu__require_line(const kifu__commits *commits);

/// Makes numbers up to `number` known. KIFU_NO_MEMORY.
kifu_result kifu__reach_way(kifu__commits *commits, uint32_t number);

/// Looks through a log file for the branches on the way to where the game is in the end (read_way.c).
kifu_result kifu__see_commits(kifu__commits *commits);

/// Records of what waits (read_waiting.c).
kifu_result kifu__take_queue_record(kifu__commits *commits, kifu__bytes *body);
kifu_result kifu__take_actions_record(kifu__commits *commits, kifu__bytes *body);
kifu_result kifu__take_kept_record(kifu__commits *commits, kifu__bytes *body);

/// `branch` becomes the one to which events are added, while it is read.
void kifu__read_into(kifu__commits *commits, kifu__branch *branch);

/// What cannot be read of another line than the current one is left out from event number `first` on: `result` is that
/// of reading it, while the reader's error was `own`, and not `error`. Otherwise it is the result, with its error.
kifu_result kifu__or_leave_out(kifu__commits *commits, uint32_t line, uint32_t first, kifu_result result,
                               kifu_error *error, const kifu_error *own);

/// The next segment in front of the commit; and the events of so many, behind the place (read_segment.c). KIFU_DAMAGED.
kifu_result kifu__next_segment(kifu__commits *commits, kifu__frame *frame);
kifu_result kifu__take_segments(kifu__commits *commits, uint32_t count);

/// Takes the segments that were read, but those that wait, as the events of the game, where there is no commit.
kifu_result kifu__take_all_segments(kifu__commits *commits);

/// Forgets the states of more than `count` events.
void kifu__forget_states(kifu__commits *commits, uint32_t count);

/// Drops the events of a branch behind the first `count` (read_events.c).
void kifu__read_cut(kifu__commits *commits, kifu__branch *branch, uint32_t count);

#endif
