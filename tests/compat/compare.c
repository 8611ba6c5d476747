// Compares the events of two saves, plain, packed or log files: `camp_compare A.kifu B.kifu`. Says where they differ,
// and fails then.

#include <stdio.h>
#include <string.h>

#include "camp.h"
#include "event_help.h"
#include "run_codec.h"

static int compare(kifu_timeline *one, kifu_timeline *other)
{
    uint32_t count = kifu_event_count(one);
    if (count != kifu_event_count(other) || kifu_state_hash(one) != kifu_state_hash(other)) {
        printf("%u and %u events; the states are %s\n", (unsigned)count, (unsigned)kifu_event_count(other),
               kifu_state_hash(one) == kifu_state_hash(other) ? "equal" : "not equal");
        return 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!is_same_event(one, other, i)) {
            printf("event %u differs\n", (unsigned)i);
            return 1;
        }
    }
    printf("%u equal events\n", (unsigned)count);
    return 0;
}

int main(int count, char **arguments)
{
    const kifu_load_options unpacking = {.codec = &run_codec, .recover = kifu_recover};
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
