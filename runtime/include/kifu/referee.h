/// A referee: one process that owns games, of which players and spectators elsewhere ask everything. Link
/// `kifu::referee`.
///
///     const kifu_referee_options options = {.folder = "games/", .begin = begin_nim, .send = send_bytes};
///     kifu_referee *referee;
///     kifu_result result = kifu_referee_create(&nim_rules, &options, &referee, &error);
///     kifu_token tokens[2];                                // one for each seat: give each player theirs
///     result = kifu_referee_open(referee, "table_4", &(kifu_table){.seats = 2}, tokens, now, &error);
///     for (;;) {
///         …                                                // wait for bytes, at most until `next`
///         kifu_referee_receive(referee, peer, bytes, size, now);
///         uint64_t next = kifu_referee_tick(referee, now);
///     }
///
/// The referee has no network, no threads and no clock. The program passes what arrives from a peer, the referee calls
/// `send`. A peer is a connection, named by any number. `now` is a time in milliseconds that never falls.
///
/// Each game is a log file (log_file.h) in the folder. What a player gets as done is in that file: a new referee takes
/// up the games of one that was killed, with nothing lost and nothing played twice. runtime/docs/referee.md has the
/// messages, and what holds against whom.
#ifndef KIFU_REFEREE_H
#define KIFU_REFEREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result.h"
#include "timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Every answer to a request, and what it means for a player.
#define KIFU_ANSWERS(X)                                                                                                \
    X(KIFU_ANSWER_DONE, "done")                                                                                        \
    X(KIFU_ANSWER_ASKED, "the other players are asked")                                                                \
    X(KIFU_ANSWER_REFUSED, "refused")                                                                                  \
    X(KIFU_ANSWER_STALE, "the game has gone on")                                                                       \
    X(KIFU_ANSWER_JOIN, "join the game first")                                                                         \
    X(KIFU_ANSWER_REPLACED, "this seat was taken by a later session")                                                  \
    X(KIFU_ANSWER_NO_GAME, "there is no such game")                                                                    \
    X(KIFU_ANSWER_NO_SEAT, "this token opens no seat of this game")                                                    \
    X(KIFU_ANSWER_FULL, "no more spectators are let in")                                                               \
    X(KIFU_ANSWER_AWAY, "the game sleeps")                                                                             \
    X(KIFU_ANSWER_SLOW_DOWN, "too many requests: ask again later")                                                     \
    X(KIFU_ANSWER_MALFORMED, "this is no request")                                                                     \
    X(KIFU_ANSWER_FAILED, "the referee cannot do that now: ask again later")

/// The answer to a request.
typedef enum kifu_answer {
#define KIFU__ANSWER(name, text) name,
    KIFU_ANSWERS(KIFU__ANSWER)
#undef KIFU__ANSWER
        KIFU__ANSWER_COUNT
} kifu_answer;

/// What an answer means, as a static string. "?" for a number that is no answer.
const char *kifu_answer_text(kifu_answer answer);

/// The secret of a seat: whoever has it plays there.
typedef struct kifu_token {
    char text[34]; ///< The seat and its secret: 33 hexadecimal digits.
} kifu_token;

/// The games of one process.
typedef struct kifu_referee kifu_referee;

/// Where the games of a referee are, if not in its folder: then that has copies alone. nats.h has one. A game is in the
/// store what its log file is: bytes that only grow, until the file is written anew.
typedef struct kifu_store {
    /// Writes the game to `path`, as it was appended last, for a load. `*game` is what the others get. KIFU_NOT_FOUND:
    /// there is no such game.
    kifu_result (*fetch)(void *context, const char *name, const char *path, void **game, kifu_error *error);
    /// A new game, of which `path` is the log file: stores that, and waits until it is. KIFU_IN_USE: there is such a
    /// game.
    kifu_result (*create)(void *context, const char *name, const char *path, void **game, kifu_error *error);
    /// The log file has changed: stores it, if no other referee has stored something behind what this referee has. The
    /// call does not wait; `kifu_referee_stored` reports the end, later. After an error it does not.
    kifu_result (*append)(void *context, void *game);
    /// The referee needs the game no more: frees `game`.
    void (*forget)(void *context, void *game);
    void *context; ///< Passed to these functions.
} kifu_store;

