// Reactions, triggers and listeners: who hears of what, when and in which order.

#include "cards_help.h"
#include "history_help.h"
#include "lab_help.h"
#include "listen_help.h"
#include "suite.h"

static double act(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_do *event)
{
    (void)context;
    (void)timeline;
    (void)state;
    (void)event;
    note("Act ");
    return 0;
}

static void redraw(void *context, kifu_timeline *timeline)
{
    (void)context;
    (void)timeline;
    note("Redraw ");
}

static const lab_view view = {.base = {.redraw = redraw}, .act_p_do = act};

static char a[] = "a", b[] = "b", c[] = "c", d[] = "d", e[] = "e", f[] = "f"; // contexts that are told apart

START_TEST(P09_internal_ones_come_first)
{
    kifu_options options = {.view = &view.base};
    kifu_timeline *lab = lab_new(&options);
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .context = "L1"}));
    must(lab, kifu_observe(lab, &(kifu_observer){.trigger = trigger, TOTAL, .context = "T1"}));
    must(lab, kifu_observe(lab, &(kifu_observer){.react = react, .type = LAB_P_DO, .context = "R1"}));
    must(lab,
         kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .rank = KIFU_RANK_INTERNAL, .context = "l2"}));
    must(lab, kifu_observe(lab, &(kifu_observer){.react = react, .rank = KIFU_RANK_INTERNAL, .context = "r2"}));
    must(lab,
         kifu_observe(lab, &(kifu_observer){.trigger = trigger, TOTAL, .rank = KIFU_RANK_INTERNAL, .context = "t2"}));
    must(lab, kifu_observe(lab, &(kifu_observer){.react = react, .context = "R3"}));
    must(lab, kifu_observe(lab, &(kifu_observer){.trigger = trigger, TOTAL, .context = "T3"}));
    must(lab,
         kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .rank = KIFU_RANK_INTERNAL, .context = "l3"}));
    must(lab, kifu_observe(lab, &(kifu_observer){
                                    .react = react, .type = LAB_E_DO, .rank = KIFU_RANK_INTERNAL, .context = "other"}));
    heard[0] = '\0';
    must(lab, lab_play(lab, "+"));
    must_hear("r2 t2 0>1 #0 T1 0>1 #0 R1 R3 T3 0>1 #0 l2 0>1 #0 l3 0>1 #0 L1 0>1 #0 Act ");
    must(lab, lab_play(lab, "1"));
    must_hear("r2 R1 R3 Act ");
    kifu_destroy(lab);
}
END_TEST

START_TEST(P02_listeners_hear_in_both_directions)
{
    kifu_options options = {.view = &view.base};
    kifu_timeline *lab = lab_new(&options);
    must(lab, lab_play(lab, "+"));
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .context = "L"}));
    heard[0] = '\0';
    must(lab, lab_play(lab, "++"));
    must_hear("L 1>3 #1 Act ");
    must(lab, kifu_undo(lab));
    must_hear("L 3>1 #1- Redraw ");
    must(lab, kifu_redo(lab));
    must_hear("L 1>3 #1 Redraw ");
    must(lab, kifu_undo(lab));
    must(lab, kifu_undo(lab)); // also of what happened before it was added
    must_hear("L 3>1 #1- Redraw L 1>0 #0- Redraw ");
    kifu_destroy(lab);
}
END_TEST

static void ignore(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)context;
    (void)timeline;
    (void)state;
    (void)change;
}

