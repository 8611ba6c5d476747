/// Reads events and games from JSON, as text.h and the command `kifu` write it. `kifu.h` does not include this header;
/// a program that does links the library `kifu::json`, which needs cJSON (Debian: libcjson-dev):
///
///     target_link_libraries(nim_app PRIVATE nim kifu::json)
///
/// An event becomes bytes, which can be submitted, kept and sent (bytes.h):
///
///     kifu_buffer buffer = {0};
///     kifu_event event;
///     kifu_result result = kifu_event_from_json(timeline, text, strlen(text), &buffer, &event);
///     if (!result)
///         result = kifu_submit_bytes(timeline, event.player, buffer.data, buffer.size, NULL);
///     kifu_free_buffer(&buffer);
///
/// The names are those in the schema. A text may come from anywhere: an error names the line and column of the mistake,
/// and nothing changes. cJSON takes its memory from malloc, and does not report when memory runs out: the text then
/// counts as no JSON, and the message names this possible cause.
#ifndef KIFU_JSON_H
#define KIFU_JSON_H

#include <stddef.h>

#include "bytes.h"
#include "event.h"
#include "result.h"
#include "save.h"
#include "timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Reads one event and writes it as bytes to `buffer`, as `kifu_event_bytes` does. The text is an object as
/// `kifu_json_event`, `kifu json` and a line of `kifu events --json-lines` have it. Only `type` must be there. Fields
/// that are left out have their defaults, as in FlatBuffers. Nothing is submitted. Like other bytes, these do not
/// contain the player: `*event` (may be NULL) gets the player and all else that the object says of the event. What the
/// object leaves out is -1, KIFU_NONE or the default of the type. `event->table` points into the buffer; memory of
/// yours in `buffer` must be 8-aligned for this.
///
/// `kifu_submit_bytes` decides whether a player may submit the event; `kifu_submit_trusted_bytes` takes engine events,
/// too. Errors: KIFU_INVALID_EVENT (the text is no JSON, or no event of this game, with line and column),
/// KIFU_TOO_LARGE (`buffer` is memory of yours, and too small), KIFU_NO_MEMORY.
KIFU_WARN_UNUSED kifu_result kifu_event_from_json(kifu_timeline *timeline, const char *text, size_t size,
                                                  kifu_buffer *buffer, kifu_event *event);

/// Makes a timeline of a game as `kifu_json_game` and `kifu json` write it: lines, notes, what waits and all else. It
/// converts the text into a save, and loads that save: options, other versions of the game, and states and hashes that
/// differ are treated as by `kifu_load`. A text of another version of the game needs its `schema`. Title, names of
/// players and thumbnail are not in a timeline; `kifu json` makes a save that has them.
///
/// `options` are as for `kifu_create`; of `load_options`, `codec` means nothing, and `memory` counts for the text, of
/// which each byte may take 64; both may be NULL. If it fails, `*timeline` is NULL and `error` (may be NULL) says why:
/// KIFU_INVALID_EVENT (the text is no JSON or no game, with line and column), KIFU_OTHER_GAME, KIFU_UNKNOWN_EVENT
/// (another version of the game wrote the text, and it has no schema), or an error of `kifu_load`.
KIFU_WARN_UNUSED kifu_result kifu_game_from_json(const kifu_rules *rules, const char *text, size_t size,
                                                 const kifu_options *options, const kifu_load_options *load_options,
                                                 kifu_timeline **timeline, kifu_error *error);

#ifdef __cplusplus
}
#endif

#endif
