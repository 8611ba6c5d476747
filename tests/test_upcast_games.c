// Upcasting in random games: what the harbour loads of the quay is the same as the harbour played all along.

#include "suite.h"
#include "upcast_help.h"
#include "wire/table.h"

static kifu__blob blob_at(const kifu_timeline *timeline, uint32_t index)
{
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, index);
    const uint32_t slot = index - segment->first;
    const kifu__buffer buffer = {.bytes = segment->bytes, .size = segment->size};
    kifu__blob blob = {.memory = &timeline->memory};
    const unsigned char *table = kifu__segment_table(segment, slot);
    ck_assert(!kifu__convert_table(&buffer, timeline->rules->types[segment->types[slot]].table,
                                   (uint32_t)(table - segment->bytes), &blob));
    return blob;
}

static void same_log(const kifu_timeline *one, const kifu_timeline *other)
{
    kifu_event a, b;
    must_be(kifu_event_count(one) == kifu_event_count(other));
    must_be(one->log.branch->end == other->log.branch->end);
    for (uint32_t i = 0; i < one->log.branch->end; i++) {
        const kifu__segment *first = kifu__log_segment_of(&one->log, i), *second = kifu__log_segment_of(&other->log, i);
        must_be(first->types[i - first->first] == second->types[i - second->first]);
        must_be(!memcmp(&first->marks[i - first->first], &second->marks[i - second->first], sizeof(kifu__mark)));
        kifu__blob here = blob_at(one, i), there = blob_at(other, i);
        if (here.size != there.size || memcmp(here.bytes, there.bytes, here.size) != 0)
            ck_abort_msg("event %u (%s) is another one", (unsigned)i,
                         one->rules->types[first->types[i - first->first]].table->name);
        kifu__free(here.memory, here.bytes);
        kifu__free(there.memory, there.bytes);
    }
    for (uint32_t i = 0; kifu_pending_at(one, i, &a); i++) {
        must_be(kifu_pending_at(other, i, &b) && a.type == b.type && a.player == b.player && a.flags == b.flags);
        must_be(a.cause == b.cause);
        const kifu__proposal *first = (const kifu__proposal *)a.table - 1,
                             *second = (const kifu__proposal *)b.table - 1;
        must_be(first->size == second->size && !memcmp(a.table, b.table, first->size));
    }
    must_be(kifu_pending_count(one) == kifu_pending_count(other));
}

static void same_game(const kifu_timeline *one, const kifu_timeline *other)
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
