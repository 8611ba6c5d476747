// The changes of a game: what they say, and what a follower sees of them. What it answers is in test_changes_answers.c,
// and what it refuses in test_changes_refused.c.

#include "change_parts.h"
#include "harbour.h"
#include "history_help.h"
#include "lab_help.h"
#include "model.h"

// --- Following -------------------------------------------------------------------------------------------------------

// A commit that is refused sets its events aside and brings them back; one that is taken keeps those events that stay.
// The whole game has notes of its own.
START_TEST(V09_a_follower_keeps_its_notes)
{
    const kifu_options noting = {.keep_notes = kifu_keep_notes};
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(&noting);
    kifu_note note = {0};
    for (int i = 0; i < 4; i++)
        lab_must(lab, lab_play(lab, "+"));
    must_pass_on(lab, copy);
    const kifu_stream_position at = kifu_followed(copy);
    for (uint32_t event = 0; event < 4; event++)
        lab_must(copy, kifu_set_note(copy, event, KIFU_NOTE_COMMENT, "seen"));
    lab_must(copy, kifu_set_note(copy, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT, "ready"));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "-"));
    for (int whole = 0; whole < 2; whole++) {
        kifu_changes changes = changes_since(lab, whole ? NULL : &at), bad = spoil_hash(&changes);
        ck_assert_int_eq(kifu_apply_changes(copy, bad.bytes, bad.size), whole ? KIFU_DAMAGED : KIFU_DIVERGED);
        free(changes.bytes);
        free(bad.bytes);
        for (uint32_t event = 0; event < 4; event++)
            ck_assert_pstr_eq(kifu_note_at(copy, event, KIFU_NOTE_COMMENT), "seen");
        lab_must(copy, kifu_set_note(copy, 0, KIFU_NOTE_GLYPH, whole ? "!" : "?"));
        for (uint32_t event = 0; event < 4; event++)
            ck_assert_pstr_eq(kifu_note_at(copy, event, KIFU_NOTE_COMMENT), "seen");
    }
    lab_must(copy, pass_on(lab, copy));
    lab_must(lab, lab_play(lab, "+"));
    lab_must(copy, pass_on(lab, copy));
    for (uint32_t event = 0; event < 4; event++) // Those of events that were replaced are gone.
        ck_assert_pstr_eq(kifu_note_at(copy, event, KIFU_NOTE_COMMENT), event < 2 ? "seen" : NULL);
    uint32_t count = 0;
    while (kifu_next_note(copy, &note))
        count++;
    ck_assert_uint_eq(count, 4);
    must_pass_whole(lab, copy);
    ck_assert(!kifu_next_note(copy, &(kifu_note){0}));
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

START_TEST(B04_a_follower_is_the_same_after_each_change)
{
    kifu_timeline *lab = lab_started(NULL), *copy = lab_new(NULL), *late = lab_new(NULL);
    must_pass_on(lab, copy);
    must_pass_on(lab, late);
    static const char *const scripts[] = {"+", "+(2(3))(4)", "r", NULL, "-(+)[!]", "1(p)"};
    for (uint32_t i = 0; i < 60; i++) {
        const uint64_t before = kifu_change_count(lab);
        kifu_result result = i % 5 == 3 ? kifu_undo(lab) : i % 7 == 5 ? kifu_redo(lab) : KIFU_OK;
        if (i % 5 != 3 && i % 7 != 5) {
            lab_do(lab, (int)(i % 2), scripts[i % 6], 1);
            result = i % 4 == 1 ? kifu_step(lab) : kifu_run(lab);
        }
        ck_assert_msg(!result || result == KIFU_NOTHING_TO_REDO, "%s", kifu_last_error(lab)->message);
        ck_assert_uint_ge(kifu_change_count(lab), before + !result);
        must_pass_on(lab, copy);
        if (i % 9 == 8)
            must_pass_on(lab, late);
    }
    expect_equal_ways(lab, copy);
    kifu_destroy(lab);
    kifu_destroy(copy);
    kifu_destroy(late);
}
END_TEST

