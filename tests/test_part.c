// Parts: in which order they hear of something, and what they keep over transactions, undo and forks.

#include "history_help.h"
#include "lab_help.h"
#include "suite.h"
#include "core/timeline.h"
#include "wire/builder.h"

// --- Parts of the test -----------------------------------------------------------------------------------------------

typedef struct probe {
    kifu__part part;
    uint64_t value;     // Kept, unless it is 0.
    kifu_result answer; // To each call from outside.
    unsigned asked;
    unsigned returned; // How often it got something back,
    uint32_t size;     // and how much the last time.
} probe;

static char heard[100]; // The order of each part that heard of an event.

static probe *probe_of(kifu__part *part)
{
    return (probe *)part;
}

static kifu_result begins(kifu_timeline *timeline, kifu__part *part)
{
    (void)timeline;
    probe_of(part)->asked++;
    return probe_of(part)->answer;
}

static void changed(kifu_timeline *timeline, kifu__part *part, const kifu__change *change)
{
    (void)timeline;
    (void)change;
    const size_t used = strlen(heard);
    snprintf(heard + used, sizeof heard - used, "%d", part->table->order);
}

static void keeps(const kifu__part *part, kifu__blob *kept)
{
    const probe *probe = (const struct probe *)part;
    if (probe->value)
        kifu__build(kept, 0, &probe->value, sizeof probe->value, 8);
}

// Needs memory, as a copy of something would.
static bool returns(kifu_timeline *timeline, kifu__part *part, const unsigned char *kept, uint32_t size)
{
    probe *probe = probe_of(part);
    void *room = kifu__new(&timeline->memory, 8);
    kifu__free(&timeline->memory, room);
    probe->returned++;
    probe->size = size;
    probe->value = 0;
    if (size)
        memcpy(&probe->value, kept, sizeof probe->value);
    return room != NULL;
}

// Few functions, as each part has; none is freed by itself.
static const kifu__part_table first = {.size = sizeof(probe),
                                       .order = KIFU__TRANSACTIONS,
                                       .begins = begins,
                                       .changed = changed,
                                       .keeps = keeps,
                                       .returns = returns};
static const kifu__part_table second = {.size = sizeof(probe),
                                        .order = KIFU__TURNS,
                                        .begins = begins,
                                        .changed = changed,
                                        .keeps = keeps,
                                        .returns = returns};
static const kifu__part_table third = {
    .size = sizeof(probe), .order = KIFU__RECORDS, .changed = changed, .returns = returns};

static probe *attach(kifu_timeline *timeline, const kifu__part_table *table)
{
    kifu__part *part = kifu__attach(timeline, table);
    ck_assert_ptr_nonnull(part);
    return probe_of(part);
}

// --- The tests -------------------------------------------------------------------------------------------------------

START_TEST(parts_hear_in_the_order_of_their_tables)
{
    kifu_timeline *lab = lab_new(NULL);
    ck_assert_ptr_null(kifu__part_of(lab, &second));
    probe *middle = attach(lab, &second);
    attach(lab, &third);
    attach(lab, &first);
    ck_assert_ptr_eq(attach(lab, &second), middle); // There is one of each.
    ck_assert_ptr_eq(kifu__part_of(lab, &second), middle);
    heard[0] = '\0';
    must(lab, lab_play(lab, "1"));
    char expected[20];
    snprintf(expected, sizeof expected, "%d%d%d", KIFU__TRANSACTIONS, KIFU__TURNS, KIFU__RECORDS);
    ck_assert_str_eq(heard, expected);
    kifu_destroy(lab);
}
END_TEST

START_TEST(a_part_that_refuses_a_call_ends_it_there)
{
    kifu_timeline *lab = lab_new(NULL);
    probe *one = attach(lab, &first), *other = attach(lab, &second);
    lab_do(lab, 0, "1", 1);
    one->answer = KIFU_DIVERGED;
    ck_assert_int_eq(kifu_run(lab), KIFU_DIVERGED);
    ck_assert(one->asked == 1 && other->asked == 0);
    ck_assert_uint_eq(kifu_pending_count(lab), 1);
    one->answer = KIFU_OK;
    other->answer = KIFU_DIVERGED;
    ck_assert_int_eq(kifu_undo(lab), KIFU_DIVERGED);
    ck_assert(one->asked == 2 && other->asked == 1);
    other->answer = KIFU_OK;
    must(lab, kifu_run(lab));
    ck_assert_str_eq(lab_trace(lab), "1");
    kifu_destroy(lab);
}
END_TEST

START_TEST(P05_a_roll_back_gives_each_part_what_it_had)
{
    kifu_timeline *lab = lab_new(NULL);
    probe *one = attach(lab, &first), *other = attach(lab, &second);
    one->value = 11; // The other has nothing.
    must(lab, kifu_begin(lab, 0));
    one->value = 12;
    other->value = 22;
    probe *late = attach(lab, &third);
    late->value = 33;
    must(lab, kifu_begin(lab, 0));
    one->value = 0;
    other->value = 23;
    must(lab, kifu_roll_back(lab));
    ck_assert(one->value == 12 && one->size == 8);
    ck_assert(other->value == 22 && other->size == 8);
    must(lab, kifu_roll_back(lab));
    ck_assert(one->value == 11 && one->size == 8);
    ck_assert(other->value == 0 && other->size == 0);
    ck_assert(late->value == 0 && late->size == 0); // It was not there then, and keeps nothing itself.
    ck_assert(one->returned == 2 && other->returned == 2 && late->returned == 2);
    kifu_destroy(lab);
}
END_TEST

