// No memory, at every allocation in turn: each call says so, nothing is lost, nothing leaks, and the same call succeeds
// once there is memory again.

#include "lab_help.h"
#include "run_codec.h"
#include "suite.h"

typedef struct allocator {
    long until_failure; // 0: the next one fails, once; negative: none does
    long calls;
    long blocks;
    bool failed;
} allocator;

static void *allocate(void *context, void *block, size_t size)
{
    allocator *memory = (allocator *)context;
    if (size == 0) {
        memory->blocks -= block != NULL;
        free(block);
        return NULL;
    }
    memory->calls++;
    if (memory->until_failure-- == 0) {
        memory->failed = true;
        return NULL;
    }
    void *allocated = realloc(block, size);
    memory->blocks += !block;
    return allocated;
}

// Once more, if it failed for want of memory.
#define AGAIN(memory, call)                                                                                            \
    do {                                                                                                               \
        kifu_result result_ = (call);                                                                                  \
        if (result_ == KIFU_NO_MEMORY) {                                                                               \
            ck_assert((memory)->failed);                                                                               \
            result_ = (call);                                                                                          \
        }                                                                                                              \
        ck_assert_int_eq(result_, KIFU_OK);                                                                            \
    } while (0)

// A submit that failed is reported by the next run, and is then submitted again.
static void play(kifu_timeline *lab, allocator *memory, const char *script)
{
    if (!lab_do(lab, 0, script, 1)) {
        ck_assert_int_eq(kifu_run(lab), KIFU_NO_MEMORY);
        ck_assert(memory->failed);
        lab_do(lab, 0, script, 1);
    }
    uint32_t before = kifu_event_count(lab);
    kifu_result result = kifu_run(lab);
    if (result == KIFU_NO_MEMORY) {
        ck_assert(memory->failed);
        result = kifu_run(lab); // an event that could not be sealed still waits; one whose Do failed is gone
        if (kifu_event_count(lab) == before) {
            lab_do(lab, 0, script, 1);
            result = kifu_run(lab);
        }
    }
    lab_must(lab, result);
}

// A whole life; returns the state's hash at its end.
static uint64_t live(allocator *memory)
{
    static char long_script[5000];
    memset(long_script, '+', sizeof long_script - 1);
    kifu_options options = {.allocate = allocate, .allocate_context = memory};
    kifu_timeline *lab, *loaded = NULL;
    kifu_error error;
    AGAIN(memory, kifu_create(&lab_rules, &options, &lab, &error));
    play(lab, memory, "+1");
    play(lab, memory, long_script);
    for (int i = 0; i < 40; i++)
        play(lab, memory, "+");
    AGAIN(memory, kifu_undo(lab));
    AGAIN(memory, kifu_undo(lab));
    AGAIN(memory, kifu_redo(lab));
    unsigned char *bytes;
    size_t size;
    AGAIN(memory, kifu_save_to_memory(lab, NULL, &bytes, &size));
    AGAIN(memory, kifu_load_from_memory(&lab_rules, bytes, size, &options, NULL, &loaded, &error));
    ck_assert_uint_eq(kifu_state_hash(loaded), kifu_state_hash(lab));
    ck_assert_uint_eq(kifu_event_count(loaded), kifu_event_count(lab));
    AGAIN(memory, kifu_undo(loaded));
    AGAIN(memory, kifu_redo(loaded));
    AGAIN(memory, kifu_redo(loaded));
    kifu_free_bytes(lab, bytes);
    kifu_destroy(lab);
    uint64_t hash = kifu_state_hash(loaded);
    kifu_destroy(loaded);
    ck_assert_int_eq(memory->blocks, 0);
    return hash;
}

static kifu_result react_to_one(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)context, (void)state;
    if (event->type == LAB_P_DO)
        lab_submit_e_do(timeline, "2");
    return KIFU_OK;
}

static kifu_result trigger_at_five(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                                   const kifu_change *change)
{
    (void)context, (void)state, (void)event;
    if (*(const int64_t *)change->after == 5)
        lab_submit_e_do(timeline, "5");
    return KIFU_OK;
}

static void listen(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)context, (void)timeline, (void)state, (void)change;
}

static void observe(kifu_timeline *lab, allocator *memory)
{
    const kifu_observer observers[] = {{.react = react_to_one},
                                       {.trigger = trigger_at_five, KIFU_PART(lab_state, total)},
                                       {.listen = listen, KIFU_PART(lab_state, total)},
                                       {.listen = listen, KIFU_PART(lab_state, trace)}};
    for (int i = 0; i < 4; i++)
        AGAIN(memory, kifu_observe(lab, &observers[i]));
}

static void play_in_transactions(kifu_timeline *lab, allocator *memory)
{
    static const uint32_t ways[] = {0, KIFU_DEFERRED, KIFU_SEARCH};
    for (int way = 0; way < 3; way++) {
        for (int commits = way != 2; commits >= 0; commits--) {
            play(lab, memory, "4");
            AGAIN(memory, kifu_begin(lab, ways[way]));
            for (int i = 0; i < 3; i++)
                play(lab, memory, "+(1)");
            if (way == 0)
                AGAIN(memory, kifu_begin(lab, 0));
            play(lab, memory, "+(+3)");
            if (way == 0)
                AGAIN(memory, kifu_commit(lab));
            AGAIN(memory, commits ? kifu_commit(lab) : kifu_roll_back(lab));
            AGAIN(memory, kifu_undo(lab)); // what a roll-back brings back
        }
    }
}

