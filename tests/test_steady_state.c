// In steady state neither the turn loop nor anything else of the runtime allocates.

#include "crawl_help.h"
#include "suite.h"

START_TEST(H08_the_loop_allocates_nothing_in_steady_state)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .keyframe_bytes = 1};
    kifu_timeline *crawl = crawl_new(&options);
    crawl_submit_e_build(crawl);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 3, 100);
    for (uint32_t i = 0; i < 6; i++)
        crawl_add(crawl, CRAWL_KIND_RAT, 5, 1 + i, 50 + 30 * (int)i);
    long calls = 0;
    for (int round = 0; round < 8; round++) {
        calls = memory.calls;
        for (int i = 0; i < 30; i++) {
            ck_assert_uint_eq(crawl_until(crawl, crawl_rest, KIFU_TURN_BEGAN), KIFU_NO_HANDLE);
            kifu_ticket ticket = i % 3 ? crawl_submit_p_move(crawl, 0, hero, (int8_t)(i % 2), 0)
                                       : crawl_submit_p_move(crawl, -1, hero, 0, 0);
            must(crawl, kifu_set_action(crawl, hero, i % 5 ? ticket : crawl_submit_p_pull(crawl, 0, hero, 3)));
            if (i % 5 == 0)
                must(crawl, kifu_set_action(crawl, hero, ticket));
        }
        uint32_t undone = 0;
        for (; kifu_can_undo(crawl, NULL); undone++)
            must(crawl, kifu_undo(crawl));
        ck_assert_uint_gt(undone, 20);
        while (kifu_can_redo(crawl, NULL))
            must(crawl, kifu_redo(crawl));
        while (kifu_can_undo(crawl, NULL))
            must(crawl, kifu_undo(crawl));
    }
    ck_assert_int_eq(memory.calls, calls);
    kifu_destroy(crawl);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

static void learn(void *context, kifu_timeline *crawl, const kifu_outcome *outcome)
{
    (void)crawl;
    *(uint32_t *)context += outcome->result == KIFU_OK;
}

static kifu_result react(void *context, kifu_timeline *crawl, const void *state, const kifu_event *event)
{
    (void)context;
    (void)state;
    (void)event;
    crawl_submit_e_bell(crawl, 1);
    return KIFU_OK;
}

// Replaces the event, once, and submits another.
static kifu_verdict ring(void *context, kifu_timeline *crawl, const void *state, kifu_proposed *proposed)
{
    (void)context;
    (void)state;
    if (proposed->subject != 3)
        return kifu_accept();
    crawl_submit_e_bell(crawl, 3);
    return kifu_instead(crawl_submit_e_any(crawl, 4, 0));
}

static void listen(void *context, kifu_timeline *crawl, const void *state, const kifu_change *change)
{
    (void)crawl;
    (void)state;
    (void)change;
    ++*(uint32_t *)context;
}

// Everything that can be done with a timeline but saving, loading and forking, over and over.
static void do_all(kifu_timeline *crawl, kifu_handle hero, uint32_t *heard)
{
    crawl_submit_e_bell(crawl, 0);
    must(crawl, kifu_run(crawl)); // There is nothing to redo any more, which a transaction would have to keep.
    for (int i = 0; i < 20; i++) {
        ck_assert_uint_eq(crawl_until(crawl, crawl_hunt, KIFU_TURN_NEEDS_INPUT), hero);
        must(crawl, kifu_begin(crawl, KIFU_SEARCH));
        crawl_submit_p_rest(crawl, 0, hero);
        must(crawl, kifu_run(crawl));
        must(crawl, kifu_roll_back(crawl));
        must(crawl, kifu_begin(crawl, i % 2 ? 0 : KIFU_DEFERRED));
        crawl_submit_e_bell(crawl, 2);
        must(crawl, kifu_run(crawl));
        must(crawl, i % 3 ? kifu_roll_back(crawl) : kifu_commit(crawl));
        must(crawl, kifu_run(crawl));
        ck_assert_int_eq(crawl_act(crawl, hero, crawl_submit_p_move(crawl, 0, hero, -1, -1)).status, KIFU_TURN_REFUSED);
        kifu_ticket ticket = crawl_submit_p_move(crawl, 0, hero, 0, 0);
        must(crawl, kifu_follow(crawl, ticket, learn, heard));
        kifu_result result = kifu_run(crawl);
        must_be(result == KIFU_OK);
        const uint32_t events = kifu_event_count(crawl);
        crawl_submit_e_any(crawl, 3, 0);
        must(crawl, kifu_run(crawl));
        ck_assert_uint_eq(kifu_event_count(crawl), events + 2); // what a hook made of it
        ck_assert_int_eq(crawl_act(crawl, hero, crawl_submit_p_pull(crawl, 0, hero, 2)).status, KIFU_TURN_ACTED);
        kifu_set_quiet(crawl, i % 5 == 0);
        must(crawl, kifu_update(crawl, 0.1));
    }
    while (kifu_can_undo(crawl, NULL))
        must(crawl, kifu_undo(crawl));
    while (kifu_can_redo(crawl, NULL))
        must(crawl, kifu_redo(crawl));
    while (kifu_can_undo(crawl, NULL))
        must(crawl, kifu_undo(crawl));
}

START_TEST(H08_nothing_of_the_runtime_allocates_in_steady_state)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .keyframe_bytes = 1};
    kifu_timeline *crawl = crawl_new(&options);
    crawl_submit_e_build(crawl);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    crawl_add(crawl, CRAWL_KIND_RAT, 6, 1, 100);
    uint32_t heard = 0;
    must(crawl, kifu_observe(crawl, &(kifu_observer){.react = react, .type = CRAWL_E_OPEN_ALL}));
    must(crawl, kifu_observe(crawl, &(kifu_observer){.listen = listen, .size = 1000, .context = &heard}));
    must(crawl,
         kifu_observe(
             crawl,
             &(kifu_observer){.hook = ring, .scope = CRAWL_SCOPE_NUMBER, .subject = KIFU_ANY_SUBJECT, .name = "ring"}));
    long calls = 0;
    for (int round = 0; round < 6; round++) {
        calls = memory.calls;
        do_all(crawl, hero, &heard);
    }
    ck_assert_int_eq(memory.calls, calls);
    ck_assert_uint_gt(heard, 100);
    kifu_destroy(crawl);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        H08_the_loop_allocates_nothing_in_steady_state,
        H08_nothing_of_the_runtime_allocates_in_steady_state,
    };
    return run_suite("steady_state", tests, sizeof tests / sizeof *tests);
}
