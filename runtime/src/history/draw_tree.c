// The tree of lines, as a view draws it.
//
// What branches off from a line is sorted by where. So one pass goes over the tree, each stretch once, and whatever is
// to be drawn later waits on a stack.

#include <stdlib.h>

#include "history/lines.h"

// Of a line.
typedef struct node {
    uint32_t end;
    uint32_t first_twig, last_twig; // What branches off from it: the last one is behind them.
    uint32_t main, current;         // Main and current line lead through its events before these; 0: not at all.
} node;

// That a line branches off.
typedef struct twig {
    uint32_t parent, from, line;
} twig;

// A stretch that is to be drawn.
typedef struct pending {
    uint32_t line, from, twig; // Of what branches off from its line, the first that may do so behind it.
    uint32_t parent, before;   // Places of stretches: the one that it follows, and the one that follows that before it.
    bool straight;
} pending;

typedef struct drawing {
    node *nodes; // By the numbers of the lines.
    twig *twigs;
    pending *stack;
    uint32_t twig_count, waiting;
    kifu_stretch *stretches;
    uint32_t count, rows;
} drawing;

// --- What branches off where -----------------------------------------------------------------------------------------

static int in_order(const void *a, const void *b)
{
    const twig *left = (const twig *)a, *right = (const twig *)b;
    const uint32_t l[] = {left->parent, left->from, left->line}, r[] = {right->parent, right->from, right->line};
    int at = 0;
    while (at < 2 && l[at] == r[at])
        at++;
    return (l[at] > r[at]) - (l[at] < r[at]);
}

static void sort_twigs(drawing *drawing)
{
    const twig *twigs = drawing->twigs;
    if (drawing->twig_count)
        qsort(drawing->twigs, drawing->twig_count, sizeof *twigs, in_order);
    for (uint32_t i = 0; i < drawing->twig_count; i++) {
        node *parent = &drawing->nodes[twigs[i].parent];
        if (parent->first_twig == parent->last_twig)
            parent->first_twig = i;
        parent->last_twig = i + 1;
        if (parent->end < twigs[i].from) // In a search, it may be shorter.
            parent->end = twigs[i].from;
    }
}

// How far a line leads through the events of another one.
static uint32_t led_by(const kifu__lines *lines, uint32_t line, const kifu__line *other)
{
    const kifu__branch *path = lines->items[line].branch;
    return kifu__leads_through(path, other->branch) ? kifu__leaves(path, other->branch) : 0;
}

static void take_lines(const kifu_timeline *timeline, const kifu__lines *lines, drawing *drawing)
{
    for (uint32_t i = 0; i < lines->listed_count; i++) {
        const uint32_t id = lines->listed[i];
        const kifu__line *line = &lines->items[id];
        const uint32_t end = kifu__shown_end(timeline, lines, line);
        drawing->nodes[id] = (node){.end = end > line->from ? end : line->from,
                                    .main = led_by(lines, lines->main, line),
                                    .current = led_by(lines, lines->current, line)};
        if (i) // The first line branches off from none.
            drawing->twigs[drawing->twig_count++] = (twig){line->parent, line->from, id};
    }
    sort_twigs(drawing);
}

// --- Drawing ---------------------------------------------------------------------------------------------------------

static void wait_to_draw(drawing *drawing, uint32_t line, uint32_t from, uint32_t twig, bool straight)
{
    drawing->stack[drawing->waiting++] = (pending){line, from, twig, drawing->count, KIFU_NONE, straight};
}

// Behind the stretch of `at`, lines part after event `fork`: the last one to be drawn waits first.
static void part(drawing *drawing, const pending *at, uint32_t fork)
{
    const node *node = &drawing->nodes[at->line];
    const twig *twigs = drawing->twigs;
    const bool goes_on = node->end > fork;
    uint32_t end = at->twig, straight = goes_on ? KIFU_NONE : at->twig;
    for (; end < node->last_twig && twigs[end].from == fork; end++) {
        if (drawing->nodes[twigs[end].line].main)
            straight = end;
    }
    for (uint32_t i = end; i-- > at->twig;) {
        const uint32_t line = twigs[i].line;
        if (i != straight)
            wait_to_draw(drawing, line, fork, drawing->nodes[line].first_twig, false);
    }
    if (goes_on)
        wait_to_draw(drawing, at->line, fork, end, straight == KIFU_NONE);
    if (straight != KIFU_NONE)
        wait_to_draw(drawing, twigs[straight].line, fork, drawing->nodes[twigs[straight].line].first_twig, true);
    drawing->stretches[drawing->count].parts = end - at->twig + goes_on;
}

// Whether a line that leads through events of this one before `until` leads through this stretch.
static bool leads_through(uint32_t until, const kifu_stretch *stretch)
{
    return until > stretch->from || (until == stretch->from && !stretch->count && until);
}

static void draw_next(drawing *drawing)
{
    const pending at = drawing->stack[--drawing->waiting];
    const node *node = &drawing->nodes[at.line];
    const bool forks = at.twig < node->last_twig;
    const uint32_t end = forks ? drawing->twigs[at.twig].from : node->end, place = drawing->count;
    const kifu_stretch *parent = at.parent == KIFU_NONE ? NULL : &drawing->stretches[at.parent];
    kifu_stretch *made = &drawing->stretches[place];
    *made = (kifu_stretch){
        .line = at.line,
        .from = at.from,
        .count = end > at.from ? end - at.from : 0,
        .row = at.straight ? parent ? parent->row : 0 : ++drawing->rows,
        .depth = parent ? parent->depth + !at.straight : 0,
        .parent = at.parent,
        .next = KIFU_NONE,
    };
    made->main = !parent || leads_through(node->main, made);
    made->current = !parent || leads_through(node->current, made);
    if (at.before != KIFU_NONE)
        drawing->stretches[at.before].next = place;
    if (drawing->waiting && drawing->stack[drawing->waiting - 1].parent == at.parent)
        drawing->stack[drawing->waiting - 1].before = place;
    if (forks)
        part(drawing, &at, end);
    drawing->count++;
}

kifu_result kifu__lines_draw(const kifu_timeline *timeline, const kifu__lines *lines, kifu_stretch *stretches,
                             uint32_t *count, kifu_error *error)
{
    const size_t listed = lines->listed_count, line_count = lines->count;
    const size_t each = sizeof(twig) + sizeof(pending); // Of a line, one stretch waits.
    unsigned char *bytes = line_count > SIZE_MAX / (sizeof(node) + each)
                               ? NULL
                               : kifu__new(&timeline->memory, line_count * sizeof(node) + listed * each);
    *count = 0;
    if (!bytes)
        return kifu__error(error, KIFU_NO_MEMORY, "out of memory for drawing %u lines", (unsigned)listed);
    drawing drawing = {.nodes = (node *)(void *)bytes, .stretches = stretches};
    drawing.twigs = (twig *)(void *)(drawing.nodes + line_count);
    drawing.stack = (pending *)(void *)(drawing.twigs + listed);
    take_lines(timeline, lines, &drawing);
    const uint32_t first = lines->listed[0];
    drawing.stack[drawing.waiting++] =
        (pending){first, lines->items[first].from, drawing.nodes[first].first_twig, KIFU_NONE, KIFU_NONE, true};
    while (drawing.waiting)
        draw_next(&drawing);
    kifu__free(&timeline->memory, bytes);
    *count = drawing.count;
    return KIFU_OK;
}
