#include "dungeon_walk.h"

#include "measure.h"

#ifdef BENCH_DUNGEON

#include "game.h"
#include "hooks.h"

bool dungeon_is_there(void)
{
    return true;
}

static void begin_game(kifu_timeline *timeline, uint64_t seed)
{
    must(!dungeon_begin(timeline, &seed) && !dungeon_go_on(timeline), "no dungeon");
}

kifu_timeline *dungeon_walk_open(const kifu_options *options)
{
    kifu_timeline *timeline;
    must(!kifu_create(&dungeon_rules, options, &timeline, NULL), "no timeline");
    must(!kifu_observe_all(timeline, dungeon_hooks.items, dungeon_hooks.count), "no hooks");
    begin_game(timeline, 1);
    return timeline;
}

// Where he cannot go, he rests.
static void act(kifu_timeline *timeline, uint32_t number)
{
    static const char ways[] = "hjklyubng12>";
    const uint32_t lot = number * UINT32_C(2654435761) >> 16;
    kifu_result result = dungeon_play(timeline, ways[lot % (sizeof ways - 1)]);
    if (result == KIFU_REJECTED)
        result = dungeon_play(timeline, '.');
    must(!result, "an action failed");
}

void dungeon_walk_to(kifu_timeline *timeline, uint32_t events, uint32_t most)
{
    while (kifu_event_count(timeline) < events) {
        const uint32_t count = kifu_event_count(timeline);
        if (dungeon_is_over(dungeon_get_state(timeline)))
            begin_game(timeline, count);
        act(timeline, count);
        if (most && count - kifu_first_event(timeline) > most)
            must(!kifu_forget(timeline, count - most / 2), "the past stays");
    }
}

#else

bool dungeon_is_there(void)
{
    return false;
}

kifu_timeline *dungeon_walk_open(const kifu_options *options)
{
    (void)options;
    return NULL;
}

void dungeon_walk_to(kifu_timeline *timeline, uint32_t events, uint32_t most)
{
    (void)timeline, (void)events, (void)most;
}

#endif
