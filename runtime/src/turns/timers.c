// Timed events: one is recorded inside a kifu.ESchedule, as a FlatBuffer of its own, and a timer in the state remembers
// where. When its game turn begins, it is read from the log and submitted. In a replay the log has it already.
//
// The timed event inside has its vtable, and the state only the ESchedule's number in the log. It is verified and
// converted when it happens, because another version of the game may have written it. One that cannot be read fails its
// game turn once, so that the error is seen; the next try drops it. A timer that fires and one that is dropped leave
// the same state, so no replay needs to tell them apart.
//
// An event that a timer fires brings an allowance of its own: itself, and as many consequences as an input may have. So
// any number of timers may be due in one turn, and a runaway still ends. An event that was timed since the input began
// brings none, because one that times itself and begins the next turn would never end. After a load in the middle of
// such a turn, all that kifu.EBeginTurn led to counts as fired: the log says no more.

#include "core/free_slots.h"
#include "turns/turns.h"
#include "wire/buffer.h"

static const kifu__pool *timers_of(const kifu_timeline *timeline)
{
    return timeline->rules->turns ? timeline->rules->turns->timers : NULL;
}

static kifu_timer timer_of(const kifu__pool *timers, const unsigned char *state, kifu_handle handle)
{
    kifu_timer timer;
    memcpy(&timer, kifu__pool_get(state, timers, handle), sizeof timer);
    return timer;
}

// Opens the slots of timers from `index` on, `count` of them, which change hands: zeroed, with the next generation.
static kifu_timer *renew_timers(kifu_timeline *timeline, const kifu__pool *timers, uint32_t index, uint32_t count)
{
    const uint32_t size = (uint32_t)sizeof(kifu_timer);
    kifu_timer *first = (kifu_timer *)kifu__edit_windows(timeline, timers->offset + index * size, count * size);
    for (kifu_timer *timer = first; timer < first + count; timer++, index++) {
        *timer = (kifu_timer){.slot = {.generation = (uint16_t)(timer->slot.generation + 1)}};
        if (timers->count >= KIFU__LEAST_KNOWN)
            kifu__slot_changed(timeline, timers, index);
    }
    return first;
}

// --- Postponing ------------------------------------------------------------------------------------------------------

static bool leads_to_tables(const kifu__table *table)
{
    for (uint32_t id = 0; id < table->field_count && !table->flat; id++) {
        if (table->fields[id].table)
            return true;
    }
    return false;
}

// Builds an ESchedule with a proposal, as a FlatBuffer of its own, in `turns->proposal`. False without memory.
static bool build_schedule(kifu_timeline *timeline, kifu__proposal *proposal, uint32_t turn, uint32_t key)
{
    const kifu_e_schedule schedule = {.turn = turn, .key = key, .type = proposal->type, .player = proposal->player};
    const kifu__table *table = timeline->rules->types[proposal->type].table;
    const kifu_rules *rules = leads_to_tables(table) ? timeline->rules : NULL;
    kifu__turns *turns = kifu__turns_attach(timeline);
    if (!turns)
        return false;
    kifu__blob *room = &turns->room, *made = &turns->proposal;
    kifu__build_anew(room, &timeline->memory);
    kifu__build_root(room, rules, table, kifu__proposal_blob(proposal), proposal->size);
    if (kifu__build_end(room, rules, table))
        return false;
    kifu__build_anew(made, &timeline->memory);
    kifu__build(made, 0, &schedule, sizeof schedule, 4);
    kifu__build_vector(made, offsetof(kifu_e_schedule, event), room->bytes, room->size, room->size, 4);
    kifu__build(made, 0, NULL, 0, 4);
    return !made->result;
}

// The queue where what is submitted now waits; NULL: nothing may be.
static kifu__queue *queue_of_timer(kifu_timeline *timeline)
{
    const kifu__phase phase = timeline->core.phase;
    return phase == KIFU__IDLE || phase == KIFU__TELLING     ? &timeline->inputs
           : phase == KIFU__DOING || phase == KIFU__REACTING ? &timeline->consequences
           : phase == KIFU__CHECKING                         ? &timeline->aside
                                                             : NULL;
}

