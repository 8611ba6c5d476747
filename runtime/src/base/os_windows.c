// Windows, from 7 on: paths, failures, reading, folders. Paths are UTF-8, and may be long.

#define _CRT_RAND_S // before stdlib.h

#include "base/os_windows.h"

#ifdef KIFU__WINDOWS

#include <stdlib.h>

#include "base/crc32c.h"

static const char *windows_advice(DWORD code)
{
    switch (code) {
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        return "the disk is full: free some space and try again";
    case ERROR_WRITE_PROTECT:
        return "the disk is read-only: choose another place";
    case ERROR_ACCESS_DENIED:
        return "check the permissions of the file and of its folder, and whether another program has it open";
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_USER_MAPPED_FILE:
        return "another program has the file open: close it there and try again";
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
        return "check the path: the file or a folder in it is not there";
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_NO_UNICODE_TRANSLATION:
        return "check the path: it must be UTF-8, with no character that Windows forbids in names";
    case ERROR_FILENAME_EXCED_RANGE:
        return "choose a shorter name";
    case ERROR_TOO_MANY_OPEN_FILES:
        return "too many files are open: close some and try again";
    case ERROR_CRC:
    case ERROR_IO_DEVICE:
        return "the disk may be failing: copy what you can to another";
    default:
        return "check the path, the permissions and the free space";
    }
}

kifu_result kifu__os_fail(kifu_error *error, const char *call, const char *path)
{
    const DWORD code = GetLastError();
    wchar_t wide[160];
    char reason[480];
    DWORD length = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, code, 0, wide,
                                  sizeof wide / sizeof *wide - 1, NULL);
    while (length && (wide[length - 1] <= L' ' || wide[length - 1] == L'.')) // It ends with ".\r\n".
        length--;
    wide[length] = L'\0';
    if (!length || !kifu__os_narrow(wide, reason, sizeof reason))
        snprintf(reason, sizeof reason, "error %lu", (unsigned long)code);
    return kifu__error(error, KIFU_IO, "%s of '%.300s' failed: %s; %s", call, path, reason, windows_advice(code));
}

// --- Paths -----------------------------------------------------------------------------------------------------------

// Shorter paths are left as they are: programs that a game starts may not know the other form.
bool kifu__os_wide(const char *path, wchar_t wide[KIFU__MOST_WIDE])
{
    static const wchar_t local[] = L"\\\\?\\", server[] = L"\\\\?\\UNC";
    enum { LOCAL = 4, SERVER = 7, LONG = 240 };
    wchar_t given[KIFU__MOST_WIDE];
    if (!MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, given, KIFU__MOST_WIDE)) {
        if (GetLastError() == ERROR_INSUFFICIENT_BUFFER)
            SetLastError(ERROR_FILENAME_EXCED_RANGE);
        return false;
    }
    const DWORD most = KIFU__MOST_WIDE - SERVER, length = GetFullPathNameW(given, most, wide, NULL);
    if (!length || length >= most) {
        SetLastError(length ? ERROR_FILENAME_EXCED_RANGE : *path ? GetLastError() : ERROR_PATH_NOT_FOUND);
        return false;
    }
    if (length < LONG || (wide[0] == L'\\' && wide[1] == L'\\' && (wide[2] == L'?' || wide[2] == L'.')))
        return true;
    const bool is_server = wide[0] == L'\\' && wide[1] == L'\\'; // \\server\share: one \ goes.
    const size_t front = is_server ? SERVER : LOCAL, from = is_server ? 1 : 0;
    memmove(wide + front, wide + from, (length + 1 - from) * sizeof *wide);
    memcpy(wide, is_server ? server : local, front * sizeof *wide);
    return true;
}

bool kifu__os_narrow(const wchar_t *wide, char *path, size_t size)
{
    return WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, (int)size, NULL, NULL) > 0;
}

