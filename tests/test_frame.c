#include <string.h>

#include "base/crc32c.h"
#include "lab_help.h"
#include "save/frame.h"
#include "save/stream.h"
#include "save_help.h"
#include "suite.h"

// A sink into memory, which fails after `room` bytes.
typedef struct target {
    unsigned char bytes[20000];
    size_t size;
    size_t room;
} target;

static target file;

static kifu_result take(void *context, const void *bytes, size_t size, kifu_error *error)
{
    target *target = context;
    if (target->size + size > target->room)
        return kifu__error(error, KIFU_IO, "full");
    memcpy(target->bytes + target->size, bytes, size);
    target->size += size;
    return KIFU_OK;
}

static kifu_result write_frames(size_t room, kifu_error *error)
{
    static unsigned char large[9001];
    for (size_t i = 0; i < sizeof large; i++)
        large[i] = (unsigned char)(i >> 4);
    file.size = 0;
    file.room = room;
    kifu__sink sink = {.write = take, .context = &file, .error = error};
    kifu_result result = kifu__write_file_header(&sink);
    result = result ? result : kifu__write_frame(&sink, 1, "hello", 5);
    result = result ? result : kifu__write_frame(&sink, 77, large, sizeof large);
    result = result ? result : kifu__write_frame(&sink, 6, "", 0);
    return result ? result : kifu__flush(&sink);
}

static void write_all(void)
{
    ck_assert_int_eq(write_frames(sizeof file.bytes, NULL), KIFU_OK);
}

// Reads everything; the number of good frames.
static kifu_result read_all(const unsigned char *bytes, size_t size, int *good, kifu_error *error)
{
    kifu__frame frame;
    uint64_t offset = KIFU__FILE_HEAD;
    *good = 0;
    kifu_result result = kifu__read_file_header(bytes, size, error);
    while (!result && offset < size) {
        result = kifu__read_frame(bytes, size, &offset, &frame, error);
        *good += !result;
    }
    return result;
}

START_TEST(frames_come_back)
{
    write_all();
    ck_assert_uint_eq(file.size, 16 + kifu__frame_size(5) + kifu__frame_size(9001) + kifu__frame_size(0));
    ck_assert_uint_eq(kifu__frame_size(5), 24);
    ck_assert_uint_eq(kifu__frame_size(8), 24);
    ck_assert_int_eq(kifu__read_file_header(file.bytes, file.size, NULL), KIFU_OK);

    uint64_t offset = KIFU__FILE_HEAD;
    kifu__frame frame;
    ck_assert_int_eq(kifu__read_frame(file.bytes, file.size, &offset, &frame, NULL), KIFU_OK);
    ck_assert_uint_eq(frame.offset, 16);
    ck_assert_uint_eq(frame.kind, 1);
    ck_assert_uint_eq(frame.size, 5);
    ck_assert_mem_eq(frame.payload, "hello", 5);
    ck_assert_uint_eq(offset, 40);
    ck_assert_int_eq(kifu__read_frame(file.bytes, file.size, &offset, &frame, NULL), KIFU_OK);
    ck_assert_uint_eq(frame.kind, 77);
    ck_assert_uint_eq(frame.size, 9001);
    ck_assert_uint_eq(frame.payload[9000], 9000 >> 4 & 255);
    ck_assert_int_eq(kifu__read_frame(file.bytes, file.size, &offset, &frame, NULL), KIFU_OK);
    ck_assert_uint_eq(frame.size, 0);
    ck_assert_uint_eq(offset, file.size);
}
END_TEST

START_TEST(a_frame_is_what_the_format_says)
{
    write_all();
    static const unsigned char head[16] = {0x89, 'K', 'I', 'F', 'U', '\r', '\n', 0x1A, 5};
    ck_assert_mem_eq(file.bytes, head, 16);
    static const unsigned char length[4] = {5}, kind[8] = {1};
    static const unsigned char payload[8] = {'h', 'e', 'l', 'l', 'o'};
    ck_assert_mem_eq(file.bytes + 16, length, 4);
    ck_assert_mem_eq(file.bytes + 24, kind, 8);
    ck_assert_mem_eq(file.bytes + 32, payload, 8);
    uint32_t crc;
    memcpy(&crc, file.bytes + 20, 4);
    ck_assert_uint_eq(crc, kifu__crc32c(0, file.bytes + 24, 13));
}
END_TEST

