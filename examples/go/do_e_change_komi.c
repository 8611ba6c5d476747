#include "go.h"

/// The players agree on another komi.
kifu_result go_do_e_change_komi(kifu_timeline *timeline, const go_state *state, const go_e_change_komi *change_komi)
{
    go_terms terms = state->terms;
    terms.komi = change_komi->komi;
    *go_edit_terms(timeline) = terms;
    return KIFU_OK;
}
