/// Going along a game and its variations, as a person who reviews it does.
#ifndef WALK_H
#define WALK_H

#include "steps.h"

/// Each goes somewhere and says what it has done, or why not, in `message`: 200 bytes. False: nothing has changed.
typedef bool walk(kifu_timeline *timeline, char *message);

walk walk_back;     ///< One step back.
walk walk_forward;  ///< One step on: in the line that was left last, else in the main line, else in the first one.
walk walk_to_begin; ///< To the first position.
walk walk_to_end;   ///< To the end of this line.
walk walk_up;       ///< To the step before this one, of those that could be here.
walk walk_down;     ///< To the step behind this one, of those that could be here.
walk walk_promote;  ///< Makes this line the main line.
walk walk_delete;   ///< Deletes the line of this step, and goes to where it branches off.

/// What `walk_delete` would delete: "the variation that begins with D4". False: nothing, and why.
bool walk_can_delete(const kifu_timeline *timeline, char *message);

/// A step as text: "D4", "pass", "edit".
void walk_name(const kifu_timeline *timeline, const step *step, char name[12]);

#endif
