// Actions that were set (kifu_set_action) are in saves, log files and forks.

#include "change_parts.h"
#include "changes_help.h"
#include "crawl_help.h"
#include "quay.h"
#include "run_codec.h"
#include "save_help.h"
#include "suite.h"

static const kifu_options with_hooks = {.user = &test_hooks};

// What a save has of the actions that are set; each key is an actor.
typedef struct content {
    const char *part;
    const uint32_t *keys;
    uint32_t key_count;
    const unsigned char *events;
    uint32_t size;
} content;

// The actions of the first commit; no bytes: there are none.
static record actions_record(const save *save)
{
    frames frames = frames_of(save);
    const records records = first_records(&frames);
    const int at = find_record(&records, RECORD_ACTIONS);
    return at < 0 ? (record){0} : records.all[at];
}

// It lies in `*aligned`, which is the caller's.
static content content_of(const save *save, unsigned char **aligned)
{
    const record record = actions_record(save);
    content content = {.part = NULL};
    *aligned = malloc(record.size + 1);
    if (!record.size)
        return content;
    memcpy(*aligned, record.body, record.size);
    const unsigned char *vectors[3];
    for (uint32_t id = 0; id < 3; id++) {
        const unsigned char *field = *aligned + field_at(*aligned, get32(*aligned), id);
        ck_assert_ptr_ne(field, *aligned);
        vectors[id] = field + get32(field);
    }
    content.part = (const char *)vectors[0] + 4;
    content.keys = (const uint32_t *)(const void *)(vectors[1] + 4);
    content.key_count = get32(vectors[1]);
    content.events = vectors[2] + 4;
    content.size = get32(vectors[2]);
    return content;
}

// For how many actors something is set.
static uint32_t action_count(kifu_timeline *crawl)
{
    unsigned char *aligned;
    save save = save_of(crawl, NULL);
    const uint32_t count = content_of(&save, &aligned).key_count;
    free(aligned);
    free(save.bytes);
    return count;
}

static void expect_same_actions(kifu_timeline *one, kifu_timeline *other)
{
    save a = save_of(one, NULL), b = save_of(other, NULL);
    const record first = actions_record(&a), second = actions_record(&b);
    ck_assert_uint_eq(first.size, second.size);
    must_be(!first.size || !memcmp(first.body, second.body, first.size));
    free(a.bytes);
    free(b.bytes);
}

// Two heroes, for each of whom something is set, and a rat.
static kifu_timeline *two_heroes(const kifu_options *options, kifu_handle heroes[2])
{
    kifu_timeline *crawl = crawl_new(options);
    heroes[0] = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    heroes[1] = crawl_add(crawl, CRAWL_KIND_HERO, 1, 6, 100);
    crawl_add(crawl, CRAWL_KIND_RAT, 6, 6, 100);
    for (int8_t i = 1; i >= 0; i--)
        must(crawl, kifu_set_action(crawl, heroes[i], crawl_submit_p_move(crawl, i, heroes[i], (int8_t)(1 - i), i)));
    return crawl;
}

// One round, in which nobody is asked.
static void take_turns(kifu_timeline *crawl, const kifu_handle heroes[2])
{
    ck_assert_int_eq(crawl_step(crawl, crawl_hunt).status, KIFU_TURN_BEGAN);
    for (int i = 0; i < 2; i++) {
        kifu_turn turn = crawl_step(crawl, crawl_hunt);
        ck_assert_int_eq(turn.status, KIFU_TURN_ACTED);
        ck_assert_uint_eq(turn.actor, heroes[i]);
    }
    ck_assert_int_eq(crawl_step(crawl, crawl_hunt).status, KIFU_TURN_ACTED);
    ck_assert_int_eq(crawl_step(crawl, crawl_hunt).status, KIFU_TURN_BEGAN);
    ck_assert_int_eq(crawl_step(crawl, crawl_hunt).status, KIFU_TURN_NEEDS_INPUT);
}

static kifu_timeline *load_crawl(const save *save, const kifu_load_options *load_options)
{
    kifu_timeline *crawl;
    kifu_error error;
    kifu_result result =
        kifu_load_from_memory(&crawl_rules, save->bytes, save->size, &with_hooks, load_options, &crawl, &error);
    ck_assert_msg(result == KIFU_OK, "%s", error.message);
    return crawl;
}

