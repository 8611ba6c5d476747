/// What the commands of the Go Text Protocol share.
#ifndef GTP_CALL_H
#define GTP_CALL_H

#include "gtp.h"

enum { MOST_WORDS = 400 };

/// One command: its arguments, and where the answer goes. What it prints is the answer.
typedef struct call {
    gtp *gtp;
    const char *words[MOST_WORDS];
    uint32_t count;
    FILE *out;
} call;

/// The command fails, for this reason; returns false.
bool call_fail(const call *call, const char *reason);

/// Whether a call of Kifu's went well; if not, the command fails for its reason.
bool call_good(const call *call, kifu_result result);

const go_state *call_state(const call *call);

/// An argument; "" if there are not so many.
const char *call_word(const call *call, uint32_t index);

/// Arguments as values. False: they are none, and the command fails.
bool call_read_stone(const call *call, uint32_t index, go_stone *stone);
bool call_read_point(const call *call, uint32_t index, uint32_t *point);
bool call_read_number(const call *call, double least, double most, double *number); ///< The first argument.

// A command returns whether it did what it should. gtp_play.c: games and moves.
bool gtp_clear_board(call *call);
bool gtp_boardsize(call *call);
bool gtp_komi(call *call);
bool gtp_fixed_handicap(call *call);
bool gtp_place_free_handicap(call *call);
bool gtp_set_free_handicap(call *call);
bool gtp_counting(call *call);
bool gtp_play(call *call);
bool gtp_genmove(call *call);
bool gtp_undo(call *call);
bool gtp_redo(call *call);
bool gtp_is_legal(call *call);

// gtp_look.c: the board, scores, files.
bool gtp_showboard(call *call);
bool gtp_list_stones(call *call);
bool gtp_captures(call *call);
bool gtp_score(call *call);
bool gtp_marked(call *call);
bool gtp_final_score(call *call);
bool gtp_final_status_list(call *call);
bool gtp_mark(call *call);
bool gtp_save(call *call);
bool gtp_printsgf(call *call);
bool gtp_print_tree(call *call);
bool gtp_loadsgf(call *call);

#endif