// Who is told of undo and redo, event by event, is the listeners: with one, or with none.
static void must_run_forward_only(bool with_listener)
{
    kifu_timeline *lab = lab_new(NULL);
    if (with_listener)
        must(lab, kifu_observe(lab, &(kifu_observer){.listen = ignore, TOTAL}));
    must(lab, lab_play(lab, "+"));
    must(lab, kifu_observe(lab, &(kifu_observer){.trigger = trigger, TOTAL, .context = "T"}));
    must(lab, kifu_observe(lab, &(kifu_observer){.react = react, .context = "R"}));
    heard[0] = '\0';
    must(lab, lab_play(lab, "+(-)"));
    must_hear("T 1>2 #1 R T 2>1 #2 R ");
    must(lab, kifu_undo(lab));
    must(lab, kifu_redo(lab));
    must(lab, kifu_seek(lab, 0));
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    must(lab, kifu_verify_replay(lab, NULL));
    lab_state state;
    must(lab, kifu_state_at(lab, 2, &state, sizeof state));
    kifu_destroy(reload(lab, NULL));
    kifu_destroy(fork_of(lab, 2, NULL));
    must_hear("");
    must(lab, kifu_begin(lab, 0)); // a plain transaction changes nothing of that
    must(lab, lab_play(lab, "+"));
    must_hear("T 1>2 #3 R ");
    must(lab, kifu_roll_back(lab));
    must_hear("");
    must(lab, kifu_begin(lab, KIFU_SEARCH)); // in a search, rules are rules
    must(lab, lab_play(lab, "+"));
    must_hear("T 1>2 #3 R ");
    must(lab, kifu_roll_back(lab));
    must_hear("");
    ck_assert_int_eq(lab_play(lab, "+f"), KIFU_FAILED); // nor for what did not happen
    ck_assert_int_eq(lab_play(lab, "!"), KIFU_REJECTED);
    must_hear("");
    kifu_set_quiet(lab, true);
    must(lab, lab_play(lab, "+"));
    must_hear("T 1>2 #3 R ");
    kifu_destroy(lab);
}

START_TEST(P03_triggers_and_reactions_run_forward_and_live_only)
{
    must_run_forward_only(false);
    must_run_forward_only(true);
}
END_TEST

START_TEST(P02_all_that_a_do_changed_is_one_change)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .context = "L"}));
    must(lab, kifu_observe(lab, &(kifu_observer){.trigger = trigger, TOTAL, .context = "T"}));
    heard[0] = '\0';
    must(lab, lab_play(lab, "+1-2+3++"));
    must_hear("T 0>3 #0 L 0>3 #0 ");
    must(lab, lab_play(lab, "+-4")); // as it was
    must(lab, lab_play(lab, "b+k"));
    must(lab, lab_play(lab, "b+c-"));
    must_hear("");
    must(lab, lab_play(lab, "b+b+kc--"));
    must_hear("T 3>2 #4 L 3>2 #4 ");
    must(lab, kifu_undo(lab));
    must(lab, kifu_undo(lab));
    must_hear("L 2>3 #4- ");
    kifu_destroy(lab);
}
END_TEST

typedef struct spot {
    uint32_t offset, size, calls;
    kifu_change last;
    unsigned char before[1024], after[1024];
} spot;

static void keep(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)timeline;
    spot *spot = context;
    spot->calls++;
    spot->last = *change;
    ck_assert_uint_eq(change->offset, spot->offset);
    ck_assert_uint_eq(change->size, spot->size);
    memcpy(spot->before, change->before, change->size);
    memcpy(spot->after, change->after, change->size);
    ck_assert_mem_eq(spot->after, (const unsigned char *)state + spot->offset, spot->size);
}

static void watch(kifu_timeline *lab, spot *spot, kifu_observer part)
{
    spot->offset = part.offset;
    spot->size = part.size;
    spot->calls = 0;
    part.listen = keep;
    part.context = spot;
    must(lab, kifu_observe(lab, &part));
}

// The listener was called once, for the bytes from `first` to `last` of its part.
static void must_span(spot *spot, uint32_t first, uint32_t last)
{
    ck_assert_uint_eq(spot->calls, 1);
    ck_assert_uint_eq(spot->last.first, first);
    ck_assert_uint_eq(spot->last.length, last - first + 1);
    for (uint32_t i = 0; i < spot->size; i++)
        if (i < first || i > last)
            ck_assert_uint_eq(spot->before[i], spot->after[i]);
    ck_assert_uint_ne(spot->before[first], spot->after[first]);
    ck_assert_uint_ne(spot->before[last], spot->after[last]);
    spot->calls = 0;
}

