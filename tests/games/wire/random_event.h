/// Random events of any game, from their description alone.
#ifndef WIRE_RANDOM_EVENT_H
#define WIRE_RANDOM_EVENT_H

#include <kifu/kifu.h>

/// Writes a random valid proposal of `table` to `blob`, which has room for ROOM bytes and is 8-aligned; returns its
/// size. Every number comes through JSON unharmed.
enum { RANDOM_EVENT_ROOM = 1 << 16 };
uint32_t random_event(kifu_rng *rng, const kifu__table *table, unsigned char *blob);

/// A random valid value of an enum.
uint64_t random_value(kifu_rng *rng, const kifu__enum *values);

#endif
