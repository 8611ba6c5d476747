// Forks share the segments that neither timeline goes on to fill. Whatever one of them does, the other must not see.

#include <pthread.h>

#include "crawl_help.h"
#include "history_help.h"
#include "lab_help.h"
#include "log_file_help.h"
#include "save_help.h"
#include "suite.h"
#include "core/timeline.h"

// Whether this library shares at all: where the compiler has no atomics, it copies.
static bool shares(void)
{
    kifu__refcount refs;
    kifu__refcount_begin(&refs);
    const bool held = kifu__retain(&refs);
    ck_assert(!held || !kifu__is_unshared(&refs));
    ck_assert(!held || !kifu__release(&refs));
    ck_assert(kifu__is_unshared(&refs));
    ck_assert(kifu__release(&refs));
    return held;
}

static kifu_timeline *long_game(const kifu_options *options, int events)
{
    kifu_timeline *lab = lab_started(options);
    for (int i = 1; i < events; i++)
        lab_submit_p_add(lab, i % 4, 1 + i % 7);
    must(lab, kifu_run(lab));
    return lab;
}

static uint32_t count_shared(const kifu_timeline *one, const kifu_timeline *other)
{
    uint32_t shared = 0;
    while (shared < one->log.branch->segment_count && shared < other->log.branch->segment_count &&
           one->log.branch->segments[shared].bytes == other->log.branch->segments[shared].bytes)
        shared++;
    return shared;
}

// --- What is shared --------------------------------------------------------------------------------------------------

START_TEST(T11_a_fork_shares_all_segments_but_the_last)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .quiet = true};
    for (int way = 0; way < 2; way++) { // which of the two is freed first
        kifu_timeline *lab = long_game(&options, 30000);
        const uint32_t count = lab->log.branch->segment_count;
        const uint64_t hash = kifu_state_hash(lab);
        const size_t before = memory.bytes;
        kifu_timeline *fork = fork_of(lab, KIFU_PRESENT, NULL);
        ck_assert_uint_eq(count_shared(lab, fork), shares() ? count - 1 : 0);
        if (shares())
            ck_assert_uint_le(memory.bytes - before, lab->log.branch->segments[count - 1].capacity + before / 50);
        must(lab, lab_play(lab, "+"));
        must(fork, lab_play(fork, "-r"));
        kifu_timeline *first = way ? lab : fork, *second = way ? fork : lab;
        kifu_destroy(first);
        must(second, kifu_verify_replay(second, NULL));
        must(second, kifu_undo(second));
        ck_assert_uint_eq(kifu_state_hash(second), hash);
        kifu_destroy(second);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

START_TEST(T11_a_fork_with_another_allocator_shares_nothing)
{
    test_memory memory = {.until_failure = -1}, other = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .quiet = true};
    const kifu_options own = {.allocate = test_allocate, .allocate_context = &other, .quiet = true};
    kifu_timeline *lab = long_game(&options, 9000), *loaded = reload(lab, &options);
    kifu_timeline *forks[] = {fork_of(lab, KIFU_PRESENT, &own), fork_of(loaded, KIFU_PRESENT, &own)};
    const uint64_t hash = kifu_state_hash(lab);
    kifu_destroy(loaded);
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_eq(kifu_state_hash(forks[i]), hash);
        must(forks[i], kifu_verify_replay(forks[i], NULL));
        kifu_destroy(forks[i]);
    }
    ck_assert_int_eq(other.blocks, 0);
}
END_TEST

START_TEST(T11_a_fork_of_a_loaded_game_shares_its_file)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .quiet = true};
    char *folder = new_folder();
    const char *path = in_folder(folder, "game.kifu");
    kifu_timeline *lab = long_game(&options, 9000), *loaded;
    must(lab, kifu_save(lab, path, NULL));
    for (int way = 0; way < 2; way++) {
        if (way)
            loaded = reload(lab, &options);
        else
            ck_assert_int_eq(kifu_load(&lab_rules, path, &options, NULL, &loaded, NULL), KIFU_OK);
        ck_assert(loaded->log.branch->segments[0].borrowed);
        kifu_timeline *fork = fork_of(loaded, KIFU_PRESENT, NULL), *early = fork_of(fork, 4000, NULL);
        ck_assert_uint_eq(count_shared(loaded, fork) > 5, shares());
        ck_assert_uint_eq(count_shared(fork, early) > 5, shares());
        kifu_destroy(loaded);
        remove(path);
        expect_same_long(lab, fork);
        must(early, lab_play(early, "-r"));
        must(fork, lab_play(fork, "+"));
        kifu_destroy(fork);
        must(early, kifu_verify_replay(early, NULL));
        kifu_timeline *again = reload(early, NULL);
        expect_same_long(early, again);
        kifu_destroy(again);
        kifu_destroy(early);
    }
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
    remove_folder(folder);
}
END_TEST

