// What changes cost: the bytes of what happened, at any length of the game.

#include <stdio.h>

#include "changes_help.h"
#include "game.h"
#include "history_help.h"
#include "lab_help.h"

#include "suite.h"

static const kifu_options both = {.keep_variations = kifu_keep_variations, .keep_notes = kifu_keep_notes};

// The size of the changes.
static size_t follow_changes(kifu_timeline *from, kifu_timeline *to)
{
    const kifu_stream_position at = kifu_followed(to);
    kifu_changes changes = changes_since(from, &at);
    if (changes.size)
        must(to, kifu_apply_changes(to, changes.bytes, changes.size));
    must_be(same_positions(kifu_followed(to), changes.until));
    must_be(kifu_state_hash(from) == kifu_state_hash(to) && kifu_line_count(from) == kifu_line_count(to));
    free(changes.bytes);
    return changes.size;
}

// Two lines of so many events, and others besides.
static kifu_timeline *two_lines(uint32_t events, uint32_t others)
{
    kifu_timeline *lab = lab_new(&both);
    char script[12];
    for (uint32_t i = 0; i < events; i++)
        lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_go_to(lab, 0, 2, true));
    for (uint32_t i = 0; i < events; i++)
        lab_must(lab, lab_play(lab, "-"));
    for (uint32_t i = 0; i < others; i++) {
        lab_must(lab, kifu_go_to(lab, 0, 1 + i % (events / 2), true));
        snprintf(script, sizeof script, "%u", (unsigned)i);
        lab_do(lab, 1, script, (uint8_t)(1 + i % 200));
        lab_must(lab, kifu_run(lab));
    }
    lab_must(lab, kifu_go_to(lab, 1, KIFU_WHERE_LEFT, true));
    ck_assert_uint_eq(kifu_line_count(lab), 2 + others);
    return lab;
}

START_TEST(R07_changes_cost_what_changed)
{
    static const uint32_t events[] = {100, 3000, 3000}, others[] = {0, 0, 1000};
    for (int i = 0; i < 3; i++) {
        kifu_timeline *lab = two_lines(events[i], others[i]), *copy = lab_new(&both);
        const size_t all = follow_changes(lab, copy);
        ck_assert_uint_gt(all, 10 * (size_t)events[i]);
        for (int k = 0; k < 6; k++) {
            lab_must(lab, k % 3 == 2 ? kifu_redo(lab) : kifu_undo(lab));
            ck_assert_uint_le(follow_changes(lab, copy), 48);
            ck_assert_uint_eq(follow_changes(lab, copy), 0);
        }
        for (uint32_t k = 0; k < 8; k++) {
            lab_must(lab, kifu_go_to(lab, k % 2, k < 4 ? KIFU_WHERE_LEFT : 1 + k, true));
            ck_assert_uint_le(follow_changes(lab, copy), 64);
        }
        lab_must(lab, kifu_promote_line(lab, 1));
        ck_assert_uint_le(follow_changes(lab, copy), 64);
        for (int k = 0; k < 4; k++) {
            lab_must(lab, k % 2 ? kifu_set_line_note(lab, 0, 1, KIFU_NOTE_COMMENT, k > 2 ? NULL : "good")
                                : lab_play(lab, k > 1 ? "2" : "3"));
            ck_assert_uint_le(follow_changes(lab, copy), 90);
        }
        if (others[i]) {
            lab_must(lab, kifu_delete_line(lab, 700));
            ck_assert_uint_le(follow_changes(lab, copy), 64);
        }
        kifu_destroy(lab);
        kifu_destroy(copy);
    }
}
END_TEST

static size_t size_of_tables(kifu_timeline *lab, uint32_t from)
{
    size_t size = 0;
    for (uint32_t i = from; i < kifu_event_count(lab); i++)
        size += size_of_event(lab, i);
    return size;
}

