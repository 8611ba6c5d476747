// Values as text, character by character, and values of two versions that are compared: what a save, which holds, does
// not have, or what takes two versions of one game.

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "compare_help.h"
#include "core/timeline.h"
#include "text/compare.h"
#include "text/print.h"
#include "text_help.h"
#include "wire.h"

// --- Values ----------------------------------------------------------------------------------------------------------

static const char *printed(bool plain, uint8_t scalar, const kifu__enum *values, const void *bytes)
{
    static char text[300];
    gathered gathered = {0};
    kifu__printer printer = {.write = gather, .context = &gathered, .plain = plain};
    kifu__print_scalar(&printer, scalar, values, (const unsigned char *)bytes);
    ck_assert_int_eq(kifu__print_end(&printer), KIFU_OK);
    ck_assert_uint_lt(gathered.size, sizeof text);
    memcpy(text, gathered.text, gathered.size + 1);
    free(gathered.text);
    return text;
}

START_TEST(B06_numbers_survive_in_the_fewest_digits)
{
    static const struct {
        uint8_t scalar;
        uint64_t bits;
        const char *json, *plain;
    } cases[] = {
        {KIFU__BOOL, 0, "false", "false"},
        {KIFU__BOOL, 1, "true", "true"},
        {KIFU__BOOL, 7, "7", "7"}, // in a state, whatever wrote it
        {KIFU__I8, 0x80, "-128", "-128"},
        {KIFU__U8, 255, "255", "255"},
        {KIFU__I16, 0x8000, "-32768", "-32768"},
        {KIFU__U32, UINT32_MAX, "4294967295", "4294967295"},
        {KIFU__I64, UINT64_C(1) << 63, "\"-9223372036854775808\"", "-9223372036854775808"},
        {KIFU__U64, UINT64_MAX, "\"18446744073709551615\"", "18446744073709551615"},
        {KIFU__F32, 0x3dcccccd, "0.1", "0.1"},
        {KIFU__F32, 0x3eaaaaab, "0.33333334", "0.33333334"},
        {KIFU__F32, 0x80000000, "-0.0", "-0"},
        {KIFU__F32, 0x40000000, "2.0", "2"}, // F73: all values of a field have one type.
        {KIFU__F32, 1, "1.4013e-45", "1.4013e-45"},
        {KIFU__F32, 0x7f7fffff, "3.4028235e+38", "3.4028235e+38"},
        {KIFU__F32, 0x7f800000, "\"Infinity\"", "Infinity"},
        {KIFU__F32, 0xff800000, "\"-Infinity\"", "-Infinity"},
        {KIFU__F32, 0x7fc00000, "\"NaN\"", "NaN"},
        {KIFU__F32, 0xffc00001, "\"NaN:ffc00001\"", "NaN:ffc00001"},
        {KIFU__F64, UINT64_C(0x3fb999999999999a), "0.1", "0.1"},
        {KIFU__F64, UINT64_C(0x3ff0000000000001), "1.0000000000000002", "1.0000000000000002"},
        {KIFU__F64, UINT64_C(0x7ff0000000000000), "\"Infinity\"", "Infinity"},
        {KIFU__F64, UINT64_C(0xfff0000000000000), "\"-Infinity\"", "-Infinity"},
        {KIFU__F64, UINT64_C(0x7ff8000000000000), "\"NaN\"", "NaN"},
        {KIFU__F64, UINT64_C(0x7ff0000000000001), "\"NaN:7ff0000000000001\"", "NaN:7ff0000000000001"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_str_eq(printed(false, cases[i].scalar, NULL, &cases[i].bits), cases[i].json);
        ck_assert_str_eq(printed(true, cases[i].scalar, NULL, &cases[i].bits), cases[i].plain);
    }
}
END_TEST

// What snprintf writes for a decimal point, as in some locales, which a machine need not have. NULL: what it is.
static const char *decimal_point;

int __wrap_snprintf(char *text, size_t size, const char *format, ...);

int __wrap_snprintf(char *text, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(text, size, format, args);
    va_end(args);
    char *point = decimal_point && length > 0 ? memchr(text, '.', (size_t)length) : NULL;
    if (!point)
        return length;
    const size_t more = strlen(decimal_point) - 1;
    ck_assert_uint_lt((size_t)length + more, size);
    memmove(point + 1 + more, point + 1, strlen(point));
    memcpy(point, decimal_point, more + 1);
    return length + (int)more;
}

START_TEST(B06_the_decimal_point_is_one_in_every_locale)
{
    static const char *const points[] = {",", "\xD9\xAB"}; // German; Pashto
    static const struct {
        double value;
        const char *text;
    } cases[] = {{-1234.5, "-1234.5"}, {3, "3.0"}, {1e300, "1e+300"}};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            decimal_point = points[i];
            const char *found = printed(false, KIFU__F64, NULL, &cases[k].value);
            decimal_point = NULL;
            ck_assert_str_eq(found, cases[k].text);
        }
    }
}
END_TEST