START_TEST(B04_events_undo_redo_and_roll_backs_count_as_changes)
{
    kifu_timeline *lab = lab_new(NULL);
    ck_assert_uint_eq(kifu_change_count(lab), 1);
    lab_must(lab, lab_play(lab, "+(+)"));
    ck_assert_uint_eq(kifu_change_count(lab), 3);
    lab_must(lab, kifu_undo(lab));
    ck_assert_uint_eq(kifu_change_count(lab), 4);
    lab_must(lab, kifu_redo(lab));
    ck_assert_uint_eq(kifu_change_count(lab), 5);
    lab_submit_p_add(lab, 0, 1);
    ck_assert_uint_eq(kifu_change_count(lab), 5); // It waits.
    lab_must(lab, kifu_run(lab));
    ck_assert_uint_eq(kifu_change_count(lab), 6);
    lab_must(lab, kifu_begin(lab, 0));
    lab_must(lab, lab_play(lab, "+"));
    ck_assert_uint_eq(kifu_change_count(lab), 6); // It may be rolled back still.
    lab_must(lab, kifu_roll_back(lab));
    ck_assert_uint_eq(kifu_change_count(lab), 6);
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "-"));
    ck_assert_uint_gt(kifu_change_count(lab), 7); // An undo and another event.
    lab_must(lab, kifu_seek(lab, 1));
    ck_assert_uint_eq(kifu_change_count(lab), kifu_change_count(lab));
    kifu_destroy(lab);
}
END_TEST

// Nothing, another stream, another place in this one, and what is too long ago.
START_TEST(B04_changes_since_a_place_that_is_not_known_are_the_whole_game)
{
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL);
    lab_must(lab, lab_play(lab, "+"));
    must_pass_on(lab, copy);
    lab_must(lab, lab_play(lab, "1"));
    const kifu_stream_position at = kifu_followed(copy);
    for (int i = 0; i < 6; i++) {
        kifu_stream_position since = at;
        since.stream ^= i == 1;
        since.commit += i == 2 ? 2 : i == 3 ? -1U : 0;
        since.checksum ^= i == 4;
        if (i == 5)
            since = (kifu_stream_position){0};
        kifu_changes changes = changes_since(lab, &since);
        ck_assert_int_eq(changes.whole, i > 0);
        ck_assert_int_eq(parts_of(changes.bytes, changes.size).whole, i > 0);
        lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
        expect_equal(lab, copy, "a follower from anywhere");
        must_be(same_positions(kifu_followed(copy), changes.until));
        free(changes.bytes);
    }
    const kifu_stream_position now = kifu_followed(copy);
    kifu_changes none = changes_since(lab, &now);
    ck_assert(!none.size && !none.whole && same_positions(none.until, now));
    free(none.bytes);
    char script[1001];
    memset(script, '+', 1000);
    script[1000] = 0;
    for (int i = 0; i < 600; i++) {
        if (i % 2)
            lab_must(lab, kifu_undo(lab));
        else
            lab_must(lab, lab_play(lab, script));
        free(changes_since(lab, &at).bytes);
    }
    kifu_changes changes = changes_since(lab, &at);
    ck_assert(changes.whole);
    free(changes.bytes);
    must_pass_on(lab, copy);
    kifu_destroy(copy);
    kifu_destroy(lab);
}
END_TEST

