// A fork without a past plays on as one with its past does. What is before it, it refuses.

#include "crawl_help.h"
#include "exact_room.h"
#include "history_help.h"
#include "lab_help.h"
#include "save_help.h"
#include "suite.h"

static kifu_timeline *state_of(const kifu_timeline *timeline)
{
    return fork_of(timeline, KIFU_WITHOUT_PAST, NULL);
}

// From event `begin` on, both are the same; and to go back there costs the fork without a past nothing but its events.
static void must_agree(kifu_timeline *with, kifu_timeline *without, uint32_t begin)
{
    must_be(kifu_event_count(with) == kifu_event_count(without));
    must_be(kifu_state_hash(with) == kifu_state_hash(without));
    must_be(kifu_pending_count(with) == kifu_pending_count(without));
    kifu_event a, b;
    for (uint32_t i = 0; kifu_event_at(with, i, &a); i++) {
        must_be(kifu_event_at(without, i, &b) == (i >= begin));
        const uint32_t cause = a.cause < begin ? KIFU_NONE : a.cause; // One that lies before it is none.
        must_be(i < begin || (a.type == b.type && cause == b.cause && a.player == b.player && a.flags == b.flags));
    }
    const uint32_t chain = kifu_can_undo(with, NULL);
    must_be(kifu_can_undo(without, NULL) == (chain <= kifu_event_count(with) - begin ? chain : 0));
}

START_TEST(X07_a_fork_without_a_past_plays_on_as_one_with_it)
{
    uint32_t seed = (uint32_t)fuzz_seed();
    unsigned undone = 0, waited = 0;
    for (unsigned long n = fuzz_steps(300); n; n--) {
        kifu_timeline *lab = lab_started(NULL);
        for (uint32_t i = next_random(&seed) % 40; i; i--)
            random_lab_step(lab, next_random(&seed));
        waited += kifu_pending_count(lab) > 0;
        kifu_timeline *with = fork_of(lab, KIFU_PRESENT, NULL), *without = state_of(lab);
        uint32_t begin = kifu_event_count(lab);
        must_agree(with, without, begin);
        for (uint32_t i = next_random(&seed) % 60; i; i--) {
            const uint32_t choice = next_random(&seed);
            if (choice % 12 < 2 && !kifu_can_undo(without, NULL)) // before its beginning
                continue;
            random_lab_step(with, choice);
            random_lab_step(without, choice);
            must_agree(with, without, begin);
            must(without, kifu_verify_replay(without, NULL));
            const uint32_t count = kifu_event_count(without), back = begin + choice % (count - begin + 1);
            lab_state one, other;
            must(with, kifu_state_at(with, back, &one, sizeof one));
            must(without, kifu_state_at(without, back, &other, sizeof other));
            must_be(!memcmp(&one, &other, sizeof one));
            must(without, kifu_seek(without, back));
            must_be(!memcmp(lab_get_state(without), &one, sizeof one));
            must(without, kifu_seek(without, KIFU_PRESENT));
            if (choice % 7 == 0) { // a fork of a fork, with as much past as that has
                kifu_timeline *next = choice % 2 ? fork_of(without, KIFU_PRESENT, NULL) : state_of(without);
                kifu_destroy(without);
                kifu_destroy(with);
                with = fork_of(next, KIFU_PRESENT, NULL); // and what redo could bring back is gone from both
                begin = choice % 2 ? begin : count;
                must_be(kifu_first_event(next) == begin);
                without = next;
                break;
            }
        }
        while (kifu_can_undo(without, NULL)) {
            must(without, kifu_undo(without));
            undone++;
        }
        must_be(kifu_event_count(without) >= begin);
        kifu_destroy(without);
        kifu_destroy(with);
        kifu_destroy(lab);
    }
    ck_assert_uint_gt(undone, 50);
    ck_assert_uint_gt(waited, 50);
}
END_TEST

