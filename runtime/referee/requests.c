// Moves, and clocks that fall.

#include <kifu/request.h>

#include "referee/referee.h"

void kifu__answer_seat(kifu_referee *referee, kifu__game *game, uint32_t index, kifu_answer answer, const char *words)
{
    kifu__seat *seat = &game->seats[index];
    size_t length = strlen(words);
    if (length >= sizeof seat->words)
        length = sizeof seat->words - 1;
    while (words[length] && ((unsigned char)words[length] & 0xC0) == 0x80) // a whole character of UTF-8
        length--;
    if (words != seat->words) {
        memcpy(seat->words, words, length);
        seat->words[length] = '\0';
    }
    seat->answer = answer;
    if (seat->joined)
        kifu__answer(referee, game, (kifu__receiver){seat->peer, seat->sessions[0]}, seat->handled, answer,
                     seat->words);
}

bool kifu__record_and_show(kifu_referee *referee, kifu__game *game, uint32_t from, kifu_seen_how how)
{
    if (kifu__record(referee, game)) {
        kifu__put_away(referee, game);
        return false;
    }
    game->sequence++;
    kifu__observe(referee, game, from, how);
    return true;
}

static bool is_temporary(kifu_result result)
{
    return result == KIFU_NO_MEMORY || result == KIFU_IO;
}

static void refuse(kifu_referee *referee, kifu__game *game, uint32_t index, kifu_result result)
{
    kifu__seat *seat = &game->seats[index];
    const uint32_t number = seat->handled;
    char words[KIFU__MOST_WORDS] = "";
    strncat(words, kifu_error_reason(kifu_last_error(game->timeline)), sizeof words - 1);
    if (!is_temporary(result)) {
        kifu__answer_seat(referee, game, index, KIFU_ANSWER_REFUSED, words);
        return;
    }
    seat->handled = number - 1; // it may come again
    kifu__answer(referee, game, (kifu__receiver){seat->peer, seat->sessions[0]}, number, KIFU_ANSWER_FAILED, words);
}

void kifu__play_request(kifu_referee *referee, kifu__game *game, uint32_t index, const kifu__request *request)
{
    kifu__seat *seat = &game->seats[index];
    const kifu__receiver to = {seat->peer, seat->sessions[0]};
    const uint32_t place = kifu_event_count(game->timeline);
    kifu_request read;
    kifu_result result = kifu_read_request(game->timeline, (int)index, request->body, request->size, &read);
    if (!result && read.kind != KIFU_REQUEST_PLAY) {
        kifu__ask_for_place(referee, game, index,
                            read.kind == KIFU_REQUEST_UNDO ? place - read.events : place + read.events);
        return;
    }
    if (!result)
        result = kifu_run_request(game->timeline, (int)index, request->body, request->size);
    if (result) {
        refuse(referee, game, index, result);
        return;
    }
    seat->done = request->number;
    kifu__end_question(referee, game, KIFU_ANSWER_REFUSED, "the game has gone on");
    kifu__turn_clock(referee, game, (int)index);
    if (kifu__record_and_show(referee, game, place, KIFU_SEEN_PLAYED))
        kifu__answer_seat(referee, game, index, KIFU_ANSWER_DONE, "");
    else
        kifu__answer(referee, NULL, to, request->number, KIFU_ANSWER_FAILED, "the move could not be stored: try again");
}

bool kifu__let_fall(kifu_referee *referee, kifu__game *game)
{
    const int seat = game->running;
    const uint32_t before = kifu_event_count(game->timeline);
    game->seats[seat].left = 0;
    game->running = -1;
    if (referee->options.fallen(referee->options.context, game->timeline, (uint32_t)seat)) {
        const kifu_result ignored = kifu_drop_inputs(game->timeline);
        (void)ignored;
    }
    kifu__end_question(referee, game, KIFU_ANSWER_REFUSED, "the game has gone on");
    kifu__turn_clock(referee, game, -1);
    return kifu__record_and_show(referee, game, before, KIFU_SEEN_PLAYED);
}
