// The walk (tests/walk): random sequences of the public calls that change or store a game, beside a plain model.
// `./dev fuzz` walks for as long as it is told.

#include "run.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

// What was found, as short as it can be, as C.
static void report(uint64_t number, int game, const walk_end *end)
{
    walk_plan plan;
    walk_make_plan(&plan, number);
    if (game >= 0)
        plan.config.game = (uint32_t)game;
    const walk_end alone = walk_one(&plan, NULL);
    if (alone.failed)
        walk_shrink(&plan, &alone);
    printf("plan %llu, game %u:\n", (unsigned long long)number, plan.config.game);
    const walk_end last = walk_one(&plan, stdout);
    printf("// %s: %s\n", last.kind, last.message);
    fflush(stdout);
    ck_abort_msg("plan %llu: %s: %s", (unsigned long long)number, end->kind, end->message);
}

// About so many steps of one game; each plan has 50.
static void walk_game_for(int game, unsigned long steps)
{
    uint64_t number, done = 0;
    walk_end end;
    const uint64_t first = (uint64_t)fuzz_seed() * 1000000;
    if (!walk_many(first, steps / 50 + 1, game, &number, &end, &done))
        report(number, game, &end);
}

START_TEST(R01_a_random_walk_agrees_with_a_plain_tree)
{
    walk_game_for(_i, fuzz_steps(12000));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("walk");
    TCase *each = tcase_create("R01_a_random_walk_agrees_with_a_plain_tree");
    if (!getenv("CK_DEFAULT_TIMEOUT"))
        tcase_set_timeout(each, 300);
    tcase_add_loop_test(each, R01_a_random_walk_agrees_with_a_plain_tree, 0, (int)walk_game_count);
    suite_add_tcase(suite, each);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
