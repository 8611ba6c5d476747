// Pools: entities in the state, behind handles that never lead to another entity.

#include "crawl_help.h"
#include "suite.h"

// --- What Do does ----------------------------------------------------------------------------------------------------

static kifu_handle spawned[40];

static kifu_result spawn(kifu_timeline *crawl, kifu_handle actor, int32_t count)
{
    (void)actor;
    for (int32_t i = 0; i < count; i++) {
        spawned[i] = crawl_spawn_actors(crawl);
        if (spawned[i])
            *crawl_edit_actors_hp(crawl, spawned[i]) = (int16_t)(i + 1);
    }
    return KIFU_OK;
}

static kifu_result despawn(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)number;
    crawl_despawn_actors(crawl, actor);
    return KIFU_OK;
}

static kifu_result edit(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    *crawl_edit_actors_hp(crawl, actor) = (int16_t)number;
    return KIFU_OK;
}

static kifu_result edit_bytes(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    crawl_edit_actors_actor(crawl, actor)->speed = number;
    return KIFU_OK;
}

static kifu_timeline *with_actors(int32_t count)
{
    kifu_timeline *crawl = crawl_new(NULL);
    must(crawl, crawl_do(crawl, spawn, KIFU_NO_HANDLE, count));
    return crawl;
}

static void remove_one(kifu_timeline *crawl, kifu_handle handle)
{
    must(crawl, crawl_do(crawl, despawn, handle, 0));
}

// --- Tests -----------------------------------------------------------------------------------------------------------

START_TEST(H08_an_entity_is_zeroed_and_live_until_it_is_removed)
{
    kifu_timeline *crawl = with_actors(1);
    const crawl_state *state = crawl_get_state(crawl);
    kifu_handle handle = spawned[0];
    ck_assert_uint_eq(kifu_handle_index(handle), 0);
    const crawl_actor *actor = crawl_get_actors(state, handle);
    ck_assert_ptr_eq(actor, &state->actors[0]);
    const crawl_actor expected = {.slot = {1}, .hp = 1};
    ck_assert_mem_eq(actor, &expected, sizeof expected);
    remove_one(crawl, handle);
    ck_assert_ptr_null(crawl_get_actors(state, handle));
    const crawl_actor gone = {.slot = {2}}; // Nothing of it is left.
    ck_assert_mem_eq(&state->actors[0], &gone, sizeof gone);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H08_a_walk_ends_with_the_pool)
{
    static const uint16_t behind[][2] = {{1, 0}, {3, 0}, {5, 0}}; // generations; the third is none of the pool's
    const kifu__pool pool = {.name = "two", .stride = sizeof behind[0], .count = 2};
    const kifu_handle one = kifu__pool_next(behind, &pool, KIFU_NO_HANDLE), two = kifu__pool_next(behind, &pool, one);
    ck_assert(one && kifu_handle_index(one) == 0 && two && kifu_handle_index(two) == 1);
    ck_assert_uint_eq(kifu__pool_next(behind, &pool, two), KIFU_NO_HANDLE);
}
END_TEST

