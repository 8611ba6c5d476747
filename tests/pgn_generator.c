// Moves come from the example's list of legal ones and are made by hand (plain_chess.c). The lines are filled here in
// another way than in pgn_write.c: what must not be parted is one piece, and a piece that has no room begins a line.

#include "pgn_generator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fen.h"
#include "plain_chess.h"
#include "rules.h"
#include "san.h"

enum { WIDTH = 79, MOST_DEPTH = 9, LENGTH = 1 << 20 };

typedef struct maker {
    kifu_rng rng;
    pgn_counts *counts;
    char *text;
    size_t length, column;
    char piece[12000]; // what must not be parted,
    bool waits;        // and is not yet in the text
    bool open;         // the next word belongs to it
    bool numbered;
    uint32_t left; // so many moves are still allowed
} maker;

static bool by_chance(maker *maker, uint32_t one_of)
{
    return kifu_rng_below(&maker->rng, one_of) == 0;
}

// --- Lines -----------------------------------------------------------------------------------------------------------

static void raw(maker *maker, const char *text)
{
    const size_t length = strlen(text);
    memcpy(maker->text + maker->length, text, length + 1);
    maker->length += length;
}

static void end_piece(maker *maker)
{
    if (!maker->waits)
        return;
    const size_t length = strlen(maker->piece);
    if (maker->column && maker->column + 1 + length <= WIDTH) {
        raw(maker, " ");
        maker->column += 1 + length;
    } else {
        raw(maker, maker->column ? "\n" : "");
        maker->column = length;
    }
    raw(maker, maker->piece);
    maker->piece[0] = '\0';
    maker->waits = false;
}

static void word(maker *maker, const char *word)
{
    if (!maker->open)
        end_piece(maker);
    strcat(maker->piece, word);
    maker->waits = true;
    maker->open = false;
}

static void join(maker *maker, const char *text)
{
    maker->open = true;
    word(maker, text);
}

// --- Comments and glyphs ---------------------------------------------------------------------------------------------

static void random_words(maker *maker, char *text, bool in_a_tag)
{
    static const char *const words[] = {
        "a",
        "the best",
        "Zug",
        "zwang",
        "1.",
        "e4",
        "(",
        ")",
        "[",
        "]",
        "{",
        ";",
        "%",
        "%eval",
        "$1",
        "*",
        "1-0",
        "\"",
        "\\",
        "  ",
        "Größe",
        "日本",
        "♞",
        "\t",
        "[%clk 1:02:03]",
        "!?",
        "...",
        "(1. d4 d5)",
        "\\\"",
        "é",
        " ",
        "a-very-long-word-without-any-space-at-all-as-an-address-of-a-page-may-be-that-is-still-longer"};
    const uint32_t count = kifu_rng_below(&maker->rng, by_chance(maker, 6) ? 60 : 9);
    text[0] = '\0';
    for (uint32_t i = 0; i < count; i++) {
        const char *next = words[kifu_rng_below(&maker->rng, sizeof words / sizeof *words)];
        strcat(text, i && !by_chance(maker, 4) ? " " : "");
        strcat(text, in_a_tag && strchr(next, '\t') ? "" : next);
    }
}

static void comment(maker *maker)
{
    char text[8000], *at = text;
    random_words(maker, text, false);
    maker->counts->comments++;
    maker->numbered = true;
    if (by_chance(maker, 12)) { // only one that ends with its line can have this brace
        strcat(text, "}");
        maker->counts->with_line_end++;
        word(maker, ";");
        join(maker, text);
        end_piece(maker);
        raw(maker, "\n");
        maker->column = 0;
        return;
    }
    word(maker, "{");
    maker->open = true;
    for (char *space = text; (space = strchr(space, ' ')) != NULL; space++) {
        const bool between = space > text && space[-1] != ' ' && space[1] && !strchr(" %", space[1]);
        if (!between)
            continue;
        *space = '\0';
        word(maker, at);
        at = space + 1;
    }
    word(maker, at);
    join(maker, "}");
}

