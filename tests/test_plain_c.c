// Saves where there is no operating system that Kifu knows: this program has os_plain.c in it.

#include <errno.h>
#include <limits.h>
#include <time.h>

#include "base/os.h"
#include "save_help.h"
#include "suite.h"

// --- The C library ---------------------------------------------------------------------------------------------------

static int fault_at;         // Which call fails: 0 none, else its number from now on.
static int calls;            // So many since `arm`.
static unsigned bad_renames; // Bit n: the rename with that number from now on fails.
static int renames;
static bool read_failed;

static void arm(int at, unsigned bad)
{
    fault_at = at;
    bad_renames = bad;
    calls = renames = 0;
    read_failed = false;
}

static bool fault(void)
{
    errno = EIO;
    return ++calls == fault_at;
}

int __real_fseek(FILE *file, long offset, int from);
size_t __real_fread(void *bytes, size_t size, size_t count, FILE *file);
int __real_ferror(FILE *file);
size_t __real_fwrite(const void *bytes, size_t size, size_t count, FILE *file);
int __real_fflush(FILE *file);
int __real_fclose(FILE *file);
FILE *__real_fopen(const char *path, const char *mode);
int __real_timespec_get(struct timespec *now, int base);
int __real_rename(const char *from, const char *to);
int __wrap_fseek(FILE *file, long offset, int from);
size_t __wrap_fread(void *bytes, size_t size, size_t count, FILE *file);
int __wrap_ferror(FILE *file);
size_t __wrap_fwrite(const void *bytes, size_t size, size_t count, FILE *file);
int __wrap_fflush(FILE *file);
int __wrap_fclose(FILE *file);
FILE *__wrap_fopen(const char *path, const char *mode);
int __wrap_timespec_get(struct timespec *now, int base);
int __wrap_rename(const char *from, const char *to);

int __wrap_fseek(FILE *file, long offset, int from)
{
    return fault() ? -1 : __real_fseek(file, offset, from);
}

size_t __wrap_fread(void *bytes, size_t size, size_t count, FILE *file)
{
    read_failed = fault();
    return read_failed ? 0 : __real_fread(bytes, size, count, file);
}

int __wrap_ferror(FILE *file)
{
    return read_failed || __real_ferror(file);
}

size_t __wrap_fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
    return fault() ? 0 : __real_fwrite(bytes, size, count, file);
}

int __wrap_fflush(FILE *file)
{
    return fault() ? EOF : __real_fflush(file);
}

static bool cannot_open_again;

FILE *__wrap_fopen(const char *path, const char *mode)
{
    return cannot_open_again && mode[0] == 'r' && mode[1] == '+' ? NULL : __real_fopen(path, mode);
}

static bool without_clock;

int __wrap_timespec_get(struct timespec *now, int base)
{
    return without_clock ? 0 : __real_timespec_get(now, base);
}

int __wrap_fclose(FILE *file)
{
    const bool bad = fault();
    return __real_fclose(file) || bad ? EOF : 0;
}

static bool never_replaces; // rename fails where there is a file already, as on some systems.

int __wrap_rename(const char *from, const char *to)
{
    if (never_replaces && access(to, F_OK) == 0)
        return -1;
    return bad_renames >> renames++ & 1 ? -1 : __real_rename(from, to);
}

// --- Saves -----------------------------------------------------------------------------------------------------------

START_TEST(saves_are_written_replaced_and_loaded)
{
    const int before_all = open_files();
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL), *loaded;
    kifu_error error;
    for (int i = 0; i < 2; i++) {
        lab_must(lab, kifu_save(lab, path, NULL));
        ck_assert_int_eq(count_files(folder), 1);
        ck_assert_msg(kifu_load(&lab_rules, path, NULL, NULL, &loaded, &error) == KIFU_OK, "%s", error.message);
        lab_picture before = lab_look(lab);
        lab_same(loaded, &before);
        kifu_destroy(loaded);
        lab_must(lab, kifu_run(lab));
    }
    lab_must(lab, kifu_save(lab, folder, NULL));
    lab_must(lab, kifu_save(lab, folder, NULL));
    ck_assert_int_eq(count_files(folder), 3);
    ck_assert_int_eq(open_files(), before_all);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(F57_log_files_are_appended_to_replaced_and_closed_but_cannot_be_durable)
{
    const int before_all = open_files();
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL), *loaded;
    kifu_recovery recovery;
    kifu_error error;
    ck_assert_int_eq(kifu_log_open(lab, path, &(kifu_save_options){.durable = true}), KIFU_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, "cannot wait for the disk (plain C)"));
    ck_assert_int_eq(count_files(folder), 0);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int i = 0; i < 3; i++) {
        if (i == 2) // then it is written anew
            unlink(path);
        lab_must(lab, lab_play(lab, "+(+)"));
        lab_must(lab, kifu_log_append(lab));
        const kifu_load_options options = {.recover = kifu_recover, .recovery = &recovery};
        ck_assert_msg(kifu_load(&lab_rules, path, NULL, &options, &loaded, &error) == KIFU_OK, "%s", error.message);
        ck_assert_uint_eq(recovery.dropped, 0);
        ck_assert_int_eq(recovery.why.result, KIFU_DAMAGED);
        expect_same(loaded, lab);
        kifu_destroy(loaded);
    }
    lab_must(lab, kifu_log_close(lab, NULL));
    ck_assert_int_eq(open_files(), before_all);
    ck_assert_int_eq(count_files(folder), 1);
    ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, NULL, &loaded, &error), KIFU_OK);
    expect_same(loaded, lab);
    kifu_destroy(loaded);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