START_TEST(P02_any_part_may_be_listened_to)
{
    kifu_timeline *lab = lab_new(NULL);
    static spot whole, trace, some, one, length, total;
    watch(lab, &whole, (kifu_observer){.size = sizeof(lab_state)});
    watch(lab, &trace, (kifu_observer){KIFU_PART(lab_state, trace)});
    watch(lab, &some, (kifu_observer){.offset = offsetof(lab_state, trace) + 2, .size = 3}); // trace[2], [3], [4]
    watch(lab, &one, (kifu_observer){KIFU_PART(lab_state, trace[3])});
    watch(lab, &length, (kifu_observer){KIFU_PART(lab_state, length)});
    watch(lab, &total, (kifu_observer){KIFU_PART(lab_state, total)});
    const uint32_t at = offsetof(lab_state, trace);
    must(lab, lab_play(lab, "1"));
    must_span(&trace, 0, 0);
    must_span(&length, 0, 0);
    must_span(&whole, at, offsetof(lab_state, length));
    ck_assert_uint_eq(some.calls + one.calls + total.calls, 0);
    must(lab, lab_play(lab, "1234"));
    must_span(&trace, 1, 4);
    must_span(&some, 0, 2);
    must_span(&one, 0, 0);
    must_span(&length, 0, 0);
    must_span(&whole, at + 1, offsetof(lab_state, length));
    must(lab, lab_play(lab, "0567890")); // the first writes what was there
    must_span(&trace, 6, 10);
    ck_assert_uint_eq(some.calls + one.calls, 0);
    length.calls = whole.calls = 0;
    must(lab, lab_play(lab, "+"));
    must_span(&total, 0, 0);
    ck_assert_uint_eq(trace.calls + length.calls, 0);
    whole.calls = 0;
    must(lab, kifu_undo(lab));
    must_span(&total, 0, 0);
    ck_assert_uint_eq(total.before[0], 1);
    ck_assert_uint_eq(total.after[0], 0);
    must(lab, kifu_undo(lab));
    must_span(&trace, 6, 10);
    must(lab, lab_play(lab, "--")); // minus two: all eight bytes
    must_span(&total, 0, 7);
    kifu_destroy(lab);
}
END_TEST

START_TEST(P02_a_roll_back_is_heard_event_by_event)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .context = "L"}));
    must(lab, lab_play(lab, "+"));
    must(lab, kifu_begin(lab, 0));
    heard[0] = '\0';
    must(lab, lab_play(lab, "+(++)(1)"));
    must(lab, lab_play(lab, "--"));
    must_hear("L 1>2 #1 L 2>4 #2 L 4>2 #4 ");
    must(lab, kifu_begin(lab, 0));
    must(lab, lab_play(lab, "-"));
    must(lab, kifu_roll_back(lab));
    must_hear("L 2>1 #5 L 1>2 #5- ");
    must(lab, kifu_roll_back(lab));
    must_hear("L 2>4 #4- L 4>2 #2- L 2>1 #1- ");
    must(lab, kifu_begin(lab, 0));
    must(lab, lab_play(lab, "+(+)"));
    must(lab, kifu_commit(lab)); // nothing changes by that
    must_hear("L 1>2 #1 L 2>3 #2 ");
    kifu_destroy(lab);
}
END_TEST

START_TEST(P02_a_long_roll_back_is_heard_event_by_event)
{
    kifu_timeline *lab = lab_new(NULL);
    follower eye;
    follow_state(&eye, lab);
    must(lab, lab_play(lab, "+"));
    must(lab, kifu_begin(lab, 0));
    for (int i = 0; i < 5000; i++) {
        if (i == 10)
            must(lab, kifu_begin(lab, 0));
        must(lab, lab_play(lab, "+"));
        if (i == 20)
            must(lab, kifu_commit(lab)); // of what is inside: the journal must reach back to the outer one still
    }
    ck_assert_uint_eq(eye.calls, 5001);
    must(lab, kifu_roll_back(lab));
    ck_assert_uint_eq(eye.calls, 10001);
    must_have_followed(&eye, lab);
    kifu_destroy(lab);
}
END_TEST

START_TEST(P02_a_failed_event_is_not_heard)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .context = "L"}));
    heard[0] = '\0';
    ck_assert_int_eq(lab_play(lab, "+f"), KIFU_FAILED);
    must_hear("");
    must(lab, kifu_begin(lab, 0));
    ck_assert_int_eq(lab_play(lab, "+b+f"), KIFU_FAILED);
    must_hear("");
    must(lab, kifu_roll_back(lab));
    must_hear("");
    kifu_destroy(lab);
}
END_TEST

