// Kifu finds by the masks which events show a player something: undo stops there.

#include "duel_help.h"
#include "seeded.h"
#include "suite.h"
#include "vault.h"

// --- Duel ------------------------------------------------------------------------------------------------------------

// Whether an event of the log shows a player a card that this player did not know before.
static bool shows(kifu_timeline *timeline, uint32_t event)
{
    duel_state before, after;
    bool found = false;
    must(timeline, kifu_state_at(timeline, event, &before, sizeof before));
    must(timeline, kifu_state_at(timeline, event + 1, &after, sizeof after));
    for (int player = 0; player < before.game.player_count && player < after.game.player_count; player++) {
        for (uint32_t card = 0; card < CARD_COUNT; card++)
            found |= duel_sees_cards_kind(&after, card, player) && !duel_sees_cards_kind(&before, card, player);
    }
    return found;
}

// How many events reveal, all of them those that must.
static uint32_t count_shown(kifu_timeline *timeline)
{
    uint32_t count = 0;
    kifu_event event;
    for (uint32_t i = 0; kifu_event_at(timeline, i, &event); i++) {
        const bool is_marked = (event.flags & KIFU_REVEALS) != 0;
        ck_assert_msg(is_marked == shows(timeline, i), "event %u, %s", i, event.name);
        count += is_marked;
    }
    return count;
}

static uint32_t draw(uint64_t *random, uint32_t below)
{
    *random = *random * UINT64_C(6364136223846793005) + 1;
    return (uint32_t)(*random >> 33) % below;
}

static void play_at_random(kifu_timeline *timeline, uint64_t *random)
{
    kifu_moves moves = {0};
    must(timeline, kifu_list_moves(timeline, current(timeline), &moves));
    if (moves.count)
        kifu_submit_move(timeline, &moves.items[draw(random, moves.count)]);
    kifu_free_moves(&moves);
    must(timeline, kifu_run(timeline));
}

// Something between two moves after which the state may be another one.
static kifu_timeline *stray(kifu_timeline *timeline, uint64_t *random)
{
    kifu_timeline *fork;
    kifu_error error;
    switch (draw(random, 9)) {
    case 0:
        (void)kifu_undo(timeline);
        break;
    case 1:
        if (!kifu_undo(timeline) && draw(random, 2))
            must(timeline, kifu_redo(timeline));
        break;
    case 2:
        must(timeline, kifu_seek(timeline, draw(random, kifu_event_count(timeline) + 1)));
        must(timeline, kifu_seek(timeline, KIFU_PRESENT));
        break;
    case 3:
    case 4:
        must(timeline, kifu_begin(timeline, draw(random, 2) ? KIFU_SEARCH : 0));
        play_at_random(timeline, random);
        must(timeline, kifu_roll_back(timeline));
        break;
    case 5:
        duel_submit_e_draw(timeline, 9); // There is no such player.
        ck_assert_int_eq(kifu_run(timeline), KIFU_FAILED);
        break;
    case 6:
        ck_assert_int_eq(kifu_fork(timeline, KIFU_PRESENT, NULL, &fork, &error), KIFU_OK);
        kifu_destroy(timeline);
        add_triggers(fork);
        return fork;
    case 7:
        fork = reload(timeline, draw(random, 2));
        kifu_destroy(timeline);
        return fork;
    default:
        break;
    }
    return timeline;
}

START_TEST(W05_an_event_that_shows_a_player_something_is_marked)
{
    uint32_t shown = 0;
    for (uint64_t seed = 1; seed <= fuzz_steps(30); seed++) {
        uint64_t random = seed + fuzz_seed();
        kifu_timeline *timeline = new_game(seed, NULL);
        for (uint32_t i = 0; i < 150 && kifu_get_game(timeline)->phase == KIFU_PHASE_PLAY; i++) {
            play_at_random(timeline, &random);
            timeline = stray(timeline, &random);
        }
        shown += count_shown(timeline);
        kifu_destroy(timeline);
    }
    ck_assert_uint_gt(shown, 300);
}
END_TEST

// --- Anything --------------------------------------------------------------------------------------------------------

static kifu_timeline *new_vault(const kifu_options *options)
{
    kifu_timeline *timeline;
    ck_assert_int_eq(kifu_create(&vault_rules, options, &timeline, NULL), KIFU_OK);
    vault_submit_e_reset_game(timeline);
    vault_submit_e_add_player(timeline, 0, 0);
    vault_submit_e_add_player(timeline, 1, 0);
    vault_submit_e_initialize(timeline, SEEDED_FROM(4, 0));
    vault_submit_e_start_round(timeline);
    must(timeline, kifu_run(timeline));
    return timeline;
}

static uint8_t last_flags(const kifu_timeline *timeline)
{
    kifu_event event;
    ck_assert(kifu_event_at(timeline, kifu_event_count(timeline) - 1, &event));
    return event.flags;
}

static bool last_reveals(const kifu_timeline *timeline)
{
    return last_flags(timeline) & KIFU_REVEALS;
}

static void choose(kifu_timeline *timeline, uint8_t goal)
{
    vault_p_choose_args choose = vault_p_choose_defaults();
    choose.goal = goal;
    must(timeline, vault_play_p_choose(timeline, 0, &choose));
}

