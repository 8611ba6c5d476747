/// The program: what its keys and its loop share.
#ifndef APP_H
#define APP_H

#include "position.h"
#include "view.h"

typedef struct app {
    kifu_timeline *timeline;
    kifu_options options;
    view view;
    const char *path;
    const char *pgn;     // the game is read from it if there is no save yet; or NULL
    uint32_t pgn_game;   // this one of its games
    char own_path[1024]; // of such a game's save
    char *text;          // what the PGN file has, if the game was read from it; or NULL
    bool written;        // as PGN, since the program began
    const char *names[2];
    char own_names[2][40]; // of players of such a game
    bool computer[2];      // by player number
    int white;             // the player who has white in a new game
    uint32_t level;
    char file;        // typed: the first half of "e2"
    uint32_t promote; // where the chosen pawn goes, while the player says what it becomes; or NO_SQUARE
    int asked;        // the key that was pressed once, and has to be pressed again; or 0
    bool left;        // Q or Ctrl-C was pressed while the computer thought
    double looked;    // when the last key was looked for in the thinking of the easiest level
    bool list;        // the file's games are printed
    bool logged;      // the save is a log file: nothing is lost when the program is killed
} app;

/// Whose move the game waits for, or -1.
int app_to_move(const app *app);
bool app_computer_to_move(const app *app);

/// Obeys a key; false: quit.
bool controls_press(app *app, int key);

#endif
