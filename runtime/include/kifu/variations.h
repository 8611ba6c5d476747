/// Variations: undone events stay in the game, and players can go back to them.
///
///     kifu_options options = {.keep_variations = kifu_keep_variations};
///
/// A game is a tree of *lines*. Line 0 is the one that the game began with. When a player undoes moves and then plays
/// something else, Kifu does not drop the undone events: they stay in their line, and a new line begins. A line has a
/// number, a parent, and the place in the parent where it begins, as a count of events. Numbers never change. One line
/// is the *current* one. All other calls of the library see only this line, with its ancestors' events before it, as if
/// there were no other. Undo and redo move inside it.
///
/// Playing the first event of an existing line enters that line, and begins no new one. A committed transaction begins
/// at most one line, and what is undone inside it is gone. A search and a try leave no lines. A fork has one line: the
/// current line, or that of `kifu_fork_line`.
///
/// A save has all lines, and a load with `keep_variations` brings them back. A line is compared with the hashes in the
/// save when it is entered for the first time.
///
/// Without `keep_variations`, these calls find one line, and nothing of this file is linked into a program that does
/// not call it.
#ifndef KIFU_VARIATIONS_H
#define KIFU_VARIATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "history.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// For `kifu_options.keep_variations`.
kifu_result kifu_keep_variations(kifu_timeline *timeline);

/// For `kifu_go_to`: where the line was left last, with what waited there. For `kifu_cursor_open_line` and
/// `kifu_fork_line`: the same place.
#define KIFU_WHERE_LEFT UINT32_MAX

/// One line of a game.
typedef struct kifu_line {
    uint32_t id;     ///< Its number.
    uint32_t parent; ///< The line from which it branches off; of the first line, its own number.
    uint32_t from;   ///< Number of its first event: the line branches off before it.
    uint32_t count;  ///< How many events of its own it has, undone ones included.
    bool main;       ///< It is the main line: line 0, the one that was promoted last, or with
                     ///< `kifu_options.promote_played` the one in which something was played since.
    bool current;    ///< It is the current line.
} kifu_line;

/// How many lines there are, at least 1.
uint32_t kifu_line_count(const kifu_timeline *timeline);

/// The line at `place`, from 0 to `kifu_line_count` - 1, in the order of the lines' numbers. Use it to visit all lines,
/// because the numbers of deleted lines are missing. False: there is none.
bool kifu_line_at(const kifu_timeline *timeline, uint32_t place, kifu_line *line);

/// The line with this number. False: there is none, or it was deleted.
bool kifu_find_line(const kifu_timeline *timeline, uint32_t number, kifu_line *line);

/// The number of the current line.
uint32_t kifu_current_line(const kifu_timeline *timeline);

/// The number of the main line.
uint32_t kifu_main_line(const kifu_timeline *timeline);

/// Event number `index` of a line, as `kifu_event_at` gives one of the current line: for lines that are drawn as a
/// tree. `index` is at least the line's `from`, and below `from` + `count`. False: there is no such line or event; a
/// try is open; the event lies behind the place where an open search began. The event is valid until the next call that
/// changes the timeline.
bool kifu_line_event(const kifu_timeline *timeline, uint32_t line, uint32_t index, kifu_event *event);

/// The line to which event number `index` of a line belongs: this line, or one of its ancestors. For an event of the
/// current line: `kifu_line_of_event(timeline, kifu_current_line(timeline), index)`. KIFU_NONE: there is no such line,
/// or it leads to no such event.
uint32_t kifu_line_of_event(const kifu_timeline *timeline, uint32_t line, uint32_t index);

/// The lines in which the game goes on after the first `count` events of a line, those of its ancestors included.
/// `following` gets the numbers of the lines that have an event number `count` there, for `kifu_line_event` and
/// `kifu_go_to`. A list of moves shows them as choices. The main line comes first if it is one of them; then the line
/// that goes on without branching off; then the others, in the order of their numbers. At most `room` are written.
/// Returns how many there are; 0: nothing follows, or there is no such line or place. It looks at all lines: to draw a
/// whole tree, use `kifu_draw_tree`.
uint32_t kifu_lines_after(const kifu_timeline *timeline, uint32_t line, uint32_t count, uint32_t *following,
                          uint32_t room);

