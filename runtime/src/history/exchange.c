#include "history/exchange.h"

#define EXCHANGE(type, one, other)                                                                                     \
    do {                                                                                                               \
        type kept = one;                                                                                               \
        one = other;                                                                                                   \
        other = kept;                                                                                                  \
    } while (0)

// Its first branch is a member of it.
static void settle_exchange(kifu_timeline *timeline, const kifu__branch *was)
{
    kifu__log *log = &timeline->log;
    log->memory = timeline->memory;
    if (log->branch == was)
        log->branch = &log->first;
    log->first.far = &log->first;
    log->first.followed = log->first.end;
    for (kifu__part *part = timeline->parts; part; part = part->next) {
        if (part->table->exchanged)
            part->table->exchanged(timeline, part, was);
    }
}

static void exchange(kifu_timeline *timeline, kifu_timeline *loaded)
{
    for (kifu__part *part = timeline->parts; part; part = part->next) {
        kifu__part *other = part->table->exchanged ? kifu__part_of(loaded, part->table) : NULL;
        unsigned char *one = (unsigned char *)part, *two = (unsigned char *)other;
        for (uint32_t i = sizeof *part; other && i < part->table->size; i++)
            EXCHANGE(unsigned char, one[i], two[i]);
    }
    const uint32_t settles = KIFU__HANDLER(settles); // Of a line that has only begun.
    timeline->handlers = (timeline->handlers & ~settles) | (loaded->handlers & settles);
    timeline->due.compare = loaded->due.compare;
    EXCHANGE(kifu__log, timeline->log, loaded->log);
    EXCHANGE(kifu__keyframes, timeline->keyframes, loaded->keyframes);
    EXCHANGE(kifu__queue, timeline->consequences, loaded->consequences);
    EXCHANGE(kifu__queue, timeline->inputs, loaded->inputs);
    EXCHANGE(unsigned char *, timeline->origin, loaded->origin);
    settle_exchange(timeline, &loaded->log.first);
    settle_exchange(loaded, &timeline->log.first);
    memcpy(timeline->core.state, loaded->core.state, timeline->rules->state_size);
    timeline->executed = loaded->executed;
    timeline->running = loaded->running;
    timeline->transactions.floor = timeline->log.begin;
    timeline->last_ticket = loaded->last_ticket;
    timeline->delay = 0;
    timeline->tree.changes += loaded->tree.changes + 1; // More than any note of either has.
    timeline->log.cut_at = 0;
    kifu__journal_clear(&timeline->journal, &timeline->core, timeline->executed);
    kifu__find_due(timeline);
}

kifu_result kifu__become(kifu_timeline *timeline, kifu_timeline *loaded, kifu_error *fault)
{
    kifu__standing waited = {.parts = NULL};
    kifu_result result = KIFU_OK;
    bool good = kifu__keep(timeline, &waited);
    if (good && kifu__has_handler(timeline, returns))
        (void)timeline->dispatch->restore(timeline, NULL);
    if (good && !kifu__parts_copy(loaded, timeline)) {
        kifu__bring_back(timeline, &waited);
        good = false;
    }
    if (good) {
        exchange(timeline, loaded);
        if (kifu__has_handler(timeline, called))
            timeline->dispatch->called(timeline, KIFU__CALL_OTHER, NULL, 0);
        kifu__moved(timeline, KIFU__JUMPED);
        kifu__changed(timeline);
        if (kifu__has_handler(timeline, dropped))
            timeline->dispatch->dropped(timeline, 0);
        if (kifu__show_anew(timeline, KIFU_OK))
            *fault = timeline->error;
    } else
        result = kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a game; nothing was changed");
    kifu__standing_free(&waited, &timeline->memory);
    kifu_destroy(loaded);
    return result;
}
