/// Random numbers that belong to the state: they are the same after load, undo and redo, and on every platform.
///
/// The generator is PCG32 (Melissa O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms
/// for Random Number Generation", HMC-CS-2014-0905; 64-bit LCG state, XSH RR output). EInitialize seeds it. Use it for
/// the model only: if the view needs random numbers, let it have a generator of its own.
#ifndef KIFU_RANDOM_H
#define KIFU_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The generator's state; `kifu.Rng` in schema/kifu.fbs.
typedef struct kifu_rng {
    uint64_t state;     ///< The state of the generator.
    uint64_t increment; ///< Which of the sequences it draws; odd.
} kifu_rng;

/// Starts a generator: as `pcg32_srandom_r(seed, sequence)` of the reference implementation.
void kifu_rng_seed(kifu_rng *rng, uint64_t seed, uint64_t sequence);

/// The next 32 random bits: as `pcg32_random_r` of the reference implementation. Seed `rng` first: a zeroed generator
/// always gives 0, and `kifu_rng_below` might then never return.
uint32_t kifu_rng_next(kifu_rng *rng);

/// A number from 0 to `bound` - 1, each equally likely. `bound` 0 gives 0.
uint32_t kifu_rng_below(kifu_rng *rng, uint32_t bound);

/// The next 32 random bits of the game. Allowed only in a Do function. Elsewhere it gives 0 and is misuse, which the
/// running call returns.
uint32_t kifu_random(kifu_timeline *timeline);

/// A number from 0 to `bound` - 1, each equally likely. `bound` 0 gives 0. Allowed as `kifu_random`.
uint32_t kifu_random_below(kifu_timeline *timeline, uint32_t bound);

/// A number from `low` to `high`, both included, each equally likely: 1 and 6 roll a die. If `high` is not above `low`,
/// it returns `low` and draws nothing. Allowed as `kifu_random`.
int32_t kifu_random_between(kifu_timeline *timeline, int32_t low, int32_t high);

/// Shuffles `count` elements of `size` bytes; every order is equally likely (Fisher-Yates, from the last element down).
/// `elements` is what an edit function returned, or a local array. Allowed as `kifu_random`.
void kifu_shuffle(kifu_timeline *timeline, void *elements, uint32_t count, uint32_t size);

/// Fills `bytes` with random numbers of the operating system, which no one can guess: for a `(secret)` field of an
/// event that is about to be submitted, so that the log keeps them. What is dealt by them does not follow from what the
/// generator dealt before. Not for Do functions: a replay would get others. False: the system has none.
bool kifu_entropy(void *bytes, size_t size);

/// Shuffles as `kifu_shuffle` by the numbers of `draws`, of which it takes `count` - 1, and not by the generator. Of 64
/// random bits each, every order is equally likely but for one part in 2^32.
void kifu_shuffle_by(const uint64_t *draws, void *elements, uint32_t count, uint32_t size);

#ifdef __cplusplus
}
#endif

#endif
