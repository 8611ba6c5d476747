// Operations of forks and followers.

#include "step.h"

#include <kifu/forget.h>

static uint32_t count_notes(const kifu_timeline *timeline)
{
    uint32_t count = 0;
    for (kifu_note note = {0}; kifu_next_note(timeline, &note);)
        count++;
    return count;
}

// At the events of the current line, and before the first one.
static uint32_t count_notes_on_way(const kifu_timeline *timeline, bool past)
{
    uint32_t count = 0;
    for (kifu_note note = {0}; kifu_next_note(timeline, &note);) {
        const bool before = note.event == KIFU_BEFORE_FIRST;
        count += before || (past && note.event < kifu_event_count(timeline) &&
                            kifu_line_of_event(timeline, kifu_current_line(timeline), note.event) == note.line);
    }
    return count;
}

// A fork inside of transactions, or without a past: it is looked at, and freed. Nothing changes.
static void fork_here(walk *walk, bool past)
{
    const kifu_options options = walk_options(walk, walk->variations, walk->notes);
    kifu_timeline *fork;
    kifu_error error;
    walk_say(walk, "kifu_destroy(fork_of(timeline, %s, NULL));", past ? "KIFU_PRESENT" : "KIFU_WITHOUT_PAST");
    const kifu_result result =
        kifu_fork(walk->timeline, past ? KIFU_PRESENT : KIFU_WITHOUT_PAST, &options, &fork, &error);
    if (result == KIFU_MISUSE && walk->open && walk->game->triggers && !past) // Reactions wait for a commit.
        return;
    if (result)
        walk_fail("fork", "%s", error.message);
    if (kifu_event_count(fork) != kifu_event_count(walk->timeline) ||
        kifu_first_event(fork) != (past ? kifu_first_event(walk->timeline) : kifu_event_count(fork)))
        walk_fail("fork", "a fork has the events from %u to %u", kifu_first_event(fork), kifu_event_count(fork));
    if (kifu_state_hash(fork) != kifu_state_hash(walk->timeline))
        walk_fail("fork", "a fork is in another state");
    const uint32_t notes = count_notes(fork), wanted = count_notes_on_way(walk->timeline, past);
    if (notes != wanted)
        walk_fail("fork", "a fork has %u notes, and its events %u", notes, wanted);
    kifu_destroy(fork);
}

void walk_op_fork(walk *walk, const walk_op *op)
{
    if (walk->config.forks_more)
        fork_here(walk, walk->open && op->b % 2);
    if (walk->open) {
        walk_expect_notes(walk, "after a fork");
        return;
    }
    const walk_tree *tree = &walk->tree;
    const bool present = op->a % 2, other = !present && op->b % 2;
    const uint32_t line = other ? walk_nth(tree, op->a / 6) : tree->current;
    const uint32_t end = other ? tree->lines[line].end : tree->place;
    const uint32_t count = present ? KIFU_PRESENT : tree->first + op->b / 2 % (end - tree->first + 1);
    const kifu_options options = walk_options(walk, walk->variations, walk->notes);
    kifu_timeline *fork;
    kifu_error error;
    walk_arm(walk, op);
    if (other)
        walk_say(walk, "kifu_destroy(paste_fork(timeline, %u, %u));", line, count);
    else
        walk_say(walk, "kifu_destroy(fork_of(timeline, %u, NULL));", count);
    const kifu_result result = other ? kifu_fork_line(walk->timeline, line, count, &options, &fork, &error)
                                     : kifu_fork(walk->timeline, count, &options, &fork, &error);
    if (walk_disarm(walk) && result == KIFU_NO_MEMORY) {
        walk_expect_same(walk, "after a fork that was refused");
        return;
    }
    if (result)
        walk_fail("fork", "%s", error.message);
    walk_tree got;
    walk_see(fork, &got, "a fork");
    const uint32_t place = present ? tree->place : count;
    if (got.place != place || (present && got.waiting.count != tree->waiting.count) || (!present && got.waiting.count))
        walk_fail("fork", "a fork of %u events has %u, and %u proposals wait", place, got.place, got.waiting.count);
    for (uint32_t i = tree->first; i < place; i++) {
        const walk_event *own = walk_event_of(tree, line, i), *there = walk_event_of(&got, got.current, i);
        if (!there || !walk_same_event(own, there, tree->first))
            walk_fail("fork", "event %u of a fork is another one", i);
    }
    const walk_event *last = place > tree->first ? walk_event_of(tree, line, place - 1) : NULL;
    if (last && last->hashed && last->hash != got.hash)
        walk_fail("fork", "the state of a fork of %u events is not what it was", place);
    if (kifu_verify_replay(fork, NULL))
        walk_fail("fork", "a fork: %s", kifu_last_error(fork)->message);
    walk_expect_same(walk, "after a fork");
    if (op->a / 2 % 3) {
        walk_drop(&got);
        kifu_destroy(fork);
        return;
    }
    walk_say(walk, "// timeline = the fork;");
    got.hides = tree->hides;
    walk_drop(&walk->tree);
    walk->tree = got;
    walk_replace(walk, fork, walk->variations, walk->notes, "after a fork");
    walk_learn_hashes(walk, "a fork");
}

