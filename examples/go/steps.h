/// A game as its steps: what one undo takes back. In SGF each is a node. Steps of all lines can be looked at
/// (kifu/variations.h).
#ifndef STEPS_H
#define STEPS_H

#include <kifu/variations.h>

#include "go.h"

typedef enum step_kind {
    STEP_MOVE,  ///< A play or a pass.
    STEP_EDIT,  ///< Stones were put or taken away, or it is there for its notes.
    STEP_BEGIN, ///< The game was set up.
    STEP_OTHER  ///< Stones were marked, a player agreed or resigned.
} step_kind;

typedef struct step {
    step_kind kind;
    uint32_t first, end; ///< Its first event, and the one behind its last.
    go_stone stone;      ///< Whose move it is, or GO_STONE_NONE.
    uint32_t point;      ///< Of a move; NO_POINT: a pass.
    uint32_t edit;       ///< Its event that is an edit, or KIFU_NONE. A move may have one, too.
} step;

/// For `step_at`: the game as it is, without what was undone and without other lines.
#define GAME_LINE KIFU_NONE

/// The step that begins with an event of a line's own. False: there is no such event.
bool step_at(const kifu_timeline *timeline, uint32_t line, uint32_t event, step *step);

/// The event of a line's own, or of the game's.
bool step_event(const kifu_timeline *timeline, uint32_t line, uint32_t index, kifu_event *event);

/// The step with the last of the game's first `count` events. False: there are none.
bool step_before(const kifu_timeline *timeline, uint32_t count, step *step);

/// The event with which the last game of the timeline was set up, or KIFU_NONE.
uint32_t game_begin(const kifu_timeline *timeline);

#endif
