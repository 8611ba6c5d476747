// An append to a log file in one small frame. Most are this: an input happened, with what followed from it.

#include <stddef.h>

#include "save/brief.h"
#include "save/regroup.h"
#include "save/waiting.h"

// The frame's fields, by their ids.
enum { EVENTS, HASH, CHECKPOINTS, VTABLES, WAITING, INPUTS_GONE, CONSEQUENCES_GONE, FIELDS };

// What has changed.
typedef struct changes {
    uint32_t events;                // New ones, behind those in the file.
    uint32_t checkpoints;           // The last ones.
    kifu__row consequences, inputs; // They wait since.
    uint32_t gone[FIELDS];          // INPUTS_GONE and CONSEQUENCES_GONE
    kifu__queued now[FIELDS];
    bool any;
} changes;

// What came behind that which the file has, and how many the file has that are gone.
static void compare(changes *changes, const kifu_rules *rules, int id, const kifu__queue *queue,
                    const kifu__queued *said, kifu__row *fresh)
{
    // One that is not in the file is among those that are: it is written anew.
    const bool whole = said->count != said->sound && !kifu__is_said(queue, said);
    const uint32_t from = queue->said > queue->head && !whole ? queue->said : queue->head;
    fresh->queue = queue;
    fresh->first = from < queue->tail ? (kifu__proposal *)(void *)(queue->bytes + from) : NULL;
    uint32_t count = 0;
    for (kifu__proposal *at = fresh->first; at; at = kifu__queue_next(queue, at))
        count++;
    const uint32_t sound = kifu__count_sound(rules, *fresh);
    const uint32_t kept = kifu__is_said(queue, said) ? said->sound : queue->count - count;
    changes->gone[id] = said->sound - kept;
    changes->now[id] = (kifu__queued){queue->count, kept + sound};
    changes->any |= count || changes->gone[id];
}

// False where more has happened than that the game went on, or no brief segment can say it.
static bool find_changes(const kifu_timeline *timeline, const kifu__written *written, changes *changes)
{
    kifu__branch *path = timeline->log.branch;
    const kifu_rules *rules = timeline->rules;
    const uint32_t first = written->executed, same = kifu__same_events(path);
    *changes = (struct changes){.events = timeline->executed - first};
    if (timeline->past.shown || timeline->executed < first || rules->vtables_size > KIFU__BRIEF_VTABLES)
        return false;
    uint32_t kept = 0;
    for (kifu__kept_at at = kifu__kept_along(path, KIFU_NONE, timeline->log.keeps_from); at.kept;
         kifu__kept_before(&at)) {
        if (!at.kept->said)
            return false;
        kept++;
    }
    if (kept != written->kept_count) // The file has more.
        return false;
    if (!changes->events && (path->end != written->events || same < path->end))
        return false;
    if (changes->events) {
        if (kifu__has_redo(timeline) || (same < written->events ? same : written->events) != first)
            return false;
        uint32_t end;
        const kifu__segment *segment = kifu__path_segment(path, first, &end);
        if (timeline->executed > end || segment->rules_version != rules->rules_version)
            return false;
        changes->checkpoints = kifu__count_checkpoints(path, first);
    }
    compare(changes, rules, CONSEQUENCES_GONE, &timeline->consequences, &written->consequences, &changes->consequences);
    compare(changes, rules, INPUTS_GONE, &timeline->inputs, &written->inputs, &changes->inputs);
    changes->any |= changes->events > 0;
    return true;
}

// --- The frame -------------------------------------------------------------------------------------------------------

// Both brief segments. False: there is no memory, or an event is too long.
static bool make_parts(kifu__plan *plan, const kifu__written *written, const changes *changes, kifu__blob *events,
                       kifu__blob *waiting)
{
    const kifu_timeline *timeline = plan->timeline;
    const kifu__memory *memory = &timeline->memory;
    const kifu__log *log = &timeline->log;
    kifu__segment segment;
    bool good = true;
    if (changes->events) {
        const kifu__segment *last = kifu__log_segment_of(log, written->executed);
        const kifu_result result = kifu__copy_events(log, last, written->executed - last->first, &segment);
        kifu__plan_fail(plan, result);
        if (result)
            return false;
        good = kifu__brief(timeline->rules, &segment, events);
        kifu__free(memory, segment.bytes);
    }
    if (good && (changes->consequences.first || changes->inputs.first)) {
        if (!kifu__seal_waiting(plan, changes->consequences, changes->inputs, timeline->executed, &segment))
            return false;
        good = !segment.count || kifu__brief(timeline->rules, &segment, waiting);
        kifu__free(memory, segment.bytes);
    }
    return good;
}

