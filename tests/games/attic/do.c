// The rules of the attic.

#include "attic.h"

kifu_verdict attic_check_p_set(kifu_timeline *timeline, const attic_state *state, attic_p_set *set)
{
    (void)timeline, (void)state, (void)set;
    return kifu_accept();
}

kifu_result attic_do_p_set(kifu_timeline *timeline, const attic_state *state, const attic_p_set *set)
{
    (void)state;
    *(unsigned char *)kifu__edit_bytes(timeline, set->offset, 1) = 1;
    return KIFU_OK;
}
