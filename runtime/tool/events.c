// kifu events

#include "tool/command.h"

#include <inttypes.h>

// The type may be given without its namespace.
static bool is_type(const char *name, const char *wanted)
{
    const size_t length = strlen(name), tail = strlen(wanted);
    return !strcmp(name, wanted) ||
           (length > tail && name[length - tail - 1] == '.' && !strcmp(name + length - tail, wanted));
}

static bool is_wanted(const kifu__line *line, const kifu_event *event)
{
    if (line->player != -2 && event->player != line->player)
        return false;
    return !line->type || is_type(event->name, line->type);
}

static bool is_known(const kifu__line *line, const kifu_rules *rules)
{
    bool known = !line->type;
    for (uint32_t type = 1; type <= rules->type_count; type++)
        known = known || is_type(rules->types[type].table->name, line->type);
    return known;
}

// `room`: blanks in front.
static void print_fields(kifu__printer *printer, const kifu_timeline *timeline, const kifu_event *event, int room)
{
    const kifu__table *table = timeline->rules->types[event->type].table;
    const unsigned char *bytes = (const unsigned char *)event->table;
    bool first = true;
    for (uint32_t id = 0; id < table->field_count; id++) {
        if (!kifu__is_there(&table->fields[id], bytes))
            continue;
        if (first)
            kifu__print_format(printer, "%*s", room, "");
        kifu__print_key(printer, table->fields[id].name, &first);
        kifu__print_field(printer, &table->fields[id], bytes);
    }
}

// What is listed.
typedef struct listing {
    const kifu_timeline *timeline;
    kifu_line line; // The events up to its end.
    uint32_t executed;
    int name_width;
    bool lines; // There are several.
} listing;

static void print_row(kifu__printer *printer, const listing *listing, const kifu_event *event, uint32_t owner)
{
    const bool undone = event->index >= listing->executed;
    const bool chained = event->index && (event->flags & KIFU_CONTINUE_UNDO);
    const char flags[] = {undone ? 'u' : ' ', event->flags & KIFU_UNDOABLE ? ' ' : '!',
                          event->flags & KIFU_RANDOM ? 'r' : ' ', event->flags & KIFU_REVEALS ? 'v' : ' ', 0};
    kifu__print(printer, undone ? kifu__style('d') : "");
    kifu__print_format(printer, "%6" PRIu32 " ", event->index);
    if (listing->lines)
        kifu__print_format(printer, "%5" PRIu32 " ", owner);
    kifu__print_format(printer, "%s %s ", chained ? "|" : "*", flags);
    if (event->player >= 0)
        kifu__print_format(printer, "%s%6d%s ", undone ? "" : kifu__style((char)('1' + event->player % 4)),
                           event->player, undone ? "" : kifu__style('0'));
    else
        kifu__print_format(printer, "%6s ", "-");
    if (event->cause != KIFU_NONE)
        kifu__print_format(printer, "%6" PRIu32 " ", event->cause);
    else
        kifu__print_format(printer, "%6s ", "-");
    const bool caused = event->cause != KIFU_NONE;
    kifu__print(printer, caused ? "" : kifu__style('b'));
    kifu__print_name(printer, event->name);
    kifu__print(printer, caused ? "" : kifu__style('0'));
    print_fields(printer, listing->timeline, event, 2 + listing->name_width - (int)strlen(event->name));
    kifu__print(printer, undone ? kifu__style('0') : "");
    kifu__print_notes(printer, listing->timeline, owner, event->index,
                      listing->lines ? "\n               " : "\n         ");
    kifu__print(printer, "\n");
}

static int widest(const kifu_rules *rules)
{
    size_t most = 0;
    for (uint32_t type = 1; type <= rules->type_count; type++) {
        const size_t length = strlen(rules->types[type].table->name);
        most = length > most ? length : most;
    }
    return most < 60 ? (int)most : 60;
}

