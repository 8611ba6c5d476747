// Plain C: no maps, no folders, no way to force bytes onto the disk, and a rename that may refuse to replace a file.

#include "base/crc32c.h"
#include "base/os_system.h"

#if !defined(KIFU__POSIX) && !defined(KIFU__WINDOWS)

kifu_result kifu__os_fail(kifu_error *error, const char *call, const char *path)
{
    return kifu__error(error, KIFU_IO,
                       "%s of '%.300s' failed: %s; check the path, the permissions and the free space, and try again",
                       call, path, strerror(errno));
}

bool kifu__os_entropy(void *bytes, size_t size)
{
    return kifu__os_clock_entropy(bytes, size);
}

bool kifu__os_exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

void kifu__os_make_folder(const char *path)
{
    (void)path;
}

kifu_result kifu__os_read(const char *path, uint64_t most, const kifu__memory *memory, kifu__file *contents,
                          uint64_t *whole_size, kifu_error *error)
{
    *contents = (kifu__file){0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return kifu__os_fail_to_open(error, "fopen", path);
    long end = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
    kifu_result result = KIFU_OK;
    unsigned char *bytes = NULL;
    if (end < 0 || end == LONG_MAX || fseek(file, 0, SEEK_SET)) // LONG_MAX: a folder, on some systems
        result = kifu__os_fail(error, "fseek", path);
    else {
        *whole_size = (uint64_t)end;
        size_t size = (size_t)(most < (uint64_t)end ? most : (uint64_t)end);
        if (size && !(bytes = (unsigned char *)kifu__new(memory, size)))
            result = kifu__os_no_memory(error, path);
        else
            *contents = (kifu__file){.bytes = bytes, .size = size ? fread(bytes, 1, size, file) : 0};
        if (!result && ferror(file)) {
            result = kifu__os_fail(error, "fread", path);
            kifu__os_release(contents, memory);
        }
    }
    fclose(file);
    return result;
}

void kifu__os_release(kifu__file *file, const kifu__memory *memory)
{
    kifu__free(memory, file->bytes);
    *file = (kifu__file){0};
}

// --- Replacing a file ------------------------------------------------------------------------------------------------

// There is no way to learn whether a file is still in use.
bool kifu__os_temporary_number(unsigned attempt, uint64_t *number)
{
    return attempt < 10 && kifu__os_entropy(number, sizeof *number);
}

void kifu__os_drop_temporary(kifu__replacement *replacement)
{
    remove(replacement->temporary);
}

const char *kifu__os_follow(const char *path, char room[KIFU__MOST_PATH])
{
    (void)room;
    return path;
}

uint32_t kifu__os_place(const char *path)
{
    return kifu__crc32c(0, path, strlen(path));
}

bool kifu__os_link(const char *from, const char *to)
{
    (void)from;
    (void)to;
    return false;
}

bool kifu__os_is_taken(const char *path)
{
    (void)path;
    return false;
}

bool kifu__os_create(kifu__replacement *replacement)
{
    replacement->open.stream = fopen(replacement->temporary, "wbx");
    return replacement->open.stream != NULL;
}

// Where rename does not replace, the old file steps aside first. A crash between the two renames leaves it there,
// whole, as `path`.old.
static bool move_over(const kifu__replacement *replacement)
{
    if (!rename(replacement->temporary, replacement->path))
        return true;
    size_t length = strlen(replacement->path);
    char *aside = (char *)kifu__new(&replacement->memory, length + sizeof ".old");
    if (!aside)
        return false;
    memcpy(aside, replacement->path, length);
    memcpy(aside + length, ".old", sizeof ".old");
    remove(aside);
    bool done = false;
    if (!rename(replacement->path, aside)) {
        done = !rename(replacement->temporary, replacement->path);
        if (done)
            remove(aside);
        else
            rename(aside, replacement->path);
    }
    kifu__free(&replacement->memory, aside);
    return done;
}

// A file cannot be renamed while it is open, on some systems: so it is opened again.
const char *kifu__os_move_over(kifu__replacement *replacement, bool keep)
{
    FILE *written = (FILE *)replacement->open.stream;
    (void)keep;
    replacement->open.stream = NULL;
    if (fclose(written))
        return "fclose";
    return move_over(replacement) ? NULL : "replacing";
}

kifu_result kifu__os_moved(kifu__replacement *replacement, bool keep, kifu_error *error)
{
    if (!keep)
        return KIFU_OK;
    replacement->open.stream = fopen(replacement->path, "r+b");
    return replacement->open.stream ? KIFU_OK
                                    : kifu__os_fail(error, "the new file is there, but fopen", replacement->path);
}

// --- A file that stays open ------------------------------------------------------------------------------------------

bool kifu__os_is_at(kifu__open_file *file, const char *path, uint64_t size)
{
    (void)file;
    (void)size;
    return kifu__os_exists(path);
}

int64_t kifu__os_changed(const kifu__open_file *file)
{
    (void)file;
    return 0;
}

void kifu__os_read_tail(const kifu__open_file *file, uint64_t size, unsigned char tail[64])
{
    FILE *stream = (FILE *)file->stream;
    const uint64_t from = size > 64 ? size - 64 : 0;
    memset(tail, 0, 64);
    if (from <= LONG_MAX && !fseek(stream, (long)from, SEEK_SET))
        (void)!fread(tail, 1, 64, stream);
}

bool kifu__os_can_sync(void)
{
    return false;
}

bool kifu__os_anchor(char **path, const kifu__memory *memory)
{
    (void)path;
    (void)memory;
    return true;
}

bool kifu__os_open(const char *path, kifu__open_file *file)
{
    file->stream = fopen(path, "r+b");
    return file->stream != NULL;
}

kifu_result kifu__os_append(kifu__open_file *file, const char *path, uint64_t offset, const void *bytes, size_t size,
                            kifu_error *error)
{
    FILE *stream = (FILE *)file->stream;
    if (offset > LONG_MAX)
        return kifu__error(error, KIFU_IO, "'%.300s' is larger than this build of Kifu (plain C) can append to", path);
    if (fseek(stream, (long)offset, SEEK_SET) || fwrite(bytes, 1, size, stream) != size || fflush(stream))
        return kifu__os_fail(error, "fwrite", path);
    return KIFU_OK;
}

kifu_result kifu__os_sync(kifu__open_file *file, const char *path, kifu_error *error)
{
    (void)file;
    (void)path;
    (void)error;
    return KIFU_OK;
}

bool kifu__os_cut(kifu__open_file *file, uint64_t size)
{
    (void)file;
    (void)size;
    return false;
}

bool kifu__os_free_name(kifu__open_file *file)
{
    kifu__os_close(file);
    return false;
}

void kifu__os_close(kifu__open_file *file)
{
    if (file->stream)
        fclose((FILE *)file->stream);
    file->stream = NULL;
}

kifu_result kifu__os_list(const char *folder, kifu__os_visitor *visit, void *context, kifu_error *error)
{
    (void)visit;
    (void)context;
    return kifu__error(error, KIFU_UNSUPPORTED,
                       "'%.300s' cannot be listed: this build of Kifu knows no folders (plain C); keep a list of the "
                       "saves yourself, and use kifu_read_save_info",
                       folder);
}

#endif
