// A message comes in: which game, which seat, which session.

#include "referee/referee.h"

enum { SPECTATOR = -1, NO_SEAT = -2 };

static int find_seat(const kifu_referee *referee, kifu__game *game, const unsigned char *token)
{
    unsigned char key[KIFU__KEY];
    int found = token || referee->options.only_players ? NO_SEAT : SPECTATOR;
    if (!token)
        return found;
    for (uint32_t i = 0; i < game->seat_count; i++) {
        if (kifu__same_bytes(token, game->seats[i].token, KIFU__TOKEN) && game->seats[i].knows_token)
            return (int)i;
    }
    kifu__sha256(token, KIFU__TOKEN, key);
    for (uint32_t i = 0; i < game->seat_count; i++) {
        if (kifu__same_bytes(key, game->seats[i].key, KIFU__KEY))
            found = (int)i;
    }
    if (found >= 0) { // the hash of each request would cost a tenth of all
        memcpy(game->seats[found].token, token, KIFU__TOKEN);
        game->seats[found].knows_token = true;
    }
    return found;
}

// --- Joining ---------------------------------------------------------------------------------------------------------

static bool was_replaced(const kifu__seat *seat, uint64_t session)
{
    bool was = false;
    for (uint32_t i = 1; i < KIFU__SESSIONS; i++)
        was |= seat->sessions[i] == session;
    return was;
}

static void begin_session(kifu_referee *referee, kifu__game *game, kifu__seat *seat, uint64_t session)
{
    if (game->question && &game->seats[game->asker] == seat)
        kifu__end_question(referee, game, KIFU_ANSWER_REPLACED, "");
    memmove(seat->sessions + 1, seat->sessions, sizeof seat->sessions - sizeof *seat->sessions);
    seat->sessions[0] = session;
    game->sessions_changed = true;
    seat->handled = seat->done = 0;
    seat->answer = KIFU_ANSWER_DONE;
    seat->words[0] = '\0';
}

static kifu_answer join_seat(kifu_referee *referee, kifu__game *game, kifu__seat *seat, uint64_t peer,
                             const kifu__request *request)
{
    if (was_replaced(seat, request->session))
        return KIFU_ANSWER_REPLACED;
    if (seat->sessions[0] != request->session)
        begin_session(referee, game, seat, request->session);
    if (request->next && request->next - 1 > seat->handled) { // what came before is not done any more
        if (game->question && &game->seats[game->asker] == seat)
            kifu__end_question(referee, game, KIFU_ANSWER_REFUSED, "");
        seat->handled = request->next - 1;
    }
    seat->peer = peer;
    seat->joined = true;
    return KIFU_ANSWER_DONE;
}

static kifu__receiver *find_spectator(kifu__game *game, uint64_t peer, uint64_t session)
{
    for (uint32_t i = 0; i < game->spectator_count; i++) {
        if (game->spectators[i].peer == peer && game->spectators[i].session == session)
            return &game->spectators[i];
    }
    return NULL;
}

static kifu_answer join_spectators(kifu_referee *referee, kifu__game *game, kifu__receiver from)
{
    if (find_spectator(game, from.peer, from.session))
        return KIFU_ANSWER_DONE;
    if (game->spectator_count == referee->options.spectators)
        return KIFU_ANSWER_FULL;
    kifu__receiver *more = (kifu__receiver *)kifu__referee_memory(&referee->options.timeline, game->spectators,
                                                                  (game->spectator_count + 1) * sizeof *more);
    if (!more)
        return KIFU_ANSWER_FAILED;
    game->spectators = more;
    more[game->spectator_count++] = from;
    return KIFU_ANSWER_DONE;
}

static void join(kifu_referee *referee, kifu__game *game, int seat, kifu__receiver from, const kifu__request *request)
{
    const kifu_answer answer = seat >= 0 ? join_seat(referee, game, &game->seats[seat], from.peer, request)
                                         : join_spectators(referee, game, from);
    if (!answer && request->sequence != game->sequence)
        kifu__observe_whole(referee, game, seat, from);
    char most[12] = "";
    // Before the game is put away, each client asks some times what it has missed. No byte of a number is 0 but in 0.
    if (!answer && referee->folder)
        kifu__put((unsigned char *)most, 1 + referee->options.idle_ms / 3);
    kifu__answer(referee, game, from, 0, answer, most);
}

