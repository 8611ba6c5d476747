// What trying and asking share.

#include "search/search.h"

static void free_queues(kifu_timeline *timeline, kifu__queue *queues)
{
    for (uint32_t i = 0; i < 3; i++)
        kifu__queue_free(&queues[i], &timeline->memory);
}

static void free_search(kifu_timeline *timeline, kifu__part *part)
{
    kifu__search *search = (kifu__search *)part;
    for (uint32_t i = 0; i < search->made; i++) {
        if (search->marks[i].kept)
            kifu__free(&timeline->memory, search->marks[i].kept->bytes);
        kifu__free(&timeline->memory, search->marks[i].kept);
    }
    kifu__free(&timeline->memory, search->marks);
    kifu__free(&timeline->memory, search->event);
    kifu__free(&timeline->memory, search->places);
    kifu__free(&timeline->memory, search->shorts);
    kifu__queue_free(&search->store, &timeline->memory);
    free_queues(timeline, search->try_queues);
    free_queues(timeline, search->ask_queues);
    if (search->play_is_aside)
        free_queues(timeline, search->play.queues);
    kifu__branch_free(timeline, &search->hidden.branch);
}

static bool seal_all(kifu_timeline *timeline, kifu__part *part)
{
    (void)part;
    return kifu__settle(timeline);
}

static const kifu__part_table search_table = {.size = sizeof(kifu__search),
                                              .order = KIFU__SEARCH,
                                              .seals = seal_all,
                                              .freed = free_search,
                                              .tried_at = kifu__tried_at};

kifu__search *kifu__search_attach(kifu_timeline *timeline, const char *what)
{
    if (!timeline->search)
        timeline->search = kifu__attach(timeline, &search_table);
    if (!timeline->search)
        kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for %s", what);
    return (kifu__search *)timeline->search;
}

// --- Play ------------------------------------------------------------------------------------------------------------

// What takes place in a search besides checks and Do functions: hooks, reactions, actions of actors. No other part
// is called.
#define HANDLERS                                                                                                       \
    (KIFU__HANDLER(asked) | KIFU__HANDLER(reacts) | KIFU__HANDLER(fails) | KIFU__HANDLER(ran_away) |                   \
     KIFU__HANDLER(holds) | KIFU__HANDLER(cut) | KIFU__HANDLER(keeps) | KIFU__HANDLER(returns) |                       \
     KIFU__HANDLER(do_ends) | KIFU__HANDLER(branches) | KIFU__HANDLER(settles) | KIFU__HANDLER(seals))

bool kifu__search_is_plain(const kifu_timeline *timeline)
{
    const uint32_t has_a_say = KIFU__HANDLER(asked) | KIFU__HANDLER(reacts) | KIFU__HANDLER(keeps) | KIFU__HANDLER(ran);
    return !(timeline->handlers & has_a_say) && !timeline->rules->turns;
}

void kifu__leave_play(kifu_timeline *timeline, kifu__search *search)
{
    search->player = timeline->core.player;
    search->input_first = timeline->running.input_first;
    search->consequence_count = timeline->running.consequence_count;
    search->last_ticket = timeline->last_ticket;
    timeline->handlers |= KIFU__HANDLER(seals);
    timeline->core.phase = KIFU__TRYING;
}

void kifu__return_to_play(kifu_timeline *timeline, const kifu__search *search)
{
    timeline->core.player = search->player;
    timeline->running.input_first = search->input_first;
    timeline->running.consequence_count = search->consequence_count;
    timeline->last_ticket = search->last_ticket;
    timeline->handlers &= ~KIFU__HANDLER(seals);
    timeline->core.phase = KIFU__IDLE;
}

void kifu__keep_journal(kifu_timeline *timeline, kifu__search *search, uint32_t first)
{
    search->keep_from = timeline->journal.keep_from;
    if (timeline->journal.keep_from > first)
        timeline->journal.keep_from = first;
}

static void change_queues(kifu_timeline *timeline, const kifu__queue *queues)
{
    timeline->inputs = queues[0];
    timeline->aside = queues[1];
    timeline->alternate = queues[2];
}

void kifu__set_play_aside(kifu_timeline *timeline, kifu__set_aside *play, kifu__queue *queues)
{
    *play = (kifu__set_aside){
        .handlers = timeline->handlers & ~KIFU__HANDLER(seals),
        .quiet = timeline->quiet,
        .delay = timeline->delay,
        .acting = timeline->running.acting,
        .last_ticket = timeline->last_ticket,
        .queues = {timeline->inputs, timeline->aside, timeline->alternate},
    };
    change_queues(timeline, queues);
    kifu__changed(timeline);
    timeline->handlers &= HANDLERS;
    timeline->quiet = true;
    timeline->running.acting = KIFU_NO_HANDLE;
}

