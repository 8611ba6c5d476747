// Queues of proposals: what is written, moved, cut and taken out is what was put in; and in the
// queues of a game, each is found in one step.

#include <kifu/kifu.h>
#include "checks.h"
#include "core/queue.h"
#include "core/timeline.h"
#include "crawl_help.h"
#include "suite.h"

static void push(kifu__queue *queue, const kifu__memory *memory, uint32_t number)
{
    uint32_t blob[4] = {0, number, number, number};
    kifu__proposal head = {.size = sizeof blob, .ticket = number};
    ck_assert(kifu__queue_push(queue, memory, &head, blob));
}

static void pop(kifu__queue *queue, uint32_t number)
{
    kifu__proposal *first = kifu__queue_first(queue);
    ck_assert_ptr_nonnull(first);
    ck_assert_uint_eq(first->ticket, number);
    ck_assert_uint_eq(((const uint32_t *)kifu__proposal_blob(first))[3], number);
    kifu__queue_pop(queue);
}

START_TEST(first_in_first_out_while_it_grows_and_moves)
{
    kifu__memory memory = kifu__memory_of(NULL, NULL);
    kifu__queue queue = {0};
    uint32_t in = 0, out = 0;
    while (in < 5000) {
        for (uint32_t i = 0; i < 1 + in % 90; i++)
            push(&queue, &memory, in++);
        for (uint32_t i = 0; i < 1 + in % 80 && out + 1 < in; i++)
            pop(&queue, out++);
        ck_assert_uint_eq(queue.count, in - out);
    }
    while (out < in)
        pop(&queue, out++);
    ck_assert_ptr_null(kifu__queue_first(&queue));
    ck_assert_uint_eq(queue.tail, 0); // The next one need not be moved to the front.
    kifu__queue_free(&queue, &memory);
    ck_assert_ptr_null(queue.bytes); // So it may be used again.
    push(&queue, &memory, 1);
    pop(&queue, 1);
    kifu__queue_free(&queue, &memory);
}
END_TEST

START_TEST(a_moved_queue_goes_on_where_it_ends)
{
    kifu__memory memory = kifu__memory_of(NULL, NULL);
    kifu__queue queue = {0};
    uint32_t in = 0, out = 0;
    while (in < 40)
        push(&queue, &memory, in++);
    while (out < 36)
        pop(&queue, out++);
    const uint32_t head = queue.head;
    while (queue.head == head || in % 5)
        push(&queue, &memory, in++);
    ck_assert_uint_eq(queue.head, 0);
    while (out < in)
        pop(&queue, out++);
    kifu__queue_free(&queue, &memory);
}
END_TEST

// What a Do that fails has submitted is cut off, though submitting it moved the queue's bytes to the front.
START_TEST(T05_a_cut_knows_where_a_moved_queue_ends)
{
    kifu__memory memory = kifu__memory_of(NULL, NULL);
    kifu__queue queue = {0};
    for (uint32_t i = 0; i < 40; i++)
        push(&queue, &memory, i);
    for (uint32_t i = 0; i < 36; i++)
        pop(&queue, i);
    uint32_t head = queue.head, bytes = queue.tail - queue.head, count = queue.count, capacity = queue.capacity;
    for (uint32_t i = 40; queue.head == head; i++)
        push(&queue, &memory, i);
    ck_assert_uint_eq(queue.head, 0);
    ck_assert_uint_eq(queue.capacity, capacity); // There is room enough in front.
    kifu__queue_cut(&queue, bytes, count);
    push(&queue, &memory, 1000);
    for (uint32_t i = 36; i < 40; i++)
        pop(&queue, i);
    pop(&queue, 1000);
    ck_assert_uint_eq(queue.count, 0);
    kifu__queue_free(&queue, &memory);
}
END_TEST

