// Segments as columns and back: whatever the events, and whatever is in the columns.

#include <sys/mman.h>
#include <unistd.h>

#include "wire/buffer.h"
#include "wire/builder.h"
#include "save/columns.h"
#include "wire_help.h"

static uint32_t draw(kifu_rng *rng, uint32_t below)
{
    return kifu_rng_below(rng, below);
}

// --- Helpers ---------------------------------------------------------------------------------------------------------

static kifu__segment verified(bytes segment_bytes, bool *castable)
{
    kifu__segment segment;
    kifu_error error;
    ck_assert_msg(!wire_verify(segment_bytes, &segment, castable, &error), "%s", error.message);
    return segment;
}

// A segment of random events with random marks that can be.
static bytes random_segment(kifu_rng *rng, uint32_t count)
{
    bytes made = wire_random(rng, count);
    bool castable;
    kifu__segment segment = verified(made, &castable);
    for (uint32_t i = 0; i < segment.count; i++) {
        segment.marks[i].cause = (uint16_t)draw(rng, i + 1);
        segment.marks[i].player = (int8_t)((int)draw(rng, 5) - 1);
        segment.marks[i].flags = (uint8_t)(draw(rng, 4) | draw(rng, 2) << 3);
    }
    return made;
}

static bytes columns_of(const kifu__segment *segments, uint32_t count)
{
    kifu__memory memory = wire_memory();
    kifu__columns columns;
    ck_assert_int_eq(kifu__pack(&wire_rules, segments, count, &memory, &columns), KIFU_OK);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < columns.part_count; i++) {
        ck_assert_uint_gt(columns.parts[i], 0);
        sum += columns.parts[i];
    }
    ck_assert_uint_eq(sum, columns.size);
    bytes copy = bytes_of(columns.bytes, columns.size);
    kifu__columns_free(&columns, &memory);
    return copy;
}

static int allocations_left, living;
static unsigned char filling; // what new memory is full of

static void *allocate_some(void *context, void *block, size_t size)
{
    (void)context;
    if (!size) {
        free(block);
        living--;
        return NULL;
    }
    if (allocations_left-- <= 0)
        return NULL;
    living += !block;
    void *made = realloc(block, size);
    if (!block && made)
        memset(made, filling, size);
    return made;
}

// The same columns in pieces of few bytes, each of which is gone when the next one is there.
typedef struct pieces {
    kifu__column_source source;
    bytes columns;
    unsigned char piece[5];
    long reads_left; // Then it fails; negative: it does not.
    uint32_t reads;
} pieces;

static kifu_result read_piece(kifu__column_source *source, uint64_t at, const unsigned char **from, uint32_t *size)
{
    pieces *pieces = (struct pieces *)source;
    ck_assert_uint_lt(at, source->size);
    if (pieces->reads_left-- == 0)
        return KIFU_DAMAGED;
    const uint32_t some = 1 + pieces->reads++ % sizeof pieces->piece, left = source->size - (uint32_t)at;
    *size = some < left ? some : left;
    memset(pieces->piece, 0xEE, sizeof pieces->piece);
    memcpy(pieces->piece, pieces->columns.at + at, *size);
    *from = pieces->piece;
    return KIFU_OK;
}

static kifu_result unpack_pieces(bytes columns, pieces *pieces, unsigned char **at, uint32_t *size, const char **reason)
{
    kifu__memory memory = kifu__memory_of(allocate_some, NULL);
    *pieces = (struct pieces){{(uint32_t)columns.size, read_piece}, columns, .reads_left = pieces->reads_left};
    allocations_left = 2;
    return kifu__unpack_from(&pieces->source, &memory, at, size, reason);
}

// It becomes the same, or is refused as it was: `segment_bytes`, or NULL.
static void expect_same_in_pieces(bytes columns, const bytes *segment_bytes, const char *reason)
{
    pieces pieces = {.reads_left = -1};
    unsigned char *at;
    uint32_t size;
    const char *again;
    const kifu_result result = unpack_pieces(columns, &pieces, &at, &size, &again);
    ck_assert_int_eq(result, segment_bytes ? KIFU_OK : KIFU_DAMAGED);
    ck_assert_str_eq(again, reason);
    if (segment_bytes) {
        ck_assert_uint_eq(size, segment_bytes->size);
        ck_assert_mem_eq(at, segment_bytes->at, size);
        free(at);
        living--;
    }
    ck_assert_int_eq(living, 0);
}

static kifu_result unpack(bytes columns, bytes *segment_bytes, const char **reason)
{
    kifu__memory memory = kifu__memory_of(allocate_some, NULL);
    allocations_left = 2;
    filling++;
    unsigned char *at;
    uint32_t size;
    kifu_result result = kifu__unpack(columns.at, (uint32_t)columns.size, &memory, &at, &size, reason);
    if (result)
        ck_assert_ptr_null(at);
    else
        *segment_bytes = bytes_of(at, size); // of its exact size
    if (at)
        kifu__free(&memory, at);
    ck_assert_int_eq(living, 0);
    expect_same_in_pieces(columns, result ? NULL : segment_bytes, *reason);
    return result;
}

