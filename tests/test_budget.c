// How much memory a file may take: B08, F50, F51. Bytes are counted, and no seconds.

#include <sys/stat.h>

#include "history_help.h"
#include "log_file_help.h"
#include "shared_segment.h"
#include "run_codec.h"
#include "save_help.h"
#include "suite.h"

#ifdef WITH_ZSTD
#include <kifu/zstd.h>
#endif

// Very regular.
static kifu_timeline *long_game(uint32_t count)
{
    kifu_timeline *lab = lab_started(NULL);
    for (uint32_t i = 0; i < count; i++) {
        lab_submit_p_add(lab, 0, 1);
        if (i % 1000 == 999)
            lab_must(lab, kifu_run(lab));
    }
    lab_must(lab, kifu_run(lab));
    return lab;
}

static kifu_result load_within(const kifu_rules *rules, const save *save, kifu_load_options way, test_memory *memory,
                               kifu_timeline **timeline, kifu_error *error)
{
    *memory = (test_memory){.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = memory};
    return kifu_load_from_memory(rules, save->bytes, save->size, &options, &way, timeline, error);
}

// What a load takes that reads nothing: a timeline, the file.
static size_t fixed_bytes(const kifu_rules *rules, const save *from)
{
    test_memory memory;
    kifu_timeline *timeline;
    kifu_error error;
    const save damaged = {malloc(from->size), from->size};
    memset(damaged.bytes, 0, from->size);
    ck_assert_int_eq(load_within(rules, &damaged, (kifu_load_options){.fast = false}, &memory, &timeline, &error),
                     KIFU_NOT_A_SAVE);
    free(damaged.bytes);
    return memory.peak;
}

static void expect_refused(const kifu_error *error, uint64_t budget)
{
    char limit[100];
    snprintf(limit, sizeof limit, "kifu_load_options.memory allows %llu:", (unsigned long long)budget);
    ck_assert_int_eq(error->result, KIFU_TOO_LARGE);
    ck_assert_msg(strstr(error->message, limit) != NULL, "'%s', not '%s'", error->message, limit);
    unsigned long long needed = 0;
    ck_assert_int_eq(sscanf(error->message, "the save needs %llu bytes", &needed), 1);
    ck_assert_uint_gt(needed, budget);
}

// The first budget that is enough: each smaller one is refused, and nothing more is allocated.
static uint64_t find_need(const kifu_rules *rules, const save *save, kifu_load_options way)
{
    const size_t fixed = fixed_bytes(rules, save);
    for (uint64_t budget = 64;; budget += budget / 4) {
        test_memory memory;
        kifu_timeline *timeline;
        kifu_error error;
        way.memory = budget;
        kifu_result result = load_within(rules, save, way, &memory, &timeline, &error);
        if (!result) {
            kifu_destroy(timeline);
            ck_assert_int_eq(memory.blocks, 0);
            return budget;
        }
        expect_refused(&error, budget);
        ck_assert_ptr_null(timeline);
        ck_assert_int_eq(memory.blocks, 0);
        ck_assert_uint_le(memory.peak, fixed + budget);
    }
}

static save log_file_of(kifu_timeline *lab)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int i = 0; i < 300; i++) {
        lab_do(lab, 0, i % 3 ? "+" : "+(+-)", 0);
        lab_must(lab, i % 7 ? kifu_run(lab) : kifu_step(lab));
        if (i % 10 == 9)
            lab_must(lab, kifu_undo(lab));
        lab_must(lab, kifu_log_append(lab));
    }
    save save;
    save.bytes = read_bytes(path, &save.size);
    remove_folder(folder);
    return save;
}

START_TEST(B08_a_load_takes_no_more_memory_than_it_may)
{
    kifu_rules later = lab_rules;
    later.rules_version++;
    kifu_timeline *game = long_game(3000), *full = waiting_game(NULL), *log = waiting_game(NULL);
    const kifu_save_options packs = {.codec = &run_codec};
    const save saves[] = {save_of(game, NULL),   save_of(game, &packs),
                          save_of(full, NULL),   shared_save(RECORD_QUEUE, 20, "+++++++++++++++++++++++++"),
                          save_of(full, &packs), log_file_of(log)};
    for (size_t i = 0; i < sizeof saves / sizeof *saves; i++) {
        const kifu_load_options way = {.codec = &run_codec, .recover = kifu_recover};
        const uint64_t need = find_need(&lab_rules, &saves[i], way);
        ck_assert_uint_le(need, (UINT64_C(1) << 18) + 64 * saves[i].size); // so it loads by default
        find_need(&later, &saves[i], way);
        free(saves[i].bytes);
    }
    kifu_destroy(game);
    kifu_destroy(full);
    kifu_destroy(log);
}
END_TEST

