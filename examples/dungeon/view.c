// What the timeline tells the view. Act functions put events into words and say how long each is looked at; nothing
// here changes the model: everything is const. A film calls the same functions, so it needs none of its own.

#include "view.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kinds.h"
#include "map.h"
#include "screen.h"
#include "words.h"

// Seconds.
#define STEP_TIME 0.03
#define REST_TIME 0.01
#define BLOW_TIME 0.12
#define SPELL_TIME 0.25
#define PAUSE_TIME 0.8
#define FILM_TIME 0.12

// --- Messages --------------------------------------------------------------------------------------------------------

void view_tell(view *view, uint32_t event, const char *sentence)
{
    if (view->message_count == VIEW_MESSAGES) {
        view->message_count--;
        memmove(view->messages, view->messages + 1, view->message_count * sizeof *view->messages);
    }
    view_message *message = &view->messages[view->message_count++];
    message->event = event;
    message->fresh = true;
    snprintf(message->text, sizeof message->text, "%s", sentence);
    message->text[0] = (char)toupper((unsigned char)message->text[0]);
    size_t length = strlen(message->text);
    if (length > 0 && length + 1 < sizeof message->text && !strchr(".!", message->text[length - 1]))
        strcat(message->text, ".");
}

void view_age(view *view)
{
    for (uint32_t i = 0; i < view->message_count; i++)
        view->messages[i].fresh = false;
    view->note[0] = '\0';
}

void view_say(view *view, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(view->note, sizeof view->note, format, arguments);
    va_end(arguments);
}

void view_clear(view *view)
{
    view->message_count = 0;
    memset(view->effects, 0, sizeof view->effects);
}

// --- Effects ---------------------------------------------------------------------------------------------------------

static void flash(view *view, const dungeon_state *state, kifu_handle from, kifu_handle to, double time)
{
    const dungeon_being *one = dungeon_get_actors(state, from), *other = dungeon_get_actors(state, to);
    uint32_t at = 0;
    if (!other)
        return;
    for (uint32_t i = 1; i < VIEW_EFFECTS; i++) {
        if (view->effects[i].time < view->effects[at].time)
            at = i;
    }
    view->effects[at] = (view_effect){one ? one->x : other->x, one ? one->y : other->y, other->x, other->y, time};
}

void view_pass_time(view *view, double dt)
{
    for (uint32_t i = 0; i < VIEW_EFFECTS; i++)
        view->effects[i].time -= dt;
}

// --- Act: called after each event ------------------------------------------------------------------------------------

static double tell(view *view, const kifu_timeline *timeline, const dungeon_state *state, uint32_t type,
                   const void *event, kifu_handle item, double time)
{
    char words[120];
    if (!words_of_event(state, type, event, item, words, sizeof words))
        return 0;
    view_tell(view, kifu_position(timeline), words);
    return time;
}

// Live, nobody wants to wait for what was just typed; but a run is to be seen.
static double act_p_move(void *context, kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_move *move)
{
    const view *view = context;
    if (move->actor == state->hero)
        return view->film ? FILM_TIME : kifu_goes_on(timeline, state->hero) ? STEP_TIME : 0;
    const dungeon_being *being = dungeon_get_actors(state, move->actor);
    return being && map_hero_sees(state, being->x, being->y) ? STEP_TIME : 0;
}

static double act_p_rest(void *context, kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_rest *rest)
{
    const view *view = context;
    if (rest->actor != state->hero)
        return 0;
    return view->film ? FILM_TIME / 2 : kifu_goes_on(timeline, state->hero) ? REST_TIME : 0;
}

static double act_p_open(void *context, kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_open *open)
{
    return tell(context, timeline, state, DUNGEON_P_OPEN, open, 0, STEP_TIME);
}

static double act_p_pick_up(void *context, kifu_timeline *timeline, const dungeon_state *state,
                            const dungeon_p_pick_up *pick_up, const dungeon_p_pick_up_transient *transient)
{
    return tell(context, timeline, state, DUNGEON_P_PICK_UP, pick_up, transient->item, BLOW_TIME);
}

static double act_p_drink(void *context, kifu_timeline *timeline, const dungeon_state *state,
                          const dungeon_p_drink *drink)
{
    return tell(context, timeline, state, DUNGEON_P_DRINK, drink, 0, BLOW_TIME);
}

static double act_p_wear(void *context, kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_wear *wear)
{
    return tell(context, timeline, state, DUNGEON_P_WEAR, wear, 0, BLOW_TIME);
}

static double act_p_cast(void *context, kifu_timeline *timeline, const dungeon_state *state, const dungeon_p_cast *cast)
{
    if (cast->spell != DUNGEON_SPELL_BLINK)
        flash(context, state, cast->actor, cast->target, SPELL_TIME);
    return tell(context, timeline, state, DUNGEON_P_CAST, cast, 0, SPELL_TIME);
}

