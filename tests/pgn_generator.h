/// Random annotated games as PGN, letter for letter as the standard wants it exported. Made without Kifu, and without
/// what the chess example writes PGN with.
#ifndef TESTS_PGN_GENERATOR_H
#define TESTS_PGN_GENERATOR_H

#include <kifu/kifu.h>

/// What a text has, so that a test can say that it has seen enough.
typedef struct pgn_counts {
    uint32_t moves, variations, comments, glyphs;
    uint32_t depth;                                    ///< How deep variations nest.
    uint32_t at_first_move;                            ///< Variations at the first move,
    uint32_t several;                                  ///< moves with several ones,
    uint32_t before, behind;                           ///< comments before and behind a variation,
    uint32_t with_line_end;                            ///< comments that end with their line,
    uint32_t from_a_position;                          ///< games from another position,
    uint32_t unread;                                   ///< variations that are no chess,
    uint32_t unread_ends;                              ///< and the same at the end of a line.
    uint32_t signs, dashes, figurines, without_result; ///< What `pgn_loosen` has made.
} pgn_counts;

/// A game, which the caller frees.
char *pgn_generate(uint64_t seed, pgn_counts *counts);

/// The same game as people write it: with ChessBase's signs, long dashes, figurines, moves of two squares, without a
/// result at its end, in lines of any length. The caller frees it.
char *pgn_loosen(uint64_t seed, const char *text, pgn_counts *counts);

#endif
