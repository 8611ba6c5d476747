// Saves and log files that begin from a state.

#include "crawl_help.h"
#include "log_file_help.h"
#include "run_codec.h"
#include "suite.h"

static const kifu_options from_state = {.quiet = true, .from_state = kifu_begin_from_state};

// All that can be seen of two games from where they begin.
static void must_be_equal(kifu_timeline *one, kifu_timeline *other)
{
    const uint32_t first = kifu_first_event(one), count = kifu_event_count(one);
    must_be(kifu_first_event(other) == first && kifu_event_count(other) == count);
    must_be(kifu_state_hash(one) == kifu_state_hash(other));
    must_be(kifu_pending_count(one) == kifu_pending_count(other));
    must_be(kifu_can_undo(one, NULL) == kifu_can_undo(other, NULL));
    must_be(kifu_can_redo(one, NULL) == kifu_can_redo(other, NULL));
    kifu_event a, b;
    for (uint32_t i = first; i < count; i++) {
        must_be(kifu_event_at(one, i, &a) && kifu_event_at(other, i, &b));
        must_be(a.type == b.type && a.cause == b.cause && a.player == b.player && a.flags == b.flags);
    }
    for (uint32_t i = 0; kifu_pending_at(one, i, &a); i++)
        must_be(kifu_pending_at(other, i, &b) && a.type == b.type && a.player == b.player && a.flags == b.flags);
}

static kifu_timeline *load(const kifu_rules *rules, const unsigned char *bytes, size_t size,
                           const kifu_options *options, const kifu_load_options *load_options)
{
    kifu_timeline *loaded;
    kifu_error error;
    const kifu_result result = kifu_load_from_memory(rules, bytes, size, options, load_options, &loaded, &error);
    ck_assert_msg(!result, "%s", error.message);
    return loaded;
}

// Saved and loaded in one of six ways: plain, packed or packed small, fast or not.
static kifu_timeline *reload_by(kifu_timeline *timeline, uint32_t way, const kifu_options *options)
{
    const kifu_codec *codec = way % 3 == 0 ? NULL : way % 3 == 1 ? &run_codec : &kifu_compact;
    const kifu_save_options save_options = {.codec = codec, .without_schema = way % 7 == 0};
    const kifu_load_options load_options = {.codec = codec, .fast = way % 2};
    unsigned char *bytes;
    size_t size;
    must(timeline, kifu_save_to_memory(timeline, &save_options, &bytes, &size));
    kifu_timeline *loaded = load(kifu_timeline_rules(timeline), bytes, size, options, &load_options);
    kifu_free_bytes(timeline, bytes);
    return loaded;
}

static void there_and_back(kifu_timeline *one, kifu_timeline *other)
{
    while (kifu_can_redo(one, NULL)) {
        must(one, kifu_redo(one));
        must(other, kifu_redo(other));
        must_be_equal(one, other);
    }
    while (kifu_can_undo(one, NULL)) {
        must(one, kifu_undo(one));
        must(other, kifu_undo(other));
        must_be_equal(one, other);
    }
}

