// The rules of the chess example: what a move does, what is refused and why, and how a game ends.

#include "chess_help.h"
#include "suite.h"

static const char castles[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

static kifu_result play_named(kifu_timeline *timeline, const char *name)
{
    static const char letters[] = "..nbrq";
    const char *promotion = name[4] ? strchr(letters, name[4]) : NULL;
    return chess_play(timeline, (chess_move){.from = (uint8_t)square_named(name),
                                             .to = (uint8_t)square_named(name + 2),
                                             .promotion = (chess_kind)(promotion ? promotion - letters : 0)});
}

// Plays moves such as "e2e4 e7e5".
static void play_all(kifu_timeline *timeline, const char *names)
{
    for (; *names; names += strcspn(names, " ") + (names[strcspn(names, " ")] == ' ')) {
        char name[6] = {0};
        memcpy(name, names, strcspn(names, " "));
        ck_assert_msg(!play_named(timeline, name), "%s: %s", name, kifu_last_error(timeline)->message);
    }
}

static void must_be(const kifu_timeline *timeline, const char *fen)
{
    char now[FEN_LENGTH];
    fen_write(&chess_get_state(timeline)->position, now);
    ck_assert_str_eq(now, fen);
    const chess_state *state = chess_get_state(timeline);
    ck_assert_uint_eq(state->keys[state->position.clocks.known], position_key(&state->position));
}

// --- Moves -----------------------------------------------------------------------------------------------------------

START_TEST(C02_what_a_move_changes)
{
    static const struct {
        const char *before, *moves, *after;
    } cases[] = {
        {NULL, "e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
        {NULL, "g1f3 g8f6 f3g1", "rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 3 2"},
        {castles, "e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"},
        {castles, "e1c1", "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1"},
        {castles, "e1e2 e8g8", "r4rk1/8/8/8/8/8/4K3/R6R w - - 2 2"},
        {castles, "a1b1 e8c8", "2kr3r/8/8/8/8/8/8/1R2K2R w K - 2 2"},
        {castles, "a1a8", "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1"}, // captured where it began, too
        {"4k3/8/8/8/3p4/8/4P3/4K3 w - - 5 9", "e2e4", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 9"},
        {"4k3/8/8/8/3p4/8/4P3/4K3 w - - 5 9", "e2e4 d4e3", "4k3/8/8/8/8/4p3/8/4K3 w - - 0 10"},
        {"4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 e5d6", "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2"},
        // Nobody may capture: the rook would give check along the rank. So there is no en passant square.
        {"8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "e2e4", "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1"},
        {"7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q", "Q6k/8/8/8/8/8/8/K7 b - - 0 1"},
        {"1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8n", "1N5k/8/8/8/8/8/8/K7 b - - 0 1"},
        {"7k/8/8/8/8/8/p7/7K b - - 0 1", "a2a1r h1g2", "7k/8/8/8/8/8/6K1/r7 b - - 1 2"},
        {"7k/8/8/8/8/8/p7/7K b - - 0 1", "a2a1b", "7k/8/8/8/8/8/8/b6K w - - 0 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *timeline = chess_new(cases[i].before);
        play_all(timeline, cases[i].moves);
        must_be(timeline, cases[i].after);
        kifu_destroy(timeline);
    }
}
END_TEST

START_TEST(C02_a_move_is_refused_with_its_reason)
{
    static const struct {
        const char *fen, *move, *reason;
    } cases[] = {
        {NULL, "e2e5", "that piece does not move there"},
        {NULL, "e7e5", "that piece is the other player's"},
        {NULL, "e4e5", "there is no piece on that square"},
        {NULL, "f1b5", "that piece does not move there"},
        {NULL, "e1g1", "it cannot castle there now"},
        {NULL, "e2e4q", "only a pawn that reaches the last rank is promoted"},
        {"7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8", "say what the pawn becomes"},
        {"4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3", "the king would be in check"},
        {"4r2k/8/8/8/8/8/3N4/4K3 w - - 0 1", "d2b3", "the king would still be in check"},
        {"r3k2r/8/8/8/8/8/8/R3K1NR w KQkq - 0 1", "e1g1", "it cannot castle there now"},
        {"r3k2r/8/8/8/8/8/4r3/R3K2R w KQkq - 0 1", "e1g1", "it cannot castle there now"}, // out of check
        {"r3kr2/8/8/8/8/8/8/R3K2R w KQq - 0 1", "e1g1", "it cannot castle there now"},    // through check
        {"r3k1r1/8/8/8/8/8/8/R3K2R w KQq - 0 1", "e1g1", "the king would be in check"},   // into check
        {"r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1", "e1g1", "it cannot castle there now"},     // it has moved
        // Both pawns leave the rank, and the king stands in the rook's way.
        {"4k3/8/8/K2pP2r/8/8/8/8 w - - 0 1", "e5d6", "that piece does not move there"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *timeline = chess_new(cases[i].fen);
        const chess_state before = *chess_get_state(timeline);
        ck_assert_int_eq(play_named(timeline, cases[i].move), KIFU_REJECTED);
        ck_assert_msg(strstr(kifu_last_error(timeline)->message, cases[i].reason), "%s %s: %s", cases[i].fen,
                      cases[i].move, kifu_last_error(timeline)->message);
        ck_assert_mem_eq(&before, chess_get_state(timeline), sizeof before);
        kifu_destroy(timeline);
    }
}
END_TEST

START_TEST(C02_a_check_of_castling_on_the_queens_side)
{
    // The rook passes an attacked square, and the king does not: allowed.
    kifu_timeline *timeline = chess_new("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
    play_all(timeline, "e1c1");
    must_be(timeline, "1r2k3/8/8/8/8/8/8/2KR4 b - - 1 1");
    kifu_destroy(timeline);
}
END_TEST

START_TEST(C02_only_whose_turn_it_is_moves)
{
    kifu_timeline *timeline = chess_new(NULL);
    const struct {
        int player;
        uint8_t from, to;
        const char *reason;
    } cases[] = {{1, 12, 28, "other player's turn"},
                 {2, 12, 28, "there is no player 2"},
                 {0, 64, 28, "not on the board"},
                 {0, 12, 255, "not on the board"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        chess_submit_p_move(timeline, cases[i].player, cases[i].from, cases[i].to, CHESS_KIND_NONE);
        ck_assert_int_eq(kifu_run(timeline), KIFU_REJECTED);
        ck_assert_text(timeline, cases[i].reason);
    }
    kifu_destroy(timeline);
    ck_assert_int_eq(kifu_create(&chess_rules, NULL, &timeline, NULL), KIFU_OK);
    chess_submit_p_move(timeline, 0, 12, 28, CHESS_KIND_NONE);
    ck_assert_int_eq(kifu_run(timeline), KIFU_REJECTED);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(C02_who_has_white_is_chosen_or_drawn_by_lot)
{
    bool white[2] = {false, false};
    for (uint64_t seed = 1; seed <= 40; seed++) {
        const int asked = (int)(seed % 3) - 1; // -1: by lot
        kifu_timeline *timeline;
        ck_assert_int_eq(kifu_create(&chess_rules, &(kifu_options){.quiet = true}, &timeline, NULL), KIFU_OK);
        must(timeline, chess_begin(timeline, &(chess_setup){.white = asked, .seed = &seed}, NULL));
        const int player = kifu_current_player(kifu_get_game(timeline));
        ck_assert(asked < 0 || player == asked);
        ck_assert_uint_eq(rules_side_of(kifu_get_game(timeline), player), CHESS_SIDE_WHITE);
        white[player] |= asked < 0;
        kifu_destroy(timeline);
    }
    ck_assert(white[0] && white[1]);
}
END_TEST

// --- Ends ------------------------------------------------------------------------------------------------------------

static void must_have_ended(kifu_timeline *timeline, chess_ending ending, const char *result)
{
    const chess_state *state = chess_get_state(timeline);
    ck_assert_str_eq(chess_ending_name(state->ending), chess_ending_name(ending));
    ck_assert_str_eq(chess_result(state), result);
    ck_assert_int_eq(state->game.phase, ending ? KIFU_PHASE_GAME_OVER : KIFU_PHASE_PLAY);
    ck_assert_int_eq(*chess_end_in_words(state) != '\0', ending != CHESS_ENDING_NONE);
}

START_TEST(C03_the_end_of_a_game)
{
    static const struct {
        const char *fen, *moves;
        chess_ending ending;
        const char *result;
    } cases[] = {
        {NULL, "f2f3 e7e5 g2g4 d8h4", CHESS_ENDING_CHECKMATE, "0-1"},
        {NULL, "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", CHESS_ENDING_CHECKMATE, "1-0"},
        {"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", CHESS_ENDING_CHECKMATE, "1-0"},
        {"6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 99", "a1a8", CHESS_ENDING_CHECKMATE, "1-0"}, // before seventy-five moves
        {"3k4/3P4/4K3/8/8/8/8/8 w - - 0 1", "e6d6", CHESS_ENDING_STALEMATE, "1/2-1/2"},
        {"k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "c1c7", CHESS_ENDING_STALEMATE, "1/2-1/2"},
        {"8/8/8/8/8/5k2/5p2/5K1N w - - 0 1", "h1f2", CHESS_ENDING_MATERIAL, "1/2-1/2"},
        {"4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", "e1d2", CHESS_ENDING_MATERIAL, "1/2-1/2"},
        {"4kb2/8/8/8/8/8/3p4/2B1K3 w - - 0 1", "c1d2", CHESS_ENDING_MATERIAL, "1/2-1/2"}, // on the same colour
        {"4k1b1/8/8/8/8/8/3p4/2B1K3 w - - 0 1", "c1d2", CHESS_ENDING_NONE, "*"},
        {"4k1n1/8/8/8/8/8/3p4/2B1K3 w - - 0 1", "c1d2", CHESS_ENDING_NONE, "*"},
        {"4k1n1/8/8/8/8/8/3p4/4K1N1 w - - 0 1", "e1d2", CHESS_ENDING_NONE, "*"},
        {"4k3/7P/8/8/8/8/8/4K3 w - - 0 1", "h7h8n", CHESS_ENDING_MATERIAL, "1/2-1/2"},
        {"4k3/7P/8/8/8/8/8/4K3 w - - 0 1", "h7h8r", CHESS_ENDING_NONE, "*"},
        {"4k3/8/8/8/8/8/8/R3K3 w - - 148 99", "a1a2", CHESS_ENDING_NONE, "*"},
        {"4k3/8/8/8/8/8/8/R3K3 w - - 149 99", "a1a2", CHESS_ENDING_SEVENTY_FIVE_MOVES, "1/2-1/2"},
        {"4k3/8/8/8/8/8/P7/R3K3 w - - 149 99", "a2a3", CHESS_ENDING_NONE, "*"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *timeline = chess_new(cases[i].fen);
        play_all(timeline, cases[i].moves);
        must_have_ended(timeline, cases[i].ending, cases[i].result);
        kifu_destroy(timeline);
    }
}
END_TEST

START_TEST(C03_a_game_may_begin_with_its_end)
{
    kifu_timeline *timeline = chess_new("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1");
    must_have_ended(timeline, CHESS_ENDING_CHECKMATE, "1-0");
    ck_assert_int_eq(chess_play(timeline, (chess_move){.from = 56, .to = 49}), KIFU_REJECTED);
    kifu_destroy(timeline);
}
END_TEST

// A mate, its announcement and the end of the game are consequences of the move: one undo takes them back.
START_TEST(C03_undo_of_a_mate)
{
    kifu_timeline *timeline = chess_new("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    const chess_state before = *chess_get_state(timeline);
    const uint32_t events = kifu_event_count(timeline);
    play_all(timeline, "a1a8");
    static const uint32_t types[] = {CHESS_P_MOVE, CHESS_E_FINISH, CHESS_E_END_GAME};
    ck_assert_uint_eq(kifu_event_count(timeline), events + 3);
    for (uint32_t i = 0; i < 3; i++) {
        kifu_event event;
        ck_assert(kifu_event_at(timeline, events + i, &event));
        ck_assert_uint_eq(event.type, types[i]);
    }
    must(timeline, kifu_undo(timeline));
    ck_assert_mem_eq(&before, chess_get_state(timeline), sizeof before);
    must(timeline, kifu_redo(timeline));
    must_have_ended(timeline, CHESS_ENDING_CHECKMATE, "1-0");
    kifu_destroy(timeline);
}
END_TEST

START_TEST(C03_resigning)
{
    for (int player = 0; player < 2; player++) { // whoever's turn it is
        kifu_timeline *timeline = chess_new(NULL);
        chess_submit_p_resign(timeline, player);
        must(timeline, kifu_run(timeline));
        must_have_ended(timeline, CHESS_ENDING_RESIGNATION, player ? "1-0" : "0-1");
        kifu_destroy(timeline);
    }
}
END_TEST

// --- Draws -----------------------------------------------------------------------------------------------------------

static kifu_result claim(kifu_timeline *timeline, int player, const char *announced)
{
    if (announced)
        chess_submit_p_claim_draw(timeline, player, true, (uint8_t)square_named(announced),
                                  (uint8_t)square_named(announced + 2), CHESS_KIND_NONE);
    else
        chess_submit_p_claim_draw(timeline, player, false, 0, 0, CHESS_KIND_NONE);
    return kifu_run(timeline);
}

START_TEST(C04_threefold_repetition_is_claimed)
{
    kifu_timeline *timeline = chess_new(NULL);
    play_all(timeline, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    ck_assert_int_eq(claim(timeline, 1, NULL), KIFU_REJECTED);
    ck_assert_text(timeline, "the position does not stand for the third time");
    ck_assert_int_eq(claim(timeline, 1, "b8c6"), KIFU_REJECTED);
    ck_assert_text(timeline, "after that move the position would not stand");
    ck_assert_int_eq(claim(timeline, 1, "b8b6"), KIFU_REJECTED);
    ck_assert_text(timeline, "that piece does not move there");
    ck_assert_int_eq(claim(timeline, 0, NULL), KIFU_REJECTED);
    ck_assert_text(timeline, "other player's turn");
    must(timeline, claim(timeline, 1, "f6g8")); // announced, and not made
    must_have_ended(timeline, CHESS_ENDING_THREEFOLD, "1/2-1/2");
    ck_assert_uint_eq(chess_get_state(timeline)->position.board[45], CHESS_PIECE_BLACK_KNIGHT);
    must(timeline, kifu_undo(timeline));
    must_have_ended(timeline, CHESS_ENDING_NONE, "*");

    play_all(timeline, "f6g8");
    must_have_ended(timeline, CHESS_ENDING_NONE, "*"); // nobody has to claim
    ck_assert_uint_eq(rules_repetitions(chess_get_state(timeline)), 3);
    must(timeline, claim(timeline, 0, NULL));
    must_have_ended(timeline, CHESS_ENDING_THREEFOLD, "1/2-1/2");
    kifu_destroy(timeline);
}
END_TEST

START_TEST(C04_five_repetitions_end_the_game)
{
    kifu_timeline *timeline = chess_new(NULL);
    for (int i = 0; i < 3; i++)
        play_all(timeline, "g1f3 g8f6 f3g1 f6g8");
    play_all(timeline, "g1f3 g8f6 f3g1");
    must_have_ended(timeline, CHESS_ENDING_NONE, "*");
    play_all(timeline, "f6g8");
    must_have_ended(timeline, CHESS_ENDING_FIVEFOLD, "1/2-1/2");
    kifu_destroy(timeline);
}
END_TEST

// A position counts as another one where castling or a capture en passant was still allowed.
START_TEST(C04_what_is_the_same_position)
{
    static const struct {
        const char *fen, *moves;
        uint32_t repetitions;
    } cases[] = {
        {castles, "e1e2 e8e7 e2e1 e7e8", 1},
        {castles, "e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1 e7e8", 2},
        {castles, "a1b1 a8b8 b1a1 b8a8 a1b1 a8b8 b1a1 b8a8", 2},
        {"4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4 e8e7 e1e2 e7e8 e2e1", 1}, // d4 could capture on e3
        {"4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1", "e2d3 e8e7 e1e2 e7e8 e2e1 e8e7 e1e2 e7e8 e2e1", 3},
        {"4k3/8/8/8/2p5/8/4P3/4K3 w - - 0 1", "e2e4 e8e7 e1e2 e7e8 e2e1", 2},
        {"8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "e2e4 a4b4 e1e2 b4a4 e2e1", 2}, // it could not: the pawn is pinned
        {NULL, "g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1 c6b8 b1c3", 2},
        {"r3k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1g1 a8b8 g1h1 b8a8", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *timeline = chess_new(cases[i].fen);
        play_all(timeline, cases[i].moves);
        ck_assert_msg(rules_repetitions(chess_get_state(timeline)) == cases[i].repetitions, "%s %s: %u", cases[i].fen,
                      cases[i].moves, (unsigned)rules_repetitions(chess_get_state(timeline)));
        kifu_destroy(timeline);
    }
}
END_TEST

START_TEST(C04_fifty_moves_are_claimed)
{
    kifu_timeline *timeline = chess_new("4k3/8/8/8/8/8/8/R3K3 w - - 98 80");
    ck_assert_int_eq(claim(timeline, 0, NULL), KIFU_REJECTED);
    ck_assert_int_eq(claim(timeline, 0, "a1a2"), KIFU_REJECTED);
    play_all(timeline, "a1a2");
    must(timeline, claim(timeline, 1, "e8e7"));
    must_have_ended(timeline, CHESS_ENDING_FIFTY_MOVES, "1/2-1/2");
    must(timeline, kifu_undo(timeline));
    play_all(timeline, "e8e7");
    must_have_ended(timeline, CHESS_ENDING_NONE, "*");
    must(timeline, claim(timeline, 0, NULL));
    must_have_ended(timeline, CHESS_ENDING_FIFTY_MOVES, "1/2-1/2");
    kifu_destroy(timeline);
}
END_TEST

// From the first position on, a rook wanders over the board without a capture: no position comes back before the end.
START_TEST(C04_seventy_five_moves_end_the_game)
{
    kifu_timeline *timeline = chess_new("k7/8/8/8/8/8/8/K6R w - - 0 1");
    uint32_t made = 0;
    for (; kifu_get_game(timeline)->phase == KIFU_PHASE_PLAY; made++) {
        const chess_state *state = chess_get_state(timeline);
        chess_move moves[MOST_MOVES], move = {0};
        const uint32_t count = moves_legal(&state->position, moves);
        for (uint32_t i = 0; i < count; i++) {
            move = moves[(i + made * 7) % count];
            if (!state->position.board[move.to] &&
                rules_claim_after(state, move.from, move.to, move.promotion) != CHESS_ENDING_THREEFOLD)
                break;
        }
        must(timeline, chess_play(timeline, move));
    }
    must_have_ended(timeline, CHESS_ENDING_SEVENTY_FIVE_MOVES, "1/2-1/2");
    ck_assert_uint_eq(made, 150);
    ck_assert_uint_eq(chess_get_state(timeline)->position.clocks.known, 150);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(C04_a_draw_is_offered_and_accepted)
{
    kifu_timeline *timeline = chess_new(NULL);
    chess_submit_p_accept_draw(timeline, 1);
    ck_assert_int_eq(kifu_run(timeline), KIFU_REJECTED);
    ck_assert_text(timeline, "the other player does not offer a draw");

    chess_submit_p_offer_draw(timeline, 0);
    must(timeline, kifu_run(timeline));
    chess_submit_p_offer_draw(timeline, 0);
    ck_assert_int_eq(kifu_run(timeline), KIFU_REJECTED);
    ck_assert_text(timeline, "your offer stands already");
    chess_submit_p_offer_draw(timeline, 1);
    ck_assert_int_eq(kifu_run(timeline), KIFU_REJECTED);
    ck_assert_text(timeline, "accept it, or move");
    chess_submit_p_accept_draw(timeline, 0); // one's own
    ck_assert_int_eq(kifu_run(timeline), KIFU_REJECTED);

    play_all(timeline, "e2e4"); // the offer stands
    ck_assert_uint_eq(chess_get_state(timeline)->offer, CHESS_SIDE_WHITE);
    play_all(timeline, "e7e5"); // and is declined
    ck_assert_uint_eq(chess_get_state(timeline)->offer, CHESS_SIDE_NOBODY);
    chess_submit_p_accept_draw(timeline, 1);
    ck_assert_int_eq(kifu_run(timeline), KIFU_REJECTED);

    chess_submit_p_offer_draw(timeline, 1);
    chess_submit_p_accept_draw(timeline, 0);
    must(timeline, kifu_run(timeline));
    must_have_ended(timeline, CHESS_ENDING_AGREEMENT, "1/2-1/2");
    kifu_destroy(timeline);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        C02_what_a_move_changes,
        C02_a_move_is_refused_with_its_reason,
        C02_a_check_of_castling_on_the_queens_side,
        C02_only_whose_turn_it_is_moves,
        C02_who_has_white_is_chosen_or_drawn_by_lot,
        C03_the_end_of_a_game,
        C03_a_game_may_begin_with_its_end,
        C03_undo_of_a_mate,
        C03_resigning,
        C04_threefold_repetition_is_claimed,
        C04_five_repetitions_end_the_game,
        C04_what_is_the_same_position,
        C04_fifty_moves_are_claimed,
        C04_seventy_five_moves_end_the_game,
        C04_a_draw_is_offered_and_accepted,
    };
    return run_suite("chess: rules", tests, sizeof tests / sizeof *tests);
}
