// Verifying: what is wrong with a segment is found, named and located.

#include "wire_help.h"

// A good segment of one event, to be broken. `at` is where its table lies.
typedef struct subject {
    bytes bytes;
    uint32_t at;
    uint32_t types, offsets, marks; // where their first elements are
} subject;

static subject of_segment(kifu__segment *segment)
{
    subject subject = {.bytes = bytes_of(segment->bytes, segment->size)};
    subject.types = (uint32_t)(segment->types - segment->bytes);
    subject.offsets = (uint32_t)((unsigned char *)segment->offsets - segment->bytes);
    subject.marks = (uint32_t)((unsigned char *)segment->marks - segment->bytes);
    if (segment->count)
        subject.at = (uint32_t)((const unsigned char *)kifu__segment_table(segment, 0) - segment->bytes);
    free(segment->bytes);
    return subject;
}

static subject one_event(uint32_t type, const void *blob, size_t size)
{
    kifu__segment segment = wire_segment(1, 2000);
    wire_append(&segment, type, blob, (uint32_t)size);
    return of_segment(&segment);
}

static subject flat(void)
{
    wire_e_flat flat = {.a = 1, .b = 2, .h = true};
    return one_event(FLAT, &flat, sizeof flat);
}

static void put16(subject *subject, uint32_t at, uint16_t value)
{
    memcpy(subject->bytes.at + at, &value, sizeof value);
}

static void put32(subject *subject, uint32_t at, uint32_t value)
{
    memcpy(subject->bytes.at + at, &value, sizeof value);
}

static uint32_t get32(const subject *subject, uint32_t at)
{
    uint32_t value;
    memcpy(&value, subject->bytes.at + at, sizeof value);
    return value;
}

// Frees it.
static void must_be_refused(subject *subject, const char *text)
{
    kifu__segment segment;
    kifu_error error = {.result = KIFU_OK};
    bool castable;
    kifu_result result = wire_verify(subject->bytes, &segment, &castable, &error);
    ck_assert_int_eq(result, KIFU_DAMAGED);
    ck_assert_int_eq(error.result, KIFU_DAMAGED);
    ck_assert_msg(strstr(error.message, text), "%s", error.message);
    ck_assert_uint_le(error.offset, subject->bytes.size);
    free(subject->bytes.at);
}

// Frees it.
static void must_be_good(subject *subject, bool is_castable)
{
    kifu__segment segment;
    kifu_error error;
    bool castable;
    ck_assert_msg(!wire_verify(subject->bytes, &segment, &castable, &error), "%s", error.message);
    ck_assert_int_eq(castable, is_castable);
    free(subject->bytes.at);
}

START_TEST(an_empty_segment_is_good)
{
    kifu__segment segment = wire_segment(0, 0);
    subject subject = of_segment(&segment);
    must_be_good(&subject, true);
}
END_TEST

START_TEST(S05_every_shorter_segment_is_refused)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 7, 7);
    bytes whole = wire_random(&rng, 12);
    for (size_t size = 0; size < whole.size; size++) {
        subject part = {.bytes = bytes_of(whole.at, size)};
        kifu__segment segment;
        kifu_error error;
        bool castable;
        kifu_result result = wire_verify(part.bytes, &segment, &castable, &error);
        // The last bytes may be padding.
        ck_assert(result == KIFU_DAMAGED || size + 8 > whole.size);
        free(part.bytes.at);
    }
    free(whole.at);
}
END_TEST

START_TEST(S05_the_message_names_event_field_and_byte)
{
    kifu__segment segment = wire_segment(20, 2000);
    wire_e_one_enum one = {.n = 1};
    for (int i = 0; i < 18; i++)
        wire_append(&segment, ONE_ENUM, &one, sizeof one);
    wire_e_one_enum *bad = (wire_e_one_enum *)(uintptr_t)kifu__segment_table(&segment, 17);
    bad->colour = 9;
    kifu_error error;
    kifu__buffer buffer = {.bytes = segment.bytes, .size = segment.size, .offset = 1000, .error = &error};
    kifu__segment seen;
    bool castable = true;
    ck_assert_int_eq(kifu__verify_segment(&buffer, &wire_rules, 100, false, NULL, 0, &seen, &castable), KIFU_DAMAGED);
    uint64_t offset = 1000 + (uint64_t)((unsigned char *)&bad->colour - segment.bytes);
    char expected[200];
    snprintf(expected, sizeof expected,
             "event 117 (wire.EOneEnum), field colour: value 9 is not in enum wire.Colour (byte %llu)",
             (unsigned long long)offset);
    ck_assert_str_eq(error.message, expected);
    ck_assert_uint_eq(error.event, 117);
    ck_assert_uint_eq(error.offset, offset);
    free(segment.bytes);
}
END_TEST

START_TEST(S05_offsets_are_verified)
{
    subject subject = flat();
    put32(&subject, subject.offsets, 0);
    must_be_refused(&subject, "its offset is 0");
    subject = flat();
    put32(&subject, subject.offsets, get32(&subject, subject.offsets) + 2);
    must_be_refused(&subject, "does not lead to a multiple of 4");
    subject = flat();
    put32(&subject, subject.offsets, (uint32_t)subject.bytes.size);
    must_be_refused(&subject, "leads outside");
    subject = flat();
    put32(&subject, subject.offsets, UINT32_C(0) - 40); // backwards, read as signed
    must_be_refused(&subject, "leads outside");
    subject = flat();
    put32(&subject, 0, 0);
    must_be_refused(&subject, "its offset is 0");
}
END_TEST

