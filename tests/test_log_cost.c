// What an append to a log file costs, in bytes: what has changed, and not what there is.

#include "event_help.h"
#include "game.h"
#include "log_file_help.h"
#include "nim.h"
#include "suite.h"

// Bytes that an append writes.
static size_t appended(kifu_timeline *lab, const char *path)
{
    const size_t before = size_of(path);
    lab_must(lab, kifu_log_append(lab));
    return size_of(path) - before;
}

// As `expect_in_file`, of a long game.
static void expect_found(kifu_timeline *lab, const char *path)
{
    kifu_timeline *found = recover(path, NULL);
    ck_assert_uint_eq(kifu_event_count(found), kifu_event_count(lab));
    ck_assert_uint_eq(kifu_state_hash(found), kifu_state_hash(lab));
    ck_assert_uint_eq(kifu_pending_count(found), kifu_pending_count(lab));
    ck_assert_uint_eq(kifu_can_redo(found, NULL), kifu_can_redo(lab, NULL));
    const kifu_line there = line_of(found, kifu_current_line(found)), here = line_of(lab, kifu_current_line(lab));
    ck_assert_uint_eq(there.from + there.count, here.from + here.count);
    kifu_destroy(found);
}

// --- Redo ------------------------------------------------------------------------------------------------------------

START_TEST(F42_a_redo_is_appended_in_few_bytes_however_much_lies_behind_it)
{
    enum { EVENTS = 2000, MOST = 40 };
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int i = 0; i < EVENTS; i++)
        lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_log_append(lab));
    while (kifu_can_undo(lab, NULL)) {
        lab_must(lab, kifu_undo(lab));
        ck_assert_uint_le(appended(lab, path), MOST);
    }
    for (int i = 0; i < EVENTS - 3; i++) {
        lab_must(lab, kifu_redo(lab));
        ck_assert_uint_le(appended(lab, path), MOST);
    }
    expect_found(lab, path);
    for (int i = 0; i < EVENTS / 2; i++)
        lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_log_append(lab));
    for (int i = 0; i < EVENTS / 2; i++)
        lab_must(lab, kifu_redo(lab));
    ck_assert_uint_le(appended(lab, path), MOST); // one frame for all
    expect_found(lab, path);
    lab_must(lab, kifu_redo(lab));
    lab_must(lab, lab_play(lab, "-")); // where two more could be redone
    ck_assert_uint_le(appended(lab, path), 400);
    expect_found(lab, path);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// The file says nothing of what waits after a redo, but for what does wait.
START_TEST(F42_a_redo_brings_back_what_waited)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, lab_play(lab, "1"));
    lab_must(lab, lab_play(lab, "2"));
    lab_do(lab, 1, "5(6)", 1);
    lab_submit_p_add(lab, 1, 2);
    lab_must(lab, kifu_step(lab));
    append(lab, path);
    for (int i = 0; i < 3; i++) {
        lab_must(lab, kifu_undo(lab));
        append(lab, path);
        lab_must(lab, kifu_undo(lab));
        append(lab, path);
        lab_must(lab, kifu_redo(lab));
        append(lab, path);
        lab_must(lab, kifu_redo(lab));
        ck_assert_uint_eq(kifu_pending_count(lab), 2);
        append(lab, path);
    }
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// --- Events ----------------------------------------------------------------------------------------------------------

START_TEST(F47_an_append_is_its_event_and_at_most_64_bytes)
{
    static const char *const scripts[] = {"+", "", "++-+", "r", "-----------------------------------------------"};
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    const kifu_options options = {.hash_interval = 100};
    kifu_timeline *lab = lab_new(&options);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, kifu_log_append(lab)); // with the shapes, to which the others refer
    for (int i = 0; i < 1000; i++) {
        if (i % 3)
            lab_submit_p_add(lab, 0, i + 1);
        else
            lab_do(lab, 0, scripts[i / 3 % 5], 0);
        lab_must(lab, kifu_run(lab));
        const size_t bytes = appended(lab, path);
        ck_assert_uint_le(bytes, size_of_event(lab, kifu_event_count(lab) - 1) + 64);
    }
    expect_found(lab, path);
    // What happened is one commit, however much it was.
    lab_must(lab, lab_play(lab, "+(2)(3)(4)"));
    ck_assert_uint_le(appended(lab, path), 64 + 4 * (8 + 40));
    expect_found(lab, path);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

