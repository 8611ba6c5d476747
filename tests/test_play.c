// The past as a film: kifu_play.

#include "corridor_help.h"
#include "suite.h"

#include <math.h>

// What a view was shown: each event with its player, and a delay of one second.
typedef struct screen {
    char shown[4000];
    unsigned redraws;
    double seconds;
    void (*then)(kifu_timeline *corridor); // something that Act does besides
    corridor_state states[100];            // after each event, as it was live
    unsigned count;
    bool compare;
    uint32_t letters;
} screen;

static double show(screen *screen, kifu_timeline *corridor, const corridor_state *state, const char *name)
{
    if (screen->compare)
        must_be(!memcmp(state, &screen->states[kifu_position(corridor) - 1], sizeof *state));
    else if (kifu_position(corridor) <= 100)
        screen->states[kifu_position(corridor) - 1] = *state;
    size_t used = strlen(screen->shown);
    snprintf(screen->shown + used, sizeof screen->shown - used, "%s%s%d", used ? " " : "", name, kifu_player(corridor));
    if (screen->then)
        screen->then(corridor);
    return screen->seconds;
}

static double show_move(void *context, kifu_timeline *corridor, const corridor_state *state,
                        const corridor_p_move *event)
{
    (void)event;
    return show((screen *)context, corridor, state, "move");
}

static double show_open(void *context, kifu_timeline *corridor, const corridor_state *state,
                        const corridor_p_open *event)
{
    (void)event;
    return show((screen *)context, corridor, state, "open");
}

static double show_strike(void *context, kifu_timeline *corridor, const corridor_state *state,
                          const corridor_e_strike *event)
{
    (void)event;
    return show((screen *)context, corridor, state, "strike");
}

static double show_damage(void *context, kifu_timeline *corridor, const corridor_state *state,
                          const corridor_e_damage *event)
{
    (void)event;
    return show((screen *)context, corridor, state, "damage");
}

static double show_say(void *context, kifu_timeline *corridor, const corridor_state *state, const corridor_p_say *event,
                       const corridor_p_say_transient *transient)
{
    ((screen *)context)->letters = transient->letters;
    must_be(transient->letters == corridor_p_say_text_length(event));
    return show((screen *)context, corridor, state, "say");
}

static void redraw(void *context, kifu_timeline *corridor)
{
    (void)corridor;
    ((screen *)context)->redraws++;
}

static corridor_view view_of(screen *screen)
{
    const corridor_view view = {
        .base = {.context = screen, .redraw = redraw},
        .act_p_move = show_move,
        .act_p_open = show_open,
        .act_e_strike = show_strike,
        .act_e_damage = show_damage,
        .act_p_say = show_say,
    };
    return view;
}

static const char all_shown[] = "move1 open1 move1 move1 strike-1 damage-1 say2 move3";

// Eight events are shown; events 0 to 2 show nothing.
static kifu_timeline *game_of(const corridor_view *view, bool sync_test)
{
    const kifu_options options = {.view = &view->base, .sync_test = sync_test ? kifu_sync_test : NULL};
    kifu_timeline *corridor = corridor_new(&options);
    for (int i = 0; i < 5; i++)
        corridor_submit_p_move(corridor, 1, 0, 1);
    corridor_submit_p_say(corridor, 2, 1, "ouch");
    corridor_submit_p_move(corridor, 3, 1, 1);
    must(corridor, kifu_run(corridor));
    return corridor;
}

static void begin_film(kifu_timeline *corridor, screen *screen, double speed)
{
    screen->shown[0] = '\0';
    screen->compare = true;
    must(corridor, kifu_seek(corridor, 0));
    must(corridor, kifu_play(corridor, speed));
}

