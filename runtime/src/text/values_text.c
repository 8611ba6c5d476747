// Values by their descriptions.
//
// Text comes from descriptions alone (`kifu_rules`), and never from a .bfbs. A linked game has descriptions; a program
// that has only a save makes them from the schema in the save. So there is one printer, and both print the same.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "text/print.h"
#include "wire/buffer.h"

static const char *const flag_names[] = {"UNDOABLE", "CONTINUE_UNDO", "CONSEQUENCE",
                                         "RANDOM",   "REVEALS",       "UNLESS_RANDOM"};
const kifu__enum kifu__mark_flags = {
    .name = "kifu.MarkFlags",
    .size = 1,
    .bit_flags = true,
    .mask = 0x3f,
    .labels = flag_names,
    .label_count = sizeof flag_names / sizeof *flag_names,
};

// --- Numbers ---------------------------------------------------------------------------------------------------------

void kifu__print_u64(kifu__printer *printer, uint64_t number)
{
    kifu__print_format(printer, printer->plain ? "%" PRIu64 : "\"%" PRIu64 "\"", number);
}

static void print_integer(kifu__printer *printer, uint8_t scalar, uint64_t bits)
{
    const bool wide = !printer->plain && (scalar == KIFU__I64 || scalar == KIFU__U64);
    int64_t number;
    memcpy(&number, &bits, sizeof number);
    if (!kifu__is_signed(scalar))
        kifu__print_format(printer, wide ? "\"%" PRIu64 "\"" : "%" PRIu64, bits);
    else
        kifu__print_format(printer, wide ? "\"%" PRId64 "\"" : "%" PRId64, number);
}

// The locale of the program may have another sign for the decimal point, of several bytes even. In JSON, a whole number
// gets one, too: readers then give all values of a field the same type.
static void print_digits(kifu__printer *printer, const char *text)
{
    bool foreign = false, whole = true;
    for (; *text; text++) {
        const bool known = (*text >= '0' && *text <= '9') || *text == '-' || *text == '+' || *text == 'e';
        if (known)
            kifu__print_bytes(printer, text, 1);
        else if (!foreign)
            kifu__print(printer, ".");
        foreign = !known;
        whole = whole && known && *text != 'e';
    }
    kifu__print(printer, whole && !printer->plain ? ".0" : "");
}

// The fewest digits that give the same number when they are read.
static void print_finite(kifu__printer *printer, bool is_float, double value)
{
    char text[40];
    for (int digits = is_float ? 6 : 15; digits <= (is_float ? 9 : 17); digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (is_float ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value)
            break;
    }
    print_digits(printer, text);
}

static void print_real(kifu__printer *printer, bool is_float, const unsigned char *bytes)
{
    const uint64_t bits = kifu__read_integer(bytes, is_float ? 4 : 8, false);
    const uint64_t infinity = is_float ? UINT64_C(0x7f800000) : UINT64_C(0x7ff0000000000000);
    const uint64_t fraction = is_float ? UINT64_C(0x7fffff) : UINT64_C(0xfffffffffffff);
    const char *sign = bits >> (is_float ? 31 : 63) ? "-" : "";
    const char *quote = printer->plain ? "" : "\"";
    if ((bits & infinity) != infinity) {
        float small;
        double large;
        memcpy(&small, bytes, sizeof small);
        memcpy(&large, bytes, is_float ? sizeof small : sizeof large);
        print_finite(printer, is_float, is_float ? (double)small : large);
    } else if (!(bits & fraction))
        kifu__print_format(printer, "%s%sInfinity%s", quote, sign, quote);
    else if (bits == (infinity | (fraction + 1) >> 1))
        kifu__print_format(printer, "%sNaN%s", quote, quote);
    else
        kifu__print_format(printer, "%sNaN:%" PRIx64 "%s", quote, bits, quote);
}

// --- Enums -----------------------------------------------------------------------------------------------------------

