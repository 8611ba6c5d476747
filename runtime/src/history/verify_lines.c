// The tree is drawn, and its stretches are executed depth first. Where lines part, the state is copied for all that
// follow but the last. So the copies are as many as lines are nested.
//
// The lines bring this along (`kifu__lines.others`), so a program that calls kifu_verify_replay and keeps no variations
// does not link it. One that keeps them and never verifies does: a room above cannot be named from here.

#include "history/verify_lines.h"

#include "base/scribble.h"
#include "core/go.h"

// --- Executing -------------------------------------------------------------------------------------------------------

static bool fail_others(kifu__others *others, kifu_result result, uint32_t line, uint32_t count)
{
    others->result = result;
    others->line = line;
    others->count = count;
    return false;
}

static bool execute_others(kifu__others *others, uint32_t line, unsigned char *state, uint32_t from, uint32_t to)
{
    kifu__branch *path = others->lines->items[line].branch;
    const kifu_result result = kifu__replay_into(others->timeline, path, state, from, to);
    others->untold += to - from;
    if (result == KIFU_NO_MEMORY)
        return fail_others(others, result, line, from);
    return !result || fail_others(others, KIFU_DIVERGED, line, others->timeline->error.event + 1);
}

// What no hash vouches for is executed a second time, with other leftovers on the stack.
static bool execute_again(kifu__others *others, uint32_t line, uint32_t from, uint32_t to)
{
    if (from == to)
        return true;
    kifu__scribble(0xa5);
    if (!execute_others(others, line, others->good, from, to))
        return false;
    return !memcmp(others->good, others->now, others->timeline->rules->state_size) ||
           fail_others(others, KIFU_DIVERGED, line, to);
}

// The next hash that is known behind `count` events, up to `end`, where the line may end. False: there is none.
static bool next_hash_of_line(const kifu__others *others, uint32_t id, uint32_t count, uint32_t end_others,
                              kifu__checkpoint *hash)
{
    const kifu__line *line = &others->lines->items[id];
    const kifu__checkpoint *next = kifu__next_checkpoint(line->branch, count);
    // Else the game goes on there, or another version of the game found it.
    const bool known = id != others->lines->current && (!line->unchecked || line->comparable);
    if (next && next->event_count <= end_others)
        *hash = *next;
    else if (known && line->tip_hash && count < end_others && end_others == line->branch->end)
        *hash = (kifu__checkpoint){end_others, line->tip_hash};
    else
        return false;
    return true;
}

// The events of a line, with `now`.
static bool run_events(kifu__others *others, uint32_t id, uint32_t from, uint32_t end)
{
    const size_t size = others->timeline->rules->state_size;
    kifu__checkpoint hash;
    uint32_t good_at = from;
    memcpy(others->good, others->now, size);
    kifu__scribble(0x5a);
    while (next_hash_of_line(others, id, good_at, end, &hash)) {
        if (!execute_others(others, id, others->now, good_at, hash.event_count))
            return false;
        good_at = hash.event_count;
        if (kifu__hash_state(others->now, (uint32_t)size) != hash.hash)
            return fail_others(others, KIFU_DIVERGED, id, good_at);
        memcpy(others->good, others->now, size);
    }
    return execute_others(others, id, others->now, good_at, end) && execute_again(others, id, good_at, end);
}

static bool run_stretch(kifu__others *others, uint32_t place, uint32_t from)
{
    enum { TELL_AFTER = 16384 };
    const kifu_stretch *stretch = &others->stretches[place];
    const uint32_t end = stretch->from + stretch->count;
    const bool good = run_events(others, stretch->line, from, end);
    if (!good || others->untold < TELL_AFTER)
        return good;
    others->untold = 0;
    const kifu_result told = kifu__tick(others->timeline, others->done, others->timeline->executed);
    return !told || fail_others(others, told, stretch->line, end);
}

// `now` is where lines part: the others follow later.
static bool wait_for_work(kifu__others *others, uint32_t first)
{
    kifu_timeline *timeline = others->timeline;
    const size_t size = kifu__state_room(timeline->rules);
    kifu__parting *partings =
        (kifu__parting *)kifu__grow(&timeline->memory, others->partings, &others->parting_capacity,
                                    (uint64_t)others->parting_count + 1, sizeof *partings);
    if (!partings)
        return false;
    others->partings = partings;
    kifu__parting *made = &partings[others->parting_count];
    if (others->parting_count == others->parting_made) {
        made->state = (unsigned char *)kifu__new(&timeline->memory, size);
        if (!made->state)
            return false;
        others->parting_made++;
    }
    memcpy(made->state, others->now, timeline->rules->state_size);
    made->first = first;
    made->next = others->stretches[first].next;
    others->parting_count++;
    return true;
}

