// Faults: what writes to the state and tells no journal, and randomness where there is none.

#include "world.h"

static void write_past_journal(const faulty_state *state)
{
    faulty_state *writable = (faulty_state *)(uintptr_t)state;
    writable->units[1].mood = FAULTY_MOOD_ANGRY;
}

kifu_result faulty_do_e_cast_write(kifu_timeline *timeline, const faulty_state *state, const faulty_e_cast_write *event)
{
    (void)event;
    faulty_add(timeline, 1);
    write_past_journal(state);
    return KIFU_OK;
}

kifu_verdict faulty_check_e_check_write(kifu_timeline *timeline, const faulty_state *state, faulty_e_check_write *event)
{
    (void)timeline;
    (void)event;
    write_past_journal(state);
    return kifu_accept();
}

kifu_result faulty_do_e_check_write(kifu_timeline *timeline, const faulty_state *state,
                                    const faulty_e_check_write *event)
{
    (void)state;
    (void)event;
    faulty_add(timeline, 1);
    return KIFU_OK;
}

kifu_result faulty_do_e_fail_after_write(kifu_timeline *timeline, const faulty_state *state,
                                         const faulty_e_fail_after_write *event)
{
    (void)event;
    faulty_add(timeline, 1);
    write_past_journal(state);
    return kifu_fail(timeline, "too late");
}

kifu_result faulty_do_e_write_then_edit(kifu_timeline *timeline, const faulty_state *state,
                                        const faulty_e_write_then_edit *event)
{
    (void)event;
    write_past_journal(state);
    *faulty_edit_units_strength(timeline, 1) = 9;
    return KIFU_OK;
}

kifu_verdict faulty_check_e_check_random(kifu_timeline *timeline, const faulty_state *state,
                                         faulty_e_check_random *event)
{
    (void)state;
    (void)event;
    return kifu_random(timeline) & 1 ? kifu_accept() : kifu_reject("bad luck");
}

kifu_result faulty_do_e_check_random(kifu_timeline *timeline, const faulty_state *state,
                                     const faulty_e_check_random *event)
{
    (void)timeline;
    (void)state;
    (void)event;
    return KIFU_OK;
}
