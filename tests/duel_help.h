/// What the suites of the Duel example share. They link the rules and the computer player, no view.
#ifndef DUEL_HELP_H
#define DUEL_HELP_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "ai.h"
#include "game.h"
#include "triggers.h"

static inline void must(const kifu_timeline *timeline, kifu_result result)
{
    ck_assert_msg(!result, "%s", kifu_last_error(timeline)->message);
}

static inline void add_triggers(kifu_timeline *timeline)
{
    must(timeline, kifu_observe_all(timeline, duel_triggers.items, duel_triggers.count));
}

static inline kifu_timeline *new_game(uint64_t seed, const kifu_options *options)
{
    const kifu_options quiet = {.quiet = true};
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_msg(!kifu_create(&duel_rules, options ? options : &quiet, &timeline, &error), "%s", error.message);
    add_triggers(timeline);
    must(timeline, duel_begin(timeline, &seed));
    return timeline;
}

static inline int current(const kifu_timeline *timeline)
{
    return kifu_current_player(kifu_get_game(timeline));
}

/// The first card of a kind that a player has in a zone, or NO_CARD.
static inline uint32_t find(const kifu_timeline *timeline, int player, duel_kind kind, duel_zone zone)
{
    const duel_state *state = duel_get_state(timeline);
    for (uint32_t card = 0; card < CARD_COUNT; card++) {
        if (rules_owner(card) == player && state->cards[card].kind == kind && state->cards[card].zone == zone)
            return card;
    }
    return NO_CARD;
}

/// A new game in which who begins has a card of some kind in the hand.
static inline kifu_timeline *new_game_with(duel_kind kind, const kifu_options *options, uint32_t *card)
{
    for (uint64_t seed = 1;; seed++) {
        kifu_timeline *timeline = new_game(seed, options);
        *card = find(timeline, current(timeline), kind, DUEL_ZONE_HAND);
        if (*card != NO_CARD)
            return timeline;
        kifu_destroy(timeline);
    }
}

/// Puts a card into play, from wherever it is: a shortcut to a position. Engine events ask nobody.
static inline uint32_t put(kifu_timeline *timeline, int player, duel_kind kind)
{
    uint32_t card = find(timeline, player, kind, DUEL_ZONE_DECK);
    if (card == NO_CARD)
        card = find(timeline, player, kind, DUEL_ZONE_HAND);
    ck_assert_uint_ne(card, NO_CARD);
    duel_submit_e_enter(timeline, (uint8_t)card);
    must(timeline, kifu_run(timeline));
    return card;
}

static inline void make_ready(kifu_timeline *timeline)
{
    duel_submit_e_begin_turn(timeline, (uint8_t)current(timeline));
    must(timeline, kifu_run(timeline));
}

static inline duel_move play(uint32_t card, uint32_t target)
{
    return (duel_move){.kind = DUEL_PLAY, .card = (uint8_t)card, .sacrifice = NO_CARD, .target = (uint8_t)target};
}

static inline duel_move attack(uint32_t card, uint32_t target)
{
    return (duel_move){
        .kind = DUEL_ATTACK, .attackers = {(uint8_t)card}, .attacker_count = 1, .target = (uint8_t)target};
}

static inline void make(kifu_timeline *timeline, duel_move move)
{
    const char *why;
    kifu_result result = duel_make_move(timeline, &move, &why);
    ck_assert_msg(!result, "%s", why ? why : kifu_last_error(timeline)->message);
    ck_assert_uint_eq(kifu_open_transactions(timeline), 0);
    ck_assert_uint_eq(kifu_pending_count(timeline), 0);
}

static inline uint32_t count_events(const kifu_timeline *timeline, uint32_t type)
{
    uint32_t count = 0;
    kifu_event event;
    for (uint32_t i = 0; kifu_event_at(timeline, i, &event); i++)
        count += event.type == type;
    return count;
}

/// All that a game consists of.
typedef struct snapshot {
    duel_state state;
    uint32_t events, pending, undo, redo, open;
} snapshot;

static inline snapshot take(const kifu_timeline *timeline)
{
    return (snapshot){.state = *duel_get_state(timeline),
                      .events = kifu_event_count(timeline),
                      .pending = kifu_pending_count(timeline),
                      .undo = kifu_can_undo(timeline, NULL),
                      .redo = kifu_can_redo(timeline, NULL),
                      .open = kifu_open_transactions(timeline)};
}

static inline void same(const kifu_timeline *timeline, const snapshot *before)
{
    ck_assert_mem_eq(duel_get_state(timeline), &before->state, sizeof before->state);
    ck_assert_uint_eq(kifu_event_count(timeline), before->events);
    ck_assert_uint_eq(kifu_pending_count(timeline), before->pending);
    ck_assert_uint_eq(kifu_can_undo(timeline, NULL), before->undo);
    ck_assert_uint_eq(kifu_can_redo(timeline, NULL), before->redo);
    ck_assert_uint_eq(kifu_open_transactions(timeline), before->open);
}

static inline kifu_timeline *reload(kifu_timeline *timeline, bool fast)
{
    unsigned char *bytes;
    size_t size;
    must(timeline, kifu_save_to_memory(timeline, NULL, &bytes, &size));
    const kifu_options options = {.quiet = true};
    const kifu_load_options load_options = {.fast = fast};
    kifu_timeline *loaded;
    kifu_error error;
    ck_assert_msg(!kifu_load_from_memory(&duel_rules, bytes, size, &options, &load_options, &loaded, &error), "%s",
                  error.message);
    kifu_free_bytes(timeline, bytes);
    add_triggers(loaded);
    return loaded;
}

/// A view that keeps a copy of the state by listening alone.
typedef struct mirror {
    duel_view view;
    duel_state state;
    uint32_t changes, taken_back, refused;
} mirror;

static inline void follow_change(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)timeline, (void)state;
    mirror *mirror = context;
    unsigned char *bytes = (unsigned char *)&mirror->state + change->offset;
    ck_assert_mem_eq(bytes, change->before, change->size);
    memcpy(bytes, change->after, change->size);
    mirror->changes++;
    mirror->taken_back += change->undone;
}

static inline void note_refusal(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    (void)timeline, (void)outcome;
    ((mirror *)context)->refused++;
}

static inline void begin_mirror(mirror *mirror)
{
    memset(mirror, 0, sizeof *mirror);
    mirror->view.base = (kifu_view){.context = mirror, .rejected = note_refusal};
}

static inline void follow(mirror *mirror, kifu_timeline *timeline)
{
    mirror->state = *duel_get_state(timeline);
    must(timeline, kifu_observe(timeline, &(kifu_observer){
                                              .listen = follow_change, .size = sizeof(duel_state), .context = mirror}));
}

static inline void shows_the_state(const mirror *mirror, const kifu_timeline *timeline)
{
    ck_assert_mem_eq(&mirror->state, duel_get_state(timeline), sizeof(duel_state));
}

#endif
