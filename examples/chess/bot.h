/// The easy computer player: what Kifu's bot has to know of chess besides its rules.
#ifndef BOT_H
#define BOT_H

#include "chess.h"

/// For `kifu_choose_move`.
extern const kifu_bot chess_bot;

#endif
