// Referees and clients on a real NATS server.

#define _GNU_SOURCE

#include <errno.h>

#include <kifu/nats.h>
#include <nats/nats.h>

#include "nats_game.h"
#include "nats_help.h"
#include "suite.h"

#define must_be(condition) ck_assert_msg(condition, "%s:%d: %s", __FILE__, __LINE__, #condition)

// --- Players ---------------------------------------------------------------------------------------------------------

typedef struct player {
    kifu_nats *nats;
    kifu_rng rng;
    uint32_t done, refused, stale;
    char words[200];
} player;

static void hear(void *context, uint32_t request, kifu_answer answer, const char *words)
{
    player *player = context;
    player->done += request && answer == KIFU_ANSWER_DONE;
    player->refused += answer == KIFU_ANSWER_REFUSED;
    player->stale += answer == KIFU_ANSWER_STALE;
    snprintf(player->words, sizeof player->words, "%s", words);
}

static void join(player *player, const nats_server *server, const char *user, const char *game, const char *token)
{
    char url[100];
    kifu_error error;
    *player = (struct player){.nats = NULL};
    kifu_rng_seed(&player->rng, fuzz_seed(), token ? (uint64_t)token[1] << 8 | (uint64_t)token[2] : 1);
    const kifu_nats_options where = {.url = url_of(server, user, url), .service = "nim", .user = user};
    const kifu_client_options options = {.game = game,
                                         .token = token,
                                         .answered = hear,
                                         .context = player,
                                         .timeline.quiet = true,
                                         .repeat_ms = 50,
                                         .poll_ms = 200};
    ck_assert_msg(!kifu_nats_join(&nim_rules, &options, &where, &player->nats, &error), "%s", error.message);
}

static kifu_timeline *timeline_of(player *player)
{
    return kifu_client_timeline(kifu_nats_client(player->nats));
}

static bool is_over(player *player)
{
    return kifu_get_game(timeline_of(player))->phase == KIFU_PHASE_GAME_OVER;
}

/// If it is this player's turn and nothing waits, takes stones at random.
static void play(player *player)
{
    kifu_client *client = kifu_nats_client(player->nats);
    kifu_timeline *timeline = kifu_client_timeline(client);
    const nim_state *state = (const nim_state *)kifu_state(timeline);
    kifu_buffer buffer = {0};
    if (kifu_client_waits(client) || state->game.phase != KIFU_PHASE_PLAY ||
        kifu_current_player(&state->game) != kifu_client_seat(client))
        return;
    uint8_t heap = (uint8_t)kifu_rng_below(&player->rng, 4);
    while (!state->heaps[heap])
        heap = (uint8_t)((heap + 1) % 4);
    must_be(!nim_build_p_take(timeline, &buffer, heap, 1, 0));
    const kifu_result ignored = kifu_client_request(client, buffer.data, buffer.size, kifu_nats_now());
    (void)ignored;
    kifu_free_buffer(&buffer);
}

static uint32_t count_moves(player *player)
{
    kifu_event event;
    uint32_t count = 0;
    for (uint32_t i = 0; kifu_event_at(timeline_of(player), i, &event); i++)
        count += event.type == NIM_P_TAKE && event.player == kifu_client_seat(kifu_nats_client(player->nats));
    return count;
}

// --- Referees in processes of their own ------------------------------------------------------------------------------

enum { MOST_GAMES = 100 };

typedef struct tokens {
    kifu_token of[MOST_GAMES][2];
} tokens;

typedef struct referee {
    pid_t process;
    FILE *output;
} referee;

static referee start_referee(const nats_server *server, int games, int lease_ms)
{
    static unsigned referees;
    char url[100], count[20], lease[20], folder[300];
    snprintf(count, sizeof count, "%d", games);
    snprintf(lease, sizeof lease, "%d", lease_ms);
    snprintf(folder, sizeof folder, "%s/referee-%u", server->folder, referees++);
    referee made;
    char *words[] = {
        getenv("NATS_REFEREE"), (char *)(uintptr_t)url_of(server, "referee", url), count, lease, folder, NULL};
    made.process = start_program(words, &made.output);
    return made;
}

