// The view's listeners: calls them for changes, forward and backward.
//
// They compare with a copy of the state as they last saw it, once for each event that touches their part. So `before`
// is what a listener saw last, and all that happened unseen (in quiet mode, or in a model outside the state) arrives in
// one call. The price is the memory of one state in timelines that have listeners.
//
// An edit of what no one listens to is told by one bit, however many listeners there are. The core looks at these bits
// itself (`timeline->heard`), and calls no one for such an edit. So the copy is right only where a bit is set.

#include "observe/observers.h"

typedef struct listeners {
    kifu__observers all;
    unsigned char *seen; // The state as the listeners know it, in the windows that they have; NULL: none was added.
    uint64_t *parts;     // A bit for each window of the state, set where a listener's part has bytes in it.
    uint64_t *marks;     // A bit for each element of any array that is listened to, all 0.
    uint32_t mark_words;
} listeners;

static void call(kifu_timeline *timeline, const listeners *listeners, const kifu_observer *listener, uint32_t event,
                 bool undone)
{
    kifu_change change = {
        .offset = listener->offset,
        .size = listener->size,
        .before = listeners->seen + listener->offset,
        .after = timeline->core.state + listener->offset,
        .event = event,
        .undone = undone,
    };
    if (!kifu__find_span(&change))
        return;
    const kifu__phase phase = timeline->core.phase;
    timeline->core.phase = KIFU__SHOWING;
    listener->listen(listener->context, timeline, timeline->core.state, &change);
    timeline->core.phase = phase;
    if (kifu__has_handler(timeline, ran))
        timeline->dispatch->ran(timeline, event, "a listener", "");
}

// They may know an older state, by more than the running event; or they know it again. While they may, they must be
// called for each event.
static void set_behind(kifu_timeline *timeline, const listeners *listeners, bool behind)
{
    const uint64_t *heard = behind ? NULL : listeners->parts;
    if (timeline->heard != heard)
        kifu__changed(timeline);
    timeline->heard = heard;
}

// They know the state of now.
static void catch_up_listeners(kifu_timeline *timeline, listeners *listeners)
{
    memcpy(listeners->seen, timeline->core.state, kifu__state_room(timeline->rules));
    set_behind(timeline, listeners, false);
}

// What has changed since they were last called, by whatever.
static void call_all(kifu_timeline *timeline, listeners *listeners, kifu__change_kind kind)
{
    const bool undone = kind == KIFU__UNDONE || kind == KIFU__ALL;
    for (uint32_t i = 0; i < listeners->all.count; i++) {
        const kifu_observer *each = &listeners->all.items[i];
        if (each->listen_each)
            kifu__tell_all_elements(timeline, each, listeners->seen, kind);
        else
            call(timeline, listeners, each, KIFU_NONE, undone);
    }
    catch_up_listeners(timeline, listeners);
}

// Who follows elements may own something for each of them, so it must not miss what a redraw shows to the others.
static void call_for_jump(kifu_timeline *timeline, listeners *listeners)
{
    const double delay = timeline->delay; // A redraw adds no delay.
    for (uint32_t i = 0; i < listeners->all.count; i++) {
        if (listeners->all.items[i].listen_each)
            kifu__tell_all_elements(timeline, &listeners->all.items[i], listeners->seen, KIFU__JUMPED);
    }
    timeline->delay = delay;
    catch_up_listeners(timeline, listeners);
}

static void call_for_event(kifu_timeline *timeline, listeners *listeners, const kifu__change *change)
{
    for (uint32_t i = 0; i < listeners->all.count; i++) {
        const kifu_observer *each = &listeners->all.items[i];
        if (!kifu__touches(change->from, change->end, each))
            continue;
        if (each->listen_each)
            kifu__notify_elements(timeline, each, listeners->seen, change, listeners->marks);
        else
            call(timeline, listeners, each, change->event, change->kind == KIFU__UNDONE);
    }
    for (const kifu__journal_entry *entry = change->from; entry < change->end; entry++)
        memcpy(listeners->seen + entry->offset, timeline->core.state + entry->offset, 8);
}

// Of changes that are more than one event's, or that come when they know an older state.
static KIFU__COLD void call_at_large(kifu_timeline *timeline, listeners *listeners, kifu__change_kind kind)
{
    if (!listeners->all.count || kind == KIFU__INTERNAL_MOVE)
        return;
    if (timeline->quiet)
        set_behind(timeline, listeners, true);
    else if (kind == KIFU__JUMPED)
        call_for_jump(timeline, listeners);
    else
        call_all(timeline, listeners, kind);
}

