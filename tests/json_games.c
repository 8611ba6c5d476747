// Random games of one example (JSON_GAME), played by the hooks of its fuzzer, become JSON and saves and come back.

#include "random_game.h"
#include "there_and_back.h"

#define JOIN(a, b) a##b
#define NAME(game, what) JOIN(game, what)

extern const kifu_rules NAME(JSON_GAME, _rules);
extern const kifu_fuzz_hooks NAME(JSON_GAME, _fuzz_hooks);

// Goes to any place of any line, promotes or deletes one, or writes a note.
static void vary(kifu_timeline *timeline, kifu_rng *rng)
{
    kifu_line line;
    ck_assert(kifu_line_at(timeline, kifu_rng_below(rng, kifu_line_count(timeline)), &line));
    const uint32_t what = kifu_rng_below(rng, 12), end = line.from + line.count, count = kifu_rng_below(rng, end + 1);
    kifu_result ignored = KIFU_OK;
    if (what < 6)
        ignored = kifu_go_to(timeline, line.id, count, true);
    else if (what == 6)
        ignored = kifu_promote_line(timeline, line.id);
    else if (what == 7)
        ignored = kifu_delete_line(timeline, line.id);
    else if (what == 8)
        ignored = kifu_set_note_bytes(timeline, line.id, count, "a \"key\"", "\0\1\2", kifu_rng_below(rng, 4));
    else
        ignored =
            kifu_set_line_note(timeline, line.id, what == 9 ? KIFU_BEFORE_FIRST : count,
                               what < 11 ? KIFU_NOTE_COMMENT : KIFU_NOTE_GLYPH, what < 11 ? "\xc3\xa4\n\"!\"" : "");
    (void)ignored;
}

static void play_one(uint64_t seed, uint32_t steps)
{
    const kifu_fuzz_hooks *hooks = &NAME(JSON_GAME, _fuzz_hooks);
    static const char *const players[] = {"Ann \"the\" \xc3\xa4", "Bob"};
    kifu_rng rng;
    kifu_rng_seed(&rng, seed, 7);
    kifu_options options = {.quiet = true, .hash_interval = 1 + kifu_rng_below(&rng, 40)};
    const bool varied = kifu_rng_below(&rng, 2);
    options.keep_variations = varied ? kifu_keep_variations : NULL;
    options.keep_notes = varied ? kifu_keep_notes : NULL;
    const bool forgets = kifu_rng_below(&rng, 3) == 0;
    options.from_state = forgets ? kifu_begin_from_state : NULL;
    if (hooks->options)
        hooks->options(&options);
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_int_eq(kifu_create(&NAME(JSON_GAME, _rules), &options, &timeline, &error), KIFU_OK);
    hooks->begin(timeline, &rng);
    kifu_result ignored = kifu_run(timeline);
    for (uint32_t i = 0; i < steps; i++) {
        do_something(timeline, hooks, &rng);
        if (varied && kifu_rng_below(&rng, 4) == 0)
            vary(timeline, &rng);
        if (forgets && kifu_rng_below(&rng, 16) == 0)
            ignored = kifu_forget(timeline, kifu_rng_below(&rng, kifu_event_count(timeline) + 1));
    }
    for (uint32_t i = kifu_rng_below(&rng, 3); i > 0; i--)
        ignored = kifu_undo(timeline);
    if (kifu_rng_below(&rng, 2))
        submit_something(timeline, hooks, &rng);
    (void)ignored;
    const kifu_save_options how = {
        .title = kifu_rng_below(&rng, 2) ? "A game" : NULL,
        .players = players,
        .player_count = kifu_rng_below(&rng, 3),
        .thumbnail = "\0\1\2\3",
        .thumbnail_size = kifu_rng_below(&rng, 5),
        .without_snapshot = kifu_rng_below(&rng, 4) == 0,
    };
    there_and_back(timeline, &how);
    kifu_destroy(timeline);
    if (hooks->dispose)
        hooks->dispose(&options);
}

// 10,000 games in `./dev fuzz`.
START_TEST(B06_M03_random_games_go_there_and_back)
{
    const unsigned long games = fuzz_steps(400) / 10;
    for (unsigned long i = 0; i < games; i++)
        play_one(fuzz_seed() * 1000003 + i, (uint32_t)(i * 37 % 120));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {B06_M03_random_games_go_there_and_back};
    return run_suite("json_games", tests, sizeof tests / sizeof *tests);
}