static void wait_until_ready(const referee *referee, tokens *tokens)
{
    char line[400], one[40], other[40];
    int game;
    while (fgets(line, sizeof line, referee->output) && strcmp(line, "ready\n") != 0) {
        if (sscanf(line, "game %d %39s %39s", &game, one, other) == 3) {
            strcpy(tokens->of[game][0].text, one);
            strcpy(tokens->of[game][1].text, other);
        } else {
            ck_abort_msg("%s", line);
        }
    }
}

static void kill_referee(const referee *referee)
{
    kill_program(referee->process);
    fclose(referee->output);
}

// --- Tables ----------------------------------------------------------------------------------------------------------

typedef struct tables {
    nats_server server;
    tokens tokens;
    player players[MOST_GAMES][2];
    int count;
} tables;

static void sit_down(tables *tables, int first, int count)
{
    for (int i = first; i < first + count; i++) {
        char name[20];
        snprintf(name, sizeof name, "%d", i);
        join(&tables->players[i][0], &tables->server, "alice", name, tables->tokens.of[i][0].text);
        join(&tables->players[i][1], &tables->server, "bob", name, tables->tokens.of[i][1].text);
    }
}

/// One round of all. True: the games are over, for all who play there.
static bool play_round(tables *tables, int first, int count)
{
    bool over = true;
    for (int i = first; i < first + count; i++) {
        for (int j = 0; j < 2; j++) {
            player *player = &tables->players[i][j];
            play(player);
            must_be(!kifu_nats_step(player->nats, 0));
            over = over && is_over(player);
        }
    }
    rest(1);
    return over;
}

/// All agree, and each move that somebody was told is done is there once.
static void stand_up(tables *tables, int first, int count)
{
    const uint64_t end = kifu_nats_now() + 5000;
    for (int i = first; i < first + count; i++) {
        player *a = &tables->players[i][0], *b = &tables->players[i][1];
        while ((kifu_client_waits(kifu_nats_client(a->nats)) || kifu_client_waits(kifu_nats_client(b->nats))) &&
               kifu_nats_now() < end)
            must_be(!kifu_nats_step(a->nats, 5) && !kifu_nats_step(b->nats, 5));
        ck_assert_uint_eq(kifu_event_count(timeline_of(a)), kifu_event_count(timeline_of(b)));
        ck_assert_mem_eq(kifu_state(timeline_of(a)), kifu_state(timeline_of(b)), sizeof(nim_state));
        ck_assert_uint_eq(a->done, count_moves(a));
        ck_assert_uint_eq(b->done, count_moves(b));
        ck_assert_uint_eq(a->done + b->done, 36);
        kifu_nats_end(a->nats);
        kifu_nats_end(b->nats);
    }
}

START_TEST(W09_two_play_a_game_to_its_end_over_a_server)
{
    static tables tables;
    player spectator;
    start_server(&tables.server);
    const referee referee = start_referee(&tables.server, 1, 1000);
    wait_until_ready(&referee, &tables.tokens);
    sit_down(&tables, 0, 1);
    join(&spectator, &tables.server, "mallory", "0", NULL);
    const uint64_t end = kifu_nats_now() + 10000;
    while (!play_round(&tables, 0, 1) || !is_over(&spectator))
        must_be(kifu_nats_now() < end && !kifu_nats_step(spectator.nats, 0));
    ck_assert_int_eq(kifu_client_seat(kifu_nats_client(spectator.nats)), -1);
    kifu_nats_end(spectator.nats);
    for (int i = 0; i < 2; i++)
        ck_assert_uint_eq(tables.players[0][i].refused + tables.players[0][i].stale, 0);
    stand_up(&tables, 0, 1);
    kill_referee(&referee);
    end_server(&tables.server);
}
END_TEST

// --- Kills -----------------------------------------------------------------------------------------------------------

static uint32_t count_done(const tables *tables, int first, int count)
{
    uint32_t done = 0;
    for (int i = first; i < first + count; i++)
        done += tables->players[i][0].done + tables->players[i][1].done;
    return done;
}

