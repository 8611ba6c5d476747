// The state as a .bfbs has it: its layout, how its fields come to those of another version,
// and which values it may have.

#include <stdlib.h>
#include <string.h>

#include "crawl.h"
#include "harbour.h"
#include "lab.h"
#include "quay.h"
#include "shapes.h"
#include "suite.h"
#include "vast.h"
#include "wire.h"
#include "wire/buffer.h"
#include "wire/schema.h"

static uint32_t state_in(kifu__schema *schema, const kifu_rules *rules)
{
    ck_assert(kifu__schema_open(schema, rules->bfbs, rules->bfbs_size));
    uint32_t structure = kifu__schema_struct(schema, rules->state->name);
    ck_assert_uint_ne(structure, 0);
    return structure;
}

START_TEST(F11_each_games_schema_has_the_layout_that_it_was_compiled_to)
{
    const kifu_rules *const games[] = {&crawl_rules,  &harbour_rules, &lab_rules, &quay_rules,
                                       &shapes_rules, &vast_rules,    &wire_rules};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        kifu__schema schema;
        uint32_t structure = state_in(&schema, games[i]);
        ck_assert_uint_eq(kifu__schema_size(&schema, structure), games[i]->state_size);
        ck_assert(kifu__schema_has_layout(&schema, structure, games[i]->state));
        ck_assert_uint_eq(kifu__schema_struct(&schema, "nobody.State"), 0);
        ck_assert(i == 2 || !kifu__schema_has_layout(&schema, structure, lab_rules.state));
    }
}
END_TEST

START_TEST(F11_any_change_of_a_struct_is_another_layout)
{
    kifu__schema schema;
    uint32_t structure = state_in(&schema, &lab_rules);
    kifu__struct state = *lab_rules.state;
    kifu__member members[7], game_members[10];
    kifu__struct game = *state.members[0].structure;
    ck_assert_uint_eq(state.member_count, 6);
    ck_assert_uint_lt(game.member_count, 10);
    for (int change = 0; change <= 9; change++) {
        state = *lab_rules.state;
        game = *lab_rules.state->members[0].structure;
        memcpy(members, lab_rules.state->members, 6 * sizeof *members);
        memcpy(game_members, game.members, game.member_count * sizeof *game_members);
        state.members = members;
        members[0].structure = &game;
        game.members = game_members;
        members[6] = (kifu__member){.name = "more", .offset = 248, .size = 4, .scalar = KIFU__U32};
        switch (change) {
        case 1:
            state.size += 8;
            break;
        case 2:
            state.member_count = 7;
            break;
        case 3:
            state.member_count = 5;
            break;
        case 4:
            members[5].name = "chance";
            break;
        case 5:
            members[3].offset = 242;
            break;
        case 6:
            members[2].count = 32;
            break;
        case 7:
            members[1].scalar = KIFU__U64;
            break;
        case 8:
            members[1].structure = &game;
            break;
        case 9:
            game_members[game.member_count - 1].scalar = KIFU__I32;
            break;
        default:
            break;
        }
        ck_assert_msg(kifu__schema_has_layout(&schema, structure, &state) == (change == 0), "change %d", change);
    }
}
END_TEST

// The lab's schema says CALM, and ANGRY = 5. `values` NULL: from 0 on.
static const struct other_mood {
    const char *labels[6];
    const int64_t *values;
    uint32_t count;
    bool fits;
} other_moods[] = {
    {{"CALM", "ANGRY"}, (const int64_t[]){0, 5}, 2, true},
    {{"CALM", "SAD", "ANGRY", "GLAD"}, (const int64_t[]){0, 4, 5, 9}, 4, true},
    {{"CALM", "B", "C", "D", "E", "ANGRY"}, NULL, 6, true},
    {{"CALM"}, NULL, 1, false},
    {{"CALM", "ANGRY"}, NULL, 2, false},
    {{"ANGRY", "CALM"}, (const int64_t[]){0, 5}, 2, false},
    {{"CALM", "CROSS"}, (const int64_t[]){0, 5}, 2, false},
};

