// Upcasting: a save of the quay is loaded by the harbour, its third release. Whatever was superseded is there as if the
// harbour had been played all along.

#include "history_help.h"
#include "hooks.h"
#include "old_text_help.h"
#include "quay.h"
#include "save_help.h"
#include "suite.h"
#include "wire/table.h"
#include "core/timeline.h"

// The numbers of what is superseded, which the header has no names for.
enum { P_TAKE = 8, E_BELL = 11 };

// The quay's rules, called as the harbour's are: one game, as its first release had it.
static kifu_rules quay_as_released(void)
{
    kifu_rules rules = quay_rules;
    rules.name = harbour_rules.name;
    rules.union_name = harbour_rules.union_name;
    return rules;
}

static kifu_timeline *new_game(const kifu_rules *rules, const kifu_options *options)
{
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_msg(kifu_create(rules, options, &timeline, &error) == KIFU_OK, "%s", error.message);
    return timeline;
}

static kifu_timeline *load(const save *save, const kifu_options *options, bool fast)
{
    const kifu_load_options load_options = {.fast = fast};
    kifu_timeline *timeline;
    kifu_error error;
    kifu_result result =
        kifu_load_from_memory(&harbour_rules, save->bytes, save->size, options, &load_options, &timeline, &error);
    if (result)
        ck_abort_msg("%s: %s", kifu_result_text(result), error.message);
    return timeline;
}

// The save of a quay, loaded by the harbour.
static kifu_timeline *brought_up_fast(kifu_timeline *quay, const kifu_options *options, bool fast)
{
    save save = save_of(quay, NULL);
    kifu_timeline *harbour = load(&save, options, fast);
    free(save.bytes);
    return harbour;
}

static kifu_timeline *brought_up(kifu_timeline *quay, const kifu_options *options)
{
    return brought_up_fast(quay, options, false);
}

static kifu_event event_of(const kifu_timeline *timeline, uint32_t index)
{
    kifu_event event;
    ck_assert(kifu_event_at(timeline, index, &event));
    return event;
}

// --- One event at a time ---------------------------------------------------------------------------------------------

START_TEST(S03_an_old_event_is_a_new_one_after_load)
{
    const kifu_rules rules = quay_as_released();
    kifu_timeline *quay = new_game(&rules, NULL);
    quay_submit_p_take(quay, 3, &(quay_p_take_args){.heap = 4, .count = 6, .note = "stones"});
    quay_submit_p_take(quay, 5, &(quay_p_take_args){.heap = 4, .count = 2, .note = NULL});
    must(quay, kifu_run(quay));
    kifu_timeline *harbour = brought_up(quay, NULL);
    ck_assert_uint_eq(kifu_event_count(harbour), 4);
    kifu_event event = event_of(harbour, 0);
    ck_assert_str_eq(event.name, "harbour.PMove");
    ck_assert_uint_eq(event.type, HARBOUR_P_MOVE);
    ck_assert_int_eq(event.player, 3);
    ck_assert_uint_eq(event.flags, KIFU_UNDOABLE);
    ck_assert_uint_eq(event.rules_version, 2);
    const harbour_p_move *move = event.table;
    ck_assert_uint_eq(move->from, 4);
    ck_assert_uint_eq(move->to, 7);
    ck_assert_uint_eq(move->halves, 12);
    ck_assert_uint_eq(harbour_p_move_why_count(move), 1);
    ck_assert_str_eq(harbour_p_move_why(move, 0), "stones");
    event = event_of(harbour, 1);
    ck_assert_str_eq(event.name, "harbour.ENothing");
    ck_assert_uint_eq(event.cause, 0);
    event = event_of(harbour, 2);
    ck_assert_uint_eq(harbour_p_move_why_count(event.table), 0);
    ck_assert_uint_eq(harbour_get_state(harbour)->heaps[4], UINT32_MAX - 7);
    ck_assert_uint_eq(harbour_get_state(harbour)->heaps[7], 8);
    // New events go on in segments of the new rules.
    harbour_submit_p_wait(harbour, 0);
    must(harbour, kifu_run(harbour));
    ck_assert_uint_eq(event_of(harbour, 4).rules_version, 4);
    kifu_destroy(harbour);
    kifu_destroy(quay);
}
END_TEST

START_TEST(F52_an_old_event_keeps_a_string_that_is_no_text)
{
    static old_rules old;
    const kifu_rules rules = quay_as_released();
    make_old(&old, &rules);
    kifu_timeline *quay = new_game(&old.rules, NULL);
    quay_submit_p_take(quay, 3, &(quay_p_take_args){.heap = 4, .count = 6, .note = "\xE9t\xE9"});
    must(quay, kifu_run(quay));
    kifu_timeline *harbour = brought_up(quay, NULL);
    ck_assert_str_eq(harbour_p_move_why(event_of(harbour, 0).table, 0), "\xE9t\xE9");
    kifu_destroy(harbour);
    kifu_destroy(quay);
}
END_TEST

START_TEST(S03_an_event_superseded_twice_goes_through_both_upcasts)
{
    const kifu_rules rules = quay_as_released();
    kifu_timeline *quay = new_game(&rules, NULL);
    quay_submit_e_bell(quay, 41);
    must(quay, kifu_run(quay));
    kifu_timeline *harbour = brought_up(quay, NULL);
    kifu_event event = event_of(harbour, 0);
    ck_assert_str_eq(event.name, "harbour.ERing");
    ck_assert_uint_eq(harbour_e_ring_numbers_count(event.table), 1);
    ck_assert_uint_eq(harbour_e_ring_numbers(event.table)[0], 41);
    ck_assert_str_eq(harbour_e_ring_text(event.table), "ding");
    kifu_destroy(harbour);
    kifu_destroy(quay);
}
END_TEST

