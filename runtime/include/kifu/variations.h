/// Variations: what was played and then undone stays, and can be gone back to.
///
///     kifu_options options = {.keep_variations = kifu_keep_variations};
///
/// A game is a tree of *lines*. Line 0 is the one that the game began with. When a player undoes moves and then plays
/// something else, Kifu does not drop the undone events: they stay in their line, and a new line begins. It has a
/// number, a parent, and a place: after so many events of the parent. Numbers never change. One line is the *current*
/// one. All other calls of the library see only this line, with its ancestors' events before it, as if there were no
/// other. Undo and redo move inside it.
///
/// Playing the very event with which a line begins enters that line, and begins no new one. A transaction leaves no
/// lines of its own; a search and a try leave none at all. A fork has one line: the current one, or the one that
/// `kifu_fork_line` is given.
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
    uint32_t from;   ///< After so many events: its first event has this number.
    uint32_t count;  ///< How many events are its own, with those that were undone in it.
    bool main;       ///< It is the main line: line 0, the one that was promoted last, or with
                     ///< `kifu_options.promote_played` the one in which something was played since.
    bool current;    ///< It is the current line.
} kifu_line;

/// How many lines there are, at least 1.
uint32_t kifu_line_count(const kifu_timeline *timeline);

/// The line at `place`, from 0 to `kifu_line_count` - 1, in the order of their numbers: to go through all lines,
/// because where lines were deleted, numbers are missing. False: there is none.
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

/// The line to which event number `index` of a line belongs: this line, or one of its ancestors. Of an event of the
/// current line, for `kifu_line_event`: `kifu_line_of_event(timeline, kifu_current_line(timeline), index)`. KIFU_NONE:
/// there is no such line, or it leads to no such event.
uint32_t kifu_line_of_event(const kifu_timeline *timeline, uint32_t line, uint32_t index);

/// How the game may go on after the first `count` events of a line, those of its ancestors included: the numbers of the
/// lines that have an event number `count` there, for `kifu_line_event` and `kifu_go_to`. A list of moves shows them as
/// choices. The main line comes first where it is one of them; then what goes on without branching off; then the
/// others, in the order of their numbers. At most `room` are written. Returns how many there are; 0: nothing follows,
/// or there is no such line or place. It looks at all lines: to draw a whole tree, use `kifu_draw_tree`.
uint32_t kifu_lines_after(const kifu_timeline *timeline, uint32_t line, uint32_t count, uint32_t *following,
                          uint32_t room);

/// A stretch of the tree: events of one line, one behind the other, up to where lines part or to the line's end.
typedef struct kifu_stretch {
    uint32_t line;   ///< Whose events they are, for `kifu_line_event`.
    uint32_t from;   ///< Number of the first one,
    uint32_t count;  ///< and how many there are. 0: lines part before the first event, or nothing was played yet.
    uint32_t row;    ///< For a view with one event beside the other: the main line is all in row 0, and whatever leaves
                     ///< a row has one of its own below it. No row crosses another.
    uint32_t depth;  ///< For a view with one event below the other: so many times the way to here leaves a row.
    uint32_t parent; ///< Place of the stretch before it; KIFU_NONE: it is the first.
    uint32_t next;   ///< Place of the next one that follows the same stretch; KIFU_NONE: there is none.
    uint32_t parts;  ///< So many stretches follow it. The first of them is at the next place, and in the same row.
    bool main;       ///< The main line leads through it.
    bool current;    ///< The current line leads through it.
} kifu_stretch;

/// The whole tree, for a view that draws it: `stretches`, of which there are at most 2 * `kifu_line_count`; `room` must
/// be as much. Each event is in one of them. A stretch comes behind its parent; first comes what goes straight on from
/// it, which is the main line where that is one of them, else the rest of its own line; the others follow in the order
/// of their lines. `error`, where not NULL, says what went wrong: KIFU_MISUSE (there is not so much room),
/// KIFU_NO_MEMORY.
KIFU_WARN_UNUSED kifu_result kifu_draw_tree(const kifu_timeline *timeline, kifu_stretch *stretches, uint32_t room,
                                            uint32_t *count, kifu_error *error);

/// Goes to another line, or to another place of this one: after its first `count` events, those of its ancestors
/// included. `count` may lie before the line's first event; KIFU_WHERE_LEFT is where the line was left. If `count` lies
/// inside an undo chain, Kifu goes to the end of this chain, so redo and undo find whole chains from there. Redo then
/// leads to the line's end.
///
/// What waits is kept by the place that the game leaves if the way leads back from there. Where the way ends forward,
/// or in another line, what was kept there waits again; what is kept at the places that it passes stays. Where the way
/// only leads back, nothing waits, and what was kept there is dropped, as by undo.
///
/// Events that may not be undone stop it, unless `force` is true. Listeners and view are told as by undo and redo.
/// Errors: KIFU_MISUSE (there is no such line; it has not so many events; an event runs; a transaction or a try is
/// open; the past is shown; an input waits, and the way does not lead back from there), KIFU_NOT_UNDOABLE,
/// KIFU_NO_MEMORY, KIFU_FAILED (a Do failed that did not fail before), KIFU_DIVERGED (the line was loaded, and leads to
/// other states than those in the save). After an error, the game is where it was; where a Do fails on the way back,
/// too, it ends before that event, which the error names.
kifu_result kifu_go_to(kifu_timeline *timeline, uint32_t line, uint32_t count, bool force);

/// As `kifu_cursor_open`, at the state after the first `count` events of a line, those of its ancestors included. The
/// game stays where it is. `kifu_cursor_forward` goes to the line's end, past events that were undone there, too. What
/// the line does not share with the current one is executed on the cursor's copy of the state.
///
/// The game may go on in its line while the cursor is open. After a line has begun, ended or been entered, or a note
/// has changed, the next step returns KIFU_MISUSE: open another cursor then. Further errors: KIFU_MISUSE (there is no
/// such line; it has not so many events; a try is open), KIFU_DIVERGED (the line was loaded, and leads to other states
/// than those in the save).
KIFU_WARN_UNUSED kifu_result kifu_cursor_open_line(kifu_timeline *timeline, uint32_t line, uint32_t count,
                                                   kifu_cursor **cursor);

/// As `kifu_fork`, from the first `count` events of a line, those of its ancestors included: they are the fork's only
/// line, and nothing waits. `timeline` does not change, except for `kifu_last_error`. Further errors: KIFU_MISUSE
/// (there is no such line; it has not so many events), KIFU_DIVERGED (as for `kifu_cursor_open_line`).
KIFU_WARN_UNUSED kifu_result kifu_fork_line(kifu_timeline *timeline, uint32_t line, uint32_t count,
                                            const kifu_options *options, kifu_timeline **fork, kifu_error *error);

/// Makes a line the main one. It says only what the main line is; numbers and parents stay. Errors: KIFU_MISUSE (there
/// is no such line; a transaction is open; an event runs).
kifu_result kifu_promote_line(kifu_timeline *timeline, uint32_t line);

/// Deletes a line, with all that branch off from it. If the main line is among them, its nearest ancestor that stays
/// becomes the main one. Errors: KIFU_MISUSE (there is no such line; it is the current one or an ancestor of it; a
/// transaction is open; an event runs).
kifu_result kifu_delete_line(kifu_timeline *timeline, uint32_t line);

#ifdef __cplusplus
}
#endif

#endif
