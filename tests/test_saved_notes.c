// Notes in whole saves: plain and packed, hostile and cut off.

#include "save_help.h"
#include "history_help.h"
#include "run_codec.h"
#include "suite.h"

static const kifu_options noting = {.keep_notes = kifu_keep_notes, .hash_interval = 2};

// Texts, bytes, many keys, and notes at events that were undone.
static kifu_timeline *noted_game(void)
{
    kifu_timeline *lab = rich_game(&noting);
    char key[8];
    must(lab, kifu_set_note(lab, KIFU_BEFORE_FIRST, "event", "A friendly game"));
    must(lab, kifu_set_note(lab, KIFU_BEFORE_FIRST, KIFU_NOTE_AUTHOR, "\xC3\x81kos"));
    uint32_t event = 0; // Those that redo can bring back, too.
    while (!kifu_set_note(lab, event, event % 2 ? KIFU_NOTE_COMMENT : KIFU_NOTE_GLYPH, event % 3 ? "!?" : ""))
        event++;
    ck_assert_uint_gt(event, kifu_event_count(lab));
    for (int i = 0; i < 40; i++) {
        sprintf(key, "key %d", i);
        must(lab, kifu_set_note_bytes(lab, 0, 3, key, "\xFF\0\xFE", 3));
    }
    return lab;
}

static void expect_same_notes(const kifu_timeline *one, const kifu_timeline *other)
{
    kifu_note a = {0}, b = {0};
    while (kifu_next_note(one, &a)) {
        ck_assert(kifu_next_note(other, &b));
        ck_assert_uint_eq(a.line, b.line);
        ck_assert_uint_eq(a.event, b.event);
        ck_assert_str_eq(a.key, b.key);
        ck_assert((a.text == NULL) == (b.text == NULL));
        ck_assert_uint_eq(a.size, b.size);
        ck_assert(!a.size || !memcmp(a.bytes, b.bytes, a.size));
    }
    ck_assert(!kifu_next_note(other, &b));
}

START_TEST(V07_saves_have_the_notes)
{
    kifu_timeline *lab = noted_game();
    for (int i = 0; i < 4; i++) {
        const kifu_save_options options = {.codec = i & 1 ? &run_codec : NULL};
        const kifu_load_options ways = {.codec = &run_codec, .fast = (i & 2) != 0};
        save save = save_of(lab, &options);
        kifu_timeline *loaded = load_by(&save, &noting, &ways);
        expect_same_notes(lab, loaded);
        must(loaded, kifu_redo(loaded));
        expect_same_notes(lab, loaded);
        struct save again = save_of(lab, &options);
        expect_same_bytes(&save, &again);
        free(again.bytes);
        free(save.bytes);
        kifu_destroy(loaded);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(V07_many_notes_of_any_size_are_saved)
{
    enum { SIZE = 1 << 20 };
    const kifu_options options = {.keep_notes = kifu_keep_notes, .note_limit = SIZE * 5};
    kifu_timeline *lab = rich_game(&options);
    unsigned char *large = (unsigned char *)malloc(SIZE);
    char key[16];
    memset(large, 'x', SIZE);
    must(lab, kifu_set_note_bytes(lab, 0, 1, "one", large, SIZE));
    must(lab, kifu_set_note_bytes(lab, 0, 1, "other", large, SIZE - 1));
    for (int i = 0; i < 10000; i++) {
        sprintf(key, "%d", i % 100);
        must(lab, kifu_set_note(lab, (uint32_t)i / 100 % kifu_event_count(lab), key, key));
    }
    save save = save_of(lab, NULL);
    kifu_timeline *loaded = load_by(&save, &options, NULL);
    expect_same_notes(lab, loaded);
    kifu_destroy(loaded);
    const kifu_options less = {.keep_notes = kifu_keep_notes, .note_limit = SIZE};
    kifu_error error;
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, save.bytes, save.size, &less, NULL, &loaded, &error),
                     KIFU_TOO_LARGE);
    ck_assert_ptr_nonnull(strstr(error.message, "kifu_options.note_limit"));
    free(save.bytes);
    free(large);
    kifu_destroy(lab);
}
END_TEST

