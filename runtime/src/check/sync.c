// The sync test. It has a second copy of the state, the twin, which follows every event. So it finds what changes the
// state without an edit, and what depends on anything but state and event, at the event that did it. It then repairs
// the state and reports the fault KIFU_DIVERGED, which takes the running event back, as every fault does.
//
// It executes each Do twice. What a Do may depend on by mistake differs between the two: the addresses of the state,
// the event and its own locals, leftovers on the stack and the heap, errno, and what waits in the queues.

#include <errno.h>
#include <stdio.h>

#include "base/scribble.h"
#include "core/timeline.h"
#include "wire/difference.h"

enum { DEEPER = 1040, HEAP_BLOCKS = 48, HEAP_STEP = 16 };

// States as large as the timeline's, in one allocation.
typedef struct sync {
    kifu__part part;
    unsigned char *twin;   // what the state must be
    unsigned char *before; // what it was before the running event
    unsigned char *other;  // where the Do is undone and done again; its pointers to here stay valid
    unsigned char *event;  // a copy of the event
    uint32_t event_capacity;
    int number; // errno before the live Do
} sync;

static void copy_padded(const kifu_timeline *timeline, unsigned char *to, const unsigned char *from)
{
    memcpy(to, from, timeline->rules->state_size);
}

// `ran` and `after_do` have compared what happens live.
static void sync_follows(kifu_timeline *timeline, kifu__part *part, const kifu__change *change)
{
    if (change->kind != KIFU__DONE)
        copy_padded(timeline, ((sync *)part)->twin, timeline->core.state);
}

// --- Who wrote? ------------------------------------------------------------------------------------------------------

static kifu_result begins(kifu_timeline *timeline, kifu__part *part)
{
    unsigned char *state = timeline->core.state, *twin = ((sync *)part)->twin;
    kifu_difference difference;
    if (!kifu__describe_difference(timeline->rules, twin, state, &difference))
        return KIFU_OK;
    copy_padded(timeline, state, twin);
    uint32_t last = timeline->executed ? timeline->executed - 1 : KIFU_NONE;
    kifu_event event = {.name = ""};
    char after[300] = "before the first event";
    if (kifu_event_at(timeline, last, &event))
        snprintf(after, sizeof after, "after event %u (%s) and before the next", (unsigned)last, event.name);
    return kifu__error_of_event(&timeline->error, KIFU_DIVERGED, last,
                                "the state was changed from outside, %s: %s was %s and is %s; only Do functions may "
                                "change the state, so submit an event; the change was taken back",
                                after, difference.field, difference.expected, difference.actual);
}

static void sync_ran(kifu_timeline *timeline, kifu__part *part, uint32_t event, const char *who, const char *whose)
{
    unsigned char *state = timeline->core.state, *twin = ((sync *)part)->twin;
    kifu_difference difference;
    if (!kifu__describe_difference(timeline->rules, twin, state, &difference))
        return;
    copy_padded(timeline, state, twin);
    if (timeline->fault.result) // The first one is reported.
        return;
    kifu__fault(
        timeline, KIFU_DIVERGED,
        "%s%s changed the state: %s was %s and became %s; only Do functions may change it, through edit functions", who,
        whose, difference.field, difference.expected, difference.actual);
    timeline->fault.event = event;
}

// The state becomes what it was before the running event, whatever was written since. This is needed before the event
// is taken back, and again after it, because the journal may hold what was written without an edit.
static void sync_fails(kifu_timeline *timeline, kifu__part *part, bool done)
{
    (void)done;
    if (timeline->core.tries) // It does not follow them.
        return;
    copy_padded(timeline, timeline->core.state, ((sync *)part)->before);
    copy_padded(timeline, ((sync *)part)->twin, ((sync *)part)->before);
}

// --- Do, undo, and do again ------------------------------------------------------------------------------------------

