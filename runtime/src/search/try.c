// Tries: an event happens on the state, with all that follows from it, and is taken back.

#include <kifu/search.h>

#include "search/search.h"

// --- The outermost try -----------------------------------------------------------------------------------------------

// The log has an end at what is executed, and nothing is recorded along it.
static bool set_aside(kifu_timeline *timeline, kifu__search *search)
{
    const kifu__segment *open = timeline->log.open;
    search->log_size = open ? open->size : 0;
    if (!kifu__log_set_aside(&timeline->log, timeline->executed, &search->tail))
        return false;
    search->redo = timeline->redo;
    search->checkpoint_count = timeline->checkpoint_count;
    search->keyframe_count = timeline->keyframes.count;
    if (search->redo.count)
        kifu__drop_records(timeline, timeline->executed);
    timeline->redo = (kifu__redo){0};
    search->keep_from = timeline->journal.keep_from;
    search->due_from = timeline->due_from;
    search->due = timeline->due;
    if (timeline->journal.keep_from > timeline->executed)
        timeline->journal.keep_from = timeline->executed;
    timeline->due_from = timeline->executed;
    timeline->due = KIFU_NONE;
    kifu__set_aside_play(timeline, &search->play, search->try_queues);
    return true;
}

static void bring_back(kifu_timeline *timeline, kifu__search *search)
{
    kifu__log *log = &timeline->log;
    kifu__bring_play_back(timeline, &search->play, search->try_queues);
    kifu__log_bring_back(log, timeline->executed, &search->tail);
    kifu__log_tail_free(log, &search->tail);
    log->unchanged = search->tail.unchanged;
    if (log->open && log->event_count == timeline->executed)
        log->open->size = search->log_size;
    timeline->redo = search->redo;
    timeline->checkpoint_count = search->checkpoint_count;
    timeline->keyframes.count = search->keyframe_count;
    timeline->journal.keep_from = search->keep_from;
    timeline->due_from = search->due_from;
    timeline->due = search->due;
}

// --- Any try ---------------------------------------------------------------------------------------------------------

static bool no_memory(kifu_timeline *timeline)
{
    kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a try; it was not opened");
    return false;
}

static kifu_result require(kifu_timeline *timeline)
{
    if (timeline->core.phase == KIFU__TRYING)
        return kifu__take_fault(timeline);
    kifu_result result = kifu__require_calm(timeline, "a try");
    if (!result)
        result = kifu__require_present(timeline, "a try");
    if (!result && timeline->options.reset)
        result =
            kifu__error(&timeline->error, KIFU_MISUSE,
                        "an event was tried, but a model outside the state cannot be taken back by the journal: use "
                        "kifu_begin(timeline, KIFU_SEARCH)");
    return result;
}

// Takes back the last try.
static void take_back(kifu_timeline *timeline, kifu__search *search)
{
    const kifu__try_mark *mark = &search->marks[--timeline->core.tries];
    kifu__journal_restore(&timeline->journal, &timeline->core, mark->executed);
    timeline->executed = mark->executed;
    kifu__log_truncate(&timeline->log, mark->executed);
    kifu__queue_cut(&timeline->consequences, 0, 0);
    kifu__queue_cut(&timeline->inputs, 0, 0);
    if (kifu__hears(timeline, returns))
        (void)timeline->tell->give_back(timeline, mark->kept); // They have room for what they had.
    timeline->core.phase = KIFU__TRYING;
    if (!timeline->core.tries)
        bring_back(timeline, search);
}

bool kifu__try_open(kifu_timeline *timeline)
{
    if (require(timeline))
        return false;
    kifu__search *search = kifu__search_attach(timeline, "a try; it was not opened");
    if (!search)
        return false;
    const uint32_t open = timeline->core.tries;
    kifu__try_mark *marks = (kifu__try_mark *)kifu__grow(&timeline->memory, search->marks, &search->capacity,
                                                         (uint64_t)open + 1, sizeof *marks);
    if (!marks)
        return no_memory(timeline);
    search->marks = marks;
    kifu__try_mark *mark = &marks[open];
    if (open == search->made) {
        search->made++;
        mark->kept = NULL;
    }
    mark->executed = timeline->executed;
    if (kifu__hears(timeline, keeps) && !timeline->tell->keep(timeline, &mark->kept))
        return no_memory(timeline);
    if (!open && !set_aside(timeline, search))
        return no_memory(timeline);
    timeline->core.tries++;
    timeline->core.phase = KIFU__IDLE;
    return true;
}

kifu_result kifu__try_run(kifu_timeline *timeline, bool trusted)
{
    const kifu__proposal *input = kifu__queue_first(&timeline->inputs);
    timeline->trusted = trusted && input && timeline->rules->types[input->type].has_check ? input->ticket : 0;
    const kifu_result result = kifu_run(timeline);
    timeline->core.phase = KIFU__TRYING;
    if (result) // There is an open try, so there is a part.
        take_back(timeline, kifu__search_attach(timeline, "a try"));
    return result;
}

kifu_result kifu__try(kifu_timeline *timeline, uint32_t type, int player, const void *table, uint32_t size,
                      bool trusted)
{
    if (!kifu__try_open(timeline))
        return timeline->error.result;
    kifu__submit(timeline, type, player, table, size);
    return kifu__try_run(timeline, trusted);
}

kifu_result kifu_take_back(kifu_timeline *timeline)
{
    if (timeline->core.phase == KIFU__IDLE)
        return kifu__error(&timeline->error, KIFU_MISUSE, "kifu_take_back was called, but no try is open");
    if (timeline->core.phase != KIFU__TRYING)
        return kifu__require_idle(timeline, "kifu_take_back");
    take_back(timeline, kifu__search_attach(timeline, "a try"));
    return kifu__take_fault(timeline); // of a submit while it was open
}

uint32_t kifu_open_tries(const kifu_timeline *timeline)
{
    return timeline->core.tries;
}
