// Observers are added and removed, one by one, as constant data, or by `prepare`.

#include "listen_help.h"
#include "suite.h"

static char a[] = "a", b[] = "b", c[] = "c", d[] = "d", e[] = "e", f[] = "f"; // contexts that are told apart

START_TEST(P02_what_was_added_with_a_context_is_removed_with_it)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .context = a}));
    must(lab, kifu_observe(lab, &(kifu_observer){.trigger = trigger, TOTAL, .context = a}));
    must(lab, kifu_observe(lab, &(kifu_observer){.react = react, .context = b}));
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .context = c}));
    must(lab, kifu_observe(lab, &(kifu_observer){.react = react, .context = a}));
    must(lab, kifu_observe(lab, &(kifu_observer){.trigger = trigger, TOTAL, .context = d}));
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .rank = KIFU_RANK_INTERNAL, .context = a}));
    heard[0] = '\0';
    must(lab, lab_play(lab, "+"));
    must_hear("a 0>1 #0 b a d 0>1 #0 a 0>1 #0 a 0>1 #0 c 0>1 #0 ");
    must(lab, kifu_remove_observers(lab, a));
    must(lab, lab_play(lab, "+"));
    must_hear("b d 1>2 #1 c 1>2 #1 ");
    must(lab, kifu_remove_observers(lab, e)); // none there: nothing
    must(lab, kifu_remove_observers(lab, b));
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .context = f}));
    must(lab, lab_play(lab, "+"));
    must_hear("d 2>3 #2 c 2>3 #2 f 2>3 #2 ");
    must(lab, kifu_remove_observers(lab, c));
    must(lab, kifu_remove_observers(lab, d));
    must(lab, kifu_remove_observers(lab, f));
    must(lab, lab_play(lab, "+"));
    must(lab, kifu_undo(lab));
    must_hear("");
    kifu_destroy(lab);
}
END_TEST

static uint32_t called;

static kifu_result call_in_order(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)timeline;
    (void)state;
    (void)event;
    ck_assert_uint_eq(*(const uint32_t *)context, called);
    called++;
    return KIFU_OK;
}

START_TEST(P09_any_number_of_observers_is_called_in_order)
{
    static uint32_t numbers[100];
    kifu_timeline *lab = lab_new(NULL);
    for (uint32_t i = 0; i < 100; i++) {
        numbers[i] = i;
        must(lab, kifu_observe(lab, &(kifu_observer){.react = call_in_order, .context = &numbers[i]}));
        called = 0;
        must(lab, lab_play(lab, "+"));
        ck_assert_uint_eq(called, i + 1);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(P02_nonsense_is_not_added)
{
    kifu_timeline *lab = lab_new(NULL);
    const struct {
        kifu_observer observer;
        const char *words;
    } wrong[] = {
        {{.react = react, .type = lab_rules.type_count + 1}, "there is no event type"},
        {{.type = LAB_P_DO}, "0 are set: set exactly one"},
        {{TOTAL}, "0 are set: set exactly one"},
        {{.react = react, .listen = listen, TOTAL}, "2 are set: set exactly one"},
        {{.react = react, TOTAL}, "leave out the part of the state"},
        {{.react = react, .offset = 8}, "leave out the part of the state"},
        {{.react = react, .size = 8}, "leave out the part of the state"},
        {{.trigger = trigger, .type = LAB_P_DO, TOTAL}, "leave out the event type"},
        {{.listen = listen, .type = LAB_P_DO, TOTAL}, "leave out the event type"},
        {{.listen = listen, .tags = 1, TOTAL}, "leave out the event type and tags"},
        {{.react = react, .tags = 1}, "0x1 is no tag, the game has 0"},
        {{.trigger = trigger}, "0 bytes at 0 are not inside the state"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        must_refuse(lab, kifu_observe(lab, &wrong[i].observer));
        must_say(lab, wrong[i].words);
        must_refuse(lab, kifu_observe_all(lab, &wrong[i].observer, 1));
        must_say(lab, "kifu_observe_all, observer 0: ");
    }
    static const uint32_t parts[][2] = {{0, sizeof(lab_state) + 1}, {sizeof(lab_state), 1},
                                        {sizeof(lab_state) - 4, 8}, {UINT32_MAX, 2},
                                        {UINT32_MAX - 7, 8},        {8, UINT32_MAX - 7}};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        const kifu_observer pulled = {.trigger = trigger, .offset = parts[i][0], .size = parts[i][1], .context = a};
        const kifu_observer heeded = {.listen = listen, .offset = parts[i][0], .size = parts[i][1], .context = a};
        must_refuse(lab, kifu_observe(lab, &pulled));
        must_refuse(lab, kifu_observe(lab, &heeded));
        must_say(lab, "KIFU_PART");
    }
    const uint32_t size = sizeof(lab_state);
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, .offset = size - 1, .size = 1, .context = a}));
    heard[0] = '\0';
    must(lab, lab_play(lab, "+"));
    must_hear("");
    // The last event type is one, too; and what is not counted is not added.
    const kifu_observer two[] = {{.react = react, .type = lab_rules.type_count, .context = b}, {.react = react}};
    must(lab, kifu_observe_all(lab, two, 1));
    must_refuse(lab, kifu_observe_all(lab, (const kifu_observer[]){two[0], wrong[1].observer}, 2));
    must(lab, kifu_observe_all(lab, (const kifu_observer[]){two[0], wrong[1].observer}, 1));
    kifu_destroy(lab);
}
END_TEST

