// Backgammon: its rules, its turns and what undo does with dice; random games beside another implementation.

#include <kifu/notes.h>
#include <kifu/variations.h>

#include "board.h"
#include "game.h"
#include "history_help.h"
#include "plain_backgammon.h"
#include "suite.h"

static kifu_timeline *new_game(uint64_t seed, bool keeps)
{
    const kifu_options options = {.keep_variations = keeps ? kifu_keep_variations : NULL,
                                  .promote_played = true,
                                  .keep_notes = kifu_keep_notes,
                                  .hash_interval = 4};
    kifu_timeline *timeline;
    ck_assert_int_eq(kifu_create(&backgammon_rules, &options, &timeline, NULL), KIFU_OK);
    must(timeline, backgammon_begin(timeline, &seed));
    return timeline;
}

static int current(const kifu_timeline *timeline)
{
    return kifu_current_player(kifu_get_game(timeline));
}

static const backgammon_board *board_of(const kifu_timeline *timeline)
{
    return &backgammon_get_state(timeline)->board;
}

// What the dice showed that were thrown last.
static const backgammon_e_dice *last_dice(const kifu_timeline *timeline)
{
    kifu_event event = {.type = 0};
    for (uint32_t i = kifu_event_count(timeline); event.type != BACKGAMMON_E_DICE;)
        ck_assert(kifu_event_at(timeline, --i, &event));
    return event.table;
}

// --- Positions -------------------------------------------------------------------------------------------------------

// "25:1 6:2" is one checker on the bar and two on point 6; the others are off.
static backgammon_side side(const char *text)
{
    backgammon_side side = {.places = {BOARD_CHECKERS}};
    int place, count, used;
    for (; sscanf(text, "%d:%d%n", &place, &count, &used) == 2; text += used) {
        side.places[place] = (uint8_t)count;
        side.places[BOARD_OFF] = (uint8_t)(side.places[BOARD_OFF] - count);
    }
    return side;
}

static backgammon_board position(const char *mine, const char *theirs, int first, int second)
{
    backgammon_board board = {.sides = {side(mine), side(theirs)}};
    board_set_dice(&board, (uint8_t)first, (uint8_t)second);
    return board;
}

// The legal moves of player 0, "25/3 6/1": place and die.
static const char *legal(const backgammon_board *board)
{
    static char text[400];
    size_t used = 0;
    text[0] = '\0';
    for (int from = 30; from >= 0; from--) {
        for (int die = 0; die <= 6; die++) {
            if (board_is_legal(board, 0, from, die))
                used += (size_t)snprintf(text + used, sizeof text - used, "%s%d/%d", used ? " " : "", from, die);
        }
    }
    return text;
}

#define ck_assert_legal(mine, theirs, first, second, moves)                                                            \
    do {                                                                                                               \
        const backgammon_board board = position(mine, theirs, first, second);                                          \
        ck_assert_str_eq(legal(&board), moves);                                                                        \
    } while (0)

START_TEST(checkers_on_the_bar_enter_first)
{
    ck_assert_legal("25:1 6:2", "6:2", 3, 1, "25/1 25/3");
    ck_assert_legal("25:1 6:2", "3:2", 3, 1, "25/1"); // Their 3 is point 22, which a 3 would enter.
    ck_assert_legal("25:2 6:2", "1:2", 6, 6, "25/6");
    ck_assert_legal("25:1 8:2", "6:2", 6, 6, "");
    ck_assert_legal("25:2 8:2", "6:2", 6, 1, "25/1"); // One enters, and the other one cannot.
}
END_TEST

START_TEST(a_single_enemy_is_hit_and_two_block)
{
    backgammon_board board = position("8:2", "20:1 19:2", 3, 2);
    ck_assert_str_eq(legal(&board), "8/3"); // Their 20 and 19 are points 5 and 6. Behind 5, a 2 goes on to 3.
    ck_assert(board_play(&board, 0, 8, 3));
    ck_assert_uint_eq(board.sides[1].places[BOARD_BAR], 1);
    ck_assert_uint_eq(board.sides[1].places[20], 0);
    ck_assert_uint_eq(board.sides[0].places[5], 1);
    ck_assert(!board_play(&board, 0, 5, 2));
    ck_assert_uint_eq(board_most(&board, 0), 0);
}
END_TEST

