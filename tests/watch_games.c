// Random games of one example (WATCH_GAME), played by the hooks of its fuzzer. A watcher of a spectator and of each of
// the first two players follows with every step: it has the masked state, and the same events without what is hidden.
// Some predict the input that comes.

#include <stdio.h>

#include <kifu/watch.h>

#include "core/timeline.h"
#include "history_help.h"
#include "kifu_fuzz.h"
#include "seen/seen.h"
#include "suite.h"

#define JOIN(a, b) a##b
#define NAME(game, what) JOIN(game, what)

extern const kifu_rules NAME(WATCH_GAME, _rules);
extern const kifu_fuzz_hooks NAME(WATCH_GAME, _fuzz_hooks);

enum { WATCHERS = 3 };

typedef struct game {
    kifu_rng rng;
    const kifu_fuzz_hooks *hooks;
    kifu_timeline *timeline;
    kifu_options options;
    const kifu_rules *rules[WATCHERS];
    kifu_timeline *watchers[WATCHERS];
    kifu_options own[WATCHERS];
    kifu_buffer message;
    uint32_t predicted, confirmed;
    char what[80];
} game;

static uint32_t draw(game *game, uint32_t below)
{
    return kifu_rng_below(&game->rng, below);
}

static kifu_timeline *new_timeline(const game *game, const kifu_rules *rules, kifu_options *options)
{
    kifu_timeline *timeline;
    *options = (kifu_options){.quiet = true, .hash_interval = 16, .from_state = kifu_begin_from_state};
    if (game->hooks->options)
        game->hooks->options(options);
    ck_assert_int_eq(kifu_create(rules, options, &timeline, NULL), KIFU_OK);
    return timeline;
}

// --- What is seen ----------------------------------------------------------------------------------------------------

static void add_events(const kifu_timeline *timeline, kifu__blob *blob, bool sees)
{
    kifu_event event;
    kifu__build_anew(blob, &timeline->memory);
    for (uint32_t i = kifu_first_event(timeline); kifu_event_at(timeline, i, &event); i++)
        kifu__add_event(blob, timeline->rules, &event, sees);
    must_be(!blob->result);
}

// The masked state, and the same events. Fields of events that this viewer does not see are compared elsewhere.
static void expect_seen(const game *game, int i)
{
    static uint64_t masked[1 << 13];
    kifu_timeline *watcher = game->watchers[i];
    must_be(game->timeline->rules->state_size <= sizeof masked);
    kifu__mask(game->timeline->rules, kifu_state(game->timeline), i - 1, masked);
    ck_assert_msg(!memcmp(masked, kifu_state(watcher), game->timeline->rules->state_size), "%s, viewer %d", game->what,
                  i - 1);
    ck_assert_uint_eq(kifu_event_count(watcher), kifu_event_count(game->timeline));
    ck_assert_uint_eq(kifu_watched(watcher), kifu_event_count(game->timeline));
    kifu__blob one = {0}, other = {0};
    if (kifu_first_event(watcher) == kifu_first_event(game->timeline)) {
        add_events(game->timeline, &one, false);
        add_events(watcher, &other, false);
        must_be(one.size == other.size && !memcmp(one.bytes, other.bytes, one.size));
    }
    kifu__free(&game->timeline->memory, one.bytes);
    kifu__free(&watcher->memory, other.bytes);
}

static void tell(game *game, int i, uint32_t from, kifu_seen_how how)
{
    must(game->timeline, kifu_seen_since(game->timeline, i - 1, from, how, &game->message));
    kifu_result result = kifu_watch(game->watchers[i], game->message.data, game->message.size);
    if (result == KIFU_GAP && from < kifu_first_event(game->watchers[i])) { // It has joined behind that.
        must(game->timeline, kifu_seen_since(game->timeline, i - 1, from, KIFU_SEEN_WHOLE, &game->message));
        result = kifu_watch(game->watchers[i], game->message.data, game->message.size);
    }
    ck_assert_msg(!result, "%s, viewer %d: %s", game->what, i - 1, kifu_last_error(game->watchers[i])->message);
    expect_seen(game, i);
}

static void tell_all(game *game, uint32_t from, kifu_seen_how how)
{
    for (int i = 0; i < WATCHERS; i++)
        tell(game, i, from, how);
}

// --- What happens ----------------------------------------------------------------------------------------------------

static void submit_something(const game *game, kifu_timeline *timeline, kifu_rng *rng)
{
    kifu_moves moves = {0};
    if (game->hooks->input) {
        game->hooks->input(timeline, rng);
        return;
    }
    const int player = kifu_current_player(kifu_get_game(timeline));
    ck_assert_int_eq(kifu_list_moves(timeline, player, &moves), KIFU_OK);
    if (moves.count)
        kifu_submit_move(timeline, &moves.items[kifu_rng_below(rng, moves.count)]);
    kifu_free_moves(&moves);
}

