// Short games after each step of which the log file leads to the same game, with all its lines, and so does a save.
// Random walks found them.

#include <stdio.h>
#include <unistd.h>

#include "run_codec.h"
#include "suite.h"
#include "tally_tree_help.h"

static const kifu_options keeping = {.hash_interval = 3,
                                     .keep_variations = kifu_keep_variations,
                                     .keep_notes = kifu_keep_notes,
                                     .from_state = kifu_begin_from_state};
static char path[64];

// --- Saves -----------------------------------------------------------------------------------------------------------

static kifu_timeline *reload_by(kifu_timeline *tally, const kifu_codec *codec)
{
    const kifu_load_options ways = {.codec = codec};
    unsigned char *bytes;
    size_t size;
    kifu_error error;
    kifu_timeline *loaded;
    must(tally, kifu_save_to_memory(tally, &(kifu_save_options){.codec = codec}, &bytes, &size));
    const kifu_result result = kifu_load_from_memory(&tally_rules, bytes, size, &keeping, &ways, &loaded, &error);
    ck_assert_msg(!result, "%s", error.message);
    kifu_free_bytes(tally, bytes);
    return loaded;
}

static kifu_timeline *load_log(void)
{
    kifu_timeline *loaded;
    kifu_recovery recovery;
    kifu_error error;
    const kifu_load_options ways = {.recover = kifu_recover, .recovery = &recovery};
    const kifu_result result = kifu_load(&tally_rules, path, &keeping, &ways, &loaded, &error);
    ck_assert_msg(!result, "%s", error.message);
    ck_assert_uint_eq(recovery.dropped, 0);
    return loaded;
}

static kifu_timeline *log_again(kifu_timeline *tally, kifu_timeline *loaded)
{
    kifu_destroy(tally);
    must(loaded, kifu_log_open(loaded, path, NULL));
    return loaded;
}

// From the first event on, which is behind on the way to each line.
static void expect_same_ways(kifu_timeline *tally)
{
    kifu_line line;
    for (uint32_t i = 0; kifu_line_at(tally, i, &line); i++) {
        kifu_timeline *saved = reload_by(tally, NULL), *logged = load_log();
        must(saved, kifu_go_to(saved, line.id, kifu_first_event(tally), true));
        must(logged, kifu_go_to(logged, line.id, kifu_first_event(tally), true));
        expect_same_redo(saved, logged);
        kifu_destroy(saved);
        kifu_destroy(logged);
    }
}

static void expect_in_file(kifu_timeline *tally)
{
    kifu_timeline *saved = reload_by(tally, NULL), *packed = reload_by(tally, &run_codec);
    must(tally, kifu_log_append(tally));
    kifu_timeline *logged = load_log();
    must(tally, kifu_verify_replay(tally, NULL));
    must(logged, kifu_verify_replay(logged, NULL));
    expect_same_tree(tally, saved);
    expect_same_tree(tally, packed);
    expect_same_tree(tally, logged);
    expect_same_lines(saved, logged);
    kifu_destroy(packed);
    kifu_destroy(saved);
    kifu_destroy(logged);
    expect_same_ways(tally);
}

// --- Sequences -------------------------------------------------------------------------------------------------------

static void submit(kifu_timeline *tally, char what, int amount)
{
    if (what == 'e')
        tally_submit_e_bonus(tally, amount);
    else
        tally_submit_p_add(tally, 0, amount, what == 'b' ? "with a bonus" : NULL);
}

// a, b, e: a player adds, adds with a note, from which a bonus follows, or the engine adds a bonus; A, B, E: the same,
// but only the first event happens; w: it only waits. u, r: undo and redo. R: run. g1,3, h1,3: to line 1 after 3
// events, in any case or only where each chain on the way may be undone; G1: where line 1 was left. d1: delete. f3:
// forget. n1,2: a note. t: a transaction that is rolled back.
static kifu_result call(kifu_timeline *tally, const char *what)
{
    unsigned x = 1, y = 0;
    sscanf(what + 1, "%u,%u", &x, &y);
    switch (*what) {
    case 'a':
    case 'b':
    case 'e':
        submit(tally, *what, (int)x);
        return kifu_run(tally);
    case 'A':
    case 'B':
    case 'E':
        submit(tally, (char)(*what + 'a' - 'A'), (int)x);
        return kifu_step(tally);
    case 'w':
        submit(tally, 'a', (int)x);
        return KIFU_OK;
    case 'u':
        return kifu_undo(tally);
    case 'r':
        return kifu_redo(tally);
    case 'R':
        return kifu_run(tally);
    case 'g':
    case 'h':
        return kifu_go_to(tally, x, y, *what == 'g');
    case 'G':
        return kifu_go_to(tally, x, KIFU_WHERE_LEFT, true);
    case 'd':
        return kifu_delete_line(tally, x);
    case 'f':
        return kifu_forget(tally, x);
    case 'n':
        return kifu_set_line_note(tally, x, y, KIFU_NOTE_COMMENT, "a note");
    case 't':
        return kifu_begin(tally, 0) ? KIFU_NO_MEMORY : kifu_roll_back(tally);
    default:
        ck_abort_msg("there is no step '%c'", *what);
    }
}

