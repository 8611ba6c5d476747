// What trying and asking share.

#include "search/search.h"

static void free_queues(kifu_timeline *timeline, kifu__queue *queues)
{
    for (uint32_t i = 0; i < 4; i++)
        kifu__queue_free(&queues[i], &timeline->memory);
}

static void freed(kifu_timeline *timeline, kifu__part *part)
{
    kifu__search *search = (kifu__search *)part;
    for (uint32_t i = 0; i < search->made; i++) {
        if (search->marks[i].kept)
            kifu__free(&timeline->memory, search->marks[i].kept->bytes);
        kifu__free(&timeline->memory, search->marks[i].kept);
    }
    kifu__free(&timeline->memory, search->marks);
    free_queues(timeline, search->try_queues);
    free_queues(timeline, search->ask_queues);
}

static const kifu__part_table table = {.size = sizeof(kifu__search), .order = KIFU__SEARCH, .freed = freed};

kifu__search *kifu__search_attach(kifu_timeline *timeline, const char *call)
{
    kifu__search *search = (kifu__search *)kifu__attach(timeline, &table);
    if (!search)
        kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for %s", call);
    return search;
}

// What of the parts takes place in a search: hooks, reactions, actions of actors. Nobody else is to know of it.
#define HEARD                                                                                                          \
    (KIFU__HEARS(asked) | KIFU__HEARS(reacts) | KIFU__HEARS(fails) | KIFU__HEARS(ran_away) | KIFU__HEARS(holds) |      \
     KIFU__HEARS(cut) | KIFU__HEARS(keeps) | KIFU__HEARS(returns))

void kifu__set_aside_play(kifu_timeline *timeline, kifu__set_aside *play, kifu__queue *queues)
{
    *play = (kifu__set_aside){
        .phase = timeline->core.phase,
        .player = timeline->core.player,
        .event = timeline->core.event,
        .heard = timeline->heard,
        .quiet = timeline->quiet,
        .delay = timeline->delay,
        .input_first = timeline->input_first,
        .consequence_count = timeline->consequence_count,
        .last_ticket = timeline->last_ticket,
        .acting = timeline->acting,
        .consequences = timeline->consequences,
        .inputs = timeline->inputs,
        .aside = timeline->aside,
        .alternate = timeline->alternate,
    };
    timeline->consequences = queues[0];
    timeline->inputs = queues[1];
    timeline->aside = queues[2];
    timeline->alternate = queues[3];
    timeline->core.phase = KIFU__IDLE;
    timeline->heard &= HEARD;
    timeline->quiet = true;
    timeline->acting = KIFU_NO_HANDLE;
}

static kifu__queue emptied(kifu__queue queue)
{
    kifu__queue_cut(&queue, 0, 0);
    return queue;
}

void kifu__bring_play_back(kifu_timeline *timeline, const kifu__set_aside *play, kifu__queue *queues)
{
    queues[0] = emptied(timeline->consequences);
    queues[1] = emptied(timeline->inputs);
    queues[2] = emptied(timeline->aside);
    queues[3] = emptied(timeline->alternate);
    timeline->consequences = play->consequences;
    timeline->inputs = play->inputs;
    timeline->aside = play->aside;
    timeline->alternate = play->alternate;
    timeline->core.phase = play->phase;
    timeline->core.player = play->player;
    timeline->core.event = play->event;
    timeline->heard = play->heard | (timeline->heard & HEARD); // A part may have been attached.
    timeline->quiet = play->quiet;
    timeline->delay = play->delay;
    timeline->input_first = play->input_first;
    timeline->consequence_count = play->consequence_count;
    timeline->last_ticket = play->last_ticket;
    timeline->acting = play->acting;
}
