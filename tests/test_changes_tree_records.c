// Changes of a game with lines and notes, record by record: wrong ones, rare ones, and where memory ends.

#include "changes_tree_help.h"

// --- Without memory, and from anywhere -------------------------------------------------------------------------------

// Something else waits where line 1 was left, or nothing does any more.
static void change_what_waits(kifu_timeline *lab, int32_t amount)
{
    lab_must(lab, kifu_go_to(lab, 1, 3, true));
    kifu_drop_inputs(lab);
    if (amount)
        lab_submit_p_add(lab, 0, amount);
    lab_must(lab, kifu_go_to(lab, 2, 3, true));
}

// Something of everything happens.
static void play_a_part(kifu_timeline *lab, uint32_t part)
{
    static const char *const scripts[] = {"3", "+(+)", "u", "4", NULL};
    if (part >= 5)
        change_what_waits(lab, part == 5 ? 6 : 0);
    lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "good"));
    lab_must(lab, kifu_set_line_note(lab, 1, 2, KIFU_NOTE_GLYPH, part ? NULL : "!"));
    if (part == 4)
        lab_must(lab, kifu_promote_line(lab, 1));
    if (part == 1)
        lab_must(lab, kifu_delete_line(lab, 1));
    play_scripts(lab, scripts);
    lab_must(lab, kifu_set_note(lab, KIFU_BEFORE_FIRST, "event", "A game"));
    if (part == 4)
        lab_submit_p_add(lab, 0, 9); // It waits where the line is left.
    lab_must(lab, kifu_go_to(lab, part == 2 ? 1 : 0, part == 2 ? 3 : 1, false));
    lab_submit_p_add(lab, 0, 7);
}

// A follower without variations begins to keep them when the first line arrives. If memory ends then, it keeps none,
// and can go on later.
START_TEST(R04_memory_may_end_while_a_follower_begins_to_keep_variations)
{
    for (long way = 0, fail = 0; way < 4; fail++) {
        const bool whole = way % 2, plays = way / 2;
        test_memory memory = {.until_failure = -1, .for_ever = true};
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .hash_interval = 3};
        kifu_timeline *lab = lab_started(&(kifu_options){.hash_interval = 3}), *copy = lab_new(&options);
        lab_must(lab, lab_play(lab, "+"));
        follow_changes(lab, copy);
        lab_must(lab, kifu_keep_variations(lab));
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, lab_play(lab, "-"));
        const kifu_stream_position at = kifu_followed(copy);
        kifu_changes changes = changes_since(lab, whole ? NULL : &at);
        memory.until_failure = fail;
        const kifu_result result = kifu_apply_changes(copy, changes.bytes, changes.size);
        memory.until_failure = -1;
        must_be(memory.failed ? result == KIFU_NO_MEMORY || (whole && !result) : !result);
        if (result && plays) {
            lab_must(copy, kifu_undo(copy));
            lab_must(copy, lab_play(copy, "1"));
            ck_assert_uint_eq(kifu_line_count(copy), 1);
            follow_whole(lab, copy);
        } else if (result)
            lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
        free(changes.bytes);
        expect_same_tree(lab, copy);
        kifu_destroy(lab);
        kifu_destroy(copy);
        ck_assert_int_eq(memory.blocks, 0);
        if (!memory.failed) {
            way++;
            fail = -1;
        }
    }
}
END_TEST

START_TEST(R04_memory_may_end_while_lines_and_notes_travel)
{
    for (uint32_t part = 0; part < 8; part++) {
        test_memory memory = {.until_failure = -1, .for_ever = part >= 4};
        kifu_options options = both;
        options.allocate = test_allocate;
        options.allocate_context = &memory;
        kifu_timeline *lab = three_lines(), *copy = lab_new(&options);
        lab_must(lab, kifu_set_line_note(lab, 1, 2, KIFU_NOTE_GLYPH, "?"));
        follow_changes(lab, copy);
        const kifu_stream_position at = kifu_followed(copy);
        save before = save_of(copy, NULL);
        play_a_part(lab, part % 4);
        kifu_changes changes = changes_since(lab, part % 4 == 3 ? NULL : &at);
        kifu_result result = KIFU_NO_MEMORY;
        for (long fail = 0; result; fail++) {
            memory.until_failure = fail;
            memory.failed = false;
            result = kifu_apply_changes(copy, changes.bytes, changes.size);
            memory.until_failure = -1;
            must_be(result == KIFU_OK || (memory.failed && result == KIFU_NO_MEMORY));
            if (result) {
                save after = save_of(copy, NULL);
                expect_same_bytes(&before, &after);
                must_be(same_positions(kifu_followed(copy), at));
                free(after.bytes);
            }
        }
        expect_follows(lab, &(reader){&both, 1, -1, copy});
        free(changes.bytes);
        kifu_stream_position told = {0};
        for (int again = 0; again < 2; again++) {
            result = KIFU_NO_MEMORY;
            for (long fail = 0; result; fail++) {
                memory.until_failure = fail;
                result = kifu_changes_since(copy, &told, &changes);
                memory.until_failure = -1;
                must_be(result == KIFU_OK || (result == KIFU_NO_MEMORY && !changes.bytes));
                kifu_free_bytes(copy, changes.bytes);
            }
            told = changes.until;
            if (!again) {
                lab_must(lab, lab_play(lab, "+"));
                follow_changes(lab, copy);
            }
        }
        expect_goes_on(lab, &(reader){&both, 1, -1, copy}, part);
        kifu_destroy(lab);
        kifu_destroy(copy);
        free(before.bytes);
        must_be(memory.blocks == 0);
    }
}
END_TEST

