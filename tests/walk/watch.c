// Operations of watchers: a spectator, and the first two players. Each gets what it missed since the last time, as a
// jump from what both have; or all of it, where it has joined behind that.

#include <kifu/watch.h>

#include <stdlib.h>
#include <string.h>

#include "step.h"

static void close_watcher(walk_watcher *watcher)
{
    kifu_destroy(watcher->timeline);
    kifu_free_watch_rules(watcher->rules);
    *watcher = (walk_watcher){.timeline = NULL};
}

void walk_close_watchers(walk *walk)
{
    for (uint32_t i = 0; i < WATCHERS; i++)
        close_watcher(&walk->watchers[i]);
}

static void open_watcher(walk *walk, walk_watcher *watcher, int viewer)
{
    kifu_error error;
    const kifu_options options = walk_options(walk, walk->variations, walk->notes);
    watcher->game = kifu_timeline_rules(walk->timeline);
    watcher->rules = kifu_watch_rules(watcher->game, viewer);
    if (!watcher->rules || kifu_create(watcher->rules, &options, &watcher->timeline, &error))
        walk_fail("watch", "no watcher: %s", watcher->rules ? error.message : "no rules");
}

// Whether both have the same event. What is left out of it, only the seed of these games, is in EInitialize.
static bool is_same(kifu_timeline *timeline, kifu_timeline *watcher, uint32_t index)
{
    kifu_event one, other;
    kifu_buffer a = {0}, b = {0};
    if (!kifu_event_at(timeline, index, &one) || !kifu_event_at(watcher, index, &other) || one.type != other.type ||
        one.player != other.player || (one.cause != other.cause && one.cause >= kifu_first_event(watcher)))
        return false;
    if (kifu_event_bytes(timeline, index, &a) || kifu_event_bytes(watcher, index, &b))
        walk_fail("watch", "an event is not had as bytes");
    // The rules version is that of the referee's event, or of now.
    const bool same =
        !strcmp(one.name, "kifu.EInitialize") || (a.size == b.size && !memcmp(a.data + 48, b.data + 48, a.size - 48));
    kifu_free_buffer(&a);
    kifu_free_buffer(&b);
    return same;
}

static void expect_seen(walk *walk, const walk_watcher *watcher, int viewer)
{
    const kifu_rules *rules = watcher->game;
    kifu_game *masked = (kifu_game *)malloc(rules->state_size);
    memcpy(masked, kifu_state(walk->timeline), rules->state_size);
    masked->rng = (kifu_rng){.increment = masked->rng.increment != 0};
    if (rules->hiding)
        rules->hiding->mask(kifu_state(walk->timeline), viewer, masked);
    if (memcmp(masked, kifu_state(watcher->timeline), rules->state_size))
        walk_fail("watch", "viewer %d has another state", viewer);
    free(masked);
    const uint32_t count = kifu_event_count(walk->timeline);
    if (kifu_event_count(watcher->timeline) != count || kifu_watched(watcher->timeline) != count)
        walk_fail("watch", "viewer %d has %u events, %u of them confirmed, instead of %u", viewer,
                  kifu_event_count(watcher->timeline), kifu_watched(watcher->timeline), count);
    uint32_t i = kifu_first_event(watcher->timeline);
    for (i = i > kifu_first_event(walk->timeline) ? i : kifu_first_event(walk->timeline); i < count; i++) {
        if (!is_same(walk->timeline, watcher->timeline, i))
            walk_fail("watch", "viewer %d has another event %u", viewer, i);
    }
    if (kifu_verify_replay(watcher->timeline, NULL))
        walk_fail("watch", "viewer %d: %s", viewer, kifu_last_error(watcher->timeline)->message);
}

// False without memory.
static bool write_message(walk *walk, const walk_op *op, int viewer, uint32_t from, kifu_seen_how how,
                          kifu_buffer *message)
{
    walk_arm(walk, op);
    const kifu_result result = kifu_seen_since(walk->timeline, viewer, from, how, message);
    const bool starved = walk_disarm(walk);
    walk_expect(walk, "watch", !result || (starved && result == KIFU_NO_MEMORY), "kifu_seen_since", result);
    walk_expect_same(walk, "after a message for a watcher");
    return !result;
}

void walk_op_watch(walk *walk, const walk_op *op)
{
    const int viewer = (int)(op->a % WATCHERS) - 1;
    walk_watcher *watcher = &walk->watchers[op->a % WATCHERS];
    const uint32_t first = kifu_first_event(walk->timeline), count = kifu_event_count(walk->timeline);
    kifu_buffer message = {0};
    if (walk->open)
        return;
    if (watcher->timeline && watcher->game != kifu_timeline_rules(walk->timeline))
        close_watcher(watcher); // A later version of the game.
    bool whole = !watcher->timeline || op->b % 8 == 0;
    if (!watcher->timeline)
        open_watcher(walk, watcher, viewer);
    uint32_t from = kifu_first_event(watcher->timeline);
    whole = whole || from < first || from > count;
    while (!whole && from < count && from < kifu_event_count(watcher->timeline) &&
           is_same(walk->timeline, watcher->timeline, from))
        from++;
    from = whole ? first + op->b / 8 % (count - first + 1) : from;
    walk_say(walk, "// viewer %d: %s from event %u", viewer, whole ? "all" : "a jump", from);
    if (!write_message(walk, op, viewer, from, whole ? KIFU_SEEN_WHOLE : KIFU_SEEN_JUMPED, &message))
        return;
    if (op->b % 4 == 1 && !kifu_watch(watcher->timeline, message.data, op->b / 4 % message.size))
        walk_fail("watch", "a part of a message was taken");
    walk_arm(walk, op);
    kifu_result result = kifu_watch(watcher->timeline, message.data, message.size);
    if (walk_disarm(walk) && result == KIFU_NO_MEMORY)
        result = kifu_watch(watcher->timeline, message.data, message.size);
    // What it has begins behind the place where the game went another way.
    if (result == KIFU_GAP && !whole && kifu_first_event(watcher->timeline)) {
        if (!write_message(walk, &(walk_op){.fail = 0}, viewer, first, KIFU_SEEN_WHOLE, &message))
            return;
        result = kifu_watch(watcher->timeline, message.data, message.size);
    }
    if (result)
        walk_fail("watch", "viewer %d: %s", viewer, kifu_last_error(watcher->timeline)->message);
    kifu_free_buffer(&message);
    expect_seen(walk, watcher, viewer);
    walk_expect_same(walk, "after a watcher took a message");
}
