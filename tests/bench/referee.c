/// bench_referee: how many moves of Reversi one referee of 1,000 games judges in a second, and what they take in bytes.
/// In each game two players and a spectator watch. Only the referee's own time counts; messages go nowhere.
///
///     bench_referee [GAMES [FOLDER [ALL]]]  FOLDER: an empty one, for the log files; else games are in memory.
///                                           ALL: so many games are there when the referee starts again
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <kifu/client.h>
#include <kifu/kifu.h>

#include "game.h"

enum { WATCHERS = 3, MOST_BYTES = 4096 };

typedef struct player {
    kifu_client *client;
    unsigned char sent[MOST_BYTES];
    size_t size;
} player;

static player *players;
static uint64_t observations, observed, answers, answered;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void must(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static bool receive(void *context, uint64_t peer, const void *bytes, size_t size)
{
    (void)context;
    const bool is_answer = ((const unsigned char *)bytes)[4] == 1;
    *(is_answer ? &answers : &observations) += 1;
    *(is_answer ? &answered : &observed) += size;
    kifu_client_receive(players[peer].client, bytes, size, 0);
    return true;
}

static bool keep(void *context, const void *bytes, size_t size)
{
    player *player = context;
    must(size <= MOST_BYTES, "a message is too long");
    memcpy(player->sent, bytes, size);
    player->size = size;
    return true;
}

static double receiving; // What clients took inside `receive`.

static bool receive_timed(void *context, uint64_t peer, const void *bytes, size_t size)
{
    const double begin = now();
    const bool result = receive(context, peer, bytes, size);
    receiving += now() - begin;
    return result;
}

static double pass(kifu_referee *referee, uint64_t peer)
{
    const size_t size = players[peer].size;
    players[peer].size = 0;
    receiving = 0;
    const double begin = now();
    if (size)
        kifu_referee_receive(referee, peer, players[peer].sent, size, 0);
    return now() - begin - receiving;
}

// What the referee has allocated: each block knows its size.
static size_t allocated;

static void *allocate(void *context, void *block, size_t size)
{
    size_t *old = block ? (size_t *)block - 2 : NULL;
    const size_t before = old ? *old : 0;
    (void)context;
    if (!size) {
        free(old);
        allocated -= before;
        return NULL;
    }
    size_t *made = realloc(old, size + 2 * sizeof *made);
    if (!made)
        return NULL;
    *made = size;
    allocated += size - before;
    return made + 2;
}

static kifu_result begin_game(void *context, kifu_timeline *timeline, uint32_t seats)
{
    (void)context, (void)seats;
    return reversi_begin(timeline, NULL);
}

static void join(kifu_referee *referee, uint32_t game)
{
    char name[20];
    kifu_token tokens[2];
    kifu_error error;
    snprintf(name, sizeof name, "game-%u", game);
    must(!kifu_referee_open(referee, name, &(kifu_table){.seats = 2}, tokens, 0, &error), error.message);
    for (uint32_t i = 0; i < WATCHERS; i++) {
        player *player = &players[game * WATCHERS + i];
        const kifu_client_options options = {.game = name,
                                             .token = i < 2 ? tokens[i].text : NULL,
                                             .send = keep,
                                             .context = player,
                                             .timeline = {.quiet = true, .keyframe_bytes = 1}};
        must(!kifu_client_create(&reversi_rules, &options, &player->client, &error), error.message);
        kifu_client_tick(player->client, 0);
        pass(referee, game * WATCHERS + i);
    }
}

// One move of this game. False: it is over.
static bool move(kifu_referee *referee, uint32_t game, kifu_rng *rng, double *time)
{
    static kifu_moves moves;
    static kifu_buffer buffer;
    for (uint32_t i = 0; i < 2; i++) {
        const uint64_t peer = game * WATCHERS + i;
        kifu_timeline *timeline = kifu_client_timeline(players[peer].client);
        must(!kifu_list_moves(timeline, (int)i, &moves), "moves were not listed");
        if (!moves.count)
            continue;
        must(!kifu_move_bytes(timeline, &moves.items[kifu_rng_below(rng, moves.count)], &buffer), "no bytes");
        must(!kifu_client_request(players[peer].client, buffer.data, buffer.size, 0), "no request");
        *time += pass(referee, peer);
        must(!kifu_client_waits(players[peer].client), "a move was not done");
        return true;
    }
    return false;
}

static uint64_t log_sizes(const char *folder, uint32_t games)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < games; i++) {
        char path[500];
        struct stat file;
        snprintf(path, sizeof path, "%s/game-%u.kifu", folder, i);
        must(stat(path, &file) == 0, "a log file is not there");
        size += (uint64_t)file.st_size;
    }
    return size;
}

