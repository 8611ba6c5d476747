// A game's news: what they say, what a follower sees of them, and what is refused.

#include <kifu/news.h>

#include "base/crc32c.h"
#include "harbour.h"
#include "history_help.h"
#include "lab_help.h"
#include "model.h"
#include "news_help.h"
#include "save/frame.h"
#include "save/save_tables.h"
#include "save_help.h"
#include "shared_segment.h"
#include "wire/buffer.h"

// --- News ------------------------------------------------------------------------------------------------------------

static kifu_result pass_on(kifu_timeline *from, uint64_t change, kifu_timeline *to)
{
    news news = news_since(from, change);
    const kifu_result result = kifu_apply_news(to, news.bytes, news.size);
    free(news.bytes);
    return result;
}

static uint64_t must_pass_on(kifu_timeline *from, uint64_t change, kifu_timeline *to)
{
    const kifu_result result = pass_on(from, change, to);
    lab_must(to, result);
    expect_equal(from, to, "a follower");
    return kifu_change_count(from);
}

// As if a Do depended on something else.
static void spoil_hash(news *news)
{
    uint64_t end = 0;
    for (uint64_t next = 0; next < news->size; next += frame_size_at(news->bytes, news->size, next))
        end = next;
    unsigned char *payload = news->bytes + end + FRAME_HEAD;
    payload[get32(payload) + offsetof(kifu__save_snapshot, hash)] ^= 1;
    repair(news);
}

// --- Following -------------------------------------------------------------------------------------------------------

// News that are refused set its events aside and bring them back; news that are taken keep those events that stay.
START_TEST(V09_a_follower_keeps_its_notes)
{
    const kifu_options noting = {.keep_notes = kifu_keep_notes};
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(&noting);
    kifu_note note = {0};
    for (int i = 0; i < 4; i++)
        lab_must(lab, lab_play(lab, "+"));
    const uint64_t at = must_pass_on(lab, 0, copy);
    for (uint32_t event = 0; event < 4; event++)
        lab_must(copy, kifu_set_note(copy, event, KIFU_NOTE_COMMENT, "seen"));
    lab_must(copy, kifu_set_note(copy, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT, "ready"));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "-"));
    for (int whole = 0; whole < 2; whole++) {
        news news = news_since(lab, whole ? 0 : at);
        spoil_hash(&news);
        repair(&news);
        ck_assert_int_eq(kifu_apply_news(copy, news.bytes, news.size), KIFU_DIVERGED);
        free(news.bytes);
        for (uint32_t event = 0; event < 4; event++)
            ck_assert_pstr_eq(kifu_note_at(copy, event, KIFU_NOTE_COMMENT), "seen");
        lab_must(copy, kifu_set_note(copy, 0, KIFU_NOTE_GLYPH, whole ? "!" : "?"));
        for (uint32_t event = 0; event < 4; event++)
            ck_assert_pstr_eq(kifu_note_at(copy, event, KIFU_NOTE_COMMENT), "seen");
    }
    lab_must(copy, pass_on(lab, at, copy));
    lab_must(lab, lab_play(lab, "+"));
    lab_must(copy, pass_on(lab, 0, copy));
    for (uint32_t event = 0; event < 4; event++) // Those of events that were replaced are gone.
        ck_assert_pstr_eq(kifu_note_at(copy, event, KIFU_NOTE_COMMENT), event < 2 ? "seen" : NULL);
    uint32_t count = 0;
    while (kifu_next_note(copy, &note))
        count++;
    ck_assert_uint_eq(count, 4);
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

START_TEST(B04_a_follower_is_the_same_after_each_change)
{
    kifu_timeline *lab = lab_started(NULL), *copy = lab_new(NULL), *late = lab_new(NULL);
    uint64_t at = must_pass_on(lab, 0, copy), at_late = must_pass_on(lab, 0, late);
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
        at = must_pass_on(lab, at, copy);
        ck_assert_uint_eq(at, kifu_change_count(lab));
        if (i % 9 == 8)
            at_late = must_pass_on(lab, at_late, late);
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

// A follower that asks for the first time in a long while gets all events if they are not just more.
START_TEST(B04_news_since_what_nobody_remembers_are_all_events)
{
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL), *other = lab_new(NULL);
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, lab_play(lab, "1"));
    const uint64_t at = must_pass_on(lab, 0, copy);
    (void)must_pass_on(lab, 0, other);
    lab_must(lab, kifu_undo(lab));
    for (int i = 0; i < 600; i++) {
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, kifu_undo(lab));
        (void)kifu_change_count(lab);
    }
    ck_assert_int_eq(pass_on(lab, at, copy), KIFU_DIVERGED); // Its last event was replaced, and nobody knows that now.
    ck_assert_uint_eq(kifu_last_error(copy)->event, 1);
    (void)must_pass_on(lab, 0, copy);
    lab_must(other, kifu_undo(other));
    ck_assert_int_eq(pass_on(lab, at, other), KIFU_DIVERGED); // What redo could bring back counts, too.
    lab_must(other, lab_play(other, "5"));
    ck_assert_int_eq(pass_on(lab, UINT64_MAX, other), KIFU_DIVERGED);
    kifu_timeline *behind = lab_new(NULL);
    lab_must(behind, lab_play(behind, "+"));
    lab_must(behind, pass_on(lab, UINT64_MAX, behind));
    expect_equal(lab, behind, "a timeline that has no other events");
    kifu_destroy(behind);
    kifu_destroy(other);
    kifu_destroy(copy);
    kifu_destroy(lab);
}
END_TEST

