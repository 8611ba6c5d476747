// What is in a timed event: it happens as it was submitted, after undo, saves and lack of memory too, and damaged bytes
// are never believed.

#include "crawl_help.h"
#include "event_help.h"
#include "hive.h"
#include "suite.h"

// --- What happens ----------------------------------------------------------------------------------------------------

// All kinds of fields, there or absent as the bits of `how` say.
static kifu_ticket submit_words(kifu_timeline *crawl, uint32_t how)
{
    const crawl_spot nowhere = {0}, spot = {.x = 5, .far = UINT64_C(0x1122334455667788)};
    const uint64_t numbers[] = {1, UINT64_MAX, 3};
    const crawl_word_args inner = {.text = "inner", .kind = CRAWL_KIND_OGRE, .has_count = true, .count = 4};
    const crawl_word_args words[] = {{.text = "one", .next = &inner}, {.kind = CRAWL_KIND_RAT}, {.text = ""}};
    const crawl_pair_args pairs[] = {{.left = 1, .right = 2}, {.right = 3}, {.left = 4}}; // Never a variant.
    const char *const labels[] = {"a", "", "a longer one"};
    const crawl_kind kinds[] = {CRAWL_KIND_OGRE, CRAWL_KIND_HERO, CRAWL_KIND_RAT};
    const uint32_t all = how >> 8; // So many elements.
    return crawl_submit_e_words(crawl, &(crawl_e_words_args){.far = how & 1 ? 9 : 0,
                                                             .title = how & 2 ? "a title" : "",
                                                             .kind = CRAWL_KIND_HERO,
                                                             .has_maybe = how & 4,
                                                             .maybe = -7,
                                                             .spot = how & 8 ? spot : nowhere,
                                                             .numbers = how & 16 ? numbers : NULL,
                                                             .numbers_count = how & 16 ? all : 0,
                                                             .words = how & 32 ? words : NULL,
                                                             .words_count = how & 32 ? all : 0,
                                                             .first = how & 64 ? &words[0] : NULL,
                                                             .labels = how & 128 ? labels : NULL,
                                                             .labels_count = how & 128 ? all : 0,
                                                             .kinds = how & 16 ? kinds : NULL,
                                                             .kinds_count = how & 16 ? all : 0,
                                                             .pairs = how & 32 ? pairs : NULL,
                                                             .pairs_count = how & 32 ? all : 0});
}

