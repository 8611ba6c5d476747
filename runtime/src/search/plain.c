// Trying where only checks and Do functions have a say: no event is sealed, no other part is asked. What does not
// simply happen is done again by the long way, which says what is wrong.

#include "core/attempt.h"
#include "search/search.h"

// The next proposal of the store has happened, or been dropped.
static void pass(kifu__queue *store, uint32_t size)
{
    store->base = store->head += kifu__proposal_size(size);
    store->count--;
    store->found_at = store->found = 0;
}

// Asks what waits next. `*result` is KIFU_REJECTED where it may not happen. False: the long way is needed.
static bool ask_plainly(kifu_timeline *timeline, kifu__proposal *proposal, kifu_result *result)
{
    kifu__resolution resolution = {.instead = false};
    const kifu__proposal original = *proposal;
    *result = kifu__resolve(timeline, proposal, &original, &resolution);
    return !timeline->aside.count && !resolution.instead && (!*result || *result == KIFU_REJECTED);
}

bool kifu__make_room(kifu_timeline *timeline, kifu__search *search, uint32_t number, uint32_t size)
{
    const kifu__memory *memory = &timeline->memory;
    if (number >= search->place_room) {
        uint32_t *places =
            (uint32_t *)kifu__grow(memory, search->places, &search->place_room, (uint64_t)number + 64, sizeof *places);
        if (!places)
            return false;
        search->places = places;
    }
    if (size > search->event_room) {
        unsigned char *event =
            (unsigned char *)kifu__grow(memory, search->event, &search->event_room, (uint64_t)size + 64, 1);
        if (!event)
            return false;
        search->event = event;
    }
    return true;
}

// Its Do runs on a copy, since what it submits may move the store. False: the long way is needed.
static bool happen(kifu_timeline *timeline, kifu__search *search, uint32_t type, uint32_t size)
{
    kifu__core *core = &timeline->core;
    kifu__queue *store = &timeline->consequences;
    const uint32_t at = store->head;
    const uint32_t number = timeline->executed - search->marks[0].executed;
    if ((number >= search->place_room || size > search->event_room) && !kifu__make_room(timeline, search, number, size))
        return false;
    if (!kifu__journal_open(&timeline->journal, core, &timeline->memory, timeline->running.input_first))
        return false;
    search->places[number] = at;
    kifu__copy_blob(search->event, store->bytes + at + sizeof(kifu__proposal), size);
    pass(store, size);
    kifu__running(timeline);
    core->phase = KIFU__DOING;
    const kifu_result result =
        timeline->rules->do_event(timeline, type, core->state, search->event, timeline->transient);
    if (kifu__has_handler(timeline, do_ends))
        timeline->dispatch->end_do(timeline, result);
    core->phase = KIFU__IDLE;
    kifu__journal_close(core);
    const bool drew = kifu__drew(timeline);
    if (result || timeline->fault.result)
        return false;
    if (drew)
        timeline->running.flags |= KIFU_RANDOM;
    if (timeline->running.flags)
        ((kifu__proposal *)(void *)(store->bytes + at))->flags |= timeline->running.flags;
    timeline->executed++;
    return true;
}

bool kifu__run_plainly(kifu_timeline *timeline, kifu__search *search, bool is_input, bool trusted, kifu_result *result)
{
    kifu__queue *store = &timeline->consequences;
    for (; store->count; is_input = false) {
        kifu__proposal *proposal = kifu__queue_first(store);
        const uint32_t type = proposal->type;
        timeline->core.player = proposal->player;
        if (kifu__is_asked(&timeline->rules->types[type]) && !(trusted && is_input)) {
            if (!ask_plainly(timeline, proposal, result))
                return false;
            if (*result && is_input)
                return true;
            if (*result) { // It did not happen: the rules are at work.
                pass(store, proposal->size);
                *result = KIFU_OK;
                continue;
            }
        }
        if (!happen(timeline, search, type, proposal->size))
            return false;
    }
    return true;
}
