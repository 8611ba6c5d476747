#define _DEFAULT_SOURCE // mkstemp, MAP_ANONYMOUS

// PGN of the chess example with variations, comments and glyphs: both ways, in Kifu's own lines and notes.
// KIFU_FUZZ_STEPS and KIFU_FUZZ_SEED let the random games go on for longer (`./dev fuzz`).

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "chess_help.h"
#include "pgn.h"
#include "pgn_generator.h"
#include "plain_chess.h"
#include "remarks.h"
#include "suite.h"
#include "tree.h"

static kifu_timeline *read_pgn(const char *text)
{
    kifu_timeline *timeline;
    fault fault = {0};
    const char *at = text;
    const kifu_result result = pgn_read(&at, &(kifu_options){.quiet = true}, &timeline, NULL, &fault);
    ck_assert_msg(!result, "%u:%u: %s\n%.2000s", (unsigned)fault.line, (unsigned)fault.column, fault.message, text);
    ck_assert(!pgn_has_more(at));
    return timeline;
}

static void must_write(kifu_timeline *timeline, const char *text)
{
    char *written = pgn_write(timeline);
    ck_assert_ptr_nonnull(written);
    size_t same = 0;
    while (written[same] && written[same] == text[same])
        same++;
    const size_t from = same > 200 ? same - 200 : 0; // what is said of a failure is short
    ck_assert_msg(written[same] == text[same], "%.400s\n---\n%.400s", written + from, text + from);
    free(written);
}

// --- Random games ----------------------------------------------------------------------------------------------------

START_TEST(C13_random_annotated_games_come_out_letter_for_letter)
{
    const unsigned long games = fuzz_steps(200);
    unsigned long deep = 0;
    pgn_counts counts = {0};
    for (unsigned long i = 0; i < games; i++) {
        counts.depth = 0;
        char *text = pgn_generate(fuzz_seed() + i, &counts);
        kifu_timeline *timeline = read_pgn(text);
        must_write(timeline, text);
        deep += counts.depth >= 6;
        kifu_destroy(timeline);
        free(text);
    }
    if (games < 600)
        return;
    ck_assert_msg(2 * deep >= games, "%lu games are nested six deep", deep);
    ck_assert_uint_gt(counts.variations, 10 * games);
    ck_assert_uint_gt(counts.at_first_move, games / 10);
    ck_assert_uint_gt(counts.several, games);
    ck_assert_uint_gt(counts.comments, 10 * games);
    ck_assert_uint_gt(counts.glyphs, 10 * games);
    ck_assert_uint_gt(counts.before, games);
    ck_assert_uint_gt(counts.behind, games);
    ck_assert_uint_gt(counts.with_line_end, games);
    ck_assert_uint_gt(counts.from_a_position, games / 5);
}
END_TEST

static void must_be_after(kifu_timeline *timeline, const tree *tree, uint32_t node, const chess_state *plain)
{
    must(timeline, kifu_go_to(timeline, tree->nodes[node].line, tree->nodes[node].event + 1, true));
    const chess_state *state = chess_get_state(timeline);
    ck_assert_mem_eq(&state->position, &plain->position, sizeof state->position);
    ck_assert_mem_eq(state->keys, plain->keys, (state->position.clocks.known + 1u) * sizeof *state->keys);
    ck_assert_uint_eq(state->ending, plain->ending);
    ck_assert_uint_eq(state->game.phase, plain->game.phase);
}

// Nodes are in an order in which each comes behind the one before it: so one pass makes all states by hand.
START_TEST(C13_after_each_move_of_each_line_the_state_is_the_one_made_by_hand)
{
    pgn_counts counts = {0};
    for (uint64_t seed = 1, seeds = fuzz_steps(8); seed <= seeds; seed++) {
        char *text = pgn_generate(seed, &counts);
        kifu_timeline *timeline = read_pgn(text);
        tree tree;
        ck_assert(tree_build(&tree, timeline));
        chess_state *plain = calloc(tree.count, sizeof *plain);
        ck_assert_ptr_nonnull(plain);
        must(timeline, kifu_go_to(timeline, 0, tree.nodes->event + 1, true));
        plain[0] = *chess_get_state(timeline);
        for (uint32_t i = 1; i < tree.count; i++) {
            plain_taken taken;
            ck_assert_uint_lt(tree.nodes[i].before, i);
            plain[i] = plain[tree.nodes[i].before];
            plain_make(&plain[i], tree.nodes[i].move, true, &taken);
        }
        for (uint32_t i = 1; i < tree.count; i++) // from line to line, in both directions
            must_be_after(timeline, &tree, i % 2 ? i : tree.count - i, &plain[i % 2 ? i : tree.count - i]);
        free(plain);
        tree_free(&tree);
        kifu_destroy(timeline);
        free(text);
    }
}
END_TEST

static uint32_t count_moves(kifu_timeline *timeline)
{
    tree tree;
    ck_assert(tree_build(&tree, timeline));
    const uint32_t count = tree.count;
    tree_free(&tree);
    return count;
}

