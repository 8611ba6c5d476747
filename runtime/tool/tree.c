// kifu tree: the lines of a game as a tree, from above to below. What branches off comes before what goes on.
//
//     o    0-6  line 0      7 events  kifu.EResetGame          what all lines have
//     |-*  7-9  line 1      3 events  nim.PTake heap: 0, …     a line that branches off
//     | |-o  9  line 2 …                                       one that branches off from it
//     o    7-8  line 0  main …

#include "tool/command.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_DEPTH = 12 }; // Of what nests deeper, only the number of its level is shown.

typedef struct drawing {
    const kifu__line *line;
    kifu_timeline *timeline;
    kifu_stretch *stretches;
    bool *wanted; // Of each stretch: it is of the line that is asked for, or follows one that is.
    uint32_t count, line_count, executed;
    int number_width;
} drawing;

// --- A line of text, which the terminal's edge cuts off --------------------------------------------------------------

typedef struct row {
    char *text;
    size_t size, capacity;
} row;

static kifu_result add_to_row(void *context, const char *text, size_t size)
{
    row *row = (struct row *)context;
    if (row->size + size > row->capacity) {
        row->capacity = 2 * (row->size + size);
        row->text = (char *)kifu__must_grow(row->text, row->capacity);
    }
    memcpy(row->text + row->size, text, size);
    row->size += size;
    return KIFU_OK;
}

// Styles take no place.
static void put_row(const row *row)
{
    const uint32_t width = kifu__width();
    uint32_t used = 0;
    size_t at = 0;
    while (at < row->size) {
        const unsigned char *const here = (const unsigned char *)row->text + at;
        size_t length = 1;
        if (*here == '\033') {
            while (at + length < row->size && here[length - 1] != 'm')
                length++;
        } else {
            length = kifu__character(here, (const unsigned char *)row->text + row->size);
            length = length ? length : 1;
            if (width && ++used > width) {
                at += length;
                continue;
            }
        }
        fwrite(here, 1, length, stdout);
        at += length;
    }
    fputc('\n', stdout);
}

// --- Rows ------------------------------------------------------------------------------------------------------------

static void print_way(kifu__printer *printer, const kifu_stretch *at, bool begins_row, const char *mark)
{
    const uint32_t shown = at->depth < MOST_DEPTH ? at->depth : MOST_DEPTH;
    if (shown < at->depth)
        kifu__print_format(printer, "(%" PRIu32 ") ", at->depth);
    for (uint32_t i = 0; i < shown; i++)
        kifu__print(printer, begins_row && i + 1 == shown ? "|-" : "| ");
    kifu__print(printer, mark);
}

static void print_place(const drawing *drawing, kifu__printer *printer, const kifu_stretch *at)
{
    char place[32];
    if (!at->count)
        snprintf(place, sizeof place, "-");
    else if (at->count == 1)
        snprintf(place, sizeof place, "%" PRIu32, at->from);
    else
        snprintf(place, sizeof place, "%" PRIu32 "-%" PRIu32, at->from, at->from + at->count - 1);
    kifu__print_format(printer, " %*s  line %-*" PRIu32, 2 * drawing->number_width + 1, place, drawing->number_width,
                       at->line);
}

static void print_fields(kifu__printer *printer, const kifu_timeline *timeline, const kifu_event *event)
{
    const kifu__table *table = timeline->rules->types[event->type].table;
    const unsigned char *bytes = (const unsigned char *)event->table;
    bool first = true;
    for (uint32_t id = 0; id < table->field_count; id++) {
        if (!kifu__is_there(&table->fields[id], bytes))
            continue;
        if (first)
            kifu__print(printer, " ");
        kifu__print_key(printer, table->fields[id].name, &first);
        kifu__print_field(printer, &table->fields[id], bytes);
    }
}

static void print_event(kifu__printer *printer, const kifu_timeline *timeline, const kifu_event *event)
{
    if (event->player >= 0)
        kifu__print(printer, kifu__style((char)('1' + event->player % 4)));
    kifu__print_name(printer, event->name);
    if (event->player >= 0)
        kifu__print(printer, kifu__style('0'));
    print_fields(printer, timeline, event);
}

// Where the game is now.
static bool is_here(const drawing *drawing, const kifu_stretch *at)
{
    const uint32_t executed = drawing->executed, end = at->from + at->count;
    return at->current && (executed > at->from || at->parent == KIFU_NONE) && executed <= end;
}

