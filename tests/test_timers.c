// Timed events: recorded with the event inside, remembered in the state, submitted when their game turn begins.

#include "wire/buffer.h"
#include "crawl_help.h"
#include "suite.h"
#include "core/timeline.h"

// Begins game turns until number `turn`.
static void go_to_turn(kifu_timeline *crawl, uint32_t turn)
{
    while (crawl_get_state(crawl)->turns.turn < turn) {
        crawl_submit_e_begin_turn(crawl);
        must(crawl, kifu_run(crawl));
    }
}

// "3 1 4": the bells that rang.
static const char *bells(const kifu_timeline *crawl)
{
    static char text[200];
    const crawl_state *state = crawl_get_state(crawl);
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < state->bell_count && i < 16; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", i ? " " : "", (unsigned)state->bells[i]);
    return text;
}

static void bell_at(kifu_timeline *crawl, uint32_t number, uint32_t turn, uint32_t key)
{
    must(crawl, kifu_postpone(crawl, crawl_submit_e_bell(crawl, number), turn, key));
}

static uint32_t timer_count(const kifu_timeline *crawl)
{
    uint32_t count = 0;
    for (kifu_handle each = 0; (each = crawl_next_timers(crawl_get_state(crawl), each)) != 0;)
        count++;
    return count;
}

static kifu_event last_event(const kifu_timeline *crawl)
{
    kifu_event event = {.name = "none"};
    kifu_event_at(crawl, kifu_event_count(crawl) - 1, &event);
    return event;
}

// --- When they happen ------------------------------------------------------------------------------------------------