START_TEST(H07_what_happens_is_what_was_submitted)
{
    kifu_timeline *crawl = crawl_new(NULL);
    uint32_t turn = 0;
    for (uint32_t how = 0; how < 1024; how++) {
        submit_words(crawl, how);
        must(crawl, kifu_run(crawl));
        kifu_buffer now = bytes_of_event(crawl, kifu_event_count(crawl) - 1);
        must(crawl, kifu_postpone(crawl, submit_words(crawl, how), ++turn, 0));
        must(crawl, kifu_run(crawl));
        go_to_turn(crawl, turn);
        must_be(last_event(crawl).type == CRAWL_E_WORDS);
        kifu_buffer later = bytes_of_event(crawl, kifu_event_count(crawl) - 1);
        must_be(are_same_buffers(&now, &later));
        kifu_free_buffer(&now);
        kifu_free_buffer(&later);
    }
    ck_assert_uint_eq(crawl_get_state(crawl)->words, 2048);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

// How many bytes a timed EWords has in its ESchedule.
static uint32_t timed_size(const kifu_rules *rules, uint32_t how)
{
    kifu_timeline *crawl;
    ck_assert_int_eq(kifu_create(rules, NULL, &crawl, NULL), KIFU_OK);
    must(crawl, kifu_postpone(crawl, submit_words(crawl, how), 1, 0));
    must(crawl, kifu_run(crawl));
    const kifu_e_schedule *schedule = last_event(crawl).table;
    const uint32_t size = kifu__length(&schedule->event);
    kifu_destroy(crawl);
    return size;
}

START_TEST(H07_only_what_has_tables_in_it_is_timed_with_all_vtables)
{
    kifu_timeline *crawl = crawl_new(NULL);
    bell_at(crawl, 7, 1, 0);
    must(crawl, kifu_run(crawl));
    const kifu_e_schedule *schedule = last_event(crawl).table;
    const uint8_t bell[] = {12, 0, 0, 0, 6, 0, 8, 0, 4, 0, 0, 0, 8, 0, 0, 0, 7, 0, 0, 0};
    ck_assert_uint_eq(kifu__length(&schedule->event), sizeof bell);
    ck_assert_mem_eq(kifu__elements(&schedule->event), bell, sizeof bell);
    kifu_destroy(crawl);
    // The same event as if it ended before the first field that leads to tables.
    kifu_rules rules = crawl_rules;
    kifu__type types[64];
    ck_assert_uint_lt(rules.type_count, 64);
    memcpy(types, rules.types, (rules.type_count + 1) * sizeof *types);
    kifu__table words = *types[CRAWL_E_WORDS].table;
    for (words.field_count = 0; !words.fields[words.field_count].table;)
        words.field_count++;
    types[CRAWL_E_WORDS].table = &words;
    rules.types = types;
    ck_assert_uint_lt(timed_size(&rules, 3) + 100, timed_size(&crawl_rules, 3));
}
END_TEST

START_TEST(H07_nothing_that_was_in_memory_is_in_a_timed_event)
{
    test_memory memory = {.until_failure = -1}; // New memory is full of 0xEE.
    kifu_timeline *hive;
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    ck_assert_int_eq(kifu_create(&hive_rules, &options, &hive, NULL), KIFU_OK);
    must(hive, kifu_postpone(hive, hive_submit_e_far(hive, UINT64_MAX), 1, 0));
    must(hive, kifu_run(hive));
    const kifu_e_schedule *schedule = last_event(hive).table;
    const uint8_t far[] = {16, 0, 0, 0, 6, 0, 16, 0, 8,   0,   0,   0,   0,   0,   0,   0,
                           12, 0, 0, 0, 0, 0, 0,  0, 255, 255, 255, 255, 255, 255, 255, 255};
    ck_assert_uint_eq(kifu__length(&schedule->event), sizeof far);
    ck_assert_mem_eq(kifu__elements(&schedule->event), far, sizeof far);
    kifu_destroy(hive);
}
END_TEST

// --- What cannot be read ---------------------------------------------------------------------------------------------

static void schedule_bytes(kifu_timeline *crawl, uint8_t type, int8_t player, const uint8_t *bytes, uint32_t size)
{
    crawl_submit_e_schedule(
        crawl, &(kifu_e_schedule_args){
                   .turn = 1, .key = 0, .type = type, .player = player, .event = bytes, .event_count = size});
    must(crawl, kifu_run(crawl));
}

// An EBell whose vtable has other entries: of an older version, which had no number; of a newer one, which has more.
START_TEST(H07_another_version_may_have_written_it)
{
    const uint8_t older[] = {8, 0, 0, 0, 4, 0, 4, 0, 4, 0, 0, 0};
    const uint8_t newer[] = {16, 0, 0, 0, 10, 0, 16, 0, 12, 0, 4, 0, 8,  0, 0, 0,
                             12, 0, 0, 0, 1,  1, 1,  1, 2,  2, 2, 2, 42, 0, 0, 0};
    kifu_timeline *crawl = crawl_new(NULL);
    schedule_bytes(crawl, CRAWL_E_BELL, -1, older, sizeof older);
    schedule_bytes(crawl, CRAWL_E_BELL, -1, newer, sizeof newer);
    go_to_turn(crawl, 1);
    ck_assert_str_eq(bells(crawl), "0 42");
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

// What cannot happen is told once, in a sentence, and dropped when the turn is begun again; nothing else is lost.
START_TEST(H07_what_cannot_be_read_is_told_once_and_dropped)
{
    const uint8_t bell[] = {12, 0, 0, 0, 6, 0, 8, 0, 4, 0, 0, 0, 8, 0, 0, 0, 42, 0, 0, 0};
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 100);
    bell_at(crawl, 1, 1, 0);
    must(crawl, kifu_run(crawl));
    schedule_bytes(crawl, 200, -1, bell, sizeof bell);
    schedule_bytes(crawl, CRAWL_E_BELL, 3, bell, sizeof bell);
    schedule_bytes(crawl, CRAWL_E_BELL, -1, bell, 11);
    schedule_bytes(crawl, CRAWL_E_BELL, -1, bell, 0);
    schedule_bytes(crawl, 0, -1, bell, sizeof bell);
    schedule_bytes(crawl, CRAWL_E_BELL, -2, bell, sizeof bell);
    bell_at(crawl, 2, 1, 0);
    must(crawl, kifu_run(crawl));
    kifu_timeline *loaded = reload(crawl, &(kifu_options){.user = &test_hooks});
    const char *const reasons[] = {"knows no event type 200", "kifu", "too small", "knows no event type 0",
                                   "no player -2"};
    for (int i = 0; i < 5; i++) {
        const uint64_t hash = kifu_state_hash(crawl);
        kifu_turn turn;
        ck_assert_int_eq(kifu_take_turn(crawl, crawl_rest, NULL, &turn), KIFU_FAILED);
        must_say(crawl, "cannot happen, and is dropped when the game turn begins again");
        if (i != 1)
            must_say(crawl, reasons[i]);
        ck_assert_uint_eq(kifu_state_hash(crawl), hash);
        ck_assert_uint_eq(kifu_pending_count(crawl), 0);
        ck_assert_uint_eq(timer_count(crawl), 8);
    }
    kifu_turn turn = crawl_step(crawl, crawl_rest);
    ck_assert_int_eq(turn.status, KIFU_TURN_BEGAN);
    ck_assert_str_eq(bells(crawl), "1 42 2");
    ck_assert_uint_eq(timer_count(crawl), 0);
    turn = crawl_step(crawl, crawl_rest);
    ck_assert_uint_eq(turn.actor, rat);
    must_replay(crawl);
    ck_assert_uint_eq(timer_count(loaded), 8); // The same after a load.
    kifu_result result;
    int failures = 0;
    while ((result = kifu_take_turn(loaded, crawl_rest, NULL, &turn)) == KIFU_FAILED)
        failures++;
    ck_assert_int_eq(result, KIFU_OK);
    ck_assert_int_eq(failures, 5);
    must(loaded, kifu_run(loaded));
    ck_assert_str_eq(bells(loaded), "1 42 2");
    kifu_destroy(loaded);
    kifu_destroy(crawl);
}
END_TEST

// What kifu_postpone builds is not checked; what others submit is.
START_TEST(H07_a_schedule_without_an_event_is_refused)
{
    kifu_timeline *crawl = crawl_new(NULL);
    must(crawl, kifu_postpone(crawl, crawl_submit_e_bell(crawl, 3), 1, 0));
    crawl_submit_e_schedule(crawl, &(kifu_e_schedule_args){.turn = 1, .type = CRAWL_E_BELL, .player = -1});
    ck_assert_int_eq(kifu_run(crawl), KIFU_INVALID_EVENT);
    must_say(crawl, "kifu.ESchedule has a wrong field, event: it is required, and absent");
    go_to_turn(crawl, 1);
    ck_assert_str_eq(bells(crawl), "3");
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H07_what_cannot_be_read_is_told_after_a_search_too)
{
    kifu_timeline *crawl = crawl_new(NULL);
    const uint8_t bytes[8] = {0};
    crawl_submit_e_schedule(crawl, &(kifu_e_schedule_args){.turn = 1,
                                                           .key = 0,
                                                           .type = 200,
                                                           .player = -1,
                                                           .event = bytes,
                                                           .event_count = sizeof bytes}); // A type that nobody knows.
    must(crawl, kifu_run(crawl));
    must(crawl, kifu_begin(crawl, KIFU_SEARCH));
    crawl_submit_e_begin_turn(crawl);
    ck_assert_int_eq(kifu_run(crawl), KIFU_FAILED);
    must(crawl, kifu_roll_back(crawl));
    crawl_submit_e_begin_turn(crawl);
    ck_assert_int_eq(kifu_run(crawl), KIFU_FAILED);
    must_say(crawl, "the event that event 1 timed cannot happen");
    crawl_submit_e_begin_turn(crawl);
    must(crawl, kifu_run(crawl));
    kifu_destroy(crawl);
}
END_TEST

// Times what nobody can read, behind a player's event.
static void time_in_vain(kifu_timeline *crawl)
{
    crawl_submit_p_bell(crawl, 0, 1);
    crawl_submit_e_schedule(
        crawl, &(kifu_e_schedule_args){
                   .turn = 1, .key = 0, .type = 200, .player = -1, .event = (const uint8_t[8]){0}, .event_count = 8});
    must(crawl, kifu_run(crawl));
    crawl_submit_e_begin_turn(crawl);
}

START_TEST(H07_what_cannot_be_read_is_told_again_when_it_is_timed_again)
{
    kifu_timeline *crawl = crawl_new(NULL);
    for (int i = 0; i < 4; i++) {
        time_in_vain(crawl);
        ck_assert_int_eq(kifu_run(crawl), KIFU_FAILED);
        must_say(crawl, "the event that event 2 timed cannot happen");
        if (i > 1)
            go_to_turn(crawl, 1); // which drops it
        must(crawl, kifu_undo(crawl));
    }
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H07_the_sync_test_drops_what_cannot_be_read_at_once)
{
    kifu_timeline *crawl = crawl_new(&(kifu_options){.sync_test = kifu_sync_test});
    time_in_vain(crawl);
    must(crawl, kifu_run(crawl));
    ck_assert_uint_eq(timer_count(crawl), 0);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

static kifu_result break_timer(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    kifu_handle first = crawl_next_timers(crawl_get_state(crawl), KIFU_NO_HANDLE);
    *crawl_edit_timers_event(crawl, first) = (uint32_t)number;
    return KIFU_OK;
}

START_TEST(H07_a_timer_that_leads_to_no_event_is_dropped)
{
    static const struct {
        int32_t event;
        kifu_result result;
        uint32_t left;
    } cases[] = {
        {0, KIFU_FAILED, 0}, {100000, KIFU_FAILED, 0}, {-2, KIFU_FAILED, 0}, {-1, KIFU_OK, 1}}; // -1: for ever.
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *crawl = crawl_new(NULL);
        bell_at(crawl, 1, 1, 0);
        bell_at(crawl, 2, 1, 0);
        must(crawl, kifu_run(crawl));
        must(crawl, crawl_do(crawl, break_timer, KIFU_NO_HANDLE, cases[i].event));
        crawl_submit_e_begin_turn(crawl);
        ck_assert_int_eq(kifu_run(crawl), cases[i].result);
        if (cases[i].result)
            must_say(crawl, "its timer does not refer to a kifu.ESchedule");
        go_to_turn(crawl, 1);
        ck_assert_str_eq(bells(crawl), "2");
        ck_assert_uint_eq(timer_count(crawl), cases[i].left);
        must_replay(crawl);
        kifu_destroy(crawl);
    }
}
END_TEST

START_TEST(H07_without_memory_a_timer_that_leads_to_no_event_is_dropped_too)
{
    kifu_timeline *crawl = crawl_new(NULL);
    bell_at(crawl, 1, 1, 0);
    must(crawl, kifu_run(crawl));
    must(crawl, crawl_do(crawl, break_timer, KIFU_NO_HANDLE, 0));
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .user = &test_hooks};
    for (long failing = 0; !failing || memory.failed; failing++) {
        memory = (test_memory){.until_failure = -1};
        kifu_timeline *loaded = reload(crawl, &options);
        memory.until_failure = failing;
        for (int calls = 0; crawl_get_state(loaded)->turns.turn < 1; calls++) {
            ck_assert_int_lt(calls, 4);
            crawl_submit_e_begin_turn(loaded);
            const kifu_result result = kifu_run(loaded);
            must_be(!result || result == KIFU_FAILED || (result == KIFU_NO_MEMORY && memory.failed));
        }
        must(loaded, kifu_run(loaded));
        must_be(timer_count(loaded) == 0 && crawl_get_state(loaded)->bell_count == 0);
        memory.until_failure = -1;
        kifu_destroy(loaded);
        ck_assert_int_eq(memory.blocks, 0);
        ck_assert_int_lt(failing, 100);
    }
    kifu_destroy(crawl);
}
END_TEST