START_TEST(W09_referee_and_server_are_killed_again_and_again_with_no_move_lost_or_done_twice)
{
    enum { TABLES = 6, GAMES = 96 };
    static tables tables;
    unsigned referee_kills = 0, server_kills = 0, moves = 0;
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 3);
    start_server(&tables.server);
    referee referee = start_referee(&tables.server, GAMES, 200);
    wait_until_ready(&referee, &tables.tokens);
    const uint64_t began = kifu_nats_now();
    for (int first = 0; first < GAMES && (referee_kills < 20 || server_kills < 10); first += TABLES) {
        sit_down(&tables, first, TABLES);
        uint32_t next = 1 + kifu_rng_below(&rng, 30);
        const uint64_t end = kifu_nats_now() + 60000;
        while (!play_round(&tables, first, TABLES)) {
            must_be(kifu_nats_now() < end);
            if (count_done(&tables, first, TABLES) < next)
                continue;
            if (server_kills < 10 && (referee_kills >= 20 || kifu_rng_below(&rng, 3) == 0)) {
                kill_program(tables.server.process);
                run_server(&tables.server);
                server_kills++;
            } else {
                kill_referee(&referee);
                referee = start_referee(&tables.server, 0, 200);
                referee_kills++;
            }
            next = count_done(&tables, first, TABLES) + 1 + kifu_rng_below(&rng, 30);
        }
        stand_up(&tables, first, TABLES);
        moves += TABLES * 36;
    }
    fprintf(stderr, "%u moves, %u kills of referees, %u of the server, %u ms\n", moves, referee_kills, server_kills,
            (unsigned)(kifu_nats_now() - began));
    kill_referee(&referee);
    end_server(&tables.server);
}
END_TEST

static kifu_nats *serve(const nats_server *server, const kifu_nats_options *more)
{
    char url[100], folder[300];
    kifu_error error;
    kifu_nats *nats;
    kifu_nats_options where = *more;
    snprintf(folder, sizeof folder, "%s/copies", server->folder);
    where.url = url_of(server, "referee", url);
    where.service = "nim";
    const kifu_referee_options options = {.folder = folder, .begin = begin_nim, .requests_per_second = 10000};
    ck_assert_msg(!kifu_nats_serve(&nim_rules, &options, &where, &nats, &error), "%s", error.message);
    return nats;
}

// --- More than one referee -------------------------------------------------------------------------------------------

START_TEST(W08_a_second_referee_on_a_server_waits_and_one_that_was_stopped_finds_that_another_has_its_games)
{
    enum { GAMES = 3 };
    static tables tables;
    char line[400], url[100];
    kifu_error error;
    kifu_nats *nats;
    start_server(&tables.server);
    const referee first = start_referee(&tables.server, GAMES, 500);
    wait_until_ready(&first, &tables.tokens);
    const kifu_nats_options where = {.url = url_of(&tables.server, "referee", url), .service = "nim", .lease_ms = 500};
    ck_assert_int_eq(kifu_nats_serve(&nim_rules,
                                     &(kifu_referee_options){.folder = tables.server.folder, .begin = begin_nim},
                                     &where, &nats, &error),
                     KIFU_IN_USE);
    ck_assert_str_eq(error.message, "another referee has the games of nim");
    ck_assert_ptr_null(nats);
    const referee second = start_referee(&tables.server, 0, 500);
    sit_down(&tables, 0, GAMES);
    for (int i = 0; i < 100; i++)
        play_round(&tables, 0, GAMES);
    kill(first.process, SIGSTOP);
    wait_until_ready(&second, &tables.tokens);
    for (int i = 0; i < 200; i++)
        play_round(&tables, 0, GAMES);
    kill(first.process, SIGCONT);
    const uint64_t end = kifu_nats_now() + 10000;
    while (!play_round(&tables, 0, GAMES))
        must_be(kifu_nats_now() < end);
    must_be(fgets(line, sizeof line, first.output) != NULL);
    ck_assert_str_eq(line, "lost\n");
    stand_up(&tables, 0, GAMES);
    kill_referee(&first);
    kill_referee(&second);
    end_server(&tables.server);
}
END_TEST

