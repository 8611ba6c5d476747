// A watcher plays its viewer's move at once, before the answer comes (kifu/watch.h).
#include "seen_help.h"
#include "suite.h"

// How often each event was shown, and how often all was drawn anew.
typedef struct shown {
    uint32_t draws, deaths, enters, redraws;
} shown;

static double act_e_draw(void *context, kifu_timeline *timeline, const duel_state *state, const duel_e_draw *draw)
{
    (void)timeline, (void)state, (void)draw;
    ((shown *)context)->draws++;
    return 0;
}

static double act_e_die(void *context, kifu_timeline *timeline, const duel_state *state, const duel_e_die *die)
{
    (void)timeline, (void)state, (void)die;
    ((shown *)context)->deaths++;
    return 0;
}

static double act_e_enter(void *context, kifu_timeline *timeline, const duel_state *state, const duel_e_enter *enter)
{
    (void)timeline, (void)state, (void)enter;
    ((shown *)context)->enters++;
    return 0;
}

static void redraw(void *context, kifu_timeline *timeline)
{
    (void)timeline;
    ((shown *)context)->redraws++;
}

#define VIEW(shown)                                                                                                    \
    {                                                                                                                  \
        .base = {.context = (shown), .redraw = redraw}, .act_e_draw = act_e_draw, .act_e_die = act_e_die,              \
        .act_e_enter = act_e_enter,                                                                                    \
    }

// The watcher of the player whose turn it is.
static kifu_timeline *mine(const table_of *table)
{
    return table->watchers[current(table->referee) + 1];
}

// The watcher lists what the referee lists, and plays one of these moves. Both get it.
static kifu_result predict(table_of *table, uint64_t *random)
{
    kifu_moves here = {0}, there = {0};
    kifu_timeline *own = mine(table);
    const int player = current(table->referee);
    *random = *random * UINT64_C(6364136223846793005) + 1;
    must(own, kifu_list_moves(own, player, &here));
    must(table->referee, kifu_list_moves(table->referee, player, &there));
    ck_assert_uint_eq(here.count, there.count);
    const uint32_t chosen = here.count ? (uint32_t)(*random >> 33) % here.count : 0;
    if (here.count) {
        ck_assert(kifu_submit_move(own, &here.items[chosen]));
        ck_assert(kifu_submit_move(table->referee, &there.items[chosen]));
    } else {
        duel_submit_p_resign(own, player);
        duel_submit_p_resign(table->referee, player);
    }
    kifu_free_moves(&here);
    kifu_free_moves(&there);
    return kifu_run(own);
}

// Whether an event shows a player a card that this player did not know before.
static bool shows(kifu_timeline *referee, uint32_t event, int player)
{
    duel_state before, after;
    bool found = false;
    must(referee, kifu_state_at(referee, event, &before, sizeof before));
    must(referee, kifu_state_at(referee, event + 1, &after, sizeof after));
    for (uint32_t card = 0; card < CARD_COUNT; card++)
        found |= duel_sees_cards_kind(&after, card, player) && !duel_sees_cards_kind(&before, card, player);
    return found;
}

START_TEST(W04_ten_thousand_moves_are_right_up_to_the_first_that_reveals_or_draws)
{
    uint32_t tries = 0, whole = 0, events = 0, nothing = 0;
    for (uint64_t seed = 1; tries < 10000; seed++) {
        table_of table;
        uint64_t random = seed;
        sit_down(&table, seed, &(kifu_options){.quiet = true});
        tell_all(&table, 0, KIFU_SEEN_PLAYED);
        for (; !game_is_over(table.referee); tries++) {
            kifu_timeline *own = mine(&table);
            must(own, predict(&table, &random));
            const int player = current(table.referee);
            const uint32_t before = kifu_event_count(table.referee), predicted = kifu_event_count(own) - before;
            ck_assert_uint_eq(kifu_watched(own), before);
            must(table.referee, kifu_run(table.referee));
            bool known = true;
            kifu_event event, guess;
            for (uint32_t i = before; kifu_event_at(table.referee, i, &event); i++) {
                known = known && !(event.flags & KIFU_RANDOM) && !shows(table.referee, i, player);
                ck_assert_int_eq(kifu_event_at(own, i, &guess), known);
                ck_assert(!known || (guess.type == event.type && guess.player == event.player));
            }
            whole += known;
            events += predicted;
            nothing += !predicted;
            tell_all(&table, before, KIFU_SEEN_PLAYED);
        }
        stand_up(&table);
    }
    ck_assert_uint_gt(whole, tries / 2);
    ck_assert_uint_gt(events, tries);
    ck_assert_uint_lt(nothing, tries / 4);
}
END_TEST

START_TEST(W04_what_was_right_is_not_shown_twice)
{
    for (uint64_t seed = 1; seed < 20; seed++) {
        table_of table;
        uint64_t random = seed;
        shown own = {0};
        const duel_view view = VIEW(&own);
        sit_down(&table, seed, &(kifu_options){.view = &view.base});
        kifu_set_quiet(table.watchers[0], true);
        kifu_set_quiet(table.watchers[1], true);
        tell_all(&table, 0, KIFU_SEEN_PLAYED);
        while (!game_is_over(table.referee)) {
            must(mine(&table), predict(&table, &random));
            must(table.referee, kifu_run(table.referee));
            tell_all(&table, table.sent, KIFU_SEEN_PLAYED);
        }
        ck_assert_uint_eq(own.draws, count_events(table.referee, DUEL_E_DRAW));
        ck_assert_uint_eq(own.deaths, count_events(table.referee, DUEL_E_DIE));
        ck_assert_uint_eq(own.enters, count_events(table.referee, DUEL_E_ENTER));
        ck_assert_uint_eq(own.redraws, 0);
        stand_up(&table);
    }
}
END_TEST