bool walk_changes_since(walk *walk, const walk_op *op, const kifu_stream_position *since, kifu_changes *changes)
{
    walk_arm(walk, op);
    const kifu_result result = kifu_changes_since(walk->timeline, since, changes);
    const bool starved = walk_disarm(walk);
    if (walk_has_no_root(walk, result, "kifu_changes_since"))
        return false;
    walk_expect(walk, "changes", !result || (starved && result == KIFU_NO_MEMORY), "kifu_changes_since", result);
    if (!result && walk->log_open)
        walk_log_is(walk, "a log file behind changes");
    else if (walk->log_open) // It has what happened, or not.
        walk_append(walk, &(walk_op){.fail = 0}, "a log file behind changes that were not made");
    walk_expect_same(walk, "after changes were made");
    return !result;
}

static void expect_unchanged(const walk_follower *follower, const walk_tree *before, const char *what)
{
    walk_tree after;
    walk_see(follower->timeline, &after, what);
    const char *why = walk_differs(before, &after);
    if (why)
        walk_fail("changes", "%s: %s", what, why);
    walk_drop(&after);
}

// What is refused changes nothing, and the same changes can be applied again.
static kifu_result apply(walk *walk, const walk_op *op, const walk_follower *follower, const kifu_changes *changes)
{
    const kifu_stream_position at = kifu_followed(follower->timeline);
    walk_tree before;
    walk_see(follower->timeline, &before, "a follower");
    if (op->a / FOLLOWERS % 8 == 1) { // Cut off somewhere.
        const size_t size = op->b % changes->size;
        const bool some = !kifu_apply_changes(follower->timeline, changes->bytes, size);
        if (some && (changes->whole || kifu_followed(follower->timeline).commit >= changes->until.commit))
            walk_fail("changes", "%zu bytes of %zu were applied", size, changes->size);
        if (!some) // Else whole commits of it are there.
            expect_unchanged(follower, &before, "a follower that got a part of changes");
    } else if (op->a / FOLLOWERS % 8 == 2) {
        changes->bytes[op->b % changes->size] ^= 1U << op->b % 8;
        const bool done = !kifu_apply_changes(follower->timeline, changes->bytes, changes->size);
        const kifu_stream_position now = kifu_followed(follower->timeline);
        if (done && memcmp(&now, &at, sizeof at)) // Else the follower takes them for changes that it has.
            walk_fail("changes", "changes with a wrong byte %zu were applied", op->b % changes->size);
        changes->bytes[op->b % changes->size] ^= 1U << op->b % 8;
        expect_unchanged(follower, &before, "a follower that got wrong changes");
    }
    const kifu_stream_position part = kifu_followed(follower->timeline);
    walk_arm(walk, op);
    kifu_result result = kifu_apply_changes(follower->timeline, changes->bytes, changes->size);
    if (walk_disarm(walk) && result == KIFU_NO_MEMORY) {
        const kifu_stream_position now = kifu_followed(follower->timeline);
        if (!memcmp(&now, &at, sizeof at) &&
            !memcmp(&part, &at, sizeof at)) // Of several commits, those before may have been taken.
            expect_unchanged(follower, &before, "a follower without memory");
        result = kifu_apply_changes(follower->timeline, changes->bytes, changes->size);
    }
    walk_drop(&before);
    return result;
}

