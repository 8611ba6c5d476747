// Forgetting: a game whose past was dropped goes on as one that has all of it. What is before, it refuses.

#include "crawl_help.h"
#include "history_help.h"
#include "lab_help.h"
#include "save_help.h"
#include "suite.h"

// The same from the first event on that `brief` has; `whole` has forgotten nothing.
static void must_agree(kifu_timeline *whole, kifu_timeline *brief)
{
    const uint32_t first = kifu_first_event(brief), count = kifu_event_count(whole);
    must_be(kifu_event_count(brief) == count && first <= count);
    must_be(kifu_state_hash(whole) == kifu_state_hash(brief));
    must_be(kifu_pending_count(whole) == kifu_pending_count(brief));
    must_be(kifu_can_redo(whole, NULL) == kifu_can_redo(brief, NULL));
    uint32_t hash_count;
    saved_hash *hashes = hashes_of(brief, &hash_count);
    must_be(!first || !hash_count || hashes[0].event_count > first);
    free(hashes);
    kifu_event a, b;
    for (uint32_t i = count > 100 ? count - 100 : 0; kifu_event_at(whole, i, &a); i++) {
        must_be(kifu_event_at(brief, i, &b) == (i >= first));
        const uint32_t cause = a.cause != KIFU_NONE && a.cause < first ? KIFU_NONE : a.cause;
        must_be(i < first || (a.type == b.type && cause == b.cause && a.player == b.player && a.flags == b.flags));
    }
    const uint32_t chain = kifu_can_undo(whole, NULL);
    must_be(kifu_can_undo(brief, NULL) == (chain <= count - first ? chain : 0));
}

static void must_agree_in_the_past(kifu_timeline *whole, kifu_timeline *brief, uint32_t choice)
{
    const uint32_t first = kifu_first_event(brief), count = kifu_event_count(brief);
    const uint32_t back = first + choice % (count - first + 1);
    lab_state one, other;
    must(brief, kifu_verify_replay(brief, NULL));
    must(whole, kifu_state_at(whole, back, &one, sizeof one));
    must(brief, kifu_state_at(brief, back, &other, sizeof other));
    must_be(!memcmp(&one, &other, sizeof one));
    must(brief, kifu_seek(brief, back));
    must_be(!memcmp(lab_get_state(brief), &one, sizeof one));
    must(brief, kifu_seek(brief, KIFU_PRESENT));
    if (first) {
        must_refuse(brief, kifu_seek(brief, first - 1));
        must_refuse(brief, kifu_state_at(brief, first - 1, &one, sizeof one));
    }
    kifu_cursor *cursor;
    must(brief, kifu_cursor_open(brief, KIFU_PRESENT, &cursor));
    while (kifu_cursor_position(cursor) > first)
        must(brief, kifu_cursor_back(cursor));
    must_refuse(brief, kifu_cursor_back(cursor));
    kifu_cursor_close(cursor);
}

// Any place up to now, but inside no chain that undo could take back.
static void forget_some(kifu_timeline *brief, uint32_t choice)
{
    const uint32_t chain = kifu_can_undo(brief, NULL);
    const uint32_t before = kifu_first_event(brief), count = choice % (kifu_event_count(brief) + 1);
    kifu_timeline *lab = brief;
    must(lab, kifu_forget(lab, choice % 8 ? count : KIFU_PRESENT));
    must_be(kifu_first_event(brief) >= before);
    must_be(kifu_first_event(brief) <= (count > before || choice % 8 == 0 ? kifu_event_count(brief) : before));
    if (!chain || kifu_first_event(brief) == before)
        return;
    const uint32_t behind = kifu_event_count(brief) - kifu_first_event(brief);
    if (behind >= chain)
        return;
    kifu_timeline *fork = fork_of(brief, KIFU_PRESENT, NULL);
    must(fork, kifu_drop_inputs(fork));
    must_be(behind == 0 && kifu_pending_count(fork) == 0); // No consequence waits.
    kifu_destroy(fork);
}

