/// Actions that are set for actors, in saves: through the rules, because few games have actors.
///
/// They are saved as proposals with a key each (`kifu.save.Proposals`), under the name of the part that has them.
#ifndef KIFU_SRC_ACTION_FRAMES_H
#define KIFU_SRC_ACTION_FRAMES_H

#include "save/reader.h"
#include "save/writer.h"

struct kifu__action_frames {
    /// Makes a payload of the actions that are set, or were at the moment `kept`, unless the file says so; then `said`
    /// has it, too.
    kifu__blob (*make)(kifu__plan *plan, const kifu__kept *kept, kifu__said *said);
    /// Takes one, which may lie anywhere.
    kifu_result (*take)(kifu__commits *commits, const unsigned char *bytes, uint32_t size);
};

#endif