START_TEST(W05_only_what_players_see_counts)
{
    kifu_timeline *timeline = new_vault(NULL);
    choose(timeline, 9); // Spectators see the goal.
    ck_assert(!last_reveals(timeline));
    vault_submit_p_open(timeline, 0, 2);
    must(timeline, kifu_run(timeline));
    ck_assert(last_reveals(timeline));
    ck_assert_int_eq(kifu_undo(timeline), KIFU_NOT_UNDOABLE);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(W05_kifu_reveal_says_what_no_mask_knows)
{
    kifu_timeline *timeline = new_vault(NULL);
    vault_submit_p_peek(timeline, 1, 3);
    must(timeline, kifu_run(timeline));
    ck_assert(last_reveals(timeline));
    ck_assert_int_eq(kifu_undo(timeline), KIFU_NOT_UNDOABLE);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(W05_an_override_does_not_hide_what_was_shown)
{
    kifu_timeline *timeline = new_vault(NULL);
    const kifu_ticket ticket = vault_submit_p_open(timeline, 0, 2);
    must(timeline, kifu_override(timeline, ticket, true, false));
    must(timeline, kifu_run(timeline));
    ck_assert_uint_eq(last_flags(timeline), KIFU_UNDOABLE | KIFU_REVEALS);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(W05_another_line_has_other_things_to_show)
{
    kifu_timeline *timeline = new_vault(&(kifu_options){.keep_variations = kifu_keep_variations});
    must(timeline, vault_play_p_open(timeline, 0, 2));
    choose(timeline, 1);
    const vault_card closed = {.kind = VAULT_KIND_IRON};
    must(timeline, vault_play_e_deal(timeline, 0, 2, &closed, NULL, 0));
    ck_assert(!last_reveals(timeline));
    const uint32_t first = kifu_current_line(timeline), count = kifu_event_count(timeline);
    must(timeline, kifu_undo(timeline));
    choose(timeline, 2);
    choose(timeline, 3);
    ck_assert_uint_eq(kifu_event_count(timeline), count);
    ck_assert_uint_ne(kifu_current_line(timeline), first);
    must(timeline, kifu_go_to(timeline, first, count, true));
    must(timeline, vault_play_p_open(timeline, 0, 2));
    ck_assert(last_reveals(timeline));
    kifu_destroy(timeline);
}
END_TEST

START_TEST(W05_a_transaction_takes_back_what_was_shown)
{
    kifu_timeline *timeline = new_vault(NULL);
    const vault_state before = *vault_get_state(timeline);
    must(timeline, kifu_begin(timeline, 0));
    vault_submit_p_open(timeline, 0, 2);
    must(timeline, kifu_run(timeline));
    ck_assert(last_reveals(timeline));
    must(timeline, kifu_roll_back(timeline));
    ck_assert_mem_eq(vault_get_state(timeline), &before, sizeof before);
    vault_submit_p_open(timeline, 0, 2); // It shows it again.
    must(timeline, kifu_run(timeline));
    ck_assert(last_reveals(timeline));
    kifu_destroy(timeline);
}
END_TEST

START_TEST(W05_a_replay_and_a_verification_leave_the_marks_of_old_saves)
{
    kifu_timeline *timeline = new_vault(&(kifu_options){.record_inputs = kifu_record_inputs});
    vault_submit_p_open(timeline, 0, 2);
    must(timeline, kifu_run(timeline));
    ck_assert(last_reveals(timeline));
    must(timeline, kifu_verify_rules(timeline, NULL, NULL, NULL));

    // A version of the game that hides nothing yet.
    static kifu_rules open;
    open = vault_rules;
    open.hiding = NULL;
    open.attach = NULL;
    kifu_timeline *old, *loaded;
    kifu_error error;
    unsigned char *bytes;
    size_t size;
    ck_assert_int_eq(kifu_create(&open, NULL, &old, &error), KIFU_OK);
    vault_submit_e_reset_game(old);
    vault_submit_e_add_player(old, 0, 0);
    vault_submit_e_start_round(old);
    vault_submit_p_open(old, 0, 2);
    must(old, kifu_run(old));
    ck_assert(!last_reveals(old));
    must(old, kifu_save_to_memory(old, NULL, &bytes, &size));
    for (int fast = 0; fast < 2; fast++) {
        ck_assert_msg(!kifu_load_from_memory(&vault_rules, bytes, size, NULL, &(kifu_load_options){.fast = fast},
                                             &loaded, &error),
                      "%s", error.message);
        ck_assert(!last_reveals(loaded));
        must(loaded, kifu_verify_replay(loaded, NULL));
        must(loaded, kifu_verify_checks(loaded, NULL, NULL, NULL));
        must(loaded, kifu_undo(loaded));
        must(loaded, kifu_redo(loaded));
        ck_assert(!last_reveals(loaded));
        kifu_destroy(loaded);
    }
    kifu_free_bytes(old, bytes);
    kifu_destroy(old);
    kifu_destroy(timeline);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        W05_an_event_that_shows_a_player_something_is_marked,
        W05_only_what_players_see_counts,
        W05_kifu_reveal_says_what_no_mask_knows,
        W05_an_override_does_not_hide_what_was_shown,
        W05_another_line_has_other_things_to_show,
        W05_a_transaction_takes_back_what_was_shown,
        W05_a_replay_and_a_verification_leave_the_marks_of_old_saves,
    };
    return run_suite("reveals", tests, sizeof tests / sizeof *tests);
}
