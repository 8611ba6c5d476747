// A copy of a game that plays on by itself.
//
// Full segments of the log are shared; the last one, the hashes and the last keyframe are copied. Each segment has a
// reference count behind its bytes, so any timeline may release it on any thread, and only unshared bytes are written:
// a timeline that goes back into a shared segment leaves it as it is, with fewer of its events. The open segment is not
// shared, so that appending need not ask; nor is what an open transaction did, because its commit changes marks. The
// state comes from the original's journal if that reaches back far enough, else from a keyframe and the events behind
// it.
//
// Observers are not copied: their contexts belong to the code that added them, and a game on another thread must not
// call them.

#include "core/go.h"
#include "core/timeline.h"
#include "history/deferred.h"
#include "history/root.h"
#include "history/seek.h"
#include "wire/table.h"

// A part of a loaded file may have any layout, and be no longer than the file: it is brought into Kifu's own.
static kifu_result copy_segment(const kifu__segment *segment, kifu_timeline *fork, kifu__segment *made)
{
    if (!segment->borrowed)
        return kifu__segment_copy(segment, &fork->memory, made) ? KIFU_OK : KIFU_NO_MEMORY;
    const kifu__buffer buffer = {.bytes = segment->bytes, .size = segment->size};
    return kifu__convert_segment(&buffer, fork->rules, segment, &fork->memory, made);
}

// The last timeline that releases a shared segment frees it: so both must free by the same function.
static bool may_share(const kifu_timeline *timeline, const kifu_timeline *fork)
{
    const kifu__memory *one = &timeline->memory, *other = &fork->memory;
    return one->allocate == other->allocate && one->context == other->context;
}

// The original goes on to fill the last segment of a branch, and a commit changes marks since the first open
// transaction began.
static bool is_settled(const kifu_timeline *timeline, kifu__branch *path, const kifu__segment *segment)
{
    const kifu__branch *owner = kifu__owner(path, segment->first + 1, NULL);
    return segment != &owner->segments[owner->segment_count - 1] &&
           segment->first + segment->count <= timeline->journal.keep_from;
}

// Both timelines share the segments that are settled.
typedef struct sharing {
    const kifu_timeline *timeline;
    kifu_timeline *fork;
    kifu__branch *path;
    bool shares;
    bool borrows; // also what lies in a loaded file
    bool apart;   // The next event of the fork need not follow.
} sharing;

static sharing share(const kifu_timeline *timeline, kifu__branch *path, kifu_timeline *fork)
{
    const bool shares = may_share(timeline, fork);
    kifu__lender *lender = timeline->log.lender;
    if (shares && lender && kifu__retain(&lender->refs))
        fork->log.lender = lender;
    return (sharing){timeline, fork, path, shares, fork->log.lender != NULL, false};
}

// The events of a segment up to number `count`.
static kifu_result share_segment(const sharing *sharing, const kifu__segment *original, uint32_t count)
{
    kifu_timeline *fork = sharing->fork;
    kifu__segment segment = *original;
    const uint32_t left = count - segment.first, wanted = left < segment.count ? left : segment.count;
    const bool shared = segment.borrowed ? sharing->borrows
                                         : sharing->shares && is_settled(sharing->timeline, sharing->path, original) &&
                                               kifu__retain(segment.refs);
    kifu_result result = shared ? KIFU_OK : copy_segment(original, fork, &segment);
    if (result)
        return result;
    kifu__segment_truncate(&segment, wanted);
    segment.closed |= sharing->apart || original->first < sharing->timeline->log.begin;
    fork->log.first.end = original->first; // It is not where the last one ends if some were left out.
    result = kifu__log_adopt(&fork->log, &segment);
    if (result)
        kifu__segment_free(&segment, &fork->memory);
    return result;
}

static kifu_result copy_log(const kifu_timeline *timeline, kifu__branch *path, uint32_t count, kifu_timeline *fork)
{
    const kifu__branch *first = kifu__owner(path, 0, NULL);
    const sharing sharing = share(timeline, path, fork);
    kifu_result result = KIFU_OK;
    // Those in front of the game's first event, to which timers lead, and then event by event.
    uint32_t event = timeline->log.begin;
    for (uint32_t i = 0; i < first->segment_count && !result; i++) {
        if (first->segments[i].first + first->segments[i].count > event)
            break;
        result = share_segment(&sharing, &first->segments[i], count);
    }
    while (event < count && !result) {
        uint32_t end;
        const kifu__segment *segment = kifu__path_segment(path, event, &end);
        result = share_segment(&sharing, segment, end < count ? end : count);
        event = end;
    }
    return result;
}

