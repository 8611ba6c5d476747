// The tree in which a bot counts its tries: which places it has, how often each was tried, and what that was worth. A
// bot shows only which move it chooses. And the candidates, out of which moves are listed.

#include "ai.h"
#include "bot_help.h"
#include "search/moves.h"
#include "search/tree.h"
#include "suite.h"
#include "triggers.h"

// --- A tree ----------------------------------------------------------------------------------------------------------

// A tree of some tries, to look into; cut it down.
static void grow_within(uint64_t limit, kifu__tree *tree, kifu_timeline *timeline, const kifu_bot *bot, uint32_t tries)
{
    kifu_moves moves = {0};
    memset(tree, 0, sizeof *tree);
    tree->bot = bot;
    tree->player = current(timeline);
    tree->limit = limit;
    ck_assert(!kifu_fork(timeline, KIFU_PRESENT, NULL, &tree->fork, NULL));
    must(tree->fork, kifu_begin(tree->fork, KIFU_SEARCH));
    must(timeline, kifu_list_moves(timeline, tree->player, &moves));
    must(tree->fork, kifu__tree_begin(tree, &moves, 7));
    for (uint32_t n = 0; n < tries; n++)
        must(tree->fork, kifu__tree_try(tree));
    kifu_free_moves(&moves);
}

static void grow_at(kifu__tree *tree, kifu_timeline *timeline, const kifu_bot *bot, uint32_t tries)
{
    grow_within(UINT64_MAX, tree, timeline, bot, tries);
}

static kifu__tree grow(kifu_timeline *timeline, const kifu_bot *bot, uint32_t tries)
{
    kifu__tree tree;
    grow_at(&tree, timeline, bot, tries);
    return tree;
}

static void cut_down(kifu__tree *tree)
{
    kifu__tree_free(tree);
    kifu_destroy(tree->fork);
}

static void same_branches(const kifu__edge *here, const kifu__edge *there)
{
    for (; here && there; here = here->next, there = there->next) {
        ck_assert_uint_eq(here->visits, there->visits);
        ck_assert_uint_eq(here->worth, there->worth);
        ck_assert_uint_eq(here->size, there->size);
        ck_assert_mem_eq(kifu__edge_event(here), kifu__edge_event(there), here->size);
        same_branches(here->first, there->first);
    }
    ck_assert(!here && !there);
}

// Whether a bot finds the same on both, in each branch of its tree.
static void same_thoughts(kifu_timeline *one, kifu_timeline *two, const kifu_bot *bot, uint32_t tries)
{
    kifu__tree trees[] = {grow(one, bot, tries), grow(two, bot, tries)};
    same_branches(trees[0].root, trees[1].root);
    cut_down(&trees[0]);
    cut_down(&trees[1]);
}

// Sure moves are the first four of the list, dares the next four, guesses the last ten.
static void judge_dice(const kifu_timeline *timeline, double *worth)
{
    worth[0] = hazard_get_state(timeline)->score[0] / 5.0;
}

START_TEST(X05_dice_fall_anew_in_each_try)
{
    const kifu_bot bot = {.judge = judge_dice, .depth = KIFU_AT_ONCE};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        kifu_timeline *timeline = hazard_new(seed, NULL);
        kifu__tree tree = grow(timeline, &bot, 2000);
        const kifu__edge *dare = tree.root->first;
        for (uint32_t i = 0; i < 8; i++, dare = dare->next) {
            if (i < 4)
                continue;
            const double average = (double)dare->worth / 65536 / dare->visits;
            ck_assert_uint_eq(dare->type, HAZARD_P_DARE);
            ck_assert_uint_gt(dare->visits, 8);
            ck_assert_msg(average > 0.2 && average < 0.8, "%f", average); // of 0 to 5, in fifths
        }
        cut_down(&tree);
        kifu_destroy(timeline);
    }
}
END_TEST

