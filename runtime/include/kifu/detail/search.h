/// Search: what the generated functions that try and ask call.
#ifndef KIFU_DETAIL_SEARCH_H
#define KIFU_DETAIL_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../event.h"
#include "../result.h"
#include "../standard.h"
#include "state.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Tries an event: `table` is a proposal of `size` bytes, as for `kifu__submit`. `trusted`: its own check is not asked
/// and its values are not looked at, because the caller knows that the check would accept it and leave it as it is.
/// Hooks, and all checks of what follows, are asked in any case.
///
/// KIFU_OK: the try is open. Otherwise nothing has changed, and `kifu_last_error` says why: KIFU_REJECTED, and what
/// else `kifu_run` may return for this event (KIFU_FAILED, KIFU_INVALID_EVENT, KIFU_RUNAWAY), also where a consequence
/// fails; KIFU_NO_MEMORY; KIFU_MISUSE (an event runs; the past is shown; the model is outside the state); the error of
/// an earlier submit.
kifu_result kifu__try(kifu_timeline *timeline, uint32_t type, int player, const void *table, uint32_t size,
                      bool trusted);

/// The same for a proposal with references. After `kifu__try_open` has returned true, submit one event, and end with
/// `kifu__try_run`. False: the error is the last one.
bool kifu__try_open(kifu_timeline *timeline);
kifu_result kifu__try_run(kifu_timeline *timeline, bool trusted);

/// Whether an event may be played now: its check accepts it, or wants another event instead whose check accepts, and no
/// hook stops it. Its Do does not run, so a move that only its Do or a consequence makes impossible counts as possible;
/// try it to know more. False: `kifu_last_error` says why (`kifu_error_reason` for the player).
///
/// May be called from outside, while tries are open, and in reactions and all functions of the view. Not in a Do, a
/// check or a hook, and not while the past is shown.
bool kifu__can(kifu_timeline *timeline, uint32_t type, int player, const void *table, uint32_t size);

/// The same for a proposal with references. After `kifu__can_open` has returned true, submit one event, and end with
/// `kifu__can_ask`.
bool kifu__can_open(kifu_timeline *timeline);
bool kifu__can_ask(kifu_timeline *timeline);

// --- Short tries -----------------------------------------------------------------------------------------------------

/// How large an event of a short try may be.
enum { KIFU__MOST_SHORT = 40 };

/// A try of an event from whose Do nothing follows, where only checks and Do functions are called. All of it
/// is inline; where there is more to do, the other functions take over.
typedef struct kifu__short {
    uint64_t event[KIFU__MOST_SHORT / 8]; ///< The Do gets it there, and `kifu_event_at` shows it.
    kifu__journal_entry *journal;         ///< Its first entry.
    int player;
    uint32_t type;
} kifu__short;

/// Whether the timeline's phase is `phase`, and `slow` is 0: one comparison instead of two.
static inline bool kifu__is_simply(const kifu__core *core, kifu__phase phase)
{
    uint64_t both;
    memcpy(&both, (const unsigned char *)core + offsetof(kifu__core, phase), sizeof both);
    return both == (uint64_t)phase;
}

/// As `kifu__next_short`, where no try is open, or there may be more to do.
bool kifu__first_short(kifu_timeline *timeline);

/// Whether an event of `player` can be a short try: `*tried`. Otherwise it must be tried by the other functions.
static inline bool kifu__next_short(kifu_timeline *timeline, int player, kifu__short **tried)
{
    kifu__core *core = (kifu__core *)timeline;
    if (KIFU__COLD_TRUE(player < -1 || player > INT8_MAX))
        return false;
    if (KIFU__COLD_TRUE(!kifu__is_simply(core, KIFU__TRYING)) && !kifu__first_short(timeline))
        return false;
    if (KIFU__COLD_TRUE(core->next_short == core->last_short))
        return false;
    *tried = core->next_short;
    return true;
}

/// The check of an event runs next. False: the other functions say why it may not be played. `is_player`: it is an
/// event of a player.
static inline bool kifu__ask_short(kifu_timeline *timeline, int player, bool is_player)
{
    kifu__core *core = (kifu__core *)timeline;
    const kifu_game *game = (const kifu_game *)(const void *)core->state;
    if (is_player && ((uint32_t)player >= game->player_count || game->phase == KIFU_PHASE_GAME_OVER))
        return false;
    core->player = player;
    core->event = *kifu__executed(core);
    core->phase = KIFU__CHECKING;
    return true;
}

/// Whether the check has said no more than that it accepts.
static inline bool kifu__accepts_short(kifu_timeline *timeline, kifu_verdict verdict)
{
    kifu__core *core = (kifu__core *)timeline;
    core->phase = KIFU__TRYING;
    return !verdict.reason && !verdict.instead && !core->slow;
}

/// It has said more. The event is as it was before.
kifu_result kifu__try_refused(kifu_timeline *timeline, uint32_t type, int player, const void *event, uint32_t size,
                              kifu_verdict verdict);

/// The event lies there now, and its Do runs next.
static inline void kifu__try_short(kifu_timeline *timeline, kifu__short *tried, uint32_t type, int player)
{
    kifu__core *core = (kifu__core *)timeline;
    tried->journal = core->journal;
    tried->player = player;
    tried->type = type;
    core->player = player;
    core->phase = KIFU__DOING;
    core->journal_end = core->journal_room;
}

/// More than this Do has happened, or it failed.
kifu_result kifu__try_more(kifu_timeline *timeline, kifu_result result);

/// Its Do has returned `result`.
static inline kifu_result kifu__try_done(kifu_timeline *timeline, kifu_result result)
{
    kifu__core *core = (kifu__core *)timeline;
    if (KIFU__COLD_TRUE((uint32_t)result | core->slow))
        return kifu__try_more(timeline, result);
    core->next_short++;
    ++*kifu__executed(core);
    core->journal_end = core->journal;
    core->phase = KIFU__TRYING;
    return KIFU_OK;
}

/// The window of an entry becomes what it was.
static inline void kifu__restore(unsigned char *state, const kifu__journal_entry *entry)
{
    memcpy(state + entry->offset, &entry->old, sizeof entry->old);
}

/// Takes back the last one that is open. Six edits without a loop: for a move of chess, 20 instructions instead of 32.
static inline void kifu__take_short_back(kifu__core *core)
{
    kifu__journal_entry *const start = core->next_short[-1].journal;
    unsigned char *const state = core->state;
    uint32_t count = (uint32_t)(core->journal - start);
    core->next_short--;
    --*kifu__executed(core);
    core->journal = start;
    switch (count) {
    default:
        for (; count > 6; count--)
            kifu__restore(state, start + count - 1);
        KIFU__FALLTHROUGH;
    case 6:
        kifu__restore(state, start + 5);
        KIFU__FALLTHROUGH;
    case 5:
        kifu__restore(state, start + 4);
        KIFU__FALLTHROUGH;
    case 4:
        kifu__restore(state, start + 3);
        KIFU__FALLTHROUGH;
    case 3:
        kifu__restore(state, start + 2);
        KIFU__FALLTHROUGH;
    case 2:
        kifu__restore(state, start + 1);
        KIFU__FALLTHROUGH;
    case 1:
        kifu__restore(state, start);
        KIFU__FALLTHROUGH;
    case 0:
        core->journal_end = start;
    }
}

/// Takes back any other, as `kifu_take_back` does.
kifu_result kifu__take_back(kifu_timeline *timeline);

#ifdef __cplusplus
}
#endif

#endif
