/// What the files of kifu/online.h share: online.c reads the command, host.c serves, seat.c finds a seat or lists
/// games, turn.c is called by the game's loop, lines.c is a loop for games without one.
///
/// A question to the program that serves goes to kifu.SERVICE.in.USER.DESK: 8 bytes that name it, one that says what it
/// is, and a game's name. The answer goes to kifu.SERVICE.seen.USER, where the observations go, too: the same 8 bytes,
/// a `kifu_answer`, and a text.
#ifndef KIFU_NATS_ONLINE_H
#define KIFU_NATS_ONLINE_H

#include <kifu/online.h>

#include "nats/shared.h"

enum { KIFU__DESK_HEAD = 9, KIFU__MOST_PATH = 4200 };

/// Questions. The same question for a seat, by its 8 bytes, gets the same seat.
enum { KIFU__LIST = 1, KIFU__TAKE_SEAT, KIFU__LOOK };

/// A program that runs one of the commands.
typedef struct kifu__program {
    const kifu_online_game *game;
    const char *called; ///< argv[0]
    char server[300], user[KIFU__MOST_NAME + 1];
    char host[200];               ///< The server without user and password, for messages and files.
    char folder[KIFU__MOST_PATH]; ///< What the program remembers of this service.
    const char **names;           ///< Of games.
    uint32_t name_count;
    uint64_t session; ///< A random number.
} kifu__program;

/// Prints a message as the program's, and returns 1.
int kifu__online_error(const kifu__program *program, const char *format, ...);

/// The connection's options.
kifu_nats_options kifu__nats_where(const kifu__program *program);

/// "player 1", or what the game calls them.
const char *kifu__player_name(const kifu_online_game *game, int player, char name[20]);

/// The commands. Exit statuses.
int kifu__serve(kifu__program *program);
int kifu__join(kifu__program *program);
int kifu__watch_game(kifu__program *program);
int kifu__list_games(kifu__program *program);

// --- turn.c ----------------------------------------------------------------------------------------------------------

struct kifu_online {
    const kifu_online_game *game;
    kifu_nats *nats;
    kifu_client *client;
    kifu_timeline *timeline;
    kifu_buffer event, batch;
    uint32_t covered; ///< Predicted events before this one were sent.
    bool ended;       ///< The game cannot be joined, or not any more: `answer`, `words`.
    kifu_answer answer;
    char words[300];
    bool has_words;
    int asker;           ///< The seat that asks for an undo.
    uint32_t asked_at;   ///< Where the game was then.
    uint64_t sent;       ///< When the last request was.
    bool waits_for_long; ///< This was said.
};

/// Begins, and waits until the game is there. `online->nats` may be set after an error, too.
kifu_result kifu__begin_online(const kifu__program *program, const char *name, const char *token, kifu_online *online,
                               kifu_error *error);

void kifu__end_online(kifu_online *online);

// --- lines.c ---------------------------------------------------------------------------------------------------------

/// As `kifu_online_game.play`: prints the state and a list of moves, and reads numbers.
int kifu__play_lines(kifu_online *online);

#endif