START_TEST(S03_an_upcast_knows_the_rules_version_of_the_old_event)
{
    kifu_rules rules = quay_as_released();
    rules.rules_version = 1; // when a count was in dozens
    kifu_timeline *quay = new_game(&rules, NULL);
    quay_submit_p_take(quay, 0, &(quay_p_take_args){.heap = 2, .count = 3, .note = NULL});
    must(quay, kifu_run(quay));
    kifu_timeline *harbour = brought_up(quay, NULL);
    ck_assert_uint_eq(event_of(harbour, 0).rules_version, 1);
    ck_assert_uint_eq(harbour_get_state(harbour)->heaps[7], 36);
    kifu_destroy(harbour);
    kifu_destroy(quay);
}
END_TEST

// The player is what the upcast submits; cause and undo are as they were.
START_TEST(T12_who_made_it_happen_is_for_the_upcast_to_say)
{
    const kifu_rules rules = quay_as_released();
    kifu_timeline *quay = new_game(&rules, NULL);
    quay_submit_p_hail(quay, 1);
    quay_submit_e_push(quay, 3);
    must(quay, kifu_postpone(quay, quay_submit_e_push(quay, 2), 1, 0));
    must(quay, kifu_run(quay));
    quay_submit_e_push(quay, 4);
    kifu_timeline *harbour = brought_up(quay, NULL);
    kifu_event event = event_of(harbour, 0);
    ck_assert_uint_eq(event.type, HARBOUR_E_HAIL);
    ck_assert_int_eq(event.player, -1);
    ck_assert_uint_eq(event.flags, KIFU_UNDOABLE);
    event = event_of(harbour, 1);
    ck_assert_uint_eq(event.type, HARBOUR_P_PUSH);
    ck_assert_int_eq(event.player, 3);
    ck_assert_uint_eq(event.flags, KIFU_UNDOABLE | KIFU_CONTINUE_UNDO);
    ck_assert_uint_eq(harbour_get_state(harbour)->heaps[5], 3);
    ck_assert_uint_eq(kifu_can_undo(harbour, NULL), 3);
    ck_assert(kifu_pending_at(harbour, 0, &event));
    ck_assert_uint_eq(event.type, HARBOUR_P_PUSH);
    ck_assert_int_eq(event.player, 4);
    harbour_submit_e_begin_turn(harbour);
    must(harbour, kifu_run(harbour));
    event = event_of(harbour, 5);
    ck_assert_uint_eq(event.type, HARBOUR_P_PUSH);
    ck_assert_int_eq(event.player, 2);
    kifu_destroy(harbour);
    kifu_destroy(quay);
}
END_TEST

START_TEST(what_is_superseded_cannot_happen_anew)
{
    kifu_timeline *harbour = new_game(&harbour_rules, NULL);
    kifu_ticket ticket = harbour_submit_e_toll(harbour, 1, "a mistake");
    ck_assert_uint_ne(ticket, 0);
    // Only an upcast may submit what is superseded itself.
    ck_assert_int_eq(kifu_run(harbour), KIFU_FAILED);
    must_say(harbour, "harbour.EToll");
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(harbour)),
                     "it is superseded: submit the event that supersedes it");
    ck_assert_uint_eq(kifu_event_count(harbour), 0);
    kifu_destroy(harbour);
}
END_TEST

// --- What an upcast may do -------------------------------------------------------------------------------------------

static uint32_t upcasts; // How many mistakes were made.

static kifu_result look_around(kifu_timeline *timeline, uint8_t what)
{
    static const harbour_state nothing;
    kifu_event event;
    upcasts++;
    ck_assert_uint_eq(what, 9);
    ck_assert_mem_eq(harbour_get_state(timeline), &nothing, sizeof nothing);
    ck_assert_uint_eq(kifu_event_count(timeline), 0);
    ck_assert_uint_eq(kifu_pending_count(timeline), 0);
    ck_assert(!kifu_event_at(timeline, 0, &event));
    ck_assert_ptr_null(kifu_user(timeline));
    ck_assert_int_eq(kifu_player(timeline), -1);
    ck_assert_uint_eq(kifu_rules_version(timeline), 2);
    ck_assert(!kifu_is_replaying(timeline));
    harbour_submit_e_good(timeline, HARBOUR_KIND_SALT);
    return KIFU_OK;
}

START_TEST(S03_an_upcast_has_nothing_to_depend_on_but_the_old_event)
{
    const kifu_rules rules = quay_as_released();
    kifu_timeline *quay = new_game(&rules, NULL);
    quay_submit_p_wait(quay, 1);
    quay_submit_e_bad(quay, 9);
    quay_submit_e_bad(quay, 9);
    must(quay, kifu_run(quay));
    harbour_in_upcast_bad = look_around;
    int user = 0;
    const kifu_options options = {.user = &user};
    kifu_timeline *harbour = brought_up(quay, &options);
    ck_assert_uint_eq(upcasts, 2);
    ck_assert_ptr_eq(kifu_user(harbour), &user);
    // Once: not in a save of what was loaded, nor in undo and redo.
    save save = save_of(harbour, NULL);
    kifu_timeline *again = load(&save, NULL, false);
    ck_assert_uint_eq(upcasts, 2);
    must(again, kifu_undo(again));
    must(again, kifu_redo(again));
    must(again, kifu_verify_replay(again, NULL));
    ck_assert_uint_eq(upcasts, 2);
    free(save.bytes);
    kifu_destroy(again);
    kifu_destroy(harbour);
    kifu_destroy(quay);
}
END_TEST

