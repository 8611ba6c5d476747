// The past, copies of it, and what is taken back as a whole.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static const char *said(const fuzz *fuzz)
{
    return kifu_last_error(fuzz->table.timeline)->message;
}

// --- The past -------------------------------------------------------------------------------------------------------

static void must_refuse(fuzz *fuzz, const char *call, kifu_result result)
{
    if (result != KIFU_MISUSE)
        kifu_fuzz__fail(fuzz, "something happened in the past", "%s, while kifu_seek showed the past: %s", call,
                        result ? said(fuzz) : "nothing was said");
}

// Nothing can happen there.
static void meddle(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    bool valid = true;
    switch (kifu_fuzz__below(fuzz, 4)) {
    case 0:
        must_refuse(fuzz, "kifu_undo", kifu_undo(timeline));
        break;
    case 1:
        must_refuse(fuzz, "kifu_redo", kifu_redo(timeline));
        break;
    case 2:
        kifu_fuzz__submit_random(fuzz, timeline, 1 + kifu_fuzz__below(fuzz, fuzz->rules->type_count), -1, &valid);
        must_refuse(fuzz, "a submit", kifu_run(timeline));
        break;
    default:
        if (kifu_update(timeline, 10) != KIFU_OK)
            kifu_fuzz__fail(fuzz, "no update in the past", "kifu_update, while kifu_seek showed the past: %s",
                            said(fuzz));
    }
}

static void be_at(fuzz *fuzz, uint32_t count)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    uint32_t found = kifu_position(timeline);
    if (found != count)
        kifu_fuzz__fail(fuzz, "a seek to elsewhere", "kifu_seek to %" PRIu32 " events went to %" PRIu32, count, found);
    kifu_fuzz__recognise(fuzz, "seek");
}

// From here to the present, or not so far.
static void film(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    kifu_fuzz__trace(fuzz, " film");
    kifu_result result = kifu_play(timeline, 1 + kifu_fuzz__below(fuzz, 8));
    fuzz->table.behind |= fuzz->table.quiet;
    for (bool stops = false; !result && !stops && kifu_play_speed(timeline) > 0;) {
        result = kifu_update(timeline, 0.1);
        kifu_fuzz__recognise(fuzz, "a film");
        kifu_fuzz__check_shown(fuzz, "a film");
        stops = kifu_fuzz__one_in(fuzz, 40);
    }
    if (!result)
        result = kifu_play(timeline, 0);
    if (result)
        kifu_fuzz__fail(fuzz, "a film that failed", "kifu_play and kifu_update: %s", said(fuzz));
}

void kifu_fuzz__seek(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    fuzz_moment before = kifu_fuzz__look(fuzz, timeline, false);
    fuzz->seeking = true;
    for (uint32_t hops = 1 + kifu_fuzz__below(fuzz, 4); hops > 0; hops--) {
        uint32_t count = kifu_fuzz__below(fuzz, before.events + 1);
        kifu_fuzz__trace(fuzz, " %" PRIu32, count);
        if (kifu_seek(timeline, count))
            kifu_fuzz__fail(fuzz, "a seek that failed", "kifu_seek to %" PRIu32 " of %" PRIu32 " events: %s", count,
                            before.events, said(fuzz));
        if (!fuzz->table.options.view && !fuzz->table.quiet)
            kifu_fuzz__redraw(fuzz);
        be_at(fuzz, count);
        if (kifu_event_count(timeline) != before.events)
            kifu_fuzz__fail(fuzz, "another present", "kifu_event_count is %" PRIu32 " of %" PRIu32 " events",
                            kifu_event_count(timeline), before.events);
        if (count < before.events && kifu_fuzz__one_in(fuzz, 2))
            meddle(fuzz);
        be_at(fuzz, count);
        if (kifu_fuzz__one_in(fuzz, 4))
            kifu_fuzz__append(fuzz, &before);
        be_at(fuzz, count);
        if (kifu_fuzz__one_in(fuzz, 8))
            kifu_fuzz__verify_replay(fuzz);
    }
    if (kifu_position(timeline) < before.events && kifu_fuzz__one_in(fuzz, 3))
        film(fuzz);
    if (kifu_seek(timeline, kifu_fuzz__one_in(fuzz, 2) ? KIFU_PRESENT : before.events))
        kifu_fuzz__fail(fuzz, "a seek that failed", "kifu_seek back to the present: %s", said(fuzz));
    if (!fuzz->table.options.view && !fuzz->table.quiet)
        kifu_fuzz__redraw(fuzz);
    fuzz->seeking = false;
    kifu_fuzz__same(fuzz, "back from a seek", kifu_fuzz__look(fuzz, timeline, true), before, FUZZ_SAME, NULL, NULL);
}

