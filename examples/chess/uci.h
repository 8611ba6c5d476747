/// UCI, the protocol between chess programs (2006 version): a GUI or another engine plays against this game.
#ifndef UCI_H
#define UCI_H

#include <stdbool.h>

/// Where commands come from.
typedef struct uci_input {
    /// The next line, without its end; waits for it. NULL: there will be none.
    const char *(*next_line)(void *context);
    /// The same line, which stays the next one; it may have its end. NULL: there is none yet, or no more.
    const char *(*peek_line)(void *context);
    /// Whether no line will come any more, after `peek_line`.
    bool (*is_over)(void *context);
    void *context;
} uci_input;

/// Obeys commands, and writes answers to the standard output, until "quit" or the end of the input; returns the exit
/// status.
int uci_run(const uci_input *input);

#endif
