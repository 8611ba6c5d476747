/// A dungeon whose past is forgotten now and then: ten times as many events need no more memory.
#include <stdio.h>
#include <stdlib.h>

#include "contest.h"
#include "dungeon_walk.h"
#include "measure.h"

enum { MOST = 20000, TIMES = 10 };

typedef struct used {
    size_t now, peak;
} used;

/// Each block has its size in front.
static void *count_bytes(void *context, void *block, size_t size)
{
    used *used = context;
    size_t *old = block ? (size_t *)block - 2 : NULL;
    const size_t before = old ? *old : 0;
    if (!size) {
        used->now -= before;
        free(old);
        return NULL;
    }
    size_t *made = realloc(old, size + 2 * sizeof *made);
    must(made, "out of memory");
    *made = size;
    used->now += size - before;
    used->peak = used->now > used->peak ? used->now : used->peak;
    return made + 2;
}

/// Of a save, in bytes.
static double file_size(kifu_timeline *timeline)
{
    unsigned char *bytes;
    size_t size;
    must(!kifu_save_to_memory(timeline, NULL, &bytes, &size), "not saved");
    kifu_free_bytes(timeline, bytes);
    return (double)size;
}

static double walk(kifu_timeline *timeline, uint32_t events, uint32_t most)
{
    const uint32_t before = kifu_event_count(timeline);
    const double start = now();
    dungeon_walk_to(timeline, events, most);
    return (now() - start) / (kifu_event_count(timeline) - before);
}

void forget_rows(const scale *scale)
{
    used with = {0}, without = {0};
    kifu_options options = {.quiet = true, .allocate = count_bytes, .from_state = kifu_begin_from_state};
    heading("A dungeon that forgets: kifu_forget whenever there are more than 20,000 events, but for the last 10,000");
    if (!dungeon_is_there()) {
        row("left out, the example was not built", " ");
        return;
    }
    options.allocate_context = &without;
    kifu_timeline *whole = dungeon_walk_open(&options);
    const double slow = walk(whole, scale->events, 0);
    options.allocate_context = &with;
    kifu_timeline *brief = dungeon_walk_open(&options);
    const double first = walk(brief, scale->events, MOST);
    const size_t peak = with.peak;
    const double first_file = file_size(brief);
    must(kifu_state_hash(whole) == kifu_state_hash(brief), "another game");
    const size_t whole_peak = without.peak;
    row("with its past", "%10u events, %8.1f ns each, %9.1f KiB of memory at most, a save of %9.1f KiB",
        kifu_event_count(whole), slow, (double)whole_peak / 1024, file_size(whole) / 1024);
    row("that forgets", "%10u events, %8.1f ns each, %9.1f KiB of memory at most, a save of %9.1f KiB",
        kifu_event_count(brief), first, (double)peak / 1024, first_file / 1024);
    kifu_destroy(whole);
    with.peak = with.now;
    const double rest = walk(brief, TIMES * scale->events, MOST);
    const size_t last_peak = with.peak;
    const double share = (double)last_peak / (double)peak;
    char text[200];
    snprintf(text, sizeof text, "%10u events, %8.1f ns each, %9.1f KiB of memory at most, a save of %9.1f KiB: %4.2f x",
             kifu_event_count(brief), rest, (double)last_peak / 1024, file_size(brief) / 1024, share);
    goal_row("    ten times as long", share, true, 1.25, "%s", text);
    must(!kifu_verify_replay(brief, NULL), "the replay is not exact");
    kifu_destroy(brief);
}
