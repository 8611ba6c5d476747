/// Leftovers on the stack.
#ifndef KIFU_SRC_SCRIBBLE_H
#define KIFU_SRC_SCRIBBLE_H

/// Fills what a Do will find on the stack where it has not written yet.
#if defined(__GNUC__)
__attribute__((noinline)) // so that its frame lies where that of the Do will
#endif
void kifu__scribble(unsigned char pattern);

#endif
