/// The state with which a save begins, when another version of the game has written it.
///
/// What has no place in the next version is refused only if it is not 0: then something would be lost. A field that the
/// game's function has asked for counts as carried over, so what it did not think of is still named.
#ifndef KIFU_SRC_CARRY_H
#define KIFU_SRC_CARRY_H

#include "save/reader.h"

/// Carries the state over, field by field and by name, into `state`, which is zeros. KIFU_DAMAGED; KIFU_UNSUPPORTED: a
/// field has no place in this version; what the game's `carry_state` returns.
kifu_result kifu__carry_state(kifu__reader *reader, const kifu__frame *frame, const kifu__save_root *fields,
                              unsigned char *state);

#endif
