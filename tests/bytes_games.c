// Random games of one example (BYTES_GAME), played by the hooks of its fuzzer: each input of a player goes as bytes to
// another timeline, which then has the same log.

#include "bytes_help.h"
#include "kifu_fuzz.h"
#include "core/timeline.h"

#define JOIN(a, b) a##b
#define NAME(game, what) JOIN(game, what)

extern const kifu_rules NAME(BYTES_GAME, _rules);
extern const kifu_fuzz_hooks NAME(BYTES_GAME, _fuzz_hooks);

enum { ATTEMPTS = 20 };

typedef struct pair {
    kifu_timeline *one, *other;
    kifu_rng rng;
    kifu_buffer buffer;
    kifu_buffer decided[ATTEMPTS]; // In a turn of an actor: for each attempt,
    int players[ATTEMPTS];         // and for whom.
    unsigned long sent;
} pair;

static kifu_timeline *new_game(void)
{
    kifu_options options = {.quiet = true};
    kifu_timeline *timeline;
    kifu_error error;
    if (NAME(BYTES_GAME, _fuzz_hooks).options)
        NAME(BYTES_GAME, _fuzz_hooks).options(&options);
    ck_assert_int_eq(kifu_create(&NAME(BYTES_GAME, _rules), &options, &timeline, &error), KIFU_OK);
    return timeline;
}

// What waits in the one is submitted to the other, as bytes if a player may do that.
static kifu_ticket send_proposal(pair *pair, const kifu__proposal *proposal)
{
    const kifu__type *type = &pair->one->rules->types[proposal->type];
    kifu_ticket ticket = 0;
    if (!type->is_player)
        return kifu__submit(pair->other, proposal->type, proposal->player, proposal + 1, proposal->size);
    ck_assert_int_eq(kifu__bytes_of(pair->one, proposal->type, proposal + 1, proposal->size, &pair->buffer), KIFU_OK);
    const kifu_result result = submit_copy(pair->other, proposal->player, pair->buffer.data, pair->buffer.size,
                                           (unsigned)pair->sent++ % 8, &ticket);
    ck_assert_msg(!result, "%s", kifu_last_error(pair->other)->message);
    ck_assert_uint_ne(ticket, 0);
    return ticket;
}

static void send_waiting(pair *pair)
{
    kifu__queue *queue = &pair->one->inputs;
    for (kifu__proposal *at = kifu__queue_first(queue); at; at = kifu__queue_next(queue, at)) {
        const kifu_ticket ticket = send_proposal(pair, at);
        if (at->overridden)
            ck_assert_int_eq(
                kifu_override(pair->other, ticket, at->flags & KIFU_UNDOABLE, at->flags & KIFU_CONTINUE_UNDO), KIFU_OK);
    }
}

static void submit_something(pair *pair)
{
    kifu_moves moves = {0};
    if (NAME(BYTES_GAME, _fuzz_hooks).input) {
        NAME(BYTES_GAME, _fuzz_hooks).input(pair->one, &pair->rng);
    } else {
        const int player = kifu_current_player(kifu_get_game(pair->one));
        ck_assert_int_eq(kifu_list_moves(pair->one, player, &moves), KIFU_OK);
        if (moves.count)
            kifu_submit_move(pair->one, &moves.items[kifu_rng_below(&pair->rng, moves.count)]);
        kifu_free_moves(&moves);
    }
    send_waiting(pair);
}

// What was decided in a turn of the one, for each attempt, is what is decided in a turn of the other.
static kifu_ticket decide(void *context, kifu_timeline *timeline, const void *state, kifu_handle actor,
                          uint32_t attempt)
{
    pair *pair = context;
    const kifu_ticket ticket = NAME(BYTES_GAME, _fuzz_hooks).decide(&pair->rng, timeline, state, actor, attempt);
    const kifu__proposal *proposal = kifu__queue_find(&timeline->inputs, ticket);
    if (!proposal)
        return ticket;
    ck_assert_uint_lt(attempt, ATTEMPTS);
    kifu_buffer *decided = &pair->decided[attempt];
    ck_assert_int_eq(kifu__bytes_of(timeline, proposal->type, proposal + 1, proposal->size, decided), KIFU_OK);
    pair->players[attempt] = proposal->player;
    return ticket;
}

