/// The program in a terminal: what its keys and its loop share.
#ifndef APP_H
#define APP_H

#include "game.h"
#include "view.h"

enum { COMMENT = 4000 }; ///< Room for a comment that is being written.

typedef struct app {
    kifu_timeline *timeline;
    kifu_options options;
    view view;
    const char *path;
    bool sgf;               // the file is SGF, otherwise a save
    uint32_t game;          // which one of the file
    const char *names[2];   // by player number
    char read_names[2][40]; // those that stand in the file
    int black;              // the player who has black in a new game
    bool computer[2];       // by player number
    bool answers;           // somebody has just played: the computer goes on
    bool wanted;            // the computer plays once for whoever is to move
    uint32_t tries;         // of the computer, for a move
    go_terms terms;         // of a new game
    char letter, digit;     // typed: the first two of "d16"
    bool asked;             // a key was pressed once that wants to be pressed twice
    int asked_key;          // which one
    bool changed;           // since it was saved
    bool logged;            // the save is a log file: nothing is lost when the program is killed
    bool writing;           // a comment
    char comment[COMMENT];  // the one that is being written
} app;

/// Whose move the game waits for, or -1.
int app_to_move(const app *app);

/// Obeys a key; false: quit.
bool controls_press(app *app, int key);

/// Begins to write the comment of the step that is shown; takes a key of it.
void comment_begin(app *app);
void comment_press(app *app, int key);

#endif
