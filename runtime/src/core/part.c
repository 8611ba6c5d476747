#include "core/part.h"

#include "core/attempt.h"

// --- Telling them ----------------------------------------------------------------------------------------------------

// Calls this function of each part that has it. A part may attach another one meanwhile: that one comes in at its
// place.
#define TELL(function, arguments)                                                                                      \
    for (kifu__part *part = timeline->parts; part; part = part->next) {                                                \
        if (part->table->function)                                                                                     \
            part->table->function arguments;                                                                           \
    }

static kifu_result parts_begin(kifu_timeline *timeline)
{
    kifu_result result = KIFU_OK;
    for (kifu__part *part = timeline->parts; part && !result; part = part->next) {
        if (part->table->begins)
            result = part->table->begins(timeline, part);
    }
    return result;
}

static void parts_called(kifu_timeline *timeline, kifu__call call, const kifu__proposal *proposal, unsigned flags)
{
    TELL(called, (timeline, part, call, proposal, flags));
}

// Hooks change a copy, and so do checks of what a roll-back brings back. If memory runs out before the event has
// happened, they run again. NULL without memory.
static kifu__proposal *copy_proposal(kifu_timeline *timeline, kifu__proposal *proposal)
{
    kifu__queue_cut(&timeline->alternate, 0, 0);
    if (kifu__queue_push(&timeline->alternate, &timeline->memory, proposal, kifu__proposal_blob(proposal)))
        return kifu__queue_first(&timeline->alternate);
    kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a copy of the event, which still waits");
    return NULL;
}

static kifu_verdict parts_asked(kifu_timeline *timeline, kifu__proposal *proposal, kifu__resolution *resolution)
{
    kifu_verdict verdict = kifu_accept();
    for (kifu__part *part = timeline->parts; part && !verdict.reason && !verdict.instead; part = part->next) {
        if (part->table->asked)
            verdict = part->table->asked(timeline, part, proposal, resolution);
    }
    return verdict;
}

static kifu_result parts_react(kifu_timeline *timeline, uint32_t event)
{
    kifu_result result = KIFU_OK;
    for (kifu__part *part = timeline->parts; part && !result; part = part->next) {
        if (part->table->reacts)
            result = part->table->reacts(timeline, part, event);
    }
    return result;
}

static void parts_end_do(kifu_timeline *timeline, kifu_result result)
{
    TELL(do_ends, (timeline, part, result));
}

static void parts_end_live_do(kifu_timeline *timeline, kifu_result result)
{
    if (kifu__has_handler(timeline, do_ends))
        parts_end_do(timeline, result);
    if (kifu__has_handler(timeline, acted))
        TELL(acted, (timeline, part, result));
}

// As in run.c, with what the parts do before and after it, and the rules' reactions.
static kifu_result do_event_with_parts(kifu_timeline *timeline, kifu_ticket ticket, uint32_t type, const void *event)
{
    kifu__live live = {.ticket = ticket, .type = type, .event = event};
    const uint32_t number = timeline->executed;
    timeline->core.phase = KIFU__DOING;
    if (kifu__has_handler(timeline, before_do)) // Fewer handlers in a try.
        TELL(before_do, (timeline, part));
    live.result = timeline->rules->do_event(timeline, type, timeline->core.state, event, timeline->transient);
    if (kifu__has_handler(timeline, do_ends))
        parts_end_do(timeline, live.result);
    if (kifu__has_handler(timeline, after_do))
        TELL(after_do, (timeline, part, &live));
    if (kifu__has_handler(timeline, acted))
        TELL(acted, (timeline, part, live.result));
    kifu__leave(timeline);
    if (kifu__has_handler(timeline, reacts) && !live.result && !timeline->fault.result &&
        !timeline->transactions.deferring)
        live.result = parts_react(timeline, number);
    return live.result;
}

static void parts_ended(kifu_timeline *timeline, const kifu_outcome *outcome)
{
    TELL(ended, (timeline, part, outcome));
}

static void parts_changed(kifu_timeline *timeline, const kifu__change *change)
{
    TELL(changed, (timeline, part, change));
}

static void happened(kifu_timeline *timeline, kifu__change_kind kind, uint32_t event)
{
    const kifu__change change = {
        .kind = kind,
        .event = event,
        .from = kifu__journal_start(&timeline->journal, &timeline->core, event),
        .end = timeline->core.journal,
    };
    parts_changed(timeline, &change);
}

