// What a follower has inside, which only a private header shows: its segments, the index and the list of its lines, and
// the room of its notes.

#include "changes_tree_help.h"
#include "core/timeline.h"
#include "history/lines.h"
#include "history/notes.h"

// --- Segments --------------------------------------------------------------------------------------------------------

// And the head of each counts its events, but that of the one that is appended to.
static void expect_as_before(kifu_timeline *copy, const save *before)
{
    const kifu__branch *branch = copy->log.branch;
    for (uint32_t i = 0; i < branch->segment_count; i++) {
        const kifu__segment *segment = &branch->segments[i];
        must_be(segment == copy->log.open || segment->closed || segment->borrowed ||
                segment->count == segment->offsets[-1]);
    }
    expect_saves(copy, before);
}

// Events go that lie in the middle of a segment, in a follower that got each by itself, or all at once; and with a
// fork, which shares the segments. Or one comes that is aligned to 8, while a segment ends at another multiple of 4.
START_TEST(R04_a_commit_that_is_refused_leaves_each_segment_as_it_was)
{
    const uint64_t seed = 7;
    for (int way = 0; way < 4; way++) {
        kifu_timeline *lab = lab_started(NULL), *copy = lab_new(NULL), *fork = NULL;
        for (int i = 0; i < 30; i++) {
            lab_must(lab, lab_play(lab, i % 3 ? "+" : "1(3)"));
            if (way % 2 || i == 29)
                must_pass_on(lab, copy);
        }
        if (way / 2)
            lab_must(copy, kifu_fork(copy, 0, NULL, &fork, NULL));
        for (int undone = 24; undone >= 0; undone--) {
            save before = save_of(copy, NULL);
            for (int i = 0; i < undone; i++)
                lab_must(lab, kifu_undo(lab));
            for (int i = 0; i < undone; i++)
                lab_must(lab, lab_play(lab, i % 5 ? "-" : "45"));
            if (!undone)
                lab_submit_e_initialize(lab, SEEDED(seed));
            lab_must(lab, kifu_run(lab));
            const kifu_stream_position at = kifu_followed(copy);
            kifu_changes good = changes_since(lab, &at), bad = spoil_hash(&good);
            ck_assert_int_eq(kifu_apply_changes(copy, bad.bytes, bad.size), KIFU_DIVERGED);
            expect_as_before(copy, &before);
            lab_must(copy, kifu_apply_changes(copy, good.bytes, good.size));
            expect_equal(lab, copy, "a follower after refused changes");
            free(before.bytes), free(good.bytes), free(bad.bytes);
        }
        kifu_destroy(lab), kifu_destroy(copy), kifu_destroy(fork);
    }
}
END_TEST

// A segment that was dropped is used again for the next one, with all of its slots, which a save has, too.
static void drop_spare_segment(kifu_timeline *lab)
{
    kifu__segment_free(&lab->log.spare, &lab->log.memory);
    lab->log.spare = (kifu__segment){.bytes = NULL};
}

// The same bytes: of the game, of one that has followed commit by commit, and of one that got all of them at once.
START_TEST(R03_a_follower_by_commits_is_the_save_of_the_game)
{
    const unsigned long games = 1 + fuzz_steps(3000) / 150;
    char *folder = new_folder();
    const char *path = in_folder(folder, "leader.kifu");
    for (unsigned long i = 0; i < games; i++) {
        uint32_t seed = (uint32_t)(fuzz_seed() * 1000003 + i);
        kifu_timeline *lab = lab_new(&both), *each = lab_new(&both), *late = lab_new(&both), *whole = lab_new(&both);
        const bool logged = i % 2;
        if (logged)
            lab_must(lab, kifu_log_open(lab, path, NULL));
        follow_changes(lab, each);
        follow_changes(lab, late);
        for (int k = 0; k < 150; k++) {
            uint32_t choice;
            do
                choice = next_random(&seed);
            while (choice % 32 == 7 || choice % 32 == 6); // A transaction forgets hashes; and nothing is forgotten.
            (void)walk_step(lab, choice);
            drop_spare_segment(lab), drop_spare_segment(each), drop_spare_segment(late);
            follow_changes(lab, each);
            if (k % 15 != 14)
                continue;
            follow_changes(lab, late);
            follow_whole(lab, whole);
            save save = save_of(lab, NULL);
            kifu_timeline *loaded[2] = {load_by(&save, &both, NULL), NULL};
            const kifu_load_options recovering = {.recover = kifu_recover};
            if (logged)
                ck_assert_int_eq(kifu_load(&lab_rules, path, &both, &recovering, &loaded[1], NULL), KIFU_OK);
            kifu_timeline *all[] = {each, late, whole, loaded[0], loaded[1]};
            for (int n = 0; n < 2; n++) {
                struct save other = save_of(all[n], NULL);
                ck_assert_msg(save.size == other.size && !memcmp(save.bytes, other.bytes, save.size),
                              "game %lu, step %d, number %d: %zu and %zu bytes", i, k, n, save.size, other.size);
                free(other.bytes);
            }
            kifu_destroy(loaded[0]);
            kifu_destroy(loaded[1]);
            free(save.bytes);
        }
        kifu_destroy(lab), kifu_destroy(each), kifu_destroy(late), kifu_destroy(whole);
        (void)remove(path);
    }
    remove_folder(folder);
}
END_TEST

