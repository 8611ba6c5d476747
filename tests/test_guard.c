// What a save must not overwrite: a game that another program has played on, and what a load did not take.

#include <sys/mman.h>
#include <sys/wait.h>

#include <kifu/changes.h>

#include "faulty_os.h"
#include "log_file_help.h"
#include "suite.h"
#include "tally.h"
#include "tally2.h"

// --- The operating system --------------------------------------------------------------------------------------------

static bool without_links;

int __real_link(const char *from, const char *to);
int __real_flock(int file, int operation);
int __wrap_fsync(int file);
int __wrap_link(const char *from, const char *to);
int __wrap_flock(int file, int operation);

int __wrap_fsync(int file)
{
    (void)file; // No power fails here.
    return fault() ? -1 : 0;
}

int __wrap_link(const char *from, const char *to)
{
    if (without_links)
        errno = EPERM;
    return without_links || fault() ? -1 : __real_link(from, to);
}

int __wrap_flock(int file, int operation)
{
    const bool dies = !fault_code && fault(); // Where locks work, they work always.
    return dies ? -1 : __real_flock(file, operation);
}

// How many files are in memory.
static int mapped;

void *__real_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);
int __real_munmap(void *address, size_t size);
void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);
int __wrap_munmap(void *address, size_t size);

void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    void *bytes = __real_mmap(address, size, protection, flags, file, offset);
    mapped += bytes != MAP_FAILED;
    return bytes;
}

int __wrap_munmap(void *address, size_t size)
{
    mapped--;
    return __real_munmap(address, size);
}

// --- Games and files -------------------------------------------------------------------------------------------------

static kifu_timeline *load(const char *path, const kifu_options *options, const kifu_load_options *load_options)
{
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_msg(kifu_load(&lab_rules, path, options, load_options, &timeline, &error) == KIFU_OK, "%s",
                  error.message);
    return timeline;
}

static void expect_bytes(const char *path, const save *expected)
{
    save now;
    now.bytes = read_bytes(path, &now.size);
    expect_same_bytes(&now, expected);
    free(now.bytes);
}

static save file_at(const char *path)
{
    save save;
    save.bytes = read_bytes(path, &save.size);
    return save;
}

// A log file with a torn end.
static save write_torn(const char *path)
{
    kifu_timeline *lab = rich_game(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int i = 0; i < 3; i++) {
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, kifu_log_append(lab));
    }
    kifu_destroy(lab);
    save torn = file_at(path);
    torn.size -= 5;
    write_bytes(path, torn.bytes, torn.size);
    return torn;
}

static kifu_result open_or_save(kifu_timeline *lab, const char *path, bool opens, const kifu_save_options *options)
{
    return opens ? kifu_log_open(lab, path, options) : kifu_save(lab, path, options);
}

// --- What a load did not take ----------------------------------------------------------------------------------------

START_TEST(F64_a_damaged_file_stays_beside_the_new_one)
{
    for (int way = 0; way < 4; way++) {
        char *folder = new_folder();
        const char *path = stay_at(folder, "a.kifu"), *kept = stay_at(folder, "a.kifu.kept");
        save torn = write_torn(path);
        kifu_recovery recovery;
        kifu_timeline *lab = recover(path, way & 1 ? &recovery : NULL); // whether the caller asks or not
        ck_assert_ptr_null(kifu_kept_path(lab));
        lab_must(lab, kifu_save(lab, in_folder(folder, "b.kifu"), NULL)); // elsewhere, there is nothing to lose
        ck_assert_ptr_null(kifu_kept_path(lab));
        lab_must(lab, open_or_save(lab, path, way & 2, NULL));
        ck_assert_str_eq(kifu_kept_path(lab), kept);
        expect_bytes(kept, &torn);
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, way & 2 ? kifu_log_close(lab, NULL) : kifu_save(lab, path, NULL));
        expect_bytes(kept, &torn);
        kifu_timeline *again = load(path, NULL, NULL);
        expect_same(again, lab);
        ck_assert_ptr_null(kifu_kept_path(again));
        ck_assert_int_eq(count_files(folder), 3);
        kifu_destroy(again);
        kifu_destroy(lab);
        free(torn.bytes);
        remove_folder(folder);
    }
}
END_TEST

