// PGN as the standard wants it exported: lines of less than 80 characters, the number of a move where it is needed, and
// glyphs as numbers. A position stands for each variation that is open, in memory of its own: variations nest as deep
// as they like.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wrap.h"
#include "pgn.h"
#include "remarks.h"
#include "san.h"
#include "tree.h"

// The tags that every game has, and that come first; the seventh is the result.
static const char *const roster[] = {"Event", "Site", "Date", "Round", "White", "Black"};

enum { ROSTER = sizeof roster / sizeof *roster };

// A move behind which its variations are being written.
typedef struct branch {
    uint32_t move, variation;
    chess_position before, after;
} branch;

typedef struct writer {
    const tree *tree;
    wrapped wrapped;
    bool numbered; // the next move has its number, even if black makes it
    text word;     // of what was no chess
    branch *branches;
    uint32_t depth, room;
} writer;

// --- Comments and glyphs ---------------------------------------------------------------------------------------------

static void put_comments(writer *writer, uint32_t move, const char *key)
{
    for (const char *comment = tree_note(writer->tree, move, key); comment;) {
        const size_t length = strcspn(comment, "\n");
        wrap_comment(&writer->wrapped, comment, length);
        writer->numbered = true;
        comment = comment[length] ? comment + length + 1 : NULL;
    }
}

static void put_glyphs(writer *writer, uint32_t move, const char *key)
{
    const char *glyph = tree_note(writer->tree, move, key);
    for (glyph = glyph ? glyph : ""; *glyph; glyph += strspn(glyph, " ")) {
        const size_t length = strcspn(glyph, " ");
        const int number = glyph_read(glyph, length);
        char word[16];
        snprintf(word, sizeof word, "$%d", number);
        if (number >= 0)
            wrap_word(&writer->wrapped, word);
        glyph += length;
    }
}

// --- Tags ------------------------------------------------------------------------------------------------------------

static void put_tag(writer *writer, const char *name, const char *value)
{
    text *text = &writer->wrapped.text;
    text_put(text, "[");
    text_put(text, name);
    text_put(text, " \"");
    for (; *value; value++) {
        text_put(text, *value == '"' || *value == '\\' ? "\\" : "");
        text_add(text, *value == '\n' ? " " : value, 1);
    }
    text_put(text, "\"]\n");
}

static const char *result_of(const tree *tree)
{
    const char *read = tree->ending ? tree_note(tree, 0, REMARK_TAG "Result") : "*";
    if (read) // from a text that does not say what the position does
        return read;
    return tree->winner == CHESS_SIDE_WHITE ? "1-0" : tree->winner == CHESS_SIDE_BLACK ? "0-1" : "1/2-1/2";
}

static bool in_roster(const char *name)
{
    if (!strcmp(name, "Result"))
        return true;
    for (size_t i = 0; i < ROSTER; i++) {
        if (!strcmp(name, roster[i]))
            return true;
    }
    return false;
}

// The tags that are not in the roster, by the alphabet. The first position is none of the notes.
static void put_other_tags(writer *writer)
{
    const tree_node *set_up = writer->tree->nodes;
    const char *own[][2] = {{"FEN", writer->tree->fen}, {"SetUp", "1"}};
    const size_t count = writer->tree->fen ? 2 : 0;
    size_t next = 0;
    kifu_note note = {.line = set_up->line, .event = set_up->event, .key = ""};
    while (kifu_next_note(writer->tree->timeline, &note) && note.line == set_up->line && note.event == set_up->event) {
        const size_t prefix = strlen(REMARK_TAG);
        if (strncmp(note.key, REMARK_TAG, prefix) || !note.text || in_roster(note.key + prefix))
            continue;
        for (; next < count && strcmp(own[next][0], note.key + prefix) < 0; next++)
            put_tag(writer, own[next][0], own[next][1]);
        put_tag(writer, note.key + prefix, note.text);
    }
    for (; next < count; next++)
        put_tag(writer, own[next][0], own[next][1]);
}

