/// How PGN is read: what stands between its words, comments, and where in the text something is wrong.
#ifndef PGN_SCAN_H
#define PGN_SCAN_H

#include <stdarg.h>

#include "fault.h"
#include "text.h"

typedef struct scan {
    const char *begin, *at;
    fault *fault;           // may be NULL while nothing can be wrong
    const char *line_begin; // of the line that was asked for last, or NULL,
    uint32_t line;          // and its number
} scan;

/// Says what is wrong at a place of the text; returns false.
bool scan_wrong(scan *scan, const char *at, const char *format, ...);

/// Says something of a place of the text.
void scan_say(scan *scan, fault *fault, const char *at, const char *format, va_list arguments);

/// Moves past space, and lines that begin with %.
void scan_space(scan *scan);

/// With it, some programs begin a text of UTF-8.
extern const char scan_mark[];

/// How many characters a word has: up to a space, a bracket, a comment, or a glyph.
size_t scan_length(const char *word);

/// Reads a comment in braces, or one that ends with its line. A line break in it becomes a space.
bool scan_comment(scan *scan, text *comment);

/// Reads a text in quotation marks, in one line.
bool scan_quoted(scan *scan, text *quoted);

/// PGN is older than UTF-8: what is none is taken for Latin-1, and made UTF-8.
void scan_make_utf8(text *text);

#endif
