// The same game gives the same bytes: random walks (tests/walk) through four games write saves, packed saves, log files
// and changes, and pinned/same_bytes.txt has the checksums of all of them. If what they write has changed on purpose,
// let KIFU_PINNED_FILE name that file, which is then written, and look at the difference.

#include <kifu/codec.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/os.h"
#include "fixed_time.h"
#include "frame_help.h"
#include "suite.h"
#include "walk.h"

// --- What is written -------------------------------------------------------------------------------------------------

enum { PLAIN, PACKED, FILES, CHANGES, LOADS, WHATS };

typedef struct digest {
    uint64_t count;
    uint32_t crc;
} digest;

static digest *digests; // Shared with the process that walks.

static void add(int what, const void *bytes, size_t size)
{
    digests[what].count += size;
    digests[what].crc = crc_of(digests[what].crc, bytes, size);
}

kifu_result __real_kifu_save_to_memory(kifu_timeline *timeline, const kifu_save_options *options, unsigned char **bytes,
                                       size_t *size);
kifu_result __wrap_kifu_save_to_memory(kifu_timeline *timeline, const kifu_save_options *options, unsigned char **bytes,
                                       size_t *size);
kifu_result __wrap_kifu_save_to_memory(kifu_timeline *timeline, const kifu_save_options *options, unsigned char **bytes,
                                       size_t *size)
{
    kifu_save_options own = options ? *options : (kifu_save_options){.title = NULL};
    own.codec = own.codec ? &kifu_compact : NULL; // What a compressor makes depends on its version.
    const kifu_result result = __real_kifu_save_to_memory(timeline, &own, bytes, size);
    if (!result)
        add(own.codec ? PACKED : PLAIN, *bytes, *size);
    return result;
}

kifu_result __real_kifu_log_close(kifu_timeline *timeline, const kifu_save_options *options);
kifu_result __wrap_kifu_log_close(kifu_timeline *timeline, const kifu_save_options *options);
kifu_result __wrap_kifu_log_close(kifu_timeline *timeline, const kifu_save_options *options)
{
    kifu_save_options own = options ? *options : (kifu_save_options){.title = NULL};
    own.codec = own.codec ? &kifu_compact : NULL;
    return __real_kifu_log_close(timeline, options ? &own : NULL);
}

kifu_result __real_kifu_changes_since(kifu_timeline *timeline, const kifu_stream_position *since,
                                      kifu_changes *changes);
kifu_result __wrap_kifu_changes_since(kifu_timeline *timeline, const kifu_stream_position *since,
                                      kifu_changes *changes);
kifu_result __wrap_kifu_changes_since(kifu_timeline *timeline, const kifu_stream_position *since, kifu_changes *changes)
{
    const kifu_result result = __real_kifu_changes_since(timeline, since, changes);
    add(CHANGES, changes->bytes, changes->size);
    add(CHANGES, &changes->until.commit, sizeof changes->until.commit);
    return result;
}

kifu_result __real_kifu__os_append(kifu__open_file *file, const char *path, uint64_t offset, const void *bytes,
                                   size_t size, kifu_error *error);
kifu_result __wrap_kifu__os_append(kifu__open_file *file, const char *path, uint64_t offset, const void *bytes,
                                   size_t size, kifu_error *error);
kifu_result __wrap_kifu__os_append(kifu__open_file *file, const char *path, uint64_t offset, const void *bytes,
                                   size_t size, kifu_error *error)
{
    const kifu_result result = __real_kifu__os_append(file, path, offset, bytes, size, error);
    add(FILES, &offset, sizeof offset);
    if (!result)
        add(FILES, bytes, size);
    return result;
}

kifu_result __real_kifu__os_replace_write(kifu__replacement *replacement, const void *bytes, size_t size,
                                          kifu_error *error);
kifu_result __wrap_kifu__os_replace_write(kifu__replacement *replacement, const void *bytes, size_t size,
                                          kifu_error *error);
