/// What a game's module in another language calls in the game's shared library, besides Kifu's public calls. It is no
/// interface for games: names and layouts change with the modules that `kifuc` writes.
#ifndef KIFU_FOREIGN_H
#define KIFU_FOREIGN_H

#include <kifu/kifu.h>

/// Flags of the calls below.
enum {
    KIFU__FOREIGN_VARIATIONS = 1, ///< `kifu_options.keep_variations`
    KIFU__FOREIGN_NOTES = 2,      ///< `kifu_options.keep_notes`
    KIFU__FOREIGN_FAST = 4,       ///< `kifu_load_options.fast`
    KIFU__FOREIGN_ALLOW_CHANGED = 8,
    KIFU__FOREIGN_RECOVER = 16,
    KIFU__FOREIGN_OVERWRITE = 32, ///< `kifu_save_options.overwrite`
    KIFU__FOREIGN_PACKED = 64     ///< A packed save: by zstd if the library has it, else by `kifu_compact`.
};

/// Who and when, in front of each event's struct in a table of events.
typedef struct kifu__foreign_row {
    uint64_t table; ///< Address of the event's struct, valid as `kifu_event.table`.
    uint32_t file;  ///< The caller's number of the game.
    uint32_t event; ///< These are members of `kifu_event`.
    int32_t player;
    uint32_t cause;
    uint32_t rules_version;
    uint32_t flags;
} kifu__foreign_row;

/// As `kifu_create`.
kifu_result kifu__foreign_create(const kifu_rules *rules, uint32_t flags, uint64_t seed, kifu_timeline **timeline,
                                 kifu_error *error);

/// As `kifu_load`; with `path` NULL as `kifu_load_from_memory`.
kifu_result kifu__foreign_load(const kifu_rules *rules, const char *path, const void *bytes, size_t size,
                               uint32_t flags, kifu_timeline **timeline, kifu_error *error);

/// As `kifu_read_save`.
kifu_result kifu__foreign_read(const kifu_rules *rules, const char *path, uint32_t flags, const kifu_timeline **save,
                               kifu_error *error);

/// As `kifu_save`; with `path` NULL as `kifu_save_to_memory`. `title` may be NULL.
kifu_result kifu__foreign_save(kifu_timeline *timeline, const char *path, const char *title, uint32_t flags,
                               unsigned char **bytes, size_t *size);

/// Calls `react` after each live event.
kifu_result kifu__foreign_react(kifu_timeline *timeline, kifu_reaction *react, void *context);

/// Writes a row for each event of the current line to `rows`, which has room for `size` bytes: a kifu__foreign_row,
/// then the event's struct, filled up to a multiple of 8 bytes. The rows of a type lie together, in the order of the
/// types; `counts` gets how many there are of each, and has one element more than there are types. Returns how many
/// bytes the rows take; if that is more than `size`, no row is written.
size_t kifu__foreign_rows(const kifu_timeline *timeline, uint32_t file, uint32_t *counts, unsigned char *rows,
                          size_t size);

/// Writes `count` states to `states`: those after the first `first` events, after `first` + 1, and so on. Errors as
/// `kifu_cursor_open` and `kifu_cursor_forward`.
kifu_result kifu__foreign_states(kifu_timeline *timeline, uint32_t first, uint32_t count, unsigned char *states);

/// "KIFU_OK".
const char *kifu__foreign_result_name(kifu_result result);

/// Size of each of Kifu's structs that a module reads, each followed by the offsets of its members but the first.
extern const uint32_t kifu__foreign_layout[];
extern const uint32_t kifu__foreign_layout_count;

#endif
