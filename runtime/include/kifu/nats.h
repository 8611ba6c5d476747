/// Referees and clients on a NATS server with JetStream: whoever has an account there plays, from anywhere. Link
/// `kifu::nats`.
///
///     const kifu_nats_options where = {.url = "nats://referee:secret@127.0.0.1:4222", .service = "nim"};
///     const kifu_referee_options options = {.folder = "copies", .begin = begin_nim};
///     kifu_nats *nats;
///     result = kifu_nats_serve(&nim_rules, &options, &where, &nats, &error);
///     …                                           // kifu_referee_open(kifu_nats_referee(nats), …)
///     while (!kifu_nats_step(nats, 1000))
///         ;
///     kifu_nats_end(nats);
///
/// and for each player, elsewhere:
///
///     const kifu_nats_options where = {.url = "nats://alice:hers@example.org", .service = "nim", .user = "alice"};
///     const kifu_client_options options = {.game = "table_4", .token = token};
///     result = kifu_nats_join(&nim_rules, &options, &where, &nats, &error);
///     while (!kifu_nats_step(nats, 20))
///         …                                       // look at kifu_nats_client(nats), and call it
///
/// The games are in a stream of the server. One referee at a time has the games of a service; another one takes over
/// when it is gone. What a player gets as done is in the stream: a referee that was killed is replaced with nothing
/// lost and nothing done twice. A power cut of the server's machine may cost what was not yet on its disk.
/// runtime/docs/network.md says how to start, the rights of each user, and what holds against whom.
#ifndef KIFU_NATS_H
#define KIFU_NATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client.h"
#include "referee.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A referee or a client, with its connection.
typedef struct kifu_nats kifu_nats;

/// Where the server is. The strings are copied. Every member but `service` may be zero.
typedef struct kifu_nats_options {
    const char *url;      ///< `nats://USER:PASSWORD@HOST:PORT`. NULL: nats://127.0.0.1:4222.
    const char *service;  ///< The word for these games in subjects: 1 to 40 characters of a-z, 0-9, _ and -.
    const char *user;     ///< A client needs the name that the server's rights give it: as above, and A-Z.
    uint64_t stream_size; ///< The most bytes of all games, where the stream is made. Then new moves fail. 0: no limit.
    uint32_t lease_ms;   ///< After so long without a sign of a referee, another one takes over. 0: 5,000; at least 200.
                         ///< The same for all referees of a service.
    uint32_t timeout_ms; ///< How long the server may take for an answer. 0: 5,000.
} kifu_nats_options;

/// Makes a referee of the games of a service (referee.h), and the server's streams where they are missing. Of
/// `options`, `send`, `send_context` and `store` are set by this call. `folder` is needed: it gets copies of the games
/// that are in memory, and is made if it is missing. Let nothing else be there. `user` is not used. On failure `*nats`
/// is NULL, and `error` (may be NULL) says why: KIFU_IN_USE (another referee has these games: try again until it is
/// gone), KIFU_IO (the server is away, or refuses something), KIFU_MISUSE, KIFU_NO_MEMORY, those of
/// `kifu_referee_create`.
KIFU_WARN_UNUSED kifu_result kifu_nats_serve(const kifu_rules *rules, const kifu_referee_options *options,
                                             const kifu_nats_options *where, kifu_nats **nats, kifu_error *error);

/// Makes a client of one game (client.h). Of `options`, `send` and `send_context` are set by this call. On failure
/// `*nats` is NULL, and `error` (may be NULL) says why: KIFU_IO (the server is away, or does not know the user),
/// KIFU_MISUSE, KIFU_NO_MEMORY, those of `kifu_client_create`.
KIFU_WARN_UNUSED kifu_result kifu_nats_join(const kifu_rules *rules, const kifu_client_options *options,
                                            const kifu_nats_options *where, kifu_nats **nats, kifu_error *error);

/// Waits until something arrives or is due, at most so many milliseconds, and does it. While the server is away, it
/// goes on, and all goes on when the server is back. KIFU_IN_USE: another referee has taken over, because this one was
/// stopped or cut off for longer than the lease: it does nothing more, and is to be ended.
KIFU_WARN_UNUSED kifu_result kifu_nats_step(kifu_nats *nats, uint32_t most_ms);

/// Ends the referee or client, and the connection. NULL is allowed.
void kifu_nats_end(kifu_nats *nats);

/// The referee; NULL: this is a client. `kifu_referee_open` waits for the server: KIFU_IO means that it is not
/// known whether there is a game of this name now. No player could join it: choose another name.
kifu_referee *kifu_nats_referee(kifu_nats *nats);

/// The client; NULL: this is a referee.
kifu_client *kifu_nats_client(kifu_nats *nats);

/// The time that calls of referee.h and client.h get here: milliseconds since some moment.
uint64_t kifu_nats_now(void);

#ifdef __cplusplus
}
#endif

#endif
