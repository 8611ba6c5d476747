"""What the golden game (golden/nim) has not, as it comes out of the generator: a piece of a file for each."""

import os
import tempfile
import unittest

import tools

_ENUMS = """\
typedef int8_t everything_side;
enum {
    /// Below zero.
    EVERYTHING_SIDE_LEFT = -3,
    EVERYTHING_SIDE_NONE = 0,
    EVERYTHING_SIDE_RIGHT = 1,
};

/// Flags of sixteen bits.
typedef uint16_t everything_traits;
enum {
    EVERYTHING_TRAITS_FAST = 1,
    EVERYTHING_TRAITS_STRONG_ARM = 2,
    EVERYTHING_TRAITS_WISE = 512,
};

/// Larger than an int of C.
typedef uint64_t everything_distance;
#define EVERYTHING_DISTANCE_NEAR ((everything_distance)0)
#define EVERYTHING_DISTANCE_FAR ((everything_distance)0xffffffffffffffff)

typedef int64_t everything_depth;
#define EVERYTHING_DEPTH_BOTTOM ((everything_depth)INT64_MIN)
"""

_NAMES = """\
/// The name of a value of everything.Side in the schema; "?" for a number that is none.
static inline const char *everything_side_name(everything_side value)
{
    static const char *const names[] = {"LEFT", "?", "?", "NONE", "RIGHT"};
    return kifu__name(names, 5, (uint64_t)value + 3);
}

/// The name of one flag of everything.Traits in the schema; "?" for anything else.
"""

_STRUCT = """\
/// A struct with holes, an enum and fixed arrays.
typedef struct everything_spot {
    /// Columns.
    uint8_t x;
    everything_side side;
    uint8_t padding_[6];
    /// Two heights.
    double heights[EVERYTHING_SPOT_HEIGHTS_COUNT];
    bool open;
    uint8_t padding2_[7];
} everything_spot;
"""

_TABLE = """\
/// Nested in others, and in itself.
typedef struct everything_item {
    int32_t vtable_;
    kifu_ref name;
    everything_spot where;
    uint32_t price;
    kifu_ref parts;
    kifu_ref inner;
    kifu_ref path;
    kifu_ref words;
    kifu_ref charm;
    everything_rank rank;
    /// Whether `luck` is there.
    bool has_luck;
    int8_t luck;
    uint8_t padding_[5];
} everything_item;

/// `name` of everything.Item, or NULL where it is absent.
static inline const char *everything_item_name(const everything_item *item)
"""

_VECTORS = """\
/// `parts` of everything.Item, by index: there are `_count`.
static inline uint32_t everything_item_parts_count(const everything_item *item)
""", """\
/// `inner` of everything.Item, or NULL where it is absent.
static inline const everything_item *everything_item_inner(const everything_item *item)
""", """\
/// `path` of everything.Item: the first of `_count` elements, or NULL where it is absent.
static inline const everything_spot *everything_item_path(const everything_item *item)
""", """\
static inline uint32_t everything_item_words_length(const everything_item *item, uint32_t index)
{
    KIFU_ASSERT(index < kifu__length(&item->words));
"""

_ARGUMENTS = """\
/// What to submit as a everything.Item. A NULL leaves its field absent.
struct everything_item_args {
    const char *name;
    uint32_t price;
    everything_rank rank;
    /// Whether `luck` is there.
    bool has_luck;
    int8_t luck;
    everything_spot where;
    const everything_item_args *parts;
    uint32_t parts_count;
    const everything_item_args *inner;
    const everything_spot *path;
    uint32_t path_count;
    const char *const *words;
    uint32_t words_count;
    const everything_charm_args *charm;
};

/// The schema's defaults; zero, NULL or absent where it gives none.
static inline everything_item_args everything_item_defaults(void)
{
    everything_item_args args;
    memset(&args, 0, sizeof args);
    args.price = 7;
    args.rank = EVERYTHING_RANK_QUEEN;
    return args;
}
"""

