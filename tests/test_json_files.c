// What there is in a file besides a game, as JSON: the states along a log file that was not closed.

#include <kifu/log_file.h>
#include <unistd.h>

#include "crawl_help.h"
#include "lab_help.h"
#include "there_and_back.h"
#include "tool/command.h"

// So much that the log file has a state on the way. It is not closed.
static void write_long_log(kifu_timeline *lab, const char *path)
{
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int i = 0; i < 30; i++) {
        for (int k = 0; k < 1000; k++)
            lab_submit_p_add(lab, 0, 1 + k);
        lab_must(lab, kifu_run(lab));
        lab_must(lab, kifu_log_append(lab));
    }
    lab_must(lab, kifu_undo(lab));
    lab_submit_p_add(lab, 0, 1);
    lab_must(lab, kifu_log_append(lab));
}

static void same_snapshots(const kifu__game_file *a, const kifu__game_file *b)
{
    ck_assert_uint_eq(a->snapshot_count, b->snapshot_count);
    for (uint32_t i = 0; i < a->snapshot_count; i++) {
        const kifu__state_there *one = &a->snapshots[i], *other = &b->snapshots[i];
        ck_assert(one->events == other->events && one->hash == other->hash && !one->state == !other->state);
        ck_assert(!one->state || !memcmp(one->state, other->state, a->rules->state_size));
    }
}

static void expect_load(const kifu__file_bytes *save, bool fast, kifu_result wanted, uint32_t event)
{
    kifu_timeline *loaded;
    kifu_error error;
    const kifu_load_options how = {.fast = fast};
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, save->at, save->size, NULL, &how, &loaded, &error), wanted);
    ck_assert(!wanted || error.event == event);
    ck_assert(wanted || kifu_pending_count(loaded) == 1);
    kifu_destroy(loaded);
}

START_TEST(R08_the_states_along_a_log_file_go_over_by_json)
{
    char path[] = "/tmp/kifu_json_XXXXXX";
    close(mkstemp(path));
    unlink(path);
    kifu_timeline *lab = lab_started(NULL);
    kifu__file_bytes bytes;
    kifu_error error;
    kifu__game_file log;
    write_long_log(lab, path);
    ck_assert_int_eq(kifu__read_bytes(path, &bytes, &error), KIFU_OK);
    ck_assert_int_eq(kifu__open_bytes(path, &bytes, &(kifu__open_options){.so_far = true}, &log, &error), KIFU_OK);
    uint32_t states = 0, last = 0;
    for (uint32_t i = 0; i < log.snapshot_count; i++) {
        states += log.snapshots[i].state != NULL;
        last = log.snapshots[i].state ? i : last;
    }
    ck_assert_uint_eq(log.snapshot_count, 30); // Where the file begins, and after each append but that of the undo.
    ck_assert_uint_ge(states, 1);
    kifu__file_bytes json = json_of_file(&log);
    kifu__game_file from_json = opened(&json);
    same_snapshots(&log, &from_json);
    kifu__file_bytes save = save_of(&from_json, NULL);
    kifu__game_file again = opened(&save);
    same_snapshots(&log, &again);
    expect_load(&save, false, KIFU_OK, 0);
    expect_load(&save, true, KIFU_OK, 0);
    // A load compares with them.
    kifu__file_bytes other;
    from_json.snapshots[last].hash++;
    from_json.snapshots[last].state = NULL;
    other = save_of(&from_json, NULL);
    expect_load(&other, false, KIFU_DIVERGED, from_json.snapshots[last].events - 1);
    kifu__close_game(&log), kifu__close_game(&from_json), kifu__close_game(&again);
    free(bytes.at), free(json.at), free(save.at), free(other.at);
    lab_must(lab, kifu_log_close(lab, NULL));
    kifu_destroy(lab);
    unlink(path);
}
END_TEST

