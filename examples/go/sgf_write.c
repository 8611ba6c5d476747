#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "points.h"
#include "sgf.h"

typedef struct writer {
    char *text;
    size_t room, length;
    uint32_t moves;
    const go_terms *terms;
} writer;

static void put(writer *writer, const char *format, ...)
{
    const size_t left = writer->length < writer->room ? writer->room - writer->length : 0;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(left ? writer->text + writer->length : NULL, left, format, arguments);
    va_end(arguments);
    writer->length += length > 0 ? (size_t)length : 0;
}

static void put_text(writer *writer, const char *name, const char *text)
{
    if (!*text)
        return;
    put(writer, "%s[", name);
    for (; *text; text++)
        put(writer, *text == ']' || *text == '\\' ? "\\%c" : "%c", *text);
    put(writer, "]");
}

static void put_points(writer *writer, const char *name, const uint16_t *points, uint32_t count)
{
    char text[POINT_LENGTH + 1];
    put(writer, "%s", count ? name : "");
    for (uint32_t i = 0; i < count; i++) {
        point_write_sgf(writer->terms, points[i], text);
        put(writer, "[%s]", text);
    }
}

static const char *rules_name(const go_terms *terms)
{
    if (terms->counting == GO_COUNTING_TERRITORY)
        return terms->ko == GO_KO_SITUATIONAL ? "AGA" : "Japanese";
    return terms->ko == GO_KO_SITUATIONAL ? "NZ" : "Chinese";
}

static void put_root(writer *writer, const go_e_set_up *set_up, const go_state *state, const sgf_info *info)
{
    const go_terms *terms = &set_up->terms;
    const int komi = state->terms.komi; // It may have been changed.
    char result[RESULT_LENGTH];
    put(writer, "(;FF[4]GM[1]CA[UTF-8]SZ[%u]KM[%s%d%s]RU[%s]", terms->size, komi < 0 ? "-" : "", abs(komi) / 2,
        komi % 2 ? ".5" : "", rules_name(terms));
    if (terms->handicap)
        put(writer, "HA[%u]", terms->handicap);
    put_points(writer, "AB", go_e_set_up_black(set_up), go_e_set_up_black_count(set_up));
    put_points(writer, "AW", go_e_set_up_white(set_up), go_e_set_up_white_count(set_up));
    put(writer, "PL[%c]", set_up->first == GO_STONE_WHITE ? 'W' : 'B');
    go_result(state, result);
    if (info) {
        put_text(writer, "PB", info->black);
        put_text(writer, "PW", info->white);
        put_text(writer, "EV", info->event);
        put_text(writer, "DT", info->date);
    }
    put_text(writer, "RE", state->ending || !info ? result : info->result);
    put(writer, "\n");
}

static void put_move(writer *writer, go_stone stone, uint32_t point)
{
    char text[POINT_LENGTH + 1];
    point_write_sgf(writer->terms, point, text);
    put(writer, ";%c[%s]%s", stone == GO_STONE_BLACK ? 'B' : 'W', text, ++writer->moves % 12 ? "" : "\n");
}

size_t sgf_write(const kifu_timeline *timeline, const sgf_info *info, char *text, size_t room)
{
    const go_state *state = go_get_state(timeline);
    const uint32_t count = kifu_event_count(timeline);
    writer writer = {.text = text, .room = room, .terms = &state->terms};
    kifu_event event;
    uint32_t next = count;
    while (next > 0 && kifu_event_at(timeline, next - 1, &event) && event.type != GO_E_SET_UP)
        next--;
    if (next == 0)
        put(&writer, "(;FF[4]GM[1]");
    else
        put_root(&writer, event.table, state, info);
    for (; next > 0 && next < count && kifu_event_at(timeline, next, &event); next++) {
        const go_stone stone = event.player == state->game.order[0] ? GO_STONE_BLACK : GO_STONE_WHITE;
        if (event.type == GO_P_PLAY)
            put_move(&writer, stone, ((const go_p_play *)event.table)->point);
        else if (event.type == GO_P_PASS)
            put_move(&writer, stone, NO_POINT);
    }
    put(&writer, ")\n");
    return writer.length;
}
