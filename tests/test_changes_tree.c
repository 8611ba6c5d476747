// Changes of a game with lines and notes: random games, and those who follow them.

#include "changes_tree_help.h"

enum { READERS = 6 };

static void pass_to(kifu_timeline *lab, reader *all, int number, uint32_t choice)
{
    reader *reader = &all[number];
    kifu_timeline *from = reader->from < 0 ? lab : all[reader->from].lab;
    if (choice % 20 == 1 && reader->options->keep_notes)
        reader->lab = save_and_load(reader->lab, reader->options);
    if (choice % 20 == 0)
        follow_whole(from, reader->lab);
    else
        follow_changes(from, reader->lab);
    expect_follows(from, reader);
}

START_TEST(B04_changes_have_lines_and_notes)
{
    const unsigned long games = 1 + fuzz_steps(3000) / 150;
    for (unsigned long i = 0; i < games; i++) {
        uint32_t seed = (uint32_t)(fuzz_seed() * 1000003 + i);
        reader all[READERS] = {{&both, 1, -1, NULL},    {&both, 7, -1, NULL},      {&both, 3, 1, NULL},
                               {&keeping, 2, -1, NULL}, {&notes_only, 3, 1, NULL}, {&none, 2, -1, NULL}};
        kifu_timeline *lab = lab_new(&both);
        for (int k = 0; k < READERS; k++)
            all[k].lab = lab_new(all[k].options);
        for (int k = 0; k < 150; k++) {
            (void)walk_step(lab, next_random(&seed));
            for (int j = 0; j < READERS; j++) {
                if (next_random(&seed) % all[j].seldom == 0)
                    pass_to(lab, all, j, next_random(&seed));
            }
            if (k == 75) // Another stream begins.
                lab = save_and_load(lab, &both);
        }
        const int last = (int)(i % READERS);
        reader *reader = &all[last];
        kifu_timeline *from = reader->from < 0 ? lab : all[reader->from].lab;
        pass_to(lab, all, last, 2);
        expect_goes_on(from, reader, seed);
        for (int k = 0; k < READERS; k++)
            kifu_destroy(all[k].lab);
        kifu_destroy(lab);
    }
}
END_TEST

// A follower may have a log file of its own.
START_TEST(V09_a_log_file_of_a_follower_has_its_lines_and_notes)
{
    const unsigned long games = 1 + fuzz_steps(3000) / 150;
    char *folder = new_folder();
    const char *path = in_folder(folder, "follower.kifu");
    for (unsigned long i = 0; i < games; i++) {
        uint32_t seed = (uint32_t)(fuzz_seed() * 1000003 + i);
        kifu_timeline *lab = lab_new(&both), *copy = lab_new(&both), *loaded;
        lab_must(copy, kifu_log_open(copy, path, NULL));
        for (int k = 0; k < 100; k++) {
            for (uint32_t more = next_random(&seed) % 3; more > 0; more--)
                (void)walk_step(lab, next_random(&seed));
            if (k % 30 == 29)
                follow_whole(lab, copy);
            follow_changes(lab, copy);
            lab_must(copy, kifu_log_append(copy));
            if (k % 5)
                continue;
            kifu_recovery recovery;
            kifu_error error;
            const kifu_load_options ways = {.recover = kifu_recover, .recovery = &recovery};
            ck_assert_msg(!kifu_load(&lab_rules, path, &both, &ways, &loaded, &error), "%s", error.message);
            expect_same_tree(lab, loaded);
            expect_same_notes(lab, copy);
            expect_same_notes(lab, loaded);
            expect_same_saves(lab, loaded);
            kifu_destroy(loaded);
        }
        kifu_destroy(lab);
        kifu_destroy(copy);
        ck_assert_int_eq(remove(path), 0);
    }
    remove_folder(folder);
}
END_TEST

