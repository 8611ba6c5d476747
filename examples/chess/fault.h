/// What is wrong in a text that somebody wrote, and where: FEN, SAN, PGN.
#ifndef FAULT_H
#define FAULT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct fault {
    uint32_t line, column; ///< From 1.
    char message[200];
} fault;

/// Says what is wrong; returns false.
bool fault_say(fault *fault, uint32_t line, uint32_t column, const char *format, ...);

#endif
