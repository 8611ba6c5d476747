#include "panel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <curses.h>

#include "remarks.h"
#include "san.h"
#include "text.h"
#include "tree.h"

enum { DEEPEST = 6, COMMENT_ROWS = 5 };

// A move as it is shown.
typedef struct word {
    uint32_t node;
    uint32_t row;
    int column;
    uint32_t depth;
    char text[32];
} word;

// All moves, in rows that are as wide as the panel.
typedef struct sheet {
    const tree *tree;
    word *words;
    uint32_t count, room;
    uint32_t row;
    int column, width;
    bool failed;
} sheet;

// --- The rows --------------------------------------------------------------------------------------------------------

static void begin_row(sheet *sheet)
{
    sheet->row += sheet->column > 0;
    sheet->column = 0;
}

static void add_word(sheet *sheet, word word)
{
    const int indent = (int)(2 * (word.depth < DEEPEST ? word.depth : DEEPEST)), length = (int)strlen(word.text);
    if (sheet->column && sheet->column + 1 + length > sheet->width)
        begin_row(sheet);
    word.row = sheet->row;
    word.column = sheet->column ? sheet->column + 1 : indent;
    sheet->column = word.column + length;
    if (sheet->count == sheet->room) {
        sheet->room = 2 * sheet->room + 64;
        struct word *words = realloc(sheet->words, sheet->room * sizeof *words);
        sheet->failed |= !words;
        if (!words)
            return;
        sheet->words = words;
    }
    sheet->words[sheet->count++] = word;
}

// "(12.Nf3!?": with its number if white makes it, or if it is the first one after something else.
static void add_move(sheet *sheet, uint32_t node, const chess_position *before, uint32_t depth, bool first, bool opens)
{
    word word = {.node = node, .depth = depth};
    char san[SAN_LENGTH], number[16] = "";
    const bool white = position_to_move(before) == CHESS_SIDE_WHITE;
    const char *glyph = tree_note(sheet->tree, node, REMARK_GLYPH);
    const char *comment = tree_note(sheet->tree, node, REMARK_COMMENT);
    if (white || first)
        snprintf(number, sizeof number, "%u%s", before->clocks.half_moves / 2u + 1, white ? "." : "...");
    san_write(before, sheet->tree->nodes[node].move, san);
    glyph = glyph ? glyph : "";
    snprintf(word.text, sizeof word.text, "%s%s%s%.*s%s", opens ? "(" : "", number, san, (int)strcspn(glyph, " "),
             glyph, comment ? "{}" : "");
    add_word(sheet, word);
}

static void close_bracket(sheet *sheet)
{
    char *text = sheet->count ? sheet->words[sheet->count - 1].text : NULL;
    const size_t length = text ? strlen(text) : 0;
    if (text && length + 1 < sizeof sheet->words->text)
        memcpy(text + length, ")", 2);
}

// What follows a move in its line. It calls itself once for each variation inside another one.
static void add_line(sheet *sheet, uint32_t node, chess_position position, uint32_t depth, bool first)
{
    const tree_node *nodes = sheet->tree->nodes;
    for (uint32_t next; (next = nodes[node].first) != KIFU_NONE && !sheet->failed; node = next) {
        add_move(sheet, next, &position, depth, first, false);
        first = nodes[next].next != KIFU_NONE;
        for (uint32_t other = nodes[next].next; other != KIFU_NONE && !sheet->failed; other = nodes[other].next) {
            begin_row(sheet);
            add_move(sheet, other, &position, depth + 1, true, true);
            add_line(sheet, other, tree_after(&position, nodes[other].move), depth + 1, false);
            close_bracket(sheet);
            begin_row(sheet);
        }
        position = tree_after(&position, nodes[next].move);
    }
}

// --- Drawing ---------------------------------------------------------------------------------------------------------

// Text in lines, the words whole; how many lines. `draw` false: it only counts.
static int draw_text(panel panel, const char *text, bool draw)
{
    int row = 0;
    for (; *text; row++) {
        size_t length = strcspn(text, "\n");
        if (length > (size_t)panel.width) {
            length = (size_t)panel.width;
            while (length && text[length] != ' ')
                length--;
            length = length ? length : (size_t)panel.width;
            while ((text[length] & 0xc0) == 0x80) // not inside a character
                length--;
        }
        if (draw && row < panel.height)
            mvaddnstr(panel.y + row, panel.x, text, (int)length);
        text += length;
        text += *text == ' ' || *text == '\n';
    }
    return row;
}

// What was written about a move, in the last rows; how many those are.
static int draw_comment(panel panel, const tree *tree)
{
    static const char *const keys[] = {REMARK_BEFORE, REMARK_COMMENT, REMARK_BEHIND};
    text text = {0};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *comment = tree_note(tree, tree->now, keys[i]);
        text_put(&text, comment && text.length ? "\n" : "");
        text_put(&text, comment ? comment : "");
    }
    int rows = 0;
    if (text.length && !text.failed) {
        rows = draw_text(panel, text.bytes, false);
        rows = rows < COMMENT_ROWS ? rows : COMMENT_ROWS;
        panel.y += panel.height - rows;
        panel.height = rows;
        draw_text(panel, text.bytes, true);
        rows++; // and an empty one before them
    }
    text_free(&text);
    return rows;
}

// The rows around the move that was made last.
static void draw_sheet(panel panel, const sheet *sheet)
{
    uint32_t at = 0, first = 0;
    const uint32_t height = (uint32_t)panel.height;
    for (uint32_t i = 0; i < sheet->count; i++)
        at = sheet->words[i].node == sheet->tree->now ? sheet->words[i].row : at;
    if (sheet->row >= height && at > height / 2)
        first = at - height / 2 < sheet->row + 1 - height ? at - height / 2 : sheet->row + 1 - height;
    for (uint32_t i = 0; i < sheet->count; i++) {
        const word *word = &sheet->words[i];
        if (word->row < first || word->row >= first + height)
            continue;
        const bool now = word->node == sheet->tree->now;
        attrset(now ? A_REVERSE | A_BOLD : word->depth ? A_NORMAL : A_BOLD);
        mvaddnstr(panel.y + (int)(word->row - first), panel.x + word->column, word->text, panel.width - word->column);
        attrset(A_NORMAL);
    }
}

void panel_draw(panel panel, kifu_timeline *timeline)
{
    tree tree;
    if (!tree_build(&tree, timeline))
        return;
    sheet sheet = {.tree = &tree, .width = panel.width};
    panel.height -= draw_comment(panel, &tree);
    add_line(&sheet, 0, tree_begin(&tree), 0, true);
    draw_sheet(panel, &sheet);
    free(sheet.words);
    tree_free(&tree);
}
