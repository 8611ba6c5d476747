// Random games of one example (CHANGES_GAME), played by the hooks of its fuzzer. Others follow it by its changes, after
// random numbers of them, and are the same then. Where they have gone their own way, the changes are refused.

#include <stdio.h>

#include "changes_help.h"
#include "kifu_fuzz.h"
#include "suite.h"

#define JOIN(a, b) a##b
#define NAME(game, what) JOIN(game, what)

extern const kifu_rules NAME(CHANGES_GAME, _rules);
extern const kifu_fuzz_hooks NAME(CHANGES_GAME, _fuzz_hooks);

enum { FOLLOWERS = 3 };

typedef struct reader {
    kifu_timeline *timeline;
    kifu_options options;
    bool apart; // It has done something itself.
} reader;

typedef struct game {
    kifu_rng rng;
    const kifu_fuzz_hooks *hooks;
    kifu_timeline *timeline;
    kifu_options options;
    reader followers[FOLLOWERS];
    char what[80];
} game;

static uint32_t draw(game *game, uint32_t below)
{
    return kifu_rng_below(&game->rng, below);
}

static kifu_timeline *new_timeline(game *game, kifu_options *options)
{
    kifu_timeline *timeline;
    *options = (kifu_options){.quiet = true, .hash_interval = 16};
    if (game->hooks->options)
        game->hooks->options(options);
    ck_assert_int_eq(kifu_create(&NAME(CHANGES_GAME, _rules), options, &timeline, NULL), KIFU_OK);
    return timeline;
}

// --- What happens ----------------------------------------------------------------------------------------------------

static void submit_something(game *game, kifu_timeline *timeline)
{
    kifu_moves moves = {0};
    if (game->hooks->input) {
        game->hooks->input(timeline, &game->rng);
        return;
    }
    const int player = kifu_current_player(kifu_get_game(timeline));
    ck_assert_int_eq(kifu_list_moves(timeline, player, &moves), KIFU_OK);
    if (moves.count)
        kifu_submit_move(timeline, &moves.items[kifu_rng_below(&game->rng, moves.count)]);
    kifu_free_moves(&moves);
}

// A transaction, sometimes a search or a deferred one, that is kept or rolled back.
static void transact(game *game, kifu_timeline *timeline)
{
    static const unsigned kinds[] = {0, KIFU_DEFERRED, KIFU_SEARCH};
    const unsigned flags = kinds[draw(game, 3)];
    kifu_result ignored = kifu_begin(timeline, flags);
    if (ignored)
        return;
    for (uint32_t i = draw(game, 4); i > 0; i--) {
        submit_something(game, timeline);
        ignored = draw(game, 4) ? kifu_run(timeline) : kifu_undo(timeline);
    }
    if (flags == KIFU_SEARCH || draw(game, 2) || kifu_commit(timeline))
        ignored = kifu_roll_back(timeline);
    (void)ignored;
}

// Some of it may be refused.
static void do_something(game *game, kifu_timeline *timeline)
{
    kifu_turn turn;
    kifu_result ignored = KIFU_OK;
    switch (draw(game, 16)) {
    case 0:
    case 1:
    case 2:
        ignored = kifu_undo(timeline);
        break;
    case 3:
    case 4:
        ignored = kifu_redo(timeline);
        break;
    case 5:
        transact(game, timeline);
        break;
    case 6:
        submit_something(game, timeline);
        ignored = kifu_step(timeline); // Something may wait then.
        break;
    case 7:
        kifu_drop_inputs(timeline);
        break;
    case 8:
        ignored = kifu_seek(timeline, draw(game, kifu_event_count(timeline) + 1));
        ignored = kifu_seek(timeline, KIFU_PRESENT);
        break;
    case 9:
        submit_something(game, timeline);
        break;
    default:
        if (game->hooks->decide && draw(game, 3))
            ignored = kifu_take_turn(timeline, game->hooks->decide, &game->rng, &turn);
        else
            submit_something(game, timeline);
        ignored = kifu_run(timeline);
    }
    (void)ignored;
}

// The fork goes on in its place, with another stream.
static void go_on_with_fork(game *game)
{
    kifu_timeline *fork;
    const kifu_options *options = &game->options;
    if (kifu_fork(game->timeline, KIFU_PRESENT, options, &fork, NULL))
        return;
    kifu_destroy(game->timeline);
    game->timeline = fork;
}

// --- The changes -----------------------------------------------------------------------------------------------------

// Of the present, also while the past is shown.
static kifu_changes changes_of_game(game *game, const kifu_stream_position *since)
{
    const bool past = draw(game, 8) == 0;
    if (past)
        ck_assert_int_eq(kifu_seek(game->timeline, draw(game, kifu_event_count(game->timeline) + 1)), KIFU_OK);
    const kifu_changes changes = changes_since(game->timeline, since);
    if (past)
        ck_assert_int_eq(kifu_seek(game->timeline, KIFU_PRESENT), KIFU_OK);
    return changes;
}

static kifu_result apply(const reader *reader, const kifu_changes *changes)
{
    return changes->size ? kifu_apply_changes(reader->timeline, changes->bytes, changes->size) : KIFU_OK;
}