static bool see_title(void *context, const kifu_save_info *info)
{
    snprintf((char *)context, 50, "%s", info->title);
    return true;
}

START_TEST(a_save_says_what_it_is)
{
    static char image[300000]; // longer than what is read at first
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    const kifu_save_options options = {.title = "Plain", .thumbnail = image, .thumbnail_size = sizeof image};
    lab_must(lab, kifu_save(lab, path, &options));
    char title[50] = "";
    ck_assert_int_eq(kifu_read_save_info(path, see_title, title, NULL, NULL), KIFU_OK);
    ck_assert_str_eq(title, "Plain");
    kifu_error error;
    ck_assert_int_eq(kifu_list_saves(folder, see_title, title, NULL, &error), KIFU_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(error.message, "knows no folders"));
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(failures_are_told)
{
    char *folder = new_folder();
    kifu_timeline *lab = lab_new(NULL), *loaded;
    kifu_error error;
    ck_assert_int_eq(kifu_save(lab, "/nowhere/at/all.kifu", NULL), KIFU_IO);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, "/nowhere/at/all.kifu"));
    ck_assert_int_eq(kifu_load(&lab_rules, in_folder(folder, "none.kifu"), NULL, NULL, &loaded, &error),
                     KIFU_NOT_FOUND);
    ck_assert_int_eq(kifu_load(&lab_rules, folder, NULL, NULL, &loaded, &error), KIFU_IO);
    write_bytes(in_folder(folder, "empty.kifu"), "", 0);
    ck_assert_int_eq(kifu_load(&lab_rules, in_folder(folder, "empty.kifu"), NULL, NULL, &loaded, &error),
                     KIFU_NOT_A_SAVE);
    const kifu__memory memory = {0};
    kifu__file file = {.bytes = (unsigned char *)folder};
    uint64_t size;
    ck_assert_int_eq(kifu__os_read(in_folder(folder, "none.kifu"), 10, &memory, &file, &size, &error), KIFU_NOT_FOUND);
    ck_assert_ptr_null(file.bytes); // The caller releases it, whatever happens.
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

static void must_load(const char *path, uint32_t events)
{
    kifu_timeline *loaded;
    kifu_error error;
    ck_assert_msg(kifu_load(&lab_rules, path, NULL, NULL, &loaded, &error) == KIFU_OK, "%s", error.message);
    ck_assert_uint_eq(kifu_event_count(loaded), events);
    kifu_destroy(loaded);
}

START_TEST(a_save_that_fails_leaves_the_old_file)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_save(lab, path, NULL));
    lab_must(lab, lab_play(lab, "+"));
    kifu_result result;
    int at = 0;
    do {
        arm(++at, 0);
        result = kifu_save(lab, path, NULL);
        const bool reached = calls >= at;
        arm(0, 0);
        ck_assert_int_eq(result, reached ? KIFU_IO : KIFU_OK);
        must_load(path, reached ? 0 : 1);
        ck_assert_int_eq(count_files(folder), 1);
    } while (result);
    ck_assert_int_gt(at, 3);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// Where rename does not replace a file.