START_TEST(S05_an_event_needs_the_alignment_of_its_fields)
{
    kifu__segment segment = wire_segment(2, 2000);
    wire_e_flat event = {.a = 1};
    wire_append(&segment, FLAT, &event, sizeof event);
    wire_append(&segment, FLAT, &event, sizeof event);
    // The second table again, 4 bytes on.
    unsigned char *second = (unsigned char *)(uintptr_t)kifu__segment_table(&segment, 1);
    memmove(second + 4, second, sizeof event);
    int32_t back;
    memcpy(&back, second + 4, sizeof back);
    back += 4;
    memcpy(second + 4, &back, sizeof back);
    segment.offsets[1] += 4;
    segment.size += 4;
    subject subject = of_segment(&segment);
    must_be_refused(&subject, "field d: it is not aligned");
}
END_TEST

// Also behind one that was verified whole: it would have the same vtable.
START_TEST(S05_each_event_begins_at_a_multiple_of_four)
{
    const wire_e_empty empty = {0};
    for (uint32_t event = 1; event <= 2; event++) {
        for (uint32_t shift = 1; shift < 4; shift++) {
            kifu__segment segment = wire_segment(5, 2000);
            for (int i = 0; i < 5; i++)
                wire_append(&segment, EMPTY, &empty, sizeof empty);
            subject subject = of_segment(&segment);
            const uint32_t vtable = subject.at - get32(&subject, subject.at), at = subject.at + 4 * event + shift;
            put32(&subject, at, at - vtable);
            put32(&subject, subject.offsets + 4 * event, at - (subject.offsets + 4 * event));
            for (uint32_t other = 1; other < 5; other++) { // They share the first one's table.
                if (other != event)
                    put32(&subject, subject.offsets + 4 * other, subject.at - (subject.offsets + 4 * other));
            }
            must_be_refused(&subject, "does not lead to a multiple of 4");
        }
    }
}
END_TEST

START_TEST(S05_a_buffer_of_seven_bytes_is_too_small)
{
    subject subject = flat();
    subject.bytes.size = 7;
    must_be_refused(&subject, "it is too small for a FlatBuffer");
}
END_TEST

START_TEST(S05_the_mark_that_cannot_be_is_located)
{
    const wire_e_empty empty = {0};
    kifu__segment segment = wire_segment(5, 2000), verified;
    for (int i = 0; i < 5; i++)
        wire_append(&segment, EMPTY, &empty, sizeof empty);
    subject subject = of_segment(&segment);
    const uint32_t mark = subject.marks + 4 * 3;
    subject.bytes.at[mark + 2] = 0x80; // player -128
    kifu_error error;
    bool castable;
    ck_assert_int_eq(wire_verify(subject.bytes, &verified, &castable, &error), KIFU_DAMAGED);
    ck_assert_uint_eq(error.offset, mark);
    ck_assert_uint_eq(error.event, 3);
    subject.bytes.at[mark + 2] = 0xff; // player -1, who is nobody
    put16(&subject, mark, 4);
    must_be_refused(&subject, "event 3 (wire.EEmpty): its cause is 4 events back");
}
END_TEST

START_TEST(S05_vtables_are_verified)
{
    subject subject = flat();
    put32(&subject, subject.at, UINT32_C(0x40000000));
    must_be_refused(&subject, "vtable lies outside");
    subject = flat();
    put32(&subject, subject.at, UINT32_C(0) - (uint32_t)(subject.bytes.size - subject.at - 2));
    must_be_refused(&subject, "vtable lies outside");
    subject = flat();
    put32(&subject, subject.at, get32(&subject, subject.at) + 1);
    must_be_refused(&subject, "vtable is not aligned");
    uint32_t vtable = 0;
    for (uint32_t size = 0; size < 6; size++) {
        if (size == 4) // no entries: every field has its default
            continue;
        subject = flat();
        vtable = subject.at - get32(&subject, subject.at);
        put16(&subject, vtable, (uint16_t)size);
        must_be_refused(&subject, "impossible size");
    }
    subject = flat();
    put16(&subject, vtable, 0xfffe);
    must_be_refused(&subject, "impossible size");
    subject = flat();
    put16(&subject, vtable + 2, 0xffff);
    must_be_refused(&subject, "does not lie inside the buffer");
    for (uint16_t size = 0; size < 4; size++) {
        subject = flat();
        put16(&subject, vtable + 2, size);
        must_be_refused(&subject, "does not lie inside the buffer");
    }
    subject = flat();
    put16(&subject, vtable + 2, 30); // the field e is behind that
    must_be_refused(&subject, "does not lie inside its table");
    for (uint16_t entry = 1; entry < 4; entry++) {
        subject = flat();
        put16(&subject, vtable + 4, entry);
        must_be_refused(&subject, "field a: it does not lie inside its table");
    }
    subject = flat();
    put16(&subject, vtable + 4 + 2 * 3, 12);
    must_be_refused(&subject, "field d: it is not aligned");
}
END_TEST

