// Events and games out of JSON, by the calls of kifu/json.h.

#include <cjson/cJSON.h>
#include <kifu/json.h>

#include "bytes_help.h"
#include "history_help.h"
#include "lab_help.h"
#include "random_event.h"
#include "text_help.h"
#include "wire.h"

static kifu_timeline *new_game(const kifu_rules *rules, const kifu_options *options)
{
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_msg(!kifu_create(rules, options, &timeline, &error), "%s", error.message);
    return timeline;
}

// At an address where a sanitizer sees what is read behind the text.
static kifu_result read_event(kifu_timeline *timeline, const char *text, kifu_buffer *buffer, kifu_event *event)
{
    const size_t size = strlen(text);
    char *copy = (char *)malloc(size ? size : 1);
    memcpy(copy, text, size);
    const kifu_result result = kifu_event_from_json(timeline, copy, size, buffer, event);
    free(copy);
    return result;
}

static gathered json_of(kifu_timeline *timeline, const kifu_save_options *options)
{
    gathered json = {0};
    must(timeline, kifu_json_game(timeline, options, gather, &json));
    return json;
}

static void expect_error(const kifu_error *error, kifu_result result, const char *message)
{
    ck_assert_str_eq(error->message, message);
    ck_assert_int_eq(error->result, result);
}

// --- Events ----------------------------------------------------------------------------------------------------------

// The event at this number, by its JSON, is the event: its bytes, and all that the log says of it.
static void expect_event_back(kifu_timeline *timeline, uint32_t index, kifu_buffer *read)
{
    gathered json = {0};
    kifu_buffer bytes = {0};
    kifu_event event, got;
    char text[2][2000];
    ck_assert(kifu_event_at(timeline, index, &event));
    must(timeline, kifu_json_event(timeline, index, gather, &json));
    must(timeline, kifu_event_bytes(timeline, index, &bytes));
    ck_assert_msg(!read_event(timeline, json.text, read, &got), "%s: %s", kifu_last_error(timeline)->message,
                  json.text);
    same_buffers(&bytes, read);
    ck_assert(got.type == event.type && got.player == event.player && got.flags == event.flags);
    ck_assert(got.index == index && got.cause == event.cause && got.rules_version == event.rules_version);
    ck_assert_str_eq(got.name, event.name);
    ck_assert((const unsigned char *)got.table > read->data &&
              (const unsigned char *)got.table < read->data + read->size);
    kifu_event_text(timeline, &event, text[0], sizeof text[0]);
    kifu_event_text(timeline, &got, text[1], sizeof text[1]);
    ck_assert_str_eq(text[0], text[1]);
    kifu_free_buffer(&bytes);
    free(json.text);
}

START_TEST(M03_each_event_comes_back_from_json_with_the_same_bytes)
{
    static uint64_t room[RANDOM_EVENT_ROOM / 8];
    kifu__type types[16];
    const kifu_rules rules = rules_of_players(&wire_rules, types); // Fields of every kind.
    kifu_timeline *wire = new_game(&rules, NULL);
    kifu_buffer read = {0};
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 3);
    for (unsigned long i = fuzz_steps(2000); i > 0; i--) {
        const uint32_t type = 1 + kifu_rng_below(&rng, rules.type_count);
        const uint32_t size = random_event(&rng, rules.types[type].table, (unsigned char *)room);
        ck_assert(kifu__submit(wire, type, (int)kifu_rng_below(&rng, 3) - 1, room, size));
        must(wire, kifu_run(wire));
        expect_event_back(wire, kifu_event_count(wire) - 1, &read);
    }
    kifu_free_buffer(&read);
    kifu_destroy(wire);
}
END_TEST

START_TEST(M03_consequences_and_their_marks_come_back)
{
    kifu_timeline *lab = lab_started(NULL);
    kifu_buffer read = {0};
    lab_must(lab, lab_play(lab, "+(1(2))@+"));
    lab_must(lab, lab_play(lab, "+"));
    for (uint32_t i = 0; i < kifu_event_count(lab); i++)
        expect_event_back(lab, i, &read);
    kifu_free_buffer(&read);
    kifu_destroy(lab);
}
END_TEST