static kifu_ticket decide_the_same(void *context, kifu_timeline *timeline, const void *state, kifu_handle actor,
                                   uint32_t attempt)
{
    pair *pair = context;
    kifu_ticket ticket = 0;
    (void)state;
    (void)actor;
    const kifu_buffer *decided = &pair->decided[attempt];
    if (!decided->size)
        return 0;
    ck_assert_msg(!kifu_submit_bytes(timeline, pair->players[attempt], decided->data, decided->size, &ticket), "%s",
                  kifu_last_error(timeline)->message);
    pair->sent++;
    return ticket;
}

static void take_turn(pair *pair)
{
    kifu_turn turn, other;
    for (uint32_t i = 0; i < ATTEMPTS; i++)
        pair->decided[i].size = 0;
    const kifu_result result = kifu_take_turn(pair->one, decide, pair, &turn);
    ck_assert_int_eq(kifu_take_turn(pair->other, decide_the_same, pair, &other), result);
    ck_assert(turn.status == other.status && turn.actor == other.actor);
}

static void do_something(pair *pair)
{
    const uint32_t what = kifu_rng_below(&pair->rng, 12);
    if (what == 0)
        ck_assert_int_eq(kifu_undo(pair->one), kifu_undo(pair->other));
    else if (what == 1)
        ck_assert_int_eq(kifu_redo(pair->one), kifu_redo(pair->other));
    else if (NAME(BYTES_GAME, _fuzz_hooks).decide && what < 8)
        take_turn(pair);
    else
        submit_something(pair);
    ck_assert_int_eq(kifu_run(pair->one), kifu_run(pair->other));
}

// Whatever is in the log has the same bytes in both, and those of a player's event are accepted.
static void compare_events(pair *pair)
{
    kifu_buffer again = {0};
    kifu_event event;
    for (uint32_t i = 0; kifu_event_at(pair->one, i, &event); i++) {
        ck_assert_int_eq(kifu_event_bytes(pair->one, i, &pair->buffer), KIFU_OK);
        ck_assert_int_eq(kifu_event_bytes(pair->other, i, &again), KIFU_OK);
        same_buffers(&pair->buffer, &again);
        const bool plays = pair->one->rules->types[event.type].is_player;
        ck_assert_int_eq(kifu_submit_bytes(pair->other, event.player, again.data, again.size, NULL),
                         plays ? KIFU_OK : KIFU_REJECTED);
        if (!plays)
            continue;
        const kifu__proposal *proposal = kifu__queue_first(&pair->other->inputs);
        ck_assert_int_eq(kifu__bytes_of(pair->other, proposal->type, proposal + 1, proposal->size, &again), KIFU_OK);
        same_buffers(&pair->buffer, &again);
        ck_assert_int_eq(kifu_drop_inputs(pair->other), KIFU_OK);
    }
    kifu_free_buffer(&again);
}

static unsigned long play_one(uint64_t seed, uint32_t steps)
{
    pair pair = {.one = new_game(), .other = new_game()};
    kifu_rng_seed(&pair.rng, seed, 11);
    kifu_rng same = pair.rng;
    NAME(BYTES_GAME, _fuzz_hooks).begin(pair.one, &pair.rng);
    NAME(BYTES_GAME, _fuzz_hooks).begin(pair.other, &same);
    ck_assert_int_eq(kifu_run(pair.one), kifu_run(pair.other));
    for (uint32_t i = 0; i < steps; i++)
        do_something(&pair);
    expect_same_log(pair.one, pair.other);
    compare_events(&pair);
    kifu_free_buffer(&pair.buffer);
    for (uint32_t i = 0; i < ATTEMPTS; i++)
        kifu_free_buffer(&pair.decided[i]);
    kifu_destroy(pair.one);
    kifu_destroy(pair.other);
    return pair.sent;
}

START_TEST(B02_random_games_go_as_bytes_to_another_timeline)
{
    const unsigned long games = fuzz_steps(400) / 10;
    unsigned long sent = 0;
    for (unsigned long i = 0; i < games; i++)
        sent += play_one(fuzz_seed() * 1000003 + i, (uint32_t)(i * 37 % 120));
    ck_assert_uint_gt(sent, games * 5);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {B02_random_games_go_as_bytes_to_another_timeline};
    return run_suite("bytes_games", tests, sizeof tests / sizeof *tests);
}