// The first of its states is the one to go back to where the journal does not reach.
START_TEST(X07_undo_in_a_fork_without_a_past_goes_back_to_its_beginning)
{
    for (size_t budget = 1; budget < 2 << 20; budget <<= 20) {
        const kifu_options options = {.quiet = true, .keyframe_bytes = budget};
        kifu_timeline *lab = lab_started(&options);
        lab_submit_p_add(lab, 0, 5);
        must(lab, kifu_run(lab));
        kifu_timeline *fork = state_of(lab);
        const uint64_t hash = kifu_state_hash(fork);
        for (int i = 0; i < 5000; i++)
            lab_submit_p_add(fork, 0, 1);
        must(fork, kifu_run(fork));
        for (int i = 0; i < 5000; i++)
            must(fork, kifu_undo(fork));
        ck_assert_uint_eq(kifu_state_hash(fork), hash);
        kifu_error error;
        ck_assert_uint_eq(kifu_can_undo(fork, &error), 0);
        ck_assert_int_eq(error.result, KIFU_NOTHING_TO_UNDO);
        must(fork, kifu_redo(fork));
        ck_assert_int_eq(lab_get_state(fork)->total, 6);
        kifu_destroy(fork);
        kifu_destroy(lab);
    }
}
END_TEST

// Where the past is forgotten, the only line of a fork begins there, and so do those that branch off from it.
START_TEST(V11_the_line_of_a_fork_begins_where_the_past_is_forgotten)
{
    const kifu_options keeping = {.keep_variations = kifu_keep_variations};
    kifu_line line;
    kifu_event event;
    for (int past = 0; past < 2; past++) {
        kifu_timeline *lab = lab_started(&keeping);
        for (int i = 0; i < 4; i++)
            must_be(!lab_play(lab, "+"));
        must(lab, kifu_forget(lab, 3));
        kifu_timeline *fork = fork_of(lab, past ? KIFU_PRESENT : KIFU_WITHOUT_PAST, &keeping);
        must_be(kifu_line_at(fork, 0, &line));
        must_be(line.from == kifu_first_event(fork) && line.count == kifu_event_count(fork) - line.from);
        must_be(!lab_play(fork, "+") && !kifu_undo(fork) && !lab_play(fork, "-"));
        must_be(kifu_line_at(fork, 1, &line) && line.count == 1);
        for (uint32_t i = kifu_first_event(fork); i < line.from; i++)
            must_be(kifu_line_event(fork, 0, i, &event) && event.index == i);
        kifu_destroy(fork);
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(X07_what_is_before_a_fork_without_a_past_is_refused)
{
    kifu_timeline *lab = lab_started(NULL);
    for (int i = 0; i < 6; i++)
        must(lab, lab_play(lab, "+(r)"));
    kifu_timeline *fork = state_of(lab), *none;
    const uint32_t begin = kifu_event_count(lab);
    must(fork, lab_play(fork, "1"));
    lab_state state;
    unsigned char *bytes;
    size_t size;
    kifu_error error;
    kifu_cursor *cursor;
    must_refuse(fork, kifu_seek(fork, begin - 1));
    must_refuse(fork, kifu_state_at(fork, begin - 1, &state, sizeof state));
    must_refuse(fork, kifu_cursor_open(fork, begin - 1, &cursor));
    must_refuse(fork, kifu_save_to_memory(fork, NULL, &bytes, &size));
    must_refuse(fork, kifu_save(fork, "none.kifu", NULL));
    must_refuse(fork, kifu_log_open(fork, "none.kifu", NULL));
    ck_assert_int_eq(kifu_fork(fork, begin - 1, NULL, &none, &error), KIFU_MISUSE);
    ck_assert_ptr_nonnull(strstr(error.message, "is forgotten"));
    must(fork, kifu_cursor_open(fork, begin, &cursor));
    ck_assert_mem_eq(kifu_cursor_state(cursor), lab_get_state(lab), sizeof state);
    must_refuse(fork, kifu_cursor_back(cursor));
    kifu_cursor_close(cursor);
    // What happened in a transaction of the original is no matter here, and one of its own works.
    must(fork, kifu_begin(fork, 0));
    must(fork, lab_play(fork, "2"));
    must(fork, kifu_roll_back(fork));
    ck_assert_str_eq(lab_trace(fork), "1");
    kifu_destroy(fork);
    // Of the past that is shown, without what waits in the present.
    lab_do(lab, 0, "9", 1);
    must(lab, kifu_seek(lab, 3));
    fork = state_of(lab);
    ck_assert_uint_eq(kifu_event_count(fork), 3);
    ck_assert_uint_eq(kifu_pending_count(fork), 0);
    ck_assert_mem_eq(lab_get_state(fork), lab_get_state(lab), sizeof state);
    kifu_destroy(fork);
    kifu_destroy(lab);
}
END_TEST

START_TEST(X07_a_fork_without_a_past_and_without_memory_leaves_nothing)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .quiet = true};
    kifu_timeline *crawl = crawl_new(&options);
    for (uint32_t i = 0; i < 40; i++) {
        if (i % 8 == 0)
            bell_at(crawl, i, 2, 0);
        else
            crawl_submit_e_start_round(crawl);
    }
    must(crawl, kifu_run(crawl));
    for (long n = 0, more = 1; more; n++) {
        const long blocks = memory.blocks;
        memory.until_failure = n;
        memory.failed = false;
        kifu_timeline *fork;
        kifu_error error;
        const kifu_result result = kifu_fork(crawl, KIFU_WITHOUT_PAST, NULL, &fork, &error);
        memory.until_failure = -1;
        more = memory.failed;
        ck_assert_int_eq(result, more ? KIFU_NO_MEMORY : KIFU_OK);
        kifu_destroy(fork);
        ck_assert_int_eq(memory.blocks, blocks);
    }
    kifu_destroy(crawl);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

START_TEST(X07_timed_events_come_along)
{
    for (int way = 0; way < 3; way++) {
        kifu_timeline *crawl = crawl_new(NULL);
        for (uint32_t i = 0; i < 200; i++) { // over several segments, and some of it in the last
            if (i % 40 == 0 || i == 199)
                bell_at(crawl, i, 1 + i % 3, 0);
            else
                crawl_submit_e_start_round(crawl);
            must(crawl, kifu_run(crawl));
        }
        if (way == 1) {
            kifu_timeline *loaded = reload(crawl, NULL);
            kifu_destroy(crawl);
            crawl = loaded;
        }
        kifu_timeline *with = fork_of(crawl, KIFU_PRESENT, NULL), *without = state_of(crawl);
        kifu_destroy(crawl);
        if (way == 2) { // a fork of a fork
            kifu_timeline *next = state_of(without);
            kifu_destroy(without);
            without = fork_of(next, KIFU_PRESENT, NULL);
            kifu_destroy(next);
        }
        for (int turn = 0; turn < 4; turn++) {
            crawl_submit_e_begin_turn(with);
            crawl_submit_e_begin_turn(without);
            must(with, kifu_run(with));
            must(without, kifu_run(without));
            ck_assert_uint_eq(kifu_event_count(with), kifu_event_count(without));
            ck_assert_uint_eq(kifu_state_hash(with), kifu_state_hash(without));
        }
        ck_assert_uint_eq(crawl_get_state(without)->bell_count, 6);
        must(without, kifu_verify_replay(without, NULL));
        kifu_destroy(without);
        kifu_destroy(with);
    }
}
END_TEST

// A timed event lies in events that had room for more when a large one came. The fork has none of those in between: so
// its own events do not follow there, even when it is the only one that has them.
START_TEST(M08_events_of_a_fork_do_not_follow_behind_a_timed_one_that_it_keeps)
{
    uint64_t numbers[4096] = {0};
    kifu_timeline *crawl = crawl_new(NULL);
    bell_at(crawl, 7, 2, 0);
    must(crawl, kifu_run(crawl));
    crawl_submit_e_words(crawl, &(crawl_e_words_args){.title = "long", .numbers = numbers, .numbers_count = 4096});
    must(crawl, kifu_run(crawl));
    kifu_timeline *without = state_of(crawl);
    kifu_destroy(crawl);
    const uint32_t begin = kifu_event_count(without);
    must(without, kifu_begin(without, 0));
    crawl_submit_e_start_round(without);
    must(without, kifu_run(without));
    must(without, kifu_roll_back(without));
    crawl_submit_e_begin_turn(without);
    must(without, kifu_run(without));
    kifu_event event;
    ck_assert(kifu_event_at(without, begin, &event));
    ck_assert_uint_eq(event.type, CRAWL_E_BEGIN_TURN);
    must(without, kifu_verify_replay(without, NULL));
    kifu_destroy(without);
}
END_TEST

START_TEST(M08_a_fork_has_all_notes_or_is_none)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {
        .allocate = test_allocate, .allocate_context = &memory, .quiet = true, .keep_notes = kifu_keep_notes};
    kifu_timeline *lab = lab_started(&options);
    must(lab, kifu_set_note(lab, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT, "before"));
    must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "first"));
    for (long n = 0, more = 1; more; n++) {
        const long blocks = memory.blocks;
        memory.until_failure = n;
        memory.failed = false;
        kifu_timeline *fork;
        kifu_error error;
        const kifu_result result = kifu_fork(lab, KIFU_PRESENT, &options, &fork, &error);
        memory.until_failure = -1;
        more = memory.failed;
        ck_assert_int_eq(result, more ? KIFU_NO_MEMORY : KIFU_OK);
        if (!result) {
            ck_assert_str_eq(kifu_note_at(fork, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT), "before");
            ck_assert_str_eq(kifu_note_at(fork, 0, KIFU_NOTE_COMMENT), "first");
        }
        kifu_destroy(fork);
        ck_assert_int_eq(memory.blocks, blocks);
    }
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

