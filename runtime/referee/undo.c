// Undo: a player asks for it, and all others must agree.

#include "referee/referee.h"

// How many chains back the seat's last move is. 0: there is none.
static uint32_t count_chains(const kifu__game *game, uint32_t seat)
{
    kifu_event event;
    uint32_t chains = 0;
    for (uint32_t place = kifu_event_count(game->timeline); place;) {
        place = kifu_chain_start(game->timeline, place - 1);
        if (place == KIFU_NONE || !kifu_event_at(game->timeline, place, &event))
            return 0;
        chains++;
        if (event.player == (int)seat)
            return chains;
    }
    return 0;
}

static void redo(kifu__game *game, uint32_t chains)
{
    while (chains-- && !kifu_redo(game->timeline))
        continue;
}

// All of them or none.
static kifu_result undo(kifu__game *game, uint32_t chains, char words[KIFU__MOST_WORDS])
{
    kifu_result result = KIFU_OK;
    words[0] = '\0';
    for (uint32_t i = 0; i < chains; i++) {
        result = kifu_undo(game->timeline);
        if (result) {
            strncat(words, kifu_error_reason(kifu_last_error(game->timeline)), KIFU__MOST_WORDS - 1);
            redo(game, i);
            break;
        }
    }
    return result;
}

// Stores it as the asker's request, and answers that.
static void do_undo(kifu_referee *referee, kifu__game *game)
{
    char words[KIFU__MOST_WORDS];
    const uint32_t asker = game->asker;
    kifu__seat *seat = &game->seats[asker];
    const kifu__watching to = {seat->peer, seat->sessions[0]};
    const uint32_t number = seat->handled;
    game->question = 0;
    if (undo(game, game->chains, words)) {
        kifu__answer_seat(referee, game, asker, KIFU_ANSWER_REFUSED, words);
        return;
    }
    seat->done = number;
    game->undos++;
    kifu__turn_clock(referee, game, -1);
    if (kifu__record_and_show(referee, game, (kifu__happened){kifu_event_count(game->timeline), true}))
        kifu__answer_seat(referee, game, asker, KIFU_ANSWER_DONE, "");
    else
        kifu__answer(referee, NULL, to, number, (int)asker, KIFU_ANSWER_FAILED,
                     "the undo could not be stored: try again");
}

void kifu__end_question(kifu_referee *referee, kifu__game *game, kifu_answer answer, const char *words)
{
    if (!game->question)
        return;
    game->question = 0;
    kifu__answer_seat(referee, game, game->asker, answer, words);
}

void kifu__undo_request(kifu_referee *referee, kifu__game *game, uint32_t seat, const kifu__request *request)
{
    char words[KIFU__MOST_WORDS];
    const uint32_t place = kifu_event_count(game->timeline), chains = count_chains(game, seat);
    (void)request;
    if (!chains) {
        kifu__answer_seat(referee, game, seat, KIFU_ANSWER_REFUSED, "there is nothing to undo");
        return;
    }
    if (undo(game, chains, words)) { // nobody is asked for what is not possible
        kifu__answer_seat(referee, game, seat, KIFU_ANSWER_REFUSED, words);
        return;
    }
    game->events = place - kifu_event_count(game->timeline);
    redo(game, chains);
    kifu__end_question(referee, game, KIFU_ANSWER_REFUSED, "another player asks for an undo");
    game->question = referee->run << 40 | ++referee->questions;
    game->deadline = referee->now + referee->options.consent_ms;
    game->asker = seat;
    game->chains = chains;
    game->agreed = 1U << seat;
    if (game->deadline < referee->due)
        referee->due = game->deadline;
    if (game->seat_count == 1) {
        do_undo(referee, game);
        return;
    }
    kifu__ask(referee, game);
    kifu__answer_seat(referee, game, seat, KIFU_ANSWER_ASKED, "");
}

void kifu__consent(kifu_referee *referee, kifu__game *game, uint32_t seat, const kifu__request *request)
{
    kifu__parse parse = kifu__parse_of(request->body, request->size);
    const uint64_t question = kifu__take_number(&parse);
    const uint8_t agrees = kifu__take_byte(&parse);
    if (!parse.good || !game->question || question != game->question || seat == game->asker)
        return;
    if (!agrees) {
        kifu__end_question(referee, game, KIFU_ANSWER_REFUSED, "the other players do not agree");
        return;
    }
    game->agreed |= 1U << seat;
    if (game->agreed == (1U << game->seat_count) - 1)
        do_undo(referee, game);
}
