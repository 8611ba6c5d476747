/// The rules of the world of 1,000 actors.
#include "crowd.h"

enum { TIMES = 64 };

kifu_result crowd_do_e_people(kifu_timeline *timeline, const crowd_state *state, const crowd_e_people *people)
{
    (void)state;
    for (uint32_t i = 0; i < people->count; i++)
        crowd_edit_beings_actor(timeline, crowd_spawn_beings(timeline))->speed = 100;
    return KIFU_OK;
}

kifu_verdict crowd_check_p_walk(kifu_timeline *timeline, const crowd_state *state, crowd_p_walk *walk)
{
    (void)timeline;
    return crowd_get_beings(state, walk->being) ? kifu_accept() : kifu_reject("nobody is there");
}

kifu_result crowd_do_p_walk(kifu_timeline *timeline, const crowd_state *state, const crowd_p_walk *walk)
{
    *crowd_edit_beings_x(timeline, walk->being) = (uint8_t)(crowd_get_beings(state, walk->being)->x + walk->dx);
    return KIFU_OK;
}

kifu_result crowd_do_e_replace(kifu_timeline *timeline, const crowd_state *state, const crowd_e_replace *replace)
{
    (void)state;
    kifu_handle last = replace->being;
    for (uint32_t i = 0; i < TIMES; i++) {
        crowd_despawn_beings(timeline, last);
        last = crowd_spawn_beings(timeline);
    }
    return KIFU_OK;
}
