// Bots: a tree of tries that several threads grow.
//
// It grows in rounds. Before each, this thread chooses for every try of the round where in the upper part of the tree
// it goes: as if all tries before it had found there what was found on average so far. So the round has some dozens of
// jobs, each with a branch behind which no other one is. The jobs are shared out to growers, each with its own random
// numbers and memory, and the growers to the threads. Neither depends on the number of threads, which so choose the
// same move; and no lock is needed. After the round, the upper part gets what the tries have really found.
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

// Up to TRIES are one round, of one grower. Of more, the first round is of FIRST, and each further one a sixteenth of
// those made before (larger ones play worse); at most MOST_IN_ROUND, because time is not looked at while one is
// planned.
enum {
    TRIES = 1000,
    FIRST = 256,
    MOST_IN_ROUND = 16384,
    GROWERS = 16,
    LOOK_AFTER = 16,
    MEMORY = 256 << 20,
    DEEPEST = 16
};

// Tries that begin with the same moves, behind which no other job of the round has any.
typedef struct job {
    kifu__edge *begin[DEEPEST];
    uint64_t expected[DEEPEST]; // What these moves were thought to be worth in them,
    uint64_t worth[DEEPEST];    // and what they were.
    uint32_t length;            // Of `begin`.
    uint32_t tries, made;
    uint32_t grower;
} job;

// What all threads have in common.
typedef struct thoughts {
    const kifu_thinking *thinking;
    uint32_t tries; // 0: as many as there is time for.
    uint32_t made;  // Before this round.
    uint32_t round;
    uint32_t growers, threads;
    uint32_t busy;     // So many of the threads, in this round.
    double begun, end; // `end` 0: time does not matter.
    flag stopped;
    kifu__tree *trees; // One for each grower, all with the same root.
    job *jobs;
    uint32_t job_count, job_capacity;
    uint32_t planned[GROWERS]; // How many tries of this round each makes.
} thoughts;

// What one thread has: a copy of the game, and every grower whose number leaves its own when divided by the busy
// threads.
typedef struct thinker {
    thoughts *thoughts;
    kifu_timeline *fork;
    uint32_t number;
    kifu_result result;
} thinker;

// --- Tries -----------------------------------------------------------------------------------------------------------

static uint32_t planned_for(const thinker *thinker)
{
    uint32_t planned = 0;
    for (uint32_t i = thinker->number; i < thinker->thoughts->growers; i += thinker->thoughts->busy)
        planned += thinker->thoughts->planned[i];
    return planned;
}

static double time_done(const thoughts *thoughts)
{
    return thoughts->end > 0 ? (kifu__os_seconds() - thoughts->begun) / (thoughts->end - thoughts->begun) : 0;
}

// `made`: of this round, by this thread.
static void report_thinking(const thinker *thinker, uint32_t made)
{
    thoughts *thoughts = thinker->thoughts;
    const kifu_thinking *thinking = thoughts->thinking;
    if (thinker->number || !thinking->progress)
        return;
    const double round = (double)made / planned_for(thinker) * thoughts->round;
    double part = thoughts->tries ? (thoughts->made + round) / thoughts->tries : 0;
    const double time = time_done(thoughts);
    part = time > part ? time : part;
    if (!thinking->progress(thinking->context, (uint64_t)((part < 1 ? part : 1) * 1000), 1000))
        thoughts->stopped = true;
}

// Whether no other first move can win any more.
static bool is_decided(const thoughts *thoughts, uint32_t made)
{
    return thoughts->tries && kifu__tree_is_decided(&thoughts->trees[0], thoughts->tries - thoughts->made - made);
}

static kifu_result do_job(thinker *thinker, job *job, uint32_t *made)
{
    thoughts *thoughts = thinker->thoughts;
    kifu__tree *tree = &thoughts->trees[job->grower];
    tree->fork = thinker->fork;
    tree->begin = job->begin;
    tree->begin_length = job->length;
    tree->begin_worth = job->worth;
    while (job->made < job->tries && !thoughts->stopped) {
        const kifu_result result = kifu__tree_try(tree);
        if (result)
            return result;
        job->made++;
        report_thinking(thinker, ++*made);
        if (thoughts->end > 0 && kifu__os_seconds() >= thoughts->end)
            thoughts->stopped = true;
        if (thoughts->job_count == 1 && *made % LOOK_AFTER == 0 && is_decided(thoughts, *made))
            break;
    }
    return KIFU_OK;
}

