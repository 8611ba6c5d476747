// Events as rows and back: whatever the events, however many runs, and whatever is in the rows.

#include <sys/mman.h>
#include <unistd.h>

#include "chess.h"
#include "core/timeline.h"
#include "dungeon.h"
#include "go.h"
#include "reversi.h"
#include "save/rows.h"
#include "tally_help.h"
#include "wire/buffer.h"
#include "wire_help.h"

static uint32_t draw(kifu_rng *rng, uint32_t below)
{
    return kifu_rng_below(rng, below);
}

// --- Segments --------------------------------------------------------------------------------------------------------

static const kifu_rules *const games[] = {&wire_rules, &chess_rules, &dungeon_rules, &go_rules, &reversi_rules};
enum { GAMES = sizeof games / sizeof *games };

static kifu__mark random_mark(kifu_rng *rng, uint32_t most_cause)
{
    return (kifu__mark){
        .cause = (uint16_t)(draw(rng, 2) ? draw(rng, most_cause + 1) : 0),
        .player = (int8_t)((int)draw(rng, 5) - 1),
        .flags = (uint8_t)(draw(rng, 4) | draw(rng, 2) << 3),
    };
}

// As the log would have it.
static kifu__segment random_segment(const kifu_rules *rules, kifu_rng *rng, uint32_t count)
{
    static uint64_t room[RANDOM_EVENT_ROOM / 8];
    const kifu__memory memory = wire_memory();
    kifu__segment segment;
    ck_assert_int_eq(kifu__segment_new(&memory, rules, 1 + draw(rng, 200), count + draw(rng, 4),
                                       (uint64_t)count * RANDOM_EVENT_ROOM, &segment),
                     KIFU_OK);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t type = 1 + draw(rng, rules->type_count);
        const uint32_t size = random_event(rng, rules->types[type].table, (unsigned char *)room);
        const void *table;
        ck_assert(kifu__segment_append(&segment, rules, type, room, size, random_mark(rng, i), &table));
    }
    kifu__segment_show(&segment);
    return segment;
}

static void expect_sound(const kifu_rules *rules, const unsigned char *at, uint32_t size, kifu__segment *segment)
{
    kifu_error error;
    bool castable = true;
    const kifu__buffer buffer = {.bytes = at, .size = size, .error = &error};
    ck_assert_msg(!kifu__verify_segment(&buffer, rules, UINT16_MAX, false, NULL, 0, segment, &castable), "%s",
                  error.message);
    ck_assert(castable);
}

// Its canonical bytes.
static bytes event_of(const kifu_rules *rules, const kifu__segment *segment, uint32_t slot)
{
    const kifu__memory memory = wire_memory();
    kifu__blob blob = {.memory = &memory};
    ck_assert_int_eq(kifu__blob_of(rules, segment, slot, &blob), KIFU_OK);
    return (bytes){blob.bytes, blob.size};
}

static void expect_same_event(const kifu_rules *rules, const kifu__segment *one, uint32_t slot,
                              const kifu__segment *other, uint32_t other_slot)
{
    ck_assert_uint_eq(one->types[slot], other->types[other_slot]);
    ck_assert_mem_eq(&one->marks[slot], &other->marks[other_slot], sizeof one->marks[0]);
    bytes a = event_of(rules, one, slot), b = event_of(rules, other, other_slot);
    ck_assert_uint_eq(a.size, b.size);
    ck_assert_mem_eq(a.at, b.at, a.size);
    free(a.at);
    free(b.at);
    // Where they lie, too: but for what leads to vtables.
    const uint32_t size = rules->types[one->types[slot]].table->size - 4u;
    ck_assert_mem_eq((const unsigned char *)kifu__segment_table(one, slot) + 4,
                     (const unsigned char *)kifu__segment_table(other, other_slot) + 4, size);
}

// --- Rows ------------------------------------------------------------------------------------------------------------

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

static const kifu__memory some_memory = {allocate_some, NULL};

static kifu__shapes new_shapes(void)
{
    allocations_left = INT32_MAX;
    return (kifu__shapes){.memory = &some_memory};
}

