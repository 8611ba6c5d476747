/// The commits of a log file, by their positions in the stream.
#ifndef KIFU_SRC_FIND_COMMITS_H
#define KIFU_SRC_FIND_COMMITS_H

#include "save/stream.h"

/// Adds the commits behind a position, as changes have them. `*found`: the file has the position. Results as
/// `kifu__os_read`, KIFU_TOO_LARGE.
kifu_result kifu__find_commits(kifu_timeline *timeline, const char *path, const kifu_stream_position *since,
                               kifu__blob *commits, bool *found);

/// Where the stream in a log file ends, of which the header says what this one does but for the time and the number of
/// events: its position (stream 0: there is none, or the file is no log file, or has something else behind it), its
/// size, and the checksum of the heads of its frames. Results as `kifu__os_read`.
kifu_result kifu__find_stream(kifu_timeline *timeline, const char *path, const kifu__piece *header,
                              kifu_stream_position *position, uint64_t *size, uint32_t *heads);

#endif
