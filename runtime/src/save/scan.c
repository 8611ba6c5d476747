#include "save/scan.h"

#include <inttypes.h>

#include "save/reader.h"

static void see_frame(kifu__scan *scan, const kifu__frame *frame)
{
    const bool is_commit = frame->kind == KIFU__FRAME_COMMIT, packed = frame->kind == KIFU__FRAME_PACKED;
    if (is_commit && !scan->commit)
        scan->is_log = kifu__begins_log(kifu__records_in(frame->payload, frame->size));
    if (is_commit || packed)
        scan->commit = scan->chain.offset;
    scan->packed |= packed;
    scan->ended = packed || (is_commit && kifu__has_record(frame, KIFU__END));
}

bool kifu__scan_frame(kifu__scan *scan, const unsigned char *bytes, uint64_t size, kifu__frame *frame)
{
    const uint64_t offset = scan->chain.offset;
    scan->whole = offset == size;
    if (scan->ended && !scan->whole)
        kifu__bytes_behind(offset, &scan->why);
    else if (scan->whole && !scan->ended)
        kifu__error_at(&scan->why, KIFU_DAMAGED, offset, "the save was cut off at byte %" PRIu64, offset);
    if (scan->ended || scan->whole)
        return false;
    if (kifu__next_frame(&scan->chain, bytes, size, frame, &scan->why)) {
        const uint64_t next = kifu__peek_frame(bytes, size, scan->chain.offset);
        scan->cut = !next || next > size - scan->chain.offset;
        return false;
    }
    see_frame(scan, frame);
    return true;
}
