// Recovery: of a file that was torn or damaged, and of a log file that was not closed, what is whole is loaded.

#include "log_file_help.h"
#include "shared_segment.h"
#include "suite.h"

// --- Torn and damaged tails ------------------------------------------------------------------------------------------

enum { MOST_MOMENTS = 24 };

// A log file as its appends left it, one after the other.
typedef struct growth {
    unsigned char *bytes;
    size_t sizes[MOST_MOMENTS];
    kifu_timeline *then[MOST_MOMENTS];
    int count;
} growth;

static void note(growth *growth, kifu_timeline *lab, const char *path)
{
    lab_must(lab, kifu_log_append(lab));
    ck_assert_int_lt(growth->count, MOST_MOMENTS);
    growth->sizes[growth->count] = size_of(path);
    growth->then[growth->count++] = reload(lab, NULL);
}

static growth grow(void)
{
    growth growth = {.count = 0};
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = rich_game(NULL);
    lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.without_schema = true}));
    note(&growth, lab, path);
    lab_must(lab, kifu_redo(lab));
    note(&growth, lab, path);
    lab_do(lab, 0, "+(1)(2)", 1);
    note(&growth, lab, path);
    lab_must(lab, kifu_step(lab));
    note(&growth, lab, path);
    lab_must(lab, kifu_step(lab));
    note(&growth, lab, path);
    lab_must(lab, kifu_run(lab));
    note(&growth, lab, path);
    lab_must(lab, lab_play(lab, "r(p)"));
    lab_must(lab, kifu_undo(lab));
    note(&growth, lab, path);
    lab_must(lab, kifu_undo(lab));
    lab_submit_p_add(lab, 0, 7);
    note(&growth, lab, path);
    lab_must(lab, kifu_run(lab));
    lab_submit_p_add(lab, 0, 8);
    note(&growth, lab, path);
    size_t size;
    growth.bytes = read_bytes(path, &size);
    kifu_destroy(lab);
    remove_folder(folder);
    return growth;
}

static void free_growth(growth *growth)
{
    for (int i = 0; i < growth->count; i++)
        kifu_destroy(growth->then[i]);
    free(growth->bytes);
}

// The last append that is whole in the first `size` bytes, or -1.
static int moment_at(const growth *growth, size_t size)
{
    int last = -1;
    while (last + 1 < growth->count && growth->sizes[last + 1] <= size)
        last++;
    return last;
}

static void expect_recovered(const growth *growth, const void *bytes, size_t size, size_t good)
{
    kifu_timeline *loaded;
    kifu_error error;
    kifu_recovery recovery;
    int moment = moment_at(growth, good);
    kifu_result result = recover_bytes(bytes, size, &loaded, &recovery, &error);
    ck_assert_msg(result == KIFU_OK, "%s", error.message);
    ck_assert_uint_eq(recovery.dropped, size - growth->sizes[moment]);
    ck_assert_uint_eq(recovery.why.offset, growth->sizes[moment]);
    ck_assert_int_eq(recovery.why.result, KIFU_DAMAGED);
    char number[30];
    snprintf(number, sizeof number, "the last %zu bytes", size - growth->sizes[moment]);
    ck_assert_ptr_nonnull(strstr(recovery.why.message, recovery.dropped ? number : "not closed"));
    expect_same(loaded, growth->then[moment]);
    kifu_destroy(loaded);
}

START_TEST(S05_a_tail_torn_at_any_byte_is_cut_at_the_last_whole_append)
{
    growth growth = grow();
    for (size_t size = growth.sizes[0]; size <= growth.sizes[growth.count - 1]; size++)
        expect_recovered(&growth, growth.bytes, size, size);
    free_growth(&growth);
}
END_TEST

START_TEST(S05_a_damaged_byte_of_the_tail_costs_what_follows_and_no_more)
{
    growth growth = grow();
    size_t size = growth.sizes[growth.count - 1];
    for (size_t at = growth.sizes[0]; at < size; at++) {
        growth.bytes[at] ^= (unsigned char)(1u << at % 8);
        expect_recovered(&growth, growth.bytes, size, at);
        growth.bytes[at] ^= (unsigned char)(1u << at % 8);
    }
    free_growth(&growth);
}
END_TEST

