// The state as one viewer sees it.

#include "base/crc32c.h"
#include "seen/seen.h"

void kifu__mask(const kifu_rules *rules, const void *state, int viewer, void *seen)
{
    memcpy(seen, state, rules->state_size);
    kifu_rng *rng = &((kifu_game *)seen)->rng;
    *rng = (kifu_rng){.increment = rng->increment != 0}; // With an even one, kifu_rng_below may never end.
    if (rules->hiding)
        rules->hiding->mask(state, viewer, seen);
}

uint32_t kifu__seen_checksum(const kifu_rules *rules, int viewer, const unsigned char *masked)
{
    const uint64_t whose[] = {kifu__hash_state(masked, rules->state_size), rules->fingerprint, (uint64_t)(viewer + 1)};
    return kifu__crc32c(0, whose, sizeof whose);
}
