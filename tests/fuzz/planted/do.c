// The rules of the game, and its faults.

#include <stdlib.h>
#include <string.h>

#include "planted.h"

static bool planted(const char *fault)
{
    const char *asked = getenv("PLANTED");
    return asked && strcmp(asked, fault) == 0;
}

// Past the edit functions.
static planted_state *cast(const planted_state *state)
{
    return (planted_state *)(uintptr_t)state;
}

kifu_verdict planted_check_p_add(kifu_timeline *timeline, const planted_state *state, planted_p_add *add)
{
    static int checks;
    (void)timeline;
    if (planted("check that writes") && add->amount < 0)
        cast(state)->total--;
    if (planted("check that remembers") && add->amount > 0)
        add->amount = (int16_t)(1 + checks++ % 2);
    return add->amount < 0 ? kifu_reject("that is less than nothing") : kifu_accept();
}

kifu_result planted_do_p_add(kifu_timeline *timeline, const planted_state *state, const planted_p_add *add)
{
    static int adds;
    if (planted("cast") && add->amount == 7)
        cast(state)->next++;
    if (planted("replay"))
        *planted_edit_total(timeline) += kifu_is_replaying(timeline);
    if (planted("counter"))
        *planted_edit_next(timeline) = (uint16_t)adds++;
    while (planted("draw") && add->amount > 100)
        kifu_random(timeline);
    while (planted("eat") && add->amount > 100) {
        char *memory = malloc(1 << 20);
        if (!memory)
            abort();
        memory[add->amount] = 0;
    }
    *planted_edit_total(timeline) += add->amount;
    return KIFU_OK;
}

kifu_verdict planted_check_p_name(kifu_timeline *timeline, const planted_state *state, planted_p_name *name)
{
    (void)timeline;
    (void)state;
    uint32_t most = planted("overflow") ? 9 : 8;
    return planted_p_name_name_length(name) > most ? kifu_reject("the name is too long") : kifu_accept();
}

kifu_result planted_do_p_name(kifu_timeline *timeline, const planted_state *state, const planted_p_name *name)
{
    (void)state;
    // memmove, so that no compiler knows how much room there is.
    if (planted_p_name_name(name))
        memmove(planted_edit_name_all(timeline), planted_p_name_name(name), planted_p_name_name_length(name));
    return KIFU_OK;
}

kifu_verdict planted_check_p_buy(kifu_timeline *timeline, const planted_state *state, planted_p_buy *buy)
{
    (void)timeline;
    (void)state;
    return buy->stock < 4 || planted("crash") ? kifu_accept() : kifu_reject("there is no such stock");
}

static int *stock(kifu_timeline *timeline, const planted_state *state, uint32_t index)
{
    (void)state;
    if (index == 255)
        abort(); // a crash that no compiler takes away
    return planted_edit_stocks_amount(timeline, index % 4);
}

kifu_result planted_do_p_buy(kifu_timeline *timeline, const planted_state *state, const planted_p_buy *buy)
{
    uint32_t amount = (uint32_t)planted_p_buy_item(buy)->amount;
    for (uint32_t i = 0; i < planted_p_buy_others_count(buy); i++)
        amount += (uint32_t)planted_p_buy_others(buy, i)->amount;
    *stock(timeline, state, buy->stock) += (int)(amount % 1000);
    if (buy->has_limit)
        planted_submit_e_limit(timeline, buy->limit);
    return KIFU_OK;
}

kifu_result planted_do_e_limit(kifu_timeline *timeline, const planted_state *state, const planted_e_limit *limit)
{
    for (uint32_t i = 0; i < 4; i++) {
        int most = (int)(limit->limit & 0xffff);
        if (state->stocks[i].amount > most)
            *planted_edit_stocks_amount(timeline, i) = most;
    }
    if (planted("address"))
        *planted_edit_total(timeline) = (int64_t)(uintptr_t)timeline;
    return limit->limit == 3 ? kifu_fail(timeline, "three is no limit") : KIFU_OK;
}
