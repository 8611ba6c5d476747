// The Duel example, a card game: costs that are paid in steps, triggers, rules that forbid, what cannot be undone.

#include "duel_help.h"
#include "suite.h"

static void cannot_undo(const kifu_timeline *timeline, const char *reason)
{
    kifu_error error;
    ck_assert_uint_eq(kifu_can_undo(timeline, &error), 0);
    ck_assert_int_eq(error.result, KIFU_NOT_UNDOABLE);
    ck_assert_msg(strstr(error.message, reason), "%s", error.message);
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

    // Announced, paid, played, and what followed: one chain. The enemy has seen the card.
    ck_assert_uint_eq(kifu_chain_start(timeline, kifu_event_count(timeline) - 1), before.events);
    cannot_undo(timeline, "PAnnounce) cannot be undone: hidden information was revealed");
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
    cannot_undo(timeline, "reveal"); // the enemy has seen the card
    must(timeline, kifu_roll_back(timeline));
    same(timeline, &before);
    kifu_destroy(timeline);
}
END_TEST

// --- Triggers --------------------------------------------------------------------------------------------------------

START_TEST(P03_triggers_do_not_fire_on_undo_redo_or_load)
{
    kifu_timeline *timeline = new_game(1, NULL);
    const duel_state *state = duel_get_state(timeline);
    int me = current(timeline);
    uint32_t martyr = put(timeline, me, DUEL_KIND_MARTYR);
    uint32_t healer = put(timeline, rules_enemy(me), DUEL_KIND_HEALER);
    put(timeline, me, DUEL_KIND_VAMPIRE);
    make_ready(timeline);
    snapshot before = take(timeline);
    const uint32_t gained = count_events(timeline, DUEL_E_GAIN_LIFE), lost = count_events(timeline, DUEL_E_LOSE_LIFE);

    make(timeline, attack(martyr, healer));
    snapshot after = take(timeline);
    ck_assert_uint_eq(state->cards[martyr].zone, DUEL_ZONE_GONE);
    ck_assert_int_eq(state->sides[me].life, START_LIFE + 1);
    ck_assert_int_eq(state->sides[rules_enemy(me)].life, before.state.sides[rules_enemy(me)].life - 1); // the Vampire
    ck_assert_uint_eq(count_events(timeline, DUEL_E_GAIN_LIFE), gained + 1);
    ck_assert_uint_eq(count_events(timeline, DUEL_E_LOSE_LIFE), lost + 1);

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
    duel_submit_e_imagine(timeline, (uint8_t)me);
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

START_TEST(W05_what_was_shown_is_a_barrier)
{
    kifu_timeline *timeline = new_game(1, NULL);
    ck_assert_int_eq(kifu_undo(timeline), KIFU_NOTHING_TO_UNDO);
    uint32_t field = find(timeline, current(timeline), DUEL_KIND_FIELD, DUEL_ZONE_HAND);
    ck_assert_uint_ne(field, NO_CARD);
    make(timeline, play(field, NO_TARGET));
    cannot_undo(timeline, "PAnnounce) cannot be undone: hidden information was revealed"); // the enemy has seen it
    make(timeline, (duel_move){.kind = DUEL_END_TURN});
    cannot_undo(timeline, "EDraw) cannot be undone: hidden information was revealed"); // the next player has drawn
    ck_assert_int_eq(kifu_undo(timeline), KIFU_NOT_UNDOABLE);
    kifu_destroy(timeline);
}
END_TEST

// By sorting the deck and shuffling it again.
static void expect_deck(const duel_state *state, uint32_t player, const uint64_t *draws)
{
    uint8_t kinds[DECK_SIZE];
    uint32_t count = 0;
    for (uint32_t kind = 0; kind < CARD_KINDS; kind++) {
        for (uint32_t i = 0; i < cards[kind].count; i++)
            kinds[count++] = (uint8_t)kind;
    }
    kifu_shuffle_by(draws, kinds, count, 1);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_uint_eq(state->cards[player * DECK_SIZE + i].kind, kinds[i]);
}

START_TEST(W07_without_a_seed_decks_are_shuffled_by_numbers_that_the_log_keeps)
{
    enum { GAMES = 2, DRAWS = DECK_SIZE - 1 };
    uint64_t all[GAMES][2][DRAWS];
    for (int game = 0; game < GAMES; game++) {
        kifu_timeline *timeline;
        ck_assert_int_eq(kifu_create(&duel_rules, &(kifu_options){.quiet = true}, &timeline, NULL), KIFU_OK);
        add_triggers(timeline);
        must(timeline, duel_begin(timeline, NULL));
        kifu_event event;
        int found = 0;
        for (uint32_t i = 0; kifu_event_at(timeline, i, &event); i++) {
            if (event.type != DUEL_E_SHUFFLE)
                continue;
            const duel_e_shuffle *shuffle = event.table;
            ck_assert_uint_eq(duel_e_shuffle_draws_count(shuffle), DRAWS);
            memcpy(all[game][found++], duel_e_shuffle_draws(shuffle), sizeof all[0][0]);
            expect_deck(duel_get_state(timeline), shuffle->player, duel_e_shuffle_draws(shuffle));
        }
        ck_assert_int_eq(found, 2);
        must(timeline, kifu_verify_replay(timeline, NULL));
        kifu_destroy(timeline);
    }
    for (int i = 1; i < 2 * GAMES; i++)
        ck_assert_mem_ne(all[0][0], all[i / 2][i % 2], sizeof all[0][0]);

    kifu_timeline *timeline = new_game(1, NULL);
    for (uint32_t count = 1; count < DRAWS + 2; count += count == 1 ? DRAWS - 2 : 2) { // too few, too many
        uint64_t some[DRAWS + 2] = {0};
        duel_submit_e_shuffle(timeline, 0, some, count);
        ck_assert_int_eq(kifu_run(timeline), KIFU_FAILED);
        ck_assert_ptr_nonnull(
            strstr(kifu_last_error(timeline)->message, "a deck is shuffled by 19 numbers, or by none"));
    }
    kifu_destroy(timeline);
}
END_TEST

START_TEST(U11_a_spell_is_not_undone_for_its_dice_and_for_its_card)
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
    make(timeline, play(growth, healer)); // also a PPlay, but no dice
    cannot_undo(timeline, "reveal");
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
        W05_what_was_shown_is_a_barrier,
        U11_a_spell_is_not_undone_for_its_dice_and_for_its_card,
        W07_without_a_seed_decks_are_shuffled_by_numbers_that_the_log_keeps,
    };
    return run_suite("duel", tests, sizeof tests / sizeof *tests);
}
