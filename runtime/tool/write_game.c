// A game out of a file as a save again.

#include "tool/game_file.h"

#include <stdio.h>

static kifu_result write_to_stdout(void *context, const void *bytes, size_t size, kifu_error *error)
{
    (void)context;
    return fwrite(bytes, 1, size, stdout) == size ? KIFU_OK
                                                  : kifu__error(error, KIFU_IO, "standard output cannot be written");
}

kifu_result kifu__write_game(kifu__game_file *file, const char *path, const kifu_codec *codec, bool with_schema,
                             kifu_error *error)
{
    kifu_timeline *timeline = file->timeline;
    kifu__plan plan = kifu__plan_game(file, codec, with_schema);
    kifu__sink sink = {.write = write_to_stdout, .error = &timeline->error};
    kifu_result result = plan.result;
    if (!result)
        result = strcmp(path, "-") != 0 ? kifu__plan_save(&plan, path) : kifu__plan_write(&plan, &sink, true);
    if (result)
        *error = timeline->error;
    kifu__plan_drop(&plan);
    return result;
}
