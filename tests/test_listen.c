// Reactions, triggers and listeners: who hears of what, when, in which order, and what it may do.

#include "cards_help.h"
#include "history_help.h"
#include "lab_help.h"
#include "save_help.h"
#include "suite.h"

// What happened, as one line.
static char heard[4000];

static void note(const char *text)
{
    ck_assert_uint_lt(strlen(heard) + strlen(text), sizeof heard);
    strcat(heard, text);
}

#define must_hear(text)                                                                                                \
    do {                                                                                                               \
        ck_assert_str_eq(heard, text);                                                                                 \
        heard[0] = '\0';                                                                                               \
    } while (0)

// "name total 1>2 #3 "; an event taken back: "name total 2>1 #3- "; several at once: "#*".
static void note_total(const char *name, const kifu_change *change)
{
    char number[20] = "*";
    if (change->event != KIFU_NONE)
        snprintf(number, sizeof number, "%u", (unsigned)change->event);
    char text[100];
    snprintf(text, sizeof text, "%s %d>%d #%s%s ", name, (int)*(const int64_t *)change->before,
             (int)*(const int64_t *)change->after, number, change->undone ? "-" : "");
    note(text);
}

static void listen(void *context, const kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)timeline;
    ck_assert_ptr_eq(state, kifu_state(timeline));
    note_total((const char *)context, change);
    if (change->event != KIFU_NONE) // what is told is what is, after each step
        ck_assert_int_eq(((const lab_state *)state)->total, *(const int64_t *)change->after);
}

static kifu_result react(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)state;
    ck_assert_uint_eq(event->index, kifu_event_count(timeline) - 1);
    char text[40];
    snprintf(text, sizeof text, "%s ", (const char *)context);
    note(text);
    return KIFU_OK;
}

static kifu_result trigger(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                           const kifu_change *change)
{
    (void)timeline;
    (void)event;
    ck_assert_uint_eq(change->event, event->index);
    ck_assert(!change->undone);
    ck_assert_int_eq(((const lab_state *)state)->total, *(const int64_t *)change->after);
    note_total((const char *)context, change);
    return KIFU_OK;
}

static double act(void *context, const kifu_timeline *timeline, const lab_state *state, const lab_p_do *event)
{
    (void)context;
    (void)timeline;
    (void)state;
    (void)event;
    note("Act ");
    return 0;
}

static void redraw(void *context, const kifu_timeline *timeline)
{
    (void)context;
    (void)timeline;
    note("Redraw ");
}

static const lab_view view = {.base = {.redraw = redraw}, .act_p_do = act};

#define TOTAL KIFU_FIELD(lab_state, total)

static char a[] = "a", b[] = "b", c[] = "c", d[] = "d", e[] = "e", f[] = "f"; // contexts that are told apart

