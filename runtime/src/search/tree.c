// Monte-Carlo tree search. Dice and hidden cards differ from try to try, so what is behind a move may, too: the moves
// that are legal are listed anew there, and compared by their bytes. Where neither had a part, they are listed once.
//
// All numbers are integers, so that every machine chooses the same.

#include "search/tree.h"

#include <kifu/search.h>

#include "core/attempt.h"
#include "search/moves.h"

enum { ONE = 65536, MOST_MOVES = 1000, BLOCK = 65536, BLOCK_HEAD = 16 };

// --- Numbers ---------------------------------------------------------------------------------------------------------

static uint32_t square_root(uint64_t number)
{
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit; bit >>= 1) {
        if ((root | bit) * (root | bit) <= number)
            root |= bit;
    }
    return (uint32_t)root;
}

// 1 over the square root of `number`, in 1/65,536.
static uint32_t over_root(const kifu__tree *tree, uint32_t number)
{
    uint32_t shift = 0;
    while (number >> 2 * shift >= KIFU__ROOTS)
        shift++;
    return tree->over_roots[number >> 2 * shift] >> shift;
}

// The square root of the logarithm of `number`, in 1/65,536; the logarithm is that of 2, straight between its powers.
static uint32_t root_of_log(uint32_t number)
{
    uint32_t power = 0;
    while (number >> (power + 1))
        power++;
    const uint64_t log = ((uint64_t)power << 16) + (((uint64_t)number << 16) >> power) - ONE;
    return square_root(log << 16);
}

// --- Branches --------------------------------------------------------------------------------------------------------

kifu_result kifu__no_memory_to_think(kifu_timeline *timeline)
{
    return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for the thinking of a bot");
}

// A block for `size` bytes at least. The first moves are there whatever the limit.
static bool add_block(kifu__tree *tree, uint64_t size)
{
    const uint64_t allowed = tree->used < tree->limit ? tree->limit - tree->used : 0;
    uint64_t whole = allowed < BLOCK ? allowed : BLOCK;
    whole = whole < BLOCK_HEAD + size ? BLOCK_HEAD + size : whole;
    tree->full = whole > allowed && tree->root;
    unsigned char *block = tree->full ? NULL : (unsigned char *)kifu__new(&tree->fork->memory, (size_t)whole);
    if (!block)
        return false;
    memcpy(block, &tree->blocks, sizeof tree->blocks);
    tree->blocks = block;
    tree->used += whole;
    tree->unused = block + BLOCK_HEAD;
    tree->left = whole - BLOCK_HEAD;
    return true;
}

// A new branch for a move; NULL: the tree is full, or there is no memory.
static kifu__edge *add_tree_branch(kifu__tree *tree, const kifu_move *move, bool plain)
{
    const uint64_t size = KIFU__EDGE + (((uint64_t)move->size + 7) & ~(uint64_t)7);
    if (tree->full || (size > tree->left && !add_block(tree, size)))
        return NULL;
    kifu__edge *branch = (kifu__edge *)(void *)tree->unused;
    tree->unused += size;
    tree->left -= size;
    tree->branch_count++;
    *branch =
        (kifu__edge){.size = move->size, .type = (uint8_t)move->type, .player = (int8_t)move->player, .plain = plain};
    memcpy((unsigned char *)branch + KIFU__EDGE, move->table, move->size);
    return branch;
}

static bool is_move(const kifu__edge *branch, const kifu_move *move)
{
    return branch->type == move->type && branch->player == move->player && branch->size == move->size &&
           memcmp(kifu__edge_event(branch), move->table, move->size) == 0;
}

// The branch of a move behind branch `at`, made where there is none; `*last` is that of the move before it in the list,
// or NULL. NULL as in add_tree_branch.
static kifu__edge *find_branch(kifu__tree *tree, kifu__edge *at, const kifu_move *move, bool plain, kifu__edge **last)
{
    kifu__edge **end = *last ? &(*last)->next : &at->first;
    for (; *end; end = &(*end)->next) {
        if (is_move(*end, move))
            return *last = *end;
    }
    for (kifu__edge *i = at->first; *last && i; i = i->next) {
        if (is_move(i, move)) // in another order than before
            return i;
    }
    *end = add_tree_branch(tree, move, plain);
    return *end ? *last = *end : NULL;
}

static void free_branches(kifu__tree *tree)
{
    while (tree->blocks) {
        void *block = tree->blocks;
        memcpy(&tree->blocks, block, sizeof tree->blocks);
        kifu__free(&tree->fork->memory, block);
    }
}

kifu_result kifu__tree_begin(kifu__tree *tree, const kifu_moves *moves, uint64_t seed)
{
    kifu_rng_seed(&tree->rng, seed, 0);
    for (uint32_t i = 1; i < KIFU__ROOTS; i++)
        tree->over_roots[i] = square_root((uint64_t)ONE * ONE / i);
    kifu__edge *root = add_tree_branch(tree, &(kifu_move){.table = ""}, false);
    kifu__edge **next = root ? &root->first : NULL;
    for (uint32_t i = 0; i < moves->count && next; i++) { // One for each, even where a game lists a move twice.
        *next = add_tree_branch(tree, &moves->items[i], false);
        next = *next ? &(*next)->next : NULL;
    }
    tree->root = root;
    return next ? KIFU_OK : kifu__no_memory_to_think(tree->fork);
}

