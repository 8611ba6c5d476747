// Transactions: around several events, marks for a search, and inside a Do.

#include "core/timeline.h"

static kifu__transaction *last_open(const kifu_timeline *timeline)
{
    return timeline->transaction_count ? &timeline->transactions[timeline->transaction_count - 1] : NULL;
}

uint32_t kifu_open_transactions(const kifu_timeline *timeline)
{
    return timeline->transaction_count;
}

static kifu__transaction *push(kifu_timeline *timeline)
{
    kifu__transaction *transactions =
        (kifu__transaction *)kifu__grow(&timeline->memory, timeline->transactions, &timeline->transaction_capacity,
                                        (uint64_t)timeline->transaction_count + 1, sizeof *transactions);
    if (!transactions) {
        kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a transaction; none was begun");
        return NULL;
    }
    timeline->transactions = transactions;
    kifu__transaction *pushed = &transactions[timeline->transaction_count];
    bool fresh = timeline->transaction_count++ == timeline->transaction_slots;
    timeline->transaction_slots += fresh;
    *pushed = (kifu__transaction){
        .executed = timeline->executed,
        .consequence_count = timeline->consequence_count,
        .consequences = fresh ? (kifu__queue){0} : pushed->consequences,
        .inputs = fresh ? (kifu__queue){0} : pushed->inputs,
        .actions = fresh ? (kifu__queue){0} : pushed->actions,
    };
    return pushed;
}

// How far back the journal must reach, after the outermost transaction has begun or ended.
static void set_keep_from(kifu_timeline *timeline)
{
    timeline->journal.keep_from = timeline->transaction_count ? timeline->transactions[0].executed : KIFU_NONE;
}

// What redo could bring back; its queues are needed again by the next one.
static void free_transaction(kifu_timeline *timeline, kifu__transaction *transaction)
{
    for (uint32_t i = 0; i < transaction->undone_count; i++) {
        kifu__queue_free(&transaction->undone[i].consequences, &timeline->memory);
        kifu__queue_free(&transaction->undone[i].inputs, &timeline->memory);
    }
    kifu__free(&timeline->memory, transaction->undone);
    kifu__log_tail_free(&timeline->log, &transaction->tail);
}

void kifu__transactions_cut(kifu_timeline *timeline)
{
    const uint32_t executed = timeline->executed;
    for (uint32_t i = 0; i < timeline->transaction_count; i++) {
        kifu__transaction *each = &timeline->transactions[i];
        if (each->executed <= executed)
            continue;
        free_transaction(timeline, each);
        each->undone = NULL;
        each->undone_count = each->undone_capacity = 0;
        each->tail = (kifu__log_tail){.event_count = executed};
        kifu__queue_cut(&each->consequences, 0, 0);
        each->executed = each->input_first = executed;
        each->consequence_count = 0;
    }
    set_keep_from(timeline);
}

void kifu__transactions_free(kifu_timeline *timeline)
{
    for (uint32_t i = 0; i < timeline->transaction_count; i++)
        free_transaction(timeline, &timeline->transactions[i]);
    for (uint32_t i = 0; i < timeline->transaction_slots; i++) {
        kifu__queue_free(&timeline->transactions[i].consequences, &timeline->memory);
        kifu__queue_free(&timeline->transactions[i].inputs, &timeline->memory);
        kifu__queue_free(&timeline->transactions[i].actions, &timeline->memory);
    }
    kifu__free(&timeline->memory, timeline->transactions);
}

// --- In a Do ---------------------------------------------------------------------------------------------------------

// A replay that keeps no journal keeps one for the time of the transaction, and forgets it afterwards.
static kifu_result begin_in_do(kifu_timeline *timeline)
{
    if (timeline->options.reset) {
        static const char outside[] =
            "a transaction was begun in a Do function, but a model outside the state cannot be "
            "taken back there: begin it around the event";
        kifu__fault(timeline, KIFU_MISUSE, "%s", outside);
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s", outside);
    }
    kifu__transaction *transaction = push(timeline);
    if (!transaction) { // Whatever Do makes of it: this is no failure of the rules.
        kifu__fault(timeline, KIFU_NO_MEMORY, "out of memory for a transaction in a Do function");
        return KIFU_NO_MEMORY;
    }
    kifu__core *core = &timeline->core;
    transaction->kind = KIFU__IN_DO;
    transaction->executed = core->event;
    transaction->unkept = core->unkept;
    if (core->unkept) {
        core->unkept = 0;
        if (!timeline->journal.entries) // so that there is something to count from
            kifu__journal_grow(&timeline->journal, core, &timeline->memory);
        core->journal_end = timeline->journal.entries + timeline->journal.capacity;
    }
    transaction->journal_used = (uint32_t)(core->journal - timeline->journal.entries);
    transaction->queue_bytes = timeline->consequences.tail - timeline->consequences.head;
    transaction->queue_count = timeline->consequences.count;
    core->journal_last = 0; // what was recorded before it is no part of it
    return KIFU_OK;
}

