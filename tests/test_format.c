// schema/FORMAT.md's worked examples, byte for byte. With KIFU_EXAMPLE_FILE in the environment, the bytes that the game
// saves are written there, and those that it appends to a log file to the same name with ".commits".

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fixed_time.h"
#include "frame_help.h"
#include "suite.h"
#include "tally.h"

// The game of the example.
static kifu_timeline *play(void)
{
    const kifu_options options = {.hash_interval = 2};
    kifu_timeline *tally;
    ck_assert_int_eq(kifu_create(&tally_rules, &options, &tally, NULL), KIFU_OK);
    tally_submit_p_add(tally, 0, 5, NULL);
    tally_submit_p_add(tally, 0, 3, "hi");
    ck_assert_int_eq(kifu_run(tally), KIFU_OK);
    ck_assert_int_eq(kifu_undo(tally), KIFU_OK);
    tally_submit_p_add(tally, 1, 2, NULL);
    return tally;
}

static unsigned char *saved(kifu_timeline *tally, size_t *size)
{
    static const char *const players[] = {"Ann", "Bob"};
    const kifu_save_options options = {.players = players, .player_count = 2, .without_schema = true};
    unsigned char *bytes;
    ck_assert_int_eq(save_to_memory_at(tally, &options, 1700000000, &bytes, size), KIFU_OK);
    return bytes;
}

// The bytes of a block of hex, counted from 0: lines of "offset  bytes | words", where "00 x 12" stands for twelve.
static size_t read_example(int block, unsigned char *bytes, size_t room)
{
    char path[1000], line[400];
    const char *root = getenv("KIFU_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/schema/FORMAT.md", root ? root : ".");
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    size_t size = 0;
    bool inside = false;
    while (fgets(line, sizeof line, file)) {
        if (!strcmp(line, "```hex\n")) {
            inside = block-- == 0;
            continue;
        }
        if (!inside)
            continue;
        if (!strcmp(line, "```\n"))
            break;
        line[strcspn(line, "|\n")] = '\0';
        char *at;
        char *word = strtok_r(line, " ", &at);
        if (!word)
            continue;
        ck_assert_msg(strtoul(word, NULL, 16) == size, "the offset %s should be %zx", word, size);
        for (word = strtok_r(NULL, " ", &at); word; word = strtok_r(NULL, " ", &at)) {
            unsigned long times = 1;
            if (!strcmp(word, "x")) {
                word = strtok_r(NULL, " ", &at);
                times = strtoul(word, NULL, 10) - 1;
                word = NULL;
            }
            for (unsigned long i = 0; i < times; i++, size++) {
                ck_assert_uint_lt(size, room);
                bytes[size] = word ? (unsigned char)strtoul(word, NULL, 16) : bytes[size - 1];
            }
        }
    }
    fclose(file);
    return size;
}

// Compares with a block, and writes the bytes to where whoever edits FORMAT.md wants them.
static void expect_example(int block, const unsigned char *bytes, size_t size, const char *ending)
{
    unsigned char example[4096];
    char path[1000];
    size_t example_size = read_example(block, example, sizeof example);
    const char *name = getenv("KIFU_EXAMPLE_FILE");
    snprintf(path, sizeof path, "%s%s", name ? name : "", ending);
    FILE *file = name ? fopen(path, "wb") : NULL;
    if (file) {
        fwrite(bytes, 1, size, file);
        fclose(file);
    }
    for (size_t i = 0; i < size && i < example_size; i++)
        ck_assert_msg(bytes[i] == example[i], "byte %zx is %02x, in FORMAT.md %02x", i, bytes[i], example[i]);
    ck_assert_uint_eq(size, example_size);
}

// The number of the stream in the example.
bool __wrap_kifu__os_entropy(void *bytes, size_t size);
bool __wrap_kifu__os_entropy(void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)bytes)[i] = (unsigned char)(0xA1 + i);
    return true;
}

START_TEST(the_example_is_what_this_game_saves)
{
    size_t size;
    kifu_timeline *tally = play();
    unsigned char *bytes = saved(tally, &size);
    expect_example(0, bytes, size, "");
    kifu_free_bytes(tally, bytes);
    kifu_destroy(tally);
}
END_TEST

START_TEST(the_example_loads)
{
    unsigned char example[4096];
    size_t size = read_example(0, example, sizeof example);
    kifu_timeline *tally;
    kifu_error error = {0};
    for (int way = 0; way < 2; way++) {
        const kifu_load_options options = {.fast = way};
        ck_assert_msg(kifu_load_from_memory(&tally_rules, example, size, NULL, &options, &tally, &error) == KIFU_OK,
                      "%s", error.message);
        ck_assert_uint_eq(kifu_event_count(tally), 1);
        ck_assert_uint_eq(kifu_pending_count(tally), 1);
        ck_assert_int_eq(tally_get_state(tally)->total, 5);
        ck_assert_int_eq(kifu_run(tally), KIFU_OK);
        ck_assert_int_eq(tally_get_state(tally)->total, 7);
        kifu_destroy(tally);
    }
}
END_TEST

static unsigned char *read_log(const char *path, size_t *size)
{
    unsigned char *bytes = malloc(4096);
    FILE *file = fopen(path, "rb");
    ck_assert(file && bytes);
    *size = fread(bytes, 1, 4096, file);
    fclose(file);
    return bytes;
}

// The game with lines: its log file when it was opened, and one commit with the undo and what was played instead.
START_TEST(R03_the_commits_are_those_of_the_example)
{
    const kifu_options options = {.keep_variations = kifu_keep_variations};
    const kifu_save_options bare = {.without_schema = true, .without_snapshot = true};
    char path[] = "/tmp/kifu_format_XXXXXX";
    const int made = mkstemp(path);
    kifu_timeline *tally;
    ck_assert_int_ge(made, 0);
    close(made);
    ck_assert_int_eq(kifu_create(&tally_rules, &options, &tally, NULL), KIFU_OK);
    tally_submit_p_add(tally, 0, 5, NULL);
    tally_submit_p_add(tally, 0, 3, "hi");
    ck_assert_int_eq(kifu_run(tally), KIFU_OK);
    fixed_time = 1700000000; // It is in the header, so it is in the links.
    ck_assert_int_eq(kifu_log_open(tally, path, &bare), KIFU_OK);
    fixed_time = 0;
    ck_assert_int_eq(kifu_undo(tally), KIFU_OK);
    tally_submit_p_add(tally, 0, 2, NULL);
    ck_assert_int_eq(kifu_run(tally), KIFU_OK);
    ck_assert_int_eq(kifu_log_append(tally), KIFU_OK);
    size_t size;
    uint64_t first = FILE_HEAD;
    unsigned char *bytes = read_log(path, &size);
    (void)read_frame(bytes, size, &first);
    expect_example(1, bytes + first, size - (size_t)first, ".commits");
    free(bytes);
    kifu_destroy(tally);
    ck_assert_int_eq(unlink(path), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {the_example_is_what_this_game_saves, the_example_loads,
                                  R03_the_commits_are_those_of_the_example};
    return run_suite("format", tests, sizeof tests / sizeof *tests);
}