START_TEST(R08_what_waits_is_kept_beside_a_state_there)
{
    const kifu_options options = {.keep_variations = kifu_keep_variations};
    kifu_timeline *lab = lab_started(&options), *loaded;
    kifu_error error;
    for (int i = 0; i < 5; i++)
        lab_submit_p_add(lab, 0, 1 + i);
    lab_must(lab, kifu_run(lab));
    const uint32_t end = kifu_event_count(lab);
    lab_submit_p_add(lab, 0, 7); // It waits behind all of them,
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_undo(lab));
    lab_submit_p_add(lab, 0, 8); // another one behind three,
    lab_must(lab, kifu_undo(lab));
    lab_submit_p_add(lab, 0, 9); // and one here.
    kifu__file_bytes save;
    ck_assert_int_eq(kifu_save_to_memory(lab, NULL, &save.at, &save.size), KIFU_OK);
    kifu__game_file file = opened(&save);
    const uint32_t here = kifu_event_count(lab);
    file.timeline->executed = end - 1; // As if the game were further on, and had a state where something is kept.
    kifu__queue_cut(&file.timeline->inputs, 0, 0);
    kifu__state_there all[] = {{here, 1, NULL}, {here + 1, 2, NULL}};
    file.snapshots = all;
    file.snapshot_count = 2;
    file.has_hash = false;
    file.state = NULL;
    const kifu__file_bytes json = json_of_file(&file), plain = save_of(&file, NULL);
    kifu__game_file again = opened(&plain);
    const kifu__file_bytes once_more = json_of_file(&again);
    same_bytes(&json, &once_more, "JSON with states and with what is kept there, and what became of it");
    ck_assert_ptr_nonnull(strstr((const char *)json.at, "\"kept\""));
    const kifu_load_options allowing = {.allow_changed = true};
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, plain.at, plain.size, &options, &allowing, &loaded, &error),
                     KIFU_OK);
    lab_must(loaded, kifu_go_to(loaded, 0, here, true));
    lab_must(loaded, kifu_redo(loaded)); // It stops where something waits.
    ck_assert_uint_eq(kifu_event_count(loaded), here + 1);
    ck_assert_uint_eq(kifu_pending_count(loaded), 1);
    kifu_destroy(lab);
    kifu_destroy(loaded);
    kifu__close_game(&file), kifu__close_game(&again);
    free(save.at), free(json.at), free(plain.at), free(once_more.at);
}
END_TEST

// The game as it is after the way by JSON, loaded by these rules.
static kifu_timeline *by_json(kifu_timeline *timeline, const kifu_rules *rules, const kifu_options *options)
{
    kifu__file_bytes save;
    kifu_timeline *loaded;
    kifu_error error;
    ck_assert_int_eq(kifu_save_to_memory(timeline, NULL, &save.at, &save.size), KIFU_OK);
    kifu__game_file file = opened(&save);
    const kifu__file_bytes json = json_of_file(&file);
    kifu__game_file from_json = opened(&json);
    const kifu__file_bytes made = save_of(&from_json, NULL);
    kifu__close_game(&file), kifu__close_game(&from_json);
    ck_assert_msg(!kifu_load_from_memory(rules, made.at, made.size, options, NULL, &loaded, &error), "%s",
                  error.message);
    kifu_free_bytes(timeline, save.at);
    free(json.at), free(made.at);
    return loaded;
}

static void add(kifu_timeline *lab, int amount)
{
    lab_submit_p_add(lab, 0, amount);
    lab_must(lab, kifu_run(lab));
}

START_TEST(R08_the_rules_version_of_each_event_goes_over_by_json)
{
    const kifu_options options = {.keep_variations = kifu_keep_variations};
    kifu_rules second = lab_rules;
    second.rules_version = lab_rules.rules_version + 1;
    kifu_timeline *first = lab_started(&options), *lab;
    add(first, 1);
    add(first, 2);
    lab = by_json(first, &second, &options);
    lab_must(lab, kifu_undo(lab));
    add(lab, 3); // on a line of its own
    add(lab, 4);
    lab_must(lab, kifu_go_to(lab, 0, KIFU_WHERE_LEFT, true));
    add(lab, 5);
    kifu_timeline *last = by_json(lab, &second, &options);
    static const uint32_t lines[][4] = {{0, 0, 0, 1}, {0, 0, 1, 1}};
    for (uint32_t line = 0; line < 2; line++) {
        for (uint32_t i = 0; i < 4; i++) {
            kifu_event event;
            const bool there = kifu_line_event(last, line, i, &event);
            ck_assert_msg(there == kifu_line_event(lab, line, i, &event), "line %u has no event %u", line, i);
            ck_assert(!there || kifu_line_event(last, line, i, &event));
            ck_assert_msg(!there || event.rules_version == lab_rules.rules_version + lines[line][i],
                          "event %u of line %u has rules version %u", i, line, event.rules_version);
        }
    }
    kifu_destroy(first);
    kifu_destroy(lab);
    kifu_destroy(last);
}
END_TEST