// A leader, one who follows it up to a place, the changes to there, and those of everything since.
typedef struct scene {
    kifu_timeline *lab, *copy;
    kifu_changes begin, good;
} scene;

static kifu_timeline *begin_following(const scene *scene, const kifu_options *options)
{
    kifu_timeline *copy = lab_new(options);
    lab_must(copy, kifu_apply_changes(copy, scene->begin.bytes, scene->begin.size));
    return copy;
}

static scene scene_of(const kifu_options *options, uint32_t part)
{
    scene scene = {.lab = three_lines()};
    lab_must(scene.lab, kifu_set_line_note(scene.lab, 1, 2, KIFU_NOTE_GLYPH, "?"));
    if (part >= 5)
        change_what_waits(scene.lab, 5);
    scene.begin = changes_since(scene.lab, NULL);
    scene.copy = begin_following(&scene, options);
    play_a_part(scene.lab, part);
    scene.good = changes_since(scene.lab, &scene.begin.until);
    return scene;
}

static void end_scene(const scene *scene)
{
    free(scene->begin.bytes);
    free(scene->good.bytes);
    kifu_destroy(scene->lab);
    kifu_destroy(scene->copy);
}

static size_t begin_of_last(const kifu_changes *changes)
{
    const change_parts parts = parts_of(changes->bytes, changes->size);
    unsigned char room[8];
    size_t begin = parts.head_size;
    for (int i = 0; i < parts.count - 1; i++)
        begin += (size_t)(put_number(room, parts.all[i].size) - room) + parts.all[i].size + 4;
    return begin;
}

// What is damaged is told as changes are, with advice that ends it, and with where its commit begins.
static void expect_words(const kifu_error *error, size_t begin)
{
    static const char ending[] = "; get them again";
    const char *advice = strstr(error->message, "; get ");
    ck_assert_uint_gt(strlen(error->message), 10);
    if (error->result != KIFU_DAMAGED && error->result != KIFU_NEWER_FORMAT && error->result != KIFU_UNKNOWN_EVENT)
        return;
    ck_assert_msg(!strncmp(error->message, "the changes are ", 16) && strstr(error->message, "nothing was changed") &&
                      advice && !strcmp(advice, ending),
                  "%s", error->message);
    ck_assert_msg(error->offset == begin || error->offset == UINT64_MAX, "%s", error->message);
    must_be(!strstr(error->message, "(byte"));
}

// Whether they were refused; then all is as it was.
static bool try_changes(kifu_timeline *copy, const kifu_changes *changes, const char *what)
{
    save before = save_of(copy, NULL);
    const kifu_stream_position at = kifu_followed(copy);
    const bool refused = kifu_apply_changes(copy, changes->bytes, changes->size) != KIFU_OK;
    if (refused) {
        const char *message = kifu_last_error(copy)->message;
        expect_words(kifu_last_error(copy), begin_of_last(changes));
        save after = save_of(copy, NULL);
        ck_assert_msg(before.size == after.size && !memcmp(before.bytes, after.bytes, before.size), "%s: %s", what,
                      message);
        must_be(same_positions(kifu_followed(copy), at));
        free(after.bytes);
    }
    free(before.bytes);
    return refused;
}

enum { SHORTER, LONGER, GONE, TWICE, LATER_KIND, LAST_KIND, KINDS, BYTES = KINDS + RECORD_SHAPES + 2 };

static const unsigned char likely[] = {0, 1, 2, 3, 5, 90, 127, 255};

// `body` has the record's.
static void spoil_record(records *records, int at, uint32_t way, unsigned char *body)
{
    record *record = &records->all[at];
    record->body = body;
    if (way == SHORTER)
        record->size -= record->size != 0;
    else if (way == LONGER)
        record->size++;
    else if (way == GONE)
        memmove(record, record + 1, (size_t)(--records->count - at) * sizeof *record);
    else if (way == TWICE)
        insert_record(records, at, record->kind, body, record->size);
    else if (way == LATER_KIND || way == LAST_KIND)
        record->kind = way == LATER_KIND ? SKIPPED : UINT32_MAX;
    else if (way < BYTES)
        record->kind = way - KINDS;
    else
        body[(way - BYTES) / sizeof likely] = likely[(way - BYTES) % sizeof likely];
}

