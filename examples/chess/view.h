/// Chess in a terminal (curses). The rules know nothing of this file: it is a table of functions that the timeline
/// calls.
#ifndef VIEW_H
#define VIEW_H

#include "chess.h"

typedef struct view {
    chess_view functions; ///< For `kifu_options.view`: give it `&view.functions.base`.
    uint32_t cursor;      ///< The square that keys move.
    uint32_t chosen;      ///< Where the piece stands that is about to move; or NO_SQUARE.
    uint32_t from, to;    ///< The last move; or NO_SQUARE.
    bool reviewing;       ///< Arrows walk the moves.
    bool turned;          ///< Black is at the bottom.
    bool utf8;            ///< Whether the terminal shows more than ASCII.
    char message[200];
} view;

/// Opens the terminal; false when there is none.
bool view_open(view *view);
void view_close(void);

/// Whether no key can come any more: the terminal was closed.
bool view_input_has_ended(void);

/// Whether Ctrl-C was pressed: the program ends as by Q.
bool view_interrupted(void);

/// Shows lines of text until a key is pressed.
void view_show(const char *const *lines, size_t count);

/// Whether Q or Ctrl-C was pressed while the computer thinks; forgets all other keys that were.
bool view_left(void);

/// Shows everything: the board, whose turn it is, the moves, the message. `names` by player number; `thinking`: the
/// computer is at it.
void view_draw(view *view, kifu_timeline *timeline, const char *const *names, bool thinking);

/// Sets the line above the board.
void view_say(view *view, const char *format, ...);

/// The square at a place on the screen (mouse), or NO_SQUARE.
uint32_t view_square_at(const view *view, int x, int y);

#endif