// Where nothing is kept this time, nothing comes back of what was kept there before.
START_TEST(P05_a_part_without_anything_gets_nothing_of_an_earlier_time)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, lab_play(lab, "1"));
    probe *one = attach(lab, &first);
    for (uint64_t value = 0; value < 3; value++) {
        one->value = (value + 1) % 3;
        must(lab, kifu_begin(lab, 0));
        one->value = 9;
        must(lab, kifu_roll_back(lab));
        ck_assert_uint_eq(one->value, (value + 1) % 3);
        must(lab, kifu_undo(lab));
        ck_assert_ptr_null(lab->log.branch->kept); // Nothing waited.
        must(lab, kifu_redo(lab));
        lab_do(lab, 0, "5", 1);
        must(lab, kifu_undo(lab));
        uint32_t size = 0;
        ck_assert(!kifu__kept_by(&first, lab->log.branch->kept->parts, &size) == !one->value);
        must(lab, kifu_redo(lab));
        kifu_drop_inputs(lab);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(U07_redo_gives_each_part_what_it_had)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, lab_play(lab, "1"));
    attach(lab, &first)->value = 11;
    attach(lab, &second)->value = 22;
    lab_do(lab, 0, "5", 1); // Something waits.
    must(lab, kifu_undo(lab));
    uint32_t size = 0;
    const kifu__blob *kept = lab->log.branch->kept->parts;
    const unsigned char *bytes = kifu__kept_by(&second, kept, &size);
    ck_assert(bytes && size == 8 && bytes[0] == 22);
    bytes = kifu__kept_by(&first, kept, &size);
    ck_assert(bytes && size == 8 && bytes[0] == 11);
    ck_assert_ptr_null(kifu__kept_by(&third, kept, &size));
    attach(lab, &first)->value = 0;
    must(lab, kifu_redo(lab));
    ck_assert_uint_eq(attach(lab, &first)->value, 11);
    ck_assert_uint_eq(attach(lab, &second)->value, 22);
    kifu_destroy(lab);
}
END_TEST

// All of it, or no fork.
START_TEST(T01_a_fork_has_what_parts_keep)
{
    bool failed = true;
    for (long i = 0; failed; i++) {
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        kifu_timeline *lab = lab_new(&options), *fork;
        kifu_error error;
        attach(lab, &first)->value = 11;
        attach(lab, &second)->value = 22;
        attach(lab, &third);
        const long blocks = memory.blocks;
        memory.until_failure = i;
        const kifu_result result = kifu_fork(lab, KIFU_PRESENT, NULL, &fork, &error);
        failed = memory.failed;
        ck_assert_int_eq(result, failed ? KIFU_NO_MEMORY : KIFU_OK);
        if (failed) {
            ck_assert_ptr_nonnull(strstr(error.message, "memory"));
            ck_assert_ptr_null(fork);
        } else {
            ck_assert_uint_eq(attach(fork, &first)->value, 11);
            ck_assert_uint_eq(attach(fork, &second)->value, 22);
            ck_assert_ptr_null(kifu__part_of(fork, &third));
            kifu_destroy(fork);
        }
        ck_assert_int_eq(memory.blocks, blocks);
        kifu_destroy(lab);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

START_TEST(without_memory_for_what_parts_keep_nothing_is_begun_or_undone)
{
    for (int undo = 0; undo < 2; undo++) {
        bool failed = true;
        for (long i = 0; failed; i++) {
            test_memory memory = {.until_failure = -1};
            const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
            kifu_timeline *lab = lab_new(&options);
            must(lab, lab_play(lab, "1"));
            attach(lab, &first)->value = 11;
            attach(lab, &second)->value = 22;
            lab_do(lab, 0, "5", 1); // Something waits, and is kept.
            const lab_picture before = lab_look(lab);
            memory.until_failure = i;
            const kifu_result result = undo ? kifu_undo(lab) : kifu_begin(lab, 0);
            failed = memory.failed;
            ck_assert_int_eq(result, failed ? KIFU_NO_MEMORY : KIFU_OK);
            if (failed) {
                must_say(lab, undo ? "nothing was changed" : "none was begun");
                lab_same(lab, &before);
                ck_assert_uint_eq(kifu_open_transactions(lab), 0);
                ck_assert_uint_eq(kifu_can_redo(lab, NULL), 0);
                must(lab, undo ? kifu_undo(lab) : kifu_begin(lab, 0));
            }
            attach(lab, &second)->value = 0;
            must(lab, undo ? kifu_redo(lab) : kifu_roll_back(lab));
            ck_assert_uint_eq(attach(lab, &second)->value, 22);
            lab_same(lab, &before);
            kifu_destroy(lab);
            ck_assert_int_eq(memory.blocks, 0);
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        parts_hear_in_the_order_of_their_tables,
        a_part_that_refuses_a_call_ends_it_there,
        P05_a_roll_back_gives_each_part_what_it_had,
        P05_a_part_without_anything_gets_nothing_of_an_earlier_time,
        U07_redo_gives_each_part_what_it_had,
        T01_a_fork_has_what_parts_keep,
        without_memory_for_what_parts_keep_nothing_is_begun_or_undone,
    };
    return run_suite("part", tests, sizeof tests / sizeof *tests);
}
