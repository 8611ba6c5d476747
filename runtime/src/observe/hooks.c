// Hooks: who stands around an event is asked before it happens.

#include "core/resolve.h"

#include "observe/observe.h"
#include "wire/table.h"

// As kifuc allows.
enum { MOST_SCOPES = 8 };

kifu_result kifu__add_hook(kifu_timeline *timeline, const kifu_observer *observer)
{
    kifu__hooks *hooks = &timeline->hooks;
    kifu__hook *items = (kifu__hook *)kifu__grow(&timeline->memory, hooks->items, &hooks->capacity,
                                                 (uint64_t)hooks->count + 1, sizeof *items);
    if (!items)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a hook");
    hooks->items = items;
    uint32_t at = hooks->count++;
    if (observer->rank == KIFU_RANK_INTERNAL) {
        for (; at > 0 && items[at - 1].rank != KIFU_RANK_INTERNAL; at--)
            items[at] = items[at - 1];
    }
    items[at] = (kifu__hook){
        .rank = observer->rank,
        .type = observer->type,
        .scope = observer->scope,
        .subject = observer->subject,
        .ask = observer->hook,
        .name = observer->name,
        .context = observer->context,
    };
    return KIFU_OK;
}

void kifu__remove_hooks(kifu_timeline *timeline, const void *context)
{
    kifu__hooks *hooks = &timeline->hooks;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < hooks->count; i++) {
        if (hooks->items[i].context != context)
            hooks->items[kept++] = hooks->items[i];
    }
    hooks->count = kept;
}

// What a hook changed, the next one relies on.
static void check_proposal(kifu_timeline *timeline, kifu__proposal *proposal, const char *name)
{
    const kifu__table *table = timeline->rules->types[proposal->type].table;
    kifu_error error;
    if ((table->check_count || !table->flat) && kifu__check_proposal(table, kifu__proposal_blob(proposal), &error))
        kifu__fault(timeline, error.result, "the hook %s broke the event: %s", name, error.message);
}

// Of scope `index` of the proposal's type.
static uint64_t subject_of(kifu_timeline *timeline, kifu__proposal *proposal, uint32_t index)
{
    uint64_t subjects[MOST_SCOPES];
    for (uint32_t i = 0; i < MOST_SCOPES; i++)
        subjects[i] = KIFU_NO_SUBJECT;
    timeline->rules->subjects(timeline, proposal->type, timeline->core.state, kifu__proposal_blob(proposal), subjects);
    return subjects[index];
}

kifu_verdict kifu__ask_hooks(kifu_timeline *timeline, kifu__proposal *proposal, kifu__resolution *resolution)
{
    const kifu__type *type = &timeline->rules->types[proposal->type];
    const kifu__hooks *hooks = &timeline->hooks;
    void *event = kifu__proposal_blob(proposal);
    kifu_verdict verdict = kifu_accept();
    timeline->phase = KIFU__CHECKING;
    for (uint32_t i = 0; i < type->scope_count && !verdict.reason && !verdict.instead && !timeline->fault.result; i++) {
        const uint32_t scope = type->scopes[i];
        bool named = false;
        uint64_t subject = KIFU_NO_SUBJECT;
        for (uint32_t k = 0; k < hooks->count && !verdict.reason && !verdict.instead && !timeline->fault.result; k++) {
            const kifu__hook *hook = &hooks->items[k];
            if (hook->scope != scope || (hook->type && hook->type != proposal->type))
                continue;
            if (!named) // Anew for each scope: a hook may have changed the target.
                subject = subject_of(timeline, proposal, i);
            named = true;
            if (subject == KIFU_NO_SUBJECT)
                break;
            if (hook->subject != KIFU_ANY_SUBJECT && hook->subject != subject)
                continue;
            kifu_proposed proposed = {
                .type = proposal->type,
                .name = type->table->name,
                .event = event,
                .player = proposal->player,
                .cause = proposal->cause,
                .scope = scope,
                .subject = subject,
                .ticket = proposal->ticket,
            };
            resolution->hook = hook->name;
            resolution->scope = scope;
            resolution->subject = subject;
            resolution->aside = timeline->aside.tail;
            verdict = hook->ask(hook->context, timeline, timeline->core.state, &proposed);
            if (timeline->fault.result)
                kifu__fault_in(timeline, "the hook ", hook->name);
            if (timeline->sync)
                kifu__sync_unchanged(timeline, timeline->executed, "the hook ", hook->name);
            check_proposal(timeline, proposal, hook->name);
        }
    }
    timeline->phase = KIFU__IDLE;
    return verdict;
}
