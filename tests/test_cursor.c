// kifu_cursor: past states one after the other, for what their events changed.

#include "cards_help.h"
#include "history_help.h"
#include "lab_help.h"
#include "past_help.h"
#include "suite.h"

static void must_show(const kifu_cursor *cursor, const copies *copies, uint32_t count)
{
    ck_assert_uint_eq(kifu_cursor_position(cursor), count);
    ck_assert_mem_eq(kifu_cursor_state(cursor), &copies->states[count], sizeof(lab_state));
}

// One event back or forward, where there is one.
static void step(kifu_timeline *lab, kifu_cursor *cursor, const copies *copies, bool back)
{
    const uint32_t at = kifu_cursor_position(cursor), end = back ? 0 : kifu_event_count(lab);
    if (at == end)
        must_refuse(lab, back ? kifu_cursor_back(cursor) : kifu_cursor_forward(cursor));
    else
        must(lab, back ? kifu_cursor_back(cursor) : kifu_cursor_forward(cursor));
    must_show(cursor, copies, at == end ? at : back ? at - 1 : at + 1);
}

START_TEST(F45_a_cursor_goes_back_and_forward)
{
    for (int i = 0; i < BUDGETS; i++) {
        kifu_timeline *lab = lab_new(&budgets[i]);
        copies copies;
        play(lab, &copies, 5000);
        const lab_picture picture = lab_look(lab);
        kifu_rng rng;
        kifu_rng_seed(&rng, 45, 0);
        for (int way = 0; way < 12; way++) {
            if (way == 6) // The past is shown; the events behind it have happened all the same.
                must(lab, kifu_seek(lab, 2000));
            const uint32_t from = way ? kifu_rng_below(&rng, copies.count + 1) : copies.count;
            kifu_cursor *cursor;
            must(lab, kifu_cursor_open(lab, way ? from : KIFU_PRESENT, &cursor));
            must_show(cursor, &copies, from);
            for (int run = 0; run < 30; run++) { // runs in one direction, and turns
                const bool back = kifu_rng_below(&rng, 3) > 0;
                for (uint32_t steps = kifu_rng_below(&rng, 40); steps > 0; steps--)
                    step(lab, cursor, &copies, back);
            }
            kifu_cursor_close(cursor);
        }
        must(lab, kifu_seek(lab, KIFU_PRESENT));
        lab_same(lab, &picture);
        must(lab, kifu_verify_replay(lab, NULL));
        free(copies.states);
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(F45_a_cursor_goes_from_end_to_end)
{
    for (int i = 0; i < BUDGETS; i++) {
        kifu_timeline *lab = lab_new(&budgets[i]);
        copies copies;
        play(lab, &copies, 4000);
        kifu_cursor *cursor;
        must(lab, kifu_cursor_open(lab, KIFU_PRESENT, &cursor));
        for (uint32_t at = copies.count; at > 0; at--)
            step(lab, cursor, &copies, true);
        must_refuse(lab, kifu_cursor_back(cursor));
        must_say(lab, "kifu_cursor_back: the cursor is at the beginning");
        for (uint32_t at = 0; at < copies.count; at++)
            step(lab, cursor, &copies, false);
        must_refuse(lab, kifu_cursor_forward(cursor));
        must_say(lab, "kifu_cursor_forward: the cursor is at the last event");
        kifu_cursor_close(cursor);
        free(copies.states);
        kifu_destroy(lab);
    }
}
END_TEST

// How many Do functions run on the way back over the whole game.
static unsigned long work_of_going_back(uint32_t count)
{
    unsigned long dos = 0;
    kifu_timeline *lab = lab_new(&(kifu_options){.user = &dos});
    for (uint32_t i = 0; i < count; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    dos = 0;
    kifu_cursor *cursor;
    must(lab, kifu_cursor_open(lab, KIFU_PRESENT, &cursor));
    for (uint32_t at = count; at-- > 0;) {
        must(lab, kifu_cursor_back(cursor));
        must_be(((const lab_state *)kifu_cursor_state(cursor))->total == (int32_t)at);
    }
    kifu_destroy(lab); // closes it, too
    return dos;
}

START_TEST(F45_going_back_executes_no_event_more_than_twice)
{
    ck_assert_uint_eq(work_of_going_back(1000), 0); // The journal has it all.
    for (uint32_t count = 4000; count <= 16000; count *= 2)
        ck_assert_uint_le(work_of_going_back(count), 2 * count);
}
END_TEST

// A look back over the whole game needs no memory after the first one, wherever it is made.
START_TEST(F45_looking_back_allocates_nothing_in_steady_state)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *lab = lab_new(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
    for (int i = 0; i < 900; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    long calls = 0;
    for (int look = 0; look < 10; look++) {
        kifu_cursor *cursor;
        must(lab, kifu_cursor_open(lab, KIFU_PRESENT, &cursor));
        while (kifu_cursor_position(cursor) > 0)
            must(lab, kifu_cursor_back(cursor));
        kifu_cursor_close(cursor);
        calls = look ? calls : memory.calls;
    }
    ck_assert_int_eq(memory.calls, calls);
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

START_TEST(F45_two_cursors_go_their_own_ways)
{
    kifu_timeline *lab = lab_new(NULL);
    copies copies;
    play(lab, &copies, 300);
    kifu_cursor *one, *other, *third;
    must(lab, kifu_cursor_open(lab, 300, &one));
    must(lab, kifu_cursor_open(lab, 100, &other));
    for (int i = 0; i < 50; i++) {
        step(lab, one, &copies, true);
        step(lab, other, &copies, false);
    }
    kifu_cursor_close(one);
    must(lab, kifu_cursor_open(lab, 7, &third)); // in the memory of the first
    step(lab, other, &copies, true);
    step(lab, third, &copies, true);
    must_refuse(lab, kifu_cursor_open(lab, 301, &one));
    ck_assert_ptr_null(one);
    kifu_cursor_close(NULL);
    free(copies.states);
    kifu_destroy(lab);
}
END_TEST

START_TEST(F45_a_cursor_may_stay_while_the_game_goes_on)
{
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 0; i < 20; i++)
        must(lab, lab_play(lab, "+"));
    kifu_cursor *early, *late, *behind;
    must(lab, kifu_cursor_open(lab, 10, &early));
    must(lab, kifu_cursor_open(lab, 20, &late));
    must(lab, lab_play(lab, "+"));
    must(lab, kifu_cursor_forward(late)); // to what has happened since
    must(lab, kifu_cursor_open(lab, 18, &behind));
    for (int i = 0; i < 6; i++)
        must(lab, kifu_undo(lab));
    must(lab, kifu_cursor_back(late)); // Undone, but nothing has taken its place yet.
    ck_assert_int_eq(((const lab_state *)kifu_cursor_state(late))->total, 20);
    must_refuse(lab, kifu_cursor_forward(late));
    must(lab, lab_play(lab, "-"));
    must_refuse(lab, kifu_cursor_back(late));
    must_say(lab, "taken back");
    must_refuse(lab, kifu_cursor_back(behind));
    must(lab, kifu_cursor_back(early));
    while (kifu_cursor_position(early) < 16)
        must(lab, kifu_cursor_forward(early));
    ck_assert_int_eq(((const lab_state *)kifu_cursor_state(early))->total, 14);
    kifu_cursor_close(late);
    must(lab, kifu_cursor_open(lab, KIFU_PRESENT, &late)); // the same memory, and not lost any more
    must(lab, kifu_cursor_back(late));
    kifu_cursor_close(late);
    must_refuse(lab, kifu_cursor_back(late));
    must_say(lab, "closed");
    kifu_destroy(lab);
}
END_TEST

// In transactions, that are rolled back around it, too.
START_TEST(F45_a_cursor_sees_what_is_tried)
{
    static const unsigned kinds[] = {0, KIFU_SEARCH};
    for (int i = 0; i < 2; i++) {
        kifu_timeline *lab = lab_new(NULL);
        must(lab, lab_play(lab, "+"));
        must(lab, lab_play(lab, "+"));
        must(lab, kifu_undo(lab)); // what redo can bring back
        must(lab, kifu_begin(lab, kinds[i]));
        must(lab, lab_play(lab, "--"));
        kifu_cursor *cursor;
        must(lab, kifu_cursor_open(lab, KIFU_PRESENT, &cursor));
        must(lab, kifu_cursor_back(cursor));
        ck_assert_int_eq(((const lab_state *)kifu_cursor_state(cursor))->total, 1);
        must(lab, kifu_cursor_forward(cursor));
        ck_assert_int_eq(((const lab_state *)kifu_cursor_state(cursor))->total, -1);
        must(lab, kifu_roll_back(lab));
        must_refuse(lab, kifu_cursor_back(cursor));
        must(lab, kifu_redo(lab));
        ck_assert_int_eq(lab_get_state(lab)->total, 2);
        kifu_destroy(lab);
    }
}
END_TEST

static kifu_result opens_in_do(void *context, kifu_timeline *timeline, const cards_p_any *any)
{
    (void)any;
    kifu_cursor **cursor = (kifu_cursor **)context, *none;
    if (*cursor)
        ck_assert_int_eq(kifu_cursor_back(*cursor), KIFU_MISUSE);
    else
        ck_assert_int_eq(kifu_cursor_open(timeline, 0, &none), KIFU_MISUSE);
    return KIFU_OK;
}

START_TEST(F45_do_depends_on_nothing_but_state_and_event)
{
    kifu_cursor *cursor = NULL;
    cards_hooks hooks = {.context = &cursor, .in_do = opens_in_do};
    kifu_timeline *cards = cards_new(&(kifu_options){.user = &hooks});
    cards_submit_p_any(cards, 0, 1);
    ck_assert_int_eq(kifu_run(cards), KIFU_MISUSE);
    must_say(cards, "kifu_cursor_open was called in a Do function");
    must(cards, kifu_cursor_open(cards, KIFU_PRESENT, &cursor));
    cards_submit_p_any(cards, 0, 1);
    ck_assert_int_eq(kifu_run(cards), KIFU_MISUSE);
    must_say(cards, "kifu_cursor_back was called in a Do function");
    kifu_destroy(cards);
}
END_TEST

static uint32_t failing; // number of the event whose Do fails, with its edits done; KIFU_NONE: none

static kifu_result do_and_fail(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                               void *transient)
{
    const uint32_t number = kifu_event_count(timeline);
    const kifu_result result = lab_rules.do_event(timeline, type, state, event, transient);
    return number == failing ? KIFU_FAILED : result;
}

START_TEST(M08_where_a_do_fails_the_cursor_stays_and_what_it_did_is_taken_back)
{
    kifu_rules rules = lab_rules;
    rules.do_event = do_and_fail;
    failing = KIFU_NONE;
    kifu_timeline *lab;
    ck_assert_int_eq(kifu_create(&rules, NULL, &lab, NULL), KIFU_OK);
    copies copies;
    play(lab, &copies, 300);
    kifu_cursor *cursor;
    must(lab, kifu_cursor_open(lab, 0, &cursor));
    for (uint32_t at = 0; at < copies.count; at++) {
        failing = at;
        ck_assert_int_eq(kifu_cursor_forward(cursor), KIFU_FAILED);
        must_say(lab, "could not be replayed");
        must_show(cursor, &copies, at);
        failing = KIFU_NONE;
        step(lab, cursor, &copies, false);
    }
    kifu_cursor_close(cursor);
    free(copies.states);
    kifu_destroy(lab);
}
END_TEST

START_TEST(F45_without_memory_there_is_no_cursor)
{
    for (long at = 0;; at++) {
        test_memory memory = {.until_failure = -1};
        kifu_timeline *lab = lab_new(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
        for (int i = 0; i < 3000; i++)
            lab_submit_p_add(lab, 0, 1);
        must(lab, kifu_run(lab));
        const uint64_t hash = kifu_state_hash(lab);
        memory.until_failure = at;
        kifu_cursor *cursor;
        kifu_result result = kifu_cursor_open(lab, 500, &cursor);
        ck_assert_int_eq(cursor != NULL, result == KIFU_OK);
        for (int i = 0; i < 10 && !result; i++)
            result = kifu_cursor_back(cursor);
        ck_assert_uint_eq(kifu_state_hash(lab), hash);
        kifu_destroy(lab);
        ck_assert_int_eq(memory.blocks, 0);
        if (!memory.failed)
            break;
        ck_assert_int_eq(result, KIFU_NO_MEMORY);
    }
}
END_TEST

// What is tried is in no log yet, and a look at the past wants it there.
START_TEST(M08_a_look_at_what_is_tried_without_memory_says_so_once)
{
    enum { STATE_AT, OPEN, FORWARD, WAYS };
    for (int way = 0; way < 2 * WAYS; way++) {
        long refused = 0;
        for (bool failed = true; failed; refused += failed) {
            test_memory memory = {.until_failure = -1};
            kifu_timeline *lab =
                lab_started(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory, .quiet = true});
            const lab_picture before = lab_look(lab);
            lab_state state, tried;
            kifu_cursor *cursor = NULL;
            if (way % WAYS == FORWARD)
                must(lab, kifu_cursor_open(lab, KIFU_PRESENT, &cursor));
            for (int i = 0; i < 3; i++) // A short try asks no check of a player that the game does not have.
                must(lab, way < WAYS ? lab_try_legal_p_add(lab, 0, 1) : lab_try_p_add(lab, 0, 1));
            tried = *lab_get_state(lab);
            const uint32_t count = kifu_event_count(lab);
            memory.until_failure = refused;
            const kifu_result result = way % WAYS == STATE_AT ? kifu_state_at(lab, count, &state, sizeof state)
                                       : way % WAYS == OPEN   ? kifu_cursor_open(lab, KIFU_PRESENT, &cursor)
                                                              : kifu_cursor_forward(cursor);
            memory.until_failure = -1;
            failed = memory.failed;
            ck_assert(!result || (failed && result == KIFU_NO_MEMORY));
            if (result)
                must_say(lab, "memory");
            else if (way % WAYS == FORWARD)
                ck_assert_int_eq(((const lab_state *)kifu_cursor_state(cursor))->total, 1);
            else
                ck_assert_mem_eq(cursor ? kifu_cursor_state(cursor) : &state, &tried, sizeof tried);
            for (int i = 0; i < 3; i++)
                must(lab, kifu_take_back(lab));
            lab_same(lab, &before);
            kifu_destroy(lab);
        }
        ck_assert(refused > 0 || way == WAYS + STATE_AT); // which the journal knows
    }
}
END_TEST

START_TEST(M08_all_cursors_give_their_memory_back)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *lab = lab_new(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
    lab_must(lab, lab_play(lab, "1"));
    for (int i = 0; i < 3; i++) {
        kifu_cursor *cursor;
        must(lab, kifu_cursor_open(lab, 0, &cursor));
        must(lab, kifu_cursor_forward(cursor));
    }
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

START_TEST(M08_a_cursor_where_the_game_took_another_way_goes_along_with_it)
{
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 1; i <= 3; i++)
        lab_must(lab, lab_play(lab, (const char[]){(char)('0' + i), 0}));
    kifu_cursor *here, *behind;
    must(lab, kifu_cursor_open(lab, 2, &here));
    must(lab, kifu_cursor_open(lab, 3, &behind));
    must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "4"));
    must(lab, kifu_cursor_forward(here));
    ck_assert_mem_eq(kifu_cursor_state(here), lab_get_state(lab), sizeof(lab_state));
    must_refuse(lab, kifu_cursor_back(behind));
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F45_a_cursor_goes_back_and_forward,
        F45_a_cursor_goes_from_end_to_end,
        F45_going_back_executes_no_event_more_than_twice,
        F45_looking_back_allocates_nothing_in_steady_state,
        F45_two_cursors_go_their_own_ways,
        F45_a_cursor_may_stay_while_the_game_goes_on,
        F45_a_cursor_sees_what_is_tried,
        F45_do_depends_on_nothing_but_state_and_event,
        M08_where_a_do_fails_the_cursor_stays_and_what_it_did_is_taken_back,
        F45_without_memory_there_is_no_cursor,
        M08_a_look_at_what_is_tried_without_memory_says_so_once,
        M08_all_cursors_give_their_memory_back,
        M08_a_cursor_where_the_game_took_another_way_goes_along_with_it,
    };
    return run_suite("cursor", tests, sizeof tests / sizeof *tests);
}
