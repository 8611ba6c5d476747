// Bots that think in several threads. Also built for ThreadSanitizer.

#include "hazard_help.h"
#include "suite.h"

static void judge(const kifu_timeline *timeline, double *worth)
{
    const hazard_state *state = hazard_get_state(timeline);
    for (int i = 0; i < 3; i++)
        worth[i] = state->score[i] / 60.0;
}

static kifu_result deal(kifu_timeline *timeline, int player)
{
    return hazard_try_e_imagine(timeline, (uint8_t)player);
}

static const kifu_bot bot = {.judge = judge, .deal = deal};

static bool go_on(void *context, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    return --*(int *)context > 0;
}

// A long game: its copies share what can be shared of its log. And one with a journal that is not empty.
static kifu_timeline *long_game(uint32_t events)
{
    kifu_timeline *timeline = hazard_new(1, &(kifu_options){.quiet = true});
    for (uint32_t i = 0; i < events; i++)
        hazard_submit_e_deal(timeline);
    must(timeline, kifu_run(timeline));
    return timeline;
}

static uint32_t choose(kifu_timeline *timeline, const kifu_thinking *thinking)
{
    kifu_moves moves = {0};
    const kifu_move *move;
    must(timeline, kifu_choose_move(timeline, current(timeline), &bot, thinking, &moves, &move));
    const uint32_t index = (uint32_t)(move - moves.items);
    kifu_free_moves(&moves);
    return index;
}

START_TEST(X07_forks_are_searched_in_several_threads)
{
    static const uint32_t lengths[] = {0, 5000};
    for (int i = 0; i < 2; i++) {
        kifu_timeline *timeline = long_game(lengths[i]);
        const uint64_t hash = kifu_state_hash(timeline);
        const uint32_t tries = i ? 100 : 8000; // ThreadSanitizer takes its time
        const uint32_t alone = choose(timeline, &(kifu_thinking){.tries = tries});
        ck_assert_uint_eq(choose(timeline, &(kifu_thinking){.tries = tries, .threads = 4}), alone);
        choose(timeline, &(kifu_thinking){.seconds = 0.03, .threads = 4});
        choose(timeline, &(kifu_thinking){.seconds = 0.03, .threads = 16, .memory = 2000000});
        int left = 50;
        choose(timeline, &(kifu_thinking){.seconds = 1e9, .threads = 4, .progress = go_on, .context = &left});
        ck_assert_uint_eq(kifu_state_hash(timeline), hash);
        ck_assert_uint_eq(kifu_event_count(timeline), lengths[i] + 7);
        kifu_destroy(timeline);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {X07_forks_are_searched_in_several_threads};
    return run_suite("bot_threads", tests, sizeof tests / sizeof *tests);
}