START_TEST(V07_a_load_without_notes_reports_them)
{
    kifu_timeline *lab = noted_game(), *plain = rich_game(&(kifu_options){.hash_interval = 2});
    save save = save_of(lab, NULL), bare = save_of(plain, NULL);
    kifu_left_out left_out;
    kifu_timeline *loaded = load_by(&save, NULL, &(kifu_load_options){.left_out = &left_out});
    ck_assert_uint_ge(left_out.notes, 1);
    ck_assert_uint_eq(left_out.lines, 0);
    struct save again = save_of(loaded, NULL);
    expect_same_bytes(&again, &bare); // Nothing else is left out.
    kifu_destroy(loaded);
    loaded = load_by(&bare, &noting, &(kifu_load_options){.left_out = &left_out});
    ck_assert_uint_eq(left_out.notes, 0);
    free(again.bytes);
    again = save_of(loaded, NULL);
    expect_same_bytes(&again, &bare); // Without a note, a save is as it is without the option.
    kifu_destroy(loaded);
    free(again.bytes);
    free(bare.bytes);
    free(save.bytes);
    kifu_destroy(plain);
    kifu_destroy(lab);
}
END_TEST

START_TEST(V07_another_version_of_the_rules_reads_the_notes)
{
    kifu_timeline *lab = noted_game(), *loaded;
    kifu_rules later = lab_rules;
    later.rules_version++;
    save save = save_of(lab, NULL);
    ck_assert_int_eq(kifu_load_from_memory(&later, save.bytes, save.size, &noting, NULL, &loaded, NULL), KIFU_OK);
    expect_same_notes(lab, loaded);
    kifu_destroy(loaded);
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

// --- Hostile saves ---------------------------------------------------------------------------------------------------

typedef struct hostile {
    uint32_t line, place, kind, key_size;
    const char *key, *text;
    uint32_t size;
    const char *says; // NULL: it is loaded
} hostile;

// The body of a note; its size is returned.
static uint32_t put_note(unsigned char *to, const hostile *note)
{
    unsigned char *at = put_number(put_number(to, note->line), note->place);
    at = put_number(put_number(at, note->kind), note->key_size);
    memcpy(at, note->key, strlen(note->key));
    at += strlen(note->key);
    memcpy(at, note->text, note->size);
    return (uint32_t)(at - to) + note->size;
}

START_TEST(V07_notes_that_cannot_be_are_refused)
{
    static const hostile all[] = {
        {0, 1, 1, 1, "a", "hi", 2, NULL},
        {0, 1, 2, 1, "a", "h\xFF", 2, NULL},
        {0, 1, 1, 1, "a", "", 0, NULL},
        {0, 1, 0, 1, "a", "", 0, NULL}, // There is none.
        {0, 1, 1, 0, "", "hi", 2, "has a key that is empty, or not UTF-8"},
        {0, 1, 1, 1, "\xFF", "hi", 2, "has a key that is empty, or not UTF-8"},
        {0, 1, 1, 99, "a", "hi", 2, "has another length than it says"},
        {0, 1, 1, UINT32_MAX, "a", "hi", 2, "has another length than it says"},
        {0, 1, 3, 1, "a", "hi", 2, "is of a kind that does not exist"},
        {0, 1, 1, 1, "a", "h\xFF", 2, "has a text that is not UTF-8"},
        {0, 1, 1, 1, "a", "h\0", 2, "has a text that is not UTF-8"},
        {0, 1000, 1, 1, "a", "hi", 2, "at event 999 of line 0, which has no such event"},
        {0, UINT32_MAX, 1, 1, "a", "hi", 2, "of line 0, which has no such event"},
        {3, 1, 1, 1, "a", "hi", 2, NULL}, // Of a line that is not the current one; there are no lines.
        {UINT32_MAX, 1, 1, 1, "a", "hi", 2, "is of a line that cannot be"},
    };
    kifu_timeline *lab = rich_game(&noting), *loaded;
    save whole = save_of(lab, NULL);
    const frames frames = frames_of(&whole);
    const int last = frames.count - 1;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        unsigned char body[64];
        records records = records_of(&frames.all[last]);
        insert_record(&records, records.count - 1, RECORD_NOTE, body, put_note(body, &all[i]));
        save save = save_of_records(&frames, last, &records);
        kifu_error error = {.result = KIFU_OK};
        const kifu_result result =
            kifu_load_from_memory(&lab_rules, save.bytes, save.size, &noting, NULL, &loaded, &error);
        ck_assert_msg(result == (all[i].says ? KIFU_DAMAGED : KIFU_OK), "%zu: %s", i, error.message);
        ck_assert_msg(!all[i].says || strstr(error.message, all[i].says), "%s", error.message);
        kifu_destroy(loaded);
        free(save.bytes);
    }
    free(whole.bytes);
    kifu_destroy(lab);
}
END_TEST

