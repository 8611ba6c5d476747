// Opening a game for a command. A log file can be looked at while a game writes it, or after the game was killed.

#include "tool/command.h"

#include <stdlib.h>

// Nothing is missing; or only the append in which it was cut off, behind others that are whole.
static bool is_unclosed_log(const kifu__game_file *file)
{
    return file->is_log && (!file->recovery.dropped || file->cut);
}

kifu_result kifu__open_so_far(const char *path, const kifu__file_bytes *bytes, const kifu__open_options *options,
                              kifu__game_file *file, kifu_error *error)
{
    kifu__open_options good = *options;
    kifu_error other;
    const kifu_result result = kifu__open_bytes(path, bytes, options, file, error);
    if (result != KIFU_DAMAGED || file->is_json || file->ended)
        return result;
    kifu__close_game(file);
    good.recover = true;
    if (kifu__open_bytes(path, bytes, &good, file, &other) || !is_unclosed_log(file))
        return result;
    *error = file->recovery.why;
    return KIFU_OK;
}

bool kifu__has_beginning(const kifu__line *line, const kifu__game_file *file)
{
    const uint32_t begin = file->timeline->log.begin;
    if (begin)
        kifu__complain_of(line, file->path,
                          "the game has forgotten its first %u events and begins from a state, which has no place in "
                          "a page; `events`, `tree` and `json` show it",
                          (unsigned)begin);
    return !begin;
}

bool kifu__open_or_complain(const kifu__line *line, const char *path, kifu__game_file *file)
{
    const kifu__open_options options = kifu__opening(line, path);
    kifu__file_bytes bytes;
    kifu_error error;
    *file = (kifu__game_file){.path = path};
    kifu_result result = kifu__read_bytes(path, &bytes, &error);
    if (!result && line->in_place) // A game may be writing it.
        result = kifu__open_bytes(path, &bytes, &options, file, &error);
    else if (!result)
        result = kifu__open_so_far(path, &bytes, &options, file, &error);
    if (result || file->recovery.why.result)
        kifu__complain(line, path, error.message);
    if (result)
        kifu__close_game(file);
    free(bytes.at);
    return !result;
}