START_TEST(S05_each_cut_is_noticed)
{
    write_all();
    for (size_t size = 0; size < file.size; size++) {
        int good;
        kifu_error error;
        kifu_result result = read_all(file.bytes, size, &good, &error);
        if (size == 16 || size == 40 || size == 40 + kifu__frame_size(9001)) {
            ck_assert_int_eq(result, KIFU_OK); // between frames: the record `end` tells
            continue;
        }
        ck_assert_int_eq(result, size ? KIFU_DAMAGED : KIFU_NOT_A_SAVE);
        ck_assert_uint_le(error.offset, size);
        ck_assert_uint_gt(strlen(error.message), 10);
    }
}
END_TEST

START_TEST(S05_each_flipped_bit_is_noticed)
{
    write_all();
    for (size_t i = 0; i < file.size; i++) {
        int good;
        kifu_error error;
        unsigned char bit = (unsigned char)(1u << i % 8);
        file.bytes[i] ^= bit;
        kifu_result result = read_all(file.bytes, file.size, &good, &error);
        file.bytes[i] ^= bit;
        kifu_result expected = i < 8 ? KIFU_NOT_A_SAVE : i < 12 ? KIFU_NEWER_FORMAT : KIFU_DAMAGED;
        if (i == 8)
            expected = KIFU_UNSUPPORTED; // version 4
        ck_assert_msg(result == expected, "byte %zu: %d %s", i, (int)result, error.message);
        ck_assert_uint_le(error.offset, i);
    }
}
END_TEST

START_TEST(what_is_no_save_is_named_so)
{
    kifu_error error;
    ck_assert_int_eq(kifu__read_file_header((const unsigned char *)"", 0, &error), KIFU_NOT_A_SAVE);
    ck_assert_int_eq(kifu__read_file_header((const unsigned char *)"hi", 2, &error), KIFU_NOT_A_SAVE);
    ck_assert_int_eq(kifu__read_file_header((const unsigned char *)"{\"events\": [], \"x\": 1}", 22, &error),
                     KIFU_NOT_A_SAVE);
    ck_assert_ptr_nonnull(strstr(error.message, "not a Kifu save"));
}
END_TEST

START_TEST(a_newer_format_is_refused_by_both_versions)
{
    kifu_error error;
    write_all();
    file.bytes[8] = 7;
    ck_assert_int_eq(kifu__read_file_header(file.bytes, file.size, &error), KIFU_NEWER_FORMAT);
    ck_assert_ptr_nonnull(strstr(error.message, "version 7"));
    ck_assert_ptr_nonnull(strstr(error.message, "reads version 5"));
    ck_assert_uint_eq(error.offset, 8);
}
END_TEST

START_TEST(a_format_of_before_is_refused_with_what_to_do)
{
    write_all();
    for (unsigned char version = 0; version < 5; version++) {
        kifu_error error;
        file.bytes[8] = version;
        ck_assert_int_eq(kifu__read_file_header(file.bytes, file.size, &error),
                         version ? KIFU_UNSUPPORTED : KIFU_DAMAGED);
        ck_assert_ptr_nonnull(strstr(error.message, version ? "kifu json" : "file header is damaged"));
        ck_assert_uint_eq(error.offset, 8);
    }
}
END_TEST

START_TEST(a_sink_that_fails_is_heard)
{
    write_all();
    size_t whole = file.size;
    for (size_t room = 0; room < whole; room++) {
        kifu_error error;
        ck_assert_int_eq(write_frames(room, &error), KIFU_IO);
        ck_assert_str_eq(error.message, "full");
    }
}
END_TEST

// Whatever is gathered when it fails: the frame's head, its payload, or the end.
START_TEST(a_sink_that_fails_at_once_is_heard_whatever_the_sizes)
{
    static const unsigned char payload[2048];
    for (uint32_t size = 0; size < sizeof payload; size++) {
        file.size = file.room = 0;
        kifu__sink sink = {.write = take, .context = &file};
        kifu_result result = KIFU_OK;
        for (int i = 0; i < 2; i++)
            result = result ? result : kifu__write_frame(&sink, 1, payload, size);
        result = result ? result : kifu__write_frame(&sink, 1, payload, sizeof payload - size);
        result = result ? result : kifu__flush(&sink);
        ck_assert_int_eq(result, KIFU_IO);
        ck_assert_uint_eq(file.size, 0);
    }
}
END_TEST

