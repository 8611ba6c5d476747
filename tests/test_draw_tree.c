// The tree of lines as a view draws it: random trees against the listing of their lines, and what it costs.

#include <string.h>

#include "seeded.h"
#include "suite.h"
#include "tally_help.h"

enum { MOST_LINES = 12000, MOST_FOLLOWING = 100 };
static kifu_stretch tree[2 * MOST_LINES];

static uint32_t draw(kifu_timeline *timeline)
{
    uint32_t count;
    must(timeline, kifu_draw_tree(timeline, tree, sizeof tree / sizeof *tree, &count, NULL));
    return count;
}

// "0:0+2 (1:2+1 0:2+3)": line, first event, how many; what branches off stands in brackets, before what goes on.
static const char *shape(uint32_t place)
{
    static char text[10000];
    static size_t used;
    if (!place)
        used = 0;
    const kifu_stretch *at = &tree[place];
    used += (size_t)sprintf(text + used, "%s%u:%u+%u%s%s", used && text[used - 1] != '(' ? " " : "", at->line, at->from,
                            at->count, at->main ? "m" : "", at->current ? "c" : "");
    for (uint32_t next = at->parts ? tree[place + 1].next : KIFU_NONE; next != KIFU_NONE; next = tree[next].next) {
        used += (size_t)sprintf(text + used, " (");
        shape(next);
        used += (size_t)sprintf(text + used, ")");
    }
    if (at->parts)
        shape(place + 1);
    return text;
}

// --- Random trees ----------------------------------------------------------------------------------------------------

// Whether a line leads through event number `event` of another.
static bool leads_through(const kifu_timeline *timeline, uint32_t id, uint32_t other, uint32_t event)
{
    kifu_line line = line_of(timeline, id);
    while (line.id != other && line.id) {
        if (event >= line.from)
            return false;
        line = line_of(timeline, line.parent);
    }
    return line.id == other && event >= line.from;
}

static void must_follow(const kifu_stretch *at, uint32_t place, uint32_t *rows, uint32_t *followers)
{
    const kifu_stretch *parent = &tree[at->parent];
    const bool straight = at->parent + 1 == place;
    must_be(at->parent < place && parent->from + parent->count == at->from);
    must_be(at->row == (straight ? parent->row : ++*rows));
    must_be(at->depth == parent->depth + !straight);
    must_be(!at->main || straight);
    must_be(at->next == KIFU_NONE || (at->next > place && tree[at->next].parent == at->parent));
    followers[at->parent]++;
}

static void tree_must_agree(kifu_timeline *timeline)
{
    static uint32_t ends[MOST_LINES], followers[2 * MOST_LINES];
    const uint32_t count = draw(timeline);
    uint32_t main = 0, rows = 0;
    kifu_line line;
    memset(followers, 0, sizeof followers);
    for (uint32_t i = 0; kifu_line_at(timeline, i, &line); i++) {
        main = line.main ? line.id : main;
        ends[line.id] = line.from;
    }
    must_be(tree[0].row == 0 && tree[0].depth == 0 && tree[0].parent == KIFU_NONE && tree[0].line == 0);
    for (uint32_t i = 0; i < count; i++) {
        const kifu_stretch *at = &tree[i];
        if (i)
            must_follow(at, i, &rows, followers);
        must_be(at->from >= ends[at->line]); // Those of a line come in the order of their events, or straight first.
        if (at->count) {
            must_be(at->main == leads_through(timeline, main, at->line, at->from));
            must_be(at->current == leads_through(timeline, kifu_current_line(timeline), at->line, at->from));
        }
        ends[at->line] += at->count;
    }
    for (uint32_t i = 0; i < count; i++)
        must_be(followers[i] == tree[i].parts);
    for (uint32_t i = 0; kifu_line_at(timeline, i, &line); i++)
        must_be(ends[line.id] == line.from + line.count);
}

// The stretch with event number `event` of a line's way; the first one, before the first event.
static uint32_t stretch_with(const kifu_timeline *timeline, uint32_t line, uint32_t event, uint32_t count)
{
    uint32_t place = 0;
    while (place < count && !(event >= tree[place].from && event < tree[place].from + tree[place].count &&
                              leads_through(timeline, line, tree[place].line, event)))
        place++;
    return event == KIFU_NONE ? 0 : place;
}

