// Locks on log files. A lock is on a file beside the log file, because that is replaced by others of its name. It is
// one of flock, which belongs to the open file: fcntl's would end when this process closes any other descriptor of it.
//
// After locking, the name must still mean this file, because the last owner removes it. kifu_save asks for no lock: it
// would cost every program that saves; the append that finds another file refuses to overwrite it.

#include "base/os_system.h"

#ifdef KIFU__POSIX

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef LOCK_EX

enum { MOST_NAME = 240, MOST_TRIES = 1000 };

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

// The file, locked; else -1, and *`fails`: KIFU_OK, where there are no locks.
static int lock_beside(const char *path, const char *name, kifu_result *result, kifu_error *error)
{
    *result = KIFU_OK;
    bool in_use = false;
    for (int i = 0; i < MOST_TRIES && !in_use; i++) {
        const int file = open_lock(name);
        if (file < 0) {
            *result = kifu__os_fail(error, "open", name);
            return -1;
        }
        const bool locked = flock(file, LOCK_EX | LOCK_NB) == 0;
        in_use = !locked && errno == EWOULDBLOCK;
        if (locked && is_named(file, name))
            return file;
        close(file);
        if (!locked && !in_use)
            return -1;
    }
    *result = kifu__error(error, KIFU_IN_USE,
                          "'%.300s' is open as a log file already, in another process or for another timeline of this "
                          "one: close it there first, or choose another path",
                          path);
    return -1;
}

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
    kifu_result result;
    const int file = lock_beside(path, name, &result, error);
    if (file >= 0)
        *made = (kifu__lock){.name = name, .file = file, .process = getpid()};
    else
        kifu__free(memory, name);
    return result;
}

void kifu__os_unlock(kifu__lock *lock, const kifu__memory *memory)
{
    if (!lock->name)
        return;
    if (lock->process == getpid() && is_named(lock->file, lock->name))
        unlink(lock->name); // before others can lock it
    close(lock->file);
    kifu__free(memory, lock->name);
    *lock = (kifu__lock){.name = NULL};
}

#define KIFU__HAS_LOCKS
#endif
#endif

#ifndef KIFU__HAS_LOCKS // Plain C has none.

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
