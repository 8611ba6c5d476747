// Saves where there is no operating system that Kifu knows: this program has os_plain.c in it.

#include "base/os.h"
#include "save_help.h"
#include "suite.h"

START_TEST(saves_are_written_replaced_and_loaded)
{
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
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(log_files_are_appended_to_replaced_and_closed)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL), *loaded;
    kifu_recovery recovery;
    kifu_error error;
    lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.durable = true}));
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
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    const kifu_save_options options = {.title = "Plain"};
    lab_must(lab, kifu_save(lab, path, &options));
    char title[50] = "";
    ck_assert_int_eq(kifu_read_save_info(path, see_title, title, NULL, NULL, NULL), KIFU_OK);
    ck_assert_str_eq(title, "Plain");
    kifu_error error;
    ck_assert_int_eq(kifu_list_saves(folder, see_title, title, NULL, NULL, &error), KIFU_IO);
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
    ck_assert_int_eq(kifu_load(&lab_rules, in_folder(folder, "none.kifu"), NULL, NULL, &loaded, &error), KIFU_IO);
    ck_assert_int_eq(kifu_load(&lab_rules, folder, NULL, NULL, &loaded, &error), KIFU_IO);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(random_bytes_differ_from_call_to_call)
{
    uint64_t last = 0, next;
    for (int i = 0; i < 1000; i++) {
        ck_assert(kifu__os_entropy(&next, sizeof next));
        ck_assert_uint_ne(next, last);
        last = next;
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {saves_are_written_replaced_and_loaded, log_files_are_appended_to_replaced_and_closed,
                                  a_save_says_what_it_is, failures_are_told, random_bytes_differ_from_call_to_call};
    return run_suite("plain_c", tests, sizeof tests / sizeof *tests);
}