START_TEST(F07_an_action_that_was_set_is_in_a_save)
{
    kifu_handle heroes[2];
    kifu_timeline *crawl = two_heroes(NULL, heroes);
    const kifu_save_options packed = {.codec = &run_codec};
    const kifu_load_options load_options = {.codec = &run_codec}, fast = {.fast = true};
    save plain = save_of(crawl, NULL), small = save_of(crawl, &packed);
    kifu_timeline *all[] = {load_crawl(&plain, NULL), load_crawl(&small, &load_options), load_crawl(&plain, &fast)};
    for (int i = 0; i < 3; i++)
        expect_same_actions(crawl, all[i]);
    save again = save_of(all[0], NULL);
    expect_same_bytes(&plain, &again);
    take_turns(crawl, heroes);
    for (int i = 0; i < 3; i++) {
        take_turns(all[i], heroes);
        ck_assert_uint_eq(kifu_state_hash(all[i]), kifu_state_hash(crawl));
        kifu_destroy(all[i]);
    }
    save after = save_of(crawl, NULL);
    frames frames = frames_of(&after);
    const records records = first_records(&frames);
    ck_assert_int_eq(find_record(&records, RECORD_ACTIONS), -1);
    free(plain.bytes);
    free(small.bytes);
    free(again.bytes);
    free(after.bytes);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(F07_an_action_that_was_set_is_in_a_fork_of_the_present)
{
    kifu_handle heroes[2];
    kifu_timeline *crawl = two_heroes(NULL, heroes);
    kifu_timeline *fork = fork_of(crawl, KIFU_PRESENT, &with_hooks), *past = fork_of(crawl, 3, &with_hooks);
    expect_same_actions(crawl, fork);
    ck_assert_uint_eq(action_count(past), 0);
    take_turns(crawl, heroes);
    take_turns(fork, heroes);
    ck_assert_uint_eq(kifu_state_hash(fork), kifu_state_hash(crawl));
    kifu_destroy(past);
    kifu_destroy(fork);
    kifu_destroy(crawl);
}
END_TEST

// An undo takes away what was set, and a redo brings it back.
START_TEST(F07_redo_after_a_load_brings_back_what_was_set)
{
    kifu_handle heroes[2];
    kifu_timeline *crawl = two_heroes(NULL, heroes);
    ck_assert_int_eq(crawl_step(crawl, crawl_hunt).status, KIFU_TURN_BEGAN);
    ck_assert_int_eq(crawl_step(crawl, crawl_hunt).status, KIFU_TURN_ACTED);
    ck_assert_uint_eq(action_count(crawl), 1);
    must(crawl, kifu_undo(crawl));
    ck_assert_uint_eq(action_count(crawl), 0);
    must(crawl, kifu_set_action(crawl, heroes[0], crawl_submit_p_rest(crawl, 0, heroes[0])));
    save save = save_of(crawl, NULL);
    kifu_timeline *loaded = load_crawl(&save, NULL);
    expect_same_actions(crawl, loaded);
    must(crawl, kifu_redo(crawl));
    must(loaded, kifu_redo(loaded));
    ck_assert_uint_eq(action_count(crawl), 1);
    expect_same_actions(crawl, loaded);
    free(save.bytes);
    kifu_destroy(loaded);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(V06_what_was_set_where_a_line_was_left_is_in_the_save)
{
    kifu_options options = with_hooks;
    options.keep_variations = kifu_keep_variations;
    kifu_handle heroes[2];
    kifu_timeline *crawl = two_heroes(&options, heroes), *loaded;
    ck_assert_int_eq(crawl_step(crawl, crawl_hunt).status, KIFU_TURN_BEGAN);
    ck_assert_int_eq(crawl_step(crawl, crawl_hunt).status, KIFU_TURN_ACTED);
    must(crawl, kifu_undo(crawl));
    crawl_submit_p_bell(crawl, 0, 7);
    must(crawl, kifu_run(crawl));
    ck_assert_uint_eq(kifu_current_line(crawl), 1);
    must(crawl, kifu_set_action(crawl, heroes[0], crawl_submit_p_rest(crawl, 0, heroes[0])));
    const uint32_t waiting = action_count(crawl);
    ck_assert_uint_gt(waiting, 0);
    must(crawl, kifu_go_to(crawl, 0, KIFU_WHERE_LEFT, true));
    ck_assert_uint_eq(action_count(crawl), 0);
    save save = save_of(crawl, NULL);
    ck_assert_int_eq(kifu_load_from_memory(&crawl_rules, save.bytes, save.size, &options, NULL, &loaded, NULL),
                     KIFU_OK);
    must(crawl, kifu_go_to(crawl, 1, KIFU_WHERE_LEFT, true));
    must(loaded, kifu_go_to(loaded, 1, KIFU_WHERE_LEFT, true));
    ck_assert_uint_eq(action_count(crawl), waiting);
    expect_same_actions(crawl, loaded);
    free(save.bytes);
    kifu_destroy(loaded);
    kifu_destroy(crawl);
}
END_TEST

static void expect_in_file(kifu_timeline *crawl, const char *path)
{
    must(crawl, kifu_log_append(crawl));
    const kifu_load_options recover = {.recover = kifu_recover};
    kifu_timeline *found;
    kifu_error error;
    ck_assert_msg(kifu_load(&crawl_rules, path, &with_hooks, &recover, &found, &error) == KIFU_OK, "%s", error.message);
    expect_same_actions(crawl, found);
    ck_assert_uint_eq(kifu_state_hash(crawl), kifu_state_hash(found));
    ck_assert_uint_eq(kifu_event_count(crawl), kifu_event_count(found));
    ck_assert_uint_eq(kifu_can_redo(crawl, NULL), kifu_can_redo(found, NULL));
    kifu_destroy(found);
}

static size_t size_of(const char *path)
{
    size_t size;
    free(read_bytes(path, &size));
    return size;
}

// Found by the walk: the append freed the payload of these actions before it was written.
START_TEST(V06_what_was_set_and_undone_in_another_line_is_in_the_log_file)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    options.keep_variations = kifu_keep_variations;
    kifu_options loading = with_hooks;
    loading.keep_variations = kifu_keep_variations;
    kifu_handle heroes[2];
    kifu_timeline *crawl = two_heroes(&options, heroes), *loaded;
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    must(crawl, kifu_log_open(crawl, path, NULL));
    crawl_submit_p_bell(crawl, 0, 7);
    must(crawl, kifu_run(crawl));
    const uint32_t waiting = action_count(crawl);
    must(crawl, kifu_undo(crawl));
    crawl_submit_p_bell(crawl, 0, 8);
    must(crawl, kifu_run(crawl));
    ck_assert_uint_eq(kifu_current_line(crawl), 1);
    must(crawl, kifu_set_action(crawl, heroes[0], crawl_submit_p_rest(crawl, 0, heroes[0])));
    must(crawl, kifu_log_append(crawl));
    const kifu_load_options recover = {.recover = kifu_recover};
    ck_assert_int_eq(kifu_load(&crawl_rules, path, &loading, &recover, &loaded, NULL), KIFU_OK);
    expect_same_actions(crawl, loaded);
    kifu_timeline *const both[2] = {crawl, loaded};
    for (int i = 0; i < 2; i++) {
        must(both[i], kifu_go_to(both[i], 0, KIFU_WHERE_LEFT, true));
        must(both[i], kifu_redo(both[i]));
    }
    ck_assert_uint_eq(action_count(crawl), waiting);
    expect_same_actions(crawl, loaded);
    kifu_destroy(loaded);
    kifu_destroy(crawl);
    remove_folder(folder);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

// What is set where the game was is not what waits in another line.
START_TEST(M08_what_waits_in_another_line_has_no_actions_of_the_current_one)
{
    kifu_options options = with_hooks;
    options.keep_variations = kifu_keep_variations;
    kifu_timeline *crawl = crawl_new(&options), *loaded;
    const kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    for (int i = 0; i < 2; i++) {
        crawl_submit_p_bell(crawl, 0, 7 + (uint32_t)i);
        must(crawl, kifu_run(crawl));
        must(crawl, i ? KIFU_OK : kifu_undo(crawl));
    }
    ck_assert_uint_eq(kifu_current_line(crawl), 1);
    (void)kifu_drop_inputs(crawl);
    must(crawl, kifu_log_open(crawl, path, NULL));
    must(crawl, kifu_set_action(crawl, hero, crawl_submit_p_rest(crawl, 0, hero)));
    ck_assert_uint_eq(action_count(crawl), 1);
    must(crawl, kifu_log_append(crawl));
    must(crawl, kifu_go_to(crawl, 0, KIFU_WHERE_LEFT, true));
    must(crawl, kifu_redo(crawl));
    crawl_submit_p_bell(crawl, 0, 9);
    ck_assert_uint_eq(action_count(crawl), 0);
    must(crawl, kifu_go_to(crawl, 1, KIFU_WHERE_LEFT, true));
    ck_assert_uint_eq(action_count(crawl), 1);
    must(crawl, kifu_log_append(crawl));
    const kifu_load_options recover = {.recover = kifu_recover};
    ck_assert_int_eq(kifu_load(&crawl_rules, path, &options, &recover, &loaded, NULL), KIFU_OK);
    expect_same_actions(crawl, loaded);
    must(crawl, kifu_go_to(crawl, 0, KIFU_WHERE_LEFT, true));
    must(loaded, kifu_go_to(loaded, 0, KIFU_WHERE_LEFT, true));
    ck_assert_uint_eq(action_count(loaded), 0);
    ck_assert_uint_eq(kifu_pending_count(loaded), kifu_pending_count(crawl));
    expect_same_actions(crawl, loaded);
    kifu_destroy(loaded);
    kifu_destroy(crawl);
    remove_folder(folder);
}
END_TEST

// At the time of the undone chain the timeline had no part that could have had an action.
START_TEST(F07_a_game_whose_undone_chain_ran_before_the_first_turn_is_saved)
{
    kifu_timeline *crawl = crawl_new(NULL);
    crawl_submit_p_bell(crawl, 0, 7);
    must(crawl, kifu_run(crawl));
    must(crawl, kifu_undo(crawl));
    save save = save_of(crawl, NULL);
    kifu_timeline *loaded = load_crawl(&save, NULL);
    ck_assert_uint_eq(action_count(loaded), 0);
    must(loaded, kifu_redo(loaded));
    must(crawl, kifu_redo(crawl));
    ck_assert_uint_eq(kifu_state_hash(loaded), kifu_state_hash(crawl));
    free(save.bytes);
    kifu_destroy(loaded);
    kifu_destroy(crawl);
}
END_TEST

// Found by the walk: actions that could not be written were freed twice.
START_TEST(R04_each_memory_that_a_log_file_of_set_actions_wants_may_fail)
{
    kifu_handle heroes[2];
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *crawl = two_heroes(&options, heroes);
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    for (int append = 0; append < 2; append++) {
        must(crawl, kifu_set_action(crawl, heroes[1], crawl_submit_p_rest(crawl, append, heroes[1])));
        kifu_result result = KIFU_NO_MEMORY;
        for (long at = 0; result; at++) {
            memory.until_failure = at;
            result = append ? kifu_log_append(crawl) : kifu_log_open(crawl, path, NULL);
            memory.until_failure = -1;
            ck_assert(!result || result == KIFU_NO_MEMORY);
        }
        expect_in_file(crawl, path);
    }
    kifu_destroy(crawl);
    remove_folder(folder);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

START_TEST(F07_actions_are_appended_as_they_are_set_and_taken)
{
    kifu_handle heroes[2];
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *crawl = two_heroes(&options, heroes);
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    must(crawl, kifu_log_open(crawl, path, NULL));
    expect_in_file(crawl, path);
    size_t size = size_of(path);
    must(crawl, kifu_log_append(crawl));
    ck_assert_uint_eq(size_of(path), size); // nothing changed
    for (int i = 0; i < 4; i++) {
        crawl_step(crawl, crawl_hunt);
        expect_in_file(crawl, path);
    }
    ck_assert_uint_eq(action_count(crawl), 0);
    must(crawl, kifu_set_action(crawl, heroes[1], crawl_submit_p_rest(crawl, 1, heroes[1])));
    expect_in_file(crawl, path);
    must(crawl, kifu_set_action(crawl, heroes[1], crawl_submit_p_move(crawl, 1, heroes[1], 0, 1)));
    expect_in_file(crawl, path);
    must(crawl, kifu_set_action(crawl, heroes[1], 0));
    expect_in_file(crawl, path);
    must(crawl, kifu_set_action(crawl, heroes[1], crawl_submit_p_rest(crawl, 1, heroes[1])));
    must(crawl, kifu_undo(crawl));
    expect_in_file(crawl, path);
    must(crawl, kifu_redo(crawl));
    ck_assert_uint_eq(action_count(crawl), 1);
    expect_in_file(crawl, path);
    must(crawl, kifu_undo(crawl)); // An undo takes it away, in the file as well: the same once more is a change.
    must(crawl, kifu_set_action(crawl, heroes[1], crawl_submit_p_rest(crawl, 1, heroes[1])));
    expect_in_file(crawl, path);
    must(crawl, kifu_log_close(crawl, NULL));
    kifu_timeline *loaded;
    ck_assert_int_eq(kifu_load(&crawl_rules, path, &with_hooks, NULL, &loaded, NULL), KIFU_OK);
    expect_same_actions(crawl, loaded);
    kifu_destroy(loaded);
    remove_folder(folder);
    kifu_destroy(crawl);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

// Whether the last input is whole, nobody knows then: so nothing waits, and nothing is set.
START_TEST(F07_a_save_that_lost_its_commit_has_no_actions)
{
    kifu_handle heroes[2];
    kifu_timeline *crawl = two_heroes(NULL, heroes);
    save save = save_of(crawl, NULL);
    frames frames = frames_of(&save);
    struct save cut = {save.bytes, (size_t)frames.all[find_frame(&frames, FRAME_COMMIT)].offset};
    const kifu_load_options recover = {.recover = kifu_recover};
    kifu_timeline *found = load_crawl(&cut, &recover);
    ck_assert_uint_eq(kifu_event_count(found), kifu_event_count(crawl) - 1);
    ck_assert_uint_eq(action_count(found), 0);
    kifu_destroy(found);
    free(save.bytes);
    kifu_destroy(crawl);
}
END_TEST

// --- What a save may have there --------------------------------------------------------------------------------------

// The vector that field `id` of the table leads to, with `count` elements and this many bytes, behind what is there.
static unsigned char *put_vector(unsigned char *begin, unsigned char *table, uint32_t id, unsigned char *at,
                                 const void *items, uint32_t count, size_t size)
{
    unsigned char *field = table + 4 + 4 * id;
    at += (12 - (at - begin) % 8) % 8; // Elements begin at multiples of 8.
    set32(field, (uint32_t)(at - field));
    set32(at, count);
    if (size)
        memcpy(at + 4, items, size);
    return at + 4 + size;
}

// The save with its actions replaced, and what a load says.
static kifu_result load_with_content(const save *save, const content *content, kifu_timeline **loaded,
                                     kifu_error *error)
{
    const uint16_t vtable[] = {10, 16, 4, 8, content->events ? 12 : 0};
    unsigned char *bytes = calloc(100 + 4 * (size_t)content->key_count + content->size, 1), *table = bytes + 16;
    ck_assert_ptr_nonnull(bytes);
    set32(bytes, 16);
    memcpy(bytes + 4, vtable, sizeof vtable);
    set32(table, 12);
    const uint32_t length = (uint32_t)strlen(content->part);
    unsigned char *at = put_vector(bytes, table, 0, table + 16, content->part, length, length + 1);
    at = put_vector(bytes, table, 1, at, content->keys, content->key_count, 4 * (size_t)content->key_count);
    if (content->events)
        at = put_vector(bytes, table, 2, at, content->events, content->size, content->size);
    at += (8 - (at - bytes) % 8) % 8;
    struct save whole = save_with_body(save, RECORD_ACTIONS, bytes, (uint32_t)(at - bytes));
    kifu_result result = kifu_load_from_memory(&crawl_rules, whole.bytes, whole.size, &with_hooks, NULL, loaded, error);
    free(whole.bytes);
    free(bytes);
    return result;
}

START_TEST(S05_actions_need_an_actor_each_and_other_parts_are_skipped)
{
    kifu_handle heroes[2];
    kifu_timeline *crawl = two_heroes(NULL, heroes), *loaded;
    save save = save_of(crawl, NULL);
    kifu_error error;
    unsigned char *aligned;
    content content = content_of(&save, &aligned);
    ck_assert_str_eq(content.part, "actions");
    ck_assert_uint_eq(content.key_count, 2);
    ck_assert_uint_eq(content.keys[0], heroes[1]);
    ck_assert_uint_eq(content.keys[1], heroes[0]);
    ck_assert_int_eq(load_with_content(&save, &content, &loaded, &error), KIFU_OK);
    expect_same_actions(crawl, loaded);
    kifu_destroy(loaded);

    content.part = "omens"; // of a later Kifu
    ck_assert_int_eq(load_with_content(&save, &content, &loaded, &error), KIFU_OK);
    ck_assert_uint_eq(action_count(loaded), 0);
    kifu_destroy(loaded);

    content.part = "actions";
    content.key_count = 1;
    ck_assert_int_eq(load_with_content(&save, &content, &loaded, &error), KIFU_DAMAGED);
    ck_assert_ptr_nonnull(strstr(error.message, "2 actions for 1 actors"));
    content.key_count = 2;
    content.size -= 4;
    ck_assert_int_eq(load_with_content(&save, &content, &loaded, &error), KIFU_DAMAGED);
    content.size = 0;
    ck_assert_int_eq(load_with_content(&save, &content, &loaded, &error), KIFU_DAMAGED);
    content.key_count = 0;
    ck_assert_int_eq(load_with_content(&save, &content, &loaded, &error), KIFU_OK);
    ck_assert_uint_eq(action_count(loaded), 0);
    kifu_destroy(loaded);
    free(aligned);
    free(save.bytes);
    kifu_destroy(crawl);
}
END_TEST

// A game of timed events alone, and one without turns.
START_TEST(S05_actions_are_skipped_where_nobody_acts)
{
    kifu_handle heroes[2];
    kifu_timeline *crawl = two_heroes(NULL, heroes);
    save of_crawl = save_of(crawl, NULL);
    const record actions = actions_record(&of_crawl);
    const kifu_rules *const games[] = {&quay_rules, &lab_rules};
    for (int i = 0; i < 2; i++) {
        kifu_timeline *timeline, *loaded;
        kifu_error error;
        ck_assert_int_eq(kifu_create(games[i], NULL, &timeline, NULL), KIFU_OK);
        save save = save_of(timeline, NULL);
        frames frames = frames_of(&save);
        records records = first_records(&frames);
        insert_record(&records, 0, RECORD_ACTIONS, actions.body, actions.size);
        struct save whole = save_of_records(&frames, find_frame(&frames, FRAME_COMMIT), &records);
        ck_assert_msg(!kifu_load_from_memory(games[i], whole.bytes, whole.size, NULL, NULL, &loaded, &error), "%s",
                      error.message);
        kifu_destroy(loaded);
        kifu_destroy(timeline);
        free(whole.bytes);
        free(save.bytes);
    }
    free(of_crawl.bytes);
    kifu_destroy(crawl);
}
END_TEST

// It would be refused when its turn came; in the file it would be damage.
START_TEST(F07_an_action_that_breaks_its_schema_is_not_saved)
{
    for (int wrong = 0; wrong < 2; wrong++) { // That of the first one, or of the second.
        kifu_handle heroes[2];
        kifu_timeline *crawl = two_heroes(NULL, heroes);
        for (int hero = 0; hero < 2; hero++) {
            const crawl_kind kind = hero == wrong ? (crawl_kind)9 : CRAWL_KIND_HERO;
            must(crawl,
                 kifu_set_action(
                     crawl, heroes[hero],
                     crawl_submit_e_spawn(
                         crawl, &(crawl_e_spawn_args){
                                    .kind = kind, .item = 0, .x = 1, .y = 2, .hp = 3, .speed = 4, .energy = 5})));
        }
        save save = save_of(crawl, NULL);
        kifu_timeline *loaded = load_crawl(&save, NULL);
        unsigned char *aligned;
        struct save again = save_of(loaded, NULL);
        const content saved = content_of(&again, &aligned);
        ck_assert_uint_eq(saved.key_count, 1);
        ck_assert_uint_eq(saved.keys[0], heroes[!wrong]);
        free(aligned);
        kifu_destroy(loaded);
        free(save.bytes);
        free(again.bytes);
        kifu_destroy(crawl);
    }
}
END_TEST

START_TEST(S05_hostile_actions_do_no_harm)
{
    kifu_handle heroes[2];
    kifu_timeline *crawl = two_heroes(NULL, heroes);
    save save = save_of(crawl, NULL);
    unsigned char *aligned;
    content original = content_of(&save, &aligned);
    uint32_t seed = (uint32_t)fuzz_seed() * 7919;
    unsigned long loaded_count = 0;
    unsigned char *bytes = malloc(original.size);
    ck_assert_ptr_nonnull(bytes);
    for (unsigned long step = fuzz_steps(3000); step; step--) {
        uint32_t keys[] = {original.keys[0], original.keys[1]};
        content changed = original;
        memcpy(bytes, original.events, original.size);
        for (uint32_t changes = 1 + next_random(&seed) % 3; changes; changes--)
            bytes[next_random(&seed) % original.size] = (unsigned char)next_random(&seed);
        keys[next_random(&seed) % 2] ^= 1u << next_random(&seed) % 32;
        changed.keys = keys;
        changed.events = bytes;
        kifu_timeline *loaded;
        kifu_error error;
        if (load_with_content(&save, &changed, &loaded, &error)) {
            ck_assert_uint_gt(strlen(error.message), 20);
            continue;
        }
        loaded_count++;
        kifu_turn turn;
        for (int i = 0; i < 6; i++)
            (void)!kifu_take_turn(loaded, crawl_rest, NULL, &turn);
        kifu_destroy(loaded);
    }
    ck_assert_uint_gt(loaded_count, 0);
    free(aligned);
    free(bytes);
    free(save.bytes);
    kifu_destroy(crawl);
}
END_TEST

// --- No memory -------------------------------------------------------------------------------------------------------

START_TEST(memory_may_end_while_actions_are_saved_and_loaded)
{
    kifu_handle heroes[2];
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *crawl = two_heroes(&options, heroes);
    must(crawl, kifu_set_action(crawl, heroes[0], 0)); // one is undone, one is set
    must(crawl, kifu_set_action(crawl, heroes[0], crawl_submit_p_rest(crawl, 0, heroes[0])));
    unsigned char *bytes = NULL;
    size_t size = 0;
    kifu_result result = KIFU_NO_MEMORY;
    for (long at = 0; result; at++) {
        memory.until_failure = at;
        result = kifu_save_to_memory(crawl, NULL, &bytes, &size);
        must_be(!result || result == KIFU_NO_MEMORY);
    }
    memory.until_failure = -1;
    result = KIFU_NO_MEMORY;
    for (long at = 0; result; at++) {
        test_memory other = {.until_failure = at};
        const kifu_options loading = {.allocate = test_allocate, .allocate_context = &other, .user = &test_hooks};
        kifu_timeline *loaded;
        result = kifu_load_from_memory(&crawl_rules, bytes, size, &loading, NULL, &loaded, NULL);
        must_be(!result || result == KIFU_NO_MEMORY);
        if (!result) {
            expect_same_actions(crawl, loaded);
            kifu_destroy(loaded);
        }
        ck_assert_int_eq(other.blocks, 0);
    }
    kifu_free_bytes(crawl, bytes);
    kifu_destroy(crawl);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

// With an undo that a redo takes back: what was set before it comes back, too.
START_TEST(B04_actions_that_are_set_are_in_the_changes)
{
    kifu_handle heroes[2];
    kifu_timeline *crawl = two_heroes(&with_hooks, heroes);
    kifu_changes begin = changes_since(crawl, NULL);
    take_turns(crawl, heroes);
    must(crawl, kifu_set_action(crawl, heroes[1], crawl_submit_p_move(crawl, 1, heroes[1], 0, 1)));
    must(crawl, kifu_undo(crawl));
    must(crawl, kifu_set_action(crawl, heroes[0], crawl_submit_p_move(crawl, 0, heroes[0], 1, 0)));
    kifu_changes more = changes_since(crawl, &begin.until);
    ck_assert(!more.whole);
    for (long i = 0, done = 0; !done; i++) {
        kifu_timeline *copy;
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {.user = &test_hooks, .allocate = test_allocate, .allocate_context = &memory};
        ck_assert_int_eq(kifu_create(&crawl_rules, &options, &copy, NULL), KIFU_OK);
        memory.until_failure = i;
        kifu_result result = kifu_apply_changes(copy, begin.bytes, begin.size);
        if (!result)
            result = kifu_apply_changes(copy, more.bytes, more.size);
        done = !memory.failed;
        memory.until_failure = -1;
        ck_assert_msg(result == KIFU_OK || result == KIFU_NO_MEMORY, "%s", kifu_last_error(copy)->message);
        if (result && !kifu_followed(copy).stream)
            must(copy, kifu_apply_changes(copy, begin.bytes, begin.size));
        must(copy, kifu_apply_changes(copy, more.bytes, more.size));
        expect_equal(crawl, copy, "a follower with actions");
        expect_same_actions(crawl, copy);
        if (done)
            expect_equal_ways(crawl, copy);
        kifu_destroy(copy);
        ck_assert_int_eq(memory.blocks, 0);
    }
    free(begin.bytes), free(more.bytes);
    kifu_destroy(crawl);
}
END_TEST

// As many inputs wait as after the last commit, and the first is the same; but another one has taken the place of the
// last.
// From a place in front of it, or behind it, to which it went by itself.
START_TEST(R05_an_action_is_set_when_a_follower_returns_to_it)
{
    for (int i = 0; i < 8; i++) {
        kifu_options options = with_hooks;
        options.keep_variations = i / 2 % 2 ? kifu_keep_variations : NULL;
        kifu_timeline *crawl = crawl_new(&options), *copy;
        ck_assert_int_eq(kifu_create(&crawl_rules, &options, &copy, NULL), KIFU_OK);
        const kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 1, 100);
        crawl_until(crawl, crawl_hunt, KIFU_TURN_NEEDS_INPUT);
        for (int k = 0; k < 2; k++) {
            crawl_submit_p_rest(crawl, 0, hero);
            must(crawl, kifu_run(crawl));
        }
        const uint32_t end = kifu_event_count(crawl);
        must(crawl, kifu_undo(crawl));
        must(crawl, kifu_set_action(crawl, hero, crawl_submit_p_move(crawl, 0, hero, 1, 0)));
        must_pass_on(crawl, copy);
        must(copy, kifu_undo(copy));
        if (i / 4)
            must(copy, kifu_go_to(copy, 0, end, true));
        crawl_submit_p_rest(crawl, 0, hero);
        if (i % 2) {
            save before = save_of(copy, NULL);
            const kifu_stream_position at = kifu_followed(copy);
            kifu_changes changes = changes_since(crawl, &at), spoiled = spoil_hash(&changes);
            ck_assert_int_eq(kifu_apply_changes(copy, spoiled.bytes, spoiled.size), KIFU_DIVERGED);
            expect_saves(copy, &before);
            free(before.bytes);
            free(changes.bytes);
            free(spoiled.bytes);
        }
        must_pass_on(crawl, copy);
        save expected = save_of(crawl, NULL);
        expect_saves(copy, &expected);
        free(expected.bytes);
        kifu_destroy(copy);
        kifu_destroy(crawl);
    }
}
END_TEST

START_TEST(R05_a_follower_in_which_another_input_waits_has_parted)
{
    kifu_handle heroes[2];
    kifu_timeline *crawl = two_heroes(&with_hooks, heroes), *copy;
    ck_assert_int_eq(kifu_create(&crawl_rules, &with_hooks, &copy, NULL), KIFU_OK);
    crawl_submit_p_move(crawl, 0, heroes[0], 0, 1);
    crawl_submit_p_move(crawl, 1, heroes[1], 0, 1);
    must_pass_on(crawl, copy);
    ck_assert_uint_eq(kifu_pending_count(copy), 2);
    kifu_event first;
    kifu_ticket last = crawl_submit_p_move(copy, 1, heroes[1], 1, 0);
    while (kifu_set_action(copy, heroes[1], --last)) // The one that is there with the greatest ticket leaves the queue.
        ck_assert_uint_gt(last, 0);
    ck_assert_uint_eq(kifu_pending_count(copy), 2);
    must_be(kifu_pending_at(copy, 0, &first) && first.player == 0);
    must(crawl, kifu_run(crawl));
    ck_assert_int_eq(pass_on(crawl, copy), KIFU_DIVERGED);
    kifu_destroy(copy);
    kifu_destroy(crawl);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F07_an_action_that_was_set_is_in_a_save,
        F07_an_action_that_was_set_is_in_a_fork_of_the_present,
        F07_redo_after_a_load_brings_back_what_was_set,
        V06_what_was_set_where_a_line_was_left_is_in_the_save,
        F07_a_game_whose_undone_chain_ran_before_the_first_turn_is_saved,
        F07_actions_are_appended_as_they_are_set_and_taken,
        R04_each_memory_that_a_log_file_of_set_actions_wants_may_fail,
        V06_what_was_set_and_undone_in_another_line_is_in_the_log_file,
        M08_what_waits_in_another_line_has_no_actions_of_the_current_one,
        F07_a_save_that_lost_its_commit_has_no_actions,
        S05_actions_need_an_actor_each_and_other_parts_are_skipped,
        S05_actions_are_skipped_where_nobody_acts,
        F07_an_action_that_breaks_its_schema_is_not_saved,
        S05_hostile_actions_do_no_harm,
        memory_may_end_while_actions_are_saved_and_loaded,
        B04_actions_that_are_set_are_in_the_changes,
        R05_an_action_is_set_when_a_follower_returns_to_it,
        R05_a_follower_in_which_another_input_waits_has_parted,
    };
    return run_suite("set actions", tests, sizeof tests / sizeof *tests);
}
