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

bool kifu__end_storing(kifu_referee *referee, kifu__game *game, kifu_result result)
{
    const kifu__happened happened = game->happened;
    kifu__seat *seat = happened.seat < 0 ? NULL : &game->seats[happened.seat];
    game->is_storing = false;
    if (!result) {
        game->sequence++;
        kifu__observe(referee, game, happened.from, happened.how);
        if (seat)
            kifu__answer_seat(referee, game, (uint32_t)happened.seat, KIFU_ANSWER_DONE, "");
        return true;
    }
    if (seat)
        kifu__answer(referee, NULL, (kifu__receiver){seat->peer, seat->sessions[0]}, seat->handled, KIFU_ANSWER_FAILED,
                     "this could not be stored: try again");
    kifu__put_away(referee, game);
    return false;
}

bool kifu__record_and_show(kifu_referee *referee, kifu__game *game, kifu__happened happened)
{
    const kifu_result result = kifu__record(referee, game);
    game->happened = happened;
    return game->is_storing || kifu__end_storing(referee, game, result);
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
    kifu__record_and_show(referee, game, (kifu__happened){place, KIFU_SEEN_PLAYED, (int)index});
}

bool kifu__let_fall(kifu_referee *referee, kifu__game *game)
{
    const int seat = game->running;
    const kifu__happened happened = {kifu_event_count(game->timeline), KIFU_SEEN_PLAYED, -1};
    game->seats[seat].left = 0;
    game->running = -1;
    if (referee->options.fallen(referee->options.context, game->timeline, (uint32_t)seat)) {
        const kifu_result ignored = kifu_drop_inputs(game->timeline);
        (void)ignored;
    }
    kifu__end_question(referee, game, KIFU_ANSWER_REFUSED, "the game has gone on");
    kifu__turn_clock(referee, game, -1);
    return kifu__record_and_show(referee, game, happened);
}
