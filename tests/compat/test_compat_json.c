// Each save of this folder goes over by JSON: what becomes of it is the same save, and each version of the camp makes
// the same of both. And the JSON of saves of before 1.0 (json/) means what these meant to the program that wrote it.
// Compiled once for each version.

#include "by_json.h"
#include "camp.h"
#include "meaning.h"
#include "run_codec.h"
#include "save/records.h"
#include "there_and_back.h"

#include <kifu/json.h>

// A file of tests/compat.
static kifu__file_bytes read_file(const char *name)
{
    char path[1000];
    kifu__file_bytes bytes;
    kifu_error error;
    const char *root = getenv("KIFU_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/tests/compat/%s", root ? root : ".", name);
    ck_assert_msg(!kifu__read_bytes(path, &bytes, &error), "%s", error.message);
    return bytes;
}

// Where the payload of a frame has its link; as large as the payload: nowhere.
static uint32_t link_of(const kifu__frame *frame)
{
    return frame->kind == KIFU__FRAME_COMMIT ? 0 : frame->kind == KIFU__FRAME_ROOT ? KIFU__LINK : frame->size;
}

// The next frame that is no segment, since events may be laid out otherwise. False: there is none.
static bool next_frame(const kifu__file_bytes *save, uint64_t *offset, kifu__frame *frame)
{
    kifu_error error;
    do {
        if (*offset == save->size)
            return false;
        ck_assert_msg(!kifu__read_frame(save->at, save->size, offset, frame, &error), "%s", error.message);
    } while (frame->kind == KIFU__FRAME_SEGMENT);
    return true;
}

// All but in how many segments events are.
static void same_records(const char *name, const kifu__frame *a, const kifu__frame *b)
{
    kifu__bytes here = {a->payload + KIFU__LINK_SIZE, a->payload + a->size, true};
    kifu__bytes there = {b->payload + KIFU__LINK_SIZE, b->payload + b->size, true};
    kifu__bytes one, other;
    uint32_t kind, its_kind;
    while (here.at < here.end) {
        ck_assert(kifu__next_record(&here, &kind, &one));
        ck_assert_msg(there.at < there.end, "%s: there is no record of kind %u", name, kind);
        ck_assert(kifu__next_record(&there, &its_kind, &other));
        ck_assert_uint_eq(kind, its_kind);
        ck_assert_msg(kind == KIFU__EVENTS || (one.end - one.at == other.end - other.at &&
                                               !memcmp(one.at, other.at, (size_t)(one.end - one.at))),
                      "%s: records of kind %u differ", name, kind);
    }
    ck_assert_msg(there.at == there.end, "%s: one more record", name);
}

// All but its link.
static void same_payload(const char *name, const kifu__frame *a, const kifu__frame *b)
{
    const uint32_t link = link_of(a), behind = link < a->size ? link + KIFU__LINK_SIZE : link;
    ck_assert_msg(a->size == b->size && !memcmp(a->payload, b->payload, link) &&
                      !memcmp(a->payload + behind, b->payload + behind, a->size - behind),
                  "%s: frames of kind %u differ", name, a->kind);
}

// Two plain saves of the same timeline, which may have its events in other segments.
static void same_frames(const char *name, const kifu__file_bytes *a, const kifu__file_bytes *b)
{
    uint64_t here = KIFU__FILE_HEAD, there = KIFU__FILE_HEAD;
    kifu__frame one, other;
    ck_assert_int_eq(memcmp(a->at, b->at, KIFU__FILE_HEAD), 0);
    while (next_frame(a, &here, &one)) {
        ck_assert_msg(next_frame(b, &there, &other), "%s: there is no frame of kind %u", name, one.kind);
        ck_assert_msg(one.kind == other.kind, "%s: frames of the kinds %u and %u", name, one.kind, other.kind);
        (one.kind == KIFU__FRAME_COMMIT ? same_records : same_payload)(name, &one, &other);
    }
    ck_assert_msg(!next_frame(b, &there, &other), "%s: one more frame of kind %u", name, other.kind);
}