static bytes unpacked(bytes columns)
{
    bytes segment_bytes;
    const char *reason;
    ck_assert_msg(unpack(columns, &segment_bytes, &reason) == KIFU_OK, "%s", reason);
    return segment_bytes;
}

// One event with all that it leads to, whatever the layout that it is in.
static bytes event_of(const kifu__segment *segment, uint32_t index)
{
    kifu__memory memory = wire_memory();
    kifu__blob blob = {.memory = &memory};
    const kifu__buffer buffer = {.bytes = segment->bytes, .size = segment->size};
    uint32_t position = (uint32_t)((const unsigned char *)kifu__segment_table(segment, index) - segment->bytes);
    const kifu__table *table = wire_rules.types[segment->types[index]].table;
    ck_assert_int_eq(kifu__convert_table(&buffer, table, position, &blob), KIFU_OK);
    return (bytes){blob.bytes, blob.size};
}

static void expect_same_events(const kifu__segment *one, uint32_t from, const kifu__segment *other, uint32_t other_from,
                               uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_uint_eq(one->types[from + i], other->types[other_from + i]);
        ck_assert_mem_eq(&one->marks[from + i], &other->marks[other_from + i], sizeof one->marks[0]);
        bytes a = event_of(one, from + i), b = event_of(other, other_from + i);
        ck_assert_uint_eq(a.size, b.size);
        ck_assert_mem_eq(a.at, b.at, a.size);
        free(a.at);
        free(b.at);
    }
}

// --- There and back --------------------------------------------------------------------------------------------------

START_TEST(S03_columns_become_the_same_events)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 1);
    for (unsigned long step = 0; step < fuzz_steps(300); step++) {
        bytes original = random_segment(&rng, draw(&rng, 40));
        bool castable;
        kifu__segment segment = verified(original, &castable);
        ck_assert(kifu__is_packable(&wire_rules, &segment));
        bytes columns = columns_of(&segment, 1);
        bytes back = unpacked(columns);
        kifu__segment result = verified(back, &castable);
        ck_assert(castable);
        ck_assert(kifu__is_packable(&wire_rules, &result));
        ck_assert_uint_eq(result.count, segment.count);
        ck_assert_uint_eq(result.rules_version, segment.rules_version);
        expect_same_events(&segment, 0, &result, 0, segment.count);

        bytes twice = unpacked(columns); // into other memory
        ck_assert_uint_eq(twice.size, back.size);
        ck_assert_mem_eq(twice.at, back.at, back.size);
        free(twice.at);

        // What is unpacked packs to the same bytes: nothing is left to chance, no byte was never written.
        bytes again = columns_of(&result, 1);
        ck_assert_uint_eq(again.size, columns.size);
        ck_assert_mem_eq(again.at, columns.at, columns.size);
        free(again.at);
        free(back.at);
        free(columns.at);
        free(original.at);
    }
}
END_TEST

// All its vectors are there, so no vtable of its own lies behind it.
START_TEST(an_event_that_ends_with_bytes_is_packed_whole)
{
    const kifu__table *table = wire_rules.types[VECTORS].table;
    const kifu__memory memory = wire_memory();
    for (uint32_t count = 1; count <= 9; count++) {
        const wire_e_vectors fields = {0};
        kifu__blob blob = {.memory = &memory};
        kifu__build(&blob, 0, &fields, sizeof fields, 8);
        for (uint32_t id = 1; id < table->field_count; id++)
            kifu__build_vector(&blob, table->fields[id].offset, NULL, 0, 0, 4);
        kifu__build_vector(&blob, offsetof(wire_e_vectors, bytes), "\1\2\3\4\5\6\7\10\11", count, count, 1);
        kifu__build(&blob, 0, NULL, 0, 4);
        kifu__segment segment = wire_segment(1, 4096);
        wire_append(&segment, VECTORS, blob.bytes, blob.size);
        bytes columns = columns_of(&segment, 1), back = unpacked(columns);
        bool castable;
        kifu__segment result = verified(back, &castable);
        expect_same_events(&segment, 0, &result, 0, 1);
        free(columns.at);
        free(back.at);
        free(segment.bytes);
        free(blob.bytes);
    }
}
END_TEST

START_TEST(columns_of_nothing_are_an_empty_segment)
{
    unsigned char head[16] = {0};
    bytes back = unpacked((bytes){head, sizeof head});
    ck_assert_uint_ge(back.size, KIFU__SEGMENT_HEAD);
    free(back.at);
}
END_TEST