// Each record of a commit: shorter, longer, gone, there twice, of another kind, and with each of its bytes changed.
START_TEST(R04_a_commit_with_any_wrong_record_is_taken_back)
{
    unsigned refused = 0, taken = 0;
    bool kinds[RECORD_SHAPES + 1] = {false};
    for (uint32_t part = 0; part < 7; part++) {
        scene scene = scene_of(&both, part);
        const change_parts parts = parts_of(scene.good.bytes, scene.good.size);
        const commit *last = &parts.all[parts.count - 1];
        const records all = records_in(last->records, last->records + last->size);
        for (int i = 0; i < all.count; i++) {
            const uint32_t size = all.all[i].size;
            kinds[all.all[i].kind] = true;
            for (uint32_t way = 0; way < BYTES + size * sizeof likely; way++) {
                unsigned char body[2000] = {0};
                records some = all;
                char what[100];
                ck_assert_uint_lt(size, sizeof body);
                memcpy(body, all.all[i].body, size);
                spoil_record(&some, i, way, body);
                snprintf(what, sizeof what, "part %u, record %d of kind %u, fault %u", (unsigned)part, i,
                         (unsigned)all.all[i].kind, (unsigned)way);
                kifu_changes bad = with_last(&scene.good, &some);
                const bool refuses = try_changes(scene.copy, &bad, what);
                free(bad.bytes);
                refused += refuses;
                taken += !refuses;
                if (refuses)
                    continue;
                use_tree(scene.copy); // It is another game that can be.
                kifu_destroy(scene.copy);
                scene.copy = begin_following(&scene, &both);
            }
        }
        expect_answer(scene.lab, scene.copy, -1, (int)part);
        end_scene(&scene);
    }
    for (uint32_t kind = RECORD_STAND; kind < RECORD_POSITION; kind++)
        ck_assert_msg(kinds[kind] || kind == RECORD_ACTIONS || kind == RECORD_CUT || kind == RECORD_RETURNED ||
                          kind == RECORD_BEGUN,
                      "no commit has a record of kind %u", (unsigned)kind);
    ck_assert_uint_gt(refused, taken);
}
END_TEST

// Right checksums, any records. The sanitizers watch.
START_TEST(R04_records_of_changes_with_right_checksums_and_wrong_contents_do_no_harm)
{
    enum { CHANGES = 3 };
    static unsigned char room[CHANGES][256];
    kifu_rng rng;
    unsigned long applied = 0, refused = 0;
    const unsigned long rounds = 40 + fuzz_steps(6000) / 4;
    kifu_rng_seed(&rng, fuzz_seed(), 17);
    for (unsigned long round = 0; round < rounds; round++) {
        const kifu_options *options = round % 7 == 6 ? &notes_only : &both;
        scene scene = scene_of(options, (uint32_t)(round % 4));
        bool refuses = true;
        for (int again = 0; again < 5 && refuses; again++) {
            const change_parts parts = parts_of(scene.good.bytes, scene.good.size);
            const commit *last = &parts.all[parts.count - 1];
            records records = records_in(last->records, last->records + last->size);
            for (uint32_t k = 1 + kifu_rng_below(&rng, CHANGES); k > 0; k--)
                change_records(&records, &rng, room[k - 1]);
            kifu_changes bad = with_last(&scene.good, &records);
            refuses = try_changes(scene.copy, &bad, "any records");
            free(bad.bytes);
            refused += refuses;
            applied += !refuses;
        }
        if (!refuses)
            use_tree(scene.copy);
        else if (options == &both) // After so many that were refused, the right ones are taken.
            expect_answer(scene.lab, scene.copy, -1, 0);
        end_scene(&scene);
    }
    ck_assert_msg(applied > rounds / 100 && refused > rounds / 4, "%lu applied, %lu refused", applied, refused);
}
END_TEST

// The same changes, but that the line that begins in them has another number.
static kifu_changes with_line(const kifu_changes *changes, uint32_t number)
{
    unsigned char room[300];
    change_parts parts = parts_of(changes->bytes, changes->size);
    commit *last = &parts.all[parts.count - 1];
    records records = records_in(last->records, last->records + last->size);
    const int at = find_record(&records, RECORD_BRANCH);
    ck_assert_int_ge(at, 0);
    set_number(&records.all[at], 0, number, room);
    unsigned char *payload = payload_of_records(&records, &last->size);
    last->records = payload + LINK_SIZE;
    last->size -= LINK_SIZE;
    const kifu_changes made = changes_of(&parts);
    free(payload);
    return made;
}