static bytes rows_of(kifu__shapes *shapes, const kifu_rules *rules, const kifu__segment *segment, uint32_t slot,
                     uint32_t end)
{
    const kifu__memory memory = wire_memory();
    kifu__blob out = {.memory = &memory};
    kifu__rows_add(&out, shapes, rules, segment, slot, end);
    ck_assert_int_eq(out.result, KIFU_OK);
    const bytes rows = bytes_of(out.bytes, out.size);
    free(out.bytes);
    return rows;
}

// One run; `left`: how many bytes follow it.
static kifu_result read_run(kifu__shapes *shapes, bytes rows, unsigned char **at, uint32_t *size, size_t *left,
                            const char **reason)
{
    kifu__bytes from = {rows.at, rows.at + rows.size, true};
    filling++;
    const kifu_result result = kifu__rows_read(shapes, &from, at, size, reason);
    if (result)
        ck_assert_ptr_null(*at);
    *left = (size_t)(from.end - from.at);
    return result;
}

static bytes read_whole(kifu__shapes *shapes, bytes rows)
{
    unsigned char *at;
    uint32_t size;
    size_t left;
    const char *reason;
    ck_assert_msg(!read_run(shapes, rows, &at, &size, &left, &reason), "%s", reason);
    ck_assert_uint_eq(left, 0);
    const bytes copy = bytes_of(at, size); // of its exact size
    kifu__free(&some_memory, at);
    return copy;
}

// --- There and back --------------------------------------------------------------------------------------------------

// The shapes go on from run to run, as they do in a stream; and each part of a segment may be a run.
START_TEST(S03_rows_become_the_same_events)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 1);
    for (unsigned long step = 0; step < fuzz_steps(100); step++) {
        const kifu_rules *rules = games[step % GAMES];
        kifu__shapes writing = new_shapes(), reading = new_shapes();
        for (uint32_t run = 0; run < 4; run++) {
            kifu__segment segment = random_segment(rules, &rng, draw(&rng, 40)), result;
            const uint32_t slot = draw(&rng, segment.count + 1), end = slot + draw(&rng, segment.count - slot + 1);
            bytes rows = rows_of(&writing, rules, &segment, slot, end), back = read_whole(&reading, rows);
            expect_sound(rules, back.at, (uint32_t)back.size, &result);
            ck_assert_uint_eq(result.count, end - slot);
            ck_assert_uint_eq(result.rules_version, segment.rules_version);
            ck_assert_uint_eq(reading.count, writing.count);
            for (uint32_t i = slot; i < end; i++)
                expect_same_event(rules, &segment, i, &result, i - slot);

            // What was read becomes the same rows: nothing is left to chance, no byte was never written.
            kifu__shapes anew = new_shapes(), again_anew = new_shapes();
            bytes first = rows_of(&anew, rules, &segment, slot, end);
            bytes again = rows_of(&again_anew, rules, &result, 0, result.count);
            ck_assert_uint_eq(again.size, first.size);
            ck_assert_mem_eq(again.at, first.at, first.size);
            kifu__shapes_free(&anew);
            kifu__shapes_free(&again_anew);
            free(first.at);
            free(again.at);
            free(rows.at);
            free(back.at);
            free(segment.bytes);
        }
        kifu__shapes_free(&writing);
        kifu__shapes_free(&reading);
        ck_assert_int_eq(living, 0);
    }
}
END_TEST

