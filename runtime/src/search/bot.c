// Bots: trees of tries, shared out to threads, and what they find together.
//
// Each thread has trees of its own, and the visits of all trees are added up in the end. So no tree is shared, and no
// lock is needed. The number of trees depends on the tries alone, so that any number of threads chooses the same move.
// One large tree plays better than several small ones of as many tries: so four times the tries make twice as many
// trees, of twice the size.
//
// A bot forks with the past, although a fork without it is faster by some microseconds: rules that look into the past
// must find it. Before each try it overwrites the random numbers of its copy, without an event: no try is open then
// that could take it back, and a game needs no code for it.

#include <kifu/bot.h>

#include "base/threads.h"
#include "core/timeline.h"
#include "search/moves.h"
#include "search/tree.h"

#ifndef __STDC_NO_ATOMICS__
#include <stdatomic.h>
typedef atomic_bool flag;
#else
typedef bool flag;
#endif

enum { TRIES = 1000, MOST_TREES = 16, LOOK_AFTER = 16 };

// What the tries of one tree have found of a first move.
typedef struct finding {
    uint64_t worth;
    uint32_t visits;
} finding;

// What all threads have in common.
typedef struct thoughts {
    const kifu_thinking *thinking;
    uint64_t seed;
    uint32_t tries; // 0: as many as there is time for.
    uint32_t trees, threads;
    const kifu_moves *moves;
    double begun, end; // `end` 0: time does not matter.
    flag stopped;
    finding *findings; // By tree and move.
} thoughts;

// What one thread has: a copy of the game, and every tree whose number leaves its own when divided by the threads.
typedef struct thinker {
    thoughts *thoughts;
    uint32_t number;
    kifu__tree tree;
    kifu_result result;
} thinker;

static uint32_t tries_of(const thoughts *thoughts, uint32_t tree)
{
    return thoughts->tries / thoughts->trees + (tree < thoughts->tries % thoughts->trees);
}

// Of a thread that is in its `tree`, with `made` tries of it.
static double part_done(const thoughts *thoughts, uint32_t tree, uint32_t made)
{
    double part = 0;
    if (thoughts->tries) {
        const double trees = (double)((thoughts->trees + thoughts->threads - 1) / thoughts->threads);
        part = ((double)(tree / thoughts->threads) + (double)made / (double)tries_of(thoughts, tree)) / trees;
    }
    if (thoughts->end > 0) {
        const double time = (kifu__os_seconds() - thoughts->begun) / (thoughts->end - thoughts->begun);
        part = time > part ? time : part;
    }
    return part < 1 ? part : 1;
}

static bool thinks_on(thinker *thinker, uint32_t tree, uint32_t made)
{
    thoughts *thoughts = thinker->thoughts;
    if (thoughts->stopped || (thoughts->tries && made == tries_of(thoughts, tree)))
        return false;
    if (thoughts->end > 0 && kifu__os_seconds() >= thoughts->end)
        return false;
    return thoughts->trees > 1 || made % LOOK_AFTER || !thoughts->tries ||
           !kifu__tree_is_decided(&thinker->tree, thoughts->tries - made);
}

static void report_thinking(thinker *thinker, uint32_t tree, uint32_t made)
{
    thoughts *thoughts = thinker->thoughts;
    const kifu_thinking *thinking = thoughts->thinking;
    if (thinker->number == 0 && thinking->progress &&
        !thinking->progress(thinking->context, (uint64_t)(part_done(thoughts, tree, made) * 1000), 1000))
        thoughts->stopped = true;
}

// Even with no time at all, a tree is tried once.
static kifu_result grow(thinker *thinker, uint32_t number)
{
    const thoughts *thoughts = thinker->thoughts;
    kifu__tree *tree = &thinker->tree;
    kifu_result result = kifu__tree_begin(tree, thoughts->moves, thoughts->seed, number);
    uint32_t made = 0;
    do {
        if (!result)
            result = kifu__tree_try(tree);
        if (result)
            return result;
        report_thinking(thinker, number, ++made);
    } while (thinks_on(thinker, number, made));
    finding *findings = thoughts->findings + (size_t)number * thoughts->moves->count;
    for (uint32_t i = 0; i < thoughts->moves->count; i++)
        findings[i] = (finding){.worth = tree->branches[i + 1].worth, .visits = tree->branches[i + 1].visits};
    return KIFU_OK;
}

