// Non-interference of a referee: two games of Duel that differ only in cards that a viewer never sees give this
// viewer's seat the same bytes: observations, answers, words, questions, in the same order.

#include "duel_help.h"
#include "referee_help.h"
#include "suite.h"

#include "core/timeline.h"

enum { ACTIONS = 60, GUESTS = 3, MOST_BYTES = 1 << 18 };

// What a guest did. No bytes: an undo, or a word about one.
typedef struct action {
    uint32_t guest;
    enum { PLAY, UNDO, AGREE, DISAGREE, PING } kind;
    kifu_buffer bytes;
} action;

// A game, and what it sent to each guest: to whom, how much, and the bytes behind the session, which is random.
typedef struct run {
    world world;
    guest *guests[GUESTS];
    int viewer;
    uint32_t looked; ///< So many events there were for the last look.
    bool seen[GUESTS][CARD_COUNT];
    duel_kind kinds[CARD_COUNT];
    const uint8_t *other; ///< By which kinds are these to be replaced? NULL: by none.
    unsigned char *sent[GUESTS + 1];
    size_t sizes[GUESTS + 1];
    kifu_rng entropy;
} run;

static run *running;

static bool not_random(void *context, void *bytes, size_t size)
{
    (void)context;
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)bytes)[i] = (unsigned char)kifu_rng_below(&running->entropy, 256);
    return true;
}

static bool note(void *context, uint64_t peer, const void *bytes, size_t size)
{
    const uint32_t length = (uint32_t)size;
    unsigned char *sent = running->sent[peer];
    size_t *at = &running->sizes[peer];
    must_be(*at + size + sizeof length < MOST_BYTES);
    memcpy(sent + *at, &length, sizeof length);
    memcpy(sent + *at + sizeof length, (const unsigned char *)bytes + 4, size - 4);
    *at += sizeof length + size - 4;
    return send_to_peer(context, peer, bytes, size);
}

// The other world differs from the beginning on, without an event that says so.
static kifu_result begin(void *context, kifu_timeline *timeline, uint32_t seats)
{
    const uint64_t seed = kifu_rng_below(&running->entropy, UINT32_MAX);
    (void)context, (void)seats;
    must(timeline, duel_begin(timeline, &seed));
    duel_state *state = (duel_state *)(void *)timeline->core.state;
    for (uint32_t card = 0; card < CARD_COUNT; card++) {
        running->kinds[card] = state->cards[card].kind;
        if (running->other)
            state->cards[card].kind = (duel_kind)running->other[card];
    }
    kifu__changed(timeline);
    running->looked = kifu_event_count(timeline);
    return KIFU_OK;
}

static kifu_result fall(void *context, kifu_timeline *timeline, uint32_t seat)
{
    (void)context, (void)timeline, (void)seat;
    return KIFU_OK;
}

// Moves that are listed, and undos; of the viewer, also any card, of whatever zone and player, and bytes that are none.
// (Of another player these may be refused because of what that player knows.)
static void choose(run *run, action *action)
{
    world *world = &run->world;
    kifu_moves moves = {0};
    action->guest = kifu_rng_below(&world->rng, 2);
    guest *guest = run->guests[action->guest];
    kifu_timeline *seen = kifu_client_timeline(guest->client);
    const uint32_t what = kifu_rng_below(&world->rng, 20);
    action->kind = what < 16 ? PLAY : (unsigned)(what - 15);
    if (action->kind != PLAY)
        return;
    const bool wild = (int)action->guest == run->viewer;
    if (what > 3 || !wild)
        must_be(!kifu_list_moves(seen, (int)action->guest, &moves));
    if (moves.count)
        must_be(!kifu_move_bytes(seen, &moves.items[kifu_rng_below(&world->rng, moves.count)], &action->bytes));
    else if (wild)
        must_be(!duel_build_p_announce(seen, &action->bytes, (uint8_t)kifu_rng_below(&world->rng, CARD_COUNT + 4)));
    if (what == 0 && wild)
        action->bytes.data[kifu_rng_below(&world->rng, action->bytes.size)] ^= 0x11;
    kifu_free_moves(&moves);
}

static void act(run *run, const action *action)
{
    world *world = &run->world;
    guest *guest = run->guests[action->guest];
    kifu_result ignored = KIFU_OK;
    if (action->kind == PLAY && !action->bytes.size)
        return;
    if (action->kind == PLAY)
        ignored = kifu_client_request(guest->client, action->bytes.data, action->bytes.size, world->now);
    else if (action->kind == UNDO)
        ignored = kifu_client_undo(guest->client, world->now);
    else if (action->kind != PING)
        ignored = kifu_client_consent(guest->client, action->kind == AGREE);
    (void)ignored;
    pass_all_until(world, world->now + (action->kind == PING ? 3000 : 200));
}

// Which cards each viewer has seen by now, also before an undo.
static void look(run *run, uint32_t from)
{
    kifu_error error;
    kifu_timeline *timeline = (kifu_timeline *)kifu_referee_game(run->world.referee, "game", run->world.now, &error);
    duel_state state;
    for (uint32_t place = from; place <= kifu_event_count(timeline); place++) {
        must(timeline, kifu_state_at(timeline, place, &state, sizeof state));
        for (uint32_t i = 0; i < GUESTS * CARD_COUNT; i++)
            run->seen[i / CARD_COUNT][i % CARD_COUNT] |=
                duel_sees_cards_kind(&state, i % CARD_COUNT, (int)(i / CARD_COUNT) - 1);
    }
    run->looked = kifu_event_count(timeline);
}

