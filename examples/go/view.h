/// Go in a terminal (curses). The rules know nothing of this file: it is a table of functions that the timeline calls.
#ifndef VIEW_H
#define VIEW_H

#include "go.h"

typedef struct view {
    go_view functions; ///< For `kifu_options.view`: give it `&view.functions.base`.
    uint32_t cursor;   ///< The point that keys move.
    bool reviewing;    ///< Arrows walk the moves.
    bool utf8;         ///< Whether the terminal shows more than ASCII.
    char message[200];
} view;

/// What is to be shown besides the game.
typedef struct view_shown {
    const char *title;
    const char *const *names; ///< By player number.
    const char *writing;      ///< The comment that is being written, or NULL.
    bool thinking;            ///< The computer is at it.
} view_shown;

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

/// Shows everything.
void view_draw(view *view, kifu_timeline *timeline, const view_shown *shown);

/// Sets the line above the board.
void view_say(view *view, const char *format, ...);

/// The point at a place on the screen (mouse), or NO_POINT.
uint32_t view_point_at(const kifu_timeline *timeline, int x, int y);

/// The right half of the screen: players, steps, comment.
void panel_draw(const kifu_timeline *timeline, const view_shown *shown);

#endif
