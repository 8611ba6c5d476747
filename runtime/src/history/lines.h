/// The lines of a game: the metadata of each branch.
#ifndef KIFU_SRC_LINES_H
#define KIFU_SRC_LINES_H

#include <kifu/kifu.h>

#include "core/timeline.h"

/// The metadata of a line. Its events are those of its branch.
typedef struct kifu__line {
    // What is read of each on the way along many comes first.
    kifu__branch *branch; ///< Does not move in memory. NULL: the line is deleted.
    uint32_t parent;      ///< A smaller number; of the first line, its own.
    uint32_t from;
    uint32_t left;         ///< So many events were executed when the line was left.
    uint32_t child;        ///< Of the lines that branch off, the last that was linked; 0: none does (kifu_delete_line).
    uint32_t sibling;      ///< Of those with the same parent, the one that was linked before; 0: it is the first.
    uint32_t next_touched; ///< For log files: another line that has changed since the last append, plus 1; 0: none.
    bool kept;             ///< A follower has remembered how it was before a commit.
    bool in_file;          ///< The log file has the line,
    uint32_t file_left;    ///< and `left` was this.
    uint32_t next;         ///< The next line in the same bucket of the hash index (same_line.c); 0: none.
    uint32_t touched_next; ///< Of which this one is `next_touched`, plus 1; 0: none.
    uint64_t begins;       ///< Its key: hash of parent, place and first event.
    uint64_t tip_hash;     ///< While it is not the current one: of the state at its end; 0: unknown.
    bool tip_sought;       ///< A save has tried to compute `tip_hash`, and need not try again.

    // Of a line that was loaded:
    bool unchecked;         ///< It was not entered since. The next members are then from the save.
    bool comparable;        ///< The same version of the game wrote it, so its hashes must be those of today.
    uint32_t rules_version; ///< The version of the rules,
    uint64_t fingerprint;   ///< and the schema's, with which `tip_hash` was found.
} kifu__line;

/// The part of a timeline that keeps variations.
typedef struct kifu__lines kifu__lines;
struct kifu__lines {
    kifu__part part;
    kifu__line *items; ///< By number.
    uint32_t count;    ///< How many numbers were given; 0: lines could not be kept without memory.
    uint32_t capacity;
    uint32_t *listed; ///< Those of the lines that are not deleted, ascending.
    uint32_t listed_count;
    uint32_t listed_capacity;
    uint32_t current;
    uint32_t before_last; ///< The one before it, when the last line was begun.
    uint32_t main;
    bool begun;        ///< The last line has only begun: not all that follows from its first input has happened.
    uint32_t unplayed; ///< How many events there were up to the current line's end when it was not the main one, and
                       ///< nothing was played in it; KIFU_NONE: that does not matter (kifu_options.promote_played).
    uint32_t *buckets; ///< Of the hash index: the first line of each (same_line.c).
    uint32_t bucket_count;
    uint32_t indexed; ///< Lines below this number are in the index, but line 0.
    uint32_t linked;  ///< Lines before that number are linked to their parents, with those that were deleted since.
    // Of the log file:
    uint32_t touched;  ///< The number of a line that has changed since the last append, plus 1; 0: none has.
    uint32_t given_up; ///< Numbers of lines in the file from this one on were given up; KIFU_NONE: none.
    /// kifu__lines_draw. A pointer, so that only programs with lines link it.
    kifu_result (*draw)(const kifu_timeline *timeline, const kifu__lines *lines, kifu_stretch *stretches,
                        uint32_t *count, kifu_error *error);
};

/// NULL: the timeline keeps none.
kifu__lines *kifu__lines_of(const kifu_timeline *timeline);

/// The same for what must not link lines into a program that has none.
static inline const kifu__lines *kifu__lines_if_linked(const kifu_timeline *timeline)
{
    const kifu__part *part = timeline->parts;
    while (part && (part->table->order != KIFU__LINES || part->table->size != sizeof(kifu__lines)))
        part = part->next; // What lines have in saves is a part of that order, too.
    return (const kifu__lines *)(const void *)part;
}

/// A line as it is now; zeroed: there is none.
kifu__line kifu__line_as_it_is(const kifu_timeline *timeline, uint32_t number);

/// Where it was left, and what is known of its end, is as it was.
void kifu__line_leave_as(const kifu_timeline *timeline, uint32_t number, const kifu__line *was);

/// The line of a number; NULL: there is none. `only` is room for line 0 of a timeline that keeps none.
const kifu__line *kifu__line_numbered(const kifu_timeline *timeline, uint32_t number, kifu__line *only);

/// Where the current line leaves it, if that is an ancestor; else where it begins.
static inline uint32_t kifu__line_at(const kifu__lines *lines, uint32_t id)
{
    return kifu__leaves(lines->items[lines->current].branch, lines->items[id].branch);
}

/// The path that has a line's events as they are shown: in a transaction or a search, the current line may go on in a
/// hidden branch. `lines` NULL: there is only this one.
/// `*end`: so many events there are, but for those of a search, and of the current line behind where that began.
static inline kifu__branch *kifu__shown(const kifu_timeline *timeline, const kifu__lines *lines, const kifu__line *line,
                                        uint32_t *end)
{
    const uint32_t searched = timeline->transactions.searching ? timeline->transactions.searched : KIFU_NONE;
    const bool is_current = !lines || line == &lines->items[lines->current];
    kifu__branch *branch = is_current && searched > line->from ? timeline->log.branch : line->branch;
    *end = branch->end;
    if (is_current && searched < *end)
        *end = searched > line->from ? searched : line->from;
    return branch;
}

