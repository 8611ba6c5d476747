// A game whose process is killed while it plays in every way, with a log file: what it had appended is there, and the
// game goes on in the file. KIFU_FUZZ_STEPS says how often, and KIFU_KILLED_SAYS prints when.

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "changes_tree_help.h"

enum { USUAL = 12, MOST_STEPS = 40, SHORT_WAIT = 80, LONGEST_WAIT = 600, LARGEST = 20000 };

// --- What a game is --------------------------------------------------------------------------------------------------

static void remove_each(char *text, const char *begin, const char *end)
{
    for (char *at = text; (at = strstr(at, begin));)
        remove_text(at, begin, end);
}

// A number for all of it: each line with its events and what waits there, notes, the state. But not for hashes along
// the lines, and by which rules they were found: a timeline may have forgotten some that its log file has.
static uint64_t sum_of_tree(kifu_timeline *lab)
{
    uint64_t sum = 0;
    char *text = picture_of(lab);
    remove_each(text, "\"tip_hash\"", "\n");
    remove_each(text, "\"fingerprint\"", "\n");
    remove_each(text, "\"hashes\"", "]");
    for (const char *at = text; *at; at++)
        sum = *at == ' ' || *at == '\n' ? sum : (sum ^ (unsigned char)*at) * UINT64_C(0x100000001B3);
    free(text);
    return sum;
}

// --- The process that is killed --------------------------------------------------------------------------------------

// A step is told when the game has made it, and again when it was appended.
typedef struct told {
    uint64_t sum;
    uint64_t appended;
} told;

static void tell(int to, uint64_t sum, bool appended)
{
    const told told = {sum, appended};
    if (write(to, &told, sizeof told) != sizeof told)
        _exit(2);
}

static void require(kifu_timeline *lab, kifu_result result)
{
    if (!result)
        return;
    fprintf(stderr, "%s\n", kifu_last_error(lab)->message);
    _exit(3);
}

static kifu_result load_log(const char *path, kifu_timeline **lab, kifu_error *error)
{
    return kifu_load(&lab_rules, path, &both, &(kifu_load_options){.recover = kifu_recover}, lab, error);
}

static void make_step(kifu_timeline *lab, kifu_rng *rng)
{
    (void)!walk_step(lab, kifu_rng_below(rng, UINT32_MAX));
    if (kifu_event_count(lab) > 4 && !kifu_rng_below(rng, 25))
        (void)!kifu_forget(lab, kifu_event_count(lab) - kifu_rng_below(rng, 3));
}

// Goes on in the file, or begins it, until it is killed.
static void play_until_killed(const char *path, uint32_t seed, int to)
{
    kifu_timeline *lab;
    kifu_error error;
    kifu_rng rng;
    kifu_rng_seed(&rng, seed, 10);
    const kifu_result result = load_log(path, &lab, &error);
    if (result && result != KIFU_NOT_FOUND)
        _exit(4);
    if (result)
        lab = lab_started(&both);
    uint64_t sum = sum_of_tree(lab);
    tell(to, sum, false);
    require(lab, kifu_log_open(lab, path, NULL));
    tell(to, sum, true);
    for (;;) {
        make_step(lab, &rng);
        tell(to, sum = sum_of_tree(lab), false);
        require(lab, kifu_log_append(lab));
        tell(to, sum, true);
    }
}

// --- The process that kills ------------------------------------------------------------------------------------------

// What was told up to its death.
typedef struct last_told {
    uint64_t appended; // The game, as it was appended last;
    uint64_t made;     // and as it has become then, where
    bool open;         // that may have been appended, too.
    unsigned long steps;
} last_told;

static bool read_told(int from, last_told *last)
{
    told told;
    if (read(from, &told, sizeof told) != sizeof told)
        return false;
    last->open = !told.appended;
    *(told.appended ? &last->appended : &last->made) = told.sum;
    last->steps += told.appended != 0;
    return true;
}

// So many microseconds; to sleep would take longer.
static void wait_for(uint32_t microseconds)
{
    struct timespec from, now;
    must_be(!clock_gettime(CLOCK_MONOTONIC, &from));
    do
        must_be(!clock_gettime(CLOCK_MONOTONIC, &now));
    while ((now.tv_sec - from.tv_sec) * 1000000000L + now.tv_nsec - from.tv_nsec < 1000L * microseconds);
}

// `before`: the game of the file, in which it goes on.
static last_told kill_one(const char *path, uint64_t before, uint32_t seed, uint32_t after, uint32_t wait)
{
    last_told last = {.appended = before};
    int ends[2], status;
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0)
        play_until_killed(path, seed, ends[1]);
    close(ends[1]);
    for (uint32_t i = 0; i < after && read_told(ends[0], &last);)
        i++;
    wait_for(wait);
    ck_assert_int_eq(kill(child, SIGKILL), 0);
    while (read_told(ends[0], &last))
        continue;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "it ended by itself: %d", status);
    close(ends[0]);
    return last;
}

// The game of the file, which is the one that was told; and goes on there. What it is then.
static uint64_t expect_told(const char *path, const last_told *last, unsigned long round, kifu_rng *rng)
{
    kifu_timeline *lab, *again;
    kifu_error error;
    const kifu_result result = load_log(path, &lab, &error);
    ck_assert_msg(!result, "round %lu: %s", round, error.message);
    const uint64_t sum = sum_of_tree(lab);
    ck_assert_msg(sum == last->appended || (last->open && sum == last->made),
                  "round %lu: after %lu steps, the file has another game", round, last->steps);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    make_step(lab, rng);
    lab_must(lab, kifu_log_append(lab));
    ck_assert_msg(!load_log(path, &again, &error), "round %lu, going on: %s", round, error.message);
    const uint64_t then = sum_of_tree(lab);
    ck_assert_uint_eq(sum_of_tree(again), then);
    kifu_destroy(again);
    kifu_destroy(lab);
    return then;
}

START_TEST(S04_R03_a_killed_game_with_lines_notes_and_a_forgotten_past_has_all_that_was_appended)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    const unsigned long rounds = fuzz_steps(USUAL);
    uint64_t before = 0;
    unsigned long steps = 0, inside = 0, games = 0;
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 10);
    for (unsigned long round = 0; round < rounds; round++) {
        struct stat info;
        if (!stat(path, &info) && info.st_size > LARGEST)
            unlink(path);
        const bool fresh = stat(path, &info) != 0;
        const uint32_t seed = kifu_rng_next(&rng);
        const uint32_t after = kifu_rng_below(&rng, 2 * MOST_STEPS),
                       wait = kifu_rng_below(&rng, round % 2 ? SHORT_WAIT : LONGEST_WAIT);
        const last_told last = kill_one(path, fresh ? 0 : before, seed, after, wait);
        steps += last.steps;
        inside += last.open;
        games += fresh;
        if (fresh && stat(path, &info)) { // It had no time to begin.
            must_be(!last.appended);
            continue;
        }
        before = expect_told(path, &last, round, &rng);
    }
    ck_assert_uint_gt(steps, rounds);
    if (getenv("KIFU_KILLED_SAYS"))
        printf("%lu kills in %lu games, %lu steps, %lu kills between a step and its acknowledgement\n", rounds, games,
               steps, inside);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S04_R03_a_killed_game_with_lines_notes_and_a_forgotten_past_has_all_that_was_appended};
    return run_suite("killed", tests, sizeof tests / sizeof *tests);
}