// An event that fires before it has no memory: then the other one is not dropped unheard.
START_TEST(H07_what_cannot_be_read_is_told_though_memory_ended_before_it)
{
    const uint8_t bell[] = {12, 0, 0, 0, 6, 0, 8, 0, 4, 0, 0, 0, 8, 0, 0, 0, 42, 0, 0, 0};
    kifu_timeline *crawl = crawl_new(NULL);
    bell_at(crawl, 1, 1, 0);
    must(crawl, kifu_run(crawl));
    schedule_bytes(crawl, 200, -1, bell, sizeof bell);
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .user = &test_hooks};
    for (long failing = 0; !failing || memory.failed; failing++) {
        memory = (test_memory){.until_failure = -1};
        kifu_timeline *loaded = reload(crawl, &options);
        memory.until_failure = failing;
        int told = 0;
        for (int calls = 0; crawl_get_state(loaded)->turns.turn < 1; calls++) {
            ck_assert_int_lt(calls, 4);
            crawl_submit_e_begin_turn(loaded);
            told += kifu_run(loaded) == KIFU_FAILED;
        }
        ck_assert_msg(told == 1, "told %d times, without allocation %ld", told, failing);
        memory.until_failure = -1;
        kifu_destroy(loaded);
        ck_assert_int_eq(memory.blocks, 0);
        ck_assert_int_lt(failing, 100);
    }
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H07_damaged_bytes_are_never_believed)
{
    kifu_timeline *crawl = crawl_new(NULL);
    must(crawl, kifu_postpone(crawl, submit_words(crawl, 1023), 1, 0));
    kifu_event event;
    ck_assert(kifu_pending_at(crawl, 0, &event));
    const kifu_e_schedule *schedule = event.table;
    static uint8_t good[4000], bad[4000];
    uint32_t size = kifu__length(&schedule->event);
    ck_assert_uint_le(size, sizeof good);
    memcpy(good, kifu__elements(&schedule->event), size);
    must(crawl, kifu_run(crawl));
    uint32_t turn = 1, failures = 0;
    go_to_turn(crawl, turn);
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 3);
    for (unsigned long i = 0; i < fuzz_steps(5000); i++) {
        memcpy(bad, good, size);
        for (uint32_t k = kifu_rng_below(&rng, 3) + 1; k > 0; k--)
            bad[kifu_rng_below(&rng, size)] = (uint8_t)(1u << kifu_rng_below(&rng, 8));
        uint32_t length = kifu_rng_below(&rng, 8) ? size : kifu_rng_below(&rng, size);
        schedule_bytes(crawl, CRAWL_E_WORDS, -1, bad, length);
        turn++;
        crawl_submit_e_begin_turn(crawl);
        kifu_result result = kifu_run(crawl);
        must_be(result == KIFU_OK || result == KIFU_FAILED || result == KIFU_INVALID_EVENT); // a string is no text
        failures += result == KIFU_FAILED;
        go_to_turn(crawl, turn);
        must_be(timer_count(crawl) == 0);
        if (kifu_event_count(crawl) > 5000) {
            kifu_destroy(crawl);
            crawl = crawl_new(NULL);
            turn = 0;
        }
    }
    ck_assert_uint_gt(failures, 100);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

