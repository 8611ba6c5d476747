#include <kifu/online.h>

#include "nim.h"

void nim_draw(kifu_drawing *drawing); // draw.c

static kifu_result begin(void *context, kifu_timeline *timeline, uint32_t seats)
{
    const uint16_t stones[] = {1, 3, 5, 7};
    const kifu_e_initialize_args initialize = kifu_e_initialize_defaults();
    (void)context;
    nim_submit_e_reset_game(timeline);
    for (uint32_t i = 0; i < seats; i++)
        nim_submit_e_add_player(timeline, (uint8_t)i, i ? KIFU_BLUE : KIFU_RED);
    nim_submit_e_initialize(timeline, &initialize);
    nim_submit_e_deal(timeline, stones, 4);
    nim_submit_e_start_round(timeline);
    return kifu_run(timeline);
}

int main(int argc, char **argv)
{
    const kifu_online_game game = {
        .rules = &nim_rules, .name = "nim", .seats = 2, .options = {.draw = nim_draw}, .begin = begin};
    return kifu_online_main(&game, argc, argv);
}
