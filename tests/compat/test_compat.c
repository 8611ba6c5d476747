// Saves that four versions of one game wrote (v1 to v4), loaded by each of them. Compiled once for each version.

#include <stdio.h>
#include <string.h>

#include "play.h"
#include "run_codec.h"
#include "suite.h"

// The state, in words: what the version at hand does not have is 0.
typedef struct camp {
    uint32_t events;
    uint32_t pending;
    int food, wood, stone, spirits, skill, luck, storms;
    double weight;
} camp;

static camp look(const kifu_timeline *timeline)
{
    const camp_state *state = camp_get_state(timeline);
    camp now = {
        .events = kifu_event_count(timeline),
        .pending = kifu_pending_count(timeline),
        .food = state->food,
        .wood = state->wood,
        .spirits = state->spirits,
    };
#if CAMP_VERSION >= 2
    now.skill = state->skill;
    now.luck = state->luck;
    now.storms = state->storms;
#endif
#if CAMP_VERSION >= 3
    now.stone = state->stone;
    now.weight = state->weight;
#endif
    return now;
}

static void expect(const kifu_timeline *timeline, camp then)
{
#if CAMP_VERSION < 2
    then.skill = then.luck = then.storms = 0;
#endif
#if CAMP_VERSION < 3
    then.stone = 0;
    then.weight = 0;
#endif
    camp now = look(timeline);
    ck_assert_uint_eq(now.events, then.events);
    ck_assert_uint_eq(now.pending, then.pending);
    ck_assert_int_eq(now.food, then.food);
    ck_assert_int_eq(now.wood, then.wood);
    ck_assert_int_eq(now.stone, then.stone);
    ck_assert_int_eq(now.spirits, then.spirits);
    ck_assert_int_eq(now.skill, then.skill);
    ck_assert_int_eq(now.luck, then.luck);
    ck_assert_int_eq(now.storms, then.storms);
    ck_assert_double_eq(now.weight, then.weight);
}

static kifu_result load_allowed(const char *name, bool fast, bool allowed, kifu_timeline **timeline, kifu_error *error)
{
    const kifu_load_options options = {.fast = fast, .allow_changed = allowed, .codec = &run_codec};
    char path[1000];
    const char *root = getenv("KIFU_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/tests/compat/%s.kifu", root ? root : ".", name);
    return kifu_load(&camp_rules, path, NULL, &options, timeline, error);
}

static kifu_result load(const char *name, bool fast, kifu_timeline **timeline, kifu_error *error)
{
    return load_allowed(name, fast, false, timeline, error);
}

// Saves and loads again, plain or packed; the first timeline is gone.
static kifu_timeline *again(kifu_timeline *timeline, bool fast)
{
    const kifu_load_options options = {.fast = fast, .codec = &run_codec};
    const kifu_save_options save = {.codec = fast ? &run_codec : NULL};
    unsigned char *bytes;
    size_t size;
    kifu_error error;
    kifu_timeline *loaded;
    ck_assert_int_eq(kifu_save_to_memory(timeline, &save, &bytes, &size), KIFU_OK);
    kifu_result result = kifu_load_from_memory(&camp_rules, bytes, size, NULL, &options, &loaded, &error);
    ck_assert_msg(result == KIFU_OK, "%s", error.message);
    kifu_free_bytes(timeline, bytes);
    kifu_destroy(timeline);
    return loaded;
}

static void refuses(const char *name, kifu_result why, const char *words)
{
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_int_eq(load(name, false, &timeline, &error), why);
    ck_assert_ptr_null(timeline);
    ck_assert_msg(strstr(error.message, words) != NULL, "%s", error.message);
    ck_assert_uint_ne(error.offset, UINT64_MAX);
}

// Version 2 is glad of other things than version 1, and has no higher rules version. Only these saves have their state.
static bool plays_otherwise(const char *name)
{
    return CAMP_VERSION == 1 && (!strcmp(name, "v2/packed") || !strcmp(name, "v2/undone"));
}

