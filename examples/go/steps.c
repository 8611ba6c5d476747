#include "steps.h"

#include "board.h"
#include "rules.h"

bool step_event(const kifu_timeline *timeline, uint32_t line, uint32_t index, kifu_event *event)
{
    return line == GAME_LINE ? kifu_event_at(timeline, index, event) : kifu_line_event(timeline, line, index, event);
}

static void take(step *step, const kifu_timeline *timeline, const kifu_event *event)
{
    if (event->type == GO_P_EDIT) {
        step->kind = step->kind == STEP_OTHER ? STEP_EDIT : step->kind;
        step->edit = event->index;
    } else if (event->type == GO_E_SET_UP) {
        step->kind = STEP_BEGIN;
    } else if (event->type == GO_P_PLAY || event->type == GO_P_PASS) {
        step->kind = STEP_MOVE;
        step->stone = rules_stone_of(kifu_get_game(timeline), event->player);
        step->point = event->type == GO_P_PLAY ? ((const go_p_play *)event->table)->point : NO_POINT;
    }
}

bool step_at(const kifu_timeline *timeline, uint32_t line, uint32_t first, step *step)
{
    kifu_event event;
    *step = (struct step){.kind = STEP_OTHER, .first = first, .end = first, .point = NO_POINT, .edit = KIFU_NONE};
    while (step_event(timeline, line, step->end, &event)) {
        if (step->end > first && !(event.flags & KIFU_CONTINUE_UNDO))
            return true;
        take(step, timeline, &event);
        step->end++;
    }
    return step->end > first;
}

bool step_before(const kifu_timeline *timeline, uint32_t count, step *step)
{
    kifu_event event;
    if (!count)
        return false;
    for (count--; count && kifu_event_at(timeline, count, &event) && event.flags & KIFU_CONTINUE_UNDO;)
        count--;
    return step_at(timeline, GAME_LINE, count, step);
}

uint32_t game_begin(const kifu_timeline *timeline)
{
    kifu_event event;
    for (uint32_t i = kifu_event_count(timeline); i > 0 && kifu_event_at(timeline, i - 1, &event); i--) {
        if (event.type == GO_E_SET_UP)
            return i - 1;
    }
    return KIFU_NONE;
}
