// Lists of moves: the game's functions submit candidates to a queue of the list, and those that may not happen are left
// out.
//
// A candidate is a proposal in a queue of the list: the function that adds it is the event's submit function, with
// another place to put the event. So events are built in one way, and a move can be submitted, tried and asked for as
// it is. Nothing of a list is in the fingerprint or the lock file: no save depends on it.
//
// A move by lot is drawn from the candidates, and asked for then; if it is not legal, another one is drawn. Each legal
// move is as likely as the others, and few checks run.

#include "search/moves.h"

#include "core/resolve.h"
#include "wire/table.h"

struct kifu__candidates {
    kifu__memory memory;
    kifu__queue queue;
    kifu__queue asked; // The one that is asked now: a check may change it.
    kifu_move *items;
    uint32_t capacity;
};

static kifu_result no_memory_for_moves(kifu_timeline *timeline)
{
    return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a list of moves");
}

static kifu_result require_list(kifu_timeline *timeline, const char *call)
{
    const kifu__phase phase = timeline->core.phase;
    if (phase != KIFU__IDLE && phase != KIFU__SHOWING && phase != KIFU__TRYING)
        return kifu__misuse(
            timeline,
            "%s was called in a Do function, a check or a reaction: call it from outside, or from a view "
            "function",
            call);
    if (!timeline->rules->list)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "%s: no event of %s is listed; give player events the attribute (listed), and write what "
                           "`kifuc stubs` then asks for",
                           call, timeline->rules->name);
    return KIFU_OK;
}

static struct kifu__candidates *open_list(kifu_timeline *timeline, kifu_moves *moves)
{
    struct kifu__candidates *kept = moves->kept;
    if (!kept) {
        kept = (struct kifu__candidates *)kifu__new(&timeline->memory, sizeof *kept);
        if (!kept)
            return NULL;
        *kept = (struct kifu__candidates){.memory = timeline->memory};
    }
    kifu__queue_cut(&kept->queue, 0, 0);
    *moves = (kifu_moves){.timeline = timeline, .kept = kept};
    return kept;
}

// Calls the game's functions. What they may not do is remembered as a fault.
static kifu_result call_lister(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    kifu__core *core = &timeline->core;
    const kifu__phase phase = core->phase;
    const int running = core->player;
    const kifu_ticket last = timeline->last_ticket;
    timeline->building.list = &moves->kept->queue;
    moves->player = core->player = player;
    core->phase = KIFU__LISTING;
    timeline->rules->list(timeline, core->state, player, moves);
    core->phase = phase;
    core->player = running;
    timeline->last_ticket = last;
    if (moves->kept->queue.count != moves->added && !timeline->fault.result)
        kifu__fault(
            timeline, KIFU_MISUSE,
            "a function that lists moves of %s submitted an event: it may only add moves, by the function that is "
            "generated for that",
            timeline->rules->name);
    if (timeline->fault.result == KIFU_MISUSE)
        kifu__fault_in(timeline, "the moves of ", timeline->rules->name);
    return kifu__report_fault(timeline);
}

kifu_result kifu__list_candidates(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    struct kifu__candidates *kept = open_list(timeline, moves);
    if (!kept)
        return no_memory_for_moves(timeline);
    if (kifu__game(timeline)->phase == KIFU_PHASE_GAME_OVER)
        return KIFU_OK;
    kifu_result result = call_lister(timeline, player, moves);
    if (result)
        return result;
    kifu_move *items =
        (kifu_move *)kifu__grow(&kept->memory, kept->items, &kept->capacity, kept->queue.count, sizeof *items);
    if (!items)
        return no_memory_for_moves(timeline);
    moves->items = kept->items = items;
    for (kifu__proposal *at = kifu__queue_first(&kept->queue); at; at = kifu__queue_next(&kept->queue, at))
        items[moves->count++] =
            (kifu_move){.table = kifu__proposal_blob(at), .size = at->size, .type = at->type, .player = at->player};
    return KIFU_OK;
}

// Asks as the timeline asks before an event happens. `*plain`: nothing was changed, and nothing else is wanted.
static kifu_result resolve(kifu_timeline *timeline, kifu__proposal *asked, bool *plain)
{
    const kifu__phase phase = timeline->core.phase;
    const kifu__proposal head = *asked;
    kifu__resolution resolution = {.instead = false};
    timeline->core.phase = KIFU__IDLE;
    kifu_result result = kifu__resolve(timeline, asked, &head, &resolution);
    kifu__queue_cut(&timeline->aside, 0, 0);
    timeline->core.phase = phase;
    *plain = !resolution.instead;
    return result == KIFU_INVALID_EVENT ? KIFU_REJECTED : result;
}

