// The Duel example: what a card game needs of the timeline works in a real one. It links the rules and the computer
// player, no view.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "ai.h"
#include "recorded_game.h"
#include "game.h"
#include "suite.h"
#include "triggers.h"

// --- Help ------------------------------------------------------------------------------------------------------------

static void must(const kifu_timeline *timeline, kifu_result result)
{
    ck_assert_msg(!result, "%s", kifu_last_error(timeline)->message);
}

static void add_triggers(kifu_timeline *timeline)
{
    must(timeline, kifu_observe_all(timeline, duel_triggers.items, duel_triggers.count));
}

static kifu_timeline *new_game(uint64_t seed, const kifu_options *options)
{
    const kifu_options quiet = {.quiet = true};
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_msg(!kifu_create(&duel_rules, options ? options : &quiet, &timeline, &error), "%s", error.message);
    add_triggers(timeline);
    must(timeline, duel_begin(timeline, &seed));
    return timeline;
}

static int current(const kifu_timeline *timeline)
{
    return kifu_current_player(kifu_get_game(timeline));
}

// The first card of a kind that a player has in a zone, or NO_CARD.
static uint32_t find(const kifu_timeline *timeline, int player, duel_kind kind, duel_zone zone)
{
    const duel_state *state = duel_get_state(timeline);
    for (uint32_t card = 0; card < CARD_COUNT; card++) {
        if (rules_owner(card) == player && state->cards[card].kind == kind && state->cards[card].zone == zone)
            return card;
    }
    return NO_CARD;
}

// A new game in which who begins has a card of some kind in the hand.
static kifu_timeline *new_game_with(duel_kind kind, const kifu_options *options, uint32_t *card)
{
    for (uint64_t seed = 1;; seed++) {
        kifu_timeline *timeline = new_game(seed, options);
        *card = find(timeline, current(timeline), kind, DUEL_ZONE_HAND);
        if (*card != NO_CARD)
            return timeline;
        kifu_destroy(timeline);
    }
}

// Puts a card into play, from wherever it is: a shortcut to a position. Engine events ask nobody.
static uint32_t put(kifu_timeline *timeline, int player, duel_kind kind)
{
    uint32_t card = find(timeline, player, kind, DUEL_ZONE_DECK);
    if (card == NO_CARD)
        card = find(timeline, player, kind, DUEL_ZONE_HAND);
    ck_assert_uint_ne(card, NO_CARD);
    duel_submit_e_enter(timeline, (uint8_t)card);
    must(timeline, kifu_run(timeline));
    return card;
}

static void make_ready(kifu_timeline *timeline)
{
    duel_submit_e_begin_turn(timeline, (uint8_t)current(timeline));
    must(timeline, kifu_run(timeline));
}

static duel_move play(uint32_t card, uint32_t target)
{
    return (duel_move){.kind = DUEL_PLAY, .card = (uint8_t)card, .sacrifice = NO_CARD, .target = (uint8_t)target};
}

static duel_move attack(uint32_t card, uint32_t target)
{
    return (duel_move){
        .kind = DUEL_ATTACK, .attackers = {(uint8_t)card}, .attacker_count = 1, .target = (uint8_t)target};
}

static void make(kifu_timeline *timeline, duel_move move)
{
    const char *why;
    kifu_result result = duel_make_move(timeline, &move, &why);
    ck_assert_msg(!result, "%s", why ? why : kifu_last_error(timeline)->message);
    ck_assert_uint_eq(kifu_open_transactions(timeline), 0);
    ck_assert_uint_eq(kifu_pending_count(timeline), 0);
}

static uint32_t count_events(const kifu_timeline *timeline, uint32_t type)
{
    uint32_t count = 0;
    kifu_event event;
    for (uint32_t i = 0; kifu_event_at(timeline, i, &event); i++)
        count += event.type == type;
    return count;
}

// All that a game consists of.
typedef struct snapshot {
    duel_state state;
    uint32_t events, pending, undo, redo, open;
} snapshot;

