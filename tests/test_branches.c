// Each event belongs to one branch, for good (R01): whoever has looked at it finds it where it was, wherever the game
// goes.

#include "suite.h"
#include "tally_help.h"

enum { EVENTS = 60, LINES = 20 };

// Where the event lies.
static const void *table_of(const kifu_timeline *timeline, uint32_t line, uint32_t index)
{
    kifu_event event;
    ck_assert(kifu_line_event(timeline, line, index, &event));
    return event.table;
}

// Line 0, and others that branch off from it and from each other.
static kifu_timeline *new_tree(test_memory *memory)
{
    kifu_timeline *timeline = new_tally(memory);
    for (int i = 1; i <= EVENTS; i++)
        play(timeline, i);
    for (uint32_t line = 1; line < LINES; line++) {
        must(timeline, kifu_go_to(timeline, line / 2, EVENTS / 2 + line, false));
        for (int i = 0; i < EVENTS; i++)
            play(timeline, 1000 * (int)line + i);
        ck_assert_uint_eq(kifu_current_line(timeline), line);
    }
    return timeline;
}

// Calls `each` for every event of the tree.
static void look(const kifu_timeline *timeline, const void **tables, void (*each)(const void **table, const void *now))
{
    for (uint32_t id = 0; id < LINES; id++) {
        kifu_line line;
        ck_assert(kifu_find_line(timeline, id, &line));
        ck_assert_uint_le(line.count, 4 * EVENTS);
        for (uint32_t i = 0; i < line.count; i++)
            each(&tables[id * 4 * EVENTS + i], table_of(timeline, id, line.from + i));
    }
}

static void remember(const void **table, const void *now)
{
    *table = now;
}

static void compare(const void **table, const void *now)
{
    ck_assert_ptr_eq(*table, now);
}

START_TEST(R01_no_event_moves_wherever_the_game_goes)
{
    static const void *tables[LINES * 4 * EVENTS];
    kifu_timeline *timeline = new_tree(NULL);
    look(timeline, tables, remember);
    for (uint32_t i = 0; i < 3 * LINES; i++) {
        const uint32_t line = 7 * i % LINES;
        must(timeline, kifu_go_to(timeline, line, KIFU_WHERE_LEFT, false));
        look(timeline, tables, compare);
        must(timeline, kifu_promote_line(timeline, line));
        must(timeline, kifu_undo(timeline));
        must(timeline, kifu_begin(timeline, i % 2 ? KIFU_SEARCH : 0)); // Events lie behind the place.
        play(timeline, -1);
        play(timeline, -2);
        must(timeline, kifu_roll_back(timeline));
        look(timeline, tables, compare);
        must(timeline, kifu_go_to(timeline, line, 1, false)); // far before the line
        must(timeline, kifu_begin(timeline, KIFU_SEARCH));
        play(timeline, -3);
        must(timeline, kifu_roll_back(timeline));
        ck_assert_uint_eq(kifu_current_line(timeline), line);
        look(timeline, tables, compare);
        while (kifu_can_redo(timeline, NULL))
            must(timeline, kifu_redo(timeline));
    }
    must(timeline, kifu_verify_replay(timeline, NULL));
    kifu_destroy(timeline);
}
END_TEST

START_TEST(R01_the_way_from_line_to_line_needs_no_memory)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *timeline = new_tree(&memory);
    for (int round = 0; round < 2; round++) {
        const long before = memory.calls;
        for (uint32_t line = 0; line < LINES; line++)
            must(timeline, kifu_go_to(timeline, 7 * line % LINES, KIFU_WHERE_LEFT, false));
        ck_assert(!round || memory.calls == before); // The first time, hashes are recorded on the way.
    }
    kifu_destroy(timeline);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

static uint32_t executed; // events, live or again

static kifu_result do_counted(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                              void *transient)
{
    executed++;
    return tally_rules.do_event(timeline, type, state, event, transient);
}

static kifu_result replay_counted(kifu_timeline *timeline, const kifu__run *run, const void *state, void *transient,
                                  uint32_t *done)
{
    executed += run->count;
    return tally_rules.replay(timeline, run, state, transient, done);
}

// So many events are executed for a switch, an undo and a redo in a game of that length. No memory is asked for.
static uint32_t count_ways(uint32_t length)
{
    enum { PARTED = 8, TIMES = 10 };
    kifu_rules counted = tally_rules;
    counted.do_event = do_counted;
    counted.replay = replay_counted;
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {
        .allocate = test_allocate, .allocate_context = &memory, .keep_variations = kifu_keep_variations};
    kifu_timeline *timeline;
    ck_assert_int_eq(kifu_create(&counted, &options, &timeline, NULL), KIFU_OK);
    for (uint32_t i = 0; i < length; i++)
        play(timeline, 1);
    must(timeline, kifu_go_to(timeline, 0, length - PARTED, false));
    for (int i = 0; i < PARTED; i++)
        play(timeline, 2);
    long calls = 0;
    for (int i = 0; i < 2 + TIMES; i++) {
        if (i == 2) { // Hashes along both ways are recorded.
            executed = 0;
            calls = memory.calls;
        }
        must(timeline, kifu_go_to(timeline, (uint32_t)i % 2, length, false));
        must(timeline, kifu_undo(timeline));
        must(timeline, kifu_redo(timeline));
    }
    ck_assert_int_eq(memory.calls, calls);
    ck_assert_uint_eq(executed, TIMES * (PARTED + 1));
    kifu_destroy(timeline);
    ck_assert_int_eq(memory.blocks, 0);
    return executed;
}

START_TEST(R07_a_switch_costs_what_differs_at_any_length)
{
    const uint32_t steps = count_ways(100);
    ck_assert_uint_eq(count_ways(3000), steps);
    ck_assert_uint_eq(count_ways(30000), steps);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        R01_no_event_moves_wherever_the_game_goes,
        R01_the_way_from_line_to_line_needs_no_memory,
        R07_a_switch_costs_what_differs_at_any_length,
    };
    return run_suite("branches", tests, sizeof tests / sizeof *tests);
}