START_TEST(P09_internal_ones_come_first)
{
    kifu_options options = {.view = &view.base};
    kifu_timeline *lab = lab_new(&options);
    must(lab, kifu_add_listener(lab, TOTAL, KIFU_ORDINARY, listen, "L1"));
    must(lab, kifu_add_trigger(lab, TOTAL, KIFU_ORDINARY, trigger, "T1"));
    must(lab, kifu_add_reaction(lab, LAB_P_DO, KIFU_ORDINARY, react, "R1"));
    must(lab, kifu_add_listener(lab, TOTAL, KIFU_INTERNAL, listen, "l2"));
    must(lab, kifu_add_reaction(lab, 0, KIFU_INTERNAL, react, "r2"));
    must(lab, kifu_add_trigger(lab, TOTAL, KIFU_INTERNAL, trigger, "t2"));
    must(lab, kifu_add_reaction(lab, 0, KIFU_ORDINARY, react, "R3"));
    must(lab, kifu_add_trigger(lab, TOTAL, KIFU_ORDINARY, trigger, "T3"));
    must(lab, kifu_add_listener(lab, TOTAL, KIFU_INTERNAL, listen, "l3"));
    must(lab, kifu_add_reaction(lab, LAB_E_DO, KIFU_INTERNAL, react, "other"));
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
    must(lab, kifu_add_listener(lab, TOTAL, KIFU_ORDINARY, listen, "L"));
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

static void ignore(void *context, const kifu_timeline *timeline, const void *state, const kifu_change *change)
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
        must(lab, kifu_add_listener(lab, TOTAL, KIFU_ORDINARY, ignore, NULL));
    must(lab, lab_play(lab, "+"));
    must(lab, kifu_add_trigger(lab, TOTAL, KIFU_ORDINARY, trigger, "T"));
    must(lab, kifu_add_reaction(lab, 0, KIFU_ORDINARY, react, "R"));
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
    must(lab, kifu_begin(lab)); // a plain transaction changes nothing of that
    must(lab, lab_play(lab, "+"));
    must_hear("T 1>2 #3 R ");
    must(lab, kifu_roll_back(lab));
    must_hear("");
    must(lab, kifu_mark(lab)); // in a search, rules are rules
    must(lab, lab_play(lab, "+"));
    must_hear("T 1>2 #3 R ");
    must(lab, kifu_rewind(lab));
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
    must(lab, kifu_add_listener(lab, TOTAL, KIFU_ORDINARY, listen, "L"));
    must(lab, kifu_add_trigger(lab, TOTAL, KIFU_ORDINARY, trigger, "T"));
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

static void keep(void *context, const kifu_timeline *timeline, const void *state, const kifu_change *change)
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

static void watch(kifu_timeline *lab, spot *spot, uint32_t offset, uint32_t size)
{
    spot->offset = offset;
    spot->size = size;
    spot->calls = 0;
    must(lab, kifu_add_listener(lab, offset, size, KIFU_ORDINARY, keep, spot));
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
    watch(lab, &whole, 0, sizeof(lab_state));
    watch(lab, &trace, KIFU_FIELD(lab_state, trace));
    watch(lab, &some, offsetof(lab_state, trace) + 2, 3); // trace[2], [3], [4]
    watch(lab, &one, KIFU_FIELD(lab_state, trace[3]));
    watch(lab, &length, KIFU_FIELD(lab_state, length));
    watch(lab, &total, KIFU_FIELD(lab_state, total));
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
    must(lab, kifu_add_listener(lab, TOTAL, KIFU_ORDINARY, listen, "L"));
    must(lab, lab_play(lab, "+"));
    must(lab, kifu_begin(lab));
    heard[0] = '\0';
    must(lab, lab_play(lab, "+(++)(1)"));
    must(lab, lab_play(lab, "--"));
    must_hear("L 1>2 #1 L 2>4 #2 L 4>2 #4 ");
    must(lab, kifu_begin(lab));
    must(lab, lab_play(lab, "-"));
    must(lab, kifu_roll_back(lab));
    must_hear("L 2>1 #5 L 1>2 #5- ");
    must(lab, kifu_roll_back(lab));
    must_hear("L 2>4 #4- L 4>2 #2- L 2>1 #1- ");
    must(lab, kifu_begin(lab));
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
    must(lab, kifu_begin(lab));
    for (int i = 0; i < 5000; i++) {
        if (i == 10)
            must(lab, kifu_begin(lab));
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
    must(lab, kifu_add_listener(lab, TOTAL, KIFU_ORDINARY, listen, "L"));
    heard[0] = '\0';
    ck_assert_int_eq(lab_play(lab, "+f"), KIFU_FAILED);
    must_hear("");
    must(lab, kifu_begin(lab));
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
    must(lab, kifu_add_listener(lab, TOTAL, KIFU_ORDINARY, listen, "L"));
    static spot length;
    watch(lab, &length, KIFU_FIELD(lab_state, length));
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
    must(lab, kifu_mark(lab));
    must(lab, lab_play(lab, "2+"));
    kifu_set_quiet(lab, false); // one wants to see this
    must(lab, lab_play(lab, "3+"));
    must_have_followed(&eye, lab);
    must(lab, kifu_rewind(lab));
    must(lab, lab_play(lab, "4"));
    must_have_followed(&eye, lab);
    kifu_set_quiet(lab, true);
    must(lab, kifu_begin(lab));
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
    must(lab, kifu_add_listener(lab, TOTAL, KIFU_ORDINARY, listen, "L"));
    must(lab, lab_play(lab, "+"));
    must(lab, lab_play(lab, "+"));
    heard[0] = '\0';
    must(lab, kifu_seek(lab, 1));
    must_hear("Redraw ");
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    must_hear("Redraw ");
    for (int fast = 0; fast < 2; fast++) {
        options.fast_load = fast;
        kifu_timeline *loaded = reload(lab, &options);
        must_hear("Redraw ");
        must(loaded, lab_play(loaded, "+")); // it must be added again
        must_hear("Act ");
        must(loaded, kifu_add_listener(loaded, TOTAL, KIFU_ORDINARY, listen, "L"));
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
    must(cards, kifu_begin(cards));
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
    must(lab, kifu_add_listener(lab, TOTAL, KIFU_ORDINARY, listen, a));
    must(lab, kifu_add_trigger(lab, TOTAL, KIFU_ORDINARY, trigger, a));
    must(lab, kifu_add_reaction(lab, 0, KIFU_ORDINARY, react, b));
    must(lab, kifu_add_listener(lab, TOTAL, KIFU_ORDINARY, listen, c));
    must(lab, kifu_add_reaction(lab, 0, KIFU_ORDINARY, react, a));
    must(lab, kifu_add_trigger(lab, TOTAL, KIFU_ORDINARY, trigger, d));
    must(lab, kifu_add_listener(lab, TOTAL, KIFU_INTERNAL, listen, a));
    heard[0] = '\0';
    must(lab, lab_play(lab, "+"));
    must_hear("a 0>1 #0 b a d 0>1 #0 a 0>1 #0 a 0>1 #0 c 0>1 #0 ");
    must(lab, kifu_remove_context(lab, a));
    must(lab, lab_play(lab, "+"));
    must_hear("b d 1>2 #1 c 1>2 #1 ");
    must(lab, kifu_remove_context(lab, e)); // none there: nothing
    must(lab, kifu_remove_context(lab, b));
    must(lab, kifu_add_listener(lab, TOTAL, KIFU_ORDINARY, listen, f));
    must(lab, lab_play(lab, "+"));
    must_hear("d 2>3 #2 c 2>3 #2 f 2>3 #2 ");
    must(lab, kifu_remove_context(lab, c));
    must(lab, kifu_remove_context(lab, d));
    must(lab, kifu_remove_context(lab, f));
    must(lab, lab_play(lab, "+"));
    must(lab, kifu_undo(lab));
    must_hear("");
    kifu_destroy(lab);
}
END_TEST

START_TEST(P02_nonsense_is_not_added)
{
    kifu_timeline *lab = lab_new(NULL);
    const uint32_t size = sizeof(lab_state), types = lab_rules.type_count;
    must_refuse(lab, kifu_add_reaction(lab, types + 1, KIFU_ORDINARY, react, a));
    must_refuse(lab, kifu_add_reaction(lab, 0, KIFU_ORDINARY, NULL, a));
    must_refuse(lab, kifu_add_trigger(lab, TOTAL, KIFU_ORDINARY, NULL, a));
    must_refuse(lab, kifu_add_listener(lab, TOTAL, KIFU_ORDINARY, NULL, a));
    static const uint32_t parts[][2] = {{0, sizeof(lab_state) + 1}, {sizeof(lab_state), 1},
                                        {sizeof(lab_state) - 4, 8}, {UINT32_MAX, 2},
                                        {UINT32_MAX - 7, 8},        {8, UINT32_MAX - 7}};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        must_refuse(lab, kifu_add_trigger(lab, parts[i][0], parts[i][1], KIFU_ORDINARY, trigger, a));
        must_refuse(lab, kifu_add_listener(lab, parts[i][0], parts[i][1], KIFU_ORDINARY, listen, a));
    }
    must(lab, kifu_add_listener(lab, size - 1, 1, KIFU_ORDINARY, listen, a));
    heard[0] = '\0';
    must(lab, lab_play(lab, "+"));
    must_hear("");
    kifu_destroy(lab);
}
END_TEST

START_TEST(P02_without_memory_nothing_is_added)
{
    for (int kind = 0; kind < 3; kind++)
        for (long n = 0, more = 1; more; n++) {
            test_memory memory = {.until_failure = -1};
            kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
            kifu_timeline *lab = lab_new(&options);
            must(lab, lab_play(lab, "+"));
            must(lab, kifu_add_listener(lab, TOTAL, KIFU_ORDINARY, listen, "old"));
            for (int i = 0; i < 40; i++) {
                memory.until_failure = n;
                memory.failed = false;
                kifu_result result = kind == 0   ? kifu_add_reaction(lab, 0, KIFU_ORDINARY, react, a)
                                     : kind == 1 ? kifu_add_trigger(lab, TOTAL, KIFU_ORDINARY, trigger, a)
                                                 : kifu_add_listener(lab, TOTAL, KIFU_ORDINARY, listen, a);
                more = memory.failed;
                memory.until_failure = -1;
                if (result) {
                    ck_assert_int_eq(result, KIFU_NO_MEMORY);
                    must_say(lab, "memory");
                }
                must(lab, kifu_remove_context(lab, result ? "nobody" : a));
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

// --- What they may do ------------------------------------------------------------------------------------------------

static kifu_result submit_trace(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                                const kifu_change *change)
{
    (void)state;
    (void)event;
    (void)change;
    lab_submit_e_do(timeline, (const char *)context);
    return KIFU_OK;
}

static kifu_result submit_of_event(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)state;
    if (event->type == LAB_P_DO)
        lab_submit_e_do(timeline, (const char *)context);
    return KIFU_OK;
}

START_TEST(P03_what_triggers_submit_is_in_the_log_and_not_submitted_again)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, kifu_add_trigger(lab, TOTAL, KIFU_ORDINARY, submit_trace, "2"));
    must(lab, kifu_add_reaction(lab, 0, KIFU_INTERNAL, submit_of_event, "1"));
    lab_submit_p_do(lab, 0, "+(7)", 1);
    lab_submit_p_do(lab, 0, "8", 1);
    must(lab, kifu_run(lab));
    ck_assert_str_eq(lab_log(lab), "PDo(+(7)) EDo(7) EDo(1) EDo(2) PDo(8) EDo(1)");
    kifu_event event;
    for (uint32_t i = 1; i < 4; i++) {
        ck_assert(kifu_event_at(lab, i, &event));
        ck_assert_uint_eq(event.cause, 0);
    }
    lab_picture picture = lab_look(lab);
    must(lab, kifu_undo(lab));
    must(lab, kifu_undo(lab));
    ck_assert_uint_eq(kifu_event_count(lab), 0);
    must(lab, kifu_redo(lab));
    must(lab, kifu_redo(lab));
    lab_same(lab, &picture);
    kifu_destroy(lab);
}
END_TEST

static kifu_result fail_once(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                             const kifu_change *change)
{
    (void)state;
    (void)event;
    lab_submit_e_do(timeline, "9");
    if (*(const int64_t *)change->after == 2)
        return kifu_fail(timeline, (const char *)context);
    return KIFU_OK;
}

START_TEST(T05_a_failing_trigger_takes_its_event_back)
{
    kifu_timeline *lab = lab_new(NULL);
    follower eye;
    must(lab, kifu_add_trigger(lab, TOTAL, KIFU_ORDINARY, fail_once, "two is too much"));
    must(lab, kifu_add_trigger(lab, TOTAL, KIFU_ORDINARY, trigger, "T"));
    follow_state(&eye, lab);
    heard[0] = '\0';
    must(lab, lab_play(lab, "+1"));
    must_hear("T 0>1 #0 ");
    lab_picture picture = lab_look(lab);
    ck_assert_int_eq(lab_play(lab, "+2(3)"), KIFU_FAILED);
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(lab)), "two is too much");
    ck_assert_uint_eq(kifu_last_error(lab)->event, 2);
    must_hear("");
    lab_same(lab, &picture);
    must_have_followed(&eye, lab);
    must(lab, lab_play(lab, "++"));
    must_hear("T 1>3 #2 ");
    must_have_followed(&eye, lab);
    kifu_destroy(lab);
}
END_TEST

