// What a save must not overwrite: a file that another program has written since this game was loaded, and one of which
// the load did not take all.
//
// A file is known by what is in it: its length, and the checksum of the heads of its frames, which have the checksums
// of all the rest. So neither times, nor numbers on the disk, nor what a network makes of them decide, and plain C has
// the same rule. A look at a file costs one page for each frame. Its place is a checksum of the folder's number and
// the name, so that every path to it is the same, also after the process has gone to another folder.
//
// What a load did not take gets a second name before the new file takes the first one: no bytes are copied, nothing
// can be half done, and it needs no room on a full disk. Only where a file system has no second names is the file
// copied.

#include "save/writer.h"

#include "base/crc32c.h"

uint64_t kifu__contents_of(const kifu__file *file)
{
    uint64_t offset = KIFU__FILE_HEAD, whole;
    uint32_t heads = 0;
    while ((whole = kifu__peek_frame(file->bytes, file->size, offset)) != 0) {
        heads = kifu__crc32c(heads, file->bytes + offset, KIFU__FRAME_HEAD);
        offset += whole;
    }
    return kifu__contents(file->size, heads);
}

kifu__known *kifu__find_known(kifu_timeline *timeline, uint32_t place)
{
    for (uint32_t i = KIFU__KNOWN; place && i-- > 0;) {
        if (timeline->files.known[i].place == place)
            return &timeline->files.known[i];
    }
    return NULL;
}

kifu_result kifu__guard(kifu_timeline *timeline, const kifu__known *known, const char *path, const char *advice)
{
    kifu__file file;
    uint64_t whole;
    kifu_result result = kifu__os_read(path, UINT64_MAX, &timeline->memory, &file, &whole, &timeline->error);
    if (result)
        return result == KIFU_NOT_FOUND ? KIFU_OK : result;
    const uint64_t contents = kifu__contents_of(&file);
    if (contents && contents != known->contents)
        result = kifu__error(&timeline->error, KIFU_CHANGED,
                             "another program has changed '%.300s', and it stays as it is: %s", path, advice);
    else if (known->lossy && !timeline->files.kept)
        result = kifu__os_keep(path, &file, &timeline->memory, &timeline->files.kept, &timeline->error);
    kifu__os_release(&file, &timeline->memory);
    return result;
}

kifu_result kifu__plan_commit(kifu__plan *plan, kifu__replacement *replacement, kifu__open_file *file)
{
    kifu_timeline *timeline = plan->timeline;
    kifu__known *known = kifu__find_known(timeline, kifu__os_place(replacement->path));
    kifu_result result = KIFU_OK;
    if (known && known->contents && !plan->overwrite)
        result = kifu__guard(timeline, known, replacement->path,
                             "load it, save elsewhere, or set kifu_save_options.overwrite");
    if (result) {
        kifu__os_replace_abandon(replacement);
        return result;
    }
    result = kifu__os_replace_commit(replacement, file, &timeline->error);
    if (known && replacement->moved) {
        known->contents = kifu__contents(KIFU__FILE_HEAD + plan->size, plan->chain);
        known->lossy = false;
    }
    return result;
}

const char *kifu_kept_path(const kifu_timeline *timeline)
{
    return timeline->files.kept;
}