START_TEST(checkers_are_borne_off_when_all_are_at_home)
{
    ck_assert_legal("7:1 6:1", "25:1", 6, 5, "7/5 7/6 6/5"); // Not yet: 7 must come home first.
    ck_assert_legal("7:1 6:1", "24:2", 6, 5, "7/5");         // Their 24 is point 1. Then 6 goes off by the 6.
    ck_assert_legal("5:1 3:1", "25:1", 6, 2, "5/2 5/6 3/2"); // A 6 bears off the furthest one,
    ck_assert_legal("5:1 3:1", "25:1", 4, 4, "5/4");         // and a 4 nothing while one is further away.
    ck_assert_legal("3:1", "25:1", 6, 5, "3/6");             // Either would do: it must be the higher one.
}
END_TEST

START_TEST(both_dice_are_played_where_that_is_possible)
{
    ck_assert_legal("14:1", "12:2 13:2", 2, 1, "");             // Their 12 and 13 are points 13 and 12.
    ck_assert_legal("14:1", "13:2", 2, 1, "14/1");              // It goes on to 11.
    ck_assert_legal("10:1 2:1", "21:2", 6, 1, "10/1");          // It goes on to 3; behind 2/1, no 6 can be played,
    ck_assert_legal("10:1 2:1", "21:2 22:2", 6, 1, "10/1 2/1"); // but now there is none in any case.
}
END_TEST

START_TEST(of_two_dice_of_which_one_can_be_played_it_is_the_higher)
{
    ck_assert_legal("20:1", "12:2", 6, 1, "20/6");      // 14 or 19 is reached, and 13 is closed.
    ck_assert_legal("20:1", "12:2 11:2", 6, 1, "20/1"); // The higher one cannot be played at all.
}
END_TEST

START_TEST(a_double_is_played_four_times)
{
    backgammon_board board = position("8:4", "1:2", 2, 2);
    ck_assert_uint_eq(board_most(&board, 0), 4);
    for (int i = 0; i < 4; i++) {
        ck_assert_uint_eq(board_most(&board, 0), 4 - (uint32_t)i);
        ck_assert(board_is_legal(&board, 0, 8, 2));
        board_play(&board, 0, 8, 2);
    }
    ck_assert_uint_eq(board_most(&board, 0), 0);
    board = position("8:1 2:1", "23:2", 3, 3);   // their 23 is point 2
    ck_assert_uint_eq(board_most(&board, 0), 1); // 8 to 5, and then 2 is closed.
}
END_TEST

START_TEST(a_game_counts_once_twice_or_three_times)
{
    backgammon_board board = position("", "3:2", 0, 0);
    ck_assert_uint_eq(board_won(&board, 0), 1);
    ck_assert_uint_eq(board_won(&board, 1), 0);
    board = position("", "18:15", 0, 0);
    ck_assert_uint_eq(board_won(&board, 0), 2);
    board = position("", "19:1 3:14", 0, 0);
    ck_assert_uint_eq(board_won(&board, 0), 3);
    board = position("", "25:1 3:14", 0, 0);
    ck_assert_uint_eq(board_won(&board, 0), 3);
    ck_assert_uint_eq(board_pips(&board, 1), 25 + 3 * 14);
}
END_TEST

// --- A game ----------------------------------------------------------------------------------------------------------

START_TEST(the_higher_die_begins_and_plays_both)
{
    int begun[2] = {0};
    for (uint64_t seed = 1; seed <= 40; seed++) {
        kifu_timeline *timeline = new_game(seed, true);
        const backgammon_e_dice *dice = last_dice(timeline);
        ck_assert_uint_ne(dice->first, dice->second);
        ck_assert_int_eq(current(timeline), dice->first > dice->second ? 0 : 1);
        ck_assert_uint_eq(board_of(timeline)->dice[0], dice->first);
        ck_assert_uint_eq(board_of(timeline)->dice[1], dice->second);
        ck_assert_uint_eq(board_pips(board_of(timeline), 0), 167);
        ck_assert_uint_eq(board_pips(board_of(timeline), 1), 167);
        begun[current(timeline)]++;
        ck_assert_int_eq(backgammon_play_p_roll(timeline, current(timeline)), KIFU_REJECTED);
        ck_assert_int_eq(kifu_undo(timeline), KIFU_NOTHING_TO_UNDO);
        kifu_destroy(timeline);
    }
    ck_assert_int_gt(begun[0], 10);
    ck_assert_int_gt(begun[1], 10);
}
END_TEST