// With and without something between that another follower asked for.
START_TEST(B04_changes_since_commits_ago_are_these_however_many)
{
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL), *late = lab_new(NULL);
    for (int i = 0; i < 50; i++)
        lab_must(lab, lab_play(lab, "+"));
    must_pass_on(lab, copy);
    must_pass_on(lab, late);
    const kifu_stream_position begin = kifu_followed(copy);
    kifu_stream_position at = begin;
    for (int i = 0; i < 2000; i++) {
        at = i == 1990 ? kifu_followed(copy) : at;
        lab_submit_p_add(lab, 0, 1);
        lab_must(lab, kifu_run(lab));
        if (i > 1980)
            must_pass_on(lab, copy);
    }
    kifu_changes all = changes_since(lab, NULL), more = changes_since(lab, &begin), few = changes_since(lab, &at);
    ck_assert(all.whole && !more.whole && !few.whole);
    ck_assert_uint_lt(more.size, all.size);
    ck_assert_uint_lt(few.size, 500);
    const change_parts parts = parts_of(more.bytes, more.size);
    ck_assert_int_eq(parts.count, 19); // One for each time that it was asked.
    lab_must(late, kifu_apply_changes(late, more.bytes, more.size));
    expect_equal(lab, late, "a follower 2000 events later");
    char *before = picture_of(late);
    lab_must(late, kifu_apply_changes(late, more.bytes, more.size)); // Once more they change nothing.
    lab_must(late, kifu_apply_changes(late, few.bytes, few.size));
    expect_picture(late, before, "what it had already");
    must_be(same_positions(kifu_followed(late), more.until));
    free(before);
    free(all.bytes), free(more.bytes), free(few.bytes);
    for (int i = 0; i < 1800; i++) // Far more than the journal has.
        lab_must(lab, kifu_undo(lab));
    must_pass_on(lab, late);
    lab_must(lab, lab_play(lab, "-"));
    must_pass_on(lab, late);
    must_pass_on(lab, copy);
    kifu_destroy(late);
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// --- What a follower sees --------------------------------------------------------------------------------------------

typedef struct seen {
    char text[500];
    int reactions;
} seen;

static void note(seen *seen, const char *what, long number)
{
    const size_t used = strlen(seen->text);
    snprintf(seen->text + used, sizeof seen->text - used, "%s%ld ", what, number);
}

static double see_p_do(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_do *event)
{
    (void)timeline, (void)state;
    note(context, lab_p_do_script(event), kifu_player(timeline));
    return 1;
}

static double see_e_show(void *context, kifu_timeline *timeline, const lab_state *state, const lab_e_show *event,
                         const lab_e_show_transient *transient)
{
    (void)timeline, (void)state, (void)event;
    note(context, "show", (long)transient->total);
    return 0;
}

static void see_redraw(void *context, kifu_timeline *timeline)
{
    note(context, "redraw", kifu_event_count(timeline));
}

static void see_total(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)timeline;
    note(context, change->undone ? "back" : "total", (long)((const lab_state *)state)->total);
}

static kifu_result react(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)timeline, (void)state, (void)event;
    ((seen *)context)->reactions++;
    return KIFU_OK;
}

START_TEST(B04_a_follower_sees_what_happened)
{
    seen seen = {.text = ""};
    const lab_view view = {
        .base = {.context = &seen, .redraw = see_redraw}, .act_p_do = see_p_do, .act_e_show = see_e_show};
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(&(kifu_options){.view = &view.base});
    lab_must(copy,
             kifu_observe(copy, &(kifu_observer){.listen = see_total, KIFU_PART(lab_state, total), .context = &seen}));
    lab_must(copy, kifu_observe(copy, &(kifu_observer){.react = react, .type = LAB_P_DO, .context = &seen}));
    must_pass_on(lab, copy);
    seen.text[0] = 0;
    lab_must(lab, lab_play(lab, "+"));
    lab_do(lab, 1, "++", 1);
    lab_submit_e_show(lab, 4);
    lab_must(lab, kifu_run(lab));
    must_pass_on(lab, copy);
    ck_assert_str_eq(seen.text, "total1 +0 total3 ++1 total7 show7 ");
    seen.text[0] = 0;
    lab_must(lab, kifu_undo(lab));
    must_pass_on(lab, copy);
    ck_assert_str_eq(seen.text, "back3 back1 redraw1 ");
    seen.text[0] = 0;
    lab_must(lab, kifu_redo(lab));
    must_pass_on(lab, copy);
    ck_assert_str_eq(seen.text, "total3 total7 redraw3 ");
    seen.text[0] = 0;
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "-"));
    must_pass_on(lab, copy);
    ck_assert_str_eq(seen.text, "back3 back1 redraw1 total0 -0 ");
    ck_assert_int_eq(seen.reactions, 0);
    ck_assert(kifu_is_idle(copy));
    seen.text[0] = 0;
    lab_must(lab, lab_play(lab, "+++"));
    must_pass_whole(lab, copy); // The whole game is only drawn.
    ck_assert_str_eq(seen.text, "redraw3 ");
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

