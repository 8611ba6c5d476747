/// The other side of a referee (referee.h): one seat of one game, or a spectator.
///
/// It is in the library `kifu::referee`, too.
///
///     kifu_client *client;
///     const kifu_client_options options = {.game = "table_4", .token = token, .send = send_bytes, .answered = say};
///     kifu_result result = kifu_client_create(&nim_rules, &options, &client, &error);
///     for (;;) {
///         …                                                // wait for bytes, at most until `next`
///         kifu_client_receive(client, bytes, size, now);
///         uint64_t next = kifu_client_tick(client, now);
///         …                                                // look at kifu_client_timeline, kifu_client_request
///     }
///
/// Messages may be lost, doubled, late, and in any order: the client repeats what was not answered, and asks for what
/// it has missed. A request is done once, however often it arrives.
#ifndef KIFU_CLIENT_H
#define KIFU_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "referee.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A seat of a game, or a spectator.
typedef struct kifu_client kifu_client;

/// How to make a client. Every member but `game` and `send` may be zero.
typedef struct kifu_client_options {
    const char *game;      ///< The game's name.
    const char *token;     ///< The text of the seat's token. NULL: a spectator.
    kifu_options timeline; ///< How the timeline that follows is made; all memory comes from its `allocate`, too.
    /// Sends a message to the referee. False: it cannot now; the client tries again.
    bool (*send)(void *context, const void *bytes, size_t size);
    /// A request was answered for good, and the timeline has what came of it; or, with KIFU_ANSWER_ASKED, the others
    /// are asked. `words` is valid during the call. `request` 0: the game cannot be joined (KIFU_ANSWER_NO_GAME, …),
    /// or the referee has another version of it (KIFU_ANSWER_FAILED).
    /// NULL: it is not called.
    void (*answered)(void *context, uint32_t request, kifu_answer answer, const char *words);
    /// `seat` asks whether the game may go to the place behind its first `place` events, by undo or redo: see
    /// `kifu_client_consent`. Called again if the question comes again. NULL: it is not called.
    void (*asked)(void *context, uint32_t seat, uint32_t place);
    /// Fills `bytes` with numbers that cannot be guessed. NULL: /dev/urandom. False: there are none.
    bool (*entropy)(void *context, void *bytes, size_t size);
    void *context;      ///< Passed to these functions.
    void *send_context; ///< Passed to `send` instead. NULL: `context`.
    bool predict;       ///< Requests of events happen at once in this client's timeline, as far as watch.h says.
    uint32_t repeat_ms; ///< When what was not answered is repeated. 0: 500.
    /// How often it asks whether it has missed something; more often, if the referee puts games away so soon. 0: 5,000.
    uint32_t poll_ms;
} kifu_client_options;

/// Makes a client; the first `kifu_client_tick` joins the game. The client copies game and token. On failure `*client`
/// is NULL, and `error` (may be NULL) says why: KIFU_MISUSE (name or token are none), KIFU_UNSUPPORTED (there is no
/// entropy), those of `kifu_create`.
KIFU_WARN_UNUSED kifu_result kifu_client_create(const kifu_rules *rules, const kifu_client_options *options,
                                                kifu_client **client, kifu_error *error);

/// Tells the referee, and frees the client with its timeline. NULL is allowed.
void kifu_client_destroy(kifu_client *client);

/// Handles one message from the referee, whatever it contains.
void kifu_client_receive(kifu_client *client, const void *bytes, size_t size, uint64_t now);

/// Sends what is due. Returns when to call it again.
uint64_t kifu_client_tick(kifu_client *client, uint64_t now);

/// The game as this seat sees it: a watcher (watch.h). Look, and do not play there: `kifu_client_request` does.
kifu_timeline *kifu_client_timeline(kifu_client *client);

/// Which seat this is; -1: a spectator.
int kifu_client_seat(const kifu_client *client);

/// The number of the request that is not answered yet; 0: there is none.
uint32_t kifu_client_waits(const kifu_client *client);

/// The time that `seat` has left, in milliseconds, at `now`; UINT64_MAX: the game has no clocks.
uint64_t kifu_client_clock(const kifu_client *client, uint32_t seat, uint64_t now);

/// Asks the referee for what these bytes say: an event, a batch, an undo or a redo (request.h). If there are other
/// seats, they must agree to an undo or a redo. Errors: KIFU_MISUSE (a request waits; a spectator; the game was not
/// seen yet), KIFU_TOO_LARGE (of a mebibyte), KIFU_NO_MEMORY.
KIFU_WARN_UNUSED kifu_result kifu_client_request(kifu_client *client, const void *bytes, size_t size, uint64_t now);

/// Asks to take back this seat's last move, and all that followed. Errors as for `kifu_client_request`.
KIFU_WARN_UNUSED kifu_result kifu_client_undo(kifu_client *client, uint64_t now);

/// Says whether the undo that was asked for last may be. If the question comes again, the client repeats this by
/// itself. Errors: KIFU_MISUSE (nothing was asked).
KIFU_WARN_UNUSED kifu_result kifu_client_consent(kifu_client *client, bool agree);

/// Takes the seat again from a later session of the same seat (KIFU_ANSWER_REPLACED).
KIFU_WARN_UNUSED kifu_result kifu_client_rejoin(kifu_client *client, uint64_t now);

#ifdef __cplusplus
}
#endif

#endif
