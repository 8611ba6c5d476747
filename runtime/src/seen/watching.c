// The part of a watcher: what is confirmed, and how far it predicts.

#include <kifu/watch.h>

#include "seen/watch.h"

static void free_watching(kifu_timeline *timeline, kifu__part *part)
{
    kifu__watching *own = (kifu__watching *)(void *)part;
    kifu__queue_free(&own->incoming, &timeline->memory);
    kifu__free(&timeline->memory, own->event.bytes);
    kifu__free(&timeline->memory, own->local.bytes);
    kifu__free(&timeline->memory, own->state);
    kifu__free(&timeline->memory, own->visible);
}

// It was loaded, or is a fork: then all of it was seen.
static void watching_called(kifu_timeline *timeline, kifu__part *part, kifu__call call, const kifu__proposal *proposal,
                            unsigned flags)
{
    kifu__watching *own = (kifu__watching *)(void *)part;
    (void)proposal;
    (void)flags;
    if (call == KIFU__CALL_OTHER && !own->follows)
        own->confirmed = timeline->executed;
}

// With this, no event of a watcher takes a short way, which would not ask for these rules.
static void watching_ran(kifu_timeline *timeline, kifu__part *part, uint32_t event, const char *who, const char *whose)
{
    (void)timeline;
    (void)part;
    (void)event;
    (void)who;
    (void)whose;
}

// What was left for the answer is no failure, but in a try.
static void watching_fails(kifu_timeline *timeline, kifu__part *part, bool done)
{
    kifu__watching *own = (kifu__watching *)(void *)part;
    if (!done || !own->leaves)
        return;
    own->leaves = false;
    if (kifu__has_handler(timeline, seals) || timeline->transactions.searching)
        return;
    own->awaits = true;
    kifu__queue_cut(&timeline->consequences, 0, 0);
    kifu__queue_cut(&timeline->inputs, 0, 0);
    timeline->error.result = KIFU_OK;
}

static const kifu__part_table watching_table = {.size = sizeof(kifu__watching),
                                                .order = KIFU__SEEN,
                                                .called = watching_called,
                                                .ran = watching_ran,
                                                .fails = watching_fails,
                                                .freed = free_watching};

kifu__watching *kifu__watching_of(const kifu_timeline *timeline)
{
    return (kifu__watching *)(void *)kifu__part_of(timeline, &watching_table);
}

// Of a bit for each hidden value.
static uint32_t visible_words(const kifu_timeline *timeline)
{
    const kifu__hiding *hiding = timeline->rules->game->hiding;
    return hiding ? (hiding->value_count + 63) / 64 : 0;
}

kifu_result kifu__attach_watching(kifu_timeline *timeline)
{
    if (timeline->options.reset)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "a watcher has its state from messages alone: it cannot keep its model outside the state");
    kifu__watching *own = (kifu__watching *)(void *)kifu__attach(timeline, &watching_table);
    const uint32_t words = visible_words(timeline);
    if (own && words)
        own->visible = (uint64_t *)kifu__new(&timeline->memory, 2 * (size_t)words * sizeof *own->visible);
    if (!own || (words && !own->visible))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a watcher");
    kifu__watch(timeline, &own->dropped);
    return KIFU_OK;
}

static void look_at_visible(const kifu_timeline *timeline, uint64_t *visible, uint32_t words)
{
    const kifu__watch_rules *rules = kifu__watch_rules_of(timeline);
    memset(visible, 0, words * sizeof *visible);
    timeline->rules->game->hiding->visible(timeline->core.state, rules->viewer, visible);
}

void kifu__before_prediction(kifu_timeline *timeline)
{
    const uint32_t words = visible_words(timeline);
    if (words)
        look_at_visible(timeline, kifu__watching_of(timeline)->visible, words);
}

bool kifu__prediction_reveals(kifu_timeline *timeline)
{
    const uint32_t words = visible_words(timeline);
    const uint64_t *before = kifu__watching_of(timeline)->visible;
    if (words)
        look_at_visible(timeline, kifu__watching_of(timeline)->visible + words, words);
    for (uint32_t i = 0; i < words; i++) {
        if (before[words + i] & ~before[i])
            return true;
    }
    return false;
}

const char *kifu__may_predict(const kifu_timeline *timeline, uint32_t type)
{
    const kifu__watching *own = kifu__watching_of(timeline);
    const int viewer = kifu__watch_rules_of(timeline)->viewer;
    if (!timeline->rules->types[type].is_player)
        return NULL;
    if (viewer < 0 || timeline->core.player != viewer)
        return "here, only the viewer's own moves can be played";
    if (own->awaits)
        return "the answer to the move before has not come yet";
    return timeline->executed < own->confirmed ? "the game has gone on: redo first" : NULL;
}

kifu_result kifu__leave_for_answer(kifu_timeline *timeline)
{
    kifu__watching_of(timeline)->leaves = true;
    return kifu_fail(timeline, "what happens now is known only where the whole game is");
}

// Up to where messages have confirmed what is here.
uint32_t kifu__find_confirmed(kifu_timeline *timeline, kifu__watching *own)
{
    const uint32_t cut = kifu__ask_watcher(timeline, &own->dropped);
    own->confirmed = cut < own->confirmed ? cut : own->confirmed;
    return own->confirmed;
}

uint32_t kifu_watched(const kifu_timeline *timeline)
{
    kifu_timeline *own = (kifu_timeline *)(uintptr_t)timeline; // It only asks what was dropped.
    kifu__watching *watching = kifu__watching_of(timeline);
    return watching ? kifu__find_confirmed(own, watching) : 0;
}
