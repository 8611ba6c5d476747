#if !defined(KIFU_PLAIN_C) && (defined(__unix__) || (defined(__APPLE__) && defined(__MACH__)))
#define POSIX 1
#define _POSIX_C_SOURCE 200809L
#ifndef __LP64__ // Where they would be 32 bits: sizes of files, their numbers on the disk, and the time.
#define _FILE_OFFSET_BITS 64
#define _TIME_BITS 64
#endif
#endif

#include "base/os.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#ifdef POSIX
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

// --- Errors ----------------------------------------------------------------------------------------------------------

static const char *advice(int code)
{
    switch (code) {
#ifdef POSIX
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
        return "check the path";
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
#endif
    default:
        return "check the path, the permissions and the free space, and try again";
    }
}

static kifu_result fail(kifu_error *error, const char *call, const char *path)
{
    int code = errno;
#ifdef POSIX
    char reason[128];
    if (strerror_r(code, reason, sizeof reason))
        snprintf(reason, sizeof reason, "error %d", code);
#else
    const char *reason = strerror(code);
#endif
    return kifu__error(error, KIFU_IO, "%s of '%.300s' failed: %s; %s", call, path, reason, advice(code));
}

static kifu_result no_memory(kifu_error *error, const char *path)
{
    return kifu__error(error, KIFU_NO_MEMORY, "out of memory for '%.300s'", path);
}

// --- What C itself can do --------------------------------------------------------------------------------------------

int64_t kifu__os_now(void)
{
    return (int64_t)time(NULL);
}

void kifu__os_local_time(int64_t seconds, char text[20])
{
    time_t when = (time_t)seconds;
#ifdef POSIX
    struct tm room;
    const struct tm *local = localtime_r(&when, &room);
#else
    const struct tm *local = localtime(&when);
#endif
    if (!local || !strftime(text, 20, "%Y_%m_%d_%H_%M_%S", local))
        strcpy(text, "0000_00_00_00_00_00");
}

// Numbers that differ from call to call and from process to process: the clocks and an address, well stirred
// (SplitMix64).
static bool clock_entropy(unsigned char *bytes, size_t size)
{
    struct timespec now;
    if (timespec_get(&now, TIME_UTC) != TIME_UTC)
        return false;
    uint64_t state = (uint64_t)now.tv_sec * 1000000007u ^ (uint64_t)now.tv_nsec << 20 ^ (uint64_t)clock() << 40 ^
                     (uint64_t)(uintptr_t)&now;
    for (size_t i = 0; i < size; i++) {
        state += UINT64_C(0x9E3779B97F4A7C15);
        uint64_t mixed = (state ^ state >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
        mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
        bytes[i] = (unsigned char)(mixed >> 56);
    }
    return true;
}

void kifu__os_release(kifu__file *file, const kifu__memory *memory)
{
#ifdef POSIX
    if (file->mapped)
        munmap(file->bytes, file->size);
    else
#endif
        kifu__free(memory, file->bytes);
    *file = (kifu__file){0};
}

// Length of the part of `path` that names the folder, with its '/'; 0 where there is none.
static size_t folder_length(const char *path)
{
    size_t length = strlen(path);
    while (length && path[length - 1] != '/'
#ifdef _WIN32
           && path[length - 1] != '\\' && path[length - 1] != ':'
#endif
    )
        length--;
    return length;
}

// The name of the temporary file: ".kifu-0123456789abcdef.tmp" in the folder of `path`, whatever the length of the name
// there. No listing of saves shows it. Room for it is at `name`.
static bool name_temporary(const char *path, char *name)
{
    uint64_t unique;
    if (!kifu__os_entropy(&unique, sizeof unique))
        return false;
    size_t folder = folder_length(path);
    memcpy(name, path, folder);
    snprintf(name + folder, sizeof ".kifu-0123456789abcdef.tmp", ".kifu-%016" PRIx64 ".tmp", unique);
    return true;
}

static size_t temporary_room(const char *path)
{
    return folder_length(path) + sizeof ".kifu-0123456789abcdef.tmp";
}

#ifdef POSIX

// --- POSIX -----------------------------------------------------------------------------------------------------------

bool kifu__os_entropy(void *bytes, size_t size)
{
    int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, bytes, size);
    if (file >= 0)
        close(file);
    return got == (ssize_t)size || clock_entropy((unsigned char *)bytes, size);
}

