// Every way to lose determinism that we could think of, planted: each is caught, at the event that did it.
//
// The sync test catches what differs between two runs of one Do, and whoever writes to the state without an edit. What
// stays the same for a while (the date, the process, a cache) it lets pass: there a second run of the game is needed,
// by kifu_verify_replay or by loading a save. Some things the library refuses in every mode.
//
// What no run on one machine can show: the order of bytes, the sizes of types, the compiler. Do functions that use
// nothing but fixed-size fields and no floats are safe from these.

#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faulty_help.h"
#include "suite.h"

typedef enum catcher {
    BY_SYNC_TEST,  // KIFU_DIVERGED while the game is played
    BY_SECOND_RUN, // The sync test passes; kifu_verify_replay and kifu_load do not.
    ALWAYS         // KIFU_MISUSE while the game is played, in every mode
} catcher;

typedef struct planted {
    const char *what;
    catcher by;
    void (*fault)(kifu_timeline *timeline); // Submits the event that is to be caught,
    const char *name;                       // which has this type,
    const char *field;                      // and makes this field differ.
    void (*prepare)(kifu_timeline *timeline);
    void (*change)(void); // The world is another one in the second run.
    void (*restore)(void);
    bool (*elsewhere)(void *(*run)(void *), void *argument); // Where the second run is; NULL: here.
} planted;

// --- The game --------------------------------------------------------------------------------------------------------

static int difficulty;

// Who writes to the state in the next event.
static enum { NOBODY, REACTION, TRIGGER, LISTENER, ACT, ACT_RANDOM } writer;

static kifu_result react(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)context;
    (void)timeline;
    (void)event;
    if (writer == REACTION)
        faulty_writable(state)->power = FAULTY_POWER_SWIM | FAULTY_POWER_DIG;
    return KIFU_OK;
}

static kifu_result pull(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                        const kifu_change *change)
{
    (void)context;
    (void)timeline;
    (void)event;
    (void)change;
    if (writer == TRIGGER)
        faulty_writable(state)->alive = true;
    return KIFU_OK;
}

static void listen(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)context;
    (void)timeline;
    (void)change;
    if (writer == LISTENER)
        faulty_writable(state)->game.players[3].color = 7;
    writer = writer == LISTENER ? NOBODY : writer; // It is told again, of the undo.
}

static double act_p_add(void *context, kifu_timeline *timeline, const faulty_state *state, const faulty_p_add *event)
{
    (void)context;
    (void)event;
    if (writer == ACT)
        faulty_writable(state)->ratio = 0.5;
    if (writer == ACT_RANDOM)
        kifu_random((kifu_timeline *)(uintptr_t)timeline);
    return 0;
}

static double act_e_view_told(void *context, kifu_timeline *timeline, const faulty_state *state,
                              const faulty_e_view_told *event)
{
    (void)context;
    (void)timeline;
    (void)state;
    (void)event;
    faulty_now.shown++;
    return 0;
}

static const faulty_view view = {.act_p_add = act_p_add, .act_e_view_told = act_e_view_told};

static kifu_timeline *begin(bool sync_test)
{
    faulty_forget();
    writer = NOBODY;
    difficulty = 3;
    kifu_options options = {.view = &view.base,
                            .user = &difficulty,
                            .hash_interval = 1,
                            .sync_test = sync_test ? kifu_sync_test : NULL,
                            .seed = 7};
    kifu_timeline *timeline = faulty_begin(&options);
    faulty_must(timeline, kifu_observe(timeline, &(kifu_observer){.react = react, .type = FAULTY_P_ADD}));
    faulty_must(timeline, kifu_observe(timeline, &(kifu_observer){.trigger = pull, KIFU_PART(faulty_state, total)}));
    faulty_must(timeline, kifu_observe(timeline, &(kifu_observer){.listen = listen, KIFU_PART(faulty_state, total)}));
    return timeline;
}

// --- What submits the faults -----------------------------------------------------------------------------------------

#define SUBMIT(event)                                                                                                  \
    static void plant_##event(kifu_timeline *timeline)                                                                 \
    {                                                                                                                  \
        faulty_submit_e_##event(timeline);                                                                             \
    }