static inline uint32_t kifu__shown_end(const kifu_timeline *timeline, const kifu__lines *lines, const kifu__line *line)
{
    uint32_t end;
    (void)kifu__shown(timeline, lines, line, &end);
    return end;
}

static inline bool kifu__is_touched(const kifu__lines *lines, uint32_t id)
{
    return lines->items[id].touched_next || lines->touched == id + 1;
}

/// A line changes, or may: the next append to a log file looks at it.
static inline void kifu__line_touch(kifu__lines *lines, uint32_t id)
{
    kifu__line *line = &lines->items[id];
    if (kifu__is_touched(lines, id))
        return;
    line->next_touched = lines->touched;
    if (lines->touched)
        lines->items[lines->touched - 1].touched_next = id + 1;
    lines->touched = id + 1;
}

/// The append has looked at it, or its number is given anew.
static inline void kifu__line_untouch(kifu__lines *lines, uint32_t id)
{
    kifu__line *line = &lines->items[id];
    if (!kifu__is_touched(lines, id))
        return;
    if (line->next_touched)
        lines->items[line->next_touched - 1].touched_next = line->touched_next;
    if (line->touched_next)
        lines->items[line->touched_next - 1].next_touched = line->next_touched;
    else
        lines->touched = line->next_touched;
    line->next_touched = line->touched_next = 0;
}

/// The same, where that counts as a change.
static inline void kifu__line_changed(kifu_timeline *timeline, kifu__lines *lines, uint32_t id)
{
    ++timeline->tree.changes;
    kifu__line_touch(lines, id);
}

/// As `kifu_draw_tree`, of the lines that there are.
kifu_result kifu__lines_draw(const kifu_timeline *timeline, const kifu__lines *lines, kifu_stretch *stretches,
                             uint32_t *count, kifu_error *error);

/// The line that goes on with the same events from where the current one begins, which is the last one; KIFU_NONE: none
/// does, or there is no memory to look for it.
uint32_t kifu__line_same(const kifu_timeline *timeline, kifu__lines *lines);

/// Makes the part, if there is none, with line 0; and that which has lines in saves: with it, a timeline has branches.
/// KIFU_NO_MEMORY: it keeps none. `saved` NULL: it is never saved.
kifu_result kifu__lines_begin(kifu_timeline *timeline, const kifu__part_table *saved);

/// Both parts go, where there is no other line than the first: the timeline keeps no variations, as before.
void kifu__lines_end(kifu_timeline *timeline, const kifu__part_table *saved);

/// Makes numbers up to `id` known, of lines that are deleted so far. False without memory.
bool kifu__lines_reach(kifu_timeline *timeline, kifu__lines *lines, uint32_t id);

/// Lists the lines that are not deleted, after some were added.
void kifu__lines_list(kifu__lines *lines);

/// A new branch without events, which begins after `from` events of a path. NULL without memory.
kifu__branch *kifu__branch_new(const kifu_timeline *timeline, uint32_t number, kifu__branch *path, uint32_t from);

/// Sets whether the last line has only begun, after a load or the like. Where the game wants the line that is played to
/// be the main one, and the current line is not, what is played from here on makes it so.
static inline void kifu__line_begun(kifu_timeline *timeline, kifu__lines *lines, bool begun)
{
    const bool waits = timeline->options.promote_played && lines->main != lines->current;
    const kifu__branch *branch = lines->items[lines->current].branch;
    lines->begun = begun;
    lines->unplayed = waits && branch ? branch->end : KIFU_NONE;
    timeline->handlers &= ~KIFU__HANDLER(settles);
    timeline->handlers |= begun || waits ? KIFU__HANDLER(settles) : 0U;
}

/// Executes what no one has executed since it was loaded, on a copy of the state, to the end of line `id`: from the
/// last state that the game has on the way, or has before `known` events. KIFU_DIVERGED: it leads to other states than
/// those in the save. KIFU_FAILED, KIFU_NO_MEMORY, KIFU_CANCELLED. `*compared` becomes the number of events after the
/// last hash that was compared, and agrees; it may be NULL. (check_line.c)
kifu_result kifu__line_check(kifu_timeline *timeline, kifu__lines *lines, uint32_t id, uint32_t known,
                             uint32_t *compared);

/// Compares the hashes of a line with those of the current one, which is the last, and has the line's next events.
/// KIFU_DIVERGED: some differ. `*compared`: up to so many events none does. `*all`: none is left to compare up to the
/// place. (check_line.c)
kifu_result kifu__line_agrees(kifu_timeline *timeline, const kifu__lines *lines, uint32_t id, uint32_t *compared,
                              bool *all);

/// Its events go, and its branch: it is deleted.
void kifu__line_delete(kifu_timeline *timeline, kifu__lines *lines, uint32_t id);

/// The same, and with it what hangs at its events.
void kifu__line_lose(kifu_timeline *timeline, kifu__lines *lines, uint32_t id);

/// Where event number `index` of a line is, and in `*slot` its place there; NULL: the line, without its ancestors, has
/// no such event.
const kifu__segment *kifu__line_segment(const kifu_timeline *timeline, uint32_t line, uint32_t index, uint32_t *slot);

#endif