// A segment is written again when nobody else has it any more: so a game that was forked once does not grow for it.
START_TEST(T11_what_no_fork_holds_any_more_is_filled_again)
{
    kifu_timeline *lab = long_game(NULL, 500);
    const uint32_t begin = lab->log.branch->segments[3].first;
    kifu_timeline *fork = fork_of(lab, KIFU_PRESENT, NULL);
    kifu_destroy(fork);
    while (kifu_event_count(lab) > begin + 5)
        must(lab, kifu_undo(lab));
    must(lab, lab_play(lab, "1"));
    ck_assert_uint_eq(lab->log.branch->segment_count, 4);
    ck_assert_uint_eq(lab->log.branch->segments[3].count, 6);
    fork = fork_of(lab, begin, NULL);
    must(fork, lab_play(fork, "2"));
    ck_assert_str_eq(lab_trace(lab), "1");
    ck_assert_str_eq(lab_trace(fork), "2");
    kifu_destroy(fork);
    kifu_destroy(lab);
}
END_TEST

// --- Random games ----------------------------------------------------------------------------------------------------

enum { GAMES = 5, MOST_EVENTS = 700 };

// The same games twice: in one world they share, in the other each has an allocator of its own.
typedef struct world {
    kifu_timeline *games[GAMES];
    test_memory *memories[GAMES]; // NULL: the one of libc
    bool logs[GAMES];
    const char *folder;
    bool copies;
} world;

// Of a new game, with its own memory where the world wants that.
static kifu_options new_options(const world *world)
{
    kifu_options options = {.quiet = true, .hash_interval = 64, .keyframe_bytes = 4 * sizeof(lab_state)};
    if (world->copies) {
        test_memory *memory = calloc(1, sizeof *memory);
        must_be(memory);
        memory->until_failure = -1;
        options.allocate = test_allocate;
        options.allocate_context = memory;
    }
    return options;
}

static const char *path_of(const world *world, uint32_t game)
{
    static char path[5000];
    snprintf(path, sizeof path, "%s/%s%u.kifu", world->folder, world->copies ? "copied" : "shared", (unsigned)game);
    return path;
}

static void put(world *world, uint32_t game, kifu_timeline *made, const kifu_options *options)
{
    kifu_timeline *old = world->games[game];
    if (world->logs[game]) {
        (void)!kifu_log_close(old, NULL);
        remove(path_of(world, game));
    }
    world->logs[game] = false;
    kifu_destroy(old);
    must_be(!world->memories[game] || world->memories[game]->blocks == 0);
    free(world->memories[game]);
    world->memories[game] = made ? options->allocate_context : NULL;
    world->games[game] = made;
}

static bool same_text(const char *one, const char *other)
{
    return one && other ? !strcmp(one, other) : one == other;
}

// An inlined loop without allocations: it is asked after each step.
static void must_agree(const kifu_timeline *one, const kifu_timeline *other)
{
    must_be(kifu_event_count(one) == kifu_event_count(other));
    must_be(kifu_position(one) == kifu_position(other));
    must_be(!memcmp(lab_get_state(one), lab_get_state(other), sizeof(lab_state)));
    must_be(kifu_pending_count(one) == kifu_pending_count(other));
    must_be(kifu_can_undo(one, NULL) == kifu_can_undo(other, NULL));
    must_be(kifu_can_redo(one, NULL) == kifu_can_redo(other, NULL));
    kifu_event a, b;
    for (uint32_t i = 0; kifu_event_at(one, i, &a); i++) {
        must_be(kifu_event_at(other, i, &b));
        must_be(a.type == b.type && a.cause == b.cause && a.player == b.player && a.flags == b.flags);
        if (a.type == LAB_P_DO)
            must_be(same_text(lab_p_do_script(a.table), lab_p_do_script(b.table)));
        if (a.type == LAB_P_ADD)
            must_be(((const lab_p_add *)a.table)->amount == ((const lab_p_add *)b.table)->amount);
    }
}