START_TEST(B04_a_follower_may_be_tested_for_its_rules)
{
    const lab_view view = {.base = {.context = NULL}};
    kifu_timeline *lab = lab_new(NULL),
                  *copy = lab_new(&(kifu_options){
                      .view = &view.base, .sync_test = kifu_sync_test, .record_inputs = kifu_record_inputs});
    must_pass_on(lab, copy);
    for (int i = 0; i < 5; i++) {
        lab_must(lab, lab_play(lab, "+(-)"));
        must_pass_on(lab, copy);
    }
    lab_must(copy, lab_play(copy, "-"));
    lab_must(copy, kifu_verify_replay(copy, NULL));
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

static void spoil(void *context, kifu_timeline *timeline)
{
    (void)context;
    must_refuse(timeline, kifu_undo(timeline));
}

static double call_inside(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_do *event)
{
    kifu_changes changes;
    (void)state, (void)event;
    *(uint64_t *)context = kifu_change_count(timeline);
    ck_assert_int_eq(kifu_changes_since(timeline, NULL, &changes), KIFU_MISUSE);
    ck_assert_ptr_null(changes.bytes);
    return 0;
}

START_TEST(B04_what_the_view_does_wrong_is_reported_when_the_changes_are_applied)
{
    const lab_view view = {.base = {.redraw = spoil}};
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(&(kifu_options){.view = &view.base});
    lab_must(lab, lab_play(lab, "+"));
    ck_assert_int_eq(pass_on(lab, copy), KIFU_MISUSE);
    ck_assert_int_eq(kifu_last_error(copy)->result, KIFU_MISUSE);
    expect_equal(lab, copy, "a follower with a bad view");
    lab_must(lab, kifu_undo(lab));
    ck_assert_int_eq(pass_on(lab, copy), KIFU_MISUSE);
    expect_equal(lab, copy, "a follower with a bad view, later");
    lab_must(copy, pass_on(lab, copy)); // It has them.
    kifu_destroy(copy);
    uint64_t count = 99;
    const lab_view other = {.base = {.context = &count}, .act_p_do = call_inside};
    copy = lab_new(&(kifu_options){.view = &other.base});
    must_pass_on(lab, copy);
    lab_must(lab, lab_play(lab, "+"));
    ck_assert_int_eq(pass_on(lab, copy), KIFU_MISUSE);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(copy)->message, "kifu_changes_since"));
    expect_equal(lab, copy, "a follower whose view asks for changes");
    ck_assert_uint_ne(count, 99);
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

static void never(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    (void)context, (void)timeline;
    ck_abort_msg("the event %u is gone", outcome->type);
}

static bool misbehaves;

static void undo_in_redraw(void *context, kifu_timeline *timeline)
{
    (void)context;
    if (misbehaves)
        ck_assert_int_eq(kifu_undo(timeline), KIFU_MISUSE);
}

