/// A watcher: what its part has, and a message that is being taken.
#ifndef KIFU_SRC_SEEN_WATCH_H
#define KIFU_SRC_SEEN_WATCH_H

#include "history/watch.h"
#include "seen/seen.h"

typedef struct kifu__watching {
    kifu__part part;
    kifu__watcher dropped; ///< Which events of the log were dropped.
    uint32_t confirmed;    ///< So many events are those of messages; more are predicted.
    bool follows;          ///< It has got a message.
    bool awaits;           ///< The rest of what was predicted is left for the answer;
    bool leaves;           ///< that begins with the event that runs.
    kifu__queue incoming;  ///< The events of a message; `cause` is the distance to it.
    kifu__blob event;      ///< One of them, and
    kifu__blob local;      ///< one of here, to compare.
    unsigned char *state;  ///< Two copies of the state.
    uint64_t *visible;     ///< Which hidden values the viewer sees, before and after an event that is predicted.
} kifu__watching;

typedef struct kifu__message {
    kifu_timeline *timeline;
    kifu__watching *own;
    const kifu__watch_rules *rules;
    kifu__bytes bytes;
    const unsigned char *first;
    uint32_t most; ///< Bytes that its events may take.
    kifu_seen_how how;
    uint32_t from, count;
    uint32_t compares; ///< Events here before this number may be those of the message;
    uint32_t same;     ///< so many of its first ones are.
    uint32_t right;    ///< The place up to which what is here is what it says.
} kifu__message;

// --- The part (watching.c) -------------------------------------------------------------------------------------------

/// NULL: the timeline is no watcher.
kifu__watching *kifu__watching_of(const kifu_timeline *timeline);

/// Up to where messages have confirmed what is here.
uint32_t kifu__find_confirmed(kifu_timeline *timeline, kifu__watching *own);

// --- Reading (read_message.c) ----------------------------------------------------------------------------------------

/// What is in front of the events.
kifu_result kifu__read_head(kifu__message *message);

/// The events, to `own->incoming`; and how many of the first ones are here.
kifu_result kifu__read_message_events(kifu__message *message);

/// Errors of a message, also where it is found later.
kifu_result kifu__message_damaged(const kifu__message *message, const char *what);
kifu_result kifu__message_no_memory(const kifu__message *message);
kifu_result kifu__message_too_large(const kifu__message *message);

#endif