START_TEST(B06_enums_are_their_names_and_flags_are_a_row_of_names)
{
    static const char *const names[] = {"A", "B", "D"};
    static const int64_t values[] = {-5, 0, 9};
    const kifu__enum sparse = {.size = 2,
                               .is_signed = true,
                               .low = -5,
                               .high = 9,
                               .values = values,
                               .value_count = 3,
                               .labels = names,
                               .label_count = 3};
    const kifu__enum flags = {
        .size = 8, .bit_flags = true, .mask = (UINT64_C(1) << 63) | 3, .labels = names, .label_count = 3};
    static const struct {
        bool of_flags;
        int64_t value;
        const char *json, *plain;
    } cases[] = {
        {false, -5, "\"A\"", "A"},
        {false, 9, "\"D\"", "D"},
        {false, 4, "\"4\"", "4"}, // in a state, whatever wrote it
        {true, 0, "\"0\"", "0"},
        {true, 1, "\"A\"", "A"},
        {true, INT64_MIN + 3, "\"A B D\"", "A B D"},
        {true, 6, "\"B 0x4\"", "B 0x4"},
        {true, 4, "\"4\"", "4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const kifu__enum *type = cases[i].of_flags ? &flags : &sparse;
        const uint8_t scalar = cases[i].of_flags ? KIFU__U64 : KIFU__I16;
        ck_assert_str_eq(printed(false, scalar, type, &cases[i].value), cases[i].json);
        ck_assert_str_eq(printed(true, scalar, type, &cases[i].value), cases[i].plain);
    }
}
END_TEST

static size_t encode(uint32_t point, unsigned char *to)
{
    const size_t more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const unsigned char firsts[] = {0, 0xC0, 0xE0, 0xF0};
    to[0] = (unsigned char)(firsts[more] | point >> 6 * more);
    for (size_t i = 1; i <= more; i++)
        to[i] = (unsigned char)(0x80 | (point >> 6 * (more - i) & 0x3F));
    return 1 + more;
}

// Each, but NUL and halves of pairs; and none without its last byte, or with another one behind the first.
START_TEST(B06_every_character_is_text)
{
    ck_assert_uint_eq(kifu__character((const unsigned char *)"", (const unsigned char *)"" + 1), 0);
    for (uint32_t point = 1; point < 0x110000; point++) {
        unsigned char at[4];
        const size_t size = encode(point, at);
        const bool text = point < 0xD800 || point > 0xDFFF;
        if (kifu__character(at, at + size) != (text ? size : 0) ||
            kifu__character(at, at + size - 1 + (size == 1)) != (size == 1))
            ck_abort_msg("U+%X", (unsigned)point);
    }
}
END_TEST

static bool steers_a_terminal(uint32_t point)
{
    static const uint32_t ranges[][2] = {{1, 0x1F},        {0x7F, 0x9F},     {0x61C, 0x61C},
                                         {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (point >= ranges[i][0] && point <= ranges[i][1])
            return true;
    }
    return false;
}

START_TEST(B06_what_steers_a_terminal_or_turns_text_around_is_a_control)
{
    for (uint32_t point = 1; point < 0x110000; point++) {
        unsigned char at[4];
        const size_t size = encode(point, at);
        if (kifu__is_control(at, size) != steers_a_terminal(point))
            ck_abort_msg("U+%X", (unsigned)point);
    }
}
END_TEST

START_TEST(B06_strings_are_escaped_and_bytes_that_are_no_text_are_base64)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *json, *plain;
    } cases[] = {
        {"", 0, "\"\"", "\"\""},
        {"a\"\\\n\t\x01\x7f", 7, "\"a\\\"\\\\\\n\\t\\u0001\\u007f\"", "\"a\\\"\\\\\\n\\t\\u0001\\u007f\""},
        {"z\xc3\xbc\xe2\x82\xac\xf0\x9f\x8e\xb2", 10, "\"z\xc3\xbc\xe2\x82\xac\xf0\x9f\x8e\xb2\"",
         "\"z\xc3\xbc\xe2\x82\xac\xf0\x9f\x8e\xb2\""},
        {"a\0b", 3, "{\"base64\": \"YQBi\"}", "\"a\\u0000b\""},
        {"\xff", 1, "{\"base64\": \"/w==\"}", "\"\\u00ff\""},
        {"\xff\xfe", 2, "{\"base64\": \"//4=\"}", "\"\\u00ff\\u00fe\""},
        {"\xc0\x80", 2, "{\"base64\": \"wIA=\"}", "\"\\u00c0\\u0080\""},                           // too long
        {"\xed\xa0\x80", 3, "{\"base64\": \"7aCA\"}", "\"\\u00ed\\u00a0\\u0080\""},                // half a pair
        {"\xf4\x90\x80\x80", 4, "{\"base64\": \"9JCAgA==\"}", "\"\\u00f4\\u0090\\u0080\\u0080\""}, // beyond
        {"\xe2\x82", 2, "{\"base64\": \"4oI=\"}", "\"\\u00e2\\u0082\""},                           // cut off
        // Of two and three bytes: they steer a terminal, or turn text around. The limits of what their bits can be.
        {"\xc2\x85\xc2\x9f", 4, "\"\\u0085\\u009f\"", "\"\\u0085\\u009f\""},
        {"\xd8\x9c", 2, "\"\\u061c\"", "\"\\u061c\""},
        {"\xe2\x80\xae\xe2\x81\xa6", 6, "\"\\u202e\\u2066\"", "\"\\u202e\\u2066\""},
        {"\xe2\x82x", 3, "{\"base64\": \"4oJ4\"}", "\"\\u00e2\\u0082x\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int plain = 0; plain < 2; plain++) {
            gathered gathered = {0};
            kifu__printer printer = {.write = gather, .context = &gathered, .plain = plain};
            kifu__print_string(&printer, cases[i].bytes, cases[i].size);
            ck_assert_int_eq(kifu__print_end(&printer), KIFU_OK);
            ck_assert_str_eq(gathered.text, plain ? cases[i].plain : cases[i].json);
            free(gathered.text);
        }
    }
    gathered base64 = {0}; // Nothing of what is behind.
    kifu__printer printer = {.write = gather, .context = &base64};
    kifu__print_base64(&printer, "\1\2\xff", 2);
    ck_assert_int_eq(kifu__print_end(&printer), KIFU_OK);
    ck_assert_str_eq(base64.text, "\"AQI=\"");
    free(base64.text);
}
END_TEST