// Listeners have seen the events before the one that was too many: they must see that those are gone.
START_TEST(P02_a_runaway_is_heard_as_it_is_taken_back)
{
    kifu_options options = {.max_consequences = 3};
    kifu_timeline *lab = lab_new(&options);
    follower eye;
    follow_state(&eye, lab);
    must(lab, lab_play(lab, "+"));
    ck_assert_int_eq(lab_play(lab, "+1(+2)(+(+(3)))"), KIFU_RUNAWAY);
    ck_assert_int_eq(lab_get_state(lab)->total, 1);
    must_have_followed(&eye, lab);
    must(lab, lab_play(lab, "+"));
    must_have_followed(&eye, lab);
    kifu_destroy(lab);
}
END_TEST

START_TEST(P02_who_was_not_told_while_quiet_is_told_after)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .context = "L"}));
    static spot length;
    watch(lab, &length, (kifu_observer){KIFU_PART(lab_state, length)});
    follower eye;
    follow_state(&eye, lab);
    must(lab, lab_play(lab, "+"));
    kifu_set_quiet(lab, true);
    heard[0] = '\0';
    unsigned calls = eye.calls;
    must(lab, lab_play(lab, "+1"));
    must(lab, lab_play(lab, "++"));
    must(lab, kifu_undo(lab));
    must(lab, lab_play(lab, "+++"));
    must_hear("");
    ck_assert_uint_eq(eye.calls, calls);
    ck_assert_uint_eq(length.calls, 0);
    kifu_set_quiet(lab, false);
    must_hear("");
    must(lab, lab_play(lab, "2"));
    must_hear("L 1>5 #* ");
    must_have_followed(&eye, lab);
    ck_assert_uint_ge(length.calls, 1);
    must(lab, lab_play(lab, "+"));
    must_hear("L 5>6 #4 ");
    kifu_set_quiet(lab, true); // and back to what it was: nothing to tell
    must(lab, lab_play(lab, "+"));
    must(lab, lab_play(lab, "-"));
    kifu_set_quiet(lab, false);
    must(lab, lab_play(lab, "3"));
    must_hear("");
    must_have_followed(&eye, lab);
    kifu_set_quiet(lab, true);
    must(lab, lab_play(lab, "+"));
    kifu_set_quiet(lab, false);
    must(lab, lab_play(lab, "+")); // by then it is one more: told in one change or in two
    ck_assert_msg(!strcmp(heard, "L 6>8 #* ") || !strcmp(heard, "L 6>7 #* L 7>8 #9 "), "%s", heard);
    must_have_followed(&eye, lab);
    heard[0] = '\0';
    kifu_set_quiet(lab, true);
    must(lab, lab_play(lab, "+"));
    kifu_set_quiet(lab, false);
    must(lab, kifu_undo(lab)); // it never heard of that one
    must(lab, lab_play(lab, "4"));
    must_hear("");
    must_have_followed(&eye, lab);
    kifu_destroy(lab);
}
END_TEST

START_TEST(P02_a_search_that_is_shown_is_followed)
{
    kifu_timeline *lab = lab_new(NULL);
    follower eye;
    follow_state(&eye, lab);
    must(lab, lab_play(lab, "1+"));
    must(lab, kifu_begin(lab, KIFU_SEARCH));
    must(lab, lab_play(lab, "2+"));
    kifu_set_quiet(lab, false); // one wants to see this
    must(lab, lab_play(lab, "3+"));
    must_have_followed(&eye, lab);
    must(lab, kifu_roll_back(lab));
    must(lab, lab_play(lab, "4"));
    must_have_followed(&eye, lab);
    kifu_set_quiet(lab, true);
    must(lab, kifu_begin(lab, 0));
    must(lab, lab_play(lab, "5+"));
    kifu_set_quiet(lab, false);
    must(lab, lab_play(lab, "6+"));
    kifu_set_quiet(lab, true);
    must(lab, lab_play(lab, "7+"));
    must(lab, kifu_roll_back(lab)); // quiet as before it
    kifu_set_quiet(lab, false);
    must(lab, lab_play(lab, "8"));
    must_have_followed(&eye, lab);
    ck_assert_str_eq(lab_trace(lab), "148");
    kifu_destroy(lab);
}
END_TEST

