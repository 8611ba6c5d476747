/// Twins: two timelines of one game. Both get the same random inputs, one by submit and run, the other by play. Between
/// these, both are undone, redone, sought, rolled back and watched. All that can be seen of them must be equal.
#ifndef TWINS_HELP_H
#define TWINS_HELP_H

#include <stdlib.h>
#include <string.h>

#include <kifu/search.h>

#include "core/timeline.h"
#include "kifu_fuzz.h"
#include "suite.h"

// What is wrong is told with the seed of the game and the step.
static unsigned long seed, step;
static uint32_t followed;     // How often followers were called.
static struct larder *scarce; // What the next timeline allocates from; NULL: anything.

// --- What it tells a game's functions -----------------------------------------------------------------------------

typedef struct twin {
    kifu_timeline *timeline;
    uint64_t told; // A digest of all that it told a game's functions.
    uint32_t calls;
    bool follows;
    const struct input *last; // That a follower hears of.
} twin;

static void tell(void *context, const kifu_timeline *timeline, uint64_t what)
{
    twin *twin = context;
    twin->calls++;
    twin->told = (twin->told ^ what ^ kifu_state_hash(timeline)) * UINT64_C(0x9E3779B97F4A7C15);
    twin->told ^= twin->told >> 29;
}

static kifu_result react(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)state;
    tell(context, timeline, event->index * 64 + event->type);
    return event->index % 19 == 18 ? kifu_fail(timeline, "the reaction says no") : KIFU_OK;
}

static kifu_result trigger(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event,
                           const kifu_change *change)
{
    (void)state;
    tell(context, timeline, event->index * 64 + change->first * 8 + change->length);
    return KIFU_OK;
}

static void listen(void *context, kifu_timeline *timeline, const void *state, const kifu_change *change)
{
    (void)state;
    tell(context, timeline, (uint64_t)change->event * 64 + change->first * 8 + change->length + change->undone);
    if (change->first % 3 == 0)
        kifu_hold(timeline, 0.5);
}

static void listen_each(void *context, kifu_timeline *timeline, const void *state, const kifu_element_change *change)
{
    (void)state;
    tell(context, timeline, (uint64_t)change->event * 64 + change->index);
}

static kifu_verdict hook(void *context, kifu_timeline *timeline, const void *state, kifu_proposed *proposed)
{
    (void)state;
    tell(context, timeline, proposed->type * 64 + proposed->scope);
    return kifu_event_count(timeline) % 11 == 10 ? kifu_reject("the hook says no") : kifu_accept();
}

static void redraw(void *context, kifu_timeline *timeline)
{
    tell(context, timeline, 1);
}

static void rejected(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    tell(context, timeline, outcome->type * 64 + outcome->result);
}

// --- A game, and its inputs ------------------------------------------------------------------------------------------

// An input as it was submitted.
typedef struct input {
    uint32_t type, size;
    int player;
    unsigned char table[4096];
} input;

typedef struct game {
    const char *name;
    const kifu_rules *rules;
    const kifu_fuzz_hooks *hooks;
    // By the generated function, for some types; by what all these functions share, for the others.
    kifu_result (*play)(kifu_timeline *timeline, const input *input);
    uint32_t array, array_size; // For a `listen_each`; 0: none.
    const void *user;
} game;

// A random flat event, with whatever in its fields.
static void submit_any(kifu_timeline *timeline, kifu_rng *rng)
{
    const kifu_rules *rules = timeline->rules;
    const uint32_t type = 1 + kifu_rng_below(rng, rules->type_count);
    const kifu__table *table = rules->types[type].table;
    if (!table->flat || rules->types[type].superseded_by)
        return;
    unsigned char bytes[256] = {0};
    for (uint32_t id = 0; id < table->field_count; id++) {
        const kifu__field *field = &table->fields[id];
        for (uint32_t i = 0; field->offset && i < field->size; i++)
            bytes[field->offset + i] = i ? 0 : (unsigned char)kifu_rng_below(rng, field->values ? 4 : 12);
    }
    const int player = rules->types[type].is_player ? (int)kifu_rng_below(rng, 4) - 1 : -1;
    kifu__submit(timeline, type, kifu_rng_below(rng, 40) ? player : 200, bytes, table->size);
}

