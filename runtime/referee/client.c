// One seat of one game, far from its referee.

#include <kifu/client.h>
#include <kifu/request.h>
#include <kifu/watch.h>

#include "referee/referee.h"

enum { MOST_BODY = 1 << 20, MOST_DOUBLINGS = 4 };

struct kifu_client {
    kifu_client_options options;
    kifu_timeline *timeline;
    const kifu_rules *rules; ///< Of what this seat sees.
    unsigned char token[KIFU__TOKEN];
    kifu__request request; ///< Of all requests: game, session, and from the one that waits kind, number and place.
    unsigned char *bytes;  ///< A message that is sent: room for a head, and the body of the request that waits.
    uint32_t next;         ///< The number of the next request.
    bool waits, asks;      ///< `request` is not answered yet; others are asked.
    bool done;             ///< It is, but what came of it, observation `until`, was not seen yet.
    uint64_t until;
    bool joined, stopped;
    bool seen, behind;     ///< The game was seen; something was missed.
    uint64_t due, poll;    ///< When to join or to repeat, and when to ask whether something was missed,
    uint32_t poll_ms;      ///< which is so often.
    uint32_t tries;        ///< So often it was repeated.
    uint64_t sequence;     ///< Of the last observation.
    uint32_t place, undos; ///< Where the game is.
    int seat;
    uint64_t question;     ///< The undo that was asked for last.
    bool answered, agrees; ///< And what this seat said.
    uint32_t clock_count;
    int running;                            ///< Whose clock runs; -1: none.
    uint64_t left[KIFU_MAX_PLAYERS], since; ///< What clocks showed then.
};

// --- Sending ---------------------------------------------------------------------------------------------------------

static void send(kifu_client *client, const kifu__request *request, size_t size)
{
    unsigned char *head = client->bytes + KIFU__REQUEST_HEAD;
    unsigned char bytes[KIFU__REQUEST_HEAD];
    const size_t length = (size_t)(kifu__write_request(bytes, request) - bytes);
    memcpy(head - length, bytes, length); // the body lies behind
    const bool sent = client->options.send(client->options.send_context, head - length, length + size);
    (void)sent; // else it is lost, as on the way
}

static uint64_t next_try(kifu_client *client, uint64_t now)
{
    const uint32_t doublings = client->tries < MOST_DOUBLINGS ? client->tries++ : MOST_DOUBLINGS;
    return now + ((uint64_t)client->options.repeat_ms << doublings);
}

// Joins, or leaves, or asks whether something was missed.
static void send_plain(kifu_client *client, uint8_t kind)
{
    kifu__request request = client->request;
    request.kind = kind;
    request.number = 0;
    request.next = client->waits ? client->request.number : client->next;
    request.sequence = client->sequence;
    send(client, &request, 0);
}

static void send_waiting(kifu_client *client, uint64_t now)
{
    send(client, &client->request, client->request.size);
    client->due = next_try(client, now);
}

static void send_consent(kifu_client *client)
{
    unsigned char bytes[2 * KIFU__REQUEST_HEAD];
    kifu__request request = client->request;
    request.kind = KIFU__CONSENT;
    request.number = 0;
    unsigned char *end = kifu__put(kifu__write_request(bytes, &request), client->question);
    *end++ = client->agrees;
    client->options.send(client->options.send_context, bytes, (size_t)(end - bytes));
}

uint64_t kifu_client_tick(kifu_client *client, uint64_t now)
{
    if (client->stopped)
        return UINT64_MAX;
    if (now >= client->due && (!client->joined || client->behind)) {
        send_plain(client, KIFU__JOIN);
        client->due = next_try(client, now);
    } else if (now >= client->due && client->waits && !client->done) {
        send_waiting(client, now);
    } else if (now >= client->poll) {
        send_plain(client, KIFU__PING);
        client->poll = now + client->poll_ms;
    }
    const bool repeats = !client->joined || client->behind || client->waits;
    return repeats && client->due < client->poll ? client->due : client->poll;
}

void kifu__client_hurry(kifu_client *client, uint64_t now)
{
    client->tries = 0;
    client->due = now;
    if (client->poll != UINT64_MAX)
        client->poll = now;
}

// --- What the referee says -------------------------------------------------------------------------------------------

static void tell(kifu_client *client, uint32_t number, kifu_answer answer, const char *words)
{
    if (client->options.answered)
        client->options.answered(client->options.context, number, answer, *words ? words : kifu_answer_text(answer));
}