// What the calls about one place say, against the whole tree. Deleted numbers and places behind the end find nothing.
static void place_must_agree(const kifu_timeline *timeline, uint32_t line, uint32_t place)
{
    uint32_t count, following[MOST_FOLLOWING], found = 0;
    must(timeline, kifu_draw_tree(timeline, tree, sizeof tree / sizeof *tree, &count, NULL));
    const kifu_line there = line_of(timeline, line);
    const uint32_t listed = kifu_lines_after(timeline, line, place, following, MOST_FOLLOWING);
    must_be(listed <= MOST_FOLLOWING);
    must_be(kifu_lines_after(timeline, line, place, NULL, 0) == listed);
    if (place > there.from + there.count) {
        must_be(!listed && kifu_line_of_event(timeline, line, place - 1) == KIFU_NONE);
        return;
    }
    uint32_t at = stretch_with(timeline, line, place - 1, count);
    must_be(!place || kifu_line_of_event(timeline, line, place - 1) == tree[at].line);
    if (place < tree[at].from + tree[at].count)
        must_be(listed == 1 && following[0] == tree[at].line);
    else {
        for (uint32_t next = tree[at].parts ? at + 1 : KIFU_NONE; next != KIFU_NONE; next = tree[next].next)
            must_be(found < listed && following[found++] == tree[next].line);
        must_be(found == listed);
    }
}

static uint32_t any_line(const kifu_timeline *timeline, kifu_rng *rng)
{
    kifu_line line;
    ck_assert(kifu_line_at(timeline, kifu_rng_below(rng, kifu_line_count(timeline)), &line));
    return line.id;
}