START_TEST(U10_a_film_shows_all_that_happened)
{
    for (int sync = 0; sync < 2; sync++) {
        screen screen = {.seconds = 1};
        const corridor_view view = view_of(&screen);
        kifu_timeline *corridor = game_of(&view, sync);
        ck_assert_str_eq(screen.shown, all_shown);
        const uint64_t hash = kifu_state_hash(corridor);
        const uint32_t count = kifu_event_count(corridor);
        follower eye;
        follow_state(&eye, corridor);
        screen.redraws = 0;
        begin_film(corridor, &screen, 2);
        memcpy(eye.state, kifu_state(corridor), eye.size); // the redraw's work
        ck_assert_uint_eq(screen.redraws, 1);
        ck_assert_double_eq(kifu_play_speed(corridor), 2);
        int frames = 0;
        for (; kifu_play_speed(corridor) > 0; frames++) {
            ck_assert_int_lt(frames, 100);
            must(corridor, kifu_update(corridor, 0.125));
            must_have_followed(&eye, corridor);
            ck_assert_uint_eq(kifu_event_count(corridor), count);
        }
        // The first is shown at once, seven follow after half a second each.
        ck_assert_int_eq(frames, 29);
        ck_assert_str_eq(screen.shown, all_shown);
        ck_assert_uint_eq(screen.letters, 4);
        ck_assert_uint_eq(screen.redraws, 1);
        ck_assert_uint_eq(kifu_state_hash(corridor), hash);
        ck_assert_uint_eq(kifu_event_count(corridor), count);
        screen.compare = false;
        corridor_submit_p_say(corridor, 2, 0, "on we go"); // once the last event has been shown
        must(corridor, kifu_update(corridor, 0.9));
        ck_assert_uint_eq(kifu_event_count(corridor), count);
        must(corridor, kifu_update(corridor, 0.2));
        ck_assert_uint_eq(kifu_event_count(corridor), count + 1);
        must(corridor, kifu_verify_replay(corridor, NULL));
        kifu_destroy(corridor);
    }
}
END_TEST

