/// Lists of moves: what a player may do now. For a view that shows what is legal, for bots, and for tests.
///
/// In the schema, a player's event has the attribute `(listed)`. The game then has a function that lists candidate
/// moves of this kind (`kifuc stubs` writes its beginning). It may list too many, because Kifu keeps only those that
/// the event's check accepts:
///
///     void nim_list_p_take(const kifu_timeline *timeline, const nim_state *state, int player, kifu_moves *moves)
///     {
///         for (uint8_t heap = 0; heap < NIM_HEAPS_COUNT; heap++)
///             for (uint16_t count = 1; count <= state->heaps[heap]; count++)
///                 nim_add_p_take(moves, heap, count);
///     }
///
/// Any code can then ask:
///
///     kifu_moves moves = {0};
///     kifu_result result = kifu_list_moves(timeline, player, &moves);
///     for (uint32_t i = 0; i < moves.count; i++)
///         if (moves.items[i].type == NIM_P_TAKE) {
///             const nim_p_take *take = moves.items[i].table;
///             …
///         }
///     kifu_free_moves(&moves);
#ifndef KIFU_MOVES_H
#define KIFU_MOVES_H

#include <stdbool.h>
#include <stdint.h>

#include "detail/search.h"
#include "event.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A player's event that has not happened: a value, which can be submitted as often as you like.
typedef struct kifu_move {
    const void *table; ///< The event's generated struct; do not change it.
    uint32_t size;     ///< Of the event in bytes, with everything that it refers to.
    uint32_t type;     ///< Its id, such as NIM_P_TAKE.
    int player;        ///< Whose move it is.
} kifu_move;

/// A list of moves. Zero it, fill it as often as you like, and free it while the timeline's allocator can still free
/// memory. The moves are valid until the list is filled again or freed, also without the timeline.
typedef struct kifu_moves {
    const kifu_move *items;        ///< The moves of one event type lie together: in the order of the union's types.
    uint32_t count;                ///< How many there are.
    kifu_timeline *timeline;       ///< Whose moves these are. This and the rest is for the library.
    int player;                    ///< Whose moves are listed.
    uint32_t added;                ///< How many the game has listed.
    struct kifu__candidates *kept; ///< The memory of the list.
} kifu_moves;

/// Lists in `moves` the moves that `player` may play now: those that the game lists, without those that the event's
/// check, a hook, or Kifu itself (the game is over, or there is no such player) would reject. Nothing happens and
/// nothing changes. A view function may call it, too; if `kifu_seek` shows the past, it lists what was possible then.
///
/// If it fails, the list is empty. Errors: KIFU_NO_MEMORY; KIFU_MISUSE (no event of the schema is `(listed)`; called in
/// a Do function, a check or a reaction; a function that lists moves did something else than to add moves).
KIFU_WARN_UNUSED kifu_result kifu_list_moves(kifu_timeline *timeline, int player, kifu_moves *moves);

/// Frees the memory of a list, and empties it.
void kifu_free_moves(kifu_moves *moves);

/// Submits a move, as the generated submit function of its event does. Results as there.
kifu_ticket kifu_submit_move(kifu_timeline *timeline, const kifu_move *move);

/// Whether a move may be played now, as the generated function `…_can_…` of its event.
static inline bool kifu_can_move(kifu_timeline *timeline, const kifu_move *move)
{
    return kifu__can(timeline, move->type, move->player, move->table, move->size);
}

/// Tries a move until `kifu_take_back`, as the generated function `…_try_…` of its event (search.h).
static inline kifu_result kifu_try_move(kifu_timeline *timeline, const kifu_move *move)
{
    return kifu__try(timeline, move->type, move->player, move->table, move->size, false);
}

#ifdef __cplusplus
}
#endif

#endif
