// Events as bytes, with the official library as a witness.

#include "break_help.h"
#include "fuzz/bytes_input.h"

static uint64_t room[RANDOM_EVENT_ROOM / 8];

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

// Bytes of an event from JSON, as any FlatBuffers tool could make them: with the root 8 bytes further on, and the
// identifier.
static bytes foreign(official *schema, const char *json)
{
    size_t size;
    unsigned char *at = official_from_json(schema, json, &size);
    bytes made = {malloc(size + 8), size + 8};
    const uint32_t root = kifu__load32(at) + 8, identifier = kifu_file_identifier(&wire_rules);
    memcpy(made.at, &root, 4);
    memcpy(made.at + 4, &identifier, 4);
    memcpy(made.at + 8, at, size);
    free(at);
    return made;
}

static void must_build(trial *trial, kifu_rng *rng, uint32_t type)
{
    const uint32_t size = random_event(rng, wire_rules.types[type].table, (unsigned char *)room);
    ck_assert_int_eq(kifu__bytes_of(trial->timeline, type, room, size, &trial->first), KIFU_OK);
}

// The same event in a segment, as a log has it.
static char *json_of_segment(official *schema, kifu_rng *rng, uint32_t type)
{
    const uint32_t size = random_event(rng, wire_rules.types[type].table, (unsigned char *)room);
    kifu__segment segment = wire_segment(1, RANDOM_EVENT_ROOM);
    const kifu__mark mark = {.player = -1};
    const void *table;
    ck_assert(kifu__segment_append(&segment, &wire_rules, type, room, size, mark, &table));
    kifu__segment_show(&segment);
    char *json = official_to_json(schema, segment.bytes);
    free(segment.bytes);
    return json;
}

START_TEST(B01_the_official_library_reads_what_was_built)
{
    official *schema = own_schema();
    trial trial = {.accepted = 0};
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 21);
    begin_trial(&trial);
    for (unsigned long i = 0; i < fuzz_steps(5000); i++) {
        const uint32_t type = 1 + (uint32_t)i % wire_rules.type_count;
        kifu_rng same = rng;
        must_build(&trial, &rng, type);
        ck_assert(official_verifies(trial.first.data, trial.first.size));
        char *json = official_to_json(schema, trial.first.data);
        char *expected = json_of_segment(schema, &same, type);
        ck_assert_str_eq(json, expected);
        free(json);
        free(expected);
    }
    end_trial(&trial);
    official_close(schema);
}
END_TEST

START_TEST(B02_bytes_that_flatc_made_are_the_same_event)
{
    official *schema = own_schema();
    trial trial = {.accepted = 0};
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 22);
    begin_trial(&trial);
    for (unsigned long i = 0; i < fuzz_steps(3000); i++) {
        must_build(&trial, &rng, 1 + (uint32_t)i % wire_rules.type_count);
        char *json = official_to_json(schema, trial.first.data);
        const bytes made = foreign(schema, json);
        ck_assert(made.size != trial.first.size || memcmp(made.at, trial.first.data, made.size));
        ck_assert_int_eq(submit_copy(trial.timeline, 0, made.at, made.size, (unsigned)i % 8, NULL), KIFU_OK);
        ck_assert_int_eq(kifu_run(trial.timeline), KIFU_OK);
        const uint32_t event = kifu_event_count(trial.timeline) - 1;
        ck_assert_int_eq(kifu_event_bytes(trial.timeline, event, &trial.second), KIFU_OK);
        same_buffers(&trial.first, &trial.second);
        free(made.at);
        free(json);
        if (event > 500)
            begin_trial(&trial);
    }
    end_trial(&trial);
    official_close(schema);
}
END_TEST

// An event of another version, and what it is here.
typedef struct other_version {
    const char *version, *type, *fields;
    const char *here;    // its fields in today's JSON,
    const char *refused; // or why it is refused
} other_version;

