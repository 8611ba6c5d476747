#include <stdlib.h>
#include <string.h>

#include "gtp_call.h"
#include "points.h"
#include "rules.h"
#include "steps.h"
#include "think.h"

// --- Games -----------------------------------------------------------------------------------------------------------

static kifu_result begin(gtp *gtp, const uint16_t *black, uint32_t count)
{
    const go_setup setup = {.terms = gtp->terms, .black = black, .black_count = count, .seed = &(uint64_t){1}};
    return go_begin(gtp->timeline, &setup);
}

kifu_result gtp_begin(gtp *gtp)
{
    kifu_error error;
    gtp->terms = go_usual_terms();
    gtp->terms.counting = GO_COUNTING_AREA;
    const kifu_result result =
        kifu_create(&go_rules, &(kifu_options){.quiet = true, .seed = 1}, &gtp->timeline, &error);
    return result ? result : begin(gtp, NULL, 0);
}

void gtp_end(gtp *gtp)
{
    kifu_destroy(gtp->timeline);
}

bool gtp_clear_board(call *call)
{
    call->gtp->terms.handicap = 0;
    return call_good(call, begin(call->gtp, NULL, 0));
}

bool gtp_boardsize(call *call)
{
    double size;
    if (!call_read_number(call, LEAST_LINES, MOST_LINES, &size))
        return call_fail(call, "unacceptable size");
    call->gtp->terms.size = (uint8_t)size;
    return gtp_clear_board(call);
}

bool gtp_komi(call *call)
{
    double points;
    if (!call_read_number(call, -400, 400, &points))
        return false;
    call->gtp->terms.komi = (int16_t)(2 * points);
    return call_good(call, go_play_e_change_komi(call->gtp->timeline, call->gtp->terms.komi));
}

static bool put_handicap(call *call, const uint16_t *points, uint32_t count)
{
    go_terms *terms = &call->gtp->terms;
    if (call_state(call)->plays)
        return call_fail(call, "board not empty");
    if (!count || count > UINT8_MAX)
        return call_fail(call, "invalid number of stones");
    terms->handicap = (uint8_t)count;
    if (call_good(call, begin(call->gtp, points, count)))
        return true;
    terms->handicap = 0;
    return false;
}

// Puts stones where those of a fixed handicap stand, and answers where that is.
static bool put_fixed(call *call, uint32_t stones)
{
    uint16_t points[9];
    char text[POINT_LENGTH + 1];
    const uint32_t count = go_handicap(call->gtp->terms.size, stones, points);
    if (!put_handicap(call, points, count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        point_write(&call->gtp->terms, points[i], text);
        fprintf(call->out, "%s%s", i ? " " : "", text);
    }
    return true;
}

bool gtp_fixed_handicap(call *call)
{
    double stones;
    if (!call_read_number(call, 2, 9, &stones))
        return call_fail(call, "invalid number of stones");
    return put_fixed(call, (uint32_t)stones);
}

// Stones may stand where the engine likes, and fewer than asked for are allowed: where fixed ones do, at most nine.
bool gtp_place_free_handicap(call *call)
{
    double stones;
    const uint32_t most = call->gtp->terms.size % 2 ? 9 : 4;
    if (!call_read_number(call, 2, MOST_POINTS - 1, &stones))
        return call_fail(call, "invalid number of stones");
    return put_fixed(call, stones < most ? (uint32_t)stones : most);
}

bool gtp_set_free_handicap(call *call)
{
    uint16_t points[MOST_WORDS];
    uint32_t point = 0;
    for (uint32_t i = 0; i < call->count; i++) {
        if (!call_read_point(call, i, &point) || point == NO_POINT)
            return call_fail(call, "bad vertex list");
        points[i] = (uint16_t)point;
    }
    return put_handicap(call, points, call->count);
}

bool gtp_counting(call *call)
{
    const bool area = !strcmp(call_word(call, 0), "area");
    if (!area && strcmp(call_word(call, 0), "territory"))
        return call_fail(call, "area or territory is counted");
    call->gtp->terms.counting = area ? GO_COUNTING_AREA : GO_COUNTING_TERRITORY;
    return gtp_clear_board(call);
}

// --- Moves -----------------------------------------------------------------------------------------------------------

bool gtp_play(call *call)
{
    go_stone stone;
    uint32_t point;
    if (call->count != 2 || !call_read_stone(call, 0, &stone) || !call_read_point(call, 1, &point))
        return call_fail(call, "invalid color or coordinate");
    return !go_play_as(call->gtp->timeline, stone, point) ||
           (snprintf(call->gtp->error, sizeof call->gtp->error, "illegal move: %s",
                     kifu_error_reason(kifu_last_error(call->gtp->timeline))),
            false);
}

// Where it is not the color's turn, the computer thinks as if it were. Where the stones are counted, the color passes.
bool gtp_genmove(call *call)
{
    gtp *gtp = call->gtp;
    go_state state = *call_state(call);
    const kifu_thinking thinking = {.tries = gtp->tries, .seed = ++gtp->moves};
    go_stone stone;
    thought thought = {.point = NO_POINT};
    if (!call_read_stone(call, 0, &stone))
        return false;
    state.game.turn = stone == GO_STONE_WHITE;
    if (state.stage == GO_STAGE_PLAYING && think(&state, &thinking, &thought))
        return call_fail(call, "out of memory");
    if (thought.resigns) {
        fputs("resign", call->out);
        return call_good(call, go_play_p_resign(gtp->timeline, state.game.order[stone - 1]));
    }
    char text[POINT_LENGTH + 1];
    point_write(&state.terms, thought.point, text);
    fputs(text, call->out);
    return call_good(call, go_play_as(gtp->timeline, stone, thought.point));
}

// To before the last move. What came behind it, marks or a node of comments only, is taken back, too.
bool gtp_undo(call *call)
{
    kifu_timeline *timeline = call->gtp->timeline;
    const uint32_t begin = game_begin(timeline);
    step step = {.kind = STEP_OTHER, .first = kifu_event_count(timeline)};
    while (step.kind != STEP_MOVE) {
        if (!step_before(timeline, step.first, &step) || step.first <= begin)
            return call_fail(call, "cannot undo");
    }
    return call_good(call, kifu_go_to(timeline, kifu_current_line(timeline), step.first, true));
}

bool gtp_redo(call *call)
{
    return !kifu_redo(call->gtp->timeline) || call_fail(call, "cannot redo");
}

bool gtp_is_legal(call *call)
{
    go_stone stone;
    uint32_t point;
    points captured;
    uint64_t key;
    if (!call_read_stone(call, 0, &stone) || !call_read_point(call, 1, &point))
        return false;
    fputc(point == NO_POINT || !rules_fault(call_state(call), stone, point, &captured, &key) ? '1' : '0', call->out);
    return true;
}
