// A game with a state of 16 MiB: all that works with a small one works with it.

#include "history_help.h"
#include "save_help.h"
#include "suite.h"
#include "vast.h"

enum { MIB = 1 << 20 };

static const uint64_t seed = 7;

static kifu_timeline *vast_new(const kifu_options *options)
{
    kifu_timeline *vast;
    kifu_error error;
    ck_assert_msg(kifu_create(&vast_rules, options, &vast, &error) == KIFU_OK, "%s", error.message);
    vast_submit_e_reset_game(vast);
    vast_submit_e_initialize(vast, SEEDED(seed));
    must(vast, kifu_run(vast));
    return vast;
}

/// Digs `count` holes all over the land. The log then has some more events than that: floods.
static void dig(kifu_timeline *vast, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t place = (kifu_event_count(vast) + 1) * UINT32_C(2654435761);
        vast_submit_p_dig(vast, 0, (uint16_t)(place >> 21), (uint16_t)(place >> 10 & 2047));
        must(vast, kifu_run(vast));
    }
}

/// The states after some numbers of events, as they were when the game was played.
typedef struct past {
    uint32_t count, events[4];
    vast_state *states[4];
} past;

static void remember(past *past, const kifu_timeline *vast)
{
    vast_state *state = (vast_state *)malloc(sizeof *state);
    ck_assert_ptr_nonnull(state);
    memcpy(state, vast_get_state(vast), sizeof *state);
    past->events[past->count] = kifu_event_count(vast);
    past->states[past->count++] = state;
}

static void forget(past *past)
{
    while (past->count)
        free(past->states[--past->count]);
}

static void expect_state(const kifu_timeline *vast, const past *past, uint32_t which)
{
    must_be(kifu_event_count(vast) == past->events[which]);
    must_be(!memcmp(vast_get_state(vast), past->states[which], sizeof(vast_state)));
    must_be(kifu_state_hash(vast) == hash_of_state(past->states[which], sizeof(vast_state)));
}

/// A game of 2,400 holes, and four of its states, the last of which is the present.
static kifu_timeline *play(const kifu_options *options, past *past)
{
    kifu_timeline *vast = vast_new(options);
    for (int i = 0; i < 4; i++) {
        dig(vast, 600);
        remember(past, vast);
    }
    const vast_state *state = vast_get_state(vast);
    ck_assert_uint_eq(state->dug, 2400);
    ck_assert_uint_gt(state->total, 2400);
    ck_assert_uint_gt(kifu_event_count(vast), 2500);
    ck_assert_uint_ne(state->regions[1].mines[2].shafts[1].layers[3].gold, 0);
    return vast;
}

START_TEST(F20_a_state_of_16_MiB_has_the_layout_that_c_gives_it)
{
    ck_assert_uint_gt(sizeof(vast_state), 16 * MIB);
    const struct {
        const char *name;
        size_t offset;
    } fields[] = {{"game", offsetof(vast_state, game)},      {"dug", offsetof(vast_state, dug)},
                  {"rows", offsetof(vast_state, rows)},      {"odd", offsetof(vast_state, odd)},
                  {"total", offsetof(vast_state, total)},    {"last", offsetof(vast_state, last)},
                  {"regions", offsetof(vast_state, regions)}};
    const kifu__struct *state = vast_rules.state;
    ck_assert_uint_eq(state->size, sizeof(vast_state));
    ck_assert_uint_eq(state->member_count, sizeof fields / sizeof *fields);
    for (uint32_t i = 0; i < state->member_count; i++) {
        ck_assert_str_eq(state->members[i].name, fields[i].name);
        ck_assert_uint_eq(state->members[i].offset, fields[i].offset);
    }
}
END_TEST

START_TEST(F20_undo_redo_and_seek)
{
    past past = {0};
    kifu_timeline *vast = play(NULL, &past);
    static const uint32_t ways[] = {2, 3, 0, 1, 0, 3};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        must(vast, kifu_seek(vast, past.events[ways[i]]));
        must_be(!memcmp(vast_get_state(vast), past.states[ways[i]], sizeof(vast_state)));
    }
    must(vast, kifu_seek(vast, KIFU_PRESENT));
    for (int i = 0; i < 600; i++)
        must(vast, kifu_undo(vast));
    expect_state(vast, &past, 2);
    for (int i = 0; i < 1200; i++) // Beyond the journal.
        must(vast, kifu_undo(vast));
    expect_state(vast, &past, 0);
    for (int i = 0; i < 1800; i++)
        must(vast, kifu_redo(vast));
    expect_state(vast, &past, 3);
    must(vast, kifu_verify_replay(vast, NULL));
    forget(&past);
    kifu_destroy(vast);
}
END_TEST

START_TEST(F20_fork_and_states_of_the_past)
{
    past past = {0};
    kifu_timeline *vast = play(NULL, &past), *fork;
    vast_state *state = (vast_state *)malloc(sizeof *state);
    for (uint32_t i = 0; i < 4; i++) {
        must(vast, kifu_state_at(vast, past.events[i], state, sizeof *state));
        must_be(!memcmp(state, past.states[i], sizeof *state));
        must(vast, kifu_fork(vast, past.events[i], NULL, &fork, NULL));
        expect_state(fork, &past, i);
        kifu_destroy(fork);
    }
    must(vast, kifu_fork(vast, past.events[1], NULL, &fork, NULL));
    dig(fork, 600); // The same holes again: the game depends on its past alone.
    expect_state(fork, &past, 2);
    expect_state(vast, &past, 3);
    kifu_destroy(fork);
    free(state);
    forget(&past);
    kifu_destroy(vast);
}
END_TEST

