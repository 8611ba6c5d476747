// kifu diff

#include "tool/command.h"

#include <inttypes.h>

static const char advice[] = "to find which, save both games with a hash after each event (kifu_options.hash_interval "
                             "= 1) and compare again, or "
                             "use `bisect` of the game's own program";

static void print_json(const kifu__line *line, const kifu_comparison *found)
{
    static const char *const kinds[] = {"equal", "states", "events", "missing", "waiting"};
    kifu__printer printer = kifu__stdout_printer(false);
    kifu__print_format(&printer, "{\"differ\": \"%s\", \"a\": {\"file\": ", kinds[found->what]);
    kifu__print_string(&printer, line->files[0], strlen(line->files[0]));
    kifu__print(&printer, ", \"value\": ");
    kifu__print_string(&printer, found->a, strlen(found->a));
    kifu__print(&printer, "}, \"b\": {\"file\": ");
    kifu__print_string(&printer, line->files[1], strlen(line->files[1]));
    kifu__print(&printer, ", \"value\": ");
    kifu__print_string(&printer, found->b, strlen(found->b));
    kifu__print(&printer, "}");
    if (found->event != KIFU_NONE)
        kifu__print_format(&printer, ", \"event\": %" PRIu32 ", \"first\": %" PRIu32 ", \"type\": \"%.150s\"",
                           found->event, found->first, found->name);
    kifu__print(&printer, ", \"field\": ");
    kifu__print_string(&printer, found->field, strlen(found->field));
    kifu__print(&printer, ", \"message\": ");
    kifu__print_string(&printer, found->message, strlen(found->message));
    kifu__print(&printer, "}\n");
    (void)kifu__print_end(&printer);
}

static void print_text(const kifu__line *line, const kifu_comparison *found)
{
    kifu__printer printer = kifu__stdout_printer(true);
    kifu__print(&printer, kifu__style('b'));
    kifu__print_name(&printer, found->message);
    kifu__print(&printer, kifu__style('0'));
    kifu__print(&printer, "\n");
    for (int side = 0; side < 2 && found->a[0]; side++) {
        kifu__print(&printer, side ? kifu__style('g') : kifu__style('r'));
        kifu__print(&printer, side ? "+ " : "- ");
        kifu__print_name(&printer, line->files[side]);
        kifu__print(&printer, ": ");
        if (found->field[0]) {
            kifu__print_name(&printer, found->field);
            kifu__print(&printer, " ");
        }
        kifu__print_name(&printer, side ? found->b : found->a);
        kifu__print(&printer, kifu__style('0'));
        kifu__print(&printer, "\n");
    }
    (void)kifu__print_end(&printer);
}

static int compare(const kifu__line *line, kifu__game_file *a, kifu__game_file *b)
{
    const kifu__compared_game one = kifu__compared_of(a), other = kifu__compared_of(b);
    kifu_comparison found;
    if (strcmp(a->identity.game, b->identity.game) != 0)
        return kifu__complain_of(line, NULL, "these are games of '%.100s' and of '%.100s': there is nothing to compare",
                                 a->identity.game, b->identity.game);
    const kifu_result result = kifu__compare(&one, &other, advice, &found);
    if (result)
        return kifu__complain(line, NULL, kifu_result_text(result));
    if (line->json)
        print_json(line, &found);
    else if (found.what)
        print_text(line, &found);
    return kifu__end_output(line, found.what ? KIFU__EXIT_NO : KIFU__EXIT_WELL);
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
