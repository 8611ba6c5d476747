/// A save as a stream of frames (schema/FORMAT.md): the file header, and frames of length, checksum, kind and payload.
///
/// The links of the chain are where a FlatBuffer has its file identifier, and not in fields: a field behind the others
/// needs a longer vtable, 16 bytes more in each append, so it costs 4 to 8 instead. Readers of before never look at
/// these bytes. Most frames have a link, so an error names the few frames among which one is wrong, and recovery keeps
/// all in front of them.
#ifndef KIFU_SRC_FRAME_H
#define KIFU_SRC_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum {
    KIFU__PLAIN_VERSION = 1,  ///< Of the format: of a plain save,
    KIFU__FORMAT_VERSION = 3, ///< of a log file: no reader may skip its frames,
    KIFU__PACKED_VERSION = 4, ///< and of a packed save. (Before Stream: 2, or 3 where the game begins from a state.)
    KIFU__FILE_HEAD = 16,     ///< Bytes in front of the first frame.
    KIFU__FRAME_HEAD = 16     ///< Bytes in front of a frame's payload.
};

enum {
    KIFU__FRAME_HEADER = 1,      ///< kifu.save.Header: the first frame.
    KIFU__FRAME_SEGMENT = 2,     ///< Events that happened.
    KIFU__FRAME_SNAPSHOT = 3,    ///< kifu.save.Snapshot.
    KIFU__FRAME_REWIND = 4,      ///< kifu.save.Rewind: an undo.
    KIFU__FRAME_PENDING = 5,     ///< A segment of proposals that wait.
    KIFU__FRAME_END = 6,         ///< kifu.save.End: the last frame.
    KIFU__FRAME_CHECKPOINTS = 7, ///< kifu.save.Checkpoints: hashes along the log.
    KIFU__FRAME_PACKED = 8,      ///< All frames of a save but the first and the last, made small.
    KIFU__FRAME_SCHEMA = 9,      ///< The game's .bfbs, where it is not in the header.
    KIFU__FRAME_LINE = 10,       ///< kifu.save.Line: a line of the game.
    KIFU__FRAME_NOTES = 11,      ///< Texts about events.
    KIFU__FRAME_PROPOSALS = 12,  ///< kifu.save.Proposals: what waits elsewhere than in the queues.
    KIFU__FRAME_ROOT = 13,       ///< A state to begin from.
    KIFU__FRAME_OLD_GO = 14,     ///< Of log files of before 1.0, which are not read any more,
    KIFU__FRAME_OLD_APPEND = 15, ///< as this one.
    KIFU__FRAME_COMMIT = 18,     ///< Records: what has changed in a log file. (16 and 17 were frames of news.)
    KIFU__OF_LINE = 256          ///< Added to the kind of a frame that belongs to the line that was named last.
};

// --- Writing ---------------------------------------------------------------------------------------------------------

/// The frames of a file are chained: in the payload of a frame that has a link, the checksum of the heads of all frames
/// before it is here. In the header are these bytes; without them a file is not chained.
enum { KIFU__LINK = 4, KIFU__LINK_SIZE = 4 };
#define KIFU__CHAINED UINT32_C(0x4B4E494C) // "LINK"

/// Where frames go. Small pieces are gathered, large ones pass through.
typedef struct kifu__sink {
    kifu_result (*write)(void *context, const void *bytes, size_t size, kifu_error *error);
    void *context;
    kifu_error *error;
    uint32_t chain; ///< Checksum of the heads of all frames so far.
    size_t used;
    unsigned char gathered[4096];
} kifu__sink;

kifu_result kifu__write_file_header(kifu__sink *sink, uint32_t version);
kifu_result kifu__write_frame(kifu__sink *sink, uint32_t kind, const void *payload, uint32_t size);

/// Puts the link into the payload of a frame that has one, and is the next to be written.
void kifu__put_link(const kifu__sink *sink, uint32_t kind, unsigned char *payload);

/// Hands on what is gathered.
kifu_result kifu__flush(kifu__sink *sink);

/// Bytes of a frame with a payload of `size` bytes.
uint64_t kifu__frame_size(uint32_t size);

// --- Reading ---------------------------------------------------------------------------------------------------------

typedef struct kifu__frame {
    uint64_t offset; ///< Of its header in the file.
    uint32_t kind;
    uint32_t size; ///< Of the payload.
    const unsigned char *payload;
} kifu__frame;

/// KIFU_DAMAGED: what is said, and what to do about it.
kifu_result kifu__damaged(kifu_error *error, uint64_t offset, const char *format, ...) KIFU__PRINTF(3, 4);

/// The same, of a first frame that is not a header.
kifu_result kifu__no_header(const kifu__frame *frame, kifu_error *error);

/// `result`, an error: there is no memory for what is to be loaded, or a limit was exceeded.
kifu_result kifu__not_loaded(kifu_error *error, uint64_t offset, kifu_result result);

/// The file header at the start of `bytes`: KIFU_NOT_A_SAVE, KIFU_NEWER_FORMAT, KIFU_DAMAGED.
kifu_result kifu__read_file_header(const unsigned char *bytes, uint64_t size, kifu_error *error);

/// How many bytes the frame at `offset` has; 0 when not even its header is there.
uint64_t kifu__peek_frame(const unsigned char *bytes, uint64_t size, uint64_t offset);

/// The frame at `*offset`, which moves behind it. KIFU_DAMAGED, when the file ends before the frame does, its checksum
/// is wrong or what fills it up is not zero.
kifu_result kifu__read_frame(const unsigned char *bytes, uint64_t size, uint64_t *offset, kifu__frame *frame,
                             kifu_error *error);

/// A packed frame.
typedef struct kifu__packed {
    uint32_t size;  ///< Of what it unpacks to.
    uint32_t begin; ///< With how many events before it the game begins.
    uint32_t name_size;
    const char *name; ///< Of the codec; `name_size` 0: what is in it is not compressed.
    const unsigned char *bytes;
    uint32_t packed_size; ///< Of these.
} kifu__packed;

enum { KIFU__PACKED_HEAD = 12 }; ///< Bytes in front of the codec's name and its length: size, link, beginning.

/// Reads what a packed frame says of itself (read_packed.c). KIFU_DAMAGED; KIFU_NO_CODEC: it is of an earlier `version`
/// of the format.
kifu_result kifu__read_packed(const kifu__frame *frame, uint32_t version, kifu__packed *packed, kifu_error *error);

/// What is known of the frames in front of one. Zeroed: it is the first.
typedef struct kifu__chain {
    bool chained;
    uint32_t heads; ///< Checksum of the heads so far.
    uint64_t sound; ///< Behind the last frame of which the link was right.
} kifu__chain;

/// Goes on to `frame`. KIFU_DAMAGED, when the file is chained, and the frames in front are not those that it was
/// written behind.
kifu_result kifu__follow_chain(kifu__chain *chain, const kifu__frame *frame, kifu_error *error);

#endif
