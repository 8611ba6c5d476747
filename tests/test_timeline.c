// The timeline: what happens to an event, in which order, and what happens when it may not.

#include <pthread.h>

#include "lab_help.h"
#include "suite.h"

#define ck_assert_text(error, text) ck_assert_msg(strstr((error)->message, text), "%s", (error)->message)

START_TEST(T01_holds_executed_and_pending_events)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_do(lab, 0, "1", 1);
    lab_do(lab, 1, "2", 1);
    ck_assert_uint_eq(kifu_pending_count(lab), 2);
    ck_assert_uint_eq(kifu_event_count(lab), 0);
    lab_must(lab, kifu_step(lab));
    ck_assert_uint_eq(kifu_pending_count(lab), 1);
    ck_assert_uint_eq(kifu_event_count(lab), 1);
    kifu_event event;
    ck_assert(kifu_event_at(lab, 0, &event));
    ck_assert_str_eq(event.name, "lab.PDo");
    ck_assert_str_eq(lab_p_do_script((const lab_p_do *)event.table), "1");
    ck_assert(!kifu_event_at(lab, 1, &event));
    ck_assert(kifu_pending_at(lab, 0, &event));
    ck_assert_str_eq(lab_p_do_script((const lab_p_do *)event.table), "2");
    ck_assert_int_eq(event.player, 1);
    ck_assert(!kifu_pending_at(lab, 1, &event));
    kifu_destroy(lab);
}
END_TEST

// A view and a reaction that write down what they are called for.
static char seen[200];

static void see(const char *what)
{
    strcat(seen, what);
}

static double act_p_do(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_do *event)
{
    (void)context;
    (void)event;
    char text[40];
    snprintf(text, sizeof text, "Act(total %d, log %u) ", (int)state->total, kifu_event_count(timeline));
    see(text);
    return 0;
}

static kifu_result react_to_p_do(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)context;
    const lab_state *now = (const lab_state *)state;
    char text[60];
    snprintf(text, sizeof text, "React(%s, total %d) ", event->name, (int)now->total);
    see(text);
    lab_submit_e_do(timeline, "7");
    return KIFU_OK;
}

static void redraw(void *context, kifu_timeline *timeline)
{
    (void)context;
    (void)timeline;
    see("Refresh ");
}

static void rejected(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    (void)context;
    (void)timeline;
    see("Rejected(");
    see(outcome->error->message);
    see(") ");
}

static const lab_view watching = {.base = {.redraw = redraw, .rejected = rejected}, .act_p_do = act_p_do};

START_TEST(T02_order_of_one_event)
{
    kifu_options options = {.view = &watching.base};
    kifu_timeline *lab = lab_new(&options);
    lab_must(lab, kifu_observe(lab, &(kifu_observer){.react = react_to_p_do, .type = LAB_P_DO}));
    seen[0] = '\0';
    // The check (times at most 3) comes before sealing: the log has what it left.
    lab_do(lab, 0, "+(5)", 200);
    lab_must(lab, kifu_run(lab));
    ck_assert_str_eq(seen, "React(lab.PDo, total 3) Act(total 3, log 1) ");
    kifu_event event;
    kifu_event_at(lab, 0, &event);
    ck_assert_uint_eq(((const lab_p_do *)event.table)->times, 3);
    ck_assert_str_eq(lab_trace(lab), "5557");
    ck_assert_str_eq(lab_log(lab), "PDo(+(5)) EDo(5) EDo(5) EDo(5) EDo(7)");
    kifu_destroy(lab);
}
END_TEST