static void put_tags(writer *writer)
{
    for (size_t i = 0; i < ROSTER; i++) {
        char key[20];
        snprintf(key, sizeof key, REMARK_TAG "%s", roster[i]);
        const char *value = tree_note(writer->tree, 0, key);
        put_tag(writer, roster[i], value ? value : i == 2 ? "????.??.??" : "?");
    }
    put_tag(writer, "Result", result_of(writer->tree));
    put_other_tags(writer);
    text_put(&writer->wrapped.text, "\n");
}

// --- Moves -----------------------------------------------------------------------------------------------------------

static void put_san(writer *writer, uint32_t move, const chess_position *position)
{
    char word[24];
    const bool white = position_to_move(position) == CHESS_SIDE_WHITE;
    if (white || writer->numbered) {
        snprintf(word, sizeof word, "%u%s", position->clocks.half_moves / 2u + 1, white ? "." : "...");
        wrap_word(&writer->wrapped, word);
    }
    san_write(position, writer->tree->nodes[move].move, word);
    wrap_word(&writer->wrapped, word);
    writer->numbered = false;
}

// A move that goes on, what is said of it, and the position after it. What was said before and behind it when it began
// a variation follows it, too.
static chess_position put_next(writer *writer, uint32_t move, const chess_position *position)
{
    put_san(writer, move, position);
    put_glyphs(writer, move, REMARK_GLYPH_BEFORE);
    put_glyphs(writer, move, REMARK_GLYPH);
    put_comments(writer, move, REMARK_BEFORE);
    put_comments(writer, move, REMARK_COMMENT);
    put_comments(writer, move, REMARK_BEHIND);
    return tree_after(position, writer->tree->nodes[move].move);
}

// The words of what was no chess when the text was read, up to the end of its line.
static const char *put_rest(writer *writer, const char *rest)
{
    while (*rest && *rest != '\n') {
        const char end = *rest == '{' ? '}' : *rest == ';' ? '\v' : '\0';
        size_t length = end                            ? strcspn(rest + 1, (char[]){end, '\0'}) + 2
                        : *rest == '(' || *rest == ')' ? 1
                                                       : strcspn(rest, " ()\n");
        if (end) {
            wrap_comment(&writer->wrapped, rest + 1, length - 2);
        } else {
            text *text = &writer->word;
            text_cut(text, 0);
            text_add(text, rest, length);
            writer->wrapped.glued |= *rest == ')';
            writer->wrapped.text.failed |= text->failed;
            if (!text->failed)
                wrap_word(&writer->wrapped, text->bytes);
            writer->wrapped.glued = *rest == '(';
        }
        rest += length;
        rest += strspn(rest, " ");
    }
    writer->numbered = true;
    return *rest ? rest + 1 : rest;
}

// Variations that could not be played at all, in the place of the move behind `before`.
static void put_rests(writer *writer, uint32_t before)
{
    const char *rest = before == writer->tree->end ? NULL : tree_note(writer->tree, before, REMARK_REST);
    for (rest = rest ? rest : ""; *rest && !writer->wrapped.text.failed;) {
        wrap_word(&writer->wrapped, "(");
        writer->wrapped.glued = true;
        rest = put_rest(writer, rest);
        wrap_glue(&writer->wrapped, ")");
    }
}

// The same behind the last move of a line: there, it goes on. The main line's is put at its end.
static void put_end(writer *writer, uint32_t move, bool main)
{
    const bool both = move == writer->tree->end && !main;
    const char *rest = both || (!main && writer->tree->nodes[move].first != KIFU_NONE)
                           ? NULL
                           : tree_note(writer->tree, move, REMARK_REST);
    for (rest = rest ? rest : ""; *rest && !writer->wrapped.text.failed;)
        rest = put_rest(writer, rest);
}

// The first move of a variation.
static chess_position put_first(writer *writer, uint32_t move, const chess_position *position)
{
    put_glyphs(writer, move, REMARK_GLYPH_BEFORE);
    put_comments(writer, move, REMARK_BEFORE);
    put_san(writer, move, position);
    put_glyphs(writer, move, REMARK_GLYPH);
    put_comments(writer, move, REMARK_COMMENT);
    return tree_after(position, writer->tree->nodes[move].move);
}

