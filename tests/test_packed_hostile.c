// Packed saves that are damaged, cut, or made by somebody else.

#include "packed_help.h"

// --- Damaged and hostile ---------------------------------------------------------------------------------------------

START_TEST(S05_each_cut_of_a_packed_save_is_refused)
{
    kifu_timeline *lab = full_game(NULL);
    const kifu_save_options options = {.without_schema = true, .codec = &run_codec};
    save whole = save_of(lab, &options);
    for (size_t size = 0; size < whole.size; size++) {
        save cut = {malloc(size ? size : 1), size};
        memcpy(cut.bytes, whole.bytes, size);
        refused(&cut, size ? KIFU_DAMAGED : KIFU_NOT_A_SAVE, size ? "cut off" : "empty");
        free(cut.bytes);
    }
    for (size_t i = 0; i < whole.size; i++) {
        kifu_timeline *timeline;
        whole.bytes[i] ^= 1;
        ck_assert_int_ne(kifu_load_from_memory(&lab_rules, whole.bytes, whole.size, NULL, &unpacking, &timeline, NULL),
                         KIFU_OK);
        whole.bytes[i] ^= 1;
    }
    free(whole.bytes);
    kifu_destroy(lab);
}
END_TEST

static void break_bytes(uint32_t *seed, unsigned char *bytes, uint32_t size)
{
    static const unsigned char values[] = {0, 1, 2, 4, 0x7F, 0x80, 0xFE, 0xFF};
    for (uint32_t changes = 1 + next_random(seed) % 3; changes; changes--)
        bytes[next_random(seed) % size] =
            next_random(seed) % 2 ? values[next_random(seed) % 8] : (unsigned char)next_random(seed);
}