// Those behind the first `from` events.
static void add_checkpoints(const kifu_timeline *timeline, uint32_t from, uint32_t count, uint32_t ref,
                            kifu__blob *payload)
{
    const kifu__checkpoint *next = kifu__next_checkpoint(timeline->log.branch, from);
    const uint32_t first =
        kifu__build_vector(payload, ref, NULL, count, (uint64_t)count * sizeof(kifu__save_checkpoint), 8);
    for (uint32_t i = 0; i < count && !payload->result; i++) {
        kifu__save_checkpoint *to = (kifu__save_checkpoint *)kifu__built(payload, first) + i;
        to->hash = next->hash;
        to->event_count = next->event_count;
        next = kifu__next_checkpoint(timeline->log.branch, next->event_count);
    }
}

static void add_bytes(kifu__blob *payload, uint32_t ref, const void *bytes, uint32_t size)
{
    kifu__build_vector(payload, ref, bytes, size, size, 4);
}

// By hand: most frames have only the first two fields, and a vtable that ends with them. `vtables`: they are in it.
static void build(const kifu_timeline *timeline, const changes *changes, const kifu__blob *events,
                  const kifu__blob *waiting, bool vtables, kifu__blob *payload)
{
    const uint64_t hash = kifu_state_hash(timeline);
    const uint32_t there[FIELDS] = {events->size,
                                    0,
                                    changes->checkpoints,
                                    vtables,
                                    waiting->size,
                                    changes->gone[INPUTS_GONE],
                                    changes->gone[CONSEQUENCES_GONE]};
    uint32_t size = 4 + 2 * (HASH + 1);
    for (uint32_t id = HASH; id < FIELDS; id++)
        size = there[id] ? 4 + 2 * (id + 1) : size;
    const uint32_t front = KIFU__LINK + KIFU__LINK_SIZE, behind = front + size, table = (behind + 3) & ~UINT32_C(3);
    const uint16_t at = table % 8 ? 4 : 8; // where the hash is 8-aligned
    uint16_t vtable[2 + FIELDS] = {(uint16_t)size, (uint16_t)(at + 8), [2 + HASH] = at};
    uint16_t place = at == 4 ? 12 : 4;
    for (int id = 0; id < FIELDS; id++) {
        if (!there[id])
            continue;
        vtable[2 + id] = place;
        place = place == 4 ? 16 : (uint16_t)(place + 4);
        vtable[1] = place < vtable[1] ? vtable[1] : place;
    }
    uint32_t fields[2 + FIELDS] = {table - front};
    memcpy(fields + at / 4, &hash, sizeof hash);
    for (int id = INPUTS_GONE; id < FIELDS; id++) {
        if (there[id])
            fields[vtable[2 + id] / 4] = there[id];
    }
    kifu__build(payload, 0, &table, 4, 4);
    kifu__build(payload, KIFU__LINK, vtable, vtable[0], 2);
    kifu__build(payload, table - behind, fields, vtable[1], 4);
    if (there[EVENTS])
        add_bytes(payload, table + vtable[2 + EVENTS], events->bytes, events->size);
    if (there[CHECKPOINTS])
        add_checkpoints(timeline, timeline->executed - changes->events, changes->checkpoints,
                        table + vtable[2 + CHECKPOINTS], payload);
    if (there[VTABLES])
        add_bytes(payload, table + vtable[2 + VTABLES], timeline->rules->vtables, timeline->rules->vtables_size);
    if (there[WAITING])
        add_bytes(payload, table + vtable[2 + WAITING], waiting->bytes, waiting->size);
}

static void add(kifu__plan *plan, kifu__written *written, const changes *changes, const kifu__blob *events,
                const kifu__blob *waiting)
{
    const kifu_timeline *timeline = plan->timeline;
    const bool vtables = !written->vtables && (events->size || waiting->size);
    kifu__blob payload = {.memory = &timeline->memory};
    build(timeline, changes, events, waiting, vtables, &payload);
    if (payload.result) {
        kifu__free(payload.memory, payload.bytes);
        kifu__plan_fail(plan, payload.result);
        return;
    }
    kifu__plan_add(plan, KIFU__FRAME_APPEND, payload.bytes, payload.size, true);
    written->executed = timeline->executed;
    if (changes->events)
        written->events = timeline->executed;
    written->consequences = changes->now[CONSEQUENCES_GONE];
    written->inputs = changes->now[INPUTS_GONE];
    written->vtables |= vtables;
}

bool kifu__plan_append(kifu__plan *plan, kifu__written *written)
{
    const kifu__memory *memory = &plan->timeline->memory;
    changes changes;
    kifu__blob events = {.memory = memory}, waiting = {.memory = memory};
    if (!find_changes(plan->timeline, written, &changes))
        return false;
    const bool made = make_parts(plan, written, &changes, &events, &waiting);
    kifu__plan_fail(plan, events.result ? events.result : waiting.result);
    if (made && !plan->result)
        kifu__plan_actions(plan, written, NULL); // in front of the frame that ends the append
    if (made && !plan->result && (changes.any || plan->count))
        add(plan, written, &changes, &events, &waiting);
    kifu__free(memory, events.bytes);
    kifu__free(memory, waiting.bytes);
    return made || plan->result;
}
