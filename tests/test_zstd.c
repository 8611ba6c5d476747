// The ready-made codec, kifu/zstd.h. What it packs is not compared with bytes: zstd's versions differ in them.

#include <kifu/zstd.h>

#include "save_help.h"
#include "suite.h"

static kifu_timeline *long_game(void)
{
    static const char *const scripts[] = {"+", "-", "+-", NULL, "-(+)", "(+)(-)"};
    uint32_t seed = 1;
    const uint64_t chance = 7;
    kifu_timeline *lab = lab_new(NULL);
    lab_submit_e_initialize(lab, SEEDED(chance));
    for (int i = 0; i < 6000; i++)
        lab_do(lab, (int)(next_random(&seed) % 4), scripts[next_random(&seed) % 6], (uint8_t)(next_random(&seed) % 3));
    lab_must(lab, kifu_run(lab));
    return lab;
}

START_TEST(S03_games_come_back_at_every_level)
{
    static const int levels[] = {-5, 1, 3, 9, 19};
    kifu_timeline *lab = long_game(), *rich = rich_game(NULL);
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        int level = levels[i];
        kifu_codec codec = *kifu_zstd();
        codec.context = &level;
        const kifu_save_options packing = {.codec = &codec};
        const kifu_load_options unpacking = {.codec = kifu_zstd()}; // of whatever level
        save save = save_of(lab, &packing);
        kifu_timeline *loaded = load_with(&save, &unpacking);
        expect_same_long(lab, loaded);
        kifu_destroy(loaded);
        free(save.bytes);
        save = save_of(rich, &packing);
        loaded = load_with(&save, &unpacking);
        expect_same(rich, loaded);
        kifu_destroy(loaded);
        free(save.bytes);
    }
    kifu_destroy(lab);
    kifu_destroy(rich);
}
END_TEST

// As zstd's own call packs at this level.
START_TEST(the_level_follows_from_the_size)
{
    enum { LIMIT = 1 << 20, ROOM = LIMIT + LIMIT / 4 };
    unsigned char *bytes = malloc(LIMIT), *packed = malloc(ROOM), *expected = malloc(ROOM);
    uint32_t seed = 1;
    for (uint32_t i = 0; i < LIMIT; i++)
        bytes[i] = (unsigned char)(next_random(&seed) % 7 * (next_random(&seed) % 3));
    for (int i = 0; i < 2; i++) {
        const size_t size = i ? LIMIT : LIMIT - 1;
        size_t packed_size;
        ck_assert_int_eq(kifu_zstd()->compress(NULL, bytes, size, packed, ROOM, &packed_size), KIFU_OK);
        ck_assert_uint_eq(packed_size, ZSTD_compress(expected, ROOM, bytes, size, i ? 12 : 19));
        ck_assert_mem_eq(packed, expected, packed_size);
    }
    free(bytes);
    free(packed);
    free(expected);
}
END_TEST

START_TEST(a_packed_save_is_smaller_than_a_plain_one_packed_whole)
{
    kifu_timeline *lab = long_game();
    const kifu_save_options packing = {.codec = kifu_zstd()};
    save plain = save_of(lab, NULL), packed = save_of(lab, &packing);
    size_t room = ZSTD_compressBound(plain.size);
    void *whole = malloc(room);
    size_t size = ZSTD_compress(whole, room, plain.bytes, plain.size, 3);
    ck_assert_uint_lt(packed.size * 4, size * 3);
    free(whole);
    free(plain.bytes);
    free(packed.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(S05_the_codec_refuses_what_is_not_of_that_size)
{
    const kifu_codec *codec = kifu_zstd();
    unsigned char bytes[1000], packed[2000], back[1001];
    size_t size;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * i >> 7);
    ck_assert_uint_le(codec->bound(codec->context, sizeof bytes), sizeof packed);
    ck_assert_int_eq(codec->compress(codec->context, bytes, sizeof bytes, packed, sizeof packed, &size), KIFU_OK);
    ck_assert_int_eq(codec->decompress(codec->context, packed, size, back, sizeof bytes), KIFU_OK);
    ck_assert_mem_eq(bytes, back, sizeof bytes);
    ck_assert_int_eq(codec->decompress(codec->context, packed, size, back, sizeof bytes - 1), KIFU_DAMAGED);
    ck_assert_int_eq(codec->decompress(codec->context, packed, size, back, sizeof bytes + 1), KIFU_DAMAGED);
    for (size_t cut = 0; cut < size; cut++)
        ck_assert_int_eq(codec->decompress(codec->context, packed, cut, back, sizeof bytes), KIFU_DAMAGED);
    ck_assert_int_eq(codec->compress(codec->context, bytes, sizeof bytes, packed, 10, &size), KIFU_NO_MEMORY);
}
END_TEST

START_TEST(S05_hostile_bytes_for_zstd_do_no_harm)
{
    kifu_timeline *lab = waiting_game(NULL), *timeline;
    const kifu_save_options packing = {.without_schema = true, .codec = kifu_zstd()};
    const kifu_load_options unpacking = {.codec = kifu_zstd()};
    save original = save_of(lab, &packing);
    uint32_t seed = (uint32_t)fuzz_seed();
    for (unsigned long i = 0; i < fuzz_steps(3000); i++) {
        save mutant = {malloc(original.size), original.size};
        memcpy(mutant.bytes, original.bytes, original.size);
        frames frames = frames_of(&mutant);
        const save_frame *frame;
        do
            frame = &frames.all[next_random(&seed) % (uint32_t)frames.count];
        while (frame->kind != FRAME_PACKED);
        for (uint32_t changes = 1 + next_random(&seed) % 2; changes; changes--)
            mutant.bytes[frame->offset + FRAME_HEAD + next_random(&seed) % frame->size] =
                (unsigned char)next_random(&seed);
        save sealed = save_of_frames(&frames);
        if (!kifu_load_from_memory(&lab_rules, sealed.bytes, sealed.size, NULL, &unpacking, &timeline, NULL)) {
            (void)!kifu_run(timeline);
            kifu_destroy(timeline);
        }
        free(sealed.bytes);
        free(mutant.bytes);
    }
    free(original.bytes);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S03_games_come_back_at_every_level,
        the_level_follows_from_the_size,
        a_packed_save_is_smaller_than_a_plain_one_packed_whole,
        S05_the_codec_refuses_what_is_not_of_that_size,
        S05_hostile_bytes_for_zstd_do_no_harm,
    };
    return run_suite("zstd", tests, sizeof tests / sizeof *tests);
}
