/// What the harbour's upcast functions may be told by a test.
#ifndef HARBOUR_HOOKS_H
#define HARBOUR_HOOKS_H

#include "harbour.h"

/// What the upcast of an EBad does: which one it is, its `what` says.
typedef kifu_result harbour_mistake(kifu_timeline *timeline, uint8_t what);
extern harbour_mistake *harbour_in_upcast_bad;

#endif