START_TEST(V02_random_trees_are_drawn_as_they_are)
{
    for (unsigned long i = 0; i < fuzz_steps(20000) / 200; i++) {
        test_memory memory = {.until_failure = -1};
        kifu_timeline *timeline = new_tally(&memory); // which sees who writes behind the end
        kifu_rng rng;
        kifu_rng_seed(&rng, fuzz_seed() * 1000003 + i, 7);
        for (uint32_t step = 0; step < 200; step++) {
            const uint32_t what = kifu_rng_below(&rng, 16), line = any_line(timeline, &rng);
            const kifu_line there = line_of(timeline, line);
            if (what < 8)
                play(timeline, 1 + (int)kifu_rng_below(&rng, 3));
            else if (what < 11)
                (void)!kifu_undo(timeline);
            else if (what < 14)
                must(timeline, kifu_go_to(timeline, line, kifu_rng_below(&rng, there.from + there.count + 1), false));
            else if (what == 14)
                must(timeline, kifu_promote_line(timeline, line));
            else if (kifu_rng_below(&rng, 3) == 0)
                (void)!kifu_delete_line(timeline, line);
            tree_must_agree(timeline);
            const kifu_line any = line_of(timeline, any_line(timeline, &rng));
            place_must_agree(timeline, any.id, kifu_rng_below(&rng, any.from + any.count + 2));
        }
        kifu_destroy(timeline);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

// --- One by one ------------------------------------------------------------------------------------------------------

static void go_and_play(kifu_timeline *timeline, uint32_t line, uint32_t count, int amount)
{
    must(timeline, kifu_go_to(timeline, line, count, false));
    play(timeline, amount);
}

START_TEST(V02_the_main_line_is_drawn_straight)
{
    kifu_timeline *timeline = new_tally(NULL);
    draw(timeline);
    ck_assert_str_eq(shape(0), "0:0+0mc");
    for (int i = 1; i <= 4; i++)
        play(timeline, i);
    go_and_play(timeline, 0, 2, 10);
    play(timeline, 11);
    go_and_play(timeline, 0, 2, 20);
    go_and_play(timeline, 1, 3, 30);
    ck_assert_uint_eq(draw(timeline), 6);
    ck_assert_str_eq(shape(0), "0:0+2mc (1:2+1c (3:3+1c) 1:3+1) (2:2+1) 0:2+2m");
    must(timeline, kifu_promote_line(timeline, 3));
    draw(timeline);
    ck_assert_str_eq(shape(0), "0:0+2mc (0:2+2) (2:2+1) 1:2+1mc (1:3+1) 3:3+1mc");
    go_and_play(timeline, 0, 0, 40);
    draw(timeline);
    ck_assert_str_eq(shape(0), "0:0+0mc (4:0+1c) 0:0+2m (0:2+2) (2:2+1) 1:2+1m (1:3+1) 3:3+1m");
    must(timeline, kifu_undo(timeline));
    must(timeline, kifu_begin(timeline, KIFU_SEARCH)); // The current line has no events, and the main one goes on.
    draw(timeline);
    ck_assert_str_eq(shape(0), "0:0+0mc (4:0+0c) 0:0+2m (0:2+2) (2:2+1) 1:2+1m (1:3+1) 3:3+1m");
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V02_what_a_drawing_needs_is_said)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *timeline = new_tally(&memory), *other;
    uint32_t count;
    play(timeline, 1);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    play(timeline, 2);
    kifu_error error;
    ck_assert_int_eq(kifu_draw_tree(timeline, tree, 3, &count, &error), KIFU_MISUSE);
    ck_assert_str_eq(error.message, "kifu_draw_tree: there is room for 3 stretches, and there may be 2 * "
                                    "kifu_line_count = 4");
    memory.until_failure = 0;
    ck_assert_int_eq(kifu_draw_tree(timeline, tree, 4, &count, &error), KIFU_NO_MEMORY);
    ck_assert_int_eq(error.result, KIFU_NO_MEMORY);
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(draw(timeline), 3);
    kifu_destroy(timeline);
    ck_assert_int_eq(memory.blocks, 0);
    ck_assert_int_eq(kifu_create(&tally_rules, NULL, &other, NULL), KIFU_OK); // keeps no variations
    play(other, 1);
    draw(other);
    ck_assert_str_eq(shape(0), "0:0+1mc");
    kifu_destroy(other);
}
END_TEST

START_TEST(V02_what_follows_a_place_is_listed)
{
    enum { NOT_WRITTEN = 99 };
    uint32_t following[4] = {NOT_WRITTEN, NOT_WRITTEN, NOT_WRITTEN, NOT_WRITTEN};
    kifu_line line;
    kifu_timeline *timeline = new_tally(NULL), *other;
    play(timeline, 1);
    play(timeline, 2);
    for (int i = 0; i < 3; i++)
        go_and_play(timeline, 0, 1, 10 + i);
    must(timeline, kifu_promote_line(timeline, 2));
    ck_assert_uint_eq(kifu_main_line(timeline), 2);
    ck_assert_uint_eq(kifu_lines_after(timeline, 3, 1, following, 3), 4);
    ck_assert(following[0] == 2 && following[1] == 0 && following[2] == 1 && following[3] == NOT_WRITTEN);
    ck_assert(kifu_line_of_event(timeline, 3, 0) == 0 && kifu_line_of_event(timeline, 3, 1) == 3);
    ck_assert_uint_eq(kifu_line_of_event(timeline, 3, 2), KIFU_NONE);
    must(timeline, kifu_delete_line(timeline, 1));
    ck_assert(!kifu_find_line(timeline, 1, &line) && !kifu_find_line(timeline, 4, &line));
    ck_assert_uint_eq(kifu_lines_after(timeline, 1, 0, following, 3), 0);
    ck_assert_uint_eq(kifu_line_of_event(timeline, 1, 0), KIFU_NONE);
    ck_assert_uint_eq(kifu_lines_after(timeline, 0, 1, NULL, 0), 3);
    kifu_destroy(timeline);
    ck_assert_int_eq(kifu_create(&tally_rules, NULL, &other, NULL), KIFU_OK); // keeps no variations
    play(other, 1);
    ck_assert(kifu_find_line(other, 0, &line) && line.count == 1 && !kifu_find_line(other, 1, &line));
    ck_assert(kifu_lines_after(other, 0, 0, following, 3) == 1 && following[0] == 0);
    ck_assert(!kifu_lines_after(other, 0, 1, following, 3) && !kifu_line_of_event(other, 0, 0));
    ck_assert_uint_eq(kifu_main_line(other), 0);
    kifu_destroy(other);
}
END_TEST

// 10,000 lines at one event, and as many along one line: a drawing that looked for each among all would take minutes.
START_TEST(V02_drawing_costs_what_is_drawn)
{
    kifu_timeline *timeline = new_tally(NULL);
    for (int i = 1; i <= 5000; i++)
        go_and_play(timeline, 0, 0, i);
    must(timeline, kifu_go_to(timeline, 0, 1, false));
    for (int i = 0; i < 2500; i++) {
        play(timeline, 1);
        play(timeline, 2);
        must(timeline, kifu_undo(timeline));
        play(timeline, 3);
    }
    ck_assert_uint_eq(kifu_line_count(timeline), 7500);
    for (int i = 0; i < 200; i++)
        ck_assert_uint_gt(draw(timeline), 10000);
    ck_assert_uint_eq(tree[draw(timeline) - 1].row, 7499);
    kifu_destroy(timeline);
}
END_TEST

// In a search, the current line is shown up to where that began. Other lines branch off behind it all the same.
START_TEST(M08_V02_lines_that_branch_off_behind_a_search_are_drawn)
{
    kifu_timeline *timeline = new_tally(NULL);
    for (int amount = 1; amount <= 5; amount++)
        play(timeline, amount);
    for (uint32_t place = 4; place >= 3; place--) {
        must(timeline, kifu_go_to(timeline, 0, place, false));
        play(timeline, 9);
    }
    must(timeline, kifu_go_to(timeline, 0, 1, false));
    must(timeline, kifu_begin(timeline, KIFU_SEARCH));
    draw(timeline);
    ck_assert_str_eq(shape(0), "0:0+3mc (2:3+1) 0:3+1mc 1:4+1");
    must(timeline, kifu_roll_back(timeline));
    kifu_destroy(timeline);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        V02_random_trees_are_drawn_as_they_are, V02_the_main_line_is_drawn_straight,
        V02_what_a_drawing_needs_is_said,       V02_what_follows_a_place_is_listed,
        V02_drawing_costs_what_is_drawn,        M08_V02_lines_that_branch_off_behind_a_search_are_drawn,
    };
    return run_suite("draw_tree", tests, sizeof tests / sizeof *tests);
}