START_TEST(T03_replay_runs_do_alone)
{
    kifu_options options = {.view = &watching.base};
    kifu_timeline *lab = lab_new(&options);
    lab_must(lab, kifu_observe(lab, &(kifu_observer){.react = react_to_p_do, .type = LAB_P_DO}));
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, lab_play(lab, "+1"));
    lab_picture before = lab_look(lab);
    seen[0] = '\0';
    lab_must(lab, kifu_undo(lab));
    ck_assert_str_eq(seen, "Refresh ");
    lab_must(lab, kifu_redo(lab));
    ck_assert_str_eq(seen, "Refresh Refresh ");
    lab_same(lab, &before);

    unsigned char *bytes;
    size_t size;
    lab_must(lab, kifu_save_to_memory(lab, NULL, &bytes, &size));
    seen[0] = '\0';
    kifu_timeline *loaded;
    kifu_error error;
    ck_assert_msg(!kifu_load_from_memory(&lab_rules, bytes, size, &options, NULL, &loaded, &error), "%s",
                  error.message);
    ck_assert_str_eq(seen, "Refresh ");
    lab_same(loaded, &before);
    kifu_free_bytes(lab, bytes);
    kifu_destroy(loaded);
    kifu_destroy(lab);
}
END_TEST

START_TEST(T04_submitting_in_a_replay_adds_nothing)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, lab_play(lab, "(1)(2(3))"));
    lab_picture before = lab_look(lab);
    ck_assert_uint_eq(before.events, 4);
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_redo(lab));
    lab_same(lab, &before);
    ck_assert_uint_eq(kifu_pending_count(lab), 0);
    kifu_destroy(lab);
}
END_TEST

START_TEST(T05_do_is_a_transaction)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_submit_e_initialize(lab, SEEDED(9));
    lab_must(lab, kifu_run(lab));
    lab_must(lab, lab_play(lab, "r+"));
    lab_do(lab, 0, "+r1(2)f", 1); // edits, draws, submits, and fails
    lab_do(lab, 0, "3", 1);
    lab_picture before = lab_look(lab);
    before.pending = 1; // the failed event is gone, the other still waits
    ck_assert_int_eq(kifu_run(lab), KIFU_FAILED);
    const kifu_error *error = kifu_last_error(lab);
    ck_assert_uint_eq(error->event, 2);
    ck_assert_text(error, "event 2 (lab.PDo)");
    ck_assert_str_eq(kifu_error_reason(error), "the script says so");
    ck_assert_text(error, "the script says so");
    lab_same(lab, &before);
    lab_must(lab, kifu_run(lab));
    ck_assert_str_eq(lab_trace(lab), "3");
    kifu_destroy(lab);
}
END_TEST

START_TEST(T05_a_failed_consequence_is_taken_back_alone)
{
    kifu_timeline *lab = lab_new(NULL);
    ck_assert_int_eq(lab_play(lab, "1(2f)(3)"), KIFU_FAILED);
    ck_assert_str_eq(lab_trace(lab), "1");
    lab_must(lab, kifu_run(lab));
    ck_assert_str_eq(lab_trace(lab), "13");
    ck_assert_str_eq(lab_log(lab), "PDo(1(2f)(3)) EDo(3)");
    kifu_destroy(lab);
}
END_TEST

START_TEST(T05_a_misused_edit_fails_the_do)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_picture before = lab_look(lab);
    ck_assert_int_eq(lab_play(lab, "1o2"), KIFU_MISUSE);
    ck_assert_text(kifu_last_error(lab), "trace[64]");
    lab_same(lab, &before);
    kifu_destroy(lab);
}
END_TEST

START_TEST(T05_an_event_that_breaks_its_schema_is_refused)
{
    kifu_timeline *lab = lab_new(NULL);
    ck_assert_int_eq(lab_play(lab, "1m"), KIFU_INVALID_EVENT); // 3 is between two values of Mood
    ck_assert_text(kifu_last_error(lab), "mood");
    ck_assert_str_eq(lab_log(lab), "PDo(1m)");
    ck_assert_uint_eq(kifu_pending_count(lab), 0);
    kifu_destroy(lab);
}
END_TEST

static double act_misused(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_do *event)
{
    (void)timeline;
    (void)state;
    kifu_timeline *lab = *(kifu_timeline **)context;
    const char *script = lab_p_do_script(event);
    if (script[0] == '1')
        *lab_edit_total(lab) = 77;
    if (script[0] == '2')
        lab_submit_e_do(lab, "9");
    if (script[0] == '3')
        kifu_undo(lab);
    if (script[0] == '4')
        kifu_random(lab);
    return 0;
}