// Takes the place of the timeline.
static kifu_timeline *instead(kifu_timeline *timeline, kifu_timeline *other)
{
    kifu_destroy(timeline);
    return other;
}

START_TEST(V11_a_game_that_forgets_goes_on_as_one_that_does_not)
{
    uint32_t seed = (uint32_t)fuzz_seed();
    unsigned forgotten = 0, undone = 0, waited = 0;
    for (unsigned long n = fuzz_steps(200); n; n--) {
        const kifu_options options = {.quiet = true,
                                      .from_state = kifu_begin_from_state,
                                      .hash_interval = 1 + next_random(&seed) % 9,
                                      .sync_test = n % 16 == 0 ? kifu_sync_test : NULL};
        kifu_timeline *whole = lab_started(&options), *brief = lab_started(&options);
        for (uint32_t i = next_random(&seed) % 200; i; i--) {
            const uint32_t choice = next_random(&seed);
            if (choice % 12 < 2 && !kifu_can_undo(brief, NULL)) // before its beginning
                continue;
            undone += choice % 12 < 2;
            random_lab_step(whole, choice);
            random_lab_step(brief, choice);
            if (choice >> 4 & 7)
                continue;
            waited += kifu_pending_count(brief) > 0;
            const uint32_t first = kifu_first_event(brief);
            forget_some(brief, next_random(&seed));
            forgotten += kifu_first_event(brief) > first;
            must_agree(whole, brief);
            must_agree_in_the_past(whole, brief, next_random(&seed));
            if (choice % 5 == 0) { // What redo could bring back is gone from both.
                whole = instead(whole, fork_of(whole, KIFU_PRESENT, NULL));
                brief = instead(brief, fork_of(brief, choice % 2 ? KIFU_PRESENT : KIFU_WITHOUT_PAST, NULL));
            }
        }
        while (kifu_can_undo(brief, NULL)) {
            must(brief, kifu_undo(brief));
            must(whole, kifu_undo(whole));
        }
        must_agree(whole, brief);
        while (kifu_can_redo(brief, NULL)) {
            must(brief, kifu_redo(brief));
            must(whole, kifu_redo(whole));
        }
        must_agree(whole, brief);
        kifu_destroy(brief);
        kifu_destroy(whole);
    }
    ck_assert_uint_gt(forgotten, 200);
    ck_assert_uint_gt(undone, 200);
    ck_assert_uint_gt(waited, 200);
}
END_TEST

// --- Lines -----------------------------------------------------------------------------------------------------------

// Of the events that are there still, and those of the game itself.
static void must_have_the_same_notes(kifu_timeline *whole, kifu_timeline *brief, unsigned *noted)
{
    const uint32_t first = kifu_first_event(brief);
    kifu_note here = {0}, there = {0};
    kifu_line line;
    while (kifu_next_note(whole, &there)) {
        bool stays = there.event == KIFU_BEFORE_FIRST;
        for (uint32_t i = 0; !stays && kifu_line_at(brief, i, &line); i++)
            stays = line.id == there.line && there.event >= first;
        if (!stays)
            continue;
        must_be(kifu_next_note(brief, &here));
        must_be(here.line == there.line && here.event == there.event && !strcmp(here.text, there.text));
        ++*noted;
    }
    must_be(!kifu_next_note(brief, &here));
}

static void write_note(kifu_timeline *whole, kifu_timeline *brief, uint32_t choice)
{
    const uint32_t first = kifu_first_event(brief), event = first + choice % (kifu_event_count(brief) - first + 1);
    char text[12];
    sprintf(text, "%u", choice % 1000);
    const uint32_t place = event < kifu_event_count(brief) ? event : KIFU_BEFORE_FIRST;
    must(whole, kifu_set_note(whole, place, "key", text));
    must(brief, kifu_set_note(brief, place, "key", text));
}