static kifu__file_bytes read_save(const char *name)
{
    char file[200];
    snprintf(file, sizeof file, "%s.kifu", name);
    return read_file(file);
}

static kifu__file_bytes plain_save_of(kifu__game_file *file, bool with_schema)
{
    gathered bytes = {0};
    kifu__plan plan = kifu__plan_game(file, NULL, with_schema);
    kifu__sink sink = {.write = put_in_memory, .context = &bytes};
    ck_assert_int_eq(plan.result, KIFU_OK);
    ck_assert_int_eq(kifu__plan_write(&plan, &sink, true), KIFU_OK);
    kifu__plan_drop(&plan);
    return (kifu__file_bytes){(unsigned char *)bytes.text, bytes.size};
}

// The save that is made of a save's JSON. Read without a game, both are the same.
static kifu__file_bytes by_json(const compat_save *save, const kifu__file_bytes *bytes)
{
    kifu__game_file from_save, from_json, again;
    kifu__file_bytes json, once_more;
    kifu_error error;
    ck_assert_msg(!compat_open(save->path, bytes, save->version, &from_save, &error), "%s: %s", save->path,
                  error.message);
    const bool schema = from_save.has_schema; // With one, a load may compare more.
    ck_assert_int_eq(compat_to_json(&from_save, schema, &json), KIFU_OK);
    ck_assert_msg(!compat_open("JSON", &json, save->version, &from_json, &error), "%s: %s", save->path, error.message);
    const kifu__file_bytes made = plain_save_of(&from_json, schema);
    ck_assert_msg(!compat_open("a save from JSON", &made, save->version, &again, &error), "%s: %s", save->path,
                  error.message);
    const kifu__file_bytes plain = plain_save_of(&from_save, schema);
    same_frames(save->path, &plain, &made);
    same_logs(from_save.timeline, again.timeline);
    same_trees(from_save.timeline, again.timeline);
    ck_assert_int_eq(compat_to_json(&again, schema, &once_more), KIFU_OK);
    same_bytes(&json, &once_more, save->path);
    kifu__close_game(&from_save), kifu__close_game(&from_json), kifu__close_game(&again);
    free(json.at), free(plain.at), free(once_more.at);
    return made;
}

// What this version of the camp says of a save: its error, or its meaning.
static char *meaning_of(const kifu__file_bytes *bytes, bool tree, kifu_left_out *left_out)
{
    kifu_error error;
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    *left_out = (kifu_left_out){0};
    const kifu_result result = write_meaning(file, bytes->at, bytes->size, tree, left_out, &error);
    if (result)
        fprintf(file, "refused: %s, event %d\n", kifu_result_text(result), (int)error.event);
    const size_t size = (size_t)ftell(file);
    char *text = (char *)calloc(size + 1, 1);
    ck_assert_ptr_nonnull(text);
    rewind(file);
    ck_assert_uint_eq(fread(text, 1, size, file), size);
    fclose(file);
    return text;
}

static void expect_same_meaning(const compat_save *save, const kifu__file_bytes *a, const kifu__file_bytes *b)
{
    for (int tree = 0; tree < 2; tree++) {
        kifu_left_out left_out[2];
        char *one = meaning_of(a, tree, &left_out[0]), *other = meaning_of(b, tree, &left_out[1]);
        ck_assert_msg(!strcmp(one, other), "%s, and what became of it by JSON:\n%s\n%s", save->path, one, other);
        ck_assert_msg(left_out[0].lines == left_out[1].lines, "%s: %u and %u lines left out", save->path,
                      left_out[0].lines, left_out[1].lines);
        free(one);
        free(other);
    }
}