START_TEST(R04_a_line_for_whose_number_there_is_no_room_is_taken_back)
{
    static const uint32_t numbers[] = {0x7FFFFFFF, 0x7FFFFFFE, 0x1000000};
    kifu_timeline *lab = lab_started(&both), *copy = lab_new(&both);
    lab_must(lab, lab_play(lab, "+"));
    follow_changes(lab, copy);
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, lab_play(lab, "-"));
    const kifu_stream_position at = kifu_followed(copy);
    const kifu_changes changes = changes_since(lab, &at);
    char *before = picture_of(copy);
    for (int i = 0; i < 3; i++) {
        const kifu_changes bad = with_line(&changes, numbers[i]);
        ck_assert_int_ne(kifu_apply_changes(copy, bad.bytes, bad.size), KIFU_OK);
        expect_picture(copy, before, "after a line without room");
        free(bad.bytes);
    }
    lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
    expect_same_tree(lab, copy);
    free(before), free(changes.bytes);
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// On its way to where the changes begin and back.
START_TEST(R04_a_follower_that_refuses_changes_elsewhere_leaves_each_line_where_it_was_left)
{
    kifu_timeline *lab = lab_started(&both), *copy = lab_new(&both);
    const uint32_t from = kifu_event_count(lab);
    for (int i = 0; i < 3; i++)
        lab_must(lab, lab_play(lab, "+"));
    lab_do(lab, 0, "+", 1); // It waits where the changes begin.
    follow_changes(lab, copy);
    lab_must(copy, kifu_go_to(copy, 0, from + 1, true));
    lab_must(copy, lab_play(copy, "-"));
    lab_must(lab, kifu_run(lab));
    const kifu_stream_position at = kifu_followed(copy);
    const kifu_changes changes = changes_since(lab, &at), bad = spoil_hash(&changes);
    ck_assert_int_eq(kifu_apply_changes(copy, bad.bytes, bad.size), KIFU_DIVERGED);
    ck_assert_uint_eq(kifu_current_line(copy), 1);
    lab_must(copy, kifu_go_to(copy, 0, KIFU_WHERE_LEFT, true));
    ck_assert_uint_eq(kifu_event_count(copy), from + 1);
    lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
    ck_assert_uint_eq(kifu_state_hash(lab), kifu_state_hash(copy));
    free(changes.bytes), free(bad.bytes);
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// --- Lines of one who has kept none ----------------------------------------------------------------------------------

// The last commit with one more record of a kind in front of its end, and a Stand where it stood.
static kifu_changes with_one_record(const kifu_changes *changes, uint32_t kind, const unsigned char *numbers,
                                    uint32_t count, uint32_t stand)
{
    const change_parts parts = parts_of(changes->bytes, changes->size);
    const commit *last = &parts.all[parts.count - 1];
    records records = records_in(last->records, last->records + last->size);
    const unsigned char place[] = {0, (unsigned char)stand};
    ck_assert_uint_eq(records.all[records.count - 1].kind, RECORD_HASH);
    insert_record(&records, records.count - 1, kind, numbers, count);
    insert_record(&records, records.count - 1, RECORD_STAND, place, sizeof place);
    return with_last(changes, &records);
}

// Whichever record is the only one of them: it does what it does to one who keeps lines, who also goes on as that one;
// but if it is refused, as one who keeps none.
START_TEST(M08_B04_any_record_of_lines_makes_a_follower_keep_them)
{
    static const struct {
        uint32_t kind, count;
        unsigned char numbers[4];
        bool of_lines;
    } cases[] = {{RECORD_BRANCH, 3, {1, 0, 2}, true},   {RECORD_RETURNED, 1, {1}, true},
                 {RECORD_DELETED, 1, {1}, true},        {RECORD_LEFT, 2, {0, 1}, true},
                 {RECORD_TREE, 2, {0, 2}, true},        {RECORD_BEGUN, 1, {0}, true},
                 {RECORD_LEFT, 2, {5, 1}, true},        {RECORD_KEPT, 3, {0, 2, 0}, false},
                 {RECORD_NOTE, 4, {0, 1, 0, 0}, false}, {RECORD_HASHES, 0, {0}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *lab = lab_started(&none), *copies[2] = {lab_new(&none), lab_new(&keeping)};
        kifu_result results[2];
        lab_must(lab, lab_play(lab, "+"));
        follow_changes(lab, copies[0]);
        follow_changes(lab, copies[1]);
        lab_must(lab, lab_play(lab, "+"));
        const kifu_stream_position at = kifu_followed(copies[0]);
        const kifu_changes all = changes_since(lab, &at),
                           changes = with_one_record(&all, cases[i].kind, cases[i].numbers, cases[i].count,
                                                     kifu_event_count(lab));
        for (int k = 0; k < 2; k++) {
            results[k] = kifu_apply_changes(copies[k], changes.bytes, changes.size);
            lab_must(copies[k], kifu_undo(copies[k]));
            lab_must(copies[k], lab_play(copies[k], "-"));
        }
        ck_assert_msg(results[0] == results[1], "kind %u: %s", cases[i].kind, kifu_last_error(copies[0])->message);
        if (results[0])
            ck_assert_str_eq(kifu_last_error(copies[0])->message, kifu_last_error(copies[1])->message);
        if (cases[i].of_lines && !results[0])
            expect_same_tree(copies[1], copies[0]);
        else {
            ck_assert_uint_eq(kifu_line_count(copies[0]), 1);
            ck_assert_uint_eq(kifu_event_count(copies[0]), kifu_event_count(lab) - !!results[0]);
            must_be(!kifu_can_redo(copies[0], NULL));
        }
        free(all.bytes), free(changes.bytes);
        kifu_destroy(lab), kifu_destroy(copies[0]), kifu_destroy(copies[1]);
    }
}
END_TEST

// It is not executed before the follower goes there: then its hashes are compared.
START_TEST(M08_B04_a_line_that_came_with_changes_is_compared_when_it_is_entered)
{
    for (int spoiled = 0; spoiled < 2; spoiled++) {
        kifu_timeline *lab = lab_started(&both), *copy = lab_new(&both);
        for (int i = 0; i < 3; i++)
            lab_must(lab, lab_play(lab, "+"));
        follow_changes(lab, copy);
        lab_must(lab, kifu_go_to(lab, 0, 2, true));
        for (int i = 0; i < 6; i++)
            lab_must(lab, lab_play(lab, "-"));
        lab_must(lab, kifu_go_to(lab, 0, KIFU_WHERE_LEFT, true));
        const kifu_stream_position at = kifu_followed(copy);
        const kifu_changes all = changes_since(lab, &at);
        const change_parts parts = parts_of(all.bytes, all.size);
        const commit *last = &parts.all[parts.count - 1];
        const records records = records_in(last->records, last->records + last->size);
        const int hashes = find_record(&records, RECORD_HASHES);
        ck_assert_int_gt(hashes, find_record(&records, RECORD_BRANCH));
        ((unsigned char *)(uintptr_t)records.all[hashes].body)[3] ^= (unsigned char)spoiled;
        const kifu_changes changes = changes_of(&parts);
        lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
        ck_assert_int_eq(kifu_go_to(copy, 1, KIFU_WHERE_LEFT, true), spoiled ? KIFU_DIVERGED : KIFU_OK);
        free(all.bytes), free(changes.bytes);
        kifu_destroy(lab), kifu_destroy(copy);
    }
}
END_TEST

// No game gives the number of a line again that was deleted. Changes from elsewhere may: the lines stay in order.
START_TEST(M08_R04_a_line_with_a_number_between_others_is_listed_there)
{
    static const unsigned char line[] = {2, 0, 2};
    kifu_timeline *lab = lab_started(&both), *copy = lab_new(&both);
    kifu_line at;
    for (int i = 0; i < 3; i++)
        lab_must(lab, lab_play(lab, "+"));
    for (int i = 0; i < 3; i++) {
        lab_must(lab, kifu_go_to(lab, 0, 2, true));
        lab_must(lab, lab_play(lab, i == 0 ? "-" : i == 1 ? "1" : "2"));
    }
    lab_must(lab, kifu_go_to(lab, 0, KIFU_WHERE_LEFT, true));
    lab_must(lab, kifu_delete_line(lab, 2));
    follow_changes(lab, copy);
    lab_must(lab, lab_play(lab, "+"));
    const kifu_stream_position since = kifu_followed(copy);
    const kifu_changes all = changes_since(lab, &since),
                       changes = with_one_record(&all, RECORD_BRANCH, line, sizeof line, kifu_event_count(lab));
    lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
    ck_assert_uint_eq(kifu_line_count(copy), 4);
    for (uint32_t i = 0; i < 4; i++) {
        must_be(kifu_line_at(copy, i, &at));
        ck_assert_uint_eq(at.id, i);
    }
    free(all.bytes), free(changes.bytes);
    kifu_destroy(lab), kifu_destroy(copy);
}
END_TEST

// --- What goes -------------------------------------------------------------------------------------------------------

// Line 1 leaves line 0 at its sixth event, and line 2 that one. The game stands in line 2.
static kifu_timeline *two_deep(void)
{
    static const char *const scripts[] = {"+", "+", "+", "+", "+", "u", "-", "-", "u", "1", NULL};
    kifu_timeline *lab = lab_started(&both);
    play_scripts(lab, scripts);
    ck_assert_uint_eq(kifu_current_line(lab), 2);
    return lab;
}

// Lines 2 and 1 go, and of line 0 what is behind its third event, on which they were.
START_TEST(M08_R04_a_follower_that_stands_behind_events_that_go_returns_there_if_they_stay)
{
    static const unsigned char two[] = {2}, one[] = {1}, third[] = {0, 3}, second[] = {0, 2};
    for (int way = 0; way < 3; way++) { // good; with another hash; cut off twice
        kifu_timeline *lab = two_deep(), *copy = lab_new(&both), *then = lab_started(&both);
        lab_must(then, lab_play(then, "+"));
        lab_must(then, lab_play(then, "+"));
        follow_changes(lab, copy);
        const kifu_stream_position at = kifu_followed(copy);
        const uint64_t hash = kifu_state_hash(then) ^ (way == 1);
        unsigned char end[sizeof hash];
        memcpy(end, &hash, sizeof hash);
        lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "something"));
        const kifu_changes changes = changes_since(lab, &at);
        records records = {.all = {{RECORD_DELETED, 1, two},
                                   {RECORD_DELETED, 1, one},
                                   {RECORD_STAND, 2, third},
                                   {RECORD_CUT, 0, NULL},
                                   {RECORD_HASH, sizeof end, end}},
                           .count = 5};
        if (way == 2) {
            insert_record(&records, 4, RECORD_STAND, second, sizeof second);
            insert_record(&records, 5, RECORD_CUT, NULL, 0);
        }
        const kifu_changes made = with_last(&changes, &records);
        const kifu_result result = kifu_apply_changes(copy, made.bytes, made.size);
        ck_assert_int_eq(result, way == 0 ? KIFU_OK : way == 1 ? KIFU_DIVERGED : KIFU_DAMAGED);
        if (way == 2)
            must_say(copy, "replaces events for a second time");
        if (result)
            lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, NULL));
        expect_same_tree(result ? lab : then, copy);
        while (!kifu_undo(copy))
            lab_must(result ? lab : then, kifu_undo(result ? lab : then));
        expect_same_tree(result ? lab : then, copy);
        while (!kifu_redo(copy))
            lab_must(result ? lab : then, kifu_redo(result ? lab : then));
        expect_same_tree(result ? lab : then, copy);
        free(changes.bytes), free(made.bytes);
        kifu_destroy(lab), kifu_destroy(copy), kifu_destroy(then);
    }
}
END_TEST

