// kifu_verify_checks: the rules are asked whether what a log says may happen, in any game, and in all of its lines.

#include "run_codec.h"
#include "suite.h"
#include "history_help.h"
#include "verify_rules_help.h"

static kifu_timeline *corridor_again(kifu_timeline *corridor, const kifu_options *options)
{
    kifu_options own = options ? *options : (kifu_options){.quiet = true};
    own.user = &test_plan;
    return reload(corridor, &own);
}

static kifu_difference found;

static kifu_result check(kifu_timeline *corridor)
{
    const uint64_t before = kifu_state_hash(corridor);
    const uint32_t line = kifu_current_line(corridor);
    memset(&found, 1, sizeof found);
    const kifu_result result = kifu_verify_checks(corridor, prepare, NULL, &found);
    ck_assert_uint_eq(kifu_state_hash(corridor), before); // Nothing changes.
    ck_assert_uint_eq(kifu_current_line(corridor), line);
    ck_assert((found.event == KIFU_NONE) == !result);
    ck_assert_int_eq(kifu_verify_checks(corridor, prepare, NULL, NULL), result);
    return result;
}

static void play_any(kifu_timeline *corridor, int32_t number)
{
    corridor_submit_p_any(corridor, 2, 1, number);
    run(corridor);
}

START_TEST(F66_a_loaded_game_that_the_rules_allow)
{
    kifu_timeline *corridor = game();
    corridor_submit_p_move(corridor, 1, 0, 1);
    corridor_submit_p_move(corridor, 1, 0, 1);
    run(corridor);
    for (int16_t damage = 3; damage < 9; damage++) {
        play_any(corridor, 10 * damage);
        strike(corridor, damage);
    }
    must(corridor, kifu_begin(corridor, 0));
    strike(corridor, 3);
    play_any(corridor, 1);
    must(corridor, kifu_commit(corridor)); // which is one chain
    kifu_timeline *loaded = corridor_again(corridor, NULL);
    const kifu_result result = check(loaded);
    ck_assert_msg(!result, "%s", kifu_last_error(loaded)->message);
    kifu_destroy(loaded);
    kifu_destroy(corridor);
}
END_TEST

START_TEST(F66_a_move_that_the_rules_refuse_is_named)
{
    kifu_timeline *corridor = game();
    play_any(corridor, 4);
    play_any(corridor, 40);
    const uint32_t event = kifu_event_count(corridor) - 1;
    play_any(corridor, 4);
    kifu_timeline *loaded = corridor_again(corridor, NULL);
    must(loaded, kifu_verify_replay(loaded, NULL)); // It executes what is there.
    strict_check = true;
    ck_assert_int_eq(check(loaded), KIFU_REJECTED);
    const kifu_error *error = kifu_last_error(loaded);
    ck_assert_uint_eq(error->event, event);
    ck_assert_uint_eq(found.event, event);
    ck_assert_str_eq(found.name, "corridor.PAny");
    ck_assert_msg(strstr(error->message, "the rules refuse event ") && strstr(error->message, "too large"), "%s",
                  error->message);
    strict_check = false;
    kifu_destroy(loaded);
    kifu_destroy(corridor);
}
END_TEST

// A hook, a reaction, a trigger that is another: at the first event that comes out differently.
START_TEST(F66_what_comes_out_differently_is_named)
{
    bool *const rules[] = {&weak_shield, &no_shield, &no_reaction, &late_trigger};
    for (int i = 0; i < 4; i++) {
        kifu_timeline *corridor = game();
        corridor_submit_p_move(corridor, 1, 0, 1);
        corridor_submit_p_move(corridor, 1, 0, 1);
        run(corridor);
        strike(corridor, 7);
        kifu_timeline *loaded = corridor_again(corridor, NULL);
        ck_assert_int_eq(check(loaded), KIFU_OK);
        *rules[i] = true;
        ck_assert_int_eq(check(loaded), KIFU_DIVERGED);
        must_say(loaded, "played again from its inputs, the game differs at event ");
        *rules[i] = false;
        kifu_destroy(loaded);
        kifu_destroy(corridor);
    }
}
END_TEST