// It ends between two frames: no byte was dropped, but an input of which events may be missing.
START_TEST(F64_a_file_of_which_an_input_was_dropped_stays)
{
    char *folder = new_folder();
    const char *path = stay_at(folder, "a.kifu"), *kept = stay_at(folder, "a.kifu.kept");
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 0; i < 3; i++)
        lab_must(lab, lab_play(lab, "+"));
    save cut = save_of(lab, NULL);
    const frames frames = frames_of(&cut);
    cut.size = (size_t)frames.all[find_frame(&frames, FRAME_COMMIT)].offset;
    write_bytes(path, cut.bytes, cut.size);
    kifu_recovery recovery;
    kifu_timeline *found = recover(path, &recovery);
    ck_assert_uint_eq(recovery.dropped, 0);
    ck_assert_uint_lt(kifu_event_count(found), kifu_event_count(lab));
    lab_must(found, kifu_save(found, path, NULL));
    expect_bytes(kept, &cut);
    kifu_destroy(found);
    kifu_destroy(lab);
    free(cut.bytes);
    remove_folder(folder);
}
END_TEST

START_TEST(F64_the_oldest_of_them_stays)
{
    char *folder = new_folder();
    const char *path = stay_at(folder, "a.kifu"), *kept = stay_at(folder, "a.kifu.kept");
    write_bytes(kept, "older", 5);
    const save older = {.bytes = (unsigned char[]){'o', 'l', 'd', 'e', 'r'}, .size = 5};
    save torn = write_torn(path);
    kifu_timeline *lab = recover(path, NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    ck_assert_str_eq(kifu_kept_path(lab), kept);
    expect_bytes(kept, &older);
    kifu_destroy(lab);
    free(torn.bytes);
    remove_folder(folder);
}
END_TEST

START_TEST(F64_a_caller_may_agree_to_the_loss)
{
    char *folder = new_folder();
    const char *path = stay_at(folder, "a.kifu");
    for (int opens = 0; opens < 2; opens++) {
        save torn = write_torn(path);
        kifu_timeline *lab = recover(path, NULL);
        lab_must(lab, open_or_save(lab, path, opens, &(kifu_save_options){.overwrite = true}));
        ck_assert_ptr_null(kifu_kept_path(lab));
        ck_assert_int_eq(count_files(folder), 1);
        if (opens)
            lab_must(lab, kifu_log_close(lab, NULL));
        lab_must(lab, kifu_save(lab, path, NULL)); // what is there now is the game's own
        ck_assert_int_eq(count_files(folder), 1);
        kifu_destroy(lab);
        free(torn.bytes);
    }
    remove_folder(folder);
}
END_TEST

// It lost nothing. Nor did a whole save.
START_TEST(F64_a_log_file_that_was_not_closed_leaves_no_copy)
{
    char *folder = new_folder();
    const char *path = stay_at(folder, "a.kifu");
    for (int opens = 0; opens < 4; opens++) {
        kifu_timeline *lab = rich_game(NULL);
        lab_must(lab, kifu_log_open(lab, path, NULL));
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, kifu_log_append(lab));
        if (opens & 2)
            lab_must(lab, kifu_log_close(lab, NULL));
        kifu_destroy(lab);
        lab = recover(path, NULL);
        lab_must(lab, open_or_save(lab, path, opens & 1, NULL));
        ck_assert_ptr_null(kifu_kept_path(lab));
        ck_assert_int_eq(count_files(folder), 1);
        kifu_destroy(lab);
    }
    remove_folder(folder);
}
END_TEST

