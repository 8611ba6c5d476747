// What a load does with trees that it cannot take whole: lines whose events this version of the game cannot read, and
// more lines or notes than the memory that it may take, or than it may look at in any time.

#include <stdio.h>
#include <string.h>

#include "save_help.h"
#include "run_codec.h"
#include "suite.h"
#include "tree_help.h"

static const kifu_options noting = {.hash_interval = 3,
                                    .keep_variations = kifu_keep_variations,
                                    .keep_notes = kifu_keep_notes,
                                    .from_state = kifu_begin_from_state};
static const kifu_codec *const codecs[] = {NULL, &run_codec, &kifu_compact};
enum { CODECS = sizeof codecs / sizeof *codecs };

static void note(kifu_timeline *lab, uint32_t line, uint32_t event, const char *text)
{
    lab_must(lab, kifu_set_line_note(lab, line, event, KIFU_NOTE_COMMENT, text));
}

static uint32_t count_notes(const kifu_timeline *lab)
{
    kifu_note note = {0};
    uint32_t count = 0;
    while (kifu_next_note(lab, &note))
        count++;
    return count;
}

// --- Lines that cannot be read ---------------------------------------------------------------------------------------

enum { BAD = 13 }; // No upcast function knows what that became.

static kifu_result upcast_add(kifu_timeline *timeline, uint32_t type, const void *event)
{
    (void)type;
    if (((const lab_p_add *)event)->amount == BAD)
        return kifu_fail(timeline, "nobody knows what this was");
    lab_do(timeline, kifu_player(timeline), "+", 1);
    return KIFU_OK;
}

// Two later versions of the game: one that does not have PAdd any more, and one that has superseded it.
static kifu_rules later_rules(bool upcasts)
{
    static kifu__type types[32];
    kifu_rules rules = lab_rules;
    rules.rules_version++;
    if (!upcasts) {
        rules.type_count = LAB_P_ADD - 1;
        return rules;
    }
    memcpy(types, lab_rules.types, (lab_rules.type_count + 1) * sizeof *types);
    types[LAB_P_ADD].superseded_by = LAB_P_DO;
    rules.types = types;
    rules.upcast = upcast_add;
    rules.upcasting = &kifu__upcasting;
    return rules;
}

static void add(kifu_timeline *lab, int amount)
{
    lab_submit_p_add(lab, 0, amount);
    lab_must(lab, kifu_run(lab));
}

// Line 0 has 5 events. Line 1 goes on behind the second: four of its own, of which the second (number 3) cannot be
// read. Lines 2 and 3 go on from line 1, before that and behind it; line 4 from line 3; line 5 from line 0.
static kifu_timeline *tree_with_bad_line(void)
{
    static const char *const zero[] = {"+", "+", "+", "+", "u", "u", "u", NULL};
    kifu_timeline *lab = lab_new(&noting);
    lab_submit_e_add_player(lab, 0, 0x112233);
    lab_must(lab, kifu_run(lab));
    play_scripts(lab, zero);
    lab_must(lab, lab_play(lab, "-"));
    add(lab, BAD);
    lab_must(lab, lab_play(lab, "-"));
    lab_must(lab, lab_play(lab, "-"));
    lab_must(lab, kifu_go_to(lab, 1, 3, true));
    lab_must(lab, lab_play(lab, "++"));
    lab_must(lab, kifu_go_to(lab, 1, 5, true));
    lab_must(lab, lab_play(lab, "+++"));
    lab_must(lab, lab_play(lab, "+++"));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "5"));
    lab_must(lab, kifu_go_to(lab, 0, 4, true));
    lab_must(lab, lab_play(lab, "6"));
    note(lab, 0, KIFU_BEFORE_FIRST, "the game");
    note(lab, 0, 4, "line 0");
    note(lab, 1, 1, "line 0, on the way to line 1");
    note(lab, 1, 2, "before");
    note(lab, 1, 3, "the bad one");
    note(lab, 1, 5, "behind");
    note(lab, 2, 3, "line 2");
    note(lab, 3, 5, "line 3");
    note(lab, 4, 6, "line 4");
    note(lab, 5, 4, "line 5");
    kifu_line last;
    must_be(kifu_line_at(lab, 5, &last) && last.id == 5 && last.parent == 0 && last.from == 4 && last.count == 1);
    return lab;
}

