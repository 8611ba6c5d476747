/// Messages inside one process that are lost, doubled, late and in another order, always in the same way for one seed:
/// for tests of programs with referees and clients. Link `kifu::referee`.
#ifndef KIFU_LOOPBACK_H
#define KIFU_LOOPBACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What goes wrong. All zero: nothing does, and messages arrive at once.
typedef struct kifu_loopback_faults {
    uint64_t seed;    ///< The same seed and the same calls: the same faults.
    uint32_t lost;    ///< So many of a thousand messages are lost.
    uint32_t doubled; ///< So many of a thousand arrive twice.
    uint32_t late_ms; ///< Each takes from 0 to so long, so that one overtakes another.
    uint32_t room;    ///< How many may be on their way to one address; the next is refused. 0: 1,024.
} kifu_loopback_faults;

/// Messages that are on their way.
typedef struct kifu_loopback kifu_loopback;

/// NULL: there is no memory.
kifu_loopback *kifu_loopback_create(const kifu_loopback_faults *faults);

/// NULL is allowed.
void kifu_loopback_destroy(kifu_loopback *loopback);

/// Sends a copy of the bytes at `now`, in milliseconds. Addresses are any numbers. False: there is no room.
bool kifu_loopback_send(kifu_loopback *loopback, uint64_t from, uint64_t to, const void *bytes, size_t size,
                        uint64_t now);

/// One message that has arrived.
typedef struct kifu_arrival {
    uint64_t from;     ///< The address that sent it, and
    uint64_t to;       ///< the one where it is.
    const void *bytes; ///< Valid until the next call.
    size_t size;       ///< How many.
} kifu_arrival;

/// The next message that has arrived by `now` at the address `to`, or at any, if `to` is UINT64_MAX. False: there is
/// none.
bool kifu_loopback_receive(kifu_loopback *loopback, uint64_t to, uint64_t now, kifu_arrival *arrival);

/// When the next message arrives, at any address; UINT64_MAX: none is on its way.
uint64_t kifu_loopback_next(const kifu_loopback *loopback);

#ifdef __cplusplus
}
#endif

#endif