static snapshot take(const kifu_timeline *timeline)
{
    return (snapshot){.state = *duel_get_state(timeline),
                      .events = kifu_event_count(timeline),
                      .pending = kifu_pending_count(timeline),
                      .undo = kifu_can_undo(timeline, NULL),
                      .redo = kifu_can_redo(timeline, NULL),
                      .open = kifu_open_transactions(timeline)};
}

static void same(const kifu_timeline *timeline, const snapshot *before)
{
    ck_assert_mem_eq(duel_get_state(timeline), &before->state, sizeof before->state);
    ck_assert_uint_eq(kifu_event_count(timeline), before->events);
    ck_assert_uint_eq(kifu_pending_count(timeline), before->pending);
    ck_assert_uint_eq(kifu_can_undo(timeline, NULL), before->undo);
    ck_assert_uint_eq(kifu_can_redo(timeline, NULL), before->redo);
    ck_assert_uint_eq(kifu_open_transactions(timeline), before->open);
}

static kifu_timeline *reload(kifu_timeline *timeline, bool fast)
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

// A view that keeps a copy of the state by listening alone.
typedef struct mirror {
    duel_view view;
    duel_state state;
    uint32_t changes, taken_back, refused;
} mirror;

static void follow_change(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)timeline, (void)state;
    mirror *mirror = context;
    unsigned char *bytes = (unsigned char *)&mirror->state + change->offset;
    ck_assert_mem_eq(bytes, change->before, change->size);
    memcpy(bytes, change->after, change->size);
    mirror->changes++;
    mirror->taken_back += change->undone;
}

static void note_refusal(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    (void)timeline, (void)outcome;
    ((mirror *)context)->refused++;
}

static void begin_mirror(mirror *mirror)
{
    memset(mirror, 0, sizeof *mirror);
    mirror->view.base = (kifu_view){.context = mirror, .rejected = note_refusal};
}

static void follow(mirror *mirror, kifu_timeline *timeline)
{
    mirror->state = *duel_get_state(timeline);
    must(timeline, kifu_observe(timeline, &(kifu_observer){
                                              .listen = follow_change, .size = sizeof(duel_state), .context = mirror}));
}

static void shows_the_state(const mirror *mirror, const kifu_timeline *timeline)
{
    ck_assert_mem_eq(&mirror->state, duel_get_state(timeline), sizeof(duel_state));
}

// --- Costs that are paid in steps ------------------------------------------------------------------------------------

START_TEST(P07_a_payment_is_cancelled_half_way)
{
    mirror mirror;
    begin_mirror(&mirror);
    const kifu_options options = {.view = &mirror.view.base};
    uint32_t rite;
    kifu_timeline *timeline = new_game_with(DUEL_KIND_RITE, &options, &rite);
    const duel_state *state = duel_get_state(timeline);
    int me = current(timeline);
    uint32_t field = put(timeline, me, DUEL_KIND_FIELD), martyr = put(timeline, me, DUEL_KIND_MARTYR);
    make_ready(timeline);
    follow(&mirror, timeline);
    snapshot before = take(timeline);

    must(timeline, duel_begin_play(timeline, me, rite));
    must(timeline, kifu_run(timeline));
    ck_assert_uint_eq(rules_paying(state), rite);
    duel_submit_p_tap(timeline, me, (uint8_t)field);
    must(timeline, kifu_run(timeline));
    ck_assert(state->cards[field].tapped);
    shows_the_state(&mirror, timeline);
    duel_submit_p_sacrifice(timeline, me, (uint8_t)martyr);
    must(timeline, kifu_run(timeline));
    ck_assert(rules_is_paid(state));
    ck_assert_uint_eq(state->cards[martyr].zone, DUEL_ZONE_GONE);
    ck_assert_int_eq(state->sides[me].life, before.state.sides[me].life); // the Martyr's last gift has to wait
    shows_the_state(&mirror, timeline);

    uint32_t steps = mirror.changes;
    must(timeline, kifu_roll_back(timeline));
    same(timeline, &before);
    shows_the_state(&mirror, timeline);
    ck_assert_uint_eq(mirror.taken_back, steps); // each step was seen again, backward
    must(timeline, kifu_run(timeline));
    same(timeline, &before); // and nothing comes of it later
    kifu_destroy(timeline);
}
END_TEST

