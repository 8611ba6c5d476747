/// What the suites about saves share: games worth saving, folders for them, and their frames one by one.
#ifndef SAVE_HELP_H
#define SAVE_HELP_H

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab_help.h"
#include "fixed_time.h"
#include "commit_help.h"

// --- Folders ---------------------------------------------------------------------------------------------------------

/// A new folder, with a '/' at the end of its name.
static inline char *new_folder(void)
{
#ifdef _WIN32
    const char *root = compat_folder();
#else
    const char *set = getenv("TMPDIR"), *root = set && *set ? set : "/tmp";
#endif
    const size_t room = strlen(root) + sizeof "/kifu-test-XXXXXX/";
    char *name = (char *)malloc(room);
    ck_assert_ptr_nonnull(name);
    snprintf(name, room, "%s/kifu-test-XXXXXX", root);
    ck_assert_ptr_nonnull(mkdtemp(name));
    return strcat(name, "/");
}

/// The path of a file there. Valid until the next call but seven.
static inline const char *in_folder(const char *folder, const char *file)
{
    static char paths[8][5000]; // more than a path may have
    static unsigned turn;
    char *path = paths[turn++ % 8];
    snprintf(path, sizeof paths[0], "%s%s", folder, file);
    return path;
}

/// Whether a message names the path. A message has room for 300 bytes of one.
static inline bool names_path(const char *message, const char *path)
{
    char shown[301];
    memcpy(shown, path, strlen(path) < 300 ? strlen(path) + 1 : 300);
    shown[300] = '\0';
    return strstr(message, shown);
}

/// Whether this is the name of the file that locks a log file.
static inline bool is_lock(const char *name)
{
    const size_t length = strlen(name);
    return *name == '.' && length > 5 && !strcmp(name + length - 5, ".lock");
}

/// How many files a folder has, besides locks.
static inline int count_files(const char *folder)
{
    int count = 0;
    DIR *stream = opendir(folder);
    ck_assert_ptr_nonnull(stream);
    for (const struct dirent *entry; (entry = readdir(stream));)
        count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") && !is_lock(entry->d_name);
    closedir(stream);
    return count;
}

/// Removes it with its files.
static inline void remove_folder(char *folder)
{
    DIR *stream = opendir(folder);
    for (const struct dirent *entry; stream && (entry = readdir(stream));)
        unlink(in_folder(folder, entry->d_name));
    if (stream)
        closedir(stream);
    rmdir(folder);
    free(folder);
}

/// How many this process has open.
static inline int open_files(void)
{
    int count = 0;
    for (int file = 0; file < 256; file++)
        count += fcntl(file, F_GETFD) != -1;
    return count;
}

static inline void write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(size ? fwrite(bytes, 1, size, file) : 0, size);
    ck_assert_int_eq(fclose(file), 0);
}