// Something that is called where it may not be: what it is, and whether the call itself can say so.
typedef struct meddler {
    kifu_timeline *timeline;
    int what;
} meddler;

enum {
    EDIT,
    SUBMIT,
    SUBMIT_STRING,
    RANDOM,
    UNDO,
    REDO,
    SEEK,
    MARK,
    REWIND,
    BEGIN,
    DEFERRED,
    COMMIT,
    ROLL_BACK,
    RUN,
    STEP,
    UPDATE,
    SAVE,
    ADD_REACTION,
    ADD_TRIGGER,
    ADD_LISTENER,
    REMOVE,
    VERIFY,
    FORK,
    STATE_AT,
    HOLD,
    QUIET,
    REVEAL,
    WHATS
};

static const char *const names[WHATS] = {"edit",
                                         "submit",
                                         "submit",
                                         "kifu_random",
                                         "kifu_undo",
                                         "kifu_redo",
                                         "kifu_seek",
                                         "kifu_mark",
                                         "kifu_rewind",
                                         "kifu_begin",
                                         "kifu_begin_deferred",
                                         "kifu_commit",
                                         "kifu_roll_back",
                                         "kifu_run",
                                         "kifu_step",
                                         "kifu_update",
                                         "kifu_save",
                                         "kifu_add_reaction",
                                         "kifu_add_trigger",
                                         "kifu_add_listener",
                                         "kifu_remove_context",
                                         "kifu_verify_replay",
                                         "kifu_fork",
                                         "kifu_state_at",
                                         "kifu_hold",
                                         "kifu_set_quiet",
                                         "kifu_reveal"};

