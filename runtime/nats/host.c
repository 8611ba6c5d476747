// A program that serves: it owns games, and gives their seats to those who ask first. What it knows of a game's seats
// is in FOLDER/NAME.seats: for each one the token, and the question that got it (0: it is free).

#define _XOPEN_SOURCE 700

#include <dirent.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nats/online.h"

typedef struct table {
    char name[KIFU__MOST_NAME + 1];
    kifu_token tokens[KIFU_MAX_PLAYERS];
    uint64_t sessions[KIFU_MAX_PLAYERS];
    uint32_t seats;
} table;

typedef struct host {
    const kifu__program *program;
    kifu_nats *nats;
    table *tables;
    uint32_t count;
} host;

// --- What is remembered ----------------------------------------------------------------------------------------------

static void path_of(const host *host, const char *name, const char *end, char path[KIFU__MOST_PATH])
{
    snprintf(path, KIFU__MOST_PATH, "%.4000s/%s.seats%s", host->program->folder, name, end);
}

// A program that ends in the middle leaves the file as it was.
static bool write_table(const host *host, const table *table)
{
    char path[KIFU__MOST_PATH], next[KIFU__MOST_PATH];
    path_of(host, table->name, "", path);
    path_of(host, table->name, "~", next);
    const mode_t mask = umask(077);
    FILE *file = fopen(next, "w");
    umask(mask);
    if (!file)
        return false;
    for (uint32_t i = 0; i < table->seats; i++)
        fprintf(file, "%s %016" PRIx64 "\n", table->tokens[i].text, table->sessions[i]);
    const bool written = fflush(file) == 0 && fsync(fileno(file)) == 0;
    return fclose(file) == 0 && written && rename(next, path) == 0;
}

static table *find_table(const host *host, const char *name)
{
    for (uint32_t i = 0; i < host->count; i++) {
        if (!strcmp(host->tables[i].name, name))
            return &host->tables[i];
    }
    return NULL;
}

static table *add_table(host *host, const char *name)
{
    table *tables = (table *)realloc(host->tables, (host->count + 1) * sizeof *tables);
    if (!tables)
        return NULL;
    host->tables = tables;
    tables += host->count++;
    *tables = (table){.seats = 0};
    memcpy(tables->name, name, strlen(name));
    return tables;
}

static void read_table(host *host, const char *name)
{
    char path[KIFU__MOST_PATH];
    path_of(host, name, "", path);
    FILE *file = fopen(path, "r");
    table *table = file ? add_table(host, name) : NULL;
    while (table && table->seats < KIFU_MAX_PLAYERS &&
           fscanf(file, "%33s %" SCNx64, table->tokens[table->seats].text, &table->sessions[table->seats]) == 2)
        table->seats++;
    if (file)
        fclose(file);
}

static void read_tables(host *host)
{
    DIR *folder = opendir(host->program->folder);
    for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        char name[KIFU__MOST_NAME + 1];
        const size_t length = strcspn(entry->d_name, ".");
        if (length > KIFU__MOST_NAME || strcmp(entry->d_name + length, ".seats") != 0)
            continue;
        memcpy(name, entry->d_name, length);
        name[length] = '\0';
        if (kifu__is_name(name))
            read_table(host, name);
    }
    if (folder)
        closedir(folder);
}

// --- Questions -------------------------------------------------------------------------------------------------------

static void answer(const host *host, const char *user, const unsigned char *question, kifu_answer answer,
                   const char *text)
{
    char subject[KIFU__MOST_SUBJECT];
    const size_t length = strlen(text);
    unsigned char *bytes = (unsigned char *)malloc(KIFU__DESK_HEAD + length);
    if (!bytes)
        return;
    memcpy(bytes, question, 8);
    bytes[8] = (unsigned char)answer;
    memcpy(bytes + KIFU__DESK_HEAD, text, length);
    natsConnection_Publish(host->nats->connection, kifu__subject(host->nats, subject, "seen", user), bytes,
                           (int)(KIFU__DESK_HEAD + length)); // Who gets no answer asks again.
    free(bytes);
}

static void say_turn(const host *host, const char *name, char *words, size_t room)
{
    kifu_error error;
    char player[20];
    const kifu_timeline *timeline = kifu_referee_game(kifu_nats_referee(host->nats), name, kifu_nats_now(), &error);
    const kifu_game *game = timeline ? kifu_get_game(timeline) : NULL;
    if (!game)
        snprintf(words, room, "it cannot be read: %.200s", error.message);
    else if (game->phase == KIFU_PHASE_GAME_OVER)
        snprintf(words, room, "over");
    else if (game->phase == KIFU_PHASE_SETUP || kifu_current_player(game) < 0)
        snprintf(words, room, "being set up");
    else
        snprintf(words, room, "%s is to move",
                 kifu__player_name(host->program->game, kifu_current_player(game), player));
}

static void list(const host *host, const char *user, const unsigned char *question)
{
    enum { LINE = 400, MOST = 1000 };
    const uint32_t count = host->count < MOST ? host->count : MOST;
    char *text = (char *)malloc((size_t)count * LINE + 1), words[250];
    size_t size = 0;
    if (!text)
        return;
    text[0] = '\0';
    for (uint32_t i = 0; i < count; i++) {
        const table *table = &host->tables[i];
        uint32_t free_seats = 0;
        for (uint32_t seat = 0; seat < table->seats; seat++)
            free_seats += !table->sessions[seat];
        say_turn(host, table->name, words, sizeof words);
        size += (size_t)snprintf(text + size, LINE, "%-16s %u of %u seats free, %s\n", table->name,
                                 (unsigned)free_seats, (unsigned)table->seats, words);
    }
    answer(host, user, question, KIFU_ANSWER_DONE, text);
    free(text);
}

