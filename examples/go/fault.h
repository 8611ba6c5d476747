/// What is wrong in a text that somebody wrote, and where.
#ifndef FAULT_H
#define FAULT_H

#include <stdint.h>

typedef struct fault {
    uint32_t line, column; ///< From 1.
    char message[200];
} fault;

#endif
