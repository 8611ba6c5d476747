// The right half of the screen: what is there besides the board.

#include <curses.h>
#include <kifu/notes.h>
#include <stdio.h>

#include "game.h"
#include "marks.h"
#include "rules.h"
#include "view.h"
#include "walk.h"

enum { X = 45, WIDTH = 35, PLAYERS_Y = 2, STEPS_Y = 6, STEPS = 7, BEFORE = 4, COMMENT_Y = 14, COMMENT_ROWS = 7 };

// --- Players ---------------------------------------------------------------------------------------------------------

static void draw_players(const kifu_timeline *timeline, const view_shown *shown)
{
    const go_state *state = go_get_state(timeline);
    for (int i = 0; i < 2; i++) {
        const int player = state->game.order[i];
        const bool turn = state->stage == GO_STAGE_PLAYING && state->game.turn == i;
        attron(turn ? A_BOLD : A_NORMAL);
        mvprintw(PLAYERS_Y + i, X, "%s %s  %-13.13s%3u captured", turn ? ">" : " ", i ? "White" : "Black",
                 player < 2 ? shown->names[player] : "", (unsigned)state->lost[1 - i]);
        attroff(turn ? A_BOLD : A_NORMAL);
    }
}

static void draw_state(const kifu_timeline *timeline, bool thinking)
{
    go_state state = *go_get_state(timeline);
    const bool counting = state.stage == GO_STAGE_COUNTING;
    char result[RESULT_LENGTH];
    if (counting) {
        state.lead = (int16_t)rules_lead(&state);
        state.ending = GO_ENDING_COUNTED;
        state.winner = state.lead > 0 ? GO_STONE_BLACK : state.lead < 0 ? GO_STONE_WHITE : GO_STONE_NONE;
    }
    go_result(&state, result);
    if (counting)
        mvprintw(PLAYERS_Y + 2, X + 2, "Counting: %s%s%s", result, state.agreed[0] ? ", black agrees" : "",
                 state.agreed[1] ? ", white agrees" : "");
    else if (state.stage == GO_STAGE_OVER)
        mvprintw(PLAYERS_Y + 2, X + 2, "Game over: %s", result);
    else
        mvprintw(PLAYERS_Y + 2, X + 2, "%s to move%s", rules_to_move(&state.game) == GO_STONE_BLACK ? "Black" : "White",
                 thinking ? " (thinking...)" : "");
}

// --- Steps -----------------------------------------------------------------------------------------------------------

// Which of the steps at its place it is, and of how many.
static void find_place(const kifu_timeline *timeline, uint32_t line, uint32_t first, uint32_t *place, uint32_t *count)
{
    uint32_t lines[100];
    *count = kifu_lines_after(timeline, line, first, lines, 100);
    *place = 0;
    while (*place < *count && *place < 100 && lines[*place] != kifu_line_of_event(timeline, line, first))
        ++*place;
}

static void draw_step(const kifu_timeline *timeline, uint32_t line, const step *step, uint32_t number, int row)
{
    const bool current = step->end == kifu_event_count(timeline);
    uint32_t place, count;
    char name[12], others[24] = "";
    kifu_note note;
    walk_name(timeline, step, name);
    find_place(timeline, line, step->first, &place, &count);
    if (count > 1 && step->kind != STEP_BEGIN)
        snprintf(others, sizeof others, "%u of %u", place + 1, count);
    const uint32_t owner = kifu_line_of_event(timeline, line, step->end - 1);
    const bool glyph = kifu_find_note(timeline, owner, step->end - 1, KIFU_NOTE_GLYPH, &note) && note.text;
    attron(current ? A_BOLD : A_NORMAL);
    mvprintw(STEPS_Y + row, X, "%s", current ? ">" : " ");
    if (step->kind != STEP_BEGIN)
        mvprintw(STEPS_Y + row, X + 2, "%3u", number);
    mvprintw(STEPS_Y + row, X + 6, "%c %s%s",
             step->stone == GO_STONE_BLACK   ? 'B'
             : step->stone == GO_STONE_WHITE ? 'W'
                                             : ' ',
             name, glyph ? note.text : "");
    mvprintw(STEPS_Y + row, X + 17, "%s", others);
    if (kifu_find_note(timeline, owner, step->end - 1, KIFU_NOTE_COMMENT, &note))
        mvaddstr(STEPS_Y + row, X + 28, "comment");
    attroff(current ? A_BOLD : A_NORMAL);
}