kifu_result __wrap_kifu__os_replace_write(kifu__replacement *replacement, const void *bytes, size_t size,
                                          kifu_error *error)
{
    const kifu_result result = __real_kifu__os_replace_write(replacement, bytes, size, error);
    if (!result)
        add(FILES, bytes, size);
    return result;
}

// What a load says: what it left out, and what recovery dropped.
static void add_load(const kifu_load_options *options)
{
    if (options && options->left_out) {
        const uint64_t counts[] = {options->left_out->lines, options->left_out->notes, options->left_out->why.result};
        add(LOADS, counts, sizeof counts);
    }
    if (options && options->recovery) {
        const uint64_t counts[] = {options->recovery->dropped, options->recovery->why.result};
        add(LOADS, counts, sizeof counts);
    }
}

kifu_result __real_kifu_load(const kifu_rules *rules, const char *path, const kifu_options *options,
                             const kifu_load_options *load_options, kifu_timeline **timeline, kifu_error *error);
kifu_result __wrap_kifu_load(const kifu_rules *rules, const char *path, const kifu_options *options,
                             const kifu_load_options *load_options, kifu_timeline **timeline, kifu_error *error);
kifu_result __wrap_kifu_load(const kifu_rules *rules, const char *path, const kifu_options *options,
                             const kifu_load_options *load_options, kifu_timeline **timeline, kifu_error *error)
{
    const kifu_result result = __real_kifu_load(rules, path, options, load_options, timeline, error);
    add_load(load_options);
    return result;
}

// The number of a stream.
static unsigned char streams;

bool __wrap_kifu__os_entropy(void *bytes, size_t size);
bool __wrap_kifu__os_entropy(void *bytes, size_t size)
{
    memset(bytes, ++streams, size);
    return true;
}

int __wrap_fsync(int file);

// No power fails here, and disks are slow.
int __wrap_fsync(int file)
{
    (void)file;
    return 0;
}

// --- The walks -------------------------------------------------------------------------------------------------------

// Operations that play and write, and how likely each is.
static const struct {
    const char *name;
    uint32_t weight;
} kinds[] = {{"submit_run", 26}, {"submit_step", 12}, {"submit", 7}, {"run", 4},        {"step", 6},
             {"play", 8},        {"engine", 10},      {"turn", 8},   {"set_action", 6}, {"drop", 2},
             {"override", 3},    {"undo", 22},        {"redo", 8},   {"go_to", 20},     {"go_left", 6},
             {"promote", 4},     {"delete", 5},       {"note", 14},  {"forget", 2},     {"begin", 3},
             {"commit", 4},      {"roll_back", 3},    {"save", 16},  {"reload", 5},     {"later", 2},
             {"log_open", 5},    {"append", 12},      {"torn", 2},   {"log_close", 3},  {"kill", 3},
             {"fork", 1},        {"follow", 24}};
enum { KINDS = sizeof kinds / sizeof *kinds, PLANS = 60, TOGETHER = 5, STEPS = 80 };

static uint32_t number_of(const char *name)
{
    uint32_t number = 0;
    while (number < walk_kind_count && strcmp(walk_kinds[number].name, name) != 0)
        number++;
    ck_assert_uint_lt(number, walk_kind_count);
    return number;
}

static uint32_t draw_kind(kifu_rng *rng)
{
    uint32_t total = 0, kind = 0;
    for (uint32_t i = 0; i < KINDS; i++)
        total += kinds[i].weight;
    uint32_t left = kifu_rng_below(rng, total);
    while (left >= kinds[kind].weight)
        left -= kinds[kind++].weight;
    return number_of(kinds[kind].name);
}

static void make_plan(walk_plan *plan, uint32_t game, uint32_t number)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, number, game);
    *plan = (walk_plan){.count = STEPS};
    plan->config = (walk_config){.game = game,
                                 .no_variations = number % 5 == 3,
                                 .no_notes = number % 7 == 5,
                                 .logged = number % 2,
                                 .promotes = number % 3 == 2,
                                 .hash_interval = number % 3 ? 3 : 0};
    for (uint32_t i = 0; i < STEPS; i++) {
        walk_op *op = &plan->ops[i];
        *op = (walk_op){.kind = draw_kind(&rng)};
        op->a = kifu_rng_next(&rng);
        op->b = kifu_rng_next(&rng);
    }
}