static void end_in_do(kifu_timeline *timeline, bool keep)
{
    kifu__transaction transaction = timeline->transactions[--timeline->transaction_count];
    kifu__core *core = &timeline->core;
    if (!keep) {
        kifu__journal_cut(&timeline->journal, core, transaction.journal_used);
        kifu__queue_cut(&timeline->consequences, transaction.queue_bytes, transaction.queue_count);
        timeline->consequence_count = transaction.consequence_count;
    }
    if (transaction.unkept) {
        core->journal = timeline->journal.entries + transaction.journal_used;
        core->journal_end = core->journal;
        core->journal_last = 0;
        core->unkept = 1;
    }
}

void kifu__end_of_do(kifu_timeline *timeline, uint32_t open_before, kifu_result result)
{
    if (timeline->transaction_count == open_before)
        return;
    if (!result && !timeline->fault.result) {
        kifu__fault(timeline, KIFU_MISUSE,
                    "its Do function began a transaction and did not end it: commit or roll back before it returns");
        timeline->fault.event = timeline->transactions[open_before].executed; // A replay has gone on since.
    }
    while (timeline->transaction_count > open_before)
        end_in_do(timeline, true);
}

// Ends what the running Do began last; false where none runs.
static bool end_if_in_do(kifu_timeline *timeline, const char *call, bool keep, kifu_result *result)
{
    if (timeline->phase != KIFU__DOING && timeline->phase != KIFU__REPLAYING)
        return false;
    const kifu__transaction *last = last_open(timeline);
    *result = KIFU_OK;
    if (last && last->kind == KIFU__IN_DO)
        end_in_do(timeline, keep);
    else {
        *result = kifu__error(&timeline->error, KIFU_MISUSE,
                              "%s in a Do function that has begun no transaction: kifu_begin first", call);
        kifu__fault(timeline, KIFU_MISUSE, "%s", timeline->error.message);
    }
    return true;
}

// --- From outside ----------------------------------------------------------------------------------------------------

// What is told when a call comes from where no transaction may begin or end.
static kifu_result require_outside(kifu_timeline *timeline, const char *call)
{
    kifu_result result = kifu__require_idle(timeline, call);
    if (result)
        return result;
    if (timeline->sought)
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s while the past is shown: %s", call,
                           kifu__back_to_present);
    return kifu__take_fault(timeline);
}

static kifu_result begin_outside(kifu_timeline *timeline, kifu__transaction_kind kind)
{
    kifu__transactions_cut(timeline); // What redo could bring back is out of their reach from here on.
    kifu__transaction *transaction = push(timeline);
    if (!transaction)
        return KIFU_NO_MEMORY;
    transaction->kind = kind;
    transaction->input_first = timeline->input_first;
    transaction->quiet = timeline->quiet;
    transaction->delay = timeline->delay;
    transaction->last_ticket = timeline->last_ticket;
    transaction->actor = timeline->turn.actor;
    transaction->begun_at = timeline->turn.begun_at;
    transaction->runaways = timeline->turn.runaways;
    transaction->told = timeline->turn.told;
    transaction->records = timeline->records.count;
    if (!kifu__queue_copy(&timeline->consequences, &timeline->memory, &transaction->consequences) ||
        !kifu__queue_copy(&timeline->inputs, &timeline->memory, &transaction->inputs) ||
        !kifu__queue_copy(&timeline->turn.actions, &timeline->memory, &transaction->actions) ||
        !kifu__log_set_aside(&timeline->log, timeline->executed, &transaction->tail)) {
        free_transaction(timeline, transaction);
        timeline->transaction_count--;
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a transaction; none was begun");
    }
    if (timeline->undone_count) {
        transaction->undone = timeline->undone;
        transaction->undone_count = timeline->undone_count;
        transaction->undone_capacity = timeline->undone_capacity;
        timeline->undone = NULL;
        timeline->undone_count = timeline->undone_capacity = 0;
    }
    // Those of what is set aside would be taken for those of other events.
    kifu__keyframes_cut(&timeline->keyframes, timeline->executed);
    kifu__drop_checkpoints(timeline, timeline->executed);
    timeline->deferring += kind == KIFU__DEFERRED;
    if (kind != KIFU__MARK)
        kifu__record(timeline, kind == KIFU__DEFERRED ? KIFU__RECORD_BEGIN_DEFERRED : KIFU__RECORD_BEGIN, NULL);
    else {
        timeline->quiet = true;
        timeline->delay = 0;
    }
    set_keep_from(timeline);
    return KIFU_OK;
}

