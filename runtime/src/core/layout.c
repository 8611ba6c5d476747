// What kifu.fbs and kifu_turns.fbs declare and the headers define: where the members lie, as kifuc computes it, too,
// and the descriptions of the structs of kifu.fbs, for the descriptions of games.

#include <kifu/kifu.h>
#include <stddef.h>

_Static_assert(sizeof(kifu_rng) == 16, "size of kifu_rng");
_Static_assert(offsetof(kifu_rng, state) == 0, "offset of kifu_rng.state");
_Static_assert(offsetof(kifu_rng, increment) == 8, "offset of kifu_rng.increment");

_Static_assert(sizeof(kifu_player_info) == 8, "size of kifu_player_info");
_Static_assert(offsetof(kifu_player_info, color) == 0, "offset of kifu_player_info.color");
_Static_assert(offsetof(kifu_player_info, position) == 4, "offset of kifu_player_info.position");

_Static_assert(sizeof(kifu_game) == 168, "size of kifu_game");
_Static_assert(offsetof(kifu_game, rng) == 0, "offset of kifu_game.rng");
_Static_assert(offsetof(kifu_game, players) == 16, "offset of kifu_game.players");
_Static_assert(offsetof(kifu_game, order) == 144, "offset of kifu_game.order");
_Static_assert(offsetof(kifu_game, player_count) == 160, "offset of kifu_game.player_count");
_Static_assert(offsetof(kifu_game, turn) == 161, "offset of kifu_game.turn");
_Static_assert(offsetof(kifu_game, phase) == 162, "offset of kifu_game.phase");
_Static_assert(offsetof(kifu_game, round) == 164, "offset of kifu_game.round");

_Static_assert(sizeof(kifu_turns) == 12, "size of kifu_turns");
_Static_assert(offsetof(kifu_turns, turn) == 0, "offset of kifu_turns.turn");
_Static_assert(offsetof(kifu_turns, cost) == 4, "offset of kifu_turns.cost");
_Static_assert(offsetof(kifu_turns, current) == 8, "offset of kifu_turns.current");

_Static_assert(sizeof(kifu_slot) == 2, "size of kifu_slot");
_Static_assert(offsetof(kifu_slot, generation) == 0, "offset of kifu_slot.generation");

_Static_assert(sizeof(kifu_actor) == 8, "size of kifu_actor");
_Static_assert(offsetof(kifu_actor, energy) == 0, "offset of kifu_actor.energy");
_Static_assert(offsetof(kifu_actor, speed) == 4, "offset of kifu_actor.speed");

_Static_assert(sizeof(kifu_timer) == 16, "size of kifu_timer");
_Static_assert(offsetof(kifu_timer, slot) == 0, "offset of kifu_timer.slot");
_Static_assert(offsetof(kifu_timer, turn) == 4, "offset of kifu_timer.turn");
_Static_assert(offsetof(kifu_timer, event) == 8, "offset of kifu_timer.event");
_Static_assert(offsetof(kifu_timer, key) == 12, "offset of kifu_timer.key");

_Static_assert(sizeof(kifu_e_reset_game) == 4, "size of kifu_e_reset_game");
_Static_assert(offsetof(kifu_e_reset_game, vtable_) == 0, "offset of kifu_e_reset_game.vtable_");

_Static_assert(sizeof(kifu_e_add_player) == 12, "size of kifu_e_add_player");
_Static_assert(offsetof(kifu_e_add_player, vtable_) == 0, "offset of kifu_e_add_player.vtable_");
_Static_assert(offsetof(kifu_e_add_player, color) == 4, "offset of kifu_e_add_player.color");
_Static_assert(offsetof(kifu_e_add_player, position) == 8, "offset of kifu_e_add_player.position");

_Static_assert(sizeof(kifu_e_initialize) == 16, "size of kifu_e_initialize");
_Static_assert(offsetof(kifu_e_initialize, vtable_) == 0, "offset of kifu_e_initialize.vtable_");
_Static_assert(offsetof(kifu_e_initialize, has_seed) == 4, "offset of kifu_e_initialize.has_seed");
_Static_assert(offsetof(kifu_e_initialize, starting_player) == 5, "offset of kifu_e_initialize.starting_player");
_Static_assert(offsetof(kifu_e_initialize, seed) == 8, "offset of kifu_e_initialize.seed");

_Static_assert(sizeof(kifu_e_start_round) == 4, "size of kifu_e_start_round");
_Static_assert(offsetof(kifu_e_start_round, vtable_) == 0, "offset of kifu_e_start_round.vtable_");