START_TEST(H07_doors_open_after_20_turns)
{
    kifu_timeline *crawl = crawl_new(NULL);
    crawl_submit_e_build(crawl);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 3, 100);
    const crawl_state *state = crawl_get_state(crawl);
    crawl_until(crawl, crawl_hunt, KIFU_TURN_NEEDS_INPUT);
    must(crawl, kifu_set_action(crawl, hero, crawl_submit_p_pull(crawl, 0, hero, 20)));
    uint32_t from = kifu_event_count(crawl);
    while (state->turns.turn < 20)
        crawl_step(crawl, crawl_rest);
    ck_assert_int_eq(state->tiles[28], CRAWL_TILE_DOOR);
    ck_assert_uint_eq(timer_count(crawl), 1);
    crawl_until(crawl, crawl_rest, KIFU_TURN_BEGAN);
    ck_assert_uint_eq(state->turns.turn, 21);
    ck_assert_int_eq(state->tiles[28], CRAWL_TILE_FLOOR);
    ck_assert_uint_eq(timer_count(crawl), 0);
    kifu_event event = last_event(crawl);
    ck_assert_str_eq(event.name, "crawl.EOpenAll");
    ck_assert_uint_eq(event.cause, kifu_event_count(crawl) - 2);
    ck_assert(kifu_event_at(crawl, from + 1, &event));
    ck_assert_str_eq(event.name, "kifu.ESchedule");
    ck_assert_uint_eq(event.cause, from);
    must_replay(crawl);
    // One undo goes back to before the lever was pulled: all since was by those who decide for themselves.
    must(crawl, kifu_undo(crawl));
    ck_assert_uint_eq(kifu_event_count(crawl), from);
    ck_assert_uint_eq(timer_count(crawl), 0);
    must(crawl, kifu_redo(crawl));
    ck_assert_int_eq(state->tiles[28], CRAWL_TILE_FLOOR);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H07_they_happen_in_the_order_in_which_they_were_timed)
{
    kifu_timeline *crawl = crawl_new(NULL);
    bell_at(crawl, 1, 3, 0);
    bell_at(crawl, 2, 5, 0);
    bell_at(crawl, 3, 5, 0);
    bell_at(crawl, 4, 3, 0);
    must(crawl, kifu_run(crawl));
    go_to_turn(crawl, 3);
    ck_assert_str_eq(bells(crawl), "1 4");
    bell_at(crawl, 5, 5, 0); // In the slot of the first.
    bell_at(crawl, 6, 2, 0); // It is past: with the next.
    bell_at(crawl, 7, 0, 0);
    bell_at(crawl, 8, 3, 0); // This turn has begun.
    bell_at(crawl, 9, UINT32_MAX, 0);
    must(crawl, kifu_run(crawl));
    go_to_turn(crawl, 4);
    ck_assert_str_eq(bells(crawl), "1 4 6 7 8");
    go_to_turn(crawl, 5);
    ck_assert_str_eq(bells(crawl), "1 4 6 7 8 2 3 5");
    go_to_turn(crawl, 50);
    ck_assert_uint_eq(timer_count(crawl), 1);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H07_a_postponed_event_keeps_its_place)
{
    kifu_timeline *crawl = crawl_new(NULL);
    crawl_submit_e_bell(crawl, 1);
    kifu_ticket ticket = crawl_submit_p_bell(crawl, 3, 2);
    must(crawl, kifu_postpone(crawl, ticket, 1, 77));
    crawl_submit_e_bell(crawl, 3);
    kifu_event event;
    ck_assert_uint_eq(kifu_pending_count(crawl), 3);
    ck_assert(kifu_pending_at(crawl, 1, &event));
    ck_assert_str_eq(event.name, "kifu.ESchedule");
    ck_assert_int_eq(event.player, 3);
    ck_assert_int_eq(event.flags, KIFU_UNDOABLE); // A player decided it: undo stops there.
    const kifu_e_schedule *schedule = event.table;
    ck_assert_uint_eq(schedule->turn, 1);
    ck_assert_uint_eq(schedule->key, 77);
    ck_assert_int_eq(schedule->player, 3);
    ck_assert_uint_eq(schedule->type, CRAWL_P_BELL);
    must_refuse(crawl, kifu_postpone(crawl, ticket, 1, 77)); // It is not the last any more.
    must(crawl, kifu_override(crawl, ticket, true, true));   // It is the same proposal still.
    must(crawl, kifu_run(crawl));
    ticket = crawl_submit_e_bell(crawl, 4);
    must(crawl, kifu_override(crawl, ticket, true, false));
    must(crawl, kifu_postpone(crawl, ticket, 9, 77));
    must(crawl, kifu_run(crawl));
    ck_assert_int_eq(last_event(crawl).flags, KIFU_UNDOABLE);
    ck_assert_str_eq(bells(crawl), "1 3");
    go_to_turn(crawl, 1);
    ck_assert_str_eq(bells(crawl), "1 3 4002"); // By player 3.
    event = last_event(crawl);
    ck_assert_int_eq(event.player, 3);
    ck_assert_int_eq(event.flags, KIFU_UNDOABLE | KIFU_CONTINUE_UNDO); // Undo does not stop where it happens.
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H07_checks_are_asked_when_it_happens)
{
    kifu_timeline *crawl = crawl_new(NULL);
    bell_at(crawl, 1, 1, 0);
    must(crawl, kifu_postpone(crawl, crawl_submit_p_bell(crawl, 0, 13), 1, 0)); // Rejected, then.
    bell_at(crawl, 2, 1, 0);
    must(crawl, kifu_run(crawl));
    go_to_turn(crawl, 1);
    ck_assert_str_eq(bells(crawl), "1 2");
    ck_assert_uint_eq(timer_count(crawl), 0);
    must(crawl, kifu_postpone(crawl, crawl_submit_p_bell(crawl, 0, 5), 2, 0));
    crawl_submit_e_end_game(crawl);
    must(crawl, kifu_run(crawl));
    go_to_turn(crawl, 3);
    ck_assert_str_eq(bells(crawl), "1 2");
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H07_a_cancelled_event_never_happens)
{
    kifu_timeline *crawl = crawl_new(NULL);
    for (uint32_t i = 0; i < 6; i++)
        bell_at(crawl, i, 3, i % 2);
    must(crawl, kifu_run(crawl));
    crawl_submit_e_cancel(crawl, 1);
    crawl_submit_e_cancel(crawl, 99);
    must(crawl, kifu_run(crawl));
    ck_assert_uint_eq(timer_count(crawl), 3);
    must(crawl, kifu_undo(crawl) == KIFU_NOTHING_TO_UNDO ? KIFU_OK : KIFU_FAILED); // Engine events, all of them.
    go_to_turn(crawl, 3);
    ck_assert_str_eq(bells(crawl), "0 2 4");
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H07_too_many_timers_fail)
{
    kifu_timeline *crawl = crawl_new(NULL);
    for (uint32_t i = 0; i < 8; i++)
        bell_at(crawl, i, 2, 0);
    must(crawl, kifu_run(crawl));
    bell_at(crawl, 8, 2, 0);
    ck_assert_int_eq(kifu_run(crawl), KIFU_FAILED);
    must_say(crawl, "too many events are timed");
    go_to_turn(crawl, 2);
    ck_assert_str_eq(bells(crawl), "0 1 2 3 4 5 6 7");
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

// --- From where ------------------------------------------------------------------------------------------------------

// Number 0: as it should be. The others are misuse.
static kifu_result postpone_in_do(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    kifu_ticket first = crawl_submit_e_bell(crawl, 1);
    kifu_ticket last = number == 1 ? crawl_submit_e_bell(crawl, 2) : first;
    kifu_ticket wrong = number == 2 ? 4711 : first;
    if (number == 3)
        *crawl_edit_words(crawl) = 1;
    kifu_result result = kifu_postpone(crawl, wrong, 2, 0);
    must_be(kifu_is_replaying(crawl) || (result == KIFU_OK) == (number != 1 && number != 2));
    (void)last;
    return KIFU_OK;
}

static kifu_result react(void *context, kifu_timeline *crawl, const void *state, const kifu_event *event)
{
    (void)context;
    (void)state;
    if (event->type == CRAWL_E_BELL)
        return kifu_postpone(crawl, crawl_submit_e_any(crawl, 0, 15), 3, 5);
    return KIFU_OK;
}

static void tell(void *context, kifu_timeline *crawl, const kifu_outcome *outcome)
{
    kifu_ticket *other = context;
    ck_assert_int_eq(outcome->result, KIFU_OK);
    ck_assert_uint_eq(outcome->type, CRAWL_E_SCHEDULE);
    must(crawl, kifu_postpone(crawl, crawl_submit_e_bell(crawl, 9), 2, 0));
    must_refuse(crawl, kifu_postpone(crawl, *other, 3, 0)); // It is not the last one any more.
}

// A check that has it later.
static kifu_verdict not_now(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    if (number != 6)
        return kifu_accept();
    kifu_ticket ticket = crawl_submit_p_any(crawl, 0, actor, 7, 15);
    ck_assert_int_eq(kifu_postpone(crawl, ticket, 1, 0), KIFU_OK);
    return kifu_instead(ticket);
}

START_TEST(H07_from_do_a_check_a_reaction_and_a_follower)
{
    kifu_timeline *crawl = crawl_new(NULL);
    must(crawl, crawl_do(crawl, postpone_in_do, KIFU_NO_HANDLE, 0));
    ck_assert_uint_eq(timer_count(crawl), 1);
    must(crawl, kifu_observe(crawl, &(kifu_observer){.react = react, .type = CRAWL_E_BELL}));
    kifu_ticket ticket = crawl_submit_e_bell(crawl, 4);
    must(crawl, kifu_postpone(crawl, ticket, 1, 0));
    kifu_ticket other = crawl_submit_e_cancel(crawl, 1000);
    must(crawl, kifu_follow(crawl, ticket, tell, &other));
    must(crawl, kifu_run(crawl));
    ck_assert_uint_eq(timer_count(crawl), 3);
    go_to_turn(crawl, 2);
    ck_assert_str_eq(bells(crawl), "4 1 9");
    ck_assert_uint_eq(timer_count(crawl), 3); // Of the reactions.
    go_to_turn(crawl, 3);
    test_hooks.in_check = not_now;
    uint32_t from = kifu_event_count(crawl);
    crawl_submit_p_any(crawl, 0, KIFU_NO_HANDLE, 6, 15);
    must(crawl, kifu_run(crawl));
    ck_assert_str_eq(crawl_log(crawl, from), "ESchedule");
    go_to_turn(crawl, 4);
    ck_assert_uint_eq(last_event(crawl).type, CRAWL_P_ANY);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

static void postpone_in_listener(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)state;
    (void)change;
    kifu_timeline *crawl = *(kifu_timeline **)context;
    ck_assert_ptr_eq(crawl, timeline);
    ck_assert_int_eq(kifu_postpone(crawl, 1, 1, 1), KIFU_MISUSE);
}

START_TEST(H07_misuse_is_told)
{
    kifu_timeline *crawl = crawl_new(NULL);
    must_refuse(crawl, kifu_postpone(crawl, 4711, 1, 1));
    must_say(crawl, "ticket 4711 is not of the event that was submitted last");
    must(crawl, kifu_postpone(crawl, 0, 1, 1)); // A submit in a replay.
    kifu_ticket first = crawl_submit_e_bell(crawl, 1);
    crawl_submit_e_bell(crawl, 2);
    must_refuse(crawl, kifu_postpone(crawl, first, 1, 1));
    must(crawl, kifu_run(crawl)); // Both happen now.
    ck_assert_str_eq(bells(crawl), "1 2");
    const uint32_t events = kifu_event_count(crawl);
    for (int32_t number = 1; number <= 2; number++) { // In Do it fails, whatever Do makes of it.
        ck_assert_int_eq(crawl_do(crawl, postpone_in_do, KIFU_NO_HANDLE, number), KIFU_MISUSE);
        ck_assert_uint_eq(kifu_event_count(crawl), events);
        ck_assert_uint_eq(kifu_pending_count(crawl), 0);
    }
    // What cannot be recorded is told at once, and waits as it was.
    const crawl_kind wrong = (crawl_kind)9;
    kifu_ticket ticket =
        crawl_submit_e_words(crawl, 1, "x", wrong, NULL, NULL, NULL, 0, NULL, 0, NULL, NULL, 0, NULL, 0, NULL, 0);
    ck_assert_int_eq(kifu_postpone(crawl, ticket, 1, 1), KIFU_INVALID_EVENT);
    ck_assert_uint_eq(kifu_pending_count(crawl), 1);
    ck_assert_int_eq(kifu_run(crawl), KIFU_INVALID_EVENT);
    must(crawl, kifu_observe(crawl, &(kifu_observer){.listen = postpone_in_listener, .size = 1000, .context = &crawl}));
    crawl_submit_e_bell(crawl, 3);
    must_refuse(crawl, kifu_run(crawl));
    kifu_destroy(crawl);
}
END_TEST

// --- What is in them -------------------------------------------------------------------------------------------------

// The event as a blob, the same wherever it lies in a log.
static kifu__blob blob_of(const kifu_timeline *crawl, uint32_t index, const kifu__memory *memory)
{
    kifu__blob blob = {.memory = memory};
    const kifu__segment *segment = kifu__log_segment_of(&crawl->log, index);
    const kifu__buffer buffer = {.bytes = segment->bytes, .size = segment->size};
    uint32_t slot = index - segment->first;
    uint32_t position = (uint32_t)((const unsigned char *)kifu__segment_table(segment, slot) - segment->bytes);
    ck_assert_int_eq(kifu__convert_table(&buffer, crawl_rules.types[segment->types[slot]].table, position, &blob),
                     KIFU_OK);
    return blob;
}

// All kinds of fields, there or absent as the bits of `how` say.
static kifu_ticket submit_words(kifu_timeline *crawl, uint32_t how)
{
    const int16_t maybe = -7;
    const crawl_spot spot = {.x = 5, .far = UINT64_C(0x1122334455667788)};
    const uint64_t numbers[] = {1, UINT64_MAX, 3};
    const crawl_word_args inner = {.text = "inner", .kind = CRAWL_KIND_OGRE, .has_count = true, .count = 4};
    const crawl_word_args words[] = {{.text = "one", .next = &inner}, {.kind = CRAWL_KIND_RAT}, {.text = ""}};
    const crawl_pair_args pairs[] = {{.left = 1, .right = 2}, {.right = 3}, {.left = 4}}; // Never a variant.
    const char *const labels[] = {"a", "", "a longer one"};
    const crawl_kind kinds[] = {CRAWL_KIND_OGRE, CRAWL_KIND_HERO, CRAWL_KIND_RAT};
    const uint32_t all = how >> 8; // So many elements.
    return crawl_submit_e_words(
        crawl, how & 1 ? 9 : 0, how & 2 ? "a title" : "", CRAWL_KIND_HERO, how & 4 ? &maybe : NULL,
        how & 8 ? &spot : NULL, how & 16 ? numbers : NULL, how & 16 ? all : 0, how & 32 ? words : NULL,
        how & 32 ? all : 0, how & 64 ? &words[0] : NULL, how & 128 ? labels : NULL, how & 128 ? all : 0,
        how & 16 ? kinds : NULL, how & 16 ? all : 0, how & 32 ? pairs : NULL, how & 32 ? all : 0);
}

START_TEST(H07_what_happens_is_what_was_submitted)
{
    const kifu__memory memory = kifu__memory_of(NULL, NULL);
    kifu_timeline *crawl = crawl_new(NULL);
    uint32_t turn = 0;
    for (uint32_t how = 0; how < 1024; how++) {
        submit_words(crawl, how);
        must(crawl, kifu_run(crawl));
        kifu__blob now = blob_of(crawl, kifu_event_count(crawl) - 1, &memory);
        must(crawl, kifu_postpone(crawl, submit_words(crawl, how), ++turn, 0));
        must(crawl, kifu_run(crawl));
        go_to_turn(crawl, turn);
        must_be(last_event(crawl).type == CRAWL_E_WORDS);
        kifu__blob later = blob_of(crawl, kifu_event_count(crawl) - 1, &memory);
        must_be(now.size == later.size && !memcmp(now.bytes, later.bytes, now.size));
        kifu__free(&memory, now.bytes);
        kifu__free(&memory, later.bytes);
    }
    ck_assert_uint_eq(crawl_get_state(crawl)->words, 2048);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

static void schedule_bytes(kifu_timeline *crawl, uint8_t type, int8_t player, const uint8_t *bytes, uint32_t size)
{
    crawl_submit_e_schedule(crawl, 1, 0, type, player, bytes, size);
    must(crawl, kifu_run(crawl));
}

// An EBell whose vtable has other entries: of an older version, which had no number; of a newer one, which has more.
START_TEST(H07_another_version_may_have_written_it)
{
    const uint8_t older[] = {8, 0, 0, 0, 4, 0, 4, 0, 4, 0, 0, 0};
    const uint8_t newer[] = {16, 0, 0, 0, 10, 0, 16, 0, 12, 0, 4, 0, 8,  0, 0, 0,
                             12, 0, 0, 0, 1,  1, 1,  1, 2,  2, 2, 2, 42, 0, 0, 0};
    kifu_timeline *crawl = crawl_new(NULL);
    schedule_bytes(crawl, CRAWL_E_BELL, -1, older, sizeof older);
    schedule_bytes(crawl, CRAWL_E_BELL, -1, newer, sizeof newer);
    go_to_turn(crawl, 1);
    ck_assert_str_eq(bells(crawl), "0 42");
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

// What cannot happen is told once, in a sentence, and dropped when the turn is begun again; nothing else is lost.
START_TEST(H07_what_cannot_be_read_is_told_once_and_dropped)
{
    const uint8_t bell[] = {12, 0, 0, 0, 6, 0, 8, 0, 4, 0, 0, 0, 8, 0, 0, 0, 42, 0, 0, 0};
    kifu_timeline *crawl = crawl_new(NULL);
    kifu_handle rat = crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 100);
    bell_at(crawl, 1, 1, 0);
    must(crawl, kifu_run(crawl));
    schedule_bytes(crawl, 200, -1, bell, sizeof bell);
    schedule_bytes(crawl, CRAWL_E_BELL, 3, bell, sizeof bell);
    schedule_bytes(crawl, CRAWL_E_BELL, -1, bell, 11);
    schedule_bytes(crawl, CRAWL_E_BELL, -1, bell, 0);
    schedule_bytes(crawl, 0, -1, bell, sizeof bell);
    schedule_bytes(crawl, CRAWL_E_BELL, -5, bell, sizeof bell);
    bell_at(crawl, 2, 1, 0);
    must(crawl, kifu_run(crawl));
    kifu_timeline *loaded = reload(crawl, &(kifu_options){.user = &test_hooks});
    const char *const reasons[] = {"knows no event type 200", "kifu", "too small", "knows no event type 0",
                                   "no player -5"};
    for (int i = 0; i < 5; i++) {
        const uint64_t hash = kifu_state_hash(crawl);
        kifu_turn turn;
        ck_assert_int_eq(kifu_take_turn(crawl, crawl_rest, NULL, &turn), KIFU_FAILED);
        must_say(crawl, "cannot happen, and is dropped when the game turn begins again");
        if (i != 1)
            must_say(crawl, reasons[i]);
        ck_assert_uint_eq(kifu_state_hash(crawl), hash);
        ck_assert_uint_eq(kifu_pending_count(crawl), 0);
        ck_assert_uint_eq(timer_count(crawl), 8);
    }
    kifu_turn turn = crawl_step(crawl, crawl_rest);
    ck_assert_int_eq(turn.status, KIFU_TURN_BEGAN);
    ck_assert_str_eq(bells(crawl), "1 42 2");
    ck_assert_uint_eq(timer_count(crawl), 0);
    turn = crawl_step(crawl, crawl_rest);
    ck_assert_uint_eq(turn.actor, rat);
    must_replay(crawl);
    ck_assert_uint_eq(timer_count(loaded), 8); // The same after a load.
    kifu_result result;
    int failures = 0;
    while ((result = kifu_take_turn(loaded, crawl_rest, NULL, &turn)) == KIFU_FAILED)
        failures++;
    ck_assert_int_eq(result, KIFU_OK);
    ck_assert_int_eq(failures, 5);
    must(loaded, kifu_run(loaded));
    ck_assert_str_eq(bells(loaded), "1 42 2");
    kifu_destroy(loaded);
    kifu_destroy(crawl);
}
END_TEST

static kifu_result break_timer(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    kifu_handle first = crawl_next_timers(crawl_get_state(crawl), KIFU_NO_HANDLE);
    *crawl_edit_timers_event(crawl, first) = (uint32_t)number;
    return KIFU_OK;
}

START_TEST(H07_a_timer_that_leads_to_no_event_is_dropped)
{
    const int32_t wrong[] = {0, 100000, -2};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        kifu_timeline *crawl = crawl_new(NULL);
        bell_at(crawl, 1, 1, 0);
        bell_at(crawl, 2, 1, 0);
        must(crawl, kifu_run(crawl));
        must(crawl, crawl_do(crawl, break_timer, KIFU_NO_HANDLE, wrong[i]));
        crawl_submit_e_begin_turn(crawl);
        ck_assert_int_eq(kifu_run(crawl), KIFU_FAILED);
        must_say(crawl, "its timer does not refer to a kifu.ESchedule");
        go_to_turn(crawl, 1);
        ck_assert_str_eq(bells(crawl), "2");
        must_replay(crawl);
        kifu_destroy(crawl);
    }
}
END_TEST

START_TEST(H07_damaged_bytes_are_never_believed)
{
    kifu_timeline *crawl = crawl_new(NULL);
    must(crawl, kifu_postpone(crawl, submit_words(crawl, 1023), 1, 0));
    kifu_event event;
    ck_assert(kifu_pending_at(crawl, 0, &event));
    const kifu_e_schedule *schedule = event.table;
    static uint8_t good[4000], bad[4000];
    uint32_t size = kifu__length(&schedule->event);
    ck_assert_uint_le(size, sizeof good);
    memcpy(good, kifu__elements(&schedule->event), size);
    must(crawl, kifu_run(crawl));
    uint32_t turn = 1, failures = 0;
    go_to_turn(crawl, turn);
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 3);
    for (unsigned long i = 0; i < fuzz_steps(5000); i++) {
        memcpy(bad, good, size);
        for (uint32_t k = kifu_rng_below(&rng, 3) + 1; k > 0; k--)
            bad[kifu_rng_below(&rng, size)] = (uint8_t)(1u << kifu_rng_below(&rng, 8));
        uint32_t length = kifu_rng_below(&rng, 8) ? size : kifu_rng_below(&rng, size);
        schedule_bytes(crawl, CRAWL_E_WORDS, -1, bad, length);
        turn++;
        crawl_submit_e_begin_turn(crawl);
        kifu_result result = kifu_run(crawl);
        must_be(result == KIFU_OK || result == KIFU_FAILED);
        failures += result == KIFU_FAILED;
        go_to_turn(crawl, turn);
        must_be(timer_count(crawl) == 0);
        if (kifu_event_count(crawl) > 5000) {
            kifu_destroy(crawl);
            crawl = crawl_new(NULL);
            turn = 0;
        }
    }
    ck_assert_uint_gt(failures, 100);
    must_replay(crawl);
    kifu_destroy(crawl);
}
END_TEST

