// Transactions: around several events, or inside a Do; and searches.

#include "core/go.h"
#include "core/hidden.h"
#include "core/timeline.h"
#include "history/deferred.h"

typedef enum transaction_kind {
    PLAIN,
    UNCHAINED, // Its events keep their undo flags.
    DEFERRED,  // Reactions and triggers wait for its commit.
    SEARCH,
    IN_DO
} transaction_kind;

// How the timeline was when a transaction began.
typedef struct transaction {
    transaction_kind kind;
    kifu__moment at;

    // In a Do: it is a replay that keeps no journal but for this transaction.
    const uint32_t *unkept;

    // From outside:
    kifu__standing before;
    kifu__held consequences; // The queues, which are not copied.
    kifu__held inputs;
    bool quiet;
    double delay;
    uint32_t deferring;      // How many of those that are open up to this one are deferred,
    uint32_t deferred_from;  // and where the first of these began.
    kifu_ticket search_from; // What was submitted before this ticket is older than the last search; 0: there is none.
    bool lost;               // The game has ended before its beginning.
    kifu__hidden *hidden;    // Where events lie behind the place, it goes on in there; NULL: there was never one.
} transaction;

typedef struct transactions {
    kifu__part part;
    transaction *items; // Those behind the open ones have memory still.
    uint32_t made;
    uint32_t capacity;
} transactions;

static const kifu__part_table transactions_table;

// Where one is open, this part is there; and it is the first.
static transactions *all_of(const kifu_timeline *timeline)
{
    return (transactions *)(void *)timeline->parts;
}

static transaction *last_open(const kifu_timeline *timeline)
{
    return timeline->transactions.open ? &all_of(timeline)->items[timeline->transactions.open - 1] : NULL;
}

uint32_t kifu_open_transactions(const kifu_timeline *timeline)
{
    return timeline->transactions.open;
}

// What the core is to know of the open transactions, after one has begun or ended outside of a Do.
static void update(kifu_timeline *timeline)
{
    const transaction *last = last_open(timeline);
    timeline->transactions.floor = last ? last->at.executed : timeline->log.begin;
    timeline->journal.keep_from = last ? all_of(timeline)->items[0].at.executed : KIFU_NONE;
    timeline->transactions.searching = false;
    for (uint32_t i = 0; i < timeline->transactions.open && !timeline->transactions.searching; i++) {
        timeline->transactions.searching = all_of(timeline)->items[i].kind == SEARCH;
        timeline->transactions.searched = all_of(timeline)->items[i].at.executed;
    }
    timeline->transactions.deferring = last ? last->deferring : 0;
    timeline->transactions.deferred_from = last ? last->deferred_from : 0;
    timeline->transactions.search_from = last ? last->search_from : 0;
    timeline->due.from = timeline->due.at = 0; // In a search, nothing is due.
    kifu__find_due(timeline);
}

static kifu_result no_memory_to_begin(kifu_timeline *timeline)
{
    return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a transaction; none was begun");
}

static transaction *push_transaction(kifu_timeline *timeline, transaction_kind kind)
{
    transactions *all = (transactions *)(void *)kifu__attach(timeline, &transactions_table);
    transaction *items = all ? (transaction *)kifu__grow(&timeline->memory, all->items, &all->capacity,
                                                         (uint64_t)timeline->transactions.open + 1, sizeof *items)
                             : NULL;
    if (!items) {
        no_memory_to_begin(timeline);
        return NULL;
    }
    all->items = items;
    if (timeline->transactions.open == all->made)
        items[all->made++] = (transaction){.kind = kind};
    transaction *pushed = &items[timeline->transactions.open++];
    pushed->kind = kind;
    pushed->lost = false;
    return pushed;
}

static bool is_hidden(const transaction *each)
{
    return each->hidden && each->hidden->left;
}

// The log ends before where some open transactions began: they begin at its end now, with no more of what waited
// because of events that are gone.
static void cut_transactions(kifu_timeline *timeline, kifu__part *part)
{
    transactions *all = (transactions *)(void *)part;
    const uint32_t executed = timeline->executed;
    for (uint32_t i = timeline->transactions.open; i > 0 && all->items[i - 1].at.executed > executed; i--) {
        transaction *each = &all->items[i - 1];
        each->consequences.count = 0;
        each->lost = true;
        each->at = (kifu__moment){.executed = executed};
        each->deferred_from = each->deferred_from < executed ? each->deferred_from : executed;
    }
    update(timeline);
}

