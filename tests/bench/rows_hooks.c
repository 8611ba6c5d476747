/// What hooks, alternates and timed events cost: the events that use them, and those that do not.
#include <stdio.h>

#include "contest.h"
#include "hooked.h"
#include "measure.h"

enum { OTHERS = 8, TIMED = 32 };

typedef kifu_ticket submit(kifu_timeline *timeline, uint16_t heap, uint16_t by);

typedef struct hooking {
    uint32_t count;
    kifu_timeline *hooked;   ///< Games that do the same: this one has hooks,
    kifu_timeline *unhooked; ///< this one none,
    kifu_timeline *checked;  ///< this one an event type with a check,
    kifu_timeline *plain;    ///< and this one another without.
} hooking;

static kifu_verdict pass(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed)
{
    (void)context;
    (void)timeline;
    (void)state;
    (void)proposed;
    return kifu_accept();
}

static kifu_timeline *begin(uint32_t type, uint32_t hooks)
{
    const kifu_options options = {.quiet = true};
    kifu_timeline *timeline;
    must(!kifu_create(&hooked_rules, &options, &timeline, NULL), "no timeline");
    for (uint32_t i = 0; i < hooks; i++)
        must(!kifu_observe(timeline, &(kifu_observer){.hook = pass,
                                                      .type = type,
                                                      .scope = HOOKED_SCOPE_HEAP,
                                                      .subject = KIFU_ANY_SUBJECT,
                                                      .name = "pass"}),
             "no hook");
    return timeline;
}

static void play_events(kifu_timeline *timeline, submit *submit, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        submit(timeline, (uint16_t)(i & 15), 1);
        must(!kifu_run(timeline), "an event did not happen");
    }
}

static double time_events(void *context, submit *submit, uint32_t hook_type, uint32_t hooks, uint32_t events_each)
{
    const hooking *hooking = context;
    kifu_timeline *timeline = begin(hook_type, hooks);
    double start = now();
    play_events(timeline, submit, hooking->count);
    double time = now() - start;
    must(kifu_event_count(timeline) == hooking->count * events_each, "other events happened");
    kifu_destroy(timeline);
    return time;
}

static double run_step(void *context)
{
    return time_events(context, hooked_submit_e_step, 0, 0, 1);
}

static double run_step_others(void *context)
{
    return time_events(context, hooked_submit_e_step, HOOKED_E_OTHER, OTHERS, 1);
}

static double run_hookable(void *context)
{
    return time_events(context, hooked_submit_e_hookable, 0, 0, 1);
}

static double run_hookable_others(void *context)
{
    return time_events(context, hooked_submit_e_hookable, HOOKED_E_OTHER, OTHERS, 1);
}

static double run_hook(void *context)
{
    return time_events(context, hooked_submit_e_hookable, HOOKED_E_HOOKABLE, 1, 1);
}

static double run_try(void *context)
{
    return time_events(context, hooked_submit_e_try, 0, 0, 1);
}

static double run_fall(void *context)
{
    return time_events(context, hooked_submit_e_fall, 0, 0, 1);
}

static double run_chain(void *context)
{
    return time_events(context, hooked_submit_e_chain, 0, 0, 2);
}

static double replay_hooked(void *context)
{
    return replay_all(((const hooking *)context)->hooked);
}

static double replay_unhooked(void *context)
{
    return replay_all(((const hooking *)context)->unhooked);
}

static double replay_checked(void *context)
{
    return replay_all(((const hooking *)context)->checked);
}

static double replay_plain(void *context)
{
    return replay_all(((const hooking *)context)->plain);
}

static void live_rows(hooking *hooking, const scale *scale)
{
    contender contenders[] = {{"step", run_step, 0},
                              {"others", run_step_others, 0},
                              {"hookable", run_hookable, 0},
                              {"hookable, others", run_hookable_others, 0},
                              {"hook", run_hook, 0}};
    compare(contenders, 5, hooking, scale->rounds, hooking->count);
    row("no hooks in the schema, none added", "%6.1f ns", contenders[0].ns);
    const char *const names[] = {"    8 hooks of another event type", "hooks in the schema, none added",
                                 "    8 hooks of another event type", "    a hook that passes"};
    for (uint32_t i = 0; i < 4; i++)
        row(names[i], "%6.1f ns: %5.2f x", contenders[i + 1].ns, last_ratio(i + 1, 0));
}

