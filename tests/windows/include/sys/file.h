/// Locks are another thing on Windows: there is none of this kind.
#ifndef TESTS_WINDOWS_FILE_H
#define TESTS_WINDOWS_FILE_H

enum { LOCK_SH = 1, LOCK_EX = 2, LOCK_NB = 4, LOCK_UN = 8 };
int flock(int file, int operation); ///< Fails.

#endif
