// A referee: which user a message is from, and for whom another one is; and what the two roles do in one step.

#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "nats/shared.h"

// --- Users -----------------------------------------------------------------------------------------------------------

// A power of two. When so many are known, three quarters, all are forgotten, and join again.
enum { USERS = 1 << 16 };

static void forget_users(kifu_nats *nats)
{
    for (uint32_t i = 0; i < USERS; i++) {
        if (nats->users[i].name[0])
            kifu_referee_gone(nats->referee, i);
    }
    memset(nats->users, 0, USERS * sizeof *nats->users);
    nats->user_count = 0;
}

static uint32_t peer_of(kifu_nats *nats, const char *name, size_t length)
{
    uint32_t hash = 2166136261U;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619U;
    hash ^= hash >> 15;
    if (nats->user_count > USERS / 4 * 3)
        forget_users(nats);
    for (;; hash++) {
        kifu__user *user = &nats->users[hash % USERS];
        if (!user->name[0]) {
            memcpy(user->name, name, length);
            user->name[length] = '\0';
            nats->user_count++;
        }
        if (!strncmp(user->name, name, length) && !user->name[length])
            return hash % USERS;
    }
}

// --- From and to them ------------------------------------------------------------------------------------------------

static bool send_to_user(void *context, uint64_t peer, const void *bytes, size_t size)
{
    const kifu_nats *nats = (const kifu_nats *)context;
    char subject[KIFU__MOST_SUBJECT];
    kifu__subject(nats, subject, "seen", nats->users[peer].name);
    return !natsConnection_Publish(nats->connection, subject, bytes, (int)size);
}

// kifu.SERVICE.in.USER.GAME: the server's rights say that it is this user. Nothing else of the message is trusted: not
// even where an answer should go, because the referee may publish where a user may not.
static void hear_request(kifu_nats *nats, const natsMsg *message, uint64_t now)
{
    const char *user = natsMsg_GetSubject(message) + strlen("kifu.") + strlen(nats->service) + strlen(".in.");
    const size_t length = strcspn(user, ".");
    const unsigned char *bytes = (const unsigned char *)natsMsg_GetData(message);
    const int size = natsMsg_GetDataLength(message);
    if (!length || length > KIFU__MOST_NAME || strcspn(user, "*> ") < length || !user[length])
        return;
    const char *game = user + length + 1;
    const size_t game_length = strlen(game);
    const uint32_t peer = peer_of(nats, user, length);
    if (nats->heard && size > 0 && !strcmp(game, "DESK")) {
        kifu__limit *limit;
        if (kifu__peer_lets_in(nats->referee, peer, &limit))
            nats->heard(nats->heard_context, nats->users[peer].name, bytes, (size_t)size);
        return;
    }
    if (size < 10 || bytes[9] != game_length || (size_t)size < 10 + game_length ||
        memcmp(bytes + 10, game, game_length) != 0)
        return; // Who may ask for one game may not ask for another.
    kifu_referee_receive(nats->referee, peer, bytes, (size_t)size, now);
}

// --- Steps -----------------------------------------------------------------------------------------------------------

// Whoever cannot renew the lease does nothing when it has ended, so that two referees do not answer at once.
static bool has_lease(kifu_nats *nats)
{
    kifu_error error;
    if (kifu_nats_now() >= nats->renew_at && kifu__renew_lease(nats, &error) == KIFU_IN_USE)
        nats->lost = true;
    return !nats->lost && kifu_nats_now() < nats->lease_until;
}

static void handle(kifu_nats *nats, natsMsg *message)
{
    const uint64_t now = kifu_nats_now();
    if (nats->client)
        kifu_client_receive(nats->client, natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message), now);
    else if (natsMsg_GetSubject(message)[0] != 'k') // The inbox begins with '_'.
        kifu__hear_acknowledgement(nats, message, now);
    else if (has_lease(nats))
        hear_request(nats, message, now);
    natsMsg_Destroy(message);
}

static uint64_t tick(kifu_nats *nats)
{
    const uint64_t now = kifu_nats_now();
    const bool reconnected = kifu__nats_reconnected(nats);
    if (nats->client && reconnected)
        kifu__client_hurry(nats->client, now);
    if (nats->client)
        return kifu_client_tick(nats->client, now);
    if (reconnected)
        nats->renew_at = now;
    if (nats->on_their_way && (reconnected || now >= nats->look))
        kifu__give_up(nats, reconnected, now);
    const uint64_t due = has_lease(nats) ? kifu_referee_tick(nats->referee, now) : nats->renew_at;
    const uint64_t next = nats->on_their_way && nats->look < nats->renew_at ? nats->look : nats->renew_at;
    return due < next ? due : next;
}

