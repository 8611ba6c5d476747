// The state: const to Do, changed by edits only, and every edit can be rolled back.

#include <string.h>

#include "checks.h"
#include "shapes.h"
#include "seeded.h"
#include "suite.h"

static kifu_timeline *start(void)
{
    kifu_timeline *shapes;
    ck_assert_int_eq(kifu_create(&shapes_rules, NULL, &shapes, NULL), KIFU_OK);
    shapes_submit_e_initialize(shapes, SEEDED(5));
    ck_assert_int_eq(kifu_run(shapes), KIFU_OK);
    return shapes;
}

START_TEST(P01_every_edit_can_be_rolled_back)
{
    kifu_timeline *shapes = start();
    shapes_state states[200];
    const shapes_state *state = shapes_get_state(shapes);
    for (uint64_t i = 0; i < 200; i++) {
        memcpy(&states[i], state, sizeof *state);
        shapes_submit_p_scribble(shapes, 0, i, 30, true); // edits all over, then fails
        ck_assert_int_eq(kifu_run(shapes), KIFU_FAILED);
        ck_assert_mem_eq(state, &states[i], sizeof *state);
        shapes_submit_p_scribble(shapes, 0, i, 30, false);
        ck_assert_int_eq(kifu_run(shapes), KIFU_OK);
        ck_assert_mem_ne(state, &states[i], sizeof *state);
    }
    for (int i = 199; i >= 0; i--) {
        ck_assert_int_eq(kifu_undo(shapes), KIFU_OK);
        ck_assert_mem_eq(state, &states[i], sizeof *state);
    }
    kifu_destroy(shapes);
}
END_TEST

START_TEST(P01_an_edit_outside_of_do_changes_nothing)
{
    kifu_timeline *shapes = start();
    shapes_state before;
    memcpy(&before, shapes_get_state(shapes), sizeof before);
    *shapes_edit_small(shapes) = 9;
    memset(shapes_edit_deeps(shapes, 1), 255, sizeof(shapes_deep));
    ck_assert_mem_eq(shapes_get_state(shapes), &before, sizeof before);
    ck_assert_int_eq(kifu_run(shapes), KIFU_MISUSE); // the next run says so
    ck_assert_ptr_nonnull(strstr(kifu_last_error(shapes)->message, "outside of a Do function"));
    ck_assert_uint_eq(kifu_random(shapes), 0);
    ck_assert_int_eq(kifu_run(shapes), KIFU_MISUSE);
    ck_assert_ptr_nonnull(
        strstr(kifu_last_error(shapes)->message, "a random number was drawn outside of a Do function"));
    ck_assert_int_eq(kifu_run(shapes), KIFU_OK);
    kifu_destroy(shapes);
}
END_TEST

START_TEST(the_state_hash_sees_every_byte)
{
    // Two high bits flipped in different words cancel each other in a weaker hash.
    kifu_timeline *shapes = start();
    uint64_t before = kifu_state_hash(shapes);
    unsigned char *bytes = (unsigned char *)(uintptr_t)shapes_get_state(shapes); // as no game may do
    for (size_t i = 0; i < sizeof(shapes_state); i++) {
        for (size_t j = i; j < sizeof(shapes_state); j += 37) {
            bytes[i] ^= 0x80;
            if (j != i)
                bytes[j] ^= 0x80;
            ck_assert_uint_ne(kifu_state_hash(shapes), before);
            bytes[i] ^= 0x80;
            if (j != i)
                bytes[j] ^= 0x80;
        }
    }
    ck_assert_uint_eq(kifu_state_hash(shapes), before);
    kifu_destroy(shapes);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        P01_every_edit_can_be_rolled_back,
        P01_an_edit_outside_of_do_changes_nothing,
        the_state_hash_sees_every_byte,
    };
    return run_suite("state", tests, sizeof tests / sizeof *tests);
}
