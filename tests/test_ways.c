// Ways between lines: where lines part inside a chain of undo, what is in the log, the state and a save after each
// step; and ways that fail.

#include <string.h>

#include "suite.h"
#include "tally_help.h"

static const kifu_options keeping = {.keep_variations = kifu_keep_variations,
                                     .keep_notes = kifu_keep_notes,
                                     .from_state = kifu_begin_from_state,
                                     .hash_interval = 3};

static kifu_timeline *begin(const kifu_options *options)
{
    kifu_timeline *timeline;
    must_be(!kifu_create(&tally_rules, options, &timeline, NULL));
    return timeline;
}

// --- Steps -----------------------------------------------------------------------------------------------------------

// A letter and numbers: "a3" plays 3, "b3" plays 3 with a note, so a bonus follows, "e3" is a bonus of the engine's; as
// capitals, only one event runs. "w3" submits, "R" runs, "u" undoes, "r" redoes, "g1,4" goes to line 1 after 4 events,
// "h1,4" so where undo may, "G1" where it was left. "d1" and "p1" delete and promote. "f2" forgets, "(", "[", "z" and
// "Z" begin, commit and roll back. "L" and "F" load a save. Some are refused.
static kifu_result last;
static const kifu_options *loading = &keeping; // What loads are given.

static kifu_timeline *step(kifu_timeline *timeline, const char *what)
{
    char letter = 0;
    unsigned x = 0, y = 0;
    must_be(sscanf(what, "%c%u,%u", &letter, &x, &y) > 0);
    kifu_timeline *loaded;
    switch (letter) {
    case 'a':
    case 'A':
    case 'b':
    case 'B':
    case 'w':
        tally_submit_p_add(timeline, 0, (int32_t)x, letter == 'b' || letter == 'B' ? "n" : NULL);
        break;
    case 'e':
    case 'E':
        tally_submit_e_bonus(timeline, (int32_t)x);
        break;
    case 'u':
        last = kifu_undo(timeline);
        break;
    case 'r':
        last = kifu_redo(timeline);
        break;
    case 'g':
    case 'h':
        last = kifu_go_to(timeline, x, y, letter == 'g');
        break;
    case 'G':
        last = kifu_go_to(timeline, x, KIFU_WHERE_LEFT, true);
        break;
    case 'd':
        last = kifu_delete_line(timeline, x);
        break;
    case 'p':
        last = kifu_promote_line(timeline, x);
        break;
    case 'f':
        last = kifu_forget(timeline, x);
        break;
    case '(':
    case '[':
        must(timeline, kifu_begin(timeline, letter == '[' ? KIFU_SEARCH : 0));
        break;
    case 'z':
        must(timeline, kifu_commit(timeline));
        break;
    case 'Z':
        must(timeline, kifu_roll_back(timeline));
        break;
    case 'L':
    case 'F':
        loaded = reload_fast(timeline, loading, letter == 'F');
        kifu_destroy(timeline);
        return loaded;
    }
    if (strchr("abeR", letter))
        last = kifu_run(timeline);
    else if (strchr("ABE", letter))
        last = kifu_step(timeline);
    return timeline;
}

static int32_t amount_of(const kifu_event *event)
{
    return event->type == TALLY_P_ADD ? ((const tally_p_add *)event->table)->amount
                                      : ((const tally_e_bonus *)event->table)->amount;
}

static void must_be_same_line(const kifu_timeline *a, const kifu_timeline *b, const kifu_line *line)
{
    kifu_event one, other;
    for (uint32_t i = line->from; i < line->from + line->count; i++) {
        must_be(kifu_line_event(a, line->id, i, &one) && kifu_line_event(b, line->id, i, &other));
        must_be(one.type == other.type && one.cause == other.cause && one.flags == other.flags);
        must_be(amount_of(&one) == amount_of(&other));
    }
}

