// chess_perft [--divide] DEPTH [FEN]: counts the games of DEPTH moves through the timeline.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "coordinates.h"
#include "game.h"
#include "perft.h"

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static uint64_t divide(kifu_timeline *timeline, uint32_t depth, kifu_result *result)
{
    chess_move moves[MOST_MOVES];
    uint64_t counts[MOST_MOVES], games = 0;
    const uint32_t count = chess_divide(timeline, depth, moves, counts, result);
    for (uint32_t i = 0; i < count && !*result; i++) {
        char text[COORDINATES_LENGTH];
        coordinates_write(moves[i], text);
        printf("%s: %" PRIu64 "\n", text, counts[i]);
        games += counts[i];
    }
    return games;
}

static int count(kifu_timeline *timeline, uint32_t depth, const char *fen, bool divided)
{
    fault fault;
    kifu_result result = chess_begin(timeline, &(chess_setup){.fen = fen}, &fault);
    if (result == KIFU_REJECTED) {
        fprintf(stderr, "chess_perft: FEN, column %" PRIu32 ": %s\n", fault.column, fault.message);
        return 2;
    }
    const double start = now();
    const uint64_t games = result    ? 0
                           : divided ? divide(timeline, depth, &result)
                                     : chess_perft(timeline, depth, &result);
    const double seconds = now() - start;
    if (result) {
        fprintf(stderr, "chess_perft: %s\n", kifu_last_error(timeline)->message);
        return 1;
    }
    printf("%" PRIu64 " games of %" PRIu32 " moves, %.3f s, %.0f games/s\n", games, depth, seconds,
           (double)games / (seconds > 0 ? seconds : 1e-9));
    return 0;
}

int main(int argc, char **argv)
{
    const bool divided = argc > 1 && strcmp(argv[1], "--divide") == 0;
    char **arguments = argv + 1 + divided;
    const int rest = argc - 1 - divided;
    char *end = NULL;
    const unsigned long depth = rest > 0 ? strtoul(arguments[0], &end, 10) : 0;
    if (rest < 1 || rest > 2 || *end || depth < 1 || depth > 12) {
        fputs("usage: chess_perft [--divide] DEPTH [FEN]\n\nDEPTH is 1 to 12. --divide lists the first moves.\n",
              stderr);
        return 2;
    }
    kifu_timeline *timeline;
    kifu_error error;
    if (kifu_create(&chess_rules, &(kifu_options){.quiet = true}, &timeline, &error)) {
        fprintf(stderr, "chess_perft: %s\n", error.message);
        return 1;
    }
    const int status = count(timeline, (uint32_t)depth, rest > 1 ? arguments[1] : NULL, divided);
    kifu_destroy(timeline);
    return status;
}
