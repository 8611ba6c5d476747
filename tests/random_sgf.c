#include "random_sgf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "game.h"
#include "points.h"
#include "rules.h"

typedef struct move {
    go_stone stone; // GO_STONE_NONE: no move
    uint32_t point;
} move;

typedef struct writer {
    kifu_timeline *timeline; // where the moves are tried
    const random_sgf_kind *kind;
    kifu_rng rng;
    buffer out;
    random_sgf_tree tree;
    uint32_t row; // nodes since the last line break
    bool main;    // in the main line
    move last;    // of the last node
} writer;

static uint32_t below(writer *writer, uint32_t count)
{
    return kifu_rng_below(&writer->rng, count);
}

static uint32_t any_point(writer *writer)
{
    return below(writer, writer->kind->size * writer->kind->size);
}

static void put_point(writer *writer, uint32_t point)
{
    const go_terms terms = {.size = (uint8_t)writer->kind->size};
    char text[POINT_LENGTH + 1];
    point_write_sgf(&terms, point, text);
    buffer_print(&writer->out, "%s", text);
}

// --- Notes -----------------------------------------------------------------------------------------------------------

// All that has to be escaped, and what only looks so.
static void put_words(writer *writer, bool lines)
{
    static const char *const words[] = {"good",  "(a [b\\] c)",   "1: x;",   "\\\\", "黒",
                                        "naïve", "  two  spaces", "C[no\\]", "",     ")",
                                        ";",     "a:b:c",         "𝔾𝕠",      "-"};
    for (uint32_t i = below(writer, 6) + 1; i > 0; i--) {
        buffer_print(&writer->out, "%s", words[below(writer, sizeof words / sizeof *words)]);
        buffer_print(&writer->out, lines && !below(writer, 4) ? "\n" : " ");
    }
}

typedef void put_value(writer *writer);

static void put_any_point(writer *writer)
{
    put_point(writer, any_point(writer));
}

// A point, or a rectangle.
static void put_points(writer *writer)
{
    const uint32_t size = writer->kind->size, point = any_point(writer);
    const uint32_t right = below(writer, size - point % size), down = below(writer, size - point / size);
    put_point(writer, point);
    if (!below(writer, 3) && right + down) {
        buffer_print(&writer->out, ":");
        put_point(writer, point + down * size + right);
    }
}

static void put_arrow(writer *writer)
{
    put_any_point(writer);
    buffer_print(&writer->out, ":");
    put_any_point(writer);
}

static void put_label(writer *writer)
{
    put_any_point(writer);
    buffer_print(&writer->out, ":%s", below(writer, 2) ? "A\\]\\:" : "12");
}

static void put_number(writer *writer)
{
    buffer_print(&writer->out, "%u", 1 + below(writer, 2));
}

static void put_real(writer *writer)
{
    buffer_print(&writer->out, "-%u.%u", below(writer, 50), below(writer, 100));
}

static void put_anything(writer *writer)
{
    buffer_print(&writer->out, below(writer, 2) ? "any\\]\nthing" : "");
}

static void put_line(writer *writer)
{
    put_words(writer, false);
}

// In the order in which notes are listed.
static const struct {
    const char *name;
    put_value *put;
    uint32_t most; // values
} markup[] = {{"AR", put_arrow, 3},    {"CR", put_points, 4}, {"DD", put_points, 2}, {"DM", put_number, 1},
              {"FG", put_anything, 1}, {"GB", put_number, 1}, {"GW", put_number, 1}, {"HO", put_number, 1},
              {"LB", put_label, 5},    {"LN", put_arrow, 2},  {"MA", put_points, 4}, {"MN", put_number, 1},
              {"N", put_line, 1},      {"OB", put_number, 1}, {"OW", put_number, 1}, {"SL", put_points, 2},
              {"SQ", put_points, 4},   {"TB", put_points, 5}, {"TR", put_points, 4}, {"TW", put_points, 5},
              {"UC", put_number, 1},   {"V", put_real, 1},    {"VW", put_points, 2}, {"XYZ", put_anything, 3},
              {"ZZ", put_anything, 1}};

static void put_clock(writer *writer, go_stone stone)
{
    buffer_print(&writer->out, "%cL[%u%s]", stone == GO_STONE_BLACK ? 'B' : 'W', below(writer, 9000),
                 below(writer, 2) ? "" : ".25");
}

static void put_notes(writer *writer, go_stone stone)
{
    static const char *const glyphs[] = {"TE[1]", "TE[2]", "BM[1]", "BM[2]", "IT[]", "DO[]"};
    if (stone && !below(writer, 4))
        put_clock(writer, stone);
    if (!below(writer, 3)) {
        writer->tree.comments++;
        buffer_print(&writer->out, "C[");
        put_words(writer, true);
        buffer_print(&writer->out, "]");
    }
    if (stone && !below(writer, 6))
        buffer_print(&writer->out, "%s", glyphs[below(writer, 6)]);
    const uint32_t chance = below(writer, 4) ? 60 : 5;
    for (size_t i = 0; i < sizeof markup / sizeof *markup; i++) {
        if (below(writer, chance))
            continue;
        buffer_print(&writer->out, "%s", markup[i].name);
        for (uint32_t k = below(writer, markup[i].most) + 1; k > 0; k--) {
            buffer_print(&writer->out, "[");
            markup[i].put(writer);
            buffer_print(&writer->out, "]");
        }
    }
}

