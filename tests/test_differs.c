// Saves that say other states than the game comes to, since the rules have changed without another rules version: what
// differs is said by the call that leads there, and what is saved from then on loads.

#include <kifu/progress.h>

#include "log_file_help.h"
#include "tree_help.h"

// From the load on, an event that adds 7 adds 1000 more, one that adds 5 1000 less, and one that adds 9 fails behind 7.
static bool odd;

kifu_result __real_lab_do_p_add(kifu_timeline *timeline, const lab_state *state, const lab_p_add *add);
kifu_result __wrap_lab_do_p_add(kifu_timeline *timeline, const lab_state *state, const lab_p_add *add);
kifu_result __wrap_lab_do_p_add(kifu_timeline *timeline, const lab_state *state, const lab_p_add *add)
{
    if (odd && add->amount == 7)
        *lab_edit_total(timeline) += 1000;
    if (odd && add->amount == 5)
        *lab_edit_total(timeline) -= 1000;
    if (odd && add->amount == 9 && state->total > 900)
        return kifu_fail(timeline, "too much");
    return __real_lab_do_p_add(timeline, state, add);
}

static unsigned long calls;
static const kifu_options lines = {.hash_interval = 1, .keep_variations = kifu_keep_variations, .user = &calls};
static const kifu_options plain = {.hash_interval = 1, .user = &calls};

static kifu_result add(kifu_timeline *lab, int32_t amount)
{
    lab_submit_p_add(lab, 0, amount);
    return kifu_run(lab);
}

static void add_all(kifu_timeline *lab, const char *amounts)
{
    for (; *amounts; amounts++)
        lab_must(lab, add(lab, *amounts - '0'));
}

// Saves it by the old rules, and loads it by the new ones.
static kifu_timeline *reloaded(kifu_timeline *lab, const kifu_options *options)
{
    save save = save_of(lab, NULL);
    kifu_destroy(lab);
    odd = true;
    kifu_timeline *loaded = load_by(&save, options, NULL);
    free(save.bytes);
    return loaded;
}

// The same, without executing anything.
static kifu_timeline *reloaded_fast(kifu_timeline *lab, const kifu_options *options)
{
    const kifu_load_options fast = {.fast = true};
    save save = save_of(lab, NULL);
    kifu_destroy(lab);
    odd = true;
    kifu_timeline *loaded = load_by(&save, options, &fast);
    free(save.bytes);
    return loaded;
}

// Goes to the end of the line without a word, and saves; the save loads. Ends the game.
static void end_well(kifu_timeline *lab, const kifu_options *options)
{
    while (kifu_can_redo(lab, NULL))
        lab_must(lab, kifu_redo(lab));
    if (!options->reset)
        lab_must(lab, kifu_verify_replay(lab, NULL));
    save save = save_of(lab, NULL);
    kifu_timeline *again = load_by(&save, options, NULL);
    ck_assert_uint_eq(kifu_state_hash(again), kifu_state_hash(lab));
    kifu_destroy(again);
    kifu_destroy(lab);
    free(save.bytes);
    odd = false;
}

static void undo_to(kifu_timeline *lab, uint32_t count)
{
    while (kifu_event_count(lab) > count)
        lab_must(lab, kifu_undo(lab));
}

static void stay_there(void *user)
{
    (void)user;
}

// --- What redo brings back -------------------------------------------------------------------------------------------

// With hashes where they are due now, or not.
START_TEST(R05_redo_says_once_that_it_differs)
{
    for (int i = 0; i < 8; i++) {
        kifu_options options = i % 2 ? lines : plain, later = options;
        lab_view view = {.base = {.context = &calls}};
        later.hash_interval = i / 2 % 2 ? 100 : 1;
        later.view = i / 4 ? &view.base : NULL;
        kifu_timeline *lab = lab_new(&options);
        add_all(lab, "11711");
        for (int k = 0; k < 3; k++)
            lab_must(lab, kifu_undo(lab));
        lab = reloaded(lab, &later);
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, kifu_redo(lab));
        ck_assert_int_eq(kifu_redo(lab), KIFU_DIVERGED);
        must_say(lab, "redo leads to another state than in the save. If you changed the rules, raise rules_version");
        ck_assert_uint_eq(kifu_event_count(lab), 3);
        ck_assert_int_eq(lab_get_state(lab)->total, 1009);
        lab_must(lab, kifu_undo(lab));
        end_well(lab, &later);
    }
}
END_TEST

