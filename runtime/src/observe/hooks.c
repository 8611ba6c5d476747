// Hooks: functions that run before an event happens.

#include "core/resolve.h"
#include "observe/observers.h"
#include "wire/table.h"

// As kifuc allows.
enum { MOST_SCOPES = 8 };

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
    memset(subjects, 0xFF, sizeof subjects); // KIFU_NO_SUBJECT
    timeline->rules->subjects(timeline, proposal->type, timeline->core.state, kifu__proposal_blob(proposal), subjects);
    return subjects[index];
}

static kifu_verdict ask(kifu_timeline *timeline, const kifu_observer *hook, kifu__proposal *proposal, uint64_t subject,
                        kifu__resolution *resolution)
{
    kifu_proposed proposed = {
        .type = proposal->type,
        .name = timeline->rules->types[proposal->type].table->name,
        .event = kifu__proposal_blob(proposal),
        .player = proposal->player,
        .cause = proposal->cause,
        .scope = hook->scope,
        .subject = subject,
        .ticket = proposal->ticket,
    };
    resolution->hook = hook->name;
    resolution->scope = hook->scope;
    resolution->subject = subject;
    resolution->aside = timeline->aside.tail;
    const kifu_verdict verdict = hook->hook(hook->context, timeline, timeline->core.state, &proposed);
    if (timeline->fault.result)
        kifu__fault_in(timeline, "the hook ", hook->name);
    if (kifu__hears(timeline, ran))
        timeline->tell->ran(timeline, timeline->executed, "the hook ", hook->name);
    check_proposal(timeline, proposal, hook->name);
    return verdict;
}

static bool goes_on(const kifu_timeline *timeline, kifu_verdict verdict)
{
    return !verdict.reason && !verdict.instead && !timeline->fault.result;
}

// The first hook from `hook` on that may be asked, or `end`.
static const kifu_observer *find(const kifu_observer *hook, const kifu_observer *end, uint32_t scope, uint32_t type,
                                 uint64_t tags)
{
    while (hook < end && (hook->scope != scope || !kifu__concerns(hook, type, tags)))
        hook++;
    return hook;
}

// The hooks of scope `index` of the proposal's type. The subject is named anew for each scope, because a hook may have
// changed the target; and only where a hook may want it.
static kifu_verdict ask_scope(kifu_timeline *timeline, const kifu__observers *hooks, kifu__proposal *proposal,
                              uint32_t index, kifu__resolution *resolution)
{
    const kifu__type *type = &timeline->rules->types[proposal->type];
    const uint32_t scope = type->scopes[index];
    kifu_verdict verdict = kifu_accept();
    uint64_t subject = KIFU_NO_SUBJECT;
    bool named = false;
    const kifu_observer *hook = hooks->items, *end = hook + hooks->count;
    for (; (hook = find(hook, end, scope, proposal->type, type->tags)) < end; hook++) {
        if (!named)
            subject = subject_of(timeline, proposal, index);
        named = true;
        if (subject == KIFU_NO_SUBJECT)
            break;
        if (hook->subject != KIFU_ANY_SUBJECT && hook->subject != subject)
            continue;
        verdict = ask(timeline, hook, proposal, subject, resolution);
        if (!goes_on(timeline, verdict))
            break;
    }
    return verdict;
}

static kifu_verdict ask_all(kifu_timeline *timeline, kifu__part *part, kifu__proposal *proposal,
                            kifu__resolution *resolution)
{
    const kifu__observers *hooks = (const kifu__observers *)part;
    const kifu__type *type = &timeline->rules->types[proposal->type];
    kifu_verdict verdict = kifu_accept();
    timeline->core.phase = KIFU__CHECKING;
    for (uint32_t i = 0; i < type->scope_count && goes_on(timeline, verdict); i++)
        verdict = ask_scope(timeline, hooks, proposal, i, resolution);
    timeline->core.phase = KIFU__IDLE;
    return verdict;
}

static const kifu__part_table table = {
    .size = sizeof(kifu__observers), .order = KIFU__HOOKS, .asked = ask_all, .freed = kifu__observers_free};

kifu_result kifu__add_hook(kifu_timeline *timeline, const kifu_observer *hook)
{
    kifu_result result = kifu__observers_add((kifu__observers *)kifu__attach(timeline, &table), timeline, hook);
    timeline->hooked = timeline->hooked || !result;
    return result;
}
