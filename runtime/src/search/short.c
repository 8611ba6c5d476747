// Short tries, where there is more to do than what is inline.

#include "core/attempt.h"
#include "search/search.h"

void kifu__allow_shorts(kifu_timeline *timeline, kifu__search *search, bool allow)
{
    kifu__core *core = &timeline->core;
    if (allow && !search->shorts)
        search->shorts = (kifu__short *)kifu__new(&timeline->memory, KIFU__SHORTS * sizeof *search->shorts);
    core->shorts = core->next_short = core->last_short = search->shorts;
    core->executed = &timeline->executed;
    if (!allow || !search->shorts)
        return;
    core->last_short += KIFU__SHORTS;
    kifu__running(timeline);
    core->slow = 0; // It is looked at anew when the last try has been taken back.
}

// The next place of the store, and of everything else that an ordinary try has.
static void note(kifu_timeline *timeline, kifu__search *search, const kifu__short *tried, uint32_t event, uint32_t at)
{
    kifu__journal *journal = &timeline->journal;
    kifu__proposal *proposal = (kifu__proposal *)(void *)(timeline->consequences.bytes + at);
    *proposal = (kifu__proposal){
        .size = tried->size,
        .cause = KIFU_NONE,
        .type = tried->type,
        .player = tried->player,
        .flags = timeline->rules->types[tried->type].flags,
    };
    memcpy(kifu__proposal_blob(proposal), tried->event, tried->size);
    search->places[event - search->marks[0].executed] = at;
    journal->starts[journal->start_count++] = tried->journal;
    search->marks[timeline->core.tries].executed = event;
    search->marks[timeline->core.tries++].at = at;
}

bool kifu__note_shorts(kifu_timeline *timeline, kifu__search *search, bool with_next)
{
    kifu__core *core = &timeline->core;
    kifu__queue *store = &timeline->consequences;
    const uint32_t open = (uint32_t)(core->next_short - core->shorts), count = open + (with_next ? 1 : 0);
    const uint32_t first = timeline->executed - open, waiting = store->tail - store->head;
    uint32_t size = 0;
    for (uint32_t i = 0; i < count; i++)
        size += kifu__proposal_size(core->shorts[i].size);
    if (!count)
        return true;
    if (!kifu__make_mark(timeline, search, count) ||
        !kifu__make_room(timeline, search, first + count - search->marks[0].executed, 0) ||
        !kifu__journal_reserve(&timeline->journal, &timeline->memory, count) ||
        !kifu__queue_room(store, &timeline->memory, 0, size))
        return false;
    memmove(store->bytes + store->head + size, store->bytes + store->head, waiting);
    for (uint32_t i = 0; i < count; i++) {
        note(timeline, search, &core->shorts[i], first + i, store->head);
        store->head += kifu__proposal_size(core->shorts[i].size);
    }
    store->base = store->head;
    store->tail = store->head + waiting;
    store->found_at = store->found = 0;
    core->next_short = core->shorts;
    return true;
}