// A row of an event without references: its shape, its flags, its player, and its bytes without the vtable. An event
// that lies as Kifu puts it is not made anew for it, wherever in its segment it is.
START_TEST(a_row_has_three_bytes_besides_its_table)
{
    const wire_e_flat flat = {.a = 1, .d = 3};
    kifu__segment segment = wire_segment(3, 4096);
    const kifu__mark mark = {.player = 0, .flags = KIFU_UNDOABLE};
    const void *table;
    for (int i = 0; i < 3; i++)
        ck_assert(kifu__segment_append(&segment, &wire_rules, FLAT, &flat, sizeof flat, mark, &table));
    kifu__segment_show(&segment);
    kifu__shapes shapes = new_shapes();
    bytes one = rows_of(&shapes, &wire_rules, &segment, 0, 1);
    allocations_left = 0;
    bytes other = rows_of(&shapes, &wire_rules, &segment, 1, 2), last = rows_of(&shapes, &wire_rules, &segment, 2, 3);
    ck_assert_uint_eq(last.size, other.size);
    ck_assert_mem_eq(last.at, other.at, other.size);
    ck_assert_uint_eq(other.size, 2 + 3 + sizeof flat - 4); // behind the count and the rules version
    ck_assert_uint_gt(one.size, other.size);                // It tells the shape.
    ck_assert_uint_eq(shapes.count, 1);
    free(one.at);
    free(other.at);
    free(last.at);
    free(segment.bytes);
    kifu__shapes_free(&shapes);
}
END_TEST

// The events of a path from number `first` up to `end` - 1: a run for each segment, so none for none.
static void add_path(kifu__blob *out, kifu__shapes *shapes, kifu__branch *path, uint32_t first, uint32_t end)
{
    for (uint32_t next; first < end; first = next) {
        const kifu__segment *segment = kifu__path_segment(path, first, &next);
        next = next < end ? next : end;
        kifu__rows_add(out, shapes, &tally_rules, segment, first - segment->first, next - segment->first);
    }
}

// Lines 0 to 2 of a tree: the path leads through segments of several branches.
START_TEST(S03_the_events_of_a_path_become_rows)
{
    kifu_timeline *timeline = new_tally(NULL);
    for (int i = 1; i <= 5000; i++)
        play(timeline, i);
    must(timeline, kifu_go_to(timeline, 0, 4500, false));
    for (int i = 1; i <= 300; i++)
        play(timeline, -i);
    must(timeline, kifu_go_to(timeline, 1, 4700, false));
    play(timeline, 7);
    ck_assert_uint_eq(kifu_current_line(timeline), 2);
    kifu__branch *path = timeline->log.branch;
    const kifu__memory memory = wire_memory();
    const uint32_t ends[] = {0, 1, 4096, 4499, 4500, 4501, 4700, 4701};
    for (uint32_t a = 0; a < 8; a++) {
        for (uint32_t b = a; b < 8; b++) {
            kifu__shapes writing = new_shapes(), reading = new_shapes();
            kifu__blob out = {.memory = &memory};
            add_path(&out, &writing, path, ends[a], ends[b]);
            ck_assert_int_eq(out.result, KIFU_OK);
            uint32_t event = ends[a];
            for (uint32_t at = 0; at < out.size;) {
                unsigned char *made;
                uint32_t size;
                size_t left;
                const char *reason;
                ck_assert(!read_run(&reading, (bytes){out.bytes + at, out.size - at}, &made, &size, &left, &reason));
                at = out.size - (uint32_t)left;
                kifu__segment result;
                expect_sound(&tally_rules, made, size, &result);
                for (uint32_t i = 0; i < result.count; i++, event++) {
                    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, event);
                    expect_same_event(&tally_rules, segment, event - segment->first, &result, i);
                }
                kifu__free(&some_memory, made);
            }
            ck_assert_uint_eq(event, ends[b]);
            free(out.bytes);
            kifu__shapes_free(&writing);
            kifu__shapes_free(&reading);
        }
    }
    kifu_destroy(timeline);
}
END_TEST

// --- What another writer may do --------------------------------------------------------------------------------------

