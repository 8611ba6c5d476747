#include "pgn_games.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "pgn_scan.h"
#include "san.h"

// --- Where games end -------------------------------------------------------------------------------------------------

static bool begins_line(const char *begin, const char *at)
{
    while (at > begin && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at == begin || at[-1] == '\n' || at[-1] == '\r';
}

static bool is_tag(const char *at)
{
    at += 1 + strspn(at + 1, " \t");
    return isalpha((unsigned char)*at);
}

static bool is_event(const char *at)
{
    at += 1 + strspn(at + 1, " \t");
    return !strncmp(at, "Event", 5) && (at[5] == ' ' || at[5] == '\t' || at[5] == '"');
}

static bool behind_empty_line(const char *begin, const char *at)
{
    if (at == begin || *--at != '\n')
        return false;
    at -= at > begin && at[-1] == '\r';
    return at > begin && at[-1] == '\n';
}

// Behind a comment in braces. One that nobody has closed ends where the next game begins.
static const char *skip_comment(const char *begin, const char *at)
{
    for (at++; *at && *at != '}'; at++) {
        if (*at == '[' && is_event(at) && behind_empty_line(begin, at))
            return at;
    }
    return *at ? at + 1 : at;
}

// Behind a tag, in which there may be any sign. What is no tag ends with its line.
static const char *skip_tag(const char *at)
{
    scan scan = {.begin = at, .at = at + strcspn(at, "\"\r\n]")};
    text ignored = {0};
    const bool quoted = *scan.at == '"' && scan_quoted(&scan, &ignored);
    text_free(&ignored);
    scan.at += quoted ? strspn(scan.at, " \t") : strcspn(scan.at, "\r\n");
    return scan.at + (*scan.at == ']');
}

const char *pgn_end(const char *text)
{
    bool moves = false, event = false;
    size_t depth = 0, length;
    for (const char *at = text; *at;) {
        switch (*at) {
        case '%':
            at += at == text || at[-1] == '\n' ? strcspn(at, "\n") : 1;
            break;
        case ';':
            at += strcspn(at, "\r\n");
            break;
        case '{':
            at = skip_comment(text, at);
            if (*at == '[')
                return at;
            break;
        case '[':
            if (is_tag(at) && begins_line(text, at) && (moves || (event && is_event(at))))
                return at;
            event |= is_event(at);
            at = moves ? at + 1 : skip_tag(at);
            break;
        case '(':
        case ')':
            depth += *at == '(';
            depth -= *at == ')' && depth;
            moves = true;
            at++;
            break;
        case ' ':
        case '\t':
        case '\n':
        case '\r':
        case '\v':
        case '\f':
        case '.':
        case '}':
        case ']':
            at++;
            break;
        case '$':
            at += 1 + strspn(at + 1, "0123456789");
            break;
        default:
            length = scan_length(at);
            moves |= strncmp(at, scan_mark, length) != 0;
            at += length;
            if (!depth && pgn_result(at - length, length))
                return at;
        }
    }
    return text + strlen(text);
}

bool pgn_has_more(const char *text)
{
    scan scan = {.begin = text, .at = text};
    scan_space(&scan);
    return *scan.at != '\0';
}

// --- What is said of them --------------------------------------------------------------------------------------------

const char *pgn_result(const char *word, size_t length)
{
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2", "*", "1/2"};
    char plain[SAN_PLAIN];
    if (!strchr("*01\xc2", *word) || !san_plain(word, length, plain))
        return NULL;
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        if (!strcmp(results[i], plain))
            return results[i == 4 ? 2 : i];
    }
    return NULL;
}

void pgn_look(const char *text, const char *name, char *value, size_t room)
{
    scan scan = {.begin = text, .at = text};
    struct text read = {0};
    *value = '\0';
    for (scan_space(&scan); *scan.at && strchr("[{;", *scan.at); scan_space(&scan)) {
        const char *at = scan.at + 1 + strspn(scan.at + 1, " \t");
        const size_t length = strlen(name);
        if (*scan.at == '{') {
            scan.at = skip_comment(text, scan.at);
        } else if (*scan.at == ';') {
            scan.at += strcspn(scan.at, "\r\n");
        } else if (!strncmp(at, name, length) && strchr(" \t\"", at[length]) && at[length]) {
            scan.at = at + length + strspn(at + length, " \t");
            if (*scan.at == '"' && scan_quoted(&scan, &read)) {
                scan_make_utf8(&read);
                snprintf(value, room, "%s", read.length ? read.bytes : "");
            }
            break;
        } else {
            scan.at = skip_tag(scan.at);
        }
    }
    text_free(&read);
}