/// A stretch of the tree: consecutive events of one line, up to the next branching or to the line's end.
typedef struct kifu_stretch {
    uint32_t line;   ///< The line of its events, for `kifu_line_event`.
    uint32_t from;   ///< Number of the first one,
    uint32_t count;  ///< and how many there are. 0: lines branch before the first event, or nothing was played.
    uint32_t row;    ///< For a view that draws events side by side: the main line is all in row 0, and each branch has
                     ///< a row of its own below the row that it leaves. No row crosses another.
    uint32_t depth;  ///< For a view that draws events one below the other: how often the path to here leaves a row.
    uint32_t parent; ///< Place of the stretch before it; KIFU_NONE: it is the first.
    uint32_t next;   ///< Place of the next stretch with the same parent; KIFU_NONE: there is none.
    uint32_t parts;  ///< How many stretches follow it. The first is at the next place, and in the same row.
    bool main;       ///< The main line leads through it.
    bool current;    ///< The current line leads through it.
} kifu_stretch;

/// Writes the whole tree to `stretches`, for a view that draws it. There are at most 2 * `kifu_line_count` stretches;
/// `room` must be as much. Each event is in one stretch. A stretch comes after its parent. The first stretch after a
/// parent goes straight on: it is that of the main line if the main line follows, else the rest of the parent's line.
/// The others come in the order of their lines. `error` (may be NULL) says what went wrong: KIFU_MISUSE (`room` is too
/// small), KIFU_NO_MEMORY.
KIFU_WARN_UNUSED kifu_result kifu_draw_tree(const kifu_timeline *timeline, kifu_stretch *stretches, uint32_t room,
                                            uint32_t *count, kifu_error *error);

/// Goes to another line, or to another place of this one: after its first `count` events, those of its ancestors
/// included. `count` may lie before the line's first event; KIFU_WHERE_LEFT is where the line was left. If `count` lies
/// inside an undo chain, Kifu goes to the end of this chain, so redo and undo find whole chains from there. Redo then
/// leads to the line's end.
///
/// If the path leads back from the place that the game leaves, what waits is stored with that place. If the path ends
/// forward, or in another line, what was stored with its end waits again; what is stored with places on the path stays
/// there. If the path only leads back, nothing waits at its end, and what was stored there is dropped, as by undo.
///
/// Events that may not be undone stop it, unless `force` is true. Listeners and view are called as by undo and redo.
/// Errors: KIFU_MISUSE (there is no such line; it has fewer events; an event runs; a transaction or a try is open; the
/// past is shown; an input waits, and the path does not lead back from there), KIFU_NOT_UNDOABLE, KIFU_NO_MEMORY,
/// KIFU_FAILED (a Do failed that did not fail before), KIFU_DIVERGED (the line was loaded, and leads to other states
/// than those in the save). After an error, the game is where it was. If a Do also fails on the way back there, the
/// game ends before the event of that Do, which the error names. In the line in which it was loaded, and
/// in each line where its model is outside the state, the game goes on where events lead to another state, as by
/// kifu_redo, and KIFU_DIVERGED says so once.
kifu_result kifu_go_to(kifu_timeline *timeline, uint32_t line, uint32_t count, bool force);

/// As `kifu_cursor_open`, at the state after the first `count` events of a line, including those of its ancestors. The
/// game stays where it is. `kifu_cursor_forward` goes to the line's end, past events that were undone there, too. The
/// cursor executes the events that the line does not share with the current one, on its copy of the state.
///
/// The game may go on in its line while the cursor is open. After a line has begun, ended or been entered, or a note
/// has changed, the next step returns KIFU_MISUSE: open another cursor then. Further errors: KIFU_MISUSE (there is no
/// such line; it has fewer events; a try is open), KIFU_DIVERGED (the line was loaded, and leads to other states than
/// those in the save).
KIFU_WARN_UNUSED kifu_result kifu_cursor_open_line(kifu_timeline *timeline, uint32_t line, uint32_t count,
                                                   kifu_cursor **cursor);

/// As `kifu_fork`, from the first `count` events of a line, including those of its ancestors: they are the fork's only
/// line, and nothing waits. `timeline` does not change, except for `kifu_last_error`. Further errors: KIFU_MISUSE
/// (there is no such line; it has fewer events), KIFU_DIVERGED (as for `kifu_cursor_open_line`).
KIFU_WARN_UNUSED kifu_result kifu_fork_line(kifu_timeline *timeline, uint32_t line, uint32_t count,
                                            const kifu_options *options, kifu_timeline **fork, kifu_error *error);

/// Makes a line the main one. Numbers and parents stay. Errors: KIFU_MISUSE (there is no such line; a transaction is
/// open; an event runs).
kifu_result kifu_promote_line(kifu_timeline *timeline, uint32_t line);

/// Deletes a line, with all lines that branch off from it. If the main line is among them, its nearest ancestor that
/// stays becomes the main one. Errors: KIFU_MISUSE (there is no such line; it is the current one or an ancestor of it;
/// a transaction is open; an event runs).
kifu_result kifu_delete_line(kifu_timeline *timeline, uint32_t line);

#ifdef __cplusplus
}
#endif

#endif