// The first event shares a part of the second, follows it, or has its vtable elsewhere.
static void share_vtable(unsigned char *first, unsigned char *second)
{
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

static void share_element(unsigned char *first, const unsigned char *second, size_t field)
{
    share_reference(first, second, kifu__target(first, (uint32_t)field) + 4);
}

static void expect_same_rows(const kifu__segment *segment)
{
    kifu__shapes writing = new_shapes(), reading = new_shapes();
    kifu__segment given, result;
    expect_sound(&wire_rules, segment->bytes, segment->size, &given);
    bytes rows = rows_of(&writing, &wire_rules, segment, 0, segment->count), back = read_whole(&reading, rows);
    expect_sound(&wire_rules, back.at, (uint32_t)back.size, &result);
    for (uint32_t i = 0; i < segment->count; i++) {
        bytes a = event_of(&wire_rules, segment, i), b = event_of(&wire_rules, &result, i);
        ck_assert_uint_eq(a.size, b.size);
        ck_assert_mem_eq(a.at, b.at, a.size);
        free(a.at);
        free(b.at);
    }
    free(rows.at);
    free(back.at);
    kifu__shapes_free(&writing);
    kifu__shapes_free(&reading);
    ck_assert_int_eq(living, 0);
}

START_TEST(what_another_writer_shares_or_puts_elsewhere_becomes_rows)
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
    enum { NOTHING, VTABLE, EARLIER_VTABLE, SHORT_VTABLE, ORDER, ELEMENT, EMPTY_VECTOR, TABLE, ONE_TABLE, WAYS };
    for (int way = NOTHING; way < WAYS; way++) {
        kifu__segment segment = wire_segment(2, 4096);
        for (int i = 0; i < 2; i++) {
            if (way == TABLE || way == ONE_TABLE)
                wire_append(&segment, NESTED, &nested, sizeof nested);
            else
                wire_append(&segment, VECTORS, &blob, sizeof blob);
        }
        unsigned char *first = (unsigned char *)(uintptr_t)kifu__segment_table(&segment, 0);
        unsigned char *second = (unsigned char *)(uintptr_t)kifu__segment_table(&segment, 1);
        const size_t plain = offsetof(wire_e_nested, plain), must = offsetof(wire_e_nested, must);
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
            share_reference(first, second, plain);
        else if (way == ONE_TABLE) // twice in the same event
            kifu__put32(first + plain, kifu__load32(first + must) + (uint32_t)(must - plain));
        expect_same_rows(&segment);
        free(segment.bytes);
    }
}
END_TEST

// A vtable that ends with the last field that is there is as good as one of all fields.
// Whether it is still a segment of these events, which are not much larger when each has its parts for itself.
static bool is_segment(const kifu__segment *segment)
{
    kifu__segment verified;
    bool castable = true;
    kifu_error error;
    const kifu__buffer buffer = {.bytes = segment->bytes, .size = segment->size, .error = &error};
    if (kifu__verify_segment(&buffer, &wire_rules, UINT16_MAX, false, NULL, 0, &verified, &castable) || !castable)
        return false;
    bytes event = event_of(&wire_rules, segment, 0);
    free(event.at);
    return event.size < 8 * segment->size;
}

// What one part refers to, another one does, too, and so on: tables share their tables, vectors and strings.
START_TEST(M08_S05_parts_that_are_shared_at_random_become_rows)
{
    static uint64_t room[RANDOM_EVENT_ROOM / 8];
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 12);
    uint32_t shared = 0;
    for (unsigned long round = fuzz_steps(400); round; round--) {
        const uint32_t size = random_event(&rng, wire_rules.types[NESTED].table, (unsigned char *)room);
        if (size > 600)
            continue;
        kifu__segment segment = wire_segment(1, 4096);
        wire_append(&segment, NESTED, room, size);
        unsigned char *first = (unsigned char *)(uintptr_t)kifu__segment_table(&segment, 0);
        const uint32_t words = (segment.size - (uint32_t)(first - segment.bytes)) / 4;
        for (uint32_t i = 0; i < 10 * words; i++) {
            const uint32_t at = 4 * draw(&rng, words), other = 4 * draw(&rng, words);
            const uint32_t before = kifu__load32(first + at), target = kifu__target(first, other);
            if (kifu__load32(first + other) > segment.size || target <= at || target >= 4 * words)
                continue;
            kifu__put32(first + at, target - at);
            if (before != target - at && is_segment(&segment)) {
                expect_same_rows(&segment);
                shared++;
            } else {
                kifu__put32(first + at, before);
            }
        }
        free(segment.bytes);
    }
    ck_assert_uint_gt(shared, 100);
}
END_TEST

