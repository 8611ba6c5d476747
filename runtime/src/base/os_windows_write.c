// Windows: files that are written and replaced.

#include "base/os_windows.h"

#ifdef KIFU__WINDOWS

enum { MOST_WRITTEN = 1 << 30 };

// The system sets the time of the last write when it likes. Set here, it differs only if others write, too.
static void set_write_time(HANDLE file)
{
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    SetFileTime(file, NULL, NULL, &now);
}

kifu_result kifu__os_append(kifu__open_file *file, const char *path, uint64_t offset, const void *bytes, size_t size,
                            kifu_error *error)
{
    const unsigned char *at = (const unsigned char *)bytes;
    while (size) {
        OVERLAPPED place = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
        DWORD written = 0;
        const DWORD most = size < MOST_WRITTEN ? (DWORD)size : MOST_WRITTEN;
        const bool done = WriteFile((HANDLE)file->stream, at, most, &written, &place);
        if (done && !written)
            SetLastError(ERROR_DISK_FULL);
        if (!done || !written)
            return kifu__os_fail(error, "write", path);
        at += written;
        offset += written;
        size -= written;
    }
    set_write_time((HANDLE)file->stream);
    return KIFU_OK;
}

kifu_result kifu__os_sync(kifu__open_file *file, const char *path, kifu_error *error)
{
    return FlushFileBuffers((HANDLE)file->stream) ? KIFU_OK : kifu__os_fail(error, "fsync", path);
}

bool kifu__os_can_sync(void)
{
    return true;
}

// --- The temporary file of a save ------------------------------------------------------------------------------------

// All processes use the same names. While a process has its temporary file open, no other can remove it: so one that
// can be removed is one that a killed process left.
bool kifu__os_temporary_number(unsigned attempt, uint64_t *number)
{
    *number = attempt;
    return attempt < 100;
}

// Removes what a killed process left under this name. False: it is in use, or none of ours, as it is a folder or has
// another name, too.
static bool remove_left_file(const char *path)
{
    BY_HANDLE_FILE_INFORMATION info;
    FILE_DISPOSITION_INFO remove = {.DeleteFile = TRUE};
    const HANDLE file = kifu__os_handle(path, GENERIC_READ | DELETE, 0, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT);
    const bool left = file && GetFileInformationByHandle(file, &info) && info.nNumberOfLinks == 1 &&
                      !(info.dwFileAttributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT)) &&
                      SetFileInformationByHandle(file, FileDispositionInfo, &remove, sizeof remove);
    if (file)
        CloseHandle(file);
    return left;
}

void kifu__os_drop_temporary(kifu__replacement *replacement)
{
    wchar_t wide[KIFU__MOST_WIDE];
    if (kifu__os_wide(replacement->temporary, wide))
        DeleteFileW(wide);
}

static HANDLE create_temporary(const char *path)
{
    const DWORD access = GENERIC_READ | GENERIC_WRITE | DELETE;
    return kifu__os_handle(path, access, FILE_SHARE_READ, CREATE_NEW, FILE_ATTRIBUTE_NORMAL);
}

bool kifu__os_create(kifu__replacement *replacement)
{
    const char *path = replacement->temporary;
    HANDLE file = create_temporary(path);
    DWORD code = GetLastError();
    if (!file && errno == EEXIST) {
        file = remove_left_file(path) ? create_temporary(path) : NULL;
        errno = EEXIST;
    } else if (!file && code == ERROR_ACCESS_DENIED) {
        // A file that is removed but still open somewhere keeps its name, and cannot be opened.
        const bool exists = kifu__os_exists(path) || GetLastError() == ERROR_ACCESS_DENIED;
        errno = exists ? EEXIST : EACCES;
    }
    SetLastError(code);
    replacement->open.stream = file;
    return file != NULL;
}

bool kifu__os_link(const char *from, const char *to)
{
    wchar_t one[KIFU__MOST_WIDE], other[KIFU__MOST_WIDE];
    return kifu__os_wide(from, one) && kifu__os_wide(to, other) && CreateHardLinkW(other, one, NULL);
}

// --- Replacing -------------------------------------------------------------------------------------------------------

// FILE_RENAME_INFO, with room for the name.
typedef struct new_name {
    DWORD flags;
    HANDLE folder; // None: the path is absolute.
    DWORD length;
    wchar_t path[KIFU__MOST_WIDE];
} new_name;

// From Windows 10 on, a file can be replaced while others have it open, if they let it be removed. A rename by the open
// file leaves no moment when another process could take the temporary file for one that was left.
static bool rename_open(HANDLE file, new_name *name)
{
    enum { RENAME_EX = 22, REPLACE = 1, POSIX_SEMANTICS = 2 };
    name->flags = REPLACE | POSIX_SEMANTICS;
    if (SetFileInformationByHandle(file, (FILE_INFO_BY_HANDLE_CLASS)RENAME_EX, name, sizeof *name))
        return true;
    name->flags = REPLACE;
    return SetFileInformationByHandle(file, FileRenameInfo, name, sizeof *name);
}

