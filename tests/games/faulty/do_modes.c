// Faults: doing otherwise when it is executed again.

#include "world.h"

kifu_result faulty_do_e_replay_branch(kifu_timeline *timeline, const faulty_state *state,
                                      const faulty_e_replay_branch *event)
{
    (void)state;
    (void)event;
    if (!kifu_is_replaying(timeline))
        faulty_add(timeline, 1);
    return KIFU_OK;
}

kifu_result faulty_do_e_fail_again(kifu_timeline *timeline, const faulty_state *state, const faulty_e_fail_again *event)
{
    (void)state;
    (void)event;
    faulty_add(timeline, 1);
    return faulty_now.failures++ ? kifu_fail(timeline, "once is enough") : KIFU_OK;
}

kifu_result faulty_do_e_fail_at_first(kifu_timeline *timeline, const faulty_state *state,
                                      const faulty_e_fail_at_first *event)
{
    (void)state;
    (void)event;
    faulty_add(timeline, 1);
    return faulty_now.failures++ ? KIFU_OK : kifu_fail(timeline, "try again");
}

kifu_result faulty_do_e_ticket(kifu_timeline *timeline, const faulty_state *state, const faulty_e_ticket *event)
{
    (void)state;
    (void)event;
    faulty_add(timeline, (int64_t)faulty_submit_e_chain(timeline, 1));
    return KIFU_OK;
}

kifu_result faulty_do_e_pending(kifu_timeline *timeline, const faulty_state *state, const faulty_e_pending *event)
{
    (void)state;
    (void)event;
    faulty_add(timeline, kifu_pending_count(timeline));
    return KIFU_OK;
}