static kifu_result mistake(kifu_timeline *timeline, uint8_t what)
{
    switch (what) {
    case 1:
        return kifu_fail(timeline, "nobody knows what that was");
    case 2:
        return KIFU_OK;
    case 3:
        harbour_submit_e_good(timeline, HARBOUR_KIND_SALT);
        harbour_submit_e_good(timeline, HARBOUR_KIND_SALT);
        return KIFU_OK;
    case 4:
        harbour_submit_e_nothing(timeline);
        return KIFU_OK;
    case 5:
        harbour_submit_e_good(timeline, 9);
        return KIFU_OK;
    case 6:
        harbour_submit_e_good(timeline, HARBOUR_KIND_SALT);
        *harbour_edit_words(timeline) = 5;
        return KIFU_OK;
    case 7:
        harbour_submit_e_good(timeline, (harbour_kind)(kifu_random_between(timeline, 0, 2)));
        return KIFU_OK;
    case 8:
        harbour_submit_e_good(timeline, HARBOUR_KIND_SALT);
        (void)!kifu_run(timeline);
        return KIFU_OK;
    case 9:
        (void)!kifu_override(timeline, harbour_submit_e_good(timeline, HARBOUR_KIND_SALT), true, false);
        return KIFU_OK;
    case 10:
        (void)!kifu_postpone(timeline, harbour_submit_e_good(timeline, HARBOUR_KIND_SALT), 3, 0);
        return KIFU_OK;
    case 11:
        kifu_reveal(timeline);
        harbour_submit_e_good(timeline, HARBOUR_KIND_SALT);
        return KIFU_OK;
    case 12:
        harbour_submit_e_good(timeline, HARBOUR_KIND_SALT);
        return KIFU_REJECTED;
    case 13:
        harbour_submit_p_push(timeline, 400);
        return KIFU_OK;
    case 14:
        return KIFU_FAILED;
    default: // It was good after all.
        (void)!kifu_fail(timeline, "or was it");
        harbour_submit_e_good(timeline, HARBOUR_KIND_SALT);
        return KIFU_OK;
    }
}

START_TEST(S05_an_upcast_that_makes_a_mistake_refuses_the_save)
{
    static const char *const reasons[] = {
        "",
        "nobody knows what that was",
        "submitted no event; if the old event means nothing any more, submit one that changes nothing",
        "submitted 2 events; it must submit one",
        "submitted harbour.ENothing",
        "harbour.EGood has a wrong field, kind: value 9 is not in enum harbour.Kind",
        "the state was edited",
        "a random number was drawn",
        "kifu_run was called while an event runs",
        "kifu_override was called from a check",
        "submitted kifu.ESchedule",
        "kifu_reveal was called outside of a Do function",
        "the event was rejected",
        "player 400",
        "a function of the game failed",
    };
    const kifu_rules rules = quay_as_released();
    harbour_in_upcast_bad = mistake;
    for (uint8_t what = 0; what < sizeof reasons / sizeof *reasons; what++) {
        for (int way = 0; way < 6; way++) {
            kifu_timeline *quay = new_game(&rules, NULL);
            quay_submit_p_take(quay, 3, &(quay_p_take_args){.heap = 1, .count = 9, .note = "first"});
            must(quay, kifu_run(quay));
            const uint32_t first = kifu_event_count(quay) + 1;
            if (way != 1)
                quay_submit_e_bad(quay, 99);
            kifu_ticket ticket = quay_submit_e_bad(quay, what);
            if (way == 4 || way == 5)
                must(quay, kifu_postpone(quay, ticket, 2, 0));
            if (way == 5)
                must(quay, kifu_postpone(quay, ticket, 1, 0));
            if (way != 1)
                must(quay, kifu_run(quay));
            if (way == 2 || way == 3)
                must(quay, kifu_undo(quay));
            save save = save_of(quay, NULL);
            test_memory memory = {.until_failure = -1};
            const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
            const kifu_load_options load_options = {.fast = way == 3};
            kifu_timeline *harbour = NULL;
            kifu_error error = {.result = KIFU_OK};
            kifu_result result =
                kifu_load_from_memory(&harbour_rules, save.bytes, save.size, &options, &load_options, &harbour, &error);
            if (!what) {
                ck_assert_msg(result == KIFU_OK, "%s", error.message);
                kifu_destroy(harbour);
            } else {
                ck_assert_msg(result == KIFU_FAILED, "%d, way %d: %s", what, way, kifu_result_text(result));
                ck_assert_ptr_null(harbour);
                ck_assert_int_eq(error.result, KIFU_FAILED);
                if (!strstr(error.message, reasons[what]) ||
                    !strstr(error.message, "(harbour.EBad) could not become harbour.EGood: "))
                    ck_abort_msg("'%s' is not in '%s'", reasons[what], error.message);
                ck_assert_uint_eq(error.event, way == 1 ? KIFU_NONE : first);
                ck_assert_uint_gt(error.offset, FILE_HEAD);
                ck_assert_uint_lt(error.offset, save.size);
                char start[60];
                snprintf(start, sizeof start, "%sevent %u (",
                         way == 1   ? "waiting "
                         : way >= 4 ? "the event timed by "
                                    : "",
                         way == 1 ? 0 : (unsigned)first);
                ck_assert_msg(strncmp(error.message, start, strlen(start)) == 0, "%s", error.message);
                if (what == 1)
                    ck_assert_str_eq(kifu_error_reason(&error), reasons[1]);
                ck_assert_int_eq(kifu_load_from_memory(&harbour_rules, save.bytes, save.size, &options, &load_options,
                                                       &harbour, NULL),
                                 KIFU_FAILED);
            }
            ck_assert_int_eq(memory.blocks, 0);
            free(save.bytes);
            kifu_destroy(quay);
        }
    }
}
END_TEST

static kifu_result depend_on_a_counter(kifu_timeline *timeline, uint8_t what)
{
    static int calls;
    calls++;
    harbour_submit_e_good(timeline, what == 1 && calls % 2 ? HARBOUR_KIND_WOOD : HARBOUR_KIND_GRAIN);
    return KIFU_OK;
}