// The first move that the game lists.
static void play_any(kifu_timeline *timeline, kifu_rng *rng)
{
    kifu_moves moves = {0};
    const kifu_move *move;
    must(timeline, kifu_choose_any_move(timeline, current(timeline), rng, &moves, &move));
    ck_assert_ptr_nonnull(move);
    kifu_submit_move(timeline, move);
    must(timeline, kifu_run(timeline));
    kifu_free_moves(&moves);
}

START_TEST(undo_takes_back_one_checker_and_never_dice)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 5, 5);
    kifu_timeline *timeline = new_game(3, true);
    const int player = current(timeline);
    const backgammon_board opened = *board_of(timeline);
    play_any(timeline, &rng);
    const backgammon_board one = *board_of(timeline);
    play_any(timeline, &rng);
    ck_assert_int_eq(current(timeline), 1 - player);
    must(timeline, kifu_undo(timeline)); // also the end of the turn
    ck_assert_int_eq(current(timeline), player);
    ck_assert_mem_eq(board_of(timeline), &one, sizeof one);
    must(timeline, kifu_undo(timeline));
    ck_assert_mem_eq(board_of(timeline), &opened, sizeof opened);
    must(timeline, kifu_redo(timeline));
    must(timeline, kifu_redo(timeline));
    must(timeline, backgammon_play_p_roll(timeline, 1 - player));
    ck_assert_int_eq(kifu_undo(timeline), KIFU_NOT_UNDOABLE);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(timeline)), "the outcome was random");
    kifu_destroy(timeline);
}
END_TEST

START_TEST(another_move_is_a_variation_and_the_main_line_is_the_one_that_is_played)
{
    kifu_timeline *timeline = new_game(3, true);
    kifu_moves moves = {0};
    must(timeline, kifu_list_moves(timeline, current(timeline), &moves));
    ck_assert_uint_gt(moves.count, 1);
    kifu_submit_move(timeline, &moves.items[0]);
    must(timeline, kifu_run(timeline));
    must(timeline, kifu_set_note(timeline, kifu_chain_start(timeline, kifu_position(timeline) - 1), KIFU_NOTE_COMMENT,
                                 "too bold"));
    must(timeline, kifu_undo(timeline));
    kifu_submit_move(timeline, &moves.items[1]);
    must(timeline, kifu_run(timeline));
    ck_assert_uint_eq(kifu_line_count(timeline), 2);
    ck_assert_uint_eq(kifu_current_line(timeline), 1);
    ck_assert_uint_eq(kifu_main_line(timeline), 1);
    kifu_note note = {0};
    kifu_event noted;
    char text[80], move[80];
    ck_assert(kifu_next_note(timeline, &note));
    ck_assert_uint_eq(note.line, 0);
    ck_assert(kifu_line_event(timeline, note.line, note.event, &noted));
    ck_assert_uint_eq(noted.type, BACKGAMMON_P_MOVE);
    kifu_event_text(timeline, &noted, text, sizeof text);
    ck_assert_uint_eq(kifu_move_text(timeline, &moves.items[0], move, sizeof move), strlen(move));
    ck_assert_str_eq(text, move);
    const backgammon_p_move *first = moves.items[0].table;
    snprintf(text, sizeof text, "backgammon.PMove, player %d: from %u, die %u", moves.items[0].player, first->from,
             first->die);
    ck_assert_str_eq(text, move);
    kifu_free_moves(&moves);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(a_note_lands_on_the_move_and_not_on_the_end_of_the_turn)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 5, 5);
    kifu_timeline *timeline = new_game(3, true);
    kifu_event last, first;
    ck_assert_uint_eq(kifu_chain_start(timeline, kifu_position(timeline) - 1), KIFU_BEFORE_FIRST);
    play_any(timeline, &rng);
    play_any(timeline, &rng);
    ck_assert(kifu_event_at(timeline, kifu_position(timeline) - 1, &last));
    ck_assert_uint_eq(last.type, BACKGAMMON_E_END_TURN);
    ck_assert(kifu_event_at(timeline, kifu_chain_start(timeline, last.index), &first));
    ck_assert_uint_eq(first.type, BACKGAMMON_P_MOVE);
    ck_assert_uint_eq(first.index + 1, last.index);
    kifu_destroy(timeline);
}
END_TEST