// Where the table is in the FlatBuffer of a flat one: behind the offset of the table, and its vtable.
static uint32_t start_of_flat(const kifu__table *table)
{
    return (4u + table->vtable[0] + table->align - 1) & ~(table->align - 1u);
}

// Where the FlatBuffer is in an ESchedule.
enum { TIMED = (sizeof(kifu_e_schedule) + 3) / 4 * 4 + 4 };

// What `build_schedule` builds of a flat table, in the place of the table. Member by member: a processor waits where it
// reads a struct that it has just written so.
static void write_flat(kifu__proposal *proposal, const kifu__table *table, uint32_t start, uint32_t turn, uint32_t key)
{
    const uint32_t size = proposal->size;
    kifu_e_schedule *schedule = (kifu_e_schedule *)kifu__proposal_blob(proposal);
    unsigned char *timed = (unsigned char *)schedule + TIMED;
    if (size <= TIMED) // else the two overlap
        kifu__copy_blob(timed + start, schedule, size);
    else
        memmove(timed + start, schedule, size);
    memset(schedule, 0, sizeof *schedule);
    schedule->turn = turn;
    schedule->key = key;
    schedule->type = proposal->type;
    schedule->player = proposal->player;
    schedule->event.offset = TIMED - 4 - (uint32_t)offsetof(kifu_e_schedule, event);
    kifu__put32(timed - 4, start + size);
    memset(timed + start - 8, 0, 8); // What the vtable leaves of it aligns the table.
    kifu__put32(timed, start);
    kifu__copy_blob(timed + 4, table->vtable, table->vtable[0]);
    kifu__put32(timed + start, start - 4);
}

// The last proposal of a queue where it may change, and with room for `size` bytes behind the tail. NULL without
// memory.
static KIFU__COLD kifu__proposal *move_last(kifu_timeline *timeline, kifu__queue *queue, kifu__proposal *last,
                                            uint32_t size)
{
    if (!kifu__queue_own(queue, &timeline->memory, &last))
        return NULL;
    const uint32_t back = queue->tail - (uint32_t)((unsigned char *)last - queue->bytes);
    if (!kifu__queue_room(queue, &timeline->memory, 0, size))
        return NULL;
    return (kifu__proposal *)(void *)(queue->bytes + queue->tail - back);
}

// Puts an ESchedule in the place of the last proposal of a queue. `built`: of a table that is not flat. False without
// memory.
static bool replace_timer(kifu_timeline *timeline, kifu__queue *queue, kifu__proposal *last, uint32_t turn,
                          uint32_t key, const kifu__blob *built)
{
    const kifu__type *types = timeline->rules->types, *type = &types[last->type];
    const uint32_t start = start_of_flat(type->table);
    const uint32_t size = built ? built->size : TIMED + start + last->size;
    const uint32_t room = kifu__proposal_size(size);
    if ((unsigned char *)last < queue->bytes + queue->base || !kifu__queue_fits(queue, room))
        last = move_last(timeline, queue, last, room);
    if (!last)
        return false;
    kifu__queue_change(queue, last);
    if (built)
        memcpy(kifu__proposal_blob(last), built->bytes, size);
    else
        write_flat(last, type->table, start, turn, key);
    last->type = timeline->rules->turns->schedule;
    last->size = size;
    last->whole = true;
    if (!last->overridden) // A player decided it: there undo stops.
        last->flags = types[last->type].flags & (uint8_t) ~(type->is_player ? KIFU_CONTINUE_UNDO : 0);
    queue->tail = (uint32_t)((unsigned char *)last - queue->bytes) + room;
    return true;
}