static void must_be_refused(kifu_timeline *timeline, kifu_result result, int what)
{
    ck_assert_msg(result == KIFU_MISUSE, "%s: %s", names[what], kifu_result_text(result));
    must_say(timeline, names[what]);
}

static void meddle(const meddler *meddler)
{
    kifu_timeline *cards = meddler->timeline;
    int what = meddler->what;
    const uint8_t attackers[] = {4, 5};
    unsigned char *bytes;
    size_t size;
    kifu_timeline *fork;
    kifu_error error;
    cards_state state;
    switch (what) {
    case EDIT:
        *cards_edit_life(cards, 1) = 99;
        break;
    case SUBMIT:
        cards_submit_e_lose_life(cards, 1, 7);
        break;
    case SUBMIT_STRING:
        cards_submit_p_attack(cards, 1, attackers, 2);
        break;
    case RANDOM:
        ck_assert_uint_eq(kifu_random(cards), 0);
        break;
    case UNDO:
        must_be_refused(cards, kifu_undo(cards), what);
        ck_assert_uint_eq(kifu_can_undo(cards, &error), 0);
        ck_assert_int_eq(error.result, KIFU_MISUSE);
        break;
    case REDO:
        must_be_refused(cards, kifu_redo(cards), what);
        ck_assert_uint_eq(kifu_can_redo(cards, &error), 0);
        ck_assert_int_eq(error.result, KIFU_MISUSE);
        break;
    case SEEK:
        must_be_refused(cards, kifu_seek(cards, 1), what);
        break;
    case MARK:
        must_be_refused(cards, kifu_mark(cards), what);
        break;
    case REWIND:
        must_be_refused(cards, kifu_rewind(cards), what);
        break;
    case BEGIN:
        must_be_refused(cards, kifu_begin(cards), what);
        break;
    case DEFERRED:
        must_be_refused(cards, kifu_begin_deferred(cards), what);
        break;
    case COMMIT:
        must_be_refused(cards, kifu_commit(cards), what);
        break;
    case ROLL_BACK:
        must_be_refused(cards, kifu_roll_back(cards), what);
        break;
    case RUN:
        must_be_refused(cards, kifu_run(cards), what);
        break;
    case STEP:
        must_be_refused(cards, kifu_step(cards), what);
        break;
    case UPDATE:
        must_be_refused(cards, kifu_update(cards, 1), what);
        break;
    case SAVE:
        must_be_refused(cards, kifu_save_to_memory(cards, NULL, &bytes, &size), what);
        break;
    case ADD_REACTION:
        must_be_refused(cards, kifu_add_reaction(cards, 0, KIFU_ORDINARY, react, a), what);
        break;
    case ADD_TRIGGER:
        must_be_refused(cards, kifu_add_trigger(cards, 0, 8, KIFU_ORDINARY, trigger, a), what);
        break;
    case ADD_LISTENER:
        must_be_refused(cards, kifu_add_listener(cards, 0, 8, KIFU_ORDINARY, listen, a), what);
        break;
    case REMOVE:
        must_be_refused(cards, kifu_remove_context(cards, meddler), what);
        break;
    case VERIFY:
        must_be_refused(cards, kifu_verify_replay(cards, NULL), what);
        break;
    case FORK:
        ck_assert_int_eq(kifu_fork(cards, 1, NULL, &fork, &error), KIFU_MISUSE);
        ck_assert_msg(strstr(error.message, names[what]) != NULL, "%s", error.message);
        break;
    case STATE_AT:
        must_be_refused(cards, kifu_state_at(cards, 1, &state, sizeof state), what);
        break;
    case HOLD:
        kifu_hold(cards, 3);
        break;
    case QUIET:
        kifu_set_quiet(cards, true);
        break;
    case REVEAL:
        kifu_reveal(cards);
        break;
    default:
        break;
    }
}

