#include <kifu/notes.h>
#include <stdlib.h>

#include "points.h"
#include "rules.h"
#include "sgf.h"
#include "sgf_notes.h"
#include "sgf_root.h"
#include "steps.h"

enum { NODES_A_ROW = 10 };

// The rest of a line, from one of its events on.
typedef struct rest {
    uint32_t line, first;
} rest;

typedef struct rests {
    rest *items;
    uint32_t count, room;
} rests;

typedef struct writer {
    const kifu_timeline *timeline;
    const go_terms *terms;
    bool tree;
    buffer out;
    uint32_t nodes;   // since the last line break
    kifu_line *lines; // by parent, place and number
    uint32_t line_count;
    rests waiting;  // what is still to be written; the next one is the last
    rests branches; // of the node that was written last
} writer;

static const rest closing = {0, KIFU_NONE}; // Here a variation ends.

static void add(writer *writer, rests *rests, rest item)
{
    if (rests->count == rests->room) {
        const uint32_t room = 2 * rests->room + 16;
        rest *items = realloc(rests->items, room * sizeof *items);
        writer->out.failed |= !items;
        if (!items)
            return;
        rests->items = items;
        rests->room = room;
    }
    rests->items[rests->count++] = item;
}

// --- Nodes -----------------------------------------------------------------------------------------------------------

// The line whose notes those of an event are.
static uint32_t owner(const writer *writer, rest rest)
{
    return rest.line == GAME_LINE
               ? kifu_line_of_event(writer->timeline, kifu_current_line(writer->timeline), rest.first)
               : rest.line;
}

static bool is_node(const writer *writer, uint32_t line, const step *step)
{
    return step->kind == STEP_MOVE || step->kind == STEP_EDIT ||
           sgf_has_notes(writer->timeline, owner(writer, (rest){line, step->end - 1}), step->end - 1);
}

static void put_edit(writer *writer, uint32_t line, const step *step)
{
    kifu_event event;
    if (step->edit == KIFU_NONE || !step_event(writer->timeline, line, step->edit, &event))
        return;
    const go_p_edit *edit = event.table;
    sgf_put_points(&writer->out, writer->terms, "AB", go_p_edit_black(edit), go_p_edit_black_count(edit));
    sgf_put_points(&writer->out, writer->terms, "AE", go_p_edit_empty(edit), go_p_edit_empty_count(edit));
    sgf_put_points(&writer->out, writer->terms, "AW", go_p_edit_white(edit), go_p_edit_white_count(edit));
    if (edit->first && step->kind != STEP_MOVE) // A move says itself whose turn it was.
        buffer_print(&writer->out, "PL[%c]", edit->first == GO_STONE_WHITE ? 'W' : 'B');
}

static void put_node(writer *writer, uint32_t line, const step *step)
{
    char text[POINT_LENGTH + 1];
    buffer_print(&writer->out, writer->nodes && writer->nodes % NODES_A_ROW == 0 ? "\n;" : ";");
    writer->nodes++;
    put_edit(writer, line, step);
    if (step->kind == STEP_MOVE) {
        point_write_sgf(writer->terms, step->point, text);
        buffer_print(&writer->out, "%c[%s]", step->stone == GO_STONE_BLACK ? 'B' : 'W', text);
    }
    const uint32_t event = step->end - 1;
    sgf_notes_put(&writer->out, writer->timeline, owner(writer, (rest){line, event}), event, step->stone, false);
}

// --- Lines -----------------------------------------------------------------------------------------------------------

static int compare_lines(const void *a, const void *b)
{
    const kifu_line *one = a, *other = b;
    if (one->parent != other->parent)
        return one->parent < other->parent ? -1 : 1;
    if (one->from != other->from)
        return one->from < other->from ? -1 : 1;
    return one->main != other->main ? (one->main ? -1 : 1) : one->id < other->id ? -1 : one->id > other->id;
}

// From here on, `main` says of a line that the main line goes through its first event.
static void mark_main(kifu_line *lines, uint32_t count, const kifu_timeline *timeline)
{
    kifu_line line;
    for (uint32_t number = kifu_main_line(timeline); number; number = line.parent) {
        (void)kifu_find_line(timeline, number, &line);
        for (uint32_t i = 0; i < count; i++)
            lines[i].main |= lines[i].id == number;
    }
}

// All lines but the first, which branches off nowhere.
static bool list_lines(writer *writer)
{
    const uint32_t count = kifu_line_count(writer->timeline) - 1;
    writer->lines = calloc(count + 1, sizeof *writer->lines);
    writer->out.failed |= !writer->lines;
    if (!writer->lines)
        return false;
    for (uint32_t i = 0; i < count; i++)
        kifu_line_at(writer->timeline, i + 1, &writer->lines[i]);
    mark_main(writer->lines, count, writer->timeline);
    qsort(writer->lines, count, sizeof *writer->lines, compare_lines);
    writer->line_count = writer->tree ? count : 0;
    return true;
}

