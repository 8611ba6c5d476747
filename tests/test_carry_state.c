// A save that begins from a state, in the next version of its game.

#include <stddef.h>
#include <stdio.h>

#include "attic.h"
#include "barn1.h"
#include "barn2.h"
#include "history_help.h"
#include "run_codec.h"
#include "suite.h"

static test_memory memory = {.until_failure = -1};
static const kifu_options options = {
    .quiet = true, .from_state = kifu_begin_from_state, .allocate = test_allocate, .allocate_context = &memory};

// Both are releases of one game. So the first one's rules and schema have the names of the second, which are as long.
static const kifu_rules *released(void)
{
    static kifu_rules rules;
    if (rules.name)
        return &rules;
    unsigned char *schema = (unsigned char *)malloc(barn1_rules.bfbs_size);
    ck_assert_ptr_nonnull(schema);
    memcpy(schema, barn1_rules.bfbs, barn1_rules.bfbs_size);
    for (uint32_t i = 0; i + 6 <= barn1_rules.bfbs_size; i++) {
        if (!memcmp(schema + i, "barn1.", 6))
            schema[i + 4] = '2';
    }
    rules = barn1_rules;
    rules.name = barn2_rules.name;
    rules.union_name = barn2_rules.union_name;
    rules.bfbs = schema;
    return &rules;
}

// Something is set, and some of it forgotten. A bell is timed.
static kifu_timeline *play(const int (*sets)[2], int count)
{
    kifu_timeline *barn;
    ck_assert_int_eq(kifu_create(released(), &options, &barn, NULL), KIFU_OK);
    must(barn, kifu_postpone(barn, barn1_submit_e_bell(barn, 7), 2, 0));
    for (int i = 0; i < count; i++)
        barn1_submit_p_set(barn, 0, (uint8_t)sets[i][0], sets[i][1]);
    must(barn, kifu_run(barn));
    must(barn, kifu_forget(barn, KIFU_PRESENT));
    barn1_submit_p_set(barn, 0, 0, 1);
    must(barn, kifu_run(barn));
    return barn;
}

static kifu_result load(kifu_timeline *barn, const kifu_save_options *save_options, kifu_carry *carry,
                        kifu_timeline **loaded, kifu_error *error)
{
    const kifu_load_options load_options = {.codec = &run_codec, .fast = true, .carry_state = carry};
    unsigned char *bytes;
    size_t size;
    must(barn, kifu_save_to_memory(barn, save_options, &bytes, &size));
    const kifu_result result = kifu_load_from_memory(&barn2_rules, bytes, size, &options, &load_options, loaded, error);
    kifu_free_bytes(barn, bytes);
    return result;
}