START_TEST(W04_what_was_refused_is_withdrawn_as_an_undo)
{
    for (uint64_t seed = 1; seed < 20; seed++) {
        table_of table;
        uint64_t random = seed;
        shown own = {0};
        const duel_view view = VIEW(&own);
        sit_down(&table, seed, &(kifu_options){.view = &view.base});
        tell_all(&table, 0, KIFU_SEEN_PLAYED);
        while (!game_is_over(table.referee)) {
            kifu_timeline *each = mine(&table);
            const uint32_t redraws = own.redraws;
            must(each, predict(&table, &random));
            const uint32_t predicted = kifu_event_count(each) - kifu_event_count(table.referee);
            if (random >> 62 == 0) { // Refused.
                must(table.referee, kifu_drop_inputs(table.referee));
                tell_all(&table, table.sent, KIFU_SEEN_PLAYED);
                ck_assert_uint_eq(own.redraws, redraws + (predicted ? 1 : 0));
                continue;
            }
            if (random >> 62 == 1) { // Another move came first.
                must(table.referee, kifu_drop_inputs(table.referee));
                duel_submit_p_resign(table.referee, current(table.referee));
            }
            must(table.referee, kifu_run(table.referee));
            tell_all(&table, table.sent, KIFU_SEEN_PLAYED);
        }
        stand_up(&table);
    }
}
END_TEST

START_TEST(W04_no_move_is_accepted_before_the_answer)
{
    table_of table;
    sit_down(&table, 3, NULL);
    tell_all(&table, 0, KIFU_SEEN_PLAYED);
    const int player = current(table.referee);
    kifu_timeline *own = mine(&table);
    duel_submit_p_end_turn(own, player); // The enemy draws a card, which this viewer does not see.
    must(own, kifu_run(own));
    ck_assert(duel_can_p_resign(own, 1 - player));
    duel_submit_p_end_turn(table.referee, player);
    must(table.referee, kifu_run(table.referee));
    tell_all(&table, table.sent, KIFU_SEEN_PLAYED);
    duel_submit_p_end_turn(own, 1 - player); // This one it sees.
    must(own, kifu_run(own));
    kifu_event event;
    ck_assert(kifu_event_at(own, kifu_event_count(own) - 1, &event));
    ck_assert_uint_eq(event.type, DUEL_E_BEGIN_TURN);
    ck_assert_uint_eq(kifu_pending_count(own), 0);
    duel_submit_p_resign(own, player);
    ck_assert_int_eq(kifu_run(own), KIFU_REJECTED);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(own)), "the answer to the move before has not come yet");
    ck_assert(!duel_can_p_resign(own, player));
    duel_submit_p_end_turn(table.referee, 1 - player);
    must(table.referee, kifu_run(table.referee));
    tell_all(&table, table.sent, KIFU_SEEN_PLAYED);
    ck_assert(duel_can_p_resign(own, player));
    stand_up(&table);
}
END_TEST

// The enemy's first creature is another than the player thinks, so the prediction is of another state.
START_TEST(W04_a_prediction_that_leads_to_another_state_is_withdrawn)
{
    table_of table;
    shown own = {0};
    const duel_view view = VIEW(&own);
    sit_down(&table, 3, &(kifu_options){.view = &view.base});
    tell_all(&table, 0, KIFU_SEEN_PLAYED);
    const int player = current(table.referee);
    kifu_timeline *each = mine(&table);
    duel_submit_e_lose_life(each, (uint8_t)player, 3); // Nobody plays this; but it runs.
    must(each, kifu_run(each));
    duel_submit_e_lose_life(table.referee, (uint8_t)player, 3);
    must(table.referee, kifu_run(table.referee));
    write_message(&table, player, table.sent, KIFU_SEEN_PLAYED);
    must(each, kifu_watch(each, table.message.data, table.message.size));
    ck_assert_uint_eq(own.redraws, 0);
    is_masked(&table, player + 1);
    duel_submit_e_lose_life(each, (uint8_t)player, 3);
    must(each, kifu_run(each));
    duel_submit_e_lose_life(table.referee, (uint8_t)player, 4);
    must(table.referee, kifu_run(table.referee));
    write_message(&table, player, kifu_event_count(table.referee) - 1, KIFU_SEEN_PLAYED);
    must(each, kifu_watch(each, table.message.data, table.message.size));
    ck_assert_uint_eq(own.redraws, 1);
    is_masked(&table, player + 1);
    stand_up(&table);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        W04_ten_thousand_moves_are_right_up_to_the_first_that_reveals_or_draws,
        W04_what_was_right_is_not_shown_twice,
        W04_what_was_refused_is_withdrawn_as_an_undo,
        W04_no_move_is_accepted_before_the_answer,
        W04_a_prediction_that_leads_to_another_state_is_withdrawn,
    };
    return run_suite("predict", tests, sizeof tests / sizeof *tests);
}
