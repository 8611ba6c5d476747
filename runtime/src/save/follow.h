/// Changes: their head (schema/FORMAT.md, "Changes"); and a follower, a timeline that applies those of another one.
#ifndef KIFU_SRC_FOLLOW_H
#define KIFU_SRC_FOLLOW_H

#include <kifu/changes.h>

#include "save/reader.h"
#include "save/reversal.h"

// --- The head (changes.c) --------------------------------------------------------------------------------------------

typedef struct kifu__change_head {
    bool whole;              ///< They are the whole game,
    bool lines;              ///< which keeps lines.
    kifu_stream_position at; ///< Where they begin; or of the whole game.
    uint32_t rules_version, check;
} kifu__change_head;

/// Reads one; of a whole game, the checksum of all is verified, too. KIFU_NOT_A_SAVE, KIFU_DAMAGED.
kifu_result kifu__read_change_head(kifu_timeline *timeline, kifu__bytes *bytes, kifu__change_head *head);

/// KIFU_OTHER_GAME, KIFU_NEWER_GAME.
kifu_result kifu__require_same_game(kifu_timeline *timeline, const kifu__change_head *head);

/// What is wrong with changes: KIFU_DAMAGED.
kifu_result kifu__damaged_changes(kifu_timeline *timeline, uint64_t offset, const char *why);

/// The next commit, and the checksum behind it. False: it is not whole.
bool kifu__next_change(kifu__bytes *bytes, kifu__bytes *records, uint32_t *checksum);

/// Commits behind position `begin`, of changes that begin at `first`: whether they are whole, follow each other, and
/// lead through position `at`, where a follower is, if they reach that. KIFU_OTHER_STREAM, KIFU_GAP, KIFU_DAMAGED.
kifu_result kifu__require_changes_behind(kifu_timeline *timeline, const kifu_stream_position *at,
                                         const kifu_stream_position *begin, kifu__bytes bytes,
                                         const unsigned char *first);

// --- A follower ------------------------------------------------------------------------------------------------------

/// The timeline becomes that of a save. `lines`: the game of the save keeps them. As kifu_apply_changes; nothing is
/// changed after a failure, but for what the view did wrong, which is in `*fault`. (follow_to.c)
kifu_result kifu__exchange_game(kifu_timeline *timeline, const unsigned char *save, uint64_t size, bool lines,
                                kifu_error *fault);

/// Goes where the records say that were read, if that leads to their hash; else nothing is changed. (follow_to.c)
kifu_result kifu__follow_to(kifu__commits *commits, kifu_error *fault);

#endif
