#include "demo_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"

enum { MOST_LINES = 1000, LINE = 200 };

typedef struct text {
    int count;
    char lines[MOST_LINES][LINE];
} text;

static text *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    text *result = calloc(1, sizeof *result);
    if (!file || !result) {
        fprintf(stderr, "reversi_demo: cannot read %s\n", path);
        free(result);
        if (file)
            fclose(file);
        return NULL;
    }
    while (result->count < MOST_LINES && fgets(result->lines[result->count], LINE, file))
        result->count++;
    fclose(file);
    return result;
}

static int find_line(const text *text, const char *wanted, int from)
{
    while (from < text->count && !strstr(text->lines[from], wanted))
        from++;
    return from < text->count ? from : -1;
}

bool print_passage(const char *path, const char *from, const char *to)
{
    text *text = read_text(path);
    if (!text)
        return false;
    int first = find_line(text, from, 0), last = first < 0 ? -1 : find_line(text, to, first);
    while (first > 0 && strncmp(text->lines[first - 1], "///", 3) == 0)
        first--;
    for (int i = first; i >= 0 && i <= last; i++)
        printf("%s%s", text->lines[i][0] == '\n' ? "" : "    ", text->lines[i]);
    free(text);
    return last >= 0;
}

static bool is_remark(const char *line)
{
    return strncmp(line, "//", 2) == 0 && line[2] != '/';
}

// Prints what is new in `fresh` from line `j` on: the longest common subsequence, whose lengths are in `common`, stays.
static void print_changes(const text *old, const text *fresh, int (*common)[MOST_LINES + 1])
{
    int i = 0, j = 0;
    while (i < old->count || j < fresh->count) {
        bool same = i < old->count && j < fresh->count && strcmp(old->lines[i], fresh->lines[j]) == 0;
        bool added = j < fresh->count && (i == old->count || common[i][j + 1] > common[i + 1][j]);
        const char *line = added ? fresh->lines[j] : old->lines[i];
        if (!same && !is_remark(line) && line[0] != '\n')
            printf("    %c %s", added ? '+' : '-', line);
        i += same || !added;
        j += same || added;
    }
}

bool print_difference(const char *old_path, const char *new_path)
{
    text *old = read_text(old_path), *fresh = read_text(new_path);
    int(*common)[MOST_LINES + 1] = calloc(MOST_LINES + 1, sizeof *common);
    bool done = old && fresh && common;
    if (done) {
        for (int i = old->count - 1; i >= 0; i--) {
            for (int j = fresh->count - 1; j >= 0; j--) {
                int skip = common[i + 1][j] > common[i][j + 1] ? common[i + 1][j] : common[i][j + 1];
                common[i][j] = strcmp(old->lines[i], fresh->lines[j]) == 0 ? common[i + 1][j + 1] + 1 : skip;
            }
        }
        print_changes(old, fresh, common);
    }
    free(common);
    free(fresh);
    free(old);
    return done;
}

void print_board(const reversi_state *state, const char *aside)
{
    puts("      a b c d e f g h");
    for (uint32_t row = 0; row < BOARD_SIDE; row++) {
        printf("    %u", row + 1);
        for (uint32_t column = 0; column < BOARD_SIDE; column++)
            printf(" %c", ".XO"[state->board[row * BOARD_SIDE + column]]);
        int length = (int)strcspn(aside, "\n");
        printf("%s%.*s\n", length ? "   " : "", length, aside);
        aside += length + (aside[length] == '\n');
    }
}

void print_event(const kifu_event *event)
{
    char square[3], fields[64] = "";
    if (event->type == REVERSI_P_PLACE) {
        const reversi_p_place *place = event->table;
        board_square_name(place->square, square);
        snprintf(fields, sizeof fields, "square %s, seconds %d", square, place->seconds);
    } else if (event->type == REVERSI_E_FLIP) {
        board_square_name(((const reversi_e_flip *)event->table)->square, square);
        snprintf(fields, sizeof fields, "square %s", square);
    }
    printf("    %4u  %-18s %-24s", event->index, event->name, fields);
    if (event->player >= 0)
        printf(" by player %d", event->player);
    if (event->cause != KIFU_NONE)
        printf(" because of %u", event->cause);
    puts("");
}