static void compare_with(const struct other_mood *mood)
{
    enum { LENGTH = 3, MOOD = 4 };
    const kifu__enum values = {.name = "lab.Mood",
                               .size = 1,
                               .values = mood->values,
                               .value_count = mood->count,
                               .labels = mood->labels,
                               .label_count = mood->count};
    kifu__schema schema;
    const uint32_t structure = state_in(&schema, &lab_rules);
    kifu__member members[6];
    kifu__struct state = *lab_rules.state;
    memcpy(members, state.members, sizeof members);
    ck_assert_str_eq(members[MOOD].name, "mood");
    state.members = members;
    members[MOOD].values = &values;
    ck_assert(kifu__schema_has_layout(&schema, structure, &state) == mood->fits);

    const lab_state from = {.mood = LAB_MOOD_ANGRY, .length = 3};
    lab_state to = {.mood = LAB_MOOD_CALM};
    kifu__schema_bring(&schema, structure, (const unsigned char *)&from, &state, (unsigned char *)&to);
    ck_assert_uint_eq(to.mood, mood->fits ? LAB_MOOD_ANGRY : LAB_MOOD_CALM);
    ck_assert_uint_eq(to.length, 3);

    members[LENGTH].values = &values; // which was no enum
    ck_assert(!kifu__schema_has_layout(&schema, structure, &state));
}

START_TEST(G03_a_state_whose_enum_has_other_numbers_is_another)
{
    for (size_t i = 0; i < sizeof other_moods / sizeof *other_moods; i++)
        compare_with(&other_moods[i]);
}
END_TEST

START_TEST(G03_each_bit_has_a_name)
{
    const char *const labels[] = {"FIRST", "LAST"};
    const kifu__enum values = {.bit_flags = true, .mask = UINT64_C(1) << 63 | 2, .labels = labels, .label_count = 2};
    ck_assert_str_eq(kifu__label_of(&values, 2), "FIRST");
    ck_assert_str_eq(kifu__label_of(&values, UINT64_C(1) << 63), "LAST");
    ck_assert_ptr_null(kifu__label_of(&values, 4));
    ck_assert_ptr_null(kifu__label_of(&values, 0));
}
END_TEST

// --- Another version of the lab --------------------------------------------------------------------------------------

typedef struct other_state {
    int32_t length;   // was an ubyte
    uint8_t trace[8]; // were 64
    int16_t total;    // was a long
    uint16_t random;  // was an uint
    float mood;       // was an enum
    uint32_t fresh;
    uint8_t game;  // was a struct
    int8_t one[2]; // the lab has none of that name
} other_state;

static const kifu__member other_members[] = {
    {.name = "length", .offset = offsetof(other_state, length), .size = 4, .scalar = KIFU__I32},
    {.name = "trace", .offset = offsetof(other_state, trace), .size = 1, .count = 8, .scalar = KIFU__U8},
    {.name = "total", .offset = offsetof(other_state, total), .size = 2, .scalar = KIFU__I16},
    {.name = "random", .offset = offsetof(other_state, random), .size = 2, .scalar = KIFU__U16},
    {.name = "mood", .offset = offsetof(other_state, mood), .size = 4, .scalar = KIFU__F32},
    {.name = "fresh", .offset = offsetof(other_state, fresh), .size = 4, .scalar = KIFU__U32},
    {.name = "game", .offset = offsetof(other_state, game), .size = 1, .scalar = KIFU__U8},
    {.name = "one", .offset = offsetof(other_state, one), .size = 1, .count = 2, .scalar = KIFU__I8},
};
static const kifu__struct other_struct = {
    .name = "lab.State", .size = sizeof(other_state), .align = 4, .members = other_members, .member_count = 8};

static other_state bring(int64_t total, uint32_t random)
{
    kifu__schema schema;
    uint32_t structure = state_in(&schema, &lab_rules);
    lab_state from = {.total = total, .random = random, .length = 200, .mood = LAB_MOOD_ANGRY};
    for (uint8_t i = 0; i < 64; i++)
        from.trace[i] = i + 1;
    other_state to = {.total = 7, .random = 7, .mood = 7, .fresh = 7, .game = 7, .one = {7, 7}};
    kifu__schema_bring(&schema, structure, (const unsigned char *)&from, &other_struct, (unsigned char *)&to);
    return to;
}

