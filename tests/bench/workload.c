#include "workload.h"

#include <string.h>

char phrases[PHRASES][LONGEST_PHRASE + 4];

/// xorshift64* (Vigna; the state must not be 0): all that a fixed order needs.
static uint32_t draw(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return (uint32_t)((x * UINT64_C(2685821657736338717)) >> 32);
}

static void make_phrases(uint64_t *random)
{
    for (uint32_t i = 0; i < PHRASES; i++) {
        uint32_t length = 4 + draw(random) % (LONGEST_PHRASE - 3);
        for (uint32_t k = 0; k < length; k++)
            phrases[i][k] = (char)(draw(random) % 6 ? 'a' + (char)(draw(random) % 26) : ' ');
        phrases[i][length] = '\0';
    }
}

/// Fills in one event of the kind that `percent` (0 to 99) falls on.
static void make_item(item *item, uint32_t percent, uint32_t *round, uint64_t *random)
{
    *item = (struct item){.player = -1};
    if (percent < 60) {
        item->type = ITEM_MOVE;
        item->player = (int8_t)(draw(random) % HANDS);
        item->as.move.unit = (uint16_t)(draw(random) % UNITS);
        item->as.move.x = (uint8_t)(draw(random) % 20);
        item->as.move.y = (uint8_t)(draw(random) % 20);
    } else if (percent < 80) {
        item->type = ITEM_DAMAGE;
        item->as.damage.source = (uint16_t)(draw(random) % UNITS);
        item->as.damage.target = (uint16_t)(draw(random) % UNITS);
        item->as.damage.amount = (int16_t)(1 + draw(random) % 30);
        item->as.damage.kind = (uint8_t)(draw(random) % 4);
    } else if (percent < 90) {
        item->type = ITEM_DRAW;
        item->as.draw.hand = (uint8_t)(draw(random) % HANDS);
        item->as.draw.count = (uint8_t)(1 + draw(random) % MOST_CARDS);
        for (uint32_t k = 0; k < item->as.draw.count; k++)
            item->as.draw.cards[k] = (uint16_t)(draw(random) % 400);
    } else if (percent < 98) {
        item->type = ITEM_ROUND;
        item->as.round.number = ++*round;
    } else {
        item->type = ITEM_CHAT;
        item->player = (int8_t)(draw(random) % HANDS);
        item->as.chat.phrase = (uint16_t)(draw(random) % PHRASES);
        item->as.chat.length = (uint16_t)strlen(phrases[item->as.chat.phrase]);
    }
}

void make_mix(item *items, uint32_t count, uint64_t seed)
{
    uint64_t random = seed;
    uint32_t round = 0;
    make_phrases(&random);
    for (uint32_t i = 0; i < count; i++)
        make_item(&items[i], draw(&random) % 100, &round, &random);
}

void make_steady_mix(item *items, uint32_t count, uint64_t seed)
{
    uint64_t random = seed;
    uint32_t round = 0;
    make_phrases(&random);
    // 37 and 50 have no common divisor: 50 steps visit every even number below 100 once.
    for (uint32_t i = 0; i < count; i++)
        make_item(&items[i], i * 37 % 50 * 2, &round, &random);
}

void make_moves(item *items, uint32_t count, uint64_t seed)
{
    uint64_t random = seed;
    uint32_t round = 0;
    for (uint32_t i = 0; i < count; i++)
        make_item(&items[i], 0, &round, &random);
}

void model_run(model *model, const item *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const item *item = &items[i];
        switch (item->type) {
        case ITEM_MOVE:
            model_move(model, item->as.move.unit, item->as.move.x, item->as.move.y);
            break;
        case ITEM_DAMAGE:
            model_damage(model, item->as.damage.target, item->as.damage.amount);
            break;
        case ITEM_DRAW:
            model_draw(model, item->as.draw.hand, item->as.draw.cards, item->as.draw.count);
            break;
        case ITEM_ROUND:
            model_round(model, item->as.round.number);
            break;
        case ITEM_CHAT:
            model_chat(model, item->as.chat.length);
            break;
        default:
            break;
        }
    }
}

uint64_t sum_items(const item *items, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const item *item = &items[i];
        switch (item->type) {
        case ITEM_MOVE:
            sum += sum_move(item->as.move.unit, item->as.move.x, item->as.move.y);
            break;
        case ITEM_DAMAGE:
            sum += sum_damage(item->as.damage.source, item->as.damage.target, item->as.damage.amount,
                              item->as.damage.kind);
            break;
        case ITEM_DRAW:
            sum += sum_draw(item->as.draw.hand, item->as.draw.cards, item->as.draw.count);
            break;
        case ITEM_ROUND:
            sum += item->as.round.number;
            break;
        case ITEM_CHAT:
            sum += sum_text(phrases[item->as.chat.phrase], item->as.chat.length);
            break;
        default:
            break;
        }
    }
    return sum;
}

uint32_t write_fields(unsigned char *bytes, const item *items, uint32_t count)
{
    unsigned char *end = bytes;
    for (uint32_t i = 0; i < count; i++) {
        const item *item = &items[i];
        switch (item->type) {
        case ITEM_MOVE:
            memcpy(end, &item->as.move, sizeof item->as.move);
            end += sizeof item->as.move;
            break;
        case ITEM_DAMAGE:
            memcpy(end, &item->as.damage, sizeof item->as.damage);
            end += sizeof item->as.damage;
            break;
        case ITEM_DRAW:
            memcpy(end, &item->as.draw, sizeof item->as.draw);
            end += 2 + 2 * item->as.draw.count;
            break;
        case ITEM_ROUND:
            memcpy(end, &item->as.round, sizeof item->as.round);
            end += sizeof item->as.round;
            break;
        case ITEM_CHAT:
            memcpy(end, phrases[item->as.chat.phrase], sizeof phrases[0]);
            end += item->as.chat.length + 1;
            break;
        default:
            break;
        }
    }
    return (uint32_t)(end - bytes);
}
