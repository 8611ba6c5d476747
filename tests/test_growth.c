// Nothing grows faster than its work: shown by counting, at n, 2n and 4n.

#include "crawl_help.h"
#include "suite.h"

enum { MANY = 500 };

// --- Transactions, and playing again ---------------------------------------------------------------------------------

// The memory that `count` nested transactions need, with an event in each, or one that waits.
static size_t memory_of_nested(uint32_t count, unsigned flags, bool waits)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .quiet = true};
    kifu_timeline *crawl = crawl_new(&options);
    for (uint32_t i = 0; i < count; i++) {
        must(crawl, kifu_begin(crawl, flags));
        crawl_submit_e_bell(crawl, i);
        if (!waits)
            must(crawl, kifu_run(crawl));
    }
    const size_t bytes = memory.bytes;
    const long calls = memory.calls;
    for (uint32_t i = 0; i < count; i++)
        must(crawl, kifu_roll_back(crawl));
    ck_assert_int_le(memory.calls - calls, (long)count * 4);
    ck_assert_uint_eq(crawl_get_state(crawl)->bell_count, 0);
    kifu_destroy(crawl);
    return bytes;
}

START_TEST(F41_nested_transactions_cost_what_is_in_them)
{
    static const unsigned kinds[] = {0, KIFU_DEFERRED, KIFU_SEARCH, 0};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const bool waits = i == 3;
        const size_t some = memory_of_nested(MANY, kinds[i], waits);
        ck_assert_uint_le(memory_of_nested(4 * MANY, kinds[i], waits), 5 * some);
    }
}
END_TEST

// Nothing of what waits is copied when a transaction begins. What changes in it is what it was after a roll-back.
START_TEST(F41_what_waits_is_shared_with_transactions)
{
    for (int change = 0; change < 5; change++) {
        kifu_timeline *crawl = crawl_new(NULL);
        const kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 3, 3, 100);
        crawl_submit_e_bell(crawl, 1);
        const kifu_ticket ticket = crawl_submit_p_bell(crawl, 0, 2);
        kifu_event first, last;
        must_be(kifu_pending_at(crawl, 0, &first));
        must(crawl, kifu_begin(crawl, 0));
        if (change == 0)
            must(crawl, kifu_override(crawl, ticket, false, false));
        else if (change == 1)
            must(crawl, kifu_postpone(crawl, ticket, 1, 1));
        else if (change == 2)
            must(crawl, kifu_set_action(crawl, rat, ticket));
        else if (change == 3)
            must(crawl, kifu_run(crawl));
        else
            must(crawl, kifu_drop_inputs(crawl));
        for (uint32_t i = 0; i < MANY; i++) // The queue moves.
            crawl_submit_e_bell(crawl, 100 + i);
        must(crawl, kifu_roll_back(crawl));
        ck_assert_uint_eq(kifu_pending_count(crawl), 2);
        must_be(kifu_pending_at(crawl, 1, &last));
        ck_assert_uint_eq(last.type, CRAWL_P_BELL);
        ck_assert_uint_eq(last.flags, KIFU_UNDOABLE);
        ck_assert_uint_eq(((const crawl_p_bell *)last.table)->number, 2);
        ck_assert_uint_eq(crawl_get_state(crawl)->bell_count, 0);
        must(crawl, kifu_run(crawl));
        ck_assert_uint_eq(crawl_get_state(crawl)->bell_count, 2);
        kifu_destroy(crawl);
    }
}
END_TEST

static uint32_t done;

static kifu_result count_do(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    done++;
    *crawl_edit_words(crawl) = (uint32_t)number;
    return KIFU_OK;
}

// How many Do functions run while a game is played again in which `count` events were undone, and half of them redone;
// or each right after it happened.
static uint32_t work_of_playing_again(uint32_t count, bool one_by_one)
{
    const kifu_options options = {.record_inputs = kifu_record_inputs, .quiet = true};
    kifu_timeline *crawl = crawl_new(&options);
    for (uint32_t i = 0; i < count; i++) {
        must(crawl, crawl_do(crawl, count_do, KIFU_NO_HANDLE, (int32_t)i));
        if (one_by_one)
            must(crawl, kifu_undo(crawl));
    }
    for (uint32_t i = 0; i < count && !one_by_one; i++)
        must(crawl, kifu_undo(crawl));
    for (uint32_t i = 0; i < count / 2 && !one_by_one; i++)
        must(crawl, kifu_redo(crawl));
    done = 0;
    must(crawl, kifu_verify_rules(crawl, NULL, NULL, NULL));
    kifu_destroy(crawl);
    return done;
}

START_TEST(F41_playing_again_costs_what_was_played)
{
    for (int way = 0; way < 2; way++) {
        const uint32_t some = work_of_playing_again(MANY, way), more = work_of_playing_again(4 * MANY, way);
        ck_assert_uint_ge(some, MANY);
        ck_assert_uint_le(more, 5 * some);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F41_nested_transactions_cost_what_is_in_them,
        F41_playing_again_costs_what_was_played,
        F41_what_waits_is_shared_with_transactions,
    };
    return run_suite("growth", tests, sizeof tests / sizeof *tests);
}