START_TEST(segments_are_joined)
{
    enum { MOST = 5 };
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 2);
    for (unsigned long step = 0; step < fuzz_steps(300) / 3; step++) {
        bytes originals[MOST];
        kifu__segment segments[MOST];
        uint32_t count = 1 + draw(&rng, MOST), from = 0;
        bool castable;
        for (uint32_t i = 0; i < count; i++) {
            originals[i] = random_segment(&rng, draw(&rng, 12));
            segments[i] = verified(originals[i], &castable);
        }
        bytes columns = columns_of(segments, count);
        bytes back = unpacked(columns);
        kifu__segment result = verified(back, &castable);
        ck_assert(castable);
        for (uint32_t i = 0; i < count; i++) {
            expect_same_events(&result, from, &segments[i], 0, segments[i].count);
            from += segments[i].count;
            free(originals[i].at);
        }
        ck_assert_uint_eq(from, result.count);
        free(columns.at);
        free(back.at);
    }
}
END_TEST

// The last events of a segment were undone, between events of alignments 4 and 8: what filled the gap is not an
// event's.
START_TEST(a_gap_that_undo_left_is_no_part_of_an_event)
{
    const wire_e_flat flat = {.a = 1, .d = 3};
    const wire_e_one_enum one = {.n = 7};
    kifu__segment segment = wire_segment(8, 4096);
    wire_append(&segment, ONE_ENUM, &one, sizeof one);
    wire_append(&segment, FLAT, &flat, sizeof flat);
    wire_append(&segment, ONE_ENUM, &one, sizeof one);
    uint32_t size = segment.size;
    wire_append(&segment, FLAT, &flat, sizeof flat); // 4 bytes further on
    kifu__segment_truncate(&segment, 3);
    ck_assert_uint_eq(segment.size, size + 4);
    wire_append(&segment, ONE_ENUM, &one, sizeof one); // behind them
    bytes columns = columns_of(&segment, 1);
    bytes back = unpacked(columns);
    bool castable;
    kifu__segment result = verified(back, &castable);
    expect_same_events(&segment, 0, &result, 0, 4);
    uint32_t head = kifu__segment_head(8, wire_rules.vtables_size).size;
    uint32_t new_head = kifu__segment_head(4, wire_rules.vtables_size).size; // nor are free slots
    ck_assert_uint_eq(back.size - new_head, segment.size - head - 4);
    free(columns.at);
    free(back.at);
    free(segment.bytes);
}
END_TEST

START_TEST(an_event_that_reaches_into_the_next_is_not_packable)
{
    const struct {
        wire_e_text text;
        uint32_t length;
        char name[4];
    } blob = {.text = {.name = {sizeof blob.text - offsetof(wire_e_text, name)}}, .length = 3, .name = "Ann"};
    kifu__segment segment = wire_segment(4, 4096);
    wire_append(&segment, TEXT, &blob, sizeof blob);
    wire_append(&segment, TEXT, &blob, sizeof blob);
    ck_assert(kifu__is_packable(&wire_rules, &segment));
    // The first one's name is now the second one's, as another writer may share it.
    wire_e_text *first = (wire_e_text *)(uintptr_t)kifu__segment_table(&segment, 0);
    const unsigned char *second = kifu__segment_table(&segment, 1);
    first->name.offset = (uint32_t)(second + sizeof blob.text - (const unsigned char *)&first->name);
    bool castable;
    verified((bytes){segment.bytes, segment.size}, &castable);
    ck_assert(castable);
    ck_assert(!kifu__is_packable(&wire_rules, &segment));
    free(segment.bytes);
}
END_TEST

// What another writer may do, and Kifu never does: the first event shares a part of the second, or follows it.
static void share_vtable(unsigned char *first, unsigned char *second)
{
    // Behind the next event's table, or in front of its own.
    const uint32_t vtable = kifu__vtable_of(second, 0) + (uint32_t)(second - first);
    kifu__put32(first, 0 - vtable);
}

static void follow_second(kifu__segment *segment)
{
    const uint32_t first = segment->offsets[0];
    segment->offsets[0] = segment->offsets[1] + 4;
    segment->offsets[1] = first - 4;
}

static void share_reference(unsigned char *first, const unsigned char *second, size_t at)
{
    kifu__put32(first + at, kifu__load32(second + at) + (uint32_t)(second - first));
}

// The references that are the elements of the vector at a field.
static void share_element(unsigned char *first, const unsigned char *second, size_t field)
{
    share_reference(first, second, kifu__target(first, (uint32_t)field) + 4);
}

