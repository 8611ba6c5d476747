/// A game out of a file, or out of JSON: nothing of it is executed, and what the file says of states is taken as it is.
#ifndef KIFU_JSON_GAME_H
#define KIFU_JSON_GAME_H

#include <kifu/kifu.h>

#include "json/rules.h"
#include "save/scan.h"
#include "save/writer.h"
#include "text/print.h"

/// The bytes of a file.
typedef struct kifu__file_bytes {
    unsigned char *at;
    size_t size;
} kifu__file_bytes;

typedef struct kifu__game_file {
    const char *path;
    kifu__arena arena; ///< For what follows.
    kifu_timeline *timeline;
    const kifu_rules *rules; ///< Made from the schema; or those of the program.
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
    bool has_schema; ///< The file has a schema.

    // Of a file of the command (tool/game_file.h):
    const kifu_codec *unpacks;
    bool is_json;
    kifu__scan frames;      ///< What they say.
    char codec[61];         ///< If it is packed; "": nothing is compressed.
    kifu_recovery recovery; ///< With `recover`, or of a log file: what was not used.
} kifu__game_file;

void kifu__close_game(kifu__game_file *file);

/// Finds the rules for what `file->identity` says, where `bfbs` (NULL: none) is the schema in the file.
typedef kifu_result kifu__find_rules_function(kifu__game_file *file, const void *bfbs, uint32_t size,
                                              const void *context, kifu_error *error);

/// Fills in the timeline from JSON. The message begins with line and column. In any case the caller closes `file`, of
/// which `arena.memory`, `path`, `size` and `memory` are set.
kifu_result kifu__read_json(const kifu__file_bytes *text, kifu__find_rules_function *find, const void *context,
                            kifu__game_file *file, kifu_error *error);

/// Title, players and thumbnail.
kifu_save_options kifu__options_of(const kifu__game_file *file);

/// Makes the frames of a save of it; the plan is to be dropped in any case.
kifu__plan kifu__plan_game(kifu__game_file *file, const kifu_codec *codec, bool with_schema);

/// A save of it in memory, from the timeline's allocator: `kifu_free_bytes`.
kifu_result kifu__make_save(kifu__game_file *file, kifu__file_bytes *bytes, kifu_error *error);

#endif
