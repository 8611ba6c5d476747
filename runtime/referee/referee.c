// Which request is of which game and seat, and what is due.

#include <stdio.h>

#include <kifu/log_file.h>

#include "referee/referee.h"

// --- From and to the host --------------------------------------------------------------------------------------------

static void set_default(uint32_t *member, uint32_t value)
{
    if (!*member)
        *member = value;
}

// The log file of an empty game, which stays open: its lock is the folder's.
static kifu_result lock_folder(kifu_referee *referee, kifu_error *error)
{
    char path[4200];
    const kifu_options options = {.quiet = true,
                                  .allocate = referee->options.timeline.allocate,
                                  .allocate_context = referee->options.timeline.allocate_context,
                                  .reset = referee->options.timeline.reset,
                                  .user = referee->options.timeline.user};
    if (snprintf(path, sizeof path, "%s.referee", referee->folder) >= (int)sizeof path)
        return kifu__referee_error(error, KIFU_IO, "the folder's path is too long: choose another one");
    kifu_result result = kifu_create(referee->rules, &options, &referee->lock, error);
    if (result)
        return result;
    result = kifu_log_open(referee->lock, path, NULL);
    if (result == KIFU_IN_USE)
        return kifu__referee_error(error, KIFU_IN_USE,
                                   "another referee has this folder: end it first, or choose another folder");
    if (result && error)
        *error = *kifu_last_error(referee->lock);
    return result;
}

static kifu_result prepare(kifu_referee *referee, kifu_error *error)
{
    kifu_referee_options *options = &referee->options;
    const size_t length = options->folder ? strlen(options->folder) : 0;
    set_default(&options->requests_per_second, 20);
    set_default(&options->peers, 1024);
    set_default(&options->spectators, 64);
    set_default(&options->message_limit, 16384);
    set_default(&options->consent_ms, 30000);
    set_default(&options->idle_ms, 600000);
    if (options->requests_per_second > 1000000)
        options->requests_per_second = 1000000;
    if (options->store)
        referee->store = *options->store;
    if (!options->send_context)
        options->send_context = options->context;
    if (!options->entropy)
        options->entropy = kifu__system_entropy;
    if (!options->entropy(options->context, &referee->run, sizeof referee->run))
        return kifu__referee_error(error, KIFU_UNSUPPORTED, "there is no entropy: give the options a function for it");
    referee->run &= 0xFFFFFF;
    referee->limits =
        (kifu__peer_limit *)kifu__referee_new(&options->timeline, options->peers * sizeof *referee->limits);
    if (options->folder)
        referee->folder = (char *)kifu__referee_new(&options->timeline, length + 2);
    if (!referee->limits || (options->folder && !referee->folder))
        return kifu__referee_error(error, KIFU_NO_MEMORY, "out of memory: no referee was made");
    if (!options->folder)
        return KIFU_OK;
    memcpy(referee->folder, options->folder, length);
    if (!length || referee->folder[length - 1] != '/')
        referee->folder[length] = '/';
    return lock_folder(referee, error);
}

kifu_result kifu_referee_create(const kifu_rules *rules, const kifu_referee_options *options, kifu_referee **referee,
                                kifu_error *error)
{
    *referee = NULL;
    if (!options || !options->begin || !options->send)
        return kifu__referee_error(error, KIFU_MISUSE, "a referee needs the functions begin and send");
    if (options->store && !options->folder)
        return kifu__referee_error(error, KIFU_MISUSE, "a referee with a store needs a folder for copies of games");
    kifu_referee *made = (kifu_referee *)kifu__referee_new(&options->timeline, sizeof *made);
    if (!made)
        return kifu__referee_error(error, KIFU_NO_MEMORY, "out of memory: no referee was made");
    made->rules = rules;
    made->options = *options;
    made->due = UINT64_MAX;
    const kifu_result result = prepare(made, error);
    if (result)
        kifu_referee_destroy(made);
    else
        *referee = made;
    return result;
}

void kifu_referee_destroy(kifu_referee *referee)
{
    if (!referee)
        return;
    const kifu_options memory = referee->options.timeline;
    for (uint32_t i = 0; i < referee->bucket_count; i++) {
        while (referee->buckets[i])
            kifu__put_away(referee, referee->buckets[i]);
    }
    kifu_destroy(referee->lock);
    kifu__referee_memory(&memory, referee->buckets, 0);
    kifu__referee_memory(&memory, referee->limits, 0);
    kifu__referee_memory(&memory, referee->folder, 0);
    kifu__referee_memory(&memory, referee->out, 0);
    kifu_free_buffer(&referee->seen);
    kifu__referee_memory(&memory, referee, 0);
}

uint32_t kifu_referee_awake(const kifu_referee *referee)
{
    return referee->game_count;
}

static void set_time(kifu_referee *referee, uint64_t now)
{
    if (now > referee->now)
        referee->now = now;
}

const kifu_timeline *kifu_referee_game(kifu_referee *referee, const char *name, uint64_t now, kifu_error *error)
{
    kifu_result result;
    set_time(referee, now);
    if (!kifu__is_name(name)) {
        kifu__referee_error(error, KIFU_MISUSE, "a game's name has 1 to 40 characters of a-z, 0-9, _ and -");
        return NULL;
    }
    const kifu__game *game = kifu__take_up(referee, name, &result, error);
    return game ? game->timeline : NULL;
}

