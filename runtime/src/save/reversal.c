#include "save/reversal.h"

#include "core/stand.h"
#include "save/reader.h"
#include "save/saved.h"

static kifu__before *remember_before(kifu__reversal *back, size_t size)
{
    kifu__before *before = (kifu__before *)kifu__new(&back->timeline->memory, size);
    if (!before)
        return NULL;
    memset(before, 0, size);
    before->next = back->first;
    back->first = before;
    return before;
}

// A number that no branch has.
static uint32_t next_hidden(kifu__reversal *back)
{
    return UINT32_MAX - 1 - back->hidden++;
}

// --- Branches --------------------------------------------------------------------------------------------------------

void kifu__move_notes(kifu_timeline *timeline, uint32_t number, uint32_t behind, uint32_t to)
{
    for (kifu__part *part = timeline->parts; part; part = part->next) {
        if (part->table->renames)
            part->table->renames(timeline, part, number, behind, to);
    }
}

// The bytes of a segment's events from `slot` on, in its vectors and behind: out of it, or back.
static void move_rest(const kifu__segment *segment, uint32_t slot, unsigned char *rest, bool back)
{
    const uint32_t count = segment->count - slot;
    if (back)
        memcpy(&segment->offsets[slot], rest, count * sizeof *segment->offsets);
    const uint32_t at = kifu__segment_at(segment, slot);
    void *const parts[] = {&segment->offsets[slot], &segment->marks[slot], &segment->types[slot], segment->bytes + at};
    const size_t sizes[] = {count * sizeof *segment->offsets, count * sizeof *segment->marks, count,
                            segment->size - at};
    for (int i = 0; i < 4; rest += sizes[i++])
        memcpy(back ? parts[i] : rest, back ? rest : parts[i], sizes[i]);
}

// False without memory.
static bool keep_rest(const kifu__log *log, kifu__branch_before *was, uint32_t slot)
{
    const kifu__segment *last = &was->last;
    if (last->borrowed || last->closed || !kifu__is_unshared(last->refs)) // It is not written.
        return true;
    const size_t events = (last->count - slot) * (sizeof *last->offsets + sizeof *last->marks + 1);
    was->rest = (unsigned char *)kifu__new(&log->memory, events + last->size - kifu__segment_at(last, slot));
    if (was->rest)
        move_rest(last, slot, was->rest, false);
    return was->rest != NULL;
}

// A save would have other bytes if the segment that was cut in two stayed so, or if it ended elsewhere.
static void bring_last_back(kifu_timeline *timeline, const kifu__branch *branch, kifu__branch_before *was)
{
    kifu__branch *tail = &was->tail;
    if (!was->last.bytes)
        return;
    branch->segments[branch->segment_count - 1] = was->last;
    if (was->rest) {
        move_rest(&was->last, was->from - was->last.first, was->rest, true);
        kifu__segment_show(&was->last);
        kifu__free(&timeline->memory, was->rest);
    }
    if (was->last.first + was->last.count == was->from)
        return;
    kifu__segment_free(&tail->segments[0], &timeline->memory); // A copy.
    tail->segment_count--;
    memmove(tail->segments, tail->segments + 1, tail->segment_count * sizeof *tail->segments);
}

static void bring_branch_back(kifu_timeline *timeline, kifu__before *before)
{
    kifu__branch_before *was = (kifu__branch_before *)(void *)before;
    kifu__branch *branch = before->branch;
    branch->before = NULL;
    kifu__branch_lose(timeline, branch, was->from);
    branch->checkpoint_count = was->hashes < branch->checkpoint_count ? was->hashes : branch->checkpoint_count;
    bring_last_back(timeline, branch, was);
    if (was->tail.number) { // There is room.
        kifu__move_notes(timeline, was->tail.number, 0, branch->number);
        kifu__branch_extend(timeline, branch, &was->tail);
    }
    branch->followed = was->followed;
}