// --- Like the rest ---------------------------------------------------------------------------------------------------

// A game of 60 turns with levers, bells, cancels, at random.
static void play(kifu_timeline *crawl, uint64_t seed)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, seed, 1);
    crawl_submit_e_build(crawl);
    kifu_handle hero = crawl_add(crawl, CRAWL_KIND_HERO, 1, 3, 100);
    crawl_add(crawl, CRAWL_KIND_RAT, 6, 3, 120);
    for (uint32_t i = 0; i < 60; i++) {
        const uint32_t turn = crawl_get_state(crawl)->turns.turn, key = kifu_rng_below(&rng, 3);
        const uint32_t when = turn + kifu_rng_below(&rng, 6);
        kifu_result result = KIFU_OK;
        switch (kifu_rng_below(&rng, 6)) {
        case 0:
            bell_at(crawl, i, when, key);
            break;
        case 1:
            result = kifu_postpone(crawl, crawl_submit_p_bell(crawl, 1, i), when, key);
            break;
        case 2:
            result = kifu_postpone(crawl, submit_words(crawl, kifu_rng_below(&rng, 1024)), when, key);
            break;
        case 3:
            crawl_submit_e_cancel(crawl, key);
            break;
        default:
            result = kifu_set_action(crawl, hero, crawl_submit_p_pull(crawl, 0, hero, kifu_rng_below(&rng, 4)));
        }
        must(crawl, result);
        result = kifu_run(crawl);
        must_be(result == KIFU_OK || result == KIFU_FAILED);
        kifu_turn step;
        must(crawl, kifu_take_turn(crawl, crawl_rest, NULL, &step));
        result = kifu_run(crawl); // Too many timers.
        must_be(result == KIFU_OK || result == KIFU_FAILED);
        must(crawl, kifu_run(crawl));
    }
}

