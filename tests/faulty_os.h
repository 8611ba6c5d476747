/// A suite that includes this stands in for the operating system at some of its calls: the linker puts `__wrap_open` in
/// the place of `open`, and so on (`-Wl,--wrap=open`; see CMakeLists.txt). Each may be told to fail.
#ifndef TESTS_FAULTY_OS_H
#define TESTS_FAULTY_OS_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fault_at;
static int fault_code;
static bool fault_for_ever;
static bool without_random; ///< /dev/urandom cannot be opened.
static int calls;           ///< So many since `arm`.
static mode_t created_mode;
static char trace[200]; ///< What reached files and disk since `arm`, in order; what is done again and again, once.

enum { NOTHING = INT_MIN };

/// Which call is to fail: 0 none, else its number from now on; all behind it, too, with `for_ever`. What happens then:
/// an error number, 0 to die, or NOTHING: a read or write moves no byte, calls that no error, and leaves errno as an
/// earlier call set it.
static inline void arm(int at, int code, bool for_ever)
{
    fault_at = at;
    fault_code = code;
    fault_for_ever = for_ever;
    calls = 0;
    trace[0] = '\0';
}

static inline void trace_add(const char *what)
{
    static const char *last;
    const size_t used = strlen(trace);
    if (!used || last != what)
        snprintf(trace + used, sizeof trace - used, "%s%s", used ? ", " : "", what);
    last = what;
}

/// For `__wrap_fsync`: of a file, or of a folder?
static inline void trace_sync(const struct stat *info)
{
    trace_add(S_ISDIR(info->st_mode) ? "fsync of the folder" : "fsync of the file");
}

/// Whether this call fails.
static inline bool fault(void)
{
    calls++;
    if (!fault_at || calls < fault_at || (calls > fault_at && !fault_for_ever))
        return false;
    if (!fault_code)
        _exit(99);
    errno = fault_code == NOTHING ? EINTR : fault_code;
    return true;
}

/// What a read or write returns that fails.
static inline ssize_t moved_nothing(void)
{
    return fault_code == NOTHING ? 0 : -1;
}

int __real_open(const char *path, int flags, ...);
ssize_t __real_pwrite(int file, const void *bytes, size_t size, off_t offset);
int __real_close(int file);
int __real_rename(const char *from, const char *to);
int __wrap_open(const char *path, int flags, ...);
ssize_t __wrap_pwrite(int file, const void *bytes, size_t size, off_t offset);
int __wrap_close(int file);
int __wrap_rename(const char *from, const char *to);

int __wrap_open(const char *path, int flags, ...)
{
    if (strcmp(path, "/dev/urandom") ? fault() : without_random)
        return -1;
    if (flags & O_CREAT) {
        va_list arguments;
        va_start(arguments, flags);
        created_mode = (mode_t)va_arg(arguments, int);
        va_end(arguments);
    }
    return __real_open(path, flags, created_mode);
}

// Half of it, so that the file is torn.
ssize_t __wrap_pwrite(int file, const void *bytes, size_t size, off_t offset)
{
    if (fault_at == calls + 1)
        __real_pwrite(file, bytes, size / 2, offset);
    if (fault())
        return moved_nothing();
    trace_add("write");
    // Short writes are to be gone on with, and the last is of one byte.
    const size_t first = (size - 1) % 1000;
    return __real_pwrite(file, bytes, size <= 1000 ? size : first ? first : 1000, offset);
}

int __wrap_close(int file)
{
    bool bad = fault();
    int result = __real_close(file);
    return bad ? -1 : result;
}

int __wrap_rename(const char *from, const char *to)
{
    if (fault())
        return -1;
    trace_add("rename");
    return __real_rename(from, to);
}

#endif