static int writes;

static kifu_result count_write(void *context, const void *bytes, size_t size, kifu_error *error)
{
    (void)context, (void)bytes, (void)size, (void)error;
    writes++;
    return KIFU_OK;
}

// What fits into 4096 bytes is gathered; what has more than half of them passes through.
START_TEST(small_pieces_are_gathered)
{
    static const unsigned char payload[3000];
    static const struct {
        uint32_t first, second; // sizes of payloads
        int writes;
    } cases[] = {{1000, 1000, 1}, {2048, 2016, 1}, {2048, 2017, 2}, {2049, 0, 3}, {2049, 2049, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kifu__sink sink = {.write = count_write};
        writes = 0;
        ck_assert_int_eq(kifu__write_frame(&sink, 1, payload, cases[i].first), KIFU_OK);
        if (cases[i].second)
            ck_assert_int_eq(kifu__write_frame(&sink, 1, payload, cases[i].second), KIFU_OK);
        ck_assert_int_eq(kifu__flush(&sink), KIFU_OK);
        ck_assert_msg(writes == cases[i].writes, "%zu: %d", i, writes);
    }
}
END_TEST

START_TEST(a_length_that_overflows_is_no_way_out)
{
    write_all();
    memset(file.bytes + 16, 0xFF, 4);
    int good;
    kifu_error error;
    ck_assert_int_eq(read_all(file.bytes, file.size, &good, &error), KIFU_DAMAGED);
    ck_assert_uint_eq(error.offset, 16);
    ck_assert_uint_eq(kifu__peek_frame(file.bytes, file.size, 16), 16 + UINT64_C(0x100000000));
    ck_assert_uint_eq(kifu__peek_frame(file.bytes, file.size, UINT64_MAX - 3), 0);
}
END_TEST

// --- The header ------------------------------------------------------------------------------------------------------

// Of the header, only the time, the number of events and the link may be others.
START_TEST(M08_R06_a_header_that_differs_in_one_byte_is_another)
{
    enum { EVENT_COUNT = 4, SAVED_AT = 6 }; // their numbers in the table
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    kifu_timeline *lab = lab_started(NULL);
    lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.title = "a title", .without_schema = true}));
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_log_append(lab));
    save file;
    file.bytes = read_bytes(path, &file.size);
    const frames frames = frames_of(&file);
    const save_frame *header = &frames.all[0];
    ck_assert_uint_eq(header->kind, FRAME_HEADER);
    const uint32_t table = get32(header->payload);
    const uint32_t skipped[][2] = {{field_at(header->payload, table, EVENT_COUNT), 4},
                                   {field_at(header->payload, table, SAVED_AT), 8},
                                   {LINK, LINK_SIZE}};
    unsigned char *other = (unsigned char *)malloc(header->size);
    ck_assert_ptr_nonnull(other);
    memcpy(other, header->payload, header->size);
    for (uint32_t i = 0; i <= header->size; i++) {
        kifu__piece piece = {.payload = other, .size = header->size - (i == header->size)}; // the last: a shorter one
        kifu_stream_position position;
        uint64_t size;
        uint32_t heads;
        bool same = false;
        for (int k = 0; k < 3; k++)
            same |= i >= skipped[k][0] && i < skipped[k][0] + skipped[k][1];
        if (i < header->size)
            other[i] ^= 1;
        lab_must(lab, kifu__find_stream(lab, path, &piece, &position, &size, &heads));
        ck_assert_msg((position.stream != 0) == same, "byte %u of %u", i, header->size);
        memcpy(other, header->payload, header->size);
    }
    free(other);
    free(file.bytes);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        frames_come_back,
        a_frame_is_what_the_format_says,
        S05_each_cut_is_noticed,
        S05_each_flipped_bit_is_noticed,
        what_is_no_save_is_named_so,
        a_newer_format_is_refused_by_both_versions,
        a_format_of_before_is_refused_with_what_to_do,
        a_sink_that_fails_is_heard,
        a_sink_that_fails_at_once_is_heard_whatever_the_sizes,
        small_pieces_are_gathered,
        a_length_that_overflows_is_no_way_out,
        M08_R06_a_header_that_differs_in_one_byte_is_another,
    };
    return run_suite("frame", tests, sizeof tests / sizeof *tests);
}
