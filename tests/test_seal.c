// Sealing: proposals are checked, and get their vtables in a segment.

#include "core/log.h"
#include "wire/buffer.h"
#include "wire_help.h"

#define ck_assert_refused(type, blob, text)                                                                            \
    do {                                                                                                               \
        kifu_error error_;                                                                                             \
        ck_assert_int_eq(kifu__check_proposal(wire_rules.types[type].table, (blob), &error_), KIFU_INVALID_EVENT);     \
        ck_assert_str_eq(error_.message, text);                                                                        \
    } while (0)

#define ck_assert_good(type, blob)                                                                                     \
    ck_assert_int_eq(kifu__check_proposal(wire_rules.types[type].table, (blob), NULL), KIFU_OK)

// --- Checking --------------------------------------------------------------------------------------------------------

START_TEST(values_of_an_enum_and_a_bool_are_checked)
{
    wire_e_one_enum one = {.colour = WIRE_COLOUR_BLUE};
    ck_assert_good(ONE_ENUM, &one);
    one.colour = 3;
    ck_assert_refused(ONE_ENUM, &one, "wire.EOneEnum has a wrong field, colour: value 3 is not in enum wire.Colour");

    wire_e_flat flat = {0};
    ck_assert_good(FLAT, &flat);
    memset(&flat.h, 2, 1);
    ck_assert_refused(FLAT, &flat, "wire.EFlat has a wrong field, h: value 2 is not a bool, 0 or 1");
}
END_TEST

START_TEST(enums_with_holes_signs_and_flags_are_checked)
{
    const wire_e_checks good = {.level = WIRE_LEVEL_MIDDLE, .distance = WIRE_DISTANCE_FAR, .traits = 0x203};
    ck_assert_good(CHECKS, &good);
    wire_e_checks bad = good;
    bad.level = -1;
    ck_assert_refused(CHECKS, &bad, "wire.EChecks has a wrong field, level: value -1 is not in enum wire.Level");
    bad.level = 1001;
    ck_assert_refused(CHECKS, &bad, "wire.EChecks has a wrong field, level: value 1001 is not in enum wire.Level");
    bad = good;
    bad.distance = 0;
    ck_assert_refused(CHECKS, &bad, "wire.EChecks has a wrong field, distance: value 0 is not in enum wire.Distance");
    bad = good;
    bad.traits = 0x204;
    ck_assert_refused(CHECKS, &bad,
                      "wire.EChecks has a wrong field, traits: value 0x204 has bits that are not in "
                      "enum wire.Trait");
    bad = good;
    bad.grid.points[1].colour = 9;
    ck_assert_refused(CHECKS, &bad,
                      "wire.EChecks has a wrong field, grid.points.colour[1]: value 9 is not in enum "
                      "wire.Colour");
}
END_TEST

START_TEST(an_absent_optional_is_not_checked)
{
    wire_e_optional optional = {0}; // 0 is no wire.Distance
    ck_assert_good(OPTIONAL, &optional);
    optional.has_distance = true;
    ck_assert_refused(OPTIONAL, &optional,
                      "wire.EOptional has a wrong field, distance: value 0 is not in enum "
                      "wire.Distance");
    optional.distance = WIRE_DISTANCE_NEAR;
    ck_assert_good(OPTIONAL, &optional);
    memset(&optional.has_a, 2, 1);
    ck_assert_refused(OPTIONAL, &optional,
                      "wire.EOptional has a wrong field, a: its has_ member is neither false nor true");
}
END_TEST

typedef struct two_strings {
    wire_e_text event;
    uint32_t text_length;
    char text[4];
    uint32_t name_length;
    char name[4];
} two_strings;

START_TEST(a_required_field_must_be_there)
{
    two_strings text = {.text_length = 2, .text = "hi", .name_length = 3, .name = "you"};
    text.event.text.offset = (uint32_t)(offsetof(two_strings, text_length) - offsetof(two_strings, event.text));
    ck_assert_refused(TEXT, &text, "wire.EText has a wrong field, name: it is required, and absent");
    text.event.name.offset = (uint32_t)(offsetof(two_strings, name_length) - offsetof(two_strings, event.name));
    ck_assert_good(TEXT, &text);
}
END_TEST

START_TEST(each_string_of_a_vector_must_be_there)
{
    struct {
        wire_e_vectors event;
        uint32_t count;
        uint32_t strings[1];
        uint32_t length;
        char text[4];
    } vectors = {.count = 1, .length = 2, .text = "hi"};
    vectors.event.strings.offset = (uint32_t)((char *)&vectors.count - (char *)&vectors.event.strings);
    ck_assert_refused(VECTORS, &vectors, "wire.EVectors has a wrong field, strings[0]: a string is a null pointer");
    vectors.strings[0] = (uint32_t)((char *)&vectors.length - (char *)&vectors.strings[0]);
    ck_assert_good(VECTORS, &vectors);
}
END_TEST

