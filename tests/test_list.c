// Listing saves: S07, by their headers alone.

#include <sys/stat.h>

#include "history_help.h"
#include "save_help.h"
#include "suite.h"

typedef struct listing {
    char text[4000];
    int visits;
    int stop_after;
} listing;

// "name: title, N events" or "name: !RESULT", one on each line.
static bool note(void *context, const kifu_save_info *info)
{
    listing *listing = context;
    const char *name = strrchr(info->path, '/') + 1;
    ck_assert_ptr_null(strstr(info->path, "//"));
    char *end = listing->text + strlen(listing->text);
    size_t room = sizeof listing->text - (size_t)(end - listing->text);
    if (info->error)
        snprintf(end, room, "%s: !%d\n", name, (int)info->error->result);
    else
        snprintf(end, room, "%s: %s, %u events\n", name, info->title, (unsigned)info->event_count);
    return ++listing->visits != listing->stop_after;
}

static void save_as(const char *folder, const char *name, const char *title, int events)
{
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 0; i < events; i++)
        lab_must(lab, lab_play(lab, "+"));
    const kifu_save_options options = {.title = title};
    lab_must(lab, kifu_save(lab, in_folder(folder, name), &options));
    kifu_destroy(lab);
}

START_TEST(S07_saves_are_listed_by_name_with_their_metadata)
{
    char *folder = new_folder();
    save_as(folder, "b.kifu", "Second", 2);
    save_as(folder, "a.kifu", "First", 1);
    save_as(folder, "c.kifu", "Third", 300);
    write_bytes(in_folder(folder, "notes.txt"), "no save", 7);
    write_bytes(in_folder(folder, ".kifu"), "no save", 7);
    listing listing = {.text = ""};
    ck_assert_int_eq(kifu_list_saves(folder, note, &listing, NULL, NULL), KIFU_OK);
    ck_assert_str_eq(listing.text, "a.kifu: First, 1 events\nb.kifu: Second, 2 events\nc.kifu: Third, 300 events\n");

    folder[strlen(folder) - 1] = '\0'; // without the '/'
    listing.text[0] = '\0';
    test_memory memory = {.until_failure = -1};
    ck_assert_int_eq(kifu_list_saves(folder, note, &listing, LIST_WITH(&memory), NULL), KIFU_OK);
    ck_assert_str_eq(listing.text, "a.kifu: First, 1 events\nb.kifu: Second, 2 events\nc.kifu: Third, 300 events\n");
    ck_assert_int_eq(memory.blocks, 0);
    strcat(folder, "/");
    remove_folder(folder);
}
END_TEST

START_TEST(S07_a_listing_reads_headers_only)
{
    char *folder = new_folder();
    save_as(folder, "a.kifu", "First", 50);
    size_t size;
    unsigned char *bytes = read_bytes(in_folder(folder, "a.kifu"), &size);
    size_t header = FILE_HEAD + (size_t)frame_size_at(bytes, size, FILE_HEAD);
    memset(bytes + header, 0xEE, size - header); // whatever comes behind
    write_bytes(in_folder(folder, "a.kifu"), bytes, size);
    listing listing = {.text = ""};
    ck_assert_int_eq(kifu_read_save_info(in_folder(folder, "a.kifu"), note, &listing, NULL, NULL), KIFU_OK);
    ck_assert_str_eq(listing.text, "a.kifu: First, 50 events\n");
    free(bytes);
    remove_folder(folder);
}
END_TEST