START_TEST(the_old_file_steps_aside_and_comes_back)
{
    static const struct {
        unsigned bad_renames;
        kifu_result result;
    } cases[] = {{1, KIFU_OK}, {1 | 2, KIFU_IO}, {1 | 4, KIFU_IO}};
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    uint32_t there = 0;
    lab_must(lab, kifu_save(lab, path, NULL));
    for (int i = 0; i < 3; i++) {
        lab_must(lab, lab_play(lab, "+"));
        arm(0, cases[i].bad_renames);
        ck_assert_int_eq(kifu_save(lab, path, NULL), cases[i].result);
        arm(0, 0);
        there = cases[i].result ? there : kifu_event_count(lab);
        must_load(path, there);
        ck_assert_int_eq(count_files(folder), 1);
    }
    arm(0, 1 | 4 | 8);
    ck_assert_int_eq(kifu_save(lab, path, NULL), KIFU_IO);
    arm(0, 0);
    must_load(in_folder(folder, "a.kifu.old"), there); // It cannot come back.
    ck_assert_int_eq(count_files(folder), 1);
    never_replaces = true;
    for (int i = 0; i < 2; i++) {
        write_bytes(in_folder(folder, "a.kifu.old"), "", 0); // a crash left it
        lab_must(lab, kifu_save(lab, path, NULL));
        must_load(path, kifu_event_count(lab));
    }
    never_replaces = false;
    ck_assert_int_eq(count_files(folder), 1);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// So many blocks can still be had, and so many are in use.
typedef struct few_blocks {
    int left;
    int used;
} few_blocks;

static void *allocate_few(void *context, void *block, size_t size)
{
    few_blocks *blocks = context;
    if (!size) {
        blocks->used -= block != NULL;
        free(block);
        return NULL;
    }
    if (!blocks->left)
        return NULL;
    blocks->left--;
    blocks->used += !block;
    return realloc(block, size);
}

START_TEST(a_file_for_which_there_is_no_memory)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    few_blocks blocks = {.left = 1};
    const kifu__memory memory = {allocate_few, &blocks};
    kifu__replacement replacement;
    kifu_error error;
    ck_assert_int_eq(kifu__os_replace_begin(path, &memory, &replacement, &error), KIFU_OK);
    ck_assert_int_eq(kifu__os_replace_write(&replacement, "a", 1, &error), KIFU_OK);
    arm(0, 1); // The old one's other name takes memory.
    ck_assert_int_eq(kifu__os_replace_commit(&replacement, NULL, &error), KIFU_IO);
    arm(0, 0);
    ck_assert_int_eq(blocks.used, 0);
    ck_assert_int_eq(count_files(folder), 0);
    blocks.left = 1;
    ck_assert_int_eq(kifu__os_replace_begin(path, &memory, &replacement, &error), KIFU_OK);
    ck_assert_int_eq(kifu__os_replace_write(&replacement, "a", 1, &error), KIFU_OK);
    ck_assert_int_eq(kifu__os_replace_commit(&replacement, NULL, &error), KIFU_OK);
    ck_assert_int_eq(kifu__os_replace_begin(path, &memory, &replacement, &error), KIFU_NO_MEMORY);
    kifu__file file;
    uint64_t size;
    ck_assert_int_eq(kifu__os_read(path, 10, &memory, &file, &size, &error), KIFU_NO_MEMORY);
    for (int at = 1; at <= 3; at++) { // fseek, fseek, fread
        blocks.left = 1;
        arm(at, 0);
        ck_assert_int_eq(kifu__os_read(path, 10, &memory, &file, &size, &error), KIFU_IO);
        ck_assert_ptr_null(file.bytes);
        ck_assert_int_eq(blocks.used, 0);
    }
    arm(0, 0);
    blocks.left = 1;
    ck_assert_int_eq(kifu__os_read(path, 10, &memory, &file, &size, &error), KIFU_OK);
    ck_assert_uint_eq(file.size, 1);
    ck_assert_int_eq(blocks.used, 1);
    kifu__os_release(&file, &memory);
    ck_assert_int_eq(blocks.used, 0);
    remove_folder(folder);
}
END_TEST

START_TEST(a_file_that_is_replaced_gives_all_memory_back)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    few_blocks blocks = {.left = 100};
    const kifu__memory memory = {allocate_few, &blocks};
    kifu__replacement replacement;
    kifu_error error;
    write_bytes(path, "a", 1);
    for (unsigned bad = 0; bad < 16; bad++) { // renames that fail
        ck_assert_int_eq(kifu__os_replace_begin(path, &memory, &replacement, &error), KIFU_OK);
        arm(0, bad);
        (void)!kifu__os_replace_commit(&replacement, NULL, &error);
        arm(0, 0);
        ck_assert_int_eq(blocks.used, 0);
    }
    remove_folder(folder);
}
END_TEST

