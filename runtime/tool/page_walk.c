// The states of a game one after the other: those of the current line, and then those of the others.

#include "tool/page.h"

#include <string.h>

#include "core/timeline.h"
#include "tool/command.h"

kifu_result kifu__gather(void *context, const char *bytes, size_t size)
{
    kifu__page_text *text = (kifu__page_text *)context;
    if (text->size + size > text->capacity) {
        text->capacity = 2 * (text->size + size);
        text->at = (char *)kifu__must_grow(text->at, text->capacity);
    }
    memcpy(text->at + text->size, bytes, size);
    text->size += size;
    return KIFU_OK;
}

// The last event of a player among the first `count`.
static kifu_event last_move(const kifu_timeline *timeline, uint32_t count)
{
    kifu_event event;
    for (uint32_t i = count; i > 0 && kifu_event_at(timeline, i - 1, &event); i--) {
        if (event.player >= 0)
            return event;
    }
    return (kifu_event){.type = 0};
}

// From the cursor to the end. What stops it without an error is the visitor.
static kifu_result go(const kifu__page_walk *walk, kifu_cursor *cursor, uint32_t end)
{
    kifu__page_place place = {.events = kifu_cursor_position(cursor), .state = kifu_cursor_state(cursor)};
    kifu_result result = KIFU_OK;
    place.move = last_move(walk->timeline, place.events);
    bool goes_on = walk->begin(walk->context, &place);
    while (goes_on && place.events < end && !result) {
        if (!(place.events & 1023) && walk->progress)
            walk->progress(walk->progress_context, place.events, end);
        result = kifu_cursor_forward(cursor);
        if (result || !kifu_event_at(walk->timeline, place.events, &place.event))
            break;
        place.events++;
        place.state = kifu_cursor_state(cursor);
        if (place.event.player >= 0)
            place.move = place.event;
        kifu_event next;
        place.turn_ends = place.events == end || !kifu_event_at(walk->timeline, place.events, &next) ||
                          !(next.flags & KIFU_CONTINUE_UNDO);
        goes_on = walk->next(walk->context, &place);
    }
    return result;
}

kifu_result kifu__walk_current(const kifu__page_walk *walk)
{
    kifu_cursor *cursor;
    kifu_result result = kifu_cursor_open(walk->timeline, 0, &cursor);
    if (!result)
        result = go(walk, cursor, walk->event_count);
    kifu_cursor_close(cursor);
    return result;
}

static void walk_stretch(const kifu__page_walk *walk, uint32_t from, uint32_t end)
{
    kifu_cursor *cursor;
    if (!kifu_cursor_open(walk->timeline, from, &cursor))
        (void)go(walk, cursor, end);
    kifu_cursor_close(cursor);
}

void kifu__walk_others(const kifu__page_walk *walk)
{
    kifu_timeline *timeline = walk->timeline;
    const uint32_t home = kifu_current_line(timeline);
    const kifu__page_tree *tree = walk->tree;
    if (tree->count < 2 || kifu_go_to(timeline, home, 0, true)) // Nothing waits at the beginning.
        return;
    for (uint32_t i = 0; i < tree->count && walk->enter(walk->context); i++) {
        const kifu_stretch *at = &tree->stretches[i];
        const uint32_t end = at->from + at->count;
        const uint32_t from = at->current && at->from < walk->event_count ? walk->event_count : at->from;
        if (from >= end || kifu_go_to(timeline, at->line, end, true))
            continue;
        walk_stretch(walk, from, end);
        walk->leave(walk->context, i, from);
    }
    (void)kifu_go_to(timeline, home, walk->event_count, true);
}
