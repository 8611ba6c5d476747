/// How PGN becomes a game. Each move is played; for a variation, the game goes back to the place before the move that
/// it replaces. So the rules check all moves, and Kifu makes the lines.
#ifndef PGN_READER_H
#define PGN_READER_H

#include "fen.h"
#include "pgn.h"
#include "pgn_scan.h"

/// Where the game stands in a variation, or in the main line. Places are counts of events, moves are numbers of events.
typedef struct level {
    const char *opened;
    uint32_t line, place; // where it goes on
    uint32_t before;      // the place before its last move
    uint32_t first, last; // its moves; KIFU_NONE: none yet
    uint32_t variation;   // the first move of the variation that was closed last, behind the last move; or KIFU_NONE
    bool left;            // something that is no chess ends it
} level;

typedef struct reader {
    scan scan;
    kifu_timeline *timeline;
    kifu_result failed; // of the library
    uint32_t set_up;    // its event
    level *levels;      // the main line, and each variation that is open
    uint32_t depth, room;
    text comments, glyphs; // what was read behind the last move or variation, or before the first move
    bool commented;        // also by a comment without words
    const char *number_at; // the number before the next word, or NULL
    bool tagged;           // the game has tags
    text word;
    char fen[2 * FEN_LENGTH];
    const char *fen_at;
    char tag[16];       // what the tag of the result says
    const char *tag_at; // or NULL
    const char *result; // "1-0", once it was read
    size_t result_length;
    pgn_report *report;
} reader;

static inline level *reader_top(const reader *reader)
{
    return &reader->levels[reader->depth - 1];
}

/// Whether the library has done what it was asked for; else its own words are the fault.
bool reader_well(reader *reader, kifu_result result);

bool reader_has_memory(reader *reader, bool has);

/// Says of a place that it was left out, or read in another way.
void reader_leave(reader *reader, const char *at, const char *format, ...);

/// Keeps what cannot be played as it stands, from `at` to the end of the variation that is open, or of the game.
bool reader_keep_rest(reader *reader, const char *at);

/// Goes on where the line that is open has been read to.
bool reader_go_on(reader *reader);

/// Adds to the note at an event of the current line, behind `joint`, unless it says the same already.
bool reader_add_note(reader *reader, uint32_t event, const char *key, const text *note, const char *joint);

/// Begins the main line, where the game stands.
bool reader_begin(reader *reader);

/// Reads a comment. What it belongs to is known later.
bool reader_comment(reader *reader);

/// Reads the next word: a move, a comment, a bracket, the result. At the result it stops.
bool reader_next(reader *reader);

/// Stores what was read of comments and glyphs, and goes to the end of the main line.
bool reader_end(reader *reader);

#endif