static void leave(kifu__game *game, int seat, kifu__receiver from)
{
    kifu__receiver *spectator = find_spectator(game, from.peer, from.session);
    if (seat >= 0 && game->seats[seat].sessions[0] == from.session)
        game->seats[seat].joined = false;
    else if (spectator)
        *spectator = game->spectators[--game->spectator_count];
}

void kifu_referee_gone(kifu_referee *referee, uint64_t peer)
{
    for (uint32_t i = 0; i < referee->bucket_count; i++) {
        for (kifu__game *game = referee->buckets[i]; game; game = game->next) {
            for (uint32_t j = 0; j < game->seat_count; j++)
                game->seats[j].joined = game->seats[j].joined && game->seats[j].peer != peer;
            for (uint32_t j = game->spectator_count; j--;) {
                if (game->spectators[j].peer == peer)
                    game->spectators[j] = game->spectators[--game->spectator_count];
            }
        }
    }
}

// --- Requests of players ---------------------------------------------------------------------------------------------

// A request that was seen before is answered again, and not done again.
static bool is_new(kifu_referee *referee, kifu__game *game, uint32_t index, const kifu__request *request)
{
    kifu__seat *seat = &game->seats[index];
    if (request->number == seat->handled) {
        kifu__answer_seat(referee, game, index, seat->answer, seat->words);
        if (game->question && game->asker == index)
            kifu__ask(referee, game);
    }
    if (request->number <= seat->handled)
        return false;
    if (game->question && game->asker == index)
        kifu__end_question(referee, game, KIFU_ANSWER_REFUSED, "");
    seat->handled = request->number;
    return true;
}

static void handle_numbered(kifu_referee *referee, kifu__game *game, uint32_t index, const kifu__request *request)
{
    if (!is_new(referee, game, index, request))
        return;
    if (!referee->options.any_place &&
        (request->place != kifu_event_count(game->timeline) || request->undos != game->undos))
        kifu__answer_seat(referee, game, index, KIFU_ANSWER_STALE, "");
    else if (request->kind == KIFU__PLAY)
        kifu__play_request(referee, game, index, request);
    else
        kifu__undo_request(referee, game, index);
}

static void handle_seat(kifu_referee *referee, kifu__game *game, uint32_t index, kifu__receiver from,
                        const kifu__request *request)
{
    kifu__seat *seat = &game->seats[index];
    kifu_answer answer = KIFU_ANSWER_JOIN;
    if (was_replaced(seat, from.session))
        answer = KIFU_ANSWER_REPLACED;
    if (seat->sessions[0] != from.session || !seat->joined) {
        kifu__answer(referee, game, from, request->number, answer, "");
        return;
    }
    seat->peer = from.peer;
    game->used = referee->now;
    if (request->kind == KIFU__CONSENT)
        kifu__consent(referee, game, index, request);
    else
        handle_numbered(referee, game, index, request);
}

// --- All requests ----------------------------------------------------------------------------------------------------

static void handle(kifu_referee *referee, kifu__game *game, int seat, kifu__receiver from, const kifu__request *request)
{
    if (request->kind == KIFU__LEAVE) {
        leave(game, seat, from);
    } else if (request->kind == KIFU__JOIN) {
        game->used = referee->now;
        join(referee, game, seat, from, request);
    } else if (request->kind == KIFU__PING) {
        const bool joined = seat >= 0 ? game->seats[seat].joined && game->seats[seat].sessions[0] == from.session
                                      : find_spectator(game, from.peer, from.session) != NULL;
        if (joined)
            join(referee, game, seat, from, request);
        else
            kifu__answer(referee, game, from, 0, KIFU_ANSWER_JOIN, "");
    } else if (seat >= 0 && (request->kind == KIFU__CONSENT || request->number)) {
        handle_seat(referee, game, (uint32_t)seat, from, request);
    } else {
        kifu__answer(referee, game, from, request->number, KIFU_ANSWER_MALFORMED, "");
    }
}

