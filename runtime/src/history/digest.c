#include "history/digest.h"

#include "wire/table.h"

kifu_result kifu__digest_slot(const kifu_timeline *timeline, const kifu__segment *segment, uint32_t slot,
                              kifu__blob *blob, uint64_t *digest)
{
    kifu_result result = kifu__blob_of(timeline->rules, segment, slot, blob);
    kifu__build(blob, 0, NULL, 0, 8); // The hash wants whole words.
    result = result ? result : blob->result;
    if (result)
        return result;
    struct {
        uint64_t before, event;
        kifu__mark mark;
        uint32_t type, rules_version, zero;
    } all = {*digest,
             kifu__hash_state(blob->bytes, blob->size),
             segment->marks[slot],
             segment->types[slot],
             segment->rules_version,
             0};
    _Static_assert(sizeof all == 32, "no hidden padding");
    *digest = kifu__hash_state((const unsigned char *)&all, sizeof all);
    return KIFU_OK;
}
