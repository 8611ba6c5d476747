#include <stdio.h>
#include <string.h>

#include "fen.h"
#include "moves.h"
#include "pgn.h"
#include "san.h"

static const char *const results[] = {"1-0", "0-1", "1/2-1/2", "*"};

typedef struct reader {
    const char *begin, *at;
    kifu_timeline *timeline;
    pgn_tags *tags;
    fault *fault;
    char fen[FEN_LENGTH];
    const char *result; // one of `results`, once it was read
} reader;

static kifu_result wrong_at(const reader *reader, const char *at, const char *message)
{
    uint32_t line = 1;
    const char *line_begin = reader->begin;
    for (const char *c = reader->begin; c < at; c++) {
        if (*c == '\n') {
            line++;
            line_begin = c + 1;
        }
    }
    fault_say(reader->fault, line, (uint32_t)(at - line_begin) + 1, "%s", message);
    return KIFU_REJECTED;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

// Space, and lines that begin with %.
static const char *skip_space(const char *begin, const char *at)
{
    for (;; at++) {
        if (*at == '%' && (at == begin || at[-1] == '\n'))
            at += strcspn(at, "\n");
        if (!is_space(*at))
            return at;
    }
}

// --- Tags ------------------------------------------------------------------------------------------------------------

static char *place_of_tag(reader *reader, const char *name, size_t length)
{
    const struct {
        const char *name;
        char *place;
    } places[] = {{"Event", reader->tags->event},
                  {"Site", reader->tags->site},
                  {"Date", reader->tags->date},
                  {"Round", reader->tags->round},
                  {"White", reader->tags->white},
                  {"Black", reader->tags->black},
                  {"FEN", reader->fen}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (strlen(places[i].name) == length && !memcmp(places[i].name, name, length))
            return places[i].place;
    }
    return NULL;
}

static kifu_result read_tag(reader *reader)
{
    const char *tag = reader->at++;
    reader->at = skip_space(reader->begin, reader->at);
    const char *name = reader->at;
    const size_t length = strcspn(name, " \t\r\n\"]");
    char *place = place_of_tag(reader, name, length);
    const size_t room = place == reader->fen ? FEN_LENGTH : PGN_TAG;
    reader->at = skip_space(reader->begin, name + length);
    if (!length || *reader->at != '"')
        return wrong_at(reader, reader->at, "a tag is a name and a text in quotation marks: [White \"Morphy\"]");
    size_t used = 0;
    for (reader->at++; *reader->at != '"'; reader->at++) {
        reader->at += *reader->at == '\\' && (reader->at[1] == '"' || reader->at[1] == '\\');
        if (!*reader->at || *reader->at == '\n')
            return wrong_at(reader, tag, "this tag's quotation mark is not closed in its line");
        if (place && used + 1 < room)
            place[used++] = *reader->at;
    }
    if (place)
        place[used] = '\0';
    reader->at = skip_space(reader->begin, reader->at + 1);
    if (*reader->at != ']')
        return wrong_at(reader, reader->at, "this tag is not closed by ]");
    reader->at++;
    return KIFU_OK;
}

static kifu_result begin_game(reader *reader)
{
    const char *first = reader->at;
    while (reader->at = skip_space(reader->begin, reader->at), *reader->at == '[') {
        const kifu_result result = read_tag(reader);
        if (result)
            return result;
    }
    fault fault = {0};
    const chess_setup setup = {.fen = *reader->fen ? reader->fen : NULL, .seed = &(uint64_t){1}};
    const kifu_result result = chess_begin(reader->timeline, &setup, &fault);
    if (!result || !fault.line)
        return result;
    char message[sizeof fault.message + 40];
    snprintf(message, sizeof message, "FEN, column %u: %s", (unsigned)fault.column, fault.message);
    const char *tag = strstr(first, "FEN");
    return wrong_at(reader, tag ? tag : first, message);
}

// --- Moves -----------------------------------------------------------------------------------------------------------

// A comment, a variation with all in it, or the number of a NAG: not played.
static kifu_result skip_aside(reader *reader)
{
    const char *begin = reader->at;
    uint32_t depth = 0;
    do {
        if (*reader->at == '{') {
            reader->at += strcspn(reader->at, "}");
            if (!*reader->at)
                return wrong_at(reader, begin, "this comment is not closed by }");
        } else if (*reader->at == ';') {
            reader->at += strcspn(reader->at, "\n");
        }
        depth += *reader->at == '(';
        depth -= *reader->at == ')';
        if (!*reader->at && depth)
            return wrong_at(reader, begin, "this variation is not closed by )");
        reader->at += *reader->at != '\0';
    } while (depth);
    return KIFU_OK;
}

static kifu_result play_move(reader *reader, size_t length)
{
    const chess_state *state = chess_get_state(reader->timeline);
    const unsigned number = state->position.clocks.half_moves / 2u + 1;
    const char *dots = position_to_move(&state->position) == CHESS_SIDE_WHITE ? "." : "...";
    chess_move move;
    fault fault;
    char message[sizeof fault.message + 80];
    if (state->game.phase != KIFU_PHASE_PLAY) {
        snprintf(message, sizeof message, "move %u%s %.*s: the game is over: %s", number, dots, (int)length, reader->at,
                 chess_end_in_words(state));
        return wrong_at(reader, reader->at, message);
    }
    if (!san_read(&state->position, reader->at, length, &move, &fault)) {
        snprintf(message, sizeof message, "move %u%s %.*s: %s", number, dots, length < 20 ? (int)length : 20,
                 reader->at, fault.message);
        return wrong_at(reader, reader->at + fault.column - 1, message);
    }
    reader->at += length;
    return chess_play_p_move(reader->timeline, kifu_current_player(&state->game), move.from, move.to, move.promotion);
}

static bool read_result(reader *reader, size_t length)
{
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        if (strlen(results[i]) == length && !memcmp(results[i], reader->at, length))
            reader->result = results[i];
    }
    return reader->result != NULL;
}