static void meddle_in_check(void *context, kifu_timeline *timeline)
{
    (void)timeline;
    meddle(context);
}

static kifu_result meddle_in_do(void *context, kifu_timeline *timeline, const cards_p_any *any)
{
    (void)timeline;
    (void)any;
    meddle(context);
    return KIFU_OK;
}

static kifu_result meddle_in_reaction(void *context, kifu_timeline *timeline, const void *state,
                                      const kifu_event *event)
{
    (void)timeline;
    (void)state;
    (void)event;
    meddle(context);
    return KIFU_OK;
}

static kifu_result meddle_in_trigger(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                                     const kifu_change *change)
{
    (void)timeline;
    (void)state;
    (void)event;
    (void)change;
    meddle(context);
    return KIFU_OK;
}

static void meddle_in_listener(void *context, const kifu_timeline *timeline, const void *state,
                               const kifu_change *change)
{
    (void)timeline;
    (void)state;
    (void)change;
    meddle(context);
}

static double meddle_in_act(void *context, const kifu_timeline *timeline, const cards_state *state,
                            const cards_p_any *any, const cards_p_any_transient *transient)
{
    (void)timeline;
    (void)state;
    (void)any;
    (void)transient;
    meddle(context);
    return 0;
}

enum { IN_CHECK, IN_DO, IN_REACTION, IN_TRIGGER, IN_LISTENER, IN_ACT, PLACES };