static void think(void *element)
{
    thinker *thinker = element;
    const thoughts *thoughts = thinker->thoughts;
    for (uint32_t i = thinker->number; i < thoughts->trees && !thinker->result; i += thoughts->threads)
        thinker->result = grow(thinker, i);
    if (thinker->result)
        thinker->thoughts->stopped = true;
}

// The move that was tried most; of several, the one that is worth most.
static uint32_t best_move(const thoughts *thoughts)
{
    const uint32_t count = thoughts->moves->count;
    uint32_t best = 0;
    finding most = {0};
    for (uint32_t move = 0; move < count; move++) {
        finding sum = {0};
        for (uint32_t tree = 0; tree < thoughts->trees; tree++) {
            sum.worth += thoughts->findings[(size_t)tree * count + move].worth;
            sum.visits += thoughts->findings[(size_t)tree * count + move].visits;
        }
        if (sum.visits > most.visits || (sum.visits == most.visits && sum.worth > most.worth)) {
            most = sum;
            best = move;
        }
    }
    return best;
}

// A copy of the game without a view, and without what costs time in play.
static kifu_result copy_game(const kifu_timeline *timeline, kifu_timeline **fork, kifu_error *error)
{
    kifu_options options = timeline->options;
    options.view = NULL;
    options.quiet = true;
    options.sync_test = NULL;
    options.keep_variations = options.keep_notes = NULL;
    options.record_inputs = NULL;
    kifu_result result = kifu_fork(timeline, KIFU_PRESENT, &options, fork, error);
    if (result)
        return result;
    result = kifu_run(*fork); // Reactions that waited for a commit have run.
    if (!result)
        result = kifu_begin(*fork, KIFU_SEARCH); // so that rules can tell
    if (result)
        *error = *kifu_last_error(*fork);
    return result;
}

static kifu_result think_together(kifu_timeline *timeline, int player, const kifu_bot *bot, thoughts *thoughts,
                                  thinker *thinkers)
{
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < thoughts->threads && !result; i++) {
        thinkers[i].thoughts = thoughts;
        thinkers[i].number = i;
        thinkers[i].tree.bot = bot;
        thinkers[i].tree.player = player;
        result = copy_game(timeline, &thinkers[i].tree.fork, &timeline->error);
    }
    if (!result)
        kifu__os_together(think, thinkers, sizeof *thinkers, thoughts->threads);
    for (uint32_t i = 0; i < thoughts->threads; i++) {
        if (!result && thinkers[i].result) {
            result = thinkers[i].result;
            timeline->error = *kifu_last_error(thinkers[i].tree.fork);
        }
        if (thinkers[i].tree.fork)
            kifu__tree_free(&thinkers[i].tree);
        kifu_destroy(thinkers[i].tree.fork);
    }
    return result;
}

static uint32_t count_trees(uint32_t tries)
{
    uint32_t trees = 1;
    while (trees < MOST_TREES && tries / 2000 >= (trees + 1) * (trees + 1))
        trees++;
    return trees;
}

// How many trees and threads.
static void plan(thoughts *thoughts, const kifu_thinking *thinking)
{
    thoughts->thinking = thinking;
    thoughts->seed = thinking->seed;
    thoughts->tries = thinking->tries || thinking->seconds > 0 ? thinking->tries : TRIES;
    uint32_t threads = thinking->threads ? thinking->threads : 1;
#ifdef __STDC_NO_ATOMICS__
    threads = 1;
#endif
    thoughts->trees = thoughts->tries ? count_trees(thoughts->tries) : threads < MOST_TREES ? threads : MOST_TREES;
    thoughts->threads = threads < thoughts->trees ? threads : thoughts->trees;
    if (thinking->seconds > 0) {
        thoughts->begun = kifu__os_seconds();
        thoughts->end = thoughts->begun + thinking->seconds;
    }
}

