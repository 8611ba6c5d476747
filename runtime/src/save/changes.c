#include "save/changes.h"

#include <kifu/news.h>

#include "history/digest.h"
#include "history/watch.h"

// The most changes that are remembered.
enum { MOST_MARKS = 256 };

// The timeline at a change that was asked for.
typedef struct mark {
    uint64_t change;
    uint64_t digest; // Of the log then; if `known`.
    uint32_t length; // Of the log then,
    uint32_t low;    // and down to which it was cut since; KIFU_NONE: it was not.
    bool known;
    uint64_t tree; // How often lines and notes had changed then.
} mark;

typedef struct changes {
    kifu__part part;
    kifu__watcher watcher;
    bool watching;
    mark *marks; // `change` ascends.
    uint32_t count, capacity;
    uint32_t executed; // At the last one.
    uint64_t *digests; // Of the first 64, 128, … events.
    uint32_t digest_count, digest_capacity;
    uint32_t last; // And of the first so many.
    uint64_t last_digest;
} changes;

static void freed(kifu_timeline *timeline, kifu__part *part)
{
    changes *changes = (struct changes *)(void *)part;
    kifu__free(&timeline->memory, changes->marks);
    kifu__free(&timeline->memory, changes->digests);
}

static const kifu__part_table table = {.size = sizeof(changes), .order = KIFU__NEWS, .freed = freed};

static kifu_result fail(kifu_timeline *timeline, kifu_result result)
{
    return kifu__error(&timeline->error, result, "%s for a game's news", kifu_result_text(result));
}

// NULL without memory.
static changes *changes_of(kifu_timeline *timeline)
{
    changes *changes = (struct changes *)(void *)kifu__attach(timeline, &table);
    if (changes && !changes->watching)
        timeline->tree.followed = changes->watching = kifu__watch(timeline, &changes->watcher);
    return changes && changes->watching ? changes : NULL;
}

// --- Digests ---------------------------------------------------------------------------------------------------------

kifu_result kifu__digest_event(const kifu_timeline *timeline, uint32_t event, kifu__blob *blob, uint64_t *digest)
{
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, event);
    return kifu__digest_slot(timeline, segment, event - segment->first, blob, digest);
}

// Without memory it is not remembered.
static void remember(kifu_timeline *timeline, changes *changes, uint32_t count, uint64_t digest)
{
    changes->last = count;
    changes->last_digest = digest;
    if (count % KIFU__DIGEST_INTERVAL || count / KIFU__DIGEST_INTERVAL != changes->digest_count + 1)
        return;
    uint64_t *digests = (uint64_t *)kifu__grow(&timeline->memory, changes->digests, &changes->digest_capacity,
                                               (uint64_t)changes->digest_count + 1, sizeof *digests);
    if (!digests)
        return;
    changes->digests = digests;
    digests[changes->digest_count++] = digest;
}

kifu_result kifu__digest_log(kifu_timeline *timeline, uint32_t count, uint64_t *digest)
{
    changes *changes = (struct changes *)(void *)kifu__part_of(timeline, &table);
    const uint32_t whole = count / KIFU__DIGEST_INTERVAL;
    const uint32_t near = whole < changes->digest_count ? whole : changes->digest_count;
    uint32_t at = near * KIFU__DIGEST_INTERVAL;
    *digest = near ? changes->digests[near - 1] : 0;
    if (changes->last <= count && changes->last > at) {
        at = changes->last;
        *digest = changes->last_digest;
    }
    kifu__blob blob = {.memory = &timeline->memory};
    kifu_result result = KIFU_OK;
    while (at < count && !result) {
        result = kifu__digest_event(timeline, at, &blob, digest);
        if (!result && (++at == count || at % KIFU__DIGEST_INTERVAL == 0))
            remember(timeline, changes, at, *digest);
    }
    kifu__free(&timeline->memory, blob.bytes);
    return result ? fail(timeline, result) : KIFU_OK;
}

uint32_t kifu__digest_place(uint32_t base, uint32_t index)
{
    if (index <= KIFU__NEAR_DIGESTS)
        return index < base ? base - index : 0;
    const uint64_t distance = (uint64_t)KIFU__NEAR_DIGESTS << (index - KIFU__NEAR_DIGESTS);
    return distance < base ? (base - (uint32_t)distance) / KIFU__DIGEST_INTERVAL * KIFU__DIGEST_INTERVAL : 0;
}

// --- Changes ---------------------------------------------------------------------------------------------------------

// The events from number `count` on were dropped from the log.
static void lower(changes *changes, uint32_t count)
{
    for (uint32_t i = changes->count; i-- > 0 && changes->marks[i].low > count;)
        changes->marks[i].low = count;
    if (changes->digest_count > count / KIFU__DIGEST_INTERVAL)
        changes->digest_count = count / KIFU__DIGEST_INTERVAL;
    if (changes->last > count)
        changes->last = 0;
}