START_TEST(each_value_of_a_vector_is_checked)
{
    struct {
        wire_e_vectors event;
        uint32_t count;
        uint8_t colours[4];
    } vectors = {.count = 3, .colours = {WIRE_COLOUR_BLUE, 0, WIRE_COLOUR_GREEN, 9}};
    vectors.event.colours.offset = (uint32_t)((char *)&vectors.count - (char *)&vectors.event.colours);
    ck_assert_good(VECTORS, &vectors);
    vectors.count = 4;
    ck_assert_refused(VECTORS, &vectors,
                      "wire.EVectors has a wrong field, colours[3]: value 9 is not in enum wire.Colour");
}
END_TEST

typedef struct nest {
    wire_e_nested event;
    wire_plain must;
    uint32_t count;
    uint32_t branches[2];
    wire_branch branch[2];
    wire_leaf leaf;
} nest;

static nest new_nest(void)
{
    nest nest = {0};
    nest.event.must.offset = (uint32_t)(offsetof(struct nest, must) - offsetof(struct nest, event.must));
    nest.event.branches.offset = (uint32_t)(offsetof(struct nest, count) - offsetof(struct nest, event.branches));
    nest.count = 2;
    for (uint32_t i = 0; i < 2; i++)
        nest.branches[i] = (uint32_t)(offsetof(struct nest, branch) - offsetof(struct nest, branches) +
                                      i * (sizeof(wire_branch) - sizeof(uint32_t)));
    nest.branch[1].main.offset = (uint32_t)(offsetof(struct nest, leaf) - offsetof(struct nest, branch[1].main));
    return nest;
}

START_TEST(nested_tables_are_checked)
{
    nest nest = new_nest();
    ck_assert_good(NESTED, &nest);
    nest.leaf.colour = 7;
    ck_assert_refused(NESTED, &nest,
                      "wire.ENested has a wrong field, branches[1].main.colour: value 7 is not in enum "
                      "wire.Colour");
}
END_TEST

START_TEST(tables_may_be_nested_63_deep_in_an_event)
{
    enum { DEEPEST = 62 }; // the segment's root is one, the event another
    struct {
        wire_e_nested event;
        wire_plain must;
        uint32_t branch_count, first[1];
        wire_branch branches[DEEPEST + 1];
        uint32_t count, leaves[1];
        wire_leaf leaf;
    } deep;
    memset(&deep, 0, sizeof deep);
    deep.event.must.offset = (uint32_t)((char *)&deep.must - (char *)&deep.event.must);
    deep.event.branch.offset = (uint32_t)((char *)&deep.branches[0] - (char *)&deep.event.branch);
    for (int i = 0; i + 1 < DEEPEST; i++)
        deep.branches[i].next.offset = (uint32_t)((char *)&deep.branches[i + 1] - (char *)&deep.branches[i].next);
    ck_assert_good(NESTED, &deep);
    kifu__segment segment = wire_segment(1, 10000), seen;
    wire_append(&segment, NESTED, &deep, sizeof deep);
    bytes bytes = {segment.bytes, segment.size};
    kifu_error error;
    bool castable;
    ck_assert_msg(!wire_verify(bytes, &seen, &castable, &error), "%s", error.message);
    free(segment.bytes);
    // The last of them in a vector.
    wire_branch *before = &deep.branches[DEEPEST - 2];
    const uint32_t next = before->next.offset;
    before->next.offset = 0;
    before->leaves.offset = (uint32_t)((char *)&deep.count - (char *)&before->leaves);
    deep.count = 1;
    deep.leaves[0] = (uint32_t)((char *)&deep.leaf - (char *)deep.leaves);
    segment = wire_segment(1, 10000);
    wire_append(&segment, NESTED, &deep, sizeof deep);
    bytes.at = segment.bytes;
    bytes.size = segment.size;
    ck_assert_msg(!wire_verify(bytes, &seen, &castable, &error), "%s", error.message);
    free(segment.bytes);
    before->leaves.offset = 0;
    before->next.offset = next;

    wire_branch *last = &deep.branches[DEEPEST - 1];
    last->next.offset = (uint32_t)((char *)&deep.branches[DEEPEST] - (char *)&last->next);
    ck_assert_int_eq(kifu__check_proposal(wire_rules.types[NESTED].table, &deep, &error), KIFU_INVALID_EVENT);
    ck_assert_ptr_nonnull(strstr(error.message, "too deeply"));
    segment = wire_segment(1, 10000);
    wire_append(&segment, NESTED, &deep, sizeof deep);
    bytes.at = segment.bytes;
    bytes.size = segment.size;
    ck_assert_int_eq(wire_verify(bytes, &seen, &castable, &error), KIFU_DAMAGED);
    ck_assert_ptr_nonnull(strstr(error.message, "too deeply"));
    free(segment.bytes);
    // The first of them in a vector.
    deep.event.branch.offset = 0;
    deep.event.branches.offset = (uint32_t)((char *)&deep.branch_count - (char *)&deep.event.branches);
    deep.branch_count = 1;
    deep.first[0] = (uint32_t)((char *)deep.branches - (char *)deep.first);
    segment = wire_segment(1, 10000);
    wire_append(&segment, NESTED, &deep, sizeof deep);
    bytes.at = segment.bytes;
    bytes.size = segment.size;
    ck_assert_int_eq(wire_verify(bytes, &seen, &castable, &error), KIFU_DAMAGED);
    ck_assert_ptr_nonnull(strstr(error.message, "too deeply"));
    free(segment.bytes);
}
END_TEST

