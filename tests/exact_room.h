/// Linked with `exact_room`, a suite gives each array room for as many as were asked for. So each element is added to
/// one that is full: what is written behind it is seen by test_allocate's fence, and each may lack memory.
#ifndef TESTS_EXACT_ROOM_H
#define TESTS_EXACT_ROOM_H

#include <stdbool.h>

/// They grow by more, as they do otherwise: for games that are long.
extern bool grows_fast;

#endif