START_TEST(W08_two_referees_that_both_think_they_are_alone_spoil_no_game)
{
    // As if each had been stopped just behind its look at the lease: both hear all, and each has what it knows in
    // memory.
    static tables tables;
    natsConnection *owner;
    char url[100];
    start_server(&tables.server);
    const referee first = start_referee(&tables.server, 1, 60000);
    wait_until_ready(&first, &tables.tokens);
    sit_down(&tables, 0, 1);
    player *players = tables.players[0];
    for (int i = 0; i < 20; i++)
        play_round(&tables, 0, 1);
    must_be(!natsConnection_ConnectTo(&owner, url_of(&tables.server, "referee", url)));
    must_be(!natsConnection_PublishString(owner, "$JS.API.STREAM.PURGE.KIFU_nim_owner", "{}"));
    must_be(!natsConnection_Flush(owner));
    kifu_nats *second = serve(&tables.server, &(kifu_nats_options){.lease_ms = 60000});
    const uint64_t end = kifu_nats_now() + 20000;
    while (!play_round(&tables, 0, 1)) {
        must_be(!kifu_nats_step(second, 0));
        must_be(kifu_nats_now() < end);
    }
    kill_referee(&first);
    kifu_nats_end(second); // forgets what it knows
    second = serve(&tables.server, &(kifu_nats_options){.lease_ms = 60000});
    for (const uint64_t until = kifu_nats_now() + 1000; kifu_nats_now() < until;) {
        must_be(!kifu_nats_step(second, 1));
        play_round(&tables, 0, 1);
    }
    // A player may have heard a refusal from one, while the other did it; but not the other way round.
    must_be(players[0].done <= count_moves(&players[0]) && players[1].done <= count_moves(&players[1]));
    ck_assert_uint_eq(count_moves(&players[0]) + count_moves(&players[1]), 36);
    ck_assert_mem_eq(kifu_state(timeline_of(&players[0])), kifu_state(timeline_of(&players[1])), sizeof(nim_state));
    kifu_nats_end(players[0].nats);
    kifu_nats_end(players[1].nats);
    kifu_nats_end(second);
    natsConnection_Destroy(owner);
    end_server(&tables.server);
}
END_TEST

// --- Hostile users ---------------------------------------------------------------------------------------------------

static void count_message(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *context)
{
    (void)connection;
    (void)subscription;
    __atomic_add_fetch((uint32_t *)context, 1, __ATOMIC_SEQ_CST);
    natsMsg_Destroy(message);
}

START_TEST(W09_a_hostile_user_reads_and_writes_nothing_and_holds_nobody_up)
{
    enum { GAMES = 1 };
    static tables tables;
    static uint32_t heard;
    const char *const foreign[] = {">",
                                   "*",
                                   "kifu.>",
                                   "kifu.nim.log.0",
                                   "kifu.nim.log.*",
                                   "kifu.nim.seen.alice",
                                   "kifu.nim.seen.*",
                                   "kifu.nim.in.*.*",
                                   "_INBOX.>",
                                   "$JS.>",
                                   "kifu.nim.owner"};
    const char *const targets[] = {"kifu.nim.log.0",
                                   "kifu.nim.in.alice.0",
                                   "kifu.nim.seen.alice",
                                   "kifu.nim.owner",
                                   "$JS.API.STREAM.DELETE.KIFU_nim",
                                   "$JS.API.STREAM.PURGE.KIFU_nim",
                                   "$JS.API.STREAM.MSG.GET.KIFU_nim",
                                   "$JS.API.CONSUMER.CREATE.KIFU_nim"};
    natsConnection *mallory, *reader;
    natsSubscription *subscriptions[sizeof foreign / sizeof *foreign], *log;
    char url[100];
    start_server(&tables.server);
    const referee referee = start_referee(&tables.server, GAMES, 1000);
    wait_until_ready(&referee, &tables.tokens);
    must_be(!natsConnection_ConnectTo(&mallory, url_of(&tables.server, "mallory", url)));
    must_be(!natsConnection_ConnectTo(&reader, url_of(&tables.server, "referee", url)));
    must_be(!natsConnection_SubscribeSync(&log, reader, "kifu.nim.log.0"));
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        must_be(!natsConnection_Subscribe(&subscriptions[i], mallory, foreign[i], count_message, &heard));
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        must_be(!natsConnection_PublishString(mallory, targets[i], "{}"));
    must_be(!natsConnection_Flush(mallory));
    sit_down(&tables, 0, GAMES);
    const uint64_t began = kifu_nats_now();
    uint32_t number = 0;
    while (!play_round(&tables, 0, GAMES)) {
        must_be(kifu_nats_now() < began + 10000);
        for (int i = 0; i < 500; i++) { // A flood: noise, forged tokens, games that are not there, replies into the log
            unsigned char bytes[200] = {1, 2, 3, 4, 5, 6, 7, 8};
            for (size_t j = 8; j < sizeof bytes; j++)
                bytes[j] = (unsigned char)(number++ * 2654435761U >> 13);
            char subject[100];
            snprintf(subject, sizeof subject, "kifu.nim.in.mallory.%s", i % 3 ? "0" : i % 2 ? "1" : "no.such");
            if (i % 4) {
                bytes[8] = (unsigned char)(1 + i % 6);
                bytes[9] = 1;
                bytes[10] = '0';
            }
            must_be(!natsConnection_PublishRequest(mallory, subject, "kifu.nim.log.0", bytes,
                                                   i % 7 ? (int)sizeof bytes : i % 11));
        }
        must_be(!natsConnection_Flush(mallory));
    }
    stand_up(&tables, 0, GAMES);
    ck_assert_uint_eq(__atomic_load_n(&heard, __ATOMIC_SEQ_CST), 0);
    natsMsg *message;
    uint32_t logged = 0;
    while (!natsSubscription_NextMsg(&message, log, 100)) {
        logged++;
        natsMsg_Destroy(message);
    }
    ck_assert_uint_eq(logged, 36); // the moves, and nothing else
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        natsSubscription_Destroy(subscriptions[i]);
    natsSubscription_Destroy(log);
    natsConnection_Destroy(mallory);
    natsConnection_Destroy(reader);
    kill_referee(&referee);
    end_server(&tables.server);
}
END_TEST

