// No memory, at every allocation in turn: each call says so, nothing is lost, nothing leaks, and the same call succeeds
// once there is memory again.

#include "lab_help.h"
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
    if (!lab_submit_p_do(lab, 0, script, 1)) {
        ck_assert_int_eq(kifu_run(lab), KIFU_NO_MEMORY);
        ck_assert(memory->failed);
        lab_submit_p_do(lab, 0, script, 1);
    }
    uint32_t before = kifu_event_count(lab);
    kifu_result result = kifu_run(lab);
    if (result == KIFU_NO_MEMORY) {
        ck_assert(memory->failed);
        result = kifu_run(lab); // an event that could not be sealed still waits; one whose Do failed is gone
        if (kifu_event_count(lab) == before) {
            lab_submit_p_do(lab, 0, script, 1);
            result = kifu_run(lab);
        }
    }
    ck_assert_int_eq(result, KIFU_OK);
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

START_TEST(every_allocation_may_fail)
{
    allocator enough = {.until_failure = -1};
    uint64_t expected = live(&enough);
    for (long i = 0; i < enough.calls; i++) {
        allocator memory = {.until_failure = i};
        ck_assert_uint_eq(live(&memory), expected);
        ck_assert(memory.failed);
    }
}
END_TEST

START_TEST(nothing_is_allocated_in_steady_state)
{
    allocator memory = {.until_failure = -1};
    kifu_options options = {.allocate = allocate, .allocate_context = &memory, .quiet = true};
    kifu_timeline *lab = lab_new(&options);
    for (int round = 0; round < 40; round++) {
        for (int i = 0; i < 100; i++) {
            lab_submit_p_do(lab, 0, i % 2 ? "+(+)" : "-", 1);
            lab_must(lab, kifu_run(lab));
        }
        long before = memory.calls;
        for (int i = 0; i < 100; i++)
            lab_must(lab, kifu_undo(lab));
        for (int i = 0; i < 50; i++)
            lab_must(lab, kifu_redo(lab));
        for (int i = 0; i < 50; i++) { // where there was room before
            lab_submit_p_do(lab, 0, "+(+)", 1);
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
    const TTest *const tests[] = {every_allocation_may_fail, nothing_is_allocated_in_steady_state};
    return run_suite("memory", tests, sizeof tests / sizeof *tests);
}