START_TEST(another_vtable_is_converted_and_not_cast)
{
    subject subject = flat();
    uint32_t vtable = subject.at - get32(&subject, subject.at);
    put16(&subject, vtable + 4, 0); // `a` is absent: its default may be another than what lies there
    must_be_good(&subject, false);
    subject = flat();
    put16(&subject, vtable + 4, (uint16_t)offsetof(wire_e_flat, g)); // `a` is where `g` is
    must_be_good(&subject, false);
    subject = flat();
    put16(&subject, vtable + 2, (uint16_t)(sizeof(wire_e_flat) - 4)); // without the padding at its end
    must_be_good(&subject, false);
}
END_TEST

// A vtable as large as the compiled one, in which `h` is where `a` is: good in the first event, no bool in the second.
START_TEST(S05_a_later_event_is_verified_by_its_own_vtable)
{
    for (uint8_t a = 1; a <= 2; a++) {
        kifu__segment segment = wire_segment(2, 2000);
        wire_append(&segment, FLAT, &(wire_e_flat){.a = 1, .h = true}, sizeof(wire_e_flat));
        wire_append(&segment, FLAT, &(wire_e_flat){.a = a, .h = true}, sizeof(wire_e_flat));
        subject subject = of_segment(&segment);
        const uint32_t vtable = subject.at - get32(&subject, subject.at);
        put16(&subject, vtable + 4 + 2 * 7, (uint16_t)offsetof(wire_e_flat, a));
        if (a == 1)
            must_be_good(&subject, false);
        else
            must_be_refused(&subject, "field h: value 2");
    }
}
END_TEST

// A newer version's field of one byte at least, where its table's vtable says.
START_TEST(S05_a_field_that_only_a_newer_version_knows_lies_inside_its_table)
{
    enum { ENTRIES = 2 + 8, OUTSIDE = sizeof(wire_e_flat) };
    static const struct {
        uint16_t entry;
        bool good, castable;
    } cases[] = {
        {0, true, true}, {3, false, false}, {4, true, false}, {OUTSIDE - 1, true, false}, {OUTSIDE, false, false}};
    struct {
        wire_e_flat event;
        uint16_t vtable[ENTRIES + 1];
    } newer = {.event = {.a = 1}};
    memcpy(newer.vtable, wire_rules.types[FLAT].table->vtable, ENTRIES * sizeof(uint16_t));
    newer.vtable[0] = sizeof newer.vtable;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        newer.vtable[ENTRIES] = cases[i].entry;
        subject subject = one_event(FLAT, &newer, sizeof newer);
        put32(&subject, subject.at, UINT32_C(0) - (uint32_t)((char *)newer.vtable - (char *)&newer));
        if (cases[i].good)
            must_be_good(&subject, cases[i].castable);
        else
            must_be_refused(&subject, "a field that this version does not know lies outside its table");
    }
}
END_TEST

START_TEST(absent_fields_may_be_cast_when_they_read_as_absent)
{
    wire_e_optional optional = {.has_c = true, .c = WIRE_LEVEL_HIGH};
    subject subject = one_event(OPTIONAL, &optional, sizeof optional);
    must_be_good(&subject, true);
    subject = one_event(OPTIONAL, &optional, sizeof optional);
    subject.bytes.at[subject.at + offsetof(wire_e_optional, has_a)] = 1; // says more than the vtable
    must_be_good(&subject, false);
    subject = one_event(OPTIONAL, &optional, sizeof optional);
    subject.bytes.at[subject.at + offsetof(wire_e_optional, has_c)] = 0; // says less
    must_be_good(&subject, false);
    subject = one_event(OPTIONAL, &optional, sizeof optional);
    subject.bytes.at[subject.at + offsetof(wire_e_optional, has_c)] = 2; // is no bool
    must_be_good(&subject, false);
    subject = one_event(OPTIONAL, &optional, sizeof optional);
    subject.bytes.at[subject.at + offsetof(wire_e_optional, b)] = 1; // not zero, where absent
    must_be_good(&subject, false);
    subject = one_event(OPTIONAL, &optional, sizeof optional);
    put16(&subject, subject.at + (uint32_t)offsetof(wire_e_optional, c), 1);
    must_be_refused(&subject, "field c: value 1 is not in enum wire.Level");
}
END_TEST

typedef struct text {
    wire_e_text event;
    uint32_t length;
    char name[4];
} text;

static subject named(void)
{
    text text = {.length = 3, .name = "you"};
    text.event.name.offset = (uint32_t)(offsetof(struct text, length) - offsetof(struct text, event.name));
    return one_event(TEXT, &text, sizeof text);
}

START_TEST(S05_strings_are_verified)
{
    subject subject = named();
    must_be_good(&subject, true);
    uint32_t length = (uint32_t)offsetof(text, length), name = (uint32_t)offsetof(text, name);
    subject = named();
    subject.bytes.at[subject.at + name + 3] = '!';
    must_be_refused(&subject, "field name: the string does not end in a zero byte");
    subject = named();
    put32(&subject, subject.at + length, 1000);
    must_be_refused(&subject, "field name: its length leads outside");
    subject = named();
    put32(&subject, subject.at + length, UINT32_MAX);
    must_be_refused(&subject, "field name: its length leads outside");
    subject = named();
    put32(&subject, subject.at + (uint32_t)offsetof(text, event.name), 0);
    must_be_refused(&subject, "field name: its offset is 0");
    subject = named();
    uint32_t vtable = subject.at - get32(&subject, subject.at);
    put16(&subject, vtable + 4 + 2 * 1, 0);
    must_be_refused(&subject, "field name: it is required, and absent");
    subject = named();
    put32(&subject, subject.at + (uint32_t)offsetof(text, event.text), 8); // no entry, so nobody looks
    must_be_good(&subject, false);
}
END_TEST