// Line 1 has one that branches off. Numbers of lines are used again: no game says that in one commit, but others may.
START_TEST(M08_R04_lines_that_go_and_begin_in_one_commit_are_brought_back)
{
    static const line_record cases[][7] = {
        {{RECORD_LEFT, 2, {1, 6}}, {RECORD_DELETED, 1, {2}}, {RECORD_DELETED, 1, {1}}, {RECORD_STAND, 2, {0, 3}}},
        {{RECORD_DELETED, 1, {2}}, {RECORD_BRANCH, 3, {2, 1, 7}}, {RECORD_DELETED, 1, {2}}, {RECORD_STAND, 2, {0, 3}}},
        {{RECORD_BRANCH, 3, {3, 0, 3}}, {RECORD_DELETED, 1, {3}}, {RECORD_STAND, 2, {0, 3}}},
        {{RECORD_BRANCH, 3, {3, 0, 3}},
         {RECORD_BRANCH, 3, {4, 0, 2}},
         {RECORD_RETURNED, 1, {3}},
         {RECORD_STAND, 2, {0, 3}}},
        {{RECORD_RETURNED, 1, {2}},
         {RECORD_BRANCH, 3, {2, 0, 3}},
         {RECORD_DELETED, 1, {1}},
         {RECORD_DELETED, 1, {2}},
         {RECORD_BRANCH, 3, {1, 0, 2}},
         {RECORD_STAND, 2, {0, 3}}},
    };
    static const uint32_t lines[] = {1, 2, 3, 3, 2};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        test_memory memory = {.until_failure = -1};
        kifu_options options = both;
        options.allocate = test_allocate;
        options.allocate_context = &memory;
        kifu_timeline *lab = two_deep(), *copy = lab_new(&options), *then = lab_started(&both);
        lab_must(then, lab_play(then, "+"));
        lab_must(then, lab_play(then, "+"));
        follow_changes(lab, copy);
        const kifu_stream_position at = kifu_followed(copy);
        lab_must(lab, kifu_set_note(lab, 0, KIFU_NOTE_COMMENT, "something"));
        const kifu_changes changes = changes_since(lab, &at),
                           made = of_line_records(&changes, cases[i / 2], kifu_state_hash(then) ^ i % 2);
        if (i % 2)
            must_be(try_changes(copy, &made, "lines that go and begin"));
        else {
            lab_must(copy, kifu_apply_changes(copy, made.bytes, made.size));
            ck_assert_uint_eq(kifu_line_count(copy), lines[i / 2]);
        }
        if (i % 2)
            expect_answer(lab, copy, -1, (int)i);
        use_tree(copy);
        free(changes.bytes), free(made.bytes);
        kifu_destroy(lab), kifu_destroy(copy), kifu_destroy(then);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

static void draw_tree(const kifu_timeline *lab)
{
    kifu_stretch stretches[100];
    kifu_line line;
    uint32_t count, lines = 0;
    ck_assert_int_eq(kifu_draw_tree(lab, stretches, 100, &count, NULL), KIFU_OK);
    while (kifu_line_at(lab, lines, &line))
        lines++;
    ck_assert_uint_eq(lines, kifu_line_count(lab));
    must_be(kifu_find_line(lab, kifu_main_line(lab), &line) && kifu_find_line(lab, kifu_current_line(lab), &line));
}

static void draw_on_redraw(void *context, kifu_timeline *lab)
{
    ++*(int *)context;
    draw_tree(lab);
}

static double draw_on_act(void *context, kifu_timeline *lab, const lab_state *state, const lab_p_do *event)
{
    (void)state, (void)event;
    ++*(int *)context;
    draw_tree(lab);
    return 0;
}

static void draw_on_change(void *context, kifu_timeline *lab, const void *state, const kifu_change *change)
{
    (void)state, (void)change;
    ++*(int *)context;
    draw_tree(lab);
}

// The follower stands in line 2, which goes with line 1, the main one. What it shows on its way has no lines that are
// gone; and the same when it comes back, because the changes lead elsewhere.
START_TEST(M08_B04_a_view_may_draw_the_tree_while_lines_go)
{
    int acts = 0, redraws = 0, heard = 0;
    const lab_view views[] = {{.base = {.context = &redraws, .redraw = draw_on_redraw}},
                              {.base = {.context = &acts}, .act_p_do = draw_on_act}};
    for (int way = 0; way < 4; way++) {
        kifu_options options = both;
        options.view = &views[way % 2].base;
        kifu_timeline *lab = two_deep(), *copy = lab_new(&options);
        lab_must(lab, kifu_promote_line(lab, 1));
        follow_changes(lab, copy);
        lab_must(copy,
                 kifu_observe(
                     copy, &(kifu_observer){.listen = draw_on_change, KIFU_PART(lab_state, total), .context = &heard}));
        const kifu_stream_position at = kifu_followed(copy);
        lab_must(lab, kifu_go_to(lab, 0, 3, true));
        lab_must(lab, lab_play(lab, "7"));
        lab_must(lab, kifu_delete_line(lab, 1));
        const kifu_changes good = changes_since(lab, &at), bad = spoil_hash(&good);
        if (way / 2)
            must_be(try_changes(copy, &bad, "a hash"));
        lab_must(copy, kifu_apply_changes(copy, good.bytes, good.size));
        expect_same_tree(lab, copy);
        free(good.bytes), free(bad.bytes);
        kifu_destroy(lab), kifu_destroy(copy);
    }
    ck_assert_int_gt(acts, 0);
    ck_assert_int_gt(redraws, 0);
    ck_assert_int_gt(heard, 0);
}
END_TEST

// Into a commit, records of lines and places, with small numbers. Some lead to the same state in another way.
static void insert_line_records(records *some, kifu_rng *rng, line_record *room, uint32_t count)
{
    static const uint32_t kinds[] = {RECORD_STAND,   RECORD_CUT,  RECORD_BRANCH, RECORD_BRANCH, RECORD_RETURNED,
                                     RECORD_DELETED, RECORD_LEFT, RECORD_TREE,   RECORD_BEGUN,  RECORD_DELETED};
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t kind = kinds[kifu_rng_below(rng, sizeof kinds / sizeof *kinds)];
        const bool two = kind == RECORD_STAND || kind == RECORD_LEFT || kind == RECORD_TREE;
        room[i] = (line_record){kind, kind == RECORD_CUT ? 0 : kind == RECORD_BRANCH ? 3 : two ? 2 : 1, {0}};
        for (uint32_t k = 0; k < 3; k++)
            room[i].numbers[k] = (unsigned char)kifu_rng_below(rng, 3 + kind % 3 + k);
        insert_record(some, (int)kifu_rng_below(rng, (uint32_t)some->count), kind, room[i].numbers, room[i].count);
    }
}