static void must_have_the_same_lines(kifu_timeline *whole, kifu_timeline *brief)
{
    const uint32_t first = kifu_first_event(brief);
    kifu_line a, b;
    kifu_event one, other;
    must_be(kifu_current_line(whole) == kifu_current_line(brief));
    for (uint32_t i = 0, k = 0; kifu_line_at(brief, i, &b); i++) {
        do
            must_be(kifu_line_at(whole, k++, &a));
        while (a.id != b.id);
        must_be(b.from >= first && a.from + a.count == b.from + b.count && a.current == b.current);
        must_be((b.parent == b.id && b.from == first) || (a.parent == b.parent && a.from == b.from));
        for (uint32_t event = b.from; event < b.from + b.count; event++) {
            must_be(kifu_line_event(whole, a.id, event, &one) && kifu_line_event(brief, b.id, event, &other));
            must_be(one.type == other.type && one.player == other.player);
        }
    }
}

START_TEST(V11_what_branches_off_before_goes_and_the_other_lines_stay)
{
    uint32_t seed = (uint32_t)fuzz_seed();
    unsigned deleted = 0, stayed = 0, went = 0, moved = 0, noted = 0;
    for (unsigned long n = fuzz_steps(150); n; n--) {
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {.quiet = true,
                                      .from_state = kifu_begin_from_state,
                                      .keep_variations = kifu_keep_variations,
                                      .keep_notes = kifu_keep_notes,
                                      .hash_interval = 1 + next_random(&seed) % 9,
                                      .allocate = test_allocate,
                                      .allocate_context = &memory};
        kifu_timeline *whole = lab_started(&options), *brief = lab_started(&options);
        for (uint32_t i = next_random(&seed) % 250; i; i--) {
            const uint32_t choice = next_random(&seed), other = next_random(&seed);
            kifu_line line;
            if (choice % 12 < 2 && !kifu_can_undo(brief, NULL))
                continue;
            if (other % 3)
                random_lab_step(whole, choice), random_lab_step(brief, choice);
            else if (!kifu_pending_count(brief) && kifu_line_at(brief, choice % kifu_line_count(brief), &line)) {
                const uint32_t from = line.from, to = from + (other >> 4) % (line.count + 1);
                if (to == kifu_first_event(brief)) // There, a chain that nobody can undo may be cut.
                    continue;
                const kifu_result result = kifu_go_to(whole, line.id, to, true);
                must_be(kifu_go_to(brief, line.id, to, true) == result);
                went += !result;
            }
            if (other % 4 == 0)
                write_note(whole, brief, other >> 8);
            const uint32_t lines = kifu_line_count(brief);
            must_be(kifu_line_at(brief, lines - 1, &line));
            // A line that has only begun is found to repeat another one, or not, if that was forgotten meanwhile.
            if (choice >> 4 & 7 || (line.current && kifu_pending_count(brief)))
                continue;
            forget_some(brief, next_random(&seed));
            deleted += lines - kifu_line_count(brief);
            stayed += kifu_line_count(brief) - 1;
            must_be(kifu_line_at(brief, 0, &line));
            moved += line.id > 0;
            must_agree(whole, brief);
            must_have_the_same_lines(whole, brief);
            must_have_the_same_notes(whole, brief, &noted);
            must_agree_in_the_past(whole, brief, next_random(&seed));
        }
        kifu_destroy(brief);
        kifu_destroy(whole);
        ck_assert_int_eq(memory.blocks, 0);
    }
    ck_assert_uint_gt(deleted, 100);
    ck_assert_uint_gt(stayed, 100);
    ck_assert_uint_gt(went, 100);
    ck_assert_uint_gt(moved, 50);
    ck_assert_uint_gt(noted, 100);
}
END_TEST

START_TEST(M08_B04_a_line_that_is_forgotten_counts_as_a_change)
{
    const kifu_options options = {.quiet = true, .keep_variations = kifu_keep_variations};
    kifu_timeline *lab = lab_started(&options);
    for (int i = 0; i < 3; i++)
        must(lab, lab_play(lab, "+"));
    must(lab, kifu_undo(lab));
    must(lab, kifu_undo(lab));
    must(lab, lab_play(lab, "-"));
    const uint64_t count = kifu_change_count(lab);
    const uint32_t end = kifu_event_count(lab);
    must(lab, kifu_forget(lab, 1));
    ck_assert_uint_eq(kifu_line_count(lab), 2);
    ck_assert_uint_eq(kifu_change_count(lab), count);
    must(lab, kifu_forget(lab, end));
    ck_assert_uint_eq(kifu_line_count(lab), 1);
    ck_assert_uint_eq(kifu_change_count(lab), count + 1);
    kifu_destroy(lab);
}
END_TEST

