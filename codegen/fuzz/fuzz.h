/// What the parts of the fuzzer share. A game that is being played is a `fuzz`; whatever is found wrong in it ends its
/// process by `kifu_fuzz__fail`.
#ifndef KIFU_FUZZ_FUZZ_H
#define KIFU_FUZZ_FUZZ_H

#include <stddef.h>

#include "kifu_fuzz.h"

/// How many kinds of things may be done in a step, and how long reports may be.
enum { FUZZ_MOST_OPERATIONS = 24, FUZZ_REPORT = 2000, FUZZ_TRACE = 16000, FUZZ_LINE = 200 };

/// What a game's process leaves for the one that started it, in memory that both have.
typedef struct fuzz_progress {
    uint32_t step;        ///< That it is in, from 1; 0: the beginning.
    const char *doing;    ///< What it does there: a literal.
    const char *failure;  ///< What was found, as a literal that tells kinds of it apart; NULL: nothing.
    bool ended;           ///< The game was played to its end.
    bool tracing;         ///< Write `trace`.
    bool saved;           ///< The save was written.
    const char *function; ///< Which function of the rules runs: "the Do function of"; NULL: none does,
    uint32_t type;        ///< and of which type of event.
    uint32_t trace_size;
    uint64_t events; ///< That happened.
    uint64_t inputs, refused;
    uint64_t misused;                    ///< Of those refused, in how many the rules misused Kifu,
    char misuse[500];                    ///< and what the first one did.
    uint64_t worlds, parted;             ///< Pairs of worlds, and how many of them were not compared to the end.
    uint64_t revealed[256];              ///< By type: how many events showed a player something hidden;
    uint64_t by_mask[256];               ///< and of types with `reveals`, of how many the masks say so.
    uint64_t exchanged;                  ///< Hidden elements that were others in the second worlds.
    uint64_t done[FUZZ_MOST_OPERATIONS]; ///< How often each operation was.
    char report[FUZZ_REPORT];
    char trace[FUZZ_TRACE]; ///< A line for each step, NUL-terminated.
} fuzz_progress;

/// One game to play.
typedef struct fuzz_plan {
    const kifu_rules *rules;
    const kifu_fuzz_hooks *hooks;
    uint64_t seed;
    uint32_t steps;
    uint32_t step_seconds; ///< What a step may take of the processor's time: its process ends where it takes more.
    const unsigned char *wanted; ///< By step, from 1: 0 for one to be left out; NULL: none is.
    const char *save;            ///< Where to save the game as it was before step `save_at`; NULL: nowhere.
    uint32_t save_at;
    bool worlds;  ///< Compares worlds (worlds.c), and does nothing else.
    bool at_exit; ///< End the process as a program ends: sanitizers look for leaks then.
} fuzz_plan;

/// A listener, and what it knows.
typedef struct fuzz_follower fuzz_follower;

/// A timeline, and what it was made with.
typedef struct fuzz_table {
    kifu_timeline *timeline;
    kifu_options options;
    fuzz_follower *followers; ///< Listeners that follow the state; NULL: none.
    bool quiet;
    bool behind; ///< It was quiet, and the listener has not been told since.
} fuzz_table;

/// What kind of equal two moments must be.
typedef enum fuzz_equal {
    FUZZ_SAME,    ///< In everything.
    FUZZ_NO_REDO, ///< But for what can be redone.
    FUZZ_SAVED,   ///< But for what waits and no save keeps.
    FUZZ_GAME     ///< In the number of events, and the state.
} fuzz_equal;

/// All that can be seen of a timeline, in numbers.
typedef struct fuzz_moment {
    uint32_t events, pending;
    uint32_t can_undo, can_redo;
    uint64_t log;     ///< Digest of the events.
    uint64_t waiting; ///< Of what waits.
    uint64_t saved;   ///< Of what of it a save keeps.
    uint64_t state;   ///< Hash of the state, and the digest of a model outside it.
    fuzz_equal equal; ///< How redo must bring it back.
} fuzz_moment;

/// A state that some log led to.
typedef struct fuzz_known {
    uint64_t log;
    uint64_t state;
    uint32_t events; ///< 0: this place is free.
} fuzz_known;