// --- Vtables ---------------------------------------------------------------------------------------------------------

// Of the table at `table`, which lies in a segment.
static uint32_t vtable_of(const kifu__segment *segment, const void *table)
{
    int32_t back;
    memcpy(&back, table, sizeof back);
    return (uint32_t)((const unsigned char *)table - back - segment->bytes);
}

static uint32_t compiled(const kifu__segment *segment, uint32_t type)
{
    return segment->vtables + (uint32_t)((wire_rules.types[type].table->vtable - wire_rules.vtables) * 2);
}

START_TEST(an_event_with_all_its_fields_has_the_compiled_vtable)
{
    kifu__segment segment = wire_segment(4, 1000);
    wire_e_one_enum one = {.n = 1};
    wire_append(&segment, ONE_ENUM, &one, sizeof one);
    wire_append(&segment, ONE_ENUM, &one, sizeof one);
    for (uint32_t i = 0; i < 2; i++)
        ck_assert_uint_eq(vtable_of(&segment, kifu__segment_table(&segment, i)), compiled(&segment, ONE_ENUM));
    wire_e_optional optional = {.has_a = true,
                                .has_b = true,
                                .has_c = true,
                                .has_d = true,
                                .has_e = true,
                                .has_distance = true,
                                .distance = WIRE_DISTANCE_NEAR};
    ck_assert_uint_eq(kifu__seal_room(wire_rules.types[OPTIONAL].table, &optional), 0);
    wire_append(&segment, OPTIONAL, &optional, sizeof optional);
    ck_assert_uint_eq(vtable_of(&segment, kifu__segment_table(&segment, 2)), compiled(&segment, OPTIONAL));
    free(segment.bytes);
}
END_TEST

START_TEST(absent_fields_have_no_entry_in_a_variant_vtable)
{
    kifu__segment segment = wire_segment(4, 1000);
    wire_e_optional optional = {.has_b = true, .b = 5, .a = 77}; // a check may leave a value in an absent field
    const uint16_t *vtable = wire_rules.types[OPTIONAL].table->vtable;
    ck_assert_uint_eq(kifu__seal_room(wire_rules.types[OPTIONAL].table, &optional), vtable[0]);
    wire_append(&segment, OPTIONAL, &optional, sizeof optional);
    const wire_e_optional *sealed = kifu__segment_table(&segment, 0);
    ck_assert_uint_eq(sealed->a, 0);
    uint16_t variant[9];
    memcpy(variant, segment.bytes + vtable_of(&segment, sealed), sizeof variant);
    ck_assert_uint_eq(variant[0], vtable[0]);
    ck_assert_uint_eq(variant[1], vtable[1]);
    ck_assert_uint_eq(variant[2], 0);
    ck_assert_uint_eq(variant[3], vtable[3]); // b
    ck_assert_uint_eq(variant[4], 0);
    ck_assert_uint_eq(variant[8], vtable[8]); // always
    free(segment.bytes);
}
END_TEST

