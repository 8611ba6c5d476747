// A copy of a game that plays on by itself.

#include "core/go.h"
#include "core/timeline.h"
#include "history/deferred.h"
#include "wire/table.h"

// A part of a loaded file may have any layout, and be no longer than the file: it is brought into Kifu's own.
static kifu_result copy_segment(const kifu__segment *segment, kifu_timeline *fork, kifu__segment *made)
{
    kifu__segment copy = *segment;
    copy.holders = NULL;
    if (segment->borrowed) {
        const kifu__buffer buffer = {.bytes = segment->bytes, .size = segment->size};
        kifu_result result = kifu__convert_segment(&buffer, fork->rules, fork->log.event_count, &fork->memory, &copy);
        if (result)
            return result;
    } else {
        unsigned char *bytes = (unsigned char *)kifu__new(&fork->memory, segment->capacity);
        if (!bytes)
            return KIFU_NO_MEMORY;
        memcpy(bytes, segment->bytes, segment->size);
        copy.bytes = bytes;
        copy.marks = (kifu__mark *)(void *)(bytes + ((unsigned char *)segment->marks - segment->bytes));
        copy.offsets = (uint32_t *)(void *)(bytes + ((unsigned char *)segment->offsets - segment->bytes));
        copy.types = bytes + (segment->types - segment->bytes);
        copy.count = copy.offsets[-1]; // with those that are set aside
        copy.closed = false;
    }
    *made = copy;
    return KIFU_OK;
}

// Whoever lets a shared segment go last frees it: so both must free by the same function.
static bool may_share(const kifu_timeline *timeline, const kifu_timeline *fork)
{
    const kifu__memory *one = &timeline->memory, *other = &fork->memory;
    return one->allocate == other->allocate && one->context == other->context;
}

// The original goes on to fill the last segment, and a commit changes marks since the first open transaction began.
static bool is_settled(const kifu_timeline *timeline, const kifu__segment *segment)
{
    return segment != timeline->log.open && segment->first + segment->count <= timeline->journal.keep_from;
}

// Both timelines share the segments that are settled.
static kifu_result copy_log(const kifu_timeline *timeline, uint32_t count, kifu_timeline *fork)
{
    const kifu__log *log = &timeline->log;
    const bool shares = may_share(timeline, fork), borrows = shares && kifu__parts_share(timeline, fork);
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < log->segment_count && log->segments[i].first < count && !result; i++) {
        kifu__segment segment = log->segments[i];
        const uint32_t left = count - segment.first, wanted = left < segment.count ? left : segment.count;
        const bool shared = segment.borrowed
                                ? borrows
                                : shares && is_settled(timeline, &log->segments[i]) && kifu__hold(segment.holders);
        if (!shared)
            result = copy_segment(&log->segments[i], fork, &segment);
        if (result)
            break;
        kifu__segment_truncate(&segment, wanted);
        result = kifu__log_adopt(&fork->log, &segment);
        if (result)
            kifu__segment_free(&segment, &fork->memory);
    }
    return result;
}

static kifu_result copy_checkpoints(const kifu_timeline *timeline, uint32_t count, kifu_timeline *fork)
{
    const uint32_t copied = kifu__checkpoints_up_to(timeline, count);
    const size_t size = sizeof *fork->checkpoints;
    fork->checkpoints = (kifu__checkpoint *)kifu__grow(&fork->memory, NULL, &fork->checkpoint_capacity, copied, size);
    if (!fork->checkpoints)
        return KIFU_NO_MEMORY;
    if (copied) // else there may be none to copy from
        memcpy(fork->checkpoints, timeline->checkpoints, copied * size);
    fork->checkpoint_count = copied;
    return KIFU_OK;
}