static void free_transactions(kifu_timeline *timeline, kifu__part *part)
{
    transactions *all = (transactions *)(void *)part;
    for (uint32_t i = 0; i < all->made; i++) {
        kifu__hidden *hidden = all->items[i].hidden;
        if (hidden)
            kifu__branch_free(timeline, &hidden->branch);
        kifu__free(&timeline->memory, hidden);
        kifu__standing_free(&all->items[i].before, &timeline->memory);
    }
    kifu__free(&timeline->memory, all->items);
}

// --- In a Do ---------------------------------------------------------------------------------------------------------

static void end_in_do(kifu_timeline *timeline, bool keep)
{
    const transaction *last = last_open(timeline);
    kifu__core *core = &timeline->core;
    if (!keep)
        (void)kifu__return_to(timeline, &last->at);
    if (last->unkept) {
        if (timeline->journal.entries) // Without memory, nothing was journaled.
            core->journal = core->journal_end = timeline->journal.entries + last->at.journal_used;
        core->unkept = last->unkept;
    }
    timeline->transactions.open--;
    last = last_open(timeline);
    timeline->transactions.own_from = last && last->kind == IN_DO ? last->at.queue_bytes : 0;
}

// Ends what a Do left open, which is misuse unless the Do failed.
static void end_of_do(kifu_timeline *timeline, kifu__part *part, kifu_result result)
{
    (void)part;
    transaction *last = last_open(timeline);
    if (last && last->kind == IN_DO && !result && !timeline->fault.result) {
        kifu__fault(timeline, KIFU_MISUSE,
                    "its Do function began a transaction and did not end it: commit or roll back before it returns");
        timeline->fault.event = last->at.executed; // A replay has gone on since.
    }
    for (; last && last->kind == IN_DO; last = last_open(timeline))
        end_in_do(timeline, true);
    timeline->handlers &= ~KIFU__HANDLER(do_ends);
}

static const kifu__part_table transactions_table = {.size = sizeof(transactions),
                                                    .order = KIFU__TRANSACTIONS,
                                                    .cut = cut_transactions,
                                                    .do_ends = end_of_do,
                                                    .freed = free_transactions};

static const char *name_of_begin(uint32_t flags)
{
    return flags & KIFU_SEARCH     ? "kifu_begin(timeline, KIFU_SEARCH)"
           : flags & KIFU_DEFERRED ? "kifu_begin(timeline, KIFU_DEFERRED)"
           : flags                 ? "kifu_begin(timeline, KIFU_UNCHAINED)"
                                   : "kifu_begin";
}

// A replay that keeps no journal keeps one for the time of the transaction, and forgets it afterwards.
static kifu_result begin_in_do(kifu_timeline *timeline, uint32_t flags)
{
    if (flags)
        return kifu__misuse(timeline, "%s was called in a Do function: give 0 there", name_of_begin(flags));
    if (timeline->options.reset)
        return kifu__misuse(timeline,
                            "a transaction was begun in a Do function, but a model outside the state cannot be "
                            "taken back there: begin it around the event");
    transaction *begun = push_transaction(timeline, IN_DO);
    if (!begun) { // Whatever Do makes of it: this is no failure of the rules.
        kifu__fault(timeline, KIFU_NO_MEMORY, "out of memory for a transaction in a Do function");
        return KIFU_NO_MEMORY;
    }
    kifu__core *core = &timeline->core;
    begun->unkept = core->unkept;
    if (core->unkept) {
        core->unkept = NULL;
        // There must be entries to count from. Without memory, the first edit says so.
        (void)kifu__journal_grow(&timeline->journal, core, &timeline->memory, UINT32_MAX);
    }
    begun->at = kifu__moment_of(timeline);
    begun->at.executed = kifu__event(core);
    timeline->handlers |= KIFU__HANDLER(do_ends);
    kifu__changed(timeline);
    timeline->transactions.own_from = begun->at.queue_bytes;
    return KIFU_OK;
}

// Ends what the running Do began last; false where none runs.
static bool end_if_in_do(kifu_timeline *timeline, const char *call, bool keep, kifu_result *result)
{
    if (timeline->core.phase != KIFU__DOING && timeline->core.phase != KIFU__REPLAYING)
        return false;
    const transaction *last = last_open(timeline);
    *result = KIFU_OK;
    if (last && last->kind == IN_DO)
        end_in_do(timeline, keep);
    else
        *result = kifu__misuse(
            timeline, "%s was called in a Do function that has begun no transaction: call kifu_begin first", call);
    return true;
}

