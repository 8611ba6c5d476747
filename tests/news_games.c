// Random games of one example (NEWS_GAME), played by the hooks of its fuzzer. Others follow it by its news, after
// random numbers of changes, and are the same then. Where they have gone their own way, the news are refused.

#include <stdio.h>

#include <kifu/news.h>

#include "kifu_fuzz.h"
#include "news_help.h"
#include "suite.h"

#define JOIN(a, b) a##b
#define NAME(game, what) JOIN(game, what)

extern const kifu_rules NAME(NEWS_GAME, _rules);
extern const kifu_fuzz_hooks NAME(NEWS_GAME, _fuzz_hooks);

enum { FOLLOWERS = 3 };

typedef struct follower {
    kifu_timeline *timeline;
    kifu_options options;
    uint64_t at; // It has had the news up to this change.
    bool apart;  // It has done something itself since.
} follower;

typedef struct game {
    kifu_rng rng;
    const kifu_fuzz_hooks *hooks;
    kifu_timeline *timeline;
    kifu_options options;
    follower followers[FOLLOWERS];
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
    ck_assert_int_eq(kifu_create(&NAME(NEWS_GAME, _rules), options, &timeline, NULL), KIFU_OK);
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

// The fork goes on in its place. It counts anew.
static void go_on_with_fork(game *game)
{
    kifu_timeline *fork;
    const kifu_options *options = &game->options;
    if (kifu_fork(game->timeline, KIFU_PRESENT, options, &fork, NULL))
        return;
    kifu_destroy(game->timeline);
    game->timeline = fork;
    for (int i = 0; i < FOLLOWERS; i++)
        game->followers[i].at = 0;
}

// --- The news --------------------------------------------------------------------------------------------------------

// Not where a copy of the state is shown, and not inside a transaction: so everything can be compared.
static kifu_result pass_on(game *game, follower *follower, uint64_t since)
{
    unsigned char *bytes;
    size_t size;
    const bool past = draw(game, 8) == 0; // The news are of the present all the same.
    if (past)
        ck_assert_int_eq(kifu_seek(game->timeline, draw(game, kifu_event_count(game->timeline) + 1)), KIFU_OK);
    ck_assert_msg(!kifu_news_since(game->timeline, since, &bytes, &size), "%s: %s", game->what,
                  kifu_last_error(game->timeline)->message);
    if (past)
        ck_assert_int_eq(kifu_seek(game->timeline, KIFU_PRESENT), KIFU_OK);
    const kifu_result result = kifu_apply_news(follower->timeline, bytes, size);
    kifu_free_bytes(game->timeline, bytes);
    if (!result) {
        follower->at = kifu_change_count(game->timeline);
        follower->apart = false;
        expect_equal(game->timeline, follower->timeline, game->what);
    }
    return result;
}

// It is what it was before, and the event is the first that differs. Where the news do not say more, it is one not
// behind it; or the first that is missing here, for news that begin later.
static void expect_refused(game *game, follower *follower, const char *before)
{
    const kifu_error *error = kifu_last_error(follower->timeline);
    const uint32_t event = first_difference(game->timeline, follower->timeline);
    const bool range = strstr(error->message, "one of the events") != NULL;
    ck_assert_msg(follower->apart, "%s: %s", game->what, error->message);
    ck_assert_msg(error->result == KIFU_DIVERGED, "%s: %s", game->what, error->message);
    const bool behind = strstr(error->message, "here are only") != NULL;
    ck_assert_msg((error->event <= event || behind) && (error->event >= event || range), "%s: event %u: %s", game->what,
                  event, error->message);
    expect_picture(follower->timeline, before, game->what);
    ck_assert_msg(!pass_on(game, follower, 0), "%s: %s", game->what, kifu_last_error(follower->timeline)->message);
}

static void follow(game *game, follower *follower)
{
    if (draw(game, 12) == 0) {
        do_something(game, follower->timeline);
        follower->apart = true;
    }
    char *before = picture_of(follower->timeline);
    const uint32_t event = first_difference(game->timeline, follower->timeline);
    const bool own = event < follower->timeline->log.branch->end;
    const uint32_t length = follower->timeline->log.branch->end;
    const bool at_all = follower->at != 0;
    const kifu_result result = pass_on(game, follower, follower->at);
    if (result)
        expect_refused(game, follower, before);
    else if (at_all && own)
        ck_assert_msg(!follower->apart, "%s: event %u of %u was lost", game->what, event, length);
    free(before);
}

static void play_one(uint64_t seed, uint32_t steps)
{
    game game = {.hooks = &NAME(NEWS_GAME, _fuzz_hooks)};
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
            follow(&game, &game.followers[draw(&game, FOLLOWERS)]);
    }
    ck_assert_int_eq(pass_on(&game, &game.followers[0], 0), KIFU_OK);
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
    return run_suite("news_games", tests, sizeof tests / sizeof *tests);
}