// The last keyframe comes along, so that undo in the fork need not begin at the beginning.
static kifu_result set_state(const kifu_timeline *timeline, uint32_t count, kifu_timeline *fork)
{
    const kifu__keyframe *keyframe = kifu__find_keyframe(timeline, count);
    if (keyframe)
        kifu__add_keyframe(fork, keyframe->event_count, keyframe->state);
    bool copied = !fork->options.reset; // Then the original has none, either.
    if (copied && count == timeline->executed)
        memcpy(fork->core.state, timeline->core.state, timeline->rules->state_size);
    else if (copied)
        copied = kifu__journal_state_at(timeline, count, fork->core.state);
    if (!copied)
        return kifu__go(fork, count, KIFU__ANEW);
    fork->executed = count;
    kifu__journal_clear(&fork->journal, &fork->core, count);
    kifu__find_due(fork);
    return KIFU_OK;
}

static bool copy_waiting(const kifu_timeline *timeline, kifu_timeline *fork)
{
    return kifu__queue_copy(&timeline->consequences, &fork->memory, &fork->consequences) &&
           kifu__queue_copy(&timeline->inputs, &fork->memory, &fork->inputs) && kifu__parts_copy(timeline, fork);
}

// The reactions that wait for a commit run in the fork, which has no transaction. Triggers need the journal: so the
// events since `first` are executed again.
static kifu_result react(kifu_timeline *fork, uint32_t first, uint32_t count)
{
    fork->journal.keep_from = first;
    kifu_result result = kifu__go(fork, count, KIFU__JOURNALED);
    kifu__find_input(fork);
    if (!result)
        result = kifu__react_to_all(fork, first, "there is no fork");
    fork->journal.keep_from = KIFU_NONE;
    return result;
}

static kifu_result copy(const kifu_timeline *timeline, uint32_t count, bool with_pending, kifu_timeline *fork)
{
    const uint32_t deferred = timeline->deferred_from;
    const bool reacts = with_pending && timeline->deferring && deferred < count && kifu__hears(fork, reacts);
    kifu_result result = copy_log(timeline, count, fork);
    if (!result)
        result = copy_checkpoints(timeline, count, fork);
    if (!result && with_pending && !copy_waiting(timeline, fork))
        result = KIFU_NO_MEMORY;
    if (result)
        return kifu__error(&fork->error, result, "%s while a fork was made; there is none", kifu_result_text(result));
    fork->last_ticket = timeline->last_ticket;
    result = set_state(timeline, reacts ? deferred : count, fork);
    if (!result && reacts)
        result = react(fork, deferred, count);
    else if (!result)
        kifu__find_input(fork);
    if (kifu__hears(fork, called) && (count || with_pending))
        fork->tell->called(fork, KIFU__CALL_OTHER, NULL, 0);
    kifu__moved(fork, KIFU__JUMPED); // for those parts that `prepare` has attached
    return result;
}

kifu_result kifu_fork(const kifu_timeline *timeline, uint32_t count, const kifu_options *options, kifu_timeline **fork,
                      kifu_error *error)
{
    *fork = NULL;
    uint32_t present = kifu_event_count(timeline);
    if (timeline->core.phase != KIFU__IDLE)
        return kifu__error(error, KIFU_MISUSE, "kifu_fork was called while %s",
                           timeline->core.phase == KIFU__TRYING ? "a try is open: call kifu_take_back first"
                                                                : "an event runs: call it from outside");
    if (count != KIFU_PRESENT && count > present)
        return kifu__error(error, KIFU_MISUSE,
                           "kifu_fork after %u events, but only %u have happened (kifu_event_count)", (unsigned)count,
                           (unsigned)present);
    kifu_options own = timeline->options;
    own.view = NULL;
    own.quiet = true;
    if (!options)
        options = &own;
    if (timeline->options.reset && !options->reset)
        return kifu__error(error, KIFU_MISUSE,
                           "kifu_fork of a game that keeps its model outside the state needs a kifu_options.reset");
    if (timeline->options.reset && options->user == timeline->options.user)
        return kifu__error(error, KIFU_MISUSE,
                           "kifu_fork of a game that keeps its model outside the state needs a model of its own: give "
                           "another kifu_options.user");
    kifu_result result = kifu_create(timeline->rules, options, fork, error);
    if (result)
        return result;
    result = copy(timeline, count == KIFU_PRESENT ? present : count, count == KIFU_PRESENT, *fork);
    if (result) {
        if (error)
            *error = (*fork)->error;
        kifu_destroy(*fork);
        *fork = NULL;
    }
    return result;
}
