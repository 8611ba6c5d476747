// A game of PGN: its tags, and its end. Its moves are in pgn_moves.c.

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pgn_reader.h"

bool reader_well(reader *reader, kifu_result result)
{
    if (!result)
        return true;
    reader->failed = result;
    return scan_wrong(&reader->scan, reader->scan.at, "%s", kifu_last_error(reader->timeline)->message);
}

bool reader_has_memory(reader *reader, bool has)
{
    if (has)
        return true;
    reader->failed = KIFU_NO_MEMORY;
    return scan_wrong(&reader->scan, reader->scan.at, "memory ran out");
}

void reader_leave(reader *reader, const char *at, const char *format, ...)
{
    pgn_report *report = reader->report;
    fault fault;
    va_list arguments;
    if (!report)
        return;
    va_start(arguments, format);
    scan_say(&reader->scan, &fault, at, format, arguments);
    va_end(arguments);
    report->first = report->count++ ? report->first : fault;
    if (report->tell)
        report->tell(report->context, &fault);
}

// --- Tags ------------------------------------------------------------------------------------------------------------

// Whether a tag of a variant means chess itself.
static bool is_chess(const char *variant)
{
    static const char *const names[] = {"",       "?",       "-",       "standard", "chess",
                                        "normal", "regular", "classic", "orthodox", "from position"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t same = 0;
        while (names[i][same] && tolower((unsigned char)variant[same]) == names[i][same])
            same++;
        if (!names[i][same] && !variant[same])
            return true;
    }
    return false;
}

// The position comes first, and all other tags are notes at it. Result and position are the game's own.
static bool keep_tag(reader *reader, const char *at, const char *name, bool position)
{
    scan_make_utf8(&reader->word);
    const char *value = reader->word.length ? reader->word.bytes : "";
    const bool own = !strcmp(name, "FEN") || !strcmp(name, "SetUp") || !strcmp(name, "Result");
    if (position && !strcmp(name, "FEN"))
        snprintf(reader->fen, sizeof reader->fen, "%s", value);
    if (position && !strcmp(name, "Result")) {
        snprintf(reader->tag, sizeof reader->tag, "%s", value);
        reader->tag_at = at;
    }
    reader->tagged = true;
    if (!reader_has_memory(reader, !reader->word.failed))
        return false;
    if (position && !strcmp(name, "Variant") && !is_chess(value))
        return scan_wrong(&reader->scan, at, "this game is %.60s: it has other rules than chess", value);
    return position || own || reader_well(reader, pgn_set_tag(reader->timeline, name, value));
}

static bool read_tag(reader *reader, bool position)
{
    static const char characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    scan *scan = &reader->scan;
    const char *tag = scan->at++;
    scan_space(scan);
    const char *at = scan->at;
    const size_t length = strspn(at, characters);
    char name[256];
    snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : 0, at);
    scan->at += length;
    scan_space(scan);
    if (!*name || *scan->at != '"')
        return scan_wrong(scan, scan->at, "a tag is a name and a text in quotation marks: [White \"Morphy\"]");
    if (!strcmp(name, "FEN"))
        reader->fen_at = at;
    text_cut(&reader->word, 0);
    if (!scan_quoted(scan, &reader->word))
        return scan_wrong(scan, tag, "this tag's quotation mark is not closed in its line");
    scan_space(scan);
    if (*scan->at != ']')
        return scan_wrong(scan, scan->at, "this tag is not closed by ]");
    scan->at++;
    return keep_tag(reader, at, name, position);
}

// Comments before the tags belong to the game, too.
static bool read_comments(reader *reader, bool position)
{
    const scan before = reader->scan;
    const size_t length = reader->comments.length;
    const bool commented = reader->commented;
    while (*reader->scan.at == '{' || *reader->scan.at == ';') {
        if (!reader_comment(reader))
            return false;
        scan_space(&reader->scan);
    }
    if (position || *reader->scan.at != '[') { // not yet, or those before the moves
        text_cut(&reader->comments, length);
        reader->commented = commented;
    }
    if (*reader->scan.at != '[')
        reader->scan = before;
    return true;
}

static bool read_tags(reader *reader, bool position)
{
    reader->scan.at = reader->scan.begin;
    for (scan_space(&reader->scan); read_comments(reader, position); scan_space(&reader->scan)) {
        if (*reader->scan.at != '[')
            return true;
        if (!read_tag(reader, position))
            return false;
    }
    return false;
}