// --- Nodes -----------------------------------------------------------------------------------------------------------

static const go_state *state_of(const writer *writer)
{
    return go_get_state(writer->timeline);
}

static void edit(writer *writer, const go_p_edit_args *args)
{
    if (go_play_p_edit(writer->timeline, state_of(writer)->game.order[0], args))
        abort();
}

static void put_list(writer *writer, const char *name, const uint16_t *points, uint32_t count)
{
    buffer_print(&writer->out, "%s", count ? name : "");
    for (uint32_t i = 0; i < count; i++) {
        buffer_print(&writer->out, "[");
        put_point(writer, points[i]);
        buffer_print(&writer->out, "]");
    }
}

// Stones that are put and taken away; nothing at all; or another color.
static void put_edit(writer *writer)
{
    go_p_edit_args args = go_p_edit_defaults();
    uint16_t points[3][4];
    uint32_t counts[3] = {0};
    for (uint32_t i = 0; i < 3 && below(writer, 3); i++) {
        for (; counts[i] < below(writer, 5); counts[i]++) { // Each list in rows of its own.
            const uint32_t row = 3 * below(writer, writer->kind->size / 3) + i;
            points[i][counts[i]] = (uint16_t)(row * writer->kind->size + 2 * counts[i]);
        }
    }
    args.black = points[0], args.black_count = counts[0];
    args.empty = points[1], args.empty_count = counts[1];
    args.white = points[2], args.white_count = counts[2];
    args.first = (go_stone)below(writer, 3);
    writer->tree.edits++;
    put_list(writer, "AB", points[0], counts[0]);
    put_list(writer, "AE", points[1], counts[1]);
    put_list(writer, "AW", points[2], counts[2]);
    if (args.first)
        buffer_print(&writer->out, "PL[%c]", args.first == GO_STONE_BLACK ? 'B' : 'W');
    edit(writer, &args);
}

// A legal play, or a pass.
static uint32_t choose_point(writer *writer, go_stone stone)
{
    const uint32_t small = below(writer, 3) ? 6 : writer->kind->size; // So that much is captured.
    points captured;
    uint64_t key;
    for (int i = 0; i < 30; i++) {
        const uint32_t point = below(writer, small) * writer->kind->size + below(writer, small);
        if (!rules_fault(state_of(writer), stone, point, &captured, &key))
            return point;
    }
    return NO_POINT;
}

static void put_move(writer *writer, move move)
{
    const int player = state_of(writer)->game.order[move.stone - 1];
    writer->tree.main_moves += writer->main;
    buffer_print(&writer->out, "%c[", move.stone == GO_STONE_BLACK ? 'B' : 'W');
    if (move.point != NO_POINT)
        put_point(writer, move.point);
    buffer_print(&writer->out, "]");
    if (move.point == NO_POINT ? go_play_p_pass(writer->timeline, player)
                               : go_play_p_play(writer->timeline, player, (uint16_t)move.point))
        abort();
}

static void put_edit_node(writer *writer)
{
    put_edit(writer);
    put_notes(writer, GO_STONE_NONE);
}

// `like`: the move that it has; NULL: any.
static void put_move_node(writer *writer, const move *like)
{
    const go_stone next = rules_to_move(&state_of(writer)->game);
    const bool other = !like && !writer->kind->plain && !below(writer, 15);
    move move = {other ? other_stone(next) : next, NO_POINT};
    if (like)
        move = *like;
    if (state_of(writer)->stage != GO_STAGE_PLAYING || move.stone != next) {
        go_p_edit_args args = go_p_edit_defaults();
        args.first = move.stone;
        edit(writer, &args);
    }
    if (!like && below(writer, 20))
        move.point = choose_point(writer, move.stone);
    put_move(writer, move);
    put_notes(writer, move.stone);
    writer->last = move;
}

static void put_node(writer *writer, const move *like)
{
    buffer_print(&writer->out, writer->row && writer->row % 10 == 0 ? "\n;" : ";");
    writer->row++;
    writer->tree.nodes++;
    writer->last = (move){GO_STONE_NONE, 0};
    if (!like && !writer->kind->plain && !below(writer, 12))
        put_edit_node(writer);
    else
        put_move_node(writer, like);
}

// --- Trees -----------------------------------------------------------------------------------------------------------

static void put_row(writer *writer, uint32_t nodes, uint32_t depth, bool deep);

