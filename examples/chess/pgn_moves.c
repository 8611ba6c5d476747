// The moves of PGN, with variations, comments and glyphs. The variations that are open are in memory of their own: they
// nest as deep as they like.

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pgn_reader.h"
#include "remarks.h"
#include "san.h"

// --- Comments and glyphs ---------------------------------------------------------------------------------------------

// To what is there already, from the same move in another variation, it is added.
bool reader_add_note(reader *reader, uint32_t event, const char *key, const text *note, const char *joint)
{
    const char *there = kifu_note_at(reader->timeline, event, key);
    text all = {0};
    if (there && note->length && !strcmp(there, note->bytes))
        return true;
    if (there) {
        text_put(&all, there);
        text_put(&all, joint);
    }
    text_put(&all, note->length ? note->bytes : "");
    const bool good = reader_has_memory(reader, !note->failed && !all.failed) &&
                      reader_well(reader, kifu_set_note(reader->timeline, event, key, all.bytes));
    text_free(&all);
    return good;
}

static bool add_notes(reader *reader, uint32_t event, const char *comment_key, const char *glyph_key)
{
    if (reader->commented && !reader_add_note(reader, event, comment_key, &reader->comments, "\n"))
        return false;
    if (reader->glyphs.length && !reader_add_note(reader, event, glyph_key, &reader->glyphs, " "))
        return false;
    text_cut(&reader->comments, 0);
    text_cut(&reader->glyphs, 0);
    reader->commented = false;
    return true;
}

// What was read belongs to what stands before it. Where that is no move yet, it waits for one.
static bool add_what_was_read(reader *reader)
{
    const level *level = reader_top(reader);
    if (level->variation != KIFU_NONE)
        return add_notes(reader, level->variation, REMARK_BEHIND, REMARK_GLYPH);
    if (level->last != KIFU_NONE)
        return add_notes(reader, level->last, REMARK_COMMENT, REMARK_GLYPH);
    return reader->depth > 1 || add_notes(reader, reader->set_up, REMARK_COMMENT, REMARK_GLYPH);
}

static bool keep_comment(reader *reader, const char *words)
{
    text_put(&reader->comments, reader->commented ? "\n" : "");
    text_put(&reader->comments, words);
    reader->commented = true;
    return reader_has_memory(reader, !reader->comments.failed);
}

bool reader_comment(reader *reader)
{
    text_cut(&reader->word, 0);
    if (!scan_comment(&reader->scan, &reader->word))
        return false;
    scan_make_utf8(&reader->word);
    return reader_has_memory(reader, !reader->word.failed) &&
           keep_comment(reader, reader->word.length ? reader->word.bytes : "");
}

bool reader_go_on(reader *reader)
{
    return reader_well(reader, kifu_go_to(reader->timeline, reader_top(reader)->line, reader_top(reader)->place, true));
}

// A glyph belongs to the last move, also behind variations.
static bool read_glyph(reader *reader, size_t length)
{
    const int glyph = glyph_read(reader->scan.at, length);
    char word[GLYPH_LENGTH];
    if (glyph < 0)
        return scan_wrong(&reader->scan, reader->scan.at,
                          "a glyph is one of ! ? !! ?? !? ?!, the numbers from $0 to $255, and signs such as +-");
    if (reader_top(reader)->variation != KIFU_NONE) {
        if (!add_what_was_read(reader) || !reader_go_on(reader))
            return false;
        reader_top(reader)->variation = KIFU_NONE;
    }
    glyph_write(glyph, word);
    text_put(&reader->glyphs, reader->glyphs.length ? " " : "");
    text_put(&reader->glyphs, word);
    reader->scan.at += length;
    return reader_has_memory(reader, !reader->glyphs.failed);
}

// --- Moves and variations --------------------------------------------------------------------------------------------

static bool push(reader *reader, level level)
{
    if (reader->depth == reader->room) {
        reader->room = 2 * reader->room + 16;
        struct level *levels = realloc(reader->levels, reader->room * sizeof *levels);
        if (!reader_has_memory(reader, levels != NULL))
            return false;
        reader->levels = levels;
    }
    level.opened = reader->scan.at;
    level.first = level.last = level.variation = KIFU_NONE;
    reader->levels[reader->depth++] = level;
    return true;
}

static bool begin_variation(reader *reader)
{
    const level *level = reader_top(reader);
    if (level->last == KIFU_NONE)
        return scan_wrong(&reader->scan, reader->scan.at, "a variation stands behind the move that it replaces");
    if (!add_what_was_read(reader) || !push(reader, (struct level){.line = level->line, .place = level->before}))
        return false;
    reader->scan.at++;
    return true;
}

