// Text, piece by piece: strings and names as JSON has them, or for people.

#include "text/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void flush(kifu__printer *printer)
{
    if (printer->used && !printer->result)
        printer->result = printer->write(printer->context, printer->gathered, printer->used);
    printer->used = 0;
}

void kifu__print_bytes(kifu__printer *printer, const char *bytes, size_t size)
{
    while (size && !printer->result) {
        const size_t room = sizeof printer->gathered - printer->used;
        const size_t now = size < room ? size : room;
        memcpy(printer->gathered + printer->used, bytes, now);
        printer->used += now;
        bytes += now;
        size -= now;
        if (now == room)
            flush(printer);
    }
}

void kifu__print(kifu__printer *printer, const char *text)
{
    kifu__print_bytes(printer, text, strlen(text));
}

void kifu__print_format(kifu__printer *printer, const char *format, ...)
{
    char text[201];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    kifu__print(printer, text);
}

kifu_result kifu__print_end(kifu__printer *printer)
{
    flush(printer);
    return printer->result;
}

// --- Strings ---------------------------------------------------------------------------------------------------------

size_t kifu__character(const unsigned char *at, const unsigned char *end)
{
    // The first byte, how many follow, and the least and the most that the second may be.
    static const struct {
        unsigned char first, last, more, low, high;
    } kinds[] = {{0x01, 0x7f, 0, 0, 0},       {0xc2, 0xdf, 1, 0x80, 0xbf}, {0xe0, 0xe0, 2, 0xa0, 0xbf},
                 {0xe1, 0xec, 2, 0x80, 0xbf}, {0xed, 0xed, 2, 0x80, 0x9f}, {0xee, 0xef, 2, 0x80, 0xbf},
                 {0xf0, 0xf0, 3, 0x90, 0xbf}, {0xf1, 0xf3, 3, 0x80, 0xbf}, {0xf4, 0xf4, 3, 0x80, 0x8f}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (*at < kinds[i].first || *at > kinds[i].last)
            continue;
        const size_t more = kinds[i].more;
        if ((size_t)(end - at) <= more || (more && (at[1] < kinds[i].low || at[1] > kinds[i].high)))
            return 0;
        for (size_t j = 2; j <= more; j++) {
            if (at[j] < 0x80 || at[j] > 0xbf)
                return 0;
        }
        return more + 1;
    }
    return 0;
}

static bool is_text(const unsigned char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        const size_t length = kifu__character(bytes + at, bytes + size);
        if (!length)
            return false;
        at += length;
    }
    return true;
}

bool kifu__is_control(const unsigned char *at, size_t length)
{
    if (length == 1)
        return *at < 0x20 || *at == 0x7f;
    if (length == 2)
        return (at[0] == 0xc2 && at[1] < 0xa0) || (at[0] == 0xd8 && at[1] == 0x9c); // U+0080 to U+009F; U+061C
    if (length != 3 || at[0] != 0xe2)
        return false;
    if (at[1] == 0x81)
        return at[2] >= 0xa6 && at[2] <= 0xa9;                                                      // U+2066 to U+2069
    return at[1] == 0x80 && ((at[2] >= 0x8e && at[2] <= 0x8f) || (at[2] >= 0xa8 && at[2] <= 0xae)); // U+200E to U+202E
}

// The character of `length` bytes, or a byte that is no text; then it is an escape which only people read.
static void print_escape(kifu__printer *printer, const unsigned char *at, size_t length)
{
    static const char known[] = "\n\t\"\\", letters[] = "nt\"\\";
    const char *const found = strchr(known, *at);
    if (length == 1 && found)
        kifu__print_format(printer, "\\%c", letters[found - known]);
    else
        kifu__print_format(printer, "\\u%04x",
                           length < 2    ? *at
                           : length == 2 ? (at[0] & 0x1fU) << 6 | (at[1] & 0x3fU)
                                         : (at[0] & 0x0fU) << 12 | (at[1] & 0x3fU) << 6 | (at[2] & 0x3fU));
}

// `quoted`: between quotes, so that those in it are escaped, too.
static void print_escaped(kifu__printer *printer, const unsigned char *bytes, size_t size, bool quoted)
{
    size_t plain = 0;
    for (size_t at = 0; at < size;) {
        const size_t length = kifu__character(bytes + at, bytes + size);
        if (length && (bytes[at] != '"' || !quoted) && bytes[at] != '\\' && !kifu__is_control(bytes + at, length)) {
            at += length;
            continue;
        }
        kifu__print_bytes(printer, (const char *)bytes + plain, at - plain);
        print_escape(printer, bytes + at, length);
        at += length ? length : 1;
        plain = at;
    }
    kifu__print_bytes(printer, (const char *)bytes + plain, size - plain);
}

void kifu__print_base64(kifu__printer *printer, const void *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *at = (const unsigned char *)bytes;
    kifu__print(printer, "\"");
    for (; size; at += 3) {
        const size_t now = size < 3 ? size : 3;
        const unsigned bits = (unsigned)at[0] << 16 | (now > 1 ? (unsigned)at[1] << 8 : 0) | (now > 2 ? at[2] : 0);
        const char four[4] = {digits[bits >> 18], digits[bits >> 12 & 63], now > 1 ? digits[bits >> 6 & 63] : '=',
                              now > 2 ? digits[bits & 63] : '='};
        kifu__print_bytes(printer, four, sizeof four);
        size -= now;
    }
    kifu__print(printer, "\"");
}

void kifu__print_string(kifu__printer *printer, const void *bytes, size_t size)
{
    if (!printer->plain && !is_text((const unsigned char *)bytes, size)) {
        kifu__print(printer, "{\"base64\": ");
        kifu__print_base64(printer, bytes, size);
        kifu__print(printer, "}");
        return;
    }
    kifu__print(printer, "\"");
    print_escaped(printer, (const unsigned char *)bytes, size, true);
    kifu__print(printer, "\"");
}

void kifu__print_name(kifu__printer *printer, const char *name)
{
    if (printer->plain)
        print_escaped(printer, (const unsigned char *)name, strlen(name), false);
    else
        kifu__print_string(printer, name, strlen(name));
}

void kifu__print_key(kifu__printer *printer, const char *name, bool *first)
{
    if (!*first)
        kifu__print(printer, ", ");
    *first = false;
    kifu__print_name(printer, name);
    kifu__print(printer, printer->plain ? " " : ": ");
}
