// Broken segments by the thousand: what Kifu accepts, the official verifier accepts, and every byte of it can be read,
// converted and verified again.

#include "break_help.h"
#include "official.h"

static uint32_t draw(kifu_rng *rng, uint32_t below)
{
    return kifu_rng_below(rng, below);
}

// Half of them as flatc would have written them.
static bytes random_segment(kifu_rng *rng, official *schema)
{
    bytes own = wire_random(rng, 1 + draw(rng, 6));
    if (draw(rng, 2))
        return own;
    char *json = official_to_json(schema, own.at);
    size_t size;
    unsigned char *at = official_from_json(schema, json, &size);
    bytes foreign = bytes_of(at, size);
    free(at);
    free(json);
    free(own.at);
    return foreign;
}

static void must_be_readable(bytes good, bool is_castable)
{
    kifu_error error;
    bytes converted;
    kifu_result result = wire_convert(good, &converted, &error);
    ck_assert_msg(result == KIFU_OK || result == KIFU_TOO_LARGE, "%s", error.message);
    if (result)
        return;
    kifu__segment segment;
    bool castable;
    ck_assert_msg(!wire_verify(converted, &segment, &castable, &error), "converted: %s", error.message);
    ck_assert(castable);
    ck_assert(official_verifies(converted.at, converted.size));
    free(converted.at);
    if (!is_castable)
        return;
    // What may be cast reads as the generated structs do.
    wire_verify(good, &segment, &castable, &error);
    for (uint32_t i = 0; i < segment.count; i++) {
        const kifu__table *table = wire_rules.types[segment.types[i]].table;
        // A save may have any text.
        ck_assert_msg(!kifu__check_bytes(table, kifu__segment_table(&segment, i), true, &error), "%s", error.message);
    }
}

START_TEST(S05_what_is_accepted_the_official_verifier_accepts)
{
    official *schema = official_open(wire_rules.bfbs, wire_rules.bfbs_size);
    ck_assert_ptr_nonnull(schema);
    unsigned long steps = fuzz_steps(20000), accepted = 0, refused = 0, laxer = 0;
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 1);
    for (unsigned long step = 0; step < steps; step += 50) {
        bytes whole = random_segment(&rng, schema);
        for (int i = 0; i < 50; i++) {
            bytes broken = bytes_of(whole.at, whole.size);
            for (uint32_t n = 1 + draw(&rng, 3); n && broken.size; n--)
                break_once(&rng, &broken);
            bytes exact = bytes_of(broken.at, broken.size);
            free(broken.at);
            kifu__segment segment;
            kifu_error error = {.result = KIFU_OK};
            bool castable;
            kifu_result result = wire_verify(exact, &segment, &castable, &error);
            bool official = exact.size >= 8 && official_verifies(exact.at, exact.size);
            if (result) {
                ck_assert_int_eq(error.result, result);
                ck_assert_uint_gt(strlen(error.message), 10);
                ck_assert(result == KIFU_DAMAGED || result == KIFU_UNKNOWN_EVENT);
                refused++;
                laxer += official;
            } else {
                ck_assert_msg(official, "accepted, but not by the official verifier: seed %lu, step %lu", fuzz_seed(),
                              step + (unsigned long)i);
                must_be_readable(exact, castable);
                accepted++;
            }
            free(exact.at);
        }
        free(whole.at);
    }
    printf("%lu broken segments: %lu refused, %lu of them by Kifu alone; %lu still valid\n", refused + accepted,
           refused, laxer, accepted);
    official_close(schema);
}
END_TEST

START_TEST(S05_random_games_pass_the_official_verifier)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 2);
    for (unsigned long step = 0; step < fuzz_steps(2000) / 10; step++) {
        bytes segment_bytes = wire_random(&rng, draw(&rng, 60));
        kifu__segment segment;
        kifu_error error;
        bool castable;
        ck_assert_msg(!wire_verify(segment_bytes, &segment, &castable, &error), "%s", error.message);
        ck_assert(castable);
        ck_assert(official_verifies(segment_bytes.at, segment_bytes.size));
        free(segment_bytes.at);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {S05_random_games_pass_the_official_verifier,
                                  S05_what_is_accepted_the_official_verifier_accepts};
    return run_suite("fuzz_verify", tests, sizeof tests / sizeof *tests);
}
