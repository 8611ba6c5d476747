// Threads and a clock: by POSIX, or as far as C itself has them.

#include "base/os_system.h"

#include "base/threads.h"

#ifdef KIFU__POSIX

#include <pthread.h>

enum { MOST_THREADS = 64 };

typedef struct task {
    void (*work)(void *element);
    void *element;
    pthread_t thread;
} task;

static void *run_thread(void *context)
{
    const task *task = context;
    task->work(task->element);
    return NULL;
}

void kifu__os_together(void (*work)(void *element), void *elements, size_t size, uint32_t count)
{
    task tasks[MOST_THREADS];
    uint32_t started = 0;
    unsigned char *element = elements;
    while (started < MOST_THREADS && started + 1 < count) {
        task *next = &tasks[started];
        *next = (task){.work = work, .element = element + (started + 1) * size};
        if (pthread_create(&next->thread, NULL, run_thread, next))
            break;
        started++;
    }
    work(element);
    for (uint32_t i = started + 1; i < count; i++) // for which there was no thread
        work(element + i * size);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(tasks[i].thread, NULL);
}

double kifu__os_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
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
