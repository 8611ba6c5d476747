/// What Kifu is measured against. Each call does the work once and says how it went; timing is the caller's.
#ifndef BENCH_BASELINE_H
#define BENCH_BASELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- libflatbuffers (baseline_flatbuffers.cpp)
// ------------------------------------------------------------------------

typedef struct flat_log flat_log;

/// A FlatBufferBuilder whose memory is there already and is used again for each log: its best case.
flat_log *flat_new(size_t expected_bytes, uint32_t expected_events);
void flat_free(flat_log *log);

/// Writes the whole log as one buffer, with the generated code.
void flat_append(flat_log *log, const item *items, uint32_t count);

/// Writes each event as a finished buffer of its own, one behind the other: so the log is valid after each event, as
/// Kifu's is. Bytes written, 0 when they do not fit.
size_t flat_append_each(unsigned char *bytes, size_t size, const item *items, uint32_t count);

/// Builds each event in the same way, and lets the official verifier look at it. Whether all are sound.
bool flat_verify_each(const item *items, uint32_t count);

/// The buffer that the last `flat_append` wrote.
const unsigned char *flat_bytes(const flat_log *log, size_t *size);

/// The official verifier over one buffer (a Kifu segment is one, too).
bool flat_verify(const unsigned char *bytes, size_t size);

/// Sum of every field of every event in a buffer, by the generated accessors.
uint64_t flat_sum(const unsigned char *bytes);

/// Does every event of a buffer.
void flat_run(const unsigned char *bytes, model *model);

// --- nanopb (baseline_nanopb.c)
// ---------------------------------------------------------------------------------------

/// Writes the log as a stream of length-prefixed messages; bytes written, 0 when they do not fit.
size_t pb_append(unsigned char *bytes, size_t size, const item *items, uint32_t count);

/// Decodes the stream and sums every field of every event; false when it is damaged.
bool pb_sum(const unsigned char *bytes, size_t size, uint64_t *sum);

/// Decodes the stream and does every event; false when it is damaged.
bool pb_run(const unsigned char *bytes, size_t size, model *model);

#ifdef __cplusplus
}
#endif

#endif
