// Variations, thousands of them: what is done costs what it costs with few. Shown by counting, and by lines that
// nobody can look at without going wrong.

#include "history/lines.h"
#include "history_help.h"
#include "suite.h"
#include "tally.h"

enum { MANY = 400 };

static kifu_timeline *new_tally(test_memory *memory)
{
    kifu_options options = {.keep_variations = kifu_keep_variations, .quiet = true};
    kifu_timeline *timeline;
    if (memory) {
        *memory = (test_memory){.until_failure = -1};
        options.allocate = test_allocate;
        options.allocate_context = memory;
    }
    must_be(!kifu_create(&tally_rules, &options, &timeline, NULL));
    return timeline;
}

static void play(kifu_timeline *timeline, uint32_t amount)
{
    tally_submit_p_add(timeline, 0, (int32_t)amount + 1, NULL);
    must(timeline, kifu_run(timeline));
}

static void play_many(kifu_timeline *timeline, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        play(timeline, i);
}

// Amounts that were not played at this place.
static uint32_t other(uint32_t i)
{
    return 1000000 + i;
}

// Each from another place of line 0.
static void fan_out(kifu_timeline *timeline, uint32_t count)
{
    play_many(timeline, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        must(timeline, kifu_go_to(timeline, 0, i, false));
        play(timeline, other(i));
    }
    must_be(kifu_line_count(timeline) == count + 1);
}

// Each from the one before it.
static void nest(kifu_timeline *timeline, uint32_t count)
{
    play(timeline, 0);
    for (uint32_t i = 1; i <= count; i++) {
        play(timeline, i);
        must(timeline, kifu_undo(timeline));
        play(timeline, other(i));
    }
    must_be(kifu_line_count(timeline) == count + 1);
}

// All from one place.
static void fan_out_here(kifu_timeline *timeline, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        play(timeline, other(i));
        must(timeline, kifu_undo(timeline));
    }
}

// --- A new line ------------------------------------------------------------------------------------------------------

// A line says that it begins where the next one will; whoever looks at its events does so no more.
static void pretend(kifu__line *line, uint32_t from)
{
    line->from = from;
    line->branch = NULL;
}

START_TEST(V10_a_new_variation_looks_at_no_other)
{
    kifu_timeline *timeline = new_tally(NULL);
    fan_out(timeline, MANY);
    must(timeline, kifu_go_to(timeline, 0, MANY / 2, false));
    kifu__lines *lines = kifu__lines_of(timeline);
    static kifu__line before[MANY];
    for (uint32_t id = 1; id < lines->indexed; id++) {
        before[id] = lines->items[id];
        pretend(&lines->items[id], MANY / 2);
    }
    ck_assert_uint_ge(lines->indexed, MANY);
    play(timeline, other(MANY));
    ck_assert_uint_eq(kifu_current_line(timeline), MANY + 1);
    for (uint32_t id = 1; id < MANY; id++)
        lines->items[id] = before[id];
    must(timeline, kifu_go_to(timeline, 0, MANY / 2, false));
    play(timeline, other(MANY / 2)); // This one is there.
    ck_assert_uint_eq(kifu_current_line(timeline), MANY / 2 + 1);
    kifu_destroy(timeline);
}
END_TEST

// Calls for memory of one more line beside so many.
static long calls_beside(uint32_t count)
{
    test_memory memory;
    kifu_timeline *timeline = new_tally(&memory);
    play(timeline, 0);
    fan_out_here(timeline, count);
    const long before = memory.calls;
    play(timeline, other(count));
    const long calls = memory.calls - before;
    must(timeline, kifu_undo(timeline));
    for (uint32_t i = 0; i < count; i += 7) { // Each is found.
        play(timeline, other(i));
        must_be(kifu_current_line(timeline) == i);
        must(timeline, kifu_undo(timeline));
    }
    must_be(kifu_line_count(timeline) == count + 1);
    kifu_destroy(timeline);
    ck_assert_int_eq(memory.blocks, 0);
    return calls;
}

START_TEST(V10_one_more_variation_from_a_place_costs_what_the_first_did)
{
    ck_assert_int_le(calls_beside(5 * MANY), calls_beside(10) + 4);
}
END_TEST