// --- Comparing ------------------------------------------------------------------------------------------------------

static void compare(const game *game, const twin *one, const twin *other, const char *what)
{
    const kifu_timeline *a = one->timeline, *b = other->timeline;
#define SAME(condition, which)                                                                                         \
    ck_assert_msg(condition, "%s, seed %lu, step %lu: %s differs after %s (\"%s\", \"%s\")", game->name, seed, step,   \
                  which, what, kifu_last_error(a)->message, kifu_last_error(b)->message)
    SAME(a->executed == b->executed && a->log.branch->end == b->log.branch->end, "the log's length");
    SAME(!memcmp(a->core.state, b->core.state, a->rules->state_size), "the state");
    SAME(one->calls == other->calls && one->told == other->told, "what was told");
    SAME(kifu_pending_count(a) == kifu_pending_count(b), "what waits");
    SAME(!strcmp(kifu_last_error(a)->message, kifu_last_error(b)->message), "the error");
    SAME(kifu_last_error(a)->event == kifu_last_error(b)->event, "the error's event");
    SAME(a->running.input_first == b->running.input_first &&
             a->running.consequence_count == b->running.consequence_count,
         "the input");
    SAME(a->delay == b->delay && a->core.phase == b->core.phase && a->transactions.open == b->transactions.open,
         "the delay");
    SAME(kifu_can_undo(a, NULL) == kifu_can_undo(b, NULL) && kifu_can_redo(a, NULL) == kifu_can_redo(b, NULL),
         "what undo can do");
}

// Byte by byte, with the recorded hashes.
static void compare_logs(const game *game, const twin *one, const twin *other)
{
    const kifu_timeline *a = one->timeline, *b = other->timeline;
    const char *what = "all";
    SAME(a->log.branch->segment_count == b->log.branch->segment_count, "the number of segments");
    for (uint32_t i = 0; i < a->log.branch->segment_count; i++) {
        const kifu__segment *mine = &a->log.branch->segments[i], *its = &b->log.branch->segments[i];
        SAME(mine->count == its->count && mine->size == its->size, "the size of a segment");
        SAME(!memcmp(mine->bytes, its->bytes, mine->size), "the log");
    }
    SAME(a->log.branch->checkpoint_count == b->log.branch->checkpoint_count, "the number of hashes");
    for (uint32_t i = 0; i < a->log.branch->checkpoint_count; i++) {
        const kifu__checkpoint mine = a->log.branch->checkpoints[i], its = b->log.branch->checkpoints[i];
        SAME(mine.event_count == its.event_count && mine.hash == its.hash, "a hash");
    }
    SAME(a->keyframes.count == b->keyframes.count, "the number of keyframes");
#undef SAME
}

// --- A game ---------------------------------------------------------------------------------------------------------

enum {
    REACT = 1,
    TRIGGER = 2,
    LISTEN = 4,
    EACH = 8,
    HOOK = 16,
    VIEW = 32,
    SYNC = 64,
    RECORD = 128,
    OWN = 256,
    FOLLOW = 512
};

// An event that happened is now and then followed by the same input once more.
static void follow(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    tell(context, timeline, (uint64_t)outcome->event * 4096 + outcome->type * 64 + outcome->result);
    const input *last = ((const twin *)context)->last;
    if (outcome->event != KIFU_NONE && outcome->event % 3 == 0)
        kifu__submit(timeline, last->type, last->player, last->table, last->size);
    followed++;
}

static void *eat(void *context, void *block, size_t size);

