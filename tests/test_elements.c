// Listeners of elements: which elements of an array changed, and which entities of a pool came and went.

#include "suite.h"
#include "zoo_help.h"

// What the listener was called for, as one line: "+0 ~3:tapped,owner -1", taken back: "~3:tapped<".
static char heard[4000];

static void note(void *context, kifu_timeline *timeline, const void *state, const kifu_element_change *change)
{
    (void)timeline, (void)state;
    const size_t used = strlen(heard);
    char *text = heard + used;
    const char *const prefix = context ? (const char *)context : "", *const space = used ? " " : "";
    const char kind = !change->before ? '+' : !change->after ? '-' : '~';
    size_t at = (size_t)snprintf(text, sizeof heard - used, "%s%s%c%u", space, prefix, kind, (unsigned)change->index);
    if (change->handle >> 16 > 1) // not the slot's first entity
        at += (size_t)snprintf(text + at, sizeof heard - used - at, ".%u", (unsigned)(change->handle >> 16));
    const char *field, *before_field = ":";
    for (uint32_t next = 0; kind == '~' && (field = kifu_changed_field(change, &next)) != NULL; before_field = ",")
        at += (size_t)snprintf(text + at, sizeof heard - used - at, "%s%s", before_field, field);
    if (change->undone || change->jumped)
        strcat(text, change->undone ? "<" : "!");
}

#define must_hear(text)                                                                                                \
    do {                                                                                                               \
        ck_assert_str_eq(heard, text);                                                                                 \
        heard[0] = '\0';                                                                                               \
    } while (0)

static kifu_timeline *zoo_new(const kifu_options *options)
{
    kifu_timeline *zoo;
    kifu_error error;
    ck_assert_msg(kifu_create(&zoo_rules, options, &zoo, &error) == KIFU_OK, "%s", error.message);
    return zoo;
}

#define CARDS KIFU_PART(zoo_state, cards)

// Sixteen cards, and a listener of them.
static kifu_timeline *with_cards(void)
{
    kifu_timeline *zoo = zoo_new(NULL);
    must(zoo, zoo_play(zoo, "C C C C C C C C C C C C C C C C"));
    must(zoo, kifu_observe(zoo, &(kifu_observer){.listen_each = note, CARDS}));
    heard[0] = '\0';
    return zoo;
}

START_TEST(F37_two_of_sixteen_cards_are_two_reports_with_handles_and_fields)
{
    kifu_timeline *zoo = with_cards();
    must(zoo, zoo_play(zoo, "t11=1 t3=1"));
    must_hear("~3:tapped ~11:tapped");
    must(zoo, zoo_play(zoo, "t3=1 o3=7 t4=1 o4=9 t4=0")); // 3 is tapped already, 4 is not in the end
    must_hear("~3:owner ~4:owner");
    must(zoo, kifu_undo(zoo));
    must_hear("~3:owner< ~4:owner<");
    must(zoo, kifu_undo(zoo));
    must_hear("~3:tapped< ~11:tapped<");
    must(zoo, kifu_redo(zoo));
    must_hear("~3:tapped ~11:tapped");
    must(zoo, zoo_play(zoo, "h1=1 s1=1 d"));
    must(zoo, zoo_play(zoo, "t3=1"));
    ck_assert_int_eq(zoo_play(zoo, "t0=1 f"), KIFU_FAILED);
    must_hear("");
    kifu_destroy(zoo);
}
END_TEST

static void see_change(void *context, kifu_timeline *timeline, const void *state, const kifu_element_change *change)
{
    (void)timeline;
    const zoo_card *before = change->before, *after = change->after;
    *(unsigned *)context += 1;
    ck_assert_ptr_eq(after, &((const zoo_state *)state)->cards[5]);
    ck_assert_uint_eq(change->handle, 5 | 1 << 16);
    ck_assert_ptr_eq(zoo_get_cards(state, change->handle), after);
    ck_assert(!before->tapped && after->tapped);
    ck_assert(KIFU_CHANGED(change, zoo_card, tapped));
    ck_assert(!KIFU_CHANGED(change, zoo_card, owner));
    ck_assert_uint_eq(change->event, 1);
    ck_assert_uint_eq(change->offset, offsetof(zoo_state, cards));
    ck_assert(!change->undone);
}

START_TEST(G08_a_report_has_the_entity_before_and_after)
{
    kifu_timeline *zoo = zoo_new(NULL);
    must(zoo, zoo_play(zoo, "C C C C C C C C"));
    unsigned calls = 0;
    must(zoo, kifu_observe(zoo, &(kifu_observer){.listen_each = see_change, CARDS, .context = &calls}));
    must(zoo, zoo_play(zoo, "t5=1"));
    ck_assert_uint_eq(calls, 1);
    kifu_destroy(zoo);
}
END_TEST