START_TEST(a_short_vtable_becomes_a_shape)
{
    const wire_e_vectors blob = {.vtable_ = 0};
    kifu__segment segment = wire_segment(1, 4096);
    wire_append(&segment, VECTORS, &blob, sizeof blob);
    unsigned char *event = (unsigned char *)(uintptr_t)kifu__segment_table(&segment, 0);
    const uint16_t size = 4;
    memcpy(event + kifu__vtable_of(event, 0), &size, sizeof size);
    expect_same_rows(&segment);
    free(segment.bytes);
}
END_TEST

// Its doubles are aligned where it is; they would not be where a row's event is put.
START_TEST(an_event_at_an_odd_place_becomes_a_row)
{
    struct {
        wire_e_vectors vectors;
        uint32_t padding;
        uint32_t count;
        uint32_t doubles[2];
    } blob = {.count = 1};
    blob.vectors.doubles.offset = (uint32_t)((char *)&blob.count - (char *)&blob.vectors.doubles);
    kifu__segment segment = wire_segment(1, 4096);
    wire_append(&segment, VECTORS, &blob, sizeof blob);
    unsigned char *event = (unsigned char *)(uintptr_t)kifu__segment_table(&segment, 0);
    const size_t size = (size_t)(segment.bytes + segment.size - event);
    memmove(event + 4, event, size);
    memset(event, 0, 4);
    segment.offsets[0] += 4;
    segment.size += 4;
    expect_same_rows(&segment);
    free(segment.bytes);
}
END_TEST

// --- Anything in the rows --------------------------------------------------------------------------------------------

// What may be read of a run, however it is damaged: a segment that is verified, or not, or a reason.
static bool is_read(bytes rows)
{
    const int lived = living;
    kifu__shapes shapes = new_shapes();
    unsigned char *at;
    uint32_t size = 0;
    size_t left;
    const char *reason = NULL;
    const kifu_result result = read_run(&shapes, rows, &at, &size, &left, &reason);
    if (result) {
        ck_assert_int_eq(result, KIFU_DAMAGED);
        ck_assert_ptr_nonnull(reason);
        kifu__shapes_cut(&shapes, 0);
        ck_assert_uint_eq(shapes.vtables.size, 0);
    } else {
        kifu__segment segment;
        kifu_error error;
        bool castable = true;
        const kifu__buffer buffer = {.bytes = at, .size = size, .error = &error};
        (void)kifu__verify_segment(&buffer, &wire_rules, UINT16_MAX, false, NULL, 0, &segment, &castable);
        ck_assert_uint_le(size, 256 + 16 * rows.size);
        kifu__free(&some_memory, at);
    }
    kifu__shapes_free(&shapes);
    ck_assert_int_eq(living, lived);
    return !result && left == 0;
}

START_TEST(S05_each_cut_of_rows_is_refused)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 3);
    kifu__segment segment = random_segment(&wire_rules, &rng, 12);
    kifu__shapes shapes = new_shapes();
    bytes whole = rows_of(&shapes, &wire_rules, &segment, 0, 12);
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (whole.size + page - 1) / page * page;
    unsigned char *pages = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(pages != MAP_FAILED);
    ck_assert_int_eq(mprotect(pages + room, page, PROT_NONE), 0); // Who reads behind a cut dies.
    for (size_t size = 0; size <= whole.size; size++) {
        const bytes cut = {pages + room - size, size};
        memcpy(cut.at, whole.at, size);
        ck_assert_int_eq(is_read(cut), size == whole.size);
    }
    munmap(pages, room + page);
    free(whole.at);
    free(segment.bytes);
    kifu__shapes_free(&shapes);
}
END_TEST

START_TEST(S05_flipped_bytes_of_rows_are_refused_or_verified)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 4);
    kifu__segment segment = random_segment(&wire_rules, &rng, 12);
    kifu__shapes shapes = new_shapes();
    bytes whole = rows_of(&shapes, &wire_rules, &segment, 0, 12);
    for (unsigned long step = 0; step < fuzz_steps(100000); step++) {
        bytes flipped = bytes_of(whole.at, whole.size);
        for (uint32_t flips = 1 + draw(&rng, 3); flips; flips--)
            flipped.at[draw(&rng, (uint32_t)flipped.size)] = (unsigned char)draw(&rng, 256);
        (void)is_read(flipped);
        free(flipped.at);
    }
    free(whole.at);
    free(segment.bytes);
    kifu__shapes_free(&shapes);
}
END_TEST

