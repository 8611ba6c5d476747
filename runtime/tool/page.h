/// The page that shows a game in a browser. It shows everything that the save says, hidden hands included.
#ifndef KIFU_TOOL_PAGE_H
#define KIFU_TOOL_PAGE_H

#include "tool/game_file.h"

/// The page around the game, made of the files in page/ when the program was built: up to its title, up to the data of
/// the game, up to the states, and the rest.
extern const unsigned char kifu__page_1[], kifu__page_2[], kifu__page_3[], kifu__page_4[];
extern const size_t kifu__page_1_size, kifu__page_2_size, kifu__page_3_size, kifu__page_4_size;

/// The tree of lines in a page.
typedef struct kifu__page_tree {
    kifu_stretch *stretches;
    uint32_t count;
} kifu__page_tree;

/// The states of a game in its page.
typedef struct kifu__page_states {
    const kifu__struct *structure;
    kifu_timeline *timeline;    ///< Executes the events; NULL: nobody can.
    const unsigned char *saved; ///< Without a timeline: the state after all events; NULL: nobody knows it.
    uint32_t event_count;
    kifu__page_tree tree;
    uint64_t most;       ///< Bytes.
    const char *refused; ///< Why nobody can execute the events, where that is not plain; NULL: it is.
    void (*progress)(const void *context, uint32_t done, uint32_t all);
    const void *context;

    // What became of them:
    uint32_t shown; ///< After so many events the state is in the page.
    bool capped;    ///< The others would be more than `most` bytes.
    char why[200];  ///< Why there are no more, where it is not that; "": there are all that there can be.
} kifu__page_states;

/// An event: [type, flags, player, how far back its cause is, fields] (page.c).
void kifu__print_page_event(kifu__printer *printer, const kifu_timeline *timeline, const kifu_event *event);

/// Members of the game's JSON: the number of the current line, the stretches of the tree, the events of those that are
/// not in the current line, and the notes. Of a game without lines and notes, nothing. (page_tree.c)
///
///     "line": NUMBER,
///     "tree": [[LINE, FROM, COUNT, ROW, PARENT, NEXT, PARTS, 1 main + 2 current], …],
///     "others": {PLACE IN THE TREE: [EVENT, …], …},
///     "notes": [[LINE, EVENT or -1, {KEY: TEXT, …}], …]
void kifu__print_page_tree(kifu__printer *printer, const kifu_timeline *timeline, const kifu__page_tree *tree);

/// Prints lines of JSON: how states are built, the first one, and for each event what it changed; in the end what
/// became of them. What events of other stretches of the tree changed follows: "others" in the end says where.
///
///     {"structs": [{"name": …, "members": [[NAME, TYPE, COUNT, STRUCT, POOL], …]}, …], "first": EVENTS}
///     [VALUE, …]                     the first state: all values, in the order of the members
///     [PLACE, OLD, NEW, …]           what the next event changed: the value at PLACE, from OLD to NEW; …
///     {"shown": EVENTS, "lines": [[LINE, NUMBER OF ITS FIRST EVENT, NUMBER OF THAT EVENT'S LINE OF JSON, COUNT], …],
///     …}
///
/// The last struct is the state. STRUCT is -1 for a value; COUNT 0: no array.
void kifu__print_states(kifu__printer *printer, kifu__page_states *states);

#endif