static void drop_branch_tail(kifu_timeline *timeline, kifu__before *before)
{
    kifu__branch_before *was = (kifu__branch_before *)(void *)before;
    kifu__free(&timeline->memory, was->rest);
    if (!was->tail.number)
        return;
    if (kifu__has_handler(timeline, loses))
        timeline->dispatch->lose(timeline, &was->tail, was->from);
    kifu__branch_free(timeline, &was->tail);
}

// How many of its segments have events up to there.
static uint32_t segments_up_to(const kifu__branch *branch, uint32_t count)
{
    uint32_t kept = branch->segment_count;
    while (kept && branch->segments[kept - 1].first >= count)
        kept--;
    return kept;
}

// Moves the events behind the first `was->from`, their hashes and what waits there, to the tail. False without memory,
// with nothing changed.
static bool split_branch(kifu_timeline *timeline, kifu__branch *branch, kifu__branch_before *was)
{
    kifu__log *log = &timeline->log;
    kifu__branch *tail = &was->tail;
    const kifu__segment *last = &was->last;
    const uint32_t kept = segments_up_to(branch, was->from), count = was->from;
    const bool shared = last->bytes && last->first + last->count > count;
    const uint32_t moved = branch->segment_count - kept, hashes = kifu__checkpoints_up_to(branch, count);
    const uint32_t behind = branch->checkpoint_count - hashes;
    kifu__segment copy;
    kifu__log_show(log);
    tail->segments = (kifu__segment *)kifu__new(&log->memory, (moved + (size_t)1) * sizeof *tail->segments);
    tail->checkpoints = (kifu__checkpoint *)kifu__new(&log->memory, (behind + (size_t)1) * sizeof *tail->checkpoints);
    if (!tail->segments || !tail->checkpoints || !kifu__branch_room(log, branch, 1) ||
        (shared &&
         (!keep_rest(log, was, count - last->first) || kifu__copy_events(log, last, count - last->first, &copy))))
        return false;
    if (shared) {
        copy.first = count;
        tail->segments[tail->segment_count++] = copy;
    }
    for (uint32_t i = 0; i < moved; i++)
        tail->segments[tail->segment_count++] = branch->segments[kept + i];
    for (uint32_t i = 0; i < behind; i++)
        tail->checkpoints[tail->checkpoint_count++] = branch->checkpoints[hashes + i];
    tail->end = branch->end;
    kifu__move_kept(branch, count, tail);
    kifu__log_close_gap(log, branch, kept, branch->segment_count);
    kifu__branch_cut(timeline, branch, count);
    return true;
}

// The branch in which another one begins: perhaps what was cut off.
static kifu__branch *begins_in(const kifu__branch *branch)
{
    kifu__branch_before *was = kifu__find_before(branch->parent);
    return was && was->tail.number && branch->from > was->from ? &was->tail : branch->parent;
}

void kifu__relink(const kifu__reversal *back)
{
    kifu__branch *at = back->stands, *next = NULL;
    if (!back->cut)
        return;
    for (; at->depth > back->cut->depth; at = begins_in(at)) {
        at->joins = next;
        next = at;
    }
    for (kifu__branch *parent = at; next; parent = at) {
        at = next;
        next = at->joins;
        at->joins = NULL;
        kifu__branch_link(at, parent);
    }
}

static bool cut_aside(kifu__reversal *back, kifu__branch *branch, uint32_t count)
{
    kifu_timeline *timeline = back->timeline;
    kifu__branch_before *was = kifu__find_before(branch);
    if (was) { // What comes behind is this commit's.
        if (count < branch->end)
            kifu__branch_lose(timeline, branch, count);
        return true;
    }
    was = (kifu__branch_before *)(void *)remember_before(back, sizeof *was);
    if (!was)
        return false;
    branch->before = was;
    was->before.branch = branch;
    was->from = count;
    was->hashes = kifu__checkpoints_up_to(branch, count);
    was->followed = branch->followed;
    was->before.bring_back = bring_branch_back;
    was->before.drop = drop_branch_tail;
    const uint32_t kept = segments_up_to(branch, count);
    if (kept)
        was->last = branch->segments[kept - 1];
    if (count == branch->end)
        return true;
    kifu__branch_begin(&was->tail, branch, count);
    if (!split_branch(timeline, branch, was)) {
        kifu__branch_free(timeline, &was->tail);
        kifu__free(&timeline->memory, was->rest);
        was->last = (kifu__segment){.bytes = NULL};
        was->rest = NULL;
        was->from = branch->end;
        was->hashes = branch->checkpoint_count;
        return false;
    }
    was->tail.number = next_hidden(back);
    kifu__move_notes(timeline, branch->number, count, was->tail.number);
    if (back->stands == branch)
        back->stands = &was->tail;
    else if (kifu__leads_through(back->stands, branch) && kifu__leaves(back->stands, branch) > count &&
             (!back->cut || branch->depth < back->cut->depth))
        back->cut = branch;
    return true;
}