START_TEST(F66_every_line_is_asked)
{
    const kifu_options keeping = {.keep_variations = kifu_keep_variations, .quiet = true, .user = &test_plan};
    kifu_timeline *corridor = corridor_new(&keeping);
    test_plan.in_check[1] = small_enough;
    must(corridor, prepare(NULL, corridor));
    play_any(corridor, 1);
    play_any(corridor, 2);
    strike(corridor, 7);
    must(corridor, kifu_undo(corridor));
    play_any(corridor, 40); // Line 1,
    const uint32_t event = kifu_event_count(corridor) - 1;
    strike(corridor, 4);
    must(corridor, kifu_undo(corridor));
    play_any(corridor, 3); // and 2, which branches off from it.
    strike(corridor, 4);
    must(corridor, kifu_go_to(corridor, 0, KIFU_WHERE_LEFT, true));
    for (int way = 0; way < 2; way++) {
        kifu_timeline *loaded = way ? corridor_again(corridor, &keeping) : corridor;
        kifu_result result = check(loaded);
        ck_assert_msg(!result, "%s", kifu_last_error(loaded)->message);
        strict_check = true;
        ck_assert_int_eq(check(loaded), KIFU_REJECTED);
        ck_assert_uint_eq(found.line, 1);
        ck_assert_uint_eq(found.event, event);
        strict_check = false;
        weak_shield = true; // Line 0 comes first.
        ck_assert_int_eq(check(loaded), KIFU_DIVERGED);
        ck_assert_uint_eq(found.line, 0);
        weak_shield = false;
        if (way)
            kifu_destroy(loaded);
    }
    kifu_destroy(corridor);
}
END_TEST

// An editor cut off what an input caused, or wrote down what nothing caused.
START_TEST(F66_a_consequence_that_is_missing_or_made_up_is_named)
{
    for (int way = 0; way < 3; way++) {
        kifu_timeline *corridor = game(), *other = game();
        strike(corridor, 7);
        const uint32_t first = kifu_event_count(other);
        const uint32_t all = kifu_event_count(corridor);
        kifu_timeline *cut;
        ck_assert_int_eq(kifu_fork(corridor, way ? first + 1 : all - 1, NULL, &cut, NULL), KIFU_OK);
        if (way == 2) { // as an input of its own
            corridor_submit_e_heal(cut, 0, 1);
            run(cut);
        }
        kifu_timeline *loaded = corridor_again(cut, NULL);
        ck_assert_int_eq(check(loaded), KIFU_DIVERGED);
        ck_assert_uint_eq(found.event, way ? first + 1 : all - 1);
        kifu_destroy(loaded);
        kifu_destroy(cut);
        kifu_destroy(other);
        kifu_destroy(corridor);
    }
}
END_TEST

START_TEST(F66_a_call_that_cannot_be_answered_says_so)
{
    kifu_timeline *corridor = game();
    play_any(corridor, 1);
    must(corridor, kifu_begin(corridor, 0));
    ck_assert_int_eq(kifu_verify_checks(corridor, prepare, NULL, NULL), KIFU_MISUSE);
    must_say(corridor, "kifu_verify_checks: a transaction is open");
    must(corridor, kifu_commit(corridor));
    must(corridor, kifu_seek(corridor, 1));
    ck_assert_int_eq(kifu_verify_checks(corridor, prepare, NULL, NULL), KIFU_MISUSE);
    must(corridor, kifu_seek(corridor, KIFU_PRESENT));
    must(corridor, kifu_verify_checks(corridor, prepare, NULL, NULL));
    kifu_destroy(corridor);
}
END_TEST

// The culprit may be the event before: a Do with a static counter submits what differs.
START_TEST(F72_what_caused_the_event_that_differs_is_named)
{
    kifu_timeline *corridor = game();
    strike(corridor, 4);
    weak_shield = true;
    ck_assert_int_eq(check(corridor), KIFU_DIVERGED);
    must_say(corridor, "(corridor.EDamage), which event 3 (corridor.EStrike) caused: its field amount was ");
    must_say(corridor, "See runtime/docs/troubleshooting.md, \"When a game diverges\"");
    weak_shield = false;
    kifu_destroy(corridor);
}
END_TEST

// Old rules apply to old events.
START_TEST(F66_events_are_asked_under_their_own_rules_version)
{
    kifu_timeline *corridor = game();
    play_any(corridor, 1);
    strike(corridor, 4);
    kifu_rules newer = corridor_rules;
    newer.rules_version++;
    unsigned char *bytes;
    size_t size;
    must(corridor, kifu_save_to_memory(corridor, NULL, &bytes, &size));
    kifu_timeline *loaded;
    const kifu_options options = {.quiet = true, .user = &test_plan};
    ck_assert_int_eq(kifu_load_from_memory(&newer, bytes, size, &options, NULL, &loaded, NULL), KIFU_OK);
    must(loaded, prepare(NULL, loaded));
    play_any(loaded, 2);
    const kifu_result result = check(loaded);
    ck_assert_msg(!result, "%s", kifu_last_error(loaded)->message);
    kifu_free_bytes(corridor, bytes);
    kifu_destroy(loaded);
    kifu_destroy(corridor);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F66_a_loaded_game_that_the_rules_allow,
        F66_a_move_that_the_rules_refuse_is_named,
        F66_what_comes_out_differently_is_named,
        F66_every_line_is_asked,
        F66_a_consequence_that_is_missing_or_made_up_is_named,
        F66_a_call_that_cannot_be_answered_says_so,
        F72_what_caused_the_event_that_differs_is_named,
        F66_events_are_asked_under_their_own_rules_version,
    };
    return run_suite("verify checks", tests, sizeof tests / sizeof *tests);
}
