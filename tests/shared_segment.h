/// Saves with events that share what they refer to, as another writer may make them.
#ifndef TESTS_SHARED_SEGMENT_H
#define TESTS_SHARED_SEGMENT_H

#include "save_help.h"

/// Each of the first events of a segment refers to the script that lies in the last one. All are PDo.
static inline void share_last_script(unsigned char *segment)
{
    const uint32_t script = (uint32_t)offsetof(lab_p_do, script);
    const uint32_t last = get32(segment + vector_at(segment, get32(segment), SEGMENT_EVENTS)) - 1;
    const uint32_t end = event_in(segment, last) + script, shared = end + get32(segment + end);
    for (uint32_t i = 0; i < last; i++) {
        const uint32_t reference = event_in(segment, i) + script;
        set32(segment + reference, shared - reference);
    }
}

/// A segment of `count` PDo of player 0, all of one script: it lies in the last of them. `own`: what the others had.
static inline save shared_segment(uint32_t count, const char *own, const char *script)
{
    kifu_timeline *lab = lab_new(NULL);
    for (uint32_t i = 1; i <= count; i++)
        lab_do(lab, 0, i < count ? own : script, 1);
    save whole = save_of(lab, NULL);
    const frames frames = frames_of(&whole);
    const save_frame *waiting = &frames.all[find_frame(&frames, FRAME_SEGMENT)];
    save segment = {(unsigned char *)malloc(waiting->size), waiting->size};
    ck_assert_ptr_nonnull(segment.bytes);
    memcpy(segment.bytes, waiting->payload, waiting->size);
    share_last_script(segment.bytes);
    free(whole.bytes);
    kifu_destroy(lab);
    return segment;
}

/// The same, of an earlier version: so a load leaves them as they are.
static inline save old_shared_segment(uint32_t count, const char *script)
{
    const save segment = shared_segment(count, "", script);
    const uint32_t version = field_at(segment.bytes, get32(segment.bytes), SEGMENT_VERSION);
    set32(segment.bytes + version, get32(segment.bytes + version) - 1);
    return segment;
}

/// A save with such events: RECORD_EVENTS, they have happened, or RECORD_QUEUE, they wait.
static inline save shared_save(uint32_t kind, uint32_t count, const char *script)
{
    static const unsigned char events[] = {0, 1}, queue[] = {0, 0, 0};
    kifu_timeline *lab = lab_new(NULL);
    save empty = save_of(lab, NULL), segment = old_shared_segment(count, script);
    frames frames = frames_of(&empty);
    insert_frame(&frames, find_frame(&frames, FRAME_COMMIT), FRAME_SEGMENT, segment.bytes, (uint32_t)segment.size);
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