// How many lines are gone through, on average, until one of these is found.
static double steps_to_a_line(uint32_t count)
{
    kifu_timeline *timeline = new_tally(NULL);
    play(timeline, 0);
    fan_out_here(timeline, count);
    const kifu__lines *lines = kifu__lines_of(timeline);
    uint32_t steps = 0, found = 0;
    for (uint32_t bucket = 0; bucket < lines->bucket_count; bucket++) {
        uint32_t behind = 0;
        for (uint32_t id = lines->buckets[bucket]; id; id = lines->items[id].next) {
            steps += ++behind;
            found++;
        }
    }
    must_be(found + 2 == count); // Neither line 0 nor the last one, which is indexed when the next one begins.
    kifu_destroy(timeline);
    return (double)steps / found;
}

START_TEST(M07_V10_a_line_among_20000_from_one_place_is_found_in_a_few_steps)
{
    ck_assert_double_lt(steps_to_a_line(200), 3);
    ck_assert_double_lt(steps_to_a_line(20000), 3);
}
END_TEST

START_TEST(V10_lines_that_were_deleted_are_not_looked_at)
{
    test_memory memory;
    kifu_timeline *timeline = new_tally(&memory);
    long calls = 0;
    play(timeline, 0);
    play(timeline, 1);
    must(timeline, kifu_undo(timeline));
    for (uint32_t i = 1; i < MANY; i++) {
        const long before = memory.calls;
        play(timeline, 2);
        calls = memory.calls - before;
        must_be(kifu_current_line(timeline) == i);
        must(timeline, kifu_go_to(timeline, 0, 1, false));
        must(timeline, kifu_delete_line(timeline, i));
    }
    ck_assert_int_le(calls, 30);
    kifu_destroy(timeline);
}
END_TEST

// A move beside the end of a long line.
START_TEST(V10_a_variation_of_one_move_needs_little_memory)
{
    test_memory memory;
    kifu_timeline *timeline = new_tally(&memory);
    play_many(timeline, 20 * MANY);
    must(timeline, kifu_undo(timeline));
    fan_out_here(timeline, 10);
    const size_t before = memory.bytes;
    for (uint32_t i = 0; i < 32; i++) {
        play(timeline, i);
        must(timeline, kifu_undo(timeline));
    }
    ck_assert_uint_le((memory.bytes - before) / 32, 2048);
    kifu_destroy(timeline);
}
END_TEST

// What the parent has behind the place stays where it is.
START_TEST(V10_the_rest_of_the_parent_stays_where_it_is)
{
    kifu_timeline *timeline = new_tally(NULL);
    play_many(timeline, 20 * MANY);
    must(timeline, kifu_go_to(timeline, 0, 10, false));
    play(timeline, other(0));
    const kifu__line *parent = &kifu__lines_of(timeline)->items[0];
    const kifu__segment *segments = parent->branch->segments;
    must(timeline, kifu_undo(timeline));
    play(timeline, other(1));
    must(timeline, kifu_go_to(timeline, 1, 11, false)); // from one to the other
    parent = &kifu__lines_of(timeline)->items[0];
    ck_assert_ptr_eq(parent->branch->segments, segments);
    must(timeline, kifu_undo(timeline));
    must(timeline, kifu_undo(timeline));
    play(timeline, other(2)); // from the parent, one event earlier
    parent = &kifu__lines_of(timeline)->items[0];
    ck_assert_ptr_eq(parent->branch->segments, segments);
    must(timeline, kifu_go_to(timeline, 0, 20 * MANY, false));
    ck_assert_int_eq(tally_get_state(timeline)->total, 20 * MANY * (20 * MANY + 1) / 2);
    kifu_destroy(timeline);
}
END_TEST

// --- Ways ------------------------------------------------------------------------------------------------------------

// Lines of which nobody can find the parent.
static void hide_parents(kifu__lines *lines, uint32_t end, bool hidden)
{
    for (uint32_t id = 1; id < end; id++)
        lines->items[id].parent ^= hidden ? UINT32_C(0x40000000) : 0;
}

START_TEST(V10_a_way_between_lines_leads_over_those_in_between)
{
    kifu_timeline *timeline = new_tally(NULL);
    nest(timeline, MANY);
    const int64_t total = tally_get_state(timeline)->total;
    kifu__lines *lines = kifu__lines_of(timeline);
    hide_parents(lines, MANY - 2, true);
    must(timeline, kifu_go_to(timeline, MANY - 2, KIFU_WHERE_LEFT, false));
    must(timeline, kifu_go_to(timeline, MANY, KIFU_WHERE_LEFT, false));
    ck_assert_int_eq(tally_get_state(timeline)->total, total);
    must(timeline, kifu_undo(timeline));
    must(timeline, kifu_redo(timeline));
    must(timeline, kifu_undo(timeline));
    play(timeline, 1); // a new line
    ck_assert_uint_eq(kifu_current_line(timeline), MANY + 1);
    for (uint32_t id = 1; id < MANY - 2; id++)
        lines->items[id].parent &= UINT32_C(0x3FFFFFFF);
    must(timeline, kifu_go_to(timeline, 0, 0, false));
    ck_assert_int_eq(tally_get_state(timeline)->total, 0);
    kifu_destroy(timeline);
}
END_TEST

