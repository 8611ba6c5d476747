// A spawn takes the free slot of the lowest index, as a search would find it, whatever has changed the state; but it
// does not search.

#include "hive.h"
#include "history_help.h"
#include "seeded.h"
#include "suite.h"
#include "zoo.h"

static kifu_timeline *hive_new(const kifu_options *options)
{
    kifu_timeline *hive;
    kifu_error error;
    ck_assert_msg(!kifu_create(&hive_rules, options, &hive, &error), "%s", error.message);
    hive_submit_e_initialize(hive, SEEDED(UINT64_C(44)));
    must(hive, kifu_run(hive));
    return hive;
}

// Plays as many events as a search does; one in eleven fails.
static void live(kifu_timeline *hive, kifu_rng *rng, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        const uint32_t steps = kifu_rng_below(rng, 20) ? kifu_rng_below(rng, 30) : 400;
        hive_submit_p_live(hive, 0, kifu_rng_below(rng, 1000000), steps);
        (void)kifu_run(hive);
    }
}

static void must_be_right(kifu_timeline *hive)
{
    must_be(hive_get_state(hive)->wrong == 0);
}

static void change_one(kifu_timeline *hive, kifu_rng *rng)
{
    const uint32_t what = kifu_rng_below(rng, 20), count = kifu_event_count(hive);
    unsigned kinds[] = {0, KIFU_DEFERRED, KIFU_SEARCH};
    switch (what) {
    case 0:
    case 1:
    case 2:
        for (uint32_t times = kifu_rng_below(rng, 8); times > 0 && kifu_can_undo(hive, NULL); times--)
            must(hive, kifu_undo(hive));
        break;
    case 3:
        for (uint32_t times = kifu_rng_below(rng, 8); times > 0 && kifu_can_redo(hive, NULL); times--)
            must(hive, kifu_redo(hive));
        break;
    case 4:
        must(hive, kifu_seek(hive, kifu_rng_below(rng, count + 1)));
        must_be_right(hive);
        must(hive, kifu_seek(hive, KIFU_PRESENT));
        break;
    case 5:
    case 6:
        must(hive, kifu_begin(hive, kinds[kifu_rng_below(rng, 3)]));
        live(hive, rng, 3);
        must(hive, kifu_roll_back(hive));
        break;
    case 7: {
        kifu_cursor *past;
        must(hive, kifu_cursor_open(hive, kifu_rng_below(rng, count), &past));
        for (int i = 0; i < 5 && kifu_cursor_position(past) < count; i++) {
            must(hive, kifu_cursor_forward(past));
            must_be(((const hive_state *)kifu_cursor_state(past))->wrong == 0);
        }
        kifu_cursor_close(past);
        break;
    }
    case 8:
        if (kifu_rng_below(rng, 20) == 0)
            hive_submit_e_reset_game(hive);
        must(hive, kifu_run(hive));
        break;
    case 9:
    case 10:
        if (!hive_try_p_live(hive, 0, kifu_rng_below(rng, 1000000), 20)) {
            must_be_right(hive);
            must(hive, kifu_take_back(hive));
        }
        break;
    default:
        live(hive, rng, 1 + kifu_rng_below(rng, 4));
    }
    must_be_right(hive);
}

START_TEST(F44_a_spawn_takes_the_free_slot_of_the_lowest_index)
{
    const unsigned long games = fuzz_steps(6), seed = fuzz_seed();
    for (unsigned long game = 0; game < games; game++) {
        kifu_rng rng;
        kifu_rng_seed(&rng, seed + game, 0);
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {
            .keyframe_bytes = game % 2 ? 1 : 0, .quiet = true, .allocate = test_allocate, .allocate_context = &memory};
        kifu_timeline *hive = hive_new(&options);
        for (int i = 0; i < 250; i++)
            change_one(hive, &rng);
        must(hive, kifu_verify_replay(hive, NULL));
        for (int way = 0; way < 3; way++) {
            kifu_timeline *other = way ? reload_fast(hive, &options, way == 2) : fork_of(hive, KIFU_PRESENT, &options);
            must_be(kifu_state_hash(other) == kifu_state_hash(hive));
            for (int i = 0; i < 20; i++)
                change_one(other, &rng);
            kifu_destroy(other);
        }
        kifu_destroy(hive);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

// What changed slots before the first spawn is known to nobody, and is undone all the same.
START_TEST(F44_a_first_spawn_knows_nothing_of_before)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 5, 0);
    for (int game = 0; game < 300; game++) {
        kifu_timeline *hive = hive_new(&(kifu_options){.quiet = true});
        for (uint64_t i = 0; i < 3; i++) {
            hive_submit_p_live(hive, 0, i ? 5 * kifu_rng_below(&rng, 1000) : 0, 3);
            if (!kifu_run(hive) && kifu_rng_below(&rng, 2))
                must(hive, kifu_undo(hive));
        }
        hive_submit_p_live(hive, 0, 1, 20);
        must(hive, kifu_run(hive));
        must_be_right(hive);
        kifu_destroy(hive);
    }
}
END_TEST