static void set_branch_aside(kifu__reversal *back, kifu__branch *branch)
{
    const uint32_t number = next_hidden(back);
    kifu__move_notes(back->timeline, branch->number, 0, number);
    branch->number = number;
}

// --- Equal events ----------------------------------------------------------------------------------------------------

typedef struct mark_before {
    kifu__before before;
    kifu__mark *at, mark;
} mark_before;

static void bring_mark_back(kifu_timeline *timeline, kifu__before *before)
{
    const mark_before *was = (const mark_before *)(void *)before;
    (void)timeline;
    *was->at = was->mark;
}

// Whether an event of a branch is one of a segment. Then it gets the flags of that.
static kifu_result is_same_event(kifu__reversal *back, const kifu__branch *branch, uint32_t event,
                                 const kifu__segment *segment, uint32_t slot, bool *equal)
{
    const kifu_timeline *timeline = back->timeline;
    const kifu__segment *here = kifu__segment_with(branch->segments, branch->segment_count, event);
    const uint32_t own = event - here->first;
    kifu__blob one = {.memory = &timeline->memory}, other = {.memory = &timeline->memory};
    kifu_result result = kifu__blob_of(timeline->rules, here, own, &one);
    if (!result)
        result = kifu__blob_of(timeline->rules, segment, slot, &other);
    const kifu__mark *mark = &segment->marks[slot];
    *equal = !result && here->types[own] == segment->types[slot] && here->marks[own].player == mark->player &&
             one.size == other.size && !memcmp(one.bytes, other.bytes, one.size);
    if (*equal && memcmp(&here->marks[own], mark, sizeof *mark)) {
        mark_before *was = (mark_before *)(void *)remember_before(back, sizeof *was);
        if (!was)
            result = KIFU_NO_MEMORY;
        else {
            was->before.bring_back = bring_mark_back;
            was->at = &here->marks[own];
            was->mark = *was->at;
            here->marks[own] = *mark;
        }
    }
    kifu__free(&timeline->memory, one.bytes);
    kifu__free(&timeline->memory, other.bytes);
    return result;
}

static kifu_result find_same(kifu__commits *commits, const kifu__segment *segment, uint32_t *same)
{
    kifu__branch *branch = commits->branch;
    if (commits->count != branch->followed || branch->end == commits->count)
        return KIFU_OK;
    bool equal = true;
    uint32_t event = commits->count;
    while (event < branch->end && *same < segment->count && equal) {
        const kifu_result result = is_same_event(commits->back, branch, event, segment, *same, &equal);
        if (result)
            return kifu__commit_failed(commits, result);
        event += equal;
        *same += equal;
    }
    if (event < branch->end && kifu__has_branches(commits->back->timeline)) // Lines may begin there.
        return kifu__parted(commits, event);
    if (!cut_aside(commits->back, branch, event)) // What did not come is withdrawn.
        return kifu__commit_failed(commits, KIFU_NO_MEMORY);
    branch->followed = event;
    return KIFU_OK;
}

// --- What waits ------------------------------------------------------------------------------------------------------

static void hold_queues(kifu__reversal *back)
{
    kifu_timeline *timeline = back->timeline;
    if (back->queues)
        return;
    back->consequences = kifu__queue_hold(&timeline->consequences);
    back->inputs = kifu__queue_hold(&timeline->inputs);
    back->queues = true;
}

