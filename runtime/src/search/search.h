/// What trying and asking share: the part of a timeline.
///
/// Tried events lie in a store: the queue of their consequences, of which nothing is thrown away while a try is open.
/// Its `base` and `head` are where the waiting ones begin; in front of them lies what has happened, back to the
/// outermost try. So a consequence lies from its submit to the take-back where it was built. The log gets these events
/// only when a later try takes the long way (try.c).
#ifndef KIFU_SRC_SEARCH_H
#define KIFU_SRC_SEARCH_H

#include <kifu/search.h>

#include "core/hidden.h"
#include "wire/table.h"

/// How the timeline was before a try.
typedef struct kifu__try_mark {
    uint32_t executed;
    uint32_t at;      ///< Where the store ended.
    kifu__blob *kept; ///< What other parts had; NULL: nothing, ever.
} kifu__try_mark;

/// What may not be seen or changed while the rules run on account of a search.
typedef struct kifu__set_aside {
    uint32_t handlers;
    bool quiet;
    double delay;
    kifu_handle acting;
    kifu_ticket last_ticket;
    kifu__queue queues[3]; ///< Inputs, aside, alternate.
} kifu__set_aside;

typedef struct kifu__search {
    kifu__part part;
    kifu__try_mark *marks; ///< Of the open tries; those behind have memory still.
    uint32_t made;
    uint32_t capacity;
    kifu__queue store; ///< While no try is open: its memory. Else: what waits in play.
    uint32_t *places;  ///< Where in the store its events are, from the outermost try on.
    uint32_t place_room;
    unsigned char *event; ///< The event whose Do runs, since the store may move.
    uint32_t event_room;
    kifu__short *shorts;          ///< KIFU__SHORTS of them,
    kifu__journal_entry *entries; ///< whose edits are in these.

    // Of play, while a try is open:
    int player;
    uint32_t input_first;
    int64_t consequence_count;
    kifu_ticket last_ticket;
    uint32_t keep_from;
    bool play_is_aside;
    kifu__set_aside play;
    kifu__queue try_queues[3]; ///< The memory of those that are in their place then.
    uint32_t due_from, due;
    uint32_t keyframe_count;
    kifu__hidden hidden; ///< Where the log has what is tried, if it must.

    kifu__set_aside asked; ///< While a question is asked.
    kifu_error asked_fault;
    kifu__phase asked_phase;
    int asked_player;
    uint32_t asked_event;
    kifu__queue ask_queues[3];
} kifu__search;

/// The part of a timeline, made where there is none. NULL without memory, with an error that names `what`.
kifu__search *kifu__search_attach(kifu_timeline *timeline, const char *what);

/// Puts empty queues in the place of the timeline's. What happens then is seen by the rules alone.
void kifu__set_play_aside(kifu_timeline *timeline, kifu__set_aside *play, kifu__queue *queues);
void kifu__bring_play_back(kifu_timeline *timeline, const kifu__set_aside *play, kifu__queue *queues);

/// What the outermost try changes of play, but for what waits, and is there again after it.
void kifu__leave_play(kifu_timeline *timeline, kifu__search *search);
void kifu__return_to_play(kifu_timeline *timeline, const kifu__search *search);

/// The journal goes on reaching back to event `first`, with which the outermost try began.
void kifu__keep_journal(kifu_timeline *timeline, kifu__search *search, uint32_t first);

/// Whether only checks and Do functions are called for an event, and no part records anything.
bool kifu__search_is_plain(const kifu_timeline *timeline);

/// From the outermost try on, the log goes on in a hidden branch, where what is tried can be sealed; and no more.
void kifu__hide_log(kifu_timeline *timeline, kifu__search *search);
void kifu__show_log(kifu_timeline *timeline, kifu__search *search);

/// Seals what has been tried into the log. False without memory, with a fault.
bool kifu__settle(kifu_timeline *timeline);

/// The timeline's `tried_at`, while a try is open.
bool kifu__tried_at(const kifu_timeline *timeline, uint32_t index, kifu_event *event);

/// How many short tries there may be before they become ordinary ones.
enum { KIFU__SHORTS = 64 };

/// The short tries that are open become ordinary ones, and with `with_next` also the one whose Do has just run, before
/// what follows from it. False without memory.
bool kifu__note_shorts(kifu_timeline *timeline, kifu__search *search, bool with_next);

/// Whether short tries may be opened from now on.
void kifu__allow_shorts(kifu_timeline *timeline, kifu__search *search, bool allow);

/// The journal has moved while the Do of a short try ran.
void kifu__move_shorts(const kifu_timeline *timeline, kifu__search *search);

/// Takes back the last short try, whatever there is to do.
void kifu__end_short(kifu_timeline *timeline, kifu__search *search);

/// Room for `count` more ordinary tries. NULL without memory.
kifu__try_mark *kifu__make_mark(kifu_timeline *timeline, kifu__search *search, uint32_t count);

/// Runs what waits in the store, the input first (`is_input`), where all is plain. False: something came up that only
/// the long way can do, so what has happened must be taken back and done again. KIFU_REJECTED in `result`: the input
/// was.
bool kifu__run_plainly(kifu_timeline *timeline, kifu__search *search, bool is_input, bool trusted, kifu_result *result);

/// Room for the places of the store's events up to the one with this number from the outermost try, and for a copy of
/// `size` bytes.
bool kifu__make_room(kifu_timeline *timeline, kifu__search *search, uint32_t number, uint32_t size);

#endif
