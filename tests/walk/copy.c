// Operations of forks and followers.

#include "step.h"

void walk_op_fork(walk *walk, const walk_op *op)
{
    if (walk->open)
        return;
    const walk_tree *tree = &walk->tree;
    const bool present = op->a % 2;
    const uint32_t count = present ? KIFU_PRESENT : tree->first + op->b % (tree->place - tree->first + 1);
    const kifu_options options = walk_options(walk, walk->variations, walk->notes);
    kifu_timeline *fork;
    kifu_error error;
    walk_arm(walk, op);
    walk_say(walk, "kifu_destroy(fork_of(timeline, %u, NULL));", count);
    const kifu_result result = kifu_fork(walk->timeline, count, &options, &fork, &error);
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
        const walk_event *own = walk_event_of(tree, tree->current, i), *there = walk_event_of(&got, got.current, i);
        if (!there || !walk_same_event(own, there, tree->first))
            walk_fail("fork", "event %u of a fork is another one", i);
    }
    const walk_event *last = place > tree->first ? walk_event_of(tree, tree->current, place - 1) : NULL;
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

void walk_op_follow(walk *walk, const walk_op *op)
{
    if (walk->open || walk->tree.first)
        return;
    walk_follower *follower = &walk->followers[op->a % FOLLOWERS];
    kifu_error error;
    if (!follower->timeline) {
        follower->variations = op->a % FOLLOWERS != 1 && walk->variations;
        follower->notes = walk->notes;
        const kifu_options options = walk_options(walk, follower->variations, follower->notes);
        if (kifu_create(walk->game->rules, &options, &follower->timeline, &error))
            walk_fail("news", "%s", error.message);
        follower->sent = 0;
    } else if (op->b % 16 == 0) { // It was loaded, and knows its place.
        unsigned char *bytes;
        size_t size;
        const kifu_options options = walk_options(walk, follower->variations, follower->notes);
        if (kifu_save_to_memory(follower->timeline, NULL, &bytes, &size))
            walk_fail("news", "a follower's save: %s", kifu_last_error(follower->timeline)->message);
        kifu_timeline *loaded;
        if (kifu_load_from_memory(walk->game->rules, bytes, size, &options, NULL, &loaded, &error))
            walk_fail("news", "a follower's save: %s", error.message);
        kifu_free_bytes(follower->timeline, bytes);
        kifu_destroy(follower->timeline);
        follower->timeline = loaded;
    }
    follower->variations &= walk->variations;
    unsigned char *bytes;
    size_t size;
    walk_say(walk, "// follower %u: news since %llu", op->a % FOLLOWERS, (unsigned long long)follower->sent);
    kifu_result result = kifu_news_since(walk->timeline, follower->sent, &bytes, &size);
    walk_expect(walk, "news", !result, "kifu_news_since", result);
    follower->sent = kifu_change_count(walk->timeline);
    if (kifu_apply_news(follower->timeline, bytes, size))
        walk_fail("news", "a follower: %s", kifu_last_error(follower->timeline)->message);
    kifu_free_bytes(walk->timeline, bytes);
    walk_tree seen = walk_seen_by(&walk->tree, follower->variations, follower->notes && walk->notes), got;
    walk_see(follower->timeline, &got, "a follower");
    const char *why = walk_differs(&seen, &got);
    if (why)
        walk_fail("news", "a follower %s: %s", follower->variations ? "with lines" : "without lines", why);
    walk_drop(&got);
    walk_drop(&seen);
    walk_expect_same(walk, "after news");
}
