// A follower whose rules are others than its leader's: one event, which it has not executed yet, has another Do
// function there. What it refuses leaves nothing behind, and what it saves it can load, whatever it does by itself.

#include "step.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct saved {
    unsigned char *bytes;
    size_t size;
    time_t when;
} saved;

static saved save_of(kifu_timeline *copy)
{
    saved saved = {.when = time(NULL)};
    if (kifu_save_to_memory(copy, NULL, &saved.bytes, &saved.size))
        walk_fail("other_rules", "a follower's save: %s", kifu_last_error(copy)->message);
    return saved;
}

static void stay_there(void *user)
{
    (void)user;
}

// It loads by the follower's rules.
static void expect_loads(const walk *walk, kifu_timeline *copy, const kifu_options *options, const char *what)
{
    kifu_timeline *loaded;
    kifu_error error;
    const saved save = save_of(copy);
    walk_differ(true);
    if (kifu_load_from_memory(walk->game->rules, save.bytes, save.size, options, NULL, &loaded, &error))
        walk_fail("other_rules", "the save of a follower %s: %s", what, error.message);
    walk_differ(false);
    if (kifu_state_hash(loaded) != kifu_state_hash(copy))
        walk_fail("other_rules", "the save of a follower %s has another state", what);
    kifu_destroy(loaded);
    kifu_free_bytes(copy, save.bytes);
}

// An event of any line, of which the game has none like it behind it.
static bool pick_event(const walk *walk, uint32_t a, uint32_t b)
{
    const walk_tree *tree = &walk->tree;
    const uint32_t line = walk_nth(tree, a), from = tree->lines[line].from, end = tree->lines[line].end;
    const uint32_t number = from < end ? from + b % (end - from) : 0;
    const walk_event *event = from < end ? walk_event_of(tree, line, number) : NULL;
    const walk_event *happened = number < tree->place ? walk_event_of(tree, tree->current, number) : NULL;
    return event && !(happened && happened->content == event->content) && walk_differs_at(walk, number, event);
}

// False: it was refused, and all is as it was.
static bool follow_on(walk *walk, kifu_timeline *copy)
{
    const kifu_stream_position at = kifu_followed(copy);
    kifu_changes changes;
    if (!walk_changes_since(walk, &(walk_op){.fail = 0}, &at, &changes))
        return false;
    const saved before = save_of(copy);
    walk_differ(true);
    const kifu_result result = changes.size ? kifu_apply_changes(copy, changes.bytes, changes.size) : KIFU_OK;
    walk_differ(false);
    if (result && result != KIFU_DIVERGED && result != KIFU_FAILED)
        walk_fail("other_rules", "changes: %s", kifu_last_error(copy)->message);
    const saved after = save_of(copy);
    if (result && before.when == after.when && // It says when it was saved.
        (before.size != after.size || memcmp(before.bytes, after.bytes, before.size)))
        walk_fail("other_rules", "changes that were refused have left something behind: %zu bytes and %zu", before.size,
                  after.size);
    kifu_free_bytes(copy, before.bytes);
    kifu_free_bytes(copy, after.bytes);
    kifu_free_bytes(walk->timeline, changes.bytes);
    return !result;
}

static void lead(walk *walk, const walk_op *op, uint32_t how)
{
    if (how == 0)
        walk_op_redo(walk, op);
    else if (how == 1)
        walk_op_undo(walk, op);
    else if (how == 2)
        walk_op_submit_run(walk, op);
    else
        walk_op_go_to(walk, op);
}

// By itself.
static void go_somewhere(kifu_timeline *copy, uint32_t a, uint32_t b)
{
    kifu_line line;
    walk_differ(true);
    if (b % 3 && kifu_line_at(copy, a % kifu_line_count(copy), &line))
        (void)!kifu_go_to(copy, line.id,
                          b % 3 == 1 ? line.from + line.count : kifu_first_event(copy) + b / 3 % (line.count + 1),
                          true);
    else {
        while (kifu_can_redo(copy, NULL) && (!kifu_redo(copy) || kifu_last_error(copy)->result == KIFU_DIVERGED))
            ;
    }
    walk_differ(false);
}

void walk_other_rules(walk *walk, const walk_op *op)
{
    kifu_options options = walk_options(walk, walk->variations, walk->notes);
    kifu_timeline *copy;
    kifu_error error;
    kifu_changes changes;
    kifu_rng rng;
    kifu_rng_seed(&rng, op->a, op->b);
    if (walk->config.no_root || !pick_event(walk, kifu_rng_next(&rng), kifu_rng_next(&rng)))
        return;
    walk_say(walk, "// A follower with other rules:");
    options.hash_interval = kifu_rng_below(&rng, 3) * 2; // 0: as usual.
    // Tally has no transactions in its Do functions.
    const bool may_reset = walk->game == walk_games && !options.sync_test && !kifu_first_event(walk->timeline);
    options.reset = kifu_rng_below(&rng, 2) && may_reset ? stay_there : NULL;
    if (kifu_create(walk->game->rules, &options, &copy, &error))
        walk_fail("other_rules", "%s", error.message);
    bool follows = walk_changes_since(walk, &(walk_op){.fail = 0}, NULL, &changes);
    if (follows && kifu_apply_changes(copy, changes.bytes, changes.size))
        walk_fail("other_rules", "the whole game: %s", kifu_last_error(copy)->message);
    if (follows)
        kifu_free_bytes(walk->timeline, changes.bytes);
    for (int i = 0; follows && i < 4; i++) {
        const uint32_t how = kifu_rng_below(&rng, 5);
        lead(walk, &(walk_op){.a = kifu_rng_next(&rng), .b = kifu_rng_next(&rng)}, how);
        follows = follow_on(walk, copy);
        expect_loads(walk, copy, &options, "with other rules");
    }
    for (int i = 0; i < 4; i++) {
        const uint32_t a = kifu_rng_next(&rng);
        go_somewhere(copy, a, kifu_rng_next(&rng));
        expect_loads(walk, copy, &options, "with other rules that has gone elsewhere");
    }
    kifu_destroy(copy);
}