START_TEST(P07_triggers_run_once_the_cost_is_paid)
{
    uint32_t rite;
    kifu_timeline *timeline = new_game_with(DUEL_KIND_RITE, NULL, &rite);
    const duel_state *state = duel_get_state(timeline);
    int me = current(timeline), enemy = rules_enemy(me);
    put(timeline, me, DUEL_KIND_FIELD);
    uint32_t martyr = put(timeline, me, DUEL_KIND_MARTYR);
    make_ready(timeline);
    snapshot before = take(timeline);

    duel_move move = play(rite, TARGET_PLAYER + (uint32_t)enemy);
    move.sacrifice = (uint8_t)martyr;
    make(timeline, move);
    ck_assert_int_eq(state->sides[me].life, START_LIFE + 1);
    ck_assert_int_eq(state->sides[enemy].life, START_LIFE - RITE_DAMAGE);

    // Announced, paid, played, and what followed: one chain.
    must(timeline, kifu_undo(timeline));
    ck_assert_mem_eq(state, &before.state, sizeof before.state);
    ck_assert_uint_eq(kifu_event_count(timeline), before.events);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(P07_a_step_of_a_payment_can_be_undone)
{
    uint32_t rite;
    kifu_timeline *timeline = new_game_with(DUEL_KIND_RITE, NULL, &rite);
    const duel_state *state = duel_get_state(timeline);
    int me = current(timeline);
    uint32_t field = put(timeline, me, DUEL_KIND_FIELD);
    put(timeline, me, DUEL_KIND_MARTYR);
    make_ready(timeline);
    snapshot before = take(timeline);

    must(timeline, duel_begin_play(timeline, me, rite));
    duel_submit_p_tap(timeline, me, (uint8_t)field);
    must(timeline, kifu_run(timeline));
    must(timeline, kifu_undo(timeline));
    ck_assert_uint_eq(rules_paying(state), rite);
    ck_assert(!state->cards[field].tapped);
    must(timeline, kifu_undo(timeline));
    ck_assert_uint_eq(rules_paying(state), NO_CARD);
    ck_assert_int_ne(kifu_undo(timeline), KIFU_OK); // undo stops where the transaction began
    must(timeline, kifu_roll_back(timeline));
    same(timeline, &before);
    kifu_destroy(timeline);
}
END_TEST

// --- Triggers --------------------------------------------------------------------------------------------------------

START_TEST(P03_triggers_do_not_fire_on_undo_redo_or_load)
{
    uint32_t healer;
    kifu_timeline *timeline = new_game_with(DUEL_KIND_HEALER, NULL, &healer);
    const duel_state *state = duel_get_state(timeline);
    int me = current(timeline);
    put(timeline, me, DUEL_KIND_FIELD);
    put(timeline, me, DUEL_KIND_FIELD);
    put(timeline, me, DUEL_KIND_VAMPIRE);
    make_ready(timeline);
    snapshot before = take(timeline);

    make(timeline, play(healer, NO_TARGET));
    snapshot after = take(timeline);
    ck_assert_int_eq(state->sides[me].life, START_LIFE + HEALER_LIFE);
    ck_assert_int_eq(state->sides[rules_enemy(me)].life, START_LIFE - 1); // the Vampire saw it
    ck_assert_uint_eq(count_events(timeline, DUEL_E_GAIN_LIFE), 1);
    ck_assert_uint_eq(count_events(timeline, DUEL_E_LOSE_LIFE), 1);

    for (int i = 0; i < 3; i++) {
        must(timeline, kifu_undo(timeline));
        must(timeline, kifu_run(timeline));
        ck_assert_mem_eq(state, &before.state, sizeof before.state);
        ck_assert_uint_eq(kifu_event_count(timeline), before.events);
        must(timeline, kifu_redo(timeline));
        must(timeline, kifu_run(timeline));
        same(timeline, &after);
    }
    for (int fast = 0; fast < 2; fast++) {
        kifu_timeline *loaded = reload(timeline, fast);
        same(loaded, &after);
        must(loaded, kifu_run(loaded));
        same(loaded, &after);
        must(loaded, kifu_undo(loaded));
        ck_assert_mem_eq(duel_get_state(loaded), &before.state, sizeof before.state);
        kifu_destroy(loaded);
    }
    kifu_destroy(timeline);
}
END_TEST

START_TEST(P11_a_martyr_is_remembered_as_it_was)
{
    uint32_t growth;
    kifu_timeline *timeline = new_game_with(DUEL_KIND_GROWTH, NULL, &growth);
    const duel_state *state = duel_get_state(timeline);
    int me = current(timeline);
    put(timeline, me, DUEL_KIND_FIELD);
    uint32_t martyr = put(timeline, me, DUEL_KIND_MARTYR);
    make(timeline, play(growth, martyr));
    ck_assert_uint_eq(rules_power(state, martyr), 1 + GROWTH_BY);

    duel_submit_e_damage(timeline, (uint8_t)martyr, 3);
    must(timeline, kifu_run(timeline));
    ck_assert_uint_eq(state->cards[martyr].zone, DUEL_ZONE_GONE);
    ck_assert_uint_eq(rules_power(state, martyr), 1);
    ck_assert_int_eq(state->sides[me].life, START_LIFE + 1 + GROWTH_BY);
    kifu_destroy(timeline);
}
END_TEST

// --- Illegal actions -------------------------------------------------------------------------------------------------

START_TEST(P06_an_attack_that_costs_ones_own_life_is_taken_back_whole)
{
    mirror mirror;
    begin_mirror(&mirror);
    const kifu_options options = {.view = &mirror.view.base};
    kifu_timeline *timeline = new_game(1, &options);
    const duel_state *state = duel_get_state(timeline);
    int me = current(timeline), enemy = rules_enemy(me);
    uint32_t briar = put(timeline, enemy, DUEL_KIND_BRIAR);
    duel_move move = attack(put(timeline, me, DUEL_KIND_HEALER), briar);
    move.attackers[move.attacker_count++] = (uint8_t)put(timeline, me, DUEL_KIND_BLIGHT);
    duel_submit_e_lose_life(timeline, (uint8_t)me, (uint8_t)(state->sides[me].life - 2));
    make_ready(timeline);
    follow(&mirror, timeline);
    snapshot before = take(timeline);

    const char *why;
    ck_assert_int_eq(duel_make_move(timeline, &move, &why), KIFU_REJECTED);
    ck_assert_str_eq(why, "you may not do what costs you your last life");
    same(timeline, &before);
    shows_the_state(&mirror, timeline);
    ck_assert_uint_gt(mirror.taken_back, 4); // two were tapped, and two lives were lost
    must(timeline, kifu_run(timeline));
    same(timeline, &before);

    // With one creature it is legal.
    make(timeline, attack(move.attackers[0], briar));
    ck_assert_int_eq(state->sides[me].life, 1);
    ck_assert_int_eq(state->game.phase, KIFU_PHASE_PLAY);
    shows_the_state(&mirror, timeline);
    must(timeline, kifu_undo(timeline));
    ck_assert_mem_eq(state, &before.state, sizeof before.state);
    shows_the_state(&mirror, timeline);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(T02_checks_refuse_with_a_reason)
{
    kifu_timeline *timeline = new_game(1, NULL);
    int me = current(timeline), enemy = rules_enemy(me);
    uint32_t mine = put(timeline, me, DUEL_KIND_HEALER), guard = put(timeline, enemy, DUEL_KIND_BRIAR);
    uint32_t hidden = find(timeline, me, DUEL_KIND_FIELD, DUEL_ZONE_DECK);
    const struct {
        duel_move move;
        const char *reason;
    } wrong[] = {
        {attack(mine, guard), "in the turn in which it came"},
        {attack(guard, mine), "only your creatures"},
        {attack(find(timeline, me, DUEL_KIND_FIELD, DUEL_ZONE_DECK), guard), "only your creatures"},
        {play(hidden, NO_TARGET), "not in your hand"},
        {play(CARD_COUNT - 1, NO_TARGET), "not in your hand"},
    };
    snapshot before = take(timeline);
    const char *why;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_int_eq(duel_make_move(timeline, &wrong[i].move, &why), KIFU_REJECTED);
        ck_assert_msg(strstr(kifu_last_error(timeline)->message, wrong[i].reason), "%s",
                      kifu_last_error(timeline)->message);
        same(timeline, &before);
    }
    make_ready(timeline);
    before = take(timeline);
    duel_move past_the_guard = attack(mine, TARGET_PLAYER + (uint32_t)enemy), twice = attack(mine, guard);
    twice.attackers[twice.attacker_count++] = (uint8_t)mine;
    ck_assert_int_eq(duel_make_move(timeline, &past_the_guard, &why), KIFU_REJECTED);
    ck_assert_int_eq(duel_make_move(timeline, &twice, &why), KIFU_REJECTED);
    duel_submit_p_end_turn(timeline, enemy);
    ck_assert_int_eq(kifu_run(timeline), KIFU_REJECTED);
    duel_submit_e_imagine(timeline, (uint8_t)me, 0);
    ck_assert_int_eq(kifu_run(timeline), KIFU_REJECTED);
    same(timeline, &before);
    kifu_destroy(timeline);
}
END_TEST

// --- A rule that forbids ---------------------------------------------------------------------------------------------

START_TEST(P08_nobody_gains_life_while_blight_is_in_play)
{
    mirror mirror;
    begin_mirror(&mirror);
    const kifu_options options = {.view = &mirror.view.base};
    uint32_t healer;
    kifu_timeline *timeline = new_game_with(DUEL_KIND_HEALER, &options, &healer);
    const duel_state *state = duel_get_state(timeline);
    int me = current(timeline), enemy = rules_enemy(me);
    put(timeline, me, DUEL_KIND_FIELD);
    put(timeline, me, DUEL_KIND_FIELD);
    uint32_t blight = put(timeline, me, DUEL_KIND_BLIGHT);
    make_ready(timeline);

    make(timeline, play(healer, NO_TARGET));
    ck_assert_int_eq(state->sides[me].life, START_LIFE);
    ck_assert_uint_eq(count_events(timeline, DUEL_E_GAIN_LIFE), 0);
    ck_assert_uint_eq(mirror.refused, 1);

    // Undoing a loss gives the life back, and asks nobody.
    duel_move move = attack(blight, TARGET_PLAYER + (uint32_t)enemy);
    make(timeline, move);
    ck_assert_int_eq(state->sides[enemy].life, START_LIFE - 2);
    must(timeline, kifu_undo(timeline));
    ck_assert_int_eq(state->sides[enemy].life, START_LIFE);
    must(timeline, kifu_redo(timeline));
    ck_assert_int_eq(state->sides[enemy].life, START_LIFE - 2);
    ck_assert_uint_eq(mirror.refused, 1);
    kifu_destroy(timeline);
}
END_TEST

// --- What cannot be undone -------------------------------------------------------------------------------------------

static void cannot_undo(const kifu_timeline *timeline, const char *reason)
{
    kifu_error error;
    ck_assert_uint_eq(kifu_can_undo(timeline, &error), 0);
    ck_assert_int_eq(error.result, KIFU_NOT_UNDOABLE);
    ck_assert_msg(strstr(error.message, reason), "%s", error.message);
}

START_TEST(U11_a_draw_is_a_barrier)
{
    kifu_timeline *timeline = new_game(1, NULL);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_NOTHING_TO_UNDO);
    uint32_t field = find(timeline, current(timeline), DUEL_KIND_FIELD, DUEL_ZONE_HAND);
    ck_assert_uint_ne(field, NO_CARD);
    make(timeline, play(field, NO_TARGET));
    ck_assert_uint_gt(kifu_can_undo(timeline, NULL), 0);
    make(timeline, (duel_move){.kind = DUEL_END_TURN});
    cannot_undo(timeline, "reveal"); // the next player has drawn
    ck_assert_int_eq(kifu_undo(timeline), KIFU_NOT_UNDOABLE);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(U11_a_spell_is_undone_unless_dice_were_thrown)
{
    uint32_t spark, growth;
    kifu_timeline *timeline = new_game_with(DUEL_KIND_SPARK, NULL, &spark);
    put(timeline, current(timeline), DUEL_KIND_FIELD);
    make_ready(timeline);
    make(timeline, play(spark, TARGET_PLAYER + (uint32_t)rules_enemy(current(timeline))));
    cannot_undo(timeline, "random");
    kifu_destroy(timeline);

    timeline = new_game_with(DUEL_KIND_GROWTH, NULL, &growth);
    uint32_t healer = put(timeline, current(timeline), DUEL_KIND_HEALER);
    put(timeline, current(timeline), DUEL_KIND_FIELD);
    make_ready(timeline);
    snapshot before = take(timeline);
    make(timeline, play(growth, healer)); // also a PPlay, but no dice
    must(timeline, kifu_undo(timeline));
    ck_assert_mem_eq(duel_get_state(timeline), &before.state, sizeof before.state);
    kifu_destroy(timeline);
}
END_TEST

// --- The computer player ---------------------------------------------------------------------------------------------

START_TEST(P10_the_computer_plays_twenty_games_and_leaves_no_trace_of_its_thoughts)
{
    const duel_ai ai = {.worlds = 2, .depth = 2};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        kifu_timeline *timeline = new_game(seed, NULL);
        const duel_state *state = duel_get_state(timeline);
        while (state->game.phase == KIFU_PHASE_PLAY) {
            snapshot before = take(timeline);
            duel_move move;
            must(timeline, duel_ai_move(timeline, &ai, &move));
            same(timeline, &before);
            make(timeline, move);
            ck_assert_uint_lt(state->turn, 60);
        }
        ck_assert(state->sides[0].lost || state->sides[1].lost);
        ck_assert_uint_eq(count_events(timeline, DUEL_E_IMAGINE), 0);
        must(timeline, kifu_verify_replay(timeline, NULL));
        duel_move move;
        ck_assert_int_eq(duel_ai_move(timeline, &ai, &move), KIFU_MISUSE);
        kifu_destroy(timeline);
    }
}
END_TEST

