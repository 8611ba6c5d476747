// The walk by hand: `walk FIRST COUNT [GAME]` walks so many plans, stops at the first that fails, makes it short, and
// prints it as C. `walk FIRST COUNT --all` goes on, and counts the kinds of what it finds.

#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void show(uint64_t number, int game, const walk_end *end)
{
    walk_plan plan;
    walk_make_plan(&plan, number);
    if (game >= 0)
        plan.config.game = (uint32_t)game;
    printf("plan %llu: %s: %s\n", (unsigned long long)number, end->kind, end->message);
    const walk_end alone = walk_one(&plan, NULL);
    if (!alone.failed) {
        printf("it does not fail alone\n");
        return;
    }
    walk_shrink(&plan, &alone);
    printf("in %u steps:\n", plan.count);
    const walk_end last = walk_one(&plan, stdout);
    printf("// %s: %s\n", last.kind, last.message);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "walk FIRST COUNT [GAME] [--all]\n");
        return 2;
    }
    uint64_t first = strtoull(argv[1], NULL, 10), steps = 0, found = 0, number;
    const uint64_t end_of_plans = first + strtoull(argv[2], NULL, 10);
    int game = -1;
    bool all = false;
    for (int i = 3; i < argc; i++) {
        if (!strcmp(argv[i], "--all"))
            all = true;
        else
            game = atoi(argv[i]);
    }
    const double begun = now();
    walk_end end;
    while (first < end_of_plans && !walk_many(first, end_of_plans - first, game, &number, &end, &steps)) {
        found++;
        if (!all) {
            printf("after %.1f s, %llu steps: ", now() - begun, (unsigned long long)steps);
            show(number, game, &end);
            return 1;
        }
        printf("%llu %s: %s\n", (unsigned long long)number, end.kind, end.message);
        first = number + 1;
    }
    printf("%llu steps in %.1f s, %.0f a second; %llu plans failed\n", (unsigned long long)steps, now() - begun,
           (double)steps / (now() - begun), (unsigned long long)found);
    return found != 0;
}
