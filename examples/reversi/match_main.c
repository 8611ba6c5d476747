// reversi_match LEVEL LEVEL [GAMES]: lets the computer play against itself.

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bot.h"
#include "match.h"

static bool read_number(const char *word, unsigned long most, uint32_t *number)
{
    char *end;
    const unsigned long read = strtoul(word, &end, 10);
    *number = (uint32_t)read;
    return *word >= '0' && *word <= '9' && !*end && read >= 1 && read <= most;
}

int main(int argc, char **argv)
{
    uint32_t levels[2], games = 200;
    if (argc < 3 || argc > 4 || !read_number(argv[1], BOT_LEVELS, &levels[0]) ||
        !read_number(argv[2], BOT_LEVELS, &levels[1]) || (argc > 3 && !read_number(argv[3], 1000000, &games))) {
        fprintf(stderr,
                "usage: reversi_match LEVEL LEVEL [GAMES]\n"
                "\n"
                "Plays GAMES (200) between two levels of the computer, 1 to %d. Two games begin with the same moves, "
                "drawn by\n"
                "lot, and each level has black in one of them.\n",
                BOT_LEVELS);
        return 2;
    }
    match_score score = {0};
    for (uint32_t pair = 0; pair < (games + 1) / 2; pair++) {
        kifu_error error;
        match_score two;
        if (match_play(levels[0], levels[1], 1, (uint64_t)time(NULL) + pair, &two, &error)) {
            fprintf(stderr, "reversi_match: %s\n", error.message);
            return 1;
        }
        score.won += two.won;
        score.drawn += two.drawn;
        score.lost += two.lost;
        printf("\rlevel %u won %u, drew %u and lost %u against level %u", levels[0], score.won, score.drawn, score.lost,
               levels[1]);
        fflush(stdout);
    }
    printf("\n");
    return 0;
}