START_TEST(what_another_writer_shares_or_puts_elsewhere_is_not_packable)
{
    const struct {
        wire_e_vectors table;
        uint32_t count, strings[2];
        struct {
            uint32_t length;
            char text[4];
        } names[2];
    } blob = {
        .table = {.strings = {sizeof blob.table - offsetof(wire_e_vectors, strings)}},
        .count = 2,
        .strings = {8, 12},
        .names = {{3, "Ann"}, {3, "Bob"}},
    };
    const struct {
        wire_e_nested table;
        wire_plain plain, must;
    } nested = {
        .table = {.plain = {sizeof nested.table - offsetof(wire_e_nested, plain)},
                  .must = {sizeof nested.table + sizeof nested.plain - offsetof(wire_e_nested, must)}},
    };
    enum { NOTHING, VTABLE, EARLIER_VTABLE, ORDER, ELEMENT, EMPTY_VECTOR, TABLE, WAYS };
    for (int way = NOTHING; way < WAYS; way++) {
        kifu__segment segment = wire_segment(2, 4096);
        for (int i = 0; i < 2; i++) {
            if (way == TABLE)
                wire_append(&segment, NESTED, &nested, sizeof nested);
            else
                wire_append(&segment, VECTORS, &blob, sizeof blob);
        }
        unsigned char *first = (unsigned char *)(uintptr_t)kifu__segment_table(&segment, 0);
        unsigned char *second = (unsigned char *)(uintptr_t)kifu__segment_table(&segment, 1);
        if (way == VTABLE)
            share_vtable(first, second);
        else if (way == EARLIER_VTABLE)
            share_vtable(second, first);
        else if (way == ORDER)
            follow_second(&segment);
        else if (way == ELEMENT)
            share_element(first, second, offsetof(wire_e_vectors, strings));
        else if (way == EMPTY_VECTOR) {
            kifu__put32(second + kifu__target(second, offsetof(wire_e_vectors, strings)), 0);
            share_reference(first, second, offsetof(wire_e_vectors, strings));
        } else if (way == TABLE)
            share_reference(first, second, offsetof(wire_e_nested, plain));
        bool castable;
        verified((bytes){segment.bytes, segment.size}, &castable);
        ck_assert(castable);
        ck_assert_msg(kifu__is_packable(&wire_rules, &segment) == (way == NOTHING), "%d", way);
        free(segment.bytes);
    }
}
END_TEST

// A vtable that ends with the last field that is there is as good as one of all fields.
START_TEST(a_short_vtable_is_packed)
{
    const wire_e_vectors blob = {.vtable_ = 0};
    kifu__segment segment = wire_segment(1, 4096);
    wire_append(&segment, VECTORS, &blob, sizeof blob);
    unsigned char *event = (unsigned char *)(uintptr_t)kifu__segment_table(&segment, 0);
    const uint16_t size = 4;
    memcpy(event + kifu__vtable_of(event, 0), &size, sizeof size);
    bool castable;
    verified((bytes){segment.bytes, segment.size}, &castable);
    ck_assert(castable);
    ck_assert(kifu__is_packable(&wire_rules, &segment));
    bytes columns = columns_of(&segment, 1), back = unpacked(columns);
    kifu__segment result = verified(back, &castable);
    expect_same_events(&segment, 0, &result, 0, 1);
    free(columns.at);
    free(back.at);
    free(segment.bytes);
}
END_TEST

// Its doubles are aligned where it is; they would not be where columns would put it.
START_TEST(an_event_at_an_odd_place_is_not_packable)
{
    struct {
        wire_e_vectors vectors;
        uint32_t padding;
        uint32_t count;
        uint32_t doubles[2];
    } blob = {.count = 1};
    ck_assert_uint_eq((size_t)((char *)&blob.count - (char *)&blob) % 8, 0);
    blob.vectors.doubles.offset = (uint32_t)((char *)&blob.count - (char *)&blob.vectors.doubles);
    kifu__segment segment = wire_segment(1, 4096);
    wire_append(&segment, VECTORS, &blob, sizeof blob);
    unsigned char *event = (unsigned char *)(uintptr_t)kifu__segment_table(&segment, 0);
    size_t size = (size_t)(segment.bytes + segment.size - event);
    memmove(event + 4, event, size);
    memset(event, 0, 4);
    segment.offsets[0] += 4;
    segment.size += 4;
    bool castable;
    verified((bytes){segment.bytes, segment.size}, &castable);
    ck_assert(castable);
    ck_assert(!kifu__is_packable(&wire_rules, &segment));
    free(segment.bytes);
}
END_TEST