START_TEST(F12_fields_come_to_those_of_their_names)
{
    other_state to = bring(-5, 65535);
    ck_assert_int_eq(to.length, 200);
    for (int i = 0; i < 8; i++)
        ck_assert_int_eq(to.trace[i], i + 1);
    ck_assert_int_eq(to.total, -5);
    ck_assert_uint_eq(to.random, 65535);
    ck_assert(to.mood == 7 && to.fresh == 7 && to.game == 7 && to.one[0] == 7 &&
              to.one[1] == 7); // none, or another kind
}
END_TEST

START_TEST(F12_what_has_no_room_stays_out)
{
    ck_assert_int_eq(bring(32767, 0).total, 32767);
    ck_assert_int_eq(bring(32768, 0).total, 7);
    ck_assert_int_eq(bring(-32768, 0).total, -32768);
    ck_assert_int_eq(bring(-32769, 0).total, 7);
    ck_assert_uint_eq(bring(0, 65536).random, 7);
    const kifu__member wide = {.name = "total", .size = 8, .scalar = KIFU__U64};
    const kifu__struct state = {.name = "lab.State", .size = 8, .align = 8, .members = &wide, .member_count = 1};
    kifu__schema schema;
    uint32_t structure = state_in(&schema, &lab_rules);
    lab_state from = {.total = -1};
    uint64_t to = 7;
    kifu__schema_bring(&schema, structure, (const unsigned char *)&from, &state, (unsigned char *)&to);
    ck_assert_uint_eq(to, 7);
    from.total = INT64_MAX;
    kifu__schema_bring(&schema, structure, (const unsigned char *)&from, &state, (unsigned char *)&to);
    ck_assert_uint_eq(to, INT64_MAX);
}
END_TEST

// Another kind of number is another kind: no bool becomes a number, and no fraction an integer.
START_TEST(F12_only_integers_become_integers)
{
    kifu__schema schema;
    const uint32_t structure = state_in(&schema, &shapes_rules);
    shapes_state from;
    memset(&from, 1, sizeof from);
    for (uint32_t i = 0; i < shapes_rules.state->member_count; i++) {
        kifu__member member = shapes_rules.state->members[i];
        if (member.structure || member.count)
            continue;
        const bool is_integer = member.scalar >= KIFU__I8 && member.scalar <= KIFU__U64;
        static const uint8_t scalars[] = {KIFU__BOOL, KIFU__I8, KIFU__U64, KIFU__F32, KIFU__F64},
                             sizes[] = {1, 1, 8, 4, 8};
        for (int k = 0; k < 5; k++) {
            const bool is_to = scalars[k] == KIFU__I8 || scalars[k] == KIFU__U64;
            if (scalars[k] == member.scalar)
                continue;
            const kifu__member to = {.name = member.name, .size = sizes[k], .scalar = scalars[k]};
            const kifu__struct state = {
                .name = "shapes.State", .size = 8, .align = 8, .members = &to, .member_count = 1};
            unsigned char bytes[8];
            memset(bytes, 7, sizeof bytes);
            kifu__schema_bring(&schema, structure, (const unsigned char *)&from, &state, bytes);
            if (!is_integer || !is_to)
                ck_assert_msg(bytes[0] == 7, "%s as kind %u", member.name, (unsigned)scalars[k]);
        }
    }
}
END_TEST

// As an older flatc wrote them: the member of the union says no type, or one that is not there.
START_TEST(S06_a_member_without_a_type_has_the_name_that_the_union_gives_it)
{
    for (int way = 0; way < 5; way++) {
        unsigned char *bytes = (unsigned char *)malloc(lab_rules.bfbs_size);
        ck_assert_ptr_nonnull(bytes);
        memcpy(bytes, lab_rules.bfbs, lab_rules.bfbs_size);
        kifu__schema schema;
        ck_assert(kifu__schema_open(&schema, bytes, lab_rules.bfbs_size));
        const uint32_t enums = kifu__target(bytes, kifu__field_at(bytes, schema.root, 1));
        for (uint32_t i = 0; i < kifu__load32(bytes + enums); i++) {
            const uint32_t each = kifu__target(bytes, enums + 4 + 4 * i);
            if (strcmp((const char *)bytes + kifu__target(bytes, kifu__field_at(bytes, each, 0)) + 4, "lab.Event"))
                continue;
            const uint32_t values = kifu__target(bytes, kifu__field_at(bytes, each, 1));
            const uint32_t member = kifu__target(bytes, values + 4 + 4 * LAB_P_DO);
            const uint32_t type = kifu__target(bytes, kifu__field_at(bytes, member, 3));
            const uint32_t index = kifu__field_at(bytes, type, 2);
            const uint32_t count = kifu__load32(bytes + kifu__target(bytes, kifu__field_at(bytes, schema.root, 0)));
            const uint32_t none = way == 3 ? UINT32_MAX : count;
            if (way == 1)
                memset(bytes + kifu__vtable_of(bytes, member) + 4 + 2 * 3, 0, 2);
            else if (way == 2)
                memset(bytes + kifu__vtable_of(bytes, type) + 4 + 2 * 2, 0, 2);
            else if (way > 2)
                memcpy(bytes + index, &none, sizeof none);
        }
        char name[50];
        ck_assert(kifu__event_name(bytes, lab_rules.bfbs_size, "lab.Event", LAB_P_DO, name, sizeof name));
        ck_assert_str_eq(name, way ? "PDo" : "lab.PDo");
        free(bytes);
    }
}
END_TEST