// The same, or L, K, l: the game is a load of a plain save, of a packed one, of the log file.
static kifu_timeline *step(kifu_timeline *tally, const char *what)
{
    switch (*what) {
    case 'L':
        return log_again(tally, reload_by(tally, NULL));
    case 'K':
        return log_again(tally, reload_by(tally, &run_codec));
    case 'l':
        return log_again(tally, load_log());
    default:
        ck_assert_msg(!call(tally, what), "%s: %s", what, kifu_last_error(tally)->message);
        return tally;
    }
}

static kifu_timeline *new_tally(const kifu_options *options)
{
    kifu_timeline *tally;
    kifu_error error;
    snprintf(path, sizeof path, "log_sequences_%d.kifu", (int)getpid());
    ck_assert_msg(!kifu_create(&tally_rules, options, &tally, &error), "%s", error.message);
    return tally;
}

static kifu_timeline *play_on(kifu_timeline *tally, const char *steps, bool look)
{
    for (const char *at = steps; *at; at += *at == ' ') {
        tally = step(tally, at);
        if (look)
            expect_in_file(tally);
        at += strcspn(at, " ");
    }
    return tally;
}

static void play(const char *steps)
{
    kifu_timeline *tally = new_tally(&keeping);
    must(tally, kifu_log_open(tally, path, NULL));
    kifu_destroy(play_on(tally, steps, true));
    ck_assert_int_eq(unlink(path), 0);
}

// A load joins segments, so one may have events of a line in front of the place where another one leaves it, and the
// other's behind.
START_TEST(F85_a_log_file_opened_after_a_load_has_the_events_of_each_line)
{
    play("a1 a2 a3 u u a7 L");
    play("a1 a2 a3 u u a7 K");
    play("a1 A3 u e L");
    play("e b1 u b2 K l");
    play("a1 b1 b1 e u a2 K l");
}
END_TEST

// Forward, but not as far as the last undo began: what is behind stays as it is.
START_TEST(F86_an_append_after_a_go_to_into_what_was_undone_says_no_new_events)
{
    play("a3 b2 B3 b1 u e g0,3 g0,5");
    play("a1 e2 b3 A3 g0,4 e2 G0 e1 g0,2 g0,3");
    play("A2 A3 b1 e1 A2 g0,1 r e1 g0,1 g0,2");
    play("a3 a1 l b3 b3 a3 u B1 g0,1 b1 g1,6 b1 g3,0 l B2");
}
END_TEST

// A redo that brings back two chains at once: both were undone on the way to another line.
START_TEST(F86_saves_have_what_redo_brings_back_where_that_is_not_chain_by_chain)
{
    play("b3 e1 a2 g0,1 e3 u b3 w2 a3 u u w3");
}
END_TEST

// Nothing is appended between, and the first line begins with what the file has already.
START_TEST(F86_lines_that_are_kept_from_the_middle_of_a_game_on_are_appended_once)
{
    for (int last = 0; last < 2; last++) {
        kifu_options options = keeping;
        options.keep_variations = NULL;
        kifu_timeline *tally = new_tally(&options);
        must(tally, kifu_log_open(tally, path, NULL));
        tally = step(tally, "a1");
        tally = step(tally, "a2");
        must(tally, kifu_log_append(tally));
        must(tally, kifu_go_to(tally, 0, 1, true));
        must(tally, kifu_log_append(tally));
        must(tally, kifu_keep_variations(tally));
        if (last) {
            tally = step(tally, "a3");
        } else {
            must(tally, kifu_begin(tally, 0));
            must(tally, kifu_roll_back(tally));
        }
        expect_in_file(tally);
        ck_assert_uint_eq(kifu_line_count(tally), last ? 2 : 1);
        kifu_destroy(tally);
        ck_assert_int_eq(unlink(path), 0);
    }
}
END_TEST

