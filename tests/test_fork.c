// Forks: timelines of their own, out of any past, that share nothing with the one they came from.

#include <pthread.h>

#include "fork_help.h"
#include "history_help.h"
#include "hooks.h"
#include "lab_help.h"
#include "model.h"
#include "save_help.h"
#include "suite.h"

START_TEST(P11_a_fork_is_what_the_game_was)
{
    kifu_timeline *lab = started(NULL);
    for (int i = 0; i < INPUTS; i++) {
        input(lab, i);
        must(lab, kifu_run(lab));
    }
    input(lab, 0);
    lab_picture picture = lab_look(lab);
    for (uint32_t count = 0; count <= kifu_event_count(lab); count++) {
        kifu_timeline *fork = fork_of(lab, count, NULL);
        lab_state then;
        must(lab, kifu_state_at(lab, count, &then, sizeof then));
        ck_assert_mem_eq(lab_get_state(fork), &then, sizeof then);
        ck_assert_uint_eq(kifu_position(fork), count);
        ck_assert_uint_eq(kifu_event_count(fork), count);
        ck_assert_uint_eq(kifu_can_redo(fork, NULL), 0);
        ck_assert(kifu_timeline_rules(fork) == &lab_rules);
        for (uint32_t i = 0; i < count; i++) {
            kifu_event ours, its;
            ck_assert(kifu_event_at(lab, i, &ours) && kifu_event_at(fork, i, &its));
            ck_assert_uint_eq(ours.type, its.type);
            ck_assert_uint_eq(ours.cause, its.cause);
            ck_assert_int_eq(ours.player, its.player);
            ck_assert_uint_eq(ours.flags, its.flags);
            ck_assert_uint_eq(ours.rules_version, its.rules_version);
            ck_assert_ptr_ne(ours.table, its.table);
        }
        must(fork, kifu_verify_replay(fork, NULL));
        if (count > 1)
            for (uint32_t i = 0; i <= count; i++) {
                must(fork, kifu_seek(fork, i));
                must(lab, kifu_state_at(lab, i, &then, sizeof then));
                ck_assert_mem_eq(lab_get_state(fork), &then, sizeof then);
            }
        kifu_destroy(fork);
        lab_same(lab, &picture);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(U10_a_fork_plays_on_as_the_original)
{
    kifu_timeline *lab = started(NULL);
    uint32_t starts[3 * INPUTS];
    for (int i = 0; i < 3 * INPUTS; i++) {
        starts[i] = kifu_event_count(lab);
        input(lab, i);
        must(lab, kifu_run(lab));
    }
    lab_picture end = lab_look(lab);
    for (int from = 0; from < 3 * INPUTS; from++) {
        kifu_timeline *fork = fork_of(lab, starts[from], NULL);
        for (int i = from; i < 3 * INPUTS; i++)
            input(fork, i);
        must(fork, kifu_run(fork));
        lab_same(fork, &end);
        while (kifu_can_undo(fork, NULL)) // beyond where it began
            must(fork, kifu_undo(fork));
        ck_assert_uint_eq(kifu_event_count(fork), 1);
        while (kifu_can_redo(fork, NULL))
            must(fork, kifu_redo(fork));
        lab_same(fork, &end);
        kifu_timeline *loaded = reload(fork, NULL);
        lab_same(loaded, &end);
        kifu_destroy(loaded);
        kifu_destroy(fork);
    }
    lab_same(lab, &end);
    kifu_destroy(lab);
}
END_TEST

START_TEST(T01_a_fork_of_the_present_has_what_waits)
{
    kifu_options options = {.max_consequences = 4};
    kifu_timeline *lab = started(&options);
    lab_do(lab, 1, "1r(2(3p))(4r)", 1);
    lab_do(lab, 2, "(5)(6)(7)(8)(9)", 1); // one too many
    kifu_ticket ticket = lab_do(lab, 2, "6", 1);
    must(lab, kifu_override(lab, ticket, false, false));
    must(lab, kifu_step(lab));
    must(lab, kifu_step(lab));
    lab_picture middle = lab_look(lab);
    ck_assert_uint_eq(middle.pending, 4);
    kifu_timeline *fork = fork_of(lab, KIFU_PRESENT, NULL);
    lab_same(fork, &middle);
    for (uint32_t i = 0; i < 4; i++) {
        kifu_event ours, its;
        ck_assert(kifu_pending_at(lab, i, &ours) && kifu_pending_at(fork, i, &its));
        ck_assert_uint_eq(ours.type, its.type);
        ck_assert_uint_eq(ours.cause, its.cause);
        ck_assert_int_eq(ours.player, its.player);
        ck_assert_uint_eq(ours.flags, its.flags);
    }
    ck_assert_int_eq(kifu_run(fork), KIFU_RUNAWAY);
    must(fork, kifu_run(fork));
    lab_same(lab, &middle);
    lab_picture end = lab_look(fork);
    kifu_timeline *second = fork_of(lab, KIFU_PRESENT, NULL);
    ck_assert_int_eq(kifu_run(lab), KIFU_RUNAWAY);
    must(lab, kifu_run(lab));
    lab_same(lab, &end);
    kifu_destroy(lab);
    ck_assert_int_eq(kifu_run(second), KIFU_RUNAWAY);
    must(second, kifu_run(second));
    lab_same(second, &end);
    kifu_destroy(second);
    kifu_destroy(fork);
}
END_TEST

START_TEST(T10_a_fork_knows_where_an_input_began)
{
    kifu_options options = {.max_consequences = 10};
    for (int way = 0; way < 2; way++) {
        kifu_timeline *lab = started(&options);
        lab_picture before = lab_look(lab);
        lab_do(lab, 0, way ? "1(2)(3)(l)" : "(1)(1)(1)(1)(1)(1(1)(1)(1)(1)(1))", 1); // eleven
        must(lab, kifu_step(lab));
        must(lab, kifu_step(lab));
        kifu_timeline *fork = fork_of(lab, KIFU_PRESENT, NULL);
        must(lab, kifu_undo(lab)); // and so does redo
        must(lab, lab_play(fork, "!") == KIFU_RUNAWAY ? KIFU_OK : KIFU_MISUSE);
        before.pending = 1; // the input behind it
        lab_same(fork, &before);
        must(lab, kifu_redo(lab));
        ck_assert_int_eq(kifu_run(lab), KIFU_RUNAWAY);
        before.pending = 0;
        lab_same(lab, &before);
        kifu_destroy(fork);
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(U02_a_ticket_of_a_fork_is_of_one_proposal)
{
    kifu_timeline *lab = started(NULL);
    for (int i = 0; i < 5; i++)
        lab_do(lab, 0, "1", 1);
    kifu_timeline *fork = fork_of(lab, KIFU_PRESENT, NULL);
    for (uint32_t i = 5; i < 12; i++) {
        kifu_ticket ticket = lab_do(fork, 0, "2", 1);
        must(fork, kifu_override(fork, ticket, false, false));
        kifu_event event;
        for (uint32_t j = 0; j <= i; j++) {
            ck_assert(kifu_pending_at(fork, j, &event));
            ck_assert_uint_eq(event.flags, j < 5 ? KIFU_UNDOABLE : 0);
        }
    }
    kifu_destroy(fork);
    kifu_destroy(lab);
}
END_TEST

static double act_counts(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_add *event)
{
    (void)timeline;
    (void)state;
    (void)event;
    ++*(unsigned *)context;
    return 0;
}

static void redraw_counts(void *context, kifu_timeline *timeline)
{
    (void)timeline;
    ++*(unsigned *)context;
}

static kifu_result reaction_counts(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)timeline;
    (void)state;
    (void)event;
    ++*(unsigned *)context;
    return KIFU_OK;
}

START_TEST(T11_a_fork_is_quiet_and_has_no_view_and_no_reactions)
{
    unsigned shown = 0, heard = 0, shown_by_fork = 0;
    lab_view view = {.base = {.context = &shown, .redraw = redraw_counts}, .act_p_add = act_counts};
    unsigned long dos = 0;
    kifu_options options = {.view = &view.base, .user = &dos};
    kifu_timeline *lab = started(&options);
    follower eye;
    follow_state(&eye, lab);
    must(lab, kifu_observe(lab, &(kifu_observer){.react = reaction_counts, .context = &heard}));
    lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    ck_assert_uint_eq(shown, 1);
    ck_assert_uint_eq(heard, 1);
    unsigned calls = eye.calls;
    kifu_timeline *fork = fork_of(lab, KIFU_PRESENT, NULL);
    ck_assert_ptr_eq(kifu_user(fork), &dos);
    lab_submit_p_add(fork, 0, 1);
    must(fork, kifu_run(fork));
    must(fork, kifu_undo(fork));
    must(fork, kifu_seek(fork, 0));
    must(fork, kifu_seek(fork, KIFU_PRESENT));
    follower other_eye;
    follow_state(&other_eye, fork);
    lab_submit_p_add(fork, 0, 1);
    must(fork, kifu_run(fork));
    ck_assert_uint_eq(other_eye.calls, 0); // until it is told not to be quiet
    kifu_set_quiet(fork, false);
    lab_submit_p_add(fork, 0, 1);
    must(fork, kifu_run(fork));
    must_have_followed(&other_eye, fork);
    kifu_destroy(fork);
    ck_assert_uint_eq(shown, 1);
    ck_assert_uint_eq(heard, 1);
    ck_assert_uint_eq(eye.calls, calls);

    lab_view other = {.base = {.context = &shown_by_fork, .redraw = redraw_counts}, .act_p_add = act_counts};
    kifu_options own = {.view = &other.base};
    fork = fork_of(lab, KIFU_PRESENT, &own); // with options, as these say
    ck_assert_ptr_null(kifu_user(fork));
    shown_by_fork = 0;
    lab_submit_p_add(fork, 0, 1);
    must(fork, kifu_run(fork));
    ck_assert_uint_eq(shown_by_fork, 1);
    ck_assert_uint_eq(shown, 1);
    kifu_destroy(fork);
    kifu_destroy(lab);
}
END_TEST

START_TEST(T11_a_fork_outlives_its_original_and_its_file)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "game.kifu");
    for (int fast = 0; fast < 2; fast++) {
        kifu_timeline *lab = started(NULL);
        for (int i = 0; i < 40; i++)
            lab_do(lab, 0, "+r(+r)", 1);
        must(lab, kifu_run(lab));
        lab_do(lab, 0, "1(2)", 1);
        must(lab, kifu_save(lab, path, NULL));
        lab_picture picture = lab_look(lab);
        kifu_destroy(lab);
        const kifu_load_options options = {.fast = fast};
        ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, &options, &lab, NULL), KIFU_OK);
        kifu_timeline *fork = fork_of(lab, KIFU_PRESENT, NULL);
        kifu_timeline *early = fork_of(lab, 30, NULL);
        kifu_destroy(lab);
        remove(path);
        lab_same(fork, &picture);
        must(fork, kifu_run(fork));
        ck_assert_str_eq(lab_trace(fork), "12");
        kifu_timeline *again = fork_of(fork, 30, NULL); // a fork of a fork
        kifu_destroy(fork);
        picture = lab_look(early);
        lab_same(again, &picture);
        must(again, kifu_seek(again, 11));
        must(early, kifu_seek(early, 11));
        ck_assert_mem_eq(lab_get_state(again), lab_get_state(early), sizeof(lab_state));
        kifu_destroy(again);
        kifu_destroy(early);
    }
    remove_folder(folder);
}
END_TEST