START_TEST(B04_news_since_events_ago_are_these_events_however_many)
{
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL);
    for (int i = 0; i < 50; i++)
        lab_must(lab, lab_play(lab, "+"));
    const uint64_t at = must_pass_on(lab, 0, copy);
    for (int i = 0; i < 2000; i++) {
        lab_submit_p_add(lab, 0, 1);
        lab_must(lab, kifu_run(lab));
        (void)kifu_change_count(lab);
    }
    news news, all = news_since(lab, 0), more = news_since(lab, at), few = news_since(lab, kifu_change_count(lab) - 1);
    ck_assert_uint_lt(more.size, all.size - 1000);
    ck_assert_uint_lt(few.size, 1000);
    lab_must(copy, kifu_apply_news(copy, more.bytes, more.size));
    expect_equal(lab, copy, "a follower 2000 events later");
    lab_must(copy, kifu_apply_news(copy, more.bytes, more.size)); // Once more they change nothing.
    lab_must(copy, kifu_apply_news(copy, few.bytes, few.size));
    expect_equal(lab, copy, "a follower that knew it");
    free(all.bytes), free(more.bytes), free(few.bytes);
    // Changes that nobody asked for, or that are forgotten because only events happened around them.
    kifu_timeline *early, *late;
    lab_must(lab, kifu_fork(lab, 100, NULL, &early, NULL));
    lab_must(lab, kifu_fork(lab, 1000, NULL, &late, NULL));
    news = news_since(lab, at + 50);
    ck_assert_uint_lt(news.size, 60000);
    lab_must(early, kifu_apply_news(early, news.bytes, news.size));
    expect_equal(lab, early, "a follower at a change that is forgotten");
    free(news.bytes);
    // Far more was taken back than the journal has.
    for (int i = 0; i < 1800; i++)
        lab_must(lab, kifu_undo(lab));
    (void)must_pass_on(lab, at + 50, early);
    lab_must(lab, lab_play(lab, "-"));
    ck_assert_int_eq(pass_on(lab, at + 950, late), KIFU_DIVERGED); // What it has nobody remembers.
    ck_assert_uint_eq(kifu_last_error(late)->event, 250);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(late)->message, "lab.PAdd here, lab.PDo there"));
    kifu_destroy(early);
    kifu_destroy(late);
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// --- Parting ---------------------------------------------------------------------------------------------------------

// Both play `common` together, and then each its own.
typedef struct parting {
    const char *common, *here, *there; // A letter is an event; '<' an undo.
    uint32_t event;                    // At which they part.
    bool range;                        // The message names several.
} parting;

static void play_letters(kifu_timeline *lab, const char *letters)
{
    for (; *letters; letters++) {
        char script[2] = {*letters, 0};
        lab_must(lab, *letters == '<' ? kifu_undo(lab) : lab_play(lab, script));
    }
}

START_TEST(B04_where_two_have_parted_is_found)
{
    static const parting partings[] = {
        {"123", "4", "5", 3, false},       // Each went on.
        {"123", "45", "4", 4, false},      // Here is one more.
        {"123", "4", "", 3, false},        // There nothing happened.
        {"123", "<4", "4", 2, false},      // The last was replaced here,
        {"123", "<4", "<<45", 1, false},   // and more of them there.
        {"1234", "<<<567", "5", 1, false}, // Among the last sixteen, the event is named.
        {"", "1", "2", 0, false},
        {"12345678901234567890123456789012345678901234567890",
         "<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<+++++++++++++++"
         "++++++++++++++++++++++++++",
         "5", 10, true},
    };
    for (size_t i = 0; i < sizeof partings / sizeof *partings; i++) {
        const parting *each = &partings[i];
        kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL);
        lab_must(lab, lab_play(lab, "+"));
        const uint64_t begin = must_pass_on(lab, 0, copy);
        play_letters(lab, each->common);
        const uint64_t at = must_pass_on(lab, begin, copy);
        play_letters(copy, each->here);
        play_letters(lab, each->there);
        char *before = picture_of(copy);
        const kifu_error *error = kifu_last_error(copy);
        ck_assert_int_eq(pass_on(lab, at, copy), KIFU_DIVERGED);
        const bool range = strstr(error->message, "one of the events") != NULL;
        ck_assert_msg(each->range == range, "%zu: %s", i, error->message);
        ck_assert_msg(range ? error->event <= each->event + 1 : error->event == each->event + 1, "%zu: %s", i,
                      error->message);
        ck_assert_ptr_nonnull(strstr(error->message, "since 0"));
        expect_picture(copy, before, "what was refused");
        free(before);
        (void)must_pass_on(lab, 0, copy);
        kifu_destroy(lab);
        kifu_destroy(copy);
    }
}
END_TEST

