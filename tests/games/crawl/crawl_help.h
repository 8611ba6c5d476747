/// What the suites that play the crawl share.
#ifndef CRAWL_HELP_H
#define CRAWL_HELP_H

#include "history_help.h"
#include "hooks.h"
#include "seeded.h"

/// What PAny and EAny do; each test runs in a process of its own.
static crawl_hooks test_hooks;

/// A timeline whose options know the hooks; seeded, and nothing else.
static inline kifu_timeline *crawl_new(const kifu_options *options)
{
    kifu_options with_hooks = options ? *options : (kifu_options){0};
    with_hooks.user = &test_hooks;
    const uint64_t seed = 7;
    kifu_timeline *crawl;
    kifu_error error;
    ck_assert_msg(kifu_create(&crawl_rules, &with_hooks, &crawl, &error) == KIFU_OK, "%s", error.message);
    crawl_submit_e_initialize(crawl, SEEDED(seed));
    must(crawl, kifu_run(crawl));
    return crawl;
}

/// The number of a Do function of the test, for PAny and EAny.
static inline uint8_t crawl_what(crawl_in_do *in_do)
{
    for (uint8_t i = 0; i < 16; i++) {
        if (!test_hooks.in_do[i])
            test_hooks.in_do[i] = in_do;
        if (test_hooks.in_do[i] == in_do)
            return i;
    }
    ck_abort_msg("that many functions there may not be");
    return 0;
}

/// Runs `in_do` as the Do of a PAny, an input.
static inline kifu_result crawl_do(kifu_timeline *crawl, crawl_in_do *in_do, kifu_handle actor, int32_t number)
{
    crawl_submit_p_any(crawl, 0, actor, number, crawl_what(in_do));
    return kifu_run(crawl);
}

/// A new actor: its handle, which is the one that comes next in the pool.
static inline kifu_handle crawl_add(kifu_timeline *crawl, crawl_kind kind, uint32_t x, uint32_t y, int speed)
{
    crawl_submit_e_spawn(crawl, &(crawl_e_spawn_args){.kind = kind,
                                                      .item = CRAWL_ITEM_NONE,
                                                      .x = (uint8_t)x,
                                                      .y = (uint8_t)y,
                                                      .hp = 5,
                                                      .speed = speed,
                                                      .energy = 0});
    must(crawl, kifu_run(crawl));
    return crawl_who(crawl_get_state(crawl), x, y);
}

static inline const crawl_actor *crawl_at(const kifu_timeline *crawl, kifu_handle actor)
{
    return crawl_get_actors(crawl_get_state(crawl), actor);
}

/// A step of the loop, and what follows from it.
static inline kifu_turn crawl_step(kifu_timeline *crawl, kifu_decide *decide)
{
    kifu_turn turn;
    must(crawl, kifu_take_turn(crawl, decide, NULL, &turn));
    must(crawl, kifu_run(crawl));
    return turn;
}

/// Steps until `status`, of which the actor is returned.
static inline kifu_handle crawl_until(kifu_timeline *crawl, kifu_decide *decide, kifu_turn_status status)
{
    for (int i = 0; i < 1000; i++) {
        kifu_turn turn = crawl_step(crawl, decide);
        if (turn.status == status)
            return turn.actor;
    }
    ck_abort_msg("that never came");
    return KIFU_NO_HANDLE;
}