_Static_assert(sizeof(kifu_e_end_game) == 4, "size of kifu_e_end_game");
_Static_assert(offsetof(kifu_e_end_game, vtable_) == 0, "offset of kifu_e_end_game.vtable_");

_Static_assert(sizeof(kifu_e_begin_turn) == 4, "size of kifu_e_begin_turn");
_Static_assert(offsetof(kifu_e_begin_turn, vtable_) == 0, "offset of kifu_e_begin_turn.vtable_");

_Static_assert(sizeof(kifu_e_spend_energy) == 12, "size of kifu_e_spend_energy");
_Static_assert(offsetof(kifu_e_spend_energy, vtable_) == 0, "offset of kifu_e_spend_energy.vtable_");
_Static_assert(offsetof(kifu_e_spend_energy, actor) == 4, "offset of kifu_e_spend_energy.actor");
_Static_assert(offsetof(kifu_e_spend_energy, cost) == 8, "offset of kifu_e_spend_energy.cost");

_Static_assert(sizeof(kifu_e_schedule) == 20, "size of kifu_e_schedule");
_Static_assert(offsetof(kifu_e_schedule, vtable_) == 0, "offset of kifu_e_schedule.vtable_");
_Static_assert(offsetof(kifu_e_schedule, turn) == 4, "offset of kifu_e_schedule.turn");
_Static_assert(offsetof(kifu_e_schedule, key) == 8, "offset of kifu_e_schedule.key");
_Static_assert(offsetof(kifu_e_schedule, event) == 12, "offset of kifu_e_schedule.event");
_Static_assert(offsetof(kifu_e_schedule, type) == 16, "offset of kifu_e_schedule.type");
_Static_assert(offsetof(kifu_e_schedule, player) == 17, "offset of kifu_e_schedule.player");

_Static_assert(sizeof(kifu_e_cancel) == 8, "size of kifu_e_cancel");
_Static_assert(offsetof(kifu_e_cancel, vtable_) == 0, "offset of kifu_e_cancel.vtable_");
_Static_assert(offsetof(kifu_e_cancel, key) == 4, "offset of kifu_e_cancel.key");

// --- Descriptions ---------------------------------------------------------------------------------------------------

static const kifu__member kifu_rng__members[] = {
    {.name = "state", .offset = 0, .size = 8, .scalar = KIFU__U64},
    {.name = "increment", .offset = 8, .size = 8, .scalar = KIFU__U64},
};
const kifu__struct kifu_rng__struct = {
    .name = "kifu.Rng",
    .size = 16,
    .align = 8,
    .members = kifu_rng__members,
    .member_count = 2,
};

static const kifu__member kifu_player__members[] = {
    {.name = "color", .offset = 0, .size = 4, .scalar = KIFU__U32},
    {.name = "position", .offset = 4, .size = 1, .scalar = KIFU__U8},
};
const kifu__struct kifu_player__struct = {
    .name = "kifu.Player",
    .size = 8,
    .align = 4,
    .members = kifu_player__members,
    .member_count = 2,
};

static const char *const kifu_phase__labels[] = {"SETUP", "PLAY", "GAME_OVER"};
const kifu__enum kifu_phase__enum = {
    .name = "kifu.Phase",
    .size = 1,
    .low = 0,
    .high = 2,
    .labels = kifu_phase__labels,
    .label_count = 3,
};

static const kifu__member kifu_game__members[] = {
    {.name = "rng", .offset = 0, .size = 16, .structure = &kifu_rng__struct},
    {.name = "players", .offset = 16, .size = 8, .count = 16, .structure = &kifu_player__struct},
    {.name = "order", .offset = 144, .size = 1, .count = 16, .scalar = KIFU__U8},
    {.name = "player_count", .offset = 160, .size = 1, .scalar = KIFU__U8},
    {.name = "turn", .offset = 161, .size = 1, .scalar = KIFU__U8},
    {.name = "phase", .offset = 162, .size = 1, .scalar = KIFU__U8, .values = &kifu_phase__enum},
    {.name = "round", .offset = 164, .size = 4, .scalar = KIFU__U32},
};
static const kifu__check kifu_game__checks[] = {
    {.field = "phase", .values = &kifu_phase__enum, .offset = 162, .count = 1, .stride = 1},
};
const kifu__struct kifu_game__struct = {
    .name = "kifu.Game",
    .size = 168,
    .align = 8,
    .checks = kifu_game__checks,
    .check_count = 1,
    .members = kifu_game__members,
    .member_count = 7,
};