static void think(void *element)
{
    thinker *thinker = element;
    thoughts *thoughts = thinker->thoughts;
    uint32_t made = 0;
    for (uint32_t i = 0; i < thoughts->job_count && !thinker->result; i++) {
        if (thoughts->jobs[i].grower % thoughts->busy == thinker->number)
            thinker->result = do_job(thinker, &thoughts->jobs[i], &made);
    }
    if (thinker->result)
        thoughts->stopped = true;
}

// --- A round ---------------------------------------------------------------------------------------------------------

// Whether tries are shared out behind this branch: it has many, and each of its moves was legal in all of them.
static bool is_upper(const kifu__edge *at, uint32_t visits, uint32_t least)
{
    uint32_t chances = 0;
    if (at->job || visits < least)
        return false;
    for (const kifu__edge *i = at->first; i; i = i->next) {
        if (!i->broken && (!i->visits || (chances && i->chances != chances)))
            return false;
        chances = i->broken ? chances : i->chances;
    }
    return chances;
}

// Chooses where one more try goes. False: no memory.
static bool plan_try(kifu_timeline *timeline, thoughts *thoughts)
{
    const uint32_t least = thoughts->made / 64;
    kifu__tree *tree = &thoughts->trees[0];
    kifu__edge *at = tree->root;
    job path = {.length = 0};
    while (path.length < DEEPEST && thoughts->made && is_upper(at, path.length ? at->visits : thoughts->made, least)) {
        at = kifu__tree_choose(tree, at);
        const uint64_t expected = at->worth / at->visits;
        at->visits++;
        at->worth += expected;
        path.expected[path.length] = expected;
        path.begin[path.length++] = at;
    }
    if (!at->job) {
        job *jobs = (job *)kifu__grow(&timeline->memory, thoughts->jobs, &thoughts->job_capacity,
                                      (uint64_t)thoughts->job_count + 1, sizeof *jobs);
        if (!jobs)
            return false;
        thoughts->jobs = jobs;
        jobs[thoughts->job_count] = path;
        at->job = ++thoughts->job_count;
        path.length = 0;
    }
    job *job = &thoughts->jobs[at->job - 1];
    job->tries++;
    for (uint32_t i = 0; i < path.length; i++)
        job->expected[i] += path.expected[i];
    return true;
}

// Gives each job to the grower that has least so far.
static void share_jobs(thoughts *thoughts)
{
    memset(thoughts->planned, 0, sizeof thoughts->planned);
    for (uint32_t i = 0; i < thoughts->job_count; i++) {
        uint32_t least = 0;
        for (uint32_t grower = 1; grower < thoughts->growers; grower++)
            least = thoughts->planned[grower] < thoughts->planned[least] ? grower : least;
        thoughts->jobs[i].grower = least;
        thoughts->planned[least] += thoughts->jobs[i].tries;
    }
}

// The upper part gets what the tries have found, and nothing of those that were not made.
static void gather(thoughts *thoughts)
{
    for (uint32_t i = 0; i < thoughts->job_count; i++) {
        const job *job = &thoughts->jobs[i];
        kifu__edge *at = job->length ? job->begin[job->length - 1] : thoughts->trees[0].root;
        at->job = 0;
        for (uint32_t step = 0; step < job->length; step++) {
            job->begin[step]->visits -= job->tries - job->made;
            job->begin[step]->worth += job->worth[step] - job->expected[step];
        }
        thoughts->made += job->made;
    }
}

static kifu_result make_round(kifu_timeline *timeline, thoughts *thoughts, thinker *thinkers)
{
    const uint32_t part = thoughts->made / 16 < MOST_IN_ROUND ? thoughts->made / 16 : MOST_IN_ROUND;
    const uint32_t wanted = thoughts->made ? part : FIRST, left = thoughts->tries - thoughts->made;
    thoughts->round = thoughts->growers == 1 || (thoughts->tries && left < wanted) ? left : wanted;
    thoughts->job_count = 0;
    for (uint32_t i = 0; i < thoughts->round; i++) {
        if (!plan_try(timeline, thoughts))
            return kifu__no_memory_to_think(timeline);
    }
    share_jobs(thoughts);
    const uint32_t jobs = thoughts->job_count;
    thoughts->busy = jobs < thoughts->threads ? jobs : thoughts->threads;
    kifu__os_together(think, thinkers, sizeof *thinkers, thoughts->busy);
    gather(thoughts);
    for (uint32_t i = 0; i < thoughts->busy; i++) {
        if (thinkers[i].result) {
            timeline->error = *kifu_last_error(thinkers[i].fork);
            return thinkers[i].result;
        }
    }
    return KIFU_OK;
}