// --- From outside ----------------------------------------------------------------------------------------------------

// For what waits to be copied behind where it is held, by a redo.
static bool has_room_aside(kifu__queue *queue, const kifu__memory *memory)
{
    return !queue->count || kifu__queue_room(queue, memory, 0, queue->tail - queue->head);
}

// False without memory.
static bool make_hidden(kifu_timeline *timeline, transaction *begun)
{
    if (begun->hidden)
        return true;
    begun->hidden = (kifu__hidden *)kifu__new(&timeline->memory, sizeof *begun->hidden);
    if (begun->hidden)
        *begun->hidden = (kifu__hidden){.left = NULL};
    return begun->hidden != NULL;
}

static kifu_result begin_outside(kifu_timeline *timeline, uint32_t flags)
{
    const bool had_redo = kifu__has_redo(timeline);
    if (had_redo && kifu__has_handler(timeline, cut))
        timeline->dispatch->cut(timeline); // What redo could bring back is out of their reach from here on.
    if (had_redo && kifu__has_handler(timeline, branches) && !timeline->transactions.open && !(flags & KIFU_SEARCH) &&
        !timeline->dispatch->branch(timeline))
        return no_memory_to_begin(timeline);
    transaction *begun = push_transaction(timeline, flags & KIFU_SEARCH     ? SEARCH
                                                    : flags & KIFU_DEFERRED ? DEFERRED
                                                    : flags                 ? UNCHAINED
                                                                            : PLAIN);
    if (!begun) {
        kifu__settle_line(timeline); // Redo finds its line again.
        return KIFU_NO_MEMORY;
    }
    begun->at =
        (kifu__moment){.executed = timeline->executed, .consequence_count = timeline->running.consequence_count};
    begun->quiet = timeline->quiet;
    begun->delay = timeline->delay;
    begun->deferring = timeline->transactions.deferring + (begun->kind == DEFERRED);
    begun->deferred_from = timeline->transactions.deferring ? timeline->transactions.deferred_from : timeline->executed;
    begun->search_from = begun->kind == SEARCH ? kifu__next_ticket(timeline) : timeline->transactions.search_from;
    const bool has_redo = kifu__has_redo(timeline); // In a line that has just begun, there is none.
    if (!has_room_aside(&timeline->consequences, &timeline->memory) ||
        !has_room_aside(&timeline->inputs, &timeline->memory) || !kifu__keep(timeline, &begun->before) ||
        (has_redo && !make_hidden(timeline, begun))) {
        timeline->transactions.open--;
        kifu__settle_line(timeline);
        return no_memory_to_begin(timeline);
    }
    if (has_redo) {
        kifu__hidden_begin(timeline, begun->hidden, timeline->executed);
        begun->hidden->branch.joins = begun->kind == SEARCH ? NULL : begun->hidden->left;
    }
    begun->consequences = kifu__queue_hold(&timeline->consequences);
    begun->inputs = kifu__queue_hold(&timeline->inputs);
    if (flags & KIFU_SEARCH) {
        timeline->quiet = true;
        timeline->delay = 0;
    }
    update(timeline);
    if (kifu__has_handler(timeline, called))
        timeline->dispatch->called(timeline, KIFU__CALL_BEGIN, NULL, flags);
    return KIFU_OK;
}

kifu_result kifu_begin(kifu_timeline *timeline, uint32_t flags)
{
    if (timeline->core.phase == KIFU__DOING || timeline->core.phase == KIFU__REPLAYING)
        return begin_in_do(timeline, flags);
    const char *call = name_of_begin(flags);
    kifu_result result = kifu__require_idle(timeline, call);
    if (!result)
        result = kifu__require_present(timeline, call);
    if (!result)
        result = kifu__report_fault(timeline);
    if (!result && (flags & (flags - 1) || flags > KIFU_UNCHAINED))
        result = kifu__error(
            &timeline->error, KIFU_MISUSE,
            "kifu_begin was given the flags %u: give 0 or one of KIFU_DEFERRED, KIFU_SEARCH and KIFU_UNCHAINED", flags);
    return result ? result : begin_outside(timeline, flags);
}

