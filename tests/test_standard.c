// The standard events and the game's random numbers.

#include <fcntl.h>
#include <stdarg.h>
#include <time.h>

#include "lab_help.h"
#include "override.h"
#include "save_help.h"
#include "suite.h"

#define ck_assert_text(error, text) ck_assert_msg(strstr((error)->message, text), "%s", (error)->message)

START_TEST(E01_an_event_carries_all_that_do_needs)
{
    // Live and replayed, from the event's plain values alone: the arguments of the submit are gone by then.
    kifu_timeline *lab = lab_new(NULL);
    char script[] = "12";
    lab_do(lab, 0, script, 1);
    memset(script, 'f', 2);
    lab_must(lab, kifu_run(lab));
    ck_assert_str_eq(lab_trace(lab), "12");
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_redo(lab));
    ck_assert_str_eq(lab_trace(lab), "12");
    kifu_destroy(lab);
}
END_TEST

START_TEST(E03_the_attribute_decides)
{
    // The generator's tests show the warning where prefix and attribute disagree.
    ck_assert(lab_rules.types[LAB_P_DO].is_player);
    ck_assert(!lab_rules.types[LAB_E_DO].is_player);
    ck_assert(lab_rules.types[LAB_P_DO].has_check);
    ck_assert(!lab_rules.types[LAB_E_DO].has_check);
    ck_assert(lab_rules.types[LAB_E_TRY].has_check);
}
END_TEST

static void set_up(kifu_timeline *lab, uint64_t seed)
{
    lab_submit_e_reset_game(lab);
    lab_submit_e_add_player(lab, 4, 0xff0000);
    lab_submit_e_add_player(lab, 1, 0x00ff00);
    lab_submit_e_add_player(lab, 6, 0x0000ff);
    lab_submit_e_initialize(lab, SEEDED(seed));
    lab_submit_e_start_round(lab);
    lab_must(lab, kifu_run(lab));
}

START_TEST(F69_E08_a_player_becomes_current_by_number)
{
    kifu_timeline *lab = lab_new(NULL);
    set_up(lab, 1);
    for (int player = 0; player < 3; player++) {
        char script[] = {'s', (char)('0' + player), '\0'};
        lab_must(lab, lab_play(lab, script));
        ck_assert_int_eq(kifu_current_player(kifu_get_game(lab)), player);
    }
    ck_assert_int_eq(lab_play(lab, "s3"), KIFU_MISUSE);
    ck_assert_text(kifu_last_error(lab), "player 3 has not joined");
    ck_assert_int_eq(kifu_current_player(kifu_get_game(lab)), 2);
    lab_must(lab, kifu_undo(lab));
    ck_assert_int_eq(kifu_current_player(kifu_get_game(lab)), 1);
    kifu_destroy(lab);
}
END_TEST

START_TEST(M04_E05_a_player_has_a_color_by_name)
{
    const uint32_t colors[] = {KIFU_BLACK, KIFU_WHITE,  KIFU_RED,    KIFU_GREEN,
                               KIFU_BLUE,  KIFU_YELLOW, KIFU_ORANGE, KIFU_PURPLE};
    kifu_timeline *lab = lab_new(NULL);
    for (uint8_t i = 0; i < 8; i++)
        lab_submit_e_add_player(lab, i, colors[i]);
    lab_must(lab, kifu_run(lab));
    for (uint32_t i = 0; i < 8; i++) {
        for (uint32_t k = 0; k < i; k++)
            ck_assert_uint_ne(kifu_get_game(lab)->players[i].color, kifu_get_game(lab)->players[k].color);
    }
    ck_assert_uint_eq(kifu_get_game(lab)->players[2].color, 0xFF0000);
    kifu_destroy(lab);
}
END_TEST