static bool end_variation(reader *reader)
{
    if (reader->depth == 1)
        return scan_wrong(&reader->scan, reader->scan.at, "here comes ), and no variation is open");
    if (reader_top(reader)->last == KIFU_NONE && !reader_top(reader)->left)
        return scan_wrong(&reader->scan, reader_top(reader)->opened, "this variation has no move");
    if (reader_top(reader)->last != KIFU_NONE && !add_what_was_read(reader))
        return false;
    const uint32_t first = reader_top(reader)->first;
    reader->depth--;
    reader_top(reader)->variation = first;
    reader->scan.at++;
    return true;
}

static bool play(reader *reader, chess_move move)
{
    level *level = reader_top(reader);
    const bool waits = level->last == KIFU_NONE && reader->depth > 1;
    const int player = kifu_current_player(kifu_get_game(reader->timeline));
    if (!reader_well(reader, chess_play_p_move(reader->timeline, player, move.from, move.to, move.promotion)))
        return false;
    level->before = level->last = level->place;
    level->first = level->first == KIFU_NONE ? level->last : level->first;
    level->line = kifu_current_line(reader->timeline);
    level->place = kifu_event_count(reader->timeline);
    level->variation = KIFU_NONE;
    return !waits || add_notes(reader, level->last, REMARK_BEFORE, REMARK_GLYPH_BEFORE);
}

static bool is_null_move(const char *word, size_t length)
{
    static const char *const null_moves[] = {"--", "Z0", "<>", "null", "pass", "@@@@"};
    char plain[SAN_PLAIN];
    if (!san_plain(word, length, plain))
        return false;
    for (size_t i = 0; i < sizeof null_moves / sizeof *null_moves; i++) {
        if (!strcmp(null_moves[i], plain))
            return true;
    }
    return false;
}

// "12. Nf3" or "12... Nf6".
static void name_move(const chess_state *state, const char *word, size_t length, char *name, size_t room)
{
    const bool white = position_to_move(&state->position) == CHESS_SIDE_WHITE;
    snprintf(name, room, "move %u%s %.*s", state->position.clocks.half_moves / 2u + 1, white ? "." : "...",
             length < 20 ? (int)length : 20, word);
}

// What is no legal move ends what can be read of the variation, or of the game. With nothing before it, there is none.
static bool leave_out(reader *reader, size_t length, const fault *fault)
{
    const chess_state *state = chess_get_state(reader->timeline);
    const char *at = reader->scan.at, *rest = reader->number_at ? reader->number_at : at;
    const bool null_move = is_null_move(at, length), over = state->game.phase != KIFU_PHASE_PLAY;
    char name[60];
    name_move(state, at, length, name, sizeof name);
    const bool first = reader->depth == 1 && reader_top(reader)->last == KIFU_NONE && !null_move && !over;
    if (first || strspn(at, "0123456789") >= length)
        return scan_wrong(&reader->scan, at + (fault->column ? fault->column - 1 : 0), "%s: %s", name,
                          over ? "this is no move" : fault->message);
    if (over)
        reader_leave(reader, at, "%s and what follows were left out: the game is over: %s", name,
                     chess_end_in_words(state));
    else if (null_move)
        reader_leave(reader, at, "%s and what follows were left out: a null move, a pass; chess has none", name);
    else
        reader_leave(reader, at, "%s and what follows were left out: %s", name, fault->message);
    return reader_keep_rest(reader, rest);
}

// A word is a move, what ChessBase glues to its end, and glyphs. How long the move is; 0: it is none.
static size_t find_move(const reader *reader, size_t length, chess_move *move, fault *fault)
{
    const chess_position *position = &chess_get_state(reader->timeline)->position;
    const char *word = reader->scan.at;
    struct fault ignored;
    if (san_read(position, word, length, move, fault))
        return length;
    const size_t suffix = glyph_suffix(word, length);
    const size_t passing =
        length > 2 && !memcmp(word + length - 2, "ep", 2) ? 2 : length > 1 && word[length - 1] == 'e';
    if (suffix && san_read(position, word, length - suffix, move, &ignored)) {
        length -= suffix;
        while (strchr("!?", word[length - 1]))
            length--;
        return length;
    }
    return passing && san_read(position, word, length - passing, move, &ignored) ? length - passing : 0;
}

// "e.p.", "ep": the position says it.
static size_t passing_length(const char *at)
{
    static const char *const words[] = {"e.p.", "e.p", "ep"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i]);
        if (!strncmp(at, words[i], length) && !isalnum((unsigned char)at[length]))
            return length;
    }
    return 0;
}

// How long the next glyph of a word may be: "!+/=" has two.
static size_t glyph_length(const char *word, size_t left)
{
    size_t length = 0;
    while (length < left && !strchr("!?", word[length]) == !strchr("!?", word[0]))
        length++;
    return length;
}

static bool are_glyphs(const char *word, size_t length)
{
    for (const char *end = word + length; word < end; word += length) {
        length = glyph_length(word, (size_t)(end - word));
        if (glyph_read(word, length) < 0)
            return false;
    }
    return true;
}

