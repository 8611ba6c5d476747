// How many edits an input may make: a Do function that never ends takes no more memory than that.

#include <stdlib.h>
#include <string.h>

#include "lab_help.h"
#include "save_help.h"
#include "suite.h"

// The least that the limit may be. Each '+' of a script is one edit.
enum { LIMIT = 65536 };

static const kifu_options least = {.max_edits = 1};

static void must_say(const kifu_timeline *lab, const char *words)
{
    const char *message = kifu_last_error(lab)->message;
    ck_assert_msg(strstr(message, words) != NULL, "%s", message);
}

// A script: `part` so many times, and then `end`.
static char *script_of(const char *part, uint32_t times, const char *end)
{
    const size_t length = strlen(part);
    char *script = malloc(length * times + strlen(end) + 2); // room for one more
    ck_assert_ptr_nonnull(script);
    for (uint32_t i = 0; i < times; i++)
        memcpy(script + i * length, part, length);
    strcpy(script + length * times, end);
    return script;
}

static kifu_result play(kifu_timeline *lab, const char *part, uint32_t times, const char *end)
{
    char *script = script_of(part, times, end);
    const kifu_result result = lab_play(lab, script);
    free(script);
    return result;
}

// The input is refused, and nothing has changed.
static void must_run_away_at(kifu_timeline *lab, const char *part, uint32_t times, const char *end)
{
    const uint32_t events = kifu_event_count(lab);
    const uint64_t hash = kifu_state_hash(lab);
    ck_assert_int_eq(play(lab, part, times, end), KIFU_RUNAWAY);
    must_say(lab, "the input had more than 65536 edits and was taken back: the last edit <- ");
    must_say(lab, "; make fewer, or raise kifu_options.max_edits");
    ck_assert_uint_eq(kifu_event_count(lab), events);
    ck_assert_uint_eq(kifu_state_hash(lab), hash);
    ck_assert_uint_eq(kifu_pending_count(lab), 0);
}

static void must_run_away(kifu_timeline *lab, const char *part, uint32_t times, const char *says)
{
    must_run_away_at(lab, part, times, "");
    must_say(lab, says);
}

START_TEST(F62_an_input_may_make_as_many_edits_as_the_limit_says_and_no_more)
{
    kifu_timeline *lab = lab_started(&least);
    for (int i = 0; i < 3; i++) { // The second time, the journal has room for more.
        lab_must(lab, play(lab, "+", LIMIT, ""));
        must_run_away(lab, "+", LIMIT + 1, "<- lab.PDo (event ");
        lab_must(lab, play(lab, "+", 35000, ""));
        must_run_away(lab, "+", 3 * LIMIT, "<- lab.PDo (event ");
    }
    ck_assert_int_eq(lab_get_state(lab)->total, 3 * (LIMIT + 35000));
    lab_must(lab, kifu_verify_replay(lab, NULL));
    kifu_destroy(lab);
}
END_TEST

START_TEST(F62_random_numbers_are_edits)
{
    kifu_timeline *lab = lab_started(&least);
    lab_must(lab, play(lab, "r", LIMIT / 2, "")); // a number, and where the script writes it
    must_run_away(lab, "r", LIMIT / 2 + 1, "<- lab.PDo (event ");
    kifu_destroy(lab);
}
END_TEST

START_TEST(F62_edits_of_consequences_count)
{
    char part[260] = "(";
    memset(part + 1, '+', 200);
    strcpy(part + 201, ")");
    kifu_timeline *lab = lab_started(&least);
    lab_must(lab, play(lab, "+", 40000, "")); // The journal drops its older half in the middle of what follows.
    lab_must(lab,
             play(lab, part, LIMIT / 200, "++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++"));
    must_run_away(lab, part, LIMIT / 200 + 1, " <- lab.PDo (event ");
    kifu_destroy(lab);
}
END_TEST