static kifu_result postpone(kifu_timeline *timeline, kifu_ticket ticket, uint32_t turn, uint32_t key)
{
    if (!timers_of(timeline))
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_postpone: this game has no timers: its state needs a pool of kifu.Timer");
    kifu__queue *queue = queue_of_timer(timeline);
    kifu__proposal *proposal = queue ? kifu__queue_last(queue) : NULL;
    if (!proposal || proposal->ticket != ticket ||
        (timeline->core.phase != KIFU__IDLE && !kifu__is_own(timeline, proposal)))
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_postpone: ticket %u is not of the event that was submitted last: call it right after "
                           "the submit, in the same place",
                           (unsigned)ticket);
    const kifu__table *table = timeline->rules->types[proposal->type].table;
    const bool plain = table->flat && !table->check_count; // It holds whatever it is.
    kifu_result result = plain ? KIFU_OK : kifu__check_proposal(table, kifu__proposal_blob(proposal), &timeline->error);
    if (result)
        return result;
    const bool flat = table->flat && proposal->size % 4 == 0;
    if ((!flat && !build_schedule(timeline, proposal, turn, key)) ||
        !replace_timer(timeline, queue, proposal, turn, key, flat ? NULL : &kifu__turns_of(timeline)->proposal))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a timed event: %s was not postponed",
                           table->name);
    return KIFU_OK;
}

kifu_result kifu_postpone(kifu_timeline *timeline, kifu_ticket ticket, uint32_t turn, uint32_t key)
{
    if (!ticket)
        return KIFU_OK;
    kifu_result result = postpone(timeline, ticket, turn, key);
    // Where an event runs, it must not happen at once instead.
    if (result && timeline->core.phase != KIFU__IDLE && timeline->core.phase != KIFU__TELLING)
        kifu__fault(timeline, result, "%s", timeline->error.message);
    return result;
}

// --- Do --------------------------------------------------------------------------------------------------------------

kifu_result kifu_do_e_schedule(kifu_timeline *timeline, const kifu_game *game, const kifu_e_schedule *event)
{
    (void)game;
    const kifu__pool *timers = timers_of(timeline);
    const uint32_t index = kifu__first_free(timeline, timers);
    if (index == timers->count)
        return kifu_fail(timeline, "too many events are timed: give the state's pool of kifu.Timer more elements");
    kifu_timer *timer = renew_timers(timeline, timers, index, 1);
    timer->turn = event->turn;
    timer->event = timeline->core.event;
    timer->key = event->key;
    return KIFU_OK;
}

kifu_result kifu_do_e_cancel(kifu_timeline *timeline, const kifu_game *game, const kifu_e_cancel *event)
{
    (void)game;
    const kifu__pool *timers = timers_of(timeline);
    kifu_handle handle = KIFU_NO_HANDLE;
    while ((handle = kifu__pool_next(timeline->core.state, timers, handle)) != KIFU_NO_HANDLE) {
        if (timer_of(timers, timeline->core.state, handle).key == event->key)
            kifu__pool_despawn(timeline, timers, handle);
    }
    return KIFU_OK;
}

// --- Firing ----------------------------------------------------------------------------------------------------------

enum { MOST_AT_ONCE = 64 };

// The first timers that are due, in the order in which their ESchedules came; and room for one that is not among them.
typedef struct due {
    uint32_t count;
    struct {
        uint32_t event, index;
    } items[MOST_AT_ONCE + 1];
} due;

static void add_due(due *due, uint32_t event, uint32_t index)
{
    uint32_t at = due->count;
    for (; at > 0 && due->items[at - 1].event > event; at--)
        due->items[at] = due->items[at - 1];
    due->items[at].event = event;
    due->items[at].index = index;
    due->count += due->count < MOST_AT_ONCE;
}

static void find_due(const kifu_timeline *timeline, const kifu__pool *timers, uint32_t turn, due *due)
{
    const unsigned char *slot = timeline->core.state + timers->offset;
    due->count = 0;
    for (uint32_t index = 0; index < timers->count; index++, slot += timers->stride) {
        const kifu_timer *timer = (const kifu_timer *)(const void *)slot;
        if (timer->turn <= turn && timer->slot.generation & 1 && timer->event != KIFU_NONE)
            add_due(due, timer->event, index);
    }
}

// Frees these, those that are neighbours at once.
static void free_due(kifu_timeline *timeline, const kifu__pool *timers, const due *due)
{
    for (uint32_t i = 0, count; i < due->count; i += count) {
        count = 1;
        while (i + count < due->count && due->items[i + count].index == due->items[i].index + count)
            count++;
        renew_timers(timeline, timers, due->items[i].index, count);
    }
}

