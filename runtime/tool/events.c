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

static bool is_wanted(const kifu__line *line, const kifu_timeline *timeline, uint32_t event)
{
    if (line->player != -2 && kifu__log_mark(&timeline->log, event)->player != line->player)
        return false;
    return !line->type || is_type(kifu__name_of(timeline, event), line->type);
}

static bool is_known(const kifu__line *line, const kifu_rules *rules)
{
    bool known = !line->type;
    for (uint32_t type = 1; type <= rules->type_count; type++)
        known = known || is_type(rules->types[type].table->name, line->type);
    return known;
}

// An undo chain begins with an event past which undo does not continue.
static bool begins_chain(const kifu_timeline *timeline, uint32_t event)
{
    return !event || !(kifu__log_mark(&timeline->log, event)->flags & KIFU_CONTINUE_UNDO);
}

// `room`: blanks in front.
static void print_fields(kifu__printer *printer, const kifu_timeline *timeline, uint32_t event, int room)
{
    const kifu__table *table = timeline->rules->types[kifu__log_type(&timeline->log, event)].table;
    const unsigned char *bytes = (const unsigned char *)kifu__log_table(&timeline->log, event);
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

static void print_row(kifu__printer *printer, const kifu_timeline *timeline, uint32_t event, int name_width)
{
    const kifu__mark mark = *kifu__log_mark(&timeline->log, event);
    const char *name = kifu__name_of(timeline, event);
    const bool undone = event >= kifu_event_count(timeline);
    const char flags[] = {undone ? 'u' : ' ', mark.flags & KIFU_UNDOABLE ? ' ' : '!',
                          mark.flags & KIFU_RANDOM ? 'r' : ' ', mark.flags & KIFU_REVEALS ? 'v' : ' ', 0};
    kifu__print(printer, undone ? kifu__style('d') : "");
    kifu__print_format(printer, "%6" PRIu32 " %s %s ", event, begins_chain(timeline, event) ? "*" : "|", flags);
    if (mark.player >= 0)
        kifu__print_format(printer, "%s%6d%s ", undone ? "" : kifu__style((char)('1' + mark.player % 4)), mark.player,
                           undone ? "" : kifu__style('0'));
    else
        kifu__print_format(printer, "%6s ", "-");
    if (mark.cause)
        kifu__print_format(printer, "%6" PRIu32 " ", event - mark.cause);
    else
        kifu__print_format(printer, "%6s ", "-");
    kifu__print(printer, mark.cause ? "" : kifu__style('b'));
    kifu__print_name(printer, name);
    kifu__print(printer, mark.cause ? "" : kifu__style('0'));
    print_fields(printer, timeline, event, 2 + name_width - (int)strlen(name));
    kifu__print(printer, undone ? kifu__style('0') : "");
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

static void print_all(const kifu__line *line, const kifu_timeline *timeline)
{
    const uint32_t end = line->undone ? timeline->log.event_count : kifu_event_count(timeline);
    const uint32_t from = line->from == KIFU_NONE ? 0 : line->from;
    kifu__printer printer = kifu__stdout_printer(!line->json);
    const int width = widest(timeline->rules);
    bool first = true;
    if (!line->json)
        kifu__print_format(&printer, "%s%6s %s %s %6s %6s %-*s  %s%s\n", kifu__style('d'), "event", "c", "flag",
                           "player", "cause", width, "type", "fields", kifu__style('0'));
    for (uint32_t i = from; i < end && (line->to == KIFU_NONE || i <= line->to) && !printer.result; i++) {
        if (!is_wanted(line, timeline, i))
            continue;
        if (line->json) {
            kifu__print(&printer, first ? "[\n" : ",\n");
            kifu__print_event(&printer, timeline, i);
        } else
            print_row(&printer, timeline, i, width);
        first = false;
    }
    if (line->json)
        kifu__print(&printer, first ? "[]\n" : "\n]\n");
    (void)kifu__print_end(&printer); // The stream remembers it.
}

int kifu__events(const kifu__line *line)
{
    kifu__game_file file;
    if (!kifu__open_or_complain(line, line->files[0], &file))
        return KIFU__EXIT_TROUBLE;
    if (!is_known(line, file.rules)) {
        kifu__complain_of(line, line->files[0], "the game %.100s has no event type '%.100s'", file.identity.game,
                          line->type);
        kifu__close_game(&file);
        return KIFU__EXIT_TROUBLE;
    }
    print_all(line, file.timeline);
    kifu__close_game(&file);
    return kifu__end_output(line, KIFU__EXIT_WELL);
}
