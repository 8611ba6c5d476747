/// In which letters an SGF game is written (its property CA).
#ifndef SGF_CHARSET_H
#define SGF_CHARSET_H

#include "sgf_tree.h"

/// Looks what a game is written in. `*latin1`: in ISO 8859-1, and it is not UTF-8 by chance. SGF_WRONG: in something
/// else than that, UTF-8 or ASCII.
sgf_reading sgf_charset(const sgf_tree *tree, bool *latin1);

/// The same text in UTF-8. Free it. NULL: memory ran out.
char *sgf_from_latin1(const char *text);

#endif