// And a view draws the tree.
START_TEST(M08_R04_any_records_of_lines_do_no_harm)
{
    int acts = 0, heard = 0;
    const lab_view view = {.base = {.context = &acts}, .act_p_do = draw_on_act};
    const kifu_observer observer = {.listen = draw_on_change, KIFU_PART(lab_state, total), .context = &heard};
    unsigned long applied = 0, refused = 0;
    const unsigned long rounds = 40 + fuzz_steps(6000) / 40;
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 23);
    for (unsigned long round = 0; round < rounds; round++) {
        test_memory memory = {.until_failure = -1};
        kifu_options options = both;
        options.view = &view.base;
        options.allocate = test_allocate;
        options.allocate_context = &memory;
        scene scene = scene_of(&options, (uint32_t)(round % 7));
        lab_must(scene.copy, kifu_observe(scene.copy, &observer));
        const change_parts parts = parts_of(scene.good.bytes, scene.good.size);
        const commit *last = &parts.all[parts.count - 1];
        bool refuses = true;
        for (int again = 0; again < 20 && refuses; again++) {
            line_record room[6];
            records some = records_in(last->records, last->records + last->size);
            if (again % 2) // Only the end, so that the others matter.
                memmove(&some.all[0], &some.all[some.count - 1], sizeof(record)), some.count = 1;
            insert_line_records(&some, &rng, room, 1 + kifu_rng_below(&rng, 6));
            kifu_changes bad = with_last(&scene.good, &some);
            refuses = try_changes(scene.copy, &bad, "records of lines");
            free(bad.bytes);
            refused += refuses;
            applied += !refuses;
        }
        if (refuses)
            expect_answer(scene.lab, scene.copy, -1, 0);
        else
            use_tree(scene.copy);
        end_scene(&scene);
        ck_assert_int_eq(memory.blocks, 0);
    }
    ck_assert_msg(applied > rounds / 10 && refused > rounds, "%lu applied, %lu refused", applied, refused);
}
END_TEST

