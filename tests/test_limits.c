// Limits that no test can play its way to: each part is asked directly for more than it can have.

#include "history_help.h"
#include "lab_help.h"
#include "suite.h"
#include "base/memory.h"
#include "base/os.h"
#include "core/log.h"
#include "core/queue.h"
#include "core/timeline.h"
#include "save/budget.h"
#include "wire/buffer.h"
#include "wire/builder.h"
#include "wire/table.h"

static void *no_memory(void *context, void *block, size_t size)
{
    (void)context;
    (void)block;
    (void)size;
    return NULL;
}

// Gives what nobody may use, and says how much it was asked for.
static void *pretend(void *context, void *block, size_t size)
{
    (void)block;
    *(size_t *)context = size;
    return context;
}

START_TEST(a_block_doubles_as_long_as_it_can)
{
    size_t asked = 0;
    const kifu__memory memory = {pretend, &asked};
    static const struct {
        uint32_t capacity;
        uint64_t needed;
        uint32_t expected;
    } cases[] = {{0, 1, 16},
                 {0, 17, 17},
                 {16, 17, 32},
                 {16, 33, 33},
                 {UINT32_C(3000000000), UINT64_C(3000000001), UINT32_MAX},
                 {UINT32_C(0x80000000), UINT32_MAX, UINT32_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t capacity = cases[i].capacity;
        ck_assert_ptr_eq(kifu__grow(&memory, &asked, &capacity, cases[i].needed, 1), &asked);
        ck_assert_uint_eq(capacity, cases[i].expected);
        ck_assert_uint_eq(asked, cases[i].expected);
    }
    asked = 0;
    uint32_t capacity = 16;
    ck_assert_ptr_eq(kifu__grow(&memory, &asked, &capacity, 16, 1), &asked);
    ck_assert_uint_eq(asked, 0); // There was room.
}
END_TEST

START_TEST(a_block_grows_to_four_billion_items_and_no_further)
{
    size_t asked = 0;
    const kifu__memory memory = {pretend, &asked}, none = {no_memory, NULL};
    uint32_t capacity = UINT32_MAX;
    ck_assert_ptr_null(kifu__grow(&memory, NULL, &capacity, UINT64_C(1) << 32, 1));
    ck_assert_ptr_null(kifu__grow(&memory, NULL, &capacity, 1, SIZE_MAX / 2));
    ck_assert_uint_eq(asked, 0);
    ck_assert_uint_eq(capacity, UINT32_MAX);
    capacity = 0;
    ck_assert_ptr_null(kifu__grow(&none, NULL, &capacity, 1, 1));
    ck_assert_uint_eq(capacity, 0);
}
END_TEST

START_TEST(a_proposal_of_two_gibibytes_is_not_queued)
{
    const kifu__memory memory = kifu__memory_of(NULL, NULL);
    kifu__queue queue = {0};
    ck_assert(!kifu__queue_push(&queue, &memory, &(kifu__proposal){.size = UINT32_MAX / 2 + 1}, ""));
    ck_assert_uint_eq(queue.count, 0);
    ck_assert_ptr_null(queue.bytes);
}
END_TEST

START_TEST(a_log_has_at_most_about_four_billion_events)
{
    const kifu__memory memory = kifu__memory_of(NULL, NULL);
    const void *table;
    const kifu__segment segment = {.count = 1};
    kifu__log log;
    kifu__log_open(&log, &lab_rules, &memory);
    log.branch->end = KIFU_NONE - 1 - KIFU__MOST_SLOTS;
    ck_assert_int_eq(kifu__log_append(&log, LAB_E_SEAL, "", 0, (kifu__mark){0}, &table), KIFU_TOO_LARGE);
    ck_assert_int_eq(kifu__log_adopt(&log, &segment), KIFU_TOO_LARGE);
    ck_assert_uint_eq(log.branch->segment_count, 0);
    log.branch->end--;
    ck_assert_int_eq(kifu__log_adopt(&log, &segment), KIFU_OK);
    ck_assert_uint_eq(log.branch->end, KIFU_NONE - 1 - KIFU__MOST_SLOTS);
    log.branch->end = 0;
    ck_assert_int_eq(kifu__log_append(&log, LAB_E_SEAL, "", UINT32_MAX, (kifu__mark){0}, &table), KIFU_TOO_LARGE);
    kifu__log_close(&log);
}
END_TEST

START_TEST(an_event_has_at_most_a_gibibyte)
{
    const kifu__memory none = {no_memory, NULL};
    const uint32_t most = UINT32_C(1) << 30;
    const void *table;
    kifu__log log;
    kifu__log_open(&log, &lab_rules, &none);
    ck_assert_int_eq(kifu__log_append(&log, LAB_E_SEAL, "", most, (kifu__mark){0}, &table), KIFU_NO_MEMORY);
    ck_assert_int_eq(kifu__log_append(&log, LAB_E_SEAL, "", most + 1, (kifu__mark){0}, &table), KIFU_TOO_LARGE);
}
END_TEST

START_TEST(a_segment_grows_no_further_than_it_may)
{
    const kifu__memory memory = kifu__memory_of(NULL, NULL);
    const lab_e_seal seal = {0};
    kifu__segment segment;
    ck_assert_int_eq(kifu__segment_new(&memory, &lab_rules, 1, 10, 0, &segment), KIFU_OK);
    ck_assert_int_eq(kifu__segment_add(&segment, &memory, &lab_rules, LAB_E_SEAL, &seal, sizeof seal, (kifu__mark){0},
                                       segment.capacity),
                     KIFU_TOO_LARGE);
    ck_assert_uint_eq(segment.count, 0);
    ck_assert_int_eq(kifu__segment_add(&segment, &memory, &lab_rules, LAB_E_SEAL, &seal, sizeof seal, (kifu__mark){0},
                                       segment.capacity + 100),
                     KIFU_OK);
    ck_assert_uint_eq(segment.count, 1);
    kifu__free(&memory, segment.bytes);
}
END_TEST

START_TEST(a_borrowed_segment_that_is_cut_is_not_written)
{
    const kifu__memory memory = kifu__memory_of(NULL, NULL);
    const lab_e_seal seal = {0};
    const void *table;
    unsigned char before[500];
    kifu__segment segment;
    ck_assert_int_eq(kifu__segment_new(&memory, &lab_rules, 1, 3, 100, &segment), KIFU_OK);
    for (int i = 0; i < 3; i++)
        ck_assert(kifu__segment_append(&segment, &lab_rules, LAB_E_SEAL, &seal, sizeof seal, (kifu__mark){0}, &table));
    ck_assert_uint_le(segment.size, sizeof before);
    memcpy(before, segment.bytes, segment.size);
    const uint32_t size = segment.size;
    segment.borrowed = true;
    kifu__segment_truncate(&segment, 1);
    ck_assert_uint_eq(segment.count, 1);
    ck_assert_uint_eq(segment.size, size);
    ck_assert_mem_eq(segment.bytes, before, size);
    kifu__free(&memory, segment.bytes);
}
END_TEST

START_TEST(there_is_room_for_the_transient_fields_of_each_type)
{
    kifu__type types[256];
    memcpy(types, lab_rules.types, (lab_rules.type_count + 1) * sizeof *types);
    kifu_rules rules = lab_rules;
    rules.types = types;
    for (uint32_t type = 1; type <= rules.type_count; type++) {
        types[type].transient_size = (uint16_t)(496 + type % 9);
        kifu_timeline *lab;
        ck_assert_int_eq(kifu_create(&rules, NULL, &lab, NULL), KIFU_OK);
        ck_assert_uint_eq(lab->transient_size, type % 9 ? 504 : 496);
        kifu_destroy(lab);
        types[type].transient_size = 0;
    }
}
END_TEST

START_TEST(a_table_of_more_than_a_gibibyte_is_not_built)
{
    const kifu__memory memory = kifu__memory_of(NULL, NULL);
    kifu__blob blob = {.memory = &memory};
    ck_assert_uint_eq(kifu__build(&blob, 0, NULL, KIFU__MOST_BUILT + UINT64_C(1), 8), 0);
    ck_assert_int_eq(blob.result, KIFU_TOO_LARGE);
    ck_assert_uint_eq(kifu__build(&blob, 0, NULL, 8, 8), 0); // Nothing is added after a failure.
    ck_assert_ptr_null(blob.bytes);
    kifu__build_anew(&blob, &memory);
    kifu__build(&blob, 0, NULL, 8, 8);
    ck_assert_int_eq(blob.result, KIFU_OK);
    kifu__build(&blob, 0, NULL, KIFU__MOST_BUILT, 8);
    ck_assert_int_eq(blob.result, KIFU_TOO_LARGE);
    kifu__free(&memory, blob.bytes);
    const kifu__memory none = {no_memory, NULL};
    blob = (kifu__blob){.memory = &none};
    kifu__build(&blob, 0, NULL, KIFU__MOST_BUILT, 8);
    ck_assert_int_eq(blob.result, KIFU_NO_MEMORY); // It would be, were there that much.
}
END_TEST

START_TEST(a_segment_of_two_gibibytes_is_not_made)
{
    const kifu__memory none = {no_memory, NULL};
    const uint32_t head = kifu__segment_head(10, lab_rules.vtables_size).size;
    kifu__segment segment;
    ck_assert_int_eq(kifu__segment_new(&none, &lab_rules, 1, 10, KIFU__MOST_BYTES - head, &segment), KIFU_NO_MEMORY);
    ck_assert_int_eq(kifu__segment_new(&none, &lab_rules, 1, 10, KIFU__MOST_BYTES - head + 1, &segment),
                     KIFU_TOO_LARGE);
}
END_TEST

static void *note_size(void *context, void *block, size_t size)
{
    bool *asked = (bool *)context;
    if (size < 2000)
        asked[size] = true;
    if (size)
        return realloc(block, size);
    free(block);
    return NULL;
}

// Where 8 bytes need no alignment of 8, a state may end within them.
START_TEST(a_state_of_any_size_is_whole_windows_of_the_journal)
{
    for (uint32_t more = 0; more < 8; more++) {
        bool asked[2000] = {false};
        kifu_rules rules = lab_rules;
        rules.state_size = (uint32_t)sizeof(lab_state) + more;
        ck_assert_uint_eq(sizeof(lab_state) % 8, 0);
        ck_assert_uint_lt(rules.state_size + 8, 2000);
        kifu_timeline *lab;
        ck_assert_int_eq(
            kifu_create(&rules, &(kifu_options){.allocate = note_size, .allocate_context = asked}, &lab, NULL),
            KIFU_OK);
        ck_assert(asked[sizeof(lab_state)] == !more);
        ck_assert(asked[sizeof(lab_state) + 8] == (more > 0));
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(a_flatbuffer_of_two_gibibytes_is_refused_unread)
{
    const uint64_t bytes[2] = {0};
    kifu_error error;
    static const uint32_t sizes[] = {KIFU__MOST_BYTES, UINT32_MAX};
    for (int i = 0; i < 2; i++) {
        const kifu__buffer buffer = {.bytes = (const unsigned char *)bytes, .size = sizes[i], .error = &error};
        uint32_t position;
        bool castable;
        ck_assert_int_eq(kifu__verify_root(&buffer, lab_rules.types[LAB_P_ADD].table, &position, &castable),
                         KIFU_DAMAGED);
        ck_assert_ptr_nonnull(strstr(error.message, "too large"));
    }
}
END_TEST

// A generator whose next number is `number`.
static kifu_rng about_to_draw(uint32_t number)
{
    return (kifu_rng){.state = (uint64_t)(number ^ number >> 18) << 27, .increment = 1};
}

// The smallest numbers are drawn again: as many as are too many for each remainder to be as likely.
START_TEST(a_number_below_a_bound_is_drawn_again_where_it_is_one_of_the_smallest)
{
    static const struct {
        uint32_t bound, number;
        bool again;
    } cases[] = {{UINT32_C(0x80000001), 0x7fffffff, false},
                 {UINT32_C(0x80000001), 0x7ffffffe, true},
                 {6, 3, true},
                 {6, 4, false},
                 {8, 0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_rng rng = about_to_draw(cases[i].number), once = rng;
        ck_assert_uint_eq(kifu_rng_next(&once), cases[i].number);
        const uint32_t drawn = kifu_rng_below(&rng, cases[i].bound);
        ck_assert(cases[i].again || drawn == cases[i].number % cases[i].bound);
        ck_assert(cases[i].again == (rng.state != once.state));
    }
}
END_TEST

START_TEST(no_number_is_below_zero)
{
    kifu_rng rng = about_to_draw(7);
    const kifu_rng before = rng;
    ck_assert_uint_eq(kifu_rng_below(&rng, 0), 0);
    ck_assert_uint_eq(rng.state, before.state);
}
END_TEST

START_TEST(a_result_that_is_none_has_a_text)
{
#define COUNT(name, text) +1
    const int count = 0 KIFU_RESULTS(COUNT);
#undef COUNT
    ck_assert_str_eq(kifu_result_text(KIFU_OK), "ok");
    for (int i = 0; i < count; i++)
        ck_assert_str_ne(kifu_result_text((kifu_result)i), "unknown result");
    ck_assert_str_eq(kifu_result_text((kifu_result)count), "unknown result");
    ck_assert_str_eq(kifu_result_text((kifu_result)100), "unknown result");
    ck_assert_str_eq(kifu_result_text((kifu_result)-1), "unknown result");
}
END_TEST

START_TEST(a_year_that_no_calendar_has_is_shown_as_zeros)
{
    char text[20];
    kifu__os_local_time(INT64_MAX, text);
    ck_assert_str_eq(text, "0000_00_00_00_00_00");
}
END_TEST

static const kifu__segment *last_segment(const kifu_timeline *lab)
{
    const kifu__branch *branch = lab->log.branch;
    return &branch->segments[branch->segment_count - 1];
}

// A load makes the last segment of a file its own, so that the game goes on in it; one that is full stays as it is.
START_TEST(M08_S03_a_full_last_segment_of_a_file_stays_in_the_file)
{
    for (uint32_t more = 0; more < 2; more++) {
        kifu_timeline *lab = lab_started(NULL);
        while (last_segment(lab)->count < KIFU__MOST_SLOTS - more) {
            lab_submit_p_add(lab, 0, 1);
            lab_must(lab, kifu_run(lab));
        }
        kifu_timeline *loaded = reload(lab, NULL);
        ck_assert_uint_eq(last_segment(loaded)->count, KIFU__MOST_SLOTS - more);
        ck_assert_int_eq(last_segment(loaded)->borrowed, !more);
        kifu_destroy(loaded);
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(M08_B08_a_budget_counts_the_blocks_that_it_knows)
{
    test_memory memory = {.until_failure = -1};
    const kifu__memory host = {.allocate = test_allocate, .context = &memory};
    kifu__budget budget;
    const kifu__memory limited = kifu__budget_begin(&budget, &host, 100);
    kifu_error error = {.offset = 7};
    ck_assert_int_eq(kifu__budget_end(&budget, "it", KIFU_NO_MEMORY, &error), KIFU_NO_MEMORY); // of the host
    void *first = limited.allocate(limited.context, NULL, 60);
    ck_assert_ptr_nonnull(first);
    ck_assert_uint_eq(budget.left, 40);
    ck_assert_ptr_null(limited.allocate(limited.context, NULL, 41));
    ck_assert_uint_eq(budget.needed, 101);
    ck_assert_ptr_null(limited.allocate(limited.context, NULL, 50));
    ck_assert_uint_eq(budget.needed, 101); // when it was too little first
    memory.until_failure = 0;
    ck_assert_ptr_null(limited.allocate(limited.context, NULL, 40));
    memory.until_failure = -1;
    ck_assert_uint_eq(budget.left, 40);
    void *second = limited.allocate(limited.context, NULL, 40);
    ck_assert_ptr_nonnull(second);
    ck_assert_uint_eq(budget.left, 0);
    ck_assert_ptr_null(limited.allocate(limited.context, first, 61)); // and it stays as it was
    first = limited.allocate(limited.context, first, 30);
    ck_assert_ptr_nonnull(first);
    ck_assert_uint_eq(budget.left, 30);
    ck_assert_ptr_null(limited.allocate(limited.context, second, 0));
    ck_assert_uint_eq(budget.left, 70);
    void *small[KIFU__BUDGET_KNOWN];
    for (uint32_t i = 0; i < KIFU__BUDGET_KNOWN; i++)
        small[i] = limited.allocate(limited.context, NULL, 1);
    ck_assert_uint_eq(budget.left, 70 - KIFU__BUDGET_KNOWN);
    ck_assert_ptr_null(limited.allocate(limited.context, first, 0)); // It is no more known: what it took stays taken.
    ck_assert_uint_eq(budget.left, 70 - KIFU__BUDGET_KNOWN);
    for (uint32_t i = 0; i < KIFU__BUDGET_KNOWN; i++)
        ck_assert_ptr_null(limited.allocate(limited.context, small[i], 0));
    ck_assert_uint_eq(budget.left, 70);
    ck_assert_int_eq(memory.blocks, 0);
    ck_assert_int_eq(kifu__budget_end(&budget, "it", KIFU_OK, &error), KIFU_OK);
    ck_assert_int_eq(kifu__budget_end(&budget, "it", KIFU_NO_MEMORY, NULL), KIFU_TOO_LARGE);
    ck_assert_int_eq(kifu__budget_end(&budget, "it", KIFU_NO_MEMORY, &error), KIFU_TOO_LARGE);
    ck_assert_str_eq(error.message, "the save needs 101 bytes of memory or more, and it allows 100: raise it if you "
                                    "trust the file");
    ck_assert_uint_eq(error.offset, 7);
}
END_TEST

// Zero is no ticket.
START_TEST(U02_tickets_begin_anew_after_four_billion_submits)
{
    kifu_timeline *lab = lab_new(NULL);
    lab->last_ticket = UINT32_MAX - 1;
    ck_assert_uint_eq(lab_do(lab, 0, "1", 1), UINT32_MAX);
    ck_assert_uint_eq(lab_do(lab, 0, "2", 1), 1);
    ck_assert_uint_eq(lab_submit_p_add(lab, 0, 3), 2);
    lab_must(lab, kifu_override(lab, 1, false, false));
    lab_must(lab, kifu_run(lab));
    kifu_event event;
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert(kifu_event_at(lab, i, &event));
        ck_assert_uint_eq(event.flags, i == 1 ? 0 : KIFU_UNDOABLE);
    }
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_block_doubles_as_long_as_it_can,
        a_block_grows_to_four_billion_items_and_no_further,
        a_proposal_of_two_gibibytes_is_not_queued,
        a_log_has_at_most_about_four_billion_events,
        a_borrowed_segment_that_is_cut_is_not_written,
        M08_S03_a_full_last_segment_of_a_file_stays_in_the_file,
        a_segment_grows_no_further_than_it_may,
        an_event_has_at_most_a_gibibyte,
        there_is_room_for_the_transient_fields_of_each_type,
        a_table_of_more_than_a_gibibyte_is_not_built,
        a_state_of_any_size_is_whole_windows_of_the_journal,
        a_segment_of_two_gibibytes_is_not_made,
        a_flatbuffer_of_two_gibibytes_is_refused_unread,
        a_result_that_is_none_has_a_text,
        a_number_below_a_bound_is_drawn_again_where_it_is_one_of_the_smallest,
        no_number_is_below_zero,
        a_year_that_no_calendar_has_is_shown_as_zeros,
        M08_B08_a_budget_counts_the_blocks_that_it_knows,
        U02_tickets_begin_anew_after_four_billion_submits,
    };
    return run_suite("limits", tests, sizeof tests / sizeof *tests);
}
