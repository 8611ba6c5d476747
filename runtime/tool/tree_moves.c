// The rows of `kifu tree`: what a stretch is, and its moves, as many in a row as the terminal has room for.

#include "tool/tree.h"

#include <inttypes.h>
#include <stdlib.h>

#include "wire/buffer.h"

enum { MOST_DEPTH = 12 }; // Of what nests deeper, only the number of its level is shown.

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

// How many bytes the next character has, or the next style, which takes no place.
static size_t piece_of(const row *row, size_t at, bool *style)
{
    const unsigned char *const here = (const unsigned char *)row->text + at;
    size_t length = 1;
    *style = *here == '\033';
    if (!*style) {
        length = kifu__character(here, (const unsigned char *)row->text + row->size);
        return length ? length : 1;
    }
    while (at + length < row->size && here[length - 1] != 'm')
        length++;
    return length;
}

static void put_row(const row *row)
{
    const uint32_t width = kifu__width();
    uint32_t used = 0;
    for (size_t at = 0; at < row->size;) {
        bool style;
        const size_t length = piece_of(row, at, &style);
        used += !style;
        if (style || !width || used <= width)
            fwrite(row->text + at, 1, length, stdout);
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

static void print_place(const kifu__drawing *drawing, kifu__printer *printer, const kifu_stretch *at)
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

// Where the game is now.
static bool is_here(const kifu__drawing *drawing, const kifu_stretch *at)
{
    const uint32_t executed = drawing->executed, end = at->from + at->count;
    return at->current && (executed > at->from || at->parent == KIFU_NONE) && executed <= end;
}

static void print_words(const kifu__drawing *drawing, kifu__printer *printer, const kifu_stretch *at)
{
    kifu__print(printer, at->main && drawing->line_count > 1 ? "  main" : "");
    if (is_here(drawing, at))
        kifu__print_format(printer, "  %snow after %" PRIu32 "%s", kifu__style('b'), drawing->executed,
                           kifu__style('0'));
    kifu__print_format(printer, "  %" PRIu32 " event%s", at->count, at->count == 1 ? "" : "s");
}

static void print_edge(kifu__printer *printer, const kifu_stretch *at)
{
    print_way(printer, at, false, at->parts || at->depth ? "| " : "  ");
}

static void print_noted(const kifu__drawing *drawing, const kifu_stretch *at, uint32_t index)
{
    row row = {NULL, 0, 0};
    kifu__printer printer = {.write = add_to_row, .context = &row, .plain = true};
    kifu_event event;
    uint32_t line = at->line;
    print_edge(&printer, at);
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

// --- Moves -----------------------------------------------------------------------------------------------------------

// A row of moves that is being filled.
typedef struct paragraph {
    const kifu__drawing *drawing;
    const kifu_stretch *at;
    row row;
    uint32_t width, used; // In characters; `used` 0: nothing is in it.
} paragraph;

// How many characters are shown of it.
static uint32_t shown_of(const row *row)
{
    uint32_t shown = 0;
    for (size_t at = 0; at < row->size;) {
        bool style;
        at += piece_of(row, at, &style);
        shown += !style;
    }
    return shown;
}

static void end_row(paragraph *paragraph)
{
    if (paragraph->used)
        put_row(&paragraph->row);
    paragraph->row.size = 0;
    paragraph->used = 0;
}

static void begin_row(paragraph *paragraph)
{
    kifu__printer printer = {.write = add_to_row, .context = &paragraph->row, .plain = true};
    print_edge(&printer, paragraph->at);
    kifu__print(&printer, "    ");
    (void)kifu__print_end(&printer);
    paragraph->used = shown_of(&paragraph->row);
}

static void add_move(paragraph *paragraph, const row *move)
{
    const uint32_t more = shown_of(move);
    if (paragraph->used && paragraph->used + 2 + more + 1 > paragraph->width) {
        (void)add_to_row(&paragraph->row, ";", 1);
        end_row(paragraph);
    }
    if (paragraph->used) {
        (void)add_to_row(&paragraph->row, "; ", 2);
        paragraph->used += 2;
    } else
        begin_row(paragraph);
    (void)add_to_row(&paragraph->row, move->text, move->size);
    paragraph->used += more;
}

// What says nothing to a reader: a flag that is not set, an enum that is NONE, and a default that the schema writes.
static bool says_nothing(const kifu__field *field, const unsigned char *table)
{
    if (field->kind != KIFU__SCALAR || field->has)
        return false;
    const uint64_t value = kifu__read_integer(table + field->offset, field->size, false);
    const char *const label = field->values ? kifu__label_of(field->values, value) : NULL;
    if (!value)
        return field->scalar == KIFU__BOOL || (label && !strcmp(label, "NONE"));
    return value == field->default_bits;
}

// "6 p0 PTake heap 3 count 6"
static void print_move(const kifu__drawing *drawing, kifu__printer *printer, const kifu_event *event)
{
    const kifu__table *table = drawing->timeline->rules->types[event->type].table;
    const unsigned char *bytes = (const unsigned char *)event->table;
    const bool dim = event->index >= drawing->executed;
    kifu__print(printer, dim ? kifu__style('d') : "");
    kifu__print_format(printer, "%" PRIu32 " ", event->index);
    if (event->player >= 0)
        kifu__print_format(printer, "%sp%d ", dim ? "" : kifu__style((char)('1' + event->player % 4)), event->player);
    kifu__print_name(printer, drawing->names[event->type]);
    kifu__print(printer, event->player >= 0 && !dim ? kifu__style('0') : "");
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *const field = &table->fields[id];
        bool first = true;
        if (!kifu__is_there(field, bytes) || says_nothing(field, bytes))
            continue;
        kifu__print(printer, " ");
        kifu__print_key(printer, field->name, &first);
        kifu__print_field(printer, field, bytes);
    }
    kifu__print(printer, dim ? kifu__style('0') : "");
}

// A consequence follows from its input by the rules, unless a reader cannot know it.
static bool is_folded(const kifu__drawing *drawing, const kifu_stretch *at, const kifu_event *event)
{
    enum { CANNOT_BE_KNOWN = KIFU_RANDOM | KIFU_REVEALS };
    kifu_event cause;
    uint32_t owner;
    return event->cause != KIFU_NONE && !(event->flags & CANNOT_BE_KNOWN) &&
           !(kifu__event_on_way(drawing->timeline, at->line, event->cause, &cause, &owner) &&
             cause.flags & KIFU_RANDOM);
}

// Which event of a stretch has the first note at or behind number `from`; KIFU_NONE: none.
static uint32_t next_noted(const kifu__drawing *drawing, const kifu_stretch *at, uint32_t from)
{
    kifu_note note = {.line = at->line, .event = from, .key = ""};
    const bool found = kifu_next_note(drawing->timeline, &note) && note.line == at->line;
    return found && note.event < at->from + at->count ? note.event : KIFU_NONE;
}

// Consequences are counted behind their input; the first event of a stretch is shown whatever it is.
static void print_moves(const kifu__drawing *drawing, const kifu_stretch *at)
{
    enum { WITHOUT_A_TERMINAL = 100 };
    const uint32_t width = kifu__width(), end = at->from + at->count;
    paragraph paragraph = {.drawing = drawing, .at = at, .width = width ? width : WITHOUT_A_TERMINAL};
    uint32_t noted = next_noted(drawing, at, at->from);
    row move = {NULL, 0, 0};
    kifu_event event, next;
    bool there = at->count && kifu_line_event(drawing->timeline, at->line, at->from, &event);
    while (there && !ferror(stdout)) {
        kifu__printer printer = {.write = add_to_row, .context = &move, .plain = true};
        uint32_t folded = 0;
        move.size = 0;
        print_move(drawing, &printer, &event);
        for (;; folded++) {
            const uint32_t index = event.index + folded + 1;
            there = index < end && kifu_line_event(drawing->timeline, at->line, index, &next);
            if (!there || drawing->line->all || index == noted || event.index == noted ||
                !is_folded(drawing, at, &next))
                break;
        }
        if (folded)
            kifu__print_format(&printer, " %s(+%" PRIu32 ")%s", kifu__style('d'), folded, kifu__style('0'));
        (void)kifu__print_end(&printer);
        add_move(&paragraph, &move);
        if (event.index == noted) {
            end_row(&paragraph);
            print_noted(drawing, at, noted);
            noted = next_noted(drawing, at, noted + 1);
        }
        event = next;
    }
    end_row(&paragraph);
    free(move.text);
    free(paragraph.row.text);
}

void kifu__print_stretch(const kifu__drawing *drawing, uint32_t place)
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
    print_moves(drawing, at);
}
