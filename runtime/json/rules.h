/// A game's rules without its code: made from the schema in a save. They describe each event and the state as the
/// generated C does; the Do functions do nothing.
#ifndef KIFU_JSON_RULES_H
#define KIFU_JSON_RULES_H

#include <kifu/detail/rules.h>

#include "base/error.h"

#include "json/arena.h"
#include "json/reflection.h"

/// What a save says of its game. Rules that are made of it point to its strings.
typedef struct kifu__identity {
    const char *game;
    const char *union_name;
    uint32_t rules_version;
    uint64_t fingerprint;
} kifu__identity;

/// Makes rules from a .bfbs, which is copied. `most_state`: the most bytes that a state may have. KIFU_DAMAGED,
/// KIFU_TOO_LARGE: the schema is broken, or none that Kifu writes. KIFU_NO_MEMORY.
kifu_result kifu__make_rules(kifu__arena *arena, const void *bfbs, uint32_t size, const kifu__identity *identity,
                             uint64_t most_state, const kifu_rules **rules, kifu_error *error);

// --- For rules.c and rules_tables.c ----------------------------------------------------------------------------------

typedef struct kifu__maker {
    kifu__arena *arena;
    const kifu__r_schema *schema;
    uint32_t object_count, enum_count;
    kifu__struct *structs;  ///< By the number of their object, filled in when they are needed:
    uint8_t *struct_states; ///< 0: not yet, 1: at work, 2: made.
    kifu__table *tables;    ///< By the number of their object.
    uint32_t *table_aligns; ///< Of their inline part.
    uint8_t *is_listed;     ///< The table is in `order`.
    uint32_t *order;        ///< Numbers of tables: events in the union's order, then what they lead to.
    uint32_t order_count;
    kifu__enum *enums;
    uint8_t *enum_states;
    uint32_t depth;
    uint32_t check_count; ///< Of all structs and tables.
    kifu_error *error;
    kifu_result result;
} kifu__maker;

/// Remembers the first failure. False.
bool kifu__maker_fail(kifu__maker *maker, const char *format, ...) KIFU__PRINTF(2, 3);

/// The same of KIFU_NO_MEMORY. False.
bool kifu__maker_no_memory(kifu__maker *maker);

/// Zeroed bytes in the arena; NULL without memory, which is remembered as the failure.
void *kifu__maker_new(kifu__maker *maker, size_t count, size_t size);

/// What a value is that lies inline: a scalar, an enum or a struct.
typedef struct kifu__inline {
    uint32_t size, align;
    uint8_t scalar;
    const kifu__enum *values; ///< Of a bool NULL.
    const kifu__struct *structure;
} kifu__inline;

/// False: `base` is no such thing, or something is wrong with it.
bool kifu__make_inline(kifu__maker *maker, uint32_t base, int32_t index, kifu__inline *made);

/// The struct that is object number `index`, which is one. NULL: something is wrong with it.
const kifu__struct *kifu__make_struct(kifu__maker *maker, uint32_t index);

/// The fields of an object by their ids. NULL: these are not 0, 1, 2, …
const kifu__r_field **kifu__fields_by_id(kifu__maker *maker, const kifu__r_object *object);

/// The enum of bools, for checks.
extern const kifu__enum kifu__bools;

/// A list of checks that grows.
typedef struct kifu__check_list {
    kifu__check *items;
    uint32_t count, capacity;
} kifu__check_list;

/// Adds those of `count` values. `path`: of the first.
bool kifu__add_checks(kifu__maker *maker, kifu__check_list *list, const char *path, const kifu__inline *type,
                      uint32_t offset, uint32_t count);

/// Fills in those of a struct in an event.
bool kifu__make_checks(kifu__maker *maker, const kifu__struct *structure);

/// Lays out all tables of `order`, and what those lead to, which it adds. `vtables` and their size in bytes are the
/// block that segments contain.
bool kifu__make_tables(kifu__maker *maker, const uint16_t **vtables, uint32_t *vtables_size);

/// The attributes of an event: its flags and who makes it happen.
void kifu__read_attributes(const kifu_ref *attributes, kifu__type *type);

#endif
