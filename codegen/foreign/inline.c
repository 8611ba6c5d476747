/// The inline functions of kifu.h as functions with an address, for languages that cannot include a header. Only the
/// shared library of a game has them: where C calls them, they cost nothing.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Behind the headers of the system, whose functions stay as they are.
#define static
#define inline
#include <kifu/kifu.h>