START_TEST(V11_a_save_begins_with_the_state_and_loads_to_the_same_game)
{
    uint32_t seed = (uint32_t)fuzz_seed();
    unsigned rooted = 0, waited = 0, undone = 0;
    for (unsigned long n = fuzz_steps(150); n; n--) {
        test_memory memory = {.until_failure = -1};
        kifu_options options = from_state;
        options.hash_interval = 1 + next_random(&seed) % 9;
        options.allocate = test_allocate;
        options.allocate_context = &memory;
        kifu_timeline *whole = lab_started(&options), *brief = lab_started(&options);
        for (uint32_t i = next_random(&seed) % 150; i; i--) {
            const uint32_t choice = next_random(&seed);
            if (choice % 12 < 2 && !kifu_can_undo(brief, NULL)) // before its beginning
                continue;
            random_lab_step(whole, choice);
            random_lab_step(brief, choice);
            if (choice >> 4 & 7)
                continue;
            must(brief, kifu_forget(brief, next_random(&seed) % (kifu_event_count(brief) + 1)));
            kifu_timeline *loaded = reload_by(brief, next_random(&seed), &options);
            rooted += kifu_first_event(loaded) > 0;
            waited += kifu_pending_count(loaded) > 0;
            undone += kifu_can_redo(loaded, NULL) > 0;
            must_be_equal(brief, loaded);
            must_be(kifu_state_hash(loaded) == kifu_state_hash(whole));
            must(loaded, kifu_verify_replay(loaded, NULL));
            if (choice % 3) { // It goes on in its place.
                kifu_destroy(brief);
                brief = loaded;
                continue;
            }
            kifu_timeline *again = reload_by(loaded, next_random(&seed), &options);
            there_and_back(loaded, again);
            kifu_destroy(again);
            kifu_destroy(loaded);
        }
        kifu_destroy(brief);
        kifu_destroy(whole);
        ck_assert_int_eq(memory.blocks, 0);
    }
    ck_assert_uint_gt(rooted, 200);
    ck_assert_uint_gt(waited, 100);
    ck_assert_uint_gt(undone, 50);
}
END_TEST

// With its variations, also where the first line is not line 0 any more.
START_TEST(V11_the_lines_that_are_left_are_in_the_save)
{
    uint32_t seed = (uint32_t)fuzz_seed();
    unsigned lines = 0, moved = 0;
    for (unsigned long n = fuzz_steps(60); n; n--) {
        kifu_options options = from_state;
        options.keep_variations = kifu_keep_variations;
        kifu_timeline *brief = lab_started(&options);
        for (uint32_t i = next_random(&seed) % 200; i; i--) {
            const uint32_t choice = next_random(&seed);
            random_lab_step(brief, choice);
            if (choice >> 4 & 15)
                continue;
            must(brief, kifu_forget(brief, next_random(&seed) % (kifu_event_count(brief) + 1)));
            kifu_timeline *loaded = reload_by(brief, choice, &options);
            must_be_equal(brief, loaded);
            kifu_line a, b;
            for (uint32_t k = 0; kifu_line_at(brief, k, &a); k++) {
                must_be(kifu_line_at(loaded, k, &b));
                must_be(a.id == b.id && a.parent == b.parent && a.from == b.from && a.count == b.count);
                must_be(a.main == b.main && a.current == b.current);
                lines++;
                moved += a.id == a.parent && a.id > 0;
            }
            must_be(kifu_line_count(brief) == kifu_line_count(loaded));
            kifu_destroy(brief);
            brief = loaded;
        }
        kifu_destroy(brief);
    }
    ck_assert_uint_gt(lines, 200);
    ck_assert_uint_gt(moved, 30);
}
END_TEST

START_TEST(V11_a_fork_without_a_past_can_be_saved)
{
    kifu_timeline *lab = lab_started(&from_state);
    must(lab, lab_play(lab, "+(r)"));
    kifu_timeline *fork = fork_of(lab, KIFU_WITHOUT_PAST, &from_state);
    must(fork, lab_play(fork, "+(r)"));
    for (uint32_t way = 0; way < 6; way++) {
        kifu_timeline *loaded = reload_by(fork, way, &from_state);
        must_be_equal(fork, loaded);
        kifu_destroy(loaded);
    }
    kifu_destroy(fork);
    kifu_destroy(lab);
}
END_TEST

// --- Timed events ----------------------------------------------------------------------------------------------------

static char json[200000];

static kifu_result gather_json(void *context, const char *text, size_t size)
{
    size_t *used = context;
    ck_assert_uint_lt(*used + size, sizeof json);
    memcpy(json + *used, text, size);
    *used += size;
    return KIFU_OK;
}