START_TEST(equal_variants_of_one_event_are_shared)
{
    nest nest = new_nest();
    uint32_t branch = 4 + 2 * 6, leaf = 4 + 2 * 3, event = 4 + 2 * 4;
    ck_assert_uint_eq(kifu__seal_room(wire_rules.types[NESTED].table, &nest), 2 * branch + leaf + event);
    nest.branch[1].main.offset = 0;
    kifu__segment segment = wire_segment(1, 1000);
    wire_append(&segment, NESTED, &nest, sizeof nest);
    const wire_e_nested *sealed = kifu__segment_table(&segment, 0);
    const wire_branch *first = wire_e_nested_branches(sealed, 0), *second = wire_e_nested_branches(sealed, 1);
    ck_assert_uint_eq(vtable_of(&segment, first), vtable_of(&segment, second));
    ck_assert_uint_ne(vtable_of(&segment, first), vtable_of(&segment, sealed));
    free(segment.bytes);
}
END_TEST

// A table that is deprecated has no place in the struct.
START_TEST(what_a_deprecated_field_would_lead_to_is_not_sealed)
{
    nest nest = new_nest();
    kifu__table table = *wire_rules.types[NESTED].table;
    kifu__field fields[4];
    ck_assert_uint_eq(table.field_count, 4);
    memcpy(fields, table.fields, sizeof fields);
    for (int i = 0; i < 4; i++)
        fields[i].offset = strcmp(fields[i].name, "branches") ? fields[i].offset : 0;
    const uint32_t whole = kifu__seal_room(&table, &nest);
    table.fields = fields;
    const uint32_t branch = 4 + 2 * 6, leaf = 4 + 2 * 3;
    ck_assert_uint_eq(kifu__seal_room(&table, &nest), whole - 2 * branch - leaf);
    ck_assert_int_eq(kifu__check_proposal(&table, &nest, NULL), KIFU_OK);
}
END_TEST

enum { OPTIONALS = 8 };

typedef struct optionals {
    uint32_t vtable;
    uint8_t value[OPTIONALS], has[OPTIONALS];
} optionals;

typedef struct many_optionals {
    uint32_t vtable, list, count, places[100];
    optionals each[100];
} many_optionals;

// Which of its fields a table has, as bits: the first 65 differ, the others are like the last two of these.
static uint32_t variant_of(uint32_t i)
{
    return i <= 64 ? i : i % 2 ? 63 : 64;
}

// The first 64 variants are shared; another may be there twice, and is as good.
START_TEST(a_hundred_variants_of_one_event_are_sealed)
{
    static const uint16_t vtables[] = {4 + 2 * OPTIONALS, sizeof(optionals), 4, 5, 6, 7, 8, 9, 10, 11, 6, 8, 4};
    static const char names[OPTIONALS][2] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    kifu__field fields[OPTIONALS];
    for (uint16_t i = 0; i < OPTIONALS; i++)
        fields[i] = (kifu__field){.name = names[i],
                                  .kind = KIFU__SCALAR,
                                  .align = 1,
                                  .size = 1,
                                  .offset = (uint16_t)(offsetof(optionals, value) + i),
                                  .has = (uint16_t)(offsetof(optionals, has) + i),
                                  .scalar = KIFU__U8};
    const kifu__table inner = {.name = "inner",
                               .size = sizeof(optionals),
                               .align = 4,
                               .field_count = OPTIONALS,
                               .fields = fields,
                               .vtable = vtables};
    const kifu__field list = {
        .name = "list", .kind = KIFU__TABLE_VECTOR, .align = 4, .size = 4, .offset = 4, .table = &inner};
    const kifu__table outer = {
        .name = "outer", .size = 8, .align = 4, .field_count = 1, .fields = &list, .vtable = vtables + 2 + OPTIONALS};
    static struct {
        uint16_t block[14];
        many_optionals event;
        unsigned char behind[3000];
    } room;
    memcpy(room.block, vtables, sizeof vtables);
    room.event.list = offsetof(many_optionals, count) - offsetof(many_optionals, list);
    room.event.count = 100;
    for (uint32_t i = 0; i < 100; i++) {
        room.event.places[i] = (uint32_t)((char *)&room.event.each[i] - (char *)&room.event.places[i]);
        for (uint32_t bit = 0; bit < OPTIONALS; bit++)
            room.event.each[i].has[bit] = variant_of(i) >> bit & 1;
    }
    ck_assert_uint_eq(kifu__seal_room(&outer, &room.event), 100 * vtables[0]);
    unsigned char *end = room.behind;
    kifu__seal(vtables, &outer, (unsigned char *)&room.event, (unsigned char *)room.block, &end);
    ck_assert_uint_eq((size_t)(end - room.behind), (65 + 17) * vtables[0]); // the 65th is there 17 more times
    for (uint32_t i = 0; i < 100; i++) {
        const unsigned char *table = (const unsigned char *)&room.event.each[i];
        const unsigned char *vtable = table - *(const int32_t *)(const void *)table;
        ck_assert_int_eq(kifu__load16(vtable), vtables[0]);
        for (uint32_t bit = 0; bit < OPTIONALS; bit++)
            ck_assert_int_eq(kifu__load16(vtable + 4 + 2 * bit), variant_of(i) >> bit & 1 ? vtables[2 + bit] : 0);
    }
    room.event.count = 64;
    for (uint32_t i = 1; i < 64; i++)
        memcpy(room.event.each[i].has, room.event.each[0].has, OPTIONALS);
    end = room.behind;
    kifu__seal(vtables, &outer, (unsigned char *)&room.event, (unsigned char *)room.block, &end);
    ck_assert_uint_eq((size_t)(end - room.behind), vtables[0]);
}
END_TEST