bool kifu__os_exists(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

// Not blocking: a pipe among the saves must not stop a listing.
static kifu_result open_to_read(const char *path, int *file, uint64_t *size, kifu_error *error)
{
    *file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*file < 0)
        return fail(error, "open", path);
    struct stat info;
    kifu_result result = KIFU_OK;
    if (fstat(*file, &info))
        result = fail(error, "fstat", path);
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
        return no_memory(error, path);
    size_t got = 0;
    while (got < size) {
        ssize_t more = read(file, bytes + got, size - got);
        if (more < 0 && errno == EINTR)
            continue;
        if (more < 0) {
            kifu_result result = fail(error, "read", path);
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

kifu_result kifu__os_map(const char *path, const kifu__memory *memory, kifu__file *contents, kifu_error *error)
{
    int file;
    uint64_t size = 0;
    *contents = (kifu__file){0};
    kifu_result result = open_to_read(path, &file, &size, error);
    if (result)
        return result;
    void *bytes = size ? mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0) : MAP_FAILED;
    if (bytes != MAP_FAILED)
        *contents = (kifu__file){.bytes = (unsigned char *)bytes, .size = (size_t)size, .mapped = true};
    else // Some file systems cannot map.
        result = read_from(file, path, (size_t)size, memory, contents, error);
    close(file);
    return result;
}

kifu_result kifu__os_read(const char *path, uint64_t most, const kifu__memory *memory, kifu__file *contents,
                          uint64_t *whole_size, kifu_error *error)
{
    int file;
    *contents = (kifu__file){0};
    kifu_result result = open_to_read(path, &file, whole_size, error);
    if (result)
        return result;
    uint64_t size = most < *whole_size ? most : *whole_size;
    result = read_from(file, path, (size_t)size, memory, contents, error);
    close(file);
    return result;
}

kifu_result kifu__os_replace_begin(const char *path, const kifu__memory *memory, kifu__replacement *replacement,
                                   kifu_error *error)
{
    char *temporary = (char *)kifu__new(memory, temporary_room(path));
    if (!temporary)
        return no_memory(error, path);
    // Who may read the save is as it was, as far as the system lets us, and at no time is it anybody else.
    struct stat old;
    const bool known = stat(path, &old) == 0 && S_ISREG(old.st_mode);
    const mode_t mode = known ? old.st_mode & 0777 : 0666;
    int file = -1;
    errno = EEXIST;
    for (int tries = 0; file < 0 && errno == EEXIST && tries < 10 && name_temporary(path, temporary); tries++)
        file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file < 0) {
        kifu_result result = fail(error, "creating a file in the folder", path);
        kifu__free(memory, temporary);
        return result;
    }
    if (known) // what the umask took away
        (void)!fchmod(file, mode);
    *replacement = (kifu__replacement){.path = path, .temporary = temporary, .memory = *memory, .file = file};
    return KIFU_OK;
}

kifu_result kifu__os_replace_write(kifu__replacement *replacement, const void *bytes, size_t size, kifu_error *error)
{
    const unsigned char *at = (const unsigned char *)bytes;
    while (size) {
        ssize_t written = write(replacement->file, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            if (written == 0)
                errno = ENOSPC;
            return fail(error, "write", replacement->path);
        }
        at += written;
        size -= (size_t)written;
    }
    return KIFU_OK;
}

static int sync_file(int file)
{
    int failed;
    do
        failed = fsync(file);
    while (failed && errno == EINTR);
    return failed;
}

// The folder's new entry on the disk. Who may not open the folder, or whose file system cannot sync one, has done all
// that can be done.
static kifu_result sync_folder(char *folder, kifu_error *error)
{
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return errno == EACCES || errno == EPERM ? KIFU_OK : fail(error, "the new file is there, but open", folder);
    kifu_result result = KIFU_OK;
    if (sync_file(file) && errno != EINVAL && errno != ENOTSUP)
        result = fail(error, "the new file is there, but fsync", folder);
    close(file);
    return result;
}

kifu_result kifu__os_replace_commit(kifu__replacement *replacement, kifu_error *error)
{
    const char *failed = NULL;
    if (sync_file(replacement->file))
        failed = "fsync";
    else {
        int file = replacement->file;
        replacement->file = -1; // Closed even when close fails.
        if (close(file))
            failed = "close";
        else if (rename(replacement->temporary, replacement->path))
            failed = "replacing";
    }
    if (failed) {
        kifu_result result = fail(error, failed, replacement->path);
        kifu__os_replace_abandon(replacement);
        return result;
    }
    char *folder = replacement->temporary;
    size_t length = folder_length(replacement->path);
    strcpy(folder + length, length ? "" : ".");
    kifu_result result = sync_folder(folder, error);
    kifu__free(&replacement->memory, folder);
    replacement->temporary = NULL;
    return result;
}

void kifu__os_replace_abandon(kifu__replacement *replacement)
{
    if (replacement->file >= 0)
        close(replacement->file);
    if (replacement->temporary) {
        unlink(replacement->temporary);
        kifu__free(&replacement->memory, replacement->temporary);
    }
    replacement->file = -1;
    replacement->temporary = NULL;
}

// --- A file that stays open ------------------------------------------------------------------------------------------

// The file has a second descriptor while the first is closed, as ever, before it gets its name.
kifu_result kifu__os_replace_keep(kifu__replacement *replacement, kifu__open_file *file, kifu_error *error)
{
    struct stat info;
    int kept = fcntl(replacement->file, F_DUPFD_CLOEXEC, 0);
    if (kept < 0 || fstat(kept, &info)) {
        kifu_result result = fail(error, kept < 0 ? "fcntl" : "fstat", replacement->path);
        if (kept >= 0)
            close(kept);
        kifu__os_replace_abandon(replacement);
        return result;
    }
    kifu_result result = kifu__os_replace_commit(replacement, error);
    if (result)
        close(kept);
    else
        *file = (kifu__open_file){.file = kept, .device = (uint64_t)info.st_dev, .number = (uint64_t)info.st_ino};
    return result;
}

bool kifu__os_is_at(const kifu__open_file *file, const char *path, uint64_t size)
{
    struct stat info;
    return stat(path, &info) == 0 && (uint64_t)info.st_dev == file->device && (uint64_t)info.st_ino == file->number &&
           (uint64_t)info.st_size == size;
}

bool kifu__os_anchor(char **path, const kifu__memory *memory)
{
    char folder[4096];
    if (**path == '/' || !getcwd(folder, sizeof folder))
        return true;
    size_t length = strlen(folder), rest = strlen(*path) + 1;
    char *whole = (char *)kifu__new(memory, length + 1 + rest);
    if (!whole)
        return false;
    memcpy(whole, folder, length);
    whole[length] = '/';
    memcpy(whole + length + 1, *path, rest);
    kifu__free(memory, *path);
    *path = whole;
    return true;
}

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
            return fail(error, "write", path);
        }
        at += written;
        offset += (uint64_t)written;
        size -= (size_t)written;
    }
    return KIFU_OK;
}