// A load that compares what the save has to compare, and what it makes of it, as JSON: hashes, tips and what waits,
// too.
static kifu__file_bytes loaded(const kifu__file_bytes *bytes, bool fast)
{
    kifu_recovery recovery;
    const kifu_load_options how = {.codec = &run_codec, .fast = fast, .recover = kifu_recover, .recovery = &recovery};
    const kifu_options options = tree_options(true);
    const kifu_save_options plain = {.without_schema = true};
    kifu_timeline *timeline;
    gathered text = {0};
    kifu_error error;
    const kifu_result result =
        kifu_load_from_memory(&camp_rules, bytes->at, bytes->size, &options, &how, &timeline, &error);
    if (result) {
        gather(&text, kifu_result_text(result), strlen(kifu_result_text(result)));
        return (kifu__file_bytes){(unsigned char *)text.text, text.size};
    }
    ck_assert_int_eq(kifu_json_game(timeline, &plain, gather, &text), KIFU_OK);
    kifu__file_bytes json = {(unsigned char *)text.text, text.size};
    drop_time(&json);
    kifu_destroy(timeline);
    return json;
}

static void expect_same_load(const char *name, const kifu__file_bytes *a, const kifu__file_bytes *b)
{
    for (int fast = 0; fast < 2; fast++) {
        const kifu__file_bytes one = loaded(a, fast), other = loaded(b, fast);
        same_bytes(&one, &other, name);
        free(one.at);
        free(other.at);
    }
}

START_TEST(R08_each_save_goes_over_by_json_and_means_the_same)
{
    for (unsigned i = 0; i < compat_save_count; i++) {
        kifu__file_bytes save = read_save(compat_saves[i].path), made = by_json(&compat_saves[i], &save);
        if (CAMP_VERSION > 1 || strcmp(compat_saves[i].path, "trees/log") != 0) { // Of a log file, no line is left out.
            expect_same_meaning(&compat_saves[i], &save, &made);
            expect_same_load(compat_saves[i].path, &save, &made);
        }
        free(save.at);
        free(made.at);
    }
}
END_TEST

// --- By the program of the game
// ---------------------------------------------------------------------------------------

// JSON of each save, read by this version of the camp: the game, or the error, that the save gives which the command
// makes of it. Without a schema, another version cannot read it.
START_TEST(M03_a_game_reads_json_of_each_version)
{
    unsigned read = 0, of_others = 0;
    for (unsigned i = 0; i < compat_save_count; i++) {
        const compat_save *from = &compat_saves[i];
        kifu__file_bytes save = read_save(from->path), made = by_json(from, &save), json;
        kifu__game_file file;
        kifu_timeline *timeline;
        kifu_error error;
        gathered text = {0};
        ck_assert_msg(!compat_open(from->path, &save, from->version, &file, &error), "%s", error.message);
        ck_assert_int_eq(compat_to_json(&file, file.has_schema, &json), KIFU_OK);
        const bool readable = file.has_schema || from->version == CAMP_VERSION;
        const kifu_options options = tree_options(true);
        const kifu_save_options plain = {.without_schema = true};
        const kifu_result result =
            kifu_game_from_json(&camp_rules, (const char *)json.at, json.size, &options, NULL, &timeline, &error);
        if (!readable)
            ck_assert_msg(result == KIFU_UNKNOWN_EVENT, "%s: %s", from->path, error.message);
        else if (result)
            gather(&text, kifu_result_text(result), strlen(kifu_result_text(result)));
        else
            ck_assert_int_eq(kifu_json_game(timeline, &plain, gather, &text), KIFU_OK);
        if (readable) {
            kifu__file_bytes got = {(unsigned char *)text.text, text.size}, wanted = loaded(&made, false);
            drop_time(&got);
            same_bytes(&wanted, &got, from->path);
            free(got.at), free(wanted.at);
            read += !result;
            of_others += !result && from->version != CAMP_VERSION;
        }
        kifu_destroy(timeline);
        kifu__close_game(&file);
        free(save.at), free(made.at), free(json.at);
    }
    ck_assert(read && (CAMP_VERSION == 1 || of_others));
}
END_TEST

typedef struct larder {
    long left, blocks;
} larder;