START_TEST(B04_news_that_begin_later_are_refused)
{
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL);
    lab_must(lab, lab_play(lab, "+"));
    const uint64_t at = must_pass_on(lab, 0, copy);
    lab_must(lab, lab_play(lab, "1"));
    const uint64_t later = kifu_change_count(lab);
    lab_must(lab, lab_play(lab, "2"));
    ck_assert_int_eq(pass_on(lab, later, copy), KIFU_DIVERGED);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(copy)->message, "begin behind 2 events, and here are only 1"));
    ck_assert_uint_eq(kifu_last_error(copy)->event, 1);
    (void)must_pass_on(lab, at, copy);
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
    uint64_t at = must_pass_on(lab, 0, copy);
    seen.text[0] = 0;
    lab_must(lab, lab_play(lab, "+"));
    lab_do(lab, 1, "++", 1);
    lab_submit_e_show(lab, 4);
    lab_must(lab, kifu_run(lab));
    at = must_pass_on(lab, at, copy);
    ck_assert_str_eq(seen.text, "total1 +0 total3 ++1 total7 show7 ");
    seen.text[0] = 0;
    lab_must(lab, kifu_undo(lab));
    at = must_pass_on(lab, at, copy);
    ck_assert_str_eq(seen.text, "back3 back1 redraw1 ");
    seen.text[0] = 0;
    lab_must(lab, kifu_redo(lab));
    at = must_pass_on(lab, at, copy);
    ck_assert_str_eq(seen.text, "total3 total7 redraw3 ");
    seen.text[0] = 0;
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "-"));
    at = must_pass_on(lab, at, copy);
    ck_assert_str_eq(seen.text, "back3 back1 redraw1 total0 -0 ");
    ck_assert_int_eq(seen.reactions, 0);
    ck_assert(kifu_is_idle(copy));
    seen.text[0] = 0;
    lab_must(lab, lab_play(lab, "+++"));
    (void)must_pass_on(lab, 0, copy); // The whole game is only drawn.
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
    uint64_t at = must_pass_on(lab, 0, copy);
    for (int i = 0; i < 5; i++) {
        lab_must(lab, lab_play(lab, "+(-)"));
        at = must_pass_on(lab, at, copy);
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
    unsigned char *bytes;
    size_t size;
    (void)state, (void)event;
    *(uint64_t *)context = kifu_change_count(timeline);
    ck_assert_int_eq(kifu_news_since(timeline, 0, &bytes, &size), KIFU_MISUSE);
    ck_assert_ptr_null(bytes);
    return 0;
}

START_TEST(B04_what_the_view_does_wrong_is_reported_when_the_news_are_applied)
{
    const lab_view view = {.base = {.redraw = spoil}};
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(&(kifu_options){.view = &view.base});
    lab_must(lab, lab_play(lab, "+"));
    ck_assert_int_eq(pass_on(lab, 0, copy), KIFU_MISUSE);
    ck_assert_int_eq(kifu_last_error(copy)->result, KIFU_MISUSE);
    expect_equal(lab, copy, "a follower with a bad view");
    kifu_destroy(copy);
    uint64_t count = 99;
    const lab_view other = {.base = {.context = &count}, .act_p_do = call_inside};
    copy = lab_new(&(kifu_options){.view = &other.base});
    const uint64_t at = must_pass_on(lab, 0, copy);
    lab_must(lab, lab_play(lab, "+"));
    ck_assert_int_eq(pass_on(lab, at, copy), KIFU_MISUSE);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(copy)->message, "kifu_news_since"));
    expect_equal(lab, copy, "a follower whose view asks for news");
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

START_TEST(B04_a_follower_drops_what_waits_there)
{
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL);
    lab_must(lab, lab_play(lab, "+"));
    const uint64_t at = must_pass_on(lab, 0, copy);
    lab_must(copy, kifu_follow(copy, lab_submit_p_add(copy, 0, 5), never, NULL));
    const kifu_ticket ticket = lab_submit_p_add(lab, 0, 7);
    lab_must(lab, kifu_override(lab, ticket, false, false));
    (void)must_pass_on(lab, at, copy);
    ck_assert_uint_eq(kifu_pending_count(copy), 1);
    lab_must(copy, kifu_run(copy));
    ck_assert_int_eq(lab_get_state(copy)->total, 8);
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

START_TEST(B04_the_log_file_of_a_follower_has_what_happened)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL);
    uint32_t seed = 5;
    uint64_t at = must_pass_on(lab, 0, copy);
    lab_must(copy, kifu_log_open(copy, path, NULL));
    for (int i = 0; i < 200; i++) {
        random_lab_step(lab, next_random(&seed));
        if (next_random(&seed) % 2)
            at = must_pass_on(lab, at, copy);
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

// --- Other games -----------------------------------------------------------------------------------------------------

START_TEST(B04_a_follower_may_have_its_model_outside)
{
    model one = {0}, other = {0};
    kifu_timeline *outside, *copy;
    const kifu_options here = {.reset = model_reset, .user = &one}, there = {.reset = model_reset, .user = &other};
    ck_assert_int_eq(kifu_create(&outside_rules, &here, &outside, NULL), KIFU_OK);
    ck_assert_int_eq(kifu_create(&outside_rules, &there, &copy, NULL), KIFU_OK);
    uint64_t at = 0;
    for (int i = 0; i < 40; i++) {
        kifu_result result = i % 6 == 4 ? kifu_undo(outside) : i % 6 == 5 ? kifu_redo(outside) : KIFU_OK;
        ck_assert_int_eq(result, KIFU_OK);
        if (i % 6 < 4) {
            outside_submit_p_push(outside, 0, i);
            must(outside, kifu_run(outside));
        }
        if (i % 3)
            at = must_pass_on(outside, i % 10 ? at : 0, copy);
    }
    (void)must_pass_on(outside, at, copy);
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
        const uint64_t at = must_pass_on(outside, 0, copy);
        must(outside, kifu_undo(outside));
        outside_submit_p_push(outside, 0, 7);
        must(outside, kifu_run(outside));
        news news = news_since(outside, whole ? 0 : at);
        spoil_hash(&news);
        char *before = picture_of(copy);
        ck_assert_int_eq(kifu_apply_news(copy, news.bytes, news.size), KIFU_DIVERGED);
        expect_picture(copy, before, "what was refused");
        ck_assert_int_eq(other.first->number, 2);
        (void)must_pass_on(outside, at, copy);
        ck_assert_int_eq(other.first->number, 7);
        free(before);
        free(news.bytes);
        kifu_destroy(outside);
        kifu_destroy(copy);
        model_reset(&one);
        model_reset(&other);
    }
}
END_TEST

