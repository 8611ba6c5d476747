/// What every contender is given: the same events in the same order, as an array of plain structs; and the model that
/// they change, written by hand.
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ITEM_MOVE = 1, ITEM_DAMAGE, ITEM_DRAW, ITEM_ROUND, ITEM_CHAT };
enum { UNITS = 64, HANDS = 4, MOST_CARDS = 4, PHRASES = 64, LONGEST_PHRASE = 40 };

/// One event: 16 bytes, as compact as a hand-written log of structs would be.
typedef struct item {
    uint8_t type; ///< ITEM_…
    int8_t player;
    union {
        struct {
            uint16_t unit;
            uint8_t x, y;
        } move;
        struct {
            uint16_t source, target;
            int16_t amount;
            uint8_t kind;
        } damage;
        struct {
            uint8_t hand, count;
            uint16_t cards[MOST_CARDS];
        } draw;
        struct {
            uint32_t number;
        } round;
        struct {
            uint16_t phrase, length;
        } chat;
    } as;
} item;

/// The phrases that chat events say; each ends in zeros, up to a multiple of four bytes at
/// least.
extern char phrases[PHRASES][LONGEST_PHRASE + 4];

/// Fills `items` with the mixed workload: 60% moves, 20% damage, 10% draws, 8% rounds, 2% chat, in an order that
/// depends on `seed` alone. The types come in random order, which no branch predictor can learn.
void make_mix(item *items, uint32_t count, uint64_t seed);

/// The same mix, but the order of the types repeats every 50 events, so that a branch predictor learns it. What remains
/// is the work itself.
void make_steady_mix(item *items, uint32_t count, uint64_t seed);

/// Fills `items` with moves alone.
void make_moves(item *items, uint32_t count, uint64_t seed);

typedef struct unit {
    uint8_t x, y;
    int16_t health;
    uint32_t hits;
} unit;

typedef struct hand {
    uint32_t cards, value;
} hand;

/// The model without Kifu: the same fields as `struct State` of mix.fbs behind its standard part.
typedef struct model {
    unit units[UNITS];
    hand hands[HANDS];
    uint32_t number;
    uint32_t chat_bytes;
} model;

// What each event does to the model; do.c says the same with Kifu's edits.

static inline void model_move(model *model, uint16_t unit, uint8_t x, uint8_t y)
{
    model->units[unit % UNITS].x = x;
    model->units[unit % UNITS].y = y;
}

static inline void model_damage(model *model, uint16_t target, int16_t amount)
{
    unit *hit = &model->units[target % UNITS];
    hit->health = (int16_t)(hit->health > amount ? hit->health - amount : 1000);
    hit->hits++;
}

static inline void model_draw(model *model, uint8_t to, const uint16_t *cards, uint32_t count)
{
    hand *hand = &model->hands[to % HANDS];
    uint32_t value = 0;
    for (uint32_t i = 0; i < count; i++)
        value += cards[i];
    hand->cards += count;
    hand->value += value;
}

static inline void model_round(model *model, uint32_t number)
{
    model->number = number;
}

static inline void model_chat(model *model, uint32_t length)
{
    model->chat_bytes += length;
}

/// Does all of them: the plain loop with a switch.
void model_run(model *model, const item *items, uint32_t count);

/// Sum of every field of an event, each character and card included: what reading costs at least.
static inline uint64_t sum_move(uint16_t unit, uint8_t x, uint8_t y)
{
    return (uint64_t)unit + x + y;
}

static inline uint64_t sum_damage(uint16_t source, uint16_t target, int16_t amount, uint8_t kind)
{
    return (uint64_t)source + target + (uint64_t)amount + kind;
}

static inline uint64_t sum_draw(uint8_t to, const uint16_t *cards, uint32_t count)
{
    uint64_t sum = to;
    for (uint32_t i = 0; i < count; i++)
        sum += cards[i];
    return sum;
}

static inline uint64_t sum_text(const char *text, uint32_t length)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < length; i++)
        sum += (unsigned char)text[i];
    return sum;
}

/// The sum over `items`, which every contender that reads must get.
uint64_t sum_items(const item *items, uint32_t count);

/// The least that any writer does: looks at each event's type and writes its fields behind the others', unaligned, with
/// nothing that a reader could find them by. Room for 64 bytes an event. Returns the bytes written.
uint32_t write_fields(unsigned char *bytes, const item *items, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