// Structs in arrays, and arrays in structs: all but padding.
START_TEST(F12_a_state_of_the_same_version_comes_whole)
{
    kifu__schema schema;
    uint32_t structure = state_in(&schema, &shapes_rules);
    shapes_state from, to;
    memset(&from, 1, sizeof from);
    memset(&to, 0, sizeof to);
    kifu__schema_bring(&schema, structure, (const unsigned char *)&from, shapes_rules.state, (unsigned char *)&to);
    ck_assert_int_eq(to.small, 1);
    ck_assert_mem_eq(to.numbers, from.numbers, sizeof to.numbers);
    ck_assert_mem_eq(to.suits, from.suits, sizeof to.suits);
    ck_assert_mem_eq(&to.game.rng, &from.game.rng, sizeof to.game.rng);
    ck_assert_uint_eq(to.game.players[KIFU_MAX_PLAYERS - 1].position, 1);
    ck_assert_uint_eq(to.game.order[KIFU_MAX_PLAYERS - 1], 1);
    ck_assert_uint_eq(to.game.round, 0x01010101);
}
END_TEST

static bool has_field(const kifu__schema *schema, uint32_t structure, const char *name)
{
    kifu__schema_field field;
    for (uint32_t id = 0; kifu__schema_next_field(schema, structure, id, &field); id++) {
        if (!strcmp(field.name, name))
            return true;
    }
    return false;
}

// Whatever size it says, and no field behind one that does not fit.
START_TEST(F11_a_field_lies_inside_its_struct)
{
    static const uint32_t sizes[] = {UINT32_MAX, 65537, 65536, 248, 247, 168, 167, 0};
    unsigned char *bytes = (unsigned char *)malloc(lab_rules.bfbs_size);
    ck_assert_ptr_nonnull(bytes);
    memcpy(bytes, lab_rules.bfbs, lab_rules.bfbs_size);
    kifu__schema schema;
    ck_assert(kifu__schema_open(&schema, bytes, lab_rules.bfbs_size));
    uint32_t structure = kifu__schema_struct(&schema, "lab.State");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memcpy(bytes + kifu__field_at(bytes, structure, 4), &sizes[i], 4); // reflection.Object.bytesize
        ck_assert_uint_eq(kifu__schema_size(&schema, structure), sizes[i]);
        ck_assert_int_eq(has_field(&schema, structure, "random"), sizes[i] >= 248);
        ck_assert_int_eq(has_field(&schema, structure, "game"), sizes[i] >= 168);
    }
    free(bytes);
}
END_TEST

START_TEST(F11_a_field_of_a_struct_that_is_not_there_is_none)
{
    unsigned char *bytes = (unsigned char *)malloc(lab_rules.bfbs_size);
    ck_assert_ptr_nonnull(bytes);
    memcpy(bytes, lab_rules.bfbs, lab_rules.bfbs_size);
    kifu__schema schema;
    ck_assert(kifu__schema_open(&schema, bytes, lab_rules.bfbs_size));
    const uint32_t structure = kifu__schema_struct(&schema, "lab.State");
    ck_assert(has_field(&schema, structure, "game"));
    const uint32_t objects = kifu__target(bytes, kifu__field_at(bytes, schema.root, 0));
    const uint32_t fields = kifu__target(bytes, kifu__field_at(bytes, structure, 1));
    for (uint32_t i = 0; i < kifu__load32(bytes + fields); i++) {
        const uint32_t field = kifu__target(bytes, fields + 4 + 4 * i);
        const uint32_t type = kifu__target(bytes, kifu__field_at(bytes, field, 1));
        if (!strcmp((const char *)bytes + kifu__target(bytes, kifu__field_at(bytes, field, 0)) + 4, "game"))
            memcpy(bytes + kifu__field_at(bytes, type, 2), bytes + objects, 4); // behind the last one
    }
    ck_assert(!has_field(&schema, structure, "game"));
    free(bytes);
}
END_TEST