// One of each, as long as it is told, and why it is refused.
START_TEST(S05_hostile_rows_are_refused)
{
#define TOO_LARGE "a number in its rows is too large"
#define CUT "its rows end too early"
#define SHAPE "it has a table of an impossible shape"
    // count, version | shape 0: type 2, flags, fields, size, places | mark | words | bytes | tables
    static const struct {
        unsigned char bytes[32];
        uint32_t size;
        const char *reason;
    } rows[] = {
        {{0xff, 0xff, 0xff, 0xff, 0x0f, 1}, 6, "it says that it has more rows than there is room for"},
        {{3, 1, 0, 2, 0, 0}, 6, "it says that it has more rows than there is room for"},
        {{0xff, 0xff, 0xff, 0xff, 0x1f, 1}, 6, CUT},                       // 33 bits
        {{1, 1, 1, 0}, 4, TOO_LARGE},                                      // no such shape
        {{1, 1, 0, 0x80, 2, 0, 0, 8}, 8, TOO_LARGE},                       // type 256
        {{1, 1, 0, 2, 8, 0, 8}, 7, TOO_LARGE},                             // flags
        {{1, 1, 0, 2, 0, 0xff, 0xff, 1, 8}, 9, TOO_LARGE},                 // 32,767 fields
        {{1, 1, 0, 2, 0, 0, 0x80, 0x80, 4}, 9, TOO_LARGE},                 // 65,536 bytes
        {{1, 1, 0, 2, 0, 0, 3}, 7, SHAPE},                                 // no room for its offset
        {{1, 1, 0, 2, 0, 0, 6}, 7, SHAPE},                                 // no tail, and no words
        {{1, 1, 0, 2, 4, 0, 8}, 7, SHAPE},                                 // nested, and no tail
        {{1, 1, 0, 0, 2, 0, 8}, 7, SHAPE},                                 // a nested one with flags
        {{1, 1, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0}, 12, "a row is of no type"}, //
        {{1, 1, 0, 2, 0, 0, 8, 0x80, 8, 0}, 10, TOO_LARGE},                // more flags than a mark has
        {{1, 1, 0, 2, 0, 0, 8, 1, 0x80, 0x80, 4}, 11, TOO_LARGE},          // a cause of 65,536
        {{1, 1, 0, 2, 0, 0, 8, 0, 1, 2, 3}, 11, CUT},                      //
        {{1, 1, 0, 2, 2, 0, 8, 0, 0}, 9, "a row has no bytes"},            //
        {{1, 1, 0, 2, 2, 0, 8, 0, 0xff, 0xff, 0xff, 0x7f}, 12, CUT},       //
        {{1, 1, 0, 2, 6, 0, 8, 0, 2, 0, 0, 0, 0, 2}, 14, TOO_LARGE},       // more tables than words
        {{1, 1, 0, 2, 6, 0, 8, 0, 2, 0, 0, 0, 0, 1, 2}, 15, TOO_LARGE},    // a table behind it
        {{1, 1, 0, 2, 6, 0, 8, 0, 2, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 4}, 20, "a row has a table where none can be"},
        {{1, 1, 0, 2, 6, 0, 8, 0, 2, 0, 0, 0, 0, 1, 1, 0}, 16, "a row has a table where none can be"},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kifu__shapes shapes = new_shapes();
        bytes exact = bytes_of(rows[i].bytes, rows[i].size);
        unsigned char *at;
        uint32_t size;
        size_t left;
        const char *reason;
        ck_assert_msg(read_run(&shapes, exact, &at, &size, &left, &reason) == KIFU_DAMAGED, "%u", (unsigned)i);
        ck_assert_msg(!strcmp(reason, rows[i].reason), "%u: %s", (unsigned)i, reason);
        free(exact.at);
        kifu__shapes_free(&shapes);
        ck_assert_int_eq(living, 0);
    }
}
END_TEST

