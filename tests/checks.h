/// libcheck, whose checks cost nothing where they hold.
///
/// It writes down each check that holds, to say after a crash which was the last one: a system call each, which took
/// half the time of the suites. After a crash, the sanitizers and a debugger say more.
#ifndef TESTS_CHECKS_H
#define TESTS_CHECKS_H

#include <check.h>

#define _mark_point(file, line) ((void)0)

#endif
