// Whether an event may be played: its check and hooks are asked, and nothing happens.

#include <kifu/search.h>

#include "core/resolve.h"
#include "search/search.h"

static bool require_askable(kifu_timeline *timeline)
{
    const kifu__phase phase = timeline->core.phase;
    if (phase == KIFU__DOING || phase == KIFU__REPLAYING || phase == KIFU__CHECKING) {
        kifu__misuse(timeline,
                     "it was asked in a Do function, a check or a hook whether an event may be played: ask from "
                     "outside, or in a reaction or a view function");
        return false;
    }
    return !kifu__require_present(timeline, "a question whether an event may be played");
}

bool kifu__can_open(kifu_timeline *timeline)
{
    if (!require_askable(timeline))
        return false;
    kifu__search *search = kifu__search_attach(timeline, "the question whether an event may be played");
    if (!search)
        return false;
    kifu__set_play_aside(timeline, &search->asked, search->ask_queues);
    search->asked_fault = timeline->fault;
    search->asked_phase = timeline->core.phase;
    search->asked_player = timeline->core.player;
    search->asked_event = timeline->core.event;
    timeline->core.phase = KIFU__IDLE;
    timeline->fault.result = KIFU_OK;
    return true;
}

// The proposal, and what is tried in its place, until one is accepted.
static kifu_result ask_for_try(kifu_timeline *timeline)
{
    kifu__proposal *proposal = kifu__queue_first(&timeline->inputs);
    if (timeline->fault.result || !proposal)
        return kifu__report_fault(timeline);
    const kifu__proposal original = *proposal;
    kifu__resolution resolution = {.instead = false};
    timeline->core.event = timeline->executed;
    for (uint32_t tried = 0;; tried++) {
        resolution.instead = false;
        resolution.hook = NULL;
        timeline->core.player = proposal->player;
        kifu_result result = KIFU_OK;
        if (kifu__is_asked(&timeline->rules->types[proposal->type]))
            result = kifu__resolve(timeline, proposal, &original, &resolution);
        if (result || !resolution.instead)
            return result;
        if (tried == timeline->options.max_alternates)
            return kifu__error(
                &timeline->error, KIFU_RUNAWAY, "%s may not be played: more than %u events would be tried in its place",
                timeline->rules->types[original.type].table->name, (unsigned)timeline->options.max_alternates);
        proposal = kifu__queue_first(&timeline->alternate);
    }
}

bool kifu__can_ask(kifu_timeline *timeline)
{
    kifu__search *search = kifu__search_attach(timeline, "a question"); // It is there.
    const kifu_result result = ask_for_try(timeline);
    kifu__bring_play_back(timeline, &search->asked, search->ask_queues);
    timeline->core.phase = search->asked_phase;
    timeline->core.player = search->asked_player;
    timeline->core.event = search->asked_event;
    timeline->fault = search->asked_fault;
    return !result;
}

bool kifu__can(kifu_timeline *timeline, uint32_t type, int player, const void *table, uint32_t size)
{
    if (!kifu__can_open(timeline))
        return false;
    kifu__submit(timeline, type, player, table, size);
    return kifu__can_ask(timeline);
}
