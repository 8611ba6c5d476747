// Listeners of an array's elements: which of them changed, and which entities of a pool came and went.
//
// The journal names windows of eight bytes, in the order of the edits. A bit for each element that such a window
// touches brings them into the order of the array, each once. Then only these are compared.
//
// Any array of the state can be followed, not only a pool: the copy that listeners share makes each element comparable.
// So an event costs what it changed, and a listener of 1,000 elements costs as much as one of 10. The array is found in
// the description of the state by its place, so generated code has no names for it.
//
// An entity is what its handle says: generations tell another entity in the same slot from a change, and an entity that
// came and went within one event from nothing. Only after a jump (or a quiet time) in which the game took another
// course can two entities have one handle; that is then a change.
//
// Listeners of elements are called after a load, a fork and a seek, too. Other listeners are not, because `redraw`
// shows their values anew; but a view that owns something for each entity would have to compare all of them there.
// `kifu_element_change.jumped` says that nothing happened, so nothing is animated, and kifu_hold has no effect.

#include "observe/observers.h"

const kifu__member *kifu__find_array(const kifu__struct *structure, uint32_t offset, uint32_t size)
{
    for (uint32_t i = 0; i < structure->member_count; i++) {
        const kifu__member *member = &structure->members[i];
        const uint32_t whole = member->size * (member->count ? member->count : 1);
        if (offset < member->offset || offset - member->offset >= whole)
            continue;
        offset -= member->offset;
        if (offset == 0 && size == whole && member->count)
            return member;
        return member->structure ? kifu__find_array(member->structure, offset % member->size, size) : NULL;
    }
    return NULL;
}

const char *kifu_changed_field(const kifu_element_change *change, uint32_t *next)
{
    const kifu__struct *structure = change->structure;
    while (structure && *next < structure->member_count) {
        const kifu__member *member = &structure->members[(*next)++];
        if (kifu_element_changed(change, member->offset, member->size * (member->count ? member->count : 1)))
            return member->name;
    }
    return NULL;
}

static void tell_element(kifu_timeline *timeline, const kifu_observer *listener, const kifu_element_change *change)
{
    const kifu__phase phase = timeline->core.phase;
    timeline->core.phase = KIFU__SHOWING;
    listener->listen_each(listener->context, timeline, timeline->core.state, change);
    timeline->core.phase = phase;
    if (kifu__has_handler(timeline, ran))
        timeline->dispatch->ran(timeline, change->event, "a listener", "");
}

static kifu_handle handle_of(const void *element, uint32_t index)
{
    const uint32_t generation = ((const kifu_slot *)element)->generation;
    return generation & 1 ? index | generation << 16 : KIFU_NO_HANDLE;
}

// An element of a pool, as it was and as it is: what was there may have gone, and another entity have come.
static void compare_slot(kifu_timeline *timeline, const kifu_observer *listener, kifu_element_change *change)
{
    const void *const before = change->before, *const after = change->after;
    const kifu_handle old = handle_of(before, change->index), now = handle_of(after, change->index);
    if (old == now) {
        change->handle = now;
        if (now)
            tell_element(timeline, listener, change);
        return;
    }
    change->handle = old;
    change->after = NULL;
    if (old)
        tell_element(timeline, listener, change);
    change->handle = now;
    change->before = NULL;
    change->after = after;
    if (now)
        tell_element(timeline, listener, change);
}

static void compare_element(kifu_timeline *timeline, const kifu_observer *listener, kifu_element_change change,
                            const unsigned char *seen, uint32_t index)
{
    const kifu__member *array = kifu__array_of(listener);
    const size_t at = listener->offset + (size_t)index * array->size;
    if (memcmp(seen + at, timeline->core.state + at, array->size) == 0)
        return;
    change.index = index;
    change.before = seen + at;
    change.after = timeline->core.state + at;
    if (array->pool)
        compare_slot(timeline, listener, &change);
    else
        tell_element(timeline, listener, &change);
}

static kifu_element_change change_of(const kifu_observer *listener, uint32_t event, kifu__change_kind kind)
{
    return (kifu_element_change){.offset = listener->offset,
                                 .structure = kifu__array_of(listener)->structure,
                                 .event = event,
                                 .undone = kind == KIFU__UNDONE || kind == KIFU__ALL,
                                 .jumped = kind == KIFU__JUMPED};
}

void kifu__tell_all_elements(kifu_timeline *timeline, const kifu_observer *listener, const unsigned char *seen,
                             kifu__change_kind kind)
{
    const kifu_element_change change = change_of(listener, KIFU_NONE, kind);
    const uint32_t count = kifu__array_of(listener)->count;
    if (memcmp(seen + listener->offset, timeline->core.state + listener->offset, listener->size) == 0)
        return;
    for (uint32_t i = 0; i < count; i++)
        compare_element(timeline, listener, change, seen, i);
}

// Sets the bits of the elements that an edit touches, and widens `first` and `last` to them.
static void mark(uint64_t *marks, const kifu_observer *listener, const kifu__journal_entry *entry, uint32_t *first,
                 uint32_t *last)
{
    const uint32_t size = kifu__array_of(listener)->size, end = listener->offset + listener->size;
    if (entry->offset >= end || entry->offset + 8 <= listener->offset)
        return;
    const uint32_t from = entry->offset > listener->offset ? (entry->offset - listener->offset) / size : 0;
    const uint32_t to = ((entry->offset + 8 < end ? entry->offset + 8 : end) - 1 - listener->offset) / size;
    for (uint32_t i = from; i <= to; i++)
        marks[i / 64] |= UINT64_C(1) << i % 64;
    *first = from < *first ? from : *first;
    *last = to > *last ? to : *last;
}

void kifu__notify_elements(kifu_timeline *timeline, const kifu_observer *listener, const unsigned char *seen,
                           const kifu__change *change, uint64_t *marks)
{
    const kifu_element_change told = change_of(listener, change->event, change->kind);
    uint32_t first = UINT32_MAX, last = 0;
    for (const kifu__journal_entry *entry = change->from; entry < change->end; entry++)
        mark(marks, listener, entry, &first, &last);
    for (uint32_t i = first; i <= last; i++) {
        if (!marks[i / 64])
            i |= 63;
        else if (marks[i / 64] >> i % 64 & 1)
            compare_element(timeline, listener, told, seen, i);
        if (i % 64 == 63 || i == last)
            marks[i / 64] = 0;
    }
}
