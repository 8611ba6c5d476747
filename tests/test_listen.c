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

// Nor are they told then of what happened before, in quiet.
START_TEST(T05_an_event_that_failed_is_told_to_no_listener)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .context = "L"}));
    kifu_set_quiet(lab, true);
    must(lab, lab_play(lab, "+"));
    kifu_set_quiet(lab, false);
    heard[0] = '\0';
    ck_assert_int_eq(lab_play(lab, "+f"), KIFU_FAILED);
    must_hear("");
    must(lab, lab_play(lab, "+"));
    must_hear("L 0>2 #* ");
    kifu_destroy(lab);
}
END_TEST

static kifu_result note_length(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                               const kifu_change *change)
{
    (void)context;
    (void)timeline;
    (void)state;
    (void)event;
    char text[40];
    snprintf(text, sizeof text, "%d>%d ", *(const uint8_t *)change->before, *(const uint8_t *)change->after);
    note(text);
    return KIFU_OK;
}

// The byte behind eight that the event edits, too.
START_TEST(P09_a_trigger_is_told_of_its_own_bytes_only)
{
    ck_assert_uint_eq(offsetof(lab_state, length) % 8, 0);
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 0; i < 60; i++)
        must(lab, lab_play(lab, "1"));
    must(lab, kifu_observe(lab, &(kifu_observer){.trigger = note_length, KIFU_PART(lab_state, length)}));
    heard[0] = '\0';
    must(lab, lab_play(lab, "2"));
    must(lab, lab_play(lab, "34"));
    must_hear("60>61 61>63 ");
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
    static spot whole, trace, some, one, last, length, total;
    watch(lab, &whole, (kifu_observer){.size = sizeof(lab_state)});
    watch(lab, &trace, (kifu_observer){KIFU_PART(lab_state, trace)});
    watch(lab, &some, (kifu_observer){.offset = offsetof(lab_state, trace) + 2, .size = 3}); // trace[2], [3], [4]
    watch(lab, &one, (kifu_observer){KIFU_PART(lab_state, trace[3])});
    watch(lab, &last, (kifu_observer){KIFU_PART(lab_state, trace[7])}); // of eight bytes that one edit stores
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
    must_span(&last, 0, 0);
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

// Of any size, in any windows: with no other listener, whose part may have the same ones.
START_TEST(P02_a_listener_hears_of_each_byte_of_its_part_and_of_no_other)
{
    enum { BYTES = 20 };
    for (uint32_t first = 0; first < 16; first += 3) {
        for (uint32_t size = 1; first + size <= BYTES; size += 2) {
            kifu_timeline *lab = lab_new(NULL);
            static spot part;
            watch(lab, &part, (kifu_observer){.offset = offsetof(lab_state, trace) + first, .size = size});
            for (uint32_t i = 0; i < BYTES; i++) {
                must(lab, lab_play(lab, "1"));
                if (i >= first && i < first + size)
                    must_span(&part, i - first, i - first);
                ck_assert_uint_eq(part.calls, 0);
            }
            kifu_destroy(lab);
        }
    }
}
END_TEST

START_TEST(P02_what_no_one_listened_to_is_no_change_for_a_later_listener)
{
    kifu_timeline *lab = lab_new(NULL);
    static spot total, length;
    watch(lab, &total, (kifu_observer){KIFU_PART(lab_state, total)});
    must(lab, lab_play(lab, "12"));
    kifu_set_quiet(lab, true);
    must(lab, lab_play(lab, "3"));
    watch(lab, &length, (kifu_observer){KIFU_PART(lab_state, length)});
    must(lab, lab_play(lab, "4+"));
    kifu_set_quiet(lab, false);
    must(lab, lab_play(lab, "+"));
    must_span(&length, 0, 0); // only what has happened since it was added
    ck_assert_uint_eq(length.before[0], 3);
    ck_assert_uint_eq(length.after[0], 4);
    must_span(&total, 0, 0);
    ck_assert_uint_eq(total.before[0], 0);
    static spot trace, again;
    kifu_set_quiet(lab, true);
    must(lab, lab_play(lab, "5+"));
    watch(lab, &trace, (kifu_observer){KIFU_PART(lab_state, trace)}); // while the others know an older state
    watch(lab, &again, (kifu_observer){KIFU_PART(lab_state, length)});
    kifu_set_quiet(lab, false);
    must(lab, lab_play(lab, "6"));
    must_span(&trace, 5, 5);
    must_span(&length, 0, 0);
    ck_assert_uint_eq(length.before[0], 4);
    ck_assert_uint_eq(length.after[0], 6);
    must_span(&total, 0, 0);
    ck_assert_uint_eq(total.before[0], 2);
    kifu_destroy(lab);
}
END_TEST