// A save of it leads to the same game.
static void must_save(kifu_timeline *timeline)
{
    kifu_timeline *loaded = reload(timeline, &keeping);
    kifu_line line, other;
    must_be(kifu_state_hash(timeline) == kifu_state_hash(loaded));
    must_be(kifu_event_count(timeline) == kifu_event_count(loaded));
    must_be(kifu_pending_count(timeline) == kifu_pending_count(loaded));
    must_be(kifu_can_undo(timeline, NULL) == kifu_can_undo(loaded, NULL));
    must_be(kifu_can_redo(timeline, NULL) == kifu_can_redo(loaded, NULL));
    must_be(kifu_line_count(timeline) == kifu_line_count(loaded));
    for (uint32_t i = 0; kifu_line_at(timeline, i, &line); i++) {
        must_be(kifu_line_at(loaded, i, &other));
        must_be(line.id == other.id && line.parent == other.parent && line.from == other.from);
        must_be(line.count == other.count && line.main == other.main && line.current == other.current);
        must_be_same_line(timeline, loaded, &line);
    }
    kifu_destroy(loaded);
}

static kifu_line current_of(const kifu_timeline *timeline)
{
    kifu_line line;
    must_be(kifu_find_line(timeline, kifu_current_line(timeline), &line));
    return line;
}

static void must_be_whole(kifu_timeline *timeline)
{
    const kifu_line line = current_of(timeline);
    if (kifu_open_transactions(timeline))
        return;
    must_be(kifu_event_count(timeline) <= line.from + line.count);
    must(timeline, kifu_verify_replay(timeline, NULL));
    must_save(timeline);
}

static kifu_timeline *walk(kifu_timeline *timeline, const char *steps)
{
    for (; *steps; steps += strspn(steps, " ")) {
        timeline = step(timeline, steps);
        must_be_whole(timeline);
        steps += strcspn(steps, " ");
    }
    return timeline;
}

static void walk_each(const char *const *walks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        kifu_destroy(walk(begin(&keeping), walks[i]));
}

#define WALK_EACH(walks) walk_each(walks, sizeof(walks) / sizeof *(walks))

// --- The tests -------------------------------------------------------------------------------------------------------