// The same where the check alone decides, without words for why not: a bot asks some million times.
static kifu_result ask_check(kifu_timeline *timeline, const kifu__type *type, kifu__proposal *asked)
{
    void *table = kifu__proposal_blob(asked);
    if ((type->table->check_count || !type->table->flat) && kifu__check_proposal(type->table, table, &timeline->error))
        return KIFU_REJECTED;
    const kifu__phase phase = timeline->core.phase;
    const uint32_t before = timeline->aside.count;
    timeline->core.phase = KIFU__CHECKING;
    const kifu_verdict verdict = timeline->rules->check(timeline, asked->type, timeline->core.state, table);
    timeline->core.phase = phase;
    if (timeline->fault.result || verdict.instead || timeline->aside.count != before)
        return KIFU_MISUSE; // or only unusual
    return verdict.reason ? KIFU_REJECTED : KIFU_OK;
}

// Whether more than the check decides.
static bool is_involved(const kifu_timeline *timeline, uint32_t type, int player)
{
    return kifu__is_hooked(timeline, type) || kifu__has_handler(timeline, ran) ||
           (uint32_t)player >= kifu__game(timeline)->player_count;
}

kifu_result kifu__ask_candidate(kifu_timeline *timeline, kifu_moves *moves, uint32_t index, bool *plain)
{
    const kifu_move *move = &moves->items[index];
    const kifu__type *type = &timeline->rules->types[move->type];
    kifu__queue *asked = &moves->kept->asked;
    const kifu__proposal head = {.size = move->size,
                                 .ticket = kifu__next_ticket(timeline),
                                 .type = (uint8_t)move->type,
                                 .player = (int8_t)move->player};
    kifu__queue_cut(asked, 0, 0);
    if (!kifu__queue_push(asked, &moves->kept->memory, &head, move->table))
        return no_memory_for_moves(timeline);
    kifu__proposal *proposal = kifu__queue_first(asked);
    const int running = timeline->core.player;
    timeline->core.player = move->player;
    kifu_result result =
        is_involved(timeline, move->type, move->player) ? KIFU_MISUSE : ask_check(timeline, type, proposal);
    *plain = true;
    if (result == KIFU_MISUSE) {
        timeline->fault.result = KIFU_OK;
        kifu__queue_cut(&timeline->aside, 0, 0);
        memcpy(kifu__proposal_blob(proposal), move->table, move->size);
        result = resolve(timeline, proposal, plain);
    }
    timeline->core.player = running;
    *plain = *plain && memcmp(kifu__proposal_blob(proposal), move->table, move->size) == 0;
    return result;
}

void kifu__drop_candidate(kifu_moves *moves, uint32_t index)
{
    kifu_move *items = moves->kept->items;
    items[index] = items[--moves->count];
}

// Those that are legal, of the candidates.
static kifu_result list_moves(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    kifu_result result = kifu__list_candidates(timeline, player, moves);
    uint32_t left = 0;
    for (uint32_t i = 0; i < moves->count && !result; i++) {
        bool plain;
        result = kifu__ask_candidate(timeline, moves, i, &plain);
        if (!result)
            moves->kept->items[left++] = moves->items[i];
        else if (result == KIFU_REJECTED)
            result = KIFU_OK;
    }
    moves->count = result ? 0 : left;
    return result;
}

kifu_result kifu_list_moves(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    moves->count = 0;
    kifu_result result = require_list(timeline, "kifu_list_moves");
    if (result)
        return result;
    const kifu_error last = timeline->error;
    const kifu_error fault = timeline->fault; // of an earlier submit
    timeline->fault.result = KIFU_OK;
    result = list_moves(timeline, player, moves);
    timeline->fault = fault;
    if (!result)
        timeline->error = last; // and not why a candidate is not legal
    return result;
}

void kifu_free_moves(kifu_moves *moves)
{
    struct kifu__candidates *kept = moves->kept;
    if (kept) {
        const kifu__memory memory = kept->memory;
        kifu__queue_free(&kept->queue, &memory);
        kifu__queue_free(&kept->asked, &memory);
        kifu__free(&memory, kept->items);
        kifu__free(&memory, kept);
    }
    *moves = (kifu_moves){0};
}

kifu_ticket kifu_submit_move(kifu_timeline *timeline, const kifu_move *move)
{
    return kifu__submit(timeline, move->type, move->player, move->table, move->size);
}
