// Converting: whatever wrote the events, Do sees them in the layout that the game was compiled with.

#include "official.h"
#include "wire_help.h"

// What the official library's JSON of a segment says, once read and written again without Kifu: other layout, other
// order, defaults left out.
static bytes rewritten(official *schema, const char *json)
{
    size_t size;
    unsigned char *at = official_from_json(schema, json, &size);
    bytes foreign = bytes_of(at, size);
    free(at);
    return foreign;
}

static official *own_schema(void)
{
    official *schema = official_open(wire_rules.bfbs, wire_rules.bfbs_size);
    ck_assert_ptr_nonnull(schema);
    return schema;
}

// "older" or "newer".
static official *version(const char *name)
{
    char games[500], standard[500], text[500];
    const char *source = getenv("KIFU_SOURCE_DIR");
    ck_assert_msg(source, "KIFU_SOURCE_DIR is not set");
    snprintf(games, sizeof games, "%s/tests/games/wire/versions", source);
    snprintf(standard, sizeof standard, "%s/schema", source);
    const char *const folders[] = {games, standard, NULL};
    snprintf(text, sizeof text,
             "include \"%s.fbs\"; namespace kifu;"
             "table Segment { events: [wire.Event]; marks: [kifu.Mark]; rules_version: uint; } root_type Segment;",
             name);
    return official_open_text(text, folders);
}

// A segment of one event as flatc would write it.
static bytes one_event(official *schema, const char *type, const char *fields)
{
    static char json[50000];
    snprintf(json, sizeof json,
             "{\"events_type\": [\"%s\"], \"events\": [%s], \"marks\": [{\"cause\": 0, \"player\": 2, \"flags\": 3}], "
             "\"rules_version\": 9}",
             type, fields);
    return rewritten(schema, json);
}

// Verifies, converts, verifies again; the segment of the result. Frees `foreign`.
static kifu__segment converted(bytes foreign)
{
    kifu__segment segment;
    kifu_error error;
    bool castable;
    ck_assert_msg(!wire_verify(foreign, &segment, &castable, &error), "%s", error.message);
    ck_assert(!castable);
    bytes own;
    ck_assert_msg(!wire_convert(foreign, &own, &error), "%s", error.message);
    ck_assert_msg(!wire_verify(own, &segment, &castable, &error), "%s", error.message);
    ck_assert(castable);
    free(foreign.at);
    return segment;
}

START_TEST(events_that_flatc_wrote_are_the_same_events)
{
    official *schema = own_schema();
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 3);
    for (unsigned long step = 0; step < fuzz_steps(3000) / 10; step++) {
        bytes own = wire_random(&rng, kifu_rng_below(&rng, 12));
        char *json = official_to_json(schema, own.at);
        bytes foreign = rewritten(schema, json);
        kifu__segment segment;
        kifu_error error;
        bool castable;
        ck_assert_msg(!wire_verify(foreign, &segment, &castable, &error), "%s", error.message);
        bytes again;
        ck_assert_msg(!wire_convert(foreign, &again, &error), "%s", error.message);
        ck_assert_msg(!wire_verify(again, &segment, &castable, &error), "%s", error.message);
        ck_assert(castable);
        ck_assert(official_verifies(again.at, again.size));
        char *json_again = official_to_json(schema, again.at);
        ck_assert_str_eq(json, json_again);
        free(own.at);
        free(foreign.at);
        free(again.at);
        free(json);
        free(json_again);
    }
    official_close(schema);
}
END_TEST

START_TEST(what_is_converted_again_does_not_change)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 4);
    for (int step = 0; step < 200; step++) {
        bytes own = wire_random(&rng, 5), once, twice;
        ck_assert_int_eq(wire_convert(own, &once, NULL), KIFU_OK);
        ck_assert_int_eq(wire_convert(once, &twice, NULL), KIFU_OK);
        ck_assert_uint_eq(once.size, twice.size);
        ck_assert_mem_eq(once.at, twice.at, once.size);
        free(own.at);
        free(once.at);
        free(twice.at);
    }
}
END_TEST