// The ESchedule of a timer; NULL: the timer leads to none.
static const kifu_e_schedule *find_schedule(const kifu_timeline *timeline, uint32_t event)
{
    if (event >= timeline->executed || !timeline->log.branch->segment_count)
        return NULL;
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, event);
    if (event - segment->first >= segment->count || // in a fork without a past
        segment->types[event - segment->first] != timeline->rules->turns->schedule)
        return NULL;
    return (const kifu_e_schedule *)kifu__segment_table(segment, event - segment->first);
}

static kifu_result read_timed_event(kifu_timeline *timeline, const kifu_e_schedule *schedule, kifu__blob *blob,
                                    kifu_error *error)
{
    const uint32_t type = schedule->type, size = kifu__length(&schedule->event);
    if (type == 0 || type > timeline->rules->type_count)
        return kifu__error(error, KIFU_UNKNOWN_EVENT, "this version of the game knows no event type %u",
                           (unsigned)type);
    if (schedule->player < -1)
        return kifu__error(error, KIFU_DAMAGED, "there is no player %d", schedule->player);
    kifu__turns *turns = kifu__turns_attach(timeline);
    if (!turns)
        return KIFU_NO_MEMORY;
    kifu__build_anew(&turns->room, &timeline->memory);
    kifu__build(&turns->room, 0, kifu__elements(&schedule->event), size, 8);
    if (turns->room.result)
        return KIFU_NO_MEMORY;
    const kifu__table *table = timeline->rules->types[type].table;
    const kifu__buffer buffer = {.bytes = turns->room.bytes, .size = size, .error = error};
    uint32_t position;
    bool castable = true;
    kifu_result result = kifu__verify_root(&buffer, table, &position, &castable);
    kifu__build_anew(&turns->proposal, &timeline->memory);
    if (!result)
        result = kifu__convert_table(&buffer, table, position, &turns->proposal);
    *blob = turns->proposal;
    return result;
}

// `before`: it was timed before the running input, and may have as many consequences as an input. Others are
// consequences as all are, else what times itself for a turn that it begins would go on for ever.
static void submit_event(kifu_timeline *timeline, const kifu_e_schedule *schedule, const void *event, uint32_t size,
                         bool before)
{
    if (before)
        timeline->running.consequence_count -= kifu__allowance(timeline);
    kifu__submit_timed(timeline, schedule->type, schedule->player, event, size);
}

// Whether there is this vtable. Most have 8 to 16 bytes, for which that is cheaper than a call.
static bool is_vtable(const unsigned char *bytes, const uint16_t *vtable)
{
    const uint32_t size = vtable[0], last = size - 8;
    if (size < 8 || size > 16)
        return !memcmp(bytes, vtable, size);
    return kifu__load64(bytes) == kifu__load64(vtable) &&
           kifu__load64(bytes + last) == kifu__load64((const unsigned char *)vtable + last);
}

// The event in an ESchedule, in place, if it is as `write_flat` writes it and its values are good; else NULL.
static const void *find_flat(const kifu_timeline *timeline, const kifu_e_schedule *schedule)
{
    const uint32_t type = schedule->type, size = kifu__length(&schedule->event);
    if (type == 0 || type > timeline->rules->type_count || schedule->player < -1)
        return NULL;
    const kifu__table *table = timeline->rules->types[type].table;
    const uint32_t start = start_of_flat(table);
    const unsigned char *timed = (const unsigned char *)kifu__elements(&schedule->event);
    if (!table->flat || size != start + table->size || kifu__load32(timed) != start ||
        !is_vtable(timed + 4, table->vtable) || kifu__load32(timed + start) != start - 4)
        return NULL;
    return !table->check_count || kifu__checks_hold(table->checks, table->check_count, timed + start, NULL)
               ? timed + start
               : NULL;
}