kifu_result kifu__os_sync(kifu__open_file *file, const char *path, kifu_error *error)
{
    return sync_file(file->file) ? fail(error, "fsync", path) : KIFU_OK;
}

bool kifu__os_cut(kifu__open_file *file, uint64_t size)
{
    return ftruncate(file->file, (off_t)size) == 0;
}

bool kifu__os_free_name(kifu__open_file *file)
{
    (void)file;
    return true;
}

void kifu__os_close(kifu__open_file *file)
{
    if (file->file >= 0)
        close(file->file);
    file->file = -1;
}

kifu_result kifu__os_list(const char *folder, kifu__os_visitor *visit, void *context, kifu_error *error)
{
    DIR *stream = opendir(folder);
    if (!stream)
        return fail(error, "opendir", folder);
    const struct dirent *entry;
    kifu_result result = KIFU_OK;
    do {
        errno = 0;
        entry = readdir(stream);
        if (!entry && errno)
            result = fail(error, "readdir", folder);
    } while (entry && visit(context, entry->d_name));
    closedir(stream);
    return result;
}

#else

// --- Plain C ---------------------------------------------------------------------------------------------------------
// No maps, no folders, no way to force bytes onto the disk, and a rename that may refuse to replace a file.

bool kifu__os_entropy(void *bytes, size_t size)
{
    return clock_entropy((unsigned char *)bytes, size);
}