START_TEST(V11_a_game_that_begins_from_a_state_is_written_as_JSON_and_gives_its_memory_back)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.quiet = true,
                                  .from_state = kifu_begin_from_state,
                                  .user = &test_hooks,
                                  .allocate = test_allocate,
                                  .allocate_context = &memory};
    kifu_timeline *crawl = crawl_new(&options);
    for (uint32_t i = 0; i < 3; i++)
        bell_at(crawl, i, 5 + i, 0);
    must(crawl, kifu_run(crawl));
    must(crawl, kifu_forget(crawl, KIFU_PRESENT));
    const size_t bytes = memory.bytes;
    size_t used = 0;
    unsigned timed = 0;
    must(crawl, kifu_json_game(crawl, NULL, gather_json, &used));
    for (const char *at = json; (at = strstr(at, "\"type\": \"kifu.ESchedule\"")); at++)
        timed++;
    ck_assert_uint_eq(timed, 3);
    ck_assert_uint_eq(memory.bytes, bytes);
    const size_t size = used;
    kifu_result result = KIFU_NO_MEMORY;
    for (int failures = 0; result; failures++) {
        used = 0;
        memory.until_failure = failures;
        result = kifu_json_game(crawl, NULL, gather_json, &used);
        memory.until_failure = -1;
        ck_assert(result == (used == size ? KIFU_OK : KIFU_NO_MEMORY));
        ck_assert_uint_eq(memory.bytes, bytes);
    }
    kifu_destroy(crawl);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

START_TEST(V11_timed_events_are_in_the_save)
{
    uint32_t seed = (uint32_t)fuzz_seed();
    const kifu_options options = {.quiet = true, .from_state = kifu_begin_from_state, .user = &test_hooks};
    unsigned timed = 0;
    for (unsigned long n = fuzz_steps(40); n; n--) {
        kifu_timeline *whole = crawl_new(&options), *brief = crawl_new(&options);
        for (uint32_t i = 0; i < 100; i++) {
            const uint32_t choice = next_random(&seed);
            kifu_timeline *both[] = {whole, brief};
            for (int k = 0; k < 2; k++) {
                if (choice % 3 == 0 && timer_count(both[k]) < 8)
                    bell_at(both[k], i, crawl_get_state(both[k])->turns.turn + 1 + choice % 9, choice % 5);
                else if (choice % 3 == 1)
                    crawl_submit_e_start_round(both[k]);
                else
                    crawl_submit_e_begin_turn(both[k]);
                must(both[k], kifu_run(both[k]));
            }
            if (choice >> 4 & 7)
                continue;
            must(brief, kifu_forget(brief, choice % 2 ? KIFU_PRESENT : kifu_event_count(brief) - choice % 3));
            kifu_timeline *loaded = reload_by(brief, next_random(&seed), &options);
            timed += timer_count(loaded);
            must_be_equal(brief, loaded);
            must(loaded, kifu_verify_replay(loaded, NULL));
            kifu_destroy(brief);
            brief = loaded;
        }
        ck_assert_str_eq(bells(whole), bells(brief));
        must_be(kifu_state_hash(whole) == kifu_state_hash(brief));
        kifu_destroy(brief);
        kifu_destroy(whole);
    }
    ck_assert_uint_gt(timed, 200);
}
END_TEST

// --- Log files -------------------------------------------------------------------------------------------------------

START_TEST(V11_a_log_file_begins_with_the_state_from_the_next_append_on)
{
    uint32_t seed = (uint32_t)fuzz_seed();
    char *folder = new_folder();
    const char *path = in_folder(folder, "game.kifu");
    unsigned rooted = 0;
    for (unsigned long n = fuzz_steps(60); n; n--) {
        kifu_timeline *brief = lab_started(&from_state);
        must(brief, kifu_log_open(brief, path, NULL));
        for (uint32_t i = next_random(&seed) % 100; i; i--) {
            const uint32_t choice = next_random(&seed);
            random_lab_step(brief, choice);
            if (!(choice >> 4 & 15))
                must(brief, kifu_forget(brief, next_random(&seed) % (kifu_event_count(brief) + 1)));
            if (choice >> 8 & 1)
                must(brief, kifu_log_append(brief));
            if ((choice >> 9 & 7) || !(choice >> 8 & 1))
                continue;
            kifu_recovery recovery;
            const kifu_load_options load_options = {.fast = choice % 2, .recover = kifu_recover, .recovery = &recovery};
            kifu_timeline *loaded, *saved = reload_by(brief, 0, &from_state);
            kifu_error error;
            ck_assert_msg(!kifu_load(&lab_rules, path, &from_state, &load_options, &loaded, &error), "%s",
                          error.message);
            rooted += kifu_first_event(loaded) > 0;
            must_be_equal(brief, loaded);
            there_and_back(saved, loaded);
            kifu_destroy(loaded);
            kifu_destroy(saved);
        }
        must(brief, kifu_log_close(brief, NULL));
        kifu_timeline *loaded;
        ck_assert_int_eq(kifu_load(&lab_rules, path, &from_state, NULL, &loaded, NULL), KIFU_OK);
        must_be_equal(brief, loaded);
        kifu_destroy(loaded);
        kifu_destroy(brief);
    }
    ck_assert_uint_gt(rooted, 20);
    remove_folder(folder);
}
END_TEST

