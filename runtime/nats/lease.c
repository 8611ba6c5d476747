// Who the referee of a service is: the message in a stream that keeps it for the time of the lease alone. Whoever
// writes behind the sequence that it knows has the lease; the server lets one do that.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "nats/shared.h"

// --- Behind what is known --------------------------------------------------------------------------------------------

natsStatus kifu__expect(natsMsg *message, uint64_t expected)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, expected);
    return natsMsgHeader_Set(message, "Nats-Expected-Last-Subject-Sequence", text);
}

kifu_result kifu__read_acknowledgement(natsMsg *message, uint64_t *sequence, kifu_error *error)
{
    char text[400];
    const int size = natsMsg_GetDataLength(message);
    snprintf(text, sizeof text, "%.*s", size > 0 ? size : 0, size > 0 ? natsMsg_GetData(message) : "");
    const char *found = strstr(text, "\"seq\":");
    const char *code = strstr(text, "\"err_code\":");
    if (natsMsg_IsNoResponders(message))
        return kifu__nats_error(error, KIFU_IO, "the server has no such stream: is JetStream on?");
    if (code && strtol(code + 11, NULL, 10) == JSStreamWrongLastSequenceErr)
        return kifu__nats_error(error, KIFU_CHANGED, "another referee has written to the stream");
    if (code || !found || strstr(text, "\"duplicate\"")) // That is where another message is.
        return kifu__nats_error(error, KIFU_IO, "the server has not stored it: %s", text);
    *sequence = strtoull(found + 6, NULL, 10);
    return KIFU_OK;
}

kifu_result kifu__publish_behind(kifu_nats *nats, natsMsg *message, uint64_t expected, uint32_t timeout_ms,
                                 uint64_t *sequence, kifu_error *error)
{
    natsMsg *answer = NULL;
    natsStatus status = kifu__expect(message, expected);
    if (!status)
        status = natsConnection_RequestMsg(&answer, nats->connection, message, timeout_ms);
    natsMsg_Destroy(message);
    if (status == NATS_NO_RESPONDERS)
        return kifu__nats_error(error, KIFU_IO, "the server has no such stream: is JetStream on?");
    if (status)
        return kifu__nats_failed(error, "the server has not stored it", status);
    const kifu_result result = kifu__read_acknowledgement(answer, sequence, error);
    natsMsg_Destroy(answer);
    return result;
}

// --- Streams ---------------------------------------------------------------------------------------------------------

static void stream_name(const kifu_nats *nats, char name[KIFU__MOST_SUBJECT], bool owner)
{
    snprintf(name, KIFU__MOST_SUBJECT, "KIFU_%s%s", nats->service, owner ? "_owner" : "");
}

// One that the operator has made may be otherwise, but must drop nothing.
static kifu_result look_at_stream(kifu_nats *nats, const char *name, kifu_error *error)
{
    jsStreamInfo *info;
    jsErrCode code;
    const natsStatus status = js_GetStreamInfo(&info, nats->streams, name, NULL, &code);
    if (status)
        return kifu__nats_failed(error, "the stream of the games", status);
    const jsStreamConfig *config = info->Config;
    const bool drops = config->MaxAge || config->MaxMsgsPerSubject > 0 ||
                       (config->Discard == js_DiscardOld && (config->MaxBytes > 0 || config->MaxMsgs > 0));
    jsStreamInfo_Destroy(info);
    return drops ? kifu__nats_error(error, KIFU_MISUSE,
                                    "the stream %s drops old messages, and so games: let it discard new ones instead",
                                    name)
                 : KIFU_OK;
}

