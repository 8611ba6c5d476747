// Saves with variations and notes (trees/), loaded by four versions of one game: all mean what trees/*.txt says.
// Compiled once for each version.

#include <stdlib.h>
#include <string.h>

#include "meaning.h"
#include "suite.h"

enum { MOST = 1 << 16 };

typedef struct file {
    char bytes[MOST + 1];
    size_t size;
} file;

static file read_file(const char *name)
{
    static file file;
    char path[1000];
    const char *root = getenv("KIFU_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/tests/compat/trees/%s", root ? root : ".", name);
    FILE *stream = fopen(path, "rb");
    ck_assert_msg(stream != NULL, "%s", path);
    file.size = fread(file.bytes, 1, MOST, stream);
    file.bytes[file.size] = 0;
    fclose(stream);
    return file;
}

// What a save means to this version, as a text.
static char *meaning_of(const file *save, bool tree, kifu_left_out *left_out)
{
    char *said = malloc(MOST);
    kifu_error error;
    ck_assert_ptr_nonnull(said);
    FILE *text = tmpfile();
    ck_assert_ptr_nonnull(text);
    const kifu_result result = write_meaning(text, save->bytes, save->size, tree, left_out, &error);
    rewind(text);
    const size_t size = fread(said, 1, MOST, text);
    ck_assert_uint_lt(size, MOST);
    said[size] = '\0';
    fclose(text);
    ck_assert_msg(!result, "%s", error.message);
    return said;
}

// Rows about states go where the version has others.
static void drop_states(char *text)
{
    char *kept = text;
    for (size_t length; *text && CAMP_VERSION < 3; text += length) {
        length = strcspn(text, "\n") + 1;
        if (*text != '=') {
            memmove(kept, text, length);
            kept += length;
        }
    }
    if (CAMP_VERSION < 3)
        *kept = 0;
}

// Row by row; of the lines, `said` may lack some.
static void expect_meaning(const char *name, char *said, char *expected)
{
    bool there = true;
    drop_states(said);
    drop_states(expected);
    for (size_t length; *expected; expected += length) {
        length = strcspn(expected, "\n") + 1;
        if (!strncmp(expected, "line ", 5))
            there = !strncmp(expected, said, strcspn(expected, ","));
        if (!there)
            continue;
        ck_assert_msg(!strncmp(said, expected, length), "%s: expected\n%.*sand not\n%.200s", name, (int)length,
                      expected, said);
        said += length;
    }
    ck_assert_msg(!*said, "%s: this is too much: %s", name, said);
}

START_TEST(R08_saves_with_trees_mean_what_they_meant)
{
    static const char *const names[] = {"plain.kifu", "packed.kifu", "small.kifu", "log.kifu"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (CAMP_VERSION < 2 && !strcmp(names[i], "log.kifu"))
            continue; // Of a log file, no line is left out.
        const file save = read_file(names[i]);
        file expected = read_file("tree.txt");
        kifu_left_out left_out;
        char *said = meaning_of(&save, true, &left_out);
        expect_meaning(names[i], said, expected.bytes);
        ck_assert_uint_eq(left_out.lines, CAMP_VERSION < 2); // The one with the storm.
        ck_assert_uint_eq(left_out.notes, CAMP_VERSION < 2);
        free(said);
    }
}
END_TEST

// Older versions have no place for what is in its state.
START_TEST(R08_a_tree_that_begins_from_a_state_means_what_it_meant)
{
    if (CAMP_VERSION < 3)
        return;
    const file save = read_file("forgotten.kifu");
    file expected = read_file("forgotten.txt");
    char *said = meaning_of(&save, true, NULL);
    expect_meaning("forgotten.kifu", said, expected.bytes);
    free(said);
}
END_TEST

// Version 1 does not know what waits at the end of line 1, and leaves it out.
START_TEST(R08_a_line_on_which_an_unknown_event_waits_is_left_out_from_there_on)
{
    static const char waits[] = ", waits: one of -1's";
    const file save = read_file("waiting.kifu");
    file expected = read_file("waiting.txt");
    kifu_left_out left_out;
    char *at = strstr(expected.bytes, waits);
    ck_assert_ptr_nonnull(at);
    if (CAMP_VERSION < 2)
        memmove(at, at + strlen(waits), strlen(at + strlen(waits)) + 1);
    char *said = meaning_of(&save, true, &left_out);
    expect_meaning("waiting.kifu", said, expected.bytes);
    ck_assert_uint_eq(left_out.lines, CAMP_VERSION < 2);
    free(said);
}
END_TEST

// The text is older than lines: the last release that knew none wrote it of the same game.
START_TEST(V06_a_reader_without_variations_has_the_current_line_of_a_tree)
{
    static const char *const names[] = {"plain.kifu", "packed.kifu", "small.kifu", "log.kifu"};
    for (size_t i = 0; i < sizeof names / sizeof *names && CAMP_VERSION == 3; i++) {
        const file save = read_file(names[i]);
        file expected = read_file("line.txt");
        char *said = meaning_of(&save, false, NULL);
        expect_meaning(names[i], said, expected.bytes);
        free(said);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        R08_saves_with_trees_mean_what_they_meant,
        R08_a_tree_that_begins_from_a_state_means_what_it_meant,
        R08_a_line_on_which_an_unknown_event_waits_is_left_out_from_there_on,
        V06_a_reader_without_variations_has_the_current_line_of_a_tree,
    };
    return run_suite("compat_trees", tests, sizeof tests / sizeof *tests);
}
