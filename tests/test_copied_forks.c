// The same games with a runtime that was compiled without atomics.

#include "test_shared_forks.c"
