// Locks on log files. A lock is on a file beside the log file, because that is replaced by others of its name. It is
// one of flock, which belongs to the open file: fcntl's would end when this process closes any other descriptor of it.
//
// After locking, the name must still mean this file, because the last owner removes it. On Windows, the owner shares
// the file with no process, and the system removes it when the owner closes it, also by ending. kifu_save asks for no
// lock: it would cost every program that saves; the append that finds another file refuses to overwrite it.

#include "base/os_system.h"

#ifdef KIFU__POSIX

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef LOCK_EX

#define KIFU__HAS_LOCKS

enum { MOST_TRIES = 1000 };

// Of another user it may be only readable. O_CREAT may be refused for a file that exists (Linux's
// protected_regular), so it is opened once more.
static int open_lock(const char *name)
{
    enum { FLAGS = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK };
    const int file = open(name, O_RDWR | O_CREAT | FLAGS, 0666);
    return file < 0 && errno == EACCES ? open(name, O_RDONLY | FLAGS) : file;
}

// Whether the name still means this file: its last owner removes it.
static bool is_named(int file, const char *name)
{
    struct stat info, named;
    return fstat(file, &info) == 0 && lstat(name, &named) == 0 && info.st_dev == named.st_dev &&
           info.st_ino == named.st_ino;
}

// `lock->file` stays -1 where there are no locks.
static kifu_result take_lock(const char *name, kifu__lock *lock, kifu_error *error)
{
    for (int i = 0; i < MOST_TRIES; i++) {
        const int file = open_lock(name);
        if (file < 0)
            return kifu__os_fail(error, "open", name);
        const bool locked = flock(file, LOCK_EX | LOCK_NB) == 0;
        const bool in_use = !locked && errno == EWOULDBLOCK;
        if (locked && is_named(file, name)) {
            lock->file = file;
            lock->process = getpid();
            return KIFU_OK;
        }
        close(file);
        if (!locked)
            return in_use ? KIFU_IN_USE : KIFU_OK;
    }
    return KIFU_IN_USE;
}

static void release_lock(const kifu__lock *lock)
{
    if (lock->process == getpid() && is_named(lock->file, lock->name))
        unlink(lock->name); // before others can lock it
    close(lock->file);
}

#endif

#elif defined(KIFU__WINDOWS)

#include "base/os_windows.h"

#define KIFU__HAS_LOCKS

static kifu_result take_lock(const char *name, kifu__lock *lock, kifu_error *error)
{
    enum { MOST_TRIES = 10, WAIT = 10 };
    for (int i = 0; i < MOST_TRIES; i++) {
        const HANDLE file = kifu__os_handle(name, GENERIC_WRITE | DELETE, 0, OPEN_ALWAYS,
                                            FILE_ATTRIBUTE_HIDDEN | FILE_FLAG_DELETE_ON_CLOSE);
        if (file) {
            lock->file = 0;
            lock->process = (int64_t)(intptr_t)file;
            return KIFU_OK;
        }
        if (GetLastError() == ERROR_SHARING_VIOLATION)
            return KIFU_IN_USE;
        if (GetLastError() != ERROR_ACCESS_DENIED)
            break;
        Sleep(WAIT); // Access is refused while the system removes an earlier one.
        SetLastError(ERROR_ACCESS_DENIED);
    }
    return kifu__os_fail(error, "open", name);
}

static void release_lock(const kifu__lock *lock)
{
    CloseHandle((HANDLE)(intptr_t)lock->process);
}

#endif

#ifdef KIFU__HAS_LOCKS

enum { MOST_NAME = 240 };

kifu_result kifu__os_lock(const char *path, const kifu__memory *memory, kifu__lock *made, kifu_error *error)
{
    char room[KIFU__MOST_PATH];
    const char *target = kifu__os_follow(path, room);
    if (!target)
        return kifu__os_fail(error, "readlink", path);
    const size_t folder = kifu__os_folder_length(target), size = folder + MOST_NAME + sizeof "..lock";
    char *name = (char *)kifu__new(memory, size);
    if (!name)
        return kifu__os_no_memory(error, path);
    snprintf(name, size, "%.*s.%.*s.lock", (int)folder, target, (int)MOST_NAME, target + folder);
    kifu__lock lock = {.name = name, .file = -1};
    const kifu_result result = take_lock(name, &lock, error);
    if (lock.file >= 0) {
        *made = lock;
        return KIFU_OK;
    }
    kifu__free(memory, name);
    if (result != KIFU_IN_USE)
        return result;
    return kifu__error(error, KIFU_IN_USE,
                       "'%.300s' is open as a log file already, in another process or for another timeline of this "
                       "one: close it there first, or choose another path",
                       path);
}

void kifu__os_unlock(kifu__lock *lock, const kifu__memory *memory)
{
    if (!lock->name)
        return;
    release_lock(lock);
    kifu__free(memory, lock->name);
    *lock = (kifu__lock){.name = NULL};
}

#else // Plain C has none.

kifu_result kifu__os_lock(const char *path, const kifu__memory *memory, kifu__lock *lock, kifu_error *error)
{
    (void)path, (void)memory, (void)lock, (void)error;
    return KIFU_OK;
}

void kifu__os_unlock(kifu__lock *lock, const kifu__memory *memory)
{
    (void)lock, (void)memory;
}

#endif