static void take_back_events(kifu_timeline *timeline, uint32_t count)
{
    kifu__journal_restore(&timeline->journal, &timeline->core, timeline->executed); // what no one was shown
    while (timeline->executed > count) {
        kifu__change change = {.kind = KIFU__UNDONE, .event = timeline->executed - 1, .end = timeline->core.journal};
        kifu__journal_restore(&timeline->journal, &timeline->core, change.event);
        change.from = timeline->core.journal; // The entries stay where they are.
        timeline->executed = change.event;
        parts_changed(timeline, &change);
    }
}

static void parts_ran(kifu_timeline *timeline, uint32_t event, const char *who, const char *whose)
{
    TELL(ran, (timeline, part, event, who, whose));
}

static void parts_fail(kifu_timeline *timeline, bool done)
{
    TELL(fails, (timeline, part, done));
}

static void parts_ran_away(kifu_timeline *timeline, uint32_t first)
{
    TELL(ran_away, (timeline, part, first));
}

static void parts_dropped(kifu_timeline *timeline, kifu_ticket running)
{
    TELL(dropped, (timeline, part, running));
}

static void parts_cut(kifu_timeline *timeline)
{
    TELL(cut, (timeline, part));
}

static bool parts_branch(kifu_timeline *timeline)
{
    bool good = true;
    for (kifu__part *part = timeline->parts; part && good; part = part->next)
        good = !part->table->branches || part->table->branches(timeline, part);
    return good;
}

static void parts_settle(kifu_timeline *timeline)
{
    TELL(settles, (timeline, part));
}

static bool seal_tried_event(kifu_timeline *timeline)
{
    return timeline->search->table->seals(timeline, timeline->search);
}

static void parts_lose(kifu_timeline *timeline, const kifu__branch *branch, uint32_t count)
{
    TELL(loses, (timeline, part, branch, count));
}

static void parts_join(kifu_timeline *timeline, const kifu__branch *branch, const kifu__branch *more)
{
    TELL(joins, (timeline, part, branch, more));
}

static void parts_wait(kifu_timeline *timeline, const kifu__branch *branch, uint32_t place)
{
    TELL(waits, (timeline, part, branch, place));
}

static void parts_clear(kifu_timeline *timeline)
{
    TELL(clears, (part));
}

static void parts_free(kifu_timeline *timeline)
{
    for (kifu__part *part = timeline->parts, *next; part; part = next) {
        next = part->next;
        if (part->table->freed)
            part->table->freed(timeline, part);
        kifu__free(&timeline->memory, part);
    }
    timeline->parts = NULL;
}

// --- What parts keep -------------------------------------------------------------------------------------------------
//
// One part's bytes behind the other's, each with its table and size in front: a part that has nothing adds none.

typedef struct kept {
    const kifu__part_table *table;
    size_t size;
} kept;

static bool keep_part(const kifu__part *part, kifu__blob *blob)
{
    const uint32_t at = blob->size;
    kept head = {.table = part->table};
    kifu__build(blob, 0, &head, sizeof head, 8);
    part->table->keeps(part, blob);
    if (blob->result)
        return false;
    head.size = blob->size - at - sizeof head;
    if (!head.size)
        blob->size = at;
    else
        memcpy(blob->bytes + at, &head, sizeof head);
    return true;
}

static bool keep_parts(const kifu_timeline *timeline, kifu__blob **blob)
{
    if (!*blob) {
        kifu__blob *made = (kifu__blob *)kifu__new(&timeline->memory, sizeof *made);
        if (!made)
            return false;
        *made = (kifu__blob){.size = 0};
        *blob = made;
    }
    bool kept = true;
    kifu__build_anew(*blob, &timeline->memory);
    for (const kifu__part *part = timeline->parts; part && kept; part = part->next) {
        if (part->table->keeps)
            kept = keep_part(part, *blob);
    }
    return kept;
}

// A part that was attached since has nothing in `blob`.
static bool return_parts(kifu_timeline *timeline, const kifu__blob *blob)
{
    bool returned = true;
    uint32_t at = 0;
    for (kifu__part *part = timeline->parts; part; part = part->next) {
        kept head = {0};
        if (blob && at < blob->size)
            memcpy(&head, blob->bytes + at, sizeof head);
        const bool mine = head.table == part->table;
        if (part->table->returns)
            returned = part->table->returns(timeline, part, mine ? blob->bytes + at + sizeof head : NULL,
                                            mine ? (uint32_t)head.size : 0) &&
                       returned;
        at += mine ? (uint32_t)(sizeof head + head.size) : 0;
    }
    return returned;
}

