/// Recovery of a file that has no end, or is damaged (schema/FORMAT.md).
#ifndef KIFU_SRC_RECOVER_H
#define KIFU_SRC_RECOVER_H

#include "save/reader.h"

/// As `kifu__read_frames`, of all that can be used of the file; `recovery` says what was dropped.
kifu_result kifu__recover(kifu__reader *reader, const kifu__file *file, kifu_recovery *recovery);

#endif
