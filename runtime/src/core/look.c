// Looking at a timeline.

#include "core/timeline.h"

const char *kifu__name_of(const kifu_timeline *timeline, uint32_t event)
{
    return timeline->rules->types[kifu__log_type(&timeline->log, event)].table->name;
}

uint32_t kifu_event_count(const kifu_timeline *timeline)
{
    // In a replay, an event must not see those after it. From outside, all events count, also while seek shows the
    // past.
    return timeline->past.shown && timeline->core.phase != KIFU__REPLAYING ? timeline->past.present
                                                                           : kifu__now(timeline);
}

uint32_t kifu_position(const kifu_timeline *timeline)
{
    return kifu__now(timeline);
}

kifu_event kifu__event_in(const kifu_timeline *timeline, const kifu__segment *segment, uint32_t slot)
{
    const uint32_t index = segment->first + slot;
    const kifu__mark mark = segment->marks[slot];
    const uint32_t begin = timeline->log.begin;
    return (kifu_event){
        .index = index,
        .type = segment->types[slot],
        .name = timeline->rules->types[segment->types[slot]].table->name,
        .table = kifu__segment_table(segment, slot),
        .cause = mark.cause && index - mark.cause >= begin ? index - mark.cause : KIFU_NONE,
        .player = mark.player,
        .flags = mark.flags,
        .rules_version = segment->rules_version,
    };
}

bool kifu_event_at(const kifu_timeline *timeline, uint32_t index, kifu_event *event)
{
    if (index >= kifu_event_count(timeline) || index < timeline->log.begin)
        return false;
    if (index >= timeline->log.branch->end)
        return timeline->search->table->tried_at(timeline, index, event);
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, index);
    *event = kifu__event_in(timeline, segment, index - segment->first);
    return true;
}

const kifu_rules *kifu_timeline_rules(const kifu_timeline *timeline)
{
    return timeline->rules;
}

int kifu_player(const kifu_timeline *timeline)
{
    if (timeline->core.phase == KIFU__IDLE || timeline->core.phase == KIFU__TRYING)
        return -1;
    if (timeline->core.phase != KIFU__REPLAYING)
        return timeline->core.player;
    return kifu__log_mark(&timeline->log, timeline->core.event)->player;
}

uint32_t kifu_rules_version(const kifu_timeline *timeline)
{
    if (timeline->core.phase != KIFU__REPLAYING)
        return timeline->rules->rules_version;
    return kifu__log_segment_of(&timeline->log, timeline->core.event)->rules_version;
}

bool kifu_is_replaying(const kifu_timeline *timeline)
{
    return timeline->core.phase == KIFU__REPLAYING;
}

bool kifu_is_running(const kifu_timeline *timeline)
{
    return timeline->core.phase != KIFU__IDLE && timeline->core.phase != KIFU__TRYING;
}

void *kifu_user(const kifu_timeline *timeline)
{
    return timeline->options.user;
}

bool kifu_is_idle(const kifu_timeline *timeline)
{
    return !timeline->consequences.count && !timeline->inputs.count && timeline->delay <= 0;
}

double kifu_delay(const kifu_timeline *timeline)
{
    return timeline->past.speed > 0 ? timeline->delay / timeline->past.speed : timeline->delay;
}

void kifu_set_quiet(kifu_timeline *timeline, bool quiet)
{
    if (timeline->core.phase != KIFU__IDLE && timeline->core.phase != KIFU__SHOWING) {
        kifu__fault(timeline, KIFU_MISUSE,
                    "kifu_set_quiet was called from the rules, or while a try is open: call it from outside");
        return;
    }
    timeline->quiet = quiet;
    kifu__changed(timeline);
    if (quiet)
        timeline->delay = 0;
}

// The running Do adds a flag to its event.
static void add_flag(kifu_timeline *timeline, uint8_t flag, const char *call)
{
    if (timeline->core.phase == KIFU__DOING)
        timeline->running.flags |= flag, kifu__changed(timeline);
    else if (timeline->core.phase != KIFU__REPLAYING)
        kifu__fault(timeline, KIFU_MISUSE, "%s was called outside of a Do function: call it in the Do of the event",
                    call);
}

void kifu_reveal(kifu_timeline *timeline)
{
    add_flag(timeline, KIFU_REVEALS, "kifu_reveal");
}

void kifu_continue_undo(kifu_timeline *timeline)
{
    add_flag(timeline, KIFU_CONTINUE_UNDO, "kifu_continue_undo");
}