static const char *const places[PLACES] = {"a check", "Do", "a reaction", "a trigger", "a listener", "Act"};

static bool allowed(int what, int place)
{
    switch (what) {
    case EDIT:
    case RANDOM:
    case REVEAL:
    case BEGIN:
        return place == IN_DO;
    case SUBMIT:
    case SUBMIT_STRING:
        return place == IN_DO || place == IN_REACTION || place == IN_TRIGGER;
    case STATE_AT:
        return place != IN_DO;
    case HOLD:
    case QUIET:
        return place == IN_LISTENER || place == IN_ACT;
    default:
        return false;
    }
}

// Tries it; `transaction`: inside one, begun from outside.
static void try_to_meddle(int what, int place, bool transaction)
{
    meddler meddler = {NULL, what};
    cards_hooks hooks = {.context = &meddler};
    cards_view own_view = {.base = {.context = &meddler}};
    kifu_options options = {.user = &hooks, .view = &own_view.base};
    kifu_timeline *cards = meddler.timeline = cards_new(&options);
    cards_submit_p_any(cards, 0, 1);
    cards_submit_p_any(cards, 0, 2);
    must(cards, kifu_run(cards));
    must(cards, kifu_undo(cards)); // something to undo, something to redo
    if (transaction)
        must(cards, kifu_begin(cards));
    cards_state before = *cards_get_state(cards);
    if (place == IN_CHECK)
        hooks.in_check = meddle_in_check;
    if (place == IN_DO)
        hooks.in_do = meddle_in_do;
    if (place == IN_REACTION)
        must(cards, kifu_add_reaction(cards, 0, KIFU_ORDINARY, meddle_in_reaction, &meddler));
    if (place == IN_TRIGGER)
        must(cards, kifu_add_trigger(cards, KIFU_FIELD(cards_state, life), KIFU_ORDINARY, meddle_in_trigger, &meddler));
    if (place == IN_LISTENER)
        must(cards,
             kifu_add_listener(cards, KIFU_FIELD(cards_state, life), KIFU_ORDINARY, meddle_in_listener, &meddler));
    if (place == IN_ACT)
        own_view.act_p_any = meddle_in_act;
    cards_submit_p_any(cards, 0, 4);
    kifu_result result = kifu_run(cards);
    hooks.in_check = NULL;
    hooks.in_do = NULL;
    own_view.act_p_any = NULL;
    bool quiet_about_it = what == FORK || what == STATE_AT; // the call said so: it changes nothing anyway
    if (result != KIFU_MISUSE && !(quiet_about_it && result == KIFU_OK))
        ck_abort_msg("%s in %s: the run says %s", names[what], places[place], kifu_result_text(result));
    if (result)
        ck_assert_msg(strlen(kifu_last_error(cards)->message) > 20 &&
                          (what <= RANDOM || strstr(kifu_last_error(cards)->message, names[what])),
                      "%s in %s: %s", names[what], places[place], kifu_last_error(cards)->message);
    // In the rules it takes the event back; what a view does wrong, the event does not pay for.
    bool stands = result == KIFU_OK || place >= IN_LISTENER;
    before.life[0] -= stands ? 4 : 0;
    ck_assert_msg(memcmp(cards_get_state(cards), &before, sizeof before) == 0, "%s in %s", names[what], places[place]);
    ck_assert_uint_eq(kifu_event_count(cards), stands ? 4 : 3);
    ck_assert_uint_eq(kifu_pending_count(cards), 0);
    ck_assert_uint_eq(kifu_open_transactions(cards), transaction);
    must(cards, kifu_remove_context(cards, &meddler));
    if (transaction)
        must(cards, kifu_roll_back(cards));
    must(cards, kifu_undo(cards));
    must(cards, kifu_redo(cards));
    cards_submit_p_any(cards, 0, 8); // and all goes on
    must(cards, kifu_run(cards));
    kifu_destroy(cards);
}

