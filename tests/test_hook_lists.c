// Which hooks an event asks: the same in the same order as by looking at all of them, but without looking at all.

#include "corridor_help.h"
#include "observe/hook_lists.h"
#include "suite.h"

enum { MOST = 300 };

// --- The same order as by looking at all -----------------------------------------------------------------------------

typedef struct plain_hook {
    kifu_observer observer;
    uint32_t number;
} plain_hook;

// All hooks in the order in which they are called, the internal ones first.
static plain_hook hooks[MOST];
static uint32_t hook_count;

static uint32_t asked[MOST * 4];
static uint32_t asked_count;

// What hooks are removed by, and how a hook says which one it is: the number of one is its context's address.
static uint32_t contexts[MOST];

static kifu_verdict note(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed)
{
    (void)timeline;
    (void)state;
    (void)proposed;
    asked[asked_count++] = (uint32_t)((uint32_t *)context - contexts);
    return kifu_accept();
}

static uint32_t draw(kifu_rng *rng, uint32_t below)
{
    return kifu_rng_below(rng, below);
}

static const uint32_t types[] = {0, CORRIDOR_E_STRIKE, CORRIDOR_E_DAMAGE, CORRIDOR_E_HEAL};

// Adds a hook to both. What the game refuses is not added.
static void add_one(kifu_timeline *corridor, kifu_rng *rng, uint32_t number)
{
    const uint32_t type = types[draw(rng, 4)];
    const kifu_observer observer = {
        .hook = note,
        .type = type,
        .tags = type ? 0 : draw(rng, 4) * draw(rng, 2),
        .scope = draw(rng, corridor_rules.scope_count),
        .subject = draw(rng, 3) ? draw(rng, 8) : KIFU_ANY_SUBJECT,
        .rank = draw(rng, 4) ? KIFU_RANK_ORDINARY : KIFU_RANK_INTERNAL,
        .name = "a note",
        .context = &contexts[number],
    };
    if (kifu_observe(corridor, &observer))
        return;
    uint32_t at = hook_count++;
    for (; observer.rank == KIFU_RANK_INTERNAL && at > 0 && hooks[at - 1].observer.rank != KIFU_RANK_INTERNAL; at--)
        hooks[at] = hooks[at - 1];
    hooks[at] = (plain_hook){observer, number};
}

static void remove_one(kifu_timeline *corridor, uint32_t at)
{
    must(corridor, kifu_remove_observers(corridor, &contexts[hooks[at].number]));
    memmove(&hooks[at], &hooks[at + 1], (--hook_count - at) * sizeof hooks[at]);
}

static void must_have_asked(uint32_t type, const uint64_t *subjects)
{
    const kifu__type *described = &corridor_rules.types[type];
    uint32_t seen = 0;
    for (uint32_t scope = 0; scope < described->scope_count; scope++) {
        for (uint32_t i = 0; i < hook_count; i++) {
            const kifu_observer *hook = &hooks[i].observer;
            if (hook->scope == described->scopes[scope] && subjects[scope] != KIFU_NO_SUBJECT &&
                kifu__concerns(hook, type, described->tags) &&
                (hook->subject == KIFU_ANY_SUBJECT || hook->subject == subjects[scope]))
                ck_assert_uint_eq(asked[seen++], hooks[i].number);
        }
    }
    ck_assert_uint_eq(seen, asked_count);
}

// One event, and which hooks it asks. A blow asks for level, cell, target and performer.
static void ask_for_one(kifu_timeline *corridor, kifu_rng *rng)
{
    const uint8_t one = (uint8_t)draw(rng, 6), other = draw(rng, 3) ? (uint8_t)draw(rng, 6) : 255;
    const corridor_state *state = corridor_get_state(corridor);
    const uint32_t type = types[1 + draw(rng, 3)];
    const uint64_t performer = other == 255 && type == CORRIDOR_E_STRIKE ? KIFU_NO_SUBJECT : other;
    const uint64_t of_blow[] = {(uint64_t)state->level, (uint64_t)state->people[one].cell, one, performer};
    if (type == CORRIDOR_E_STRIKE)
        corridor_submit_e_strike(corridor, other, one, 2, CORRIDOR_MANNER_GENTLE);
    else if (type == CORRIDOR_E_DAMAGE)
        corridor_submit_e_damage(corridor, one, other, 1);
    else
        corridor_submit_e_heal(corridor, one, 1);
    asked_count = 0;
    (void)kifu_step(corridor); // A check may refuse a blow: then none is asked.
    if (asked_count || state->people[one].hp > 0)
        must_have_asked(type, type == CORRIDOR_E_STRIKE ? of_blow : of_blow + 2);
    (void)kifu_run(corridor);
}