START_TEST(a_bot_rolls_and_beats_chance)
{
    int won = 0;
    kifu_rng rng;
    kifu_rng_seed(&rng, 7, 7);
    for (uint64_t seed = 1; seed <= 10; seed++) {
        kifu_timeline *timeline = new_game(seed, true);
        while (kifu_get_game(timeline)->phase == KIFU_PHASE_PLAY) {
            if (current(timeline) == 0)
                must(timeline, kifu_play_best(timeline, &backgammon_bot, &(kifu_thinking){.tries = 40}));
            else
                play_any(timeline, &rng);
        }
        won += board_won(board_of(timeline), 0) > 0;
        ck_assert_int_eq(kifu_play_best(timeline, &backgammon_bot, NULL), KIFU_REJECTED);
        kifu_destroy(timeline);
    }
    ck_assert_int_ge(won, 9);
}
END_TEST

// --- Random games beside the other implementation --------------------------------------------------------------------

enum { MOST_BACK = 10 };

// What undo and redo lead to, back to the last throw.
typedef struct walk {
    kifu_timeline *timeline;
    kifu_rng rng;
    plain positions[MOST_BACK];
    backgammon_state states[MOST_BACK];
    int now, count;
    bool keeps; // variations: then redo may lead on in a line that was entered anew
    bool over;
} walk;

static void same_board(const walk *walk)
{
    const plain *plain = &walk->positions[walk->now];
    const backgammon_board *board = board_of(walk->timeline);
    for (int player = 0; player < 2; player++) {
        ck_assert_int_eq(board->sides[player].places[BOARD_OFF], plain->off[player]);
        for (int place = 1; place <= BOARD_BAR; place++) {
            const int there = player ? -plain->points[25 - place] : plain->points[place];
            ck_assert_int_eq(board->sides[player].places[place], there > 0 ? there : 0);
        }
    }
    if (!walk->over) {
        ck_assert_int_eq(current(walk->timeline), plain->mover);
        ck_assert(board_has_dice(board) == (plain->count > 0));
    }
    ck_assert_mem_eq(backgammon_get_state(walk->timeline), &walk->states[walk->now], sizeof(backgammon_state));
}

static void pass(plain *position)
{
    position->count = 0;
    position->mover = 1 - position->mover;
}

// Dice were thrown: nothing before them can be taken back.
static void thrown(walk *walk, plain position)
{
    bool legal[26][7];
    const backgammon_e_dice *dice = last_dice(walk->timeline);
    plain_throw(&position, dice->first, dice->second);
    if (!plain_moves(&position, legal))
        pass(&position);
    walk->now = 0;
    walk->count = 1;
    walk->positions[0] = position;
    walk->states[0] = *backgammon_get_state(walk->timeline);
}

static void roll(walk *walk)
{
    plain position = walk->positions[walk->now];
    must(walk->timeline, backgammon_play_p_roll(walk->timeline, current(walk->timeline)));
    thrown(walk, position);
}