// --- Timed events ----------------------------------------------------------------------------------------------------

static void crawl_on(kifu_timeline *crawl, uint32_t number, uint32_t choice)
{
    if (choice % 3 == 0 && timer_count(crawl) < 8)
        bell_at(crawl, number, crawl_get_state(crawl)->turns.turn + 1 + choice % 9, choice % 5);
    else if (choice % 7 == 0)
        crawl_submit_e_cancel(crawl, choice % 5);
    else if (choice % 3 == 1)
        crawl_submit_e_start_round(crawl);
    else
        crawl_submit_e_begin_turn(crawl);
    must(crawl, kifu_run(crawl));
}

START_TEST(V11_timed_events_that_wait_happen_all_the_same)
{
    uint32_t seed = (uint32_t)fuzz_seed();
    unsigned timed = 0, rang = 0;
    for (unsigned long n = fuzz_steps(60); n; n--) {
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {
            .quiet = true, .from_state = kifu_begin_from_state, .allocate = test_allocate, .allocate_context = &memory};
        kifu_timeline *whole = crawl_new(&options), *brief = crawl_new(&options);
        for (uint32_t i = 0; i < 150; i++) {
            const uint32_t choice = next_random(&seed);
            crawl_on(whole, i, choice);
            crawl_on(brief, i, choice);
            if (choice >> 4 & 7)
                continue;
            must(brief, kifu_forget(brief, choice % 2 ? KIFU_PRESENT : kifu_event_count(brief) - choice % 3));
            timed += timer_count(brief);
            must_agree(whole, brief);
            must(brief, kifu_verify_replay(brief, NULL));
            if (choice % 5 == 0)
                brief = instead(brief, fork_of(brief, choice % 2 ? KIFU_PRESENT : KIFU_WITHOUT_PAST, &options));
        }
        rang += crawl_get_state(brief)->bell_count;
        ck_assert_str_eq(bells(whole), bells(brief));
        kifu_destroy(brief);
        kifu_destroy(whole);
        ck_assert_int_eq(memory.blocks, 0);
    }
    ck_assert_uint_gt(timed, 100);
    ck_assert_uint_gt(rang, 100);
}
END_TEST

static kifu_result do_nothing(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)crawl, (void)actor, (void)number;
    return KIFU_OK;
}

// Timed before all that the game has, it rings in each line.
static void must_ring(kifu_timeline *crawl)
{
    ck_assert_uint_eq(timer_count(crawl), 1);
    while (timer_count(crawl)) {
        crawl_submit_e_begin_turn(crawl);
        must(crawl, kifu_run(crawl));
    }
    ck_assert_str_eq(bells(crawl), "77");
}

static kifu_timeline *load_crawl(const char *path, const kifu_options *options, const kifu_codec *codec)
{
    kifu_timeline *loaded;
    kifu_error error;
    const kifu_load_options how = {.codec = codec, .recover = kifu_recover};
    const kifu_result result = kifu_load(&crawl_rules, path, options, &how, &loaded, &error);
    ck_assert_msg(!result, "%s", error.message);
    return loaded;
}