static void see_none(void *context, kifu_timeline *timeline, const void *state, const kifu_element_change *change)
{
    (void)timeline, (void)state;
    const char *fields[8];
    uint32_t count = 0, next = 0;
    while (count < 8 && (fields[count] = kifu_changed_field(change, &next)) != NULL)
        count++;
    ck_assert_uint_eq(count, 4); // all
    ck_assert_str_eq(fields[1], "tapped");
    ck_assert(KIFU_CHANGED(change, zoo_card, owner));
    ck_assert(!change->before != !change->after);
    *(unsigned *)context += 1;
}

START_TEST(G08_entities_come_and_go)
{
    kifu_timeline *zoo = zoo_new(NULL);
    unsigned calls = 0;
    must(zoo, kifu_observe(zoo, &(kifu_observer){.listen_each = note, CARDS}));
    heard[0] = '\0';
    const struct {
        const char *script, *told, *undone, *redone;
    } cases[] = {
        {"C C C", "+0 +1 +2", "-0< -1< -2<", "+0 +1 +2"},
        {"c1", "-1", "+1<", "-1"},
        {"C", "+1.3", "-1.3<", "+1.3"},                         // in the slot of another one: a new generation
        {"c1 C", "-1.3 +1.5", "-1.5< +1.3<", "-1.3 +1.5"},      // replaced within one event
        {"c1 C c1 C", "-1.5 +1.9", "-1.9< +1.5<", "-1.5 +1.9"}, // twice: the one between was never there
        {"C c3", "", "", ""},                                   // came and went within one event
        {"C t3=1 c0", "-0 +3.3", "+0< -3.3<", "-0 +3.3"},       // in the order of the array
        {"t1=1 c1 C C t1=1", "+0.3 -1.9 +1.11", "-0.3< -1.11< +1.9<",
         "+0.3 -1.9 +1.11"}, // another one, which looks alike
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        must(zoo, zoo_play(zoo, cases[i].script));
        must_hear(cases[i].told);
        must(zoo, kifu_undo(zoo));
        must_hear(cases[i].undone);
        must(zoo, kifu_redo(zoo));
        must_hear(cases[i].redone);
    }
    must(zoo, kifu_observe(zoo, &(kifu_observer){.listen_each = see_none, CARDS, .context = &calls}));
    must(zoo, zoo_play(zoo, "C c2"));
    ck_assert_uint_eq(calls, 2);
    kifu_destroy(zoo);
}
END_TEST

START_TEST(G08_arrays_that_are_no_pools)
{
    static char heap[] = "heap", spot[] = "spot", cage[] = "cage", inner[] = "inner", letter[] = "letter";
    kifu_timeline *zoo = zoo_new(NULL);
    const kifu_observer listeners[] = {
        {.listen_each = note, KIFU_PART(zoo_state, heaps), .context = heap},
        {.listen_each = note, KIFU_PART(zoo_state, spots), .context = spot},
        {.listen_each = note, KIFU_PART(zoo_state, cages), .context = cage},
        {.listen_each = note, KIFU_PART(zoo_state, cages[2].spots), .context = inner},
        {.listen_each = note, KIFU_PART(zoo_state, letters), .context = letter},
    };
    ck_assert_uint_eq(offsetof(zoo_state, letters) % 8, 7); // The first is alone in its window.
    must(zoo, kifu_observe_all(zoo, listeners, 5));
    heard[0] = '\0';
    must(zoo, zoo_play(zoo, "h4=3 h0=1"));
    must_hear("heap~0 heap~4");
    must(zoo, zoo_play(zoo, "s255=1 s64=1 s63=1 s200=1 s0=1"));
    must_hear("spot~0:z spot~63:z spot~64:z spot~200:z spot~255:z");
    must(zoo, zoo_play(zoo, "s200=2 s5=2")); // nothing between
    must_hear("spot~5:z spot~200:z");
    for (unsigned i = 0; i < 256; i++) { // each byte of a window is the first of some
        char script[20], told[20];
        snprintf(script, sizeof script, "x%u=9", i);
        snprintf(told, sizeof told, "spot~%u:x", i);
        must(zoo, zoo_play(zoo, script));
        must_hear(told);
    }
    must(zoo, zoo_play(zoo, "l0=1"));
    must_hear("letter~0");
    must(zoo, zoo_play(zoo, "g2=4 g3=4"));
    must_hear("cage~2:spots cage~3:spots inner~1:y");
    must(zoo, kifu_undo(zoo));
    must_hear("cage~2:spots< cage~3:spots< inner~1:y<");
    kifu_destroy(zoo);
}
END_TEST