static kifu_result choose_for_player(kifu_timeline *timeline, int player, const kifu_bot *bot,
                                     const kifu_thinking *thinking, const kifu_moves *moves, uint32_t *choice)
{
    thoughts thoughts = {.moves = moves};
    plan(&thoughts, thinking);
    const kifu__memory *memory = &timeline->memory;
    const size_t findings = (size_t)thoughts.trees * moves->count * sizeof *thoughts.findings;
    thoughts.findings = (finding *)kifu__new(memory, findings);
    thinker *thinkers = (thinker *)kifu__new(memory, thoughts.threads * sizeof *thinkers);
    kifu_result result = thoughts.findings && thinkers ? KIFU_OK : kifu__no_memory_to_think(timeline);
    if (!result) {
        memset(thinkers, 0, thoughts.threads * sizeof *thinkers);
        result = think_together(timeline, player, bot, &thoughts, thinkers);
    }
    if (!result)
        *choice = best_move(&thoughts);
    kifu__free(memory, thinkers);
    kifu__free(memory, thoughts.findings);
    return result;
}

static kifu_result require_bot(kifu_timeline *timeline, const kifu_bot *bot)
{
    kifu_result result = kifu__require_calm(timeline, "kifu_choose_move");
    if (!result)
        result = kifu__require_present(timeline, "kifu_choose_move");
    if (result)
        return result;
    if (!bot->judge)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_choose_move: kifu_bot.judge is NULL, so the bot cannot tell who has won");
    if (timeline->options.reset)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_choose_move tries moves on copies of the state, but this game has its model outside");
    if (kifu_pending_count(timeline))
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_choose_move was called while something waits: run it first");
    return KIFU_OK;
}

kifu_result kifu_choose_move(kifu_timeline *timeline, int player, const kifu_bot *bot, const kifu_thinking *thinking,
                             kifu_moves *moves, const kifu_move **move)
{
    static const kifu_thinking usual = {.tries = TRIES};
    *move = NULL;
    moves->count = 0;
    kifu_result result = require_bot(timeline, bot);
    if (!result)
        result = kifu_list_moves(timeline, player, moves);
    uint32_t choice = 0;
    if (!result && moves->count > 1)
        result = choose_for_player(timeline, player, bot, thinking ? thinking : &usual, moves, &choice);
    if (result)
        moves->count = 0;
    else if (moves->count)
        *move = &moves->items[choice];
    return result;
}

kifu_result kifu_play_best(kifu_timeline *timeline, const kifu_bot *bot, const kifu_thinking *thinking)
{
    static const char no_move[] = "there is no move";
    kifu_moves moves = {0};
    const kifu_move *move = NULL;
    kifu_result result = kifu_run(timeline);
    if (result)
        return result;
    const int player = bot->to_move ? bot->to_move(timeline) : kifu_current_player(kifu_get_game(timeline));
    if (player >= 0)
        result = kifu_choose_move(timeline, player, bot, thinking, &moves, &move);
    if (!result && !move) {
        result = kifu__error(&timeline->error, KIFU_REJECTED, "kifu_play_best: %s", no_move);
        kifu__error_ends_in(&timeline->error, no_move);
    } else if (!result) {
        kifu_submit_move(timeline, move);
        result = kifu_run(timeline);
    }
    kifu_free_moves(&moves);
    return result;
}

kifu_result kifu_choose_any_move(kifu_timeline *timeline, int player, kifu_rng *rng, kifu_moves *moves,
                                 const kifu_move **move)
{
    *move = NULL;
    kifu_result result = kifu_list_moves(timeline, player, moves);
    if (!result && moves->count)
        *move = &moves->items[kifu_rng_below(rng, moves->count)];
    return result;
}
