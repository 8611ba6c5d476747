// A film is a seek and a speed. The timeline then shows event after event by the same Act functions as live, and
// nothing can happen meanwhile.

#include "film.h"

#include <curses.h>

#define SLOWEST 0.25
#define FASTEST 64.0

enum { ESCAPE = 27, JUMP_TURNS = 10 };

static void check(view *view, const kifu_timeline *timeline, kifu_result result)
{
    if (result)
        view_say(view, "%s", kifu_last_error(timeline)->message);
}

static void run(view *view, kifu_timeline *timeline)
{
    check(view, timeline, kifu_play(timeline, view->stopped ? 0 : view->speed));
}

void film_begin(view *view, kifu_timeline *timeline)
{
    view_clear(view);
    view->film = true;
    view->stopped = false;
    if (view->speed < SLOWEST)
        view->speed = 1;
    check(view, timeline, kifu_seek(timeline, 0));
    run(view, timeline);
}

void film_end(view *view, kifu_timeline *timeline)
{
    view->film = false;
    if (kifu_position(timeline) != kifu_event_count(timeline))
        view_clear(view); // what was said last is of the past
    check(view, timeline, kifu_seek(timeline, KIFU_PRESENT));
    view_say(view, "The film is over: this is the game as it is.");
}

static bool begins_turn(const kifu_timeline *timeline, uint32_t index)
{
    kifu_event event;
    return kifu_event_at(timeline, index, &event) && event.type == DUNGEON_E_BEGIN_TURN;
}

// To where some turn began, earlier or later.
static void jump(view *view, kifu_timeline *timeline, int turns)
{
    uint32_t count = kifu_position(timeline);
    uint32_t present = kifu_event_count(timeline);
    while (turns < 0 && count > 0)
        turns += begins_turn(timeline, --count);
    while (turns > 0 && count + 1 < present)
        turns -= begins_turn(timeline, ++count);
    check(view, timeline, kifu_seek(timeline, count));
    run(view, timeline);
}

void film_press(view *view, kifu_timeline *timeline, int key)
{
    switch (key) {
    case '+':
    case '=':
    case KEY_UP:
        view->speed = view->speed < FASTEST ? view->speed * 2 : FASTEST;
        view->stopped = false;
        run(view, timeline);
        break;
    case '-':
    case KEY_DOWN:
        view->speed = view->speed > SLOWEST ? view->speed / 2 : SLOWEST;
        view->stopped = false;
        run(view, timeline);
        break;
    case ' ':
        view->stopped = !view->stopped;
        run(view, timeline);
        break;
    case KEY_LEFT:
        jump(view, timeline, -JUMP_TURNS);
        break;
    case KEY_RIGHT:
        jump(view, timeline, JUMP_TURNS);
        break;
    case ESCAPE:
    case 'q':
    case 'f':
        film_end(view, timeline);
        break;
    default:
        break;
    }
}