static void *allocate(void *context, void *block, size_t size)
{
    larder *larder = (struct larder *)context;
    if (size && !larder->left--)
        return NULL;
    larder->blocks += (size && !block) - (!size && block);
    if (size)
        return realloc(block, size);
    free(block);
    return NULL;
}

// Rules are made from the schema of another version.
START_TEST(M03_memory_that_runs_out_for_a_schema_leaves_nothing)
{
    const compat_save *from = compat_saves;
    while (from->version == CAMP_VERSION)
        from++;
    kifu__file_bytes save = read_save(from->path), json;
    kifu__game_file file;
    kifu_error error;
    ck_assert_int_eq(compat_open(from->path, &save, from->version, &file, &error), KIFU_OK);
    ck_assert(file.has_schema);
    ck_assert_int_eq(compat_to_json(&file, true, &json), KIFU_OK);
    kifu__close_game(&file);
    const kifu_load_options how = {.allow_changed = true};
    kifu_result result = KIFU_NO_MEMORY;
    for (long left = 0; result == KIFU_NO_MEMORY; left++) {
        larder larder = {.left = left};
        kifu_timeline *timeline;
        kifu_options options = tree_options(true);
        options.allocate = allocate;
        options.allocate_context = &larder;
        result = kifu_game_from_json(&camp_rules, (const char *)json.at, json.size, &options, &how, &timeline, &error);
        kifu_destroy(timeline);
        ck_assert_int_eq(larder.blocks, 0);
    }
    ck_assert(!result || result == KIFU_NEWER_GAME);
    free(save.at), free(json.at);
}
END_TEST

// --- JSON of before 1.0 ----------------------------------------------------------------------------------------------

static const compat_save old_saves[] = {
    {"v1-packed", 1},
    {"v1-undone", 1},
    {"v1-waiting", 1},
    {"v2-packed", 2},
    {"v2-storm", 2},
    {"v2-undone", 2},
    {"v2-waiting", 2},
    {"v3-hashed", 3},
    {"v3-log", 3},
    {"v3-packed", 3},
    {"v3-small", 3},
    {"v3-stone", 3},
    {"v3-storm", 3},
    {"v3-undone", 3},
    {"v3-waiting", 3},
    {"v4-undone", 4},
    {"v4-waiting", 4},
    {"trees-forgotten", 3},
    {"trees-log", 3},
    {"trees-packed", 3},
    {"trees-plain", 3},
    {"trees-small", 3},
    {"trees-written_by_0.2-log", 3},
    {"trees-written_by_0.2-packed", 3},
    {"trees-written_by_0.2-small", 3},
    {"trees-written_by_0.2-undone", 3},
    {"trees-written_by_0.2-waiting", 3},
};

// Finds what this version is to say: of the texts, each below a row that begins with === and says whose it is.
static char *find_meaning(char *texts, bool tree, unsigned *lines, unsigned *notes)
{
    char who[40];
    snprintf(who, sizeof who, " %d as %s", CAMP_VERSION, tree ? "a tree" : "one line");
    for (char *at = texts, *next; at; at = next) {
        char *text = strchr(at, '\n');
        ck_assert_ptr_nonnull(text);
        *text++ = 0;
        next = strstr(text, "=== ");
        if (!strstr(at, who))
            continue;
        ck_assert_int_eq(sscanf(strchr(at, ':'), ": %u lines and %u notes left out", lines, notes), 2);
        if (next)
            *next = 0;
        return text;
    }
    ck_abort_msg("there is no text by%s", who);
    return NULL;
}

// As versions before F73 wrote it: no flags were a number, and whole numbers had no point in floats.
static void write_as_then(kifu__file_bytes *json)
{
    static const char is[] = "\"flags\": \"\"", was[] = "\"flags\": 0";
    size_t size = 0;
    for (size_t at = 0; at < json->size; at++) {
        const char *next = (const char *)json->at + at;
        if (json->size - at > sizeof is && !memcmp(next, is, sizeof is - 1)) {
            memcpy(json->at + size, was, sizeof was - 1);
            size += sizeof was - 1;
            at += sizeof is - 2;
        } else if (json->size - at > 3 && !memcmp(next, ".0", 2) && strchr(",}]\n", next[2]))
            at++;
        else
            json->at[size++] = json->at[at];
    }
    json->size = size;
}