typedef struct small_cell {
    uint8_t height;
    uint16_t owner;
} small_cell;

typedef struct small_row {
    uint8_t dirty;
    small_cell cells[2047]; // were 2048
} small_row;

typedef struct small_state {
    uint8_t last;
    small_row rows[2046]; // were 2048
    uint64_t total;
} small_state;

static const kifu__member cell_members[] = {
    {.name = "height", .offset = offsetof(small_cell, height), .size = 1, .scalar = KIFU__U8},
    {.name = "owner", .offset = offsetof(small_cell, owner), .size = 2, .scalar = KIFU__U16},
};
static const kifu__struct small_cell_struct = {.members = cell_members, .member_count = 2};
static const kifu__member row_members[] = {
    {.name = "dirty", .offset = offsetof(small_row, dirty), .size = 1, .scalar = KIFU__BOOL},
    {.name = "cells", .offset = offsetof(small_row, cells), .size = 4, .count = 2047, .structure = &small_cell_struct},
};
static const kifu__struct small_row_struct = {.members = row_members, .member_count = 2};
static const kifu__member small_members[] = {
    {.name = "last", .offset = offsetof(small_state, last), .size = 1, .scalar = KIFU__U8},
    {.name = "rows",
     .offset = offsetof(small_state, rows),
     .size = sizeof(small_row),
     .count = 2046,
     .structure = &small_row_struct},
    {.name = "total", .offset = offsetof(small_state, total), .size = 8, .scalar = KIFU__U64},
};
static const kifu__struct small_struct = {.members = small_members, .member_count = 3};

// To those of another version, in which they lie elsewhere: of each array as many elements as both have.
START_TEST(F20_fields_behind_byte_65536_come_to_those_of_their_names)
{
    kifu__schema schema;
    const uint32_t structure = state_in(&schema, &vast_rules);
    vast_state *from = (vast_state *)calloc(1, sizeof *from);
    small_state *to = (small_state *)calloc(1, sizeof *to);
    ck_assert(from && to);
    for (uint32_t row = 0; row < 2048; row++) {
        from->rows[row].dirty = row % 3 == 0;
        for (uint32_t i = 0; i < 2048; i++)
            from->rows[row].cells[i] = (vast_cell){.height = (uint8_t)(row + i), .owner = (uint16_t)(row * i)};
    }
    from->total = UINT64_C(1) << 40;
    from->last = VAST_KIND_WATER;
    kifu__schema_bring(&schema, structure, (const unsigned char *)from, &small_struct, (unsigned char *)to);
    ck_assert_uint_eq(to->total, from->total);
    ck_assert_uint_eq(to->last, VAST_KIND_WATER);
    bool same = true;
    for (uint32_t row = 0; row < 2046; row++) {
        same = same && to->rows[row].dirty == (row % 3 == 0);
        for (uint32_t i = 0; i < 2047; i++) {
            const small_cell cell = to->rows[row].cells[i];
            same = same && cell.height == (uint8_t)(row + i) && cell.owner == (uint16_t)(row * i);
        }
    }
    ck_assert(same);
    free(from);
    free(to);
}
END_TEST