START_TEST(M03_an_event_from_json_is_submitted_as_any_bytes)
{
    kifu_timeline *lab = lab_started(NULL);
    kifu_buffer buffer = {0};
    kifu_event event;
    const uint32_t count = kifu_event_count(lab);
    // A line of `kifu events --json-lines`.
    lab_must(lab, read_event(lab,
                             "{\"number\": 7, \"line\": 2, \"type\": \"lab.PAdd\", \"player\": 0, \"cause\": -1, "
                             "\"flags\": \"UNDOABLE\", \"undone\": true, \"rules_version\": 1, \"fields\": "
                             "{\"amount\": 5}, \"notes\": {\"comment\": \"!\"}}",
                             &buffer, &event));
    ck_assert(event.index == 7 && event.cause == KIFU_NONE && event.player == 0 && event.flags == KIFU_UNDOABLE);
    ck_assert_int_eq(((const lab_p_add *)event.table)->amount, 5);
    ck_assert_uint_eq(kifu_event_count(lab) + kifu_pending_count(lab), count); // Nothing was submitted.
    lab_must(lab, kifu_submit_bytes(lab, event.player, buffer.data, buffer.size, NULL));
    lab_must(lab, kifu_run(lab));
    ck_assert_uint_eq(kifu_event_count(lab), count + 1);
    // What is left out has its default; an engine event is only for those whom the program trusts.
    lab_must(lab, read_event(lab, " \t{\"type\": \"lab.EDo\", \"fields\": {\"script\": \"+\"}}\n", &buffer, &event));
    ck_assert(event.index == KIFU_NONE && event.cause == KIFU_NONE && event.player == -1);
    ck_assert_int_eq(kifu_submit_bytes(lab, 0, buffer.data, buffer.size, NULL), KIFU_REJECTED);
    lab_must(lab, kifu_submit_trusted_bytes(lab, -1, buffer.data, buffer.size, NULL));
    lab_must(lab, kifu_run(lab));
    ck_assert_uint_eq(kifu_event_count(lab), count + 2);
    // The bytes have the version of the rules that the text has.
    lab_must(lab, read_event(lab, "{\"type\": \"lab.PAdd\", \"rules_version\": 9}", &buffer, &event));
    ck_assert_uint_eq(event.rules_version, 9);
    ck_assert_int_eq(kifu_submit_bytes(lab, 0, buffer.data, buffer.size, NULL), KIFU_NEWER_GAME);
    // Into memory of the caller's, with no wish for the rest.
    _Alignas(8) unsigned char room[200];
    kifu_buffer own = {.data = room, .capacity = 8};
    ck_assert_int_eq(read_event(lab, "{\"type\": \"lab.PAdd\"}", &own, &event), KIFU_TOO_LARGE);
    own.capacity = own.size;
    lab_must(lab, read_event(lab, "{\"type\": \"lab.PAdd\"}", &own, NULL));
    lab_must(lab, kifu_submit_bytes(lab, 0, room, own.size, NULL));
    kifu_free_buffer(&buffer);
    kifu_destroy(lab);
}
END_TEST

START_TEST(M03_wrong_json_of_an_event_says_where)
{
    static const struct {
        const char *text, *message;
    } all[] = {
        {"", "line 1, column 1: this is not JSON (or memory ran out here)"},
        {"{\n \"type\" 3}", "line 2, column 9: this is not JSON (or memory ran out here)"},
        {"{} {}", "line 1, column 4: more text follows the object"},
        {"[]", "line 1, column 1: an event is an object here, and not an array"},
        {"{}", "line 1, column 1: an object without a \"type\" is no event of lab.Event"},
        {"{\"type\": 3}", "line 1, column 10: an object without a \"type\" is no event of lab.Event"},
        {"{\"type\": \"nim.PTake\"}", "line 1, column 10: 'nim.PTake' is no event of lab.Event"},
        {"{\"type\": \"lab.PAdd\",\n \"fields\": {\"amount\": 1.5}}",
         "line 2, column 23: here belongs a whole number from -2147483648 to 2147483647"},
        {"{\"type\": \"lab.PAdd\",\n \"fields\": {\"amont\": 1}}",
         "line 2, column 22: lab.PAdd has no field 'amont'; its fields are amount"},
        {"{\"type\": \"lab.PAdd\", \"type\": \"lab.PAdd\"}",
         "line 1, column 30: the field 'type' stands here for the second time"},
        {"{\"type\": \"lab.PAdd\", \"player\": 128}", "line 1, column 32: here belongs a whole number from -1 to 127"},
        {"{\"type\": \"lab.PAdd\", \"number\": -2}",
         "line 1, column 32: here belongs a whole number from -1 to 4294967294"},
        {"{\"type\": \"lab.PAdd\", \"when\": 1}",
         "line 1, column 30: an event has no field 'when'; its fields are number, type, player, cause, flags, "
         "rules_version, fields, line, undone, notes"},
        {"{\"type\": \"lab.PAdd\", \"flags\": \"NICE\"}",
         "line 1, column 31: 'NICE' is not in enum kifu.MarkFlags, which has UNDOABLE, CONTINUE_UNDO, CONSEQUENCE, "
         "RANDOM, REVEALS, UNLESS_RANDOM"},
        {"{\"type\": \"lab.PDo\", \"fields\": {\"script\": \"\xff\"}}",
         "line 1, column 43: this byte is not UTF-8; bytes that are no text are written as {\"base64\": \"...\"}"},
    };
    kifu_timeline *lab = lab_started(NULL);
    kifu_buffer buffer = {0};
    const lab_picture before = lab_look(lab);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        ck_assert_msg(read_event(lab, all[i].text, &buffer, NULL), "%s", all[i].text);
        expect_error(kifu_last_error(lab), KIFU_INVALID_EVENT, all[i].message);
        ck_assert_ptr_null(buffer.data);
    }
    lab_same(lab, &before);
    kifu_destroy(lab);
}
END_TEST