_COMMENT = """\
/// Structs inside the table. This comment is so long that it does not fit on one line of the generated header, which is
/// 120 columns wide, and so
/// it is filled anew there.
///
///  - an item
///  - and another one
///
/// The end.
///
/// If a pointer is NULL, the field is absent (an optional number is null, a struct is all zeros).
kifu_ticket everything_submit_p_structs(kifu_timeline *timeline, int player, const everything_spot *from,
                                        const everything_area *to, const kifu_player_info *player_, int32_t timeline_);
"""

_TRANSIENT = """\
/// What the Do of everything.EMove tells its Act: zeros at first, never saved.
typedef struct everything_e_move_transient {
    /// Where it ended.
    everything_spot end;
    int16_t steps;
    uint8_t padding_[6];
} everything_e_move_transient;
"""

_LIST = """\
/// The game writes this: which moves of this kind there are to consider. It calls everything_add_p_structs for each,
/// and Kifu leaves those that the check accepts. Called by kifu_list_moves.
void everything_list_p_structs(const kifu_timeline *timeline, const everything_state *state, int player,
                               kifu_moves *moves);

/// Adds one.
static inline void everything_add_p_structs(kifu_moves *moves, const everything_spot *from, const everything_area *to,
"""

_SUBJECTS = """\
/// The subjects of dungeon.EStrike, in the order in which their hooks run: KIFU_NO_SUBJECT at first.
typedef struct dungeon_e_strike_subjects {
    uint64_t level;
    uint64_t cell;
    uint64_t target;
    uint64_t performer;
} dungeon_e_strike_subjects;
""", """\
/// The game writes this: whose hooks may change the event.
void dungeon_subjects_e_curse(const kifu_timeline *timeline, const dungeon_state *state, const dungeon_e_curse *curse,
                              dungeon_e_curse_subjects *subjects);
"""

_TAGS = """\
/// What some event types have in common, for `kifu_observer.tags`: each is a bit.
enum {
    DUNGEON_TAG_PHYSICAL = 1,
    DUNGEON_TAG_MAGIC = 2,
    DUNGEON_TAG_DARK = 4,
};

/// The scopes of hooks, for `kifu_observer.scope`.
enum {
    DUNGEON_SCOPE_LEVEL = 0,
    DUNGEON_SCOPE_CELL = 1,
    DUNGEON_SCOPE_TARGET = 2,
    DUNGEON_SCOPE_PERFORMER = 3,
};
"""

_POOL = """\
static const kifu__pool dungeon__pool_monsters = {"monsters", offsetof(dungeon_state, monsters),
                                                  sizeof(dungeon_monster), 64};

/// Makes an entity in `monsters`, all zeros but its slot. KIFU_NO_HANDLE: no slot is free.
static inline kifu_handle dungeon_spawn_monsters(kifu_timeline *timeline)
{
    return kifu__pool_spawn(timeline, &dungeon__pool_monsters);
}
/// Removes an entity. From now on its handle is stale.
static inline void dungeon_despawn_monsters(kifu_timeline *timeline, kifu_handle handle)
{
    kifu__pool_despawn(timeline, &dungeon__pool_monsters, handle);
}
/// The entity, or NULL if the handle is stale.
static inline const dungeon_monster *dungeon_get_monsters(const dungeon_state *state, kifu_handle handle)
{
    return (const dungeon_monster *)kifu__pool_get(state, &dungeon__pool_monsters, handle);
}
/// The entity after `previous`; after KIFU_NO_HANDLE the first; after the last KIFU_NO_HANDLE.
static inline kifu_handle dungeon_next_monsters(const dungeon_state *state, kifu_handle previous)
"""

# A member that lies within one word of the journal, one that does not, an array, and what lies in an entity.
_EDITS = """\
static inline dungeon_cell *dungeon_edit_monsters_at(kifu_timeline *timeline, kifu_handle handle)
{
    return (dungeon_cell *)kifu__edit_word(timeline, &dungeon__at_monsters(timeline, handle)->at);
}
""", """\
static inline dungeon_cell *dungeon_edit_marks_at(kifu_timeline *timeline, kifu_handle handle)
{
    return (dungeon_cell *)kifu__edit(timeline, &dungeon__at_marks(timeline, handle)->at, sizeof(dungeon_cell));
}
""", """\
/// All 4 of `monsters.path`.
static inline dungeon_cell *dungeon_edit_monsters_path_all(kifu_timeline *timeline, kifu_handle handle)
{
    return (dungeon_cell *)kifu__edit(timeline, dungeon__at_monsters(timeline, handle)->path, 4 * sizeof(dungeon_cell));
}
""", """\
static inline uint8_t *dungeon_edit_monsters_path_x(kifu_timeline *timeline, kifu_handle handle, uint32_t index)
{
    return (uint8_t *)kifu__edit_word(timeline, &dungeon__at_monsters_path(timeline, handle, index)->x);
}
"""

