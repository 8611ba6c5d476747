// A watcher plays its viewer's move at once, before the answer comes (kifu/watch.h).
#include "seen_help.h"
#include "suite.h"
#include "vault.h"

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

// The next event of player 1's watcher would show this player a card: what happens in it is left for the answer.
START_TEST(W04_no_move_is_accepted_before_the_answer)
{
    kifu_timeline *referee = new_watcher(&vault_rules, NULL), *watcher;
    const kifu_rules *rules = kifu_watch_rules(&vault_rules, 1);
    kifu_buffer message = {0};
    watcher = new_watcher(rules, NULL);
    vault_submit_e_reset_game(referee);
    vault_submit_e_add_player(referee, 0, 1);
    vault_submit_e_add_player(referee, 1, 2);
    vault_submit_e_initialize(referee, NULL);
    vault_submit_e_start_round(referee);
    must(referee, kifu_run(referee));
    must(referee, kifu_seen_since(referee, 1, 0, KIFU_SEEN_PLAYED, &message));
    must(watcher, kifu_watch(watcher, message.data, message.size));
    const uint32_t before = kifu_event_count(watcher);
    vault_submit_p_peek(watcher, 1, 3); // Its Do calls kifu_reveal.
    must(watcher, kifu_run(watcher));
    ck_assert_uint_eq(kifu_event_count(watcher), before);
    ck_assert_uint_eq(kifu_pending_count(watcher), 0);
    vault_submit_p_open(watcher, 1, 2);
    ck_assert_int_eq(kifu_run(watcher), KIFU_REJECTED);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(watcher)), "the answer to the move before has not come yet");
    ck_assert(!vault_can_p_open(watcher, 1, 2));
    vault_submit_p_peek(referee, 1, 3);
    must(referee, kifu_run(referee));
    must(referee, kifu_seen_since(referee, 1, before, KIFU_SEEN_PLAYED, &message));
    must(watcher, kifu_watch(watcher, message.data, message.size));
    ck_assert_uint_eq(kifu_event_count(watcher), before + 1);
    ck_assert(vault_can_p_open(watcher, 1, 2));
    ck_assert(!vault_can_p_open(watcher, 0, 2)); // That is another player's.
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(watcher)), "here, only the viewer's own moves can be played");
    vault_submit_p_open(watcher, 0, 2);
    ck_assert_int_eq(kifu_run(watcher), KIFU_REJECTED);
    kifu_free_buffer(&message);
    kifu_destroy(referee);
    kifu_destroy(watcher);
    kifu_free_watch_rules(rules);
}
END_TEST

// Two moves are predicted before the first answer: the second one stays, and is confirmed by the next.
START_TEST(W04_answers_come_one_by_one)
{
    table_of table;
    shown own = {0};
    const duel_view view = VIEW(&own);
    sit_down(&table, 3, &(kifu_options){.view = &view.base});
    tell_all(&table, 0, KIFU_SEEN_PLAYED);
    const uint8_t player = (uint8_t)current(table.referee);
    kifu_timeline *each = mine(&table);
    const uint32_t before = kifu_event_count(each);
    for (uint8_t amount = 1; amount < 4; amount++) {
        duel_submit_e_lose_life(each, player, amount);
        must(each, kifu_run(each));
        duel_submit_e_lose_life(table.referee, player, amount);
    }
    for (uint32_t taken = 1; taken < 4; taken++) {
        must(table.referee, kifu_step(table.referee));
        write_message(&table, player, before + taken - 1, KIFU_SEEN_PLAYED);
        must(each, kifu_watch(each, table.message.data, table.message.size));
        ck_assert_uint_eq(kifu_watched(each), before + taken);
        ck_assert_uint_eq(kifu_event_count(each), before + 3);
    }
    ck_assert_uint_eq(own.redraws, 0);
    is_masked(&table, player + 1);
    // A second and a third that are wrong: what the first answer has is not shown, what comes behind it is taken back.
    for (uint8_t amount = 1; amount < 4; amount++) {
        duel_submit_e_lose_life(each, player, amount);
        must(each, kifu_run(each));
    }
    duel_submit_e_lose_life(table.referee, player, 1);
    duel_submit_e_lose_life(table.referee, player, 3);
    must(table.referee, kifu_run(table.referee));
    write_message(&table, player, before + 3, KIFU_SEEN_PLAYED);
    must(each, kifu_watch(each, table.message.data, table.message.size));
    ck_assert_uint_eq(own.redraws, 1);
    is_masked(&table, player + 1);
    stand_up(&table);
}
END_TEST

