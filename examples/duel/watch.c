// A referee and two players of Duel, in one process: the referee has the whole game, each player a watcher, which has
// what that player may see. A message goes from one to the other where a network would carry it.
//
//     duel_watch 7
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game.h"
#include "triggers.h"

typedef struct player {
    const kifu_rules *rules;
    kifu_timeline *timeline;
    uint32_t acts; // How many events were shown.
} player;

static double act_e_draw(void *context, kifu_timeline *timeline, const duel_state *state, const duel_e_draw *draw)
{
    (void)timeline, (void)state, (void)draw;
    ++*(uint32_t *)context;
    return 0;
}

// What has happened since `from`, for each player.
static kifu_result tell(kifu_timeline *referee, player players[2], uint32_t from, kifu_seen_how how)
{
    kifu_buffer message = {0};
    kifu_result result = KIFU_OK;
    for (int i = 0; i < 2 && !result; i++) {
        result = kifu_seen_since(referee, i, from, how, &message);
        if (!result)
            result = kifu_watch(players[i].timeline, message.data, message.size);
    }
    kifu_free_buffer(&message);
    return result;
}

// A player chooses by what that player sees, and plays at once. The bytes of the move go to the referee.
static kifu_result play(kifu_timeline *own, int player, kifu_rng *rng, kifu_buffer *bytes)
{
    const uint32_t before = kifu_event_count(own);
    kifu_moves moves = {0};
    kifu_result result = kifu_list_moves(own, player, &moves);
    if (!result && moves.count)
        kifu_submit_move(own, &moves.items[kifu_rng_below(rng, moves.count)]);
    else if (!result)
        duel_submit_p_resign(own, player);
    kifu_free_moves(&moves);
    result = result ? result : kifu_run(own);
    return result ? result : kifu_event_bytes(own, before, bytes);
}

static kifu_result play_game(kifu_timeline *referee, player players[2], const uint64_t *seed)
{
    kifu_rng rng;
    kifu_buffer move = {0};
    kifu_rng_seed(&rng, *seed, 1);
    kifu_result result = duel_begin(referee, seed);
    result = result ? result : tell(referee, players, 0, KIFU_SEEN_WHOLE);
    while (!result && kifu_get_game(referee)->phase == KIFU_PHASE_PLAY) {
        const int current = kifu_current_player(kifu_get_game(referee));
        const uint32_t before = kifu_event_count(referee);
        result = play(players[current].timeline, current, &rng, &move);
        result = result ? result : kifu_submit_bytes(referee, current, move.data, move.size, NULL);
        result = result ? result : kifu_run(referee);
        result = result ? result : tell(referee, players, before, KIFU_SEEN_PLAYED);
    }
    kifu_free_buffer(&move);
    return result;
}

// Whether each player has the masked state, and has seen each event.
static bool have_seen_all(kifu_timeline *referee, const player players[2])
{
    bool good = true;
    for (int i = 0; i < 2; i++) {
        duel_state seen;
        duel_seen(duel_get_state(referee), i, &seen);
        good = good && !memcmp(&seen, kifu_state(players[i].timeline), sizeof seen);
        printf("Player %d has seen %u events, and %u cards drawn.\n", i, kifu_event_count(players[i].timeline),
               players[i].acts);
    }
    return good;
}

int main(int argc, char **argv)
{
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 7;
    kifu_timeline *referee = NULL;
    player players[2] = {{0}};
    duel_view views[2];
    kifu_error error = {0};
    kifu_result result = kifu_create(&duel_rules, &(kifu_options){.observers = duel_triggers}, &referee, &error);
    for (int i = 0; i < 2 && !result; i++) {
        views[i] = (duel_view){.base = {.context = &players[i].acts}, .act_e_draw = act_e_draw};
        const kifu_options options = {.observers = duel_triggers, .view = &views[i].base};
        players[i].rules = kifu_watch_rules(&duel_rules, i);
        result =
            players[i].rules ? kifu_create(players[i].rules, &options, &players[i].timeline, &error) : KIFU_NO_MEMORY;
    }
    if (!result) {
        result = play_game(referee, players, &seed);
        error = *kifu_last_error(referee);
    }
    const bool good = !result && have_seen_all(referee, players);
    if (result)
        printf("%s: %s\n", kifu_result_text(result), error.message);
    for (int i = 0; i < 2; i++) {
        kifu_destroy(players[i].timeline);
        kifu_free_watch_rules(players[i].rules);
    }
    kifu_destroy(referee);
    return !good;
}