START_TEST(H07_undo_replay_and_saves_know_them)
{
    for (uint64_t seed = 0; seed < 10; seed++) {
        const kifu_options options = {
            .record_inputs = kifu_record_inputs, .sync_test = seed == 0 ? kifu_sync_test : NULL, .hash_interval = 1};
        kifu_timeline *crawl = crawl_new(&options);
        play(crawl, seed);
        must_replay(crawl);
        must(crawl, kifu_verify_rules(crawl, NULL, NULL, NULL));
        // Saved at each event, and gone on with.
        const uint32_t count = kifu_event_count(crawl);
        for (uint32_t i = 3; i < count; i += 11) {
            kifu_timeline *fork = fork_of(crawl, i, &(kifu_options){.user = &test_hooks});
            kifu_timeline *loaded = reload_fast(fork, &(kifu_options){.user = &test_hooks}, i % 2);
            must_be(kifu_state_hash(fork) == kifu_state_hash(loaded));
            for (int k = 0; k < 20; k++) {
                crawl_step(fork, crawl_rest);
                crawl_step(loaded, crawl_rest);
            }
            must_be(kifu_state_hash(fork) == kifu_state_hash(loaded));
            must_be(kifu_event_count(fork) == kifu_event_count(loaded));
            kifu_destroy(fork);
            kifu_destroy(loaded);
        }
        kifu_destroy(crawl);
    }
}
END_TEST