// What has to be done first is due now.
static void hurry(kifu_client *client, uint64_t now)
{
    client->tries = 0;
    client->due = now;
}

static bool has_predicted(const kifu_client *client)
{
    return kifu_event_count(client->timeline) > kifu_watched(client->timeline);
}

static void end_request(kifu_client *client, kifu_answer answer, const char *words)
{
    client->waits = client->done = false;
    if (answer != KIFU_ANSWER_DONE && has_predicted(client)) { // the whole game takes it back
        client->behind = true;
        client->sequence = 0;
    }
    tell(client, client->request.number, answer, words);
}

// The referee has said how often to ask at least, so that a game is not put away before its last move is known.
static void joined(kifu_client *client, uint64_t sequence, kifu__parse *parse, uint64_t now)
{
    const uint64_t most_ms = parse->at < parse->end ? kifu__take_number(parse) : UINT64_MAX;
    client->poll_ms = most_ms < client->options.poll_ms ? (uint32_t)most_ms : client->options.poll_ms;
    const bool before = client->joined && !client->behind;
    client->joined = true;
    client->behind = sequence != client->sequence;
    if (!client->behind) // An answer from a referee of before may have come late: what it leads to is asked again.
        client->done = false;
    if (sequence < client->sequence) // of another referee: none of its observations is known
        client->sequence = 0;
    client->poll = now + client->poll_ms;
    if (!before && !client->behind)
        hurry(client, now);
}

static void hear_answer(kifu_client *client, kifu__parse *parse, uint64_t now)
{
    char words[KIFU__MOST_WORDS] = "";
    const uint64_t number = kifu__take_number(parse);
    const kifu_answer answer = (kifu_answer)kifu__take_byte(parse);
    const uint64_t sequence = kifu__take_number(parse);
    if (!parse->good || (number && (!client->waits || number != client->request.number)))
        return;
    if (!number && answer == KIFU_ANSWER_DONE) {
        joined(client, sequence, parse, now);
        return;
    }
    const size_t size = (size_t)(parse->end - parse->at);
    kifu__put_bytes((unsigned char *)words, parse->at, size < sizeof words ? size : sizeof words - 1);
    switch (answer) {
    case KIFU_ANSWER_SLOW_DOWN:
    case KIFU_ANSWER_FAILED:
    case KIFU_ANSWER_AWAY:
        return; // the next try comes by itself
    case KIFU_ANSWER_JOIN:
        if (client->joined)
            hurry(client, now);
        client->joined = false;
        return;
    case KIFU_ANSWER_ASKED:
        if (!client->asks)
            tell(client, (uint32_t)number, answer, words);
        client->asks = true;
        return;
    case KIFU_ANSWER_DONE:
        client->done = sequence > client->sequence || sequence >> 40 != client->sequence >> 40;
        client->until = sequence;
        client->behind = client->behind || client->done;
        hurry(client, now + client->options.repeat_ms / 4); // what is only late may still come
        if (!client->done)
            end_request(client, answer, words);
        return;
    default:
        if (number) {
            end_request(client, answer, words);
            client->stopped = client->stopped || answer == KIFU_ANSWER_REPLACED;
        } else {
            client->joined = false;
            client->stopped = answer != KIFU_ANSWER_MALFORMED;
            tell(client, 0, answer, words);
        }
    }
}

static void read_clocks(kifu_client *client, kifu__parse *parse, uint64_t now)
{
    const uint8_t count = kifu__take_byte(parse);
    client->since = now;
    client->clock_count = count < KIFU_MAX_PLAYERS ? count : KIFU_MAX_PLAYERS;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t left = kifu__take_number(parse);
        if (i < KIFU_MAX_PLAYERS)
            client->left[i] = left;
    }
    client->running = kifu__take_byte(parse) - 1;
}

// All of a sequence, of which the end was sent: the one that is nearest to the next.
static uint64_t read_sequence(const kifu_client *client, kifu__parse *parse)
{
    const uint64_t next = client->sequence + 1, range = UINT64_C(1) << KIFU__SEQUENCE_BITS;
    const uint64_t ahead = (kifu__take_number(parse) - next) & (range - 1);
    return ahead < range / 2 ? next + ahead : next + ahead - range;
}

