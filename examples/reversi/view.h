/// Reversi in a terminal (curses). The rules know nothing of this file: it is a table of functions that the timeline
/// calls.
#ifndef VIEW_H
#define VIEW_H

#include "reversi.h"

typedef struct view {
    reversi_view functions; ///< For `kifu_options.view`: give it `&view.functions.base`.
    uint32_t cursor;        ///< The square that keys move.
    int placed;             ///< Square of the last disc put down, or -1.
    int turning;            ///< Square of the disc that is just turning over, or -1.
    bool utf8;              ///< Whether the terminal shows more than ASCII.
    char message[200];
} view;

/// Opens the terminal; false when there is none.
bool view_open(view *view);
void view_close(void);

/// Whether no key can come any more: the terminal was closed.
bool view_input_has_ended(void);

/// Whether Ctrl-C was pressed.
bool view_interrupted(void);

/// Whether the player wants to leave while the computer thinks; other keys are lost.
bool view_left(void);

/// Shows everything: the board, whose turn it is, the score, the moves, the message. `names` by player number;
/// `thinking`: the computer is at it.
void view_draw(view *view, kifu_timeline *timeline, const char *const *names, bool thinking);

/// Sets the line at the bottom.
void view_say(view *view, const char *format, ...);

/// The square at a place on the screen (mouse), or -1.
int view_square_at(int x, int y);

#endif
