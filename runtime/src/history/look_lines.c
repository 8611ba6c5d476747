// Variations: the calls that only look at lines.

#include "history/lines.h"

// --- What is shown of a line ---------------------------------------------------------------------------------------

const kifu__line *kifu__line_numbered(const kifu_timeline *timeline, uint32_t number, kifu__line *only)
{
    const kifu__lines *lines = kifu__lines_of(timeline);
    *only = (kifu__line){.branch = (kifu__branch *)(uintptr_t)&timeline->log.first, .from = timeline->log.begin};
    if (!lines)
        return number ? NULL : only;
    return number < lines->count && lines->items[number].branch ? &lines->items[number] : NULL;
}

// Whether an event lies on the path of the current line, behind the place where a search began.
static bool is_left_behind(const kifu_timeline *timeline, const kifu__branch *branch, uint32_t index)
{
    const kifu__lines *lines = kifu__lines_of(timeline);
    const kifu__branch *current = lines ? lines->items[lines->current].branch : branch;
    return index >= timeline->transactions.searched && kifu__leads_through(current, branch) &&
           index < kifu__leaves(current, branch);
}

const kifu__segment *kifu__line_segment(const kifu_timeline *timeline, uint32_t line, uint32_t index, uint32_t *slot)
{
    uint32_t end;
    kifu__line only;
    const kifu__line *found = kifu__line_numbered(timeline, line, &only);
    if (!found || index < found->from)
        return NULL;
    kifu__branch *branch = kifu__shown(timeline, kifu__lines_of(timeline), found, &end);
    if (index >= end || (timeline->transactions.searching && is_left_behind(timeline, branch, index)))
        return NULL;
    const kifu__segment *segment = kifu__path_segment(branch, index, &end);
    *slot = index - segment->first;
    return segment;
}

// --- Listing ---------------------------------------------------------------------------------------------------------

uint32_t kifu_line_count(const kifu_timeline *timeline)
{
    const kifu__lines *lines = kifu__lines_of(timeline);
    return lines ? lines->listed_count : 1;
}

bool kifu_find_line(const kifu_timeline *timeline, uint32_t number, kifu_line *line)
{
    kifu__line only;
    const kifu__line *found = kifu__line_numbered(timeline, number, &only);
    if (!found)
        return false;
    *line = (kifu_line){
        .id = number,
        .parent = found->parent,
        .from = found->from,
        .count = kifu__shown_end(timeline, kifu__lines_of(timeline), found) - found->from,
        .main = number == kifu_main_line(timeline),
        .current = number == kifu_current_line(timeline),
    };
    return true;
}

bool kifu_line_at(const kifu_timeline *timeline, uint32_t place, kifu_line *line)
{
    const kifu__lines *lines = kifu__lines_of(timeline);
    return place < (lines ? lines->listed_count : 1) &&
           kifu_find_line(timeline, lines ? lines->listed[place] : place, line);
}

uint32_t kifu_current_line(const kifu_timeline *timeline)
{
    const kifu__lines *lines = kifu__lines_of(timeline);
    return lines ? lines->current : 0;
}

uint32_t kifu_main_line(const kifu_timeline *timeline)
{
    const kifu__lines *lines = kifu__lines_of(timeline);
    return lines ? lines->main : 0;
}

// --- Events ----------------------------------------------------------------------------------------------------------

bool kifu_line_event(const kifu_timeline *timeline, uint32_t line, uint32_t index, kifu_event *event)
{
    uint32_t slot;
    const bool tries = kifu__has_handler(timeline, seals);
    const kifu__segment *segment = tries ? NULL : kifu__line_segment(timeline, line, index, &slot);
    if (segment)
        *event = kifu__event_in(timeline, segment, slot);
    return segment != NULL;
}

// To which line a place of a line's path belongs.
static uint32_t line_of_place(const kifu_timeline *timeline, uint32_t line, uint32_t place)
{
    const kifu__lines *lines = kifu__lines_of(timeline);
    return lines ? kifu__owner(lines->items[line].branch, place, NULL)->number : 0;
}

uint32_t kifu_line_of_event(const kifu_timeline *timeline, uint32_t line, uint32_t index)
{
    kifu_line at;
    if (!kifu_find_line(timeline, line, &at) || index < timeline->log.begin || index >= at.from + at.count)
        return KIFU_NONE;
    return line_of_place(timeline, line, index + 1);
}

// --- What follows a place --------------------------------------------------------------------------------------------

// Whether a line branches off from events of `from`, behind the first `count` events.
static bool branches_off(const kifu__lines *lines, uint32_t line, uint32_t from, uint32_t count)
{
    return line != from && lines->items[line].parent == from && lines->items[line].from == count;
}

// The one of these through which the main line leads; KIFU_NONE: none.
static uint32_t main_among(const kifu__lines *lines, uint32_t from, uint32_t count)
{
    uint32_t line = lines->main;
    while (!branches_off(lines, line, from, count)) {
        if (lines->items[line].parent == line)
            return KIFU_NONE;
        line = lines->items[line].parent;
    }
    return line;
}

static uint32_t add_following(uint32_t line, uint32_t *following, uint32_t room, uint32_t count)
{
    if (count < room)
        following[count] = line;
    return count + 1;
}

uint32_t kifu_lines_after(const kifu_timeline *timeline, uint32_t line, uint32_t count, uint32_t *following,
                          uint32_t room)
{
    const kifu__lines *lines = kifu__lines_of(timeline);
    kifu_line at;
    if (!kifu_find_line(timeline, line, &at) || count < timeline->log.begin || count > at.from + at.count)
        return 0;
    (void)kifu_find_line(timeline, line_of_place(timeline, line, count), &at); // Its event comes before that place.
    const uint32_t main = lines ? main_among(lines, at.id, count) : KIFU_NONE;
    uint32_t found = main == KIFU_NONE ? 0 : add_following(main, following, room, 0);
    if (count < at.from + at.count)
        found = add_following(at.id, following, room, found);
    for (uint32_t i = 0; lines && i < lines->listed_count; i++) {
        if (lines->listed[i] != main && branches_off(lines, lines->listed[i], at.id, count))
            found = add_following(lines->listed[i], following, room, found);
    }
    return found;
}

// --- The tree --------------------------------------------------------------------------------------------------------

kifu_result kifu_draw_tree(const kifu_timeline *timeline, kifu_stretch *stretches, uint32_t room, uint32_t *count,
                           kifu_error *error)
{
    const kifu__lines *lines = kifu__lines_of(timeline);
    const uint32_t needed = 2 * kifu_line_count(timeline);
    kifu_line line;
    *count = 0;
    if (room < needed)
        return kifu__error(error, KIFU_MISUSE,
                           "kifu_draw_tree: there is room for %u stretches, and there may be 2 * kifu_line_count = %u",
                           (unsigned)room, (unsigned)needed);
    if (lines)
        return kifu__lines_draw(timeline, lines, stretches, count, error);
    (void)kifu_find_line(timeline, 0, &line);
    stretches[(*count)++] = (kifu_stretch){
        .from = line.from, .count = line.count, .parent = KIFU_NONE, .next = KIFU_NONE, .main = true, .current = true};
    return KIFU_OK;
}
