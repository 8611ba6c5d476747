// The log, executed again from a save: what everything else is measured by.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static void report(fuzz *fuzz, const char *kind, const char *format, va_list arguments)
{
    fuzz->progress->failure = kind;
    vsnprintf(fuzz->progress->report, sizeof fuzz->progress->report, format, arguments);
}

_Noreturn void kifu_fuzz__fail(fuzz *fuzz, const char *kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(fuzz, kind, format, arguments);
    va_end(arguments);
    kifu_fuzz__end(fuzz);
}

_Noreturn void kifu_fuzz__explain(fuzz *fuzz, const char *kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(fuzz, kind, format, arguments);
    va_end(arguments);
    char text[600] = "";
    unsigned char *bytes;
    size_t size;
    kifu_timeline *timeline = fuzz->table.timeline;
    if (kifu_save_to_memory(timeline, NULL, &bytes, &size) == KIFU_OK) {
        kifu_error error;
        kifu_options options = kifu_fuzz__options(fuzz);
        kifu_timeline *again;
        if (kifu_load_from_memory(fuzz->rules, bytes, size, &options, NULL, &again, &error)) {
            snprintf(text, sizeof text, "; saved and loaded: %s", error.message);
        } else if (kifu_fuzz__state(fuzz, timeline) == kifu_fuzz__state(fuzz, again)) {
            snprintf(text, sizeof text, "; executed again, the log leads to the same state as now");
        } else {
            char field[300];
            kifu_fuzz__difference(fuzz->rules, kifu_state(timeline), kifu_state(again), field, sizeof field);
            snprintf(text, sizeof text, "; against the log executed again: %s", field);
        }
    }
    char *end = fuzz->progress->report + strlen(fuzz->progress->report);
    snprintf(end, sizeof fuzz->progress->report - (size_t)(end - fuzz->progress->report), "%s", text);
    kifu_fuzz__end(fuzz);
}

void kifu_fuzz__execute_again(fuzz *fuzz, const char *what, bool fast, bool keep)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    unsigned char *bytes;
    size_t size;
    if (kifu_save_to_memory(timeline, NULL, &bytes, &size))
        kifu_fuzz__fail(fuzz, "it could not be saved", "%s: %s", what, kifu_last_error(timeline)->message);
    fuzz_table loaded = {.options = kifu_fuzz__options(fuzz)};
    const kifu_load_options load_options = {.fast = fast};
    kifu_error error;
    if (kifu_load_from_memory(fuzz->rules, bytes, size, &loaded.options, &load_options, &loaded.timeline, &error))
        kifu_fuzz__fail(fuzz, "its save could not be loaded", "%s: %s", what, error.message);
    kifu_free_bytes(timeline, bytes);
    kifu_fuzz__take(fuzz, what, &loaded, kifu_fuzz__look(fuzz, timeline, false), keep);
}

void kifu_fuzz__take(fuzz *fuzz, const char *what, fuzz_table *loaded, fuzz_moment expected, bool keep)
{
    kifu_fuzz__prepare(fuzz, loaded->timeline);
    fuzz_moment found = kifu_fuzz__look(fuzz, loaded->timeline, false);
    bool now = kifu_fuzz__state(fuzz, fuzz->table.timeline) == expected.state;
    kifu_fuzz__same(fuzz, what, found, expected, FUZZ_SAVED, loaded->timeline, now ? fuzz->table.timeline : NULL);
    if (keep) {
        fuzz_table old = fuzz->table;
        fuzz->table = *loaded;
        fuzz->chain_known = 0;
        *loaded = old;
        for (uint32_t i = 0; i < fuzz->undone_count; i++) // what broke its schema was not saved
            if (fuzz->undone[i].equal == FUZZ_NO_REDO)
                fuzz->undone[i].equal = FUZZ_SAVED;
        kifu_fuzz__follow(fuzz);
    }
    kifu_fuzz__dispose(fuzz, loaded);
}
