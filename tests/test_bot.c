// Bots.

#include "hazard_help.h"
#include "suite.h"

int main(void)
{
    const TTest *const tests[] = {NULL};
    return run_suite("bot", tests, 0);
}