START_TEST(an_older_versions_event_gets_the_defaults_of_what_it_lacks)
{
    official *older = version("older");
    kifu__segment segment = converted(one_event(older, "EFlat", "{\"a\": 4}"));
    const wire_e_flat *flat = kifu__segment_table(&segment, 0);
    ck_assert_uint_eq(flat->a, 4);
    ck_assert_uint_eq(flat->b, 500);
    ck_assert_int_eq(flat->c, -1);
    ck_assert_uint_eq(flat->d, 0);
    ck_assert(flat->e == 1.5f);
    ck_assert(flat->f == 0);
    ck_assert_int_eq(flat->g, 0);
    ck_assert(flat->h);
    ck_assert_int_eq(segment.marks[0].player, 2);
    ck_assert_uint_eq(segment.marks[0].flags, KIFU_UNDOABLE | KIFU_CONTINUE_UNDO);
    ck_assert_uint_eq(segment.rules_version, 9);
    free(segment.bytes);

    segment = converted(one_event(older, "EChecks", "{\"level\": \"MIDDLE\", \"flag\": true}"));
    const wire_e_checks *checks = kifu__segment_table(&segment, 0);
    ck_assert_int_eq(checks->level, WIRE_LEVEL_MIDDLE);
    ck_assert(checks->flag);
    ck_assert_uint_eq(checks->distance, WIRE_DISTANCE_NEAR);
    wire_grid no_grid = {0};
    ck_assert_mem_eq(&checks->grid, &no_grid, sizeof no_grid); // an absent struct reads as zeros
    free(segment.bytes);

    segment = converted(one_event(older, "EOptional", "{\"b\": 7}"));
    const wire_e_optional *optional = kifu__segment_table(&segment, 0);
    ck_assert(!optional->has_a);
    ck_assert(optional->has_b);
    ck_assert_uint_eq(optional->b, 7);
    ck_assert(!optional->has_c && !optional->has_d && !optional->has_e && !optional->has_distance);
    ck_assert_uint_eq(optional->always, 7);
    free(segment.bytes);
    official_close(older);
}
END_TEST

START_TEST(nested_tables_and_vectors_are_converted_too)
{
    official *older = version("older");
    kifu__segment segment = converted(
        one_event(older, "ENested",
                  "{\"must\": {\"a\": 1}, \"branch\": {\"leaves\": [{\"colour\": \"RED\"}, {}], \"main\": {}, "
                  "\"next\": {\"tags\": [\"one\", \"\", \"three\"]}}, \"branches\": [{}, {\"tags\": []}]}"));
    const wire_e_nested *nested = kifu__segment_table(&segment, 0);
    ck_assert_uint_eq(wire_e_nested_must(nested)->a, 1);
    ck_assert_uint_eq(wire_e_nested_must(nested)->b, 40);
    ck_assert_ptr_null(wire_e_nested_plain(nested));
    const wire_branch *branch = wire_e_nested_branch(nested);
    ck_assert_int_eq(branch->level, WIRE_LEVEL_HIGH);
    ck_assert(!branch->has_age);
    ck_assert_uint_eq(wire_branch_leaves_count(branch), 2);
    ck_assert_uint_eq(wire_branch_leaves(branch, 0)->colour, WIRE_COLOUR_RED);
    ck_assert_uint_eq(wire_branch_leaves(branch, 1)->colour, WIRE_COLOUR_GREEN);
    ck_assert_ptr_null(wire_leaf_note(wire_branch_leaves(branch, 1)));
    ck_assert_uint_eq(wire_branch_main(branch)->colour, WIRE_COLOUR_GREEN);
    const wire_branch *next = wire_branch_next(branch);
    ck_assert_uint_eq(wire_branch_tags_count(next), 3);
    ck_assert_str_eq(wire_branch_tags(next, 0), "one");
    ck_assert_str_eq(wire_branch_tags(next, 1), "");
    ck_assert_str_eq(wire_branch_tags(next, 2), "three");
    ck_assert_uint_eq(wire_e_nested_branches_count(nested), 2);
    ck_assert_uint_eq(wire_branch_tags_count(wire_e_nested_branches(nested, 1)), 0);
    free(segment.bytes);
    official_close(older);
}
END_TEST

START_TEST(deprecated_and_transient_fields_are_dropped)
{
    official *older = version("older");
    kifu__segment segment = converted(one_event(
        older, "EChanged", "{\"gone\": 5, \"kept\": 6, \"seen\": 7, \"gone_text\": \"lost\", \"text\": \"found\"}"));
    const wire_e_changed *changed = kifu__segment_table(&segment, 0);
    ck_assert_uint_eq(changed->kept, 6);
    ck_assert_str_eq(wire_e_changed_text(changed), "found");
    ck_assert_int_eq(changed->place.x, 0);
    ck_assert_int_eq(changed->number, -5);
    for (uint32_t i = 0; i + 4 < segment.size; i++)
        ck_assert(memcmp(segment.bytes + i, "lost", 4) != 0);
    free(segment.bytes);
    official_close(older);
}
END_TEST