// While the way leads down through the first half of the lines, nobody can find the parent of the last one.
static kifu_timeline *going;

static void *look_at_way(void *context, void *block, size_t size)
{
    const kifu__lines *lines = going ? kifu__lines_of(going) : NULL;
    if (lines)
        lines->items[MANY].parent = lines->current && lines->current < MANY / 2 ? UINT32_C(0x40000000) : MANY - 1;
    return test_allocate(context, block, size);
}

START_TEST(V10_a_way_down_is_looked_for_once)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {
        .allocate = look_at_way, .allocate_context = &memory, .quiet = true, .keep_variations = kifu_keep_variations};
    kifu_timeline *timeline;
    going = NULL;
    must_be(!kifu_create(&tally_rules, &options, &timeline, NULL));
    nest(timeline, MANY);
    const int64_t total = tally_get_state(timeline)->total;
    const size_t bytes = memory.bytes;
    must(timeline, kifu_go_to(timeline, 0, 1, false));
    going = timeline;
    must(timeline, kifu_go_to(timeline, MANY, KIFU_WHERE_LEFT, false));
    going = NULL;
    ck_assert_int_eq(tally_get_state(timeline)->total, total);
    ck_assert_uint_le(memory.peak, 2 * bytes); // What redo could bring back is there once.
    kifu_destroy(timeline);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

// Every way to search for a branch, but from one to its parent, is gone while `far` is.
static kifu__branch *far_of[MANY + 1];

static void hide_far(kifu_timeline *timeline, bool hidden)
{
    const kifu__lines *lines = kifu__lines_of(timeline);
    for (uint32_t id = 0; id <= MANY; id++) {
        kifu__branch *branch = lines->items[id].branch;
        far_of[id] = hidden ? branch->far : far_of[id];
        branch->far = hidden ? NULL : far_of[id];
    }
}

enum { HIDDEN_FROM = 66, HIDDEN_TO = 120 }; // Hashes are due at powers of two, and have a branch, too.

static void hide_for_a_while(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    uint32_t *events = context;
    (void)state, (void)change;
    if (++*events == HIDDEN_FROM || *events == HIDDEN_TO)
        hide_far(timeline, *events == HIDDEN_FROM);
}

START_TEST(V10_R07_a_way_forward_searches_for_no_branch)
{
    uint32_t events = 0;
    kifu_timeline *timeline = new_tally(NULL);
    nest(timeline, MANY);
    const int64_t total = tally_get_state(timeline)->total;
    must(timeline, kifu_go_to(timeline, 0, 1, false));
    kifu_set_quiet(timeline, false);
    must(timeline,
         kifu_observe(timeline,
                      &(kifu_observer){.listen = hide_for_a_while, .context = &events, KIFU_PART(tally_state, total)}));
    events = 0;
    must(timeline, kifu_go_to(timeline, MANY, KIFU_WHERE_LEFT, false));
    ck_assert_uint_ge(events, MANY);
    ck_assert_int_eq(tally_get_state(timeline)->total, total);
    kifu_destroy(timeline);
}
END_TEST

// Goes back so far in front of where the current line begins, and checks each place. All is in one segment.
static void go_back_and_on(kifu_timeline *timeline, uint32_t count)
{
    int64_t totals[16];
    must_be(count <= 16);
    for (uint32_t i = 0; i < count; i++) {
        totals[i] = tally_get_state(timeline)->total;
        must(timeline, kifu_undo(timeline));
    }
    for (uint32_t i = count; i-- > 0;) {
        must(timeline, kifu_redo(timeline));
        ck_assert_int_eq(tally_get_state(timeline)->total, totals[i]);
    }
}

