// What the timeline tells the view. Act functions say how long an event is looked at; listeners mark what has changed,
// whichever way it went: by an event, by undo, by a roll-back. Nothing here changes the model: everything is const.

#include "view.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "screen.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" // a function uses what it needs of what it gets

// Seconds.
#define SHORT_TIME 0.25
#define LONG_TIME 0.6
#define FLASH_TIME 0.8
#define MESSAGE_TIME 6.0

// --- Act: called after each event -----------------------------------------------------------------------------------

static double act_e_draw(void *context, kifu_timeline *timeline, const duel_state *state, const duel_e_draw *draw)
{
    return SHORT_TIME;
}

static double act_p_announce(void *context, kifu_timeline *timeline, const duel_state *state,
                             const duel_p_announce *announce)
{
    return SHORT_TIME;
}

static double act_p_tap(void *context, kifu_timeline *timeline, const duel_state *state, const duel_p_tap *tap)
{
    return SHORT_TIME;
}

static double act_e_enter(void *context, kifu_timeline *timeline, const duel_state *state, const duel_e_enter *enter)
{
    view *view = context;
    view->flash[enter->card] = FLASH_TIME;
    return SHORT_TIME;
}

static double act_e_attack(void *context, kifu_timeline *timeline, const duel_state *state, const duel_e_attack *attack)
{
    view *view = context;
    view->flash[attack->target] = FLASH_TIME;
    return LONG_TIME;
}

static double act_e_damage(void *context, kifu_timeline *timeline, const duel_state *state, const duel_e_damage *damage)
{
    return damage->amount ? SHORT_TIME : 0;
}

static double act_e_die(void *context, kifu_timeline *timeline, const duel_state *state, const duel_e_die *die)
{
    return LONG_TIME;
}

static double act_p_end_turn(void *context, kifu_timeline *timeline, const duel_state *state,
                             const duel_p_end_turn *end_turn)
{
    return SHORT_TIME;
}

// After load, undo, redo and seek: what was being shown is out of date.
static void redraw(void *context, kifu_timeline *timeline)
{
    view *view = context;
    memset(view->chosen, 0, sizeof view->chosen);
}

// Also for a consequence that a rule forbids: "nobody can gain life".
static void rejected(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    view_say(context, "No: %s.", kifu_error_reason(outcome->error));
}

// --- Listeners: called when the state has changed, forward or backward -----------------------------------------------

static void side_changed(void *context, kifu_timeline *timeline, const void *state, const kifu_element_change *change)
{
    view *view = context;
    const duel_side *before = change->before, *after = change->after;
    if (change->jumped || after->life == before->life)
        return;
    view->gained[change->index] = after->life > before->life;
    view->flash[TARGET_PLAYER + change->index] = FLASH_TIME;
    kifu_hold(timeline, LONG_TIME);
}

static void card_changed(void *context, kifu_timeline *timeline, const void *state, const kifu_element_change *change)
{
    view *view = context;
    const duel_card *before = change->before, *after = change->after;
    if (!change->jumped && before->zone == DUEL_ZONE_PLAY && after->zone == DUEL_ZONE_PLAY)
        view->flash[change->index] = FLASH_TIME;
}

kifu_result view_follow(view *view, kifu_timeline *timeline)
{
    const kifu_observer listeners[] = {
        {.listen_each = card_changed, KIFU_PART(duel_state, cards), .context = view},
        {.listen_each = side_changed, KIFU_PART(duel_state, sides), .context = view},
    };
    memset(view->flash, 0, sizeof view->flash);
    memset(view->chosen, 0, sizeof view->chosen);
    return kifu_observe_all(timeline, listeners, sizeof listeners / sizeof *listeners);
}

void view_pass_time(view *view, double dt)
{
    for (uint32_t target = 0; target < TARGET_END; target++)
        view->flash[target] = view->flash[target] > dt ? view->flash[target] - dt : 0;
    view->message_time -= dt;
    if (view->message_time <= 0)
        view->message[0] = '\0';
}

void view_say(view *view, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(view->message, sizeof view->message, format, arguments);
    view->message_time = MESSAGE_TIME;
    va_end(arguments);
}

bool view_open(view *view)
{
    view->functions = (duel_view){.base = {.context = view, .redraw = redraw, .rejected = rejected},
                                  .act_e_draw = act_e_draw,
                                  .act_p_announce = act_p_announce,
                                  .act_p_tap = act_p_tap,
                                  .act_e_enter = act_e_enter,
                                  .act_e_attack = act_e_attack,
                                  .act_e_damage = act_e_damage,
                                  .act_e_die = act_e_die,
                                  .act_p_end_turn = act_p_end_turn};
    return screen_open();
}

void view_close(void)
{
    screen_close();
}
