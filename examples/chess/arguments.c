#include "arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 6 };

const char arguments_usage[] =
    "usage: chess [--two | --watch] [--black] [--level N] [--game N | --list] [FILE]\n"
    "\n"
    "  --two      two persons, one screen\n"
    "  --watch    the computer against itself\n"
    "  --black    you have black\n"
    "  --level N  how well the computer plays: 1 to 6 (4)\n"
    "  --game N   game number N of a PGN file (1)\n"
    "  --list     prints which games a PGN file has\n"
    "  FILE       the save: loaded at the start if it is there, written as you play (chess.kifu);\n"
    "             or FILE.pgn: one of its games opens, and what you change is saved as FILE.kifu\n";

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
        } else if (strcmp(argv[i], "--list") == 0) {
            app->list = true;
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
    app->path = app->path ? app->path : "chess.kifu";
    return true;
}
