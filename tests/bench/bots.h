/// Kifu's bot, timed: what bots_chess.c and bots_go.c share. They are programs of their own, because functions of the
/// games have the same names.
#ifndef BENCH_BOTS_H
#define BENCH_BOTS_H

#include <stdlib.h>

#include <kifu/bot.h>
#include <kifu/timeline.h>

#include "measure.h"

typedef struct thinking {
    kifu_timeline *timeline;
    uint32_t tries;
} thinking;

/// The arguments TRIES and ROUNDS, and a timeline. Returns the rounds.
static inline uint32_t begin_thinking(int argc, char **argv, const kifu_rules *rules, thinking *thinking)
{
    must(argc == 3, "usage: bench_bots_… TRIES ROUNDS");
    thinking->tries = (uint32_t)strtoul(argv[1], NULL, 10);
    must(!kifu_create(rules, &(kifu_options){.quiet = true}, &thinking->timeline, NULL), "no timeline");
    return (uint32_t)strtoul(argv[2], NULL, 10);
}

static inline bool count_try(void *context, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    ++*(uint32_t *)context;
    return true;
}

/// Nanoseconds that one thread takes for `tries` tries of one choice; where it ends earlier, as many times as long.
static inline double time_bot(kifu_timeline *timeline, const kifu_bot *bot, uint32_t tries)
{
    uint32_t made = 0;
    const kifu_thinking thinking = {.tries = tries, .progress = count_try, .context = &made};
    kifu_moves moves = {0};
    const kifu_move *move;
    const double start = now();
    must(!kifu_choose_move(timeline, kifu_current_player(kifu_get_game(timeline)), bot, &thinking, &moves, &move),
         "no move was chosen");
    const double time = now() - start;
    kifu_free_moves(&moves);
    return time * tries / made;
}

/// The tries a second of contender `at`, beside the games by lot of contender 0.
static inline void bot_row(const char *what, const contender *contenders, uint32_t at)
{
    row(what, "%7.0f tries/s, games by lot alone %7.0f/s: %5.2f x their time", 1e9 / contenders[at].ns,
        1e9 / contenders[0].ns, last_ratio(at, 0));
}

#endif
