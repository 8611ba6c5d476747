// Seek, and undo beyond the journal: by journal, by keyframe or from the beginning, it is one past.

#include "cards_help.h"
#include "history_help.h"
#include "lab_help.h"
#include "model.h"
#include "past_help.h"
#include "suite.h"
#include "core/timeline.h"

// --- Games with a copy of the state after each event -----------------------------------------------------------------

// Goes to each event, there and back again, and looks at others meanwhile.
static void go_everywhere(kifu_timeline *lab, const copies *copies)
{
    uint32_t present = kifu_event_count(lab);
    for (uint32_t i = 0; i <= present; i++) {
        must(lab, kifu_seek(lab, i));
        must_be_at(lab, copies, i);
        ck_assert_uint_eq(kifu_event_count(lab), present);
        look_at(lab, copies, present - i);
    }
    for (uint32_t i = present + 1; i-- > 0;) {
        look_at(lab, copies, i);
        must(lab, kifu_seek(lab, i));
        must_be_at(lab, copies, i);
    }
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    must_be_at(lab, copies, present);
}

START_TEST(U10_journal_keyframe_and_start_agree)
{
    for (int i = 0; i < BUDGETS; i++) {
        copies copies;
        kifu_timeline *lab = lab_new(&budgets[i]);
        play(lab, &copies, 300);
        go_everywhere(lab, &copies);
        undo_and_redo_all(lab, &copies);
        go_everywhere(lab, &copies);
        must(lab, kifu_verify_replay(lab, NULL));
        free(copies.states);
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(U10_a_game_longer_than_the_journal_goes_anywhere)
{
    for (int i = 0; i < BUDGETS; i++) {
        copies copies;
        kifu_timeline *lab = lab_new(&budgets[i]);
        play(lab, &copies, 5000);
        go_anywhere(lab, &copies, 100);
        must(lab, kifu_run(lab));
        free(copies.states);
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(U10_undo_goes_past_the_journal_to_the_beginning)
{
    for (int i = 0; i < BUDGETS; i += 2) {
        copies copies;
        kifu_timeline *lab = lab_new(&budgets[i]);
        play(lab, &copies, 3000);
        undo_and_redo_all(lab, &copies);
        for (int j = 0; j < 700; j++)
            must(lab, kifu_undo(lab));
        must_be_at(lab, &copies, kifu_event_count(lab));
        go_anywhere(lab, &copies, 20); // with a tail to redo
        free(copies.states);
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(U10_a_loaded_game_has_the_same_past)
{
    for (int i = 0; i < BUDGETS; i++) {
        copies copies;
        kifu_timeline *lab = lab_new(&budgets[i]);
        play(lab, &copies, 2500);
        for (int fast = 0; fast < 2; fast++) {
            const kifu_options *options = &budgets[(i + 1) % BUDGETS];
            kifu_timeline *loaded = reload_fast(lab, options, fast);
            must_be_at(loaded, &copies, 2500);
            if (i % 2)
                look_at(loaded, &copies, 1200);
            undo_and_redo_all(loaded, &copies);
            go_anywhere(loaded, &copies, 40);
            kifu_destroy(loaded);

            loaded = reload_fast(lab, options, fast);
            go_anywhere(loaded, &copies, 40);
            must(loaded, kifu_run(loaded));
            must(loaded, kifu_verify_replay(loaded, NULL));
            kifu_destroy(loaded);
        }
        free(copies.states);
        kifu_destroy(lab);
    }
}
END_TEST

static size_t memory_of(size_t keyframe_bytes)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = {
        .allocate = test_allocate, .allocate_context = &memory, .keyframe_bytes = keyframe_bytes, .hash_interval = 1};
    kifu_timeline *lab = lab_new(&options);
    for (int i = 0; i < 80000; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    size_t bytes = memory.bytes;
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
    ck_assert_uint_eq(memory.bytes, 0);
    return bytes;
}

START_TEST(U10_keyframes_stay_in_their_budget)
{
    kifu_timeline *lab = lab_new(NULL); // by default 1 MiB
    ck_assert_uint_le(lab->keyframes.most * sizeof(lab_state), 1 << 20);
    ck_assert_uint_gt((lab->keyframes.most + 1) * sizeof(lab_state), 1 << 20);
    kifu_destroy(lab);
    static const size_t budgets_of[] = {2000, 10000, 30000};
    size_t none = memory_of(1);
    for (int i = 0; i < 3; i++) {
        size_t some = memory_of(budgets_of[i]);
        ck_assert_uint_gt(some, none + budgets_of[i] / 2);    // it is used,
        ck_assert_uint_le(some, none + budgets_of[i] + 2048); // but for the list of them
    }
}
END_TEST

// With a budget of 32 of them, the way from the last keyframe is short compared with how long ago the place is: near
// the end short, and no place so far back that it begins at the beginning.
START_TEST(U10_keyframes_are_denser_towards_the_end)
{
    enum { EVENTS = 200000 };
    unsigned long dos = 0;
    kifu_options options = {.user = &dos, .keyframe_bytes = 32 * sizeof(lab_state)};
    kifu_timeline *lab = lab_new(&options);
    for (int i = 0; i < EVENTS; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    for (uint32_t age = 2100; age < EVENTS; age += age / 9) {
        lab_state state;
        dos = 0;
        must(lab, kifu_state_at(lab, EVENTS - age, &state, sizeof state));
        ck_assert_int_eq(state.total, EVENTS - age);
        ck_assert_msg(dos <= 400 + age / 2, "%u events ago: %lu events", age, dos);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(U10_keyframes_for_states_of_any_size)
{
    static const struct {
        uint32_t state_size;
        size_t budget;
        uint32_t most, interval;
    } cases[] = {
        {40, 0, (1 << 20) / 40, 128}, {62, 0, (1 << 20) / 62, 128}, // A keyframe costs half a byte for each event,
        {66, 0, (1 << 20) / 66, 132}, {32766, 0, 32, 65532},        // up to 32 KiB.
        {32770, 0, 31, 65536},        {1 << 17, 0, 8, 65536},
        {(1 << 17) + 1, 0, 8, 65536},                               // At least eight, whatever they cost,
        {UINT32_MAX, 0, 8, 65536},    {1 << 22, 1 << 20, 0, 65536}, // unless there is a budget.
        {1 << 22, 1 << 23, 2, 65536}, {1, SIZE_MAX, UINT32_MAX, 128},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu__keyframes keyframes;
        kifu__keyframes_open(&keyframes, cases[i].state_size, cases[i].budget);
        ck_assert_uint_eq(keyframes.most, cases[i].most);
        ck_assert_uint_eq(keyframes.interval, cases[i].interval);
    }
}
END_TEST

// The newest stays; of the others those go that leave narrow gaps.
START_TEST(U10_few_keyframes_are_as_many_as_the_budget_allows)
{
    for (uint32_t most = 1; most < 8; most++) {
        kifu_timeline *lab = lab_new(&(kifu_options){.keyframe_bytes = most * sizeof(lab_state), .quiet = true});
        const uint32_t interval = lab->keyframes.interval;
        ck_assert_uint_eq(lab->keyframes.most, most);
        for (uint32_t made = 1; made < 40; made++) {
            for (uint32_t i = 0; i < interval; i++)
                lab_submit_p_add(lab, 0, 1);
            must(lab, kifu_run(lab));
            const kifu__keyframes *all = &lab->keyframes;
            ck_assert_uint_le(all->count, most);
            ck_assert_uint_ge(all->count, made < most ? made : most == 1 ? 1 : 2);
            ck_assert_uint_eq(all->items[all->count - 1].event_count, made * interval);
            for (uint32_t i = 1; i < all->count; i++)
                ck_assert_uint_lt(all->items[i - 1].event_count, all->items[i].event_count);
        }
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(U10_a_seek_beyond_the_journal_begins_it_anew)
{
    kifu_timeline *lab = lab_new(&(kifu_options){.quiet = true});
    for (int i = 0; i < 3000; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    ck_assert_uint_ge(kifu__journal_used(&lab->journal, &lab->core), 1000);
    must(lab, kifu_seek(lab, 0));
    ck_assert_uint_eq(kifu__journal_used(&lab->journal, &lab->core), 0);
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    ck_assert_uint_le(kifu__journal_used(&lab->journal, &lab->core), KIFU__JOURNAL_EVENTS);
    must(lab, kifu_undo(lab));
    ck_assert_int_eq(lab_get_state(lab)->total, 2999);
    kifu_destroy(lab);
}
END_TEST

static size_t memory_after(kifu_timeline *lab, const test_memory *memory, int events)
{
    for (int i = 0; i < events; i++)
        lab_do(lab, 0, "+r", 1);
    must(lab, kifu_run(lab));
    return memory->bytes;
}

// A longer log needs more memory, and that is all.
START_TEST(U10_the_journal_is_bounded)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .keyframe_bytes = 20000};
    kifu_timeline *lab = lab_new(&options);
    lab_submit_e_initialize(lab, SEEDED(seed));
    for (int i = 0; i < 2; i++) {
        size_t before = memory_after(lab, &memory, 40000);
        size_t per_event = (memory_after(lab, &memory, 40000) - before) / 40000;
        ck_assert_msg(per_event < 45, "%zu bytes per event", per_event);
        must(lab, kifu_begin(lab, 0)); // must keep all it needs, and only as long
        memory_after(lab, &memory, 40000);
        must(lab, kifu_commit(lab));
    }
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

// What redo brought back from behind a transaction is at the end of the log again, and what comes next goes behind it.
START_TEST(U07_events_go_behind_what_a_roll_back_and_redo_brought_back)
{
    static char script[2 * 20000 + 1];
    for (int i = 0; i < 20000; i++)
        memcpy(script + 2 * i, "+-", 2);
    kifu_timeline *lab = lab_new(NULL);
    must(lab, lab_play(lab, "1"));
    must(lab, lab_play(lab, script)); // in a segment of its own
    ck_assert_uint_eq(lab->log.branch->segment_count, 2);
    must(lab, kifu_undo(lab));
    must(lab, kifu_begin(lab, 0));
    must(lab, kifu_roll_back(lab));
    must(lab, kifu_redo(lab));
    must(lab, lab_play(lab, "2"));
    static const char *const scripts[] = {"1", script, "2"};
    for (uint32_t i = 0; i < 3; i++) {
        kifu_event event;
        ck_assert(kifu_event_at(lab, i, &event));
        ck_assert_str_eq(lab_p_do_script((const lab_p_do *)event.table), scripts[i]);
    }
    kifu_destroy(lab);
}
END_TEST

// Nothing is written over what an outer one has set aside.
START_TEST(U07_redo_behind_two_transactions_has_what_it_had)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, lab_play(lab, "1"));
    must(lab, lab_play(lab, "2"));
    must(lab, kifu_undo(lab));
    must(lab, kifu_begin(lab, 0));
    must(lab, lab_play(lab, "3"));
    must(lab, kifu_undo(lab));
    must(lab, kifu_begin(lab, 0));
    must(lab, kifu_roll_back(lab));
    must(lab, lab_play(lab, "4"));
    must(lab, kifu_roll_back(lab));
    must(lab, kifu_redo(lab));
    ck_assert_str_eq(lab_trace(lab), "12");
    kifu_destroy(lab);
}
END_TEST

// Of the segments that roll backs leave, the largest is kept for later.
START_TEST(P05_roll_backs_of_ever_larger_events_leave_no_memory_behind)
{
    static char script[2 * 20000 + 1];
    test_memory memory = {.until_failure = -1};
    kifu_timeline *lab = lab_new(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
    must(lab, lab_play(lab, "+"));
    for (int length = 200; length <= 20000; length *= 10) {
        must(lab, kifu_begin(lab, 0));
        for (int i = 0; i < length; i++)
            memcpy(script + 2 * i, "+-", 2);
        script[2 * length] = '\0';
        must(lab, lab_play(lab, script));
        must(lab, kifu_roll_back(lab));
    }
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

// The game goes on: with one keyframe less, or the event waits.
START_TEST(U10_memory_may_end_where_a_keyframe_is_due)
{
    for (long n = 0; n < 8; n++) {
        test_memory memory = {.until_failure = -1};
        kifu_timeline *lab = lab_new(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
        const uint32_t interval = lab->keyframes.interval;
        for (uint32_t i = 1; i < interval; i++)
            lab_submit_p_add(lab, 0, 1);
        must(lab, kifu_run(lab));
        lab_submit_p_add(lab, 0, 1);
        memory.until_failure = n;
        if (kifu_run(lab))
            ck_assert_int_eq(kifu_last_error(lab)->result, KIFU_NO_MEMORY);
        memory.until_failure = -1;
        must(lab, kifu_run(lab));
        ck_assert_int_eq(lab_get_state(lab)->total, interval);
        must(lab, kifu_seek(lab, interval / 2));
        must(lab, kifu_seek(lab, KIFU_PRESENT));
        ck_assert_int_eq(lab_get_state(lab)->total, interval);
        kifu_destroy(lab);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

// No block is written behind its end while it grows, and each goes at the end.
START_TEST(U10_many_transactions_and_many_undos_have_the_memory_that_they_need)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *lab = lab_new(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
    for (int i = 0; i < 40; i++) {
        must(lab, lab_play(lab, "+(+)"));
        must(lab, kifu_begin(lab, 0));
    }
    for (int i = 0; i < 40; i++)
        must(lab, kifu_commit(lab));
    ck_assert_int_eq(lab_get_state(lab)->total, 80);
    for (int i = 0; i < 40; i++)
        must(lab, lab_play(lab, "+"));
    for (int i = 0; i < 40; i++)
        must(lab, kifu_undo(lab));
    for (int i = 0; i < 40; i++)
        must(lab, kifu_redo(lab));
    ck_assert_int_eq(lab_get_state(lab)->total, 120);
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

// What is older than an open transaction goes, and nothing else.
START_TEST(U10_the_journal_of_a_long_transaction_begins_where_that_began)
{
    kifu_timeline *lab = lab_new(NULL);
    for (uint32_t i = 0; i < 5000; i++) {
        if (i == 500)
            must(lab, kifu_begin(lab, 0));
        lab_submit_p_add(lab, 0, 1);
        must(lab, kifu_run(lab));
        ck_assert_uint_eq(lab->journal.first_event, i < KIFU__JOURNAL_MOST_EVENTS ? 0 : 500);
    }
    must(lab, kifu_roll_back(lab));
    ck_assert_int_eq(lab_get_state(lab)->total, 500);
    kifu_destroy(lab);
}
END_TEST

// Few events, each of which changes everything.
START_TEST(U10_the_journal_is_bounded_however_much_an_event_edits)
{
    kifu_timeline *lab = lab_new(NULL);
    const uint32_t each = (uint32_t)(sizeof(lab_state) + 7) / 8;
    for (int i = 0; i < 5000; i++) {
        lab_submit_e_reset_game(lab);
        must(lab, kifu_run(lab));
        ck_assert_int_le(lab->core.journal - lab->journal.entries, KIFU__JOURNAL_MOST_ENTRIES + each);
    }
    ck_assert_uint_le(lab->journal.capacity, 2 * KIFU__JOURNAL_MOST_ENTRIES);
    ck_assert_uint_ge(lab->journal.start_count, KIFU__JOURNAL_MOST_ENTRIES / 2 / each);
    kifu_destroy(lab);
}
END_TEST

START_TEST(U10_a_seek_costs_the_way_from_the_last_keyframe)
{
    unsigned long dos = 0;
    kifu_options options = {.user = &dos};
    kifu_timeline *lab = lab_new(&options);
    for (int i = 0; i < 50000; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    ck_assert_uint_eq(dos, 50000);
    for (uint32_t count = 100; count < 50000; count += 7001) {
        must(lab, kifu_seek(lab, KIFU_PRESENT));
        dos = 0;
        must(lab, kifu_seek(lab, count));
        ck_assert_int_eq(lab_get_state(lab)->total, count);
        ck_assert_msg(dos < 10000, "to event %u: %lu events", count, dos);
        dos = 0;
        lab_state state;
        must(lab, kifu_state_at(lab, 50000 - count, &state, sizeof state));
        ck_assert_int_eq(state.total, 50000 - count);
        ck_assert_msg(dos < 10000, "to event %u: %lu events", 50000 - count, dos);
        must(lab, kifu_seek(lab, 0));
        dos = 0;
        must(lab, kifu_seek(lab, count)); // and forward
        ck_assert_msg(dos < 10000, "on to event %u: %lu events", count, dos);
    }
    kifu_destroy(lab);
}
END_TEST

// --- In the past -----------------------------------------------------------------------------------------------------

START_TEST(U10_seek_to_the_beginning_the_present_and_beyond)
{
    kifu_timeline *lab = lab_new(NULL);
    ck_assert_uint_eq(kifu_event_count(lab), 0);
    must(lab, kifu_seek(lab, 0));
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    lab_state zero;
    memset(&zero, 0, sizeof zero);
    must(lab, lab_play(lab, "1(2)3@"));
    lab_picture picture = lab_look(lab);
    ck_assert_uint_eq(kifu_event_count(lab), 3);
    must_refuse(lab, kifu_seek(lab, 4));
    lab_same(lab, &picture);

    must(lab, kifu_seek(lab, 0)); // past an ESeal that undo stops at
    ck_assert_uint_eq(kifu_position(lab), 0);
    ck_assert_uint_eq(kifu_event_count(lab), 3);
    ck_assert_mem_eq(lab_get_state(lab), &zero, sizeof zero);
    must_refuse(lab, kifu_seek(lab, 4));
    ck_assert_uint_eq(kifu_position(lab), 0);
    must(lab, kifu_seek(lab, 1));
    ck_assert_str_eq(lab_trace(lab), "13");
    must(lab, kifu_seek(lab, 3)); // the number of the present is the present
    lab_same(lab, &picture);
    must(lab, lab_play(lab, "4"));
    ck_assert_str_eq(lab_trace(lab), "1324");
    kifu_destroy(lab);
}
END_TEST

START_TEST(U10_nothing_happens_in_the_past)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, lab_play(lab, "1"));
    must(lab, lab_play(lab, "2"));
    must(lab, kifu_undo(lab));
    lab_picture picture = lab_look(lab);
    must(lab, kifu_seek(lab, 0));
    lab_picture past = lab_look(lab);

    ck_assert_uint_eq(lab_do(lab, 0, "9", 1), 0);
    ck_assert_int_eq(kifu_run(lab), KIFU_MISUSE);
    must_say(lab, "PDo");
    ck_assert_uint_eq(lab_submit_p_add(lab, 0, 9), 0);
    ck_assert_int_eq(kifu_update(lab, 1), KIFU_MISUSE);
    must(lab, kifu_run(lab));
    must(lab, kifu_step(lab));
    must(lab, kifu_update(lab, 10));
    lab_same(lab, &past);
    must_refuse(lab, kifu_undo(lab));
    must_refuse(lab, kifu_redo(lab));
    must_refuse(lab, kifu_begin(lab, 0));
    must_refuse(lab, kifu_begin(lab, KIFU_DEFERRED));
    must_refuse(lab, kifu_begin(lab, KIFU_SEARCH));
    must_refuse(lab, kifu_commit(lab));
    must_refuse(lab, kifu_roll_back(lab));
    ck_assert_uint_eq(kifu_open_transactions(lab), 0);
    kifu_error error;
    ck_assert_uint_eq(kifu_can_undo(lab, &error), 0);
    ck_assert_int_eq(error.result, KIFU_MISUSE);
    ck_assert_uint_eq(kifu_can_redo(lab, &error), 0);
    ck_assert_int_eq(error.result, KIFU_MISUSE);
    *lab_edit_total(lab) = 77; // from outside
    ck_assert_int_eq(kifu_run(lab), KIFU_MISUSE);
    lab_same(lab, &past);

    must(lab, kifu_seek(lab, KIFU_PRESENT));
    lab_same(lab, &picture);
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), 1);
    must(lab, kifu_redo(lab));
    ck_assert_str_eq(lab_trace(lab), "12");
    kifu_destroy(lab);
}
END_TEST

START_TEST(U10_what_waits_goes_on_waiting)
{
    kifu_options options = {.max_consequences = 4};
    kifu_timeline *lab = lab_new(&options);
    kifu_timeline *straight = lab_new(&options);
    for (int i = 0; i < 2; i++) {
        kifu_timeline *each = i ? straight : lab;
        lab_submit_e_initialize(each, SEEDED(seed));
        lab_do(each, 2, "1r(2(3r)p)(4)", 1);
        lab_do(each, 0, "(5)(6)(7)(8)(9)", 1); // one too many
        lab_do(each, 0, "8", 1);
        for (int j = 0; j < 3; j++)
            must(each, kifu_step(each));
    }
    lab_picture picture = lab_look(lab);
    ck_assert_uint_eq(picture.pending, 4);
    for (uint32_t i = 0; i < 3; i++) {
        must(lab, kifu_seek(lab, i));
        ck_assert_uint_eq(kifu_pending_count(lab), 4);
        must(lab, kifu_run(lab));
        must(lab, kifu_step(lab));
        must(lab, kifu_update(lab, 5));
        ck_assert_uint_eq(kifu_pending_count(lab), 4);
        ck_assert_uint_eq(kifu_position(lab), i);
    }
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    lab_same(lab, &picture);
    for (int i = 0; i < 2; i++) {
        kifu_timeline *each = i ? straight : lab;
        ck_assert_int_eq(kifu_run(each), KIFU_RUNAWAY);
        must(each, kifu_run(each));
    }
    picture = lab_look(straight);
    lab_same(lab, &picture);
    kifu_destroy(straight);
    kifu_destroy(lab);
}
END_TEST

static unsigned redraws;

static void count_redraws(void *context, kifu_timeline *timeline)
{
    (void)context;
    (void)timeline;
    redraws++;
}

static double act_for_a_second(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_do *event)
{
    ++*(unsigned *)context;
    (void)timeline;
    (void)state;
    (void)event;
    return 1.0;
}

START_TEST(U10_a_seek_is_told_by_one_redraw)
{
    unsigned acts = 0;
    lab_view view = {.base = {.context = &acts, .redraw = count_redraws}, .act_p_do = act_for_a_second};
    kifu_options options = {.view = &view.base};
    kifu_timeline *lab = lab_new(&options);
    for (int i = 0; i < 20; i++)
        lab_do(lab, 0, "+", 1);
    must(lab, kifu_update(lab, 0));
    must(lab, kifu_update(lab, 9));
    ck_assert_int_eq(lab_get_state(lab)->total, 10);
    ck_assert_double_eq_tol(kifu_delay(lab), 1, 1e-9);
    follower eye;
    follow_state(&eye, lab);
    redraws = acts = 0;
    must(lab, kifu_seek(lab, 3));
    ck_assert_uint_eq(redraws, 1);
    must(lab, kifu_update(lab, 100)); // no time passes
    ck_assert_int_eq(lab_get_state(lab)->total, 3);
    must(lab, kifu_seek(lab, 7));
    ck_assert_uint_eq(redraws, 2);
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    ck_assert_uint_eq(redraws, 3);
    ck_assert_uint_eq(acts, 0);
    ck_assert_uint_eq(eye.calls, 0);
    must_have_followed(&eye, lab);
    ck_assert_double_eq_tol(kifu_delay(lab), 1, 1e-9);
    must(lab, kifu_update(lab, 1));
    ck_assert_uint_eq(eye.calls, 1);
    must_have_followed(&eye, lab);
    ck_assert_int_eq(lab_get_state(lab)->total, 11);
    kifu_destroy(lab);
}
END_TEST

START_TEST(S03_a_save_made_in_the_past_is_of_the_present)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, lab_play(lab, "1"));
    must(lab, lab_play(lab, "2(3)"));
    must(lab, lab_play(lab, "4"));
    must(lab, kifu_undo(lab));
    lab_do(lab, 0, "5(6)", 1);
    lab_do(lab, 0, "7", 1);
    must(lab, kifu_step(lab));
    lab_picture picture = lab_look(lab);
    ck_assert_uint_eq(picture.pending, 2);
    for (int fast = 0; fast < 2; fast++) {
        must(lab, kifu_seek(lab, 1));
        kifu_timeline *loaded = reload_fast(lab, NULL, fast);
        ck_assert_str_eq(lab_trace(lab), "1"); // where it was
        lab_same(loaded, &picture);
        must(loaded, kifu_run(loaded));
        ck_assert_str_eq(lab_trace(loaded), "123567");
        kifu_destroy(loaded);
    }
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    must(lab, kifu_undo(lab));
    lab_picture undone = lab_look(lab);
    must(lab, kifu_seek(lab, 0));
    for (int fast = 0; fast < 2; fast++) {
        kifu_timeline *loaded = reload_fast(lab, NULL, fast);
        lab_same(loaded, &undone);
        ck_assert_uint_eq(kifu_can_redo(loaded, NULL), 1);
        must(loaded, kifu_redo(loaded));
        lab_same(loaded, &picture);
        kifu_destroy(loaded);
    }
    kifu_destroy(lab);
}
END_TEST

// --- Undo and redo ---------------------------------------------------------------------------------------------------

START_TEST(U07_a_walk_through_the_past_leaves_redo_and_what_waits)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_submit_e_initialize(lab, SEEDED(seed));
    must(lab, kifu_run(lab));
    must(lab, lab_play(lab, "1r"));
    lab_do(lab, 0, "2(3r)(4)", 1);
    lab_do(lab, 0, "5", 1);
    must(lab, kifu_step(lab));
    must(lab, kifu_step(lab));
    lab_picture end = lab_look(lab);
    must(lab, kifu_undo(lab));
    lab_picture one = lab_look(lab);
    must(lab, kifu_undo(lab));
    for (uint32_t i = 0; i <= kifu_event_count(lab); i++)
        must(lab, kifu_seek(lab, i));
    ck_assert_uint_eq(kifu_event_count(lab), 1);
    must(lab, kifu_seek(lab, 0));
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    must(lab, kifu_redo(lab));
    lab_same(lab, &one);
    must(lab, kifu_redo(lab));
    lab_same(lab, &end);
    must(lab, kifu_run(lab));
    ck_assert_str_eq(lab_trace(lab), "12345");
    kifu_destroy(lab);
}
END_TEST

START_TEST(U08_can_undo_says_what_stands_in_the_way)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, lab_play(lab, "1"));
    kifu_error error;
    must(lab, kifu_begin(lab, 0));
    ck_assert_uint_eq(kifu_can_undo(lab, &error), 0);
    ck_assert_msg(strstr(error.message, "transaction") != NULL, "%s", error.message);
    must(lab, lab_play(lab, "2"));
    ck_assert_uint_eq(kifu_can_undo(lab, &error), 1);
    must(lab, kifu_commit(lab));
    must(lab, lab_play(lab, "v"));
    ck_assert_uint_eq(kifu_can_undo(lab, &error), 0);
    ck_assert_int_eq(error.result, KIFU_NOT_UNDOABLE);
    ck_assert_uint_eq(error.event, 2);
    ck_assert_msg(strstr(error.message, "reveal") != NULL, "%s", error.message);
    must(lab, kifu_seek(lab, 1));
    ck_assert_uint_eq(kifu_can_undo(lab, &error), 0);
    ck_assert_int_eq(error.result, KIFU_MISUSE);
    ck_assert_msg(strstr(error.message, "kifu_seek") != NULL, "%s", error.message);
    ck_assert_uint_eq(kifu_can_redo(lab, NULL), 0);
    kifu_destroy(lab);
}
END_TEST

START_TEST(E07_random_numbers_are_the_same_whichever_way_one_came)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_submit_e_initialize(lab, SEEDED(seed));
    must(lab, kifu_run(lab));
    must(lab, lab_play(lab, "r"));
    kifu_timeline *straight = fork_of(lab, KIFU_PRESENT, NULL);
    must(straight, lab_play(straight, "rr"));
    uint32_t expected = lab_get_state(straight)->random;
    for (int way = 0; way < 8; way++) {
        if (way == 1 || way == 4)
            must(lab, kifu_seek(lab, 0));
        if (way == 2 || way == 4)
            must(lab, kifu_seek(lab, KIFU_PRESENT));
        if (way == 1)
            must(lab, kifu_seek(lab, KIFU_PRESENT));
        if (way == 3) {
            must(lab, kifu_begin(lab, 0));
            must(lab, lab_play(lab, "rrr"));
            must(lab, kifu_roll_back(lab));
        }
        if (way == 5) {
            must(lab, kifu_begin(lab, KIFU_SEARCH));
            must(lab, lab_play(lab, "rrrr"));
            must(lab, kifu_roll_back(lab));
        }
        if (way == 6)
            ck_assert_int_eq(lab_play(lab, "rrf"), KIFU_FAILED);
        if (way == 7) {
            must(lab, lab_play(lab, "brrkrr"));
            ck_assert_uint_eq(lab_get_state(lab)->random, expected);
            must(lab, kifu_undo(lab));
        }
        must(lab, lab_play(lab, "rr"));
        ck_assert_uint_eq(lab_get_state(lab)->random, expected);
        must(lab, kifu_undo(lab));
        must(lab, kifu_redo(lab));
        ck_assert_uint_eq(lab_get_state(lab)->random, expected);
        must(lab, kifu_undo(lab));
    }
    kifu_destroy(straight);
    kifu_destroy(lab);
}
END_TEST

// --- Counting --------------------------------------------------------------------------------------------------------

// Whoever looks sees as many events as are counted, and no more.
static void must_count(const kifu_timeline *timeline, uint32_t count, uint32_t position)
{
    kifu_event event;
    ck_assert_uint_eq(kifu_event_count(timeline), count);
    ck_assert_uint_eq(kifu_position(timeline), position);
    ck_assert(!count || kifu_event_at(timeline, count - 1, &event));
    ck_assert(!kifu_event_at(timeline, count, &event));
    ck_assert(!kifu_event_at(timeline, KIFU_NONE, &event));
}

static uint32_t done[64]; // how often each event was executed

// A Do sees the events before its own, live and in a replay.
static kifu_result count_in_do(void *context, kifu_timeline *timeline, const cards_p_any *any)
{
    (void)context;
    const uint32_t before = (uint32_t)any->number;
    must_count(timeline, before, before);
    done[before]++;
    return KIFU_OK;
}

START_TEST(F15_event_at_reaches_exactly_event_count_events)
{
    memset(done, 0, sizeof done);
    cards_hooks hooks = {.in_do = count_in_do};
    kifu_timeline *cards = cards_new(&(kifu_options){.user = &hooks, .keyframe_bytes = 1});
    const uint32_t first = kifu_event_count(cards), count = 20;
    for (uint32_t i = first; i < count; i++) {
        cards_submit_p_any(cards, 0, (int32_t)i);
        must(cards, kifu_run(cards));
        must_count(cards, i + 1, i + 1);
    }
    for (uint32_t i = 0; i <= count; i++) {
        must(cards, kifu_seek(cards, i));
        must_count(cards, count, i);
    }
    must(cards, kifu_seek(cards, 0));
    must(cards, kifu_play(cards, 1));
    must(cards, kifu_update(cards, 1));
    must_count(cards, count, count);
    must(cards, kifu_undo(cards)); // What was undone has not happened,
    must_count(cards, count - 1, count - 1);
    must(cards, kifu_seek(cards, 3));
    must_count(cards, count - 1, 3); // wherever seek has gone.
    ck_assert_uint_gt(done[first], 1);
    kifu_destroy(cards);
}
END_TEST

// --- A Do that changed its mind --------------------------------------------------------------------------------------

static bool fails_now;

static kifu_result fail_now(void *context, kifu_timeline *timeline, const cards_p_any *any)
{
    (void)context;
    *cards_edit_life(timeline, 1) += 1;
    return fails_now && any->number == 7 ? kifu_fail(timeline, "not any more") : KIFU_OK;
}

START_TEST(T05_a_do_that_fails_now_leaves_the_state_before_it)
{
    for (int events = 4; events < 5000; events += 4000) // with a journal, and without
        for (int way = 0; way < 5; way++) {
            fails_now = false;
            cards_hooks hooks = {.in_do = fail_now};
            kifu_options options = {.user = &hooks, .keyframe_bytes = 1};
            kifu_timeline *cards = cards_new(&options);
            cards_submit_p_any(cards, 0, 1);
            cards_submit_p_any(cards, 0, 7); // event 3
            for (int i = 0; i < events; i++)
                cards_submit_p_any(cards, 0, 1);
            must(cards, kifu_run(cards));
            cards_state end = *cards_get_state(cards), then;
            uint32_t present = kifu_event_count(cards);
            must(cards, kifu_state_at(cards, 3, &then, sizeof then));
            ck_assert_int_eq(then.life[1], 21);
            kifu_timeline *fork;
            kifu_error error = {0};
            kifu_result result = KIFU_OK;
            switch (way) {
            case 0: // seek
                must(cards, kifu_seek(cards, 2));
                fails_now = true;
                result = kifu_seek(cards, KIFU_PRESENT);
                ck_assert_uint_eq(kifu_position(cards), 3);
                ck_assert_mem_eq(cards_get_state(cards), &then, sizeof then);
                ck_assert_uint_eq(kifu_event_count(cards), present);
                break;
            case 1: // redo, chain by chain
                while (kifu_can_undo(cards, NULL))
                    must(cards, kifu_undo(cards));
                must(cards, kifu_redo(cards));
                fails_now = true;
                result = kifu_redo(cards);
                ck_assert_uint_eq(kifu_event_count(cards), 3);
                ck_assert_mem_eq(cards_get_state(cards), &then, sizeof then);
                break;
            case 2: // a look
                fails_now = true;
                must(cards, kifu_state_at(cards, 3, &then, sizeof then));
                result = kifu_state_at(cards, 4, &then, sizeof then);
                if (events == 4) // the journal needs no Do
                    result = KIFU_FAILED;
                break;
            case 3: // a fork
                fails_now = true;
                result = kifu_fork(cards, 4, NULL, &fork, &error);
                if (events == 4) {
                    ck_assert_int_eq(result, KIFU_OK);
                    kifu_destroy(fork);
                    result = KIFU_FAILED;
                } else
                    ck_assert_ptr_null(fork);
                break;
            default: // a proof
                fails_now = true;
                result = kifu_verify_replay(cards, NULL);
                ck_assert_int_ne(result, KIFU_OK);
                result = KIFU_FAILED;
            }
            ck_assert_int_eq(result, KIFU_FAILED);
            fails_now = false;
            if (way == 0)
                must(cards, kifu_seek(cards, KIFU_PRESENT));
            while (way == 1 && kifu_can_redo(cards, NULL))
                must(cards, kifu_redo(cards));
            ck_assert_uint_eq(kifu_event_count(cards), present);
            ck_assert_mem_eq(cards_get_state(cards), &end, sizeof end);
            must(cards, kifu_verify_replay(cards, NULL));
            kifu_destroy(cards);
        }
}
END_TEST

// --- A model outside the state ---------------------------------------------------------------------------------------

static kifu_timeline *outside_new(model *list)
{
    kifu_options options = {.reset = model_reset, .user = list};
    kifu_timeline *outside;
    ck_assert_int_eq(kifu_create(&outside_rules, &options, &outside, NULL), KIFU_OK);
    return outside;
}

static void push(kifu_timeline *outside, int number)
{
    outside_submit_p_push(outside, 0, number);
    must(outside, kifu_run(outside));
}

static void must_hold(const model *list, int count) // the numbers from `count` down to 1
{
    const node *node = list->first;
    for (; count > 0; count--, node = node->next) {
        ck_assert_ptr_nonnull(node);
        ck_assert_int_eq(node->number, count);
    }
    ck_assert_ptr_null(node);
}

START_TEST(U12_seek_executes_the_log_for_a_model_outside)
{
    model list = {0};
    kifu_timeline *outside = outside_new(&list);
    for (int i = 1; i <= 6; i++)
        push(outside, i);
    must(outside, kifu_undo(outside));
    outside_submit_p_push(outside, 0, 6);
    for (uint32_t i = 0; i <= 5; i++) {
        must(outside, kifu_seek(outside, i));
        must_hold(&list, (int)i);
        must(outside, kifu_seek(outside, 5 - i));
        must_hold(&list, 5 - (int)i);
    }
    must(outside, kifu_seek(outside, 2));
    must(outside, kifu_run(outside));
    must_hold(&list, 2);
    must(outside, kifu_seek(outside, KIFU_PRESENT));
    must_hold(&list, 5);
    must(outside, kifu_run(outside));
    must_hold(&list, 6);
    kifu_game state;
    must_refuse(outside, kifu_state_at(outside, 1, &state, sizeof state));
    ck_assert_int_eq(kifu_verify_replay(outside, NULL), KIFU_MISUSE);
    must_hold(&list, 6);
    kifu_destroy(outside);
    model_reset(&list);
}
END_TEST

START_TEST(U12_a_seek_over_a_do_that_fails_now_shows_what_came_before)
{
    model list = {0};
    kifu_timeline *outside = outside_new(&list);
    push(outside, 1);
    push(outside, 2);
    push(outside, -3); // fails when it is executed again
    push(outside, 4);
    must(outside, kifu_seek(outside, 1));
    must_hold(&list, 1);
    ck_assert_int_eq(kifu_seek(outside, 4), KIFU_FAILED);
    must_say(outside, "negative numbers are pushed once");
    ck_assert_uint_eq(kifu_last_error(outside)->event, 2);
    must_hold(&list, 2);
    ck_assert_uint_eq(kifu_position(outside), 2);
    ck_assert_uint_eq(kifu_event_count(outside), 4);
    must(outside, kifu_seek(outside, 1));
    must_hold(&list, 1);
    kifu_destroy(outside);
    model_reset(&list);
}
END_TEST

START_TEST(U12_a_film_ends_before_a_do_that_fails_now)
{
    model list = {0};
    kifu_timeline *outside = outside_new(&list);
    push(outside, 1);
    push(outside, -2);
    push(outside, 3);
    must(outside, kifu_seek(outside, 0));
    must(outside, kifu_play(outside, 1));
    ck_assert_int_eq(kifu_update(outside, 1), KIFU_FAILED);
    must_say(outside, "negative numbers are pushed once");
    ck_assert_uint_eq(kifu_last_error(outside)->event, 1);
    ck_assert_uint_eq(kifu_position(outside), 1);
    must_hold(&list, 1);
    kifu_destroy(outside);
    model_reset(&list);
}
END_TEST

typedef struct meddler {
    kifu_timeline *timeline;
    bool submits;
} meddler;

static void reset_and_submit(void *context)
{
    meddler *meddler = (struct meddler *)context;
    if (meddler->submits)
        lab_submit_p_add(meddler->timeline, 1000, 1);
}

// No event of the log is to blame, and all can be executed again.
START_TEST(U12_a_reset_that_misuses_the_timeline_is_reported)
{
    meddler meddler = {0};
    kifu_timeline *lab = meddler.timeline = lab_new(&(kifu_options){.reset = reset_and_submit, .user = &meddler});
    for (int i = 0; i < 1200; i++)
        lab_submit_e_show(lab, 1);
    must(lab, kifu_run(lab));
    for (uint32_t back = 1; back < 1200; back += 1100) { // without a journal, and most of it with one
        meddler.submits = true;
        const kifu_result result = kifu_seek(lab, 1200 - back);
        meddler.submits = false;
        ck_assert_int_eq(result, KIFU_FAILED);
        must_say(lab, "lab.PAdd was submitted for player 1000");
        ck_assert_uint_le(kifu_position(lab), 1);
        ck_assert_int_eq(lab_get_state(lab)->total, kifu_position(lab));
        must(lab, kifu_seek(lab, KIFU_PRESENT));
        ck_assert_int_eq(lab_get_state(lab)->total, 1200);
    }
    kifu_destroy(lab);
}
END_TEST

// --- No memory -------------------------------------------------------------------------------------------------------

static bool try_to_seek(kifu_timeline *lab, const copies *copies, test_memory *memory, long n, uint32_t from,
                        uint32_t to)
{
    must(lab, kifu_seek(lab, from));
    *memory = (test_memory){.until_failure = n, .blocks = memory->blocks, .bytes = memory->bytes};
    kifu_result result = kifu_seek(lab, to);
    memory->until_failure = -1;
    if (!result) {
        must_be_at(lab, copies, to == KIFU_PRESENT ? copies->count : to);
        return memory->failed;
    }
    ck_assert(memory->failed);
    ck_assert_int_eq(result, KIFU_NO_MEMORY);
    must_say(lab, "memory");
    must_be_at(lab, copies, kifu_position(lab));
    ck_assert_uint_eq(kifu_event_count(lab), copies->count);
    must(lab, kifu_seek(lab, to));
    must_be_at(lab, copies, to == KIFU_PRESENT ? copies->count : to);
    return true;
}

START_TEST(U10_a_seek_without_memory_loses_nothing)
{
    for (int budget = 0; budget < BUDGETS; budget++) {
        test_memory memory = {.until_failure = -1};
        kifu_options options = budgets[budget];
        options.allocate = test_allocate;
        options.allocate_context = &memory;
        copies copies;
        kifu_timeline *lab = lab_new(&options);
        play(lab, &copies, 1500);
        static const uint32_t ways[][2] = {{KIFU_PRESENT, 1490}, {KIFU_PRESENT, 3}, {3, 700}, {700, KIFU_PRESENT}};
        for (int way = 0; way < 4; way++)
            for (int loaded = 0; loaded < 3; loaded++) {
                for (long n = 0, more = 1; more; n++) {
                    kifu_timeline *each = loaded ? reload_fast(lab, &options, loaded == 2) : lab;
                    more = try_to_seek(each, &copies, &memory, n, ways[way][0], ways[way][1]);
                    if (loaded)
                        kifu_destroy(each);
                    else
                        must(lab, kifu_seek(lab, KIFU_PRESENT));
                }
            }
        free(copies.states);
        kifu_destroy(lab);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        U10_journal_keyframe_and_start_agree,
        F15_event_at_reaches_exactly_event_count_events,
        U10_a_game_longer_than_the_journal_goes_anywhere,
        U10_undo_goes_past_the_journal_to_the_beginning,
        U10_a_loaded_game_has_the_same_past,
        U10_keyframes_stay_in_their_budget,
        U10_keyframes_are_denser_towards_the_end,
        U10_keyframes_for_states_of_any_size,
        U10_few_keyframes_are_as_many_as_the_budget_allows,
        U10_a_seek_beyond_the_journal_begins_it_anew,
        U10_the_journal_is_bounded,
        U07_redo_behind_two_transactions_has_what_it_had,
        U07_events_go_behind_what_a_roll_back_and_redo_brought_back,
        U10_memory_may_end_where_a_keyframe_is_due,
        P05_roll_backs_of_ever_larger_events_leave_no_memory_behind,
        U10_many_transactions_and_many_undos_have_the_memory_that_they_need,
        U10_the_journal_of_a_long_transaction_begins_where_that_began,
        U10_the_journal_is_bounded_however_much_an_event_edits,
        U10_a_seek_costs_the_way_from_the_last_keyframe,
        U10_seek_to_the_beginning_the_present_and_beyond,
        U10_nothing_happens_in_the_past,
        U10_what_waits_goes_on_waiting,
        U10_a_seek_is_told_by_one_redraw,
        S03_a_save_made_in_the_past_is_of_the_present,
        U07_a_walk_through_the_past_leaves_redo_and_what_waits,
        U08_can_undo_says_what_stands_in_the_way,
        E07_random_numbers_are_the_same_whichever_way_one_came,
        T05_a_do_that_fails_now_leaves_the_state_before_it,
        U12_seek_executes_the_log_for_a_model_outside,
        U12_a_seek_over_a_do_that_fails_now_shows_what_came_before,
        U12_a_film_ends_before_a_do_that_fails_now,
        U12_a_reset_that_misuses_the_timeline_is_reported,
        U10_a_seek_without_memory_loses_nothing,
    };
    return run_suite("history", tests, sizeof tests / sizeof *tests);
}
