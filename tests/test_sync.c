// The sync test: who wrote to the state, when it is asked, and what stays as it was. What it catches in Do functions is
// in test_planted_faults.c.

#include <stdlib.h>

#include <errno.h>

#include "corridor.h"
#include "faulty_help.h"
#include "history_help.h"
#include "lab_help.h"
#include "model.h"
#include "plan.h"
#include "suite.h"

static const kifu_options with_sync_test = {.sync_test = kifu_sync_test, .hash_interval = 1, .seed = 3};

static void write_outside(kifu_timeline *timeline)
{
    faulty_writable(faulty_get_state(timeline))->units[2].place[1] = -4;
}

static void must_diverge(kifu_timeline *timeline, kifu_result result, uint32_t event, const char *who)
{
    const kifu_error *error = kifu_last_error(timeline);
    ck_assert_msg(result == KIFU_DIVERGED, "%d: %s", (int)result, error->message);
    ck_assert_uint_eq(error->event, event);
    faulty_says(error->message, who);
    faulty_says(error->message, "units[2].place[1] was 0");
    faulty_says(error->message, "-4");
    ck_assert_int_eq(faulty_get_state(timeline)->units[2].place[1], 0);
}

START_TEST(P01_a_write_from_outside_is_found_at_the_next_call_and_taken_back)
{
    kifu_timeline *timeline = faulty_begin(&with_sync_test);
    faulty_submit_p_add(timeline, 0, 3);
    write_outside(timeline);
    must_diverge(timeline, kifu_run(timeline), 2, "from outside, after event 2 (faulty.PAdd)");
    ck_assert_uint_eq(kifu_pending_count(timeline), 1); // It was nobody's event.
    faulty_must(timeline, kifu_run(timeline));
    ck_assert_uint_eq(kifu_event_count(timeline), 4);

    write_outside(timeline);
    must_diverge(timeline, kifu_undo(timeline), 3, "from outside");
    faulty_must(timeline, kifu_undo(timeline));
    write_outside(timeline);
    must_diverge(timeline, kifu_redo(timeline), 2, "from outside");
    faulty_must(timeline, kifu_redo(timeline));
    write_outside(timeline);
    must_diverge(timeline, kifu_seek(timeline, 1), 3, "from outside");
    faulty_must(timeline, kifu_seek(timeline, 1));
    write_outside(timeline);
    must_diverge(timeline, kifu_seek(timeline, KIFU_PRESENT), 0, "from outside");
    faulty_must(timeline, kifu_seek(timeline, KIFU_PRESENT));
    write_outside(timeline);
    must_diverge(timeline, kifu_verify_replay(timeline, NULL), 3, "from outside");
    faulty_must(timeline, kifu_verify_replay(timeline, NULL));
    kifu_destroy(timeline);

    timeline = faulty_new(&with_sync_test);
    write_outside(timeline);
    faulty_submit_e_initialize(timeline, NULL);
    must_diverge(timeline, kifu_update(timeline, 0), KIFU_NONE, "before the first event");
    faulty_must(timeline, kifu_update(timeline, 0));
    kifu_destroy(timeline);
}
END_TEST

static bool view_writes;

static void redraw(void *context, kifu_timeline *timeline)
{
    (void)context;
    if (view_writes)
        faulty_writable(kifu_state(timeline))->units[2].place[1] = -4;
}

static void rejected(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    (void)outcome;
    redraw(context, timeline);
}

static void listen(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)state;
    if (change->undone)
        redraw(context, timeline);
}

START_TEST(T06_what_the_view_writes_is_found_whenever_it_is_called)
{
    const faulty_view view = {.base = {.redraw = redraw, .rejected = rejected}};
    kifu_options options = with_sync_test;
    options.view = &view.base;
    kifu_timeline *timeline = faulty_begin(&options);
    view_writes = true;
    must_diverge(timeline, kifu_undo(timeline), KIFU_NONE, "redraw changed the state");
    ck_assert_uint_eq(kifu_event_count(timeline), 2); // It was undone all the same.
    faulty_submit_p_add(timeline, 0, 0);
    must_diverge(timeline, kifu_run(timeline), KIFU_NONE, "rejected");
    view_writes = false;
    faulty_must(timeline, kifu_redo(timeline));
    faulty_must(timeline, kifu_observe(timeline, &(kifu_observer){.listen = listen, KIFU_PART(faulty_state, total)}));
    view_writes = true;
    must_diverge(timeline, kifu_undo(timeline), 2, "a listener changed the state");
    kifu_destroy(timeline);
}
END_TEST

