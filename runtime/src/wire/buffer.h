/// Reading FlatBuffers bytes, and what the verifying files share. Positions count from the buffer's first byte.
#ifndef KIFU_SRC_BUFFER_H
#define KIFU_SRC_BUFFER_H

#include <string.h>

#include "wire/table.h"

enum {
    KIFU__MOST_DEPTH = 64, ///< Tables inside tables, the root included; as the official verifier has it.
    KIFU__EVENT_DEPTH = 2  ///< An event: the segment's root is around it.
};

/// The most bytes of one FlatBuffer. So position + offset never overflows 32 bits.
#define KIFU__MOST_BYTES UINT32_C(0x7fffffff)

// Little-endian bytes into a number: on the machines that Kifu runs on, a copy.

static inline uint16_t kifu__load16(const void *bytes)
{
    uint16_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static inline uint32_t kifu__load32(const void *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static inline uint64_t kifu__load64(const void *bytes)
{
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static inline bool kifu__is_zero(const void *bytes, size_t size)
{
    const unsigned char *each = (const unsigned char *)bytes;
    for (; size && !*each; size--)
        each++;
    return !size;
}

/// Where the place at `position`, an offset, leads.
static inline uint32_t kifu__target(const unsigned char *bytes, uint32_t position)
{
    return position + kifu__load32(bytes + position);
}

/// Of the table at `position`.
static inline uint32_t kifu__vtable_of(const unsigned char *bytes, uint32_t position)
{
    return position - kifu__load32(bytes + position);
}

/// Where field `id` lies in a table, counted from the table; 0: absent. The vtable is verified, or compiled.
static inline uint32_t kifu__entry(const void *vtable, uint32_t id)
{
    uint32_t at = 4 + 2 * id;
    return at < kifu__load16(vtable) ? kifu__load16((const unsigned char *)vtable + at) : 0;
}

/// Position of field `id` of the verified table at `position`; 0: absent.
static inline uint32_t kifu__field_at(const unsigned char *bytes, uint32_t position, uint32_t id)
{
    uint32_t entry = kifu__entry(bytes + kifu__vtable_of(bytes, position), id);
    return entry ? position + entry : 0;
}

/// Whether a field is inline as a 32-bit offset.
static inline bool kifu__is_reference(const kifu__field *field)
{
    return field->kind != KIFU__SCALAR && field->kind != KIFU__STRUCT;
}

// --- Values, and what to say of them (values.c) ----------------------------------------------------------------------

/// An integer of 1, 2, 4 or 8 bytes as 64 bits, in two's complement.
uint64_t kifu__read_integer(const unsigned char *bytes, uint32_t size, bool is_signed);

/// The same of a kifu__scalar that is no float.
uint64_t kifu__read_scalar(const unsigned char *bytes, uint8_t scalar);

/// The name of an enum's value, of bit_flags the name of one bit; NULL: it has none.
const char *kifu__label_of(const kifu__enum *values, uint64_t value);

/// Whether a kifu__scalar is an integer with a sign.
bool kifu__is_signed(uint8_t scalar);

/// What is wrong, and which way leads there: "items[3].kind".
typedef struct kifu__failure {
    uint32_t position;
    bool any_text; ///< Strings need not be UTF-8: they are of an old event.
    char path[200];
    char reason[200];
} kifu__failure;

/// Whether all checks of a table or struct at `bytes` hold. Otherwise `failure`, where not NULL, says which does not:
/// "value 9 is not in enum nim.Heap".
bool kifu__checks_hold(const kifu__check *checks, uint32_t count, const unsigned char *bytes, kifu__failure *failure);

/// Whether each enum and bool of a struct at `bytes`, and of the structs in it, is what it may be.
bool kifu__struct_holds(const kifu__struct *structure, const unsigned char *bytes);

/// Whether there is anything to check in a field's values.
static inline bool kifu__is_checked(const kifu__field *field)
{
    return field->values || (field->structure && field->structure->check_count);
}

/// The same of a state, of what lies from byte `from` to before `to`; and whether the game in it is sound.
bool kifu__state_holds(const kifu_rules *rules, const unsigned char *state, uint32_t from, uint32_t to);

/// Whether `count` values of a field, scalars or structs, may be what they are: the elements of a vector, or the one
/// inline value. Otherwise `*bad` is the number of the first that may not.
bool kifu__elements_hold(const kifu__field *field, const unsigned char *bytes, uint32_t count, uint32_t *bad,
                         kifu__failure *failure);

/// Puts a field's name, or `[index]`, in front of the path. Both return false.
bool kifu__in_field(kifu__failure *failure, const char *field);
bool kifu__in_element(kifu__failure *failure, uint32_t index);

// --- Verifying (verify.c) --------------------------------------------------------------------------------------------

typedef struct kifu__verifier {
    const unsigned char *bytes;
    uint32_t size;
    bool castable;
    uint64_t work; ///< Steps that may still be taken, so that parts shared a million times cost no eternity.
    kifu__failure failure;
} kifu__verifier;

/// False, with `failure` filled in, when the buffer's size makes it none.
bool kifu__verifier_open(kifu__verifier *verifier, const kifu__buffer *buffer);

/// Fills in `failure`; false.
bool kifu__fail_at(kifu__verifier *verifier, uint32_t position, const char *reason);

/// Where the offset at `place` leads: inside the buffer, forward, aligned to 4. `place` is verified.
bool kifu__verify_offset(kifu__verifier *verifier, uint32_t place, uint32_t *target);

/// The table at `position`, of which 4 bytes are known to be there, aligned; and all it leads to.
bool kifu__verify_any(kifu__verifier *verifier, const kifu__table *table, uint32_t position, uint32_t depth);

/// The same for a table whose vtable is verified.
bool kifu__verify_fields(kifu__verifier *verifier, const kifu__table *table, uint32_t position, uint32_t depth);

/// KIFU_DAMAGED: "<where>, field <path>: <reason> (byte <in the file>)".
kifu_result kifu__report(const kifu__verifier *verifier, const kifu__buffer *buffer, const char *where);

// --- The parts of a segment (verify_segment.c) -----------------------------------------------------------------------

/// Where a verified segment's vectors have their elements.
typedef struct kifu__parts {
    uint32_t count;
    uint32_t types, offsets, marks;
    uint32_t rules_version;
} kifu__parts;

kifu__parts kifu__segment_parts(const unsigned char *bytes);

/// Verifies all of a segment but its events and marks, after which it has parts.
bool kifu__verify_head(kifu__verifier *verifier);

/// How many of `size` bytes are UTF-8, up to the first that is not (utf8.c).
uint32_t kifu__text_size(const unsigned char *text, uint32_t size);

#endif
