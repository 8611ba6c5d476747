// Notes: what becomes of them in each call, and what is refused. (Random walks: test_notes_walk.c.)

#include <stdio.h>
#include <string.h>

#include <kifu/changes.h>

#include "notes_help.h"

START_TEST(V07_undo_and_redo_leave_notes_alone)
{
    kifu_timeline *timeline = new_tally(NULL, false);
    comment(timeline, KIFU_BEFORE_FIRST, "A friendly game");
    play(timeline, 1);
    play(timeline, 2);
    comment(timeline, 1, "good");
    const uint64_t hash = kifu_state_hash(timeline);
    must(timeline, kifu_undo(timeline));
    must_read(timeline, 1, "good");
    comment(timeline, 1, "very good");
    must(timeline, kifu_redo(timeline));
    must_read(timeline, 1, "very good");
    ck_assert_uint_eq(kifu_state_hash(timeline), hash);
    must(timeline, kifu_undo(timeline));
    must(timeline, kifu_begin(timeline, KIFU_SEARCH)); // what is undone waits there
    must_be_gone(timeline, 1);
    play(timeline, 5);
    must_be_gone(timeline, 1);
    must(timeline, kifu_roll_back(timeline));
    must_read(timeline, 1, "very good");
    play(timeline, 3); // replaces event 1
    must_be_gone(timeline, 1);
    must_read(timeline, KIFU_BEFORE_FIRST, "A friendly game");
    ck_assert_uint_eq(count_notes(timeline), 1);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V07_a_note_stays_at_its_event_when_lines_part)
{
    kifu_timeline *timeline = new_tally(NULL, true);
    play(timeline, 1);
    play(timeline, 2);
    comment(timeline, 0, "shared");
    comment(timeline, 1, "of line 0");
    must(timeline, kifu_undo(timeline));
    play(timeline, 3);
    must_be_gone(timeline, 1);
    comment(timeline, 1, "of line 1");
    must_read(timeline, 0, "shared");
    must(timeline, kifu_promote_line(timeline, 1));
    must(timeline, kifu_go_to(timeline, 0, 2, false));
    must_read(timeline, 1, "of line 0");
    must_read(timeline, 0, "shared");
    must(timeline, kifu_delete_line(timeline, 1));
    ck_assert_uint_eq(count_notes(timeline), 2);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V07_a_new_line_that_is_there_already_gives_its_notes_to_that_one)
{
    kifu_timeline *timeline = new_tally(NULL, true);
    play(timeline, 1);
    play(timeline, 2);
    comment(timeline, 1, "old");
    must(timeline, kifu_set_note(timeline, 1, KIFU_NOTE_GLYPH, "!"));
    must(timeline, kifu_undo(timeline));
    must(timeline, kifu_begin(timeline, 0));
    play(timeline, 2);
    comment(timeline, 1, "new");
    must(timeline, kifu_commit(timeline));
    ck_assert_uint_eq(kifu_current_line(timeline), 0);
    must_read(timeline, 1, "new");
    ck_assert_str_eq(kifu_note_at(timeline, 1, KIFU_NOTE_GLYPH), "!");
    must(timeline, kifu_undo(timeline));
    must(timeline, kifu_begin(timeline, 0));
    play(timeline, 3);
    comment(timeline, 1, "of an event that the transaction replaces");
    must(timeline, kifu_undo(timeline));
    play(timeline, 2);
    must(timeline, kifu_commit(timeline));
    must_read(timeline, 1, "new");
    ck_assert_uint_eq(count_notes(timeline), 2);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V07_what_a_committed_transaction_replaces_loses_its_notes)
{
    kifu_timeline *timeline = new_tally(NULL, false);
    play(timeline, 1);
    comment(timeline, 0, "undone");
    must(timeline, kifu_undo(timeline));
    must(timeline, kifu_begin(timeline, 0));
    must(timeline, kifu_commit(timeline)); // nothing happened: redo is there still
    must_read(timeline, 0, "undone");
    must(timeline, kifu_begin(timeline, 0));
    play(timeline, 2);
    comment(timeline, 0, "new");
    must(timeline, kifu_commit(timeline));
    must_read(timeline, 0, "new");
    ck_assert_uint_eq(count_notes(timeline), 1);
    must(timeline, kifu_undo(timeline));
    must(timeline, kifu_begin(timeline, 0));
    play(timeline, 3); // without a note
    must(timeline, kifu_commit(timeline));
    must_be_gone(timeline, 0);
    ck_assert_uint_eq(count_notes(timeline), 0);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(V07_what_is_not_a_note_is_refused_in_words)
{
    kifu_timeline *timeline = new_tally(&(kifu_options){.note_limit = 200}, true), *without;
    play(timeline, 1);
    must_refuse(timeline, kifu_set_note(timeline, 1, "key", "no such event"));
    must_say(timeline, "kifu_set_note: there is no line 0 with an event 1");
    must_refuse(timeline, kifu_set_line_note(timeline, 1, 0, "key", "no such line"));
    must_say(timeline, "kifu_set_line_note: there is no line 1 with an event 0");
    must_refuse(timeline, kifu_set_note_bytes(timeline, 0, 0, "", "no key", 6));
    must_say(timeline, "kifu_set_note_bytes: the key of a note must not be empty");
    must_refuse(timeline, kifu_set_note(timeline, 0, "", "no key"));
    must_refuse(timeline, kifu_set_note(timeline, 0, NULL, "no key"));
    must_refuse(timeline, kifu_set_note(timeline, 0, "key", "not \xC3( text"));
    must_say(timeline, "byte 4 of a note's text, 0xC3, is not UTF-8: convert the text, or use kifu_set_note_bytes");
    must_refuse(timeline, kifu_set_note(timeline, 0, "\xFF", "text"));
    ck_assert_str_eq(kifu_last_error(timeline)->message, "byte 0 of a note's key, 0xFF, is not UTF-8: convert the key");
    must(timeline, kifu_set_note_bytes(timeline, 0, 0, "key", "\xC3(\0", 3));
    must(timeline, kifu_set_note_bytes(timeline, 0, KIFU_BEFORE_FIRST, "none", "", 0));
    ck_assert_ptr_null(kifu_note_at(timeline, 0, "key")); // it is no text
    char text[131] = {0};
    memset(text, 'x', 130);
    ck_assert_int_eq(kifu_set_note(timeline, 0, "key", text), KIFU_TOO_LARGE); // 64 + 4, and 64 + 3 + 130
    must_say(timeline, "the notes would take 265 bytes, but may take 200 (kifu_options.note_limit)");
    text[65] = 0;
    must(timeline, kifu_set_note(timeline, 0, "key", text));
    ck_assert_str_eq(kifu_note_at(timeline, 0, "key"), text);
    ck_assert_int_eq(kifu_set_note(timeline, 0, "k", ""), KIFU_TOO_LARGE);
    must(timeline, kifu_set_note(timeline, 0, "key", NULL));
    must(timeline, kifu_set_note(timeline, 0, "k", ""));
    must(timeline, kifu_begin(timeline, KIFU_SEARCH));
    must_refuse(timeline, kifu_set_line_note(timeline, 0, 0, "k", "in a search"));
    must_say(timeline, "kifu_set_line_note while a search is open: roll it back first");
    kifu_destroy(timeline);

    ck_assert_int_eq(kifu_create(&tally_rules, NULL, &without, NULL), KIFU_OK);
    must_refuse(without, kifu_set_note_bytes(without, 0, KIFU_BEFORE_FIRST, "key", "text", 4));
    must_say(without, "kifu_set_note_bytes: this timeline keeps no notes: give it kifu_options.keep_notes");
    must_refuse(without, kifu_set_note(without, KIFU_BEFORE_FIRST, "key", "text"));
    ck_assert_ptr_null(kifu_note_at(without, KIFU_BEFORE_FIRST, "key"));
    ck_assert_uint_eq(count_notes(without), 0);
    kifu_destroy(without);
}
END_TEST

START_TEST(V07_without_memory_all_notes_are_as_they_were)
{
    test_memory memory = {.failed = true};
    for (long fail_at = 0; memory.failed; fail_at++) {
        memory = (test_memory){.until_failure = -1};
        kifu_timeline *timeline =
            new_tally(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory}, true);
        play(timeline, 1);
        comment(timeline, 0, "a");
        memory.until_failure = fail_at;
        const kifu_result result = kifu_set_note(timeline, 0, KIFU_NOTE_COMMENT, "b");
        must_read(timeline, 0, result ? "a" : "b");
        ck_assert_int_eq(result, memory.failed ? KIFU_NO_MEMORY : KIFU_OK);
        kifu_destroy(timeline);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

// Those who follow the game are told what was removed, for which there must be memory.
START_TEST(M08_V07_without_memory_no_note_is_removed)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *timeline = new_tally(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory}, false);
    play(timeline, 1);
    comment(timeline, 0, "a");
    kifu_changes changes;
    must(timeline, kifu_changes_since(timeline, NULL, &changes));
    kifu_free_bytes(timeline, changes.bytes);
    memory.until_failure = 0;
    ck_assert_int_eq(kifu_set_note(timeline, 0, KIFU_NOTE_COMMENT, NULL), KIFU_NO_MEMORY);
    must_read(timeline, 0, "a");
    must(timeline, kifu_set_note(timeline, 0, KIFU_NOTE_COMMENT, NULL));
    must_be_gone(timeline, 0);
    kifu_destroy(timeline);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

START_TEST(V07_each_note_costs_what_the_first_ones_cost)
{
    enum { EVENTS = 20000 };
    kifu_timeline *timeline = new_tally(NULL, false);
    char text[16];
    for (int i = 0; i < EVENTS; i++)
        play(timeline, 1);
    for (uint32_t i = 0; i < EVENTS; i++) { // everywhere, in no order
        const uint32_t event = i * 7919 % EVENTS;
        sprintf(text, "%u", (unsigned)event);
        comment(timeline, event, text);
    }
    for (uint32_t event = 0; event < EVENTS; event++)
        must_be((uint32_t)atoi(kifu_note_at(timeline, event, KIFU_NOTE_COMMENT)) == event);
    kifu_note note = {.event = EVENTS - 10, .key = ""};
    uint32_t count = 0;
    while (kifu_next_note(timeline, &note))
        must_be(note.event == EVENTS - 10 + count++);
    ck_assert_uint_eq(count, 10);
    ck_assert_uint_eq(count_notes(timeline), EVENTS);
    kifu_destroy(timeline);
}
END_TEST

// Found by the walk: the events that the outer try dropped were taken for those of the line.
START_TEST(V07_tries_leave_the_notes_at_undone_events_alone)
{
    kifu_timeline *timeline = new_tally(NULL, true);
    play(timeline, 1);
    play(timeline, 2);
    play(timeline, 3);
    ck_assert_int_eq(kifu_set_note(timeline, 1, "k", "stays"), KIFU_OK);
    ck_assert_int_eq(kifu_set_note(timeline, 2, "k", "stays, too"), KIFU_OK);
    ck_assert_int_eq(kifu_go_to(timeline, 0, 0, true), KIFU_OK);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(tally_try_p_add(timeline, 0, 4, "n"), KIFU_OK);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(kifu_take_back(timeline), KIFU_OK);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(kifu_redo(timeline), KIFU_OK);
    ck_assert_str_eq(kifu_note_at(timeline, 1, "k"), "stays");
    ck_assert_str_eq(kifu_note_at(timeline, 2, "k"), "stays, too");
    kifu_destroy(timeline);
}
END_TEST

// Of a line that was there already, nothing is told: what was removed from the new one is still in the other one.
START_TEST(M08_V07_a_note_that_a_new_line_has_lost_stays_in_the_line_that_was_there)
{
    kifu_timeline *timeline = new_tally(NULL, true);
    kifu_changes changes;
    must(timeline, kifu_changes_since(timeline, NULL, &changes)); // From now on, what is removed is remembered.
    kifu_free_bytes(timeline, changes.bytes);
    tally_submit_p_add(timeline, 0, 1, "with a bonus");
    must(timeline, kifu_run(timeline));
    comment(timeline, 0, "kept");
    must(timeline, kifu_undo(timeline));
    tally_submit_p_add(timeline, 0, 1, "with a bonus");
    must(timeline, kifu_step(timeline));
    ck_assert_uint_eq(kifu_current_line(timeline), 1);
    comment(timeline, 0, "for a while");
    comment(timeline, 0, NULL);
    must(timeline, kifu_run(timeline));
    ck_assert_uint_eq(kifu_current_line(timeline), 0);
    must_read(timeline, 0, "kept");
    ck_assert_uint_eq(count_notes(timeline), 1);
    kifu_destroy(timeline);
}
END_TEST

static void pass_on(kifu_timeline *timeline, kifu_timeline *follower)
{
    kifu_changes changes;
    const kifu_stream_position since = kifu_followed(follower);
    must(timeline, kifu_changes_since(timeline, &since, &changes));
    must(follower, kifu_apply_changes(follower, changes.bytes, changes.size));
    kifu_free_bytes(timeline, changes.bytes);
}

// Those who follow hear of notes that go over to the line that was there, and of those that are set later.
START_TEST(M08_V07_followers_get_the_notes_of_a_new_line_that_was_there_already)
{
    kifu_timeline *timeline = new_tally(NULL, true), *follower = new_tally(NULL, true);
    play(timeline, 1);
    play(timeline, 2);
    must(timeline, kifu_undo(timeline));
    tally_submit_p_add(timeline, 0, 3, "with a bonus");
    must(timeline, kifu_run(timeline));
    comment(timeline, 1, "of line 1");
    comment(timeline, 0, "of line 0");
    pass_on(timeline, follower);
    must(timeline, kifu_undo(timeline));
    pass_on(timeline, follower);
    tally_submit_p_add(timeline, 0, 3, "with a bonus");
    must(timeline, kifu_step(timeline));
    ck_assert_uint_eq(kifu_current_line(timeline), 2);
    must(timeline, kifu_set_note(timeline, 1, "clock", "0:01"));
    must(timeline, kifu_set_note(timeline, 1, "key", "value"));
    must(timeline, kifu_run(timeline));
    ck_assert_uint_eq(kifu_current_line(timeline), 1);
    must(timeline, kifu_set_note(timeline, 0, "key", "later"));
    kifu_timeline *const both[] = {timeline, follower};
    pass_on(timeline, follower);
    for (int i = 0; i < 2; i++) {
        must_read(both[i], 0, "of line 0");
        ck_assert_str_eq(kifu_note_at(both[i], 0, "key"), "later");
        must_read(both[i], 1, "of line 1");
        ck_assert_str_eq(kifu_note_at(both[i], 1, "clock"), "0:01");
        ck_assert_str_eq(kifu_note_at(both[i], 1, "key"), "value");
        ck_assert_uint_eq(count_notes(both[i]), 5);
    }
    must(timeline, kifu_set_note(timeline, 1, "clock", "0:02"));
    must(timeline, kifu_set_note(timeline, 1, "key", NULL));
    pass_on(timeline, follower);
    for (int i = 0; i < 2; i++) {
        ck_assert_str_eq(kifu_note_at(both[i], 1, "clock"), "0:02");
        ck_assert_ptr_null(kifu_note_at(both[i], 1, "key"));
        kifu_destroy(both[i]);
    }
}
END_TEST

START_TEST(M08_V07_an_event_of_a_search_has_no_note_and_a_note_has_a_key)
{
    kifu_timeline *timeline = new_tally(NULL, false);
    kifu_note note;
    play(timeline, 1);
    play(timeline, 2);
    comment(timeline, 0, "first");
    comment(timeline, 1, "second");
    ck_assert(kifu_find_note(timeline, 0, 1, KIFU_NOTE_COMMENT, &note));
    ck_assert(!kifu_find_note(timeline, 0, 1, NULL, &note));
    must(timeline, kifu_undo(timeline));
    must(timeline, kifu_begin(timeline, KIFU_SEARCH));
    play(timeline, 3);
    must_read(timeline, 0, "first");
    must_be_gone(timeline, 1);
    must(timeline, kifu_roll_back(timeline));
    must_read(timeline, 1, "second");
    kifu_destroy(timeline);
}
END_TEST

// Also in a plain transaction that is open in it.
START_TEST(M08_V07_a_transaction_in_a_search_is_in_the_search)
{
    kifu_timeline *timeline = new_tally(NULL, true);
    kifu_error error;
    play(timeline, 1);
    play(timeline, 2);
    comment(timeline, 0, "first");
    comment(timeline, 1, "second");
    must(timeline, kifu_undo(timeline));
    must(timeline, kifu_begin(timeline, KIFU_SEARCH));
    must(timeline, kifu_begin(timeline, 0));
    play(timeline, 3);
    must_read(timeline, 0, "first");
    must_be_gone(timeline, 1);
    must_refuse(timeline, kifu_set_note(timeline, 1, KIFU_NOTE_COMMENT, "third"));
    must_say(timeline, "kifu_set_note while a search is open: roll it back first");
    must(timeline, kifu_commit(timeline));
    ck_assert_uint_eq(kifu_can_undo(timeline, &error), 1);
    must(timeline, kifu_roll_back(timeline));
    must_read(timeline, 1, "second");
    ck_assert_uint_eq(count_notes(timeline), 2);
    kifu_destroy(timeline);
}
END_TEST

// In a search, the current line ends where that began. Events may lie behind the place where the transaction began, and
// where the search does; and it may have one open in it.
START_TEST(M08_V07_what_a_transaction_did_before_a_search_has_its_notes_in_it)
{
    for (int i = 0; i < 16; i++) {
        kifu_timeline *timeline = new_tally(NULL, i % 2);
        kifu_event event;
        kifu_line line;
        play(timeline, 1);
        comment(timeline, 0, "before");
        if (i / 2 % 2) {
            play(timeline, 9);
            comment(timeline, 1, "undone");
            must(timeline, kifu_undo(timeline));
        }
        must(timeline, kifu_begin(timeline, 0));
        for (int amount = 2; amount <= 4; amount++)
            play(timeline, amount);
        const uint32_t own = kifu_current_line(timeline);
        comment(timeline, 1, "inside");
        comment(timeline, 2, "inside, too");
        if (i / 4 % 2)
            must(timeline, kifu_undo(timeline));
        const uint32_t count = kifu_event_count(timeline);
        for (int depth = 0; depth < 1 + i / 8; depth++) {
            must(timeline, kifu_begin(timeline, depth ? 0 : KIFU_SEARCH));
            play(timeline, 5);
            must_read(timeline, 0, "before");
            must_read(timeline, 1, "inside");
            must_read(timeline, 2, "inside, too");
            must_be_gone(timeline, count);
            ck_assert_uint_eq(count_notes(timeline), 3 + (own > 0));
            ck_assert(kifu_line_event(timeline, own, count - 1, &event));
            ck_assert(!kifu_line_event(timeline, own, count, &event));
            ck_assert(kifu_find_line(timeline, own, &line));
            ck_assert_uint_eq(line.from + line.count, count);
        }
        while (kifu_open_transactions(timeline) > 1)
            must(timeline, kifu_roll_back(timeline));
        must_read(timeline, 2, "inside, too");
        must(timeline, kifu_commit(timeline));
        ck_assert_uint_eq(count_notes(timeline), 3 + (own > 0));
        kifu_destroy(timeline);
    }
}
END_TEST

// It began in front of the first event that is the line's own.
START_TEST(M08_V07_a_line_is_as_it_was_in_a_search_that_began_in_front_of_it)
{
    kifu_timeline *timeline = new_tally(NULL, true), *fork;
    kifu_error error;
    for (int amount = 1; amount <= 3; amount++)
        play(timeline, amount);
    must(timeline, kifu_go_to(timeline, 0, 2, true));
    play(timeline, 9);
    comment(timeline, 1, "second");
    must(timeline, kifu_go_to(timeline, 1, 1, true));
    must(timeline, kifu_begin(timeline, KIFU_SEARCH));
    play(timeline, 5);
    play(timeline, 6);
    ck_assert_msg(!kifu_fork_line(timeline, 1, 2, NULL, &fork, &error), "%s", error.message);
    ck_assert_int_eq(tally_get_state(fork)->total, 3);
    must_read(fork, 1, "second");
    kifu_destroy(fork);
    kifu_destroy(timeline);
}
END_TEST

// What a transaction may replace is there still, and is not shown.
START_TEST(M08_V07_notes_of_a_transaction_are_listed_in_the_place_of_those_that_redo_would_bring_back)
{
    kifu_timeline *timeline = new_tally(NULL, false);
    for (int amount = 1; amount <= 3; amount++) {
        play(timeline, amount);
        comment(timeline, (uint32_t)amount - 1, "before");
    }
    must(timeline, kifu_undo(timeline));
    must(timeline, kifu_undo(timeline));
    must(timeline, kifu_begin(timeline, 0));
    play(timeline, 9);
    comment(timeline, 1, "inside");
    kifu_note found = {0};
    ck_assert(kifu_next_note(timeline, &found));
    ck_assert_uint_eq(found.event, 0);
    ck_assert_str_eq(found.text, "before");
    ck_assert(kifu_next_note(timeline, &found));
    ck_assert_uint_eq(found.event, 1);
    ck_assert_str_eq(found.text, "inside");
    ck_assert(!kifu_next_note(timeline, &found));
    must(timeline, kifu_roll_back(timeline));
    ck_assert_uint_eq(count_notes(timeline), 3);
    must_read(timeline, 1, "before");
    kifu_destroy(timeline);
}
END_TEST

// Each event that a line shows has its comment, by every call, and no other has one. How many there are.
static uint32_t expect_comments(const kifu_timeline *timeline, uint32_t most)
{
    uint32_t shown = 0, listed = 0;
    kifu_line line;
    kifu_event at;
    kifu_note note;
    for (uint32_t i = 0; kifu_line_at(timeline, i, &line); i++) {
        for (uint32_t event = 0; event < most; event++) {
            const bool there = kifu_line_event(timeline, line.id, event, &at);
            const bool found = kifu_find_note(timeline, line.id, event, KIFU_NOTE_COMMENT, &note);
            must_be(!there || (found && note.line == line.id));
            must_be(!found || kifu_line_event(timeline, note.line, event, &at));
            shown += there;
        }
    }
    for (note = (kifu_note){0}; kifu_next_note(timeline, &note); listed++)
        must_be(kifu_line_event(timeline, note.line, note.event, &at));
    must_be(listed == shown);
    return shown;
}

// Lines of at most so many events.
static void comment_all(kifu_timeline *timeline, uint32_t most)
{
    kifu_line line;
    kifu_event at;
    for (uint32_t i = 0; kifu_line_at(timeline, i, &line); i++) {
        for (uint32_t event = 0; event < most; event++) {
            char text[20];
            snprintf(text, sizeof text, "%u, %u", (unsigned)line.id, (unsigned)event);
            if (kifu_line_event(timeline, line.id, event, &at))
                must(timeline, kifu_set_line_note(timeline, line.id, event, KIFU_NOTE_COMMENT, text));
        }
    }
}

START_TEST(M08_V07_a_search_hides_the_notes_of_the_events_that_it_left_behind_and_no_others)
{
    enum { LINES = 6, LENGTH = 5, MOST = LINES * LENGTH };
    uint32_t hidden = 0, elsewhere = 0;
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 7);
    for (int game = 0; game < 400; game++) {
        kifu_timeline *timeline = new_tally(NULL, game % 4 > 0);
        int amount = 1;
        for (uint32_t lines = kifu_rng_next(&rng) % LINES; lines; lines--) {
            for (uint32_t events = 1 + kifu_rng_next(&rng) % LENGTH; events; events--)
                play(timeline, amount++);
            kifu_line line;
            must_be(kifu_line_at(timeline, kifu_rng_next(&rng) % kifu_line_count(timeline), &line));
            const uint32_t count = kifu_rng_next(&rng) % (line.from + line.count + 1);
            must(timeline, kifu_go_to(timeline, line.id, count, true));
        }
        comment_all(timeline, MOST);
        const uint32_t all = expect_comments(timeline, MOST);
        must(timeline, kifu_begin(timeline, KIFU_SEARCH));
        for (int played = 0; played < 3; played++) {
            const uint32_t left = expect_comments(timeline, MOST);
            hidden += left < all;
            elsewhere += left > kifu_event_count(timeline);
            play(timeline, amount++);
        }
        must(timeline, kifu_roll_back(timeline));
        ck_assert_uint_eq(expect_comments(timeline, MOST), all);
        kifu_destroy(timeline);
    }
    ck_assert_uint_gt(hidden, 100);
    ck_assert_uint_gt(elsewhere, 100);
}
END_TEST

