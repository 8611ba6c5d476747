/// Actions that are set for actors, in saves: through the rules, because few games have actors.
///
/// They are saved as proposals with a key each (`kifu.save.Proposals`), under the name of the part that has them:
/// another part needs no other frame, and older readers skip it.
#ifndef KIFU_SRC_ACTION_FRAMES_H
#define KIFU_SRC_ACTION_FRAMES_H

#include "save/reader.h"
#include "save/writer.h"

struct kifu__action_frames {
    /// As kifu__plan_actions.
    void (*plan)(kifu__plan *plan, kifu__written *written, const kifu__kept *kept);
    /// Reads a frame of proposals.
    kifu_result (*take)(kifu__reader *reader, const kifu__frame *frame);
};

#endif
