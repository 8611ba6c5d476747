// Forgetting: a game begins from the state that it had at one of its events, which is the root of its log.
//
// The whole chain in which a place lies is kept, so undo never finds half a chain. A chain that undo could not take
// back (it has an event that is final, or goes back to the beginning) is no reason to keep it.

#include <kifu/forget.h>

#include "history/root.h"
#include "history/seek.h"

uint32_t kifu_first_event(const kifu_timeline *timeline)
{
    return timeline->log.begin;
}

// --- Where -----------------------------------------------------------------------------------------------------------

static kifu_result require_forgettable(kifu_timeline *timeline, uint32_t count)
{
    const char *call = "kifu_forget";
    kifu_result result = kifu__require_outside(timeline, call);
    if (!result)
        result = kifu__require_present(timeline, call);
    if (!result && timeline->options.reset)
        result = kifu__error(&timeline->error, KIFU_MISUSE,
                             "%s: this game keeps its model outside the state, so it cannot begin from a state", call);
    if (!result && count > timeline->executed)
        result = kifu__error(&timeline->error, KIFU_MISUSE,
                             "%s of the first %u events, but only %u have happened (kifu_event_count)", call,
                             (unsigned)count, (unsigned)timeline->executed);
    return result;
}

// Whether the chain before goes on with event number `count`, which may be one that still waits.
static bool chain_goes_on(const kifu_timeline *timeline, uint32_t count)
{
    if (count == timeline->log.branch->end)
        return timeline->consequences.count > 0;
    return kifu__log_mark(&timeline->log, count)->flags & KIFU_CONTINUE_UNDO;
}

// The last place up to `count` that is inside no chain which undo could take back.
static uint32_t find_root(const kifu_timeline *timeline, uint32_t count)
{
    uint32_t root = count;
    while (chain_goes_on(timeline, root)) {
        if (root == timeline->log.begin) // Undo does not go back to before the beginning.
            return count;
        root--;
        const uint8_t flags = kifu__log_mark(&timeline->log, root)->flags;
        if (!(flags & KIFU_UNDOABLE) || flags & KIFU_REVEALS)
            return count;
    }
    return root;
}

// --- What goes -------------------------------------------------------------------------------------------------------

// Segments of the branch with the root whose events are all before it.
static uint32_t count_segments(const kifu__branch *branch, uint32_t root)
{
    uint32_t count = 0;
    while (count < branch->segment_count && branch->segments[count].first + branch->segments[count].count <= root)
        count++;
    return count;
}

static void drop_keyframes(kifu_timeline *timeline, uint32_t root)
{
    kifu__keyframes *keyframes = &timeline->keyframes;
    uint32_t first = 0;
    while (first < keyframes->count && keyframes->items[first].event_count <= root)
        kifu__free(&timeline->memory, keyframes->items[first++].state);
    keyframes->made -= first;
    keyframes->count -= first;
    if (first)
        memmove(keyframes->items, keyframes->items + first, keyframes->made * sizeof *keyframes->items);
}

static void drop_hashes(kifu__branch *branch, uint32_t root)
{
    const uint32_t gone = kifu__checkpoints_up_to(branch, root);
    branch->checkpoint_count -= gone;
    if (gone)
        memmove(branch->checkpoints, branch->checkpoints + gone,
                branch->checkpoint_count * sizeof *branch->checkpoints);
}

static void drop_journal(kifu_timeline *timeline, uint32_t root)
{
    kifu__journal *journal = &timeline->journal;
    if (root > journal->first_event) // It ends with the last event that is executed.
        kifu__journal_drop(journal, &timeline->core, root - journal->first_event);
}

// The file from which the timeline was loaded, unless one of the segments that are left lies in it.
static void let_file_go(kifu_timeline *timeline)
{
    kifu__log *log = &timeline->log;
    bool borrows = kifu__has_handler(timeline, branches); // Other lines may have such segments.
    for (uint32_t i = 0; i < log->first.segment_count && !borrows; i++)
        borrows = log->first.segments[i].borrowed;
    if (borrows || !log->lender)
        return;
    if (kifu__release(&log->lender->refs))
        log->lender->free(log->lender, &timeline->memory);
    log->lender = NULL;
}

// --- All of it -------------------------------------------------------------------------------------------------------

// Nothing fails any more.
static void begin_at_root(kifu_timeline *timeline, uint32_t root, unsigned char *state)
{
    kifu__free(&timeline->memory, timeline->origin);
    timeline->origin = state;
    kifu__branch *first = kifu__owner(timeline->log.branch, 0, NULL);
    timeline->log.begin = timeline->transactions.floor = first->from = root;
    drop_keyframes(timeline, root);
    drop_hashes(first, root);
    drop_journal(timeline, root);
    kifu__drop_kept_up_to(timeline, first, root);
    kifu__free_kept(&timeline->spare, &timeline->memory);
    let_file_go(timeline);
    if (kifu__has_handler(timeline, called)) // What was recorded of the calls leads no more to this game.
        timeline->dispatch->called(timeline, KIFU__CALL_OTHER, NULL, 0);
}

static kifu_result forget_past(kifu_timeline *timeline, uint32_t root, unsigned char *state)
{
    kifu__timed_events timed;
    kifu_result result = kifu_state_at(timeline, root, state, timeline->rules->state_size);
    if (result)
        return result;
    result = kifu__take_timed(timeline, state, root, &timed);
    if (result)
        return kifu__error(&timeline->error, result, "%s while the past was forgotten; nothing was",
                           kifu_result_text(result));
    for (kifu__part *part = timeline->parts; part; part = part->next) {
        if (part->table->forgets)
            part->table->forgets(timeline, part, root);
    }
    kifu__put_in_front(timeline, &timed, count_segments(kifu__owner(timeline->log.branch, 0, NULL), root));
    begin_at_root(timeline, root, state);
    return KIFU_OK;
}

kifu_result kifu_forget(kifu_timeline *timeline, uint32_t count)
{
    count = count == KIFU_PRESENT ? timeline->executed : count;
    kifu_result result = require_forgettable(timeline, count);
    const uint32_t root = result || count <= timeline->log.begin ? 0 : find_root(timeline, count);
    if (result || root <= timeline->log.begin)
        return result;
    const size_t size = kifu__state_room(timeline->rules);
    unsigned char *state = (unsigned char *)kifu__new(&timeline->memory, size);
    if (!state)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for the state with which the game begins");
    memset(state, 0, size);
    result = forget_past(timeline, root, state);
    if (result)
        kifu__free(&timeline->memory, state);
    return result;
}
