/// A game out of a file: a save, or JSON. Nothing of it is executed.
///
/// The rules are laid out as kifuc lays them out, with Do functions that do nothing. The reader is given this file in
/// the place of recovery (`kifu_load_options.recover`): it reads all frames, and leaves no event to execute. So there
/// is one reader, and no second opinion about damage.
#ifndef KIFU_TOOL_GAME_FILE_H
#define KIFU_TOOL_GAME_FILE_H

#include <kifu/kifu.h>

#include "save/frame.h"
#include "save/writer.h"
#include "text/compare.h"
#include "text/print.h"
#include "tool/rules.h"

/// How to open a file. Zeroed: a whole save that has its schema.
typedef struct kifu__open_options {
    const kifu_rules *game; ///< Of the program; NULL: it is none of a game. Used for saves of this version of the game.
    const char *schema;     ///< Path of a .bfbs, for files without a schema; NULL: none.
    bool recover;           ///< Take what is good of a damaged save.
    const kifu_codec *codec; ///< For packed saves; NULL: kifu__tool_codec.
    uint64_t memory;         ///< As `kifu_load_options.memory`, and for JSON, too.
    kifu_progress *progress; ///< NULL: nobody asks.
    void *context;           ///< Passed to `progress`.
} kifu__open_options;

/// The bytes of a file.
typedef struct kifu__file_bytes kifu__file_bytes;

typedef struct kifu__game_file {
    const char *path;
    kifu__arena arena; ///< For what follows.
    kifu_timeline *timeline;
    const kifu_rules *rules; ///< Made from the schema; or `game` of the options.
    kifu__identity identity;

    const char *title; ///< NULL: none.
    const char **players;
    uint32_t player_count;
    const void *thumbnail; ///< NULL: none.
    uint32_t thumbnail_size;
    int64_t saved_at;
    uint32_t listed_events; ///< As the header says.

    const unsigned char *state; ///< NULL: the file does not have it.
    bool has_hash;
    uint64_t hash;
    kifu__state_there *snapshots; ///< On the way there, ascending.
    uint32_t snapshot_count;

    uint64_t size;   ///< Of the file.
    uint64_t memory; ///< Bytes that it may take: a state is as large as the schema says.
    const kifu_codec *unpacks;
    bool is_json;
    bool has_schema; ///< The file has a schema.
    bool whole;      ///< All its bytes are frames with the right checksums.
    bool cut;        ///< Behind such frames, it ends inside the next one.
    bool ended;      ///< It says that it ends there.
    bool is_log;     ///< A log file that was not closed, as far as it was read: not a save that was cut off or damaged.
    bool packed;
    char codec[61];         ///< If it is packed; "": nothing is compressed.
    uint32_t version;       ///< Of the format.
    kifu_recovery recovery; ///< With `recover`: what was not used.
} kifu__game_file;

/// Opens a file, "-" for stdin. In any case the caller closes `file`. Messages have words for people at a terminal.
kifu_result kifu__open_game(const char *path, const kifu__open_options *options, kifu__game_file *file,
                            kifu_error *error);

/// The same of bytes in memory; `path` is only a name.
kifu_result kifu__open_bytes(const char *path, const struct kifu__file_bytes *bytes, const kifu__open_options *options,
                             kifu__game_file *file, kifu_error *error);

/// Says what a load says in words for people at a terminal.
void kifu__explain_load(kifu_error *error);

/// Only what the header of a save says, and its frames: without a schema, too.
kifu_result kifu__open_head(const char *path, kifu__game_file *file, kifu_error *error);

void kifu__close_game(kifu__game_file *file);

/// Only the hashes of states stay.
void kifu__drop_states(kifu__game_file *file);

/// What kifu__print_game wants to know. `options` must live as long.
kifu__facts kifu__facts_of(const kifu__game_file *file, const kifu_save_options *options);

/// Title, players and thumbnail.
kifu_save_options kifu__options_of(const kifu__game_file *file);

/// What kifu__compare wants to know.
kifu__compared_game kifu__compared_of(const kifu__game_file *file);

/// Writes the game as a save: to a file, which it replaces as kifu_save does, or to stdout ("-"). `codec` NULL: plain.
kifu_result kifu__write_game(kifu__game_file *file, const char *path, const kifu_codec *codec, bool with_schema,
                             kifu_error *error);

/// The same in memory: the caller frees `bytes->at` in any case.
kifu_result kifu__make_save(kifu__game_file *file, struct kifu__file_bytes *bytes, kifu_error *error);

/// Makes the frames that kifu__write_game writes, for the tests; the plan is to be dropped in any case.
struct kifu__plan kifu__plan_game(kifu__game_file *file, const kifu_codec *codec, bool with_schema);

/// zstd; NULL: the program was built without it.
const kifu_codec *kifu__tool_codec(void);

// --- For read_….c ----------------------------------------------------------------------------------------------------

/// The bytes of a file, or of stdin.
struct kifu__file_bytes {
    unsigned char *at; ///< 8-aligned; the caller frees it.
    size_t size;
};

kifu_result kifu__read_bytes(const char *path, kifu__file_bytes *bytes, kifu_error *error);

/// Whether they begin as JSON: with an object.
bool kifu__is_json(const kifu__file_bytes *bytes);

/// Finds the rules for what `file->identity` says, where `bfbs` (NULL: none) is the schema in the file.
kifu_result kifu__find_rules(kifu__game_file *file, const void *bfbs, uint32_t size, const kifu__open_options *options,
                             kifu_error *error);

/// Fills in the timeline from JSON. The message begins with path, line and column.
kifu_result kifu__read_json(const kifu__file_bytes *text, const kifu__open_options *options, kifu__game_file *file,
                            kifu_error *error);

#endif
