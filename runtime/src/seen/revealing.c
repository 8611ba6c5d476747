// Which live events show a player a hidden value that this player did not see before: they get KIFU_REVEALS, as if
// their Do had called kifu_reveal. Games that hide something attach this part to each of their timelines.

#include "core/timeline.h"

// Of each player a bit for each hidden value: whether the player sees it.
typedef struct revealing {
    kifu__part part;
    uint32_t words;   // of one player
    uint32_t place;   // After so many events it was as `before` says;
    uint32_t players; // for so many players.
    uint64_t *before, *after;
} revealing;

static void look_at_hiding(const kifu_timeline *timeline, const revealing *own, uint64_t *bits, uint32_t players)
{
    memset(bits, 0, (size_t)own->words * players * sizeof *bits);
    for (uint32_t player = 0; player < players; player++)
        timeline->rules->hiding->visible(timeline->core.state, (int)player, bits + (size_t)player * own->words);
}

static void look_before_do(kifu_timeline *timeline, kifu__part *part)
{
    revealing *own = (revealing *)part;
    if (own->place == timeline->executed)
        return;
    own->place = timeline->executed;
    own->players = kifu__game(timeline)->player_count;
    look_at_hiding(timeline, own, own->before, own->players);
}

static void reveal_after_do(kifu_timeline *timeline, kifu__part *part, const kifu__live *live)
{
    revealing *own = (revealing *)part;
    const uint32_t were = own->players, players = kifu__game(timeline)->player_count;
    if (live->result)
        return; // It is taken back, so all is as before.
    look_at_hiding(timeline, own, own->after, players);
    uint64_t shown = 0; // What a new player sees was shown by no event.
    for (size_t i = 0; i < (size_t)own->words * (players < were ? players : were); i++)
        shown |= own->after[i] & ~own->before[i];
    if (shown)
        timeline->running.flags |= KIFU_REVEALS;
    uint64_t *before = own->before;
    own->before = own->after;
    own->after = before;
    own->players = players;
    own->place = timeline->executed + 1;
}

// Whoever goes from there by live events comes through `before_do`; but there are other ways to as many events.
static void reveal_changed(kifu_timeline *timeline, kifu__part *part, const kifu__change *change)
{
    (void)timeline;
    if (change->kind != KIFU__DONE)
        ((revealing *)part)->place = KIFU_NONE;
}

static void free_revealing(kifu_timeline *timeline, kifu__part *part)
{
    kifu__free(&timeline->memory, ((revealing *)part)->before);
    kifu__free(&timeline->memory, ((revealing *)part)->after);
}

static const kifu__part_table revealing_table = {.size = sizeof(revealing),
                                                 .order = KIFU__REVEALING,
                                                 .before_do = look_before_do,
                                                 .after_do = reveal_after_do,
                                                 .changed = reveal_changed,
                                                 .freed = free_revealing};

kifu_result kifu__attach_revealing(kifu_timeline *timeline)
{
    const uint32_t words = (timeline->rules->hiding->value_count + 63) / 64;
    const size_t size = (size_t)words * KIFU_MAX_PLAYERS * sizeof(uint64_t);
    revealing *own = (revealing *)kifu__attach(timeline, &revealing_table);
    if (own) {
        own->words = words;
        own->place = KIFU_NONE;
        own->before = (uint64_t *)kifu__new(&timeline->memory, size);
        own->after = (uint64_t *)kifu__new(&timeline->memory, size);
    }
    return own && own->before && own->after
               ? KIFU_OK
               : kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for what each player sees");
}