/// A file's bytes, from malloc.
static inline unsigned char *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = (unsigned char *)malloc(*size + 1);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_eq(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

// --- Saves in memory -------------------------------------------------------------------------------------------------

static inline save save_of(kifu_timeline *timeline, const kifu_save_options *options)
{
    save save = {NULL, 0};
    unsigned char *bytes;
    ck_assert_msg(save_to_memory_at(timeline, options, 1700000000, &bytes, &save.size) == KIFU_OK, "%s",
                  kifu_last_error(timeline)->message);
    save.bytes = (unsigned char *)malloc(save.size);
    ck_assert_ptr_nonnull(save.bytes);
    memcpy(save.bytes, bytes, save.size);
    kifu_free_bytes(timeline, bytes);
    return save;
}

static inline kifu_timeline *load_by(const save *save, const kifu_options *options,
                                     const kifu_load_options *load_options)
{
    kifu_timeline *timeline;
    kifu_error error;
    kifu_result result =
        kifu_load_from_memory(&lab_rules, save->bytes, save->size, options, load_options, &timeline, &error);
    ck_assert_msg(result == KIFU_OK, "%s", error.message);
    return timeline;
}

static inline kifu_timeline *load_with(const save *save, const kifu_load_options *load_options)
{
    return load_by(save, NULL, load_options);
}

static inline kifu_timeline *load_again(const save *save)
{
    return load_with(save, NULL);
}

static inline void expect_same_bytes(const save *one, const save *other)
{
    ck_assert_uint_eq(one->size, other->size);
    ck_assert_mem_eq(one->bytes, other->bytes, one->size);
}

// --- Frames ----------------------------------------------------------------------------------------------------------

enum { MOST_FRAMES = 80 };

/// A save taken apart. The payloads are the save's.
typedef struct frames {
    save_frame all[MOST_FRAMES];
    int count;
} frames;

static inline frames frames_of(const save *save)
{
    frames frames = {.count = 0};
    uint64_t offset = FILE_HEAD;
    while (offset < save->size) {
        ck_assert_int_lt(frames.count, MOST_FRAMES);
        frames.all[frames.count++] = read_frame(save->bytes, save->size, &offset);
    }
    return frames;
}

/// Number of the first frame of a kind, or -1.
static inline int find_frame(const frames *frames, uint32_t kind)
{
    for (int i = 0; i < frames->count; i++) {
        if (frames->all[i].kind == kind)
            return i;
    }
    return -1;
}

static inline void insert_frame(frames *frames, int at, uint32_t kind, const void *payload, uint32_t size)
{
    ck_assert_int_lt(frames->count, MOST_FRAMES);
    memmove(&frames->all[at + 1], &frames->all[at], (size_t)(frames->count - at) * sizeof frames->all[0]);
    frames->all[at] = (save_frame){.kind = kind, .payload = (const unsigned char *)payload, .size = size};
    frames->count++;
}

static inline void remove_frame(frames *frames, int at)
{
    frames->count--;
    memmove(&frames->all[at], &frames->all[at + 1], (size_t)(frames->count - at) * sizeof frames->all[0]);
}

/// A save of these frames, with checksums and links that are right.
static inline save save_of_frames(const frames *frames)
{
    uint64_t size = FILE_HEAD;
    for (int i = 0; i < frames->count; i++)
        size += frame_size(frames->all[i].size);
    save whole = {(unsigned char *)malloc((size_t)size), 0};
    ck_assert_ptr_nonnull(whole.bytes);
    frame_writer writer = {.to = &whole};
    write_file_head(&writer);
    for (int i = 0; i < frames->count; i++) {
        const save_frame *frame = &frames->all[i];
        unsigned char *payload = (unsigned char *)malloc(frame->size + 1);
        memcpy(payload, frame->payload, frame->size);
        if ((int)frame->size >= link_of(frame->kind) + LINK_SIZE)
            put_link(&writer, frame->kind, payload);
        write_frame(&writer, frame->kind, payload, frame->size);
        free(payload);
    }
    ck_assert_uint_eq(whole.size, size);
    return whole;
}

// Number of the commit of a save: the first, or the second.
static inline int commit_at(const frames *frames, int number)
{
    int at = find_frame(frames, FRAME_COMMIT);
    while (number && frames->all[++at].kind == FRAME_COMMIT)
        number--;
    while (number)
        number -= frames->all[++at].kind == FRAME_COMMIT;
    return at;
}

/// The same save, but for the records of one frame, a commit.
static inline save save_of_records(const frames *frames, int commit, const records *records)
{
    struct frames changed = *frames;
    save_frame *frame = &changed.all[commit];
    unsigned char *payload = payload_of_records(records, &frame->size);
    frame->payload = payload;
    const save save = save_of_frames(&changed);
    free(payload);
    return save;
}

/// The frames in a block, whose payloads they are.
static inline frames frames_in(const unsigned char *block, uint32_t size)
{
    frames frames = {.count = 0};
    for (const unsigned char *at = block; at < block + size; at += frames.all[frames.count++].size) {
        save_frame *frame = &frames.all[frames.count];
        ck_assert_int_lt(frames.count + 1, MOST_FRAMES);
        frame->kind = number_at(&at);
        frame->size = number_at(&at);
        while ((at - block) % 8)
            ck_assert_uint_eq(*at++, 0);
        frame->payload = at;
    }
    return frames;
}

/// A block of these frames. From malloc.
static inline unsigned char *block_of(const frames *frames, uint32_t *size)
{
    size_t room = 0;
    for (int i = 0; i < frames->count; i++)
        room += 20 + (size_t)frames->all[i].size;
    unsigned char *block = (unsigned char *)calloc(room + 1, 1), *at = block;
    for (int i = 0; i < frames->count; i++) {
        at = put_number(put_number(at, frames->all[i].kind), frames->all[i].size);
        at += (8 - (at - block) % 8) % 8;
        if (frames->all[i].size)
            memcpy(at, frames->all[i].payload, frames->all[i].size);
        at += frames->all[i].size;
    }
    *size = (uint32_t)(at - block);
    return block;
}

/// The frames of a save that kifu_compact has packed: the header, and those in the block.
static inline frames packed_frames(const save *save)
{
    const frames outer = frames_of(save);
    const save_frame *packed = &outer.all[find_frame(&outer, FRAME_PACKED)];
    const uint32_t head = LINK + LINK_SIZE + 1;
    ck_assert_uint_eq(packed->payload[head - 1], 0); // It has no name.
    const frames inner = frames_in(packed->payload + head, packed->size - head);
    frames all = {.count = 1 + inner.count};
    all.all[0] = outer.all[0];
    memcpy(&all.all[1], inner.all, (size_t)inner.count * sizeof *inner.all);
    return all;
}

/// A save packed by kifu_compact, of the header, which is the first of these frames, and the others in the block.
static inline save pack_frames(const frames *all)
{
    frames inner = {.count = all->count - 1}, outer = {.count = 2};
    memcpy(inner.all, &all->all[1], (size_t)inner.count * sizeof *inner.all);
    uint32_t size;
    const uint32_t head = LINK + LINK_SIZE + 1;
    unsigned char *block = block_of(&inner, &size), *payload = (unsigned char *)calloc(head + size, 1);
    memcpy(payload + head, block, size);
    set32(payload, size);
    outer.all[0] = all->all[0];
    outer.all[1] = (save_frame){.kind = FRAME_PACKED, .payload = payload, .size = head + size};
    const save made = save_of_frames(&outer);
    free(payload);
    free(block);
    return made;
}

/// The bytes of the first segment of these frames, to be changed where they are.
static inline unsigned char *first_segment(const frames *frames)
{
    const int at = find_frame(frames, FRAME_SEGMENT);
    ck_assert_int_ge(at, 0);
    return (unsigned char *)(uintptr_t)frames->all[at].payload;
}

/// How many segments a plain save has.
static inline int count_segments(const save *save)
{
    const frames frames = frames_of(save);
    int count = 0;
    for (int i = 0; i < frames.count; i++)
        count += frames.all[i].kind == FRAME_SEGMENT;
    return count;
}

/// The records of a frame that is the first commit of a save: it says all of the current line.
static inline records first_records(const frames *frames)
{
    const int commit = find_frame(frames, FRAME_COMMIT);
    ck_assert_int_ge(commit, 0);
    return records_of(&frames->all[commit]);
}

/// The same save with something changed about the records of its first commit.
static inline save save_with_records(const save *save, void (*change)(records *records))
{
    const frames frames = frames_of(save);
    records records = first_records(&frames);
    change(&records);
    return save_of_records(&frames, find_frame(&frames, FRAME_COMMIT), &records);
}

/// The same save with another body of the first record of a kind in its first commit.
static inline save save_with_body(const save *save, uint32_t kind, const void *body, uint32_t size)
{
    const frames frames = frames_of(save);
    records records = first_records(&frames);
    const int at = find_record(&records, kind);
    ck_assert_int_ge(at, 0);
    records.all[at] = (record){kind, size, (const unsigned char *)body};
    return save_of_records(&frames, find_frame(&frames, FRAME_COMMIT), &records);
}

/// The hash of the state after so many events, as a save has it.
typedef struct saved_hash {
    uint64_t hash;
    uint32_t event_count;
    uint32_t padding;
} saved_hash;

/// Those along the current line, from malloc.
static inline saved_hash *hashes_of(kifu_timeline *timeline, uint32_t *count)
{
    save save = save_of(timeline, NULL);
    saved_hash *hashes = (saved_hash *)malloc(2 * save.size); // 9 bytes have one at least.
    *count = 0;
    save_frame frame = {.kind = 0};
    for (uint64_t offset = FILE_HEAD; frame.kind != FRAME_COMMIT;)
        frame = read_frame(save.bytes, save.size, &offset);
    const records records = records_of(&frame);
    for (int i = 0; i < records.count; i++) {
        const unsigned char *at = records.all[i].body, *end = at + records.all[i].size;
        for (uint32_t events = 0; records.all[i].kind == RECORD_HASHES && at < end; at += 8) {
            saved_hash *hash = &hashes[(*count)++];
            hash->event_count = events += number_at(&at);
            memcpy(&hash->hash, at, 8);
        }
        at = end;
    }
    free(save.bytes);
    return hashes;
}

static inline uint32_t count_hashes(kifu_timeline *timeline)
{
    uint32_t count;
    free(hashes_of(timeline, &count));
    return count;
}

// --- Games -----------------------------------------------------------------------------------------------------------

/// A game with all there can be in a save: events with and without strings, hashes along the log, two undone chains,
/// one of them with proposals that waited, and both queues filled. Without `options` a hash after every second event.
static inline kifu_timeline *rich_game(const kifu_options *options)
{
    static const kifu_options many_hashes = {.hash_interval = 2};
    const uint64_t seed = 7;
    kifu_timeline *lab = lab_new(options ? options : &many_hashes);
    lab_submit_e_reset_game(lab);
    lab_submit_e_add_player(lab, 0, 0x112233);
    lab_submit_e_initialize(lab, SEEDED(seed));
    lab_must(lab, kifu_run(lab));
    lab_must(lab, lab_play(lab, "+r1(+2)"));
    lab_must(lab, lab_play(lab, NULL));
    lab_submit_p_add(lab, 0, 5);
    lab_must(lab, kifu_run(lab));
    lab_must(lab, lab_play(lab, "3(4)"));
    lab_do(lab, 0, "5(6)(7)", 1);
    lab_must(lab, kifu_step(lab));
    lab_submit_p_add(lab, 0, 8);
    lab_must(lab, kifu_undo(lab)); // with two consequences and an input waiting
    lab_must(lab, kifu_undo(lab));
    return lab;
}

/// The same with both queues filled; redo then waits behind them.
static inline kifu_timeline *waiting_game(const kifu_options *options)
{
    kifu_timeline *lab = rich_game(options);
    lab_do(lab, 0, "9(+(+r)[-])(p)", 1);
    lab_must(lab, kifu_step(lab));
    lab_submit_p_add(lab, 0, 70);
    kifu_ticket ticket = lab_do(lab, 0, "-", 2);
    lab_must(lab, kifu_override(lab, ticket, false, true));
    return lab;
}

// --- Comparing -------------------------------------------------------------------------------------------------------

static inline void expect_same_events(kifu_timeline *one, kifu_timeline *other,
                                      bool (*at)(const kifu_timeline *, uint32_t, kifu_event *))
{
    kifu_event a, b;
    for (uint32_t i = 0; at(one, i, &a); i++) {
        ck_assert(at(other, i, &b));
        ck_assert_uint_eq(a.type, b.type);
        ck_assert_uint_eq(a.cause, b.cause);
        ck_assert_int_eq(a.player, b.player);
        ck_assert_uint_eq(a.flags, b.flags);
        ck_assert_uint_eq(a.rules_version, b.rules_version);
        if (a.type == LAB_P_DO) {
            const lab_p_do *first = a.table, *second = b.table;
            ck_assert_uint_eq(first->times, second->times);
            ck_assert_pstr_eq(lab_p_do_script(first), lab_p_do_script(second));
        }
    }
}

/// Whether two timelines are the same to everyone who looks: state, log with marks, queues with flags, undo and redo.
static inline void expect_same(kifu_timeline *one, kifu_timeline *other)
{
    lab_picture picture = lab_look(one);
    lab_same(other, &picture);
    expect_same_events(one, other, kifu_event_at);
    expect_same_events(one, other, kifu_pending_at);
    ck_assert_uint_eq(kifu_can_undo(one, NULL), kifu_can_undo(other, NULL));
    ck_assert_uint_eq(kifu_can_redo(one, NULL), kifu_can_redo(other, NULL));
    ck_assert_uint_eq(kifu_state_hash(one), kifu_state_hash(other));
}

/// The same for games that are too long for words.
static inline void expect_same_long(kifu_timeline *one, kifu_timeline *other)
{
    ck_assert_uint_eq(kifu_event_count(one), kifu_event_count(other));
    ck_assert_uint_eq(kifu_state_hash(one), kifu_state_hash(other));
    ck_assert_uint_eq(kifu_can_redo(one, NULL), kifu_can_redo(other, NULL));
    expect_same_events(one, other, kifu_event_at);
}

// --- Random games ----------------------------------------------------------------------------------------------------

static inline uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/// One step of a game that nobody would play, the same on each of two timelines.
static inline void random_lab_step(kifu_timeline *lab, uint32_t choice)
{
    static const char *const scripts[] = {"+", "-(+)", "r", NULL, "(+(r)(-))(p)", "+@+",    "[+][!]",
                                          "f", "(f)+", "",  "-",  "+(p)",         "(((r))", "+(+)(+)"};
    switch (choice % 12) {
    case 0:
    case 1:
        (void)!kifu_undo(lab);
        break;
    case 2:
        (void)!kifu_redo(lab);
        break;
    case 3:
    case 4:
        (void)!kifu_step(lab);
        break;
    case 5:
        (void)!kifu_run(lab);
        break;
    case 6:
        lab_submit_p_add(lab, (int)(choice >> 8 & 3) - 1, (int)(choice >> 8 & 7));
        break;
    default:
        if (lab_get_state(lab)->length > 40)
            lab_submit_e_reset_game(lab);
        lab_do(lab, (int)(choice >> 8 & 3), scripts[(choice >> 4) % 14], (uint8_t)(choice >> 8 & 3));
        break;
    }
}

#endif
