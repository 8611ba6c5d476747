// Thinks ahead as a player would: begin a search, move, judge, roll back. The rules are not written twice.

#include "ai.h"

#include "rules.h"

enum { WIN = 10000, MOST_MOVES = 200, MOST_READY = 4 };

// --- What a position is worth ----------------------------------------------------------------------------------------

// A card on the table, to whom it belongs.
static int worth(const duel_state *state, uint32_t card)
{
    const card_kind *kind = rules_kind(state, card);
    if (kind->type == CARD_LAND)
        return 6;
    return 3 * rules_power(state, card) + 2 * rules_toughness(state, card) + kind->lands;
}

// All that a player has; only what everybody can see.
static int strength(const duel_state *state, int player)
{
    int life = state->sides[player].life;
    int sum = 4 * life - (life < 5 ? 3 * (5 - life) : 0) + 4 * (int)rules_count(state, player, DUEL_ZONE_HAND);
    for (uint32_t card = 0; card < CARD_COUNT; card++) {
        if (rules_owner(card) == player && state->cards[card].zone == DUEL_ZONE_PLAY)
            sum += worth(state, card);
    }
    return sum;
}

static int evaluate(const duel_state *state, int player)
{
    if (state->game.phase == KIFU_PHASE_GAME_OVER) {
        int winner = rules_winner(state);
        return winner == player ? WIN : winner < 0 ? 0 : -WIN;
    }
    return strength(state, player) - strength(state, rules_enemy(player));
}

// --- What one may do -------------------------------------------------------------------------------------------------

typedef struct moves {
    duel_move move[MOST_MOVES];
    uint32_t count;
} moves;

static void add(moves *moves, const duel_move *move)
{
    if (moves->count < MOST_MOVES)
        moves->move[moves->count++] = *move;
}

// Each target that makes sense: harm for the enemy, growth for one's own.
static void add_plays_at_targets(moves *moves, const duel_state *state, int player, duel_move move)
{
    duel_kind kind = state->cards[move.card].kind;
    if (cards[kind].target == TARGET_NOTHING) {
        add(moves, &move);
        return;
    }
    int side = kind == DUEL_KIND_GROWTH ? player : rules_enemy(player);
    for (uint32_t target = 0; target < TARGET_END; target++) {
        int owner = target < TARGET_PLAYER ? rules_owner(target) : (int)target - TARGET_PLAYER;
        move.target = (uint8_t)target;
        if (owner == side && target != move.sacrifice && !rules_why_not_target(state, kind, target))
            add(moves, &move);
    }
}

static void add_plays(moves *moves, const duel_state *state, int player)
{
    bool seen[CARD_KINDS] = {false};
    for (uint32_t card = 0; card < CARD_COUNT; card++) {
        if (rules_why_not_announce(state, player, card) || seen[state->cards[card].kind])
            continue;
        seen[state->cards[card].kind] = true;
        duel_move move = {.kind = DUEL_PLAY, .card = (uint8_t)card, .sacrifice = NO_CARD, .target = NO_TARGET};
        if (rules_kind(state, card)->creatures == 0) {
            add_plays_at_targets(moves, state, player, move);
            continue;
        }
        for (uint32_t victim = 0; victim < CARD_COUNT; victim++) {
            move.sacrifice = (uint8_t)victim;
            if (rules_is_creature(state, victim) && rules_owner(victim) == player)
                add_plays_at_targets(moves, state, player, move);
        }
    }
}

// Every set of creatures that can attack, for each that can be attacked.
static void add_attacks(moves *moves, const duel_state *state, int player)
{
    uint8_t ready[MOST_READY];
    uint32_t count = 0;
    for (uint32_t card = 0; card < CARD_COUNT && count < MOST_READY; card++) {
        if (!rules_why_not_attack_with(state, player, card) && rules_power(state, card) > 0)
            ready[count++] = (uint8_t)card;
    }
    for (uint32_t target = 0; target < TARGET_END && count > 0; target++) {
        if (rules_why_not_attack_at(state, player, target))
            continue;
        for (uint32_t set = 1; set < 1u << count; set++) {
            duel_move move = {.kind = DUEL_ATTACK, .sacrifice = NO_CARD, .target = (uint8_t)target};
            for (uint32_t i = 0; i < count; i++) {
                if (set >> i & 1)
                    move.attackers[move.attacker_count++] = ready[i];
            }
            add(moves, &move);
        }
    }
}