START_TEST(S07_a_large_thumbnail_comes_whole)
{
    static unsigned char image[300000];
    char *folder = new_folder();
    image[299999] = 42;
    kifu_timeline *lab = lab_new(NULL);
    const kifu_save_options options = {.title = "Big", .thumbnail = image, .thumbnail_size = sizeof image};
    lab_must(lab, kifu_save(lab, in_folder(folder, "a.kifu"), &options));
    listing listing = {.text = ""};
    test_memory memory = {.until_failure = -1};
    ck_assert_int_eq(kifu_list_saves(folder, note, &listing, LIST_WITH(&memory), NULL), KIFU_OK);
    ck_assert_str_eq(listing.text, "a.kifu: Big, 0 events\n");
    ck_assert_int_eq(memory.blocks, 0);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S07_files_that_are_no_saves_are_listed_with_the_reason)
{
    char *folder = new_folder();
    char expected[300];
    save_as(folder, "good.kifu", "Good", 1);
    write_bytes(in_folder(folder, "empty.kifu"), "", 0);
    write_bytes(in_folder(folder, "text.kifu"), "Dear diary", 10);
    ck_assert_int_eq(mkdir(in_folder(folder, "folder.kifu"), 0700), 0);
    ck_assert_int_eq(
        ON_WINDOWS ? mkdir(in_folder(folder, "pipe.kifu"), 0700) : mkfifo(in_folder(folder, "pipe.kifu"), 0600), 0);
    size_t size;
    unsigned char *bytes = read_bytes(in_folder(folder, "good.kifu"), &size);
    write_bytes(in_folder(folder, "cut.kifu"), bytes, 100);
    bytes[60] ^= 4;
    write_bytes(in_folder(folder, "flipped.kifu"), bytes, size);
    free(bytes);
    listing listing = {.text = ""};
    ck_assert_int_eq(kifu_list_saves(folder, note, &listing, NULL, NULL), KIFU_OK);
    snprintf(expected, sizeof expected,
             "cut.kifu: !%d\nempty.kifu: !%d\nflipped.kifu: !%d\nfolder.kifu: !%d\ngood.kifu: Good, 1 events\n"
             "pipe.kifu: !%d\ntext.kifu: !%d\n",
             KIFU_DAMAGED, KIFU_NOT_A_SAVE, KIFU_DAMAGED, KIFU_IO, KIFU_IO, KIFU_NOT_A_SAVE);
    ck_assert_str_eq(listing.text, expected);
    rmdir(in_folder(folder, "folder.kifu"));
    if (ON_WINDOWS)
        rmdir(in_folder(folder, "pipe.kifu"));
    remove_folder(folder);
}
END_TEST

// A frame that says it is huge, in a small file, costs nothing.
START_TEST(a_length_that_lies_is_found)
{
    char *folder = new_folder();
    save_as(folder, "a.kifu", "First", 1);
    size_t size;
    unsigned char *bytes = read_bytes(in_folder(folder, "a.kifu"), &size);
    memset(bytes + FILE_HEAD, 0xF0, 4);
    bytes = realloc(bytes, 20000);
    memset(bytes + size, 0, 20000 - size);
    write_bytes(in_folder(folder, "a.kifu"), bytes, 20000);
    kifu_error error;
    listing listing = {.text = ""};
    ck_assert_int_eq(kifu_read_save_info(in_folder(folder, "a.kifu"), note, &listing, NULL, &error), KIFU_DAMAGED);
    ck_assert_int_eq(listing.visits, 0);
    ck_assert_uint_eq(error.offset, 16);
    free(bytes);
    remove_folder(folder);
}
END_TEST