START_TEST(P02_undo_past_the_journal_is_heard_too)
{
    kifu_timeline *lab = lab_new(NULL);
    follower eye;
    follow_state(&eye, lab);
    for (int i = 0; i < 3000; i++)
        must(lab, lab_play(lab, "+"));
    ck_assert_uint_eq(eye.calls, 3000);
    for (int i = 0; i < 2500; i++) {
        must(lab, kifu_undo(lab));
        must_have_followed(&eye, lab);
        ck_assert_uint_eq(eye.calls, 3001u + (unsigned)i);
    }
    for (int i = 0; i < 2500; i++) {
        must(lab, kifu_redo(lab));
        must_have_followed(&eye, lab);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(P02_load_and_seek_are_told_by_one_redraw)
{
    kifu_options options = {.view = &view.base};
    kifu_timeline *lab = lab_new(&options);
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .context = "L"}));
    must(lab, lab_play(lab, "+"));
    must(lab, lab_play(lab, "+"));
    heard[0] = '\0';
    must(lab, kifu_seek(lab, 1));
    must_hear("Redraw ");
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    must_hear("Redraw ");
    for (int fast = 0; fast < 2; fast++) {
        kifu_timeline *loaded = reload_fast(lab, &options, fast);
        must_hear("Redraw ");
        must(loaded, lab_play(loaded, "+")); // it must be added again
        must_hear("Act ");
        must(loaded, kifu_observe(loaded, &(kifu_observer){.listen = listen, TOTAL, .context = "L"}));
        must(loaded, kifu_undo(loaded));
        must_hear("L 3>2 #2- Redraw ");
        kifu_destroy(loaded);
    }
    kifu_destroy(lab);
}
END_TEST

static void reset_nothing(void *context)
{
    (void)context;
}

START_TEST(P02_an_undo_with_a_model_outside_is_heard_too)
{
    kifu_options options = {.reset = reset_nothing}; // so every undo executes the log again
    kifu_timeline *cards = cards_new(&options);
    follower eye;
    follow_state(&eye, cards);
    for (int i = 0; i < 5; i++) {
        cards_submit_p_any(cards, 0, i);
        must(cards, kifu_run(cards));
    }
    must(cards, kifu_begin(cards, 0));
    cards_submit_p_any(cards, 0, 7);
    must(cards, kifu_run(cards));
    must(cards, kifu_roll_back(cards));
    must_have_followed(&eye, cards);
    while (kifu_can_undo(cards, NULL)) {
        must(cards, kifu_undo(cards));
        must_have_followed(&eye, cards);
    }
    while (kifu_can_redo(cards, NULL)) {
        must(cards, kifu_redo(cards));
        must_have_followed(&eye, cards);
    }
    ck_assert_int_eq(cards_get_state(cards)->life[0], 10);
    kifu_destroy(cards);
}
END_TEST

// --- Adding and removing ---------------------------------------------------------------------------------------------

START_TEST(P02_what_was_added_with_a_context_is_removed_with_it)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .context = a}));
    must(lab, kifu_observe(lab, &(kifu_observer){.trigger = trigger, TOTAL, .context = a}));
    must(lab, kifu_observe(lab, &(kifu_observer){.react = react, .context = b}));
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .context = c}));
    must(lab, kifu_observe(lab, &(kifu_observer){.react = react, .context = a}));
    must(lab, kifu_observe(lab, &(kifu_observer){.trigger = trigger, TOTAL, .context = d}));
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .rank = KIFU_RANK_INTERNAL, .context = a}));
    heard[0] = '\0';
    must(lab, lab_play(lab, "+"));
    must_hear("a 0>1 #0 b a d 0>1 #0 a 0>1 #0 a 0>1 #0 c 0>1 #0 ");
    must(lab, kifu_remove_observers(lab, a));
    must(lab, lab_play(lab, "+"));
    must_hear("b d 1>2 #1 c 1>2 #1 ");
    must(lab, kifu_remove_observers(lab, e)); // none there: nothing
    must(lab, kifu_remove_observers(lab, b));
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .context = f}));
    must(lab, lab_play(lab, "+"));
    must_hear("d 2>3 #2 c 2>3 #2 f 2>3 #2 ");
    must(lab, kifu_remove_observers(lab, c));
    must(lab, kifu_remove_observers(lab, d));
    must(lab, kifu_remove_observers(lab, f));
    must(lab, lab_play(lab, "+"));
    must(lab, kifu_undo(lab));
    must_hear("");
    kifu_destroy(lab);
}
END_TEST