// --- Like the rest ---------------------------------------------------------------------------------------------------

// A game of 60 turns with levers, bells, cancels, at random.
static void play(kifu_timeline *crawl, uint64_t seed)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, seed, 1);
    crawl_submit_e_build(crawl);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 3, 100);
    crawl_add(crawl, CRAWL_KIND_RAT, 6, 3, 120);
    for (uint32_t i = 0; i < 60; i++) {
        const uint32_t turn = crawl_get_state(crawl)->turns.turn, key = kifu_rng_below(&rng, 3);
        const uint32_t when = turn + kifu_rng_below(&rng, 6);
        kifu_result result = KIFU_OK;
        switch (kifu_rng_below(&rng, 6)) {
        case 0:
            bell_at(crawl, i, when, key);
            break;
        case 1:
            result = kifu_postpone(crawl, crawl_submit_p_bell(crawl, 1, i), when, key);
            break;
        case 2:
            result = kifu_postpone(crawl, submit_words(crawl, kifu_rng_below(&rng, 1024)), when, key);
            break;
        case 3:
            crawl_submit_e_cancel(crawl, key);
            break;
        default:
            result = kifu_set_action(crawl, hero, crawl_submit_p_pull(crawl, 0, hero, kifu_rng_below(&rng, 4)));
        }
        must(crawl, result);
        result = kifu_run(crawl);
        must_be(result == KIFU_OK || result == KIFU_FAILED);
        kifu_turn step;
        must(crawl, kifu_take_turn(crawl, crawl_rest, NULL, &step));
        result = kifu_run(crawl); // Too many timers.
        must_be(result == KIFU_OK || result == KIFU_FAILED);
        must(crawl, kifu_run(crawl));
    }
}

