/// Whether today's rules lead an old save to the state that it was saved with.
#ifndef KIFU_SRC_CHANGED_H
#define KIFU_SRC_CHANGED_H

#include "save/reader.h"

/// Compares the fields that the state of another version of the game and the compiled one both have, by name, after the
/// events up to the last snapshot in the save that has a state. `changed` says the first that differs, if any. The
/// timeline is loaded, and the file still there. KIFU_NO_MEMORY.
kifu_result kifu__find_changed(const kifu__reader *reader, kifu_difference *changed);

#endif
