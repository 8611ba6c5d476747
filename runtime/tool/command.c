// The command line: which command, and which options.

#include "tool/command.h"

#include <stdlib.h>

#include <kifu/main.h>

static const kifu__command commands[] = {
    {"info", "FILE...", "what a save contains: game, players, events, schema", "jsm", 1, UINT32_MAX, false, kifu__info},
    {"events", "FILE", "the events as a table, with players, causes and undo chains", "jJsftypuLm", 1, 1, false,
     kifu__events},
    {"tree", "FILE", "the variations as a tree, with their moves and notes", "jsLAm", 1, 1, false, kifu__tree},
    {"state", "FILE", "the state at the end of a save", "jsm", 1, 1, false, kifu__show_state},
    {"json", "FILE", "a save as JSON, or JSON as a save", "osSnm", 1, 1, false, kifu__json},
    {"html", "FILE", "a page that shows the game in a browser, hidden hands included", "osTzqm", 1, 1, false,
     kifu__html},
    {"diff", "A B", "where two games first differ: event, field, both values", "jsm", 2, 2, false, kifu__diff},
    {"verify", "PATH...", "whether saves are valid; of a folder, all its saves", "jsqm", 1, UINT32_MAX, false,
     kifu__verify},
    {"recover", "FILE", "writes what is valid in a damaged save or a log file to a new save", "osm", 1, 1, false,
     kifu__recover},
    {"pack", "FILE", "makes a save smaller", "oislm", 1, 1, false, kifu__pack_save},
    {"unpack", "FILE", "makes a packed save plain again", "oism", 1, 1, false, kifu__unpack_save},
    {"bisect", "FILE", "the first event whose replay differs from the recorded hashes", "jm", 1, 1, true, kifu__bisect},
    {"check-saves", "PATH...", "which saves load differently in this version of the game, and where", "jqm", 1,
     UINT32_MAX, true, kifu__check_saves},
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

// The letters are those in `kifu__command.options`.
static const struct {
    char letter;
    const char *name, *short_name, *argument, *what;
} options[] = {
    {'j', "--json", NULL, NULL, "prints JSON, for programs"},
    {'J', "--json-lines", NULL, NULL, "prints JSON, a line for each event"},
    {'s', "--schema", NULL, "FILE.bfbs", "the game's schema, for files that were saved without it"},
    {'o', "--output", "-o", "FILE", "where to write; - is standard output"},
    {'i', "--in-place", "-i", NULL, "replaces the file itself"},
    {'l', "--level", NULL, "N", "how hard to pack, 1 to 19; 0: without zstd"},
    {'S', "--no-schema", NULL, NULL, "leaves the schema out; reading it back then needs --schema"},
    {'n', "--no-state", NULL, NULL, "leaves the state out"},
    {'f', "--from", NULL, "N", "begins with event number N"},
    {'t', "--to", NULL, "N", "ends with event number N"},
    {'y', "--type", NULL, "NAME", "only events of this type, nim.PTake or PTake"},
    {'p', "--player", NULL, "N", "only events of this player"},
    {'c', "--checks", NULL, NULL, "also plays the inputs again, and asks the checks and hooks of the game"},
    {'u', "--undone", NULL, NULL, "also the events that redo would bring back"},
    {'A', "--all", NULL, NULL, "also the consequences of moves; without it, they are only counted"},
    {'L', "--line", NULL, "N", "a line of the game, instead of the current one; for `tree`, only what follows it"},
    {'a', "--at", NULL, "N", "after the first N events"},
    {'T', "--title", NULL, "TEXT", "the title of the page, instead of the title in the save"},
    {'z', "--states", NULL, "SIZE", "the most bytes of the page for states (32M); 0: no states"},
    {'d', "--drawings", NULL, "SIZE", "the most bytes of the page for drawings (8M); 0: none"},
    {'P', "--play", NULL, NULL, "a page in which the game is verified and played on"},
    {'m', "--memory", NULL, "SIZE", "the most memory that reading a file may take (64M plus 64 times the file)"},
    {'q', "--quiet", "-q", NULL, "prints nothing but what is wrong, and no progress"},
};
enum { OPTION_COUNT = sizeof options / sizeof *options };

static bool has_option(const kifu__line *line, const kifu__command *command, char letter)
{
    // A game's program can show the state after any event of any line, and has checks.
    return strchr(command->options, letter) ||
           (line->rules && ((letter == 'c' && command->run == kifu__verify) ||
                            ((letter == 'd' || letter == 'P') && command->run == kifu__html) ||
                            ((letter == 'a' || letter == 'L') && command->run == kifu__show_state)));
}

// --- Help ------------------------------------------------------------------------------------------------------------

static void print_commands(const kifu__line *line, FILE *stream)
{
    fprintf(stream, "usage: %s COMMAND [OPTION...] FILE...\n\n", line->program);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (line->rules || !commands[i].of_game)
            fprintf(stream, "  %-12s %-8s %s\n", commands[i].name, commands[i].arguments, commands[i].what);
    }
    fprintf(stream,
            "\nFILE is a save, a log file, or JSON made of one; - is standard input.\n"
            "`%s help COMMAND` lists the options of a command. Exit status: 0; 1: files differ or are not valid; 2:\n"
            "trouble; 130: cancelled.\n",
            line->program);
}

