/// What one viewer sees: masked states, differences of them, and events without hidden fields. What messages and
/// watchers share.
///
/// A message, of LEB128 numbers and bytes:
///
///     byte      how, 16 * version of this format
///               of KIFU_SEEN_WHOLE: 8 bytes fingerprint of the game; its rules version; viewer + 1
///     number    from
///     number    how many events
///               of KIFU_SEEN_WHOLE: how the masked state after `from` events differs from zeros
///     each      type; byte of flags: those of its mark, KIFU__HAS_CAUSE, KIFU__HAS_PLAYER, KIFU__SEES_HIDDEN;
///               if it has one: distance to its cause; player; its fields by id; how the masked state changes
///     4 bytes   CRC-32C of: hash of the masked state in the end, fingerprint, viewer, and all in front of these bytes
///
/// Fields: scalars and structs as they are, an optional one behind a byte 0 or 1; before vectors, strings and tables a
/// number: 0 absent, else length + 1, and then their elements, bytes or fields.
///
/// A difference: 0, if there is none. Else, for each stretch of bytes, 1 + 8 * gap in front of it + 2 * the smaller of
/// its length - 1 and 3 + 1 if another one follows; where that is 3, its length - 4; and the bytes.
#ifndef KIFU_SRC_SEEN_H
#define KIFU_SRC_SEEN_H

#include <kifu/seen.h>

#include "core/timeline.h"
#include "wire/number.h"

enum { KIFU__SEEN_VERSION = 1, KIFU__SEEN_HOWS = KIFU_SEEN_WHOLE + 1 };

/// In the byte of flags, where marks have no such bits.
enum {
    KIFU__HAS_CAUSE = 4,
    KIFU__HAS_PLAYER = 64,
    KIFU__SEES_HIDDEN = 128,
    KIFU__SEEN_FLAGS = KIFU_UNDOABLE | KIFU_CONTINUE_UNDO | KIFU_RANDOM | KIFU_REVEALS | KIFU_UNLESS_RANDOM
};

/// Copies the state as `viewer` sees it (mask.c).
void kifu__mask(const kifu_rules *rules, const void *state, int viewer, void *seen);

/// What the checksum of a message begins with: that of the masked state in the end, and of whose it is (mask.c).
/// `rules`: the game's.
uint32_t kifu__seen_checksum(const kifu_rules *rules, int viewer, const unsigned char *masked);

// --- Differences (delta.c) -------------------------------------------------------------------------------------------

/// Adds how two states of `size` bytes, a multiple of 8, differ.
void kifu__add_delta(kifu__blob *blob, const unsigned char *before, const unsigned char *after, uint32_t size);

/// A stretch of bytes. Zeroed: in front of the first.
typedef struct kifu__stretch {
    uint32_t at, size;
    const unsigned char *bytes;
    bool last;
} kifu__stretch;

/// Reads the next one; false: there is none, or (`delta->good`) none that lies in a state of `state_size` bytes.
bool kifu__next_stretch(kifu__bytes *delta, kifu__stretch *stretch, uint32_t state_size);

/// Whether what it has changed in a state holds, as far as a state can be wrong.
bool kifu__delta_holds(kifu__bytes delta, const kifu_rules *rules, const unsigned char *state);

/// Reads a whole difference, and makes it in a state. False: it is damaged, or leads to a state that cannot be.
bool kifu__apply_delta(kifu__bytes *delta, const kifu_rules *rules, unsigned char *state);

// --- Events (fields.c) -----------------------------------------------------------------------------------------------

/// Adds the fields of the event, or of a table in one, at `bytes`; `sees`: the hidden ones, too.
void kifu__add_fields(kifu__blob *blob, const kifu__table *table, const unsigned char *bytes, bool sees);

/// Adds an event of the log as it is in a message, without a difference.
void kifu__add_event(kifu__blob *blob, const kifu_rules *rules, const kifu_event *event, bool sees);

/// Reads fields into a table's struct at `at` of a blob, which is zeroed, and adds what they lead to. False: they are
/// damaged, or, with `blob->result`, need more than `most` bytes, or memory.
bool kifu__take_fields(kifu__bytes *bytes, const kifu__table *table, kifu__blob *blob, uint32_t at, bool sees,
                       uint32_t most, uint32_t depth);

// --- Rules of watchers (watch_rules.c) -------------------------------------------------------------------------------

typedef struct kifu__watch_rules {
    kifu_rules rules; ///< First.
    int viewer;
    kifu__memory memory;
    char name[200];
} kifu__watch_rules;

static inline const kifu__watch_rules *kifu__watch_rules_of(const kifu_timeline *timeline)
{
    return (const kifu__watch_rules *)(const void *)timeline->rules;
}

/// How the state changed with an event, which lies behind all fields of the game's; NULL: it was not seen.
static inline const kifu_ref *kifu__seen_of(const kifu_rules *rules, uint32_t type, const void *event)
{
    return (const kifu_ref *)((const unsigned char *)event + rules->types[type].table->size - sizeof(kifu_ref));
}

/// What each timeline of a watcher gets (watch.c).
kifu_result kifu__attach_watching(kifu_timeline *timeline);

/// An event is about to be predicted: why it may not be; NULL: it may.
const char *kifu__may_predict(const kifu_timeline *timeline, uint32_t type);

/// Before and after the Do of an event that is predicted: whether it shows the viewer a hidden value that the viewer
/// did not see before.
void kifu__before_prediction(kifu_timeline *timeline);
bool kifu__prediction_reveals(kifu_timeline *timeline);

/// The event that runs, and what follows it, are left for the answer. The result of its Do.
kifu_result kifu__leave_for_answer(kifu_timeline *timeline);

#endif