/// What a log file had when something was appended to it.
typedef struct fuzz_appended {
    long size; ///< Of the file.
    fuzz_moment moment;
} fuzz_appended;

/// A game that is being played.
typedef struct fuzz {
    const fuzz_plan *plan;
    const kifu_rules *rules;
    kifu_fuzz_hooks hooks;
    fuzz_progress *progress;
    fuzz_table table;
    kifu_rng rng;                           ///< Of this step.
    uint32_t weights[FUZZ_MOST_OPERATIONS]; ///< How often each operation is; 0: never in this game.
    bool steady;                            ///< It stays with one timeline, so that its journal and keyframes grow old.
    unsigned char *view;                    ///< A view without functions, but for `redraw`.
    uint32_t blocks;                        ///< Of memory that the timelines have.
    bool meddled; ///< Among the inputs that run may be an engine event with random fields: no rules meant it so.
    kifu_ticket followed[4]; ///< What was submitted last and is followed; 0: nothing, or it was told what became of it.
    bool starving;           ///< They get no more than
    uint32_t meals;          ///< so many.

    uint64_t *chain; ///< [n]: digest of the first n events of `table`'s log, up to `chain_known`.
    uint32_t chain_known, chain_room;
    fuzz_known *known; ///< A hash table of states, by their log.
    uint32_t known_count, known_room;
    fuzz_moment *undone; ///< What redo must bring back, the next last.
    uint32_t undone_count, undone_room;
    bool undone_unknown;          ///< `undone` may not be what redo brings back.
    uint32_t deferring;           ///< How many deferred transactions are open.
    const kifu_timeline *logging; ///< Whose log file is open; NULL: nobody's.
    fuzz_appended *appended;      ///< What it had, the last one last.
    uint32_t appended_count, appended_room;
    char misled[300]; ///< What a listener was told wrongly; "": nothing.
    bool seeking;     ///< What changes is not told to listeners, but by `redraw`.
} fuzz;

/// 0 to `bound` - 1.
uint32_t kifu_fuzz__below(fuzz *fuzz, uint32_t bound);

/// Once in `n` times.
bool kifu_fuzz__one_in(fuzz *fuzz, uint32_t n);

/// Ends this process: the game is not as it must be. `kind` is a literal; the rest, a format, says more.
_Noreturn void kifu_fuzz__fail(fuzz *fuzz, const char *kind, const char *format, ...)
#if defined(__GNUC__) && !defined(_WIN32)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/// The same, where the report is written already.
_Noreturn void kifu_fuzz__end(fuzz *fuzz);

/// Adds to the line of this step in the trace.
void kifu_fuzz__trace(fuzz *fuzz, const char *format, ...)
#if defined(__GNUC__) && !defined(_WIN32)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/// Room for `count` elements of `size` bytes; ends the process where there is no memory.
void *kifu_fuzz__grow(void *block, uint32_t *room, uint32_t count, size_t size);

/// The same, where `fuzz`'s state is another than before: executes the log again to name the field, if it can.
_Noreturn void kifu_fuzz__explain(fuzz *fuzz, const char *kind, const char *format, ...)
#if defined(__GNUC__) && !defined(_WIN32)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

// --- play.c: a game, step by step -----------------------------------------------------------------------------------

/// What a game may take of memory: its process ends where it takes more.
enum { FUZZ_MOST_MIB = 2048 };

/// Plays the game of `plan` to its end.
void kifu_fuzz__play(const fuzz_plan *plan, fuzz_progress *progress);

/// The names of the operations, by number; NULL behind the last.
const char *kifu_fuzz__operation_name(uint32_t operation);

/// Before anything that may go wrong: writes the save that the report speaks of, where this is the step.
void kifu_fuzz__save_here(fuzz *fuzz);

/// Once in `n` times, in games that are not steady: to go on with another timeline.
bool kifu_fuzz__moves(fuzz *fuzz, uint32_t n);

/// The options for a timeline of this game.
kifu_options kifu_fuzz__options(fuzz *fuzz);

/// Adds to a timeline what the game's author wants.
void kifu_fuzz__prepare(fuzz *fuzz, kifu_timeline *timeline);