START_TEST(T06_a_view_that_changes_the_model_is_reported)
{
    kifu_timeline *lab;
    lab_view view = {.base = {.context = &lab}, .act_p_do = act_misused};
    kifu_options options = {.view = &view.base};
    lab = lab_new(&options);
    lab_submit_e_initialize(lab, SEEDED(1));
    lab_must(lab, kifu_run(lab));
    static const char *const scripts[] = {"1", "2", "3", "4"};
    for (unsigned i = 0; i < 4; i++) {
        kifu_rng rng = lab_get_state(lab)->game.rng;
        ck_assert_int_eq(lab_play(lab, scripts[i]), KIFU_MISUSE);
        ck_assert_text(kifu_last_error(lab), "view function");
        ck_assert_int_eq(lab_get_state(lab)->total, 0);
        ck_assert_mem_eq(&rng, &lab_get_state(lab)->game.rng, sizeof rng);
        ck_assert_uint_eq(kifu_event_count(lab), i + 2); // the event itself stands
        ck_assert_uint_eq(kifu_pending_count(lab), 0);
    }
    kifu_destroy(lab);
}
END_TEST

static double act_for_a_second(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_do *event)
{
    (void)context;
    (void)timeline;
    (void)state;
    (void)event;
    return 1.0;
}

static const lab_view slow = {.act_p_do = act_for_a_second};

START_TEST(T07_update_waits_as_long_as_act_says)
{
    kifu_options options = {.view = &slow.base};
    kifu_timeline *lab = lab_new(&options);
    for (int i = 0; i < 3; i++)
        lab_do(lab, 0, "1(2)", 1);
    lab_must(lab, kifu_update(lab, 0.1));
    ck_assert_str_eq(lab_trace(lab), "1");
    ck_assert_double_eq_tol(kifu_delay(lab), 1.0, 1e-9);
    lab_must(lab, kifu_update(lab, 0.5));
    ck_assert_str_eq(lab_trace(lab), "1");
    lab_must(lab, kifu_update(lab, 0.5)); // EDo has no Act: the next PDo follows at once
    ck_assert_str_eq(lab_trace(lab), "121");
    lab_must(lab, kifu_update(lab, 1.25)); // what is left of the time counts for the next delay
    ck_assert_double_eq_tol(kifu_delay(lab), 0.75, 1e-9);
    ck_assert(!kifu_is_idle(lab));
    lab_must(lab, kifu_update(lab, 100));
    ck_assert(kifu_is_idle(lab));
    ck_assert_str_eq(lab_trace(lab), "121212");
    kifu_destroy(lab);
}
END_TEST

START_TEST(T07_the_last_event_takes_its_time_too)
{
    kifu_options options = {.view = &slow.base};
    kifu_timeline *lab = lab_new(&options);
    lab_do(lab, 0, "1", 1);
    lab_must(lab, kifu_update(lab, 0));
    for (int left = 4; left > 0; left--) {
        ck_assert_double_eq_tol(kifu_delay(lab), left / 4.0, 1e-9);
        ck_assert(!kifu_is_idle(lab));
        lab_must(lab, kifu_update(lab, 0.25));
    }
    ck_assert(kifu_is_idle(lab));
    kifu_destroy(lab);
}
END_TEST

START_TEST(M10_T07_a_long_frame_lets_no_more_time_pass_than_the_options_say)
{
    kifu_options options = {.view = &slow.base, .longest_frame = 0.25};
    kifu_timeline *lab = lab_new(&options);
    for (int i = 0; i < 3; i++)
        lab_do(lab, 0, "1", 1);
    lab_must(lab, kifu_update(lab, 100));
    ck_assert_str_eq(lab_trace(lab), "1");
    for (int frame = 0; frame < 3; frame++)
        lab_must(lab, kifu_update(lab, 100));
    ck_assert_str_eq(lab_trace(lab), "1");
    ck_assert_double_eq_tol(kifu_delay(lab), 0.25, 1e-9);
    lab_must(lab, kifu_update(lab, 0.2)); // a shorter frame is as long as it is
    ck_assert_double_eq_tol(kifu_delay(lab), 0.05, 1e-9);
    lab_must(lab, kifu_update(lab, 100));
    ck_assert_str_eq(lab_trace(lab), "11");
    ck_assert_double_eq_tol(kifu_delay(lab), 0.8, 1e-9);
    kifu_destroy(lab);
}
END_TEST