kifu_result kifu__make_streams(kifu_nats *nats, kifu_error *error)
{
    char name[KIFU__MOST_SUBJECT], subject[KIFU__MOST_SUBJECT];
    const char *subjects[] = {kifu__subject(nats, subject, "log", "*")};
    jsStreamConfig config;
    jsErrCode code = 0;
    jsOptions options;
    jsOptions_Init(&options);
    options.Wait = nats->options.timeout_ms;
    if (natsConnection_JetStream(&nats->streams, nats->connection, &options))
        return kifu__nats_error(error, KIFU_NO_MEMORY, "out of memory for the streams");
    jsStreamConfig_Init(&config);
    stream_name(nats, name, false);
    config.Name = name;
    config.Subjects = subjects;
    config.SubjectsLen = 1;
    config.Discard = js_DiscardNew;
    config.MaxBytes = nats->options.stream_size ? (int64_t)nats->options.stream_size : -1;
    natsStatus status = js_AddStream(NULL, nats->streams, &config, NULL, &code);
    if (status && code != JSStreamNameExistErr)
        return kifu__nats_failed(error, "the stream of the games cannot be made (is JetStream on?)", status);
    const kifu_result result = status ? look_at_stream(nats, name, error) : KIFU_OK;
    if (result)
        return result;
    jsStreamConfig_Init(&config);
    stream_name(nats, name, true);
    kifu__subject(nats, subject, "owner", NULL);
    config.Name = name;
    config.Subjects = subjects;
    config.SubjectsLen = 1;
    config.MaxMsgsPerSubject = 1;
    config.MaxAge = (int64_t)nats->options.lease_ms * 1000000;
    config.Duplicates = config.MaxAge;
    status = js_AddStream(NULL, nats->streams, &config, NULL, &code);
    if (status && code == JSStreamNameExistErr)
        status = js_UpdateStream(NULL, nats->streams, &config, NULL, &code);
    return status ? kifu__nats_failed(error, "the stream of the lease cannot be made", status) : KIFU_OK;
}

// --- The lease -------------------------------------------------------------------------------------------------------

static kifu_result write_lease(kifu_nats *nats, kifu_error *error)
{
    char subject[KIFU__MOST_SUBJECT];
    natsMsg *message;
    const uint64_t now = kifu_nats_now();
    kifu__subject(nats, subject, "owner", NULL);
    if (natsMsg_Create(&message, subject, NULL, nats->id, (int)strlen(nats->id)))
        return kifu__nats_error(error, KIFU_NO_MEMORY, "out of memory for the lease");
    const kifu_result result =
        kifu__publish_behind(nats, message, nats->lease, nats->options.lease_ms / 3, &nats->lease, error);
    if (!result)
        nats->lease_until = now + nats->options.lease_ms;
    return result;
}

// The sequence of this referee's lease; 0: there is none. KIFU_IN_USE: it is another referee's.
static kifu_result read_lease(kifu_nats *nats, kifu_error *error)
{
    char name[KIFU__MOST_SUBJECT], subject[KIFU__MOST_SUBJECT];
    natsMsg *message = NULL;
    jsErrCode code;
    stream_name(nats, name, true);
    const natsStatus status =
        js_GetLastMsg(&message, nats->streams, name, kifu__subject(nats, subject, "owner", NULL), NULL, &code);
    nats->lease = 0;
    if (status)
        return status == NATS_NOT_FOUND ? KIFU_OK : kifu__nats_failed(error, "the lease", status);
    const bool is_mine = natsMsg_GetDataLength(message) == (int)strlen(nats->id) &&
                         !memcmp(natsMsg_GetData(message), nats->id, strlen(nats->id));
    if (is_mine)
        nats->lease = natsMsg_GetSequence(message);
    natsMsg_Destroy(message);
    return is_mine ? KIFU_OK
                   : kifu__nats_error(error, KIFU_IN_USE, "another referee has the games of %s", nats->service);
}

kifu_result kifu__renew_lease(kifu_nats *nats, kifu_error *error)
{
    kifu__nats_flush(nats);
    kifu_result result = write_lease(nats, error);
    for (int tries = 0; result == KIFU_CHANGED && tries < 3; tries++) { // Or what it wrote was late, or it is gone.
        result = read_lease(nats, error);
        if (!result)
            result = write_lease(nats, error);
    }
    nats->renew_at = kifu_nats_now() + nats->options.lease_ms / 3;
    return result;
}

void kifu__release_lease(kifu_nats *nats)
{
    char name[KIFU__MOST_SUBJECT];
    jsErrCode code;
    stream_name(nats, name, true);
    if (nats->lease)
        js_DeleteMsg(nats->streams, name, nats->lease, NULL, &code);
}