// A fast load executes nothing in front of its place: redo is the first to do that.
START_TEST(R05_redo_compares_what_a_fast_load_has_not_executed)
{
    for (int i = 0; i < 6; i++) {
        const kifu_options *options = i % 2 ? &lines : &plain;
        const kifu_load_options fast = {.fast = true};
        kifu_timeline *lab = lab_new(options);
        add_all(lab, "1171");
        save save = save_of(lab, NULL);
        kifu_destroy(lab);
        odd = i / 2 > 0;
        lab = load_by(&save, options, &fast);
        ck_assert_int_eq(lab_get_state(lab)->total, 10);
        undo_to(lab, 2);
        int said = 0;
        if (i / 2 == 1)
            said = kifu_go_to(lab, 0, 4, true) == KIFU_DIVERGED;
        while (kifu_can_redo(lab, NULL))
            said += kifu_redo(lab) == KIFU_DIVERGED;
        ck_assert_int_eq(said, odd);
        end_well(lab, options);
        free(save.bytes);
    }
}
END_TEST

START_TEST(M08_the_same_move_or_a_jump_is_as_redo)
{
    for (int i = 0; i < 6; i++) {
        kifu_timeline *lab = lab_new(&lines);
        add_all(lab, i % 2 ? "1171" : "117");
        while (kifu_event_count(lab) > 2)
            lab_must(lab, kifu_undo(lab));
        lab = reloaded(lab, &lines);
        const kifu_result expected = i == 0 ? KIFU_OK : KIFU_DIVERGED; // What was played may be all of it.
        if (i < 2) {
            const kifu_result played = add(lab, 7);
            ck_assert_int_eq(played ? played : kifu_run(lab), expected);
        } else if (i < 4) {
            ck_assert_int_eq(kifu_go_to(lab, 0, 3 + (uint32_t)i % 2, true), expected);
        } else { // Another line is played, and left.
            lab_must(lab, add(lab, 2));
            ck_assert_uint_eq(kifu_current_line(lab), 1);
            ck_assert_int_eq(kifu_go_to(lab, 0, 3, true), expected);
        }
        ck_assert_uint_eq(kifu_current_line(lab), 0);
        end_well(lab, &lines);
    }
}
END_TEST

START_TEST(R05_a_log_file_of_what_redo_made_of_it_loads)
{
    static const kifu_load_options recovering = {.recover = kifu_recover};
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    for (int i = 0; i < 2; i++) {
        const kifu_options *options = i ? &lines : &plain;
        kifu_timeline *lab = lab_new(options);
        kifu_error error;
        lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.overwrite = true}));
        add_all(lab, "171");
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, kifu_log_append(lab));
        kifu_destroy(lab);
        odd = true;
        for (int k = 0; k < 2; k++) {
            ck_assert_msg(!kifu_load(&lab_rules, path, options, &recovering, &lab, &error), "%s", error.message);
            lab_must(lab, kifu_log_open(lab, path, NULL));
            ck_assert_int_eq(kifu_redo(lab), k ? KIFU_OK : KIFU_DIVERGED);
            lab_must(lab, kifu_log_append(lab));
            kifu_destroy(lab);
        }
        odd = false;
    }
    remove_folder(folder);
}
END_TEST

// Those of a line that does not have the event stay: it is still seen that it differs itself, for a time.
START_TEST(M08_redo_that_differs_leaves_hashes_of_lines_without_its_event)
{
    kifu_timeline *lab = lab_new(&lines);
    add_all(lab, "113751");
    lab_must(lab, kifu_go_to(lab, 0, 2, true));
    add_all(lab, "73");
    undo_to(lab, 2);
    lab = reloaded(lab, &lines);
    ck_assert_int_eq(kifu_redo(lab), KIFU_DIVERGED);
    ck_assert_int_eq(kifu_go_to(lab, 0, 6, true), KIFU_DIVERGED);
    must_say(lab, "one of the events 3 to 3 of line 0 leads to another state than in the save.");
    kifu_destroy(lab);
    odd = false;
}
END_TEST