START_TEST(S05_bytes_behind_the_last_append_are_dropped)
{
    growth growth = grow();
    size_t size = growth.sizes[growth.count - 1];
    uint32_t seed = 1;
    unsigned char *bytes = malloc(size + 100);
    memcpy(bytes, growth.bytes, size);
    for (size_t more = 1; more <= 100; more++) {
        for (size_t i = 0; i < more; i++) // zeros, as a power cut leaves them, or anything
            bytes[size + i] = more % 2 ? (unsigned char)next_random(&seed) : 0;
        expect_recovered(&growth, bytes, size + more, size);
    }
    free(bytes);
    free_growth(&growth);
}
END_TEST

// What is found must have been so once: the events before an input, and nothing else.
static void expect_beginning_of(kifu_timeline *loaded, kifu_timeline *whole)
{
    kifu_event event;
    uint32_t count = kifu_event_count(loaded);
    ck_assert_uint_gt(count, 0);
    ck_assert_uint_eq(kifu_pending_count(loaded), 0);
    ck_assert_uint_eq(kifu_can_redo(loaded, NULL), 0);
    const kifu_line line = line_of(loaded, kifu_current_line(loaded));
    ck_assert_uint_eq(line.from + line.count, count);
    lab_state state;
    kifu_timeline *all = reload(whole, NULL);
    while (kifu_event_count(all) < count)
        lab_must(all, kifu_redo(all));
    ck_assert(kifu_event_at(all, count, &event));
    ck_assert_uint_eq(event.cause, KIFU_NONE);
    lab_must(all, kifu_state_at(all, count, &state, sizeof state));
    ck_assert_mem_eq(&state, kifu_state(loaded), sizeof state);
    kifu_destroy(all);
}