static void give_seat(const host *host, const char *user, const unsigned char *question, table *table)
{
    kifu__parse parse = kifu__parse_of(question, 8);
    const uint64_t session = kifu__take_fixed(&parse);
    uint32_t seat = table->seats;
    for (uint32_t i = 0; i < table->seats; i++) {
        if (table->sessions[i] == session || (!table->sessions[i] && seat == table->seats))
            seat = i;
        if (table->sessions[i] == session)
            break;
    }
    if (seat == table->seats || !session) {
        answer(host, user, question, KIFU_ANSWER_FULL, "");
        return;
    }
    const uint64_t before = table->sessions[seat];
    table->sessions[seat] = session;
    if (before != session && !write_table(host, table)) {
        table->sessions[seat] = before;
        answer(host, user, question, KIFU_ANSWER_FAILED, "");
        return;
    }
    answer(host, user, question, KIFU_ANSWER_DONE, table->tokens[seat].text);
}

static void hear(void *context, const char *user, const unsigned char *bytes, size_t size)
{
    const host *host = (const struct host *)context;
    char name[KIFU__MOST_NAME + 1] = "";
    if (size < KIFU__DESK_HEAD || size - KIFU__DESK_HEAD > KIFU__MOST_NAME)
        return;
    memcpy(name, bytes + KIFU__DESK_HEAD, size - KIFU__DESK_HEAD);
    table *table = find_table(host, name);
    if (bytes[8] == KIFU__LIST)
        list(host, user, bytes);
    else if (!table)
        answer(host, user, bytes, KIFU_ANSWER_NO_GAME, "");
    else if (bytes[8] == KIFU__TAKE_SEAT)
        give_seat(host, user, bytes, table);
    else
        answer(host, user, bytes, KIFU_ANSWER_DONE, "");
}

// --- Serving ---------------------------------------------------------------------------------------------------------

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    interrupted = number;
}

static void watch_interrupts(void)
{
    struct sigaction action = {.sa_handler = interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

static kifu_result begin(host *host, kifu_error *error)
{
    const kifu__program *program = host->program;
    const kifu_nats_options where = kifu__nats_where(program);
    kifu_referee_options options = {
        .timeline = program->game->options, .begin = program->game->begin, .context = program->game->context};
    char copies[KIFU__MOST_PATH];
    snprintf(copies, sizeof copies, "%.4000s/copies", program->folder);
    mkdir(copies, 0700); // it may be there
    options.folder = copies;
    options.timeline.view = NULL;
    kifu_result result;
    bool said = false;
    while ((result = kifu_nats_serve(program->game->rules, &options, &where, &host->nats, error)) == KIFU_IN_USE) {
        if (!said)
            kifu__online_error(program, "another program serves %s there: this one waits until that has ended",
                               program->game->name);
        said = true;
        if (interrupted)
            break;
        poll(NULL, 0, 200);
    }
    if (!result) {
        host->nats->heard = hear;
        host->nats->heard_context = host;
    }
    return result;
}

static kifu_result open_game(host *host, const char *name, kifu_error *error)
{
    if (find_table(host, name))
        return KIFU_OK;
    table *table = add_table(host, name);
    if (!table)
        return kifu__nats_error(error, KIFU_NO_MEMORY, "out of memory");
    table->seats = host->program->game->seats;
    kifu_result result = kifu_referee_open(kifu_nats_referee(host->nats), name, &(kifu_table){.seats = table->seats},
                                           table->tokens, kifu_nats_now(), error);
    if (result == KIFU_IN_USE)
        return kifu__nats_error(
            error, result,
            "it was begun by another program, or with another folder (--data), which has its seats: "
            "choose another name");
    if (!result && !write_table(host, table))
        result = kifu__nats_error(error, KIFU_IO, "its seats cannot be written to %s", host->program->folder);
    return result;
}

static int serve(host *host)
{
    const kifu__program *program = host->program;
    kifu_error error = {.result = KIFU_OK};
    if (begin(host, &error))
        return interrupted ? 0 : kifu__online_error(program, "%s: %s", program->host, error.message);
    read_tables(host);
    for (uint32_t i = 0; i < program->name_count; i++) {
        if (open_game(host, program->names[i], &error))
            return kifu__online_error(program, "no game '%s': %s", program->names[i], error.message);
    }
    printf("Serving %u game%s at %s until you press Ctrl-C. To play: %s join %s\n", (unsigned)host->count,
           host->count == 1 ? "" : "s", program->host, program->called, program->names[0]);
    fflush(stdout);
    while (!interrupted) {
        if (kifu_nats_step(host->nats, 200))
            return kifu__online_error(program, "another program has taken over: this one was stopped for too long");
    }
    return 0;
}

int kifu__serve(kifu__program *program)
{
    host host = {.program = program};
    watch_interrupts();
    const int result = serve(&host);
    kifu_nats_end(host.nats);
    free(host.tables);
    return result;
}
