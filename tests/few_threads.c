// As many threads as a test allows: linked with --wrap=pthread_create, and for Windows with
// --wrap=__imp__beginthreadex.

#include <errno.h>
#include <pthread.h>

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context);

extern int threads_left;
int threads_left = -1; ///< Negative: as many as you like.

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context)
{
    if (threads_left == 0)
        return EAGAIN;
    threads_left -= threads_left > 0;
    return __real_pthread_create(thread, attributes, run, context);
}

#ifdef _WIN32

#include <process.h>

extern __typeof__(&_beginthreadex) __real___imp__beginthreadex, __wrap___imp__beginthreadex;

static uintptr_t __cdecl begin_thread(void *security, unsigned stack, unsigned(__stdcall *run)(void *), void *context,
                                      unsigned flags, unsigned *number)
{
    if (threads_left == 0)
        return 0;
    threads_left -= threads_left > 0;
    return __real___imp__beginthreadex(security, stack, run, context, flags, number);
}

__typeof__(&_beginthreadex) __wrap___imp__beginthreadex = begin_thread;

#endif
