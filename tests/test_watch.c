// Watchers: timelines that have what one viewer sees of a game (kifu/watch.h).
#include "seen_help.h"
#include "suite.h"

// A random move of whose turn it is; where there is none, the player resigns.
static void move(kifu_timeline *timeline, uint64_t *state)
{
    const int player = kifu_current_player(kifu_get_game(timeline));
    kifu_moves moves = {0};
    must(timeline, kifu_list_moves(timeline, player, &moves));
    *state = *state * UINT64_C(6364136223846793005) + 1;
    if (moves.count)
        kifu_submit_move(timeline, &moves.items[(*state >> 33) % moves.count]);
    else
        duel_submit_p_resign(timeline, player);
    kifu_free_moves(&moves);
    must(timeline, kifu_run(timeline));
}

static bool is_over(const kifu_timeline *timeline)
{
    return kifu_get_game(timeline)->phase != KIFU_PHASE_PLAY || kifu_event_count(timeline) > 1500;
}

START_TEST(W02_each_viewer_has_the_masked_state_after_each_input)
{
    for (uint64_t seed = 1; seed < 20; seed++) {
        table_of table;
        uint64_t random = seed;
        sit_down(&table, seed, NULL);
        tell_all(&table, 0, seed % 2 ? KIFU_SEEN_PLAYED : KIFU_SEEN_WHOLE);
        table.bytes = table.messages = 0;
        while (!is_over(table.referee)) {
            move(table.referee, &random);
            tell_all(&table, table.sent, KIFU_SEEN_PLAYED);
        }
        printf("%.1f bytes a message\n", (double)table.bytes / (double)table.messages);
        stand_up(&table);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        W02_each_viewer_has_the_masked_state_after_each_input,
    };
    return run_suite("watch", tests, sizeof tests / sizeof *tests);
}
