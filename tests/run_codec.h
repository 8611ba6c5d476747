/// A codec for tests: runs of one byte. It packs badly, and gives the same bytes for ever, as no library promises.
#ifndef RUN_CODEC_H
#define RUN_CODEC_H

#include <stdbool.h>
#include <string.h>

#include <kifu/codec.h>

static inline size_t run_bound(void *context, size_t size)
{
    (void)context;
    return size + size / 128 + 1;
}

/// How many times, up to `most`, the first byte stands there.
static inline size_t run_length(const unsigned char *bytes, size_t most)
{
    size_t length = 1;
    while (length < most && bytes[length] == bytes[0])
        length++;
    return length;
}

/// A byte n below 128 and n + 1 bytes as they are; or n from 128 on and one byte that stands n - 125 times.
static inline kifu_result run_compress(void *context, const void *bytes, size_t size, void *packed, size_t room,
                                       size_t *packed_size)
{
    const unsigned char *from = (const unsigned char *)bytes, *end = from + size;
    unsigned char *to = (unsigned char *)packed;
    (void)context, (void)room;
    while (from < end) {
        size_t left = (size_t)(end - from), length = run_length(from, left < 130 ? left : 130);
        if (length >= 3) {
            *to++ = (unsigned char)(length + 125);
            *to++ = *from;
        } else {
            for (length = 1;
                 length < 128 && length < left && run_length(from + length, 3 < left - length ? 3 : left - length) < 3;)
                length++;
            *to++ = (unsigned char)(length - 1);
            memcpy(to, from, length);
            to += length;
        }
        from += length;
    }
    *packed_size = (size_t)(to - (unsigned char *)packed);
    return KIFU_OK;
}

static inline kifu_result run_decompress(void *context, const void *packed, size_t packed_size, void *bytes,
                                         size_t size)
{
    const unsigned char *from = (const unsigned char *)packed, *end = from + packed_size;
    unsigned char *to = (unsigned char *)bytes;
    (void)context;
    while (from < end) {
        bool run = *from >= 128;
        size_t length = run ? *from - 125u : *from + 1u;
        from++;
        if (length > size || (run ? 1 : length) > (size_t)(end - from))
            return KIFU_DAMAGED;
        if (run)
            memset(to, *from, length);
        else
            memcpy(to, from, length);
        from += run ? 1 : length;
        to += length;
        size -= length;
    }
    return size ? KIFU_DAMAGED : KIFU_OK;
}

static const kifu_codec run_codec = {"runs", run_bound, run_compress, run_decompress, NULL, &kifu_packing};

#endif
