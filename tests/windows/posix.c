// See system.h: calls of POSIX, which the suites may stand in for, as calls of Windows. Of descriptors that are none of
// the table, they are those of the C library.

#include <compat.h>
#include <errno.h>

#include "system.h"

#undef rename

int fsync(int file);
int pwrite(int file, const void *bytes, size_t size, off_t offset);
int link(const char *from, const char *to);

static int fail(void)
{
    errno = compat_errno(GetLastError());
    return -1;
}

static open_file *file_of(int file)
{
    return file >= FIRST_FILE ? &system_files[file - FIRST_FILE] : NULL;
}

int open(const char *path, int flags, ...)
{
    const pending *what = &system_pending;
    if (!strcmp(path, "/dev/urandom"))
        return RANDOM;
    if (!what->path)
        return _open(path, flags, 0600);
    const HANDLE handle =
        __real___imp_CreateFileW(what->path, what->access, what->share, NULL, what->how, what->flags, NULL);
    system_pending.path = NULL;
    if (handle == INVALID_HANDLE_VALUE)
        return fail();
    for (int i = 0; i < MOST_FILES; i++) {
        open_file *file = &system_files[i];
        if (file->handle)
            continue;
        *file = (open_file){.handle = handle, .of_child = compat_in_child()};
        snprintf(file->path, sizeof file->path, "%s", path);
        return FIRST_FILE + i;
    }
    abort();
}

static int close_file(open_file *file)
{
    const HANDLE handle = file->handle;
    file->handle = NULL;
    return __real___imp_CloseHandle(handle) ? 0 : fail();
}

int close(int number)
{
    return file_of(number) ? close_file(file_of(number)) : _close(number);
}

// A process that ends closes its files.
static void close_all(void)
{
    for (int i = 0; i < MOST_FILES; i++)
        if (system_files[i].handle && system_files[i].of_child)
            close_file(&system_files[i]);
}

__attribute__((constructor)) static void close_at_end_of_child(void)
{
    compat_end_child = close_all;
}

int pwrite(int number, const void *bytes, size_t size, off_t offset)
{
    OVERLAPPED place = {.Offset = (DWORD)offset};
    DWORD written = 0;
    return __real___imp_WriteFile(file_of(number)->handle, bytes, (DWORD)size, &written, &place) ? (int)written
                                                                                                 : fail();
}

int read(int number, void *bytes, unsigned size)
{
    open_file *file = file_of(number);
    DWORD got = 0;
    if (!file)
        return _read(number, bytes, size);
    return __real___imp_ReadFile(file->handle, bytes, size, &got, NULL) ? (int)got : fail();
}

int fsync(int number)
{
    return __real___imp_FlushFileBuffers(file_of(number)->handle) ? 0 : fail();
}

int ftruncate(int number, off_t size)
{
    open_file *file = file_of(number);
    if (!file)
        return _chsize_s(number, size);
    return __real___imp_SetFileInformationByHandle(file->handle, FileEndOfFileInfo, system_pending.info,
                                                   system_pending.size)
               ? 0
               : fail();
}

int rename(const char *from, const char *to)
{
    open_file *moved = NULL;
    for (int i = 0; system_pending.info && i < MOST_FILES; i++)
        if (system_files[i].handle && !strcmp(system_files[i].path, from))
            moved = &system_files[i];
    if (!moved)
        return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) ? 0 : fail();
    FILE_RENAME_INFO *name = system_pending.info;
    DWORD *flags = system_pending.info, plain = *flags;
    *flags = plain | 2; // The rename of Windows 10, first.
    const bool done = __real___imp_SetFileInformationByHandle(moved->handle, (FILE_INFO_BY_HANDLE_CLASS)22, name,
                                                              system_pending.size);
    *flags = plain;
    if (!done && !__real___imp_SetFileInformationByHandle(moved->handle, FileRenameInfo, name, system_pending.size))
        return fail();
    moved->is_moved = true;
    return 0;
}

int link(const char *from, const char *to)
{
    wchar_t one[5000], other[5000];
    MultiByteToWideChar(CP_UTF8, 0, from, -1, one, 5000);
    MultiByteToWideChar(CP_UTF8, 0, to, -1, other, 5000);
    return __real___imp_CreateHardLinkW(other, one, NULL) ? 0 : fail();
}

char *getcwd(char *folder, int size)
{
    return size < 0 ? folder : _getcwd(folder, size);
}

// A file that has its final name passes for a folder: what is synced then is the name.
int fstat(int number, struct stat *info)
{
    const open_file *file = file_of(number);
    struct _stat64 found;
    memset(info, 0, sizeof *info);
    if (!file && _fstat64(number, &found))
        return -1;
    info->st_mode = !file ? found.st_mode : file->is_moved ? S_IFDIR : S_IFREG;
    return 0;
}

int stat(const char *path, struct stat *info)
{
    struct _stat64 found;
    memset(info, 0, sizeof *info);
    if (_stat64(path, &found))
        return -1;
    info->st_mode = found.st_mode;
    info->st_size = (off_t)found.st_size;
    const HANDLE file = CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                    OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    BY_HANDLE_FILE_INFORMATION which;
    if (file != INVALID_HANDLE_VALUE) {
        if (__real___imp_GetFileInformationByHandle(file, &which))
            info->st_ino = (unsigned short)which.nFileIndexLow;
        __real___imp_CloseHandle(file);
    }
    return 0;
}