SUBMIT(address_of_state)
SUBMIT(address_of_event)
SUBMIT(address_of_local)
SUBMIT(address_of_heap)
SUBMIT(sum_by_address)
SUBMIT(sort_by_address)
SUBMIT(hash_by_address)
SUBMIT(keep_edit)
SUBMIT(use_kept_edit)
SUBMIT(padding_left)
SUBMIT(stack_left)
SUBMIT(heap_left)
SUBMIT(errno_left)
SUBMIT(counter)
SUBMIT(first_time)
SUBMIT(stale_cache)
SUBMIT(clock)
SUBMIT(day)
SUBMIT(library_random)
SUBMIT(environment)
SUBMIT(thread)
SUBMIT(process)
SUBMIT(user_data)
SUBMIT(rounding)
SUBMIT(locale)
SUBMIT(view_told)
SUBMIT(cast_write)
SUBMIT(check_write)
SUBMIT(fail_after_write)
SUBMIT(check_random)
SUBMIT(replay_branch)
SUBMIT(fail_again)
SUBMIT(fail_at_first)
SUBMIT(ticket)
#undef SUBMIT

static void keep_event(kifu_timeline *timeline)
{
    faulty_submit_e_keep_event(timeline, 4);
}

static void plant_use_kept_event(kifu_timeline *timeline)
{
    faulty_submit_e_use_kept_event(timeline, NULL);
}

static void plant_pending(kifu_timeline *timeline)
{
    faulty_submit_e_pending(timeline);
    faulty_submit_p_add(timeline, 0, 2); // waits
}

static void add(kifu_timeline *timeline)
{
    faulty_submit_p_add(timeline, 0, 2);
}

static void let_reaction(kifu_timeline *timeline)
{
    (void)timeline;
    writer = REACTION;
}

static void let_trigger(kifu_timeline *timeline)
{
    (void)timeline;
    writer = TRIGGER;
}

static void let_listener(kifu_timeline *timeline)
{
    (void)timeline;
    writer = LISTENER;
}

static void let_act(kifu_timeline *timeline)
{
    (void)timeline;
    writer = ACT;
}

static void let_act_draw(kifu_timeline *timeline)
{
    (void)timeline;
    writer = ACT_RANDOM;
}

// Fills the cache in a line of play that is undone.
static void fill_cache(kifu_timeline *timeline)
{
    faulty_play(timeline, 100);
    plant_stale_cache(timeline);
    faulty_must(timeline, kifu_run(timeline));
    faulty_must(timeline, kifu_undo(timeline));
}

static void lose_nothing(kifu_timeline *timeline)
{
    faulty_now.day = 23;
    (void)timeline;
}

// --- The second run --------------------------------------------------------------------------------------------------

static void next_day(void)
{
    faulty_now.day++;
}

static void set_environment(void)
{
    setenv("FAULTY_LEVEL", "3", 1);
}

static void unset_environment(void)
{
    unsetenv("FAULTY_LEVEL");
}

static void raise_difficulty(void)
{
    difficulty = 4;
}

static void round_up(void)
{
    fesetround(FE_UPWARD);
}

static void round_to_nearest(void)
{
    fesetround(FE_TONEAREST);
}

static void set_locale(void)
{
    setlocale(LC_ALL, "C.UTF-8");
}

static void reset_locale(void)
{
    setlocale(LC_ALL, "C");
}

typedef struct run {
    kifu_timeline *timeline;
    const unsigned char *save;
    size_t size;
    kifu_result verified, loaded;
    kifu_difference difference;
    kifu_error error, load_error;
} run;

static void *run_again(void *argument)
{
    run *run = argument;
    run->verified = kifu_verify_replay(run->timeline, &run->difference);
    run->error = *kifu_last_error(run->timeline);
    kifu_timeline *loaded;
    kifu_options options = {.user = &difficulty};
    run->loaded = kifu_load_from_memory(&faulty_rules, run->save, run->size, &options, NULL, &loaded, &run->load_error);
    kifu_destroy(loaded);
    return NULL;
}