// The next stretch to be executed, with `now` before it; KIFU_NONE: there is none.
static uint32_t next_stretch(kifu__others *others)
{
    if (!others->parting_count)
        return KIFU_NONE;
    kifu__parting *last = &others->partings[others->parting_count - 1];
    const uint32_t place = last->next;
    memcpy(others->now, last->state, others->timeline->rules->state_size);
    last->next = others->stretches[place].next == KIFU_NONE ? last->first : others->stretches[place].next;
    others->parting_count -= place == last->first;
    return place;
}

// A stretch from event `from` on, and all that follows it.
static void run_from(kifu__others *others, uint32_t place, uint32_t from, const unsigned char *state)
{
    memcpy(others->now, state, others->timeline->rules->state_size);
    while (place != KIFU_NONE && !others->result) {
        if (!run_stretch(others, place, from))
            break;
        const uint32_t parts = others->stretches[place].parts;
        if (parts > 1 && !wait_for_work(others, place + 1))
            fail_others(others, KIFU_NO_MEMORY, others->stretches[place].line, from);
        place = parts == 1 ? place + 1 : next_stretch(others);
        from = place == KIFU_NONE ? 0 : others->stretches[place].from;
    }
}

// --- Beside the current line -----------------------------------------------------------------------------------------

// The current line is executed up to the end of this stretch, or within it to its own end.
static void enter(kifu__others *others, uint32_t place)
{
    const kifu_stretch *stretch = &others->stretches[place];
    const uint32_t end = stretch->from + stretch->count;
    others->at = place;
    others->fork = stretch->parts && end <= others->timeline->executed ? end : KIFU_NONE;
}

static void run_others(kifu__others *others, uint32_t count, const unsigned char *state)
{
    uint32_t next = others->at, along = KIFU_NONE;
    if (others->fork != count) // What redo would bring back.
        run_from(others, next, count, state);
    else
        next = next + 1;
    for (; others->fork == count && next != KIFU_NONE; next = others->stretches[next].next) {
        const kifu_stretch *follows = &others->stretches[next];
        if (follows->current && follows->from < others->timeline->executed)
            along = next;
        else if (!others->result)
            run_from(others, next, follows->from, state);
    }
    others->fork = KIFU_NONE;
    if (along != KIFU_NONE)
        enter(others, along);
}

static void run_others_at(kifu__others *others, uint32_t count, const unsigned char *state)
{
    const kifu_stretch *at = others->stretches ? &others->stretches[others->at] : NULL;
    if (!at || (count != others->fork && count >= at->from + at->count))
        return;
    if (others->result)
        others->fork = KIFU_NONE; // It need not stop any more.
    else {
        others->done = count;
        run_others(others, count, state);
    }
}

static kifu_result begin_others(kifu__others *others)
{
    kifu_timeline *timeline = others->timeline;
    const size_t size = kifu__state_room(timeline->rules);
    const uint32_t room = 2 * others->lines->listed_count;
    uint32_t count;
    others->fork = KIFU_NONE;
    others->now = (unsigned char *)kifu__new(&timeline->memory, 2 * size);
    others->stretches = (kifu_stretch *)kifu__new(&timeline->memory, room * sizeof *others->stretches);
    if (!others->now || !others->stretches)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for executing the lines again");
    others->good = others->now + size;
    const kifu_result result = kifu__lines_draw(timeline, others->lines, others->stretches, &count, &timeline->error);
    if (!result)
        enter(others, 0);
    return result;
}

static void end(kifu__others *others)
{
    const kifu__memory *memory = &others->timeline->memory;
    for (uint32_t i = 0; i < others->parting_made; i++)
        kifu__free(memory, others->partings[i].state);
    kifu__free(memory, others->partings);
    kifu__free(memory, others->stretches);
    kifu__free(memory, others->now);
}

const kifu__others_calls kifu__verify_lines = {begin_others, end, run_others_at};