// --- What is known of two games --------------------------------------------------------------------------------------

START_TEST(B05_where_there_are_only_hashes_the_range_is_named_and_how_to_get_the_event)
{
    kifu_timeline *a = counted_lab(8), *b = counted_lab(8);
    lab_submit_e_add_player(a, 0, 0);
    lab_submit_e_add_player(b, 0, 0);
    add(a, 40);
    add(b, 40);
    b->log.branch->checkpoints[b->log.branch->checkpoint_count - 2].hash ^= 1; // After 32 events; 24 is the one before.
    const uint32_t place = b->log.branch->checkpoints[b->log.branch->checkpoint_count - 2].event_count;
    const uint32_t before = b->log.branch->checkpoints[b->log.branch->checkpoint_count - 3].event_count;
    const kifu_comparison found = compare(a, b);
    ck_assert_int_eq(found.what, KIFU_STATES_DIFFER);
    ck_assert_uint_eq(found.first, before);
    ck_assert_uint_eq(found.event, place - 1);
    char text[100];
    snprintf(text, sizeof text, "after one of the events %u to %u; to find which, ", before, place - 1);
    ck_assert_msg(strstr(found.message, text) != NULL, "%s", found.message);
    ck_assert_ptr_nonnull(strstr(found.message, "kifu_options.hash_interval = 1"));
    end(a, b);
}
END_TEST

// Two games of which the events are the same, as they are in saves: `a` and `b` say what else is known.
static kifu_comparison compare_saved(kifu__compared_game a, kifu__compared_game b)
{
    static kifu_rules later;
    kifu_timeline *one = lab_of(5, 0), *other = lab_of(5, 0);
    kifu_comparison found;
    lab_state state = *lab_get_state(one);
    later = lab_rules;
    later.rules_version++;
    a.timeline = one;
    a.state = a.state ? (const unsigned char *)lab_get_state(one) : NULL;
    b.timeline = other;
    state.total = b.executes ? 99 : state.total;
    b.state = b.state ? (const unsigned char *)&state : NULL;
    if (b.executes) // It stands for: of another version.
        other->rules = &later;
    b.executes = false;
    ck_assert_int_eq(kifu__compare(&a, &b, "ask somebody", &found), KIFU_OK);
    other->rules = &lab_rules;
    end(one, other);
    return found;
}

