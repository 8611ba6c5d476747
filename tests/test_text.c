// Events, states and games as JSON and as plain text.

#include <limits.h>
#include <kifu/variations.h>
#include <stdio.h>

#include "lab_help.h"
#include "text_help.h"
#include "wire.h"

// --- Events ----------------------------------------------------------------------------------------------------------

static void expect_event(kifu_timeline *timeline, uint32_t event, const char *json, const char *plain)
{
    gathered one = {0}, other = {0};
    ck_assert_int_eq(kifu_json_event(timeline, event, gather, &one), KIFU_OK);
    ck_assert_str_eq(one.text, json);
    ck_assert_int_eq(kifu_text_event(timeline, event, gather, &other), KIFU_OK);
    ck_assert_str_eq(other.text, plain);
    free(one.text);
    free(other.text);
}

START_TEST(B06_events_are_written_by_the_names_of_the_schema)
{
    kifu_timeline *wire;
    kifu_error error;
    ck_assert_int_eq(kifu_create(&wire_rules, NULL, &wire, &error), KIFU_OK);
    const wire_grid grid = {.cells = {WIRE_COLOUR_BLUE}, .points = {{.x = 1, .y = 2}}, .ratio = 0.5};
    wire_e_optional_args optional = wire_e_optional_defaults();
    optional.has_c = true;
    optional.c = WIRE_LEVEL_HIGH;
    const uint8_t bytes[] = {1, 2};
    const bool flags[] = {true, false};
    const char *const strings[] = {"x", ""};
    const wire_plain_args plain = {.a = 3, .b = 4};
    wire_e_vectors_args vectors = wire_e_vectors_defaults();
    vectors.bytes = bytes, vectors.bytes_count = 2;
    vectors.flags = flags, vectors.flags_count = 2;
    vectors.grids = &grid, vectors.grids_count = 1;
    vectors.strings = strings, vectors.strings_count = 2;
    vectors.plains = &plain, vectors.plains_count = 1;
    wire_submit_e_empty(wire);
    wire_submit_e_optional(wire, &optional);
    wire_submit_e_vectors(wire, &vectors);
    wire_submit_e_text(wire, NULL, "\"Nim\"");
    ck_assert_msg(kifu_run(wire) == KIFU_OK, "%s", kifu_last_error(wire)->message);
    expect_event(wire, 0, "{\"number\": 0, \"type\": \"wire.EEmpty\", \"flags\": \"UNDOABLE CONTINUE_UNDO\"}",
                 "0 wire.EEmpty");
    expect_event(wire, 1,
                 "{\"number\": 1, \"type\": \"wire.EOptional\", \"flags\": \"UNDOABLE CONTINUE_UNDO\", \"fields\": "
                 "{\"c\": \"HIGH\", \"always\": 7}}",
                 "1 wire.EOptional: c HIGH, always 7");
    expect_event(wire, 2,
                 "{\"number\": 2, \"type\": \"wire.EVectors\", \"flags\": \"UNDOABLE CONTINUE_UNDO\", \"fields\": "
                 "{\"bytes\": [1, 2], \"flags\": [true, false], \"grids\": [{\"cells\": [\"BLUE\", \"RED\", \"RED\", "
                 "\"RED\", \"RED\"], \"points\": [{\"x\": 1, \"y\": 2, \"colour\": \"RED\"}, {\"x\": 0, \"y\": 0, "
                 "\"colour\": \"RED\"}], \"traits\": \"0\", \"ratio\": 0.5}], \"strings\": [\"x\", \"\"], \"plains\": "
                 "[{\"a\": 3, \"b\": 4}]}}",
                 "2 wire.EVectors: bytes [1, 2], flags [true, false], grids [0: {cells [BLUE, RED, RED, RED, RED], "
                 "points [0: {x 1, y 2, colour RED}], traits 0, ratio 0.5}], strings [\"x\", \"\"], plains [{a 3, b "
                 "4}]");
    expect_event(wire, 3,
                 "{\"number\": 3, \"type\": \"wire.EText\", \"flags\": \"UNDOABLE CONTINUE_UNDO\", \"fields\": "
                 "{\"name\": \"\\\"Nim\\\"\"}}",
                 "3 wire.EText: name \"\\\"Nim\\\"\"");
    ck_assert_int_eq(kifu_json_event(wire, 4, gather, NULL), KIFU_MISUSE);
    ck_assert_str_eq(kifu_last_error(wire)->message,
                     "kifu_json_event was called for event 4, but only 4 have happened, numbered from 0");
    ck_assert_int_eq(kifu_text_event(wire, 4, gather, NULL), KIFU_MISUSE);
    ck_assert_int_eq(kifu_forget(wire, 3), KIFU_OK);
    ck_assert_int_eq(kifu_json_event(wire, 2, gather, NULL), KIFU_MISUSE);
    ck_assert_str_eq(kifu_last_error(wire)->message,
                     "kifu_json_event was called for event 2, which is forgotten: the first is 3");
    gathered text = {0};
    ck_assert_int_eq(kifu_text_game(wire, gather, &text), KIFU_OK);
    ck_assert_str_eq(text.text, "3 wire.EText: name \"\\\"Nim\\\"\"\n");
    free(text.text);
    kifu_destroy(wire);
}
END_TEST

