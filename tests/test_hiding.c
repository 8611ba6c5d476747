// What kifuc makes of a schema that hides something: masks, which values are visible, who sees the fields of events.

#include <string.h>

#include "duel.h"
#include "rules.h"
#include "suite.h"
#include "vault.h"

// --- The description of what is hidden, read by itself
// ----------------------------------------------------------------

// Calls `visit` for each value of a field, in the order of their numbers.
static void each_value(const kifu__hidden_field *field,
                       void (*visit)(void *, const kifu__hidden_field *, uint32_t, size_t), void *context)
{
    uint32_t count = 1;
    for (uint32_t i = 0; i < field->dimension_count; i++)
        count *= field->dimensions[i].count;
    for (uint32_t number = 0; number < count; number++) {
        size_t at = field->offset;
        uint32_t left = number;
        for (uint32_t i = field->dimension_count; i-- > 0; left /= field->dimensions[i].count)
            at += (size_t)(left % field->dimensions[i].count) * field->dimensions[i].stride;
        visit(context, field, field->first + number, at);
    }
}

typedef struct masked {
    unsigned char *state;
    const uint64_t *bits;
    uint32_t values;
} masked;

static void clear(void *context, const kifu__hidden_field *field, uint32_t number, size_t at)
{
    masked *masked = context;
    masked->values += !field->secret;
    const bool rng = field->size == sizeof(kifu_rng) && strcmp(field->field, "other") == 0;
    if (field->secret || !(masked->bits[number / 64] >> number % 64 & 1))
        memset(masked->state + at, 0, field->size);
    if (rng)
        ((kifu_rng *)(void *)(masked->state + at))->increment = 1;
}

// The mask, from what the rules describe: not from the generated function.
static void mask_by_description(const kifu_rules *rules, const void *state, int viewer, void *seen)
{
    uint64_t bits[8] = {0};
    const kifu__hiding *hiding = rules->hiding;
    ck_assert_uint_le(hiding->value_count, 512);
    hiding->visible(state, viewer, bits);
    memcpy(seen, state, rules->state_size);
    ((kifu_game *)seen)->rng = (kifu_rng){.increment = 1};
    masked masked = {.state = seen, .bits = bits};
    for (uint32_t i = 0; i < hiding->field_count; i++)
        each_value(&hiding->fields[i], clear, &masked);
    ck_assert_uint_eq(masked.values, hiding->value_count);
    for (uint32_t i = hiding->value_count; i < 512; i++)
        ck_assert_msg(!(bits[i / 64] >> i % 64 & 1), "value %u is none", i);
}

// --- A state full of secrets -----------------------------------------------------------------------------------------

static uint32_t next(uint32_t *seed)
{
    return *seed = *seed * 1664525 + 1013904223;
}

static void fill_card(vault_card *card, uint32_t *seed)
{
    *card = (vault_card){.kind = (vault_kind)(1 + (next(seed) >> 16) % 3), .open = (next(seed) >> 16) % 3 == 0};
    for (uint32_t i = 0; i < 3; i++)
        card->marks[i] = (int16_t)(1 + (next(seed) >> 20));
}

static vault_state full_state(uint32_t seed)
{
    vault_state state;
    memset(&state, 0, sizeof state);
    state.game.rng = (kifu_rng){.state = 99, .increment = 77};
    state.game.round = 5;
    for (uint32_t hand = 0; hand < 2; hand++) {
        for (uint32_t card = 0; card < 5; card++)
            fill_card(&state.hands[hand].cards[card], &seed);
        state.hands[hand].key = 1000 + hand;
        memset(state.hands[hand].note, 9, 4);
    }
    for (uint32_t card = 0; card < 10; card++)
        fill_card(&state.deck[card], &seed);
    state.goal = 200;
    state.spot = (vault_spot){.x = 2.5f, .kind = VAULT_KIND_LEAD, .deep = true};
    for (uint32_t guard = 0; guard < 6; guard++) {
        state.guards[guard].slot.generation = (uint16_t)(guard + seed % 2);
        state.guards[guard].strength = (int16_t)(guard + 1);
    }
    state.other = (kifu_rng){.state = 5, .increment = 3};
    return state;
}

START_TEST(W01_the_mask_clears_what_a_viewer_does_not_see_and_nothing_else)
{
    for (uint32_t seed = 0; seed < 200; seed++) {
        const vault_state state = full_state(seed);
        for (int viewer = -1; viewer < 3; viewer++) {
            vault_state seen, expected;
            memset(&seen, 0xee, sizeof seen);
            vault_seen(&state, viewer, &seen);
            mask_by_description(&vault_rules, &state, viewer, &expected);
            ck_assert_mem_eq(&seen, &expected, sizeof seen);
        }
    }
}
END_TEST

