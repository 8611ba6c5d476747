/// What the suites that play in the corridor (games/corridor) share.
#ifndef CORRIDOR_HELP_H
#define CORRIDOR_HELP_H

#include "history_help.h"
#include "plan.h"
#include "seeded.h"

/// What PAny and EAny do; each test runs in a process of its own.
static corridor_plan test_plan;

/// A timeline with a corridor: three events have happened, the first one a barrier for undo.
static inline kifu_timeline *corridor_new(const kifu_options *options)
{
    kifu_options with_plan = options ? *options : (kifu_options){0};
    with_plan.user = &test_plan;
    const uint64_t seed = 7;
    kifu_timeline *corridor;
    kifu_error error;
    ck_assert_msg(kifu_create(&corridor_rules, &with_plan, &corridor, &error) == KIFU_OK, "%s", error.message);
    corridor_submit_e_initialize(corridor, SEEDED(seed));
    corridor_submit_e_build(corridor);
    corridor_submit_e_seal(corridor, 0);
    must(corridor, kifu_run(corridor));
    return corridor;
}

static inline uint8_t corridor_what(corridor_in_check *in_check, corridor_in_do *in_do)
{
    for (uint8_t i = 1; i < 16; i++) {
        if (!test_plan.in_do[i] && !test_plan.in_check[i]) {
            test_plan.in_do[i] = in_do;
            test_plan.in_check[i] = in_check;
        }
        if (test_plan.in_do[i] == in_do && test_plan.in_check[i] == in_check)
            return i;
    }
    ck_abort_msg("that many functions there may not be");
    return 0;
}

/// The log from event `from` on as one line: "PMove EDamage".
static inline const char *corridor_log(const kifu_timeline *corridor, uint32_t from)
{
    static char text[8000];
    size_t used = 0;
    text[0] = '\0';
    kifu_event event;
    for (uint32_t i = from; used < sizeof text && kifu_event_at(corridor, i, &event); i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i == from ? "" : " ",
                                 strchr(event.name, '.') + 1);
    return text;
}

static inline const corridor_person *corridor_person_at(const kifu_timeline *corridor, uint32_t person)
{
    return &corridor_get_state(corridor)->people[person];
}

/// Everything that must be as it was when something leaves nothing behind.
typedef struct corridor_moment {
    corridor_state state;
    uint32_t count, pending, undo, redo;
    kifu_event last;
} corridor_moment;

static inline corridor_moment corridor_now(const kifu_timeline *corridor)
{
    corridor_moment moment;
    memset(&moment, 0, sizeof moment);
    moment.state = *corridor_get_state(corridor);
    moment.count = kifu_event_count(corridor);
    moment.pending = kifu_pending_count(corridor);
    moment.undo = kifu_can_undo(corridor, NULL);
    moment.redo = kifu_can_redo(corridor, NULL);
    must_be(kifu_event_at(corridor, moment.count - 1, &moment.last));
    return moment;
}

static inline void must_be_then(const kifu_timeline *corridor, const corridor_moment *then)
{
    const corridor_moment now = corridor_now(corridor);
    must_be(!memcmp(&now.state, &then->state, sizeof now.state));
    must_be(now.count == then->count && now.pending == then->pending);
    must_be(now.undo == then->undo && now.redo == then->redo);
    must_be(now.last.table == then->last.table && now.last.flags == then->last.flags);
}

/// Undone and done again, seen from each place, forked, saved and loaded without hooks or anything else: the same.
static inline void must_replay(kifu_timeline *corridor)
{
    const uint64_t hash = kifu_state_hash(corridor);
    const uint32_t count = kifu_event_count(corridor);
    while (kifu_can_undo(corridor, NULL))
        must(corridor, kifu_undo(corridor));
    while (kifu_can_redo(corridor, NULL))
        must(corridor, kifu_redo(corridor));
    must_be(kifu_state_hash(corridor) == hash && kifu_event_count(corridor) == count);
    for (uint32_t i = 0; i <= 8; i++)
        must(corridor, kifu_seek(corridor, (uint32_t)((uint64_t)count * (8 - i) / 8)));
    must(corridor, kifu_seek(corridor, KIFU_PRESENT));
    must_be(kifu_state_hash(corridor) == hash);
    const kifu_options options = {.user = &test_plan};
    for (int way = 0; way < 2; way++) {
        kifu_timeline *other = way ? reload(corridor, &options) : fork_of(corridor, KIFU_PRESENT, &options);
        must_be(kifu_event_count(other) == count);
        must_be(!memcmp(kifu_state(other), kifu_state(corridor), sizeof(corridor_state)));
        must(other, kifu_verify_replay(other, NULL));
        kifu_destroy(other);
    }
}

/// A follower that keeps the last outcome.
typedef struct told {
    unsigned calls;
    kifu_outcome outcome;
    char message[500];
} told;

static inline void keep_outcome(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    (void)timeline;
    told *told = (struct told *)context;
    told->calls++;
    told->outcome = *outcome;
    snprintf(told->message, sizeof told->message, "%s", outcome->error ? outcome->error->message : "");
}

/// Follows what was just submitted, and runs.
static inline kifu_result corridor_run(kifu_timeline *corridor, kifu_ticket ticket, told *told)
{
    told->calls = 0;
    must(corridor, kifu_follow(corridor, ticket, keep_outcome, told));
    return kifu_run(corridor);
}

#endif
