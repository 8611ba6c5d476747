// Writes the saves of this folder as JSON: `KIFU_BINARY_DIR=BUILD camp_to_json tests/compat OUT`. Prints a table of
// what they have besides the game, which JSON does not carry.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "by_json.h"

static const char title[] =
    "| save | version | events | lines | notes | codec | schema | foreign segments | the end |\n"
    "|---|---|---|---|---|---|---|---|---|\n";

// OUT/trees_plain.json.
static int write_json(const char *folder, const char *name, const kifu__file_bytes *json)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    for (char *at = path + strlen(folder) + 1; *at; at++)
        *at = (char)(*at == '/' ? '_' : *at);
    FILE *file = fopen(path, "wb");
    if (!file)
        return 1;
    const int failed = fwrite(json->at, 1, json->size, file) != json->size;
    return fclose(file) || failed;
}

static int convert(const char *root, const char *out, const compat_save *save)
{
    char path[1000], row[300];
    kifu__file_bytes bytes, json = {NULL, 0};
    kifu__game_file file = {.path = path};
    kifu_error error = {.message = "it could not be written as JSON"};
    snprintf(path, sizeof path, "%s/%s.kifu", root, save->path);
    kifu_result result = kifu__read_bytes(path, &bytes, &error);
    if (!result)
        result = compat_open(path, &bytes, save->version, &file, &error);
    if (!result)
        result = compat_to_json(&file, true, &json);
    if (!result && write_json(out, save->path, &json))
        result = KIFU_IO;
    if (!result) {
        compat_row(save->path, &bytes, &file, row, sizeof row);
        printf("%s\n", row);
    } else {
        fprintf(stderr, "%s: %s\n", path, error.message);
    }
    kifu__close_game(&file);
    free(json.at);
    free(bytes.at);
    return result != KIFU_OK;
}

int main(int count, char **arguments)
{
    int failed = 0;
    if (count != 3) {
        fprintf(stderr, "usage: %s tests/compat OUT\n", arguments[0]);
        return 2;
    }
    fputs(title, stdout);
    for (unsigned i = 0; i < compat_save_count; i++)
        failed |= convert(arguments[1], arguments[2], &compat_saves[i]);
    return failed;
}
