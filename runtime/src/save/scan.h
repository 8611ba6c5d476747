/// The frames of a file, without what is in them: which are good, and whether that is all of it. The one place that
/// says what a whole save, a log file and a damaged file look like; loading and recovery read as far as it says.
#ifndef KIFU_SRC_SCAN_H
#define KIFU_SRC_SCAN_H

#include "save/frame.h"

/// Zeroed at first, but for `chain`.
typedef struct kifu__scan {
    kifu__chain chain; ///< How far the frames are good.
    uint64_t commit;   ///< Behind the last commit, or what is packed; 0: there was none.
    bool packed;
    bool is_log;    ///< Its first commit is that of a log file.
    bool ended;     ///< It says that it ends there.
    bool whole;     ///< All its bytes were good frames.
    bool cut;       ///< Behind good frames, it ends inside the next one.
    kifu_error why; ///< Why it is no whole save. KIFU_OK: it is.
} kifu__scan;

/// The next frame. False: there is none, or it is damaged, or the file has ended before; all members count then.
bool kifu__scan_frame(kifu__scan *scan, const unsigned char *bytes, uint64_t size, kifu__frame *frame);

#endif
