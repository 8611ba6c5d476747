// Cursors and forks of any line.
//
// A line that was loaded and not entered since is compared with the hashes in its save first, as when it is entered.

#include "history/lines.h"
#include "history/seek.h"

static kifu__branch *path_of_line(const kifu_timeline *timeline, uint32_t line, uint32_t *end)
{
    kifu__line only;
    const kifu__line *found = kifu__line_numbered(timeline, line, &only);
    return found ? kifu__shown(timeline, kifu__lines_of(timeline), found, end) : NULL;
}

// Finds a place of a line. `count` may be KIFU_WHERE_LEFT.
static kifu_result find_in_line(kifu_timeline *timeline, const char *call, kifu__line_place *place, kifu__forked *found)
{
    kifu__lines *lines = kifu__lines_of(timeline);
    uint32_t end;
    if (kifu__has_handler(timeline, seals))
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s was called while %s", call, kifu__try_is_open);
    found->path = path_of_line(timeline, place->line, &end);
    if (!found->path)
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s: there is no line %u (kifu_line_at lists the lines)",
                           call, (unsigned)place->line);
    const bool is_current = !lines || place->line == lines->current;
    if (place->count == KIFU_WHERE_LEFT)
        place->count = is_current ? kifu_event_count(timeline) : lines->items[place->line].left;
    found->count = place->count;
    if (place->count > end)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "%s: after %u events of line %u, which has only %u, those of its ancestors included", call,
                           (unsigned)place->count, (unsigned)place->line, (unsigned)end);
    kifu_result result = kifu__require_past(timeline, call, place->count, &timeline->error);
    if (!result && lines && lines->items[place->line].comparable && !timeline->options.reset)
        result = kifu__line_check(timeline, lines, place->line, KIFU_NONE, NULL);
    return result;
}

kifu_result kifu_cursor_open_line(kifu_timeline *timeline, uint32_t line, uint32_t count, kifu_cursor **cursor)
{
    kifu__line_place place = {path_of_line, line, count};
    kifu__forked found;
    *cursor = NULL;
    const uint32_t begin = timeline->log.begin;
    kifu_result result = kifu__require_readable(timeline, "kifu_cursor_open_line", begin, begin);
    if (!result)
        result = find_in_line(timeline, "kifu_cursor_open_line", &place, &found);
    return result ? result : kifu__cursor_open(timeline, &place, cursor);
}

kifu_result kifu_fork_line(kifu_timeline *timeline, uint32_t line, uint32_t count, const kifu_options *options,
                           kifu_timeline **fork, kifu_error *error)
{
    kifu__line_place place = {path_of_line, line, count};
    kifu__forked found = {.past = true};
    *fork = NULL;
    kifu_result result = kifu__require_fork(timeline, "kifu_fork_line", error);
    if (result)
        return result;
    result = find_in_line(timeline, "kifu_fork_line", &place, &found);
    if (!result)
        return kifu__fork(timeline, &found, options, fork, error);
    if (error)
        *error = timeline->error;
    return result;
}