static void make(const game *game, twin *twin, uint32_t kinds, unsigned char *view, bool quiet)
{
    *twin = (struct twin){.follows = kinds & FOLLOW};
    *(kifu_view *)(void *)view = (kifu_view){.context = twin, .redraw = redraw, .rejected = rejected};
    kifu_options options = {.max_consequences = 50,
                            .seed = 9,
                            .user = (void *)(uintptr_t)game->user,
                            .quiet = quiet,
                            .hash_interval = 5,
                            .keyframe_bytes = 4 * (size_t)game->rules->state_size};
    options.allocate = scarce ? eat : NULL;
    options.allocate_context = scarce;
    if (kinds & OWN && game->hooks->options)
        game->hooks->options(&options);
    options.view = kinds & VIEW ? (const kifu_view *)(const void *)view : NULL;
    options.sync_test = kinds & SYNC ? kifu_sync_test : NULL;
    options.record_inputs = kinds & RECORD ? kifu_record_inputs : NULL;
    ck_assert_int_eq(kifu_create(game->rules, &options, &twin->timeline, NULL), KIFU_OK);
    const uint32_t part = (uint32_t)offsetof(kifu_game, order);
    const kifu_observer observers[] = {
        {.react = react, .context = twin},
        {.trigger = trigger, .offset = part, .size = 24, .context = twin},
        {.listen = listen, .offset = part, .size = 24, .context = twin},
    };
    for (uint32_t i = 0; i < 3; i++) {
        if (kinds & 1U << i)
            ck_assert_int_eq(kifu_observe(twin->timeline, &observers[i]), KIFU_OK);
    }
    const kifu_observer each = {
        .listen_each = listen_each, .offset = game->array, .size = game->array_size, .context = twin};
    if (kinds & EACH && each.size)
        ck_assert_int_eq(kifu_observe(twin->timeline, &each), KIFU_OK);
    for (uint32_t scope = 0; kinds & HOOK && scope < game->rules->scope_count; scope++) {
        const kifu_observer asked = {
            .hook = hook, .scope = scope, .subject = KIFU_ANY_SUBJECT, .name = "a hook", .context = twin};
        ck_assert_int_eq(kifu_observe(twin->timeline, &asked), KIFU_OK);
    }
}

// What waits last, if it was submitted just now.
static bool take_input(const kifu_timeline *timeline, kifu_ticket before, input *input)
{
    const kifu__proposal *last = NULL;
    for (kifu__proposal *at = kifu__queue_first(&timeline->inputs); at; at = kifu__queue_next(&timeline->inputs, at))
        last = at;
    if (!last || last->ticket <= before || last->size > sizeof input->table)
        return false;
    input->type = last->type;
    input->size = last->size;
    input->player = last->player;
    memcpy(input->table, last + 1, last->size);
    return true;
}

static uint32_t played, directly; // How many inputs happened, and how many of them took the short way.

// By the game's hook, or one of the moves that it lists.
static void submit_likely(const game *game, kifu_timeline *timeline, kifu_rng *rng)
{
    if (game->hooks->input) {
        (void)game->hooks->input(timeline, rng);
        return;
    }
    kifu_moves moves = {0};
    const kifu_move *move;
    if (!kifu_choose_any_move(timeline, kifu_current_player(kifu_get_game(timeline)), rng, &moves, &move) && move)
        kifu_submit_move(timeline, move);
    kifu_free_moves(&moves);
}

