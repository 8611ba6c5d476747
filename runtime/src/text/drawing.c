// What a game's own function draws goes out as it comes: it has gathered it already.

#include "text/drawing.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text/print.h"

static void put_bytes(kifu_drawing *drawing, const char *bytes, size_t size)
{
    if (drawing->result || !size)
        return;
    if (!drawing->begun)
        drawing->picture = size >= 4 && !memcmp(bytes, "<svg", 4);
    drawing->begun = true;
    drawing->result = drawing->write(drawing->context, bytes, size);
}

void kifu_draw(kifu_drawing *drawing, const char *format, ...)
{
    char text[1001];
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (size < 0 || (size_t)size >= sizeof text)
        drawing->result = drawing->result ? drawing->result : KIFU_TOO_LARGE;
    else
        put_bytes(drawing, text, (size_t)size);
}

// What stands for a byte in a picture; NULL: itself.
static const char *escape_of(char byte)
{
    return byte == '&'    ? "&amp;"
           : byte == '<'  ? "&lt;"
           : byte == '>'  ? "&gt;"
           : byte == '"'  ? "&quot;"
           : byte == '\'' ? "&#39;"
                          : NULL;
}

void kifu_draw_words(kifu_drawing *drawing, const char *words)
{
    const unsigned char *at = (const unsigned char *)words, *const end = words ? at + strlen(words) : NULL;
    while (at != end) {
        const size_t length = kifu__character(at, end);
        const char *escape = drawing->picture ? escape_of((char)*at) : NULL;
        if (!length || kifu__is_control(at, length))
            put_bytes(drawing, "?", 1);
        else if (escape)
            put_bytes(drawing, escape, strlen(escape));
        else
            put_bytes(drawing, (const char *)at, length);
        at += length ? length : 1;
    }
}

void kifu_draw_click(kifu_drawing *drawing, const char *field, int value)
{
    if (drawing->clicks)
        kifu_draw(drawing, " data-%s=\"%d\"", field, value);
}

const char *kifu_draw_name(const kifu_drawing *drawing, int player, char *room)
{
    if (player >= 0 && (uint32_t)player < drawing->player_count && drawing->players[player] &&
        *drawing->players[player])
        return drawing->players[player];
    snprintf(room, 20, "Player %d", player);
    return room;
}

kifu_result kifu__draw(const kifu_timeline *timeline, const void *state, const kifu_event *move, kifu_drawing *drawing)
{
    drawing->state = state;
    drawing->move = *move;
    drawing->picture = drawing->begun = false;
    drawing->result = KIFU_OK;
    timeline->options.draw(drawing);
    return drawing->result;
}

const char *kifu__draw_text(kifu_result result)
{
    return result == KIFU_TOO_LARGE ? "one kifu_draw had more than 1,000 bytes: draw that in parts"
                                    : kifu_result_text(result);
}

kifu_result kifu_draw_state(kifu_timeline *timeline, kifu_drawing *drawing)
{
    if (!timeline->options.draw)
        return kifu__error(&timeline->error, KIFU_MISUSE, "there is nothing to draw by: set kifu_options.draw");
    if (!drawing->write)
        return kifu__error(&timeline->error, KIFU_MISUSE, "a drawing needs a function to write by");
    const kifu_event none = {.type = 0};
    kifu_event move = none;
    for (uint32_t i = kifu_position(timeline); i > 0 && kifu_event_at(timeline, i - 1, &move) && move.player < 0; i--)
        move = none;
    const kifu_result result = kifu__draw(timeline, kifu_state(timeline), &move, drawing);
    return result
               ? kifu__error(&timeline->error, result, "the game's drawing is not whole: %s", kifu__draw_text(result))
               : KIFU_OK;
}
