/// bench_nats: moves of Reversi over a real NATS server on this machine, which it starts: one referee, and two
/// users for each game, all in one thread. How long a player waits for an answer, beside how long the server itself
/// takes to store a message of that size; and how many moves a second with many games at once.
///
///     bench_nats [GAMES [MOVES]]            MOVES: how many are waited for one by one
#define _GNU_SOURCE

#include <sys/resource.h>

#include <kifu/nats.h>
#include <nats/nats.h>

#include "../nats_help.h"
#include "game.h"

enum { SEATS = 2, SLOTS = 1 << 14, STORED = 150 };

typedef struct player {
    kifu_client *client;
    uint32_t session; // Of which messages have so much.
    char subject[80];
    bool done;
} player;

static natsConnection *connection; // It may act for all users.
static natsSubscription *subscription;
static player *players, *by_session[SLOTS];

static void must(bool good, const char *what)
{
    if (!good)
        fail_here(what);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int compare(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

// --- The referee -----------------------------------------------------------------------------------------------------

static kifu_result begin_game(void *context, kifu_timeline *timeline, uint32_t seats)
{
    (void)context, (void)seats;
    return reversi_begin(timeline, NULL);
}

// Tokens go to `out`.
static void referee(const nats_server *server, uint32_t games, FILE *out)
{
    char url[100], name[20], folder[300];
    kifu_nats *nats;
    kifu_error error;
    kifu_token tokens[2];
    const kifu_nats_options where = {.url = url_of(server, "referee", url), .service = "nim"};
    const kifu_referee_options options = {.folder = folder, .begin = begin_game, .requests_per_second = 1000000};
    snprintf(folder, sizeof folder, "%s/copies", server->folder);
    must(!kifu_nats_serve(&reversi_rules, &options, &where, &nats, &error), error.message);
    for (uint32_t i = 0; i < games; i++) {
        snprintf(name, sizeof name, "%u", i);
        must(!kifu_referee_open(kifu_nats_referee(nats), name, &(kifu_table){.seats = 2}, tokens, kifu_nats_now(),
                                &error),
             error.message);
        fprintf(out, "%s %s\n", tokens[0].text, tokens[1].text);
    }
    fclose(out);
    while (!kifu_nats_step(nats, 1000))
        ;
}

// --- The players -----------------------------------------------------------------------------------------------------

static bool send_request(void *context, const void *bytes, size_t size)
{
    player *player = context;
    memcpy(&player->session, bytes, sizeof player->session);
    uint32_t at = player->session % SLOTS;
    while (by_session[at] && by_session[at] != player)
        at = (at + 1) % SLOTS;
    by_session[at] = player;
    return !natsConnection_Publish(connection, player->subject, bytes, (int)size);
}

static void answered(void *context, uint32_t request, kifu_answer answer, const char *words)
{
    player *player = context;
    must(!request || answer == KIFU_ANSWER_DONE, words);
    player->done |= request != 0;
}

static void receive(int64_t most_ms)
{
    natsMsg *message;
    for (; !natsSubscription_NextMsg(&message, subscription, most_ms); most_ms = 0) {
        uint32_t session;
        memcpy(&session, natsMsg_GetData(message), sizeof session);
        uint32_t at = session % SLOTS;
        while (by_session[at] && by_session[at]->session != session)
            at = (at + 1) % SLOTS;
        if (by_session[at])
            kifu_client_receive(by_session[at]->client, natsMsg_GetData(message),
                                (size_t)natsMsg_GetDataLength(message), kifu_nats_now());
        natsMsg_Destroy(message);
    }
}

// Who is to move asks for a random move. NULL: nobody is, or somebody waits already.
static player *move(uint32_t game, kifu_rng *rng)
{
    static kifu_moves moves;
    static kifu_buffer buffer;
    for (uint32_t i = 0; i < SEATS; i++) {
        player *player = &players[game * SEATS + i];
        kifu_timeline *timeline = kifu_client_timeline(player->client);
        if (kifu_client_waits(player->client))
            return NULL;
        must(!kifu_list_moves(timeline, (int)i, &moves), "moves were not listed");
        if (!moves.count)
            continue;
        must(!kifu_move_bytes(timeline, &moves.items[kifu_rng_below(rng, moves.count)], &buffer), "no bytes");
        if (kifu_client_request(player->client, buffer.data, buffer.size, kifu_nats_now()))
            return NULL; // the game was not seen yet
        return player;
    }
    return NULL;
}

static void join_all(const nats_server *server, uint32_t games, FILE *tokens)
{
    char url[100], name[20], token[SEATS][40];
    kifu_error error;
    natsOptions *options;
    must(!natsOptions_Create(&options) && !natsOptions_SetURL(options, url_of(server, "referee", url)) &&
             !natsOptions_SetSendAsap(options, true) && !natsConnection_Connect(&connection, options),
         "no connection");
    natsOptions_Destroy(options);
    must(!natsConnection_SubscribeSync(&subscription, connection, "kifu.nim.seen.*"), "no subscription");
    for (uint32_t i = 0; i < games; i++) {
        must(fscanf(tokens, "%39s %39s", token[0], token[1]) == 2, "no tokens");
        for (unsigned j = 0; j < SEATS; j++) {
            player *player = &players[i * SEATS + j];
            snprintf(name, sizeof name, "%u", i);
            snprintf(player->subject, sizeof player->subject, "kifu.nim.in.user-%u-%u.%u", i, j, i);
            const kifu_client_options options_of = {.game = name,
                                                    .token = token[j],
                                                    .send = send_request,
                                                    .answered = answered,
                                                    .context = player,
                                                    .timeline = {.quiet = true, .keyframe_bytes = 1}};
            must(!kifu_client_create(&reversi_rules, &options_of, &player->client, &error), error.message);
            kifu_client_tick(player->client, kifu_nats_now());
        }
        receive(i + 1 < games ? 0 : 300);
    }
}

// --- Figures ---------------------------------------------------------------------------------------------------------

static double store_once(natsConnection *owner)
{
    static const char bytes[STORED];
    natsMsg *message, *answer;
    const double began = now();
    must(!natsMsg_Create(&message, "kifu.nim.log.bench", NULL, bytes, STORED), "no message");
    must(!natsConnection_RequestMsg(&answer, owner, message, 5000), "it was not stored");
    const double time = now() - began;
    natsMsg_Destroy(message);
    natsMsg_Destroy(answer);
    return time;
}

static void one_by_one(natsConnection *owner, uint32_t games, uint32_t count, kifu_rng *rng)
{
    double *answers = malloc(count * sizeof *answers), *stored = malloc(count * sizeof *stored);
    uint32_t done = 0;
    for (uint32_t i = 0; done < count && i < 100 * count; i++) {
        player *player = move(i % games, rng);
        if (!player) { // perhaps the games were not seen yet
            receive(20);
            continue;
        }
        const double began = now();
        for (player->done = false; !player->done;) {
            receive(100);
            kifu_client_tick(player->client, kifu_nats_now()); // what was lost is repeated
        }
        answers[done] = now() - began;
        stored[done++] = store_once(owner);
    }
    must(done > 0, "no move was made");
    qsort(answers, done, sizeof *answers, compare);
    qsort(stored, done, sizeof *stored, compare);
    printf(
        "%u moves one by one: an answer takes %.0f us (median), %.0f us (99 %%); to store %d bytes, the server takes "
        "%.0f us and %.0f us: %.1f times as long\n",
        done, answers[done / 2] * 1e6, answers[done * 99 / 100] * 1e6, STORED, stored[done / 2] * 1e6,
        stored[done * 99 / 100] * 1e6, answers[done / 2] / stored[done / 2]);
    free(answers);
    free(stored);
}

static double user_time(pid_t process)
{
    char path[60], text[600];
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    sscanf(strrchr(text, ')'), ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static void all_at_once(uint32_t games, pid_t process, pid_t server, kifu_rng *rng)
{
    uint32_t moves = 0, idle = 0;
    const double began = now(), before = user_time(process), server_before = user_time(server);
    double end = began;
    while (idle < 10) {
        uint32_t asked = 0;
        for (uint32_t i = 0; i < games; i++)
            asked += move(i, rng) != NULL;
        moves += asked;
        idle = asked ? 0 : idle + 1;
        end = asked ? now() : end;
        receive(asked ? 0 : 50);
        for (uint32_t i = 0; !asked && i < games * SEATS; i++) // what was lost is repeated
            kifu_client_tick(players[i].client, kifu_nats_now());
    }
    const double time = end - began;
    printf("%u games at once: %u moves, %.0f a second, with all players in one thread; a move takes %.0f us of the "
           "referee, %.0f us of the server\n",
           games, moves, moves / time, (user_time(process) - before) / moves * 1e6,
           (user_time(server) - server_before) / moves * 1e6);
}

int main(int argc, char **argv)
{
    const uint32_t games = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000;
    const uint32_t count = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 2000;
    nats_server server;
    natsConnection *owner;
    char url[100];
    int ends[2];
    kifu_rng rng;
    start_server(&server);
    must(!pipe(ends), "no pipe");
    const pid_t process = fork();
    if (!process) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(ends[0]);
        referee(&server, games, fdopen(ends[1], "w"));
        _exit(1);
    }
    close(ends[1]);
    kifu_rng_seed(&rng, 1, 1);
    players = calloc(games * SEATS, sizeof *players);
    must(players && games * SEATS < SLOTS / 2, "too many games");
    const double began = now();
    join_all(&server, games, fdopen(ends[0], "r"));
    printf("%u games are begun and joined in %.1f s\n", games, now() - began);
    must(!natsConnection_ConnectTo(&owner, url_of(&server, "referee", url)), "no connection");
    one_by_one(owner, games, count, &rng);
    all_at_once(games, process, server.process, &rng);
    natsConnection_Destroy(owner);
    kill_program(process);
    end_server(&server);
    return 0;
}
