// Undo and redo: a player asks for them, and all others must agree.

#include "referee/referee.h"

// Where the seat's last move began. KIFU_NONE: there is none.
static uint32_t find_last_move(const kifu__game *game, uint32_t seat)
{
    kifu_event event;
    uint32_t place = kifu_event_count(game->timeline);
    while (place && place != KIFU_NONE) {
        place = kifu_chain_start(game->timeline, place - 1);
        if (place != KIFU_NONE && kifu_event_at(game->timeline, place, &event) && event.player == (int)seat)
            return place;
    }
    return KIFU_NONE;
}

static kifu_result go(kifu_timeline *timeline, uint32_t place)
{
    kifu_result result = KIFU_OK;
    while (!result && kifu_event_count(timeline) > place)
        result = kifu_undo(timeline);
    while (!result && kifu_event_count(timeline) < place)
        result = kifu_redo(timeline);
    return result;
}

// All of the way or nothing of it.
static kifu_result go_whole(kifu__game *game, uint32_t place, char words[KIFU__MOST_WORDS])
{
    const uint32_t before = kifu_event_count(game->timeline);
    kifu_result result = go(game->timeline, place);
    words[0] = '\0';
    if (!result)
        return KIFU_OK;
    strncat(words, kifu_error_reason(kifu_last_error(game->timeline)), KIFU__MOST_WORDS - 1);
    const kifu_result back = go(game->timeline, before);
    return back ? back : result;
}

// Stores it as the asker's request, and answers that.
static void do_agreed(kifu_referee *referee, kifu__game *game)
{
    char words[KIFU__MOST_WORDS];
    const uint32_t asker = game->asker, before = kifu_event_count(game->timeline);
    const bool undo = game->target < before;
    game->question = 0;
    if (go_whole(game, game->target, words)) {
        kifu__answer_seat(referee, game, asker, KIFU_ANSWER_REFUSED, words);
        return;
    }
    game->seats[asker].done = game->seats[asker].handled;
    game->undos += undo;
    kifu__turn_clock(referee, game, -1);
    kifu__record_and_show(
        referee, game,
        (kifu__happened){undo ? game->target : before, undo ? KIFU_SEEN_UNDONE : KIFU_SEEN_REDONE, (int)asker});
}

void kifu__end_question(kifu_referee *referee, kifu__game *game, kifu_answer answer, const char *words)
{
    if (!game->question)
        return;
    game->question = 0;
    kifu__answer_seat(referee, game, game->asker, answer, words);
}

void kifu__ask_for_place(kifu_referee *referee, kifu__game *game, uint32_t seat, uint32_t place)
{
    char words[KIFU__MOST_WORDS];
    const uint32_t before = kifu_event_count(game->timeline);
    kifu__end_question(referee, game, KIFU_ANSWER_REFUSED, "another player asks for an undo");
    if (go_whole(game, place, words)) { // no player is asked for what is not possible
        kifu__answer_seat(referee, game, seat, KIFU_ANSWER_REFUSED, words);
        return;
    }
    const kifu_result back = go(game->timeline, before);
    (void)back; // it is the way that it has just come
    game->question = referee->run << 40 | ++referee->questions;
    game->deadline = referee->now + referee->options.consent_ms;
    game->asker = seat;
    game->target = place;
    game->agreed = 1U << seat;
    if (game->deadline < referee->due)
        referee->due = game->deadline;
    if (game->seat_count == 1) {
        do_agreed(referee, game);
        return;
    }
    kifu__ask(referee, game);
    kifu__answer_seat(referee, game, seat, KIFU_ANSWER_ASKED, "");
}

void kifu__undo_request(kifu_referee *referee, kifu__game *game, uint32_t seat)
{
    const uint32_t place = find_last_move(game, seat);
    if (place == KIFU_NONE)
        kifu__answer_seat(referee, game, seat, KIFU_ANSWER_REFUSED, "there is nothing to undo");
    else
        kifu__ask_for_place(referee, game, seat, place);
}

void kifu__consent(kifu_referee *referee, kifu__game *game, uint32_t seat, const kifu__request *request)
{
    kifu__parse parse = kifu__parse_of(request->body, request->size);
    const uint64_t question = kifu__take_number(&parse);
    const uint8_t agrees = kifu__take_byte(&parse);
    if (!parse.good || !game->question || question != game->question)
        return;
    if (!agrees) {
        kifu__end_question(referee, game, KIFU_ANSWER_REFUSED, "the other players do not agree");
        return;
    }
    game->agreed |= 1U << seat;
    if (game->agreed == (1U << game->seat_count) - 1)
        do_agreed(referee, game);
}
