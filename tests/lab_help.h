/// What the suites that play the lab (games/lab) share.
#ifndef LAB_HELP_H
#define LAB_HELP_H

#include <stdio.h>
#include <string.h>

#include "checks.h"
#include "lab.h"
#include "script.h"
#include "seeded.h"

/// A timeline, or the test fails.
static inline kifu_timeline *lab_new(const kifu_options *options)
{
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_msg(kifu_create(&lab_rules, options, &timeline, &error) == KIFU_OK, "%s", error.message);
    return timeline;
}

/// Submits a PDo and runs until idle.
static inline kifu_result lab_play(kifu_timeline *timeline, const char *script)
{
    lab_do(timeline, 0, script, 1);
    return kifu_run(timeline);
}

static inline void lab_must(kifu_timeline *timeline, kifu_result result)
{
    ck_assert_msg(result == KIFU_OK, "%s", kifu_last_error(timeline)->message);
}

/// A timeline of which EInitialize has happened.
static inline kifu_timeline *lab_started(const kifu_options *options)
{
    const uint64_t seed = 3;
    kifu_timeline *lab = lab_new(options);
    lab_submit_e_initialize(lab, SEEDED(seed));
    lab_must(lab, kifu_run(lab));
    return lab;
}

/// An act_p_do that takes a second and a half; its context counts how often.
static inline double lab_takes_time(void *context, kifu_timeline *timeline, const lab_state *state,
                                    const lab_p_do *event)
{
    (void)timeline;
    (void)state;
    (void)event;
    ++*(unsigned *)context;
    return 1.5;
}

/// The digits that scripts wrote.
static inline const char *lab_trace(const kifu_timeline *timeline)
{
    static char text[65];
    const lab_state *state = lab_get_state(timeline);
    for (int i = 0; i < state->length; i++)
        text[i] = (char)('0' + state->trace[i]);
    text[state->length] = '\0';
    return text;
}

/// The log as one line: "PDo(+) EDo(1)…", other events by name.
static inline const char *lab_log(const kifu_timeline *timeline)
{
    static char text[4000];
    size_t used = 0;
    text[0] = '\0';
    kifu_event event;
    for (uint32_t i = 0; used < sizeof text && kifu_event_at(timeline, i, &event); i++) {
        const char *script = "";
        if (event.type == LAB_P_DO)
            script = lab_p_do_script((const lab_p_do *)event.table);
        if (event.type == LAB_E_DO)
            script = lab_e_do_script((const lab_e_do *)event.table);
        if (event.type == LAB_E_TRY)
            script = lab_e_try_script((const lab_e_try *)event.table);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s(%s)", i ? " " : "", strchr(event.name, '.') + 1,
                                 script);
    }
    return text;
}

/// Everything that must come back: state bytes, log, queues.
typedef struct lab_picture {
    uint32_t events;
    uint32_t pending;
    lab_state state;
    char log[4000];
} lab_picture;

static inline lab_picture lab_look(const kifu_timeline *timeline)
{
    lab_picture picture;
    memset(&picture, 0, sizeof picture);
    picture.events = kifu_event_count(timeline);
    picture.pending = kifu_pending_count(timeline);
    memcpy(&picture.state, lab_get_state(timeline), sizeof picture.state);
    strcpy(picture.log, lab_log(timeline));
    return picture;
}

static inline void lab_same(const kifu_timeline *timeline, const lab_picture *before)
{
    lab_picture now = lab_look(timeline);
    ck_assert_uint_eq(now.events, before->events);
    ck_assert_uint_eq(now.pending, before->pending);
    ck_assert_str_eq(now.log, before->log);
    ck_assert_mem_eq(&now.state, &before->state, sizeof now.state);
}

#endif
