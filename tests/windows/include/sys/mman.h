/// Anonymous maps only.
#ifndef TESTS_WINDOWS_MMAN_H
#define TESTS_WINDOWS_MMAN_H

#include <stddef.h>
#include <sys/types.h>

enum { PROT_NONE = 0, PROT_READ = 1, PROT_WRITE = 2, MAP_SHARED = 1, MAP_PRIVATE = 2, MAP_ANONYMOUS = 4 };
#define MAP_FAILED ((void *)-1)

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);
int munmap(void *address, size_t size);
int mprotect(void *address, size_t size, int protection);

enum { _SC_PAGESIZE = 30 };
long sysconf(int what);

#endif
