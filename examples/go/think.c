#include "think.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "playout.h"
#include "rules.h"

// What a node must have been visited before its moves are nodes, too; what it is thought to be worth before any visit
// counts as so many; visits at which its own results count as much as those of the same move played later.
enum { GROWS_AT = 3, PRIOR = 12, EQUAL_AT = 800 };

enum { TRIES = 1000, MOST_NODES = 2000000, MOST_DEPTH = 128, COUNTED = 256 };

// Of a move. Wins are those of who plays it; `later` are games in which it was played by the same colour, but later
// (AMAF; Gelly and Silver, "Combining online and offline knowledge in UCT", 2007).
typedef struct node {
    float wins, later_wins;
    uint32_t visits, later_visits;
    uint32_t first; // Of its `count` moves.
    uint16_t count, move;
} node;

typedef struct tree {
    node *nodes;
    uint32_t used, room;
    uint64_t random;
    const go_state *state;
    uint16_t moves[MOST_DEPTH + MOST_MOVES];
    uint16_t played_at[CELLS]; // Where in `moves` a cell was played on first, counted from 1.
} tree;

// --- What a move is worth before it was tried ------------------------------------------------------------------------

static bool is_near(const fast_board *board, uint32_t at)
{
    for (int down = -2; down <= 2; down++) {
        for (int right = -2; right <= 2; right++) {
            const int to = (int)at + down * (int)WIDTH + right;
            if (abs(down) + abs(right) < 4 && to >= 0 && to < (int)CELLS && is_stone(board->cell[to]))
                return true;
        }
    }
    return false;
}

static bool is_at_edge(const fast_board *board, uint32_t at)
{
    bool edge = false;
    for (uint32_t i = 0; i < 4; i++)
        edge = edge || board->cell[at + fast_beside[i]] == FAST_EDGE;
    return edge;
}

static uint32_t distance(uint32_t one, uint32_t other)
{
    const int down = (int)(one / WIDTH) - (int)(other / WIDTH), right = (int)(one % WIDTH) - (int)(other % WIDTH);
    return (uint32_t)(abs(down) + abs(right));
}

static float expect(const fast_board *board, uint32_t at, uint32_t answer)
{
    float worth = 0.5F;
    if (!at)
        return board->passes ? 0.4F : 0.1F;
    if (playout_room(board, at) < 2)
        return 0.15F;
    if (at == answer)
        worth += 0.2F;
    if (board->last && distance(at, board->last) < 4)
        worth += 0.05F * (float)(4 - distance(at, board->last));
    if (is_at_edge(board, at))
        worth -= is_near(board, at) ? 0.1F : 0.3F;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t to = at + fast_beside[i];
        if (is_stone(board->cell[to]) && fast_in_atari(board, to))
            return worth + 0.2F;
    }
    return worth;
}

// --- The tree --------------------------------------------------------------------------------------------------------

static void add_node(tree *tree, const fast_board *board, uint32_t at, uint32_t answer)
{
    const float worth = expect(board, at, answer);
    tree->nodes[tree->used++] = (node){.later_wins = worth * PRIOR, .later_visits = PRIOR, .move = (uint16_t)at};
}

// The moves behind a node. False: there is no room for them; then it stays a leaf.
static bool grow(tree *tree, uint32_t at, const fast_board *board)
{
    const uint32_t answer = playout_answer(board, &tree->random);
    if (tree->room - tree->used < board->empty_count + 1)
        return false;
    tree->nodes[at].first = tree->used;
    for (uint32_t i = 0; i < board->empty_count; i++) {
        if (fast_is_legal(board, board->empty[i]) && !fast_is_eye(board, board->to_move, board->empty[i]))
            add_node(tree, board, board->empty[i], answer);
    }
    add_node(tree, board, 0, 0);
    tree->nodes[at].count = (uint16_t)(tree->used - tree->nodes[at].first);
    return true;
}

