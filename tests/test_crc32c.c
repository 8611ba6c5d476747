#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc32c.h"
#include "suite.h"

// A processor without the instruction, as glibc tells it.
#if defined(__x86_64__) && defined(__has_include) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>

static bool old_processor;

const struct cpuid_feature *__real___x86_get_cpuid_feature_leaf(unsigned leaf);
const struct cpuid_feature *__wrap___x86_get_cpuid_feature_leaf(unsigned leaf);

const struct cpuid_feature *__wrap___x86_get_cpuid_feature_leaf(unsigned leaf)
{
    static const struct cpuid_feature nothing;
    return old_processor ? &nothing : __real___x86_get_cpuid_feature_leaf(leaf);
}
#else
static bool old_processor; // is not played here
#endif

typedef uint32_t checksum(uint32_t before, const void *bytes, size_t size);

static void expect_published(checksum *crc32c)
{
    unsigned char bytes[48];
    ck_assert_uint_eq(crc32c(0, "", 0), 0);
    ck_assert_uint_eq(crc32c(0, "123456789", 9), 0xE3069283);
    memset(bytes, 0, 32);
    ck_assert_uint_eq(crc32c(0, bytes, 32), 0x8A9136AA);
    memset(bytes, 0xFF, 32);
    ck_assert_uint_eq(crc32c(0, bytes, 32), 0x62A8AB43);
    for (int i = 0; i < 32; i++)
        bytes[i] = (unsigned char)i;
    ck_assert_uint_eq(crc32c(0, bytes, 32), 0x46DD794E);
    for (int i = 0; i < 32; i++)
        bytes[i] = (unsigned char)(31 - i);
    ck_assert_uint_eq(crc32c(0, bytes, 32), 0x113FDB5C);
    // An iSCSI read command.
    static const unsigned char command[48] = {
        0x01, 0xC0, [16] = 0x14, [22] = 0x04, [27] = 0x14, [31] = 0x18, [32] = 0x28, [40] = 0x02,
    };
    ck_assert_uint_eq(crc32c(0, command, 48), 0xD9963A56);
}

START_TEST(the_vectors_of_rfc_3720)
{
    expect_published(kifu__crc32c);
    expect_published(kifu__crc32c_by_table);
    old_processor = true;
    expect_published(kifu__crc32c);
}
END_TEST

// A byte divided by the polynomial, bit by bit.
START_TEST(the_table_is_the_polynomial)
{
    for (unsigned each = 0; each < 256; each++) {
        const unsigned char byte = (unsigned char)each;
        uint32_t rest = each;
        for (int bit = 0; bit < 8; bit++)
            rest = rest >> 1 ^ (rest & 1 ? 0x82F63B78 : 0);
        ck_assert_uint_eq(kifu__crc32c_by_table(UINT32_MAX, &byte, 1), ~rest);
    }
}
END_TEST

// Sizes around those where the hardware's way changes: three parts of 8192 bytes.
START_TEST(hardware_and_table_agree)
{
    static unsigned char bytes[80000];
    srand(1);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(rand() >> 7);
    static const size_t around[] = {0, 8, 512, 2048, 4096, 12288, 24576, 26112, 49152, 77000};
    for (size_t i = 0; i < sizeof around / sizeof around[0]; i++) {
        for (size_t size = around[i] < 20 ? 0 : around[i] - 20; size < around[i] + 20; size++) {
            for (size_t start = 0; start < 9; start += 3) {
                uint32_t before = (uint32_t)size * 0x9E3779B9;
                ck_assert_uint_eq(kifu__crc32c(before, bytes + start, size),
                                  kifu__crc32c_by_table(before, bytes + start, size));
            }
        }
    }
}
END_TEST

START_TEST(parts_add_up_to_the_whole)
{
    static unsigned char bytes[60000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * i >> 3);
    uint32_t whole = kifu__crc32c(0, bytes, sizeof bytes);
    for (size_t first = 0; first <= sizeof bytes; first += 777) {
        uint32_t crc = kifu__crc32c(0, bytes, first);
        ck_assert_uint_eq(kifu__crc32c(crc, bytes + first, sizeof bytes - first), whole);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {the_vectors_of_rfc_3720, the_table_is_the_polynomial, hardware_and_table_agree,
                                  parts_add_up_to_the_whole};
    return run_suite("crc32c", tests, sizeof tests / sizeof *tests);
}
