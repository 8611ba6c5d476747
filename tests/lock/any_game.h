/// Plays a game of any schema from its description, and tells what a save of it means. Linked with the code that kifuc
/// generates for each version of the games in cases.py.
#ifndef ANY_GAME_H
#define ANY_GAME_H

#include <kifu/kifu.h>

/// The game that this program is linked with.
extern const kifu_rules *const game_rules;

/// Names of the fields that its Do functions do not read, with a space before and behind each.
extern const char *const game_unread;

/// Submits an event of any type. The values depend on the names of its fields and on `round`: 0, small ones; 1, the
/// defaults, and no more than must be there; 2, large and negative ones.
kifu_ticket any_submit(kifu_timeline *timeline, uint32_t type, int player, uint32_t round);

/// Prints an event, one line for each value in it: "log 7 nim.PTake.heap = 3".
void tell_event(const char *stage, uint32_t number, const kifu_event *event);

/// Prints the state.
void tell_state(const char *stage, const kifu_timeline *timeline);

#endif
