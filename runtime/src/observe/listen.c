// Being told: reactions and triggers, which belong to the rules, and the view's listeners.

#include "core/timeline.h"
#include "observe/observe.h"

void kifu__listeners_free(kifu__listeners *listeners, const kifu__memory *memory)
{
    kifu__free(memory, listeners->rules.items);
    kifu__free(memory, listeners->view.items);
    kifu__free(memory, listeners->told);
    kifu__free(memory, listeners->values);
}

// --- Adding and removing ---------------------------------------------------------------------------------------------

static kifu_result add(kifu_timeline *timeline, kifu__listener_list *list, const kifu_observer *observer)
{
    kifu__listener *items = (kifu__listener *)kifu__grow(&timeline->memory, list->items, &list->capacity,
                                                         (uint64_t)list->count + 1, sizeof *items);
    if (!items)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a reaction, trigger or listener");
    list->items = items;
    uint32_t at = list->count++;
    if (observer->rank == KIFU_RANK_INTERNAL) {
        for (; at > 0 && items[at - 1].rank != KIFU_RANK_INTERNAL; at--)
            items[at] = items[at - 1];
    }
    items[at] = (kifu__listener){
        .rank = observer->rank,
        .type = observer->type,
        .offset = observer->offset,
        .size = observer->size,
        .react = observer->react,
        .trigger = observer->trigger,
        .listen = observer->listen,
        .context = observer->context,
    };
    return KIFU_OK;
}

kifu_result kifu__add_reaction(kifu_timeline *timeline, const kifu_observer *observer)
{
    return add(timeline, &timeline->listeners.rules, observer);
}

kifu_result kifu__add_trigger(kifu_timeline *timeline, const kifu_observer *observer)
{
    kifu__listeners *listeners = &timeline->listeners;
    const uint32_t size = observer->size;
    if (size > listeners->values_size) {
        unsigned char *values = (unsigned char *)kifu__new(&timeline->memory, 2 * (((size_t)size + 7) & ~(size_t)7));
        if (!values)
            return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a trigger");
        kifu__free(&timeline->memory, listeners->values);
        listeners->values = values;
        listeners->values_size = (size + 7) & ~UINT32_C(7);
    }
    return add(timeline, &listeners->rules, observer);
}

kifu_result kifu__add_listener(kifu_timeline *timeline, const kifu_observer *observer)
{
    kifu__listeners *listeners = &timeline->listeners;
    if (!listeners->told) {
        listeners->told = (unsigned char *)kifu__new(&timeline->memory, kifu__state_room(timeline->rules));
        if (!listeners->told)
            return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a listener");
    }
    if (!listeners->view.count)
        kifu__listeners_know(timeline);
    return add(timeline, &listeners->view, observer);
}

static void remove_from(kifu__listener_list *list, const void *context)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i].context != context)
            list->items[kept++] = list->items[i];
    }
    list->count = kept;
}

void kifu__remove_listeners(kifu_timeline *timeline, const void *context)
{
    remove_from(&timeline->listeners.rules, context);
    remove_from(&timeline->listeners.view, context);
}

// --- Changes ---------------------------------------------------------------------------------------------------------

// Sets the changed span; false when nothing has changed.
static bool find_span(kifu_change *change)
{
    const unsigned char *before = (const unsigned char *)change->before, *after = (const unsigned char *)change->after;
    uint32_t first = 0, end = change->size;
    while (first < end && before[first] == after[first])
        first++;
    if (first == end)
        return false;
    while (before[end - 1] == after[end - 1])
        end--;
    change->first = first;
    change->length = end - first;
    return true;
}

// Whether one of the edits is inside the part.
static bool touches(const kifu__journal_entry *from, const kifu__journal_entry *to, uint32_t offset, uint32_t size)
{
    for (; from < to; from++) {
        if (from->offset < offset + size && from->offset + 8 > offset)
            return true;
    }
    return false;
}

// --- Reactions and triggers ------------------------------------------------------------------------------------------

