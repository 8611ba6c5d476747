/// What trying and asking share: the part of a timeline.
#ifndef KIFU_SRC_SEARCH_H
#define KIFU_SRC_SEARCH_H

#include "core/timeline.h"
#include "wire/table.h"

/// How the timeline was before a try.
typedef struct kifu__try_mark {
    uint32_t executed;
    kifu__blob *kept; ///< What other parts had; NULL: nothing, ever.
} kifu__try_mark;

/// What a try or a question puts its own in the place of.
typedef struct kifu__set_aside {
    kifu__phase phase;
    int player;
    uint32_t event;
    uint32_t heard;
    bool quiet;
    double delay;
    uint32_t input_first;
    int64_t consequence_count;
    kifu_ticket last_ticket;
    kifu_handle acting;
    kifu_error fault;
    kifu__queue consequences, inputs, aside, alternate;
} kifu__set_aside;

typedef struct kifu__search {
    kifu__part part;
    kifu__try_mark *marks; ///< Of the open tries; those behind have memory still.
    uint32_t made;
    uint32_t capacity;
    kifu__set_aside play;      ///< While a try is open: of the game that is played.
    kifu__set_aside asking;    ///< While a question is asked: of the game or try in which it is.
    kifu__queue try_queues[4]; ///< While none is open: the memory of its queues.
    kifu__queue ask_queues[4];
    // Of the game that is played, besides:
    uint32_t keep_from, due_from, due;
    uint32_t checkpoint_count, keyframe_count;
    uint32_t log_size; ///< Of the segment that may be appended to.
    kifu__redo redo;
    kifu__log_tail tail;
} kifu__search;

/// The part of a timeline, made where there is none. NULL without memory, with an error that names `call`.
kifu__search *kifu__search_attach(kifu_timeline *timeline, const char *call);

/// Puts empty queues in the place of the timeline's, for `KIFU__IDLE` and no player.
void kifu__set_aside_play(kifu_timeline *timeline, kifu__set_aside *play, kifu__queue *queues);

/// Takes them away again.
void kifu__bring_play_back(kifu_timeline *timeline, const kifu__set_aside *play, kifu__queue *queues);

#endif