START_TEST(H08_the_lowest_free_slot_is_taken)
{
    kifu_timeline *crawl = with_actors(5);
    for (uint32_t i = 0; i < 5; i++)
        ck_assert_uint_eq(kifu_handle_index(spawned[i]), i);
    remove_one(crawl, spawned[3]);
    remove_one(crawl, spawned[1]);
    must(crawl, crawl_do(crawl, spawn, KIFU_NO_HANDLE, 3));
    ck_assert_uint_eq(kifu_handle_index(spawned[0]), 1);
    ck_assert_uint_eq(kifu_handle_index(spawned[1]), 3);
    ck_assert_uint_eq(kifu_handle_index(spawned[2]), 5);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H08_a_stale_handle_never_leads_to_another_entity)
{
    kifu_timeline *crawl = with_actors(2);
    const crawl_state *state = crawl_get_state(crawl);
    kifu_handle old = spawned[1];
    remove_one(crawl, old);
    must(crawl, crawl_do(crawl, spawn, KIFU_NO_HANDLE, 1));
    kifu_handle new = spawned[0];
    ck_assert_uint_eq(kifu_handle_index(new), kifu_handle_index(old));
    ck_assert_uint_ne(new, old);
    ck_assert_ptr_null(crawl_get_actors(state, old));
    ck_assert_ptr_nonnull(crawl_get_actors(state, new));

    const crawl_state before = *state;
    const uint32_t events = kifu_event_count(crawl);
    crawl_in_do *const uses[] = {edit, edit_bytes, despawn};
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) { // Misuse, which takes the event back.
        ck_assert_int_eq(crawl_do(crawl, uses[i], old, 9), KIFU_MISUSE);
        must_say(crawl, "of the pool actors is stale");
        ck_assert_mem_eq(state, &before, sizeof before);
        ck_assert_uint_eq(kifu_event_count(crawl), events);
    }
    must(crawl, crawl_do(crawl, edit, new, 9));
    ck_assert_int_eq(crawl_get_actors(state, new)->hp, 9);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H08_what_is_no_handle_leads_nowhere)
{
    kifu_timeline *crawl = with_actors(24);
    const crawl_state *state = crawl_get_state(crawl);
    uint32_t found = 0;
    for (uint32_t index = 0; index < 65536; index += index < 40 ? 1 : 97) {
        for (uint32_t generation = 0; generation < 65536; generation += generation < 40 ? 1 : 97)
            found += crawl_get_actors(state, index | generation << 16) != NULL;
    }
    ck_assert_uint_eq(found, 24);
    ck_assert_ptr_null(crawl_get_actors(state, KIFU_NO_HANDLE));
    ck_assert_ptr_null(crawl_get_actors(state, UINT32_MAX));
    ck_assert_int_eq(crawl_do(crawl, edit, UINT32_MAX, 1), KIFU_MISUSE);
    ck_assert_int_eq(crawl_do(crawl, edit, KIFU_NO_HANDLE, 1), KIFU_MISUSE);
    ck_assert_int_eq(crawl_do(crawl, despawn, KIFU_NO_HANDLE, 1), KIFU_MISUSE);
    ck_assert_uint_eq(crawl_next_actors(state, UINT32_MAX), KIFU_NO_HANDLE);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H08_a_full_pool_has_no_room)
{
    kifu_timeline *crawl = with_actors(26);
    ck_assert_uint_ne(spawned[23], KIFU_NO_HANDLE);
    ck_assert_uint_eq(spawned[24], KIFU_NO_HANDLE);
    ck_assert_uint_eq(spawned[25], KIFU_NO_HANDLE);
    ck_assert_uint_eq(kifu_event_count(crawl), 2); // It is no error: the game decides.
    remove_one(crawl, spawned[7]);
    must(crawl, crawl_do(crawl, spawn, KIFU_NO_HANDLE, 1));
    ck_assert_uint_eq(kifu_handle_index(spawned[0]), 7);
    kifu_destroy(crawl);
}
END_TEST

static kifu_result walk_and_remove(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    const crawl_state *state = crawl_get_state(crawl);
    int visited = 0;
    for (kifu_handle each = 0; (each = crawl_next_actors(state, each)) != 0; visited++) {
        if (visited % 2)
            crawl_despawn_actors(crawl, each); // Also the one where the walk is.
    }
    return visited == number ? KIFU_OK : kifu_fail(crawl, "not all were visited once");
}

START_TEST(H08_all_are_visited_by_index_even_while_some_go)
{
    kifu_timeline *crawl = with_actors(10);
    remove_one(crawl, spawned[0]);
    remove_one(crawl, spawned[4]);
    remove_one(crawl, spawned[9]);
    const crawl_state *state = crawl_get_state(crawl);
    const uint32_t expected[] = {1, 2, 3, 5, 6, 7, 8};
    kifu_handle each = KIFU_NO_HANDLE;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        each = crawl_next_actors(state, each);
        ck_assert_uint_eq(kifu_handle_index(each), expected[i]);
    }
    ck_assert_uint_eq(crawl_next_actors(state, each), KIFU_NO_HANDLE);
    must(crawl, crawl_do(crawl, walk_and_remove, KIFU_NO_HANDLE, 7));
    must(crawl, crawl_do(crawl, walk_and_remove, KIFU_NO_HANDLE, 4));
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

