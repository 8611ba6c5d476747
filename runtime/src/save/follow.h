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

// --- A follower ------------------------------------------------------------------------------------------------------

/// The part of a timeline that follows another one.
typedef struct kifu__follower {
    kifu__part part;
    kifu_stream_position at;
    kifu__commits commits;  ///< What it knows of the stream: shapes, and where the reader stands.
    uint64_t changes;       ///< As `timeline->tree.changes`, after the last commit,
    uint32_t begin;         ///< and its first event.
    bool own;               ///< Its tree was changed by itself since it got the whole game.
    kifu_ticket waiting[2]; ///< The first that waited then, of both queues,
    uint32_t waiting_count; ///< how many did,
    kifu_ticket last;       ///< and the last that had been submitted.
    int kept;               ///< At so many places more than after the last commit something waits; -1: at others.
} kifu__follower;

/// The timeline becomes that of a save. `lines`: the game of the save keeps them. As kifu_apply_changes; nothing is
/// changed after a failure, but for what the view did wrong, which is in `*fault`. (follow_to.c)
kifu_result kifu__exchange_game(kifu_timeline *timeline, const unsigned char *save, uint64_t size, bool lines,
                                kifu_error *fault);

/// Goes where the records say that were read, if that leads to their hash; else nothing is changed. (follow_to.c)
kifu_result kifu__follow_to(kifu__commits *commits, kifu_error *fault);

#endif
