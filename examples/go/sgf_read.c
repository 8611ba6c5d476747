#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "points.h"
#include "sgf.h"

typedef struct reader {
    const char *begin, *at;
    kifu_timeline *timeline;
    sgf_info *info;
    fault *fault;
    go_setup setup;
    points black, white;
    bool begun; // the first node was read, and the game has begun
} reader;

static kifu_result wrong_at(const reader *reader, const char *at, const char *format, ...)
{
    fault *fault = reader->fault;
    fault->line = 1;
    const char *line_begin = reader->begin;
    for (const char *c = reader->begin; c < at; c++) {
        if (*c == '\n') {
            fault->line++;
            line_begin = c + 1;
        }
    }
    fault->column = (uint32_t)(at - line_begin) + 1;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->message, sizeof fault->message, format, arguments);
    va_end(arguments);
    return KIFU_REJECTED;
}

static void skip_space(reader *reader)
{
    while (isspace((unsigned char)*reader->at))
        reader->at++;
}

// --- Properties ------------------------------------------------------------------------------------------------------

// One value of a property, without its brackets. A backslash takes away the meaning of what follows it.
typedef struct value {
    const char *at;
    size_t length;
} value;

static kifu_result read_value(reader *reader, value *value)
{
    const char *begin = reader->at;
    *value = (struct value){.at = begin + 1};
    for (reader->at++; *reader->at != ']'; reader->at++) {
        reader->at += *reader->at == '\\' && reader->at[1];
        if (!*reader->at)
            return wrong_at(reader, begin, "this value is not closed by ]");
    }
    value->length = (size_t)(reader->at++ - value->at);
    skip_space(reader);
    return KIFU_OK;
}

static void copy_text(const value *value, char text[SGF_TEXT])
{
    size_t used = 0;
    for (size_t i = 0; i < value->length && used + 1 < SGF_TEXT; i++) {
        i += value->at[i] == '\\' && i + 1 < value->length;
        text[used++] = isspace((unsigned char)value->at[i]) ? ' ' : value->at[i];
    }
    text[used] = '\0';
}

// A point, or a rectangle of them: "aa:cc".
static kifu_result add_points(reader *reader, const value *value, points *points)
{
    const go_terms *terms = &reader->setup.terms;
    const bool rectangle = value->length == 5 && value->at[2] == ':';
    const uint32_t first = value->length ? point_read_sgf(terms, value->at, rectangle ? 2 : value->length) : NO_POINT;
    const uint32_t last = rectangle ? point_read_sgf(terms, value->at + 3, 2) : first;
    if (first >= point_count(terms) || last >= point_count(terms))
        return wrong_at(reader, value->at, "this is no point of the board: a stone stands on one such as dd");
    for (uint32_t row = first / terms->size; row <= last / terms->size; row++) {
        for (uint32_t column = first % terms->size; column <= last % terms->size; column++) {
            if (points->count == MOST_POINTS)
                return wrong_at(reader, value->at, "there are more stones than points");
            points->items[points->count++] = (uint16_t)(row * terms->size + column);
        }
    }
    return KIFU_OK;
}

static kifu_result read_number(const reader *reader, const value *value, double least, double most, double *number)
{
    char text[SGF_TEXT], *end;
    copy_text(value, text);
    *number = strtod(text, &end);
    if (end == text || *end || !(*number >= least && *number <= most)) {
        return wrong_at(reader, value->at, "here comes a number from %g to %g", least, most);
    }
    return KIFU_OK;
}

static void read_rules(reader *reader)
{
    static const struct {
        const char *name;
        go_ko ko;
        go_counting counting;
    } known[] = {{"Chinese", GO_KO_POSITIONAL, GO_COUNTING_AREA},
                 {"NZ", GO_KO_SITUATIONAL, GO_COUNTING_AREA},
                 {"GOE", GO_KO_SITUATIONAL, GO_COUNTING_AREA},
                 {"Tromp-Taylor", GO_KO_POSITIONAL, GO_COUNTING_AREA},
                 {"AGA", GO_KO_SITUATIONAL, GO_COUNTING_TERRITORY}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(reader->info->rules, known[i].name))
            continue;
        reader->setup.terms.ko = known[i].ko;
        reader->setup.terms.counting = known[i].counting;
    }
}

