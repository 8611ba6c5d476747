// Compares the events of two saves, plain, packed or log files: `camp_compare A.kifu B.kifu`. Says where they differ,
// and fails then.

#include <stdio.h>
#include <string.h>

#include "camp.h"
#include "run_codec.h"
#include "wire/table.h"
#include "core/timeline.h"

// Event `index` in the layout that this game was compiled with, whatever lies in the log.
static kifu__blob blob_of(kifu_timeline *timeline, uint32_t index)
{
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, index);
    const kifu__buffer buffer = {.bytes = segment->bytes, .size = segment->size};
    kifu__blob blob = {.memory = &timeline->memory};
    uint32_t slot = index - segment->first;
    const unsigned char *table = kifu__segment_table(segment, slot);
    if (kifu__convert_table(&buffer, camp_rules.types[segment->types[slot]].table, (uint32_t)(table - segment->bytes),
                            &blob))
        blob.size = 0;
    return blob;
}

static bool same_event(kifu_timeline *one, kifu_timeline *other, uint32_t index)
{
    kifu_event a, b;
    if (!kifu_event_at(one, index, &a) || !kifu_event_at(other, index, &b))
        return false;
    kifu__blob first = blob_of(one, index), second = blob_of(other, index);
    bool same = a.type == b.type && a.player == b.player && a.cause == b.cause && a.flags == b.flags &&
                a.rules_version == b.rules_version && first.size && first.size == second.size &&
                !memcmp(first.bytes, second.bytes, first.size);
    kifu__free(first.memory, first.bytes);
    kifu__free(second.memory, second.bytes);
    return same;
}

static int compare(kifu_timeline *one, kifu_timeline *other)
{
    uint32_t count = kifu_event_count(one);
    if (count != kifu_event_count(other) || kifu_state_hash(one) != kifu_state_hash(other)) {
        printf("%u and %u events; the states are %s\n", (unsigned)count, (unsigned)kifu_event_count(other),
               kifu_state_hash(one) == kifu_state_hash(other) ? "equal" : "not equal");
        return 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!same_event(one, other, i)) {
            printf("event %u differs\n", (unsigned)i);
            return 1;
        }
    }
    printf("%u equal events\n", (unsigned)count);
    return 0;
}

int main(int count, char **arguments)
{
    kifu_codec small = run_codec;
    small.packing = &kifu_small_packing;
    const kifu_load_options unpacking = {.codec = &small, .recover = kifu_recover};
    kifu_timeline *timelines[2] = {NULL, NULL};
    kifu_error error;
    if (count != 3) {
        fprintf(stderr, "usage: %s A.kifu B.kifu\n", arguments[0]);
        return 2;
    }
    int status = 0;
    for (int i = 0; i < 2 && !status; i++) {
        if (kifu_load(&camp_rules, arguments[1 + i], NULL, &unpacking, &timelines[i], &error)) {
            fprintf(stderr, "%s: %s\n", arguments[1 + i], error.message);
            status = 2;
        }
    }
    if (!status)
        status = compare(timelines[0], timelines[1]);
    kifu_destroy(timelines[0]);
    kifu_destroy(timelines[1]);
    return status;
}