// One step of one game, by numbers drawn before, so that it is the same in both worlds.
static void step(world *world, uint32_t kind, uint32_t choice, uint32_t game, uint32_t other)
{
    kifu_timeline *lab = world->games[game];
    const bool open = kifu_open_transactions(lab) > 0;
    const uint32_t count = kifu_event_count(lab);
    if (kind < 12) {
        random_lab_step(lab, choice);
    } else if (kind < 15) { // far back, and perhaps on from there
        for (uint32_t i = 0; i < choice % 60 && kifu_can_undo(lab, NULL); i++)
            must(lab, kifu_undo(lab));
    } else if (kind < 18) {
        for (uint32_t i = 0; i < choice % 90; i++)
            lab_submit_p_add(lab, (int)(i & 3), 1 + (int)(i % 5));
        (void)!kifu_run(lab);
    } else if (kind < 23 && game != other) {
        const kifu_options options = new_options(world);
        put(world, other, fork_of(lab, choice % 2 ? KIFU_PRESENT : choice / 2 % (count + 1), &options), &options);
    } else if (kind < 24 && game != other && !open) {
        const kifu_options options = new_options(world);
        put(world, other, reload(lab, &options), &options);
    } else if (kind < 26) {
        if (!open)
            must(lab, kifu_begin(lab, 0));
        else if (choice % 2)
            (void)!kifu_commit(lab);
        else
            must(lab, kifu_roll_back(lab));
    } else if (kind < 27 && !open) {
        must(lab, kifu_seek(lab, choice % (count + 1)));
        must(lab, kifu_seek(lab, KIFU_PRESENT));
    } else if (kind < 28 && !open) {
        if (!world->logs[game])
            must(lab, kifu_log_open(lab, path_of(world, game), NULL));
        world->logs[game] = true;
        must(lab, kifu_log_append(lab));
        kifu_recovery recovery;
        kifu_timeline *found = recover(path_of(world, game), &recovery);
        must_be(kifu_state_hash(found) == kifu_state_hash(lab));
        kifu_destroy(found);
    } else {
        must(lab, kifu_verify_replay(lab, NULL));
    }
    if (kifu_event_count(world->games[game]) > MOST_EVENTS) {
        const kifu_options options = new_options(world);
        put(world, game, lab_new(&options), &options);
    }
}

START_TEST(T11_random_games_of_forks_are_as_if_each_had_its_own_memory)
{
    static world worlds[2];
    char *folder = new_folder();
    uint32_t shared = 0;
    for (int i = 0; i < 2; i++) {
        worlds[i] = (world){.folder = folder, .copies = i};
        for (uint32_t game = 0; game < GAMES; game++) {
            const kifu_options options = new_options(&worlds[i]);
            put(&worlds[i], game, lab_new(&options), &options);
        }
    }
    uint32_t seed = (uint32_t)fuzz_seed();
    for (unsigned long n = fuzz_steps(4000); n; n--) {
        const uint32_t kind = next_random(&seed) % 29, choice = next_random(&seed);
        const uint32_t game = next_random(&seed) % GAMES, other = next_random(&seed) % GAMES;
        for (int i = 0; i < 2; i++)
            step(&worlds[i], kind, choice, game, other);
        for (uint32_t i = 0; i < GAMES; i++)
            must_agree(worlds[0].games[i], worlds[1].games[i]);
        shared += game != other && count_shared(worlds[0].games[game], worlds[0].games[other]) > 0;
        must_be(game == other || !count_shared(worlds[1].games[game], worlds[1].games[other]));
    }
    ck_assert_uint_eq(shared > 0, shares());
    for (int i = 0; i < 2; i++)
        for (uint32_t game = 0; game < GAMES; game++)
            put(&worlds[i], game, NULL, NULL);
    remove_folder(folder);
}
END_TEST

