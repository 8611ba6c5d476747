/// What a save with a tree means, as a text: so a file that was written once can be compared with what each version of
/// the camp makes of it.
#ifndef COMPAT_MEANING_H
#define COMPAT_MEANING_H

#include <stdio.h>

#include "camp.h"

/// With variations and notes, or without.
kifu_options tree_options(bool tree);

/// Writes the meaning of a save: of all its lines, or of the one that a reader without variations loads. Lines that
/// begin with '=' tell of states, which only versions with the rules of the save have as it had them.
kifu_result write_meaning(FILE *text, const void *bytes, size_t size, bool tree, kifu_left_out *left_out,
                          kifu_error *error);

#endif