static void listeners_changed(kifu_timeline *timeline, kifu__part *part, const kifu__change *change)
{
    listeners *listeners = (struct listeners *)part;
    if (!timeline->heard || change->event == KIFU_NONE)
        call_at_large(timeline, listeners, change->kind);
    else if (!kifu__is_heard(timeline->heard, change->from, change->end))
        return;
    else if (timeline->quiet)
        set_behind(timeline, listeners, true);
    else
        call_for_event(timeline, listeners, change);
}

// At the end of a search, which is quiet, they know the state again.
static void listeners_dropped(kifu_timeline *timeline, kifu__part *part, kifu_ticket running)
{
    listeners *listeners = (struct listeners *)part;
    (void)running;
    bool behind = false;
    for (uint32_t i = 0; !timeline->heard && !behind && i < listeners->all.count; i++) {
        const kifu_observer *each = &listeners->all.items[i];
        behind = memcmp(listeners->seen + each->offset, timeline->core.state + each->offset, each->size) != 0;
    }
    set_behind(timeline, listeners, behind);
}

static void free_listeners(kifu_timeline *timeline, kifu__part *part)
{
    kifu__free(&timeline->memory, ((listeners *)part)->seen);
    kifu__free(&timeline->memory, ((listeners *)part)->marks);
    kifu__observers_free(timeline, part);
}

static const kifu__part_table listeners_table = {.size = sizeof(listeners),
                                                 .order = KIFU__LISTENERS,
                                                 .changed = listeners_changed,
                                                 .dropped = listeners_dropped,
                                                 .freed = free_listeners};

// Room for a bit for each of `count` elements.
static bool make_marks(kifu_timeline *timeline, listeners *listeners, uint32_t count)
{
    const uint32_t words = (count + 63) / 64;
    if (words <= listeners->mark_words)
        return true;
    uint64_t *marks = (uint64_t *)kifu__new(&timeline->memory, words * sizeof *marks);
    if (!marks)
        return false;
    memset(marks, 0, words * sizeof *marks);
    kifu__free(&timeline->memory, listeners->marks);
    listeners->marks = marks;
    listeners->mark_words = words;
    return true;
}

// The copy of the state, and behind it the bits of its windows.
static bool make_copy(kifu_timeline *timeline, listeners *listeners)
{
    const size_t size = kifu__state_room(timeline->rules), bits = size / 512 + 1;
    if (listeners->seen)
        return true;
    listeners->seen = (unsigned char *)kifu__new(&timeline->memory, size + bits * sizeof *listeners->parts);
    if (!listeners->seen)
        return false;
    listeners->parts = (uint64_t *)(void *)(listeners->seen + size);
    memset(listeners->parts, 0, bits * sizeof *listeners->parts);
    return true;
}

// A listener comes that has this window. Where another one has it, and may know an older state, it stays as that one
// knows it. The bits of a listener that is removed stay: they only make the others be asked in vain.
static void add_window(const kifu_timeline *timeline, listeners *listeners, uint32_t window)
{
    uint64_t *word = &listeners->parts[window / 64];
    const uint64_t bit = UINT64_C(1) << window % 64;
    if (timeline->heard || !(*word & bit))
        memcpy(listeners->seen + window * 8, timeline->core.state + window * 8, 8);
    *word |= bit;
}

kifu_result kifu__add_listener(kifu_timeline *timeline, const kifu_observer *listener)
{
    listeners *listeners = (struct listeners *)kifu__attach(timeline, &listeners_table);
    if (!listeners || !make_copy(timeline, listeners) ||
        (listener->listen_each && !make_marks(timeline, listeners, kifu__array_of(listener)->count)))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a listener");
    if (!listeners->all.count)
        catch_up_listeners(timeline, listeners);
    for (uint32_t window = listener->offset / 8; window <= (listener->offset + listener->size - 1) / 8; window++)
        add_window(timeline, listeners, window);
    return kifu__observers_add(&listeners->all, timeline, listener);
}

void kifu_hold(kifu_timeline *timeline, double seconds)
{
    if (timeline->core.phase != KIFU__SHOWING)
        kifu__fault(timeline, KIFU_MISUSE,
                    "kifu_hold was called outside of the view: only Act and listeners may ask for time");
    else if (!timeline->quiet && seconds > 0)
        timeline->delay += seconds;
}