// Where there is no room, it is dropped, and comes again.
static void let_wait(kifu_referee *referee, kifu__game *game, uint64_t peer, const void *bytes, size_t size)
{
    kifu__waiting *waiting = NULL;
    if (game->waiting_count < KIFU__MOST_WAITING)
        waiting = (kifu__waiting *)kifu__referee_memory(&referee->options.timeline, NULL, sizeof *waiting + size);
    if (!waiting)
        return;
    *waiting = (kifu__waiting){.peer = peer, .size = size};
    memcpy(waiting->bytes, bytes, size);
    *(game->waiting ? game->last_waiting : &game->waiting) = waiting;
    game->last_waiting = &waiting->next;
    game->waiting_count++;
}

static void handle_game(kifu_referee *referee, kifu__receiver from, const kifu__request *request, const void *bytes,
                        size_t size)
{
    kifu_error error;
    kifu_result result;
    const bool awake = kifu__find_game(referee, request->name) != NULL;
    if (!awake && request->kind == KIFU__LEAVE)
        return;
    if (!awake && request->kind == KIFU__PING) {
        // A client of another process has perhaps missed the end of what that did.
        kifu__answer(referee, NULL, from, 0,
                     request->sequence >> 40 == referee->run ? KIFU_ANSWER_AWAY : KIFU_ANSWER_JOIN, "");
        return;
    }
    kifu__game *game = kifu__take_up(referee, request->name, &result, &error);
    if (!game) {
        const bool none = result == KIFU_NOT_FOUND;
        kifu__answer(referee, NULL, from, request->number, none ? KIFU_ANSWER_NO_GAME : KIFU_ANSWER_FAILED,
                     none ? "" : error.message);
        return;
    }
    const int seat = find_seat(referee, game, request->token);
    kifu__limit *limit = seat >= 0 ? &game->seats[seat].limit : NULL;
    if (seat == NO_SEAT) {
        kifu__answer(referee, NULL, from, request->number, KIFU_ANSWER_NO_SEAT, "");
        if (!awake && referee->folder) // who has no token keeps no game in memory
            kifu__put_away(referee, game);
        return;
    }
    if (!game->is_storing && kifu__has_fallen(referee, game) && !kifu__let_fall(referee, game))
        return; // it comes again
    if (game->is_storing)
        let_wait(referee, game, from.peer, bytes, size);
    else if (!limit || kifu__limit_lets_in(referee, limit))
        handle(referee, game, seat, from, request);
    else if (!limit->told) {
        limit->told = true;
        kifu__answer(referee, game, from, request->number, KIFU_ANSWER_SLOW_DOWN, "");
    }
}

void kifu__handle_waiting(kifu_referee *referee, kifu__game *game)
{
    kifu__waiting *waiting;
    char name[KIFU__MOST_NAME + 1];
    memcpy(name, game->name, sizeof name);
    while (game && !game->is_storing && (waiting = game->waiting) != NULL) {
        kifu__request request;
        game->waiting = waiting->next;
        game->waiting_count--;
        if (kifu__read_request(waiting->bytes, waiting->size, &request))
            handle_game(referee, (kifu__receiver){waiting->peer, request.session}, &request, waiting->bytes,
                        waiting->size);
        kifu__referee_memory(&referee->options.timeline, waiting, 0);
        game = kifu__find_game(referee, name); // it may be put away
    }
}

void kifu_referee_receive(kifu_referee *referee, uint64_t peer, const void *bytes, size_t size, uint64_t now)
{
    kifu__request request;
    kifu__limit *limit;
    if (now > referee->now)
        referee->now = now;
    const bool lets_in = kifu__peer_lets_in(referee, peer, &limit);
    if (!lets_in && (!limit || limit->told))
        return;
    const bool good = size <= referee->options.message_limit && kifu__read_request(bytes, size, &request);
    if (!good) {
        kifu__parse parse = kifu__parse_of(bytes, size);
        request.session = kifu__take_fixed(&parse);
        request.number = 0;
    }
    const kifu__receiver from = {peer, request.session};
    if (!lets_in) {
        limit->told = true;
        kifu__answer(referee, NULL, from, request.number, KIFU_ANSWER_SLOW_DOWN, "");
    } else if (!good) {
        kifu__answer(referee, NULL, from, 0, KIFU_ANSWER_MALFORMED, "");
    } else {
        handle_game(referee, from, &request, bytes, size);
    }
}
