#include "words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "kinds.h"
#include "map.h"

enum { NAME_SIZE = 40 };

const char *words_who(const dungeon_state *state, kifu_handle handle, char *words, size_t size)
{
    const dungeon_being *being = dungeon_get_actors(state, handle);
    if (!being)
        snprintf(words, size, "somebody");
    else if (handle == state->hero)
        snprintf(words, size, "you");
    else
        snprintf(words, size, "the %s", beings[being->kind].name);
    return words;
}

static bool is_seen(const dungeon_state *state, kifu_handle handle)
{
    const dungeon_being *being = dungeon_get_actors(state, handle);
    return being && map_hero_sees(state, being->x, being->y);
}

// "You open", "The goblin opens".
static void say_does(const dungeon_state *state, kifu_handle who, const char *you, const char *it, const char *rest,
                     char *words, size_t size)
{
    char name[NAME_SIZE];
    words_who(state, who, name, sizeof name);
    snprintf(words, size, "%s %s%s%s.", name, who == state->hero ? you : it, *rest ? " " : "", rest);
}

static void say_damage(const dungeon_state *state, const dungeon_e_damage *damage, char *words, size_t size)
{
    char who[NAME_SIZE], whom[NAME_SIZE];
    bool mine = damage->performer == state->hero;
    words_who(state, damage->performer, who, sizeof who);
    words_who(state, damage->target, whom, sizeof whom);
    if (damage->reflected)
        snprintf(words, size, "%s mirror throws the spell back: it burns %s for %d.", mine ? "your" : "the", whom,
                 damage->amount);
    else if (damage->magic)
        snprintf(words, size, "%s%s spell burns %s for %d.", mine ? "your" : who, mine ? "" : "'s", whom,
                 damage->amount);
    else if (!damage->performer)
        snprintf(words, size, "the spikes sting %s for %d.", whom, damage->amount);
    else
        snprintf(words, size, "%s %s %s for %d.", who, mine ? "hit" : "hits", whom, damage->amount);
}

static void say_wear(const dungeon_state *state, const dungeon_p_wear *wear, char *words, size_t size)
{
    const dungeon_being *being = dungeon_get_actors(state, wear->actor);
    const dungeon_item *item = dungeon_get_items(state, wear->item);
    char what[NAME_SIZE];
    snprintf(what, sizeof what, "the %s", item ? things[item->thing].name : "thing");
    if (being && being->weapon == wear->item)
        say_does(state, wear->actor, "wield", "wields", what, words, size);
    else if (being && being->armour == wear->item)
        say_does(state, wear->actor, "put on", "puts on", what, words, size);
    else
        say_does(state, wear->actor, "put away", "puts away", what, words, size);
}

static void say_pick_up(const dungeon_state *state, kifu_handle actor, kifu_handle handle, char *words, size_t size)
{
    const dungeon_item *item = dungeon_get_items(state, handle);
    char what[NAME_SIZE];
    snprintf(what, sizeof what, "the %s", item ? things[item->thing].name : "thing");
    say_does(state, actor, "take", "takes", what, words, size);
}

static void say_cast(const dungeon_state *state, const dungeon_p_cast *cast, char *words, size_t size)
{
    static const char *const spells[] = {"a spark", "fire", "a spell, and is gone"};
    say_does(state, cast->actor, "cast", "casts", spells[cast->spell], words, size);
}

// Writes the words, and says who has to be seen for them: KIFU_NO_HANDLE where there are none.
static kifu_handle say(const dungeon_state *state, uint32_t type, const void *table, kifu_handle item, char *words,
                       size_t size)
{
    union {
        const void *table;
        const dungeon_p_open *open;
        const dungeon_p_drink *drink;
        const dungeon_p_wear *wear;
        const dungeon_p_cast *cast;
        const dungeon_p_pick_up *pick;
        const dungeon_e_miss *miss;
        const dungeon_e_damage *damage;
        const dungeon_e_die *die;
        const dungeon_e_heal *heal;
        const dungeon_e_wake *wake;
        const dungeon_e_blink *blink;
        const dungeon_e_haste *haste;
        const dungeon_e_slow_down *slow;
    } event = {table};
    char whom[NAME_SIZE];
    switch (type) {
    case DUNGEON_P_OPEN:
        say_does(state, event.open->actor, "open", "opens", "the door", words, size);
        return event.open->actor;
    case DUNGEON_P_DRINK:
        say_does(state, event.drink->actor, "drink", "drinks", "a potion", words, size);
        return event.drink->actor;
    case DUNGEON_P_WEAR:
        say_wear(state, event.wear, words, size);
        return event.wear->actor;
    case DUNGEON_P_CAST:
        say_cast(state, event.cast, words, size);
        return event.cast->actor;
    case DUNGEON_P_PICK_UP:
        say_pick_up(state, event.pick->actor, item, words, size);
        return event.pick->actor;
    case DUNGEON_E_MISS:
        words_who(state, event.miss->target, whom, sizeof whom);
        say_does(state, event.miss->performer, "miss", "misses", whom, words, size);
        return event.miss->target;
    case DUNGEON_E_DAMAGE:
        say_damage(state, event.damage, words, size);
        return event.damage->target;
    case DUNGEON_E_DIE: // who has died is in the event: its handle leads nowhere now
        if (event.die->actor == state->hero)
            snprintf(words, size, "you die.");
        else
            snprintf(words, size, "the %s dies.", beings[event.die->kind].name);
        return state->hero;
    case DUNGEON_E_HEAL:
        say_does(state, event.heal->target, "feel", "looks", "better", words, size);
        return event.heal->target;
    case DUNGEON_E_WAKE:
        say_does(state, event.wake->actor, "wake up", "wakes up", "", words, size);
        return event.wake->actor;
    case DUNGEON_E_HASTE:
        say_does(state, event.haste->actor, "are", "is", "twice as fast now", words, size);
        return event.haste->actor;
    case DUNGEON_E_SLOW_DOWN:
        say_does(state, event.slow->actor, "are", "is", "as slow as ever again", words, size);
        return event.slow->actor;
    case DUNGEON_E_BLINK:
        say_does(state, event.blink->actor, "are", "is", "somewhere else", words, size);
        return event.blink->actor;
    case DUNGEON_E_AMBUSH:
        snprintf(words, size, "you hear steps in the dark: an ambush!");
        return state->hero;
    case DUNGEON_E_DESCEND:
        snprintf(words, size, "this is level %u, %s: %s.", state->level, levels[state->level].name,
                 levels[state->level].text);
        return state->hero;
    case DUNGEON_E_WIN:
        snprintf(words, size, "you hold the amulet. You have won!");
        return state->hero;
    default:
        return KIFU_NO_HANDLE;
    }
}

bool words_of_event(const dungeon_state *state, uint32_t type, const void *event, kifu_handle item, char *words,
                    size_t size)
{
    kifu_handle who = say(state, type, event, item, words, size);
    if (!who || !is_seen(state, who))
        return false;
    words[0] = (char)toupper((unsigned char)words[0]);
    return true;
}

void words_of_end(const dungeon_state *state, char *words, size_t size)
{
    if (state->game.phase != KIFU_PHASE_GAME_OVER)
        snprintf(words, size, "on level %u", state->level);
    else if (state->won)
        snprintf(words, size, "won: the hero has the amulet");
    else if (state->killer == DUNGEON_KIND_HERO)
        snprintf(words, size, "lost: the hero died on level %u", state->level);
    else
        snprintf(words, size, "lost: %s %s killed the hero on level %u",
                 strchr("aeiou", *beings[state->killer].name) ? "an" : "a", beings[state->killer].name, state->level);
}
