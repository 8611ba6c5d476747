/// Saves as JSON, whatever codec packed them and whether they have their schema: what the command `kifu json` writes of
/// those that it can read. Where the program has the codec and the schema, it can read all.
#ifndef COMPAT_BY_JSON_H
#define COMPAT_BY_JSON_H

#include "tool/game_file.h"

/// The saves of this folder (`FOLDER.kifu` in tests/compat), and which version of the camp wrote them.
typedef struct compat_save {
    const char *path;
    int version;
} compat_save;

extern const compat_save compat_saves[];
extern const unsigned compat_save_count;

/// Opens a save; the program needs none of the versions of the camp. The caller closes `file` in any case.
kifu_result compat_open(const char *name, const kifu__file_bytes *bytes, int version, kifu__game_file *file,
                        kifu_error *error);

/// Its JSON, with the schema or without; the caller frees the bytes.
kifu_result compat_to_json(kifu__game_file *file, bool with_schema, kifu__file_bytes *json);

#endif