// Rules of which the referee knows more: the same events lead to another state there.
static kifu_result knows_more(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                              void *transient)
{
    const kifu_result result = duel_rules.do_event(timeline, type, state, event, transient);
    if (type == DUEL_E_LOSE_LIFE && kifu_user(timeline))
        *duel_edit_sides_life(timeline, 1) -= 2;
    return result;
}

START_TEST(W04_a_prediction_that_leads_to_another_state_is_withdrawn)
{
    static kifu_rules rules;
    kifu_timeline *referee, *watcher;
    kifu_buffer message = {0};
    const uint64_t seed = 3;
    shown own = {0};
    const duel_view view = VIEW(&own);
    rules = duel_rules;
    rules.do_event = knows_more;
    const kifu_rules *watch_rules = kifu_watch_rules(&rules, 0);
    ck_assert(!kifu_create(&rules, &(kifu_options){.user = &own}, &referee, NULL));
    ck_assert(!kifu_create(watch_rules, &(kifu_options){.view = &view.base}, &watcher, NULL));
    must(referee, duel_begin(referee, &seed));
    must(referee, kifu_seen_since(referee, 0, 0, KIFU_SEEN_PLAYED, &message));
    must(watcher, kifu_watch(watcher, message.data, message.size));
    const uint32_t before = kifu_event_count(referee);
    duel_submit_e_lose_life(watcher, 0, 1);
    must(watcher, kifu_run(watcher));
    duel_submit_e_lose_life(referee, 0, 1);
    must(referee, kifu_run(referee));
    ck_assert_int_ne(duel_get_state(watcher)->sides[1].life, duel_get_state(referee)->sides[1].life);
    must(referee, kifu_seen_since(referee, 0, before, KIFU_SEEN_PLAYED, &message));
    must(watcher, kifu_watch(watcher, message.data, message.size));
    ck_assert_int_eq(duel_get_state(watcher)->sides[1].life, duel_get_state(referee)->sides[1].life);
    ck_assert_uint_eq(kifu_event_count(watcher), before + 1);
    ck_assert_uint_eq(own.redraws, 1);
    kifu_free_buffer(&message);
    kifu_destroy(referee);
    kifu_destroy(watcher);
    kifu_free_watch_rules(watch_rules);
}
END_TEST

// A Do that writes what its player does not see: the player's state has nothing of it, before the answer and after it.
START_TEST(W04_what_is_predicted_is_masked)
{
    kifu_timeline *referee, *watcher;
    kifu_buffer message = {0};
    const kifu_rules *rules = kifu_watch_rules(&vault_rules, 1);
    ck_assert(!kifu_create(&vault_rules, NULL, &referee, NULL));
    ck_assert(!kifu_create(rules, NULL, &watcher, NULL));
    vault_submit_e_reset_game(referee);
    vault_submit_e_add_player(referee, 0, 1);
    vault_submit_e_add_player(referee, 1, 2);
    vault_submit_e_initialize(referee, NULL);
    vault_submit_e_start_round(referee);
    must(referee, kifu_run(referee));
    must(referee, kifu_seen_since(referee, 1, 0, KIFU_SEEN_WHOLE, &message));
    must(watcher, kifu_watch(watcher, message.data, message.size));
    for (uint8_t goal = 1; goal < 5; goal++) {
        const uint32_t before = kifu_event_count(referee);
        const vault_p_choose_args choose = {.goal = goal, .word = "mine", .times = goal};
        vault_submit_p_choose(watcher, 1, &choose);
        must(watcher, kifu_run(watcher));
        ck_assert_uint_eq(vault_get_state(watcher)->goal, 0);
        ck_assert_uint_eq(kifu_event_count(watcher), before + 1);
        vault_submit_p_choose(referee, 1, &choose);
        must(referee, kifu_run(referee));
        ck_assert_uint_eq(vault_get_state(referee)->goal, goal);
        must(referee, kifu_seen_since(referee, 1, before, KIFU_SEEN_PLAYED, &message));
        must(watcher, kifu_watch(watcher, message.data, message.size));
        ck_assert_uint_eq(kifu_watched(watcher), before + 1);
    }
    must(watcher, kifu_verify_replay(watcher, NULL));
    kifu_free_buffer(&message);
    kifu_destroy(referee);
    kifu_destroy(watcher);
    kifu_free_watch_rules(rules);
}
END_TEST