// By itself, the follower goes to or past the place where it follows, at which something waits: that waits when it
// returns, whatever the view does on the way. If it is refused, what waits here does so still.
START_TEST(R05_what_waits_is_there_when_a_follower_returns_past_it)
{
    for (int i = 0; i < 32; i++) {
        const bool refused = i % 2, past = i / 4 % 2, waits = i / 16;
        lab_view view = {.base = {.redraw = undo_in_redraw}};
        kifu_options options = {.keep_variations = i / 2 % 2 ? kifu_keep_variations : NULL}, follows = options;
        follows.view = &view.base;
        kifu_timeline *lab = lab_new(&options), *copy = lab_new(&follows);
        for (int32_t amount = 1; amount <= 3; amount++) {
            lab_submit_p_add(lab, 0, amount);
            lab_must(lab, kifu_run(lab));
        }
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, kifu_undo(lab));
        lab_submit_p_add(lab, 0, 5);
        lab_must(copy, pass_changes(lab, NULL, copy));
        lab_must(copy, kifu_undo(copy));
        lab_must(copy, kifu_go_to(copy, 0, past ? 3 : 0, true));
        if (waits)
            lab_submit_p_add(copy, 0, 7);
        save before = save_of(copy, NULL);
        const kifu_stream_position at = kifu_followed(copy);
        misbehaves = i / 8 % 2;
        if (refused || waits) {
            lab_submit_p_add(lab, 0, 6);
            kifu_changes changes = changes_since(lab, &at), spoiled = spoil_hash(&changes);
            ck_assert_int_eq(kifu_apply_changes(copy, spoiled.bytes, spoiled.size), KIFU_DIVERGED);
            ck_assert_uint_eq(kifu_event_count(copy), past ? 3 : 0);
            ck_assert_uint_eq(kifu_pending_count(copy), waits);
            expect_saves(copy, &before);
            free(changes.bytes);
            free(spoiled.bytes);
        } else
            lab_must(lab, kifu_run(lab));
        if (!waits) {
            const kifu_result result = pass_changes(lab, &at, copy);
            must_be(!result || (misbehaves && result == KIFU_MISUSE)); // That is the view's.
            save expected = save_of(lab, NULL);
            expect_saves(copy, &expected);
            free(expected.bytes);
        }
        misbehaves = false;
        free(before.bytes);
        kifu_destroy(lab);
        kifu_destroy(copy);
    }
}
END_TEST

START_TEST(B04_the_whole_game_drops_what_waits_here)
{
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL);
    lab_must(lab, lab_play(lab, "+"));
    must_pass_on(lab, copy);
    lab_must(copy, kifu_follow(copy, lab_submit_p_add(copy, 0, 5), never, NULL));
    const kifu_ticket ticket = lab_submit_p_add(lab, 0, 7);
    lab_must(lab, kifu_override(lab, ticket, false, false));
    ck_assert_int_eq(pass_on(lab, copy), KIFU_DIVERGED);
    ck_assert_uint_eq(kifu_last_error(copy)->event, KIFU_NONE);
    must_pass_whole(lab, copy);
    ck_assert_uint_eq(kifu_pending_count(copy), 1);
    lab_must(copy, kifu_run(copy));
    ck_assert_int_eq(lab_get_state(copy)->total, 8);
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// --- Log files -------------------------------------------------------------------------------------------------------

START_TEST(B04_the_log_file_of_a_follower_has_what_happened)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL);
    uint32_t seed = 5;
    must_pass_on(lab, copy);
    lab_must(copy, kifu_log_open(copy, path, NULL));
    for (int i = 0; i < 200; i++) {
        random_lab_step(lab, next_random(&seed));
        if (next_random(&seed) % 2)
            must_pass_on(lab, copy);
        if (next_random(&seed) % 20 == 0)
            must_pass_whole(lab, copy);
        lab_must(copy, kifu_log_append(copy));
        kifu_timeline *found;
        kifu_recovery recovery;
        const kifu_load_options options = {.recover = kifu_recover, .recovery = &recovery};
        ck_assert_int_eq(kifu_load(&lab_rules, path, NULL, &options, &found, NULL), KIFU_OK);
        expect_equal(copy, found, "the log file of a follower");
        kifu_destroy(found);
    }
    kifu_destroy(lab);
    kifu_destroy(copy);
    remove_folder(folder);
}
END_TEST

static kifu_timeline *found_in(const char *path)
{
    kifu_timeline *found;
    kifu_error error;
    const kifu_load_options options = {.recover = kifu_recover};
    ck_assert_msg(!kifu_load(&lab_rules, path, NULL, &options, &found, &error), "%s", error.message);
    return found;
}

