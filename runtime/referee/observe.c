// What the referee sends.

#include <kifu/seen.h>

#include "referee/referee.h"

enum { MOST_HEAD = KIFU__SESSION_SENT + 1 + 4 * 10 + (KIFU_MAX_PLAYERS + 1) * 10 };

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

// Behind the session.
static unsigned char *put_kind(unsigned char *out, unsigned kind)
{
    out[KIFU__SESSION_SENT] = (unsigned char)kind;
    return out + KIFU__SESSION_SENT + 1;
}

static void send_message(kifu_referee *referee, kifu__receiver to, const unsigned char *end)
{
    for (unsigned i = 0; i < KIFU__SESSION_SENT; i++)
        referee->out[i] = (unsigned char)(to.session >> 8 * i);
    referee->options.send(referee->options.send_context, to.peer, referee->out, (size_t)(end - referee->out));
}

void kifu__answer(kifu_referee *referee, const kifu__game *game, kifu__receiver to, uint32_t number, kifu_answer answer,
                  const char *words)
{
    const size_t length = strlen(words);
    unsigned char *end = reserve(referee, MOST_HEAD + length);
    if (!end)
        return;
    end = kifu__put(put_kind(end, KIFU__ANSWER), number);
    *end++ = (unsigned char)answer;
    end = kifu__put(end, game ? game->sequence : 0);
    send_message(referee, to, kifu__put_bytes(end, words, length));
}

void kifu__ask(kifu_referee *referee, const kifu__game *game)
{
    for (uint32_t i = 0; i < game->seat_count; i++) {
        const kifu__seat *seat = &game->seats[i];
        unsigned char *end = seat->joined && !(game->agreed >> i & 1) ? reserve(referee, MOST_HEAD) : NULL;
        if (!end)
            continue;
        end = kifu__put(put_kind(end, KIFU__QUESTION), game->question);
        end = kifu__put(end, game->asker);
        end = kifu__put(end, game->target);
        send_message(referee, (kifu__receiver){seat->peer, seat->sessions[0]}, end);
    }
}

static unsigned char *put_clocks(const kifu_referee *referee, const kifu__game *game, unsigned char *end)
{
    *end++ = (unsigned char)game->seat_count;
    for (uint32_t i = 0; i < game->seat_count; i++)
        end = kifu__put(end, kifu__time_left(referee, game, i));
    *end++ = (unsigned char)(game->running + 1);
    return end;
}

// One message: which it is, the clocks, and what `viewer` sees. NULL: no memory; who misses it for that finds out by
// the sequence.
static const unsigned char *write_observation(kifu_referee *referee, kifu__game *game, int viewer, uint32_t from,
                                              kifu_seen_how how)
{
    kifu_buffer *seen = &referee->seen;
    unsigned char *end = NULL;
    if (!kifu_seen_since(game->timeline, viewer, from, how, seen))
        end = reserve(referee, MOST_HEAD + seen->size);
    if (!end)
        return NULL;
    const bool whole = how == KIFU_SEEN_WHOLE;
    end = put_kind(end, KIFU__OBSERVATION | (whole ? KIFU__WHOLE : 0) | (how == KIFU_SEEN_UNDONE ? KIFU__UNDID : 0) |
                            (game->main_ms ? KIFU__CLOCKS : 0));
    end = kifu__put(end, whole ? game->sequence : game->sequence & ((1U << KIFU__SEQUENCE_BITS) - 1));
    if (whole)
        end = kifu__put(end, game->undos);
    if (game->main_ms)
        end = put_clocks(referee, game, end);
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
        send_message(referee, to, end);
}

void kifu__observe(kifu_referee *referee, kifu__game *game, uint32_t from, kifu_seen_how how)
{
    for (uint32_t i = 0; i < game->seat_count; i++) {
        const kifu__seat *seat = &game->seats[i];
        const unsigned char *end = seat->joined ? write_observation(referee, game, (int)i, from, how) : NULL;
        if (end)
            send_message(referee, (kifu__receiver){seat->peer, seat->sessions[0]}, end);
    }
    const unsigned char *end = game->spectator_count ? write_observation(referee, game, -1, from, how) : NULL;
    for (uint32_t i = 0; end && i < game->spectator_count; i++)
        send_message(referee, game->spectators[i], end);
}
