// kifu_state_at: the state at any event, for all who may ask and wherever they are, and nothing changes by the look.

#include "cards_help.h"
#include "history_help.h"
#include "lab_help.h"
#include "past_help.h"
#include "suite.h"

START_TEST(P11_the_state_at_any_event_can_be_had)
{
    kifu_timeline *lab = lab_new(NULL);
    lab_state state, zero;
    memset(&zero, 0, sizeof zero);
    must(lab, kifu_state_at(lab, 0, &state, sizeof state));
    ck_assert_mem_eq(&state, &zero, sizeof state);
    must(lab, lab_play(lab, "1"));
    must(lab, lab_play(lab, "2"));
    must(lab, kifu_undo(lab));
    lab_picture picture = lab_look(lab);
    memset(&state, 0xA5, sizeof state);
    lab_state untouched = state;
    must_refuse(lab, kifu_state_at(lab, 2, &state, sizeof state)); // undone: it has not happened
    must_refuse(lab, kifu_state_at(lab, KIFU_PRESENT - 1, &state, sizeof state));
    must_refuse(lab, kifu_state_at(lab, 0, &state, sizeof state - 1));
    must_refuse(lab, kifu_state_at(lab, 0, &state, sizeof state + 8));
    ck_assert_mem_eq(&state, &untouched, sizeof state);
    must(lab, kifu_state_at(lab, 1, &state, sizeof state));
    ck_assert_mem_eq(&state, lab_get_state(lab), sizeof state);
    lab_same(lab, &picture);
    must(lab, kifu_redo(lab)); // looking ended nothing
    must(lab, kifu_begin(lab, 0));
    must(lab, lab_play(lab, "3"));
    must(lab, kifu_state_at(lab, 2, &state, sizeof state));
    ck_assert_uint_eq(state.length, 2);
    must(lab, kifu_state_at(lab, 3, &state, sizeof state));
    ck_assert_uint_eq(state.length, 3);
    must(lab, kifu_roll_back(lab));
    must_refuse(lab, kifu_state_at(lab, 3, &state, sizeof state));
    must(lab, kifu_begin(lab, KIFU_SEARCH));
    must(lab, lab_play(lab, "5"));
    must(lab, kifu_state_at(lab, 1, &state, sizeof state));
    ck_assert_uint_eq(state.length, 1);
    must(lab, kifu_roll_back(lab));
    kifu_destroy(lab);
}
END_TEST

START_TEST(P11_do_may_not_look_at_the_past)
{
    kifu_timeline *lab = lab_new(NULL);
    must(lab, lab_play(lab, "+"));
    lab_picture picture = lab_look(lab);
    ck_assert_int_eq(lab_play(lab, "+a1"), KIFU_MISUSE);
    must_say(lab, "kifu_state_at");
    lab_same(lab, &picture);
    kifu_destroy(lab);
}
END_TEST

// The journal tells; no Do runs.
START_TEST(P11_the_state_of_now_and_just_before_costs_nothing)
{
    unsigned long dos = 0;
    kifu_timeline *lab = lab_new(&(kifu_options){.user = &dos});
    for (int i = 0; i < 50; i++)
        lab_submit_p_add(lab, 0, 1);
    must(lab, kifu_run(lab));
    dos = 0;
    for (uint32_t count = 0; count <= 50; count++) {
        lab_state then;
        must(lab, kifu_state_at(lab, count, &then, sizeof then));
        ck_assert_int_eq(then.total, count);
    }
    ck_assert_uint_eq(dos, 0);
    kifu_destroy(lab);
}
END_TEST

// No event of a replay is journaled, but for a transaction in its Do, and then no longer than that.
START_TEST(P11_a_transaction_in_a_replayed_do_costs_no_more_memory_than_itself)
{
    test_memory memory = {.until_failure = -1};
    kifu_timeline *lab = lab_new(
        &(kifu_options){.allocate = test_allocate, .allocate_context = &memory, .keyframe_bytes = 1, .quiet = true});
    for (int i = 0; i < 5000; i++)
        lab_do(lab, 0, i % 2 ? "b+k+" : "+b+c", 1);
    must(lab, kifu_run(lab));
    memory.most = 0;
    lab_state then;
    must(lab, kifu_state_at(lab, 2000, &then, sizeof then));
    ck_assert_int_eq(then.total, 3000);
    ck_assert_uint_le(memory.most, 1024);
    kifu_destroy(lab);
}
END_TEST