// Asks of each move whether it is legal, and plays one of those that are.
static void move(walk *walk)
{
    plain position = walk->positions[walk->now];
    const int player = position.mover;
    bool legal[26][7];
    int from = 0, by = 0;
    uint32_t count = 0;
    ck_assert_int_gt(plain_moves(&position, legal), 0);
    for (int place = 0; place <= 26; place++) {
        for (int die = 0; die <= 7; die++) {
            const bool may = place < 26 && die < 7 && legal[place][die];
            ck_assert(backgammon_can_p_move(walk->timeline, player, (uint8_t)place, (uint8_t)die) == may);
            ck_assert(!backgammon_can_p_move(walk->timeline, 1 - player, (uint8_t)place, (uint8_t)die));
            if (may && kifu_rng_below(&walk->rng, ++count) == 0)
                from = place, by = die;
        }
    }
    ck_assert_uint_gt(count, 0);
    plain_play(&position, from, by);
    must(walk->timeline, backgammon_play_p_move(walk->timeline, player, (uint8_t)from, (uint8_t)by));
    const int won = plain_won(&position);
    walk->over = won > 0;
    ck_assert_uint_eq(board_won(board_of(walk->timeline), player), (uint32_t)won);
    ck_assert(walk->over == (kifu_get_game(walk->timeline)->phase == KIFU_PHASE_GAME_OVER));
    if (!walk->over && !plain_moves(&position, legal))
        pass(&position);
    walk->positions[++walk->now] = position;
    walk->states[walk->now] = *backgammon_get_state(walk->timeline);
    walk->count = walk->now + 1;
}

static void save_and_load(walk *walk)
{
    unsigned char *bytes;
    size_t size;
    kifu_timeline *loaded;
    const kifu_options options = {.keep_variations = walk->keeps ? kifu_keep_variations : NULL};
    must(walk->timeline, kifu_save_to_memory(walk->timeline, NULL, &bytes, &size));
    ck_assert_int_eq(kifu_load_from_memory(&backgammon_rules, bytes, size, &options, NULL, &loaded, NULL), KIFU_OK);
    ck_assert_uint_eq(kifu_line_count(loaded), kifu_line_count(walk->timeline));
    kifu_free_bytes(walk->timeline, bytes);
    kifu_destroy(walk->timeline);
    walk->timeline = loaded;
}

static void step(walk *walk)
{
    const uint32_t what = kifu_rng_below(&walk->rng, 12);
    if (what == 0 && !walk->keeps) {
        ck_assert_int_eq(kifu_redo(walk->timeline), walk->now + 1 < walk->count ? KIFU_OK : KIFU_NOTHING_TO_REDO);
        walk->now += walk->now + 1 < walk->count;
    } else if (what < 4) {
        const bool can = walk->now > 0;
        ck_assert(can == (kifu_undo(walk->timeline) == KIFU_OK));
        walk->now -= can;
    } else if (what == 4) {
        save_and_load(walk);
    } else if (walk->positions[walk->now].count) {
        move(walk);
    } else {
        roll(walk);
    }
    same_board(walk);
}

START_TEST(random_games_agree_with_another_implementation)
{
    const unsigned long games = fuzz_steps(8000) / 400;
    int counted[4] = {0};
    for (unsigned long i = 0; i < games; i++) {
        walk walk = {.timeline = new_game(fuzz_seed() * 1000 + i + 1, i % 2), .keeps = i % 2};
        kifu_rng_seed(&walk.rng, fuzz_seed() * 1000003 + i, 5);
        plain begin = plain_begin();
        begin.mover = current(walk.timeline);
        thrown(&walk, begin);
        same_board(&walk);
        while (!walk.over)
            step(&walk);
        counted[board_won(board_of(walk.timeline), current(walk.timeline))]++;
        ck_assert_int_eq(backgammon_play_p_roll(walk.timeline, 0), KIFU_REJECTED);
        must(walk.timeline, kifu_verify_replay(walk.timeline, NULL));
        kifu_destroy(walk.timeline);
    }
    ck_assert_int_eq(counted[0], 0);
    ck_assert_int_gt(counted[1], 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        checkers_on_the_bar_enter_first,
        a_single_enemy_is_hit_and_two_block,
        checkers_are_borne_off_when_all_are_at_home,
        both_dice_are_played_where_that_is_possible,
        of_two_dice_of_which_one_can_be_played_it_is_the_higher,
        a_double_is_played_four_times,
        a_game_counts_once_twice_or_three_times,
        the_higher_die_begins_and_plays_both,
        undo_takes_back_one_checker_and_never_dice,
        another_move_is_a_variation_and_the_main_line_is_the_one_that_is_played,
        a_note_lands_on_the_move_and_not_on_the_end_of_the_turn,
        a_bot_rolls_and_beats_chance,
        random_games_agree_with_another_implementation,
    };
    return run_suite("backgammon", tests, sizeof tests / sizeof *tests);
}