enum { SPAWN = 1 }; // With this seed, the one step is a spawn.

static void spawn_a_bee(kifu_timeline *hive)
{
    const hive_bee *bees = hive_get_state(hive)->bees;
    uint32_t index = 0;
    while (bees[index].slot.generation & 1)
        index++;
    hive_submit_p_live(hive, 0, SPAWN, 1);
    must(hive, kifu_run(hive));
    must_be(bees[index].slot.generation & 1);
    must_be_right(hive);
}

// Of so many changes, the older half is forgotten: an undo leads to a place in that half, or in the other one.
START_TEST(F44_a_spawn_behind_an_undo_of_any_length_takes_the_lowest_slot)
{
    enum { SPAWNS = 257 };
    for (int undone = SPAWNS / 2 - 8; undone < SPAWNS / 2 + 8; undone++) {
        kifu_timeline *hive = hive_new(&(kifu_options){.quiet = true});
        for (int i = 0; i < SPAWNS; i++)
            spawn_a_bee(hive);
        for (int i = 0; i < undone; i++)
            must(hive, kifu_undo(hive));
        spawn_a_bee(hive);
        kifu_destroy(hive);
    }
}
END_TEST

// A cursor's changes are of its own state: an undo in the present goes by what was remembered of the present.
START_TEST(M08_what_a_cursor_has_seen_is_no_past_of_the_present)
{
    enum { MANY = 7 }; // With this seed, 300 steps are between 128 and 256 changes.
    kifu_timeline *hive = hive_new(&(kifu_options){.quiet = true});
    const uint32_t before = kifu_event_count(hive);
    hive_submit_p_live(hive, 0, MANY, 300);
    must(hive, kifu_run(hive));
    for (int i = 0; i < 40; i++)
        spawn_a_bee(hive);
    kifu_cursor *past;
    must(hive, kifu_cursor_open(hive, before, &past));
    must(hive, kifu_cursor_forward(past));
    kifu_cursor_close(past);
    for (int i = 0; i < 130; i++)
        spawn_a_bee(hive);
    for (int i = 0; i < 150; i++)
        must(hive, kifu_undo(hive));
    spawn_a_bee(hive);
    kifu_destroy(hive);
}
END_TEST

// All are free then, though none was despawned.
START_TEST(M08_a_spawn_after_a_reset_takes_the_first_slot)
{
    kifu_timeline *hive = hive_new(&(kifu_options){.quiet = true});
    for (int i = 0; i < 3; i++)
        spawn_a_bee(hive);
    hive_submit_e_reset_game(hive);
    must(hive, kifu_run(hive));
    spawn_a_bee(hive);
    ck_assert_uint_eq(hive_get_state(hive)->bees[0].slot.generation, 1);
    kifu_destroy(hive);
}
END_TEST

START_TEST(M08_no_spawn_in_a_full_pool_takes_a_slot)
{
    kifu_timeline *hive = hive_new(&(kifu_options){.quiet = true});
    for (int i = 0; i < HIVE_BEES_COUNT; i++)
        spawn_a_bee(hive);
    const uint64_t hash = kifu_state_hash(hive);
    hive_submit_p_live(hive, 0, SPAWN, 1);
    must(hive, kifu_run(hive));
    ck_assert_uint_eq(kifu_state_hash(hive), hash);
    kifu_destroy(hive);
}
END_TEST

// Whatever wrote to the state behind Kifu's back: a slot in use stays what it is.
START_TEST(M08_a_spawn_takes_no_slot_that_is_in_use)
{
    kifu_timeline *hive = hive_new(&(kifu_options){.quiet = true});
    for (int i = 0; i < 2; i++)
        spawn_a_bee(hive);
    hive_bee *third = (hive_bee *)(uintptr_t)&hive_get_state(hive)->bees[2];
    third->slot.generation = 1;
    hive_submit_p_live(hive, 0, SPAWN, 1);
    must(hive, kifu_run(hive));
    ck_assert_uint_eq(third->slot.generation, 1);
    ck_assert_uint_eq(hive_get_state(hive)->bees[3].slot.generation, 1);
    kifu_destroy(hive);
}
END_TEST