// What has the event has none behind it. (Without a model outside the state, a line has a hash of its end, too.)
START_TEST(M08_redo_that_differs_forgets_hashes_of_lines_with_its_event)
{
    kifu_options options = lines;
    options.reset = stay_there;
    kifu_timeline *lab = lab_new(&options);
    add_all(lab, "17111");
    lab_must(lab, kifu_go_to(lab, 0, 4, true));
    add_all(lab, "73");
    undo_to(lab, 1);
    lab = reloaded(lab, &options);
    ck_assert_int_eq(kifu_redo(lab), KIFU_DIVERGED);
    lab_must(lab, kifu_go_to(lab, 1, 6, true));
    lab_must(lab, kifu_go_to(lab, 0, 5, true));
    end_well(lab, &options);
}
END_TEST

// --- A line that is entered by its first move ------------------------------------------------------------------------

static bool never(void *context, uint64_t done, uint64_t total)
{
    (void)context, (void)done, (void)total;
    return false;
}

// Line 1 begins with 3, and is very long.
static kifu_timeline *long_line(int32_t late)
{
    kifu_options options = lines;
    options.hash_interval = 0;
    kifu_timeline *lab = lab_new(&options);
    add_all(lab, "12");
    lab_must(lab, kifu_go_to(lab, 0, 1, true));
    for (int i = 0; i < 40000; i++)
        lab_submit_p_add(lab, 0, i == 30000 ? late : 3);
    lab_must(lab, kifu_run(lab));
    lab_must(lab, kifu_go_to(lab, 0, 1, true));
    return reloaded(lab, &options);
}

START_TEST(M08_a_comparison_that_is_cancelled_finds_no_difference)
{
    for (int i = 0; i < 2; i++) {
        kifu_timeline *lab = long_line(i ? 7 : 3);
        char *folder = new_folder();
        const char *path = in_folder(folder, "log.kifu");
        lab_must(lab, kifu_log_open(lab, path, NULL));
        kifu_set_progress(lab, never, NULL);
        lab_must(lab, add(lab, 3));
        lab_must(lab, kifu_run(lab));
        ck_assert_uint_eq(kifu_current_line(lab), 1);
        size_t before, after;
        free(read_bytes(path, &before));
        lab_must(lab, kifu_log_append(lab));
        free(read_bytes(path, &after));
        ck_assert_uint_lt(after, before + 1000); // It was not written anew.
        ck_assert_uint_gt(after, before);
        kifu_set_progress(lab, NULL, NULL);
        lab_must(lab, kifu_go_to(lab, 0, 2, true));
        ck_assert_int_eq(kifu_go_to(lab, 1, KIFU_WHERE_LEFT, true), i ? KIFU_DIVERGED : KIFU_OK);
        kifu_destroy(lab);
        remove_folder(folder);
        odd = false;
    }
}
END_TEST