void kifu__tree_join(kifu__tree *tree, const kifu__tree *other, uint64_t seed, uint32_t sequence)
{
    kifu_rng_seed(&tree->rng, seed, sequence);
    memcpy(tree->over_roots, other->over_roots, sizeof tree->over_roots);
    tree->root = other->root;
    tree->number = sequence << 28;
}

void kifu__tree_free(kifu__tree *tree)
{
    free_branches(tree);
    kifu__free(&tree->fork->memory, tree->path);
    kifu_free_moves(&tree->moves);
}

bool kifu__tree_is_decided(const kifu__tree *tree, uint32_t left)
{
    uint32_t most = 0, second = 0;
    for (const kifu__edge *i = tree->root->first; i; i = i->next) {
        const uint32_t visits = i->visits;
        if (visits > most) {
            second = most;
            most = visits;
        } else if (visits > second) {
            second = visits;
        }
    }
    return most - second > left;
}

// --- One try ---------------------------------------------------------------------------------------------------------

static kifu_rng *rng_of_state(kifu__tree *tree)
{
    return (kifu_rng *)(void *)tree->fork->core.state;
}

static int to_move(const kifu__tree *tree)
{
    if (kifu__game(tree->fork)->phase == KIFU_PHASE_GAME_OVER)
        return -1;
    return tree->bot->to_move ? tree->bot->to_move(tree->fork) : kifu_current_player(kifu__game(tree->fork));
}

static kifu_result make_move(kifu__tree *tree, const kifu_move *move, bool plain)
{
    kifu_result result = kifu__try(tree->fork, move->type, move->player, move->table, move->size, plain);
    tree->certain = tree->certain && memcmp(rng_of_state(tree), &tree->world, sizeof tree->world) == 0;
    return result;
}

static kifu_result make_branch(kifu__tree *tree, const kifu__edge *branch)
{
    const kifu_move move = {
        .table = kifu__edge_event(branch), .size = branch->size, .type = branch->type, .player = branch->player};
    return make_move(tree, &move, branch->plain);
}

// Lists what is legal behind branch `at`. What is behind the root was listed before the first try. If the tree gets
// full, a place has all its moves in it, or none.
static kifu_result list_branches(kifu__tree *tree, kifu__edge *at, int player)
{
    kifu_result result = kifu__list_candidates(tree->fork, player, &tree->moves);
    const bool is_new = !at->first;
    kifu__edge *last = NULL;
    for (uint32_t i = 0; i < tree->moves.count && !result; i++) {
        bool plain;
        result = kifu__ask_candidate(tree->fork, &tree->moves, i, &plain);
        if (result == KIFU_OK) {
            kifu__edge *found = find_branch(tree, at, &tree->moves.items[i], plain, &last);
            if (!found && !tree->full)
                return kifu__no_memory_to_think(tree->fork);
            if (found) {
                found->plain = plain;
                found->legal_in = tree->number;
            }
        } else if (result == KIFU_REJECTED) {
            result = KIFU_OK;
        }
    }
    if (is_new && tree->full)
        at->first = NULL;
    at->listed = tree->certain;
    return result;
}

// The most promising of the moves behind branch `at`: of `all`, or of those that were listed in this try; NULL: there
// is none. One that was never tried comes first.
static kifu__edge *choose_branch(kifu__tree *tree, const kifu__edge *at, bool all)
{
    kifu__edge *best = NULL;
    uint32_t untried = 0, chances = 0, root = 0;
    uint64_t most = 0;
    for (kifu__edge *branch = at->first; branch; branch = branch->next) {
        if (branch->broken || (!all && branch->legal_in != tree->number))
            continue;
        branch->chances++;
        if (!branch->visits) {
            if (kifu_rng_below(&tree->rng, ++untried) == 0)
                best = branch;
        } else if (!untried) {
            if (branch->chances != chances)
                root = root_of_log(chances = branch->chances);
            const uint64_t curious = (uint64_t)root * over_root(tree, branch->visits) >> 16;
            const uint64_t value = branch->worth / branch->visits + curious * 3 / 5 + 1;
            if (value > most) {
                most = value;
                best = branch;
            }
        }
    }
    return best;
}

kifu__edge *kifu__tree_choose(kifu__tree *tree, const kifu__edge *at)
{
    return choose_branch(tree, at, true);
}

// Makes the most promising move that happens, `*next`; NULL: there is none.
static kifu_result make_best(kifu__tree *tree, const kifu__edge *at, kifu__edge **next)
{
    kifu_result result = KIFU_OK;
    while ((*next = choose_branch(tree, at, at->listed && tree->certain))) {
        const bool certain = tree->certain;
        result = make_branch(tree, *next);
        if (!kifu__is_refusal(result))
            return result;
        if (certain)
            (*next)->broken = true;
        else
            (*next)->legal_in = 0;
    }
    return KIFU_OK;
}