// Swaps what is on two cards, behind the timeline's back.
static void swap_kinds(kifu_timeline *timeline, uint32_t one, uint32_t other)
{
    duel_card *all = ((duel_state *)(uintptr_t)kifu_state(timeline))->cards;
    duel_kind kind = all[one].kind;
    all[one].kind = all[other].kind;
    all[other].kind = kind;
}

START_TEST(P10_the_computer_does_not_know_hidden_cards)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        kifu_timeline *timeline = new_game(seed, NULL);
        const duel_state *state = duel_get_state(timeline);
        while (state->game.phase == KIFU_PHASE_PLAY) {
            kifu_timeline *fork;
            ck_assert_int_eq(kifu_fork(timeline, KIFU_PRESENT, NULL, &fork, NULL), KIFU_OK);
            add_triggers(fork);
            int enemy = rules_enemy(current(timeline));
            uint32_t in_hand = NO_CARD, in_deck = NO_CARD;
            for (uint32_t card = 0; card < CARD_COUNT; card++) {
                if (rules_owner(card) == enemy && state->cards[card].zone == DUEL_ZONE_HAND)
                    in_hand = card;
                if (rules_owner(card) == enemy && state->cards[card].zone == DUEL_ZONE_DECK)
                    in_deck = card;
            }
            if (in_hand != NO_CARD && in_deck != NO_CARD)
                swap_kinds(fork, in_hand, in_deck);
            duel_move move, there;
            memset(&move, 0, sizeof move);
            memset(&there, 0, sizeof there);
            must(timeline, duel_ai_move(timeline, NULL, &move));
            must(fork, duel_ai_move(fork, NULL, &there));
            ck_assert_mem_eq(&move, &there, sizeof move);
            kifu_destroy(fork);
            make(timeline, move);
        }
        kifu_destroy(timeline);
    }
}
END_TEST

