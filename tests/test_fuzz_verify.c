// Broken segments by the thousand: what Kifu accepts, the official verifier accepts, and every byte of it can be read,
// converted and verified again.

#include "official.h"
#include "wire_help.h"

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

// Bytes that mean something are rarely hit by chance, so most changes are small or look like offsets and sizes.
static void break_once(kifu_rng *rng, bytes *bytes)
{
    uint32_t size = (uint32_t)bytes->size;
    uint32_t at = draw(rng, size);
    uint32_t word = at & ~3u, half = at & ~1u;
    uint32_t value32;
    uint16_t value16;
    switch (draw(rng, 9)) {
    case 0:
        bytes->at[at] = (unsigned char)kifu_rng_next(rng);
        break;
    case 1:
        bytes->at[at] ^= (unsigned char)(1u << draw(rng, 8));
        break;
    case 2:
        bytes->at[at] = 0;
        break;
    case 3: // an offset or length, a little off
        if (word + 4 > size)
            break;
        memcpy(&value32, bytes->at + word, 4);
        value32 += draw(rng, 33) - 16;
        memcpy(bytes->at + word, &value32, 4);
        break;
    case 4: // or far off
        if (word + 4 > size)
            break;
        value32 = draw(rng, 2) ? draw(rng, size + 16) : kifu_rng_next(rng) | UINT32_C(0x7fffff00);
        memcpy(bytes->at + word, &value32, 4);
        break;
    case 5: // an entry of a vtable
        if (half + 2 > size)
            break;
        value16 = (uint16_t)draw(rng, 48);
        memcpy(bytes->at + half, &value16, 2);
        break;
    case 6: // one word in another's place
        if (word + 4 > size || size < 8)
            break;
        memmove(bytes->at + word, bytes->at + 4 * draw(rng, size / 4), 4);
        break;
    case 7:
        if (word + 4 <= size)
            memset(bytes->at + word, 0, 4);
        break;
    default:
        bytes->size = draw(rng, 8) ? size - draw(rng, size < 8 ? size : 8) : at;
        break;
    }
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
        ck_assert_msg(!kifu__check_proposal(table, kifu__segment_table(&segment, i), &error), "%s", error.message);
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