static bool begin_game(reader *reader)
{
    if (!read_tags(reader, true))
        return false;
    fault fault = {0};
    const chess_setup setup = {.fen = *reader->fen ? reader->fen : NULL, .seed = &(uint64_t){1}};
    const kifu_result result = chess_begin(reader->timeline, &setup, &fault);
    if (result == KIFU_REJECTED && fault.line)
        return scan_wrong(&reader->scan, reader->fen_at, "FEN, column %u: %s", (unsigned)fault.column, fault.message);
    if (!result && fault.line)
        reader_leave(reader, reader->fen_at, "FEN, column %u: %s", (unsigned)fault.column, fault.message);
    kifu_event event;
    for (uint32_t i = 0; kifu_event_at(reader->timeline, i, &event); i++)
        reader->set_up = event.type == CHESS_E_SET_UP ? i : reader->set_up;
    return reader_well(reader, result) && read_tags(reader, false);
}

// --- The end ---------------------------------------------------------------------------------------------------------

// The position need not say why a game ended.
static bool end_game(reader *reader)
{
    kifu_timeline *timeline = reader->timeline;
    const chess_state *state = chess_get_state(timeline);
    const int white = state->game.order[CHESS_SIDE_WHITE], black = state->game.order[CHESS_SIDE_BLACK];
    const char first = reader->result[0], second = reader->result[1];
    const char *own = chess_result(state);
    if (reader->tag_at && strcmp(reader->tag, "?") && strcmp(reader->tag, "*") && strcmp(reader->tag, reader->result) &&
        pgn_result(reader->tag, strlen(reader->tag)) != reader->result)
        reader_leave(reader, reader->tag_at, "this tag says %s, and the moves end with %s, which counts", reader->tag,
                     reader->result);
    if (state->ending && first != '*' && strcmp(reader->result, own))
        reader_leave(reader, reader->scan.at, "the result is kept as %s, and by the moves it is %s: %s", reader->result,
                     own, chess_end_in_words(state));
    if (state->ending && strcmp(reader->result, own) &&
        !reader_well(reader, pgn_set_tag(timeline, "Result", reader->result)))
        return false; // the text does not say what the position does: so it is kept
    if (!state->ending && second == '/') {
        chess_submit_p_offer_draw(timeline, white);
        chess_submit_p_accept_draw(timeline, black);
    } else if (!state->ending && first != '*') {
        chess_submit_p_resign(timeline, first == '0' ? white : black);
    }
    return reader_well(reader, kifu_run(timeline)) &&
           reader_well(reader, kifu_promote_line(timeline, kifu_current_line(timeline)));
}

static bool read_game(reader *reader)
{
    if (!begin_game(reader) || !reader_begin(reader))
        return false;
    while (!reader->result) {
        if (!reader_next(reader))
            return false;
    }
    if (!reader_end(reader) || !end_game(reader))
        return false;
    reader->scan.at += reader->result_length;
    return true;
}

static kifu_result read_text(reader *reader, const kifu_options *options, kifu_timeline **timeline)
{
    kifu_options own = options ? *options : (kifu_options){0};
    kifu_error error;
    own.keep_variations = kifu_keep_variations;
    own.keep_notes = kifu_keep_notes;
    kifu_result result = kifu_create(&chess_rules, &own, &reader->timeline, &error);
    if (result) {
        fault_say(reader->scan.fault, 1, 1, "%s", error.message);
        return result;
    }
    if (read_game(reader)) {
        *timeline = reader->timeline;
    } else {
        result = reader->failed ? reader->failed : KIFU_REJECTED;
        kifu_destroy(reader->timeline);
    }
    free(reader->levels);
    text_free(&reader->comments);
    text_free(&reader->glyphs);
    text_free(&reader->word);
    return result;
}

// The game alone: so nothing in it can reach into the next one.
kifu_result pgn_read(const char **text, const kifu_options *options, kifu_timeline **timeline, pgn_report *report,
                     fault *fault)
{
    struct text game = {0};
    text_add(&game, *text, (size_t)(pgn_end(*text) - *text));
    if (game.failed) {
        fault_say(fault, 1, 1, "memory ran out");
        return KIFU_NO_MEMORY;
    }
    reader reader = {.scan = {.begin = game.bytes, .at = game.bytes, .fault = fault}, .report = report};
    const kifu_result result = read_text(&reader, options, timeline);
    *text += result ? 0 : reader.scan.at - game.bytes;
    text_free(&game);
    return result;
}
