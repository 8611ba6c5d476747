// The lines and notes of a game in its page.

#include "tool/page.h"

#include <inttypes.h>

#include "tool/command.h"

static void print_stretches(kifu__printer *printer, const kifu__page_tree *tree)
{
    for (uint32_t i = 0; i < tree->count && !printer->result; i++) {
        const kifu_stretch *at = &tree->stretches[i];
        kifu__print_format(printer, "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%d,%d,%" PRIu32 ",%d]",
                           i ? "," : ",\n\"tree\": [", at->line, at->from, at->count, at->row,
                           at->parent == KIFU_NONE ? -1 : (int)at->parent, at->next == KIFU_NONE ? -1 : (int)at->next,
                           at->parts, at->main + 2 * at->current);
    }
    kifu__print(printer, "]");
}

static void print_events(kifu__printer *printer, const kifu_timeline *timeline, const kifu_stretch *at)
{
    kifu_event event;
    for (uint32_t i = 0; i < at->count && !printer->result; i++) {
        kifu__print(printer, i ? ",\n" : "\n");
        if (kifu_line_event(timeline, at->line, at->from + i, &event))
            kifu__print_page_event(printer, timeline, &event);
    }
}

static void print_others(kifu__printer *printer, const kifu_timeline *timeline, const kifu__page_tree *tree)
{
    bool first = true;
    kifu__print(printer, ",\n\"others\": {");
    for (uint32_t i = 0; i < tree->count && !printer->result; i++) {
        if (tree->stretches[i].current)
            continue;
        kifu__print_format(printer, "%s\"%" PRIu32 "\": [", first ? "\n" : ",\n", i);
        print_events(printer, timeline, &tree->stretches[i]);
        kifu__print(printer, "]");
        first = false;
    }
    kifu__print(printer, "}");
}

static void print_notes(kifu__printer *printer, const kifu_timeline *timeline)
{
    kifu_note note = {.line = 0};
    uint32_t line = KIFU_NONE, event = 0;
    while (kifu_next_note(timeline, &note) && !printer->result) {
        if (note.line == line && note.event == event)
            continue; // It was printed with the one before.
        kifu__print(printer, line == KIFU_NONE ? ",\n\"notes\": [\n" : ",\n");
        line = note.line;
        event = note.event;
        kifu__print_format(printer, "[%" PRIu32 ", %d, ", line, event == KIFU_BEFORE_FIRST ? -1 : (int)event);
        kifu__print_notes(printer, timeline, line, event, "{");
        kifu__print(printer, "]");
    }
    kifu__print(printer, line == KIFU_NONE ? "" : "]");
}

void kifu__print_page_tree(kifu__printer *printer, const kifu_timeline *timeline, const kifu__page_tree *tree)
{
    if (tree->count > 1) {
        kifu__print_format(printer, ",\n\"line\": %" PRIu32, kifu_current_line(timeline));
        print_stretches(printer, tree);
        print_others(printer, timeline, tree);
    }
    print_notes(printer, timeline);
}