// Blocks of many sizes, so that what is allocated next is not what was freed last.
static void take_heap(const kifu__memory *memory, void **blocks, int pattern)
{
    for (size_t i = 0; i < HEAP_BLOCKS; i++) {
        size_t size = (i + 1) * HEAP_STEP;
        blocks[i] = kifu__new(memory, size);
        if (blocks[i])
            memset(blocks[i], pattern, size);
    }
}

static void give_heap(const kifu__memory *memory, void **blocks)
{
    for (size_t i = 0; i < HEAP_BLOCKS; i++)
        kifu__free(memory, blocks[i]);
}

static void sync_before_do(kifu_timeline *timeline, kifu__part *part)
{
    sync *sync = (struct sync *)part;
    void *blocks[HEAP_BLOCKS];
    copy_padded(timeline, sync->before, sync->twin);
    take_heap(&timeline->memory, blocks, 0x5a);
    give_heap(&timeline->memory, blocks);
    sync->number = errno;
}

// Whether undoing the event on a copy gives the state before it.
static bool undoes(kifu_timeline *timeline, const sync *sync, kifu_difference *difference)
{
    const kifu__journal *journal = &timeline->journal;
    const kifu__journal_entry *start = kifu__journal_start(journal, &timeline->core, timeline->core.event);
    copy_padded(timeline, sync->other, timeline->core.state);
    for (const kifu__journal_entry *entry = timeline->core.journal; entry > start;) {
        entry--;
        memcpy(sync->other + entry->offset, &entry->old, sizeof entry->old);
    }
    return !kifu__describe_difference(timeline->rules, sync->before, sync->other, difference);
}

// A copy of the event with all that it refers to, at another address; NULL without memory.
static const void *copy_event(kifu_timeline *timeline, sync *sync, const void *event)
{
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, timeline->core.event);
    size_t start = (size_t)((const unsigned char *)event - segment->bytes), size = segment->size - start;
    unsigned char *room =
        (unsigned char *)kifu__grow(&timeline->memory, sync->event, &sync->event_capacity, (uint64_t)size + 8, 1);
    if (!room)
        return NULL;
    sync->event = room;
    return memcpy(room + start % 8, event, size); // aligned as it was
}

#if defined(__GNUC__)
static kifu_result do_deeper(kifu_timeline *timeline, uint32_t type, const void *event) __attribute__((noinline));
#endif

// The Do, with its locals elsewhere.
static kifu_result do_deeper(kifu_timeline *timeline, uint32_t type, const void *event)
{
    volatile unsigned char deeper[DEEPER];
    deeper[0] = 0xa5;
    kifu__scribble(deeper[0]);
    kifu_result result = timeline->rules->do_event(timeline, type, timeline->core.state, event, timeline->transient);
    deeper[DEEPER - 1] = deeper[0]; // So that the compiler makes no jump of this call, and keeps the array.
    return result;
}

enum { REASON = sizeof((kifu_timeline *)0)->fail_reason };

// Executes the event as a replay would, on `other`, where it was undone. Edits and what waits come back afterwards.
// `reason`: why it failed.
static kifu_result do_again(kifu_timeline *timeline, const sync *sync, uint32_t type, const void *event, char *reason)
{
    const kifu_timeline was = *timeline;
    const size_t used = (size_t)(was.core.journal - was.journal.entries);
    const int number = errno;
    timeline->fail_reason[0] = '\0';
    void *taken[HEAP_BLOCKS], *left[HEAP_BLOCKS];
    take_heap(&timeline->memory, taken, 0xa5);
    take_heap(&timeline->memory, left, 0xa5);
    give_heap(&timeline->memory, left);

    timeline->core.state = sync->other;
    timeline->consequences = timeline->inputs = (kifu__queue){0};
    timeline->transient += timeline->transient_size;
    timeline->core.phase = KIFU__REPLAYING;
    timeline->core.journal_end = timeline->core.journal;
    timeline->core.unkept = &timeline->core.event; // No edit is journaled.
    errno = sync->number == ERANGE ? EDOM : ERANGE;
    kifu_result result = do_deeper(timeline, type, event);
    if (kifu__has_handler(timeline, do_ends))
        timeline->dispatch->end_do(timeline, result);
    errno = number;

    give_heap(&timeline->memory, taken);
    timeline->transient = was.transient;
    timeline->consequences = was.consequences;
    timeline->inputs = was.inputs;
    memcpy(reason, timeline->fail_reason, REASON);
    memcpy(timeline->fail_reason, was.fail_reason, REASON);
    timeline->core = was.core;
    timeline->core.journal = timeline->journal.entries + used; // which may have moved, in a transaction
    return result;
}