// Right checksums around wrong contents: in the frame, in what the codec is given, or in what it unpacks.
START_TEST(S05_hostile_packed_frames_do_no_harm)
{
    kifu_timeline *lab = full_game(NULL);
    const kifu_save_options options = {.without_schema = true, .codec = &run_codec};
    save original = save_of(lab, &options);
    uint32_t seed = (uint32_t)fuzz_seed() * 7919;
    unsigned long steps = fuzz_steps(6000), loaded_count = 0;
    for (unsigned long i = 0; i < steps; i++) {
        save mutant = {malloc(original.size), original.size};
        memcpy(mutant.bytes, original.bytes, original.size);
        frames frames = frames_of(&mutant);
        save_frame *frame;
        do
            frame = &frames.all[next_random(&seed) % (uint32_t)frames.count];
        while (frame->kind != FRAME_PACKED);
        unsigned char *payload = NULL;
        if (i % 3) {
            uint32_t size;
            unsigned char *bytes = open_block(frame, &size);
            break_bytes(&seed, bytes, size);
            pack_block(frame, bytes, size);
            payload = (unsigned char *)(uintptr_t)frame->payload;
            free(bytes);
        } else
            break_bytes(&seed, mutant.bytes + frame->offset + FRAME_HEAD, frame->size);
        save sealed = save_of_frames(&frames);
        free(payload);
        kifu_timeline *timeline;
        kifu_error error = {0};
        test_memory memory = {.until_failure = -1};
        const kifu_options create = {.allocate = test_allocate, .allocate_context = &memory};
        const kifu_load_options way = {.fast = i % 2, .codec = &run_codec, .memory = i % 5 ? 0 : 1 + i * i % 60013};
        if (kifu_load_from_memory(&lab_rules, sealed.bytes, sealed.size, &create, &way, &timeline, &error) == KIFU_OK) {
            loaded_count++;
            for (int step = 0; step < 6; step++)
                random_lab_step(timeline, next_random(&seed));
            save again = save_of(timeline, &packing);
            free(again.bytes);
            kifu_destroy(timeline);
        } else {
            ck_assert_uint_gt(strlen(error.message), 20);
            ck_assert(error.offset <= sealed.size || error.result == KIFU_FAILED || error.result == KIFU_DIVERGED ||
                      error.result == KIFU_TOO_LARGE);
            if (error.result == KIFU_TOO_LARGE && way.memory)
                ck_assert_uint_le(memory.peak, sealed.size + way.memory + 20000); // and a timeline
        }
        ck_assert_int_eq(memory.blocks, 0);
        free(sealed.bytes);
        free(mutant.bytes);
    }
    ck_assert_uint_gt(loaded_count, 0);
    free(original.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(S05_a_packed_frame_that_is_not_what_it_says_is_refused)
{
    static const struct {
        unsigned char bytes[24];
        uint32_t size;
        const char *words;
    } ways[] = {
        {{0}, 8, "it has no end"},
        {{0}, 9, "it has no end"},
        {{[8] = 5, 'r', 'u', 'n', 's'}, 13, "it has no end"},
        {{[8] = 0x80}, 9, "it has no end"},
        {{[0] = 1}, 9, "it has another size than it says"},
        {{[0] = 3, [8] = 0, 3, 4}, 12, "a frame in it ends too late"},
        {{[0] = 2, [8] = 0, 3, 1}, 11, "a frame in it ends too late"},
        {{[0] = 1, [8] = 0, 0x80}, 10, "a frame in it ends too late"},
        {{[0] = 8, [8] = 0, 3, 0, 1}, 17, "bytes that must be zero are not"},
        {{[0] = 3, [8] = 4, 'r', 'u', 'n', 's', 0x81, 0}, 15, "its codec cannot unpack it"},
    };
    kifu_timeline *lab = rich_game(NULL);
    save save = save_of(lab, &packing);
    for (uint32_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        frames frames = frames_of(&save);
        frames.all[1] = (save_frame){.kind = FRAME_PACKED, .payload = ways[i].bytes, .size = ways[i].size};
        struct save changed = save_of_frames(&frames);
        refused(&changed, KIFU_DAMAGED, ways[i].words);
        free(changed.bytes);
    }
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

static void insert_inner(frames *inner, void *context)
{
    const save_frame *frame = context;
    insert_frame(inner, 1, frame->kind, frame->payload, frame->size);
}

static void add_inner(frames *inner, void *context)
{
    const save_frame *frame = context;
    insert_frame(inner, inner->count, frame->kind, frame->payload, frame->size);
}

// A packed save with one change is refused with `words`, or loaded where those are NULL.
static void with_inner(change *change, void *context, kifu_result why, const char *words)
{
    kifu_timeline *lab = rich_game(NULL);
    save save = save_of(lab, &packing), changed = save_with_inner(&save, change, context);
    if (words) {
        refused(&changed, why, words);
    } else {
        kifu_timeline *loaded = load_with(&changed, &unpacking);
        expect_same(lab, loaded);
        kifu_destroy(loaded);
    }
    free(changed.bytes);
    free(save.bytes);
    kifu_destroy(lab);
}

START_TEST(S05_what_must_not_be_packed_is_refused)
{
    static const unsigned char zeros[300] = {0};
    save_frame frame = {.payload = zeros, .size = sizeof zeros};
    static const uint32_t kinds[] = {0, FRAME_HEADER, FRAME_SEGMENT, FRAME_PACKED, FRAME_SKIPPED, 0x4000};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        frame.kind = kinds[i];
        with_inner(insert_inner, &frame, KIFU_DAMAGED, "must not be packed");
    }
    frame.kind = FRAME_SCHEMA; // a second one
    with_inner(insert_inner, &frame, KIFU_OK, NULL);
    frame.kind = FRAME_COMMIT;
    with_inner(insert_inner, &frame, KIFU_NEWER_FORMAT, "inside the packed frame at byte");
    frame.kind = FRAME_SCHEMA;
    with_inner(add_inner, &frame, KIFU_DAMAGED, "goes on behind its end");
}
END_TEST

// Changes the records of the first commit, by a function that does so.
typedef struct record_change {
    void (*change)(records *records);
    unsigned char *payload;
} record_change;

static void change_inner_records(frames *inner, void *context)
{
    record_change *change = context;
    records records = first_records(inner);
    save_frame *commit = &inner->all[find_frame(inner, FRAME_COMMIT)];
    change->change(&records);
    commit->payload = change->payload = payload_of_records(&records, &commit->size);
}

static void ask_for_much(records *records)
{
    static const unsigned char rows[] = {5, 1, 0, 0, 0};
    record *events = &records->all[find_record(records, RECORD_EVENTS)];
    *events = (record){RECORD_EVENTS, sizeof rows, rows};
}

static void name_a_segment(records *records)
{
    static const unsigned char segment[] = {0, 1};
    record *events = &records->all[find_record(records, RECORD_EVENTS)];
    *events = (record){RECORD_EVENTS, sizeof segment, segment};
}

static void drop_end(records *records)
{
    remove_record(records, find_record(records, RECORD_END));
}

START_TEST(S05_packed_records_that_cannot_be_are_refused)
{
    static const struct {
        void (*change)(records *records);
        const char *words;
    } ways[] = {{ask_for_much, "more rows than there is room for"},
                {name_a_segment, "is of a segment that is not there"},
                {drop_end, "it has no end"}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        record_change change = {.change = ways[i].change};
        with_inner(change_inner_records, &change, KIFU_DAMAGED, ways[i].words);
        free(change.payload);
    }
}
END_TEST

START_TEST(S05_a_packed_frame_is_the_last_one_and_alone)
{
    static const unsigned char commit[] = {0, 0, 0, 0, 64, 0}; // of a record that is skipped
    kifu_timeline *lab = rich_game(NULL);
    save save = save_of(lab, &packing);
    frames frames = frames_of(&save);
    insert_frame(&frames, 1, FRAME_COMMIT, commit, sizeof commit);
    struct save changed = save_of_frames(&frames);
    refused(&changed, KIFU_DAMAGED, "other frames stand in front of it");
    free(changed.bytes);
    frames = frames_of(&save);
    insert_frame(&frames, 2, FRAME_COMMIT, commit, sizeof commit);
    changed = save_of_frames(&frames);
    refused(&changed, KIFU_DAMAGED, "more bytes follow");
    free(changed.bytes);
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S05_each_cut_of_a_packed_save_is_refused,
        S05_hostile_packed_frames_do_no_harm,
        S05_a_packed_frame_that_is_not_what_it_says_is_refused,
        S05_what_must_not_be_packed_is_refused,
        S05_packed_records_that_cannot_be_are_refused,
        S05_a_packed_frame_is_the_last_one_and_alone,
    };
    return run_suite("packed hostile", tests, sizeof tests / sizeof *tests);
}