static kifu_result looks_back_in_a_replay(void *context, kifu_timeline *timeline, const cards_p_any *any)
{
    (void)any;
    cards_state then;
    if (!kifu_is_replaying(timeline))
        return KIFU_OK;
    ck_assert_int_eq(kifu_state_at(timeline, 0, &then, sizeof then), KIFU_MISUSE);
    ++*(int *)context;
    return KIFU_OK;
}

START_TEST(P11_do_may_not_look_at_the_past_in_a_replay)
{
    int looks = 0;
    cards_hooks hooks = {.context = &looks, .in_do = looks_back_in_a_replay};
    kifu_timeline *cards = cards_new(&(kifu_options){.user = &hooks});
    cards_submit_p_any(cards, 0, 1);
    must(cards, kifu_run(cards));
    must(cards, kifu_undo(cards));
    ck_assert_int_eq(kifu_redo(cards), KIFU_FAILED);
    must_say(cards, "(cards.PAny) could not be replayed: kifu_state_at was called in a Do function");
    ck_assert_int_eq(looks, 1);
    ck_assert_uint_eq(kifu_event_count(cards), 2);
    kifu_destroy(cards);
}
END_TEST

// For each PDo: as many '+' as the total was half way, as an event, and a digit for who asked.
static kifu_result remember_half_way(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)context;
    lab_state then;
    const lab_state before = *(const lab_state *)state;
    if (event->type != LAB_P_DO)
        return KIFU_OK;
    must(timeline, kifu_state_at(timeline, event->index / 2, &then, sizeof then));
    ck_assert_mem_eq(state, &before, sizeof before);
    ck_assert_ptr_eq(state, kifu_state(timeline));
    ck_assert_int_eq(kifu_player(timeline), event->player);
    ck_assert(!kifu_is_replaying(timeline));
    char script[10] = "r";
    memset(script + 1, '+', (size_t)then.total % 5);
    lab_submit_e_do(timeline, script);
    return KIFU_OK;
}

START_TEST(P11_a_reaction_puts_what_was_into_an_event)
{
    for (int i = 0; i < BUDGETS; i++) {
        copies copies = {calloc(3000, sizeof *copies.states), 0};
        kifu_timeline *lab = lab_new(&budgets[i]);
        must(lab, kifu_observe(lab, &(kifu_observer){.react = remember_half_way}));
        lab_submit_e_initialize(lab, SEEDED(seed));
        for (int j = 0; j < 700; j++)
            lab_do(lab, j % 3, j % 2 ? "+r(r)" : "b(r)+rk+", 1);
        while (kifu_pending_count(lab)) {
            must(lab, kifu_step(lab));
            copies.count = kifu_event_count(lab);
            memcpy(&copies.states[copies.count], lab_get_state(lab), sizeof(lab_state));
            kifu_event event, cause;
            kifu_event_at(lab, copies.count - 1, &event);
            if (event.type == LAB_E_DO) {
                ck_assert(kifu_event_at(lab, event.cause, &cause));
                ck_assert_uint_eq(cause.type, LAB_P_DO);
            }
        }
        ck_assert_uint_gt(copies.count, 1500);
        undo_and_redo_all(lab, &copies);
        go_anywhere(lab, &copies, 50);
        kifu_timeline *loaded = reload(lab, NULL);
        must_be_at(loaded, &copies, copies.count);
        kifu_destroy(loaded);
        free(copies.states);
        kifu_destroy(lab);
    }
}
END_TEST

// Every place where the rules or the view may look, and what they saw.
typedef struct onlooker {
    kifu_timeline *cards;
    int32_t life[5]; // in the check, the reaction, the trigger, the listener, Act
    uint32_t count;  // where to look
} onlooker;