// The step of the current line that begins with an event, wherever that belongs.
static bool step_here(const kifu_timeline *timeline, uint32_t event, step *step)
{
    return step_at(timeline, kifu_line_of_event(timeline, kifu_current_line(timeline), event), event, step);
}

// Some before the current one, and what redo brings back.
static void draw_steps(const kifu_timeline *timeline)
{
    const uint32_t line = kifu_current_line(timeline), begin = game_begin(timeline), now = kifu_event_count(timeline);
    uint32_t total = 0, row = 0;
    step step;
    for (uint32_t event = begin; event < now && step_here(timeline, event, &step); event = step.end)
        total++;
    const uint32_t skipped = total > BEFORE ? total - BEFORE : 0;
    uint32_t number = 0;
    for (uint32_t event = begin; row < STEPS && step_here(timeline, event, &step); event = step.end, number++) {
        if (number >= skipped)
            draw_step(timeline, line, &step, number, (int)row++);
    }
}

static void draw_line(const kifu_timeline *timeline)
{
    kifu_line line;
    if (kifu_line_count(timeline) > 1 && kifu_find_line(timeline, kifu_current_line(timeline), &line))
        mvprintw(STEPS_Y + STEPS, X + 2, "line %u%s", line.id, line.main ? ", the main line" : "");
}

// --- The comment -----------------------------------------------------------------------------------------------------

// How many bytes of a text fit in a row, and in `next` where the rest begins. Characters may have several bytes.
static int fit(const char *text, const char **next)
{
    int bytes = 0, width = 0, space = 0;
    for (; text[bytes] && text[bytes] != '\n' && width < WIDTH; width++) {
        space = text[bytes] == ' ' ? bytes : space;
        for (bytes++; ((unsigned char)text[bytes] & 0xc0) == 0x80;)
            bytes++;
    }
    if (text[bytes] && text[bytes] != '\n' && text[bytes] != ' ' && space)
        bytes = space;
    *next = text + bytes + (text[bytes] == '\n' || text[bytes] == ' ');
    return bytes;
}

// What does not fit is left out: of what is being written, the beginning.
static void draw_text(const char *text, bool end)
{
    const char *at = text, *next;
    int rows = 0;
    for (; *at; at = next, rows++)
        fit(at, &next);
    int row = end && rows > COMMENT_ROWS ? COMMENT_ROWS - rows : 0;
    for (at = text; *at && row < COMMENT_ROWS; at = next, row++) {
        const int bytes = fit(at, &next);
        if (row >= 0)
            mvprintw(COMMENT_Y + row, X, "%.*s", bytes, at);
    }
    if (*at)
        mvaddstr(COMMENT_Y + COMMENT_ROWS - 1, X + WIDTH - 3, "...");
}

static void draw_comment(const kifu_timeline *timeline, const char *writing)
{
    const uint32_t count = kifu_event_count(timeline);
    const char *comment = count ? kifu_note_at(timeline, count - 1, KIFU_NOTE_COMMENT) : NULL;
    marks marks;
    if (writing || comment)
        draw_text(writing ? writing : comment, writing != NULL);
    marks_read(timeline, count ? count - 1 : 0, &marks);
    if (*marks.lines)
        mvprintw(COMMENT_Y + COMMENT_ROWS, X, "Lines: %.27s", marks.lines);
}

void panel_draw(const kifu_timeline *timeline, const view_shown *shown)
{
    draw_players(timeline, shown);
    draw_state(timeline, shown->thinking);
    draw_steps(timeline);
    draw_line(timeline);
    draw_comment(timeline, shown->writing);
}
