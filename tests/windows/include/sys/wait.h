/// A child has ended before its parent asks: see `fork` in compat.h.
#ifndef TESTS_WINDOWS_WAIT_H
#define TESTS_WINDOWS_WAIT_H

#include <sys/types.h>

pid_t waitpid(pid_t process, int *status, int options);
int kill(pid_t process, int signal); // One that has paused.
int pause(void);                     // A child that waits for its death dies here.
int pipe(int ends[2]);

enum { SIGKILL = 9, WNOHANG = 1 };
#define WIFEXITED(status) ((status) >= 0)
#define WEXITSTATUS(status) (status)
#define WIFSIGNALED(status) ((status) < 0)
#define WTERMSIG(status) (-(status))

#endif