// All that is there can be gone to, played on, saved and loaded.
static void use(kifu_timeline *lab, const kifu_rules *rules)
{
    kifu_line line;
    const uint32_t lines = kifu_line_count(lab);
    for (uint32_t i = 0; i < lines; i++) {
        must_be(kifu_line_at(lab, i, &line));
        must(lab, kifu_go_to(lab, line.id, KIFU_WHERE_LEFT, true));
        must(lab, kifu_go_to(lab, line.id, line.from + line.count, true));
        must(lab, lab_play(lab, "7"));
    }
    unsigned char *bytes;
    size_t size;
    kifu_timeline *loaded;
    must(lab, kifu_save_to_memory(lab, NULL, &bytes, &size));
    ck_assert_int_eq(kifu_load_from_memory(rules, bytes, size, &noting, NULL, &loaded, NULL), KIFU_OK);
    expect_same_tree(lab, loaded);
    ck_assert_uint_eq(count_notes(lab), count_notes(loaded));
    kifu_free_bytes(lab, bytes);
    kifu_destroy(loaded);
}

// With line `current` and line `main`: the lines that stay, and how many notes. One of them lost its own events.
typedef struct left {
    uint32_t current, main, lines[6], count, main_after, notes, lost;
} left;

static void expect_left(kifu_timeline *lab, const left *expected, const kifu_codec *codec, bool upcasts)
{
    kifu_rules rules = later_rules(upcasts);
    kifu_left_out left_out;
    kifu_timeline *loaded;
    kifu_error error;
    kifu_line line;
    const kifu_load_options how = {.codec = codec, .left_out = &left_out};
    save save = save_of(lab, &(kifu_save_options){.codec = codec});
    const kifu_result result = kifu_load_from_memory(&rules, save.bytes, save.size, &noting, &how, &loaded, &error);
    ck_assert_msg(!result, "%s", error.message);
    ck_assert_int_eq(left_out.why.result, upcasts ? KIFU_FAILED : KIFU_UNKNOWN_EVENT);
    ck_assert_ptr_nonnull(strstr(left_out.why.message, upcasts ? "nobody knows what this was" : "lab.PAdd"));
    ck_assert_uint_eq(kifu_line_count(loaded), expected->count);
    for (uint32_t i = 0; i < expected->count; i++) {
        must_be(kifu_line_at(loaded, i, &line));
        ck_assert_uint_eq(line.id, expected->lines[i]);
        ck_assert_int_eq(line.main, line.id == expected->main_after);
        ck_assert_int_eq(line.current, line.id == expected->current);
    }
    ck_assert_uint_eq(left_out.lines, expected->lost);
    ck_assert_uint_eq(count_notes(loaded), expected->notes);
    ck_assert_uint_eq(left_out.notes, count_notes(lab) - expected->notes);
    ck_assert_uint_eq(kifu_event_count(loaded), kifu_event_count(lab));
    use(loaded, &rules);
    kifu_destroy(loaded);
    free(save.bytes);
}

START_TEST(V06_a_line_that_cannot_be_read_goes_with_what_branches_off_and_with_its_notes)
{
    static const left all[] = {
        {0, 0, {0, 5}, 2, 0, 4, 4},       // With its four children's notes, six are gone.
        {5, 0, {0, 5}, 2, 0, 4, 4},       //
        {0, 1, {0, 5}, 2, 0, 4, 4},       // The main line is gone: its parent is the main one.
        {5, 4, {0, 5}, 2, 0, 4, 4},       //
        {0, 5, {0, 5}, 2, 5, 4, 4},       // Another one stays so.
        {2, 1, {0, 1, 2, 5}, 4, 1, 6, 3}, // Of line 1, what the current line shares stays.
        {2, 4, {0, 1, 2, 5}, 4, 1, 6, 3}, //
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        for (uint32_t k = 0; k < 2 * CODECS; k++) {
            kifu_timeline *lab = tree_with_bad_line();
            lab_must(lab, kifu_promote_line(lab, all[i].main));
            lab_must(lab, kifu_go_to(lab, all[i].current, KIFU_WHERE_LEFT, true));
            expect_left(lab, &all[i], codecs[k / 2], k % 2);
            kifu_destroy(lab);
        }
    }
}
END_TEST

