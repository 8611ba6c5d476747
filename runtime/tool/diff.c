// kifu diff: the current lines first, then all others and the notes.

#include "tool/command.h"

#include <inttypes.h>

static const char advice[] = "to find which, save both games with a hash after each event (kifu_options.hash_interval "
                             "= 1) and compare again, or "
                             "use `bisect` of the game's own program";

// What is printed of two games.
typedef struct printing {
    const kifu__line *line;
    const kifu_comparison *found; // Of the current lines.
    kifu__printer printer;
    uint32_t count; // So many differences of other lines and notes were told.
} printing;

// --- For programs ----------------------------------------------------------------------------------------------------

static void print_string(kifu__printer *printer, const char *name, const char *text)
{
    kifu__print(printer, name);
    kifu__print_string(printer, text, strlen(text));
}

static void print_line(kifu__printer *printer, const char *name, uint32_t line)
{
    if (line != KIFU_NONE)
        kifu__print_format(printer, "%s%" PRIu32, name, line);
}

static void print_json(printing *printing, const kifu_tree_difference *told)
{
    static const char *const kinds[] = {"missing", "events", "main", "note"};
    kifu__printer *printer = &printing->printer;
    kifu__print_format(printer, "%s{\"differ\": \"%s\"", printing->count ? ",\n  " : ", \"tree\": [\n  ",
                       kinds[told->what]);
    print_line(printer, ", \"line_a\": ", told->line_a);
    print_line(printer, ", \"line_b\": ", told->line_b);
    if (told->event != KIFU_BEFORE_FIRST)
        kifu__print_format(printer, ", \"event\": %" PRIu32, told->event);
    if (told->name)
        print_string(printer, ", \"type\": ", told->name);
    if (told->key)
        print_string(printer, ", \"key\": ", told->key);
    if (told->field[0])
        print_string(printer, ", \"field\": ", told->field);
    if (told->a[0]) {
        print_string(printer, ", \"a\": ", told->a);
        print_string(printer, ", \"b\": ", told->b);
    }
    print_string(printer, ", \"message\": ", told->message);
    kifu__print(printer, "}");
}

static void begin_json(printing *printing)
{
    static const char *const kinds[] = {"equal", "states", "events", "missing", "waiting"};
    const kifu__line *line = printing->line;
    const kifu_comparison *found = printing->found;
    kifu__printer *printer = &printing->printer;
    kifu__print_format(printer, "{\"differ\": \"%s\"", kinds[found->what]);
    print_string(printer, ", \"a\": {\"file\": ", line->files[0]);
    print_string(printer, ", \"value\": ", found->a);
    print_string(printer, "}, \"b\": {\"file\": ", line->files[1]);
    print_string(printer, ", \"value\": ", found->b);
    kifu__print(printer, "}");
    if (found->event != KIFU_NONE)
        kifu__print_format(printer, ", \"event\": %" PRIu32 ", \"first\": %" PRIu32 ", \"type\": \"%.150s\"",
                           found->event, found->first, found->name);
    print_string(printer, ", \"field\": ", found->field);
    print_string(printer, ", \"message\": ", found->message);
}

// --- For people ------------------------------------------------------------------------------------------------------

// In it, what stands in quotes is escaped already.
static void print_words(kifu__printer *printer, const char *text)
{
    char piece[sizeof((kifu_comparison *)NULL)->message];
    while (*text) {
        const size_t plain = strcspn(text, "\"\\");
        snprintf(piece, sizeof piece, "%.*s", (int)plain, text);
        kifu__print_name(printer, piece);
        text += plain;
        const size_t marks = strspn(text, "\"\\");
        kifu__print_bytes(printer, text, marks);
        text += marks;
    }
}

static void print_text(printing *printing, const char *message, const char *field, const char *a, const char *b)
{
    kifu__printer *printer = &printing->printer;
    kifu__print(printer, kifu__style('b'));
    print_words(printer, message);
    kifu__print(printer, kifu__style('0'));
    kifu__print(printer, "\n");
    for (int side = 0; side < 2 && a[0]; side++) {
        kifu__print(printer, side ? kifu__style('g') : kifu__style('r'));
        kifu__print(printer, side ? "+ " : "- ");
        kifu__print_name(printer, printing->line->files[side]);
        kifu__print(printer, ": ");
        if (field[0]) {
            kifu__print_name(printer, field);
            kifu__print(printer, " ");
        }
        print_words(printer, side ? b : a);
        kifu__print(printer, kifu__style('0'));
        kifu__print(printer, "\n");
    }
}

// --- Comparing -------------------------------------------------------------------------------------------------------

// Of other lines, and of notes. What was said of the current lines is not said again.
static bool take(void *context, const kifu_tree_difference *told)
{
    printing *printing = context;
    const kifu_comparison *found = printing->found;
    const bool said = found->what == KIFU_EVENTS_DIFFER || found->what == KIFU_EVENT_MISSING;
    if (said && told->current && told->event == found->event)
        return true;
    if (printing->line->json)
        print_json(printing, told);
    else
        print_text(printing, told->message,
                   told->field[0] ? told->field
                   : told->key    ? told->key
                                  : "",
                   told->a, told->b);
    printing->count++;
    return !printing->printer.result;
}

static int compare(const kifu__line *line, kifu__game_file *a, kifu__game_file *b)
{
    const kifu__compared_game one = kifu__compared_of(a), other = kifu__compared_of(b);
    kifu_comparison found;
    kifu_error error;
    printing printing = {.line = line, .found = &found, .printer = kifu__stdout_printer(!line->json)};
    if (strcmp(a->identity.game, b->identity.game) != 0)
        return kifu__complain_of(line, NULL, "these are games of '%.100s' and of '%.100s': there is nothing to compare",
                                 a->identity.game, b->identity.game);
    kifu_result result = kifu__compare(&one, &other, advice, &found);
    if (result)
        return kifu__complain(line, NULL, kifu_result_text(result));
    if (line->json)
        begin_json(&printing);
    else if (found.what)
        print_text(&printing, found.message, found.field, found.a, found.b);
    result = kifu__compare_trees(a->timeline, b->timeline, take, &printing, &error);
    if (line->json)
        kifu__print(&printing.printer, printing.count ? "\n]}\n" : "}\n");
    (void)kifu__print_end(&printing.printer); // The stream remembers it.
    if (result)
        return kifu__complain(line, NULL, error.message);
    return kifu__end_output(line, found.what || printing.count ? KIFU__EXIT_NO : KIFU__EXIT_WELL);
}

int kifu__diff(const kifu__line *line)
{
    kifu__game_file a, b;
    int status = KIFU__EXIT_TROUBLE;
    if (!strcmp(line->files[0], "-") && !strcmp(line->files[1], "-"))
        return kifu__complain(line, NULL, "only one of the two can be standard input");
    if (!kifu__open_or_complain(line, line->files[0], &a))
        return status;
    if (kifu__open_or_complain(line, line->files[1], &b)) {
        status = compare(line, &a, &b);
        kifu__close_game(&b);
    }
    kifu__close_game(&a);
    return status;
}