static double act_p_add(void *context, kifu_timeline *timeline, const faulty_state *state, const faulty_p_add *event)
{
    (void)state;
    (void)event;
    redraw(context, timeline);
    return 0;
}

START_TEST(F14_what_act_writes_through_a_cast_is_found_as_the_view_header_says)
{
    const faulty_view view = {.act_p_add = act_p_add};
    const kifu_options options = {
        .view = &view.base, .hash_interval = 1, .seed = 3, .record_inputs = kifu_record_inputs};
    kifu_timeline *timeline = faulty_begin(&options), *loaded;
    view_writes = true;
    faulty_play(timeline, 3); // Not when it happens,
    view_writes = false;
    faulty_play(timeline, 4);
    kifu_difference difference;
    ck_assert_int_eq(kifu_verify_replay(timeline, &difference), KIFU_DIVERGED); // but afterwards,
    ck_assert_uint_eq(difference.event, 4);                                     // by the first hash that has it.
    ck_assert_str_eq(difference.field, "units[2].place[1]");
    ck_assert_int_eq(kifu_verify_rules(timeline, NULL, NULL, &difference), KIFU_DIVERGED);
    ck_assert_uint_eq(difference.event, 4);
    unsigned char *bytes;
    size_t size;
    kifu_error error;
    faulty_must(timeline, kifu_save_to_memory(timeline, NULL, &bytes, &size));
    ck_assert_int_eq(kifu_load_from_memory(&faulty_rules, bytes, size, NULL, NULL, &loaded, &error), KIFU_DIVERGED);
    ck_assert_uint_eq(error.event, 4);
    kifu_free_bytes(timeline, bytes);
    kifu_destroy(timeline);

    kifu_options tested = options; // And at once with the sync test.
    tested.sync_test = kifu_sync_test;
    timeline = faulty_begin(&tested);
    view_writes = true;
    faulty_submit_p_add(timeline, 0, 3);
    must_diverge(timeline, kifu_run(timeline), 3, "Act changed the state");
    ck_assert_uint_eq(kifu_event_count(timeline), 3);
    faulty_must(timeline, kifu_verify_replay(timeline, NULL));
    kifu_destroy(timeline);
}
END_TEST

START_TEST(F14_what_act_writes_in_a_follower_is_found_at_once)
{
    const faulty_view view = {.act_p_add = act_p_add};
    kifu_options options = with_sync_test;
    kifu_timeline *leader = faulty_begin(&options);
    options.view = &view.base;
    kifu_timeline *copy = faulty_new(&options);
    kifu_changes changes;
    faulty_must(leader, kifu_changes_since(leader, NULL, &changes));
    faulty_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
    kifu_free_bytes(leader, changes.bytes);
    faulty_play(leader, 3);
    const kifu_stream_position at = kifu_followed(copy);
    faulty_must(leader, kifu_changes_since(leader, &at, &changes));
    view_writes = true;
    must_diverge(copy, kifu_apply_changes(copy, changes.bytes, changes.size), 3, "Act changed the state");
    view_writes = false;
    kifu_free_bytes(leader, changes.bytes);
    kifu_destroy(copy);
    kifu_destroy(leader);
}
END_TEST

static kifu_result react(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    bool *writes = context;
    (void)timeline;
    (void)event;
    if (*writes)
        faulty_writable(state)->units[2].place[1] = -4;
    return KIFU_OK;
}

START_TEST(P01_a_reaction_that_waited_for_a_commit_may_not_write_either)
{
    kifu_timeline *timeline = faulty_begin(&with_sync_test);
    bool writes = true;
    faulty_must(timeline,
                kifu_observe(timeline, &(kifu_observer){.react = react, .type = FAULTY_P_ADD, .context = &writes}));
    faulty_must(timeline, kifu_begin(timeline, KIFU_DEFERRED));
    faulty_play(timeline, 3);
    must_diverge(timeline, kifu_commit(timeline), 3, "a reaction or trigger changed the state");
    ck_assert_uint_eq(kifu_open_transactions(timeline), 1);
    writes = false;
    faulty_must(timeline, kifu_commit(timeline));
    ck_assert_uint_eq(kifu_event_count(timeline), 4);
    faulty_must(timeline, kifu_verify_replay(timeline, NULL));
    kifu_destroy(timeline);
}
END_TEST