// Another program, such as a scanner for viruses, may have the old file open for a moment.
static bool move_open(HANDLE file, const char *path)
{
    enum { MOST_TRIES = 10, WAIT = 20 };
    new_name name = {.folder = NULL};
    if (!kifu__os_wide(path, name.path))
        return false;
    name.length = (DWORD)(wcslen(name.path) * sizeof *name.path);
    for (int i = 0; i < MOST_TRIES; i++) {
        if (i)
            Sleep(WAIT);
        if (rename_open(file, &name))
            return true;
        const DWORD code = GetLastError();
        if (code != ERROR_ACCESS_DENIED && code != ERROR_SHARING_VIOLATION && code != ERROR_LOCK_VIOLATION)
            return false;
    }
    return false;
}

bool kifu__os_identify(kifu__open_file *file)
{
    BY_HANDLE_FILE_INFORMATION info;
    if (!GetFileInformationByHandle((HANDLE)file->stream, &info))
        return false;
    file->device = info.dwVolumeSerialNumber;
    file->number = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    return true;
}

const char *kifu__os_move_over(kifu__replacement *replacement, bool keep)
{
    const HANDLE file = (HANDLE)replacement->open.stream;
    if (!FlushFileBuffers(file))
        return "fsync";
    if (keep && !kifu__os_identify(&replacement->open))
        return "fstat";
    return move_open(file, replacement->path) ? NULL : "replacing";
}

// Opened again, so that others may write, replace and remove it, as they may elsewhere.
kifu_result kifu__os_moved(kifu__replacement *replacement, bool keep, kifu_error *error)
{
    kifu__open_file *open = &replacement->open, old = *open;
    kifu_result result = KIFU_OK;
    if (!FlushFileBuffers((HANDLE)old.stream)) // its new name
        result = kifu__os_fail(error, "the new file is there, but fsync", replacement->path);
    kifu__os_close(open);
    if (result || !keep)
        return result;
    if (!kifu__os_open(replacement->path, open))
        return kifu__os_fail(error, "the new file is there, but open", replacement->path);
    if (open->device == old.device && open->number == old.number)
        return KIFU_OK;
    return kifu__error(error, KIFU_IO, "'%.300s' was replaced by another program at once; try again",
                       replacement->path);
}

// --- A file that stays open ------------------------------------------------------------------------------------------

bool kifu__os_open(const char *path, kifu__open_file *file)
{
    file->stream =
        kifu__os_handle(path, GENERIC_READ | GENERIC_WRITE, KIFU__SHARE_ALL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL);
    return file->stream && kifu__os_identify(file);
}

static int64_t write_time(const BY_HANDLE_FILE_INFORMATION *info)
{
    return (int64_t)((uint64_t)info->ftLastWriteTime.dwHighDateTime << 32 | info->ftLastWriteTime.dwLowDateTime);
}

// A file that was removed may keep its name until it is closed.
bool kifu__os_is_at(kifu__open_file *file, const char *path, uint64_t size)
{
    BY_HANDLE_FILE_INFORMATION info;
    FILE_STANDARD_INFO own;
    if (!GetFileInformationByHandleEx((HANDLE)file->stream, FileStandardInfo, &own, sizeof own) || own.DeletePending)
        return false;
    const HANDLE named =
        kifu__os_handle(path, FILE_READ_ATTRIBUTES, KIFU__SHARE_ALL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    const bool found = named && GetFileInformationByHandle(named, &info);
    if (named)
        CloseHandle(named);
    if (!found)
        return false;
    file->found = write_time(&info);
    return info.dwVolumeSerialNumber == file->device &&
           ((uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow) == file->number &&
           ((uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow) == size;
}

int64_t kifu__os_changed(const kifu__open_file *file)
{
    BY_HANDLE_FILE_INFORMATION info;
    return GetFileInformationByHandle((HANDLE)file->stream, &info) ? write_time(&info) : 0;
}

void kifu__os_read_tail(const kifu__open_file *file, uint64_t size, unsigned char tail[64])
{
    const uint64_t from = size > 64 ? size - 64 : 0;
    OVERLAPPED place = {.Offset = (DWORD)from, .OffsetHigh = (DWORD)(from >> 32)};
    DWORD got;
    memset(tail, 0, 64);
    (void)ReadFile((HANDLE)file->stream, tail, 64, &got, &place);
}

bool kifu__os_cut(kifu__open_file *file, uint64_t size)
{
    FILE_END_OF_FILE_INFO end = {.EndOfFile.QuadPart = (LONGLONG)size};
    if (!SetFileInformationByHandle((HANDLE)file->stream, FileEndOfFileInfo, &end, sizeof end))
        return false;
    set_write_time((HANDLE)file->stream);
    return true;
}

bool kifu__os_free_name(kifu__open_file *file)
{
    kifu__os_close(file);
    return false;
}

void kifu__os_close(kifu__open_file *file)
{
    if (file->stream)
        CloseHandle((HANDLE)file->stream);
    file->stream = NULL;
}

#endif
