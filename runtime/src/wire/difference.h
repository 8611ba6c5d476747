/// Naming the first field in which two states differ.
#ifndef KIFU_SRC_DIFFERENCE_H
#define KIFU_SRC_DIFFERENCE_H

#include <kifu/history.h>
#include <kifu/rules.h>

/// Looks for the first byte in which two states differ, and fills in `field`, `expected` and `actual` of `difference`
/// by what the schema says is there: "heaps[2]", "3", "4". A byte that belongs to no field is "padding at byte 123".
/// False, with the three empty, when the states are equal.
bool kifu__describe_difference(const kifu_rules *rules, const unsigned char *expected, const unsigned char *actual,
                               kifu_difference *difference);

/// One value of an event's scalar field, or of a vector's elements, as text: "3", "true", "GENTLE (0)".
void kifu__describe_field(const kifu__field *field, const unsigned char *value, char *text, size_t size);

#endif