static double act_and_ask(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_do *event)
{
    (void)state;
    (void)event;
    *(bool *)context = kifu_is_running(timeline);
    return 0;
}

START_TEST(M04_a_program_asks_whether_an_event_runs)
{
    bool running = false;
    const lab_view view = {.base.context = &running, .act_p_do = act_and_ask};
    kifu_timeline *lab = lab_new(&(kifu_options){.view = &view.base});
    ck_assert(!kifu_is_running(lab));
    lab_must(lab, lab_play(lab, "1"));
    ck_assert(running);
    ck_assert(!kifu_is_running(lab));
    lab_must(lab, lab_try_p_do(lab, 0, &(lab_p_do_args){.script = "2", .times = 1}));
    ck_assert(!kifu_is_running(lab)); // a try is open, and no event runs
    lab_must(lab, kifu_take_back(lab));
    kifu_destroy(lab);
}
END_TEST

START_TEST(F01_T07_time_does_not_pile_up_while_nothing_waits)
{
    kifu_options options = {.view = &slow.base};
    kifu_timeline *lab = lab_new(&options);
    lab_do(lab, 0, "1", 1);
    lab_must(lab, kifu_update(lab, 0));
    lab_must(lab, kifu_update(lab, 100)); // 99 seconds more than Act asked for
    ck_assert(kifu_is_idle(lab));
    ck_assert_double_eq(kifu_delay(lab), 0);
    lab_do(lab, 0, "2", 1);
    lab_do(lab, 0, "3", 1);
    lab_must(lab, kifu_update(lab, 0));
    ck_assert_str_eq(lab_trace(lab), "12");
    lab_must(lab, kifu_update(lab, 0.9));
    ck_assert_str_eq(lab_trace(lab), "12");
    lab_must(lab, kifu_update(lab, 0.2));
    ck_assert_str_eq(lab_trace(lab), "123");
    kifu_destroy(lab);
}
END_TEST

START_TEST(T08_a_game_that_turns_quiet_waits_no_more)
{
    kifu_options options = {.view = &slow.base};
    kifu_timeline *lab = lab_new(&options);
    lab_do(lab, 0, "1", 1);
    lab_must(lab, kifu_update(lab, 0));
    kifu_set_quiet(lab, false);
    ck_assert(!kifu_is_idle(lab));
    kifu_set_quiet(lab, true);
    ck_assert(kifu_is_idle(lab));
    ck_assert_double_eq(kifu_delay(lab), 0);
    kifu_destroy(lab);
}
END_TEST

START_TEST(T07_a_failed_submit_is_told_in_the_middle_of_a_delay)
{
    kifu_options options = {.view = &slow.base};
    kifu_timeline *lab = lab_new(&options);
    lab_do(lab, 0, "1", 1);
    lab_must(lab, kifu_update(lab, 0));
    lab_do(lab, 200, "2", 1);
    ck_assert_int_eq(kifu_update(lab, 0.5), KIFU_MISUSE);
    lab_do(lab, 0, "3", 1);
    lab_must(lab, kifu_update(lab, 0.5));
    ck_assert_str_eq(lab_trace(lab), "1"); // the half second of the failed call did not pass
    lab_must(lab, kifu_update(lab, 0.5));
    ck_assert_str_eq(lab_trace(lab), "13");
    kifu_destroy(lab);
}
END_TEST

