// Two games: where they part.

#include "compare_help.h"
#include "wire.h"

START_TEST(B05_equal_games_are_equal)
{
    kifu_timeline *a = lab_of(30, 0), *b = lab_of(30, 0);
    const kifu_comparison found = compare(a, b);
    ck_assert_int_eq(found.what, KIFU_GAMES_EQUAL);
    ck_assert_uint_eq(found.event, KIFU_NONE);
    ck_assert_str_eq(found.message, "the games are equal");
    end(a, b);
}
END_TEST

START_TEST(B05_the_first_event_that_differs_its_field_and_both_values)
{
    kifu_timeline *a = lab_of(30, 0), *b = lab_of(30, 7);
    const kifu_comparison found = compare(a, b);
    ck_assert_int_eq(found.what, KIFU_EVENTS_DIFFER);
    ck_assert_uint_eq(found.event, 7);
    ck_assert_str_eq(found.message,
                     "event 7, lab.PAdd, differs: amount is 7 in the one game and 1000 in the other; all "
                     "events before it are equal");
    end(a, b);
}
END_TEST

START_TEST(B05_the_first_event_that_one_game_lacks)
{
    kifu_timeline *a = lab_of(30, 0), *b = lab_of(12, 0);
    kifu_comparison found = compare(a, b);
    ck_assert_int_eq(found.what, KIFU_EVENT_MISSING);
    ck_assert_uint_eq(found.event, 12);
    ck_assert_str_eq(found.a, "lab.PAdd");
    ck_assert_str_eq(found.b, "absent");
    ck_assert_str_eq(found.message, "the second game ends after 12 events, and the other goes on with event 12, "
                                    "lab.PAdd; up to there, both are equal");
    kifu_destroy(b);
    b = counted_lab(0);
    found = compare(b, a);
    ck_assert_int_eq(found.what, KIFU_EVENT_MISSING);
    ck_assert_uint_eq(found.event, 0);
    end(a, b);
}
END_TEST

START_TEST(B05_a_game_that_begins_where_the_other_has_ended)
{
    kifu_timeline *a = lab_of(15, 0), *b = lab_of(5, 0), *c = lab_of(8, 0);
    lab_must(a, kifu_forget(a, 8));
    kifu_comparison found = compare(a, b);
    ck_assert_int_eq(found.what, KIFU_EVENT_MISSING);
    ck_assert_uint_eq(found.event, KIFU_NONE);
    ck_assert_ptr_null(found.name);
    ck_assert_str_eq(found.message, "the first game has 15 events, of which the first 8 are forgotten; the second game "
                                    "has 5 events: nothing could be compared, because no event is in both");
    found = compare(a, c); // which ends exactly there
    ck_assert_uint_eq(found.event, KIFU_NONE);
    ck_assert_str_eq(found.b, "8 events");
    lab_must(a, kifu_forget(a, KIFU_PRESENT));
    found = compare(b, a);
    ck_assert_str_eq(found.a, "5 events");
    ck_assert_str_eq(found.b, "15 events, of which the first 15 are forgotten");
    lab_must(c, kifu_forget(c, 4)); // Now something is in both.
    kifu_destroy(b);
    b = lab_of(15, 0);
    ck_assert_uint_eq(compare(b, c).event, 8);
    kifu_destroy(a);
    kifu_destroy(b);
    kifu_destroy(c);
}
END_TEST

