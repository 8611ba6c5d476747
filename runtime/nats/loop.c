// The thread of a connection, which reads what arrives and puts it into a ring; all else runs in the thread of the
// program. NATS's library would have a thread that reads and others that deliver, and would send each message at once:
// here, what arrived together is delivered at once, and what is to be sent goes out together (kifu__nats_gather).
//
// NATS's library calls on_attached to on_closed with its lock on the connection, so it is never called here with ours.

#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "nats/shared.h"

// --- What the thread polls -------------------------------------------------------------------------------------------

// `mutex` is locked.
static void wake(kifu_nats *nats)
{
    (void)!write(nats->pipe[1], "", 1); // If that is full, it will be read.
}

static natsStatus on_attached(void **loop, void *context, natsConnection *connection, natsSock socket)
{
    kifu_nats *nats = (kifu_nats *)context;
    pthread_mutex_lock(&nats->mutex);
    nats->polled = connection;
    nats->socket = socket;
    nats->reads = true;
    nats->writes = false;
    wake(nats);
    pthread_mutex_unlock(&nats->mutex);
    *loop = nats;
    return NATS_OK;
}

static natsStatus on_read(void *context, bool add)
{
    kifu_nats *nats = (kifu_nats *)context;
    pthread_mutex_lock(&nats->mutex);
    nats->reads = add;
    wake(nats);
    pthread_mutex_unlock(&nats->mutex);
    return NATS_OK;
}

static natsStatus on_write(void *context, bool add)
{
    kifu_nats *nats = (kifu_nats *)context;
    pthread_mutex_lock(&nats->mutex);
    nats->writes = add;
    if (add && !nats->gathers)
        wake(nats);
    pthread_mutex_unlock(&nats->mutex);
    return NATS_OK;
}

static natsStatus on_detached(void *context)
{
    return on_read(context, false);
}

natsStatus kifu__nats_set_loop(kifu_nats *nats, natsOptions *options)
{
    return natsOptions_SetEventLoop(options, nats, on_attached, on_read, on_write, on_detached);
}

void kifu__nats_gather(kifu_nats *nats)
{
    if (nats->gathers) // No other thread sets it.
        return;
    pthread_mutex_lock(&nats->mutex);
    nats->gathers = true;
    pthread_mutex_unlock(&nats->mutex);
}

// NATS's library takes it for a lost connection if there is nothing to write.
static void write_out(kifu_nats *nats)
{
    pthread_mutex_lock(&nats->mutex);
    natsConnection *connection = nats->writes && !nats->is_writing ? nats->polled : NULL;
    nats->is_writing |= connection != NULL;
    pthread_mutex_unlock(&nats->mutex);
    if (!connection)
        return;
    natsConnection_ProcessWriteEvent(connection);
    pthread_mutex_lock(&nats->mutex);
    nats->is_writing = false;
    if (nats->writes) // The system did not take all of it, or there is more.
        wake(nats);
    pthread_mutex_unlock(&nats->mutex);
}

