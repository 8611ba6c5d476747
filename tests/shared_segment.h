/// Saves with events that share what they refer to, as another writer may make them.
#ifndef TESTS_SHARED_SEGMENT_H
#define TESTS_SHARED_SEGMENT_H

#include "save_help.h"
#include "wire/builder.h"
#include "wire/segment.h"

/// A segment of `count` PDo, all of one script: it lies in the last of them, as another writer may share it. They are
/// of an earlier version, so that a load leaves them as they are.
static inline kifu__segment shared_segment(uint32_t count, const char *script)
{
    const kifu__memory memory = kifu__memory_of(NULL, NULL);
    const lab_p_do fields = {.times = 1};
    const kifu__mark mark = {.player = 0, .flags = KIFU_UNDOABLE};
    kifu__segment segment;
    kifu__blob blob = {.memory = &memory};
    ck_assert_int_eq(kifu__segment_new(&memory, &lab_rules, lab_rules.rules_version - 1, count, 64, &segment), KIFU_OK);
    for (uint32_t i = 1; i <= count; i++) {
        kifu__build_anew(&blob, &memory);
        kifu__build(&blob, 0, &fields, sizeof fields, 8);
        kifu__build_string(&blob, offsetof(lab_p_do, script), i < count ? "" : script);
        kifu__build(&blob, 0, NULL, 0, 4);
        ck_assert_int_eq(
            kifu__segment_add(&segment, &memory, &lab_rules, LAB_P_DO, blob.bytes, blob.size, mark, INT32_MAX),
            KIFU_OK);
    }
    const unsigned char *shared =
        (const unsigned char *)lab_p_do_script((const lab_p_do *)kifu__segment_table(&segment, count - 1)) - 4;
    for (uint32_t i = 0; i + 1 < count; i++) {
        lab_p_do *event = (lab_p_do *)(uintptr_t)kifu__segment_table(&segment, i);
        event->script.offset = (uint32_t)(shared - (const unsigned char *)&event->script);
    }
    free(blob.bytes);
    return segment;
}

/// A save with such events: RECORD_EVENTS, they have happened, or RECORD_QUEUE, they wait.
static inline save shared_save(uint32_t kind, uint32_t count, const char *script)
{
    static const unsigned char events[] = {0, 1}, queue[] = {0, 0, 0};
    kifu_timeline *lab = lab_new(NULL);
    save empty = save_of(lab, NULL);
    kifu__segment segment = shared_segment(count, script);
    frames frames = frames_of(&empty);
    insert_frame(&frames, find_frame(&frames, FRAME_COMMIT), FRAME_SEGMENT, segment.bytes, segment.size);
    const records records = {
        .all = {{kind, kind == RECORD_EVENTS ? sizeof events : sizeof queue, kind == RECORD_EVENTS ? events : queue},
                {RECORD_END, 0, NULL}},
        .count = 2};
    save whole = save_of_records(&frames, find_frame(&frames, FRAME_COMMIT), &records);
    free(segment.bytes);
    free(empty.bytes);
    kifu_destroy(lab);
    return whole;
}

#endif