START_TEST(the_sync_test_finds_an_upcast_that_depends_on_something_else)
{
    const kifu_rules rules = quay_as_released();
    const kifu_options options = {.sync_test = kifu_sync_test};
    harbour_in_upcast_bad = depend_on_a_counter;
    for (uint8_t what = 0; what < 2; what++) {
        kifu_timeline *quay = new_game(&rules, NULL), *harbour;
        kifu_error error;
        quay_submit_e_bell(quay, 3);
        quay_submit_e_bad(quay, what);
        must(quay, kifu_run(quay));
        save save = save_of(quay, NULL);
        kifu_result result =
            kifu_load_from_memory(&harbour_rules, save.bytes, save.size, &options, NULL, &harbour, &error);
        ck_assert_int_eq(result, what ? KIFU_DIVERGED : KIFU_OK);
        if (what) {
            ck_assert_uint_eq(error.event, 1);
            ck_assert_ptr_nonnull(strstr(error.message, "depends on something besides the old event"));
        }
        free(save.bytes);
        kifu_destroy(harbour);
        kifu_destroy(quay);
    }
}
END_TEST

// What is different when a PTake is upcast once more.
static enum { SAME, FIELD, PLAYER, LENGTH, RESULT } difference;
static int takes;

static kifu_result upcast_take(kifu_timeline *timeline, uint32_t type, const void *event)
{
    if (type != P_TAKE)
        return harbour_rules.upcast(timeline, type, event);
    const bool again = takes++ > 0;
    const char *why = again && difference == LENGTH ? "and why not" : "why";
    if (again && difference == RESULT)
        return kifu_fail(timeline, "not twice");
    harbour_submit_p_move(timeline, again && difference == PLAYER ? 2 : 3, 0, again && difference == FIELD ? 6 : 7, 2,
                          &why, 1);
    return KIFU_OK;
}

START_TEST(the_sync_test_finds_each_way_in_which_an_upcast_may_differ)
{
    static const struct {
        kifu_result result;
        const char *words;
    } expected[] = {
        [SAME] = {KIFU_OK, ""},
        [FIELD] = {KIFU_DIVERGED, "submitted something else when it was called again"},
        [PLAYER] = {KIFU_DIVERGED, "submitted something else when it was called again"},
        [LENGTH] = {KIFU_DIVERGED, "submitted something else when it was called again"},
        [RESULT] = {KIFU_FAILED, "not twice"},
    };
    const kifu_rules released = quay_as_released();
    kifu_timeline *quay = new_game(&released, NULL), *harbour;
    quay_submit_p_take(quay, 3, &(quay_p_take_args){.heap = 1, .count = 9, .note = "first"});
    must(quay, kifu_run(quay));
    save save = save_of(quay, NULL);
    for (difference = SAME; difference <= RESULT; difference++) {
        kifu_rules rules = harbour_rules;
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {
            .sync_test = kifu_sync_test, .allocate = test_allocate, .allocate_context = &memory};
        kifu_error error = {.message = ""};
        rules.upcast = upcast_take;
        takes = 0;
        kifu_result result = kifu_load_from_memory(&rules, save.bytes, save.size, &options, NULL, &harbour, &error);
        ck_assert_msg(result == expected[difference].result, "%s", error.message);
        ck_assert_msg(strstr(error.message, expected[difference].words) != NULL, "%s", error.message);
        kifu_destroy(harbour);
        ck_assert_int_eq(memory.blocks, 0);
    }
    free(save.bytes);
    kifu_destroy(quay);
}
END_TEST

// --- Random games ----------------------------------------------------------------------------------------------------

static const char *const texts[] = {NULL, "", "a", "stones", "a longer text than there is room for in a small event"};

static const char *any_text(kifu_rng *rng)
{
    return texts[kifu_rng_below(rng, sizeof texts / sizeof *texts)];
}

static void begin(kifu_timeline *quay, kifu_timeline *harbour)
{
    const uint64_t seed = 5;
    quay_submit_e_reset_game(quay);
    harbour_submit_e_reset_game(harbour);
    for (uint8_t player = 0; player < 2; player++) {
        quay_submit_e_add_player(quay, player, 7);
        harbour_submit_e_add_player(harbour, player, 7);
    }
    quay_submit_e_initialize(quay, SEEDED(seed));
    harbour_submit_e_initialize(harbour, SEEDED(seed));
    quay_submit_e_start_round(quay);
    harbour_submit_e_start_round(harbour);
    must(quay, kifu_run(quay));
    must(harbour, kifu_run(harbour));
}

// The same happens to both.
static void submit_same(kifu_timeline *quay, kifu_timeline *harbour, kifu_rng *rng)
{
    kifu_ticket old = 0, new = 0;
    const int player = (int)kifu_rng_below(rng, 2);
    const uint32_t number = kifu_rng_below(rng, 100);
    const char *text = any_text(rng);
    const uint8_t heap = (uint8_t)kifu_rng_below(rng, 8), way = (uint8_t)kifu_rng_below(rng, 5);
    const uint32_t turns = kifu_rng_below(rng, 4);
    switch (kifu_rng_below(rng, 8)) {
    case 0:
        old = quay_submit_e_bell(quay, number);
        new = harbour_submit_e_ring(harbour, &number, 1, "ding");
        break;
    case 1:
        old = quay_submit_e_sound(quay, text);
        new = harbour_submit_e_nothing(harbour);
        break;
    case 2:
        old = quay_submit_p_wait(quay, player);
        new = harbour_submit_p_wait(harbour, player);
        break;
    case 3:
        old = quay_submit_e_begin_turn(quay);
        new = harbour_submit_e_begin_turn(harbour);
        break;
    case 4:
    case 5:
        old = quay_submit_p_late(quay, player, turns, number, way);
        new = harbour_submit_p_late(harbour, player, turns, number, way);
        break;
    default:
        old = quay_submit_p_take(quay, player,
                                 &(quay_p_take_args){.heap = heap, .count = (uint16_t)number, .note = text});
        new = harbour_submit_p_move(harbour, player, heap, 7, 2 * number, text ? &text : NULL, text ? 1 : 0);
    }
    const uint32_t flags = kifu_rng_below(rng, 16);
    if (flags < 4 && flags != 3) { // Now and then what undo cannot take back.
        must(quay, kifu_override(quay, old, flags & 1, flags & 2));
        must(harbour, kifu_override(harbour, new, flags & 1, flags & 2));
    }
}