static void fork_and_verify(kifu_timeline *lab, allocator *memory, const kifu_options *options)
{
    kifu_timeline *fork = NULL;
    kifu_error error;
    const uint32_t count = kifu_event_count(lab);
    for (uint32_t at = count; at > 2; at /= 3) {
        lab_state then;
        AGAIN(memory, kifu_fork(lab, at, options, &fork, &error));
        AGAIN(memory, kifu_state_at(lab, at, &then, sizeof then));
        ck_assert_mem_eq(&then, lab_get_state(fork), sizeof then);
        play(fork, memory, "+");
        AGAIN(memory, kifu_verify_replay(fork, NULL));
        kifu_destroy(fork);
        AGAIN(memory, kifu_seek(lab, at));
        ck_assert_uint_eq(kifu_position(lab), at);
    }
    AGAIN(memory, kifu_seek(lab, KIFU_PRESENT));
    ck_assert_uint_eq(kifu_position(lab), count);
}

// With observers, transactions, forks and all that goes back; with keyframes and hashes after each few events.
static uint64_t live_with_all(allocator *memory)
{
    const kifu_options options = {.allocate = allocate,
                                  .allocate_context = memory,
                                  .keyframe_bytes = 1000,
                                  .hash_interval = 1,
                                  .record_inputs = kifu_record_inputs};
    kifu_timeline *lab, *loaded = NULL;
    kifu_error error;
    AGAIN(memory, kifu_create(&lab_rules, &options, &lab, &error));
    observe(lab, memory);
    play(lab, memory, "+1");
    play_in_transactions(lab, memory);
    fork_and_verify(lab, memory, &options);
    const kifu_save_options packed = {.codec = &run_codec};
    const kifu_load_options how = {.codec = &run_codec};
    unsigned char *bytes;
    size_t size;
    AGAIN(memory, kifu_save_to_memory(lab, &packed, &bytes, &size));
    AGAIN(memory, kifu_load_from_memory(&lab_rules, bytes, size, &options, &how, &loaded, &error));
    ck_assert_uint_eq(kifu_state_hash(loaded), kifu_state_hash(lab));
    kifu_free_bytes(lab, bytes);
    kifu_destroy(lab);
    AGAIN(memory, kifu_undo(loaded));
    AGAIN(memory, kifu_undo(loaded));
    const uint64_t hash = kifu_state_hash(loaded);
    kifu_destroy(loaded);
    ck_assert_int_eq(memory->blocks, 0);
    return hash;
}

static uint64_t live_with_sync_test(allocator *memory)
{
    const kifu_options options = {
        .allocate = allocate, .allocate_context = memory, .sync_test = kifu_sync_test, .hash_interval = 1};
    kifu_timeline *lab;
    kifu_error error;
    AGAIN(memory, kifu_create(&lab_rules, &options, &lab, &error));
    play(lab, memory, "+(+1)2");
    AGAIN(memory, kifu_undo(lab));
    AGAIN(memory, kifu_redo(lab));
    const uint64_t hash = kifu_state_hash(lab);
    kifu_destroy(lab);
    ck_assert_int_eq(memory->blocks, 0);
    return hash;
}

static void must_live_where_each_allocation_fails(uint64_t (*life)(allocator *memory))
{
    allocator enough = {.until_failure = -1};
    const uint64_t expected = life(&enough);
    for (long i = 0; i < enough.calls; i++) {
        allocator memory = {.until_failure = i};
        ck_assert_uint_eq(life(&memory), expected);
        ck_assert(memory.failed);
    }
}

START_TEST(every_allocation_may_fail)
{
    must_live_where_each_allocation_fails(live);
}
END_TEST

START_TEST(every_allocation_of_transactions_forks_and_observers_may_fail)
{
    must_live_where_each_allocation_fails(live_with_all);
}
END_TEST

START_TEST(every_allocation_with_the_sync_test_may_fail)
{
    must_live_where_each_allocation_fails(live_with_sync_test);
}
END_TEST

START_TEST(nothing_is_allocated_in_steady_state)
{
    allocator memory = {.until_failure = -1};
    kifu_options options = {.allocate = allocate, .allocate_context = &memory, .quiet = true};
    kifu_timeline *lab = lab_new(&options);
    for (int round = 0; round < 40; round++) {
        for (int i = 0; i < 100; i++) {
            lab_do(lab, 0, i % 2 ? "+(+)" : "-", 1);
            lab_must(lab, kifu_run(lab));
        }
        long before = memory.calls;
        for (int i = 0; i < 100; i++)
            lab_must(lab, kifu_undo(lab));
        for (int i = 0; i < 50; i++)
            lab_must(lab, kifu_redo(lab));
        for (int i = 0; i < 50; i++) { // where there was room before
            lab_do(lab, 0, "+(+)", 1);
            lab_must(lab, kifu_run(lab));
        }
        for (int i = 0; i < 100; i++)
            lab_must(lab, kifu_undo(lab));
        if (round)
            ck_assert_int_eq(memory.calls, before);
    }
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {every_allocation_may_fail,
                                  every_allocation_of_transactions_forks_and_observers_may_fail,
                                  every_allocation_with_the_sync_test_may_fail, nothing_is_allocated_in_steady_state};
    return run_suite("memory", tests, sizeof tests / sizeof *tests);
}