START_TEST(H07_undo_replay_and_saves_know_them)
{
    for (uint64_t seed = 0; seed < 10; seed++) {
        const kifu_options options = {
            .record_inputs = kifu_record_inputs, .sync_test = seed == 0 ? kifu_sync_test : NULL, .hash_interval = 1};
        kifu_timeline *crawl = crawl_new(&options);
        play(crawl, seed);
        must_replay(crawl);
        must(crawl, kifu_verify_rules(crawl, NULL, NULL, NULL));
        // Saved at each event, and gone on with.
        const uint32_t count = kifu_event_count(crawl);
        for (uint32_t i = 3; i < count; i += 11) {
            kifu_timeline *fork = fork_of(crawl, i, &(kifu_options){.user = &test_hooks});
            kifu_timeline *loaded = reload_fast(fork, &(kifu_options){.user = &test_hooks}, i % 2);
            must_be(kifu_state_hash(fork) == kifu_state_hash(loaded));
            for (int k = 0; k < 20; k++) {
                crawl_step(fork, crawl_rest);
                crawl_step(loaded, crawl_rest);
            }
            must_be(kifu_state_hash(fork) == kifu_state_hash(loaded));
            must_be(kifu_event_count(fork) == kifu_event_count(loaded));
            kifu_destroy(fork);
            kifu_destroy(loaded);
        }
        kifu_destroy(crawl);
    }
}
END_TEST

