// reversi_perft [DEPTH]: counts the games of 1 to DEPTH moves through the timeline.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "game.h"
#include "perft.h"

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    // Depth 1 to 11, as everybody counts them.
    static const uint64_t known[] = {4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, 212258800};
    const uint32_t known_depths = sizeof known / sizeof *known;

    char *end = NULL;
    unsigned long deepest = argc > 1 ? strtoul(argv[1], &end, 10) : 7;
    if (argc > 2 || (argc > 1 && *end) || deepest < 1 || deepest > 12) {
        fprintf(stderr, "usage: reversi_perft [DEPTH]\n\nDEPTH is 1 to 12; 7 where it is absent.\n");
        return 2;
    }

    kifu_timeline *timeline;
    kifu_error error;
    kifu_options options = {.quiet = true, .seed = 1};
    if (kifu_create(&reversi_rules, &options, &timeline, &error)) {
        fprintf(stderr, "reversi_perft: %s\n", error.message);
        return 1;
    }
    bool right = !reversi_begin(timeline, NULL);
    printf("depth       games  seconds  games/s\n");
    for (uint32_t depth = 1; right && depth <= deepest; depth++) {
        kifu_result result = KIFU_OK;
        double start = now();
        uint64_t games = reversi_perft(timeline, depth, &result);
        double seconds = now() - start;
        right = !result && (depth > known_depths || games == known[depth - 1]);
        printf("%5u %11" PRIu64 " %8.3f %8.0f%s\n", depth, games, seconds,
               (double)games / (seconds > 0 ? seconds : 1e-9), right ? "" : "  WRONG");
    }
    if (!right && kifu_last_error(timeline)->result)
        fprintf(stderr, "reversi_perft: %s\n", kifu_last_error(timeline)->message);
    kifu_destroy(timeline);
    return right ? 0 : 1;
}
