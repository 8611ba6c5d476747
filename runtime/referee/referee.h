/// What the files of the referee share. A request goes: limits.c → referee.c (which game, which seat) → requests.c →
/// records.c (into the log file) → observe.c (to all who watch) → its answer.
#ifndef KIFU_REFEREE_REFEREE_H
#define KIFU_REFEREE_REFEREE_H

#include <kifu/client.h>
#include <kifu/kifu.h>
#include <kifu/referee.h>
#include <kifu/seen.h>

#include "referee/message.h"
#include "referee/secret.h"

/// Tokens of a bucket: requests, in thousandths.
typedef struct kifu__limit {
    uint64_t at;    ///< When it was filled.
    uint32_t spent; ///< Of the burst; falls with the time.
    bool told;      ///< To slow down, since the last request that was let in.
} kifu__limit;

typedef struct kifu__peer_limit {
    uint64_t peer;
    kifu__limit limit;
} kifu__peer_limit;

/// Where observations go.
typedef struct kifu__receiver {
    uint64_t peer, session;
} kifu__receiver;

enum { KIFU__SESSIONS = 4, KIFU__MOST_WORDS = 200 };

typedef struct kifu__seat {
    unsigned char key[KIFU__KEY];
    unsigned char token[KIFU__TOKEN]; ///< That has this hash, once it was shown.
    bool knows_token;
    uint64_t sessions[KIFU__SESSIONS]; ///< The one that has the seat, and those before it, which never get it again.
    uint32_t handled;                  ///< The last request of that session: its answer is in `answer` and `words`.
    uint32_t done;                     ///< The last one that changed the game: this is in the log file.
    kifu_answer answer;
    char words[KIFU__MOST_WORDS];
    uint64_t peer;
    bool joined; ///< Since the game was taken up: observations go to `peer`.
    kifu__limit limit;
    uint64_t left; ///< On its clock when that began to run last.
} kifu__seat;

/// A message that waits.
typedef struct kifu__waiting {
    struct kifu__waiting *next;
    uint64_t peer;
    size_t size;
    unsigned char bytes[];
} kifu__waiting;

enum { KIFU__MOST_WAITING = 64 };

/// How the game came from the place `from` to where it is: see `kifu_seen_since`.
typedef struct kifu__happened {
    uint32_t from;
    kifu_seen_how how;
    int seat; ///< By whose request: its answer comes after it. -1: by none.
} kifu__happened;

/// A game that is in memory.
typedef struct kifu__game {
    struct kifu__game *next; ///< Of all.
    char name[KIFU__MOST_NAME + 1];
    uint32_t hash; ///< Of the name.
    kifu_timeline *timeline;
    kifu__seat *seats;
    kifu__receiver *spectators;
    uint32_t seat_count, spectator_count;
    uint64_t sequence; ///< Of the last observation.
    uint64_t used;     ///< When a player asked for something last.
    uint32_t undos;    ///< So many since the game began: a place alone does not say where the game was.
    // The undo (or redo) that is asked for.
    uint64_t question, deadline;    ///< Which, and until when; 0: none is.
    uint32_t asker, target, agreed; ///< Who asks, the place to which it leads, and who agrees, by bit.
    // Clocks.
    uint32_t main_ms, increment_ms;
    int running; ///< Whose clock runs; -1: none does.
    uint64_t since;
    // In the store.
    void *stored;
    bool sessions_changed; ///< Since they were recorded.
    bool is_storing;       ///< What has happened: it is shown, and all else waits, until it is stored.
    kifu__happened happened;
    kifu__waiting *waiting, **last_waiting;
    uint32_t waiting_count;
} kifu__game;

struct kifu_referee {
    const kifu_rules *rules;
    kifu_referee_options options;
    char *folder;        ///< A copy, with '/' behind it.
    kifu_timeline *lock; ///< Has the folder's log file open, and so its lock.
    kifu_store store;    ///< No functions: there is none.
    kifu__game **buckets;
    uint32_t bucket_count, game_count;
    kifu__peer_limit *limits;
    uint64_t now, due;            ///< The time, and when tick has something to do.
    uint64_t run;                 ///< A random number: which sequence numbers are this process's.
    uint32_t taken_up, questions; ///< So many games were, and so many undos were asked for.
    kifu_buffer seen;             ///< What a viewer sees, and
    unsigned char *out;           ///< the message that is sent.
    size_t out_capacity;
};

// --- memory.c: all of it is from the allocator of the options --------------------------------------------------------

/// As `kifu_allocate`.
void *kifu__referee_memory(const kifu_options *options, void *block, size_t size);

/// Zeroed; NULL: there is none.
void *kifu__referee_new(const kifu_options *options, size_t size);

/// Writes an error, and returns its result.
kifu_result kifu__referee_error(kifu_error *error, kifu_result result, const char *words);