// Where bytes of another kind begin, a compressor begins anew: at a column that is long enough, unless all of it is the
// same. The numbers are 0, 1, 0, 1, …, and the last has one more bit.
START_TEST(long_columns_are_parts_of_their_own)
{
    for (uint32_t count = 1023; count <= 1024; count++) {
        kifu__segment segment = wire_segment(count, 32 * count);
        for (uint32_t i = 0; i < count; i++) {
            const wire_e_one_enum event = {.n = i % 2 + (i + 1 == count ? 256 : 0)};
            wire_append(&segment, ONE_ENUM, &event, sizeof event);
        }
        kifu__memory memory = wire_memory();
        kifu__columns columns;
        ck_assert_int_eq(kifu__pack(&wire_rules, &segment, 1, &memory, &columns), KIFU_OK);
        const size_t head = 16 + 16 + wire_rules.vtables_size;
        const size_t before = head + count * (1 + 4 + offsetof(wire_e_one_enum, n)); // with the types and marks
        const size_t behind = count * (sizeof(wire_e_one_enum) - offsetof(wire_e_one_enum, n) - 2);
        const size_t expected[] = {before, count, count, behind};
        ck_assert_uint_eq(columns.size, before + 2 * count + behind);
        ck_assert_uint_eq(columns.part_count, count == 1024 ? 4 : 1);
        for (uint32_t part = 0; part < 4 && count == 1024; part++)
            ck_assert_uint_eq(columns.parts[part], expected[part]);
        kifu__columns_free(&columns, &memory);
        free(segment.bytes);
    }
}
END_TEST

// A segment with one event, packed by rules of which `table` describes it: what the columns say of its type.
static kifu__column_entry entry_of(uint32_t type, const kifu__table *table, const void *blob, uint32_t size)
{
    kifu__type types[16];
    kifu_rules rules = wire_rules;
    kifu__segment segment = wire_segment(1, 4096);
    kifu__memory memory = wire_memory();
    kifu__columns columns;
    kifu__column_entry entry = {.type = 0};
    ck_assert_uint_lt(rules.type_count, 16);
    memcpy(types, wire_rules.types, (rules.type_count + 1) * sizeof *types);
    types[type].table = table;
    rules.types = types;
    wire_append(&segment, type, blob, size);
    ck_assert_int_eq(kifu__pack(&rules, &segment, 1, &memory, &columns), KIFU_OK);
    memcpy(&entry, columns.bytes + sizeof(kifu__columns_head), KIFU__COLUMNS_ENTRY);
    ck_assert_uint_eq(entry.type, type);
    kifu__columns_free(&columns, &memory);
    free(segment.bytes);
    return entry;
}

// Text is best packed as it is, numbers with the first bytes of all first, and so on: a table may lead to text.
START_TEST(tails_with_text_have_one_lane)
{
    const wire_e_flat flat = {.a = 1};
    const wire_e_vectors vectors = {.vtable_ = 0};
    const wire_e_changed changed = {.kept = 1};
    const struct {
        wire_e_nested table;
        wire_plain must;
    } nested = {.table = {.must = {sizeof nested.table - offsetof(wire_e_nested, must)}}};
    kifu__column_entry entry = entry_of(FLAT, wire_rules.types[FLAT].table, &flat, sizeof flat);
    ck_assert_uint_eq(entry.lanes, 4);
    ck_assert_uint_eq(entry.flags, 0);
    entry = entry_of(VECTORS, wire_rules.types[VECTORS].table, &vectors, sizeof vectors);
    ck_assert_uint_eq(entry.lanes, 1);
    ck_assert_uint_eq(entry.flags, KIFU__HAS_TAILS | KIFU__HAS_TABLES);
    entry = entry_of(NESTED, wire_rules.types[NESTED].table, &nested, sizeof nested);
    ck_assert_uint_eq(entry.lanes, 1);
    ck_assert_uint_eq(entry.flags, KIFU__HAS_TAILS | KIFU__HAS_TABLES);

    // One field with text is deprecated; where the other is, too, there is none.
    kifu__table table = *wire_rules.types[CHANGED].table;
    kifu__field fields[16];
    entry = entry_of(CHANGED, &table, &changed, sizeof changed);
    ck_assert_uint_eq(entry.lanes, 1);
    ck_assert_uint_eq(entry.flags, KIFU__HAS_TAILS);
    ck_assert_uint_lt(table.field_count, 16);
    memcpy(fields, table.fields, table.field_count * sizeof *fields);
    for (uint32_t id = 0; id < table.field_count; id++)
        fields[id].offset = fields[id].kind == KIFU__STRING ? 0 : fields[id].offset;
    table.fields = fields;
    entry = entry_of(CHANGED, &table, &changed, sizeof changed);
    ck_assert_uint_eq(entry.lanes, 4);
}
END_TEST

// --- Anything in the columns -----------------------------------------------------------------------------------------