// One that must be read first. One that cannot be read fails once, and the next try drops it, so that the game can go
// on. In a replay, which only frees timers, it makes no difference.
static kifu_result fire_read(kifu_timeline *timeline, const kifu_e_schedule *schedule, uint32_t event, bool before)
{
    kifu_error error = {.message = "its timer does not refer to a kifu.ESchedule"};
    kifu__blob blob;
    kifu_result result = schedule ? read_timed_event(timeline, schedule, &blob, &error) : KIFU_DAMAGED;
    if (result == KIFU_NO_MEMORY) {
        kifu__fault(timeline, KIFU_NO_MEMORY, "out of memory for a timed event");
        return KIFU_NO_MEMORY;
    }
    if (!result)
        submit_event(timeline, schedule, blob.bytes, blob.size, before);
    // The sync test executes what failed once more, and would take "once" for a difference.
    kifu__turns *turns = result ? kifu__turns_attach(timeline) : NULL;
    if (result && !turns)
        kifu__fault(timeline, KIFU_NO_MEMORY, "out of memory for a timed event");
    if (!turns || event < turns->kept.told || timeline->options.sync_test)
        return KIFU_OK;
    turns->kept.told = event + 1;
    kifu_error told;
    kifu__error(&told, KIFU_FAILED,
                "the event that event %u timed cannot happen, and is dropped when the game turn begins again: %s",
                (unsigned)event, error.message);
    return kifu_fail(timeline, told.message);
}

// The event of a timer happens.
static kifu_result fire(kifu_timeline *timeline, uint32_t event)
{
    const kifu_e_schedule *schedule = find_schedule(timeline, event);
    const bool before = event < timeline->running.input_first;
    const void *flat = schedule ? find_flat(timeline, schedule) : NULL;
    if (!flat)
        return fire_read(timeline, schedule, event, before);
    submit_event(timeline, schedule, flat, timeline->rules->types[schedule->type].table->size, before);
    return KIFU_OK;
}

kifu_result kifu__fire_timers(kifu_timeline *timeline, uint32_t turn)
{
    const kifu__pool *timers = timers_of(timeline);
    if (!timers)
        return KIFU_OK;
    due due;
    do {
        find_due(timeline, timers, turn, &due);
        free_due(timeline, timers, &due);
        for (uint32_t i = 0; i < due.count && timeline->core.phase == KIFU__DOING && !timeline->fault.result; i++) {
            kifu_result result = fire(timeline, due.items[i].event);
            if (result)
                return result;
        }
        if (timeline->fault.result) // They are still there.
            return timeline->fault.result;
    } while (due.count == MOST_AT_ONCE);
    kifu__turns *turns = kifu__turns_of(timeline);
    if (timeline->core.phase == KIFU__DOING && turns)
        turns->kept.told = 0;
    return KIFU_OK;
}

static bool is_of_new_turn(const kifu_timeline *timeline, uint32_t cause)
{
    return cause < timeline->executed && cause >= timeline->log.begin && // not KIFU_NONE
           kifu__log_type(&timeline->log, cause) == timeline->rules->turns->begin_turn;
}

// What else a kifu.EBeginTurn led to counts, too: the log does not tell them apart.
static uint32_t count_fired(const kifu_timeline *timeline, uint32_t first)
{
    const uint32_t begin = timeline->log.begin;
    uint32_t fired = 0;
    for (uint32_t event = first + 1 < begin ? begin : first + 1; event < timeline->executed; event++) {
        const uint32_t distance = kifu__log_mark(&timeline->log, event)->cause;
        fired += is_of_new_turn(timeline, distance ? event - distance : KIFU_NONE);
    }
    const kifu__queue *queue = &timeline->consequences;
    for (const kifu__proposal *at = kifu__queue_first(queue); at; at = kifu__queue_next(queue, at))
        fired += is_of_new_turn(timeline, at->cause);
    return fired;
}

static uint32_t next_scheduled(const kifu_timeline *timeline, const unsigned char *state, kifu_handle *timer)
{
    const kifu__pool *timers = timers_of(timeline);
    *timer = timers ? kifu__pool_next(state, timers, *timer) : KIFU_NO_HANDLE;
    return *timer == KIFU_NO_HANDLE ? KIFU_NONE : timer_of(timers, state, *timer).event;
}

const struct kifu__timed kifu__timed = {
    .read = read_timed_event,
    .next = next_scheduled,
    .schedule = kifu_postpone,
    .begin_action = kifu__begin_recorded,
    .end_action = kifu__end_action,
    .actions = kifu__actions,
    .set_actions = kifu__set_actions,
    .exchange_actions = kifu__exchange_actions,
    .fired = count_fired,
};
