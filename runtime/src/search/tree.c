// Monte-Carlo tree search. Dice and hidden cards differ from try to try, so what is behind a move may, too: the moves
// that are legal are listed anew there, and compared by their bytes. Where neither had a part, they are listed once.
//
// All numbers are integers, so that every machine chooses the same.

#include "search/tree.h"

#include <kifu/search.h>

#include "core/attempt.h"
#include "search/moves.h"

enum { ONE = 65536, MOST_MOVES = 1000 };

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

// A new branch for a move; 0 without memory. Branches may move.
static uint32_t add_tree_branch(kifu__tree *tree, const kifu_move *move, bool plain)
{
    const kifu__memory *memory = &tree->fork->memory;
    kifu__edge *branches = (kifu__edge *)kifu__grow(memory, tree->branches, &tree->branch_capacity,
                                                    (uint64_t)tree->branch_count + 1, sizeof *branches);
    if (!branches)
        return 0;
    tree->branches = branches;
    const uint64_t end = (uint64_t)tree->bytes_used + ((move->size + 7u) & ~7u);
    unsigned char *bytes = (unsigned char *)kifu__grow(memory, tree->bytes, &tree->bytes_capacity, end, 1);
    if (!bytes)
        return 0;
    tree->bytes = bytes;
    memcpy(bytes + tree->bytes_used, move->table, move->size);
    branches[tree->branch_count] = (kifu__edge){.bytes = tree->bytes_used,
                                                .size = move->size,
                                                .type = (uint8_t)move->type,
                                                .player = (int8_t)move->player,
                                                .plain = plain};
    tree->bytes_used = (uint32_t)end;
    return tree->branch_count++;
}

static bool is_move(const kifu__tree *tree, const kifu__edge *branch, const kifu_move *move)
{
    return branch->type == move->type && branch->player == move->player && branch->size == move->size &&
           memcmp(tree->bytes + branch->bytes, move->table, move->size) == 0;
}

// The branch of a move behind branch `at`, made where there is none; `*last` is that of the move before it in the list,
// or 0. 0 without memory.
static uint32_t find_branch(kifu__tree *tree, uint32_t at, const kifu_move *move, bool plain, uint32_t *last)
{
    uint32_t end = *last;
    for (uint32_t i = *last ? tree->branches[*last].next : tree->branches[at].first; i; i = tree->branches[i].next) {
        if (is_move(tree, &tree->branches[i], move))
            return *last = i;
        end = i;
    }
    for (uint32_t i = tree->branches[at].first; *last && i; i = tree->branches[i].next) {
        if (is_move(tree, &tree->branches[i], move)) // in another order than before
            return i;
    }
    const uint32_t made = add_tree_branch(tree, move, plain);
    if (made && end)
        tree->branches[end].next = made;
    else if (made)
        tree->branches[at].first = made;
    return made ? *last = made : 0;
}

kifu_result kifu__tree_begin(kifu__tree *tree, const kifu_moves *moves, uint64_t seed, uint32_t sequence)
{
    tree->branch_count = tree->bytes_used = tree->number = 0;
    kifu_rng_seed(&tree->rng, seed, sequence);
    for (uint32_t i = 1; i < KIFU__ROOTS; i++)
        tree->over_roots[i] = square_root((uint64_t)ONE * ONE / i);
    (void)add_tree_branch(tree, &(kifu_move){.table = ""}, false);
    uint32_t last = 0;
    for (uint32_t i = 0; i < moves->count && tree->branch_count; i++) {
        if (!find_branch(tree, 0, &moves->items[i], false, &last))
            return kifu__no_memory_to_think(tree->fork);
    }
    return tree->branch_count ? KIFU_OK : kifu__no_memory_to_think(tree->fork);
}

void kifu__tree_free(kifu__tree *tree)
{
    const kifu__memory *memory = &tree->fork->memory;
    kifu__free(memory, tree->branches);
    kifu__free(memory, tree->bytes);
    kifu__free(memory, tree->path);
    kifu_free_moves(&tree->moves);
}