START_TEST(S05_each_cut_of_columns_is_refused)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 3);
    bytes original = random_segment(&rng, 12);
    bool castable;
    kifu__segment segment = verified(original, &castable);
    bytes whole = columns_of(&segment, 1);
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (whole.size + page - 1) / page * page;
    unsigned char *pages = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(pages != MAP_FAILED);
    ck_assert_int_eq(mprotect(pages + room, page, PROT_NONE), 0); // Who reads behind a cut dies.
    for (size_t size = 0; size < whole.size; size++) {
        bytes cut = {pages + room - size, size}, back;
        memcpy(cut.at, whole.at, size);
        const char *reason = NULL;
        ck_assert_int_eq(unpack(cut, &back, &reason), KIFU_DAMAGED);
        ck_assert_ptr_nonnull(reason);
    }
    munmap(pages, room + page);
    whole.at = realloc(whole.at, whole.size + 1);
    whole.at[whole.size++] = 0;
    bytes back;
    const char *reason;
    ck_assert_int_eq(unpack(whole, &back, &reason), KIFU_DAMAGED);
    free(whole.at);
    free(original.at);
}
END_TEST

static void put32(bytes *columns, size_t at, uint32_t value)
{
    memcpy(columns->at + at, &value, 4);
}

// Takes `count` bytes out at `at`, or puts zeros in there.
static void move_bytes(bytes *columns, size_t at, int count)
{
    size_t old = columns->size;
    columns->size = old + (size_t)count;
    if (count < 0)
        memmove(columns->at + at, columns->at + at - count, columns->size - at);
    columns->at = realloc(columns->at, columns->size);
    if (count > 0) {
        memmove(columns->at + at + count, columns->at + at, old - at);
        memset(columns->at + at, 0, (size_t)count);
    }
}

// All sizes add up, but more is there than the events take: of these, or of their tails.
START_TEST(S05_columns_with_something_left_over_are_refused)
{
    const struct {
        wire_e_text text;
        uint32_t length;
        char name[4];
    } blob = {.text = {.name = {sizeof blob.text - offsetof(wire_e_text, name)}}, .length = 3, .name = "Ann"};
    kifu__segment segment = wire_segment(4, 4096);
    for (int i = 0; i < 4; i++)
        wire_append(&segment, TEXT, &blob, sizeof blob);
    bytes whole = columns_of(&segment, 1), back;
    const char *reason;
    const size_t entry = 16, types = entry + 16 + wire_rules.vtables_size;
    free(unpacked(whole).at);

    bytes broken = bytes_of(whole.at, whole.size);
    put32(&broken, 0, 3); // three events, and columns of four
    move_bytes(&broken, types, -1);
    ck_assert_int_eq(unpack(broken, &back, &reason), KIFU_DAMAGED);
    ck_assert_ptr_nonnull(strstr(reason, "lengths"));
    free(broken.at);

    broken = bytes_of(whole.at, whole.size);
    put32(&broken, entry + 12, kifu__load32(whole.at + entry + 12) + 4); // a word more of tails
    move_bytes(&broken, broken.size, 4);
    ck_assert_int_eq(unpack(broken, &back, &reason), KIFU_DAMAGED);
    ck_assert_ptr_nonnull(strstr(reason, "lengths"));
    free(broken.at);

    // An entry is as it must be, or refused.
    static const struct {
        uint32_t at;
        unsigned char value;
    } values[] = {{1, 0}, {1, 2}, {1, 16}, {2, 0}, {2, 2}, {2, 3}, {3, 2}, {3, 4}, {3, 255}, {4, 13}, {4, 0}, {12, 1}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        broken = bytes_of(whole.at, whole.size);
        broken.at[entry + values[i].at] = values[i].value;
        ck_assert_int_eq(unpack(broken, &back, &reason), KIFU_DAMAGED);
        ck_assert_ptr_nonnull(strstr(reason, "sizes"));
        free(broken.at);
    }
    // The sizes add up, but a table is not of whole words.
    broken = bytes_of(whole.at, whole.size);
    put32(&broken, entry + 4, sizeof blob.text - 1);
    put32(&broken, entry + 12, kifu__load32(whole.at + entry + 12) + 4);
    ck_assert_int_eq(unpack(broken, &back, &reason), KIFU_DAMAGED);
    ck_assert_ptr_nonnull(strstr(reason, "sizes"));
    free(broken.at);
    free(whole.at);
    free(segment.bytes);
}
END_TEST