START_TEST(S05_of_a_plain_save_that_is_damaged_the_events_are_recovered)
{
    kifu_timeline *lab = waiting_game(NULL), *loaded;
    save save = save_of(lab, &(kifu_save_options){.without_schema = true});
    frames frames = frames_of(&save);
    const save_frame *events = &frames.all[find_frame(&frames, FRAME_SEGMENT)];
    const size_t segment = (size_t)(events->offset + frame_size(events->size)); // where it ends
    unsigned recovered = 0;
    for (int way = 0; way < 2; way++) {
        for (size_t at = 0; at < save.size; at++) {
            kifu_recovery recovery = {.dropped = 77};
            kifu_error error;
            save.bytes[at] ^= (unsigned char)way;
            kifu_result result = recover_bytes(save.bytes, way ? save.size : at, &loaded, &recovery, &error);
            save.bytes[at] ^= (unsigned char)way;
            if (result) {
                ck_assert_ptr_null(loaded);
                ck_assert_uint_eq(recovery.dropped, at < FILE_HEAD ? 77 : 0);
                ck_assert_uint_lt(at, segment);
                ck_assert_uint_gt(strlen(error.message), 20);
                continue;
            }
            recovered++;
            ck_assert_int_eq(recovery.why.result, KIFU_DAMAGED);
            ck_assert_uint_ge(at, segment);
            expect_beginning_of(loaded, lab);
            kifu_destroy(loaded);
        }
    }
    ck_assert_uint_gt(recovered, 500);
    ck_assert_int_eq(recover_bytes(save.bytes, save.size, &loaded, &(kifu_recovery){0}, NULL), KIFU_OK);
    kifu_destroy(loaded);
    ck_assert_int_eq(recover_bytes(save.bytes, FILE_HEAD, &loaded, NULL, NULL), KIFU_DAMAGED);
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

// What has its end is whole, whatever lies behind.
START_TEST(S05_bytes_behind_the_end_are_dropped)
{
    kifu_timeline *lab = waiting_game(NULL), *loaded;
    save save = save_of(lab, NULL);
    save.bytes = realloc(save.bytes, save.size + 20);
    memset(save.bytes + save.size, 0xEE, 20);
    for (size_t more = 1; more <= 20; more += 19) {
        kifu_recovery recovery;
        kifu_error error;
        kifu_result result = recover_bytes(save.bytes, save.size + more, &loaded, &recovery, &error);
        ck_assert_msg(result == KIFU_OK, "%s", error.message);
        expect_same(loaded, lab);
        ck_assert_uint_eq(recovery.dropped, more);
        ck_assert_uint_eq(recovery.why.offset, save.size);
        ck_assert_ptr_nonnull(strstr(recovery.why.message, "but more bytes follow"));
        kifu_destroy(loaded);
    }
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

// A save without its commit, or what else follows the events.
static save without_end(kifu_timeline *timeline)
{
    save save = save_of(timeline, NULL);
    frames frames = frames_of(&save);
    const save_frame *segment = &frames.all[find_frame(&frames, FRAME_SEGMENT)];
    save.size = (size_t)(segment->offset + frame_size(segment->size));
    return save;
}

START_TEST(S05_without_its_end_a_save_loses_the_last_input_and_all_that_followed_from_it)
{
    static const struct {
        const char *scripts[3];
        uint32_t left;
    } cases[] = {{{"+", "+"}, 1}, {{"+(+)", "+"}, 2}, {{"+", "+(+)(+)"}, 1}, {{"+(+)", "+(+)(+)"}, 2}, {{"+"}, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *lab = lab_new(NULL), *loaded;
        for (int j = 0; cases[i].scripts[j]; j++)
            lab_must(lab, lab_play(lab, cases[i].scripts[j]));
        save save = without_end(lab);
        kifu_error error;
        kifu_recovery recovery;
        const kifu_result result = recover_bytes(save.bytes, save.size, &loaded, &recovery, &error);
        ck_assert_int_eq(result, cases[i].left ? KIFU_OK : KIFU_DAMAGED);
        ck_assert_ptr_nonnull(strstr(result ? error.message : recovery.why.message, "the save was cut off at byte"));
        if (!result) {
            ck_assert_ptr_nonnull(strstr(recovery.why.message, "the last input was dropped"));
            ck_assert_uint_eq(kifu_event_count(loaded), cases[i].left);
        }
        kifu_destroy(loaded);
        free(save.bytes);
        kifu_destroy(lab);
    }
}
END_TEST

// A whole save of two commits, of which the second one only says that it ends.
// Of a save without a commit, one input may be left, or none: then nothing is recovered.
START_TEST(M08_the_last_input_that_is_left_is_recovered)
{
    for (uint32_t inputs = 1; inputs < 4; inputs++) {
        kifu_timeline *lab = lab_new(NULL), *part;
        for (uint32_t i = 0; i < inputs; i++)
            lab_must(lab, lab_play(lab, "+"));
        save whole = save_of(lab, NULL);
        const frames frames = frames_of(&whole);
        const size_t size = (size_t)frames.all[find_frame(&frames, FRAME_COMMIT)].offset;
        kifu_error error = {.result = KIFU_OK};
        kifu_recovery recovery;
        const kifu_result result = recover_bytes(whole.bytes, size, &part, &recovery, &error);
        ck_assert_int_eq(result, inputs == 1 ? KIFU_DAMAGED : KIFU_OK);
        ck_assert_uint_eq(recovery.dropped, 0);
        if (!result)
            ck_assert_uint_eq(kifu_event_count(part), inputs - 1);
        else
            ck_assert_msg(error.offset == size && strstr(error.message, "was cut off at byte"), "%s", error.message);
        kifu_destroy(part);
        kifu_destroy(lab);
        free(whole.bytes);
    }
}
END_TEST

START_TEST(F59_of_a_save_without_its_end_all_whole_commits_are_recovered)
{
    static const unsigned char end[] = {0, 0, 0, 0, RECORD_END, 0};
    kifu_timeline *lab = waiting_game(NULL), *loaded;
    save plain = save_of(lab, NULL);
    frames frames = frames_of(&plain);
    records records = first_records(&frames);
    remove_record(&records, find_record(&records, RECORD_END));
    insert_frame(&frames, frames.count, FRAME_COMMIT, end, sizeof end);
    save whole = save_of_records(&frames, frames.count - 2, &records);
    const size_t first = whole.size - (size_t)frame_size(sizeof end);
    for (size_t size = first; size <= whole.size; size++) {
        kifu_recovery recovery;
        kifu_error error;
        kifu_result result = recover_bytes(whole.bytes, size, &loaded, &recovery, &error);
        ck_assert_msg(result == KIFU_OK, "%s", error.message);
        expect_same(loaded, lab);
        ck_assert_uint_eq(recovery.dropped, size < whole.size ? size - first : 0);
        ck_assert_int_eq(recovery.why.result, size < whole.size ? KIFU_DAMAGED : KIFU_OK);
        if (size == first)
            ck_assert_ptr_nonnull(strstr(recovery.why.message, "no end, but nothing of the game is missing"));
        kifu_destroy(loaded);
    }
    free(whole.bytes);
    free(plain.bytes);
    kifu_destroy(lab);
}
END_TEST

// Whoever wrote such a frame meant it: nobody tore it.
START_TEST(S05_recovery_is_not_for_wrong_contents)
{
    kifu_timeline *lab = waiting_game(NULL), *loaded;
    save save = save_of(lab, NULL);
    frames frames = frames_of(&save);
    const unsigned char nonsense[20] = {1, 2, 3};
    frames.all[find_frame(&frames, FRAME_SEGMENT)] =
        (save_frame){.kind = FRAME_SEGMENT, .payload = nonsense, .size = sizeof nonsense};
    struct save other = save_of_frames(&frames);
    kifu_recovery recovery;
    kifu_error error;
    ck_assert_int_eq(recover_bytes(other.bytes, other.size, &loaded, &recovery, &error), KIFU_DAMAGED);
    ck_assert_ptr_null(loaded);
    ck_assert_ptr_nonnull(strstr(error.message, "kifu.Segment"));
    free(other.bytes);
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

// No load compares the hashes of what a redo could bring back: a later one may find that they were wrong.
static void expect_reload(kifu_timeline *timeline)
{
    save again = save_of(timeline, NULL);
    kifu_timeline *loaded;
    const kifu_result result = kifu_load_from_memory(&lab_rules, again.bytes, again.size, NULL, NULL, &loaded, NULL);
    ck_assert(result == KIFU_OK || result == KIFU_DIVERGED);
    kifu_destroy(loaded);
    free(again.bytes);
}

// Right checksums, wrong contents, and a tail that is torn as well. The sanitizers watch.
START_TEST(S05_hostile_log_files_do_no_harm)
{
    growth growth = grow();
    const save original = {growth.bytes, growth.sizes[growth.count - 1]};
    uint32_t seed = (uint32_t)fuzz_seed() * 7919;
    unsigned long steps = fuzz_steps(2000), loaded_count = 0;
    for (unsigned long i = 0; i < steps; i++) {
        save mutant = {malloc(original.size), original.size};
        memcpy(mutant.bytes, original.bytes, original.size);
        frames frames = frames_of(&mutant);
        const save_frame *frame = &frames.all[next_random(&seed) % (uint32_t)frames.count];
        mutant.bytes[frame->offset + FRAME_HEAD + next_random(&seed) % frame->size] ^=
            (unsigned char)(1u << next_random(&seed) % 8);
        if (i % 3 == 0) // or frames in another order
            frames.all[next_random(&seed) % (uint32_t)frames.count] =
                frames.all[next_random(&seed) % (uint32_t)frames.count];
        save sealed = save_of_frames(&frames);
        kifu_timeline *timeline;
        kifu_recovery recovery;
        kifu_error error = {0};
        size_t size = sealed.size - next_random(&seed) % (i % 2 ? 1 : 400);
        if (recover_bytes(sealed.bytes, size, &timeline, &recovery, &error))
            ck_assert_uint_gt(strlen(error.message), 20);
        else {
            loaded_count++;
            for (int step = 0; step < 6; step++)
                random_lab_step(timeline, next_random(&seed));
            expect_reload(timeline);
            kifu_destroy(timeline);
        }
        free(sealed.bytes);
        free(mutant.bytes);
    }
    ck_assert_uint_gt(loaded_count, 0);
    free_growth(&growth);
}
END_TEST

START_TEST(S05_recovery_is_asked_for_by_its_function)
{
    growth growth = grow();
    const size_t size = growth.sizes[growth.count - 1] - 1;
    kifu_timeline *loaded;
    kifu_error error;
    kifu_recovery recovery;
    const kifu_load_options without_report = {.recover = kifu_recover}, report_alone = {.recovery = &recovery};
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, growth.bytes, size, NULL, &without_report, &loaded, NULL),
                     KIFU_OK);
    expect_same(loaded, growth.then[growth.count - 2]);
    kifu_destroy(loaded);
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, growth.bytes, size, NULL, &report_alone, &loaded, &error),
                     KIFU_MISUSE);
    ck_assert_ptr_nonnull(strstr(error.message, "set .recover = kifu_recover, too"));
    free_growth(&growth);
}
END_TEST