// --- Threads ---------------------------------------------------------------------------------------------------------

enum { THREADS = 4, ROUNDS = 30 };

// Cuts far back into what is shared, plays on, and forks its own.
static uint64_t play_on(kifu_timeline *lab, int rounds)
{
    uint64_t sum = 0;
    for (int i = 0; i < rounds; i++) {
        for (int k = 0; k < 40; k++)
            must(lab, kifu_undo(lab));
        for (int k = 0; k < 45; k++)
            lab_submit_p_add(lab, k % 4, 1 + i + k);
        must(lab, kifu_run(lab));
        kifu_timeline *fork = fork_of(lab, kifu_event_count(lab) - 200, NULL);
        must(fork, lab_play(fork, "r+"));
        sum = sum * 31 + kifu_state_hash(fork);
        kifu_destroy(fork);
    }
    return sum * 31 + kifu_state_hash(lab);
}

static void *own_a_fork(void *context)
{
    kifu_timeline *fork = context;
    uint64_t *sum = malloc(sizeof *sum);
    must_be(sum);
    *sum = play_on(fork, ROUNDS);
    kifu_destroy(fork);
    return sum;
}

static void *fork_from(void *context)
{
    kifu_timeline *fork = fork_of(context, KIFU_PRESENT, NULL);
    return own_a_fork(fork);
}

static void join(pthread_t thread, uint64_t expected)
{
    void *sum;
    ck_assert_int_eq(pthread_join(thread, &sum), 0);
    ck_assert_uint_eq(*(uint64_t *)sum, expected);
    free(sum);
}

START_TEST(X07_forks_are_made_used_and_freed_in_several_threads)
{
    for (int way = 0; way < 2; way++) {
        kifu_timeline *lab = long_game(NULL, 3000);
        if (way) {
            kifu_timeline *loaded = reload(lab, NULL);
            kifu_destroy(lab);
            lab = loaded;
        }
        kifu_timeline *alone = fork_of(lab, KIFU_PRESENT, NULL);
        const uint64_t expected = play_on(alone, ROUNDS);
        kifu_destroy(alone);
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++) // The threads make them: nobody changes the original meanwhile.
            ck_assert_int_eq(pthread_create(&threads[i], NULL, fork_from, lab), 0);
        for (int i = 0; i < THREADS; i++)
            join(threads[i], expected);
        for (int i = 0; i < THREADS; i++) // They are given them, and the original plays on.
            ck_assert_int_eq(pthread_create(&threads[i], NULL, own_a_fork, fork_of(lab, KIFU_PRESENT, NULL)), 0);
        ck_assert_uint_eq(play_on(lab, ROUNDS), expected);
        kifu_destroy(lab);
        for (int i = 0; i < THREADS; i++)
            join(threads[i], expected);
    }
}
END_TEST

static void *fork_states(void *context)
{
    uint64_t *sum = malloc(sizeof *sum);
    must_be(sum);
    *sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        kifu_timeline *fork = fork_of(context, KIFU_WITHOUT_PAST, NULL);
        *sum += kifu_state_hash(fork);
        kifu_destroy(fork);
    }
    return sum;
}

START_TEST(M08_X07_forks_without_a_past_are_made_in_several_threads)
{
    kifu_timeline *crawl = crawl_new(NULL);
    must(crawl, kifu_postpone(crawl, crawl_submit_e_bell(crawl, 2), 50, 1)); // A timer leads to an event of the log.
    must(crawl, kifu_run(crawl));
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, fork_states, crawl), 0);
    for (int i = 0; i < THREADS; i++)
        join(threads[i], ROUNDS * kifu_state_hash(crawl));
    kifu_destroy(crawl);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        T11_a_fork_shares_all_segments_but_the_last,
        T11_a_fork_with_another_allocator_shares_nothing,
        T11_a_fork_of_a_loaded_game_shares_its_file,
        T11_what_no_fork_holds_any_more_is_filled_again,
        T11_random_games_of_forks_are_as_if_each_had_its_own_memory,
        X07_forks_are_made_used_and_freed_in_several_threads,
        M08_X07_forks_without_a_past_are_made_in_several_threads,
    };
    return run_suite("shared forks", tests, sizeof tests / sizeof *tests);
}
