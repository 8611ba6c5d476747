/// A question to the person at the keyboard, at the bottom of the screen.
#ifndef ASK_H
#define ASK_H

#include <stdbool.h>
#include <stddef.h>

/// Lets a line of text be changed, in at most `room` bytes with its NUL. False: Escape was pressed, or no key can come
/// any more; then the text does not count.
bool ask_text(const char *question, char *text, size_t room);

#endif
