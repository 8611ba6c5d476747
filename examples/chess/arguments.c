#include "arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 6 };

const char arguments_usage[] =
    "usage: chess [--two | --watch] [--black] [--level N] [--game N] [FILE]\n"
    "\n"
    "  --two      two persons, one screen\n"
    "  --watch    the computer against itself\n"
    "  --black    you have black\n"
    "  --level N  how well the computer plays: 1 to 6 (4)\n"
    "  --game N   game number N of a PGN file (1)\n"
    "  FILE       the save: loaded at the start if it is there, written as you play (chess.kifu);\n"
    "             or a PGN file, FILE.pgn: one of its games opens, and is saved as FILE.kifu\n";

// A PGN file is read only: the save is another file, one for each game.
static bool choose_path(app *app)
{
    const char *path = app->path ? app->path : "chess.kifu";
    const size_t length = strlen(path);
    const bool pgn = length > 4 && !strcmp(path + length - 4, ".pgn");
    char number[16] = "";
    app->path = path;
    if (!pgn)
        return true;
    if (app->pgn_game > 1)
        snprintf(number, sizeof number, "-%u", (unsigned)app->pgn_game);
    app->pgn = path;
    app->path = app->own_path;
    return snprintf(app->own_path, sizeof app->own_path, "%.*s%s.kifu", (int)length - 4, path, number) <
           (int)sizeof app->own_path;
}

bool arguments_read(app *app, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--two") == 0) {
            app->computer[1] = false;
            app->names[0] = "player 1";
            app->names[1] = "player 2";
        } else if (strcmp(argv[i], "--watch") == 0) {
            app->computer[0] = true;
            app->names[0] = "computer 1";
            app->names[1] = "computer 2";
        } else if (strcmp(argv[i], "--black") == 0) {
            app->white = 1;
        } else if (strcmp(argv[i], "--level") == 0 && i + 1 < argc) {
            const long level = strtol(argv[++i], NULL, 10);
            if (level < 1 || level > LEVELS)
                return false;
            app->level = (uint32_t)level;
        } else if (strcmp(argv[i], "--game") == 0 && i + 1 < argc) {
            const long game = strtol(argv[++i], NULL, 10);
            if (game < 1 || game > 1000000)
                return false;
            app->pgn_game = (uint32_t)game;
        } else if (argv[i][0] != '-' && !app->path) {
            app->path = argv[i];
        } else {
            return false;
        }
    }
    return choose_path(app);
}
