/// A game inside of its page: `GAME tool html --play` writes a page in which the game can be verified and played on.
/// `kifu.h` does not include this header.
///
/// The page needs the game's rules as WebAssembly. A file of yours says what belongs to them:
///
///     #include <kifu/web.h>
///     #include "bot.h"
///     #include "draw.h"
///
///     const kifu_web kifu_web_game = {
///         .rules = &reversi_rules, .draw = reversi_draw, .bot = &reversi_bot, .tries = 500};
///
/// CMake compiles that file, what else it needs, and the sources of the rules with Emscripten (`emcc`), and makes the
/// library `reversi_rules_web`, which has nothing but these bytes and the header `reversi_web.h`:
///
///     kifu_add_game(reversi_rules SCHEMA reversi.fbs WEB web.c bot.c)
///     target_link_libraries(reversi PRIVATE reversi_rules_web)
///
/// The program passes them on:
///
///     const kifu_options options = {.draw = reversi_draw, .web = &reversi_web};
///     return kifu_main(&reversi_rules, &options, argc - 1, argv + 1);
///
/// Without Emscripten, the library is there, but empty: `html` then refuses `--play`.
#ifndef KIFU_WEB_H
#define KIFU_WEB_H

#include "bot.h"
#include "drawing.h"
#include "timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Something that a player can be told to do.
typedef struct kifu_web_command {
    const char *name; ///< For people: "to the north". NULL: the end of the list.
    char key;         ///< Does it, too. 0: none.
} kifu_web_command;

/// What the page needs to know of a game. Only what is compiled for a page has it.
typedef struct kifu_web {
    const kifu_rules *rules;             ///< Of the game.
    void (*draw)(kifu_drawing *drawing); ///< As `kifu_options.draw`. NULL: the page shows the state's fields.
    /// Sets more options of the timeline in the page, such as observers. Variations and notes are always kept. NULL:
    /// none.
    void (*options)(kifu_options *options);
    const kifu_bot *bot; ///< The computer player; NULL: none, or `computer`.
    uint32_t tries;      ///< Of the bot, for each move. 0: 1,000.
    /// A computer player of the game's own: plays one move. Results as `kifu_run`; KIFU_REJECTED: it has no move.
    kifu_result (*computer)(kifu_timeline *timeline);
    /// For a game that lists no moves (moves.h): what a player can be told to do, up to one without a name.
    const kifu_web_command *commands;
    /// Does the command with this number, as an input. Results as `kifu_run`; KIFU_REJECTED: it cannot be done now.
    kifu_result (*command)(kifu_timeline *timeline, uint32_t number);
} kifu_web;

/// The one of the page: you define it.
extern const kifu_web kifu_web_game;

/// A game's rules as WebAssembly, inside of its program: for `kifu_options.web`.
typedef struct kifu_web_module {
    const unsigned char *bytes; ///< NULL: the program was built without Emscripten.
    size_t size;                ///< How many.
} kifu_web_module;

#ifdef __cplusplus
}
#endif

#endif
