/// Perft of chess: every move made through the timeline and taken back, against moves made and unmade by hand.
#include <stdio.h>

#include "chess_walk.h"
#include "contest.h"
#include "measure.h"

static double time_way(chess_walk *walk, chess_way way)
{
    const double start = now();
    chess_perft(walk, way);
    return now() - start;
}

static double run_tries(void *context)
{
    return time_way(context, CHESS_TRIES);
}

static double run_checked_tries(void *context)
{
    return time_way(context, CHESS_CHECKED_TRIES);
}

static double run_searches(void *context)
{
    return time_way(context, CHESS_SEARCHES);
}

static double run_by_hand(void *context)
{
    return time_way(context, CHESS_BY_HAND);
}

static double run_blindly(void *context)
{
    return time_way(context, CHESS_BLINDLY);
}

void chess_rows(const scale *scale)
{
    const uint32_t depth = scale->rounds < 3 ? 2 : 3;
    char text[100];
    heading("Perft of chess: move generation, check, Do, what follows from it, all taken back");
    if (!chess_is_there()) {
        row("left out, the example was not built", " ");
        return;
    }
    chess_walk *walk = chess_walk_open(depth);
    contender contenders[] = {{"by hand", run_by_hand, 0},
                              {"tries", run_tries, 0},
                              {"tries that check", run_checked_tries, 0},
                              {"searches", run_searches, 0},
                              {"by hand, not judged", run_blindly, 0}};
    compare(contenders, 5, walk, scale->rounds, chess_perft_moves(walk));
    snprintf(text, sizeof text, "tries of moves, Kiwipete, depth %u", depth);
    row(text, "%6.1f ns/move, by hand %.1f: %5.2f x its time", contenders[1].ns, contenders[0].ns, last_ratio(1, 0));
    row("    tries that ask the check", "%6.1f ns/move: %5.2f x the time by hand", contenders[2].ns, last_ratio(2, 0));
    row("    by search and roll-back", "%6.1f ns/move: %5.2f x the time by hand", contenders[3].ns, last_ratio(3, 0));
    row("    by hand, not looking for the end", "%6.1f ns/move: %5.2f x the time by hand", contenders[4].ns,
        last_ratio(4, 0));
    chess_walk_close(walk);
}