static void see(kifu_client *client, kifu__parse *parse, uint8_t kind, uint64_t now)
{
    const bool whole = kind & KIFU__WHOLE;
    const uint64_t sequence = whole ? kifu__take_number(parse) : read_sequence(client, parse);
    const uint64_t undos = whole ? kifu__take_number(parse) : client->undos + !!(kind & KIFU__UNDID);
    const bool known = sequence >> 40 == client->sequence >> 40 && sequence <= client->sequence;
    if (!parse->good || known)
        return;
    if (!whole && sequence != client->sequence + 1) {
        if (!client->behind)
            hurry(client, now + client->options.repeat_ms / 4); // the one before may only be late
        client->behind = true;
        return;
    }
    if (kind & KIFU__CLOCKS)
        read_clocks(client, parse, now);
    const size_t size = (size_t)(parse->end - parse->at);
    const kifu_result result = parse->good ? kifu_watch(client->timeline, parse->at, size) : KIFU_DAMAGED;
    if (result) {
        client->behind = true;
        client->sequence = 0; // the whole game is needed
    }
    if (whole && (result == KIFU_OTHER_GAME || result == KIFU_NEWER_FORMAT)) { // which would not help
        client->stopped = true;
        tell(client, 0, KIFU_ANSWER_FAILED, kifu_last_error(client->timeline)->message);
    }
    if (result)
        return;
    client->behind = false;
    client->seen = true;
    client->sequence = sequence;
    client->place = kifu_watched(client->timeline);
    client->undos = (uint32_t)undos;
    if (client->done && (whole || sequence >= client->until))
        end_request(client, KIFU_ANSWER_DONE, "");
}

static void hear_question(kifu_client *client, kifu__parse *parse)
{
    const uint64_t question = kifu__take_number(parse), seat = kifu__take_number(parse);
    const uint64_t place = kifu__take_number(parse);
    if (!parse->good || seat >= KIFU_MAX_PLAYERS || place > UINT32_MAX)
        return;
    if (question != client->question)
        client->answered = false;
    client->question = question;
    if (client->answered)
        send_consent(client);
    else if (client->options.asked)
        client->options.asked(client->options.context, (uint32_t)seat, (uint32_t)place);
}

void kifu_client_receive(kifu_client *client, const void *bytes, size_t size, uint64_t now)
{
    kifu__parse parse = kifu__parse_of(bytes, size);
    const uint32_t session = kifu__take_session(&parse);
    const uint8_t kind = kifu__take_byte(&parse), what = kind & KIFU__KINDS;
    if (!parse.good || session != (uint32_t)client->request.session)
        return;
    if (what == KIFU__ANSWER)
        hear_answer(client, &parse, now);
    else if (what == KIFU__OBSERVATION)
        see(client, &parse, kind, now);
    else if (what == KIFU__QUESTION)
        hear_question(client, &parse);
}

// --- Requests --------------------------------------------------------------------------------------------------------

// Plays it here at once, as far as that can be known. Where it is refused here, the referee says why.
static void predict(kifu_client *client, const void *bytes, size_t size)
{
    kifu_request request;
    if (has_predicted(client) || kifu_read_request(client->timeline, client->seat, bytes, size, &request) ||
        request.kind != KIFU_REQUEST_PLAY)
        return;
    const kifu_result ignored = kifu_run_request(client->timeline, client->seat, bytes, size);
    (void)ignored;
}

static kifu_result begin_request(kifu_client *client, uint8_t kind, const void *body, size_t size, uint64_t now)
{
    if (client->waits || client->seat < 0 || !client->seen)
        return KIFU_MISUSE;
    if (size > MOST_BODY)
        return KIFU_TOO_LARGE;
    unsigned char *bytes =
        (unsigned char *)kifu__referee_memory(&client->options.timeline, client->bytes, KIFU__REQUEST_HEAD + size);
    if (!bytes)
        return KIFU_NO_MEMORY;
    client->bytes = bytes;
    kifu__put_bytes(bytes + KIFU__REQUEST_HEAD, body, size);
    client->request.kind = kind;
    client->request.number = client->next++;
    client->request.place = client->place;
    client->request.undos = client->undos;
    client->request.sequence = 0;
    client->request.size = size;
    client->waits = true;
    client->asks = false;
    client->tries = 0;
    if (client->joined && !client->behind) // else it comes after that
        send_waiting(client, now);
    if (kind == KIFU__PLAY && client->options.predict)
        predict(client, body, size);
    return KIFU_OK;
}