// A follower that has changed less than what it takes over: what it notes from then on is newer than all of that.
START_TEST(V09_a_log_file_has_notes_that_follow_a_whole_game)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "follower.kifu");
    kifu_timeline *lab = lab_new(&both), *copy = lab_new(&both), *loaded;
    lab_must(lab, lab_play(lab, "+"));
    for (int i = 0; i < 30; i++)
        lab_must(lab, kifu_set_note(lab, 0, i % 3 ? KIFU_NOTE_COMMENT : KIFU_NOTE_GLYPH, i % 2 ? "!" : "?"));
    lab_must(copy, kifu_log_open(copy, path, NULL));
    follow_whole(lab, copy);
    lab_must(copy, kifu_log_append(copy));
    for (int i = 0; i < 3; i++) {
        lab_must(lab, kifu_set_note(lab, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT, i % 2 ? "even" : "odd"));
        follow_changes(lab, copy);
        lab_must(copy, kifu_log_append(copy));
        kifu_error error;
        ck_assert_msg(
            !kifu_load(&lab_rules, path, &both, &(kifu_load_options){.recover = kifu_recover}, &loaded, &error), "%s",
            error.message);
        expect_same_notes(lab, copy);
        expect_same_notes(lab, loaded);
        kifu_destroy(loaded);
    }
    kifu_destroy(lab);
    kifu_destroy(copy);
    remove_folder(folder);
}
END_TEST

// --- One thing after the other ---------------------------------------------------------------------------------------

