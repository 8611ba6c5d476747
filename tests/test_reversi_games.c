// Random games of Reversi, with illegal moves, undo, redo and saves in between, against another implementation that
// undoes by copying. KIFU_FUZZ_STEPS and KIFU_FUZZ_SEED go on for longer (`./dev fuzz`).

#include "reversi_help.h"
#include "suite.h"

enum { MOST_MOVES = 70 };

// All positions of a game, and which is now.
typedef struct history {
    plain positions[MOST_MOVES];
    reversi_state states[MOST_MOVES]; // as they were when first reached
    int now, count;
} history;

static int draw(kifu_rng *rng, uint32_t bound)
{
    return (int)kifu_rng_below(rng, bound);
}

static void must_be_now(const kifu_timeline *timeline, const history *history)
{
    same_position(timeline, &history->positions[history->now]);
    ck_assert_mem_eq(kifu_state(timeline), &history->states[history->now], sizeof(reversi_state));
    ck_assert_uint_eq(kifu_can_undo(timeline, NULL) > 0, history->now > 0);
    ck_assert_uint_eq(kifu_can_redo(timeline, NULL) > 0, history->now + 1 < history->count);
}

static void step_forward(const kifu_timeline *timeline, history *history, const plain *position)
{
    ck_assert_int_lt(history->now + 1, MOST_MOVES);
    history->now++;
    history->positions[history->now] = *position;
    history->states[history->now] = *reversi_get_state(timeline);
    history->count = history->now + 1;
}

// Any square, any player: legal by chance.
static void try_anything(kifu_timeline *timeline, history *history, kifu_rng *rng)
{
    plain next = history->positions[history->now];
    int player = draw(rng, 4) - 1, square = draw(rng, 70);
    bool legal = player == reversi_current(timeline) && plain_place(&next, square);
    reversi_submit_p_place(timeline, player,
                           &(reversi_p_place_args){.square = (uint8_t)square, .seconds = (int16_t)draw(rng, 100)});
    ck_assert_int_eq(kifu_run(timeline), legal ? KIFU_OK : KIFU_REJECTED);
    if (legal)
        step_forward(timeline, history, &next);
}

static void try_legal(kifu_timeline *timeline, history *history, kifu_rng *rng)
{
    plain next;
    int first = draw(rng, BOARD_SQUARES);
    for (int i = 0; i < BOARD_SQUARES; i++) {
        int square = (first + i) % BOARD_SQUARES;
        next = history->positions[history->now];
        if (plain_place(&next, square)) {
            must(timeline, reversi_place(timeline, square));
            step_forward(timeline, history, &next);
            return;
        }
    }
    ck_assert(next.over);
}

static void try_resign(kifu_timeline *timeline, history *history, kifu_rng *rng)
{
    plain next = history->positions[history->now];
    int player = draw(rng, 2);
    reversi_submit_p_resign(timeline, player);
    ck_assert_int_eq(kifu_run(timeline), next.over ? KIFU_REJECTED : KIFU_OK);
    if (next.over)
        return;
    next.over = true;
    next.resigned = ".XO"[board_disc_of(kifu_get_game(timeline), player)];
    step_forward(timeline, history, &next);
}

static void try_undo(kifu_timeline *timeline, history *history)
{
    bool can = history->now > 0;
    ck_assert_int_eq(kifu_undo(timeline), can ? KIFU_OK : KIFU_NOTHING_TO_UNDO);
    history->now -= can;
}

static void try_redo(kifu_timeline *timeline, history *history)
{
    bool can = history->now + 1 < history->count;
    ck_assert_int_eq(kifu_redo(timeline), can ? KIFU_OK : KIFU_NOTHING_TO_REDO);
    history->now += can;
}

// Plays `steps` steps; the timeline may be another afterwards, made from a save.
static kifu_timeline *play_on(kifu_timeline *timeline, history *history, kifu_rng *rng, unsigned long steps)
{
    for (; steps > 0; steps--) {
        int choice = draw(rng, 200);
        if (choice < 110) {
            try_legal(timeline, history, rng);
        } else if (choice < 150) {
            try_anything(timeline, history, rng);
        } else if (choice < 180) {
            try_undo(timeline, history);
        } else if (choice < 194) {
            try_redo(timeline, history);
        } else if (choice < 195) {
            try_resign(timeline, history, rng);
        } else {
            kifu_timeline *loaded = reversi_reload(timeline);
            same_game(loaded, timeline);
            kifu_destroy(timeline);
            timeline = loaded;
        }
        must_be_now(timeline, history);
    }
    return timeline;
}

START_TEST(U10_random_games_agree_with_another_implementation)
{
    enum { STEPS = 150 }; // of one game: to its end and back and forth there
    unsigned long left = fuzz_steps(9000);
    for (unsigned long seed = fuzz_seed(); left > 0; seed++) {
        unsigned long steps = left < STEPS ? left : STEPS;
        kifu_rng rng;
        kifu_rng_seed(&rng, seed, 5);
        kifu_timeline *timeline = reversi_new(seed);
        history *history = calloc(1, sizeof *history);
        ck_assert_ptr_nonnull(history);
        history->positions[0] = plain_begin();
        history->states[0] = *reversi_get_state(timeline);
        history->count = 1;
        timeline = play_on(timeline, history, &rng, steps);
        free(history);
        kifu_destroy(timeline);
        left -= steps;
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {U10_random_games_agree_with_another_implementation};
    return run_suite("random games of Reversi", tests, sizeof tests / sizeof *tests);
}