// An engine's event that no event caused belongs to the chain before it. So it may begin a line inside a chain of the
// line from which that branches off.
START_TEST(F84_a_way_turns_where_lines_part_inside_a_chain)
{
    kifu_timeline *timeline = walk(begin(&keeping), "a3 g0,0 e1 b2 b2 b3 u e1 g1,4");
    ck_assert_uint_eq(kifu_current_line(timeline), 1);
    ck_assert_uint_eq(kifu_event_count(timeline), 5);
    ck_assert_int_eq(tally_get_state(timeline)->total, 7);
    kifu_destroy(timeline);
    timeline = walk(begin(&keeping), "B1 a1 g0,1 e2 g0,1"); // 1, and then the bonus, or that of the engine
    ck_assert_uint_eq(kifu_current_line(timeline), 0);
    ck_assert_uint_eq(kifu_event_count(timeline), 2);
    ck_assert_int_eq(tally_get_state(timeline)->total, 2);
    ck_assert_uint_eq(kifu_can_redo(timeline, NULL), 1);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(F84_each_step_agrees_with_the_log_and_with_a_save)
{
    static const char *const walks[] = {
        "a2 b3 e1 a2 a2 e1 B2 a1 a2 u u e1 e1 e1 h0,8",
        "b1 u B3 G0 w1 a1 B2 a2 e1 A3 a3 B1 A2 R u e1 h2,9",
        "e1 w1 b2 e1 a3 a2 u w1 A2 G0 u e1 L h1,4 F",
        "b2 A3 b3 u u e1 L h0,1",
        "b2 B3 w1 b3 B1 u B3 g1,6 e1 g1,6",
        "b1 A3 u e1 e1 h0,1",
        "w1 B1 w1 e1 g0,2 e3 g0,2",
        "e1 a1 e1 a3 g0,2 e3 g0,2 g1,1",
        "w1 a1 e1 a1 u e1 e1 g0,3",
        "B1 a2 a2 g0,1 e3 e1 g0,1",
        "e1 e1 w2 a1 g0,1 e1 L g0,1",
    };
    WALK_EACH(walks);
}
END_TEST

// What lies in front of the root belongs to no line: it stays as it is.
START_TEST(F84_a_loaded_line_that_begins_at_the_root_leaves_what_is_before)
{
    kifu_timeline *timeline = walk(begin(&keeping), "e1 e1 a1 g0,1 b2 g0,1 L a2 e1 f3 g2,2 b2 u [ a1 a1");
    ck_assert_uint_eq(kifu_can_undo(timeline, NULL), 1);
    kifu_destroy(walk(timeline, "Z"));
}
END_TEST

START_TEST(F88_lines_that_moved_are_verified_to_their_ends)
{
    static const char *const walks[] = {
        "a1 g0,0 e1 e1 a1 u a2 L u b1 g1,3 a1 a1 G0 a3 g1,4 a1 g4,0",
        "a1 u a2 g1,0 e1 B1 g1,0 L g2,1 a1 g2,2 a1 u a1",
    };
    WALK_EACH(walks);
}
END_TEST

// --- Ways that fail --------------------------------------------------------------------------------------------------

static uint64_t mix(uint64_t digest, uint64_t value)
{
    digest = (digest ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return digest ^ digest >> 29;
}

// All that there is, in a number.
static uint64_t digest(const kifu_timeline *timeline)
{
    kifu_line line;
    kifu_event event;
    kifu_note note = {0};
    uint64_t all = mix(kifu_state_hash(timeline), kifu_event_count(timeline));
    all = mix(all, kifu_pending_count(timeline));
    all = mix(all, kifu_can_undo(timeline, NULL));
    all = mix(all, kifu_can_redo(timeline, NULL));
    for (uint32_t i = 0; kifu_line_at(timeline, i, &line); i++) {
        all = mix(all, line.id * 4U + line.current * 2U + line.main);
        all = mix(all, (uint64_t)line.parent << 32 | line.from);
        for (uint32_t k = line.from; kifu_line_event(timeline, line.id, k, &event); k++)
            all = mix(all, (uint64_t)amount_of(&event) << 32 | event.cause << 8 | event.type);
    }
    while (kifu_next_note(timeline, &note))
        all = mix(all, (uint64_t)note.line << 32 | note.event);
    return all;
}

// True if that was the last allocation. `*as_it_should`: the digest after `what` where nothing is refused; 0: find it.
static bool try_without(const char *before, const char *what, long refused, bool for_ever, uint64_t *as_it_should)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = keeping;
    options.allocate = test_allocate;
    options.allocate_context = &memory;
    loading = &options;
    kifu_timeline *timeline = walk(begin(&options), before);
    loading = &keeping;
    const kifu_line current = current_of(timeline);
    if (current.count)
        must(timeline, kifu_set_line_note(timeline, current.id, current.from, "c", "here"));
    must(timeline, kifu_set_line_note(timeline, 0, 0, "c", "there"));
    const uint64_t was = digest(timeline);
    memory.until_failure = refused;
    memory.for_ever = for_ever;
    timeline = step(timeline, what);
    memory.until_failure = -1;
    if (last) {
        ck_assert_msg(last == KIFU_NO_MEMORY && memory.failed, "%s %s: %s", before, what,
                      kifu_last_error(timeline)->message);
        if (strchr("abe", *what))
            must(timeline, kifu_drop_inputs(timeline));
        ck_assert_msg(was == digest(timeline), "%s %s, allocation %ld", before, what, refused);
    }
    must_be_whole(timeline);
    if (!last && strchr("gGur", *what)) { // A new line may not be looked for among the others.
        *as_it_should = *as_it_should ? *as_it_should : digest(timeline);
        ck_assert_msg(*as_it_should == digest(timeline), "%s %s, allocation %ld", before, what, refused);
    }
    if (last) {
        must_be_whole(step(timeline, what));
        must_be(!last); // Now it does.
    }
    kifu_destroy(timeline);
    must_be(memory.blocks == 0);
    return !memory.failed;
}

// Line 2 begins inside a chain of line 1, line 3 at the end of line 2; all have moments of redo.
#define TREE "b1 a2 b3 u a4 b5 u e6 a7 a8 u u B9 "

static const struct {
    const char *before, *what;
} ways[] = {
    {TREE, "u"},
    {TREE "u", "r"},
    {TREE, "g0,5"},
    {TREE, "g1,2"},
    {TREE, "G0"},
    {TREE "G0", "g2,7"},
    {TREE "g0,0 a9", "g3,6"},
    {TREE "g0,0 a9", "g1,6"},
    {TREE "g0,0 a9 L", "g2,5"},
    {TREE "g0,0 a9 G3", "g2,0"},
    {TREE "g1,3", "a7"},
    {TREE "g1,2", "e6"},
    {TREE "g1,4", "e6"},
    {TREE "g0,3", "a4"},
    {TREE "g0,0", "b1"},
    {TREE "g2,4 w3", "g1,0"},
    {TREE "G0 g0,0 a9", "p2"},
    {TREE "g0,0 a9", "d1"},
    {"b1 a2 w3 w4 g0,0 a9 L", "G0"},
    {"b1 a2 B3 w4 g0,0 a9 L", "G0"},
};

START_TEST(F89_without_memory_a_way_ends_where_it_began)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        for (int for_ever = 0; for_ever < 2; for_ever++) {
            uint64_t as_it_should = 0;
            (void)try_without(ways[i].before, ways[i].what, -1, false, &as_it_should);
            long refused = 0;
            while (!try_without(ways[i].before, ways[i].what, refused, for_ever, &as_it_should))
                refused++;
        }
    }
}
END_TEST