static void comments(maker *maker, uint32_t one_of)
{
    for (; by_chance(maker, one_of); one_of = 3)
        comment(maker);
}

static void glyphs(maker *maker, uint32_t one_of)
{
    for (; by_chance(maker, one_of); one_of = 4) {
        char text[8];
        snprintf(text, sizeof text, "$%u", (unsigned)kifu_rng_below(&maker->rng, by_chance(maker, 2) ? 7 : 256));
        word(maker, text);
        maker->counts->glyphs++;
    }
}

// --- Moves -----------------------------------------------------------------------------------------------------------

static void put_move(maker *maker, const chess_state *state, chess_move move)
{
    char text[16];
    const bool white = position_to_move(&state->position) == CHESS_SIDE_WHITE;
    if (white || maker->numbered) {
        snprintf(text, sizeof text, "%u%s", state->position.clocks.half_moves / 2u + 1, white ? "." : "...");
        word(maker, text);
    }
    san_write(&state->position, move, text);
    word(maker, text);
    glyphs(maker, 5);
    maker->numbered = false;
    maker->counts->moves++;
    comments(maker, 4);
}

// What cannot be played, and what somebody has written behind it. `first`: a null move, or in a variation any word.
static void put_unread(maker *maker, bool variation)
{
    static const char *const words[] = {"--", "Qh9", "Z0", "e4", "Nf3!?", "12.", "3...", "$7", "0-0", "z"};
    word(maker, by_chance(maker, 2) || !variation ? "--" : "Qz9");
    for (uint32_t i = kifu_rng_below(&maker->rng, 5); i; i--) {
        if (by_chance(maker, 5))
            comment(maker);
        word(maker, words[kifu_rng_below(&maker->rng, sizeof words / sizeof *words)]);
        if (by_chance(maker, 6)) {
            word(maker, "(");
            join(maker, "1.");
            word(maker, "x");
            join(maker, ")");
        }
    }
}

static void put_line(maker *maker, const chess_state *state, chess_move first, uint32_t depth, uint32_t length,
                     chess_state *end);

// Variations in place of moves[0]: the moves behind it. The list is in random order, so none comes twice.
static void put_variations(maker *maker, const chess_state *state, const chess_move *moves, uint32_t count,
                           uint32_t depth, bool at_first)
{
    uint32_t many = 0;
    for (uint32_t i = 1; i < count && depth < MOST_DEPTH && maker->left && by_chance(maker, depth < 4 ? 3 : 4); i++) {
        chess_state end;
        word(maker, "(");
        maker->open = maker->numbered = true;
        glyphs(maker, 20);
        maker->counts->variations++;
        maker->counts->at_first_move += at_first;
        maker->counts->depth = maker->counts->depth < depth + 1 ? depth + 1 : maker->counts->depth;
        put_line(maker, state, moves[i], depth + 1, 1 + kifu_rng_below(&maker->rng, 8), &end);
        join(maker, ")");
        maker->numbered = true;
        const uint32_t before = maker->counts->comments;
        comments(maker, 6);
        maker->counts->behind += maker->counts->comments > before;
        many++;
    }
    maker->counts->several += many > 1;
    if (by_chance(maker, 12)) {
        word(maker, "(");
        maker->open = maker->numbered = true;
        put_unread(maker, true);
        join(maker, ")");
        maker->counts->unread++;
    }
}

static void shuffle(maker *maker, chess_move *moves, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t other = kifu_rng_below(&maker->rng, i);
        const chess_move move = moves[i - 1];
        moves[i - 1] = moves[other];
        moves[other] = move;
    }
}