// --- A new game ------------------------------------------------------------------------------------------------------

static kifu_result begin_game(kifu_referee *referee, kifu__game *game, const kifu_table *table, kifu_token *tokens,
                              kifu_error *error)
{
    char path[4200];
    const kifu_options options = kifu__timeline_options(referee);
    const kifu_save_options save_options = {.durable = referee->options.durable};
    unsigned char secrets[KIFU_MAX_PLAYERS * KIFU__TOKEN];
    if (!referee->options.entropy(referee->options.context, secrets, game->seat_count * KIFU__TOKEN))
        return kifu__referee_error(error, KIFU_UNSUPPORTED, "there is no entropy: no token can be made");
    game->main_ms = table->main_ms;
    game->increment_ms = table->increment_ms;
    for (uint32_t i = 0; i < game->seat_count; i++) {
        kifu__sha256(secrets + i * KIFU__TOKEN, KIFU__TOKEN, game->seats[i].key);
        kifu__token_text(i, secrets + i * KIFU__TOKEN, &tokens[i]);
        game->seats[i].left = table->main_ms;
    }
    kifu_result result = kifu_create(referee->rules, &options, &game->timeline, error);
    if (result)
        return result;
    result = referee->options.begin(referee->options.context, game->timeline, game->seat_count);
    if (!result)
        result = kifu__write_table(game);
    if (!result && referee->folder) {
        snprintf(path, sizeof path, "%s%s.kifu", referee->folder, game->name);
        result = kifu_log_open(game->timeline, path, &save_options);
    }
    if (result && error)
        *error = *kifu_last_error(game->timeline);
    if (!result && referee->store.create)
        result = referee->store.create(referee->store.context, game->name, path, &game->stored, error);
    return result;
}

kifu_result kifu_referee_open(kifu_referee *referee, const char *name, const kifu_table *table, kifu_token *tokens,
                              uint64_t now, kifu_error *error)
{
    set_time(referee, now);
    if (!kifu__is_name(name))
        return kifu__referee_error(error, KIFU_MISUSE, "a game's name has 1 to 40 characters of a-z, 0-9, _ and -");
    if (!table->seats || table->seats > KIFU_MAX_PLAYERS)
        return kifu__referee_error(error, KIFU_MISUSE, "a game has 1 to 16 seats");
    if (table->main_ms && !referee->options.fallen)
        return kifu__referee_error(error, KIFU_MISUSE, "clocks need the function fallen");
    kifu_result result;
    if (kifu__take_up(referee, name, &result, error))
        return kifu__referee_error(error, KIFU_IN_USE, "there is a game of this name: choose another one");
    if (result != KIFU_NOT_FOUND)
        return result;
    kifu__game *game = kifu__new_game(referee, name, table->seats);
    if (!game)
        return kifu__referee_error(error, KIFU_NO_MEMORY, "out of memory: no game was begun");
    result = begin_game(referee, game, table, tokens, error);
    if (result)
        kifu__put_away(referee, game);
    return result;
}

// --- What is due -----------------------------------------------------------------------------------------------------

// When something is due in a game, or UINT64_MAX.
static uint64_t due_of(const kifu_referee *referee, const kifu__game *game)
{
    uint64_t due = UINT64_MAX;
    if (game->is_storing)
        return due;
    if (game->running >= 0)
        due = game->since + game->seats[game->running].left;
    else if (referee->folder)
        due = game->used + referee->options.idle_ms;
    return game->question && game->deadline < due ? game->deadline : due;
}

// False: the game was put away.
static bool tick_game(kifu_referee *referee, kifu__game *game)
{
    if (game->is_storing)
        return true;
    if (kifu__has_fallen(referee, game) && !kifu__let_fall(referee, game))
        return false;
    if (game->question && game->deadline <= referee->now)
        kifu__end_question(referee, game, KIFU_ANSWER_REFUSED, "the other players did not agree in time");
    if (due_of(referee, game) > referee->now)
        return true;
    kifu__put_away(referee, game);
    return false;
}

void kifu_referee_stored(kifu_referee *referee, const char *name, kifu_result result, uint64_t now)
{
    kifu__game *game = kifu__find_game(referee, name);
    set_time(referee, now);
    if (!game || !game->is_storing || !kifu__end_storing(referee, game, result))
        return;
    const uint64_t due = due_of(referee, game);
    if (due < referee->due)
        referee->due = due;
    kifu__handle_waiting(referee, game);
}

uint64_t kifu_referee_tick(kifu_referee *referee, uint64_t now)
{
    set_time(referee, now);
    if (referee->due > referee->now)
        return referee->due;
    referee->due = UINT64_MAX;
    for (uint32_t i = 0; i < referee->bucket_count; i++) {
        for (kifu__game *game = referee->buckets[i], *next; game; game = next) {
            next = game->next;
            const uint64_t due = tick_game(referee, game) ? due_of(referee, game) : UINT64_MAX;
            if (due < referee->due)
                referee->due = due;
        }
    }
    return referee->due;
}
