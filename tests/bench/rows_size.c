/// Bytes: in memory while the game runs, and in a save.
#include <stdio.h>

#include "contest.h"
#include "measure.h"

static size_t save_size(kifu_timeline *timeline, bool without_schema)
{
    const kifu_save_options options = {.without_schema = without_schema};
    unsigned char *bytes;
    size_t size;
    must(!kifu_save_to_memory(timeline, &options, &bytes, &size), "not saved");
    kifu_free_bytes(timeline, bytes);
    return size;
}

static void rows(const char *what, const scale *scale, void (*make)(item *items, uint32_t count, uint64_t seed))
{
    contest contest;
    char text[100];
    size_t used = 0, reserved = 0, flat;
    contest_open(&contest, scale->events, make);
    kifu_timeline *timeline = play(NULL, contest.items, contest.count);
    const double count = kifu_event_count(timeline);
    for (uint32_t i = 0; i < timeline->log.segment_count; i++) {
        used += timeline->log.segments[i].size;
        reserved += timeline->log.segments[i].capacity;
    }
    flat_bytes(contest.flat, &flat);
    snprintf(text, sizeof text, "%s: the log in memory", what);
    row(text, "%6.1f B per event (%.1f reserved), libflatbuffers %.1f, nanopb %.1f", (double)used / count,
        (double)reserved / count, (double)flat / contest.count, (double)contest.pb_size / contest.count);
    snprintf(text, sizeof text, "%s: a save", what);
    row(text, "%6.1f B per event", (double)save_size(timeline, true) / count);
    const double entries = (double)(timeline->core.journal - timeline->journal.entries);
    snprintf(text, sizeof text, "%s: the journal, for undo", what);
    row(text, "%6.1f B per event",
        (entries * sizeof(kifu__journal_entry) + timeline->journal.start_count * sizeof(uint32_t)) / count);
    kifu_destroy(timeline);
    contest_close(&contest);
}

void size_rows(const scale *scale)
{
    heading("Bytes");
    rows("mix", scale, make_mix);
    rows("moves alone", scale, make_moves);
    item items[3];
    make_moves(items, 3, 20);
    kifu_timeline *timeline = play(NULL, items, 3);
    row("a save of ten events", "%zu B and the schema, which has %u B", save_size(timeline, true), mix_rules.bfbs_size);
    kifu_destroy(timeline);
}
