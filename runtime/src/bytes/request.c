// Requests: events, an undo or a redo, in bytes that a player sends.
//
// An undo or a redo is 28 bytes (schema/MESSAGES.md). No FlatBuffer begins with its first word, so whoever expects an
// event refuses it.

#include <kifu/request.h>
#include <kifu/transaction.h>

#include "bytes/bytes.h"
#include "core/put_out.h"
#include "history/undo.h"

enum {
    REQUEST_IDENTIFIER = 4,
    REQUEST_KIND = 8,
    REQUEST_PLACE = 12,
    REQUEST_TO = 16,
    REQUEST_HASH = 20,
    REQUEST_SIZE = 28
};
static const char request_kinds[2][5] = {"undo", "redo"};

// --- Undo and redo ---------------------------------------------------------------------------------------------------

// Where so many undos, or redos, lead to, but for the last one not as far as `limit`. KIFU_NONE: there are not so many;
// with an error.
static uint32_t find_request_place(kifu_timeline *timeline, bool forward, uint32_t steps, uint32_t limit)
{
    kifu_error *error = &timeline->error;
    if (!(forward ? kifu_can_redo : kifu_can_undo)(timeline, error))
        return KIFU_NONE;
    if (forward) {
        uint32_t place = timeline->executed;
        for (; steps && place < limit && place < timeline->log.branch->end; steps--)
            place = kifu__redo_stop(timeline, place);
        if (!steps || place >= limit)
            return place;
        kifu__error(error, KIFU_NOTHING_TO_REDO, "so many steps were not undone: there is nothing to redo");
        kifu__error_ends_in(error, kifu_result_text(KIFU_NOTHING_TO_REDO));
        return KIFU_NONE;
    }
    kifu__chains chains = kifu__chains_of(timeline);
    for (; steps && chains.executed > limit; steps--) {
        const uint32_t length = kifu__chain_length(timeline, &chains, error);
        if (!length)
            return KIFU_NONE;
        chains.executed -= length;
    }
    return chains.executed;
}

static kifu_result write_request(kifu_timeline *timeline, const char *call, bool forward, uint32_t steps,
                                 kifu_buffer *buffer)
{
    if (!steps)
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s was called for no step: give 1 or more", call);
    const uint32_t to = find_request_place(timeline, forward, steps, forward ? KIFU_NONE : 0);
    if (to == KIFU_NONE)
        return timeline->error.result;
    kifu__bytes_part *part = kifu__bytes_attach(timeline);
    if (!part)
        return KIFU_NO_MEMORY;
    unsigned char bytes[REQUEST_SIZE] = {0};
    const uint64_t hash = timeline->rules->game ? 0 : kifu_state_hash(timeline); // a watcher has another state
    kifu__put32(bytes + REQUEST_IDENTIFIER, part->identifier);
    memcpy(bytes + REQUEST_KIND, request_kinds[forward], 4);
    kifu__put32(bytes + REQUEST_PLACE, timeline->executed);
    kifu__put32(bytes + REQUEST_TO, to);
    memcpy(bytes + REQUEST_HASH, &hash, sizeof hash);
    const kifu__blob made = {.bytes = bytes, .size = REQUEST_SIZE, .capacity = REQUEST_SIZE};
    return kifu__put_out(timeline, "a request", &made, buffer);
}

kifu_result kifu_undo_bytes(kifu_timeline *timeline, uint32_t steps, kifu_buffer *buffer)
{
    return write_request(timeline, "kifu_undo_bytes", false, steps, buffer);
}

kifu_result kifu_redo_bytes(kifu_timeline *timeline, uint32_t steps, kifu_buffer *buffer)
{
    return write_request(timeline, "kifu_redo_bytes", true, steps, buffer);
}

// --- Reading ---------------------------------------------------------------------------------------------------------

static kifu_result refuse_request(kifu_timeline *timeline, const char *what, uint32_t place)
{
    static const char reason[] = "the game has gone on since";
    kifu__error(&timeline->error, KIFU_REJECTED, "%s %u: %s", what, (unsigned)place, reason);
    kifu__error_ends_in(&timeline->error, reason);
    return KIFU_REJECTED;
}

// `*to`: where it leads to.
static kifu_result read_moving(kifu_timeline *timeline, uint32_t identifier, const unsigned char *bytes, size_t size,
                               kifu_request *request, uint32_t *to)
{
    kifu_error *error = &timeline->error;
    const bool forward = size >= REQUEST_PLACE && !memcmp(bytes + REQUEST_KIND, request_kinds[1], 4);
    if (kifu__load32(bytes + REQUEST_IDENTIFIER) != identifier)
        return kifu__error(error, KIFU_OTHER_GAME,
                           "this is not a request in a game of %s: its file identifier is not at byte 4",
                           timeline->rules->name);
    if (size >= REQUEST_PLACE && !forward && memcmp(bytes + REQUEST_KIND, request_kinds[0], 4))
        return kifu__error(error, KIFU_NEWER_FORMAT,
                           "a request of kind 0x%08x, which this version of Kifu does not know: update the program",
                           (unsigned)kifu__load32(bytes + REQUEST_KIND));
    if (size != REQUEST_SIZE)
        return kifu__error(error, KIFU_DAMAGED, "an undo or a redo has %u bytes, and this one has %llu", REQUEST_SIZE,
                           (unsigned long long)size);
    const uint32_t place = kifu__load32(bytes + REQUEST_PLACE);
    const uint64_t hash = kifu__load64(bytes + REQUEST_HASH);
    *to = kifu__load32(bytes + REQUEST_TO);
    if (forward ? *to <= place : *to >= place)
        return kifu__error(error, KIFU_DAMAGED, "an undo or a redo leads from after %u events to after %u",
                           (unsigned)place, (unsigned)*to);
    if (place != timeline->executed || (hash && hash != kifu_state_hash(timeline)))
        return refuse_request(timeline, "the request was made at another place of the game, after event", place);
    const uint32_t found = find_request_place(timeline, forward, UINT32_MAX, *to);
    if (found == KIFU_NONE)
        return error->result;
    if (found != *to)
        return refuse_request(timeline, "here, no step leads to after event", *to);
    *request = (kifu_request){.kind = forward ? KIFU_REQUEST_REDO : KIFU_REQUEST_UNDO,
                              .events = forward ? *to - place : place - *to,
                              .place = place};
    return KIFU_OK;
}