// The current line is not left out: the load is refused, and names the event.
START_TEST(V06_a_current_line_that_cannot_be_read_is_refused)
{
    for (uint32_t i = 0; i < 4; i++) {
        const kifu_rules rules = later_rules(i % 2);
        kifu_timeline *lab = tree_with_bad_line(), *loaded;
        kifu_error error;
        lab_must(lab, kifu_go_to(lab, i < 2 ? 1 : 4, KIFU_WHERE_LEFT, true));
        save save = save_of(lab, NULL);
        const kifu_result expected = i % 2 ? KIFU_FAILED : KIFU_UNKNOWN_EVENT;
        ck_assert_int_eq(kifu_load_from_memory(&rules, save.bytes, save.size, &noting, NULL, &loaded, &error),
                         expected);
        ck_assert_ptr_nonnull(strstr(error.message, "lab.PAdd"));
        ck_assert_ptr_nonnull(strstr(error.message, "3"));
        free(save.bytes);
        kifu_destroy(lab);
    }
}
END_TEST

// --- Memory ----------------------------------------------------------------------------------------------------------

enum { LINES = 1500, NOTES = 4000 };

// Line after line from one event, or note after note.
static kifu_timeline *large_tree(bool lines)
{
    static const kifu_options options = {.keep_variations = kifu_keep_variations, .keep_notes = kifu_keep_notes};
    kifu_timeline *lab = lab_new(&options);
    char text[16];
    lab_must(lab, lab_play(lab, "+"));
    for (uint32_t i = 0; i < (lines ? LINES : NOTES); i++) {
        snprintf(text, sizeof text, "%u", i);
        if (lines) {
            lab_must(lab, lab_play(lab, text));
            lab_must(lab, kifu_undo(lab));
        } else
            lab_must(lab, kifu_set_note(lab, i % 2 ? 0 : KIFU_BEFORE_FIRST, text, text));
    }
    lab_must(lab, lab_play(lab, "+"));
    return lab;
}

static kifu_result load_within(const save *save, const kifu_options *options, const kifu_codec *codec, uint64_t memory,
                               kifu_error *error)
{
    kifu_timeline *loaded;
    kifu_recovery recovery;
    const kifu_load_options how = {.codec = codec, .memory = memory, .recover = kifu_recover, .recovery = &recovery};
    const kifu_result result =
        kifu_load_from_memory(&lab_rules, save->bytes, save->size, options, &how, &loaded, error);
    kifu_destroy(loaded);
    return result;
}

static save log_of(kifu_timeline *lab)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    save save;
    lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.without_schema = true}));
    save.bytes = read_bytes(path, &save.size);
    remove_folder(folder);
    return save;
}

// Where the game without lines or notes has enough, what comes on top of it has not; with no limit of the caller's, it
// has. In a log file, too.
START_TEST(B08_a_budget_of_memory_counts_lines_and_notes)
{
    static const kifu_options neither = {0};
    for (uint32_t i = 0; i < 2 * (CODECS + 1); i++) {
        const kifu_codec *codec = i / 2 < CODECS ? codecs[i / 2] : NULL;
        const bool lines = i % 2, log = i / 2 == CODECS;
        kifu_timeline *lab = large_tree(lines);
        const kifu_options with = {.keep_variations = kifu_keep_variations,
                                   .keep_notes = lines ? NULL : kifu_keep_notes};
        save whole = save_of(lab, &(kifu_save_options){.codec = codec, .without_schema = true});
        kifu_error error;
        uint64_t enough = 64;
        while (load_within(&whole, &neither, codec, enough, &error)) {
            ck_assert_int_eq(error.result, KIFU_TOO_LARGE);
            enough += enough / 4;
        }
        struct save file = log ? log_of(lab) : whole;
        ck_assert_int_eq(load_within(&file, &with, codec, enough, &error), KIFU_TOO_LARGE);
        ck_assert_msg(strstr(error.message, "kifu_load_options.memory"), "%s", error.message);
        ck_assert_int_eq(load_within(&file, &with, codec, 0, &error), KIFU_OK);
        if (log)
            free(file.bytes);
        free(whole.bytes);
        kifu_destroy(lab);
    }
}
END_TEST