static void print_help(const kifu__line *line, const kifu__command *command)
{
    printf("usage: %s %s [OPTION...] %s\n\n%s.\n", line->program, command->name, command->arguments, command->what);
    for (int i = 0; i < OPTION_COUNT; i++) {
        char names[40];
        if (!has_option(line, command, options[i].letter))
            continue;
        snprintf(names, sizeof names, "%s%s%s%s%s", options[i].short_name ? options[i].short_name : "",
                 options[i].short_name ? ", " : "", options[i].name, options[i].argument ? " " : "",
                 options[i].argument ? options[i].argument : "");
        printf("  %-24s %s\n", names, options[i].what);
    }
}

static const kifu__command *find_command(const kifu__line *line, const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (!strcmp(commands[i].name, name) && (line->rules || !commands[i].of_game))
            return &commands[i];
    }
    return NULL;
}

static int no_command(const kifu__line *line, const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (!strcmp(commands[i].name, name))
            return kifu__complain_of(line, NULL,
                                     "`%s` executes the game, so only the game's own program has it: see kifu_main in "
                                     "the guide on tools",
                                     name);
    }
    return kifu__complain_of(line, NULL, "there is no command `%.100s`; `%s help` lists the commands", name,
                             line->program);
}

// --- Options ---------------------------------------------------------------------------------------------------------

static bool read_number(const char *text, int64_t least, int64_t most, int64_t *number)
{
    char *end;
    *number = strtoll(text, &end, 10);
    return *text && !*end && *number >= least && *number <= most;
}

// "500K", "32M"
static bool read_size(const char *text, uint64_t *size)
{
    char *end;
    const unsigned long long number = strtoull(text, &end, 10);
    const char *const units = "KMG", *unit = *end ? strchr(units, *end) : NULL;
    const unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    *size = (uint64_t)number << shift;
    return *text >= '0' && *text <= '9' && (!*end || (unit && !end[1])) && *size >> shift == number;
}

// False: complained.
static bool take_option(kifu__line *line, char letter, const char *name, const char *value)
{
    int64_t number = 0;
    const bool is_event = letter == 'f' || letter == 't' || letter == 'a' || letter == 'L';
    const int64_t least = letter == 'p' ? -1 : 0;
    const int64_t most = letter == 'p' ? 127 : letter == 'l' ? 19 : 4294967294;
    if ((is_event || letter == 'p' || letter == 'l') && !read_number(value, least, most, &number)) {
        kifu__complain_of(line, NULL, "%s takes a number from %lld to %lld, and not '%.100s'", name, (long long)least,
                          (long long)most, value);
        return false;
    }
    uint64_t *const size = letter == 'z'   ? &line->states
                           : letter == 'd' ? &line->drawings
                           : letter == 'm' ? &line->memory
                                           : NULL;
    if (size && !read_size(value, size)) {
        kifu__complain_of(line, NULL, "%s takes a number of bytes, as 500K or 32M, and not '%.100s'", name, value);
        return false;
    }
    switch (letter) {
    case 'J':
        line->json_lines = true;
        line->json = true;
        break;
    case 'j':
        line->json = true;
        break;
    case 's':
        line->schema = value;
        break;
    case 'o':
        line->output = value;
        break;
    case 'i':
        line->in_place = true;
        break;
    case 'l':
        line->level = (int)number;
        break;
    case 'S':
        line->no_schema = true;
        break;
    case 'n':
        line->no_state = true;
        break;
    case 'f':
        line->from = (uint32_t)number;
        break;
    case 't':
        line->to = (uint32_t)number;
        break;
    case 'y':
        line->type = value;
        break;
    case 'p':
        line->player = (int)number;
        break;
    case 'u':
        line->undone = true;
        break;
    case 'A':
        line->all = true;
        break;
    case 'c':
        line->checks = true;
        break;
    case 'a':
        line->at = (uint32_t)number;
        break;
    case 'L':
        line->of_line = (uint32_t)number;
        break;
    case 'T':
        line->title = value;
        break;
    case 'P':
        line->play = true;
        break;
    case 'd':
    case 'z':
    case 'm':
        break;
    default:
        line->quiet = true;
    }
    return true;
}

