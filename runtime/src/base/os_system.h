/// What os.c needs from the system. os_posix.c, os_windows.c or os_plain.c has it; the others are empty. Include this
/// first: it says which parts of the C library are there.
#ifndef KIFU_SRC_OS_SYSTEM_H
#define KIFU_SRC_OS_SYSTEM_H

#if !defined(KIFU_PLAIN_C) && (defined(__unix__) || (defined(__APPLE__) && defined(__MACH__)))
#define KIFU__POSIX 1
#define _POSIX_C_SOURCE 200809L
#ifdef __APPLE__ // It hides flock and F_FULLFSYNC, unless they are asked for.
#define _DARWIN_C_SOURCE 1
#endif
#ifndef __LP64__ // Where they would be 32 bits: sizes of files, their numbers on the disk, and the time.
#define _FILE_OFFSET_BITS 64
#define _TIME_BITS 64
#endif
#elif !defined(KIFU_PLAIN_C) && defined(_WIN32)
#define KIFU__WINDOWS 1
#ifndef _WIN32_WINNT
#define _WIN32_WINNT 0x0601
#endif
#endif

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <time.h>

#include "base/os.h"

/// KIFU_IO: the call, the path, the system's reason and what to do.
kifu_result kifu__os_fail(kifu_error *error, const char *call, const char *path);

/// The same of a file or folder that is to be read: KIFU_NOT_FOUND, if there is none.
kifu_result kifu__os_fail_to_open(kifu_error *error, const char *call, const char *path);

/// KIFU_NO_MEMORY
kifu_result kifu__os_no_memory(kifu_error *error, const char *path);

/// Length of the part of `path` that names the folder, with its '/'; 0 where there is none.
size_t kifu__os_folder_length(const char *path);

/// Fills `bytes` with numbers that differ from call to call and from process to process. False where there is no clock.
bool kifu__os_clock_entropy(void *bytes, size_t size);

/// The number in the name of a temporary file, at the first, second, … attempt. False: no more are made. Where the
/// system can say whether a file is still in use, all processes use the same numbers, so that a later one can remove
/// what a killed one left. Others make numbers up.
bool kifu__os_temporary_number(unsigned attempt, uint64_t *number);

/// Creates the file `replacement->temporary`. False: see errno, EEXIST where one of that name is there already.
bool kifu__os_create(kifu__replacement *replacement);

/// Whether something is there that is no file, and must not be replaced by one.
bool kifu__os_is_taken(const char *path);

/// Gives the file `from` the name `to` as well, which no file has. False: the system cannot do that here.
bool kifu__os_link(const char *from, const char *to);

/// Removes the temporary file, if it is still there, and lets others use its name.
void kifu__os_drop_temporary(kifu__replacement *replacement);

/// Finds out which file is open. False: see errno.
bool kifu__os_identify(kifu__open_file *file);

/// When something was written to it last; 0 where the system does not say.
int64_t kifu__os_changed(const kifu__open_file *file);

/// The last bytes of a file of `size`, as many as fit.
void kifu__os_read_tail(const kifu__open_file *file, uint64_t size, unsigned char tail[64]);

/// Puts the new file on the disk and in the old one's place, and closes it, unless the caller needs it open. Returns
/// the call that failed, or NULL.
const char *kifu__os_move_over(kifu__replacement *replacement, bool keep);

/// Does what is left to do then; `replacement->temporary` may be written over.
kifu_result kifu__os_moved(kifu__replacement *replacement, bool keep, kifu_error *error);

#endif