void kifu_fuzz__state_at(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    uint32_t size = fuzz->rules->state_size;
    if (fuzz->table.options.reset)
        return;
    fuzz_moment before = kifu_fuzz__look(fuzz, timeline, false);
    unsigned char *state = calloc(1, size + 8u); // the hash takes whole words
    if (!state)
        abort();
    uint32_t count = kifu_fuzz__one_in(fuzz, 4) ? before.events : kifu_fuzz__below(fuzz, before.events + 1);
    kifu_fuzz__trace(fuzz, " %" PRIu32, count);
    if (kifu_state_at(timeline, count, state, size))
        kifu_fuzz__fail(fuzz, "no state of the past", "kifu_state_at %" PRIu32 " of %" PRIu32 " events: %s", count,
                        before.events, said(fuzz));
    uint64_t expected;
    if (!fuzz->hooks.digest && kifu_fuzz__remembered(fuzz, count, &expected) &&
        kifu_fuzz__hash(state, size) != expected)
        kifu_fuzz__fail(fuzz, "the state of the past",
                        "kifu_state_at %" PRIu32 " of %" PRIu32 " events: the state is not what it was then", count,
                        before.events);
    free(state);
    kifu_fuzz__same(fuzz, "after kifu_state_at", kifu_fuzz__look(fuzz, timeline, false), before, FUZZ_SAME, NULL, NULL);
}

void kifu_fuzz__verify_replay(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    if (fuzz->table.options.reset)
        return;
    kifu_difference difference;
    if (kifu_verify_replay(timeline, &difference))
        kifu_fuzz__fail(fuzz, "the replay differs", "kifu_verify_replay: %s", said(fuzz));
}

static kifu_result prepare_again(void *context, kifu_timeline *timeline)
{
    fuzz *fuzz = context;
    kifu_result result = fuzz->table.options.prepare ? fuzz->table.options.prepare(timeline) : KIFU_OK;
    return !result && fuzz->hooks.prepare ? fuzz->hooks.prepare(timeline) : result;
}

// Where not all inputs were recorded, it says so: after a load, a fork, want of memory.
void kifu_fuzz__verify_rules(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    if (fuzz->table.options.reset || !fuzz->table.options.record_inputs)
        return;
    fuzz_moment before = kifu_fuzz__look(fuzz, timeline, false);
    kifu_result result = kifu_verify_rules(timeline, prepare_again, fuzz, NULL);
    if (result && result != KIFU_MISUSE)
        kifu_fuzz__fail(fuzz, "the rules differ", "kifu_verify_rules: %s", said(fuzz));
    kifu_fuzz__trace(fuzz, result ? ": not all inputs were recorded" : ": the same");
    kifu_fuzz__same(fuzz, "after kifu_verify_rules", kifu_fuzz__look(fuzz, timeline, false), before, FUZZ_SAME, NULL,
                    NULL);
}

// --- Copies ---------------------------------------------------------------------------------------------------------

static void play_a_little(fuzz *fuzz, uint32_t steps, uint32_t depth);