START_TEST(B04_each_change_of_lines_and_notes_counts)
{
    kifu_timeline *lab = three_lines(), *copy = lab_new(&both);
    uint64_t before, at;
    follow_changes(lab, copy);
    for (int i = 0; i < 8; i++) {
        before = kifu_change_count(lab);
        ck_assert_uint_eq(before, kifu_change_count(lab));
        if (i == 0)
            lab_must(lab, kifu_promote_line(lab, 2));
        else if (i == 1)
            lab_must(lab, kifu_go_to(lab, 1, 3, false));
        else if (i == 2)
            lab_must(lab, kifu_set_note(lab, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT, "ready"));
        else if (i == 3)
            lab_must(lab, kifu_set_line_note(lab, 2, 2, KIFU_NOTE_GLYPH, "!"));
        else if (i == 4)
            lab_must(lab, kifu_set_line_note(lab, 2, 2, KIFU_NOTE_GLYPH, NULL));
        else if (i == 5)
            lab_must(lab, kifu_set_note_bytes(lab, 0, 2, "picture", "abc", 3));
        else if (i == 6)
            lab_must(lab, kifu_delete_line(lab, 2));
        else
            lab_must(lab, kifu_go_to(lab, 0, 1, false));
        ck_assert_msg(kifu_change_count(lab) > before, "step %d", i);
        at = kifu_change_count(lab);
        follow_changes(lab, copy);
        expect_follows(lab, &(reader){&both, 1, -1, copy});
        ck_assert_uint_eq(at, kifu_change_count(lab));
        lab_must(lab, kifu_promote_line(lab, i < 6 ? 2 : 0)); // It is.
        ck_assert_uint_eq(at, kifu_change_count(lab));
        ck_assert_uint_eq(follow_changes(lab, copy), 0);
    }
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// Notes that are removed travel, and what is too much is in the whole game.
START_TEST(B04_changes_have_notes_that_were_removed)
{
    kifu_timeline *lab = three_lines(), *copy = lab_new(&both);
    char key[16], text[300] = "";
    memset(text, 'a', 250);
    for (int i = 0; i < 1500; i++) {
        snprintf(key, sizeof key, "%d", i);
        lab_must(lab, kifu_set_line_note(lab, i % 3 ? 1 : 0, (uint32_t)i % 3, key, key));
    }
    follow_changes(lab, copy);
    for (int i = 0; i < 1500; i += 1 + i % 5) {
        snprintf(key, sizeof key, "%d", i);
        lab_must(lab, kifu_set_line_note(lab, i % 3 ? 1 : 0, (uint32_t)i % 3, key, NULL));
        if (i == 600)
            follow_changes(lab, copy);
    }
    follow_changes(lab, copy);
    expect_follows(lab, &(reader){&both, 1, -1, copy});
    const kifu_stream_position at = kifu_followed(copy);
    for (int i = 0; i < 1500; i++) {
        snprintf(key, sizeof key, "%d", i);
        lab_must(lab, kifu_set_line_note(lab, i % 3 ? 1 : 0, (uint32_t)i % 3, key, text));
        free(changes_since(lab, &at).bytes);
    }
    kifu_changes changes = changes_since(lab, &at);
    ck_assert(changes.whole);
    free(changes.bytes);
    follow_changes(lab, copy);
    expect_follows(lab, &(reader){&both, 1, -1, copy});
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// A line that was begun and told is found to be another one, and gives its number to the next: a follower leaves a line
// that is gone, and its number is given anew.
START_TEST(B04_the_number_of_the_line_that_a_follower_left_is_given_anew)
{
    kifu_timeline *lab = lab_started(&both), *copy = lab_new(&both);
    lab_must(lab, lab_play(lab, "(+)"));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "-"));
    lab_must(lab, kifu_undo(lab));
    for (uint32_t i = 0; i < 3; i++) {
        lab_do(lab, 0, "(+)", 1);
        lab_must(lab, kifu_step(lab));
        ck_assert_uint_eq(kifu_current_line(lab), 2 + i); // Nothing says yet that it is line 0.
        follow_changes(lab, copy);
        lab_must(lab, kifu_run(lab));
        ck_assert_uint_eq(kifu_current_line(lab), 0);
        follow_changes(lab, copy);
        expect_follows(lab, &(reader){&both, 1, -1, copy});
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, lab_play(lab, i == 0 ? "3" : i == 1 ? "4" : "5"));
        ck_assert_uint_eq(kifu_current_line(lab), 2 + i);
        follow_changes(lab, copy);
        expect_follows(lab, &(reader){&both, 1, -1, copy});
        lab_must(lab, kifu_undo(lab));
    }
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// The same, and the follower's log file has it, whether it was appended meanwhile or not.
START_TEST(M08_V09_a_log_file_of_a_follower_has_numbers_that_are_given_anew)
{
    static const char *const moves[] = {"3", "4", "5"};
    const kifu_load_options recovering = {.recover = kifu_recover};
    char *folder = new_folder();
    const char *path = in_folder(folder, "follower.kifu");
    kifu_timeline *lab = lab_started(&both), *copy = lab_new(&both);
    lab_must(lab, lab_play(lab, "(+)"));
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "-"));
    lab_must(copy, kifu_log_open(copy, path, NULL));
    for (int i = 0; i < 3; i++) {
        lab_must(lab, kifu_undo(lab));
        for (int step = 0; step < 4; step++) {
            if (step == 0) {
                lab_do(lab, 0, "(+)", 1);
                lab_must(lab, kifu_step(lab)); // A line begins,
            } else if (step == 1)
                lab_must(lab, kifu_run(lab)); // and turns out to be line 0.
            else if (step == 2)
                lab_must(lab, kifu_undo(lab));
            else
                lab_must(lab, lab_play(lab, moves[i]));
            follow_changes(lab, copy);
            if ((i + step) % 2 == 0 && step < 3)
                continue;
            lab_must(copy, kifu_log_append(copy));
            kifu_timeline *loaded;
            ck_assert_int_eq(kifu_load(&lab_rules, path, &both, &recovering, &loaded, NULL), KIFU_OK);
            expect_same_tree(lab, loaded);
            kifu_destroy(loaded);
        }
    }
    kifu_destroy(lab), kifu_destroy(copy);
    remove_folder(folder);
}
END_TEST