START_TEST(F64_what_a_load_left_out_stays_beside_the_new_file)
{
    static const kifu_options with_all = {.keep_variations = kifu_keep_variations, .keep_notes = kifu_keep_notes};
    static const kifu_options with_notes = {.keep_notes = kifu_keep_notes};
    static const kifu_options with_lines = {.keep_variations = kifu_keep_variations};
    const kifu_options *const reads[] = {NULL, &with_notes, &with_lines, &with_all};
    char *folder = new_folder();
    const char *path = stay_at(folder, "a.kifu"), *kept = stay_at(folder, "a.kifu.kept");
    for (int i = 0; i < 16; i++) {
        kifu_timeline *lab = lab_new(&with_all);
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "well played"));
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, lab_play(lab, "-"));
        if (i & 8) { // a log file
            lab_must(lab, kifu_log_open(lab, path, NULL));
            lab_must(lab, kifu_log_append(lab));
        } else
            lab_must(lab, kifu_save(lab, path, NULL));
        kifu_destroy(lab);
        save all = file_at(path);
        kifu_left_out left_out;
        lab = load(path, reads[i & 3],
                   &(kifu_load_options){.recover = kifu_recover, .left_out = i & 4 ? &left_out : NULL});
        lab_must(lab, kifu_save(lab, path, NULL));
        ck_assert_int_eq(count_files(folder), (i & 3) == 3 ? 1 : 2);
        if ((i & 3) != 3) {
            ck_assert_str_eq(kifu_kept_path(lab), kept);
            expect_bytes(kept, &all);
        }
        kifu_destroy(lab);
        free(all.bytes);
        unlink(kept);
    }
    remove_folder(folder);
}
END_TEST

// The next release of tally has one more field in its events.
START_TEST(F64_what_a_newer_version_wrote_stays_beside_the_file_of_an_older_one)
{
    kifu_rules newer = tally2_rules;
    newer.name = tally_rules.name;
    newer.union_name = tally_rules.union_name;
    char *folder = new_folder();
    const char *path = stay_at(folder, "a.kifu"), *kept = stay_at(folder, "a.kifu.kept");
    for (int i = 0; i < 8; i++) {
        kifu_timeline *tally;
        ck_assert_int_eq(kifu_create(i & 1 ? &newer : &tally_rules, NULL, &tally, NULL), KIFU_OK);
        if (i & 2)
            lab_must(tally, kifu_log_open(tally, path, NULL));
        for (int event = 0; event < 3; event++) {
            if (i & 1)
                tally2_submit_p_add(tally, 0, &(tally2_p_add_args){.amount = 5, .weight = 1});
            else
                tally_submit_p_add(tally, 0, 5, NULL);
            lab_must(tally, kifu_run(tally));
            lab_must(tally, i & 2 ? kifu_log_append(tally) : kifu_save(tally, path, NULL));
        }
        kifu_destroy(tally);
        save all = file_at(path);
        kifu_left_out left_out = {.newer = 77};
        const kifu_load_options how = {.recover = kifu_recover, .left_out = &left_out};
        kifu_error error;
        ck_assert_msg(!kifu_load(&tally_rules, path, NULL, &how, &tally, &error), "%s", error.message);
        ck_assert_uint_eq(left_out.newer, i & 1 ? 3 : 0);
        lab_must(tally, i & 4 ? kifu_log_open(tally, path, NULL) : kifu_save(tally, path, NULL));
        ck_assert_int_eq(kifu_kept_path(tally) != NULL, i & 1);
        if (i & 1)
            expect_bytes(kept, &all);
        kifu_destroy(tally);
        free(all.bytes);
        unlink(kept);
        unlink(path);
    }
    remove_folder(folder);
}
END_TEST