static int32_t life_at(const kifu_timeline *timeline, uint32_t count)
{
    cards_state state;
    kifu_timeline *looking = (kifu_timeline *)(uintptr_t)timeline; // a look changes nothing
    must(looking, kifu_state_at(looking, count, &state, sizeof state));
    kifu_cursor *past; // It comes to the same from the present.
    must(looking, kifu_cursor_open(looking, KIFU_PRESENT, &past));
    while (kifu_cursor_position(past) > count)
        must(looking, kifu_cursor_back(past));
    ck_assert_mem_eq(kifu_cursor_state(past), &state, sizeof state);
    kifu_cursor_close(past);
    return state.life[0];
}

static void look_in_check(void *context, kifu_timeline *timeline)
{
    onlooker *looks = context;
    looks->life[0] = life_at(timeline, looks->count);
}

static kifu_result look_in_reaction(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)state;
    onlooker *looks = context;
    (void)event;
    looks->life[1] = life_at(timeline, looks->count);
    return KIFU_OK;
}

static kifu_result look_in_trigger(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                                   const kifu_change *change)
{
    (void)state;
    (void)event;
    onlooker *looks = context;
    looks->life[2] = life_at(timeline, looks->count);
    ck_assert_int_eq(*(const int32_t *)change->after, ((const cards_state *)state)->life[0]);
    return KIFU_OK;
}

static void look_in_listener(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    onlooker *looks = context;
    looks->life[3] = life_at(timeline, looks->count);
    ck_assert_int_eq(*(const int32_t *)change->after, ((const cards_state *)state)->life[0]);
}

static double look_in_act(void *context, kifu_timeline *timeline, const cards_state *state, const cards_p_any *any,
                          const cards_p_any_transient *transient)
{
    (void)any;
    onlooker *looks = context;
    looks->life[4] = life_at(timeline, looks->count);
    ck_assert_int_eq(transient->life, state->life[0]); // E02: still what its own Do filled in
    return 0;
}

START_TEST(P11_rules_and_view_may_look_from_anywhere)
{
    onlooker looks = {.count = 2};
    cards_hooks hooks = {.context = &looks};
    cards_view view = {.base = {.context = &looks}, .act_p_any = look_in_act};
    kifu_options options = {.user = &hooks, .view = &view.base, .keyframe_bytes = 1};
    kifu_timeline *cards = looks.cards = cards_new(&options);
    for (int i = 0; i < 5; i++) // life at 2: 20, at 3: 19, at 4: 18, …
        cards_submit_p_any(cards, 0, 1);
    must(cards, kifu_run(cards));
    hooks.in_check = look_in_check;
    must(cards,
         kifu_observe(cards, &(kifu_observer){.react = look_in_reaction, .type = CARDS_P_ANY, .context = &looks}));
    must(cards,
         kifu_observe(
             cards, &(kifu_observer){.trigger = look_in_trigger, KIFU_PART(cards_state, life[0]), .context = &looks}));
    must(cards,
         kifu_observe(
             cards, &(kifu_observer){.listen = look_in_listener, KIFU_PART(cards_state, life[0]), .context = &looks}));
    for (looks.count = 2; looks.count <= 7; looks.count++) {
        memset(looks.life, 0, sizeof looks.life);
        cards_submit_p_any(cards, 0, 1);
        must(cards, kifu_run(cards));
        for (int i = 0; i < 5; i++)
            ck_assert_int_eq(looks.life[i], 22 - (int)looks.count);
    }
    looks.count = 3; // a listener hears of an undo, and looks
    memset(looks.life, 0, sizeof looks.life);
    must(cards, kifu_undo(cards));
    ck_assert_int_eq(looks.life[3], 19);
    ck_assert_int_eq(looks.life[2], 0);
    kifu_destroy(cards);
}
END_TEST

// The Do of past events fills in the transient fields, too: not those of the event that is shown.
static kifu_result look_before_act(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)state;
    uint32_t *count = context;
    cards_state then;
    must(timeline, kifu_state_at(timeline, *count, &then, sizeof then));
    ck_assert_int_eq(((const cards_p_any *)event->table)->number, 1000); // the event is where it was
    return KIFU_OK;
}

static double keep_life(void *context, kifu_timeline *timeline, const cards_state *state, const cards_p_any *any,
                        const cards_p_any_transient *transient)
{
    (void)timeline;
    (void)any;
    ck_assert_int_eq(transient->life, state->life[0]);
    ++*(unsigned *)context;
    return 0;
}