void kifu__bring_play_back(kifu_timeline *timeline, const kifu__set_aside *play, kifu__queue *queues)
{
    kifu__changed(timeline); // What waits, and who hears of it.
    queues[0] = timeline->inputs;
    queues[1] = timeline->aside;
    queues[2] = timeline->alternate;
    for (uint32_t i = 0; i < 3; i++)
        kifu__queue_cut(&queues[i], 0, 0);
    change_queues(timeline, play->queues);
    timeline->handlers = play->handlers | (timeline->handlers & HANDLERS); // A part may have been attached.
    timeline->quiet = play->quiet;
    timeline->delay = play->delay;
    timeline->running.acting = play->acting;
    timeline->last_ticket = play->last_ticket;
}

// --- The log ---------------------------------------------------------------------------------------------------------

static bool no_memory_for_events(kifu_timeline *timeline)
{
    kifu__fault(timeline, KIFU_NO_MEMORY, "out of memory for the events of a try");
    return false;
}

void kifu__hide_log(kifu_timeline *timeline, kifu__search *search)
{
    if (search->hidden.left)
        return;
    search->keyframe_count = timeline->keyframes.count;
    search->due_from = timeline->due.from;
    search->due = timeline->due.at;
    kifu__hidden_begin(timeline, &search->hidden, search->marks[0].executed);
    timeline->due.from = search->marks[0].executed;
    timeline->due.at = KIFU_NONE;
}

void kifu__show_log(kifu_timeline *timeline, kifu__search *search)
{
    if (!search->hidden.left)
        return;
    kifu__hidden_drop(timeline, &search->hidden);
    kifu__changed(timeline);
    timeline->keyframes.count = search->keyframe_count;
    timeline->due.from = search->due_from;
    timeline->due.at = search->due;
}

static bool seal_proposal(kifu_timeline *timeline, kifu__proposal *proposal)
{
    const uint32_t event = timeline->log.branch->end;
    const uint32_t distance = proposal->cause == KIFU_NONE ? 0 : event - proposal->cause;
    const kifu__mark mark = {
        .cause = distance > UINT16_MAX ? 0 : (uint16_t)distance,
        .player = proposal->player,
        .flags = proposal->flags,
    };
    const void *table;
    return !kifu__log_append(&timeline->log, proposal->type, kifu__proposal_blob(proposal), proposal->size, mark,
                             &table);
}

static kifu__proposal *in_store(const kifu_timeline *timeline, const kifu__search *search, uint32_t event)
{
    const uint32_t place = search->places[event - search->marks[0].executed];
    return (kifu__proposal *)(void *)(timeline->consequences.bytes + place);
}

bool kifu__settle(kifu_timeline *timeline)
{
    kifu__search *search = (kifu__search *)timeline->search;
    if (!kifu__note_shorts(timeline, search, false))
        return no_memory_for_events(timeline);
    kifu__hide_log(timeline, search);
    while (timeline->log.branch->end < timeline->executed) {
        if (!seal_proposal(timeline, in_store(timeline, search, timeline->log.branch->end)))
            return no_memory_for_events(timeline);
    }
    return true;
}

bool kifu__tried_at(const kifu_timeline *timeline, uint32_t index, kifu_event *event)
{
    const kifu__search *search = (const kifu__search *)timeline->search;
    const kifu__core *core = &timeline->core;
    const uint32_t noted = timeline->executed - (uint32_t)(core->next_short - core->shorts);
    if (index >= noted) {
        const kifu__short *tried = &core->shorts[index - noted];
        *event = (kifu_event){
            .index = index,
            .type = tried->type,
            .name = timeline->rules->types[tried->type].table->name,
            .table = tried->event,
            .cause = KIFU_NONE,
            .player = (int8_t)tried->player,
            .flags = timeline->rules->types[tried->type].flags,
            .rules_version = timeline->rules->rules_version,
        };
        return true;
    }
    const kifu__proposal *proposal = in_store(timeline, search, index);
    const bool far = proposal->cause != KIFU_NONE && index - proposal->cause > UINT16_MAX; // as in the log
    *event = (kifu_event){
        .index = index,
        .type = proposal->type,
        .name = timeline->rules->types[proposal->type].table->name,
        .table = proposal + 1,
        .cause = far ? KIFU_NONE : proposal->cause,
        .player = proposal->player,
        .flags = proposal->flags,
        .rules_version = timeline->rules->rules_version,
    };
    return true;
}
