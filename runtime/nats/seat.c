// A program that plays or looks on. Which seat it has is in FOLDER/NAME@SERVER.NUMBER: its token, and a lock while the
// program runs, so that two programs of one person get two seats.

#define _DEFAULT_SOURCE // flock

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "nats/online.h"

enum { ANSWER_MS = 5000, AGAIN_MS = 500 };

typedef struct seat {
    int file;
    char path[KIFU__MOST_PATH + 400];
    kifu_token token; ///< "": none yet.
} seat;

// --- The program that serves -----------------------------------------------------------------------------------------

// Waits for the answer to a question. NULL: there is none. The caller destroys it.
static natsMsg *ask(kifu_nats *nats, const unsigned char *question, size_t size)
{
    char subject[KIFU__MOST_SUBJECT];
    const uint64_t end = kifu_nats_now() + ANSWER_MS;
    uint64_t again = 0;
    snprintf(subject, sizeof subject, "kifu.%s.in.%s.DESK", nats->service, nats->user);
    while (kifu_nats_now() < end) {
        if (kifu_nats_now() >= again) {
            natsConnection_Publish(nats->connection, subject, question, (int)size);
            again = kifu_nats_now() + AGAIN_MS;
        }
        natsMsg *message = NULL;
        (void)kifu__nats_take(nats, &message, 1, again < end ? again : end);
        if (message && natsMsg_GetDataLength(message) >= KIFU__DESK_HEAD &&
            !memcmp(natsMsg_GetData(message), question, 8))
            return message;
        natsMsg_Destroy(message);
    }
    return NULL;
}

// Asks, and prints what is wrong. `*text` gets the answer's text; the caller frees it.
static int ask_desk(const kifu__program *program, uint8_t kind, const char *name, char **text)
{
    const kifu_options memory = {.allocate = NULL};
    const kifu_nats_options where = kifu__nats_where(program);
    unsigned char question[KIFU__DESK_HEAD + KIFU__MOST_NAME];
    char subject[KIFU__MOST_SUBJECT];
    kifu_nats *nats = NULL;
    kifu_error error;
    natsMsg *message = NULL;
    int result = 0;
    *text = NULL;
    kifu__put_fixed(question, program->session);
    question[8] = kind;
    unsigned char *end = kifu__put_bytes(question + KIFU__DESK_HEAD, name, strlen(name));
    if (kifu__nats_connect(&memory, &where, &nats, &error) ||
        kifu__nats_subscribe(nats, 0, kifu__subject(nats, subject, "seen", nats->user), &error))
        result = kifu__online_error(program, "%s: %s", program->host, error.message);
    else if (!(message = ask(nats, question, (size_t)(end - question))))
        result = kifu__online_error(program, "%s: no program answers for %s there: start one with '%s serve'",
                                    program->host, program->game->name, program->called);
    if (message) {
        const char *bytes = natsMsg_GetData(message);
        const size_t size = (size_t)natsMsg_GetDataLength(message) - KIFU__DESK_HEAD;
        const kifu_answer answer = (kifu_answer)(unsigned char)bytes[8];
        *text = (char *)malloc(size + 1);
        if (*text) {
            memcpy(*text, bytes + KIFU__DESK_HEAD, size);
            (*text)[size] = '\0';
        }
        if (answer == KIFU_ANSWER_NO_GAME)
            result = kifu__online_error(program, "there is no game '%s': '%s games' lists those that are there", name,
                                        program->called);
        else if (answer == KIFU_ANSWER_FULL)
            result = kifu__online_error(program, "all seats of '%s' are taken; to look on: %s watch %s", name,
                                        program->called, name);
        else if (answer || !*text)
            result = kifu__online_error(program, "%s", answer ? kifu_answer_text(answer) : "out of memory");
    }
    natsMsg_Destroy(message);
    kifu_nats_end(nats);
    return result;
}

