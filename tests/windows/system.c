// See system.h: calls of Windows, on their way to calls of POSIX.

#include <compat.h>
#include <dirent.h>
#include <errno.h>

#include "system.h"

open_file system_files[MOST_FILES];
pending system_pending;

int fsync(int file);
int pwrite(int file, const void *bytes, size_t size, off_t offset);
int link(const char *from, const char *to);
#undef rename

int system_number_of(HANDLE handle)
{
    for (int i = 0; handle && i < MOST_FILES; i++)
        if (system_files[i].handle == handle)
            return FIRST_FILE + i;
    return -1;
}

// The call has failed with `errno`.
static BOOL fail(void)
{
    SetLastError(compat_code(errno));
    return FALSE;
}

static void narrow(const wchar_t *path, char *room, size_t size)
{
    if (!WideCharToMultiByte(CP_UTF8, 0, path, -1, room, (int)size, NULL, NULL))
        abort();
}

static DWORD other_disk; // What the suite says of the file that was looked at last: posix.c says 0.

static HANDLE WINAPI create_file(const wchar_t *path, DWORD access, DWORD share, SECURITY_ATTRIBUTES *security,
                                 DWORD how, DWORD flags, HANDLE template)
{
    char name[5000];
    if (access == FILE_READ_ATTRIBUTES) {
        struct stat info = {0};
        narrow(path, name, sizeof name);
        (void)stat(name, &info);
        other_disk = (DWORD)info.st_dev;
    }
    if (!(access & (GENERIC_READ | GENERIC_WRITE)))
        return __real___imp_CreateFileW(path, access, share, security, how, flags, template);
    narrow(path, name, sizeof name);
    system_pending = (pending){.path = path, .access = access, .share = share, .how = how, .flags = flags};
    const int file = how == OPEN_EXISTING ? open(name, _O_RDWR) : open(name, _O_RDWR | _O_CREAT, 0600);
    if (file < 0)
        return fail() ? NULL : INVALID_HANDLE_VALUE;
    return system_files[file - FIRST_FILE].handle;
}

static BOOL WINAPI write_file(HANDLE handle, const void *bytes, DWORD size, DWORD *written, OVERLAPPED *place)
{
    const int file = system_number_of(handle);
    if (file < 0)
        return __real___imp_WriteFile(handle, bytes, size, written, place);
    const int done = (int)pwrite(file, bytes, size, (off_t)place->Offset);
    *written = done < 0 ? 0 : (DWORD)done;
    return done >= 0 || fail();
}

static BOOL WINAPI read_file(HANDLE handle, void *bytes, DWORD size, DWORD *got, OVERLAPPED *place)
{
    const int file = place ? -1 : system_number_of(handle);
    if (file < 0)
        return __real___imp_ReadFile(handle, bytes, size, got, place);
    const int done = (int)read(file, bytes, size);
    *got = done < 0 ? 0 : (DWORD)done;
    return done >= 0 || fail();
}

static BOOL WINAPI flush(HANDLE handle)
{
    const int file = system_number_of(handle);
    if (file < 0)
        return __real___imp_FlushFileBuffers(handle);
    return fsync(file) == 0 || fail();
}

static BOOL WINAPI close_handle(HANDLE handle)
{
    const int file = system_number_of(handle);
    if (file < 0)
        return __real___imp_CloseHandle(handle);
    return close(file) == 0 || fail();
}

static BOOL WINAPI set_information(HANDLE handle, FILE_INFO_BY_HANDLE_CLASS what, void *info, DWORD size)
{
    const int file = system_number_of(handle);
    const FILE_RENAME_INFO *name = info;
    char path[5000];
    system_pending = (pending){.info = info, .size = size};
    if (file < 0)
        return __real___imp_SetFileInformationByHandle(handle, what, info, size);
    if (what == FileEndOfFileInfo)
        return ftruncate(file, (off_t)((FILE_END_OF_FILE_INFO *)info)->EndOfFile.QuadPart) == 0 || fail();
    if (what == 22) { // The rename of Windows 10: it is in posix.c, so that one call of POSIX stands for both.
        SetLastError(ERROR_INVALID_PARAMETER);
        return FALSE;
    }
    if (what != FileRenameInfo)
        return __real___imp_SetFileInformationByHandle(handle, what, info, size);
    narrow(name->FileName, path, sizeof path);
    return rename(system_files[file - FIRST_FILE].path, path) == 0 || fail();
}

static BOOL WINAPI get_information(HANDLE handle, BY_HANDLE_FILE_INFORMATION *info)
{
    struct stat seen;
    const int file = system_number_of(handle);
    if (!__real___imp_GetFileInformationByHandle(handle, info))
        return FALSE;
    if (file < 0)
        info->dwVolumeSerialNumber += other_disk;
    return file < 0 || fstat(file, &seen) == 0 || fail();
}

static BOOL WINAPI hard_link(const wchar_t *to, const wchar_t *from, SECURITY_ATTRIBUTES *security)
{
    char one[5000], other[5000];
    (void)security;
    narrow(from, one, sizeof one);
    narrow(to, other, sizeof other);
    return link(one, other) == 0 || fail();
}

// A listing of POSIX goes along, for its failures alone.
static DIR *listing;

static HANDLE WINAPI find_first(const wchar_t *path, WIN32_FIND_DATAW *entry)
{
    if (listing)
        closedir(listing);
    listing = opendir(".");
    if (!listing)
        return fail() ? NULL : INVALID_HANDLE_VALUE;
    return __real___imp_FindFirstFileW(path, entry);
}

static BOOL WINAPI find_next(HANDLE handle, WIN32_FIND_DATAW *entry)
{
    errno = 0;
    if (!readdir(listing) && errno)
        return fail();
    return __real___imp_FindNextFileW(handle, entry);
}

static DWORD WINAPI full_path(const wchar_t *path, DWORD size, wchar_t *whole, wchar_t **part)
{
    char room[10];
    if (!getcwd(room, -1)) { // see posix.c
        fail();
        return 0;
    }
    return __real___imp_GetFullPathNameW(path, size, whole, part);
}

// Random numbers come from no file here, but suites take them away by it.
static int random_number(unsigned *number)
{
    return open("/dev/urandom", _O_RDONLY) < 0 ? EINVAL : __real___imp_rand_s(number);
}

#define WRAP(call, by)                                                                                                 \
    extern __typeof__(&call) __wrap___imp_##call;                                                                      \
    __typeof__(&call) __wrap___imp_##call = (__typeof__(&call))(by)
WRAP(CreateFileW, create_file);
WRAP(WriteFile, write_file);
WRAP(ReadFile, read_file);
WRAP(FlushFileBuffers, flush);
WRAP(CloseHandle, close_handle);
WRAP(SetFileInformationByHandle, set_information);
WRAP(GetFileInformationByHandle, get_information);
WRAP(CreateHardLinkW, hard_link);
WRAP(FindFirstFileW, find_first);
WRAP(FindNextFileW, find_next);
WRAP(GetFullPathNameW, full_path);
WRAP(rand_s, random_number);
