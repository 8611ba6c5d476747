// Famous games of chess, each played to its end, and random ones against moves made and taken back by hand.
// KIFU_FUZZ_STEPS and KIFU_FUZZ_SEED let the random ones go on for longer (`./dev fuzz`).

#include <stdio.h>

#include "chess_help.h"
#include "pgn.h"
#include "plain_chess.h"
#include "san.h"
#include "suite.h"

// --- Famous games ----------------------------------------------------------------------------------------------------

enum { FAMOUS = 21 };

static char *read_famous_games(void)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/tests/famous_games.pgn", getenv("KIFU_SOURCE_DIR"));
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    char *text = calloc(1, 1 << 16);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_gt(fread(text, 1, (1 << 16) - 1, file), 5000);
    fclose(file);
    return text;
}

static kifu_timeline *play_famous(const char **text)
{
    kifu_timeline *timeline;
    fault fault = {0};
    const kifu_result result = pgn_read(text, &(kifu_options){.quiet = true}, &timeline, NULL, &fault);
    ck_assert_msg(!result, "%u:%u: %s", (unsigned)fault.line, (unsigned)fault.column, fault.message);
    return timeline;
}

// The file is written as pgn_write writes: so the games come out letter for letter, with their results, "+" and "#".
START_TEST(C08_famous_games_from_pgn_and_back)
{
    char *text = read_famous_games();
    const char *at = text;
    int count = 0, mates = 0;
    for (; pgn_has_more(at); count++) {
        while (*at == '\n')
            at++;
        const char *begin = at;
        kifu_timeline *timeline = play_famous(&at);
        const chess_state *state = chess_get_state(timeline);
        ck_assert_int_eq(state->game.phase, KIFU_PHASE_GAME_OVER);
        char *written = pgn_write(timeline);
        const size_t length = (size_t)(at - begin);
        ck_assert_msg(!strncmp(written, begin, length) && !strcmp(written + length, "\n"), "%s", written);
        ck_assert_int_eq(state->ending == CHESS_ENDING_CHECKMATE, memchr(begin, '#', length) != NULL);
        mates += state->ending == CHESS_ENDING_CHECKMATE;
        free(written);
        kifu_destroy(timeline);
    }
    ck_assert_int_eq(count, FAMOUS);
    ck_assert_int_ge(mates, 8);
    free(text);
}
END_TEST

// Every legal move of a position has a name of its own, and the name is read as that move.
static void must_be_named(const chess_position *position)
{
    chess_move moves[MOST_MOVES], read;
    static char names[MOST_MOVES][SAN_LENGTH];
    fault fault;
    const uint32_t count = moves_legal(position, moves);
    for (uint32_t i = 0; i < count; i++) {
        san_write(position, moves[i], names[i]);
        ck_assert_msg(san_read(position, names[i], strlen(names[i]), &read, &fault), "%s: %s", names[i], fault.message);
        ck_assert_mem_eq(&read, &moves[i], sizeof read);
        for (uint32_t k = 0; k < i; k++)
            ck_assert_str_ne(names[i], names[k]);
    }
}

START_TEST(C08_every_move_of_famous_games_has_a_name)
{
    char *text = read_famous_games();
    const char *at = text;
    while (pgn_has_more(at)) {
        kifu_timeline *timeline = play_famous(&at);
        while (!kifu_undo(timeline)) { // back from the end, move by move
            const chess_position *position = &chess_get_state(timeline)->position;
            chess_position again;
            char fen[FEN_LENGTH];
            fault fault;
            must_be_named(position);
            fen_write(position, fen);
            ck_assert(fen_read(fen, &again, &fault));
            ck_assert_mem_eq(again.board, position->board, sizeof again.board);
            ck_assert_uint_eq(position_key(&again), position_key(position));
        }
        kifu_destroy(timeline);
    }
    free(text);
}
END_TEST