// The move that was tried most; of several, the one that is worth most.
static uint32_t best_move(const thoughts *thoughts, uint32_t count)
{
    const kifu__edge *move = thoughts->trees[0].root->first; // those that were listed come first
    uint32_t best = 0, visits = 0;
    uint64_t worth = 0;
    for (uint32_t i = 0; i < count; i++, move = move->next) {
        if (move->visits > visits || (move->visits == visits && move->worth > worth)) {
            best = i;
            visits = move->visits;
            worth = move->worth;
        }
    }
    return best;
}

// --- A choice --------------------------------------------------------------------------------------------------------

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

static kifu_result think_together(kifu_timeline *timeline, const kifu_moves *moves, thoughts *thoughts,
                                  thinker *thinkers)
{
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < thoughts->threads && !result; i++) {
        thinkers[i] = (thinker){.thoughts = thoughts, .number = i};
        result = copy_game(timeline, &thinkers[i].fork, &timeline->error);
    }
    kifu__tree *trees = thoughts->trees;
    trees[0].fork = thinkers[0].fork;
    if (!result && (result = kifu__tree_begin(&trees[0], moves, thoughts->thinking->seed)))
        timeline->error = *kifu_last_error(trees[0].fork);
    for (uint32_t i = 1; i < thoughts->growers && !result; i++)
        kifu__tree_join(&trees[i], &trees[0], thoughts->thinking->seed, i);
    while (!result && !thoughts->stopped && (!thoughts->tries || thoughts->made < thoughts->tries) &&
           !(thoughts->made && is_decided(thoughts, 0)))
        result = make_round(timeline, thoughts, thinkers);
    return result;
}

// How many threads.
static void plan(thoughts *thoughts, const kifu_thinking *thinking)
{
    thoughts->thinking = thinking;
    thoughts->tries = thinking->tries || thinking->seconds > 0 ? thinking->tries : TRIES;
    thoughts->growers = thoughts->tries && thoughts->tries <= TRIES ? 1 : GROWERS;
    uint32_t threads = thinking->threads ? thinking->threads : 1;
#ifdef __STDC_NO_ATOMICS__
    threads = 1;
#endif
    thoughts->threads = threads < thoughts->growers ? threads : thoughts->growers;
    if (thinking->seconds > 0) {
        thoughts->begun = kifu__os_seconds();
        thoughts->end = thoughts->begun + thinking->seconds;
    }
}

static kifu_result choose_for_player(kifu_timeline *timeline, int player, const kifu_bot *bot,
                                     const kifu_thinking *thinking, const kifu_moves *moves, uint32_t *choice)
{
    const kifu__memory *memory = &timeline->memory;
    thoughts thoughts = {.jobs = NULL};
    thinker thinkers[GROWERS] = {{.thoughts = NULL}};
    plan(&thoughts, thinking);
    thoughts.trees = (kifu__tree *)kifu__new(memory, thoughts.growers * sizeof *thoughts.trees);
    if (!thoughts.trees)
        return kifu__no_memory_to_think(timeline);
    memset(thoughts.trees, 0, thoughts.growers * sizeof *thoughts.trees);
    for (uint32_t i = 0; i < thoughts.growers; i++) {
        thoughts.trees[i].bot = bot;
        thoughts.trees[i].player = player;
        thoughts.trees[i].limit = (thinking->memory ? thinking->memory : MEMORY) / thoughts.growers;
    }
    const kifu_result result = think_together(timeline, moves, &thoughts, thinkers);
    if (!result)
        *choice = best_move(&thoughts, moves->count);
    for (uint32_t i = 0; i < thoughts.growers; i++) {
        thoughts.trees[i].fork = timeline;
        kifu__tree_free(&thoughts.trees[i]);
    }
    for (uint32_t i = 0; i < thoughts.threads; i++)
        kifu_destroy(thinkers[i].fork);
    kifu__free(memory, thoughts.jobs);
    kifu__free(memory, thoughts.trees);
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