// --- Games -----------------------------------------------------------------------------------------------------------

static const kifu_options keeping = {.keep_variations = kifu_keep_variations, .keep_notes = kifu_keep_notes};

// With lines, notes, undone events and one that waits.
static kifu_timeline *varied_lab(const kifu_options *options)
{
    kifu_timeline *lab = lab_started(options);
    for (int i = 0; i < 4; i++) {
        lab_submit_p_add(lab, 0, 1 + i);
        lab_must(lab, kifu_run(lab));
    }
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "+(1)+"));
    lab_must(lab, kifu_set_note(lab, 2, KIFU_NOTE_COMMENT, "\xc3\xa4 \"?\""));
    lab_must(lab, kifu_undo(lab));
    lab_submit_p_add(lab, 0, 9);
    return lab;
}

static kifu_timeline *from_json(const kifu_rules *rules, const gathered *json, const kifu_options *options)
{
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_msg(!kifu_game_from_json(rules, json->text, json->size, options, NULL, &timeline, &error), "%s",
                  error.message);
    return timeline;
}

static void drop_time(gathered *json)
{
    char *line = strstr(json->text, "  \"saved_at\"");
    memset(line, ' ', (size_t)(strchr(line, '\n') - line));
}

START_TEST(M03_a_game_from_json_is_the_game)
{
    for (int i = 0; i < 4; i++) {
        const kifu_save_options options = {.without_schema = i % 2, .without_snapshot = i / 2};
        kifu_timeline *lab = varied_lab(&keeping);
        gathered json = json_of(lab, &options);
        kifu_timeline *loaded = from_json(&lab_rules, &json, &keeping);
        gathered again = json_of(loaded, &options);
        drop_time(&json), drop_time(&again);
        ck_assert_str_eq(json.text, again.text);
        const lab_picture picture = lab_look(lab);
        lab_same(loaded, &picture);
        lab_must(loaded, kifu_run(loaded)); // It goes on.
        free(json.text), free(again.text);
        kifu_destroy(lab), kifu_destroy(loaded);
    }
}
END_TEST

START_TEST(M03_a_game_written_by_hand)
{
    const gathered json = {.text = (char *)(uintptr_t) "{\"kifu\": 1, \"game\": \"lab\", \"union\": \"lab.Event\",\n"
                                                       " \"events\": [{\"type\": \"lab.PAdd\", \"player\": -1,\n"
                                                       "               \"fields\": {\"amount\": 3}}]}",
                           .size = 124};
    gathered exact = {.text = json.text, .size = strlen(json.text)};
    kifu_timeline *lab = from_json(&lab_rules, &exact, NULL);
    kifu_event event;
    ck_assert(kifu_event_at(lab, 0, &event) && event.type == LAB_P_ADD && kifu_event_count(lab) == 1);
    ck_assert_int_eq(((const lab_p_add *)event.table)->amount, 3);
    lab_must(lab, kifu_undo(lab));
    kifu_destroy(lab);
}
END_TEST

static void expect_refused(const char *text, size_t size, const kifu_options *options, const kifu_load_options *how,
                           kifu_result result, const char *message)
{
    kifu_timeline *timeline = (kifu_timeline *)1;
    kifu_error error;
    ck_assert_int_eq(kifu_game_from_json(&lab_rules, text, size, options, how, &timeline, &error), result);
    ck_assert_ptr_null(timeline);
    expect_error(&error, result, message);
    ck_assert_int_eq(kifu_game_from_json(&lab_rules, text, size, options, how, &timeline, NULL), result);
}