START_TEST(T07_step_runs_one_event_and_run_all)
{
    kifu_options options = {.view = &slow.base};
    kifu_timeline *lab = lab_new(&options);
    lab_do(lab, 0, "1(2)", 1);
    lab_do(lab, 0, "3", 1);
    lab_must(lab, kifu_step(lab));
    ck_assert_str_eq(lab_trace(lab), "1");
    lab_must(lab, kifu_step(lab));
    ck_assert_str_eq(lab_trace(lab), "12");
    lab_do(lab, 0, "4", 1);
    lab_must(lab, kifu_run(lab));
    ck_assert_str_eq(lab_trace(lab), "1234");
    ck_assert(kifu_is_idle(lab));
    lab_must(lab, kifu_step(lab)); // nothing waits: nothing happens
    kifu_destroy(lab);
}
END_TEST

START_TEST(T08_quiet_runs_consequences_without_act)
{
    kifu_options options = {.view = &watching.base, .quiet = true};
    kifu_timeline *lab = lab_new(&options);
    seen[0] = '\0';
    lab_must(lab, lab_play(lab, "+(1)"));
    ck_assert_str_eq(lab_trace(lab), "1");
    ck_assert_str_eq(seen, "");
    kifu_set_quiet(lab, false);
    lab_must(lab, lab_play(lab, "+"));
    ck_assert_str_eq(seen, "Act(total 2, log 3) ");
    kifu_destroy(lab);
}
END_TEST

START_TEST(T09_consequences_run_before_the_next_input)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_do(lab, 0, "1(2(4))(3)", 1);
    lab_do(lab, 0, "5(6)", 1);
    lab_must(lab, kifu_step(lab));
    lab_do(lab, 1, "7", 1); // a click in the middle of the chain
    lab_must(lab, kifu_run(lab));
    ck_assert_str_eq(lab_trace(lab), "1234567");
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_undo(lab));
    ck_assert_str_eq(lab_trace(lab), "1234");
    kifu_destroy(lab);
}
END_TEST

START_TEST(T10_a_runaway_chain_is_stopped)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, lab_play(lab, "1"));
    lab_picture before = lab_look(lab);
    ck_assert_int_eq(lab_play(lab, "2(3(l))"), KIFU_RUNAWAY);
    const kifu_error *error = kifu_last_error(lab);
    ck_assert_text(error, "10000");
    ck_assert_text(error,
                   "lab.EDo (event 10001) <- lab.EDo (event 10000) <- lab.EDo (event 9999) <- lab.EDo (event 9998) "
                   "<- ... <- lab.PDo (event 1); make fewer");
    lab_same(lab, &before);
    lab_must(lab, lab_play(lab, "2"));
    ck_assert_str_eq(lab_trace(lab), "12");
    kifu_destroy(lab);

    kifu_options options = {.max_consequences = 3};
    lab = lab_new(&options);
    lab_must(lab, lab_play(lab, "(1)(2)(3)"));
    ck_assert_int_eq(lab_play(lab, "(1)(2)(3)(4)"), KIFU_RUNAWAY);
    ck_assert_text(kifu_last_error(lab), "lab.EDo is one consequence too many <- lab.PDo (event 4); make fewer");
    kifu_destroy(lab);
    options.max_consequences = 4; // a chain short enough to be told whole
    lab = lab_new(&options);
    ck_assert_int_eq(lab_play(lab, "l"), KIFU_RUNAWAY);
    ck_assert_text(kifu_last_error(lab),
                   "lab.EDo (event 4) <- lab.EDo (event 3) <- lab.EDo (event 2) <- lab.EDo (event 1) "
                   "<- lab.PDo (event 0); make fewer");
    kifu_destroy(lab);
    options.max_consequences = 65536;
    kifu_error refused;
    ck_assert_int_eq(kifu_create(&lab_rules, &options, &lab, &refused), KIFU_MISUSE);
    ck_assert_text(&refused, "65535");
}
END_TEST