// Events that are so large that each needs a segment of its own.
START_TEST(F89_a_long_line_is_entered_from_a_short_one_or_without_memory_not_at_all)
{
    static char text[300001];
    test_memory memory = {.until_failure = -1};
    kifu_options options = keeping;
    options.allocate = test_allocate;
    options.allocate_context = &memory;
    kifu_timeline *timeline = walk(begin(&keeping), "a1");
    memset(text, 'n', sizeof text - 1);
    for (int i = 0; i < 20; i++) {
        tally_submit_p_add(timeline, 0, 2, text);
        must(timeline, kifu_run(timeline));
    }
    must(timeline, kifu_go_to(timeline, 0, 1, false));
    play(timeline, 3);
    const uint64_t was = digest(timeline);
    memory.failed = true;
    for (long refused = 0; memory.failed; refused++) {
        kifu_timeline *loaded = reload(timeline, &options);
        memory.failed = false;
        memory.until_failure = refused;
        last = kifu_go_to(loaded, 0, 5, false);
        memory.until_failure = -1;
        ck_assert(!last || (last == KIFU_NO_MEMORY && memory.failed && was == digest(loaded)));
        must(loaded, kifu_go_to(loaded, 0, 5, false));
        must(loaded, kifu_verify_replay(loaded, NULL));
        must(loaded, kifu_go_to(loaded, 1, KIFU_WHERE_LEFT, false));
        ck_assert(was == digest(loaded));
        kifu_destroy(loaded);
        ck_assert_int_eq(memory.blocks, 0);
    }
    kifu_destroy(timeline);
}
END_TEST

// Then it is executed without being compared, and has another end than the one of which the save has the hash.
START_TEST(F88_a_line_that_was_not_compared_without_memory_goes_on)
{
    test_memory memory = {.failed = true};
    for (long refused = 0; memory.failed; refused++) {
        kifu_options options = keeping;
        options.allocate = test_allocate;
        options.allocate_context = &memory;
        memory = (test_memory){.until_failure = -1};
        kifu_timeline *timeline = walk(begin(&options), "a1 a2 a4 g0,1 a3");
        kifu_timeline *loaded = reload(timeline, &options);
        kifu_destroy(timeline);
        loaded = step(loaded, "u");
        memory.until_failure = refused;
        loaded = step(loaded, "a2");
        must_be(!last || last == KIFU_NO_MEMORY);
        memory.until_failure = -1;
        loaded = walk(loaded, "R r r a5 a6 g1,2 g0,3 a7 g0,0");
        must_be(kifu_line_count(loaded) <= 4);
        kifu_destroy(loaded);
        must_be(memory.blocks == 0);
    }
}
END_TEST

// Nobody asked for the comparison: the next call is not refused because of it.
START_TEST(F88_a_line_that_was_not_compared_without_memory_refuses_no_call)
{
    test_memory memory = {.failed = true};
    uint32_t entered = 0;
    for (long refused = 0; memory.failed; refused++) {
        kifu_options options = keeping;
        options.allocate = test_allocate;
        options.allocate_context = &memory;
        memory = (test_memory){.until_failure = -1};
        kifu_timeline *timeline = walk(begin(&options), "a1 a2 a4 g0,1 a3");
        kifu_timeline *loaded = reload(timeline, &options);
        kifu_destroy(timeline);
        loaded = step(loaded, "u");
        memory.until_failure = refused;
        loaded = step(loaded, "a2");
        memory.until_failure = -1;
        if (!last && memory.failed && !kifu_current_line(loaded)) {
            ck_assert_int_eq(kifu_last_error(loaded)->result, KIFU_OK);
            must(loaded, kifu_undo(loaded));
            entered++;
        }
        kifu_destroy(loaded);
    }
    ck_assert_uint_gt(entered, 0);
}
END_TEST

