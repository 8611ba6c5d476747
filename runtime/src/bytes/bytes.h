/// Events as bytes: what building and submitting share.
///
/// Build functions call the submit function, with the queue of the part in the place of the inputs, as lists of moves
/// do: there is one way to build an event, and only a program that calls a build function has code for it.
#ifndef KIFU_SRC_BYTES_H
#define KIFU_SRC_BYTES_H

#include "core/timeline.h"
#include "wire/buffer.h"

/// The part's memory, which it goes on using.
typedef struct kifu__bytes_part {
    kifu__part part;
    uint32_t identifier; ///< Of the game.
    kifu__queue built;   ///< Where submit functions put what is only built.
    kifu__blob event;    ///< An event out of the log, or out of bytes.
    kifu__blob made;     ///< It as bytes, or bytes that were not aligned.
    kifu__queue batch;   ///< The events of a request, or of a batch that gets one more.

    // What was before something is built:
    kifu__queue *listing;
    kifu_ticket last_ticket;
    kifu__phase phase;
    uint32_t slow;
    kifu_error fault;
} kifu__bytes_part;

/// NULL without memory, with an error.
kifu__bytes_part *kifu__bytes_attach(kifu_timeline *timeline);

/// Writes an event that holds (kifu__check_proposal) as bytes.
kifu_result kifu__bytes_write(kifu_timeline *timeline, kifu__bytes_part *part, uint32_t type, uint32_t rules_version,
                              const void *blob, uint32_t size, kifu_buffer *buffer);

/// The event's generated struct in what kifu__bytes_write wrote.
const void *kifu__bytes_table(const void *bytes);

/// The struct of an event without references, if the bytes are as Kifu of this version of the game writes them: then
/// only the event's values may be wrong. Otherwise NULL.
const void *kifu__bytes_find_flat(const kifu_rules *rules, const unsigned char *bytes, size_t size, uint32_t *type,
                                  uint32_t *rules_version);

/// Bytes from anywhere that are being read.
typedef struct kifu__bytes_reading {
    kifu_timeline *timeline;
    kifu__bytes_part *part;
    int player;   ///< Who submits them: the caller sets this,
    bool trusted; ///< and this: engine events, too.
    bool flat;    ///< They are what `kifu__bytes_find_flat` finds.
    kifu__buffer buffer;
    kifu__verifier verifier;
    kifu__parts parts; ///< `count`: how many events there are.
    uint32_t type;     ///< Of the event that was read last.
} kifu__bytes_reading;

/// Opens bytes of at most `most` events, at least one.
kifu_result kifu__bytes_read_head(kifu__bytes_reading *reading, kifu_timeline *timeline, kifu__bytes_part *part,
                                  const void *bytes, size_t size, uint32_t most);

/// Reads event number `index` of these into `part->event`: as this version of the game has it, and allowed to `player`.
kifu_result kifu__bytes_read_event(kifu__bytes_reading *reading, uint32_t index);

/// Reads all of them, at most KIFU_MOST_IN_BATCH, to the end of `part->batch`.
kifu_result kifu__batch_read(kifu_timeline *timeline, kifu__bytes_part *part, int player, const void *bytes,
                             size_t size);

/// Puts "in the batch, event 2 of 3: " in front of the error's message.
void kifu__batch_error(kifu_error *error, uint32_t index, uint32_t count);

#endif