static kifu_result move(kifu_timeline *timeline, uint32_t choice)
{
    switch (choice) {
    case 0:
        return kifu_undo(timeline);
    case 1:
        return kifu_redo(timeline);
    case 2:
        return kifu_step(timeline);
    default:
        return kifu_run(timeline);
    }
}

static void play_same(kifu_timeline *quay, kifu_timeline *harbour, kifu_rng *rng, uint32_t steps)
{
    for (uint32_t step = 0; step < steps; step++) {
        if (kifu_rng_below(rng, 3)) {
            submit_same(quay, harbour, rng);
            continue;
        }
        const uint32_t choice = kifu_rng_below(rng, 6);
        kifu_result result = move(quay, choice);
        if (result != move(harbour, choice))
            ck_abort_msg("%s, and %s", kifu_last_error(quay)->message, kifu_last_error(harbour)->message);
    }
}

static kifu__blob blob_at(const kifu_timeline *timeline, uint32_t index)
{
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, index);
    const uint32_t slot = index - segment->first;
    const kifu__buffer buffer = {.bytes = segment->bytes, .size = segment->size};
    kifu__blob blob = {.memory = &timeline->memory};
    const unsigned char *table = kifu__segment_table(segment, slot);
    ck_assert(!kifu__convert_table(&buffer, timeline->rules->types[segment->types[slot]].table,
                                   (uint32_t)(table - segment->bytes), &blob));
    return blob;
}

static void same_log(const kifu_timeline *one, const kifu_timeline *other)
{
    kifu_event a, b;
    must_be(kifu_event_count(one) == kifu_event_count(other));
    must_be(one->log.branch->end == other->log.branch->end);
    for (uint32_t i = 0; i < one->log.branch->end; i++) {
        const kifu__segment *first = kifu__log_segment_of(&one->log, i), *second = kifu__log_segment_of(&other->log, i);
        must_be(first->types[i - first->first] == second->types[i - second->first]);
        must_be(!memcmp(&first->marks[i - first->first], &second->marks[i - second->first], sizeof(kifu__mark)));
        kifu__blob here = blob_at(one, i), there = blob_at(other, i);
        if (here.size != there.size || memcmp(here.bytes, there.bytes, here.size) != 0)
            ck_abort_msg("event %u (%s) is another one", (unsigned)i,
                         one->rules->types[first->types[i - first->first]].table->name);
        kifu__free(here.memory, here.bytes);
        kifu__free(there.memory, there.bytes);
    }
    for (uint32_t i = 0; kifu_pending_at(one, i, &a); i++) {
        must_be(kifu_pending_at(other, i, &b) && a.type == b.type && a.player == b.player && a.flags == b.flags);
        must_be(a.cause == b.cause);
        const kifu__proposal *first = (const kifu__proposal *)a.table - 1,
                             *second = (const kifu__proposal *)b.table - 1;
        must_be(first->size == second->size && !memcmp(a.table, b.table, first->size));
    }
    must_be(kifu_pending_count(one) == kifu_pending_count(other));
}

static void same_game(const kifu_timeline *one, const kifu_timeline *other)
{
    must_be(!memcmp(harbour_get_state(one), harbour_get_state(other), sizeof(harbour_state)));
    must_be(kifu_can_undo(one, NULL) == kifu_can_undo(other, NULL));
    must_be(kifu_can_redo(one, NULL) == kifu_can_redo(other, NULL));
    same_log(one, other);
}

static void no_old_ones(const kifu_timeline *timeline)
{
    for (uint32_t i = 0; i < timeline->log.branch->segment_count; i++) {
        const kifu__segment *segment = &timeline->log.branch->segments[i];
        for (uint32_t slot = 0; slot < segment->count; slot++) {
            const kifu__type *types = timeline->rules->types;
            must_be(!types[segment->types[slot]].superseded_by);
            if (segment->types[slot] == HARBOUR_E_SCHEDULE)
                must_be(!types[((const kifu_e_schedule *)kifu__segment_table(segment, slot))->type].superseded_by);
        }
    }
}

// The two go on alike, whatever happens.
static void go_on_same(kifu_timeline *one, kifu_timeline *other, kifu_rng *rng)
{
    for (uint32_t step = 0; step < 12; step++) {
        const uint32_t choice = kifu_rng_below(rng, 6);
        if (choice == 4) {
            harbour_submit_e_begin_turn(one);
            harbour_submit_e_begin_turn(other);
        }
        kifu_result result = move(one, choice);
        if (result != move(other, choice))
            ck_abort_msg("%s, and %s", kifu_last_error(one)->message, kifu_last_error(other)->message);
        same_game(one, other);
    }
}