START_TEST(H08_timers_allocate_nothing_in_steady_state)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .keyframe_bytes = 1};
    kifu_timeline *crawl = crawl_new(&options);
    crawl_submit_p_rest(crawl, 0, crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 1)); // Undo goes so far.
    must(crawl, kifu_run(crawl));
    long calls = 0;
    for (int round = 0; round < 6; round++) {
        calls = memory.calls;
        for (uint32_t i = 0; i < 60; i++) {
            const uint32_t turn = crawl_get_state(crawl)->turns.turn;
            bell_at(crawl, i, turn + 2, 0);
            must(crawl, kifu_postpone(crawl, submit_words(crawl, 1023), turn + 1, 0));
            if (i % 7 == 0)
                crawl_submit_e_cancel(crawl, 0);
            crawl_submit_e_begin_turn(crawl);
            must(crawl, kifu_run(crawl));
        }
        must(crawl, kifu_undo(crawl));
        must(crawl, kifu_redo(crawl));
        must(crawl, kifu_undo(crawl));
        crawl_submit_p_rest(crawl, 0, UINT32_C(1) << 16);
        must(crawl, kifu_run(crawl));
    }
    ck_assert_int_eq(memory.calls, calls);
    kifu_destroy(crawl);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

static long postpone_short_of_memory(long until_failure)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *crawl = crawl_new(&options);
    const long before = memory.calls;
    memory.until_failure = until_failure;
    kifu_ticket ticket;
    while (!(ticket = submit_words(crawl, 1023)))
        ck_assert_int_eq(kifu_run(crawl), KIFU_NO_MEMORY);
    kifu_result result = kifu_postpone(crawl, ticket, 1, 0);
    if (result) { // It still waits as what it was.
        ck_assert_int_eq(result, KIFU_NO_MEMORY);
        must(crawl, kifu_postpone(crawl, ticket, 1, 0));
    }
    result = kifu_run(crawl);
    if (result) {
        ck_assert_int_eq(result, KIFU_NO_MEMORY);
        must(crawl, kifu_run(crawl));
        if (!timer_count(crawl)) { // It was taken back in its Do.
            must(crawl, kifu_postpone(crawl, submit_words(crawl, 1023), 1, 0));
            must(crawl, kifu_run(crawl));
        }
    }
    for (int i = 0; crawl_get_state(crawl)->turns.turn < 1; i++) {
        ck_assert_int_lt(i, 3);
        if (!crawl_submit_e_begin_turn(crawl)) {
            ck_assert_int_eq(kifu_run(crawl), KIFU_NO_MEMORY);
            continue;
        }
        result = kifu_run(crawl);
        must_be(result == KIFU_OK || (result == KIFU_NO_MEMORY && memory.failed));
        must(crawl, kifu_run(crawl));
        must_be(timer_count(crawl) == (crawl_get_state(crawl)->turns.turn == 0));
    }
    const long calls = memory.calls - before;
    memory.until_failure = -1;
    must_replay(crawl);
    kifu_destroy(crawl);
    ck_assert_int_eq(memory.blocks, 0);
    return calls;
}