START_TEST(E02_transient_fields_survive_a_look_at_the_past)
{
    uint32_t count = 0;
    unsigned acts = 0;
    cards_view view = {.base = {.context = &acts}, .act_p_any = keep_life};
    kifu_options options = {.view = &view.base, .keyframe_bytes = 1};
    kifu_timeline *cards = cards_new(&options);
    for (int i = 0; i < 5000; i++)
        cards_submit_p_any(cards, 0, 1);
    must(cards, kifu_run(cards));
    ck_assert_uint_eq(acts, 5000);
    must(cards,
         kifu_observe(cards, &(kifu_observer){.react = look_before_act, .type = CARDS_P_ANY, .context = &count}));
    for (count = 0; count <= 5000; count += 500) {
        cards_submit_p_any(cards, 0, 1000);
        must(cards, kifu_step(cards));
    }
    ck_assert_uint_eq(acts, 5011);
    must(cards, kifu_remove_observers(cards, &count));
    must(cards, kifu_begin(cards, 0)); // and inside a transaction they reach Act as ever
    cards_submit_p_any(cards, 0, 1);
    must(cards, kifu_run(cards));
    ck_assert_uint_eq(acts, 5012);
    must(cards, kifu_commit(cards));
    kifu_destroy(cards);
}
END_TEST

// A fault from before the look is told all the same.
static kifu_result edit_and_look(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)context;
    (void)state;
    (void)event;
    cards_state then;
    *cards_edit_life(timeline, 1) = 99;
    must(timeline, kifu_state_at(timeline, 100, &then, sizeof then));
    return KIFU_OK;
}

START_TEST(T06_a_look_at_the_past_does_not_hide_misuse)
{
    kifu_options options = {.keyframe_bytes = 1};
    kifu_timeline *cards = cards_new(&options);
    for (int i = 0; i < 5000; i++)
        cards_submit_p_any(cards, 0, 1);
    must(cards, kifu_run(cards));
    must(cards, kifu_observe(cards, &(kifu_observer){.react = edit_and_look}));
    cards_submit_p_any(cards, 0, 1);
    ck_assert_int_eq(kifu_run(cards), KIFU_MISUSE);
    must_say(cards, "edited in a reaction");
    ck_assert_uint_eq(kifu_event_count(cards), 5002);
    kifu_destroy(cards);
}
END_TEST

START_TEST(P11_a_look_at_the_past_without_memory_says_so)
{
    test_memory memory = {.until_failure = -1};
    kifu_options options = {.allocate = test_allocate, .allocate_context = &memory, .keyframe_bytes = 1};
    copies copies;
    kifu_timeline *lab = lab_new(&options);
    play(lab, &copies, 1500);
    for (uint32_t count = 0; count <= 1500; count += 250)
        for (long n = 0, more = 1; more; n++) {
            kifu_timeline *each = reload(lab, &options);
            memory.until_failure = n;
            memory.failed = false;
            lab_state state;
            kifu_result result = kifu_state_at(each, count, &state, sizeof state);
            memory.until_failure = -1;
            more = memory.failed;
            if (result) {
                ck_assert_int_eq(result, KIFU_NO_MEMORY);
                ck_assert(memory.failed);
                must_say(each, "memory");
            }
            must_be_at(each, &copies, 1500);
            look_at(each, &copies, count);
            kifu_destroy(each);
        }
    free(copies.states);
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        P11_the_state_at_any_event_can_be_had,
        P11_do_may_not_look_at_the_past,
        P11_the_state_of_now_and_just_before_costs_nothing,
        P11_a_transaction_in_a_replayed_do_costs_no_more_memory_than_itself,
        P11_do_may_not_look_at_the_past_in_a_replay,
        P11_a_reaction_puts_what_was_into_an_event,
        P11_rules_and_view_may_look_from_anywhere,
        E02_transient_fields_survive_a_look_at_the_past,
        T06_a_look_at_the_past_does_not_hide_misuse,
        P11_a_look_at_the_past_without_memory_says_so,
    };
    return run_suite("state_at", tests, sizeof tests / sizeof *tests);
}