// "12." or "12...", which says nothing new.
static size_t number_length(const char *at)
{
    const size_t digits = strspn(at, "0123456789");
    const size_t dots = strspn(at + digits, ".");
    return dots || is_space(at[digits]) || !at[digits] ? digits + dots : 0;
}

static kifu_result read_moves(reader *reader)
{
    kifu_result result = KIFU_OK;
    while (!result && !reader->result) {
        reader->at = skip_space(reader->begin, reader->at);
        const char c = *reader->at;
        const size_t length = strcspn(reader->at, " \t\r\n\v\f.{}();$[]"), number = number_length(reader->at);
        if (!c || c == '[')
            return wrong_at(reader, reader->at,
                            "the game has no result: 1-0, 0-1, 1/2-1/2 or * comes behind its moves");
        if (c == '{' || c == ';' || c == '(')
            result = skip_aside(reader);
        else if (c == '$')
            reader->at += 1 + strspn(reader->at + 1, "0123456789");
        else if (number)
            reader->at += number;
        else if (!length)
            return wrong_at(reader, reader->at, "here comes a move, a comment, a variation or the result");
        else if (!read_result(reader, length))
            result = play_move(reader, length);
    }
    return result;
}

// --- The end ---------------------------------------------------------------------------------------------------------

// The position need not say why a game ended.
static kifu_result end_game(reader *reader)
{
    kifu_timeline *timeline = reader->timeline;
    const chess_state *state = chess_get_state(timeline);
    const int white = state->game.order[CHESS_SIDE_WHITE], black = state->game.order[CHESS_SIDE_BLACK];
    const size_t result = reader->result[0] == '*' ? 3 : reader->result[1] == '/' ? 2 : reader->result[0] == '0';
    if (state->ending) {
        if (!strcmp(reader->result, chess_result(state)) || result == 3)
            return KIFU_OK;
        char message[120];
        snprintf(message, sizeof message, "the result is %s, not %s: %s", chess_result(state), reader->result,
                 chess_end_in_words(state));
        return wrong_at(reader, reader->at, message);
    }
    if (result < 2) {
        chess_submit_p_resign(timeline, result ? white : black);
    } else if (result == 2) {
        chess_submit_p_offer_draw(timeline, white);
        chess_submit_p_accept_draw(timeline, black);
    }
    return kifu_run(timeline);
}

kifu_result pgn_read(kifu_timeline *timeline, const char **text, pgn_tags *tags, fault *fault)
{
    pgn_tags ignored;
    reader reader = {.begin = *text, .at = *text, .timeline = timeline, .tags = tags ? tags : &ignored, .fault = fault};
    memset(reader.tags, 0, sizeof *reader.tags);
    kifu_result result = begin_game(&reader);
    if (!result)
        result = read_moves(&reader);
    if (!result)
        result = end_game(&reader);
    if (!result)
        *text = reader.at + strlen(reader.result);
    return result;
}

bool pgn_has_more(const char *text)
{
    return *skip_space(text, text) != '\0';
}
