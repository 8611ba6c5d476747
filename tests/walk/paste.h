/// What the walk prints as C calls these: include this file in a suite, and paste. The loads here must succeed; what
/// else was wrong, a comment says, and the test must assert.
#ifndef WALK_PASTE_H
#define WALK_PASTE_H

#include <kifu/forget.h>
#include <kifu/log_file.h>
#include <kifu/zstd.h>
#include <string.h>

#include "history_help.h"
#include "kifu_fuzz.h"
#include "seeded.h"

/// What a timeline keeps, and how it is loaded.
typedef struct paste {
    bool variations, notes, no_root, promotes, sync, records, fast, recover;
    uint32_t hash_interval;
    test_memory *memory;
    const kifu_observers *triggers;
} paste;

static inline kifu_options paste_options(const paste *how)
{
    return (kifu_options){
        .allocate = how->memory ? test_allocate : NULL,
        .allocate_context = how->memory,
        .keep_variations = how->variations ? kifu_keep_variations : NULL,
        .promote_played = how->promotes,
        .keep_notes = how->notes ? kifu_keep_notes : NULL,
        .sync_test = how->sync ? kifu_sync_test : NULL,
        .record_inputs = how->records ? kifu_record_inputs : NULL,
        .from_state = how->no_root ? NULL : kifu_begin_from_state,
        .hash_interval = how->hash_interval,
        .observers = how->triggers ? *how->triggers : (kifu_observers){0},
        .max_consequences = 60,
        .seed = 11,
    };
}

static inline void paste_judge(const kifu_timeline *timeline, double *worth)
{
    (void)timeline, (void)worth;
}

static inline void paste_best(kifu_timeline *timeline, uint32_t tries, uint64_t seed)
{
    const kifu_bot bot = {.judge = paste_judge, .depth = KIFU_AT_ONCE};
    (void)!kifu_play_best(timeline, &bot, &(kifu_thinking){.tries = tries, .seed = seed});
}

static inline kifu_timeline *paste_new(const kifu_rules *rules, const paste *how)
{
    const kifu_options options = paste_options(how);
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_msg(!kifu_create(rules, &options, &timeline, &error), "%s", error.message);
    return timeline;
}

static inline kifu_timeline *paste_load(const kifu_rules *rules, const paste *how, const char *path,
                                        const unsigned char *bytes, size_t size)
{
    const kifu_options options = paste_options(how);
    const kifu_load_options load_options = {
        .codec = kifu_zstd(), .fast = how->fast, .recover = how->recover ? kifu_recover : NULL};
    kifu_timeline *loaded;
    kifu_error error;
    const kifu_result result = bytes
                                   ? kifu_load_from_memory(rules, bytes, size, &options, &load_options, &loaded, &error)
                                   : kifu_load(rules, path, &options, &load_options, &loaded, &error);
    ck_assert_msg(!result, "%s", error.message);
    return loaded;
}

/// Saves it, loads that, and destroys one of both: the load with `check`, else the timeline.
static inline kifu_timeline *paste_reload(kifu_timeline *timeline, const kifu_save_options *options, const paste *how,
                                          bool check)
{
    unsigned char *bytes;
    size_t size;
    must(timeline, kifu_save_to_memory(timeline, options, &bytes, &size));
    kifu_timeline *loaded = paste_load(kifu_timeline_rules(timeline), how, NULL, bytes, size);
    kifu_free_bytes(timeline, bytes);
    kifu_destroy(check ? loaded : timeline);
    return check ? timeline : loaded;
}

/// The log file of a process that was killed.
static inline kifu_timeline *paste_kill(kifu_timeline *timeline, const char *path, const paste *how)
{
    const kifu_rules *rules = kifu_timeline_rules(timeline);
    kifu_destroy(timeline);
    return paste_load(rules, how, path, NULL, 0);
}

/// A cursor in a line; the bits of `steps` from the eighth on: back or forward.
static inline void paste_look(kifu_timeline *timeline, uint32_t line, uint32_t count, uint32_t steps)
{
    kifu_cursor *cursor;
    kifu_result result = kifu_cursor_open_line(timeline, line, count, &cursor);
    for (int step = 0; cursor && step < 12 && result != KIFU_NO_MEMORY; step++)
        result = steps >> (step + 8) & 1 ? kifu_cursor_back(cursor) : kifu_cursor_forward(cursor);
    kifu_cursor_close(cursor);
}

static inline kifu_timeline *paste_fork(kifu_timeline *timeline, uint32_t line, uint32_t count)
{
    kifu_timeline *fork;
    must(timeline, kifu_fork_line(timeline, line, count, NULL, &fork, NULL));
    return fork;
}

static inline void paste_bytes(kifu_timeline *timeline, uint32_t event, int player, bool trusted)
{
    kifu_buffer buffer = {0};
    if (!kifu_event_bytes(timeline, event, &buffer) &&
        !(trusted ? kifu_submit_trusted_bytes : kifu_submit_bytes)(timeline, player, buffer.data, buffer.size, NULL))
        (void)!kifu_run(timeline);
    kifu_free_buffer(&buffer);
}

static inline void paste_batch(kifu_timeline *timeline, uint32_t count, uint32_t first, uint32_t second, uint32_t third,
                               int player)
{
    const uint32_t events[] = {first, second, third};
    kifu_buffer batch = {0}, one = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (!kifu_event_bytes(timeline, events[i], &one))
            (void)!kifu_add_bytes(timeline, &batch, one.data, one.size);
    }
    (void)!kifu_run_request(timeline, player, batch.data, batch.size);
    kifu_free_buffer(&batch);
    kifu_free_buffer(&one);
}

static inline void paste_request(kifu_timeline *timeline, bool forward, uint32_t steps)
{
    kifu_buffer request = {0};
    if (!(forward ? kifu_redo_bytes : kifu_undo_bytes)(timeline, steps, &request))
        (void)!kifu_run_request(timeline, -1, request.data, request.size);
    kifu_free_buffer(&request);
}

static inline kifu_ticket paste_input(kifu_timeline *timeline, const kifu_fuzz_hooks *hooks, uint32_t a, uint32_t b)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, a, b);
    return hooks->input(timeline, &rng);
}

static inline void paste_begin(kifu_timeline *timeline, const kifu_fuzz_hooks *hooks)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 1);
    hooks->begin(timeline, &rng);
    (void)!kifu_run(timeline);
}

static inline void paste_turn(kifu_timeline *timeline, const kifu_fuzz_hooks *hooks, uint32_t a)
{
    kifu_rng rng;
    kifu_turn turn;
    kifu_rng_seed(&rng, a, 3);
    (void)!kifu_take_turn(timeline, hooks->decide, &rng, &turn);
}

/// The move at a place of the list; `how`: 0 submits, 2 tries, 3 asks.
static inline kifu_ticket paste_move(kifu_timeline *timeline, int player, uint32_t place, int how)
{
    kifu_moves moves = {0};
    kifu_ticket ticket = 0;
    must(timeline, kifu_list_moves(timeline, player, &moves));
    if (how == 0)
        ticket = kifu_submit_move(timeline, &moves.items[place]);
    else if (how == 2)
        (void)!kifu_try_move(timeline, &moves.items[place]);
    else
        (void)kifu_can_move(timeline, &moves.items[place]);
    kifu_free_moves(&moves);
    return ticket;
}

#endif