_SUPERSEDED = """\
/// Of the second.
///
/// Superseded by saga.PGo: only an upcast function submits it.
///
/// If a pointer is NULL, the field is absent (an optional number is null, a struct is all zeros).
kifu_ticket saga_submit_p_move(kifu_timeline *timeline, int player, uint8_t from, uint8_t to, uint16_t amount,
                               const char *note);

/// What an old saga.PMove is now: submits one saga.PGo. Called when a save is loaded; it may use nothing but the old
/// event, its kifu_player and its kifu_rules_version.
kifu_result saga_upcast_p_move(kifu_timeline *timeline, const saga_p_move *move);
"""

_SHARED = """\
/// Types of units.fbs, the same for each game that includes it.
/// Generated by kifuc from units.fbs: change that file, not this one.
#ifndef KIFU__UNITS_AF71228D_H
#define KIFU__UNITS_AF71228D_H
"""

_INCLUDES = """\
#include "realms/state.h"
#include "realms/shared/combat/combat_e_strike.h"
#include "realms/shared/combat/combat_ammo_e_loot.h"
#include "realms/shared/combat/combat_blow.h"
#include "realms/shared/combat/combat_ammo_http_arrow.h"
#include "realms/e_reset_game.h"
#include "realms/e_initialize.h"
#include "realms/p_move_unit.h"
#include "realms/combat_e_strike.h"
#include "realms/combat_ammo_e_loot.h"
#include "realms/e_loot.h"
#include "realms/view.h"
"""

# Of sources.

_ADDERS = """\
static void everything__add_strings(kifu_timeline *timeline, uint32_t ref, const char *const *strings, uint32_t count)
{
    if (!strings) {
        kifu__submit_vector(timeline, ref, NULL, count, 4, 4); // Absent; or, with a count, an error.
        return;
    }
    uint32_t at = kifu__submit_references(timeline, ref, count);
    for (uint32_t i = 0; i < count; i++)
        kifu__submit_string(timeline, at + 4 * i, strings[i]);
}

static void everything__add_charm(kifu_timeline *timeline, uint32_t ref, const everything_charm_args *args);
static void everything__add_item(kifu_timeline *timeline, uint32_t ref, const everything_item_args *args);
static void everything__add_item_vector(kifu_timeline *timeline, uint32_t ref, const everything_item_args *args,
                                        uint32_t count);
""", """\
static void everything__add_item_vector(kifu_timeline *timeline, uint32_t ref, const everything_item_args *args,
                                        uint32_t count)
{
    if (!args) {
        kifu__submit_vector(timeline, ref, NULL, count, 4, 4); // Absent; or, with a count, an error.
        return;
    }
    uint32_t at = kifu__submit_references(timeline, ref, count);
    for (uint32_t i = 0; i < count; i++)
        everything__add_item(timeline, at + 4 * i, &args[i]);
}
"""

_ADDER = """\
static void everything__add_charm(kifu_timeline *timeline, uint32_t ref, const everything_charm_args *args)
{
    if (!args)
        return;
"""

_STRUCTS = """\
    everything_p_structs structs = {.timeline = timeline_};
    if (from)
        structs.from = *from;
    if (to)
        structs.to = *to;
    if (player_)
        structs.player = *player_;
    return kifu__submit(timeline, EVERYTHING_P_STRUCTS, player, &structs, sizeof structs);
""", """\
    *structs = (everything_p_structs){.timeline = timeline_};
    if (from)
        structs->from = *from;
    if (to)
        structs->to = *to;
    if (player_)
        structs->player = *player_;
    return everything__play_p_structs(timeline, structs);
"""

