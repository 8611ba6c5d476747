// A game draws its state by one function of its own.

#include <stdio.h>
#include <string.h>

#include "nim.h"
#include "suite.h"
#include "text_help.h"

// What the functions below were given, and what they are to draw.
static kifu_drawing given;
static const char *words;

static void draw_heaps(kifu_drawing *drawing)
{
    const nim_state *state = (const nim_state *)drawing->state;
    given = *drawing;
    kifu_draw(drawing, "%u %u", state->heaps[0], state->heaps[3]);
}

static void draw_words(kifu_drawing *drawing)
{
    kifu_draw_words(drawing, words);
}

static void draw_picture(kifu_drawing *drawing)
{
    kifu_draw(drawing, "<svg>");
    kifu_draw_words(drawing, words);
    kifu_draw(drawing, "</svg>");
}

static void draw_much(kifu_drawing *drawing)
{
    kifu_draw(drawing, "%*s", 1000, "x");
    kifu_draw(drawing, "%*s", 1001, "y");
    kifu_draw(drawing, "z");
}

static kifu_timeline *game_that_draws(void (*draw)(kifu_drawing *drawing))
{
    const kifu_options options = {.draw = draw};
    const kifu_e_initialize_args initialize = {.has_seed = true, .seed = 7, .starting_player = 0};
    const uint16_t stones[] = {1, 3, 5, 7};
    kifu_timeline *timeline;
    ck_assert_int_eq(kifu_create(&nim_rules, &options, &timeline, NULL), KIFU_OK);
    nim_submit_e_reset_game(timeline);
    nim_submit_e_add_player(timeline, 0, 1);
    nim_submit_e_add_player(timeline, 1, 2);
    nim_submit_e_initialize(timeline, &initialize);
    nim_submit_e_deal(timeline, stones, 4);
    nim_submit_e_start_round(timeline);
    ck_assert_int_eq(kifu_run(timeline), KIFU_OK);
    return timeline;
}

static kifu_result draw_into(kifu_timeline *timeline, gathered *text)
{
    kifu_drawing drawing = {.write = gather, .context = text, .text = true, .user = &words};
    *text = (gathered){0};
    return kifu_draw_state(timeline, &drawing);
}

static void draws(kifu_timeline *timeline, const char *expected)
{
    gathered text;
    ck_assert_int_eq(draw_into(timeline, &text), KIFU_OK);
    ck_assert_str_eq(text.text, expected);
    free(text.text);
}

START_TEST(F70_the_state_that_is_shown_is_drawn_with_the_last_move_of_a_player)
{
    kifu_timeline *timeline = game_that_draws(draw_heaps);
    draws(timeline, "1 7");
    ck_assert_uint_eq(given.move.type, 0);
    ck_assert(given.text && given.user == &words);
    nim_submit_p_take(timeline, 0, 3, 2, 0);
    ck_assert_int_eq(kifu_run(timeline), KIFU_OK);
    draws(timeline, "1 5");
    ck_assert_uint_eq(given.move.type, NIM_P_TAKE);
    ck_assert_uint_eq(given.move.index, 6);
    ck_assert_uint_eq(((const nim_p_take *)given.move.table)->count, 2);
    nim_submit_p_resign(timeline, 1);
    ck_assert_int_eq(kifu_run(timeline), KIFU_OK);
    draws(timeline, "1 5");
    ck_assert_uint_eq(given.move.type, NIM_P_RESIGN); // and not what followed from it
    ck_assert_int_eq(kifu_seek(timeline, 6), KIFU_OK);
    draws(timeline, "1 7");
    ck_assert_uint_eq(given.move.type, 0);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(F70_words_that_a_game_did_not_choose_are_escaped_in_a_picture)
{
    kifu_timeline *text = game_that_draws(draw_words), *picture = game_that_draws(draw_picture);
    words = "<b a=\"1\" b='2'> & \xc3\xa9";
    draws(text, words);
    draws(picture, "<svg>&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt; &amp; \xc3\xa9</svg>");
    words = "a\nb\x1b[2J\xff\xe2\x80\xae";
    draws(text, "a?b?[2J?"
                "?");
    draws(picture, "<svg>a?b?[2J?"
                   "?</svg>");
    words = NULL;
    draws(picture, "<svg></svg>");
    kifu_destroy(text);
    kifu_destroy(picture);
}
END_TEST

START_TEST(F70_players_have_names_or_numbers)
{
    const char *const names[] = {"Ann", "", NULL};
    const kifu_drawing drawing = {.players = names, .player_count = 3};
    char room[20];
    ck_assert_str_eq(kifu_draw_name(&drawing, 0, room), "Ann");
    ck_assert_str_eq(kifu_draw_name(&drawing, 1, room), "Player 1");
    ck_assert_str_eq(kifu_draw_name(&drawing, 2, room), "Player 2");
    ck_assert_str_eq(kifu_draw_name(&drawing, 3, room), "Player 3");
    ck_assert_str_eq(kifu_draw_name(&drawing, -1, room), "Player -1");
}
END_TEST

START_TEST(Y03_an_element_says_which_moves_a_click_chooses_where_clicks_are_wanted)
{
    gathered text = {0};
    kifu_drawing drawing = {.write = gather, .context = &text};
    kifu_draw_click(&drawing, "from", 12);
    ck_assert(!text.text);
    drawing.clicks = true;
    kifu_draw_click(&drawing, "from", 12);
    kifu_draw_click(&drawing, "to", -1);
    ck_assert_str_eq(text.text, " data-from=\"12\" data-to=\"-1\"");
    free(text.text);
}
END_TEST

static kifu_result refuse(void *context, const char *text, size_t size)
{
    (void)text, (void)size;
    ++*(int *)context;
    return KIFU_IO;
}

START_TEST(F70_a_drawing_that_fails_says_so_and_goes_no_further)
{
    kifu_timeline *much = game_that_draws(draw_much), *none = game_that_draws(NULL);
    gathered text;
    ck_assert_int_eq(draw_into(much, &text), KIFU_TOO_LARGE);
    ck_assert_uint_eq(text.size, 1000);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(much)->message, "more than 1,000 bytes"));
    free(text.text);
    int calls = 0;
    kifu_drawing drawing = {.write = refuse, .context = &calls};
    ck_assert_int_eq(kifu_draw_state(much, &drawing), KIFU_IO);
    ck_assert_int_eq(calls, 1);
    ck_assert_int_eq(kifu_draw_state(none, &drawing), KIFU_MISUSE);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(none)->message, "kifu_options.draw"));
    drawing.write = NULL;
    ck_assert_int_eq(kifu_draw_state(much, &drawing), KIFU_MISUSE);
    ck_assert_int_eq(kifu_run(much), KIFU_OK); // Nothing of it is left.
    kifu_destroy(much);
    kifu_destroy(none);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F70_the_state_that_is_shown_is_drawn_with_the_last_move_of_a_player,
        F70_words_that_a_game_did_not_choose_are_escaped_in_a_picture,
        F70_players_have_names_or_numbers,
        Y03_an_element_says_which_moves_a_click_chooses_where_clicks_are_wanted,
        F70_a_drawing_that_fails_says_so_and_goes_no_further,
    };
    return run_suite("drawing", tests, sizeof tests / sizeof *tests);
}