START_TEST(S05_memory_may_end_while_a_file_is_recovered)
{
    growth growth = grow();
    bool failed = true;
    for (long at = 0; failed; at++) {
        test_memory memory = {.until_failure = at};
        kifu_recovery recovery;
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        const kifu_load_options recover = {.recover = kifu_recover, .recovery = &recovery};
        kifu_timeline *loaded;
        kifu_result result = kifu_load_from_memory(&lab_rules, growth.bytes, growth.sizes[growth.count - 1] - 1,
                                                   &options, &recover, &loaded, NULL);
        failed = memory.failed;
        ck_assert(result == KIFU_OK || result == KIFU_NO_MEMORY);
        ck_assert(failed || !result);
        if (!result)
            expect_same(loaded, growth.then[growth.count - 2]);
        kifu_destroy(loaded);
        ck_assert_int_eq(memory.blocks, 0);
    }
    free_growth(&growth);
}
END_TEST

// --- Going on --------------------------------------------------------------------------------------------------------

START_TEST(S05_a_recovered_game_goes_on_and_stays_small)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    const kifu_save_options options = {.without_schema = true};
    kifu_timeline *sitting = lab_new(NULL), *lab = lab_new(NULL);
    for (int day = 0; day < 20; day++) { // each ends in a kill, with a torn tail
        lab_must(lab, kifu_log_open(lab, path, &options));
        for (int turn = 0; turn < 100; turn++) {
            lab_must(lab, lab_play(lab, "+"));
            lab_must(sitting, lab_play(sitting, "+"));
            lab_must(lab, kifu_log_append(lab));
        }
        kifu_destroy(lab);
        FILE *file = fopen(path, "ab");
        fputs("torn", file);
        fclose(file);
        lab = recover(path, NULL);
    }
    expect_same_long(lab, sitting);
    lab_must(lab, kifu_log_open(lab, path, &options));
    lab_must(lab, kifu_log_close(lab, &options));
    save save = save_of(sitting, &options);
    ck_assert_uint_le(size_of(path), save.size + save.size / 4);
    free(save.bytes);
    kifu_destroy(lab);
    kifu_destroy(sitting);
    remove_folder(folder);
}
END_TEST

