// As Apple's: without _DARWIN_C_SOURCE, a program of POSIX does not see F_FULLFSYNC.
#include <sys/stat.h>
#include_next <fcntl.h>
#ifdef _DARWIN_C_SOURCE
#define F_FULLFSYNC 51
#endif
