/// Printing: text that goes out piece by piece, and values in it by their descriptions.
#ifndef KIFU_SRC_PRINT_H
#define KIFU_SRC_PRINT_H

#include <kifu/text.h>

#include "base/error.h"
#include "core/timeline.h"

/// Where text goes. Small pieces are gathered.
typedef struct kifu__printer {
    kifu_text_writer *write;
    void *context;
    kifu_result result; ///< The first that `write` returned and was none of success: nothing is written after it.
    bool plain;         ///< Text for people; false: JSON.
    size_t used;
    char gathered[2048];
} kifu__printer;

// --- Text (print.c) --------------------------------------------------------------------------------------------------

void kifu__print_bytes(kifu__printer *printer, const char *bytes, size_t size);
void kifu__print(kifu__printer *printer, const char *text);

/// At most 200 bytes.
void kifu__print_format(kifu__printer *printer, const char *format, ...) KIFU__PRINTF(2, 3);

/// A string in quotes; in JSON, if it is not UTF-8 or has a NUL in it, {"base64": "…"}.
void kifu__print_string(kifu__printer *printer, const void *bytes, size_t size);

/// How many bytes of UTF-8 the character at `at` has; 0: it is none, or is a NUL.
size_t kifu__character(const unsigned char *at, const unsigned char *end);

/// Whether a character of `length` bytes is none that is shown: a terminal or an editor may obey it. Controls (U+0000
/// to U+001F, U+007F to U+009F), ends of lines and paragraphs (U+2028, U+2029), and what changes the direction of the
/// text (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069).
bool kifu__is_control(const unsigned char *at, size_t length);

/// Bytes as base64, in quotes.
void kifu__print_base64(kifu__printer *printer, const void *bytes, size_t size);

/// A name: in JSON in quotes.
void kifu__print_name(kifu__printer *printer, const char *name);

/// In front of a member of an object: what separates it from the one before, unless `*first`, which is cleared; its
/// name; and what follows a name.
void kifu__print_key(kifu__printer *printer, const char *name, bool *first);

/// Writes what is gathered. Returns `result`.
kifu_result kifu__print_end(kifu__printer *printer);

// --- Values (values_text.c) ------------------------------------------------------------------------------------------

/// A kifu__scalar; `values` NULL: it is no enum.
void kifu__print_scalar(kifu__printer *printer, uint8_t scalar, const kifu__enum *values, const unsigned char *bytes);

/// 64 bits: in JSON as a string.
void kifu__print_u64(kifu__printer *printer, uint64_t number);

/// The members of a struct, and the stored fields of a table whose inline part is the generated struct, as an object.
void kifu__print_struct(kifu__printer *printer, const kifu__struct *structure, const unsigned char *bytes);
void kifu__print_table(kifu__printer *printer, const kifu__table *table, const unsigned char *bytes);

/// One member of a struct; one field of a table, which must be present.
void kifu__print_member(kifu__printer *printer, const kifu__member *member, const unsigned char *structure);
void kifu__print_field(kifu__printer *printer, const kifu__field *field, const unsigned char *table);

/// Whether a field of a table is stored, and there.
bool kifu__is_there(const kifu__field *field, const unsigned char *table);

/// The struct of a state: a line for each of its members.
void kifu__print_state(kifu__printer *printer, const kifu__struct *structure, const unsigned char *bytes);

/// Flags of events (kifu.MarkFlags); as a string of JSON, "" if none is set.
extern const kifu__enum kifu__mark_flags;
void kifu__print_flags(kifu__printer *printer, uint8_t flags);

// --- Games (game_text.c) ---------------------------------------------------------------------------------------------

/// A state on the way to the place where the game is, which is in a log file beside its events.
typedef struct kifu__state_there {
    uint32_t events; ///< After so many.
    uint64_t hash;
    const unsigned char *state; ///< NULL: only its hash is known.
} kifu__state_there;

/// What a save says besides the log and what waits.
typedef struct kifu__facts {
    const kifu_save_options *options;
    int64_t saved_at;
    const unsigned char *state; ///< NULL: it is left out, or unknown.
    bool has_hash;              ///< The hash of the state is known.
    uint64_t hash;
    const kifu__state_there *snapshots; ///< Before that, ascending.
    uint32_t snapshot_count;
} kifu__facts;

/// The game of a timeline, of which only the log, `executed`, the queues, what is kept and the checkpoints count.
void kifu__print_game(kifu__printer *printer, kifu_timeline *timeline, const kifu__facts *facts);

/// Event number `event` of the log: one line.
void kifu__print_event(kifu__printer *printer, const kifu_timeline *timeline, uint32_t event);

/// What waited at a moment, as members of a JSON object that has others; `kept` NULL: what waits now.
void kifu__print_waiting(kifu__printer *printer, const kifu_timeline *timeline, const kifu__kept *kept);

/// What waits elsewhere by its place, and hashes along the log; the same.
void kifu__print_kept(kifu__printer *printer, const kifu_timeline *timeline, kifu__branch *path, uint32_t least);
void kifu__print_hashes(kifu__printer *printer, kifu__branch *path, uint32_t count);

/// The lines that are not the current one, and the notes; the same. Of a game without them, nothing (tree_text.c).
void kifu__print_tree(kifu__printer *printer, const kifu_timeline *timeline);

/// A note, as an object of JSON.
void kifu__print_note(kifu__printer *printer, const kifu_note *note);

/// An event of any line, as JSON without the end of the object, so that more members may follow.
void kifu__print_event_begin(kifu__printer *printer, const kifu_timeline *timeline, const kifu_event *event);

#endif