// Two events that have all their fields: the second of a type goes a quicker way than the first. Says where it lies.
static subject two_named(uint32_t *second)
{
    text text = {.length = 3, .name = "you"};
    text.event.name.offset = (uint32_t)(offsetof(struct text, length) - offsetof(struct text, event.name));
    text.event.text.offset = (uint32_t)(offsetof(struct text, length) - offsetof(struct text, event.text));
    kifu__segment segment = wire_segment(2, 2000);
    wire_append(&segment, TEXT, &text, sizeof text);
    wire_append(&segment, TEXT, &text, sizeof text);
    subject subject = of_segment(&segment);
    *second = subject.offsets + 4 + get32(&subject, subject.offsets + 4);
    return subject;
}

START_TEST(S05_the_string_of_a_later_event_ends_inside_the_buffer)
{
    uint32_t second;
    subject subject = two_named(&second);
    const size_t size = subject.bytes.size;
    put32(&subject, second + (uint32_t)offsetof(text, length),
          (uint32_t)size - second - (uint32_t)offsetof(text, name));
    subject.bytes.at = (unsigned char *)realloc(subject.bytes.at, size + 1);
    ck_assert_ptr_nonnull(subject.bytes.at);
    subject.bytes.at[size] = '\0'; // behind the buffer
    must_be_refused(&subject, "event 1 (wire.EText), field text: the string does not end in a zero byte");
}
END_TEST

START_TEST(what_lies_behind_the_last_event_is_none)
{
    uint32_t second;
    for (int last = 0; last < 2; last++) {
        subject subject = two_named(&second);
        subject.bytes.at[second + offsetof(text, name) + 3] = '!';
        for (int i = 0; i < 3 && !last; i++)
            put32(&subject, (const uint32_t[]){subject.types, subject.offsets, subject.marks}[i] - 4, 1);
        if (last)
            must_be_refused(&subject, "event 1 (wire.EText), field text: the string does not end in a zero byte");
        else
            must_be_good(&subject, true);
    }
}
END_TEST

typedef struct vectors {
    wire_e_vectors event;
    uint32_t colour_count;
    uint8_t colours[4];
    uint32_t unused[2];
    uint32_t double_count;
    double doubles[2];
    uint32_t string_count;
    uint32_t strings[1];
    uint32_t length;
    char string[4];
} vectors;

static subject filled(void)
{
    vectors vectors = {.colour_count = 4,
                       .colours = {0, 1, 2, 1},
                       .double_count = 2,
                       .string_count = 1,
                       .strings = {4},
                       .length = 1,
                       .string = "x"};
#define POINT(field, target)                                                                                           \
    vectors.event.field.offset = (uint32_t)((char *)&vectors.target - (char *)&vectors.event.field)
    POINT(colours, colour_count);
    POINT(doubles, double_count);
    POINT(strings, string_count);
    return one_event(VECTORS, &vectors, sizeof vectors);
}

START_TEST(S05_vectors_are_verified)
{
    subject subject = filled();
    must_be_good(&subject, true);
    subject = filled();
    subject.bytes.at[subject.at + offsetof(vectors, colours) + 2] = 3;
    must_be_refused(&subject, "field colours[2]: value 3 is not in enum wire.Colour");
    subject = filled();
    put32(&subject, subject.at + (uint32_t)offsetof(vectors, double_count), UINT32_C(0x20000001)); // times 8 overflows
    must_be_refused(&subject, "field doubles: its length leads outside");
    subject = filled();
    put32(&subject, subject.at + (uint32_t)offsetof(vectors, unused[1]), 1);
    put32(&subject, subject.at + (uint32_t)offsetof(vectors, event.doubles),
          (uint32_t)(offsetof(vectors, unused[1]) - offsetof(vectors, event.doubles)));
    must_be_refused(&subject, "field doubles: its elements are not aligned");
    subject = filled();
    put32(&subject, subject.at + (uint32_t)offsetof(vectors, event.doubles), // nothing, which flatc does not align
          (uint32_t)(offsetof(vectors, unused[1]) - offsetof(vectors, event.doubles)));
    must_be_good(&subject, false);
    subject = filled();
    put32(&subject, subject.at + (uint32_t)offsetof(vectors, strings), 0);
    must_be_refused(&subject, "field strings[0]: its offset is 0");
    subject = filled();
    subject.bytes.at[subject.at + offsetof(vectors, string) + 1] = 'y';
    must_be_refused(&subject, "field strings[0]: the string does not end in a zero byte");
    subject = filled();
    put32(&subject, subject.at + (uint32_t)offsetof(vectors, string_count), 400);
    must_be_refused(&subject, "field strings: its length leads outside");
}
END_TEST

