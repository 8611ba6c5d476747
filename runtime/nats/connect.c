// The connection, and what is said of it.

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
        why = "the server speaks no TLS, or its certificate is for another host, or is signed by no authority that "
              "this system trusts";
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
    char *end = stpcpy(stpcpy(stpcpy(stpcpy(subject, "kifu."), nats->service), "."), one); // Names are short.
    if (two)
        stpcpy(stpcpy(end, "."), two);
    return subject;
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
        status = kifu__nats_set_loop(nats, options);
    if (!status)
        status = natsOptions_SetSendAsap(options, true); // Otherwise the loop hears of it a millisecond later.
    if (!status)
        status = natsOptions_SetErrorHandler(options, say_nothing, NULL);
    if (!status)
        status = natsOptions_SetClosedCB(options, kifu__nats_has_closed, nats);
    if (!status)
        status = natsOptions_SetReconnectedCB(options, kifu__nats_is_back, nats);
    if (!status)
        status = natsOptions_UseGlobalMessageDelivery(options, true);
    if (!status)
        status = natsConnection_Connect(&nats->connection, options);
    natsOptions_Destroy(options);
    return status;
}

kifu_result kifu__nats_subscribe(kifu_nats *nats, unsigned index, const char *subject, kifu_error *error)
{
    natsSubscription *subscription;
    natsStatus status = natsConnection_SubscribeSync(&subscription, nats->connection, subject);
    if (!status) {
        kifu__nats_hear(nats, index, subscription);
        status = natsConnection_FlushTimeout(nats->connection, nats->options.timeout_ms);
    }
    if (status)
        return kifu__nats_failed(error, "the server takes no subscription", status);
    const char *why = NULL;
    if (natsConnection_GetLastError(nats->connection, &why))
        return kifu__nats_error(error, KIFU_IO, "this user has no right to subscribe %s: %s", subject, why ? why : "?");
    return KIFU_OK;
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
    *nats = made;
    if (!kifu__nats_begin_loop(made))
        return kifu__referee_error(error, KIFU_NO_MEMORY, "there is no thread, or no pipe, for a connection");
    const natsStatus status = connect_to(made, where->url ? where->url : "nats://127.0.0.1:4222");
    return status ? kifu__nats_failed(error, "no connection", status) : KIFU_OK;
}

void kifu__nats_close(kifu_nats *nats)
{
    if (nats->connection)
        natsConnection_FlushTimeout(nats->connection, 1000);
    natsConnection_Close(nats->connection);
    kifu__nats_end_loop(nats);
    for (unsigned i = 0; i < 2; i++)
        natsSubscription_Destroy(nats->subscriptions[i]);
    natsConnection_Destroy(nats->connection);
    for (natsMsg *message; kifu__nats_take(nats, &message, 1, 0);)
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