bool kifu__os_exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

kifu_result kifu__os_read(const char *path, uint64_t most, const kifu__memory *memory, kifu__file *contents,
                          uint64_t *whole_size, kifu_error *error)
{
    *contents = (kifu__file){0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail(error, "fopen", path);
    long end = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
    kifu_result result = KIFU_OK;
    unsigned char *bytes = NULL;
    if (end < 0 || end == LONG_MAX || fseek(file, 0, SEEK_SET)) // LONG_MAX: a folder, on some systems
        result = fail(error, "fseek", path);
    else {
        *whole_size = (uint64_t)end;
        size_t size = (size_t)(most < (uint64_t)end ? most : (uint64_t)end);
        if (size && !(bytes = (unsigned char *)kifu__new(memory, size)))
            result = no_memory(error, path);
        else
            *contents = (kifu__file){.bytes = bytes, .size = size ? fread(bytes, 1, size, file) : 0};
        if (!result && ferror(file)) {
            result = fail(error, "fread", path);
            kifu__os_release(contents, memory);
        }
    }
    fclose(file);
    return result;
}

kifu_result kifu__os_map(const char *path, const kifu__memory *memory, kifu__file *contents, kifu_error *error)
{
    uint64_t size;
    return kifu__os_read(path, UINT64_MAX, memory, contents, &size, error);
}

kifu_result kifu__os_replace_begin(const char *path, const kifu__memory *memory, kifu__replacement *replacement,
                                   kifu_error *error)
{
    char *temporary = (char *)kifu__new(memory, temporary_room(path));
    if (!temporary)
        return no_memory(error, path);
    FILE *file = NULL;
    for (int tries = 0; !file && tries < 10 && name_temporary(path, temporary); tries++)
        file = fopen(temporary, "wbx");
    if (!file) {
        kifu_result result = fail(error, "creating a file in the folder", path);
        kifu__free(memory, temporary);
        return result;
    }
    *replacement = (kifu__replacement){.path = path, .temporary = temporary, .memory = *memory, .stream = file};
    return KIFU_OK;
}

kifu_result kifu__os_replace_write(kifu__replacement *replacement, const void *bytes, size_t size, kifu_error *error)
{
    if (size && fwrite(bytes, 1, size, (FILE *)replacement->stream) != size)
        return fail(error, "fwrite", replacement->path);
    return KIFU_OK;
}

// Where rename does not replace, the old file steps aside first. A crash between the two renames leaves it there,
// whole, as `path`.old.
static bool move_over(const kifu__replacement *replacement)
{
    if (!rename(replacement->temporary, replacement->path))
        return true;
    size_t length = strlen(replacement->path);
    char *aside = (char *)kifu__new(&replacement->memory, length + sizeof ".old");
    if (!aside)
        return false;
    memcpy(aside, replacement->path, length);
    memcpy(aside + length, ".old", sizeof ".old");
    remove(aside);
    bool done = false;
    if (!rename(replacement->path, aside)) {
        done = !rename(replacement->temporary, replacement->path);
        if (done)
            remove(aside);
        else
            rename(aside, replacement->path);
    }
    kifu__free(&replacement->memory, aside);
    return done;
}

kifu_result kifu__os_replace_commit(kifu__replacement *replacement, kifu_error *error)
{
    FILE *file = (FILE *)replacement->stream;
    replacement->stream = NULL;
    const char *failed = NULL;
    if (fclose(file))
        failed = "fclose";
    else if (!move_over(replacement))
        failed = "replacing";
    if (failed) {
        kifu_result result = fail(error, failed, replacement->path);
        kifu__os_replace_abandon(replacement);
        return result;
    }
    kifu__free(&replacement->memory, replacement->temporary);
    replacement->temporary = NULL;
    return KIFU_OK;
}

void kifu__os_replace_abandon(kifu__replacement *replacement)
{
    if (replacement->stream)
        fclose((FILE *)replacement->stream);
    if (replacement->temporary) {
        remove(replacement->temporary);
        kifu__free(&replacement->memory, replacement->temporary);
    }
    replacement->stream = NULL;
    replacement->temporary = NULL;
}

// A file cannot be renamed while it is open, on some systems: so it is opened again.
kifu_result kifu__os_replace_keep(kifu__replacement *replacement, kifu__open_file *file, kifu_error *error)
{
    const char *path = replacement->path;
    kifu_result result = kifu__os_replace_commit(replacement, error);
    if (result)
        return result;
    FILE *stream = fopen(path, "r+b");
    if (!stream)
        return fail(error, "the new file is there, but fopen", path);
    *file = (kifu__open_file){.stream = stream, .file = -1};
    return KIFU_OK;
}

bool kifu__os_is_at(const kifu__open_file *file, const char *path, uint64_t size)
{
    (void)file;
    (void)size;
    return kifu__os_exists(path);
}

bool kifu__os_anchor(char **path, const kifu__memory *memory)
{
    (void)path;
    (void)memory;
    return true;
}

kifu_result kifu__os_append(kifu__open_file *file, const char *path, uint64_t offset, const void *bytes, size_t size,
                            kifu_error *error)
{
    FILE *stream = (FILE *)file->stream;
    if (offset > LONG_MAX)
        return kifu__error(error, KIFU_IO, "'%.300s' is larger than this build of Kifu (plain C) can append to", path);
    if (fseek(stream, (long)offset, SEEK_SET) || fwrite(bytes, 1, size, stream) != size || fflush(stream))
        return fail(error, "fwrite", path);
    return KIFU_OK;
}

kifu_result kifu__os_sync(kifu__open_file *file, const char *path, kifu_error *error)
{
    (void)file;
    (void)path;
    (void)error;
    return KIFU_OK;
}

bool kifu__os_cut(kifu__open_file *file, uint64_t size)
{
    (void)file;
    (void)size;
    return false;
}

bool kifu__os_free_name(kifu__open_file *file)
{
    kifu__os_close(file);
    return false;
}

void kifu__os_close(kifu__open_file *file)
{
    if (file->stream)
        fclose((FILE *)file->stream);
    file->stream = NULL;
}

kifu_result kifu__os_list(const char *folder, kifu__os_visitor *visit, void *context, kifu_error *error)
{
    (void)visit;
    (void)context;
    return kifu__error(error, KIFU_IO,
                       "'%.300s' cannot be listed: this build of Kifu knows no folders (plain C); keep a list of the "
                       "saves yourself, and use kifu_read_save_info",
                       folder);
}

#endif
