/// Keyframes: copies of the state along the log, under a byte budget and denser towards its end; and checkpoints: the
/// hashes that tell whether a replay is exact.
///
/// Keyframes lie `2 * state_size` events apart, but at least 128 and at most 65,536: so an event costs a copy and a
/// hash of half a byte of state, for any state of up to 32 KiB. Their budget is 1 MiB, or eight states if that is more.
/// When it is used up, a quarter of the keyframes is dropped: those whose removal leaves a gap that is small compared
/// with its age. So the way from a keyframe to an event is short compared with how long ago the event was.
///
/// Hashes are recorded at the same places, unless `hash_interval` says otherwise, and after 1, 2, 4, 8, … events, so
/// that a short game can name the event that diverged. Hashes are saved, keyframes are not. Both are dropped together
/// with the events that a new event replaces.
#ifndef KIFU_SRC_KEYFRAMES_H
#define KIFU_SRC_KEYFRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

typedef struct kifu__keyframe {
    uint32_t event_count; ///< The state is that after so many events.
    unsigned char *state;
} kifu__keyframe;

typedef struct kifu__keyframes {
    kifu__keyframe *items; ///< By event count. Behind the last one are blocks of memory for the next ones.
    uint32_t count;
    uint32_t made;     ///< How many have a block.
    uint32_t capacity; ///< Of `items`.
    uint32_t most;     ///< How many the budget allows.
    uint32_t interval; ///< Events from one to the next, at least.
    uint32_t state_size;
} kifu__keyframes;

/// `budget` in bytes; 0: the default.
void kifu__keyframes_open(kifu__keyframes *keyframes, uint32_t state_size, size_t budget);
void kifu__keyframes_free(kifu__keyframes *keyframes, const kifu__memory *memory);

/// Of KIFU_DIVERGED: what leads there, and what differs; and what to do.
#define KIFU__ANOTHER_STATE                                                                                            \
    "%s another state than in the save%s. If you changed the rules, raise rules_version, or load with "                \
    "kifu_load_options.allow_changed. If not, see runtime/docs/troubleshooting.md, \"When a game diverges\""

/// As `kifu_state_hash` says.
uint64_t kifu__hash_state(const unsigned char *state, uint32_t size);

#endif
