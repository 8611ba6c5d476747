// kifu_verify_replay: what it finds, and how exactly. What it finds in Do functions of
// every kind is in test_planted_faults.c.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cards_help.h"
#include "faulty_help.h"
#include "history_help.h"
#include "model.h"
#include "plan.h"
#include "suite.h"

// --- Where a replay differs ------------------------------------------------------------------------------------------

static int bonus; // of EUserData, which takes it from kifu_options.user

static kifu_timeline *begin(kifu_options options)
{
    faulty_forget();
    bonus = 0;
    options.user = &bonus;
    options.seed = 5;
    return faulty_begin(&options);
}

// Events 3 to `count` - 1: PAdd, but event `fault` is an EUserData.
static void play_to(kifu_timeline *timeline, uint32_t count, uint32_t fault)
{
    while (kifu_event_count(timeline) < count) {
        if (kifu_event_count(timeline) == fault) {
            faulty_submit_e_user_data(timeline);
            faulty_must(timeline, kifu_run(timeline));
        } else
            faulty_play(timeline, 1);
    }
}

// Everything that a verification may not change.
typedef struct picture {
    uint32_t events, present, pending, undo, redo;
    faulty_state state;
} picture;

static picture look(const kifu_timeline *timeline)
{
    picture picture;
    memset(&picture, 0, sizeof picture);
    picture.events = kifu_position(timeline);
    picture.present = kifu_event_count(timeline);
    picture.pending = kifu_pending_count(timeline);
    picture.undo = kifu_can_undo(timeline, NULL);
    picture.redo = kifu_can_redo(timeline, NULL);
    picture.state = *faulty_get_state(timeline);
    return picture;
}

static kifu_difference must_differ(kifu_timeline *timeline, uint32_t first, uint32_t event)
{
    picture before = look(timeline);
    kifu_difference difference;
    kifu_result result = kifu_verify_replay(timeline, &difference);
    const kifu_error *error = kifu_last_error(timeline);
    ck_assert_msg(result == KIFU_DIVERGED, "%d: %s", (int)result, result ? error->message : "no difference");
    ck_assert_msg(difference.event == event && difference.first == first, "events %u to %u: %s", difference.first,
                  difference.event, error->message);
    ck_assert_int_eq(error->result, KIFU_DIVERGED);
    ck_assert_uint_eq(error->event, event);
    ck_assert((strstr(error->message, difference.name) != NULL) == (first == event)); // A range blames no event.
    faulty_says(error->message, difference.field);
    ck_assert_int_eq(kifu_verify_replay(timeline, NULL), KIFU_DIVERGED); // It need not be told.
    picture after = look(timeline);
    ck_assert_mem_eq(&before, &after, sizeof before);
    return difference;
}

static void must_agree(kifu_timeline *timeline)
{
    kifu_difference difference;
    kifu_result result = kifu_verify_replay(timeline, &difference);
    ck_assert_msg(result == KIFU_OK, "%s", kifu_last_error(timeline)->message);
    ck_assert_uint_eq(difference.event, KIFU_NONE);
    ck_assert_uint_eq(difference.first, KIFU_NONE);
    ck_assert_ptr_null(difference.name);
    ck_assert_str_eq(difference.field, "");
}

static void must_be_total(const kifu_difference *difference, const char *expected, const char *actual)
{
    ck_assert_str_eq(difference->name, "faulty.EUserData");
    ck_assert_str_eq(difference->field, "total");
    ck_assert_str_eq(difference->expected, expected);
    ck_assert_str_eq(difference->actual, actual);
}