static bool keep_actions(kifu__reversal *back)
{
    return back->actions || (back->actions = kifu__keep(back->timeline, &back->set));
}

typedef struct kept_before {
    kifu__before before;
    kifu__branch *branch;
    uint32_t place;
    kifu__kept *kept; // NULL: nothing was.
} kept_before;

// It is among the spare ones then: what waits may have to be put away again, which must not fail.
static kifu__kept *take_kept(kifu_timeline *timeline, kifu__branch *branch, uint32_t place)
{
    kifu__kept *kept = kifu__take_out_kept(timeline, branch, place);
    if (kept && kifu__has_handler(timeline, waits)) // Others follow this timeline, or it has a log file.
        timeline->dispatch->wait(timeline, branch, place);
    return kept;
}

static void bring_kept_back(kifu_timeline *timeline, kifu__before *before)
{
    kept_before *was = (kept_before *)(void *)before;
    (void)take_kept(timeline, was->branch, was->place);
    if (was->kept)
        kifu__add_kept(was->branch, was->kept);
}

static void drop_kept(kifu_timeline *timeline, kifu__before *before)
{
    kifu__free_kept(&((kept_before *)(void *)before)->kept, &timeline->memory);
}

static bool kept_aside(kifu__reversal *back, kifu__branch *branch, uint32_t place)
{
    kept_before *was = (kept_before *)(void *)remember_before(back, sizeof *was);
    if (!was)
        return false;
    was->branch = branch;
    was->place = place;
    was->kept = take_kept(back->timeline, branch, place);
    if (was->kept) { // It is no spare one.
        back->timeline->spare = was->kept->below[0];
        was->kept->below[0] = NULL;
    }
    was->before.bring_back = bring_kept_back;
    was->before.drop = drop_kept;
    return true;
}

const kifu__reversal_calls kifu__reversal_functions = {
    .remember = remember_before,
    .cut_aside = cut_aside,
    .set_aside = set_branch_aside,
    .find_same = find_same,
    .hold_queues = hold_queues,
    .keep_actions = keep_actions,
    .kept_aside = kept_aside,
    .parted = kifu__parted,
};

// --- All of it -------------------------------------------------------------------------------------------------------

static kifu__before *pop_before(kifu__reversal *back)
{
    kifu__before *before = back->first;
    back->first = before ? before->next : NULL;
    return before;
}

void kifu__bring_all_back(kifu__reversal *back, kifu__shapes *shapes)
{
    kifu_timeline *timeline = back->timeline;
    for (kifu__before *before; (before = pop_before(back)) != NULL;) {
        if (before->bring_back) // Else there was no memory for the rest of it.
            before->bring_back(timeline, before);
        kifu__free(&timeline->memory, before);
    }
    if (back->queues) {
        kifu__queue_return(&timeline->consequences, &back->consequences);
        kifu__queue_return(&timeline->inputs, &back->inputs);
    }
    if (back->actions)
        kifu__bring_back(timeline, &back->set);
    kifu__standing_free(&back->set, &timeline->memory);
    if (back->forgets_shapes) {
        kifu__shapes_free(shapes);
        *shapes = back->shapes;
    } else
        kifu__shapes_cut(shapes, back->shape_count);
}

void kifu__drop_before(kifu__reversal *back)
{
    for (const kifu__before *before = back->first; before; before = before->next) {
        if (before->branch) // The branch may be freed by another one.
            before->branch->before = NULL;
    }
    for (kifu__before *before; (before = pop_before(back)) != NULL;) {
        if (before->drop)
            before->drop(back->timeline, before);
        kifu__free(&back->timeline->memory, before);
    }
    if (back->queues) {
        kifu__queue_release(&back->timeline->consequences, &back->consequences);
        kifu__queue_release(&back->timeline->inputs, &back->inputs);
    }
    kifu__standing_free(&back->set, &back->timeline->memory);
    if (back->forgets_shapes)
        kifu__shapes_free(&back->shapes);
}
