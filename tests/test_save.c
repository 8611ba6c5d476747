// Saving: what a save holds.

#include <sys/stat.h>
#include <time.h>

#include "history_help.h"
#include "save_help.h"
#include "suite.h"

// --- What a save holds -----------------------------------------------------------------------------------------------

typedef struct seen {
    int count;
    char title[50];
    char names[300];
    uint32_t player_count;
    uint32_t thumbnail_size;
    unsigned char thumbnail[4];
    uint32_t event_count;
    uint32_t rules_version;
    uint64_t fingerprint;
    uint32_t schema_size;
    int64_t saved_at;
} seen;

static bool see(void *context, const kifu_save_info *info)
{
    seen *seen = context;
    ck_assert_ptr_null(info->error);
    ck_assert_str_eq(info->game, "lab");
    seen->count++;
    snprintf(seen->title, sizeof seen->title, "%s", info->title ? info->title : "(none)");
    for (uint32_t i = 0; i < info->player_count; i++)
        strcat(strcat(seen->names, info->players[i]), ",");
    seen->player_count = info->player_count;
    seen->thumbnail_size = info->thumbnail_size;
    if (info->thumbnail_size)
        memcpy(seen->thumbnail, info->thumbnail, 4);
    seen->event_count = info->event_count;
    seen->rules_version = info->rules_version;
    seen->fingerprint = info->fingerprint;
    seen->schema_size = info->schema_size;
    seen->saved_at = info->saved_at;
    if (info->schema) {
        ck_assert_uint_eq(info->schema_size, lab_rules.bfbs_size);
        ck_assert_mem_eq(info->schema, lab_rules.bfbs, info->schema_size);
    }
    return true;
}