// A field that is absent would be lost by no one.
START_TEST(F64_where_a_newer_version_wrote_nothing_more_no_file_is_kept)
{
    kifu_rules newer = tally2_rules;
    newer.name = tally_rules.name;
    newer.union_name = tally_rules.union_name;
    char *folder = new_folder();
    const char *path = stay_at(folder, "a.kifu");
    for (uint32_t reasons = 0; reasons < 2; reasons++) {
        kifu_timeline *tally;
        ck_assert_int_eq(kifu_create(&newer, NULL, &tally, NULL), KIFU_OK);
        for (uint32_t event = 0; event < 3; event++)
            tally2_submit_e_bonus(tally, 5, event < reasons ? "a gift" : NULL);
        lab_must(tally, kifu_run(tally));
        lab_must(tally, kifu_save(tally, path, &(kifu_save_options){.overwrite = true}));
        kifu_destroy(tally);
        kifu_left_out left_out;
        kifu_error error;
        ck_assert_msg(!kifu_load(&tally_rules, path, NULL, &(kifu_load_options){.left_out = &left_out}, &tally, &error),
                      "%s", error.message);
        ck_assert_uint_eq(left_out.newer, reasons);
        lab_must(tally, kifu_save(tally, path, NULL));
        ck_assert_int_eq(kifu_kept_path(tally) != NULL, reasons);
        kifu_destroy(tally);
    }
    remove_folder(folder);
}
END_TEST

// Some file systems know no second name of a file.
START_TEST(F64_where_a_file_has_one_name_it_is_copied)
{
    char *folder = new_folder();
    const char *path = stay_at(folder, "a.kifu"), *kept = stay_at(folder, "a.kifu.kept");
    without_links = true;
    bool reached = true;
    const int files = open_files();
    for (int at = 1; reached; at++) {
        save torn = write_torn(path);
        kifu_timeline *lab = recover(path, NULL), *same = reload(lab, NULL);
        arm(at, ENOSPC, false);
        kifu_result result = kifu_save(lab, path, NULL);
        reached = calls >= at;
        arm(0, 0, false);
        expect_same(lab, same);
        if (result) {
            ck_assert_int_eq(result, KIFU_IO);
            must_say(lab, strerror(ENOSPC));
        } else
            expect_bytes(kept, &torn);
        save now = file_at(path);
        if (now.size == torn.size) {
            expect_same_bytes(&now, &torn);
            ck_assert_ptr_null(result ? NULL : "not saved");
        } else
            expect_bytes(kept, &torn);
        free(now.bytes);
        lab_must(lab, kifu_save(lab, path, NULL));
        ck_assert_str_eq(kifu_kept_path(lab), kept);
        expect_bytes(kept, &torn);
        ck_assert_int_eq(count_files(folder), 2);
        kifu_destroy(same);
        kifu_destroy(lab);
        ck_assert_int_eq(open_files(), files);
        unlink(kept);
        free(torn.bytes);
    }
    without_links = false;
    remove_folder(folder);
}
END_TEST

START_TEST(F64_a_process_that_dies_at_any_call_loses_neither)
{
    char *folder = new_folder();
    const char *path = stay_at(folder, "a.kifu"), *kept = stay_at(folder, "a.kifu.kept");
    for (int way = 0; way < 4; way++) {
        bool done = false;
        without_links = way & 1;
        for (int at = 1; !done; at++) {
            save torn = write_torn(path);
            kifu_timeline *lab = recover(path, NULL);
            pid_t child = fork();
            if (child == 0) {
                arm(at, 0, false);
                _exit(open_or_save(lab, path, way & 2, NULL) ? 1 : 0);
            }
            int status;
            ck_assert_int_eq(waitpid(child, &status, 0), child);
            ck_assert(WIFEXITED(status));
            done = WEXITSTATUS(status) == 0;
            ck_assert(done || WEXITSTATUS(status) == 99);
            kifu_timeline *found = recover(path, NULL);
            expect_same(found, lab);
            if (size_of(path) == torn.size)
                expect_bytes(path, &torn);
            else
                expect_bytes(kept, &torn);
            lab_must(found, kifu_log_open(found, path, NULL)); // whatever lock was left
            expect_bytes(kept, &torn);
            kifu_destroy(found);
            kifu_destroy(lab);
            unlink(kept);
            free(torn.bytes);
        }
    }
    without_links = false;
    remove_folder(folder);
}
END_TEST

