/// A computer player: what Kifu's bot has to know of Reversi besides its rules.
#ifndef BOT_H
#define BOT_H

#include "reversi.h"

/// For `kifu_choose_move`.
extern const kifu_bot reversi_bot;

enum { BOT_LEVELS = 7 };

/// How many tries a move has at a level from 1 (it plays as a beginner) to BOT_LEVELS (a second a move).
/// `reversi_match` shows how often one beats another.
uint32_t bot_tries(uint32_t level);

#endif
