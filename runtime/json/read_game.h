/// A game out of JSON: what its parts share. Everything returns false after the first failure, which is reported.
#ifndef KIFU_JSON_READ_GAME_H
#define KIFU_JSON_READ_GAME_H

#include "history/root.h"
#include "json/read_json.h"

typedef struct kifu__reading {
    kifu__json_reader reader;
    kifu__game_file *file;
    kifu_timeline *timeline;
    kifu__blob blob;          ///< For the event at hand.
    kifu__timed_events timed; ///< Before the state with which the game begins.
} kifu__reading;

/// The next event of the log. `*version` is that of the rules of the one before. (read_events.c)
bool kifu__read_event(kifu__reading *reading, const cJSON *object, uint32_t *version);

/// An event by itself: it becomes the blob, and `*event` has what else its object says. Its `table` is not set.
/// (read_events.c)
bool kifu__read_alone(kifu__reading *reading, const cJSON *object, kifu_event *event);

/// Events from `*next` on, up to number `end`. (read_events.c)
bool kifu__read_some_events(kifu__reading *reading, const cJSON **next, uint32_t end);

/// The array of events in an object; NULL, with an error: there is none. (read_events.c)
const cJSON *kifu__events_in(kifu__reading *reading, const cJSON *object);

/// Members of an object: events, which the log gets; what waits. (read_events.c)
bool kifu__read_events(kifu__reading *reading, const cJSON *object);
bool kifu__read_waiting(kifu__reading *reading, const cJSON *object);

/// Members of an object: what waits elsewhere; hashes along the log. (read_game.c)
bool kifu__read_kept(kifu__reading *reading, const cJSON *object);
bool kifu__read_hashes(kifu__reading *reading, const cJSON *object);

/// Of the game: the state with which it begins, if it begins from one; and the events before it that timers need, which
/// `kifu__end_root` puts in front of the log when that is whole. (read_root.c)
bool kifu__read_root(kifu__reading *reading);
bool kifu__end_root(kifu__reading *reading);

/// Of the game: the events of all lines, and its notes. (read_tree.c)
bool kifu__read_lines(kifu__reading *reading);
bool kifu__read_notes(kifu__reading *reading);

#endif