// Some of the changes are lost on the way: then the follower says so. False if it is not where the game is.
static bool follow(walk *walk, const walk_op *op, const walk_follower *follower)
{
    const kifu_stream_position at = kifu_followed(follower->timeline);
    const bool alone = op->b % 8 == 3 && !kifu_pending_count(follower->timeline) && !kifu_undo(follower->timeline);
    kifu_stream_position since = op->b % 16 == 1 ? (kifu_stream_position){0} : at;
    kifu_changes changes;
    if (op->b % 16 == 2) {
        if (!walk_changes_since(walk, &(walk_op){.fail = 0}, &since, &changes))
            return false;
        kifu_free_bytes(walk->timeline, changes.bytes);
        since = changes.until;
    }
    if (!walk_changes_since(walk, op, &since, &changes)) {
        if (alone && kifu_redo(follower->timeline)) // Without changes, nothing would tell it that it is elsewhere.
            walk_fail("changes", "a follower's redo: %s", kifu_last_error(follower->timeline)->message);
        return false;
    }
    const bool lost = memcmp(&since, &at, sizeof at) && op->b % 16 != 1;
    if (!changes.size && !alone && !lost)
        return true;
    kifu_result result = changes.size ? apply(walk, op, follower, &changes) : KIFU_GAP;
    if (!result && kifu_apply_changes(follower->timeline, changes.bytes, changes.size) && !changes.whole)
        walk_fail("changes", "the same once more: %s", kifu_last_error(follower->timeline)->message);
    const bool gap = lost && (result == KIFU_GAP || result == KIFU_OTHER_STREAM),
               parted = result == KIFU_DIVERGED && alone;
    if (result && !gap && !parted && changes.size)
        walk_fail("changes", "a follower: %s", kifu_last_error(follower->timeline)->message);
    kifu_free_bytes(walk->timeline, changes.bytes);
    if (!gap && !parted && changes.size)
        return true;
    since = gap ? kifu_followed(follower->timeline) : (kifu_stream_position){0};
    if (!walk_changes_since(walk, &(walk_op){.fail = 0}, &since, &changes))
        return false;
    if (changes.size && kifu_apply_changes(follower->timeline, changes.bytes, changes.size))
        walk_fail("changes", "a follower, after what it missed: %s", kifu_last_error(follower->timeline)->message);
    kifu_free_bytes(walk->timeline, changes.bytes);
    return true;
}

// One of the followers has a log file of its own. False: this one has none.
static bool has_log(const walk *walk, const walk_follower *follower, char path[220])
{
    snprintf(path, 220, "%s.followed", walk->path);
    return follower == &walk->followers[FOLLOWERS - 1] && !walk->config.no_root;
}

void walk_close_followers(walk *walk)
{
    for (uint32_t i = 0; i < FOLLOWERS; i++) {
        kifu_destroy(walk->followers[i].timeline);
        walk->followers[i].timeline = NULL;
    }
    walk_close_watchers(walk);
}

static void open_log(const walk *walk, const walk_follower *follower)
{
    char path[220];
    if (has_log(walk, follower, path) &&
        kifu_log_open(follower->timeline, path, &(kifu_save_options){.overwrite = true}))
        walk_fail("changes", "a follower's log file: %s", kifu_last_error(follower->timeline)->message);
}

static void check_log(walk *walk, const walk_follower *follower, const walk_tree *seen)
{
    char path[220];
    if (!has_log(walk, follower, path))
        return;
    if (kifu_log_append(follower->timeline))
        walk_fail("changes", "a follower's log file: %s", kifu_last_error(follower->timeline)->message);
    const walk_load load = {
        .path = path, .recover = true, .variations = walk->variations, .notes = follower->notes && walk->notes};
    walk_check_load(walk, walk_loaded(walk, &load, "a follower's log file"), seen, "a follower's log file");
}

void walk_op_follow(walk *walk, const walk_op *op)
{
    if (walk->open)
        return;
    walk_follower *follower = &walk->followers[op->a % FOLLOWERS];
    kifu_error error;
    if (!follower->timeline) {
        follower->variations = op->a % FOLLOWERS != 1 && walk->variations;
        follower->notes = walk->notes;
        const kifu_options options = walk_options(walk, follower->variations, follower->notes);
        if (kifu_create(walk->game->rules, &options, &follower->timeline, &error))
            walk_fail("changes", "%s", error.message);
        open_log(walk, follower);
    } else if (op->b % 16 == 0) { // It was loaded, and has lost its place in the stream.
        unsigned char *bytes;
        size_t size;
        const kifu_options options = walk_options(walk, follower->variations, follower->notes);
        if (kifu_save_to_memory(follower->timeline, NULL, &bytes, &size))
            walk_fail("changes", "a follower's save: %s", kifu_last_error(follower->timeline)->message);
        kifu_timeline *loaded;
        if (kifu_load_from_memory(walk->game->rules, bytes, size, &options, NULL, &loaded, &error))
            walk_fail("changes", "a follower's save: %s", error.message);
        kifu_free_bytes(follower->timeline, bytes);
        kifu_destroy(follower->timeline);
        follower->timeline = loaded;
        open_log(walk, follower);
    }
    walk_say(walk, "// follower %u: changes%s", op->a % FOLLOWERS, op->b % 16 == 1 ? " of all" : "");
    if (!follow(walk, op, follower))
        return;
    walk_tree seen = walk_seen_by(&walk->tree, walk->variations, follower->notes && walk->notes), got;
    walk_see(follower->timeline, &got, "a follower");
    const char *why = walk_differs(&seen, &got);
    if (why)
        walk_fail("changes", "a follower: %s", why);
    walk_drop(&got);
    check_log(walk, follower, &seen);
    walk_drop(&seen);
    walk_expect_same(walk, "after changes");
}
