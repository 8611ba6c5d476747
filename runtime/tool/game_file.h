/// A game out of a file: a save, or JSON. Nothing of it is executed.
///
/// The rules are laid out as kifuc lays them out, with Do functions that do nothing. A save is read as by
/// `kifu_read_save`, JSON by kifu::json.
#ifndef KIFU_TOOL_GAME_FILE_H
#define KIFU_TOOL_GAME_FILE_H

#include "json/game.h"
#include "text/compare.h"
#include "tool/must.h"

/// How to open a file. Zeroed: a whole save that has its schema.
typedef struct kifu__open_options {
    const kifu_rules *game; ///< Of the program; NULL: it is none of a game. Used for saves of this version of the game.
    const char *schema;     ///< Path of a .bfbs, for files without a schema; NULL: none.
    bool recover;           ///< Take what is good of a damaged save.
    bool so_far; ///< Take what was written to a log file that was not closed: then `file->recovery.why` says so, and
                 ///< the error what it says without this.
    const kifu_codec *codec; ///< For packed saves; NULL: kifu__tool_codec.
    uint64_t memory;         ///< As `kifu_load_options.memory`, and for JSON, too.
    kifu_progress *progress; ///< NULL: nobody asks.
    void *context;           ///< Passed to `progress`.
} kifu__open_options;

/// Opens a file, "-" for stdin. In any case the caller closes `file`. Messages have words for people at a terminal.
kifu_result kifu__open_game(const char *path, const kifu__open_options *options, kifu__game_file *file,
                            kifu_error *error);

/// The same of bytes in memory; `path` is only a name.
kifu_result kifu__open_bytes(const char *path, const kifu__file_bytes *bytes, const kifu__open_options *options,
                             kifu__game_file *file, kifu_error *error);

/// Says what a load says in words for people at a terminal.
void kifu__explain_load(kifu_error *error);

/// Only what the header of a save says, and its frames: without a schema, too.
kifu_result kifu__open_head(const char *path, kifu__game_file *file, kifu_error *error);

/// Only the hashes of states stay.
void kifu__drop_states(kifu__game_file *file);

/// What kifu__print_game wants to know. `options` must live as long.
kifu__facts kifu__facts_of(const kifu__game_file *file, const kifu_save_options *options);

/// What kifu__compare wants to know.
kifu__compared_game kifu__compared_of(const kifu__game_file *file);

/// Writes the game as a save: to a file, which it replaces as kifu_save does, or to stdout ("-"). `codec` NULL: plain.
kifu_result kifu__write_game(kifu__game_file *file, const char *path, const kifu_codec *codec, bool with_schema,
                             kifu_error *error);

/// zstd; NULL: the program was built without it.
const kifu_codec *kifu__tool_codec(void);

/// The bytes of a file, or of stdin, from malloc: the caller frees them.
kifu_result kifu__read_bytes(const char *path, kifu__file_bytes *bytes, kifu_error *error);

/// Whether they begin as JSON: with an object.
bool kifu__is_json(const kifu__file_bytes *bytes);

#endif