// Events of another schema are converted; so are those that share parts, which take far more bytes then.
START_TEST(B08_what_is_converted_counts)
{
    char script[30001];
    memset(script, '+', sizeof script - 1);
    script[sizeof script - 1] = '\0';
    save save = shared_save(RECORD_QUEUE, 40, script);
    ck_assert_uint_lt(save.size, 50000);
    ck_assert_uint_gt(find_need(&lab_rules, &save, (kifu_load_options){.fast = false}), 40 * 30000);
    free(save.bytes);
}
END_TEST

START_TEST(B08_no_memory_at_all_is_no_limit)
{
    kifu_timeline *lab = long_game(100), *timeline;
    save save = save_of(lab, &(kifu_save_options){.codec = &run_codec});
    const kifu_options create = {.allocate = test_allocate};
    for (long at = 0;; at++) {
        test_memory memory = {.until_failure = at};
        kifu_options options = create;
        kifu_error error;
        options.allocate_context = &memory;
        const kifu_load_options way = {.codec = &run_codec, .memory = 1 << 24};
        kifu_result result =
            kifu_load_from_memory(&lab_rules, save.bytes, save.size, &options, &way, &timeline, &error);
        ck_assert_int_eq(result, result ? KIFU_NO_MEMORY : KIFU_OK);
        kifu_destroy(timeline);
        ck_assert_int_eq(memory.blocks, 0);
        if (!memory.failed)
            break;
    }
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(B08_random_games_are_loaded_or_refused)
{
    uint32_t seed = (uint32_t)fuzz_seed();
    for (unsigned long i = 0; i < fuzz_steps(40); i++) {
        kifu_timeline *lab = lab_new(NULL), *timeline;
        for (uint32_t steps = next_random(&seed) % 60; steps; steps--)
            random_lab_step(lab, next_random(&seed));
        save save = save_of(lab, next_random(&seed) % 2 ? &(kifu_save_options){.codec = &run_codec} : NULL);
        for (int way = 0; way < 20; way++) {
            kifu_error error;
            test_memory memory;
            const kifu_load_options options = {.codec = &run_codec,
                                               .recover = way % 2 ? kifu_recover : NULL,
                                               .memory = 1 + next_random(&seed) % (64u << next_random(&seed) % 12)};
            if (load_within(&lab_rules, &save, options, &memory, &timeline, &error))
                expect_refused(&error, options.memory);
            else
                expect_same(lab, timeline);
            kifu_destroy(timeline);
            ck_assert_int_eq(memory.blocks, 0);
        }
        free(save.bytes);
        kifu_destroy(lab);
    }
}
END_TEST

// --- Packed saves ----------------------------------------------------------------------------------------------------

#ifdef WITH_ZSTD
// The rows of a game, as a packed save has them. Its bytes are the caller's.
static record rows_of(kifu_timeline *game, save *packed)
{
    *packed = save_of(game, &(kifu_save_options){.codec = &kifu_compact, .without_schema = true});
    const frames frames = packed_frames(packed);
    const records records = first_records(&frames);
    return records.all[find_record(&records, RECORD_EVENTS)];
}

// As many events of a long game as such a run has, each of which has the last `row` bytes of `rows`.
static unsigned char *put_run(unsigned char *at, const record *rows, uint32_t row, uint32_t count, uint32_t version)
{
    unsigned char head[10], *end = put_number(put_number(head, count), version);
    at = put_number(put_number(at, RECORD_EVENTS), (uint32_t)(end - head) + count * row);
    memcpy(at, head, (size_t)(end - head));
    at += end - head;
    for (; count; count--, at += row)
        memcpy(at, rows->body + rows->size - row, row);
    return at;
}

// The header of an honest save, and behind it so many runs of the events of a long game, which all are honest ones.
static save repeated(const save *honest, uint32_t events, uint32_t times)
{
    enum { RUN = 4096 };
    kifu_timeline *one = long_game(1), *two = long_game(2);
    save of_one, of_two;
    const record less = rows_of(one, &of_one), rows = rows_of(two, &of_two);
    const uint32_t row = rows.size - less.size;
    const unsigned char *begin = rows.body;
    (void)number_at(&begin);
    const uint32_t version = number_at(&begin);
    unsigned char *records = calloc(1, 100 + rows.size + (size_t)times * (events / RUN + 1) * (20 + RUN * row)),
                  *end = records + COMMIT_LINK;
    ck_assert_ptr_nonnull(records);
    end = put_number(put_number(end, RECORD_EVENTS), rows.size); // These say what shape the others have.
    memcpy(end, rows.body, rows.size);
    end += rows.size;
    for (uint32_t i = 0; i < times; i++) {
        for (uint32_t done = 0; done < events; done += RUN)
            end = put_run(end, &rows, row, events - done < RUN ? events - done : RUN, version);
    }
    end = put_number(put_number(end, RECORD_END), 0);
    const frames commit = {.all = {{.kind = FRAME_COMMIT, .payload = records, .size = (uint32_t)(end - records)}},
                           .count = 1};
    uint32_t size;
    unsigned char *block = block_of(&commit, &size);
    int level = 1;
    const size_t room = kifu_zstd()->bound(NULL, size);
    enum { HEAD = 8 + 5 }; // the block's size, the link, the codec's name
    unsigned char *payload = calloc(1, HEAD + room);
    size_t packed;
    set32(payload, size);
    memcpy(payload + 8, "\4zstd", 5);
    ck_assert_int_eq(kifu_zstd()->compress(&level, block, size, payload + HEAD, room, &packed), KIFU_OK);
    uint64_t offset = FILE_HEAD;
    const save_frame header = read_frame(honest->bytes, honest->size, &offset);
    save attack = {malloc(honest->size + packed + 100), 0};
    frame_writer writer = {.to = &attack};
    write_file_head(&writer);
    write_frame(&writer, header.kind, header.payload, header.size);
    put_link(&writer, FRAME_PACKED, payload);
    write_frame(&writer, FRAME_PACKED, payload, (uint32_t)packed + HEAD);
    free(payload);
    free(block);
    free(records);
    free(of_one.bytes);
    free(of_two.bytes);
    kifu_destroy(one);
    kifu_destroy(two);
    return attack;
}

// Six million events.
START_TEST(F50_a_small_file_does_not_take_all_memory)
{
    enum { EVENTS = 65000, TIMES = 100 };
    kifu_timeline *lab = long_game(EVENTS), *timeline;
    save honest = save_of(lab, &(kifu_save_options){.codec = kifu_zstd(), .without_schema = true});
    save attack = repeated(&honest, EVENTS, TIMES);
    ck_assert_uint_lt(attack.size, 1 << 20);
    test_memory memory;
    kifu_error error;
    kifu_load_options way = {.codec = kifu_zstd(), .recover = kifu_recover};
    kifu_result result = load_within(&lab_rules, &attack, way, &memory, &timeline, &error);
    ck_assert_msg(result == KIFU_TOO_LARGE, "%s", error.message);
    const uint64_t budget = (UINT64_C(64) << 20) + 64 * attack.size;
    expect_refused(&error, budget);
    ck_assert_uint_le(memory.peak, budget + fixed_bytes(&lab_rules, &attack));
    ck_assert_int_eq(memory.blocks, 0);
    free(attack.bytes);

    attack = repeated(&honest, EVENTS, 4); // the same, smaller, and somebody raises the budget
    way.memory = 4 << 20;
    ck_assert_int_eq(load_within(&lab_rules, &attack, way, &memory, &timeline, &error), KIFU_TOO_LARGE);
    expect_refused(&error, way.memory);
    way.memory = 12 << 20;
    ck_assert_msg(!load_within(&lab_rules, &attack, way, &memory, &timeline, &error), "%s", error.message);
    ck_assert_uint_gt(kifu_event_count(timeline), 3 * EVENTS);
    kifu_destroy(timeline);
    free(attack.bytes);
    free(honest.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(B08_500000_very_regular_events_are_an_honest_save)
{
    kifu_timeline *lab = long_game(500000), *timeline;
    save save = save_of(lab, &(kifu_save_options){.codec = kifu_zstd()});
    ck_assert_uint_lt(save.size, 50000);
    test_memory memory;
    kifu_error error;
    const kifu_load_options way = {.codec = kifu_zstd()};
    ck_assert_msg(!load_within(&lab_rules, &save, way, &memory, &timeline, &error), "%s", error.message);
    ck_assert_uint_eq(kifu_event_count(timeline), kifu_event_count(lab));
    ck_assert_uint_eq(kifu_state_hash(timeline), kifu_state_hash(lab));
    // Of the rows, which were all there at once, nothing is there any more.
    ck_assert_uint_lt(memory.peak - memory.bytes, 4 << 20);
    ck_assert_uint_gt(memory.bytes, 8 << 20);
    kifu_destroy(timeline);
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST
#endif

// No byte of an amount is like the one before.
static kifu_timeline *varied_game(uint32_t count, test_memory *memory)
{
    kifu_timeline *lab = lab_started(&(kifu_options){.allocate = test_allocate, .allocate_context = memory});
    uint32_t seed = 1;
    for (uint32_t i = 0; i < count; i++) {
        lab_submit_p_add(lab, (int32_t)next_random(&seed) % 3, (int32_t)next_random(&seed) >> 3);
        if (i % 1000 == 999)
            lab_must(lab, kifu_run(lab));
    }
    lab_must(lab, kifu_run(lab));
    return lab;
}

// All events are in one block of rows. While a save is packed, there is its commit, the block and what the codec makes
// of it; in a load the file, the block and the segment, with some room.
START_TEST(B08_a_packed_save_takes_little_more_than_its_rows_and_events)
{
    enum { EVENTS = 65000, ROWS = 7 * EVENTS };
    const kifu_save_options packs = {.codec = &run_codec};
    const kifu_load_options way = {.codec = &run_codec, .fast = true};
    test_memory memory = {.until_failure = -1}, other;
    kifu_timeline *lab = varied_game(EVENTS, &memory), *timeline;
    kifu_error error;
    save save;
    const size_t before = memory.peak = memory.bytes;
    lab_must(lab, kifu_save_to_memory(lab, &packs, &save.bytes, &save.size));
    ck_assert_uint_lt(memory.peak - before, 4u * ROWS + save.size);
    ck_assert_msg(!load_within(&lab_rules, &save, way, &other, &timeline, &error), "%s", error.message);
    ck_assert_uint_lt(other.peak - other.bytes, save.size + 2u * ROWS + 5000);
    expect_same(lab, timeline);
    kifu_destroy(timeline);
    kifu_free_bytes(lab, save.bytes);
    kifu_destroy(lab);
}
END_TEST

// --- Listings --------------------------------------------------------------------------------------------------------

static bool see_result(void *context, const kifu_save_info *info)
{
    *(kifu_error *)context = info->error ? *info->error : (kifu_error){.result = KIFU_OK};
    return true;
}

START_TEST(F51_a_listing_does_not_read_what_a_header_claims)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = rich_game(NULL);
    save save = save_of(lab, NULL);
    set32(save.bytes + FILE_HEAD, INT32_MAX - 100); // the size of the first frame
    write_bytes(path, save.bytes, save.size);
    ck_assert_int_eq(truncate(path, INT32_MAX), 0);
    for (int way = 0; way < 2; way++) {
        test_memory memory = {.until_failure = -1};
        kifu_error error, seen;
        const kifu_list_options options = {.allocate = test_allocate, .allocate_context = &memory};
        if (way == 0) {
            ck_assert_int_eq(kifu_list_saves(folder, see_result, &seen, &options, &error), KIFU_OK);
        } else {
            ck_assert_int_eq(kifu_read_save_info(path, see_result, NULL, &options, &seen), KIFU_TOO_LARGE);
        }
        ck_assert_int_eq(seen.result, KIFU_TOO_LARGE);
        ck_assert_ptr_nonnull(strstr(seen.message, "kifu_list_options.memory allows 67108864:"));
        ck_assert_uint_lt(memory.peak, 100000);
        ck_assert_int_eq(memory.blocks, 0);
    }
    free(save.bytes);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(B08_a_large_header_is_listed_where_the_caller_allows_it)
{
    enum { LARGE = 300000 };
    char *folder = new_folder(), *picture = calloc(1, LARGE);
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = rich_game(NULL);
    lab_must(lab, kifu_save(lab, path, &(kifu_save_options){.thumbnail = picture, .thumbnail_size = LARGE}));
    int refused = 0;
    for (uint64_t budget = 1000; budget < 1000000; budget += 10000) {
        test_memory memory = {.until_failure = -1};
        kifu_error error, seen;
        const kifu_list_options options = {.allocate = test_allocate, .allocate_context = &memory, .memory = budget};
        kifu_result result = kifu_read_save_info(path, see_result, &seen, &options, &error);
        ck_assert_int_eq(result, result ? KIFU_TOO_LARGE : KIFU_OK);
        ck_assert(budget > LARGE || result);
        ck_assert_uint_le(memory.peak, budget);
        refused += result != KIFU_OK;
    }
    ck_assert_int_lt(refused, 40);
    ck_assert_int_eq(kifu_read_save_info(path, see_result, &(kifu_error){.message = ""}, NULL, NULL), KIFU_OK);
    free(picture);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        B08_a_load_takes_no_more_memory_than_it_may,
        B08_what_is_converted_counts,
        B08_no_memory_at_all_is_no_limit,
        B08_random_games_are_loaded_or_refused,
#ifdef WITH_ZSTD
        F50_a_small_file_does_not_take_all_memory,
        B08_500000_very_regular_events_are_an_honest_save,
#endif
        B08_a_packed_save_takes_little_more_than_its_rows_and_events,
        F51_a_listing_does_not_read_what_a_header_claims,
        B08_a_large_header_is_listed_where_the_caller_allows_it,
    };
    return run_suite("budget", tests, sizeof tests / sizeof *tests);
}
