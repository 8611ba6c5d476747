/// Games, events and states as text: JSON for programs, and plain text for people, both by the names in the schema.
///
/// In JSON, the name of an enum's value stands for the value, and the names of bit flags stand in one string, with
/// blanks between them, "SHINY HEAVY". A value that has no name is its number as a string, "0"; the flags of an event
/// are "" if there are none. Numbers of 64 bits are strings, because most readers of JSON hold doubles. So are "NaN",
/// "Infinity" and "-Infinity"; another NaN is "NaN:" and its bits in hexadecimal. Other floats always have a point or
/// an exponent. A string that is not UTF-8, or has a NUL in it, is {"base64": "…"}. What is absent is left out.
/// json.h and the command `kifu json` read all of this back.
///
/// In plain text, a `uint` whose name is `color`, `colour`, or ends in `_color` or `_colour`, is written as 0xRRGGBB.
///
/// A game as text contains everything, hidden hands included.
#ifndef KIFU_TEXT_H
#define KIFU_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "moves.h"
#include "result.h"
#include "save.h"
#include "timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Takes the next bytes of a text; they end in no NUL. Any result but KIFU_OK ends the writing call, which returns that
/// result.
typedef kifu_result kifu_text_writer(void *context, const char *text, size_t size);

/// Writes the game as one JSON object: what a save contains, and nothing else. `options` (may be NULL) are as for
/// `kifu_save`; `codec` and `durable` mean nothing. Results as `kifu_save`, and that of `write`. Allocates nothing.
KIFU_WARN_UNUSED kifu_result kifu_json_game(kifu_timeline *timeline, const kifu_save_options *options,
                                            kifu_text_writer *write, void *context);

/// Writes event number `event` as a JSON object. KIFU_MISUSE: there is no such event.
KIFU_WARN_UNUSED kifu_result kifu_json_event(kifu_timeline *timeline, uint32_t event, kifu_text_writer *write,
                                             void *context);

/// Writes the state that `kifu_state` returns as a JSON object.
KIFU_WARN_UNUSED kifu_result kifu_json_state(kifu_timeline *timeline, kifu_text_writer *write, void *context);

/// Writes all events that have happened as plain text, a line for each: "6 nim.PTake, player 0: heap 3, count 7".
KIFU_WARN_UNUSED kifu_result kifu_text_game(kifu_timeline *timeline, kifu_text_writer *write, void *context);

/// Writes the line of event number `event`, without its end. KIFU_MISUSE: there is no such event.
KIFU_WARN_UNUSED kifu_result kifu_text_event(kifu_timeline *timeline, uint32_t event, kifu_text_writer *write,
                                             void *context);

/// The same line as a string, without the number and without the event that submitted it: "nim.PTake, player 0: heap 3,
/// count 7". `event` comes from `kifu_event_at`, `kifu_line_event` or `kifu_pending_at`. As snprintf does, it writes at
/// most `room` bytes, a NUL included, and returns how many bytes the whole line has, without the NUL. `text` may be
/// NULL if `room` is 0.
size_t kifu_event_text(const kifu_timeline *timeline, const kifu_event *event, char *text, size_t room);

/// The same for a move of a list (moves.h), which has not happened.
size_t kifu_move_text(const kifu_timeline *timeline, const kifu_move *move, char *text, size_t room);

/// Writes the state as plain text, a line for each field. Elements of an array of structs that are all zeros are left
/// out; a number in front of the others says which they are.
KIFU_WARN_UNUSED kifu_result kifu_text_state(kifu_timeline *timeline, kifu_text_writer *write, void *context);

#ifdef __cplusplus
}
#endif

#endif
