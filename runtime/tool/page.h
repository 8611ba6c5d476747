/// The page that shows a game in a browser. It shows everything that the save says, hidden hands included.
#ifndef KIFU_TOOL_PAGE_H
#define KIFU_TOOL_PAGE_H

#include "tool/game_file.h"

/// The page around the game, made of the files in page/ when the program was built: up to its title, up to the data of
/// the game, up to the states, and the rest.
extern const unsigned char kifu__page_1[], kifu__page_2[], kifu__page_3[], kifu__page_4[];
extern const size_t kifu__page_1_size, kifu__page_2_size, kifu__page_3_size, kifu__page_4_size;

/// The states of a game in its page.
typedef struct kifu__page_states {
    const kifu__struct *structure;
    kifu_timeline *timeline;    ///< Executes the events; NULL: nobody can.
    const unsigned char *saved; ///< Without a timeline: the state after all events; NULL: nobody knows it.
    uint32_t event_count;
    uint64_t most;       ///< Bytes.
    const char *refused; ///< Why nobody can execute the events, where that is not plain; NULL: it is.
    void (*progress)(const void *context, uint32_t done, uint32_t all);
    const void *context;

    // What became of them:
    uint32_t shown; ///< After so many events the state is in the page.
    bool capped;    ///< The others would be more than `most` bytes.
    char why[200];  ///< Why there are no more, where it is not that; "": there are all that there can be.
} kifu__page_states;

/// Prints lines of JSON: how states are built, the first one, and for each event what it changed; in the end what
/// became of them.
///
///     {"structs": [{"name": …, "members": [[NAME, TYPE, COUNT, STRUCT, POOL], …]}, …], "first": EVENTS}
///     [VALUE, …]                     the first state: all values, in the order of the members
///     [PLACE, OLD, NEW, …]           what the next event changed: the value at PLACE, from OLD to NEW; …
///     {"shown": EVENTS, …}
///
/// The last struct is the state. STRUCT is -1 for a value; COUNT 0: no array.
void kifu__print_states(kifu__printer *printer, kifu__page_states *states);

#endif