START_TEST(P02_nonsense_is_not_added)
{
    kifu_timeline *lab = lab_new(NULL);
    const struct {
        kifu_observer observer;
        const char *words;
    } wrong[] = {
        {{.react = react, .type = lab_rules.type_count + 1}, "there is no event type"},
        {{.type = LAB_P_DO}, "0 are set: set exactly one"},
        {{TOTAL}, "0 are set: set exactly one"},
        {{.react = react, .listen = listen, TOTAL}, "2 are set: set exactly one"},
        {{.react = react, TOTAL}, "leave out the part of the state"},
        {{.react = react, .offset = 8}, "leave out the part of the state"},
        {{.react = react, .size = 8}, "leave out the part of the state"},
        {{.trigger = trigger, .type = LAB_P_DO, TOTAL}, "leave out the event type"},
        {{.listen = listen, .type = LAB_P_DO, TOTAL}, "leave out the event type"},
        {{.trigger = trigger}, "0 bytes at 0 are not inside the state"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        must_refuse(lab, kifu_observe(lab, &wrong[i].observer));
        must_say(lab, wrong[i].words);
        must_refuse(lab, kifu_observe_all(lab, &wrong[i].observer, 1));
        must_say(lab, "kifu_observe_all, observer 0: ");
    }
    static const uint32_t parts[][2] = {{0, sizeof(lab_state) + 1}, {sizeof(lab_state), 1},
                                        {sizeof(lab_state) - 4, 8}, {UINT32_MAX, 2},
                                        {UINT32_MAX - 7, 8},        {8, UINT32_MAX - 7}};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        const kifu_observer pulled = {.trigger = trigger, .offset = parts[i][0], .size = parts[i][1], .context = a};
        const kifu_observer heeded = {.listen = listen, .offset = parts[i][0], .size = parts[i][1], .context = a};
        must_refuse(lab, kifu_observe(lab, &pulled));
        must_refuse(lab, kifu_observe(lab, &heeded));
        must_say(lab, "KIFU_PART");
    }
    const uint32_t size = sizeof(lab_state);
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, .offset = size - 1, .size = 1, .context = a}));
    heard[0] = '\0';
    must(lab, lab_play(lab, "+"));
    must_hear("");
    kifu_destroy(lab);
}
END_TEST

START_TEST(P02_without_memory_nothing_is_added)
{
    const kifu_observer observers[] = {
        {.react = react, .context = a},
        {.trigger = trigger, TOTAL, .context = a},
        {.listen = listen, TOTAL, .context = a},
    };
    for (int kind = 0; kind < 3; kind++)
        for (long n = 0, more = 1; more; n++) {
            test_memory memory = {.until_failure = -1};
            kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
            kifu_timeline *lab = lab_new(&options);
            must(lab, lab_play(lab, "+"));
            must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .context = "old"}));
            for (int i = 0; i < 40; i++) {
                memory.until_failure = n;
                memory.failed = false;
                kifu_result result = kifu_observe(lab, &observers[kind]);
                more = memory.failed;
                memory.until_failure = -1;
                if (result) {
                    ck_assert_int_eq(result, KIFU_NO_MEMORY);
                    must_say(lab, "memory");
                }
                must(lab, kifu_remove_observers(lab, result ? "nobody" : a));
                heard[0] = '\0';
                must(lab, lab_play(lab, "+"));
                must(lab, kifu_undo(lab));
                must_hear("old 1>2 #1 old 2>1 #1- ");
                if (more)
                    break;
            }
            kifu_destroy(lab);
            ck_assert_int_eq(memory.blocks, 0);
        }
}
END_TEST

// --- Delays ----------------------------------------------------------------------------------------------------------