// The past before it was forgotten, so line 1 is the first one. The main line is one whose number is returned, and
// known anew.
START_TEST(M08_R04_a_main_line_that_goes_leaves_the_first_one)
{
    static const line_record records[] = {
        {RECORD_RETURNED, 1, {3}}, {RECORD_BRANCH, 3, {4, 1, 4}}, {RECORD_STAND, 2, {1, 3}}, {0}};
    kifu_timeline *lab = three_lines(), *copy = lab_new(&both);
    lab_must(lab, kifu_go_to(lab, 1, 3, true));
    lab_must(lab, kifu_forget(lab, 2));
    lab_must(lab, lab_play(lab, "5"));
    lab_must(lab, lab_play(lab, "5"));
    lab_must(lab, kifu_go_to(lab, 1, 4, true));
    lab_must(lab, lab_play(lab, "6"));
    ck_assert_uint_eq(kifu_current_line(lab), 3);
    lab_must(lab, kifu_promote_line(lab, 3));
    follow_changes(lab, copy);
    const kifu_stream_position at = kifu_followed(copy);
    lab_must(lab, kifu_go_to(lab, 1, 3, true));
    const kifu_changes all = changes_since(lab, &at), changes = of_line_records(&all, records, kifu_state_hash(lab));
    lab_must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
    ck_assert_uint_eq(kifu_main_line(copy), 1);
    draw_tree(copy);
    free(all.bytes), free(changes.bytes);
    kifu_destroy(lab), kifu_destroy(copy);
}
END_TEST