/// An undo, a redo, and what must be true of each.
void kifu_fuzz__undo(fuzz *fuzz);
void kifu_fuzz__redo(fuzz *fuzz);

/// Forgets what was undone where it cannot be redone any more.
void kifu_fuzz__forget_undone(fuzz *fuzz);

/// Destroys a timeline.
void kifu_fuzz__dispose(fuzz *fuzz, fuzz_table *table);

// --- inputs.c: what happens in the game -----------------------------------------------------------------------------

/// Submits what a game begins with, and runs it.
void kifu_fuzz__begin_game(fuzz *fuzz);

/// Submits inputs, likely or random, and mostly runs them.
void kifu_fuzz__submit_and_run(fuzz *fuzz);

// --- history.c: the past, copies, transactions ----------------------------------------------------------------------

void kifu_fuzz__seek(fuzz *fuzz);
void kifu_fuzz__state_at(fuzz *fuzz);
void kifu_fuzz__fork(fuzz *fuzz);
void kifu_fuzz__transaction(fuzz *fuzz);
void kifu_fuzz__verify_replay(fuzz *fuzz);
void kifu_fuzz__verify_rules(fuzz *fuzz);

// --- log_file.c: what a killed process leaves ------------------------------------------------------------------------

/// Opens a log file; or closes it, or loads what it has, whole or torn.
void kifu_fuzz__log_file(fuzz *fuzz);

/// Appends to it, where `fuzz` plays with the timeline that has one. `present`: what is to be in the file; NULL: what
/// is now.
void kifu_fuzz__append(fuzz *fuzz, const fuzz_moment *present);

/// Remembers that it was appended.
void kifu_fuzz__appended(fuzz *fuzz, const fuzz_moment *present);

/// The timeline is about to be destroyed: what is in its file must be what was appended.
void kifu_fuzz__leave_log_file(fuzz *fuzz, const kifu_timeline *timeline);

// --- starve.c: little memory ----------------------------------------------------------------------------------------

/// The timelines' kifu_options.allocate.
void *kifu_fuzz__allocate(void *context, void *block, size_t size);

/// Calls one of the functions with little memory.
void kifu_fuzz__starve(fuzz *fuzz);

// --- tries.c: what is tried and taken back ---------------------------------------------------------------------------

void kifu_fuzz__try(fuzz *fuzz);

/// One try in the other, with little memory.
kifu_result kifu_fuzz__try_starving(fuzz *fuzz);

// --- worlds.c: what is hidden
// -----------------------------------------------------------------------------------------

/// In a game that hides something, plays on in two worlds that differ only in what some viewer does not see.
void kifu_fuzz__worlds(fuzz *fuzz);

/// Counts the events from number `from` on that show a player something.
void kifu_fuzz__count_revealed(fuzz *fuzz, uint32_t from);

/// Exchanges values in `state` (exchange.c) of which the bits in `seen` say that nothing is seen: those of the elements
/// of arrays, and of fields outside of arrays that have the same type. If there is no other of its type, a field gets
/// what it has in `before`, an earlier state (NULL: none). Sets the bits of all that may have changed in `moved`, and
/// writes the first change to `first`, of `size` bytes. Returns how many elements and fields are others then.
uint32_t kifu_fuzz__exchange(const kifu_rules *rules, kifu_rng *rng, const uint64_t *seen, const unsigned char *before,
                             unsigned char *state, uint64_t *moved, char *first, size_t size);

// --- shown.c: what a view is told -----------------------------------------------------------------------------------

/// The view that timelines of the game get.
void kifu_fuzz__make_view(fuzz *fuzz);

/// Adds listeners to `fuzz`'s own timeline that follow the state.
void kifu_fuzz__follow(fuzz *fuzz);

/// Frees what they knew, after the timeline.
void kifu_fuzz__unfollow(fuzz_table *table);

/// Shows the whole state anew, as after a seek.
void kifu_fuzz__redraw(fuzz *fuzz);

/// Fails unless the listeners were told of everything.
void kifu_fuzz__check_shown(fuzz *fuzz, const char *after);

// --- proposal.c: random events --------------------------------------------------------------------------------------

/// Submits an event of `type` with random fields. Where it breaks its schema on purpose, `*valid` becomes false.
kifu_ticket kifu_fuzz__submit_random(fuzz *fuzz, kifu_timeline *timeline, uint32_t type, int player, bool *valid);

