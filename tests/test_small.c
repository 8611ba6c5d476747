// Small saves, packed as a whole: the codec "kifu".

#include "history_help.h"
#include "save/packing.h"
#include "save/tight.h"
#include "save_help.h"
#include "run_codec.h"
#include "suite.h"

static kifu_codec small_codec(void)
{
    kifu_codec codec = run_codec;
    codec.packing = &kifu_small_packing;
    return codec;
}

static kifu_timeline *load_small(const save *save, kifu_result expected)
{
    const kifu_codec codec = small_codec();
    const kifu_load_options options = {.codec = &codec};
    kifu_timeline *timeline;
    kifu_error error = {.message = ""};
    kifu_result result = kifu_load_from_memory(&lab_rules, save->bytes, save->size, NULL, &options, &timeline, &error);
    if (expected == KIFU_OK)
        ck_assert_msg(result == KIFU_OK, "%s", error.message);
    else if (result)
        ck_assert_uint_gt(strlen(error.message), 20);
    return timeline;
}

// --- Bytes -----------------------------------------------------------------------------------------------------------

// Comes back from its packed form; how many bytes that has.
static uint32_t go_and_return(const unsigned char *bytes, uint32_t size)
{
    const kifu__memory memory = kifu__memory_of(NULL, NULL);
    kifu__blob packed = {.memory = &memory};
    ck_assert_int_eq(kifu__tighten(&memory, bytes, size, &packed), KIFU_OK);
    unsigned char *again = malloc(size);
    ck_assert_int_eq(kifu__loosen(&memory, packed.bytes, packed.size, again, size), KIFU_OK);
    ck_assert_mem_eq(again, bytes, size);
    const uint32_t packed_size = packed.size;
    kifu__free(&memory, packed.bytes);
    free(again);
    return packed_size;
}

START_TEST(any_bytes_come_back)
{
    enum { MOST = 5000 };
    uint32_t seed = (uint32_t)fuzz_seed();
    unsigned char *bytes = malloc(MOST);
    for (uint32_t i = 0; i < 300; i++) {
        // One frame of any kind, whose payload may be columns, or looks so.
        const uint32_t size = 16 + next_random(&seed) % (MOST - 16), values = 1 + next_random(&seed) % 256;
        const uint32_t payload = size & ~UINT32_C(7);
        for (uint32_t k = 0; k < size; k++)
            bytes[k] = (unsigned char)(next_random(&seed) % values);
        const uint32_t head[6] = {i % 16, payload - 8, next_random(&seed) % 50, 1, 8 * (i % 4), i % 3};
        memcpy(bytes, head, 8 + (i % 2 && size >= 24 ? 16 : 0));
        go_and_return(bytes, payload);
    }
    memset(bytes, 0, MOST);
    const uint32_t head[2] = {FRAME_CHECKPOINTS, MOST - 8};
    memcpy(bytes, head, 8);
    ck_assert_uint_le(go_and_return(bytes, MOST), 16); // all the same
    for (uint32_t k = 8; k < MOST; k++)
        bytes[k] = (unsigned char)(next_random(&seed) % 4);
    ck_assert_uint_le(go_and_return(bytes, MOST), (MOST - 8) / 4 + 150); // two bits each
    free(bytes);
}
END_TEST

// --- Saves -----------------------------------------------------------------------------------------------------------

START_TEST(S03_small_saves_come_back)
{
    const kifu_codec codec = small_codec();
    const kifu_save_options options = {.codec = &codec}, without = {.codec = &codec, .without_schema = true};
    const kifu_save_options usual = {.codec = &run_codec, .without_schema = true};
    uint32_t seed = (uint32_t)fuzz_seed();
    for (int game = 0; game < 12; game++) {
        kifu_timeline *lab = game % 3 ? rich_game(NULL) : lab_new(NULL);
        for (int step = 0; step < game * 25; step++)
            random_lab_step(lab, next_random(&seed));
        while (kifu_open_transactions(lab))
            lab_must(lab, kifu_roll_back(lab));
        lab_must(lab, kifu_seek(lab, KIFU_PRESENT));
        const save saves[] = {save_of(lab, &options), save_of(lab, &without)}, other = save_of(lab, &usual);
        for (int i = 0; i < 2; i++) {
            kifu_timeline *loaded = load_small(&saves[i], KIFU_OK);
            expect_same(lab, loaded);
            kifu_destroy(loaded);
            free(saves[i].bytes);
        }
        ck_assert_uint_le(saves[1].size, other.size);
        free(other.bytes);
        kifu_destroy(lab);
    }
}
END_TEST