kifu_result kifu_begin(kifu_timeline *timeline)
{
    if (timeline->phase == KIFU__DOING || timeline->phase == KIFU__REPLAYING)
        return begin_in_do(timeline);
    kifu_result result = require_outside(timeline, "kifu_begin");
    return result ? result : begin_outside(timeline, KIFU__PLAIN);
}

kifu_result kifu_begin_deferred(kifu_timeline *timeline)
{
    kifu_result result = require_outside(timeline, "kifu_begin_deferred");
    return result ? result : begin_outside(timeline, KIFU__DEFERRED);
}

kifu_result kifu_mark(kifu_timeline *timeline)
{
    kifu_result result = require_outside(timeline, "kifu_mark");
    return result ? result : begin_outside(timeline, KIFU__MARK);
}

// The last open transaction, which must be a mark or must be none; else NULL, and says why.
static kifu__transaction *find_last(kifu_timeline *timeline, const char *call, bool mark)
{
    kifu__transaction *last = last_open(timeline);
    if (!last)
        kifu__error(&timeline->error, KIFU_MISUSE, "%s, but no transaction is open: %s first", call,
                    mark ? "kifu_mark" : "kifu_begin");
    else if ((last->kind == KIFU__MARK) != mark) {
        kifu__error(&timeline->error, KIFU_MISUSE, "%s, but what was opened last is a %s: %s", call,
                    mark ? "transaction" : "mark", mark ? "commit it or roll it back first" : "kifu_rewind ends it");
        last = NULL;
    }
    return last;
}

static void put_back(kifu__queue *queue, kifu__queue *copy)
{
    if (copy->count) {
        kifu__queue old = *queue;
        *queue = *copy;
        *copy = old;
    } else {
        kifu__queue_cut(queue, 0, 0);
    }
}

// What redo could bring back before the transaction, it can again.
static void bring_redo_back(kifu_timeline *timeline, kifu__transaction *transaction)
{
    kifu__log_bring_back(&timeline->log, timeline->executed, &transaction->tail);
    if (!transaction->undone_count)
        return;
    kifu__free(&timeline->memory, timeline->undone);
    timeline->undone = transaction->undone;
    timeline->undone_count = transaction->undone_count;
    timeline->undone_capacity = transaction->undone_capacity;
    transaction->undone = NULL;
    transaction->undone_count = 0;
}

static void pop(kifu_timeline *timeline)
{
    kifu__transaction *last = last_open(timeline);
    timeline->deferring -= last->kind == KIFU__DEFERRED;
    free_transaction(timeline, last);
    timeline->transaction_count--;
    set_keep_from(timeline);
}

static kifu_result take_back(kifu_timeline *timeline)
{
    kifu__transaction *last = last_open(timeline);
    kifu_result result = KIFU_OK;
    timeline->delay = last->delay; // Listeners may add to it.
    if (timeline->executed != last->executed || timeline->options.reset)
        result = kifu__take_back_to(timeline, last->executed);
    last = last_open(timeline); // A Do that was executed, or asked for by a listener, may have made them move.
    kifu__drop_undone(timeline);
    bring_redo_back(timeline, last);
    put_back(&timeline->consequences, &last->consequences);
    put_back(&timeline->inputs, &last->inputs);
    put_back(&timeline->turn.actions, &last->actions);
    timeline->turn.actor = last->actor;
    timeline->turn.begun_at = last->begun_at;
    timeline->turn.runaways = last->runaways;
    timeline->turn.told = last->told;
    kifu__cut_records(timeline, last->records);
    if (timeline->followed_count)
        kifu__forget_followers(timeline, 0);
    timeline->input_first = last->input_first;
    timeline->consequence_count = last->consequence_count;
    timeline->quiet = last->quiet;
    pop(timeline);
    return result;
}

