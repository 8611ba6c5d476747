// Long calls: B07. Each tells how far it is; a cancelled one changes nothing and leaves nothing behind.

#include "history_help.h"
#include "log_file_help.h"
#include "run_codec.h"
#include "save_help.h"
#include "suite.h"

enum { LONG = 150000 };

// Who listens, and how often before he has had enough.
typedef struct ear {
    uint32_t calls, patience; // `patience` 0: endless
    uint64_t done, total;
    kifu_timeline *timeline; // which he is to call into; NULL: none
} ear;

static bool hear(void *context, uint64_t done, uint64_t total)
{
    ear *ear = context;
    ck_assert(!ear->calls || total == ear->total);
    ck_assert_uint_ge(done, ear->done);
    ck_assert_uint_le(done, total);
    ear->done = done;
    ear->total = total;
    return ++ear->calls != ear->patience;
}

// Plays much in short time.
static kifu_timeline *long_game(const kifu_options *options, int count)
{
    kifu_timeline *lab = lab_started(options);
    for (int i = 0; i < count; i++) {
        lab_submit_p_add(lab, i % 2, 1 + i % 5);
        if (i % 1000 == 999)
            lab_must(lab, kifu_run(lab));
    }
    lab_must(lab, kifu_run(lab));
    return lab;
}

// --- Loading ---------------------------------------------------------------------------------------------------------

// Once whole, then cancelled at each call.
static uint32_t load_and_cancel(const kifu_rules *rules, const save *save, kifu_load_options way, kifu_result why)
{
    ear ear = {.patience = 0};
    kifu_timeline *timeline;
    kifu_error error;
    way.progress = hear;
    way.context = &ear;
    ck_assert_msg(!kifu_load_from_memory(rules, save->bytes, save->size, NULL, &way, &timeline, &error), "%s",
                  error.message);
    kifu_destroy(timeline);
    const uint32_t calls = ear.calls;
    for (uint32_t patience = 1; patience <= calls; patience += 1 + calls / 8) {
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        ear = (struct ear){.patience = patience};
        timeline = (kifu_timeline *)&memory;
        ck_assert_int_eq(kifu_load_from_memory(rules, save->bytes, save->size, &options, &way, &timeline, &error), why);
        ck_assert_int_eq(error.result, why);
        ck_assert_ptr_nonnull(strstr(error.message, "the progress function cancelled"));
        ck_assert_uint_eq(ear.calls, patience);
        ck_assert_ptr_null(timeline);
        ck_assert_int_eq(memory.blocks, 0);
    }
    return calls;
}