START_TEST(C08_famous_games_are_saved_and_verified)
{
    char *text = read_famous_games();
    const char *at = text;
    while (pgn_has_more(at)) {
        kifu_timeline *timeline = play_famous(&at), *loaded;
        unsigned char *bytes;
        size_t size;
        must(timeline, kifu_verify_replay(timeline, NULL));
        must(timeline, kifu_save_to_memory(timeline, NULL, &bytes, &size));
        ck_assert(!kifu_load_from_memory(&chess_rules, bytes, size, NULL, NULL, &loaded, NULL));
        ck_assert_mem_eq(kifu_state(loaded), kifu_state(timeline), sizeof(chess_state));
        kifu_free_bytes(timeline, bytes);
        kifu_destroy(loaded);
        kifu_destroy(timeline);
    }
    free(text);
}
END_TEST

// --- Random games ----------------------------------------------------------------------------------------------------

enum { MOST_STEPS = 400 };

// A game by hand, and how to take its moves back.
typedef struct plain_game {
    chess_state state;
    chess_move moves[MOST_STEPS];
    plain_taken taken[MOST_STEPS];
    uint32_t now, count; // moves made, and made before some were taken back
} plain_game;

static void must_agree(const kifu_timeline *timeline, const plain_game *plain)
{
    const chess_state *state = chess_get_state(timeline);
    ck_assert_mem_eq(&state->position, &plain->state.position, sizeof state->position);
    ck_assert_mem_eq(state->keys, plain->state.keys, sizeof state->keys);
    ck_assert_uint_eq(state->keys[state->position.clocks.known], position_key(&state->position));
    ck_assert_mem_eq(&state->game, &plain->state.game, sizeof state->game);
    ck_assert_uint_eq(state->ending, plain->state.ending);
    ck_assert_uint_eq(state->winner, plain->state.winner);
    ck_assert_uint_eq(kifu_can_undo(timeline, NULL) > 0, plain->now > 0);
    ck_assert_uint_eq(kifu_can_redo(timeline, NULL) > 0, plain->now < plain->count);
}

static void make(plain_game *plain, chess_move move)
{
    ck_assert_uint_lt(plain->now, MOST_STEPS);
    plain->moves[plain->now] = move;
    plain_make(&plain->state, move, true, &plain->taken[plain->now++]);
}

static void play_legal(kifu_timeline *timeline, plain_game *plain, kifu_rng *rng)
{
    chess_move moves[MOST_MOVES];
    const uint32_t count = moves_legal(&plain->state.position, moves);
    if (plain->state.ending || !count)
        return;
    const chess_move move = moves[kifu_rng_below(rng, count)];
    must(timeline, chess_play(timeline, move));
    make(plain, move);
    plain->count = plain->now;
}

// Any squares, any player: legal by chance.
static void play_anything(kifu_timeline *timeline, plain_game *plain, kifu_rng *rng)
{
    const chess_move move = {.from = (uint8_t)kifu_rng_below(rng, 66),
                             .to = (uint8_t)kifu_rng_below(rng, 66),
                             .promotion = (chess_kind)(kifu_rng_below(rng, 8) ? 0 : kifu_rng_below(rng, 7))};
    const int player = (int)kifu_rng_below(rng, 3) - 1;
    chess_move moves[MOST_MOVES];
    const uint32_t count = moves_legal(&plain->state.position, moves);
    bool legal = false;
    for (uint32_t i = 0; i < count; i++)
        legal |= !memcmp(&moves[i], &move, sizeof move);
    legal &= !plain->state.ending && player == kifu_current_player(&plain->state.game);
    ck_assert_int_eq(chess_can_p_move(timeline, player, move.from, move.to, move.promotion), legal);
    chess_submit_p_move(timeline, player, move.from, move.to, move.promotion);
    ck_assert_int_eq(kifu_run(timeline), legal ? KIFU_OK : KIFU_REJECTED);
    if (legal) {
        make(plain, move);
        plain->count = plain->now;
    }
}

