/// A computer player: Kifu's own, which has to know only who owns the board.
#ifndef BOT_H
#define BOT_H

#include <kifu/bot.h>

extern const kifu_bot go_bot;

#endif