// --- Memory ----------------------------------------------------------------------------------------------------------

START_TEST(H08_timers_allocate_nothing_in_steady_state)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .keyframe_bytes = 1};
    kifu_timeline *crawl = crawl_new(&options);
    crawl_submit_p_rest(crawl, 0, crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 1)); // Undo goes so far.
    must(crawl, kifu_run(crawl));
    long calls = 0;
    for (int round = 0; round < 6; round++) {
        calls = memory.calls;
        for (uint32_t i = 0; i < 60; i++) {
            const uint32_t turn = crawl_get_state(crawl)->turns.turn;
            bell_at(crawl, i, turn + 2, 0);
            must(crawl, kifu_postpone(crawl, submit_words(crawl, 1023), turn + 1, 0));
            if (i % 7 == 0)
                crawl_submit_e_cancel(crawl, 0);
            crawl_submit_e_begin_turn(crawl);
            must(crawl, kifu_run(crawl));
        }
        must(crawl, kifu_undo(crawl));
        must(crawl, kifu_redo(crawl));
        must(crawl, kifu_undo(crawl));
        crawl_submit_p_rest(crawl, 0, UINT32_C(1) << 16);
        must(crawl, kifu_run(crawl));
    }
    ck_assert_int_eq(memory.calls, calls);
    kifu_destroy(crawl);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

static long postpone_short_of_memory(long until_failure)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *crawl = crawl_new(&options);
    const long before = memory.calls;
    memory.until_failure = until_failure;
    kifu_ticket ticket;
    while (!(ticket = submit_words(crawl, 1023)))
        ck_assert_int_eq(kifu_run(crawl), KIFU_NO_MEMORY);
    kifu_result result = kifu_postpone(crawl, ticket, 1, 0);
    if (result) { // It still waits as what it was.
        ck_assert_int_eq(result, KIFU_NO_MEMORY);
        must(crawl, kifu_postpone(crawl, ticket, 1, 0));
    }
    result = kifu_run(crawl);
    if (result) {
        ck_assert_int_eq(result, KIFU_NO_MEMORY);
        must(crawl, kifu_run(crawl));
        if (!timer_count(crawl)) { // It was taken back in its Do.
            must(crawl, kifu_postpone(crawl, submit_words(crawl, 1023), 1, 0));
            must(crawl, kifu_run(crawl));
        }
    }
    for (int i = 0; crawl_get_state(crawl)->turns.turn < 1; i++) {
        ck_assert_int_lt(i, 3);
        if (!crawl_submit_e_begin_turn(crawl)) {
            ck_assert_int_eq(kifu_run(crawl), KIFU_NO_MEMORY);
            continue;
        }
        result = kifu_run(crawl);
        must_be(result == KIFU_OK || (result == KIFU_NO_MEMORY && memory.failed));
        must(crawl, kifu_run(crawl));
        must_be(timer_count(crawl) == (crawl_get_state(crawl)->turns.turn == 0));
    }
    const long calls = memory.calls - before;
    memory.until_failure = -1;
    must_replay(crawl);
    kifu_destroy(crawl);
    ck_assert_int_eq(memory.blocks, 0);
    return calls;
}

