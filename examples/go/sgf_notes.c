#include "sgf_notes.h"

#include <ctype.h>
#include <kifu/notes.h>
#include <stdlib.h>
#include <string.h>

#include "sgf_root.h"

// --- Glyphs and clocks -----------------------------------------------------------------------------------------------

// What is said of a move, and how chess players write it.
static const struct {
    const char *name, *value, *glyph;
} glyphs[] = {{"TE", "1", "!"},  {"TE", "2", "!!"}, {"BM", "1", "?"},
              {"BM", "2", "??"}, {"IT", "", "!?"},  {"DO", "", "?!"}};

enum { GLYPHS = sizeof glyphs / sizeof *glyphs };

static const char *clock_name(go_stone stone)
{
    return stone == GO_STONE_BLACK ? "BL" : stone == GO_STONE_WHITE ? "WL" : "";
}

// Seconds, as "1:30:05.5". False: they are not written as usual.
static bool print_clock(buffer *buffer, const char *seconds)
{
    char *end;
    const unsigned long whole = isdigit((unsigned char)*seconds) ? strtoul(seconds, &end, 10) : 0;
    if (!isdigit((unsigned char)*seconds) || (*seconds == '0' && end > seconds + 1) || whole > 999999)
        return false;
    if (*end == '.' ? !end[1] || end[1 + strspn(end + 1, "0123456789")] : *end)
        return false;
    buffer_print(buffer, "%lu:%02lu:%02lu%s", whole / 3600, whole / 60 % 60, whole % 60, end);
    return true;
}

// The other way round.
static bool print_seconds(buffer *buffer, const char *clock)
{
    unsigned long parts[3], whole = 0;
    for (int i = 0; i < 3; i++) {
        char *end;
        if (!isdigit((unsigned char)*clock) || (parts[i] = strtoul(clock, &end, 10)) > 9999)
            return false;
        whole = 60 * whole + parts[i];
        if (i < 2 && *end != ':')
            return false;
        clock = i < 2 ? end + 1 : end;
    }
    buffer_print(buffer, "%lu%s", whole, clock);
    return *clock == '\0' || (*clock == '.' && clock[1] && !clock[1 + strspn(clock + 1, "0123456789")]);
}

// --- From properties -------------------------------------------------------------------------------------------------

// The key of Kifu's own under which a property is kept, with its text. NULL: none.
static const char *own_key(const sgf_property *property, go_stone stone, buffer *text)
{
    const char *at = property->at, *name = property->name;
    const sgf_value value = sgf_next_value(&at);
    if (property->values > 1)
        return NULL;
    sgf_take_text(text, &value);
    if (!strcmp(name, "C") || !strcmp(name, "AN"))
        return *name == 'C' ? KIFU_NOTE_COMMENT : KIFU_NOTE_AUTHOR;
    buffer other = {0};
    const char *key = NULL;
    for (size_t i = 0; i < GLYPHS && text->text; i++) {
        if (strcmp(name, glyphs[i].name) || strcmp(text->text, glyphs[i].value))
            continue;
        key = KIFU_NOTE_GLYPH;
        buffer_print(&other, "%s", glyphs[i].glyph);
    }
    if (!strcmp(name, clock_name(stone)) && text->text && print_clock(&other, text->text))
        key = KIFU_NOTE_CLOCK;
    other.failed |= text->failed;
    free(text->text);
    *text = other;
    return key;
}

// All values, with their brackets.
static void take_values(buffer *text, const sgf_property *property)
{
    const char *at = property->at;
    for (uint32_t i = 0; i < property->values; i++) {
        const sgf_value value = sgf_next_value(&at);
        buffer_put(text, value.at - 1, value.length + 2);
    }
}

// "KIFU[key:text]": the key, and the text in `text`. NULL: it is none.
static char *foreign_key(const sgf_property *property, buffer *text)
{
    const char *at = property->at;
    sgf_value value = sgf_next_value(&at);
    if (strcmp(property->name, "KIFU") || property->values > 1)
        return NULL;
    buffer key = {0};
    size_t length = 0;
    while (length < value.length && value.at[length] != ':')
        length += value.at[length] == '\\' ? 2 : 1;
    if (!length || length >= value.length)
        return NULL;
    sgf_take_text(&key, &(sgf_value){value.at, length});
    sgf_take_text(text, &(sgf_value){value.at + length + 1, value.length - length - 1});
    text->failed |= key.failed;
    return key.text;
}