// So many messages are handled before what they lead to is sent.
enum { ROUND = 64 };

kifu_result kifu_nats_step(kifu_nats *nats, uint32_t most_ms)
{
    const uint64_t end = kifu_nats_now() + most_ms, due = tick(nats);
    natsMsg *messages[ROUND];
    unsigned count = kifu__nats_take(nats, messages, ROUND, due < end ? due : end);
    for (uint32_t handled = 0; count; handled += ROUND) {
        for (unsigned i = 0; i < count; i++) {
            kifu__nats_gather(nats); // Some messages lead to what waits for the server.
            handle(nats, messages[i]);
        }
        kifu__nats_flush(nats);
        count = handled < KIFU__RING ? kifu__nats_take(nats, messages, ROUND, 0) : 0;
    }
    tick(nats);
    return nats->lost ? KIFU_IN_USE : KIFU_OK;
}

// --- Beginning and end -----------------------------------------------------------------------------------------------

static kifu_result subscribe(kifu_nats *nats, kifu_error *error)
{
    char subject[KIFU__MOST_SUBJECT];
    natsInbox *inbox;
    if (natsInbox_Create(&inbox))
        return kifu__nats_error(error, KIFU_NO_MEMORY, "out of memory for an inbox");
    nats->inbox = inbox;
    snprintf(subject, sizeof subject, "%s.*", inbox);
    const kifu_result result = kifu__nats_subscribe(nats, 1, subject, error);
    return result ? result : kifu__nats_subscribe(nats, 0, kifu__subject(nats, subject, "in", "*.*"), error);
}

// The requests come last: until the lease is there, this referee hears none.
static kifu_result begin_serving(const kifu_rules *rules, const kifu_referee_options *options,
                                 const kifu_nats_options *where, kifu_nats **nats, kifu_error *error)
{
    uint64_t id;
    if (!options || !options->begin || !options->folder)
        return kifu__referee_error(error, KIFU_MISUSE,
                                   "a referee needs the function begin, and a folder for copies of games in memory");
    kifu_result result = kifu__nats_connect(&options->timeline, where, nats, error);
    if (result)
        return result;
    kifu_nats *made = *nats;
    if (!kifu__system_entropy(NULL, &id, sizeof id))
        return kifu__referee_error(error, KIFU_UNSUPPORTED, "there is no entropy");
    snprintf(made->id, sizeof made->id, "%016" PRIx64, id);
    made->users = (kifu__user *)kifu__referee_new(&made->memory, USERS * sizeof *made->users);
    if (!made->users)
        return kifu__referee_error(error, KIFU_NO_MEMORY, "out of memory for users");
    result = kifu__make_streams(made, error);
    if (!result)
        result = kifu__renew_lease(made, error);
    if (result)
        return result;
    (void)mkdir(options->folder, 0700); // If that is not possible, the referee says so.
    const kifu_store store = kifu__nats_store(made);
    kifu_referee_options own = *options;
    own.send = send_to_user;
    own.send_context = made;
    own.store = &store;
    result = kifu_referee_create(rules, &own, &made->referee, error);
    return result ? result : subscribe(made, error);
}

kifu_result kifu_nats_serve(const kifu_rules *rules, const kifu_referee_options *options,
                            const kifu_nats_options *where, kifu_nats **nats, kifu_error *error)
{
    *nats = NULL;
    const kifu_result result = begin_serving(rules, options, where, nats, error);
    if (!result)
        return KIFU_OK;
    kifu_nats_end(*nats);
    *nats = NULL;
    return result;
}

void kifu_nats_end(kifu_nats *nats)
{
    if (!nats)
        return;
    const kifu_options memory = nats->memory;
    kifu_client_destroy(nats->client);
    kifu_referee_destroy(nats->referee);
    if (nats->streams)
        kifu__release_lease(nats);
    jsCtx_Destroy(nats->streams);
    kifu__nats_close(nats);
    natsInbox_Destroy(nats->inbox);
    pthread_cond_destroy(&nats->changed);
    pthread_mutex_destroy(&nats->mutex);
    kifu__referee_memory(&memory, nats->users, 0);
    kifu__referee_memory(&memory, nats->slots, 0);
    kifu__referee_memory(&memory, nats->ring, 0);
    kifu__referee_memory(&memory, nats, 0);
}