START_TEST(B04_news_of_another_game_or_version_are_refused)
{
    kifu_timeline *lab = lab_new(NULL), *copy;
    lab_must(lab, lab_play(lab, "+"));
    kifu_rules others[3] = {lab_rules, lab_rules, lab_rules};
    others[0].rules_version++;
    others[1].fingerprint++;
    others[2].name = "other";
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(kifu_create(&others[i], NULL, &copy, NULL), KIFU_OK);
        ck_assert_int_eq(pass_on(lab, 0, copy), KIFU_OTHER_GAME);
        ck_assert_ptr_nonnull(strstr(kifu_last_error(copy)->message, i < 2 ? "another version" : "'lab'"));
        ck_assert_uint_eq(kifu_event_count(copy), 0);
        kifu_destroy(copy);
    }
    kifu_destroy(lab);
}
END_TEST

// Events of earlier rules stay what they are.
START_TEST(B04_events_of_earlier_rules_are_in_the_news)
{
    kifu_rules earlier = lab_rules;
    earlier.rules_version--;
    kifu_timeline *old, *lab, *copy = lab_new(NULL);
    ck_assert_int_eq(kifu_create(&earlier, NULL, &old, NULL), KIFU_OK);
    for (int i = 0; i < 20; i++)
        lab_must(old, lab_play(old, "+(1)"));
    save save = save_of(old, NULL);
    lab = load_again(&save);
    uint64_t at = must_pass_on(lab, 0, copy);
    for (int i = 0; i < 25; i++) {
        lab_must(lab, i % 2 ? lab_play(lab, "-") : kifu_undo(lab));
        at = must_pass_on(lab, at, copy);
    }
    expect_equal_ways(lab, copy);
    free(save.bytes);
    kifu_destroy(old);
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

START_TEST(B04_another_state_is_told_and_changes_nothing)
{
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL);
    lab_must(lab, lab_play(lab, "+"));
    const uint64_t at = must_pass_on(lab, 0, copy);
    lab_must(lab, lab_play(lab, "+"));
    news news = news_since(lab, at);
    spoil_hash(&news);
    char *before = picture_of(copy);
    ck_assert_int_eq(kifu_apply_news(copy, news.bytes, news.size), KIFU_DIVERGED);
    ck_assert_uint_eq(kifu_last_error(copy)->event, 1);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(copy)->message, "another state"));
    expect_picture(copy, before, "what was refused");
    free(before);
    free(news.bytes);
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// What the follower has executed itself, it has hashes of, and no others come in their place.
START_TEST(B04_hashes_of_what_both_have_are_not_taken)
{
    const kifu_options often = {.hash_interval = 1};
    kifu_timeline *lab = lab_new(&often), *copy = lab_new(&often), *loaded;
    unsigned char *bytes;
    size_t size;
    for (int i = 0; i < 9; i++)
        lab_must(lab, lab_play(lab, "+"));
    must_pass_on(lab, 0, copy);
    lab_must(lab, lab_play(lab, "+"));
    lab->log.branch->checkpoints[4].hash ^= 1;
    const news news = news_since(lab, 0);
    lab_must(copy, kifu_apply_news(copy, news.bytes, news.size));
    free(news.bytes);
    lab_must(copy, kifu_save_to_memory(copy, NULL, &bytes, &size));
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, bytes, size, NULL, NULL, &loaded, NULL), KIFU_OK);
    kifu_free_bytes(copy, bytes);
    kifu_destroy(loaded);
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// --- Misuse, memory, damage ------------------------------------------------------------------------------------------