START_TEST(S01_a_save_holds_log_queues_schema_and_metadata)
{
    static const char *const players[] = {"Ann", "Bob"};
    static const unsigned char thumbnail[] = {1, 0, 255, 3};
    const kifu_save_options options = {
        .title = "Round 3", .players = players, .player_count = 2, .thumbnail = thumbnail, .thumbnail_size = 4};
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL);
    lab_must(lab, kifu_save(lab, path, &options));

    seen info = {0};
    ck_assert_int_eq(kifu_read_save_info(path, see, &info, NULL, NULL), KIFU_OK);
    ck_assert_int_eq(info.count, 1);
    ck_assert_str_eq(info.title, "Round 3");
    ck_assert_str_eq(info.names, "Ann,Bob,");
    ck_assert_uint_eq(info.thumbnail_size, 4);
    ck_assert_mem_eq(info.thumbnail, thumbnail, 4);
    ck_assert_uint_eq(info.event_count, kifu_event_count(lab));
    ck_assert_uint_eq(info.rules_version, lab_rules.rules_version);
    ck_assert_uint_eq(info.fingerprint, lab_rules.fingerprint);
    ck_assert_uint_eq(info.schema_size, lab_rules.bfbs_size);
    ck_assert_int_gt(info.saved_at, 1700000000);

    kifu_timeline *loaded;
    kifu_error error;
    ck_assert_msg(kifu_load(&lab_rules, path, NULL, NULL, &loaded, &error) == KIFU_OK, "%s", error.message);
    lab_picture before = lab_look(lab);
    lab_same(loaded, &before);
    ck_assert_uint_eq(kifu_pending_count(loaded), 4);
    kifu_destroy(loaded);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S01_metadata_and_schema_may_be_left_out)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    const kifu_save_options options = {.without_schema = true};
    lab_must(lab, kifu_save(lab, path, &options));
    seen info = {0};
    ck_assert_int_eq(kifu_read_save_info(path, see, &info, NULL, NULL), KIFU_OK);
    ck_assert_str_eq(info.title, "(none)");
    ck_assert_uint_eq(info.player_count, 0);
    ck_assert_uint_eq(info.thumbnail_size, 0);
    ck_assert_uint_eq(info.schema_size, 0);
    ck_assert_uint_eq(info.fingerprint, lab_rules.fingerprint);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S01_a_player_without_a_name_has_an_empty_one)
{
    static const char *const players[] = {NULL, "Bob"};
    const kifu_save_options options = {.players = players, .player_count = 2};
    char *folder = new_folder();
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_save(lab, in_folder(folder, "a.kifu"), &options));
    seen info = {0};
    ck_assert_int_eq(kifu_read_save_info(in_folder(folder, "a.kifu"), see, &info, NULL, NULL), KIFU_OK);
    ck_assert_uint_eq(info.player_count, 2);
    ck_assert_str_eq(info.names, ",Bob,");
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(S01_metadata_may_be_of_any_length)
{
    kifu_timeline *lab = rich_game(NULL);
    for (uint32_t size = 0; size < 9; size++) {
        const kifu_save_options options = {.thumbnail = "12345678", .thumbnail_size = size, .without_schema = true};
        save save = save_of(lab, &options);
        kifu_destroy(load_again(&save));
        free(save.bytes);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(S01_a_save_of_ten_events_is_small)
{
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 0; i < 10; i++)
        lab_submit_p_add(lab, 0, i + 1);
    lab_must(lab, kifu_run(lab));
    const kifu_save_options options = {.without_schema = true};
    save save = save_of(lab, &options);
    ck_assert_uint_lt(save.size, 1000);
    free(save.bytes);
    const kifu_save_options smaller = {.without_schema = true, .without_snapshot = true};
    save = save_of(lab, &smaller);
    ck_assert_uint_lt(save.size, 750);
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

// --- While there is more than the present ----------------------------------------------------------------------------

START_TEST(S03_a_save_while_the_past_is_shown_is_of_the_present)
{
    kifu_timeline *lab = waiting_game(NULL);
    save expected = save_of(lab, NULL);
    lab_picture present = lab_look(lab);
    for (uint32_t count = 0; count <= kifu_event_count(lab); count++) {
        lab_must(lab, kifu_seek(lab, count));
        lab_picture shown = lab_look(lab);
        save save = save_of(lab, NULL);
        expect_same_bytes(&expected, &save);
        free(save.bytes);
        lab_same(lab, &shown);
        ck_assert_uint_eq(kifu_event_count(lab), present.events);
    }
    lab_must(lab, kifu_seek(lab, KIFU_PRESENT));
    lab_same(lab, &present);
    free(expected.bytes);
    kifu_destroy(lab);
}
END_TEST

static bool refuses;

static kifu_result do_or_refuse(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                                void *transient)
{
    return refuses && lab_get_state(timeline)->total >= 5 ? kifu_fail(timeline, "not in my house")
                                                          : lab_rules.do_event(timeline, type, state, event, transient);
}

START_TEST(S03_a_save_that_does_not_reach_the_present_leaves_the_past_shown)
{
    kifu_rules rules = lab_rules;
    rules.do_event = do_or_refuse;
    kifu_timeline *lab;
    unsigned char *bytes;
    size_t size;
    ck_assert_int_eq(kifu_create(&rules, NULL, &lab, NULL), KIFU_OK);
    for (int i = 0; i < 10; i++)
        lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_seek(lab, 2));
    lab_picture shown = lab_look(lab);
    refuses = true;
    ck_assert_int_eq(kifu_save_to_memory(lab, NULL, &bytes, &size), KIFU_FAILED);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, "not in my house"));
    ck_assert_uint_eq(kifu_position(lab), 2);
    lab_same(lab, &shown);
    refuses = false;
    lab_must(lab, kifu_save_to_memory(lab, NULL, &bytes, &size));
    kifu_free_bytes(lab, bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(P05_there_is_no_saving_inside_a_transaction)
{
    char *folder = new_folder();
    kifu_timeline *lab = rich_game(NULL);
    unsigned char *bytes;
    size_t size;
    lab_must(lab, kifu_begin(lab, 0));
    ck_assert_int_eq(kifu_save(lab, in_folder(folder, "a.kifu"), NULL), KIFU_MISUSE);
    ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, "commit or roll back first"));
    ck_assert_int_eq(kifu_save_to_memory(lab, NULL, &bytes, &size), KIFU_MISUSE);
    ck_assert_ptr_null(bytes);
    ck_assert_int_eq(count_files(folder), 0);
    lab_must(lab, kifu_roll_back(lab));
    lab_must(lab, kifu_begin(lab, KIFU_SEARCH));
    ck_assert_int_eq(kifu_save(lab, in_folder(folder, "a.kifu"), NULL), KIFU_MISUSE);
    lab_must(lab, kifu_roll_back(lab));
    lab_must(lab, kifu_save(lab, in_folder(folder, "a.kifu"), NULL));
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(the_same_game_gives_the_same_bytes)
{
    kifu_timeline *one = waiting_game(NULL), *two = waiting_game(NULL);
    save first = save_of(one, NULL), second = save_of(two, NULL);
    ck_assert_uint_eq(first.size, second.size);
    ck_assert_mem_eq(first.bytes, second.bytes, first.size);
    kifu_timeline *loaded = load_again(&first);
    save third = save_of(loaded, NULL);
    ck_assert_uint_eq(first.size, third.size);
    ck_assert_mem_eq(first.bytes, third.bytes, first.size);
    kifu_destroy(loaded);
    kifu_destroy(one);
    kifu_destroy(two);
    free(first.bytes);
    free(second.bytes);
    free(third.bytes);
}
END_TEST

