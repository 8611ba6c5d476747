// What a game's loop calls: moves go from its timeline to the referee, and what the referee says comes back.

#include <stdarg.h>
#include <stdio.h>

#include <kifu/request.h>
#include <kifu/transaction.h>
#include <kifu/watch.h>

#include "nats/online.h"

enum { JOIN_MS = 10000, LONG_MS = 3000 };

static void say(kifu_online *online, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(online->words, sizeof online->words, format, arguments);
    va_end(arguments);
    online->has_words = true;
}

// --- What the referee says -------------------------------------------------------------------------------------------

static void hear_answer(void *context, uint32_t request, kifu_answer answer, const char *words)
{
    kifu_online *online = (kifu_online *)context;
    if (answer == KIFU_ANSWER_ASKED)
        say(online, "The other players are asked.");
    else if (answer == KIFU_ANSWER_REPLACED || !request)
        say(online, "You are not in the game any more: %s.", words);
    else if (answer)
        say(online, "No: %s.", words);
    if (answer == KIFU_ANSWER_REPLACED || !request) {
        online->ended = true;
        online->answer = answer;
    }
}

static void hear_question(void *context, uint32_t seat, uint32_t place)
{
    kifu_online *online = (kifu_online *)context;
    char name[20];
    if (online->asker != (int)seat)
        say(online, "%s asks to %s. Do you agree?", kifu__player_name(online->game, (int)seat, name),
            place < kifu_event_count(online->timeline) ? "take the last move back" : "play a move again");
    online->asker = (int)seat;
    online->asked_at = kifu_event_count(online->timeline);
}

// --- Moves -----------------------------------------------------------------------------------------------------------

static bool add(kifu_online *online, kifu_result result)
{
    if (!result)
        result = kifu_add_bytes(online->timeline, &online->batch, online->event.data, online->event.size);
    if (result)
        say(online, "No: %s.", kifu_error_reason(kifu_last_error(online->timeline)));
    return !result;
}

static bool is_own(const kifu_online *online, const kifu_event *event)
{
    return event->cause == KIFU_NONE && event->player == kifu_client_seat(online->client);
}

// The moves that were made here, since the last ones were sent, and those that wait. What waits is taken out: the
// client makes these moves here, too.
static bool collect_moves(kifu_online *online)
{
    kifu_timeline *timeline = online->timeline;
    kifu_event event;
    bool good = true, waits = false;
    const uint32_t watched = kifu_watched(timeline);
    if (kifu_event_count(timeline) <= watched)
        online->covered = 0;
    online->batch.size = 0;
    for (uint32_t i = watched > online->covered ? watched : online->covered; good && kifu_event_at(timeline, i, &event);
         i++) {
        if (is_own(online, &event))
            good = add(online, kifu_event_bytes(timeline, i, &online->event));
    }
    for (uint32_t i = 0; good && kifu_pending_at(timeline, i, &event); i++) {
        waits = waits || event.cause == KIFU_NONE;
        if (is_own(online, &event))
            good = add(online, kifu_pending_bytes(timeline, i, &online->event));
    }
    if (waits && kifu_drop_inputs(timeline))
        good = false;
    return good && online->batch.size;
}

static void send_moves(kifu_online *online)
{
    const uint64_t now = kifu_nats_now();
    if (!collect_moves(online))
        return;
    if (kifu_client_waits(online->client))
        say(online, "No: the move before is not answered yet.");
    else if (kifu_client_request(online->client, online->batch.data, online->batch.size, now))
        say(online, "No: the game is not here any more.");
    online->covered = kifu_event_count(online->timeline);
    online->sent = now;
    online->waits_for_long = false;
}

// --- What the loop calls ---------------------------------------------------------------------------------------------

static bool is_present(const kifu_online *online)
{
    return kifu_position(online->timeline) == kifu_event_count(online->timeline) &&
           !kifu_open_transactions(online->timeline);
}

kifu_result kifu_online_update(kifu_online *online, double dt)
{
    if (is_present(online))
        send_moves(online);
    const kifu_result result = kifu_update(online->timeline, dt);
    if (!is_present(online))
        return result;
    if (kifu_nats_step(online->nats, 0))
        say(online, "The connection has ended."); // of referees alone
    if (online->asker >= 0 && online->asked_at != kifu_event_count(online->timeline))
        online->asker = -1;
    if (kifu_client_waits(online->client) && !online->waits_for_long && kifu_nats_now() > online->sent + LONG_MS) {
        online->waits_for_long = true;
        say(online, "There is no answer: your request is repeated until there is one.");
    }
    return result;
}

const char *kifu_online_words(kifu_online *online)
{
    const bool has = online->has_words;
    online->has_words = false;
    return has ? online->words : NULL;
}

kifu_timeline *kifu_online_timeline(kifu_online *online)
{
    return online->timeline;
}

int kifu_online_seat(const kifu_online *online)
{
    return kifu_client_seat(online->client);
}

bool kifu_online_is_ready(const kifu_online *online)
{
    return kifu_client_seat(online->client) >= 0 && !online->ended && !kifu_client_waits(online->client);
}

void kifu_online_undo(kifu_online *online)
{
    if (kifu_client_seat(online->client) < 0)
        say(online, "No: you only look on.");
    else if (kifu_client_undo(online->client, kifu_nats_now()))
        say(online, "No: the move before is not answered yet.");
    online->sent = kifu_nats_now();
    online->waits_for_long = true; // the other players may think about it
}

int kifu_online_asker(const kifu_online *online)
{
    return online->asker;
}

void kifu_online_consent(kifu_online *online, bool agree)
{
    if (online->asker >= 0 && !kifu_client_consent(online->client, agree))
        say(online, agree ? "You agree." : "You do not agree.");
    online->asker = -1;
}

// --- Beginning and end -----------------------------------------------------------------------------------------------

// A game has events from its beginning on.
static kifu_result wait_for_game(kifu_online *online, kifu_error *error)
{
    const uint64_t end = kifu_nats_now() + JOIN_MS;
    while (!online->ended && !kifu_event_count(online->timeline) && kifu_nats_now() < end) {
        const kifu_result result = kifu_nats_step(online->nats, 50);
        if (result)
            return kifu__nats_error(error, result, "the connection has ended");
    }
    if (online->ended)
        return kifu__nats_error(error, KIFU_NOT_FOUND, "%s", kifu_answer_text(online->answer));
    return kifu_event_count(online->timeline)
               ? KIFU_OK
               : kifu__nats_error(error, KIFU_NOT_FOUND, "the referee does not answer: try again later");
}

kifu_result kifu__begin_online(const kifu__program *program, const char *name, const char *token, kifu_online *online,
                               kifu_error *error)
{
    *online = (kifu_online){.game = program->game, .asker = -1};
    const kifu_nats_options where = kifu__nats_where(program);
    const kifu_client_options options = {.game = name,
                                         .token = token,
                                         .timeline = program->game->options,
                                         .answered = hear_answer,
                                         .asked = hear_question,
                                         .context = online,
                                         .predict = true};
    const kifu_result result = kifu_nats_join(program->game->rules, &options, &where, &online->nats, error);
    if (result)
        return result;
    online->client = kifu_nats_client(online->nats);
    online->timeline = kifu_client_timeline(online->client);
    return wait_for_game(online, error);
}

void kifu__end_online(kifu_online *online)
{
    kifu_free_buffer(&online->event);
    kifu_free_buffer(&online->batch);
    kifu_nats_end(online->nats);
}