START_TEST(U10_a_fork_from_the_past_that_seek_shows)
{
    kifu_timeline *lab = started(NULL);
    must(lab, lab_play(lab, "1"));
    must(lab, lab_play(lab, "2"));
    must(lab, lab_play(lab, "3"));
    must(lab, kifu_undo(lab));
    lab_do(lab, 0, "4", 1);
    must(lab, kifu_seek(lab, 2));
    kifu_timeline *fork = fork_of(lab, kifu_position(lab), NULL);
    must(fork, lab_play(fork, "5"));
    ck_assert_str_eq(lab_trace(fork), "15");
    kifu_destroy(fork);
    fork = fork_of(lab, KIFU_PRESENT, NULL); // all that has happened
    ck_assert_uint_eq(kifu_event_count(fork), 3);
    must(fork, kifu_run(fork));
    ck_assert_str_eq(lab_trace(fork), "124");
    kifu_destroy(fork);
    fork = fork_of(lab, 3, NULL);
    ck_assert_str_eq(lab_trace(fork), "12");
    kifu_destroy(fork);
    ck_assert_uint_eq(kifu_position(lab), 2);
    kifu_error error;
    fork = lab;
    ck_assert_int_eq(kifu_fork(lab, 4, NULL, &fork, &error), KIFU_MISUSE); // undone
    ck_assert_ptr_null(fork);
    ck_assert_msg(strlen(error.message) > 20, "%s", error.message);
    ck_assert_int_eq(kifu_fork(lab, 4, NULL, &fork, NULL), KIFU_MISUSE);
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    must(lab, kifu_run(lab));
    ck_assert_str_eq(lab_trace(lab), "124");
    kifu_destroy(lab);
}
END_TEST

