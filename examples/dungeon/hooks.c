// Each hook is asked before an event happens, for one scope of it: the level, the cell, the target, the performer. The
// subject of the scope "cell" is what the cell is made of; of "target" and "performer" it is a handle. Hooks never run
// in a replay: the log has the events as they left them.

#include "hooks.h"

#include "kinds.h"
#include "rules.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" // a function uses what it needs of what it gets

enum { SILENT_LEVEL = 2, ECHOING_LEVEL = 3, MUD_FACTOR = 2, SHRINE_DAMAGE = 2, SPIKE_DAMAGE = 1 };

static const item_kind *kind_of(const dungeon_state *state, kifu_handle item)
{
    const dungeon_item *worn = dungeon_get_items(state, item); // NULL when it has gone: stale handles lead nowhere
    return worn ? &things[worn->thing] : NULL;
}

static bool wears(const dungeon_state *state, uint64_t being, dungeon_thing thing)
{
    const dungeon_being *wearer = dungeon_get_actors(state, (kifu_handle)being);
    return wearer && kind_of(state, wearer->armour) == &things[thing];
}

// --- Levels ----------------------------------------------------------------------------------------------------------

/// Rejects every event that is magic: a caster, person or monster, gets the reason. The scroll is not used up, and no
/// time passes.
static kifu_verdict silence(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed)
{
    return kifu_reject("the silence of this level swallows the spell");
}

/// Submits more: a blow echoes, and the first who still sleeps wakes up.
static kifu_verdict echo(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed)
{
    kifu_handle handle = KIFU_NO_HANDLE;
    while ((handle = dungeon_next_actors(state, handle))) {
        if (dungeon_get_actors(state, handle)->actor.speed == 0) {
            dungeon_submit_e_wake(timeline, handle);
            break;
        }
    }
    return kifu_accept();
}

// --- Cells -----------------------------------------------------------------------------------------------------------

/// Modifies: a step into mud takes twice as long; not for who flies.
static kifu_verdict mud(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed)
{
    dungeon_p_move *move = proposed->event;
    const dungeon_being *being = dungeon_get_actors(state, move->actor);
    if (being && !beings[being->kind].flies)
        move->cost *= MUD_FACTOR;
    return kifu_accept();
}

/// Modifies: a blow from a shrine hits harder.
static kifu_verdict shrine(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed)
{
    dungeon_e_attempt *attempt = proposed->event;
    attempt->damage = (int16_t)(attempt->damage + SHRINE_DAMAGE);
    return kifu_accept();
}

// --- What is wielded and worn ----------------------------------------------------------------------------------------

/// Modifies: what the performer wields.
static kifu_verdict weapon(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed)
{
    dungeon_e_attempt *attempt = proposed->event;
    const dungeon_being *being = dungeon_get_actors(state, (kifu_handle)proposed->subject);
    const item_kind *wielded = being ? kind_of(state, being->weapon) : NULL;
    if (wielded) {
        attempt->skill = (int16_t)(attempt->skill + wielded->skill);
        attempt->damage = (int16_t)(attempt->damage + wielded->damage);
    }
    return kifu_accept();
}

/// Replaces: who wears mirror mail throws a spell back at who cast it. Once: two mirrors do not play ball.
static kifu_verdict mirror(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed)
{
    const dungeon_e_damage *damage = proposed->event;
    if (!damage->magic || damage->reflected || !wears(state, proposed->subject, DUNGEON_THING_MIRROR_MAIL))
        return kifu_accept();
    dungeon_e_damage_args back = dungeon_e_damage_defaults();
    back.performer = damage->target;
    back.target = damage->performer;
    back.amount = damage->amount;
    back.magic = true;
    back.reflected = true;
    return kifu_instead(dungeon_submit_e_damage(timeline, &back));
}

/// Submits more: who strikes somebody in spiked mail is stung. Nobody performs that.
static kifu_verdict spikes(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed)
{
    const dungeon_e_damage *damage = proposed->event;
    if (damage->magic || !damage->performer || !wears(state, proposed->subject, DUNGEON_THING_SPIKED_MAIL))
        return kifu_accept();
    dungeon_e_damage_args sting = dungeon_e_damage_defaults();
    sting.target = damage->performer;
    sting.amount = SPIKE_DAMAGE;
    dungeon_submit_e_damage(timeline, &sting);
    return kifu_accept();
}

/// Changes the damage, or rejects it if none is left: what the target wears.
static kifu_verdict armour(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed)
{
    dungeon_e_damage *damage = proposed->event;
    const dungeon_being *being = dungeon_get_actors(state, (kifu_handle)proposed->subject);
    const item_kind *worn = being ? kind_of(state, being->armour) : NULL;
    if (!worn || damage->magic)
        return kifu_accept();
    if (damage->amount <= worn->protection)
        return kifu_reject(proposed->subject == ((const dungeon_state *)state)->hero ? "your armour holds"
                                                                                     : "its armour holds");
    damage->amount = (int16_t)(damage->amount - worn->protection);
    return kifu_accept();
}

static const kifu_observer hooks[] = {
    {
        .hook = silence,
        .tags = DUNGEON_TAG_MAGIC,
        .scope = DUNGEON_SCOPE_LEVEL,
        .subject = SILENT_LEVEL,
        .name = "silence",
    },
    {
        .hook = echo,
        .type = DUNGEON_P_STRIKE,
        .scope = DUNGEON_SCOPE_LEVEL,
        .subject = ECHOING_LEVEL,
        .name = "echo",
    },
    {
        .hook = mud,
        .type = DUNGEON_P_MOVE,
        .scope = DUNGEON_SCOPE_CELL,
        .subject = DUNGEON_TILE_MUD,
        .name = "mud",
    },
    {
        .hook = shrine,
        .type = DUNGEON_E_ATTEMPT,
        .scope = DUNGEON_SCOPE_CELL,
        .subject = DUNGEON_TILE_SHRINE,
        .name = "shrine",
    },
    {
        .hook = weapon,
        .type = DUNGEON_E_ATTEMPT,
        .scope = DUNGEON_SCOPE_PERFORMER,
        .subject = KIFU_ANY_SUBJECT,
        .name = "weapon",
    },
    {
        .hook = mirror,
        .type = DUNGEON_E_DAMAGE,
        .scope = DUNGEON_SCOPE_TARGET,
        .subject = KIFU_ANY_SUBJECT,
        .name = "mirror mail",
    },
    {
        .hook = spikes,
        .type = DUNGEON_E_DAMAGE,
        .scope = DUNGEON_SCOPE_TARGET,
        .subject = KIFU_ANY_SUBJECT,
        .name = "spiked mail",
    },
    {
        .hook = armour,
        .type = DUNGEON_E_DAMAGE,
        .scope = DUNGEON_SCOPE_TARGET,
        .subject = KIFU_ANY_SUBJECT,
        .name = "armour",
    },
};

const kifu_observers dungeon_hooks = KIFU_OBSERVERS(hooks);