kifu_result sgf_note_take(kifu_timeline *timeline, uint32_t event, go_stone stone, const sgf_property *property)
{
    buffer text = {0};
    char *foreign = foreign_key(property, &text);
    const char *key = foreign ? foreign : own_key(property, stone, &text);
    if (!key || kifu_note_at(timeline, event, key)) { // A second one stays as it stands.
        const char *before = kifu_note_at(timeline, event, property->name);
        key = property->name;
        text.length = 0;
        if (before)
            buffer_put(&text, before, strlen(before));
        take_values(&text, property);
    }
    const kifu_result result = text.failed ? KIFU_NO_MEMORY : kifu_set_note(timeline, event, key, text.text);
    free(text.text);
    free(foreign);
    return result;
}

// --- To properties ---------------------------------------------------------------------------------------------------

// Whether a note is a property as it stands. The game itself has moves and stones.
static bool is_property(const kifu_note *note)
{
    static const char *const others[] = {"B", "W", "AB", "AW"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (!strcmp(note->key, others[i]))
            return false;
    }
    return strspn(note->key, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == strlen(note->key) && strlen(note->key) < SGF_NAME &&
           sgf_are_values(note->text);
}

static void put_foreign(buffer *buffer, const kifu_note *note)
{
    struct buffer text = {0};
    for (const char *at = note->key; *at; at++)
        buffer_print(&text, *at == ':' || *at == '\\' || *at == ']' ? "\\%c" : "%c", *at);
    buffer_print(buffer, "KIFU[");
    buffer_put(buffer, text.text ? text.text : "", text.length);
    text.length = 0;
    sgf_put_text(&text, note->text);
    if (text.length)
        *text.text = ':'; // in place of its bracket
    buffer_put(buffer, text.text ? text.text : "", text.length);
    buffer->failed |= text.failed;
    free(text.text);
}

static bool put_glyph(buffer *buffer, const char *glyph)
{
    for (size_t i = 0; i < GLYPHS; i++) {
        if (strcmp(glyph, glyphs[i].glyph))
            continue;
        buffer_print(buffer, "%s[%s]", glyphs[i].name, glyphs[i].value);
        return true;
    }
    return false;
}

static bool put_clock(buffer *buffer, const char *clock, go_stone stone)
{
    struct buffer seconds = {0};
    const bool good = stone && print_seconds(&seconds, clock) && seconds.text;
    if (good)
        buffer_print(buffer, "%s[%s]", clock_name(stone), seconds.text);
    buffer->failed |= seconds.failed;
    free(seconds.text);
    return good;
}

static void put_note(buffer *buffer, const kifu_note *note, go_stone stone)
{
    if (!strcmp(note->key, KIFU_NOTE_COMMENT) || !strcmp(note->key, KIFU_NOTE_AUTHOR)) {
        buffer_print(buffer, *note->key == 'c' ? "C" : "AN");
        sgf_put_text(buffer, note->text);
    } else if (is_property(note))
        buffer_print(buffer, "%s", note->key), buffer_put(buffer, note->text, note->size);
    else if (!(!strcmp(note->key, KIFU_NOTE_GLYPH) && put_glyph(buffer, note->text)) &&
             !(!strcmp(note->key, KIFU_NOTE_CLOCK) && put_clock(buffer, note->text, stone)))
        put_foreign(buffer, note);
}

// The next note with a text at an event of a line. `*note` begins as `notes_of` says.
static bool next_of(const kifu_timeline *timeline, uint32_t line, uint32_t event, kifu_note *note)
{
    while (kifu_next_note(timeline, note) && note->line == line && note->event == event) {
        if (note->text)
            return true;
    }
    return false;
}

static bool has_own_key(const kifu_note *note)
{
    return !strcmp(note->key, KIFU_NOTE_COMMENT) || !strcmp(note->key, KIFU_NOTE_AUTHOR) ||
           !strcmp(note->key, KIFU_NOTE_GLYPH) || !strcmp(note->key, KIFU_NOTE_CLOCK);
}

// Those with Kifu's own keys come first. If a node has two of a kind, so the first one is read as before.
void sgf_notes_put(buffer *buffer, const kifu_timeline *timeline, uint32_t line, uint32_t event, go_stone stone,
                   bool root)
{
    for (int own = 1; own >= 0; own--) {
        for (kifu_note note = {.line = line, .event = event, .key = ""}; next_of(timeline, line, event, &note);) {
            if (has_own_key(&note) == own && (!root || sgf_root_part(note.key) == SGF_NOTE))
                put_note(buffer, &note, stone);
        }
    }
}

bool sgf_has_notes(const kifu_timeline *timeline, uint32_t line, uint32_t event)
{
    kifu_note note = {.line = line, .event = event, .key = ""};
    return next_of(timeline, line, event, &note);
}