START_TEST(M03_wrong_json_of_a_game_says_where)
{
    static const char other[] = "{\"kifu\": 1, \"game\": \"nim\", \"union\": \"nim.Event\", \"events\": []}";
    static const char broken[] = "{\"kifu\": 1, \"game\": \"lab\", \"union\": \"lab.Event\",\n\"events\": [\n"
                                 "{\"type\": \"lab.PAdd\", \"cause\": 0}]}";
    static const char foreign[] = "{\"kifu\": 1, \"game\": \"lab\", \"union\": \"lab.Event\", \"fingerprint\": \"1\", "
                                  "\"events\": []}";
    static const char lies[] = "{\"kifu\": 1, \"game\": \"lab\", \"union\": \"lab.Event\", \"rules_version\": 1,\n"
                               "\"hash\": \"1\", \"events\": [{\"type\": \"lab.PAdd\", \"fields\": {\"amount\": 3}}]}";
    static const kifu_load_options tight = {.memory = 1000};
    expect_refused("{", 1, NULL, NULL, KIFU_INVALID_EVENT,
                   "line 1, column 1: this is not JSON (or memory ran out here)");
    expect_refused("{}", 2, NULL, NULL, KIFU_INVALID_EVENT,
                   "line 1, column 1: this is no game: the member \"kifu\" is not there");
    expect_refused(other, sizeof other - 1, NULL, NULL, KIFU_OTHER_GAME,
                   "this is a game of 'nim', not of 'lab': choose another text");
    expect_refused(broken, sizeof broken - 1, NULL, NULL, KIFU_INVALID_EVENT,
                   "line 3, column 31: there is no event before that could be the cause");
    expect_refused(
        foreign, sizeof foreign - 1, NULL, NULL, KIFU_UNKNOWN_EVENT,
        "another version of lab wrote this, and it has no \"schema\", so its events cannot be read: write it "
        "with the schema");
    expect_refused(broken, sizeof broken - 1, NULL, &tight, KIFU_TOO_LARGE,
                   "to read this JSON may take 6080 bytes of memory, and kifu_load_options.memory allows 1000");
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_int_eq(kifu_game_from_json(&lab_rules, lies, sizeof lies - 1, NULL, NULL, &timeline, &error),
                     KIFU_DIVERGED);
    ck_assert_uint_eq(error.event, 0);
}
END_TEST

// Cut off anywhere, and with any byte changed: an error, or a game that can be played.
START_TEST(M03_broken_json_gives_an_error_or_a_game)
{
    kifu_timeline *lab = varied_lab(&keeping), *loaded;
    const kifu_save_options without = {.without_schema = true};
    gathered json = json_of(lab, &without);
    kifu_rng rng;
    kifu_error error;
    kifu_rng_seed(&rng, fuzz_seed(), 11);
    const size_t step = fuzz_steps(2000) < json.size ? json.size / fuzz_steps(2000) + 1 : 1;
    for (size_t size = 0; size < json.size - 2; size += step) { // Behind the object there is a line's end.
        char *cut = (char *)malloc(size ? size : 1);
        memcpy(cut, json.text, size);
        ck_assert_int_eq(kifu_game_from_json(&lab_rules, cut, size, &keeping, NULL, &loaded, &error),
                         KIFU_INVALID_EVENT);
        ck_assert_msg(!strncmp(error.message, "line ", 5), "%s", error.message);
        free(cut);
    }
    static const char likely[] = "{}[],:\"0123456789-.eE \n\\tfn";
    for (unsigned long i = fuzz_steps(2000); i > 0; i--) {
        gathered other = {.text = (char *)malloc(json.size), .size = json.size};
        memcpy(other.text, json.text, json.size);
        for (uint32_t k = kifu_rng_below(&rng, 3); k < 3; k++)
            other.text[kifu_rng_below(&rng, (uint32_t)json.size)] =
                kifu_rng_below(&rng, 4) ? likely[kifu_rng_below(&rng, sizeof likely - 1)]
                                        : (char)kifu_rng_below(&rng, 256);
        if (!kifu_game_from_json(&lab_rules, other.text, other.size, &keeping, NULL, &loaded, &error)) {
            const kifu_result ignored = kifu_run(loaded);
            (void)ignored;
            kifu_destroy(loaded);
        }
        free(other.text);
    }
    free(json.text);
    kifu_destroy(lab);
}
END_TEST