// Bytes of the commit with the notes change, and all checksums are right.
START_TEST(V07_changed_notes_are_refused_or_read)
{
    kifu_timeline *lab = noted_game(), *loaded;
    save whole = save_of(lab, NULL);
    const frames frames = frames_of(&whole);
    const int at = frames.count - 1;
    const save_frame notes = frames.all[at];
    const records records = records_of(&notes);
    ck_assert_int_ge(find_record(&records, RECORD_NOTE), 0);
    unsigned char *payload = (unsigned char *)malloc(notes.size);
    uint64_t refused = 0;
    const unsigned long steps = fuzz_steps(20000);
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 3);
    for (unsigned long i = 0; i < steps; i++) {
        memcpy(payload, notes.payload, notes.size);
        for (uint32_t k = kifu_rng_below(&rng, 3) + 1; k > 0; k--)
            payload[kifu_rng_below(&rng, notes.size)] = (unsigned char)kifu_rng_below(&rng, 256);
        struct frames with = frames;
        with.all[at].payload = payload;
        save save = save_of_frames(&with);
        kifu_error error = {.result = KIFU_OK};
        refused += kifu_load_from_memory(&lab_rules, save.bytes, save.size, &noting, NULL, &loaded, &error) != KIFU_OK;
        ck_assert(error.result == KIFU_OK || error.result == KIFU_DAMAGED || error.result == KIFU_TOO_LARGE ||
                  error.result == KIFU_NEWER_FORMAT);
        kifu_destroy(loaded);
        free(save.bytes);
    }
    ck_assert(refused > steps / 10 && refused < steps);
    free(payload);
    free(whole.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(V07_a_save_that_was_cut_off_keeps_the_game)
{
    kifu_timeline *lab = noted_game(), *loaded;
    save whole = save_of(lab, NULL);
    const frames frames = frames_of(&whole);
    const uint64_t first = frames.all[find_frame(&frames, FRAME_COMMIT) + 1].offset;
    uint32_t cuts = 0;
    for (size_t cut = whole.size - 1; cut > first; cut -= 37, cuts++) {
        kifu_recovery recovery;
        const kifu_load_options ways = {.recover = kifu_recover, .recovery = &recovery};
        ck_assert_int_eq(kifu_load_from_memory(&lab_rules, whole.bytes, cut, &noting, &ways, &loaded, NULL), KIFU_OK);
        expect_same(lab, loaded);
        kifu_destroy(loaded);
    }
    ck_assert_uint_gt(cuts, 10);
    free(whole.bytes);
    kifu_destroy(lab);
}
END_TEST

// Each allocation of a save and of a load fails in turn.
START_TEST(V07_without_memory_nothing_is_half_saved)
{
    test_memory memory = {.failed = true};
    kifu_timeline *noted = noted_game(), *lab, *loaded;
    save whole = save_of(noted, NULL);
    const frames frames = frames_of(&whole);
    const uint64_t commit = frames.all[frames.count - 1].offset;
    uint32_t refused = 0;
    for (long fail_at = 0; memory.failed; fail_at++) {
        memory = (test_memory){.until_failure = fail_at};
        kifu_options options = noting;
        options.allocate = test_allocate;
        options.allocate_context = &memory;
        kifu_error error = {.message = ""};
        const kifu_result result = kifu_load_from_memory(&lab_rules, whole.bytes, whole.size, &options, NULL, &loaded,
                                                         fail_at % 2 ? NULL : &error);
        ck_assert(result == KIFU_OK || (result == KIFU_NO_MEMORY && memory.failed));
        if (fail_at % 2 == 0)
            ck_assert_msg(error.result == result && !*error.message == !result, "%ld: %s", fail_at, error.message);
        if (strstr(error.message, "memory for a note") || strstr(error.message, "memory for notes")) {
            refused++;
            if (strstr(error.message, "a note"))
                ck_assert_uint_eq(error.offset, commit);
        }
        if (!result)
            expect_same_notes(noted, loaded);
        kifu_destroy(loaded);
        ck_assert_int_eq(memory.blocks, 0);
    }
    ck_assert_uint_gt(refused, 1);
    memory = (test_memory){.until_failure = -1};
    kifu_options options = noting;
    options.allocate = test_allocate;
    options.allocate_context = &memory;
    lab = load_by(&whole, &options, NULL);
    memory.failed = true;
    for (long fail_at = 0; memory.failed; fail_at++) {
        unsigned char *bytes = NULL;
        size_t size;
        memory.failed = false;
        memory.until_failure = fail_at;
        const kifu_result result = kifu_save_to_memory(lab, NULL, &bytes, &size);
        memory.until_failure = -1;
        ck_assert(result == (memory.failed ? KIFU_NO_MEMORY : KIFU_OK));
        kifu_free_bytes(lab, bytes);
    }
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
    free(whole.bytes);
    kifu_destroy(noted);
}
END_TEST

// Line 0, to which it belongs, is gone then.
START_TEST(V07_a_note_about_the_whole_game_stays_when_the_past_goes)
{
    const kifu_options options = {.quiet = true,
                                  .keep_variations = kifu_keep_variations,
                                  .keep_notes = kifu_keep_notes,
                                  .from_state = kifu_begin_from_state};
    kifu_timeline *lab = lab_started(&options);
    must(lab, lab_play(lab, "+"));
    must(lab, lab_play(lab, "++"));
    must(lab, kifu_undo(lab));
    must(lab, lab_play(lab, "-"));
    must(lab, lab_play(lab, "-"));
    ck_assert_uint_eq(kifu_current_line(lab), 1);
    must(lab, kifu_set_note(lab, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT, "At the club"));
    must(lab, kifu_forget(lab, KIFU_PRESENT));
    kifu_line line;
    ck_assert(kifu_line_at(lab, 0, &line) && line.id == 1);
    kifu_note note;
    for (int i = 0; i < 2; i++) {
        ck_assert_str_eq(kifu_note_at(lab, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT), "At the club");
        ck_assert(kifu_find_note(lab, 0, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT, &note));
        note = (kifu_note){0};
        ck_assert(kifu_next_note(lab, &note));
        ck_assert(!kifu_next_note(lab, &note));
        save save = save_of(lab, NULL);
        kifu_destroy(lab);
        lab = load_by(&save, &options, NULL);
        free(save.bytes);
    }
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        V07_saves_have_the_notes,
        V07_many_notes_of_any_size_are_saved,
        V07_a_load_without_notes_reports_them,
        V07_another_version_of_the_rules_reads_the_notes,
        V07_notes_that_cannot_be_are_refused,
        V07_changed_notes_are_refused_or_read,
        V07_a_save_that_was_cut_off_keeps_the_game,
        V07_without_memory_nothing_is_half_saved,
        V07_a_note_about_the_whole_game_stays_when_the_past_goes,
    };
    return run_suite("saved notes", tests, sizeof tests / sizeof *tests);
}
