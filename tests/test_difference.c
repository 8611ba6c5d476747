// The first difference of two events, or of two states, in the words of the schema.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "faulty_help.h"
#include "outside.h"
#include "suite.h"
#include "wire.h"
#include "wire/difference.h"

static void differ_in(const kifu__table *table, const void *expected, const void *actual, size_t size,
                      const char *field, const char *was, const char *is)
{
    kifu_difference difference;
    memset(&difference, 0, sizeof difference);
    ck_assert(kifu__describe_blobs(table, (const unsigned char *)expected, (const unsigned char *)actual,
                                   (uint32_t)size, &difference));
    ck_assert_str_eq(difference.field, field);
    ck_assert_str_eq(difference.expected, was);
    ck_assert_str_eq(difference.actual, is);
}

#define DIFFER(type, expected, actual, ...)                                                                            \
    differ_in(wire_rules.types[type].table, &(expected), &(actual), sizeof(expected), __VA_ARGS__)

START_TEST(F16_numbers_have_their_sign_and_their_fraction)
{
    const wire_e_flat one = {0};
    DIFFER(WIRE_E_FLAT, one, (wire_e_flat){.c = -5}, "c", "0", "-5");
    DIFFER(WIRE_E_FLAT, one, (wire_e_flat){.g = -1}, "g", "0", "-1");
    DIFFER(WIRE_E_FLAT, one, (wire_e_flat){.b = 65535}, "b", "0", "65535");
    DIFFER(WIRE_E_FLAT, one, (wire_e_flat){.d = UINT64_MAX}, "d", "0", "18446744073709551615");
    DIFFER(WIRE_E_FLAT, one, (wire_e_flat){.e = -0.5F}, "e", "0", "-0.5");
    DIFFER(WIRE_E_FLAT, one, (wire_e_flat){.f = 2.25}, "f", "0", "2.25");
    DIFFER(WIRE_E_FLAT, one, (wire_e_flat){.f = -0.0}, "f", "0", "-0");
    DIFFER(WIRE_E_FLAT, one, (wire_e_flat){.h = true}, "h", "false", "true");
}
END_TEST

START_TEST(F16_enums_have_their_names)
{
    const wire_e_checks one = {.distance = WIRE_DISTANCE_NEAR};
    wire_e_checks other = one;
    other.colour = WIRE_COLOUR_BLUE;
    DIFFER(WIRE_E_CHECKS, one, other, "colour", "RED (0)", "BLUE (2)");
    other = one;
    other.level = WIRE_LEVEL_LOW;
    DIFFER(WIRE_E_CHECKS, one, other, "level", "MIDDLE (0)", "LOW (-100)");
    other = one;
    other.distance = WIRE_DISTANCE_FAR;
    DIFFER(WIRE_E_CHECKS, one, other, "distance", "NEAR (1)", "FAR (9000000000)");
    other = one;
    other.traits = WIRE_TRAIT_SHINY | WIRE_TRAIT_CURSED;
    DIFFER(WIRE_E_CHECKS, one, other, "traits", "0", "SHINY|CURSED (513)");
}
END_TEST

// An event of one field, which is in the middle of its table.
typedef struct one_byte {
    uint32_t vtable, number;
    int8_t value;
    char padding[3];
} one_byte;

static kifu__field of_one_byte(const char *name, const kifu__enum *values)
{
    return (kifu__field){.name = name,
                         .kind = KIFU__SCALAR,
                         .align = 1,
                         .size = 1,
                         .offset = offsetof(one_byte, value),
                         .scalar = KIFU__I8,
                         .values = values};
}