// A later event of a type that has nothing but strings, and vectors without values to check, is verified quickly.
START_TEST(S05_vectors_of_a_later_event_are_aligned_too)
{
    static const uint16_t vtables[] = {6, 8, 4, 0};
    static const kifu__field field = {.name = "doubles", .kind = KIFU__VECTOR, .align = 8, .size = 8, .offset = 4};
    static const kifu__table table = {
        .name = "Doubles", .size = 8, .align = 8, .field_count = 1, .fields = &field, .vtable = vtables};
    static const kifu__type types[] = {{.table = NULL}, {.table = &table}};
    const kifu_rules rules = {
        .name = "doubles", .type_count = 1, .types = types, .vtables = vtables, .vtables_size = sizeof vtables};
    for (uint32_t odd = 0; odd < 2; odd++) {
        const kifu__memory memory = wire_memory();
        kifu__segment segment, seen;
        ck_assert_int_eq(kifu__segment_new(&memory, &rules, 1, 2, 200, &segment), KIFU_OK);
        for (uint32_t i = 0; i < 2; i++) {
            const uint32_t at = i && odd ? 2 : 3; // Where the vector begins: its elements are aligned behind 3.
            uint32_t event[] = {0, 4 * (at - 1), 0, 0, 0, 0};
            const void *sealed;
            event[at] = 1;
            ck_assert(kifu__segment_append(&segment, &rules, 1, event, sizeof event, (kifu__mark){0}, &sealed));
            kifu__segment_show(&segment);
        }
        kifu_error error;
        bool castable = true;
        const kifu__buffer buffer = {.bytes = segment.bytes, .size = segment.size, .error = &error};
        const kifu_result result = kifu__verify_segment(&buffer, &rules, 0, false, NULL, 0, &seen, &castable);
        ck_assert_int_eq(result, odd ? KIFU_DAMAGED : KIFU_OK);
        ck_assert(!odd || strstr(error.message, "event 1 (Doubles), field doubles: its elements are not aligned"));
        free(segment.bytes);
    }
}
END_TEST

START_TEST(S05_strings_of_a_later_event_are_verified_too)
{
    struct text {
        wire_e_text event;
        uint32_t length;
        char text[8];
        uint32_t zeros[4];
    } one = {.length = 2, .text = "hi"};
    one.event.text.offset = (uint32_t)((char *)&one.length - (char *)&one.event.text);
    one.event.name.offset = (uint32_t)((char *)&one.length - (char *)&one.event.name);
    for (uint32_t event = 0; event < 2; event++) {
        kifu__segment segment = wire_segment(2, 2000);
        for (int i = 0; i < 2; i++)
            wire_append(&segment, TEXT, &one, sizeof one);
        const uint32_t at = (uint32_t)((const unsigned char *)kifu__segment_table(&segment, event) - segment.bytes);
        subject subject = of_segment(&segment);
        subject.bytes.at[at + offsetof(struct text, text) + 2] = '!'; // Behind it is a zero.
        must_be_refused(&subject, "the string does not end in a zero byte");
    }
    for (uint32_t shift = 0; shift < 4; shift++) { // an empty string, at an odd place
        kifu__segment segment = wire_segment(2, 2000);
        for (int i = 0; i < 2; i++)
            wire_append(&segment, TEXT, &one, sizeof one);
        const uint32_t at = (uint32_t)((const unsigned char *)kifu__segment_table(&segment, 1) - segment.bytes);
        subject subject = of_segment(&segment);
        const uint32_t place = at + (uint32_t)offsetof(struct text, event.text);
        put32(&subject, place, at + (uint32_t)offsetof(struct text, zeros) + 4 + shift - place);
        if (shift)
            must_be_refused(&subject, "field text: its offset does not lead to a multiple of 4");
        else
            must_be_good(&subject, true);
    }
}
END_TEST

START_TEST(S05_head_vectors_must_agree)
{
    subject subject = flat();
    put32(&subject, subject.types - 4, 2);
    kifu__segment segment;
    kifu_error error;
    bool castable;
    ck_assert_int_eq(wire_verify(subject.bytes, &segment, &castable, &error), KIFU_DAMAGED);
    ck_assert_uint_eq(error.offset, get32(&subject, 0)); // of the segment's table
    free(subject.bytes.at);
    subject = flat();
    put32(&subject, subject.types - 4, 2);
    must_be_refused(&subject, "there are 2 types and 1 marks");
    subject = flat();
    put32(&subject, subject.marks - 4, 0);
    must_be_refused(&subject, "there are 1 types and 0 marks");
    subject = flat();
    put32(&subject, subject.offsets - 4, 0);
    must_be_refused(&subject, "0 events need as many types and marks");
    subject = flat();
    put16(&subject, 4 + 4, 0); // no types at all
    must_be_refused(&subject, "events without events_type");
    subject = flat();
    put16(&subject, 4 + 4 + 2 * 2, 0); // no marks at all
    must_be_refused(&subject, "there are 1 types and 0 marks");
}
END_TEST

START_TEST(S06_types_must_be_known)
{
    subject subject = flat();
    subject.bytes.at[subject.types] = 0;
    must_be_refused(&subject, "it has no type");
    subject = flat();
    subject.bytes.at[subject.types] = 200;
    kifu__segment segment;
    kifu_error error;
    bool castable;
    ck_assert_int_eq(wire_verify(subject.bytes, &segment, &castable, &error), KIFU_UNKNOWN_EVENT);
    ck_assert_str_eq(error.message,
                     "event 0 is an event (type 200), which this version of wire does not know; it knows "
                     "types 1 to 9: update the game");
    ck_assert_uint_eq(error.offset, subject.types);
    free(subject.bytes.at);
}
END_TEST