static kifu_result submit_and_play(const game *game, twin *one, twin *other, kifu_rng *rng)
{
    static input input; // Followers may hear of it later.
    const kifu_ticket before = one->timeline->last_ticket;
    const uint32_t executed = other->timeline->executed, all = one->timeline->executed;
    if (kifu_rng_below(rng, 6))
        submit_likely(game, one->timeline, rng);
    else
        submit_any(one->timeline, rng);
    if (!take_input(one->timeline, before, &input)) {
        const kifu_error *fault = &one->timeline->fault; // What could not be submitted cannot be played.
        if (fault->result)
            kifu__fault(other->timeline, fault->result, "%s", fault->message);
        return fault->result ? KIFU_OK : KIFU_FAILED;
    }
    const bool again = kifu_rng_below(rng, 8) == 0; // It waits, and another one comes behind it.
    if (again) {
        const kifu_ticket its = kifu__submit(other->timeline, input.type, input.player, input.table, input.size);
        const kifu_ticket mine = one->timeline->last_ticket;
        kifu__submit(one->timeline, input.type, input.player, input.table, input.size);
        one->last = other->last = &input;
        if (its && one->follows) // An error is compared, too.
            ck_assert_int_eq(kifu_follow(one->timeline, mine, follow, one),
                             kifu_follow(other->timeline, its, follow, other));
    }
    other->timeline->played.ticket = 0;
    const kifu_result result = kifu_run(one->timeline), same = game->play(other->timeline, &input);
    ck_assert_msg(result == same, "%s, seed %lu, step %lu: %d, %d: %s, %s", game->name, seed, step, result, same,
                  kifu_last_error(one->timeline)->message, kifu_last_error(other->timeline)->message);
    played += one->timeline->executed > all;
    directly += other->timeline->played.ticket && other->timeline->executed > executed;
    return KIFU_OK;
}

static void both(const game *game, twin *one, twin *other, const char *what,
                 kifu_result (*call)(kifu_timeline *, uint32_t), uint32_t argument)
{
    const kifu_result result = call(one->timeline, argument);
    ck_assert_int_eq(result, call(other->timeline, argument));
    compare(game, one, other, what);
}

static kifu_result do_undo(kifu_timeline *timeline, uint32_t argument)
{
    (void)argument;
    return kifu_undo(timeline);
}

static kifu_result do_redo(kifu_timeline *timeline, uint32_t argument)
{
    (void)argument;
    return kifu_redo(timeline);
}

static kifu_result do_end(kifu_timeline *timeline, uint32_t argument)
{
    return argument % 2 ? kifu_roll_back(timeline) : kifu_commit(timeline);
}

static kifu_result do_begin(kifu_timeline *timeline, uint32_t argument)
{
    static const unsigned flags[] = {0, KIFU_DEFERRED, KIFU_SEARCH};
    return kifu_begin(timeline, flags[argument % 3]);
}

static kifu_result do_seek(kifu_timeline *timeline, uint32_t argument)
{
    return kifu_seek(timeline, argument % 3 ? argument % (kifu_event_count(timeline) + 1) : KIFU_PRESENT);
}

static kifu_result do_quiet(kifu_timeline *timeline, uint32_t argument)
{
    kifu_set_quiet(timeline, argument % 2);
    return KIFU_OK;
}

static kifu_result do_update(kifu_timeline *timeline, uint32_t argument)
{
    return kifu_update(timeline, argument * 0.1);
}

static kifu_result do_drop(kifu_timeline *timeline, uint32_t argument)
{
    return argument % 8 ? KIFU_OK : kifu_drop_inputs(timeline);
}

// A try, and what may be played, leave nothing behind. Engine events with any fields mostly happen.
static kifu_result do_try(kifu_timeline *timeline, uint32_t argument)
{
    const kifu_rules *rules = timeline->rules;
    const uint32_t type = 1 + argument % rules->type_count;
    const kifu__table *table = rules->types[type].table;
    const unsigned char bytes[256] = {0};
    if (!table->flat || rules->types[type].superseded_by)
        return KIFU_OK;
    (void)kifu__can(timeline, type, (int)argument % 3 - 1, bytes, table->size);
    const kifu_result result = kifu__try(timeline, type, (int)argument % 3 - 1, bytes, table->size, argument % 2);
    if (!result)
        ck_assert_int_eq(kifu_take_back(timeline), KIFU_OK);
    return result;
}

static const struct {
    const char *name;
    kifu_result (*call)(kifu_timeline *, uint32_t);
} calls[] = {{"undo", do_undo},        {"redo", do_redo}, {"a transaction", do_begin},
             {"its end", do_end},      {"seek", do_seek}, {"quiet", do_quiet},
             {"update", do_update},    {"drop", do_drop}, {"its end", do_end},
             {"the present", do_seek}, {"a try", do_try}};

