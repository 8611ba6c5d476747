// Cursors: a way through the past states, event by event.
//
// A cursor is refused in a Do, as kifu_state_at is: a Do that sees the past would go on differently in a game that
// begins from a state, and no keyframe would be a place to begin from.

#include "core/go.h"
#include "core/timeline.h"
#include "history/seek.h"
#include "history/watch.h"

struct kifu_cursor {
    kifu_timeline *timeline;
    kifu__beside beside; // The state, after `beside.at` events, and the journal of events that it executed itself.
    bool open;
    bool lost; // Events that it has gone along are gone.
    kifu__watcher watcher;
    kifu_cursor *next;
};

// All cursors of a timeline, closed ones for the next that is opened.
typedef struct cursors {
    kifu__part part;
    kifu_cursor *first;
} cursors;

static void freed(kifu_timeline *timeline, kifu__part *part)
{
    for (kifu_cursor *cursor = ((cursors *)part)->first, *next; cursor; cursor = next) {
        next = cursor->next;
        kifu__journal_free(&cursor->beside.journal, &timeline->memory);
        kifu__free(&timeline->memory, cursor->beside.core.state);
        kifu__free(&timeline->memory, cursor);
    }
}

static const kifu__part_table table = {.size = sizeof(cursors), .order = KIFU__CURSORS, .freed = freed};

// Whether it has gone along events that were taken back and dropped since.
static bool is_lost(kifu_cursor *cursor)
{
    cursor->lost |= cursor->beside.at > kifu__ask_watcher(cursor->timeline, &cursor->watcher);
    return cursor->lost;
}

static bool make_state(kifu_cursor *cursor)
{
    kifu_timeline *timeline = cursor->timeline;
    unsigned char **state = &cursor->beside.core.state;
    if (!*state)
        *state = (unsigned char *)kifu__new(&timeline->memory, kifu__state_room(timeline->rules));
    return *state != NULL;
}

// A closed one, or a new one. NULL without memory.
static kifu_cursor *take(kifu_timeline *timeline)
{
    cursors *all = (cursors *)(void *)kifu__attach(timeline, &table);
    if (!all)
        return NULL;
    kifu_cursor *cursor = all->first;
    while (cursor && cursor->open)
        cursor = cursor->next;
    if (!cursor) {
        cursor = (kifu_cursor *)kifu__new(&timeline->memory, sizeof *cursor);
        if (!cursor)
            return NULL;
        *cursor = (kifu_cursor){.timeline = timeline, .next = all->first};
        kifu__watch(timeline, &cursor->watcher);
        all->first = cursor;
    }
    return make_state(cursor) ? cursor : NULL;
}

// From the last keyframe up to `count`, with a journal: so going back from there executes nothing.
static kifu_result come_from_keyframe(kifu_cursor *cursor, uint32_t count)
{
    kifu_timeline *timeline = cursor->timeline;
    kifu__beside_begin(&cursor->beside, kifu__nearest_state(timeline, count, cursor->beside.core.state));
    return kifu__execute_beside(timeline, &cursor->beside, count);
}

static kifu_result go_to(kifu_cursor *cursor, uint32_t count)
{
    kifu_timeline *timeline = cursor->timeline;
    if (count > kifu__now(timeline) || !kifu__journal_state_at(timeline, count, cursor->beside.core.state))
        return come_from_keyframe(cursor, count);
    kifu__beside_begin(&cursor->beside, count);
    return KIFU_OK;
}

kifu_result kifu_cursor_open(kifu_timeline *timeline, uint32_t count, kifu_cursor **opened)
{
    *opened = NULL;
    count = count == KIFU_PRESENT ? kifu_event_count(timeline) : count;
    kifu_result result = kifu__begin_looking(timeline, "kifu_cursor_open", count);
    if (result)
        return result;
    kifu_cursor *cursor = take(timeline);
    if (!cursor)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a cursor");
    (void)kifu__ask_watcher(timeline, &cursor->watcher);
    cursor->lost = false;
    result = go_to(cursor, count);
    cursor->open = !result;
    *opened = result ? NULL : cursor;
    return result;
}

void kifu_cursor_close(kifu_cursor *cursor)
{
    if (cursor)
        cursor->open = false;
}

const void *kifu_cursor_state(const kifu_cursor *cursor)
{
    return cursor->beside.core.state;
}

uint32_t kifu_cursor_position(const kifu_cursor *cursor)
{
    return cursor->beside.at;
}

// KIFU_OK where the cursor may go on. `end`: it cannot go on from there.
static kifu_result require_way(kifu_cursor *cursor, const char *call, uint32_t end)
{
    kifu_timeline *timeline = cursor->timeline;
    if (timeline->core.phase == KIFU__DOING || timeline->core.phase == KIFU__REPLAYING)
        return kifu__misuse(timeline, "%s was called in a Do function, which may depend on nothing but state and event",
                            call);
    if (!kifu__settled(timeline))
        return kifu__take_fault(timeline); // out of memory for the events of a try
    if (!cursor->open)
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s: the cursor is closed", call);
    if (is_lost(cursor))
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "%s: the events where the cursor is were taken back: close it and open another", call);
    if (cursor->beside.at < timeline->log.begin)
        return kifu__require_past(timeline, call, cursor->beside.at, &timeline->error);
    if (cursor->beside.at == end)
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s: the cursor is at the %s: ask kifu_cursor_position", call,
                           end > cursor->timeline->log.begin ? "last event" : "beginning");
    return KIFU_OK;
}

kifu_result kifu_cursor_back(kifu_cursor *cursor)
{
    kifu_result result = require_way(cursor, "kifu_cursor_back", cursor->timeline->log.begin);
    if (result)
        return result;
    kifu_timeline *timeline = cursor->timeline;
    kifu__beside *beside = &cursor->beside;
    const uint32_t event = beside->at - 1;
    if (beside->journal.start_count) {
        kifu__journal_restore(&beside->journal, &beside->core, event);
        beside->at = event;
        return KIFU_OK;
    }
    if (event >= timeline->executed || !kifu__journal_reaches(&timeline->journal, event))
        return come_from_keyframe(cursor, event);
    kifu__journal_take_back(&timeline->journal, &timeline->core, event, beside->core.state);
    kifu__beside_begin(beside, event);
    return KIFU_OK;
}

kifu_result kifu_cursor_forward(kifu_cursor *cursor)
{
    kifu_timeline *timeline = cursor->timeline;
    const uint32_t count = kifu_event_count(timeline);
    kifu_result result =
        require_way(cursor, "kifu_cursor_forward", count > cursor->beside.at ? KIFU_NONE : cursor->beside.at);
    return result ? result : kifu__execute_beside(timeline, &cursor->beside, cursor->beside.at + 1);
}