// In JSON, all values of an enum are strings.
static void print_unnamed(kifu__printer *printer, uint8_t scalar, uint64_t value)
{
    const bool quoted = printer->plain || scalar == KIFU__I64 || scalar == KIFU__U64;
    kifu__print(printer, quoted ? "" : "\"");
    print_integer(printer, scalar, value);
    kifu__print(printer, quoted ? "" : "\"");
}

// The names of the bits that are set, and of what has no name the bits. The schema in a save does not say whether an
// enum of 1 and 2 is one of flags, so a value without any name is its number, as it is of other enums.
static void print_enum_flags(kifu__printer *printer, uint8_t scalar, const kifu__enum *values, uint64_t value)
{
    const char *between = printer->plain ? "" : "\"";
    uint64_t unnamed = value;
    for (uint64_t bit = 1; bit; bit <<= 1) {
        const char *label = values->mask & bit & value ? kifu__label_of(values, bit) : NULL;
        if (!label)
            continue;
        kifu__print_format(printer, "%s%s", between, label);
        unnamed &= ~bit;
        between = " ";
    }
    if (unnamed == value)
        print_unnamed(printer, scalar, value);
    else {
        if (unnamed)
            kifu__print_format(printer, " 0x%" PRIx64, unnamed);
        kifu__print(printer, printer->plain ? "" : "\"");
    }
}

void kifu__print_scalar(kifu__printer *printer, uint8_t scalar, const kifu__enum *values, const unsigned char *bytes)
{
    if (scalar == KIFU__F32 || scalar == KIFU__F64) {
        print_real(printer, scalar == KIFU__F32, bytes);
        return;
    }
    const uint64_t value = kifu__read_scalar(bytes, scalar);
    const char *label = values && !values->bit_flags ? kifu__label_of(values, value) : NULL;
    if (scalar == KIFU__BOOL && value <= 1)
        kifu__print(printer, value ? "true" : "false");
    else if (values && values->bit_flags)
        print_enum_flags(printer, scalar, values, value);
    else if (label)
        kifu__print_name(printer, label);
    else if (values && values->labels)
        print_unnamed(printer, scalar, value);
    else
        print_integer(printer, scalar, value);
}

void kifu__print_flags(kifu__printer *printer, uint8_t flags)
{
    if (flags)
        kifu__print_scalar(printer, KIFU__U8, &kifu__mark_flags, &flags);
    else
        kifu__print(printer, "\"\"");
}

// --- Colours ---------------------------------------------------------------------------------------------------------

// A number called so is one for people, 0xRRGGBB. Programs read the number.
static bool print_color(kifu__printer *printer, const char *name, uint8_t scalar, const kifu__enum *values,
                        const unsigned char *bytes)
{
    static const char *const words[] = {"color", "colour"};
    const size_t length = name ? strlen(name) : 0;
    bool is_color = false;
    for (int i = 0; i < 2; i++) {
        const size_t size = strlen(words[i]);
        is_color = is_color || (length >= size && !strcmp(name + length - size, words[i]) &&
                                (length == size || name[length - size - 1] == '_'));
    }
    if (!printer->plain || !is_color || scalar != KIFU__U32 || values)
        return false;
    kifu__print_format(printer, "0x%06" PRIX64, kifu__read_integer(bytes, 4, false));
    return true;
}

// --- Structs ---------------------------------------------------------------------------------------------------------

// One element, or the only one.
static void print_one(kifu__printer *printer, uint8_t scalar, const kifu__enum *values, const kifu__struct *structure,
                      const unsigned char *bytes)
{
    if (structure)
        kifu__print_struct(printer, structure, bytes);
    else
        kifu__print_scalar(printer, scalar, values, bytes);
}

static void print_elements(kifu__printer *printer, const kifu__member *kind, const unsigned char *bytes, uint32_t count)
{
    const bool sparse = printer->plain && kind->structure;
    bool first = true;
    kifu__print(printer, "[");
    for (uint32_t i = 0; i < count && !printer->result; i++, bytes += kind->size) {
        if (sparse && kifu__is_zero(bytes, kind->size))
            continue;
        kifu__print(printer, first ? "" : ", ");
        first = false;
        if (sparse)
            kifu__print_format(printer, "%" PRIu32 ": ", i);
        print_one(printer, kind->scalar, kind->values, kind->structure, bytes);
    }
    kifu__print(printer, "]");
}

