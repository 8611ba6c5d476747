/// The program in a terminal: what its keys and its loop share.
#ifndef APP_H
#define APP_H

#include "game.h"
#include "view.h"

enum { COMMENT = 4000 }; ///< Room for a note that is being written.

typedef struct app {
    kifu_timeline *timeline;
    kifu_options options;
    view view;
    const char *path;       // of the save
    const char *sgf;        // the game is read from it if there is no save yet; or NULL
    uint32_t game;          // this one of its games
    char own_path[1024];    // of such a game's save
    char *text;             // what the SGF file has, if the game was read from it; or NULL
    bool written;           // as SGF, since the program began
    const char *names[2];   // by player number
    char read_names[2][40]; // those that stand in the file
    int black;              // the player who has black in a new game
    bool computer[2];       // by player number
    bool wanted;            // the computer plays once for whoever is to move, or marks what is dead
    bool marked;            // since the stones are counted, it has
    uint32_t tries;         // of the computer, for a move
    go_terms terms;         // of a new game
    char letter, digit;     // typed: the first two of "d16"
    int asked;              // the key that was pressed once, and has to be pressed again; or 0
    bool left;              // Q or Ctrl-C was pressed while the computer thought
    bool list;              // the file's games are printed
    bool logged;            // the save is a log file: nothing is lost when the program is killed
    const char *writing;    // the key of the note that is being written; or NULL
    char note[COMMENT];     // its text
} app;

/// Whose move the game waits for, or -1.
int app_to_move(const app *app);
bool app_computer_to_move(const app *app);

/// Obeys a key; false: quit.
bool controls_press(app *app, int key);

/// Begins to write a note of the step that is shown, its comment or its glyph; takes a key of it.
void comment_begin(app *app, const char *key);
void comment_press(app *app, int key);

#endif
