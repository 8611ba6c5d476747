/// A commit that is being made: its records, of what a stream does not say yet, or of a whole save.
#ifndef KIFU_SRC_WRITE_COMMIT_H
#define KIFU_SRC_WRITE_COMMIT_H

#include <kifu/changes.h>

#include "core/moment.h"
#include "save/records.h"
#include "save/rows.h"
#include "save/writer.h"

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
    uint64_t actions;                  ///< Hash of the actions that are set; 0: none are.
    uint32_t main, next;               ///< The main line, and the number of the next.
    bool beginning;                    ///< As the last BEGUN says.
} kifu__stream;

/// How a commit has events: as rows, or as segments in front of it.
typedef struct kifu__event_form {
    /// Adds a record of those of a branch from number `first` on, in front of number `end`: there are some.
    void (*events)(kifu__commit *commit, kifu__branch *branch, uint32_t first, uint32_t end);
    /// Adds to the record at hand those of a segment that wait; it passes to the call.
    void (*waiting)(kifu__commit *commit, kifu__segment *segment);
} kifu__event_form;

/// A record has so many rows at most: a load makes one segment of them.
enum { KIFU__MOST_JOINED = 65536 };

extern const kifu__event_form kifu__as_rows;

/// A commit that is being made.
struct kifu__commit {
    kifu__plan *plan;
    const kifu__event_form *form;
    kifu__stream *stream; ///< What the file will say.
    uint32_t line, count; ///< Where the reader stands.
    bool any;             ///< There is something to be said.
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

/// The file has what a branch has; and what the current one has, and what waits.
static inline void kifu__branch_is_recorded(kifu__branch *branch)
{
    branch->unchanged = KIFU_NONE;
    branch->file_end = branch->end;
}

static inline void kifu__game_is_recorded(kifu_timeline *timeline)
{
    kifu__branch_is_recorded(timeline->log.branch);
    timeline->consequences.recorded = timeline->consequences.tail;
    timeline->inputs.recorded = timeline->inputs.tail;
}

#endif
