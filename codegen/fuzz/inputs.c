// What a game begins with, random inputs and likely ones, and running them.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fuzz.h"

enum { MOST_INPUTS = 4 };

// What a run may say of inputs that were submitted at random. The rest is no game's fault.
static void judge(fuzz *fuzz, kifu_result result)
{
    const char *message = kifu_last_error(fuzz->table.timeline)->message;
    uint32_t count = kifu_event_count(fuzz->table.timeline);
    if (fuzz->chain_known > count)
        fuzz->chain_known = count;
    switch (result) {
    case KIFU_OK:
        return;
    case KIFU_RUNAWAY:
    case KIFU_REJECTED:
    case KIFU_FAILED:
    case KIFU_INVALID_EVENT:
    case KIFU_MISUSE:
    case KIFU_TOO_LARGE:
        break;
    case KIFU_NO_MEMORY:
        if (!fuzz->starving)
            kifu_fuzz__fail(fuzz, "a run failed", "a run of the game failed: %s", message);
        fuzz->starving = false;
        break;
    case KIFU_DIVERGED:
        kifu_fuzz__fail(fuzz, "the sync test", "the sync test found: %s", message);
    default:
        kifu_fuzz__fail(fuzz, "a run failed", "a run of the game failed: %s", message);
    }
    fuzz->progress->refused++;
    const uint32_t event = kifu_last_error(fuzz->table.timeline)->event;
    if (result == KIFU_MISUSE && event != KIFU_NONE && !fuzz->meddled && !fuzz->progress->misused++) // not of a submit
        snprintf(fuzz->progress->misuse, sizeof fuzz->progress->misuse, "%s", message);
    kifu_fuzz__trace(fuzz, " (%.120s)", message);
}

// One event; the state may only have changed where one happened.
static kifu_result step_and_look(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    uint32_t before = kifu_event_count(timeline);
    kifu_result result = kifu_step(timeline);
    judge(fuzz, result);
    if (result != KIFU_RUNAWAY && kifu_event_count(timeline) < before)
        kifu_fuzz__fail(fuzz, "events are gone", "a step took back events: %" PRIu32 " of %" PRIu32 " are left",
                        kifu_event_count(timeline), before);
    kifu_fuzz__recognise(fuzz, "an event");
    kifu_fuzz__check_shown(fuzz, "an event");
    if (!fuzz->starving && kifu_fuzz__one_in(fuzz, 4))
        kifu_fuzz__append(fuzz, NULL);
    return result;
}

// With `all`, until nothing waits and nothing is to be reported. `before`: how many events there were before the
// inputs.
static void run(fuzz *fuzz, bool all, uint32_t before)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    uint32_t style = kifu_fuzz__below(fuzz, 8);
    uint32_t most = all ? UINT32_MAX : kifu_fuzz__below(fuzz, 4);
    kifu_fuzz__save_here(fuzz);
    kifu_result result = KIFU_OK;
    do {
        if (!most--)
            break;
        if (style == 0) {
            result = step_and_look(fuzz);
        } else if (style == 1) {
            result = kifu_update(timeline, 0.5);
            judge(fuzz, result);
        } else {
            result = kifu_run(timeline);
            judge(fuzz, result);
        }
    } while (result || kifu_pending_count(timeline));
    fuzz->starving = false;
    kifu_fuzz__recognise(fuzz, "a run");
    kifu_fuzz__check_shown(fuzz, "a run");
    uint32_t after = kifu_event_count(timeline);
    if (fuzz->rules->hiding)
        kifu_fuzz__count_revealed(fuzz, before);
    if (after > before) {
        fuzz->progress->events += after - before;
        fuzz->undone_count = 0;
        fuzz->undone_unknown = false;
    }
    kifu_fuzz__trace(fuzz, ": %" PRId64 " events", (int64_t)after - before);
}

// --- What became of inputs ------------------------------------------------------------------------------------------

static void tell(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    fuzz *fuzz = context;
    for (uint32_t i = 0; i < MOST_INPUTS; i++) {
        if (fuzz->followed[i] == outcome->ticket && timeline == fuzz->table.timeline)
            fuzz->followed[i] = 0;
    }
    kifu_event event;
    bool happened = outcome->result == KIFU_OK;
    if (happened ? outcome->error || !kifu_event_at(timeline, outcome->event, &event) || event.type != outcome->type
                 : !outcome->error || outcome->error->result != outcome->result || outcome->event != KIFU_NONE)
        kifu_fuzz__fail(fuzz, "a wrong outcome", "a follower got event %" PRIu32 " of type %" PRIu32 ": %s",
                        outcome->event, outcome->type, outcome->error ? outcome->error->message : "it happened");
}