static uint32_t select_move(const tree *tree, const node *parent)
{
    uint32_t best = parent->first;
    double most = -1;
    for (uint32_t i = parent->first; i < parent->first + parent->count; i++) {
        const node *node = &tree->nodes[i];
        const double later = node->later_wins / (double)node->later_visits;
        const double share = sqrt(EQUAL_AT / (3.0 * node->visits + EQUAL_AT));
        const double own = node->visits ? node->wins / (double)node->visits : later;
        const double worth = share * later + (1 - share) * own;
        if (worth > most) {
            most = worth;
            best = i;
        }
    }
    return best;
}

// What a game says of each node on its way, and of the moves that were not chosen there.
static void learn(tree *tree, const uint32_t *way, uint32_t depth, uint32_t count, float black)
{
    const uint8_t first = (uint8_t)rules_to_move(&tree->state->game);
    memset(tree->played_at, 0, sizeof tree->played_at);
    for (uint32_t i = count; i-- > 0;)
        tree->played_at[tree->moves[i]] = (uint16_t)(i + 1);
    for (uint32_t d = 0; d <= depth; d++) {
        node *node = &tree->nodes[way[d]];
        const uint8_t stone = d % 2 ? first ^ 3 : first; // Who moves behind it.
        const float wins = stone == GO_STONE_BLACK ? black : 1 - black;
        node->visits++;
        node->wins += 1 - wins; // It was the other colour's move.
        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            const uint32_t at = tree->played_at[tree->nodes[i].move];
            if (at <= d || (at - d) % 2 == 0 || !tree->nodes[i].move)
                continue;
            tree->nodes[i].later_visits++;
            tree->nodes[i].later_wins += wins;
        }
    }
}

static void try_once(tree *tree, const fast_board *root)
{
    fast_board board = *root;
    uint32_t way[MOST_DEPTH] = {0}, depth = 0, at = 0, count = 0;
    while (depth + 1 < MOST_DEPTH && board.passes < 2) {
        node *node = &tree->nodes[at];
        if (!node->count && (node->visits < GROWS_AT || !grow(tree, at, &board)))
            break;
        at = select_move(tree, &tree->nodes[at]);
        fast_play(&board, tree->nodes[at].move);
        tree->moves[count++] = tree->nodes[at].move;
        way[++depth] = at;
    }
    playout_play(&board, &tree->state->terms, &tree->random, tree->moves, &count);
    const int32_t lead = playout_lead(&board, &tree->state->terms);
    learn(tree, way, depth, count, lead > 0 ? 1 : lead < 0 ? 0 : 0.5F);
}

// --- The beginning and the end ---------------------------------------------------------------------------------------

// Of the moves behind the root, those that are legal by the rules of the game, which know of more than the simple ko.
static void begin(tree *tree, const fast_board *board)
{
    points captured;
    uint64_t key;
    tree->used = 1;
    tree->nodes[0] = (node){0};
    (void)grow(tree, 0, board);
    node *root = &tree->nodes[0];
    uint32_t kept = root->first;
    for (uint32_t i = root->first; i < tree->used; i++) {
        const uint32_t move = tree->nodes[i].move;
        if (!move || !rules_fault(tree->state, rules_to_move(&tree->state->game), fast_point(&tree->state->terms, move),
                                  &captured, &key))
            tree->nodes[kept++] = tree->nodes[i];
    }
    root->count = (uint16_t)(kept - root->first);
    tree->used = kept;
}

static double seconds_now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// 0: as many as there is time for.
static uint32_t tries_of(const kifu_thinking *thinking)
{
    return thinking->tries || thinking->seconds > 0 ? thinking->tries : TRIES;
}