START_TEST(R08_the_numbers_of_deleted_lines_stay_used_up_by_json)
{
    const kifu_options options = {.keep_variations = kifu_keep_variations};
    kifu_timeline *lab = lab_started(&options);
    for (int i = 1; i < 4; i++) {
        add(lab, i);
        lab_must(lab, kifu_undo(lab));
    }
    add(lab, 9);
    ck_assert_uint_eq(kifu_current_line(lab), 3);
    lab_must(lab, kifu_go_to(lab, 0, KIFU_WHERE_LEFT, true));
    lab_must(lab, kifu_delete_line(lab, 3));
    kifu_timeline *loaded = by_json(lab, &lab_rules, &options);
    ck_assert_uint_eq(kifu_line_count(loaded), 3);
    lab_must(loaded, kifu_go_to(loaded, 0, 1, true));
    add(loaded, 10);
    ck_assert_uint_eq(kifu_current_line(loaded), 4);
    kifu_destroy(lab);
    kifu_destroy(loaded);
}
END_TEST

START_TEST(R08_actions_that_go_on_go_over_by_json)
{
    kifu_timeline *crawl = crawl_new(NULL);
    const kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 3, 100);
    crawl_add(crawl, CRAWL_KIND_RAT, 7, 7, 100);
    must_step(crawl, crawl_hunt, BEGAN);
    must_act(crawl, hero, crawl_submit_p_run(crawl, 0, &(crawl_p_run_args){.actor = hero, .dx = 1, .left = 2}));
    kifu_timeline *loaded = by_json(crawl, &crawl_rules, NULL);
    ck_assert(kifu_goes_on(crawl, hero) && kifu_goes_on(loaded, hero));
    kifu_destroy(loaded);
    must(crawl, kifu_undo(crawl)); // It is kept where redo leads.
    loaded = by_json(crawl, &crawl_rules, NULL);
    ck_assert(!kifu_goes_on(loaded, hero));
    must(loaded, kifu_redo(loaded));
    ck_assert(kifu_goes_on(loaded, hero));
    kifu_destroy(crawl);
    kifu_destroy(loaded);
}
END_TEST

// Of a line that goes on behind the place where the past was forgotten, as of the log.
START_TEST(R08_a_cause_that_is_forgotten_goes_over_by_json)
{
    const kifu_options options = {.keep_variations = kifu_keep_variations, .from_state = kifu_begin_from_state};
    kifu_timeline *lab = lab_new(&options), *loaded;
    lab_submit_e_do(lab, "+@+");
    lab_must(lab, kifu_run(lab));
    lab_must(lab, kifu_forget(lab, 1));
    ck_assert_uint_eq(kifu_first_event(lab), 1);
    for (int line = 0; line < 2; line++) {
        gathered text = {0};
        loaded = by_json(lab, &lab_rules, &options);
        ck_assert_int_eq(kifu_json_game(loaded, NULL, gather, &text), KIFU_OK);
        ck_assert_msg(text.text && strstr(text.text, "\"cause\": 0,"), "%s", text.text);
        free(text.text);
        kifu_destroy(loaded);
        lab_must(lab, kifu_go_to(lab, 0, 1, true));
        lab_must(lab, lab_play(lab, "-")); // Line 1 begins.
    }
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        R08_the_states_along_a_log_file_go_over_by_json,
        R08_what_waits_is_kept_beside_a_state_there,
        R08_the_rules_version_of_each_event_goes_over_by_json,
        R08_the_numbers_of_deleted_lines_stay_used_up_by_json,
        R08_actions_that_go_on_go_over_by_json,
        R08_a_cause_that_is_forgotten_goes_over_by_json,
    };
    return run_suite("json_files", tests, sizeof tests / sizeof *tests);
}