START_TEST(F47_long_events_and_those_while_the_past_is_shown_are_appended)
{
    enum { LONG = 4 * 65536 };
    char *folder = new_folder(), *script = malloc(LONG + 1);
    const char *path = in_folder(folder, "a.kifu");
    memset(script, 'x', LONG);
    kifu_timeline *lab = lab_new(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int length = LONG - 40; length <= LONG; length += 4) {
        script[length] = '\0';
        lab_do(lab, 0, script, 0);
        lab_must(lab, kifu_run(lab));
        script[length] = 'x';
        lab_must(lab, kifu_log_append(lab));
        expect_found(lab, path);
        lab_do(lab, 0, length % 8 ? "+" : "-", 0);
        lab_must(lab, kifu_run(lab));
        lab_must(lab, kifu_seek(lab, kifu_event_count(lab) - 1));
        lab_must(lab, kifu_log_append(lab));
        lab_must(lab, kifu_seek(lab, KIFU_PRESENT));
        expect_found(lab, path);
    }
    script[LONG] = '\0';
    lab_do(lab, 0, script, 0); // it waits
    lab_must(lab, kifu_log_append(lab));
    expect_found(lab, path);
    kifu_destroy(lab);
    free(script);
    remove_folder(folder);
}
END_TEST

// --- In games --------------------------------------------------------------------------------------------------------

// Bytes of the events from `from` on, each without the offset with which its table begins.
static size_t size_of_events(kifu_timeline *timeline, uint32_t from)
{
    size_t size = 0;
    for (uint32_t i = from; i < kifu_event_count(timeline); i++)
        size += size_of_event(timeline, i) - 4;
    return size;
}

// A random game: what each move adds to the log file is at most 64 bytes, for each event 4 bytes besides what it holds,
// and once for each type of event the shape of its rows.
static void play_into_log(kifu_timeline *timeline, const char *path)
{
    enum { MOVES = 300, SHAPE = 24, TYPES = 256 };
    bool known[TYPES] = {false};
    kifu_moves list = {0};
    const kifu_move *move;
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 1);
    must(timeline, kifu_log_open(timeline, path, NULL));
    for (uint32_t i = 0; i < MOVES; i++) {
        const uint32_t before = kifu_event_count(timeline), what = kifu_rng_below(&rng, 8);
        if (what < 2) {
            if (!(what ? kifu_redo(timeline) : kifu_undo(timeline)))
                ck_assert_uint_le(appended(timeline, path), 40);
            continue;
        }
        const int player = kifu_current_player(kifu_get_game(timeline));
        must(timeline, kifu_choose_any_move(timeline, player, &rng, &list, &move));
        if (!move)
            break;
        kifu_submit_move(timeline, move);
        must(timeline, kifu_run(timeline));
        size_t most = 64 + size_of_events(timeline, before);
        kifu_event event;
        for (uint32_t j = before; kifu_event_at(timeline, j, &event); j++) {
            most += known[event.type] ? 4 : 4 + SHAPE;
            known[event.type] = true;
        }
        ck_assert_uint_le(appended(timeline, path), most);
    }
    ck_assert_uint_gt(kifu_event_count(timeline), 30);
    kifu_free_moves(&list);
    kifu_destroy(timeline);
}