START_TEST(E04_reset_clears_players_and_model)
{
    kifu_timeline *lab = lab_new(NULL);
    set_up(lab, 1);
    lab_must(lab, lab_play(lab, "+12"));
    lab_submit_e_reset_game(lab);
    lab_must(lab, kifu_run(lab));
    static const lab_state empty;
    ck_assert_mem_eq(lab_get_state(lab), &empty, sizeof empty);
    ck_assert_int_eq(kifu_undo(lab), KIFU_NOT_UNDOABLE);
    kifu_destroy(lab);
}
END_TEST

START_TEST(E05_add_player_is_never_undoable_however_it_was_built)
{
    kifu_timeline *lab = lab_new(NULL);
    kifu_ticket ticket = lab_submit_e_add_player(lab, 2, 0x123456);
    ck_assert_int_eq(kifu_override(lab, ticket, true, true), KIFU_MISUSE);
    ck_assert_text(kifu_last_error(lab), "kifu.EAddPlayer");
    lab_must(lab, kifu_run(lab));
    const kifu_game *game = kifu_get_game(lab);
    ck_assert_uint_eq(game->player_count, 1);
    ck_assert_uint_eq(game->players[0].position, 2);
    ck_assert_uint_eq(game->players[0].color, 0x123456);
    ck_assert_int_eq(kifu_undo(lab), KIFU_NOTHING_TO_UNDO);
    save other = save_of(lab, NULL); // as another program may have written it
    frames frames = frames_of(&other);
    unsigned char *segment = first_segment(&frames);
    segment[mark_in(segment, 0) + 3] = KIFU_UNDOABLE;
    save changed = save_of_frames(&frames);
    kifu_timeline *loaded = load_again(&changed);
    kifu_event event;
    ck_assert(kifu_event_at(loaded, 0, &event) && event.flags == KIFU_UNDOABLE);
    ck_assert_uint_eq(kifu_can_undo(loaded, NULL), 0);
    kifu_destroy(loaded);
    free(other.bytes);
    free(changed.bytes);

    lab_submit_e_add_player(lab, 2, 0);
    ck_assert_int_eq(kifu_run(lab), KIFU_REJECTED);
    ck_assert_text(kifu_last_error(lab), "position");
    for (uint8_t i = 1; i < 16; i++)
        lab_submit_e_add_player(lab, (uint8_t)(i + 2), 0);
    lab_must(lab, kifu_run(lab));
    lab_submit_e_add_player(lab, 0, 0);
    ck_assert_int_eq(kifu_run(lab), KIFU_REJECTED);
    ck_assert_text(kifu_last_error(lab), "the table is full");
    kifu_destroy(lab);
}
END_TEST

START_TEST(E06_a_missing_seed_is_chosen_once_and_recorded)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_submit_e_initialize(lab, NULL);
    lab_must(lab, kifu_run(lab));
    kifu_event event;
    ck_assert(kifu_event_at(lab, 0, &event));
    const kifu_e_initialize *initialize = (const kifu_e_initialize *)event.table;
    ck_assert(initialize->has_seed); // chosen before it was sealed
    uint64_t seed = initialize->seed;
    kifu_rng expected;
    kifu_rng_seed(&expected, seed, 0);
    ck_assert_mem_eq(&expected, &lab_get_state(lab)->game.rng, sizeof expected);

    unsigned char *bytes;
    size_t size;
    lab_must(lab, kifu_save_to_memory(lab, NULL, &bytes, &size));
    kifu_timeline *loaded;
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, bytes, size, NULL, NULL, &loaded, NULL), KIFU_OK);
    kifu_event_at(loaded, 0, &event);
    ck_assert_uint_eq(((const kifu_e_initialize *)event.table)->seed, seed);
    ck_assert_mem_eq(&expected, &lab_get_state(loaded)->game.rng, sizeof expected);
    kifu_free_bytes(lab, bytes);
    kifu_destroy(loaded);

    kifu_timeline *other = lab_new(NULL);
    lab_submit_e_initialize(other, NULL);
    lab_must(other, kifu_run(other));
    kifu_event_at(other, 0, &event);
    ck_assert_uint_ne(((const kifu_e_initialize *)event.table)->seed, seed); // from the operating system
    kifu_destroy(other);
    kifu_destroy(lab);

    kifu_options options = {.seed = 77};
    lab = lab_new(&options);
    lab_submit_e_initialize(lab, NULL);
    lab_must(lab, kifu_run(lab));
    kifu_event_at(lab, 0, &event);
    ck_assert_uint_eq(((const kifu_e_initialize *)event.table)->seed, 77);
    kifu_destroy(lab);
}
END_TEST

