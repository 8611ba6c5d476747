/// Naming the first field in which two states differ.
#ifndef KIFU_SRC_DIFFERENCE_H
#define KIFU_SRC_DIFFERENCE_H

#include <kifu/history.h>
#include <kifu/detail/rules.h>

/// Looks for the first byte in which two states differ, and fills in `field`, `expected` and `actual` of `difference`
/// by what the schema says is there: "heaps[2]", "3", "4". A byte that belongs to no field is "padding at byte 123".
/// False, with the three empty, when the states are equal.
bool kifu__describe_difference(const kifu_rules *rules, const unsigned char *expected, const unsigned char *actual,
                               kifu_difference *difference);

/// The same for the inline fields of two blobs of one type, "manner", "GENTLE (0)", "ROUGH (3)", of which the first
/// `size` bytes are compared. False, with nothing filled in, when they differ in what a reference leads to.
bool kifu__describe_blobs(const kifu__table *table, const unsigned char *expected, const unsigned char *actual,
                          uint32_t size, kifu_difference *difference);

#endif
