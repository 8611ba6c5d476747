/// SGF files.
#ifndef SGF_FILE_H
#define SGF_FILE_H

#include "sgf.h"

/// Reads a game of a file: see `sgf_read`. KIFU_IO: it cannot be read.
kifu_result sgf_load(const char *path, uint32_t game, const kifu_options *options, kifu_timeline **timeline,
                     fault *fault);

/// What the list of a file's games says of one, each text as it stands in the file. Longer ones are cut off.
typedef struct sgf_entry {
    uint32_t number;
    char black[40], white[40], result[16], date[16], event[40];
} sgf_entry;

/// Looks at games `first` to `first + room - 1`. Returns how many games the whole file has; 0: it cannot be read, or
/// has none, as `fault` says.
uint32_t sgf_list(const char *path, uint32_t first, sgf_entry *entries, uint32_t room, fault *fault);

/// Writes the last game to a file: see `sgf_write`. False: it could not be written.
bool sgf_save(const kifu_timeline *timeline, bool tree, const char *path);

#endif