START_TEST(M08_a_spawn_without_memory_takes_the_first_slot_or_is_taken_back)
{
    for (long at = 0, done = 0; !done; at++) {
        test_memory memory = {.until_failure = -1};
        kifu_timeline *hive =
            hive_new(&(kifu_options){.quiet = true, .allocate = test_allocate, .allocate_context = &memory});
        memory.until_failure = at / 2;
        memory.for_ever = at % 2;
        hive_submit_p_live(hive, 0, SPAWN, 1);
        const kifu_result result = kifu_run(hive);
        done = !memory.failed;
        memory.until_failure = -1;
        ck_assert(!result || result == KIFU_NO_MEMORY);
        ck_assert_uint_eq(hive_get_state(hive)->bees[0].slot.generation, !result);
        for (int i = 0; i < 3; i++)
            spawn_a_bee(hive);
        kifu_destroy(hive);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

// The zoo has no turns: so its tries take the short way.
START_TEST(M08_a_spawn_after_a_short_try_takes_the_slot_that_the_try_took)
{
    kifu_timeline *zoo;
    kifu_error error;
    ck_assert_int_eq(kifu_create(&zoo_rules, NULL, &zoo, &error), KIFU_OK);
    for (uint32_t i = 0; i < 3; i++) {
        zoo_submit_e_spawn(zoo);
        must(zoo, kifu_run(zoo));
        must(zoo, zoo_try_e_spawn(zoo));
        ck_assert_uint_eq(zoo_get_state(zoo)->beasts[i + 1].slot.generation, 1);
        must(zoo, kifu_take_back(zoo));
    }
    ck_assert_uint_eq(zoo_get_state(zoo)->beasts[2].slot.generation, 1);
    kifu_destroy(zoo);
}
END_TEST

START_TEST(F44_the_sync_test_finds_the_same_slots)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 3, 0);
    kifu_timeline *hive = hive_new(&(kifu_options){.sync_test = kifu_sync_test, .quiet = true});
    for (int i = 0; i < 60; i++) {
        live(hive, &rng, 1);
        ck_assert_int_ne(kifu_last_error(hive)->result, KIFU_DIVERGED);
        must_be_right(hive);
    }
    kifu_destroy(hive);
}
END_TEST

// --- Without a search ------------------------------------------------------------------------------------------------

static uint32_t count_bees(const kifu_timeline *hive)
{
    uint32_t count = 0;
    for (kifu_handle each = 0; (each = hive_next_bees(hive_get_state(hive), each)) != 0;)
        count++;
    return count;
}

// Plays until so many bees live in the first slots.
static kifu_timeline *with_bees(uint32_t least)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 0);
    kifu_timeline *hive = hive_new(&(kifu_options){.quiet = true});
    while (count_bees(hive) < least)
        live(hive, &rng, 1);
    hive_submit_p_live(hive, 0, 1, 20); // tame, so that what is free is known
    must(hive, kifu_run(hive));
    return hive;
}

// A generation that is changed behind Kifu's back makes a slot look free. Whoever searches finds it; whoever knows
// which slots are free does not look at it.
START_TEST(F44_a_spawn_looks_at_no_slot_but_its_own)
{
    for (uint32_t others = 300; others <= 1200; others *= 2) {
        kifu_timeline *hive = with_bees(others);
        hive_bee *other = (hive_bee *)(uintptr_t)&hive_get_state(hive)->bees[200];
        const hive_bee was = *other;
        ck_assert(was.slot.generation & 1);
        other->slot.generation++;
        uint32_t spawned = 0;
        for (uint64_t seed = 1; spawned < 10; seed += 5) { // Nothing wild happens, which would make it search.
            const uint32_t before = count_bees(hive);
            hive_submit_p_live(hive, 0, seed, 1);
            (void)kifu_run(hive);
            spawned += count_bees(hive) > before;
            ck_assert_uint_eq(other->slot.generation, was.slot.generation + 1);
        }
        ck_assert_uint_gt(hive_get_state(hive)->wrong, 0); // The Do itself searches.
        *other = was;
        kifu_destroy(hive);
    }
}
END_TEST

// --- Timers ----------------------------------------------------------------------------------------------------------

static void tick_at(kifu_timeline *hive, uint32_t number, uint32_t turn)
{
    must(hive, kifu_postpone(hive, hive_submit_e_tick(hive, number), turn, number));
}