static kifu_result add_to_path(kifu__tree *tree, kifu__edge *branch)
{
    kifu__edge **path = (kifu__edge **)kifu__grow(&tree->fork->memory, tree->path, &tree->path_capacity,
                                                  (uint64_t)tree->path_length + 1, sizeof *path);
    if (!path)
        return kifu__no_memory_to_think(tree->fork);
    tree->path = path;
    path[tree->path_length++] = branch;
    return KIFU_OK;
}

// Makes the moves with which each try begins. `*refused`: one does not happen with these dice or cards.
static kifu_result begin_try(kifu__tree *tree, bool *refused)
{
    kifu_result result = KIFU_OK;
    while (tree->path_length < tree->begin_length && !result) {
        kifu__edge *next = tree->begin[tree->path_length];
        result = make_branch(tree, next);
        *refused = kifu__is_refusal(result);
        if (*refused)
            return KIFU_OK;
        if (!result)
            result = add_to_path(tree, next);
    }
    return result;
}

// Goes down the tree, as far as it was tried before and one move further. `*ended`: there is no move behind that.
static kifu_result descend(kifu__tree *tree, bool *ended)
{
    bool refused = false;
    kifu_result result = begin_try(tree, &refused);
    if (result || refused)
        return result;
    kifu__edge *at = tree->begin_length ? tree->begin[tree->begin_length - 1] : tree->root;
    for (int player = tree->begin_length ? to_move(tree) : tree->player; player >= 0; player = to_move(tree)) {
        if (tree->full && !at->first)
            return KIFU_OK;
        if (!at->listed || !tree->certain)
            result = list_branches(tree, at, player);
        kifu__edge *next = NULL;
        if (!result)
            result = make_best(tree, at, &next);
        if (!result && next)
            result = add_to_path(tree, next);
        if (result || (next && !next->visits))
            return result;
        if (!next)
            break;
        at = next;
    }
    *ended = !tree->full;
    return KIFU_OK;
}

// A legal move by lot. `*made`: there was one.
static kifu_result make_any(kifu__tree *tree, int player, bool *made)
{
    *made = false;
    kifu_result result = kifu__list_candidates(tree->fork, player, &tree->moves);
    while (!result && tree->moves.count && !*made) {
        const uint32_t index = kifu_rng_below(&tree->rng, tree->moves.count);
        bool plain;
        result = kifu__ask_candidate(tree->fork, &tree->moves, index, &plain);
        if (!result)
            result = make_move(tree, &tree->moves.items[index], plain);
        *made = !result;
        if (kifu__is_refusal(result))
            result = KIFU_OK;
        kifu__drop_candidate(&tree->moves, index);
    }
    return result;
}

static kifu_result play_to_end(kifu__tree *tree)
{
    const uint32_t depth = tree->bot->depth == KIFU_AT_ONCE ? 0 : tree->bot->depth ? tree->bot->depth : MOST_MOVES;
    bool made = true;
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < depth && made && !result; i++) {
        const int player = to_move(tree);
        if (player < 0)
            break;
        result = make_any(tree, player, &made);
    }
    return result;
}

static void judge(kifu__tree *tree)
{
    double worth[128] = {0}; // by player: the number of one is 0 to 127
    tree->bot->judge(tree->fork, worth);
    for (uint32_t i = 0; i < tree->path_length; i++) {
        kifu__edge *branch = tree->path[i];
        const double its = branch->player < 0 ? 0 : worth[branch->player];
        const uint32_t counted = its >= 1 ? ONE : its > 0 ? (uint32_t)(its * ONE) : 0;
        if (i < tree->begin_length) {
            tree->begin_worth[i] += counted;
        } else {
            branch->visits++;
            branch->worth += counted;
        }
    }
}

static kifu_result deal(kifu__tree *tree)
{
    const kifu_result result = tree->bot->deal(tree->fork, tree->player);
    const kifu_error why = tree->fork->error;
    if (!result)
        return KIFU_OK;
    return kifu__error(&tree->fork->error, result, "the cards of a bot were not dealt: %.400s", why.message);
}

kifu_result kifu__tree_try(kifu__tree *tree)
{
    tree->number++;
    tree->path_length = 0;
    const uint64_t seed = (uint64_t)kifu_rng_next(&tree->rng) << 32;
    kifu_rng_seed(&tree->world, seed | kifu_rng_next(&tree->rng), tree->number);
    const kifu_rng real = *rng_of_state(tree);
    *rng_of_state(tree) = tree->world; // No try is open: so nothing takes it back.
    tree->certain = !tree->bot->deal;
    kifu_result result = tree->bot->deal ? deal(tree) : KIFU_OK;
    bool ended = false;
    if (!result)
        result = descend(tree, &ended);
    if (!result && !ended)
        result = play_to_end(tree);
    if (!result)
        judge(tree);
    while (kifu_open_tries(tree->fork)) {
        const kifu_result back = kifu_take_back(tree->fork);
        result = result ? result : back;
    }
    *rng_of_state(tree) = real;
    return result;
}