START_TEST(W09_what_is_wrong_in_the_stream_spoils_its_own_game_alone)
{
    static tables tables;
    natsConnection *owner;
    player lost;
    char url[100];
    start_server(&tables.server);
    const referee referee = start_referee(&tables.server, 2, 1000);
    wait_until_ready(&referee, &tables.tokens);
    must_be(!natsConnection_ConnectTo(&owner, url_of(&tables.server, "referee", url)));
    must_be(!natsConnection_PublishString(owner, "kifu.nim.log.bad", "this is no game"));
    must_be(!natsConnection_PublishString(owner, "kifu.nim.log.0", "and this is at the end of one"));
    must_be(!natsConnection_Flush(owner));
    join(&lost, &tables.server, "alice", "bad", tables.tokens.of[0][0].text);
    sit_down(&tables, 0, 2);
    const uint64_t end = kifu_nats_now() + 10000;
    while (!play_round(&tables, 0, 2)) {
        must_be(kifu_nats_now() < end);
        must_be(!kifu_nats_step(lost.nats, 0));
    }
    ck_assert_uint_eq(kifu_event_count(timeline_of(&lost)), 0);
    kifu_nats_end(lost.nats);
    stand_up(&tables, 0, 2);
    natsConnection_Destroy(owner);
    kill_referee(&referee);
    end_server(&tables.server);
}
END_TEST