// The slot of index 0, `number` times.
static kifu_result wear_out(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    for (int32_t i = 0; i < number; i++) {
        kifu_handle handle = crawl_spawn_actors(crawl);
        if (kifu_handle_index(handle) != 0)
            return kifu_fail(crawl, "it is worn out too early");
        crawl_despawn_actors(crawl, handle);
    }
    return KIFU_OK;
}

START_TEST(H08_a_slot_that_is_used_up_is_no_room)
{
    kifu_timeline *crawl = crawl_new(NULL);
    const crawl_state *state = crawl_get_state(crawl);
    must(crawl, crawl_do(crawl, spawn, KIFU_NO_HANDLE, 1));
    kifu_handle first = spawned[0];
    remove_one(crawl, first);
    for (int i = 0; i < 8; i++)
        must(crawl, crawl_do(crawl, wear_out, KIFU_NO_HANDLE, i < 7 ? 4096 : 4093));
    must(crawl, crawl_do(crawl, spawn, KIFU_NO_HANDLE, 2));
    kifu_handle last = spawned[0];
    ck_assert_uint_eq(last, UINT32_C(65533) << 16);
    ck_assert_uint_eq(kifu_handle_index(spawned[1]), 1);
    remove_one(crawl, last);
    ck_assert_uint_eq(state->actors[0].slot.generation, 65534);
    ck_assert_uint_eq(crawl_next_actors(state, KIFU_NO_HANDLE), spawned[1]);
    must(crawl, crawl_do(crawl, spawn, KIFU_NO_HANDLE, 1)); // Never again the slot that the first one was in.
    ck_assert_uint_eq(kifu_handle_index(spawned[0]), 2);
    ck_assert_ptr_null(crawl_get_actors(state, first));
    ck_assert_ptr_null(crawl_get_actors(state, last));
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H08_entities_come_and_go_in_do_only)
{
    kifu_timeline *crawl = with_actors(1);
    kifu_handle handle = spawned[0];
    const crawl_state before = *crawl_get_state(crawl);
    ck_assert_uint_eq(crawl_spawn_actors(crawl), KIFU_NO_HANDLE);
    must_refuse(crawl, kifu_run(crawl));
    crawl_despawn_actors(crawl, handle);
    must_refuse(crawl, kifu_run(crawl));
    *crawl_edit_actors_hp(crawl, handle) = 3;
    must_refuse(crawl, kifu_run(crawl));
    ck_assert_mem_eq(crawl_get_state(crawl), &before, sizeof before);
    kifu_destroy(crawl);
}
END_TEST

// --- Against a model -------------------------------------------------------------------------------------------------

enum { SLOTS = 24 };

// What a random Do does is drawn from the state's own random numbers, so that a replay does the same.
static kifu_result come_and_go(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    const crawl_state *state = crawl_get_state(crawl);
    for (int32_t i = 0; i < number; i++) {
        uint32_t what = kifu_random_below(crawl, 5), index = kifu_random_below(crawl, SLOTS);
        kifu_handle at = index | (kifu_handle)state->actors[index].slot.generation << 16;
        if (what < 2)
            crawl_spawn_actors(crawl);
        else if (!crawl_get_actors(state, at))
            continue;
        else if (what < 4)
            *crawl_edit_actors_hp(crawl, at) = (int16_t)kifu_random_below(crawl, 1000);
        else
            crawl_despawn_actors(crawl, at);
    }
    return number % 7 == 3 ? kifu_fail(crawl, "taken back") : KIFU_OK;
}