static void expect_line(const char *whole, size_t room, const char *expected)
{
    char text[100];
    memset(text, '#', sizeof text);
    kifu_timeline *lab = lab_new(NULL);
    kifu_event event;
    lab_must(lab, lab_play(lab, "+(-)"));
    lab_do(lab, 2, "\303\244\303\244", 1);
    ck_assert(kifu_pending_at(lab, 0, &event));
    ck_assert_uint_eq(kifu_event_text(lab, &event, text, room), strlen(whole));
    if (room)
        ck_assert_str_eq(text, expected);
    ck_assert_int_eq(text[room], '#');
    ck_assert_uint_eq(kifu_event_text(lab, &event, NULL, 0), strlen(whole));
    kifu_destroy(lab);
}

START_TEST(F69_B06_an_event_is_a_line_of_text)
{
    static const char whole[] = "lab.PDo, player 2: script \"\303\244\303\244\", times 1";
    expect_line(whole, 99, whole);
    expect_line(whole, sizeof whole, whole);
    expect_line(whole, sizeof whole - 1, "lab.PDo, player 2: script \"\303\244\303\244\", times ");
    expect_line(whole, 30, "lab.PDo, player 2: script \"\303\244"); // A character is there whole,
    expect_line(whole, 31, "lab.PDo, player 2: script \"\303\244"); // or not at all.
    expect_line(whole, 4, "lab");
    expect_line(whole, 1, "");
    expect_line(whole, 0, "");
    char text[60];
    kifu_event event;
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, lab_play(lab, "+(-)"));
    ck_assert(kifu_event_at(lab, 1, &event)); // neither its number nor its cause
    ck_assert_uint_eq(kifu_event_text(lab, &event, text, sizeof text), 19);
    ck_assert_str_eq(text, "lab.EDo: script \"-\"");
    kifu_destroy(lab);
}
END_TEST

START_TEST(B06_players_causes_and_what_is_transient)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_submit_e_add_player(lab, 0, 0);
    lab_do(lab, 0, "(1)", 1);
    lab_submit_e_show(lab, -3);
    lab_must(lab, kifu_run(lab));
    expect_event(lab, 1,
                 "{\"number\": 1, \"type\": \"lab.PDo\", \"player\": 0, \"flags\": \"UNDOABLE\", \"fields\": "
                 "{\"script\": \"(1)\", \"times\": 1}}",
                 "1 lab.PDo, player 0: script \"(1)\", times 1");
    kifu_event event;
    ck_assert(kifu_event_at(lab, 2, &event));
    ck_assert_uint_eq(event.cause, 1);
    gathered line = {0};
    ck_assert_int_eq(kifu_text_event(lab, 2, gather, &line), KIFU_OK);
    ck_assert_ptr_nonnull(strstr(line.text, ", by event 1"));
    free(line.text);
    const uint32_t last = kifu_event_count(lab) - 1;
    char json[200], plain[100];
    snprintf(
        json, sizeof json,
        "{\"number\": %u, \"type\": \"lab.EShow\", \"flags\": \"UNDOABLE CONTINUE_UNDO\", \"fields\": {\"amount\": "
        "-3}}",
        last);
    snprintf(plain, sizeof plain, "%u lab.EShow: amount -3", last);
    expect_event(lab, last, json, plain);
    kifu_destroy(lab);
}
END_TEST

// --- States and games ------------------------------------------------------------------------------------------------

