// The moves of PGN, with variations, comments and glyphs. The variations that are open are in memory of their own: they
// nest as deep as they like.

#include <stdlib.h>
#include <string.h>

#include "pgn_reader.h"
#include "remarks.h"
#include "san.h"

// --- Comments and glyphs ---------------------------------------------------------------------------------------------

// To what is there already, from the same move in another variation, it is added.
static bool add_note(reader *reader, uint32_t event, const char *key, text *note, const char *joint)
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
    if (reader->commented && !add_note(reader, event, comment_key, &reader->comments, "\n"))
        return false;
    if (reader->glyphs.length && !add_note(reader, event, glyph_key, &reader->glyphs, " "))
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

static bool go_to_top(reader *reader)
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
                          "a glyph is one of ! ? !! ?? !? ?! and the numbers from $0 to $255");
    if (reader_top(reader)->variation != KIFU_NONE) {
        if (!add_what_was_read(reader) || !go_to_top(reader))
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
    if (reader_top(reader)->last == KIFU_NONE)
        return scan_wrong(&reader->scan, reader_top(reader)->opened, "this variation has no move");
    if (!add_what_was_read(reader))
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
    return length == 2 && (!memcmp(word, "--", 2) || !memcmp(word, "Z0", 2) || !memcmp(word, "<>", 2));
}

static bool read_move(reader *reader, size_t length)
{
    scan *scan = &reader->scan;
    size_t glyphs = 0;
    while (glyphs < length && strchr("!?", scan->at[length - glyphs - 1]))
        glyphs++;
    if (glyphs == length)
        return read_glyph(reader, length);
    if (!add_what_was_read(reader) || !go_to_top(reader))
        return false;
    const chess_state *state = chess_get_state(reader->timeline);
    const unsigned number = state->position.clocks.half_moves / 2u + 1;
    const char *dots = position_to_move(&state->position) == CHESS_SIDE_WHITE ? "." : "...";
    const int shown = length < 20 ? (int)length : 20;
    chess_move move;
    fault fault;
    if (state->game.phase != KIFU_PHASE_PLAY)
        return scan_wrong(scan, scan->at, "move %u%s %.*s: the game is over: %s", number, dots, shown, scan->at,
                          chess_end_in_words(state));
    if (is_null_move(scan->at, length))
        return scan_wrong(scan, scan->at, "move %u%s %.*s: this is a null move, a pass; chess has none", number, dots,
                          shown, scan->at);
    if (!san_read(&state->position, scan->at, length - glyphs, &move, &fault))
        return scan_wrong(scan, scan->at + fault.column - 1, "move %u%s %.*s: %s", number, dots, shown, scan->at,
                          fault.message);
    if (!play(reader, move))
        return false;
    scan->at += length - glyphs;
    return !glyphs || read_glyph(reader, glyphs);
}

// --- Words -----------------------------------------------------------------------------------------------------------

// "12." or "12...", which says nothing new.
static size_t number_length(const char *at)
{
    const size_t digits = strspn(at, "0123456789");
    const size_t dots = strspn(at + digits, ".");
    return dots || !at[digits] || strchr(" \t\r\n\v\f", at[digits]) ? digits + dots : 0;
}

// The result that stands here, or NULL.
static const char *find_result(const reader *reader, size_t length)
{
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2", "*"};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        if (strlen(results[i]) == length && !memcmp(results[i], reader->scan.at, length))
            return results[i];
    }
    return NULL;
}

// Of the game. Some programs write one at the end of a variation, too: that is a comment.
static bool read_result(reader *reader, const char *result)
{
    if (reader->depth == 1) {
        reader->result = result;
        return true;
    }
    reader->scan.at += strlen(result);
    return keep_comment(reader, result);
}

static bool miss_end(const reader *reader)
{
    if (reader->depth > 1)
        return scan_wrong(&reader->scan, reader_top(reader)->opened, "this variation is not closed by )");
    return scan_wrong(&reader->scan, reader->scan.at,
                      "the game has no result: 1-0, 0-1, 1/2-1/2 or * comes behind its moves");
}

bool reader_next(reader *reader)
{
    scan *scan = &reader->scan;
    scan_space(scan);
    const size_t length = scan_word(scan), number = number_length(scan->at);
    switch (*scan->at) {
    case '\0':
    case '[':
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
    scan->at += number;
    if (number)
        return true;
    const char *result = find_result(reader, length);
    if (result)
        return read_result(reader, result);
    return length ? read_move(reader, length)
                  : scan_wrong(scan, scan->at, "here comes a move, a comment, a variation or the result");
}

bool reader_begin(reader *reader)
{
    return push(reader, (level){.place = kifu_event_count(reader->timeline)});
}

bool reader_end(reader *reader)
{
    return reader->depth > 1 ? miss_end(reader) : add_what_was_read(reader) && go_to_top(reader);
}
