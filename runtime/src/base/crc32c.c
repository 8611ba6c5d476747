#include "base/crc32c.h"

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

// Each half of a byte divided by the polynomial 0x1EDC6F41 (reflected: 0x82F63B78), bit by bit: the sum of what its
// bits give. A table for whole bytes is twice as fast and 16 times as large, and most processors have an instruction.
#define BIT(half, bit, rest) ((half)&1 << (bit) ? UINT32_C(rest) : 0)
#define HALF_SUM(half)                                                                                                 \
    (BIT(half, 0, 0x105EC76F) ^ BIT(half, 1, 0x20BD8EDE) ^ BIT(half, 2, 0x417B1DBC) ^ BIT(half, 3, 0x82F63B78))
#define FOUR_SUMS(half) HALF_SUM(half), HALF_SUM(half + 1), HALF_SUM(half + 2), HALF_SUM(half + 3)

static const uint32_t crc_table[16] = {FOUR_SUMS(0), FOUR_SUMS(4), FOUR_SUMS(8), FOUR_SUMS(12)};

static uint32_t by_table(uint32_t crc, const unsigned char *at, size_t size)
{
    for (; size; size--, at++) {
        crc ^= *at;
        crc = crc >> 4 ^ crc_table[crc & 15];
        crc = crc >> 4 ^ crc_table[crc & 15];
    }
    return crc;
}

uint32_t kifu__crc32c_by_table(uint32_t before, const void *bytes, size_t size)
{
    return ~by_table(~before, (const unsigned char *)bytes, size);
}

// --- The processor's instruction for eight bytes ---------------------------------------------------------------------

#if KIFU__QUICK && defined(__GNUC__) && defined(__x86_64__)
#define HARDWARE 1

// __builtin_cpu_supports would bring 5 KiB along. To ask the processor takes microseconds in a virtual machine, more
// than the table for some thousand bytes; glibc has asked already.
#if defined(__has_include) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>

static bool has_hardware(size_t size)
{
    (void)size;
    return CPU_FEATURE_ACTIVE(SSE4_2);
}
#else
#include <cpuid.h>

static bool has_hardware(size_t size)
{
    unsigned a, b, c, d;
    return size >= 4096 && __get_cpuid(1, &a, &b, &c, &d) && c & bit_SSE4_2;
}
#endif

static inline uint64_t crc_step(uint64_t crc, uint64_t word)
{
    __asm__("crc32q %1, %0" : "+r"(crc) : "rm"(word));
    return crc;
}

#elif KIFU__QUICK && defined(__GNUC__) && defined(__aarch64__) && (defined(__linux__) || defined(__ARM_FEATURE_CRC32))
#define HARDWARE 1

#ifdef __linux__
#include <sys/auxv.h>
#endif

static bool has_hardware(size_t size)
{
    (void)size;
#ifdef __linux__
    return getauxval(AT_HWCAP) & HWCAP_CRC32;
#else
    return true;
#endif
}

static inline uint64_t crc_step(uint64_t crc, uint64_t word)
{
    __asm__(".arch_extension crc\n\tcrc32cx %w0, %w0, %1" : "+r"(crc) : "r"(word));
    return crc;
}

#endif

#ifdef HARDWARE

// The instruction takes three cycles, and a new one can start in each: so three parts of the data go side by side. Each
// part's checksum is then taken past the parts behind it, by multiplying with x to the number of bits skipped (modulo
// the polynomial).
enum { PART = 8192 };
static const uint32_t past_one = 0x28461564, past_two = 0xBF455269;

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

static inline uint64_t load_word(const unsigned char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

// As `by_table`. The checksum lies in a register of 64 bits: to cut it to 32 after each step would take longer.
static uint32_t by_hardware(uint32_t before, const unsigned char *at, size_t size)
{
    uint64_t crc = before;
    for (; size >= 3 * PART; size -= 3 * PART, at += 3 * PART) {
        uint64_t second = 0, third = 0;
        for (size_t offset = 0; offset < PART; offset += 8) {
            crc = crc_step(crc, load_word(at + offset));
            second = crc_step(second, load_word(at + PART + offset));
            third = crc_step(third, load_word(at + 2 * PART + offset));
        }
        crc = multiply(past_two, (uint32_t)crc) ^ multiply(past_one, (uint32_t)second) ^ third;
    }
    for (; size >= 8; size -= 8, at += 8)
        crc = crc_step(crc, load_word(at));
    return by_table((uint32_t)crc, at, size);
}

#endif

uint32_t kifu__crc32c(uint32_t before, const void *bytes, size_t size)
{
#ifdef HARDWARE
    if (has_hardware(size))
        return ~by_hardware(~before, (const unsigned char *)bytes, size);
#endif
    return kifu__crc32c_by_table(before, bytes, size);
}