static bool in_another_thread(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, function, argument) == 0 && pthread_join(thread, NULL) == 0;
}

// What the process finds comes back through a pipe.
static bool in_another_process(void *(*function)(void *), void *argument)
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        function(argument);
        _exit(write(ends[1], argument, sizeof(run)) != sizeof(run));
    }
    bool read_all = child > 0 && read(ends[0], argument, sizeof(run)) == sizeof(run);
    int status = 1;
    waitpid(child, &status, 0);
    close(ends[0]);
    close(ends[1]);
    return read_all && status == 0;
}

// --- The table -------------------------------------------------------------------------------------------------------

static void take_large_blocks(kifu_timeline *timeline)
{
    (void)timeline;
    faulty_now.large = true;
}

static const planted faults[] = {
    {.what = "address of the state", BY_SYNC_TEST, plant_address_of_state, "faulty.EAddressOfState", "total"},
    {.what = "address of the event", BY_SYNC_TEST, plant_address_of_event, "faulty.EAddressOfEvent", "total"},
    {.what = "address of a local", BY_SYNC_TEST, plant_address_of_local, "faulty.EAddressOfLocal", "total"},
    {.what = "address of allocated memory", BY_SYNC_TEST, plant_address_of_heap, "faulty.EAddressOfHeap", "total"},
    {.what = "floats added in the order of addresses",
     BY_SYNC_TEST,
     plant_sum_by_address,
     "faulty.ESumByAddress",
     "small"},
    {.what = "pointers sorted by address",
     BY_SYNC_TEST,
     plant_sort_by_address,
     "faulty.ESortByAddress",
     "units[0].strength"},
    {.what = "hash table keyed by addresses", BY_SYNC_TEST, plant_hash_by_address, "faulty.EHashByAddress", "total"},
    {.what = "pointer to an earlier event",
     BY_SYNC_TEST,
     plant_use_kept_event,
     "faulty.EUseKeptEvent",
     "total",
     keep_event},
    {.what = "pointer of an earlier edit",
     BY_SYNC_TEST,
     plant_use_kept_edit,
     "faulty.EUseKeptEdit",
     "total",
     plant_keep_edit},

    {.what = "uninitialised padding", BY_SYNC_TEST, plant_padding_left, "faulty.EPaddingLeft", "padding at byte "},
    {.what = "uninitialised local", BY_SYNC_TEST, plant_stack_left, "faulty.EStackLeft", "total"},
    {.what = "uninitialised allocated memory", BY_SYNC_TEST, plant_heap_left, "faulty.EHeapLeft", "total"},
    {.what = "a large uninitialised block",
     BY_SYNC_TEST,
     plant_heap_left,
     "faulty.EHeapLeft",
     "total",
     take_large_blocks},
    {.what = "errno left from before", BY_SYNC_TEST, plant_errno_left, "faulty.EErrnoLeft", "total"},
    {.what = "static counter", BY_SYNC_TEST, plant_counter, "faulty.ECounter", "total"},
    {.what = "more the first time", BY_SYNC_TEST, plant_first_time, "faulty.EFirstTime", "total"},
    {.what = "static cache that an undo leaves behind",
     BY_SECOND_RUN,
     plant_stale_cache,
     "faulty.EStaleCache",
     "total",
     fill_cache,
     faulty_forget},

    {.what = "clock", BY_SYNC_TEST, plant_clock, "faulty.EClock", "total"},
    {.what = "clock by the day", BY_SECOND_RUN, plant_day, "faulty.EDay", "total", lose_nothing, next_day},
    {.what = "rand", BY_SYNC_TEST, plant_library_random, "faulty.ELibraryRandom", "total"},
    {.what = "environment variable",
     BY_SECOND_RUN,
     plant_environment,
     "faulty.EEnvironment",
     "total",
     NULL,
     set_environment,
     unset_environment},
    {.what = "thread", BY_SECOND_RUN, plant_thread, "faulty.EThread", "total", .elsewhere = in_another_thread},
    {.what = "process id", BY_SECOND_RUN, plant_process, "faulty.EProcess", "total", .elsewhere = in_another_process},
    {.what = "user data", BY_SECOND_RUN, plant_user_data, "faulty.EUserData", "total", NULL, raise_difficulty},
    {.what = "rounding mode",
     BY_SECOND_RUN,
     plant_rounding,
     "faulty.ERounding",
     "ratio",
     NULL,
     round_up,
     round_to_nearest},
    {.what = "locale", BY_SECOND_RUN, plant_locale, "faulty.ELocale", "total", NULL, set_locale, reset_locale},
    {.what = "what the view has counted", BY_SECOND_RUN, plant_view_told, "faulty.EViewTold", "total"},

    {.what = "write through a cast in Do", BY_SYNC_TEST, plant_cast_write, "faulty.ECastWrite", "units[1].mood"},
    {.what = "write through a cast in a Do that fails",
     BY_SYNC_TEST,
     plant_fail_after_write,
     "faulty.EFailAfterWrite",
     "units[1].mood"},
    {.what = "write in a check", BY_SYNC_TEST, plant_check_write, "faulty.ECheckWrite", "units[1].mood"},
    {.what = "write in a reaction", BY_SYNC_TEST, add, "faulty.PAdd", "power", let_reaction},
    {.what = "write in a trigger", BY_SYNC_TEST, add, "faulty.PAdd", "alive", let_trigger},
    {.what = "write in a listener", BY_SYNC_TEST, add, "faulty.PAdd", "game.players[3].color", let_listener},
    {.what = "write in Act", BY_SYNC_TEST, add, "faulty.PAdd", "ratio", let_act},
    {.what = "random number in Act", ALWAYS, add, "faulty.PAdd", "the view of faulty.PAdd", let_act_draw},
    {.what = "random number in a check", ALWAYS, plant_check_random, "faulty.ECheckRandom", "random number was drawn"},

    {.what = "another way in a replay", BY_SYNC_TEST, plant_replay_branch, "faulty.EReplayBranch", "total"},
    {.what = "failing when done again",
     BY_SYNC_TEST,
     plant_fail_again,
     "faulty.EFailAgain",
     "with \"once is enough\" when"},
    {.what = "failing at first",
     BY_SYNC_TEST,
     plant_fail_at_first,
     "faulty.EFailAtFirst",
     "first ended with \"try again\""},
    {.what = "ticket of a submit", BY_SYNC_TEST, plant_ticket, "faulty.ETicket", "total"},
    {.what = "what waits in the queue", BY_SYNC_TEST, plant_pending, "faulty.EPending", "total"},
};