START_TEST(R07_undo_and_redo_in_front_of_the_line_search_once)
{
    enum { EVENTS = 64, BRANCHES = 60, PLACE = 46 };
    test_memory memory;
    kifu_timeline *timeline = new_tally(&memory);
    play_many(timeline, EVENTS);
    must(timeline, kifu_go_to(timeline, 0, BRANCHES, false));
    play(timeline, other(0));
    must(timeline, kifu_go_to(timeline, 1, PLACE, false));
    must(timeline, kifu_undo(timeline)); // This one searches.
    kifu__branch *branch = kifu__lines_of(timeline)->items[1].branch, *far = branch->far;
    branch->far = NULL;
    go_back_and_on(timeline, 8);
    branch->far = far;
    must(timeline, kifu_forget(timeline, PLACE - 12)); // The segments are others now.
    go_back_and_on(timeline, 8);
    while (kifu_can_redo(timeline, NULL))
        must(timeline, kifu_redo(timeline));
    ck_assert_int_eq(tally_get_state(timeline)->total, BRANCHES * (BRANCHES + 1) / 2 + (int)other(0) + 1);
    must(timeline, kifu_verify_replay(timeline, NULL));
    kifu_destroy(timeline);
}
END_TEST

// From some allocation on, all fail. Once there is memory again, redo leads from where the game is to the line's end.
START_TEST(V01_without_memory_on_the_way_redo_is_still_there)
{
    enum { MOVES = 20, FROM = 10 };
    test_memory memory = {.failed = true};
    for (long fail_at = 0; memory.failed; fail_at++) {
        kifu_timeline *timeline = new_tally(&memory);
        play_many(timeline, MOVES);
        must(timeline, kifu_go_to(timeline, 0, FROM, false));
        play(timeline, other(0));
        play(timeline, other(1));
        memory.until_failure = fail_at;
        memory.for_ever = true;
        const kifu_result result = kifu_go_to(timeline, 0, 0, false);
        must_be(!result || (result == KIFU_NO_MEMORY && memory.failed));
        memory.until_failure = -1;
        while (!kifu_redo(timeline))
            ;
        const uint32_t line = kifu_current_line(timeline);
        ck_assert_uint_eq(line, result ? 1 : 0);
        ck_assert_uint_eq(kifu_event_count(timeline), line ? FROM + 2 : MOVES);
        must(timeline, kifu_go_to(timeline, 1, FROM + 2, false));
        must(timeline, kifu_go_to(timeline, 0, MOVES, false));
        ck_assert_int_eq(tally_get_state(timeline)->total, MOVES * (MOVES + 1) / 2);
        kifu_destroy(timeline);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

// --- Looking, and deleting -------------------------------------------------------------------------------------------

START_TEST(V10_an_event_of_a_long_line_is_found_at_once)
{
    kifu_timeline *timeline = new_tally(NULL);
    kifu_event event;
    play_many(timeline, 20 * MANY);
    must(timeline, kifu_go_to(timeline, 0, 0, false));
    play(timeline, other(0));
    const kifu__line *line = &kifu__lines_of(timeline)->items[0];
    ck_assert_uint_ge(line->branch->segment_count, 8);
    const uint32_t first = line->branch->segments[1].first;
    for (int hidden = 1; hidden >= 0; hidden--) { // Nobody can get past the second one.
        line->branch->segments[1].first = hidden ? KIFU_NONE : first;
        for (uint32_t i = hidden ? 10 * MANY : 0; i < 20 * MANY; i++) {
            must_be(kifu_line_event(timeline, 0, i, &event));
            must_be(((const tally_p_add *)event.table)->amount == (int32_t)i + 1);
        }
    }
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V10_deleting_looks_at_each_line_once)
{
    kifu_timeline *timeline = new_tally(NULL);
    nest(timeline, MANY);
    must(timeline, kifu_go_to(timeline, 0, 0, false));
    play(timeline, other(0)); // line MANY + 1, from the beginning
    must(timeline, kifu_go_to(timeline, 0, 1, false));
    kifu__lines *lines = kifu__lines_of(timeline);
    lines->items[MANY / 2].parent = MANY / 2; // Nobody gets out of there.
    must(timeline, kifu_delete_line(timeline, MANY + 1));
    lines->items[MANY / 2].parent = MANY / 2 - 1;
    ck_assert_uint_eq(kifu_line_count(timeline), MANY + 1);
    must(timeline, kifu_delete_line(timeline, MANY / 2));
    ck_assert_uint_eq(kifu_line_count(timeline), MANY / 2);
    must(timeline, kifu_delete_line(timeline, 1));
    ck_assert_uint_eq(kifu_line_count(timeline), 1);
    kifu_destroy(timeline);
}
END_TEST

// Each gets its parent again only when it is deleted itself.
static void delete_alone(kifu_timeline *timeline, uint32_t first, uint32_t last, uint32_t parent)
{
    kifu__lines *lines = kifu__lines_of(timeline);
    for (uint32_t id = first; id != last; id = first < last ? id + 1 : id - 1) {
        lines->items[id].parent = parent == KIFU_NONE ? id - 1 : parent;
        must(timeline, kifu_delete_line(timeline, id));
    }
}

START_TEST(F93_deleting_one_by_one_looks_at_no_other_line)
{
    kifu_timeline *timeline = new_tally(NULL);
    fan_out(timeline, MANY);
    must(timeline, kifu_go_to(timeline, 0, 0, false));
    kifu__lines *lines = kifu__lines_of(timeline);
    must(timeline, kifu_delete_line(timeline, 1)); // From now on, it is known what branches off from each.
    for (uint32_t id = 2; id <= MANY; id++)
        lines->items[id].parent = INT32_MAX;
    delete_alone(timeline, 2, MANY / 2, 0);
    delete_alone(timeline, MANY, MANY / 2 - 1, 0);
    ck_assert_uint_eq(kifu_line_count(timeline), 1);
    must(timeline, kifu_verify_replay(timeline, NULL));
    kifu_destroy(timeline);

    timeline = new_tally(NULL);
    nest(timeline, MANY);
    must(timeline, kifu_go_to(timeline, 0, 0, false));
    lines = kifu__lines_of(timeline);
    must(timeline, kifu_delete_line(timeline, MANY));
    for (uint32_t id = 1; id < MANY; id++)
        lines->items[id].parent = INT32_MAX;
    delete_alone(timeline, MANY - 1, 0, KIFU_NONE);
    ck_assert_uint_eq(kifu_line_count(timeline), 1);
    kifu_destroy(timeline);
}
END_TEST

// Which lines branch off from which, as parents say it.
START_TEST(F93_what_branches_off_goes_after_lines_came_and_went)
{
    kifu_rng rng;
    kifu_line line, each;
    kifu_rng_seed(&rng, 93, 1);
    for (int game = 0; game < 40; game++) {
        kifu_timeline *timeline = new_tally(NULL);
        play(timeline, 0);
        for (uint32_t i = 0; i < 120; i++) {
            must_be(kifu_line_at(timeline, kifu_rng_below(&rng, kifu_line_count(timeline)), &line));
            if (kifu_rng_below(&rng, 3)) {
                must(timeline, kifu_go_to(timeline, line.id, kifu_rng_below(&rng, line.from + line.count + 1), false));
                play(timeline, kifu_rng_below(&rng, 6)); // Often, that is there.
                continue;
            }
            bool goes[200] = {false}, leads = false;
            uint32_t left = 0;
            for (uint32_t k = 0; kifu_line_at(timeline, k, &each); k++) {
                goes[each.id] = each.id == line.id || (each.parent != each.id && goes[each.parent]);
                left += !goes[each.id];
                leads |= goes[each.id] && each.current;
            }
            const kifu_result result = kifu_delete_line(timeline, line.id);
            must_be(result == (leads ? KIFU_MISUSE : KIFU_OK));
            must_be(result || kifu_line_count(timeline) == left);
            for (uint32_t k = 0; !result && kifu_line_at(timeline, k, &each); k++)
                must_be(!goes[each.id]);
            must_be(kifu_find_line(timeline, kifu_main_line(timeline), &each));
        }
        must(timeline, kifu_verify_replay(timeline, NULL));
        kifu_destroy(timeline);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        V10_a_new_variation_looks_at_no_other,
        V10_one_more_variation_from_a_place_costs_what_the_first_did,
        M07_V10_a_line_among_20000_from_one_place_is_found_in_a_few_steps,
        V10_lines_that_were_deleted_are_not_looked_at,
        V10_a_variation_of_one_move_needs_little_memory,
        V10_the_rest_of_the_parent_stays_where_it_is,
        V10_a_way_between_lines_leads_over_those_in_between,
        V10_a_way_down_is_looked_for_once,
        V10_R07_a_way_forward_searches_for_no_branch,
        R07_undo_and_redo_in_front_of_the_line_search_once,
        V01_without_memory_on_the_way_redo_is_still_there,
        V10_an_event_of_a_long_line_is_found_at_once,
        V10_deleting_looks_at_each_line_once,
        F93_deleting_one_by_one_looks_at_no_other_line,
        F93_what_branches_off_goes_after_lines_came_and_went,
    };
    return run_suite("many variations", tests, sizeof tests / sizeof *tests);
}