// A line that begins with a move whose variations, if any, are put by its caller. `end`: the state at its end.
static void put_line(maker *maker, const chess_state *state, chess_move first, uint32_t depth, uint32_t length,
                     chess_state *end)
{
    plain_taken taken;
    const uint32_t before = maker->counts->comments;
    if (depth)
        comments(maker, 5);
    maker->counts->before += maker->counts->comments > before;
    put_move(maker, state, first);
    *end = *state;
    plain_make(end, first, true, &taken);
    for (uint32_t i = 1; i < length && !end->ending && maker->left; i++) {
        chess_move moves[MOST_MOVES];
        const chess_state here = *end;
        const uint32_t count = moves_legal(&here.position, moves);
        maker->left--;
        shuffle(maker, moves, count);
        put_move(maker, &here, moves[0]);
        put_variations(maker, &here, moves, count, depth, false);
        plain_make(end, moves[0], true, &taken);
    }
    if (depth && by_chance(maker, 12)) {
        put_unread(maker, true);
        maker->counts->unread_ends++;
    }
}

// --- Games -----------------------------------------------------------------------------------------------------------

static void put_tag(maker *maker, const char *name, const char *value)
{
    char text[20000], *to = text;
    to += sprintf(to, "[%s \"", name);
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            *to++ = '\\';
        *to++ = *value;
    }
    strcpy(to, "\"]\n");
    raw(maker, text);
}

static void put_tags(maker *maker, const char *fen, const char *result)
{
    static const char *const roster[] = {"Event", "Site", "Date", "Round", "White", "Black"};
    char value[8000];
    for (int i = 0; i < 6; i++) {
        random_words(maker, value, true);
        put_tag(maker, roster[i], by_chance(maker, 2) ? value : i == 2 ? "????.??.??" : "?");
    }
    put_tag(maker, "Result", result);
    random_words(maker, value, true);
    if (by_chance(maker, 3))
        put_tag(maker, "Annotator", value);
    if (fen)
        put_tag(maker, "FEN", fen);
    if (by_chance(maker, 3))
        put_tag(maker, "PlyCount", "7");
    if (fen)
        put_tag(maker, "SetUp", "1");
    if (by_chance(maker, 3))
        put_tag(maker, "WhiteElo", value);
    raw(maker, "\n");
}

static void put_game(maker *maker, const chess_state *begin, const char **result)
{
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2", "*"};
    chess_state end = *begin;
    chess_move moves[MOST_MOVES];
    plain_taken taken;
    glyphs(maker, 30);
    comments(maker, 3);
    maker->numbered = true;
    const uint32_t length = by_chance(maker, 20) ? 0 : 1 + kifu_rng_below(&maker->rng, 40);
    for (uint32_t i = 0; i < length && !end.ending; i++) {
        const chess_state here = end;
        const uint32_t count = moves_legal(&here.position, moves);
        shuffle(maker, moves, count);
        put_move(maker, &here, moves[0]);
        put_variations(maker, &here, moves, count, 0, i == 0);
        plain_make(&end, moves[0], true, &taken);
    }
    if (length && !end.ending && by_chance(maker, 8)) {
        put_unread(maker, false);
        maker->counts->unread_ends++;
    }
    *result = !end.ending                      ? results[kifu_rng_below(&maker->rng, 4)]
              : end.winner == CHESS_SIDE_WHITE ? "1-0"
              : end.winner == CHESS_SIDE_BLACK ? "0-1"
                                               : "1/2-1/2";
    word(maker, *result);
    end_piece(maker);
    raw(maker, "\n");
}