// What is glued to a move: "!+/=", "e.p."
static bool read_tail(reader *reader, const char *end)
{
    scan *scan = &reader->scan;
    scan->at += passing_length(scan->at);
    while (scan->at < end) {
        if (!read_glyph(reader, glyph_length(scan->at, (size_t)(end - scan->at))))
            return false;
    }
    return true;
}

static bool read_move(reader *reader, size_t length)
{
    scan *scan = &reader->scan;
    size_t glyphs = 0;
    while (glyphs < length && strchr("!?", scan->at[length - glyphs - 1]))
        glyphs++;
    if (glyphs == length)
        return read_glyph(reader, length);
    if (!add_what_was_read(reader) || !reader_go_on(reader))
        return false;
    const chess_state *state = chess_get_state(reader->timeline);
    const char *end = scan->at + length;
    chess_move move;
    fault fault = {0};
    const size_t found = state->game.phase == KIFU_PHASE_PLAY ? find_move(reader, length - glyphs, &move, &fault) : 0;
    if (!found)
        return leave_out(reader, length, &fault);
    if (!play(reader, move))
        return false;
    scan->at += found;
    return read_tail(reader, end);
}

// A sign that is no move, and no glyph that is known: it is kept as a comment. "+" says what the position shows.
static bool read_sign(reader *reader, size_t length)
{
    const char *at = reader->scan.at;
    reader->scan.at += length;
    if (strspn(at, "+#") >= length)
        return true;
    text_cut(&reader->word, 0);
    text_add(&reader->word, at, length);
    scan_make_utf8(&reader->word);
    if (!reader_has_memory(reader, !reader->word.failed))
        return false;
    reader_leave(reader, at, "the sign %s is not known: it was made a comment", reader->word.bytes);
    return keep_comment(reader, reader->word.bytes);
}

static bool is_sign(const char *word, size_t length)
{
    if (strspn(word, "!?") >= length)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (isalnum((unsigned char)word[i]) || word[i] == '"' || word[i] == '%')
            return false;
    }
    return length && length < 40 && !is_null_move(word, length);
}

// --- Words -----------------------------------------------------------------------------------------------------------

// "12." or "12...", which says nothing new.
static size_t number_length(const char *at)
{
    const size_t digits = strspn(at, "0123456789");
    const size_t dots = strspn(at + digits, ".");
    return dots || !at[digits] || strchr(" \t\r\n\v\f", at[digits]) ? digits + dots : 0;
}

// Of the game. Some programs write one at the end of a variation, too: that is a comment.
static bool read_result(reader *reader, const char *result, size_t length)
{
    if (reader->depth == 1) {
        reader->result = result;
        reader->result_length = length;
        return true;
    }
    reader->scan.at += length;
    return keep_comment(reader, result);
}

// The text ends, or the tags of the next game begin.
static bool miss_end(reader *reader)
{
    if (reader->depth > 1)
        return scan_wrong(&reader->scan, reader_top(reader)->opened, "this variation is not closed by )");
    if (reader_top(reader)->last == KIFU_NONE && !reader->tagged)
        return scan_wrong(&reader->scan, reader->scan.at, "here is no game of PGN");
    reader->result = reader->tag_at ? pgn_result(reader->tag, strlen(reader->tag)) : NULL;
    reader->result = reader->result ? reader->result : "*";
    reader_leave(reader, reader->scan.at, "the moves have no result at their end: %s%s",
                 strcmp(reader->result, "*") ? "the tag says " : "it is not known",
                 strcmp(reader->result, "*") ? reader->result : "");
    return true;
}

bool reader_next(reader *reader)
{
    scan *scan = &reader->scan;
    scan_space(scan);
    const size_t length = scan_length(scan->at), number = number_length(scan->at), passing = passing_length(scan->at);
    const char *number_at = reader->number_at;
    reader->number_at = number ? scan->at : NULL;
    switch (*scan->at) {
    case '\0':
        return miss_end(reader);
    case '{':
    case ';':
        return reader_comment(reader);
    case '(':
        return begin_variation(reader);
    case ')':
        return end_variation(reader);
    case '$':
        return read_glyph(reader, 1 + strspn(scan->at + 1, "0123456789"));
    default:
        break;
    }
    scan->at += number ? number : passing;
    if (number || passing)
        return true;
    if (!length)
        return scan_wrong(scan, scan->at, "here comes a move, a comment, a variation or the result");
    const char *result = pgn_result(scan->at, length);
    if (result)
        return read_result(reader, result, length);
    if (are_glyphs(scan->at, length))
        return read_tail(reader, scan->at + length);
    if (is_sign(scan->at, length))
        return read_sign(reader, length);
    reader->number_at = number_at;
    const bool read = read_move(reader, length);
    reader->number_at = NULL;
    return read;
}

bool reader_begin(reader *reader)
{
    return push(reader, (level){.place = kifu_event_count(reader->timeline)});
}

bool reader_end(reader *reader)
{
    return reader->depth > 1 ? miss_end(reader) : add_what_was_read(reader) && reader_go_on(reader);
}
