/// The calls of libcheck that the suites here use, for Windows, where no package has it. A suite is one process: a
/// check that fails leaves its test by longjmp. CK_RUN_CASE runs one test.
///
/// Tests in the list that KIFU_LEFT_OUT names (left_out.txt) are left out, with the reason that stands there.
#ifndef TESTS_WINDOWS_CHECK_H
#define TESTS_WINDOWS_CHECK_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct TTest {
    const char *name;
    void (*run)(int);
} TTest;

typedef struct TCase {
    const TTest *test;
    int from, to; ///< Values of its `_i`.
    struct TCase *next;
} TCase;

typedef struct Suite {
    const char *name;
    TCase *first, *last;
} Suite;

typedef struct SRunner {
    const Suite *suite;
    int run, failed;
} SRunner;

enum { CK_SILENT, CK_MINIMAL, CK_NORMAL, CK_VERBOSE };

#define START_TEST(test)                                                                                               \
    static void test##__run(int _i);                                                                                   \
    static const TTest test##__ttest = {#test, test##__run};                                                           \
    static const TTest *const test = &test##__ttest;                                                                   \
    static void test##__run(int _i)                                                                                    \
    {                                                                                                                  \
        (void)_i;
#define END_TEST }

Suite *suite_create(const char *name);
TCase *tcase_create(const char *name);
void tcase_set_timeout(TCase *each, double seconds); ///< Does nothing: ctest has limits, too.
void tcase_add_test(TCase *each, const TTest *test);
void tcase_add_loop_test(TCase *each, const TTest *test, int from, int to);
void suite_add_tcase(Suite *suite, TCase *each);
SRunner *srunner_create(Suite *suite);
void srunner_run_all(SRunner *runner, int how);
int srunner_ntests_failed(const SRunner *runner);
void srunner_free(SRunner *runner);

_Noreturn void check__fail(const char *file, int line, const char *format, ...);

#define ck_abort_msg(...) check__fail(__FILE__, __LINE__, __VA_ARGS__)
#define ck_assert_msg(holds, ...) ((holds) ? (void)0 : check__fail(__FILE__, __LINE__, __VA_ARGS__))
#define ck_assert(holds) ck_assert_msg(holds, "%s", #holds " does not hold")

#define CHECK__COMPARE(type, format, x, is, y)                                                                         \
    do {                                                                                                               \
        const type _x = (x), _y = (y);                                                                                 \
        ck_assert_msg(_x is _y, "%s: %s is %" format ", %s is %" format, #x " " #is " " #y, #x, _x, #y, _y);           \
    } while (0)
#define ck_assert_int_eq(x, y) CHECK__COMPARE(intmax_t, PRIdMAX, x, ==, y)
#define ck_assert_int_ne(x, y) CHECK__COMPARE(intmax_t, PRIdMAX, x, !=, y)
#define ck_assert_int_lt(x, y) CHECK__COMPARE(intmax_t, PRIdMAX, x, <, y)
#define ck_assert_int_le(x, y) CHECK__COMPARE(intmax_t, PRIdMAX, x, <=, y)
#define ck_assert_int_gt(x, y) CHECK__COMPARE(intmax_t, PRIdMAX, x, >, y)
#define ck_assert_int_ge(x, y) CHECK__COMPARE(intmax_t, PRIdMAX, x, >=, y)
#define ck_assert_uint_eq(x, y) CHECK__COMPARE(uintmax_t, PRIuMAX, x, ==, y)
#define ck_assert_uint_ne(x, y) CHECK__COMPARE(uintmax_t, PRIuMAX, x, !=, y)
#define ck_assert_uint_lt(x, y) CHECK__COMPARE(uintmax_t, PRIuMAX, x, <, y)
#define ck_assert_uint_le(x, y) CHECK__COMPARE(uintmax_t, PRIuMAX, x, <=, y)
#define ck_assert_uint_gt(x, y) CHECK__COMPARE(uintmax_t, PRIuMAX, x, >, y)
#define ck_assert_uint_ge(x, y) CHECK__COMPARE(uintmax_t, PRIuMAX, x, >=, y)
#define ck_assert_double_eq(x, y) CHECK__COMPARE(double, "g", x, ==, y)
#define ck_assert_double_lt(x, y) CHECK__COMPARE(double, "g", x, <, y)
#define ck_assert_double_le(x, y) CHECK__COMPARE(double, "g", x, <=, y)
#define ck_assert_double_ge(x, y) CHECK__COMPARE(double, "g", x, >=, y)
#define ck_assert_double_gt(x, y) CHECK__COMPARE(double, "g", x, >, y)
#define ck_assert_double_eq_tol(x, y, most)                                                                            \
    do {                                                                                                               \
        const double _x = (x), _y = (y), _by = _x < _y ? _y - _x : _x - _y;                                            \
        ck_assert_msg(_by < (most), "%s is %g, %s is %g", #x, _x, #y, _y);                                             \
    } while (0)
#define CHECK__TEXTS(holds, x, y)                                                                                      \
    do {                                                                                                               \
        const char *_x = (x), *_y = (y);                                                                               \
        ck_assert_msg(holds, "%s is \"%s\", %s is \"%s\"", #x, _x ? _x : "(null)", #y, _y ? _y : "(null)");            \
    } while (0)
#define ck_assert_str_eq(x, y) CHECK__TEXTS(_x &&_y &&strcmp(_x, _y) == 0, x, y)
#define ck_assert_str_ne(x, y) CHECK__TEXTS(_x &&_y &&strcmp(_x, _y) != 0, x, y)
#define ck_assert_pstr_eq(x, y) CHECK__TEXTS(_x &&_y ? strcmp(_x, _y) == 0 : _x == _y, x, y)
#define ck_assert_mem_eq(x, y, size) ck_assert_msg(memcmp(x, y, size) == 0, "%s and %s differ", #x, #y)
#define ck_assert_mem_ne(x, y, size) ck_assert_msg(memcmp(x, y, size) != 0, "%s and %s are the same", #x, #y)
#define ck_assert_ptr_null(pointer) ck_assert_msg((pointer) == NULL, "%s is not NULL", #pointer)
#define ck_assert_ptr_nonnull(pointer) ck_assert_msg((pointer) != NULL, "%s is NULL", #pointer)
#define ck_assert_ptr_eq(x, y) ck_assert_msg((const void *)(x) == (const void *)(y), "%s is not %s", #x, #y)
#define ck_assert_ptr_ne(x, y) ck_assert_msg((const void *)(x) != (const void *)(y), "%s is %s", #x, #y)

#endif
