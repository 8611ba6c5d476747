/// The page that shows a game in a browser. It shows everything that the save says, hidden hands included.
#ifndef KIFU_TOOL_PAGE_H
#define KIFU_TOOL_PAGE_H

#include "tool/game_file.h"

/// A piece of the page, made of the files in page/ when the program was built.
typedef struct kifu__page_piece {
    const unsigned char *bytes;
    size_t size;
} kifu__page_piece;

/// What is between the pieces of a page. What plays is there only with `--play`.
typedef enum kifu__page_place_of {
    KIFU__PLAY_SCRIPT_ALLOWED, ///< In the policy.
    KIFU__PLAY_STYLE_ALLOWED,  ///< There, too.
    KIFU__PAGE_TITLE,
    KIFU__PLAY_STYLE,
    KIFU__PAGE_GAME,
    KIFU__PAGE_STATES,
    KIFU__PAGE_DRAWINGS,
    KIFU__PLAY, ///< The module, the save and a script.
    KIFU__PAGE_PLACES
} kifu__page_place_of;
extern const kifu__page_piece kifu__page_pieces[KIFU__PAGE_PLACES + 1];

/// What plays: two pieces for the policy, the style, and what is before the module, before the save and behind it.
extern const kifu__page_piece kifu__play_pieces[6];

/// The tree of lines in a page.
typedef struct kifu__page_tree {
    kifu_stretch *stretches;
    uint32_t count;
} kifu__page_tree;

/// Bytes that are gathered before they are written.
typedef struct kifu__page_text {
    char *at; ///< From `kifu__must_grow`.
    size_t size, capacity;
} kifu__page_text;

/// A kifu_text_writer to a kifu__page_text. (page_walk.c)
kifu_result kifu__gather(void *context, const char *bytes, size_t size);

/// A place on a walk.
typedef struct kifu__page_place {
    uint32_t events;   ///< After so many.
    const void *state; ///< Until the walk goes on.
    kifu_event event;  ///< The last of them; not at the beginning of a walk.
    kifu_event move;   ///< The last of them that was a player's; its `type` is 0: there was none.
    bool turn_ends;    ///< The next event begins an undo chain, or there is none.
} kifu__page_place;

/// A walk past all states of a game, and who is shown them. (page_walk.c)
typedef struct kifu__page_walk {
    kifu_timeline *timeline; ///< Executes the events; NULL: this program cannot.
    const kifu__page_tree *tree;
    uint32_t event_count; ///< Of the current line: those that are executed.
    void (*progress)(const void *context, uint32_t done, uint32_t all);
    const void *progress_context;

    void *context;                                                 ///< Of these:
    bool (*begin)(void *context, const kifu__page_place *place);   ///< Where a walk begins; false: no further.
    bool (*next)(void *context, const kifu__page_place *place);    ///< After each event; the same.
    bool (*enter)(void *context);                                  ///< Whether another stretch is to be walked.
    void (*leave)(void *context, uint32_t stretch, uint32_t from); ///< It was, from event number `from` on.
} kifu__page_walk;

/// Executes the current line from its first event on. The result is that of the execution.
kifu_result kifu__walk_current(const kifu__page_walk *walk);

/// Executes each stretch that is not executed in the current line. Where that fails, it ends. The timeline comes back.
void kifu__walk_others(const kifu__page_walk *walk);

/// The states of a game in its page.
typedef struct kifu__page_states {
    const kifu__struct *structure;
    kifu__page_walk walk;       ///< Without a visitor.
    const unsigned char *saved; ///< Without a timeline: the state after all events; NULL: not known.
    uint64_t most;              ///< Bytes.
    const char *refused;        ///< Why the events cannot be executed, where that is not plain; NULL: it is.

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
///     {"structs": [{"name": …, "members": [[NAME, TYPE, COUNT, STRUCT, POOL], …]}, …], "first": EVENTS, "enums":
///     {TYPE: [NAME, …], …}} [VALUE, …]                     the first state: all values, in the order of the members
///     [PLACE, OLD, NEW, …]           what the next event changed: the value at PLACE, from OLD to NEW; …
///     {"shown": EVENTS, "lines": [[LINE, NUMBER OF ITS FIRST EVENT, NUMBER OF THAT EVENT'S LINE OF JSON, COUNT], …],
///     …}
///
/// The last struct is the state. STRUCT is -1 for a value; COUNT 0: no array.
void kifu__print_states(kifu__printer *printer, kifu__page_states *states);

/// How the game looks at each place, drawn by its own function (kifu_options.draw).
typedef struct kifu__page_drawings {
    kifu__page_walk walk; ///< Without a visitor. Without a function to draw, nothing is drawn.
    const char *const *players;
    uint32_t player_count;
    uint64_t most; ///< Bytes.

    // What became of them:
    bool drawn;        ///< There are some.
    bool turns;        ///< All of them would be more than `most` bytes: only those where an undo chain ends are there.
    bool capped;       ///< Those, too, would be: they end after `shown` events.
    uint32_t shown;    ///< So many events of the current line have theirs.
    kifu_result wrong; ///< What the game's function, or the execution, failed with.
} kifu__page_drawings;

/// Prints lines of JSON, by differences as those of the states: a drawing is a list of the numbers of its lines of
/// text, -1 where it has no more. The last line has these texts. Without drawings, it is the only one.
///
///     {"first": 0}
///     [LINE, …]                      what is drawn at the beginning
///     [PLACE, OLD, NEW, …]           what the next event changed; 0: nothing was drawn here
///     {"shown": EVENTS, "turns": …, "capped": …, "most": …, "lines": [TEXT, …], "others": as of the states}
void kifu__print_drawings(kifu__printer *printer, kifu__page_drawings *drawings);

#endif
