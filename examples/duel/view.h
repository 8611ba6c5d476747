/// Duel in a terminal (curses). The rules know nothing of this file: it is a table of functions that the timeline calls
/// after each event, and listeners that follow the state, forward and backward.
#ifndef VIEW_H
#define VIEW_H

#include "duel.h"
#include "rules.h"

/// Where on the screen a card or a player is: what the cursor can be on.
typedef struct view_spot {
    bool shown;
    int x, y, width;
} view_spot;

typedef struct view {
    duel_view functions; ///< For `kifu_options.view`: give it `&view.functions.base`.
    const char *names[2];
    const char *roles[2];    ///< "you", "computer", or "".
    int bottom;              ///< Whose side is the lower one.
    bool face_up;            ///< Whether the hand of that side is shown.
    uint32_t cursor;         ///< The target that keys move.
    bool used;               ///< It has just been used, so the cursor goes on.
    bool chosen[CARD_COUNT]; ///< The creatures that are about to attack.
    bool usable[TARGET_END]; ///< What may be chosen now: shown bold.
    char prompt[120];        ///< In the middle: what the game waits for.
    char hint[120];          ///< Below: what Enter would do at the cursor.
    char message[200];       ///< On top: what went wrong, or what was done.

    double message_time;        ///< Seconds for which it is still shown.
    double flash[TARGET_END];   ///< Seconds for which a change is still shown.
    bool gained[2];             ///< Whether a player's last change was for the better.
    view_spot spot[TARGET_END]; ///< As drawn last.
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

/// Makes the view follow a timeline that is new to it: adds its listeners. Errors: KIFU_NO_MEMORY.
KIFU_WARN_UNUSED kifu_result view_follow(view *view, kifu_timeline *timeline);

/// Lets `dt` seconds pass.
void view_pass_time(view *view, double dt);

/// Shows everything.
void view_draw(view *view, kifu_timeline *timeline, bool thinking);

/// Sets the line on top, for some seconds.
void view_say(view *view, const char *format, ...);

#endif
