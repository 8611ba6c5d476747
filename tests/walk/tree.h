/// The plain model of the walk: a tree of lines and a place in it. It keeps a digest of each event, of the state after
/// it, of what waits and of each note. It says where undo, redo and `kifu_go_to` must lead to, and what must be there.
#ifndef WALK_TREE_H
#define WALK_TREE_H

#include <kifu/kifu.h>
#include <kifu/notes.h>
#include <kifu/variations.h>

enum { MOST_ABSURD = 100000 }; ///< No game of the walk has as many events.

/// An event of a line.
typedef struct walk_event {
    uint64_t content; ///< Digest of the table and all that it refers to.
    uint64_t hash;    ///< Of the state after the event, if `hashed`.
    uint32_t cause;   ///< Number of the event that submitted it, or KIFU_NONE.
    uint32_t rules_version;
    uint8_t type, flags;
    int8_t player;
    bool hashed;
} walk_event;

/// Proposals that wait, as digests, in the order in which they will run.
typedef struct walk_queue {
    uint64_t *items;
    uint32_t count;
} walk_queue;

/// What waits at a place until the game comes back there. A place belongs to the line that has the event before it.
typedef struct walk_kept {
    uint32_t place;
    bool doubtful; ///< The model has not seen what waits there, if anything: an action that is set, or
    bool any;      ///< whatever was undone inside of a transaction.
    walk_queue queue;
} walk_kept;

typedef struct walk_line {
    bool alive;
    uint32_t parent, from, end; ///< Its own events have the numbers `from` to `end` - 1.
    uint32_t left;              ///< Where it was left; KIFU_NONE: unknown.
    walk_event *events;         ///< Number `from` is the first.
    walk_kept *kept;
    uint32_t kept_count;
} walk_line;

typedef struct walk_note {
    uint32_t line, event;
    uint64_t key, content;
} walk_note;

typedef struct walk_tree {
    walk_line *lines; ///< By number.
    uint32_t line_count;
    uint32_t current, main;
    uint32_t first;      ///< Number of the first event that is not forgotten.
    uint64_t first_hash; ///< Of the state before it, if `first_hashed`.
    bool first_hashed;
    uint32_t place; ///< So many events have happened, forgotten ones included.
    walk_queue waiting;
    walk_note *notes; ///< In the order of `kifu_next_note`.
    uint32_t note_count;
    uint32_t can_undo, can_redo;
    bool hides;    ///< Actions may be set, which the model does not see.
    uint64_t hash; ///< Of the state now.
} walk_tree;

void *walk_alloc(size_t size); ///< Zeroed; never NULL.

/// A digest of bytes, chained by `hash`.
uint64_t walk_mix(uint64_t hash, const void *bytes, size_t size);

/// The digest of an event: its type, its table and all that it refers to.
uint64_t walk_content_of(const kifu_rules *rules, uint32_t type, const void *table);

/// What can be seen of a timeline. False, with `*why` set: it contradicts itself.
bool walk_observe(kifu_timeline *timeline, walk_tree *tree, const char **why);

void walk_copy(walk_tree *to, const walk_tree *from);
void walk_drop(walk_tree *tree);

/// The event with this number on the way to the end of a line; NULL: there is none.
walk_event *walk_event_of(const walk_tree *tree, uint32_t line, uint32_t index);

/// The line that has event number `index` on the way to a line: its own, or an ancestor.
uint32_t walk_owner(const walk_tree *tree, uint32_t line, uint32_t index);

/// The number of the event at which the ways to two lines part.
uint32_t walk_shared(const walk_tree *tree, uint32_t a, uint32_t b);

static inline uint32_t walk_alive(const walk_tree *tree)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < tree->line_count; i++)
        count += tree->lines[i].alive;
    return count;
}

/// The line at a place among those that are alive.
uint32_t walk_nth(const walk_tree *tree, uint32_t place);

// --- Comparing -------------------------------------------------------------------------------------------------------

/// Whether two events are the same, in a game that has forgotten those before number `first`.
bool walk_same_event(const walk_event *a, const walk_event *b, uint32_t first);

/// What `got` has else than `want`, in words, or NULL. Of what only `want` knows (what waits elsewhere), nothing.
const char *walk_differs(const walk_tree *want, const walk_tree *got);

/// The same for two trees of two versions of a game: types, players, flags, causes and lines alone.
const char *walk_shape_differs(const walk_tree *want, const walk_tree *got);

// --- Going -----------------------------------------------------------------------------------------------------------

/// How many events an undo takes back, to `floor` at most; 0: it is refused.
uint32_t walk_undo_count(const walk_tree *tree, const kifu_rules *rules, uint32_t floor);

/// The end of the undo chain that event number `place` continues, on the way to a line.
uint32_t walk_end_of_chain(const walk_tree *tree, uint32_t line, uint32_t place);

/// Takes the model to where the timeline went by an undo, a redo or `kifu_go_to`: `got` is what is there now. NULL, or
/// why the timeline may not be there.
const char *walk_undone(walk_tree *tree, const walk_tree *got, const kifu_rules *rules, uint32_t floor);
const char *walk_redone(walk_tree *tree, const walk_tree *got);
const char *walk_went(walk_tree *tree, const walk_tree *got, uint32_t line, uint32_t count);

/// Whether `kifu_can_redo` may say what `got` says.
const char *walk_may_redo(const walk_tree *tree, const walk_tree *got);

// --- Playing ---------------------------------------------------------------------------------------------------------

/// How a call that plays may change a tree.
typedef struct walk_growth {
    bool variations; ///< Nothing that was played may be lost.
    bool promotes;   ///< The line that is played is the main one.
    bool one_input;  ///< At most one input ran.
    bool starved;    ///< Memory ran out on the way.
    bool commit;     ///< It ended a transaction.
} walk_growth;

/// Takes the model to where the timeline played on to. NULL, or what was lost or changed.
const char *walk_grew(walk_tree *tree, const walk_tree *got, const walk_growth *how);

/// The tree without the lines that are not the current one: what a timeline without variations has.
void walk_project(walk_tree *to, const walk_tree *from);

/// The past before event `first` is forgotten: what stays.
void walk_forget(walk_tree *tree, uint32_t first);

void walk_delete(walk_tree *tree, uint32_t line);

#endif