START_TEST(H07_without_room_in_the_queue_it_waits_as_it_was)
{
    uint32_t failures = 0;
    for (uint32_t others = 0; others < 60; others++) {
        test_memory memory = {.until_failure = -1};
        kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        kifu_timeline *crawl = crawl_new(&options);
        for (uint32_t i = 0; i < others; i++)
            crawl_submit_e_bell(crawl, i);
        kifu_ticket ticket = crawl_submit_e_bell(crawl, 99);
        ck_assert_uint_ne(ticket, 0);
        memory.until_failure = others % 2; // The room for writing, or the queue.
        kifu_result result = kifu_postpone(crawl, ticket, 1, 0);
        kifu_event event;
        ck_assert_uint_eq(kifu_pending_count(crawl), others + 1);
        ck_assert(kifu_pending_at(crawl, others, &event));
        ck_assert_uint_eq(event.type, result ? CRAWL_E_BELL : CRAWL_E_SCHEDULE);
        memory.until_failure = -1;
        if (result) {
            failures += others % 2;
            ck_assert_int_eq(result, KIFU_NO_MEMORY);
            must(crawl, kifu_postpone(crawl, ticket, 1, 0));
        }
        must(crawl, kifu_run(crawl));
        ck_assert_uint_eq(crawl_get_state(crawl)->bell_count, others);
        go_to_turn(crawl, 1);
        ck_assert_uint_eq(crawl_get_state(crawl)->bells[others % 16], 99);
        kifu_destroy(crawl);
        ck_assert_int_eq(memory.blocks, 0);
    }
    ck_assert_uint_gt(failures, 0);
}
END_TEST