// Whatever is in the file: nothing outside of it is read, nothing outside of the two states touched.
START_TEST(S05_hostile_schemas_do_no_harm)
{
    const kifu_rules *rules = &crawl_rules;
    uint32_t seed = (uint32_t)fuzz_seed() * 2654435761u;
    unsigned long opened = 0, found = 0;
    for (unsigned long step = fuzz_steps(20000); step; step--) {
        unsigned char *bytes = (unsigned char *)malloc(rules->bfbs_size);
        ck_assert_ptr_nonnull(bytes);
        memcpy(bytes, rules->bfbs, rules->bfbs_size);
        for (uint32_t changes = 1 + (uint32_t)(step % 3); changes; changes--) {
            static const unsigned char values[] = {0, 1, 4, 15, 17, 0x7F, 0x80, 0xFF};
            seed = seed * 1664525 + 1013904223;
            bytes[(seed >> 8) % rules->bfbs_size] = values[seed >> 4 & 7];
        }
        kifu__schema schema;
        uint32_t structure = 0;
        if (kifu__schema_open(&schema, bytes, rules->bfbs_size)) {
            opened++;
            structure = kifu__schema_struct(&schema, rules->state->name);
        }
        uint32_t size = structure ? kifu__schema_size(&schema, structure) : UINT32_MAX;
        if (size < 1 << 20) { // Who calls has a state of that size.
            unsigned char *from = (unsigned char *)calloc(1, size ? size : 1);
            unsigned char *to = (unsigned char *)calloc(1, rules->state_size);
            ck_assert(from && to);
            kifu__schema_bring(&schema, structure, from, rules->state, to);
            found += kifu__schema_has_layout(&schema, structure, rules->state);
            free(from);
            free(to);
        }
        free(bytes);
    }
    ck_assert_uint_gt(opened, 0);
    ck_assert_uint_gt(found, 0);
    kifu__schema schema;
    ck_assert(!kifu__schema_open(&schema, NULL, 0));
    ck_assert(!kifu__schema_open(&schema, rules->bfbs, 7));
}
END_TEST

// --- Values of a state -----------------------------------------------------------------------------------------------

/// Counts the bytes of the state that are part of an enum or bool: those that may not be 0x7F.
static uint32_t count_checked(unsigned char *state, size_t size)
{
    uint32_t count = 0;
    for (size_t byte = 0; byte < size; byte++) {
        const unsigned char before = state[byte];
        state[byte] = 0x7F;
        count += !kifu__struct_holds(shapes_rules.state, state);
        state[byte] = before;
    }
    return count;
}

START_TEST(every_enum_and_bool_of_the_state_is_verified)
{
    shapes_state state;
    memset(&state, 0, sizeof state);
    unsigned char *bytes = (unsigned char *)&state;
    ck_assert(kifu__struct_holds(shapes_rules.state, bytes));
    ck_assert_uint_eq(count_checked(bytes, sizeof state), 7 + 2 + 1 + 1); // suits, those in deeps, flag, phase
    shapes_suit *const suits[] = {&state.suits[0], &state.suits[6], &state.deeps[0].suit, &state.deeps[1].suit};
    for (size_t i = 0; i < 4; i++) {
        *suits[i] = SHAPES_SUIT_SPADES;
        ck_assert(kifu__struct_holds(shapes_rules.state, bytes));
        *suits[i] = SHAPES_SUIT_SPADES + 1;
        ck_assert(!kifu__struct_holds(shapes_rules.state, bytes));
        *suits[i] = SHAPES_SUIT_CLUBS;
    }
    bytes[offsetof(shapes_state, flag)] = 2;
    ck_assert(!kifu__struct_holds(shapes_rules.state, bytes));
    bytes[offsetof(shapes_state, flag)] = 1;
    state.game.phase = 3;
    ck_assert(!kifu__struct_holds(shapes_rules.state, bytes));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F11_each_games_schema_has_the_layout_that_it_was_compiled_to,
        F11_any_change_of_a_struct_is_another_layout,
        G03_a_state_whose_enum_has_other_numbers_is_another,
        G03_each_bit_has_a_name,
        F12_fields_come_to_those_of_their_names,
        F12_what_has_no_room_stays_out,
        F12_only_integers_become_integers,
        S06_a_member_without_a_type_has_the_name_that_the_union_gives_it,
        F12_a_state_of_the_same_version_comes_whole,
        F11_a_field_lies_inside_its_struct,
        F11_a_field_of_a_struct_that_is_not_there_is_none,
        F20_fields_behind_byte_65536_come_to_those_of_their_names,
        S05_hostile_schemas_do_no_harm,
        every_enum_and_bool_of_the_state_is_verified,
    };
    return run_suite("schema", tests, sizeof tests / sizeof *tests);
}
