/// How a game looks: one function draws its state, for a terminal and for the page of `GAME tool html`.
///
///     static void draw(kifu_drawing *drawing)
///     {
///         const nim_state *state = (const nim_state *)drawing->state;
///         for (unsigned i = 0; i < NIM_HEAPS_COUNT; i++)
///             kifu_draw(drawing, "heap %u: %u\n", i, state->heaps[i]);
///     }
///
///     const kifu_options options = {.draw = draw};        // for kifu_create, kifu_load, kifu_main
///
/// The function writes text, or an SVG picture, which begins with "<svg". A program prints the text by
/// `kifu_draw_state`; the page shows the drawing after each event.
#ifndef KIFU_DRAWING_H
#define KIFU_DRAWING_H

#include "event.h"
#include "result.h"
#include "text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is to be drawn, and where it goes.
struct kifu_drawing {
    // The caller sets these:
    kifu_text_writer *write; ///< Takes what is drawn, piece by piece.
    void *context;           ///< Passed to `write`.
    bool text;               ///< Text is wanted, as for a terminal. False: text or SVG, as the game likes best.
    const void *user;        ///< From a program for its own function: where the cursor is. NULL in a page.
    /// The players' names, by number. The caller may leave them out (NULL). A page has those of the save, which may be
    /// any text: write them by `kifu_draw_words`.
    const char *const *players;
    uint32_t player_count; ///< How many names there are.
    bool clicks;           ///< Moves can be made by clicks on what is drawn: see `kifu_draw_click`.

    // `kifu_draw_state` sets these:
    const void *state;  ///< The game's state struct.
    kifu_event move;    ///< The last event of a player that led to this state; its `type` is 0 if there is none.
    bool picture;       ///< What is drawn begins with "<svg".
    bool begun;         ///< Something is drawn.
    kifu_result result; ///< The first error of `write`, or KIFU_TOO_LARGE; after it, nothing is written.
};

#if defined(__GNUC__)
#define KIFU__DRAW_FORMAT __attribute__((format(printf, 2, 3)))
#else
#define KIFU__DRAW_FORMAT
#endif

/// Draws as `printf` prints: for the function of `kifu_options.draw`. At most 1,000 bytes in one call; a longer text is
/// not drawn at all, and the result of the drawing is KIFU_TOO_LARGE.
void kifu_draw(kifu_drawing *drawing, const char *format, ...) KIFU__DRAW_FORMAT;

/// Draws words that the game did not choose, a player's name or a string of an event: in a picture, `&`, `<`, `>` and
/// quotes are escaped. Controls, and bytes that are not UTF-8, become question marks. NULL draws nothing.
void kifu_draw_words(kifu_drawing *drawing, const char *words);

/// Inside of an element of a picture: a click on it chooses the moves (moves.h) whose `field` has this value, in the
/// page of `html --play`. Draws nothing unless `drawing->clicks` is set. An element may have several fields: the first
/// that fits a move counts.
///
///     kifu_draw(drawing, "<rect x=\"%d\" y=\"%d\" width=\"40\" height=\"40\" fill-opacity=\"0\"", x, y);
///     kifu_draw_click(drawing, "from", square);
///     kifu_draw_click(drawing, "to", square);
///     kifu_draw(drawing, "/>");
void kifu_draw_click(kifu_drawing *drawing, const char *field, int value);

/// The name of a player for `kifu_draw_words`; "Player 2" if the player has none. `room` (20 bytes) is for such a name.
const char *kifu_draw_name(const kifu_drawing *drawing, int player, char *room);

/// Draws the state that `kifu_state` returns, also while `kifu_seek` shows the past: calls `kifu_options.draw`.
/// Allocates nothing. Returns the drawing's result, or KIFU_MISUSE: the timeline has no such function, or `write` is
/// NULL.
KIFU_WARN_UNUSED kifu_result kifu_draw_state(kifu_timeline *timeline, kifu_drawing *drawing);

#ifdef __cplusplus
}
#endif

#endif