static bool note_first(void *context, const kifu_save_info *info)
{
    must_be(!info->error);
    *(uint32_t *)context = info->first_event;
    return true;
}

START_TEST(V11_a_listing_says_with_which_event_a_save_begins)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "game.kifu");
    kifu_timeline *lab = lab_started(&from_state);
    for (int i = 0; i < 5; i++)
        must(lab, lab_play(lab, "+(r)"));
    for (uint32_t way = 0; way < 6; way++) {
        const kifu_save_options options = {.codec = way % 2 ? &run_codec : NULL, .without_schema = way > 3};
        if (way == 2)
            must(lab, kifu_forget(lab, 5));
        must(lab, kifu_save(lab, path, &options));
        uint32_t first = 1;
        ck_assert_int_eq(kifu_read_save_info(path, note_first, &first, NULL, NULL), KIFU_OK);
        ck_assert_uint_eq(first, way < 2 ? 0 : kifu_first_event(lab));
    }
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(V11_a_log_file_stays_small_where_the_past_is_forgotten)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "game.kifu");
    kifu_timeline *lab = lab_started(&from_state);
    must(lab, kifu_log_open(lab, path, &(kifu_save_options){.without_schema = true}));
    for (int i = 0; i < 5000; i++) {
        lab_submit_p_add(lab, 0, 1);
        must(lab, kifu_run(lab));
        if (i % 500 == 499)
            must(lab, kifu_forget(lab, KIFU_PRESENT));
        must(lab, kifu_log_append(lab));
        must_be(size_of(path) < 40000);
    }
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// --- What is refused -------------------------------------------------------------------------------------------------

static kifu_timeline *forgetful(void)
{
    kifu_timeline *lab = lab_started(&from_state);
    for (int i = 0; i < 5; i++)
        must(lab, lab_play(lab, "+(r)"));
    must(lab, kifu_forget(lab, 5));
    return lab;
}

static void reset_model(void *user)
{
    (void)user;
}

START_TEST(V11_who_does_not_ask_for_it_is_told_what_to_set)
{
    kifu_timeline *lab = lab_started(NULL), *loaded;
    unsigned char *bytes;
    size_t size;
    kifu_error error;
    must(lab, lab_play(lab, "+(r)"));
    must(lab, kifu_forget(lab, KIFU_PRESENT));
    must_refuse(lab, kifu_save_to_memory(lab, NULL, &bytes, &size));
    must_say(lab, "kifu_begin_from_state");
    must(lab, kifu_begin_from_state(lab)); // as if the option had been given
    must(lab, kifu_save_to_memory(lab, NULL, &bytes, &size));
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, bytes, size, NULL, NULL, &loaded, &error), KIFU_NEWER_FORMAT);
    ck_assert_ptr_nonnull(strstr(error.message, "kifu_options.from_state"));
    const kifu_options with_model = {.from_state = kifu_begin_from_state, .reset = reset_model};
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, bytes, size, &with_model, NULL, &loaded, &error), KIFU_MISUSE);
    ck_assert_ptr_nonnull(strstr(error.message, "the save begins from a state"));
    kifu_free_bytes(lab, bytes);
    kifu_destroy(lab);
}
END_TEST

enum { ROOT_EVENT_COUNT, ROOT_HASH, ROOT_STATE, ROOT_TIMED, ROOT_TIMED_EVENTS }; // kifu.save.Root

