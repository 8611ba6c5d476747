/// Cursors and forks of any line: what the calls of the current line and those with a line's number share.
#ifndef KIFU_SRC_OF_LINE_H
#define KIFU_SRC_OF_LINE_H

#include <kifu/kifu.h>

#include "core/branch.h"

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
    uint32_t line;  ///< Whose path it is; KIFU_NONE: the current one.
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