// --- A system without random numbers, or without a clock as well -----------------------------------------------------

static bool no_random_numbers, no_clock;

int __real_open(const char *path, int flags, ...);
int __real_timespec_get(struct timespec *time, int base);
int __wrap_open(const char *path, int flags, ...);
int __wrap_timespec_get(struct timespec *time, int base);

int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return no_random_numbers && strcmp(path, "/dev/urandom") == 0 ? -1 : __real_open(path, flags, mode);
}

int __wrap_timespec_get(struct timespec *time, int base)
{
    return no_clock ? 0 : __real_timespec_get(time, base);
}

START_TEST(E06_where_the_system_has_no_seed_the_options_must)
{
    const kifu_options with_seed = {.seed = 77};
    kifu_timeline *lab = lab_new(NULL), *other = lab_new(&with_seed);
    no_random_numbers = no_clock = true;
    lab_submit_e_initialize(lab, NULL);
    ck_assert_int_eq(kifu_run(lab), KIFU_REJECTED);
    ck_assert_text(kifu_last_error(lab), "the operating system gave no seed: set kifu_options.seed");
    ck_assert_uint_eq(kifu_event_count(lab), 0);
    lab_submit_e_initialize(other, NULL);
    lab_must(other, kifu_run(other));
    no_clock = false; // The clock alone is enough, but on Windows.
    no_random_numbers = !ON_WINDOWS;
    lab_submit_e_initialize(lab, NULL);
    lab_must(lab, kifu_run(lab));
    no_random_numbers = false;
    kifu_destroy(other);
    kifu_destroy(lab);
}
END_TEST

START_TEST(M08_E05_before_a_start_is_drawn_players_are_in_turn_as_they_joined)
{
    kifu_timeline *lab = lab_new(NULL);
    for (uint8_t i = 0; i < 3; i++)
        lab_submit_e_add_player(lab, (uint8_t)(2 - i), 0x112233);
    lab_must(lab, kifu_run(lab));
    for (int turn = 0; turn < 6; turn++) {
        ck_assert_int_eq(kifu_current_player(kifu_get_game(lab)), turn % 3);
        lab_must(lab, lab_play(lab, "n"));
    }
    kifu_destroy(lab);
}
END_TEST

static kifu_verdict accept_all(kifu_timeline *timeline, uint32_t type, const void *state, void *event)
{
    (void)timeline;
    (void)type;
    (void)state;
    (void)event;
    return kifu_accept();
}

static void must_fail(kifu_timeline *timeline, const char *reason)
{
    const uint32_t events = kifu_event_count(timeline);
    ck_assert_int_eq(kifu_run(timeline), KIFU_FAILED);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(timeline)), reason);
    ck_assert_uint_eq(kifu_event_count(timeline), events);
}