void kifu__nats_flush(kifu_nats *nats)
{
    pthread_mutex_lock(&nats->mutex);
    nats->gathers = false;
    pthread_mutex_unlock(&nats->mutex);
    write_out(nats);
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

// Of a referee's ring, requests get half, and those of one user a small share, so that no other user waits for them.
// What is dropped comes again. Acknowledgements get all of it; what is dropped of them is given up. False: dropped.
// `mutex` is locked.
static bool add_to_ring(kifu_nats *nats, natsMsg *message, unsigned index)
{
    uint16_t *share = share_of(nats, message);
    const bool is_request = nats->referee && index == 0;
    const bool fits = is_request ? nats->count < KIFU__RING / 2 && *share < KIFU__SHARE : nats->count < KIFU__RING;
    *share = (uint16_t)(*share + fits);
    if (fits)
        nats->ring[(nats->first + nats->count++) % KIFU__RING] = message;
    return fits;
}

void kifu__nats_is_back(natsConnection *connection, void *context)
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

void kifu__nats_has_closed(natsConnection *connection, void *context)
{
    kifu_nats *nats = (kifu_nats *)context;
    (void)connection;
    pthread_mutex_lock(&nats->mutex);
    nats->has_closed = true;
    pthread_cond_signal(&nats->changed);
    pthread_mutex_unlock(&nats->mutex);
}

unsigned kifu__nats_take(kifu_nats *nats, natsMsg *messages[], unsigned most, uint64_t until)
{
    unsigned taken = 0;
    int timed_out = until <= kifu_nats_now();
    const struct timespec time = {(time_t)(until / 1000), (long)(until % 1000 * 1000000)};
    pthread_mutex_lock(&nats->mutex);
    while (!nats->count && !timed_out && !nats->reconnected)
        timed_out = pthread_cond_timedwait(&nats->changed, &nats->mutex, &time);
    for (; nats->count && taken < most; nats->count--) {
        natsMsg *message = nats->ring[nats->first];
        --*share_of(nats, message);
        nats->first = (nats->first + 1) % KIFU__RING;
        messages[taken++] = message;
    }
    pthread_mutex_unlock(&nats->mutex);
    return taken;
}

void kifu__nats_hear(kifu_nats *nats, unsigned index, natsSubscription *subscription)
{
    pthread_mutex_lock(&nats->mutex);
    nats->subscriptions[index] = subscription;
    wake(nats);
    pthread_mutex_unlock(&nats->mutex);
}

static void collect(kifu_nats *nats, unsigned index)
{
    natsMsg *messages[64];
    pthread_mutex_lock(&nats->mutex);
    natsSubscription *subscription = nats->subscriptions[index];
    pthread_mutex_unlock(&nats->mutex);
    for (unsigned count = 64; subscription && count == 64;) {
        for (count = 0; count < 64 && !natsSubscription_NextMsg(&messages[count], subscription, 0);)
            count++;
        pthread_mutex_lock(&nats->mutex);
        for (unsigned i = 0; i < count; i++) {
            if (!add_to_ring(nats, messages[i], index))
                natsMsg_Destroy(messages[i]);
        }
        if (count)
            pthread_cond_signal(&nats->changed);
        pthread_mutex_unlock(&nats->mutex);
    }
}

// --- The thread ------------------------------------------------------------------------------------------------------

static void process(kifu_nats *nats, natsConnection *connection, short events)
{
    if (events & (POLLIN | POLLHUP | POLLERR))
        natsConnection_ProcessReadEvent(connection);
    if (events & POLLOUT)
        write_out(nats);
    for (unsigned i = 0; i < 2; i++)
        collect(nats, i);
}

static void *run(void *context)
{
    kifu_nats *nats = (kifu_nats *)context;
    pthread_mutex_lock(&nats->mutex);
    while (!nats->ends) {
        struct pollfd polled[2] = {{.fd = nats->pipe[0], .events = POLLIN}, {.fd = -1}};
        natsConnection *connection = nats->polled;
        if (nats->reads)
            polled[1] = (struct pollfd){.fd = nats->socket, .events = POLLIN};
        if (nats->writes && !nats->gathers && !nats->is_writing)
            polled[1].events |= POLLOUT;
        pthread_mutex_unlock(&nats->mutex);
        poll(polled, 2, -1);
        if (polled[0].revents) {
            char bytes[64];
            (void)!read(nats->pipe[0], bytes, sizeof bytes);
        }
        if (connection)
            process(nats, connection, polled[1].revents);
        pthread_mutex_lock(&nats->mutex);
    }
    pthread_mutex_unlock(&nats->mutex);
    return NULL;
}

// The program's signals are for its own threads.
static bool begin_thread(kifu_nats *nats)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    nats->has_thread = pthread_create(&nats->thread, NULL, run, nats) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return nats->has_thread;
}

bool kifu__nats_begin_loop(kifu_nats *nats)
{
    pthread_condattr_t clock;
    pthread_mutex_init(&nats->mutex, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&nats->changed, &clock);
    pthread_condattr_destroy(&clock);
    if (pipe(nats->pipe)) {
        nats->pipe[0] = nats->pipe[1] = -1;
        return false;
    }
    for (unsigned i = 0; i < 2; i++) {
        (void)fcntl(nats->pipe[i], F_SETFD, FD_CLOEXEC);
        (void)fcntl(nats->pipe[i], F_SETFL, O_NONBLOCK);
    }
    return begin_thread(nats);
}

void kifu__nats_end_loop(kifu_nats *nats)
{
    pthread_mutex_lock(&nats->mutex);
    while (nats->connection && !nats->has_closed)
        pthread_cond_wait(&nats->changed, &nats->mutex);
    nats->ends = true;
    if (nats->has_thread)
        wake(nats);
    pthread_mutex_unlock(&nats->mutex);
    if (nats->has_thread)
        pthread_join(nats->thread, NULL);
    for (unsigned i = 0; i < 2; i++) {
        if (nats->pipe[i] >= 0)
            close(nats->pipe[i]);
    }
}
