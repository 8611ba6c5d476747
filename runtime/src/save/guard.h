/// What a save must not overwrite: a file that another program has written since this game was loaded, and one of which
/// the load did not take all.
///
/// A file is known by what is in it: its length, and the checksum of the heads of its frames, which have the checksums
/// of all the rest. So neither times, nor numbers on the disk, nor what a network makes of them decide, and plain C has
/// the same rule. A look at a file costs one page for each frame. Its place is a checksum of the folder's number and
/// the name, so that every path to it is the same, also after the process has gone to another folder.
///
/// What a load did not take gets a second name before the new file takes the first one: no bytes are copied, nothing
/// can be half done, and it needs no room on a full disk. Only where a file system has no second names is the file
/// copied.
#ifndef KIFU_SRC_GUARD_H
#define KIFU_SRC_GUARD_H

#include "save/writer.h"

/// A number for what a file contains: its length, and the checksum of the heads of its frames, which have the checksums
/// of all the rest. 0: nothing.
static inline uint64_t kifu__contents(uint64_t size, uint32_t heads)
{
    return size << 32 | heads;
}

/// The same of the bytes of a file.
uint64_t kifu__contents_of(const kifu__file *file);

/// What the timeline knows of the file at a place; NULL: nothing.
kifu__known *kifu__find_known(kifu_timeline *timeline, uint32_t place);

/// Before the file at `path` is written anew: KIFU_CHANGED, where it is another one than is known; and keeps one that
/// the load did not take all of. `advice`: what to do. Also KIFU_IO and KIFU_NO_MEMORY.
kifu_result kifu__guard(kifu_timeline *timeline, const kifu__known *known, const char *path, const char *advice);

/// Ends the replacement of a file, or abandons it where the plan may not overwrite that. `file` as in
/// `kifu__os_replace_commit`.
kifu_result kifu__plan_commit(kifu__plan *plan, kifu__replacement *replacement, kifu__open_file *file);

#endif