// A save may have events that no check of this version has seen.
START_TEST(E05_what_no_check_has_seen_a_standard_event_refuses_itself)
{
    kifu_rules rules = lab_rules;
    rules.check = accept_all;
    kifu_timeline *lab;
    ck_assert_int_eq(kifu_create(&rules, NULL, &lab, NULL), KIFU_OK);
    for (int i = 0; i < KIFU_MAX_PLAYERS; i++) {
        if (i) {
            lab_submit_e_add_player(lab, 40, 0); // as the first
            must_fail(lab, "another player sits at that position");
        }
        lab_submit_e_add_player(lab, (uint8_t)(40 - i), 0);
        lab_must(lab, kifu_run(lab));
    }
    lab_submit_e_add_player(lab, 41, 0);
    must_fail(lab, "the table is full: a game has at most 16 players");
    lab_submit_e_initialize(lab, NULL);
    must_fail(lab, "it was recorded without a seed");
    const uint64_t seed = 1;
    lab_submit_e_initialize(lab, SEEDED_FROM(seed, KIFU_MAX_PLAYERS));
    must_fail(lab, "the player who is to start has not joined");
    lab_submit_e_initialize(lab, SEEDED_FROM(seed, KIFU_MAX_PLAYERS - 1));
    lab_must(lab, kifu_run(lab));
    for (int i = 0; i < KIFU_MAX_PLAYERS; i++) // by position, which is the other way round
        ck_assert_int_eq(lab_get_state(lab)->game.order[i], KIFU_MAX_PLAYERS - 1 - i);
    kifu_destroy(lab);
}
END_TEST

static void must_have_seed(kifu_timeline *lab, uint64_t seed)
{
    kifu_event event;
    ck_assert(kifu_event_at(lab, 0, &event));
    ck_assert_uint_eq(((const kifu_e_initialize *)event.table)->seed, seed);
    kifu_rng expected;
    kifu_rng_seed(&expected, seed, 0);
    ck_assert_mem_eq(&expected, &lab_get_state(lab)->game.rng, sizeof expected);
}

START_TEST(F04_E06_a_seed_that_is_given_is_the_seed)
{
    static const uint64_t seeds[] = {0, 1, UINT64_MAX};
    static const kifu_options all_options[] = {{0}, {.seed = 77}};
    for (size_t i = 0; i < 6; i++) {
        kifu_timeline *lab = lab_new(&all_options[i / 3]);
        lab_submit_e_initialize(lab, SEEDED(seeds[i % 3]));
        lab_must(lab, kifu_run(lab));
        must_have_seed(lab, seeds[i % 3]);
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(E07_random_numbers_come_back_after_undo_and_redo)
{
    kifu_timeline *lab = lab_new(NULL);
    set_up(lab, 42);
    lab_must(lab, lab_play(lab, "r"));
    uint32_t first = lab_get_state(lab)->random;
    lab_must(lab, lab_play(lab, "rr"));
    uint32_t third = lab_get_state(lab)->random;
    lab_must(lab, kifu_undo(lab));
    ck_assert_uint_eq(lab_get_state(lab)->random, first);
    lab_must(lab, kifu_redo(lab));
    ck_assert_uint_eq(lab_get_state(lab)->random, third);
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "rr")); // the same draw, made anew
    ck_assert_uint_eq(lab_get_state(lab)->random, third);
    kifu_destroy(lab);
}
END_TEST

START_TEST(E07_a_draw_before_the_seed_is_an_error)
{
    kifu_timeline *lab = lab_new(NULL);
    ck_assert_int_eq(lab_play(lab, "r"), KIFU_MISUSE);
    ck_assert_text(kifu_last_error(lab), "EInitialize");
    kifu_destroy(lab);
}
END_TEST

START_TEST(E08_the_starting_player_is_random_and_the_order_clockwise)
{
    static const uint8_t clockwise[] = {1, 0, 2}; // by position: 1, 4, 6
    unsigned starts[3] = {0};
    for (uint64_t seed = 0; seed < 300; seed++) {
        kifu_timeline *lab = lab_new(NULL);
        set_up(lab, seed);
        const kifu_game *game = kifu_get_game(lab);
        unsigned start = 0;
        while (clockwise[start] != game->order[0])
            start++;
        starts[start]++;
        for (unsigned i = 0; i < 3; i++)
            ck_assert_uint_eq(game->order[i], clockwise[(start + i) % 3]);
        kifu_destroy(lab);
    }
    for (unsigned i = 0; i < 3; i++)
        ck_assert_uint_ge(starts[i], 70); // of 100 expected
}
END_TEST

