// The packed frame, in a program without a codec: what it says of itself, and who can unpack it.

#include "save/reader.h"

#include <inttypes.h>

#include "wire/buffer.h"
#include "wire/number.h"

kifu_result kifu__read_packed(const kifu__frame *frame, kifu__packed *packed, kifu_error *error)
{
    kifu__bytes from = {frame->payload, frame->payload + frame->size, true};
    const unsigned char *head = kifu__parse_bytes(&from, KIFU__PACKED_HEAD);
    packed->name_size = kifu__parse_number(&from);
    packed->name = (const char *)kifu__parse_bytes(&from, packed->name_size);
    packed->bytes = from.at;
    packed->packed_size = (uint32_t)(from.end - from.at);
    if (!from.good)
        return kifu__damaged(error, frame->offset, "the packed frame at byte %" PRIu64 " is damaged: it has no end",
                             frame->offset);
    packed->size = kifu__load32(head);
    return KIFU_OK;
}

static const char compact_name[] = "kifu_compact";

kifu_result kifu__refuse_codec(const kifu__reader *reader, const kifu__frame *frame, const kifu__packed *packed)
{
    const kifu_codec *codec = reader->options->codec;
    const char *name = packed->name_size ? packed->name : compact_name, *known = "", *given = "NULL";
    const uint32_t size = packed->name_size ? packed->name_size : sizeof compact_name - 1;
    if (!packed->name_size)
        known = ", which is in kifu/codec.h";
    else if (size == 4 && !memcmp(name, "zstd", 4))
        known = ", which is kifu_zstd() of kifu/zstd.h";
    if (codec)
        given = *codec->name ? codec->name : compact_name;
    const char *quote = codec ? "'" : "";
    return kifu__error_at(reader->error, KIFU_NO_CODEC, frame->offset,
                          "the save is packed by the codec '%.*s', and kifu_load_options.codec is %s%.60s%s: give "
                          "kifu_load that codec%s",
                          (int)(size < 60 ? size : 60), name, quote, given, quote, known);
}

kifu_result kifu__require_packing(const kifu_codec *codec, kifu_error *error)
{
    if (!codec || codec->packing)
        return KIFU_OK;
    return kifu__error(error, KIFU_MISUSE, "the codec '%.60s' has no packing: set kifu_codec.packing to &kifu_packing",
                       codec->name);
}

kifu_result kifu__load_packed(kifu__reader *reader, const kifu__frame *frame)
{
    kifu__packed packed;
    const kifu_codec *codec = reader->options->codec;
    const kifu_result result = kifu__read_packed(frame, &packed, reader->error);
    if (result)
        return result;
    return codec ? codec->packing->take(reader, frame, &packed) : kifu__refuse_codec(reader, frame, &packed);
}