static bool push(writer *writer, branch branch)
{
    if (writer->depth == writer->room) {
        writer->room = 2 * writer->room + 16;
        struct branch *branches = realloc(writer->branches, writer->room * sizeof *branches);
        writer->wrapped.text.failed |= !branches;
        if (!branches)
            return false;
        writer->branches = branches;
    }
    writer->branches[writer->depth++] = branch;
    return true;
}

// What stands behind a move as a variation, after `variation` or as the first one. Moves that were made after the end
// of the main line are a variation that repeats the last move: PGN knows no other way to write them.
static uint32_t next_variation(const writer *writer, uint32_t move, uint32_t variation)
{
    const tree_node *nodes = writer->tree->nodes;
    const uint32_t next = variation == move ? KIFU_NONE : nodes[variation == KIFU_NONE ? move : variation].next;
    const bool last = move == writer->tree->end && nodes[move].first != KIFU_NONE && variation != move;
    return next == KIFU_NONE && last ? move : next;
}

// Begins the next variation of the move that is open last: its first move, and the position after that. KIFU_NONE:
// there is none.
static uint32_t begin_variation(writer *writer, chess_position *position)
{
    branch *branch = &writer->branches[writer->depth - 1];
    branch->variation = next_variation(writer, branch->move, branch->variation);
    if (branch->variation == KIFU_NONE)
        return KIFU_NONE;
    wrap_word(&writer->wrapped, "(");
    writer->wrapped.glued = writer->numbered = true;
    if (branch->variation == branch->move) {
        put_san(writer, branch->move, &branch->before);
        *position = branch->after;
    } else {
        *position = put_first(writer, branch->variation, &branch->before);
    }
    return branch->variation;
}

static void end_variation(writer *writer)
{
    const branch *branch = &writer->branches[writer->depth - 1];
    wrap_glue(&writer->wrapped, ")");
    writer->numbered = true;
    if (branch->variation != branch->move)
        put_comments(writer, branch->variation, REMARK_BEHIND);
}

static void put_moves(writer *writer)
{
    const tree *tree = writer->tree;
    chess_position position = tree_begin(tree);
    uint32_t move = 0;
    writer->numbered = true;
    for (bool more = true; more && !writer->wrapped.text.failed;) {
        const bool over = move == tree->end && writer->depth == 0;
        const uint32_t next = over ? KIFU_NONE : tree->nodes[move].first;
        if (next != KIFU_NONE) {
            const branch branch = {
                .move = next, .variation = KIFU_NONE, .before = position, .after = put_next(writer, next, &position)};
            move = next;
            position = branch.after;
            if (next_variation(writer, next, KIFU_NONE) == KIFU_NONE) {
                put_rests(writer, tree->nodes[next].before);
                continue;
            }
            if (!push(writer, branch))
                continue;
        } else if (writer->depth) {
            put_end(writer, move, false);
            end_variation(writer);
        } else {
            put_end(writer, move, true);
            more = false;
            continue;
        }
        const branch open = writer->branches[writer->depth - 1];
        move = begin_variation(writer, &position);
        if (move == KIFU_NONE) { // on behind the move that has no more of them
            put_rests(writer, tree->nodes[open.move].before);
            writer->depth--;
            move = open.move;
            position = open.after;
        }
    }
}

char *pgn_write(kifu_timeline *timeline)
{
    tree tree;
    if (!tree_build(&tree, timeline))
        return NULL;
    writer writer = {.tree = &tree};
    put_tags(&writer);
    put_glyphs(&writer, 0, REMARK_GLYPH);
    put_comments(&writer, 0, REMARK_COMMENT);
    put_moves(&writer);
    wrap_word(&writer.wrapped, result_of(&tree));
    text_put(&writer.wrapped.text, "\n");
    free(writer.branches);
    text_free(&writer.word);
    tree_free(&tree);
    if (writer.wrapped.text.failed)
        text_free(&writer.wrapped.text);
    return writer.wrapped.text.bytes;
}
