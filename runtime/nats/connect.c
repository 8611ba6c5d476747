// The connection, and the ring in which its threads put what arrives.

#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "nats/shared.h"

// --- Words -----------------------------------------------------------------------------------------------------------

kifu_result kifu__nats_error(kifu_error *error, kifu_result result, const char *format, ...)
{
    char words[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return kifu__referee_error(error, result, words);
}

kifu_result kifu__nats_failed(kifu_error *error, const char *what, natsStatus status)
{
    const char *why = natsStatus_GetText(status);
    if (status == NATS_NO_SERVER)
        why = "no server is there: start nats-server, or correct the address";
    else if (status == NATS_CONNECTION_AUTH_FAILED)
        why = "the server does not know this user and password";
    else if (status == NATS_SSL_ERROR)
        why = "the server speaks no TLS, or its certificate is for another host, or nobody whom this system trusts has "
              "signed it";
    return kifu__nats_error(error, status == NATS_NO_MEMORY ? KIFU_NO_MEMORY : KIFU_IO, "%s: %s", what, why);
}

uint64_t kifu_nats_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

const char *kifu__subject(const kifu_nats *nats, char subject[KIFU__MOST_SUBJECT], const char *one, const char *two)
{
    snprintf(subject, KIFU__MOST_SUBJECT, "kifu.%s.%s%s%s", nats->service, one, two ? "." : "", two ? two : "");
    return subject;
}

// --- The ring --------------------------------------------------------------------------------------------------------

// By the user of kifu.SERVICE.in.USER.GAME; of all else, by the beginning.
static uint16_t *share_of(kifu_nats *nats, const natsMsg *message)
{
    const char *at = natsMsg_GetSubject(message);
    uint32_t hash = 2166136261U;
    for (unsigned dots = 0; *at && dots < 4; at++) {
        dots += *at == '.';
        hash = (hash ^ (unsigned char)*at) * 16777619U;
    }
    return &nats->shares[(hash ^ hash >> 15) % KIFU__SHARES];
}

// Of a referee's ring, requests get half, and those of one user a small share, so that nobody else waits for them. What
// is dropped comes again. Acknowledgements get all of it; what is dropped of them is given up.
static void arrived(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *context)
{
    kifu_nats *nats = (kifu_nats *)context;
    (void)connection;
    pthread_mutex_lock(&nats->mutex);
    const bool is_request = nats->referee && subscription == nats->subscriptions[0];
    uint16_t *share = share_of(nats, message);
    const bool fits = is_request ? nats->count < KIFU__RING / 2 && *share < KIFU__SHARE : nats->count < KIFU__RING;
    *share = (uint16_t)(*share + fits);
    if (fits)
        nats->ring[(nats->first + nats->count++) % KIFU__RING] = message;
    pthread_cond_signal(&nats->changed);
    pthread_mutex_unlock(&nats->mutex);
    if (!fits)
        natsMsg_Destroy(message);
}

static void reconnected(natsConnection *connection, void *context)
{
    kifu_nats *nats = (kifu_nats *)context;
    (void)connection;
    pthread_mutex_lock(&nats->mutex);
    nats->reconnected = true;
    pthread_cond_signal(&nats->changed);
    pthread_mutex_unlock(&nats->mutex);
}

bool kifu__nats_reconnected(kifu_nats *nats)
{
    pthread_mutex_lock(&nats->mutex);
    const bool was = nats->reconnected;
    nats->reconnected = false;
    pthread_mutex_unlock(&nats->mutex);
    return was;
}

// The last call for a subscription.
static void ended(void *context)
{
    kifu_nats *nats = (kifu_nats *)context;
    pthread_mutex_lock(&nats->mutex);
    nats->open--;
    pthread_cond_signal(&nats->changed);
    pthread_mutex_unlock(&nats->mutex);
}

// The last one for the connection.
static void closed(natsConnection *connection, void *context)
{
    (void)connection;
    ended(context);
}

kifu_result kifu__nats_subscribe(kifu_nats *nats, unsigned index, const char *subject, kifu_error *error)
{
    // `arrived` compares with the member, so it waits until that is set.
    pthread_mutex_lock(&nats->mutex);
    natsStatus status = natsConnection_Subscribe(&nats->subscriptions[index], nats->connection, subject, arrived, nats);
    if (!status)
        status = natsSubscription_SetOnCompleteCB(nats->subscriptions[index], ended, nats);
    if (!status)
        nats->open++;
    pthread_mutex_unlock(&nats->mutex);
    if (!status)
        status = natsConnection_FlushTimeout(nats->connection, nats->options.timeout_ms);
    if (status)
        return kifu__nats_failed(error, "the server takes no subscription", status);
    const char *why = NULL;
    if (natsConnection_GetLastError(nats->connection, &why))
        return kifu__nats_error(error, KIFU_IO, "this user has no right to subscribe %s: %s", subject, why ? why : "?");
    return KIFU_OK;
}

natsMsg *kifu__nats_next(kifu_nats *nats, uint64_t until)
{
    natsMsg *message = NULL;
    int timed_out = until <= kifu_nats_now();
    const struct timespec time = {(time_t)(until / 1000), (long)(until % 1000 * 1000000)};
    pthread_mutex_lock(&nats->mutex);
    while (!nats->count && !timed_out && !nats->reconnected)
        timed_out = pthread_cond_timedwait(&nats->changed, &nats->mutex, &time);
    if (nats->count) {
        message = nats->ring[nats->first];
        --*share_of(nats, message);
        nats->first = (nats->first + 1) % KIFU__RING;
        nats->count--;
    }
    pthread_mutex_unlock(&nats->mutex);
    return message;
}

// --- The connection --------------------------------------------------------------------------------------------------

// Without a function of ours, versions of the library print. What is wrong is seen otherwise: nothing arrives.
static void say_nothing(natsConnection *connection, natsSubscription *subscription, natsStatus status, void *context)
{
    (void)connection, (void)subscription, (void)status, (void)context;
}

static natsStatus connect_to(kifu_nats *nats, const char *url)
{
    natsOptions *options;
    natsStatus status = natsOptions_Create(&options);
    if (status)
        return status;
    status = natsOptions_SetURL(options, url);
    if (!status)
        status = natsOptions_SetMaxReconnect(options, -1);
    if (!status)
        status = natsOptions_SetReconnectWait(options, 100);
    if (!status)
        status = natsOptions_SetReconnectJitter(options, 50, 50);
    if (!status)
        status = natsOptions_SetTimeout(options, nats->options.timeout_ms);
    if (!status)
        status = natsOptions_SetSendAsap(options, true); // Otherwise each message waits for a millisecond.
    if (!status)
        status = natsOptions_SetErrorHandler(options, say_nothing, NULL);
    if (!status)
        status = natsOptions_SetClosedCB(options, closed, nats);
    if (!status)
        status = natsOptions_SetReconnectedCB(options, reconnected, nats);
    if (!status)
        status = natsOptions_UseGlobalMessageDelivery(options, true);
    if (!status)
        status = natsConnection_Connect(&nats->connection, options);
    nats->open = nats->connection != NULL;
    natsOptions_Destroy(options);
    return status;
}

static bool is_user(const char *name)
{
    const size_t length = name ? strlen(name) : 0;
    return length && length <= KIFU__MOST_NAME &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == length;
}

kifu_result kifu__nats_connect(const kifu_options *memory, const kifu_nats_options *where, kifu_nats **nats,
                               kifu_error *error)
{
    pthread_condattr_t clock;
    if (!where || !kifu__is_name(where->service) || (where->user && !is_user(where->user)))
        return kifu__referee_error(error, KIFU_MISUSE,
                                   "a service has 1 to 40 characters of a-z, 0-9, _ and -; a user these, and A-Z");
    kifu_nats *made = (kifu_nats *)kifu__referee_new(memory, sizeof *made);
    natsMsg **ring = (natsMsg **)kifu__referee_new(memory, KIFU__RING * sizeof(natsMsg *));
    if (!made || !ring) {
        kifu__referee_memory(memory, made, 0);
        kifu__referee_memory(memory, ring, 0);
        return kifu__referee_error(error, KIFU_NO_MEMORY, "out of memory for a connection");
    }
    made->ring = ring;
    made->memory = *memory;
    made->options = *where;
    if (!where->timeout_ms)
        made->options.timeout_ms = 5000;
    if (!where->lease_ms)
        made->options.lease_ms = 5000;
    if (made->options.lease_ms < 200)
        made->options.lease_ms = 200;
    snprintf(made->service, sizeof made->service, "%s", where->service);
    snprintf(made->user, sizeof made->user, "%s", where->user ? where->user : "");
    pthread_mutex_init(&made->mutex, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&made->changed, &clock);
    pthread_condattr_destroy(&clock);
    *nats = made;
    const natsStatus status = connect_to(made, where->url ? where->url : "nats://127.0.0.1:4222");
    return status ? kifu__nats_failed(error, "no connection", status) : KIFU_OK;
}

void kifu__nats_close(kifu_nats *nats)
{
    for (unsigned i = 0; i < 2; i++)
        natsSubscription_Unsubscribe(nats->subscriptions[i]);
    natsConnection_FlushTimeout(nats->connection, 1000);
    natsConnection_Close(nats->connection);
    pthread_mutex_lock(&nats->mutex);
    while (nats->open)
        pthread_cond_wait(&nats->changed, &nats->mutex);
    pthread_mutex_unlock(&nats->mutex);
    for (unsigned i = 0; i < 2; i++)
        natsSubscription_Destroy(nats->subscriptions[i]);
    natsConnection_Destroy(nats->connection);
    for (natsMsg *message; (message = kifu__nats_next(nats, 0)) != NULL;)
        natsMsg_Destroy(message);
}

kifu_referee *kifu_nats_referee(kifu_nats *nats)
{
    return nats->referee;
}

kifu_client *kifu_nats_client(kifu_nats *nats)
{
    return nats->client;
}