// The first line has many segments, and the game stands in another one, which has one.
START_TEST(F95_timed_events_before_a_long_first_line_are_loaded_in_another_line)
{
    enum { EVENTS = 80000 };
    const kifu_options options = {.quiet = true,
                                  .keep_variations = kifu_keep_variations,
                                  .from_state = kifu_begin_from_state,
                                  .user = &test_hooks};
    const kifu_codec *const codecs[] = {NULL, &kifu_compact, NULL}; // The last one is a log file.
    kifu_timeline *crawl = crawl_new(&options);
    char *folder = new_folder();
    const char *path = in_folder(folder, "crawl.kifu");
    bell_at(crawl, 77, crawl_get_state(crawl)->turns.turn + 3, 0);
    must(crawl, kifu_run(crawl));
    must(crawl, kifu_forget(crawl, KIFU_PRESENT));
    const uint32_t first = kifu_first_event(crawl);
    for (uint32_t i = 0; i < EVENTS; i++)
        must(crawl, crawl_do(crawl, do_nothing, 0, 0));
    must(crawl, kifu_go_to(crawl, 0, first + 1, true));
    must(crawl, crawl_do(crawl, do_nothing, 0, 1));
    ck_assert_uint_eq(kifu_current_line(crawl), 1);
    const uint64_t hash = kifu_state_hash(crawl);
    for (int i = 0; i < 3; i++) {
        if (i < 2)
            must(crawl, kifu_save(crawl, path, &(kifu_save_options){.codec = codecs[i]}));
        else
            must(crawl, kifu_log_open(crawl, path, NULL));
        kifu_timeline *loaded = load_crawl(path, &options, codecs[i]);
        ck_assert_uint_eq(kifu_first_event(loaded), first);
        ck_assert_uint_eq(kifu_line_count(loaded), 2);
        ck_assert_uint_eq(kifu_current_line(loaded), 1);
        must_be(kifu_state_hash(loaded) == hash);
        must_ring(loaded);
        kifu_destroy(loaded);
        loaded = load_crawl(path, &options, codecs[i]);
        must(loaded, kifu_go_to(loaded, 0, first + EVENTS, true));
        must_ring(loaded);
        kifu_destroy(loaded);
    }
    kifu_destroy(crawl);
    remove_folder(folder);
}
END_TEST

// --- Memory ----------------------------------------------------------------------------------------------------------

START_TEST(V11_a_game_that_forgets_needs_no_more_memory_however_long_it_is)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.quiet = true, .allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *crawl = crawl_new(&options);
    for (uint32_t round = 0; round < 40; round++) {
        for (uint32_t i = 0; i < 5000; i++) {
            if (i % 500 == 0 && timer_count(crawl) < 8)
                bell_at(crawl, i, crawl_get_state(crawl)->turns.turn + 1 + i % 3, 0);
            else if (i % 2000 == 1999)
                crawl_submit_e_begin_turn(crawl);
            else
                crawl_submit_e_start_round(crawl);
            must(crawl, kifu_run(crawl));
        }
        must(crawl, kifu_forget(crawl, kifu_event_count(crawl) - 1000));
        ck_assert_uint_lt(memory.bytes, 400000);
    }
    ck_assert_uint_gt(kifu_first_event(crawl), 190000);
    kifu_destroy(crawl);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

// With events of its own behind, which do not lie in it.
START_TEST(M08_V11_a_file_that_is_forgotten_gives_its_memory_back)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.quiet = true, .allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *lab = lab_started(&options), *loaded;
    for (int i = 0; i < 5000; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    unsigned char *bytes;
    size_t size;
    must(lab, kifu_save_to_memory(lab, NULL, &bytes, &size));
    const size_t before = memory.bytes;
    must(lab, kifu_load_from_memory(&lab_rules, bytes, size, &options, NULL, &loaded, NULL));
    kifu_free_bytes(lab, bytes);
    must(loaded, lab_play(loaded, "+"));
    must(loaded, kifu_forget(loaded, KIFU_PRESENT));
    ck_assert_uint_lt(memory.bytes, before);
    kifu_destroy(loaded);
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

// In less room than it had.
START_TEST(M08_V11_a_log_that_was_forgotten_grows_again)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *lab =
        lab_started(&(kifu_options){.quiet = true, .allocate = test_allocate, .allocate_context = &memory});
    for (int i = 0; i < 160000; i++) {
        if (i == 60000)
            must(lab, kifu_forget(lab, KIFU_PRESENT));
        lab_submit_p_add(lab, 0, 1);
        must(lab, kifu_run(lab));
    }
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

static void add_some(kifu_timeline *lab, int amount, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        lab_submit_p_add(lab, 0, amount);
        must(lab, kifu_run(lab));
    }
}

