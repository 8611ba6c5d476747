// Games in the stream: what the log file has more than before is a message of the game's subject. All of them one after
// the other are the file again. Where the file was written anew, the message says so, and those before it are no more
// needed.
//
// It is the file, and not changes (changes.h), because a later version of the game loads a save of an older one. No
// message has an id: of a second one with the same id the server says "duplicate", even if another message is the last.
//
// Each is published behind the sequence that this referee knows. If another referee has written since, the server
// refuses it, and the game is fetched again.

#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nats/shared.h"

static const char whole_header[] = "Kifu-Whole";

// --- Slots -----------------------------------------------------------------------------------------------------------

static kifu_result add_slot(kifu_nats *nats, const char *name, const char *path, kifu__stored **stored)
{
    const size_t length = strlen(path) + 1;
    uint32_t slot = 0;
    kifu__stored *made = (kifu__stored *)kifu__referee_new(&nats->memory, sizeof *made + length);
    while (slot < nats->slot_count && nats->slots[slot])
        slot++;
    if (made && slot == nats->slot_count) {
        const uint32_t count = slot ? 2 * slot : 64;
        kifu__stored **slots =
            (kifu__stored **)kifu__referee_memory(&nats->memory, nats->slots, count * sizeof(kifu__stored *));
        if (slots) {
            memset(slots + slot, 0, (count - slot) * sizeof *slots);
            nats->slots = slots;
            nats->slot_count = count;
        }
    }
    if (!made || slot == nats->slot_count) {
        kifu__referee_memory(&nats->memory, made, 0);
        return KIFU_NO_MEMORY;
    }
    made->path = (char *)(made + 1);
    memcpy(made->path, path, length);
    snprintf(made->name, sizeof made->name, "%s", name);
    made->slot = slot;
    nats->slots[slot] = made;
    *stored = made;
    return KIFU_OK;
}

static void forget(void *context, void *game)
{
    kifu_nats *nats = (kifu_nats *)context;
    kifu__stored *stored = (kifu__stored *)game;
    nats->on_their_way -= stored->deadline != 0;
    nats->slots[stored->slot] = NULL;
    unlink(stored->path);
    kifu__referee_memory(&nats->memory, stored, 0);
}

// --- Out of the stream -----------------------------------------------------------------------------------------------