static void try_all(kifu_timeline *timeline, plain_game *plain)
{
    chess_move moves[MOST_MOVES];
    plain_taken taken;
    const uint32_t count = plain->state.ending ? 0 : moves_legal(&plain->state.position, moves);
    for (uint32_t i = 0; i < count; i++) {
        const int player = kifu_current_player(kifu_get_game(timeline));
        must(timeline, chess_try_p_move(timeline, player, moves[i].from, moves[i].to, moves[i].promotion));
        plain_make(&plain->state, moves[i], true, &taken);
        ck_assert_mem_eq(chess_get_state(timeline), &plain->state, sizeof plain->state);
        plain_unmake(&plain->state, &taken);
        must(timeline, kifu_take_back(timeline));
    }
}

static void take_back(kifu_timeline *timeline, plain_game *plain)
{
    ck_assert_int_eq(kifu_undo(timeline), plain->now ? KIFU_OK : KIFU_NOTHING_TO_UNDO);
    if (plain->now)
        plain_unmake(&plain->state, &plain->taken[--plain->now]);
}

static void make_again(kifu_timeline *timeline, plain_game *plain)
{
    const bool can = plain->now < plain->count;
    ck_assert_int_eq(kifu_redo(timeline), can ? KIFU_OK : KIFU_NOTHING_TO_REDO);
    if (can)
        make(plain, plain->moves[plain->now]);
}

static kifu_timeline *reload(kifu_timeline *timeline)
{
    unsigned char *bytes;
    size_t size;
    kifu_timeline *loaded;
    must(timeline, kifu_save_to_memory(timeline, NULL, &bytes, &size));
    ck_assert(!kifu_load_from_memory(&chess_rules, bytes, size, &(kifu_options){.quiet = true}, NULL, &loaded, NULL));
    kifu_free_bytes(timeline, bytes);
    kifu_destroy(timeline);
    must(loaded, kifu_verify_replay(loaded, NULL));
    return loaded;
}

static kifu_timeline *play_on(kifu_timeline *timeline, plain_game *plain, kifu_rng *rng, unsigned long steps)
{
    for (; steps > 0; steps--) {
        const uint32_t choice = kifu_rng_below(rng, 200);
        if (choice < 140)
            play_legal(timeline, plain, rng);
        else if (choice < 160)
            play_anything(timeline, plain, rng);
        else if (choice < 180)
            take_back(timeline, plain);
        else if (choice < 192)
            make_again(timeline, plain);
        else if (choice < 197)
            try_all(timeline, plain);
        else
            timeline = reload(timeline);
        must_agree(timeline, plain);
    }
    return timeline;
}

START_TEST(C09_random_games_agree_with_moves_by_hand)
{
    // The beginning; positions full of castling, promotion and en passant; and few pieces, for all kinds of draws.
    static const char *const fens[] = {
        NULL,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
        "8/8/4k3/8/8/3K4/8/R7 w - - 90 70",
        "8/8/4k3/8/8/3K4/3p4/8 w - - 0 70",
    };
    unsigned long left = fuzz_steps(24000);
    for (unsigned long seed = fuzz_seed(); left > 0; seed++) {
        const unsigned long steps = left < MOST_STEPS ? left : MOST_STEPS;
        kifu_rng rng;
        kifu_rng_seed(&rng, seed, 5);
        kifu_timeline *timeline = chess_new(fens[seed % (sizeof fens / sizeof *fens)]);
        plain_game *plain = calloc(1, sizeof *plain);
        ck_assert_ptr_nonnull(plain);
        plain->state = *chess_get_state(timeline);
        timeline = play_on(timeline, plain, &rng, steps);
        free(plain);
        kifu_destroy(timeline);
        left -= steps;
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        C08_famous_games_from_pgn_and_back,
        C08_every_move_of_famous_games_has_a_name,
        C08_famous_games_are_saved_and_verified,
        C09_random_games_agree_with_moves_by_hand,
    };
    return run_suite("chess: games", tests, sizeof tests / sizeof *tests);
}