START_TEST(F11_a_game_says_who_starts)
{
    static const uint8_t clockwise[] = {1, 0, 2}; // by position: 1, 4, 6
    kifu_rng seeded;
    kifu_rng_seed(&seeded, 9, 0);
    for (unsigned place = 0; place < 3; place++) {
        kifu_timeline *lab = lab_new(NULL);
        lab_submit_e_add_player(lab, 4, 0);
        lab_submit_e_add_player(lab, 1, 0);
        lab_submit_e_add_player(lab, 6, 0);
        lab_submit_e_initialize(lab, SEEDED_FROM(9, (int8_t)clockwise[place]));
        lab_must(lab, kifu_run(lab));
        const kifu_game *game = kifu_get_game(lab);
        for (unsigned i = 0; i < 3; i++)
            ck_assert_uint_eq(game->order[i], clockwise[(place + i) % 3]);
        ck_assert_int_eq(kifu_current_player(game), clockwise[place]);
        ck_assert_mem_eq(&game->rng, &seeded, sizeof seeded); // no lot was drawn
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(F11_who_starts_must_have_joined)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_submit_e_initialize(lab, &(kifu_e_initialize_args){.starting_player = 0});
    ck_assert_int_eq(kifu_run(lab), KIFU_REJECTED);
    lab_submit_e_add_player(lab, 0, 0);
    lab_submit_e_add_player(lab, 1, 0);
    lab_must(lab, kifu_run(lab));
    static const int8_t none[] = {2, 16, 127, -2, -128};
    for (size_t i = 0; i < sizeof none; i++) {
        lab_submit_e_initialize(lab, &(kifu_e_initialize_args){.starting_player = none[i]});
        ck_assert_int_eq(kifu_run(lab), KIFU_REJECTED);
        ck_assert_str_eq(kifu_error_reason(kifu_last_error(lab)), "the player who is to start has not joined");
    }
    lab_submit_e_initialize(lab, &(kifu_e_initialize_args){.starting_player = 1});
    lab_must(lab, kifu_run(lab));

    // Nor in a save, which nobody checked.
    save good = save_of(lab, NULL);
    frames frames = frames_of(&good);
    unsigned char *segment = first_segment(&frames);
    segment[event_in(segment, 2) + offsetof(kifu_e_initialize, starting_player)] = 2;
    save bad = save_of_frames(&frames);
    kifu_timeline *loaded;
    kifu_error error;
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, bad.bytes, bad.size, NULL, NULL, &loaded, &error), KIFU_FAILED);
    ck_assert_text(&error, "the player who is to start has not joined");
    free(good.bytes);
    free(bad.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(E09_rounds_start_and_the_game_ends)
{
    kifu_timeline *lab = lab_new(NULL);
    ck_assert_int_eq(kifu_current_player(kifu_get_game(lab)), -1);
    set_up(lab, 7);
    const kifu_game *game = kifu_get_game(lab);
    ck_assert_uint_eq(game->phase, KIFU_PHASE_PLAY);
    ck_assert_uint_eq(game->round, 1);
    ck_assert_int_eq(kifu_current_player(game), game->order[0]);
    lab_submit_e_end_game(lab);
    lab_must(lab, kifu_run(lab));
    ck_assert_uint_eq(game->phase, KIFU_PHASE_GAME_OVER);
    ck_assert_int_eq(lab_play(lab, "1"), KIFU_REJECTED);
    ck_assert_text(kifu_last_error(lab), "the game is over");
    lab_submit_e_do(lab, "1"); // engine events still happen
    lab_must(lab, kifu_run(lab));
    kifu_destroy(lab);
}
END_TEST

START_TEST(E08_a_game_that_is_initialized_anew_begins_with_the_first_player)
{
    const uint64_t seed = 1;
    kifu_timeline *lab = lab_new(NULL);
    for (uint8_t position = 0; position < 3; position++)
        lab_submit_e_add_player(lab, position, 0);
    lab_submit_e_initialize(lab, SEEDED(seed));
    lab_submit_e_start_round(lab);
    lab_do(lab, 0, "n", 1);
    lab_must(lab, kifu_run(lab));
    ck_assert_uint_eq(lab_get_state(lab)->game.turn, 1);
    lab_submit_e_initialize(lab, SEEDED(seed));
    lab_must(lab, kifu_run(lab));
    ck_assert_uint_eq(lab_get_state(lab)->game.turn, 0);
    kifu_destroy(lab);
}
END_TEST

START_TEST(F02_E09_each_round_begins_with_the_first_player)
{
    kifu_timeline *lab = lab_new(NULL);
    set_up(lab, 7);
    const kifu_game *game = kifu_get_game(lab);
    for (unsigned round = 2; round <= 3; round++) {
        lab_must(lab, lab_play(lab, round == 2 ? "n" : "nn"));
        ck_assert_int_eq(kifu_current_player(game), game->order[round - 1]);
        lab_submit_e_start_round(lab);
        lab_must(lab, kifu_run(lab));
        ck_assert_uint_eq(game->round, round);
        ck_assert_int_eq(kifu_current_player(game), game->order[0]);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(E10_the_standard_events_come_with_the_library)
{
    // The lab writes none of their Do functions, and all five work (E04 to E09).
    ck_assert_str_eq(lab_rules.types[LAB_E_RESET_GAME].table->name, "kifu.EResetGame");
    ck_assert_str_eq(lab_rules.types[LAB_E_END_GAME].table->name, "kifu.EEndGame");
}
END_TEST

START_TEST(E10_a_game_overrides_a_standard_event)
{
    kifu_timeline *game;
    ck_assert_int_eq(kifu_create(&override_rules, NULL, &game, NULL), KIFU_OK);
    override_submit_e_start_round(game);
    ck_assert_int_eq(kifu_run(game), KIFU_OK);
    ck_assert_uint_eq(override_get_state(game)->started, 3);    // its own Do, which sees the rules version …
    ck_assert_uint_eq(override_get_state(game)->game.round, 1); // … and calls the library's
    kifu_event event;
    ck_assert(kifu_event_at(game, 0, &event));
    ck_assert_uint_eq(event.rules_version, 3);
    kifu_destroy(game);
}
END_TEST

START_TEST(a_check_sees_only_what_the_schema_allows)
{
    kifu_timeline *game;
    ck_assert_int_eq(kifu_create(&override_rules, NULL, &game, NULL), KIFU_OK);
    override_submit_p_name(game, 0, NULL, OVERRIDE_RANK_PAGE);
    ck_assert_int_eq(kifu_run(game), KIFU_INVALID_EVENT);
    ck_assert_text(kifu_last_error(game), "name: it is required");
    override_submit_p_name(game, 0, "Ann", 200);
    ck_assert_int_eq(kifu_run(game), KIFU_INVALID_EVENT);
    ck_assert_text(kifu_last_error(game), "rank: value 200");
    override_submit_p_name(game, 0, "Ann", OVERRIDE_RANK_KING); // and what it leaves is looked at again
    ck_assert_int_eq(kifu_run(game), KIFU_INVALID_EVENT);
    ck_assert_text(kifu_last_error(game), "rank: value 5");
    override_submit_p_name(game, 0, "Sir", OVERRIDE_RANK_KNIGHT);
    ck_assert_int_eq(kifu_run(game), KIFU_REJECTED);
    override_submit_p_name(game, 0, "Ann", OVERRIDE_RANK_KNIGHT);
    ck_assert_int_eq(kifu_run(game), KIFU_OK);
    ck_assert_uint_eq(override_get_state(game)->started, 3);
    kifu_destroy(game);
}
END_TEST

// Rejected, in these words for a player, with nothing changed.
static void must_reject(kifu_timeline *timeline, const char *reason)
{
    const uint32_t events = kifu_event_count(timeline);
    ck_assert_int_eq(kifu_run(timeline), KIFU_REJECTED);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(timeline)), reason);
    ck_assert_uint_eq(kifu_event_count(timeline), events);
}

START_TEST(F10_a_player_event_is_of_a_player_who_has_joined)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_submit_p_add(lab, 5, 1); // a game without players asks nobody
    lab_submit_p_add(lab, -1, 1);
    lab_submit_e_add_player(lab, 3, 0);
    lab_must(lab, kifu_run(lab));
    lab_submit_p_add(lab, 1, 1);
    must_reject(lab, "there is no player 1, the game has 1 player");
    lab_submit_e_add_player(lab, 1, 0);
    lab_submit_p_add(lab, 0, 1);
    lab_submit_p_add(lab, 1, 1);
    lab_must(lab, kifu_run(lab));
    lab_submit_p_add(lab, 2, 1);
    must_reject(lab, "there is no player 2, the game has 2 players");
    ck_assert_text(kifu_last_error(lab), "lab.PAdd was rejected: there is no player 2");
    lab_submit_p_add(lab, 127, 1);
    must_reject(lab, "there is no player 127, the game has 2 players");
    lab_submit_p_add(lab, -1, 1);
    must_reject(lab, "there is no player -1, the game has 2 players");
    lab_submit_e_do(lab, "1"); // an engine's event is of no player
    lab_must(lab, kifu_run(lab));

    // What was recorded before stays as it was.
    const uint32_t events = kifu_event_count(lab);
    save before = save_of(lab, NULL);
    frames frames = frames_of(&before);
    unsigned char *segment = first_segment(&frames);
    segment[mark_in(segment, 5) + 2] = 7;
    save changed = save_of_frames(&frames);
    kifu_timeline *loaded = load_again(&changed);
    kifu_event event;
    ck_assert(kifu_event_at(loaded, 5, &event) && event.player == 7);
    ck_assert_uint_eq(kifu_event_count(loaded), events);
    ck_assert_int_eq(lab_get_state(loaded)->total, 4);
    free(before.bytes);
    free(changed.bytes);
    kifu_destroy(loaded);
    kifu_destroy(lab);
}
END_TEST

