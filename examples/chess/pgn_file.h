/// Games of PGN in files.
#ifndef PGN_FILE_H
#define PGN_FILE_H

#include <stdio.h>

#include "pgn.h"

/// Opens game number `number`, from 1, of a file, which is looked through up to the game's end; no other game is read.
/// Results as `pgn_read`; KIFU_NOT_FOUND: the file has fewer games; KIFU_IO: it cannot be read. `error` says why; the
/// places in `report` (may be NULL) and in `error` are those of the file.
kifu_result pgn_file_read(const char *path, uint32_t number, const kifu_options *options, kifu_timeline **timeline,
                          pgn_report *report, kifu_error *error);

/// What the list of a file's games says of one. Longer texts are cut off.
typedef struct pgn_entry {
    uint32_t number;
    char white[40], black[40], result[12], date[12], event[40];
} pgn_entry;

/// Reads the tags of games `first` to `first + room - 1`. Returns how many games the whole file has; 0: it cannot be
/// read, or has none. `error` says why then.
uint32_t pgn_file_list(const char *path, uint32_t first, pgn_entry *entries, uint32_t room, kifu_error *error);

/// Writes the game in a file; false: it could not be written.
bool pgn_file_write(const char *path, kifu_timeline *timeline);

#endif
