/// Games as text: the Smart Game Format, FF[4] (red-bean.com/sgf). The main line is read and written: the first of the
/// variations everywhere. Comments and markup are left out.
#ifndef SGF_H
#define SGF_H

#include "fault.h"
#include "game.h"

enum { SGF_TEXT = 100 }; ///< Room for a text, and its NUL; what is longer is cut.

/// What a game's first node says of it, "" where it says nothing.
typedef struct sgf_info {
    char black[SGF_TEXT], white[SGF_TEXT], event[SGF_TEXT], date[SGF_TEXT], result[SGF_TEXT], rules[SGF_TEXT];
} sgf_info;

/// Plays the next game of `*text` on a timeline, as `go_begin` begins one, and moves `*text` behind it. Player 0 has
/// black. The rules (RU) decide on ko and counting; where they are not known, it is simple ko and territory. If the
/// text says that somebody resigned, the player resigns. KIFU_REJECTED: the text is wrong, `fault` says why and where.
/// Other results as `kifu_run`. `info` may be NULL.
kifu_result sgf_read(kifu_timeline *timeline, const char **text, sgf_info *info, fault *fault);

/// Whether another game begins in `text`.
bool sgf_has_more(const char *text);

/// Writes the timeline's last game, and a NUL, in at most `room` bytes; returns the length of all of it, as snprintf
/// does. `info` may be NULL; its result is written if the game has none of its own.
size_t sgf_write(const kifu_timeline *timeline, const sgf_info *info, char *text, size_t room);

#endif