static fuzz_table fork_at(fuzz *fuzz, uint32_t count)
{
    fuzz_table fork = {.options = kifu_fuzz__options(fuzz)};
    bool inherit = !fuzz->hooks.options && kifu_fuzz__one_in(fuzz, 2);
    kifu_error error;
    if (inherit) {
        fork.options.quiet = true;
        fork.options.view = NULL;
    }
    if (kifu_fork(fuzz->table.timeline, count, inherit ? NULL : &fork.options, &fork.timeline, &error))
        kifu_fuzz__fail(fuzz, "a fork that failed", "kifu_fork: %s", error.message);
    kifu_fuzz__prepare(fuzz, fork.timeline);
    return fork;
}

// `fuzz` plays with `table` from now on; what it knew of redo is `undone`'s.
static void change_table(fuzz *fuzz, fuzz_table *table)
{
    fuzz_table other = *table;
    *table = fuzz->table;
    fuzz->table = other;
    fuzz->chain_known = 0;
}

void kifu_fuzz__fork(fuzz *fuzz)
{
    kifu_timeline *timeline = fuzz->table.timeline;
    fuzz_moment before = kifu_fuzz__look(fuzz, timeline, false);
    bool all = kifu_fuzz__one_in(fuzz, 2);
    uint32_t count = all ? before.events : kifu_fuzz__below(fuzz, before.events + 1);
    kifu_fuzz__trace(fuzz, " after %" PRIu32 " events", count);
    fuzz_table fork = fork_at(fuzz, all ? KIFU_PRESENT : count);
    fuzz_moment found = kifu_fuzz__look(fuzz, fork.timeline, false), expected = before;
    if (!all) {
        expected = (fuzz_moment){.events = count, .log = kifu_fuzz__log(fuzz, count), .can_undo = found.can_undo};
        if (!kifu_fuzz__remembered(fuzz, count, &expected.state))
            expected.state = found.state;
    }
    kifu_fuzz__same(fuzz, "a fork", found, expected, FUZZ_NO_REDO, NULL, NULL);

    fuzz_moment *undone = fuzz->undone;
    uint32_t undone_count = fuzz->undone_count, undone_room = fuzz->undone_room;
    bool unknown = fuzz->undone_unknown, keep = kifu_fuzz__moves(fuzz, 4);
    fuzz->undone = NULL;
    fuzz->undone_count = fuzz->undone_room = 0;
    fuzz->undone_unknown = false;
    change_table(fuzz, &fork);
    kifu_fuzz__follow(fuzz);
    if (all && kifu_fuzz__one_in(fuzz, 2)) { // the fork remains while the first game goes on
        change_table(fuzz, &fork);
        fuzz_moment *own = fuzz->undone;
        fuzz->undone = undone, fuzz->undone_count = undone_count, fuzz->undone_room = undone_room;
        fuzz->undone_unknown = unknown;
        free(own);
        play_a_little(fuzz, kifu_fuzz__below(fuzz, 4), 0);
        kifu_fuzz__same(fuzz, "a fork, after the game went on", kifu_fuzz__look(fuzz, fork.timeline, false), found,
                        FUZZ_SAME, NULL, NULL);
        kifu_fuzz__dispose(fuzz, &fork);
        return;
    }
    play_a_little(fuzz, kifu_fuzz__below(fuzz, 6), 0);
    if (!keep)
        change_table(fuzz, &fork);
    if (keep) {
        free(undone);
    } else {
        free(fuzz->undone);
        fuzz->undone = undone, fuzz->undone_count = undone_count, fuzz->undone_room = undone_room;
        fuzz->undone_unknown = unknown;
        kifu_fuzz__same(fuzz, "after its fork played on", kifu_fuzz__look(fuzz, timeline, true), before, FUZZ_SAME,
                        NULL, NULL);
    }
    kifu_fuzz__dispose(fuzz, &fork);
}

// --- Transactions ---------------------------------------------------------------------------------------------------

