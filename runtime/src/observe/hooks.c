// Hooks: functions that run before an event happens.
//
// What a hook submits is set aside until the outcome of the event is clear. If the event happens, the submitted events
// follow it, with the event as their cause; if not, they stand alone, with the cause that the event would have had.
//
// The function that names the subjects is called anew for each scope, and only if there may be a hook for that scope:
// an earlier hook may have changed who the target is.

#include "core/resolve.h"
#include "observe/hook_lists.h"
#include "wire/table.h"

typedef struct hooks {
    kifu__observers all;
    kifu__hook_list *lists; // For each event type; NULL: none was asked yet.
} hooks;

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
    uint64_t subjects[KIFU__MOST_SCOPES];
    memset(subjects, 0xFF, sizeof subjects); // KIFU_NO_SUBJECT
    timeline->rules->subjects(timeline, proposal->type, timeline->core.state, kifu__proposal_blob(proposal), subjects);
    return subjects[index];
}

static kifu_verdict ask_hook(kifu_timeline *timeline, const kifu_observer *hook, kifu__proposal *proposal,
                             uint64_t subject, kifu__resolution *resolution)
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
    if (kifu__has_handler(timeline, ran))
        timeline->dispatch->ran(timeline, timeline->executed, "the hook ", hook->name);
    check_proposal(timeline, proposal, hook->name);
    return verdict;
}

static bool asks_on(const kifu_timeline *timeline, kifu_verdict verdict)
{
    return !verdict.reason && !verdict.instead && !timeline->fault.result;
}

// Of the event type `number`, with all hooks that were added. NULL without memory.
static const kifu__hook_list *list_of(kifu_timeline *timeline, hooks *hooks, uint32_t number)
{
    const kifu_rules *rules = timeline->rules;
    if (!hooks->lists) {
        const size_t size = (rules->type_count + 1) * sizeof *hooks->lists;
        hooks->lists = (kifu__hook_list *)kifu__new(&timeline->memory, size);
        if (!hooks->lists)
            return NULL;
        memset(hooks->lists, 0, size);
    }
    kifu__hook_list *list = &hooks->lists[number];
    return kifu__hook_list_update(list, &hooks->all, &timeline->memory, number, &rules->types[number]) ? list : NULL;
}

// The hooks of scope `index` of the proposal's type. The subject is named anew for each scope, because a hook may have
// changed the target; and only where a hook may want it.
static kifu_verdict ask_scope(kifu_timeline *timeline, const hooks *hooks, const kifu__hook_list *list,
                              kifu__proposal *proposal, uint32_t index, kifu__resolution *resolution)
{
    kifu_verdict verdict = kifu_accept();
    const uint64_t subject = list->wanted & 1u << index ? subject_of(timeline, proposal, index) : KIFU_NO_SUBJECT;
    if (subject == KIFU_NO_SUBJECT)
        return verdict;
    const uint32_t scope = timeline->rules->types[proposal->type].scopes[index];
    kifu__hook_walk walk = kifu__hook_walk_begin(list, &hooks->all, scope, subject);
    for (const kifu_observer *hook; asks_on(timeline, verdict) && (hook = kifu__hook_walk_next(&walk)) != NULL;)
        verdict = ask_hook(timeline, hook, proposal, subject, resolution);
    return verdict;
}

static kifu_verdict ask_all(kifu_timeline *timeline, kifu__part *part, kifu__proposal *proposal,
                            kifu__resolution *resolution)
{
    hooks *hooks = (struct hooks *)part;
    const kifu__type *type = &timeline->rules->types[proposal->type];
    const kifu__hook_list *list = list_of(timeline, hooks, proposal->type);
    kifu_verdict verdict = kifu_accept();
    if (!list) {
        kifu__fault(timeline, KIFU_NO_MEMORY, "out of memory for finding the hooks of %s", type->table->name);
        return verdict;
    }
    timeline->core.phase = KIFU__CHECKING;
    for (uint32_t i = 0; i < type->scope_count && asks_on(timeline, verdict); i++)
        verdict = ask_scope(timeline, hooks, list, proposal, i, resolution);
    timeline->core.phase = KIFU__IDLE;
    return verdict;
}

static void free_hooks(kifu_timeline *timeline, kifu__part *part)
{
    hooks *hooks = (struct hooks *)part;
    for (uint32_t type = 0; hooks->lists && type <= timeline->rules->type_count; type++)
        kifu__free(&timeline->memory, hooks->lists[type].links);
    kifu__free(&timeline->memory, hooks->lists);
    kifu__observers_free(timeline, part);
}

static const kifu__part_table hooks_table = {
    .size = sizeof(hooks), .order = KIFU__HOOKS, .asked = ask_all, .freed = free_hooks};

kifu_result kifu__add_hook(kifu_timeline *timeline, const kifu_observer *hook)
{
    kifu_result result = kifu__observers_add((kifu__observers *)kifu__attach(timeline, &hooks_table), timeline, hook);
    const kifu_rules *rules = timeline->rules;
    for (uint32_t number = 1; number <= rules->type_count && !result; number++)
        timeline->hooked |= (uint64_t)kifu__hook_is_for(hook, number, &rules->types[number]) << number % 64;
    return result;
}
