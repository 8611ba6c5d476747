// Thousands of lines: each call looks at those that it must look at. Shown by lines that nobody can look at without
// going wrong, and by the steps of a search.

#include "core/timeline.h"
#include "history/lines.h"
#include "many_lines_help.h"

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

int main(void)
{
    const TTest *const tests[] = {
        V10_a_new_variation_looks_at_no_other,
        M07_V10_a_line_among_20000_from_one_place_is_found_in_a_few_steps,
        V10_the_rest_of_the_parent_stays_where_it_is,
        V10_a_way_between_lines_leads_over_those_in_between,
        V10_a_way_down_is_looked_for_once,
        V10_R07_a_way_forward_searches_for_no_branch,
        R07_undo_and_redo_in_front_of_the_line_search_once,
        V10_an_event_of_a_long_line_is_found_at_once,
        V10_deleting_looks_at_each_line_once,
        F93_deleting_one_by_one_looks_at_no_other_line,
    };
    return run_suite("lines inside", tests, sizeof tests / sizeof *tests);
}
