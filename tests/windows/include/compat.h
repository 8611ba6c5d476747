/// What the tests and examples use of C11 and POSIX, and mingw-w64's C library has not. Each of their sources has it in
/// front (CMakeLists.txt); the runtime has not.
#ifndef TESTS_WINDOWS_COMPAT_H
#define TESTS_WINDOWS_COMPAT_H

#define tell compat_io_tell // Suites have functions of this name.
#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#undef tell

#define ON_WINDOWS 1

#ifndef TIME_UTC
#define TIME_UTC 1
int timespec_get(struct timespec *now, int base);
#endif

#ifndef O_CLOEXEC
#define O_CLOEXEC 0
#endif

static inline struct tm *localtime_r(const time_t *when, struct tm *room)
{
    return localtime_s(room, when) ? NULL : room;
}

static inline struct tm *gmtime_r(const time_t *when, struct tm *room)
{
    return gmtime_s(room, when) ? NULL : room;
}

static inline int setenv(const char *name, const char *value, int overwrite)
{
    return overwrite || !getenv(name) ? _putenv_s(name, value) : 0;
}

static inline int unsetenv(const char *name)
{
    return _putenv_s(name, "");
}

/// The folder for what is needed for a while, with '/' in its path.
const char *compat_folder(void);

/// A folder of a new name.
char *mkdtemp(char *name);

/// Files as on POSIX: a rename replaces, and what is open elsewhere does not matter as far as Windows allows.
int compat_rename(const char *from, const char *to);
#ifndef KIFU_PLAIN_C
#define rename(from, to) compat_rename(from, to)
#endif

#define mkdir(path, mode) ((void)(mode), _mkdir(path))

/// There are none of these: they fail. As for owners, every file is the user's own.
int symlink(const char *to, const char *path);
int mkfifo(const char *path, mode_t mode);
int chown(const char *path, unsigned user, unsigned group);
int link(const char *from, const char *to);
int setuid(unsigned user);
int setgid(unsigned group);
static inline unsigned geteuid(void)
{
    return 1;
}

#define S_ISLNK(mode) 0
#define lstat(path, info) stat(path, info)

/// "Is this descriptor open?" As many of them as the process has handles are.
enum { F_GETFD = 1 };
int fcntl(int file, int what);

/// Error numbers here and there; and the text that Windows has for one.
unsigned long compat_code(int number);
int compat_errno(unsigned long code);
const char *compat_strerror(int number);
#define strerror(number) compat_strerror(number)

/// `fork` as far as one process can: the child is the rest of the statement up to its `_exit`, which closes the files
/// that it has opened, gives the program's variables their old values, and goes back to where `fork` returns again, now
/// in the parent. What it did to memory from malloc stays.
#define fork() (setjmp(compat_parent) ? compat_child : (compat_begin_child(), 0))
#define _exit(status) compat_exit(status)
void *compat_remember(void); ///< All variables of the program.
void compat_restore(void *copy);
extern jmp_buf compat_parent;
extern pid_t compat_child;
bool compat_in_child(void);
void compat_begin_child(void);
_Noreturn void compat_exit(int status);
extern void (*compat_end_child)(void); ///< Closes its files: posix.c.

#endif
