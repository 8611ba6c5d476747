// POSIX: a file that stays open, to be written on behind its end.

#include "base/os_system.h"

#ifdef KIFU__POSIX

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

bool kifu__os_open(const char *path, kifu__open_file *file)
{
    file->file = open(path, O_RDWR | O_CLOEXEC);
    return file->file >= 0 && kifu__os_identify(file);
}

static int64_t changed_time(const struct stat *info)
{
#ifdef __APPLE__ // It has the member under an older name.
    return (int64_t)info->st_mtimespec.tv_sec * 1000000000 + info->st_mtimespec.tv_nsec;
#else
    return (int64_t)info->st_mtim.tv_sec * 1000000000 + info->st_mtim.tv_nsec;
#endif
}

bool kifu__os_is_at(kifu__open_file *file, const char *path, uint64_t size)
{
    struct stat info;
    if (stat(path, &info))
        return false;
    file->found = changed_time(&info);
    return (uint64_t)info.st_dev == file->device && (uint64_t)info.st_ino == file->number &&
           (uint64_t)info.st_size == size;
}

int64_t kifu__os_changed(const kifu__open_file *file)
{
    struct stat info;
    return fstat(file->file, &info) ? 0 : changed_time(&info);
}

void kifu__os_read_tail(const kifu__open_file *file, uint64_t size, unsigned char tail[64])
{
    const uint64_t from = size > 64 ? size - 64 : 0;
    memset(tail, 0, 64);
    (void)!pread(file->file, tail, 64, (off_t)from);
}

bool kifu__os_can_sync(void)
{
    return true;
}

bool kifu__os_anchor(char **path, const kifu__memory *memory)
{
    char folder[4096];
    if (**path == '/' || !getcwd(folder, sizeof folder))
        return true;
    size_t size = strlen(folder) + 1 + strlen(*path) + 1;
    char *whole = (char *)kifu__new(memory, size);
    if (!whole)
        return false;
    snprintf(whole, size, "%s/%s", folder, *path);
    kifu__free(memory, *path);
    *path = whole;
    return true;
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
}

#endif
