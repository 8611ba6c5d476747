// Adding observers of all kinds, and removing them.

#include "observe/observers.h"

static kifu_result misuse(kifu_timeline *timeline, const char *text)
{
    return kifu__error(&timeline->error, KIFU_MISUSE, "kifu_observe: %s", text);
}

static bool has_scope(const kifu__type *type, uint32_t scope)
{
    for (uint32_t i = 0; i < type->scope_count; i++) {
        if (type->scopes[i] == scope)
            return true;
    }
    return false;
}

static kifu_result verify_hook(kifu_timeline *timeline, const kifu_observer *hook)
{
    const kifu_rules *rules = timeline->rules;
    if (!hook->name)
        return misuse(timeline, "the hook has no name: give one, which is reported when it blocks an event");
    if (hook->subject == KIFU_NO_SUBJECT)
        return misuse(timeline, "KIFU_NO_SUBJECT is the subject of nothing: give one, or KIFU_ANY_SUBJECT");
    if (hook->scope >= rules->scope_count)
        return misuse(timeline, "there is no such scope: give one of the game's, <GAME>_SCOPE_…");
    if (hook->type && !has_scope(&rules->types[hook->type], hook->scope))
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_observe: %s has no scope %s: name it in the schema, (hooks: \"… %s\")",
                           rules->types[hook->type].table->name, rules->scopes[hook->scope],
                           rules->scopes[hook->scope]);
    return KIFU_OK;
}

static kifu_result verify_place(kifu_timeline *timeline, const kifu_observer *observer)
{
    const uint32_t whole = timeline->rules->state_size;
    if (observer->size && observer->offset < whole && observer->size <= whole - observer->offset)
        return KIFU_OK;
    return kifu__error(&timeline->error, KIFU_MISUSE,
                       "kifu_observe: %u bytes at %u are not inside the state, which has %u: give KIFU_PART(type, member)",
                       (unsigned)observer->size, (unsigned)observer->offset, (unsigned)whole);
}

kifu_result kifu_observe(kifu_timeline *timeline, const kifu_observer *observer)
{
    kifu_result result = kifu__require_idle(timeline, "kifu_observe");
    if (result)
        return result;
    const int functions = (observer->react != NULL) + (observer->trigger != NULL) + (observer->listen != NULL) +
                          (observer->hook != NULL);
    if (functions != 1)
        return misuse(timeline, functions ? "the observer has more than one function: give each an observer of its own"
                                          : "the observer has no function: set react, trigger, listen or hook");
    if (observer->type > timeline->rules->type_count)
        return misuse(timeline, "there is no such event type: give one of the game's, or 0 for all");
    if (observer->hook)
        result = verify_hook(timeline, observer);
    else if (!observer->react)
        result = verify_place(timeline, observer);
    if (result)
        return result;
    return observer->hook     ? kifu__add_hook(timeline, observer)
           : observer->listen ? kifu__add_listener(timeline, observer)
                              : kifu__add_reaction(timeline, observer);
}

kifu_result kifu_observe_all(kifu_timeline *timeline, const kifu_observer *observers, uint32_t count)
{
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < count && !result; i++)
        result = kifu_observe(timeline, &observers[i]);
    return result;
}

kifu_result kifu_remove_observers(kifu_timeline *timeline, const void *context)
{
    kifu_result result = kifu__require_idle(timeline, "kifu_remove_observers");
    if (result)
        return result;
    kifu__remove_reactions(timeline, context);
    kifu__remove_listeners(timeline, context);
    kifu__remove_hooks(timeline, context);
    return KIFU_OK;
}