// Events are then in the batch of the part.
static kifu_result read_request(kifu_timeline *timeline, kifu__bytes_part *part, int player, const void *bytes,
                                size_t size, kifu_request *request, uint32_t *to)
{
    if (size >= 8 && !kifu__load32(bytes))
        return read_moving(timeline, part->identifier, (const unsigned char *)bytes, size, request, to);
    kifu__queue_cut(&part->batch, 0, 0);
    const kifu_result result = kifu__batch_read(timeline, part, player, bytes, size);
    if (!result)
        *request = (kifu_request){.events = part->batch.count, .place = KIFU_NONE};
    return result;
}

static kifu_result require_request(kifu_timeline *timeline, const char *call, int player, kifu__bytes_part **part)
{
    const kifu_result result = kifu__require_calm(timeline, call);
    if (result)
        return result;
    if (player < -1 || player > INT8_MAX)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "%s was called for player %d: a player's number is 0 to 127, or -1 for none", call, player);
    *part = kifu__bytes_attach(timeline);
    return *part ? KIFU_OK : KIFU_NO_MEMORY;
}

kifu_result kifu_read_request(kifu_timeline *timeline, int player, const void *bytes, size_t size,
                              kifu_request *request)
{
    kifu__bytes_part *part = NULL;
    uint32_t to;
    const kifu_result result = require_request(timeline, "kifu_read_request", player, &part);
    return result ? result : read_request(timeline, part, player, bytes, size, request, &to);
}

// --- Executing -------------------------------------------------------------------------------------------------------

static kifu_result run_batch(kifu_timeline *timeline, const kifu__queue *batch)
{
    kifu_result result = KIFU_OK;
    uint32_t index = 0;
    const kifu__proposal *each = kifu__queue_first(batch);
    for (; each && !result; each = kifu__queue_next(batch, each)) {
        kifu__submit(timeline, each->type, each->player, each + 1, each->size);
        result = kifu_run(timeline); // or the error of the submit
        if (result)
            kifu__batch_error(&timeline->error, index, batch->count);
        index++;
    }
    return result;
}

// In a transaction, which stays if all of it happens and it is no search.
static kifu_result play_batch(kifu_timeline *timeline, const kifu__queue *batch, uint32_t flags)
{
    kifu_result result = kifu_begin(timeline, flags);
    if (result)
        return result;
    result = run_batch(timeline, batch);
    if (!result && flags != KIFU_SEARCH)
        result = kifu_commit(timeline);
    if (!result && flags != KIFU_SEARCH)
        return KIFU_OK;
    const kifu_error error = timeline->error;
    const kifu_result worse = kifu_roll_back(timeline);
    if (worse)
        return worse;
    timeline->error = error;
    return result;
}

static kifu_result move_by_request(kifu_timeline *timeline, uint32_t to)
{
    const bool forward = to > timeline->executed;
    kifu_result result = KIFU_OK;
    while (!result && (forward ? timeline->executed < to : timeline->executed > to))
        result = forward ? kifu_redo(timeline) : kifu_undo(timeline);
    return result;
}

kifu_result kifu_run_request(kifu_timeline *timeline, int player, const void *bytes, size_t size)
{
    kifu__bytes_part *part = NULL;
    kifu_request request;
    uint32_t to;
    kifu_result result = require_request(timeline, "kifu_run_request", player, &part);
    if (!result)
        result = kifu__require_present(timeline, "kifu_run_request");
    if (!result && kifu_pending_count(timeline))
        result = kifu__error(&timeline->error, KIFU_MISUSE,
                             "kifu_run_request was called while an input waits: run it or drop it first");
    if (!result)
        result = read_request(timeline, part, player, bytes, size, &request, &to);
    if (result)
        return result;
    if (request.kind == KIFU_REQUEST_PLAY) {
        if (!timeline->quiet) // On a quiet one, nothing is seen of what does not stay.
            result = play_batch(timeline, &part->batch, KIFU_SEARCH);
        return result ? result : play_batch(timeline, &part->batch, part->batch.count > 1 ? 0 : KIFU_UNCHAINED);
    }
    const uint32_t before = timeline->executed;
    result = move_by_request(timeline, to);
    if (!result)
        return KIFU_OK;
    const kifu_error error = timeline->error;
    result = move_by_request(timeline, before);
    if (result)
        return result;
    timeline->error = error;
    return error.result;
}
