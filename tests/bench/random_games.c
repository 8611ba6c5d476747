// One of the examples, played at random; compiled once for each, since their headers have the same names. WALK: its
// name.

#include "random_games.h"

#include <kifu/kifu.h>

#include "game.h"
#include "measure.h"
#if defined(WALK_CHESS)
#include "pgn.h"
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

typedef struct walk {
    kifu_timeline *timeline;
    uint64_t lots;
    uint32_t stuck; ///< Moves in a row that were none.
    kifu_rng rng;
    kifu_moves moves;
} walk;

static uint32_t draw(walk *walk, uint32_t below)
{
    walk->lots = walk->lots * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((walk->lots >> 33) % below);
}

static kifu_result begin(walk *walk)
{
    const uint64_t seed = draw(walk, UINT32_C(1) << 30);
#if defined(WALK_CHESS)
    (void)seed;
    return chess_begin(walk->timeline, &(chess_setup){0}, NULL);
#else
    return JOIN(WALK, _begin)(walk->timeline, &seed);
#endif
}

#if defined(WALK_DUNGEON)
static void act(walk *walk)
{
    static const char keys[] = "hjklyubn.,>sqwrtf";
    if (dungeon_play(walk->timeline, keys[draw(walk, sizeof keys - 1)]))
        walk->stuck++;
}
#else
static void act(walk *walk)
{
    const kifu_game *game = &JOIN(WALK, _get_state)(walk->timeline)->game;
    const kifu_move *move;
    must(!kifu_choose_any_move(walk->timeline, kifu_current_player(game), &walk->rng, &walk->moves, &move),
         "no choice");
    walk->stuck = move ? walk->stuck : 100;
    if (move)
        kifu_submit_move(walk->timeline, move);
    if (move && kifu_run(walk->timeline))
        walk->stuck++;
}
#endif

// One game after the other, in one timeline.
kifu_timeline *JOIN(random_, WALK)(uint32_t events)
{
    const kifu_options options = {.quiet = true};
    walk walk = {.lots = 12345, .stuck = 100};
    must(!kifu_create(&JOIN(WALK, _rules), &options, &walk.timeline, NULL), "no timeline");
    kifu_rng_seed(&walk.rng, 7, 1);
    while (kifu_event_count(walk.timeline) < events) {
        if (walk.stuck > 50 || JOIN(WALK, _get_state)(walk.timeline)->game.phase != KIFU_PHASE_PLAY) {
            walk.stuck = 0;
            must(!begin(&walk), "no game");
        } else
            act(&walk);
    }
    kifu_free_moves(&walk.moves);
    return walk.timeline;
}

#if defined(WALK_CHESS)
kifu_timeline *read_chess(const char **text)
{
    kifu_timeline *timeline;
    fault fault;
    return pgn_read(text, &(kifu_options){.quiet = true}, &timeline, NULL, &fault) ? NULL : timeline;
}
#endif