static void hold_half(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)context;
    (void)state;
    (void)change;
    kifu_hold(timeline, 0.5);
}

static double act_one(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_do *event)
{
    (void)context;
    (void)state;
    (void)event;
    kifu_hold(timeline, 0.25);
    return 1;
}

// Whatever it asks for, nobody waits while nothing is shown, and no time is taken back.
static double act_quietly(void *context, kifu_timeline *timeline, const lab_state *state, const lab_p_do *event)
{
    (void)context;
    (void)state;
    kifu_hold(timeline, 0.5);
    kifu_hold(timeline, 0);
    kifu_hold(timeline, -3);
    kifu_set_quiet(timeline, event->times == 2);
    kifu_hold(timeline, 0.25);
    kifu_set_quiet(timeline, false);
    return 0;
}

START_TEST(T07_nothing_is_held_in_quiet_nor_for_less_than_no_time)
{
    lab_view slow = {.act_p_do = act_quietly};
    kifu_timeline *lab = lab_new(&(kifu_options){.view = &slow.base});
    static const double delays[] = {[1] = 0.75, [2] = 0};
    for (uint8_t times = 1; times <= 2; times++) {
        lab_submit_p_do(lab, 0, "1", times);
        must(lab, kifu_step(lab));
        ck_assert_double_eq_tol(kifu_delay(lab), delays[times], 1e-9);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(T07_a_listener_may_hold_the_next_event)
{
    lab_view slow = {.act_p_do = act_one};
    kifu_options options = {.view = &slow.base};
    kifu_timeline *lab = lab_new(&options);
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = hold_half, TOTAL}));
    for (int i = 0; i < 4; i++)
        lab_submit_p_do(lab, 0, i % 2 ? "1" : "+", 1);
    must(lab, kifu_update(lab, 0));
    ck_assert_double_eq_tol(kifu_delay(lab), 1.75, 1e-9);
    must(lab, kifu_update(lab, 1.5));
    ck_assert_uint_eq(kifu_event_count(lab), 1);
    must(lab, kifu_update(lab, 0.25));
    ck_assert_uint_eq(kifu_event_count(lab), 2);
    ck_assert_double_eq_tol(kifu_delay(lab), 1.25, 1e-6); // no change, no listener
    must(lab, kifu_run(lab));
    ck_assert_double_eq_tol(kifu_delay(lab), 0, 1e-9);
    kifu_hold(lab, 1); // from outside
    ck_assert_int_eq(kifu_run(lab), KIFU_MISUSE);
    must_say(lab, "kifu_hold");
    kifu_set_quiet(lab, true);
    must(lab, lab_play(lab, "+"));
    ck_assert_double_eq_tol(kifu_delay(lab), 0, 1e-9);
    kifu_destroy(lab);
}
END_TEST

static unsigned prepared;

static kifu_result count_events(void *context, kifu_timeline *lab, const void *state, const kifu_event *event)
{
    (void)context, (void)lab, (void)state, (void)event;
    prepared++;
    return KIFU_OK;
}

static kifu_result add_counter(kifu_timeline *lab)
{
    return kifu_observe(lab, &(kifu_observer){.react = count_events});
}

static kifu_result fail_to_prepare(kifu_timeline *lab)
{
    return kifu_fail(lab, "no rules today");
}

static kifu_result submit_in_prepare(kifu_timeline *lab)
{
    lab_submit_e_do(lab, "1");
    return KIFU_OK;
}

static void play_counted(kifu_timeline *lab)
{
    prepared = 0;
    lab_must(lab, lab_play(lab, "1"));
    ck_assert_uint_eq(prepared, 1);
}

static const kifu_observer counters[] = {{.react = count_events}};

