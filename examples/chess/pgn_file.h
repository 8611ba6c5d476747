/// Games of PGN in files.
#ifndef PGN_FILE_H
#define PGN_FILE_H

#include "pgn.h"

/// Opens game number `number`, from 1, of a file. Results as `pgn_read`; KIFU_IO: the file cannot be read, or has fewer
/// games. `error` says why.
kifu_result pgn_file_read(const char *path, uint32_t number, const kifu_options *options, kifu_timeline **timeline,
                          kifu_error *error);

/// Writes the game in a file; false: it could not be written.
bool pgn_file_write(const char *path, kifu_timeline *timeline);

#endif