START_TEST(B04_misused_calls_are_refused)
{
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL), *fork;
    unsigned char *bytes;
    size_t size;
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, lab_play(lab, "+"));
    news news = news_since(lab, 0);
    lab_must(copy, kifu_apply_news(copy, news.bytes, news.size));
    lab_must(copy, kifu_begin(copy, 0));
    must_refuse(copy, kifu_apply_news(copy, news.bytes, news.size));
    must_refuse(copy, kifu_news_since(copy, 0, &bytes, &size));
    lab_must(copy, kifu_roll_back(copy));
    lab_must(copy, kifu_seek(copy, 1));
    must_refuse(copy, kifu_apply_news(copy, news.bytes, news.size));
    lab_must(copy, kifu_seek(copy, KIFU_PRESENT));
    lab_must(copy, lab_try_p_add(copy, 0, 1));
    must_refuse(copy, kifu_apply_news(copy, news.bytes, news.size));
    (void)kifu_change_count(copy);
    kifu_take_back(copy);
    lab_must(copy, kifu_fork(copy, KIFU_WITHOUT_PAST, NULL, &fork, NULL));
    must_refuse(fork, kifu_apply_news(fork, news.bytes, news.size));
    must_refuse(fork, kifu_news_since(fork, 0, &bytes, &size));
    ck_assert_uint_eq(kifu_change_count(fork), 3);
    kifu_destroy(fork);
    ck_assert_int_eq(kifu_apply_news(copy, "", 0), KIFU_NOT_A_SAVE);
    ck_assert_int_eq(kifu_apply_news(copy, "This is a text, and no news.", 28), KIFU_NOT_A_SAVE);
    lab_must(copy, kifu_apply_news(copy, news.bytes, news.size));
    expect_equal(lab, copy, "a follower after misuse");
    free(news.bytes);
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// What has happened on a timeline since others followed it. Each is a scenario for want of memory.
static void go_back_and_forth(kifu_timeline *lab)
{
    lab_must(lab, lab_play(lab, "+(-)"));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "r3(4)(5)"));
    lab_must(lab, lab_play(lab, "6(7)"));
    lab_must(lab, kifu_undo(lab));
    lab_do(lab, 0, "8(9)", 1);
    lab_must(lab, kifu_step(lab));
}

static void go_on_for_long(kifu_timeline *lab)
{
    for (int i = 0; i < 700; i++) {
        lab_submit_p_add(lab, 0, 1 + i);
        lab_must(lab, kifu_run(lab));
    }
}

static void go_far_back(kifu_timeline *lab)
{
    while (!kifu_undo(lab))
        ;
    lab_must(lab, lab_play(lab, "+"));
}

static void do_nothing(kifu_timeline *lab)
{
    (void)lab;
}

// The beginning is of earlier rules, and with these it is also the news since 0.
static kifu_timeline *leader(bool earlier)
{
    kifu_rules rules = lab_rules;
    rules.rules_version -= earlier;
    kifu_timeline *begun;
    ck_assert_int_eq(kifu_create(&rules, NULL, &begun, NULL), KIFU_OK);
    const uint64_t seed = 7;
    lab_submit_e_initialize(begun, SEEDED(seed));
    lab_must(begun, lab_play(begun, "1(2)"));
    for (int i = 0; i < 20; i++)
        lab_must(begun, lab_play(begun, i % 2 ? "+" : "-(+)"));
    lab_must(begun, kifu_undo(begun));
    save save = save_of(begun, NULL);
    kifu_timeline *lab = load_again(&save);
    free(save.bytes);
    kifu_destroy(begun);
    return lab;
}

static void apply_without_memory(const news *news, kifu_timeline *lab, kifu_timeline *copy, test_memory *memory, long i)
{
    char *before = picture_of(copy);
    memory->until_failure = i;
    memory->failed = false;
    const kifu_result result = kifu_apply_news(copy, news->bytes, news->size);
    memory->until_failure = -1;
    ck_assert(result == KIFU_OK || (result == KIFU_NO_MEMORY && memory->failed));
    if (result)
        expect_picture(copy, before, "without memory");
    else
        expect_equal(lab, copy, "with memory");
    lab_must(copy, kifu_apply_news(copy, news->bytes, news->size));
    expect_equal(lab, copy, "with memory again");
    free(before);
}