/// Submits what a game begins with where its author does not say.
void kifu_fuzz__submit_beginning(fuzz *fuzz, kifu_timeline *timeline);

// --- look.c: what a timeline is -------------------------------------------------------------------------------------

/// Whether an enum has the value at `place`.
bool kifu_fuzz__has_value(const kifu__enum *values, const unsigned char *place);

/// A digest of an event or a proposal, whatever it leads to; `*valid` (may be NULL) becomes false where it breaks its
/// schema.
uint64_t kifu_fuzz__digest(const kifu_rules *rules, const kifu_event *event, uint64_t seed, bool *valid);

/// All that can be seen of a timeline now. `log` is computed for a timeline other than `fuzz`'s own, or where `anew`.
fuzz_moment kifu_fuzz__look(fuzz *fuzz, const kifu_timeline *timeline, bool anew);

/// Digest of the first `count` events of `fuzz`'s own timeline.
uint64_t kifu_fuzz__log(fuzz *fuzz, uint32_t count);

/// The state that `fuzz`'s own log led to must be the one that the same log led to before. Remembers it.
void kifu_fuzz__recognise(fuzz *fuzz, const char *after);

/// The state hash that is known for the first `count` events of `fuzz`'s own log; false: none.
bool kifu_fuzz__remembered(fuzz *fuzz, uint32_t count, uint64_t *state);

/// As `kifu_state_hash`, of bytes of which the last word is filled up with zeros.
uint64_t kifu_fuzz__hash(const unsigned char *state, uint32_t size);

/// Hash of a timeline's state, and of a model outside it.
uint64_t kifu_fuzz__state(const fuzz *fuzz, const kifu_timeline *timeline);

/// Fails unless `found` is `expected`; `what` says when. The timelines, where not NULL, are asked for the field.
void kifu_fuzz__same(fuzz *fuzz, const char *what, fuzz_moment found, fuzz_moment expected, fuzz_equal equal,
                     const kifu_timeline *found_in, const kifu_timeline *expected_in);

/// Writes "board[3] is 1 and was 2" of the first field that differs.
void kifu_fuzz__difference(const kifu_rules *rules, const void *found, const void *expected, char *text, size_t size);

/// Executes the log again from a save, and compares. With `keep`, the game goes on with what was loaded.
void kifu_fuzz__execute_again(fuzz *fuzz, const char *what, bool fast, bool keep);

/// What was loaded from a file must be `expected`. With `keep`, which takes that this is how the game is now, the game
/// goes on with it; else it is destroyed.
void kifu_fuzz__take(fuzz *fuzz, const char *what, fuzz_table *loaded, fuzz_moment expected, bool keep);

// --- process.c: games in processes of their own ---------------------------------------------------------------------

/// How a game went.
typedef struct fuzz_outcome {
    bool failed;
    const char *failure; ///< As in `fuzz_progress`; NULL: the process ended otherwise,
    int signal;          ///< by this signal,
    bool endless;        ///< because it took too long,
    int status;          ///< or with this exit status.
    uint32_t step;
} fuzz_outcome;

/// Where games may have a log file, which is removed after each game; "": nowhere.
const char *kifu_fuzz__log_path(void);

/// Memory for the processes of all games; NULL: there is none.
fuzz_progress *kifu_fuzz__progress(void);

/// Plays one game in a process of its own; `silent`: without what it writes. With `here`: in this one.
fuzz_outcome kifu_fuzz__run(const fuzz_plan *plan, fuzz_progress *progress, bool silent, bool here);

/// The rules, as the game is played by them: each call of a Do function or a check is noted in `progress`, so that
/// there are words for a process that ends in it.
const kifu_rules *kifu_fuzz__watch(const kifu_rules *rules, fuzz_progress *progress);

/// From now on, the time of the next step is counted.
void kifu_fuzz__begin_step(void);

/// Writes which function runs: "the Do function of nim.PTake", or "it".
void kifu_fuzz__who(const kifu_rules *rules, const fuzz_progress *progress, char *who, size_t size);

/// Seconds that went by, for limits.
double kifu_fuzz__seconds(void);

#endif