// Some variations after the same node. Now and then one begins with the move of the one before it.
static void put_variations(writer *writer, uint32_t nodes, uint32_t depth, bool deep)
{
    const bool main = writer->main;
    const uint32_t count = 2 + below(writer, 3), events = kifu_event_count(writer->timeline);
    move first = {GO_STONE_NONE, 0};
    for (uint32_t i = 0; i < count; i++) {
        const bool twin = first.stone && !writer->kind->plain && !below(writer, 6);
        writer->tree.twins += twin;
        writer->tree.variations++;
        writer->tree.depth = depth > writer->tree.depth ? depth : writer->tree.depth;
        writer->row = 0;
        writer->main = main && i == 0;
        buffer_print(&writer->out, "\n(");
        put_node(writer, twin ? &first : NULL);
        first = writer->last;
        put_row(writer, nodes / count, depth, deep && i + 1 == count);
        buffer_print(&writer->out, ")");
        while (kifu_event_count(writer->timeline) > events && !kifu_undo(writer->timeline))
            continue;
    }
    writer->main = main;
}

// Some nodes, and then variations. `deep`: they must be nested as deep as the kind of tree says.
static void put_row(writer *writer, uint32_t nodes, uint32_t depth, bool deep)
{
    const bool branches = (deep && depth < writer->kind->depth) || (nodes > 6 && below(writer, 2));
    uint32_t row = nodes / (branches ? 4 : 1);
    if (depth == 0 && !below(writer, 4))
        row = 0; // Variations of the first move.
    for (uint32_t i = 0; i < row && state_of(writer)->plays < 500; i++)
        put_node(writer, NULL);
    if (branches)
        put_variations(writer, nodes - row, depth + 1, deep);
}

static const char *put_rules(writer *writer, go_terms *terms)
{
    static const struct {
        const char *name;
        go_ko ko;
        go_counting counting;
    } rules[] = {{"Chinese", GO_KO_POSITIONAL, GO_COUNTING_AREA},
                 {"GOE", GO_KO_SITUATIONAL, GO_COUNTING_AREA},
                 {"AGA", GO_KO_SITUATIONAL, GO_COUNTING_TERRITORY},
                 {"Japanese", GO_KO_SIMPLE, GO_COUNTING_TERRITORY},
                 {"Lasker's", GO_KO_SIMPLE, GO_COUNTING_TERRITORY}};
    const uint32_t rule = below(writer, sizeof rules / sizeof *rules);
    terms->ko = rules[rule].ko;
    terms->counting = rules[rule].counting;
    return rules[rule].name;
}

static void put_root(writer *writer)
{
    static const char *const komis[] = {"0", "6.5", "-3.5", "7.50", "0.00"}, *const results[] = {
                                                                                 "", "RE[B+12.5]", "RE[W+R]",
                                                                                 "RE[W+Resign]", "RE[Void]"};
    static const char *const names[] = {"AP", "BR", "DT", "EV", "GC", "GN", "KGSXX",
                                        "OT", "PB", "PC", "PW", "ST", "TM", "WR"};
    uint16_t points[9];
    static const uint64_t seed = 1;
    go_setup setup = {.terms = {.size = (uint8_t)writer->kind->size}, .black = points, .seed = &seed};
    const char *komi = komis[below(writer, 5)], *rules = put_rules(writer, &setup.terms);
    setup.terms.komi = (int16_t)(2 * strtod(komi, NULL));
    setup.black_count = below(writer, 3) ? 0 : go_handicap(writer->kind->size, 2 + below(writer, 3), points);
    setup.terms.handicap = (uint8_t)setup.black_count;
    setup.first = below(writer, 5) ? GO_STONE_NONE : GO_STONE_WHITE;
    buffer_print(&writer->out, "(;FF[4]GM[1]CA[UTF-8]SZ[%u]KM[%s]RU[%s]", writer->kind->size, komi, rules);
    if (setup.black_count || !below(writer, 5))
        buffer_print(&writer->out, "HA[%u]", setup.black_count);
    if (setup.first && !setup.black_count)
        buffer_print(&writer->out, "PL[W]");
    buffer_print(&writer->out, "%s", results[below(writer, 5)]);
    put_list(writer, "AB", points, setup.black_count);
    if (!below(writer, 3))
        buffer_print(&writer->out, "AN[me \\\\ \\]]C[first\n]");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (below(writer, 3))
            continue;
        buffer_print(&writer->out, "%s[", names[i]);
        put_words(writer, false);
        buffer_print(&writer->out, "]");
    }
    if (go_begin(writer->timeline, &setup))
        abort();
}

random_sgf_tree random_sgf(uint64_t seed, const random_sgf_kind *kind)
{
    writer writer = {.kind = kind, .main = true, .row = 10};
    kifu_error error;
    kifu_rng_seed(&writer.rng, seed, 7);
    if (kifu_create(&go_rules, &(kifu_options){.quiet = true}, &writer.timeline, &error))
        abort();
    put_root(&writer);
    put_row(&writer, kind->nodes, 0, true);
    buffer_print(&writer.out, ")\n");
    kifu_destroy(writer.timeline);
    if (writer.out.failed)
        abort();
    writer.tree.text = writer.out.text;
    return writer.tree;
}