START_TEST(B04_without_memory_nothing_is_half_done)
{
    static const struct scenario {
        void (*happens)(kifu_timeline *lab);
        bool whole, earlier, for_ever;
    } scenarios[] = {
        {go_back_and_forth, false, false, false}, {go_back_and_forth, true, false, false},
        {go_back_and_forth, false, false, true},  {go_on_for_long, false, false, false},
        {go_on_for_long, false, false, true},     {go_on_for_long, true, true, true},
        {go_far_back, false, false, true},        {go_far_back, true, true, false},
        {do_nothing, true, true, false},
    };
    for (size_t each = 0; each < sizeof scenarios / sizeof *scenarios; each++) {
        const struct scenario *scenario = &scenarios[each];
        kifu_timeline *lab = leader(scenario->earlier);
        const uint64_t at = kifu_change_count(lab);
        news begin = news_since(lab, 0);
        scenario->happens(lab);
        news news = news_since(lab, scenario->whole ? 0 : at);
        for (long i = 0, done = 0; !done; i++) {
            seen seen = {.text = ""};
            const lab_view view = {.base = {.context = &seen, .redraw = see_redraw}, .act_p_do = see_p_do};
            test_memory memory = {.until_failure = -1, .for_ever = scenario->for_ever};
            const kifu_options options = {
                .allocate = test_allocate, .allocate_context = &memory, .view = &view.base, .hash_interval = 2};
            kifu_timeline *copy = lab_new(&options);
            lab_must(copy, kifu_observe(copy, &(kifu_observer){
                                                  .listen = see_total, KIFU_PART(lab_state, total), .context = &seen}));
            if (i % 2 || !scenario->earlier)
                lab_must(copy, kifu_apply_news(copy, begin.bytes, begin.size));
            lab_submit_p_add(copy, 0, 99); // It waits, and is dropped.
            apply_without_memory(&news, lab, copy, &memory, i);
            done = !memory.failed;
            ck_assert_int_lt(i, 2000);
            kifu_destroy(copy);
            ck_assert_int_eq(memory.blocks, 0);
        }
        free(begin.bytes), free(news.bytes);
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(B04_news_that_cannot_be_made_without_memory_are_made_later)
{
    for (int first = 0; first < 2; first++) {
        for (long i = 0, done = 0; !done; i++) {
            test_memory memory = {.until_failure = -1};
            kifu_timeline *copy = lab_new(NULL);
            kifu_timeline *lab = lab_new(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
            for (int events = 0; events < 70; events++)
                lab_must(lab, lab_play(lab, "+(-)"));
            const uint64_t at = first ? 0 : must_pass_on(lab, 0, copy);
            lab_must(lab, kifu_undo(lab));
            lab_must(lab, lab_play(lab, "1"));
            lab_must(lab, kifu_undo(lab));
            unsigned char *bytes;
            size_t size;
            memory.until_failure = i;
            const kifu_result result = kifu_news_since(lab, at, &bytes, &size);
            done = !memory.failed;
            memory.until_failure = -1;
            ck_assert_int_eq(result != KIFU_OK, bytes == NULL);
            kifu_free_bytes(lab, bytes);
            const uint64_t later = must_pass_on(lab, at, copy);
            lab_must(lab, lab_play(lab, "2"));
            (void)must_pass_on(lab, later, copy);
            kifu_destroy(lab);
            kifu_destroy(copy);
            ck_assert_int_eq(memory.blocks, 0);
        }
    }
}
END_TEST

static news rich_news(kifu_timeline **follower)
{
    kifu_timeline *lab = rich_game(NULL);
    *follower = lab_new(&(kifu_options){.hash_interval = 2});
    const uint64_t at = must_pass_on(lab, 0, *follower);
    lab_must(lab, lab_play(lab, "+(2)"));
    lab_must(lab, lab_play(lab, "r"));
    lab_do(lab, 0, "8(9)", 1);
    lab_must(lab, kifu_step(lab));
    lab_submit_p_add(lab, 1, 3);
    lab_must(lab, kifu_undo(lab));
    lab_submit_p_add(lab, 0, 4);
    news news = news_since(lab, at);
    kifu_destroy(lab);
    return news;
}

START_TEST(B04_damaged_news_are_refused)
{
    kifu_timeline *copy;
    news news = rich_news(&copy);
    char *before = picture_of(copy);
    for (size_t size = 0; size < news.size; size++) {
        const kifu_result result = kifu_apply_news(copy, news.bytes, size);
        ck_assert(result == KIFU_DAMAGED || result == KIFU_NOT_A_SAVE);
    }
    const uint64_t first = frame_size_at(news.bytes, news.size, 0);
    for (size_t at = 0; at < news.size; at++) {
        news.bytes[at] ^= 0x11;
        const kifu_result result = kifu_apply_news(copy, news.bytes, news.size);
        ck_assert_msg(result == KIFU_DAMAGED || result == KIFU_NOT_A_SAVE, "byte %zu: %d", at, result);
        ck_assert(at < first || strstr(kifu_last_error(copy)->message, "they are not whole, or were changed"));
        ck_assert_int_eq(kifu_last_error(copy)->result, result);
        news.bytes[at] ^= 0x11;
    }
    expect_picture(copy, before, "after damaged news");
    lab_must(copy, kifu_apply_news(copy, news.bytes, news.size));
    free(before);
    free(news.bytes);
    kifu_destroy(copy);
}
END_TEST

// These frames behind that of `news`.
static news with_frames(const news *news, const frames *frames)
{
    uint64_t size = frame_size_at(news->bytes, news->size, 0);
    const uint64_t first = size;
    for (int i = 0; i < frames->count; i++)
        size += frame_size(frames->all[i].size);
    struct news made = {malloc(size), size};
    ck_assert_ptr_nonnull(made.bytes);
    memcpy(made.bytes, news->bytes, first);
    save rest = {made.bytes + first, 0};
    frame_writer writer = {.to = &rest};
    for (int i = 0; i < frames->count; i++)
        write_frame(&writer, frames->all[i].kind, frames->all[i].payload, frames->all[i].size);
    unsigned char *payload = made.bytes + FRAME_HEAD;
    set32(payload + get32(payload) + offsetof(kifu__save_news, size), (uint32_t)(size - first));
    repair(&made);
    return made;
}

// Their frames but for the first.
static frames frames_behind(const news *news)
{
    frames frames = {.count = 0};
    uint64_t at = frame_size_at(news->bytes, news->size, 0);
    while (at < news->size)
        frames.all[frames.count++] = read_frame(news->bytes, news->size, &at);
    return frames;
}

static void expect_frames(const news *news, const frames *frames, kifu_timeline *copy, kifu_result expected)
{
    struct news made = with_frames(news, frames);
    char *before = picture_of(copy);
    const kifu_result result = kifu_apply_news(copy, made.bytes, made.size);
    ck_assert_msg(result == expected, "%s, not %s: %s", kifu_result_text(result), kifu_result_text(expected),
                  kifu_last_error(copy)->message);
    if (result)
        expect_picture(copy, before, "what was refused");
    free(before);
    free(made.bytes);
}

START_TEST(B04_frames_in_a_wrong_place_are_refused)
{
    static const uint32_t never[] = {FRAME_HEADER, FRAME_END, FRAME_PACKED, FRAME_OLD_APPEND, FRAME_NEWS};
    kifu_timeline *copy;
    news news = rich_news(&copy);
    const frames good = frames_behind(&news);
    frames frames = good;
    frames.count--;
    expect_frames(&news, &frames, copy, KIFU_DAMAGED); // without the snapshot
    frames = good;
    frames.all[frames.count] = frames.all[frames.count - 1];
    frames.count++;
    expect_frames(&news, &frames, copy, KIFU_DAMAGED); // with two
    frames = good;
    const int rewind = find_frame(&frames, FRAME_REWIND), segment = find_frame(&frames, FRAME_SEGMENT);
    insert_frame(&frames, rewind + 1, FRAME_SEGMENT, good.all[segment].payload, good.all[segment].size);
    expect_frames(&news, &frames, copy, KIFU_DAMAGED); // events behind an undo
    frames = good;
    frames.all[rewind].kind = FRAME_OLD_GO;
    expect_frames(&news, &frames, copy, KIFU_DAMAGED);
    frames = good;
    insert_frame(&frames, rewind, 200, "Later", 6);
    expect_frames(&news, &frames, copy, KIFU_OK); // of a later Kifu
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        frames = good;
        insert_frame(&frames, rewind, never[i], good.all[rewind].payload, good.all[rewind].size);
        expect_frames(&news, &frames, copy, KIFU_DAMAGED);
    }
    free(news.bytes);
    kifu_destroy(copy);
}
END_TEST

// Events that share their parts would fill the memory: each has a copy in the log. The limit is that of a follower
// whose program says nothing.
START_TEST(B08_events_that_share_their_parts_do_not_grow_without_limit)
{
    enum { EVENTS = 4000, LENGTH = 20000 };
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL);
    news news = news_since(lab, 0);
    char *script = malloc(LENGTH + 1);
    memset(script, '+', LENGTH);
    script[LENGTH] = 0;
    kifu__segment segment = shared_segment(EVENTS, script);
    for (uint32_t today = 0; today < 2; today++) {
        const uint32_t root = get32(segment.bytes), field = field_at(segment.bytes, root, 3);
        set32(segment.bytes + field, lab_rules.rules_version - 1 + today);
        repair(&news); // after the time before
        frames frames = frames_behind(&news);
        insert_frame(&frames, 0, FRAME_SEGMENT, segment.bytes, segment.size);
        const unsigned char *payload = frames.all[1].payload; // The snapshot is of so many events.
        set32((unsigned char *)(uintptr_t)payload + get32(payload) + offsetof(kifu__save_snapshot, event_count),
              EVENTS);
        expect_frames(&news, &frames, copy, KIFU_TOO_LARGE);
    }
    free(segment.bytes);
    free(script);
    free(news.bytes);
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// The first budget that is enough. Each smaller one is refused, and nothing more is allocated but what the game needs.
static uint64_t find_need(const news *base, const news *news, size_t besides)
{
    for (uint64_t budget = 64;; budget += budget / 4) {
        test_memory memory = {.until_failure = -1};
        kifu_timeline *copy = lab_new(&(kifu_options){
            .allocate = test_allocate, .allocate_context = &memory, .hash_interval = 2, .news_memory = budget});
        if (base) {
            copy->options.news_memory = 0;
            lab_must(copy, kifu_apply_news(copy, base->bytes, base->size));
            copy->options.news_memory = budget;
        }
        char limit[100], *before = picture_of(copy);
        snprintf(limit, sizeof limit, "kifu_options.news_memory allows %llu;", (unsigned long long)budget);
        const size_t there = memory.peak = memory.bytes;
        const kifu_result result = kifu_apply_news(copy, news->bytes, news->size);
        if (result) {
            ck_assert_int_eq(result, KIFU_TOO_LARGE);
            const char *message = kifu_last_error(copy)->message;
            unsigned long long needed = 0;
            ck_assert_int_eq(sscanf(message, "the news need %llu bytes of memory or more", &needed), 1);
            ck_assert_uint_gt(needed, budget);
            ck_assert_msg(strstr(message, limit) != NULL, "'%s', not '%s'", message, limit);
            ck_assert_uint_le(memory.peak, there + news->size + besides + budget);
            expect_picture(copy, before, "what was refused");
        }
        free(before);
        kifu_destroy(copy);
        ck_assert_int_eq(memory.blocks, 0);
        if (!result)
            return budget;
    }
}

START_TEST(B08_news_take_no_more_memory_than_they_may)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *empty = lab_new(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory}), *copy;
    const size_t besides = 3 * memory.bytes; // the stage, and what is kept to go back
    kifu_timeline *lab = rich_game(NULL);
    const news base = news_since(lab, 0), news = rich_news(&copy);
    ck_assert_uint_gt(find_need(NULL, &base, besides), 1000);
    ck_assert_uint_gt(find_need(&base, &news, besides), 500);
    kifu_destroy(empty);
    kifu_destroy(lab);
    kifu_destroy(copy);
    free(base.bytes);
    free(news.bytes);
}
END_TEST