START_TEST(P02_without_memory_nothing_is_added)
{
    const kifu_observer observers[] = {
        {.react = react, .context = a},
        {.trigger = trigger, TOTAL, .context = a},
        {.listen = listen, TOTAL, .context = a},
    };
    for (int kind = 0; kind < 3; kind++)
        for (long n = 0, more = 1; more; n++) {
            test_memory memory = {.until_failure = -1};
            kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
            kifu_timeline *lab = lab_new(&options);
            must(lab, lab_play(lab, "+"));
            must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .context = "old"}));
            for (int i = 0; i < 40; i++) {
                memory.until_failure = n;
                memory.failed = false;
                kifu_result result = kifu_observe(lab, &observers[kind]);
                more = memory.failed;
                memory.until_failure = -1;
                if (result) {
                    ck_assert_int_eq(result, KIFU_NO_MEMORY);
                    must_say(lab, "memory");
                }
                must(lab, kifu_remove_observers(lab, result ? "nobody" : a));
                heard[0] = '\0';
                must(lab, lab_play(lab, "+"));
                must(lab, kifu_undo(lab));
                must_hear("old 1>2 #1 old 2>1 #1- ");
                if (more)
                    break;
            }
            kifu_destroy(lab);
            ck_assert_int_eq(memory.blocks, 0);
        }
}
END_TEST

static unsigned prepared;

static kifu_result count_events(void *context, kifu_timeline *lab, const void *state, const kifu_event *event)
{
    (void)context, (void)lab, (void)state, (void)event;
    prepared++;
    return KIFU_OK;
}

static kifu_result add_counter(kifu_timeline *lab)
{
    return kifu_observe(lab, &(kifu_observer){.react = count_events});
}

static kifu_result fail_to_prepare(kifu_timeline *lab)
{
    return kifu_fail(lab, "no rules today");
}

static kifu_result submit_in_prepare(kifu_timeline *lab)
{
    lab_submit_e_do(lab, "1");
    return KIFU_OK;
}

static void play_counted(kifu_timeline *lab)
{
    prepared = 0;
    lab_must(lab, lab_play(lab, "1"));
    ck_assert_uint_eq(prepared, 1);
}

static const kifu_observer counters[] = {{.react = count_events}};