// The same with plain arrays.
static void come_and_go_plainly(crawl_state *state, int32_t number)
{
    for (int32_t i = 0; i < number; i++) {
        uint32_t what = kifu_rng_below(&state->game.rng, 5), index = kifu_rng_below(&state->game.rng, SLOTS);
        crawl_actor *at = &state->actors[index];
        if (what < 2) {
            for (at = state->actors; at < state->actors + SLOTS && at->slot.generation % 2;)
                at++;
            if (at < state->actors + SLOTS)
                at->slot.generation++;
        } else if (at->slot.generation % 2 && what < 4)
            at->hp = (int16_t)kifu_rng_below(&state->game.rng, 1000);
        else if (at->slot.generation % 2)
            *at = (crawl_actor){.slot = {(uint16_t)(at->slot.generation + 1)}};
    }
}

START_TEST(H08_random_lives_are_those_of_a_model)
{
    const kifu_options options = {.sync_test = kifu_sync_test};
    for (int with_sync = 0; with_sync < 2; with_sync++) {
        kifu_timeline *crawl = crawl_new(with_sync ? &options : NULL);
        const crawl_state *state = crawl_get_state(crawl);
        static crawl_state before[301];
        uint32_t undos = 0;
        for (int32_t i = 0; i < 300; i++) {
            before[i - (int32_t)undos] = *state;
            crawl_state model = *state;
            kifu_result result = crawl_do(crawl, come_and_go, KIFU_NO_HANDLE, i % 20);
            ck_assert_int_eq(result, i % 20 % 7 == 3 ? KIFU_FAILED : KIFU_OK);
            if (!result)
                come_and_go_plainly(&model, i % 20);
            else
                undos++; // It did not happen.
            must_be(!memcmp(state, &model, sizeof model));
        }
        must_replay(crawl);
        for (int32_t i = 299 - (int32_t)undos; i >= 0; i--) {
            must(crawl, kifu_undo(crawl));
            must_be(!memcmp(state, &before[i], sizeof *state));
        }
        kifu_destroy(crawl);
    }
}
END_TEST

START_TEST(H08_coming_and_going_allocates_nothing)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .keyframe_bytes = 1};
    kifu_timeline *crawl = crawl_new(&options);
    long calls = 0;
    for (int round = 0; round < 6; round++) {
        calls = memory.calls;
        for (int i = 0; i < 100; i++)
            must(crawl, crawl_do(crawl, come_and_go, KIFU_NO_HANDLE, 9));
        for (int i = 0; i < 100; i++)
            must(crawl, kifu_undo(crawl));
        for (int i = 0; i < 100; i++)
            must(crawl, kifu_redo(crawl));
        for (int i = 0; i < 100; i++)
            must(crawl, kifu_undo(crawl));
    }
    ck_assert_int_eq(memory.calls, calls);
    kifu_destroy(crawl);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

START_TEST(H08_without_memory_nothing_comes)
{
    for (long fail = 0;; fail++) {
        test_memory memory = {.until_failure = -1};
        kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        kifu_timeline *crawl = crawl_new(&options);
        const crawl_state before = *crawl_get_state(crawl);
        memory.until_failure = fail;
        kifu_result result = crawl_do(crawl, come_and_go, KIFU_NO_HANDLE, 2000);
        if (result) {
            ck_assert_int_eq(result, KIFU_NO_MEMORY);
            ck_assert_mem_eq(crawl_get_state(crawl), &before, sizeof before);
        }
        memory.until_failure = -1;
        kifu_destroy(crawl);
        ck_assert_int_eq(memory.blocks, 0);
        if (!memory.failed)
            break;
        ck_assert_int_lt(fail, 1000);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        H08_an_entity_is_zeroed_and_live_until_it_is_removed,
        H08_a_walk_ends_with_the_pool,
        H08_the_lowest_free_slot_is_taken,
        H08_a_stale_handle_never_leads_to_another_entity,
        H08_what_is_no_handle_leads_nowhere,
        H08_a_full_pool_has_no_room,
        H08_all_are_visited_by_index_even_while_some_go,
        H08_a_slot_that_is_used_up_is_no_room,
        H08_entities_come_and_go_in_do_only,
        H08_random_lives_are_those_of_a_model,
        H08_coming_and_going_allocates_nothing,
        H08_without_memory_nothing_comes,
    };
    return run_suite("pool", tests, sizeof tests / sizeof *tests);
}