START_TEST(H07_after_a_load_every_allocation_may_fail)
{
    kifu_timeline *crawl = crawl_new(NULL);
    crawl_add(crawl, CRAWL_KIND_RAT, 1, 1, 100);
    for (uint32_t i = 0; i < 8; i++)
        bell_at(crawl, i, i % 2 ? 1 : 2, 0);
    must(crawl, kifu_run(crawl));
    for (long fail = 0;; fail++) {
        ck_assert_int_lt(fail, 100);
        test_memory memory = {.until_failure = -1};
        kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .user = &test_hooks};
        kifu_timeline *loaded = reload(crawl, &options);
        const uint64_t hash = kifu_state_hash(loaded);
        memory.until_failure = fail;
        for (int i = 0; crawl_get_state(loaded)->turns.turn < 1; i++) {
            ck_assert_int_lt(i, 4);
            kifu_turn turn;
            kifu_result result = kifu_take_turn(loaded, crawl_rest, NULL, &turn);
            must_be(result == KIFU_OK || (result == KIFU_NO_MEMORY && kifu_state_hash(loaded) == hash));
            result = kifu_run(loaded);
            must_be(result == KIFU_OK || result == KIFU_NO_MEMORY);
        }
        must(loaded, kifu_run(loaded));
        must_be(timer_count(loaded) == 4);
        memory.until_failure = -1;
        must_replay(loaded);
        kifu_destroy(loaded);
        ck_assert_int_eq(memory.blocks, 0);
        if (!memory.failed)
            break;
    }
    kifu_destroy(crawl);
}
END_TEST

START_TEST(H07_every_allocation_may_fail)
{
    long calls = postpone_short_of_memory(-1);
    ck_assert_int_gt(calls, 5);
    for (long i = 0; i < calls + 2; i++)
        postpone_short_of_memory(i);
}
END_TEST

// --- How many --------------------------------------------------------------------------------------------------------

static kifu_result rings(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    for (int32_t i = 0; i < number; i++)
        crawl_submit_e_bell(crawl, (uint32_t)i);
    return KIFU_OK;
}