START_TEST(a_newer_versions_fields_are_dropped)
{
    official *newer = version("newer");
    kifu__segment segment = converted(one_event(newer, "EEmpty", "{\"not_any_more\": 1.5}"));
    ck_assert_uint_eq(segment.count, 1);
    free(segment.bytes);

    segment = converted(
        one_event(newer, "EVectors",
                  "{\"bytes\": [1, 2, 3], \"shorts\": [-1, 2], \"doubles\": [0.5, 2.5], \"colours\": [\"BLUE\"], "
                  "\"levels\": [\"HIGH\", \"LOW\"], \"flags\": [true, false], \"strings\": [\"a\", \"bc\"], "
                  "\"points\": [{\"x\": 1, \"y\": -2, \"colour\": \"GREEN\"}], \"plains\": [{\"a\": 1, \"c\": 3, "
                  "\"other\": {\"n\": 3}}, {\"b\": 2}], \"others\": [{\"text\": \"dropped\"}]}"));
    const wire_e_vectors *vectors = kifu__segment_table(&segment, 0);
    ck_assert_uint_eq(wire_e_vectors_bytes_count(vectors), 3);
    ck_assert_uint_eq(wire_e_vectors_bytes(vectors)[2], 3);
    ck_assert_int_eq(wire_e_vectors_shorts(vectors)[0], -1);
    ck_assert(wire_e_vectors_doubles(vectors)[1] == 2.5);
    ck_assert_uint_eq((uintptr_t)wire_e_vectors_doubles(vectors) % 8, 0);
    ck_assert_uint_eq(wire_e_vectors_colours(vectors)[0], WIRE_COLOUR_BLUE);
    ck_assert_int_eq(wire_e_vectors_levels(vectors)[1], WIRE_LEVEL_LOW);
    ck_assert(wire_e_vectors_flags(vectors)[0] && !wire_e_vectors_flags(vectors)[1]);
    ck_assert_int_eq(wire_e_vectors_points(vectors)[0].y, -2);
    ck_assert_ptr_null(wire_e_vectors_grids(vectors));
    ck_assert_str_eq(wire_e_vectors_strings(vectors, 1), "bc");
    ck_assert_uint_eq(wire_e_vectors_plains(vectors, 0)->a, 1);
    ck_assert_uint_eq(wire_e_vectors_plains(vectors, 0)->b, 40);
    ck_assert_uint_eq(wire_e_vectors_plains(vectors, 1)->b, 2);
    free(segment.bytes);
    official_close(newer);
}
END_TEST

START_TEST(S06_a_newer_versions_events_are_refused_by_name)
{
    official *newer = version("newer");
    bytes foreign = one_event(newer, "ESurprise", "{\"n\": 1}");
    kifu__segment segment;
    kifu_error error;
    bool castable;
    ck_assert_int_eq(wire_verify(foreign, &segment, &castable, &error), KIFU_UNKNOWN_EVENT);
    ck_assert_ptr_nonnull(strstr(error.message, "type 10")); // our own schema does not name it
    ck_assert_uint_eq(error.event, 0);
    free(foreign.at);
    official_close(newer);
}
END_TEST

// A head in front of a segment of one event of type `type`, that says the same event `copies` times. Frees `one`.
static bytes repeated(bytes one, uint8_t type, uint32_t copies)
{
    kifu__segment segment;
    bool castable;
    ck_assert_int_eq(wire_verify(one, &segment, &castable, NULL), KIFU_OK);
    uint32_t event = (uint32_t)((const unsigned char *)kifu__segment_table(&segment, 0) - one.at);
    uint32_t types = 36, events = types + 4 + copies, marks = events + 4 + 4 * copies, body = marks + 4 + 4 * copies;
    ck_assert_uint_eq(body % 8, 0);
    bytes many = {(unsigned char *)calloc(1, body + one.size), body + one.size};
    uint16_t vtable[] = {12, 20, 4, 8, 12, 16};
    uint32_t root[] = {12, types - 20, events - 24, marks - 28, 1}, first = 16;
    memcpy(many.at, &first, 4);
    memcpy(many.at + 4, vtable, sizeof vtable);
    memcpy(many.at + 16, root, sizeof root);
    memcpy(many.at + types, &copies, 4);
    memset(many.at + types + 4, type, copies);
    memcpy(many.at + events, &copies, 4);
    memcpy(many.at + marks, &copies, 4);
    memcpy(many.at + body, one.at, one.size);
    for (uint32_t i = 0; i < copies; i++) {
        uint32_t place = events + 4 + 4 * i, offset = body + event - place;
        memcpy(many.at + place, &offset, 4);
    }
    free(one.at);
    return many;
}