// The changes that give a number back are refused: then the line is in the log file nonetheless.
START_TEST(M08_V09_a_line_that_refused_changes_give_back_is_in_the_log_file)
{
    const kifu_load_options recovering = {.recover = kifu_recover};
    char *folder = new_folder();
    const char *path = in_folder(folder, "follower.kifu");
    for (int appended = 0; appended < 2; appended++) {
        kifu_timeline *lab = lab_started(&both), *copy = lab_new(&both), *loaded;
        lab_must(lab, lab_play(lab, "(+)"));
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, lab_play(lab, "-"));
        lab_must(copy, kifu_log_open(copy, path, &(kifu_save_options){.overwrite = true}));
        lab_must(lab, kifu_undo(lab));
        follow_changes(lab, copy);
        lab_must(copy, kifu_log_append(copy));
        lab_do(lab, 0, "(+)", 1);
        lab_must(lab, kifu_step(lab));
        follow_changes(lab, copy);
        if (appended)
            lab_must(copy, kifu_log_append(copy));
        lab_must(lab, kifu_run(lab));
        const kifu_stream_position at = kifu_followed(copy);
        const kifu_changes changes = changes_since(lab, &at), bad = spoil_hash(&changes);
        ck_assert_int_eq(kifu_apply_changes(copy, bad.bytes, bad.size), KIFU_DIVERGED);
        for (int i = 0; i < 2; i++) {
            lab_must(copy, kifu_log_append(copy));
            ck_assert_int_eq(kifu_load(&lab_rules, path, &both, &recovering, &loaded, NULL), KIFU_OK);
            expect_same_tree(copy, loaded);
            kifu_destroy(loaded);
            if (!i)
                lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
        }
        expect_same_tree(lab, copy);
        free(changes.bytes), free(bad.bytes);
        kifu_destroy(lab), kifu_destroy(copy);
    }
    remove_folder(folder);
}
END_TEST

START_TEST(M08_B04_a_follower_without_lines_has_the_notes)
{
    kifu_timeline *lab = lab_started(&notes_only), *copy = lab_new(&notes_only);
    follow_changes(lab, copy);
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_set_note(lab, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT, "before"));
    lab_must(lab, kifu_set_note(lab, 1, KIFU_NOTE_COMMENT, "one"));
    follow_changes(lab, copy);
    ck_assert_str_eq(kifu_note_at(copy, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT), "before");
    expect_same_notes(lab, copy);
    kifu_destroy(lab), kifu_destroy(copy);
}
END_TEST

// A game with one line pays nothing for lines or notes.
START_TEST(B04_a_game_without_variations_or_notes_says_nothing_of_them)
{
    const kifu_options keeps = {.keep_variations = kifu_keep_variations, .keep_notes = kifu_keep_notes};
    kifu_timeline *one = lab_new(&none), *other = lab_new(&keeps), *first = lab_new(&none), *second = lab_new(&none);
    for (int i = 0; i < 30; i++) {
        ck_assert_uint_eq(follow_changes(one, first), follow_changes(other, second));
        ck_assert_uint_eq(kifu_change_count(one), kifu_change_count(other));
        lab_must(one, i % 4 == 3 ? kifu_undo(one) : i % 4 ? lab_play(one, "+(2)") : kifu_run(one));
        lab_must(other, i % 4 == 3 ? kifu_undo(other) : i % 4 ? lab_play(other, "+(2)") : kifu_run(other));
        if (i % 4 == 3) {
            lab_must(one, kifu_redo(one));
            lab_must(other, kifu_redo(other));
        }
    }
    kifu_destroy(one), kifu_destroy(other), kifu_destroy(first), kifu_destroy(second);
}
END_TEST

// --- What a follower did itself --------------------------------------------------------------------------------------