// While the original is there, nothing is added to the segment that both have; then it is the fork's alone.
START_TEST(F86_a_try_in_a_fork_leaves_the_segment_that_it_shared)
{
    enum { FIRST_SLOTS = 16 }; // So many events has the first segment of a log.
    kifu_timeline *tally = new_tally(&keeping), *fork;
    for (int i = 0; i <= FIRST_SLOTS; i++)
        tally = step(tally, "a1");
    ck_assert_int_eq(kifu_fork(tally, FIRST_SLOTS, &keeping, &fork, NULL), KIFU_OK);
    kifu_destroy(tally);
    ck_assert_int_eq(tally_try_p_add(fork, 0, 3, NULL), KIFU_OK);
    ck_assert_uint_eq(kifu_event_count(fork), FIRST_SLOTS + 1);
    must(fork, kifu_take_back(fork));
    must(fork, kifu_log_open(fork, path, NULL));
    expect_in_file(fork);
    kifu_destroy(fork);
    ck_assert_int_eq(unlink(path), 0);
}
END_TEST

// --- What cannot be saved --------------------------------------------------------------------------------------------

START_TEST(F87_an_append_of_a_forgotten_past_is_refused_without_its_option)
{
    for (int variations = 0; variations < 2; variations++) {
        const kifu_options options = {.keep_variations = variations ? kifu_keep_variations : NULL};
        kifu_timeline *tally = new_tally(&options), *loaded;
        must(tally, kifu_log_open(tally, path, NULL));
        for (int i = 0; i < 4; i++)
            tally = step(tally, "a1");
        must(tally, kifu_log_append(tally));
        must(tally, kifu_forget(tally, 2));
        tally = step(tally, "a5");
        must_refuse(tally, kifu_log_append(tally));
        must_say(tally, "kifu_log_append");
        must_say(tally, "kifu_begin_from_state");
        must_refuse(tally, kifu_log_close(tally, NULL));
        must_refuse(tally, kifu_save(tally, path, NULL));
        loaded = load_log(); // It is as it was.
        ck_assert_uint_eq(kifu_event_count(loaded), 4);
        ck_assert_uint_eq(kifu_first_event(loaded), 0);
        kifu_destroy(loaded);
        must(tally, kifu_begin_from_state(tally)); // as if the option had been given
        must(tally, kifu_log_append(tally));
        loaded = load_log();
        ck_assert_uint_eq(kifu_event_count(loaded), 5);
        ck_assert_uint_eq(kifu_first_event(loaded), 2);
        kifu_destroy(loaded);
        kifu_destroy(tally);
        tally = step(new_tally(&options), "a1");
        must(tally, kifu_forget(tally, 1));
        must_refuse(tally, kifu_log_open(tally, path, NULL));
        must_say(tally, "kifu_begin_from_state");
        kifu_destroy(tally);
        ck_assert_int_eq(unlink(path), 0);
    }
}
END_TEST

// --- Memory ----------------------------------------------------------------------------------------------------------

// Refuses the call its allocation number `at`. Whether there was one.
static bool fail_at(const char *before, const char *what, long at, bool for_ever)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = keeping;
    options.allocate = test_allocate;
    options.allocate_context = &memory;
    kifu_timeline *tally = new_tally(&options);
    must(tally, kifu_log_open(tally, path, NULL));
    play_on(tally, before, false);
    must(tally, kifu_log_append(tally));
    memory.until_failure = at;
    memory.for_ever = for_ever;
    (void)call(tally, what);
    if (!memory.failed)
        (void)!kifu_log_append(tally);
    memory.until_failure = -1;
    must(tally, kifu_log_append(tally));
    kifu_timeline *logged = load_log();
    expect_same_tree(tally, logged);
    kifu_destroy(logged);
    kifu_destroy(tally);
    ck_assert_int_eq(memory.blocks, 0);
    ck_assert_int_eq(unlink(path), 0);
    return memory.failed;
}