static void try_everywhere(int first, int last)
{
    for (int what = first; what <= last; what++)
        for (int place = 0; place < PLACES; place++)
            for (int transaction = 0; transaction < 2; transaction++)
                if (!allowed(what, place))
                    try_to_meddle(what, place, transaction);
}

START_TEST(T06_no_view_and_no_rule_changes_the_model_but_do)
{
    try_everywhere(EDIT, EDIT);
    try_everywhere(RANDOM, RANDOM);
    try_everywhere(REVEAL, REVEAL);
}
END_TEST

START_TEST(P04_listeners_may_not_submit_nor_triggers_touch_the_view)
{
    try_everywhere(SUBMIT, SUBMIT_STRING);
    try_everywhere(HOLD, QUIET);
}
END_TEST

START_TEST(U13_no_undo_and_redo_from_inside)
{
    try_everywhere(UNDO, REDO);
}
END_TEST

START_TEST(U13_no_walk_through_history_from_inside)
{
    try_everywhere(SEEK, SEEK);
    try_everywhere(VERIFY, STATE_AT);
}
END_TEST

START_TEST(P05_no_transaction_ends_or_begins_from_inside)
{
    try_everywhere(MARK, ROLL_BACK);
}
END_TEST

START_TEST(T09_no_run_save_or_listener_from_inside)
{
    try_everywhere(RUN, REMOVE);
}
END_TEST

// A listener is called during undo, redo, roll-back, too.
START_TEST(T06_a_listener_that_meddles_with_an_undo_is_reported)
{
    for (int what = 0; what < WHATS; what++) {
        if (allowed(what, IN_LISTENER))
            continue;
        for (int way = 0; way < 3; way++) {
            meddler meddler = {NULL, what};
            kifu_timeline *cards = meddler.timeline = cards_new(NULL);
            if (way == 2)
                must(cards, kifu_begin(cards));
            cards_submit_p_any(cards, 0, 1);
            must(cards, kifu_run(cards));
            if (way == 1)
                must(cards, kifu_undo(cards));
            must(cards,
                 kifu_add_listener(cards, KIFU_FIELD(cards_state, life), KIFU_ORDINARY, meddle_in_listener, &meddler));
            kifu_result result = way == 0 ? kifu_undo(cards) : way == 1 ? kifu_redo(cards) : kifu_roll_back(cards);
            if (result != KIFU_MISUSE && !(what == FORK && !result))
                ck_abort_msg("%s: %s", names[what], kifu_result_text(result));
            ck_assert_int_eq(cards_get_state(cards)->life[0], way == 1 ? 19 : 20); // it happened all the same
            ck_assert_int_eq(cards_get_state(cards)->life[1], 20);
            ck_assert_uint_eq(kifu_event_count(cards), way == 1 ? 3 : 2);
            ck_assert_uint_eq(kifu_pending_count(cards), 0);
            ck_assert_uint_eq(kifu_open_transactions(cards), 0);
            must(cards, kifu_remove_context(cards, &meddler));
            must(cards, kifu_run(cards));
            kifu_destroy(cards);
        }
    }
}
END_TEST