kifu_result kifu_client_request(kifu_client *client, const void *bytes, size_t size, uint64_t now)
{
    return begin_request(client, KIFU__PLAY, bytes, size, now);
}

kifu_result kifu_client_undo(kifu_client *client, uint64_t now)
{
    return begin_request(client, KIFU__UNDO, NULL, 0, now);
}

kifu_result kifu_client_consent(kifu_client *client, bool agree)
{
    if (!client->question)
        return KIFU_MISUSE;
    client->answered = true;
    client->agrees = agree;
    send_consent(client);
    return KIFU_OK;
}

static bool new_session(kifu_client *client)
{
    uint64_t session;
    if (!client->options.entropy(client->options.context, &session, sizeof session))
        return false;
    client->request.session = session;
    client->next = 1;
    client->waits = client->done = client->joined = client->stopped = false;
    client->due = client->tries = 0;
    return true;
}

kifu_result kifu_client_rejoin(kifu_client *client, uint64_t now)
{
    if (!new_session(client))
        return KIFU_UNSUPPORTED;
    client->due = now;
    return KIFU_OK;
}

// --- Making and looking ----------------------------------------------------------------------------------------------

kifu_result kifu_client_create(const kifu_rules *rules, const kifu_client_options *options, kifu_client **client,
                               kifu_error *error)
{
    unsigned char token[KIFU__TOKEN] = {0};
    const int seat = options && options->token ? kifu__read_token(options->token, token) : -1;
    *client = NULL;
    if (!options || !options->send || !kifu__is_name(options->game) || (options->token && seat < 0))
        return kifu__referee_error(error, KIFU_MISUSE,
                                   "a client needs the function send, a game's name and, to play, a seat's token");
    kifu_client *made = (kifu_client *)kifu__referee_new(&options->timeline, sizeof *made);
    if (!made)
        return kifu__referee_error(error, KIFU_NO_MEMORY, "out of memory: no client was made");
    made->options = *options;
    made->options.send_context = options->send_context ? options->send_context : options->context;
    made->options.repeat_ms = options->repeat_ms ? options->repeat_ms : 500;
    made->options.poll_ms = options->poll_ms ? options->poll_ms : 5000;
    made->options.entropy = options->entropy ? options->entropy : kifu__system_entropy;
    made->poll = UINT64_MAX; // from when it has joined
    made->running = -1;
    made->seat = seat;
    memcpy(made->token, token, sizeof token);
    strcpy(made->request.name, options->game);
    made->request.token = options->token ? made->token : NULL;
    kifu_result result = KIFU_OK;
    made->bytes = (unsigned char *)kifu__referee_memory(&options->timeline, NULL, KIFU__REQUEST_HEAD);
    if (!made->bytes)
        result = kifu__referee_error(error, KIFU_NO_MEMORY, "out of memory: no client was made");
    else if (!new_session(made))
        result =
            kifu__referee_error(error, KIFU_UNSUPPORTED, "there is no entropy: give the options a function for it");
    else if (!(made->rules = kifu_watch_rules(rules, seat)))
        result = kifu__referee_error(error, KIFU_NO_MEMORY, "out of memory: no client was made");
    else
        result = kifu_create(made->rules, &options->timeline, &made->timeline, error);
    if (result)
        kifu_client_destroy(made);
    else
        *client = made;
    return result;
}

void kifu_client_destroy(kifu_client *client)
{
    if (!client)
        return;
    const kifu_options memory = client->options.timeline;
    if (client->joined)
        send_plain(client, KIFU__LEAVE);
    kifu_destroy(client->timeline);
    kifu_free_watch_rules(client->rules);
    kifu__referee_memory(&memory, client->bytes, 0);
    kifu__referee_memory(&memory, client, 0);
}

kifu_timeline *kifu_client_timeline(kifu_client *client)
{
    return client->timeline;
}

int kifu_client_seat(const kifu_client *client)
{
    return client->seat;
}

uint32_t kifu_client_waits(const kifu_client *client)
{
    return client->waits ? client->request.number : 0;
}

uint64_t kifu_client_clock(const kifu_client *client, uint32_t seat, uint64_t now)
{
    if (seat >= client->clock_count)
        return UINT64_MAX;
    const uint64_t used = client->running == (int)seat && now > client->since ? now - client->since : 0;
    return used < client->left[seat] ? client->left[seat] - used : 0;
}