// Those segments to which timers lead.
static kifu_result take_scheduled(const kifu_timeline *timeline, uint32_t count, kifu_timeline *fork)
{
    uint32_t *events, found;
    kifu_result result =
        kifu__list_timed(timeline, timeline->core.state, count, &events, &found) ? KIFU_OK : KIFU_NO_MEMORY;
    sharing sharing = share(timeline, timeline->log.branch, fork);
    sharing.apart = true;
    uint32_t taken = 0;
    for (uint32_t i = 0; i < found && !result; i++) {
        const kifu__segment *segment = kifu__timed_segment(timeline, events[i]);
        if (!segment || events[i] < taken)
            continue;
        const uint32_t end = segment->first + segment->count;
        taken = end < count ? end : count;
        result = share_segment(&sharing, segment, taken);
    }
    kifu__free(&timeline->memory, events);
    return result;
}

// After the events were copied, the log begins with event number `root`; `state` NULL: behind all zeros.
static kifu_result begin_fork_at(kifu_timeline *fork, uint32_t root, const unsigned char *state)
{
    const uint32_t size = fork->rules->state_size;
    unsigned char *origin = state ? (unsigned char *)kifu__new(&fork->memory, size) : NULL;
    if (origin)
        memcpy(origin, state, size);
    kifu__begin_at_root(fork, root, origin);
    return origin || !state ? KIFU_OK : KIFU_NO_MEMORY;
}

static kifu_result copy_checkpoints(kifu__branch *path, uint32_t count, kifu_timeline *fork)
{
    kifu__branch *branch = &fork->log.first;
    for (uint32_t at = 0, end; at < count; at = end) {
        const kifu__branch *owner = kifu__owner(path, at + 1, &end);
        const uint32_t first = kifu__checkpoints_up_to(owner, at);
        const uint32_t more = kifu__checkpoints_up_to(owner, end < count ? end : count) - first;
        if (!more)
            continue;
        kifu__checkpoint *checkpoints =
            (kifu__checkpoint *)kifu__grow(&fork->memory, branch->checkpoints, &branch->checkpoint_capacity,
                                           (uint64_t)branch->checkpoint_count + more, sizeof *checkpoints);
        if (!checkpoints)
            return KIFU_NO_MEMORY;
        branch->checkpoints = checkpoints;
        memcpy(&checkpoints[branch->checkpoint_count], &owner->checkpoints[first], more * sizeof *checkpoints);
        branch->checkpoint_count += more;
    }
    return KIFU_OK;
}

// The events behind `from` are executed by the rules of today: what was loaded of their states, and not compared, goes.
static void forget_loaded(kifu_timeline *fork, uint32_t from)
{
    kifu__branch *branch = &fork->log.first;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < branch->checkpoint_count; i++) {
        if (!branch->checkpoints[i].loaded || branch->checkpoints[i].event_count <= from)
            branch->checkpoints[kept++] = branch->checkpoints[i];
    }
    branch->checkpoint_count = kept;
}

// The last keyframe comes along, so that undo in the fork need not begin at the beginning.
static kifu_result set_state(const kifu_timeline *timeline, kifu__branch *path, uint32_t count, kifu_timeline *fork)
{
    const uint32_t shared = kifu__common(timeline->log.branch, path);
    const kifu__keyframe *keyframe = kifu__find_keyframe(timeline, count < shared ? count : shared);
    if (keyframe && keyframe->event_count > fork->log.begin)
        kifu__add_keyframe(fork, keyframe->event_count, keyframe->state);
    fork->due.compare = timeline->due.compare;
    fork->executed = fork->options.reset ? fork->log.begin // The original has no copies, either.
                                         : kifu__known_state(timeline, path, count, fork->core.state);
    forget_loaded(fork, fork->executed);
    if (fork->options.reset)
        return kifu__go(fork, count, KIFU__ANEW);
    kifu__journal_clear(&fork->journal, &fork->core, fork->executed);
    kifu__find_due(fork);
    return fork->executed == count ? KIFU_OK : kifu__go(fork, count, KIFU__SILENT);
}

static bool copy_waiting(const kifu_timeline *timeline, kifu_timeline *fork)
{
    return kifu__queue_copy(&timeline->consequences, &fork->memory, &fork->consequences) &&
           kifu__queue_copy(&timeline->inputs, &fork->memory, &fork->inputs) && kifu__parts_copy(timeline, fork);
}

// The reactions that wait for a commit run in the fork, which has no transaction. Triggers need the journal: so the
// events since `first` are executed again.
static kifu_result react_in_fork(kifu_timeline *fork, uint32_t first, uint32_t count)
{
    fork->journal.keep_from = first;
    kifu_result result = kifu__go(fork, count, KIFU__JOURNALED);
    kifu__find_input(fork);
    if (!result)
        result = kifu__react_to_all(fork, first, "there is no fork");
    fork->journal.keep_from = KIFU_NONE;
    return result;
}