// Another writer may let events share their strings; each that is copied has its own.
START_TEST(S05_what_shares_its_parts_does_not_grow)
{
    enum { LONG = 60000 };
    static char script[LONG + 1];
    for (int i = 0; i < LONG; i++)
        script[i] = i % 2 ? '-' : '+';
    kifu_timeline *lab = lab_new(NULL), *loaded;
    for (int i = 0; i < 21; i++)
        lab_must(lab, lab_play(lab, i % 7 == 6 ? script : "+-"));
    save original = save_of(lab, NULL);
    frames found = frames_of(&original);
    frames frames = {.all = {found.all[0], [4] = found.all[find_frame(&found, FRAME_COMMIT)]}, .count = 5};
    static const unsigned char three[] = {0, 3};
    records records = first_records(&found);
    records.all[find_record(&records, RECORD_EVENTS)].body = three;
    remove_record(&records, find_record(&records, RECORD_END));
    save copies[3];
    for (int i = 0; i < 3; i++) {
        copies[i] = shared_segment(7, "+-", script);
        frames.all[1 + i] =
            (save_frame){.kind = FRAME_SEGMENT, .size = (uint32_t)copies[i].size, .payload = copies[i].bytes};
    }
    save sealed = save_of_records(&frames, 4, &records);
    kifu_recovery recovery;
    kifu_error error;
    kifu_result result = recover_bytes(sealed.bytes, sealed.size, &loaded, &recovery, &error);
    ck_assert_msg(result == KIFU_OK, "%s", error.message);
    ck_assert_uint_eq(kifu_event_count(loaded), 21);
    kifu_event event;
    ck_assert(kifu_event_at(loaded, 0, &event));
    ck_assert_str_eq(lab_p_do_script(event.table), script);
    save again = save_of(loaded, NULL); // with the segments as they are
    ck_assert_uint_le(again.size, 2 * sealed.size);
    free(again.bytes);
    lab_must(loaded, lab_play(loaded, "+"));
    for (uint32_t i = 0; i < 3; i++)
        free(copies[i].bytes);
    kifu_destroy(loaded);
    kifu_destroy(lab);
    free(original.bytes);
    free(sealed.bytes);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S05_a_tail_torn_at_any_byte_is_cut_at_the_last_whole_append,
        S05_a_damaged_byte_of_the_tail_costs_what_follows_and_no_more,
        S05_bytes_behind_the_last_append_are_dropped,
        S05_of_a_plain_save_that_is_damaged_the_events_are_recovered,
        S05_bytes_behind_the_end_are_dropped,
        S05_without_its_end_a_save_loses_the_last_input_and_all_that_followed_from_it,
        M08_the_last_input_that_is_left_is_recovered,
        F59_of_a_save_without_its_end_all_whole_commits_are_recovered,
        S05_recovery_is_not_for_wrong_contents,
        S05_hostile_log_files_do_no_harm,
        S05_recovery_is_asked_for_by_its_function,
        S05_memory_may_end_while_a_file_is_recovered,
        S05_a_recovered_game_goes_on_and_stays_small,
        S05_what_shares_its_parts_does_not_grow,
    };
    return run_suite("recover", tests, sizeof tests / sizeof *tests);
}
