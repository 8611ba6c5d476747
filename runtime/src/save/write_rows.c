// Events in commits, as rows: of log files, changes and packed saves.

#include "save/write_commit.h"

// Runs do not depend on where segments end in memory, but on rules versions.
static void add_event_rows(kifu__commit *commit, kifu__branch *branch, uint32_t first, uint32_t end)
{
    const kifu_rules *rules = commit->plan->timeline->rules;
    while (first < end && !commit->plan->result) {
        const uint32_t most = end - first < KIFU__MOST_JOINED ? end : first + KIFU__MOST_JOINED;
        uint32_t last = first, next;
        const kifu__segment *segment = kifu__path_segment(branch, first, &next);
        const uint32_t version = segment->rules_version;
        while (last < most && kifu__path_segment(branch, last, &next)->rules_version == version)
            last = next < most ? next : most;
        kifu__begin_record(commit);
        kifu__rows_begin(&commit->body, last - first, version);
        for (; first < last; first = next) {
            segment = kifu__path_segment(branch, first, &next);
            next = next < last ? next : last;
            kifu__rows_of(&commit->body, commit->stream->shapes, rules, segment, first - segment->first,
                          next - segment->first);
        }
        kifu__end_record(commit, KIFU__EVENTS);
    }
}

static void add_waiting_rows(kifu__commit *commit, kifu__segment *segment)
{
    kifu_timeline *timeline = commit->plan->timeline;
    kifu__rows_add(&commit->body, commit->stream->shapes, timeline->rules, segment, 0, segment->count);
    kifu__free(&timeline->memory, segment->bytes);
}

const kifu__event_form kifu__as_rows = {.events = add_event_rows, .waiting = add_waiting_rows};