typedef struct kifu__note kifu__note;
kifu__note *__real_kifu__note_after(kifu__note *top, uint32_t line, uint32_t place, const char *key);
kifu__note *__wrap_kifu__note_after(kifu__note *top, uint32_t line, uint32_t place, const char *key);

static int steps; // from note to note

kifu__note *__wrap_kifu__note_after(kifu__note *top, uint32_t line, uint32_t place, const char *key)
{
    steps++;
    return __real_kifu__note_after(top, line, place, key);
}

static int steps_of_fork(const kifu_timeline *timeline, uint32_t count)
{
    steps = 0;
    kifu_destroy(fork_of(timeline, count, NULL));
    return steps;
}

START_TEST(M08_X07_a_fork_looks_at_no_note_that_it_does_not_get)
{
    const kifu_options options = {.quiet = true, .keep_notes = kifu_keep_notes};
    kifu_timeline *lab = lab_started(&options);
    must(lab, kifu_set_note(lab, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT, "before"));
    must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "first"));
    must(lab, lab_play(lab, "+"));
    const int without = steps_of_fork(lab, KIFU_WITHOUT_PAST), with_one = steps_of_fork(lab, 1);
    ck_assert_int_gt(with_one, without);
    for (int i = 0; i < 100; i++) {
        char key[20];
        snprintf(key, sizeof key, "key %d", i);
        must(lab, kifu_set_note(lab, kifu_event_count(lab) - 1, key, "last"));
    }
    ck_assert_int_eq(steps_of_fork(lab, KIFU_WITHOUT_PAST), without);
    ck_assert_int_eq(steps_of_fork(lab, 1), with_one);
    kifu_destroy(lab);
}
END_TEST