// Whatever happens between two looks, a number and a ticket lead to the same proposal as counting from the first.
START_TEST(F41_a_look_never_goes_astray)
{
    kifu__memory memory = kifu__memory_of(NULL, NULL);
    kifu__queue queue = {0};
    kifu_rng rng;
    kifu_rng_seed(&rng, 41, 0);
    uint32_t in = 1, waiting[64], count = 0;
    for (int i = 0; i < 20000; i++) {
        const uint32_t what = kifu_rng_below(&rng, 8), any = count ? kifu_rng_below(&rng, count) : 0;
        if (what < 3 && count < 64) {
            const kifu__proposal head = {.size = 4 * kifu_rng_below(&rng, 20), .ticket = in};
            const unsigned char blob[80] = {0};
            ck_assert(kifu__queue_push(&queue, &memory, &head, blob));
            waiting[count++] = in++;
        } else if (what == 3 && count) {
            kifu__queue_pop(&queue);
            memmove(waiting, waiting + 1, --count * sizeof *waiting);
        } else if (what == 4 && count && !kifu_rng_below(&rng, 4)) {
            kifu__queue_remove(&queue, kifu__queue_at(&queue, any));
            memmove(waiting + any, waiting + any + 1, (--count - any) * sizeof *waiting);
        } else if (what == 5 && count && !kifu_rng_below(&rng, 9)) {
            const unsigned char *at = (const unsigned char *)kifu__queue_at(&queue, any);
            kifu__queue_cut(&queue, (uint32_t)(at - queue.bytes) - queue.head, any);
            count = any;
        } else if (what == 6 && count) {
            ck_assert_uint_eq(kifu__queue_find(&queue, waiting[any])->ticket, waiting[any]);
        } else if (count) {
            ck_assert_uint_eq(kifu__queue_at(&queue, any)->ticket, waiting[any]);
            ck_assert_ptr_null(kifu__queue_find(&queue, in));
            ck_assert_uint_eq(kifu__queue_last(&queue)->ticket, waiting[count - 1]);
        }
        ck_assert_uint_eq(queue.count, count);
    }
    kifu__queue_free(&queue, &memory);
}
END_TEST

// Up to four holds, one in the other, while proposals come, run, change and are dropped: what waited at each waits
// again when it ends, with the flags of then; or what waits now goes on.
START_TEST(F41_what_is_held_stays_as_it_was)
{
    typedef struct model {
        uint32_t tickets[64];
        uint8_t flags[64];
        uint32_t count;
    } model;
    kifu__memory memory = kifu__memory_of(NULL, NULL);
    kifu__queue queue = {0};
    kifu_rng rng;
    kifu_rng_seed(&rng, 42, 0);
    model now = {.count = 0}, before[4];
    kifu__held holds[4];
    uint32_t open = 0, in = 1;
    for (int i = 0; i < 20000; i++) {
        const uint32_t what = kifu_rng_below(&rng, 16), any = now.count ? kifu_rng_below(&rng, now.count) : 0;
        if (what < 7 && now.count < 60) {
            push(&queue, &memory, in);
            now.tickets[now.count] = in++;
            now.flags[now.count++] = 0;
        } else if (what < 11 && now.count) {
            pop(&queue, now.tickets[0]);
            memmove(now.tickets, now.tickets + 1, --now.count * sizeof *now.tickets);
            memmove(now.flags, now.flags + 1, now.count);
        } else if (what < 13 && now.count) {
            kifu__proposal *proposal = kifu__queue_at(&queue, any);
            ck_assert(kifu__queue_own(&queue, &memory, &proposal));
            ck_assert_uint_eq(proposal->ticket, now.tickets[any]);
            proposal->flags = now.flags[any] = (uint8_t)(in | 1);
        } else if (what == 13 && !kifu_rng_below(&rng, 5)) {
            kifu__queue_cut(&queue, 0, 0);
            now.count = 0;
        } else if (what == 14 && open < 4) {
            before[open] = now;
            holds[open++] = kifu__queue_hold(&queue);
        } else if (what == 15 && open && kifu_rng_below(&rng, 2)) {
            kifu__queue_return(&queue, &holds[--open]);
            now = before[open];
        } else if (what == 15 && open) {
            kifu__queue_release(&queue, &holds[--open]);
        }
        ck_assert_uint_eq(queue.count, now.count);
        if (!open)
            ck_assert_uint_eq(queue.base, 0);
        for (uint32_t at = 0; at < now.count; at++) {
            ck_assert_uint_eq(kifu__queue_at(&queue, at)->ticket, now.tickets[at]);
            ck_assert_uint_eq(kifu__queue_at(&queue, at)->flags, now.flags[at]);
        }
    }
    ck_assert_uint_le(queue.capacity, 64 * 1024); // What is not held is used again.
    kifu__queue_free(&queue, &memory);
}
END_TEST

// How much of a queue the log file has, is known as long as that stays as it is.
START_TEST(M08_a_cut_knows_what_the_file_has)
{
    kifu__memory memory = kifu__memory_of(NULL, NULL);
    kifu__queue queue = {0};
    push(&queue, &memory, 1);
    push(&queue, &memory, 2);
    const uint32_t two = queue.recorded = queue.tail;
    push(&queue, &memory, 3);
    kifu__queue_cut(&queue, two, 2); // Only what the file has is left.
    ck_assert_uint_eq(queue.recorded, two);
    kifu__queue_cut(&queue, two / 2, 1); // The file has more.
    ck_assert_uint_eq(queue.recorded, 0);
    queue.recorded = queue.tail;
    const kifu__held held = kifu__queue_hold(&queue);
    kifu__queue_cut(&queue, 0, 0);
    ck_assert_uint_eq(queue.recorded, 0);
    kifu__queue_return(&queue, &held);
    pop(&queue, 1);
    kifu__queue_free(&queue, &memory);
}
END_TEST