// --- Lines -----------------------------------------------------------------------------------------------------------

// A move looks for lines that begin with it in an index, which a line with a new number leaves as it is.
START_TEST(M08_R07_a_line_that_comes_behind_the_others_leaves_their_index)
{
    kifu_timeline *lab = lab_started(&both), *copy = lab_new(&both);
    for (int i = 0; i < 3; i++)
        lab_must(lab, lab_play(lab, "+"));
    for (uint32_t i = 1; i <= 2; i++) {
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, lab_play(lab, i == 1 ? "-" : "1"));
    }
    follow_changes(lab, copy);
    kifu__lines *lines = kifu__lines_of(copy);
    (void)kifu__line_same(copy, lines);
    ck_assert_ptr_nonnull(lines->buckets);
    const uint32_t *buckets = lines->buckets, indexed = lines->indexed;
    ck_assert_uint_gt(indexed, 0);
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "2"));
    follow_changes(lab, copy);
    ck_assert_ptr_eq(lines->buckets, buckets);
    ck_assert_uint_eq(lines->indexed, indexed);
    expect_same_tree(lab, copy);
    kifu_destroy(lab), kifu_destroy(copy);
}
END_TEST

// A leader with so many lines behind its second event, who stands in the last one; and one who follows.
static kifu_timeline *many_lines(int count, kifu_timeline **copy)
{
    kifu_timeline *lab = lab_started(&both);
    char script[12];
    for (int i = 0; i < 3; i++)
        lab_must(lab, lab_play(lab, "+"));
    for (int i = 0; i < count; i++) {
        lab_must(lab, kifu_go_to(lab, 0, 2, true));
        snprintf(script, sizeof script, "%d", i);
        lab_must(lab, lab_play(lab, script));
    }
    *copy = lab_new(&both);
    follow_changes(lab, *copy);
    return lab;
}

static void swap_listed(kifu__lines *lines, uint32_t at)
{
    const uint32_t other = lines->listed[at];
    lines->listed[at] = lines->listed[at + 1];
    lines->listed[at + 1] = other;
}

// The list of lines stays where none has gone: what it says there is not read. So do the index, and the links by which
// a line is found that is deleted here. At last, a line begins in the same commit.
START_TEST(M08_R07_a_line_that_goes_costs_nothing_for_each_other_line)
{
    kifu_timeline *copy, *lab = many_lines(60, &copy);
    kifu__lines *lines = kifu__lines_of(copy);
    lab_must(copy, kifu_delete_line(copy, 12));
    (void)kifu__line_same(copy, lines);
    const uint32_t linked = lines->linked, *buckets = lines->buckets;
    ck_assert_uint_eq(linked, 61);
    ck_assert_ptr_nonnull(buckets);
    static const uint32_t gone[] = {20, 30, 1}, swapped[] = {1, 1, 40};
    for (uint32_t i = 0; i < 3; i++) {
        const kifu_stream_position at = kifu_followed(copy);
        const uint32_t count = 59 - i + i / 2;
        lab_must(lab, kifu_delete_line(lab, gone[i]));
        lab_must(lab, i == 2 ? kifu_go_to(lab, 0, 2, true) : KIFU_OK);
        lab_must(lab, lab_play(lab, "99"));
        const kifu_changes good = changes_since(lab, &at), bad = spoil_hash(&good);
        swap_listed(lines, swapped[i]);
        ck_assert_int_eq(kifu_apply_changes(copy, bad.bytes, bad.size), KIFU_DIVERGED);
        ck_assert_uint_eq(kifu_line_count(copy), 60 - i);
        lab_must(copy, kifu_apply_changes(copy, good.bytes, good.size));
        ck_assert_uint_eq(kifu_line_count(copy), count);
        swap_listed(lines, swapped[i] - i / 2);
        for (uint32_t place = 0, line = 0; place < count; place++, line++) {
            while (line == 12 || line == 20 || (i && line == 30) || (i == 2 && line == 1))
                line++;
            ck_assert_uint_eq(lines->listed[place], line);
        }
        ck_assert_ptr_eq(lines->buckets, buckets);
        ck_assert_uint_eq(lines->linked, linked);
        free(good.bytes), free(bad.bytes);
    }
    kifu_destroy(lab), kifu_destroy(copy);
}
END_TEST

