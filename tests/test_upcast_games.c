// Upcasting in random games: what the harbour loads of the quay is the same as the harbour played all along.

#include "event_help.h"
#include "suite.h"
#include "upcast_help.h"

static void must_be_same(const kifu_event *one, const kifu_event *other)
{
    must_be(one->type == other->type && one->player == other->player);
    must_be(one->flags == other->flags && one->cause == other->cause);
}

// But for the version under which it happened.
static void same_event_bytes(kifu_timeline *one, kifu_timeline *other, uint32_t index)
{
    enum { VERSION = 36 }; // of the game, in the bytes of an event (schema/FORMAT.md)
    kifu_buffer here = bytes_of_event(one, index), there = bytes_of_event(other, index);
    must_be(here.size > VERSION + 4 && here.size == there.size);
    memset(here.data + VERSION, 0, 4);
    memset(there.data + VERSION, 0, 4);
    if (memcmp(here.data, there.data, here.size) != 0)
        ck_abort_msg("event %u is another one", (unsigned)index);
    kifu_free_buffer(&here);
    kifu_free_buffer(&there);
}

static void same_waiting_bytes(kifu_timeline *one, kifu_timeline *other, uint32_t index)
{
    kifu_buffer here = {0}, there = {0};
    must(one, kifu_pending_bytes(one, index, &here));
    must(other, kifu_pending_bytes(other, index, &there));
    must_be(are_same_buffers(&here, &there));
    kifu_free_buffer(&here);
    kifu_free_buffer(&there);
}

// Of what redo can bring back, the bytes are compared when it is there.
static void same_log(kifu_timeline *one, kifu_timeline *other)
{
    kifu_event a, b;
    const uint32_t line = kifu_current_line(one), count = kifu_event_count(one);
    must_be(kifu_event_count(other) == count && kifu_current_line(other) == line);
    for (uint32_t i = 0; kifu_line_event(one, line, i, &a) || i < count; i++) {
        must_be(kifu_line_event(other, line, i, &b));
        must_be_same(&a, &b);
        if (i < count)
            same_event_bytes(one, other, i);
    }
    must_be(line_of(one, line).count == line_of(other, line).count);
    for (uint32_t i = 0; kifu_pending_at(one, i, &a); i++) {
        must_be(kifu_pending_at(other, i, &b));
        must_be_same(&a, &b);
        same_waiting_bytes(one, other, i);
    }
    must_be(kifu_pending_count(one) == kifu_pending_count(other));
}

static void same_game(kifu_timeline *one, kifu_timeline *other)
{
    must_be(!memcmp(harbour_get_state(one), harbour_get_state(other), sizeof(harbour_state)));
    must_be(kifu_can_undo(one, NULL) == kifu_can_undo(other, NULL));
    must_be(kifu_can_redo(one, NULL) == kifu_can_redo(other, NULL));
    same_log(one, other);
}

// The two go on alike, whatever happens.
static void go_on_same(kifu_timeline *one, kifu_timeline *other, kifu_rng *rng)
{
    for (uint32_t step = 0; step < 12; step++) {
        const uint32_t choice = kifu_rng_below(rng, 6);
        if (choice == 4) {
            harbour_submit_e_begin_turn(one);
            harbour_submit_e_begin_turn(other);
        }
        kifu_result result = move(one, choice);
        if (result != move(other, choice))
            ck_abort_msg("%s, and %s", kifu_last_error(one)->message, kifu_last_error(other)->message);
        same_game(one, other);
    }
}

// What was played as a quay and is loaded as a harbour is what was played as a harbour.
START_TEST(S03_a_game_brought_up_is_the_game_played_anew)
{
    const kifu_rules rules = quay_as_released();
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 31);
    const unsigned long games = fuzz_steps(6000) / 100;
    for (unsigned long game = 0; game < games; game++) {
        const kifu_options options = {.hash_interval = 1 + kifu_rng_below(&rng, 20),
                                      .sync_test = game % 8 == 0 ? kifu_sync_test : NULL};
        const bool fast = kifu_rng_below(&rng, 2);
        kifu_timeline *quay = new_game(&rules, &options), *harbour = new_game(&harbour_rules, &options);
        begin(quay, harbour);
        const uint32_t parts = 1 + kifu_rng_below(&rng, 4);
        for (uint32_t part = 0; part < parts; part++) {
            play_same(quay, harbour, &rng, kifu_rng_below(&rng, 60));
            kifu_timeline *up = brought_up_fast(quay, &options, fast);
            no_old_ones(up);
            same_game(up, harbour);
            kifu_timeline *copy = reload_fast(harbour, &options, fast), *again = reload_fast(up, &options, fast);
            same_game(again, harbour);
            go_on_same(up, copy, &rng);
            must(up, kifu_verify_replay(up, NULL));
            kifu_destroy(again);
            kifu_destroy(copy);
            kifu_destroy(up);
        }
        kifu_destroy(quay);
        kifu_destroy(harbour);
    }
}
END_TEST