// All numbers are integers. Whoever changes how a bot thinks writes down the new ones.
START_TEST(X05_every_machine_makes_the_same_tries)
{
    static const uint32_t visits[18] = {126, 148, 196, 242, 197, 225, 187, 217, 153,
                                        178, 115, 166, 152, 156, 143, 137, 128, 134};
    kifu_timeline *timeline = hazard_new(3, NULL);
    kifu__tree tree = grow(timeline, &fair, 3000);
    uint32_t move = 0;
    for (const kifu__edge *i = tree.root->first; i; i = i->next, move++) {
        ck_assert_uint_lt(move, 18);
        ck_assert_uint_eq(i->visits, visits[move]);
    }
    cut_down(&tree);
    kifu_destroy(timeline);
}
END_TEST

// Of so many visits the root is in no table, and behind the table lies something else.
START_TEST(M08_X05_what_lies_behind_a_tree_changes_no_try)
{
    struct {
        kifu__tree tree;
        uint32_t behind[2];
    } places[2];
    const kifu_bot bot = {.judge = judge_nim};
    kifu_timeline *timeline = nim_new((const uint16_t[]){1, 1, 0, 0});
    uint32_t most = 0;
    for (uint32_t i = 0; i < 2; i++) {
        memset(places[i].behind, i ? 0xFF : 0, sizeof places[i].behind);
        grow_at(&places[i].tree, timeline, &bot, 2100);
        ck_assert_uint_eq(places[i].behind[0], i ? UINT32_MAX : 0);
    }
    same_branches(places[0].tree.root, places[1].tree.root);
    for (const kifu__edge *i = places[0].tree.root->first; i; i = i->next)
        most = i->visits > most ? i->visits : most;
    ck_assert_uint_gt(most, KIFU__ROOTS);
    for (uint32_t i = 0; i < 2; i++)
        cut_down(&places[i].tree);
    kifu_destroy(timeline);
}
END_TEST

static void list_by_dice(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)player;
    hazard_add_p_any(moves, hazard_get_state(timeline)->score[0] % 2);
}

START_TEST(X05_behind_dice_all_moves_that_some_throw_allows_are_found)
{
    kifu_timeline *timeline = hazard_new(3, NULL);
    const kifu_bot bot = {.judge = judge_points, .depth = KIFU_AT_ONCE};
    hazard_test.list = list_by_dice;
    kifu__tree tree = grow(timeline, &bot, 600);
    uint32_t dares = 0;
    for (const kifu__edge *at = tree.root->first; at; at = at->next) {
        uint32_t found = 0;
        for (const kifu__edge *i = at->first; i; i = i->next)
            found += i->type == HAZARD_P_ANY;
        dares += at->type == HAZARD_P_DARE && found == 2;
        ck_assert(at->type != HAZARD_P_SURE || found == 1);
    }
    ck_assert_uint_eq(dares, 4);
    cut_down(&tree);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(X05_what_can_still_be_a_tie_is_not_decided)
{
    kifu__edge less = {.visits = 1}, more = {.visits = 3, .next = &less}, root = {.first = &more};
    const kifu__tree tree = {.root = &root};
    ck_assert(!kifu__tree_is_decided(&tree, 2));
    ck_assert(kifu__tree_is_decided(&tree, 1));
}
END_TEST

// --- What cannot be seen ---------------------------------------------------------------------------------------------

START_TEST(X05_hidden_numbers_and_dice_to_come_are_not_known)
{
    for (uint64_t seed = 1; seed <= 15; seed++) {
        kifu_timeline *timeline = hazard_new(seed, NULL);
        for (uint32_t turn = 0; turn < 6; turn++) {
            kifu_timeline *other;
            ck_assert(!kifu_fork(timeline, KIFU_PRESENT, NULL, &other, NULL));
            hazard_submit_e_imagine(other, (uint8_t)current(timeline));
            must(other, kifu_run(other));
            same_thoughts(timeline, other, &fair, 100);
            kifu_destroy(other);
            hazard_submit_p_sure(timeline, current(timeline), NULL);
            must(timeline, kifu_run(timeline));
        }
        kifu_destroy(timeline);
    }
}
END_TEST

// Permutes what `player` cannot see: cards of a deck, the enemy's hand, the dice to come.
static void permute_hidden(kifu_timeline *timeline, int player, kifu_rng *rng)
{
    duel_state *state = (duel_state *)(uintptr_t)kifu_state(timeline);
    for (int owner = 0; owner < 2; owner++) {
        uint32_t hidden[CARD_COUNT], count = 0;
        for (uint32_t card = 0; card < CARD_COUNT; card++) {
            const duel_zone zone = state->cards[card].zone;
            if (rules_owner(card) == owner && (zone == DUEL_ZONE_DECK || (zone == DUEL_ZONE_HAND && owner != player)))
                hidden[count++] = card;
        }
        for (uint32_t i = count; i > 1; i--) {
            const uint32_t j = kifu_rng_below(rng, i);
            const duel_kind kind = state->cards[hidden[i - 1]].kind;
            state->cards[hidden[i - 1]].kind = state->cards[hidden[j]].kind;
            state->cards[hidden[j]].kind = kind;
        }
    }
    kifu_rng_seed(&state->game.rng, kifu_rng_next(rng), 5);
}

START_TEST(X05_the_bot_of_duel_does_not_know_what_it_cannot_see)
{
    const kifu_options options = {.quiet = true, .observers = duel_triggers};
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 1);
    for (uint64_t seed = 1; seed <= (SLOW ? 2 : 12); seed++) {
        kifu_timeline *timeline = create(&duel_rules, &options);
        must(timeline, duel_begin(timeline, &seed));
        for (uint32_t step = 0; kifu_get_game(timeline)->phase == KIFU_PHASE_PLAY; step++) {
            kifu_timeline *other;
            ck_assert(!kifu_fork(timeline, KIFU_PRESENT, NULL, &other, NULL));
            permute_hidden(other, current(timeline), &rng);
            same_thoughts(timeline, other, &duel_bot, 25);
            kifu_destroy(other);
            kifu_moves moves = {0};
            const kifu_move *move;
            must(timeline, kifu_choose_any_move(timeline, current(timeline), &rng, &moves, &move));
            kifu_submit_move(timeline, move);
            must(timeline, kifu_run(timeline));
            kifu_free_moves(&moves);
        }
        kifu_destroy(timeline);
    }
}
END_TEST