char *pgn_generate(uint64_t seed, pgn_counts *counts)
{
    static const char *const fens[] = {NULL,
                                       NULL,
                                       NULL,
                                       NULL,
                                       "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                                       "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
                                       "8/8/4k3/8/8/3K4/3p4/8 w - - 0 70"};
    struct maker maker = {.counts = counts, .left = 600, .text = malloc(LENGTH)};
    kifu_rng_seed(&maker.rng, seed, 21);
    const char *fen = fens[kifu_rng_below(&maker.rng, sizeof fens / sizeof *fens)], *result;
    chess_state begin = {.winner = CHESS_SIDE_NOBODY, .offer = CHESS_SIDE_NOBODY};
    fault fault;
    begin.game.phase = KIFU_PHASE_PLAY;
    begin.game.player_count = 2;
    begin.game.order[1] = 1;
    (void)fen_read(fen ? fen : fen_start, &begin.position, &fault);
    begin.keys[0] = position_key(&begin.position);
    counts->from_a_position += fen != NULL;
    put_game(&maker, &begin, &result);
    char *moves = maker.text; // the result, which is known only now, is among the tags
    maker.text = malloc(LENGTH);
    maker.length = maker.column = 0;
    put_tags(&maker, fen, result);
    raw(&maker, moves);
    free(moves);
    return maker.text;
}

// --- As people write it ----------------------------------------------------------------------------------------------

// The end of a comment, a tag, or what was no chess: it stays as it is.
static size_t kept_length(const char *at, bool *unread)
{
    if (*at == '{')
        return strcspn(at, "}") + 1;
    if (*at == ';')
        return strcspn(at, "\n");
    if (*at == '[' && !*unread)
        return strcspn(at, "\n");
    return 0;
}

static const char *loose_word(maker *maker, const char *word, char *made)
{
    static const char *const signs[][2] = {{"$10", "="},      {"$13", "\u221e"}, {"$14", "+="}, {"$15", "=/+"},
                                           {"$16", "\u00b1"}, {"$17", "-/+"},    {"$18", "+-"}, {"$19", "-+"},
                                           {"$146", "N"},     {"$1", "!"},       {"$2", "?"},   {"$3", "!!"}};
    static const char *const figurines[][2] = {
        {"K", "\u2654"}, {"Q", "\u265b"}, {"R", "\u2656"}, {"B", "\u265d"}, {"N", "\u2658"}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (!strcmp(signs[i][0], word)) {
            maker->counts->signs++;
            return signs[i][1];
        }
    }
    if (!strncmp(word, "O-O", 3) && by_chance(maker, 2)) {
        maker->counts->dashes++;
        return sprintf(made, "O\u2013O%s%s", word[3] == '-' ? "\u2013O" : "", word + (word[3] == '-' ? 5 : 3)), made;
    }
    for (size_t i = 0; i < sizeof figurines / sizeof *figurines && strlen(word) >= 3 && strlen(word) < 9; i++) {
        if (*word != *figurines[i][0])
            continue;
        maker->counts->figurines++;
        return sprintf(made, "%s%s", figurines[i][1], word + 1), made;
    }
    return word;
}

char *pgn_loosen(uint64_t seed, const char *text, pgn_counts *counts)
{
    struct maker maker = {.counts = counts, .text = malloc(LENGTH)};
    bool unread = false;
    uint32_t depth = 0, unread_depth = 0;
    kifu_rng_seed(&maker.rng, seed, 26);
    maker.text[0] = '\0';
    for (const char *at = text; *at;) {
        char word[12100], made[40];
        size_t length = kept_length(at, &unread);
        if (!length && strchr(" \n()", *at)) {
            depth += *at == '(';
            unread &= !(*at == ')' && depth == unread_depth);
            depth -= *at == ')';
            length = 1;
        } else if (!length) {
            length = strcspn(at, " \n();{");
            snprintf(word, sizeof word, "%.*s", (int)length, at);
            const bool last = !at[length + 1] && depth == 0;
            if (!unread && (!strcmp(word, "--") || !strcmp(word, "Qz9"))) {
                unread = true;
                unread_depth = depth;
            }
            if (last && by_chance(&maker, 3)) {
                maker.counts->without_result++;
                break;
            }
            raw(&maker, unread && !last ? word : loose_word(&maker, word, made));
            at += length;
            continue;
        }
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        raw(&maker, *at == '\n' && depth && by_chance(&maker, 3) ? "\r\n" : word);
        at += length;
    }
    return maker.text;
}