// The save is right when loaded, when loaded from a save of the loaded game, and after `go_on` from there, in both ways
// to load. A save that today's rules play otherwise is refused, and right if the caller allows it.
static void loads(const char *name, camp then, kifu_result (*go_on)(kifu_timeline *), camp later)
{
    const bool otherwise = plays_otherwise(name);
    if (CAMP_VERSION < 3 && name[1] >= '3') {
        refuses(name, KIFU_NEWER_GAME, "update the program");
        return;
    }
    if (otherwise)
        refuses(name, KIFU_DIVERGED, "spirits was ");
    for (int way = 0; way < 6; way++) {
        kifu_timeline *timeline;
        kifu_error error;
        kifu_result result = load_allowed(name, way % 2, otherwise, &timeline, &error);
        ck_assert_msg(result == KIFU_OK, "%s: %s", name, error.message);
        for (int saves = 0; saves < way / 2; saves++)
            timeline = again(timeline, way % 2);
        expect(timeline, then);
        ck_assert_int_eq(go_on(timeline), KIFU_OK);
        expect(timeline, later);
        kifu_destroy(timeline);
    }
}

// The first field that differs from the save's state, by today's rules; "": none that both versions have. All events
// are compared; in version 4, where the first ones are upcast, none is.
static void expect_changed(const char *name, const char *field, const char *expected, const char *actual)
{
    kifu_difference changed;
    const kifu_load_options options = {.codec = &run_codec, .changed = &changed, .allow_changed = true};
    char path[1000];
    const char *root = getenv("KIFU_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/tests/compat/%s.kifu", root ? root : ".", name);
    kifu_timeline *timeline;
    ck_assert_int_eq(kifu_load(&camp_rules, path, NULL, &options, &timeline, NULL), KIFU_OK);
    ck_assert_str_eq(changed.field, field);
    ck_assert_str_eq(changed.expected, expected);
    ck_assert_str_eq(changed.actual, actual);
    ck_assert_uint_eq(changed.event, *field ? kifu_event_count(timeline) - 1 : KIFU_NONE);
    ck_assert_uint_eq(changed.first, *field ? 0 : CAMP_VERSION < 4 ? kifu_event_count(timeline) : KIFU_NONE);
    kifu_destroy(timeline);
}

// --- Saves of version 1 ----------------------------------------------------------------------------------------------

START_TEST(S03_a_save_of_version_1_with_undone_events)
{
    camp then = {.events = 9, .food = 9, .wood = 4, .spirits = 16, .skill = 6, .luck = 200, .weight = 3.5};
    camp later = then;
    later.events = 11;
    later.food = 10;
    later.skill += 3;
    later.luck += 100;
    loads("v1/undone", then, kifu_redo, later);
    loads("v1/packed", then, kifu_redo, later);
}
END_TEST

// What waits is played by the rules of now: from version 3 on, everyone eats double; but what was to be eaten already
// when the save was written, version 4 knows from then.
START_TEST(S02_a_save_of_version_1_with_waiting_events)
{
    camp then = {
        .events = 10, .pending = 2, .food = 11, .wood = 4, .spirits = 16, .skill = 9, .luck = 300, .weight = 3.5};
    camp later = then;
    later.events = 13;
    later.pending = 0;
    later.food = CAMP_VERSION >= 4 ? 8 : CAMP_VERSION >= 3 ? 7 : 9;
    later.wood = 13;
    later.skill += 3;
    later.luck += 100;
    loads("v1/waiting", then, kifu_run, later);
}
END_TEST

// --- Saves of version 2 ----------------------------------------------------------------------------------------------

START_TEST(S03_a_save_of_version_2_with_undone_events)
{
    int spirits = CAMP_VERSION >= 2 ? 51 : 16;
    camp then = {.events = 9, .food = 9, .wood = 4, .spirits = spirits, .skill = 9, .luck = 108, .weight = 3.5};
    camp later = then;
    later.events = 11;
    later.food = 10;
    later.skill += 6;
    later.luck += 100;
    loads("v2/undone", then, kifu_redo, later);
    loads("v2/packed", then, kifu_redo, later);
}
END_TEST

