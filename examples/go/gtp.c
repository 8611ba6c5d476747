#define _XOPEN_SOURCE 700 // open_memstream

#include "gtp.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "gtp_call.h"
#include "points.h"

// --- Help for commands -----------------------------------------------------------------------------------------------

bool call_fail(const call *call, const char *reason)
{
    snprintf(call->gtp->error, sizeof call->gtp->error, "%s", reason);
    return false;
}

// Whether a call of Kifu's went well.
bool call_good(const call *call, kifu_result result)
{
    return !result || call_fail(call, kifu_error_reason(kifu_last_error(call->gtp->timeline)));
}

const go_state *call_state(const call *call)
{
    return go_get_state(call->gtp->timeline);
}

const char *call_word(const call *call, uint32_t index)
{
    return index < call->count ? call->words[index] : "";
}

bool call_read_stone(const call *call, uint32_t index, go_stone *stone)
{
    const char letter = (char)tolower((unsigned char)*call_word(call, index));
    *stone = letter == 'b' ? GO_STONE_BLACK : letter == 'w' ? GO_STONE_WHITE : GO_STONE_NONE;
    return *stone || call_fail(call, "a color is black or white");
}

bool call_read_point(const call *call, uint32_t index, uint32_t *point)
{
    *point = point_read(&call_state(call)->terms, call_word(call, index));
    return *point != WRONG_POINT || call_fail(call, "this is no point of the board");
}

bool call_read_number(const call *call, double least, double most, double *number)
{
    char *end;
    *number = strtod(call_word(call, 0), &end);
    return (*call_word(call, 0) && !*end && *number >= least && *number <= most) ||
           call_fail(call, "this is not such a number");
}

// --- Commands --------------------------------------------------------------------------------------------------------

static bool say_version(call *call)
{
    fputs("0.2", call->out);
    return true;
}

static bool say_name(call *call)
{
    fputs("Kifu Go", call->out);
    return true;
}

static bool say_protocol(call *call)
{
    fputc('2', call->out);
    return true;
}

static bool quit(call *call)
{
    (void)call;
    return true;
}

static bool known_command(call *call);
static bool list_commands(call *call);

static const struct command {
    const char *name;
    bool (*obey)(call *call); // false: `error` says why
} commands[] = {
    {"protocol_version", say_protocol},
    {"name", say_name},
    {"version", say_version},
    {"known_command", known_command},
    {"list_commands", list_commands},
    {"quit", quit},
    {"boardsize", gtp_boardsize},
    {"clear_board", gtp_clear_board},
    {"komi", gtp_komi},
    {"fixed_handicap", gtp_fixed_handicap},
    {"place_free_handicap", gtp_place_free_handicap},
    {"set_free_handicap", gtp_set_free_handicap},
    {"play", gtp_play},
    {"genmove", gtp_genmove},
    {"undo", gtp_undo},
    {"showboard", gtp_showboard},
    {"final_score", gtp_final_score},
    {"final_status_list", gtp_final_status_list},
    {"loadsgf", gtp_loadsgf},
    {"printsgf", gtp_printsgf},
    {"list_stones", gtp_list_stones},
    {"captures", gtp_captures},
    {"is_legal", gtp_is_legal},
    {"kifu-counting", gtp_counting},
    {"kifu-redo", gtp_redo},
    {"kifu-mark", gtp_mark},
    {"kifu-marked", gtp_marked},
    {"kifu-score", gtp_score},
    {"kifu-save", gtp_save},
    {"kifu-sgf", gtp_print_tree},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        if (!strcmp(commands[i].name, name))
            return &commands[i];
    }
    return NULL;
}

static bool known_command(call *call)
{
    fputs(find_command(call_word(call, 0)) ? "true" : "false", call->out);
    return true;
}

static bool list_commands(call *call)
{
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(call->out, "%s%s", i ? "\n" : "", commands[i].name);
    return true;
}

// Whether there is anything in the line but a comment.
static bool clean(char *line)
{
    line[strcspn(line, "#")] = '\0';
    for (char *at = line; *at; at++) {
        if (*at == '\t')
            *at = ' ';
    }
    return line[strspn(line, " \r\n")] != '\0';
}

static uint32_t split(char *line, const char **words)
{
    uint32_t count = 0;
    for (char *at = strtok(line, " \r\n"); at && count < MOST_WORDS; at = strtok(NULL, " \r\n"))
        words[count++] = at;
    return count;
}

// The answer is printed only once it is known to be one.
static void answer(FILE *out, const char *id, bool done, const char *text, size_t size, const char *error)
{
    while (size && text[size - 1] == '\n') // An empty line would end it.
        size--;
    fprintf(out, "%c%s ", done ? '=' : '?', id);
    if (done)
        fwrite(text, 1, size, out);
    else
        fputs(error, out);
    fputs("\n\n", out);
    fflush(out);
}

bool gtp_obey(gtp *gtp, char *line, FILE *out)
{
    const char *words[MOST_WORDS] = {""};
    char *text = NULL;
    size_t size = 0;
    if (!clean(line))
        return true;
    const uint32_t count = split(line, words);
    const bool has_id = isdigit((unsigned char)*words[0]);
    const char *name = has_id && count == 1 ? "" : words[has_id];
    const struct command *command = find_command(name);
    call call = {
        .gtp = gtp, .count = count > has_id + 1u ? count - has_id - 1 : 0, .out = open_memstream(&text, &size)};
    memcpy(call.words, words + has_id + 1, call.count * sizeof *words);
    snprintf(gtp->error, sizeof gtp->error, call.out ? "unknown command" : "out of memory");
    const bool done = call.out && command && command->obey(&call);
    if (call.out)
        fclose(call.out);
    answer(out, has_id ? words[0] : "", done, text, size, gtp->error);
    free(text);
    return !command || command->obey != quit;
}