// A process of the old release is killed; the new one recovers its log file, and goes on in it.
START_TEST(S03_a_log_file_of_an_old_release_is_gone_on_with)
{
    const kifu_rules rules = quay_as_released();
    char *folder = new_folder();
    const char *path = in_folder(folder, "harbour.kifu");
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 33);
    const unsigned long games = fuzz_steps(2000) / 100;
    for (unsigned long game = 0; game < games; game++) {
        kifu_recovery recovery;
        const kifu_options options = {.hash_interval = 1 + (uint32_t)(game % 5)};
        const kifu_load_options load_options = {.fast = game % 2, .recover = kifu_recover, .recovery = &recovery};
        kifu_timeline *quay = new_game(&rules, &options), *harbour = new_game(&harbour_rules, &options), *up, *again;
        begin(quay, harbour);
        must(quay, kifu_log_open(quay, path, NULL));
        for (uint32_t part = kifu_rng_below(&rng, 8); part > 0; part--) {
            play_same(quay, harbour, &rng, kifu_rng_below(&rng, 20));
            must(quay, kifu_log_append(quay));
        }
        kifu_destroy(quay);

        ck_assert_int_eq(kifu_load(&harbour_rules, path, &options, &load_options, &up, NULL), KIFU_OK);
        ck_assert_uint_eq(recovery.dropped, 0);
        no_old_ones(up);
        same_game(up, harbour);
        must(up, kifu_log_open(up, path, NULL));
        for (uint32_t part = kifu_rng_below(&rng, 8); part > 0; part--) {
            go_on_same(up, harbour, &rng);
            must(up, kifu_log_append(up));
        }
        must(up, kifu_verify_replay(up, NULL));
        kifu_timeline *one = fork_of(up, KIFU_PRESENT, NULL), *other = fork_of(harbour, KIFU_PRESENT, NULL);
        same_game(one, other);
        go_on_same(one, other, &rng);
        kifu_destroy(one);
        kifu_destroy(other);
        ck_assert_int_eq(kifu_load(&harbour_rules, path, &options, &load_options, &again, NULL), KIFU_OK);
        same_game(again, harbour);
        go_on_same(again, up, &rng);
        kifu_destroy(again);
        kifu_destroy(up);
        kifu_destroy(harbour);
    }
    remove_folder(folder);
}
END_TEST

START_TEST(S03_a_long_game_is_brought_up)
{
    const kifu_rules rules = quay_as_released();
    kifu_timeline *quay = new_game(&rules, NULL), *harbour = new_game(&harbour_rules, NULL);
    begin(quay, harbour);
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 32);
    play_same(quay, harbour, &rng, 9000);
    ck_assert_uint_gt(kifu_event_count(quay), 6000);
    kifu_timeline *up = brought_up(quay, NULL);
    same_game(up, harbour);
    go_on_same(up, harbour, &rng);
    kifu_destroy(up);
    kifu_destroy(quay);
    kifu_destroy(harbour);
}
END_TEST

// --- Memory ----------------------------------------------------------------------------------------------------------

// `quay` is loaded, and then as `harbour`; or memory ends.
static void expect_load_or_no_memory(kifu_timeline *quay, kifu_timeline *harbour)
{
    save save = save_of(quay, NULL);
    for (int sync = 0; sync < 2; sync++) {
        bool failed = true;
        for (long at = 0; failed; at++) {
            test_memory memory = {.until_failure = at};
            const kifu_options options = {
                .allocate = test_allocate, .allocate_context = &memory, .sync_test = sync == 1 ? kifu_sync_test : NULL};
            kifu_timeline *loaded;
            kifu_error error;
            kifu_result result =
                kifu_load_from_memory(&harbour_rules, save.bytes, save.size, &options, NULL, &loaded, &error);
            failed = memory.failed;
            memory.until_failure = -1;
            if (result == KIFU_OK) { // Some can be done without.
                same_game(loaded, harbour);
                kifu_destroy(loaded);
            } else {
                must_be(failed && result == KIFU_NO_MEMORY && error.result == KIFU_NO_MEMORY);
                must_be(strlen(error.message) > 20 && !loaded);
            }
            must_be(memory.blocks == 0);
        }
    }
    free(save.bytes);
}

START_TEST(no_memory_at_any_allocation_of_an_upcast_leaks_nothing)
{
    const kifu_rules rules = quay_as_released();
    kifu_timeline *quay = new_game(&rules, NULL);
    quay_submit_e_push(quay, 1); // One event, and nothing timed.
    must(quay, kifu_run(quay));
    kifu_timeline *harbour = brought_up(quay, NULL);
    expect_load_or_no_memory(quay, harbour);
    kifu_destroy(harbour);
    kifu_destroy(quay);

    quay = new_game(&rules, NULL);
    harbour = new_game(&harbour_rules, NULL);
    begin(quay, harbour);
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 34);
    play_same(quay, harbour, &rng, 120);
    for (uint32_t i = 0; i < 3; i++) {
        submit_same(quay, harbour, &rng);
        quay_submit_p_late(quay, 1, 5, 3, 3);
        harbour_submit_p_late(harbour, 1, 5, 3, 3);
        must(quay, kifu_step(quay));
        must(harbour, kifu_step(harbour));
    }
    ck_assert_uint_gt(kifu_pending_count(quay), 0);
    expect_load_or_no_memory(quay, harbour);
    kifu_destroy(harbour);
    kifu_destroy(quay);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S03_a_game_brought_up_is_the_game_played_anew,
        S03_a_log_file_of_an_old_release_is_gone_on_with,
        S03_a_long_game_is_brought_up,
        no_memory_at_any_allocation_of_an_upcast_leaks_nothing,
    };
    return run_suite("upcast games", tests, sizeof tests / sizeof *tests);
}
