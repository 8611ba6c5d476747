/// What the suites of viewers and watchers share: Duel at a referee, which knows all, and its watchers.
#ifndef SEEN_HELP_H
#define SEEN_HELP_H

#include "duel_help.h"

#include <kifu/seen.h>
#include <kifu/watch.h>

// --- A referee and its watchers --------------------------------------------------------------------------------------

enum { VIEWERS = 3 };

typedef struct table_of {
    kifu_timeline *referee;
    const kifu_rules *rules[VIEWERS];
    kifu_timeline *watchers[VIEWERS]; ///< Of viewer -1, 0, 1.
    kifu_buffer message;
    uint32_t sent;
    uint64_t bytes, messages;
} table_of;

static inline kifu_timeline *new_watcher(const kifu_rules *rules, const kifu_options *options)
{
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_msg(!kifu_create(rules, options, &timeline, &error), "%s", error.message);
    return timeline;
}

static inline void sit_down(table_of *table, uint64_t seed, const kifu_options *options)
{
    static const kifu_options quiet = {.quiet = true, .observers = {0}};
    *table = (table_of){.sent = 0};
    table->referee = new_watcher(&duel_rules, &quiet);
    add_triggers(table->referee);
    for (int i = 0; i < VIEWERS; i++) {
        table->rules[i] = kifu_watch_rules(&duel_rules, i - 1);
        ck_assert_ptr_nonnull(table->rules[i]);
        table->watchers[i] = new_watcher(table->rules[i], options);
        add_triggers(table->watchers[i]);
    }
    if (seed)
        must(table->referee, duel_begin(table->referee, &seed));
}

static inline void stand_up(table_of *table)
{
    kifu_free_buffer(&table->message);
    kifu_destroy(table->referee);
    for (int i = 0; i < VIEWERS; i++) {
        kifu_destroy(table->watchers[i]);
        kifu_free_watch_rules(table->rules[i]);
    }
}

static inline void write_message(table_of *table, int viewer, uint32_t from, kifu_seen_how how)
{
    must(table->referee, kifu_seen_since(table->referee, viewer, from, how, &table->message));
    table->bytes += table->message.size;
    table->messages++;
}

static inline void is_masked(const table_of *table, int i)
{
    duel_state seen;
    duel_seen(duel_get_state(table->referee), i - 1, &seen);
    ck_assert_mem_eq(kifu_state(table->watchers[i]), &seen, sizeof seen);
    ck_assert_uint_eq(kifu_event_count(table->watchers[i]), kifu_event_count(table->referee));
    ck_assert_uint_eq(kifu_watched(table->watchers[i]), kifu_event_count(table->referee));
}

/// Each watcher gets its message, and has what it may see then.
static inline void tell_all(table_of *table, uint32_t from, kifu_seen_how how)
{
    for (int i = 0; i < VIEWERS; i++) {
        write_message(table, i - 1, from, how);
        must(table->watchers[i], kifu_watch(table->watchers[i], table->message.data, table->message.size));
        is_masked(table, i);
    }
    table->sent = kifu_event_count(table->referee);
}

/// A random move of whose turn it is; where there is none, the player resigns.
static inline void random_move(kifu_timeline *timeline, uint64_t *state)
{
    const int player = kifu_current_player(kifu_get_game(timeline));
    kifu_moves moves = {0};
    must(timeline, kifu_list_moves(timeline, player, &moves));
    *state = *state * UINT64_C(6364136223846793005) + 1;
    if (moves.count)
        kifu_submit_move(timeline, &moves.items[(*state >> 33) % moves.count]);
    else
        duel_submit_p_resign(timeline, player);
    kifu_free_moves(&moves);
    must(timeline, kifu_run(timeline));
}

static inline bool game_is_over(const kifu_timeline *timeline)
{
    return kifu_get_game(timeline)->phase != KIFU_PHASE_PLAY || kifu_event_count(timeline) > 1500;
}

#endif