START_TEST(U12_a_fork_of_a_model_outside_is_refused_without_one_of_its_own)
{
    model list = {0}, copy = {0};
    const kifu_options options = {.reset = model_reset, .user = &list};
    const kifu_options wrong[] = {{.user = &copy}, options};
    static const char *const reasons[] = {"needs a kifu_options.reset", "another kifu_options.user"};
    kifu_timeline *outside, *fork;
    kifu_error error;
    ck_assert_int_eq(kifu_create(&outside_rules, &options, &outside, NULL), KIFU_OK);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(kifu_fork(outside, 0, &wrong[i], &fork, &error), KIFU_MISUSE);
        ck_assert_ptr_nonnull(strstr(error.message, reasons[i]));
        ck_assert_ptr_null(fork);
    }
    kifu_destroy(outside);
}
END_TEST

START_TEST(U12_a_fork_of_a_model_outside_has_a_model_of_its_own)
{
    model list = {0}, copy = {0};
    kifu_options options = {.reset = model_reset, .user = &list}, own = {.reset = model_reset, .user = &copy};
    kifu_timeline *outside;
    ck_assert_int_eq(kifu_create(&outside_rules, &options, &outside, NULL), KIFU_OK);
    for (int i = 1; i <= 4; i++)
        outside_submit_p_push(outside, 0, i);
    must(outside, kifu_run(outside));
    outside_submit_p_push(outside, 0, 5);
    kifu_timeline *fork = fork_of(outside, 2, &own);
    ck_assert_int_eq(copy.first->number, 2);
    ck_assert_int_eq(list.first->number, 4);
    outside_submit_p_push(fork, 0, 7);
    must(fork, kifu_run(fork));
    must(fork, kifu_undo(fork));
    ck_assert_int_eq(copy.first->number, 2);
    ck_assert_int_eq(list.first->number, 4);
    kifu_destroy(fork);
    model_reset(&copy);
    fork = fork_of(outside, KIFU_PRESENT, &own);
    must(fork, kifu_run(fork));
    ck_assert_int_eq(copy.first->number, 5);
    ck_assert_int_eq(list.first->number, 4);
    kifu_destroy(fork);
    kifu_destroy(outside);
    model_reset(&copy);
    model_reset(&list);
}
END_TEST

