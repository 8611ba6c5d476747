// The view that `kifuc stubs --view` writes: what it prints for fields of every kind.

#include <stdio.h>
#include <unistd.h>

#include "corridor_help.h"
#include "suite.h"
#include "wire.h"

// What the view prints while a game goes on as far as it can.
static const char *words_of(kifu_timeline *timeline)
{
    static char text[4000];
    FILE *file = tmpfile();
    ck_assert(file && !fflush(stdout));
    const int screen = dup(STDOUT_FILENO);
    ck_assert_int_ne(dup2(fileno(file), STDOUT_FILENO), -1);
    const kifu_result result = kifu_run(timeline);
    ck_assert(!fflush(stdout) && dup2(screen, STDOUT_FILENO) != -1 && !close(screen));
    ck_assert_msg(result == KIFU_OK, "%s", kifu_last_error(timeline)->message);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static kifu_timeline *wire_begin(void)
{
    const kifu_options options = {.view = &wire_text_view.base};
    kifu_timeline *wire;
    ck_assert_int_eq(kifu_create(&wire_rules, &options, &wire, NULL), KIFU_OK);
    return wire;
}

START_TEST(F35_an_act_of_kifuc_prints_numbers_and_enums_with_their_names)
{
    kifu_timeline *wire = wire_begin();
    wire_submit_e_empty(wire);
    ck_assert_str_eq(words_of(wire), "empty\n");
    wire_e_flat_args flat = wire_e_flat_defaults();
    flat.a = 200;
    flat.d = UINT64_MAX;
    wire_submit_e_flat(wire, &flat);
    ck_assert_str_eq(words_of(wire), "flat, a 200, b 500, c -1, d 18446744073709551615, e 1.5, f 0, g 0, h true\n");
    wire_submit_e_one_enum(wire, WIRE_COLOUR_BLUE, 7);
    ck_assert_str_eq(words_of(wire), "one enum, colour BLUE, n 7\n");
    wire_e_checks_args checks = wire_e_checks_defaults();
    checks.traits = WIRE_TRAIT_SHINY | WIRE_TRAIT_CURSED;
    checks.point.x = -3;
    checks.grid.cells[4] = WIRE_COLOUR_GREEN;
    wire_submit_e_checks(wire, &checks);
    ck_assert_str_eq(words_of(wire),
                     "checks, colour RED, flag false, level LOW, traits SHINY CURSED, distance NEAR, point (x -3, y 0, "
                     "colour RED), grid (cells RED RED RED RED GREEN, points (x 0, y 0, colour RED) (x 0, y 0, colour "
                     "RED), traits none, ratio 0)\n");
    kifu_destroy(wire);
}
END_TEST

START_TEST(G05_what_is_absent_is_not_printed)
{
    kifu_timeline *wire = wire_begin();
    wire_submit_e_optional(wire, NULL);
    ck_assert_str_eq(words_of(wire), "optional, always 7\n");
    wire_e_optional_args optional = wire_e_optional_defaults();
    optional.has_c = optional.has_d = true;
    optional.c = WIRE_LEVEL_HIGH;
    wire_submit_e_optional(wire, &optional);
    ck_assert_str_eq(words_of(wire), "optional, c HIGH, d false, always 7\n");
    wire_submit_e_text(wire, NULL, "Ann");
    ck_assert_str_eq(words_of(wire), "text, name \"Ann\"\n");
    wire_submit_e_text(wire, "Hello", "Ann");
    ck_assert_str_eq(words_of(wire), "text, text \"Hello\", name \"Ann\"\n");
    kifu_destroy(wire);
}
END_TEST

START_TEST(G05_vectors_and_nested_tables_are_printed_whole)
{
    kifu_timeline *wire = wire_begin();
    const uint8_t bytes[] = {3, 255};
    const wire_level levels[] = {WIRE_LEVEL_LOW, WIRE_LEVEL_HIGH};
    const bool flags[] = {true, false};
    const char *const strings[] = {"a", "b c"};
    wire_e_vectors_args vectors = wire_e_vectors_defaults();
    vectors.bytes = bytes;
    vectors.levels = levels;
    vectors.flags = flags;
    vectors.strings = strings;
    vectors.bytes_count = vectors.levels_count = vectors.flags_count = vectors.strings_count = 2;
    wire_submit_e_vectors(wire, &vectors);
    ck_assert_str_eq(
        words_of(wire),
        "vectors, bytes 3 255, shorts, doubles, colours, levels LOW HIGH, flags true false, points, grids, "
        "strings \"a\" \"b c\", plains\n");
    const wire_plain_args plain = wire_plain_defaults();
    const wire_leaf_args leaves[] = {wire_leaf_defaults(), wire_leaf_defaults()};
    wire_branch_args inner = wire_branch_defaults(), branch = inner;
    inner.tags = strings;
    inner.tags_count = 1;
    branch.leaves = leaves;
    branch.leaves_count = 2;
    branch.next = &inner;
    wire_submit_e_nested(wire, &branch, NULL, NULL, 0, &plain);
    ck_assert_str_eq(words_of(wire),
                     "nested, branch (branch, leaves (leaf, colour GREEN, weight 0) (leaf, colour GREEN, weight 0), "
                     "next (branch, leaves, tags \"a\", level HIGH), tags, level HIGH), branches, must (plain, a 0, b "
                     "40)\n");
    kifu_destroy(wire);
}
END_TEST

START_TEST(G05_a_players_event_names_the_player_and_what_do_found)
{
    const kifu_options options = {.view = &corridor_text_view.base, .quiet = true};
    kifu_timeline *corridor = corridor_new(&options);
    kifu_set_quiet(corridor, false);
    corridor_submit_p_say(corridor, -1, 1, "Good day");
    ck_assert_str_eq(words_of(corridor), "player -1: say, performer 1, text \"Good day\", letters 8\n");
    kifu_destroy(corridor);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F35_an_act_of_kifuc_prints_numbers_and_enums_with_their_names,
        G05_what_is_absent_is_not_printed,
        G05_vectors_and_nested_tables_are_printed_whole,
        G05_a_players_event_names_the_player_and_what_do_found,
    };
    return run_suite("printing", tests, sizeof tests / sizeof *tests);
}