START_TEST(G08_a_roll_back_is_told_event_by_event)
{
    kifu_timeline *zoo = with_cards();
    must(zoo, kifu_begin(zoo, 0));
    must(zoo, zoo_play(zoo, "t1=1 > t2=1 c1"));
    must_hear("~1:tapped -1 ~2:tapped");
    must(zoo, kifu_roll_back(zoo));
    must_hear("+1< ~2:tapped< ~1:tapped<");
    must(zoo, kifu_begin(zoo, KIFU_SEARCH)); // which the view does not see
    must(zoo, zoo_play(zoo, "c1 C t3=1"));
    must(zoo, kifu_roll_back(zoo));
    must_hear("");
    must(zoo, zoo_play(zoo, "t4=1"));
    must_hear("~4:tapped");
    kifu_destroy(zoo);
}
END_TEST

START_TEST(G08_a_quiet_time_is_told_at_once)
{
    kifu_timeline *zoo = with_cards();
    kifu_set_quiet(zoo, true);
    must(zoo, zoo_play(zoo, "c1 t2=1 t3=1"));
    must(zoo, zoo_play(zoo, "C o1=3 t3=0"));
    kifu_set_quiet(zoo, false);
    must_hear("");
    must(zoo, zoo_play(zoo, "o9=1"));
    must_hear("-1 +1.3 ~2:tapped ~9:owner");
    kifu_destroy(zoo);
}
END_TEST

static void redraw(void *context, kifu_timeline *timeline)
{
    (void)context, (void)timeline;
    strcat(heard, " redraw");
}

static kifu_result note_cards(kifu_timeline *timeline)
{
    return kifu_observe(timeline, &(kifu_observer){.listen_each = note, CARDS});
}

static void hold(void *context, kifu_timeline *timeline, const void *state, const kifu_element_change *change)
{
    (void)context, (void)state, (void)change;
    kifu_hold(timeline, 0.5);
}

START_TEST(G08_seek_load_and_fork_tell_what_differs)
{
    static const zoo_view view = {.base = {.redraw = redraw}};
    const kifu_options options = {.view = &view.base, .prepare = note_cards};
    kifu_timeline *zoo = zoo_new(&options);
    heard[0] = '\0';
    must(zoo, zoo_play(zoo, "C C"));
    must(zoo, zoo_play(zoo, "c0 t1=1"));
    must(zoo, zoo_play(zoo, "C"));
    must_hear("+0 +1 -0 ~1:tapped +0.3");
    must(zoo, kifu_seek(zoo, 1));
    must_hear("-0.3! +0! ~1:tapped! redraw");
    must(zoo, kifu_seek(zoo, 0));
    must_hear("-0! -1! redraw");
    must(zoo, kifu_seek(zoo, 2));
    must_hear("+1! redraw");
    must(zoo, kifu_play(zoo, 1)); // the film, event by event
    must(zoo, kifu_update(zoo, 0.1));
    must_hear("+0.3");
    kifu_destroy(reload(zoo, &options));
    must_hear("+0.3! +1! redraw");
    kifu_destroy(fork_of(zoo, 1, &options));
    must_hear("+0! +1!");
    must(zoo, kifu_observe(zoo, &(kifu_observer){.listen_each = hold, CARDS}));
    must(zoo, kifu_seek(zoo, 0)); // Nobody waits for what is drawn anew.
    must(zoo, kifu_seek(zoo, KIFU_PRESENT));
    ck_assert(kifu_is_idle(zoo));
    must(zoo, kifu_undo(zoo));
    ck_assert(!kifu_is_idle(zoo));
    kifu_destroy(zoo);
}
END_TEST

static void write_state(void *context, kifu_timeline *timeline, const void *state, const kifu_element_change *change)
{
    (void)context, (void)timeline;
    if (change->index == 1)
        ((zoo_state *)(uintptr_t)state)->done = 7;
}

START_TEST(G08_what_such_a_listener_writes_is_found)
{
    const kifu_options options = {.sync_test = kifu_sync_test};
    kifu_timeline *zoo = zoo_new(&options);
    must(zoo, kifu_observe(zoo, &(kifu_observer){.listen_each = write_state, CARDS}));
    must(zoo, zoo_play(zoo, "C"));
    ck_assert_int_eq(zoo_play(zoo, "C"), KIFU_DIVERGED);
    must_say(zoo, "a listener changed the state");
    ck_assert_uint_eq(zoo_get_state(zoo)->done, 0);
    kifu_destroy(zoo);
}
END_TEST