START_TEST(U10_a_fork_of_a_long_game)
{
    kifu_options options = {.keyframe_bytes = 1, .quiet = true};
    kifu_timeline *lab = started(&options);
    for (int i = 0; i < 5000; i++)
        lab_do(lab, 0, "+r(-r)", 1);
    must(lab, kifu_run(lab));
    for (uint32_t count = 1; count < 10001; count += 1111) {
        kifu_timeline *fork = fork_of(lab, count, NULL);
        lab_state then;
        must(lab, kifu_state_at(lab, count, &then, sizeof then));
        ck_assert_mem_eq(lab_get_state(fork), &then, sizeof then);
        if (count > 1)
            must(fork, kifu_undo(fork));
        must(fork, kifu_verify_replay(fork, NULL));
        kifu_destroy(fork);
    }
    kifu_destroy(lab);
}
END_TEST

// --- Threads ---------------------------------------------------------------------------------------------------------

typedef struct player {
    kifu_timeline *lab;
    uint64_t end;
} player;

static void *play(void *context)
{
    player *player = context;
    kifu_timeline *lab = player->lab;
    for (int i = 0; i < 2000; i++) {
        lab_do(lab, 0, i % 2 ? "+r(-r(++))" : "b+r(+)k--r", 1);
        if (kifu_run(lab) || (i % 5 == 0 && kifu_undo(lab)) || (i % 50 == 0 && kifu_seek(lab, (uint32_t)i)) ||
            (i % 50 == 0 && kifu_seek(lab, KIFU_PRESENT)))
            return NULL;
    }
    player->end = kifu_state_hash(lab);
    return NULL;
}

