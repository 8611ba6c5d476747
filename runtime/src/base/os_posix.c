// POSIX: maps, folders, locks, and bytes that are on the disk.

#include "base/os_system.h"

#ifdef KIFU__POSIX

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crc32c.h"

static const char *advice_for(int code)
{
    switch (code) {
    case ENOSPC:
#ifdef EDQUOT
    case EDQUOT:
#endif
        return "the disk is full: free some space and try again";
    case EROFS:
        return "the disk is read-only: choose another place";
    case EACCES:
    case EPERM:
        return "check the permissions of the file and of its folder";
    case ENOENT:
        return "check the path: the file or a folder in it is not there";
    case ENOTDIR:
    case EISDIR:
        return "check which part of the path is a folder and which a file";
    case ENAMETOOLONG:
        return "choose a shorter name";
    case EMFILE:
    case ENFILE:
        return "too many files are open: close some and try again";
    case EIO:
        return "the disk may be failing: copy what you can to another";
    default:
        return "check the path, the permissions and the free space";
    }
}

kifu_result kifu__os_fail(kifu_error *error, const char *call, const char *path)
{
    int code = errno;
    char reason[128];
    if (strerror_r(code, reason, sizeof reason))
        snprintf(reason, sizeof reason, "error %d", code);
    return kifu__error(error, KIFU_IO, "%s of '%.300s' failed: %s; %s", call, path, reason, advice_for(code));
}

bool kifu__os_entropy(void *bytes, size_t size)
{
    int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, bytes, size);
    if (file >= 0)
        close(file);
    return got == (ssize_t)size || kifu__os_clock_entropy(bytes, size);
}

bool kifu__os_exists(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

void kifu__os_make_folder(const char *path)
{
    (void)!mkdir(path, 0777);
}

// --- Reading ---------------------------------------------------------------------------------------------------------

// Not blocking: a pipe among the saves must not stop a listing.
static kifu_result open_to_read(const char *path, int *file, uint64_t *size, kifu_error *error)
{
    *file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*file < 0)
        return kifu__os_fail_to_open(error, "open", path);
    struct stat info;
    kifu_result result = KIFU_OK;
    if (fstat(*file, &info))
        result = kifu__os_fail(error, "fstat", path);
    else if (!S_ISREG(info.st_mode))
        result = kifu__error(error, KIFU_IO, "'%.300s' is no file but a folder or a device; check the path", path);
    else if ((uintmax_t)info.st_size > SIZE_MAX)
        result = kifu__error(error, KIFU_IO, "'%.300s' is larger than this process can read", path);
    else
        *size = (uint64_t)info.st_size;
    if (result)
        close(*file);
    return result;
}

static kifu_result read_from(int file, const char *path, size_t size, const kifu__memory *memory, kifu__file *contents,
                             kifu_error *error)
{
    unsigned char *bytes = NULL;
    if (size && !(bytes = (unsigned char *)kifu__new(memory, size)))
        return kifu__os_no_memory(error, path);
    size_t got = 0;
    while (got < size) {
        ssize_t more = read(file, bytes + got, size - got);
        if (more < 0 && errno == EINTR)
            continue;
        if (more < 0) {
            kifu_result result = kifu__os_fail(error, "read", path);
            kifu__free(memory, bytes);
            return result;
        }
        if (more == 0)
            break; // It became shorter: its frames will tell.
        got += (size_t)more;
    }
    *contents = (kifu__file){.bytes = bytes, .size = got};
    return KIFU_OK;
}

kifu_result kifu__os_read(const char *path, uint64_t most, const kifu__memory *memory, kifu__file *contents,
                          uint64_t *whole_size, kifu_error *error)
{
    int file;
    *contents = (kifu__file){0};
    kifu_result result = open_to_read(path, &file, whole_size, error);
    if (result)
        return result;
    const size_t size = (size_t)(most < *whole_size ? most : *whole_size);
    void *bytes = MAP_FAILED;
    if (size && most == UINT64_MAX)
        bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    if (bytes != MAP_FAILED)
        *contents = (kifu__file){.bytes = (unsigned char *)bytes, .size = size, .mapped = true};
    else // Some file systems cannot map.
        result = read_from(file, path, size, memory, contents, error);
    close(file);
    return result;
}