// Another layout of the first frame: a field that a later version does not write.
START_TEST(B04_a_first_frame_of_another_layout_is_converted)
{
    for (long i = 0, done = 0; !done; i++) {
        test_memory memory = {.until_failure = -1};
        kifu_timeline *lab = lab_new(NULL);
        kifu_timeline *copy = lab_new(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
        news news = news_since(lab, 0);
        unsigned char *payload = news.bytes + FRAME_HEAD;
        const uint32_t table = get32(payload), vtable = kifu__vtable_of(payload, table);
        payload[vtable + 4 + 2 * 6] = 0; // `length`, which is 0
        payload[vtable + 4 + 2 * 6 + 1] = 0;
        repair(&news);
        memory.until_failure = i;
        const kifu_result result = kifu_apply_news(copy, news.bytes, news.size);
        memory.until_failure = -1;
        done = !memory.failed;
        ck_assert_int_eq(result, done ? KIFU_OK : KIFU_NO_MEMORY);
        free(news.bytes);
        kifu_destroy(lab);
        kifu_destroy(copy);
    }
}
END_TEST

START_TEST(B04_a_game_with_superseded_events_is_followed)
{
    kifu_timeline *harbour, *copy;
    ck_assert_int_eq(kifu_create(&harbour_rules, NULL, &harbour, NULL), KIFU_OK);
    ck_assert_int_eq(kifu_create(&harbour_rules, NULL, &copy, NULL), KIFU_OK);
    harbour_submit_e_reset_game(harbour);
    must(harbour, kifu_run(harbour));
    (void)must_pass_on(harbour, 0, copy);
    kifu_destroy(harbour);
    kifu_destroy(copy);
}
END_TEST

// Right checksums, any bytes. The sanitizers watch.
START_TEST(B04_hostile_news_change_nothing_or_make_a_game)
{
    uint32_t seed = (uint32_t)fuzz_seed();
    kifu_timeline *copy;
    news good = rich_news(&copy);
    news bad = {malloc(good.size), good.size};
    unsigned applied = 0, refused = 0;
    for (unsigned long i = 0; i < fuzz_steps(20000); i++) {
        kifu_timeline *fork;
        ck_assert_int_eq(kifu_fork(copy, KIFU_PRESENT, NULL, &fork, NULL), KIFU_OK);
        memcpy(bad.bytes, good.bytes, good.size);
        for (uint32_t faults = 1 + next_random(&seed) % 3; faults; faults--) {
            const size_t at = next_random(&seed) % good.size;
            static const unsigned char likely[] = {0, 1, 2, 4, 8, 0x7F, 0x80, 0xFF};
            bad.bytes[at] = next_random(&seed) % 2 ? likely[next_random(&seed) % 8] : (unsigned char)next_random(&seed);
        }
        repair(&bad);
        char *before = picture_of(fork);
        const kifu_result result = kifu_apply_news(fork, bad.bytes, bad.size);
        refused += result != KIFU_OK;
        applied += result == KIFU_OK;
        if (result)
            expect_picture(fork, before, kifu_last_error(fork)->message);
        free(before);
        while (!kifu_redo(fork))
            ;
        while (!kifu_undo(fork))
            ;
        (void)!kifu_run(fork);
        kifu_destroy(fork);
    }
    ck_assert_uint_gt(applied, 0);
    ck_assert_uint_gt(refused, 0);
    free(good.bytes);
    free(bad.bytes);
    kifu_destroy(copy);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        V09_a_follower_keeps_its_notes,
        B04_a_follower_is_the_same_after_each_change,
        B04_events_undo_redo_and_roll_backs_count_as_changes,
        B04_news_since_what_nobody_remembers_are_all_events,
        B04_news_since_events_ago_are_these_events_however_many,
        B04_where_two_have_parted_is_found,
        B04_news_that_begin_later_are_refused,
        B04_a_follower_sees_what_happened,
        B04_a_follower_may_be_tested_for_its_rules,
        B04_what_the_view_does_wrong_is_reported_when_the_news_are_applied,
        B04_a_follower_drops_what_waits_there,
        B04_the_log_file_of_a_follower_has_what_happened,
        B04_a_follower_may_have_its_model_outside,
        B04_a_model_outside_is_as_it_was_when_it_comes_to_another_state,
        B04_news_of_another_game_or_version_are_refused,
        B04_events_of_earlier_rules_are_in_the_news,
        B04_another_state_is_told_and_changes_nothing,
        B04_hashes_of_what_both_have_are_not_taken,
        B04_misused_calls_are_refused,
        B04_without_memory_nothing_is_half_done,
        B04_news_that_cannot_be_made_without_memory_are_made_later,
        B04_damaged_news_are_refused,
        B04_frames_in_a_wrong_place_are_refused,
        B08_events_that_share_their_parts_do_not_grow_without_limit,
        B08_news_take_no_more_memory_than_they_may,
        B04_a_first_frame_of_another_layout_is_converted,
        B04_a_game_with_superseded_events_is_followed,
        B04_hostile_news_change_nothing_or_make_a_game,
    };
    return run_suite("news", tests, sizeof tests / sizeof *tests);
}