START_TEST(S05_columns_of_flat_events_with_something_left_over_are_refused)
{
    const wire_e_flat flat = {.a = 1};
    kifu__segment segment = wire_segment(2, 4096);
    wire_append(&segment, FLAT, &flat, sizeof flat);
    wire_append(&segment, FLAT, &flat, sizeof flat);
    bytes whole = columns_of(&segment, 1), back;
    const char *reason;
    const size_t entry = 16, types = entry + 16 + wire_rules.vtables_size;

    bytes broken = bytes_of(whole.at, whole.size);
    put32(&broken, 0, 1);
    move_bytes(&broken, types, -1);
    ck_assert_int_eq(unpack(broken, &back, &reason), KIFU_DAMAGED);
    ck_assert_ptr_nonnull(strstr(reason, "lengths"));
    free(broken.at);

    broken = bytes_of(whole.at, whole.size);
    put32(&broken, entry + 12, 4); // tails, of events that have none
    move_bytes(&broken, broken.size, 4);
    ck_assert_int_eq(unpack(broken, &back, &reason), KIFU_DAMAGED);
    free(broken.at);

    broken = bytes_of(whole.at, whole.size);
    put32(&broken, 12, 2); // an entry more, for the same type and none of its events
    move_bytes(&broken, entry, 16);
    memcpy(broken.at + entry, broken.at + entry + 16, 8);
    ck_assert_int_eq(unpack(broken, &back, &reason), KIFU_DAMAGED);
    ck_assert_ptr_nonnull(strstr(reason, "sizes"));
    free(broken.at);

    for (unsigned char flags = 2; flags < 5; flags += 2) { // nested tables without tails, and no such flag
        whole.at[entry + 3] = flags;
        ck_assert_int_eq(unpack(whole, &back, &reason), KIFU_DAMAGED);
        ck_assert_ptr_nonnull(strstr(reason, "sizes"));
    }
    free(whole.at);
    free(segment.bytes);
}
END_TEST

static void break_once(kifu_rng *rng, bytes *columns)
{
    uint32_t at = draw(rng, (uint32_t)columns->size), word = at & ~3u, value;
    if (draw(rng, 3) == 0) // the head means more than the rest
        at = draw(rng, columns->size < 160 ? (uint32_t)columns->size : 160), word = at & ~3u;
    if (word + 4 > columns->size)
        word = 0;
    switch (draw(rng, 4)) {
    case 0:
        columns->at[at] = (unsigned char)kifu_rng_next(rng);
        break;
    case 1:
        columns->at[at] ^= (unsigned char)(1u << draw(rng, 8));
        break;
    case 2:
        memcpy(&value, columns->at + word, 4);
        value += draw(rng, 33) - 16;
        memcpy(columns->at + word, &value, 4);
        break;
    default:
        value = draw(rng, 2) ? draw(rng, 2000) : kifu_rng_next(rng);
        memcpy(columns->at + word, &value, 4);
        break;
    }
}

// The sanitizers watch: the unpacked segment is any bytes, and verifying them is somebody else's task; then it is as
// good as any that was read from a file.
START_TEST(S05_hostile_columns_do_no_harm)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 4);
    unsigned long refused = 0, invalid = 0, good = 0;
    for (unsigned long step = 0; step < fuzz_steps(20000); step += 40) {
        bytes original = random_segment(&rng, 1 + draw(&rng, 8));
        bool castable;
        kifu__segment segment = verified(original, &castable);
        bytes whole = columns_of(&segment, 1);
        for (int i = 0; i < 40; i++) {
            bytes broken = bytes_of(whole.at, whole.size), back;
            for (uint32_t n = 1 + draw(&rng, 3); n; n--)
                break_once(&rng, &broken);
            const char *reason;
            kifu_error error;
            if (unpack(broken, &back, &reason)) {
                refused++;
            } else {
                ck_assert_uint_le(back.size, 2 * broken.size + 64);
                if (wire_verify(back, &segment, &castable, &error)) {
                    invalid++;
                } else {
                    bytes converted;
                    kifu_result result = wire_convert(back, &converted, &error);
                    ck_assert(result == KIFU_OK || result == KIFU_TOO_LARGE);
                    if (!result)
                        free(converted.at);
                    good++;
                }
                free(back.at);
            }
            free(broken.at);
        }
        free(whole.at);
        free(original.at);
    }
    printf("%lu broken columns: %lu refused, %lu unpacked to no valid segment, %lu to another\n",
           refused + invalid + good, refused, invalid, good);
    ck_assert_uint_gt(refused, 0);
    ck_assert_uint_gt(invalid, 0);
    ck_assert_uint_gt(good, 0);
}
END_TEST

// --- Memory ----------------------------------------------------------------------------------------------------------

START_TEST(no_memory_at_any_allocation)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 5);
    bytes original = random_segment(&rng, 2000); // columns that are long enough for parts of their own
    bool castable;
    kifu__segment segment = verified(original, &castable);
    kifu__memory memory = kifu__memory_of(allocate_some, NULL);
    kifu_result result = KIFU_NO_MEMORY;
    kifu__columns columns;
    int room = 0;
    for (; result; room++) {
        allocations_left = room;
        result = kifu__pack(&wire_rules, &segment, 1, &memory, &columns);
        ck_assert(result == KIFU_OK || result == KIFU_NO_MEMORY);
        ck_assert_int_eq(living, result ? 0 : 2);
    }
    ck_assert_int_gt(room, 4);
    ck_assert_uint_gt(columns.part_count, 10);
    unsigned char *at;
    uint32_t size;
    const char *reason;
    for (int rooms = 0; rooms < 2; rooms++) {
        allocations_left = rooms;
        ck_assert_int_eq(kifu__unpack(columns.bytes, columns.size, &memory, &at, &size, &reason), KIFU_NO_MEMORY);
        ck_assert_ptr_null(at);
    }
    kifu__columns_free(&columns, &memory);
    ck_assert_int_eq(living, 0);
    free(original.at);
}
END_TEST