void kifu__os_release(kifu__file *file, const kifu__memory *memory)
{
    if (file->mapped)
        munmap(file->bytes, file->size);
    else
        kifu__free(memory, file->bytes);
    *file = (kifu__file){0};
}

// --- Writing ---------------------------------------------------------------------------------------------------------

kifu_result kifu__os_append(kifu__open_file *file, const char *path, uint64_t offset, const void *bytes, size_t size,
                            kifu_error *error)
{
    const unsigned char *at = (const unsigned char *)bytes;
    while (size) {
        ssize_t written = pwrite(file->file, at, size, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            if (written == 0)
                errno = ENOSPC;
            return kifu__os_fail(error, "write", path);
        }
        at += written;
        offset += (size_t)written;
        size -= (size_t)written;
    }
    return KIFU_OK;
}

static int sync_file(int file)
{
    int failed;
#ifdef F_FULLFSYNC // macOS: its fsync leaves the bytes in the memory of the disk. Not every disk has this.
    if (fcntl(file, F_FULLFSYNC) != -1)
        return 0;
#endif
    do
        failed = fsync(file);
    while (failed && errno == EINTR);
    return failed;
}

// --- The temporary file of a save ------------------------------------------------------------------------------------

// A process holds a lock on its temporary file until that has its final name or is removed. So a file without a lock is
// one that a killed process left, and the process that gets the lock may remove it. Processes thus need common names,
// or each would have to look through the folder.

#ifdef LOCK_EX
bool kifu__os_temporary_number(unsigned attempt, uint64_t *number)
{
    *number = attempt;
    return attempt < 1000;
}

static bool lock_file(int file)
{
    return flock(file, LOCK_EX | LOCK_NB) == 0;
}
#else
bool kifu__os_temporary_number(unsigned attempt, uint64_t *number)
{
    return attempt < 10 && kifu__os_entropy(number, sizeof *number);
}

static bool lock_file(int file)
{
    (void)file;
    return false;
}
#endif

// Whether `path` still names this file, which is ours, and nothing else does.
static bool is_left(int file, const char *path)
{
    struct stat info, named;
    return fstat(file, &info) == 0 && lstat(path, &named) == 0 && S_ISREG(info.st_mode) && info.st_nlink == 1 &&
           info.st_uid == geteuid() && info.st_dev == named.st_dev && info.st_ino == named.st_ino;
}

// Removes what a killed process left under this name. False: it is in use, or none of ours.
static bool remove_left(const char *path)
{
    const int file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const bool left = file >= 0 && lock_file(file) && is_left(file, path) && unlink(path) == 0;
    if (file >= 0)
        close(file);
    return left;
}

static int create(const char *path, mode_t mode)
{
    const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file >= 0 || errno != EEXIST)
        return file;
    if (remove_left(path))
        return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    errno = EEXIST;
    return -1;
}

// False: another process took it for one that was left, between its creation and its lock. Where a file system has no
// locks, nothing is removed.
static bool keep_others_off(kifu__replacement *replacement)
{
    const int file = replacement->open.file;
    struct stat info;
    int code = EEXIST;
    if ((lock_file(file) || errno != EWOULDBLOCK) && (fstat(file, &info) || info.st_nlink)) {
        replacement->lock = fcntl(file, F_DUPFD_CLOEXEC, 0); // No child goes on holding the lock.
        if (replacement->lock >= 0)
            return true;
        code = errno;
        unlink(replacement->temporary);
    }
    close(file);
    replacement->open.file = -1;
    errno = code;
    return false;
}

static void unlock_temporary(kifu__replacement *replacement)
{
    if (replacement->lock >= 0)
        close(replacement->lock);
    replacement->lock = -1;
}

void kifu__os_drop_temporary(kifu__replacement *replacement)
{
    unlink(replacement->temporary);
    unlock_temporary(replacement);
}

// The same users may read the save as before, as far as the system lets us, and at no time any others. A group that
// cannot be kept gets what all others have.
static void keep_owner(int file, const struct stat *old)
{
    mode_t mode = old->st_mode & 0777;
    if (fchown(file, old->st_uid, old->st_gid) && fchown(file, (uid_t)-1, old->st_gid))
        mode = (mode & ~(mode_t)070) | (mode & 07) << 3;
    (void)!fchmod(file, mode); // also what the umask took away
}

