// The Go example: random games beside a plain model, how games end, edits, and names of points.

#include <stdio.h>
#include <string.h>

#include "game.h"
#include "plain_go.h"
#include "points.h"
#include "rules.h"
#include "suite.h"

static kifu_timeline *new_timeline(void)
{
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_msg(!kifu_create(&go_rules, &(kifu_options){.quiet = true}, &timeline, &error), "%s", error.message);
    return timeline;
}

static kifu_timeline *small_game(go_ko ko, go_counting counting)
{
    kifu_timeline *timeline = new_timeline();
    const go_setup setup = {.terms = {.size = 9, .komi = 11, .ko = ko, .counting = counting}, .seed = &(uint64_t){1}};
    ck_assert_int_eq(go_begin(timeline, &setup), KIFU_OK);
    return timeline;
}

static int to_move(const kifu_timeline *timeline)
{
    return kifu_current_player(kifu_get_game(timeline));
}

// --- Plays -----------------------------------------------------------------------------------------------------------

static void must_agree(kifu_timeline *timeline, const plain_go *plain, go_ko ko)
{
    const go_state *state = go_get_state(timeline);
    ck_assert_mem_eq(state->board, plain->board, sizeof plain->board);
    ck_assert_uint_eq(state->lost[0], plain->lost[1]);
    ck_assert_uint_eq(state->lost[1], plain->lost[2]);
    ck_assert_int_eq(rules_lead(state), 2 * plain_go_area(plain) - state->terms.komi);
    for (uint32_t point = 0; point < 3 * PLAIN_LINES; point++) {
        ck_assert_msg(go_can_p_play(timeline, to_move(timeline), (uint16_t)point) == plain_go_may(plain, point, ko),
                      "point %u after %u plays, ko %d", point, plain->stones, ko);
    }
}

// A corner of eight points behind a wall of both colours, in which much is captured and retaken, or three open rows.
static kifu_timeline *cramped_game(go_ko ko, bool corner, plain_go *plain)
{
    static const uint16_t black[] = {18, 20}, white[] = {4, 13, 19, 21, 22};
    uint8_t board[PLAIN_POINTS] = {0};
    for (size_t i = 0; corner && i < 2; i++)
        board[black[i]] = GO_STONE_BLACK;
    for (size_t i = 0; corner && i < 5; i++)
        board[white[i]] = GO_STONE_WHITE;
    kifu_timeline *timeline = new_timeline();
    const go_setup setup = {.terms = {.size = 9, .komi = 11, .ko = ko},
                            .black = black,
                            .black_count = corner ? 2 : 0,
                            .white = white,
                            .white_count = corner ? 5 : 0};
    ck_assert_int_eq(go_begin(timeline, &setup), KIFU_OK);
    plain_go_begin(plain, board, 1);
    return timeline;
}

static void one_game(uint64_t seed, go_ko ko, uint32_t *differences)
{
    static plain_go plain;
    kifu_rng rng;
    kifu_rng_seed(&rng, seed, 3);
    const uint32_t columns = kifu_rng_below(&rng, 8) ? 4 : 9, rows = columns == 4 ? 2 : 3;
    kifu_timeline *timeline = cramped_game(ko, columns == 4, &plain);
    for (int i = 0; i < 100; i++) {
        const uint32_t place = kifu_rng_below(&rng, rows) * PLAIN_LINES + kifu_rng_below(&rng, columns);
        const uint32_t point = kifu_rng_below(&rng, 12) ? place : PLAIN_POINTS;
        const bool pass = point == PLAIN_POINTS;
        if (pass && go_get_state(timeline)->passes)
            continue; // The stones would be counted.
        const bool may = pass || plain_go_may(&plain, point, ko);
        *differences += !pass && plain_go_may(&plain, point, 0) != plain_go_may(&plain, point, 1);
        *differences += !pass && plain_go_may(&plain, point, 2) != plain_go_may(&plain, point, 1) ? 1u << 16 : 0;
        const kifu_result result = pass ? go_play_p_pass(timeline, to_move(timeline))
                                        : go_play_p_play(timeline, to_move(timeline), (uint16_t)point);
        ck_assert_int_eq(result, may ? KIFU_OK : KIFU_REJECTED);
        if (may)
            plain_go_play(&plain, point);
        must_agree(timeline, &plain, ko);
    }
    kifu_destroy(timeline);
}