START_TEST(F62_edits_count_that_the_journal_has_dropped_since)
{
    enum { MOST = 4 * LIMIT, EACH = 200 };
    char part[EACH + 3] = "(", rest[MOST % EACH + 2] = "";
    memset(part + 1, '+', EACH);
    strcpy(part + 1 + EACH, ")");
    memset(rest, '+', MOST % EACH);
    kifu_timeline *lab = lab_started(&(kifu_options){.max_edits = MOST});
    lab_must(lab, play(lab, part, MOST / EACH, rest)); // The journal drops its older half several times.
    ck_assert_int_eq(lab_get_state(lab)->total, MOST);
    rest[MOST % EACH] = '+';
    ck_assert_int_eq(play(lab, part, MOST / EACH, rest), KIFU_RUNAWAY);
    must_say(lab, "the input had more than 262144 edits and was taken back");
    ck_assert_int_eq(lab_get_state(lab)->total, MOST);
    kifu_destroy(lab);
}
END_TEST

START_TEST(F62_the_default_allows_many_edits)
{
    kifu_timeline *lab = lab_started(NULL);
    lab_must(lab, play(lab, "+", 3000000, ""));
    char *script = script_of("+", 3400000, "");
    lab_do(lab, 0, script, 3);
    free(script);
    ck_assert_int_eq(kifu_run(lab), KIFU_RUNAWAY);
    must_say(lab, "edits and was taken back");
    kifu_destroy(lab);
}
END_TEST

START_TEST(F62_what_has_happened_is_executed_again_whatever_the_limit_is_now)
{
    kifu_timeline *lab = lab_started(&(kifu_options){.max_edits = 2 * LIMIT});
    lab_must(lab, play(lab, "+", 2 * LIMIT, ""));
    save save = save_of(lab, NULL);
    kifu_timeline *loaded = load_by(&save, &least, NULL);
    ck_assert_uint_eq(kifu_state_hash(loaded), kifu_state_hash(lab));
    lab_must(loaded, kifu_undo(loaded));
    lab_must(loaded, kifu_redo(loaded));
    ck_assert_uint_eq(kifu_state_hash(loaded), kifu_state_hash(lab));
    must_run_away(loaded, "+", 2 * LIMIT, "<- lab.PDo (event ");
    lab_must(loaded, kifu_verify_replay(loaded, NULL));
    kifu_destroy(loaded);
    kifu_destroy(lab);
    free(save.bytes);
}
END_TEST

START_TEST(F62_a_search_takes_back_what_runs_away)
{
    kifu_timeline *lab = lab_started(&least);
    lab_must(lab, kifu_begin(lab, KIFU_SEARCH));
    for (int i = 0; i < 4; i++)
        lab_must(lab, play(lab, "+", 50000, ""));
    must_run_away(lab, "+", LIMIT + 1, "<- lab.PDo (event ");
    lab_must(lab, play(lab, "+", LIMIT, ""));
    lab_must(lab, kifu_roll_back(lab));
    must_run_away(lab, "+", LIMIT + 1, "<- lab.PDo (event ");
    ck_assert_int_eq(lab_get_state(lab)->total, 0);
    kifu_destroy(lab);
}
END_TEST

START_TEST(F62_a_try_that_runs_away_is_none)
{
    kifu_timeline *lab = lab_started(&least);
    char *script = script_of("+", LIMIT + 1, "");
    const lab_p_do_args args = {.script = script, .times = 1};
    ck_assert_int_eq(lab_try_p_do(lab, 0, &args), KIFU_RUNAWAY);
    script[LIMIT] = '\0';
    ck_assert_int_eq(lab_try_p_do(lab, 0, &args), KIFU_OK);
    lab_must(lab, kifu_take_back(lab));
    ck_assert_int_eq(lab_get_state(lab)->total, 0);
    free(script);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F62_an_input_may_make_as_many_edits_as_the_limit_says_and_no_more,
        F62_random_numbers_are_edits,
        F62_edits_of_consequences_count,
        F62_edits_count_that_the_journal_has_dropped_since,
        F62_the_default_allows_many_edits,
        F62_what_has_happened_is_executed_again_whatever_the_limit_is_now,
        F62_a_search_takes_back_what_runs_away,
        F62_a_try_that_runs_away_is_none,
    };
    return run_suite("edit_limit", tests, sizeof tests / sizeof *tests);
}
