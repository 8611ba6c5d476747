/// SGF files.
#ifndef SGF_FILE_H
#define SGF_FILE_H

#include "sgf.h"

/// Reads a game of a file: see `sgf_read`. KIFU_IO: it cannot be read.
kifu_result sgf_load(const char *path, uint32_t game, const kifu_options *options, kifu_timeline **timeline,
                     fault *fault);

/// Writes the last game to a file: see `sgf_write`. False: it could not be written.
bool sgf_save(const kifu_timeline *timeline, bool tree, const char *path);

#endif