START_TEST(F16_values_without_a_name_are_numbers)
{
    static const char *const labels[] = {"MINUS_ONE", "ZERO", "ONE", "MORE"}, *const bits[] = {"LOW", "HIGH"};
    static const int64_t sparse[] = {-1, 0, 5, 9}; // The last is none of it.
    static const kifu__enum dense = {
        .size = 1, .is_signed = true, .low = -1, .high = 1, .labels = labels, .label_count = 3};
    static const kifu__enum holes = {.size = 1,
                                     .is_signed = true,
                                     .low = -1,
                                     .high = 5,
                                     .values = sparse,
                                     .value_count = 3,
                                     .labels = labels,
                                     .label_count = 3};
    static const kifu__enum flags = {.size = 1, .bit_flags = true, .mask = 0x41, .labels = bits, .label_count = 2};
    static const kifu__enum bare = {.size = 1, .high = 1};
    static const struct {
        const kifu__enum *values;
        int8_t value;
        const char *text;
    } cases[] = {{&dense, -2, "-2"},
                 {&dense, -1, "MINUS_ONE (-1)"},
                 {&dense, 1, "ONE (1)"},
                 {&dense, 2, "2"},
                 {&holes, -1, "MINUS_ONE (-1)"},
                 {&holes, 5, "ONE (5)"},
                 {&holes, 1, "1"},
                 {&holes, 9, "9"},
                 {&flags, 1, "LOW (1)"},
                 {&flags, 64, "HIGH (64)"},
                 {&flags, 65, "LOW|HIGH (65)"},
                 {&flags, 2, "2"},
                 {&bare, 1, "1"},
                 {NULL, 1, "1"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const kifu__field field = of_one_byte("value", cases[i].values);
        const kifu__table table = {.field_count = 1, .fields = &field};
        const one_byte one = {.value = 34}, other = {.value = cases[i].value};
        differ_in(&table, &one, &other, sizeof one, "value", "34", cases[i].text);
    }
}
END_TEST

START_TEST(F16_a_byte_of_none_of_the_fields_is_not_described)
{
    const kifu__field fields[] = {of_one_byte("value", NULL), of_one_byte("of another table", NULL)};
    const one_byte one = {.value = 1}, other = {.value = 2};
    kifu_difference difference;
    for (uint16_t count = 0; count < 2; count++) {
        const kifu__table table = {.field_count = count, .fields = &fields[1 - count]};
        ck_assert_int_eq(kifu__describe_blobs(&table, (const unsigned char *)&one, (const unsigned char *)&other,
                                              sizeof one, &difference),
                         count);
    }
}
END_TEST

START_TEST(F16_a_byte_of_none_of_the_members_is_padding)
{
    static const kifu__member members[] = {{.name = "one", .size = 1}, {.name = "of another", .offset = 1, .size = 1}};
    static const kifu__struct state = {.members = members, .member_count = 1};
    const kifu_rules rules = {.state = &state, .state_size = 2};
    const unsigned char one[2] = {1, 2}, other[2] = {1, 3};
    kifu_difference difference;
    ck_assert(kifu__describe_difference(&rules, one, other, &difference));
    ck_assert_str_eq(difference.field, "padding at byte 1");
}
END_TEST

START_TEST(F16_long_names_are_cut_off_where_their_room_ends)
{
    char name[300], label[300];
    memset(name, 'n', sizeof name);
    memset(label, 'L', sizeof label);
    name[299] = label[299] = '\0';
    const char *const labels[] = {label};
    const kifu__enum values = {.size = 1, .low = 7, .high = 7, .labels = labels, .label_count = 1};
    const kifu__field field = of_one_byte(name, &values);
    const kifu__table table = {.field_count = 1, .fields = &field};
    const one_byte one = {.value = 0}, other = {.value = 7};
    kifu_difference difference;
    ck_assert(kifu__describe_blobs(&table, (const unsigned char *)&one, (const unsigned char *)&other, sizeof one,
                                   &difference));
    ck_assert_uint_eq(strlen(difference.field), sizeof difference.field - 1);
    ck_assert_mem_eq(difference.field, name, sizeof difference.field - 1);
    ck_assert_str_eq(difference.expected, "0");
    ck_assert_uint_eq(strlen(difference.actual), sizeof difference.actual - 1);
    ck_assert_mem_eq(difference.actual, label, sizeof difference.actual - 1);
}
END_TEST

START_TEST(F16_structs_are_named_down_to_the_value)
{
    const wire_e_checks one = {0};
    wire_e_checks other = one;
    other.point.x = -7;
    DIFFER(WIRE_E_CHECKS, one, other, "point.x", "0", "-7");
    other = one;
    other.grid.points[1].colour = WIRE_COLOUR_GREEN;
    DIFFER(WIRE_E_CHECKS, one, other, "grid.points[1].colour", "RED (0)", "GREEN (1)");
}
END_TEST

START_TEST(F16_what_is_absent_is_null)
{
    const wire_e_optional one = {0};
    DIFFER(WIRE_E_OPTIONAL, one, ((wire_e_optional){.has_a = true, .a = 4}), "a", "null", "4");
    DIFFER(WIRE_E_OPTIONAL, one, (wire_e_optional){.has_a = true}, "a", "null", "0");
    DIFFER(WIRE_E_OPTIONAL, (wire_e_optional){.has_a = true}, one, "a", "0", "null");
    DIFFER(WIRE_E_OPTIONAL, ((wire_e_optional){.has_d = true, .d = true}), one, "d", "true", "null");
    DIFFER(WIRE_E_OPTIONAL, one, (wire_e_optional){.always = 3}, "always", "0", "3");
    const wire_e_optional four = {.has_a = true, .a = 4};
    DIFFER(WIRE_E_OPTIONAL, four, ((wire_e_optional){.has_a = true, .a = 5}), "a", "4", "5");
}
END_TEST

START_TEST(F16_fields_that_are_not_stored_are_passed_over)
{
    const wire_e_changed one = {.number = 1}; // Its first field is deprecated
    DIFFER(WIRE_E_CHANGED, one, (wire_e_changed){.number = -1}, "number", "1", "-1");
    DIFFER(WIRE_E_CHANGED, one, ((wire_e_changed){.number = 1, .kept = 2}), "kept", "0", "2");
}
END_TEST

START_TEST(F16_what_a_reference_leads_to_is_no_field)
{
    kifu_difference difference;
    const wire_e_text one = {.text = {0}}, other = {.name = {8}};
    ck_assert(!kifu__describe_blobs(wire_rules.types[WIRE_E_TEXT].table, (const unsigned char *)&one,
                                    (const unsigned char *)&other, sizeof one, &difference));
    ck_assert(!kifu__describe_blobs(wire_rules.types[WIRE_E_TEXT].table, (const unsigned char *)&one,
                                    (const unsigned char *)&one, sizeof one, &difference));
}
END_TEST

// --- Two states ------------------------------------------------------------------------------------------------------

static void must_read(const faulty_state *expected, const faulty_state *actual, const char *field, const char *first,
                      const char *second)
{
    kifu_difference difference;
    bool differ = kifu__describe_difference(&faulty_rules, (const unsigned char *)expected,
                                            (const unsigned char *)actual, &difference);
    ck_assert(differ);
    ck_assert_str_eq(difference.field, field);
    ck_assert_str_eq(difference.expected, first);
    ck_assert_str_eq(difference.actual, second);
}

START_TEST(U10_a_difference_is_named_by_its_path_and_both_values)
{
    faulty_state one, other;
    memset(&one, 0, sizeof one);
    one.total = INT64_MIN;
    one.units[1].mood = FAULTY_MOOD_ANGRY;
    one.units[2].place[1] = -4;
    one.units[2].energy = 0.1F;
    one.ratio = 1.0 / 3;
    one.small = -0.0F;
    one.power = FAULTY_POWER_FLY | FAULTY_POWER_DIG;

    other = one;
    kifu_difference difference;
    memset(&difference, 'x', sizeof difference);
    ck_assert(!kifu__describe_difference(&faulty_rules, (const unsigned char *)&one, (const unsigned char *)&other,
                                         &difference));
    ck_assert_str_eq(difference.field, "");
    ck_assert_str_eq(difference.expected, "");
    ck_assert_str_eq(difference.actual, "");

    // From the last field to the first: the first is named.
    other.power = 0;
    must_read(&one, &other, "power", "FLY|DIG (5)", "0");
    other.alive = true;
    must_read(&one, &other, "alive", "false", "true");
    other.small = 0;
    must_read(&one, &other, "small", "-0", "0");
    other.ratio = nextafter(one.ratio, 1);
    must_read(&one, &other, "ratio", "0.33333333333333331", "0.33333333333333337");
    other.units[2].energy = nextafterf(0.1F, 1);
    must_read(&one, &other, "units[2].energy", "0.100000001", "0.100000009");
    other.units[2].place[1] = 4;
    must_read(&one, &other, "units[2].place[1]", "-4", "4");
    other.units[1].mood = FAULTY_MOOD_CALM;
    must_read(&one, &other, "units[1].mood", "ANGRY (5)", "CALM (0)");
    other.units[0].mood = 3;
    must_read(&one, &other, "units[0].mood", "CALM (0)", "3");
    other.units[0].strength = 0x100;
    must_read(&one, &other, "units[0].strength", "0", "256");
    other.total = INT64_MAX;
    must_read(&one, &other, "total", "-9223372036854775808", "9223372036854775807");
    other.game.phase = KIFU_PHASE_GAME_OVER;
    must_read(&one, &other, "game.phase", "SETUP (0)", "GAME_OVER (2)");
    other.game.order[15] = 3;
    must_read(&one, &other, "game.order[15]", "0", "3");
    other.game.players[3].color = 0xff0000;
    must_read(&one, &other, "game.players[3].color", "0", "16711680");
    other.game.rng.increment = UINT64_MAX;
    must_read(&one, &other, "game.rng.increment", "0", "18446744073709551615");
}
END_TEST

START_TEST(U10_bytes_of_no_field_and_values_that_read_the_same_are_told_by_their_bits)
{
    faulty_state one, other;
    memset(&one, 0, sizeof one);
    other = one;
    memset(&other.game.padding_, 0xab, 1);
    char field[60];
    snprintf(field, sizeof field, "padding at byte %u", (unsigned)offsetof(faulty_state, game.padding_));
    must_read(&one, &other, field, "0x00", "0xab");

    other = one;
    one.alive = true;
    memset(&other.alive, 2, 1); // no bool has it
    must_read(&one, &other, "alive", "true", "2");

    const uint32_t quiet = 0x7fc00001, other_quiet = 0x7fc00002; // two that are no numbers
    memcpy(&one.small, &quiet, 4);
    memcpy(&other.small, &other_quiet, 4);
    must_read(&one, &other, "small", "nan (0x7fc00001)", "nan (0x7fc00002)");
}
END_TEST

START_TEST(U10_a_game_without_a_state_of_its_own_has_the_standard_fields)
{
    kifu_game one = {0}, other = {0};
    other.turn = 2;
    kifu_difference difference;
    ck_assert(kifu__describe_difference(&outside_rules, (const unsigned char *)&one, (const unsigned char *)&other,
                                        &difference));
    faulty_says(difference.field, "turn");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F16_numbers_have_their_sign_and_their_fraction,
        F16_enums_have_their_names,
        F16_values_without_a_name_are_numbers,
        F16_a_byte_of_none_of_the_fields_is_not_described,
        F16_a_byte_of_none_of_the_members_is_padding,
        F16_long_names_are_cut_off_where_their_room_ends,
        F16_structs_are_named_down_to_the_value,
        F16_what_is_absent_is_null,
        F16_fields_that_are_not_stored_are_passed_over,
        F16_what_a_reference_leads_to_is_no_field,
        U10_a_difference_is_named_by_its_path_and_both_values,
        U10_bytes_of_no_field_and_values_that_read_the_same_are_told_by_their_bits,
        U10_a_game_without_a_state_of_its_own_has_the_standard_fields,
    };
    return run_suite("difference", tests, sizeof tests / sizeof *tests);
}
