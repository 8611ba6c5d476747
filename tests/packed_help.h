/// Packed saves, taken apart and put together again, by a codec of the tests' own.
#ifndef TESTS_PACKED_HELP_H
#define TESTS_PACKED_HELP_H

#include "run_codec.h"
#include "history_help.h"
#include "save_help.h"
#include "shared_segment.h"
#include "suite.h"

static const kifu_save_options packing = {.codec = &run_codec};
static const kifu_load_options unpacking = {.codec = &run_codec};

// A game with all there can be in a save, and with so much waiting that this is packed as well.
static inline kifu_timeline *full_game(const kifu_options *options)
{
    kifu_timeline *lab = waiting_game(options);
    for (int i = 0; i < 30; i++)
        lab_do(lab, 0, i % 4 ? "+" : NULL, (uint8_t)(i % 3));
    return lab;
}

static inline kifu_timeline *packed_copy_of(kifu_timeline *timeline)
{
    save save = save_of(timeline, &packing);
    kifu_timeline *loaded = load_with(&save, &unpacking);
    free(save.bytes);
    return loaded;
}

// Bytes of a packed payload in front of the name of its codec: the block's size, and the link.
enum { PACKED_HEAD = LINK + LINK_SIZE };

// What a packed frame unpacks to. From malloc.
static inline unsigned char *open_block(const save_frame *frame, uint32_t *size)
{
    const unsigned char *at = frame->payload + PACKED_HEAD;
    const uint32_t name_size = number_at(&at);
    at += name_size;
    const uint32_t packed_size = (uint32_t)(frame->payload + frame->size - at);
    *size = get32(frame->payload);
    unsigned char *bytes = malloc(*size);
    ck_assert_ptr_nonnull(bytes);
    if (name_size)
        ck_assert_int_eq(run_decompress(NULL, at, packed_size, bytes, *size), KIFU_OK);
    else {
        ck_assert_uint_eq(packed_size, *size);
        memcpy(bytes, at, *size);
    }
    return bytes;
}

// A packed frame of such a block, by the codec of the tests.
static inline void pack_block(save_frame *frame, const unsigned char *block, uint32_t size)
{
    unsigned char *payload = calloc(1, PACKED_HEAD + 5 + run_bound(NULL, size));
    size_t packed_size;
    memcpy(payload, &size, 4);
    memcpy(payload + PACKED_HEAD, "\4runs", 5);
    ck_assert_int_eq(run_compress(NULL, block, size, payload + PACKED_HEAD + 5, 0, &packed_size), KIFU_OK);
    *frame = (save_frame){.kind = FRAME_PACKED, .size = (uint32_t)packed_size + PACKED_HEAD + 5, .payload = payload};
}

// The same packed save with something changed about the frames in its block.
typedef void change(frames *inner, void *context);

static inline save save_with_inner(const save *save, change *change, void *context)
{
    frames outer = frames_of(save);
    const int at = find_frame(&outer, FRAME_PACKED);
    uint32_t size;
    unsigned char *block = open_block(&outer.all[at], &size);
    frames inner = frames_in(block, size);
    change(&inner, context);
    unsigned char *changed = block_of(&inner, &size);
    pack_block(&outer.all[at], changed, size);
    struct save whole = save_of_frames(&outer);
    free((void *)(uintptr_t)outer.all[at].payload);
    free(changed);
    free(block);
    return whole;
}

// A bit for each kind that is packed.
static inline unsigned packed_kinds(const frames *frames)
{
    uint32_t size;
    unsigned char *block = open_block(&frames->all[find_frame(frames, FRAME_PACKED)], &size);
    const struct frames inner = frames_in(block, size);
    unsigned kinds = 0;
    for (int i = 0; i < inner.count; i++)
        kinds |= 1u << inner.all[i].kind;
    free(block);
    return kinds;
}

static inline kifu_error refused_by(const save *save, const kifu_options *options,
                                    const kifu_load_options *load_options, kifu_result why, const char *words)
{
    kifu_timeline *timeline;
    kifu_error error;
    kifu_result result =
        kifu_load_from_memory(&lab_rules, save->bytes, save->size, options, load_options, &timeline, &error);
    ck_assert_msg(result == why, "%s", result ? error.message : "loaded");
    ck_assert_int_eq(error.result, why);
    ck_assert_ptr_null(timeline);
    ck_assert_msg(strstr(error.message, words) != NULL, "%s", error.message);
    return error;
}

static inline kifu_error refused_with(const save *save, const kifu_load_options *load_options, kifu_result why,
                                      const char *words)
{
    return refused_by(save, NULL, load_options, why, words);
}

static inline kifu_error refused(const save *save, kifu_result why, const char *words)
{
    return refused_with(save, &unpacking, why, words);
}

#endif
