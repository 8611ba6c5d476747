/// What viewers and watchers cost: time and bytes of one input, for one viewer. A program of its own, because Duel and
/// the dungeon, which other rows play, have functions of the same names. `bench_seen INPUTS`
#include <stdio.h>
#include <stdlib.h>

#include <kifu/kifu.h>

#include "measure.h"

// The examples' headers have the same names.
extern const kifu_rules duel_rules, reversi_rules;
extern const kifu_observers duel_triggers;
kifu_result duel_begin(kifu_timeline *timeline, const uint64_t *seed);
kifu_result reversi_begin(kifu_timeline *timeline, const uint64_t *seed);

typedef struct costs {
    uint32_t inputs;
    double writing, watching;          // Nanoseconds,
    uint64_t saved, changes, messages; // and bytes.
} costs;

static bool play_any(kifu_timeline *referee, uint64_t *random)
{
    const int player = kifu_current_player(kifu_get_game(referee));
    kifu_moves moves = {0};
    must(!kifu_list_moves(referee, player, &moves), "no list of moves");
    const bool any = moves.count != 0;
    *random = *random * UINT64_C(6364136223846793005) + 1;
    if (any)
        kifu_submit_move(referee, &moves.items[(*random >> 33) % moves.count]);
    kifu_free_moves(&moves);
    must(!any || !kifu_run(referee), "a move was refused");
    return any;
}

// The same changes go to a follower, who has nothing but these.
static void follow(kifu_timeline *referee, kifu_stream_position *sent, costs *costs)
{
    kifu_changes changes;
    must(!kifu_changes_since(referee, sent, &changes), "no changes");
    costs->changes += sent->stream ? changes.size : 0;
    *sent = changes.until;
    kifu_free_bytes(referee, changes.bytes);
}

static void watch(kifu_timeline *referee, kifu_timeline *watcher, uint32_t from, kifu_buffer *message, costs *costs)
{
    const double start = wall_clock();
    must(!kifu_seen_since(referee, 1, from, KIFU_SEEN_PLAYED, message), "no message");
    const double written = wall_clock();
    must(!kifu_watch(watcher, message->data, message->size), "a message was refused");
    costs->watching += wall_clock() - written;
    costs->writing += written - start;
    costs->messages += message->size;
}

static void play_game(const kifu_rules *rules, const kifu_rules *watch_rules, const kifu_observers *observers,
                      kifu_result (*begin)(kifu_timeline *, const uint64_t *), uint64_t seed, costs *costs)
{
    kifu_options options = {.quiet = true};
    kifu_timeline *referee, *watcher;
    kifu_buffer message = {0};
    kifu_stream_position sent = {0};
    uint64_t random = seed;
    if (observers)
        options.observers = *observers;
    must(!kifu_create(rules, &options, &referee, NULL) && !kifu_create(watch_rules, &options, &watcher, NULL),
         "no timeline");
    must(!begin(referee, &seed), "the game did not begin");
    struct costs set_up = {0};
    follow(referee, &sent, &set_up);
    watch(referee, watcher, 0, &message, &set_up);
    for (;; costs->inputs++) {
        const uint32_t before = kifu_event_count(referee);
        if (kifu_get_game(referee)->phase != KIFU_PHASE_PLAY || before > 1500 || !play_any(referee, &random))
            break;
        watch(referee, watcher, before, &message, costs);
        follow(referee, &sent, costs);
    }
    unsigned char *bytes;
    size_t size;
    must(!kifu_save_to_memory(referee, &(kifu_save_options){.without_schema = true}, &bytes, &size), "not saved");
    costs->saved += size;
    kifu_free_bytes(referee, bytes);
    kifu_free_buffer(&message);
    kifu_destroy(referee);
    kifu_destroy(watcher);
}

static void rows_of(const char *name, const kifu_rules *rules, const kifu_observers *observers,
                    kifu_result (*begin)(kifu_timeline *, const uint64_t *), uint32_t most)
{
    const kifu_rules *watch_rules = kifu_watch_rules(rules, 1);
    costs costs = {0};
    char text[100];
    must(watch_rules != NULL, "no rules of a watcher");
    for (uint64_t seed = 1; costs.inputs < most; seed++)
        play_game(rules, watch_rules, observers, begin, seed, &costs);
    const double inputs = costs.inputs;
    snprintf(text, sizeof text, "%s: an input for a viewer, masked and written", name);
    row(text, "%6.0f ns; taken by the watcher: %6.0f ns", costs.writing / inputs, costs.watching / inputs);
    snprintf(text, sizeof text, "%s: bytes of an input", name);
    goal_row(text, (double)costs.messages / inputs, true, 40,
             "%5.1f B for a viewer, %5.1f B for a follower, %5.1f B in a save", (double)costs.messages / inputs,
             (double)costs.changes / inputs, (double)costs.saved / inputs);
    kifu_free_watch_rules(watch_rules);
}

int main(int argc, char **argv)
{
    const uint32_t inputs = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000;
    rows_of("duel", &duel_rules, &duel_triggers, duel_begin, inputs);
    rows_of("reversi", &reversi_rules, NULL, reversi_begin, inputs);
    return goals_missed() != 0;
}