START_TEST(S06_an_unknown_type_is_named_by_the_schema_in_the_save)
{
    kifu_rules older = wire_rules;
    older.type_count = 3;
    subject subject = flat();
    subject.bytes.at[subject.types] = TEXT;
    kifu_error error;
    kifu__buffer buffer = {.bytes = subject.bytes.at, .size = (uint32_t)subject.bytes.size, .error = &error};
    kifu__segment segment;
    bool castable = true;
    ck_assert_int_eq(
        kifu__verify_segment(&buffer, &older, 0, false, wire_rules.bfbs, wire_rules.bfbs_size, &segment, &castable),
        KIFU_UNKNOWN_EVENT);
    ck_assert_ptr_nonnull(strstr(error.message, "event 0 is wire.EText (type 6)"));
    free(subject.bytes.at);
}
END_TEST

START_TEST(S06_a_broken_schema_names_nothing)
{
    char name[100];
    ck_assert(kifu__event_name(wire_rules.bfbs, wire_rules.bfbs_size, "wire.Event", 2, name, sizeof name));
    ck_assert_str_eq(name, "wire.EFlat");
    ck_assert(kifu__event_name(wire_rules.bfbs, wire_rules.bfbs_size, "wire.Event", 2, name, 5));
    ck_assert_str_eq(name, "wire");
    ck_assert(!kifu__event_name(wire_rules.bfbs, wire_rules.bfbs_size, "wire.Other", 2, name, sizeof name));
    ck_assert(!kifu__event_name(wire_rules.bfbs, wire_rules.bfbs_size, "wire.Event", 10, name, sizeof name));
    ck_assert(!kifu__event_name(NULL, 0, "wire.Event", 2, name, sizeof name));
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 5);
    for (unsigned long step = 0; step < fuzz_steps(20000) / 10; step++) {
        bytes broken = bytes_of(wire_rules.bfbs, wire_rules.bfbs_size - kifu_rng_below(&rng, 2));
        for (int i = 0; i < 3; i++)
            broken.at[kifu_rng_below(&rng, (uint32_t)broken.size)] ^= (unsigned char)kifu_rng_next(&rng);
        kifu__event_name(broken.at, (uint32_t)broken.size, "wire.Event", 1 + (uint32_t)step % 12, name, sizeof name);
        free(broken.at);
    }
}
END_TEST

static kifu_result verify_at(subject *subject, const kifu_rules *rules, uint32_t first_event, bool *castable,
                             kifu_error *error)
{
    const kifu__buffer buffer = {.bytes = subject->bytes.at, .size = (uint32_t)subject->bytes.size, .error = error};
    kifu__segment segment;
    return kifu__verify_segment(&buffer, rules, first_event, false, NULL, 0, &segment, castable);
}

START_TEST(a_log_of_four_billion_events_takes_no_more)
{
    subject subject = flat();
    kifu_error error;
    bool castable = true;
    ck_assert_int_eq(verify_at(&subject, &wire_rules, KIFU_NONE - 2, &castable, &error), KIFU_OK);
    ck_assert_int_eq(verify_at(&subject, &wire_rules, KIFU_NONE - 1, &castable, &error), KIFU_TOO_LARGE);
    ck_assert_ptr_nonnull(strstr(error.message, "4,294,967,294 events"));
    free(subject.bytes.at);
}
END_TEST

START_TEST(what_could_not_be_cast_before_cannot_be_cast_with_this)
{
    subject subject = flat();
    bool castable = false;
    ck_assert_int_eq(verify_at(&subject, &wire_rules, 0, &castable, NULL), KIFU_OK);
    ck_assert(!castable);
    free(subject.bytes.at);
}
END_TEST

// Four bytes on, the optional numbers of eight bytes would not be aligned, were they there.
START_TEST(absent_fields_may_not_be_cast_where_they_would_not_be_aligned)
{
    for (int shift = 0; shift <= 8; shift += 4) {
        kifu__segment segment = wire_segment(1, 2000);
        wire_e_optional optional = {.has_a = true, .a = 4};
        wire_append(&segment, OPTIONAL, &optional, sizeof optional);
        unsigned char *event = (unsigned char *)(uintptr_t)kifu__segment_table(&segment, 0);
        memmove(event + shift, event, (size_t)(segment.bytes + segment.size - event)); // and its vtable, right behind
        segment.offsets[0] += (uint32_t)shift;
        segment.size += (uint32_t)shift;
        subject subject = of_segment(&segment);
        must_be_good(&subject, shift != 4);
    }
}
END_TEST