// --- Thinking --------------------------------------------------------------------------------------------------------

typedef struct search {
    kifu_timeline *timeline;
    const duel_state *state; // of the timeline
    int me;
    kifu_result result; // the first failure
} search;

// Makes a move that will be taken back. False: it cannot be made, and nothing is left of it; or the search has failed.
static bool try_move(search *search, const duel_move *move)
{
    const char *why;
    if (!search->result)
        search->result = kifu_begin(search->timeline, KIFU_SEARCH);
    if (search->result)
        return false;
    kifu_result result = duel_make_move(search->timeline, move, &why);
    if (!result)
        return true;
    kifu_result back = kifu_roll_back(search->timeline);
    search->result = result == KIFU_REJECTED ? back : result;
    return false;
}

static void take_back(search *search)
{
    kifu_result result = kifu_roll_back(search->timeline);
    if (!search->result)
        search->result = result;
}

// What is left for me when the turn ends here and the enemy makes the best attack there is. What the enemy might play
// is not thought of: that would be guessing at a hand.
static int after_turn(search *search)
{
    static const duel_move end = {.kind = DUEL_END_TURN};
    if (!try_move(search, &end))
        return 0;
    int least = evaluate(search->state, search->me);
    moves replies = {.count = 0};
    if (search->state->game.phase == KIFU_PHASE_PLAY)
        add_attacks(&replies, search->state, rules_enemy(search->me));
    for (uint32_t i = 0; i < replies.count; i++) {
        if (!try_move(search, &replies.move[i]))
            continue;
        int score = evaluate(search->state, search->me);
        least = score < least ? score : least;
        take_back(search);
    }
    take_back(search);
    return least;
}

// The best that I can still make of this turn with up to `depth` moves.
static int best(search *search, uint32_t depth)
{
    if (search->state->game.phase == KIFU_PHASE_GAME_OVER)
        return evaluate(search->state, search->me);
    int most = after_turn(search);
    if (depth == 0)
        return most;
    moves moves = {.count = 0};
    add_plays(&moves, search->state, search->me);
    add_attacks(&moves, search->state, search->me);
    for (uint32_t i = 0; i < moves.count; i++) {
        if (!try_move(search, &moves.move[i]))
            continue;
        int score = best(search, depth - 1);
        most = score > most ? score : most;
        take_back(search);
    }
    return most;
}

// Adds to `scores` what each move is worth in one of the possible worlds. What cannot be made there is worth less than
// anything else.
static void judge(search *search, uint32_t world, uint32_t depth, const moves *moves, int *scores)
{
    if (!search->result)
        search->result = kifu_begin(search->timeline, KIFU_SEARCH);
    if (search->result)
        return;
    duel_submit_e_imagine(search->timeline, (uint8_t)search->me, (uint8_t)world);
    search->result = kifu_run(search->timeline);
    for (uint32_t i = 0; i < moves->count; i++) {
        if (moves->move[i].kind == DUEL_END_TURN) {
            scores[i] += after_turn(search);
        } else if (try_move(search, &moves->move[i])) {
            scores[i] += best(search, depth - 1);
            take_back(search);
        } else {
            scores[i] -= 2 * WIN;
        }
    }
    take_back(search);
}

kifu_result duel_ai_move(kifu_timeline *timeline, const duel_ai *ai, duel_move *move)
{
    const duel_state *state = duel_get_state(timeline);
    int me = kifu_current_player(&state->game);
    if (me < 0 || rules_why_not_act(state, me))
        return KIFU_MISUSE;
    uint32_t worlds = ai && ai->worlds ? ai->worlds : 3, depth = ai && ai->depth ? ai->depth : 2;
    search search = {.timeline = timeline, .state = state, .me = me};
    moves moves = {.count = 0};
    int scores[MOST_MOVES + 1] = {0};
    add(&moves, &(duel_move){.kind = DUEL_END_TURN});
    add_plays(&moves, state, me);
    add_attacks(&moves, state, me);
    for (uint32_t world = 0; world < worlds; world++)
        judge(&search, world, depth, &moves, scores);
    if (search.result)
        return search.result;
    uint32_t choice = 0;
    for (uint32_t i = 1; i < moves.count; i++) {
        if (scores[i] > scores[choice])
            choice = i;
    }
    *move = moves.move[choice];
    return KIFU_OK;
}
