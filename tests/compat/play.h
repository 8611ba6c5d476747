/// The game that every version of the camp plays and saves. Compiled with CAMP_VERSION 1, 2, 3 or 4.
#ifndef COMPAT_PLAY_H
#define COMPAT_PLAY_H

#include "camp.h"

/// What the saves differ in.
typedef enum play_kind {
    PLAY_UNDONE,  ///< The last chain is undone.
    PLAY_WAITING, ///< A consequence and an input wait.
    PLAY_STORM,   ///< As undone, with an event that version 1 does not know.
    PLAY_STONE,   ///< As undone, with an enum value that versions 1 and 2 do not know.
    PLAY_HASHED,  ///< As undone, with a hash after every second event.
    PLAY_PACKED,  ///< As undone, packed by the codec of the tests.
    PLAY_SMALL    ///< As hashed, packed as a whole.
} play_kind;

/// Plays on an empty timeline.
kifu_result play(kifu_timeline *timeline, play_kind kind);

#endif