// What was told is in the file first; so whoever goes on from it goes on with the same stream.
START_TEST(R06_changes_go_on_where_they_were_after_a_restart_with_a_log_file)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL), *late = lab_new(NULL);
    uint32_t seed = 5;
    lab_must(lab, kifu_log_open(lab, path, NULL));
    must_pass_on(lab, copy);
    for (int i = 0; i < 200; i++) {
        random_lab_step(lab, next_random(&seed));
        must_pass_on(lab, copy);
        if (i == 20)
            must_pass_on(lab, late);
        if (i % 10)
            continue;
        kifu_destroy(lab);
        lab = found_in(path);
        expect_equal(lab, copy, "the log file of one that is followed");
        lab_must(lab, kifu_log_open(lab, path, NULL));
        const kifu_stream_position at = kifu_followed(copy), before = kifu_followed(late);
        kifu_changes none = changes_since(lab, &at), more = changes_since(lab, &before);
        ck_assert_uint_eq(none.size, 0);
        ck_assert(i < 20 || !more.whole);
        free(none.bytes), free(more.bytes);
    }
    must_pass_on(lab, late);
    kifu_destroy(lab);
    kifu_destroy(copy);
    kifu_destroy(late);
    remove_folder(folder);
}
END_TEST

START_TEST(R05_nothing_is_new_behind_a_stream_that_has_begun_anew)
{
    kifu_timeline *lab = lab_new(&(kifu_options){.from_state = kifu_begin_from_state});
    kifu_timeline *copy = lab_new(&(kifu_options){.from_state = kifu_begin_from_state});
    char *folder = new_folder(); // What is in a log file before others follow is behind the first commit.
    lab_must(lab, kifu_log_open(lab, in_folder(folder, "a.kifu"), NULL));
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_log_append(lab));
    lab_must(copy, pass_on(lab, copy));
    lab_must(lab, kifu_log_close(lab, NULL));
    for (int round = 0; round < 3; round++) {
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, lab_play(lab, "-"));
        lab_must(copy, pass_on(lab, copy));
        lab_must(lab, kifu_forget(lab, kifu_event_count(lab) - 1));
        lab_must(copy, pass_on(lab, copy)); // The whole game, of another stream.
        const kifu_stream_position at = kifu_followed(copy);
        const kifu_changes none = changes_since(lab, &at);
        must_be(!none.size && !none.whole && same_positions(none.until, at));
        free(none.bytes);
    }
    kifu_destroy(lab);
    kifu_destroy(copy);
    remove_folder(folder);
}
END_TEST

// The file is another program's then.
START_TEST(R06_changes_of_before_are_not_sought_in_a_log_file_that_is_closed)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL), *late = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    must_pass_on(lab, late);
    for (int round = 0; round < 2; round++) {
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, kifu_log_append(lab));
        kifu_destroy(lab);
        lab = found_in(path);
        lab_must(lab, kifu_log_open(lab, path, NULL));
        lab_must(lab, lab_play(lab, "-"));
        if (round) // Others follow it by now, or only from here on.
            must_pass_on(lab, late);
        const kifu_stream_position at = kifu_followed(late);
        lab_must(lab, lab_play(lab, "+"));
        kifu_changes open = changes_since(lab, &at);
        lab_must(lab, kifu_log_close(lab, NULL));
        const kifu_changes closed = changes_since(lab, &at);
        must_be(!open.whole && closed.whole == !round);
        lab_must(late, kifu_apply_changes(late, closed.bytes, closed.size));
        expect_equal(lab, late, "after the log file was closed");
        free(open.bytes), free(closed.bytes);
        lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.overwrite = true}));
    }
    kifu_destroy(lab);
    kifu_destroy(late);
    remove_folder(folder);
}
END_TEST

// --- Other games -----------------------------------------------------------------------------------------------------