static kifu_result read_first_player(reader *reader, const value *value)
{
    const char letter = (char)(value->length == 1 ? toupper((unsigned char)*value->at) : '?');
    if (letter != 'B' && letter != 'W')
        return wrong_at(reader, value->at, "B or W plays first");
    reader->setup.first = letter == 'B' ? GO_STONE_BLACK : GO_STONE_WHITE;
    return KIFU_OK;
}

// What the first node says besides stones. `name` is what it says.
static kifu_result read_agreed(reader *reader, const char *name, const value *value)
{
    sgf_info *info = reader->info;
    const struct {
        const char *name;
        char *text;
    } texts[] = {{"PB", info->black}, {"PW", info->white},  {"EV", info->event},
                 {"DT", info->date},  {"RE", info->result}, {"RU", info->rules}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!strcmp(name, texts[i].name))
            copy_text(value, texts[i].text);
    }
    double number = 0;
    kifu_result result = KIFU_OK;
    if (!strcmp(name, "GM") && (value->length != 1 || *value->at != '1'))
        return wrong_at(reader, value->at, "this is another game than Go: Go is GM[1]");
    if (!strcmp(name, "SZ")) {
        result = read_number(reader, value, LEAST_LINES, MOST_LINES, &number);
        reader->setup.terms.size = (uint8_t)number;
    } else if (!strcmp(name, "KM")) {
        result = read_number(reader, value, -400, 400, &number);
        reader->setup.terms.komi = (int16_t)(2 * number);
    } else if (!strcmp(name, "HA")) {
        result = read_number(reader, value, 0, 200, &number);
        reader->setup.terms.handicap = (uint8_t)number;
    } else if (!strcmp(name, "PL")) {
        result = read_first_player(reader, value);
    }
    return result;
}

static kifu_result begin_game(reader *reader)
{
    reader->begun = true;
    read_rules(reader);
    reader->setup.black_count = reader->black.count;
    reader->setup.white_count = reader->white.count;
    return go_begin(reader->timeline, &reader->setup);
}

static kifu_result read_move(reader *reader, go_stone stone, const value *value)
{
    const go_state *state = go_get_state(reader->timeline);
    kifu_result result = reader->begun ? KIFU_OK : begin_game(reader);
    if (result)
        return result;
    const uint32_t point = point_read_sgf(&state->terms, value->at, value->length);
    if (point == WRONG_POINT)
        return wrong_at(reader, value->at, "this is no point of the board");
    result = go_play_as(reader->timeline, stone, point);
    return result == KIFU_REJECTED
               ? wrong_at(reader, value->at, "%s", kifu_error_reason(kifu_last_error(reader->timeline)))
               : result;
}

// --- Nodes -----------------------------------------------------------------------------------------------------------

static kifu_result take_value(reader *reader, const char *name, const value *value)
{
    const bool black = !strcmp(name, "AB"), white = !strcmp(name, "AW"), empty = !strcmp(name, "AE");
    if (!strcmp(name, "B") || !strcmp(name, "W"))
        return read_move(reader, *name == 'B' ? GO_STONE_BLACK : GO_STONE_WHITE, value);
    if (!black && !white && !empty)
        return reader->begun ? KIFU_OK : read_agreed(reader, name, value);
    if (empty || reader->begun)
        return wrong_at(reader, value->at, "stones are set up in the first node only: %s cannot stand here", name);
    return add_points(reader, value, black ? &reader->black : &reader->white);
}

