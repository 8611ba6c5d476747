#include "override.h"

#include <string.h>

kifu_verdict override_check_p_name(kifu_timeline *timeline, const override_state *state, override_p_name *name)
{
    (void)timeline;
    (void)state;
    static const char *const titles[] = {
        [OVERRIDE_RANK_PAGE] = "Page", [OVERRIDE_RANK_KNIGHT] = "Sir", [OVERRIDE_RANK_KING] = "King"};
    if (strcmp(override_p_name_name(name), titles[name->rank]) == 0)
        return kifu_reject("that is a title");
    if (name->rank == OVERRIDE_RANK_KING)
        name->rank = 5; // a check may break the schema, too
    return kifu_accept();
}

kifu_result override_do_p_name(kifu_timeline *timeline, const override_state *state, const override_p_name *name)
{
    (void)state;
    *override_edit_started(timeline) = override_p_name_name_length(name);
    return KIFU_OK;
}
