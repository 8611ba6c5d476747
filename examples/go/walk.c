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

// The line that goes on from here: the main line, if it leads through here. KIFU_NONE: there is none.
static uint32_t line_on(const kifu_timeline *timeline)
{
    const uint32_t current = kifu_current_line(timeline), main = kifu_main_line(timeline);
    const uint32_t count = kifu_event_count(timeline);
    uint32_t next;
    if (kifu_line_of_event(timeline, main, count) != KIFU_NONE &&
        kifu_line_of_event(timeline, main, count - 1) == kifu_line_of_event(timeline, current, count - 1))
        return main;
    return kifu_lines_after(timeline, current, count, &next, 1) ? next : KIFU_NONE;
}

bool walk_forward(kifu_timeline *timeline, char *message)
{
    const uint32_t line = line_on(timeline);
    *message = '\0';
    if (!kifu_redo(timeline))
        return true;
    return line != KIFU_NONE ? go(timeline, line, kifu_event_count(timeline) + 1, message)
                             : say(message, "This line ends here.");
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

// To the variation before this one, or to the next one.
static bool go_aside(kifu_timeline *timeline, bool on, char *message)
{
    uint32_t lines[MOST_CHOICES], here = 0;
    const uint32_t current = kifu_current_line(timeline);
    step step;
    if (!step_before(timeline, kifu_event_count(timeline), &step) || step.end <= game_begin(timeline) + 1)
        return say(message, "Before the first move there are no variations.");
    const uint32_t own = kifu_line_of_event(timeline, current, step.first);
    const uint32_t found = kifu_lines_after(timeline, current, step.first, lines, MOST_CHOICES);
    const uint32_t count = found < MOST_CHOICES ? found : MOST_CHOICES;
    while (here < count && lines[here] != own)
        here++;
    if (on ? here + 1 >= count : !here)
        return say(message, on ? "There is no other variation behind this move."
                               : "There is no other variation before this move.");
    const uint32_t next = lines[on ? here + 1 : here - 1];
    return step_at(timeline, next, step.first, &step) && go(timeline, next, step.end, message);
}

bool walk_up(kifu_timeline *timeline, char *message)
{
    return go_aside(timeline, false, message);
}

bool walk_down(kifu_timeline *timeline, char *message)
{
    return go_aside(timeline, true, message);
}

bool walk_promote(kifu_timeline *timeline, char *message)
{
    if (kifu_promote_line(timeline, kifu_current_line(timeline)))
        return say(message, kifu_last_error(timeline)->message);
    say(message, "This is the main line now.");
    return true;
}

// The line of the step that is shown.
static bool find_deletable(const kifu_timeline *timeline, kifu_line *line)
{
    const uint32_t own = kifu_line_of_event(timeline, kifu_current_line(timeline), kifu_event_count(timeline) - 1);
    return own != 0 && kifu_find_line(timeline, own, line);
}

bool walk_can_delete(const kifu_timeline *timeline, char *message)
{
    char name[12];
    kifu_line line;
    step step;
    if (!find_deletable(timeline, &line))
        return say(message, "The game began with this line: it stays. Go into a variation to delete it.");
    step_at(timeline, line.id, line.from, &step);
    walk_name(timeline, &step, name);
    snprintf(message, MESSAGE, "the variation that begins with %s", name);
    return true;
}

// A line that is current cannot be deleted: so the game goes to where it begins, and then into the line that goes on
// from there.
bool walk_delete(kifu_timeline *timeline, char *message)
{
    kifu_line line;
    if (!find_deletable(timeline, &line) || !go(timeline, line.parent, line.from, message))
        return false;
    if (kifu_delete_line(timeline, line.id))
        return say(message, kifu_last_error(timeline)->message);
    const uint32_t on = line_on(timeline);
    if (on != KIFU_NONE && !go(timeline, on, line.from, message))
        return true;
    say(message, "The variation is deleted.");
    return true;
}