START_TEST(a_log_file_that_cannot_be_written_says_so)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int at = 4; at <= 6; at++) { // fseek, fwrite, fflush, behind the look for the file and at its end
        lab_must(lab, lab_play(lab, "+"));
        arm(at, 0);
        ck_assert_int_eq(kifu_log_append(lab), KIFU_IO);
        arm(0, 0);
    }
    lab_must(lab, kifu_log_append(lab));
    lab_must(lab, kifu_log_close(lab, NULL));
    must_load(path, 3);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// Its file was closed, for a system that lets nobody take an open file's name.
START_TEST(a_log_file_that_cannot_be_closed_goes_on)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    uint32_t events = 0;
    for (int at = 1; at <= 12; at++) {
        arm(at, at > 10 ? 3 : 0); // also where nothing can take its place
        const kifu_result result = kifu_log_close(lab, NULL);
        arm(0, 0);
        if (!result) {
            lab_must(lab, kifu_log_open(lab, path, NULL));
            continue;
        }
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, kifu_log_append(lab));
        kifu_recovery recovery;
        const kifu_load_options options = {.recover = kifu_recover, .recovery = &recovery};
        kifu_timeline *loaded;
        ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, &options, &loaded, NULL), KIFU_OK);
        ck_assert_uint_eq(kifu_event_count(loaded), ++events);
        kifu_destroy(loaded);
    }
    ck_assert_uint_ge(events, 3);
    lab_must(lab, kifu_log_close(lab, NULL));
    must_load(path, events);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(a_log_file_that_cannot_be_opened_again_is_there)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    cannot_open_again = true;
    ck_assert_int_eq(kifu_log_open(lab, path, NULL), KIFU_IO);
    cannot_open_again = false;
    ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, "the new file is there"));
    ck_assert_int_eq(count_files(folder), 1);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, kifu_log_close(lab, NULL));
    must_load(path, 0);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// fseek takes a long.
START_TEST(a_log_file_ends_where_plain_c_cannot_count_on)
{
    kifu__open_file file = {.stream = tmpfile()};
    kifu_error error;
    ck_assert_ptr_nonnull(file.stream);
    ck_assert_int_eq(kifu__os_append(&file, "large.kifu", (uint64_t)LONG_MAX + 1, "a", 1, &error), KIFU_IO);
    ck_assert_ptr_nonnull(strstr(error.message, "'large.kifu' is larger"));
    ck_assert_int_eq(kifu__os_append(&file, "large.kifu", 3, "a", 1, &error), KIFU_OK);
    ck_assert_int_eq(ftell((FILE *)file.stream), 4);
    kifu__os_close(&file);
}
END_TEST

START_TEST(without_a_clock_no_name_is_found_for_the_new_file)
{
    char *folder = new_folder();
    kifu_timeline *lab = lab_new(NULL);
    without_clock = true;
    ck_assert_int_eq(kifu_save(lab, in_folder(folder, "a.kifu"), NULL), KIFU_IO);
    without_clock = false;
    ck_assert_int_eq(count_files(folder), 0);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(random_bytes_differ_from_call_to_call_and_from_bit_to_bit)
{
    uint64_t last = 0, next;
    unsigned char guarded[9];
    int set[64] = {0}, written = 0;
    for (int i = 0; i < 1000; i++) {
        ck_assert(kifu__os_entropy(&next, sizeof next));
        ck_assert_uint_ne(next, last);
        last = next;
        for (int bit = 0; bit < 64; bit++)
            set[bit] += (int)(next >> bit & 1);
        guarded[8] = 0xa5;
        ck_assert(kifu__os_entropy(guarded, 8));
        written += guarded[8] != 0xa5;
    }
    ck_assert_int_eq(written, 0);
    for (int bit = 0; bit < 64; bit++)
        ck_assert_msg(set[bit] > 300 && set[bit] < 700, "bit %d is set in %d of 1000", bit, set[bit]);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {saves_are_written_replaced_and_loaded,
                                  F57_log_files_are_appended_to_replaced_and_closed_but_cannot_be_durable,
                                  a_save_says_what_it_is,
                                  failures_are_told,
                                  a_save_that_fails_leaves_the_old_file,
                                  the_old_file_steps_aside_and_comes_back,
                                  a_file_for_which_there_is_no_memory,
                                  a_file_that_is_replaced_gives_all_memory_back,
                                  a_log_file_that_cannot_be_written_says_so,
                                  a_log_file_that_cannot_be_closed_goes_on,
                                  a_log_file_that_cannot_be_opened_again_is_there,
                                  a_log_file_ends_where_plain_c_cannot_count_on,
                                  without_a_clock_no_name_is_found_for_the_new_file,
                                  random_bytes_differ_from_call_to_call_and_from_bit_to_bit};
    return run_suite("plain_c", tests, sizeof tests / sizeof *tests);
}
