/// Resolving: whether a proposal may happen, and what is tried instead.
#ifndef KIFU_SRC_RESOLVE_H
#define KIFU_SRC_RESOLVE_H

#include "core/timeline.h"
#include "wire/table.h"

/// What the check and the hooks decided.
struct kifu__resolution {
    bool instead;     ///< `timeline->alternate` is to be tried in the proposal's place.
    const char *hook; ///< Name of the hook that was called last; NULL: none was.
    uint32_t scope;   ///< Its scope,
    uint64_t subject; ///< and that scope's subject.
    uint32_t aside;   ///< Bytes of `timeline->aside` before the check or hook that was called last submitted something.
};

/// Whether anything may stop an event of this type; otherwise it happens in any case. A player's event always has a
/// check.
static inline bool kifu__is_asked(const kifu__type *type)
{
    return type->has_check || type->scope_count || type->table->check_count || !type->table->flat;
}

/// Calls the check and the hooks, which may change the proposal. KIFU_OK: it may happen, or `resolution->instead`;
/// otherwise `timeline->error` says why not. What hooks submitted besides is added to `timeline->aside`. `original`:
/// the head of what was submitted first, whose place an alternate takes.
kifu_result kifu__resolve(kifu_timeline *timeline, kifu__proposal *proposal, const kifu__proposal *original,
                          kifu__resolution *resolution);

/// The same where the check has said `verdict`.
kifu_result kifu__resolve_asked(kifu_timeline *timeline, kifu__proposal *proposal, const kifu__proposal *original,
                                kifu__resolution *resolution, kifu_verdict verdict);

/// Whether some part may have hooks for events of a type. An event for which none has pays no more than this test.
static inline bool kifu__is_hooked(const kifu_timeline *timeline, uint32_t type)
{
    return timeline->hooked >> type % 64 & 1;
}

/// The same as `kifu__resolve`, at once where only the check of the event has a say.
static KIFU__HOT kifu_result kifu__ask(kifu_timeline *timeline, const kifu__type *type, kifu__proposal *proposal,
                                       const kifu__proposal *original, kifu__resolution *resolution)
{
    const kifu_game *game = kifu__game(timeline);
    const uint32_t players = game->player_count;
    const bool looks = (type->table->check_count || !type->table->flat) && !proposal->whole;
    if (!KIFU__QUICK && !kifu__is_asked(type))
        return KIFU_OK;
    if (!KIFU__QUICK || kifu__is_slow(timeline) || timeline->running.trusted ||
        (type->scope_count && kifu__is_hooked(timeline, proposal->type)) ||
        (type->is_player &&
         (((uint32_t)proposal->player >= players && players) || game->phase == KIFU_PHASE_GAME_OVER)))
        return kifu__resolve(timeline, proposal, original, resolution);
    if (!type->has_check)
        return looks ? kifu__check_proposal(type->table, kifu__proposal_blob(proposal), &timeline->error) : KIFU_OK;
    if (looks)
        return kifu__resolve(timeline, proposal, original, resolution);
    timeline->core.phase = KIFU__CHECKING;
    const kifu_verdict verdict =
        timeline->rules->check(timeline, proposal->type, timeline->core.state, kifu__proposal_blob(proposal));
    timeline->core.phase = KIFU__IDLE;
    if (!kifu__is_slow(timeline) && !verdict.reason && !verdict.instead)
        return KIFU_OK;
    return kifu__resolve_asked(timeline, proposal, original, resolution, verdict);
}

/// Takes the proposal `ticket` out of `from`, where it must come behind the first `bytes`, and makes it the alternate.
/// False, with a fault remembered, when it is not there, or without memory.
bool kifu__move_alternate(kifu_timeline *timeline, kifu__queue *from, uint32_t bytes, kifu_ticket ticket,
                          const kifu__proposal *original);

/// What hooks submitted besides becomes a consequence of event `cause`. Moves the consequences. False, with a fault
/// remembered and nothing changed, without memory, and when that would be more than an input may have.
bool kifu__release_aside(kifu_timeline *timeline, uint32_t cause);

/// What became of a proposal, without its error. `type`: of the event that happened, or was rejected last.
kifu_outcome kifu__outcome_of(kifu_ticket ticket, kifu_result result, uint32_t event, uint32_t type,
                              const kifu__resolution *resolution);

#endif
