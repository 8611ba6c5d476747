#include "pgn_scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Places come in the order of the text, mostly: its lines are counted once.
void scan_say(scan *scan, fault *fault, const char *at, const char *format, va_list arguments)
{
    char message[sizeof fault->message];
    if (!scan->line_begin || at < scan->line_begin) {
        scan->line_begin = scan->begin;
        scan->line = 1;
    }
    for (const char *c = scan->line_begin; (c = memchr(c, '\n', (size_t)(at - c))) != NULL; scan->line++)
        scan->line_begin = ++c;
    vsnprintf(message, sizeof message, format, arguments);
    fault_say(fault, scan->line, (uint32_t)(at - scan->line_begin) + 1, "%s", message);
}

bool scan_wrong(scan *scan, const char *at, const char *format, ...)
{
    va_list arguments;
    if (!scan->fault)
        return false;
    va_start(arguments, format);
    scan_say(scan, scan->fault, at, format, arguments);
    va_end(arguments);
    return false;
}

const char scan_mark[] = "\xef\xbb\xbf";

// Some programs begin a file with the mark of UTF-8.
void scan_space(scan *scan)
{
    for (;;) {
        if (*scan->at == '%' && (scan->at == scan->begin || scan->at[-1] == '\n'))
            scan->at += strcspn(scan->at, "\n");
        if (*scan->at && strchr(" \t\n\r\v\f", *scan->at))
            scan->at++;
        else if (!strncmp(scan->at, scan_mark, strlen(scan_mark)))
            scan->at += strlen(scan_mark);
        else
            return;
    }
}

size_t scan_length(const char *word)
{
    static const bool ends[256] = {
        ['\0'] = true, [' '] = true, ['\t'] = true, ['\r'] = true, ['\n'] = true, ['\v'] = true,
        ['\f'] = true, ['.'] = true, ['{'] = true,  ['}'] = true,  ['('] = true,  [')'] = true,
        [';'] = true,  ['$'] = true, ['['] = true,  [']'] = true,
    };
    size_t length = 0;
    while (!ends[(unsigned char)word[length]])
        length++;
    return length;
}

bool scan_comment(scan *scan, text *comment)
{
    const char *begin = scan->at++;
    const char *end = *begin == '{' ? strchr(scan->at, '}') : scan->at + strcspn(scan->at, "\r\n");
    if (!end)
        return scan_wrong(scan, begin, "this comment is not closed by }");
    for (const char *part = scan->at; part <= end; part++) {
        const char *part_end = part;
        while (part_end < end && *part_end != '\r' && *part_end != '\n')
            part_end++;
        text_add(comment, part, (size_t)(part_end - part));
        if (part_end == end)
            break;
        text_put(comment, " ");
        part = part_end + (part_end[0] == '\r' && part_end[1] == '\n');
    }
    scan->at = end + (*end == '}' && *begin == '{');
    return true;
}

// Some programs forget the \ of a quotation mark inside: then no bracket follows it, and another one does.
static bool is_last_mark(const char *at)
{
    if (*at != '"') // There may be nothing behind it.
        return false;
    const char *next = at + 1 + strspn(at + 1, " \t");
    return *next == ']' || next[strcspn(next, "\"\n")] != '"';
}

bool scan_quoted(scan *scan, text *quoted)
{
    const char *begin = scan->at++;
    for (; !is_last_mark(scan->at); scan->at++) {
        scan->at += *scan->at == '\\' && (scan->at[1] == '"' || scan->at[1] == '\\');
        if (!*scan->at || *scan->at == '\n')
            return scan_wrong(scan, begin, "this tag's quotation mark is not closed in its line");
        text_add(quoted, scan->at, 1);
    }
    scan->at++;
    return true;
}

// How many bytes the character has; 0: this is no UTF-8.
static size_t character_length(const unsigned char *c)
{
    const size_t length = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : c[0] < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < length; i++) {
        if (c[i] < 0x80 || c[i] > 0xbf)
            return 0;
    }
    const bool bad = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf0 && c[1] < 0x90) ||
                     (c[0] == 0xf4 && c[1] > 0x8f); // too long for what it says, or beyond what there is
    return bad ? 0 : length;
}

static bool is_utf8(const text *text)
{
    for (const unsigned char *c = (const unsigned char *)text->bytes; *c;) {
        const size_t length = character_length(c);
        if (!length)
            return false;
        c += length;
    }
    return true;
}

void scan_make_utf8(text *text)
{
    struct text made = {0};
    if (!text->length || text->failed || is_utf8(text))
        return;
    for (const char *c = text->bytes; *c; c++) {
        const unsigned char byte = (unsigned char)*c;
        const char two[] = {(char)(0xc0 | byte >> 6), (char)(0x80 | (byte & 0x3f))};
        text_add(&made, byte < 0x80 ? c : two, byte < 0x80 ? 1 : 2);
    }
    text_free(text);
    *text = made;
}