// --- A recorded game -------------------------------------------------------------------------------------------------

// Reads a number and goes on behind it.
static uint8_t number(const char **text)
{
    char *end;
    unsigned long value = strtoul(*text, &end, 10);
    ck_assert(end != *text && value < 256);
    *text = end;
    return (uint8_t)value;
}

// Reads a move as it is written in the record.
static duel_move read_move(const char **text)
{
    duel_move move = {.kind = DUEL_END_TURN, .sacrifice = NO_CARD, .target = NO_TARGET};
    char letter = *(*text)++;
    if (letter == 'p') {
        move.kind = DUEL_PLAY;
        move.card = number(text);
    } else if (letter == 'a') {
        move.kind = DUEL_ATTACK;
        do
            move.attackers[move.attacker_count++] = number(text);
        while (*(*text)++ == ',');
        --*text;
    } else {
        ck_assert_int_eq(letter, 'e');
    }
    if (**text == 'x') {
        ++*text;
        move.sacrifice = number(text);
    }
    if (**text == '>') {
        ++*text;
        move.target = number(text);
    }
    *text += **text == ' ';
    return move;
}

static kifu_timeline *play_recorded(const kifu_options *options)
{
    kifu_timeline *timeline = new_game(RECORDED_SEED, options);
    for (const char *text = recorded_game; *text;)
        make(timeline, read_move(&text));
    ck_assert_int_eq(kifu_get_game(timeline)->phase, KIFU_PHASE_GAME_OVER);
    ck_assert_int_eq(rules_winner(duel_get_state(timeline)), RECORDED_WINNER);
    ck_assert_uint_eq(kifu_event_count(timeline), RECORDED_EVENTS);
    ck_assert_msg(kifu_state_hash(timeline) == RECORDED_HASH, "hash %#llx",
                  (unsigned long long)kifu_state_hash(timeline));
    return timeline;
}