// The first of the lines that branch off from `parent`, at `from` or later.
static uint32_t first_line(const writer *writer, uint32_t parent, uint32_t from)
{
    uint32_t low = 0, high = writer->line_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const kifu_line *line = &writer->lines[middle];
        if (line->parent < parent || (line->parent == parent && line->from < from))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// How a line goes on after one of its steps, last first: the other lines, the line itself, the main line.
static void add_rests(writer *writer, rests *rests, uint32_t line, const step *step)
{
    kifu_event event;
    const uint32_t first = first_line(writer, line, step->first + 1), end = first_line(writer, line, step->end + 1);
    for (uint32_t i = end; i > first; i--) {
        if (!writer->lines[i - 1].main)
            add(writer, rests, (rest){writer->lines[i - 1].id, writer->lines[i - 1].from});
    }
    if (step_event(writer->timeline, line, step->end, &event))
        add(writer, rests, (rest){line, step->end});
    for (uint32_t i = end; i > first; i--) {
        if (writer->lines[i - 1].main)
            add(writer, rests, (rest){writer->lines[i - 1].id, writer->lines[i - 1].from});
    }
}

// The nodes that follow a step. Steps that are no nodes are left out, and what follows them takes their place.
static void find_branches(writer *writer, uint32_t line, const step *before)
{
    rests open = {0};
    step step;
    writer->branches.count = 0;
    add_rests(writer, &open, line, before);
    while (open.count) {
        const rest next = open.items[--open.count];
        if (!step_at(writer->timeline, next.line, next.first, &step))
            continue;
        if (is_node(writer, next.line, &step))
            add(writer, &writer->branches, next);
        else
            add_rests(writer, &open, next.line, &step);
    }
    free(open.items);
}

// --- Games -----------------------------------------------------------------------------------------------------------

// What follows a node. False: it is one node; otherwise each waits as a variation.
static bool branches_off(writer *writer, uint32_t line, const step *step)
{
    find_branches(writer, line, step);
    if (writer->branches.count == 1)
        return false;
    for (uint32_t i = writer->branches.count; i > 0; i--) {
        add(writer, &writer->waiting, closing);
        add(writer, &writer->waiting, writer->branches.items[i - 1]);
    }
    return true;
}

// A row of nodes, up to where it branches off.
static void put_row(writer *writer, rest rest)
{
    step step;
    while (step_at(writer->timeline, rest.line, rest.first, &step)) {
        put_node(writer, rest.line, &step);
        if (branches_off(writer, rest.line, &step))
            return;
        rest = writer->branches.items[0];
    }
}

// What the main line's events say.
static sgf_outcome outcome_of(const writer *writer, const kifu_event *set_up)
{
    go_state state = *go_get_state(writer->timeline);
    sgf_outcome outcome;
    kifu_line main;
    (void)kifu_find_line(writer->timeline, kifu_main_line(writer->timeline), &main);
    if (writer->tree) {
        state.terms = ((const go_e_set_up *)set_up->table)->terms;
        state.ending = GO_ENDING_NONE;
    }
    kifu_event event;
    for (uint32_t i = set_up->index + 1; writer->tree && i < main.from + main.count; i++) {
        if (!kifu_line_event(writer->timeline, kifu_line_of_event(writer->timeline, main.id, i), i, &event))
            continue;
        if (event.type == GO_E_CHANGE_KOMI)
            state.terms.komi = ((const go_e_change_komi *)event.table)->komi;
        if (event.type == GO_E_FINISH) {
            const go_e_finish *finish = event.table;
            state.ending = finish->ending;
            state.winner = finish->winner;
            state.lead = finish->lead;
        }
    }
    outcome.komi = state.terms.komi;
    go_result(&state, outcome.result);
    return outcome;
}

static void put_game(writer *writer, uint32_t line, const kifu_event *set_up)
{
    const sgf_outcome outcome = outcome_of(writer, set_up);
    const step root = {.first = set_up->index, .end = set_up->index + 1};
    const uint32_t notes = owner(writer, (rest){line, set_up->index});
    buffer_print(&writer->out, "(;");
    sgf_root_put(&writer->out, writer->timeline, notes, set_up, &outcome);
    sgf_notes_put(&writer->out, writer->timeline, notes, set_up->index, GO_STONE_NONE, true);
    writer->nodes = NODES_A_ROW; // What follows begins a new row.
    if (!branches_off(writer, line, &root))
        put_row(writer, writer->branches.items[0]);
    while (writer->waiting.count) {
        const rest next = writer->waiting.items[--writer->waiting.count];
        buffer_print(&writer->out, next.first == closing.first ? ")" : "\n(");
        writer->nodes = 0;
        if (next.first != closing.first)
            put_row(writer, next);
    }
    buffer_print(&writer->out, ")\n");
}

char *sgf_write(const kifu_timeline *timeline, bool tree)
{
    writer writer = {.timeline = timeline, .tree = tree, .terms = &go_get_state(timeline)->terms};
    const uint32_t begin = game_begin(timeline);
    kifu_event set_up;
    if (begin == KIFU_NONE) {
        buffer_print(&writer.out, "(;FF[4]GM[1])\n");
    } else if (list_lines(&writer)) {
        kifu_event_at(timeline, begin, &set_up);
        put_game(&writer, tree ? kifu_line_of_event(timeline, kifu_current_line(timeline), begin) : GAME_LINE, &set_up);
    }
    free(writer.lines);
    free(writer.waiting.items);
    free(writer.branches.items);
    if (!writer.out.failed)
        return writer.out.text;
    free(writer.out.text);
    return NULL;
}