// What was played as a quay and is loaded as a harbour is what was played as a harbour.
START_TEST(S03_a_game_brought_up_is_the_game_played_anew)
{
    const kifu_rules rules = quay_as_released();
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 31);
    const unsigned long games = fuzz_steps(6000) / 100;
    for (unsigned long game = 0; game < games; game++) {
        const kifu_options options = {.hash_interval = 1 + kifu_rng_below(&rng, 20),
                                      .sync_test = game % 8 == 0 ? kifu_sync_test : NULL};
        const bool fast = kifu_rng_below(&rng, 2);
        kifu_timeline *quay = new_game(&rules, &options), *harbour = new_game(&harbour_rules, &options);
        begin(quay, harbour);
        const uint32_t parts = 1 + kifu_rng_below(&rng, 4);
        for (uint32_t part = 0; part < parts; part++) {
            play_same(quay, harbour, &rng, kifu_rng_below(&rng, 60));
            kifu_timeline *up = brought_up_fast(quay, &options, fast);
            no_old_ones(up);
            same_game(up, harbour);
            kifu_timeline *copy = reload_fast(harbour, &options, fast), *again = reload_fast(up, &options, fast);
            same_game(again, harbour);
            go_on_same(up, copy, &rng);
            must(up, kifu_verify_replay(up, NULL));
            kifu_destroy(again);
            kifu_destroy(copy);
            kifu_destroy(up);
        }
        kifu_destroy(quay);
        kifu_destroy(harbour);
    }
}
END_TEST

// A process of the old release is killed; the new one recovers its log file, and goes on in it.
START_TEST(S03_a_log_file_of_an_old_release_is_gone_on_with)
{
    const kifu_rules rules = quay_as_released();
    char *folder = new_folder();
    const char *path = in_folder(folder, "harbour.kifu");
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 33);
    const unsigned long games = fuzz_steps(2000) / 100;
    for (unsigned long game = 0; game < games; game++) {
        kifu_recovery recovery;
        const kifu_options options = {.hash_interval = 1 + (uint32_t)(game % 5)};
        const kifu_load_options load_options = {.fast = game % 2, .recover = kifu_recover, .recovery = &recovery};
        kifu_timeline *quay = new_game(&rules, &options), *harbour = new_game(&harbour_rules, &options), *up, *again;
        begin(quay, harbour);
        must(quay, kifu_log_open(quay, path, NULL));
        for (uint32_t part = kifu_rng_below(&rng, 8); part > 0; part--) {
            play_same(quay, harbour, &rng, kifu_rng_below(&rng, 20));
            must(quay, kifu_log_append(quay));
        }
        kifu_destroy(quay);

        ck_assert_int_eq(kifu_load(&harbour_rules, path, &options, &load_options, &up, NULL), KIFU_OK);
        ck_assert_uint_eq(recovery.dropped, 0);
        no_old_ones(up);
        same_game(up, harbour);
        must(up, kifu_log_open(up, path, NULL));
        for (uint32_t part = kifu_rng_below(&rng, 8); part > 0; part--) {
            go_on_same(up, harbour, &rng);
            must(up, kifu_log_append(up));
        }
        must(up, kifu_verify_replay(up, NULL));
        kifu_timeline *one = fork_of(up, KIFU_PRESENT, NULL), *other = fork_of(harbour, KIFU_PRESENT, NULL);
        same_game(one, other);
        go_on_same(one, other, &rng);
        kifu_destroy(one);
        kifu_destroy(other);
        ck_assert_int_eq(kifu_load(&harbour_rules, path, &options, &load_options, &again, NULL), KIFU_OK);
        same_game(again, harbour);
        go_on_same(again, up, &rng);
        kifu_destroy(again);
        kifu_destroy(up);
        kifu_destroy(harbour);
    }
    remove_folder(folder);
}
END_TEST

START_TEST(S03_a_long_game_is_brought_up)
{
    const kifu_rules rules = quay_as_released();
    kifu_timeline *quay = new_game(&rules, NULL), *harbour = new_game(&harbour_rules, NULL);
    begin(quay, harbour);
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 32);
    play_same(quay, harbour, &rng, 9000);
    ck_assert_uint_gt(kifu_event_count(quay), 6000);
    kifu_timeline *up = brought_up(quay, NULL);
    same_game(up, harbour);
    go_on_same(up, harbour, &rng);
    kifu_destroy(up);
    kifu_destroy(quay);
    kifu_destroy(harbour);
}
END_TEST

// --- Saves that no release wrote -------------------------------------------------------------------------------------

static kifu_result do_as_new(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                             void *transient)
{
    if (type == P_TAKE) {
        const harbour_p_take *take = event;
        *harbour_edit_heaps(timeline, take->heap) -= take->count;
        *harbour_edit_heaps(timeline, 7) += take->count;
        *harbour_edit_words(timeline) = (uint32_t)((harbour_get_state(timeline)->words ^ 2) * 16777619u);
        return KIFU_OK;
    }
    return harbour_rules.do_event(timeline, type, state, event, transient);
}

static kifu_result do_otherwise(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                                void *transient)
{
    return type == P_TAKE ? KIFU_OK : harbour_rules.do_event(timeline, type, state, event, transient);
}

// A save of the harbour's own schema, with its fingerprint and hashes, that has an event which is superseded there.
START_TEST(S05_an_old_event_in_a_save_of_now_is_upcast)
{
    for (int way = 0; way < 6; way++) {
        kifu_rules rules = harbour_rules;
        rules.do_event = way < 4 ? do_as_new : do_otherwise;
        const kifu_options recording = {.hash_interval = 1};
        kifu_timeline *forged = new_game(&rules, &recording);
        const harbour_p_take take = {.heap = 2, .count = 5};
        kifu__submit_begin(forged, P_TAKE, 6, &take, sizeof take);
        (void)kifu__submit_end(forged);
        harbour_submit_p_wait(forged, 1);
        must(forged, kifu_run(forged));
        if (way % 2) {
            kifu__submit_begin(forged, P_TAKE, 2, &take, sizeof take);
            (void)kifu__submit_end(forged);
        }
        save save = save_of(forged, NULL);
        const kifu_load_options options = {.fast = way / 2 == 1};
        kifu_timeline *harbour;
        kifu_error error;
        kifu_result result =
            kifu_load_from_memory(&harbour_rules, save.bytes, save.size, NULL, &options, &harbour, &error);
        if (way >= 4) { // It said what became of that, and this is not it.
            ck_assert_int_eq(result, KIFU_DIVERGED);
        } else {
            ck_assert_msg(result == KIFU_OK, "%s", error.message);
            ck_assert_uint_eq(event_of(harbour, 0).type, HARBOUR_P_MOVE);
            ck_assert_int_eq(event_of(harbour, 0).player, 6);
            ck_assert_uint_eq(harbour_get_state(harbour)->heaps[7], 5);
            kifu_event event;
            ck_assert(kifu_pending_at(harbour, 0, &event) == way % 2);
            if (way % 2)
                ck_assert_uint_eq(event.type, HARBOUR_P_MOVE);
            no_old_ones(harbour);
            kifu_destroy(harbour);
        }
        free(save.bytes);
        kifu_destroy(forged);
    }
}
END_TEST