static const other_version other_versions[] = {
    {"older", "EFlat", "{\"a\": 4}",
     "{\"a\": 4,\"b\": 500,\"c\": -1,\"d\": 0,\"e\": 1.5,\"f\": 0.0,\"g\": 0,\"h\": true}", NULL},
    {"newer", "EOneEnum", "{\"colour\": \"BLUE\", \"n\": 7, \"other\": {\"n\": 3}}", "{\"colour\": \"BLUE\",\"n\": 7}",
     NULL},
    {"newer", "EOneEnum", "{\"colour\": \"VIOLET\"}", NULL,
     "the bytes of wire.EOneEnum, field colour: value 3 is not in enum wire.Colour (byte "},
    {"newer", "ESurprise", "{}", NULL,
     "the bytes are of an event of type 10, and this version of wire knows types 1 to 9: a newer version of the game "
     "wrote them"},
};

static char *without_blanks(char *json)
{
    char *to = json;
    for (const char *from = json; *from; from++)
        if (*from != ' ' && *from != '\n')
            *to++ = *from;
    *to = 0;
    return json;
}

static void try_version(trial *trial, const other_version *each)
{
    char json[1000];
    official *schema = version(each->version), *own = own_schema();
    snprintf(json, sizeof json,
             "{\"events_type\": [\"%s\"], \"events\": [%s], \"marks\": [{\"cause\": 0, \"player\": -1, \"flags\": 0}], "
             "\"rules_version\": 1}",
             each->type, each->fields);
    const bytes made = foreign(schema, json);
    const kifu_result result = submit_copy(trial->timeline, 0, made.at, made.size, 0, NULL);
    const char *message = kifu_last_error(trial->timeline)->message;
    free(made.at);
    if (each->refused) {
        ck_assert_int_ne(result, KIFU_OK);
        ck_assert_msg(!strncmp(message, each->refused, strlen(each->refused)), "%s", message);
    } else {
        char expected[500];
        ck_assert_msg(!result, "%s", message);
        ck_assert_int_eq(kifu_run(trial->timeline), KIFU_OK);
        const uint32_t event = kifu_event_count(trial->timeline) - 1;
        ck_assert_int_eq(kifu_event_bytes(trial->timeline, event, &trial->first), KIFU_OK);
        char *read = without_blanks(official_to_json(own, trial->first.data));
        snprintf(expected, sizeof expected, "\"events\":[%s]", each->here);
        ck_assert_msg(strstr(read, without_blanks(expected)), "%s is not in %s", expected, read);
        free(read);
    }
    official_close(schema);
    official_close(own);
}

START_TEST(B02_events_of_older_and_newer_versions_are_converted)
{
    trial trial = {.accepted = 0};
    begin_trial(&trial);
    for (size_t i = 0; i < sizeof other_versions / sizeof *other_versions; i++)
        try_version(&trial, &other_versions[i]);
    end_trial(&trial);
}
END_TEST

START_TEST(B02_what_is_accepted_the_official_verifier_accepts)
{
    official *schema = own_schema();
    trial trial = {.accepted = 0};
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 23);
    begin_trial(&trial);
    const unsigned long steps = fuzz_steps(20000);
    for (unsigned long step = 0; step < steps; step += 50) {
        must_build(&trial, &rng, 1 + kifu_rng_below(&rng, wire_rules.type_count));
        bytes whole = bytes_of(trial.first.data, trial.first.size);
        if (kifu_rng_below(&rng, 2)) { // as flatc makes it
            char *json = official_to_json(schema, whole.at);
            free(whole.at);
            whole = foreign(schema, json);
            free(json);
        }
        for (int i = 0; i < 50; i++) {
            bytes broken = bytes_of(whole.at, whole.size);
            for (uint32_t n = 1 + kifu_rng_below(&rng, 3); n && broken.size; n--)
                break_once(&rng, &broken);
            try_bytes(&trial, broken.at, broken.size);
            free(broken.at);
        }
        free(whole.at);
    }
    printf("%lu broken events: %lu refused, %lu of them by Kifu alone; %lu still valid\n",
           trial.refused + trial.accepted, trial.refused, trial.laxer, trial.accepted);
    ck_assert_uint_gt(trial.accepted, steps / 50);
    ck_assert_uint_gt(trial.refused, steps / 50);
    end_trial(&trial);
    official_close(schema);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        B01_the_official_library_reads_what_was_built,
        B02_bytes_that_flatc_made_are_the_same_event,
        B02_events_of_older_and_newer_versions_are_converted,
        B02_what_is_accepted_the_official_verifier_accepts,
    };
    return run_suite("bytes_official", tests, sizeof tests / sizeof *tests);
}