START_TEST(V11_lines_that_are_forgotten_give_their_memory_back)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {
        .quiet = true, .keep_variations = kifu_keep_variations, .allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *lab = lab_started(&options);
    size_t first = 0;
    for (uint32_t round = 0; round < 20; round++) {
        add_some(lab, 1, 2000);
        must(lab, kifu_go_to(lab, kifu_current_line(lab), kifu_event_count(lab) - 1000, true));
        add_some(lab, 2, 500);
        ck_assert_uint_eq(kifu_line_count(lab), 2);
        must(lab, kifu_forget(lab, kifu_event_count(lab) - 100));
        ck_assert_uint_eq(kifu_line_count(lab), 1);
        first = round ? first : memory.bytes;
        ck_assert_uint_lt(memory.bytes, first + 20000);
    }
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

START_TEST(V11_without_memory_nothing_is_forgotten)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.quiet = true,
                                  .from_state = kifu_begin_from_state,
                                  .hash_interval = 2,
                                  .keep_variations = kifu_keep_variations,
                                  .allocate = test_allocate,
                                  .allocate_context = &memory};
    kifu_timeline *whole = crawl_new(&options);
    for (uint32_t i = 0; i < 40; i++) {
        crawl_submit_e_start_round(whole);
        if (i % 5 == 0)
            bell_at(whole, i, 2 + i % 3, 0);
        must(whole, kifu_run(whole));
    }
    for (long n = 0, more = 1; more; n++) {
        kifu_timeline *brief = fork_of(whole, KIFU_PRESENT, &options);
        memory.until_failure = n;
        memory.failed = false;
        const kifu_result result = kifu_forget(brief, 30);
        memory.until_failure = -1;
        more = memory.failed;
        ck_assert(result == (kifu_first_event(brief) == 30 ? KIFU_OK : KIFU_NO_MEMORY));
        ck_assert(more || !result);
        must_agree(whole, brief);
        must(brief, kifu_verify_replay(brief, NULL));
        kifu_timeline *with = fork_of(whole, KIFU_PRESENT, &options);
        for (int i = 0; i < 4; i++) {
            crawl_submit_e_begin_turn(with);
            crawl_submit_e_begin_turn(brief);
            must(with, kifu_run(with));
            must(brief, kifu_run(brief));
        }
        must_agree(with, brief);
        kifu_destroy(with);
        kifu_destroy(brief);
    }
    kifu_destroy(whole);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

// Another stream begins. The whole game begins with a state, for which both sides need an option.
START_TEST(V11_a_game_that_has_forgotten_its_past_is_followed)
{
    const kifu_options options = {.from_state = kifu_begin_from_state};
    kifu_timeline *lab = lab_started(&options), *copy = lab_new(&options), *other = lab_started(NULL);
    kifu_stream_position at = {0};
    for (int i = 0; i < 4; i++) {
        kifu_changes changes;
        if (i == 1 || i == 3)
            must(lab, lab_play(lab, "+"));
        else if (i == 2)
            must(lab, kifu_forget(lab, KIFU_PRESENT));
        const uint64_t count = kifu_change_count(lab);
        must(lab, kifu_changes_since(lab, &at, &changes));
        ck_assert_int_eq(changes.whole, i % 2 == 0);
        must(copy, kifu_apply_changes(copy, changes.bytes, changes.size));
        ck_assert_uint_eq(kifu_change_count(lab), count);
        at = changes.until;
        kifu_free_bytes(lab, changes.bytes);
        must_agree(lab, copy);
    }
    kifu_changes none;
    must(other, kifu_forget(other, KIFU_PRESENT));
    must_refuse(other, kifu_changes_since(other, NULL, &none));
    must_say(other, "from_state");
    kifu_changes changes;
    must(lab, kifu_changes_since(lab, NULL, &changes));
    ck_assert_int_ne(kifu_apply_changes(other, changes.bytes, changes.size), KIFU_OK);
    kifu_free_bytes(lab, changes.bytes);
    kifu_destroy(other);
    kifu_destroy(copy);
    kifu_destroy(lab);
}
END_TEST