_DIRECTLY = """\
    const void *state = kifu__state(timeline);
    if (!kifu__play_look(&everything__types[EVERYTHING_P_NUMBERS], numbers))
        return kifu__play_refuse(timeline, &everything__types[EVERYTHING_P_NUMBERS], numbers, kifu_accept());
    const kifu_verdict verdict = everything_check_p_numbers(timeline, state, numbers);
    if (!kifu__play_look(&everything__types[EVERYTHING_P_NUMBERS], numbers) ||
        !kifu__play_accept(timeline, &everything__types[EVERYTHING_P_NUMBERS], numbers, verdict))
        return kifu__play_refuse(timeline, &everything__types[EVERYTHING_P_NUMBERS], numbers, verdict);
    const kifu_result result = everything_do_p_numbers(timeline, state, numbers);
    return kifu__play_end(timeline, result);
""", """\
    everything_p_numbers *numbers = kifu__play_open(timeline, &everything__types[EVERYTHING_P_NUMBERS], player);
    const everything_p_numbers_args defaults = everything_p_numbers_defaults();
    if (!args)
        args = &defaults;
    if (!numbers) {
        everything_submit_p_numbers(timeline, player, args);
        return kifu_run(timeline);
    }
"""

_CLEARED = """\
    memset(transient, 0, sizeof(everything_e_move_transient));
    return everything_do_e_move(timeline, state, event, transient);
"""

_SUBJECT_CALLS = """\
    switch (type) {
    case DUNGEON_P_WALK:
        dungeon_subjects_p_walk(timeline, state, event, (dungeon_p_walk_subjects *)subjects);
        break;
    case DUNGEON_E_STRIKE:
        dungeon_subjects_e_strike(timeline, state, event, (dungeon_e_strike_subjects *)subjects);
        break;
    case DUNGEON_E_CURSE:
        dungeon_subjects_e_curse(timeline, state, event, (dungeon_e_curse_subjects *)subjects);
        break;
    default:
        break;
    }
"""

_RULES = """\
    .scopes = dungeon__scopes,
    .scope_count = 4,
    .tags = dungeon__tags,
    .tag_count = 3,
    .turns = &dungeon__turns,
    .subjects = dungeon__name_subjects,
    .check = dungeon__check,
"""

_UPCASTS = """\
// Superseded: the game's own code never sees one.
enum {
    SAGA_P_TAKE = 3,
    SAGA_E_OVER = 4,
    SAGA_P_MOVE = 5,
};
""", """\
    switch (type) {
    case SAGA_P_TAKE:
        return saga_upcast_p_take(timeline, event);
    case SAGA_E_OVER:
        return saga_upcast_e_over(timeline, event);
    case SAGA_P_MOVE:
        return saga_upcast_p_move(timeline, event);
    default:
        return KIFU_UNKNOWN_EVENT;
    }
"""