bool kifu__tree_is_decided(const kifu__tree *tree, uint32_t left)
{
    uint32_t most = 0, second = 0;
    for (uint32_t i = tree->branches[0].first; i; i = tree->branches[i].next) {
        const uint32_t visits = tree->branches[i].visits;
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

// Lists what is legal behind branch `at`. What is behind the root was listed before the first try.
static kifu_result list_branches(kifu__tree *tree, uint32_t at, int player)
{
    kifu_result result = kifu__list_candidates(tree->fork, player, &tree->moves);
    uint32_t last = 0;
    for (uint32_t i = 0; i < tree->moves.count && !result; i++) {
        bool plain;
        result = kifu__ask_candidate(tree->fork, &tree->moves, i, &plain);
        if (result == KIFU_OK) {
            const uint32_t found = find_branch(tree, at, &tree->moves.items[i], plain, &last);
            if (!found)
                return kifu__no_memory_to_think(tree->fork);
            tree->branches[found].plain = plain;
            tree->branches[found].legal_in = tree->number;
        } else if (result == KIFU_REJECTED) {
            result = KIFU_OK;
        }
    }
    tree->branches[at].listed = tree->certain;
    return result;
}

// The most promising of the moves behind branch `at`; 0: there is none. One that was never tried comes first.
static uint32_t choose_branch(kifu__tree *tree, uint32_t at)
{
    const bool all = tree->branches[at].listed && tree->certain;
    uint32_t best = 0, untried = 0, chances = 0, root = 0;
    uint64_t most = 0;
    for (uint32_t i = tree->branches[at].first; i; i = tree->branches[i].next) {
        kifu__edge *branch = &tree->branches[i];
        if (branch->broken || (!all && branch->legal_in != tree->number))
            continue;
        branch->chances++;
        if (!branch->visits) {
            if (kifu_rng_below(&tree->rng, ++untried) == 0)
                best = i;
        } else if (!untried) {
            if (branch->chances != chances)
                root = root_of_log(chances = branch->chances);
            const uint64_t curious = (uint64_t)root * over_root(tree, branch->visits) >> 16;
            const uint64_t value = branch->worth / branch->visits + curious * 3 / 5 + 1;
            if (value > most) {
                most = value;
                best = i;
            }
        }
    }
    return best;
}

// Goes down the tree, as far as it was tried before and one move further. `*ended`: there is no move behind that.
static kifu_result descend(kifu__tree *tree, bool *ended)
{
    uint32_t at = 0;
    for (int player = tree->player; player >= 0; player = to_move(tree)) {
        kifu_result result = KIFU_OK;
        if (!tree->branches[at].listed || !tree->certain)
            result = list_branches(tree, at, player);
        if (result)
            return result;
        uint32_t next;
        do {
            next = choose_branch(tree, at);
            if (!next)
                break;
            kifu__edge *branch = &tree->branches[next];
            const kifu_move move = {.table = tree->bytes + branch->bytes,
                                    .size = branch->size,
                                    .type = branch->type,
                                    .player = branch->player};
            const bool certain = tree->certain;
            result = make_move(tree, &move, branch->plain);
            if (result && !kifu__is_refusal(result))
                return result;
            if (result && certain)
                branch->broken = true;
            else if (result)
                branch->legal_in = 0;
        } while (result);
        if (!next)
            break;
        uint32_t *path = (uint32_t *)kifu__grow(&tree->fork->memory, tree->path, &tree->path_capacity,
                                                (uint64_t)tree->path_length + 1, sizeof *path);
        if (!path)
            return kifu__no_memory_to_think(tree->fork);
        tree->path = path;
        path[tree->path_length++] = at = next;
        if (!tree->branches[next].visits)
            return KIFU_OK;
    }
    *ended = true;
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
        kifu__edge *branch = &tree->branches[tree->path[i]];
        const double its = branch->player < 0 ? 0 : worth[branch->player];
        branch->visits++;
        branch->worth += its >= 1 ? ONE : its > 0 ? (uint32_t)(its * ONE) : 0;
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
