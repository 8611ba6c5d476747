#include "override.h"

kifu_result override_do_e_start_round(kifu_timeline *timeline, const override_state *state,
                                      const kifu_e_start_round *round)
{
    *override_edit_started(timeline) = kifu_rules_version(timeline);
    return kifu_do_e_start_round(timeline, &state->game, round); // the library's, too
}
