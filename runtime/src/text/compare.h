/// Comparing games of which not everything is known, as those in saves.
#ifndef KIFU_SRC_COMPARE_H
#define KIFU_SRC_COMPARE_H

#include <kifu/compare.h>

#include "core/timeline.h"

/// A game: of its timeline, only the log, `executed`, the queues, redo and the checkpoints count.
typedef struct kifu__compared_game {
    kifu_timeline *timeline;
    const unsigned char *state; ///< NULL: unknown.
    bool has_hash;              ///< The hash of the state is known.
    uint64_t hash;
    bool executes; ///< The rules have code: `kifu_state_at` may be asked.
} kifu__compared_game;

/// As `kifu_compare`. `advice`: what to do where only hashes tell, a sentence.
kifu_result kifu__compare(const kifu__compared_game *a, const kifu__compared_game *b, const char *advice,
                          kifu_comparison *comparison);

/// As `kifu_compare_trees`, with less asked of the timelines; the error in `error`. (compare_tree.c)
kifu_result kifu__compare_trees(kifu_timeline *a, kifu_timeline *b, kifu_tree_tell *tell, void *context,
                                kifu_error *error);

/// Whether a timeline can be compared now: KIFU_MISUSE.
kifu_result kifu__require_comparable(kifu_timeline *timeline, const char *call);

/// Whether two events are the same: type, player, cause, fields, flags. Otherwise `field`, `a` and `b` say what differs
/// first.
bool kifu__equal_events(const kifu_timeline *a, const kifu_event *one, const kifu_timeline *b, const kifu_event *other,
                        kifu_comparison *comparison);

// --- Values (compare_values.c) ---------------------------------------------------------------------------------------

/// Whether two tables, or two structs, have the same in the fields that both descriptions name. Otherwise `field`, `a`
/// and `b` of the comparison say what differs first.
bool kifu__same_tables(const kifu__table *type_a, const unsigned char *a, const kifu__table *type_b,
                       const unsigned char *b, kifu_comparison *comparison);
bool kifu__same_structs(const kifu__struct *type_a, const unsigned char *a, const kifu__struct *type_b,
                        const unsigned char *b, kifu_comparison *comparison);

/// Fills in `field`, `a` and `b`; false.
bool kifu__differ(kifu_comparison *comparison, const char *field, const char *a, const char *b);

/// The flags of two marks.
bool kifu__same_flags(uint8_t a, uint8_t b, kifu_comparison *comparison);

#endif