// A line for so many walks.
static const char *walk_through(uint32_t game, uint32_t first, const char *path)
{
    static char line[300];
    static const char *const names[WHATS] = {"plain", "packed", "files", "changes", "loads"};
    memset(digests, 0, WHATS * sizeof *digests);
    const pid_t child = fork();
    for (uint32_t number = first; child == 0 && number < first + TOGETHER; number++) {
        walk_plan plan;
        make_plan(&plan, game, number);
        walk_run(&plan, path, NULL);
    }
    if (child == 0)
        _exit(0);
    int status = 1;
    ck_assert(waitpid(child, &status, 0) == child && !status);
    int used = snprintf(line, sizeof line, "%s %u:", walk_games[game].name, (unsigned)first);
    for (int i = 0; i < WHATS; i++)
        used += snprintf(line + used, sizeof line - (size_t)used, " %s %llu %08x", names[i],
                         (unsigned long long)digests[i].count, (unsigned)digests[i].crc);
    return line;
}

// --- The test --------------------------------------------------------------------------------------------------------

static FILE *open_expected(const char *mode)
{
    char path[1000];
    const char *root = getenv("KIFU_SOURCE_DIR"), *written = getenv("KIFU_PINNED_FILE");
    snprintf(path, sizeof path, "%s/tests/pinned/same_bytes.txt", root ? root : ".");
    FILE *file = fopen(written ? written : path, written ? mode : "r");
    ck_assert_ptr_nonnull(file);
    return file;
}

static void expect_line(FILE *file, uint32_t game, uint32_t number, const char *line)
{
    char expected[300];
    char *end = fgets(expected, sizeof expected, file);
    ck_assert_msg(end != NULL, "same_bytes.txt ends in front of \"%s\"", line);
    expected[strcspn(expected, "\n")] = '\0';
    ck_assert_msg(!strcmp(expected, line), "game %u, walks from %u on: \"%s\", in same_bytes.txt \"%s\"",
                  (unsigned)game, (unsigned)number, line, expected);
}

static void remove_all(const char *folder)
{
    DIR *stream = opendir(folder);
    for (const struct dirent *entry; stream && (entry = readdir(stream));) {
        char path[500];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    closedir(stream);
    rmdir(folder);
}

START_TEST(R03_random_games_give_the_bytes_that_they_always_gave)
{
    const char *memory = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm", *set = getenv("TMPDIR");
    char folder[150], path[180];
    snprintf(folder, sizeof folder, "%.120s/kifu-same-XXXXXX", set && *set ? set : memory);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/game.kifu", folder);
    FILE *expected = open_expected("w");
    digests = (digest *)mmap(NULL, WHATS * sizeof *digests, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(digests != MAP_FAILED);
    const bool writes = getenv("KIFU_PINNED_FILE") != NULL;
    fixed_time = 1700000000;
    signal(SIGXFSZ, SIG_IGN);
    for (uint32_t game = 0; game < walk_game_count; game++) {
        for (uint32_t number = 0; number < PLANS; number += TOGETHER) {
#ifdef SUITE_PART // With sanitizers, a part of them.
            char skipped[300];
            if (!writes && number / TOGETHER % SUITE_PART) {
                ck_assert(fgets(skipped, sizeof skipped, expected));
                continue;
            }
#endif
            const char *line = walk_through(game, number, path);
            if (writes)
                fprintf(expected, "%s\n", line);
            else
                expect_line(expected, game, number, line);
        }
    }
    fclose(expected);
    remove_all(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {R03_random_games_give_the_bytes_that_they_always_gave};
    return run_suite("same_bytes", tests, sizeof tests / sizeof *tests);
}