static void print_heading(kifu__printer *printer, const listing *listing)
{
    kifu__print_format(printer, "%s%6s %s%s %s %6s %6s %-*s  %s%s\n", kifu__style('d'), "event",
                       listing->lines ? " line " : "", "c", "flag", "player", "cause", listing->name_width, "type",
                       "fields", kifu__style('0'));
    kifu_note note = {.line = 0};
    if (!kifu__note_there(listing->timeline, 0, KIFU_BEFORE_FIRST, &note))
        return;
    kifu__print_notes(printer, listing->timeline, 0, KIFU_BEFORE_FIRST,
                      listing->lines ? "               " : "         ");
    kifu__print(printer, "\n");
}

// Each member is always there and always of one type, so that a program makes columns of them. `kifu json` leaves out
// what is not there.
static void print_json(kifu__printer *printer, const listing *listing, const kifu_event *event, uint32_t owner)
{
    const kifu__table *table = listing->timeline->rules->types[event->type].table;
    kifu_note note = {.line = 0};
    kifu__print_format(printer, "{\"number\": %" PRIu32 ", \"line\": %" PRIu32 ", \"type\": ", event->index, owner);
    kifu__print_name(printer, event->name);
    kifu__print_format(printer, ", \"player\": %d, \"cause\": %" PRId64 ", \"flags\": ", event->player,
                       event->cause == KIFU_NONE ? INT64_C(-1) : (int64_t)event->cause);
    kifu__print_flags(printer, event->flags);
    kifu__print_format(printer, ", \"undone\": %s, \"rules_version\": %" PRIu32 ", \"fields\": ",
                       event->index >= listing->executed ? "true" : "false", event->rules_version);
    kifu__print_table(printer, table, (const unsigned char *)event->table);
    if (kifu__note_there(listing->timeline, owner, event->index, &note))
        kifu__print_notes(printer, listing->timeline, owner, event->index, ", \"notes\": {");
    else
        kifu__print(printer, ", \"notes\": {}");
    kifu__print(printer, "}");
}

static void print_all(const kifu__line *line, const listing *listing)
{
    const bool whole = line->undone || !listing->line.current;
    const uint32_t end = whole ? listing->line.from + listing->line.count : listing->executed;
    kifu__printer printer = kifu__stdout_printer(!line->json);
    bool first = true;
    if (!line->json)
        print_heading(&printer, listing);
    for (uint32_t i = line->from == KIFU_NONE ? 0 : line->from; i < end && i <= line->to && !printer.result; i++) {
        kifu_event event;
        uint32_t owner = 0;
        if (!kifu__event_on_way(listing->timeline, listing->line.id, i, &event, &owner) || !is_wanted(line, &event))
            continue;
        if (line->json) {
            if (!line->json_lines)
                kifu__print(&printer, first ? "[\n" : ",\n");
            print_json(&printer, listing, &event, owner);
            kifu__print(&printer, line->json_lines ? "\n" : "");
        } else
            print_row(&printer, listing, &event, owner);
        first = false;
    }
    if (line->json && !line->json_lines)
        kifu__print(&printer, first ? "[]\n" : "\n]\n");
    (void)kifu__print_end(&printer); // The stream remembers it.
}

int kifu__events(const kifu__line *line)
{
    kifu__game_file file;
    listing listing;
    int status = KIFU__EXIT_TROUBLE;
    if (!kifu__open_or_complain(line, line->files[0], &file))
        return status;
    listing.timeline = file.timeline;
    listing.name_width = widest(file.rules);
    listing.lines = kifu_line_count(file.timeline) > 1;
    if (!is_known(line, file.rules))
        kifu__complain_of(line, line->files[0], "the game %.100s has no event type '%.100s'", file.identity.game,
                          line->type);
    else if (kifu__choose_line(line, file.timeline, &listing.line)) {
        listing.executed = listing.line.current ? kifu_event_count(file.timeline) : KIFU_NONE;
        print_all(line, &listing);
        status = kifu__end_output(line, KIFU__EXIT_WELL);
    }
    kifu__close_game(&file);
    return status;
}
