/// Dungeon in a terminal (curses). The rules know nothing of this file: it is a table of functions that the timeline
/// calls after each event.
#ifndef VIEW_H
#define VIEW_H

#include "dungeon.h"

enum { VIEW_MESSAGES = 64, VIEW_EFFECTS = 4 };

/// A sentence about an event.
typedef struct view_message {
    uint32_t event; ///< Number of the event in the log, so that undo can take the sentence back, too.
    bool fresh;     ///< It came after the last key.
    char text[120];
} view_message;

/// Something that is seen for a moment, on a line from one cell to another.
typedef struct view_effect {
    int x, y, to_x, to_y;
    double time; ///< Seconds left.
} view_effect;

typedef struct view {
    dungeon_view functions;               ///< For `kifu_options.view`: give it `&view.functions.base`.
    view_message messages[VIEW_MESSAGES]; ///< The last ones, in order.
    uint32_t message_count;
    view_effect effects[VIEW_EFFECTS];
    char note[160]; ///< What the program says, and not the game: "Saved."
    bool deciding;  ///< Monsters are trying what they might do: what is refused is nobody's business.
    bool film;      ///< The past is shown as a film.
    double speed;   ///< Of the film; kept while it stands still.
    bool stopped;
    bool bot;     ///< The bot plays.
    bool no_undo; ///< The game is played without undo.
    bool help;    ///< The page of help is shown.
} view;

/// Opens the terminal; false when there is none.
bool view_open(view *view);
void view_close(void);

/// Whether no key can come any more: the terminal was closed.
bool view_input_has_ended(void);

/// Whether Ctrl-C was pressed.
bool view_interrupted(void);

/// Forgets what was said: the timeline is another one.
void view_clear(view *view);

/// Lets `dt` seconds pass.
void view_pass_time(view *view, double dt);

/// Shows everything.
void view_draw(view *view, kifu_timeline *timeline);

/// A key was pressed: what was said is old now.
void view_age(view *view);

/// Sets the note.
void view_say(view *view, const char *format, ...);

/// Adds a sentence of the game; a capital letter is made, and a full stop.
void view_tell(view *view, uint32_t event, const char *sentence);

#endif