START_TEST(W09_a_user_who_never_reads_is_cut_off_and_holds_nobody_up)
{
    enum { GAMES = 2, SILENT = 5, PIECES = 200 };
    static tables tables;
    static char noise[1 << 16];
    char text[400], url[100];
    natsConnection *owner;
    int silent[SILENT];
    start_server(&tables.server);
    const referee referee = start_referee(&tables.server, GAMES, 1000);
    wait_until_ready(&referee, &tables.tokens);
    for (int i = 0; i < SILENT; i++) { // All that bob sees goes to programs that read nothing, too.
        const int size = snprintf(text, sizeof text,
                                  "CONNECT {\"verbose\":false,\"user\":\"bob\",\"pass\":\"bob-password\"}\r\n"
                                  "SUB kifu.nim.seen.bob 1\r\n");
        silent[i] = connect_to_port(tables.server.port);
        must_be(silent[i] >= 0 && write(silent[i], text, (size_t)size) == size);
    }
    rest(100);
    must_be(!natsConnection_ConnectTo(&owner, url_of(&tables.server, "referee", url)));
    sit_down(&tables, 0, GAMES);
    const uint64_t end = kifu_nats_now() + 20000;
    for (int piece = 0; !play_round(&tables, 0, GAMES); piece++) {
        must_be(kifu_nats_now() < end);
        for (int i = 0; piece < PIECES && i < 8; i++, piece++)
            must_be(!natsConnection_Publish(owner, "kifu.nim.seen.bob", noise, sizeof noise));
    }
    stand_up(&tables, 0, GAMES);
    for (int i = 0; i < SILENT; i++) {
        ssize_t got;
        const struct timeval limit = {.tv_sec = 10};
        setsockopt(silent[i], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        while ((got = recv(silent[i], noise, sizeof noise, 0)) > 0)
            ;
        must_be(!got || (errno != EAGAIN && errno != EWOULDBLOCK));
        close(silent[i]);
    }
    natsConnection_Destroy(owner);
    kill_referee(&referee);
    end_server(&tables.server);
}
END_TEST

// --- In one process --------------------------------------------------------------------------------------------------

START_TEST(W09_where_the_stream_is_full_moves_fail_until_there_is_room)
{
    nats_server server;
    kifu_error error;
    kifu_token tokens[2];
    player players[2];
    char url[100], name[20];
    int games = 0;
    kifu_result result = KIFU_OK;
    start_server(&server);
    kifu_nats *nats = serve(&server, &(kifu_nats_options){.stream_size = 20000});
    kifu_referee *referee = kifu_nats_referee(nats);
    const kifu_table table = {.seats = 2};
    must_be(!kifu_referee_open(referee, "one", &table, tokens, kifu_nats_now(), &error));
    join(&players[0], &server, "alice", "one", tokens[0].text);
    join(&players[1], &server, "bob", "one", tokens[1].text);
    while (!result) { // Games until there is no more room for one.
        snprintf(name, sizeof name, "more-%d", games++);
        kifu_token ignored[2];
        result = kifu_referee_open(referee, name, &table, ignored, kifu_nats_now(), &error);
    }
    ck_assert_int_eq(result, KIFU_IO);
    must_be(strstr(error.message, "maximum bytes exceeded") != NULL);
    uint32_t moves = 0;
    for (uint64_t end = kifu_nats_now() + 600; kifu_nats_now() < end;) {
        for (int i = 0; i < 2; i++) {
            play(&players[i]);
            must_be(!kifu_nats_step(players[i].nats, 1) && !kifu_nats_step(nats, 1));
        }
        moves = players[0].done + players[1].done;
    }
    must_be(moves < 36 && (kifu_client_waits(kifu_nats_client(players[0].nats)) ||
                           kifu_client_waits(kifu_nats_client(players[1].nats))));
    natsConnection *owner;
    jsCtx *streams;
    jsOptions options;
    jsErrCode code;
    must_be(!natsConnection_ConnectTo(&owner, url_of(&server, "referee", url)));
    must_be(!natsConnection_JetStream(&streams, owner, NULL));
    jsOptions_Init(&options);
    options.Stream.Purge.Subject = "kifu.nim.log.more-0";
    must_be(!js_PurgeStream(streams, "KIFU_nim", &options, &code));
    options.Stream.Purge.Subject = "kifu.nim.log.more-1";
    must_be(!js_PurgeStream(streams, "KIFU_nim", &options, &code));
    for (uint64_t end = kifu_nats_now() + 10000; !is_over(&players[0]) || !is_over(&players[1]) ||
                                                 kifu_client_waits(kifu_nats_client(players[0].nats)) ||
                                                 kifu_client_waits(kifu_nats_client(players[1].nats));) {
        must_be(kifu_nats_now() < end);
        for (int i = 0; i < 2; i++) {
            play(&players[i]);
            must_be(!kifu_nats_step(players[i].nats, 1) && !kifu_nats_step(nats, 1));
        }
    }
    ck_assert_uint_eq(players[0].done, count_moves(&players[0]));
    ck_assert_uint_eq(players[1].done, count_moves(&players[1]));
    kifu_nats_end(players[0].nats);
    kifu_nats_end(players[1].nats);
    jsCtx_Destroy(streams);
    natsConnection_Destroy(owner);
    kifu_nats_end(nats);
    end_server(&server);
}
END_TEST

static uint64_t count_messages(jsCtx *streams)
{
    jsStreamInfo *info;
    jsErrCode code;
    must_be(!js_GetStreamInfo(&info, streams, "KIFU_nim", NULL, &code));
    const uint64_t count = info->State.Msgs;
    jsStreamInfo_Destroy(info);
    return count;
}

START_TEST(W09_a_log_that_is_written_anew_replaces_the_messages_before)
{
    nats_server server;
    kifu_error error;
    kifu_token tokens[2];
    player players[2];
    char url[100], path[300];
    natsConnection *owner;
    jsCtx *streams;
    start_server(&server);
    kifu_nats *nats = serve(&server, &(kifu_nats_options){0});
    const kifu_table table = {.seats = 2};
    must_be(!kifu_referee_open(kifu_nats_referee(nats), "one", &table, tokens, kifu_nats_now(), &error));
    join(&players[0], &server, "alice", "one", tokens[0].text);
    join(&players[1], &server, "bob", "one", tokens[1].text);
    must_be(!natsConnection_ConnectTo(&owner, url_of(&server, "referee", url)));
    must_be(!natsConnection_JetStream(&streams, owner, NULL));
    snprintf(path, sizeof path, "%s/copies/one.kifu", server.folder);
    uint32_t anew = 0;
    bool again = false;
    for (uint32_t moves = 0; moves < 36;) {
        const uint64_t end = kifu_nats_now() + 10000;
        while (players[0].done + players[1].done == moves) {
            must_be(kifu_nats_now() < end);
            for (int i = 0; i < 2; i++) {
                play(&players[i]);
                must_be(!kifu_nats_step(players[i].nats, 1) && !kifu_nats_step(nats, 1));
            }
        }
        moves = players[0].done + players[1].done;
        if (moves > 10 && !anew) {
            must_be(!unlink(path)); // The next append writes all of it.
            anew = moves;
        } else if (anew && moves >= anew + 3 && !again) { // One message, and some pieces: the next referee reads that.
            while (count_messages(streams) > moves - anew + 1)
                must_be(kifu_nats_now() < end);
            kifu_nats_end(nats);
            must_be(access(path, F_OK) != 0);
            nats = serve(&server, &(kifu_nats_options){0});
            again = true;
        }
    }
    for (const uint64_t end = kifu_nats_now() + 10000; !is_over(&players[0]) || !is_over(&players[1]);)
        must_be(kifu_nats_now() < end && !kifu_nats_step(players[0].nats, 1) && !kifu_nats_step(players[1].nats, 1) &&
                !kifu_nats_step(nats, 1));
    ck_assert_uint_eq(count_moves(&players[0]) + count_moves(&players[1]), 36);
    const kifu_timeline *game = kifu_referee_game(kifu_nats_referee(nats), "one", kifu_nats_now(), &error);
    ck_assert_uint_eq(kifu_event_count(game), kifu_event_count(timeline_of(&players[0])));
    ck_assert_int_eq(kifu_get_game(game)->phase, KIFU_PHASE_GAME_OVER);
    kifu_nats_end(players[0].nats);
    kifu_nats_end(players[1].nats);
    kifu_nats_end(nats);
    jsCtx_Destroy(streams);
    natsConnection_Destroy(owner);
    end_server(&server);
}
END_TEST

START_TEST(W09_when_the_server_comes_back_all_go_on_without_being_asked_to)
{
    nats_server server;
    kifu_error error;
    kifu_token tokens[2];
    player player;
    const kifu_table table = {.seats = 2};
    start_server(&server);
    kifu_nats *nats = serve(&server, &(kifu_nats_options){0});
    must_be(!kifu_referee_open(kifu_nats_referee(nats), "one", &table, tokens, kifu_nats_now(), &error));
    join(&player, &server, "alice", "one", tokens[0].text);
    const uint64_t end = kifu_nats_now() + 10000;
    while (!kifu_event_count(timeline_of(&player)))
        must_be(!kifu_nats_step(player.nats, 1) && !kifu_nats_step(nats, 1) && kifu_nats_now() < end);
    kill_program(server.process);
    run_server(&server);
    rest(1000); // Until both are connected again.
    const uint64_t before = kifu_nats_now();
    for (int i = 0; i < 4; i++) // It waits, and not in vain.
        must_be(!kifu_nats_step(player.nats, 40));
    must_be(kifu_nats_now() - before >= 40);
    must_be(!kifu_nats_step(nats, 100));
    kifu_token others[2];
    must_be(!kifu_referee_open(kifu_nats_referee(nats), "two", &table, others, kifu_nats_now(), &error));
    kifu_nats_end(player.nats);
    kifu_nats_end(nats);
    end_server(&server);
}
END_TEST

START_TEST(W09_a_referee_that_has_ended_leaves_its_games_to_the_next_at_once)
{
    nats_server server;
    kifu_error error;
    kifu_token tokens[2], others[2];
    const kifu_table table = {.seats = 2};
    start_server(&server);
    kifu_nats *nats = serve(&server, &(kifu_nats_options){.lease_ms = 60000});
    must_be(!kifu_referee_open(kifu_nats_referee(nats), "one", &table, tokens, kifu_nats_now(), &error));
    kifu_nats_end(nats);
    nats = serve(&server, &(kifu_nats_options){.lease_ms = 60000});
    ck_assert_int_eq(kifu_referee_open(kifu_nats_referee(nats), "one", &table, others, kifu_nats_now(), &error),
                     KIFU_IN_USE);
    must_be(kifu_referee_game(kifu_nats_referee(nats), "one", kifu_nats_now(), &error) != NULL);
    must_be(!kifu_referee_game(kifu_nats_referee(nats), "two", kifu_nats_now(), &error));
    ck_assert_str_eq(error.message, "there is no such game");
    kifu_nats_end(nats);
    end_server(&server);
}
END_TEST

START_TEST(W09_what_is_wrong_with_a_server_is_said)
{
    nats_server server;
    kifu_error error;
    kifu_nats *nats;
    char url[100];
    start_server(&server);
    kifu_nats_options where = {.url = url_of(&server, "referee", url), .service = "no.dots"};
    const kifu_referee_options options = {.folder = server.folder, .begin = begin_nim};
    ck_assert_int_eq(kifu_nats_serve(&nim_rules, &options, &where, &nats, &error), KIFU_MISUSE);
    where.service = "nim";
    where.url = "nats://127.0.0.1:1";
    ck_assert_int_eq(kifu_nats_serve(&nim_rules, &options, &where, &nats, &error), KIFU_IO);
    ck_assert_str_eq(error.message, "no connection: no server is there: start nats-server, or correct the address");
    char wrong[100];
    snprintf(wrong, sizeof wrong, "nats://referee:wrong@127.0.0.1:%d", server.port);
    where.url = wrong;
    ck_assert_int_eq(kifu_nats_serve(&nim_rules, &options, &where, &nats, &error), KIFU_IO);
    ck_assert_str_eq(error.message, "no connection: the server does not know this user and password");
    where.url = url;
    ck_assert_int_eq(kifu_nats_serve(&nim_rules, &(kifu_referee_options){0}, &where, &nats, &error), KIFU_MISUSE);
    const kifu_client_options guest = {.game = "one"};
    ck_assert_int_eq(kifu_nats_join(&nim_rules, &guest, &where, &nats, &error), KIFU_MISUSE);
    ck_assert_str_eq(error.message, "a client needs a game's name, and a user of the server");
    kifu_nats_options bob = {.url = url_of(&server, "alice", wrong), .service = "nim", .user = "bob"};
    ck_assert_int_eq(kifu_nats_join(&nim_rules, &guest, &bob, &nats, &error), KIFU_IO);
    must_be(strstr(error.message, "this user has no right to subscribe kifu.nim.seen.bob: ") != NULL);
    ck_assert_ptr_null(nats);
    end_server(&server);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        W09_two_play_a_game_to_its_end_over_a_server,
        W09_referee_and_server_are_killed_again_and_again_with_no_move_lost_or_done_twice,
        W08_a_second_referee_on_a_server_waits_and_one_that_was_stopped_finds_that_another_has_its_games,
        W08_two_referees_that_both_think_they_are_alone_spoil_no_game,
        W09_a_hostile_user_reads_and_writes_nothing_and_holds_nobody_up,
        W09_what_is_wrong_in_the_stream_spoils_its_own_game_alone,
        W09_a_user_who_never_reads_is_cut_off_and_holds_nobody_up,
        W09_where_the_stream_is_full_moves_fail_until_there_is_room,
        W09_a_log_that_is_written_anew_replaces_the_messages_before,
        W09_when_the_server_comes_back_all_go_on_without_being_asked_to,
        W09_a_referee_that_has_ended_leaves_its_games_to_the_next_at_once,
        W09_what_is_wrong_with_a_server_is_said,
    };
    return run_suite("nats", tests, sizeof tests / sizeof *tests);
}