// Random bits of three bytes for each event, and what is once in each save.
START_TEST(a_small_save_has_few_bytes_besides_its_information)
{
    static const int counts[] = {100, 300, 1000, 2000};
    const kifu_codec codec = small_codec();
    const kifu_save_options options = {.codec = &codec, .without_schema = true, .without_snapshot = true};
    uint32_t seed = 5;
    for (int i = 0; i < 4; i++) {
        kifu_timeline *lab = lab_new(NULL);
        for (int k = 0; k < counts[i]; k++) {
            lab_submit_p_add(lab, 0, 1 + (int)(next_random(&seed) >> 16));
            lab_must(lab, kifu_run(lab));
        }
        save save = save_of(lab, &options);
        ck_assert_uint_eq(save.bytes[8], 2);
        ck_assert_uint_le(save.size, (size_t)counts[i] * 2 * 108 / 100 + 600);
        free(save.bytes);
        kifu_destroy(lab);
    }
}
END_TEST

// One that is large is packed by the codec alone.
START_TEST(a_large_save_is_packed_by_the_codec)
{
    const kifu_codec codec = small_codec();
    const kifu_save_options options = {.codec = &codec, .without_schema = true},
                            usual = {.codec = &run_codec, .without_schema = true};
    kifu_timeline *lab = lab_new(NULL);
    for (int k = 0; k < 6000; k++) {
        lab_submit_p_add(lab, 0, 1 + k % 100);
        lab_must(lab, kifu_run(lab));
    }
    save save = save_of(lab, &options), other = save_of(lab, &usual);
    frames frames = frames_of(&save);
    ck_assert_uint_eq(save.size, other.size);
    ck_assert_int_ge(frames.count, 4);
    free(save.bytes);
    free(other.bytes);
    kifu_destroy(lab);
}
END_TEST

// All frames but the end are there, so nothing is missing, whatever packs them.
START_TEST(F59_of_a_packed_save_without_its_end_nothing_is_dropped)
{
    const kifu_codec codecs[] = {small_codec(), run_codec};
    kifu_timeline *games[] = {rich_game(NULL), waiting_game(NULL)};
    for (int way = 0; way < 4; way++) {
        const kifu_save_options options = {.codec = &codecs[way / 2], .without_schema = true};
        save save = save_of(games[way % 2], &options);
        frames frames = frames_of(&save);
        const uint64_t end = frames.all[frames.count - 1].offset;
        ck_assert_int_eq(frames.all[frames.count - 2].kind, FRAME_PACKED);
        for (uint64_t size = end; size < save.size; size++) {
            kifu_recovery recovery;
            kifu_timeline *found;
            kifu_error error;
            const kifu_load_options load = {.codec = options.codec, .recover = kifu_recover, .recovery = &recovery};
            ck_assert_msg(!kifu_load_from_memory(&lab_rules, save.bytes, (size_t)size, NULL, &load, &found, &error),
                          "%s", error.message);
            ck_assert_int_eq(recovery.why.result, KIFU_DAMAGED);
            ck_assert_uint_eq(recovery.dropped, size - end);
            must_be(!strstr(recovery.why.message, "the last input was dropped"));
            expect_same(games[way % 2], found);
            kifu_destroy(found);
        }
        free(save.bytes);
    }
    kifu_destroy(games[0]);
    kifu_destroy(games[1]);
}
END_TEST