// --- Hashes ----------------------------------------------------------------------------------------------------------

// The changes of one event, with a wrong hash of it, or, `before`, of the event before.
static kifu_changes with_wrong_hash(kifu_timeline *lab, const kifu_timeline *copy, bool before)
{
    const kifu_stream_position at = kifu_followed(copy);
    kifu_changes changes = changes_since(lab, &at);
    const change_parts parts = parts_of(changes.bytes, changes.size);
    records records = records_in(parts.all[0].records, parts.all[0].records + parts.all[0].size);
    const int hashes = find_record(&records, RECORD_HASHES);
    const unsigned char wrong[9] = {(unsigned char)(kifu_event_count(copy) + !before), 0x5A};
    if (hashes < 0)
        insert_record(&records, records.count - 1, RECORD_HASHES, wrong, sizeof wrong);
    else
        records.all[hashes].body = wrong;
    const kifu_changes made = with_last(&changes, &records);
    free(changes.bytes);
    return made;
}

// A commit has two hashes of the place at which it ends, which must be the same. Of events that the follower had, it
// has hashes itself.
START_TEST(R04_hashes_in_changes_are_of_their_events)
{
    for (int i = 0; i < 32; i++) {
        kifu_options options = i % 2 ? both : none;
        const bool before = i / 2 % 2;
        options.hash_interval = i / 4 % 2 ? 1 : 100;
        kifu_timeline *lab = lab_started(&(kifu_options){.hash_interval = before ? 100 : 1}), *copy = lab_new(&options);
        for (int k = 0; k <= i / 8; k++)
            lab_must(lab, lab_play(lab, "1"));
        follow_whole(lab, copy);
        save kept = save_of(copy, NULL);
        lab_must(lab, lab_play(lab, "2"));
        kifu_changes wrong = with_wrong_hash(lab, copy, before);
        ck_assert_int_eq(kifu_apply_changes(copy, wrong.bytes, wrong.size), before ? KIFU_OK : KIFU_DIVERGED);
        if (!before) {
            expect_saves(copy, &kept);
            follow_changes(lab, copy);
        }
        save now = save_of(copy, NULL);
        kifu_destroy(load_by(&now, &options, NULL));
        free(now.bytes);
        free(kept.bytes);
        free(wrong.bytes);
        kifu_destroy(lab);
        kifu_destroy(copy);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        R04_hashes_in_changes_are_of_their_events,
        R04_memory_may_end_while_a_follower_begins_to_keep_variations,
        R04_memory_may_end_while_lines_and_notes_travel,
        R04_a_commit_with_any_wrong_record_is_taken_back,
        R04_records_of_changes_with_right_checksums_and_wrong_contents_do_no_harm,
        R04_a_line_for_whose_number_there_is_no_room_is_taken_back,
        R04_a_follower_that_refuses_changes_elsewhere_leaves_each_line_where_it_was_left,
        M08_B04_any_record_of_lines_makes_a_follower_keep_them,
        M08_B04_a_line_that_came_with_changes_is_compared_when_it_is_entered,
        M08_R04_a_line_with_a_number_between_others_is_listed_there,
        M08_B04_a_view_may_draw_the_tree_while_lines_go,
        M08_R04_any_records_of_lines_do_no_harm,
        M08_R04_a_main_line_that_goes_leaves_the_first_one,
        M08_R04_a_follower_that_stands_behind_events_that_go_returns_there_if_they_stay,
        M08_R04_lines_that_go_and_begin_in_one_commit_are_brought_back,
    };
    return run_suite("changes_tree_records", tests, sizeof tests / sizeof *tests);
}