// --- Moves of some deals ---------------------------------------------------------------------------------------------

static unsigned done_as_checked, done_unchecked;

static void list_some(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)timeline, (void)player;
    for (int32_t number = 0; number < 3; number++)
        hazard_add_p_any(moves, number);
}

// In some deals it changes the event.
static kifu_verdict change_if_odd(kifu_timeline *timeline, hazard_p_any *any)
{
    if (hazard_get_state(timeline)->hidden[1] % 2)
        any->number += 100;
    return kifu_accept();
}

static kifu_result count_unchecked(kifu_timeline *timeline, const hazard_p_any *any)
{
    *(hazard_get_state(timeline)->hidden[1] % 2 == any->number / 100 ? &done_as_checked : &done_unchecked) += 1;
    return KIFU_OK;
}

START_TEST(X05_a_move_that_its_check_changes_in_some_deals_is_checked_in_each)
{
    kifu_timeline *timeline = hazard_new(3, NULL);
    const kifu_bot bot = {.judge = judge_points, .deal = deal_numbers, .depth = KIFU_AT_ONCE};
    hazard_test.list = list_some;
    hazard_test.check = change_if_odd;
    hazard_test.act = count_unchecked;
    kifu__tree tree = grow(timeline, &bot, 300);
    ck_assert_uint_gt(done_as_checked, 20);
    ck_assert_uint_eq(done_unchecked, 0);
    cut_down(&tree);
    kifu_destroy(timeline);
}
END_TEST

static void list_either_way(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)player;
    const bool back = hazard_get_state(timeline)->hidden[1] % 2;
    for (int32_t number = 0; number < 4; number++)
        hazard_add_p_any(moves, back ? 3 - number : number);
}

START_TEST(X05_moves_in_another_order_in_each_deal_are_the_same_moves)
{
    kifu_timeline *timeline = hazard_new(3, NULL);
    const kifu_bot bot = {.judge = judge_points, .deal = deal_numbers, .depth = KIFU_AT_ONCE};
    hazard_test.list = list_either_way;
    kifu__tree tree = grow(timeline, &bot, 300);
    uint32_t branches = 0;
    for (const kifu__edge *i = tree.root->first; i; i = i->next)
        branches++;
    ck_assert_uint_eq(branches, 18 + 4);
    cut_down(&tree);
    kifu_destroy(timeline);
}
END_TEST

