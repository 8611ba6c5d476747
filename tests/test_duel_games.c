// Whole games of the Duel example: by the computer player, and a recorded one.

#include "duel_help.h"
#include "recorded_game.h"
#include "suite.h"

// --- The computer player ---------------------------------------------------------------------------------------------

START_TEST(P10_the_computer_plays_twenty_games_and_leaves_no_trace_of_its_thoughts)
{
    const kifu_thinking ai = {.tries = 60};
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
            const kifu_thinking thinking = {.tries = 60, .seed = seed};
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
            must(timeline, duel_ai_move(timeline, &thinking, &move));
            must(fork, duel_ai_move(fork, &thinking, &there));
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

// `DUEL_RECORD=1 test_duel_games` writes a new record, after a change of rules.
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
    return run_suite("duel_games", tests, sizeof tests / sizeof *tests);
}