static int32_t failing[2]; // A Do that adds so much fails.

static bool fails(uint32_t type, const void *event)
{
    const int32_t amount = type == TALLY_P_ADD ? ((const tally_p_add *)event)->amount : 0;
    return amount && (amount == failing[0] || amount == failing[1]);
}

static kifu_result do_or_fail(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                              void *transient)
{
    if (fails(type, event))
        return kifu_fail(timeline, "so it is");
    return tally_rules.do_event(timeline, type, state, event, transient);
}

START_TEST(F89_where_a_do_fails_on_the_way_the_game_is_where_it_was_or_ends_before_it)
{
    kifu_rules rules = tally_rules;
    rules.do_event = do_or_fail;
    kifu_timeline *timeline;
    must_be(!kifu_create(&rules, &keeping, &timeline, NULL));
    play(timeline, 1);
    play(timeline, 2);
    play(timeline, 3);
    must(timeline, kifu_go_to(timeline, 0, 1, false));
    play(timeline, 4);
    play(timeline, 5);
    tally_submit_p_add(timeline, 0, 6, NULL);
    const uint64_t was = digest(timeline);
    failing[0] = 3; // There, but not on the way back.
    ck_assert_int_eq(kifu_go_to(timeline, 0, 3, false), KIFU_FAILED);
    ck_assert_uint_eq(kifu_last_error(timeline)->event, 2);
    ck_assert(was == digest(timeline));
    ck_assert_int_eq(kifu_go_to(timeline, 0, KIFU_WHERE_LEFT, false), KIFU_OK);
    ck_assert_int_eq(kifu_go_to(timeline, 1, KIFU_WHERE_LEFT, false), KIFU_OK);
    ck_assert(was == digest(timeline));

    failing[1] = 5; // On the way back, too.
    ck_assert_int_eq(kifu_go_to(timeline, 0, 3, false), KIFU_FAILED);
    ck_assert_uint_eq(kifu_last_error(timeline)->event, 2);
    must_say(timeline, "event 2 (tally.PAdd) could not be replayed: so it is");
    ck_assert_uint_eq(kifu_current_line(timeline), 1);
    ck_assert_uint_eq(kifu_event_count(timeline), 2);
    ck_assert_int_eq(tally_get_state(timeline)->total, 5);
    failing[0] = failing[1] = 0;
    must_be_whole(timeline);
    must(timeline, kifu_redo(timeline)); // What waited waits again.
    ck_assert(was == digest(timeline));
    kifu_destroy(timeline);
}
END_TEST

// What is known of the end of the line that was to be left, is not of the one that could not be entered.
START_TEST(M08_a_line_that_could_not_be_entered_keeps_no_hash_of_another)
{
    kifu_rules rules = tally_rules;
    rules.do_event = do_or_fail;
    kifu_timeline *timeline;
    must_be(!kifu_create(&rules, &(kifu_options){.keep_variations = kifu_keep_variations}, &timeline, NULL));
    for (int amount = 1; amount <= 3; amount++)
        play(timeline, amount);
    must(timeline, kifu_go_to(timeline, 0, 1, false));
    play(timeline, 4);
    play(timeline, 5);
    failing[0] = 3;
    ck_assert_int_eq(kifu_go_to(timeline, 0, 3, false), KIFU_FAILED);
    failing[0] = 0;
    must(timeline, kifu_verify_replay(timeline, NULL));
    kifu_destroy(timeline);
}
END_TEST