static void add_ones(kifu_timeline *lab, int count)
{
    for (int i = 0; i < count; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
}

// The last keyframe comes along.
START_TEST(U10_the_past_of_a_fork_is_near)
{
    unsigned long dos = 0;
    const kifu_options options = {.quiet = true, .user = &dos};
    kifu_timeline *lab = started(&options);
    add_ones(lab, 5000);
    kifu_timeline *fork = fork_of(lab, KIFU_PRESENT, NULL);
    dos = 0;
    must(fork, kifu_undo(fork));
    ck_assert_int_eq(lab_get_state(fork)->total, 4999);
    ck_assert_uint_le(dos, 2 * 2 * sizeof(lab_state)); // twice as many as from keyframe to keyframe
    kifu_destroy(fork);
    kifu_destroy(lab);
}
END_TEST

START_TEST(T11_forks_play_on_threads_of_their_own)
{
    kifu_timeline *lab = started(NULL);
    for (int i = 0; i < 3000; i++)
        lab_do(lab, 0, "+r", 1);
    must(lab, kifu_run(lab));
    kifu_timeline *loaded = reload(lab, NULL);
    player alone = {fork_of(lab, KIFU_PRESENT, NULL), 0};
    play(&alone);
    ck_assert_uint_ne(alone.end, 0);
    player players[4] = {{fork_of(lab, KIFU_PRESENT, NULL), 0},
                         {fork_of(lab, KIFU_PRESENT, NULL), 0},
                         {fork_of(loaded, KIFU_PRESENT, NULL), 0},
                         {loaded, 0}};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, play, &players[i]), 0);
    player here = {lab, 0};
    play(&here);
    ck_assert_uint_eq(here.end, alone.end);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
        ck_assert_uint_eq(players[i].end, alone.end);
        kifu_destroy(players[i].lab);
    }
    kifu_destroy(alone.lab);
    kifu_destroy(lab);
}
END_TEST

START_TEST(a_fork_without_memory_leaves_nothing)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .keyframe_bytes = 1};
    kifu_timeline *lab = started(&options);
    for (int i = 0; i < 1200; i++)
        lab_do(lab, 0, "+r(-r)", 1);
    must(lab, kifu_run(lab));
    lab_do(lab, 0, "1(2)", 1);
    lab_do(lab, 0, "3", 1);
    must(lab, kifu_step(lab));
    uint64_t hash = kifu_state_hash(lab);
    static const uint32_t counts[] = {0, 1, 700, 2390, KIFU_PRESENT};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++)
        for (long n = 0, more = 1; more; n++) {
            long blocks = memory.blocks;
            memory.until_failure = n;
            memory.failed = false;
            memory.for_ever = n % 2;
            kifu_error error;
            kifu_timeline *fork = lab;
            kifu_result result = kifu_fork(lab, counts[i], NULL, &fork, &error);
            memory.until_failure = -1;
            more = memory.failed;
            if (result) {
                ck_assert(memory.failed);
                ck_assert_int_eq(result, KIFU_NO_MEMORY);
                ck_assert_int_eq(error.result, KIFU_NO_MEMORY);
                ck_assert_msg(strstr(error.message, "memory") != NULL, "%s", error.message);
                ck_assert_ptr_null(fork);
            } else {
                if (counts[i] == KIFU_PRESENT) {
                    ck_assert_uint_eq(kifu_state_hash(fork), hash);
                    must(fork, kifu_run(fork));
                    ck_assert_str_eq(lab_trace(fork), "123");
                } else {
                    ck_assert_uint_eq(kifu_event_count(fork), counts[i]);
                }
                kifu_destroy(fork);
            }
            ck_assert_int_eq(memory.blocks, blocks);
            ck_assert_uint_eq(kifu_state_hash(lab), hash);
        }
    must(lab, kifu_run(lab));
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

static kifu_result submits_one(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)context;
    (void)state;
    if (event->type == LAB_P_ADD)
        lab_submit_e_do(timeline, "7");
    return KIFU_OK;
}

static kifu_result with_reaction(kifu_timeline *timeline)
{
    return kifu_observe(timeline, &(kifu_observer){.react = submits_one});
}

START_TEST(P06_a_fork_out_of_a_deferred_transaction_knows_where_its_input_began)
{
    kifu_options options = {.prepare = with_reaction, .max_consequences = 30};
    kifu_timeline *lab = started(&options);
    must(lab, lab_play(lab, "1"));
    must(lab, kifu_begin(lab, KIFU_DEFERRED));
    must(lab, lab_play(lab, "2"));
    lab_do(lab, 0, "3(4)(l)", 1);
    must(lab, kifu_step(lab));
    kifu_timeline *fork = fork_of(lab, KIFU_PRESENT, &options);
    ck_assert_int_eq(kifu_run(fork), KIFU_RUNAWAY);
    ck_assert_str_eq(lab_trace(fork), "1"); // Reactions to the first event have waited, too.
    kifu_destroy(fork);
    kifu_destroy(lab);
}
END_TEST