static kifu_result pull_trigger(kifu_timeline *timeline, const kifu__listener *listener, const kifu_event *event)
{
    const kifu__journal *journal = &timeline->journal;
    const kifu__core *core = &timeline->core;
    if (!touches(kifu__journal_start(journal, core, event->index), kifu__journal_start(journal, core, event->index + 1),
                 listener->offset, listener->size))
        return KIFU_OK;
    unsigned char *before = timeline->listeners.values, *after = before + timeline->listeners.values_size;
    memcpy(after, core->state + listener->offset, listener->size);
    kifu__journal_look_back(journal, core, event->index + 1, listener->offset, listener->size, after);
    memcpy(before, core->state + listener->offset, listener->size);
    kifu__journal_look_back(journal, core, event->index, listener->offset, listener->size, before);
    kifu_change change = {
        .offset = listener->offset,
        .size = listener->size,
        .before = before,
        .after = after,
        .event = event->index,
    };
    if (!find_span(&change))
        return KIFU_OK;
    return listener->trigger(listener->context, timeline, core->state, event, &change);
}

kifu_result kifu__react(kifu_timeline *timeline, uint32_t event)
{
    const kifu__listener_list *list = &timeline->listeners.rules;
    kifu_event shown;
    if (!list->count || !kifu_event_at(timeline, event, &shown))
        return KIFU_OK;
    timeline->phase = KIFU__REACTING;
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < list->count && !result && !timeline->fault.result; i++) {
        const kifu__listener *each = &list->items[i];
        if (each->trigger)
            result = pull_trigger(timeline, each, &shown);
        else if (!each->type || each->type == shown.type)
            result = each->react(each->context, timeline, timeline->core.state, &shown);
    }
    timeline->phase = KIFU__IDLE;
    if (timeline->sync)
        kifu__sync_unchanged(timeline, event, "a reaction or trigger", "");
    return result;
}

// --- Listeners -------------------------------------------------------------------------------------------------------

static void tell(kifu_timeline *timeline, const kifu__listener *listener, uint32_t event, bool undone)
{
    kifu_change change = {
        .offset = listener->offset,
        .size = listener->size,
        .before = timeline->listeners.told + listener->offset,
        .after = timeline->core.state + listener->offset,
        .event = event,
        .undone = undone,
    };
    if (!find_span(&change))
        return;
    kifu__phase phase = timeline->phase;
    timeline->phase = KIFU__SHOWING;
    listener->listen(listener->context, timeline, timeline->core.state, &change);
    timeline->phase = phase;
    if (timeline->sync)
        kifu__sync_unchanged(timeline, event, "a listener", "");
}

void kifu__listeners_know(kifu_timeline *timeline)
{
    timeline->listeners.behind = false;
    if (timeline->listeners.told)
        memcpy(timeline->listeners.told, timeline->core.state, kifu__state_room(timeline->rules));
}

void kifu__listeners_jump(kifu_timeline *timeline)
{
    if (timeline->quiet)
        timeline->listeners.behind = true;
    else
        kifu__listeners_know(timeline);
}

void kifu__tell_all(kifu_timeline *timeline, bool undone)
{
    const kifu__listener_list *list = &timeline->listeners.view;
    for (uint32_t i = 0; i < list->count; i++)
        tell(timeline, &list->items[i], KIFU_NONE, undone);
    kifu__listeners_know(timeline);
}

void kifu__tell_listeners(kifu_timeline *timeline, uint32_t event, bool undone, const kifu__journal_entry *from,
                          const kifu__journal_entry *to)
{
    kifu__listeners *listeners = &timeline->listeners;
    if (!listeners->view.count)
        return;
    if (timeline->quiet)
        listeners->behind = true;
    else if (listeners->behind)
        kifu__tell_all(timeline, undone);
    else {
        for (uint32_t i = 0; i < listeners->view.count; i++) {
            const kifu__listener *each = &listeners->view.items[i];
            if (touches(from, to, each->offset, each->size))
                tell(timeline, each, event, undone);
        }
        for (const kifu__journal_entry *entry = from; entry < to; entry++)
            memcpy(listeners->told + entry->offset, timeline->core.state + entry->offset, 8);
    }
}

void kifu_hold(kifu_timeline *timeline, double seconds)
{
    if (timeline->phase != KIFU__SHOWING)
        kifu__fault(timeline, KIFU_MISUSE,
                    "kifu_hold was called outside of the view: only Act and listeners may ask for time");
    else if (!timeline->quiet && seconds > 0)
        timeline->delay += seconds;
}