// Wherever a codec fails, its reason is told, and nothing stays.
START_TEST(columns_that_do_not_come_are_told)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 6);
    bytes original = random_segment(&rng, 30);
    bool castable;
    kifu__segment segment = verified(original, &castable);
    bytes columns = columns_of(&segment, 1);
    kifu_result result = KIFU_DAMAGED;
    pieces pieces;
    long reads = 0;
    for (; result; reads++) {
        unsigned char *at;
        uint32_t size;
        const char *reason;
        pieces.reads_left = reads;
        result = unpack_pieces(columns, &pieces, &at, &size, &reason);
        if (result) {
            ck_assert_str_eq(reason, "its codec cannot unpack it");
            ck_assert_ptr_null(at);
        } else {
            free(at);
            living--;
        }
        ck_assert_int_eq(living, 0);
    }
    ck_assert_int_gt(reads, 100);
    free(columns.at);
    free(original.at);
}
END_TEST

// What they would become is at most twice as large as they are. Nobody reads more of them than the head.
START_TEST(S05_columns_that_would_become_too_large_are_refused)
{
    enum { COUNT = 130000000 };
    const uint32_t size = 16 + 16 + COUNT + COUNT * 8;
    unsigned char *columns = malloc(size), *at;
    ck_assert_ptr_nonnull(columns);
    static const unsigned char entry[8] = {1, 8, 1, 0, 4};
    memset(columns, 0, 32);
    kifu__put32(columns, COUNT);
    kifu__put32(columns + 12, 1);
    memcpy(columns + 16, entry, sizeof entry);
    kifu__put32(columns + 24, COUNT);
    kifu__memory memory = kifu__memory_of(allocate_some, NULL);
    uint32_t unpacked_size;
    const char *reason = NULL;
    allocations_left = 0;
    ck_assert_int_eq(kifu__unpack(columns, size, &memory, &at, &unpacked_size, &reason), KIFU_DAMAGED);
    ck_assert_str_eq(reason, "its columns have impossible sizes");
    free(columns);
}
END_TEST

// The same segment again and again: columns of more than 2 GiB, which no frame could hold, are not begun.
START_TEST(columns_that_no_frame_could_hold_are_refused)
{
    enum { LENGTH = 1 << 20, COUNT = 2100 };
    static kifu__segment segments[COUNT];
    struct {
        wire_e_vectors table;
        uint32_t length;
    } *blob = calloc(1, sizeof *blob + LENGTH);
    blob->table.bytes.offset = sizeof blob->table - offsetof(wire_e_vectors, bytes);
    blob->length = LENGTH;
    kifu__segment segment = wire_segment(1, 2 * LENGTH);
    wire_append(&segment, VECTORS, blob, sizeof *blob + LENGTH);
    for (int i = 0; i < COUNT; i++)
        segments[i] = segment;
    kifu__memory memory = kifu__memory_of(allocate_some, NULL);
    kifu__columns columns;
    allocations_left = 0;
    ck_assert_int_eq(kifu__pack(&wire_rules, segments, COUNT, &memory, &columns), KIFU_TOO_LARGE);
    ck_assert_ptr_null(columns.bytes);
    free(segment.bytes);
    free(blob);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S03_columns_become_the_same_events,
        an_event_that_ends_with_bytes_is_packed_whole,
        columns_of_nothing_are_an_empty_segment,
        segments_are_joined,
        a_gap_that_undo_left_is_no_part_of_an_event,
        an_event_that_reaches_into_the_next_is_not_packable,
        what_another_writer_shares_or_puts_elsewhere_is_not_packable,
        a_short_vtable_is_packed,
        an_event_at_an_odd_place_is_not_packable,
        tails_with_text_have_one_lane,
        long_columns_are_parts_of_their_own,
        S05_each_cut_of_columns_is_refused,
        S05_columns_with_something_left_over_are_refused,
        S05_columns_of_flat_events_with_something_left_over_are_refused,
        S05_hostile_columns_do_no_harm,
        no_memory_at_any_allocation,
        columns_that_do_not_come_are_told,
        S05_columns_that_would_become_too_large_are_refused,
        columns_that_no_frame_could_hold_are_refused,
    };
    return run_suite("pack", tests, sizeof tests / sizeof *tests);
}