START_TEST(F10_a_schema_limits_how_many_players_join)
{
    kifu_rules wide = override_rules; // as it was before it had a limit
    wide.max_players = 0;
    kifu_timeline *game;
    ck_assert_int_eq(kifu_create(&wide, NULL, &game, NULL), KIFU_OK);
    for (uint8_t i = 0; i < 4; i++)
        override_submit_e_add_player(game, i, 0);
    ck_assert_int_eq(kifu_run(game), KIFU_OK);
    unsigned char *bytes;
    size_t size;
    ck_assert_int_eq(kifu_save_to_memory(game, NULL, &bytes, &size), KIFU_OK);
    kifu_timeline *loaded;
    ck_assert_int_eq(kifu_load_from_memory(&override_rules, bytes, size, NULL, NULL, &loaded, NULL), KIFU_OK);
    ck_assert_uint_eq(kifu_get_game(loaded)->player_count, 4);
    override_submit_e_add_player(loaded, 9, 0);
    must_reject(loaded, "the table is full: no more players can join");
    kifu_free_bytes(game, bytes);
    kifu_destroy(loaded);
    kifu_destroy(game);

    ck_assert_int_eq(kifu_create(&override_rules, NULL, &game, NULL), KIFU_OK);
    for (uint8_t i = 0; i < 3; i++)
        override_submit_e_add_player(game, i, 0);
    ck_assert_int_eq(kifu_run(game), KIFU_OK);
    override_submit_e_add_player(game, 3, 0);
    must_reject(game, "the table is full: no more players can join");
    override_submit_e_reset_game(game);
    override_submit_e_add_player(game, 3, 0);
    ck_assert_int_eq(kifu_run(game), KIFU_OK);
    ck_assert_uint_eq(kifu_get_game(game)->player_count, 1);
    kifu_destroy(game);
}
END_TEST