// The JSON that an earlier writer wrote has no schema. Programs without notes counted those of a line as one.
static void expect_meaning(const char *folder, const char *name, int version)
{
    const bool earlier = strcmp(folder, "json") != 0;
    char path[100];
    kifu__game_file file;
    kifu__file_bytes again;
    kifu_error error;
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    kifu__file_bytes json = read_file(path);
    ck_assert_msg(!compat_open(path, &json, version, &file, &error), "%s: %s", path, error.message);
    ck_assert_int_eq(compat_to_json(&file, file.has_schema, &again), KIFU_OK);
    write_as_then(&again);
    if (!earlier)
        same_bytes(&json, &again, path);
    kifu__file_bytes save = plain_save_of(&file, file.has_schema || earlier);
    kifu__close_game(&file);
    snprintf(path, sizeof path, "json/%s.txt", name);
    for (int tree = 0; tree < 2; tree++) {
        kifu__file_bytes texts = read_file(path);
        unsigned lines, notes;
        kifu_left_out left_out;
        texts.at = realloc(texts.at, texts.size + 1);
        ck_assert_ptr_nonnull(texts.at);
        texts.at[texts.size] = 0;
        const char *expected = find_meaning((char *)texts.at, tree, &lines, &notes);
        char *said = meaning_of(&save, tree, &left_out);
        ck_assert_msg(!strcmp(said, expected), "%s:\n%s\nand not\n%s", path, said, expected);
        ck_assert_msg(left_out.lines == lines && (tree ? left_out.notes == notes : !left_out.notes == !notes),
                      "%s: %u lines and %u notes left out", path, left_out.lines, left_out.notes);
        free(said);
        free(texts.at);
    }
    free(json.at), free(again.at), free(save.at);
}

START_TEST(R08_json_of_earlier_versions_means_what_their_saves_meant)
{
    for (unsigned i = 0; i < sizeof old_saves / sizeof *old_saves; i++)
        expect_meaning("json", old_saves[i].path, old_saves[i].version);
    expect_meaning("json_of_0.2", "trees-plain", 3);
    expect_meaning("json_of_0.2", "trees-log", 3);
    expect_meaning("json_of_0.2", "trees-forgotten", 3);
}
END_TEST

// --- What cannot be read ---------------------------------------------------------------------------------------------

START_TEST(R08_a_line_that_cannot_be_read_is_not_left_out_in_silence)
{
    kifu__file_bytes save = read_save("trees/plain");
    kifu__game_file file;
    kifu_error error;
    ck_assert_int_eq(compat_open("plain", &save, 3, &file, &error), KIFU_OK);
    kifu__drop_states(&file); // Another version's state has another size.
    const kifu__file_bytes bare = plain_save_of(&file, false);
    kifu__close_game(&file);
    ck_assert_int_eq(compat_open("bare", &bare, 3, &file, &error), KIFU_OK);
    ck_assert_uint_eq(kifu_line_count(file.timeline), 5);
    kifu__close_game(&file);
    ck_assert_int_eq(compat_open("bare", &bare, 1, &file, &error), KIFU_UNKNOWN_EVENT); // It knows no storm.
    ck_assert_ptr_nonnull(strstr(error.message, "lines of the save cannot be read"));
    kifu__close_game(&file);
    free(save.at), free(bare.at);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        R08_each_save_goes_over_by_json_and_means_the_same,
        M03_a_game_reads_json_of_each_version,
        M03_memory_that_runs_out_for_a_schema_leaves_nothing,
        R08_json_of_earlier_versions_means_what_their_saves_meant,
        R08_a_line_that_cannot_be_read_is_not_left_out_in_silence,
    };
    return run_suite("compat_json", tests, sizeof tests / sizeof *tests);
}
