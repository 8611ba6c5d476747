// Edits: what they refuse, and edits of what lies deep in the state.

#include <stdlib.h>

#include "history_help.h"
#include "shapes.h"
#include "suite.h"
#include "vast.h"

// --- An index out of range -------------------------------------------------------------------------------------------

static void edit_number(kifu_timeline *timeline)
{
    *shapes_edit_numbers(timeline, 3) = 1;
}

static void edit_number_far_away(kifu_timeline *timeline)
{
    *shapes_edit_numbers(timeline, UINT32_MAX) = 1;
}

static void edit_struct(kifu_timeline *timeline)
{
    memset(shapes_edit_deeps(timeline, 2), 1, sizeof(shapes_deep));
}

static void edit_member(kifu_timeline *timeline)
{
    *shapes_edit_deeps_suit(timeline, 2) = SHAPES_SUIT_SPADES;
}

static void edit_inner_struct(kifu_timeline *timeline)
{
    shapes_edit_deeps_pairs(timeline, 1, 2)->right = 1;
}

static void edit_inner_member(kifu_timeline *timeline)
{
    *shapes_edit_deeps_pairs_left(timeline, 0, 7) = 1;
}

static void edit_inner_array(kifu_timeline *timeline)
{
    memset(shapes_edit_deeps_odds_all(timeline, 9), 1, 5 * sizeof(shapes_odd));
}

static void (*wrong)(kifu_timeline *timeline); // What the Do of PScribble does; NULL: nothing.

static kifu_result scribble(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                            void *transient)
{
    if (type != SHAPES_P_SCRIBBLE)
        return shapes_rules.do_event(timeline, type, state, event, transient);
    *shapes_edit_small(timeline) += 1;
    if (wrong)
        wrong(timeline);
    *shapes_edit_small(timeline) += 1;
    return KIFU_OK;
}

static void expect_failure(kifu_timeline *shapes, kifu_result result, kifu_result expected, const char *message,
                           const shapes_state *before)
{
    ck_assert_int_eq(result, expected);
    must_say(shapes, message);
    ck_assert_mem_eq(shapes_get_state(shapes), before, sizeof *before);
}

// Live, in a redo and outside of a Do: it is reported, and nothing has changed afterwards.
START_TEST(F36_an_index_out_of_range_is_reported_and_changes_nothing)
{
    static const struct {
        void (*edit)(kifu_timeline *timeline);
        const char *message;
    } cases[] = {
        {edit_number, "numbers[3] was edited, but numbers has 3 elements"},
        {edit_number_far_away, "numbers[4294967295] was edited, but numbers has 3 elements"},
        {edit_struct, "deeps[2] was edited, but deeps has 2 elements"},
        {edit_member, "deeps[2] was edited, but deeps has 2 elements"},
        {edit_inner_struct, "deeps.pairs[2] was edited, but deeps.pairs has 2 elements"},
        {edit_inner_member, "deeps.pairs[7] was edited, but deeps.pairs has 2 elements"},
        {edit_inner_array, "deeps[9] was edited, but deeps has 2 elements"},
    };
    kifu_rules rules = shapes_rules;
    rules.do_event = scribble;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *shapes;
        ck_assert_int_eq(kifu_create(&rules, NULL, &shapes, NULL), KIFU_OK);
        wrong = NULL;
        shapes_submit_p_scribble(shapes, 0, 1, 1, false);
        must(shapes, kifu_run(shapes));
        shapes_state before = *shapes_get_state(shapes);
        wrong = cases[i].edit;
        shapes_submit_p_scribble(shapes, 0, 1, 1, false);
        expect_failure(shapes, kifu_run(shapes), KIFU_MISUSE, cases[i].message, &before);
        wrong(shapes);
        expect_failure(shapes, kifu_run(shapes), KIFU_MISUSE, cases[i].message, &before);
        must(shapes, kifu_undo(shapes));
        before = *shapes_get_state(shapes);
        expect_failure(shapes, kifu_redo(shapes), KIFU_FAILED, cases[i].message, &before);
        wrong = NULL;
        must(shapes, kifu_redo(shapes));
        ck_assert_int_eq(shapes_get_state(shapes)->small, 2);
        kifu_destroy(shapes);
    }
}
END_TEST

// --- Deep in the state -----------------------------------------------------------------------------------------------

static vast_layer elsewhere;
static const vast_layer *(*choose)(const vast_state *state);

static const vast_layer *choose_first(const vast_state *state)
{
    return &state->regions[0].mines[0].shafts[0].layers[0];
}

static const vast_layer *choose_last(const vast_state *state)
{
    return &state->regions[1].mines[2].shafts[3].layers[5];
}

static const vast_layer *choose_elsewhere(const vast_state *state)
{
    (void)state;
    return &elsewhere;
}

static const vast_layer *choose_null(const vast_state *state)
{
    (void)state;
    return NULL;
}

static const vast_layer *choose_behind(const vast_state *state)
{
    return (const vast_layer *)(const void *)(state + 1);
}

static const vast_layer *choose_half_behind(const vast_state *state)
{
    return (const vast_layer *)(const void *)((const unsigned char *)(state + 1) - 2);
}

// Whatever lies there: its bytes are the state's last ones.
static const vast_layer *choose_end(const vast_state *state)
{
    return (const vast_layer *)(const void *)((const unsigned char *)(state + 1) - sizeof(vast_layer));
}

static kifu_result dig_gold(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                            void *transient)
{
    if (type != VAST_P_DIG)
        return vast_rules.do_event(timeline, type, state, event, transient);
    vast_edit_layer_at(timeline, choose((const vast_state *)state))->gold = 7;
    return KIFU_OK;
}

START_TEST(F31_what_lies_deep_is_edited_by_a_pointer_to_it)
{
    static const struct {
        const vast_layer *(*choose)(const vast_state *state);
        bool is_there;
    } cases[] = {{choose_first, true},   {choose_last, true},         {choose_elsewhere, false}, {choose_null, false},
                 {choose_behind, false}, {choose_half_behind, false}, {choose_end, true}};
    kifu_rules rules = vast_rules;
    rules.do_event = dig_gold;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *vast;
        ck_assert_int_eq(kifu_create(&rules, NULL, &vast, NULL), KIFU_OK);
        const uint64_t before = kifu_state_hash(vast);
        choose = cases[i].choose;
        vast_submit_p_dig(vast, 0, 1, 2);
        ck_assert_int_eq(kifu_run(vast), cases[i].is_there ? KIFU_OK : KIFU_MISUSE);
        if (cases[i].is_there) {
            ck_assert_uint_eq(choose(vast_get_state(vast))->gold, 7);
            must(vast, kifu_undo(vast));
            ck_assert_uint_eq(choose(vast_get_state(vast))->gold, 0);
        } else {
            must_say(vast, "a place outside of the state");
        }
        ck_assert_uint_eq(kifu_state_hash(vast), before);
        kifu_destroy(vast);
    }
    ck_assert_uint_eq(elsewhere.gold, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F36_an_index_out_of_range_is_reported_and_changes_nothing,
        F31_what_lies_deep_is_edited_by_a_pointer_to_it,
    };
    return run_suite("edits", tests, sizeof tests / sizeof *tests);
}