START_TEST(B04_a_follower_may_have_its_model_outside)
{
    model one = {0}, other = {0};
    kifu_timeline *outside, *copy;
    const kifu_options here = {.reset = model_reset, .user = &one}, there = {.reset = model_reset, .user = &other};
    ck_assert_int_eq(kifu_create(&outside_rules, &here, &outside, NULL), KIFU_OK);
    ck_assert_int_eq(kifu_create(&outside_rules, &there, &copy, NULL), KIFU_OK);
    for (int i = 0; i < 40; i++) {
        kifu_result result = i % 6 == 4 ? kifu_undo(outside) : i % 6 == 5 ? kifu_redo(outside) : KIFU_OK;
        ck_assert_int_eq(result, KIFU_OK);
        if (i % 6 < 4) {
            outside_submit_p_push(outside, 0, i);
            must(outside, kifu_run(outside));
        }
        if (i % 3 && i % 10)
            must_pass_on(outside, copy);
        else if (i % 3)
            must_pass_whole(outside, copy);
    }
    must_pass_on(outside, copy);
    const node *a = one.first, *b = other.first;
    for (; a && b && a->number == b->number; a = a->next)
        b = b->next;
    ck_assert(!a && !b);
    kifu_destroy(outside);
    kifu_destroy(copy);
    model_reset(&one);
    model_reset(&other);
}
END_TEST

// It cannot be executed beside itself: so it goes there, and back.
START_TEST(B04_a_model_outside_is_as_it_was_when_it_comes_to_another_state)
{
    for (int whole = 0; whole < 2; whole++) {
        model one = {0}, other = {0};
        kifu_timeline *outside, *copy;
        const kifu_options here = {.reset = model_reset, .user = &one}, there = {.reset = model_reset, .user = &other};
        ck_assert_int_eq(kifu_create(&outside_rules, &here, &outside, NULL), KIFU_OK);
        ck_assert_int_eq(kifu_create(&outside_rules, &there, &copy, NULL), KIFU_OK);
        for (int i = 0; i < 3; i++) {
            outside_submit_p_push(outside, 0, i);
            must(outside, kifu_run(outside));
        }
        must_pass_on(outside, copy);
        const kifu_stream_position at = kifu_followed(copy);
        must(outside, kifu_undo(outside));
        outside_submit_p_push(outside, 0, 7);
        must(outside, kifu_run(outside));
        kifu_changes changes = changes_since(outside, whole ? NULL : &at), bad = spoil_hash(&changes);
        char *before = picture_of(copy);
        ck_assert_int_eq(kifu_apply_changes(copy, bad.bytes, bad.size), KIFU_DIVERGED);
        expect_picture(copy, before, "what was refused");
        ck_assert_int_eq(other.first->number, 2);
        must_pass_on(outside, copy);
        ck_assert_int_eq(other.first->number, 7);
        free(before);
        free(changes.bytes), free(bad.bytes);
        kifu_destroy(outside);
        kifu_destroy(copy);
        model_reset(&one);
        model_reset(&other);
    }
}
END_TEST

START_TEST(B04_a_whole_game_of_the_same_length_counts_as_a_change)
{
    kifu_timeline *lab = lab_new(NULL), *other = lab_new(NULL), *copy = lab_new(NULL);
    lab_must(lab, lab_play(lab, "+"));
    lab_must(other, lab_play(other, "-"));
    must_pass_on(lab, copy);
    const uint64_t count = kifu_change_count(copy);
    ck_assert_uint_eq(kifu_change_count(copy), count);
    kifu_changes changes = changes_since(other, NULL);
    lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
    ck_assert_uint_gt(kifu_change_count(copy), count);
    free(changes.bytes);
    kifu_destroy(copy), kifu_destroy(other), kifu_destroy(lab);
}
END_TEST

START_TEST(B04_changes_of_another_game_or_version_are_refused)
{
    kifu_timeline *lab = lab_new(NULL), *copy;
    lab_must(lab, lab_play(lab, "+"));
    free(changes_since(lab, NULL).bytes);
    kifu_rules others[3] = {lab_rules, lab_rules, lab_rules};
    others[0].rules_version++;
    others[1].fingerprint++;
    others[2].name = "other";
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(kifu_create(&others[i], NULL, &copy, NULL), KIFU_OK);
        ck_assert_int_eq(pass_on(lab, copy), KIFU_OTHER_GAME);
        ck_assert_ptr_nonnull(
            strstr(kifu_last_error(copy)->message, i < 2 ? "of another game than lab" : "than other"));
        ck_assert_uint_eq(kifu_event_count(copy), 0);
        must_be(!kifu_followed(copy).stream);
        kifu_destroy(copy);
    }
    kifu_destroy(lab);
}
END_TEST

