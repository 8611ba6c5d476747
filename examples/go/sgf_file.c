#include "sgf_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#endif

#include "buffer.h"
#include "sgf_tree.h"

// False: `errno` says why.
static bool read_file(const char *path, buffer *text)
{
    char bytes[4096];
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    buffer_put(text, "", 0);
    for (size_t count = sizeof bytes; count == sizeof bytes && !text->failed;) {
        count = fread(bytes, 1, sizeof bytes, file);
        buffer_put(text, bytes, count);
    }
    const bool good = !ferror(file);
    fclose(file);
    return good;
}

kifu_result sgf_load(const char *path, uint32_t game, const kifu_options *options, kifu_timeline **timeline,
                     fault *fault)
{
    buffer text = {0};
    kifu_result result = KIFU_IO;
    *timeline = NULL;
    *fault = (struct fault){0};
    if (!read_file(path, &text)) {
        snprintf(fault->message, sizeof fault->message, "%s", strerror(errno));
    } else if (text.failed) {
        snprintf(fault->message, sizeof fault->message, "out of memory");
        result = KIFU_NO_MEMORY;
    } else if (strlen(text.text) != text.length) {
        snprintf(fault->message, sizeof fault->message, "this is no text");
        result = KIFU_REJECTED;
    } else
        result = sgf_read(text.text, game, options, timeline, fault);
    free(text.text);
    return result;
}

uint32_t sgf_list(const char *path, uint32_t first, sgf_entry *entries, uint32_t room, fault *fault)
{
    buffer text = {0};
    uint32_t count = 0;
    const bool read = read_file(path, &text) && !text.failed;
    snprintf(fault->message, sizeof fault->message, "%s",
             read ? "there is no game: one begins with (" : strerror(errno));
    for (const char *at = read ? text.text : ""; strchr(at, '('); at = sgf_end(at)) {
        count++;
        if (count < first || count - first >= room)
            continue;
        sgf_entry *entry = &entries[count - first];
        entry->number = count;
        sgf_look(at, "PB", entry->black, sizeof entry->black);
        sgf_look(at, "PW", entry->white, sizeof entry->white);
        sgf_look(at, "RE", entry->result, sizeof entry->result);
        sgf_look(at, "DT", entry->date, sizeof entry->date);
        sgf_look(at, "EV", entry->event, sizeof entry->event);
    }
    free(text.text);
    return count;
}

// Windows renames no file over another, unless it is told to.
static bool take_place(const char *made, const char *path)
{
#ifdef _WIN32
    return MoveFileExA(made, path, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
#else
    return rename(made, path) == 0;
#endif
}

// Another file takes the place of the one that is there when it is whole.
bool sgf_save(const kifu_timeline *timeline, bool tree, const char *path)
{
    char made[1200];
    char *text = snprintf(made, sizeof made, "%s.new", path) < (int)sizeof made ? sgf_write(timeline, tree) : NULL;
    FILE *file = text ? fopen(made, "wb") : NULL;
    bool written = false;
    if (file) {
        written = fwrite(text, 1, strlen(text), file) == strlen(text);
        written = fclose(file) == 0 && written && take_place(made, path);
    }
    if (file && !written)
        remove(made);
    free(text);
    return written;
}
