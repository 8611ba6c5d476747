/// What the files of Windows share: paths, and how a file is opened.
#ifndef KIFU_SRC_OS_WINDOWS_H
#define KIFU_SRC_OS_WINDOWS_H

#include "base/os_system.h"

#ifdef KIFU__WINDOWS

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

enum {
    KIFU__MOST_WIDE = 4096,
    KIFU__SHARE_ALL = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
};

/// The path (UTF-8) as Windows takes it: absolute, and in the form without a limit where it is long. False: see
/// GetLastError.
bool kifu__os_wide(const char *path, wchar_t wide[KIFU__MOST_WIDE]);

/// As UTF-8, in `size` bytes. False: it does not fit, or is no text.
bool kifu__os_narrow(const wchar_t *wide, char *path, size_t size);

/// CreateFileW. NULL: see GetLastError, and errno (ENOENT, EEXIST, or EACCES for all else).
HANDLE kifu__os_handle(const char *path, DWORD access, DWORD share, DWORD how, DWORD flags);

/// INVALID_FILE_ATTRIBUTES: there is none.
DWORD kifu__os_attributes(const char *path);

#endif
#endif
