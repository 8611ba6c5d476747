/// What the operations of the walk share, and all of them.
#ifndef WALK_STEP_H
#define WALK_STEP_H

#include "walk.h"

/// The next call may be refused memory, as the operation says; until `walk_disarm`, which says whether it was.
void walk_arm(walk *walk, const walk_op *op);
bool walk_disarm(walk *walk);

/// What can be seen of a timeline; or the walk ends.
void walk_see(kifu_timeline *timeline, walk_tree *got, const char *what);

/// Nothing has changed.
void walk_expect_same(walk *walk, const char *what);

/// The model is where `got` is, and knows what waits there; everything else must be equal.
void walk_accept(walk *walk, walk_tree *got, const char *what);

/// The states after new events.
void walk_learn_hashes(walk *walk, const char *what);

/// As `kifu_state_hash`, of a copy of the state.
uint64_t walk_hash_of(const void *state, uint32_t size);

/// After a call that plays from outside of a transaction; in one; anywhere.
void walk_expect_grown(walk *walk, const char *what, const walk_growth *how);
void walk_expect_before(walk *walk, const char *what);
void walk_played(walk *walk, const char *what, bool one_input, bool starved);

/// Whether the game begins from a state, and may not be saved so: then the call was refused, and nothing changed.
bool walk_has_no_root(walk *walk, kifu_result result, const char *what);

/// Notes are those of the events that lines show, by each call; in a search, all of these.
void walk_expect_notes(walk *walk, const char *what);

/// Rolls all open transactions back.
void walk_close_all(walk *walk);

/// The model of what a load with fewer options gives.
walk_tree walk_seen_by(const walk_tree *tree, bool variations, bool notes);

/// The walk goes on with another timeline, of which the model is right already.
void walk_replace(walk *walk, kifu_timeline *timeline, bool variations, bool notes, const char *what);

/// What the log file was after the last appends is not known any more.
void walk_forget_appended(walk *walk);

/// The log file has what the model has. One that is open was not written anew, where it may not be.
void walk_log_is(walk *walk, const char *what);

void walk_close_watchers(walk *walk);

/// Goes to a place of a line, or is refused; and deletes a line.
void walk_go(walk *walk, const walk_op *op, uint32_t line, uint32_t count, bool force);
void walk_delete_line(walk *walk, const walk_op *op, uint32_t line);

/// Closes the log file unsaid, and removes it; and all followers and watchers.
void walk_lose_log(walk *walk);
void walk_close_followers(walk *walk);

/// Whether an event leads to another state than it did (differs.c); and that none does.
bool walk_any_differs(void);
void walk_none_differs(void);

/// Chooses such an event, which none at this place in another line is like, but for the same one; false: it cannot lead
/// elsewhere. From then on, it does or not.
bool walk_differs_at(const walk *walk, uint32_t number, const walk_event *event);
void walk_differ(bool differs);

/// A follower has such an event, and the game has not (other_rules.c).
void walk_other_rules(walk *walk, const walk_op *op);

/// False where there are none: without memory, or without a root.
bool walk_changes_since(walk *walk, const walk_op *op, const kifu_stream_position *since, kifu_changes *changes);

/// Appends, where a log file is open, and loads the file.
void walk_append(walk *walk, const walk_op *op, const char *what);

/// Name, how likely it is, function.
#define WALK_KINDS(X)                                                                                                  \
    X(submit_run, 26)                                                                                                  \
    X(submit_step, 12)                                                                                                 \
    X(submit, 7)                                                                                                       \
    X(run, 6)                                                                                                          \
    X(step, 6)                                                                                                         \
    X(play, 8)                                                                                                         \
    X(engine, 12)                                                                                                      \
    X(best, 3)                                                                                                         \
    X(bytes, 3)                                                                                                        \
    X(trusted_bytes, 3)                                                                                                \
    X(batch, 6)                                                                                                        \
    X(ask_undo, 5)                                                                                                     \
    X(ask_redo, 3)                                                                                                     \
    X(turn, 8)                                                                                                         \
    X(set_action, 4)                                                                                                   \
    X(drop, 2)                                                                                                         \
    X(override, 3)                                                                                                     \
    X(undo, 22)                                                                                                        \
    X(redo, 10)                                                                                                        \
    X(go_to, 22)                                                                                                       \
    X(go_left, 6)                                                                                                      \
    X(promote, 3)                                                                                                      \
    X(delete, 3)                                                                                                       \
    X(note, 10)                                                                                                        \
    X(forget, 2)                                                                                                       \
    X(keep_variations, 2)                                                                                              \
    X(verify, 6)                                                                                                       \
    X(seek, 2)                                                                                                         \
    X(look, 4)                                                                                                         \
    X(try, 3)                                                                                                          \
    X(begin, 5)                                                                                                        \
    X(commit, 5)                                                                                                       \
    X(roll_back, 5)                                                                                                    \
    X(empty, 4)                                                                                                        \
    X(save, 8)                                                                                                         \
    X(reload, 5)                                                                                                       \
    X(later, 1)                                                                                                        \
    X(log_open, 4)                                                                                                     \
    X(append, 8)                                                                                                       \
    X(torn, 3)                                                                                                         \
    X(full_disk, 1)                                                                                                    \
    X(log_close, 2)                                                                                                    \
    X(kill, 3)                                                                                                         \
    X(restart, 3)                                                                                                      \
    X(process, 1)                                                                                                      \
    X(fork, 2)                                                                                                         \
    X(follow, 16)                                                                                                      \
    X(watch, 10)                                                                                                       \
    X(differs, 3)                                                                                                      \
    X(json, 1)

#define WALK_DECLARE(name, weight) void walk_op_##name(walk *walk, const walk_op *op);
WALK_KINDS(WALK_DECLARE)
#undef WALK_DECLARE

#endif
