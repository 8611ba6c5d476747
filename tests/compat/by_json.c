#include "by_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_codec.h"
#include "tool/command.h"

const compat_save compat_saves[] = {
    {"v1/packed", 1},   {"v1/undone", 1},   {"v1/waiting", 1},      {"v2/packed", 2}, {"v2/storm", 2},
    {"v2/undone", 2},   {"v2/waiting", 2},  {"v3/hashed", 3},       {"v3/log", 3},    {"v3/packed", 3},
    {"v3/small", 3},    {"v3/stone", 3},    {"v3/storm", 3},        {"v3/undone", 3}, {"v3/waiting", 3},
    {"v4/undone", 4},   {"v4/waiting", 4},  {"trees/forgotten", 3}, {"trees/log", 3}, {"trees/packed", 3},
    {"trees/plain", 3}, {"trees/small", 3},
};
const unsigned compat_save_count = sizeof compat_saves / sizeof *compat_saves;

kifu_result compat_open(const char *name, const kifu__file_bytes *bytes, int version, kifu__game_file *file,
                        kifu_error *error)
{
    static const char *const schemas[] = {CAMP_SCHEMAS}; // in the folder of the build
    static char schema[1024];
    const char *build = getenv("KIFU_BINARY_DIR");
    snprintf(schema, sizeof schema, "%s/%s", build ? build : ".", schemas[version - 1]);
    const kifu__open_options options = {.schema = schema, .codec = &run_codec, .so_far = true};
    return kifu__open_bytes(name, bytes, &options, file, error);
}

static kifu_result gather(void *context, const char *text, size_t size)
{
    kifu__file_bytes *bytes = (kifu__file_bytes *)context;
    unsigned char *larger = (unsigned char *)realloc(bytes->at, bytes->size + size + 1);
    if (!larger)
        return KIFU_NO_MEMORY;
    bytes->at = larger;
    memcpy(bytes->at + bytes->size, text, size);
    bytes->size += size;
    bytes->at[bytes->size] = 0;
    return KIFU_OK;
}

kifu_result compat_to_json(kifu__game_file *file, bool with_schema, kifu__file_bytes *json)
{
    kifu_save_options options = kifu__options_of(file);
    options.without_schema = !with_schema;
    const kifu__facts facts = kifu__facts_of(file, &options);
    kifu__printer printer = {.write = gather, .context = json};
    *json = (kifu__file_bytes){NULL, 0};
    kifu__print_game(&printer, file->timeline, &facts);
    return kifu__print_end(&printer);
}
