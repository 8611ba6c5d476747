/// The head of changes, for who makes and who reads them (schema/FORMAT.md, "Changes").
#ifndef KIFU_SRC_CHANGE_HEAD_H
#define KIFU_SRC_CHANGE_HEAD_H

#include <kifu/changes.h>

#include "core/timeline.h"
#include "wire/number.h"

#define KIFU__CHANGES_MAGIC "KfCh"
#define KIFU__WHOLE_MAGIC "KfCw"

typedef struct kifu__change_head {
    bool whole;              ///< They are the whole game,
    bool lines;              ///< which keeps lines.
    kifu_stream_position at; ///< Where they begin; or of the whole game.
    uint32_t rules_version, check;
} kifu__change_head;

/// Adds one. A failure is the blob's.
void kifu__add_change_head(kifu__blob *bytes, const kifu_rules *rules, const char *magic,
                           const kifu_stream_position *at);

/// Reads one; of a whole game, the checksum of all is verified, too. KIFU_NOT_A_SAVE, KIFU_DAMAGED.
kifu_result kifu__read_change_head(kifu_timeline *timeline, kifu__bytes *bytes, kifu__change_head *head);

/// KIFU_OTHER_GAME, KIFU_NEWER_GAME.
kifu_result kifu__require_same_game(kifu_timeline *timeline, const kifu__change_head *head);

/// What is wrong with changes: KIFU_DAMAGED.
kifu_result kifu__damaged_changes(kifu_timeline *timeline, uint64_t offset, const char *why);

#endif