kifu_result kifu_roll_back(kifu_timeline *timeline)
{
    kifu_result result;
    if (end_if_in_do(timeline, "kifu_roll_back", false, &result))
        return result;
    result = kifu__require_idle(timeline, "kifu_roll_back");
    if (result)
        return result;
    if (!find_last(timeline, "kifu_roll_back", false))
        return timeline->error.result;
    timeline->fault.result = KIFU_OK; // of a submit that is taken back, too
    return kifu__show_anew(timeline, take_back(timeline));
}

kifu_result kifu_rewind(kifu_timeline *timeline)
{
    kifu_result result = kifu__require_idle(timeline, "kifu_rewind");
    if (result)
        return result;
    if (!find_last(timeline, "kifu_rewind", true))
        return timeline->error.result;
    timeline->fault.result = KIFU_OK;
    return take_back(timeline);
}

// --- Commit ----------------------------------------------------------------------------------------------------------

uint32_t kifu__first_deferred(const kifu_timeline *timeline)
{
    for (uint32_t i = 0; i < timeline->transaction_count && timeline->deferring; i++) {
        if (timeline->transactions[i].kind == KIFU__DEFERRED)
            return timeline->transactions[i].executed;
    }
    return KIFU_NONE;
}

kifu_result kifu__react_to_all(kifu_timeline *timeline, uint32_t first, const char *otherwise)
{
    const uint32_t bytes = timeline->consequences.tail - timeline->consequences.head;
    const int64_t consequences = timeline->consequence_count;
    const uint32_t count = timeline->consequences.count;
    kifu_result result = KIFU_OK;
    const uint32_t input_first = timeline->input_first;
    if (!count) // Otherwise an input still runs, and counts on.
        timeline->consequence_count = 0;
    if (!count || input_first > first)
        timeline->input_first = first;
    uint32_t event = first;
    for (; event < timeline->executed && !result; event++) {
        const kifu__segment *segment = kifu__log_segment_of(&timeline->log, event);
        timeline->core.event = event;
        timeline->running_player = segment->marks[event - segment->first].player;
        result = kifu__react(timeline, event);
        if (timeline->fault.result)
            result = timeline->fault.result;
    }
    if (!result)
        return KIFU_OK;
    kifu__queue_cut(&timeline->consequences, bytes, count);
    timeline->consequence_count = consequences;
    timeline->input_first = input_first;
    const char *reason = timeline->fault.result                              ? timeline->fault.message
                         : result == KIFU_FAILED && timeline->fail_reason[0] ? timeline->fail_reason
                                                                             : kifu_result_text(result);
    result = timeline->fault.result ? timeline->fault.result : KIFU_FAILED;
    kifu__error_of_event(&timeline->error, result, event - 1, "%s, because a reaction to event %u failed: %s",
                         otherwise, (unsigned)(event - 1), reason);
    timeline->fault.result = KIFU_OK;
    timeline->fail_reason[0] = '\0';
    return result;
}

// So that undo takes them back together.
static void chain_events(kifu_timeline *timeline, uint32_t first)
{
    for (uint32_t event = first + 1; event < timeline->executed; event++) {
        const kifu__segment *segment = kifu__log_segment_of(&timeline->log, event);
        segment->marks[event - segment->first].flags |= KIFU_CONTINUE_UNDO;
    }
}

kifu_result kifu_commit(kifu_timeline *timeline)
{
    kifu_result result;
    if (end_if_in_do(timeline, "kifu_commit", true, &result))
        return result;
    result = kifu__require_calm(timeline, "kifu_commit");
    if (result)
        return result;
    kifu__transaction *last = find_last(timeline, "kifu_commit", false);
    if (!last)
        return timeline->error.result;
    uint32_t first = last->executed;
    if (last->kind == KIFU__DEFERRED && timeline->deferring == 1) {
        if (timeline->executed > first)
            result = kifu__react_to_all(timeline, first, "the transaction was not committed");
        if (result)
            return result;
        if (timeline->undone_count) // Redo would bring back events without what reacts to them.
            kifu__drop_undone(timeline);
    }
    if (timeline->executed == first && !timeline->undone_count) // New events would have ended redo.
        bring_redo_back(timeline, last);
    pop(timeline);
    kifu__record(timeline, KIFU__RECORD_COMMIT, NULL);
    if (!timeline->transaction_count)
        chain_events(timeline, first);
    return KIFU_OK;
}