// The option that `text` names: "--output", "--output=x", "-o"; -1: the command has none of that name.
static int find_option(const kifu__line *line, const kifu__command *command, const char *text)
{
    const size_t length = strcspn(text, "=");
    for (int i = 0; i < OPTION_COUNT; i++) {
        const bool is_it = (strlen(options[i].name) == length && !strncmp(options[i].name, text, length)) ||
                           (options[i].short_name && !strcmp(options[i].short_name, text));
        if (is_it && has_option(line, command, options[i].letter))
            return i;
    }
    return -1;
}

// False: complained.
static bool take_words(kifu__line *line, const kifu__command *command, int count, char **words)
{
    bool only_files = false;
    for (int i = 0; i < count; i++) {
        if (only_files || words[i][0] != '-' || !words[i][1]) {
            line->files[line->file_count++] = words[i];
            continue;
        }
        only_files = !strcmp(words[i], "--");
        if (only_files)
            continue;
        const int option = find_option(line, command, words[i]);
        const char *value = strchr(words[i], '=');
        if (option < 0 && !line->rules &&
            ((command->run == kifu__show_state && !strncmp(words[i], "--at", 4)) ||
             (command->run == kifu__html && !strcmp(words[i], "--play")))) {
            kifu__complain_of(line, NULL,
                              "%s executes the game, so only the game's own program has it: see kifu_main in the guide "
                              "on tools",
                              words[i]);
            return false;
        }
        if (option < 0) {
            kifu__complain_of(line, NULL, "%s has no option %.100s; `%s help %s` lists its options", command->name,
                              words[i], line->program, command->name);
            return false;
        }
        value = value ? value + 1 : NULL;
        if (options[option].argument && !value && i + 1 < count)
            value = words[++i];
        if (!options[option].argument != !value) {
            kifu__complain_of(line, NULL, value ? "%s takes no %.20s" : "%s takes a %.20s", options[option].name,
                              value ? "value" : options[option].argument);
            return false;
        }
        if (!take_option(line, options[option].letter, options[option].name, value))
            return false;
    }
    return true;
}

static int run(kifu__line *line, const kifu__command *command, int count, char **words)
{
    if (!take_words(line, command, count, words))
        return KIFU__EXIT_TROUBLE;
    if (line->file_count < command->least || line->file_count > command->most)
        return kifu__complain_of(line, NULL, "usage: %s %s [OPTION...] %s", line->program, command->name,
                                 command->arguments);
    for (uint32_t i = 0; line->output && i < line->file_count; i++) {
        if (kifu__is_same_file(line->output, line->files[i]))
            return kifu__complain_of(line, line->output,
                                     "this would replace the file that is read: give another name%s",
                                     has_option(line, command, 'i') ? ", or --in-place" : "");
    }
    return command->run(line);
}

int kifu_main(const kifu_rules *rules, const kifu_options *game_options, int argc, char **argv)
{
    char program[100];
    argv = kifu__plain_words(argc, argv);
    const char *called = argc > 0 ? kifu__program_name(argv[0]) : "kifu";
    // `reversi tool info`: `argv` begins with the second word.
    snprintf(program, sizeof program, "%s%s%s", rules && !strcmp(called, "tool") ? rules->name : "",
             rules && !strcmp(called, "tool") ? " " : "", called);
    kifu__line line = {
        .program = program,
        .rules = rules,
        .options = game_options,
        .from = KIFU_NONE,
        .to = KIFU_NONE,
        .at = KIFU_NONE,
        .of_line = KIFU_NONE,
        .player = -2,
        .level = -1,
        .states = UINT64_C(32) << 20,
        .drawings = UINT64_C(8) << 20,
    };
    const char *name = argc > 1 ? argv[1] : "";
    if (!strcmp(name, "--version")) {
        puts("kifu " KIFU_VERSION_STRING);
        return kifu__end_output(&line, KIFU__EXIT_WELL);
    }
    const bool help = !strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h");
    const kifu__command *command = find_command(&line, help && argc > 2 ? argv[2] : name);
    if (help && argc > 2 && command)
        print_help(&line, command);
    else if (help && argc <= 2)
        print_commands(&line, stdout);
    else if (!*name) {
        print_commands(&line, stderr);
        return KIFU__EXIT_TROUBLE;
    } else if (!command)
        return no_command(&line, help ? argv[2] : name);
    else if (argc > 2 && (!strcmp(argv[2], "--help") || !strcmp(argv[2], "-h")))
        print_help(&line, command);
    else {
        line.files = (const char **)kifu__must_grow(NULL, (size_t)argc * sizeof *line.files);
        kifu__work work;
        line.work = &work;
        kifu__begin_work(&work);
        const int status = run(&line, command, argc - 2, argv + 2);
        free((void *)line.files);
        return kifu__end_work(&work, status);
    }
    return kifu__end_output(&line, KIFU__EXIT_WELL);
}
