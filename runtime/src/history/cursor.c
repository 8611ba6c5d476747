// Cursors: a way through the states of a path, event by event.
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
    kifu__line_place place; // Of a line; its `path_of` NULL: it is on the current path.
    uint64_t changes;       // Then, as `timeline->tree.changes`.
    kifu_cursor *next;
};

// All cursors of a timeline, closed ones for the next that is opened.
typedef struct cursors {
    kifu__part part;
    kifu_cursor *first;
} cursors;

static void free_cursors(kifu_timeline *timeline, kifu__part *part)
{
    for (kifu_cursor *cursor = ((cursors *)part)->first, *next; cursor; cursor = next) {
        next = cursor->next;
        kifu__journal_free(&cursor->beside.journal, &timeline->memory);
        kifu__free(&timeline->memory, cursor->beside.core.state);
        kifu__free(&timeline->memory, cursor);
    }
}

static const kifu__part_table cursors_table = {.size = sizeof(cursors), .order = KIFU__CURSORS, .freed = free_cursors};

// Whether it has gone along events that were taken back and dropped since.
static bool is_lost(kifu_cursor *cursor)
{
    const kifu_timeline *timeline = cursor->timeline;
    cursor->lost |= cursor->beside.at > kifu__ask_watcher(cursor->timeline, &cursor->watcher);
    cursor->lost |= cursor->place.path_of && cursor->changes != timeline->tree.changes;
    return cursor->lost;
}

// The path that it goes along, up to `*end`; NULL: there is no such line any more.
static kifu__branch *cursor_path(const kifu_cursor *cursor, uint32_t *end)
{
    const kifu_timeline *timeline = cursor->timeline;
    if (cursor->place.path_of)
        return cursor->place.path_of(timeline, cursor->place.line, end);
    *end = kifu_event_count(timeline);
    return timeline->log.branch;
}

static bool make_cursor_state(kifu_cursor *cursor)
{
    kifu_timeline *timeline = cursor->timeline;
    unsigned char **state = &cursor->beside.core.state;
    if (!*state)
        *state = (unsigned char *)kifu__new(&timeline->memory, kifu__state_room(timeline->rules));
    return *state != NULL;
}

// A closed one, or a new one. NULL without memory.
static kifu_cursor *new_cursor(kifu_timeline *timeline)
{
    cursors *all = (cursors *)(void *)kifu__attach(timeline, &cursors_table);
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
    return make_cursor_state(cursor) ? cursor : NULL;
}

// From the nearest state up to `count`, with a journal: so going back from there executes nothing.
static kifu_result cursor_go_to(kifu_cursor *cursor, kifu__branch *path, uint32_t count)
{
    kifu_timeline *timeline = cursor->timeline;
    kifu__beside_begin(&cursor->beside, kifu__known_state(timeline, path, count, cursor->beside.core.state));
    return kifu__execute_beside(timeline, path, &cursor->beside, count);
}

kifu_result kifu__cursor_open(kifu_timeline *timeline, const kifu__line_place *place, kifu_cursor **opened)
{
    kifu_cursor *cursor = new_cursor(timeline);
    if (!cursor)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a cursor");
    uint32_t end;
    (void)kifu__ask_watcher(timeline, &cursor->watcher);
    cursor->lost = false;
    cursor->place = *place;
    cursor->changes = timeline->tree.changes;
    const kifu_result result = cursor_go_to(cursor, cursor_path(cursor, &end), place->count);
    cursor->open = !result;
    *opened = result ? NULL : cursor;
    return result;
}

kifu_result kifu_cursor_open(kifu_timeline *timeline, uint32_t count, kifu_cursor **opened)
{
    const uint32_t end = kifu_event_count(timeline);
    const kifu__line_place place = {.count = count == KIFU_PRESENT ? end : count};
    *opened = NULL;
    const kifu_result result = kifu__require_readable(timeline, "kifu_cursor_open", place.count, end);
    return result ? result : kifu__cursor_open(timeline, &place, opened);
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

// KIFU_OK where the cursor may go on, along `*path`.
static kifu_result require_way(kifu_cursor *cursor, const char *call, bool back, kifu__branch **path)
{
    kifu_timeline *timeline = cursor->timeline;
    uint32_t last;
    if (timeline->core.phase == KIFU__DOING || timeline->core.phase == KIFU__REPLAYING)
        return kifu__misuse(timeline, "%s was called in a Do function, which may depend on nothing but state and event",
                            call);
    if (!kifu__settled(timeline))
        return kifu__report_fault(timeline); // out of memory for the events of a try
    if (!cursor->open)
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s: the cursor is closed", call);
    if (is_lost(cursor) || !(*path = cursor_path(cursor, &last)))
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           cursor->place.path_of
                               ? "%s: the lines have changed since the cursor was opened: close it and open another"
                               : "%s: the events where the cursor is were taken back: close it and open another",
                           call);
    if (cursor->beside.at < timeline->log.begin)
        return kifu__require_past(timeline, call, cursor->beside.at, &timeline->error);
    if (back ? cursor->beside.at == timeline->log.begin : cursor->beside.at >= last)
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s: the cursor is at the %s: ask kifu_cursor_position", call,
                           back ? "beginning" : "last event");
    return KIFU_OK;
}

kifu_result kifu_cursor_back(kifu_cursor *cursor)
{
    kifu__branch *path = NULL;
    const kifu_result result = require_way(cursor, "kifu_cursor_back", true, &path);
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
    if (event >= timeline->executed || event >= kifu__common(timeline->log.branch, path) ||
        !kifu__journal_reaches(&timeline->journal, event))
        return cursor_go_to(cursor, path, event);
    kifu__journal_take_back(&timeline->journal, &timeline->core, event, beside->core.state);
    kifu__beside_begin(beside, event);
    return KIFU_OK;
}

kifu_result kifu_cursor_forward(kifu_cursor *cursor)
{
    kifu__branch *path = NULL;
    const kifu_result result = require_way(cursor, "kifu_cursor_forward", false, &path);
    return result ? result : kifu__execute_beside(cursor->timeline, path, &cursor->beside, cursor->beside.at + 1);
}