// More of them than are found in one look at the pool; and where one was cancelled, a later one is.
START_TEST(F44_timers_fire_in_the_order_of_their_schedules)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 6, 0);
    for (int game = 0; game < 20; game++) {
        kifu_timeline *hive = hive_new(&(kifu_options){.quiet = true});
        uint32_t number = 1, cancelled = 0, later = 0;
        while (number <= 150) {
            later += number % 10 == 0;
            tick_at(hive, number, number % 10 ? 1 : 2);
            number++;
        }
        must(hive, kifu_run(hive));
        for (uint32_t i = 1; i <= 150; i++) {
            if (i % 10 && kifu_rng_below(&rng, 3) == 0) {
                hive_submit_e_cancel(hive, i);
                cancelled++;
            }
        }
        must(hive, kifu_run(hive));
        for (; number <= 200; number++)
            tick_at(hive, number, 1);
        const uint32_t before = kifu_event_count(hive) + 50;
        hive_submit_e_begin_turn(hive);
        must(hive, kifu_run(hive));
        ck_assert_uint_eq(kifu_event_count(hive), before + 1 + 200 - cancelled - later);
        ck_assert_uint_eq(hive_get_state(hive)->out_of_order, 0);
        ck_assert_uint_eq(hive_get_state(hive)->ticked, 200);
        must(hive, kifu_verify_replay(hive, NULL));
        kifu_destroy(hive);
    }
}
END_TEST

// Whatever is fast writes the bytes that old saves have.
START_TEST(F44_a_timed_event_lies_in_the_log_as_ever)
{
    kifu_timeline *hive = hive_new(NULL);
    const uint32_t event = kifu_event_count(hive);
    tick_at(hive, 77, 5);
    must(hive, kifu_run(hive));
    static const unsigned char timed[] = {
        12, 0, 0, 0,              // where its table is,
        6,  0, 8, 0, 4,  0, 0, 0, // its vtable, with padding,
        8,  0, 0, 0, 77, 0, 0, 0, // and the table
    };
    kifu_event shown;
    ck_assert(kifu_event_at(hive, event, &shown));
    const kifu_e_schedule *schedule = (const kifu_e_schedule *)shown.table;
    ck_assert_uint_eq(kifu__length(&schedule->event), sizeof timed);
    ck_assert_mem_eq(kifu__elements(&schedule->event), timed, sizeof timed);
    ck_assert_int_eq(schedule->player, -1);
    ck_assert_uint_eq(schedule->type, HIVE_E_TICK);
    ck_assert_uint_eq(schedule->key, 77);
    kifu_destroy(hive);
}
END_TEST

START_TEST(M08_a_spawn_from_outside_takes_nothing)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *hive =
        hive_new(&(kifu_options){.quiet = true, .allocate = test_allocate, .allocate_context = &memory});
    const long calls = memory.calls;
    ck_assert_uint_eq(hive_spawn_bees(hive), KIFU_NO_HANDLE);
    ck_assert_int_eq(memory.calls, calls);
    ck_assert_int_eq(kifu_run(hive), KIFU_MISUSE);
    spawn_a_bee(hive);
    ck_assert_uint_eq(hive_get_state(hive)->bees[0].slot.generation, 1);
    kifu_destroy(hive);
}
END_TEST

// Seventeen is one more than there is room for at first.
START_TEST(M08_X07_many_timed_events_come_along_with_a_fork)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *hive = hive_new(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory}), *fork;
    for (uint32_t number = 1; number <= 17; number++) {
        must(hive, kifu_postpone(hive, hive_submit_e_tick(hive, number), 1, 0));
        must(hive, kifu_run(hive));
    }
    kifu_error error;
    ck_assert_msg(!kifu_fork(hive, KIFU_WITHOUT_PAST, NULL, &fork, &error), "%s", error.message);
    kifu_destroy(hive);
    hive_submit_e_begin_turn(fork);
    must(fork, kifu_run(fork));
    ck_assert_uint_eq(hive_get_state(fork)->ticked, 17);
    kifu_destroy(fork);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {M08_X07_many_timed_events_come_along_with_a_fork,
                                  F44_a_spawn_takes_the_free_slot_of_the_lowest_index,
                                  F44_a_first_spawn_knows_nothing_of_before,
                                  F44_a_spawn_behind_an_undo_of_any_length_takes_the_lowest_slot,
                                  M08_what_a_cursor_has_seen_is_no_past_of_the_present,
                                  M08_a_spawn_after_a_reset_takes_the_first_slot,
                                  M08_no_spawn_in_a_full_pool_takes_a_slot,
                                  M08_a_spawn_takes_no_slot_that_is_in_use,
                                  M08_a_spawn_without_memory_takes_the_first_slot_or_is_taken_back,
                                  M08_a_spawn_after_a_short_try_takes_the_slot_that_the_try_took,
                                  F44_the_sync_test_finds_the_same_slots,
                                  F44_a_spawn_looks_at_no_slot_but_its_own,
                                  F44_timers_fire_in_the_order_of_their_schedules,
                                  F44_a_timed_event_lies_in_the_log_as_ever,
                                  M08_a_spawn_from_outside_takes_nothing};
    return run_suite("free_slots", tests, sizeof tests / sizeof *tests);
}
