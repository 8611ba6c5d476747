// Threads and a clock: by POSIX, by Windows, or as far as C itself has them.

#include "base/os_system.h"

#include "base/threads.h"

#if defined(KIFU__POSIX) || defined(KIFU__WINDOWS)

#ifdef KIFU__POSIX
#include <pthread.h>
typedef pthread_t thread;
#else
#include "base/os_windows.h"
#include <process.h>
typedef HANDLE thread;
#endif

enum { MOST_THREADS = 64 };

typedef struct task {
    void (*work)(void *element);
    void *element;
    thread thread;
} task;

#ifdef KIFU__POSIX

static void *run_thread(void *context)
{
    const task *task = context;
    task->work(task->element);
    return NULL;
}

static bool start_thread(task *task)
{
    return pthread_create(&task->thread, NULL, run_thread, task) == 0;
}

static void join_thread(task *task)
{
    pthread_join(task->thread, NULL);
}

double kifu__os_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#else

static unsigned __stdcall run_thread(void *context)
{
    const task *task = context;
    task->work(task->element);
    return 0;
}

// Not by CreateThread, which the C library does not know.
static bool start_thread(task *task)
{
    task->thread = (HANDLE)_beginthreadex(NULL, 0, run_thread, task, 0, NULL);
    return task->thread != NULL;
}

static void join_thread(task *task)
{
    WaitForSingleObject(task->thread, INFINITE);
    CloseHandle(task->thread);
}

double kifu__os_seconds(void)
{
    LARGE_INTEGER now, frequency;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&frequency);
    return (double)now.QuadPart / (double)frequency.QuadPart;
}

#endif

void kifu__os_together(void (*work)(void *element), void *elements, size_t size, uint32_t count)
{
    task tasks[MOST_THREADS];
    uint32_t started = 0;
    unsigned char *element = elements;
    while (started < MOST_THREADS && started + 1 < count) {
        task *next = &tasks[started];
        *next = (task){.work = work, .element = element + (started + 1) * size};
        if (!start_thread(next))
            break;
        started++;
    }
    work(element);
    for (uint32_t i = started + 1; i < count; i++) // for which there was no thread
        work(element + i * size);
    for (uint32_t i = 0; i < started; i++)
        join_thread(&tasks[i]);
}

#else

void kifu__os_together(void (*work)(void *element), void *elements, size_t size, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        work((unsigned char *)elements + i * size);
}

double kifu__os_seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#endif
