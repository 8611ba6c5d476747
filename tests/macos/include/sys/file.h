// As Apple's: flock is hidden from a program of POSIX.
#ifdef _DARWIN_C_SOURCE
#include_next <sys/file.h>
#endif