// A message holds as much of it as there is room for.
START_TEST(T10_a_runaway_chain_with_long_names_is_stopped)
{
    char name[321];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    kifu__table table = *lab_rules.types[LAB_E_DO].table;
    table.name = name;
    kifu__type types[256];
    memcpy(types, lab_rules.types, (lab_rules.type_count + 1) * sizeof *types);
    types[LAB_E_DO].table = &table;
    kifu_rules rules = lab_rules;
    rules.types = types;
    const kifu_options options = {.max_consequences = 20};
    kifu_timeline *lab;
    ck_assert_int_eq(kifu_create(&rules, &options, &lab, NULL), KIFU_OK);
    ck_assert_int_eq(lab_play(lab, "2(3(l))"), KIFU_RUNAWAY);
    ck_assert_text(kifu_last_error(lab), "the input had more than 20 consequences and was taken back: nnn");
    ck_assert_uint_eq(kifu_event_count(lab), 0);
    kifu_destroy(lab);
}
END_TEST

START_TEST(T10_a_chain_that_began_before_the_save_is_taken_back_whole)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, lab_play(lab, "1"));
    lab_picture before = lab_look(lab);
    lab_do(lab, 0, "2(3l)", 1);
    for (int i = 0; i < 3000; i++) // more than a load journals
        lab_must(lab, kifu_step(lab));
    unsigned char *bytes;
    size_t size;
    lab_must(lab, kifu_save_to_memory(lab, NULL, &bytes, &size));
    kifu_timeline *loaded;
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, bytes, size, NULL, NULL, &loaded, NULL), KIFU_OK);
    ck_assert_int_eq(kifu_run(loaded), KIFU_RUNAWAY);
    lab_same(loaded, &before);
    kifu_free_bytes(lab, bytes);
    kifu_destroy(loaded);
    kifu_destroy(lab);
}
END_TEST

enum { GAMES = 1000, THREADS = 4 };

static kifu_timeline *games[GAMES];

// One step in each of the thread's games, then the next step in each. The next game has the same seed and plays the
// same, in another thread.
static void *play_a_share(void *argument)
{
    static const char *const scripts[] = {"+r(+r)(-r)", "r[12](3)", "f", "(+)(![-])r"};
    const unsigned thread = *(const unsigned *)argument;
    for (unsigned step = 0; step < 48; step++) {
        for (unsigned i = thread; i < GAMES; i += THREADS) {
            const unsigned each = (step + i / 2) % 4;
            kifu_result result = lab_play(games[i], scripts[each]);
            if (result != (each == 2 ? KIFU_FAILED : KIFU_OK) || (step % 3 == 2 && kifu_undo(games[i])))
                return NULL;
        }
    }
    return argument;
}

START_TEST(F04_T11_a_thousand_games_share_nothing)
{
    for (unsigned i = 0; i < GAMES; i++) {
        kifu_options options = {.seed = 1 + i / 2};
        games[i] = lab_new(&options);
        lab_submit_e_initialize(games[i], NULL);
        lab_must(games[i], kifu_run(games[i]));
    }
    pthread_t threads[THREADS];
    static unsigned shares[] = {0, 1, 2, 3};
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, play_a_share, &shares[i]), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        ck_assert_ptr_eq(result, &shares[i]);
    }
    for (unsigned i = 0; i < GAMES; i += 2) {
        ck_assert_mem_eq(lab_get_state(games[i]), lab_get_state(games[i + 1]), sizeof(lab_state));
        if (i)
            ck_assert_uint_ne(kifu_state_hash(games[i]), kifu_state_hash(games[i - 2]));
    }
    for (unsigned i = 0; i < GAMES; i++)
        kifu_destroy(games[i]);
}
END_TEST