// `sizes`: only the size of the board, which the points of the node need, wherever it stands in the node.
static kifu_result read_node(reader *reader, bool sizes)
{
    kifu_result result = KIFU_OK;
    for (skip_space(reader); !result && isalpha((unsigned char)*reader->at);) {
        const char *begin = reader->at;
        char name[8] = "";
        for (size_t used = 0; isalpha((unsigned char)*reader->at); reader->at++) {
            if (isupper((unsigned char)*reader->at) && used + 1 < sizeof name) // Older formats have Black for B.
                name[used++] = *reader->at;
        }
        skip_space(reader);
        if (*reader->at != '[')
            return wrong_at(reader, begin, "a property has a value in brackets: B[dd]");
        while (!result && *reader->at == '[') {
            value value;
            result = read_value(reader, &value);
            if (!result && (!sizes || !strcmp(name, "SZ")))
                result = take_value(reader, name, &value);
        }
    }
    return result;
}

static kifu_result read_first_node(reader *reader)
{
    const char *begin = reader->at;
    kifu_result result = read_node(reader, true);
    reader->at = begin;
    return result ? result : read_node(reader, false);
}

// What is in other variations than the first.
static kifu_result skip_tree(reader *reader)
{
    const char *begin = reader->at;
    uint32_t depth = 0;
    do {
        value ignored;
        if (!*reader->at)
            return wrong_at(reader, begin, "this variation is not closed by )");
        depth += *reader->at == '(';
        depth -= *reader->at == ')';
        if (*reader->at == '[') {
            const kifu_result result = read_value(reader, &ignored);
            if (result)
                return result;
        } else
            reader->at++;
    } while (depth);
    skip_space(reader);
    return KIFU_OK;
}

// The main line goes down into the first tree everywhere.
static kifu_result read_main_line(reader *reader)
{
    kifu_result result = KIFU_OK;
    uint32_t depth = 1;
    bool first = true;
    for (reader->at++; !result && depth;) {
        skip_space(reader);
        const char c = *reader->at;
        reader->at += c == ';' || c == ')';
        if (c == ';') {
            result = first ? read_first_node(reader) : read_node(reader, false);
            if (first && !result && !reader->begun)
                result = begin_game(reader);
            first = false;
        } else if (c == '(') {
            reader->at++;
            depth++;
        } else if (c == ')') {
            depth--;
            for (skip_space(reader); !result && depth && *reader->at == '('; skip_space(reader))
                result = skip_tree(reader);
        } else
            return wrong_at(reader, reader->at,
                            *reader->at ? "here comes a node (;), a variation or )" : "a ) is missing");
    }
    return !result && first ? wrong_at(reader, reader->at, "this game has no node") : result;
}

// The stones need not say why a game ended.
static kifu_result end_game(reader *reader)
{
    const go_state *state = go_get_state(reader->timeline);
    const char *result = reader->info->result;
    if ((*result != 'B' && *result != 'W') || result[1] != '+' || (result[2] != 'R' && result[2] != 'r'))
        return KIFU_OK;
    return go_play_p_resign(reader->timeline, state->game.order[*result == 'B']);
}

kifu_result sgf_read(kifu_timeline *timeline, const char **text, sgf_info *info, fault *fault)
{
    sgf_info ignored;
    const uint64_t seed = 1;
    reader reader = {.begin = *text, .at = *text, .timeline = timeline, .info = info ? info : &ignored, .fault = fault};
    memset(reader.info, 0, sizeof *reader.info);
    *fault = (struct fault){0};
    reader.setup = (go_setup){.terms = go_usual_terms(), .seed = &seed};
    reader.setup.terms.ko = GO_KO_SIMPLE;
    reader.setup.terms.komi = 0;
    reader.setup.black = reader.black.items;
    reader.setup.white = reader.white.items;
    reader.at += strcspn(reader.at, "(");
    if (!*reader.at)
        return wrong_at(&reader, *text, "there is no game: one begins with (");
    kifu_result result = read_main_line(&reader);
    if (!result)
        result = end_game(&reader);
    if (!result)
        *text = reader.at;
    return result;
}

bool sgf_has_more(const char *text)
{
    return strchr(text, '(') != NULL;
}