static void play_game(const game *game)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, seed, 0);
    static unsigned char views[2][4096];
    twin one, other;
    const uint32_t kinds = kifu_rng_below(&rng, 3) ? kifu_rng_next(&rng) & kifu_rng_next(&rng) : 0;
    const bool quiet = kifu_rng_below(&rng, 2), steady = kifu_rng_below(&rng, 2);
    make(game, &one, kinds, views[0], quiet);
    make(game, &other, kinds, views[1], quiet);
    kifu_rng again = rng;
    game->hooks->begin(one.timeline, &rng);
    game->hooks->begin(other.timeline, &again);
    (void)kifu_run(one.timeline);
    (void)kifu_run(other.timeline);
    compare(game, &one, &other, "the beginning");
    for (step = 0; step < 120; step++) {
        if (kifu_rng_below(&rng, steady ? 20 : 3)) {
            if (submit_and_play(game, &one, &other, &rng))
                continue;
            compare(game, &one, &other, "an input");
        } else {
            const uint32_t which = kifu_rng_below(&rng, sizeof calls / sizeof *calls), any = kifu_rng_below(&rng, 60);
            both(game, &one, &other, calls[which].name, calls[which].call, which == 9 ? 0 : any);
        }
    }
    compare_logs(game, &one, &other);
    while (kifu_open_transactions(one.timeline))
        both(game, &one, &other, "the end of a transaction", do_end, 1);
    compare_logs(game, &one, &other);
    kifu_destroy(one.timeline);
    kifu_destroy(other.timeline);
}

// --- Little memory --------------------------------------------------------------------------------------------------

typedef struct larder {
    long left; // So many allocations until one fails; -1: none does.
    long blocks;
    bool failed;
} larder;

static void *eat(void *context, void *block, size_t size)
{
    larder *larder = context;
    if (!size) {
        larder->blocks -= block != NULL;
        free(block);
        return NULL;
    }
    if (larder->left == 0) {
        larder->failed = true;
        larder->left = -1;
        return NULL;
    }
    larder->left -= larder->left > 0;
    larder->blocks += block == NULL;
    return realloc(block, size);
}

enum { INPUTS = 40 };

// A game that was played, and what came of each input.
typedef struct record {
    input inputs[INPUTS];
    kifu_result results[INPUTS];
    uint32_t count;
    twin twin;
} record;

// Until nothing waits. The first result but for memory, where that of a run before was `result`.
static kifu_result run_all(kifu_timeline *timeline, kifu_result result)
{
    do {
        const kifu_result next = kifu_run(timeline);
        result = result == KIFU_NO_MEMORY ? next : result;
    } while (kifu_pending_count(timeline) || timeline->fault.result);
    return result;
}

static void record_game(const game *game, record *record)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, seed, 1);
    static unsigned char view[4096];
    make(game, &record->twin, 0, view, true);
    kifu_timeline *timeline = record->twin.timeline;
    game->hooks->begin(timeline, &rng);
    (void)kifu_run(timeline);
    for (record->count = 0; record->count < INPUTS;) {
        const kifu_ticket before = timeline->last_ticket;
        submit_likely(game, timeline, &rng);
        const bool taken = take_input(timeline, before, &record->inputs[record->count]);
        const kifu_result result = run_all(timeline, KIFU_NO_MEMORY);
        if (taken)
            record->results[record->count++] = result;
        else if (!kifu_rng_below(&rng, 50)) // There are no more.
            break;
    }
}

