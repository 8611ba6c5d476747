// Moves, and clocks that fall.

#include <kifu/bytes.h>
#include <kifu/changes.h>

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
        kifu__answer(referee, game, (kifu__watching){seat->peer, seat->sessions[0]}, seat->handled, (int)index, answer,
                     seat->words);
}

bool kifu__record_and_show(kifu_referee *referee, kifu__game *game, kifu__happened happened)
{
    if (kifu__record(referee, game)) {
        kifu__put_away(referee, game);
        return false;
    }
    game->sequence++;
    kifu__observe(referee, game, happened);
    return true;
}

// The game has done nothing, or it is as it was before the request: a part of an input must not stay.
static bool is_untouched(kifu__game *game, uint64_t changes, uint32_t pending)
{
    const kifu_result ignored = kifu_drop_inputs(game->timeline);
    (void)ignored;
    return kifu_change_count(game->timeline) == changes && kifu_pending_count(game->timeline) == pending;
}

static bool is_temporary(kifu_result result)
{
    return result == KIFU_NO_MEMORY || result == KIFU_IO;
}

void kifu__play_request(kifu_referee *referee, kifu__game *game, uint32_t index, const kifu__request *request)
{
    kifu__seat *seat = &game->seats[index];
    const kifu__watching to = {seat->peer, seat->sessions[0]};
    const kifu__happened happened = {kifu_event_count(game->timeline), false};
    const uint64_t changes = kifu_change_count(game->timeline);
    const uint32_t pending = kifu_pending_count(game->timeline), done = seat->done;
    kifu_result result = kifu_submit_bytes(game->timeline, (int)index, request->body, request->size, NULL);
    if (!result)
        result = kifu_run(game->timeline);
    if (result) {
        char words[KIFU__MOST_WORDS] = "";
        strncat(words, kifu_error_reason(kifu_last_error(game->timeline)), sizeof words - 1);
        const kifu_answer answer = is_temporary(result) ? KIFU_ANSWER_FAILED : KIFU_ANSWER_REFUSED;
        seat->handled -= is_temporary(result); // it may come again
        if (is_temporary(result))
            kifu__answer(referee, game, to, request->number, (int)index, answer, words);
        else
            kifu__answer_seat(referee, game, index, answer, words);
        if (!is_untouched(game, changes, pending) && referee->folder)
            kifu__put_away(referee, game);
        return;
    }
    seat->done = request->number;
    kifu__end_question(referee, game, KIFU_ANSWER_REFUSED, "the game has gone on");
    kifu__turn_clock(referee, game, (int)index);
    (void)done;
    if (kifu__record_and_show(referee, game, happened))
        kifu__answer_seat(referee, game, index, KIFU_ANSWER_DONE, "");
    else
        kifu__answer(referee, NULL, to, request->number, (int)index, KIFU_ANSWER_FAILED,
                     "the move could not be stored: try again");
}

bool kifu__let_fall(kifu_referee *referee, kifu__game *game)
{
    const int seat = game->running;
    const kifu__happened happened = {kifu_event_count(game->timeline), false};
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
