// Rules that are made from a schema alone: they describe each game exactly as the generated C does.

#include <string.h>

#include "corridor.h"
#include "crawl.h"
#include "duel.h"
#include "harbour.h"
#include "lab.h"
#include "outside.h"
#include "quay.h"
#include "reversi.h"
#include "json/rules.h"
#include "shapes.h"
#include "suite.h"
#include "tally.h"
#include "vast.h"
#include "wire.h"
#include "wire/buffer.h"
#include "zoo.h"

static const kifu_rules *const games[] = {
    &corridor_rules, &crawl_rules,  &duel_rules,  &harbour_rules, &lab_rules,  &outside_rules, &quay_rules,
    &reversi_rules,  &shapes_rules, &tally_rules, &vast_rules,    &wire_rules, &zoo_rules,
};
enum { GAME_COUNT = sizeof games / sizeof *games };

static const kifu_rules *make(kifu__arena *arena, const kifu_rules *game)
{
    const kifu__identity identity = {game->name, game->union_name, game->rules_version, game->fingerprint};
    const kifu_rules *made;
    kifu_error error;
    ck_assert_msg(!kifu__make_rules(arena, game->bfbs, game->bfbs_size, &identity, UINT64_MAX, &made, &error), "%s: %s",
                  game->name, error.message);
    return made;
}

// Of values that an enum has, and all near them, the same are valid and have the same names.
static void same_enums(const kifu__enum *a, const kifu__enum *b)
{
    ck_assert_int_eq(!a, !b);
    if (!a)
        return;
    ck_assert_str_eq(a->name, b->name);
    ck_assert_uint_eq(a->size, b->size);
    ck_assert_int_eq(a->is_signed, b->is_signed);
    ck_assert_uint_eq(a->label_count, b->label_count);
    for (uint32_t i = 0; i < a->label_count; i++)
        ck_assert_str_eq(a->labels[i], b->labels[i]);
    if (!strcmp(a->name, "bool"))
        return;
    for (uint32_t i = 0; i < a->label_count; i++) {
        const uint64_t value = a->bit_flags ? UINT64_MAX : a->values ? (uint64_t)a->values[i] : (uint64_t)a->low + i;
        const char *one = kifu__label_of(a, value), *other = kifu__label_of(b, value);
        ck_assert_int_eq(!one, !other);
        ck_assert(!one || !strcmp(one, other));
    }
    if (a->bit_flags)
        ck_assert(b->bit_flags && a->mask == b->mask);
}

static void same_structs(const kifu__struct *a, const kifu__struct *b, bool of_event)
{
    ck_assert_int_eq(!a, !b);
    if (!a)
        return;
    ck_assert_str_eq(a->name, b->name);
    ck_assert_uint_eq(a->size, b->size);
    ck_assert_uint_eq(a->align, b->align);
    ck_assert_uint_eq(a->member_count, b->member_count);
    for (uint32_t i = 0; i < a->member_count; i++) {
        const kifu__member *one = &a->members[i], *other = &b->members[i];
        ck_assert_str_eq(one->name, other->name);
        ck_assert_uint_eq(one->offset, other->offset);
        ck_assert_uint_eq(one->size, other->size);
        ck_assert_uint_eq(one->count, other->count);
        ck_assert_int_eq(one->pool, other->pool);
        if (!one->structure)
            ck_assert_uint_eq(one->scalar, other->scalar);
        same_enums(one->values, other->values);
        same_structs(one->structure, other->structure, false);
    }
    if (!of_event)
        return;
    ck_assert_uint_eq(a->check_count, b->check_count);
    for (uint32_t i = 0; i < a->check_count; i++)
        ck_assert_str_eq(a->checks[i].field, b->checks[i].field);
}

static void same_checks(const kifu__table *a, const kifu__table *b)
{
    ck_assert_uint_eq(a->check_count, b->check_count);
    for (uint32_t i = 0; i < a->check_count; i++) {
        const kifu__check *one = &a->checks[i], *other = &b->checks[i];
        ck_assert_str_eq(one->field, other->field);
        ck_assert_uint_eq(one->offset, other->offset);
        ck_assert_uint_eq(one->count, other->count);
        ck_assert_uint_eq(one->stride, other->stride);
        same_enums(one->values, other->values);
    }
}