START_TEST(B06_a_state_is_written_field_by_field)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_submit_e_add_player(lab, 2, 0xff);
    lab_submit_e_mood(lab, LAB_MOOD_ANGRY);
    lab_submit_p_add(lab, 0, 1000);
    lab_must(lab, kifu_run(lab));
    gathered json = {0}, plain = {0};
    ck_assert_int_eq(kifu_json_state(lab, gather, &json), KIFU_OK);
    ck_assert_int_eq(kifu_text_state(lab, gather, &plain), KIFU_OK);
    static const char head[] = "{\n    \"game\": {\"rng\": {\"state\": \"0\", \"increment\": \"0\"}, \"players\": "
                               "[{\"color\": 255, \"position\": 2}, {\"color\": 0, \"position\": 0}, ";
    ck_assert_int_eq(strncmp(json.text, head, sizeof head - 1), 0);
    ck_assert_ptr_nonnull(strstr(json.text, "\"phase\": \"SETUP\", \"round\": 0},\n    \"total\": \"1000\",\n"));
    ck_assert_ptr_nonnull(strstr(json.text, "\"mood\": \"ANGRY\",\n    \"random\": 0\n  }\n"));
    ck_assert_ptr_nonnull(strstr(plain.text, "players [0: {color 0x0000FF, position 2}], order"));
    ck_assert_ptr_nonnull(strstr(plain.text, "\ntotal 1000\n"));
    ck_assert_ptr_nonnull(strstr(plain.text, "\nmood ANGRY\nrandom 0\n"));
    free(json.text);
    free(plain.text);
    kifu_destroy(lab);
}
END_TEST

static char *json_of(kifu_timeline *timeline, const kifu_save_options *options)
{
    gathered json = {0};
    ck_assert_msg(kifu_json_game(timeline, options, gather, &json) == KIFU_OK, "%s",
                  kifu_last_error(timeline)->message);
    return json.text;
}

START_TEST(B06_a_game_is_written_with_what_waits_and_what_redo_brings_back)
{
    const kifu_options recording = {.hash_interval = 2};
    kifu_timeline *lab = lab_new(&recording);
    lab_submit_e_add_player(lab, 0, 0);
    for (int i = 0; i < 4; i++)
        lab_must(lab, lab_play(lab, "1"));
    lab_submit_p_add(lab, 0, 8);
    lab_must(lab, kifu_undo(lab));
    lab_submit_p_add(lab, 0, 9);
    const char *const players[] = {"Ann", NULL};
    const kifu_save_options options = {
        .title = "A \"game\"", .players = players, .player_count = 2, .thumbnail = "ab", .thumbnail_size = 2};
    char *json = json_of(lab, &options);
    static const char *const parts[] = {
        "{\n  \"kifu\": 1,\n  \"game\": \"lab\",\n  \"union\": \"lab.Event\",\n  \"rules_version\": 1,\n  "
        "\"fingerprint\": \"",
        ",\n  \"title\": \"A \\\"game\\\"\",\n  \"players\": [\"Ann\", \"\"],\n  \"thumbnail\": \"YWI=\",\n  "
        "\"events\": [\n",
        "\n    {\"number\": 4, \"type\": \"lab.PDo\", ",
        "\n  ],\n  \"executed\": 4,\n  \"kept\": [{\"executed\": 5,\n  \"inputs\": [\n    {\"type\": \"lab.PAdd\", "
        "\"player\": 0, \"flags\": \"UNDOABLE\", \"fields\": {\"amount\": 8}}]}],\n  \"inputs\": [\n    {\"type\": "
        "\"lab.PAdd\", "
        "\"player\": 0, "
        "\"flags\": \"UNDOABLE\", \"fields\": {\"amount\": 9}}],\n  \"hashes\": [\n    {\"events\": 1, \"hash\": \"",
        "\"},\n    {\"events\": 4, \"hash\": \"",
        "\"}\n  ],\n  \"hash\": \"",
        "\",\n  \"state\": {\n    \"game\": {",
        "\n  },\n  \"schema\": \"",
        "\"\n}\n",
    };
    const char *at = json;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *found = strstr(at, parts[i]);
        ck_assert_msg(found != NULL, "part %zu is not in %.1500s", i, at);
        at = found + 1;
    }
    free(json);
    const kifu_save_options less = {.without_schema = true, .without_snapshot = true};
    json = json_of(lab, &less);
    ck_assert_ptr_null(strstr(json, "\"schema\""));
    ck_assert_ptr_null(strstr(json, "\"state\""));
    ck_assert_ptr_nonnull(strstr(json, "\"hash\": \""));
    free(json);
    kifu_destroy(lab);
}
END_TEST