START_TEST(M09_a_move_is_appended_in_64_bytes_besides_its_events_and_an_undo_in_40)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    const kifu_options options[] = {{.quiet = true, .hash_interval = 20},
                                    {.quiet = true, .keep_variations = kifu_keep_variations}};
    for (uint64_t seed = 0; seed < 20; seed++) {
        kifu_timeline *timeline;
        ck_assert_int_eq(kifu_create(&reversi_rules, &options[seed % 2], &timeline, NULL), KIFU_OK);
        must(timeline, reversi_begin(timeline, &seed));
        play_into_log(timeline, path);
        ck_assert_int_eq(kifu_create(&nim_rules, &options[seed % 2], &timeline, NULL), KIFU_OK);
        nim_submit_e_reset_game(timeline);
        nim_submit_e_add_player(timeline, 0, 0);
        nim_submit_e_add_player(timeline, 1, 0);
        nim_submit_e_initialize(timeline, NULL);
        nim_submit_e_deal(timeline, (uint16_t[]){900, 900, 900, 900}, 4);
        nim_submit_e_start_round(timeline);
        must(timeline, kifu_run(timeline));
        play_into_log(timeline, path);
    }
    remove_folder(folder);
}
END_TEST

// --- While much waits ------------------------------------------------------------------------------------------------

// All that an append asks for.
typedef struct asked {
    uint64_t bytes;
} asked;

static void *count_asked(void *context, void *block, size_t size)
{
    ((asked *)context)->bytes += size;
    if (size)
        return realloc(block, size);
    free(block);
    return NULL;
}

static void expect_cheap(kifu_timeline *lab, const char *path, asked *asked)
{
    asked->bytes = 0;
    ck_assert_uint_le(appended(lab, path), 296); // up to ten events
    ck_assert_uint_le(asked->bytes, 16384);
}

START_TEST(F41_an_append_costs_what_changed_while_much_waits)
{
    enum { MANY = 1000 };
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    asked asked;
    const kifu_options options = {
        .allocate = count_asked, .allocate_context = &asked, .max_consequences = 2 * MANY, .hash_interval = 100000};
    kifu_timeline *lab = lab_new(&options);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int i = 0; i < MANY; i++) {
        lab_submit_p_add(lab, i % 2, i + 1);
        if (i % 10)
            continue;
        if (i)
            expect_cheap(lab, path, &asked);
        else
            lab_must(lab, kifu_log_append(lab)); // with the vtables
    }
    for (int i = 0; i < MANY / 2; i++) { // inputs, of which each has a consequence
        lab_do(lab, 0, "+(1)", 1);
        lab_must(lab, kifu_step(lab));
        expect_cheap(lab, path, &asked);
        if (i % 100 == 0)
            expect_found(lab, path);
    }
    lab_must(lab, kifu_log_append(lab));
    expect_found(lab, path);
    const kifu_ticket last = lab_submit_p_add(lab, 1, 7);
    lab_must(lab, kifu_override(lab, last, false, false)); // what the file does not have yet
    expect_cheap(lab, path, &asked);
    expect_found(lab, path);
    lab_must(lab, kifu_override(lab, last, true, false)); // and what it has
    const size_t whole = appended(lab, path);
    ck_assert_uint_ge(whole, MANY / 2 * 12);
    expect_found(lab, path);
    lab_must(lab, kifu_step(lab));
    expect_cheap(lab, path, &asked);
    ck_assert_uint_eq(appended(lab, path), 0);
    lab_must(lab, kifu_drop_inputs(lab));
    expect_cheap(lab, path, &asked);
    expect_found(lab, path);
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F42_a_redo_is_appended_in_few_bytes_however_much_lies_behind_it,
        F42_a_redo_brings_back_what_waited,
        F47_an_append_is_its_event_and_at_most_64_bytes,
        F47_long_events_and_those_while_the_past_is_shown_are_appended,
        F41_an_append_costs_what_changed_while_much_waits,
        M09_a_move_is_appended_in_64_bytes_besides_its_events_and_an_undo_in_40,
    };
    return run_suite("log cost", tests, sizeof tests / sizeof *tests);
}