START_TEST(F20_save_load_and_log_file)
{
    past past = {0};
    char *folder = new_folder();
    const char *path = in_folder(folder, "vast.kifu"), *log = in_folder(folder, "log.kifu");
    kifu_timeline *vast = play(NULL, &past);
    must(vast, kifu_save(vast, path, NULL));
    must(vast, kifu_log_open(vast, log, &(kifu_save_options){.without_snapshot = true}));
    dig(vast, 10);
    must(vast, kifu_log_append(vast));
    for (int fast = 0; fast <= 1; fast++) {
        kifu_timeline *loaded;
        kifu_error error;
        ck_assert_msg(kifu_load(&vast_rules, path, NULL, &(kifu_load_options){.fast = fast}, &loaded, &error) ==
                          KIFU_OK,
                      "%s", error.message);
        expect_state(loaded, &past, 3);
        for (int i = 0; i < 600; i++)
            must(loaded, kifu_undo(loaded));
        expect_state(loaded, &past, 2);
        kifu_destroy(loaded);
        const kifu_load_options options = {.fast = fast, .recover = kifu_recover};
        ck_assert_msg(kifu_load(&vast_rules, log, NULL, &options, &loaded, &error) == KIFU_OK, "%s", error.message);
        must_be(kifu_state_hash(loaded) == kifu_state_hash(vast));
        kifu_destroy(loaded);
    }
    remove_folder(folder);
    forget(&past);
    kifu_destroy(vast);
}
END_TEST

// The rules of a next version, in which a flood raises the total.
static kifu_result flood(kifu_timeline *timeline, uint32_t type, const void *state, const void *event, void *transient)
{
    kifu_result result = vast_rules.do_event(timeline, type, state, event, transient);
    if (!result && type == VAST_E_FLOOD)
        *vast_edit_total(timeline) += 1;
    return result;
}

static kifu_result flood_again(kifu_timeline *timeline, const kifu__run *run, const void *state, void *transient,
                               uint32_t *done)
{
    kifu_result result = KIFU_OK;
    for (*done = 0; *done < run->count && !result; *done += !result) {
        ((kifu__core *)timeline)->event = run->first + *done;
        const uint32_t *offset = run->offsets + *done;
        result = flood(timeline, run->types[*done], state, (const unsigned char *)offset + *offset, transient);
    }
    return result;
}

START_TEST(F20_a_save_is_compared_by_field_names)
{
    kifu_timeline *vast = vast_new(NULL), *loaded;
    dig(vast, 30);
    const uint64_t total = vast_get_state(vast)->total;
    uint32_t floods = 0;
    kifu_event event;
    for (uint32_t i = 0; kifu_event_at(vast, i, &event); i++)
        floods += event.type == VAST_E_FLOOD;
    ck_assert_uint_gt(floods, 0);
    unsigned char *bytes;
    size_t size;
    must(vast, kifu_save_to_memory(vast, NULL, &bytes, &size));
    kifu_difference changed;
    const kifu_load_options options = {.changed = &changed};
    kifu_rules next = vast_rules;
    next.do_event = flood;
    next.replay = flood_again;
    kifu_error error;
    ck_assert_int_eq(kifu_load_from_memory(&next, bytes, size, NULL, &options, &loaded, &error), KIFU_DIVERGED);
    next.rules_version++;
    ck_assert_msg(kifu_load_from_memory(&next, bytes, size, NULL, &options, &loaded, &error) == KIFU_OK, "%s",
                  error.message);
    ck_assert_str_eq(changed.field, "total");
    ck_assert_uint_eq(strtoull(changed.expected, NULL, 10), total);
    ck_assert_uint_eq(strtoull(changed.actual, NULL, 10), total + floods);
    kifu_destroy(loaded);
    kifu_free_bytes(vast, bytes);
    kifu_destroy(vast);
}
END_TEST

// What a game of 140,000 holes needs with this budget.
static size_t memory_of(size_t budget)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .keyframe_bytes = budget};
    kifu_timeline *vast = vast_new(&options);
    dig(vast, 140000);
    const size_t bytes = memory.bytes;
    kifu_destroy(vast);
    ck_assert_int_eq(memory.blocks, 0);
    return bytes;
}

// In bytes: what does not fit in whole is not made. So many keyframes are in memory, and no more.
START_TEST(F20_the_budget_for_keyframes_is_kept)
{
    const size_t size = sizeof(vast_state);
    const struct {
        size_t budget;
        uint32_t count;
    } cases[] = {{1, 0}, {size - 1, 0}, {size, 1}, {2 * size - 1, 1}, {2 * size, 2}, {0, 2}};
    const size_t none = memory_of(1);
    ck_assert_uint_lt(none, 2 * size + 4 * MIB); // the state, one to compare with, and what the game needs besides
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t bytes = memory_of(cases[i].budget), count = cases[i].count;
        ck_assert_uint_ge(bytes, none + count * size);
        ck_assert_uint_le(bytes, none + count * size + 4096); // the list of them
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F20_a_state_of_16_MiB_has_the_layout_that_c_gives_it,
        F20_undo_redo_and_seek,
        F20_fork_and_states_of_the_past,
        F20_save_load_and_log_file,
        F20_a_save_is_compared_by_field_names,
        F20_the_budget_for_keyframes_is_kept,
    };
    return run_suite("vast", tests, sizeof tests / sizeof *tests);
}