/// How to make a referee. Every member but `begin` and `send` may be zero.
typedef struct kifu_referee_options {
    /// Where the games are, as NAME.kifu: a folder that is there. Whoever reads it knows every hidden card. One referee
    /// at a time has a folder. NULL: games are in memory only, and end with the referee.
    const char *folder;
    /// How each game's timeline is made; all of the referee's memory comes from its `allocate`, too. The referee sets
    /// `quiet` and `keep_notes`.
    kifu_options timeline;
    /// Begins a new game: submits its first events, and runs them. Leave the seed out: then it is 64 bits from the
    /// operating system.
    kifu_result (*begin)(void *context, kifu_timeline *timeline, uint32_t seats);
    /// Sends a message to a peer. It must not wait, nor call the referee. False: the peer has too much before it, and
    /// the message is dropped; the peer asks again.
    bool (*send)(void *context, uint64_t peer, const void *bytes, size_t size);
    /// The clock of `seat` has fallen: submits what the rules want, an engine event perhaps, and runs it. Needed by
    /// games with clocks.
    kifu_result (*fallen)(void *context, kifu_timeline *timeline, uint32_t seat);
    /// Whose clock runs; -1: none. NULL: that of `kifu_current_player`, until the game is over.
    int (*to_move)(void *context, const kifu_timeline *timeline);
    /// Fills `bytes` with numbers that cannot be guessed. NULL: /dev/urandom. False: there are none.
    bool (*entropy)(void *context, void *bytes, size_t size);
    void *context;                ///< Passed to these functions.
    void *send_context;           ///< Passed to `send` instead. NULL: `context`.
    const kifu_store *store;      ///< The call copies it. NULL: none; the games are in the folder. It needs the folder.
    uint32_t requests_per_second; ///< Of each peer, and of each seat, with bursts of twice as many. 0: 20.
    /// How many peers it counts at once; further ones are not heard until one of these is quiet. 0: 1,024.
    uint32_t peers;
    uint32_t spectators;    ///< The most of one game. 0: 64.
    uint32_t message_limit; ///< The most bytes of a request. 0: 16,384.
    uint32_t consent_ms;    ///< How long players have to agree to an undo. 0: 30,000.
    /// Games in which players did nothing for so long are put away. Clients ask at least three times as often whether
    /// they missed something, so that they have heard of the last move by then. 0: 600,000.
    uint32_t idle_ms;
    uint32_t whole_events; ///< The most events that go to who joins or has missed something. 0: all.
    bool any_place;        ///< A move that was made at another place of the game is not refused for it.
    bool only_players;     ///< No spectators.
    bool durable;          ///< As `kifu_save_options.durable`: nothing is lost by a power cut either.
} kifu_referee_options;

/// A new game.
typedef struct kifu_table {
    uint32_t seats;        ///< 1 to KIFU_MAX_PLAYERS. The seat is the player's number.
    uint32_t main_ms;      ///< The time that each player has for the whole game. 0: no clocks.
    uint32_t increment_ms; ///< What a player gets back for each turn.
} kifu_table;

/// Makes a referee. It takes up the games in the folder when they are asked for. `rules` and what `options` point to
/// must outlive it. On failure `*referee` is NULL, and `error` (may be NULL) says why: KIFU_IN_USE (another referee has
/// the folder), KIFU_MISUSE (a function is missing), KIFU_UNSUPPORTED (there is no entropy), KIFU_NO_MEMORY, those of
/// `kifu_log_open`.
KIFU_WARN_UNUSED kifu_result kifu_referee_create(const kifu_rules *rules, const kifu_referee_options *options,
                                                 kifu_referee **referee, kifu_error *error);

/// Puts all games away, and frees the referee. NULL is allowed.
void kifu_referee_destroy(kifu_referee *referee);

/// Begins the game `name`: 1 to 40 characters of a-z, 0-9, _ and -. `tokens` gets one for each seat; the referee does
/// not have them any more after this call, only what it needs to recognise them. Clocks start with the first move.
/// Errors, in `error` (may be NULL): KIFU_MISUSE (the name, the table, clocks without `fallen`), KIFU_IN_USE (there is
/// such a game), KIFU_UNSUPPORTED (no entropy), those of `begin` and `kifu_log_open`. On failure there is no game.
KIFU_WARN_UNUSED kifu_result kifu_referee_open(kifu_referee *referee, const char *name, const kifu_table *table,
                                               kifu_token *tokens, uint64_t now, kifu_error *error);

/// Handles one message from a peer, whatever it contains. Answers and observations are sent before the call returns.
void kifu_referee_receive(kifu_referee *referee, uint64_t peer, const void *bytes, size_t size, uint64_t now);

/// Says how `kifu_store.append` of this game has ended. Only now its changes are shown and answered. After an error,
/// also where it is not known what is stored, the game is put away, and fetched again when it is asked for; the player
/// asks again.
void kifu_referee_stored(kifu_referee *referee, const char *name, kifu_result result, uint64_t now);

/// A peer is gone: nothing is sent there any more.
void kifu_referee_gone(kifu_referee *referee, uint64_t peer);

/// Does what is due: clocks that fall, undos to which not all agreed in time, games to put away. Returns when to call
/// it again, UINT64_MAX if never; a call of `kifu_referee_receive` may bring that forward.
uint64_t kifu_referee_tick(kifu_referee *referee, uint64_t now);

/// The game, for a look: valid until the next call for this referee. It is taken up if it was put away. NULL: there is
/// no such game, or it cannot be taken up, and `error` (may be NULL) says why.
const kifu_timeline *kifu_referee_game(kifu_referee *referee, const char *name, uint64_t now, kifu_error *error);

/// How many games are in memory.
uint32_t kifu_referee_awake(const kifu_referee *referee);

#ifdef __cplusplus
}
#endif

#endif