static void same_tables(const kifu__table *a, const kifu__table *b, int depth)
{
    ck_assert_int_eq(!a, !b);
    if (!a || depth > 4)
        return;
    ck_assert_str_eq(a->name, b->name);
    ck_assert_uint_eq(a->size, b->size);
    ck_assert_uint_eq(a->align, b->align);
    ck_assert_int_eq(a->flat, b->flat);
    ck_assert_uint_eq(a->field_count, b->field_count);
    ck_assert(!memcmp(a->vtable, b->vtable, a->vtable[0]));
    for (uint32_t id = 0; id < a->field_count; id++) {
        const kifu__field *one = &a->fields[id], *other = &b->fields[id];
        ck_assert_str_eq(one->name, other->name);
        ck_assert_uint_eq(one->kind, other->kind);
        ck_assert_uint_eq(one->align, other->align);
        ck_assert_uint_eq(one->size, other->size);
        ck_assert_uint_eq(one->offset, other->offset);
        ck_assert_uint_eq(one->has, other->has);
        ck_assert_int_eq(one->required, other->required);
        ck_assert_uint_eq(one->scalar, other->scalar);
        if (one->kind != KIFU__STRING && one->kind != KIFU__STRING_VECTOR) // A tool takes any bytes for text.
            ck_assert_uint_eq(one->default_bits, other->default_bits);
        same_enums(one->values, other->values);
        same_structs(one->structure, other->structure, one->offset != 0);
        same_tables(one->table, other->table, depth + 1);
    }
    same_checks(a, b);
}

START_TEST(K01_a_schema_describes_a_game_as_its_generated_code_does)
{
    for (int i = 0; i < GAME_COUNT; i++) {
        const kifu_rules *game = games[i];
        kifu__arena arena = {0};
        const kifu_rules *made = make(&arena, game);
        ck_assert_str_eq(made->name, game->name);
        ck_assert_uint_eq(made->type_count, game->type_count);
        ck_assert_uint_eq(made->state_size, game->state_size);
        ck_assert_msg(made->vtables_size == game->vtables_size &&
                          !memcmp(made->vtables, game->vtables, game->vtables_size),
                      "%s", game->name);
        same_structs(made->state, game->state, false);
        for (uint32_t type = 1; type <= game->type_count; type++) {
            const kifu__type *one = &game->types[type], *other = &made->types[type];
            same_tables(one->table, other->table, 0);
            if (one->superseded_by) // Its attributes are about new events.
                continue;
            ck_assert_int_eq(one->is_player, other->is_player);
            ck_assert_int_eq(one->id, other->id);
            ck_assert_int_eq(one->align, other->align);
            ck_assert_int_eq(one->size, other->size);
            ck_assert_uint_eq(one->vtable_at, other->vtable_at);
            ck_assert_uint_eq(one->flags, other->flags);
            ck_assert_int_eq(one->has_check, other->has_check);
            ck_assert_int_eq(one->never_undoable, other->never_undoable);
        }
        ck_assert_int_eq(!made->turns, !game->turns);
        if (game->turns) {
            const kifu__turn_rules *one = game->turns, *other = made->turns;
            ck_assert_int_eq(!one->actors, !other->actors);
            ck_assert_int_eq(!one->timers, !other->timers);
            ck_assert(!one->actors ||
                      (one->actors->offset == other->actors->offset && one->actors->stride == other->actors->stride &&
                       one->actors->count == other->actors->count));
            ck_assert_uint_eq(one->actor_offset, other->actor_offset);
            ck_assert_uint_eq(one->turns_offset, other->turns_offset);
            ck_assert_uint_eq(one->begin_turn, other->begin_turn);
            ck_assert_uint_eq(one->spend_energy, other->spend_energy);
            ck_assert_uint_eq(one->schedule, other->schedule);
        }
        kifu__arena_free(&arena);
    }
}
END_TEST

// Whatever bytes a schema has, it gives rules or is refused.
START_TEST(K09_no_schema_is_trusted)
{
    const unsigned long steps = fuzz_steps(20000);
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 1);
    unsigned char *bytes = (unsigned char *)malloc(1 << 16);
    unsigned long made_some = 0, refused = 0;
    for (unsigned long step = 0; step < steps; step++) {
        const kifu_rules *game = games[kifu_rng_below(&rng, GAME_COUNT)];
        const uint32_t size = game->bfbs_size < 1 << 16 ? game->bfbs_size : 1 << 16;
        memcpy(bytes, game->bfbs, size);
        for (uint32_t i = kifu_rng_below(&rng, 4); i < 4; i++) {
            const uint32_t at = kifu_rng_below(&rng, size);
            bytes[at] = kifu_rng_below(&rng, 2) ? (unsigned char)kifu_rng_next(&rng) : (unsigned char)(bytes[at] + 1);
        }
        const kifu__identity identity = {game->name, game->union_name, 1, 0};
        kifu__arena arena = {0};
        const kifu_rules *made;
        kifu_error error;
        const kifu_result result =
            kifu__make_rules(&arena, bytes, kifu_rng_below(&rng, 8) ? size : kifu_rng_below(&rng, size + 1), &identity,
                             1 << 26, &made, &error);
        if (result)
            refused++;
        else {
            kifu_timeline *timeline;
            made_some++;
            if (step % 8 == 0 && !kifu_create(made, NULL, &timeline, &error))
                kifu_destroy(timeline);
        }
        kifu__arena_free(&arena);
    }
    ck_assert_uint_gt(made_some, steps / 20);
    ck_assert_uint_gt(refused, steps / 20);
    free(bytes);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        K01_a_schema_describes_a_game_as_its_generated_code_does,
        K09_no_schema_is_trusted,
    };
    return run_suite("schema_rules", tests, sizeof tests / sizeof *tests);
}
