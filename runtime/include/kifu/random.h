/// Random numbers that belong to the state: the same after load, undo and redo, on every platform.
///
/// PCG32 (Melissa O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random
/// Number Generation", HMC-CS-2014-0905; 64-bit LCG state, XSH RR output). Seeded by EInitialize. For the model only: a
/// view has its own randomness.
#ifndef KIFU_RANDOM_H
#define KIFU_RANDOM_H

#include <stdint.h>

#include "event.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The generator's state; `kifu.Rng` in schema/kifu.fbs.
typedef struct kifu_rng {
    uint64_t state;     ///< All of what the next numbers depend on, besides `increment`.
    uint64_t increment; ///< Odd.
} kifu_rng;

/// Starts a generator: as `pcg32_srandom_r(seed, sequence)` of the reference implementation.
void kifu_rng_seed(kifu_rng *rng, uint64_t seed, uint64_t sequence);

/// The next 32 random bits: as `pcg32_random_r` of the reference implementation. `rng` was seeded; a zeroed one gives 0
/// for ever, which `kifu_rng_below` would wait out.
uint32_t kifu_rng_next(kifu_rng *rng);

/// A number from 0 to `bound` - 1, each equally likely. `bound` 0 gives 0.
uint32_t kifu_rng_below(kifu_rng *rng, uint32_t bound);

/// The next 32 random bits of the game. Only inside Do; elsewhere it is misuse (reported by the running call) and
/// gives 0.
uint32_t kifu_random(kifu_timeline *timeline);

/// A number from 0 to `bound` - 1, each equally likely; where `kifu_random` is allowed. `bound` 0 gives 0.
uint32_t kifu_random_below(kifu_timeline *timeline, uint32_t bound);

/// A number from `low` to `high`, both included, each equally likely (a die: 1, 6); where `kifu_random` is allowed.
/// `low`, and nothing is drawn, where `high` is not above it.
int32_t kifu_random_between(kifu_timeline *timeline, int32_t low, int32_t high);

/// Shuffles `count` elements of `size` bytes, every order equally likely (Fisher-Yates, from the last element down);
/// where `kifu_random` is allowed. `elements` is what an edit function returned, or a local array.
void kifu_shuffle(kifu_timeline *timeline, void *elements, uint32_t count, uint32_t size);

#ifdef __cplusplus
}
#endif

#endif
