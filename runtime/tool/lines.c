// The lines of a game and the notes at their events, for the commands that show them.

#include "tool/command.h"

#include <inttypes.h>

bool kifu__choose_line(const kifu__line *line, const kifu_timeline *timeline, kifu_line *chosen)
{
    const uint32_t id = line->of_line == KIFU_NONE ? kifu_current_line(timeline) : line->of_line;
    if (kifu_find_line(timeline, id, chosen))
        return true;
    kifu__complain_of(line, line->files[0], "there is no line %" PRIu32 "; `%s tree` shows the lines", id,
                      line->program);
    return false;
}

bool kifu__event_on_way(const kifu_timeline *timeline, uint32_t id, uint32_t index, kifu_event *event, uint32_t *owner)
{
    *owner = kifu_line_of_event(timeline, id, index);
    return *owner != KIFU_NONE && kifu_line_event(timeline, *owner, index, event);
}

uint32_t kifu__count_notes(const kifu_timeline *timeline)
{
    kifu_note note = {.line = 0};
    uint32_t count = 0;
    while (kifu_next_note(timeline, &note))
        count++;
    return count;
}

bool kifu__note_there(const kifu_timeline *timeline, uint32_t line, uint32_t event, kifu_note *note)
{
    if (!note->key)
        *note = (kifu_note){.line = line, .event = event, .key = ""};
    return kifu_next_note(timeline, note) && note->line == line && note->event == event;
}

static void print_value(kifu__printer *printer, const kifu_note *note)
{
    if (note->text)
        kifu__print_string(printer, note->text, note->size);
    else if (printer->plain)
        kifu__print_format(printer, "(%" PRIu32 " bytes)", note->size);
    else {
        kifu__print(printer, "{\"base64\": ");
        kifu__print_base64(printer, note->bytes, note->size);
        kifu__print(printer, "}");
    }
}

static void print_plain_note(kifu__printer *printer, const kifu_note *note)
{
    const bool glyph = note->text && !strcmp(note->key, KIFU_NOTE_GLYPH);
    if (glyph) {
        kifu__print(printer, kifu__style('b'));
        kifu__print_name(printer, note->text);
        kifu__print(printer, kifu__style('0'));
        return;
    }
    if (strcmp(note->key, KIFU_NOTE_COMMENT) != 0) {
        kifu__print_name(printer, note->key);
        kifu__print(printer, " ");
    }
    print_value(printer, note);
}

void kifu__print_notes(kifu__printer *printer, const kifu_timeline *timeline, uint32_t line, uint32_t event,
                       const char *before)
{
    kifu_note note = {.line = 0};
    bool first = true;
    while (kifu__note_there(timeline, line, event, &note)) {
        if (printer->plain) {
            kifu__print(printer, first ? before : " ");
            print_plain_note(printer, &note);
        } else {
            kifu__print(printer, first ? before : ", ");
            kifu__print_string(printer, note.key, strlen(note.key));
            kifu__print(printer, ": ");
            print_value(printer, &note);
        }
        first = false;
    }
    if (!first && !printer->plain)
        kifu__print(printer, "}");
}