static bool write_all(int file, const char *bytes, size_t size)
{
    while (size) {
        const ssize_t written = write(file, bytes, size);
        if (written < 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

static bool is_whole(natsMsg *message)
{
    const char *value;
    return !natsMsgHeader_Get(message, whole_header, &value);
}

static kifu_result add_to_file(int file, natsMsg *message, kifu_error *error)
{
    const bool good = (!is_whole(message) || (!ftruncate(file, 0) && lseek(file, 0, SEEK_SET) == 0)) &&
                      write_all(file, natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message));
    return good ? KIFU_OK : kifu__nats_error(error, KIFU_IO, "the copy of a game could not be written to its folder");
}

// All messages of the subject, up to the last one.
static kifu_result read_messages(kifu_nats *nats, const char *subject, uint64_t last, int file, kifu_error *error)
{
    char stream[KIFU__MOST_SUBJECT];
    natsSubscription *subscription;
    jsSubOptions options;
    jsErrCode code;
    uint64_t sequence = 0;
    snprintf(stream, sizeof stream, "KIFU_%s", nats->service);
    jsSubOptions_Init(&options);
    options.Stream = stream;
    options.Ordered = true;
    natsStatus status = js_SubscribeSync(&subscription, nats->streams, subject, NULL, &options, &code);
    if (status)
        return kifu__nats_failed(error, "the stream of the games cannot be read", status);
    kifu_result result = KIFU_OK;
    while (!result && !status && sequence < last) {
        natsMsg *message;
        jsMsgMetaData *data;
        status = natsSubscription_NextMsg(&message, subscription, nats->options.timeout_ms);
        if (status)
            continue;
        status = natsMsg_GetMetaData(&data, message);
        if (!status) {
            sequence = data->Sequence.Stream;
            jsMsgMetaData_Destroy(data);
            result = add_to_file(file, message, error);
        }
        natsMsg_Destroy(message);
    }
    natsSubscription_Destroy(subscription);
    return status ? kifu__nats_failed(error, "the stream of the games cannot be read", status) : result;
}

static kifu_result read_game(kifu_nats *nats, kifu__stored *stored, kifu_error *error)
{
    char stream[KIFU__MOST_SUBJECT], subject[KIFU__MOST_SUBJECT];
    natsMsg *last;
    jsErrCode code = 0;
    struct stat now;
    snprintf(stream, sizeof stream, "KIFU_%s", nats->service);
    kifu__subject(nats, subject, "log", stored->name);
    const natsStatus status = js_GetLastMsg(&last, nats->streams, stream, subject, NULL, &code);
    if (status == NATS_NOT_FOUND)
        return kifu__nats_error(error, KIFU_NOT_FOUND, "there is no such game");
    if (status)
        return kifu__nats_failed(error, "the stream of the games cannot be read", status);
    stored->sequence = natsMsg_GetSequence(last);
    const int file = open(stored->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    kifu_result result = KIFU_OK;
    if (file < 0)
        result = kifu__nats_error(error, KIFU_IO, "the copy of a game could not be written to its folder");
    else if (is_whole(last))
        result = add_to_file(file, last, error);
    else
        result = read_messages(nats, subject, stored->sequence, file, error);
    natsMsg_Destroy(last);
    if (file >= 0 && fstat(file, &now) == 0) {
        stored->size = (uint64_t)now.st_size;
        stored->device = (uint64_t)now.st_dev;
        stored->file = (uint64_t)now.st_ino;
    }
    if (file >= 0)
        close(file);
    return result;
}

static kifu_result fetch(void *context, const char *name, const char *path, void **game, kifu_error *error)
{
    kifu_nats *nats = (kifu_nats *)context;
    kifu__stored *stored;
    if (add_slot(nats, name, path, &stored))
        return kifu__nats_error(error, KIFU_NO_MEMORY, "out of memory for a game");
    kifu__nats_flush(nats);
    const kifu_result result = read_game(nats, stored, error);
    if (result)
        forget(nats, stored);
    else
        *game = stored;
    return result;
}

// --- Into the stream -------------------------------------------------------------------------------------------------

static kifu_result read_file(int file, uint64_t at, size_t size, char *bytes)
{
    while (size) {
        const ssize_t got = pread(file, bytes, size, (off_t)at);
        if (got <= 0)
            return KIFU_IO;
        bytes += got;
        at += (uint64_t)got;
        size -= (size_t)got;
    }
    return KIFU_OK;
}

// What the file has more than the stream; all of it, where it is another file.
static kifu_result make_message(kifu_nats *nats, kifu__stored *stored, const char *reply, natsMsg **message,
                                kifu_error *error)
{
    char subject[KIFU__MOST_SUBJECT];
    struct stat now;
    kifu_result result = KIFU_IO;
    char *bytes = NULL;
    size_t size = 0;
    const int file = open(stored->path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && fstat(file, &now) == 0) {
        stored->whole = !stored->file || stored->file != (uint64_t)now.st_ino ||
                        stored->device != (uint64_t)now.st_dev || stored->size > (uint64_t)now.st_size;
        const uint64_t begin = stored->whole ? 0 : stored->size;
        stored->file = (uint64_t)now.st_ino;
        stored->device = (uint64_t)now.st_dev;
        stored->appended = (uint64_t)now.st_size;
        size = (size_t)(stored->appended - begin);
        bytes = (char *)kifu__referee_memory(&nats->memory, NULL, size + 1);
        result = bytes ? read_file(file, begin, size, bytes) : KIFU_NO_MEMORY;
    }
    if (file >= 0)
        close(file);
    if (!result && (int64_t)size + 512 > natsConnection_GetMaxPayload(nats->connection))
        result = KIFU_TOO_LARGE;
    natsStatus status = NATS_OK;
    if (!result)
        status = natsMsg_Create(message, kifu__subject(nats, subject, "log", stored->name), reply, bytes, (int)size);
    if (!result && !status && stored->whole)
        status = natsMsgHeader_Set(*message, whole_header, "1");
    kifu__referee_memory(&nats->memory, bytes, 0);
    if (status)
        result = KIFU_NO_MEMORY;
    return result ? kifu__nats_error(error, result, "a game of %zu bytes cannot be sent to the server: %s", size,
                                     result == KIFU_TOO_LARGE ? "raise its max_payload" : kifu_result_text(result))
                  : KIFU_OK;
}

static kifu_result create(void *context, const char *name, const char *path, void **game, kifu_error *error)
{
    kifu_nats *nats = (kifu_nats *)context;
    kifu__stored *stored;
    natsMsg *message;
    if (add_slot(nats, name, path, &stored))
        return kifu__nats_error(error, KIFU_NO_MEMORY, "out of memory for a game");
    kifu__nats_flush(nats);
    kifu_result result = make_message(nats, stored, NULL, &message, error);
    if (!result)
        result = kifu__publish_behind(nats, message, 0, nats->options.timeout_ms, &stored->sequence, error);
    if (result == KIFU_CHANGED)
        result = kifu__nats_error(error, KIFU_IN_USE, "there is a game of this name: choose another one");
    stored->size = stored->appended;
    if (result)
        forget(nats, stored);
    else
        *game = stored;
    return result;
}

static kifu_result append(void *context, void *game)
{
    kifu_nats *nats = (kifu_nats *)context;
    kifu__stored *stored = (kifu__stored *)game;
    kifu_error error;
    natsMsg *message;
    char reply[KIFU__MOST_SUBJECT];
    snprintf(reply, sizeof reply, "%s.%" PRIu32 "-%" PRIu32, nats->inbox, stored->slot, stored->try = ++nats->tries);
    const kifu_result result = make_message(nats, stored, reply, &message, &error);
    if (result)
        return result;
    natsStatus status = kifu__expect(message, stored->sequence);
    if (!status)
        status = natsConnection_PublishMsg(nats->connection, message);
    natsMsg_Destroy(message);
    if (status)
        return KIFU_IO;
    if (!nats->on_their_way++)
        nats->look = 0;
    stored->deadline = kifu_nats_now() + nats->options.timeout_ms;
    if (!nats->look || nats->look > stored->deadline)
        nats->look = stored->deadline;
    return KIFU_OK;
}

kifu_store kifu__nats_store(kifu_nats *nats)
{
    return (kifu_store){.fetch = fetch, .create = create, .append = append, .forget = forget, .context = nats};
}

// --- What the server says --------------------------------------------------------------------------------------------

// Messages before one that is the whole game take room. If this is lost, they only do so for longer.
static void purge(kifu_nats *nats, const kifu__stored *stored)
{
    char api[KIFU__MOST_SUBJECT], request[2 * KIFU__MOST_SUBJECT], subject[KIFU__MOST_SUBJECT];
    snprintf(api, sizeof api, "$JS.API.STREAM.PURGE.KIFU_%s", nats->service);
    snprintf(request, sizeof request, "{\"filter\":\"%s\",\"seq\":%" PRIu64 "}",
             kifu__subject(nats, subject, "log", stored->name), stored->sequence);
    natsConnection_PublishString(nats->connection, api, request);
}

static void end_append(kifu_nats *nats, kifu__stored *stored, kifu_result result, uint64_t now)
{
    char name[KIFU__MOST_NAME + 1];
    memcpy(name, stored->name, sizeof name);
    stored->deadline = 0;
    nats->on_their_way--;
    stored->size = stored->appended;
    if (!result && stored->whole)
        purge(nats, stored);
    kifu_referee_stored(nats->referee, name, result, now); // After an error it forgets the game.
}

void kifu__hear_acknowledgement(kifu_nats *nats, natsMsg *message, uint64_t now)
{
    char *end;
    kifu_error error;
    const unsigned long slot = strtoul(strrchr(natsMsg_GetSubject(message), '.') + 1, &end, 10);
    kifu__stored *stored = slot < nats->slot_count ? nats->slots[slot] : NULL;
    if (!stored || !stored->deadline || *end != '-' || strtoul(end + 1, NULL, 10) != stored->try)
        return; // It was given up.
    end_append(nats, stored, kifu__read_acknowledgement(message, &stored->sequence, &error), now);
}

void kifu__give_up(kifu_nats *nats, bool all, uint64_t now)
{
    nats->look = UINT64_MAX;
    for (uint32_t i = 0; i < nats->slot_count; i++) {
        kifu__stored *stored = nats->slots[i];
        if (stored && stored->deadline && (all || stored->deadline <= now))
            end_append(nats, stored, KIFU_IO, now);
        else if (stored && stored->deadline && stored->deadline < nats->look)
            nats->look = stored->deadline;
    }
}
