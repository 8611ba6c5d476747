/// How PGN is read: what stands between its words, comments, and where in the text something is wrong.
#ifndef PGN_SCAN_H
#define PGN_SCAN_H

#include "fault.h"
#include "text.h"

typedef struct scan {
    const char *begin, *at;
    fault *fault;
} scan;

/// Says what is wrong at a place of the text; returns false.
bool scan_wrong(const scan *scan, const char *at, const char *format, ...);

/// Moves past space, and lines that begin with %.
void scan_space(scan *scan);

/// How many characters the word has: up to a space, a bracket, a comment, or a glyph.
size_t scan_word(const scan *scan);

/// Reads a comment in braces, or one that ends with its line. A line break in it becomes a space.
bool scan_comment(scan *scan, text *comment);

/// Reads a text in quotation marks, in one line.
bool scan_quoted(scan *scan, text *quoted);

/// PGN is older than UTF-8: what is none is taken for Latin-1, and made UTF-8.
void scan_make_utf8(text *text);

#endif