static kifu_result react_once(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)context, (void)timeline, (void)state, (void)event;
    return KIFU_OK;
}

static kifu_result with_reaction(kifu_timeline *timeline)
{
    return kifu_observe(timeline, &(kifu_observer){.react = react_once});
}

// The fork would have to react to events that it does not have.
START_TEST(M08_X07_no_fork_without_a_past_while_reactions_wait_for_a_commit)
{
    kifu_timeline *lab = lab_started(NULL), *fork;
    kifu_error error;
    const kifu_options reacting = {.prepare = with_reaction};
    must(lab, kifu_begin(lab, KIFU_DEFERRED));
    for (int played = 0; played < 2; played++) { // At first, there is nothing to react to.
        for (int reacts = 0; reacts < 2; reacts++) {
            const kifu_result result = kifu_fork(lab, KIFU_WITHOUT_PAST, reacts ? &reacting : NULL, &fork, &error);
            ck_assert_int_eq(result, played && reacts ? KIFU_MISUSE : KIFU_OK);
            ck_assert_msg(!result || strstr(error.message, "commit first"), "%s", error.message);
            ck_assert((fork == NULL) == (result != KIFU_OK));
            kifu_destroy(fork);
        }
        must(lab, lab_play(lab, "+"));
    }
    must(lab, kifu_commit(lab));
    must(lab, kifu_fork(lab, KIFU_WITHOUT_PAST, &reacting, &fork, &error));
    kifu_destroy(fork);
    kifu_destroy(lab);
}
END_TEST

START_TEST(M08_X07_a_ticket_of_a_fork_without_a_past_is_of_one_proposal)
{
    kifu_timeline *lab = lab_started(NULL);
    const kifu_ticket waits = lab_do(lab, 0, "1", 1);
    kifu_timeline *without = state_of(lab);
    ck_assert_uint_eq(kifu_pending_count(without), 1);
    ck_assert_uint_eq(lab_do(without, 0, "2", 1), waits + 1);
    kifu_destroy(without);
    kifu_destroy(lab);
}
END_TEST