static unsigned char *root_field(unsigned char *root, uint32_t id)
{
    return root + field_at(root, get32(root), id);
}

// Its count, behind which the elements lie.
static unsigned char *root_vector(unsigned char *root, uint32_t id)
{
    unsigned char *field = root_field(root, id);
    return field + get32(field);
}

// What is changed of a good save.
typedef void change(frames *frames, unsigned char *root);

static void change_state(frames *frames, unsigned char *root)
{
    (void)frames;
    root_vector(root, ROOT_STATE)[4 + 9] ^= 1;
}

static void change_hash(frames *frames, unsigned char *root)
{
    (void)frames;
    ++*root_field(root, ROOT_HASH);
}

static void change_place(frames *frames, unsigned char *root)
{
    (void)frames;
    set32(root_field(root, ROOT_EVENT_COUNT), 0);
}

static void change_to_the_end(frames *frames, unsigned char *root)
{
    (void)frames;
    set32(root_field(root, ROOT_EVENT_COUNT), UINT32_MAX - 3);
}

static void change_size(frames *frames, unsigned char *root)
{
    (void)frames;
    unsigned char *state = root_vector(root, ROOT_STATE);
    set32(state, get32(state) - 8);
}

// With the right hash: no fast load would begin with it.
static void change_to_unsound(frames *frames, unsigned char *root)
{
    (void)frames;
    unsigned char *state = root_vector(root, ROOT_STATE) + 4;
    kifu_game game;
    memcpy(&game, state, sizeof game);
    game.player_count = KIFU_MAX_PLAYERS + 1;
    memcpy(state, &game, sizeof game);
    const uint64_t hash = hash_of_state(state, sizeof(lab_state));
    memcpy(root_field(root, ROOT_HASH), &hash, sizeof hash);
}

static void add_another(frames *frames, unsigned char *root)
{
    insert_frame(frames, 2, FRAME_ROOT, root, frames->all[1].size);
}

static void move_behind_events(frames *frames, unsigned char *root)
{
    const uint32_t size = frames->all[1].size;
    insert_frame(frames, 3, FRAME_ROOT, root, size);
    remove_frame(frames, 1);
}

// `behind`: behind the last hash.
static void stand_at(frames *frames, uint32_t count, bool behind)
{
    static unsigned char *payload; // of the last call
    unsigned char body[6] = {0};
    const uint32_t size = (uint32_t)(put_number(body + 1, count) - body);
    records records = first_records(frames);
    save_frame *commit = &frames->all[find_frame(frames, FRAME_COMMIT)];
    insert_record(&records, find_record(&records, RECORD_HASH) + behind, RECORD_STAND, body, size);
    free(payload);
    commit->payload = payload = payload_of_records(&records, &commit->size);
}

static void stand_before(frames *frames, unsigned char *root)
{
    stand_at(frames, get32(root_field(root, ROOT_EVENT_COUNT)) - 1, false);
}

static void end_before(frames *frames, unsigned char *root)
{
    stand_at(frames, get32(root_field(root, ROOT_EVENT_COUNT)) - 1, true);
}

