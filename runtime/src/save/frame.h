/// A save as a stream of frames (schema/FORMAT.md): the file header, and frames of length, checksum, kind and payload.
///
/// The links of the chain are in front of all else in a commit. In the header and the Root they are where a FlatBuffer
/// has its file identifier, because a field would need a longer vtable; and in a packed frame at the same place. An
/// error names the frames between two links, among which one is wrong, and recovery keeps all in front of them.
#ifndef KIFU_SRC_FRAME_H
#define KIFU_SRC_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "save/save_tables.h"

enum {
    KIFU__FORMAT_VERSION = 5, ///< Of the format: 1.0. (1 to 4 are those of Kifu 0.1 and 0.2.)
    KIFU__FILE_HEAD = 16,     ///< Bytes in front of the first frame.
    KIFU__FRAME_HEAD = 16     ///< Bytes in front of a frame's payload.
};

enum {
    KIFU__FRAME_HEADER = 1,   ///< kifu.save.Header: the first frame.
    KIFU__FRAME_SEGMENT = 2,  ///< Events, or proposals that wait, as they lie in memory: the next commit says of which.
    KIFU__FRAME_COMMIT = 3,   ///< Records.
    KIFU__FRAME_PACKED = 4,   ///< All frames of a save but the first, made small.
    KIFU__FRAME_SCHEMA = 5,   ///< The game's .bfbs, where it is not in the header.
    KIFU__FRAME_ROOT = 6,     ///< kifu.save.Root: a state to begin from.
    KIFU__SKIPPED_FRAMES = 64 ///< From this kind on, a reader skips a frame that it does not know.
};

// --- Writing ---------------------------------------------------------------------------------------------------------

/// The frames of a file are chained: in the payload of a frame that has a link, the checksum of the heads of all frames
/// before it is here. In the header is a mark.
enum { KIFU__LINK = 4, KIFU__LINK_SIZE = 4 };
#define KIFU__LINK_MARK UINT32_C(0x4B4E494C) // "LINK"

/// Where frames go. Small pieces are gathered, large ones pass through.
typedef struct kifu__sink {
    kifu_result (*write)(void *context, const void *bytes, size_t size, kifu_error *error);
    void *context;
    kifu_error *error;
    uint32_t chain; ///< Checksum of the heads of all frames so far.
    size_t used;
    unsigned char gathered[4096];
} kifu__sink;

kifu_result kifu__write_file_header(kifu__sink *sink);
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

/// KIFU_NEWER_FORMAT: the save has something ("frame", "record") of a kind that may not be skipped.
kifu_result kifu__refuse_kind(kifu_error *error, const kifu__frame *frame, const char *of, uint32_t kind);

/// Where to read a frame's payload.
kifu__buffer kifu__buffer_of(const kifu__frame *frame, kifu_error *error);

/// The fields of a file's first frame, of which it or `room` must stay in memory. KIFU_DAMAGED, also if it is no header
/// or has no mark.
kifu_result kifu__read_header(const kifu__frame *frame, kifu__blob *room, const kifu__save_header **header,
                              kifu_error *error);

/// KIFU_OK, or `result` with what is to be said of it: there is no memory for what is to be loaded, or a limit was
/// exceeded.
kifu_result kifu__not_loaded(kifu_error *error, uint64_t offset, kifu_result result);

/// The file header at the start of `bytes`: KIFU_NOT_A_SAVE, KIFU_NEWER_FORMAT, KIFU_UNSUPPORTED, KIFU_DAMAGED.
kifu_result kifu__read_file_header(const unsigned char *bytes, uint64_t size, kifu_error *error);

/// How many bytes the frame at `offset` has; 0 when not even its header is there.
uint64_t kifu__peek_frame(const unsigned char *bytes, uint64_t size, uint64_t offset);

/// The frame at `*offset`, which moves behind it. KIFU_DAMAGED, when the file ends before the frame does, its checksum
/// is wrong or what fills it up is not zero.
kifu_result kifu__read_frame(const unsigned char *bytes, uint64_t size, uint64_t *offset, kifu__frame *frame,
                             kifu_error *error);

/// A packed frame.
typedef struct kifu__packed {
    uint32_t size; ///< Of what it unpacks to.
    uint32_t name_size;
    const char *name; ///< Of the codec; `name_size` 0: what is in it is not compressed.
    const unsigned char *bytes;
    uint32_t packed_size; ///< Of these.
} kifu__packed;

enum { KIFU__PACKED_HEAD = 8 }; ///< Bytes in front of the codec's name and its length: size, link.

/// Reads what a packed frame says of itself (reader.c). KIFU_DAMAGED.
kifu_result kifu__read_packed(const kifu__frame *frame, kifu__packed *packed, kifu_error *error);

/// Where a reader is in the frames of a file. `offset` is KIFU__FILE_HEAD at first, and everything else zeroed.
typedef struct kifu__chain {
    uint64_t offset; ///< Of the next frame.
    uint64_t sound;  ///< Behind the last frame of which the link was right.
    uint32_t heads;  ///< Checksum of the heads so far.
} kifu__chain;

/// What a caller may do about a file that has no end.
#define KIFU__TRY_RECOVERY ", or load what is there with kifu_load_options.recover = kifu_recover"
extern const char kifu__try_what[]; ///< All of it.

/// The next frame. KIFU_DAMAGED as kifu__read_frame, and where the frames in front are not those that it was written
/// behind: then the reader is behind the last right link, since any frame from there on may be wrong.
kifu_result kifu__next_frame(kifu__chain *chain, const unsigned char *bytes, uint64_t size, kifu__frame *frame,
                             kifu_error *error);

#endif