START_TEST(P02_an_event_that_no_one_hears_of_in_quiet_leaves_the_next_its_number)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .context = "L"}));
    heard[0] = '\0';
    kifu_set_quiet(lab, true);
    must(lab, lab_play(lab, "1"));
    kifu_set_quiet(lab, false);
    must(lab, lab_play(lab, "+"));
    must_hear("L 0>1 #1 ");
    kifu_set_quiet(lab, true);
    must(lab, lab_play(lab, "+"));
    must(lab, lab_play(lab, "2"));
    kifu_set_quiet(lab, false);
    must(lab, lab_play(lab, "3")); // Whoever knows an older state is asked, whatever is edited.
    must_hear("L 1>2 #* ");
    must(lab, lab_play(lab, "4"));
    must(lab, lab_play(lab, "+"));
    must_hear("L 2>3 #6 ");
    must(lab, kifu_begin(lab, KIFU_SEARCH));
    must(lab, lab_play(lab, "++"));
    must(lab, kifu_roll_back(lab));
    must(lab, lab_play(lab, "+")); // It knows the state again.
    must_hear("L 3>4 #7 ");
    kifu_destroy(lab);
}
END_TEST

// What two triggers saw of their parts, as numbers: "L 0>1".
static kifu_result see_length(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                              const kifu_change *change)
{
    (void)timeline;
    (void)state;
    (void)event;
    char text[100];
    const unsigned char *before = change->before, *after = change->after;
    const uint32_t at = *(const uint32_t *)context; // in the part
    snprintf(text, sizeof text, "%u+%u %u>%u ", (unsigned)change->first, (unsigned)change->length, before[at],
             after[at]);
    note(text);
    return KIFU_OK;
}

