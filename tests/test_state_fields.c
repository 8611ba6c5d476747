// The description of the state, `kifu_rules.state`: where the C structs have what.

#include <stdbool.h>
#include <string.h>

#include "checks.h"
#include "lab.h"
#include "outside.h"
#include "shapes.h"
#include "suite.h"

/// A field as the schema declares it and C has it.
typedef struct field {
    const char *name;
    size_t offset, size;
    uint32_t count;
    kifu__scalar scalar;
    const char *type; ///< Name of its struct or enum.
} field;

#define FIELD(owner, name, count, scalar, type)                                                                        \
    {                                                                                                                  \
#name, offsetof(owner, name), sizeof(((owner *)0)->name) / (count ? count : 1), count, scalar, type            \
    }

static void compare(const kifu__struct *actual, const char *name, size_t size, const field *fields, uint32_t count)
{
    ck_assert_str_eq(actual->name, name);
    ck_assert_uint_eq(actual->size, size);
    ck_assert_uint_eq(actual->member_count, count);
    for (uint32_t i = 0; i < count; i++) {
        const kifu__member *member = &actual->members[i];
        ck_assert_str_eq(member->name, fields[i].name);
        ck_assert_uint_eq(member->offset, fields[i].offset);
        ck_assert_uint_eq(member->size, fields[i].size);
        ck_assert_uint_eq(member->count, fields[i].count);
        const char *type = member->structure ? member->structure->name : member->values ? member->values->name : NULL;
        ck_assert_pstr_eq(type, fields[i].type);
        if (!member->structure)
            ck_assert_int_eq(member->scalar, fields[i].scalar);
        else
            ck_assert_uint_eq(member->size, member->structure->size);
    }
}

#define COMPARE(actual, name, owner, fields)                                                                           \
    compare(actual, name, sizeof(owner), fields, (uint32_t)(sizeof fields / sizeof *fields))

/// The struct that a field holds.
static const kifu__struct *inside(const kifu__struct *structure, const char *name)
{
    for (uint32_t i = 0; i < structure->member_count; i++) {
        if (strcmp(structure->members[i].name, name) == 0)
            return structure->members[i].structure;
    }
    return NULL;
}

static void compare_game(const kifu__struct *game)
{
    const field fields[] = {
        FIELD(kifu_game, rng, 0, 0, "kifu.Rng"),     FIELD(kifu_game, players, 16, 0, "kifu.Player"),
        FIELD(kifu_game, order, 16, KIFU__U8, NULL), FIELD(kifu_game, player_count, 0, KIFU__U8, NULL),
        FIELD(kifu_game, turn, 0, KIFU__U8, NULL),   FIELD(kifu_game, phase, 0, KIFU__U8, "kifu.Phase"),
        FIELD(kifu_game, round, 0, KIFU__U32, NULL),
    };
    COMPARE(game, "kifu.Game", kifu_game, fields);
    const field rng[] = {
        FIELD(kifu_rng, state, 0, KIFU__U64, NULL),
        FIELD(kifu_rng, increment, 0, KIFU__U64, NULL),
    };
    COMPARE(inside(game, "rng"), "kifu.Rng", kifu_rng, rng);
    const field player[] = {
        FIELD(kifu_player_info, color, 0, KIFU__U32, NULL),
        FIELD(kifu_player_info, position, 0, KIFU__U8, NULL),
    };
    COMPARE(inside(game, "players"), "kifu.Player", kifu_player_info, player);
}

START_TEST(state_fields_are_where_c_has_them)
{
    const field state[] = {
        FIELD(shapes_state, game, 0, 0, "kifu.Game"),     FIELD(shapes_state, flag, 0, KIFU__BOOL, NULL),
        FIELD(shapes_state, small, 0, KIFU__I8, NULL),    FIELD(shapes_state, odd, 0, 0, "shapes.Odd"),
        FIELD(shapes_state, numbers, 3, KIFU__U64, NULL), FIELD(shapes_state, ratio, 0, KIFU__F32, NULL),
        FIELD(shapes_state, deeps, 2, 0, "shapes.Deep"),  FIELD(shapes_state, suits, 7, KIFU__I8, "shapes.Suit"),
    };
    COMPARE(shapes_rules.state, "shapes.State", shapes_state, state);
    ck_assert_uint_eq(shapes_rules.state->size, shapes_rules.state_size);
    compare_game(inside(shapes_rules.state, "game"));

    const field lab[] = {
        FIELD(lab_state, game, 0, 0, "kifu.Game"),       FIELD(lab_state, total, 0, KIFU__I64, NULL),
        FIELD(lab_state, trace, 64, KIFU__U8, NULL),     FIELD(lab_state, length, 0, KIFU__U8, NULL),
        FIELD(lab_state, mood, 0, KIFU__U8, "lab.Mood"), FIELD(lab_state, random, 0, KIFU__U32, NULL),
    };
    COMPARE(lab_rules.state, "lab.State", lab_state, lab);
}
END_TEST

