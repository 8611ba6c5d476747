/// Applying news: they are read into a timeline of their own, the stage, and compared with the log; then the timeline
/// takes what is there.
#ifndef KIFU_SRC_READ_NEWS_H
#define KIFU_SRC_READ_NEWS_H

#include "core/timeline.h"
#include "save/save_tables.h"

typedef struct kifu__news {
    const kifu__save_news *first; ///< The first frame.
    bool whole;                   ///< They are the whole game.
    kifu_timeline *stage;         ///< Its log begins with event number `first->base`; nothing is executed in it.
    uint64_t hash;                ///< Of the state to which they lead.
    uint32_t same;                ///< So many of the first events of the timeline's log are also those of the news.
    kifu__memory memory;          ///< For what they say: within a budget.
} kifu__news;

/// Makes the timeline what the news say. Results as `kifu_apply_news`; nothing is changed if it is not done.
/// (take_news.c)
kifu_result kifu__take_news(kifu_timeline *timeline, const kifu__news *news);

#endif