// One input, in one way or the other, as often as memory runs out in it. `*lost`: a consequence of it was taken back,
// so the game is another one from here on.
static kifu_result play_starving(const game *game, kifu_timeline *timeline, const input *input, bool directly,
                                 larder *larder, bool *lost)
{
    for (;;) {
        const uint32_t before = timeline->executed;
        const uint64_t state = kifu_state_hash(timeline);
        if (!directly)
            kifu__submit(timeline, input->type, input->player, input->table, input->size);
        kifu_result result = directly ? game->play(timeline, input) : kifu_run(timeline);
        if (result != KIFU_NO_MEMORY)
            return kifu_pending_count(timeline) ? run_all(timeline, result) : result;
        ck_assert_msg(larder->failed, "%s", kifu_last_error(timeline)->message);
        ck_assert_int_eq(kifu_verify_replay(timeline, NULL), KIFU_OK);
        if (timeline->executed == before)
            ck_assert_uint_eq(kifu_state_hash(timeline), state);
        const uint32_t failed = kifu_last_error(timeline)->event;
        *lost = failed != KIFU_NONE && failed > before;
        if (*lost)
            return result;
        if (kifu_pending_count(timeline))
            return run_all(timeline, result);
        if (timeline->executed > before)
            return KIFU_OK;
    }
}

static void starve_once(const game *game, const record *record, bool directly, larder *larder)
{
    static unsigned char view[4096];
    kifu_rng rng;
    kifu_rng_seed(&rng, seed, 1);
    const long left = larder->left;
    twin twin;
    larder->left = -1;
    scarce = larder;
    make(game, &twin, 0, view, true);
    scarce = NULL;
    game->hooks->begin(twin.timeline, &rng);
    (void)kifu_run(twin.timeline);
    larder->left = left;
    bool lost = false;
    for (uint32_t i = 0; i < record->count; i++) {
        const kifu_result result = play_starving(game, twin.timeline, &record->inputs[i], directly, larder, &lost);
        if (lost)
            break;
        ck_assert_msg(result == record->results[i], "%s, seed %lu, input %u of type %u, allocation %ld: %d, not %d: %s",
                      game->name, seed, (unsigned)i, (unsigned)record->inputs[i].type, left, result, record->results[i],
                      kifu_last_error(twin.timeline)->message);
    }
    larder->left = -1;
    const kifu_timeline *expected = record->twin.timeline;
    ck_assert_int_eq(kifu_verify_replay(twin.timeline, NULL), KIFU_OK);
    ck_assert_msg(lost || (twin.timeline->executed == expected->executed &&
                           kifu_state_hash(twin.timeline) == kifu_state_hash(expected)),
                  "%s, seed %lu, allocation %ld, directly %d: %u events, not %u", game->name, seed, left, directly,
                  twin.timeline->executed, expected->executed);
    for (uint32_t i = 0; !lost && i < expected->executed; i++) {
        kifu_event mine, its;
        ck_assert(kifu_event_at(twin.timeline, i, &mine) && kifu_event_at(expected, i, &its));
        ck_assert(mine.type == its.type && mine.player == its.player && mine.cause == its.cause &&
                  mine.flags == its.flags);
    }
    kifu_destroy(twin.timeline);
    ck_assert_int_eq(larder->blocks, 0);
}

// Each allocation fails once, in both ways.
static inline void starve_game(const game *game)
{
    for (seed = 1; seed <= 4; seed++) {
        static record record;
        record_game(game, &record);
        for (int directly = 0; directly < 2; directly++) {
            bool failed = true;
            for (long left = 0; failed; left++) {
                larder larder = {.left = left};
                starve_once(game, &record, directly, &larder);
                failed = larder.failed;
                ck_assert(left || failed);
            }
        }
        kifu_destroy(record.twin.timeline);
    }
}

/// The `array` and `array_size` of a game.
#define ARRAY(state_type, member) offsetof(state_type, member), sizeof(((state_type *)0)->member)

static void play_games(const game *games, uint32_t count)
{
    const unsigned long end = fuzz_steps(6000) / 120 + 1;
    for (const game *game = games; game < games + count; game++) {
        played = directly = followed = 0;
        for (seed = fuzz_seed() * 1000; seed < fuzz_seed() * 1000 + end; seed++)
            play_game(game);
        // Otherwise nothing was compared. A game that hides something looks after each event what that shows.
        ck_assert_msg(game->rules->attach || directly > played / 12, "%s: %u of %u inputs were played directly",
                      game->name, directly, played);
        ck_assert_msg(followed > 30, "%s: %u inputs were followed", game->name, followed);
    }
}

#endif