// More games in the folder, as further names of those that are there: to begin so many takes hours on a slow disk.
static void add_games(const char *folder, uint32_t games, uint32_t all)
{
    char from[500], to[500];
    for (uint32_t i = games; i < all; i++) {
        snprintf(from, sizeof from, "%s/game-%u.kifu", folder, i % games);
        snprintf(to, sizeof to, "%s/game-%u.kifu", folder, i);
        must(!link(from, to), "a log file got no other name");
    }
}

// Games that sleep, and a referee that starts again. `empty`: what it had allocated without a game.
static void sleep_and_restart(kifu_referee **referee, const kifu_referee_options *options, uint32_t games, uint32_t all,
                              size_t empty)
{
    kifu_error error;
    for (uint32_t i = 0; i < games * WATCHERS; i++)
        kifu_referee_gone(*referee, i);
    const size_t awake = allocated;
    kifu_referee_tick(*referee, 1000000);
    must(kifu_referee_awake(*referee) == 0, "a game is still in memory");
    printf("a game takes %zu bytes in memory; all %u, put away, %zu\n", (awake - allocated) / games, games,
           allocated > empty ? allocated - empty : 0);
    kifu_referee_destroy(*referee);
    add_games(options->folder, games, all);
    const double begin = now();
    must(!kifu_referee_create(&reversi_rules, options, referee, &error), error.message);
    const double made = now();
    must(kifu_referee_game(*referee, "game-0", 0, &error) != NULL, error.message);
    printf("with %u games in the folder, a referee starts in %.2f ms, and has taken up the first game in %.2f ms\n",
           all > games ? all : games, (made - begin) * 1e3, (now() - made) * 1e3);
}

int main(int argc, char **argv)
{
    const uint32_t games = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000;
    const uint32_t all = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
    uint64_t logged = 0;
    const kifu_referee_options options = {.folder = argc > 2 ? argv[2] : NULL,
                                          .timeline = {.allocate = allocate},
                                          .begin = begin_game,
                                          .send = receive_timed,
                                          .requests_per_second = 1000000,
                                          .peers = 8 * WATCHERS * games};
    kifu_referee *referee;
    kifu_error error;
    kifu_rng rng;
    uint64_t moves = 0;
    double time = 0;
    kifu_rng_seed(&rng, 1, 1);
    players = calloc(games * WATCHERS, sizeof *players);
    must(players && !kifu_referee_create(&reversi_rules, &options, &referee, &error), error.message);
    const size_t empty = allocated;
    for (uint32_t i = 0; i < games; i++)
        join(referee, i);
    if (options.folder)
        logged = log_sizes(options.folder, games);
    observations = observed = answers = answered = 0;
    for (bool any = true; any;) {
        any = false;
        for (uint32_t i = 0; i < games; i++) {
            const bool moved = move(referee, i, &rng, &time);
            moves += moved;
            any = any || moved;
        }
    }
    printf("%llu moves of %u games: %.0f a second, %.1f us each; %.1f bytes for each of %u who watch, %.1f an answer\n",
           (unsigned long long)moves, games, (double)moves / time, time / (double)moves * 1e6,
           (double)observed / (double)observations, WATCHERS, (double)answered / (double)answers);
    for (uint32_t i = 0; i < games * WATCHERS; i++)
        kifu_client_destroy(players[i].client);
    if (options.folder) {
        printf("%.1f bytes a move in the log file\n",
               (double)(log_sizes(options.folder, games) - logged) / (double)moves);
        sleep_and_restart(&referee, &options, games, all, empty);
    }
    kifu_referee_destroy(referee);
    free(players);
    return 0;
}
