/// What every libcheck program here ends with:
///
///     int main(void)
///     {
///         const TTest *const tests[] = {T01_holds_events, T05_do_is_a_transaction};
///         return run_suite("timeline", tests, sizeof tests / sizeof *tests);
///     }
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <stddef.h>
#include <stdlib.h>

#include "checks.h"

#ifndef ON_WINDOWS // windows/include/compat.h says it.
#define ON_WINDOWS 0
#endif

/// Runs the tests in order, each in a process of its own (but for CK_FORK=no), and returns the exit status.
static inline int run_suite(const char *name, const TTest *const *tests, size_t count)
{
    Suite *suite = suite_create(name);
    for (size_t i = 0; i < count; i++) {
        TCase *each = tcase_create(tests[i]->name);
        if (!getenv("CK_DEFAULT_TIMEOUT"))
            tcase_set_timeout(each, 300);
        tcase_add_test(each, tests[i]);
        suite_add_tcase(suite, each);
    }
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/// How long a randomised test goes on: `usual` steps, or as many as the environment's KIFU_FUZZ_STEPS says
/// (`./dev fuzz`). With sanitizers, which make each of them up to five times as long, it is a part of them.
static inline unsigned long fuzz_steps(unsigned long usual)
{
    const char *steps = getenv("KIFU_FUZZ_STEPS");
#ifdef SUITE_PART
    usual = (usual + SUITE_PART - 1) / SUITE_PART;
#endif
    return steps && *steps ? strtoul(steps, NULL, 10) : usual;
}

/// Where a randomised test begins: 1, or the environment's KIFU_FUZZ_SEED.
static inline unsigned long fuzz_seed(void)
{
    const char *seed = getenv("KIFU_FUZZ_SEED");
    return seed && *seed ? strtoul(seed, NULL, 10) : 1;
}

#endif