// Of its events, also of those that the search has left behind in the line that plays it.
START_TEST(M08_V07_a_fork_in_a_search_has_the_notes_of_its_events)
{
    kifu_timeline *timeline = new_tally(NULL, true), *fork;
    for (int amount = 1; amount <= 5; amount++)
        play(timeline, amount);
    must(timeline, kifu_go_to(timeline, 0, 3, false));
    for (int amount = 10; amount <= 12; amount++)
        play(timeline, amount); // Line 1.
    comment_all(timeline, 10);
    must(timeline, kifu_set_note(timeline, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT, "before"));
    must(timeline, kifu_go_to(timeline, 0, 2, false));
    for (int with_search = 0; with_search < 2; with_search++) {
        if (with_search) {
            must(timeline, kifu_begin(timeline, KIFU_SEARCH));
            play(timeline, 20);
        }
        kifu_error error;
        ck_assert_msg(!kifu_fork_line(timeline, 1, 6, NULL, &fork, &error), "%s", error.message);
        ck_assert_uint_eq(count_notes(fork), 7);
        must_read(fork, KIFU_BEFORE_FIRST, "before");
        must_read(fork, 0, "0, 0");
        must_read(fork, 2, "0, 2");
        must_read(fork, 3, "1, 3");
        must_read(fork, 5, "1, 5");
        kifu_destroy(fork);
        fork = fork_of(timeline, KIFU_PRESENT, NULL);
        ck_assert_uint_eq(count_notes(fork), 3);
        must_read(fork, 1, "0, 1");
        must_be_gone(fork, 2);
        kifu_destroy(fork);
    }
    kifu_destroy(timeline);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        V07_undo_and_redo_leave_notes_alone,
        V07_a_note_stays_at_its_event_when_lines_part,
        V07_a_new_line_that_is_there_already_gives_its_notes_to_that_one,
        V07_what_a_committed_transaction_replaces_loses_its_notes,
        V07_what_is_not_a_note_is_refused_in_words,
        V07_tries_leave_the_notes_at_undone_events_alone,
        V07_without_memory_all_notes_are_as_they_were,
        M08_V07_without_memory_no_note_is_removed,
        V07_each_note_costs_what_the_first_ones_cost,
        M08_V07_a_note_that_a_new_line_has_lost_stays_in_the_line_that_was_there,
        M08_V07_followers_get_the_notes_of_a_new_line_that_was_there_already,
        M08_V07_an_event_of_a_search_has_no_note_and_a_note_has_a_key,
        M08_V07_a_transaction_in_a_search_is_in_the_search,
        M08_V07_what_a_transaction_did_before_a_search_has_its_notes_in_it,
        M08_V07_a_line_is_as_it_was_in_a_search_that_began_in_front_of_it,
        M08_V07_notes_of_a_transaction_are_listed_in_the_place_of_those_that_redo_would_bring_back,
        M08_V07_a_search_hides_the_notes_of_the_events_that_it_left_behind_and_no_others,
        M08_V07_a_fork_in_a_search_has_the_notes_of_its_events,
    };
    return run_suite("notes", tests, sizeof tests / sizeof *tests);
}