// Nobody can write these, but a file may have them: a timed event that cannot be read is told when its turn comes.
START_TEST(S05_a_timed_old_event_that_cannot_be_read_stays_until_its_turn)
{
    const kifu_rules rules = quay_as_released();
    for (uint8_t kind = 0; kind < 3; kind++) {
        kifu_timeline *quay = new_game(&rules, NULL);
        const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
        quay_submit_e_schedule(quay, &(kifu_e_schedule_args){.turn = 1,
                                                             .key = 0,
                                                             .type = kind == 2 ? 200 : E_BELL,
                                                             .player = kind == 1 ? -2 : 0,
                                                             .event = bytes,
                                                             .event_count = sizeof bytes});
        must(quay, kifu_run(quay));
        kifu_timeline *harbour = brought_up(quay, NULL);
        ck_assert_uint_eq(event_of(harbour, 0).type, HARBOUR_E_SCHEDULE);
        harbour_submit_e_begin_turn(harbour);
        ck_assert_int_eq(kifu_run(harbour), KIFU_FAILED);
        must_say(harbour, "the event that event 0 timed cannot happen");
        harbour_submit_e_begin_turn(harbour);
        must(harbour, kifu_run(harbour));
        ck_assert_uint_eq(kifu_event_count(harbour), 2);
        kifu_destroy(harbour);
        kifu_destroy(quay);
    }
}
END_TEST

// Timed to be timed to be timed …: too deep to be reached, it cannot happen when its turn comes.
START_TEST(S05_events_timed_too_deep_are_not_looked_for)
{
    const kifu_rules rules = quay_as_released();
    for (uint32_t depth = 60; depth < 70; depth++) {
        kifu_timeline *quay = new_game(&rules, NULL);
        kifu_ticket ticket = quay_submit_e_bell(quay, 5);
        for (uint32_t i = 0; i < depth; i++)
            must(quay, kifu_postpone(quay, ticket, 1, 0));
        must(quay, kifu_run(quay));
        kifu_timeline *harbour = brought_up(quay, NULL);
        kifu_result result = KIFU_OK;
        for (uint32_t turn = 0; turn < depth && !result; turn++) {
            harbour_submit_e_begin_turn(harbour);
            result = kifu_run(harbour);
        }
        ck_assert_int_eq(result, depth <= 64 ? KIFU_OK : KIFU_FAILED);
        if (result)
            must_say(harbour, "harbour.EBell");
        else
            ck_assert_uint_eq(event_of(harbour, kifu_event_count(harbour) - 1).type, HARBOUR_E_RING);
        kifu_destroy(harbour);
        kifu_destroy(quay);
    }
}
END_TEST

START_TEST(S05_hostile_old_saves_do_no_harm)
{
    const kifu_rules rules = quay_as_released();
    kifu_timeline *quay = new_game(&rules, NULL), *harbour = new_game(&harbour_rules, NULL);
    begin(quay, harbour);
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 33);
    play_same(quay, harbour, &rng, 60);
    const kifu_save_options options = {.without_schema = true};
    save original = save_of(quay, &options);
    const unsigned long steps = fuzz_steps(3000);
    unsigned long count = 0;
    for (unsigned long step = 0; step < steps; step++) {
        save mutant = {malloc(original.size), original.size};
        ck_assert_ptr_nonnull(mutant.bytes);
        memcpy(mutant.bytes, original.bytes, original.size);
        frames frames = frames_of(&mutant);
        for (uint32_t change = 0; change < 1 + step % 3; change++) {
            const save_frame *frame = &frames.all[kifu_rng_below(&rng, (uint32_t)frames.count)];
            unsigned char *byte = mutant.bytes + frame->offset + FRAME_HEAD + kifu_rng_below(&rng, frame->size);
            *byte = (unsigned char)(kifu_rng_below(&rng, 2) ? kifu_rng_below(&rng, 24) : kifu_rng_below(&rng, 256));
        }
        save sealed = save_of_frames(&frames);
        kifu_timeline *loaded;
        kifu_error error = {.message = ""};
        if (!kifu_load_from_memory(&harbour_rules, sealed.bytes, sealed.size, NULL, NULL, &loaded, &error)) {
            count++;
            for (uint32_t i = 0; i < 6; i++)
                (void)!move(loaded, kifu_rng_below(&rng, 6));
            save again = save_of(loaded, NULL);
            free(again.bytes);
            kifu_destroy(loaded);
        } else {
            must_be(strlen(error.message) > 20);
        }
        free(sealed.bytes);
        free(mutant.bytes);
    }
    ck_assert_uint_gt(count, 0);
    free(original.bytes);
    kifu_destroy(harbour);
    kifu_destroy(quay);
}
END_TEST

// --- Memory ----------------------------------------------------------------------------------------------------------