// Without memory for it, redo compares; no hash that is wrong stays.
START_TEST(M08_a_comparison_without_memory_is_made_later)
{
    for (int i = 0; i < 60; i++) {
        test_memory memory = {.until_failure = -1};
        kifu_options options = lines;
        options.allocate = test_allocate;
        options.allocate_context = &memory;
        kifu_timeline *lab = lab_new(&options);
        add_all(lab, "12");
        lab_must(lab, kifu_go_to(lab, 0, 1, true));
        add_all(lab, i % 2 ? "734" : "374");
        lab_must(lab, kifu_go_to(lab, 0, 1, true));
        lab = reloaded(lab, &options);
        lab_submit_p_add(lab, 0, i % 2 ? 7 : 3);
        memory.until_failure = i / 2;
        int said = kifu_run(lab) == KIFU_DIVERGED;
        memory.until_failure = -1;
        for (int k = 0; k < 3; k++)
            said += kifu_run(lab) == KIFU_DIVERGED;
        if (kifu_current_line(lab) != 1) { // It could not be looked for.
            kifu_destroy(lab);
            odd = false;
            continue;
        }
        while (kifu_can_redo(lab, NULL))
            said += kifu_redo(lab) == KIFU_DIVERGED;
        ck_assert_int_eq(said, 1);
        end_well(lab, &options);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

// The line that was left when the input ran that plays into it branches off behind the event that differs, or has it.
START_TEST(M08_a_line_that_branches_off_behind_what_differs)
{
    for (int own = 0; own < 2; own++) {
        lab_view view = {.base = {.context = &calls}, .act_p_do = lab_takes_time};
        kifu_options options = lines;
        kifu_timeline *lab = lab_new(&options);
        add_all(lab, "1");
        lab_must(lab, lab_play(lab, "(+)"));
        add_all(lab, own ? "11" : "711");
        lab_must(lab, kifu_go_to(lab, 0, own ? 3 : 4, true));
        add_all(lab, own ? "723" : "23");
        lab_must(lab, kifu_go_to(lab, 1, 1, true));
        save save = save_of(lab, NULL);
        kifu_destroy(lab);
        options.view = &view.base;
        lab = load_by(&save, &options, NULL);
        free(save.bytes);
        lab_do(lab, 0, "(+)", 1);
        lab_must(lab, kifu_update(lab, 0));
        ck_assert_uint_eq(kifu_current_line(lab), 2);
        ck_assert_uint_eq(kifu_pending_count(lab), 1);
        lab = reloaded(lab, &lines);
        const kifu_result run = kifu_run(lab);
        ck_assert_int_eq(run ? run : kifu_run(lab), KIFU_DIVERGED);
        ck_assert_uint_eq(kifu_current_line(lab), 1);
        end_well(lab, &lines);
    }
}
END_TEST

// The game is where it was, and nothing is left to say; also where the model is outside the state.
START_TEST(M08_a_way_that_fails_behind_what_differs_leads_nowhere)
{
    for (int i = 0; i < 4; i++) {
        kifu_options options = i % 2 ? lines : plain;
        options.reset = i / 2 ? stay_there : NULL;
        kifu_timeline *lab = lab_new(&options);
        add_all(lab, "1111719");
        undo_to(lab, 3);
        lab = reloaded(lab, &options);
        ck_assert_int_eq(kifu_go_to(lab, 0, 7, true), KIFU_FAILED);
        ck_assert_uint_eq(kifu_event_count(lab), 3);
        ck_assert_int_eq(lab_get_state(lab)->total, 3);
        lab_must(lab, kifu_run(lab));
        kifu_destroy(lab);
        odd = false;
    }
}
END_TEST

// A model outside the state is in no copy: the way to a line is compared, and what redo brings back behind that. With
// hashes where they are due now, or not.
START_TEST(M08_a_line_of_a_model_outside_the_state_is_compared_on_the_way)
{
    for (int i = 0; i < 10; i++) {
        kifu_options options = lines;
        options.reset = stay_there;
        kifu_timeline *lab = lab_new(&options);
        add_all(lab, "122");
        lab_must(lab, kifu_go_to(lab, 0, 2, true));
        add_all(lab, i % 2 ? "7341" : "3741");
        lab_must(lab, kifu_go_to(lab, 0, 3, true));
        options.hash_interval = i / 2 == 4 ? 100 : 1;
        lab = reloaded(lab, &options);
        int said = 0;
        if (i / 2 < 3)
            said = kifu_go_to(lab, 1, (uint32_t)i / 2 + 3, true) == KIFU_DIVERGED;
        else {
            lab_must(lab, kifu_go_to(lab, 0, 2, true));
            lab_must(lab, add(lab, i % 2 ? 7 : 3));
        }
        ck_assert_uint_eq(kifu_current_line(lab), 1);
        ck_assert_int_eq((int)kifu_event_count(lab), i / 2 < 3 ? i / 2 + 3 : 3);
        ck_assert_int_eq(said, i / 2 < 3 && i / 2 + i % 2 > 0);
        for (int k = 0; k < 2; k++)
            said += kifu_run(lab) == KIFU_DIVERGED;
        lab_must(lab, kifu_go_to(lab, 0, 3, true)); // It is left, and entered again.
        said += kifu_go_to(lab, 1, KIFU_WHERE_LEFT, true) == KIFU_DIVERGED;
        while (kifu_can_redo(lab, NULL))
            said += kifu_redo(lab) == KIFU_DIVERGED;
        ck_assert_int_eq(said, i / 2 < 4); // Where an event was played at whose place there is no hash, all go.
        ck_assert_int_eq(lab_get_state(lab)->total, 1018);
        end_well(lab, &options);
    }
}
END_TEST

// It has none of the hashes of the save there.
START_TEST(M08_a_fork_of_what_was_not_executed_yet_is_as_the_rules_of_today_play_it)
{
    kifu_timeline *lab = lab_new(&lines), *fork;
    kifu_error error;
    add_all(lab, "11711");
    undo_to(lab, 2);
    lab = reloaded(lab, &lines);
    ck_assert_msg(!kifu_fork_line(lab, 0, 5, &lines, &fork, &error), "%s", error.message);
    ck_assert_int_eq(lab_get_state(fork)->total, 1011);
    undo_to(fork, 2);
    end_well(fork, &lines);
    kifu_destroy(lab);
}
END_TEST

// Nor has one of a game that was loaded fast, of what it executes itself.
START_TEST(R05_a_fork_of_a_game_that_was_loaded_fast_has_no_hashes_of_the_save)
{
    kifu_timeline *lab = lab_new(&plain), *fork;
    kifu_error error;
    add_all(lab, "17111");
    lab = reloaded_fast(lab, &plain);
    ck_assert_msg(!kifu_fork(lab, 4, &plain, &fork, &error), "%s", error.message);
    ck_assert_int_eq(lab_get_state(fork)->total, 1010);
    undo_to(fork, 1);
    end_well(fork, &plain);
    kifu_destroy(lab);
}
END_TEST

// One of its present has the state of the save, and its hashes: what it plays on rests on these.
START_TEST(R05_a_fork_of_a_game_that_was_loaded_fast_compares_as_that_does)
{
    kifu_timeline *lab = lab_new(&plain), *fork;
    kifu_error error;
    add_all(lab, "17111");
    lab = reloaded_fast(lab, &plain);
    add_all(lab, "1");
    ck_assert_msg(!kifu_fork(lab, KIFU_PRESENT, &plain, &fork, &error), "%s", error.message);
    add_all(fork, "1");
    ck_assert_int_eq(lab_get_state(fork)->total, 13);
    undo_to(fork, 0);
    int said = 0;
    while (kifu_can_redo(fork, NULL))
        said += kifu_redo(fork) == KIFU_DIVERGED;
    ck_assert_int_eq(said, 1);
    ck_assert_int_eq(lab_get_state(fork)->total, 1013);
    end_well(fork, &plain);
    kifu_destroy(lab);
}
END_TEST

// Nor has one of a line that was never entered, where the model is outside the state.
START_TEST(M08_a_fork_of_a_line_of_a_model_outside_the_state_is_as_the_rules_of_today_play_it)
{
    static unsigned long other_calls;
    kifu_options options = lines, others;
    options.reset = stay_there;
    others = options;
    others.user = &other_calls;
    kifu_timeline *lab = lab_new(&options), *fork;
    kifu_error error;
    add_all(lab, "12");
    lab_must(lab, kifu_go_to(lab, 0, 1, true));
    add_all(lab, "3711");
    lab_must(lab, kifu_go_to(lab, 0, 2, true));
    lab = reloaded(lab, &options);
    ck_assert_msg(!kifu_fork_line(lab, 1, 5, &others, &fork, &error), "%s", error.message);
    ck_assert_int_eq(lab_get_state(fork)->total, 1013);
    undo_to(fork, 2);
    end_well(fork, &others);
    kifu_destroy(lab);
}
END_TEST

// --- Lines that are entered, or looked at ----------------------------------------------------------------------------

// The save, but for the hash at the end of a line.
static save with_other_tip(const save *save, uint32_t line)
{
    unsigned char room[40];
    const frames frames = frames_of(save);
    const int commit = commit_at(&frames, 1);
    records records = records_of(&frames.all[commit]);
    int at = find_record(&records, RECORD_TIP);
    while (*records.all[at].body != line)
        at = next_record(&records, at + 1, RECORD_TIP);
    ck_assert_int_ge(at, 0);
    memcpy(room, records.all[at].body, records.all[at].size);
    ck_assert_msg(get32(room + 1), "line %u has no hash", line);
    room[1] ^= 1;
    records.all[at].body = room;
    return save_of_records(&frames, commit, &records);
}

// A line of which the hashes are those of other states: nobody has executed it before it is entered.
START_TEST(V06_a_loaded_line_is_compared_when_it_is_entered_or_looked_at)
{
    kifu_timeline *lab = small_tree(0);
    lab_must(lab, kifu_go_to(lab, 3, KIFU_WHERE_LEFT, true));
    lab_must(lab, kifu_go_to(lab, 0, 2, true));
    save save = save_of(lab, &(kifu_save_options){.without_schema = true});
    for (uint32_t line = 1; line < 4; line++) {
        struct save bad = with_other_tip(&save, line);
        kifu_timeline *loaded = load_by(&bad, &keeping, NULL), *fork;
        kifu_cursor *cursor;
        const uint64_t before = kifu_state_hash(loaded);
        ck_assert_int_eq(kifu_cursor_open_line(loaded, line, KIFU_WHERE_LEFT, &cursor), KIFU_DIVERGED);
        ck_assert_int_eq(kifu_fork_line(loaded, line, KIFU_WHERE_LEFT, NULL, &fork, NULL), KIFU_DIVERGED);
        ck_assert_int_eq(kifu_go_to(loaded, line, KIFU_WHERE_LEFT, true), KIFU_DIVERGED);
        char said[90];
        kifu_line left;
        for (uint32_t i = 0; kifu_line_at(loaded, i, &left) && left.id != line;)
            i++;
        const uint32_t compared = line < 3 ? 3 : 1; // There is a hash after every third event.
        snprintf(said, sizeof said, "one of the events %u to %u of line %u leads to another state than in the save.",
                 compared, left.from + left.count - 1, line);
        must_say(loaded, said);
        expect_same_tree(lab, loaded);
        ck_assert_uint_eq(kifu_state_hash(loaded), before);
        lab_must(loaded, kifu_go_to(loaded, line % 3 + 1, KIFU_WHERE_LEFT, true));
        kifu_destroy(loaded);
        free(bad.bytes);
    }
    kifu_destroy(lab);
    free(save.bytes);
}
END_TEST

// The same where it is entered because its first move is made.
START_TEST(M08_a_loaded_line_is_compared_when_its_move_is_made)
{
    static const char *const zero[] = {"+", "+", NULL}, *const one[] = {"-", "+", "-", "+", NULL};
    kifu_timeline *lab = lab_new(&keeping);
    play_scripts(lab, zero);
    lab_must(lab, kifu_go_to(lab, 0, 1, true));
    play_scripts(lab, one);
    lab_must(lab, kifu_go_to(lab, 0, KIFU_WHERE_LEFT, true));
    save save = save_of(lab, &(kifu_save_options){.without_schema = true});
    struct save bad = with_other_tip(&save, 1);
    kifu_timeline *loaded = load_by(&bad, &keeping, NULL);
    lab_must(loaded, kifu_go_to(loaded, 0, 1, true));
    const kifu_result played = lab_play(loaded, "-");
    ck_assert_int_eq(played ? played : kifu_run(loaded), KIFU_DIVERGED);
    must_say(loaded, "of line 1 leads to another state than in the save.");
    // The game goes on in that line, and what the save said of its end is no more about this one.
    while (kifu_can_redo(loaded, NULL))
        lab_must(loaded, kifu_redo(loaded));
    lab_must(loaded, lab_play(loaded, "+"));
    lab_must(loaded, lab_play(loaded, "+"));
    const uint64_t hash = kifu_state_hash(loaded);
    lab_must(loaded, kifu_go_to(loaded, 0, KIFU_WHERE_LEFT, true));
    lab_must(loaded, kifu_go_to(loaded, 1, KIFU_WHERE_LEFT, true));
    ck_assert_uint_eq(kifu_state_hash(loaded), hash);
    lab_must(loaded, kifu_verify_replay(loaded, NULL));
    kifu_destroy(lab);
    kifu_destroy(loaded);
    free(save.bytes);
    free(bad.bytes);
}
END_TEST

// All hashes of the only other line, along it and at its end.
static save with_other_hashes(const save *save)
{
    static unsigned char room[2][100];
    const frames frames = frames_of(save);
    const int commit = commit_at(&frames, 1);
    records records = records_of(&frames.all[commit]);
    const uint32_t kinds[] = {RECORD_HASHES, RECORD_TIP};
    for (int i = 0; i < 2; i++) {
        const int at = find_record(&records, kinds[i]);
        ck_assert_int_ge(at, 0);
        memcpy(room[i], records.all[at].body, records.all[at].size);
        room[i][1] ^= 1; // Behind a number.
        records.all[at].body = room[i];
    }
    return save_of_records(&frames, commit, &records);
}

static void expect_entered(kifu_timeline *lab, uint64_t hash)
{
    lab_must(lab, kifu_verify_replay(lab, NULL));
    lab_must(lab, kifu_go_to(lab, 0, KIFU_WHERE_LEFT, true));
    lab_must(lab, kifu_go_to(lab, 1, KIFU_WHERE_LEFT, true));
    ck_assert_uint_eq(kifu_state_hash(lab), hash);
}

// From then on, it is a line as all others: here, in saves, and in a log file that had the hashes of before. Its first
// move may be all that there is of it, so that the game has already executed it when it is compared.
START_TEST(M08_a_line_that_differed_is_as_all_others_once_it_is_played)
{
    static const char *const zero[] = {"+", "+", NULL};
    static const char *const ones[2][4] = {{"-(+)(+)", NULL}, {"-", "+(-)", "+", NULL}};
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    for (int i = 0; i < 2; i++) {
        kifu_timeline *lab = lab_new(&keeping), *again;
        play_scripts(lab, zero);
        lab_must(lab, kifu_go_to(lab, 0, 1, true));
        play_scripts(lab, ones[i]);
        lab_must(lab, kifu_go_to(lab, 0, KIFU_WHERE_LEFT, true));
        save save = save_of(lab, &(kifu_save_options){.without_schema = true});
        struct save bad = with_other_hashes(&save);
        kifu_timeline *loaded = load_by(&bad, &keeping, NULL);
        ck_assert_int_eq(kifu_go_to(loaded, 1, KIFU_WHERE_LEFT, true), KIFU_DIVERGED);
        lab_must(loaded, kifu_go_to(loaded, 0, 1, true));
        lab_must(loaded, kifu_log_open(loaded, path, &(kifu_save_options){.overwrite = true}));
        const kifu_result played = lab_play(loaded, ones[i][0]);
        // Where all of it was played, there is nothing to be said.
        ck_assert_int_eq(played ? played : kifu_run(loaded), i ? KIFU_DIVERGED : KIFU_OK);
        ck_assert_uint_eq(kifu_current_line(loaded), 1);
        const uint64_t hash = kifu_state_hash(loaded);
        lab_must(loaded, kifu_go_to(loaded, 0, KIFU_WHERE_LEFT, true));
        free(save.bytes);
        save = save_of(loaded, &(kifu_save_options){.without_schema = true});
        const frames frames = frames_of(&save);
        const records records = records_of(&frames.all[commit_at(&frames, 1)]);
        ck_assert_int_ge(find_record(&records, RECORD_TIP), 0); // Its end has a hash, as before.
        expect_entered(loaded, hash);
        lab_must(loaded, kifu_log_append(loaded));
        again = load_by(&save, &keeping, NULL);
        expect_entered(again, hash);
        kifu_destroy(again);
        kifu_destroy(loaded);
        kifu_error error;
        ck_assert_msg(
            !kifu_load(&lab_rules, path, &keeping, &(kifu_load_options){.recover = kifu_recover}, &again, &error), "%s",
            error.message);
        expect_entered(again, hash);
        kifu_destroy(again);
        kifu_destroy(lab);
        free(save.bytes);
        free(bad.bytes);
    }
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        R05_redo_says_once_that_it_differs,
        R05_redo_compares_what_a_fast_load_has_not_executed,
        M08_the_same_move_or_a_jump_is_as_redo,
        R05_a_log_file_of_what_redo_made_of_it_loads,
        M08_redo_that_differs_leaves_hashes_of_lines_without_its_event,
        M08_redo_that_differs_forgets_hashes_of_lines_with_its_event,
        M08_a_comparison_that_is_cancelled_finds_no_difference,
        M08_a_comparison_without_memory_is_made_later,
        M08_a_line_that_branches_off_behind_what_differs,
        M08_a_way_that_fails_behind_what_differs_leads_nowhere,
        M08_a_line_of_a_model_outside_the_state_is_compared_on_the_way,
        M08_a_fork_of_what_was_not_executed_yet_is_as_the_rules_of_today_play_it,
        R05_a_fork_of_a_game_that_was_loaded_fast_has_no_hashes_of_the_save,
        R05_a_fork_of_a_game_that_was_loaded_fast_compares_as_that_does,
        M08_a_fork_of_a_line_of_a_model_outside_the_state_is_as_the_rules_of_today_play_it,
        V06_a_loaded_line_is_compared_when_it_is_entered_or_looked_at,
        M08_a_loaded_line_is_compared_when_its_move_is_made,
        M08_a_line_that_differed_is_as_all_others_once_it_is_played,
    };
    return run_suite("differs", tests, sizeof tests / sizeof *tests);
}