START_TEST(R05_lines_that_the_changes_do_not_have_are_told)
{
    for (int i = 0; i < 9; i++) {
        kifu_timeline *lab = three_lines(), *copy = lab_new(&both);
        int64_t event = -1;
        follow_changes(lab, copy);
        if (i == 0) { // A line began on both sides, the same,
            lab_must(copy, kifu_undo(copy));
            lab_must(copy, lab_play(copy, "3"));
            lab_must(lab, kifu_undo(lab));
            lab_must(lab, lab_play(lab, "3"));
            event = 2;
        } else if (i == 1) { // or another,
            lab_must(copy, kifu_undo(copy));
            lab_must(copy, lab_play(copy, "4"));
            lab_must(lab, kifu_undo(lab));
            lab_must(lab, lab_play(lab, "3"));
            event = 2;
        } else if (i == 2) { // or a longer one.
            lab_must(copy, kifu_go_to(copy, 1, 3, false));
            lab_must(copy, lab_play(copy, "3"));
            lab_must(lab, kifu_go_to(lab, 1, 3, false));
            lab_must(lab, lab_play(lab, "4"));
            event = 3;
        } else if (i == 3) { // The same goes on.
            lab_must(copy, kifu_go_to(copy, 1, 3, false));
            lab_must(copy, lab_play(copy, "3"));
            lab_must(lab, kifu_go_to(lab, 1, 3, false));
            lab_must(lab, lab_play(lab, "3"));
            lab_must(lab, lab_play(lab, "4"));
        } else if (i == 4) { // It was deleted here, and needed.
            lab_must(copy, kifu_delete_line(copy, 1));
            lab_must(lab, kifu_go_to(lab, 1, 3, false));
            event = KIFU_NONE;
        } else if (i == 5) // It went elsewhere.
            lab_must(copy, kifu_go_to(copy, 1, 3, false));
        else if (i == 6) { // Both deleted it.
            lab_must(copy, kifu_delete_line(copy, 1));
            lab_must(lab, kifu_delete_line(lab, 1));
            event = KIFU_NONE;
        } else if (i == 7) // It went where the other one goes.
            lab_must(copy, kifu_go_to(copy, 0, 1, false));
        else { // It has made another one the main line.
            lab_must(copy, kifu_promote_line(copy, 2));
            lab_must(lab, kifu_promote_line(lab, 1));
        }
        lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "good"));
        expect_answer(lab, copy, event, i);
        kifu_destroy(lab);
        kifu_destroy(copy);
    }
}
END_TEST

START_TEST(V07_a_follower_may_write_notes_of_its_own)
{
    kifu_timeline *lab = three_lines(), *copy = lab_new(&both);
    follow_changes(lab, copy);
    lab_must(copy, kifu_set_note(copy, 0, "mine", "here"));
    lab_must(copy, kifu_set_note(copy, 0, KIFU_NOTE_COMMENT, "bad"));
    lab_must(copy, kifu_set_line_note(copy, 1, 2, "mine", "there"));
    lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "good"));
    lab_must(lab, lab_play(lab, "+"));
    follow_changes(lab, copy);
    ck_assert_str_eq(kifu_note_at(copy, 0, "mine"), "here");
    ck_assert_str_eq(kifu_note_at(copy, 0, KIFU_NOTE_COMMENT), "good");
    kifu_note note;
    must_be(kifu_find_note(copy, 1, 2, "mine", &note));
    follow_whole(lab, copy);
    expect_follows(lab, &(reader){&both, 1, -1, copy}); // Now it has the game's.
    kifu_destroy(copy);
    const kifu_options few = {.keep_variations = kifu_keep_variations, .keep_notes = kifu_keep_notes, .note_limit = 70};
    copy = lab_new(&few);
    ck_assert_int_eq(pass_on(lab, copy), KIFU_TOO_LARGE);
    must_say(copy, "take 75 bytes, but may take 70");
    ck_assert_uint_eq(kifu_event_count(copy), 0);
    lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, NULL));
    follow_changes(lab, copy);
    ck_assert_uint_eq(kifu_line_count(copy), 3);
    lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "good"));
    ck_assert_int_eq(pass_on(lab, copy), KIFU_TOO_LARGE);
    must_say(copy, "may take 70");
    ck_assert_ptr_null(kifu_note_at(copy, 0, KIFU_NOTE_COMMENT));
    kifu_destroy(copy);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        B04_changes_have_lines_and_notes,
        V09_a_log_file_of_a_follower_has_its_lines_and_notes,
        V09_a_log_file_has_notes_that_follow_a_whole_game,
        B04_each_change_of_lines_and_notes_counts,
        B04_changes_have_notes_that_were_removed,
        B04_the_number_of_the_line_that_a_follower_left_is_given_anew,
        M08_V09_a_log_file_of_a_follower_has_numbers_that_are_given_anew,
        M08_V09_a_line_that_refused_changes_give_back_is_in_the_log_file,
        M08_B04_a_follower_without_lines_has_the_notes,
        B04_a_game_without_variations_or_notes_says_nothing_of_them,
        R05_lines_that_the_changes_do_not_have_are_told,
        V07_a_follower_may_write_notes_of_its_own,
    };
    return run_suite("changes_tree", tests, sizeof tests / sizeof *tests);
}