START_TEST(a_file_has_the_bytes_that_memory_has)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = waiting_game(NULL);
    save expected = save_of(lab, NULL);
    lab_must(lab, save_at(lab, path, NULL, 1700000000));
    size_t size;
    unsigned char *bytes = read_bytes(path, &size);
    ck_assert_uint_eq(size, expected.size);
    ck_assert_mem_eq(bytes, expected.bytes, size);
    free(bytes);
    free(expected.bytes);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// Such a proposal would be refused when its turn came; in the file it would be damage.
START_TEST(a_waiting_proposal_that_breaks_its_schema_is_left_out)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_do(lab, 0, "+", 1);
    lab_submit_e_mood(lab, 3);
    lab_submit_e_mood(lab, LAB_MOOD_ANGRY);
    save save = save_of(lab, NULL);
    kifu_timeline *loaded = load_again(&save);
    ck_assert_uint_eq(kifu_pending_count(loaded), 2);
    lab_must(loaded, kifu_run(loaded));
    ck_assert_uint_eq(lab_get_state(loaded)->mood, LAB_MOOD_ANGRY);
    free(save.bytes);
    kifu_destroy(loaded);
    kifu_destroy(lab);
}
END_TEST

// Each of its turns is loaded, played and saved by itself. That must not cost more room than one long sitting.
START_TEST(a_game_by_mail_stays_small)
{
    const kifu_save_options options = {.without_schema = true};
    kifu_timeline *sitting = lab_new(NULL), *mail = lab_new(NULL);
    for (int turn = 0; turn < 300; turn++) {
        lab_do(sitting, turn % 2, "+", 1);
        lab_must(sitting, kifu_run(sitting));
        save save = save_of(mail, &options);
        kifu_destroy(mail);
        mail = load_again(&save);
        free(save.bytes);
        lab_do(mail, turn % 2, "+", 1);
        lab_must(mail, kifu_run(mail));
    }
    save one = save_of(sitting, &options), other = save_of(mail, &options);
    ck_assert_uint_le(other.size, one.size + one.size / 4);
    lab_picture picture = lab_look(sitting);
    ck_assert_uint_eq(kifu_event_count(mail), 300);
    ck_assert_mem_eq(kifu_state(mail), &picture.state, sizeof picture.state);
    free(one.bytes);
    free(other.bytes);
    kifu_destroy(sitting);
    kifu_destroy(mail);
}
END_TEST

// --- Where saving is not allowed -------------------------------------------------------------------------------------

static kifu_result save_in_reaction(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)state;
    (void)event;
    unsigned char *bytes = NULL;
    size_t size = 1;
    *(kifu_result *)context = kifu_save_to_memory(timeline, NULL, &bytes, &size);
    ck_assert_ptr_null(bytes);
    ck_assert_uint_eq(size, 0);
    return KIFU_OK;
}