START_TEST(structs_in_the_state_are_described_too)
{
    const kifu__struct *deeps = inside(shapes_rules.state, "deeps");
    const field deep[] = {
        FIELD(shapes_deep, pairs, 2, 0, "shapes.Pair"),
        FIELD(shapes_deep, odds, 5, 0, "shapes.Odd"),
        FIELD(shapes_deep, suit, 0, KIFU__I8, "shapes.Suit"),
    };
    COMPARE(deeps, "shapes.Deep", shapes_deep, deep);
    const field pair[] = {
        // with padding between, which is no field
        FIELD(shapes_pair, left, 0, KIFU__I16, NULL),
        FIELD(shapes_pair, right, 0, KIFU__F64, NULL),
    };
    COMPARE(inside(deeps, "pairs"), "shapes.Pair", shapes_pair, pair);
    const field odd[] = {
        FIELD(shapes_odd, a, 0, KIFU__U8, NULL),
        FIELD(shapes_odd, b, 0, KIFU__U8, NULL),
        FIELD(shapes_odd, c, 0, KIFU__U8, NULL),
    };
    COMPARE(inside(deeps, "odds"), "shapes.Odd", shapes_odd, odd);
    ck_assert_ptr_eq(inside(deeps, "odds"), inside(shapes_rules.state, "odd"));
}
END_TEST

START_TEST(a_game_without_a_state_describes_the_standard_part)
{
    compare_game(outside_rules.state);
    ck_assert_uint_eq(outside_rules.state->size, outside_rules.state_size);
}
END_TEST

/// Marks the bytes of a struct's fields. Each belongs to no other.
static void cover(const kifu__struct *structure, unsigned char *bytes)
{
    for (uint32_t i = 0; i < structure->member_count; i++) {
        const kifu__member *member = &structure->members[i];
        for (uint32_t k = 0; k < (member->count ? member->count : 1); k++) {
            unsigned char *at = bytes + member->offset + k * member->size;
            if (member->structure)
                cover(member->structure, at);
            for (uint32_t j = 0; j < member->size && !member->structure; j++)
                ck_assert_uint_eq(at[j]++, 0);
        }
    }
}

START_TEST(what_no_field_covers_is_padding)
{
    // Every byte is 1, but for those that the C structs call padding.
    static shapes_state covered, all;
    cover(shapes_rules.state, (unsigned char *)&covered);
    memset(&all, 1, sizeof all);
    memset(all.game.players[0].padding_, 0, sizeof all.game.players[0].padding_);
    for (int i = 1; i < 16; i++)
        all.game.players[i] = all.game.players[0];
    memset(all.game.padding_, 0, sizeof all.game.padding_);
    memset(all.padding_, 0, sizeof all.padding_);
    memset(all.padding2_, 0, sizeof all.padding2_);
    memset(all.padding3_, 0, sizeof all.padding3_);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++)
            memset(all.deeps[i].pairs[k].padding_, 0, sizeof all.deeps[i].pairs[k].padding_);
    }
    ck_assert_mem_eq(&covered, &all, sizeof all);
}
END_TEST

START_TEST(enums_know_the_names_of_their_values)
{
    const kifu__enum *mood = lab_rules.state->members[4].values;
    ck_assert_uint_eq(mood->label_count, 2);
    ck_assert_uint_eq(mood->value_count, 2);
    ck_assert_int_eq(mood->values[1], LAB_MOOD_ANGRY);
    ck_assert_str_eq(mood->labels[0], "CALM");
    ck_assert_str_eq(mood->labels[1], "ANGRY");

    const kifu__enum *suit = shapes_rules.state->members[7].values; // every number from low to high: no `values`
    ck_assert_ptr_null(suit->values);
    ck_assert_uint_eq(suit->label_count, 3);
    ck_assert_str_eq(suit->labels[SHAPES_SUIT_CLUBS - suit->low], "CLUBS");
    ck_assert_str_eq(suit->labels[SHAPES_SUIT_SPADES - suit->low], "SPADES");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        state_fields_are_where_c_has_them,
        structs_in_the_state_are_described_too,
        a_game_without_a_state_describes_the_standard_part,
        what_no_field_covers_is_padding,
        enums_know_the_names_of_their_values,
    };
    return run_suite("state_fields", tests, sizeof tests / sizeof *tests);
}