HANDLE kifu__os_handle(const char *path, DWORD access, DWORD share, DWORD how, DWORD flags)
{
    wchar_t wide[KIFU__MOST_WIDE];
    const HANDLE file =
        kifu__os_wide(path, wide) ? CreateFileW(wide, access, share, NULL, how, flags, NULL) : INVALID_HANDLE_VALUE;
    if (file != INVALID_HANDLE_VALUE)
        return file;
    const DWORD code = GetLastError();
    errno = code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND ? ENOENT
            : code == ERROR_FILE_EXISTS || code == ERROR_ALREADY_EXISTS  ? EEXIST
                                                                         : EACCES;
    return NULL;
}

DWORD kifu__os_attributes(const char *path)
{
    wchar_t wide[KIFU__MOST_WIDE];
    return kifu__os_wide(path, wide) ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
}

bool kifu__os_exists(const char *path)
{
    return kifu__os_attributes(path) != INVALID_FILE_ATTRIBUTES;
}

bool kifu__os_is_taken(const char *path)
{
    const DWORD found = kifu__os_attributes(path);
    return found != INVALID_FILE_ATTRIBUTES && found & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE);
}

const char *kifu__os_follow(const char *path, char room[KIFU__MOST_PATH])
{
    const DWORD found = kifu__os_attributes(path);
    if (found == INVALID_FILE_ATTRIBUTES || !(found & FILE_ATTRIBUTE_REPARSE_POINT))
        return path;
    wchar_t wide[KIFU__MOST_WIDE];
    const HANDLE file = kifu__os_handle(path, 0, KIFU__SHARE_ALL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    if (!file)
        return NULL;
    const DWORD length = GetFinalPathNameByHandleW(file, wide, KIFU__MOST_WIDE, 0);
    CloseHandle(file);
    return length && length < KIFU__MOST_WIDE && kifu__os_narrow(wide, room, KIFU__MOST_PATH) ? room : NULL;
}

// Names that differ only in upper and lower case are one name.
uint32_t kifu__os_place(const char *path)
{
    char room[KIFU__MOST_PATH];
    wchar_t wide[KIFU__MOST_WIDE], name[KIFU__MOST_WIDE];
    BY_HANDLE_FILE_INFORMATION info;
    const char *file = kifu__os_follow(path, room);
    if (!file || !kifu__os_wide(file, wide))
        return 0;
    wchar_t *behind = wcsrchr(wide, L'\\');
    const int length = LCMapStringW(LOCALE_INVARIANT, LCMAP_UPPERCASE, behind + 1, -1, name, KIFU__MOST_WIDE);
    behind[1] = L'\0';
    const HANDLE folder = CreateFileW(wide, 0, KIFU__SHARE_ALL, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (folder == INVALID_HANDLE_VALUE)
        return 0;
    const bool known = GetFileInformationByHandle(folder, &info);
    CloseHandle(folder);
    if (!known || length <= 0 || !kifu__os_narrow(name, room, sizeof room))
        return 0;
    const uint64_t number =
        ((uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow) * 2654435761 + (uint64_t)info.dwVolumeSerialNumber;
    return kifu__crc32c((uint32_t)number, room, strlen(room));
}

// With a drive and a folder, or a server.
static bool is_absolute(const char *path)
{
    const bool is_server = (path[0] == '/' || path[0] == '\\') && path[0] == path[1];
    return is_server || (path[0] && path[1] == ':' && (path[2] == '/' || path[2] == '\\'));
}

bool kifu__os_anchor(char **path, const kifu__memory *memory)
{
    wchar_t wide[KIFU__MOST_WIDE];
    char room[3 * KIFU__MOST_WIDE];
    if (is_absolute(*path) || !kifu__os_wide(*path, wide) || !kifu__os_narrow(wide, room, sizeof room))
        return true;
    const size_t size = strlen(room) + 1;
    char *whole = (char *)kifu__new(memory, size);
    if (!whole)
        return false;
    memcpy(whole, room, size);
    kifu__free(memory, *path);
    *path = whole;
    return true;
}

bool kifu__os_entropy(void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned number;
        if (rand_s(&number))
            return false;
        ((unsigned char *)bytes)[i] = (unsigned char)number;
    }
    return true;
}

// --- Reading ---------------------------------------------------------------------------------------------------------

static kifu_result open_for_reading(const char *path, HANDLE *file, uint64_t *size, kifu_error *error)
{
    *file = kifu__os_handle(path, GENERIC_READ, KIFU__SHARE_ALL, OPEN_EXISTING, FILE_FLAG_SEQUENTIAL_SCAN);
    LARGE_INTEGER length;
    if (!*file) {
        const DWORD code = GetLastError();
        if (errno != ENOENT && kifu__os_is_taken(path))
            return kifu__error(error, KIFU_IO, "'%.300s' is no file but a folder or a device; check the path", path);
        SetLastError(code);
        return kifu__os_fail_to_open(error, "open", path);
    }
    kifu_result result = KIFU_OK;
    if (GetFileType(*file) != FILE_TYPE_DISK)
        result = kifu__error(error, KIFU_IO, "'%.300s' is no file but a folder or a device; check the path", path);
    else if (!GetFileSizeEx(*file, &length))
        result = kifu__os_fail(error, "reading the size", path);
    else if ((uint64_t)length.QuadPart > SIZE_MAX)
        result = kifu__error(error, KIFU_IO, "'%.300s' is larger than this process can read", path);
    else
        *size = (uint64_t)length.QuadPart;
    if (result)
        CloseHandle(*file);
    return result;
}

// Not mapped: a mapped file can be neither replaced nor cut off, not even by the game that loaded it.
kifu_result kifu__os_read(const char *path, uint64_t most, const kifu__memory *memory, kifu__file *contents,
                          uint64_t *whole_size, kifu_error *error)
{
    enum { MOST_READ = 1 << 30 };
    HANDLE file;
    *contents = (kifu__file){0};
    kifu_result result = open_for_reading(path, &file, whole_size, error);
    if (result)
        return result;
    const size_t size = (size_t)(most < *whole_size ? most : *whole_size);
    unsigned char *bytes = NULL;
    if (size && !(bytes = (unsigned char *)kifu__new(memory, size)))
        result = kifu__os_no_memory(error, path);
    size_t got = 0;
    DWORD more = 1;
    while (!result && more && got < size) { // If it became shorter, its frames will tell.
        const size_t left = size - got;
        if (ReadFile(file, bytes + got, left < MOST_READ ? (DWORD)left : MOST_READ, &more, NULL))
            got += more;
        else
            result = kifu__os_fail(error, "read", path);
    }
    CloseHandle(file);
    if (result)
        kifu__free(memory, bytes);
    else
        *contents = (kifu__file){.bytes = bytes, .size = got};
    return result;
}

void kifu__os_release(kifu__file *file, const kifu__memory *memory)
{
    kifu__free(memory, file->bytes);
    *file = (kifu__file){0};
}

// --- Folders ---------------------------------------------------------------------------------------------------------

void kifu__os_make_folder(const char *path)
{
    wchar_t wide[KIFU__MOST_WIDE];
    if (kifu__os_wide(path, wide))
        CreateDirectoryW(wide, NULL);
}

kifu_result kifu__os_list(const char *folder, kifu__os_visitor *visit, void *context, kifu_error *error)
{
    wchar_t wide[KIFU__MOST_WIDE + 2];
    char name[3 * MAX_PATH + 1];
    WIN32_FIND_DATAW entry;
    HANDLE listing = INVALID_HANDLE_VALUE;
    if (kifu__os_wide(folder, wide)) {
        const size_t length = wcslen(wide);
        wcscpy(wide + length, wide[length - 1] == L'\\' ? L"*" : L"\\*");
        listing = FindFirstFileW(wide, &entry);
    }
    if (listing == INVALID_HANDLE_VALUE) {
        const DWORD code = GetLastError();
        errno = code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND ? ENOENT : EACCES;
        return kifu__os_fail_to_open(error, "listing", folder);
    }
    kifu_result result = KIFU_OK;
    bool more;
    do {
        more = !kifu__os_narrow(entry.cFileName, name, sizeof name) || visit(context, name);
        if (more && !FindNextFileW(listing, &entry)) {
            more = false;
            if (GetLastError() != ERROR_NO_MORE_FILES)
                result = kifu__os_fail(error, "listing", folder);
        }
    } while (more);
    FindClose(listing);
    return result;
}

#endif