// Eight timers for the next game turn, each with `number` consequences, behind a player's event.
static kifu_timeline *eight_timers(const kifu_options *options, int32_t number)
{
    kifu_timeline *crawl = crawl_new(options);
    crawl_submit_p_any(crawl, 0, 0, 0, crawl_what(rings));
    for (int i = 0; i < 8; i++)
        must(crawl, kifu_postpone(crawl, crawl_submit_e_any(crawl, number, crawl_what(rings)), 1, 0));
    must(crawl, kifu_run(crawl));
    crawl_submit_e_begin_turn(crawl);
    return crawl;
}

static const kifu_options at_most_three = {.max_consequences = 3, .user = &test_hooks};

START_TEST(F18_each_timed_event_has_consequences_of_its_own)
{
    kifu_timeline *crawl = eight_timers(&at_most_three, 3);
    must(crawl, kifu_run(crawl));
    ck_assert_uint_eq(crawl_get_state(crawl)->bell_count, 24);
    must_replay(crawl);
    kifu_destroy(crawl);

    // What is not honest is taken back whole.
    crawl = eight_timers(&at_most_three, 4);
    const uint32_t before = kifu_event_count(crawl);
    ck_assert_int_eq(kifu_run(crawl), KIFU_RUNAWAY);
    ck_assert_uint_eq(kifu_event_count(crawl), before);
    ck_assert_uint_eq(timer_count(crawl), 8);
    kifu_destroy(crawl);
}
END_TEST

START_TEST(F18_also_after_a_load_or_redo_in_the_middle_of_the_turn)
{
    for (uint32_t steps = 1; steps < 33; steps++) {
        kifu_timeline *crawl = eight_timers(&at_most_three, 3);
        for (uint32_t i = 0; i < steps; i++)
            must(crawl, kifu_step(crawl));
        ck_assert_uint_eq(kifu_pending_count(crawl), steps < 9 ? 8 - (steps - 1) + 3 * (steps - 1) : 33 - steps);
        kifu_timeline *loaded = reload(crawl, &at_most_three);
        must(loaded, kifu_run(loaded));
        ck_assert_uint_eq(crawl_get_state(loaded)->bell_count, 24);
        kifu_destroy(loaded);
        must(crawl, kifu_undo(crawl));
        ck_assert_uint_eq(timer_count(crawl), 0);
        must(crawl, kifu_redo(crawl));
        must(crawl, kifu_run(crawl));
        ck_assert_uint_eq(crawl_get_state(crawl)->bell_count, 24);
        kifu_destroy(crawl);

        crawl = eight_timers(&at_most_three, 4);
        for (uint32_t i = 0; i < steps && i < 6; i++)
            must(crawl, kifu_step(crawl));
        loaded = reload(crawl, &at_most_three);
        ck_assert_int_eq(kifu_run(loaded), KIFU_RUNAWAY);
        kifu_destroy(loaded);
        kifu_destroy(crawl);
    }
}
END_TEST

static kifu_result times_itself(kifu_timeline *crawl, kifu_handle actor, int32_t number)
{
    (void)actor;
    const uint32_t turn = crawl_get_state(crawl)->turns.turn;
    kifu_result result = kifu_postpone(crawl, crawl_submit_e_any(crawl, number, (uint8_t)number), turn + 1, 0);
    crawl_submit_e_begin_turn(crawl);
    return result;
}

START_TEST(F18_a_timed_event_that_begins_turns_for_itself_comes_to_an_end)
{
    kifu_timeline *crawl = crawl_new(&at_most_three);
    const uint8_t what = crawl_what(times_itself);
    must(crawl, kifu_postpone(crawl, crawl_submit_e_any(crawl, what, what), 1, 0));
    must(crawl, kifu_run(crawl));
    crawl_submit_e_begin_turn(crawl);
    ck_assert_int_eq(kifu_run(crawl), KIFU_RUNAWAY);
    kifu_destroy(crawl);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        H07_doors_open_after_20_turns,
        H07_they_happen_in_the_order_in_which_they_were_timed,
        H07_a_postponed_event_keeps_its_place,
        H07_checks_are_asked_when_it_happens,
        H07_a_cancelled_event_never_happens,
        H07_too_many_timers_fail,
        H07_from_do_a_check_a_reaction_and_a_follower,
        H07_misuse_is_told,
        H07_what_happens_is_what_was_submitted,
        H07_another_version_may_have_written_it,
        H07_what_cannot_be_read_is_told_once_and_dropped,
        H07_a_timer_that_leads_to_no_event_is_dropped,
        H07_damaged_bytes_are_never_believed,
        H07_undo_replay_and_saves_know_them,
        H08_timers_allocate_nothing_in_steady_state,
        H07_without_room_in_the_queue_it_waits_as_it_was,
        H07_after_a_load_every_allocation_may_fail,
        H07_every_allocation_may_fail,
        F18_each_timed_event_has_consequences_of_its_own,
        F18_also_after_a_load_or_redo_in_the_middle_of_the_turn,
        F18_a_timed_event_that_begins_turns_for_itself_comes_to_an_end,
    };
    return run_suite("timers", tests, sizeof tests / sizeof *tests);
}