START_TEST(F64_memory_may_end_at_any_allocation)
{
    char *folder = new_folder();
    const char *path = stay_at(folder, "a.kifu"), *kept = stay_at(folder, "a.kifu.kept");
    for (int opens = 0; opens < 2; opens++) {
        bool failed = true;
        for (long at = 0; failed; at++) {
            save torn = write_torn(path);
            test_memory memory = {.until_failure = -1};
            const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
            kifu_timeline *lab = load(path, &options, &(kifu_load_options){.recover = kifu_recover});
            memory.until_failure = at;
            kifu_result result = open_or_save(lab, path, opens, NULL);
            failed = memory.failed;
            memory.until_failure = -1;
            memory.failed = false;
            ck_assert_int_eq(result, failed ? KIFU_NO_MEMORY : KIFU_OK);
            expect_bytes(failed ? path : kept, &torn);
            if (failed)
                lab_must(lab, open_or_save(lab, path, opens, NULL));
            expect_bytes(kept, &torn);
            kifu_destroy(lab);
            ck_assert_int_eq(memory.blocks, 0);
            unlink(kept);
            free(torn.bytes);
        }
    }
    remove_folder(folder);
}
END_TEST

// --- What another program has written --------------------------------------------------------------------------------

// Another program loads the game, plays, and is done, or is killed.
static void play_elsewhere(const char *path, int way)
{
    pid_t child = fork();
    if (child == 0) {
        kifu_timeline *lab = recover(path, NULL);
        if (way == 0)
            lab_must(lab, kifu_log_open(lab, path, NULL));
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, way == 0   ? kifu_log_close(lab, NULL)
                      : way == 1 ? kifu_save(lab, path, NULL)
                                 : kifu_log_open(lab, path, NULL));
        _exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

START_TEST(F82_a_game_that_another_program_has_played_on_is_not_overwritten)
{
    for (int way = 0; way < 6; way++) {
        char *folder = new_folder();
        const char *path = stay_at(folder, "a.kifu");
        kifu_timeline *first = rich_game(NULL);
        lab_must(first, kifu_save(first, path, NULL));
        kifu_timeline *lab = load(path, NULL, NULL);
        play_elsewhere(path, way % 3);
        save theirs = file_at(path);
        lab_must(lab, lab_play(lab, "-"));
        for (int i = 0; i < 4; i++) {
            ck_assert_int_eq(open_or_save(lab, path, i & 1, NULL), KIFU_CHANGED);
            must_say(lab, path);
            must_say(lab, "another program");
            must_say(lab, "kifu_save_options.overwrite");
            expect_bytes(path, &theirs);
            ck_assert_int_eq(count_files(folder), 1);
        }
        lab_must(lab, kifu_save(lab, in_folder(folder, "b.kifu"), NULL)); // each of what the message advises
        kifu_timeline *again = recover(path, NULL);
        lab_must(again, kifu_save(again, path, NULL));
        lab_must(lab, open_or_save(lab, path, way < 3, &(kifu_save_options){.overwrite = true}));
        if (way < 3)
            lab_must(lab, kifu_log_close(lab, NULL));
        lab_must(lab, kifu_save(lab, path, NULL)); // Now it is its own.
        ck_assert_int_eq(count_files(folder), 2);
        kifu_destroy(again);
        kifu_destroy(first);
        kifu_destroy(lab);
        free(theirs.bytes);
        remove_folder(folder);
    }
}
END_TEST

START_TEST(F82_a_game_overwrites_what_it_has_loaded_or_written_itself)
{
    char *folder = new_folder();
    const char *path = stay_at(folder, "a.kifu");
    kifu_timeline *lab = rich_game(NULL);
    lab_must(lab, kifu_save(lab, path, NULL));
    kifu_destroy(lab);
    lab = load(path, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        lab_must(lab, kifu_save(lab, path, NULL));
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, kifu_log_open(lab, path, NULL));
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, kifu_log_append(lab));
        save_over_open(lab, path);
        lab_must(lab, lab_play(lab, "+"));
        append(lab, path);
        lab_must(lab, kifu_log_close(lab, NULL));
    }
    unlink(path); // There is nothing to overwrite.
    lab_must(lab, kifu_save(lab, path, NULL));
    save whole = file_at(path);
    write_bytes(in_folder(folder, "copy"), whole.bytes, whole.size);
    ck_assert_int_eq(rename(in_folder(folder, "copy"), path),
                     0); // the same bytes under another number, at another time
    lab_must(lab, kifu_save(lab, path, NULL));
    write_bytes(path, "", 0);
    lab_must(lab, kifu_save(lab, path, NULL));
    kifu_timeline *other = lab_new(NULL); // It was never loaded from there.
    lab_must(other, kifu_save(other, path, NULL));
    lab_must(other, kifu_log_open(other, path, NULL));
    kifu_destroy(other);
    ck_assert_int_eq(kifu_save(lab, path, NULL), KIFU_CHANGED);
    kifu_destroy(lab);
    free(whole.bytes);
    remove_folder(folder);
}
END_TEST