bool kifu__os_create(kifu__replacement *replacement)
{
    struct stat old;
    const bool known = stat(replacement->path, &old) == 0 && S_ISREG(old.st_mode);
    const mode_t mode = known ? old.st_mode & 0700 : 0666;
    const int file = create(replacement->temporary, mode);
    replacement->open.file = file;
    if (file < 0 || !keep_others_off(replacement))
        return false;
    if (known)
        keep_owner(file, &old);
    return true;
}

const char *kifu__os_follow(const char *path, char room[KIFU__MOST_PATH])
{
    enum { MOST_LINKS = 40 };
    char link[KIFU__MOST_PATH];
    ssize_t length;
    for (int links = 0; (length = readlink(path, link, sizeof link)) >= 0; links++) {
        const size_t folder = *link == '/' ? 0 : kifu__os_folder_length(path);
        errno = links < MOST_LINKS ? ENAMETOOLONG : ELOOP;
        if (links == MOST_LINKS || folder + (size_t)length >= sizeof link)
            return NULL;
        memmove(room, path, folder);
        memcpy(room + folder, link, (size_t)length);
        room[folder + (size_t)length] = '\0';
        path = room;
    }
    return path; // It is no link, or nothing: then it will be made.
}

uint32_t kifu__os_place(const char *path)
{
    char room[KIFU__MOST_PATH], folder[KIFU__MOST_PATH];
    struct stat info;
    const char *file = kifu__os_follow(path, room);
    const size_t length = file ? kifu__os_folder_length(file) : 0;
    if (!file || snprintf(folder, sizeof folder, "%.*s.", (int)length, file) >= (int)sizeof folder ||
        stat(folder, &info))
        return 0;
    const uint64_t number = (uint64_t)info.st_ino * 2654435761 + (uint64_t)info.st_dev;
    return kifu__crc32c((uint32_t)number, file + length, strlen(file + length));
}

bool kifu__os_link(const char *from, const char *to)
{
    return link(from, to) == 0;
}

bool kifu__os_is_taken(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

bool kifu__os_identify(kifu__open_file *file)
{
    struct stat info;
    if (fstat(file->file, &info))
        return false;
    file->device = (uint64_t)info.st_dev;
    file->number = (uint64_t)info.st_ino;
    return true;
}

const char *kifu__os_move_over(kifu__replacement *replacement, bool keep)
{
    kifu__open_file *open = &replacement->open;
    if (sync_file(open->file))
        return "fsync";
    if (keep && !kifu__os_identify(open))
        return "fstat";
    if (!keep) {
        const int file = open->file;
        open->file = -1; // Closed even when close fails.
        if (close(file))
            return "close";
    }
    if (rename(replacement->temporary, replacement->path))
        return "replacing";
    unlock_temporary(replacement);
    return NULL;
}

// The folder's new entry on the disk. Who may not open the folder, or whose file system cannot sync one, has done all
// that can be done.
kifu_result kifu__os_moved(kifu__replacement *replacement, bool keep, kifu_error *error)
{
    char *folder = replacement->temporary;
    const size_t length = kifu__os_folder_length(replacement->path);
    (void)keep;
    memcpy(folder + length, length ? "" : ".", length ? 1 : 2);
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return errno == EACCES || errno == EPERM ? KIFU_OK
                                                 : kifu__os_fail(error, "the new file is there, but open", folder);
    kifu_result result = KIFU_OK;
    if (sync_file(file) && errno != EINVAL && errno != ENOTSUP)
        result = kifu__os_fail(error, "the new file is there, but fsync", folder);
    close(file);
    return result;
}

kifu_result kifu__os_sync(kifu__open_file *file, const char *path, kifu_error *error)
{
    return sync_file(file->file) ? kifu__os_fail(error, "fsync", path) : KIFU_OK;
}

kifu_result kifu__os_list(const char *folder, kifu__os_visitor *visit, void *context, kifu_error *error)
{
    DIR *stream = opendir(folder);
    if (!stream)
        return kifu__os_fail_to_open(error, "opendir", folder);
    const struct dirent *entry;
    kifu_result result = KIFU_OK;
    do {
        errno = 0;
        entry = readdir(stream);
        if (!entry && errno)
            result = kifu__os_fail(error, "readdir", folder);
    } while (entry && visit(context, entry->d_name));
    closedir(stream);
    return result;
}

#endif