// The reference implementation's demo program (pcg-random.org, pcg32-demo, seed 42, sequence 54), round 1: six numbers,
// 65 coins, 33 dice, a deck of cards.
START_TEST(random_numbers_are_pcg32)
{
    static const uint32_t numbers[] = {0xa15c02b7, 0x7b47f409, 0xba1d3330, 0x83d2f293, 0xbfa4784b, 0xcbed606e};
    kifu_rng rng;
    kifu_rng_seed(&rng, 42, 54);
    for (unsigned i = 0; i < 6; i++)
        ck_assert_uint_eq(kifu_rng_next(&rng), numbers[i]);
    const char *coins = "HHTTTHTHHHTHTTTHHHHHTTTHHHTHTHTHTTHTTTHHHHHHTTTTHHTTTTTHTTTTTTTHT";
    for (; *coins; coins++)
        ck_assert_int_eq(kifu_rng_below(&rng, 2) ? 'H' : 'T', *coins);
    const char *dice = "341122324324335231315141564662633";
    for (; *dice; dice++)
        ck_assert_int_eq((int)kifu_rng_below(&rng, 6) + '1', *dice);
}
END_TEST

START_TEST(random_ranges_are_unbiased)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 1);
    ck_assert_uint_eq(kifu_rng_below(&rng, 0), 0);
    ck_assert_uint_eq(kifu_rng_below(&rng, 1), 0);
    // With a bound of 3 * 2^30 a plain remainder would hit the lower third twice as often.
    unsigned low = 0;
    for (int i = 0; i < 3000; i++)
        low += kifu_rng_below(&rng, UINT32_C(3) << 30) < UINT32_C(1) << 30;
    ck_assert_uint_gt(low, 900);
    ck_assert_uint_lt(low, 1100);
}
END_TEST

