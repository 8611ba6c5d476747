#include "tree.h"

#include <stdlib.h>

#include "fen.h"
#include "moves.h"
#include "remarks.h"

// A line of the game, while the tree is built.
typedef struct way {
    kifu_line line;
    uint32_t first, count; // its moves among the nodes
    uint32_t from;         // the move from which it goes on; KIFU_NONE: it belongs to no game, or to an earlier one
} way;

typedef struct builder {
    tree *tree;
    const kifu_timeline *timeline;
    uint32_t set_up; // the event
    way *ways;
    uint32_t count;
    uint32_t room; // for so many nodes
} builder;

static way *way_of(const builder *builder, uint32_t line)
{
    uint32_t low = 0, high = builder->count; // they are in the order of their numbers
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        *(builder->ways[middle].line.id <= line ? &low : &high) = middle;
    }
    return &builder->ways[low];
}

// The way to which an event belongs that lies on the way to `way`.
static const way *owner_of(const builder *builder, const way *way, uint32_t event)
{
    while (event < way->line.from)
        way = way_of(builder, way->line.parent);
    return way;
}

// The last move of a way among its first `count` events, with those that lead to it.
static uint32_t last_move(const builder *builder, const way *way, uint32_t count)
{
    const tree_node *nodes = builder->tree->nodes;
    uint32_t low = way->first, high = way->first + way->count;
    if (way->from == KIFU_NONE || count <= builder->set_up)
        return KIFU_NONE;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        *(nodes[middle].event < count ? &low : &high) = nodes[middle].event < count ? middle + 1 : middle;
    }
    return low > way->first ? low - 1 : way->line.from < count ? way->from : KIFU_NONE;
}

static bool find_set_up(builder *builder)
{
    kifu_event event;
    for (uint32_t i = kifu_event_count(builder->timeline); i > 0 && kifu_event_at(builder->timeline, i - 1, &event);
         i--) {
        builder->set_up = i - 1;
        if (event.type != CHESS_E_SET_UP)
            continue;
        builder->tree->fen = chess_e_set_up_fen(event.table);
        return true;
    }
    return false;
}

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

// The moves of a line behind those that it shares with its parent.
static bool add_moves(builder *builder, way *way)
{
    const uint32_t end = way->line.from + way->line.count;
    uint32_t before = way->from;
    kifu_event event;
    for (uint32_t i = way->line.from <= builder->set_up ? builder->set_up + 1 : way->line.from; i < end; i++) {
        if (!kifu_line_event(builder->timeline, way->line.id, i, &event) || event.type != CHESS_P_MOVE)
            continue;
        const chess_p_move *move = event.table;
        const tree_node node = {.move = {move->from, move->to, move->promotion},
                                .line = way->line.id,
                                .event = i,
                                .before = before,
                                .first = KIFU_NONE,
                                .next = KIFU_NONE};
        if (!add_node(builder, node))
            return false;
        before = builder->tree->count - 1;
        way->count++;
    }
    return true;
}

static bool add_lines(builder *builder)
{
    const uint32_t current = kifu_current_line(builder->timeline);
    for (uint32_t i = 0; i < builder->count; i++)
        kifu_line_at(builder->timeline, i, &builder->ways[i].line);
    const way *root = owner_of(builder, way_of(builder, current), builder->set_up);
    const tree_node set_up = {
        .line = root->line.id, .event = builder->set_up, .before = KIFU_NONE, .first = KIFU_NONE, .next = KIFU_NONE};
    if (!add_node(builder, set_up))
        return false;
    for (uint32_t i = 0; i < builder->count; i++) {
        way *way = &builder->ways[i];
        way->first = builder->tree->count;
        way->from = 0;
        if (way != root)
            way->from = i ? last_move(builder, way_of(builder, way->line.parent), way->line.from) : KIFU_NONE;
        if (way->from != KIFU_NONE && !add_moves(builder, way))
            return false;
    }
    return true;
}

static void put_first(tree *tree, uint32_t node)
{
    uint32_t *first = &tree->nodes[tree->nodes[node].before].first, *link = first;
    while (*link != node)
        link = &tree->nodes[*link].next;
    *link = tree->nodes[node].next;
    tree->nodes[node].next = *first;
    *first = node;
}

// The end of the main line, and all moves that lead to it before their variations.
static void find_main_line(builder *builder)
{
    tree *tree = builder->tree;
    const way *main = way_of(builder, kifu_current_line(builder->timeline));
    for (uint32_t i = 0; i < builder->count; i++) {
        if (builder->ways[i].line.main && builder->ways[i].from != KIFU_NONE)
            main = &builder->ways[i];
    }
    const uint32_t end = main->line.from + main->line.count;
    tree->end = last_move(builder, main, end);
    for (uint32_t node = tree->end; node; node = tree->nodes[node].before)
        put_first(tree, node);
    kifu_event event;
    for (uint32_t i = tree->nodes[tree->end].event + 1; i < end; i++) {
        const way *owner = owner_of(builder, main, i);
        if (!kifu_line_event(builder->timeline, owner->line.id, i, &event) || event.type != CHESS_E_FINISH)
            continue;
        const chess_e_finish *finish = event.table;
        tree->ending = finish->ending;
        tree->winner = finish->winner;
    }
    const bool bare = tree->end == 0; // no move was made in it: the first line with moves is shown in its place
    while (bare && tree->nodes[tree->end].first != KIFU_NONE)
        tree->end = tree->nodes[tree->end].first;
}

bool tree_build(tree *tree, const kifu_timeline *timeline)
{
    builder builder = {.tree = tree, .timeline = timeline, .count = kifu_line_count(timeline)};
    *tree = (struct tree){.timeline = timeline, .winner = CHESS_SIDE_NOBODY};
    builder.ways = calloc(builder.count, sizeof *builder.ways);
    const bool good = builder.ways && find_set_up(&builder) && add_lines(&builder);
    if (good) {
        const way *current = way_of(&builder, kifu_current_line(timeline));
        find_main_line(&builder);
        tree->now = last_move(&builder, owner_of(&builder, current, kifu_event_count(timeline) - 1),
                              kifu_event_count(timeline));
    }
    free(builder.ways);
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
