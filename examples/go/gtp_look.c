#include <stdlib.h>
#include <string.h>

#include "gtp_call.h"
#include "points.h"
#include "rules.h"
#include "sgf_file.h"
#include "steps.h"
#include "think.h"

// --- Looking ---------------------------------------------------------------------------------------------------------

bool gtp_showboard(call *call)
{
    const go_state *state = call_state(call);
    const uint32_t size = state->terms.size;
    for (uint32_t row = 0; row < size; row++) {
        fprintf(call->out, "\n%2u", (unsigned)(size - row));
        for (uint32_t column = 0; column < size; column++) {
            const uint32_t point = row * size + column;
            const char *dead = state->dead[point] ? "xo" : "XO";
            fprintf(call->out, " %c", state->board[point] ? dead[state->board[point] - 1] : '.');
        }
    }
    fputs("\n  ", call->out);
    for (uint32_t column = 0; column < size; column++)
        fprintf(call->out, " %c", "ABCDEFGHJKLMNOPQRST"[column]);
    return true;
}

static bool list_points(call *call, go_stone stone, const bool *dead, bool wanted, const char *separator)
{
    const go_state *state = call_state(call);
    char text[POINT_LENGTH + 1];
    bool first = true;
    for (uint32_t point = 0; point < point_count(&state->terms); point++) {
        if (!state->board[point] || dead[point] != wanted || (stone && state->board[point] != stone))
            continue;
        point_write(&state->terms, point, text);
        fprintf(call->out, "%s%s", first ? "" : separator, text);
        first = false;
    }
    return true;
}

bool gtp_list_stones(call *call)
{
    go_stone stone;
    return call_read_stone(call, 0, &stone) && list_points(call, stone, call_state(call)->dead, false, " ");
}

// How many stones of the other color this one has captured.
bool gtp_captures(call *call)
{
    go_stone stone;
    if (!call_read_stone(call, 0, &stone))
        return false;
    fprintf(call->out, "%u", (unsigned)call_state(call)->lost[other_stone(stone) - 1]);
    return true;
}

static bool print_score(call *call, const bool *dead)
{
    go_state state = *call_state(call);
    if (!state.ending) {
        memcpy(state.dead, dead, sizeof state.dead);
        state.lead = (int16_t)rules_lead(&state);
        state.ending = GO_ENDING_COUNTED;
        state.winner = state.lead > 0 ? GO_STONE_BLACK : state.lead < 0 ? GO_STONE_WHITE : GO_STONE_NONE;
    }
    char text[RESULT_LENGTH];
    go_result(&state, text);
    fputs(text, call->out);
    return true;
}

bool gtp_score(call *call)
{
    return print_score(call, call_state(call)->dead);
}

bool gtp_marked(call *call)
{
    return list_points(call, GO_STONE_NONE, call_state(call)->dead, true, "\n");
}

// What the players have marked; as long as that is nothing, what the computer thinks.
static void find_dead(const go_state *state, bool dead[MOST_POINTS])
{
    bool any = false;
    memcpy(dead, state->dead, MOST_POINTS * sizeof *dead);
    for (uint32_t point = 0; point < MOST_POINTS; point++)
        any = any || dead[point];
    if (!any && !state->ending)
        think_of_dead(state, dead);
}

bool gtp_final_score(call *call)
{
    bool dead[MOST_POINTS];
    find_dead(call_state(call), dead);
    return print_score(call, dead);
}

bool gtp_final_status_list(call *call)
{
    bool dead[MOST_POINTS];
    const bool wanted = !strcmp(call_word(call, 0), "dead");
    find_dead(call_state(call), dead);
    if (wanted || !strcmp(call_word(call, 0), "alive"))
        return list_points(call, GO_STONE_NONE, dead, wanted, "\n");
    return !strcmp(call_word(call, 0), "seki") || call_fail(call, "a status is alive, dead or seki");
}

// --- Marks and files -------------------------------------------------------------------------------------------------

bool gtp_mark(call *call)
{
    uint32_t point;
    return call_read_point(call, 0, &point) &&
           call_good(call, go_play_p_mark(call->gtp->timeline, call_state(call)->game.order[0], (uint16_t)point));
}

bool gtp_save(call *call)
{
    return call_good(call, kifu_save(call->gtp->timeline, call_word(call, 0), NULL));
}

// Prints a game, or writes it to the file that the command names.
static bool print_sgf(call *call, bool tree)
{
    if (call->count)
        return sgf_save(call->gtp->timeline, tree, call_word(call, 0)) || call_fail(call, "cannot write file");
    char *text = sgf_write(call->gtp->timeline, tree);
    if (!text)
        return call_fail(call, "out of memory");
    for (const char *at = text; *at; at++) { // An empty line, which a comment may have, would end the answer.
        fputs(at > text && at[-1] == '\n' && *at == '\n' ? " " : "", call->out);
        fputc(*at, call->out);
    }
    free(text);
    return true;
}

bool gtp_printsgf(call *call)
{
    return print_sgf(call, false);
}

bool gtp_print_tree(call *call)
{
    return print_sgf(call, true);
}

// Goes back to before the move with this number, if there are so many. Passes are moves.
static bool go_back(call *call, double number)
{
    kifu_timeline *timeline = call->gtp->timeline;
    step step = {.end = game_begin(timeline) + 1};
    while (step_at(timeline, GAME_LINE, step.end, &step)) {
        if (step.kind == STEP_MOVE && --number < 1)
            return call_good(call, kifu_go_to(timeline, kifu_current_line(timeline), step.first, true));
    }
    return true;
}

bool gtp_loadsgf(call *call)
{
    gtp *gtp = call->gtp;
    const double last = call->count > 1 ? strtod(call_word(call, 1), NULL) : 0;
    kifu_timeline *timeline;
    fault fault;
    if (sgf_load(call_word(call, 0), 1, &(kifu_options){.quiet = true, .seed = 1}, &timeline, &fault)) {
        if (fault.line)
            snprintf(gtp->error, sizeof gtp->error, "cannot load file: line %u, column %u: %s", (unsigned)fault.line,
                     (unsigned)fault.column, fault.message);
        else
            snprintf(gtp->error, sizeof gtp->error, "cannot load file: %s", fault.message);
        return false;
    }
    kifu_destroy(gtp->timeline);
    gtp->timeline = timeline;
    gtp->terms = call_state(call)->terms;
    return last < 1 || go_back(call, last);
}