// Whether only events happened from one to the other.
static bool only_events(const mark *from, const mark *to)
{
    return to->change - from->change == to->length - (uint64_t)from->length;
}

// One that is between two others, with only events around it, can be found without it. Else the oldest is forgotten.
static void make_room(changes *changes)
{
    mark *marks = changes->marks;
    uint32_t least = 0;
    for (uint32_t i = 1; i + 1 < changes->count && !least; i++) {
        if (only_events(&marks[i - 1], &marks[i]) && only_events(&marks[i], &marks[i + 1]))
            least = i;
    }
    changes->count--;
    memmove(&marks[least], &marks[least + 1], (changes->count - least) * sizeof *marks);
}

// The digest of the last one, if memory was missing before. A fork without a past has nothing to be digested.
static kifu_result complete(kifu_timeline *timeline, mark *last)
{
    if (last->known || timeline->origin)
        return KIFU_OK;
    const kifu_result result = kifu__digest_log(timeline, last->length, &last->digest);
    last->known = !result;
    return result;
}

static kifu_result add(kifu_timeline *timeline, changes *changes, uint64_t change, uint32_t cut)
{
    if (changes->count == MOST_MARKS)
        make_room(changes);
    mark *marks = (mark *)kifu__grow(&timeline->memory, changes->marks, &changes->capacity,
                                     (uint64_t)changes->count + 1, sizeof *marks);
    if (!marks) {
        changes->watcher.cut = cut; // to be asked once more
        return fail(timeline, KIFU_NO_MEMORY);
    }
    changes->marks = marks;
    mark *added = &marks[changes->count++];
    *added =
        (mark){.change = change, .length = timeline->log.branch->end, .low = KIFU_NONE, .tree = timeline->tree.changes};
    changes->executed = kifu_event_count(timeline);
    return complete(timeline, added);
}

// How much has happened since the last mark.
static uint64_t count_since(const kifu_timeline *timeline, const changes *changes, uint32_t cut)
{
    const mark *last = &changes->marks[changes->count - 1];
    const uint32_t length = timeline->log.branch->end, before = last->length, executed = kifu_event_count(timeline);
    if (cut < before)
        return 1 + (uint64_t)(length - cut);
    const uint32_t undone = length - executed;
    const bool other = undone != before - changes->executed || timeline->tree.changes != last->tree ||
                       (undone && executed != changes->executed);
    return length - (uint64_t)before + other;
}

kifu_result kifu__count_changes(kifu_timeline *timeline, uint64_t *count)
{
    changes *changes = changes_of(timeline);
    *count = 0;
    if (!changes)
        return fail(timeline, KIFU_NO_MEMORY);
    const uint32_t cut = kifu__ask_watcher(timeline, &changes->watcher);
    uint64_t more = 0;
    if (changes->count) {
        *count = changes->marks[changes->count - 1].change;
        more = count_since(timeline, changes, cut);
        lower(changes, cut);
    }
    if (changes->count && !more)
        return complete(timeline, &changes->marks[changes->count - 1]);
    *count = changes->count ? *count + more : 1 + (uint64_t)timeline->log.branch->end; // 0 is none.
    return add(timeline, changes, *count, cut);
}

// The mark of a change, where it is not there itself: only events happened around it. False: unknown.
static bool find(const changes *changes, uint64_t change, mark *found)
{
    const mark *marks = changes->marks;
    uint32_t at = changes->count;
    while (at && marks[at - 1].change > change)
        at--;
    if (!at)
        return false;
    *found = marks[at - 1];
    if (found->change == change)
        return true;
    if (at == changes->count || !only_events(&marks[at - 1], &marks[at]))
        return false;
    found->length += (uint32_t)(change - found->change);
    found->known = false;
    return true;
}

kifu_result kifu__since_change(kifu_timeline *timeline, uint64_t change, kifu__since *since)
{
    const changes *changes = (const struct changes *)(const void *)kifu__part_of(timeline, &table);
    mark mark;
    *since = (kifu__since){.base = 0};
    if (!change || !find(changes, change, &mark) || mark.tree < timeline->tree.forgotten)
        return KIFU_OK;
    since->known = true;
    since->tree = mark.tree;
    since->base = mark.length < mark.low ? mark.length : mark.low;
    if (!mark.known && mark.low < mark.length)
        return KIFU_OK;
    since->length = mark.length;
    since->digest = mark.digest;
    return mark.known ? KIFU_OK : kifu__digest_log(timeline, mark.length, &since->digest);
}

uint64_t kifu_change_count(kifu_timeline *timeline)
{
    const changes *changes = (const struct changes *)(const void *)kifu__part_of(timeline, &table);
    uint64_t count = changes && changes->count ? changes->marks[changes->count - 1].change : 0;
    const kifu_error error = timeline->error;
    if (timeline->core.phase == KIFU__IDLE && !timeline->transactions.open)
        (void)kifu__count_changes(timeline, &count);
    timeline->error = error;
    return count;
}
