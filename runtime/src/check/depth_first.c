// Where lines part, the state is copied for all that follow but the last. So the copies are as many as lines are
// nested.
//
// The lines bring along how they are drawn (`kifu__lines.draw`), so a program that calls kifu_verify_replay and keeps
// no variations does not link it. One that keeps them and never verifies does: a room above cannot be named from there.

#include "check/depth_first.h"

kifu_result kifu__depth_first_begin(kifu__depth_first *first, const kifu__lines *lines)
{
    kifu_timeline *timeline = first->timeline;
    const uint32_t room = lines ? 2 * lines->listed_count : 1;
    uint32_t count = 1;
    kifu_result result = KIFU_OK;
    kifu__first_state(timeline, first->state);
    first->stretches = (kifu_stretch *)kifu__new(&timeline->memory, room * sizeof *first->stretches);
    if (!first->stretches)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for executing the lines again");
    *first->stretches =
        (kifu_stretch){.from = timeline->log.begin, .count = timeline->executed - timeline->log.begin, .current = true};
    if (lines)
        result = lines->draw(timeline, lines, first->stretches, &count, &timeline->error);
    for (uint32_t i = 0; i < count; i++)
        first->event_count += first->stretches[i].count;
    return result;
}

// The state is where lines part: the others follow later.
static bool add_parting(kifu__depth_first *first)
{
    const kifu__memory *memory = &first->timeline->memory;
    kifu__parting *partings = (kifu__parting *)kifu__grow(memory, first->partings, &first->parting_capacity,
                                                          (uint64_t)first->parting_count + 1, sizeof *partings);
    if (!partings)
        return false;
    first->partings = partings;
    kifu__parting *made = &partings[first->parting_count];
    if (first->parting_count == first->parting_made) {
        made->state = (unsigned char *)kifu__new(memory, kifu__state_room(first->timeline->rules));
        if (!made->state)
            return false;
        first->parting_made++;
    }
    memcpy(made->state, first->state, first->timeline->rules->state_size);
    made->first = first->at + 1;
    made->next = first->stretches[made->first].next;
    first->parting_count++;
    return true;
}

// The next stretch where lines part.
static uint32_t next_parted(kifu__depth_first *first)
{
    if (!first->parting_count)
        return KIFU_NONE;
    kifu__parting *last = &first->partings[first->parting_count - 1];
    const uint32_t next = last->next;
    memcpy(first->state, last->state, first->timeline->rules->state_size);
    last->next = first->stretches[next].next == KIFU_NONE ? last->first : first->stretches[next].next;
    first->parting_count -= next == last->first;
    return next;
}

kifu_result kifu__depth_first_next(kifu__depth_first *first)
{
    const uint32_t parts = first->stretches[first->at].parts;
    if (parts > 1 && !add_parting(first))
        return kifu__error(&first->timeline->error, KIFU_NO_MEMORY, "out of memory for executing the lines again");
    first->at = parts == 1 ? first->at + 1 : next_parted(first);
    return KIFU_OK;
}

void kifu__depth_first_end(kifu__depth_first *first)
{
    const kifu__memory *memory = &first->timeline->memory;
    for (uint32_t i = 0; i < first->parting_made; i++)
        kifu__free(memory, first->partings[i].state);
    kifu__free(memory, first->partings);
    kifu__free(memory, first->stretches);
}
