#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pgn.h"
#include "record.h"
#include "san.h"

enum { WIDTH = 79 };

typedef struct writer {
    char *text;
    size_t room, length;
    size_t column;
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

static void put_tag(writer *writer, const char *name, const char *value, const char *unknown)
{
    put(writer, "[%s \"", name);
    for (const char *c = *value ? value : unknown; *c; c++)
        put(writer, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    put(writer, "\"]\n");
}

// A word of the moves, in lines of less than 80 characters.
static void put_word(writer *writer, const char *word)
{
    const size_t length = strlen(word);
    const bool fits = writer->column + 1 + length <= WIDTH;
    if (writer->column)
        put(writer, fits ? " " : "\n");
    writer->column = writer->column && fits ? writer->column + 1 + length : length;
    put(writer, "%s", word);
}

static void put_move(writer *writer, const record *record, bool first)
{
    char word[24], san[SAN_LENGTH];
    const bool white = position_to_move(&record->position) == CHESS_SIDE_WHITE;
    if (white || first) {
        snprintf(word, sizeof word, "%u%s", record->position.clocks.half_moves / 2u + 1, white ? "." : "...");
        put_word(writer, word);
    }
    san_write(&record->position, record->move, san);
    put_word(writer, san);
}

size_t pgn_write(const kifu_timeline *timeline, const pgn_tags *tags, char *text, size_t room)
{
    static const pgn_tags unknown;
    writer writer = {.text = text, .room = room};
    const char *result = chess_result(chess_get_state(timeline));
    record record = record_begin(timeline);
    tags = tags ? tags : &unknown;
    put_tag(&writer, "Event", tags->event, "?");
    put_tag(&writer, "Site", tags->site, "?");
    put_tag(&writer, "Date", tags->date, "????.??.??");
    put_tag(&writer, "Round", tags->round, "?");
    put_tag(&writer, "White", tags->white, "?");
    put_tag(&writer, "Black", tags->black, "?");
    put_tag(&writer, "Result", result, "*");
    if (record.fen) {
        put_tag(&writer, "SetUp", "1", "");
        put_tag(&writer, "FEN", record.fen, "");
    }
    put(&writer, "\n");
    for (bool first = true; record_next(&record); first = false)
        put_move(&writer, &record, first);
    put_word(&writer, result);
    put(&writer, "\n");
    return writer.length;
}