START_TEST(a_save_that_does_not_begin_with_its_header_is_listed_with_the_reason)
{
    char *folder = new_folder();
    kifu_timeline *lab = rich_game(NULL);
    save whole = save_of(lab, NULL);
    frames frames = frames_of(&whole);
    remove_frame(&frames, 0);
    save headless = save_of_frames(&frames);
    write_bytes(in_folder(folder, "a.kifu"), headless.bytes, headless.size);
    kifu_error error;
    listing listing = {.text = ""};
    ck_assert_int_eq(kifu_read_save_info(in_folder(folder, "a.kifu"), note, &listing, NULL, &error), KIFU_DAMAGED);
    ck_assert_ptr_nonnull(strstr(error.message, "first frame is of kind 2, not its header"));
    ck_assert_uint_eq(error.offset, FILE_HEAD);
    free(headless.bytes);
    free(whole.bytes);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

static bool expect_bare_path(void *context, const kifu_save_info *info)
{
    ck_assert_str_eq(info->path, "a.kifu");
    ++*(int *)context;
    return true;
}

START_TEST(a_path_of_nothing_is_the_current_folder)
{
    char *folder = new_folder();
    save_as(folder, "a.kifu", "First", 1);
    int visits = 0;
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert_int_eq(kifu_list_saves("", expect_bare_path, &visits, NULL, NULL), KIFU_OK);
    ck_assert_int_eq(visits, 1);
    ck_assert_int_eq(chdir("/"), 0);
    remove_folder(folder);
}
END_TEST

START_TEST(an_empty_folder_has_no_saves)
{
    char *folder = new_folder();
    listing listing = {.text = ""};
    ck_assert_int_eq(kifu_list_saves(folder, note, &listing, NULL, NULL), KIFU_OK);
    ck_assert_int_eq(listing.visits, 0);
    remove_folder(folder);
}
END_TEST

START_TEST(a_visitor_may_stop)
{
    char *folder = new_folder();
    save_as(folder, "a.kifu", "First", 1);
    save_as(folder, "b.kifu", "Second", 1);
    save_as(folder, "c.kifu", "Third", 1);
    listing listing = {.text = "", .stop_after = 2};
    ck_assert_int_eq(kifu_list_saves(folder, note, &listing, NULL, NULL), KIFU_OK);
    ck_assert_int_eq(listing.visits, 2);
    remove_folder(folder);
}
END_TEST

START_TEST(F63_a_folder_or_file_that_is_not_there_is_named)
{
    kifu_error error;
    listing listing = {.text = ""};
    ck_assert_int_eq(kifu_list_saves("/nowhere/at/all", note, &listing, NULL, &error), KIFU_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(error.message, "/nowhere/at/all"));
    ck_assert_int_eq(kifu_read_save_info("/nowhere.kifu", note, &listing, NULL, &error), KIFU_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(error.message, "/nowhere.kifu"));
}
END_TEST

// Larger than what a listing reads at once. Where its header's length should be, text has a large number.
START_TEST(S07_a_long_text_is_no_save_and_not_read_whole)
{
    static char text[1 << 20];
    char *folder = new_folder();
    memset(text, 'a', sizeof text);
    write_bytes(in_folder(folder, "a.kifu"), text, sizeof text);
    kifu_error error;
    listing listing = {.text = ""};
    test_memory memory = {.until_failure = -1};
    ck_assert_int_eq(kifu_read_save_info(in_folder(folder, "a.kifu"), note, &listing, LIST_WITH(&memory), &error),
                     KIFU_NOT_A_SAVE);
    ck_assert_uint_lt(memory.most, 100000);
    ck_assert_int_eq(listing.visits, 0);
    remove_folder(folder);
}
END_TEST

START_TEST(no_memory_at_any_allocation_of_a_listing_leaks_nothing)
{
    char *folder = new_folder();
    static const char *const players[] = {"Ann", "Bob"};
    const kifu_save_options options = {.title = "Title", .players = players, .player_count = 2};
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_save(lab, in_folder(folder, "a.kifu"), &options));
    lab_must(lab, kifu_save(lab, in_folder(folder, "b.kifu"), &options));
    write_bytes(in_folder(folder, "c.kifu"), "Dear diary", 10);
    kifu_destroy(lab);
    kifu_result result = KIFU_NO_MEMORY;
    for (long at = 0; result; at++) {
        test_memory memory = {.until_failure = at};
        kifu_error error;
        listing listing = {.text = ""};
        result = kifu_list_saves(folder, note, &listing, LIST_WITH(&memory), at % 2 ? NULL : &error);
        ck_assert_int_eq(memory.blocks, 0);
        ck_assert_int_eq(memory.failed, result != KIFU_OK);
        if (result) {
            ck_assert_int_eq(result, KIFU_NO_MEMORY);
            ck_assert(at % 2 || strstr(error.message, "out of memory"));
        } else
            ck_assert_int_eq(listing.visits, 3);
    }
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S07_saves_are_listed_by_name_with_their_metadata,
        S07_a_listing_reads_headers_only,
        S07_a_large_thumbnail_comes_whole,
        S07_files_that_are_no_saves_are_listed_with_the_reason,
        a_length_that_lies_is_found,
        a_save_that_does_not_begin_with_its_header_is_listed_with_the_reason,
        a_path_of_nothing_is_the_current_folder,
        an_empty_folder_has_no_saves,
        a_visitor_may_stop,
        F63_a_folder_or_file_that_is_not_there_is_named,
        S07_a_long_text_is_no_save_and_not_read_whole,
        no_memory_at_any_allocation_of_a_listing_leaks_nothing,
    };
    return run_suite("list", tests, sizeof tests / sizeof *tests);
}
