// page_game_reversi SEED STEPS FILE [LINES [log]]: saves a random game of one example (PAGE_GAME), played by the hooks
// of its fuzzer; with so many variations, and notes here and there; to a log file, which is not closed.

#include <stdio.h>
#include <stdlib.h>

#include "random_game.h"

#define JOIN(a, b) a##b
#define NAME(game, what) JOIN(game, what)

extern const kifu_rules NAME(PAGE_GAME, _rules);
extern const kifu_fuzz_hooks NAME(PAGE_GAME, _fuzz_hooks);

static kifu_result play(kifu_timeline *timeline, kifu_rng *rng, long steps)
{
    const kifu_fuzz_hooks *hooks = &NAME(PAGE_GAME, _fuzz_hooks);
    hooks->begin(timeline, rng);
    const kifu_result result = kifu_run(timeline);
    for (long i = 0; i < steps && !result; i++)
        do_something(timeline, hooks, rng);
    return result;
}

static kifu_result annotate(kifu_timeline *timeline, kifu_rng *rng)
{
    static const char *const glyphs[] = {"!", "?", "!?", "??"};
    static const char *const words[] = {"Better was something else.", "Two lines\nof \"words\" <b>& signs</b>",
                                        "</script><script>window.hacked = 1</script>\xe5\x85\x88"};
    const uint32_t event = kifu_event_count(timeline) - 1;
    kifu_result result = KIFU_OK;
    if (kifu_rng_below(rng, 3) == 0)
        result = kifu_set_note(timeline, event, KIFU_NOTE_GLYPH, glyphs[kifu_rng_below(rng, 4)]);
    if (!result && kifu_rng_below(rng, 4) == 0)
        result = kifu_set_note(timeline, event, KIFU_NOTE_COMMENT, words[kifu_rng_below(rng, 3)]);
    if (!result && kifu_rng_below(rng, 20) == 0)
        result = kifu_set_note_bytes(timeline, kifu_current_line(timeline), event, "picture", "\0\1\2", 3);
    return result;
}

// Goes somewhere, and plays on from there.
static kifu_result vary(kifu_timeline *timeline, kifu_rng *rng, uint32_t count, bool logged)
{
    kifu_result result = kifu_set_note(timeline, KIFU_BEFORE_FIRST, KIFU_NOTE_COMMENT, "A random game & its lines");
    for (uint32_t tries = 20 * count; kifu_line_count(timeline) <= count && tries && !result; tries--) {
        kifu_line line;
        (void)kifu_line_at(timeline, kifu_rng_below(rng, kifu_line_count(timeline)), &line);
        result = kifu_drop_inputs(timeline);
        if (!result)
            result = kifu_go_to(timeline, line.id, kifu_rng_below(rng, line.from + line.count + 1), true);
        for (uint32_t i = kifu_rng_below(rng, 8); i > 0 && !result; i--) {
            do_something(timeline, &NAME(PAGE_GAME, _fuzz_hooks), rng);
            result = kifu_event_count(timeline) ? annotate(timeline, rng) : KIFU_OK;
        }
        if (!result && logged)
            result = kifu_log_append(timeline);
    }
    return result;
}

int main(int argc, char **argv)
{
    static const char *const players[] = {"Ann", "Bob"};
    const kifu_fuzz_hooks *hooks = &NAME(PAGE_GAME, _fuzz_hooks);
    const kifu_save_options how = {.title = "A random game", .players = players, .player_count = 2};
    kifu_options options = {.quiet = true};
    kifu_timeline *timeline;
    kifu_error error;
    kifu_rng rng;
    const bool logged = argc > 5;
    if (argc < 4)
        return 2;
    if (argc > 4) {
        options.keep_variations = kifu_keep_variations;
        options.keep_notes = kifu_keep_notes;
    }
    kifu_rng_seed(&rng, strtoull(argv[1], NULL, 10), 7);
    if (hooks->options)
        hooks->options(&options);
    kifu_result result = kifu_create(&NAME(PAGE_GAME, _rules), &options, &timeline, &error);
    if (!result)
        result = play(timeline, &rng, strtol(argv[2], NULL, 10));
    if (!result && logged)
        result = kifu_log_open(timeline, argv[3], &how);
    if (!result && argc > 4)
        result = vary(timeline, &rng, (uint32_t)strtoul(argv[4], NULL, 10), logged);
    if (!result && logged)
        _Exit(0); // It is killed.
    if (!result)
        result = kifu_save(timeline, argv[3], &how);
    if (result)
        fprintf(stderr, "%s\n", timeline ? kifu_last_error(timeline)->message : error.message);
    kifu_destroy(timeline);
    if (hooks->dispose)
        hooks->dispose(&options);
    return result ? 1 : 0;
}