// Events of earlier rules stay what they are.
START_TEST(B04_events_of_earlier_rules_are_in_the_changes)
{
    kifu_rules earlier = lab_rules;
    earlier.rules_version--;
    kifu_timeline *old, *lab, *copy = lab_new(NULL);
    ck_assert_int_eq(kifu_create(&earlier, NULL, &old, NULL), KIFU_OK);
    for (int i = 0; i < 20; i++)
        lab_must(old, lab_play(old, "+(1)"));
    save save = save_of(old, NULL);
    lab = load_again(&save);
    must_pass_on(lab, copy);
    for (int i = 0; i < 25; i++) {
        lab_must(lab, i % 2 ? lab_play(lab, "-") : kifu_undo(lab));
        must_pass_on(lab, copy);
    }
    expect_equal_ways(lab, copy);
    free(save.bytes);
    kifu_destroy(old);
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

START_TEST(B04_a_game_with_superseded_events_is_followed)
{
    kifu_timeline *harbour, *copy;
    ck_assert_int_eq(kifu_create(&harbour_rules, NULL, &harbour, NULL), KIFU_OK);
    ck_assert_int_eq(kifu_create(&harbour_rules, NULL, &copy, NULL), KIFU_OK);
    must_pass_on(harbour, copy);
    harbour_submit_e_reset_game(harbour);
    must(harbour, kifu_run(harbour));
    must_pass_on(harbour, copy);
    must_pass_whole(harbour, copy);
    kifu_destroy(harbour);
    kifu_destroy(copy);
}
END_TEST

// One that is followed and follows: its own stream goes on.
START_TEST(B04_a_follower_is_followed)
{
    kifu_timeline *lab = lab_started(NULL), *middle = lab_new(NULL), *last = lab_new(NULL);
    uint32_t seed = 3;
    for (int i = 0; i < 150; i++) {
        random_lab_step(lab, next_random(&seed));
        if (i % 3)
            must_pass_on(lab, middle);
        else
            must_pass_on(middle, last);
        if (i % 40 == 39)
            must_pass_whole(lab, middle);
    }
    must_pass_on(lab, middle);
    must_pass_on(middle, last);
    expect_equal_ways(lab, last);
    kifu_destroy(lab);
    kifu_destroy(middle);
    kifu_destroy(last);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        V09_a_follower_keeps_its_notes,
        B04_a_follower_is_the_same_after_each_change,
        B04_events_undo_redo_and_roll_backs_count_as_changes,
        B04_changes_since_a_place_that_is_not_known_are_the_whole_game,
        B04_changes_since_commits_ago_are_these_however_many,
        B04_a_follower_sees_what_happened,
        B04_a_follower_may_be_tested_for_its_rules,
        B04_what_the_view_does_wrong_is_reported_when_the_changes_are_applied,
        R05_what_waits_is_there_when_a_follower_returns_past_it,
        B04_the_whole_game_drops_what_waits_here,
        B04_the_log_file_of_a_follower_has_what_happened,
        R06_changes_go_on_where_they_were_after_a_restart_with_a_log_file,
        R05_nothing_is_new_behind_a_stream_that_has_begun_anew,
        R06_changes_of_before_are_not_sought_in_a_log_file_that_is_closed,
        B04_a_follower_may_have_its_model_outside,
        B04_a_model_outside_is_as_it_was_when_it_comes_to_another_state,
        B04_a_whole_game_of_the_same_length_counts_as_a_change,
        B04_changes_of_another_game_or_version_are_refused,
        B04_events_of_earlier_rules_are_in_the_changes,
        B04_a_game_with_superseded_events_is_followed,
        B04_a_follower_is_followed,
    };
    return run_suite("changes", tests, sizeof tests / sizeof *tests);
}