static const planted *row_of(int index, catcher by)
{
    return faults[index].by == by ? &faults[index] : NULL;
}

static void run_setup(const planted *row, kifu_timeline *timeline)
{
    if (row->prepare)
        row->prepare(timeline);
    faulty_must(timeline, kifu_run(timeline));
}

static void check_sync_test(const planted *row)
{
    kifu_timeline *timeline = begin(true);
    run_setup(row, timeline);
    uint32_t event = kifu_event_count(timeline);
    faulty_state before = *faulty_get_state(timeline);
    row->fault(timeline);
    kifu_result result = kifu_run(timeline);
    const kifu_error *error = kifu_last_error(timeline);
    ck_assert_msg(result == KIFU_DIVERGED, "%s: %s", row->what, result ? error->message : "not caught");
    ck_assert_msg(error->event == event, "%s: event %u: %s", row->what, error->event, error->message);
    faulty_says(error->message, row->name);
    faulty_says(error->message, row->field);

    // It is taken back whole, and the game goes on.
    writer = NOBODY;
    ck_assert_uint_eq(kifu_event_count(timeline), event);
    ck_assert_mem_eq(faulty_get_state(timeline), &before, sizeof before);
    faulty_must(timeline, kifu_run(timeline));
    faulty_play(timeline, 3);
    kifu_difference difference;
    if (!row->prepare || row->prepare != plant_keep_edit)
        faulty_must(timeline, kifu_verify_replay(timeline, &difference));
    kifu_destroy(timeline);
}

