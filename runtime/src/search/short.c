// Short tries, where there is more to do than what is inline.
//
// A short try is one Do from which nothing follows: its event lies in a small store, and taking it back copies the
// journal's windows back. Only when more happens does it become an ordinary try, with all that one has.

#include "core/attempt.h"
#include "search/search.h"

void kifu__allow_shorts(kifu_timeline *timeline, kifu__search *search, bool allow)
{
    kifu__core *core = &timeline->core;
    if (allow && !search->shorts)
        search->shorts = (kifu__short *)kifu__new(&timeline->memory, KIFU__SHORTS * sizeof *search->shorts);
    core->shorts = core->inner_short = core->next_short = core->last_short = search->shorts;
    if (!allow || !search->shorts)
        return;
    core->last_short += KIFU__SHORTS;
    search->entries = core->journal_entries;
    timeline->running.consequence_count = 0;
    kifu__running(timeline);
    core->slow = 0; // It is looked at anew when the last try has been taken back.
}

bool kifu__first_short(kifu_timeline *timeline)
{
    kifu__core *core = &timeline->core;
    // Where a transaction holds consequences, their queue cannot be the store.
    if (core->phase != KIFU__IDLE || !kifu__search_is_plain(timeline) || timeline->options.reset ||
        timeline->consequences.base || (core->slow && kifu__find_slow(timeline)))
        return false;
    kifu__search *search = kifu__search_attach(timeline, "a try; it was not opened");
    if (!search)
        return false;
    kifu__allow_shorts(timeline, search, true);
    if (!search->shorts)
        return false;
    core->inner_short = core->shorts + 1;
    kifu__leave_play(timeline, search);
    return true;
}

kifu_result kifu__try_refused(kifu_timeline *timeline, uint32_t type, int player, const void *event, uint32_t size,
                              kifu_verdict verdict)
{
    if (!verdict.reason || timeline->core.slow) {
        kifu__forget_reason(timeline);
        return kifu__try(timeline, type, player, event, size, false);
    }
    if (!kifu_open_tries(timeline))
        kifu__return_to_play(timeline, (kifu__search *)timeline->search);
    kifu__error(&timeline->error, KIFU_REJECTED, "%s was rejected: %s", timeline->rules->types[type].table->name,
                verdict.reason);
    kifu__error_ends_in(&timeline->error, verdict.reason);
    return KIFU_REJECTED;
}

void kifu__end_short(kifu_timeline *timeline, kifu__search *search)
{
    kifu__core *core = &timeline->core;
    kifu__take_short_back(core);
    if (kifu_open_tries(timeline))
        core->slow = 0;
    else
        kifu__return_to_play(timeline, search);
}

// In the store.
static uint32_t size_of(const kifu_timeline *timeline, const kifu__short *tried)
{
    return kifu__proposal_size(timeline->rules->types[tried->type].size);
}

void kifu__move_shorts(const kifu_timeline *timeline, kifu__search *search)
{
    kifu__journal_entry *const entries = timeline->core.journal_entries;
    for (kifu__short *tried = search->shorts; tried <= timeline->core.next_short; tried++)
        tried->journal = entries + (tried->journal - search->entries);
    search->entries = entries;
}

// The next place of the store, and of everything else that an ordinary try has.
static void note_short(kifu_timeline *timeline, kifu__search *search, const kifu__short *tried, uint32_t event,
                       uint32_t at)
{
    kifu__journal *journal = &timeline->journal;
    kifu__proposal *proposal = (kifu__proposal *)(void *)(timeline->consequences.bytes + at);
    *proposal = (kifu__proposal){
        .size = timeline->rules->types[tried->type].size,
        .cause = KIFU_NONE,
        .type = (uint8_t)tried->type,
        .player = (int8_t)tried->player,
        .flags = timeline->rules->types[tried->type].flags,
    };
    memcpy(kifu__proposal_blob(proposal), tried->event, proposal->size);
    journal->starts[journal->start_count++] = (uint32_t)(tried->journal - journal->entries);
    search->marks[timeline->core.tries].executed = event;
    search->marks[timeline->core.tries++].at = at;
    search->places[event - search->marks[0].executed] = at;
}

bool kifu__note_shorts(kifu_timeline *timeline, kifu__search *search, bool with_next)
{
    kifu__core *core = &timeline->core;
    kifu__queue *store = &timeline->consequences;
    const uint32_t open = (uint32_t)(core->next_short - core->shorts), count = open + (with_next ? 1 : 0);
    const uint32_t first = timeline->executed - open, waiting = store->tail - store->head;
    uint32_t size = 0;
    for (uint32_t i = 0; i < count; i++)
        size += size_of(timeline, &core->shorts[i]);
    if (!count)
        return true;
    if (!kifu__make_mark(timeline, search, count) ||
        !kifu__make_room(timeline, search, first + count - (core->tries ? search->marks[0].executed : first), 0) ||
        !kifu__journal_reserve(&timeline->journal, &timeline->memory, count) ||
        !kifu__queue_room(store, &timeline->memory, 0, size))
        return false;
    if (!core->tries)
        kifu__keep_journal(timeline, search, first);
    memmove(store->bytes + store->head + size, store->bytes + store->head, waiting);
    for (uint32_t i = 0; i < count; i++) {
        note_short(timeline, search, &core->shorts[i], first + i, store->head);
        store->head += size_of(timeline, &core->shorts[i]);
    }
    store->base = store->head;
    store->tail = store->head + waiting;
    store->found_at = store->found = 0;
    core->inner_short = core->next_short = core->shorts;
    return true;
}