// --- limits.c --------------------------------------------------------------------------------------------------------

/// Whether another request is let in.
bool kifu__limit_lets_in(const kifu_referee *referee, kifu__limit *limit);

/// The same of a peer. NULL in `*limit`: all are in use.
bool kifu__peer_lets_in(kifu_referee *referee, uint64_t peer, kifu__limit **limit);

// --- games.c ---------------------------------------------------------------------------------------------------------

/// The game, if it is in memory.
kifu__game *kifu__find_game(const kifu_referee *referee, const char *name);

/// The game, from its log file if need be. NULL: `*result` says why; KIFU_NOT_FOUND: there is none.
kifu__game *kifu__take_up(kifu_referee *referee, const char *name, kifu_result *result, kifu_error *error);

/// Makes the struct of a game without a timeline. NULL: no memory.
kifu__game *kifu__new_game(kifu_referee *referee, const char *name, uint32_t seats);

/// Frees all that is in memory. What the log file does not have is forgotten.
void kifu__put_away(kifu_referee *referee, kifu__game *game);

kifu_options kifu__timeline_options(const kifu_referee *referee);

// --- records.c: what the log file has besides the game, in notes before its first event ------------------------------

kifu_result kifu__write_table(kifu__game *game);
bool kifu__read_table(kifu_referee *referee, kifu__game **game, const char *name, kifu_timeline *timeline);

/// Puts what has happened into the log file, with the numbers of the requests that are done.
kifu_result kifu__record(const kifu_referee *referee, kifu__game *game);

// --- clocks.c --------------------------------------------------------------------------------------------------------

/// What is left of a seat's time.
uint64_t kifu__time_left(const kifu_referee *referee, const kifu__game *game, uint32_t seat);

/// The game has changed, by a move of `seat` (-1: otherwise): takes what was used, and starts the clock of who is next.
void kifu__turn_clock(kifu_referee *referee, kifu__game *game, int seat);

/// Whether the clock that runs has fallen.
bool kifu__has_fallen(const kifu_referee *referee, const kifu__game *game);

// --- observe.c -------------------------------------------------------------------------------------------------------

/// Tells all who watch how the game came from the place `from` to where it is: see `kifu_seen_since`.
void kifu__observe(kifu_referee *referee, kifu__game *game, uint32_t from, kifu_seen_how how);

/// Sends the whole game, as `seat` sees it (-1: a spectator).
void kifu__observe_whole(kifu_referee *referee, kifu__game *game, int seat, kifu__receiver to);

/// Sends an answer.
void kifu__answer(kifu_referee *referee, const kifu__game *game, kifu__receiver to, uint32_t number, kifu_answer answer,
                  const char *words);

/// Asks every other seat that has not agreed.
void kifu__ask(kifu_referee *referee, const kifu__game *game);

// --- requests.c ------------------------------------------------------------------------------------------------------

/// Handles a request of a seat that has joined, with the right session. The game may be put away by it.
void kifu__play_request(kifu_referee *referee, kifu__game *game, uint32_t seat, const kifu__request *request);

/// Lets the game decide what the fallen clock means. False: the game was put away.
bool kifu__let_fall(kifu_referee *referee, kifu__game *game);

/// After a change: into the log file, and to all who watch, and the answer to who asked for it; or all that once it is
/// in the store. False: it could not be recorded, and the game was put away, so that it is taken up as the file has it.
bool kifu__record_and_show(kifu_referee *referee, kifu__game *game, kifu__happened happened);

/// Ends what kifu__record_and_show began. False: see there.
bool kifu__end_storing(kifu_referee *referee, kifu__game *game, kifu_result result);

// --- receive.c -------------------------------------------------------------------------------------------------------

/// Handles the messages that waited until the game was stored.
void kifu__handle_waiting(kifu_referee *referee, kifu__game *game);

// --- client.c --------------------------------------------------------------------------------------------------------

/// For transports: messages were lost, perhaps. What the client would do later is due now.
void kifu__client_hurry(kifu_client *client, uint64_t now);

// --- undo.c ----------------------------------------------------------------------------------------------------------

/// Asks the other seats whether the game may go to this place, by undo or redo.
void kifu__ask_for_place(kifu_referee *referee, kifu__game *game, uint32_t seat, uint32_t place);

/// The same for the place before the seat's last move.
void kifu__undo_request(kifu_referee *referee, kifu__game *game, uint32_t seat);

void kifu__consent(kifu_referee *referee, kifu__game *game, uint32_t seat, const kifu__request *request);

/// Ends the question, if there is one, with this answer to who asked.
void kifu__end_question(kifu_referee *referee, kifu__game *game, kifu_answer answer, const char *words);

/// Remembers the answer to the last request of a seat, and sends it.
void kifu__answer_seat(kifu_referee *referee, kifu__game *game, uint32_t seat, kifu_answer answer, const char *words);

#endif