// What the parts have at the first `count` events.
static bool copy_parts(const kifu_timeline *timeline, kifu__branch *path, uint32_t count, kifu_timeline *fork)
{
    bool copied = true;
    for (const kifu__part *part = timeline->parts; part && copied; part = part->next)
        copied = !part->table->forks || part->table->forks(timeline, path, count, fork);
    return copied;
}

// Without the past, the game begins from the state that is shown.
static kifu_result copy_to_fork(const kifu_timeline *timeline, const kifu__forked *from, kifu_timeline *fork)
{
    const uint32_t count = from->count;
    const bool with_past = from->past;
    const uint32_t deferred = timeline->transactions.deferred_from;
    const bool waits = timeline->transactions.deferring && deferred < count && kifu__has_handler(fork, reacts);
    const bool reacts = waits && from->waiting && with_past;
    if (waits && !with_past)
        return kifu__error(
            &fork->error, KIFU_MISUSE,
            "kifu_fork without a past, while reactions to what happened wait for a commit: commit first");
    kifu_result result =
        with_past ? copy_log(timeline, from->path, count, fork) : take_scheduled(timeline, count, fork);
    if (!result)
        result = begin_fork_at(fork, with_past ? timeline->log.begin : count,
                               with_past ? timeline->origin : timeline->core.state);
    if (!result && with_past)
        result = copy_checkpoints(from->path, count, fork);
    if (!result && ((from->waiting && !copy_waiting(timeline, fork)) ||
                    !copy_parts(timeline, from->path, with_past ? count : 0, fork)))
        result = KIFU_NO_MEMORY;
    if (result)
        return kifu__error(&fork->error, result, "%s while a fork was made; there is none", kifu_result_text(result));
    fork->last_ticket = timeline->last_ticket;
    result = set_state(timeline, from->path, reacts ? deferred : count, fork);
    if (!result && reacts)
        result = react_in_fork(fork, deferred, count);
    else if (with_past && !result)
        kifu__find_input(fork);
    else {
        fork->running.input_first = timeline->running.input_first;
        fork->running.consequence_count = timeline->running.consequence_count;
    }
    if (kifu__has_handler(fork, called) && (count || from->waiting || !with_past))
        fork->dispatch->called(fork, KIFU__CALL_OTHER, NULL, 0);
    kifu__moved(fork, KIFU__JUMPED); // for those parts that `prepare` has attached
    return result;
}

kifu_result kifu__require_fork(const kifu_timeline *timeline, const char *call, kifu_error *error)
{
    if (timeline->core.phase == KIFU__IDLE)
        return KIFU_OK;
    return kifu__error(error, KIFU_MISUSE, "%s was called while %s", call,
                       timeline->core.phase == KIFU__TRYING ? kifu__try_is_open
                                                            : "an event runs: call it from outside");
}

kifu_result kifu__fork(const kifu_timeline *timeline, const kifu__forked *from, const kifu_options *options,
                       kifu_timeline **fork, kifu_error *error)
{
    kifu_options own = timeline->options;
    own.view = NULL;
    own.quiet = true;
    if (!options)
        options = &own;
    const char *needs = !options->reset ? "needs a kifu_options.reset"
                        : options->user == timeline->options.user
                            ? "needs a model of its own: give another kifu_options.user"
                        : !from->past ? "executes its past: it cannot do without (KIFU_WITHOUT_PAST)"
                                      : NULL;
    if (timeline->options.reset && needs)
        return kifu__error(error, KIFU_MISUSE, "kifu_fork of a game that keeps its model outside the state %s", needs);
    kifu_result result = kifu_create(timeline->rules, options, fork, error);
    if (!result)
        result = copy_to_fork(timeline, from, *fork);
    if (result && *fork) {
        if (error)
            *error = (*fork)->error;
        kifu_destroy(*fork);
        *fork = NULL;
    }
    return result;
}

kifu_result kifu_fork(const kifu_timeline *timeline, uint32_t count, const kifu_options *options, kifu_timeline **fork,
                      kifu_error *error)
{
    const uint32_t present = kifu_event_count(timeline);
    const bool past = count != KIFU_WITHOUT_PAST, whole = count == KIFU_PRESENT;
    const kifu__forked from = {
        .path = timeline->log.branch,
        .count = !past   ? timeline->executed
                 : whole ? present
                         : count,
        .past = past,
        .waiting = past ? whole : !timeline->past.shown,
    };
    *fork = NULL;
    kifu_result result = kifu__require_fork(timeline, "kifu_fork", error);
    if (!result && past && from.count > present)
        return kifu__error(error, KIFU_MISUSE,
                           "kifu_fork after %u events, but only %u have happened (kifu_event_count)", (unsigned)count,
                           (unsigned)present);
    if (!result)
        result = kifu__require_past(timeline, "kifu_fork", count, error);
    return result ? result : kifu__fork(timeline, &from, options, fork, error);
}