static void must_get_whole(game *game, reader *reader)
{
    kifu_changes whole = changes_of_game(game, NULL);
    const kifu_result result = apply(reader, &whole);
    ck_assert_msg(!result, "%s: %s", game->what, kifu_last_error(reader->timeline)->message);
    free(whole.bytes);
    reader->apart = false;
    expect_equal(game->timeline, reader->timeline, game->what);
}

// It stands where the game does. What it did itself may lie behind that still.
static void expect_same_place(const game *game, const reader *reader)
{
    kifu_timeline *one = game->timeline, *other = reader->timeline;
    const uint32_t count = kifu_event_count(one);
    ck_assert_msg(kifu_event_count(other) == count && first_difference(one, other) == count, "%s", game->what);
    ck_assert_msg(kifu_state_hash(one) == kifu_state_hash(other), "%s", game->what);
}

// Something that comes too late, or too early, changes nothing.
static void send_others(game *game, const reader *reader, const kifu_stream_position *earlier)
{
    char *before = picture_of(reader->timeline);
    const kifu_stream_position at = kifu_followed(reader->timeline);
    kifu_changes changes = changes_of_game(game, earlier);
    if (!changes.whole && changes.size && earlier->commit > at.commit && earlier->stream == at.stream) {
        ck_assert_int_eq(apply(reader, &changes), KIFU_GAP);
        expect_picture(reader->timeline, before, game->what);
        must_be(same_positions(kifu_followed(reader->timeline), at));
    }
    if (!changes.whole && changes.size && at.stream && earlier->stream != at.stream)
        ck_assert_int_eq(apply(reader, &changes), KIFU_OTHER_STREAM);
    free(changes.bytes);
    free(before);
}

static void pass_on_to(game *game, reader *reader)
{
    if (draw(game, 12) == 0) {
        do_something(game, reader->timeline);
        reader->apart = true;
    }
    kifu_stream_position at = kifu_followed(game->followers[draw(game, FOLLOWERS)].timeline);
    if (draw(game, 4) == 0 && at.stream)
        send_others(game, reader, &at);
    char *before = picture_of(reader->timeline);
    at = kifu_followed(reader->timeline);
    kifu_changes changes = changes_of_game(game, &at);
    const kifu_result result = apply(reader, &changes);
    const kifu_error *error = kifu_last_error(reader->timeline);
    ck_assert_msg(!result || (reader->apart && result == KIFU_DIVERGED), "%s: %s", game->what, error->message);
    if (result) {
        const kifu_line one = line_of(game->timeline, kifu_current_line(game->timeline)),
                        other = line_of(reader->timeline, kifu_current_line(reader->timeline));
        ck_assert_msg(error->event == KIFU_NONE || error->event < one.from + one.count ||
                          error->event < other.from + other.count,
                      "%s: %s", game->what, error->message);
        if (same_positions(kifu_followed(reader->timeline),
                           at)) // Else commits before the one that is refused were taken.
            expect_picture(reader->timeline, before, game->what);
        must_get_whole(game, reader);
    } else if (!reader->apart || changes.whole) {
        reader->apart = false;
        expect_equal(game->timeline, reader->timeline, game->what);
    } else if (changes.size)
        expect_same_place(game, reader);
    free(changes.bytes);
    free(before);
}

static void play_one(uint64_t seed, uint32_t steps)
{
    game game = {.hooks = &NAME(CHANGES_GAME, _fuzz_hooks)};
    kifu_rng_seed(&game.rng, seed, 7);
    game.timeline = new_timeline(&game, &game.options);
    for (int i = 0; i < FOLLOWERS; i++)
        game.followers[i].timeline = new_timeline(&game, &game.followers[i].options);
    game.hooks->begin(game.timeline, &game.rng);
    kifu_result ignored = kifu_run(game.timeline);
    (void)ignored;
    for (uint32_t i = 0; i < steps; i++) {
        snprintf(game.what, sizeof game.what, "game %llu, step %u", (unsigned long long)seed, i);
        do_something(&game, game.timeline);
        if (draw(&game, 40) == 0)
            go_on_with_fork(&game);
        if (draw(&game, 2))
            pass_on_to(&game, &game.followers[draw(&game, FOLLOWERS)]);
    }
    must_get_whole(&game, &game.followers[0]);
    expect_equal_ways(game.timeline, game.followers[0].timeline);
    for (int i = 0; i < FOLLOWERS; i++) {
        kifu_destroy(game.followers[i].timeline);
        if (game.hooks->dispose)
            game.hooks->dispose(&game.followers[i].options);
    }
    kifu_destroy(game.timeline);
    if (game.hooks->dispose)
        game.hooks->dispose(&game.options);
}

START_TEST(B04_followers_of_random_games_are_the_same)
{
    const unsigned long games = fuzz_steps(600) / 20;
    for (unsigned long i = 0; i < games; i++)
        play_one(fuzz_seed() * 1000003 + i, (uint32_t)(i * 37 % 200));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {B04_followers_of_random_games_are_the_same};
    return run_suite("changes_games", tests, sizeof tests / sizeof *tests);
}
