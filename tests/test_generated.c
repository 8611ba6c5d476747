// What generated code has for its game to call: submits by name, names of enum values, sizes of arrays.

#include <string.h>

#include "dungeon.h"
#include "quirks.h"
#include "suite.h"
#include "wire.h"

static kifu_timeline *begin(void)
{
    kifu_timeline *wire;
    ck_assert_int_eq(kifu_create(&wire_rules, NULL, &wire, NULL), KIFU_OK);
    return wire;
}

// The event that happened last, after what waits.
static const void *happened(kifu_timeline *wire, uint32_t type)
{
    kifu_event event;
    ck_assert_msg(kifu_run(wire) == KIFU_OK, "%s", kifu_last_error(wire)->message);
    ck_assert(kifu_event_at(wire, kifu_event_count(wire) - 1, &event));
    ck_assert_uint_eq(event.type, type);
    return event.table;
}

// --- Submitting by name ----------------------------------------------------------------------------------------------

START_TEST(G04_a_field_that_is_not_named_has_the_schemas_default)
{
    kifu_timeline *wire = begin();
    wire_e_flat_args args = wire_e_flat_defaults();
    args.a = 9;
    args.c = 0; // Not what is left out: the default is -1.
    wire_submit_e_flat(wire, &args);
    const wire_e_flat *flat = happened(wire, WIRE_E_FLAT);
    ck_assert(flat->a == 9 && flat->b == 500 && flat->c == 0 && flat->d == 0);
    ck_assert(flat->e == 1.5f && flat->f == 0 && flat->g == 0 && flat->h);
    kifu_destroy(wire);
}
END_TEST

