// The command of a game's own program: its arguments, and what is printed.

#define _XOPEN_SOURCE 700

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nats/online.h"

static const struct {
    const char *word;
    int (*run)(kifu__program *program);
} commands[] = {{"serve", kifu__serve}, {"join", kifu__join}, {"watch", kifu__watch_game}, {"games", kifu__list_games}};

enum { COMMANDS = sizeof commands / sizeof *commands };

bool kifu_online_command(const char *word)
{
    for (unsigned i = 0; i < COMMANDS; i++) {
        if (!strcmp(word, commands[i].word))
            return true;
    }
    return false;
}

int kifu__online_error(const kifu__program *program, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", program->game->name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return 1;
}

const char *kifu__player_name(const kifu_online_game *game, int player, char name[20])
{
    if (game->players && player >= 0 && player < (int)game->seats)
        return game->players[player];
    snprintf(name, 20, "player %d", player);
    return name;
}

kifu_nats_options kifu__nats_where(const kifu__program *program)
{
    return (kifu_nats_options){.url = program->server, .service = program->game->name, .user = program->user};
}

static void print_help(FILE *to, const kifu_online_game *game, const char *called)
{
    fprintf(to,
            "usage: %s COMMAND [NAME] [--server URL] [--user NAME] [--data FOLDER]\n"
            "\n"
            "  serve [NAME…]  owns games, until you stop it with Ctrl-C: begins those that are not there yet\n"
            "  games          lists the games: their free seats, and whose turn it is\n"
            "  join [NAME]    plays: at the seat that you had, or else at a free one\n"
            "  watch [NAME]   looks on, as a spectator\n"
            "\n"
            "  NAME           of a game: a-z, 0-9, _ and -. Without one: %s\n"
            "  --server URL   where the message server is: nats://USER:PASSWORD@HOST:PORT (nats://127.0.0.1:4222)\n"
            "  --user NAME    your name there, which decides what you may read (that of the URL, or a random one)\n"
            "  --data FOLDER  where the program remembers your seats, and with serve the secrets of all seats\n"
            "                 ($XDG_DATA_HOME/kifu, or ~/.local/share/kifu)\n"
            "\n"
            "A message server is started with: nats-server --jetstream\n",
            called, game->name);
}

// --- Arguments -------------------------------------------------------------------------------------------------------

static bool set(char *to, size_t room, const char *from)
{
    return (size_t)snprintf(to, room, "%s", from) < room;
}

// "nats://alice:hers@example.org" has a user. A list of servers becomes a name without characters that a file's name
// cannot have.
static bool read_address(kifu__program *program, bool has_user)
{
    const char *begin = strstr(program->server, "://");
    begin = begin ? begin + 3 : program->server;
    const char *at = strchr(begin, '@');
    const size_t length = at ? strcspn(begin, ":@") : 0;
    snprintf(program->host, sizeof program->host, "%.180s", at ? at + 1 : begin);
    for (char *c = program->host; *c; c++)
        *c = *c == '/' || *c == ',' || *c == '@' ? '_' : *c;
    if (has_user)
        return true;
    if (!length)
        return snprintf(program->user, sizeof program->user, "guest-%08" PRIx32, (uint32_t)program->session) > 0;
    if (length >= sizeof program->user)
        return false;
    memcpy(program->user, begin, length);
    program->user[length] = '\0';
    return true;
}

// FOLDER/SERVICE, and all folders on the way there.
static bool make_folder(kifu__program *program, const char *folder)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    char *path = program->folder;
    int length;
    if (folder)
        length = snprintf(path, KIFU__MOST_PATH, "%s/%s", folder, program->game->name);
    else if (data && *data)
        length = snprintf(path, KIFU__MOST_PATH, "%s/kifu/%s", data, program->game->name);
    else
        length = snprintf(path, KIFU__MOST_PATH, "%s/.local/share/kifu/%s", home ? home : ".", program->game->name);
    if (length >= KIFU__MOST_PATH - 100)
        return false;
    for (char *at = path + 1; *at; at++) {
        if (*at == '/') {
            *at = '\0';
            mkdir(path, 0777);
            *at = '/';
        }
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

// False: the arguments are wrong, and this was said.
static bool read_arguments(kifu__program *program, int argc, char **argv)
{
    const char *folder = NULL;
    bool has_user = false;
    for (int i = 2; i < argc; i++) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        bool good = true;
        if (word[0] != '-') {
            if (!kifu__is_name(word)) {
                kifu__online_error(program, "'%s' is no name of a game: it has 1 to 40 characters of a-z, 0-9, _ and -",
                                   word);
                return false;
            }
            program->names[program->name_count++] = word;
            continue;
        }
        if (!strcmp(word, "--server") && value)
            good = set(program->server, sizeof program->server, value);
        else if (!strcmp(word, "--user") && value)
            good = has_user = set(program->user, sizeof program->user, value);
        else if (!strcmp(word, "--data") && value)
            folder = value;
        else
            good = false;
        if (!good) {
            kifu__online_error(
                program, "'%s' is no option, or its value is missing or too long: --help lists the options", word);
            return false;
        }
        i++;
    }
    if (!read_address(program, has_user)) {
        kifu__online_error(program, "the user's name in the server's address is too long");
        return false;
    }
    if (!make_folder(program, folder)) {
        kifu__online_error(program, "there can be no folder %s: name another one with --data", program->folder);
        return false;
    }
    if (!program->name_count)
        program->names[program->name_count++] = program->game->name;
    return true;
}

int kifu_online_main(const kifu_online_game *game, int argc, char **argv)
{
    kifu__program program = {.game = game, .called = argv[0], .server = "nats://127.0.0.1:4222"};
    int result = 2;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            print_help(stdout, game, argv[0]);
            return 0;
        }
    }
    if (argc < 2 || !kifu_online_command(argv[1])) {
        print_help(stderr, game, argv[0]);
        return 2;
    }
    if (!kifu__system_entropy(NULL, &program.session, sizeof program.session))
        return kifu__online_error(&program, "there are no random numbers: /dev/urandom cannot be read");
    program.names = (const char **)calloc((size_t)argc, sizeof(char *));
    if (!program.names)
        return kifu__online_error(&program, "out of memory");
    if (read_arguments(&program, argc, argv)) {
        for (unsigned i = 0; i < COMMANDS; i++) {
            if (!strcmp(argv[1], commands[i].word))
                result = commands[i].run(&program);
        }
    }
    free(program.names);
    return result;
}
