// kifu tree: the lines of a game as a tree, from above to below. What branches off comes before what goes on.
//
//     o    0-6  line 0  7 events                               what all lines have
//     |     0 EResetGame; 1 EAddPlayer position 0; …
//     |-*  7-9  line 1  now after 10  3 events                 a line that branches off
//     | |   7 p0 PTake heap 0 count 1; 8 p1 PTake heap 1 count 2; …
//     | |-o  9  line 2 …                                       one that branches off from it
//     o    7-8  line 0  main …

#include <inttypes.h>
#include <stdlib.h>

#include "tool/tree.h"

// --- The tree --------------------------------------------------------------------------------------------------------

// The next stretch from above to below: all that branches off, and last what goes straight on.
static uint32_t next_below(const kifu__drawing *drawing, uint32_t place)
{
    const kifu_stretch *all = drawing->stretches;
    if (all[place].parts)
        return all[place + 1].next == KIFU_NONE ? place + 1 : all[place + 1].next;
    for (; all[place].parent != KIFU_NONE; place = all[place].parent) {
        const uint32_t straight = all[place].parent + 1;
        if (place != straight) // It branches off: the next one that does, or what goes straight on.
            return all[place].next == KIFU_NONE ? straight : all[place].next;
    }
    return KIFU_NONE;
}

static void print_text(const kifu__drawing *drawing)
{
    for (uint32_t place = 0; place != KIFU_NONE && !ferror(stdout); place = next_below(drawing, place)) {
        if (drawing->wanted[place])
            kifu__print_stretch(drawing, place);
    }
}

// Of a note before the first event, the first stretch.
static bool is_wanted(const kifu__drawing *drawing, const kifu_note *note)
{
    uint32_t place = 0;
    for (; note->event != KIFU_BEFORE_FIRST && place < drawing->count; place++) {
        const kifu_stretch *at = &drawing->stretches[place];
        if (at->line == note->line && note->event >= at->from && note->event < at->from + at->count)
            break;
    }
    return place < drawing->count && drawing->wanted[place];
}

static void print_json_notes(const kifu__drawing *drawing, kifu__printer *printer)
{
    kifu_note note = {.line = 0};
    bool first = true;
    while (!printer->result && kifu_next_note(drawing->timeline, &note)) {
        if (!is_wanted(drawing, &note))
            continue;
        kifu__print(printer, first ? ", \"notes\": [\n" : ",\n");
        kifu__print_note(printer, &note);
        first = false;
    }
    kifu__print(printer, first ? "" : "\n]");
}

static void print_json(const kifu__drawing *drawing)
{
    kifu__printer printer = kifu__stdout_printer(false);
    bool first = true;
    kifu__print_format(&printer, "{\"current\": %" PRIu32 ", \"executed\": %" PRIu32 ", \"main\": %" PRIu32,
                       kifu_current_line(drawing->timeline), drawing->executed, kifu_main_line(drawing->timeline));
    kifu__print(&printer, ", \"stretches\": [");
    for (uint32_t place = 0; place < drawing->count && !printer.result; place++) {
        const kifu_stretch *at = &drawing->stretches[place];
        kifu_event event;
        if (!drawing->wanted[place])
            continue;
        kifu__print_format(&printer,
                           "%s{\"stretch\": %" PRIu32 ", \"line\": %" PRIu32 ", \"from\": %" PRIu32
                           ", \"count\": %" PRIu32 ", \"row\": %" PRIu32 ", \"depth\": %" PRIu32,
                           first ? "\n" : ",\n", place, at->line, at->from, at->count, at->row, at->depth);
        if (at->parent != KIFU_NONE)
            kifu__print_format(&printer, ", \"follows\": %" PRIu32, at->parent);
        kifu__print_format(&printer, ", \"main\": %s, \"current\": %s", at->main ? "true" : "false",
                           at->current ? "true" : "false");
        if (at->count && kifu_line_event(drawing->timeline, at->line, at->from, &event)) {
            kifu__print(&printer, ", \"first\": ");
            kifu__print_event_begin(&printer, drawing->timeline, &event);
            kifu__print(&printer, "}");
        }
        kifu__print(&printer, "}");
        first = false;
    }
    kifu__print(&printer, "\n]");
    print_json_notes(drawing, &printer);
    kifu__print(&printer, "}\n");
    (void)kifu__print_end(&printer); // The stream remembers it.
}

// A name without its namespace, if no other type is called so.
static const char *short_name(const kifu_rules *rules, uint32_t type)
{
    const char *const name = rules->types[type].table->name, *const dot = strrchr(name, '.');
    const char *const tail = dot ? dot + 1 : name;
    for (uint32_t i = 1; i <= rules->type_count; i++) {
        const char *const other = rules->types[i].table->name, *const behind = strrchr(other, '.');
        if (i != type && !strcmp(behind ? behind + 1 : other, tail))
            return name;
    }
    return tail;
}

static const char **name_types(const kifu_rules *rules)
{
    const char **names = (const char **)kifu__must_grow(NULL, ((size_t)rules->type_count + 1) * sizeof *names);
    for (uint32_t type = 1; type <= rules->type_count; type++)
        names[type] = short_name(rules, type);
    return names;
}

static int digits(uint32_t number)
{
    int count = 1;
    for (; number > 9; number /= 10)
        count++;
    return count;
}

static int show(const kifu__line *line, kifu_timeline *timeline)
{
    kifu__drawing drawing = {.line = line, .timeline = timeline, .executed = kifu_event_count(timeline)};
    drawing.line_count = kifu_line_count(timeline);
    const uint32_t room = 2 * drawing.line_count;
    kifu_line each;
    uint32_t most = 0;
    if (!kifu__choose_line(line, timeline, &each))
        return KIFU__EXIT_TROUBLE;
    for (uint32_t i = 0; kifu_line_at(timeline, i, &each); i++) {
        most = each.id > most ? each.id : most;
        most = each.from + each.count > most ? each.from + each.count : most;
    }
    drawing.number_width = digits(most);
    drawing.stretches = (kifu_stretch *)kifu__must_grow(NULL, room * sizeof *drawing.stretches);
    kifu_error error;
    const kifu_result result = kifu_draw_tree(timeline, drawing.stretches, room, &drawing.count, &error);
    drawing.wanted = (bool *)kifu__must_grow(NULL, room * sizeof *drawing.wanted);
    for (uint32_t i = 0; i < drawing.count; i++) {
        const kifu_stretch *at = &drawing.stretches[i];
        drawing.wanted[i] = line->of_line == KIFU_NONE || at->line == line->of_line ||
                            (at->parent != KIFU_NONE && drawing.wanted[at->parent]);
    }
    drawing.names = name_types(timeline->rules);
    if (result)
        kifu__complain(line, line->files[0], error.message);
    else if (line->json)
        print_json(&drawing);
    else
        print_text(&drawing);
    free(drawing.stretches);
    free(drawing.wanted);
    free((void *)drawing.names);
    return kifu__end_output(line, result ? KIFU__EXIT_TROUBLE : KIFU__EXIT_WELL);
}

int kifu__tree(const kifu__line *line)
{
    kifu__game_file file;
    if (!kifu__open_or_complain(line, line->files[0], &file))
        return KIFU__EXIT_TROUBLE;
    const int status = show(line, file.timeline);
    kifu__close_game(&file);
    return status;
}