START_TEST(S05_shared_vectors_do_not_cost_forever)
{
    // 2000 events that are one, which has 10,000 strings: 20 million strings in 60 KB.
    official *schema = own_schema();
    char *fields = (char *)malloc(40000), *end = fields;
    end += sprintf(end, "{\"strings\": [\"\"");
    for (int i = 1; i < 10000; i++)
        end += sprintf(end, ",\"\"");
    sprintf(end, "]}");
    bytes many = repeated(one_event(schema, "EVectors", fields), VECTORS, 2000);
    kifu__segment segment;
    kifu_error error;
    bool castable;
    ck_assert_int_eq(wire_verify(many, &segment, &castable, &error), KIFU_DAMAGED);
    ck_assert_ptr_nonnull(strstr(error.message, "shared"));
    free(many.at);
    free(fields);
    official_close(schema);
}
END_TEST

// The same with 10,000 values of an enum, each of which is looked at.
START_TEST(S05_shared_values_do_not_cost_forever)
{
    official *schema = own_schema();
    char *fields = (char *)malloc(100000), *end = fields;
    end += sprintf(end, "{\"colours\": [2");
    for (int i = 1; i < 10000; i++)
        end += sprintf(end, ",1");
    sprintf(end, "]}");
    for (int i = 0; i < 2; i++) {
        bytes many = one_event(schema, "EVectors", fields);
        if (i)
            many = repeated(many, VECTORS, 2000);
        kifu__segment segment;
        kifu_error error;
        bool castable;
        ck_assert_int_eq(wire_verify(many, &segment, &castable, &error), i ? KIFU_DAMAGED : KIFU_OK);
        if (i)
            ck_assert_ptr_nonnull(strstr(error.message, "shared"));
        free(many.at);
    }
    free(fields);
    official_close(schema);
}
END_TEST

START_TEST(S05_a_small_file_does_not_become_a_large_log)
{
    // 2000 events that are one, which has a name of 30,000 letters: 60 MB.
    official *schema = own_schema();
    char *fields = (char *)malloc(40000);
    sprintf(fields, "{\"name\": \"%030000d\"}", 0);
    bytes many = repeated(one_event(schema, "EText", fields), TEXT, 2000), own;
    kifu__segment segment;
    kifu_error error;
    bool castable;
    ck_assert_int_eq(wire_verify(many, &segment, &castable, &error), KIFU_OK);
    ck_assert_int_eq(wire_convert(many, &own, &error), KIFU_TOO_LARGE);
    ck_assert_ptr_nonnull(strstr(error.message, "shared"));
    free(many.at);

    // Sixteen of them are nothing unusual.
    many = repeated(one_event(schema, "EText", fields), TEXT, 16);
    ck_assert_int_eq(wire_verify(many, &segment, &castable, &error), KIFU_OK);
    ck_assert_int_eq(wire_convert(many, &own, &error), KIFU_OK);
    ck_assert_uint_gt(own.size, 16 * 30000);
    free(own.at);
    free(many.at);
    free(fields);
    official_close(schema);
}
END_TEST

START_TEST(S05_what_the_source_lacks_counts_too)
{
    // 24 events that are one, with 5,000 tables of 4 bytes each, which become 44.
    official *schema = own_schema();
    char *fields = (char *)malloc(40000), *end = fields;
    end += sprintf(end, "{\"must\": {}, \"branches\": [{}");
    for (int i = 1; i < 5000; i++)
        end += sprintf(end, ",{}");
    sprintf(end, "]}");
    bytes many = repeated(one_event(schema, "ENested", fields), NESTED, 24), own;
    kifu__segment segment;
    kifu_error error;
    bool castable;
    ck_assert_int_eq(wire_verify(many, &segment, &castable, &error), KIFU_OK);
    ck_assert_int_eq(wire_convert(many, &own, &error), KIFU_TOO_LARGE);
    free(many.at);

    // Not shared, they may.
    many = one_event(schema, "ENested", fields);
    ck_assert_int_eq(wire_convert(many, &own, &error), KIFU_OK);
    free(own.at);
    free(many.at);
    free(fields);
    official_close(schema);
}
END_TEST