START_TEST(P01_the_sync_test_catches_it_at_its_event)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const planted *row = row_of((int)i, BY_SYNC_TEST);
        if (row)
            check_sync_test(row);
    }
}
END_TEST

static void check_second_run(const planted *row)
{
    kifu_timeline *timeline = begin(true);
    run_setup(row, timeline);
    uint32_t event = kifu_event_count(timeline);
    row->fault(timeline);
    faulty_must(timeline, kifu_run(timeline)); // The sync test finds nothing.
    faulty_play(timeline, 3);
    if (row->change || row->elsewhere)
        faulty_must(timeline, kifu_verify_replay(timeline, NULL)); // And in this run all is well.
    faulty_state before = *faulty_get_state(timeline);
    unsigned char *save;
    run again = {.timeline = timeline};
    faulty_must(timeline, kifu_save_to_memory(timeline, NULL, &save, &again.size));
    again.save = save;

    if (row->change)
        row->change();
    if (row->elsewhere)
        ck_assert(row->elsewhere(run_again, &again));
    else
        run_again(&again);
    if (row->restore)
        row->restore();

    ck_assert_msg(again.verified == KIFU_DIVERGED, "%s: not caught", row->what);
    ck_assert_msg(again.difference.event == event && again.difference.first == event, "%s: event %u, %s", row->what,
                  again.difference.event, again.error.message);
    ck_assert_uint_eq(again.error.event, event);
    if (row->elsewhere != in_another_process) // where the text has the same address, for it is a fork
        ck_assert_str_eq(again.difference.name, row->name);
    ck_assert_str_eq(again.difference.field, row->field);
    ck_assert_str_ne(again.difference.expected, again.difference.actual);
    faulty_says(again.error.message, row->name);
    faulty_says(again.error.message, row->field);
    faulty_says(again.error.message, again.difference.expected);
    faulty_says(again.error.message, again.difference.actual);
    ck_assert_mem_eq(faulty_get_state(timeline), &before, sizeof before);

    ck_assert_msg(again.loaded == KIFU_DIVERGED, "%s: loaded", row->what);
    ck_assert_msg(again.load_error.event == event, "%s: event %u: %s", row->what, again.load_error.event,
                  again.load_error.message);
    faulty_says(again.load_error.message, row->name);
    kifu_free_bytes(timeline, save);
    kifu_destroy(timeline);
}

START_TEST(U10_a_second_run_catches_it_at_its_event)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const planted *row = row_of((int)i, BY_SECOND_RUN);
        bool has_locale = setlocale(LC_ALL, "C.UTF-8") != NULL;
        setlocale(LC_ALL, "C");
        if (row && (row->change != set_locale || has_locale))
            check_second_run(row);
    }
}
END_TEST

static void check_always(const planted *row, bool sync_test)
{
    kifu_timeline *timeline = begin(sync_test);
    run_setup(row, timeline);
    uint32_t event = kifu_event_count(timeline);
    kifu_rng before = kifu_get_game(timeline)->rng;
    row->fault(timeline);
    kifu_result result = kifu_run(timeline);
    const kifu_error *error = kifu_last_error(timeline);
    ck_assert_msg(result == KIFU_MISUSE, "%s: %s", row->what, result ? error->message : "not caught");
    faulty_says(error->message, row->field);
    ck_assert_msg(error->event == event, "%s: event %u: %s", row->what, error->event, error->message);
    ck_assert_mem_eq(&kifu_get_game(timeline)->rng, &before, sizeof before);
    kifu_destroy(timeline);
}

START_TEST(T06_the_library_refuses_it_in_every_mode)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const planted *row = row_of((int)i, ALWAYS);
        if (row) {
            check_always(row, false);
            check_always(row, true);
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        P01_the_sync_test_catches_it_at_its_event,
        U10_a_second_run_catches_it_at_its_event,
        T06_the_library_refuses_it_in_every_mode,
    };
    return run_suite("planted faults", tests, sizeof tests / sizeof *tests);
}
