// What the referee sends.

#include <kifu/seen.h>

#include "referee/referee.h"

enum { MOST_HEAD = 8 + 1 + 4 * 10 + (KIFU_MAX_PLAYERS + 1) * 10 };

static unsigned char *reserve(kifu_referee *referee, size_t size)
{
    if (size > referee->out_capacity) {
        unsigned char *out = (unsigned char *)kifu__referee_memory(&referee->options.timeline, referee->out, size);
        if (!out)
            return NULL;
        referee->out = out;
        referee->out_capacity = size;
    }
    return referee->out;
}

static void send(kifu_referee *referee, kifu__receiver to, const unsigned char *end)
{
    kifu__put_fixed(referee->out, to.session);
    referee->options.send(referee->options.send_context, to.peer, referee->out, (size_t)(end - referee->out));
}

void kifu__answer(kifu_referee *referee, const kifu__game *game, kifu__receiver to, uint32_t number, kifu_answer answer,
                  const char *words)
{
    const size_t length = strlen(words);
    unsigned char *end = reserve(referee, MOST_HEAD + length);
    if (!end)
        return;
    end[8] = KIFU__ANSWER;
    end = kifu__put(end + 9, number);
    *end++ = (unsigned char)answer;
    end = kifu__put(end, game ? game->sequence : 0);
    send(referee, to, kifu__put_bytes(end, words, length));
}

void kifu__ask(kifu_referee *referee, const kifu__game *game)
{
    for (uint32_t i = 0; i < game->seat_count; i++) {
        const kifu__seat *seat = &game->seats[i];
        unsigned char *end = seat->joined && !(game->agreed >> i & 1) ? reserve(referee, MOST_HEAD) : NULL;
        if (!end)
            continue;
        end[8] = KIFU__QUESTION;
        end = kifu__put(end + 9, game->question);
        end = kifu__put(end, game->asker);
        end = kifu__put(end, game->target);
        send(referee, (kifu__receiver){seat->peer, seat->sessions[0]}, end);
    }
}

// One message: where the game is now, the clocks, and what `viewer` sees. NULL: no memory; who misses it for that finds
// out by the sequence.
static const unsigned char *write_observation(kifu_referee *referee, kifu__game *game, int viewer, uint32_t from,
                                              kifu_seen_how how)
{
    kifu_buffer *seen = &referee->seen;
    unsigned char *end = NULL;
    if (!kifu_seen_since(game->timeline, viewer, from, how, seen))
        end = reserve(referee, MOST_HEAD + seen->size);
    if (!end)
        return NULL;
    end[8] = KIFU__OBSERVATION;
    end[9] = how == KIFU_SEEN_WHOLE;
    end = kifu__put(end + 10, game->sequence);
    end = kifu__put(end, kifu_event_count(game->timeline));
    end = kifu__put(end, game->undos);
    *end++ = (unsigned char)(game->main_ms ? game->seat_count : 0);
    for (uint32_t i = 0; game->main_ms && i < game->seat_count; i++)
        end = kifu__put(end, kifu__time_left(referee, game, i));
    *end++ = (unsigned char)(game->running + 1);
    return kifu__put_bytes(end, seen->data, seen->size);
}

void kifu__observe_whole(kifu_referee *referee, kifu__game *game, int seat, kifu__receiver to)
{
    const uint32_t most = referee->options.whole_events, count = kifu_event_count(game->timeline);
    uint32_t from = kifu_first_event(game->timeline);
    if (most && count - from > most)
        from = count - most;
    const unsigned char *end = write_observation(referee, game, seat, from, KIFU_SEEN_WHOLE);
    if (end)
        send(referee, to, end);
}

void kifu__observe(kifu_referee *referee, kifu__game *game, uint32_t from, kifu_seen_how how)
{
    for (uint32_t i = 0; i < game->seat_count; i++) {
        const kifu__seat *seat = &game->seats[i];
        const unsigned char *end = seat->joined ? write_observation(referee, game, (int)i, from, how) : NULL;
        if (end)
            send(referee, (kifu__receiver){seat->peer, seat->sessions[0]}, end);
    }
    const unsigned char *end = game->spectator_count ? write_observation(referee, game, -1, from, how) : NULL;
    for (uint32_t i = 0; end && i < game->spectator_count; i++)
        send(referee, game->spectators[i], end);
}
