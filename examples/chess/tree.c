#include "tree.h"

#include <stdlib.h>

#include "fen.h"
#include "moves.h"
#include "remarks.h"

typedef struct builder {
    tree *tree;
    kifu_stretch *stretches; // what Kifu draws: events up to where lines part
    uint32_t *ends;          // of each stretch, the last move in it or before it; KIFU_NONE: the game has not begun
    uint32_t count, room;    // of stretches; room for so many moves
    uint32_t set_up;         // the event
} builder;

static bool find_set_up(builder *builder)
{
    const kifu_timeline *timeline = builder->tree->timeline;
    kifu_event event;
    for (uint32_t i = kifu_event_count(timeline); i > 0 && kifu_event_at(timeline, i - 1, &event); i--) {
        builder->set_up = i - 1;
        if (event.type != CHESS_E_SET_UP)
            continue;
        builder->tree->fen = chess_e_set_up_fen(event.table);
        return true;
    }
    return false;
}

// The last of those that follow the move before it.
static bool add_node(builder *builder, tree_node node)
{
    tree *tree = builder->tree;
    if (tree->count == builder->room) {
        builder->room = 2 * builder->room + 64;
        tree_node *nodes = realloc(tree->nodes, builder->room * sizeof *nodes);
        if (!nodes)
            return false;
        tree->nodes = nodes;
    }
    tree->nodes[tree->count++] = node;
    if (node.before == KIFU_NONE)
        return true;
    uint32_t *link = &tree->nodes[node.before].first;
    while (*link != KIFU_NONE)
        link = &tree->nodes[*link].next;
    *link = tree->count - 1;
    return true;
}

// An event behind the move `*last`.
static bool add_event(builder *builder, const kifu_stretch *stretch, const kifu_event *event, uint32_t *last)
{
    tree *tree = builder->tree;
    const bool begins = event->index == builder->set_up && stretch->current;
    if (event->type == CHESS_E_FINISH && stretch->main && *last != KIFU_NONE) {
        const chess_e_finish *finish = event->table;
        tree->ending = finish->ending;
        tree->winner = finish->winner;
    }
    if (!begins && (event->type != CHESS_P_MOVE || *last == KIFU_NONE))
        return true;
    tree_node node = {.line = stretch->line,
                      .event = event->index,
                      .before = begins ? KIFU_NONE : *last,
                      .first = KIFU_NONE,
                      .next = KIFU_NONE};
    if (!begins) {
        const chess_p_move *move = event->table;
        node.move = (chess_move){move->from, move->to, move->promotion};
    }
    *last = tree->count;
    if (stretch->main)
        tree->end = *last;
    if (stretch->current && event->index < kifu_event_count(tree->timeline))
        tree->now = *last;
    return add_node(builder, node);
}

// A stretch comes behind the one that it follows.
static bool add_stretches(builder *builder)
{
    kifu_event event;
    for (uint32_t i = 0; i < builder->count; i++) {
        const kifu_stretch *stretch = &builder->stretches[i];
        uint32_t *last = &builder->ends[i];
        *last = stretch->parent == KIFU_NONE ? KIFU_NONE : builder->ends[stretch->parent];
        for (uint32_t k = stretch->from; k < stretch->from + stretch->count; k++) {
            if (kifu_line_event(builder->tree->timeline, stretch->line, k, &event) &&
                !add_event(builder, stretch, &event, last))
                return false;
        }
    }
    return true;
}

bool tree_build(tree *tree, kifu_timeline *timeline)
{
    const uint32_t room = 2 * kifu_line_count(timeline);
    builder builder = {.tree = tree};
    *tree = (struct tree){.timeline = timeline, .winner = CHESS_SIDE_NOBODY};
    builder.stretches = calloc(room, sizeof *builder.stretches);
    builder.ends = calloc(room, sizeof *builder.ends);
    const bool good = builder.stretches && builder.ends && find_set_up(&builder) &&
                      !kifu_draw_tree(timeline, builder.stretches, room, &builder.count, NULL) &&
                      add_stretches(&builder);
    free(builder.stretches);
    free(builder.ends);
    const bool bare = good && tree->end == 0; // no move was made in the main line: the first one with moves is shown
    while (bare && tree->nodes[tree->end].first != KIFU_NONE)
        tree->end = tree->nodes[tree->end].first;
    if (!good)
        tree_free(tree);
    return good;
}

void tree_free(tree *tree)
{
    free(tree->nodes);
    tree->nodes = NULL;
    tree->count = 0;
}

chess_position tree_begin(const tree *tree)
{
    chess_position position = {0};
    fault fault;
    (void)fen_read(tree->fen ? tree->fen : fen_start, &position, &fault);
    return position;
}

chess_position tree_after(const chess_position *before, chess_move move)
{
    chess_position after = *before;
    const change change = move_changes(before, move);
    move_apply(&after, &change);
    return after;
}

const char *tree_note(const tree *tree, uint32_t node, const char *key)
{
    kifu_note note;
    return kifu_find_note(tree->timeline, tree->nodes[node].line, tree->nodes[node].event, key, &note) ? note.text
                                                                                                       : NULL;
}