static size_t bytes_of_fork(uint32_t bells)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .quiet = true};
    kifu_timeline *crawl = crawl_new(NULL), *fork;
    for (uint32_t i = 0; i < 8; i++) {
        if (i < bells)
            bell_at(crawl, i, 2, 0);
        else
            crawl_submit_e_start_round(crawl);
    }
    must(crawl, kifu_run(crawl));
    kifu_error error;
    ck_assert_msg(!kifu_fork(crawl, KIFU_WITHOUT_PAST, &options, &fork, &error), "%s", error.message);
    const size_t bytes = memory.bytes;
    kifu_destroy(fork);
    kifu_destroy(crawl);
    return bytes;
}

// Many timed events lie beside one another.
START_TEST(M08_X07_a_fork_copies_each_timed_event_once)
{
    const size_t one = bytes_of_fork(1);
    ck_assert_uint_lt(bytes_of_fork(8), one + one / 8);
}
END_TEST

// What a fork plays begins a segment of its own.
START_TEST(M08_X07_timed_events_before_and_after_a_fork_come_along)
{
    kifu_timeline *crawl = crawl_new(NULL);
    bell_at(crawl, 1, 2, 0);
    must(crawl, kifu_run(crawl));
    kifu_timeline *first = state_of(crawl);
    kifu_destroy(crawl);
    bell_at(first, 2, 2, 0);
    must(first, kifu_run(first));
    kifu_timeline *second = state_of(first);
    kifu_destroy(first);
    for (int turn = 0; turn < 2; turn++)
        crawl_submit_e_begin_turn(second);
    must(second, kifu_run(second));
    ck_assert_uint_eq(crawl_get_state(second)->bell_count, 2);
    kifu_destroy(second);
}
END_TEST

// What was timed last before lines part, or first behind it, belongs to one of them.
START_TEST(M08_X07_what_was_timed_where_lines_part_comes_along)
{
    for (int behind = 0; behind < 2; behind++) {
        kifu_timeline *crawl = crawl_new(&(kifu_options){.keep_variations = kifu_keep_variations});
        crawl_submit_e_start_round(crawl);
        must(crawl, kifu_run(crawl));
        if (!behind)
            bell_at(crawl, 1, 2, 0);
        must(crawl, kifu_run(crawl));
        const uint32_t parting = kifu_event_count(crawl);
        must(crawl, kifu_override(crawl, crawl_submit_e_start_round(crawl), true, false)); // begins a chain
        crawl_submit_e_start_round(crawl);
        must(crawl, kifu_run(crawl));
        must(crawl, kifu_go_to(crawl, 0, parting, true));
        if (behind)
            bell_at(crawl, 1, 2, 0);
        else
            crawl_submit_e_words(crawl, &(crawl_e_words_args){.title = "another line"});
        must(crawl, kifu_run(crawl));
        ck_assert_uint_eq(kifu_current_line(crawl), 1);
        kifu_timeline *without = state_of(crawl);
        kifu_destroy(crawl);
        for (int turn = 0; turn < 2; turn++)
            crawl_submit_e_begin_turn(without);
        must(without, kifu_run(without));
        ck_assert_uint_eq(crawl_get_state(without)->bell_count, 1);
        kifu_destroy(without);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        X07_a_fork_without_a_past_plays_on_as_one_with_it,
        X07_undo_in_a_fork_without_a_past_goes_back_to_its_beginning,
        V11_the_line_of_a_fork_begins_where_the_past_is_forgotten,
        X07_what_is_before_a_fork_without_a_past_is_refused,
        X07_a_fork_without_a_past_and_without_memory_leaves_nothing,
        X07_timed_events_come_along,
        M08_a_fork_has_all_notes_or_is_none,
        M08_X07_a_fork_looks_at_no_note_that_it_does_not_get,
        M08_events_of_a_fork_do_not_follow_behind_a_timed_one_that_it_keeps,
        M08_X07_no_fork_without_a_past_while_reactions_wait_for_a_commit,
        M08_X07_a_ticket_of_a_fork_without_a_past_is_of_one_proposal,
        M08_X07_a_fork_copies_each_timed_event_once,
        M08_X07_what_was_timed_where_lines_part_comes_along,
        M08_X07_timed_events_before_and_after_a_fork_come_along,
    };
    return run_suite("forks without a past", tests, sizeof tests / sizeof *tests);
}
