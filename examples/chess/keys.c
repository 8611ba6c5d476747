#include "keys.h"

// The numbers that splitmix64 gives for 1, 2, … (Sebastiano Vigna, public domain), computed by the compiler.
#define STEP1(n) (UINT64_C(0x9e3779b97f4a7c15) * (n))
#define STEP2(n) ((STEP1(n) ^ STEP1(n) >> 30) * UINT64_C(0xbf58476d1ce4e5b9))
#define STEP3(n) ((STEP2(n) ^ STEP2(n) >> 27) * UINT64_C(0x94d049bb133111eb))
#define NUMBER(n) (STEP3(n) ^ STEP3(n) >> 31)

#define NUMBERS4(n) NUMBER(n), NUMBER(n + 1), NUMBER(n + 2), NUMBER(n + 3)
#define NUMBERS16(n) NUMBERS4(n), NUMBERS4(n + 4), NUMBERS4(n + 8), NUMBERS4(n + 12)
#define NUMBERS64(n)                                                                                                   \
    {                                                                                                                  \
        NUMBERS16(n), NUMBERS16(n + 16), NUMBERS16(n + 32), NUMBERS16(n + 48)                                          \
    }

const uint64_t key_numbers[16][SQUARES] = {
    {0},
    NUMBERS64(1),
    NUMBERS64(65),
    NUMBERS64(129),
    NUMBERS64(193),
    NUMBERS64(257),
    NUMBERS64(321),
    NUMBERS64(385),
    NUMBERS64(449),
    NUMBERS64(513),
    NUMBERS64(577),
    NUMBERS64(641),
    NUMBERS64(705),
    NUMBERS64(769),
    NUMBERS64(833),
    {0},
};