START_TEST(V12_the_state_is_carried_over_field_by_field)
{
    static const int sets[][2] = {{0, -5}, {2, 1}, {3, 0}, {4, 2}, {4, 9}, {5, 200}, {8, -30000}};
    const kifu_save_options packed = {.codec = &run_codec};
    kifu_timeline *barn = play(sets, 7), *loaded;
    for (int way = 0; way < 2; way++) {
        kifu_error error;
        const kifu_result result = load(barn, way ? &packed : NULL, NULL, &loaded, &error);
        ck_assert_msg(!result, "%s", error.message);
        const barn2_state *state = barn2_get_state(loaded);
        ck_assert_int_eq(state->gold, -4); // -5, and then an event of the new rules
        ck_assert_int_eq(state->mood, BARN2_MOOD_ANGRY);
        ck_assert_int_eq(state->crop, BARN2_CROP_OATS); // which has another number now
        ck_assert_uint_eq(state->heaps[2], 2);
        ck_assert_uint_eq(state->heaps[3], 9);
        ck_assert_uint_eq(state->spots[1].x, 200);
        ck_assert_int_eq(state->far, -30000);
        ck_assert_int_eq(state->fresh, 0);
        ck_assert_uint_eq(kifu_first_event(loaded), kifu_first_event(barn));
        must(loaded, kifu_verify_replay(loaded, NULL));
        must(loaded, kifu_undo(loaded));
        ck_assert_int_eq(state->gold, -5);
        for (int i = 0; i < 2; i++) // The bell rings, which was timed before.
            barn2_submit_e_begin_turn(loaded);
        must(loaded, kifu_run(loaded));
        ck_assert_int_eq(state->gold, 2);
        kifu_timeline *again = reload(loaded, &options);
        ck_assert_mem_eq(barn2_get_state(again), state, sizeof *state);
        kifu_destroy(again);
        kifu_destroy(loaded);
    }
    kifu_destroy(barn);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

START_TEST(V12_a_value_of_an_enum_is_carried_over_by_its_name)
{
    static const int sets[][2] = {{0, -5}};
    kifu_timeline *barn = play(sets, 1), *loaded;
    kifu_error error;
    const kifu_result result = load(barn, NULL, NULL, &loaded, &error);
    ck_assert_msg(!result, "%s", error.message);
    ck_assert_int_eq(barn1_get_state(barn)->crop, BARN1_CROP_RYE);
    ck_assert_int_eq(barn2_get_state(loaded)->crop, BARN2_CROP_RYE);
    ck_assert_int_ne((int)BARN1_CROP_RYE, (int)BARN2_CROP_RYE);
    kifu_destroy(loaded);
    kifu_destroy(barn);
}
END_TEST

START_TEST(V12_what_has_no_place_is_refused_by_name)
{
    static const struct {
        int set[2];
        const char *says[2];
    } cases[] = {
        {{1, 3}, {"silver", "is gone"}},
        {{3, 2}, {"crop", "no such value"}},
        {{4, 5}, {"heaps[5]", "end of the array"}},
        {{6, 2}, {"ratio", "another kind"}},
        {{7, 1}, {"rain", "is gone"}},
        {{8, 40000}, {"far", "no room"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int sets[][2] = {{0, 1}, {cases[i].set[0], cases[i].set[1]}};
        kifu_timeline *barn = play(sets, 2), *loaded;
        kifu_error error;
        ck_assert_int_eq(load(barn, NULL, NULL, &loaded, &error), KIFU_UNSUPPORTED);
        ck_assert_msg(strstr(error.message, cases[i].says[0]) && strstr(error.message, cases[i].says[1]), "%s",
                      error.message);
        ck_assert_ptr_nonnull(strstr(error.message, "carry_state"));
        kifu_destroy(barn);
    }
    const int sets[][2] = {{0, 1}};
    kifu_timeline *barn = play(sets, 1), *loaded;
    kifu_error error;
    const kifu_save_options without = {.without_schema = true};
    ck_assert_int_eq(load(barn, &without, NULL, &loaded, &error), KIFU_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(error.message, "schema"));
    kifu__struct renamed = *barn2_rules.state;
    kifu_rules other = barn2_rules;
    unsigned char *bytes;
    size_t size;
    renamed.name = "barn2.Shed";
    other.state = &renamed;
    must(barn, kifu_save_to_memory(barn, NULL, &bytes, &size));
    ck_assert_int_eq(kifu_load_from_memory(&other, bytes, size, &options, NULL, &loaded, &error), KIFU_UNSUPPORTED);
    ck_assert_msg(strstr(error.message, "carry over: the state has another name now; ") != NULL, "%s", error.message);
    kifu_free_bytes(barn, bytes);
    kifu_destroy(barn);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

static kifu_result carry(kifu_old_state *old, void *state, void *context)
{
    barn2_state *barn = (barn2_state *)state;
    int64_t value;
    double ratio;
    (void)context;
    if (kifu_old_rules_version(old) != 1 || barn->coins || kifu_old_integer(old, "nothing", &value) ||
        kifu_old_number(old, "nothing", &ratio) || kifu_old_number(old, "ratio.x", &ratio) ||
        kifu_old_integer(old, "ratio", &value) || kifu_old_integer(old, "spots", &value) ||
        kifu_old_integer(old, "spots[2].x", &value) || kifu_old_integer(old, "spots[10].x", &value) ||
        !kifu_old_integer(old, "spots[0].x", &value))
        return KIFU_FAILED;
    if (!kifu_old_integer(old, "silver", &value))
        return KIFU_FAILED;
    barn->coins = (uint32_t)(10 * value);
    if (!kifu_old_integer(old, "crop", &value))
        return KIFU_FAILED;
    barn->crop = value == 2 ? BARN2_CROP_OATS : BARN2_CROP_RYE;
    if (!kifu_old_number(old, "ratio", &ratio))
        return KIFU_FAILED;
    barn->ratio = ratio;
    if (!kifu_old_integer(old, "heaps[5]", &value))
        return KIFU_FAILED;
    barn->heaps[3] += (uint64_t)value;
    return kifu_old_integer(old, "spots[1].x", &value) ? KIFU_OK : KIFU_FAILED;
}

START_TEST(V12_a_function_of_the_game_carries_over_what_names_cannot)
{
    static const int sets[][2] = {{1, 3}, {3, 2}, {4, 9}, {4, 5}, {6, 2}, {5, 11}};
    kifu_timeline *barn = play(sets, 6), *loaded;
    kifu_error error;
    const kifu_result result = load(barn, NULL, carry, &loaded, &error);
    ck_assert_msg(!result, "%s", error.message);
    const barn2_state *state = barn2_get_state(loaded);
    ck_assert_uint_eq(state->coins, 30);
    ck_assert_int_eq(state->crop, BARN2_CROP_OATS);
    ck_assert(state->ratio == 2);
    ck_assert_uint_eq(state->heaps[3], 14);
    ck_assert_uint_eq(state->spots[1].x, 11);
    must(loaded, kifu_verify_replay(loaded, NULL));
    kifu_destroy(loaded);
    barn1_submit_p_set(barn, 0, 7, 1); // It rained, of which the function has not thought.
    must(barn, kifu_run(barn));
    must(barn, kifu_forget(barn, KIFU_PRESENT));
    ck_assert_int_eq(load(barn, NULL, carry, &loaded, &error), KIFU_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(error.message, "rain is gone"));
    kifu_destroy(barn);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

static kifu_result break_it(kifu_old_state *old, void *state, void *context)
{
    (void)old, (void)context;
    ((barn2_state *)state)->mood = 77;
    return KIFU_OK;
}

static kifu_result refuse(kifu_old_state *old, void *state, void *context)
{
    (void)old, (void)state, (void)context;
    return KIFU_FAILED;
}

START_TEST(V12_a_function_of_the_game_may_refuse_and_may_not_break_the_schema)
{
    static const int sets[][2] = {{0, 3}};
    kifu_timeline *barn = play(sets, 1), *loaded;
    kifu_error error;
    ck_assert_int_eq(load(barn, NULL, break_it, &loaded, &error), KIFU_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(error.message, "cannot have"));
    ck_assert_int_eq(load(barn, NULL, refuse, &loaded, &error), KIFU_FAILED);
    ck_assert_ptr_nonnull(strstr(error.message, "carry_state"));
    for (long n = 0, more = 1; more; n++) {
        const long blocks = memory.blocks;
        memory.until_failure = n;
        memory.failed = false;
        unsigned char *bytes;
        size_t size;
        memory.until_failure = -1;
        must(barn, kifu_save_to_memory(barn, NULL, &bytes, &size));
        memory.until_failure = n;
        const kifu_result result = kifu_load_from_memory(&barn2_rules, bytes, size, &options, NULL, &loaded, &error);
        memory.until_failure = -1;
        more = memory.failed;
        must_be(result == KIFU_OK || (more && result == KIFU_NO_MEMORY));
        kifu_destroy(loaded);
        kifu_free_bytes(barn, bytes);
        must_be(memory.blocks == blocks);
    }
    kifu_destroy(barn);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

static kifu_result carry_names_only(kifu_old_state *old, void *state, void *context)
{
    (void)old, (void)state, (void)context;
    return KIFU_OK;
}

// The next release adds where the first one set. What names have carried over is compared with the state at the end;
// what a function of the game may have changed is not.
START_TEST(F60_a_state_that_a_function_carried_over_is_no_evidence)
{
    static const int sets[][2] = {{0, -5}};
    kifu_rules same = barn2_rules; // as if it had left its rules version as it was
    same.rules_version = barn1_rules.rules_version;
    kifu_timeline *barn = play(sets, 1), *loaded;
    unsigned char *bytes;
    size_t size;
    must(barn, kifu_save_to_memory(barn, NULL, &bytes, &size));
    for (int way = 0; way < 3; way++) {
        kifu_difference changed;
        const kifu_load_options how = {
            .allow_changed = way == 1, .carry_state = way == 2 ? carry_names_only : NULL, .changed = &changed};
        kifu_error error;
        const kifu_result result = kifu_load_from_memory(&same, bytes, size, &options, &how, &loaded, &error);
        ck_assert_int_eq(result, way ? KIFU_OK : KIFU_DIVERGED);
        ck_assert_uint_eq(changed.event, way < 2 ? kifu_event_count(barn) - 1 : KIFU_NONE);
        ck_assert_uint_eq(changed.first, way < 2 ? kifu_first_event(barn) : KIFU_NONE);
        ck_assert_str_eq(changed.field, way < 2 ? "gold" : "");
        if (!way)
            ck_assert_msg(strstr(error.message, "gold was 1 and is now -4.") != NULL, "%s", error.message);
        kifu_destroy(loaded);
    }
    kifu_free_bytes(barn, bytes);
    kifu_destroy(barn);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

// --- Long paths ------------------------------------------------------------------------------------------------------

// The next release of the attic, which has shorter shelves, or no bottles of wine.
typedef struct next_attic {
    kifu__member tops[40], shelves[40], bottles[2];
    kifu__struct state, shelf[40], bottle;
    kifu_rules rules;
} next_attic;

static void release_attic(next_attic *next, uint32_t bottles)
{
    const kifu__struct *state = attic_rules.state;
    *next = (next_attic){.state = *state, .rules = attic_rules};
    ck_assert_uint_le(state->member_count, 40);
    for (uint32_t i = 0; i < state->member_count; i++) {
        next->tops[i] = state->members[i];
        if (next->tops[i].name[0] != 'b')
            continue;
        next->shelf[i] = *state->members[i].structure;
        next->shelves[i] = next->shelf[i].members[0];
        next->bottle = *next->shelves[i].structure;
        next->tops[i].structure = &next->shelf[i];
        next->shelf[i].members = &next->shelves[i];
        next->shelves[i].structure = &next->bottle;
    }
    memcpy(next->bottles, next->bottle.members, sizeof next->bottles);
    next->bottles[0].count = 1;
    next->bottle.members = next->bottles;
    next->bottle.member_count = bottles;
    next->state.members = next->tops;
    next->rules.state = &next->state;
    next->rules.fingerprint ^= 1;
}

// The message names as much of a path as there is room for, "boxes[1].bottles[1].b[1]".
START_TEST(M08_V12_a_long_path_is_cut_off_and_not_mixed_up)
{
    static next_attic next;
    release_attic(&next, 1);
    const kifu__struct *state = attic_rules.state;
    for (uint32_t i = 0; i < state->member_count; i++) {
        const kifu__member *top = &state->members[i];
        for (uint32_t leaf = 0; leaf < 2 && top->name[0] == 'b'; leaf++) {
            const kifu__member *shelf = &top->structure->members[0], *bottle = &shelf->structure->members[leaf];
            char path[160], says[300];
            kifu_timeline *attic, *loaded;
            kifu_error error;
            unsigned char *bytes;
            size_t size;
            snprintf(path, sizeof path, "%s[1].%s[1].%s%s", top->name, shelf->name, bottle->name, leaf ? "" : "[1]");
            snprintf(says, sizeof says, ": %s %s", path, leaf ? "is gone" : "is behind the end of the array");
            ck_assert_int_eq(kifu_create(&attic_rules, &options, &attic, NULL), KIFU_OK);
            attic_submit_p_set(attic, 0, top->offset + top->size + shelf->offset + shelf->size + bottle->offset + 4);
            must(attic, kifu_run(attic));
            must(attic, kifu_forget(attic, KIFU_PRESENT));
            must(attic, kifu_save_to_memory(attic, NULL, &bytes, &size));
            const kifu_result result = kifu_load_from_memory(&next.rules, bytes, size, &options, NULL, &loaded, &error);
            ck_assert_int_eq(result, KIFU_UNSUPPORTED);
            ck_assert_msg(strstr(error.message, says) != NULL, "%s: %s", says, error.message);
            kifu_free_bytes(attic, bytes);
            kifu_destroy(attic);
        }
    }
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

// The integer, the float and the double of the old state.
static kifu_result carry_numbers(kifu_old_state *old, void *state, void *context)
{
    double *numbers = (double *)context;
    (void)state;
    return kifu_old_number(old, "gold", &numbers[0]) && kifu_old_number(old, "ratio", &numbers[1]) ? KIFU_OK
                                                                                                   : KIFU_FAILED;
}

static kifu_result carry_weight(kifu_old_state *old, void *state, void *context)
{
    (void)state;
    return kifu_old_number(old, "weight", (double *)context) ? KIFU_OK : KIFU_FAILED;
}

START_TEST(M08_V12_a_number_of_any_kind_can_be_asked_for_as_one)
{
    static const int sets[][2] = {{0, -5}, {6, 2}};
    static next_attic next;
    double numbers[2] = {0, 0}, weight = 0;
    kifu_timeline *barn = play(sets, 2), *loaded, *attic;
    unsigned char *bytes;
    size_t size;
    const kifu_load_options of_barn = {.carry_state = carry_numbers, .carry_context = numbers, .fast = true},
                            of_attic = {.carry_state = carry_weight, .carry_context = &weight};
    must(barn, kifu_save_to_memory(barn, NULL, &bytes, &size));
    ck_assert_int_eq(kifu_load_from_memory(&barn2_rules, bytes, size, &options, &of_barn, &loaded, NULL), KIFU_OK);
    ck_assert(numbers[0] == -5 && numbers[1] == 2);
    kifu_free_bytes(barn, bytes);
    kifu_destroy(loaded);
    kifu_destroy(barn);
    release_attic(&next, 2);
    ck_assert_int_eq(kifu_create(&attic_rules, &options, &attic, NULL), KIFU_OK);
    attic_submit_p_set(attic, 0, offsetof(attic_state, weight) + 6);
    must(attic, kifu_run(attic));
    must(attic, kifu_forget(attic, KIFU_PRESENT));
    must(attic, kifu_save_to_memory(attic, NULL, &bytes, &size));
    ck_assert_int_eq(kifu_load_from_memory(&next.rules, bytes, size, &options, &of_attic, &loaded, NULL), KIFU_OK);
    ck_assert(weight > 0 && weight == attic_get_state(attic)->weight);
    kifu_free_bytes(attic, bytes);
    kifu_destroy(loaded);
    kifu_destroy(attic);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        V12_the_state_is_carried_over_field_by_field,
        F60_a_state_that_a_function_carried_over_is_no_evidence,
        V12_a_value_of_an_enum_is_carried_over_by_its_name,
        V12_what_has_no_place_is_refused_by_name,
        V12_a_function_of_the_game_carries_over_what_names_cannot,
        V12_a_function_of_the_game_may_refuse_and_may_not_break_the_schema,
        M08_V12_a_long_path_is_cut_off_and_not_mixed_up,
        M08_V12_a_number_of_any_kind_can_be_asked_for_as_one,
    };
    return run_suite("carry state", tests, sizeof tests / sizeof *tests);
}