static const char sync_advice[] = "a Do function must depend on nothing but the state and its event";

static void sync_after_do(kifu_timeline *timeline, kifu__part *part, const kifu__live *live)
{
    sync *sync = (struct sync *)part;
    const kifu_result result = live->result;
    kifu_difference difference;
    if (timeline->fault.result) // The event is taken back anyway, and a second Do would find the fault.
        return;
    if (!undoes(timeline, sync, &difference)) {
        kifu__fault(timeline, KIFU_DIVERGED,
                    "its Do function wrote to the state without an edit function: %s was %s, and after undo it is %s; "
                    "change the state through the generated edit functions only",
                    difference.field, difference.expected, difference.actual);
        return;
    }
    const void *event = copy_event(timeline, sync, live->event);
    char reason[REASON];
    kifu_result again = event ? do_again(timeline, sync, live->type, event, reason) : KIFU_NO_MEMORY;
    const kifu_error fault = timeline->fault;
    timeline->fault.result = KIFU_OK;
    if (!again)
        again = fault.result;
    if (again == KIFU_NO_MEMORY)
        kifu__fault(timeline, KIFU_NO_MEMORY, "out of memory for the sync test");
    else if (again != result) {
        const char *first = kifu__reason(timeline, result);
        const char *second = fault.result                        ? fault.message
                             : again == KIFU_FAILED && reason[0] ? reason
                                                                 : kifu_result_text(again);
        kifu__fault(timeline, KIFU_DIVERGED,
                    "its Do function first ended with \"%s\", and with \"%.200s\" when it was executed again; %s",
                    first, second, sync_advice);
    } else if (!result && kifu__describe_difference(timeline->rules, timeline->core.state, sync->other, &difference))
        kifu__fault(
            timeline, KIFU_DIVERGED,
            "its Do function does not do the same when it is executed again: %s became %s first, and then %s; %s",
            difference.field, difference.expected, difference.actual, sync_advice);
    if (!result)
        copy_padded(timeline, sync->twin, timeline->core.state);
}

static void free_sync(kifu_timeline *timeline, kifu__part *part)
{
    kifu__free(&timeline->memory, ((sync *)part)->event);
    kifu__free(&timeline->memory, ((sync *)part)->twin);
}

static const kifu__part_table sync_table = {
    .size = sizeof(sync),
    .order = KIFU__SYNC,
    .begins = begins,
    .before_do = sync_before_do,
    .after_do = sync_after_do,
    .changed = sync_follows,
    .ran = sync_ran,
    .fails = sync_fails,
    .freed = free_sync,
};

kifu_result kifu_sync_test(kifu_timeline *timeline)
{
    if (timeline->options.reset)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_options.sync_test is for a model that is the state: it executes each event twice, and "
                           "cannot undo one outside of the state; leave out one of sync_test and reset");
    const size_t size = kifu__state_room(timeline->rules);
    sync *made = (struct sync *)kifu__attach(timeline, &sync_table);
    if (made && !made->twin)
        made->twin = (unsigned char *)kifu__new(&timeline->memory, 3 * size);
    if (!made || !made->twin)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for the sync test");
    made->before = made->twin + size;
    made->other = made->before + size;
    copy_padded(timeline, made->twin, timeline->core.state);
    return KIFU_OK;
}
