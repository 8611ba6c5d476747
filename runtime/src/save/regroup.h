/// Copies of events, in segments of their own.
///
/// A copy begins with about as much room as the events have now, and grows while events are added: measuring them first
/// would mean to convert each event twice.
#ifndef KIFU_SRC_REGROUP_H
#define KIFU_SRC_REGROUP_H

#include "core/log.h"
#include "wire/table.h"

/// Copies the events of a segment of the log, from `slot` on, into a new one without room for more. KIFU_NO_MEMORY,
/// KIFU_TOO_LARGE: there is no copy.
kifu_result kifu__copy_events(const kifu__log *log, const kifu__segment *segment, uint32_t slot, kifu__segment *copy);

/// What a load does with the segments it has found: the last one, while it is small, moves to where there is room
/// behind it, so that the game goes on in it; `*borrowed` is one less then. False without memory: the log is whole
/// still.
bool kifu__log_regroup(kifu__log *log, uint32_t *borrowed);

#endif
