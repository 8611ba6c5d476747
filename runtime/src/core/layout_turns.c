// The descriptions of the structs of kifu_turns.fbs, and of slots. Apart from core/layout.c, because the names of a
// file are linked as one.

#include <kifu/kifu.h>

static const kifu__member kifu_turns__members[] = {
    {.name = "turn", .offset = 0, .size = 4, .scalar = KIFU__U32},
    {.name = "cost", .offset = 4, .size = 4, .scalar = KIFU__U32},
    {.name = "current", .offset = 8, .size = 4, .scalar = KIFU__U32},
};
const kifu__struct kifu_turns__struct = {
    .name = "kifu.Turns",
    .size = 12,
    .align = 4,
    .members = kifu_turns__members,
    .member_count = 3,
};

static const kifu__member kifu_slot__members[] = {
    {.name = "generation", .offset = 0, .size = 2, .scalar = KIFU__U16},
};
const kifu__struct kifu_slot__struct = {
    .name = "kifu.Slot",
    .size = 2,
    .align = 2,
    .members = kifu_slot__members,
    .member_count = 1,
};

static const kifu__member kifu_actor__members[] = {
    {.name = "energy", .offset = 0, .size = 4, .scalar = KIFU__I32},
    {.name = "speed", .offset = 4, .size = 4, .scalar = KIFU__I32},
};
const kifu__struct kifu_actor__struct = {
    .name = "kifu.Actor",
    .size = 8,
    .align = 4,
    .members = kifu_actor__members,
    .member_count = 2,
};

static const kifu__member kifu_timer__members[] = {
    {.name = "slot", .offset = 0, .size = 2, .structure = &kifu_slot__struct},
    {.name = "turn", .offset = 4, .size = 4, .scalar = KIFU__U32},
    {.name = "event", .offset = 8, .size = 4, .scalar = KIFU__U32},
    {.name = "key", .offset = 12, .size = 4, .scalar = KIFU__U32},
};
const kifu__struct kifu_timer__struct = {
    .name = "kifu.Timer",
    .size = 16,
    .align = 4,
    .members = kifu_timer__members,
    .member_count = 4,
};