START_TEST(E07_the_recorded_game_ends_as_it_did)
{
    kifu_timeline *timeline = play_recorded(NULL);
    must(timeline, kifu_verify_replay(timeline, NULL));
    snapshot end = take(timeline);
    for (int fast = 0; fast < 2; fast++) {
        kifu_timeline *loaded = reload(timeline, fast);
        same(loaded, &end);
        must(loaded, kifu_verify_replay(loaded, NULL));
        kifu_destroy(loaded);
    }
    kifu_destroy(timeline);
}
END_TEST

START_TEST(U10_the_recorded_game_under_the_sync_test)
{
    const kifu_options options = {.quiet = true, .sync_test = kifu_sync_test, .hash_interval = 1};
    kifu_timeline *timeline = play_recorded(&options);
    must(timeline, kifu_verify_replay(timeline, NULL));
    kifu_destroy(timeline);
}
END_TEST

START_TEST(U10_the_recorded_game_looked_at_from_any_event)
{
    kifu_timeline *timeline = play_recorded(NULL);
    snapshot end = take(timeline);
    for (uint32_t count = RECORDED_EVENTS; count-- > 0;) {
        duel_state state;
        must(timeline, kifu_state_at(timeline, count, &state, sizeof state));
        must(timeline, kifu_seek(timeline, count));
        ck_assert_mem_eq(duel_get_state(timeline), &state, sizeof state);
        ck_assert_uint_eq(kifu_position(timeline), count);
        ck_assert_uint_eq(kifu_event_count(timeline), RECORDED_EVENTS);
    }
    must(timeline, kifu_seek(timeline, KIFU_PRESENT));
    same(timeline, &end);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(P11_another_game_branches_off_the_recorded_one)
{
    kifu_timeline *timeline = play_recorded(NULL);
    snapshot end = take(timeline);
    kifu_event event;
    for (uint32_t count = 0; kifu_event_at(timeline, count, &event); count++) {
        if (event.type != DUEL_P_END_TURN)
            continue;
        kifu_timeline *fork;
        kifu_error error;
        ck_assert_msg(!kifu_fork(timeline, count, NULL, &fork, &error), "%s", error.message);
        add_triggers(fork);
        duel_submit_p_resign(fork, event.player);
        must(fork, kifu_run(fork));
        ck_assert_int_eq(rules_winner(duel_get_state(fork)), rules_enemy(event.player));
        ck_assert_uint_eq(kifu_event_count(fork), count + 3);
        kifu_destroy(fork);
    }
    same(timeline, &end);
    kifu_destroy(timeline);
}
END_TEST

// `DUEL_RECORD=1 test_duel` writes a new record, after a change of rules.
START_TEST(record)
{
    kifu_timeline *timeline = new_game(RECORDED_SEED, NULL);
    const duel_state *state = duel_get_state(timeline);
    while (state->game.phase == KIFU_PHASE_PLAY) {
        duel_move move;
        must(timeline, duel_ai_move(timeline, NULL, &move));
        printf("%s", move.kind == DUEL_PLAY ? "p" : move.kind == DUEL_ATTACK ? "a" : "e");
        if (move.kind == DUEL_PLAY)
            printf("%u", move.card);
        for (uint32_t i = 0; move.kind == DUEL_ATTACK && i < move.attacker_count; i++)
            printf("%s%u", i ? "," : "", move.attackers[i]);
        if (move.kind == DUEL_PLAY && move.sacrifice != NO_CARD)
            printf("x%u", move.sacrifice);
        if (move.kind != DUEL_END_TURN && move.target != NO_TARGET)
            printf(">%u", move.target);
        printf(" ");
        make(timeline, move);
    }
    printf("\nwinner %d, %u events, hash %#llx\n", rules_winner(state), kifu_event_count(timeline),
           (unsigned long long)kifu_state_hash(timeline));
    kifu_destroy(timeline);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        P07_a_payment_is_cancelled_half_way,
        P07_triggers_run_once_the_cost_is_paid,
        P07_a_step_of_a_payment_can_be_undone,
        P03_triggers_do_not_fire_on_undo_redo_or_load,
        P11_a_martyr_is_remembered_as_it_was,
        P06_an_attack_that_costs_ones_own_life_is_taken_back_whole,
        T02_checks_refuse_with_a_reason,
        P08_nobody_gains_life_while_blight_is_in_play,
        U11_a_draw_is_a_barrier,
        U11_a_spell_is_undone_unless_dice_were_thrown,
        P10_the_computer_plays_twenty_games_and_leaves_no_trace_of_its_thoughts,
        P10_the_computer_does_not_know_hidden_cards,
        E07_the_recorded_game_ends_as_it_did,
        U10_the_recorded_game_under_the_sync_test,
        U10_the_recorded_game_looked_at_from_any_event,
        P11_another_game_branches_off_the_recorded_one,
    };
    const TTest *const recording[] = {record};
    if (getenv("DUEL_RECORD"))
        return run_suite("a record", recording, 1);
    return run_suite("duel", tests, sizeof tests / sizeof *tests);
}