_HIDDEN = ["""\
// --- What is hidden -------------------------------------------------------------------------------------------------

static void vault__mask(const void *of, int viewer, void *to)
{
    const vault_state *state = of;
    vault_state *seen = to;
    for (uint32_t hand = 0; hand < VAULT_HANDS_COUNT; hand++) {
        for (uint32_t card = 0; card < VAULT_HAND_CARDS_COUNT; card++) {
            if (!vault_sees_hands_cards_kind(state, hand, card, viewer))
                seen->hands[hand].cards[card].kind = 0;
        }
    }
""", """\
    for (uint32_t hand = 0; hand < VAULT_HANDS_COUNT; hand++)
        seen->hands[hand].key = 0;
    for (uint32_t hand = 0; hand < VAULT_HANDS_COUNT; hand++)
        memset(seen->hands[hand].note, 0, sizeof seen->hands[hand].note);
""", """\
    if (!vault_sees_goal(state, viewer))
        seen->goal = 0;
    if (!vault_sees_spot(state, viewer))
        memset(&seen->spot, 0, sizeof seen->spot);
""", """\
    seen->other = (kifu_rng){.increment = seen->other.increment != 0};
}
""", """\
            for (uint32_t mark = 0; mark < VAULT_CARD_MARKS_COUNT; mark++, value++) {
                if (vault_sees_hands_cards_marks(state, hand, card, mark, viewer))
                    bits[value / 64] |= UINT64_C(1) << value % 64;
            }
""", """\
void vault_seen(const vault_state *state, int viewer, vault_state *seen)
{
    *seen = *state;
    seen->game.rng = (kifu_rng){.increment = state->game.rng.increment != 0};
    vault__mask(state, viewer, seen);
}
""", """\
        .dimensions = (const kifu__dimension[]){{2, 56}, {5, 8}, {3, 2}},
        .dimension_count = 3,
        .first = 10,
    },
""", """\
    {.field = "goal", .offset = 360, .size = 1, .first = 80},
""", """\
static const kifu__seen_by vault__seen_by[9] = {
    [VAULT_E_DEAL] = {.kind = 2, .scalar = KIFU__I8, .offset = offsetof(vault_e_deal, to)},
    [VAULT_P_CHOOSE] = {.kind = 1},
};
""", "        .secrecy = KIFU__CONCEALED,\n", "    .hiding = &vault__hiding,\n    .attach = kifu__attach_revealing,\n"]
_SEES = """\
/// The game writes this: whether `viewer`, a player's number or -1 for a spectator, sees this `hands.cards.kind`. It
/// may use nothing but its arguments.
bool vault_sees_hands_cards_kind(const vault_state *state, uint32_t hand, uint32_t card, int viewer);

"""

EXCERPTS = {
    "vault/vault.c": _HIDDEN,
    "vault/vault/state.h": [_SEES, "void vault_seen(const vault_state *state, int viewer, vault_state *seen);\n"],
    "everything/everything/state.h": [_ENUMS, _NAMES, _STRUCT],
    "everything/everything/item.h": [_TABLE, *_VECTORS, _ARGUMENTS],
    "everything/everything/charm.h": ["    args.power = 1.5;\n    args.side = EVERYTHING_SIDE_RIGHT;\n"],
    "everything/everything/p_structs.h": [_COMMENT, _LIST],
    "everything/everything/e_move.h": [_TRANSIENT,
                                       "                                 everything_e_move_transient *transient);\n"],
    "everything/everything/view.h": ["typedef struct everything_e_move_transient everything_e_move_transient;\n"],
    "everything/everything.c": [*_ADDERS, _ADDER, *_STRUCTS, *_DIRECTLY, _CLEARED, "    .max_players = 4,\n",
                                "    .list = everything__list,\n"],
    "dungeon/dungeon.c": [_SUBJECT_CALLS, _RULES],
    "saga/saga.c": [*_UPCASTS, "    .upcast = saga__upcast,\n    .upcasting = &kifu__upcasting,\n"],
    "dungeon/dungeon/state.h": [_TAGS, _POOL, *_EDITS],
    "dungeon/dungeon/e_strike.h": [_SUBJECTS[0]],
    "dungeon/dungeon/e_curse.h": [_SUBJECTS[1]],
    "saga/saga/p_move.h": [_SUPERSEDED],
    "saga/saga/e_over.h": ["/// What an old saga.EOver is now: submits one kifu.EEndGame. "],
    "realms/realms/shared/units.h": [_SHARED],
    "realms/realms/shared/combat/combat_e_strike.h": ['#include <kifu/kifu.h>\n\n#include "../units.h"\n'],
    "realms/realms/shared/combat.h": ["static inline const char *combat_mood_name(combat_mood value)\n"],
    "realms/realms.h": [_INCLUDES],
}


class Excerpts(unittest.TestCase):
    maxDiff = None

    def test_what_the_golden_game_has_not(self):
        with tempfile.TemporaryDirectory(prefix="kifu-excerpts-") as folder:
            for game in sorted({path.split("/")[0] for path in EXCERPTS}):
                self.assertEqual((0, ""), tools.generate(game, os.path.join(folder, game)))
            for path, pieces in EXCERPTS.items():
                text = tools.read(os.path.join(folder, path)).decode()
                for piece in pieces:
                    with self.subTest(path=path):
                        self.assertTrue(piece in text, "%s has not:\n%s" % (path, piece))
