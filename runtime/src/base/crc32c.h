/// CRC-32C (Castagnoli; RFC 3720, appendix B.4): the checksum of a save's frames.
///
/// By the instruction of x86-64 or ARM64, where the processor has it, which is found out at run time; else by one table
/// of 256 numbers, which reaches half a gigabyte a second.
#ifndef KIFU_SRC_CRC32C_H
#define KIFU_SRC_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/// The checksum of some bytes. `before`: the checksum of the bytes in front of these, 0 where there are none.
uint32_t kifu__crc32c(uint32_t before, const void *bytes, size_t size);

/// The same without the processor's instruction for it; for machines without one, and for tests.
uint32_t kifu__crc32c_by_table(uint32_t before, const void *bytes, size_t size);

#endif
