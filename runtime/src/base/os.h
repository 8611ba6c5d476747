/// The operating system: os_posix.c, os_windows.c, or os_plain.c for all others (or where KIFU_PLAIN_C is defined), and
/// os.c for what C itself can do. Every failure is KIFU_IO (or KIFU_NOT_FOUND, where there is nothing to read) with the
/// call, the path, the system's reason and what to do.
///
/// Temporary files have four names that all processes share, and a lock while they are in use. So the next save finds
/// what a killed one left without a look through the folder, and the system says whether a file is still in use, also
/// among threads. Age or process numbers would not: clocks differ, and two machines may share a folder. If all four are
/// in use, the name is made up.
#ifndef KIFU_SRC_OS_H
#define KIFU_SRC_OS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/memory.h"

/// The bytes of a file. Zeroed, it has none.
typedef struct kifu__file {
    unsigned char *bytes; ///< 8-aligned. Writing to them does not reach the file. NULL where `size` is 0.
    size_t size;
    bool mapped; ///< Else they are from the memory that was given.
} kifu__file;

/// The first `most` bytes of a file, or all when it has less. UINT64_MAX: all, mapped where that is possible, else
/// read. `*whole_size`: of the file.
kifu_result kifu__os_read(const char *path, uint64_t most, const kifu__memory *memory, kifu__file *file,
                          uint64_t *whole_size, kifu_error *error);

void kifu__os_release(kifu__file *file, const kifu__memory *memory);

/// A checksum of the place to which `path` leads, whether a file is there or not: of its folder and its name there. In
/// plain C, of the path. 0: there is none.
uint32_t kifu__os_place(const char *path);

/// Keeps the file at `path`, which has these bytes, as `path`.kept, too, unless there is such a file already. `*kept`:
/// that name, the caller's.
kifu_result kifu__os_keep(const char *path, const kifu__file *file, const kifu__memory *memory, char **kept,
                          kifu_error *error);

/// A lock on a name. It ends with the process.
typedef struct kifu__lock {
    char *name; ///< Of the file that is locked; NULL: nothing is.
    int file;
    int64_t process; ///< That has locked it: children share the lock. Windows: the handle of the file.
} kifu__lock;

/// Locks the file to which `path` leads, by a file beside it (os_lock.c). KIFU_IN_USE: it is locked already. Where
/// there are no locks, the call does nothing and succeeds.
kifu_result kifu__os_lock(const char *path, const kifu__memory *memory, kifu__lock *lock, kifu_error *error);

/// Allowed where nothing is locked.
void kifu__os_unlock(kifu__lock *lock, const kifu__memory *memory);

/// A file that is written on behind its end.
typedef struct kifu__open_file {
    void *stream;            ///< Plain C: a FILE; Windows: a HANDLE; NULL: none is open.
    int file;                ///< POSIX; -1: none is open.
    uint64_t device, number; ///< Which file on which disk: its name may come to mean another.
    int64_t changed;         ///< When it was, the last time that it was noted: see `kifu__os_note`.
    int64_t found;           ///< The same, for the last `kifu__os_is_at`.
    unsigned char tail[64];  ///< Its last bytes then.
} kifu__open_file;

/// A file that is to take another's place: written beside it under a name of its own.
typedef struct kifu__replacement {
    const char *path; ///< Of that file. Where a symbolic link was given: to what it leads.
    char *temporary;  ///< The path of that name.
    int lock;         ///< POSIX: says to other processes that the temporary file is in use; -1: none.
    kifu__memory memory;
    kifu__open_file open;
    uint64_t size; ///< So many bytes were written.
    bool moved;    ///< The new file is there, even if the commit failed.
} kifu__replacement;

/// Begins, and removes what a killed process has left under that name. Commit or abandon must follow a success.
kifu_result kifu__os_replace_begin(const char *path, const kifu__memory *memory, kifu__replacement *replacement,
                                   kifu_error *error);
kifu_result kifu__os_replace_write(kifu__replacement *replacement, const void *bytes, size_t size, kifu_error *error);

/// Puts the bytes on the disk, then the new file into the old one's place. If it fails, it has cleaned up, and the old
/// file is as it was (but see os_plain.c). If only the folder cannot be synced, the new file is there. The new file
/// stays open as `file`, if that is not NULL.
kifu_result kifu__os_replace_commit(kifu__replacement *replacement, kifu__open_file *file, kifu_error *error);
void kifu__os_replace_abandon(kifu__replacement *replacement);

/// Opens a file to write on behind its end. False: it cannot be.
bool kifu__os_open(const char *path, kifu__open_file *file);

/// Whether `path` still names this file, and it still has `size` bytes, as far as the system can say.
bool kifu__os_is_at(kifu__open_file *file, const char *path, uint64_t size);

/// Remembers how the file is, with `size` bytes; and whether it was still so when `kifu__os_is_at` said yes. Only what
/// others write makes a difference, as far as the system can say.
void kifu__os_note(kifu__open_file *file, uint64_t size);
bool kifu__os_is_noted(const kifu__open_file *file, uint64_t size);

/// Whether a file that was written can be forced onto the disk.
bool kifu__os_can_sync(void);

/// Makes the path absolute, as far as the system can, so that it stays right if the process changes its folder. False,
/// with `*path` as it was, without memory.
bool kifu__os_anchor(char **path, const kifu__memory *memory);

/// Writes bytes at `offset`, the end of the file. From then on they outlive the process.
kifu_result kifu__os_append(kifu__open_file *file, const char *path, uint64_t offset, const void *bytes, size_t size,
                            kifu_error *error);

/// Puts on the disk what was written. If the system cannot do that, the call does nothing and succeeds: see
/// `kifu__os_can_sync`.
kifu_result kifu__os_sync(kifu__open_file *file, const char *path, kifu_error *error);

/// Cuts off what lies behind the first `size` bytes. False: it is still there.
bool kifu__os_cut(kifu__open_file *file, uint64_t size);

/// Prepares it for another file that takes its name. False: for that, the call had to close it.
bool kifu__os_free_name(kifu__open_file *file);

/// Allowed where none is open.
void kifu__os_close(kifu__open_file *file);

/// Called for each name in a folder, in any order; false ends the listing.
typedef bool kifu__os_visitor(void *context, const char *name);
kifu_result kifu__os_list(const char *folder, kifu__os_visitor *visit, void *context, kifu_error *error);

/// Makes the folder `path`, if there is none and the system knows folders. Its own folder must be there.
void kifu__os_make_folder(const char *path);

/// The path of the file that `path` leads to: itself, or in `room`. NULL: see errno.
enum { KIFU__MOST_PATH = 4096 };
const char *kifu__os_follow(const char *path, char room[KIFU__MOST_PATH]);

/// Whether something has that name.
bool kifu__os_exists(const char *path);

/// Seconds since 1970-01-01 UTC.
int64_t kifu__os_now(void);

/// `time` in local time, as yyyy_MM_dd_HH_mm_ss.
void kifu__os_local_time(int64_t time, char text[20]);

/// Fills `bytes` with numbers that cannot be guessed; if the system has no source of these, with numbers that differ
/// from call to call. False if there are neither.
bool kifu__os_entropy(void *bytes, size_t size);

#endif