static void reset_model(void *user)
{
    *(int *)user = 0;
}

START_TEST(M08_E04_a_reset_clears_a_model_outside_the_state)
{
    int model = 7;
    kifu_timeline *lab = lab_new(&(kifu_options){.reset = reset_model, .user = &model});
    model = 7;
    lab_submit_e_reset_game(lab);
    lab_must(lab, kifu_run(lab));
    ck_assert_int_eq(model, 0);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        M08_E04_a_reset_clears_a_model_outside_the_state,
        E01_an_event_carries_all_that_do_needs,
        E03_the_attribute_decides,
        F69_E08_a_player_becomes_current_by_number,
        M04_E05_a_player_has_a_color_by_name,
        E04_reset_clears_players_and_model,
        E05_add_player_is_never_undoable_however_it_was_built,
        E06_a_missing_seed_is_chosen_once_and_recorded,
        E06_where_the_system_has_no_seed_the_options_must,
        M08_E05_before_a_start_is_drawn_players_are_in_turn_as_they_joined,
        E05_what_no_check_has_seen_a_standard_event_refuses_itself,
        F04_E06_a_seed_that_is_given_is_the_seed,
        E07_random_numbers_come_back_after_undo_and_redo,
        E07_a_draw_before_the_seed_is_an_error,
        E08_the_starting_player_is_random_and_the_order_clockwise,
        F11_a_game_says_who_starts,
        F11_who_starts_must_have_joined,
        E09_rounds_start_and_the_game_ends,
        F02_E09_each_round_begins_with_the_first_player,
        E08_a_game_that_is_initialized_anew_begins_with_the_first_player,
        E10_the_standard_events_come_with_the_library,
        E10_a_game_overrides_a_standard_event,
        F10_a_player_event_is_of_a_player_who_has_joined,
        F10_a_schema_limits_how_many_players_join,
        a_check_sees_only_what_the_schema_allows,
        random_numbers_are_pcg32,
        random_ranges_are_unbiased,
    };
    return run_suite("standard", tests, sizeof tests / sizeof *tests);
}