static void follow(fuzz *fuzz, uint32_t place, kifu_ticket ticket)
{
    if (ticket && kifu_fuzz__one_in(fuzz, 2) && kifu_follow(fuzz->table.timeline, ticket, tell, fuzz) == KIFU_OK)
        fuzz->followed[place] = ticket;
}

// Where nothing waits, and memory was not short.
static void check_told(fuzz *fuzz)
{
    for (uint32_t i = 0; i < MOST_INPUTS; i++)
        if (fuzz->followed[i])
            kifu_fuzz__fail(fuzz, "an outcome without a call", "no follower was called for ticket %" PRIu32,
                            fuzz->followed[i]);
}

static int random_player(fuzz *fuzz)
{
    const kifu_game *game = kifu_get_game(fuzz->table.timeline);
    switch (kifu_fuzz__below(fuzz, 16)) {
    case 0:
        return -1;
    case 1:
        return (int)kifu_fuzz__below(fuzz, 128);
    case 2:
        return -2 + (int)kifu_fuzz__below(fuzz, 300); // some of them are no players' numbers
    case 3:
    case 4:
    case 5:
        return (int)kifu_fuzz__below(fuzz, game->player_count + 1u);
    default:
        return kifu_current_player(game);
    }
}

static uint32_t random_type(fuzz *fuzz)
{
    const kifu_rules *rules = fuzz->rules;
    bool engine = !fuzz->hooks.trusted_engine && kifu_fuzz__one_in(fuzz, 4);
    bool standard = kifu_fuzz__one_in(fuzz, 40);
    // A type of the wanted kind, or, where few are met by chance, of another.
    for (uint32_t tries = 0; tries < 60; tries++) {
        uint32_t type = 1 + kifu_fuzz__below(fuzz, rules->type_count);
        bool is_standard = strncmp(rules->types[type].table->name, "kifu.", 5) == 0;
        bool is_engine = !rules->types[type].is_player;
        if (is_engine && !is_standard && fuzz->hooks.trusted_engine)
            continue;
        // What is timed and cannot be read fails once and is dropped then: which, no input tells.
        if (fuzz->table.options.record_inputs && strcmp(rules->types[type].table->name, "kifu.ESchedule") == 0)
            continue;
        if (rules->types[type].superseded_by) // waiting, it would not come back from a save
            continue;
        if (is_standard == standard && (standard || is_engine == engine || tries > 40))
            return type;
    }
    return 0;
}

static kifu_ticket submit_random(fuzz *fuzz, bool *certain)
{
    uint32_t type = random_type(fuzz);
    if (!type)
        return 0;
    const kifu__type *described = &fuzz->rules->types[type];
    int player = described->is_player ? random_player(fuzz) : -1;
    fuzz->meddled |= !described->is_player;
    kifu_ticket ticket = kifu_fuzz__submit_random(fuzz, fuzz->table.timeline, type, player, certain);
    kifu_fuzz__trace(fuzz, " %s of player %d", described->table->name, player);
    if (!ticket)
        *certain = false;
    uint32_t flags = kifu_fuzz__below(fuzz, 64); // Where an override is not allowed, that is all that happens.
    if (ticket && flags < 4)
        (void)kifu_override(fuzz->table.timeline, ticket, flags & 1, flags & 2);
    return ticket;
}

void kifu_fuzz__begin_game(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    kifu_fuzz__trace(fuzz, "a game begins");
    uint32_t before = kifu_event_count(timeline);
    if (fuzz->hooks.begin)
        fuzz->hooks.begin(timeline, &fuzz->rng);
    else
        kifu_fuzz__submit_beginning(fuzz, timeline);
    run(fuzz, true, before);
}