// Once their shapes are known.
START_TEST(R07_a_message_takes_40_bytes_and_an_event_6_besides_its_table)
{
    kifu_timeline *lab = lab_new(NULL), *copy = lab_new(NULL);
    follow_changes(lab, copy);
    lab_must(lab, lab_play(lab, "+(-(+))"));
    follow_changes(lab, copy);
    for (int i = 0; i < 200; i++) {
        const uint32_t count = kifu_event_count(lab);
        for (int k = 0; k <= i % 7; k++)
            lab_must(lab, lab_play(lab, k % 3 ? "+" : "-(+(-))"));
        const size_t most = 40 + 6 * (kifu_event_count(lab) - count) + size_of_tables(lab, count);
        const size_t size = follow_changes(lab, copy);
        ck_assert_msg(size <= most, "message %d: %zu bytes, not %zu", i, size, most);
    }
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

// A move, with what follows from it.
START_TEST(R07_a_move_of_reversi_takes_120_bytes)
{
    const unsigned long games = fuzz_steps(300);
    size_t bytes = 0, moves = 0;
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 3);
    for (unsigned long i = 0; i < games; i++) {
        kifu_timeline *game, *copy;
        const uint64_t seed = i;
        ck_assert_int_eq(kifu_create(&reversi_rules, NULL, &game, NULL), KIFU_OK);
        ck_assert_int_eq(kifu_create(&reversi_rules, NULL, &copy, NULL), KIFU_OK);
        must(game, reversi_begin(game, &seed));
        follow_changes(game, copy);
        for (;;) {
            kifu_moves list = {0};
            must(game, kifu_list_moves(game, kifu_current_player(kifu_get_game(game)), &list));
            const uint32_t count = list.count;
            if (count)
                kifu_submit_move(game, &list.items[kifu_rng_below(&rng, count)]);
            kifu_free_moves(&list);
            if (!count)
                break;
            must(game, kifu_run(game));
            bytes += follow_changes(game, copy);
            moves++;
        }
        kifu_destroy(game);
        kifu_destroy(copy);
    }
    ck_assert_uint_gt(moves, 50 * games);
    ck_assert_msg(bytes <= 120 * moves, "%zu bytes for %zu moves", bytes, moves);
}
END_TEST

// Of the commits that are remembered, the older half goes where they take more than so many bytes. Who is where the
// first of the others begins gets them all; who is one commit further behind gets the whole game.
START_TEST(M08_R07_the_last_commits_are_remembered_up_to_their_limit)
{
    enum { MOVES = 100, SCRIPT = 4096 };
    kifu_stream_position at[MOVES + 1];
    char *script = (char *)malloc(SCRIPT + 1);
    memset(script, 'x', SCRIPT);
    script[SCRIPT] = '\0';
    kifu_timeline *lab = lab_started(NULL);
    kifu_changes changes = changes_since(lab, NULL);
    bool dropped = false;
    for (uint32_t i = 0; i < MOVES; i++) {
        at[i] = changes.until;
        free(changes.bytes);
        lab_do(lab, 0, script, 0);
        lab_must(lab, kifu_run(lab));
        changes = changes_since(lab, &at[i]);
        must_be(!changes.whole);
        const size_t each = changes.size; // With the head of a message.
        uint32_t first = i;
        size_t all = each, more = each;
        for (bool known = true; known && first;) {
            kifu_changes earlier = changes_since(lab, &at[first - 1]);
            known = !earlier.whole;
            if (known) {
                first--;
                more = earlier.size - all;
                all = earlier.size;
            }
            free(earlier.bytes);
        }
        ck_assert_uint_lt(all, 1 << 18);
        if (first && !dropped) // They were dropped just now: one more would have been more than half of the limit.
            ck_assert_uint_gt(all + more, 1 << 17);
        if (first && !dropped)
            ck_assert_uint_le(all - (each - more), 1 << 17);
        dropped |= first > 0;
    }
    must_be(dropped);
    free(changes.bytes);
    free(script);
    kifu_destroy(lab);
}
END_TEST

// Inputs and consequences wait in each second commit, and none do in the others.
START_TEST(M08_R07_a_follower_needs_no_more_memory_the_more_it_was_told)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *lab = lab_started(NULL), *copy = lab_new(&options);
    size_t bytes = 0;
    for (int i = 0; i < 200; i++) {
        lab_do(lab, 0, "+(-)(-)(-)", 1);
        lab_must(lab, kifu_step(lab));
        lab_do(lab, 0, "+", 2);
        follow_changes(lab, copy);
        lab_must(lab, kifu_run(lab));
        follow_changes(lab, copy);
        while (!kifu_undo(lab))
            continue;
        follow_changes(lab, copy);
        bytes = i < 10 ? memory.bytes : bytes;
        ck_assert_uint_le(memory.bytes, bytes);
    }
    kifu_destroy(lab);
    kifu_destroy(copy);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        R07_changes_cost_what_changed,
        M08_R07_a_follower_needs_no_more_memory_the_more_it_was_told,
        R07_a_message_takes_40_bytes_and_an_event_6_besides_its_table,
        R07_a_move_of_reversi_takes_120_bytes,
        M08_R07_the_last_commits_are_remembered_up_to_their_limit,
    };
    return run_suite("changes_costs", tests, sizeof tests / sizeof *tests);
}