// Of a loaded game nothing is journaled yet: the way back may have to do without.
START_TEST(M08_without_memory_a_way_ends_where_a_game_was_loaded)
{
    long refused = 0;
    for (bool failed = true; failed; refused += failed) {
        test_memory memory = {.until_failure = -1, .for_ever = true};
        kifu_options options = keeping;
        options.allocate = test_allocate;
        options.allocate_context = &memory;
        kifu_timeline *timeline = walk(begin(&options), TREE "g0,5");
        kifu_timeline *loaded = reload_fast(timeline, &options, true);
        kifu_destroy(timeline);
        const uint64_t was = digest(loaded);
        memory.until_failure = refused;
        const kifu_result result = kifu_go_to(loaded, 2, 5, true);
        memory.until_failure = -1;
        failed = memory.failed;
        ck_assert(!result || (failed && result == KIFU_NO_MEMORY));
        ck_assert(!result == (was != digest(loaded)));
        must_be_whole(loaded);
        must(loaded, kifu_go_to(loaded, 2, 5, true));
        kifu_destroy(loaded);
    }
    ck_assert_int_gt(refused, 1);
}
END_TEST

// A search shows the current line up to where it began.
START_TEST(M08_V02_what_branches_off_at_the_end_of_a_line_follows_it)
{
    kifu_timeline *timeline = walk(begin(&keeping), "a1 a2 g0,1 a9 g0,1 [");
    kifu_line line;
    uint32_t following[8];
    must_be(kifu_find_line(timeline, 0, &line) && line.from + line.count == 1);
    ck_assert_uint_eq(kifu_lines_after(timeline, 0, 1, following, 8), 1);
    ck_assert_uint_eq(following[0], 1);
    ck_assert_uint_eq(kifu_lines_after(timeline, 0, 2, following, 8), 0);
    kifu_destroy(timeline);
}
END_TEST

// Line 2 branches off from line 1. Line 4 has the same event as line 2, and is dropped.
#define DROPPED "a1 a2 a3 g0,1 a10 a11 g1,2 b20 g0,0 a30 g1,2 "

// Another line gets the number of one that was dropped because its events were there already, and has another parent.
START_TEST(M08_V05_a_line_with_the_number_of_a_dropped_one_is_not_deleted_with_its_old_parent)
{
    kifu_timeline *timeline = walk(begin(&keeping), DROPPED "B20 d3");
    ck_assert_int_eq(last, KIFU_OK);
    ck_assert_uint_eq(kifu_current_line(timeline), 4);
    timeline = walk(timeline, "R");
    ck_assert_uint_eq(kifu_current_line(timeline), 2);
    timeline = walk(timeline, "g0,0 a40 d1");
    ck_assert_int_eq(last, KIFU_OK);
    ck_assert_uint_eq(kifu_current_line(timeline), 4);
    ck_assert_uint_eq(kifu_line_count(timeline), 2);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(M08_V05_what_branches_off_is_deleted_after_a_line_was_dropped)
{
    static const char *const walks[] = {DROPPED "d3 b20 g0,0 d1", DROPPED "B20 d3 R g1,2 a40 g0,0 d1"};
    for (int i = 0; i < 2; i++) {
        kifu_timeline *timeline = walk(begin(&keeping), walks[i]);
        ck_assert_int_eq(last, KIFU_OK);
        ck_assert_uint_eq(kifu_line_count(timeline), 1);
        kifu_destroy(timeline);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F84_a_way_turns_where_lines_part_inside_a_chain,
        F84_each_step_agrees_with_the_log_and_with_a_save,
        F84_a_loaded_line_that_begins_at_the_root_leaves_what_is_before,
        F88_lines_that_moved_are_verified_to_their_ends,
        F89_without_memory_a_way_ends_where_it_began,
        F89_a_long_line_is_entered_from_a_short_one_or_without_memory_not_at_all,
        F88_a_line_that_was_not_compared_without_memory_goes_on,
        F88_a_line_that_was_not_compared_without_memory_refuses_no_call,
        F89_where_a_do_fails_on_the_way_the_game_is_where_it_was_or_ends_before_it,
        M08_a_line_that_could_not_be_entered_keeps_no_hash_of_another,
        M08_without_memory_a_way_ends_where_a_game_was_loaded,
        M08_V02_what_branches_off_at_the_end_of_a_line_follows_it,
        M08_V05_a_line_with_the_number_of_a_dropped_one_is_not_deleted_with_its_old_parent,
        M08_V05_what_branches_off_is_deleted_after_a_line_was_dropped,
    };
    return run_suite("ways", tests, sizeof tests / sizeof *tests);
}
