// The first difference of two events, in the words of the schema. (That of two states is in test_verify_replay.c.)

#include <string.h>

#include "suite.h"
#include "wire.h"
#include "wire/difference.h"

static void differ(uint32_t type, const void *expected, const void *actual, size_t size, const char *field,
                   const char *was, const char *is)
{
    kifu_difference difference;
    memset(&difference, 0, sizeof difference);
    ck_assert(kifu__describe_blobs(wire_rules.types[type].table, (const unsigned char *)expected,
                                   (const unsigned char *)actual, (uint32_t)size, &difference));
    ck_assert_str_eq(difference.field, field);
    ck_assert_str_eq(difference.expected, was);
    ck_assert_str_eq(difference.actual, is);
}

#define DIFFER(type, expected, actual, ...) differ(type, &(expected), &(actual), sizeof(expected), __VA_ARGS__)

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
    DIFFER(WIRE_E_OPTIONAL, ((wire_e_optional){.has_d = true, .d = true}), one, "d", "true", "null");
    DIFFER(WIRE_E_OPTIONAL, one, (wire_e_optional){.always = 3}, "always", "0", "3");
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

int main(void)
{
    const TTest *const tests[] = {
        F16_numbers_have_their_sign_and_their_fraction, F16_enums_have_their_names,
        F16_structs_are_named_down_to_the_value,        F16_what_is_absent_is_null,
        F16_what_a_reference_leads_to_is_no_field,
    };
    return run_suite("difference", tests, sizeof tests / sizeof *tests);
}