START_TEST(G08_what_is_no_whole_array_is_refused)
{
    kifu_timeline *zoo = zoo_new(NULL);
    const struct {
        kifu_observer observer;
        const char *words;
    } wrong[] = {
        {{.listen_each = note}, "0 bytes at 0 are not inside the state"},
        {{.listen_each = note, KIFU_PART(zoo_state, cards[1])}, "not one whole array"},
        {{.listen_each = note, KIFU_PART(zoo_state, done)}, "give KIFU_PART(type, array)"},
        {{.listen_each = note, KIFU_PART(zoo_state, cages[1])}, "not one whole array"},
        {{.listen_each = note, KIFU_PART(zoo_state, cages[1].open)}, "not one whole array"},
        {{.listen_each = note, KIFU_PART(zoo_state, game)}, "not one whole array"},
        {{.listen_each = note, .offset = offsetof(zoo_state, cards), .size = 6 * 15}, "not one whole array"},
        {{.listen_each = note, .offset = offsetof(zoo_state, beasts) - 1, .size = 1}, "not one whole array"}, // padding
        {{.listen_each = note, .offset = sizeof(zoo_state), .size = 8}, "not inside the state"},
        {{.listen_each = note, CARDS, .type = ZOO_P_DO}, "leave out the event type"},
        {{.listen_each = note, .react = (kifu_reaction *)0, CARDS, .hook = (kifu_hook *)1}, "2 are set"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        must_refuse(zoo, kifu_observe(zoo, &wrong[i].observer));
        must_say(zoo, wrong[i].words);
    }
    static const zoo_shelf arrays[] = {ZOO_SHELF(game.players, false), ZOO_SHELF(cages[3].spots, false)};
    for (size_t i = 0; i < 2; i++) // arrays of structs in the state
        must(zoo, kifu_observe(zoo, &(kifu_observer){.listen_each = note,
                                                     .offset = arrays[i].offset,
                                                     .size = arrays[i].stride * arrays[i].count}));
    kifu_destroy(zoo);
}
END_TEST

START_TEST(G08_without_memory_nothing_is_added)
{
    for (long n = 0, more = 1; more; n++) {
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        kifu_timeline *zoo = zoo_new(&options);
        memory.until_failure = n;
        heard[0] = '\0';
        const kifu_result first = kifu_observe(zoo, &(kifu_observer){.listen_each = note, CARDS});
        const kifu_result second =
            kifu_observe(zoo, &(kifu_observer){.listen_each = note, KIFU_PART(zoo_state, spots)});
        more = memory.failed;
        memory.until_failure = -1;
        ck_assert_int_eq((first == KIFU_NO_MEMORY) + (second == KIFU_NO_MEMORY), more);
        must(zoo, zoo_play(zoo, "C s255=1"));
        must_hear(first ? "~255:z" : second ? "+0" : "+0 ~255:z");
        must(zoo, zoo_play(zoo, "S0=1")); // all spots
        ck_assert_int_eq(strstr(heard, "~256:x") != NULL, !second);
        kifu_destroy(zoo);
        ck_assert_int_eq(memory.blocks, 0);
    }
}
END_TEST

static char *order;

static void sign(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)timeline, (void)state, (void)change;
    strcat(order, (const char *)context);
}

static void sign_each(void *context, kifu_timeline *timeline, const void *state, const kifu_element_change *change)
{
    (void)timeline, (void)state, (void)change;
    strcat(order, (const char *)context);
}

START_TEST(G08_both_kinds_of_listeners_are_called_in_one_order)
{
    static char a[] = "a", b[] = "b", c[] = "c", d[] = "d";
    char text[40] = "";
    order = text;
    kifu_timeline *zoo = zoo_new(NULL);
    const kifu_observer listeners[] = {
        {.listen_each = sign_each, CARDS, .context = a},
        {.listen = sign, CARDS, .context = b},
        {.listen_each = sign_each, CARDS, .context = c, .rank = KIFU_RANK_INTERNAL},
        {.listen = sign, CARDS, .context = d, .rank = KIFU_RANK_INTERNAL},
    };
    must(zoo, kifu_observe_all(zoo, listeners, 4));
    must(zoo, zoo_play(zoo, "C C"));
    ck_assert_str_eq(text, "ccdaab");
    must(zoo, kifu_remove_observers(zoo, a));
    must(zoo, kifu_undo(zoo));
    ck_assert_str_eq(text, "ccdaabccdb");
    kifu_destroy(zoo);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F37_two_of_sixteen_cards_are_two_reports_with_handles_and_fields,
        G08_a_report_has_the_entity_before_and_after,
        G08_entities_come_and_go,
        G08_arrays_that_are_no_pools,
        G08_a_roll_back_is_told_event_by_event,
        G08_a_quiet_time_is_told_at_once,
        G08_seek_load_and_fork_tell_what_differs,
        G08_what_such_a_listener_writes_is_found,
        G08_what_is_no_whole_array_is_refused,
        G08_without_memory_nothing_is_added,
        G08_both_kinds_of_listeners_are_called_in_one_order,
    };
    return run_suite("elements", tests, sizeof tests / sizeof *tests);
}
