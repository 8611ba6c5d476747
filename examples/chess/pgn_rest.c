// What follows in a text and is no chess: it is kept as it stands, with one space between its words, and written again.
// "A variation" that cannot be played at all belongs to the move before the one that it would replace.

#include <string.h>

#include "pgn_reader.h"
#include "remarks.h"

// A comment: one that ends with its line has a sign of its own at its end, since the rest is one line.
static bool add_comment(reader *reader, text *rest)
{
    text_cut(&reader->word, 0);
    if (!scan_comment(&reader->scan, &reader->word))
        return false;
    scan_make_utf8(&reader->word);
    const char *words = reader->word.length ? reader->word.bytes : "";
    const bool braces = !strchr(words, '}');
    text_put(rest, braces ? "{" : ";");
    text_put(rest, words);
    text_put(rest, braces ? "}" : "\v");
    return true;
}

static void add_word(reader *reader, text *rest, size_t length)
{
    text_cut(&reader->word, 0);
    text_add(&reader->word, reader->scan.at, length);
    scan_make_utf8(&reader->word);
    text_put(rest, reader->word.length ? reader->word.bytes : "");
    reader->scan.at += length;
}

// Up to the bracket that closes the variation, or to the result. Brackets inside have to be closed.
static bool copy_rest(reader *reader, text *rest)
{
    scan *scan = &reader->scan;
    const char *opened = scan->at; // the bracket that was opened last
    uint32_t depth = 0;
    bool glued = true;
    for (; scan_space(scan), *scan->at; glued = rest->bytes && rest->bytes[rest->length - 1] == '(') {
        const char first = *scan->at;
        const size_t length = scan_length(scan->at);
        if (!depth && (first == ')' || (reader->depth == 1 && length && pgn_result(scan->at, length))))
            return true;
        text_put(rest, glued || first == ')' ? "" : " ");
        opened = first == '(' ? scan->at : opened;
        depth += first == '(';
        depth -= first == ')';
        if (first == '{' || first == ';') {
            if (!add_comment(reader, rest))
                return false;
        } else if (strchr("[]}%", first)) { // it would be something else at the beginning of a line
            return scan_wrong(scan, scan->at, "here comes a move, a comment, a variation or the result");
        } else if (first == '$') {
            add_word(reader, rest, 1 + strspn(scan->at + 1, "0123456789"));
        } else {
            add_word(reader, rest, length + strspn(scan->at + length, ".") + !(length + strspn(scan->at, ".")));
        }
    }
    return !depth || scan_wrong(scan, opened, "this variation is not closed by )");
}

bool reader_keep_rest(reader *reader, const char *at)
{
    level *level = reader_top(reader);
    const bool whole = level->last == KIFU_NONE && reader->depth > 1; // a variation without a move
    text rest = {0};
    if (whole) {
        text_cut(&reader->comments, 0);
        text_cut(&reader->glyphs, 0);
        reader->commented = false;
        at = level->opened + 1;
    }
    reader->scan.at = at;
    reader->number_at = NULL;
    level->left = true;
    const uint32_t event = level->last == KIFU_NONE ? (whole ? level->place - 1 : reader->set_up) : level->last;
    const bool good = copy_rest(reader, &rest) && reader_has_memory(reader, !rest.failed && !reader->word.failed) &&
                      reader_go_on(reader) && reader_add_note(reader, event, REMARK_REST, &rest, "\n");
    text_free(&rest);
    return good;
}