// Submits one of the moves that the game lists: mostly of the player whose turn it is.
static kifu_ticket submit_listed(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    const kifu_game *game = kifu_get_game(timeline);
    const bool any = kifu_fuzz__one_in(fuzz, 16);
    const int player = any ? (int)kifu_fuzz__below(fuzz, game->player_count) : kifu_current_player(game);
    kifu_moves moves = {0};
    kifu_ticket ticket = 0;
    const kifu_result result = kifu_list_moves(timeline, player, &moves);
    if (result && result != KIFU_NO_MEMORY)
        kifu_fuzz__fail(fuzz, "the moves were not listed", "kifu_list_moves of player %d: %s", player,
                        kifu_last_error(timeline)->message);
    if (moves.count)
        ticket = kifu_submit_move(timeline, &moves.items[kifu_fuzz__below(fuzz, moves.count)]);
    kifu_free_moves(&moves);
    return ticket;
}

static bool knows_likely(const fuzz *fuzz)
{
    return fuzz->hooks.input || fuzz->rules->list;
}

static kifu_ticket submit_likely(fuzz *fuzz)
{
    if (fuzz->hooks.input && (!fuzz->rules->list || kifu_fuzz__one_in(fuzz, 2)))
        return fuzz->hooks.input(fuzz->table.timeline, &fuzz->rng);
    return submit_listed(fuzz);
}

// What was submitted as likely.
static void trace_likely(fuzz *fuzz)
{
    kifu_event event;
    uint32_t waiting = kifu_pending_count(fuzz->table.timeline);
    if (waiting && kifu_pending_at(fuzz->table.timeline, waiting - 1, &event))
        kifu_fuzz__trace(fuzz, " likely %s of player %d", event.name, event.player);
    else
        kifu_fuzz__trace(fuzz, " a likely input");
}

// Some steps of the turn loop.
static void take_turns(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    const uint32_t before = kifu_event_count(timeline);
    kifu_turn turn = {.status = KIFU_TURN_BUSY};
    kifu_fuzz__trace(fuzz, " turns");
    for (uint32_t steps = 1 + kifu_fuzz__below(fuzz, 12); steps > 0; steps--) {
        judge(fuzz, kifu_run(timeline));
        judge(fuzz, kifu_take_turn(timeline, fuzz->hooks.decide, &fuzz->rng, &turn));
        kifu_fuzz__trace(fuzz, " %d", (int)turn.status);
        fuzz->progress->inputs += turn.status == KIFU_TURN_ACTED;
        if (turn.status != KIFU_TURN_NEEDS_INPUT || !knows_likely(fuzz))
            continue;
        kifu_ticket ticket = submit_likely(fuzz);
        trace_likely(fuzz);
        if (ticket)
            judge(fuzz, kifu_set_action(timeline, turn.actor, ticket));
    }
    run(fuzz, true, before);
}

void kifu_fuzz__submit_and_run(fuzz *fuzz)
{
    if (fuzz->hooks.decide && kifu_fuzz__one_in(fuzz, 2)) {
        take_turns(fuzz);
        return;
    }
    bool likely = knows_likely(fuzz) && !kifu_fuzz__one_in(fuzz, 4);
    uint32_t count = kifu_fuzz__one_in(fuzz, 8) ? 1 + kifu_fuzz__below(fuzz, MOST_INPUTS) : 1;
    uint32_t before = kifu_event_count(fuzz->table.timeline);
    // An input that is lost for want of memory would be the last of a game whose rules can be verified.
    if (kifu_fuzz__one_in(fuzz, 50) && !fuzz->table.options.reset && !fuzz->table.options.record_inputs) {
        fuzz->starving = true;
        fuzz->meals = kifu_fuzz__below(fuzz, 6);
        kifu_fuzz__trace(fuzz, " with memory for %" PRIu32 ":", fuzz->meals);
    }
    fuzz->meddled = kifu_pending_count(fuzz->table.timeline) > 0;
    memset(fuzz->followed, 0, sizeof fuzz->followed);
    // Only what is well made may stay waiting: the rest has to be reported before anything else is done.
    bool certain = true;
    while (count--) {
        fuzz->progress->inputs++;
        kifu_ticket ticket = likely ? submit_likely(fuzz) : 0;
        if (ticket)
            trace_likely(fuzz);
        else
            ticket = submit_random(fuzz, &certain);
        follow(fuzz, count, ticket);
    }
    bool starved = fuzz->starving, all = !certain || !kifu_fuzz__one_in(fuzz, 8);
    run(fuzz, all, before);
    if (all && !starved)
        check_told(fuzz);
}