static double act_e_descend(void *context, kifu_timeline *timeline, const dungeon_state *state,
                            const dungeon_e_descend *descend)
{
    return tell(context, timeline, state, DUNGEON_E_DESCEND, descend, 0, state->level > 1 ? PAUSE_TIME : 0);
}

static double act_e_ambush(void *context, kifu_timeline *timeline, const dungeon_state *state,
                           const dungeon_e_ambush *ambush)
{
    return tell(context, timeline, state, DUNGEON_E_AMBUSH, ambush, 0, BLOW_TIME);
}

static double act_e_wake(void *context, kifu_timeline *timeline, const dungeon_state *state, const dungeon_e_wake *wake)
{
    return tell(context, timeline, state, DUNGEON_E_WAKE, wake, 0, BLOW_TIME);
}

static double act_e_miss(void *context, kifu_timeline *timeline, const dungeon_state *state, const dungeon_e_miss *miss)
{
    return tell(context, timeline, state, DUNGEON_E_MISS, miss, 0, BLOW_TIME);
}

static double act_e_damage(void *context, kifu_timeline *timeline, const dungeon_state *state,
                           const dungeon_e_damage *damage)
{
    flash(context, state, damage->target, damage->target, 2 * BLOW_TIME);
    return tell(context, timeline, state, DUNGEON_E_DAMAGE, damage, 0, BLOW_TIME);
}

static double act_e_heal(void *context, kifu_timeline *timeline, const dungeon_state *state, const dungeon_e_heal *heal)
{
    return tell(context, timeline, state, DUNGEON_E_HEAL, heal, 0, BLOW_TIME);
}

static double act_e_die(void *context, kifu_timeline *timeline, const dungeon_state *state, const dungeon_e_die *die)
{
    return tell(context, timeline, state, DUNGEON_E_DIE, die, 0, BLOW_TIME);
}

static double act_e_blink(void *context, kifu_timeline *timeline, const dungeon_state *state,
                          const dungeon_e_blink *blink)
{
    return tell(context, timeline, state, DUNGEON_E_BLINK, blink, 0, SPELL_TIME);
}

static double act_e_haste(void *context, kifu_timeline *timeline, const dungeon_state *state,
                          const dungeon_e_haste *haste)
{
    return tell(context, timeline, state, DUNGEON_E_HASTE, haste, 0, BLOW_TIME);
}

static double act_e_slow_down(void *context, kifu_timeline *timeline, const dungeon_state *state,
                              const dungeon_e_slow_down *slow_down)
{
    return tell(context, timeline, state, DUNGEON_E_SLOW_DOWN, slow_down, 0, BLOW_TIME);
}

static double act_e_win(void *context, kifu_timeline *timeline, const dungeon_state *state, const dungeon_e_win *win)
{
    return tell(context, timeline, state, DUNGEON_E_WIN, win, 0, BLOW_TIME);
}

// After load, undo, redo and seek: sentences about what has not happened are taken back.
static void redraw(void *context, kifu_timeline *timeline)
{
    view *view = context;
    while (view->message_count && view->messages[view->message_count - 1].event > kifu_position(timeline))
        view->message_count--;
    memset(view->effects, 0, sizeof view->effects);
}

// A consequence that a hook has rejected: "your armour holds". main.c says what the hero cannot do.
static void rejected(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    view *view = context;
    if (!view->deciding)
        view_tell(view, kifu_position(timeline), kifu_error_reason(outcome->error));
}

bool view_open(view *view)
{
    view->functions = (dungeon_view){.base = {.context = view, .redraw = redraw, .rejected = rejected},
                                     .act_p_move = act_p_move,
                                     .act_p_rest = act_p_rest,
                                     .act_p_open = act_p_open,
                                     .act_p_pick_up = act_p_pick_up,
                                     .act_p_drink = act_p_drink,
                                     .act_p_wear = act_p_wear,
                                     .act_p_cast = act_p_cast,
                                     .act_e_descend = act_e_descend,
                                     .act_e_ambush = act_e_ambush,
                                     .act_e_wake = act_e_wake,
                                     .act_e_miss = act_e_miss,
                                     .act_e_damage = act_e_damage,
                                     .act_e_heal = act_e_heal,
                                     .act_e_die = act_e_die,
                                     .act_e_blink = act_e_blink,
                                     .act_e_haste = act_e_haste,
                                     .act_e_slow_down = act_e_slow_down,
                                     .act_e_win = act_e_win};
    return screen_open();
}

void view_close(void)
{
    screen_close();
}
