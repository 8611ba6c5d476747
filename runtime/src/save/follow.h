/// A follower: a timeline that applies the changes of another one.
#ifndef KIFU_SRC_FOLLOW_H
#define KIFU_SRC_FOLLOW_H

#include <kifu/changes.h>

#include "save/reader.h"
#include "save/reversal.h"

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
    bool applies;           ///< A commit is being applied.
    int kept;               ///< At so many places more than after the last commit something waits; -1: at others.
} kifu__follower;

/// The timeline becomes that of a save. `lines`: the game of the save keeps them. As kifu_apply_changes; nothing is
/// changed after a failure, but for what the view did wrong, which is in `*fault`. (follow_to.c)
kifu_result kifu__exchange_game(kifu_timeline *timeline, const unsigned char *save, uint64_t size, bool lines,
                                kifu_error *fault);

/// Goes where the records say that were read, if that leads to their hash; else nothing is changed. (follow_to.c)
kifu_result kifu__follow_to(kifu__commits *commits, kifu_error *fault);

#endif