// One game. `actions`: what was chosen in it, or is to be done in it (`other`).
static void play_world(run *run, uint32_t seed, action *actions, const uint8_t *other)
{
    kifu_token tokens[2];
    kifu_error error;
    running = run;
    run->world = (world){.rules = &duel_rules,
                         .poll_ms = 1000,
                         .options = {.begin = begin,
                                     .fallen = fall,
                                     .entropy = not_random,
                                     .requests_per_second = 3,
                                     .consent_ms = 5000,
                                     .whole_events = 1,
                                     .timeline = {.observers = duel_triggers, .judge_request = duel_judge_request}}};
    run->other = other;
    kifu_rng_seed(&run->entropy, seed, 5);
    for (uint32_t i = 0; i <= GUESTS; i++)
        run->sent[i] = malloc(MOST_BYTES);
    create_world(&run->world, &(kifu_loopback_faults){.seed = seed});
    kifu_referee_destroy(run->world.referee);
    run->world.options.send = note;
    must_be(!kifu_referee_create(&duel_rules, &run->world.options, &run->world.referee, &error));
    const kifu_table table = {.seats = 2, .main_ms = 600000, .increment_ms = 1000};
    must_be(!kifu_referee_open(run->world.referee, "game", &table, tokens, run->world.now, &error));
    for (int i = 0; i < GUESTS; i++)
        run->guests[i] = add_guest(&run->world, "game", i < 2 ? tokens[i].text : NULL);
    pass_all_until(&run->world, run->world.now + 2000);
    if (!other)
        look(run, run->looked);
    for (uint32_t i = 0; i < ACTIONS; i++) {
        if (!other)
            choose(run, &actions[i]);
        act(run, &actions[i]);
        if (!other)
            look(run, run->looked);
    }
    pass_all_until(&run->world, run->world.now + 3000);
}

static void end_world(run *run)
{
    destroy_world(&run->world);
    for (uint32_t i = 0; i <= GUESTS; i++)
        free(run->sent[i]);
}

// The unseen cards of each player, in another order.
static uint32_t exchange(run *run, int viewer, kifu_rng *rng, uint8_t kinds[CARD_COUNT])
{
    const bool *seen = run->seen[viewer + 1];
    uint32_t places[CARD_COUNT], others = 0;
    for (uint32_t card = 0; card < CARD_COUNT; card++)
        kinds[card] = (uint8_t)run->kinds[card];
    for (int player = 0; player < 2; player++) {
        uint32_t count = 0;
        for (uint32_t card = 0; card < CARD_COUNT; card++) {
            if (!seen[card] && rules_owner(card) == player)
                places[count++] = card;
        }
        for (uint32_t left = count; left > 1; left--) {
            const uint32_t chosen = places[kifu_rng_below(rng, left)], last = places[left - 1];
            const uint8_t kind = kinds[chosen];
            kinds[chosen] = kinds[last];
            kinds[last] = kind;
        }
    }
    for (uint32_t card = 0; card < CARD_COUNT; card++)
        others += kinds[card] != run->kinds[card];
    return others;
}

static bool is_same(const run *one, const run *other, uint32_t peer)
{
    return one->sizes[peer] == other->sizes[peer] && !memcmp(one->sent[peer], other->sent[peer], one->sizes[peer]);
}

START_TEST(W03_what_a_referee_sends_to_a_seat_says_nothing_of_what_it_does_not_see)
{
    uint32_t told = 0, refused = 0, asked = 0, exchanged = 0;
    for (uint32_t seed = 1; seed <= fuzz_steps(24000) / 1000; seed++) {
        const int viewer = (int)(seed % 3) - 1;
        const uint32_t peer = viewer < 0 ? GUESTS : (uint32_t)viewer + 1;
        action actions[ACTIONS] = {0};
        uint8_t kinds[CARD_COUNT];
        static run one, other;
        kifu_rng rng;
        one = other = (run){.viewer = viewer};
        kifu_rng_seed(&rng, seed, 9);
        play_world(&one, seed, actions, NULL);
        exchanged += exchange(&one, viewer, &rng, kinds);
        play_world(&other, seed, actions, kinds);
        ck_assert_msg(is_same(&one, &other, peer), "game %u: viewer %d gets other bytes (%zu and %zu)", seed, viewer,
                      one.sizes[peer], other.sizes[peer]);
        for (uint32_t i = 1; i <= GUESTS; i++)
            told += !is_same(&one, &other, i); // Who sees some of these cards does get others.
        refused += one.guests[0]->refused + one.guests[1]->refused;
        asked += one.guests[0]->asked + one.guests[1]->asked > 0;
        end_world(&one);
        end_world(&other);
        for (uint32_t i = 0; i < ACTIONS; i++)
            kifu_free_buffer(&actions[i].bytes);
    }
    ck_assert_msg(told > 2 && refused > 10 && asked > 0 && exchanged > 30,
                  "%u others told, %u refused, %u asked, %u cards", told, refused, asked, exchanged);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {W03_what_a_referee_sends_to_a_seat_says_nothing_of_what_it_does_not_see};
    return run_suite("referee secrets", tests, sizeof tests / sizeof *tests);
}
