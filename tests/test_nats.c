// Referees and clients on a real NATS server.

#define _GNU_SOURCE

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
    kifu_rng_seed(&player->rng, fuzz_seed(), (uint64_t)token[1] << 8 | (uint64_t)token[2]);
    const kifu_nats_options where = {.url = url_of(server, user, url), .service = "nim", .user = user};
    const kifu_client_options options = {
        .game = game, .token = token, .answered = hear, .context = player, .timeline.quiet = true, .repeat_ms = 100,
        .poll_ms = 1000};
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
    char url[100], count[20], lease[20];
    snprintf(count, sizeof count, "%d", games);
    snprintf(lease, sizeof lease, "%d", lease_ms);
    referee made;
    char *words[] = {NATS_REFEREE, (char *)(uintptr_t)url_of(server, "referee", url), count, lease, NULL};
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

// --- Tests -----------------------------------------------------------------------------------------------------------

START_TEST(W09_two_play_a_game_to_its_end_over_a_server)
{
    nats_server server;
    tokens tokens;
    player a, b;
    start_server(&server);
    const referee referee = start_referee(&server, 1, 1000);
    wait_until_ready(&referee, &tokens);
    join(&a, &server, "alice", "0", tokens.of[0][0].text);
    join(&b, &server, "bob", "0", tokens.of[0][1].text);
    const uint64_t end = kifu_nats_now() + 10000;
    while (!(is_over(&a) && is_over(&b)) && kifu_nats_now() < end) {
        play(&a);
        play(&b);
        must_be(!kifu_nats_step(a.nats, 1) && !kifu_nats_step(b.nats, 1));
    }
    must_be(is_over(&a) && is_over(&b));
    ck_assert_uint_eq(a.done + b.done, 36);
    ck_assert_mem_eq(kifu_state(timeline_of(&a)), kifu_state(timeline_of(&b)), sizeof(nim_state));
    ck_assert_uint_eq(a.refused + b.refused + a.stale + b.stale, 0);
    kifu_nats_end(a.nats);
    kifu_nats_end(b.nats);
    kill_referee(&referee);
    end_server(&server);
}
END_TEST

// --- Kills -----------------------------------------------------------------------------------------------------------

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
        uint64_t next = kifu_nats_now() + kifu_rng_below(&rng, 200);
        const uint64_t end = kifu_nats_now() + 60000;
        while (!play_round(&tables, first, TABLES)) {
            must_be(kifu_nats_now() < end);
            if (kifu_nats_now() < next)
                continue;
            if (server_kills < 10 && kifu_rng_below(&rng, 3) == 0) {
                kill_program(tables.server.process);
                run_server(&tables.server);
                server_kills++;
            } else {
                kill_referee(&referee);
                referee = start_referee(&tables.server, 0, 200);
                referee_kills++;
            }
            next = kifu_nats_now() + 300 + kifu_rng_below(&rng, 200);
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

int main(void)
{
    const TTest *const tests[] = {W09_two_play_a_game_to_its_end_over_a_server,
                                  W09_referee_and_server_are_killed_again_and_again_with_no_move_lost_or_done_twice};
    return run_suite("nats", tests, sizeof tests / sizeof *tests);
}