static void transact(fuzz *fuzz, uint32_t depth)
{
    static const uint32_t flags[] = {0, KIFU_DEFERRED, KIFU_SEARCH};
    static const char *const names[] = {" begin", " begin deferred", " begin search"};
    kifu_timeline *timeline = fuzz->table.timeline;
    fuzz_moment before = kifu_fuzz__look(fuzz, timeline, false);
    uint32_t kind = kifu_fuzz__below(fuzz, 3);
    kifu_fuzz__trace(fuzz, "%s", names[kind]);
    if (kifu_begin(timeline, flags[kind]))
        kifu_fuzz__fail(fuzz, "no transaction", "%s: %s", names[kind], said(fuzz));

    fuzz_moment *undone = fuzz->undone;
    uint32_t undone_count = fuzz->undone_count, undone_room = fuzz->undone_room;
    bool unknown = fuzz->undone_unknown, back = kind == 2 || kifu_fuzz__one_in(fuzz, 2);
    fuzz->undone = NULL;
    fuzz->undone_count = fuzz->undone_room = 0;
    fuzz->undone_unknown = false;
    bool quiet = fuzz->table.quiet;
    fuzz->table.quiet |= kind == 2; // a search is
    fuzz->deferring += kind == 1;
    play_a_little(fuzz, kifu_fuzz__below(fuzz, 5), depth + 1);
    fuzz->deferring -= kind == 1;
    fuzz->table.quiet = quiet;
    kifu_fuzz__forget_undone(fuzz);
    if (!back && kifu_commit(timeline)) {
        if (kind != 1) // a reaction may fail
            kifu_fuzz__fail(fuzz, "no commit", "kifu_commit: %s", said(fuzz));
        back = true;
    }
    if (!back && kind == 1 && !fuzz->deferring)
        fuzz->undone_count = 0; // what was undone in it cannot be redone
    if (back) {
        kifu_fuzz__trace(fuzz, " roll back");
        if (kifu_roll_back(timeline))
            kifu_fuzz__fail(fuzz, "no way back", "kifu_roll_back: %s", said(fuzz));
        kifu_fuzz__same(fuzz, kind == 2 ? "a search was rolled back" : "rolled back",
                        kifu_fuzz__look(fuzz, timeline, true), before, FUZZ_SAME, NULL, NULL);
    } else {
        kifu_fuzz__trace(fuzz, " commit");
    }
    kifu_fuzz__check_shown(fuzz, "a transaction");
    fuzz_moment after = kifu_fuzz__look(fuzz, timeline, true);
    if (!back && !kifu_open_transactions(timeline) && after.can_undo && after.can_undo < after.events - before.events)
        kifu_fuzz__fail(fuzz, "a chain that is too short",
                        "a transaction of %" PRIu32 " events was committed, and undo takes back %" PRIu32,
                        after.events - before.events, after.can_undo);
    if (back || (after.events == before.events && !fuzz->undone_count)) { // redo is what it was
        free(fuzz->undone);
        fuzz->undone = undone, fuzz->undone_count = undone_count, fuzz->undone_room = undone_room;
        fuzz->undone_unknown = unknown;
        return;
    }
    // The commit made one chain of it, so that log and chains are others now.
    for (uint32_t i = 0; i < fuzz->undone_count; i++)
        fuzz->undone[i].equal = FUZZ_GAME;
    fuzz->undone_unknown |= after.events == before.events && after.pending;
    free(undone);
}

void kifu_fuzz__transaction(fuzz *fuzz)
{
    transact(fuzz, 0);
}

static void play_a_little(fuzz *fuzz, uint32_t steps, uint32_t depth)
{
    while (steps--) {
        uint32_t choice = kifu_fuzz__below(fuzz, 10);
        if (choice < 6)
            kifu_fuzz__submit_and_run(fuzz);
        else if (choice < 8)
            kifu_fuzz__undo(fuzz);
        else if (choice < 9)
            kifu_fuzz__redo(fuzz);
        else if (depth < 3)
            transact(fuzz, depth);
        if (kifu_fuzz__one_in(fuzz, 8))
            kifu_fuzz__try(fuzz);
        if (kifu_fuzz__one_in(fuzz, 4))
            kifu_fuzz__append(fuzz, NULL);
    }
}