START_TEST(random_games_are_those_of_a_plain_model)
{
    const unsigned long games = fuzz_steps(30000) / 100;
    uint32_t differences = 0;
    for (unsigned long i = 0; i < games; i++)
        one_game(fuzz_seed() * 1000003 + i, (go_ko)(i % 3), &differences);
    ck_assert_msg((differences & 0xffff) && differences >> 16, "no play shows how the rules of ko differ: %x",
                  differences);
}
END_TEST

START_TEST(what_is_not_legal_says_why)
{
    kifu_timeline *timeline = small_game(GO_KO_POSITIONAL, GO_COUNTING_AREA);
    static const struct {
        int player;
        const char *point, *reason;
    } cases[] = {
        {0, "B1", NULL}, {0, "C3", "other player's turn"}, {1, "B1", "a stone already"}, {1, "E5", NULL},
        {0, "A2", NULL}, {1, "A1", "no liberty"},          {2, "C3", "player"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint32_t point = point_read(&go_get_state(timeline)->terms, cases[i].point);
        const kifu_result result = go_play_p_play(timeline, cases[i].player, (uint16_t)point);
        ck_assert_int_eq(result, cases[i].reason ? KIFU_REJECTED : KIFU_OK);
        if (cases[i].reason)
            ck_assert_ptr_nonnull(strstr(kifu_last_error(timeline)->message, cases[i].reason));
    }
    ck_assert_int_eq(go_play_p_play(timeline, 1, 81), KIFU_REJECTED);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(what_is_set_up_must_be_possible)
{
    static const uint16_t twice[] = {3, 3}, outside[] = {81};
    const go_setup setups[] = {
        {.terms = {.size = 8}},
        {.terms = {.size = 20}},
        {.terms = {.size = 9}, .black = twice, .black_count = 2},
        {.terms = {.size = 9}, .black = twice, .black_count = 1, .white = twice, .white_count = 1},
        {.terms = {.size = 9}, .white = outside, .white_count = 1},
        {.terms = {.size = 9}, .first = (go_stone)3},
    };
    kifu_timeline *timeline = new_timeline();
    for (size_t i = 0; i < sizeof setups / sizeof *setups; i++)
        ck_assert_int_ne(go_begin(timeline, &setups[i]), KIFU_OK);
    kifu_destroy(timeline);
}
END_TEST

// --- Ends ------------------------------------------------------------------------------------------------------------

// Black has three columns, white three, and there is a black stone in white's.
static kifu_timeline *counted_game(go_counting counting)
{
    kifu_timeline *timeline = small_game(GO_KO_SIMPLE, counting);
    for (uint16_t row = 0; row < 9; row++) {
        ck_assert_int_eq(go_play_p_play(timeline, 0, (uint16_t)(row * 9 + 2)), KIFU_OK);
        ck_assert_int_eq(go_play_p_play(timeline, 1, (uint16_t)(row * 9 + 6)), KIFU_OK);
    }
    ck_assert_int_eq(go_play_p_play(timeline, 0, 8), KIFU_OK);
    ck_assert_int_eq(go_play_p_pass(timeline, 1), KIFU_OK);
    ck_assert_int_eq(go_play_p_pass(timeline, 0), KIFU_OK);
    return timeline;
}

START_TEST(two_passes_and_two_agreements_end_a_game)
{
    static const struct {
        go_counting counting;
        const char *unmarked, *marked;
    } cases[] = {
        {GO_COUNTING_AREA, "B+13.5", "W+5.5"},      // 27 + 1 to 9, or 27 to 27, and komi
        {GO_COUNTING_TERRITORY, "B+12.5", "W+6.5"}, // 18 to nothing, or 18 to 18 and a captive
    };
    for (size_t i = 0; i < 2; i++) {
        for (int marked = 0; marked < 2; marked++) {
            kifu_timeline *timeline = counted_game(cases[i].counting);
            char text[RESULT_LENGTH];
            ck_assert_int_eq(go_play_p_play(timeline, 1, 4), KIFU_REJECTED);
            ck_assert_int_eq(go_play_p_agree(timeline, 0), KIFU_OK);
            if (marked) { // Who agreed has to agree again.
                ck_assert_int_eq(go_play_p_mark(timeline, 1, 8), KIFU_OK);
                ck_assert_int_eq(go_play_p_agree(timeline, 0), KIFU_OK);
            }
            ck_assert_int_eq(go_get_state(timeline)->stage, GO_STAGE_COUNTING);
            ck_assert_int_eq(go_play_p_agree(timeline, 1), KIFU_OK);
            go_result(go_get_state(timeline), text);
            ck_assert_str_eq(text, marked ? cases[i].marked : cases[i].unmarked);
            ck_assert_int_eq(go_play_p_resign(timeline, 0), KIFU_REJECTED);
            ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
            ck_assert_int_eq(go_get_state(timeline)->stage, GO_STAGE_COUNTING);
            kifu_destroy(timeline);
        }
    }
}
END_TEST

START_TEST(who_does_not_agree_plays_on)
{
    kifu_timeline *timeline = counted_game(GO_COUNTING_AREA);
    ck_assert_int_eq(go_play_p_mark(timeline, 0, 8), KIFU_OK);
    ck_assert_int_eq(go_play_p_play_on(timeline, 0), KIFU_OK);
    ck_assert_int_eq(to_move(timeline), 1); // The other player moves first.
    ck_assert(!go_get_state(timeline)->dead[8]);
    ck_assert_int_eq(go_play_p_play(timeline, 1, 7), KIFU_OK);
    ck_assert_int_eq(go_play_p_resign(timeline, 1), KIFU_OK);
    char text[RESULT_LENGTH];
    go_result(go_get_state(timeline), text);
    ck_assert_str_eq(text, "B+R");
    kifu_destroy(timeline);
}
END_TEST

START_TEST(handicap_stones_stand_where_the_protocol_says)
{
    static const struct {
        uint32_t size, stones;
        const char *points;
    } cases[] = {
        {9, 2, "C3 G7"},
        {9, 5, "C3 G7 C7 G3 E5"},
        {13, 4, "D4 K10 D10 K4"},
        {19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"},
        {10, 4, "C3 H8 C8 H3"},
        {10, 5, ""},
        {19, 1, ""},
        {19, 10, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const go_terms terms = {.size = (uint8_t)cases[i].size};
        uint16_t points[9];
        char all[60] = "", text[POINT_LENGTH + 1];
        const uint32_t count = go_handicap(cases[i].size, cases[i].stones, points);
        for (uint32_t k = 0; k < count; k++) {
            point_write(&terms, points[k], text);
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k ? " " : "", text);
        }
        ck_assert_str_eq(all, cases[i].points);
    }
}
END_TEST

// --- Edits -----------------------------------------------------------------------------------------------------------

START_TEST(a_position_is_edited)
{
    static const uint16_t black[] = {0, 1}, white[] = {9, 10}, empty[] = {40};
    kifu_timeline *timeline = small_game(GO_KO_POSITIONAL, GO_COUNTING_AREA);
    const go_state *state = go_get_state(timeline);
    ck_assert_int_eq(go_play_p_play(timeline, 0, 40), KIFU_OK);
    const uint64_t before = kifu_state_hash(timeline);
    go_p_edit_args edit = go_p_edit_defaults();
    ck_assert_int_eq(go_play_p_edit(timeline, 1, &edit), KIFU_OK); // only for notes
    ck_assert_uint_eq(kifu_state_hash(timeline), before);
    edit = (go_p_edit_args){.black = black,
                            .black_count = 2,
                            .white = white,
                            .white_count = 2,
                            .empty = empty,
                            .empty_count = 1,
                            .first = GO_STONE_BLACK};
    ck_assert_int_eq(go_play_p_edit(timeline, 1, &edit), KIFU_OK);
    ck_assert_int_eq(state->board[0], GO_STONE_BLACK);
    ck_assert_int_eq(state->board[10], GO_STONE_WHITE);
    ck_assert_int_eq(state->board[40], GO_STONE_NONE);
    ck_assert_int_eq(to_move(timeline), 0);
    ck_assert_int_eq(go_play_p_play(timeline, 0, 40), KIFU_OK);
    ck_assert_int_eq(go_play_p_play(timeline, 1, 2), KIFU_OK); // captures both black stones that were put
    ck_assert_uint_eq(state->lost[0], 2);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    ck_assert_uint_eq(kifu_state_hash(timeline), before);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(an_edit_ends_the_counting)
{
    kifu_timeline *timeline = counted_game(GO_COUNTING_AREA);
    ck_assert_int_eq(go_play_p_mark(timeline, 0, 8), KIFU_OK);
    go_p_edit_args edit = go_p_edit_defaults();
    edit.first = GO_STONE_WHITE;
    ck_assert_int_eq(go_play_p_edit(timeline, 0, &edit), KIFU_OK);
    ck_assert_int_eq(go_get_state(timeline)->stage, GO_STAGE_PLAYING);
    ck_assert(!go_get_state(timeline)->dead[8]);
    ck_assert_int_eq(go_play_p_play(timeline, 1, 7), KIFU_OK);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(what_cannot_be_edited_says_why)
{
    static const uint16_t twice[] = {3, 3}, outside[] = {81};
    static const struct {
        go_p_edit_args edit;
        const char *reason;
    } cases[] = {
        {{.black = twice, .black_count = 2}, "twice"},
        {{.black = twice, .black_count = 1, .empty = twice, .empty_count = 1}, "twice"},
        {{.white = outside, .white_count = 1}, "no such point"},
    };
    kifu_timeline *timeline = small_game(GO_KO_SIMPLE, GO_COUNTING_AREA);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(go_play_p_edit(timeline, 0, &cases[i].edit), KIFU_REJECTED);
        ck_assert_ptr_nonnull(strstr(kifu_last_error(timeline)->message, cases[i].reason));
    }
    kifu_destroy(timeline);
}
END_TEST

// --- Text ------------------------------------------------------------------------------------------------------------

START_TEST(points_have_names)
{
    for (uint8_t size = LEAST_LINES; size <= MOST_LINES; size++) {
        const go_terms terms = {.size = size};
        char text[POINT_LENGTH + 1];
        for (uint32_t point = 0; point < point_count(&terms); point++) {
            point_write(&terms, point, text);
            ck_assert_uint_eq(point_read(&terms, text), point);
            point_write_sgf(&terms, point, text);
            ck_assert_uint_eq(point_read_sgf(&terms, text, strlen(text)), point);
        }
    }
    const go_terms terms = {.size = 9};
    ck_assert_uint_eq(point_read(&terms, "PASS"), NO_POINT);
    static const char *const wrong[] = {"", "I1", "K1", "A0", "A10", "A", "1", "A1x", "pas", "passe"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(point_read(&terms, wrong[i]) == WRONG_POINT, "%s", wrong[i]);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        random_games_are_those_of_a_plain_model,
        what_is_not_legal_says_why,
        what_is_set_up_must_be_possible,
        two_passes_and_two_agreements_end_a_game,
        who_does_not_agree_plays_on,
        handicap_stones_stand_where_the_protocol_says,
        a_position_is_edited,
        an_edit_ends_the_counting,
        what_cannot_be_edited_says_why,
        points_have_names,
    };
    return run_suite("go", tests, sizeof tests / sizeof *tests);
}
