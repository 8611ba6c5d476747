// What C itself can do, for every system.

#include "base/os_system.h"

#include <inttypes.h>

int64_t kifu__os_now(void)
{
    return (int64_t)time(NULL);
}

void kifu__os_local_time(int64_t seconds, char text[20])
{
    time_t when = (time_t)seconds;
#ifdef KIFU__POSIX
    struct tm room;
    const struct tm *local = localtime_r(&when, &room);
#else
    const struct tm *local = localtime(&when);
#endif
    if (!local || !strftime(text, 20, "%Y_%m_%d_%H_%M_%S", local))
        memcpy(text, "0000_00_00_00_00_00", 20);
}

#ifndef KIFU__WINDOWS // It has a source of its own, and its C library not all of these calls.
// The clocks and an address, stirred (the first half of SplitMix64, of whose numbers one byte is used).
bool kifu__os_clock_entropy(void *bytes, size_t size)
{
    struct timespec now;
    if (timespec_get(&now, TIME_UTC) != TIME_UTC)
        return false;
    uint64_t state = (uint64_t)now.tv_sec * 1000000007u ^ (uint64_t)now.tv_nsec << 20 ^ (uint64_t)clock() << 40 ^
                     (uint64_t)(uintptr_t)&now;
    for (size_t i = 0; i < size; i++) {
        state += UINT64_C(0x9E3779B97F4A7C15);
        const uint64_t mixed = (state ^ state >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
        ((unsigned char *)bytes)[i] = (unsigned char)(mixed >> 56);
    }
    return true;
}
#endif

kifu_result kifu__os_fail_to_open(kifu_error *error, const char *call, const char *path)
{
    const kifu_result result = errno == ENOENT ? KIFU_NOT_FOUND : KIFU_IO;
    kifu__os_fail(error, call, path);
    if (error)
        error->result = result;
    return result;
}

kifu_result kifu__os_no_memory(kifu_error *error, const char *path)
{
    return kifu__error(error, KIFU_NO_MEMORY, "out of memory for '%.300s'", path);
}

size_t kifu__os_folder_length(const char *path)
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

// The temporary file is ".kifu-0123456789abcdef.tmp" in the folder of the file, whatever the length of the name there.
// No listing of saves shows it. Both paths are in one block.
kifu_result kifu__os_replace_begin(const char *path, const kifu__memory *memory, kifu__replacement *replacement,
                                   kifu_error *error)
{
    enum { NAME = sizeof ".kifu-0123456789abcdef.tmp" };
    char room[KIFU__MOST_PATH];
    const char *target = kifu__os_follow(path, room);
    if (!target)
        return kifu__os_fail(error, "readlink", path);
    if (kifu__os_is_taken(target))
        return kifu__error(error, KIFU_IO, "'%.300s' is no file but a folder or a device; check the path", path);
    const size_t folder = kifu__os_folder_length(target), size = strlen(target) + 1;
    char *name = (char *)kifu__new(memory, folder + NAME + size);
    if (!name)
        return kifu__os_no_memory(error, path);
    char *file = name + folder;
    memcpy(name, target, folder);
    memcpy(file + NAME, target, size);
    *replacement =
        (kifu__replacement){.path = file + NAME, .temporary = name, .memory = *memory, .lock = -1, .open.file = -1};
    uint64_t number;
    errno = EEXIST;
    for (unsigned attempt = 0; errno == EEXIST && kifu__os_temporary_number(attempt, &number); attempt++) {
        snprintf(file, NAME, ".kifu-%016" PRIx64 ".tmp", number);
        if (kifu__os_create(replacement))
            return KIFU_OK;
    }
    kifu_result result = kifu__os_fail(error, "creating a file in the folder", path);
    kifu__free(memory, name);
    return result;
}

kifu_result kifu__os_replace_write(kifu__replacement *replacement, const void *bytes, size_t size, kifu_error *error)
{
    const uint64_t end = replacement->size;
    replacement->size += size;
    return kifu__os_append(&replacement->open, replacement->path, end, bytes, size, error);
}

kifu_result kifu__os_replace_commit(kifu__replacement *replacement, kifu__open_file *file, kifu_error *error)
{
    const char *failed = kifu__os_move_over(replacement, file != NULL);
    if (failed) {
        kifu_result result = kifu__os_fail(error, failed, replacement->path);
        kifu__os_replace_abandon(replacement);
        return result;
    }
    replacement->moved = true;
    kifu_result result = kifu__os_moved(replacement, file != NULL, error);
    kifu__free(&replacement->memory, replacement->temporary);
    if (result || !file)
        kifu__os_close(&replacement->open);
    else
        *file = replacement->open;
    return result;
}

void kifu__os_replace_abandon(kifu__replacement *replacement)
{
    kifu__os_close(&replacement->open);
    kifu__os_drop_temporary(replacement);
    kifu__free(&replacement->memory, replacement->temporary);
}

// A second name for it needs no room; where a file system has none, it is copied.
kifu_result kifu__os_keep(const char *path, const kifu__file *file, const kifu__memory *memory, char **kept,
                          kifu_error *error)
{
    const size_t size = strlen(path) + sizeof ".kept";
    kifu__replacement copy;
    char *name = (char *)kifu__new(memory, size);
    if (!name)
        return kifu__os_no_memory(error, path);
    snprintf(name, size, "%s.kept", path);
    kifu_result result = KIFU_OK;
    if (!kifu__os_exists(name) && !kifu__os_link(path, name)) {
        result = kifu__os_replace_begin(name, memory, &copy, error);
        if (!result && (result = kifu__os_replace_write(&copy, file->bytes, file->size, error)) != KIFU_OK)
            kifu__os_replace_abandon(&copy);
        else if (!result)
            result = kifu__os_replace_commit(&copy, NULL, error);
    }
    if (result)
        kifu__free(memory, name);
    else
        *kept = name;
    return result;
}

void kifu__os_note(kifu__open_file *file, uint64_t size)
{
    file->changed = kifu__os_changed(file);
    kifu__os_read_tail(file, size, file->tail);
}

bool kifu__os_is_noted(const kifu__open_file *file, uint64_t size)
{
    unsigned char tail[sizeof file->tail];
    kifu__os_read_tail(file, size, tail);
    return file->changed == file->found && !memcmp(tail, file->tail, sizeof tail);
}