START_TEST(P03_new_loaded_and_forked_timelines_are_prepared_alike)
{
    for (int constant = 0; constant < 2; constant++) {
        const kifu_options by_call = {.prepare = add_counter}, by_data = {.observers = KIFU_OBSERVERS(counters)};
        kifu_options options = constant ? by_data : by_call;
        kifu_timeline *lab = lab_new(&options), *other;
        kifu_error error;
        play_counted(lab);
        unsigned char *bytes;
        size_t size;
        lab_must(lab, kifu_save_to_memory(lab, NULL, &bytes, &size));
        prepared = 0;
        ck_assert_int_eq(kifu_load_from_memory(&lab_rules, bytes, size, &options, NULL, &other, &error), KIFU_OK);
        ck_assert_uint_eq(prepared, 0); // a replay calls no reaction
        play_counted(other);
        kifu_destroy(other);
        ck_assert_int_eq(kifu_fork(lab, KIFU_PRESENT, NULL, &other, &error), KIFU_OK);
        play_counted(other);
        kifu_destroy(other);

        options.prepare = fail_to_prepare;
        ck_assert_int_eq(kifu_load_from_memory(&lab_rules, bytes, size, &options, NULL, &other, &error), KIFU_FAILED);
        ck_assert_ptr_null(other);
        ck_assert_msg(strstr(error.message, "prepare") != NULL, "%s", error.message);
        options.prepare = submit_in_prepare;
        ck_assert_int_eq(kifu_create(&lab_rules, &options, &other, &error), KIFU_MISUSE);
        ck_assert_msg(strstr(error.message, "may only add") != NULL, "%s", error.message);
        kifu_free_bytes(lab, bytes);
        kifu_destroy(lab);
    }
}
END_TEST

static kifu_result add_one_more(kifu_timeline *lab)
{
    return kifu_observe(lab, &(kifu_observer){.react = react, .context = "prepared"});
}

static char first[] = "first", second[] = "second";

START_TEST(P09_constant_observers_come_in_their_order_and_before_what_prepare_adds)
{
    static const kifu_observer observers[] = {
        {.react = react, .context = first},
        {.trigger = trigger, TOTAL, .context = second},
        {.listen = listen, TOTAL, .context = second},
    };
    const kifu_options options = {.observers = KIFU_OBSERVERS(observers), .prepare = add_one_more};
    kifu_timeline *lab = lab_new(&options);
    heard[0] = '\0';
    must(lab, lab_play(lab, "+"));
    must_hear("first second 0>1 #0 prepared second 0>1 #0 ");
    must(lab, kifu_remove_observers(lab, second));
    must(lab, lab_play(lab, "+"));
    must_hear("first prepared ");
    kifu_destroy(lab);
}
END_TEST

START_TEST(P09_a_wrong_constant_observer_fails_the_create_and_is_named)
{
    static const kifu_observer observers[] = {{.react = react}, {.trigger = trigger}};
    const kifu_options options = {.observers = KIFU_OBSERVERS(observers)};
    kifu_timeline *lab;
    kifu_error error;
    ck_assert_int_eq(kifu_create(&lab_rules, &options, &lab, &error), KIFU_MISUSE);
    ck_assert_ptr_null(lab);
    ck_assert_msg(strstr(error.message, "observer 1: 0 bytes at 0") != NULL, "%s", error.message);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        P02_what_was_added_with_a_context_is_removed_with_it,
        P09_any_number_of_observers_is_called_in_order,
        P02_nonsense_is_not_added,
        P02_without_memory_nothing_is_added,
        P03_new_loaded_and_forked_timelines_are_prepared_alike,
        P09_constant_observers_come_in_their_order_and_before_what_prepare_adds,
        P09_a_wrong_constant_observer_fails_the_create_and_is_named,
    };
    return run_suite("observe", tests, sizeof tests / sizeof *tests);
}