// By a link, a relative path, and from another folder.
START_TEST(F82_a_file_is_found_by_each_of_its_paths)
{
    char *folder = new_folder(), here[4096];
    const char *path = stay_at(folder, "a.kifu"), *link = stay_at(folder, OTHER_NAME);
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    kifu_timeline *lab = rich_game(NULL);
    lab_must(lab, kifu_save(lab, path, NULL));
    kifu_destroy(lab);
    make_other_name(link);
    ck_assert_int_eq(chdir(folder), 0);
    const char *const paths[] = {path, link, "a.kifu", "./a.kifu", OTHER_NAME};
    for (int i = 0; i < 25; i++) {
        ck_assert_int_eq(chdir(folder), 0);
        lab = load(paths[i / 5], NULL, NULL);
        play_elsewhere(path, 1);
        if (i % 5 < 2)
            ck_assert_int_eq(chdir(here), 0);
        ck_assert_int_eq(kifu_save(lab, paths[i % 5], NULL), KIFU_CHANGED);
        ck_assert_int_eq(kifu_log_open(lab, paths[i % 5], NULL), KIFU_CHANGED);
        lab_must(lab, kifu_save(lab, in_folder(folder, "other.kifu"), NULL)); // another file of the same folder
        kifu_destroy(lab);
    }
    ck_assert_int_eq(chdir(here), 0);
    remove_folder(folder);
}
END_TEST

// The file is there, and only the folder could not be put on the disk.
START_TEST(F82_a_save_that_fails_behind_its_end_is_its_own)
{
    char *folder = new_folder();
    const char *path = stay_at(folder, "a.kifu");
    for (int opens = 0; opens < 2; opens++) {
        int kinds = 0;
        bool reached = true;
        for (int at = 1; reached; at++) {
            kifu_timeline *lab = rich_game(NULL);
            lab_must(lab, kifu_save(lab, path, NULL));
            kifu_destroy(lab);
            lab = load(path, NULL, NULL);
            lab_must(lab, lab_play(lab, "+"));
            arm(at, EIO, false);
            kifu_result result = open_or_save(lab, path, opens, NULL);
            reached = calls >= at;
            arm(0, 0, false);
            kinds |= result ? strstr(kifu_last_error(lab)->message, "the new file is there") ? 1 : 2 : 4;
            ck_assert(result == KIFU_OK || result == KIFU_IO);
            if (result)
                lab_must(lab, open_or_save(lab, path, opens, NULL));
            kifu_destroy(lab);
            ck_assert_int_eq(count_files(folder), 1);
        }
        ck_assert_int_eq(kinds, 7);
    }
    remove_folder(folder);
}
END_TEST

