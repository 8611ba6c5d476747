// A log file: what was appended last must be what a killed process leaves, and of a torn file what was appended before.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

static const char *said(const fuzz *fuzz)
{
    return kifu_last_error(fuzz->table.timeline)->message;
}

// --- Appending ------------------------------------------------------------------------------------------------------

static long file_size(fuzz *fuzz)
{
    FILE *file = fopen(kifu_fuzz__log_path(), "rb");
    long size = !file || fseek(file, 0, SEEK_END) ? -1 : ftell(file);
    if (file)
        fclose(file);
    if (size <= 0)
        kifu_fuzz__fail(fuzz, "the log file is gone", "the log file cannot be read");
    return size;
}

void kifu_fuzz__appended(fuzz *fuzz, const fuzz_moment *present)
{
    fuzz_appended appended = {.size = file_size(fuzz)};
    appended.moment = present ? *present : kifu_fuzz__look(fuzz, fuzz->table.timeline, false);
    if (fuzz->appended_count && fuzz->appended[fuzz->appended_count - 1].size > appended.size)
        kifu_fuzz__fail(fuzz, "a log file that shrinks", "an append made the log file shorter");
    if (fuzz->appended_count && fuzz->appended[fuzz->appended_count - 1].size == appended.size)
        fuzz->appended_count--; // Nothing was written, so it must be as it was.
    fuzz->appended =
        kifu_fuzz__grow(fuzz->appended, &fuzz->appended_room, fuzz->appended_count + 1, sizeof *fuzz->appended);
    fuzz->appended[fuzz->appended_count++] = appended;
}

void kifu_fuzz__append(fuzz *fuzz, const fuzz_moment *present)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    if (fuzz->logging != timeline)
        return;
    kifu_fuzz__trace(fuzz, " append");
    if (kifu_log_append(timeline))
        kifu_fuzz__fail(fuzz, "an append that failed", "kifu_log_append: %s", said(fuzz));
    if (!kifu_open_transactions(timeline))
        kifu_fuzz__appended(fuzz, present);
    else if (file_size(fuzz) != fuzz->appended[fuzz->appended_count - 1].size)
        kifu_fuzz__fail(fuzz, "an append in a transaction", "kifu_log_append in a transaction wrote something");
}

// --- Loading --------------------------------------------------------------------------------------------------------

// The first `size` bytes of the file.
static kifu_result load_torn(fuzz *fuzz, long size, fuzz_table *loaded, const kifu_load_options *load_options,
                             kifu_error *error)
{
    unsigned char *bytes = malloc((size_t)size + 1); // so that none has a place, too
    FILE *file = fopen(kifu_fuzz__log_path(), "rb");
    if (!bytes || !file || fread(bytes, 1, (size_t)size, file) != (size_t)size)
        kifu_fuzz__fail(fuzz, "the log file is gone", "the log file cannot be read");
    fclose(file);
    kifu_result result = kifu_load_from_memory(fuzz->rules, bytes, (size_t)size, &loaded->options, load_options,
                                               &loaded->timeline, error);
    free(bytes);
    return result;
}

// Recovers what was appended last before the byte `end`; 0: from the whole file.
static void recover(fuzz *fuzz, const char *what, long end, bool keep)
{
    fuzz_table loaded = {.options = kifu_fuzz__options(fuzz)};
    kifu_recovery recovery;
    kifu_error error;
    const kifu_load_options load_options = {
        .fast = kifu_fuzz__one_in(fuzz, 2), .recover = kifu_recover, .recovery = &recovery};
    if (end ? load_torn(fuzz, end, &loaded, &load_options, &error)
            : kifu_load(fuzz->rules, kifu_fuzz__log_path(), &loaded.options, &load_options, &loaded.timeline, &error))
        kifu_fuzz__fail(fuzz, "no recovery", "%s: %s", what, error.message);
    uint32_t last = fuzz->appended_count - 1;
    while (end && fuzz->appended[last].size > end)
        last--;
    const fuzz_appended *expected = &fuzz->appended[last];
    uint64_t dropped = end ? (uint64_t)(end - expected->size) : 0;
    if (recovery.dropped != dropped)
        kifu_fuzz__fail(fuzz, "bytes dropped", "%s: %" PRIu64 " bytes were dropped, and %" PRIu64 " expected: %s", what,
                        recovery.dropped, dropped, recovery.why.message);
    kifu_fuzz__take(fuzz, what, &loaded, expected->moment, keep);
}