// --- Memory ----------------------------------------------------------------------------------------------------------

typedef struct larder {
    long left; // So many allocations succeed; negative: all.
    long blocks;
} larder;

static larder from_libc;

static bool is_refused(larder *larder)
{
    return larder->left >= 0 && !larder->left--;
}

static void *allocate(void *context, void *block, size_t size)
{
    larder *larder = (struct larder *)context;
    if (size && is_refused(larder))
        return NULL;
    larder->blocks += (size && !block) - (!size && block);
    if (size)
        return realloc(block, size);
    free(block);
    return NULL;
}

static void *allocate_for_cjson(size_t size)
{
    return is_refused(&from_libc) ? NULL : malloc(size);
}

START_TEST(M03_memory_that_runs_out_for_a_game_leaves_nothing)
{
    kifu_timeline *lab = varied_lab(&keeping), *loaded;
    for (int i = 0; i < 2; i++) {
        const kifu_save_options how = {.title = "A game",
                                       .players = (const char *const[]){"Ann"},
                                       .player_count = 1,
                                       .thumbnail = "\1\2",
                                       .thumbnail_size = 2,
                                       .without_schema = i == 0};
        gathered json = json_of(lab, &how);
        bool done = false;
        for (long left = 0; !done; left++) {
            larder larder = {.left = left};
            kifu_options options = keeping;
            kifu_error error = {.result = KIFU_OK};
            options.allocate = allocate;
            options.allocate_context = &larder;
            done = !kifu_game_from_json(&lab_rules, json.text, json.size, &options, NULL, &loaded, &error);
            ck_assert_msg(done || error.result == KIFU_NO_MEMORY, "%ld: %s", left, error.message);
            kifu_destroy(loaded);
            ck_assert_int_eq(larder.blocks, 0);
        }
        free(json.text);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(M03_memory_that_runs_out_for_an_event_leaves_nothing)
{
    static const char text[] = "{\"type\": \"lab.EDo\", \"fields\": {\"script\": \"+1\"}}";
    bool done = false;
    for (long left = 0; !done; left++) {
        larder larder = {.left = -1};
        kifu_options options = {.allocate = allocate, .allocate_context = &larder};
        kifu_timeline *lab = lab_new(&options);
        kifu_buffer buffer = {0};
        larder.left = left;
        done = !kifu_event_from_json(lab, text, sizeof text - 1, &buffer, NULL);
        ck_assert(done || kifu_last_error(lab)->result == KIFU_NO_MEMORY);
        larder.left = -1;
        lab_must(lab, kifu_event_from_json(lab, text, sizeof text - 1, &buffer, NULL));
        kifu_free_buffer(&buffer);
        kifu_destroy(lab);
        ck_assert_int_eq(larder.blocks, 0);
    }
}
END_TEST

// cJSON takes memory from malloc, and does not say why it has read nothing.
START_TEST(M03_memory_that_runs_out_in_cjson_is_an_error)
{
    kifu_timeline *lab = varied_lab(&keeping), *loaded;
    const kifu_save_options how = {.without_schema = true};
    gathered json = json_of(lab, &how);
    cJSON_Hooks hooks = {.malloc_fn = allocate_for_cjson, .free_fn = free};
    cJSON_InitHooks(&hooks);
    bool done = false;
    for (long left = 0; !done; left += 1 + left / 50) {
        kifu_error error = {.result = KIFU_OK};
        from_libc.left = left;
        done = !kifu_game_from_json(&lab_rules, json.text, json.size, &keeping, NULL, &loaded, &error);
        ck_assert_msg(done || strstr(error.message, "memory ran out here"), "%s", error.message);
        kifu_destroy(loaded);
    }
    cJSON_InitHooks(NULL);
    free(json.text);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        M03_each_event_comes_back_from_json_with_the_same_bytes,
        M03_consequences_and_their_marks_come_back,
        M03_an_event_from_json_is_submitted_as_any_bytes,
        M03_wrong_json_of_an_event_says_where,
        M03_a_game_from_json_is_the_game,
        M03_a_game_written_by_hand,
        M03_wrong_json_of_a_game_says_where,
        M03_broken_json_gives_an_error_or_a_game,
        M03_memory_that_runs_out_for_a_game_leaves_nothing,
        M03_memory_that_runs_out_for_an_event_leaves_nothing,
        M03_memory_that_runs_out_in_cjson_is_an_error,
    };
    return run_suite("json", tests, sizeof tests / sizeof *tests);
}
