#include "walk.h"

#include <stdio.h>

#include "points.h"

enum { MESSAGE = 200, MOST_CHOICES = 400 };

static bool say(char *message, const char *text)
{
    snprintf(message, MESSAGE, "%.199s", text);
    return false;
}

static bool go(kifu_timeline *timeline, uint32_t line, uint32_t count, char *message)
{
    if (kifu_go_to(timeline, line, count, true))
        return say(message, kifu_last_error(timeline)->message);
    *message = '\0';
    return true;
}

void walk_name(const kifu_timeline *timeline, const step *step, char name[12])
{
    char point[POINT_LENGTH + 1];
    point_write(&go_get_state(timeline)->terms, step->point, point);
    snprintf(name, 12, "%s",
             step->kind == STEP_MOVE    ? point
             : step->kind == STEP_EDIT  ? "edit"
             : step->kind == STEP_BEGIN ? "begin"
                                        : "end");
}

bool walk_back(kifu_timeline *timeline, char *message)
{
    step step;
    if (!step_before(timeline, kifu_event_count(timeline), &step) || step.end <= game_begin(timeline) + 1)
        return say(message, "This is the beginning of the game.");
    return go(timeline, kifu_current_line(timeline), step.first, message);
}

bool walk_forward(kifu_timeline *timeline, char *message)
{
    if (kifu_redo(timeline))
        return say(message, "This line ends here.");
    *message = '\0';
    return true;
}

bool walk_to_begin(kifu_timeline *timeline, char *message)
{
    return go(timeline, kifu_current_line(timeline), game_begin(timeline) + 1, message);
}

bool walk_to_end(kifu_timeline *timeline, char *message)
{
    kifu_line line;
    return kifu_find_line(timeline, kifu_current_line(timeline), &line) &&
           go(timeline, line.id, line.from + line.count, message);
}

bool walk_other(kifu_timeline *timeline, char *message)
{
    uint32_t lines[MOST_CHOICES];
    const uint32_t current = kifu_current_line(timeline);
    step step;
    if (!step_before(timeline, kifu_event_count(timeline), &step) || step.end <= game_begin(timeline) + 1)
        return say(message, "Before the first move there are no variations.");
    const uint32_t own = kifu_line_of_event(timeline, current, step.first);
    uint32_t count = kifu_lines_after(timeline, current, step.first, lines, MOST_CHOICES), here = 0;
    count = count < MOST_CHOICES ? count : MOST_CHOICES;
    while (here < count && lines[here] != own)
        here++;
    if (count < 2)
        return say(message, "This move has no variations. To make one, go back and play another move.");
    const uint32_t next = lines[(here + 1) % count];
    return step_at(timeline, next, step.first, &step) && go(timeline, next, step.end, message);
}

bool walk_promote(kifu_timeline *timeline, char *message)
{
    if (kifu_promote_line(timeline, kifu_current_line(timeline)))
        return say(message, kifu_last_error(timeline)->message);
    say(message, "This is the main line now.");
    return true;
}

bool walk_can_delete(const kifu_timeline *timeline, char *message)
{
    char name[12];
    kifu_line line;
    step step;
    if (!kifu_find_line(timeline, kifu_current_line(timeline), &line) || line.id == 0)
        return say(message, "The first line of a game cannot be deleted, only variations.");
    step_at(timeline, line.id, line.from, &step);
    walk_name(timeline, &step, name);
    snprintf(message, MESSAGE, "the variation that begins with %s", name);
    return true;
}

bool walk_delete(kifu_timeline *timeline, char *message)
{
    kifu_line line;
    if (!walk_can_delete(timeline, message) || !kifu_find_line(timeline, kifu_current_line(timeline), &line) ||
        !go(timeline, line.parent, line.from, message))
        return false;
    if (kifu_delete_line(timeline, line.id))
        return say(message, kifu_last_error(timeline)->message);
    say(message, "The variation is deleted.");
    return true;
}