START_TEST(F46_hooks_are_asked_in_the_order_of_adding_them)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 46, 0);
    for (uint32_t game = 0; game < 8; game++) {
        kifu_timeline *corridor = corridor_new(NULL);
        hook_count = 0;
        for (uint32_t number = 0; number < MOST; number++) {
            add_one(corridor, &rng, number);
            if (hook_count && !draw(&rng, 4))
                remove_one(corridor, draw(&rng, hook_count));
            if (!draw(&rng, 3))
                ask_for_one(corridor, &rng);
        }
        kifu_destroy(corridor);
    }
}
END_TEST

// A subject that happens to have the number that stands for all of them asks each hook once.
START_TEST(F46_no_subject_is_taken_for_all_of_them)
{
    const kifu_observer any = {.hook = note, .scope = 0, .subject = KIFU_ANY_SUBJECT, .name = "any"};
    kifu_observer items[] = {any};
    const kifu__observers all = {.items = items, .count = 1};
    const kifu__memory memory = kifu__memory_of(NULL, NULL);
    const kifu__type *type = &corridor_rules.types[CORRIDOR_E_STRIKE];
    items[0].scope = type->scopes[0];
    kifu__hook_list list = {.links = NULL};
    ck_assert(kifu__hook_list_update(&list, &all, &memory, CORRIDOR_E_STRIKE, type));
    kifu__hook_walk walk = kifu__hook_walk_begin(&list, &all, type->scopes[0], KIFU_ANY_SUBJECT);
    ck_assert_ptr_eq(kifu__hook_walk_next(&walk), &items[0]);
    ck_assert_ptr_null(kifu__hook_walk_next(&walk));
    kifu__free(&memory, list.links);
}
END_TEST

// --- Without looking at all ------------------------------------------------------------------------------------------

// How many links of the list lie in the longest chain.
static uint32_t longest_chain(const kifu__hook_list *list)
{
    uint32_t length[8 * MOST] = {0}, longest = 0;
    for (uint32_t link = list->count; link-- > 0;) { // A chain leads to later links alone.
        const uint32_t next = list->links[link].next;
        length[link] = 1 + (next == KIFU_NONE ? 0 : length[next]);
        longest = length[link] > longest ? length[link] : longest;
    }
    return longest;
}

START_TEST(F46_an_event_looks_at_its_own_hooks_alone)
{
    static kifu_observer items[8 * MOST];
    const kifu__memory memory = kifu__memory_of(NULL, NULL);
    const kifu__type *strike = &corridor_rules.types[CORRIDOR_E_STRIKE], *heal = &corridor_rules.types[CORRIDOR_E_HEAL];
    for (uint32_t count = 2 * MOST; count <= 8 * MOST; count *= 2) {
        kifu__observers all = {.items = items};
        kifu__hook_list of_strike = {.links = NULL}, of_heal = {.links = NULL};
        for (uint32_t i = 0; i < count; i++) { // Each of a person of its own; they are added while the game goes on.
            items[all.count++] = (kifu_observer){
                .hook = note, .type = CORRIDOR_E_STRIKE, .scope = strike->scopes[2], .subject = i, .name = "own"};
            ck_assert(kifu__hook_list_update(&of_strike, &all, &memory, CORRIDOR_E_STRIKE, strike));
        }
        ck_assert_uint_eq(of_strike.count, count);
        ck_assert_uint_le(longest_chain(&of_strike), 8); // of which an event looks at one
        ck_assert(kifu__hook_list_update(&of_heal, &all, &memory, CORRIDOR_E_HEAL, heal));
        ck_assert_uint_eq(of_heal.count, 0);
        ck_assert_uint_eq(of_heal.wanted, 0); // Nobody asks for its subjects, either.
        kifu__free(&memory, of_strike.links);
        kifu__free(&memory, of_heal.links);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F46_hooks_are_asked_in_the_order_of_adding_them,
        F46_no_subject_is_taken_for_all_of_them,
        F46_an_event_looks_at_its_own_hooks_alone,
    };
    return run_suite("hook_lists", tests, sizeof tests / sizeof *tests);
}