// What people do with a tree: other main lines, and lines less. It comes out of a second reading as it was.
START_TEST(C13_lines_that_are_promoted_and_deleted_come_out)
{
    pgn_counts counts = {0};
    uint32_t deleted = 0;
    for (uint64_t seed = 1, seeds = fuzz_steps(12); seed <= seeds; seed++) {
        char *text = pgn_generate(seed, &counts);
        kifu_timeline *timeline = read_pgn(text);
        kifu_rng rng;
        kifu_rng_seed(&rng, seed, 22);
        for (int i = 0; i < 4; i++) {
            kifu_line line;
            ck_assert(kifu_line_at(timeline, kifu_rng_below(&rng, kifu_line_count(timeline)), &line));
            must(timeline, kifu_promote_line(timeline, line.id));
            ck_assert(kifu_line_at(timeline, kifu_rng_below(&rng, kifu_line_count(timeline)), &line));
            deleted += !kifu_delete_line(timeline, line.id);
        }
        char *written = pgn_write(timeline);
        kifu_timeline *again = read_pgn(written);
        must_write(again, written);
        ck_assert_uint_eq(count_moves(again), count_moves(timeline));
        free(written);
        free(text);
        kifu_destroy(again);
        kifu_destroy(timeline);
    }
    ck_assert_uint_gt(deleted, 10);
}
END_TEST

// --- Saves -----------------------------------------------------------------------------------------------------------

static const kifu_options with_all = {
    .quiet = true, .keep_variations = kifu_keep_variations, .keep_notes = kifu_keep_notes};

static void must_hold(kifu_timeline *loaded, const kifu_timeline *timeline, const char *text)
{
    must_write(loaded, text);
    ck_assert_mem_eq(kifu_state(loaded), kifu_state(timeline), sizeof(chess_state));
    ck_assert_uint_eq(kifu_current_line(loaded), kifu_current_line(timeline));
    must(loaded, kifu_verify_replay(loaded, NULL));
}

// A save has the whole tree with its notes: the same state comes out of it, and the same text.
START_TEST(C13_trees_are_saved)
{
    pgn_counts counts = {0};
    for (uint64_t seed = 1, seeds = fuzz_steps(9); seed <= seeds; seed++) {
        char *text = pgn_generate(seed, &counts);
        kifu_timeline *timeline = read_pgn(text), *loaded;
        unsigned char *bytes;
        size_t size;
        kifu_error error;
        must(timeline, kifu_save_to_memory(timeline, NULL, &bytes, &size));
        ck_assert_msg(!kifu_load_from_memory(&chess_rules, bytes, size, &with_all, NULL, &loaded, &error), "%s",
                      error.message);
        must_hold(loaded, timeline, text);
        kifu_free_bytes(timeline, bytes);
        kifu_destroy(loaded);
        kifu_destroy(timeline);
        free(text);
    }
}
END_TEST

// What who reviews a game does, behind the events that began it.
static void review(kifu_timeline *timeline, uint32_t begun, kifu_rng *rng)
{
    chess_move moves[MOST_MOVES];
    kifu_line line;
    ck_assert(kifu_line_at(timeline, kifu_rng_below(rng, kifu_line_count(timeline)), &line));
    const uint32_t event = kifu_event_count(timeline) - 1, place = line.from + 1 + kifu_rng_below(rng, line.count);
    const chess_state *state = chess_get_state(timeline);
    const uint32_t count = state->game.phase == KIFU_PHASE_PLAY ? moves_legal(&state->position, moves) : 0;
    switch (kifu_rng_below(rng, 6)) {
    case 0:
        must(timeline, kifu_go_to(timeline, line.id, place < begun ? begun : place, true));
        break;
    case 1:
        if (event >= begun)
            must(timeline, kifu_undo(timeline));
        break;
    case 2:
        must(timeline, kifu_promote_line(timeline, line.id));
        break;
    case 3:
        (void)kifu_delete_line(timeline, line.id); // not the current one
        break;
    case 4:
        must(timeline, kifu_set_note(timeline, event, REMARK_COMMENT, kifu_rng_below(rng, 3) ? "looked at" : NULL));
        break;
    default:
        if (count)
            must(timeline, chess_play(timeline, moves[kifu_rng_below(rng, count)]));
    }
}

// A program that is killed has left such a file.
START_TEST(C13_the_log_file_of_each_game_has_the_same_tree)
{
    char path[] = "/tmp/kifu-chess-XXXXXX";
    const unsigned long games = fuzz_steps(60);
    pgn_counts counts = {0};
    const int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
    for (unsigned long i = 0; i < games; i++) {
        kifu_rng rng;
        kifu_error error;
        kifu_event event = {.type = CHESS_P_MOVE};
        kifu_recovery recovery;
        uint32_t begun = 0;
        const kifu_load_options recover = {.recover = kifu_recover, .recovery = &recovery};
        char *text = pgn_generate(fuzz_seed() + i, &counts);
        kifu_timeline *timeline = read_pgn(text), *loaded;
        free(text);
        while (event.type != CHESS_E_SET_UP)
            ck_assert(kifu_event_at(timeline, begun++, &event));
        must(timeline, kifu_log_open(timeline, path, NULL));
        kifu_rng_seed(&rng, fuzz_seed() + i, 25);
        for (uint32_t times = kifu_rng_below(&rng, 20); times; times--) {
            review(timeline, begun, &rng);
            must(timeline, kifu_log_append(timeline));
        }
        ck_assert_msg(!kifu_load(&chess_rules, path, &with_all, &recover, &loaded, &error), "%s", error.message);
        ck_assert_uint_eq(recovery.dropped, 0);
        text = pgn_write(timeline);
        must_hold(loaded, timeline, text);
        free(text);
        kifu_destroy(loaded);
        kifu_destroy(timeline);
    }
    remove(path);
}
END_TEST

