// Playing directly gives what submitting and running gives: in random games of Dungeon, with its hooks.
#include "dungeon.h"
#include "twins_help.h"

extern const kifu_fuzz_hooks dungeon_fuzz_hooks;

static kifu_result play(kifu_timeline *timeline, const input *input)
{
    if (input->type == DUNGEON_P_PICK_UP)
        return dungeon_play_p_pick_up(timeline, input->player,
                                      ((const dungeon_p_pick_up *)(const void *)input->table)->actor);
    return kifu__play(timeline, input->type, input->player, input->table, input->size);
}

START_TEST(X06_dungeon_played_directly)
{
    static const game dungeon = {"dungeon", &dungeon_rules, &dungeon_fuzz_hooks, play, ARRAY(dungeon_state, actors),
                                 NULL};
    play_games(&dungeon, 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {X06_dungeon_played_directly};
    return run_suite("Dungeon, directly", tests, sizeof tests / sizeof *tests);
}