// `quay` is loaded, and then as `harbour`; or memory ends.
static void expect_load_or_no_memory(kifu_timeline *quay, kifu_timeline *harbour)
{
    save save = save_of(quay, NULL);
    for (int sync = 0; sync < 2; sync++) {
        bool failed = true;
        for (long at = 0; failed; at++) {
            test_memory memory = {.until_failure = at};
            const kifu_options options = {
                .allocate = test_allocate, .allocate_context = &memory, .sync_test = sync == 1 ? kifu_sync_test : NULL};
            kifu_timeline *loaded;
            kifu_error error;
            kifu_result result =
                kifu_load_from_memory(&harbour_rules, save.bytes, save.size, &options, NULL, &loaded, &error);
            failed = memory.failed;
            memory.until_failure = -1;
            if (result == KIFU_OK) { // Some can be done without.
                same_game(loaded, harbour);
                kifu_destroy(loaded);
            } else {
                must_be(failed && result == KIFU_NO_MEMORY && error.result == KIFU_NO_MEMORY);
                must_be(strlen(error.message) > 20 && !loaded);
            }
            must_be(memory.blocks == 0);
        }
    }
    free(save.bytes);
}

START_TEST(no_memory_at_any_allocation_of_an_upcast_leaks_nothing)
{
    const kifu_rules rules = quay_as_released();
    kifu_timeline *quay = new_game(&rules, NULL);
    quay_submit_e_push(quay, 1); // One event, and nothing timed.
    must(quay, kifu_run(quay));
    kifu_timeline *harbour = brought_up(quay, NULL);
    expect_load_or_no_memory(quay, harbour);
    kifu_destroy(harbour);
    kifu_destroy(quay);

    quay = new_game(&rules, NULL);
    harbour = new_game(&harbour_rules, NULL);
    begin(quay, harbour);
    kifu_rng rng;
    kifu_rng_seed(&rng, 1, 34);
    play_same(quay, harbour, &rng, 120);
    for (uint32_t i = 0; i < 3; i++) {
        submit_same(quay, harbour, &rng);
        quay_submit_p_late(quay, 1, 5, 3, 3);
        harbour_submit_p_late(harbour, 1, 5, 3, 3);
        must(quay, kifu_step(quay));
        must(harbour, kifu_step(harbour));
    }
    ck_assert_uint_gt(kifu_pending_count(quay), 0);
    expect_load_or_no_memory(quay, harbour);
    kifu_destroy(harbour);
    kifu_destroy(quay);
}
END_TEST

static kifu_result wait_otherwise(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                                  void *transient)
{
    const kifu_result result = harbour_rules.do_event(timeline, type, state, event, transient);
    if (type == HARBOUR_P_WAIT)
        *harbour_edit_heaps(timeline, 1) += 1;
    return result;
}

static kifu_result replay_otherwise(kifu_timeline *timeline, const kifu__run *run, const void *state, void *transient,
                                    uint32_t *done)
{
    const kifu_result result = harbour_rules.replay(timeline, run, state, transient, done);
    for (uint32_t i = 0; i < *done; i++)
        *harbour_edit_heaps(timeline, 1) += run->types[i] == HARBOUR_P_WAIT;
    return result;
}

// The layout of the state is the same, so hashes are compared; but not behind an event that was upcast.
START_TEST(F60_nothing_is_compared_behind_an_upcast)
{
    kifu_rules released = quay_as_released(), other = harbour_rules;
    released.rules_version = harbour_rules.rules_version;
    released.bfbs = harbour_rules.bfbs; // The names of its types are other ones only in this test.
    released.bfbs_size = harbour_rules.bfbs_size;
    other.do_event = wait_otherwise;
    other.replay = replay_otherwise;
    for (int way = 0; way < 4; way++) { // An event that is upcast comes never, behind, at the end, or first.
        const kifu_options recording = {.hash_interval = 1};
        kifu_timeline *quay = new_game(&released, &recording), *harbour;
        if (way == 3)
            quay_submit_e_bell(quay, 3);
        quay_submit_p_wait(quay, 1);
        if (way == 1)
            quay_submit_e_bell(quay, 3);
        must(quay, kifu_run(quay));
        if (way == 2)
            quay_submit_e_bell(quay, 3); // It waits.
        save save = save_of(quay, NULL);
        kifu_error error;
        kifu_difference changed;
        const kifu_load_options how = {.changed = &changed};
        const kifu_result result = kifu_load_from_memory(&other, save.bytes, save.size, NULL, &how, &harbour, &error);
        ck_assert_int_eq(result, way < 3 ? KIFU_DIVERGED : KIFU_OK);
        ck_assert_uint_eq(changed.event, way < 3 ? 0 : KIFU_NONE);
        kifu_destroy(harbour);
        free(save.bytes);
        kifu_destroy(quay);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S03_an_old_event_is_a_new_one_after_load,
        F52_an_old_event_keeps_a_string_that_is_no_text,
        S03_an_event_superseded_twice_goes_through_both_upcasts,
        S03_an_upcast_knows_the_rules_version_of_the_old_event,
        T12_who_made_it_happen_is_for_the_upcast_to_say,
        what_is_superseded_cannot_happen_anew,
        S03_an_upcast_has_nothing_to_depend_on_but_the_old_event,
        S05_an_upcast_that_makes_a_mistake_refuses_the_save,
        the_sync_test_finds_an_upcast_that_depends_on_something_else,
        the_sync_test_finds_each_way_in_which_an_upcast_may_differ,
        S03_a_game_brought_up_is_the_game_played_anew,
        S03_a_log_file_of_an_old_release_is_gone_on_with,
        S03_a_long_game_is_brought_up,
        S05_an_old_event_in_a_save_of_now_is_upcast,
        F60_nothing_is_compared_behind_an_upcast,
        S05_a_timed_old_event_that_cannot_be_read_stays_until_its_turn,
        S05_events_timed_too_deep_are_not_looked_for,
        S05_hostile_old_saves_do_no_harm,
        no_memory_at_any_allocation_of_an_upcast_leaks_nothing,
    };
    return run_suite("upcast", tests, sizeof tests / sizeof *tests);
}
