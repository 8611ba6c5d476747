// A commit was read into the tree; now the game goes there. First it is tried beside, on a copy of the state, so that a
// commit which leads elsewhere is shown to nobody. A model outside the state has no copy: there the events are executed
// once, and taken back if the state is another.

#include <inttypes.h>

#include "core/stand.h"
#include "history/exchange.h"
#include "history/hashes.h"
#include "history/lines.h"
#include "save/follow.h"
#include "save/saved.h"

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static kifu_result diverged(kifu_timeline *timeline, uint32_t from, uint32_t to)
{
    const uint32_t last = to ? to - 1 : 0;
    return kifu__error_of_event(&timeline->error, KIFU_DIVERGED, to ? last : KIFU_NONE,
                                "one of the events %" PRIu32 " to %" PRIu32
                                " in the changes leads to another state here; nothing was changed. See "
                                "runtime/docs/troubleshooting.md, \"When a game diverges\"",
                                least(from, last), last);
}

// Executes the events up to the place on `state`, which is that after `from` events, and compares the hashes.
static kifu_result compare_to_stand(const kifu__commits *commits, unsigned char *state, uint32_t from)
{
    kifu_timeline *timeline = commits->reader->timeline;
    kifu_result result;
    uint32_t to;
    do {
        const kifu__checkpoint *next = kifu__next_checkpoint(commits->branch, from);
        to = next && next->event_count < commits->count ? next->event_count : commits->count;
        result = kifu__replay_into(timeline, commits->branch, state, from, to);
        const uint64_t hash = kifu__hash_state(state, timeline->rules->state_size);
        const bool differs = (next && next->event_count == to && next->hash != hash) ||
                             (to == commits->count && commits->back->hash != hash);
        if (!result && differs)
            result = diverged(timeline, from, to);
        from = to;
    } while (to < commits->count && !result);
    return result;
}

static kifu_result try_beside(const kifu__commits *commits, uint32_t common)
{
    kifu_timeline *timeline = commits->reader->timeline;
    if (timeline->options.reset)
        return KIFU_OK;
    if (common == commits->count && common == timeline->executed) // It stays where it is.
        return kifu_state_hash(timeline) == commits->back->hash ? KIFU_OK : diverged(timeline, 0, common);
    unsigned char *state = (unsigned char *)kifu__new(&timeline->memory, kifu__state_room(timeline->rules));
    if (!state)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for the changes of a game");
    const uint32_t from = kifu__known_state(timeline, commits->branch, common, state);
    const kifu_result result = compare_to_stand(commits, state, from);
    kifu__free(&timeline->memory, state);
    if (!result)
        kifu__hashes_agree(commits->branch, from, commits->count);
    return result;
}

// Goes on along the way. A model outside the state was not compared beside.
static kifu_result go_and_compare(kifu_timeline *timeline, uint32_t to)
{
    const uint32_t from = timeline->executed;
    const kifu_result result = kifu__go(timeline, to, KIFU__NOTIFY);
    if (result || timeline->fault.result != KIFU_DIVERGED)
        return result;
    timeline->fault.result = KIFU_OK;
    return diverged(timeline, from, to);
}

// One event that is new here, as a film shows it. A fault is the view's.
static kifu_result show_next(kifu_timeline *timeline, kifu_error *fault)
{
    const uint32_t event = timeline->executed;
    timeline->core.player = kifu__log_mark(&timeline->log, event)->player;
    const kifu_result result = go_and_compare(timeline, event + 1);
    if (result)
        return result;
    kifu__show(timeline, kifu__log_type(&timeline->log, event), kifu__log_table(&timeline->log, event));
    if (kifu__has_handler(timeline, ran))
        timeline->dispatch->ran(timeline, event, "Act", "");
    if (kifu__report_fault(timeline) && !fault->result)
        *fault = timeline->error;
    return KIFU_OK;
}

// Up to there, the way to the place has events that were here before the commit.
static uint32_t count_known(const kifu__commits *commits)
{
    uint32_t known = commits->count;
    for (const kifu__branch *branch = commits->branch, *next = NULL; branch; next = branch, branch = branch->parent) {
        const kifu__branch_before *was = kifu__find_before(branch);
        if (was && (!next || was->from < next->from))
            known = least(known, was->from);
    }
    return known;
}

// Back to what both ways have in common, then by what was undone here, then by what is new.
static kifu_result follow_to_stand(const kifu__commits *commits, uint32_t common, kifu_error *fault)
{
    kifu_timeline *timeline = commits->reader->timeline;
    const uint32_t known = count_known(commits), before = timeline->executed;
    kifu_result result = kifu__stand(timeline, commits->branch, common, KIFU__NOTIFY);
    if (!result && timeline->executed < known)
        result = go_and_compare(timeline, known);
    if (!result && (before != common || known > common) && kifu__show_anew(timeline, KIFU_OK))
        *fault = timeline->error;
    timeline->due.held = known; // Behind that, hashes go with the events.
    while (!result && timeline->executed < commits->count)
        result = show_next(timeline, fault);
    timeline->due.held = KIFU_NONE;
    if (!result && kifu_state_hash(timeline) != commits->back->hash)
        result = diverged(timeline, common, commits->count);
    return result;
}

kifu_result kifu__follow_to(kifu__commits *commits, kifu_error *fault)
{
    kifu_timeline *timeline = commits->reader->timeline;
    kifu__branch *from = timeline->log.branch;
    const uint32_t shared = least(kifu__common(from, commits->branch), commits->count);
    const uint32_t common = least(timeline->executed, shared);
    const kifu__line was = kifu__line_as_it_is(timeline, commits->line);
    kifu_result result = try_beside(commits, common);
    if (result)
        return result;
    if (kifu__has_handler(timeline, called))
        timeline->dispatch->called(timeline, KIFU__CALL_OTHER, NULL, 0);
    result = follow_to_stand(commits, common, fault);
    if (!result)
        return KIFU_OK;
    result = kifu__stand_again(timeline, commits->back->stands, commits->back->executed, result);
    kifu__line_leave_as(timeline, commits->line, &was);
    return kifu__show_anew(timeline, result);
}

// --- The whole game --------------------------------------------------------------------------------------------------

// It is loaded into a timeline of its own, which then changes its record with the follower's. So it passes through the
// one loader, and nothing is changed where it is refused.

static kifu_result load_stage(kifu_timeline *timeline, const unsigned char *save, uint64_t size, bool lines,
                              kifu_timeline **loaded)
{
    kifu_options options = timeline->options;
    const kifu_load_options load_options = {.memory = options.changes_memory};
    options.keep_variations = lines ? kifu_keep_variations : NULL;
    options.quiet = true;
    const kifu__whole_game whole = {timeline->last_ticket, "kifu_options.changes_memory"};
    kifu_result result = kifu__load_whole(timeline->rules, save, (size_t)size, &options, &load_options, &whole, loaded,
                                          &timeline->error);
    if (result && options.reset) { // It has executed events on the model.
        const kifu_error error = timeline->error;
        (void)kifu__go(timeline, timeline->executed, KIFU__ANEW);
        timeline->error = error;
    }
    return result;
}

kifu_result kifu__exchange_game(kifu_timeline *timeline, const unsigned char *save, uint64_t size, bool lines,
                                kifu_error *fault)
{
    kifu_timeline *loaded;
    kifu_result result = load_stage(timeline, save, size, lines, &loaded);
    return result ? result : kifu__become(timeline, loaded, fault);
}