// --- The queues of a game --------------------------------------------------------------------------------------------

enum { MANY = 500 };

// The proposal of a table that `kifu_pending_at` shows.
static kifu__proposal *proposal_of(const kifu_event *event)
{
    return (kifu__proposal *)(uintptr_t)event->table - 1;
}

// While a proposal has a wrong size, nobody can get past it on a way from the first to one behind it.
static void block(kifu__proposal *proposal, bool blocked)
{
    const uint32_t wrong = 0x40000000;
    proposal->size = blocked ? proposal->size | wrong : proposal->size & ~wrong;
}

static kifu__proposal *pending(const kifu_timeline *crawl, uint32_t index)
{
    kifu_event event;
    must_be(kifu_pending_at(crawl, index, &event));
    must_be(((const crawl_e_bell *)event.table)->number == index);
    return proposal_of(&event);
}

START_TEST(F41_what_waits_is_looked_at_in_one_step_each)
{
    kifu_timeline *crawl = crawl_new(NULL);
    for (uint32_t i = 0; i < MANY; i++)
        crawl_submit_e_bell(crawl, i);
    kifu__proposal *first = pending(crawl, 0);
    (void)pending(crawl, 1);
    block(first, true);
    for (uint32_t i = 2; i < MANY; i++)
        (void)pending(crawl, i);
    block(first, false);
    ck_assert_ptr_eq(pending(crawl, 0), first); // and back
    ck_assert_uint_eq(pending(crawl, 7)->ticket, first->ticket + 7);
    must(crawl, kifu_run(crawl));
    ck_assert_uint_eq(crawl_get_state(crawl)->bell_count, MANY);
    kifu_destroy(crawl);
}
END_TEST

// Each is found one step behind the one before it.
static void override_all(kifu_timeline *crawl, bool postponed)
{
    kifu__proposal *first = NULL;
    for (uint32_t i = 0; i < MANY; i++) {
        const kifu_ticket ticket = crawl_submit_e_bell(crawl, i);
        first = kifu__queue_first(&crawl->inputs); // It may have moved.
        block(first, i > 1);
        must(crawl, postponed ? kifu_postpone(crawl, ticket, 1, i) : kifu_override(crawl, ticket, false, false));
    }
    block(first, false);
}

START_TEST(F41_flags_are_overridden_in_one_step_each)
{
    kifu_timeline *crawl = crawl_new(NULL);
    override_all(crawl, false);
    must(crawl, kifu_run(crawl));
    ck_assert_uint_eq(crawl_get_state(crawl)->bell_count, MANY);
    ck_assert_uint_eq(last_event(crawl).flags, 0);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(F41_events_are_postponed_in_one_step_each)
{
    kifu_timeline *crawl = crawl_new(NULL);
    override_all(crawl, true);
    ck_assert_uint_eq(kifu_pending_count(crawl), MANY);
    kifu_event event;
    ck_assert(kifu_pending_at(crawl, MANY - 1, &event));
    ck_assert_uint_eq(event.type, CRAWL_E_SCHEDULE);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(F41_what_was_held_is_used_again)
{
    kifu_timeline *crawl = crawl_new(NULL);
    for (uint32_t i = 0; i < MANY; i++) {
        crawl_submit_e_bell(crawl, i);
        must(crawl, kifu_begin(crawl, 0));
        crawl_submit_e_bell(crawl, i);
        must(crawl, i % 2 ? kifu_commit(crawl) : kifu_roll_back(crawl));
        must(crawl, kifu_run(crawl));
    }
    ck_assert_uint_eq(crawl->inputs.tail, 0);
    ck_assert_uint_le(crawl->inputs.capacity, 1024);
    kifu_destroy(crawl);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        first_in_first_out_while_it_grows_and_moves,
        a_moved_queue_goes_on_where_it_ends,
        T05_a_cut_knows_where_a_moved_queue_ends,
        F41_a_look_never_goes_astray,
        F41_what_is_held_stays_as_it_was,
        M08_a_cut_knows_what_the_file_has,
        F41_what_waits_is_looked_at_in_one_step_each,
        F41_flags_are_overridden_in_one_step_each,
        F41_events_are_postponed_in_one_step_each,
        F41_what_was_held_is_used_again,
    };
    return run_suite("queue", tests, sizeof tests / sizeof *tests);
}