START_TEST(U10_the_speed_divides_the_delays)
{
    screen screen = {.seconds = 1};
    const corridor_view view = view_of(&screen);
    kifu_timeline *corridor = game_of(&view, false);
    begin_film(corridor, &screen, 4);
    must(corridor, kifu_update(corridor, 0));
    ck_assert_str_eq(screen.shown, "move1");
    ck_assert_double_eq_tol(kifu_delay(corridor), 0.25, 1e-9);
    must(corridor, kifu_update(corridor, 0.2));
    ck_assert_str_eq(screen.shown, "move1");
    must(corridor, kifu_update(corridor, 0.3)); // and a quarter of a second is left
    ck_assert_str_eq(screen.shown, "move1 open1 move1");
    ck_assert_double_eq_tol(kifu_delay(corridor), 0.25, 1e-9);
    must(corridor, kifu_play(corridor, 0.5)); // slow motion
    ck_assert_double_eq_tol(kifu_delay(corridor), 2, 1e-9);
    must(corridor, kifu_update(corridor, 1.9));
    ck_assert_str_eq(screen.shown, "move1 open1 move1");
    must(corridor, kifu_update(corridor, 0.2));
    ck_assert_str_eq(screen.shown, "move1 open1 move1 move1");
    must(corridor, kifu_update(corridor, 1e9)); // a long frame shows all that is due
    ck_assert_str_eq(screen.shown, all_shown);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(U10_a_film_of_endless_speed_waits_for_a_frame_that_takes_time)
{
    screen screen = {.seconds = 1};
    const corridor_view view = view_of(&screen);
    kifu_timeline *corridor = game_of(&view, false);
    begin_film(corridor, &screen, (double)INFINITY);
    for (int i = 0; i < 3; i++)
        must(corridor, kifu_update(corridor, 0));
    ck_assert_str_eq(screen.shown, "move1");
    must(corridor, kifu_update(corridor, 0.001));
    ck_assert_str_eq(screen.shown, all_shown);
    ck_assert_double_eq(kifu_delay(corridor), 0);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(U10_a_pause_and_on)
{
    screen screen = {.seconds = 1};
    const corridor_view view = view_of(&screen);
    kifu_timeline *corridor = game_of(&view, false);
    begin_film(corridor, &screen, 1);
    must(corridor, kifu_update(corridor, 0));
    must(corridor, kifu_update(corridor, 0.5));
    must(corridor, kifu_play(corridor, 0));
    ck_assert_double_eq(kifu_play_speed(corridor), 0);
    const uint32_t count = kifu_position(corridor);
    must(corridor, kifu_update(corridor, 100));
    ck_assert_uint_eq(kifu_position(corridor), count);
    must(corridor, kifu_play(corridor, 1));
    must(corridor, kifu_update(corridor, 0.4)); // half a second was left
    ck_assert_uint_eq(kifu_position(corridor), count);
    must(corridor, kifu_update(corridor, 0.2));
    ck_assert_uint_eq(kifu_position(corridor), count + 1);
    // A seek ends it, wherever.
    must(corridor, kifu_seek(corridor, 5));
    ck_assert_double_eq(kifu_play_speed(corridor), 0);
    must(corridor, kifu_update(corridor, 100));
    ck_assert_uint_eq(kifu_position(corridor), 5);
    must(corridor, kifu_play(corridor, 1));
    must(corridor, kifu_seek(corridor, KIFU_PRESENT));
    ck_assert_double_eq(kifu_play_speed(corridor), 0);
    must_refuse(corridor, kifu_play(corridor, 1)); // no past is shown
    must(corridor, kifu_play(corridor, 0));
    kifu_destroy(corridor);
}
END_TEST

START_TEST(U10_what_waits_goes_on_behind_the_film)
{
    screen screen = {.seconds = 1};
    const corridor_view view = view_of(&screen);
    kifu_timeline *corridor = game_of(&view, false);
    screen.compare = false;
    corridor_submit_p_use(corridor, 1, 0, 4); // its consequences wait,
    corridor_submit_p_say(corridor, 2, 1, "enough");
    must(corridor, kifu_step(corridor)); // as an input does
    ck_assert_uint_eq(kifu_pending_count(corridor), 3);
    const uint32_t count = kifu_event_count(corridor);
    begin_film(corridor, &screen, 8);
    while (kifu_play_speed(corridor) > 0) {
        must(corridor, kifu_update(corridor, 1));
        ck_assert_uint_eq(kifu_pending_count(corridor), 3);
    }
    ck_assert_uint_eq(kifu_event_count(corridor), count);
    screen.compare = false;
    while (!kifu_is_idle(corridor))
        must(corridor, kifu_update(corridor, 0.5));
    ck_assert_str_eq(corridor_log(corridor, count - 1), "PUse EHeal EMove PSay");
    kifu_destroy(corridor);
}
END_TEST

START_TEST(U10_nothing_new_happens_in_a_film)
{
    screen screen = {.seconds = 1};
    const corridor_view view = view_of(&screen);
    kifu_timeline *corridor = game_of(&view, false);
    const uint32_t count = kifu_event_count(corridor);
    begin_film(corridor, &screen, 1);
    must(corridor, kifu_update(corridor, 0));
    ck_assert_uint_eq(corridor_submit_p_move(corridor, 0, 0, 0), 0);
    ck_assert_int_eq(kifu_update(corridor, 0.1), KIFU_MISUSE);
    must_say(corridor, "while the past is shown");
    must_refuse(corridor, kifu_undo(corridor));
    must_refuse(corridor, kifu_redo(corridor));
    must_refuse(corridor, kifu_begin(corridor, 0));
    must_refuse(corridor, kifu_begin(corridor, KIFU_SEARCH));
    must_refuse(corridor, kifu_play(corridor, -1));
    must_refuse(corridor, kifu_play(corridor, (double)strtof("nan", NULL)));
    ck_assert_uint_lt(kifu_position(corridor), count);
    // A save has the present, and does not disturb.
    const kifu_options plain = {.user = &test_plan};
    kifu_timeline *loaded = reload(corridor, &plain);
    ck_assert_uint_eq(kifu_event_count(loaded), count);
    kifu_destroy(loaded);
    loaded = fork_of(corridor, 4, &plain);
    ck_assert_uint_eq(kifu_event_count(loaded), 4);
    kifu_destroy(loaded);
    ck_assert_double_eq(kifu_play_speed(corridor), 1);
    must(corridor, kifu_update(corridor, 100));
    ck_assert_str_eq(screen.shown, all_shown);
    kifu_destroy(corridor);
}
END_TEST

static kifu_timeline *the_game;

static void submit_in_act(kifu_timeline *corridor)
{
    (void)corridor;
    corridor_submit_p_move(the_game, 0, 0, 0);
}

static void seek_in_act(kifu_timeline *corridor)
{
    (void)corridor;
    ck_assert_int_eq(kifu_seek(the_game, 0), KIFU_MISUSE);
}

static void play_in_act(kifu_timeline *corridor)
{
    (void)corridor;
    ck_assert_int_eq(kifu_play(the_game, 9), KIFU_MISUSE);
}

static void edit_in_act(kifu_timeline *corridor)
{
    (void)corridor;
    *corridor_edit_level(the_game) = 99;
}

static void write_in_act(kifu_timeline *corridor)
{
    ((corridor_state *)(uintptr_t)corridor_get_state(corridor))->level = 99; // only the sync test sees that
}

START_TEST(T06_misuse_by_the_view_in_a_film_is_told)
{
    static void (*const misused[])(kifu_timeline *) = {submit_in_act, seek_in_act, play_in_act, edit_in_act,
                                                       write_in_act};
    for (size_t i = 0; i < 5; i++) {
        screen screen = {.seconds = 1};
        const corridor_view view = view_of(&screen);
        kifu_timeline *corridor = the_game = game_of(&view, true);
        begin_film(corridor, &screen, 1);
        screen.then = misused[i];
        ck_assert_int_eq(kifu_update(corridor, 0), i < 4 ? KIFU_MISUSE : KIFU_DIVERGED);
        ck_assert_uint_gt(strlen(kifu_last_error(corridor)->message), 30);
        screen.then = NULL;
        must(corridor, kifu_update(corridor, 100)); // and on it goes
        ck_assert_str_eq(screen.shown, all_shown);
        ck_assert_uint_eq(corridor_get_state(corridor)->level, 1);
        kifu_destroy(corridor);
    }
}
END_TEST

START_TEST(U10_a_film_without_a_view_or_quiet)
{
    kifu_timeline *corridor = corridor_new(NULL);
    corridor_submit_p_move(corridor, 0, 0, 1);
    must(corridor, kifu_run(corridor));
    const uint64_t hash = kifu_state_hash(corridor);
    must(corridor, kifu_seek(corridor, 0));
    must(corridor, kifu_play(corridor, 1));
    must(corridor, kifu_update(corridor, 0));
    ck_assert_uint_eq(kifu_state_hash(corridor), hash);
    ck_assert_double_eq(kifu_play_speed(corridor), 0);
    kifu_destroy(corridor);

    screen screen = {.seconds = 1};
    const corridor_view view = view_of(&screen);
    corridor = game_of(&view, false);
    follower eye;
    follow_state(&eye, corridor);
    begin_film(corridor, &screen, 1);
    memcpy(eye.state, kifu_state(corridor), eye.size);
    kifu_set_quiet(corridor, true);
    must(corridor, kifu_update(corridor, 0));
    ck_assert_str_eq(screen.shown, "");
    kifu_set_quiet(corridor, false);
    screen.compare = false;
    corridor_submit_p_say(corridor, 2, 0, "you hear of it now");
    must(corridor, kifu_run(corridor));
    must_have_followed(&eye, corridor);
    kifu_destroy(corridor);
}
END_TEST

// Without memory for the journal a film stops, and goes on when there is.
START_TEST(U10_a_film_in_little_memory)
{
    bool failed = true;
    for (long i = 0; failed; i++) {
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        kifu_timeline *corridor = corridor_new(&options);
        for (int k = 0; k < 400; k++)
            corridor_submit_p_move(corridor, 0, 0, k % 2 ? -1 : 1);
        while (kifu_run(corridor) == KIFU_REJECTED)
            ;
        const uint64_t hash = kifu_state_hash(corridor);
        memory.until_failure = i;
        kifu_result result = kifu_seek(corridor, 0);
        if (result == KIFU_OK)
            result = kifu_play(corridor, 1);
        if (result == KIFU_OK)
            result = kifu_update(corridor, 1);
        failed = memory.failed;
        memory.until_failure = -1;
        must_be(result == KIFU_OK || (result == KIFU_NO_MEMORY && failed));
        must(corridor, kifu_update(corridor, 1));
        if (!result)
            must_be(kifu_state_hash(corridor) == hash);
        must(corridor, kifu_seek(corridor, KIFU_PRESENT));
        must_be(kifu_state_hash(corridor) == hash);
        kifu_destroy(corridor);
        must_be(memory.blocks == 0);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        U10_a_film_shows_all_that_happened,
        U10_the_speed_divides_the_delays,
        U10_a_film_of_endless_speed_waits_for_a_frame_that_takes_time,
        U10_a_pause_and_on,
        U10_what_waits_goes_on_behind_the_film,
        U10_nothing_new_happens_in_a_film,
        T06_misuse_by_the_view_in_a_film_is_told,
        U10_a_film_without_a_view_or_quiet,
        U10_a_film_in_little_memory,
    };
    return run_suite("play", tests, sizeof tests / sizeof *tests);
}
