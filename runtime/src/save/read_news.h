/// Applying news: they are read into a timeline of their own, the stage, and compared with the log; then the timeline
/// takes what is there.
#ifndef KIFU_SRC_READ_NEWS_H
#define KIFU_SRC_READ_NEWS_H

#include "core/timeline.h"
#include "save/save_tables.h"

/// A line as it will be.
typedef struct kifu__news_line {
    struct kifu__line *sent; ///< As it is in the news; NULL: it is as it was, or the current one.
    bool there;              ///< Else there is no such line.
    bool on_way;             ///< It is the current one, or an ancestor of it.
    uint32_t parent, from;   ///< As of a line.
    uint32_t end;            ///< So many events there are up to its end,
    uint32_t at;             ///< and where the path of the current line leaves it.
} kifu__news_line;

typedef struct kifu__news {
    const kifu__save_news *first; ///< The first frame.
    bool whole;                   ///< They are the whole game.
    kifu_timeline *stage;         ///< Its log begins with event number `first->base`; nothing is executed in it.
    uint64_t hash;                ///< Of the state to which they lead.
    uint32_t same;                ///< So many of the first events of the timeline's log are also those of the news.
    kifu__memory memory;          ///< For what they say: within a budget.
    kifu__news_line *lines;       ///< By number; NULL: there is only one.
    uint32_t line_count;
    bool switches; ///< Another line becomes the current one.
    bool goes_on;  ///< Or it has the events that it had, all of them executed, and perhaps more.
    bool in_place; ///< The events that are new come behind those of the current branch.
} kifu__news;

/// Makes the timeline what the news say. Results as `kifu_apply_news`; nothing is changed if it is not done.
/// (take_news.c)
kifu_result kifu__take_news(kifu_timeline *timeline, kifu__news *news);

#endif
