/// The past, shown for the library's own purposes; cursors and forks of any line.
#ifndef KIFU_SRC_SEEK_H
#define KIFU_SRC_SEEK_H

#include <kifu/kifu.h>

#include "core/branch.h"

/// KIFU_OK, or KIFU_MISUSE in `error`: the timeline is a fork without a past, which begins after `count` events.
kifu_result kifu__require_past(const kifu_timeline *timeline, const char *call, uint32_t count, kifu_error *error);

/// KIFU_OK where no event runs and no transaction is open; else KIFU_MISUSE, naming `call`. A remembered fault is
/// reported first.
kifu_result kifu__require_outside(kifu_timeline *timeline, const char *call);

/// Before a call reads the state after `count` events, of which there are `end`: KIFU_OK, or why it may not. Then the
/// events of a try are in the log.
kifu_result kifu__require_readable(kifu_timeline *timeline, const char *call, uint32_t count, uint32_t end);

/// `kifu_seek` without its checks and without a redraw; KIFU_PRESENT is allowed.
kifu_result kifu__seek_quietly(kifu_timeline *timeline, uint32_t count);

/// A place of a line.
typedef struct kifu__line_place {
    /// The line's path, of so many events; NULL: there is no such line. A pointer, so that only programs that ask for
    /// lines link them; NULL: the current path, as far as events have happened.
    kifu__branch *(*path_of)(const kifu_timeline *timeline, uint32_t line, uint32_t *end);
    uint32_t line;
    uint32_t count; ///< After so many events of the path.
} kifu__line_place;

/// Opens a cursor at a place that was checked.
kifu_result kifu__cursor_open(kifu_timeline *timeline, const kifu__line_place *place, kifu_cursor **opened);

/// What a fork is made from.
typedef struct kifu__forked {
    kifu__branch *path;
    uint32_t count; ///< So many events of it.
    bool past;      ///< With these events,
    bool waiting;   ///< and with what waits now.
} kifu__forked;

/// As `kifu_fork`, from a place that was checked. May be called only from outside.
kifu_result kifu__fork(const kifu_timeline *timeline, const kifu__forked *from, const kifu_options *options,
                       kifu_timeline **fork, kifu_error *error);

/// KIFU_OK where a fork may be made now; else KIFU_MISUSE, naming `call`.
kifu_result kifu__require_fork(const kifu_timeline *timeline, const char *call, kifu_error *error);

#endif
