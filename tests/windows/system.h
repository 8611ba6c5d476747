/// Suites stand in for calls of POSIX (`-Wl,--wrap=open`). On Windows, the library calls others; in such suites these
/// come here first (system.c), are made to calls of POSIX, which a suite may let fail, and at last become calls of
/// Windows again (posix.c).
#ifndef TESTS_WINDOWS_SYSTEM_H
#define TESTS_WINDOWS_SYSTEM_H

#define WIN32_LEAN_AND_MEAN
#include <stdbool.h>
#include <stdint.h>
#include <windows.h>

enum { RANDOM = 999, FIRST_FILE = 1000, MOST_FILES = 64 };

/// Open files. Their numbers are those of the descriptors, from FIRST_FILE on.
typedef struct open_file {
    HANDLE handle; ///< NULL: none.
    char path[5000];
    bool is_moved; ///< It has its final name: what reaches the disk now is that.
    bool of_child;
} open_file;

/// What the call of POSIX is to do, if the suite lets it.
typedef struct pending {
    const wchar_t *path;
    DWORD access, share, how, flags;
    void *info; ///< The new name, or the new end.
    DWORD size;
    DWORD done; ///< So many bytes were read or written.
} pending;

extern open_file system_files[MOST_FILES];
extern pending system_pending;

int system_number_of(HANDLE handle); ///< -1: it is none of them.

#define REAL(call) extern __typeof__(&call) __real___imp_##call
REAL(CreateFileW);
REAL(WriteFile);
REAL(ReadFile);
REAL(FlushFileBuffers);
REAL(CloseHandle);
REAL(SetFileInformationByHandle);
REAL(GetFileInformationByHandle);
REAL(CreateHardLinkW);
REAL(FindFirstFileW);
REAL(FindNextFileW);
REAL(GetFullPathNameW);
int __cdecl rand_s(unsigned *number); // stdlib.h has it only if asked first.
REAL(rand_s);

#endif
