/// A random walk over the public calls that change or store a game. Beside the timeline stands the plain model of
/// tree.h. After each step both are compared; whatever was saved, appended or sent is loaded, and compared, too.
#ifndef WALK_H
#define WALK_H

#include <kifu/forget.h>
#include <kifu/kifu.h>
#include <kifu/log_file.h>
#include <kifu/changes.h>
#include <stdio.h>

#include "tree.h"

enum { MOST_OPS = 400, MOST_OPEN = 4, FOLLOWERS = 3, WATCHERS = 3, APPENDED = 6 };

/// One step: a kind of operation (ops.c), numbers that say which line, event or move, and which allocation is refused
/// (0: none is).
typedef struct walk_op {
    uint32_t kind, a, b, fail;
} walk_op;

/// How a walk begins.
typedef struct walk_config {
    uint32_t game;
    bool no_variations, no_notes;
    bool sync;              ///< With the sync test.
    bool records;           ///< With the inputs recorded.
    bool no_root;           ///< A game that has forgotten its past cannot be saved.
    bool logged;            ///< A log file is open from the beginning, and each step is appended.
    bool promotes;          ///< The line that is played is the main one.
    bool starves;           ///< Some calls are refused memory.
    bool forks_more;        ///< Forks are made that no step goes on with. They take numbers from the system.
    uint32_t hash_interval; ///< As in `kifu_options`.
} walk_config;

typedef struct walk_plan {
    walk_config config;
    uint32_t count;
    walk_op ops[MOST_OPS];
} walk_plan;

/// Allocations that are counted, and of which one can be refused.
typedef struct walk_memory {
    long until_failure; ///< 0: the next is refused; negative: none is.
    bool for_ever;      ///< Those behind it are refused, too.
    bool failed;
    long blocks; ///< In use.
} walk_memory;

/// What an input is for.
typedef enum walk_how { WALK_SUBMIT, WALK_PLAY, WALK_TRY, WALK_CAN } walk_how;

typedef struct walk walk;

typedef struct walk_game {
    const char *name;
    const kifu_rules *rules;
    /// What the game begins with; it is run.
    void (*begin)(walk *walk);
    /// A player's input, chosen by two numbers. KIFU_UNSUPPORTED: not in that way.
    kifu_result (*input)(walk *walk, walk_how how, uint32_t a, uint32_t b);
    /// Submits an engine event. NULL: there is none.
    void (*engine)(walk *walk, uint32_t a);
    /// For games with actors.
    kifu_ticket (*decide)(void *context, kifu_timeline *timeline, const void *state, kifu_handle actor,
                          uint32_t attempt);
    kifu_handle (*actor)(const kifu_timeline *timeline, uint32_t a);
    const kifu_bot *bot;            ///< NULL: the game lists no moves.
    const kifu_observers *triggers; ///< NULL: there are none.
    /// The rules of a later version of the game; NULL: there is none.
    const kifu_rules *(*later)(void);
} walk_game;

extern const walk_game walk_games[];
extern const uint32_t walk_game_count;

typedef struct walk_follower {
    kifu_timeline *timeline;
    bool variations, notes;
} walk_follower;

/// A watcher of one viewer: -1, 0 or 1.
typedef struct walk_watcher {
    kifu_timeline *timeline; ///< NULL: there is none yet.
    const kifu_rules *rules, *game;
} walk_watcher;

/// The log file as it was after an append.
typedef struct walk_appended {
    uint64_t size, file; ///< Bytes, and the file's number.
    bool variations, notes;
    walk_tree tree;
} walk_appended;

/// What a transaction must come back to.
typedef struct walk_picture {
    uint32_t place, can_undo, can_redo, waiting;
    uint64_t hash, queue;
} walk_picture;

struct walk {
    const walk_game *game;
    walk_config config;
    walk_memory memory;
    kifu_timeline *timeline;
    bool variations, notes; ///< What the timeline keeps now.
    walk_tree tree;         ///< The model.
    kifu_ticket ticket;     ///< Of the last submit.
    uint32_t open;          ///< How many transactions are open.
    bool search[MOST_OPEN];
    walk_picture before[MOST_OPEN];
    bool log_open;
    walk_tree logged; ///< What the log file must have, if `has_log`.
    bool has_log, logged_variations, logged_notes;
    walk_appended appended[APPENDED]; ///< The last ones of this file, the oldest first.
    uint32_t appended_count;
    unsigned char *file; ///< The log file after the last append; NULL: it is not known.
    bool anew;           ///< The next append may write it anew. Else what it has stays.
    uint32_t since;      ///< So many steps were made since then.
    bool unclosed;       ///< It was not closed,
    bool without_schema; ///< and was begun so.
    bool as_loaded;      ///< The timeline was loaded from it, and nothing has happened since.
    bool visited;        ///< Another process has written the file that the timeline was loaded from,
    bool played_on;      ///< and the game in it is another one now.
    char path[200];
    walk_follower followers[FOLLOWERS];
    walk_watcher watchers[WATCHERS];
    uint32_t step;
    FILE *print; ///< The calls as C; NULL: they are not printed.
};

/// Names of the operations, and how likely each is.
typedef struct walk_kind {
    const char *name;
    uint32_t weight;
    void (*run)(walk *walk, const walk_op *op);
} walk_kind;

extern const walk_kind walk_kinds[];
extern const uint32_t walk_kind_count;

/// A plan by a number.
void walk_make_plan(walk_plan *plan, uint64_t seed);

/// Walks. The first thing that is wrong ends the process (walk_fail). `print` may be NULL.
void walk_run(const walk_plan *plan, const char *path, FILE *print);

/// What is wrong, for the parent process; ends this one.
_Noreturn void walk_fail(const char *kind, const char *format, ...);

// For games and operations: ------------------------------------------------------------------------------------------

/// A call as C, if it is to be printed.
void walk_say(walk *walk, const char *format, ...);

kifu_options walk_options(walk *walk, bool variations, bool notes);

/// Or the walk ends with what was called, its result, and the timeline's last error.
void walk_expect(walk *walk, const char *kind, bool good, const char *what, kifu_result result);

/// Loads from bytes or, where `bytes` is NULL, from the log's path.
typedef struct walk_load {
    const char *path; ///< Where it is not NULL: another file than the log's.
    const unsigned char *bytes;
    size_t size;
    bool variations, notes, fast, recover;
    bool torn; ///< It is a log file that was cut off: recovery may drop something.
} walk_load;

kifu_timeline *walk_loaded(walk *walk, const walk_load *load, const char *what);

/// A timeline that was loaded must be what the model says, also where redo and other lines lead to. It is destroyed.
void walk_check_load(walk *walk, kifu_timeline *loaded, const walk_tree *tree, const char *what);

#endif