static void alternate_rows(hooking *hooking, const scale *scale)
{
    contender contenders[] = {
        {"chain", run_chain, 0}, {"try", run_try, 0}, {"fall", run_fall, 0}, {"step", run_step, 0}};
    compare(contenders, 4, hooking, scale->rounds, hooking->count);
    row("two events, one a consequence of the other", "%6.1f ns", contenders[0].ns);
    row("a check has another event tried instead", "%6.1f ns: %5.2f x", contenders[1].ns, last_ratio(1, 0));
    row("a Do has another event tried instead", "%6.1f ns: %5.2f x", contenders[2].ns, last_ratio(2, 0));
    row("that other event alone", "%6.1f ns: %5.2f x", contenders[3].ns, last_ratio(3, 0));
}

static void replay_hook_rows(hooking *hooking, const scale *scale)
{
    hooking->hooked = begin(HOOKED_E_HOOKABLE, 1);
    hooking->unhooked = begin(0, 0);
    play_events(hooking->hooked, hooked_submit_e_hookable, hooking->count);
    play_events(hooking->unhooked, hooked_submit_e_hookable, hooking->count);
    contender contenders[] = {{"hooked", replay_hooked, 0}, {"unhooked", replay_unhooked, 0}};
    compare(contenders, 2, hooking, scale->rounds, hooking->count);
    must(kifu_state_hash(hooking->hooked) == kifu_state_hash(hooking->unhooked), "a hook that passes changed the game");
    row("replay of events with a hook that passes", "%6.1f ns, without hooks %6.1f: %6.2f x its time", contenders[0].ns,
        contenders[1].ns, last_ratio(0, 1));
    kifu_destroy(hooking->hooked);
    kifu_destroy(hooking->unhooked);
}

static void replay_check_rows(hooking *hooking, const scale *scale)
{
    hooking->checked = begin(0, 0);
    hooking->plain = begin(0, 0);
    play_events(hooking->checked, hooked_submit_e_checked, hooking->count);
    play_events(hooking->plain, hooked_submit_e_step, hooking->count);
    contender contenders[] = {{"checked", replay_checked, 0}, {"plain", replay_plain, 0}};
    compare(contenders, 2, hooking, scale->rounds, hooking->count);
    must(kifu_state_hash(hooking->checked) == kifu_state_hash(hooking->plain), "a check that accepts changed the game");
    row("replay of events with a check", "%6.1f ns, without a check %6.1f: %6.2f x its time", contenders[0].ns,
        contenders[1].ns, last_ratio(0, 1));
    kifu_destroy(hooking->checked);
    kifu_destroy(hooking->plain);
}

static double run_timed(void *context)
{
    const hooking *hooking = context;
    kifu_timeline *timeline = begin(0, 0);
    double start = now();
    for (uint32_t turn = 0; turn < hooking->count / TIMED; turn++) {
        for (uint16_t i = 0; i < TIMED; i++)
            must(!kifu_postpone(timeline, hooked_submit_e_step(timeline, i, 1), turn + 1, i), "not postponed");
        hooked_submit_e_begin_turn(timeline);
        must(!kifu_run(timeline), "what was timed did not happen");
    }
    double time = now() - start;
    must(kifu_event_count(timeline) == hooking->count / TIMED * (2 * TIMED + 1), "other events happened");
    kifu_destroy(timeline);
    return time;
}

static double run_untimed(void *context)
{
    const hooking *hooking = context;
    kifu_timeline *timeline = begin(0, 0);
    double start = now();
    for (uint32_t turn = 0; turn < hooking->count / TIMED; turn++) {
        for (uint16_t i = 0; i < TIMED; i++)
            hooked_submit_e_step(timeline, i, 1);
        hooked_submit_e_begin_turn(timeline);
        must(!kifu_run(timeline), "an event did not happen");
    }
    double time = now() - start;
    kifu_destroy(timeline);
    return time;
}

void hook_rows(const scale *scale)
{
    hooking hooking = {.count = scale->events / 2 / TIMED * TIMED};
    heading("Hooks and alternates: events that add one to a number, submitted and run");
    live_rows(&hooking, scale);
    alternate_rows(&hooking, scale);
    replay_hook_rows(&hooking, scale);
    replay_check_rows(&hooking, scale);
    contender contenders[] = {{"timed", run_timed, 0}, {"untimed", run_untimed, 0}};
    compare(contenders, 2, &hooking, scale->rounds, hooking.count);
    goal_row("timed for the next game turn, 32 in each", last_ratio(0, 1), true, 3,
             "%6.1f ns, happening at once %6.1f: %6.2f x its time", contenders[0].ns, contenders[1].ns,
             last_ratio(0, 1));
}