// --- Parts -----------------------------------------------------------------------------------------------------------

static bool parts_hold(kifu_timeline *timeline, kifu_ticket ticket)
{
    kifu__part *part = timeline->parts;
    while (part && !(part->table->holds && part->table->holds(part, ticket)))
        part = part->next;
    return part != NULL;
}

static const kifu__dispatch dispatch = {
    .begin = parts_begin,
    .called = parts_called,
    .copy = copy_proposal,
    .asked = parts_asked,
    .do_event = do_event_with_parts,
    .react = parts_react,
    .ended = parts_ended,
    .changed = parts_changed,
    .happened = happened,
    .take_back = take_back_events,
    .ran = parts_ran,
    .fail = parts_fail,
    .ran_away = parts_ran_away,
    .dropped = parts_dropped,
    .cut = parts_cut,
    .clear = parts_clear,
    .hold = parts_hold,
    .keep = keep_parts,
    .restore = return_parts,
    .end_do = parts_end_do,
    .end_live_do = parts_end_live_do,
    .branch = parts_branch,
    .settle = parts_settle,
    .seal = seal_tried_event,
    .lose = parts_lose,
    .join = parts_join,
    .wait = parts_wait,
    .free = parts_free,
};

static KIFU__HOT kifu__part *find_part(const kifu_timeline *timeline, const kifu__part_table *table)
{
    kifu__part *part = timeline->parts;
    while (part && part->table != table)
        part = part->next;
    return part;
}

kifu__part *kifu__part_of(const kifu_timeline *timeline, const kifu__part_table *table)
{
    return find_part(timeline, table);
}

static uint32_t handlers_of(const kifu__part_table *table)
{
    uint32_t handlers = 0;
    const unsigned char *functions = (const unsigned char *)table + offsetof(kifu__part_table, begins);
    for (uint32_t bit = 1; bit <= KIFU__HANDLER(freed); bit <<= 1) {
        void (*function)(void);
        memcpy(&function, functions, sizeof function);
        functions += sizeof function;
        handlers |= function ? bit : 0;
    }
    return handlers & ~KIFU__FOR_A_TIME;
}

static KIFU__CALLED kifu__part *add_part(kifu_timeline *timeline, const kifu__part_table *table)
{
    kifu__part *part = (kifu__part *)kifu__new(&timeline->memory, table->size);
    if (!part)
        return NULL;
    memset(part, 0, table->size);
    kifu__part **at = &timeline->parts;
    while (*at && (*at)->table->order < table->order)
        at = &(*at)->next;
    part->table = table;
    part->next = *at;
    timeline->dispatch = &dispatch;
    timeline->handlers |= handlers_of(table);
    kifu__changed(timeline);
    return *at = part;
}

kifu__part *kifu__attach(kifu_timeline *timeline, const kifu__part_table *table)
{
    kifu__part *part = find_part(timeline, table);
    return part ? part : add_part(timeline, table);
}

void kifu__moved(kifu_timeline *timeline, kifu__change_kind kind)
{
    const kifu__change change = {.kind = kind, .event = KIFU_NONE};
    if (kifu__has_handler(timeline, changed))
        timeline->dispatch->changed(timeline, &change);
}

const unsigned char *kifu__kept_by(const kifu__part_table *table, const kifu__blob *blob, uint32_t *size)
{
    kept head;
    for (uint32_t at = 0; blob && at < blob->size; at += (uint32_t)(sizeof head + head.size)) {
        memcpy(&head, blob->bytes + at, sizeof head);
        *size = (uint32_t)head.size;
        if (head.table == table)
            return blob->bytes + at + sizeof head;
    }
    return NULL;
}

bool kifu__parts_copy(const kifu_timeline *timeline, kifu_timeline *fork)
{
    if (!kifu__has_handler(timeline, keeps))
        return true;
    kifu__blob *blob = NULL;
    bool copied = keep_parts(timeline, &blob);
    for (uint32_t at = 0; copied && at < blob->size;) {
        kept head;
        memcpy(&head, blob->bytes + at, sizeof head);
        copied = kifu__attach(fork, head.table) != NULL;
        at += (uint32_t)(sizeof head + head.size);
    }
    copied = copied && return_parts(fork, blob);
    if (blob)
        kifu__free(&timeline->memory, blob->bytes);
    kifu__free(&timeline->memory, blob);
    return copied;
}