// A number is given anew, which was deleted or returned: what is linked to it, and what is in the index with it, is not
// the line any more.
START_TEST(M08_R07_a_number_that_is_given_anew_is_in_no_index)
{
    static const line_record cases[][5] = {
        {{RECORD_DELETED, 1, {20}}, {RECORD_BRANCH, 3, {20, 0, 2}}, {RECORD_STAND, 2, {0, 4}}},
        {{RECORD_RETURNED, 1, {60}}, {RECORD_TREE, 2, {0, 61}}, {RECORD_STAND, 2, {0, 4}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *copy, *lab = many_lines(60, &copy);
        kifu__lines *lines = kifu__lines_of(copy);
        lab_must(copy, kifu_delete_line(copy, 12));
        (void)kifu__line_same(copy, lines);
        ck_assert_ptr_nonnull(lines->buckets);
        const kifu_stream_position at = kifu_followed(copy);
        lab_must(lab, kifu_go_to(lab, 0, 4, true));
        const kifu_changes all = changes_since(lab, &at),
                           changes = of_line_records(&all, cases[i], kifu_state_hash(lab));
        lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
        ck_assert_ptr_null(lines->buckets);
        ck_assert_uint_eq(lines->linked + lines->indexed, 0);
        free(all.bytes), free(changes.bytes);
        kifu_destroy(lab), kifu_destroy(copy);
    }
}
END_TEST

// --- Notes -----------------------------------------------------------------------------------------------------------

static size_t room_of_notes(const kifu_timeline *lab)
{
    return kifu__notes_of(lab)->used;
}

// With events that are replaced, and with a line that is deleted.
START_TEST(M08_V07_notes_that_a_follower_loses_take_no_room)
{
    for (int lines = 0; lines < 2; lines++) {
        const kifu_options *options = lines ? &both : &notes_only;
        kifu_timeline *lab = lab_started(options), *copy = lab_new(options);
        follow_changes(lab, copy);
        for (int i = 0; i < 3; i++) {
            lab_must(lab, lab_play(lab, i == 0 ? "+" : i == 1 ? "-" : "1"));
            lab_must(lab, kifu_set_note(lab, 1, KIFU_NOTE_COMMENT, "a note"));
            follow_changes(lab, copy);
            ck_assert_uint_gt(room_of_notes(copy), 0);
            lab_must(lab, kifu_undo(lab));
        }
        lab_must(lab, lab_play(lab, "2"));
        for (uint32_t id = 0; id < 3 && lines; id++)
            lab_must(lab, id ? kifu_delete_line(lab, id) : kifu_set_line_note(lab, 0, 1, KIFU_NOTE_COMMENT, NULL));
        follow_changes(lab, copy);
        expect_same_notes(lab, copy);
        ck_assert_uint_eq(room_of_notes(lab), 0);
        ck_assert_uint_eq(room_of_notes(copy), 0);
        kifu_destroy(lab), kifu_destroy(copy);
    }
}
END_TEST

START_TEST(M08_V07_notes_may_take_all_of_their_limit)
{
    kifu_timeline *lab = lab_started(&notes_only), *loaded;
    for (size_t less = 0; less < 2; less++) {
        kifu_options options = notes_only;
        kifu_timeline *copy;
        lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "good"));
        options.note_limit = room_of_notes(lab) - less;
        save save = save_of(lab, NULL);
        ck_assert_int_eq(kifu_load_from_memory(&lab_rules, save.bytes, save.size, &options, NULL, &loaded, NULL),
                         less ? KIFU_TOO_LARGE : KIFU_OK);
        kifu_destroy(loaded);
        free(save.bytes);
        lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, NULL));
        copy = lab_new(&options);
        follow_changes(lab, copy);
        lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "good"));
        ck_assert_int_eq(pass_on(lab, copy), less ? KIFU_TOO_LARGE : KIFU_OK);
        kifu_destroy(copy);
    }
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        R04_a_commit_that_is_refused_leaves_each_segment_as_it_was,
        R03_a_follower_by_commits_is_the_save_of_the_game,
        M08_R07_a_line_that_comes_behind_the_others_leaves_their_index,
        M08_R07_a_line_that_goes_costs_nothing_for_each_other_line,
        M08_R07_a_number_that_is_given_anew_is_in_no_index,
        M08_V07_notes_that_a_follower_loses_take_no_room,
        M08_V07_notes_may_take_all_of_their_limit,
    };
    return run_suite("follower inside", tests, sizeof tests / sizeof *tests);
}