static kifu_result counts_changes(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                                  const kifu_change *change)
{
    (void)context;
    (void)state;
    (void)event;
    must_be(*(const int64_t *)change->after == *(const int64_t *)change->before + 1);
    ++*(unsigned *)kifu_user(timeline);
    return KIFU_OK;
}

static kifu_result with_trigger(kifu_timeline *timeline)
{
    return kifu_observe(timeline, &(kifu_observer){.trigger = counts_changes, KIFU_PART(lab_state, total)});
}

START_TEST(P06_a_fork_reacts_to_each_of_thousands_of_events_that_had_transactions_in_do)
{
    unsigned changes = 0, none = 0;
    kifu_options options = {.prepare = with_trigger, .user = &none};
    kifu_timeline *lab = lab_new(&options);
    must(lab, kifu_begin(lab, KIFU_DEFERRED));
    for (int i = 0; i < 5000; i++)
        lab_do(lab, 0, "b+c", 1);
    must(lab, kifu_run(lab));
    options.user = &changes;
    kifu_timeline *fork = fork_of(lab, KIFU_PRESENT, &options);
    ck_assert_uint_eq(changes, 5000);
    ck_assert_uint_eq(none, 0);
    kifu_destroy(fork);
    kifu_destroy(lab);
}
END_TEST

START_TEST(M08_X07_a_fork_without_a_past_records_hashes_of_its_own)
{
    kifu_timeline *lab = lab_started(NULL);
    for (int i = 0; i < 10; i++)
        must(lab, lab_play(lab, "+"));
    kifu_timeline *fork =
        fork_of(lab, KIFU_WITHOUT_PAST,
                &(kifu_options){.hash_interval = 4, .quiet = true, .from_state = kifu_begin_from_state});
    for (int i = 0; i < 8; i++)
        must(fork, lab_play(fork, "+"));
    ck_assert_uint_ge(count_hashes(fork), 2);
    kifu_destroy(fork);
    kifu_destroy(lab);
}
END_TEST

START_TEST(M08_a_fork_of_a_game_that_has_forgotten_begins_as_that_or_is_none)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *lab = started(&options);
    for (int i = 0; i < 6; i++) {
        lab_submit_p_add(lab, 0, 1);
        must(lab, kifu_run(lab));
    }
    must(lab, kifu_forget(lab, 4));
    const long blocks = memory.blocks;
    long n = 0;
    for (bool failed = true; failed; n += failed) {
        kifu_timeline *fork;
        kifu_error error;
        memory.until_failure = n;
        memory.failed = false;
        const kifu_result result = kifu_fork(lab, KIFU_PRESENT, &options, &fork, &error);
        memory.until_failure = -1;
        failed = memory.failed;
        ck_assert(!result || (failed && result == KIFU_NO_MEMORY));
        if (!result) {
            ck_assert_uint_eq(kifu_first_event(fork), 4);
            must(fork, kifu_verify_replay(fork, NULL));
            must(fork, kifu_seek(fork, 4));
            ck_assert_int_eq(lab_get_state(fork)->total, 3);
        }
        kifu_destroy(fork);
        ck_assert_int_eq(memory.blocks, blocks);
    }
    ck_assert_int_gt(n, 3);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        P11_a_fork_is_what_the_game_was,
        U10_a_fork_plays_on_as_the_original,
        T01_a_fork_of_the_present_has_what_waits,
        T10_a_fork_knows_where_an_input_began,
        U02_a_ticket_of_a_fork_is_of_one_proposal,
        T11_a_fork_is_quiet_and_has_no_view_and_no_reactions,
        T11_a_fork_outlives_its_original_and_its_file,
        U10_a_fork_from_the_past_that_seek_shows,
        U12_a_fork_of_a_model_outside_has_a_model_of_its_own,
        U10_a_fork_of_a_long_game,
        U10_the_past_of_a_fork_is_near,
        T11_forks_play_on_threads_of_their_own,
        a_fork_without_memory_leaves_nothing,
        P06_a_fork_out_of_a_deferred_transaction_knows_where_its_input_began,
        P06_a_fork_reacts_to_each_of_thousands_of_events_that_had_transactions_in_do,
        U12_a_fork_of_a_model_outside_is_refused_without_one_of_its_own,
        M08_X07_a_fork_without_a_past_records_hashes_of_its_own,
        M08_a_fork_of_a_game_that_has_forgotten_begins_as_that_or_is_none,
    };
    return run_suite("fork", tests, sizeof tests / sizeof *tests);
}