// --- Work ------------------------------------------------------------------------------------------------------------

static unsigned char *put_numbers(unsigned char *to, uint32_t kind, uint32_t count, const uint32_t *numbers)
{
    unsigned char *body = put_number(to, kind) + 1, *end = body;
    for (uint32_t i = 0; i < count; i++)
        end = put_number(end, numbers[i]);
    body[-1] = (unsigned char)(end - body);
    return end;
}

// Each of many lines goes on from the one before, and none has events of its own but line 0.
static unsigned char *put_way(unsigned char *to, uint32_t lines, uint32_t events)
{
    for (uint32_t id = 1; id < lines; id++)
        to = put_numbers(to, RECORD_BRANCH, 3, (const uint32_t[]){id, id - 1, events});
    return to;
}

// So many notes 'a' of a line that is not on the way.
static unsigned char *put_notes(unsigned char *to, uint32_t line, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to = put_numbers(to, RECORD_NOTE, 6, (const uint32_t[]){line, 1, 1, 1, 'a', 'b'});
    return to;
}

// A reader that sought each note's line along the way would take 10^11 steps.
START_TEST(V07_many_notes_and_a_long_way_are_not_multiplied)
{
    enum { WAY = 100000, MANY = 1000000 };
    const kifu_options options = {.keep_notes = kifu_keep_notes};
    kifu_timeline *lab = lab_new(&options), *loaded;
    lab_must(lab, lab_play(lab, "+"));
    save base = save_of(lab, &(kifu_save_options){.without_schema = true});
    frames frames = frames_of(&base);
    save_frame *commit = &frames.all[frames.count - 1];
    const records records = records_of(commit);
    const record *end = &records.all[records.count - 1];
    ck_assert_uint_eq(end->kind, RECORD_END);
    unsigned char *payload = (unsigned char *)malloc(commit->size + 16 * (size_t)(WAY + MANY)), *at = payload;
    const size_t before = (size_t)(end->body - 2 - commit->payload);
    memcpy(at, commit->payload, before);
    at = put_notes(put_way(at + before, WAY, 1), WAY, MANY);
    at = put_numbers(at, RECORD_END, 0, NULL);
    commit->payload = payload;
    commit->size = (uint32_t)(at - payload);
    save whole = save_of_frames(&frames);
    kifu_error error;
    kifu_left_out left_out;
    const kifu_load_options how = {.left_out = &left_out};
    const kifu_result result =
        kifu_load_from_memory(&lab_rules, whole.bytes, whole.size, &options, &how, &loaded, &error);
    ck_assert_msg(!result, "%s", error.message);
    ck_assert_uint_eq(left_out.notes, MANY);
    ck_assert_uint_eq(left_out.lines, WAY - 1);
    kifu_destroy(loaded);
    kifu_destroy(lab);
    free(payload);
    free(whole.bytes);
    free(base.bytes);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        V06_a_line_that_cannot_be_read_goes_with_what_branches_off_and_with_its_notes,
        V06_a_current_line_that_cannot_be_read_is_refused,
        B08_a_budget_of_memory_counts_lines_and_notes,
        V07_many_notes_and_a_long_way_are_not_multiplied,
    };
    return run_suite("tree_limits", tests, sizeof tests / sizeof *tests);
}
