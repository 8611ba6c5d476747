// Tries: an event happens on the state, with all that follows from it, and is taken back.

#include "core/attempt.h"
#include "search/search.h"

// Where a try is open.
static kifu__search *search_of(const kifu_timeline *timeline)
{
    return (kifu__search *)timeline->search;
}

static kifu_result require_try(kifu_timeline *timeline)
{
    if (timeline->core.phase == KIFU__TRYING)
        return kifu__report_fault(timeline);
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

// --- The outermost try -----------------------------------------------------------------------------------------------

static void set_game_aside(kifu_timeline *timeline, kifu__search *search)
{
    const kifu__queue waiting = timeline->consequences;
    kifu__leave_play(timeline, search);
    kifu__keep_journal(timeline, search, timeline->executed);
    timeline->consequences = search->store;
    search->store = waiting;
}

static void bring_back(kifu_timeline *timeline, kifu__search *search)
{
    const kifu__queue store = timeline->consequences;
    if (search->play_is_aside)
        kifu__bring_play_back(timeline, &search->play, search->try_queues);
    search->play_is_aside = false;
    kifu__show_log(timeline, search);
    timeline->consequences = search->store;
    search->store = store;
    timeline->journal.keep_from = search->keep_from;
    kifu__return_to_play(timeline, search);
    kifu__changed(timeline);
}

// --- Any try ---------------------------------------------------------------------------------------------------------

static kifu__search *no_memory_for_try(kifu_timeline *timeline)
{
    kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a try; it was not opened");
    return NULL;
}

kifu__try_mark *kifu__make_mark(kifu_timeline *timeline, kifu__search *search, uint32_t count)
{
    const uint32_t open = timeline->core.tries;
    kifu__try_mark *marks = search->marks;
    if (open + count > search->made)
        marks = (kifu__try_mark *)kifu__grow(&timeline->memory, marks, &search->capacity, (uint64_t)open + count,
                                             sizeof *marks);
    if (!marks)
        return NULL;
    search->marks = marks;
    while (search->made < open + count)
        marks[search->made++].kept = NULL;
    return &marks[open];
}

// NULL: the error is the last one.
static kifu__search *open_try(kifu_timeline *timeline)
{
    if (timeline->core.phase == KIFU__TRYING && !kifu_open_tries(timeline)) // It should have been a short one.
        kifu__return_to_play(timeline, search_of(timeline));
    if (require_try(timeline))
        return NULL;
    kifu__search *search = kifu__search_attach(timeline, "a try; it was not opened");
    if (!search)
        return NULL;
    kifu__try_mark *mark = kifu__note_shorts(timeline, search, false) ? kifu__make_mark(timeline, search, 1) : NULL;
    if (!mark || (kifu__has_handler(timeline, keeps) && !timeline->dispatch->keep(timeline, &mark->kept)))
        return no_memory_for_try(timeline);
    mark->executed = timeline->executed;
    if (!timeline->core.tries++)
        set_game_aside(timeline, search);
    mark->at = timeline->consequences.tail;
    timeline->core.phase = KIFU__IDLE;
    return search;
}

// To where the last try began.
static void go_back_in_try(kifu_timeline *timeline, kifu__search *search)
{
    const kifu__try_mark *mark = &search->marks[timeline->core.tries - 1];
    kifu__queue *store = &timeline->consequences;
    kifu__journal_restore(&timeline->journal, &timeline->core, mark->executed);
    timeline->executed = mark->executed;
    if (mark->executed < timeline->log.cut_at) {
        timeline->log.cut_at = mark->executed;
    }
    if (search->hidden.left && timeline->log.branch->end > mark->executed)
        kifu__log_truncate(&timeline->log, mark->executed);
    store->base = store->head = store->tail = mark->at;
    store->count = store->found_at = store->found = 0;
    if (search->play_is_aside)
        kifu__queue_cut(&timeline->inputs, 0, 0);
    if (kifu__has_handler(timeline, returns))
        (void)timeline->dispatch->restore(timeline, mark->kept); // They have room for what they had.
}

static void take_back_try(kifu_timeline *timeline, kifu__search *search)
{
    go_back_in_try(timeline, search);
    timeline->core.phase = KIFU__TRYING;
    if (!--timeline->core.tries)
        bring_back(timeline, search);
}

// --- The long way: as in play ----------------------------------------------------------------------------------------

static bool prepare_try(kifu_timeline *timeline, kifu__search *search)
{
    if (!kifu__settle(timeline))
        return false;
    if (!search->play_is_aside)
        kifu__set_play_aside(timeline, &search->play, search->try_queues);
    search->play_is_aside = true;
    kifu__allow_shorts(timeline, search, false);
    return true;
}

bool kifu__try_open(kifu_timeline *timeline)
{
    kifu__search *search = open_try(timeline);
    if (!search || prepare_try(timeline, search))
        return search != NULL;
    kifu__report_fault(timeline);
    take_back_try(timeline, search);
    return false;
}

kifu_result kifu__try_run(kifu_timeline *timeline, bool trusted)
{
    const kifu__proposal *input = kifu__queue_first(&timeline->inputs);
    timeline->running.trusted = trusted && input && timeline->rules->types[input->type].has_check ? input->ticket : 0;
    const kifu_result result = kifu_run(timeline);
    timeline->core.phase = KIFU__TRYING;
    if (result)
        take_back_try(timeline, search_of(timeline));
    return result;
}

// --- The short way ---------------------------------------------------------------------------------------------------

// The input comes into the store. False: the long way is needed.
static bool propose(kifu_timeline *timeline, uint32_t type, int player, const void *table, uint32_t size)
{
    const kifu__type *described = &timeline->rules->types[type];
    kifu__queue *store = &timeline->consequences;
    if (!kifu__search_is_plain(timeline) || timeline->log.branch->end > timeline->executed || player < -1 ||
        player > INT8_MAX)
        return false;
    kifu__proposal *head =
        (kifu__proposal *)(void *)kifu__queue_room(store, &timeline->memory, 0, (uint32_t)sizeof *head + size);
    if (!head)
        return false;
    *head = (kifu__proposal){
        .size = size,
        .cause = KIFU_NONE,
        .ticket = timeline->last_ticket = kifu__next_ticket(timeline),
        .type = (uint8_t)type,
        .player = (int8_t)player,
        .flags = described->flags,
    };
    kifu__copy_blob(kifu__proposal_blob(head), table, size);
    kifu__queue_commit(store, size);
    if (timeline->aside.count)
        kifu__queue_cut(&timeline->aside, 0, 0);
    return true;
}

// From the beginning, by the long way.
static kifu_result try_again(kifu_timeline *timeline, kifu__search *search, uint32_t type, int player,
                             const void *table, uint32_t size, bool trusted)
{
    if (!prepare_try(timeline, search)) {
        const kifu_result result = kifu__report_fault(timeline);
        take_back_try(timeline, search);
        return result;
    }
    kifu__submit(timeline, type, player, table, size);
    return kifu__try_run(timeline, trusted);
}

// Runs what waits in the store. False: it went wrong, and nothing has happened since the try was opened.
static bool run_try(kifu_timeline *timeline, kifu__search *search, bool is_input, bool trusted, kifu_result *result)
{
    if (!kifu__run_plainly(timeline, search, is_input, trusted, result)) {
        kifu__forget_reason(timeline);
        go_back_in_try(timeline, search);
        return false;
    }
    timeline->core.phase = KIFU__TRYING;
    if (*result)
        take_back_try(timeline, search);
    else
        kifu__allow_shorts(timeline, search, true);
    return true;
}

kifu_result kifu__try(kifu_timeline *timeline, uint32_t type, int player, const void *table, uint32_t size,
                      bool trusted)
{
    kifu_result result = KIFU_OK;
    kifu__search *search = open_try(timeline);
    if (!search)
        return timeline->error.result;
    if (propose(timeline, type, player, table, size) && run_try(timeline, search, true, trusted, &result))
        return result;
    return try_again(timeline, search, type, player, table, size, trusted);
}

kifu_result kifu__try_more(kifu_timeline *timeline, kifu_result result)
{
    kifu__core *core = &timeline->core;
    kifu__search *search = search_of(timeline);
    if (search->entries != core->journal_entries)
        kifu__move_shorts(timeline, search);
    const kifu__short tried = *core->next_short;
    const uint32_t size = timeline->rules->types[tried.type].size;
    if (kifu__has_handler(timeline, do_ends))
        timeline->dispatch->end_do(timeline, result);
    core->phase = KIFU__IDLE;
    kifu__journal_close(core);
    const bool drew = kifu__drew(timeline);
    if (result || timeline->fault.result || !kifu__note_shorts(timeline, search, true)) {
        kifu__journal_cut(&timeline->journal, core, (uint32_t)(tried.journal - core->journal_entries));
        kifu__journal_close(core);
        kifu__queue_cut(&timeline->consequences, 0, 0);
        kifu__forget_reason(timeline);
        core->phase = KIFU__TRYING;
        return kifu__try(timeline, tried.type, tried.player, tried.event, size, true);
    }
    const uint32_t place = search->places[timeline->executed - search->marks[0].executed];
    kifu__proposal *proposal = (kifu__proposal *)(void *)(timeline->consequences.bytes + place);
    proposal->flags |= (uint8_t)(timeline->running.flags | (drew ? KIFU_RANDOM : 0));
    timeline->running.input_first = timeline->executed++;
    if (run_try(timeline, search, false, true, &result))
        return result;
    return try_again(timeline, search, tried.type, tried.player, tried.event, size, true);
}

kifu_result kifu__take_back(kifu_timeline *timeline)
{
    kifu__core *core = &timeline->core;
    if (core->phase == KIFU__IDLE)
        return kifu__error(&timeline->error, KIFU_MISUSE, "kifu_take_back was called, but no try is open");
    if (core->phase != KIFU__TRYING)
        return kifu__require_idle(timeline, "kifu_take_back");
    if (core->next_short == core->shorts)
        take_back_try(timeline, search_of(timeline));
    else
        kifu__end_short(timeline, search_of(timeline));
    return kifu__report_fault(timeline); // of a submit while it was open
}

uint32_t kifu_open_tries(const kifu_timeline *timeline)
{
    return timeline->core.tries + (uint32_t)(timeline->core.next_short - timeline->core.shorts);
}