START_TEST(T12_every_event_knows_cause_and_player)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, lab_play(lab, "1"));
    lab_do(lab, 5, "p(p(2))(3)", 1);
    lab_must(lab, kifu_run(lab));
    static const struct {
        uint32_t cause;
        int player;
    } expected[] = {{KIFU_NONE, 0}, {KIFU_NONE, 5}, {1, -1}, {1, -1}, {2, -1}};
    kifu_event event;
    for (uint32_t i = 0; i < 5; i++) {
        ck_assert(kifu_event_at(lab, i, &event));
        ck_assert_uint_eq(event.cause, expected[i].cause);
        ck_assert_int_eq(event.player, expected[i].player);
    }
    ck_assert_uint_eq(lab_get_state(lab)->trace[1], 5);   // the player's number, as Do saw it
    ck_assert_uint_eq(lab_get_state(lab)->trace[2], 255); // -1
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_redo(lab));
    ck_assert_uint_eq(lab_get_state(lab)->trace[1], 5); // and as its replay saw it
    lab_do(lab, 128, "1", 1);
    ck_assert_int_eq(kifu_run(lab), KIFU_MISUSE);
    ck_assert_text(kifu_last_error(lab), "128");
    kifu_destroy(lab);
}
END_TEST

START_TEST(rejected_inputs_are_reported_and_consequences_told)
{
    kifu_options options = {.view = &watching.base};
    kifu_timeline *lab = lab_new(&options);
    seen[0] = '\0';
    ck_assert_int_eq(lab_play(lab, "!1"), KIFU_REJECTED);
    ck_assert_text(kifu_last_error(lab), "lab.PDo was rejected: forbidden by its first letter");
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(lab)), "forbidden by its first letter");
    ck_assert_str_eq(seen, "Rejected(lab.PDo was rejected: forbidden by its first letter) ");
    ck_assert_uint_eq(kifu_event_count(lab), 0);
    seen[0] = '\0';
    lab_must(lab, lab_play(lab, "1[!2][3]"));
    ck_assert_str_eq(lab_trace(lab), "13");
    ck_assert_str_eq(lab_log(lab), "PDo(1[!2][3]) ETry(3)");
    ck_assert_ptr_nonnull(strstr(seen, "Rejected(lab.ETry was rejected"));
    kifu_destroy(lab);
}
END_TEST

static void count_outcome(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    (void)timeline, (void)outcome;
    ++*(unsigned *)context;
}

START_TEST(F08_drop_inputs_drops_what_a_rejection_left)
{
    kifu_timeline *lab = lab_new(NULL);
    unsigned outcomes = 0;
    lab_do(lab, 0, "!", 1);
    lab_do(lab, 0, "1", 1);
    const kifu_ticket last = lab_do(lab, 0, "2", 1);
    lab_must(lab, kifu_follow(lab, last, count_outcome, &outcomes));
    ck_assert_int_eq(kifu_run(lab), KIFU_REJECTED);
    ck_assert_uint_eq(kifu_pending_count(lab), 2); // a stale click waits
    lab_must(lab, kifu_drop_inputs(lab));
    ck_assert_uint_eq(kifu_pending_count(lab), 0);
    lab_must(lab, kifu_run(lab));
    ck_assert_str_eq(lab_trace(lab), "");
    ck_assert_int_eq(kifu_override(lab, last, true, false), KIFU_MISUSE); // gone
    ck_assert_uint_eq(outcomes, 0);
    lab_must(lab, kifu_drop_inputs(lab)); // none waits

    lab_do(lab, 0, "1(2)(3)", 1);
    lab_do(lab, 0, "4", 1);
    lab_must(lab, kifu_step(lab));
    lab_must(lab, kifu_drop_inputs(lab));
    ck_assert_uint_eq(kifu_pending_count(lab), 2); // the consequences of what happened
    lab_must(lab, kifu_run(lab));
    ck_assert_str_eq(lab_trace(lab), "123");
    kifu_destroy(lab);
}
END_TEST