START_TEST(H07_every_allocation_may_fail)
{
    long calls = postpone_short_of_memory(-1);
    ck_assert_int_gt(calls, 5);
    for (long i = 0; i < calls + 2; i++)
        postpone_short_of_memory(i);
}
END_TEST

// Each failure is told, whether others wait in the queue, which may have room.
START_TEST(H07_without_memory_it_waits_as_it_was)
{
    for (uint32_t others = 0; others < 60; others++) {
        bool failed = true;
        for (long failing = 0; failed; failing++) {
            test_memory memory = {.until_failure = -1};
            kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
            kifu_timeline *crawl = crawl_new(&options);
            for (uint32_t i = 0; i < others; i++)
                crawl_submit_e_bell(crawl, i);
            kifu_ticket ticket = crawl_submit_e_bell(crawl, 99);
            ck_assert_uint_ne(ticket, 0);
            memory.until_failure = failing;
            kifu_result result = kifu_postpone(crawl, ticket, 1, 0);
            failed = memory.failed;
            memory.until_failure = -1;
            must_be(result == (failed ? KIFU_NO_MEMORY : KIFU_OK));
            kifu_event event;
            must_be(kifu_pending_count(crawl) == others + 1 && kifu_pending_at(crawl, others, &event));
            must_be(event.type == (result ? CRAWL_E_BELL : CRAWL_E_SCHEDULE));
            if (result)
                must(crawl, kifu_postpone(crawl, ticket, 1, 0));
            must(crawl, kifu_run(crawl));
            must_be(crawl_get_state(crawl)->bell_count == others);
            go_to_turn(crawl, 1);
            must_be(crawl_get_state(crawl)->bells[others % 16] == 99);
            kifu_destroy(crawl);
            must_be(memory.blocks == 0);
        }
    }
}
END_TEST

START_TEST(H07_after_a_load_every_allocation_may_fail)
{
    kifu_timeline *crawl = crawl_new(NULL);
    crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 100);
    for (uint32_t i = 0; i < 8; i++)
        bell_at(crawl, i, i % 2 ? 1 : 2, 0);
    must(crawl, kifu_run(crawl));
    for (long fail = 0;; fail++) {
        ck_assert_int_lt(fail, 100);
        test_memory memory = {.until_failure = -1};
        kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .user = &test_hooks};
        kifu_timeline *loaded = reload(crawl, &options);
        const uint64_t hash = kifu_state_hash(loaded);
        memory.until_failure = fail;
        for (int i = 0; crawl_get_state(loaded)->turns.turn < 1; i++) {
            ck_assert_int_lt(i, 4);
            kifu_turn turn;
            kifu_result result = kifu_take_turn(loaded, crawl_rest, NULL, &turn);
            must_be(result == KIFU_OK || (result == KIFU_NO_MEMORY && kifu_state_hash(loaded) == hash));
            result = kifu_run(loaded);
            must_be(result == KIFU_OK || result == KIFU_NO_MEMORY);
        }
        must(loaded, kifu_run(loaded));
        must_be(timer_count(loaded) == 4);
        memory.until_failure = -1;
        must_replay(loaded);
        kifu_destroy(loaded);
        ck_assert_int_eq(memory.blocks, 0);
        if (!memory.failed)
            break;
    }
    kifu_destroy(crawl);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        H07_what_happens_is_what_was_submitted,
        H07_only_what_has_tables_in_it_is_timed_with_all_vtables,
        H07_nothing_that_was_in_memory_is_in_a_timed_event,
        H07_another_version_may_have_written_it,
        H07_what_cannot_be_read_is_told_once_and_dropped,
        H07_a_schedule_without_an_event_is_refused,
        H07_what_cannot_be_read_is_told_after_a_search_too,
        H07_what_cannot_be_read_is_told_again_when_it_is_timed_again,
        H07_the_sync_test_drops_what_cannot_be_read_at_once,
        H07_a_timer_that_leads_to_no_event_is_dropped,
        H07_without_memory_a_timer_that_leads_to_no_event_is_dropped_too,
        H07_what_cannot_be_read_is_told_though_memory_ended_before_it,
        H07_damaged_bytes_are_never_believed,
        H07_undo_replay_and_saves_know_them,
        H08_timers_allocate_nothing_in_steady_state,
        H07_every_allocation_may_fail,
        H07_without_memory_it_waits_as_it_was,
        H07_after_a_load_every_allocation_may_fail,
    };
    return run_suite("timed_events", tests, sizeof tests / sizeof *tests);
}