// Before its Do, so that the event does not happen.
START_TEST(P01_a_check_that_writes_is_named)
{
    kifu_timeline *timeline = faulty_begin(&with_sync_test);
    faulty_submit_e_check_write(timeline);
    ck_assert_int_eq(kifu_run(timeline), KIFU_DIVERGED);
    faulty_says(kifu_last_error(timeline)->message, "the check of faulty.ECheckWrite changed the state: units[1].mood");
    ck_assert_uint_eq(kifu_last_error(timeline)->event, 3);
    ck_assert_uint_eq(kifu_event_count(timeline), 3);
    faulty_play(timeline, 1);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(T05_the_event_that_diverged_is_taken_back_with_what_it_submitted)
{
    kifu_timeline *timeline = faulty_begin(&with_sync_test);
    faulty_submit_e_ticket(timeline); // submits an EChain
    faulty_submit_p_add(timeline, 0, 4);
    faulty_state before = *faulty_get_state(timeline);
    ck_assert_int_eq(kifu_run(timeline), KIFU_DIVERGED);
    ck_assert_uint_eq(kifu_event_count(timeline), 3);
    ck_assert_uint_eq(kifu_pending_count(timeline), 1); // The other input waits still.
    ck_assert_mem_eq(faulty_get_state(timeline), &before, sizeof before);
    faulty_must(timeline, kifu_run(timeline));
    ck_assert_uint_eq(kifu_event_count(timeline), 4);
    ck_assert_int_eq(faulty_get_state(timeline)->total, 16);
    faulty_must(timeline, kifu_verify_replay(timeline, NULL));
    kifu_destroy(timeline);
}
END_TEST

START_TEST(P01_a_write_that_the_journal_took_for_the_old_bytes_is_taken_back)
{
    kifu_timeline *timeline = faulty_begin(&with_sync_test);
    faulty_state before = *faulty_get_state(timeline);
    faulty_submit_e_write_then_edit(timeline);
    ck_assert_int_eq(kifu_run(timeline), KIFU_DIVERGED);
    faulty_says(kifu_last_error(timeline)->message, "units[1].mood was CALM");
    ck_assert_mem_eq(faulty_get_state(timeline), &before, sizeof before);
    faulty_play(timeline, 1);
    faulty_must(timeline, kifu_verify_replay(timeline, NULL));
    kifu_destroy(timeline);
}
END_TEST

START_TEST(P01_an_event_taken_back_with_its_input_leaves_nothing_that_was_written)
{
    kifu_options options = with_sync_test;
    options.max_consequences = 3;
    kifu_timeline *timeline = faulty_begin(&options);
    faulty_state before = *faulty_get_state(timeline);
    faulty_submit_e_chain(timeline, 9);
    ck_assert_int_eq(kifu_run(timeline), KIFU_RUNAWAY);
    ck_assert_mem_eq(faulty_get_state(timeline), &before, sizeof before);
    faulty_play(timeline, 1);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(P01_a_do_that_reads_errno_is_found_whatever_was_left_in_it)
{
    static const int left[] = {0, ERANGE, EDOM};
    for (int i = 0; i < 3; i++) {
        kifu_timeline *timeline = faulty_begin(&with_sync_test);
        faulty_submit_e_errno_left(timeline);
        errno = left[i];
        ck_assert_int_eq(kifu_run(timeline), KIFU_DIVERGED);
        ck_assert_int_eq(errno, left[i]);
        faulty_says(kifu_last_error(timeline)->message, "total became ");
        kifu_destroy(timeline);
    }
}
END_TEST

// A heap of the game, which its Do functions use, too: gives a block back to whoever next asks for as much.
enum { SIZES = 64, SIZE_STEP = 16 };

typedef struct block {
    struct block *next;
    size_t size;
} block;

typedef struct heap {
    block *freed[SIZES];
} heap;

static void *heap_allocate(void *context, void *old, size_t size)
{
    heap *heap = context;
    block *before = old ? (block *)old - 1 : NULL, *made = NULL;
    if (size) {
        size = (size + SIZE_STEP - 1) / SIZE_STEP * SIZE_STEP;
        const size_t of_size = size / SIZE_STEP;
        if (of_size < SIZES && heap->freed[of_size]) {
            made = heap->freed[of_size];
            heap->freed[of_size] = made->next;
        } else
            made = calloc(1, sizeof *made + size);
        ck_assert_ptr_nonnull(made);
        made->size = size;
        if (before)
            memcpy(made + 1, before + 1, before->size < size ? before->size : size);
    }
    if (before && before->size / SIZE_STEP < SIZES) {
        before->next = heap->freed[before->size / SIZE_STEP];
        heap->freed[before->size / SIZE_STEP] = before;
    } else
        free(before);
    return made ? made + 1 : NULL;
}

static void heap_end(heap *heap)
{
    for (int i = 0; i < SIZES; i++)
        for (block *each; (each = heap->freed[i]) != NULL; free(each))
            heap->freed[i] = each->next;
}

static heap game_heap;

static kifu_result read_the_heap(kifu_timeline *corridor, int32_t size)
{
    unsigned char *leftovers = heap_allocate(&game_heap, NULL, (size_t)size);
    *corridor_edit_level(corridor) = leftovers[size - 1];
    heap_allocate(&game_heap, leftovers, 0);
    return KIFU_OK;
}

START_TEST(P01_a_do_that_reads_what_was_left_on_the_heap_is_found_at_each_size)
{
    corridor_plan plan = {.in_do[1] = read_the_heap};
    const kifu_options options = {
        .sync_test = kifu_sync_test, .user = &plan, .allocate = heap_allocate, .allocate_context = &game_heap};
    for (int32_t size = SIZE_STEP; size <= 48 * SIZE_STEP; size += SIZE_STEP) {
        kifu_timeline *corridor;
        ck_assert_int_eq(kifu_create(&corridor_rules, &options, &corridor, NULL), KIFU_OK);
        corridor_submit_e_any(corridor, 1, size);
        ck_assert_msg(kifu_run(corridor) == KIFU_DIVERGED, "%d bytes", (int)size);
        faulty_says(kifu_last_error(corridor)->message, "level became 90 first, and then 165"); // its two patterns
        kifu_destroy(corridor);
        heap_end(&game_heap);
    }
}
END_TEST

static kifu_result forget_the_end(kifu_timeline *corridor, int32_t number)
{
    (void)number;
    return kifu_is_replaying(corridor) ? kifu_begin(corridor, 0) : KIFU_OK;
}

static kifu_result fail_without_a_reason(kifu_timeline *corridor, int32_t number)
{
    (void)number;
    return kifu_is_replaying(corridor) ? KIFU_OK : KIFU_FAILED;
}

// The words are for another result than it has.
static kifu_result reject_at_first(kifu_timeline *corridor, int32_t number)
{
    (void)number;
    if (kifu_is_replaying(corridor))
        return KIFU_FAILED;
    (void)!kifu_fail(corridor, "it is early");
    return KIFU_REJECTED;
}

static kifu_result fail_otherwise(kifu_timeline *corridor, int32_t number)
{
    (void)number;
    return kifu_fail(corridor, kifu_is_replaying(corridor) ? "it is late" : "it is early");
}

static kifu_result fail_when_repeated(kifu_timeline *corridor, int32_t number)
{
    (void)number;
    return kifu_is_replaying(corridor) ? kifu_fail(corridor, "not again") : KIFU_OK;
}

START_TEST(P01_a_do_that_ends_in_another_way_is_found_with_both_ends)
{
    static const struct {
        corridor_in_do *in_do;
        const char *first, *second; // NULL: nothing is found
    } cases[] = {{forget_the_end, "first ended with \"ok\"", "and with \"its Do function"},
                 {fail_when_repeated, "first ended with \"ok\"", "and with \"not again\" when"},
                 {fail_without_a_reason, "first ended with \"a function of the game failed\"", "and with \"ok\" when"},
                 {reject_at_first, "first ended with \"the event was rejected\"",
                  "and with \"a function of the game failed\" when"},
                 {fail_otherwise, NULL, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        corridor_plan plan = {.in_do[1] = cases[i].in_do};
        const kifu_options options = {.sync_test = kifu_sync_test, .user = &plan};
        kifu_timeline *corridor;
        ck_assert_int_eq(kifu_create(&corridor_rules, &options, &corridor, NULL), KIFU_OK);
        corridor_submit_e_any(corridor, 1, 0);
        const kifu_result result = kifu_run(corridor);
        const char *message = kifu_last_error(corridor)->message;
        ck_assert_msg(result == (cases[i].first ? KIFU_DIVERGED : KIFU_FAILED), "%s", message);
        if (cases[i].first) {
            faulty_says(message, cases[i].first);
            faulty_says(message, cases[i].second);
        } else
            ck_assert_str_eq(kifu_error_reason(kifu_last_error(corridor)), "it is early");
        kifu_destroy(corridor);
    }
}
END_TEST

START_TEST(P01_the_sync_test_may_begin_in_the_middle_of_a_game_and_anew)
{
    kifu_timeline *timeline = faulty_begin(NULL);
    for (int i = 0; i < 2; i++) {
        faulty_must(timeline, kifu_sync_test(timeline));
        faulty_play(timeline, 1);
        write_outside(timeline);
        must_diverge(timeline, kifu_undo(timeline), 3 + (uint32_t)i, "from outside");
    }
    faulty_submit_e_cast_write(timeline);
    ck_assert_int_eq(kifu_run(timeline), KIFU_DIVERGED);
    faulty_must(timeline, kifu_verify_replay(timeline, NULL));
    kifu_destroy(timeline);
}
END_TEST

static double act_e_show(void *context, kifu_timeline *timeline, const faulty_state *state, const faulty_e_show *show,
                         const faulty_e_show_transient *transient)
{
    (void)timeline;
    (void)show;
    ck_assert(!transient->replayed);
    ck_assert_int_eq(transient->total, state->total);
    ++*(int *)context;
    return 0;
}

START_TEST(E02_what_act_is_told_is_of_the_first_run)
{
    int acts = 0;
    const faulty_view view = {.base = {.context = &acts}, .act_e_show = act_e_show};
    kifu_options options = with_sync_test;
    options.view = &view.base;
    kifu_timeline *timeline = faulty_begin(&options);
    for (int i = 0; i < 3; i++) {
        faulty_submit_e_show(timeline, 2);
        faulty_must(timeline, kifu_run(timeline)); // Its Do relies on zeros.
    }
    ck_assert_int_eq(faulty_get_state(timeline)->total, 18);
    ck_assert_int_eq(acts, 3);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(U12_a_model_outside_the_state_has_no_sync_test)
{
    kifu_options options = with_sync_test;
    model model = {0};
    options.reset = model_reset;
    options.user = &model;
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_int_eq(kifu_create(&outside_rules, &options, &timeline, &error), KIFU_MISUSE);
    ck_assert_ptr_null(timeline);
    faulty_says(error.message, "sync_test");
}
END_TEST

// --- Games without a fault -------------------------------------------------------------------------------------------

static void submit_something(kifu_timeline *timeline, kifu_rng *rng)
{
    int player = (int)kifu_rng_below(rng, 3);
    int amount = (int)kifu_rng_below(rng, 7);
    switch (kifu_rng_below(rng, 7)) {
    case 0:
        faulty_submit_p_add(timeline, player, amount); // 0 is rejected
        break;
    case 1:
        faulty_submit_p_roll(timeline, player);
        break;
    case 2:
        faulty_submit_p_try(timeline, player, amount);
        break;
    case 3:
        faulty_submit_p_fail(timeline, player);
        break;
    case 4:
        faulty_submit_e_show(timeline, amount);
        break;
    default:
        faulty_submit_p_add(timeline, player, amount + 1);
        faulty_submit_e_chain(timeline, amount);
    }
}

static void run_on(kifu_timeline *timeline)
{
    kifu_result result;
    while ((result = kifu_run(timeline)) != KIFU_OK)
        ck_assert_msg(result == KIFU_FAILED || result == KIFU_REJECTED, "%s", kifu_last_error(timeline)->message);
}

static void try_something(kifu_timeline *timeline, kifu_rng *rng)
{
    bool search = kifu_rng_below(rng, 2);
    faulty_must(timeline, kifu_begin(timeline, search ? KIFU_SEARCH : 0));
    submit_something(timeline, rng);
    run_on(timeline);
    bool keep = !search && kifu_rng_below(rng, 2);
    faulty_must(timeline, keep ? kifu_commit(timeline) : kifu_roll_back(timeline));
}

static kifu_timeline *save_and_load(kifu_timeline *timeline, const kifu_options *options, bool fast)
{
    const kifu_load_options load_options = {.fast = fast};
    unsigned char *bytes;
    size_t size;
    kifu_timeline *loaded;
    kifu_error error;
    faulty_must(timeline, kifu_save_to_memory(timeline, NULL, &bytes, &size));
    kifu_result result = kifu_load_from_memory(&faulty_rules, bytes, size, options, &load_options, &loaded, &error);
    ck_assert_msg(result == KIFU_OK, "%s", error.message);
    kifu_free_bytes(timeline, bytes);
    kifu_destroy(timeline);
    return loaded;
}

static kifu_timeline *fork_instead(kifu_timeline *timeline)
{
    kifu_timeline *fork;
    kifu_error error;
    kifu_result result = kifu_fork(timeline, KIFU_PRESENT, NULL, &fork, &error);
    ck_assert_msg(result == KIFU_OK, "%s", error.message);
    kifu_destroy(timeline);
    return fork;
}

// The same game with the sync test and without.
static void play_faultless(uint64_t seed, bool sync_test, unsigned long steps, faulty_state *end)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, seed, 5);
    kifu_options options = with_sync_test;
    options.sync_test = sync_test ? kifu_sync_test : NULL;
    kifu_timeline *timeline = faulty_begin(&options);
    while (steps--) {
        uint32_t choice = kifu_rng_below(&rng, 20);
        if (choice < 11) {
            submit_something(timeline, &rng);
            run_on(timeline);
        } else if (choice < 14) {
            kifu_result result = kifu_undo(timeline);
            ck_assert(result == KIFU_OK || result == KIFU_NOT_UNDOABLE || result == KIFU_NOTHING_TO_UNDO);
        } else if (choice < 16) {
            kifu_result result = kifu_redo(timeline);
            ck_assert(result == KIFU_OK || result == KIFU_NOTHING_TO_REDO);
        } else if (choice < 17) {
            faulty_must(timeline, kifu_seek(timeline, kifu_rng_below(&rng, kifu_event_count(timeline) + 1)));
            faulty_must(timeline, kifu_verify_replay(timeline, NULL));
            faulty_must(timeline, kifu_seek(timeline, KIFU_PRESENT));
        } else if (choice < 19)
            try_something(timeline, &rng);
        else if (kifu_rng_below(&rng, 10) == 0)
            timeline = save_and_load(timeline, &options, seed & 1);
        else if (kifu_rng_below(&rng, 10) == 0)
            timeline = fork_instead(timeline);
    }
    kifu_difference difference;
    faulty_must(timeline, kifu_verify_replay(timeline, &difference));
    ck_assert_uint_eq(difference.event, KIFU_NONE);
    *end = *faulty_get_state(timeline);
    kifu_destroy(timeline);
}

START_TEST(U10_a_game_without_a_fault_passes_and_is_the_same_without_the_test)
{
    unsigned long steps = fuzz_steps(3000);
    for (uint64_t seed = fuzz_seed(); steps > 0; seed++) {
        unsigned long some = steps < 1000 ? steps : 1000;
        faulty_state with, without;
        play_faultless(seed, true, some, &with);
        play_faultless(seed, false, some, &without);
        ck_assert_mem_eq(&with, &without, sizeof with);
        steps -= some;
    }
}
END_TEST

START_TEST(U10_two_thousand_events_of_the_lab_pass)
{
    static const char *const scripts[] = {"+", "r+2", "-(r1(+3))", "[p0]+", "(+f)r", "[!]5", "f", "+-r(r(r))", "3[r]"};
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 9);
    kifu_timeline *lab = lab_new(&with_sync_test);
    lab_submit_e_initialize(lab, NULL);
    lab_must(lab, kifu_run(lab));
    uint32_t played = 0;
    while (played < 2000) {
        uint32_t before = kifu_event_count(lab);
        if (lab_get_state(lab)->length > 50)
            lab_submit_e_reset_game(lab);
        if (lab_get_state(lab)->length > 50)
            lab_submit_e_initialize(lab, NULL);
        uint32_t script = kifu_rng_below(&rng, sizeof scripts / sizeof *scripts);
        lab_do(lab, (int)kifu_rng_below(&rng, 4) - 1, scripts[script], (uint8_t)(1 + kifu_rng_below(&rng, 2)));
        kifu_result result;
        while ((result = kifu_run(lab)) != KIFU_OK)
            ck_assert_msg(result == KIFU_FAILED, "%s", kifu_last_error(lab)->message);
        played += kifu_event_count(lab) - before;
        if (kifu_rng_below(&rng, 4) == 0 && kifu_undo(lab) == KIFU_OK && kifu_rng_below(&rng, 2))
            lab_must(lab, kifu_redo(lab));
    }
    lab_must(lab, kifu_verify_replay(lab, NULL));
    kifu_destroy(lab);
}
END_TEST

// --- Without memory --------------------------------------------------------------------------------------------------

typedef struct budget {
    long left; // allocations
} budget;

static void *allocate(void *context, void *block, size_t size)
{
    budget *budget = context;
    if (!size) {
        free(block);
        return NULL;
    }
    return budget->left-- > 0 ? realloc(block, size) : NULL;
}

START_TEST(P01_without_memory_the_sync_test_says_so)
{
    for (long allocations = 0;; allocations++) {
        budget budget = {.left = allocations};
        kifu_options options = with_sync_test;
        options.allocate = allocate;
        options.allocate_context = &budget;
        kifu_timeline *timeline;
        kifu_error error;
        kifu_result result = kifu_create(&faulty_rules, &options, &timeline, &error);
        if (result) {
            ck_assert_int_eq(result, KIFU_NO_MEMORY);
            continue;
        }
        faulty_submit_e_counter(timeline); // It does otherwise each time, and does not pass unseen.
        result = kifu_run(timeline);
        ck_assert_msg(result == KIFU_NO_MEMORY || result == KIFU_DIVERGED, "%ld: %s", allocations,
                      kifu_last_error(timeline)->message);
        kifu_destroy(timeline);
        if (result == KIFU_DIVERGED)
            break;
    }
}
END_TEST

START_TEST(P01_without_memory_for_the_second_do_the_event_is_taken_back)
{
    int said = 0;
    bool failed = true;
    for (long at = 0; failed; at++) {
        test_memory memory = {.until_failure = -1};
        kifu_options options = with_sync_test;
        options.allocate = test_allocate;
        options.allocate_context = &memory;
        kifu_timeline *timeline;
        ck_assert_int_eq(kifu_create(&faulty_rules, &options, &timeline, NULL), KIFU_OK);
        faulty_submit_e_initialize(timeline, NULL);
        memory.until_failure = at;
        const kifu_result result = kifu_run(timeline);
        failed = memory.failed;
        if (result == KIFU_NO_MEMORY && strstr(kifu_last_error(timeline)->message, "memory for the sync test")) {
            said++;
            ck_assert_uint_eq(kifu_event_count(timeline), 0);
        }
        kifu_destroy(timeline);
    }
    ck_assert_int_ge(said, 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        P01_a_write_from_outside_is_found_at_the_next_call_and_taken_back,
        T06_what_the_view_writes_is_found_whenever_it_is_called,
        F14_what_act_writes_through_a_cast_is_found_as_the_view_header_says,
        F14_what_act_writes_in_a_follower_is_found_at_once,
        P01_a_reaction_that_waited_for_a_commit_may_not_write_either,
        P01_a_check_that_writes_is_named,
        T05_the_event_that_diverged_is_taken_back_with_what_it_submitted,
        P01_a_write_that_the_journal_took_for_the_old_bytes_is_taken_back,
        P01_an_event_taken_back_with_its_input_leaves_nothing_that_was_written,
        P01_a_do_that_reads_errno_is_found_whatever_was_left_in_it,
        P01_a_do_that_reads_what_was_left_on_the_heap_is_found_at_each_size,
        P01_a_do_that_ends_in_another_way_is_found_with_both_ends,
        P01_the_sync_test_may_begin_in_the_middle_of_a_game_and_anew,
        E02_what_act_is_told_is_of_the_first_run,
        U12_a_model_outside_the_state_has_no_sync_test,
        U10_a_game_without_a_fault_passes_and_is_the_same_without_the_test,
        U10_two_thousand_events_of_the_lab_pass,
        P01_without_memory_the_sync_test_says_so,
        P01_without_memory_for_the_second_do_the_event_is_taken_back,
    };
    return run_suite("sync test", tests, sizeof tests / sizeof *tests);
}