static kifu_result do_that_commits(void *context, kifu_timeline *timeline, const cards_p_any *any)
{
    (void)any;
    const meddler *it = context;
    must_be_refused(timeline, it->what == MARK ? kifu_mark(timeline) : kifu_begin_deferred(timeline), it->what);
    return KIFU_OK;
}

START_TEST(P05_marks_and_deferred_ones_are_for_outside)
{
    for (int what = MARK; what <= DEFERRED; what += DEFERRED - MARK) {
        meddler meddler = {NULL, what};
        cards_hooks hooks = {.context = &meddler, .in_do = do_that_commits};
        kifu_timeline *cards = cards_new(&(kifu_options){.user = &hooks});
        cards_submit_p_any(cards, 0, 1);
        ck_assert_int_eq(kifu_run(cards), KIFU_MISUSE);
        ck_assert_uint_eq(kifu_event_count(cards), 2);
        ck_assert_uint_eq(kifu_open_transactions(cards), 0);
        kifu_destroy(cards);
    }
}
END_TEST

// --- Delays ----------------------------------------------------------------------------------------------------------

static void hold_half(void *context, const kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)context;
    (void)state;
    (void)change;
    kifu_hold(timeline, 0.5);
}

static double act_one(void *context, const kifu_timeline *timeline, const lab_state *state, const lab_p_do *event)
{
    (void)context;
    (void)state;
    (void)event;
    kifu_hold(timeline, 0.25);
    return 1;
}

START_TEST(T07_a_listener_may_hold_the_next_event)
{
    lab_view slow = {.act_p_do = act_one};
    kifu_options options = {.view = &slow.base};
    kifu_timeline *lab = lab_new(&options);
    must(lab, kifu_add_listener(lab, TOTAL, KIFU_ORDINARY, hold_half, NULL));
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
    return kifu_add_reaction(lab, 0, KIFU_ORDINARY, count_events, NULL);
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

START_TEST(P03_new_loaded_and_forked_timelines_are_prepared_alike)
{
    kifu_options options = {.prepare = add_counter};
    kifu_timeline *lab = lab_new(&options), *other;
    kifu_error error;
    play_counted(lab);
    unsigned char *bytes;
    size_t size;
    lab_must(lab, kifu_save_to_memory(lab, NULL, &bytes, &size));
    prepared = 0;
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, bytes, size, &options, &other, &error), KIFU_OK);
    ck_assert_uint_eq(prepared, 0); // a replay calls no reaction
    play_counted(other);
    kifu_destroy(other);
    ck_assert_int_eq(kifu_fork(lab, KIFU_PRESENT, NULL, &other, &error), KIFU_OK);
    play_counted(other);
    kifu_destroy(other);

    options.prepare = fail_to_prepare;
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, bytes, size, &options, &other, &error), KIFU_FAILED);
    ck_assert_ptr_null(other);
    ck_assert_msg(strstr(error.message, "prepare") != NULL, "%s", error.message);
    options.prepare = submit_in_prepare;
    ck_assert_int_eq(kifu_create(&lab_rules, &options, &other, &error), KIFU_MISUSE);
    ck_assert_msg(strstr(error.message, "only adds") != NULL, "%s", error.message);
    kifu_free_bytes(lab, bytes);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        P03_new_loaded_and_forked_timelines_are_prepared_alike,
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
        P03_what_triggers_submit_is_in_the_log_and_not_submitted_again,
        T05_a_failing_trigger_takes_its_event_back,
        T06_no_view_and_no_rule_changes_the_model_but_do,
        P04_listeners_may_not_submit_nor_triggers_touch_the_view,
        U13_no_undo_and_redo_from_inside,
        U13_no_walk_through_history_from_inside,
        P05_no_transaction_ends_or_begins_from_inside,
        T09_no_run_save_or_listener_from_inside,
        T06_a_listener_that_meddles_with_an_undo_is_reported,
        P05_marks_and_deferred_ones_are_for_outside,
        T07_a_listener_may_hold_the_next_event,
    };
    return run_suite("listen", tests, sizeof tests / sizeof *tests);
}
