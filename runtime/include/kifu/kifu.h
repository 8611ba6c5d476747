/// Kifu: the event timeline of a turn-based game. This header is the whole runtime API; the generated header of a game
/// includes it.
///
/// Conventions, stated once:
/// - A call that can fail returns a `kifu_result`. `kifu_last_error` then says what happened, where, and what to do. (A
///   call that makes a timeline takes a `kifu_error` for this.) A call that failed has changed nothing, unless its
///   comment says otherwise. The library prints nothing.
/// - A pointer to an options struct may be NULL, and every member may be zero: zero means the default.
/// - Players are numbered from 0; -1 is no player. Events are numbered from 0 in the order in which they happened.
/// - A timeline and everything in it belongs to one thread at a time. Two timelines share nothing that either
///   could change.
/// - Names with two underscores (`kifu__x`) are for generated code and the library itself. What only generated code
///   calls is in detail/.
#ifndef KIFU_KIFU_H
#define KIFU_KIFU_H

#include "bot.h"
#include "bytes.h"
#include "codec.h"
#include "compare.h"
#include "detail/generated.h"
#include "drawing.h"
#include "event.h"
#include "forget.h"
#include "history.h"
#include "hooks.h"
#include "listen.h"
#include "log_file.h"
#include "moves.h"
#include "changes.h"
#include "notes.h"
#include "observe.h"
#include "pool.h"
#include "progress.h"
#include "random.h"
#include "read.h"
#include "request.h"
#include "result.h"
#include "save.h"
#include "search.h"
#include "seen.h"
#include "standard.h"
#include "text.h"
#include "timeline.h"
#include "transaction.h"
#include "variations.h"
#include "turns.h"
#include "version.h"
#include "watch.h"

#endif