// Where a field lies behind byte 255, both bytes of its entry count.
START_TEST(absent_fields_far_behind_in_a_table_have_no_entry)
{
    enum { SIZE = 600, FIELDS = 3 };
    static const uint16_t vtable[] = {10, SIZE, 260, 520, 524, 0};
    static const kifu__field fields[FIELDS] = {{.kind = KIFU__SCALAR, .size = 4, .offset = 260, .has = 596},
                                               {.kind = KIFU__SCALAR, .size = 4, .offset = 520, .has = 597},
                                               {.kind = KIFU__SCALAR, .size = 4, .offset = 524, .has = 598}};
    static const kifu__table table = {
        .name = "long", .size = SIZE, .align = 4, .field_count = FIELDS, .fields = fields, .vtable = vtable};
    for (unsigned present = 0; present < 1 << FIELDS; present++) {
        uint32_t room[(sizeof vtable + SIZE) / 4 + 8] = {0};
        unsigned char *block = (unsigned char *)room, *event = block + sizeof vtable, *end = event + SIZE;
        memcpy(block, vtable, sizeof vtable);
        for (unsigned id = 0; id < FIELDS; id++)
            event[fields[id].has] = (unsigned char)(present >> id & 1);
        kifu__seal(vtable, &table, event, block, &end);
        const unsigned char *found = event - (int32_t)kifu__load32(event);
        ck_assert_uint_eq(kifu__load16(found), 10);
        ck_assert_uint_eq(kifu__load16(found + 2), SIZE);
        for (unsigned id = 0; id < FIELDS; id++)
            ck_assert_uint_eq(kifu__load16(found + 4 + 2 * id), present >> id & 1 ? fields[id].offset : 0);
    }
}
END_TEST

// The room for them is found although they come to one in the end.
START_TEST(a_log_has_room_for_an_event_of_many_variants)
{
    struct {
        wire_e_nested event;
        wire_plain must;
        uint32_t count, branches[300];
        wire_branch branch;
    } many;
    memset(&many, 0, sizeof many);
    many.event.must.offset = (uint32_t)((char *)&many.must - (char *)&many.event.must);
    many.event.branches.offset = (uint32_t)((char *)&many.count - (char *)&many.event.branches);
    many.count = 300;
    for (uint32_t i = 0; i < many.count; i++)
        many.branches[i] = (uint32_t)((char *)&many.branch - (char *)&many.branches[i]);
    const kifu__memory memory = wire_memory();
    const void *table = NULL;
    kifu__log log;
    kifu__log_open(&log, &wire_rules, &memory);
    ck_assert_int_eq(kifu__log_append(&log, NESTED, &many, sizeof many, (kifu__mark){0}, &table), KIFU_OK);
    ck_assert_uint_eq(log.branch->segments[0].count, 1);
    ck_assert_ptr_eq(kifu__log_table(&log, 0), table);
    kifu__log_close(&log);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        values_of_an_enum_and_a_bool_are_checked,
        enums_with_holes_signs_and_flags_are_checked,
        an_absent_optional_is_not_checked,
        a_required_field_must_be_there,
        each_string_of_a_vector_must_be_there,
        each_value_of_a_vector_is_checked,
        nested_tables_are_checked,
        tables_may_be_nested_63_deep_in_an_event,
        an_event_with_all_its_fields_has_the_compiled_vtable,
        absent_fields_have_no_entry_in_a_variant_vtable,
        absent_fields_far_behind_in_a_table_have_no_entry,
        a_log_has_room_for_an_event_of_many_variants,
        equal_variants_of_one_event_are_shared,
        what_a_deprecated_field_would_lead_to_is_not_sealed,
        a_hundred_variants_of_one_event_are_sealed,
    };
    return run_suite("seal", tests, sizeof tests / sizeof *tests);
}