START_TEST(B05_type_player_fields_and_flags_are_compared)
{
    static const struct {
        int which;
        const char *field, *a, *b;
    } cases[] = {{0, "type", "lab.PAdd", "lab.EMood"},
                 {1, "player", "0", "1"},
                 {2, "flags", "UNDOABLE", "0"},
                 {3, "script", "absent", "\"1\""},
                 {4, "times", "1", "2"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *both[2];
        for (int side = 0; side < 2; side++) {
            kifu_timeline *lab = both[side] = counted_lab(0);
            lab_submit_e_add_player(lab, 0, 0);
            lab_submit_e_add_player(lab, 1, 0);
            lab_p_do_args args = lab_p_do_defaults();
            args.times = cases[i].which == 4 && side ? 2 : 1;
            args.script = cases[i].which == 3 && side ? "1" : NULL;
            if (cases[i].which == 0 && side)
                lab_submit_e_mood(lab, LAB_MOOD_CALM);
            else if (cases[i].which < 3)
                kifu_override(lab, lab_submit_p_add(lab, cases[i].which == 1 && side ? 1 : 0, 1),
                              !(cases[i].which == 2 && side), false);
            else
                lab_submit_p_do(lab, 0, &args);
            lab_must(lab, kifu_run(lab));
        }
        const kifu_comparison found = compare(both[0], both[1]);
        ck_assert_int_eq(found.what, KIFU_EVENTS_DIFFER);
        ck_assert_uint_eq(found.event, 2);
        ck_assert_str_eq(found.field, cases[i].field);
        ck_assert_str_eq(found.a, cases[i].a);
        ck_assert_str_eq(found.b, cases[i].b);
        end(both[0], both[1]);
    }
}
END_TEST

// A mood after each PAdd; `nested` says of which event the second one is a consequence.
static kifu_result change_mood(void *nested, kifu_timeline *lab, const void *state, const kifu_event *event)
{
    (void)state;
    const bool first = event->type == LAB_P_ADD;
    if (first || (nested && ((const lab_e_mood *)event->table)->mood == LAB_MOOD_ANGRY))
        lab_submit_e_mood(lab, first ? LAB_MOOD_ANGRY : LAB_MOOD_CALM);
    if (first && !nested)
        lab_submit_e_mood(lab, LAB_MOOD_CALM);
    return KIFU_OK;
}

// The events of both are the same, but for what caused the last one.
START_TEST(M07_B05_causes_are_compared)
{
    static const struct {
        bool as_inputs, waits;
        uint32_t event;
        const char *field, *a, *b;
    } cases[] = {{false, false, 4, "cause", "2", "3"},
                 {true, false, 3, "cause", "2", "absent"},
                 {false, true, KIFU_NONE, "consequences[0].cause", "2", "3"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *both[2];
        for (int side = 0; side < 2; side++) {
            kifu_timeline *lab = both[side] = lab_of(2, 0);
            bool nested = true;
            const kifu_observer observer = {.react = change_mood, .context = side ? &nested : NULL};
            if (!side || !cases[i].as_inputs)
                lab_must(lab, kifu_observe(lab, &observer));
            lab_submit_p_add(lab, 0, 5);
            if (side && cases[i].as_inputs) {
                lab_submit_e_mood(lab, LAB_MOOD_ANGRY);
                lab_submit_e_mood(lab, LAB_MOOD_CALM);
            }
            for (uint32_t all = cases[i].waits ? 4 : 5; kifu_event_count(lab) < all;)
                lab_must(lab, kifu_step(lab));
        }
        const kifu_comparison found = compare(both[0], both[1]);
        ck_assert_int_eq(found.what, cases[i].waits ? KIFU_WAITING_DIFFERS : KIFU_EVENTS_DIFFER);
        ck_assert_uint_eq(found.event, cases[i].event);
        ck_assert_str_eq(found.field, cases[i].field);
        ck_assert_str_eq(found.a, cases[i].a);
        ck_assert_str_eq(found.b, cases[i].b);
        end(both[0], both[1]);
    }
}
END_TEST

// --- What an event contains ------------------------------------------------------------------------------------------

static void expect_wire(kifu_ticket (*submit)(kifu_timeline *timeline, bool other), const char *field, const char *a,
                        const char *b)
{
    kifu_timeline *both[2];
    for (int side = 0; side < 2; side++) {
        kifu_error error;
        ck_assert_int_eq(kifu_create(&wire_rules, NULL, &both[side], &error), KIFU_OK);
        submit(both[side], side);
        ck_assert_msg(kifu_run(both[side]) == KIFU_OK, "%s", kifu_last_error(both[side])->message);
    }
    const kifu_comparison found = compare(both[0], both[1]);
    ck_assert_int_eq(found.what, KIFU_EVENTS_DIFFER);
    ck_assert_str_eq(found.field, field);
    ck_assert_str_eq(found.a, a);
    ck_assert_str_eq(found.b, b);
    end(both[0], both[1]);
}

static kifu_ticket grids(kifu_timeline *timeline, bool other)
{
    const wire_grid all[2] = {{.ratio = 1}, {.points = {{0}, {.y = other ? -1 : 4}}}};
    wire_e_vectors_args args = wire_e_vectors_defaults();
    args.grids = all, args.grids_count = 2;
    return wire_submit_e_vectors(timeline, &args);
}

static kifu_ticket longer(kifu_timeline *timeline, bool other)
{
    const wire_level all[] = {WIRE_LEVEL_LOW, WIRE_LEVEL_HIGH};
    wire_e_vectors_args args = wire_e_vectors_defaults();
    args.levels = all, args.levels_count = other ? 2 : 1;
    return wire_submit_e_vectors(timeline, &args);
}

static kifu_ticket strings(kifu_timeline *timeline, bool other)
{
    const char *const all[] = {"same", "this too", other ? "theirs" : "ours"};
    wire_e_vectors_args args = wire_e_vectors_defaults();
    args.strings = all, args.strings_count = 3;
    return wire_submit_e_vectors(timeline, &args);
}

static kifu_ticket long_texts(kifu_timeline *timeline, bool other)
{
    char text[201];
    memset(text, other ? 'b' : 'a', 200);
    text[other ? 117 : 118] = 0; // With quotes and the end, the one fits.
    return wire_submit_e_text(timeline, text, "name");
}

static kifu_ticket more_tables(kifu_timeline *timeline, bool other)
{
    const wire_plain_args all[2] = {{.a = 1}, {.a = 2}};
    wire_e_vectors_args args = wire_e_vectors_defaults();
    args.plains = all, args.plains_count = other ? 2 : 1;
    return wire_submit_e_vectors(timeline, &args);
}

static kifu_ticket nested(kifu_timeline *timeline, bool other)
{
    const wire_leaf_args leaf = {.note = other ? NULL : "n"};
    const wire_branch_args inner = {.main = &leaf}, branch = {.next = &inner};
    const wire_plain_args plain = {.a = 1};
    return wire_submit_e_nested(timeline, &branch, NULL, NULL, 0, &plain);
}

static kifu_ticket optional(kifu_timeline *timeline, bool other)
{
    wire_e_optional_args args = wire_e_optional_defaults();
    args.has_e = other;
    return wire_submit_e_optional(timeline, &args);
}

START_TEST(B05_fields_deep_inside_are_named)
{
    expect_wire(grids, "grids[1].points[1].y", "4", "-1");
    expect_wire(longer, "levels[1]", "absent", "HIGH");
    expect_wire(strings, "strings[2]", "\"ours\"", "\"theirs\"");
    char cut[120] = "\"", whole[120] = "\""; // What there is no room for ends in dots.
    memset(cut + 1, 'a', 115);
    memcpy(cut + 116, "...", 4);
    memset(whole + 1, 'b', 117);
    whole[118] = '"';
    expect_wire(long_texts, "text", cut, whole);
    expect_wire(more_tables, "plains", "1 elements", "2 elements");
    expect_wire(nested, "branch.next.main.note", "\"n\"", "absent");
    expect_wire(optional, "e", "absent", "0");
}
END_TEST

// --- States ----------------------------------------------------------------------------------------------------------

// As a Do that is not deterministic makes it: the same event, and another state.
static void corrupt(kifu_timeline *lab, int64_t total)
{
    lab_state *state = (lab_state *)(uintptr_t)lab_get_state(lab);
    state->total = total;
}

// The same events, and from the 21st on other states.
static void begin_with_other_states(kifu_timeline **a, kifu_timeline **b)
{
    *a = counted_lab(8);
    *b = counted_lab(8);
    lab_submit_e_add_player(*a, 0, 0);
    lab_submit_e_add_player(*b, 0, 0);
    add(*a, 20);
    add(*b, 20);
    corrupt(*b, 99);
    add(*a, 20);
    add(*b, 20);
}

START_TEST(B05_states_that_differ_are_found_by_what_the_journal_remembers)
{
    kifu_timeline *a, *b;
    begin_with_other_states(&a, &b);
    const kifu_comparison found = compare(a, b);
    ck_assert_int_eq(found.what, KIFU_STATES_DIFFER);
    ck_assert_str_eq(found.field, "total");
    ck_assert_str_eq(found.name, "lab.PAdd");
    ck_assert_uint_ge(found.event, 16);
    ck_assert_uint_le(found.event, 21);
    ck_assert_ptr_nonnull(strstr(found.message, "the events are equal, and lead to different states after event "));
    char values[200];
    snprintf(values, sizeof values, ": total is %.30s in the one game and %.30s in the other", found.a, found.b);
    ck_assert_ptr_nonnull(strstr(found.message, values));
    end(a, b);
}
END_TEST

START_TEST(B05_memory_may_end_while_states_are_compared)
{
    kifu_timeline *a, *b;
    begin_with_other_states(&a, &b);
    const kifu_comparison whole = compare(a, b);
    kifu_comparison found;
    kifu_result result = KIFU_NO_MEMORY;
    int failures = 0;
    for (; result; failures++) {
        memset(&found, 0, sizeof found);
        memory.until_failure = failures;
        result = kifu_compare(a, b, &found);
        memory.until_failure = -1;
        ck_assert(!result || result == KIFU_NO_MEMORY);
    }
    ck_assert_int_gt(failures, 1);
    ck_assert_int_eq(found.what, KIFU_STATES_DIFFER);
    ck_assert_uint_eq(found.event, whole.event);
    ck_assert_str_eq(found.b, whole.b);
    end(a, b);
}
END_TEST

START_TEST(B05_a_state_that_differs_comes_before_an_event_that_does)
{
    kifu_timeline *a = counted_lab(1), *b = counted_lab(1);
    lab_submit_e_add_player(a, 0, 0);
    lab_submit_e_add_player(b, 0, 0);
    add(a, 5);
    add(b, 5);
    corrupt(b, 77);
    add(a, 1);
    add(b, 1);
    lab_submit_p_add(a, 0, 3);
    lab_submit_p_add(b, 0, 4);
    lab_must(a, kifu_run(a));
    lab_must(b, kifu_run(b));
    const kifu_comparison found = compare(a, b);
    ck_assert_int_eq(found.what, KIFU_STATES_DIFFER);
    ck_assert_str_eq(found.field, "total");
    ck_assert_uint_eq(found.first, 6);
    ck_assert_uint_eq(found.event, 6);
    ck_assert_str_eq(found.a, "6"); // as it was after that event
    ck_assert_str_eq(found.b, "78");
    end(a, b);
}
END_TEST

// --- What waits ------------------------------------------------------------------------------------------------------

START_TEST(B05_what_waits_and_what_redo_brings_back_is_compared)
{
    kifu_timeline *a = lab_of(9, 0), *b = lab_of(9, 0);
    lab_submit_p_add(a, 0, 1);
    lab_submit_p_add(b, 0, 2);
    kifu_comparison found = compare(a, b);
    ck_assert_int_eq(found.what, KIFU_WAITING_DIFFERS);
    ck_assert_str_eq(found.field, "inputs[0].amount");
    ck_assert_str_eq(found.b, "2");
    lab_must(b, kifu_drop_inputs(b));
    found = compare(a, b);
    ck_assert_str_eq(found.field, "inputs[0]");
    ck_assert_str_eq(found.a, "lab.PAdd");
    ck_assert_str_eq(found.b, "absent");
    lab_must(a, kifu_drop_inputs(a));
    lab_must(a, kifu_undo(a));
    kifu_destroy(b);
    b = lab_of(8, 0);
    found = compare(a, b);
    ck_assert_str_eq(found.field, "undone[8]");
    ck_assert_str_eq(found.a, "lab.PAdd");
    ck_assert_str_eq(found.b, "absent");
    kifu_destroy(b);
    b = lab_of(9, 8);
    lab_must(b, kifu_undo(b));
    found = compare(a, b);
    ck_assert_str_eq(found.field, "undone[8].amount");
    kifu_destroy(a);
    kifu_destroy(b);
    a = lab_of(9, 0), b = lab_of(9, 0);
    lab_must(a, kifu_undo(a));
    lab_must(a, kifu_undo(a));
    ck_assert_int_eq(compare(a, b).what, KIFU_EVENT_MISSING);
    end(a, b);
}
END_TEST

START_TEST(B05_comparing_from_inside_is_misuse)
{
    kifu_timeline *a = lab_of(9, 0), *b = lab_of(9, 0);
    kifu_comparison found;
    lab_must(b, kifu_seek(b, 2));
    ck_assert_int_eq(kifu_compare(a, b, &found), KIFU_MISUSE);
    ck_assert_int_eq(kifu_compare(b, a, &found), KIFU_MISUSE);
    end(a, b);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        B05_equal_games_are_equal,
        B05_the_first_event_that_differs_its_field_and_both_values,
        B05_the_first_event_that_one_game_lacks,
        B05_a_game_that_begins_where_the_other_has_ended,
        B05_type_player_fields_and_flags_are_compared,
        M07_B05_causes_are_compared,
        B05_fields_deep_inside_are_named,
        B05_states_that_differ_are_found_by_what_the_journal_remembers,
        B05_memory_may_end_while_states_are_compared,
        B05_a_state_that_differs_comes_before_an_event_that_does,
        B05_what_waits_and_what_redo_brings_back_is_compared,
        B05_comparing_from_inside_is_misuse,
    };
    return run_suite("compare", tests, sizeof tests / sizeof *tests);
}