void kifu__print_member(kifu__printer *printer, const kifu__member *member, const unsigned char *structure)
{
    if (member->count)
        print_elements(printer, member, structure + member->offset, member->count);
    else if (member->structure ||
             !print_color(printer, member->name, member->scalar, member->values, structure + member->offset))
        print_one(printer, member->scalar, member->values, member->structure, structure + member->offset);
}

void kifu__print_struct(kifu__printer *printer, const kifu__struct *structure, const unsigned char *bytes)
{
    bool first = true;
    kifu__print(printer, "{");
    for (uint32_t i = 0; i < structure->member_count; i++) {
        kifu__print_key(printer, structure->members[i].name, &first);
        kifu__print_member(printer, &structure->members[i], bytes);
    }
    kifu__print(printer, "}");
}

void kifu__print_state(kifu__printer *printer, const kifu__struct *structure, const unsigned char *bytes)
{
    const char *between = printer->plain ? "" : "{\n    ";
    for (uint32_t i = 0; i < structure->member_count; i++) {
        bool first = true;
        kifu__print(printer, between);
        kifu__print_key(printer, structure->members[i].name, &first);
        kifu__print_member(printer, &structure->members[i], bytes);
        between = printer->plain ? "\n" : ",\n    ";
    }
    kifu__print(printer, printer->plain ? "\n" : "\n  }");
}

// --- Tables ----------------------------------------------------------------------------------------------------------

bool kifu__is_there(const kifu__field *field, const unsigned char *table)
{
    if (!field->offset)
        return false;
    return kifu__is_reference(field) ? kifu__load32(table + field->offset) != 0 : !field->has || table[field->has];
}

static void print_references(kifu__printer *printer, const kifu__field *field, const unsigned char *elements,
                             uint32_t count)
{
    kifu__print(printer, "[");
    for (uint32_t i = 0; i < count && !printer->result; i++) {
        const unsigned char *each = elements + 4 * (size_t)i;
        const unsigned char *to = each + kifu__load32(each);
        kifu__print(printer, i ? ", " : "");
        if (field->table)
            kifu__print_table(printer, field->table, to);
        else
            kifu__print_string(printer, to + 4, kifu__load32(to));
    }
    kifu__print(printer, "]");
}

void kifu__print_field(kifu__printer *printer, const kifu__field *field, const unsigned char *table)
{
    const unsigned char *place = table + field->offset;
    const kifu__member kind = {
        .size = field->size, .scalar = field->scalar, .values = field->values, .structure = field->structure};
    if (field->kind == KIFU__SCALAR && print_color(printer, field->name, field->scalar, field->values, place))
        return;
    if (!kifu__is_reference(field)) {
        print_one(printer, field->scalar, field->values, field->structure, place);
        return;
    }
    const unsigned char *to = place + kifu__load32(place);
    if (field->kind == KIFU__TABLE)
        kifu__print_table(printer, field->table, to);
    else if (field->kind == KIFU__STRING)
        kifu__print_string(printer, to + 4, kifu__load32(to));
    else if (field->kind == KIFU__VECTOR)
        print_elements(printer, &kind, to + 4, kifu__load32(to));
    else
        print_references(printer, field, to + 4, kifu__load32(to));
}

void kifu__print_table(kifu__printer *printer, const kifu__table *table, const unsigned char *bytes)
{
    bool first = true;
    kifu__print(printer, "{");
    for (uint32_t id = 0; id < table->field_count && !printer->result; id++) {
        const kifu__field *field = &table->fields[id];
        if (!kifu__is_there(field, bytes))
            continue;
        kifu__print_key(printer, field->name, &first);
        kifu__print_field(printer, field, bytes);
    }
    kifu__print(printer, "}");
}
