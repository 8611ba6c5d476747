// Batches: several events of one player in one segment.

#include <kifu/request.h>

#include "bytes/bytes.h"
#include "core/put_out.h"
#include "wire/segment.h"

#include <stdio.h>

void kifu__batch_error(kifu_error *error, uint32_t index, uint32_t count)
{
    char words[60];
    const size_t room = sizeof error->message;
    if (count == 1)
        return;
    const size_t more =
        (size_t)snprintf(words, sizeof words, "in the batch, event %u of %u: ", (unsigned)index + 1, (unsigned)count);
    memmove(error->message + more, error->message, room - more);
    memcpy(error->message, words, more);
    error->message[room - 1] = '\0';
    error->reason = error->reason && error->reason + more < room ? error->reason + (uint32_t)more : 0;
}

// The event that was read last. Events that share parts become more than the bytes that they are read from, and are
// bounded as those parts are in one event.
static kifu_result push_event(const kifu__bytes_reading *reading, uint64_t *left)
{
    kifu_timeline *timeline = reading->timeline;
    const kifu__blob *event = &reading->part->event;
    if (event->size > *left)
        return kifu__error(&timeline->error, KIFU_TOO_LARGE,
                           "the events of this batch share parts so often that they would become too large");
    *left -= event->size;
    const kifu__proposal head = {
        .size = event->size, .type = (uint8_t)reading->type, .player = (int8_t)reading->player};
    if (!kifu__queue_push(&reading->part->batch, &timeline->memory, &head, event->bytes))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for the events of a batch");
    return KIFU_OK;
}

kifu_result kifu__batch_read(kifu_timeline *timeline, kifu__bytes_part *part, int player, const void *bytes,
                             size_t size)
{
    kifu__bytes_reading reading;
    uint64_t left = (uint64_t)size * 64 + 4096;
    kifu_result result = kifu__bytes_read_head(&reading, timeline, part, bytes, size, KIFU_MOST_IN_BATCH);
    reading.player = player;
    reading.trusted = false;
    for (uint32_t i = 0; !result && i < reading.parts.count; i++) {
        result = kifu__bytes_read_event(&reading, i);
        if (!result)
            result = push_event(&reading, &left);
        if (result)
            kifu__batch_error(&timeline->error, i, reading.parts.count);
    }
    return result;
}

// A segment behind 8 bytes: where its root is now, and the identifier.
static kifu_result make_batch(kifu_timeline *timeline, kifu__bytes_part *part)
{
    const kifu_rules *rules = timeline->rules;
    kifu__blob *made = &part->made;
    kifu__segment segment;
    kifu_result result =
        kifu__segment_new(&timeline->memory, rules, rules->rules_version, part->batch.count, 0, &segment);
    if (result)
        return result;
    const kifu__proposal *each = kifu__queue_first(&part->batch);
    for (; each && !result; each = kifu__queue_next(&part->batch, each))
        result = kifu__segment_add(&segment, &timeline->memory, rules, each->type, each + 1, each->size,
                                   (kifu__mark){.player = -1}, KIFU__MOST_BUILT);
    kifu__build_anew(made, &timeline->memory);
    kifu__build(made, 0, NULL, 8, 8);
    kifu__build(made, 0, segment.bytes, segment.size, 8);
    if (!result && !made->result) {
        kifu__put32(made->bytes, kifu__load32(segment.bytes) + 8);
        kifu__put32(made->bytes + 4, part->identifier);
    }
    kifu__segment_free(&segment, &timeline->memory);
    return result ? result : made->result;
}

static kifu_result write_batch(kifu_timeline *timeline, kifu__bytes_part *part, kifu_buffer *batch)
{
    const kifu__proposal *first = kifu__queue_first(&part->batch);
    const uint32_t count = part->batch.count;
    if (count > KIFU_MOST_IN_BATCH)
        return kifu__error(&timeline->error, KIFU_TOO_LARGE,
                           "a batch has at most %u events, and this one would have %u", KIFU_MOST_IN_BATCH,
                           (unsigned)count);
    if (count == 1)
        return kifu__bytes_write(timeline, part, first->type, timeline->rules->rules_version, first + 1, first->size,
                                 batch);
    const kifu_result result = make_batch(timeline, part);
    if (result)
        return kifu__error(&timeline->error, result, "%s for a batch of %u events", kifu_result_text(result),
                           (unsigned)count);
    return kifu__put_out(timeline, "a batch", &part->made, batch);
}

kifu_result kifu_add_bytes(kifu_timeline *timeline, kifu_buffer *batch, const void *bytes, size_t size)
{
    kifu_result result = kifu__require_idle(timeline, "kifu_add_bytes");
    kifu__bytes_part *part = result ? NULL : kifu__bytes_attach(timeline);
    if (!part)
        return result ? result : KIFU_NO_MEMORY;
    const uint32_t had = batch->size;
    kifu__queue_cut(&part->batch, 0, 0);
    if (had)
        result = kifu__batch_read(timeline, part, -1, batch->data, had);
    if (!result)
        result = kifu__batch_read(timeline, part, -1, bytes, size);
    if (!result)
        result = write_batch(timeline, part, batch);
    if (result)
        batch->size = had;
    return result;
}