START_TEST(B05_of_saves_what_is_known_is_compared)
{
    static const unsigned char known[1];
    enum { LATER = true };
    static const struct {
        kifu__compared_game a, b;
        int what;
        const char *field;
    } cases[] = {
        {{.has_hash = true, .hash = 1}, {.has_hash = true, .hash = 1}, KIFU_GAMES_EQUAL, ""},
        {{.has_hash = true, .hash = 1}, {.has_hash = true, .hash = 2}, KIFU_STATES_DIFFER, ""},
        {{.has_hash = true, .hash = 1}, {.hash = 2}, KIFU_GAMES_EQUAL, ""},
        {{.hash = 1}, {.has_hash = true, .hash = 2}, KIFU_GAMES_EQUAL, ""},
        {{.state = known}, {.state = known}, KIFU_GAMES_EQUAL, ""},
        {{.state = known, .has_hash = true}, {.state = known, .hash = 3}, KIFU_GAMES_EQUAL, ""},
        {{.state = known}, {.has_hash = true, .hash = 3}, KIFU_GAMES_EQUAL, ""},
        // Hashes of two versions say nothing. Their fields do.
        {{.has_hash = true, .hash = 1}, {.has_hash = true, .hash = 2, .executes = LATER}, KIFU_GAMES_EQUAL, ""},
        {{.state = known, .has_hash = true, .hash = 7},
         {.state = known, .has_hash = true, .hash = 7, .executes = LATER},
         KIFU_STATES_DIFFER,
         "total"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const kifu_comparison found = compare_saved(cases[i].a, cases[i].b);
        ck_assert_msg(found.what == (kifu_compared)cases[i].what, "case %zu: %s", i, found.message);
        ck_assert_str_eq(found.field, cases[i].field);
    }
}
END_TEST

// --- Of two versions -------------------------------------------------------------------------------------------------

typedef struct first_state {
    int8_t small;
    uint8_t mood;
    float ratio;
    uint16_t row[3];
    double real;
} first_state;

typedef struct second_state {
    double ratio;
    int64_t small;
    uint32_t row[4];
    uint32_t added;
    uint8_t mood;
    int64_t real;
} second_state;

static const char *const first_labels[] = {"CALM", "ANGRY"}, *const second_labels[] = {"ANGRY", "CALM"};
static const kifu__enum first_mood = {.name = "Mood", .size = 1, .high = 1, .labels = first_labels, .label_count = 2},
                        second_mood = {.name = "Mood", .size = 1, .high = 1, .labels = second_labels, .label_count = 2};

#define MEMBER(type, field, what, ...)                                                                                 \
    {                                                                                                                  \
        .name = #field, .offset = offsetof(type, field), .scalar = what, __VA_ARGS__                                   \
    }

static const kifu__member first_members[] = {
    MEMBER(first_state, small, KIFU__I8, .size = 1),
    MEMBER(first_state, mood, KIFU__U8, .size = 1, .values = &first_mood),
    MEMBER(first_state, ratio, KIFU__F32, .size = 4),
    MEMBER(first_state, row, KIFU__U16, .size = 2, .count = 3),
    MEMBER(first_state, real, KIFU__F64, .size = 8),
};
static const kifu__member second_members[] = {
    MEMBER(second_state, ratio, KIFU__F64, .size = 8),
    MEMBER(second_state, small, KIFU__I64, .size = 8),
    MEMBER(second_state, row, KIFU__U32, .size = 4, .count = 4),
    MEMBER(second_state, added, KIFU__U32, .size = 4),
    MEMBER(second_state, mood, KIFU__U8, .size = 1, .values = &second_mood),
    MEMBER(second_state, real, KIFU__I64, .size = 8),
};
static const kifu__struct first_struct = {.name = "First", .members = first_members, .member_count = 4},
                          second_struct = {.name = "Second", .members = second_members, .member_count = 5},
                          first_real = {.name = "First", .members = first_members + 4, .member_count = 1},
                          second_real = {.name = "Second", .members = second_members + 5, .member_count = 1};

static void expect_fields(const first_state *a, const second_state *b, const char *field, const char *one,
                          const char *other)
{
    kifu_comparison found = {.field = ""};
    const bool same =
        kifu__same_structs(&first_struct, (const unsigned char *)a, &second_struct, (const unsigned char *)b, &found);
    ck_assert_int_eq(same, !*field);
    ck_assert_str_eq(found.field, field);
    if (same)
        return;
    ck_assert_str_eq(found.a, one);
    ck_assert_str_eq(found.b, other);
    kifu_comparison back = {.field = ""};
    ck_assert(
        !kifu__same_structs(&second_struct, (const unsigned char *)b, &first_struct, (const unsigned char *)a, &back));
}

// By name: integers and reals of another size, enums by their labels, rows element by element.
START_TEST(B05_states_of_two_versions_are_compared_field_by_field)
{
    const first_state a = {.small = -3, .mood = 1, .ratio = 0.5F, .row = {7, 0, 0}};
    const second_state b = {.small = -3, .mood = 0, .ratio = 0.5, .row = {7, 0, 0, 9}, .added = 4};
    second_state other = b;
    expect_fields(&a, &b, "", "", ""); // as far as both rows go
    other.small = 253;                 // the same byte
    expect_fields(&a, &other, "small", "-3", "253");
    other = b;
    other.mood = 1; // the same number
    expect_fields(&a, &other, "mood", "ANGRY", "CALM");
    other = b;
    other.ratio = 0.25;
    expect_fields(&a, &other, "ratio", "0.5", "0.25");
    other = b;
    other.row[1] = 1;
    expect_fields(&a, &other, "row[1]", "0", "1");
    // A real is no integer, also where both have the same value.
    kifu_comparison found = {.field = ""};
    const first_state real = {.real = 1};
    const second_state integer = {.real = 1};
    ck_assert(!kifu__same_structs(&first_real, (const unsigned char *)&real, &second_real,
                                  (const unsigned char *)&integer, &found));
    ck_assert_str_eq(found.field, "real");
    ck_assert(kifu__same_structs(&second_real, (const unsigned char *)&integer, &first_struct,
                                 (const unsigned char *)&real, &found)); // That one has none.
    ck_assert(!kifu__same_structs(&second_real, (const unsigned char *)&integer, &first_real,
                                  (const unsigned char *)&real, &found));
    ck_assert(kifu__same_structs(&first_real, (const unsigned char *)&real, &first_real, (const unsigned char *)&real,
                                 &found));
}
END_TEST

START_TEST(B05_fields_of_two_versions_are_found_by_name)
{
    const kifu__table *table = wire_rules.types[WIRE_E_FLAT].table;
    kifu__field moved[8];
    ck_assert_uint_eq(table->field_count, 8);
    for (uint32_t i = 0; i < 8; i++)
        moved[i] = table->fields[(i + 3) % 8];
    kifu__table later = *table;
    later.fields = moved;
    wire_e_flat one = {.a = 1, .b = 2, .c = 3, .d = 4, .e = 5, .f = 6, .g = 7}, other = one;
    kifu_comparison found = {.field = ""};
    const unsigned char *a = (const unsigned char *)&one, *b = (const unsigned char *)&other;
    ck_assert(kifu__same_tables(table, a, &later, b, &found) && kifu__same_tables(&later, b, table, a, &found));
    other.c = 30;
    ck_assert(!kifu__same_tables(table, a, &later, b, &found));
    ck_assert_str_eq(found.field, "c");
    ck_assert_str_eq(found.a, "3");
    ck_assert_str_eq(found.b, "30");
    later.field_count = 5; // Then it has no c: 3, 4, 5, 6 and 7 are d to h.
    ck_assert(kifu__same_tables(table, a, &later, b, &found) && kifu__same_tables(&later, b, table, a, &found));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        B06_numbers_survive_in_the_fewest_digits,
        B06_the_decimal_point_is_one_in_every_locale,
        B06_enums_are_their_names_and_flags_are_a_row_of_names,
        B06_every_character_is_text,
        B06_what_steers_a_terminal_or_turns_text_around_is_a_control,
        B06_strings_are_escaped_and_bytes_that_are_no_text_are_base64,
        B05_where_there_are_only_hashes_the_range_is_named_and_how_to_get_the_event,
        B05_of_saves_what_is_known_is_compared,
        B05_states_of_two_versions_are_compared_field_by_field,
        B05_fields_of_two_versions_are_found_by_name,
    };
    return run_suite("text inside", tests, sizeof tests / sizeof *tests);
}