START_TEST(S05_a_small_save_needs_a_packing_that_knows_it)
{
    const kifu_codec codec = small_codec();
    const kifu_save_options options = {.codec = &codec, .without_schema = true};
    kifu_timeline *lab = rich_game(NULL), *timeline;
    save save = save_of(lab, &options);
    static const kifu_codec *const codecs[] = {NULL, &run_codec};
    for (int i = 0; i < 2; i++) {
        kifu_error error;
        const kifu_load_options load = {.codec = codecs[i]};
        ck_assert_int_eq(kifu_load_from_memory(&lab_rules, save.bytes, save.size, NULL, &load, &timeline, &error),
                         KIFU_NO_CODEC);
        must_be(strstr(error.message, i ? "kifu_small_packing" : "kifu_zstd() of kifu/zstd.h"));
    }
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

// --- Damaged and hostile ---------------------------------------------------------------------------------------------

// Right checksums, any bytes. The sanitizers watch.
START_TEST(S05_hostile_small_saves_do_no_harm)
{
    const kifu_codec codec = small_codec();
    const kifu_save_options options = {.codec = &codec, .without_schema = true};
    kifu_timeline *lab = rich_game(NULL);
    save original = save_of(lab, &options);
    uint32_t seed = (uint32_t)fuzz_seed() * 31;
    unsigned long refused = 0, steps = fuzz_steps(3000);
    for (unsigned long i = 0; i < steps; i++) {
        save mutant = {malloc(original.size), original.size};
        memcpy(mutant.bytes, original.bytes, original.size);
        frames frames = frames_of(&mutant);
        save_frame *frame = &frames.all[find_frame(&frames, FRAME_PACKED)];
        unsigned char *payload = mutant.bytes + (frame->payload - mutant.bytes);
        for (uint32_t k = 0; k <= i % 3; k++)
            payload[next_random(&seed) % frame->size] ^= (unsigned char)(1u << next_random(&seed) % 8);
        save sealed = save_of_frames(&frames);
        kifu_timeline *loaded = load_small(&sealed, KIFU_DAMAGED);
        refused += loaded == NULL;
        kifu_destroy(loaded);
        free(sealed.bytes);
        free(mutant.bytes);
    }
    ck_assert_uint_gt(refused, steps / 2);
    free(original.bytes);
    kifu_destroy(lab);
}
END_TEST

// --- Memory ----------------------------------------------------------------------------------------------------------

START_TEST(S05_memory_may_end_while_a_small_save_is_made_or_read)
{
    const kifu_codec codec = small_codec();
    const kifu_save_options saving = {.codec = &codec, .without_schema = true};
    const kifu_load_options loading = {.codec = &codec};
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *lab = rich_game(&options), *loaded;
    save whole = save_of(lab, &saving);
    kifu_result result = KIFU_NO_MEMORY;
    for (long calls = 0; result; calls++) {
        unsigned char *bytes;
        size_t size;
        memory.until_failure = calls;
        result = kifu_save_to_memory(lab, &saving, &bytes, &size);
        memory.until_failure = -1;
        if (result)
            ck_assert_int_eq(result, KIFU_NO_MEMORY);
        else {
            ck_assert_uint_eq(size, whole.size);
            kifu_free_bytes(lab, bytes);
        }
    }
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
    result = KIFU_NO_MEMORY;
    for (long calls = 0; result; calls++) {
        memory.until_failure = calls;
        result = kifu_load_from_memory(&lab_rules, whole.bytes, whole.size, &options, &loading, &loaded, NULL);
        memory.until_failure = -1;
        ck_assert(result == KIFU_OK || result == KIFU_NO_MEMORY);
        kifu_destroy(loaded);
        ck_assert_int_eq(memory.blocks, 0);
    }
    free(whole.bytes);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        any_bytes_come_back,
        S03_small_saves_come_back,
        a_small_save_has_few_bytes_besides_its_information,
        a_large_save_is_packed_by_the_codec,
        F59_of_a_packed_save_without_its_end_nothing_is_dropped,
        S05_a_small_save_needs_a_packing_that_knows_it,
        S05_hostile_small_saves_do_no_harm,
        S05_memory_may_end_while_a_small_save_is_made_or_read,
    };
    return run_suite("small", tests, sizeof tests / sizeof *tests);
}