START_TEST(P03_new_loaded_and_forked_timelines_are_prepared_alike)
{
    for (int constant = 0; constant < 2; constant++) {
        const kifu_options by_call = {.prepare = add_counter}, by_data = {.observers = KIFU_OBSERVERS(counters)};
        kifu_options options = constant ? by_data : by_call;
        kifu_timeline *lab = lab_new(&options), *other;
        kifu_error error;
        play_counted(lab);
        unsigned char *bytes;
        size_t size;
        lab_must(lab, kifu_save_to_memory(lab, NULL, &bytes, &size));
        prepared = 0;
        ck_assert_int_eq(kifu_load_from_memory(&lab_rules, bytes, size, &options, NULL, &other, &error), KIFU_OK);
        ck_assert_uint_eq(prepared, 0); // a replay calls no reaction
        play_counted(other);
        kifu_destroy(other);
        ck_assert_int_eq(kifu_fork(lab, KIFU_PRESENT, NULL, &other, &error), KIFU_OK);
        play_counted(other);
        kifu_destroy(other);

        options.prepare = fail_to_prepare;
        ck_assert_int_eq(kifu_load_from_memory(&lab_rules, bytes, size, &options, NULL, &other, &error), KIFU_FAILED);
        ck_assert_ptr_null(other);
        ck_assert_msg(strstr(error.message, "prepare") != NULL, "%s", error.message);
        options.prepare = submit_in_prepare;
        ck_assert_int_eq(kifu_create(&lab_rules, &options, &other, &error), KIFU_MISUSE);
        ck_assert_msg(strstr(error.message, "may only add") != NULL, "%s", error.message);
        kifu_free_bytes(lab, bytes);
        kifu_destroy(lab);
    }
}
END_TEST

static kifu_result add_one_more(kifu_timeline *lab)
{
    return kifu_observe(lab, &(kifu_observer){.react = react, .context = "prepared"});
}

static char first[] = "first", second[] = "second";

START_TEST(P09_constant_observers_come_in_their_order_and_before_what_prepare_adds)
{
    static const kifu_observer observers[] = {
        {.react = react, .context = first},
        {.trigger = trigger, TOTAL, .context = second},
        {.listen = listen, TOTAL, .context = second},
    };
    const kifu_options options = {.observers = KIFU_OBSERVERS(observers), .prepare = add_one_more};
    kifu_timeline *lab = lab_new(&options);
    heard[0] = '\0';
    must(lab, lab_play(lab, "+"));
    must_hear("first second 0>1 #0 prepared second 0>1 #0 ");
    must(lab, kifu_remove_observers(lab, second));
    must(lab, lab_play(lab, "+"));
    must_hear("first prepared ");
    kifu_destroy(lab);
}
END_TEST

START_TEST(P09_a_wrong_constant_observer_fails_the_create_and_is_named)
{
    static const kifu_observer observers[] = {{.react = react}, {.trigger = trigger}};
    const kifu_options options = {.observers = KIFU_OBSERVERS(observers)};
    kifu_timeline *lab;
    kifu_error error;
    ck_assert_int_eq(kifu_create(&lab_rules, &options, &lab, &error), KIFU_MISUSE);
    ck_assert_ptr_null(lab);
    ck_assert_msg(strstr(error.message, "observer 1: 0 bytes at 0") != NULL, "%s", error.message);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        P03_new_loaded_and_forked_timelines_are_prepared_alike,
        P09_constant_observers_come_in_their_order_and_before_what_prepare_adds,
        P09_a_wrong_constant_observer_fails_the_create_and_is_named,
        P09_internal_ones_come_first,
        P02_listeners_hear_in_both_directions,
        P03_triggers_and_reactions_run_forward_and_live_only,
        P02_all_that_a_do_changed_is_one_change,
        P02_any_part_may_be_listened_to,
        P02_a_roll_back_is_heard_event_by_event,
        P02_a_long_roll_back_is_heard_event_by_event,
        P02_a_failed_event_is_not_heard,
        P02_a_runaway_is_heard_as_it_is_taken_back,
        P02_who_was_not_told_while_quiet_is_told_after,
        P02_a_search_that_is_shown_is_followed,
        P02_undo_past_the_journal_is_heard_too,
        P02_load_and_seek_are_told_by_one_redraw,
        P02_an_undo_with_a_model_outside_is_heard_too,
        P02_what_was_added_with_a_context_is_removed_with_it,
        P02_nonsense_is_not_added,
        P02_without_memory_nothing_is_added,
        T07_nothing_is_held_in_quiet_nor_for_less_than_no_time,
        T07_a_listener_may_hold_the_next_event,
    };
    return run_suite("listen", tests, sizeof tests / sizeof *tests);
}