// A follower of the whole game, which has the random numbers, too, is right to the end of its move.
START_TEST(W04_a_follower_of_the_whole_game_predicts_all_of_a_move)
{
    uint32_t tries = 0;
    for (uint64_t seed = 1; seed < 12; seed++) {
        kifu_timeline *game = new_game(seed, NULL), *follower;
        shown own = {0};
        const duel_view view = VIEW(&own);
        kifu_changes changes;
        kifu_stream_position sent = {0};
        uint64_t random = seed;
        ck_assert(!kifu_create(&duel_rules, &(kifu_options){.view = &view.base}, &follower, NULL));
        add_triggers(follower);
        must(game, kifu_changes_since(game, &sent, &changes));
        must(follower, kifu_apply_changes(follower, changes.bytes, changes.size));
        sent = changes.until;
        kifu_free_bytes(game, changes.bytes);
        own = (shown){0};
        const uint32_t draws = count_events(game, DUEL_E_DRAW), deaths = count_events(game, DUEL_E_DIE);
        for (; !game_is_over(game); tries++) {
            uint64_t same = random;
            random_move(follower, &random);
            random_move(game, &same);
            ck_assert_uint_eq(kifu_event_count(game), kifu_event_count(follower));
            must(game, kifu_changes_since(game, &sent, &changes));
            must(follower, kifu_apply_changes(follower, changes.bytes, changes.size));
            sent = changes.until;
            kifu_free_bytes(game, changes.bytes);
            ck_assert_uint_eq(kifu_state_hash(game), kifu_state_hash(follower));
        }
        ck_assert_uint_eq(own.draws, count_events(game, DUEL_E_DRAW) - draws);
        ck_assert_uint_eq(own.deaths, count_events(game, DUEL_E_DIE) - deaths);
        ck_assert_uint_eq(own.redraws, 0);
        // What does not come is taken back.
        duel_submit_e_lose_life(follower, 0, 1);
        must(follower, kifu_run(follower));
        duel_submit_e_lose_life(game, 0, 2);
        must(game, kifu_run(game));
        must(game, kifu_changes_since(game, &sent, &changes));
        must(follower, kifu_apply_changes(follower, changes.bytes, changes.size));
        kifu_free_bytes(game, changes.bytes);
        ck_assert_uint_eq(kifu_event_count(follower), kifu_event_count(game));
        ck_assert_uint_eq(kifu_state_hash(game), kifu_state_hash(follower));
        ck_assert_uint_eq(own.redraws, 1);
        kifu_destroy(game);
        kifu_destroy(follower);
    }
    ck_assert_uint_gt(tries, 1000);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        W04_ten_thousand_moves_are_right_up_to_the_first_that_reveals_or_draws,
        W04_what_was_right_is_not_shown_twice,
        W04_what_was_refused_is_withdrawn_as_an_undo,
        W04_no_move_is_accepted_before_the_answer,
        W04_answers_come_one_by_one,
        W04_a_prediction_that_leads_to_another_state_is_withdrawn,
        W04_what_is_predicted_is_masked,
        W04_a_follower_of_the_whole_game_predicts_all_of_a_move,
    };
    return run_suite("predict", tests, sizeof tests / sizeof *tests);
}