static void list_another_in_front(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)player;
    if (hazard_get_state(timeline)->hidden[1] % 2)
        hazard_add_p_any(moves, 9);
    for (int32_t number = 0; number < 4; number++)
        hazard_add_p_any(moves, number);
}

static uint32_t count_branches(const kifu__edge *at)
{
    uint32_t count = 1;
    for (const kifu__edge *i = at->first; i; i = i->next)
        count += count_branches(i);
    return count;
}

START_TEST(X05_a_move_of_some_deals_takes_no_other_ones_place)
{
    kifu_timeline *timeline = hazard_new(3, NULL);
    const kifu_bot bot = {.judge = judge_points, .deal = deal_numbers, .depth = KIFU_AT_ONCE};
    hazard_test.list = list_another_in_front;
    kifu__tree tree = grow(timeline, &bot, 300);
    ck_assert_uint_eq(count_branches(tree.root), tree.branch_count); // None has lost its place.
    cut_down(&tree);
    kifu_destroy(timeline);
}
END_TEST

// --- A full tree -----------------------------------------------------------------------------------------------------

static uint32_t count_all(const kifu__edge *at, uint32_t moves)
{
    uint32_t count = 1, behind = 0;
    for (const kifu__edge *i = at->first; i; i = i->next, behind++)
        count += count_all(i, moves);
    ck_assert(behind == 0 || behind == moves);
    return count;
}

START_TEST(X05_a_full_tree_has_all_moves_of_a_place_or_none_and_is_tried_on)
{
    kifu_timeline *timeline = hazard_new(1, NULL);
    for (uint64_t limit = 20000; limit < 120000; limit += 777) {
        kifu__tree tree;
        grow_within(limit, &tree, timeline, &cheat, 3000);
        uint32_t visits = 0, most = 0;
        for (const kifu__edge *i = tree.root->first; i; i = i->next) {
            visits += i->visits;
            most = i->visits > most ? i->visits : most;
        }
        ck_assert(tree.full);
        ck_assert_uint_le(tree.used, limit);
        ck_assert_uint_eq(visits, 3000);
        ck_assert_uint_gt(most, 3000 / 18 * 2); // It still finds that some moves are better.
        (void)count_all(tree.root, 18);
        cut_down(&tree);
    }
    kifu_destroy(timeline);
}
END_TEST

static void list_by_number(kifu_timeline *timeline, int player, kifu_moves *moves)
{
    (void)player;
    const uint8_t hidden = hazard_get_state(timeline)->hidden[1];
    hazard_add_p_any(moves, hidden);
    hazard_add_p_any(moves, 10 + hidden);
}

static unsigned judged;

static void judge_the_end(const kifu_timeline *timeline, double *worth)
{
    ck_assert_uint_eq(kifu_get_game(timeline)->phase, KIFU_PHASE_GAME_OVER);
    worth[0] = 0.5;
    judged++;
}

static kifu_result end_after_three(kifu_timeline *timeline, const hazard_p_any *any)
{
    (void)any;
    if (++*hazard_edit_moves(timeline) == 3)
        hazard_submit_e_end_game(timeline);
    return KIFU_OK;
}

// In most deals no move of the tree is legal.
START_TEST(X05_a_try_that_finds_no_move_in_a_full_tree_plays_on_by_lot)
{
    kifu_rules rules = hazard_rules;
    rules.list = only_any;
    kifu_timeline *timeline = create(&rules, NULL);
    must(timeline, hazard_begin(timeline, 1));
    hazard_test = (hazard_hooks){.list = list_by_number, .act = end_after_three};
    const kifu_bot bot = {.judge = judge_the_end, .deal = deal_numbers};
    kifu__tree tree;
    grow_within(1, &tree, timeline, &bot, 300);
    uint32_t visits = 0;
    for (const kifu__edge *i = tree.root->first; i; i = i->next)
        visits += i->visits;
    ck_assert_uint_eq(judged, 300);
    ck_assert_uint_lt(visits, 200);
    cut_down(&tree);
    kifu_destroy(timeline);
}
END_TEST