// The second event of a type goes a quicker way than the first: by the table's checks, or by one byte alone.
START_TEST(S05_values_of_each_kind_of_enum_are_verified_in_every_event)
{
    static const int64_t sparse[] = {1, 4, 200};
    static const kifu__enum kinds[] = {
        {.name = "dense", .size = 1, .low = 3, .high = 6},
        {.name = "sparse", .size = 1, .low = 1, .high = 200, .values = sparse, .value_count = 3},
        {.name = "flags", .size = 1, .bit_flags = true, .mask = 0x0d},
        {.name = "short", .size = 2, .low = 3, .high = 600},
        {.name = "signed", .size = 1, .is_signed = true, .low = -3, .high = 2}};
    static const struct {
        int kind;
        uint32_t count; // of values, one behind the other
        uint32_t good, bad;
    } cases[] = {{0, 1, 3, 2},
                 {0, 1, 6, 7},
                 {1, 1, 4, 5},
                 {1, 1, 200, 0},
                 {2, 1, 0x0c, 0x02},
                 {3, 1, 600, 601},
                 {3, 1, 0x103, 2},
                 {4, 1, 0xfd, 0xfc},
                 {4, 1, 2, 3},
                 {0, 4, 0x03040506, 0x03040507},
                 {0, 4, 0x06050403, 0x07050403}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const kifu__enum *values = &kinds[cases[i].kind];
        const kifu__check check = {.field = "n",
                                   .values = values,
                                   .offset = offsetof(wire_e_one_enum, n),
                                   .count = cases[i].count,
                                   .stride = values->size};
        const kifu__struct row = {
            .name = "row",
            .size = 4,
            .align = 1,
            .checks = &(kifu__check){.field = "", .values = values, .count = cases[i].count, .stride = 1},
            .check_count = 1};
        kifu__table table = *wire_rules.types[ONE_ENUM].table;
        kifu__field fields[2];
        memcpy(fields, table.fields, sizeof fields);
        fields[0].values = NULL;
        fields[1].kind = cases[i].count > 1 ? KIFU__STRUCT : KIFU__SCALAR;
        fields[1].structure = cases[i].count > 1 ? &row : NULL;
        fields[1].values = cases[i].count > 1 ? NULL : values;
        table.fields = fields;
        table.checks = &check;
        table.check_count = 1;
        kifu__type types[ONE_ENUM + 1];
        memcpy(types, wire_rules.types, sizeof types);
        types[ONE_ENUM].table = &table;
        kifu_rules rules = wire_rules;
        rules.types = types;
        rules.type_count = ONE_ENUM;
        for (int bad = -1; bad < 3; bad++) {
            kifu__segment segment = wire_segment(3, 2000);
            for (int event = 0; event < 3; event++) {
                wire_e_one_enum one = {.n = event == bad ? cases[i].bad : cases[i].good};
                wire_append(&segment, ONE_ENUM, &one, sizeof one);
            }
            subject subject = of_segment(&segment);
            kifu_error error = {.event = KIFU_NONE};
            bool castable = true;
            const kifu_result result = verify_at(&subject, &rules, 0, &castable, &error);
            ck_assert_msg(result == (bad < 0 ? KIFU_OK : KIFU_DAMAGED), "case %zu, event %d", i, bad);
            ck_assert_uint_eq(error.event, bad < 0 ? KIFU_NONE : (uint32_t)bad);
            free(subject.bytes.at);
        }
    }
}
END_TEST

// --- Marks -----------------------------------------------------------------------------------------------------------

static kifu_result verify_mark(kifu__mark mark, uint32_t first_event, bool pending, kifu_error *error)
{
    subject subject = flat();
    memcpy(subject.bytes.at + subject.marks, &mark, sizeof mark);
    kifu__buffer buffer = {.bytes = subject.bytes.at, .size = (uint32_t)subject.bytes.size, .error = error};
    kifu__segment segment;
    bool castable = true;
    kifu_result result = kifu__verify_segment(&buffer, &wire_rules, first_event, pending, NULL, 0, &segment, &castable);
    free(subject.bytes.at);
    return result;
}

START_TEST(S05_marks_are_verified)
{
    kifu_error error;
    for (int player = -128; player < 128; player++) {
        kifu__mark mark = {.player = (int8_t)player, .flags = 3};
        ck_assert_int_eq(verify_mark(mark, 0, false, &error), player < -1 ? KIFU_DAMAGED : KIFU_OK);
    }
    for (unsigned flags = 0; flags < 256; flags++) {
        kifu__mark mark = {.player = -1, .flags = (uint8_t)flags};
        ck_assert_int_eq(verify_mark(mark, 0, false, &error), flags & ~0x3Bu ? KIFU_DAMAGED : KIFU_OK);
        ck_assert_int_eq(verify_mark(mark, 0, true, &error), flags & ~0x3Fu ? KIFU_DAMAGED : KIFU_OK);
    }
    ck_assert_int_eq(verify_mark((kifu__mark){.player = -2}, 0, false, &error), KIFU_DAMAGED);
    ck_assert_ptr_nonnull(strstr(error.message, "event 0 (wire.EFlat): its mark has player -2"));
    ck_assert_int_eq(verify_mark((kifu__mark){.flags = KIFU__CONSEQUENCE}, 0, false, &error), KIFU_DAMAGED);
    ck_assert_ptr_nonnull(strstr(error.message, "flags 0x4"));
}
END_TEST