START_TEST(U10_a_replay_without_a_difference_passes)
{
    kifu_timeline *timeline = faulty_new(NULL);
    must_agree(timeline); // of nothing
    kifu_destroy(timeline);
    timeline = begin((kifu_options){.keyframe_bytes = 2000, .hash_interval = 7});
    must_agree(timeline);
    play_to(timeline, 5000, KIFU_NONE);
    must_agree(timeline);
    faulty_must(timeline, kifu_undo(timeline));
    faulty_submit_p_add(timeline, 0, 1); // waits
    picture before = look(timeline);
    must_agree(timeline);
    picture after = look(timeline);
    ck_assert_mem_eq(&before, &after, sizeof before);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(U10_with_a_hash_after_each_event_the_event_is_named_however_long_ago)
{
    kifu_timeline *timeline = begin((kifu_options){.hash_interval = 1});
    play_to(timeline, 4000, 50); // further back than the journal reaches
    bonus = 2;
    kifu_difference difference = must_differ(timeline, 50, 50);
    ck_assert_str_eq(difference.name, "faulty.EUserData");
    faulty_says(kifu_last_error(timeline)->message, "event 50 (faulty.EUserData) gave another state when");
    bonus = 0;
    must_agree(timeline);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(U10_where_the_journal_reaches_the_event_and_the_field_are_named_without_hashes)
{
    kifu_timeline *timeline = begin((kifu_options){.hash_interval = 100000, .keyframe_bytes = 1});
    play_to(timeline, 100, 70);
    bonus = 2;
    kifu_difference difference = must_differ(timeline, 70, 70);
    must_be_total(&difference, "79", "81");
    faulty_must(timeline, kifu_seek(timeline, 71)); // up to what is shown
    difference = must_differ(timeline, 70, 70);
    must_be_total(&difference, "79", "81");
    faulty_must(timeline, kifu_seek(timeline, 70));
    must_agree(timeline);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(U10_where_only_a_hash_is_left_the_events_between_two_are_named)
{
    kifu_timeline *timeline = begin((kifu_options){.hash_interval = 64, .keyframe_bytes = 1});
    play_to(timeline, 6000, 70);
    bonus = 2;
    kifu_difference difference = must_differ(timeline, 64, 127);
    ck_assert_str_eq(difference.field, "");
    faulty_says(kifu_last_error(timeline)->message, "one of the events 64 to 127");
    faulty_says(kifu_last_error(timeline)->message, "runtime/docs/troubleshooting.md");
    kifu_destroy(timeline);
}
END_TEST

// Two more than it was.
static void must_be_total_of(const kifu_difference *difference, int64_t total)
{
    char expected[32], actual[32];
    snprintf(expected, sizeof expected, "%lld", (long long)total);
    snprintf(actual, sizeof actual, "%lld", (long long)total + 2);
    ck_assert_str_eq(difference->field, "total");
    ck_assert_str_eq(difference->expected, expected);
    ck_assert_str_eq(difference->actual, actual);
}

START_TEST(U10_where_a_keyframe_is_left_the_field_is_named_too)
{
    kifu_timeline *timeline = begin((kifu_options){.hash_interval = sizeof(faulty_state), .keyframe_bytes = 1 << 20});
    const uint32_t interval = 2 * sizeof(faulty_state); // from keyframe to keyframe
    play_to(timeline, 6000, interval / 2 + 6);
    faulty_state kept;
    ck_assert_int_eq(kifu_state_at(timeline, interval, &kept, sizeof kept), KIFU_OK);
    bonus = 2;
    kifu_difference difference = must_differ(timeline, interval / 2, interval - 1);
    must_be_total_of(&difference, kept.total);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(U10_a_keyframe_is_as_good_as_a_hash)
{
    kifu_timeline *timeline = begin((kifu_options){.hash_interval = 100000, .keyframe_bytes = 1 << 20});
    const uint32_t interval = 2 * sizeof(faulty_state);
    // With keyframes between the journal and the fault, and a hash before each power of two.
    play_to(timeline, 6000, 600);
    ck_assert(512 < 2 * interval && 2 * interval < 1024);
    faulty_state kept;
    ck_assert_int_eq(kifu_state_at(timeline, 2 * interval, &kept, sizeof kept), KIFU_OK);
    bonus = 2;
    kifu_difference difference = must_differ(timeline, 512, 2 * interval - 1);
    must_be_total_of(&difference, kept.total);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(U10_an_event_that_never_does_the_same_is_found_by_two_runs_of_it)
{
    kifu_timeline *timeline = begin((kifu_options){.hash_interval = 64, .keyframe_bytes = 1});
    play_to(timeline, 100, KIFU_NONE);
    faulty_submit_e_counter(timeline);
    faulty_must(timeline, kifu_run(timeline));
    play_to(timeline, 6000, KIFU_NONE);
    kifu_difference difference = must_differ(timeline, 100, 100);
    ck_assert_str_eq(difference.name, "faulty.ECounter");
    ck_assert_str_eq(difference.field, "total");
    faulty_says(kifu_last_error(timeline)->message, "each time it is executed");
    kifu_destroy(timeline);
}
END_TEST

// What a Do finds in a local that it does not set: far down, where no call between two events gets to.
#if defined(__GNUC__)
__attribute__((noinline))
#endif
static void
leave_on_the_stack(unsigned char pattern)
{
    volatile unsigned char stack[20000];
    for (size_t i = 0; i < sizeof stack; i++)
        stack[i] = pattern;
}

START_TEST(U10_an_event_that_reads_what_was_left_on_the_stack_is_found_by_two_runs_of_it)
{
    kifu_timeline *timeline = begin((kifu_options){.hash_interval = 64, .keyframe_bytes = 1});
    play_to(timeline, 100, KIFU_NONE);
    faulty_submit_e_stack_left(timeline);
    leave_on_the_stack(7);
    faulty_must(timeline, kifu_run(timeline));
    play_to(timeline, 6000, KIFU_NONE);
    leave_on_the_stack(9);
    kifu_difference difference;
    ck_assert_int_eq(kifu_verify_replay(timeline, &difference), KIFU_DIVERGED);
#ifdef _WIN32 // Short runs find the same there: then the events between two hashes are named.
    ck_assert_uint_le(difference.first, 100);
    ck_assert_uint_ge(difference.event, 100);
#else
    ck_assert_uint_eq(difference.event, 100);
    ck_assert_uint_eq(difference.first, 100);
    ck_assert_str_eq(difference.name, "faulty.EStackLeft");
    faulty_says(kifu_last_error(timeline)->message, "each time it is executed");
#endif
    kifu_destroy(timeline);
}
END_TEST

START_TEST(U10_a_do_that_fails_in_the_replay_is_named_with_its_reason)
{
    for (int hashes = 1; hashes <= 1000; hashes += 999) {
        kifu_timeline *timeline = begin((kifu_options){.hash_interval = (uint32_t)hashes});
        faulty_submit_e_fail_again(timeline);
        faulty_must(timeline, kifu_run(timeline));
        play_to(timeline, 20, KIFU_NONE);
        kifu_difference difference = must_differ(timeline, 3, 3);
        ck_assert_str_eq(difference.name, "faulty.EFailAgain");
        ck_assert_str_eq(difference.field, "");
        faulty_says(kifu_last_error(timeline)->message, "once is enough");
        kifu_destroy(timeline);
    }
}
END_TEST

static kifu_result fails_again(void *context, kifu_timeline *cards, const cards_p_any *any)
{
    (void)any;
    return *(const bool *)context ? kifu_fail(cards, "it fails now") : KIFU_OK;
}

// The state is the same with the event and without it.
START_TEST(U10_a_last_do_that_fails_in_the_replay_is_named_although_it_changes_nothing)
{
    bool fails = false;
    cards_hooks hooks = {.context = &fails, .in_do = fails_again};
    kifu_timeline *cards = cards_new(&(kifu_options){.user = &hooks});
    cards_submit_p_any(cards, 0, 0);
    must(cards, kifu_run(cards));
    must(cards, kifu_verify_replay(cards, NULL));
    fails = true;
    kifu_difference difference;
    ck_assert_int_eq(kifu_verify_replay(cards, &difference), KIFU_DIVERGED);
    ck_assert_uint_eq(difference.event, 2);
    must_say(cards, "it fails now");
    kifu_destroy(cards);
}
END_TEST

START_TEST(P01_a_write_to_the_state_after_the_last_event_is_found)
{
    kifu_timeline *timeline = begin((kifu_options){.hash_interval = 1});
    faulty_writable(faulty_get_state(timeline))->units[1].strength = 9;
    kifu_difference difference = must_differ(timeline, 2, 2);
    ck_assert_str_eq(difference.field, "units[1].strength");
    ck_assert_str_eq(difference.expected, "0");
    ck_assert_str_eq(difference.actual, "9");
    faulty_says(kifu_last_error(timeline)->message, "after its last event, 2 (faulty.PAdd)");
    kifu_destroy(timeline);

    timeline = faulty_new(NULL);
    faulty_writable(faulty_get_state(timeline))->units[1].strength = 9;
    ck_assert_int_eq(kifu_verify_replay(timeline, &difference), KIFU_DIVERGED);
    ck_assert_uint_eq(difference.event, KIFU_NONE);
    ck_assert_str_eq(difference.field, "units[1].strength");
    faulty_says(kifu_last_error(timeline)->message, "before any event");
    kifu_destroy(timeline);
}
END_TEST

START_TEST(P01_a_write_that_the_journal_does_not_know_is_found_although_a_replay_repeats_it)
{
    for (uint32_t hashes = 1; hashes <= 1000; hashes += 999) {
        kifu_timeline *timeline = begin((kifu_options){.hash_interval = hashes});
        play_to(timeline, 30, KIFU_NONE);
        faulty_submit_e_cast_write(timeline);
        faulty_must(timeline, kifu_run(timeline));
        play_to(timeline, 60, KIFU_NONE);
        kifu_difference difference = must_differ(timeline, 30, 30);
        ck_assert_str_eq(difference.name, "faulty.ECastWrite");
        ck_assert_str_eq(difference.field, "units[1].mood");
        ck_assert_str_eq(difference.expected, "CALM (0)");
        ck_assert_str_eq(difference.actual, "ANGRY (5)");
        faulty_says(kifu_last_error(timeline)->message, "without an edit function");
        kifu_destroy(timeline);
    }
}
END_TEST

// Nothing else was recorded between the journal's beginning and the write. The journal begins behind the last hash: a
// write right behind that is not found.
START_TEST(P01_a_write_that_the_journal_does_not_know_is_found_where_the_journal_is_all_there_is)
{
    enum { LAST_HASH = 4096 };
    static const uint32_t writes[] = {8000, LAST_HASH + 4};
    for (int i = 0; i < 2; i++) {
        kifu_timeline *timeline = begin((kifu_options){.hash_interval = 100000, .keyframe_bytes = 1});
        play_to(timeline, writes[i], KIFU_NONE);
        faulty_submit_e_cast_write(timeline);
        faulty_must(timeline, kifu_run(timeline));
        play_to(timeline, 8010, KIFU_NONE);
        kifu_difference difference;
        if (i == 0)
            must_differ(timeline, writes[i], writes[i]);
        else {
            const kifu_result result = kifu_verify_replay(timeline, &difference);
            ck_assert(!result || (result == KIFU_DIVERGED && difference.first < difference.event));
        }
        kifu_destroy(timeline);
    }
}
END_TEST

// The journal begins where the hash is, at the end.
START_TEST(P01_a_write_to_the_state_after_a_fast_load_is_found)
{
    kifu_timeline *timeline = begin((kifu_options){.hash_interval = 1}), *loaded;
    play_to(timeline, 10, KIFU_NONE);
    unsigned char *bytes;
    size_t size;
    faulty_must(timeline, kifu_save_to_memory(timeline, NULL, &bytes, &size));
    ck_assert_int_eq(kifu_load_from_memory(&faulty_rules, bytes, size, &(kifu_options){.hash_interval = 1},
                                           &(kifu_load_options){.fast = true}, &loaded, NULL),
                     KIFU_OK);
    faulty_writable(faulty_get_state(loaded))->units[1].strength = 9;
    must_differ(loaded, 9, 9);
    faulty_says(kifu_last_error(loaded)->message, "after its last event, 9 (faulty.PAdd)");
    kifu_free_bytes(timeline, bytes);
    kifu_destroy(timeline);
    kifu_destroy(loaded);
}
END_TEST

// --- Do functions that go another way each time ----------------------------------------------------------------------

static kifu_result transact(kifu_timeline *corridor, int32_t number)
{
    kifu_result result = kifu_begin(corridor, 0);
    if (result)
        return result;
    *corridor_edit_uses(corridor) = (uint32_t)number;
    return kifu_commit(corridor);
}

// What the scripted Do does, one letter for each time that it runs; the last one is for ever. A digit: the level; 'f':
// it fails; 'm': it has no memory; 'r': it is refused something, and goes on as '1'.
static const char *script;
static test_memory script_memory = {.until_failure = -1, .for_ever = true};

static kifu_result follow_script(kifu_timeline *corridor, int32_t number)
{
    const char now = *script;
    script += script[1] != '\0';
    if (now == 'f')
        return kifu_fail(corridor, "it fails now");
    if (now == 'm') {
        script_memory.until_failure = 0;
        kifu_result result = transact(corridor, number);
        script_memory.until_failure = -1;
        return result;
    }
    if (now == 'r')
        ck_assert_int_eq(kifu_override(corridor, 1000000, false, false), KIFU_MISUSE);
    *corridor_edit_level(corridor) = (uint8_t)(now == 'r' ? 1 : now - '0');
    return KIFU_OK;
}

static kifu_result write_past_the_journal(kifu_timeline *corridor, int32_t number)
{
    ((corridor_state *)(uintptr_t)kifu_state(corridor))->uses = (uint32_t)number;
    return KIFU_OK;
}

static corridor_plan plan = {.in_do = {[1] = follow_script, [2] = write_past_the_journal, [3] = transact}};

// An event for each letter: '.' nothing, 's' by the script, 'w' a write past the journal, 't' a transaction; and more
// of nothing until there are `count`.
static kifu_timeline *corridor_of(const char *events, uint32_t count, kifu_options options)
{
    static const char letters[] = ".swt";
    kifu_timeline *corridor;
    options.user = &plan;
    ck_assert_int_eq(kifu_create(&corridor_rules, &options, &corridor, NULL), KIFU_OK);
    for (; *events; events++)
        corridor_submit_e_any(corridor, (uint8_t)(strchr(letters, *events) - letters), 5);
    must(corridor, kifu_run(corridor));
    while (kifu_event_count(corridor) < count) {
        corridor_submit_e_any(corridor, 0, 5);
        must(corridor, kifu_run(corridor));
    }
    return corridor;
}

// The first time is when the event happens, the second the run that compares; then the event is looked for.
START_TEST(U10_whatever_a_do_does_each_time_a_difference_is_never_overlooked)
{
    enum { FAR = 4000 }; // The journal does not reach back
    static const struct {
        const char *script, *events;
        uint32_t count, interval, first, event;
        const char *says;
    } cases[] = {
        // It fails, and not when the event is looked for
        {"1f1", "....s...", 0, 1, 4, 4, "it fails now"},
        {"1fr", "....s...", 0, 1, 4, 4, "it fails now"},
        {"1f1", "....s...", 0, 1000, 4, 4, "it fails now"},
        {"1f1", "..........s.....", FAR, 1000, 8, 10, "it fails now"},
        // Nor does it look at the events after that one
        {"11f12", "....ss..", 0, 1, 4, 4, "it fails now"},
        {"11f12", "....ss..", 0, 1000, 4, 4, "it fails now"},
        // So it does, and the next event does otherwise each time
        {"11f1123", "..........ss....", FAR, 1000, 8, 10, "it fails now"},
        // It does otherwise, and fails when the event is looked for
        {"12f", "..........s.....", FAR, 1000, 8, 10, "it fails now"},
        {"122f", "..........s.....", FAR, 1000, 10, 10, "it fails now"},
        {"12f", "..........s.....", 0, 1000, 10, 10, "it fails now"},
        // It does otherwise, and otherwise again
        {"123", "..........s.....", FAR, 1000, 8, 15, "one of the events 8 to 15"},
        {"1234", "..........s.....", FAR, 1000, 10, 10, "each time"},
        // The journal leads astray before the place where it differs
        {"12", "........w.s.....", 20, 1000, 8, 15, "level was 1 and is now 2"},
        // It does otherwise when the event that the journal gets wrong is looked for
        {"11f", "..s.....w.......", 20, 1, 2, 2, "it fails now"},
        {"11f", "..........sw....", 20, 1000, 10, 10, "it fails now"},
        {"112", "..........sw....", 20, 1000, 19, 19, "without an edit function"},
        {"11", "..........sw....", 20, 1000, 11, 11, "uses was 0 before it, and undo would leave 5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        script = cases[i].script;
        kifu_timeline *corridor = corridor_of(cases[i].events, cases[i].count,
                                              (kifu_options){.hash_interval = cases[i].interval, .keyframe_bytes = 1});
        kifu_difference difference;
        const kifu_result result = kifu_verify_replay(corridor, &difference);
        const kifu_error *error = kifu_last_error(corridor);
        ck_assert_msg(result == KIFU_DIVERGED && error->result == KIFU_DIVERGED, "case %zu: %d", i, (int)result);
        ck_assert_msg(difference.first == cases[i].first && difference.event == cases[i].event,
                      "case %zu: %u to %u: %s", i, difference.first, difference.event, error->message);
        ck_assert_uint_eq(error->event, difference.event);
        ck_assert_str_eq(difference.name, "corridor.EAny");
        must_say(corridor, cases[i].says);
        kifu_destroy(corridor);
    }
}
END_TEST

// No other event edits the level: the journal leads to a wrong one from there back to its own beginning.
static kifu_result write_level_past_the_journal(kifu_timeline *corridor, int32_t number)
{
    ((corridor_state *)(uintptr_t)kifu_state(corridor))->level = (uint8_t)number;
    return KIFU_OK;
}

// Whether a game of so many events is found to differ at event `written`, which writes.
static bool finds_write(char *events, uint32_t count, uint32_t written)
{
    const char before = events[written], end = events[count];
    events[written] = 'w';
    events[count] = '\0';
    kifu_timeline *corridor = corridor_of(events, 0, (kifu_options){.hash_interval = 1000000, .keyframe_bytes = 1});
    kifu_difference difference;
    const bool found = kifu_verify_replay(corridor, &difference) == KIFU_DIVERGED && difference.event == written &&
                       difference.first == written;
    if (found)
        must_say(corridor, "changed the state without an edit function: level was 0 before it, and undo would leave 5");
    kifu_destroy(corridor);
    events[written] = before;
    events[count] = end;
    return found;
}

START_TEST(U10_a_write_without_an_edit_is_found_from_where_the_journal_begins)
{
    enum { COUNT = 9000 };
    char events[COUNT + 1] = "";
    memset(events, '.', COUNT);
    plan.in_do[2] = write_level_past_the_journal;
    uint32_t before = 0, first = COUNT - 1; // It is found in this one, and not in that one.
    ck_assert(!finds_write(events, COUNT, before) && finds_write(events, COUNT, first));
    while (first - before > 1) {
        const uint32_t middle = before + (first - before) / 2;
        *(finds_write(events, COUNT, middle) ? &first : &before) = middle;
    }
    ck_assert_uint_ge(COUNT - first, 1024); // of which the journal knows at least
    ck_assert(finds_write(events, COUNT, first + 5));
    ck_assert(finds_write(events, 20, 0)); // The journal of a short game begins where that does.
    plan.in_do[2] = write_past_the_journal;
}
END_TEST

START_TEST(U10_a_state_that_does_not_have_its_hash_names_no_field)
{
    script = "12";
    kifu_timeline *corridor = corridor_of("....s", 0, (kifu_options){.hash_interval = 1, .keyframe_bytes = 1});
    ((corridor_state *)(uintptr_t)kifu_state(corridor))->level = 7; // which is not what it was either
    kifu_difference difference;
    ck_assert_int_eq(kifu_verify_replay(corridor, &difference), KIFU_DIVERGED);
    ck_assert_uint_eq(difference.event, 4);
    ck_assert_uint_eq(difference.first, 4);
    ck_assert_str_eq(difference.field, "");
    must_say(corridor, "event 4 (corridor.EAny) gave another state when it was executed again. See runtime/docs");
    kifu_destroy(corridor);
}
END_TEST

// Where a Do needs memory: it is found out, or there was none, and never a third.
START_TEST(U10_memory_may_end_at_any_allocation)
{
    static const struct {
        const char *script, *events;
        uint32_t count;
        kifu_result expected;
    } cases[] = {{"1", "..s.t", 0, KIFU_OK},
                 {"12", "..ts....", 0, KIFU_DIVERGED},
                 {"12", "..ts....", 3000, KIFU_DIVERGED}, // The journal does not reach back
                 {"11", "...w.t.t", 0, KIFU_DIVERGED}};
    for (size_t way = 0; way < 2 * sizeof cases / sizeof *cases; way++) { // memory ends for ever, or once
        const size_t i = way / 2;
        test_memory memory = {.until_failure = -1, .for_ever = way % 2};
        const kifu_options options = {
            .hash_interval = 64, .keyframe_bytes = 1, .allocate = test_allocate, .allocate_context = &memory};
        script = cases[i].script;
        kifu_timeline *corridor = corridor_of(cases[i].events, cases[i].count, options);
        int shortages = 0;
        bool failed = true;
        for (long at = 0; failed; at++) {
            memory.until_failure = at;
            memory.failed = false;
            const kifu_result result = kifu_verify_replay(corridor, NULL);
            failed = memory.failed;
            memory.until_failure = -1;
            ck_assert_msg(result == cases[i].expected || (failed && result == KIFU_NO_MEMORY),
                          "case %zu, allocation %ld: %d", i, at, (int)result);
            if (result)
                ck_assert_int_eq(kifu_last_error(corridor)->result, result);
            shortages += result == KIFU_NO_MEMORY;
        }
        ck_assert_int_ge(shortages, memory.for_ever ? 2 : 1);
        kifu_destroy(corridor);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

// It returns at once, although it could look for the event that differs: there is memory again.
START_TEST(U10_a_do_without_memory_ends_it)
{
    static const char *const scripts[] = {"112m3", "1112m3"}; // in the run, or when the event is looked for
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        script = scripts[i];
        kifu_timeline *corridor = corridor_of("....ss..", 0,
                                              (kifu_options){.hash_interval = 1000,
                                                             .keyframe_bytes = 1,
                                                             .allocate = test_allocate,
                                                             .allocate_context = &script_memory});
        kifu_difference difference;
        ck_assert_int_eq(kifu_verify_replay(corridor, &difference), KIFU_NO_MEMORY);
        ck_assert_uint_eq(difference.event, KIFU_NONE);
        ck_assert_int_eq(kifu_last_error(corridor)->result, KIFU_NO_MEMORY);
        kifu_destroy(corridor);
    }
}
END_TEST

// --- Where it is not allowed -----------------------------------------------------------------------------------------

static kifu_result verify_inside(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    kifu_result *result = context;
    (void)state;
    (void)event;
    *result = kifu_verify_replay(timeline, NULL);
    return KIFU_OK;
}

START_TEST(U10_while_an_event_runs_or_with_a_model_outside_it_is_misuse)
{
    kifu_timeline *timeline = faulty_begin(NULL);
    kifu_result result = KIFU_OK;
    faulty_must(
        timeline,
        kifu_observe(timeline, &(kifu_observer){.react = verify_inside, .type = FAULTY_P_ADD, .context = &result}));
    faulty_submit_p_add(timeline, 0, 1);
    ck_assert_int_eq(kifu_run(timeline), KIFU_MISUSE);
    ck_assert_int_eq(result, KIFU_MISUSE);
    kifu_destroy(timeline);

    model model = {0};
    kifu_options options = {.reset = model_reset, .user = &model};
    ck_assert_int_eq(kifu_create(&outside_rules, &options, &timeline, NULL), KIFU_OK);
    ck_assert_int_eq(kifu_verify_replay(timeline, NULL), KIFU_MISUSE);
    faulty_says(kifu_last_error(timeline)->message, "outside the state");
    kifu_destroy(timeline);
}
END_TEST

typedef struct budget {
    bool empty;
} budget;

static void *allocate(void *context, void *block, size_t size)
{
    const budget *budget = context;
    if (!size) {
        free(block);
        return NULL;
    }
    return budget->empty ? NULL : realloc(block, size);
}

START_TEST(U10_without_memory_it_says_so)
{
    budget budget = {0};
    kifu_timeline *timeline = begin((kifu_options){.allocate = allocate, .allocate_context = &budget});
    budget.empty = true;
    kifu_difference difference;
    ck_assert_int_eq(kifu_verify_replay(timeline, &difference), KIFU_NO_MEMORY);
    ck_assert_uint_eq(difference.event, KIFU_NONE);
    budget.empty = false;
    must_agree(timeline);
    kifu_destroy(timeline);
}
END_TEST

// A fault at any event, and any spacing of hashes and keyframes: the event is among those that are named.
START_TEST(U10_the_events_named_are_never_the_wrong_ones)
{
    unsigned long events = fuzz_steps(100000);
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 3);
    while (events) {
        uint32_t count = 10 + kifu_rng_below(&rng, 3000);
        uint32_t fault = 3 + kifu_rng_below(&rng, count - 3);
        kifu_options options = {.hash_interval = 1 + kifu_rng_below(&rng, 300),
                                .keyframe_bytes = 1 + kifu_rng_below(&rng, 20000)};
        kifu_timeline *timeline = begin(options);
        play_to(timeline, count, fault);
        bonus = 1;
        kifu_difference difference;
        kifu_result result = kifu_verify_replay(timeline, &difference);
        ck_assert_msg(result == KIFU_DIVERGED, "event %u of %u, a hash each %u: not found", fault, count,
                      options.hash_interval);
        ck_assert_msg(difference.first <= fault && fault <= difference.event &&
                          difference.event - difference.first < options.hash_interval,
                      "event %u of %u, a hash each %u: %u to %u", fault, count, options.hash_interval, difference.first,
                      difference.event);
        if (count - fault < 1000)
            ck_assert_msg(difference.first == difference.event && difference.field[0],
                          "event %u of %u, a hash each %u: %u to %u", fault, count, options.hash_interval,
                          difference.first, difference.event);
        kifu_destroy(timeline);
        events -= events < count ? events : count;
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        U10_a_replay_without_a_difference_passes,
        U10_with_a_hash_after_each_event_the_event_is_named_however_long_ago,
        U10_where_the_journal_reaches_the_event_and_the_field_are_named_without_hashes,
        U10_where_only_a_hash_is_left_the_events_between_two_are_named,
        U10_where_a_keyframe_is_left_the_field_is_named_too,
        U10_a_keyframe_is_as_good_as_a_hash,
        U10_an_event_that_never_does_the_same_is_found_by_two_runs_of_it,
        U10_an_event_that_reads_what_was_left_on_the_stack_is_found_by_two_runs_of_it,
        U10_a_do_that_fails_in_the_replay_is_named_with_its_reason,
        U10_a_last_do_that_fails_in_the_replay_is_named_although_it_changes_nothing,
        P01_a_write_to_the_state_after_the_last_event_is_found,
        P01_a_write_that_the_journal_does_not_know_is_found_although_a_replay_repeats_it,
        P01_a_write_that_the_journal_does_not_know_is_found_where_the_journal_is_all_there_is,
        P01_a_write_to_the_state_after_a_fast_load_is_found,
        U10_whatever_a_do_does_each_time_a_difference_is_never_overlooked,
        U10_a_write_without_an_edit_is_found_from_where_the_journal_begins,
        U10_a_state_that_does_not_have_its_hash_names_no_field,
        U10_memory_may_end_at_any_allocation,
        U10_a_do_without_memory_ends_it,
        U10_while_an_event_runs_or_with_a_model_outside_it_is_misuse,
        U10_without_memory_it_says_so,
        U10_the_events_named_are_never_the_wrong_ones,
    };
    return run_suite("verify replay", tests, sizeof tests / sizeof *tests);
}
