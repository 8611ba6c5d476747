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
    text word;
    char fen[FEN_LENGTH];
    const char *fen_at;
    const char *result; // "1-0", once it was read
} reader;

static inline level *reader_top(const reader *reader)
{
    return &reader->levels[reader->depth - 1];
}

/// Whether the library has done what it was asked for; else its own words are the fault.
bool reader_well(reader *reader, kifu_result result);

bool reader_has_memory(reader *reader, bool has);

/// Begins the main line, where the game stands.
bool reader_begin(reader *reader);

/// Reads a comment. What it belongs to is known later.
bool reader_comment(reader *reader);

/// Reads the next word: a move, a comment, a bracket, the result. At the result it stops.
bool reader_next(reader *reader);

/// Stores what was read of comments and glyphs, and goes to the end of the main line.
bool reader_end(reader *reader);

#endif