START_TEST(F08_drop_inputs_beside_redo_transactions_the_past_and_failed_submits)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, lab_play(lab, "1"));
    lab_must(lab, lab_play(lab, "2"));
    lab_must(lab, kifu_undo(lab));
    lab_do(lab, 0, "3", 1);
    ck_assert_int_eq(kifu_redo(lab), KIFU_NOTHING_TO_REDO); // an input waits
    lab_must(lab, kifu_drop_inputs(lab));
    lab_must(lab, kifu_redo(lab));
    ck_assert_str_eq(lab_trace(lab), "12");

    lab_do(lab, 0, "4", 1);
    lab_must(lab, kifu_begin(lab, 0));
    lab_must(lab, kifu_drop_inputs(lab));
    ck_assert_uint_eq(kifu_pending_count(lab), 0);
    lab_must(lab, kifu_roll_back(lab));
    ck_assert_uint_eq(kifu_pending_count(lab), 1);

    lab_must(lab, kifu_seek(lab, 1));
    lab_must(lab, kifu_drop_inputs(lab));
    lab_must(lab, kifu_seek(lab, KIFU_PRESENT));
    ck_assert_uint_eq(kifu_pending_count(lab), 0);

    lab_do(lab, 0, "5", 1);
    lab_do(lab, 200, "6", 1); // no such player
    ck_assert_int_eq(kifu_drop_inputs(lab), KIFU_MISUSE);
    ck_assert_text(kifu_last_error(lab), "player 200");
    ck_assert_uint_eq(kifu_pending_count(lab), 0);
    lab_must(lab, kifu_run(lab));
    ck_assert_str_eq(lab_trace(lab), "12");
    kifu_destroy(lab);
}
END_TEST

START_TEST(E02_transient_fields_reach_act_and_are_not_saved)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_submit_e_show(lab, 4);
    lab_must(lab, kifu_run(lab));
    kifu_event event;
    ck_assert(kifu_event_at(lab, 0, &event));
    ck_assert_uint_eq(sizeof(lab_e_show), 8); // vtable and amount: no total
    ck_assert_int_eq(((const lab_e_show *)event.table)->amount, 4);
    kifu_destroy(lab);
}
END_TEST

static double act_e_show(void *context, kifu_timeline *timeline, const lab_state *state, const lab_e_show *event,
                         const lab_e_show_transient *transient)
{
    (void)timeline;
    (void)state;
    (void)event;
    *(int64_t *)context = transient->total;
    return 0;
}

START_TEST(E02_act_gets_what_do_filled_in)
{
    int64_t shown = 0;
    lab_view view = {.base = {.context = &shown}, .act_e_show = act_e_show};
    kifu_options options = {.view = &view.base};
    kifu_timeline *lab = lab_new(&options);
    lab_submit_e_show(lab, 4);
    lab_submit_e_show(lab, 5);
    lab_must(lab, kifu_run(lab));
    ck_assert_int_eq(shown, 9);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        T01_holds_executed_and_pending_events,
        T02_order_of_one_event,
        T03_replay_runs_do_alone,
        T04_submitting_in_a_replay_adds_nothing,
        T05_do_is_a_transaction,
        T05_a_failed_consequence_is_taken_back_alone,
        T05_a_misused_edit_fails_the_do,
        T05_an_event_that_breaks_its_schema_is_refused,
        T06_a_view_that_changes_the_model_is_reported,
        T07_update_waits_as_long_as_act_says,
        T07_the_last_event_takes_its_time_too,
        M10_T07_a_long_frame_lets_no_more_time_pass_than_the_options_say,
        M04_a_program_asks_whether_an_event_runs,
        F01_T07_time_does_not_pile_up_while_nothing_waits,
        T08_a_game_that_turns_quiet_waits_no_more,
        T07_a_failed_submit_is_told_in_the_middle_of_a_delay,
        T07_step_runs_one_event_and_run_all,
        T08_quiet_runs_consequences_without_act,
        T09_consequences_run_before_the_next_input,
        T10_a_runaway_chain_is_stopped,
        T10_a_runaway_chain_with_long_names_is_stopped,
        T10_a_chain_that_began_before_the_save_is_taken_back_whole,
        F04_T11_a_thousand_games_share_nothing,
        T12_every_event_knows_cause_and_player,
        rejected_inputs_are_reported_and_consequences_told,
        F08_drop_inputs_drops_what_a_rejection_left,
        F08_drop_inputs_beside_redo_transactions_the_past_and_failed_submits,
        E02_transient_fields_reach_act_and_are_not_saved,
        E02_act_gets_what_do_filled_in,
    };
    return run_suite("timeline", tests, sizeof tests / sizeof *tests);
}