// --- What is written in another way than it was read -----------------------------------------------------------------

#define ROSTER(result)                                                                                                 \
    "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n"                \
    "[Result \"" result "\"]\n\n"

START_TEST(C13_pgn_that_is_read_and_written_in_another_way)
{
    static const struct {
        const char *text, *written; // without the tags
    } cases[] = {
        {"1.e4! e5? 2.Nf3!! Nc6?? 3.Bb5!? a6?! *", "1. e4 $1 e5 $2 2. Nf3 $3 Nc6 $4 3. Bb5 $5 a6 $6 *"},
        {"1. e4 !? $14 e5 $007*", "1. e4 $5 $14 e5 $7 *"},
        {"1. e4 {a} $1 {b} e5 *", "1. e4 $1 {a} {b} 1... e5 *"},
        {"1. e4 (1. d4) $1 {a} e5 *", "1. e4 $1 {a} (1. d4) 1... e5 *"},
        {"$1 {a} 1. e4 *", "$1 {a} 1. e4 *"},
        {"1. e4 ( $142 {better} 1. d4) *", "1. e4 ($142 {better} 1. d4) *"},
        {"1. e4 {two\r\nlines\n} e5 ;end\r\n *", "1. e4 {two lines } 1... e5 {end} *"},
        {"1. e4 ;a } b\n*", "1. e4 ;a } b\n*"},
        {"1. e4 (1. d4;a } b\n) *", "1. e4 (1. d4 ;a } b\n) *"},
        {"1. f3 e5 2. g4 (2. e4) 2... Qh4 *", "1. f3 e5 2. g4 (2. e4) 2... Qh4# *"},
        {"{a} ;b\n [Event \"x\"] {c} [Site \"y\"] {d} 1. e4 *", "{a} {b} {c} {d} 1. e4 *"},
        {"1. e4 { a  b   c } {%x} *", "1. e4 { a  b   c } {%x} *"},
        {"1. e4 {} {} *", "1. e4 {} {} *"},
        {"1. e4 {Gr\xfc\xdf} *", "1. e4 {Gr\xc3\xbc\xc3\x9f} *"}, // Latin-1
        {"1. e4 {\xc0\xaf \xed\xa0\x80} *", "1. e4 {\xc3\x80\xc2\xaf \xc3\xad\xc2\xa0\xc2\x80} *"},
        {"%1. d4\n1. e4 {\n%x} *\n%", "1. e4 { %x} *"},
        {"1. e4 e5 2. Ke2 (2. Ngf3 (2. Nb1c3)) 2... Ke7 *", "1. e4 e5 2. Ke2 (2. Nf3) (2. Nc3) 2... Ke7 *"},
        // A variation that repeats the move that it should replace goes on from there.
        {"1. e4 (1. e4 {x} e5) (1. e4 $1 c5) *", "1. e4 $1 {x} 1... e5 (1... c5) *"},
        {"1. e4 {a} (1. e4 {a} e5) (1. e4 {b}) c5 *", "1. e4 {a} {b} 1... c5 (1... e5) *"},
        {"1. e4 (1. d4 d5) (1. d4 e6 (1... d5 2. c4)) *", "1. e4 (1. d4 d5 (1... e6) 2. c4) *"},
        // What files begin and end lines with.
        {"\xef\xbb\xbf[Event \"x\"]\r\n\r\n1. e4 {a\r\nb} e5\r\n%no\r\n2. Nf3 ;c\r\n*\r\n",
         "1. e4 {a b} 1... e5 2. Nf3 {c} *"},
        {"[Event \"x\"]\r\r1. e4 e5\r2. Nf3 *\r", "1. e4 e5 2. Nf3 *"},
        // A result inside is what somebody thinks of a variation.
        {"1. e4 e5 (1... c5 2. Nf3 1-0) (1... d5 {a} 1/2-1/2) 2. Nf3 (2. f4 *) 1/2-1/2",
         "1. e4 e5 (1... c5 2. Nf3 {1-0}) (1... d5 {a} {1/2-1/2}) 2. Nf3 (2. f4 {*})\n1/2-1/2"},
        // What was played after the end of the main line.
        {"1. e4 (1. e4 e5 2. Nf3) 1-0", "1. e4 (1. e4 e5 2. Nf3) 1-0"},
        {"1. e4 {a} (1. d4) (1. e4 e5 (1... c5)) 1-0", "1. e4 {a} (1. d4) (1. e4 e5 (1... c5)) 1-0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *timeline = read_pgn(cases[i].text);
        char *written = pgn_write(timeline);
        const char *moves = strstr(written, "\n\n") + 2;
        const size_t length = strlen(cases[i].written);
        ck_assert_msg(!strncmp(moves, cases[i].written, length) && !strcmp(moves + length, "\n"), "%s\n-> %s",
                      cases[i].text, moves);
        kifu_timeline *again = read_pgn(written);
        must_write(again, written);
        free(written);
        kifu_destroy(again);
        kifu_destroy(timeline);
    }
}
END_TEST

START_TEST(C13_the_main_line_is_current_and_says_the_result)
{
    kifu_timeline *timeline = read_pgn("1. e4 (1. e4 e5 2. Nf3) (1. d4) 0-1");
    kifu_line line;
    ck_assert_uint_eq(chess_get_state(timeline)->ending, CHESS_ENDING_RESIGNATION);
    ck_assert_uint_eq(chess_get_state(timeline)->position.clocks.half_moves, 1);
    for (uint32_t i = 0; kifu_line_at(timeline, i, &line); i++)
        ck_assert_int_eq(line.main, line.current);
    // Elsewhere in the tree, the text is the same.
    char *text = pgn_write(timeline);
    must(timeline, kifu_go_to(timeline, 0, 6, true));
    must_write(timeline, text);
    must(timeline, chess_play(timeline, (chess_move){(uint8_t)square_named("c2"), (uint8_t)square_named("c4"), 0}));
    must_write(timeline, ROSTER("0-1") "1. e4 (1. d4) (1. c4) (1. e4 e5 2. Nf3) 0-1\n");
    free(text);
    kifu_destroy(timeline);
}
END_TEST

// A game that has begun, been undone, and been given up at once: all that was played is written.
START_TEST(C13_a_game_without_a_move_in_its_main_line)
{
    kifu_timeline *timeline = chess_new(NULL);
    must(timeline, kifu_keep_variations(timeline));
    must_write(timeline, ROSTER("*") "*\n");
    must(timeline, chess_play(timeline, (chess_move){(uint8_t)square_named("e2"), (uint8_t)square_named("e4"), 0}));
    must(timeline, kifu_undo(timeline));
    must(timeline, chess_play_p_resign(timeline, 1));
    must(timeline, kifu_promote_line(timeline, 1));
    must_write(timeline, ROSTER("1-0") "1. e4 1-0\n");
    kifu_destroy(timeline);

    ck_assert(!kifu_create(&chess_rules, NULL, &timeline, NULL));
    ck_assert_ptr_null(pgn_write(timeline));
    kifu_destroy(timeline);
}
END_TEST

// --- PGN as people have it -------------------------------------------------------------------------------------------

START_TEST(F76_a_wrong_game_hides_no_other)
{
    static const char good[] =
        "[Event \"good\"]\n[Result \"1-0\"]\n\n1. d4 {[Event \"x\"]\n[%clk 0:10]} d5 (1... c5 1-0) 1-0\n\n";
    static const char *const wrong[] = {
        "[Event \"wrong\"]\n\n1. e5 *\n\n",
        "[Event \"wrong\"]\n\n1. e9 e5 2. Nf3 half\n\n",
        "[Event \"wrong\"]\n\n1. e4 {never closed\n\n",
        "[Event \"wrong\"]\r\n\r\n1. e4 {never closed\r\n\r\n",
        "[Event \"wrong\"]\n\n1. e4 (1. d4 1-0\n\n",
        "[Event \"wrong\"]\n\n1. e4 (1. d4 {a\n\n}\n",
        "[Event \"wrong]\n\n1. e4 *\n\n",
        "[Event wrong]\n[White \"A ; { ( \"]\n\n1. e9 e4 1-0",
        "[Event \"wrong\"]\n[Variant \"Atomic\"]\n\n1. e4 ; {\n* ",
        "1. e5 * ",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[1000];
        uint32_t refused = 0, read = 0;
        sprintf(text, "%s%s%s%s", good, wrong[i], wrong[i], good);
        for (const char *at = text; pgn_has_more(at); at = pgn_end(at)) {
            kifu_timeline *timeline;
            const char *begin = at;
            fault fault;
            char event[20];
            pgn_look(at, "Event", event, sizeof event);
            if (pgn_read(&begin, &(kifu_options){.quiet = true}, &timeline, NULL, &fault)) {
                refused++;
                continue;
            }
            ck_assert_msg(!strcmp(event, "good") && begin == pgn_end(at), "%s", text);
            kifu_destroy(timeline);
            read++;
        }
        ck_assert_msg(refused == 2 && read == 2, "%u, %u: %s", (unsigned)refused, (unsigned)read, text);
    }
}
END_TEST

START_TEST(F76_the_tags_of_a_game_are_read_without_its_moves)
{
    static const char text[] = "{why} ; not [White \"x\"]\n[Event \"a\"][ White  \"A \\\"B\\\"\"]\n[WhiteElo \"9\"]\n"
                               "[Black \"Gr\xfc\xdf\"]\n\n1. e5 [Site \"moves\"] *";
    char value[20];
    pgn_look(text, "White", value, sizeof value);
    ck_assert_str_eq(value, "A \"B\"");
    pgn_look(text, "Black", value, sizeof value);
    ck_assert_str_eq(value, "Gr\xc3\xbc\xc3\x9f");
    pgn_look(text, "Site", value, sizeof value);
    ck_assert_str_eq(value, "");
}
END_TEST

typedef struct told {
    uint32_t count;
    fault last;
} told;

static void tell(void *context, const fault *fault)
{
    told *told = context;
    told->count++;
    told->last = *fault;
}

// The text without tags becomes another one, and that stays as it is. How many places were left out.
static uint32_t must_become(const char *text, const char *written, pgn_report *report)
{
    kifu_timeline *timeline;
    fault fault = {0};
    const char *at = text;
    const kifu_result result = pgn_read(&at, &(kifu_options){.quiet = true}, &timeline, report, &fault);
    ck_assert_msg(!result && !pgn_has_more(at), "%s: %u: %s", text, (unsigned)fault.column, fault.message);
    char *first = pgn_write(timeline);
    const char *moves = strstr(first, "\n\n") + 2;
    const size_t length = strlen(written);
    ck_assert_msg(!strncmp(moves, written, length) && !strcmp(moves + length, "\n"), "%s\n-> %s", text, moves);
    kifu_timeline *again = read_pgn(first);
    must_write(again, first);
    must(again, kifu_verify_replay(again, NULL));
    kifu_destroy(again);
    kifu_destroy(timeline);
    free(first);
    return report->count;
}

START_TEST(F77_what_others_write_in_another_way_is_read_without_a_word)
{
    static const char *const cases[][2] = {
        {"1. e4 +- e5 = *", "1. e4 $18 e5 $10 *"},
        {"1. e4 N e5 -+ 2. Nf3 += Nc6 =+ 3. Bb5 +/- a6 -/+ *",
         "1. e4 $146 e5 $19 2. Nf3 $14 Nc6 $15 3. Bb5 $16 a6 $17 *"},
        {"1. e4+- e5= 2. Nf3N Nc6!+/= *", "1. e4 $18 e5 $10 2. Nf3 $146 Nc6 $1 $14 *"},
        {"1. e4 \u00b1 e5 \u2213! 2. Nf3 \u221e Nc6 \u2a72 *", "1. e4 $16 e5 $17 $1 2. Nf3 $13 Nc6 $14 *"},
        {"1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O\u2013O Nf6 5. d3 0-0 *",
         "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3 O-O *"},
        {"1. e4 a6 2. e5 d5 3. exd6e.p. exd6 *", "1. e4 a6 2. e5 d5 3. exd6 exd6 *"},
        {"1. e4 a6 2. e5 d5 3. exd6 e.p.! exd6 *", "1. e4 a6 2. e5 d5 3. exd6 $1 exd6 *"},
        {"1. e4 a6 2. e5 d5 3. exd6ep! *", "1. e4 a6 2. e5 d5 3. exd6 $1 *"},
        {"1. e2e4 e7-e5 2. g1f3 b8\u2013c6 *", "1. e4 e5 2. Nf3 Nc6 *"},
        {"1. \u2659e4 e5 2. \u2658f3 \u265ec6 *", "1. e4 e5 2. Nf3 Nc6 *"},
        {"1. e4 d5 2. e4\u00d7d5 1/2", "1. e4 d5 2. exd5 1/2-1/2"},
        {"1. e4 e5 1\u20130", "1. e4 e5 1-0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(must_become(cases[i][0], cases[i][1], &(pgn_report){0}) == 0, "%s", cases[i][0]);
}
END_TEST

START_TEST(F77_what_is_left_out_is_said_and_written_again)
{
    static const struct {
        const char *text, *written;
        uint32_t line, column;
        const char *said;
    } cases[] = {
        {"1. e4 e5", "1. e4 e5 *", 1, 9, "the moves have no result at their end: it is not known"},
        {"[Result \"0-1\"]\n\n1. e4 e5\n", "1. e4 e5 0-1", 4, 1, "no result at their end: the tag says 0-1"},
        {"[Result \"0-1\"]\n\n1. e4 e5 1-0\n", "1. e4 e5 1-0", 1, 2, "this tag says 0-1, and the moves end with 1-0"},
        {"1. e4 e5 2. Nf3 (2. -- Qh4 {threat}) Nc6 *", "1. e4 e5 2. Nf3 (2. -- Qh4 {threat}) 2... Nc6 *", 1, 21,
         "move 2. -- and what follows were left out: a null move"},
        {"1. e4 e5\n2. Nf3 ({a} 2. Z0 (2. d4) Qh4 $1 ;b } c\n ) Nc6 *",
         "1. e4 e5 2. Nf3 ({a} 2. Z0 (2. d4) Qh4 $1 ;b } c\n) 2... Nc6 *", 2, 16, "a null move"},
        {"1. e4 e5 2. Nf3 (2. d4 -- 3. c3) Nc6 *", "1. e4 e5 2. Nf3 (2. d4 -- 3. c3) 2... Nc6 *", 1, 24,
         "move 2... --"},
        {"1. e4 e5 2. Nf3 (2. d4 (2. c4 -- 3. a3) 2... -- 3. c3 ) Nc6 *",
         "1. e4 e5 2. Nf3 (2. d4 2... -- 3. c3) (2. c4 -- 3. a3) 2... Nc6 *", 1, 31, "null move"},
        {"1. e4 -- 2. d4 (2. c4) Z0 1-0", "1. e4 -- 2. d4 (2. c4) Z0 1-0", 1, 7, "move 1... --"},
        {"1. -- e5 *", "1. -- e5 *", 1, 4, "move 1. --"},
        {"1. e4 (1. --) e5 *", "1. e4 (1. --) 1... e5 *", 1, 11, "null move"},
        {"1. e4 e5 (1... c5 2. Nf9 d6 (2... e6 3. d4)) 2. Nf3 *",
         "1. e4 e5 (1... c5 2. Nf9 d6 (2... e6 3. d4)) 2. Nf3 *", 1, 22,
         "move 2. Nf9 and what follows were left out: this is no move"},
        {"1. f3 e5 2. g4 (2. e4) (2. e5) 2... Qh4# *", "1. f3 e5 2. g4 (2. e4) (2. e5) 2... Qh4# *", 1, 28,
         "no pawn of white"},
        {"1. f3 e5 2. g4 d6 (2... Qh4# 3. a3 {?}) 0-1", "1. f3 e5 2. g4 d6 (2... Qh4# 3. a3 {?}) 0-1", 1, 33,
         "the game is over: Checkmate"},
        {"1. e4 c5\n2. Nf3 d6 3. Bb5 (3. d4) Qa5 4. Nc3 (4. c3) 4... Nc6 1-0",
         "1. e4 c5 2. Nf3 d6 3. Bb5+ (3. d4) Qa5 4. Nc3 (4. c3) 4... Nc6 1-0", 2, 26,
         "move 3... Qa5 and what follows were left out: the king would still be in check"},
        {"1. f3 e5 2. g4 Qh4# 3. a3 0-1", "1. f3 e5 2. g4 Qh4# 3. a3 0-1", 1, 24, "the game is over: Checkmate"},
        {"1. e4 \u27f3 e5 *", "1. e4 {\u27f3} 1... e5 *", 1, 7, "the sign \u27f3 is not known: it was made a comment"},
        {"1. f3 e5 2. g4 Qh4# 1-0", "1. f3 e5 2. g4 Qh4# 1-0", 1, 21,
         "the result is kept as 1-0, and by the moves it is 0-1"},
        {"[FEN \"k7/8/8/8/8/8/8/K6R w Qk - 0 1\"]\n1. Rh2 *", "1. Rh2 *", 1, 2,
         "FEN, column 22: castling Qk was left out"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        told told = {0};
        pgn_report report = {.tell = tell, .context = &told};
        const uint32_t count = must_become(cases[i].text, cases[i].written, &report);
        ck_assert_msg(count && told.count == count && strstr(report.first.message, cases[i].said) &&
                          report.first.line == cases[i].line && report.first.column == cases[i].column,
                      "%s: %u times, %u:%u: %s", cases[i].text, (unsigned)count, (unsigned)report.first.line,
                      (unsigned)report.first.column, report.first.message);
    }
}
END_TEST

// The position stands for the fifth time after black's eighth move. Neither player knew, and white won.
START_TEST(F77_play_past_a_fifth_repetition_is_read_up_to_there_and_written_whole)
{
    char text[600] = "", expected[600];
    for (unsigned i = 1; i <= 8; i++)
        sprintf(text + strlen(text), i % 2 ? "%u. Nf3 Nf6 " : "%u. Ng1 Ng8 ", i);
    strcat(text, "9. e4 {at last} e5 10. Nf3 1-0");
    pgn_report report = {0};
    strcpy(expected, text);
    for (size_t i = 79; i < strlen(expected); i += 79) {
        while (expected[i] != ' ')
            i--;
        expected[i] = '\n';
    }
    ck_assert_uint_eq(must_become(text, expected, &report), 2);
    ck_assert_msg(
        strstr(report.first.message, "move 9. e4 and what follows were left out: the game is over: The position"), "%s",
        report.first.message);
    kifu_timeline *timeline = read_pgn(text);
    ck_assert_uint_eq(chess_get_state(timeline)->ending, CHESS_ENDING_FIVEFOLD);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(F77_other_games_than_chess_are_refused_by_their_names)
{
    static const char *const variants[] = {"Chess960", "Atomic", "Crazyhouse", "King of the Hill", "Standard 960"};
    static const char *const chess[] = {"Standard", "standard", "From Position", "Chess", ""};
    char text[200];
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        kifu_timeline *timeline = NULL;
        fault fault = {0};
        const char *at = text;
        sprintf(text, "[Event \"x\"]\n[Variant \"%s\"]\n\n1. e4 *", variants[i]);
        ck_assert_int_eq(pgn_read(&at, NULL, &timeline, NULL, &fault), KIFU_REJECTED);
        ck_assert_msg(strstr(fault.message, variants[i]) && fault.line == 2, "%s", fault.message);
    }
    for (size_t i = 0; i < sizeof chess / sizeof *chess; i++) {
        sprintf(text, "[Variant \"%s\"]\n\n1. e4 *", chess[i]);
        kifu_destroy(read_pgn(text));
    }
}
END_TEST

START_TEST(F77_random_games_are_the_same_when_people_have_written_them)
{
    const unsigned long games = fuzz_steps(60);
    pgn_counts counts = {0};
    for (unsigned long i = 0; i < games; i++) {
        char *text = pgn_generate(fuzz_seed() + i, &counts), *loose = pgn_loosen(fuzz_seed() + i, text, &counts);
        kifu_timeline *timeline = read_pgn(loose);
        must_write(timeline, text);
        kifu_destroy(timeline);
        free(loose);
        free(text);
    }
    if (games < 300)
        return;
    ck_assert_uint_gt(counts.signs, games);
    ck_assert_uint_gt(counts.dashes, games / 4);
    ck_assert_uint_gt(counts.without_result, games / 10);
    ck_assert_uint_gt(counts.figurines, games);
    ck_assert_uint_gt(counts.unread, games);
    ck_assert_uint_gt(counts.unread_ends, games / 10);
}
END_TEST

// --- Hostile texts ---------------------------------------------------------------------------------------------------

static char *repeat(const char *begin, const char *part, size_t times, const char *end)
{
    const size_t length = strlen(part);
    char *text = malloc(strlen(begin) + times * length + strlen(end) + 1), *to = text + strlen(begin);
    ck_assert_ptr_nonnull(text);
    strcpy(text, begin);
    for (size_t i = 0; i < times; i++, to += length)
        memcpy(to, part, length);
    strcpy(to, end);
    return text;
}

START_TEST(C13_hostile_texts_have_a_fault_with_its_place_and_no_game)
{
    static const struct {
        const char *begin, *part;
        size_t times;
        const char *end;
        uint32_t column;
        const char *message;
    } cases[] = {
        {"1. e4 ", "(", 100000, "*", 8, "a variation stands behind the move that it replaces"},
        {"1. e4 ", "(1. d4 (1. c4 ", 10000, "*", 140000, "this variation is not closed by )"},
        {"1. e4 ", "(1. d4 (1. c4 ", 10000, "2. e9", 140000, "this variation is not closed by )"},
        {"1. e4 ", ")", 100000, "*", 7, "no variation is open"},
        {"1. e4 ", "(1. d4) ", 1000, "12$1 *", 8007, "move 1... 12: this is no move"},
        {"1. e4 ", "(1. -- ", 10000, "[", 70007, "here comes a move"},
        {"1. e4 ", "{}", 100000, "{", 200007, "this comment is not closed by }"},
        {"1. e4 ", "$1 ", 100000, "$-1", 300007, "a glyph is one of"},
        {"1. e4 {", "x", 20 << 20, "} *", 0, "note"},
        {"1. ", "e", 100000, " *", 0, "this is no move"},
        {"", "[", 100000, "*", 2, "a tag is a name"},
        {"", "1", 100000, "*", 0, "this is no move"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = repeat(cases[i].begin, cases[i].part, cases[i].times, cases[i].end);
        kifu_timeline *timeline = NULL;
        fault fault = {0};
        const char *at = text;
        ck_assert_int_ne(pgn_read(&at, NULL, &timeline, NULL, &fault), KIFU_OK);
        ck_assert_msg(strstr(fault.message, cases[i].message) && fault.line == 1 &&
                          (!cases[i].column || fault.column == cases[i].column),
                      "%u: %u:%u: %s", (unsigned)i, (unsigned)fault.line, (unsigned)fault.column, fault.message);
        ck_assert_ptr_null(timeline);
        ck_assert_ptr_eq(at, text);
        free(text);
    }
}
END_TEST

// Strange, but right.
// A text without its NUL ends where memory does: what reads behind it, crashes.
START_TEST(F91_nothing_behind_a_text_that_ends_too_early_is_read)
{
    static const char text[] = "[Event \"Rapid\"]\n[White \"A \\\" b\"]\n\n1. e4! {x} (1. d4 ; y\n) e5 $1 0-1\n";
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(memory != MAP_FAILED && !mprotect(memory + page, page, PROT_NONE));
    for (size_t length = 0; length < sizeof text; length++) {
        char *begin = memory + page - length - 1;
        memcpy(begin, text, length);
        begin[length] = '\0';
        kifu_timeline *timeline = NULL;
        fault fault = {0};
        const char *at = begin;
        const kifu_result result = pgn_read(&at, &(kifu_options){.quiet = true}, &timeline, NULL, &fault);
        ck_assert(!result == (timeline != NULL) && at <= begin + length);
        if (length == strlen("[Event \"Rapid"))
            ck_assert_msg(fault.column == 1 && strstr(fault.message, "not closed in its line"), "%s", fault.message);
        kifu_destroy(timeline);
    }
    munmap(memory, 2 * page);
}
END_TEST

START_TEST(C13_variations_may_nest_a_hundred_thousand_deep)
{
    char *inner = repeat("1. e4 ", "(1. d4 (1. c4 ", 50000, "");
    char *text = repeat(inner, ")", 100000, " 1... e5 *");
    kifu_timeline *timeline = read_pgn(text);
    must_write(timeline, ROSTER("*") "1. e4 (1. d4) (1. c4) 1... e5 *\n");
    kifu_destroy(timeline);
    free(text);
    free(inner);
}
END_TEST

// A character goes, is another one, or comes twice.
static void damage(char *text, kifu_rng *rng)
{
    static const char characters[] = "(){};$[]\"%*.1e \n!\xc3";
    const uint32_t length = (uint32_t)strlen(text), at = kifu_rng_below(rng, length);
    switch (kifu_rng_below(rng, 3)) {
    case 0:
        memmove(text + at, text + at + 1, length - at);
        break;
    case 1:
        text[at] = characters[kifu_rng_below(rng, sizeof characters - 1)];
        break;
    default:
        memmove(text + at + 1, text + at, length - at);
        text[length] = '\0';
        break;
    }
}

// Either a fault with its place, or a game that comes out of a second reading as it was.
START_TEST(C13_damaged_texts_are_refused_or_read)
{
    uint32_t read = 0, refused = 0;
    const unsigned long games = fuzz_steps(100);
    for (unsigned long i = 0; i < games; i++) {
        kifu_timeline *timeline = NULL;
        pgn_counts counts = {0};
        char *text = pgn_generate(fuzz_seed() + i % 40, &counts);
        const char *at = text;
        kifu_rng rng;
        fault fault = {0};
        kifu_rng_seed(&rng, fuzz_seed() + i, 23);
        for (uint32_t times = 1 + kifu_rng_below(&rng, 3); times > 0; times--)
            damage(text, &rng);
        if (pgn_read(&at, &(kifu_options){.quiet = true}, &timeline, NULL, &fault)) {
            ck_assert_msg(fault.line && fault.column && *fault.message && !timeline && at == text, "%s", fault.message);
            refused++;
        } else {
            char *written = pgn_write(timeline);
            kifu_timeline *again = read_pgn(written);
            must_write(again, written);
            free(written);
            kifu_destroy(again);
            read++;
        }
        kifu_destroy(timeline);
        free(text);
    }
    ck_assert(games < 400 || (read > 50 && refused > 50));
}
END_TEST

// Words of PGN in any order.
START_TEST(C13_random_words_are_refused_or_read)
{
    static const char *const words[] = {"(",     ")",     "{",       "}",     ";",       "\n",           "1.",
                                        "1... ", "e4 ",   "e5 ",     "Nf3 ",  "--",      "$1 ",          "$",
                                        "!",     "?! ",   "%",       "\r",    "1-0 ",    "* ",           "0-1 ",
                                        "[",     "]",     "\"",      "Event", "[FEN \"", "\xef\xbb\xbf", "\xc3",
                                        "O-O ",  "e8=Q ", "1/2-1/2 "};
    const unsigned long texts = fuzz_steps(400);
    unsigned long read = 0;
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 24);
    for (unsigned long i = 0; i < texts; i++) {
        char text[1000] = "";
        kifu_timeline *timeline = NULL;
        const char *at = text;
        fault fault = {0};
        strcat(text, i % 2 ? "1. e4 {a} (1. d4) e5 " : "");
        for (uint32_t count = kifu_rng_below(&rng, 20); count; count--)
            strcat(text, words[kifu_rng_below(&rng, sizeof words / sizeof *words)]);
        strcat(text, i % 3 ? " *" : "");
        if (pgn_read(&at, &(kifu_options){.quiet = true}, &timeline, NULL, &fault)) {
            ck_assert_msg(fault.line && fault.column && *fault.message && !timeline && at == text, "%s", text);
            continue;
        }
        char *written = pgn_write(timeline);
        kifu_timeline *again = read_pgn(written);
        must_write(again, written);
        free(written);
        kifu_destroy(again);
        kifu_destroy(timeline);
        read++;
    }
    ck_assert(texts < 400 || (read && read < texts));
}
END_TEST

typedef struct scarce {
    uint32_t left; // so many more calls have memory
    int blocks;
} scarce;

static void *allocate_scarce(void *context, void *block, size_t size)
{
    scarce *scarce = context;
    if (!size) {
        scarce->blocks -= block != NULL;
        free(block);
        return NULL;
    }
    if (!scarce->left)
        return NULL;
    scarce->left--;
    scarce->blocks += block == NULL;
    return realloc(block, size);
}

START_TEST(C13_without_memory_there_is_no_game)
{
    static const char text[] = "[White \"A\"]\n\n{before} 1. e4! (1. d4 {x} d5 (1... Nf6) $14) (1. c4) 1... e5 1-0\n";
    scarce scarce = {0};
    const kifu_options options = {.quiet = true, .allocate = allocate_scarce, .allocate_context = &scarce};
    for (uint32_t many = 0;; many++) {
        kifu_timeline *timeline = NULL;
        const char *at = text;
        fault fault = {0};
        scarce.left = many;
        const kifu_result result = pgn_read(&at, &options, &timeline, NULL, &fault);
        if (!result) {
            ck_assert_uint_gt(many, 30);
            kifu_destroy(timeline);
            break;
        }
        ck_assert_int_eq(result, KIFU_NO_MEMORY);
        ck_assert_msg(strstr(fault.message, "memory") && fault.line, "%u: %s", (unsigned)many, fault.message);
        ck_assert_ptr_null(timeline);
        ck_assert_ptr_eq(at, text);
        ck_assert_int_eq(scarce.blocks, 0);
    }
    ck_assert_int_eq(scarce.blocks, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        C13_random_annotated_games_come_out_letter_for_letter,
        C13_after_each_move_of_each_line_the_state_is_the_one_made_by_hand,
        C13_lines_that_are_promoted_and_deleted_come_out,
        C13_trees_are_saved,
        C13_the_log_file_of_each_game_has_the_same_tree,
        C13_pgn_that_is_read_and_written_in_another_way,
        C13_the_main_line_is_current_and_says_the_result,
        C13_a_game_without_a_move_in_its_main_line,
        F76_a_wrong_game_hides_no_other,
        F76_the_tags_of_a_game_are_read_without_its_moves,
        F77_what_others_write_in_another_way_is_read_without_a_word,
        F77_what_is_left_out_is_said_and_written_again,
        F77_play_past_a_fifth_repetition_is_read_up_to_there_and_written_whole,
        F77_other_games_than_chess_are_refused_by_their_names,
        F77_random_games_are_the_same_when_people_have_written_them,
        C13_hostile_texts_have_a_fault_with_its_place_and_no_game,
        F91_nothing_behind_a_text_that_ends_too_early_is_read,
        C13_variations_may_nest_a_hundred_thousand_deep,
        C13_damaged_texts_are_refused_or_read,
        C13_random_words_are_refused_or_read,
        C13_without_memory_there_is_no_game,
    };
    return run_suite("chess: PGN", tests, sizeof tests / sizeof *tests);
}
