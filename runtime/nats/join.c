// A client: one game, one connection.

#include <stdio.h>

#include "nats/shared.h"

static bool send_request(void *context, const void *bytes, size_t size)
{
    kifu_nats *nats = (kifu_nats *)context;
    kifu__nats_gather(nats);
    const natsStatus status = natsConnection_Publish(nats->connection, nats->in, bytes, (int)size);
    kifu__nats_flush(nats);
    return !status;
}

static kifu_result begin_joining(const kifu_rules *rules, const kifu_client_options *options,
                                 const kifu_nats_options *where, kifu_nats **nats, kifu_error *error)
{
    char subject[KIFU__MOST_SUBJECT];
    if (!options || !kifu__is_name(options->game) || !where || !where->user)
        return kifu__referee_error(error, KIFU_MISUSE, "a client needs a game's name, and a user of the server");
    kifu_result result = kifu__nats_connect(&options->timeline, where, nats, error);
    if (result)
        return result;
    kifu_nats *made = *nats;
    snprintf(made->in, sizeof made->in, "kifu.%s.in.%s.%s", made->service, made->user, options->game);
    result = kifu__nats_subscribe(made, 0, kifu__subject(made, subject, "seen", made->user), error);
    if (result)
        return result;
    kifu_client_options own = *options;
    own.send = send_request;
    own.send_context = made;
    return kifu_client_create(rules, &own, &made->client, error);
}

kifu_result kifu_nats_join(const kifu_rules *rules, const kifu_client_options *options, const kifu_nats_options *where,
                           kifu_nats **nats, kifu_error *error)
{
    *nats = NULL;
    const kifu_result result = begin_joining(rules, options, where, nats, error);
    if (!result)
        return KIFU_OK;
    kifu_nats_end(*nats);
    *nats = NULL;
    return result;
}