// Where not even its beginning is there, it loads, or is refused.
static void recover_beginning(fuzz *fuzz)
{
    fuzz_table loaded = {.options = kifu_fuzz__options(fuzz)};
    kifu_recovery recovery;
    kifu_error error;
    const kifu_load_options load_options = {.recover = kifu_recover, .recovery = &recovery};
    const long size = (long)kifu_fuzz__below(fuzz, (uint32_t)fuzz->appended[0].size);
    kifu_result result = load_torn(fuzz, size, &loaded, &load_options, &error);
    if (result && result != KIFU_DAMAGED && result != KIFU_NOT_A_SAVE)
        kifu_fuzz__fail(fuzz, "no recovery", "a log file without most of it: %s", error.message);
    kifu_fuzz__dispose(fuzz, &loaded);
}

static void tear(fuzz *fuzz)
{
    const fuzz_appended *first = &fuzz->appended[0], *last = &fuzz->appended[fuzz->appended_count - 1];
    if (kifu_fuzz__one_in(fuzz, 8)) {
        recover_beginning(fuzz);
        return;
    }
    if (last > first && kifu_fuzz__one_in(fuzz, 2))
        first = last - 1;
    long end = first->size + (long)kifu_fuzz__below(fuzz, (uint32_t)(last->size - first->size) + 1);
    kifu_fuzz__trace(fuzz, " torn at byte %ld", end);
    recover(fuzz, "recovered from a torn log file", end, false);
}

// --- The operation --------------------------------------------------------------------------------------------------

static void open_it(fuzz *fuzz)
{
    if (!*kifu_fuzz__log_path())
        return;
    kifu_fuzz__trace(fuzz, " open");
    kifu_save_options options = {.without_snapshot = kifu_fuzz__one_in(fuzz, 2)};
    if (kifu_log_open(fuzz->table.timeline, kifu_fuzz__log_path(), &options))
        kifu_fuzz__fail(fuzz, "no log file", "kifu_log_open: %s", said(fuzz));
    fuzz->logging = fuzz->table.timeline;
    fuzz->appended_count = 0;
    kifu_fuzz__appended(fuzz, NULL);
}

static void close_it(fuzz *fuzz)
{
    kifu_fuzz__trace(fuzz, " close");
    if (kifu_log_close(fuzz->table.timeline, NULL))
        kifu_fuzz__fail(fuzz, "a log file that stays open", "kifu_log_close: %s", said(fuzz));
    fuzz->logging = NULL;
    fuzz_table loaded = {.options = kifu_fuzz__options(fuzz)};
    kifu_error error;
    if (kifu_load(fuzz->rules, kifu_fuzz__log_path(), &loaded.options, NULL, &loaded.timeline, &error))
        kifu_fuzz__fail(fuzz, "its save could not be loaded", "a closed log file: %s", error.message);
    kifu_fuzz__take(fuzz, "a closed log file", &loaded, kifu_fuzz__look(fuzz, fuzz->table.timeline, false),
                    kifu_fuzz__moves(fuzz, 2));
}

void kifu_fuzz__log_file(fuzz *fuzz)
{
    if (!fuzz->logging) {
        open_it(fuzz);
        return;
    }
    bool moves = kifu_fuzz__moves(fuzz, 2);
    switch (kifu_fuzz__below(fuzz, 8)) {
    case 0:
        close_it(fuzz);
        break;
    case 1:
    case 2:
        if (moves) // to what is now
            kifu_fuzz__append(fuzz, NULL);
        kifu_fuzz__trace(fuzz, " kill");
        recover(fuzz, "recovered from a log file", 0, moves);
        break;
    default:
        tear(fuzz);
    }
}

void kifu_fuzz__leave_log_file(fuzz *fuzz, const kifu_timeline *timeline)
{
    if (!timeline || timeline != fuzz->logging)
        return;
    fuzz->logging = NULL;
    recover(fuzz, "recovered from a log file at its end", 0, false);
}