START_TEST(F90_after_a_call_without_memory_the_log_file_has_the_game_and_its_notes)
{
    static const char *const steps[][2] = {
        {"a1 n0,0 a2 u u", "a5"},        // It begins a line,
        {"a1 n0,0 a2 u u", "t"},         // and so does this, for a while.
        {"a1 n0,0 a2 u u a5 n1,0", "t"}, // Nothing was undone.
        {"a1 n0,0 a2 u u a5 n1,0", "a6"},
        {"a1 n0,0 a2 u u a5 n1,0 a6", "g0,2"},
        {"a1 b2 n0,1 g0,1 a5 a6 n1,2 u u", "a7"},
        {"a1 b2 n0,1 g0,1 a5 a6 n1,2 G0", "G1"},
        {"a1 n0,0 a2 u u a5 n1,0 u", "n0,0"},
        {"a1 n0,0 a2 u u a5 n1,0 G0", "d1"},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        for (int for_ever = 0; for_ever < 2; for_ever++) {
            for (long at = 0; fail_at(steps[i][0], steps[i][1], at, for_ever); at++) {
            }
        }
    }
}
END_TEST

static kifu_result keep_more(kifu_timeline *tally, bool notes)
{
    return notes ? kifu_keep_notes(tally) : kifu_keep_variations(tally);
}

// The game goes on without; and then with them.
START_TEST(F90_variations_and_notes_that_could_not_be_kept_without_memory_are_kept_later)
{
    for (int notes = 0; notes < 2; notes++) {
        bool failed = true;
        for (long at = 0; failed; at++) {
            test_memory memory = {.until_failure = -1};
            const kifu_options options = {
                .from_state = kifu_begin_from_state, .allocate = test_allocate, .allocate_context = &memory};
            kifu_timeline *tally = play_on(new_tally(&options), "a1 a2", false);
            must(tally, kifu_log_open(tally, path, NULL));
            memory.until_failure = at;
            ck_assert_int_eq(keep_more(tally, notes), memory.failed ? KIFU_NO_MEMORY : KIFU_OK);
            memory.until_failure = -1;
            failed = memory.failed;
            tally = play_on(tally, "a3 u a4 f1", false);
            expect_in_file(tally);
            tally_submit_p_add(tally, 0, 7, NULL); // It waits where the undo begins.
            must(tally, kifu_undo(tally));
            expect_in_file(tally);
            must(tally, keep_more(tally, notes));
            tally = play_on(tally, notes ? "n0,2 u" : "u a5", false);
            expect_in_file(tally);
            kifu_destroy(tally);
            ck_assert_int_eq(memory.blocks, 0);
            ck_assert_int_eq(unlink(path), 0);
        }
    }
}
END_TEST

// In a timeline that was loaded, no place had room for it before.
START_TEST(F89_what_waits_in_a_loaded_line_waits_again_without_memory)
{
    static const char *const steps[] = {"a1", "a2", "B3", "g0,0", "B4", "w5", "g0,2"};
    kifu_timeline *tally = new_tally(&keeping);
    must(tally, kifu_log_open(tally, path, NULL));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        must(tally, call(tally, steps[i]));
    must(tally, kifu_log_append(tally));
    test_memory memory = {.failed = true};
    kifu_options options = keeping;
    options.allocate = test_allocate;
    options.allocate_context = &memory;
    for (long refused = 0; memory.failed; refused++) {
        memory = (test_memory){.until_failure = -1};
        kifu_timeline *loaded;
        const kifu_load_options ways = {.recover = kifu_recover};
        must_be(!kifu_load(&tally_rules, path, &options, &ways, &loaded, NULL));
        memory.until_failure = refused;
        memory.for_ever = true;
        const kifu_result result = kifu_go_to(loaded, 1, KIFU_WHERE_LEFT, true);
        memory.until_failure = -1;
        must_be(result ? result == KIFU_NO_MEMORY && kifu_current_line(loaded) == 0 : kifu_pending_count(loaded) == 2);
        kifu_destroy(loaded);
    }
    kifu_destroy(tally);
    ck_assert_int_eq(unlink(path), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F85_a_log_file_opened_after_a_load_has_the_events_of_each_line,
        F86_an_append_after_a_go_to_into_what_was_undone_says_no_new_events,
        F86_saves_have_what_redo_brings_back_where_that_is_not_chain_by_chain,
        F86_lines_that_are_kept_from_the_middle_of_a_game_on_are_appended_once,
        F86_a_try_in_a_fork_leaves_the_segment_that_it_shared,
        F87_an_append_of_a_forgotten_past_is_refused_without_its_option,
        F90_after_a_call_without_memory_the_log_file_has_the_game_and_its_notes,
        F90_variations_and_notes_that_could_not_be_kept_without_memory_are_kept_later,
        F89_what_waits_in_a_loaded_line_waits_again_without_memory,
    };
    return run_suite("log sequences", tests, sizeof tests / sizeof *tests);
}