START_TEST(P03_triggers_of_parts_of_any_size_see_before_and_after)
{
    static uint32_t length_in_whole = offsetof(lab_state, length), in_length = 0;
    const uint32_t from = offsetof(lab_state, trace), span = length_in_whole - from + 1;
    kifu_timeline *lab = lab_new(NULL);
    must(lab, kifu_observe_all(lab,
                               (const kifu_observer[]){
                                   {.trigger = see_length, KIFU_PART(lab_state, length), .context = &in_length},
                                   {.trigger = see_length, .size = sizeof(lab_state), .context = &length_in_whole},
                                   {.trigger = see_length, KIFU_PART(lab_state, length), .context = &in_length}},
                               3));
    heard[0] = '\0';
    char text[200];
    must(lab, lab_play(lab, "5"));
    snprintf(text, sizeof text, "0+1 0>1 %u+%u 0>1 0+1 0>1 ", (unsigned)from, (unsigned)span);
    must_hear(text);
    must(lab, lab_play(lab, "67"));
    snprintf(text, sizeof text, "0+1 1>3 %u+%u 1>3 0+1 1>3 ", (unsigned)from + 1, (unsigned)span - 1);
    must_hear(text);
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

// Whatever the core has found out about who hears of an event while it was quiet.
START_TEST(T08_after_a_quiet_search_events_are_shown_again)
{
    for (int listens = 0; listens < 2; listens++) {
        kifu_options options = {.view = &view.base};
        kifu_timeline *lab = lab_new(&options);
        if (listens)
            must(lab, kifu_observe(lab, &(kifu_observer){.listen = listen, TOTAL, .context = "L"}));
        must(lab, lab_play(lab, "1"));
        must(lab, kifu_begin(lab, KIFU_SEARCH));
        must(lab, kifu_roll_back(lab));
        must(lab, kifu_begin(lab, KIFU_SEARCH));
        ck_assert_int_ne(lab_play(lab, "f"), KIFU_OK);
        must(lab, lab_play(lab, "2"));
        must(lab, kifu_roll_back(lab));
        heard[0] = '\0';
        must(lab, lab_play(lab, "3"));
        must_hear("Act ");
        must(lab, kifu_begin(lab, KIFU_SEARCH));
        ck_assert_int_ne(lab_play(lab, "f"), KIFU_OK);
        ck_assert_int_eq(lab_play(lab, "!"), KIFU_REJECTED);
        must(lab, kifu_roll_back(lab));
        heard[0] = '\0';
        must(lab, lab_play(lab, "4"));
        must_hear("Act ");
        kifu_destroy(lab);
    }
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
        lab_do(lab, 0, "1", times);
        must(lab, kifu_step(lab));
        ck_assert_double_eq_tol(kifu_delay(lab), delays[times], 1e-9);
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(T07_undo_and_redo_wait_only_for_what_they_show)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = hold_half, TOTAL}));
    lab_do(lab, 0, "+", 1);
    must(lab, kifu_step(lab));
    ck_assert_double_eq(kifu_delay(lab), 0.5);
    must(lab, kifu_undo(lab));
    ck_assert_double_eq(kifu_delay(lab), 0.5);
    must(lab, kifu_redo(lab));
    ck_assert_double_eq(kifu_delay(lab), 0.5);
    lab_do(lab, 0, "+", 1);
    must(lab, kifu_step(lab)); // nor does a step wait for what was shown before it
    ck_assert_double_eq(kifu_delay(lab), 0.5);
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
        lab_do(lab, 0, i % 2 ? "1" : "+", 1);
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

START_TEST(T07_an_event_that_no_one_hears_of_ends_a_delay_as_others_do)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, kifu_observe(lab, &(kifu_observer){.listen = hold_half, TOTAL}));
    for (int i = 0; i < 4; i++) {
        lab_do(lab, 0, "+", 1);
        must(lab, kifu_update(lab, 0));
        ck_assert_double_eq_tol(kifu_delay(lab), 0.5, 1e-9);
        must(lab, lab_play_p_do(lab, 0, &(lab_p_do_args){.script = "1", .times = 1}));
        ck_assert_double_eq_tol(kifu_delay(lab), 0, 1e-9);
    }
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        P09_internal_ones_come_first,
        P09_a_trigger_is_told_of_its_own_bytes_only,
        P02_listeners_hear_in_both_directions,
        T05_an_event_that_failed_is_told_to_no_listener,
        P03_triggers_and_reactions_run_forward_and_live_only,
        P02_all_that_a_do_changed_is_one_change,
        P02_any_part_may_be_listened_to,
        P02_a_listener_hears_of_each_byte_of_its_part_and_of_no_other,
        P02_what_no_one_listened_to_is_no_change_for_a_later_listener,
        P02_an_event_that_no_one_hears_of_in_quiet_leaves_the_next_its_number,
        P03_triggers_of_parts_of_any_size_see_before_and_after,
        P02_a_roll_back_is_heard_event_by_event,
        P02_a_long_roll_back_is_heard_event_by_event,
        P02_a_failed_event_is_not_heard,
        P02_a_runaway_is_heard_as_it_is_taken_back,
        P02_who_was_not_told_while_quiet_is_told_after,
        P02_a_search_that_is_shown_is_followed,
        T08_after_a_quiet_search_events_are_shown_again,
        P02_undo_past_the_journal_is_heard_too,
        P02_load_and_seek_are_told_by_one_redraw,
        P02_an_undo_with_a_model_outside_is_heard_too,
        T07_nothing_is_held_in_quiet_nor_for_less_than_no_time,
        T07_a_listener_may_hold_the_next_event,
        T07_an_event_that_no_one_hears_of_ends_a_delay_as_others_do,
        T07_undo_and_redo_wait_only_for_what_they_show,
    };
    return run_suite("listen", tests, sizeof tests / sizeof *tests);
}