START_TEST(V11_a_state_that_nobody_could_have_saved_is_refused)
{
    static const struct {
        change *change;
        const char *says;
    } cases[] = {
        {change_state, "another hash"},     {change_hash, "another hash"},       {change_place, "wrong place"},
        {change_to_the_end, "wrong place"}, {change_size, "another size"},       {change_to_unsound, "cannot have"},
        {add_another, "wrong place"},       {move_behind_events, "wrong place"}, {stand_before, "not there"},
        {end_before, "not there"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_timeline *lab = forgetful(), *loaded;
        kifu_error error;
        save good = save_of(lab, NULL);
        frames frames = frames_of(&good);
        ck_assert_int_eq(find_frame(&frames, FRAME_ROOT), 1);
        unsigned char *root = (unsigned char *)malloc(frames.all[1].size);
        memcpy(root, frames.all[1].payload, frames.all[1].size);
        frames.all[1].payload = root;
        cases[i].change(&frames, root);
        save bad = save_of_frames(&frames);
        const kifu_result result =
            kifu_load_from_memory(&lab_rules, bad.bytes, bad.size, &from_state, NULL, &loaded, &error);
        ck_assert_msg(result == KIFU_DAMAGED && strstr(error.message, cases[i].says), "case %u: %s", (unsigned)i,
                      error.message);
        free(root);
        free(bad.bytes);
        free(good.bytes);
        kifu_destroy(lab);
    }
}
END_TEST

START_TEST(V11_a_save_that_was_cut_off_is_recovered_from_the_state_on)
{
    kifu_timeline *lab = forgetful();
    save whole = save_of(lab, NULL);
    const frames frames = frames_of(&whole);
    const uint64_t behind = frames.all[2].offset;
    for (size_t size = FILE_HEAD; size <= whole.size; size += size < behind ? 8 : 1) {
        kifu_recovery recovery;
        const kifu_load_options options = {.recover = kifu_recover, .recovery = &recovery};
        kifu_timeline *loaded;
        kifu_error error;
        const kifu_result result =
            kifu_load_from_memory(&lab_rules, whole.bytes, size, &from_state, &options, &loaded, &error);
        ck_assert_msg(!result || result == KIFU_DAMAGED || result == KIFU_NOT_A_SAVE, "%u %s", (unsigned)size,
                      error.message);
        must_be(result || (kifu_first_event(loaded) == 5 && kifu_event_count(loaded) >= 5));
        if (size == whole.size)
            must_be_equal(lab, loaded);
        if (!result)
            kifu_destroy(loaded);
    }
    free(whole.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(V11_without_memory_there_is_no_save_and_no_load)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.quiet = true,
                                  .from_state = kifu_begin_from_state,
                                  .user = &test_hooks,
                                  .allocate = test_allocate,
                                  .allocate_context = &memory};
    kifu_timeline *crawl = crawl_new(&options);
    for (uint32_t i = 0; i < 6; i++)
        bell_at(crawl, i, 2 + i, 0);
    must(crawl, kifu_run(crawl));
    crawl_submit_e_begin_turn(crawl);
    must(crawl, kifu_run(crawl));
    must(crawl, kifu_forget(crawl, KIFU_PRESENT));
    crawl_submit_e_start_round(crawl);
    must(crawl, kifu_run(crawl));
    unsigned char *bytes = NULL;
    size_t size = 0;
    long blocks = memory.blocks;
    for (long n = 0; !bytes; n++) {
        memory.until_failure = n;
        const kifu_result result = kifu_save_to_memory(crawl, NULL, &bytes, &size);
        memory.until_failure = -1;
        must_be(result == KIFU_OK || result == KIFU_NO_MEMORY);
        must_be(memory.blocks == blocks + (bytes != NULL));
    }
    blocks = memory.blocks;
    kifu_timeline *loaded = NULL;
    for (long n = 0, more = 1; more; n++) {
        kifu_error error;
        memory.until_failure = n;
        memory.failed = false;
        const kifu_result result = kifu_load_from_memory(&crawl_rules, bytes, size, &options, NULL, &loaded, &error);
        memory.until_failure = -1;
        more = memory.failed;
        must_be(result == KIFU_OK || (more && result == KIFU_NO_MEMORY));
        if (!result) {
            must_be_equal(crawl, loaded);
            must(loaded, kifu_verify_replay(loaded, NULL));
        }
        kifu_destroy(loaded);
        must_be(memory.blocks == blocks);
    }
    kifu_free_bytes(crawl, bytes);
    kifu_destroy(crawl);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

// A state from elsewhere may say anything of its timers.
START_TEST(M08_V11_a_timer_that_leads_to_another_event_takes_none_along)
{
    static const uint32_t wrong[] = {0, 1, 3, 1000000};
    const kifu_options options = {.quiet = true, .from_state = kifu_begin_from_state, .user = &test_hooks};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        kifu_timeline *crawl = crawl_new(&options);
        for (int round = 0; round < 4; round++)
            crawl_submit_e_start_round(crawl);
        bell_at(crawl, 1, 2, 0);
        bell_at(crawl, 2, 2, 0);
        must(crawl, kifu_run(crawl));
        ((crawl_state *)(uintptr_t)crawl_get_state(crawl))->timers[0].event = wrong[i];
        must(crawl, kifu_forget(crawl, KIFU_PRESENT));
        ck_assert_uint_eq(kifu_first_event(crawl), kifu_event_count(crawl));
        kifu_timeline *loaded = reload(crawl, &options);
        for (int turn = 0; turn < 2; turn++) {
            crawl_submit_e_begin_turn(loaded);
            (void)!kifu_run(loaded); // That event cannot happen.
        }
        crawl_submit_e_begin_turn(loaded);
        must(loaded, kifu_run(loaded));
        ck_assert_uint_eq(crawl_get_state(loaded)->bell_count, 1);
        kifu_destroy(loaded);
        kifu_destroy(crawl);
    }
}
END_TEST

// Their numbers ascend, and the last is below that of the first event.
START_TEST(M08_V11_timed_events_ascend_and_lie_before_the_state)
{
    const kifu_options options = {.quiet = true, .from_state = kifu_begin_from_state, .user = &test_hooks};
    kifu_timeline *crawl = crawl_new(&options), *loaded;
    for (uint32_t i = 0; i < 2; i++)
        bell_at(crawl, i, 3, 0);
    must(crawl, kifu_run(crawl));
    must(crawl, kifu_forget(crawl, KIFU_PRESENT));
    save good = save_of(crawl, NULL);
    frames frames = frames_of(&good);
    unsigned char *root = (unsigned char *)malloc(frames.all[1].size);
    ck_assert_ptr_nonnull(root);
    ck_assert_uint_eq(frames.all[1].kind, FRAME_ROOT);
    memcpy(root, frames.all[1].payload, frames.all[1].size);
    frames.all[1].payload = root;
    unsigned char *numbers = root_vector(root, ROOT_TIMED_EVENTS);
    ck_assert_uint_eq(get32(numbers), 2);
    numbers += 4;
    const uint32_t first = kifu_first_event(crawl);
    const uint32_t cases[][3] = {{0, first - 1, true},          {first - 2, first - 1, true},
                                 {first - 1, first - 1, false}, {first - 1, first - 2, false},
                                 {first - 1, first, false},     {first - 1, first + 1, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu_error error;
        set32(numbers, cases[i][0]);
        set32(numbers + 4, cases[i][1]);
        save changed = save_of_frames(&frames);
        const kifu_result result =
            kifu_load_from_memory(&crawl_rules, changed.bytes, changed.size, &options, NULL, &loaded, &error);
        ck_assert_msg(result == (cases[i][2] ? KIFU_OK : KIFU_DAMAGED), "case %zu", i);
        ck_assert(!result || strstr(error.message, "to which no timer can refer"));
        kifu_destroy(loaded);
        free(changed.bytes);
    }
    free(root);
    free(good.bytes);
    kifu_destroy(crawl);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        V11_a_save_begins_with_the_state_and_loads_to_the_same_game,
        V11_the_lines_that_are_left_are_in_the_save,
        V11_a_fork_without_a_past_can_be_saved,
        V11_timed_events_are_in_the_save,
        V11_a_game_that_begins_from_a_state_is_written_as_JSON_and_gives_its_memory_back,
        V11_a_log_file_begins_with_the_state_from_the_next_append_on,
        V11_a_listing_says_with_which_event_a_save_begins,
        V11_a_log_file_stays_small_where_the_past_is_forgotten,
        V11_who_does_not_ask_for_it_is_told_what_to_set,
        V11_a_state_that_nobody_could_have_saved_is_refused,
        V11_a_save_that_was_cut_off_is_recovered_from_the_state_on,
        V11_without_memory_there_is_no_save_and_no_load,
        M08_V11_a_timer_that_leads_to_another_event_takes_none_along,
        M08_V11_timed_events_ascend_and_lie_before_the_state,
    };
    return run_suite("from a state", tests, sizeof tests / sizeof *tests);
}