// Its first events may still turn out to be those of a line that is there.
START_TEST(B06_a_line_that_has_just_begun_says_which_one_was_left_for_it)
{
    kifu_timeline *lab = lab_new(&(kifu_options){.keep_variations = kifu_keep_variations});
    lab_submit_e_add_player(lab, 0, 0);
    lab_must(lab, lab_play(lab, "1"));
    lab_must(lab, lab_play(lab, "2"));
    lab_must(lab, kifu_undo(lab));
    lab_do(lab, 0, "3(4)", 1);
    for (int step = 0; step < 2; step++) {
        lab_must(lab, kifu_step(lab));
        char *json = json_of(lab, NULL);
        const char *fresh = strstr(json, "{\"line\": 1, \"parent\": 0, \"from\": 2");
        const char *old = strstr(json, "{\"line\": 0, \"parent\": 0, \"from\": 0, \"main\": true, \"at\"");
        const char *left = strstr(json, "\"begun_instead_of\": 0");
        ck_assert(fresh && old && fresh < old); // The current one comes first.
        ck_assert(step ? !left : left > fresh && left < old && !strstr(left + 2, "begun_instead_of"));
        free(json);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(B06_a_game_is_written_as_it_is_now_while_the_past_is_shown)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_submit_p_add(lab, -1, 1);
    lab_submit_p_add(lab, -1, 2);
    lab_must(lab, kifu_run(lab));
    char *present = json_of(lab, NULL);
    lab_must(lab, kifu_seek(lab, 1));
    char *sought = json_of(lab, NULL);
    char *a = strstr(present, "\"events\""), *b = strstr(sought, "\"events\""); // before it is the time
    ck_assert_str_eq(a, b);
    ck_assert_uint_eq(kifu_position(lab), 1);
    lab_must(lab, kifu_seek(lab, KIFU_PRESENT));
    gathered text = {0};
    ck_assert_int_eq(kifu_text_game(lab, gather, &text), KIFU_OK);
    ck_assert_str_eq(text.text, "0 lab.PAdd: amount 1\n1 lab.PAdd: amount 2\n");
    lab_must(lab, kifu_begin(lab, 0));
    ck_assert_int_eq(kifu_json_game(lab, NULL, gather, &text), KIFU_MISUSE);
    lab_must(lab, kifu_commit(lab));
    free(text.text);
    free(present);
    free(sought);
    kifu_destroy(lab);
}
END_TEST

START_TEST(B06_a_writer_that_refuses_ends_the_call)
{
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 0; i < 40; i++)
        lab_submit_p_add(lab, -1, i + 1);
    lab_must(lab, kifu_run(lab));
    for (int refuse = 1; refuse <= 3; refuse++) {
        gathered gathered = {.refuse = refuse};
        ck_assert_int_eq(kifu_json_game(lab, NULL, gather, &gathered), KIFU_IO);
        ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, "the text was refused"));
        ck_assert_int_eq(gathered.refuse, 0); // It is not called again.
        free(gathered.text);
    }
    kifu_destroy(lab);
}
END_TEST

static uint32_t count_of(const char *text, const char *words)
{
    uint32_t count = 0;
    for (; (text = strstr(text, words)) != NULL; text++)
        count++;
    return count;
}

// What waits where two lines part belongs to the one that has the event before it; and behind that, each has its own.
START_TEST(B05_what_waits_along_lines_is_written_once)
{
    kifu_timeline *lab = lab_started(&(kifu_options){.keep_variations = kifu_keep_variations});
    char words[40];
    lab_must(lab, lab_play(lab, "1"));
    lab_must(lab, lab_play(lab, "2"));
    const uint32_t fork = kifu_event_count(lab);
    lab_must(lab, lab_play(lab, "3"));
    lab_do(lab, 0, "7", 1);
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "4"));
    ck_assert_uint_eq(kifu_current_line(lab), 1);
    lab_do(lab, 0, "8", 1);
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_go_to(lab, 0, fork, true));
    lab_do(lab, 0, "9", 1);
    lab_must(lab, kifu_undo(lab));
    ck_assert_uint_eq(kifu_event_count(lab), fork - 1);
    ck_assert_uint_eq(kifu_current_line(lab), 0);
    gathered json = {0};
    lab_must(lab, kifu_json_game(lab, NULL, gather, &json));
    snprintf(words, sizeof words, "{\"executed\": %u,", fork);
    ck_assert_uint_eq(count_of(json.text, words), 1);
    snprintf(words, sizeof words, "{\"executed\": %u,", fork + 1);
    ck_assert_uint_eq(count_of(json.text, words), 2);
    for (char digit = '7'; digit <= '9'; digit++) {
        snprintf(words, sizeof words, "\"script\": \"%c\"", digit);
        ck_assert_uint_eq(count_of(json.text, words), 1);
    }
    free(json.text);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        B06_events_are_written_by_the_names_of_the_schema,
        F69_B06_an_event_is_a_line_of_text,
        B06_players_causes_and_what_is_transient,
        B06_a_state_is_written_field_by_field,
        B06_a_game_is_written_with_what_waits_and_what_redo_brings_back,
        B06_a_line_that_has_just_begun_says_which_one_was_left_for_it,
        B06_a_game_is_written_as_it_is_now_while_the_past_is_shown,
        B06_a_writer_that_refuses_ends_the_call,
        B05_what_waits_along_lines_is_written_once,
    };
    return run_suite("text", tests, sizeof tests / sizeof *tests);
}