START_TEST(saving_while_an_event_runs_is_misuse)
{
    kifu_timeline *lab = lab_new(NULL);
    kifu_result inside = KIFU_OK;
    lab_must(lab, kifu_observe(lab, &(kifu_observer){.react = save_in_reaction, .context = &inside}));
    ck_assert_int_eq(lab_play(lab, "+"), KIFU_MISUSE);
    ck_assert_int_eq(inside, KIFU_MISUSE);
    ck_assert_uint_eq(kifu_event_count(lab), 0);
    kifu_destroy(lab);
}
END_TEST

// --- No memory -------------------------------------------------------------------------------------------------------

START_TEST(no_memory_at_any_allocation_of_a_save_leaks_nothing)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *lab = waiting_game(&options);
    lab_must(lab, kifu_undo(lab)); // What waits is longer than a proposal mostly is.
    lab_do(lab, 0, "1(a consequence that says a lot more than what it does: there must be room for that)", 1);
    lab_must(lab, kifu_step(lab));
    static const char *const players[] = {"Ann", "Bob", "Cid"};
    const kifu_save_options with_players = {.players = players, .player_count = 3};
    long blocks = memory.blocks;
    for (int way = 0; way < 4; way++) {
        kifu_result result = KIFU_NO_MEMORY;
        if (way == 3) // While the past is shown.
            lab_must(lab, kifu_seek(lab, 2));
        for (long at = 0; result; at++) {
            unsigned char *bytes = NULL;
            size_t size;
            memory.until_failure = at;
            result = way == 0   ? kifu_save(lab, path, NULL)
                     : way == 1 ? kifu_save(lab, folder, NULL)
                                : kifu_save_to_memory(lab, &with_players, &bytes, &size);
            memory.until_failure = -1;
            if (result) {
                ck_assert_int_eq(result, KIFU_NO_MEMORY);
                ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, "out of memory"));
                ck_assert_int_eq(count_files(folder), way == 0 ? 0 : way == 1 ? 1 : 2);
            }
            kifu_free_bytes(lab, bytes);
            ck_assert_int_eq(memory.blocks, blocks);
        }
    }
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
    remove_folder(folder);
}
END_TEST

START_TEST(no_memory_for_many_frames_leaks_nothing)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *lab = lab_new(&options);
    for (int i = 1; i <= 600; i++)
        lab_submit_p_add(lab, 0, i);
    lab_must(lab, kifu_run(lab));
    const long blocks = memory.blocks;
    kifu_result result = KIFU_NO_MEMORY;
    for (long at = 0; result; at++) {
        unsigned char *bytes = NULL;
        size_t size;
        memory.until_failure = at;
        result = kifu_save_to_memory(lab, NULL, &bytes, &size);
        memory.until_failure = -1;
        ck_assert_int_eq(result, result ? KIFU_NO_MEMORY : KIFU_OK);
        kifu_free_bytes(lab, bytes);
        ck_assert_int_eq(memory.blocks, blocks);
    }
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S01_a_save_holds_log_queues_schema_and_metadata,
        S01_metadata_and_schema_may_be_left_out,
        S01_a_player_without_a_name_has_an_empty_one,
        S01_metadata_may_be_of_any_length,
        S01_a_save_of_ten_events_is_small,
        S03_a_save_while_the_past_is_shown_is_of_the_present,
        S03_a_save_that_does_not_reach_the_present_leaves_the_past_shown,
        P05_there_is_no_saving_inside_a_transaction,
        the_same_game_gives_the_same_bytes,
        a_file_has_the_bytes_that_memory_has,
        a_waiting_proposal_that_breaks_its_schema_is_left_out,
        a_game_by_mail_stays_small,
        saving_while_an_event_runs_is_misuse,
        no_memory_at_any_allocation_of_a_save_leaks_nothing,
        no_memory_for_many_frames_leaks_nothing,
    };
    return run_suite("save", tests, sizeof tests / sizeof *tests);
}
