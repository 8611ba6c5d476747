// Saves with variations and notes (trees/), loaded by four versions of one game: all mean what trees/*.txt says. And
// what the last release's reader made of them, which knew no lines. Compiled once for each version.

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
    FILE *text = fmemopen(said, MOST, "w");
    const kifu_result result = write_meaning(text, save->bytes, save->size, tree, left_out, &error);
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

START_TEST(V06_saves_with_trees_mean_what_they_meant)
{
    static const char *const names[] = {"plain.kifu", "packed.kifu", "small.kifu"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
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
START_TEST(V11_a_tree_that_begins_from_a_state_means_what_it_meant)
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

// The reader of the last release before there were lines read the same files: README.md says how. What it said of
// each is what a reader without variations says today.
START_TEST(V06_the_last_release_reads_the_current_line_of_a_tree)
{
    static const char *const names[] = {"plain.kifu", "packed.kifu", "small.kifu"};
    for (size_t i = 0; i < sizeof names / sizeof *names && CAMP_VERSION == 3; i++) {
        const file save = read_file(names[i]);
        file expected = read_file("read_by_0.2.txt");
        char *said = meaning_of(&save, false, NULL);
        expect_meaning(names[i], said, expected.bytes);
        free(said);
    }
}
END_TEST

// The writer of that release knew no lines either: what it wrote has one, with variations or without.
START_TEST(V06_saves_of_the_last_release_are_trees_of_one_line)
{
    static const char *const names[] = {"undone", "waiting"};
    for (size_t i = 0; i < 2 * sizeof names / sizeof *names && CAMP_VERSION >= 3; i++) {
        char name[100];
        snprintf(name, sizeof name, "written_by_0.2/%s.kifu", names[i / 2]);
        const file save = read_file(name);
        snprintf(name, sizeof name, "written_by_0.2/%s.txt", names[i / 2]);
        file expected = read_file(name);
        kifu_left_out left_out;
        char *said = meaning_of(&save, i % 2, &left_out);
        expect_meaning(name, said, expected.bytes);
        ck_assert_uint_eq(left_out.lines, 0);
        free(said);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        V06_saves_with_trees_mean_what_they_meant,
        V11_a_tree_that_begins_from_a_state_means_what_it_meant,
        V06_the_last_release_reads_the_current_line_of_a_tree,
        V06_saves_of_the_last_release_are_trees_of_one_line,
    };
    return run_suite("compat_trees", tests, sizeof tests / sizeof *tests);
}