START_TEST(W01_each_viewer_sees_what_the_game_says)
{
    const vault_state state = full_state(4);
    vault_state seen[3]; // Of the players 0 and 1, and of a spectator.
    for (int viewer = 0; viewer < 3; viewer++)
        vault_seen(&state, viewer < 2 ? viewer : -1, &seen[viewer]);
    for (uint32_t viewer = 0; viewer < 3; viewer++) {
        ck_assert(seen[viewer].game.rng.state == 0 && seen[viewer].game.rng.increment == 1);
        ck_assert(seen[viewer].other.state == 0 && seen[viewer].other.increment == 1);
        ck_assert_uint_eq(seen[viewer].game.round, 5);
        for (uint32_t hand = 0; hand < 2; hand++) {
            ck_assert_uint_eq(seen[viewer].hands[hand].key, 0);
            ck_assert_mem_eq(seen[viewer].hands[hand].note, "\0\0\0", 4);
            for (uint32_t card = 0; card < 5; card++) {
                const vault_card *is = &state.hands[hand].cards[card], *shown = &seen[viewer].hands[hand].cards[card];
                const bool visible = is->open || hand == viewer;
                ck_assert_uint_eq(shown->kind, visible ? is->kind : VAULT_KIND_NONE);
                ck_assert_int_eq(shown->marks[0], visible ? is->marks[0] : 0);
                ck_assert_int_eq(shown->marks[1], visible ? is->marks[1] : 0);
                ck_assert_int_eq(shown->marks[2], 0);
                ck_assert(shown->open == is->open);
            }
        }
    }
    ck_assert(seen[0].goal == 0 && seen[1].goal == 0 && seen[2].goal == 200);
    ck_assert(seen[0].spot.kind == VAULT_KIND_NONE && seen[1].spot.kind == VAULT_KIND_LEAD && !seen[2].spot.deep);
    for (uint32_t guard = 0; guard < 6; guard++) {
        ck_assert_int_eq(seen[0].guards[guard].strength, state.guards[guard].slot.generation % 2 ? (int)guard + 1 : 0);
        ck_assert_int_eq(seen[1].guards[guard].strength, 0);
        ck_assert_uint_eq(seen[1].guards[guard].slot.generation, state.guards[guard].slot.generation);
    }
}
END_TEST

START_TEST(W01_who_sees_the_hidden_fields_of_an_event)
{
    const kifu__seen_by *seen_by = vault_rules.hiding->seen_by;
    ck_assert_uint_eq(seen_by[VAULT_E_DEAL].kind, 2);
    ck_assert_uint_eq(seen_by[VAULT_E_DEAL].scalar, KIFU__I8);
    ck_assert_uint_eq(seen_by[VAULT_E_DEAL].offset, offsetof(vault_e_deal, to));
    ck_assert_uint_eq(seen_by[VAULT_P_CHOOSE].kind, 1);
    ck_assert_uint_eq(seen_by[VAULT_P_OPEN].kind, 0);
    ck_assert_uint_eq(seen_by[VAULT_P_PEEK].kind, 0);

    const kifu__field *choose = vault_rules.types[VAULT_P_CHOOSE].table->fields;
    const uint8_t expected[] = {KIFU__CONCEALED, KIFU__CONCEALED, KIFU__CONCEALED, KIFU__SECRET, KIFU__OPEN};
    for (uint32_t i = 0; i < 5; i++)
        ck_assert_uint_eq(choose[i].secrecy, expected[i]);
    const kifu__table *initialize = vault_rules.types[VAULT_E_INITIALIZE].table;
    ck_assert_str_eq(initialize->fields[0].name, "seed");
    ck_assert_uint_eq(initialize->fields[0].secrecy, KIFU__SECRET);
    ck_assert_uint_eq(initialize->fields[1].secrecy, KIFU__OPEN);
}
END_TEST

START_TEST(W01_a_card_of_duel_is_seen_where_it_lies_open_and_in_the_own_hand)
{
    duel_state state, seen;
    memset(&state, 0, sizeof state);
    for (uint32_t card = 0; card < CARD_COUNT; card++) {
        state.cards[card].kind = DUEL_KIND_GROWTH;
        state.cards[card].zone = (duel_zone)(card % 5);
    }
    for (int viewer = -1; viewer < 2; viewer++) {
        duel_seen(&state, viewer, &seen);
        for (uint32_t card = 0; card < CARD_COUNT; card++) {
            const duel_zone zone = state.cards[card].zone;
            const bool visible = zone == DUEL_ZONE_HAND ? rules_owner(card) == viewer : zone != DUEL_ZONE_DECK;
            ck_assert_uint_eq(seen.cards[card].kind, visible ? DUEL_KIND_GROWTH : DUEL_KIND_FIELD);
        }
    }
    ck_assert_uint_eq(duel_rules.hiding->value_count, CARD_COUNT);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        W01_the_mask_clears_what_a_viewer_does_not_see_and_nothing_else,
        W01_each_viewer_sees_what_the_game_says,
        W01_who_sees_the_hidden_fields_of_an_event,
        W01_a_card_of_duel_is_seen_where_it_lies_open_and_in_the_own_hand,
    };
    return run_suite("hiding", tests, sizeof tests / sizeof *tests);
}
