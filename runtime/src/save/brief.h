/// Brief segments (schema/FORMAT.md): what a segment has besides its head and its vtables. Most appends to a log file
/// are one event, and those would be most of its bytes.
#ifndef KIFU_SRC_BRIEF_H
#define KIFU_SRC_BRIEF_H

#include "wire/table.h"

/// The vtables of a game that has more bytes of them are never left out.
enum { KIFU__BRIEF_VTABLES = 32768 };

/// Adds the brief form of a segment that Kifu has made without room for more. False, with `blob` to be dropped, where
/// it has none: an event is too long.
bool kifu__brief(const kifu_rules *rules, const kifu__segment *segment, kifu__blob *blob);

/// Makes the whole segment, all that is in `blob` then, from bytes that may be any; it is not verified. KIFU_NO_MEMORY,
/// KIFU_DAMAGED, KIFU_TOO_LARGE.
kifu_result kifu__unbrief(const void *bytes, uint32_t size, const void *vtables, uint32_t vtables_size,
                          uint32_t rules_version, kifu__blob *blob);

#endif