START_TEST(S02_a_save_of_version_2_with_waiting_events)
{
    int spirits = CAMP_VERSION >= 2 ? 51 : 16;
    camp then = {
        .events = 10, .pending = 2, .food = 11, .wood = 4, .spirits = spirits, .skill = 15, .luck = 208, .weight = 3.5};
    camp later = then;
    later.events = 13;
    later.pending = 0;
    later.food = CAMP_VERSION >= 4 ? 8 : CAMP_VERSION >= 3 ? 7 : 9;
    later.wood = 13;
    later.skill += 7;
    later.luck += 100;
    loads("v2/waiting", then, kifu_run, later);
}
END_TEST

START_TEST(S06_a_save_of_version_2_with_a_new_event_type)
{
    if (CAMP_VERSION < 2) {
        refuses("v2/storm", KIFU_UNKNOWN_EVENT, "camp.EStorm");
        return;
    }
    camp then = {
        .events = 10, .food = 9, .wood = 2, .spirits = 51, .skill = 9, .luck = 108, .storms = 1, .weight = 3.5};
    camp later = then;
    later.events = 12;
    later.food = 10;
    later.skill += 6;
    later.luck += 100;
    loads("v2/storm", then, kifu_redo, later);
}
END_TEST

// --- Saves of version 3 ----------------------------------------------------------------------------------------------

START_TEST(S03_a_save_of_version_3_with_undone_events)
{
    camp then = {.events = 9, .food = 7, .wood = 4, .spirits = 59, .skill = 9, .luck = 108, .weight = 10};
    camp later = then;
    later.events = 11;
    later.skill += 6;
    later.luck += 100;
    loads("v3/undone", then, kifu_redo, later);
    loads("v3/packed", then, kifu_redo, later);
    loads("v3/hashed", then, kifu_redo, later); // the same with what later saves have
    loads("v3/small", then, kifu_redo, later);
}
END_TEST

START_TEST(S02_a_save_of_version_3_with_waiting_events)
{
    camp then = {
        .events = 10, .pending = 2, .food = 9, .wood = 4, .spirits = 59, .skill = 15, .luck = 208, .weight = 10};
    camp later = then;
    later.events = 13;
    later.pending = 0;
    later.food = 5;
    later.wood = 13;
    later.skill += 7;
    later.luck += 100;
    loads("v3/waiting", then, kifu_run, later);
}
END_TEST

START_TEST(S06_a_save_of_version_3_with_a_known_new_event_type)
{
    camp then = {.events = 10, .food = 7, .wood = 2, .spirits = 59, .skill = 9, .luck = 108, .storms = 1, .weight = 10};
    camp later = then;
    later.events = 12;
    later.skill += 6;
    later.luck += 100;
    loads("v3/storm", then, kifu_redo, later);
}
END_TEST

START_TEST(S05_a_save_of_version_3_with_a_new_enum_value)
{
    if (CAMP_VERSION < 3) {
        kifu_rules same = camp_rules; // as if version 3 had left its rules version as it was
        same.rules_version = 2;
        kifu_timeline *timeline;
        kifu_error error;
        const char *root = getenv("KIFU_SOURCE_DIR");
        char path[1000];
        snprintf(path, sizeof path, "%s/tests/compat/v3/stone.kifu", root ? root : ".");
        ck_assert_int_eq(kifu_load(&same, path, NULL, NULL, &timeline, &error), KIFU_DAMAGED);
        ck_assert_msg(strstr(error.message, "camp.Kind") && strstr(error.message, "another version"), "%s",
                      error.message);
    }
    camp then = {.events = 11, .food = 5, .wood = 4, .stone = 2, .spirits = 59, .skill = 10, .luck = 208, .weight = 10};
    camp later = then;
    later.events = 13;
    later.skill += 6;
    later.luck += 100;
    loads("v3/stone", then, kifu_redo, later);
}
END_TEST