// --- Candidates ------------------------------------------------------------------------------------------------------

// A move is listed exactly if submitting it is accepted; and nothing changes by asking.
static void list_is_right(kifu_timeline *timeline)
{
    const uint64_t hash = kifu_state_hash(timeline);
    const uint32_t events = kifu_event_count(timeline), undo = kifu_can_undo(timeline, NULL);
    kifu_moves moves = {0}, candidates = {0};
    const int player = current(timeline);
    must(timeline, kifu_list_moves(timeline, player, &moves));
    ck_assert_uint_eq(kifu_state_hash(timeline), hash);
    ck_assert_uint_eq(kifu_event_count(timeline), events);
    ck_assert_uint_eq(kifu_can_undo(timeline, NULL), undo);
    ck_assert_uint_eq(kifu_pending_count(timeline), 0);
    must(timeline, kifu__list_candidates(timeline, player, &candidates));
    uint32_t next = 0;
    for (uint32_t i = 0; i < candidates.count; i++) {
        must(timeline, kifu_begin(timeline, KIFU_SEARCH));
        ck_assert_uint_ne(kifu_submit_move(timeline, &candidates.items[i]), 0);
        const kifu_result result = kifu_run(timeline);
        must(timeline, kifu_roll_back(timeline));
        if (result == KIFU_REJECTED)
            continue;
        ck_assert_uint_lt(next, moves.count);
        const kifu_move *move = &moves.items[next++];
        ck_assert_uint_eq(move->type, candidates.items[i].type);
        ck_assert_uint_eq(move->size, candidates.items[i].size);
        ck_assert_mem_eq(move->table, candidates.items[i].table, move->size);
    }
    ck_assert_uint_eq(next, moves.count);
    kifu_free_moves(&moves);
    kifu_free_moves(&candidates);
}

// Plays a listed move, drawn by lot; false: there is none.
static bool play_any(kifu_timeline *timeline, kifu_rng *rng)
{
    kifu_moves moves = {0};
    must(timeline, kifu_list_moves(timeline, current(timeline), &moves));
    const bool any = moves.count > 0;
    if (any) {
        kifu_submit_move(timeline, &moves.items[kifu_rng_below(rng, moves.count)]);
        must(timeline, kifu_run(timeline));
    }
    kifu_free_moves(&moves);
    return any;
}

START_TEST(X04_in_random_games_exactly_what_is_accepted_is_listed)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 4);
    for (unsigned long step = 0; step < fuzz_steps(1500);) {
        const uint64_t seed = kifu_rng_next(&rng);
        kifu_timeline *timeline = seed & 1 ? hazard_new(seed, NULL) : reversi_new(seed);
        do {
            list_is_right(timeline);
            step++;
        } while (play_any(timeline, &rng));
        ck_assert_int_eq(kifu_get_game(timeline)->phase, KIFU_PHASE_GAME_OVER);
        kifu_destroy(timeline);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        X05_dice_fall_anew_in_each_try,
        X05_every_machine_makes_the_same_tries,
        M08_X05_what_lies_behind_a_tree_changes_no_try,
        X05_behind_dice_all_moves_that_some_throw_allows_are_found,
        X05_what_can_still_be_a_tie_is_not_decided,
        X05_hidden_numbers_and_dice_to_come_are_not_known,
        X05_the_bot_of_duel_does_not_know_what_it_cannot_see,
        X05_a_move_that_its_check_changes_in_some_deals_is_checked_in_each,
        X05_moves_in_another_order_in_each_deal_are_the_same_moves,
        X05_a_move_of_some_deals_takes_no_other_ones_place,
        X05_a_full_tree_has_all_moves_of_a_place_or_none_and_is_tried_on,
        X05_a_try_that_finds_no_move_in_a_full_tree_plays_on_by_lot,
        X04_in_random_games_exactly_what_is_accepted_is_listed,
    };
    return run_suite("bot_tree", tests, sizeof tests / sizeof *tests);
}