/// What steps of the loop are to come to, in order: `must_step(crawl, crawl_rest, BEGAN, ACTED(rat), ASKED(hero));`
#define must_step(crawl, decide, ...)                                                                                  \
    crawl_must_step(crawl, decide, (const kifu_turn[]){__VA_ARGS__},                                                   \
                    sizeof((const kifu_turn[]){__VA_ARGS__}) / sizeof(kifu_turn), #__VA_ARGS__)
#define BEGAN                                                                                                          \
    {                                                                                                                  \
        KIFU_TURN_BEGAN, KIFU_NO_HANDLE                                                                                \
    }
#define NOBODY                                                                                                         \
    {                                                                                                                  \
        KIFU_TURN_NO_ACTORS, KIFU_NO_HANDLE                                                                            \
    }
#define ACTED(actor)                                                                                                   \
    {                                                                                                                  \
        KIFU_TURN_ACTED, actor                                                                                         \
    }
#define ASKED(actor)                                                                                                   \
    {                                                                                                                  \
        KIFU_TURN_NEEDS_INPUT, actor                                                                                   \
    }
#define REFUSED(actor)                                                                                                 \
    {                                                                                                                  \
        KIFU_TURN_REFUSED, actor                                                                                       \
    }
#define ENDED(actor)                                                                                                   \
    {                                                                                                                  \
        KIFU_TURN_ENDED, actor                                                                                         \
    }
#define RESTED(actor)                                                                                                  \
    {                                                                                                                  \
        KIFU_TURN_RESTED, actor                                                                                        \
    }

static inline void must_be_turn(kifu_turn turn, kifu_turn_status status, kifu_handle actor)
{
    ck_assert_int_eq(turn.status, status);
    ck_assert_uint_eq(turn.actor, actor);
}

static inline void crawl_must_step(kifu_timeline *crawl, kifu_decide *decide, const kifu_turn *turns, size_t count,
                                   const char *text)
{
    for (size_t i = 0; i < count; i++) {
        const kifu_turn turn = crawl_step(crawl, decide);
        if (turn.status != turns[i].status || turn.actor != turns[i].actor)
            ck_abort_msg("%s: step %u came to status %d of actor 0x%08x", text, (unsigned)i, (int)turn.status,
                         (unsigned)turn.actor);
    }
}

static inline int crawl_towards(int from, int to)
{
    return (to > from) - (to < from);
}

/// Everybody rests.
static inline kifu_ticket crawl_rest(void *context, kifu_timeline *crawl, const void *state, kifu_handle actor,
                                     uint32_t attempt)
{
    (void)context;
    (void)state;
    (void)attempt;
    return crawl_submit_p_rest(crawl, -1, actor);
}

/// Heroes are asked; monsters go for the first hero, and rest where they cannot.
static inline kifu_ticket crawl_hunt(void *context, kifu_timeline *crawl, const void *state, kifu_handle actor,
                                     uint32_t attempt)
{
    (void)context;
    const crawl_actor *who = crawl_get_actors((const crawl_state *)state, actor);
    if (who->kind == CRAWL_KIND_HERO)
        return 0;
    for (kifu_handle each = 0; (each = crawl_next_actors((const crawl_state *)state, each)) != 0;) {
        const crawl_actor *hero = crawl_get_actors((const crawl_state *)state, each);
        int dx = crawl_towards(who->x, hero->x), dy = crawl_towards(who->y, hero->y);
        if (hero->kind == CRAWL_KIND_HERO && !attempt)
            return crawl_submit_p_move(crawl, -1, actor, (int8_t)dx, (int8_t)(dx ? 0 : dy));
    }
    return crawl_submit_p_rest(crawl, -1, actor);
}

/// The hero whose turn it is does what was just submitted.
static inline kifu_turn crawl_act(kifu_timeline *crawl, kifu_handle actor, kifu_ticket ticket)
{
    must(crawl, kifu_set_action(crawl, actor, ticket));
    return crawl_step(crawl, crawl_hunt);
}

/// The same, and it happens.
static inline void must_act(kifu_timeline *crawl, kifu_handle actor, kifu_ticket ticket)
{
    must_be_turn(crawl_act(crawl, actor, ticket), KIFU_TURN_ACTED, actor);
}

/// How often the actor that tries was asked by now.
static uint32_t asked;

/// A PAny with the number of the attempt.
static inline kifu_ticket crawl_any(void *context, kifu_timeline *crawl, const void *state, kifu_handle actor,
                                    uint32_t attempt)
{
    (void)context;
    (void)state;
    asked = attempt + 1;
    return crawl_submit_p_any(crawl, -1, actor, (int32_t)attempt, 0);
}

static inline int crawl_energy(const kifu_timeline *crawl, kifu_handle actor)
{
    return crawl_at(crawl, actor)->actor.energy;
}

/// How all is, to compare with later.
typedef struct crawl_picture {
    crawl_state state;
    uint32_t events, pending;
} crawl_picture;

static inline crawl_picture crawl_look(const kifu_timeline *crawl)
{
    crawl_picture picture = {.events = kifu_event_count(crawl), .pending = kifu_pending_count(crawl)};
    memcpy(&picture.state, crawl_get_state(crawl), sizeof picture.state);
    return picture;
}

static inline void must_be_same(const kifu_timeline *crawl, const crawl_picture *before)
{
    must_be(!memcmp(crawl_get_state(crawl), &before->state, sizeof before->state));
    ck_assert_uint_eq(kifu_event_count(crawl), before->events);
    ck_assert_uint_eq(kifu_pending_count(crawl), before->pending);
}

/// Begins game turns until number `turn`.
static inline void go_to_turn(kifu_timeline *crawl, uint32_t turn)
{
    while (crawl_get_state(crawl)->turns.turn < turn) {
        crawl_submit_e_begin_turn(crawl);
        must(crawl, kifu_run(crawl));
    }
}

/// "3 1 4": the bells that rang.
static inline const char *bells(const kifu_timeline *crawl)
{
    static char text[200];
    const crawl_state *state = crawl_get_state(crawl);
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < state->bell_count && i < 16; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", i ? " " : "", (unsigned)state->bells[i]);
    return text;
}

/// Bell `number` is to ring in game turn `turn`.
static inline void bell_at(kifu_timeline *crawl, uint32_t number, uint32_t turn, uint32_t key)
{
    must(crawl, kifu_postpone(crawl, crawl_submit_e_bell(crawl, number), turn, key));
}

static inline uint32_t timer_count(const kifu_timeline *crawl)
{
    uint32_t count = 0;
    for (kifu_handle each = 0; (each = crawl_next_timers(crawl_get_state(crawl), each)) != 0;)
        count++;
    return count;
}

static inline kifu_event last_event(const kifu_timeline *crawl)
{
    kifu_event event = {.name = "none"};
    kifu_event_at(crawl, kifu_event_count(crawl) - 1, &event);
    return event;
}

/// The type's name without "crawl." or "kifu.".
static inline const char *crawl_name(const kifu_event *event)
{
    return strchr(event->name, '.') + 1;
}

/// The log from event `from` on as one line: "PMove ESpendEnergy".
static inline const char *crawl_log(const kifu_timeline *crawl, uint32_t from)
{
    static char text[8000];
    size_t used = 0;
    text[0] = '\0';
    kifu_event event;
    for (uint32_t i = from; used < sizeof text && kifu_event_at(crawl, i, &event); i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i == from ? "" : " ", crawl_name(&event));
    return text;
}

/// Undone to where undo stops and done again, seen from each place, forked, saved and loaded in both ways: always the
/// same.
static inline void must_replay(kifu_timeline *crawl)
{
    const uint64_t hash = kifu_state_hash(crawl);
    const uint32_t count = kifu_event_count(crawl);
    while (kifu_can_undo(crawl, NULL))
        must(crawl, kifu_undo(crawl));
    while (kifu_can_redo(crawl, NULL))
        must(crawl, kifu_redo(crawl));
    must_be(kifu_state_hash(crawl) == hash && kifu_event_count(crawl) == count);
    for (uint32_t i = 0; i <= 8; i++)
        must(crawl, kifu_seek(crawl, (uint32_t)((uint64_t)count * (8 - i) / 8)));
    must(crawl, kifu_seek(crawl, KIFU_PRESENT));
    must_be(kifu_state_hash(crawl) == hash);
    const kifu_options options = {.user = &test_hooks};
    for (int way = 0; way < 3; way++) {
        kifu_timeline *other = way ? reload_fast(crawl, &options, way == 2) : fork_of(crawl, KIFU_PRESENT, &options);
        must_be(kifu_event_count(other) == count);
        must_be(!memcmp(kifu_state(other), kifu_state(crawl), sizeof(crawl_state)));
        must(other, kifu_verify_replay(other, NULL));
        kifu_destroy(other);
    }
}

#endif