int kifu__list_games(kifu__program *program)
{
    char *text;
    const int result = ask_desk(program, KIFU__LIST, "", &text);
    if (!result)
        fputs(*text ? text : "There is no game.\n", stdout);
    free(text);
    return result;
}

// --- Seats that are remembered ---------------------------------------------------------------------------------------

static void name_file(const kifu__program *program, const char *name, unsigned number, seat *seat)
{
    snprintf(seat->path, sizeof seat->path, "%.4000s/%s@%s.%u", program->folder, name, program->host, number);
}

// Finds a seat that no other program plays, or a place to remember a new one. False: there is no such file, and errno
// says why.
static bool open_seat(const kifu__program *program, const char *name, seat *seat)
{
    for (unsigned number = 1; number <= 2 * KIFU_MAX_PLAYERS; number++) {
        name_file(program, name, number, seat);
        seat->file = open(seat->path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (seat->file < 0)
            return false;
        if (flock(seat->file, LOCK_EX | LOCK_NB) == 0) {
            const ssize_t size = read(seat->file, seat->token.text, sizeof seat->token.text - 1);
            if (size != (ssize_t)sizeof seat->token.text - 1)
                seat->token.text[0] = '\0';
            return true;
        }
        close(seat->file);
        seat->file = -1;
    }
    errno = EMFILE;
    return false;
}

static bool remember(seat *seat, const char *token)
{
    const size_t size = sizeof seat->token.text - 1;
    if (strlen(token) != size)
        return false;
    memcpy(seat->token.text, token, size + 1);
    return ftruncate(seat->file, 0) == 0 && pwrite(seat->file, token, size, 0) == (ssize_t)size &&
           fsync(seat->file) == 0;
}

static void close_seat(seat *seat)
{
    if (seat->file >= 0 && !seat->token.text[0])
        unlink(seat->path); // nothing is remembered
    if (seat->file >= 0)
        close(seat->file);
}

static int take_free_seat(const kifu__program *program, const char *name, seat *seat)
{
    char *token;
    int result = ask_desk(program, KIFU__TAKE_SEAT, name, &token);
    if (!result && !remember(seat, token))
        result = kifu__online_error(program, "your seat cannot be remembered in %s", seat->path);
    free(token);
    return result;
}

// --- Playing ---------------------------------------------------------------------------------------------------------

static int play(const kifu__program *program, const char *name, const char *token, bool *has_no_seat)
{
    kifu_online online;
    kifu_error error;
    const kifu_online_game *game = program->game;
    int result = 0;
    *has_no_seat = false;
    if (!kifu__begin_online(program, name, token, &online, &error))
        result = game->play ? game->play(game->context, &online) : kifu__play_lines(&online);
    else if (online.ended && online.answer == KIFU_ANSWER_NO_SEAT)
        *has_no_seat = true;
    else
        result = kifu__online_error(program, "%s: %s", program->host, error.message);
    kifu__end_online(&online);
    return result;
}

static int play_seat(const kifu__program *program, const char *name, seat *seat)
{
    bool has_no_seat = seat->token.text[0] == '\0';
    int result = 0;
    if (!has_no_seat)
        result = play(program, name, seat->token.text, &has_no_seat);
    if (!has_no_seat)
        return result;
    seat->token.text[0] = '\0'; // the game of this name was begun anew
    result = take_free_seat(program, name, seat);
    return result ? result : play(program, name, seat->token.text, &has_no_seat);
}

int kifu__join(kifu__program *program)
{
    seat seat = {.file = -1};
    const char *name = program->names[0];
    if (!open_seat(program, name, &seat)) {
        const int result = kifu__online_error(program, "%s: %s", seat.path, strerror(errno));
        close_seat(&seat);
        return result;
    }
    const int result = play_seat(program, name, &seat);
    close_seat(&seat);
    return result;
}

int kifu__watch_game(kifu__program *program)
{
    bool has_no_seat;
    char *text;
    int result = ask_desk(program, KIFU__LOOK, program->names[0], &text);
    free(text);
    return result ? result : play(program, program->names[0], NULL, &has_no_seat);
}