// --- Saves of version 4 ----------------------------------------------------------------------------------------------

START_TEST(S03_saves_of_version_4_have_no_superseded_events)
{
    if (CAMP_VERSION == 3) {
        refuses("v4/undone", KIFU_UNKNOWN_EVENT, "camp.PHarvest");
        refuses("v4/waiting", KIFU_UNKNOWN_EVENT, "type 8");
        return;
    }
    camp then = {.events = 9, .food = 7, .wood = 4, .spirits = 59, .skill = 9, .luck = 108, .weight = 10};
    camp later = then;
    later.events = 11;
    later.skill += 6;
    later.luck += 100;
    loads("v4/undone", then, kifu_redo, later);
    camp waiting = {
        .events = 10, .pending = 2, .food = 9, .wood = 4, .spirits = 59, .skill = 15, .luck = 208, .weight = 10};
    later = waiting;
    later.events = 13;
    later.pending = 0;
    later.food = 5;
    later.wood = 13;
    later.skill += 7;
    later.luck += 100;
    loads("v4/waiting", waiting, kifu_run, later);
}
END_TEST

// Later versions left the old rules as they were, for old events. An older one does not know the newer rules, by which
// everyone eats double and is glad of other things.
START_TEST(F12_a_save_of_another_version_says_whether_the_rules_changed)
{
    expect_changed("v1/packed", "", "", "");
    if (CAMP_VERSION >= 2)
        expect_changed("v2/packed", "", "", "");
    else
        expect_changed("v2/packed", "spirits", "51", "16");
    if (CAMP_VERSION >= 3)
        expect_changed("v3/packed", "", "", "");
}
END_TEST

// Version 1 loaded the game of version 2 as another game.
START_TEST(F60_a_game_that_another_version_would_change_is_not_loaded)
{
    if (CAMP_VERSION != 1)
        return;
    kifu_timeline *timeline;
    kifu_error error;
    for (int fast = 0; fast < 2; fast++) {
        ck_assert_int_eq(load("v2/packed", fast, &timeline, &error), KIFU_DIVERGED);
        ck_assert_ptr_null(timeline);
        ck_assert_ptr_nonnull(strstr(error.message, "now leads to another state than in the save: spirits was 51 and "
                                                    "is now 16. If you changed the rules, raise rules_version, or load "
                                                    "with kifu_load_options.allow_changed."));
        ck_assert_ptr_nonnull(strstr(error.message, "one of the events 0 to "));
    }
}
END_TEST

START_TEST(F61_a_save_of_a_higher_rules_version_is_refused)
{
    static const char *const names[] = {"v3/undone", "v3/packed", "v3/waiting", "v3/hashed", "v4/undone"};
    for (int i = 0; i < 10 && CAMP_VERSION < 3; i++)
        refuses(names[i / 2], KIFU_NEWER_GAME,
                "this save is of rules version 2 of camp, and this program has rules version 1: update the program");
}
END_TEST

// An older version that loaded a newer save knows what it knows, and so does the save that it writes.
START_TEST(the_header_says_who_wrote_it)
{
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_int_eq(load("v1/undone", false, &timeline, &error), KIFU_OK);
    kifu_event event;
    ck_assert(kifu_event_at(timeline, 8, &event));
    ck_assert_uint_eq(event.rules_version, 1);
    ck_assert_str_eq(event.name, CAMP_VERSION >= 4 ? "camp.PDiscover" : "camp.PFind");
    ck_assert_int_eq(event.player, 0);
    ck_assert(kifu_event_at(timeline, 5, &event));
    ck_assert_uint_eq(event.cause, 4);
    kifu_destroy(timeline);
}
END_TEST

