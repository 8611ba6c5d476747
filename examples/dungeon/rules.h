/// Rules that several actions share.
#ifndef RULES_H
#define RULES_H

#include "dungeon.h"

/// Number of the person who plays the hero. Monsters are nobody's: -1.
enum { HERO_PLAYER = 0 };

/// Keys of timed events: the ambush; and who is fast no more, plus the index of that being.
enum { TIMER_AMBUSH = 1, TIMER_HASTE = 100 };

/// NULL: who submits the running action may make `actor` act now. Or why not.
const char *rules_why_not_act(const kifu_timeline *timeline, const dungeon_state *state, kifu_handle actor);

/// The same for an action of several turns: nobody runs, rests or explores while an enemy who is awake is in sight.
const char *rules_why_not_go_on(const kifu_timeline *timeline, const dungeon_state *state, kifu_handle actor);

/// NULL: `actor` carries `item`. Or why not.
const char *rules_why_not_have(const dungeon_state *state, kifu_handle actor, kifu_handle item);

/// Hero against monsters: monsters do not fight each other.
bool rules_are_enemies(const dungeon_state *state, kifu_handle one, kifu_handle other);

/// The enemy in sight that is nearest to `actor`; KIFU_NO_HANDLE: there is none.
kifu_handle rules_nearest_enemy(const dungeon_state *state, kifu_handle actor);

/// In a Do function: a new being; KIFU_NO_HANDLE: there are too many. A sleeper has no speed.
kifu_handle rules_add_being(kifu_timeline *timeline, dungeon_kind kind, int x, int y, bool awake);

/// In a Do function: a new item, which lies at x, y, or which `owner` carries; KIFU_NO_HANDLE: there are too many.
kifu_handle rules_add_item(kifu_timeline *timeline, dungeon_thing thing, int x, int y, kifu_handle owner);

#endif