// --- Memory ----------------------------------------------------------------------------------------------------------

static bool look_at(void *context, const kifu_save_info *info)
{
    *(int *)context += info->error == NULL;
    return true;
}

// Neither a small game that was loaded, nor a look at a file before it is replaced or goes on, keeps one in memory.
START_TEST(M08_F64_files_that_were_read_do_not_stay_in_memory)
{
    char *folder = new_folder();
    const char *path = stay_at(folder, "a.kifu"), *other = stay_at(folder, "b.kifu");
    const kifu_save_options over = {.overwrite = true};
    int seen = 0;
    const int before = mapped;
    save torn = write_torn(path);
    kifu_stream_position at = {0};
    for (int way = 0; way < 8; way++) {
        if (way < 6)
            write_bytes(path, torn.bytes, torn.size);
        kifu_timeline *lab = recover(path, NULL);
        ck_assert_int_eq(mapped, before);
        if (way == 0)
            lab_must(lab, kifu_save(lab, path, NULL));
        else if (way == 1)
            lab_must(lab, kifu_log_open(lab, path, &over));
        else if (way == 2)
            lab_must(lab, kifu_save(lab, other, NULL));
        else if (way == 3) { // Another program has changed it.
            kifu_timeline *theirs = recover(path, NULL);
            lab_must(theirs, lab_play(theirs, "-"));
            lab_must(theirs, kifu_save(theirs, path, &over));
            kifu_destroy(theirs);
            ck_assert_int_eq(kifu_save(lab, path, NULL), KIFU_CHANGED);
        } else if (way == 4) {
            lab_must(lab, kifu_save(lab, path, &over));
            kifu_destroy(lab);
            lab = load(path, NULL, NULL);
            lab_must(lab, kifu_log_open(lab, path, NULL));
            lab_must(lab, lab_play(lab, "-"));
            lab_must(lab, kifu_log_close(lab, NULL));
        } else if (way > 5) { // The log file goes on, the second time with what followers ask for.
            kifu_changes changes;
            lab_must(lab, kifu_log_open(lab, path, NULL));
            lab_must(lab, kifu_changes_since(lab, &at, &changes));
            ck_assert_uint_eq(changes.whole, way == 6);
            at = changes.until;
            kifu_free_bytes(lab, changes.bytes);
            lab_must(lab, lab_play(lab, "+"));
            lab_must(lab, kifu_log_append(lab));
        } else {
            ck_assert_int_eq(kifu_list_saves(folder, look_at, &seen, NULL, NULL), KIFU_OK);
        }
        ck_assert_msg(mapped == before, "way %d: %d files in memory", way, mapped - before);
        kifu_destroy(lab);
        (void)remove(stay_at(folder, "a.kifu.kept"));
    }
    ck_assert_int_gt(seen, 0);
    free(torn.bytes);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F64_a_damaged_file_stays_beside_the_new_one,
        F64_a_file_of_which_an_input_was_dropped_stays,
        F64_the_oldest_of_them_stays,
        F64_a_caller_may_agree_to_the_loss,
        F64_a_log_file_that_was_not_closed_leaves_no_copy,
        F64_what_a_load_left_out_stays_beside_the_new_file,
        F64_what_a_newer_version_wrote_stays_beside_the_file_of_an_older_one,
        F64_where_a_newer_version_wrote_nothing_more_no_file_is_kept,
        F64_where_a_file_has_one_name_it_is_copied,
        F64_a_process_that_dies_at_any_call_loses_neither,
        F64_memory_may_end_at_any_allocation,
        F82_a_game_that_another_program_has_played_on_is_not_overwritten,
        F82_a_game_overwrites_what_it_has_loaded_or_written_itself,
        F82_a_file_is_found_by_each_of_its_paths,
        F82_a_save_that_fails_behind_its_end_is_its_own,
        M08_F64_files_that_were_read_do_not_stay_in_memory,
    };
    return run_suite("guard", tests, sizeof tests / sizeof *tests);
}
