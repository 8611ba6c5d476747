// An open log file that others write to.

#include <sys/stat.h>
#include <time.h>

#ifdef _WIN32
#include <sys/utime.h>
#endif

#include "log_file_help.h"
#include "suite.h"

static void play(kifu_timeline *lab)
{
    lab_submit_p_add(lab, 0, 1);
    lab_must(lab, kifu_run(lab));
}

static void set_time(const char *path, int64_t seconds)
{
#ifdef _WIN32
    struct _utimbuf times = {.actime = seconds, .modtime = seconds};
    ck_assert_int_eq(_utime(path, &times), 0);
#else
    const struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
#endif
}

// In place, as another program does that has it open.
static void overwrite(const char *path, size_t at, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, (long)at, SEEK_SET), 0);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

START_TEST(F56_an_overwrite_of_the_same_length_is_refused_and_kept)
{
    // Its beginning, its middle, its end, all of it; and whether the time of the change shows it.
    for (int way = 0; way < 5; way++) {
        char *folder = new_folder();
        const char *path = in_folder(folder, "a.kifu");
        kifu_timeline *lab = rich_game(NULL);
        lab_must(lab, kifu_log_open(lab, path, NULL));
        for (int i = 0; i < 5; i++) {
            play(lab);
            lab_must(lab, kifu_log_append(lab));
        }
        size_t size, later;
        unsigned char *bytes = read_bytes(path, &size);
        memset(bytes, 0x5A, size);
        if (way < 2)
            overwrite(path, way ? size / 2 : 0, bytes, 1);
        else if (way == 2)
            overwrite(path, size - 9, bytes, 1);
        else
            overwrite(path, 0, bytes, size);
        if (way < 2)
            set_time(path, 1000000000);
        free(bytes);
        bytes = read_bytes(path, &size);
        for (int i = 0; i < 3; i++) {
            play(lab);
            ck_assert_int_eq(kifu_log_append(lab), KIFU_CHANGED);
            const char *message = kifu_last_error(lab)->message;
            ck_assert_msg(names_path(message, path) && strstr(message, "has overwritten") &&
                              strstr(message, "move it away"),
                          "%s", message);
            unsigned char *now = read_bytes(path, &later);
            ck_assert_uint_eq(later, size);
            ck_assert_mem_eq(now, bytes, size);
            free(now);
        }
        free(bytes);
        ck_assert_int_eq(kifu_log_close(lab, NULL), KIFU_CHANGED);
        if (way == 4) {
            ck_assert_int_eq(rename(path, in_folder(folder, "theirs")), 0);
            lab_must(lab, kifu_log_close(lab, NULL));
            kifu_timeline *loaded;
            ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, NULL, &loaded, NULL), KIFU_OK);
            expect_same(loaded, lab);
            kifu_destroy(loaded);
        } else { // As the message says.
            ck_assert_int_eq(rename(path, in_folder(folder, "theirs")), 0);
            append(lab, path);
            play(lab);
            append(lab, path);
        }
        kifu_destroy(lab);
        remove_folder(folder);
    }
}
END_TEST

// Two timelines with one path, whose appends have equal lengths, turn by turn.
START_TEST(F56_two_timelines_with_one_path_do_not_spoil_it)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    play(lab);
    lab_must(lab, kifu_log_append(lab));
    size_t size;
    unsigned char *bytes = read_bytes(path, &size);
    play(lab);
    lab_must(lab, kifu_log_append(lab));
    const size_t grown = size_of(path) - size;
    free(bytes);
    // Another append of that length in place of the last one.
    bytes = read_bytes(path, &size);
    bytes[size - grown + 20] ^= 1;
    overwrite(path, 0, bytes, size);
    set_time(path, 1000000000); // Of two writes at once, a file system may say the same time.
    free(bytes);
    play(lab);
    ck_assert_int_eq(kifu_log_append(lab), KIFU_CHANGED);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// A copy that was put back, or a look with a new time: the bytes are as they were.
START_TEST(F56_a_file_that_was_only_touched_goes_on)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = rich_game(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int i = 0; i < 5; i++) {
        play(lab);
        struct stat before, after;
        ck_assert_int_eq(stat(path, &before), 0);
        append(lab, path);
        size_t size;
        unsigned char *bytes = read_bytes(path, &size);
        overwrite(path, 0, bytes, size);
        free(bytes);
        set_time(path, 1000000000 + i);
        play(lab);
        append(lab, path);
        ck_assert_int_eq(stat(path, &after), 0);
        ck_assert_uint_eq(before.st_ino, after.st_ino);
    }
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F56_an_overwrite_of_the_same_length_is_refused_and_kept,
        F56_two_timelines_with_one_path_do_not_spoil_it,
        F56_a_file_that_was_only_touched_goes_on,
    };
    return run_suite("overwritten", tests, sizeof tests / sizeof *tests);
}
