// Observers: whether one says all that it must, and where it goes.

#include <stdio.h>

#include "observe/observers.h"

static bool has_scope(const kifu__type *type, uint32_t scope)
{
    for (uint32_t i = 0; i < type->scope_count; i++) {
        if (type->scopes[i] == scope)
            return true;
    }
    return false;
}

static bool tagged_have_scope(const kifu_rules *rules, uint64_t tags, uint32_t scope)
{
    for (uint32_t i = 1; i <= rules->type_count; i++) {
        if (rules->types[i].tags & tags && has_scope(&rules->types[i], scope))
            return true;
    }
    return false;
}

static kifu_result check_hook(kifu_timeline *timeline, const kifu_observer *observer, const char *call)
{
    const kifu_rules *rules = timeline->rules;
    const uint32_t scope = observer->scope;
    if (!observer->name || observer->subject == KIFU_NO_SUBJECT)
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s: %s", call,
                           observer->name ? "KIFU_NO_SUBJECT is the subject of nothing: give one, or KIFU_ANY_SUBJECT"
                                          : "the hook has no name: give one, for the message when it blocks an event");
    if (scope >= rules->scope_count)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "%s: there is no scope %u: give one of the game's, <GAME>_SCOPE_…", call, (unsigned)scope);
    const kifu__type *type = &rules->types[observer->type];
    if (observer->type && !has_scope(type, scope))
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "%s: %s has no scope %s: name it in the schema, (hooks: \"… %s\")", call, type->table->name,
                           rules->scopes[scope], rules->scopes[scope]);
    if (observer->tags && !tagged_have_scope(rules, observer->tags, scope))
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "%s: no event with these tags has the scope %s: name it in the schema, (hooks: \"… %s\")",
                           call, rules->scopes[scope], rules->scopes[scope]);
    return KIFU_OK;
}

static kifu_result check_part(kifu_timeline *timeline, const kifu_observer *observer, const char *call)
{
    const uint32_t whole = timeline->rules->state_size, offset = observer->offset, size = observer->size;
    if (size && (uint64_t)offset + size <= whole)
        return KIFU_OK;
    return kifu__error(&timeline->error, KIFU_MISUSE,
                       "%s: %u bytes at %u are not inside the state, which has %u: give KIFU_PART(type, member)", call,
                       (unsigned)size, (unsigned)offset, (unsigned)whole);
}

static kifu_result check_array(kifu_timeline *timeline, const kifu_observer *observer, const char *call)
{
    if (kifu__find_array(timeline->rules->state, observer->offset, observer->size))
        return KIFU_OK;
    return kifu__error(&timeline->error, KIFU_MISUSE,
                       "%s: the %u bytes at %u of the state are not one whole array: give KIFU_PART(type, array)", call,
                       (unsigned)observer->size, (unsigned)observer->offset);
}

static kifu_result check_observer(kifu_timeline *timeline, const kifu_observer *observer, const char *call)
{
    const int functions = (observer->react != NULL) + (observer->trigger != NULL) + (observer->listen != NULL) +
                          (observer->listen_each != NULL) + (observer->hook != NULL);
    if (functions != 1)
        return kifu__error(
            &timeline->error, KIFU_MISUSE,
            "%s: of the functions react, trigger, listen, listen_each and hook %d are set: set exactly one", call,
            functions);
    const bool of_part = observer->trigger || observer->listen || observer->listen_each;
    if (of_part ? observer->type || observer->tags : observer->offset || observer->size)
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s: %s", call,
                           of_part
                               ? "a trigger or listener is for a part of the state: leave out the event type and tags"
                               : "a reaction or hook is for events: leave out the part of the state");
    if (of_part) {
        const kifu_result result = check_part(timeline, observer, call);
        return result || !observer->listen_each ? result : check_array(timeline, observer, call);
    }
    if (observer->type > timeline->rules->type_count)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "%s: there is no event type %u: give one of the game's, or 0 for all", call,
                           (unsigned)observer->type);
    const uint32_t tag_count = timeline->rules->tag_count;
    if (observer->type && observer->tags)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "%s: an event type and tags are set: leave out one of the two", call);
    if (tag_count < 64 && observer->tags >> tag_count)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "%s: 0x%llx is no tag, the game has %u: give some of <GAME>_TAG_…", call,
                           (unsigned long long)observer->tags, (unsigned)tag_count);
    return observer->hook ? check_hook(timeline, observer, call) : KIFU_OK;
}

static kifu_result observe(kifu_timeline *timeline, const kifu_observer *observer, const char *call)
{
    kifu_result result = check_observer(timeline, observer, call);
    if (result)
        return result;
    if (observer->hook)
        return kifu__add_hook(timeline, observer);
    if (observer->listen)
        return kifu__add_listener(timeline, observer);
    if (!observer->listen_each)
        return kifu__add_reaction(timeline, observer);
    kifu_observer of_array = *observer;
    of_array.subject =
        (uintptr_t)kifu__find_array(timeline->rules->state, observer->offset, observer->size); // see kifu__array_of
    return kifu__add_listener(timeline, &of_array);
}

kifu_result kifu_observe(kifu_timeline *timeline, const kifu_observer *observer)
{
    kifu_result result = kifu__require_idle(timeline, "kifu_observe");
    return result ? result : observe(timeline, observer, "kifu_observe");
}

kifu_result kifu_observe_all(kifu_timeline *timeline, const kifu_observer *observers, uint32_t count)
{
    kifu_result result = kifu__require_idle(timeline, "kifu_observe_all");
    for (uint32_t i = 0; i < count && !result; i++) {
        char call[40];
        snprintf(call, sizeof call, "kifu_observe_all, observer %u", (unsigned)i);
        result = observe(timeline, &observers[i], call);
    }
    return result;
}

static void remove_all(kifu__observers *observers, const void *context)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < observers->count; i++) {
        if (observers->items[i].context != context)
            observers->items[left++] = observers->items[i];
    }
    observers->moved += left < observers->count;
    observers->count = left;
}

kifu_result kifu_remove_observers(kifu_timeline *timeline, const void *context)
{
    kifu_result result = kifu__require_idle(timeline, "kifu_remove_observers");
    if (result)
        return result;
    for (kifu__part *part = timeline->parts; part; part = part->next) {
        const kifu__part_order kind = part->table->order;
        if (kind == KIFU__HOOKS || kind == KIFU__REACTIONS || kind == KIFU__LISTENERS)
            remove_all((kifu__observers *)part, context);
        if (kind == KIFU__HOOKS)
            timeline->hooked = ((kifu__observers *)part)->count ? timeline->hooked : 0;
    }
    return KIFU_OK;
}