static void print_words(const drawing *drawing, kifu__printer *printer, const kifu_stretch *at)
{
    kifu_event event;
    kifu__print(printer, at->main && drawing->line_count > 1 ? "  main" : "");
    if (is_here(drawing, at))
        kifu__print_format(printer, "  %snow after %" PRIu32 "%s", kifu__style('b'), drawing->executed,
                           kifu__style('0'));
    kifu__print_format(printer, "  %" PRIu32 " event%s%s", at->count, at->count == 1 ? "" : "s", at->count ? "  " : "");
    if (at->count && kifu_line_event(drawing->timeline, at->line, at->from, &event))
        print_event(printer, drawing->timeline, &event);
}

static void print_noted(const drawing *drawing, const kifu_stretch *at, uint32_t index)
{
    row row = {NULL, 0, 0};
    kifu__printer printer = {.write = add_to_row, .context = &row, .plain = true};
    kifu_event event;
    uint32_t line = at->line;
    print_way(&printer, at, false, at->parts || at->depth ? "| " : "  ");
    if (index == KIFU_BEFORE_FIRST) {
        line = 0; // Though the first line may be another one, where the past is forgotten.
        kifu__print(&printer, "  before the first event");
    } else if (kifu_line_event(drawing->timeline, at->line, index, &event)) {
        kifu__print_format(&printer, "  %" PRIu32 " ", index);
        kifu__print_name(&printer, event.name);
    }
    kifu__print_notes(&printer, drawing->timeline, line, index, ": ");
    (void)kifu__print_end(&printer);
    put_row(&row);
    free(row.text);
}

// Those at its events, each event once.
static void print_its_notes(const drawing *drawing, const kifu_stretch *at, uint32_t from)
{
    kifu_note note = {.line = at->line, .event = from, .key = ""};
    uint32_t before = KIFU_NONE;
    while (kifu_next_note(drawing->timeline, &note) && note.line == at->line && note.event < at->from + at->count) {
        if (note.event != before)
            print_noted(drawing, at, note.event);
        before = note.event;
    }
}

static void print_stretch(const drawing *drawing, uint32_t place)
{
    const kifu_stretch *at = &drawing->stretches[place];
    const bool begins_row = at->parent != KIFU_NONE && at->parent + 1 != place;
    kifu_note note = {.line = 0};
    row row = {NULL, 0, 0};
    kifu__printer printer = {.write = add_to_row, .context = &row, .plain = true};
    if (at->parent == KIFU_NONE && kifu__note_there(drawing->timeline, 0, KIFU_BEFORE_FIRST, &note))
        print_noted(drawing, at, KIFU_BEFORE_FIRST);
    print_way(&printer, at, begins_row, at->current ? "*" : "o");
    print_place(drawing, &printer, at);
    print_words(drawing, &printer, at);
    (void)kifu__print_end(&printer);
    put_row(&row);
    free(row.text);
    print_its_notes(drawing, at, at->from);
}

// --- The tree --------------------------------------------------------------------------------------------------------

// The next stretch from above to below: all that branches off, and last what goes straight on.
static uint32_t next_below(const drawing *drawing, uint32_t place)
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

static void print_text(const drawing *drawing)
{
    for (uint32_t place = 0; place != KIFU_NONE && !ferror(stdout); place = next_below(drawing, place)) {
        if (drawing->wanted[place])
            print_stretch(drawing, place);
    }
}

// Of a note before the first event, the first stretch.
static bool is_wanted(const drawing *drawing, const kifu_note *note)
{
    uint32_t place = 0;
    for (; note->event != KIFU_BEFORE_FIRST && place < drawing->count; place++) {
        const kifu_stretch *at = &drawing->stretches[place];
        if (at->line == note->line && note->event >= at->from && note->event < at->from + at->count)
            break;
    }
    return place < drawing->count && drawing->wanted[place];
}

static void print_json_notes(const drawing *drawing, kifu__printer *printer)
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

static void print_json(const drawing *drawing)
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

static int digits(uint32_t number)
{
    int count = 1;
    for (; number > 9; number /= 10)
        count++;
    return count;
}

static int show(const kifu__line *line, kifu_timeline *timeline)
{
    drawing drawing = {.line = line, .timeline = timeline, .executed = kifu_event_count(timeline)};
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
    if (result)
        kifu__complain(line, line->files[0], error.message);
    else if (line->json)
        print_json(&drawing);
    else
        print_text(&drawing);
    free(drawing.stretches);
    free(drawing.wanted);
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