START_TEST(S05_a_cause_is_an_earlier_event)
{
    kifu_error error;
    const struct {
        uint32_t first, cause;
        bool good;
    } cases[] = {{0, 0, true},
                 {0, 1, false},
                 {5, 5, true},
                 {5, 6, false},
                 {65534, 65535, false},
                 {65535, 65535, true},
                 {4000000000, 65535, true},
                 {4000000000, 0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu__mark mark = {.cause = (uint16_t)cases[i].cause};
        for (int pending = 0; pending < 2; pending++)
            ck_assert_int_eq(verify_mark(mark, cases[i].first, pending, &error),
                             cases[i].good ? KIFU_OK : KIFU_DAMAGED);
    }
    ck_assert_int_eq(verify_mark((kifu__mark){.cause = 3}, 2, false, &error), KIFU_DAMAGED);
    ck_assert_ptr_nonnull(strstr(error.message, "event 2 (wire.EFlat): its cause is 3 events back"));
    ck_assert_int_eq(verify_mark((kifu__mark){.cause = 3}, 2, true, &error), KIFU_DAMAGED);
    ck_assert_ptr_nonnull(strstr(error.message, "waiting event 0"));
}
END_TEST

START_TEST(every_mark_of_a_long_segment_is_verified)
{
    enum { COUNT = 1000 };
    kifu__segment segment = wire_segment(COUNT, COUNT * 8);
    wire_e_empty empty = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        wire_append(&segment, EMPTY, &empty, sizeof empty);
        segment.marks[i].cause = (uint16_t)i; // the first event of all
    }
    bytes bytes = {segment.bytes, segment.size};
    kifu__segment seen;
    kifu_error error;
    bool castable;
    ck_assert_int_eq(wire_verify(bytes, &seen, &castable, &error), KIFU_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        segment.marks[i].cause++;
        ck_assert_int_eq(wire_verify(bytes, &seen, &castable, &error), KIFU_DAMAGED);
        ck_assert_uint_eq(error.event, i);
        segment.marks[i].cause--;
    }
    free(segment.bytes);
}
END_TEST

START_TEST(every_event_of_a_long_segment_is_verified)
{
    enum { COUNT = 700 };
    kifu__segment segment = wire_segment(COUNT, COUNT * 100);
    for (uint32_t i = 0; i < COUNT; i++) {
        wire_e_flat flat = {.h = true};
        wire_e_one_enum one = {.n = i};
        wire_e_checks checks = {.level = WIRE_LEVEL_LOW, .distance = WIRE_DISTANCE_NEAR};
        if (i % 3 == 0)
            wire_append(&segment, FLAT, &flat, sizeof flat);
        else if (i % 3 == 1)
            wire_append(&segment, ONE_ENUM, &one, sizeof one);
        else
            wire_append(&segment, CHECKS, &checks, sizeof checks);
    }
    bytes bytes = {segment.bytes, segment.size};
    kifu__segment seen;
    kifu_error error;
    bool castable;
    ck_assert_int_eq(wire_verify(bytes, &seen, &castable, &error), KIFU_OK);
    ck_assert(castable);
    static const size_t enums[] = {offsetof(wire_e_flat, h), offsetof(wire_e_one_enum, colour),
                                   offsetof(wire_e_checks, grid.points[1].colour)};
    for (uint32_t i = 0; i < COUNT; i++) {
        unsigned char *value = (unsigned char *)(uintptr_t)kifu__segment_table(&segment, i) + enums[i % 3];
        unsigned char old = *value;
        *value = 200;
        ck_assert_int_eq(wire_verify(bytes, &seen, &castable, &error), KIFU_DAMAGED);
        ck_assert_uint_eq(error.event, i);
        *value = old;
        uint32_t offset = segment.offsets[i];
        segment.offsets[i] = UINT32_MAX - 3;
        ck_assert_int_eq(wire_verify(bytes, &seen, &castable, &error), KIFU_DAMAGED);
        ck_assert_uint_eq(error.event, i);
        segment.offsets[i] = offset;
    }
    free(segment.bytes);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_empty_segment_is_good,
        S05_every_shorter_segment_is_refused,
        S05_the_message_names_event_field_and_byte,
        S05_offsets_are_verified,
        S05_an_event_needs_the_alignment_of_its_fields,
        S05_each_event_begins_at_a_multiple_of_four,
        S05_a_buffer_of_seven_bytes_is_too_small,
        S05_the_mark_that_cannot_be_is_located,
        S05_vtables_are_verified,
        another_vtable_is_converted_and_not_cast,
        S05_a_later_event_is_verified_by_its_own_vtable,
        S05_a_field_that_only_a_newer_version_knows_lies_inside_its_table,
        absent_fields_may_be_cast_when_they_read_as_absent,
        S05_strings_are_verified,
        S05_strings_of_a_later_event_are_verified_too,
        S05_the_string_of_a_later_event_ends_inside_the_buffer,
        what_lies_behind_the_last_event_is_none,
        S05_vectors_are_verified,
        S05_vectors_of_a_later_event_are_aligned_too,
        S05_head_vectors_must_agree,
        S06_types_must_be_known,
        S06_an_unknown_type_is_named_by_the_schema_in_the_save,
        S06_a_broken_schema_names_nothing,
        a_log_of_four_billion_events_takes_no_more,
        what_could_not_be_cast_before_cannot_be_cast_with_this,
        absent_fields_may_not_be_cast_where_they_would_not_be_aligned,
        S05_values_of_each_kind_of_enum_are_verified_in_every_event,
        S05_marks_are_verified,
        S05_a_cause_is_an_earlier_event,
        every_mark_of_a_long_segment_is_verified,
        every_event_of_a_long_segment_is_verified,
    };
    return run_suite("verify", tests, sizeof tests / sizeof *tests);
}