// --- What is refused, and what is said -------------------------------------------------------------------------------

START_TEST(V11_undo_stops_at_the_place_and_a_chain_stays_whole)
{
    kifu_timeline *lab = lab_started(NULL);
    for (int i = 0; i < 6; i++)
        must(lab, lab_play(lab, "+(r)"));
    const uint32_t count = kifu_event_count(lab), chain = kifu_can_undo(lab, NULL);
    ck_assert_uint_gt(chain, 1);
    must(lab, kifu_forget(lab, count - 1)); // inside the last chain
    ck_assert_uint_eq(kifu_first_event(lab), count - chain);
    must(lab, kifu_undo(lab));
    ck_assert_int_eq(kifu_undo(lab), KIFU_NOTHING_TO_UNDO);
    must_say(lab, "forgotten");
    must(lab, kifu_redo(lab));
    must(lab, kifu_forget(lab, 3)); // That is gone already.
    ck_assert_uint_eq(kifu_first_event(lab), count - chain);
    must(lab, kifu_forget(lab, KIFU_PRESENT));
    ck_assert_uint_eq(kifu_first_event(lab), count);
    ck_assert_int_eq(kifu_undo(lab), KIFU_NOTHING_TO_UNDO);
    kifu_event event;
    ck_assert(!kifu_event_at(lab, count - 1, &event) && !kifu_event_at(lab, 0, &event));
    kifu_destroy(lab);

    lab = lab_new(NULL);
    must(lab, lab_play(lab, "+(+)"));
    const uint64_t change = kifu_change_count(lab);
    must(lab, kifu_forget(lab, 1)); // inside the first chain: nothing is forgotten
    ck_assert_uint_eq(kifu_first_event(lab), 0);
    ck_assert_uint_eq(kifu_change_count(lab), change);
    unsigned char *bytes;
    size_t size;
    must(lab, kifu_save_to_memory(lab, NULL, &bytes, &size)); // as a game that has all of its past
    kifu_free_bytes(lab, bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(M08_undo_behind_the_place_executes_nothing)
{
    unsigned long executed = 0; // PAdd counts.
    kifu_timeline *lab = lab_started(&(kifu_options){.user = &executed});
    for (int i = 0; i < 100; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    must(lab, kifu_forget(lab, 50));
    for (int i = 0; i < 40; i++)
        must(lab, kifu_undo(lab));
    ck_assert_uint_eq(executed, 100);
    kifu_destroy(lab);
}
END_TEST

static void reset_model(void *user)
{
    (void)user;
}

START_TEST(V11_a_past_that_is_looked_at_or_may_come_back_is_not_forgotten)
{
    kifu_timeline *lab = lab_started(NULL);
    for (int i = 0; i < 6; i++)
        must(lab, lab_play(lab, "+"));
    kifu_cursor *cursor;
    must(lab, kifu_cursor_open(lab, 2, &cursor));
    must_refuse(lab, kifu_forget(lab, kifu_event_count(lab) + 1));
    must_say(lab, "kifu_forget of the first 8 events, but only 7 have happened (kifu_event_count)");
    must(lab, kifu_begin(lab, 0));
    must_refuse(lab, kifu_forget(lab, 3));
    must(lab, kifu_roll_back(lab));
    must(lab, kifu_seek(lab, 3));
    must_refuse(lab, kifu_forget(lab, 3));
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    ck_assert_uint_eq(kifu_first_event(lab), 0);
    must(lab, kifu_forget(lab, 5));
    must_refuse(lab, kifu_cursor_forward(cursor));
    must_say(lab, "forgotten");
    must_refuse(lab, kifu_cursor_back(cursor));
    kifu_cursor_close(cursor);
    kifu_destroy(lab);

    lab = lab_started(&(kifu_options){.reset = reset_model});
    must_refuse(lab, kifu_forget(lab, 1));
    must_say(lab, "kifu_forget: this game keeps its model outside the state");
    ck_assert_uint_eq(kifu_first_event(lab), 0);
    kifu_destroy(lab);
}
END_TEST

// A large input waits after the third event, or it did so for a while.
START_TEST(M08_V11_what_waited_where_all_is_forgotten_gives_its_memory_back)
{
    enum { LARGE = 20000 };
    static char script[LARGE + 1];
    memset(script, '+', LARGE);
    for (int again = 0; again < 2; again++) {
        test_memory memory = {.until_failure = -1};
        kifu_timeline *lab = lab_started(&(kifu_options){.allocate = test_allocate, .allocate_context = &memory});
        for (int i = 0; i < 4; i++)
            must(lab, lab_play(lab, "1"));
        must(lab, kifu_go_to(lab, 0, 3, false));
        lab_do(lab, 0, script, 1);
        must(lab, kifu_undo(lab));
        if (again) {
            must(lab, kifu_redo(lab));
            ck_assert_uint_eq(kifu_pending_count(lab), 1);
            must(lab, kifu_drop_inputs(lab));
        }
        must(lab, kifu_go_to(lab, 0, 5, false));
        const size_t before = memory.bytes;
        must(lab, kifu_forget(lab, 4));
        ck_assert_uint_lt(memory.bytes, before - LARGE / 2);
        ck_assert_uint_eq(kifu_pending_count(lab), 0);
        must(lab, kifu_verify_replay(lab, NULL));
        kifu_destroy(lab);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

static bool take_info(void *context, const kifu_save_info *info)
{
    kifu_save_info *taken = (kifu_save_info *)context;
    taken->first_event = info->first_event;
    taken->event_count = info->event_count;
    return true;
}

// The file is written anew then, with the header that it was opened with.
START_TEST(M08_V11_the_header_of_a_log_file_says_with_which_event_it_begins)
{
    const kifu_options options = {.quiet = true, .from_state = kifu_begin_from_state};
    kifu_timeline *lab = lab_started(&options);
    char *folder = new_folder();
    const char *path = in_folder(folder, "lab.kifu");
    must(lab, kifu_log_open(lab, path, NULL));
    for (int i = 0; i < 20; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    must(lab, kifu_forget(lab, kifu_event_count(lab) - 5));
    must(lab, kifu_log_append(lab));
    kifu_save_info info;
    ck_assert_int_eq(kifu_read_save_info(path, take_info, &info, NULL, NULL), KIFU_OK);
    ck_assert_uint_gt(kifu_first_event(lab), 0);
    ck_assert_int_eq(kifu_go_to(lab, 0, kifu_first_event(lab) - 1, true), KIFU_MISUSE);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, "is forgotten"));
    ck_assert_uint_eq(info.first_event, kifu_first_event(lab));
    ck_assert_uint_eq(info.event_count, kifu_event_count(lab));
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        V11_a_game_that_forgets_goes_on_as_one_that_does_not,
        V11_what_branches_off_before_goes_and_the_other_lines_stay,
        M08_B04_a_line_that_is_forgotten_counts_as_a_change,
        V11_timed_events_that_wait_happen_all_the_same,
        F95_timed_events_before_a_long_first_line_are_loaded_in_another_line,
        V11_a_game_that_forgets_needs_no_more_memory_however_long_it_is,
        V11_lines_that_are_forgotten_give_their_memory_back,
        M08_V11_a_file_that_is_forgotten_gives_its_memory_back,
        M08_V11_a_log_that_was_forgotten_grows_again,
        V11_without_memory_nothing_is_forgotten,
        V11_a_game_that_has_forgotten_its_past_is_followed,
        M08_undo_behind_the_place_executes_nothing,
        V11_undo_stops_at_the_place_and_a_chain_stays_whole,
        V11_a_past_that_is_looked_at_or_may_come_back_is_not_forgotten,
        M08_V11_what_waited_where_all_is_forgotten_gives_its_memory_back,
        M08_V11_the_header_of_a_log_file_says_with_which_event_it_begins,
    };
    return run_suite("forget", tests, sizeof tests / sizeof *tests);
}
