// Opening a game for a command. A log file can be looked at while a game writes it, or after the game was killed.

#include "tool/command.h"

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
    kifu__open_options options = kifu__opening(line, path);
    kifu_error error;
    options.so_far = !line->in_place; // A game may be writing it.
    *file = (kifu__game_file){.path = path};
    const kifu_result result = kifu__open_game(path, &options, file, &error);
    if (result || file->recovery.why.result)
        kifu__complain(line, path, result ? error.message : file->recovery.why.message);
    if (result)
        kifu__close_game(file);
    return !result;
}