static void grow_all(tree *tree, const fast_board *board, const kifu_thinking *thinking)
{
    const uint32_t tries = tries_of(thinking);
    const double begun = thinking->seconds > 0 ? seconds_now() : 0;
    double part = 0;
    for (uint32_t made = 0; part < 1; made++) {
        try_once(tree, board);
        part = tries ? (made + 1.0) / tries : 0;
        if (made % 16)
            continue;
        const double time = thinking->seconds > 0 ? (seconds_now() - begun) / thinking->seconds : 0;
        part = time > part ? time : part;
        if (thinking->progress && !thinking->progress(thinking->context, (uint64_t)(part * 1000), 1000))
            return;
    }
}

// By how much who is to move is ahead if the chains are dead that seem so.
static int32_t own_lead(const go_state *state)
{
    go_state marked = *state;
    think_of_dead(state, marked.dead);
    return rules_to_move(&state->game) == GO_STONE_BLACK ? rules_lead(&marked) : -rules_lead(&marked);
}

// Whether each empty point has one owner in nearly all games: then a move there changes nothing.
static bool is_settled(const go_state *state)
{
    playouts played;
    playouts_play(state, COUNTED, 1, &played);
    for (uint32_t point = 0; point < point_count(&state->terms); point++) {
        if (abs(played.black[point]) < COUNTED * 3 / 4)
            return false;
    }
    return true;
}

static void decide(const tree *tree, thought *thought)
{
    const go_state *state = tree->state;
    const node *root = &tree->nodes[0], *best = &tree->nodes[root->first];
    for (uint32_t i = root->first; i < root->first + root->count; i++) {
        if (tree->nodes[i].visits > best->visits)
            best = &tree->nodes[i];
    }
    thought->winning = best->visits ? best->wins / (double)best->visits : 0.5;
    thought->point = best->move ? fast_point(&state->terms, best->move) : NO_POINT;
    if ((state->passes && own_lead(state) > 0) || is_settled(state))
        thought->point = NO_POINT;
    thought->resigns = thought->point != NO_POINT && thought->winning < 0.05 && root->visits >= TRIES &&
                       state->plays > point_count(&state->terms) / 3;
}

kifu_result think(const go_state *state, const kifu_thinking *thinking, thought *thought)
{
    const uint64_t tries = tries_of(thinking), wanted = 1 + (tries / 4 + 8) * (point_count(&state->terms) + 1);
    const uint32_t room = tries && wanted < MOST_NODES ? (uint32_t)wanted : MOST_NODES;
    tree *tree = malloc(sizeof *tree);
    node *nodes = tree ? malloc(room * sizeof *nodes) : NULL;
    fast_board board;
    *thought = (struct thought){.point = NO_POINT, .winning = 0.5};
    if (nodes) {
        *tree = (struct tree){.nodes = nodes,
                              .room = room,
                              .random = (state->keys[state->plays] ^ thinking->seed * UINT64_C(0x9e3779b97f4a7c15)) | 1,
                              .state = state};
        fast_set_up(&board, state);
        begin(tree, &board);
        grow_all(tree, &board, thinking);
        decide(tree, thought);
    }
    free(nodes);
    free(tree);
    return nodes ? KIFU_OK : KIFU_NO_MEMORY;
}

void think_of_dead(const go_state *state, bool dead[MOST_POINTS])
{
    playouts played;
    points chain;
    bool seen[MOST_POINTS] = {false};
    playouts_play(state, COUNTED, 2, &played);
    memset(dead, 0, MOST_POINTS * sizeof *dead);
    for (uint32_t point = 0; point < point_count(&state->terms); point++) {
        if (!state->board[point] || seen[point])
            continue;
        uint32_t votes = 0;
        board_chain(&state->terms, state->board, point, NO_POINT, &chain);
        for (uint32_t i = 0; i < chain.count; i++)
            votes += playouts_dead(&played, state, chain.items[i]);
        for (uint32_t i = 0; i < chain.count; i++) {
            seen[chain.items[i]] = true;
            dead[chain.items[i]] = votes * 2 > chain.count;
        }
    }
}
