#include "base/crc32c.h"

#include <stdbool.h>
#include <string.h>

#include "base/crc32c_table.h"

// Eight bytes at once: each table row knows what one of them contributes.
uint32_t kifu__crc32c_by_table(uint32_t before, const void *bytes, size_t size)
{
    const unsigned char *at = (const unsigned char *)bytes;
    uint32_t crc = ~before;
    for (; size >= 8; size -= 8, at += 8) {
        uint32_t low = (at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24) ^ crc;
        crc = kifu__crc32c_table[7][low & 255] ^ kifu__crc32c_table[6][low >> 8 & 255] ^
              kifu__crc32c_table[5][low >> 16 & 255] ^ kifu__crc32c_table[4][low >> 24] ^ kifu__crc32c_table[3][at[4]] ^
              kifu__crc32c_table[2][at[5]] ^ kifu__crc32c_table[1][at[6]] ^ kifu__crc32c_table[0][at[7]];
    }
    for (; size; size--, at++)
        crc = crc >> 8 ^ kifu__crc32c_table[0][(crc ^ *at) & 255];
    return ~crc;
}

#if defined(__GNUC__) && defined(__x86_64__)

#include <nmmintrin.h>
#define HARDWARE __attribute__((target("sse4.2")))
#define STEP_8(crc, word) ((uint32_t)_mm_crc32_u64((crc), (word)))
#define STEP_1(crc, byte) _mm_crc32_u8((crc), (byte))

static bool has_hardware(void)
{
    return __builtin_cpu_supports("sse4.2");
}

#elif defined(__ARM_FEATURE_CRC32)

#include <arm_acle.h>
#define HARDWARE
#define STEP_8(crc, word) __crc32cd((crc), (word))
#define STEP_1(crc, byte) __crc32cb((crc), (byte))

static bool has_hardware(void)
{
    return true;
}

#endif

#ifdef HARDWARE

// The instruction takes three cycles, and a new one can start in each: so three parts of the data go side by side. Each
// part's checksum is then taken past the parts behind it, by multiplying with x to the number of bits skipped (modulo
// the polynomial).
typedef struct parts {
    size_t size;       // Of one part in bytes.
    uint32_t past_one; // x to the bits of one part.
    uint32_t past_two; // x to the bits of two.
} parts;

static const parts long_parts = {8192, 0x28461564, 0xBF455269};
static const parts short_parts = {512, 0x74C360A4, 0xE4172B16};

// The product of two polynomials; bit 31 is the coefficient of x^0.
static uint32_t multiply(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (int bit = 0; bit < 32; bit++) {
        product ^= b & (0 - (a >> 31));
        a <<= 1;
        b = b >> 1 ^ (0x82F63B78 & (0 - (b & 1)));
    }
    return product;
}

static inline uint64_t load(const unsigned char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

HARDWARE static uint32_t by_hardware(uint32_t crc, const unsigned char *at, size_t size)
{
    const parts *const all[] = {&long_parts, &short_parts};
    for (int i = 0; i < 2; i++) {
        size_t part = all[i]->size;
        for (; size >= 3 * part; size -= 3 * part, at += 3 * part) {
            uint32_t second = 0, third = 0;
            for (size_t offset = 0; offset < part; offset += 8) {
                crc = STEP_8(crc, load(at + offset));
                second = STEP_8(second, load(at + part + offset));
                third = STEP_8(third, load(at + 2 * part + offset));
            }
            crc = multiply(all[i]->past_two, crc) ^ multiply(all[i]->past_one, second) ^ third;
        }
    }
    for (; size >= 8; size -= 8, at += 8)
        crc = STEP_8(crc, load(at));
    for (; size; size--, at++)
        crc = STEP_1(crc, *at);
    return crc;
}

#endif

uint32_t kifu__crc32c(uint32_t before, const void *bytes, size_t size)
{
#ifdef HARDWARE
    if (has_hardware())
        return ~by_hardware(~before, (const unsigned char *)bytes, size);
#endif
    return kifu__crc32c_by_table(before, bytes, size);
}