// A shape that was taken back is told again; what was told before stays.
// So many that their segment would be larger than one can be; nobody reads the zeros.
START_TEST(S05_more_rows_than_a_segment_can_have_are_refused)
{
    const uint32_t count = KIFU__MOST_BUILT / 16 + 1;
    const kifu__memory memory = wire_memory();
    kifu__shapes shapes = {.memory = &memory};
    bytes rows = {(unsigned char *)calloc(2 * (size_t)count + 20, 1), 2 * (size_t)count + 20};
    unsigned char *at;
    uint32_t size;
    size_t left;
    const char *reason;
    ck_assert_ptr_nonnull(rows.at);
    *kifu__put_number(rows.at, count) = 1;
    ck_assert_int_eq(read_run(&shapes, rows, &at, &size, &left, &reason), KIFU_TOO_LARGE);
    free(rows.at);
}
END_TEST

START_TEST(shapes_are_taken_back)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 5, 5);
    kifu__shapes shapes = new_shapes(), same = new_shapes();
    kifu__segment segment = random_segment(&wire_rules, &rng, 3), more = random_segment(&wire_rules, &rng, 60);
    bytes before = rows_of(&shapes, &wire_rules, &segment, 0, 3);
    bytes same_before = rows_of(&same, &wire_rules, &segment, 0, 3);
    const uint32_t count = shapes.count, size = shapes.vtables.size;
    bytes taken_back = rows_of(&shapes, &wire_rules, &more, 0, 60);
    ck_assert_uint_gt(shapes.count, count);
    kifu__shapes_cut(&shapes, count);
    ck_assert_uint_eq(shapes.count, count);
    ck_assert_uint_eq(shapes.vtables.size, size);
    ck_assert_mem_eq(shapes.newest, same.newest, sizeof same.newest);
    bytes again = rows_of(&shapes, &wire_rules, &more, 0, 60);
    ck_assert_uint_eq(again.size, taken_back.size);
    ck_assert_mem_eq(again.at, taken_back.at, again.size);
    free(before.at);
    free(same_before.at);
    free(taken_back.at);
    free(again.at);
    free(segment.bytes);
    free(more.bytes);
    kifu__shapes_free(&shapes);
    kifu__shapes_free(&same);
}
END_TEST

START_TEST(each_allocation_for_rows_may_fail)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 6, 6);
    kifu__segment segment = random_segment(&wire_rules, &rng, 200);
    bool done = false;
    for (int allowed = 0; !done; allowed++) {
        kifu__shapes writing = new_shapes(), reading = new_shapes();
        kifu__blob out = {.memory = &some_memory};
        allocations_left = allowed;
        kifu__rows_add(&out, &writing, &wire_rules, &segment, 0, segment.count);
        const char *reason;
        unsigned char *at = NULL;
        uint32_t size;
        size_t left;
        kifu_result result = out.result;
        if (!result)
            result = read_run(&reading, (bytes){out.bytes, out.size}, &at, &size, &left, &reason);
        ck_assert(!result || result == KIFU_NO_MEMORY);
        done = allocations_left > 0;
        ck_assert(!done || !result);
        kifu__free(&some_memory, at);
        kifu__free(&some_memory, out.bytes);
        kifu__shapes_free(&writing);
        kifu__shapes_free(&reading);
        ck_assert_int_eq(living, 0);
    }
    free(segment.bytes);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S03_rows_become_the_same_events,
        a_row_has_three_bytes_besides_its_table,
        S03_the_events_of_a_path_become_rows,
        what_another_writer_shares_or_puts_elsewhere_becomes_rows,
        M08_S05_parts_that_are_shared_at_random_become_rows,
        a_short_vtable_becomes_a_shape,
        an_event_at_an_odd_place_becomes_a_row,
        S05_each_cut_of_rows_is_refused,
        S05_flipped_bytes_of_rows_are_refused_or_verified,
        S05_hostile_rows_are_refused,
        S05_more_rows_than_a_segment_can_have_are_refused,
        shapes_are_taken_back,
        each_allocation_for_rows_may_fail,
    };
    return run_suite("rows", tests, sizeof tests / sizeof *tests);
}