// The watchers play it first, and some play one that does not come.
static void play(game *game)
{
    const kifu_rng rng = game->rng;
    kifu_turn turn;
    kifu_result ignored = KIFU_OK;
    for (int i = 0; i < WATCHERS && !game->hooks->decide; i++) {
        kifu_rng own = rng;
        const uint32_t before = kifu_event_count(game->watchers[i]);
        if (draw(game, 4) == 0)
            (void)kifu_rng_next(&own);
        submit_something(game, game->watchers[i], &own);
        ignored = kifu_run(game->watchers[i]);
        (void)kifu_drop_inputs(game->watchers[i]);
        game->predicted += kifu_event_count(game->watchers[i]) - before;
    }
    if (game->hooks->decide && draw(game, 3))
        ignored = kifu_take_turn(game->timeline, game->hooks->decide, &game->rng, &turn);
    else {
        game->rng = rng;
        submit_something(game, game->timeline, &game->rng);
    }
    ignored = kifu_run(game->timeline);
    (void)kifu_drop_inputs(game->timeline);
    (void)ignored;
}

static void transact(game *game)
{
    static const unsigned kinds[] = {0, KIFU_DEFERRED};
    kifu_result ignored = kifu_begin(game->timeline, kinds[draw(game, 2)]);
    for (uint32_t i = draw(game, 4); i > 0 && !ignored; i--) {
        submit_something(game, game->timeline, &game->rng);
        if (kifu_run(game->timeline))
            (void)kifu_drop_inputs(game->timeline);
    }
    if (!ignored && (draw(game, 2) || kifu_commit(game->timeline)))
        ignored = kifu_roll_back(game->timeline);
    ignored = kifu_run(game->timeline);
    (void)ignored;
}

static void go_on_with_fork(game *game)
{
    kifu_timeline *fork;
    if (kifu_fork(game->timeline, KIFU_PRESENT, &game->options, &fork, NULL))
        return;
    kifu_destroy(game->timeline);
    game->timeline = fork;
}

static void go_on_with_load(game *game, int i)
{
    kifu_timeline *watcher = game->watchers[i], *loaded;
    unsigned char *bytes;
    size_t size;
    kifu_error error;
    must(watcher, kifu_verify_replay(watcher, NULL));
    must(watcher, kifu_save_to_memory(watcher, NULL, &bytes, &size));
    const kifu_result result = kifu_load_from_memory(game->rules[i], bytes, size, &game->own[i], NULL, &loaded, &error);
    ck_assert_msg(!result, "%s: %s", game->what, error.message);
    kifu_free_bytes(watcher, bytes);
    kifu_destroy(watcher);
    game->watchers[i] = loaded;
    expect_seen(game, i);
}

static void do_something(game *game)
{
    const uint32_t before = kifu_event_count(game->timeline);
    switch (draw(game, 14)) {
    case 0:
    case 1:
        if (!kifu_undo(game->timeline))
            tell_all(game, kifu_event_count(game->timeline), KIFU_SEEN_UNDONE);
        break;
    case 2:
    case 3:
        if (!kifu_redo(game->timeline))
            tell_all(game, before, KIFU_SEEN_REDONE);
        break;
    case 4:
        transact(game);
        tell_all(game, before, KIFU_SEEN_PLAYED);
        break;
    case 5:
        go_on_with_fork(game);
        break;
    case 6:
        go_on_with_load(game, (int)draw(game, WATCHERS));
        break;
    case 7:
        tell(game, (int)draw(game, WATCHERS), draw(game, before + 1), KIFU_SEEN_WHOLE);
        break;
    default:
        play(game);
        tell_all(game, before, KIFU_SEEN_PLAYED);
    }
}

static void play_one(uint64_t seed, uint32_t steps)
{
    game game = {.hooks = &NAME(WATCH_GAME, _fuzz_hooks)};
    kifu_rng_seed(&game.rng, seed, 7);
    game.timeline = new_timeline(&game, &NAME(WATCH_GAME, _rules), &game.options);
    for (int i = 0; i < WATCHERS; i++) {
        game.rules[i] = kifu_watch_rules(&NAME(WATCH_GAME, _rules), i - 1);
        game.watchers[i] = new_timeline(&game, game.rules[i], &game.own[i]);
    }
    game.hooks->begin(game.timeline, &game.rng);
    kifu_result ignored = kifu_run(game.timeline);
    (void)ignored;
    tell_all(&game, 0, KIFU_SEEN_WHOLE);
    for (uint32_t i = 0; i < steps; i++) {
        snprintf(game.what, sizeof game.what, "game %llu, step %u", (unsigned long long)seed, i);
        do_something(&game);
    }
    for (int i = 0; i < WATCHERS; i++) {
        kifu_destroy(game.watchers[i]);
        kifu_free_watch_rules(game.rules[i]);
        if (game.hooks->dispose)
            game.hooks->dispose(&game.own[i]);
    }
    kifu_free_buffer(&game.message);
    kifu_destroy(game.timeline);
    if (game.hooks->dispose)
        game.hooks->dispose(&game.options);
}

START_TEST(W02_W04_watchers_of_random_games_have_what_they_may_see)
{
    const unsigned long games = fuzz_steps(600) / 20;
    for (unsigned long i = 0; i < games; i++)
        play_one(fuzz_seed() * 1000003 + i, (uint32_t)(i * 37 % 200));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {W02_W04_watchers_of_random_games_have_what_they_may_see};
    return run_suite("watch_games", tests, sizeof tests / sizeof *tests);
}
