// As many threads as a test allows: linked with --wrap=pthread_create.

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
