// Lines and notes in the JSON of a game. Neither is linked into a program that does not have them.

#include <inttypes.h>

#include "history/lines.h"
#include "text/print.h"

// Those from number `at` on.
static void print_line_events(kifu__printer *printer, const kifu_timeline *timeline, kifu__branch *path, uint32_t at)
{
    for (uint32_t index = at, end; index < path->end && !printer->result; index++) {
        const kifu__segment *segment = kifu__path_segment(path, index, &end);
        kifu_event event = kifu__event_in(timeline, segment, index - segment->first);
        const uint16_t cause = segment->marks[index - segment->first].cause;
        event.cause = cause ? index - cause : KIFU_NONE; // Also one that is forgotten, as for the events of the log.
        kifu__print(printer, index == at ? ",\n  \"events\": [\n    " : ",\n    ");
        kifu__print_event_begin(printer, timeline, &event);
        kifu__print(printer, "}");
    }
    kifu__print(printer, at < path->end ? "\n  ]" : "");
}

// The hash at the line's end, and those along it, were found by a schema and rules.
static void print_tip(kifu__printer *printer, const kifu_timeline *timeline, const kifu__line *line, uint32_t at)
{
    const kifu_rules *rules = timeline->rules;
    if (line->unchecked && !line->fingerprint) // Then they are of no version, and no load compares them.
        return;
    if (line->tip_hash)
        kifu__print_format(printer, ", \"tip_hash\": \"%" PRIu64 "\"", line->tip_hash);
    if (line->tip_hash || kifu__next_checkpoint(line->branch, at))
        kifu__print_format(printer, ", \"fingerprint\": \"%" PRIu64 "\", \"rules_version\": %" PRIu32,
                           line->unchecked ? line->fingerprint : rules->fingerprint,
                           line->unchecked ? line->rules_version : rules->rules_version);
}

static void print_line(kifu__printer *printer, const kifu_timeline *timeline, const kifu__lines *lines, uint32_t id)
{
    const kifu__line *line = &lines->items[id];
    kifu__print_format(printer, "{\"line\": %" PRIu32 ", \"parent\": %" PRIu32 ", \"from\": %" PRIu32, id, line->parent,
                       line->from);
    if (id == lines->main)
        kifu__print(printer, ", \"main\": true");
    if (lines->begun && id + 1 == lines->count)
        kifu__print_format(printer, ", \"begun_instead_of\": %" PRIu32, lines->before_last);
    if (id == lines->current)
        kifu__print_format(printer, ", \"next\": %" PRIu32, lines->count);
    else {
        const uint32_t at = kifu__line_at(lines, id);
        kifu__print_format(printer, ", \"at\": %" PRIu32 ", \"left\": %" PRIu32, at, line->left);
        print_tip(printer, timeline, line, at);
        print_line_events(printer, timeline, line->branch, at);
        kifu__print_kept(printer, timeline, line->branch, at + 1);
        kifu__print_hashes(printer, line->branch, at);
    }
    kifu__print(printer, "}");
}

static void print_lines(kifu__printer *printer, const kifu_timeline *timeline, const kifu__lines *lines)
{
    kifu__print(printer, ",\n  \"lines\": [\n  ");
    print_line(printer, timeline, lines, lines->current);
    for (uint32_t i = 0; i < lines->listed_count && !printer->result; i++) {
        if (lines->listed[i] == lines->current)
            continue;
        kifu__print(printer, ",\n  ");
        print_line(printer, timeline, lines, lines->listed[i]);
    }
    kifu__print(printer, "\n  ]");
}

void kifu__print_note(kifu__printer *printer, const kifu_note *note)
{
    kifu__print_format(printer, "{\"line\": %" PRIu32, note->line);
    if (note->event != KIFU_BEFORE_FIRST)
        kifu__print_format(printer, ", \"event\": %" PRIu32, note->event);
    kifu__print(printer, ", \"key\": ");
    kifu__print_string(printer, note->key, strlen(note->key));
    kifu__print(printer, note->text ? ", \"text\": " : ", \"bytes\": ");
    if (note->text)
        kifu__print_string(printer, note->text, note->size);
    else
        kifu__print_base64(printer, note->bytes, note->size);
    kifu__print(printer, "}");
}

static void print_notes(kifu__printer *printer, const kifu_timeline *timeline)
{
    kifu_note note = {.line = 0};
    bool first = true;
    while (!printer->result && kifu__next_note(timeline, &note)) {
        kifu__print(printer, first ? ",\n  \"notes\": [\n    " : ",\n    ");
        first = false;
        kifu__print_note(printer, &note);
    }
    kifu__print(printer, first ? "" : "\n  ]");
}

void kifu__print_tree(kifu__printer *printer, const kifu_timeline *timeline)
{
    const kifu__lines *lines = kifu__lines_if_linked(timeline);
    if (lines && (lines->count > 1 || lines->current))
        print_lines(printer, timeline, lines);
    print_notes(printer, timeline);
}
