/// Tables: what each kind of being can do, what each kind of item is for, what the levels are like.
#ifndef KINDS_H
#define KINDS_H

#include <stdbool.h>
#include <stdint.h>

#include "dungeon.h"

enum {
    KIND_COUNT = DUNGEON_KIND_TROLL + 1,
    THING_COUNT = DUNGEON_THING_AMULET + 1,
    TILE_COUNT = DUNGEON_TILE_STAIRS + 1,
    LEVEL_COUNT = 3
};

typedef struct being_kind {
    const char *name;
    char letter;
    int16_t hp;
    int16_t skill;  ///< Hits in so many of 100 cases.
    int16_t damage; ///< At most.
    int32_t speed;  ///< 100: one action in each game turn.
    uint8_t alert;  ///< Wakes up when the hero is in sight and at most so many steps away.
    uint8_t level;  ///< Lives on this level and below; 0: nowhere.
    bool hands;     ///< Opens doors, picks up and uses items.
    bool flies;
    bool casts; ///< Knows the spark by heart.
} being_kind;

typedef enum item_use { USE_NOTHING, USE_DRINK, USE_CAST, USE_WEAPON, USE_ARMOUR } item_use;

typedef struct item_kind {
    const char *name;
    const char *text; ///< What it is for, in a few words.
    char letter;
    item_use use;
    dungeon_spell spell; ///< USE_CAST.
    int16_t skill;       ///< USE_WEAPON: what it adds.
    int16_t damage;
    int16_t protection; ///< USE_ARMOUR: damage that it takes away.
    uint8_t share;      ///< How often it is found: so many shares of all.
} item_kind;

typedef struct tile_kind {
    const char *name;
    char letter;
    bool open;   ///< One can walk there.
    bool opaque; ///< One cannot see through.
} tile_kind;

typedef struct level_kind {
    const char *name;
    const char *text; ///< What is special about it.
    uint8_t monsters;
    uint8_t items;
} level_kind;

extern const being_kind beings[KIND_COUNT];
extern const item_kind things[THING_COUNT];
extern const tile_kind tiles[TILE_COUNT];
extern const level_kind levels[LEVEL_COUNT + 1]; ///< From 1.

enum {
    HEALING_HP = 15,
    FIRE_LEAST = 8,
    FIRE_MOST = 12,
    SPARK_LEAST = 1,
    SPARK_MOST = 4,
    HASTE_TURNS = 20,
    AMBUSH_TURNS = 20,
    AMBUSH_AGAIN_TURNS = 130,
    PACK_SIZE = 8
};

#endif