START_TEST(B07_a_load_says_how_far_it_is_and_can_be_cancelled)
{
    kifu_timeline *lab = long_game(NULL, LONG);
    save plain = save_of(lab, NULL), packed = save_of(lab, &(kifu_save_options){.codec = &run_codec});
    kifu_rules later = lab_rules;
    later.rules_version++; // so that no hash is compared
    const kifu_load_options unpacks = {.codec = &run_codec};
    const uint32_t executing = LONG / 16384;
    const uint32_t reading = (uint32_t)(plain.size >> 18) / 2; // behind some frames it is not time yet
    ck_assert_uint_ge(load_and_cancel(&lab_rules, &plain, (kifu_load_options){.fast = false}, KIFU_CANCELLED),
                      executing + reading);
    ck_assert_uint_ge(load_and_cancel(&later, &plain, (kifu_load_options){.fast = false}, KIFU_CANCELLED),
                      executing + reading);
    ck_assert_uint_ge(load_and_cancel(&lab_rules, &packed, unpacks, KIFU_CANCELLED), executing + 2);
    const uint32_t fast = load_and_cancel(&lab_rules, &plain, (kifu_load_options){.fast = true}, KIFU_CANCELLED);
    ck_assert_uint_ge(fast, reading);
    ck_assert_uint_le(fast, (uint32_t)(plain.size >> 18)); // and not behind each frame
    ck_assert_uint_ge(load_and_cancel(&lab_rules, &plain, (kifu_load_options){.recover = kifu_recover}, KIFU_CANCELLED),
                      executing + reading);
    free(plain.bytes);
    free(packed.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(B07_a_short_load_bothers_nobody)
{
    kifu_timeline *lab = rich_game(NULL);
    save save = save_of(lab, NULL);
    ck_assert_uint_eq(load_and_cancel(&lab_rules, &save, (kifu_load_options){.fast = false}, KIFU_CANCELLED), 0);
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

// --- Calls on a timeline ---------------------------------------------------------------------------------------------

static kifu_result verify_replay(kifu_timeline *timeline, void *context)
{
    (void)context;
    return kifu_verify_replay(timeline, NULL);
}

static kifu_result verify_rules(kifu_timeline *timeline, void *context)
{
    (void)context;
    return kifu_verify_rules(timeline, NULL, NULL, NULL);
}

static kifu_result pack_file(kifu_timeline *timeline, void *context)
{
    return kifu_save(timeline, in_folder(context, "a.kifu"), &(kifu_save_options){.codec = &run_codec});
}

static kifu_result pack_to_memory(kifu_timeline *timeline, void *context)
{
    unsigned char *bytes;
    size_t size;
    (void)context;
    kifu_result result = kifu_save_to_memory(timeline, &(kifu_save_options){.codec = &run_codec}, &bytes, &size);
    ck_assert(!result == (bytes != NULL));
    kifu_free_bytes(timeline, bytes);
    return result;
}

typedef struct long_call {
    kifu_result (*make)(kifu_timeline *timeline, void *context);
    uint32_t least; // so often at least it tells
} long_call;

static const long_call long_calls[] = {
    {verify_replay, LONG / 16384},
    {verify_rules, LONG / 1024},
    {pack_file, LONG / 65536},
    {pack_to_memory, LONG / 65536},
};

START_TEST(B07_a_call_on_a_timeline_says_how_far_it_is_and_can_be_cancelled)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {
        .allocate = test_allocate, .allocate_context = &memory, .record_inputs = kifu_record_inputs};
    kifu_timeline *lab = long_game(&options, LONG);
    save before = save_of(lab, NULL);
    char *folder = new_folder();
    for (size_t i = 0; i < sizeof long_calls / sizeof *long_calls; i++) {
        const long_call *call = &long_calls[i];
        ear ear = {.patience = 0};
        kifu_set_progress(lab, hear, &ear);
        lab_must(lab, call->make(lab, folder));
        const uint32_t calls = ear.calls;
        ck_assert_uint_ge(calls, call->least);
        write_bytes(in_folder(folder, "a.kifu"), "old", 3);
        const size_t bytes = memory.bytes;
        for (uint32_t patience = 1; patience <= calls; patience += 1 + calls / 4) {
            ear = (struct ear){.patience = patience};
            ck_assert_int_eq(call->make(lab, folder), KIFU_CANCELLED);
            ck_assert_int_eq(kifu_last_error(lab)->result, KIFU_CANCELLED);
            ck_assert_ptr_nonnull(strstr(kifu_last_error(lab)->message, "nothing was changed"));
            ck_assert_uint_eq(ear.calls, patience);
            ck_assert_uint_eq(memory.bytes, bytes);
            ck_assert_int_eq(count_files(folder), 1);
            size_t size;
            unsigned char *old = read_bytes(in_folder(folder, "a.kifu"), &size);
            ck_assert(size == 3 && !memcmp(old, "old", 3));
            free(old);
        }
        kifu_set_progress(lab, NULL, NULL);
        save after = save_of(lab, NULL);
        expect_same_bytes(&before, &after);
        free(after.bytes);
        lab_must(lab, call->make(lab, folder));
    }
    free(before.bytes);
    remove_folder(folder);
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

START_TEST(B07_a_log_file_that_is_not_closed_goes_on)
{
    kifu_timeline *lab = long_game(NULL, LONG / 2);
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    const kifu_save_options packs = {.codec = &run_codec};
    ear ear = {.patience = 1};
    kifu_set_progress(lab, hear, &ear);
    lab_must(lab, kifu_log_open(lab, path, &packs));
    ck_assert_uint_eq(ear.calls, 0); // it is plain
    ck_assert_int_eq(kifu_log_close(lab, &packs), KIFU_CANCELLED);
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_log_append(lab));
    ck_assert_int_eq(count_files(folder), 1);
    kifu_recovery recovery;
    kifu_timeline *again = recover(path, &recovery);
    ck_assert_uint_eq(kifu_event_count(again), kifu_event_count(lab));
    kifu_destroy(again);
    kifu_set_progress(lab, NULL, NULL);
    lab_must(lab, kifu_log_close(lab, NULL));
    remove_folder(folder);
    kifu_destroy(lab);
}
END_TEST

// --- Misuse ----------------------------------------------------------------------------------------------------------

// What the function may not do, one after the other.
static bool meddle(void *context, uint64_t done, uint64_t total)
{
    ear *ear = context;
    kifu_timeline *lab = ear->timeline;
    (void)done, (void)total;
    ck_assert_uint_gt(kifu_event_count(lab), 0); // It may look.
    switch (ear->calls++) {
    case 0:
        ck_assert_uint_eq(lab_submit_p_add(lab, 0, 1), 0);
        break;
    case 1:
        ck_assert_int_eq(kifu_undo(lab), KIFU_MISUSE);
        break;
    case 2:
        ck_assert_int_eq(kifu_verify_replay(lab, NULL), KIFU_MISUSE);
        break;
    case 3:
        ck_assert_int_eq(kifu_run(lab), KIFU_MISUSE);
        break;
    default:
        ck_assert_int_eq(pack_to_memory(lab, NULL), KIFU_MISUSE);
    }
    return true;
}

START_TEST(B07_a_function_that_calls_into_the_timeline_is_misuse)
{
    kifu_timeline *lab = long_game(&(kifu_options){.record_inputs = kifu_record_inputs}, LONG);
    save before = save_of(lab, NULL);
    for (size_t i = 0; i < sizeof long_calls / sizeof *long_calls; i++) {
        if (long_calls[i].make == pack_file)
            continue;
        ear ear = {.timeline = lab};
        kifu_set_progress(lab, meddle, &ear);
        for (uint32_t kind = 0; kind < 5; kind++) {
            ck_assert_int_eq(long_calls[i].make(lab, NULL), KIFU_MISUSE);
            ck_assert_uint_eq(ear.calls, kind + 1);
            ck_assert_msg(strstr(kifu_last_error(lab)->message, " function"), "%s", kifu_last_error(lab)->message);
        }
        kifu_set_progress(lab, NULL, NULL);
        ck_assert_msg(!long_calls[i].make(lab, NULL), "%d: %s", (int)i, kifu_last_error(lab)->message);
    }
    save after = save_of(lab, NULL);
    expect_same_bytes(&before, &after);
    free(before.bytes);
    free(after.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(B07_a_fork_has_no_progress_function)
{
    kifu_timeline *lab = long_game(NULL, 40000), *fork;
    ear ear = {.patience = 1};
    kifu_set_progress(lab, hear, &ear);
    ck_assert_int_eq(kifu_fork(lab, KIFU_PRESENT, NULL, &fork, NULL), KIFU_OK);
    lab_must(fork, kifu_verify_replay(fork, NULL));
    ck_assert_uint_eq(ear.calls, 0);
    kifu_destroy(fork);
    kifu_destroy(lab);
}
END_TEST

// --- Listings --------------------------------------------------------------------------------------------------------

static bool count_saves(void *context, const kifu_save_info *info)
{
    ck_assert_ptr_null(info->error);
    ++*(uint32_t *)context;
    return true;
}

START_TEST(B07_a_listing_says_how_far_it_is_and_can_be_cancelled)
{
    enum { FILES = 5 };
    char *folder = new_folder(), name[20];
    kifu_timeline *lab = rich_game(NULL);
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "%d.kifu", i);
        lab_must(lab, kifu_save(lab, in_folder(folder, name), NULL));
    }
    for (uint32_t patience = 0; patience <= FILES; patience++) {
        ear ear = {.patience = patience};
        uint32_t visits = 0;
        kifu_error error;
        test_memory memory = {.until_failure = -1};
        const kifu_list_options options = {
            .allocate = test_allocate, .allocate_context = &memory, .progress = hear, .context = &ear};
        ck_assert_int_eq(kifu_list_saves(folder, count_saves, &visits, &options, &error),
                         patience ? KIFU_CANCELLED : KIFU_OK);
        ck_assert_uint_eq(ear.total, FILES);
        ck_assert_uint_eq(visits, patience ? patience - 1 : FILES);
        snprintf(name, sizeof name, "file %u of 5", (unsigned)patience);
        ck_assert(!patience || (strstr(error.message, "cancelled it, before ") && strstr(error.message, name)));
        ck_assert_int_eq(memory.blocks, 0);
    }
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        B07_a_load_says_how_far_it_is_and_can_be_cancelled,
        B07_a_short_load_bothers_nobody,
        B07_a_call_on_a_timeline_says_how_far_it_is_and_can_be_cancelled,
        B07_a_log_file_that_is_not_closed_goes_on,
        B07_a_function_that_calls_into_the_timeline_is_misuse,
        B07_a_fork_has_no_progress_function,
        B07_a_listing_says_how_far_it_is_and_can_be_cancelled,
    };
    return run_suite("progress", tests, sizeof tests / sizeof *tests);
}