START_TEST(F34_null_stands_for_the_defaults_of_all_fields)
{
    kifu_timeline *wire = begin();
    wire_submit_e_flat(wire, NULL);
    const wire_e_flat *flat = happened(wire, WIRE_E_FLAT);
    ck_assert(flat->a == 0 && flat->b == 500 && flat->c == -1 && flat->e == 1.5f && flat->h);
    wire_submit_e_optional(wire, NULL);
    const wire_e_optional *optional = happened(wire, WIRE_E_OPTIONAL);
    ck_assert(!optional->has_a && !optional->has_c && !optional->has_distance && optional->always == 7);
    wire_submit_e_vectors(wire, NULL);
    const wire_e_vectors *vectors = happened(wire, WIRE_E_VECTORS);
    ck_assert(!wire_e_vectors_bytes(vectors) && !wire_e_vectors_strings_count(vectors));
    kifu_destroy(wire);
}
END_TEST

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static uint32_t bits_of_float(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

// By name, with NULL, and where another field was named.
START_TEST(M07_G04_what_is_no_number_is_a_default_too)
{
    kifu_timeline *quirks;
    ck_assert_int_eq(kifu_create(&quirks_rules, NULL, &quirks, NULL), KIFU_OK);
    for (int named = 0; named < 2; named++) {
        quirks_e_measure_args args = quirks_e_measure_defaults();
        ck_assert_uint_eq(bits_of_float(args.single), 0x7fc00000);
        args.above = 2;
        quirks_submit_e_measure(quirks, named ? &args : NULL);
        const quirks_e_measure *measure = happened(quirks, QUIRKS_E_MEASURE);
        ck_assert_uint_eq(bits_of_float(measure->single), 0x7fc00000);
        ck_assert_uint_eq(bits_of(measure->whole), UINT64_C(0x7ff8000000000000));
        ck_assert_uint_eq(bits_of_float(measure->below), 0xff800000);
        ck_assert_uint_eq(bits_of(measure->above), named ? bits_of(2) : UINT64_C(0x7ff0000000000000));
    }
    kifu_destroy(quirks);
}
END_TEST

START_TEST(G04_an_optional_field_is_there_if_has_says_so)
{
    kifu_timeline *wire = begin();
    wire_e_optional_args args = wire_e_optional_defaults();
    args.a = 3; // Without has_a: absent.
    args.has_b = true;
    args.b = 4;
    args.has_d = true;
    wire_submit_e_optional(wire, &args);
    const wire_e_optional *optional = happened(wire, WIRE_E_OPTIONAL);
    ck_assert(!optional->has_a && optional->has_b && optional->b == 4 && optional->has_d && !optional->d);
    kifu_destroy(wire);
}
END_TEST

START_TEST(G04_enums_and_structs_are_named_by_value)
{
    kifu_timeline *wire = begin();
    wire_e_checks_args args = wire_e_checks_defaults();
    ck_assert_int_eq(args.level, WIRE_LEVEL_LOW);
    ck_assert_uint_eq(args.distance, WIRE_DISTANCE_NEAR);
    args.point.y = 70000;
    args.grid.points[1].x = -5;
    args.traits = WIRE_TRAIT_HEAVY | WIRE_TRAIT_CURSED;
    wire_submit_e_checks(wire, &args);
    const wire_e_checks *checks = happened(wire, WIRE_E_CHECKS);
    ck_assert(checks->point.y == 70000 && checks->grid.points[1].x == -5 && checks->level == WIRE_LEVEL_LOW);
    ck_assert_uint_eq(checks->traits, 514);
    kifu_destroy(wire);
}
END_TEST

START_TEST(G04_nested_tables_have_defaults_too)
{
    kifu_timeline *wire = begin();
    const wire_plain_args plain = wire_plain_defaults();
    wire_branch_args branch = wire_branch_defaults();
    wire_leaf_args leaves[] = {wire_leaf_defaults(), wire_leaf_defaults()};
    leaves[1].colour = WIRE_COLOUR_RED;
    leaves[1].note = "red";
    branch.leaves = leaves;
    branch.leaves_count = 2;
    wire_submit_e_nested(wire, &branch, NULL, NULL, 0, &plain);
    const wire_e_nested *nested = happened(wire, WIRE_E_NESTED);
    const wire_branch *made = wire_e_nested_branch(nested);
    ck_assert(made->level == WIRE_LEVEL_HIGH && !made->has_age);
    ck_assert_uint_eq(wire_branch_leaves(made, 0)->colour, WIRE_COLOUR_GREEN);
    ck_assert_uint_eq(wire_branch_leaves(made, 1)->colour, WIRE_COLOUR_RED);
    ck_assert_str_eq(wire_leaf_note(wire_branch_leaves(made, 1)), "red");
    ck_assert(wire_e_nested_must(nested)->a == 0 && wire_e_nested_must(nested)->b == 40);
    kifu_destroy(wire);
}
END_TEST

START_TEST(G04_what_a_table_requires_is_required_by_name_too)
{
    kifu_timeline *wire = begin();
    wire_e_changed_args args = wire_e_changed_defaults();
    ck_assert(args.kept == 3 && args.number == -5 && !args.text);
    args.text = "here";
    wire_submit_e_changed(wire, &args);
    const wire_e_changed *changed = happened(wire, WIRE_E_CHANGED);
    ck_assert(changed->kept == 3 && changed->number == -5);
    ck_assert_str_eq(wire_e_changed_text(changed), "here");
    wire_submit_e_nested(wire, NULL, NULL, NULL, 0, NULL);
    ck_assert_int_eq(kifu_run(wire), KIFU_INVALID_EVENT);
    kifu_destroy(wire);
}
END_TEST

// --- Names of enum values --------------------------------------------------------------------------------------------

START_TEST(G07_a_value_of_an_enum_has_its_name_in_the_schema)
{
    const struct {
        const char *is, *name;
    } names[] = {
        {wire_colour_name(WIRE_COLOUR_RED), "RED"},
        {wire_colour_name(WIRE_COLOUR_BLUE), "BLUE"},
        {wire_colour_name(3), "?"},
        {wire_colour_name(255), "?"},
        {wire_level_name(WIRE_LEVEL_LOW), "LOW"}, // With holes, and negative.
        {wire_level_name(WIRE_LEVEL_MIDDLE), "MIDDLE"},
        {wire_level_name(WIRE_LEVEL_HIGH), "HIGH"},
        {wire_level_name(-99), "?"},
        {wire_level_name(-32768), "?"},
        {wire_distance_name(WIRE_DISTANCE_NEAR), "NEAR"}, // More than an int.
        {wire_distance_name(WIRE_DISTANCE_FAR), "FAR"},
        {wire_distance_name(0), "?"},
        {wire_distance_name(UINT64_MAX), "?"},
        {wire_trait_name(WIRE_TRAIT_SHINY), "SHINY"}, // Flags: one at a time.
        {wire_trait_name(WIRE_TRAIT_CURSED), "CURSED"},
        {wire_trait_name(WIRE_TRAIT_SHINY | WIRE_TRAIT_CURSED), "?"},
        {wire_trait_name(0), "?"},
        {wire_trait_name(4), "?"},
        {kifu_phase_name(KIFU_PHASE_SETUP), "SETUP"},
        {kifu_phase_name(KIFU_PHASE_GAME_OVER), "GAME_OVER"},
        {kifu_phase_name(3), "?"},
        {dungeon_tile_name(DUNGEON_TILE_STAIRS), "STAIRS"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ck_assert_str_eq(names[i].is, names[i].name);
}
END_TEST

// --- Sizes of arrays -------------------------------------------------------------------------------------------------

START_TEST(G07_arrays_say_how_many_elements_they_have)
{
    ck_assert_int_eq(WIRE_GRID_CELLS_COUNT, 5); // Of a struct: with its name.
    ck_assert_int_eq(WIRE_GRID_POINTS_COUNT, 2);
    ck_assert_int_eq(DUNGEON_MAP_COUNT, 960); // Of the state: words of the game.
    ck_assert_int_eq(DUNGEON_SEEN_COUNT, 20);
    ck_assert_int_eq(DUNGEON_ACTORS_COUNT, 32); // How many a pool has room for.
    const dungeon_state *state = NULL;
    ck_assert_uint_eq(sizeof state->map / sizeof *state->map, DUNGEON_MAP_COUNT);
}
END_TEST

START_TEST(M07_G07_arrays_of_one_are_arrays)
{
    ck_assert_int_eq(QUIRKS_LONE_COUNT, 1);
    ck_assert_int_eq(QUIRKS_CELLS_COUNT, 1);
    ck_assert_int_eq(QUIRKS_CELL_STONES_COUNT, 1);
    kifu_timeline *quirks;
    ck_assert_int_eq(kifu_create(&quirks_rules, NULL, &quirks, NULL), KIFU_OK);
    quirks_submit_e_put(quirks, 0);
    happened(quirks, QUIRKS_E_PUT);
    const quirks_state *state = quirks_get_state(quirks);
    ck_assert_uint_eq(sizeof state->lone / sizeof *state->lone, QUIRKS_LONE_COUNT);
    ck_assert(state->lone[0] == 1 && state->cells[0].stones[0] == 2);
    quirks_submit_e_put(quirks, 1);
    ck_assert_int_eq(kifu_run(quirks), KIFU_MISUSE);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(quirks)->message, "lone"));
    kifu_destroy(quirks);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        G04_a_field_that_is_not_named_has_the_schemas_default,
        F34_null_stands_for_the_defaults_of_all_fields,
        M07_G04_what_is_no_number_is_a_default_too,
        G04_an_optional_field_is_there_if_has_says_so,
        G04_enums_and_structs_are_named_by_value,
        G04_nested_tables_have_defaults_too,
        G04_what_a_table_requires_is_required_by_name_too,
        G07_a_value_of_an_enum_has_its_name_in_the_schema,
        G07_arrays_say_how_many_elements_they_have,
        M07_G07_arrays_of_one_are_arrays,
    };
    return run_suite("generated", tests, sizeof tests / sizeof *tests);
}
