/// What the suites about reactions, triggers and listeners share: one of each, for the lab, that notes what it was
/// told.
#ifndef LISTEN_HELP_H
#define LISTEN_HELP_H

#include "history_help.h"
#include "lab_help.h"

/// What happened, as one line.
static char heard[4000];

static inline void note(const char *text)
{
    ck_assert_uint_lt(strlen(heard) + strlen(text), sizeof heard);
    strcat(heard, text);
}

#define must_hear(text)                                                                                                \
    do {                                                                                                               \
        ck_assert_str_eq(heard, text);                                                                                 \
        heard[0] = '\0';                                                                                               \
    } while (0)

/// "name total 1>2 #3 "; an event taken back: "name total 2>1 #3- "; several at once: "#*".
static inline void note_total(const char *name, const kifu_change *change)
{
    char number[20] = "*";
    if (change->event != KIFU_NONE)
        snprintf(number, sizeof number, "%u", (unsigned)change->event);
    char text[100];
    snprintf(text, sizeof text, "%s %d>%d #%s%s ", name, (int)*(const int64_t *)change->before,
             (int)*(const int64_t *)change->after, number, change->undone ? "-" : "");
    note(text);
}

static inline void listen(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)timeline;
    ck_assert_ptr_eq(state, kifu_state(timeline));
    note_total((const char *)context, change);
    if (change->event != KIFU_NONE) // what is told is what is, after each step
        ck_assert_int_eq(((const lab_state *)state)->total, *(const int64_t *)change->after);
}

static inline kifu_result react(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)state;
    ck_assert_uint_eq(event->index, kifu_event_count(timeline) - 1);
    char text[40];
    snprintf(text, sizeof text, "%s ", (const char *)context);
    note(text);
    return KIFU_OK;
}

static inline kifu_result trigger(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
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

#define TOTAL KIFU_PART(lab_state, total)

#endif