static kifu_result require_transaction(kifu_timeline *timeline, const char *call)
{
    if (timeline->transactions.open)
        return KIFU_OK;
    return kifu__error(&timeline->error, KIFU_MISUSE,
                       "%s was called, but no transaction is open: call kifu_begin first", call);
}

static void pop_transaction(kifu_timeline *timeline)
{
    timeline->transactions.open--;
    update(timeline);
}

static kifu_result roll_back(kifu_timeline *timeline)
{
    transaction *last = last_open(timeline);
    timeline->delay = last->delay; // Listeners may add to it.
    const kifu__moment moment = last->at;
    kifu_result result = KIFU_OK;
    if (timeline->executed != moment.executed || timeline->options.reset) // Else nothing changes for a log file.
        result = kifu__return_to(timeline, &moment);
    if (kifu__has_redo(timeline))
        kifu__redo_drop(timeline);
    last = last_open(timeline); // A Do or a listener may have begun a transaction, which moves them.
    if (is_hidden(last))        // Redo can bring back again what it could before.
        kifu__hidden_drop(timeline, last->hidden);
    if (last->lost && kifu__has_redo(timeline))
        kifu__redo_drop(timeline);
    kifu__queue_return(&timeline->consequences, &last->consequences);
    kifu__queue_return(&timeline->inputs, &last->inputs);
    kifu__bring_back(timeline, &last->before);
    if (kifu__has_handler(timeline, dropped))
        timeline->dispatch->dropped(timeline, 0);
    timeline->quiet = last->quiet;
    pop_transaction(timeline);
    kifu__settle_line(timeline);
    return result;
}

kifu_result kifu_roll_back(kifu_timeline *timeline)
{
    kifu_result result;
    if (end_if_in_do(timeline, "kifu_roll_back", false, &result))
        return result;
    result = kifu__require_idle(timeline, "kifu_roll_back");
    if (!result)
        result = require_transaction(timeline, "kifu_roll_back");
    if (result)
        return result;
    timeline->fault.result = KIFU_OK; // of a submit that is taken back, too
    const bool search = last_open(timeline)->kind == SEARCH;
    result = roll_back(timeline);
    if (kifu__has_handler(timeline, called))
        timeline->dispatch->called(timeline, KIFU__CALL_ROLL_BACK, NULL, 0);
    return search ? result : kifu__show_anew(timeline, result);
}

// --- Commit ----------------------------------------------------------------------------------------------------------

kifu_result kifu_commit(kifu_timeline *timeline)
{
    kifu_result result;
    if (end_if_in_do(timeline, "kifu_commit", true, &result))
        return result;
    result = kifu__require_calm(timeline, "kifu_commit");
    if (!result)
        result = require_transaction(timeline, "kifu_commit");
    if (result)
        return result;
    transaction *last = last_open(timeline);
    if (last->kind == SEARCH)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_commit cannot end a search (KIFU_SEARCH): call kifu_roll_back");
    const uint32_t first = last->at.executed;
    const bool chained = last->kind != UNCHAINED;
    if (last->kind == DEFERRED && timeline->transactions.deferring == 1) {
        result = kifu__react_to_all(timeline, first, "the transaction was not committed");
        if (result)
            return result;
        if (kifu__has_redo(timeline)) // Redo would bring back events to which nothing has reacted.
            kifu__redo_drop(timeline);
    }
    if (is_hidden(last) && timeline->executed == first && !kifu__has_redo(timeline))
        kifu__hidden_drop(timeline, last->hidden); // New events would have ended redo.
    else if (is_hidden(last))
        kifu__hidden_join(timeline, last->hidden); // What has happened takes the place of what redo could bring back.
    kifu__queue_release(&timeline->consequences, &last->consequences);
    kifu__queue_release(&timeline->inputs, &last->inputs);
    pop_transaction(timeline);
    if (!timeline->transactions.open) { // Undo takes them back together.
        for (uint32_t event = first + 1; chained && event < timeline->executed; event++)
            kifu__log_mark(&timeline->log, event)->flags |= KIFU_CONTINUE_UNDO;
        kifu__settle_line(timeline);
    }
    if (kifu__has_handler(timeline, called))
        timeline->dispatch->called(timeline, KIFU__CALL_COMMIT, NULL, 0);
    return KIFU_OK;
}
