// The stand-in for libcheck: see check.h.

#include <check.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static jmp_buf leave;
static const char *running;
static DWORD thread; // that runs the tests

static void *room_for(size_t size)
{
    void *room = calloc(1, size);
    if (!room)
        abort();
    return room;
}

Suite *suite_create(const char *name)
{
    Suite *suite = room_for(sizeof *suite);
    suite->name = name;
    return suite;
}

TCase *tcase_create(const char *name)
{
    (void)name;
    return room_for(sizeof(TCase));
}

void tcase_set_timeout(TCase *each, double seconds)
{
    (void)each, (void)seconds;
}

void tcase_add_test(TCase *each, const TTest *test)
{
    tcase_add_loop_test(each, test, 0, 1);
}

void tcase_add_loop_test(TCase *each, const TTest *test, int from, int to)
{
    each->test = test;
    each->from = from;
    each->to = to;
}

void suite_add_tcase(Suite *suite, TCase *each)
{
    *(suite->last ? &suite->last->next : &suite->first) = each;
    suite->last = each;
}

SRunner *srunner_create(Suite *suite)
{
    SRunner *runner = room_for(sizeof *runner);
    runner->suite = suite;
    return runner;
}

int srunner_ntests_failed(const SRunner *runner)
{
    return runner->failed;
}

void srunner_free(SRunner *runner)
{
    free(runner);
}

_Noreturn void check__fail(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%s:%d:F:%s: ", file, line, running);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    fflush(stdout);
    if (GetCurrentThreadId() != thread)
        ExitProcess(EXIT_FAILURE);
    longjmp(leave, 1);
}

static LONG WINAPI crash(EXCEPTION_POINTERS *what)
{
    printf("%s: crashed, exception %lx at %p\n", running, what->ExceptionRecord->ExceptionCode,
           what->ExceptionRecord->ExceptionAddress);
    fflush(stdout);
    return EXCEPTION_EXECUTE_HANDLER;
}

// Whether the list has "NAME: why"; it is printed, with a word that ./dev windows looks for.
static bool is_left_out(const char *name)
{
    const char *path = getenv("KIFU_LEFT_OUT");
    FILE *list = path && *path ? fopen(path, "r") : NULL;
    const size_t length = strlen(name);
    char line[1000];
    bool found = false;
    while (list && !found && fgets(line, sizeof line, list))
        found = !strncmp(line, name, length) && line[length] == ':';
    if (list)
        fclose(list);
    if (found)
        printf("left out: %s", line);
    return found;
}

static bool passes(const TTest *test, int i)
{
    running = test->name;
    void *before = compat_remember();
    const bool passed = !setjmp(leave);
    if (passed)
        test->run(i);
    compat_restore(before); // so that the next one finds what it would in a process of its own
    free(before);
    return passed;
}

void srunner_run_all(SRunner *runner, int how)
{
    const char *only = getenv("CK_RUN_CASE");
    (void)how;
    thread = GetCurrentThreadId();
    SetUnhandledExceptionFilter(crash);
    for (const TCase *each = runner->suite->first; each; each = each->next) {
        if (only ? strcmp(only, each->test->name) != 0 : is_left_out(each->test->name))
            continue;
        for (int i = each->from; i < each->to; i++) {
            runner->run++;
            runner->failed += !passes(each->test, i);
        }
    }
    const int percent = runner->run ? (runner->run - runner->failed) * 100 / runner->run : 100;
    printf("Running suite(s): %s\n%d%%: Checks: %d, Failures: %d, Errors: 0\n", runner->suite->name, percent,
           runner->run, runner->failed);
    fflush(stdout);
}