// A segment of one EEmpty, whose vtable has entries for 32,000 fields, all of them absent.
static bytes long_vtable(void)
{
    enum { ENTRIES = 32000 };
    const uint32_t words[] = {16, 0, 0, 0, 12, 16, 20, 24, 0, 1, EMPTY, 1, 12, 1, 0, (uint32_t)-4};
    const uint16_t root[] = {12, 20, 4, 8, 12, 16}, vtable[] = {4 + 2 * ENTRIES, 4};
    bytes one = {(unsigned char *)calloc(1, sizeof words + sizeof vtable + 2 * ENTRIES),
                 sizeof words + sizeof vtable + 2 * ENTRIES};
    memcpy(one.at, words, sizeof words);
    memcpy(one.at + 4, root, sizeof root);
    memcpy(one.at + sizeof words, vtable, sizeof vtable);
    return one;
}

START_TEST(S05_a_long_vtable_does_not_cost_forever)
{
    kifu__segment segment;
    kifu_error error;
    bool castable;
    bytes many = repeated(long_vtable(), EMPTY, 20000);
    ck_assert_int_eq(wire_verify(many, &segment, &castable, &error), KIFU_DAMAGED);
    ck_assert_ptr_nonnull(strstr(error.message, "shared"));
    free(many.at);
    many = repeated(long_vtable(), EMPTY, 16);
    ck_assert_msg(!wire_verify(many, &segment, &castable, &error), "%s", error.message);
    free(many.at);
}
END_TEST

START_TEST(S05_vectors_one_over_the_other_are_too_large)
{
    // As in a save of 2 GB whose vectors share their bytes: more elements than there is room for when they do not.
    bytes one = long_vtable(), own;
    const uint32_t count = UINT32_C(1) << 29;
    kifu_error error;
    memcpy(one.at + 44, &count, sizeof count);
    ck_assert_int_eq(wire_convert(one, &own, &error), KIFU_TOO_LARGE);
    free(one.at);
}
END_TEST

static int allocations_left, blocks;

static void *allocate_some(void *context, void *block, size_t size)
{
    (void)context;
    if (size == 0) {
        blocks -= block != NULL;
        free(block);
        return NULL;
    }
    if (allocations_left-- <= 0)
        return NULL;
    blocks += !block;
    return realloc(block, size);
}

// Of each allocation in turn. Frees `source`.
static void convert_without_memory(bytes source, int least)
{
    kifu__memory memory = kifu__memory_of(allocate_some, NULL);
    kifu_error error;
    kifu__buffer buffer = {.bytes = source.at, .size = (uint32_t)source.size, .error = &error};
    const kifu__segment from = wire_as_read(source);
    kifu__segment segment;
    kifu_result result = KIFU_NO_MEMORY;
    int room = 0;
    for (; result; room++) {
        allocations_left = room;
        blocks = 0;
        result = kifu__convert_segment(&buffer, &wire_rules, &from, &memory, &segment);
        ck_assert(result == KIFU_OK || result == KIFU_NO_MEMORY);
        ck_assert_int_eq(blocks, !result);
    }
    ck_assert_int_gt(room, least);
    free(segment.bytes);
    free(source.at);
}

START_TEST(without_memory_nothing_is_left_behind)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 1);
    convert_without_memory(wire_random(&rng, 20), 2);
    // Events that become larger, so that the segment must grow.
    official *schema = own_schema();
    convert_without_memory(repeated(one_event(schema, "EFlat", "{}"), FLAT, 80), 3);
    official_close(schema);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        events_that_flatc_wrote_are_the_same_events,
        what_is_converted_again_does_not_change,
        an_older_versions_event_gets_the_defaults_of_what_it_lacks,
        nested_tables_and_vectors_are_converted_too,
        deprecated_and_transient_fields_are_dropped,
        a_newer_versions_fields_are_dropped,
        S06_a_newer_versions_events_are_refused_by_name,
        S05_shared_vectors_do_not_cost_forever,
        S05_shared_values_do_not_cost_forever,
        S05_a_small_file_does_not_become_a_large_log,
        S05_what_the_source_lacks_counts_too,
        S05_a_long_vtable_does_not_cost_forever,
        S05_vectors_one_over_the_other_are_too_large,
        without_memory_nothing_is_left_behind,
    };
    return run_suite("convert", tests, sizeof tests / sizeof *tests);
}
