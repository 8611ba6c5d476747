/// What the files of kifu::nats share. A connection has a thread of its own, which only puts messages into a ring
/// (loop.c); all else runs in the thread of the program that calls kifu_nats_step.
///
///     kifu.SERVICE.in.USER.GAME   requests; the server's rights make sure that only USER publishes there
///     kifu.SERVICE.seen.USER      all that the referee sends to USER; only USER has the right to subscribe it
///     kifu.SERVICE.in.USER.DESK   questions to a program that serves (online.h); no game has capitals in its name
///     kifu.SERVICE.log.GAME       the log file of a game, in pieces: in the stream KIFU_SERVICE
///     kifu.SERVICE.owner          who the referee is: in the stream KIFU_SERVICE_owner, for the time of the lease
#ifndef KIFU_NATS_SHARED_H
#define KIFU_NATS_SHARED_H

#include <pthread.h>

#include <kifu/nats.h>
#include <nats/nats.h>

#include "referee/referee.h"

enum { KIFU__RING = 8192, KIFU__SHARES = 1024, KIFU__SHARE = 64, KIFU__MOST_SUBJECT = 160 };

typedef struct kifu__user {
    char name[KIFU__MOST_NAME + 1]; ///< "": none.
} kifu__user;

/// A game in the stream.
typedef struct kifu__stored {
    char name[KIFU__MOST_NAME + 1];
    char *path;
    uint64_t sequence;     ///< In the stream, of its last message.
    uint64_t size;         ///< So much of the file is there.
    uint64_t device, file; ///< Which file that is: one that is written anew is another.
    uint64_t appended;     ///< The size when what is on its way will be there,
    uint64_t deadline;     ///< and until when the server has to say so. 0: nothing is on its way.
    uint32_t try;          ///< Which append the last one was.
    uint32_t slot;
    bool whole; ///< All of the file is on its way.
} kifu__stored;

struct kifu_nats {
    kifu_nats_options options; ///< Without the strings.
    char service[KIFU__MOST_NAME + 1], user[KIFU__MOST_NAME + 1];
    kifu_options memory; ///< Its allocator.
    natsConnection *connection;
    pthread_t thread;
    bool has_thread;
    int pipe[2]; ///< A byte in it: the thread has to look.
    // Shared with the connection's threads.
    pthread_mutex_t mutex;
    natsSubscription *subscriptions[2];
    natsConnection *polled; ///< The thread reads `socket` of it, and writes it, when these are set.
    natsSock socket;
    bool reads, writes;
    bool is_writing; ///< One of the threads.
    bool gathers;    ///< The program's thread writes it itself.
    bool ends, has_closed;
    pthread_cond_t changed;
    natsMsg **ring;
    uint32_t first, count;
    uint16_t shares[KIFU__SHARES]; ///< How many messages of a user are in it, by the hash of the subject.
    bool reconnected;
    // A client.
    kifu_client *client;
    char in[KIFU__MOST_SUBJECT]; ///< Where its requests go.
    // A referee.
    kifu_referee *referee;
    jsCtx *streams;
    char *inbox;       ///< Where the server says what it has stored: this, a dot, and the slot and the try.
    kifu__user *users; ///< By hash; the index is the peer.
    uint32_t user_count;
    kifu__stored **slots;
    uint32_t slot_count, on_their_way, tries;
    uint64_t look; ///< When to look for deadlines that have passed.
    char id[20];   ///< What its lease says.
    uint64_t lease, lease_until, renew_at;
    bool lost;
    /// What a user asks of the program and not of the referee (online.h). NULL: it is not asked.
    void (*heard)(void *context, const char *user, const unsigned char *bytes, size_t size);
    void *heard_context;
};

// --- loop.c ----------------------------------------------------------------------------------------------------------

/// Makes the thread and what it shares. False: there is none.
bool kifu__nats_begin_loop(kifu_nats *nats);

/// Ends the thread, when the connection is closed.
void kifu__nats_end_loop(kifu_nats *nats);

/// The connection will be read and written by it.
natsStatus kifu__nats_set_loop(kifu_nats *nats, natsOptions *options);

/// What is published from now on is sent by `kifu__nats_flush`. Call that before anything that waits for the server.
void kifu__nats_gather(kifu_nats *nats);

/// Sends it, and from now on each message at once.
void kifu__nats_flush(kifu_nats *nats);

/// Messages of this subscription go into the ring.
void kifu__nats_hear(kifu_nats *nats, unsigned index, natsSubscription *subscription);

/// The next messages, at most so many, which arrive until then. Returns how many there are: none, too, when
/// `kifu__nats_reconnected` has something to say.
unsigned kifu__nats_take(kifu_nats *nats, natsMsg *messages[], unsigned most, uint64_t until);

/// Whether the connection was lost and is there again, since the last call: some answers do not come any more.
bool kifu__nats_reconnected(kifu_nats *nats);

/// Called by NATS's library.
void kifu__nats_is_back(natsConnection *connection, void *context);
void kifu__nats_has_closed(natsConnection *connection, void *context);

// --- connect.c -------------------------------------------------------------------------------------------------------

kifu_result kifu__nats_error(kifu_error *error, kifu_result result, const char *format, ...);

/// What the server, or the library, says of it.
kifu_result kifu__nats_failed(kifu_error *error, const char *what, natsStatus status);

/// Makes the struct, and connects. `*nats` may be made after an error, too: for kifu_nats_end.
kifu_result kifu__nats_connect(const kifu_options *memory, const kifu_nats_options *where, kifu_nats **nats,
                               kifu_error *error);

/// Messages of this subject go into the ring.
kifu_result kifu__nats_subscribe(kifu_nats *nats, unsigned index, const char *subject, kifu_error *error);

/// Sends what is to be sent, and waits until nothing calls any more.
void kifu__nats_close(kifu_nats *nats);

/// "kifu.SERVICE." and these words, with dots between. NULL: no more.
const char *kifu__subject(const kifu_nats *nats, char subject[KIFU__MOST_SUBJECT], const char *one, const char *two);

// --- lease.c ---------------------------------------------------------------------------------------------------------

/// Gets the lease, or renews it. KIFU_IN_USE: another referee has it. KIFU_IO: the server does not answer.
kifu_result kifu__renew_lease(kifu_nats *nats, kifu_error *error);

/// Another referee need not wait for its end.
void kifu__release_lease(kifu_nats *nats);

/// Makes both streams, or looks whether they are as they must be.
kifu_result kifu__make_streams(kifu_nats *nats, kifu_error *error);

/// Publishes a message that the stream takes only if `expected` is the last of its subject, and waits for that.
/// KIFU_CHANGED: it is not. The message is freed.
kifu_result kifu__publish_behind(kifu_nats *nats, natsMsg *message, uint64_t expected, uint32_t timeout_ms,
                                 uint64_t *sequence, kifu_error *error);

/// Sets the header for it.
natsStatus kifu__expect(natsMsg *message, uint64_t expected);

/// What an acknowledgement says. Results as kifu__publish_behind.
kifu_result kifu__read_acknowledgement(natsMsg *message, uint64_t *sequence, kifu_error *error);

// --- store.c ---------------------------------------------------------------------------------------------------------

kifu_store kifu__nats_store(kifu_nats *nats);

/// The server says that something was stored, or not.
void kifu__hear_acknowledgement(kifu_nats *nats, natsMsg *message, uint64_t now);

/// Gives up what the server has not answered in time, or all.
void kifu__give_up(kifu_nats *nats, bool all, uint64_t now);

#endif
