/// What the first node of an SGF game says besides moves and notes: the board, the rules, the handicap, the result.
#ifndef SGF_ROOT_H
#define SGF_ROOT_H

#include "game.h"
#include "sgf_values.h"

/// Reads it. The points in `setup` are those of `stones`, which has zeros.
sgf_reading sgf_root_read(const sgf_tree *tree, go_setup *setup, sgf_stones *stones);

/// At the set-up, a note with the names of what the text does not say, "KM RU": it is not written either.
#define SGF_UNSAID "not said"

/// What becomes of a property of the first node.
typedef enum sgf_part {
    SGF_NOTE, ///< It is a note, as in other nodes.
    SGF_SAID, ///< The game itself says it.
    SGF_KEPT  ///< The same, but a note keeps a text that says it in another way: "W+Resign" for "W+R".
} sgf_part;

sgf_part sgf_root_part(const char *name);

/// Whether a text of a property of the first node names something that the text left open.
bool sgf_root_unsaid(const char *names, const char *name);

/// Appends how `sgf_root_put` would write a kept property by itself, or nothing.
void sgf_root_print(buffer *buffer, const char *name, const go_terms *terms, go_stone first);

/// What is written at the end of a game: its result, and the komi that was agreed on last.
typedef struct sgf_outcome {
    char result[RESULT_LENGTH]; ///< As `go_result` says it.
    int16_t komi;
} sgf_outcome;

/// Appends it. `line` and `event`: where it was set up.
void sgf_root_put(buffer *buffer, const kifu_timeline *timeline, uint32_t line, const kifu_event *event,
                  const sgf_outcome *outcome);

#endif