// It was undone twice, and redone once.
START_TEST(R08_a_log_file_that_was_not_closed_is_recovered_as_it_was)
{
    if (CAMP_VERSION < 3)
        return;
    kifu_recovery recovery;
    const kifu_load_options how = {.recover = kifu_recover, .recovery = &recovery};
    char path[1000];
    const char *root = getenv("KIFU_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/tests/compat/v3/log.kifu", root ? root : ".");
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_msg(!kifu_load(&camp_rules, path, NULL, &how, &timeline, &error), "%s", error.message);
    ck_assert_int_eq(recovery.why.result, KIFU_DAMAGED);
    ck_assert_uint_eq(recovery.dropped, 0);
    camp then = {.events = 11, .food = 7, .wood = 4, .spirits = 59, .skill = 15, .luck = 208, .weight = 10};
    camp later = then;
    later.events = 13;
    later.food = 5;
    later.wood = 13;
    later.skill += 7;
    later.luck += 100;
    expect(timeline, then);
    ck_assert_int_eq(kifu_redo(timeline), KIFU_OK);
    expect(timeline, later);
    kifu_destroy(timeline);
}
END_TEST

// Their JSON is in json/.
START_TEST(R08_saves_of_before_1_0_are_refused_and_the_message_says_what_to_do)
{
    static const char *const names[] = {
        "trees-forgotten",
        "trees-log",
        "trees-packed",
        "trees-plain",
        "trees-small",
        "trees-written_by_0.2-log",
        "trees-written_by_0.2-undone",
        "trees-written_by_0.2-waiting",
        "v1-packed",
        "v1-undone",
        "v1-waiting",
        "v2-packed",
        "v2-storm",
        "v2-undone",
        "v2-waiting",
        "v3-hashed",
        "v3-log",
        "v3-packed",
        "v3-small",
        "v3-stone",
        "v3-storm",
        "v3-undone",
        "v3-waiting",
        "v4-undone",
        "v4-waiting",
    };
    for (size_t i = 0; i < 2 * sizeof names / sizeof *names; i++) {
        kifu_recovery recovery;
        const kifu_load_options options = {.recover = i % 2 ? kifu_recover : NULL,
                                           .recovery = i % 2 ? &recovery : NULL};
        char path[1000];
        const char *root = getenv("KIFU_SOURCE_DIR");
        snprintf(path, sizeof path, "%s/tests/compat/before_1.0/%s.kifu", root ? root : ".", names[i / 2]);
        kifu_timeline *timeline;
        kifu_error error;
        const kifu_result result = kifu_load(&camp_rules, path, NULL, &options, &timeline, &error);
        ck_assert_msg(result == KIFU_UNSUPPORTED, "%s: %s", path, error.message);
        ck_assert_ptr_null(timeline);
        ck_assert_msg(strstr(error.message, "the save is of a program with Kifu 0.2 or before") &&
                          strstr(error.message, "convert it with the command `kifu json` of that version"),
                      "%s", error.message);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S03_a_save_of_version_1_with_undone_events,
        F12_a_save_of_another_version_says_whether_the_rules_changed,
        S02_a_save_of_version_1_with_waiting_events,
        S03_a_save_of_version_2_with_undone_events,
        S02_a_save_of_version_2_with_waiting_events,
        S06_a_save_of_version_2_with_a_new_event_type,
        S03_a_save_of_version_3_with_undone_events,
        S02_a_save_of_version_3_with_waiting_events,
        S06_a_save_of_version_3_with_a_known_new_event_type,
        S05_a_save_of_version_3_with_a_new_enum_value,
        S03_saves_of_version_4_have_no_superseded_events,
        R08_a_log_file_that_was_not_closed_is_recovered_as_it_was,
        R08_saves_of_before_1_0_are_refused_and_the_message_says_what_to_do,
        F60_a_game_that_another_version_would_change_is_not_loaded,
        F61_a_save_of_a_higher_rules_version_is_refused,
        the_header_says_who_wrote_it,
    };
    return run_suite("compat", tests, sizeof tests / sizeof *tests);
}
