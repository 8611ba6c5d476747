// Events of every shape, which do nothing.

#include "wire.h"

kifu_result wire_do_e_empty(kifu_timeline *timeline, const wire_state *state, const wire_e_empty *empty)
{
    (void)timeline;
    (void)state;
    (void)empty;
    return KIFU_OK;
}

kifu_result wire_do_e_flat(kifu_timeline *timeline, const wire_state *state, const wire_e_flat *flat)
{
    (void)timeline;
    (void)state;
    (void)flat;
    return KIFU_OK;
}

kifu_result wire_do_e_one_enum(kifu_timeline *timeline, const wire_state *state, const wire_e_one_enum *one_enum)
{
    (void)timeline;
    (void)state;
    (void)one_enum;
    return KIFU_OK;
}

kifu_result wire_do_e_checks(kifu_timeline *timeline, const wire_state *state, const wire_e_checks *checks)
{
    (void)timeline;
    (void)state;
    (void)checks;
    return KIFU_OK;
}

kifu_result wire_do_e_optional(kifu_timeline *timeline, const wire_state *state, const wire_e_optional *optional)
{
    (void)timeline;
    (void)state;
    (void)optional;
    return KIFU_OK;
}

kifu_result wire_do_e_text(kifu_timeline *timeline, const wire_state *state, const wire_e_text *text)
{
    (void)timeline;
    (void)state;
    (void)text;
    return KIFU_OK;
}

kifu_result wire_do_e_vectors(kifu_timeline *timeline, const wire_state *state, const wire_e_vectors *vectors)
{
    (void)timeline;
    (void)state;
    (void)vectors;
    return KIFU_OK;
}

kifu_result wire_do_e_nested(kifu_timeline *timeline, const wire_state *state, const wire_e_nested *nested)
{
    (void)timeline;
    (void)state;
    (void)nested;
    return KIFU_OK;
}

kifu_result wire_do_e_changed(kifu_timeline *timeline, const wire_state *state, const wire_e_changed *changed,
                              wire_e_changed_transient *transient)
{
    (void)timeline;
    (void)state;
    (void)changed;
    transient->seen = 77;
    return KIFU_OK;
}
